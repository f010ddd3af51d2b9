//! Which classes of the input are the application, where an archive holds libraries, too.
//!
//! A flat or shaded jar mixes the classes of a program with those of its libraries. What the user names (`--app`) is the application.
//! Otherwise two things tell a library: a package that a tool has moved (`shaded`, `relocated`), and the Maven metadata that a
//! library left in `META-INF/maven`, if its group differs from that of the main class. Without a main class the metadata may be the
//! archive's own: a group counts as a library's if there are others, and it is not that of most classes. Where neither is there
//! everything stays application: a race that is not looked for is worse than one too many.

use std::collections::BTreeMap;

use crate::input::Tier;
use crate::names::package;
use crate::problem::InputError;
use crate::program::{Class, ClassId, MethodId, Program};

/// Parts of package names by which tools mark what they have moved into an archive.
const MOVED: [&str; 6] = ["shaded", "shadow", "relocated", "repackaged", "thirdparty", "third_party"];

impl Program {
    /// Counts as application only the classes of these packages and of packages below; the others of the input are libraries.
    pub fn restrict_to_packages(&mut self, packages: &[String]) -> Result<(), InputError> {
        let wanted: Vec<String> =
            packages.iter().map(|name| name.trim_end_matches(".*").replace('.', "/")).collect();
        let is_within = |package: &str, wanted: &str| {
            package == wanted || package.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'))
        };
        for (name, given) in wanted.iter().zip(packages) {
            let mut own = self.classes.iter().filter(|class| class.tier == Tier::Application);
            if !own.any(|class| is_within(&package_of(class), name)) {
                return Err(InputError::new(format!(
                    "there is no class in the package {given} in the given paths"
                )));
            }
        }
        self.count_as_library(|package| !wanted.iter().any(|wanted| is_within(package, wanted)));
        Ok(())
    }

    /// Finds the libraries in the input that metadata and names tell, and counts them as such. Gives the packages that stay application, by
    /// their first two parts; none if everything does.
    pub fn find_border(&mut self, mains: &[MethodId]) -> Vec<String> {
        let mut groups: Vec<String> = self.groups.iter().map(|group| start_of(group, '.')).collect();
        groups.sort();
        groups.dedup();
        let own = self.own_group(mains, &groups);
        let is_library = |package: &str| is_library(package, &own, &groups);
        let of_application = || self.classes.iter().filter(|class| class.tier == Tier::Application);
        let (libraries, rest): (Vec<String>, Vec<String>) =
            of_application().map(package_of).partition(|package| is_library(package));
        if libraries.is_empty() || rest.is_empty() {
            return Vec::new();
        }
        self.count_as_library(|package| is_library(package));
        let mut border: Vec<String> =
            rest.iter().map(|package| start_of(package, '/').replace('/', ".")).collect();
        border.sort();
        border.dedup();
        border
    }

    /// The first two parts of the package of the main class, or of those of an archive without one; see [`most_likely`].
    fn own_group(&self, mains: &[MethodId], groups: &[String]) -> String {
        if let Some(&main) = mains.first() {
            return start_of(&package_of(&self.classes[self.methods[main].class]), '/').replace('/', ".");
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for class in self.classes.iter().filter(|class| class.tier == Tier::Application) {
            *counts.entry(start_of(&package_of(class), '/').replace('/', ".")).or_default() += 1;
        }
        most_likely(groups, counts)
    }

    fn count_as_library(&mut self, is_library: impl Fn(&str) -> bool) {
        let ids: Vec<ClassId> = self.classes.ids().collect();
        for id in ids {
            let class = &self.classes[id];
            if class.tier == Tier::Application && is_library(&package_of(class)) {
                self.classes[id].tier = Tier::Library;
            }
        }
    }
}

/// The group of an archive without a main class: the only one of its metadata, or that of most classes.
fn most_likely(groups: &[String], counts: BTreeMap<String, usize>) -> String {
    match groups {
        [only] => only.clone(),
        _ => counts.into_iter().max_by_key(|(_, count)| *count).map_or_else(String::new, |(group, _)| group),
    }
}

/// Whether a package is a library's: moved, or of a group that is not the application's own.
fn is_library(package: &str, own: &str, groups: &[String]) -> bool {
    if package.split('/').any(|part| MOVED.contains(&part)) {
        return true;
    }
    let group = start_of(package, '/').replace('/', ".");
    group != own && groups.contains(&group)
}

/// The first two parts of a name.
fn start_of(name: &str, separator: char) -> String {
    let mut parts = name.split(separator);
    match (parts.next(), parts.next()) {
        (Some(first), Some(second)) => format!("{first}{separator}{second}"),
        _ => name.to_owned(),
    }
}

fn package_of(class: &Class) -> String {
    String::from_utf8_lossy(package(class.name)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_library, most_likely};

    #[test]
    fn libraries_are_told_by_metadata_and_by_moved_names() {
        let groups = ["com.google".to_owned(), "com.acme".to_owned(), "io.netty".to_owned()];
        for package in
            ["com/google/common/cache", "io/netty/util", "com/acme/shaded/org/slf4j", "com/acme/relocated/x"]
        {
            assert!(is_library(package, "com.acme", &groups), "{package}");
        }
        // No metadata says whose `org/other` is.
        for package in ["com/acme/server", "org/other", ""] {
            assert!(!is_library(package, "com.acme", &groups), "{package}");
        }
    }

    #[test]
    fn the_only_metadata_of_a_library_is_its_own() {
        let counts = || [("bus".to_owned(), 109), ("org.bus".to_owned(), 71)].into_iter().collect();
        let groups = ["org.bus".to_owned(), "bus".to_owned()];
        assert_eq!(most_likely(&groups[..1], counts()), "org.bus");
        assert_eq!(most_likely(&groups, counts()), "bus");
        assert_eq!(most_likely(&[], counts()), "bus");
        assert!(!is_library("bus", "org.bus", &groups[..1]));
    }
}
