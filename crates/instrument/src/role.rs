//! What is done to a class, decided by its name and the plan.

use selvedge_classfile::{ClassFile, access};
pub use selvedge_protocol::jdk::is_jdk;

use crate::Instrumenter;

/// What is done to a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Everything.
    Application,
    /// A class outside of the plan's scope for accesses: only its synchronisation.
    Quiet,
    /// Code of the JDK that synchronises: monitors, variables, locks, threads.
    Library,
    /// Nothing.
    Other,
}

/// Parts of the JDK whose synchronisation programs rely on.
const SYNCHRONISING: &[&str] = &[
    "com/sun/jmx/",
    "com/sun/jndi/",
    "com/sun/media/",
    "com/sun/net/",
    "java/awt/",
    "java/beans/",
    "java/io/",
    "java/net/",
    "java/nio/channels/",
    "java/rmi/",
    "java/security/",
    "java/sql/",
    "java/text/",
    "java/util/",
    "javax/",
    "jdk/internal/net/",
    "jdk/internal/ref/",
    "jdk/jfr/consumer/",
    "jdk/jfr/internal/consumer/",
    "sun/awt/",
    "sun/management/",
    "sun/net/",
    "sun/nio/ch/",
    "sun/rmi/",
];

/// Parts whose code hands over by plain accesses, too, between fences or beside atomic accesses to the same variable.
const COMBINING: &[&str] = &["java/util/concurrent/"];

/// Parts of those whose methods only pass an access mode on.
const PASSING_ON: &[&str] = &["java/util/concurrent/atomic/"];

/// Classes of other parts that have to do with it.
const SYNCHRONISING_CLASSES: &[&str] = &[
    "java/lang/AbstractStringBuilder",
    "java/lang/ApplicationShutdownHooks",
    "java/lang/ClassLoader",
    "java/lang/ClassValue",
    "java/lang/InterruptedException",
    "java/lang/Shutdown",
    "java/lang/StringBuffer",
    "java/lang/Thread",
    "java/lang/VirtualThread",
    "java/lang/ref/ReferenceQueue",
    "java/lang/ref/ReferenceQueue$Lock",
    "java/lang/reflect/Field",
];

/// Methods by which a virtual thread gets onto its carrier or leaves it. A virtual thread that waits for a monitor has left its carrier only
/// when these have returned, and is the next to get the monitor: a hook in them that waited for it would wait for ever.
const MOUNTING: &[&str] = &[
    "afterTerminate",
    "afterYield",
    "compareAndSetState",
    "mount",
    "runContinuation",
    "setState",
    "state",
    "switchToCarrierThread",
    "switchToVirtualThread",
    "unmount",
    "yieldContinuation",
];

/// Whether a method of a class (internal name) moves a virtual thread between carriers: such methods have no hooks.
pub(crate) fn is_mounting(class: &str, method: &[u8]) -> bool {
    class == "java/lang/VirtualThread" && MOUNTING.iter().any(|name| name.as_bytes() == method)
}

/// Wrappers of collections of the program: what they call is accessed.
const WRAPPERS: &[&str] = &[
    "java/util/Collections$Checked",
    "java/util/Collections$Synchronized",
    "java/util/Collections$Unmodifiable",
];

/// Whether a class (internal name) is a wrapper of collections.
pub(crate) fn wraps(class: &str) -> bool {
    WRAPPERS.iter().any(|prefix| class.starts_with(prefix))
}

/// What is always left to itself when the JDK is looked at like a program: what hooks rest on, and what the JVM knows by heart.
const CORE: &[&str] =
    &["java/lang/", "java/util/concurrent/", "jdk/internal/", "sun/misc/", "java/security/"];

impl Instrumenter {
    /// The role of a class by its internal name.
    pub fn role(&self, class: &str) -> Role {
        if self.is_library(class) {
            let synchronises = SYNCHRONISING.iter().any(|prefix| class.starts_with(prefix))
                || SYNCHRONISING_CLASSES.contains(&class);
            let is_library = synchronises && self.plan().synchronisation.contains(class);
            return if is_library { Role::Library } else { Role::Other };
        }
        if self.plan().accesses.contains(class) {
            Role::Application
        } else if self.plan().synchronisation.contains(class) {
            Role::Quiet
        } else {
            Role::Other
        }
    }

    /// Whether calls read or change the content of objects of this class of the library.
    pub fn is_container(&self, class: &str) -> bool {
        self.container_classes.contains(class.as_bytes())
    }

    /// Whether a class (internal name) belongs to the library, whose accesses do not report.
    pub fn is_library(&self, class: &str) -> bool {
        is_jdk(class) && (!self.jdk_is_program || CORE.iter().any(|prefix| class.starts_with(prefix)))
    }

    /// Whether code of the class (internal name) hands over by more than its access modes say.
    pub(crate) fn combines(&self, class: &str) -> bool {
        let is_in = |parts: &[&str]| parts.iter().any(|part| class.starts_with(part));
        self.is_library(class) && is_in(COMBINING) && !is_in(PASSING_ON)
    }

    /// Whether objects of the class hold their records in a field that this class has: it is the topmost one that is rewritten.
    pub(crate) fn has_record(&self, class: &ClassFile<'_>) -> bool {
        let is_rewritten = |name: &[u8]| self.role(&String::from_utf8_lossy(name)) != Role::Other;
        class.access & (access::INTERFACE | access::MODULE) == 0
            && !crate::members::clashes_with_record(class)
            && is_rewritten(class.this_class)
            && !class.super_class.is_some_and(is_rewritten)
    }

    /// Whether the plain fields of the class (internal name) have words.
    pub fn has_words(&self, class: &str) -> bool {
        !class.starts_with('[') && self.role(class) == Role::Application
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_models::Models;
    use selvedge_protocol::Plan;

    #[test]
    fn names_decide() {
        let all = Instrumenter::new(Plan::everything(), Models::default());
        assert_eq!(all.role("p/C"), Role::Application);
        assert_eq!(all.role("java/util/concurrent/FutureTask"), Role::Library);
        assert_eq!(all.role("java/lang/String"), Role::Other);
        assert_eq!(all.role("java/lang/ClassLoader"), Role::Library);
        assert!(all.has_words("p/C") && !all.has_words("[Lp/C;") && !all.has_words("java/util/ArrayList"));
        let none = Instrumenter::new(Plan::nothing(), Models::default());
        assert_eq!(none.role("p/C"), Role::Other);
        assert_eq!(none.role("java/util/concurrent/FutureTask"), Role::Other);
    }
}
