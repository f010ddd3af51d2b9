//! The real programs that tests read: the jars that `scripts/jars` fetches into `target/jars`.

use crate::{Failure, files_below, target_dir};
use std::path::PathBuf;

/// Every fetched jar, sorted by name; `None` after a line that says the test is skipped if there are none.
/// With `CI=true` in the environment it panics instead.
#[track_caller]
pub fn library_jars_or_skip() -> Option<Vec<PathBuf>> {
    let jars = files_below(&target_dir().join("jars"), ".jar").unwrap_or_default();
    if jars.is_empty() {
        skip("no jars in target/jars (scripts/jars fetches them)");
        return None;
    }
    Some(jars)
}

/// One fetched jar by its name, as in `"derby"`; `None` after a line that says the test is skipped if it is not there.
/// With `CI=true` in the environment it panics instead.
#[track_caller]
pub fn library_jar_or_skip(name: &str) -> Option<PathBuf> {
    let path = target_dir().join("jars").join(format!("{name}.jar"));
    if !path.is_file() {
        skip(&format!("no {name}.jar in target/jars (scripts/jars fetches it)"));
        return None;
    }
    Some(path)
}

/// Says that the calling test is skipped, and why; with `CI=true` in the environment the test fails instead, so that a
/// test run that counts never passes by skipping.
#[track_caller]
pub fn skip(why: &str) {
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}, and CI=true forbids skipping");
    eprintln!("skipped at {}: {why}", std::panic::Location::caller());
}

/// The names, without `.jar`, that the list of jars asks for by name rather than by pattern.
pub fn listed_jar_names() -> Result<Vec<String>, Failure> {
    let path = crate::repository_root().join("scripts/debian-jars");
    let list = std::fs::read_to_string(&path).map_err(Failure::io(format!("read {}", path.display())))?;
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let names = lines.flat_map(|line| line.split_whitespace().skip(1));
    Ok(names.filter(|name| !name.contains('*')).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_listed_is_there_once_fetched() {
        let Some(jars) = library_jars_or_skip() else { return };
        assert!(jars.is_sorted());
        let names = listed_jar_names().unwrap();
        assert!(names.len() > 15, "{names:?}");
        for name in names {
            let Some(jar) = library_jar_or_skip(&name) else { continue };
            assert!(jars.contains(&jar), "{}", jar.display());
        }
    }
}
