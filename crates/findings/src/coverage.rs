//! How much of the application a check looked at: without it, "no races found" says nothing.

use serde::{Deserialize, Serialize};

/// How much of the application was analysed. The order of the fields is that of the JSON's keys.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Methods of the application that have code.
    pub application_methods: u64,
    /// Those of them that some thread may execute.
    pub reached: u64,
    /// Fields of the application that these methods read or write.
    pub fields: u64,
    /// Abstract threads that execute code of the application.
    pub threads: u64,
    /// The main methods at which it starts, by class: each is a process of its own. Empty for a library.
    pub mains: Vec<String>,
    /// The packages that are the application, where the input holds libraries, too; empty if all of it is the application.
    pub border: Vec<String>,
    /// Classes of the application's own packages that its code needs and that are not there; at most [`Self::MOST_NAMED`].
    pub missing_classes: Vec<String>,
    /// Where a thread would be started, or a task handed over, by an object of which nothing is known: reflection, injection or a
    /// missing class made it. Places, at most [`Self::MOST_NAMED`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_starts: Vec<String>,
    /// Where a limit made the points-to analysis coarser than was asked for: sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reduced: Vec<String>,
}

impl Coverage {
    /// How many missing classes are named.
    pub const MOST_NAMED: usize = 100;

    /// Why the check is not one, and what to do about it: nothing was analysed, or classes of the application are missing.
    pub fn failure(&self) -> Option<String> {
        if self.reached == 0 {
            let mains = &self.mains;
            return Some(match (self.application_methods, mains.as_slice()) {
                (0, _) => "nothing was analysed: the given classes have no code; give the classes that implement them".to_owned(),
                (methods, []) => format!(
                    "nothing was analysed: no caller reaches any of the {methods} methods; name the public classes with --library=CLASS,... or the start with --main CLASS"
                ),
                (methods, _) => format!(
                    "nothing was analysed: {} reaches none of the {methods} methods; name another start with --main CLASS, or use --library",
                    mains.join(", ")
                ),
            });
        }
        let (first, others) = self.missing_classes.split_first()?;
        let among = match others.len() {
            0 => format!("the class {first} of the application itself is missing"),
            more => format!("{} classes of the application itself are missing, {first} among them", more + 1),
        };
        Some(format!("{among}: give where they are as a further PATH, or with --classpath"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_of_nothing_is_a_failure_with_a_remedy() {
        let failure = |coverage: Coverage| coverage.failure().unwrap_or_default();
        let nothing = Coverage { application_methods: 7, ..Coverage::default() };
        assert!(failure(nothing.clone()).contains("--library=CLASS"));
        let started = Coverage { mains: vec!["p.Main".to_owned()], ..nothing.clone() };
        assert!(failure(started).contains("p.Main reaches none of the 7 methods"));
        assert!(failure(Coverage::default()).contains("have no code"));
        let fine = Coverage { reached: 3, ..nothing };
        assert_eq!(fine.failure(), None);
        let missing = Coverage { missing_classes: vec!["p.A".to_owned(), "p.B".to_owned()], ..fine };
        assert!(
            failure(missing).starts_with("2 classes of the application itself are missing, p.A among them")
        );
    }
}
