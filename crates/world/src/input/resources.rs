//! Names of classes in resources: service files, properties, XML.
//!
//! Programs load classes by names that they read from files they bring along. Which of them a computed name may be, these
//! files tell. Every word that looks like the name of a class in a package is kept; whether it is one, is for others to say.

use std::collections::BTreeSet;

use super::bytes::Bytes;

/// The ends of the names of files that may name classes.
const ENDS: [&str; 6] = [".properties", ".xml", ".conf", ".cfg", ".factories", ".imports"];

/// Whether a file of this name may name classes.
pub(super) fn may_name_classes(path: &str) -> bool {
    let in_services = path.rsplit_once('/').is_some_and(|(directory, _)| {
        directory == "META-INF/services" || directory.ends_with("/META-INF/services")
    });
    in_services || ENDS.iter().any(|end| path.ends_with(end))
}

/// The group of a library that left its metadata here: `g` of `META-INF/maven/g/a/pom.properties`.
pub(super) fn maven_group(path: &str) -> Option<String> {
    let (group, rest) = path.strip_prefix("META-INF/maven/")?.split_once('/')?;
    rest.ends_with("/pom.properties").then(|| group.to_owned())
}

/// Adds the words of a text that look like the name of a class, in Java's form.
pub(super) fn collect_names(text: &Bytes, names: &mut BTreeSet<String>) {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$');
    for word in text.split(|byte| !is_part(byte)) {
        let word = word.strip_suffix(b".").unwrap_or(word);
        let starts_well = word.first().is_some_and(|byte| byte.is_ascii_alphabetic());
        if starts_well
            && word.contains(&b'.')
            && word.len() <= 256
            && let Ok(word) = std::str::from_utf8(word)
            && !names.contains(word)
        {
            names.insert(word.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_words() {
        for path in [
            "META-INF/services/java.sql.Driver",
            "p/modules.properties",
            "WEB-INF/classes/META-INF/services/x",
        ] {
            assert!(may_name_classes(path), "{path}");
        }
        for path in ["p/C.class", "META-INF/services.txt", "picture.png"] {
            assert!(!may_name_classes(path), "{path}");
        }
        let group = |path| maven_group(path);
        assert_eq!(group("META-INF/maven/com.acme/tool/pom.properties").as_deref(), Some("com.acme"));
        assert_eq!(group("META-INF/maven/com.acme/tool/pom.xml"), None);
        let mut names = BTreeSet::new();
        collect_names(
            &Bytes::from(b"a=p.q.C\n<bean class=\"p.Outer$Inner\"/> end. 1.2 plain".to_vec()),
            &mut names,
        );
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["p.Outer$Inner", "p.q.C"]);
    }
}
