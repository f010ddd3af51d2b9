//! Which classes of the JDK hold what programs share: containers, threads and references.
//!
//! Contexts are spent on them, and their objects are distinguished by the place that makes them even inside the JDK. What lies
//! outside the usual library (components of windows, the trees of the compiler, protocols) the JDK makes for itself; it is told
//! apart by class.

use selvedge_ir::ClassName;

/// Packages whose classes are containers, by the prefix of their internal names.
const CONTAINERS: [&str; 4] =
    ["java/util/concurrent/", "java/lang/ref/", "java/lang/ThreadLocal", "java/lang/Thread"];

/// Classes directly in `java/util` that are no containers.
const NO_CONTAINERS: [&str; 12] = [
    "Locale",
    "Formatter",
    "Calendar",
    "GregorianCalendar",
    "Currency",
    "ResourceBundle",
    "Scanner",
    "TimeZone",
    "ServiceLoader",
    "Date",
    "UUID",
    "PropertyResourceBundle",
];

/// Whether a class of the JDK is a container.
pub(crate) fn is_container(class: ClassName) -> bool {
    let name = class.to_string();
    if CONTAINERS.iter().any(|prefix| name.starts_with(prefix)) {
        return true;
    }
    match name.strip_prefix("java/util/") {
        Some(rest) if !rest.contains('/') => {
            let outer = rest.split('$').next().unwrap_or(rest);
            !NO_CONTAINERS.contains(&outer)
        }
        _ => false,
    }
}

/// Whether objects of a class of the JDK write to or read from an object that they are made with: what each was made with is distinguished.
pub(crate) fn is_wrapper(class: ClassName) -> bool {
    class.as_bytes().starts_with(b"java/io/") || class.is("java/util/Formatter")
}

/// Whether a class of the JDK is a collection or a part of one: a container that is no thread and no reference.
pub fn is_collection(class: ClassName) -> bool {
    class.as_bytes().starts_with(b"java/util/") && is_container(class)
}

/// Classes of the JDK whose static methods named `get...Instance` are rows that make an object: a stand-in for `new`, wherever they are called.
const MAKERS: [&str; 3] = ["java/security/MessageDigest", "java/text/DateFormat", "java/text/NumberFormat"];

/// Whether a static method of the JDK stands for `new`.
pub(crate) fn is_maker(class: ClassName, method: &[u8]) -> bool {
    MAKERS.iter().any(|&name| class.is(name)) && method.starts_with(b"get") && method.ends_with(b"Instance")
}

/// Whether a class of the JDK is no part of the language or of its usual library: how the JDK is made, and windows.
pub(crate) fn is_inside(class: ClassName) -> bool {
    let name = class.to_string();
    !name.starts_with("java/") || name.starts_with("java/awt/") || name.starts_with("java/beans/")
}
