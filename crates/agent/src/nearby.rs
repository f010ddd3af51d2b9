//! What classes that are not loaded yet look like, as far as it can be read in the directories and archives of the class path.
//!
//! A class is rewritten when it is loaded, which is before the classes that it uses are. Whether their fields are volatile decides
//! what may be left out of it. The application's loader takes the first class file of a name on the class path, and so
//! does this. Where another loader has another class of the name, what was
//! taken for granted may turn out to be wrong: that is noticed when the class is loaded.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use selvedge_classfile::ClassFile;
use selvedge_instrument::FieldKind;

use crate::archive::Archive;

/// So many bytes of archives are looked into: the program waits for it.
const MAX_ARCHIVES: u64 = 64 << 20;

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
        for (name, kind) in selvedge_instrument::field_kinds(class) {
            let known = *fields.entry(name.clone()).or_insert(kind);
            if known != kind {
                fields.insert(name, FieldKind::Unknown);
            }
        }
        Expected { superclass: class.super_class.map(text), fields }
    }
}

/// A part of the class path.
#[derive(Debug)]
enum Root {
    Directory(PathBuf),
    Archive(Archive),
}

impl Root {
    /// `None` if it is there and cannot be read, or not with so much room: what it has, nobody knows.
    fn open(path: &Path, room: &mut u64) -> Option<Root> {
        if path.is_file() {
            Archive::open(path, room).map(Root::Archive)
        } else {
            Some(Root::Directory(path.to_owned()))
        }
    }

    fn read(&self, file: &str) -> Option<Vec<u8>> {
        match self {
            Root::Directory(path) => std::fs::read(path.join(file)).ok(),
            Root::Archive(archive) => archive.read(file),
        }
    }
}

/// The parts of the class path, and what was found in them.
#[derive(Debug, Default)]
pub(crate) struct Nearby {
    roots: Vec<Root>,
    /// By internal name; `None` if there is no such file.
    looked_for: FxHashMap<String, Option<Expected>>,
}

impl Nearby {
    /// Looks in the parts of this class path up to the first that cannot be read, in which anything might be.
    pub(crate) fn new(class_path: &str) -> Nearby {
        let entries = std::env::split_paths(class_path);
        let mut room = MAX_ARCHIVES;
        Nearby {
            roots: entries.map_while(|entry| Root::open(&entry, &mut room)).collect(),
            ..Nearby::default()
        }
    }

    /// The class of this internal name.
    pub(crate) fn class(&mut self, name: &str) -> Option<&Expected> {
        if self.roots.is_empty() || name.starts_with(['[', '/']) || name.contains("..") {
            return None;
        }
        let roots = &self.roots;
        let found = self.looked_for.entry(name.to_owned()).or_insert_with(|| {
            let file = format!("{name}.class");
            let bytes = roots.iter().find_map(|root| root.read(&file))?;
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
    use selvedge_testkit::jar::{Entry, Method, zip};

    use super::*;

    #[test]
    fn the_first_that_has_the_class_wins_and_what_cannot_be_read_ends_the_search() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = std::env::join_paths([here, &here.join("Cargo.toml"), here]).unwrap();
        assert_eq!(Nearby::new(path.to_str().unwrap()).roots.len(), 1);
        assert!(Nearby::new("").class("p/C").is_none());
        assert!(Nearby::new(here.to_str().unwrap()).class("../p/C").is_none());
    }

    #[test]
    fn classes_are_read_in_archives() {
        let name = "java/lang/SelvedgeView.class";
        let support = selvedge_hooks::CLASSES;
        let (_, class) = support.into_iter().find(|(own, _)| name.starts_with(own)).unwrap();
        let entry = |name: &str, method| Entry::new(name, class, method);
        let of_version = "META-INF/versions/11/p/New.class";
        let entries = [
            entry(name, Method::Deflated),
            entry("p/New.class", Method::Stored),
            entry(of_version, Method::Stored),
        ];
        let file = std::env::temp_dir().join(format!("selvedge-nearby-{}.jar", std::process::id()));
        std::fs::write(&file, zip(&entries)).unwrap();
        let mut nearby = Nearby::new(file.to_str().unwrap());
        let found = nearby.class("java/lang/SelvedgeView").unwrap();
        assert_eq!(found.fields.get("array"), Some(&FieldKind::Final));
        std::fs::remove_file(&file).unwrap();
        // It is in there twice, for two versions of Java.
        assert!(nearby.class("p/New").is_none());
    }
}
