//! Which classes the run-time half takes for the JDK's, by their names alone: their accesses do not report, and of their calls it
//! knows nothing.

/// Packages of the JDK, whichever loader has them.
const PACKAGES: &[&str] = &[
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "netscape/javascript/",
    "org/ietf/jgss/",
    "org/jcp/xml/dsig/",
    "org/w3c/dom/",
    "org/xml/sax/",
];

/// Whether a class (internal name) is the JDK's.
pub fn is_jdk(class: &str) -> bool {
    PACKAGES.iter().any(|prefix| class.starts_with(prefix))
}
