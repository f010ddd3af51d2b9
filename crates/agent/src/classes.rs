//! What the class files that were loaded say of each other: superclasses, and the flags of fields.
//!
//! By name alone. Where two loaders have classes of one name, what they do not agree on is unknown.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Symbol;
use selvedge_classfile::ClassFile;
use selvedge_instrument::{FieldKind, FieldName, Instrumenter};
use selvedge_models::Supertypes;
use selvedge_protocol::{ObjectId, glob};

use crate::nearby::{Expected, Nearby};

/// The class above all others.
const OBJECT: &[u8] = b"java/lang/Object";

/// A class that was loaded.
#[derive(Debug, Default)]
struct Seen {
    /// The superclass, then the interfaces.
    above: Vec<String>,
    fields: FxHashMap<String, FieldKind>,
    /// The methods that it declares: name and parameters. Not known of application classes right below `Object`, which inherit nothing that
    /// would be looked for.
    methods: FxHashSet<String>,
    /// The first loader that had a class of the name, `None` for the JVM's own, and whether another one had one, too.
    loader: Option<ObjectId>,
    has_several_loaders: bool,
}

/// The classes loaded so far, by internal name.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    seen: FxHashMap<String, Seen>,
    /// Those that declare a field which is named like the one for records.
    clashing: FxHashSet<String>,
    /// Where to look for others.
    nearby: RefCell<Nearby>,
}

impl Classes {
    /// From now on classes that are not loaded yet are looked for in the directories of this class path.
    pub(crate) fn look_in(&mut self, class_path: &str) {
        self.nearby = RefCell::new(Nearby::new(class_path));
    }

    /// Takes notice of a class file. Whether it is what was expected, if anything was.
    pub(crate) fn see(&mut self, bytes: &[u8], loader: Option<ObjectId>) -> bool {
        let Ok(class) = ClassFile::parse(bytes) else { return true };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let name = text(class.this_class);
        if Instrumenter::has_no_record(&class) {
            self.clashing.insert(name.clone());
        }
        let seen = self.seen.entry(name.clone()).or_insert_with(|| Seen { loader, ..Seen::default() });
        seen.has_several_loaders |= seen.loader != loader;
        seen.above =
            class.super_class.into_iter().chain(class.interfaces.iter().copied()).map(text).collect();
        if selvedge_instrument::is_jdk(&name) || class.super_class.is_some_and(|above| above != OBJECT) {
            let declared = class.methods.iter().map(|method| {
                let parameters = method.descriptor.split(|byte| *byte == b')').next().unwrap_or_default();
                text(method.name) + &text(parameters)
            });
            seen.methods.extend(declared);
        }
        let loaded = Expected::new(&class).fields;
        let was_wrong = self.nearby.borrow().was_wrong(&name, &loaded);
        for (field, kind) in loaded {
            let known = *seen.fields.entry(field.clone()).or_insert(kind);
            if known != kind {
                seen.fields.insert(field, FieldKind::Unknown);
            }
        }
        !was_wrong
    }

    /// Whether a class of this name declares a field that is named like the one for records.
    pub(crate) fn clashes(&self, class: &str) -> bool {
        self.clashing.contains(class)
    }

    /// Whether there is any such class.
    pub(crate) fn any_clashes(&self) -> bool {
        !self.clashing.is_empty()
    }

    /// What can be expected of a field of a class that is not loaded yet, or one above it is not.
    pub(crate) fn expected(&self, field: FieldName<'_>) -> Option<FieldKind> {
        let mut nearby = self.nearby.borrow_mut();
        let mut class = field.owner.to_owned();
        loop {
            let next = if let Some(seen) = self.seen.get(&class) {
                if let Some(kind) = seen.fields.get(field.name) {
                    return Some(*kind);
                }
                seen.above.first().cloned()
            } else {
                let found = nearby.class(&class)?;
                if let Some(kind) = found.fields.get(field.name) {
                    return Some(*kind);
                }
                found.superclass.clone()
            };
            class = next.filter(|above| !selvedge_instrument::is_jdk(above))?;
        }
    }

    /// The class that declares a field, and what is known of it; `None` if it is not among the classes loaded so far.
    pub(crate) fn resolve(&self, field: FieldName<'_>) -> Option<(&str, FieldKind)> {
        let mut pending = vec![field.owner];
        let mut steps = 0;
        while let Some(name) = pending.pop() {
            let (name, seen) = self.seen.get_key_value(name)?;
            if let Some(kind) = seen.fields.get(field.name) {
                return Some((name, *kind));
            }
            // Interfaces first, as the JVM looks.
            pending.extend(seen.above.iter().map(String::as_str));
            steps += 1;
            if steps > 1_000 {
                return None;
            }
        }
        None
    }

    /// The superclass of a class that was loaded.
    pub(crate) fn superclass(&self, class: &str) -> Option<&str> {
        self.seen.get(class)?.above.first().map(String::as_str)
    }

    /// What is known of an instance field of a class or one above it; `None` if one of them was not loaded yet, or has it not.
    pub(crate) fn inherited(&self, class: &str, field: &str) -> Option<FieldKind> {
        let mut class = class;
        loop {
            if let Some(kind) = self.declared(class, field) {
                return Some(kind);
            }
            class = self.superclass(class)?;
        }
    }

    /// Whether a class that fits one of the patterns was loaded.
    pub(crate) fn has_any(&self, patterns: &[String]) -> bool {
        self.seen.keys().any(|class| patterns.iter().any(|pattern| glob::matches(pattern, class)))
    }

    /// Whether several loaders have a class of this name, so that names do not distinguish its static fields.
    pub(crate) fn has_several_loaders(&self, class: &str) -> bool {
        self.seen.get(class).is_some_and(|seen| seen.has_several_loaders)
    }

    /// Whether the class was loaded.
    pub(crate) fn is_seen(&self, class: &str) -> bool {
        self.seen.contains_key(class)
    }

    /// What is known of a field that a loaded class itself declares.
    pub(crate) fn declared(&self, class: &str, field: &str) -> Option<FieldKind> {
        self.seen.get(class)?.fields.get(field).copied()
    }

    /// Whether a class of the application, or one above it, has a class of the library above it, as far as that is known or can be expected.
    pub(crate) fn extends_library(&self, class: &str) -> bool {
        let mut nearby = self.nearby.borrow_mut();
        let mut class = class.to_owned();
        while !selvedge_instrument::is_jdk(&class) {
            let above = match self.seen.get(&class) {
                Some(seen) => seen.above.first().cloned(),
                None => nearby.class(&class).and_then(|found| found.superclass.clone()),
            };
            match above {
                Some(above) => class = above,
                None => return false,
            }
        }
        class.as_bytes() != OBJECT
    }

    /// The class, this one or one above, whose method a call of `method` (name and descriptor) on an object of the class
    /// runs. Default methods of interfaces are not looked for.
    pub(crate) fn declaring(&self, class: &str, method: &str) -> Option<&str> {
        let wanted = method.split(')').next()?;
        let (mut name, mut seen) = self.seen.get_key_value(class)?;
        while !seen.methods.contains(wanted) {
            (name, seen) = self.seen.get_key_value(seen.above.first()?)?;
        }
        Some(name)
    }
}

impl Supertypes for Classes {
    fn direct_supertypes(&self, class: Symbol) -> Vec<Symbol> {
        let seen = class.as_str().and_then(|name| self.seen.get(name));
        seen.map_or_else(Vec::new, |seen| seen.above.iter().map(Symbol::new).collect())
    }
}
