//! Kinds of library classes that analyses ask about by name, as `rows/kinds.toml` lists them.
//!
//! What a library *method* does is said by a row with effects. Some questions are about classes, though: is this a thread, an iterator, an
//! exception that ends a wait? The names are data here, so that the analyses themselves name no class of the library.

use std::sync::OnceLock;

macro_rules! kinds {
    ($($kind:ident $name:literal,)*) => {
        /// A kind of library classes.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum Kind {
            $($kind,)*
        }

        /// All kinds with their names in the file, in the order of the type.
        const ALL: &[(Kind, &str)] = &[$((Kind::$kind, $name),)*];
    };
}

kinds! {
    Thread "thread",
    ThreadGroup "thread-group",
    UpkeepThread "upkeep-thread",
    Upkeep "upkeep",
    EventThread "event-thread",
    Finalizer "finalizer",
    Cleaner "cleaner",
    Signal "signal",
    Interruption "interruption",
    FailedWait "failed-wait",
    Concurrent "concurrent",
    TaskRunner "task-runner",
    Dispatcher "dispatcher",
    OwnTask "own-task",
    Worker "worker",
    Executor "executor",
    Timer "timer",
    ForkJoinTask "fork-join-task",
    ForkJoinWorker "fork-join-worker",
    CyclicBarrier "cyclic-barrier",
    Semaphore "semaphore",
    Lock "lock",
    Stream "stream",
    InputStream "input-stream",
    BulkOperation "bulk-operation",
    EarlyResult "early-result",
    IntStream "int-stream",
    StreamSource "stream-source",
    ArrayHelper "array-helper",
    ConcurrentMap "concurrent-map",
    Utility "utility",
    Collection "collection",
    Iterator "iterator",
    AccessOrderedMap "access-ordered-map",
    LegacyCollection "legacy-collection",
    SynchronizedWrapper "synchronized-wrapper",
    WrapperFactory "wrapper-factory",
    WorkList "work-list",
    AboveWorkList "above-work-list",
    TextBuilder "text-builder",
    Atomic "atomic",
    AtomicVariable "atomic-variable",
    AtomicBoolean "atomic-boolean",
    VariableHandle "variable-handle",
    FieldUpdater "field-updater",
    Task "task",
    Function "function",
    Awaited "awaited",
    UserInterface "user-interface",
    List "list",
    SharedBySpecification "shared-by-specification",
    LeftBySpecification "left-by-specification",
    LeftByCustom "left-by-custom",
    ReflectedField "reflected-field",
    Transparent "transparent",
    Cloneable "cloneable",
    Still "still",
}

/// The internal names of a kind: of classes, and what the names of others begin with.
#[derive(Default)]
struct Names {
    classes: Vec<String>,
    beginnings: Vec<String>,
}

const FILE: &str = include_str!("../rows/kinds.toml");

fn read(text: &str) -> Result<Vec<Names>, toml::de::Error> {
    let mut listed: std::collections::BTreeMap<String, Vec<String>> = toml::from_str(text)?;
    let names = |name: &str| {
        let mut names = Names::default();
        for class in listed.remove(name).unwrap_or_default() {
            let internal = class.replace('.', "/");
            match internal.strip_suffix('*') {
                Some(beginning) => names.beginnings.push(beginning.to_owned()),
                None => names.classes.push(internal),
            }
        }
        names
    };
    Ok(ALL.iter().map(|(_, name)| *name).map(names).collect())
}

impl Kind {
    fn names(self) -> &'static Names {
        static NAMES: OnceLock<Vec<Names>> = OnceLock::new();
        &NAMES.get_or_init(|| read(FILE).expect("the built-in file is read by a test"))[self as usize]
    }

    /// Whether a class is of this kind, by its internal name: `java/lang/Thread`. Subclasses are not, unless they are listed.
    pub fn has(self, class: impl AsRef<[u8]>) -> bool {
        let class = class.as_ref();
        let Names { classes, beginnings } = self.names();
        classes.iter().any(|name| name.as_bytes() == class)
            || beginnings.iter().any(|beginning| class.starts_with(beginning.as_bytes()))
    }

    /// The internal names of its classes, without those that are listed by what they begin with.
    pub fn classes(self) -> impl Iterator<Item = &'static str> {
        self.names().classes.iter().map(String::as_str)
    }

    /// The internal name of its first class: for kinds of one class.
    pub fn class(self) -> &'static str {
        self.classes().next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_listed_and_nothing_else() {
        let listed: std::collections::BTreeMap<String, Vec<String>> = toml::from_str(FILE).unwrap();
        let mut names: Vec<&str> = ALL.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        assert_eq!(listed.keys().map(String::as_str).collect::<Vec<_>>(), names);
        for (kind, name) in ALL {
            let Names { classes, beginnings } = kind.names();
            assert!(!classes.is_empty() || !beginnings.is_empty(), "{name} has no class");
        }
    }

    #[test]
    fn names_are_whole_or_beginnings() {
        assert!(Kind::Thread.has("java/lang/Thread"));
        assert!(!Kind::Thread.has("java/lang/ThreadGroup"));
        assert!(Kind::Lock.has("java/util/concurrent/locks/ReentrantLock"));
        assert!(Kind::Still.has("java/lang/Math/abs") && !Kind::Still.has("java/lang/Math/random"));
        assert_eq!(Kind::Semaphore.class(), "java/util/concurrent/Semaphore");
    }
}
