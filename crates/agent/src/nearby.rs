//! What classes that are not loaded yet look like, as far as it can be read in the directories of the class path.
//!
//! A class is rewritten when it is loaded, which is before the classes that it uses are. Whether their fields are volatile decides
//! what may be left out of it. The application's loader takes the first class file of a name on the class path, and so
//! does this; archives are not looked into. Where another loader has another class of the name, what was
//! taken for granted may turn out to be wrong: that is noticed when the class is loaded.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use selvedge_classfile::{ClassFile, access};
use selvedge_instrument::FieldKind;

/// A class that was looked for.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    pub(crate) superclass: Option<String>,
    pub(crate) fields: FxHashMap<String, FieldKind>,
}

impl Expected {
    /// What a class file says of its fields.
    pub(crate) fn new(class: &ClassFile<'_>) -> Expected {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut fields = FxHashMap::default();
        for field in &class.fields {
            let kind = kind_of(field.access);
            let known = *fields.entry(text(field.name)).or_insert(kind);
            if known != kind {
                fields.insert(text(field.name), FieldKind::Unknown);
            }
        }
        Expected { superclass: class.super_class.map(text), fields }
    }
}

/// What the flags of a field say.
pub(crate) fn kind_of(flags: u16) -> FieldKind {
    if flags & access::VOLATILE != 0 {
        FieldKind::Volatile
    } else if flags & access::FINAL != 0 {
        FieldKind::Final
    } else {
        FieldKind::Plain
    }
}

/// The directories of the class path, and what was found in them.
#[derive(Debug, Default)]
pub(crate) struct Nearby {
    roots: Vec<PathBuf>,
    /// By internal name; `None` if there is no such file.
    looked_for: FxHashMap<String, Option<Expected>>,
}

impl Nearby {
    /// Looks in the directories of this class path up to its first archive, in which anything might be.
    pub(crate) fn new(class_path: &str) -> Nearby {
        let entries = std::env::split_paths(class_path);
        Nearby { roots: entries.take_while(|entry| entry.is_dir()).collect(), ..Nearby::default() }
    }

    /// The class of this internal name.
    pub(crate) fn class(&mut self, name: &str) -> Option<&Expected> {
        if self.roots.is_empty() || name.starts_with(['[', '/']) || name.contains("..") {
            return None;
        }
        let roots = &self.roots;
        let found = self.looked_for.entry(name.to_owned()).or_insert_with(|| {
            let file = format!("{name}.class");
            let bytes = roots.iter().find_map(|root| std::fs::read(root.join(&file)).ok())?;
            let class = ClassFile::parse(&bytes).ok().filter(|class| class.this_class == name.as_bytes())?;
            Some(Expected::new(&class))
        });
        found.as_ref()
    }

    /// Whether what was taken for granted of a class's fields is not what the class that was loaded says.
    pub(crate) fn was_wrong(&self, name: &str, loaded: &FxHashMap<String, FieldKind>) -> bool {
        let expected = self.looked_for.get(name).and_then(Option::as_ref);
        expected.is_some_and(|expected| expected.fields != *loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_end_the_search() {
        let here = env!("CARGO_MANIFEST_DIR");
        let path = std::env::join_paths([here, "/no/such/archive.jar", here]).unwrap();
        assert_eq!(Nearby::new(path.to_str().unwrap()).roots.len(), 1);
        assert!(Nearby::new("").class("p/C").is_none());
        assert!(Nearby::new(here).class("../p/C").is_none());
    }
}
