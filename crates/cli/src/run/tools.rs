//! Build tools and test engines, as rows of `tools.toml`: whose own classes are not watched, and who runs tests.

use serde::Deserialize;

/// The rows.
const ROWS: &str = include_str!("tools.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    tool: Vec<Tool>,
}

/// A program that runs other people's code.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Tool {
    #[serde(rename = "name")]
    _name: String,
    #[serde(default)]
    runs_tests: bool,
    /// Patterns of its own classes.
    classes: Vec<String>,
}

fn rows() -> Vec<Tool> {
    toml::from_str::<Rows>(ROWS).map(|rows| rows.tool).unwrap_or_default()
}

/// Patterns of the classes of all tools.
pub fn classes() -> Vec<String> {
    rows().into_iter().flat_map(|tool| tool.classes).collect()
}

/// Patterns of the classes that call test methods.
pub fn test_engines() -> Vec<String> {
    rows().into_iter().filter(|tool| tool.runs_tests).flat_map(|tool| tool.classes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_protocol::Scope;

    #[test]
    fn tools_are_known_by_their_classes() {
        let tools = Scope { include: classes(), exclude: Vec::new() };
        for own in
            ["org/junit/runners/ParentRunner", "org/apache/maven/cli/MavenCli", "org/gradle/launcher/Main"]
        {
            assert!(tools.contains(own), "{own}");
        }
        // Programs that are often tested, and whose names begin alike.
        for other in
            ["org/apache/commons/pool2/impl/GenericObjectPool", "org/junitpioneer/A", "com/google/common/A"]
        {
            assert!(!tools.contains(other), "{other}");
        }
        let engines = Scope { include: test_engines(), exclude: Vec::new() };
        assert!(engines.contains("org/junit/platform/engine/A") && !engines.contains("org/gradle/A"));
    }
}
