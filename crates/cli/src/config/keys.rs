//! The keys of `selvedge.toml`. A key that stands for an option of the command line has no text of its own: its help and its
//! values are those of the option.

use clap::{Arg, Command, CommandFactory};

use crate::arguments::Arguments;

/// A key at the top of the file.
#[derive(PartialEq, Eq, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The option that it gives a value to, by the name that the command line's definition has for it.
    pub argument: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// The commands that heed it.
    pub commands: &'static [&'static str],
    /// A value to show.
    pub example: &'static str,
}

/// What a value looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A text.
    Text,
    /// A path; a relative one begins at the file's directory.
    Path,
    /// A list of texts, or one.
    Texts,
    /// A list of paths, or one.
    Paths,
    /// A class path: a list of paths, or one text as for java.
    ClassPath,
    /// A whole number.
    Number,
    /// true or false.
    Flag,
    /// true, or a list of texts.
    FlagOrTexts,
}

const ALL: &[&str] = &["check", "explain", "inspect", "harness"];
const ANALYSING: &[&str] = &["check", "explain", "inspect"];
const DETECTING: &[&str] = &["check", "explain"];
const SHOWING: &[&str] = &["check", "report"];
const CHECK: &[&str] = &["check"];

const fn key(
    name: &'static str,
    argument: &'static str,
    shape: Shape,
    commands: &'static [&'static str],
    example: &'static str,
) -> Key {
    Key { name, argument, shape, commands, example }
}

/// All keys, in the order of the reference.
pub const KEYS: &[Key] = &[
    key("inputs", "paths", Shape::Paths, ALL, "[\"build/libs/app.jar\"]"),
    key("classpath", "classpath", Shape::ClassPath, ALL, "[\"lib/*\"]"),
    key("jdk", "jdk", Shape::Path, ALL, "\"/usr/lib/jvm/java-17-openjdk\""),
    key("main", "main", Shape::Texts, ANALYSING, "\"com.acme.Main\""),
    key("library", "library", Shape::FlagOrTexts, ANALYSING, "true"),
    key("sources", "sources", Shape::Paths, &["check", "explain", "report"], "[\"src/main/java\"]"),
    key("models", "models", Shape::Paths, ANALYSING, "[\"config/acme-models.toml\"]"),
    key("analysis", "analysis", Shape::Texts, DETECTING, "[\"pairs\"]"),
    key("effort", "effort", Shape::Text, DETECTING, "\"high\""),
    key("locks", "locks", Shape::Text, DETECTING, "\"sound\""),
    key("policy", "policy", Shape::Text, ANALYSING, "\"1-call\""),
    key("heap", "heap", Shape::Text, ANALYSING, "\"unify\""),
    key("max-memory", "max_memory", Shape::Text, ANALYSING, "\"4G\""),
    key("max-time", "max_time", Shape::Number, ANALYSING, "300"),
    key("max-work", "max_work", Shape::Number, ANALYSING, "120"),
    key("include-initializers", "include_initializers", Shape::Flag, DETECTING, "true"),
    key("without", "without", Shape::Texts, DETECTING, "[\"streams\"]"),
    key("scope", "scope", Shape::Texts, SHOWING, "[\"com.acme.*\"]"),
    key("min-confidence", "min_confidence", Shape::Text, SHOWING, "\"low\""),
    key("fail-on", "fail_on", Shape::Text, SHOWING, "\"high\""),
    key("baseline", "baseline", Shape::Path, SHOWING, "\"config/accepted-races.json\""),
    key("format", "format", Shape::Text, CHECK, "\"html\""),
    key("output", "output", Shape::Path, CHECK, "\"build/races.html\""),
    key("stats", "stats", Shape::Flag, SHOWING, "true"),
    key("show-suppressed", "show_suppressed", Shape::Flag, SHOWING, "true"),
];

/// A key inside a table such as `[[suppress]]`; all are texts.
pub struct TableKey {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub help: &'static str,
    /// Whether it must be given.
    pub required: bool,
}

/// A table that may be given more than once.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// Its keys.
    pub keys: &'static [TableKey],
    /// One to show.
    pub example: &'static str,
}

const REASON: TableKey = TableKey {
    name: "reason",
    help: "Why this is right, for readers of the report and of this file",
    required: true,
};

/// Findings that are left out.
pub const SUPPRESS: Table = Table {
    name: "suppress",
    help: "Findings to leave out. Every key given must match; names may hold * and ? for any characters. A finding is left out if \
           a table matches each of its pairs of accesses. What is left out is counted in the summary, and shown by \
           --show-suppressed.",
    keys: &[
        TableKey {
            name: "class",
            help: "The class of the racy field, or of the racy object: in full, without its package, or a pattern \
                   (com.acme.stats.*)",
            required: false,
        },
        TableKey {
            name: "field",
            help: "The racy field, or one that holds the racy array or container: Class.field, with or without the package",
            required: false,
        },
        TableKey {
            name: "method",
            help: "A method anywhere on one of the two call paths: Class.method, with or without package and parameters",
            required: false,
        },
        TableKey { name: "key", help: "The key of a finding, or its beginning", required: false },
        REASON,
    ],
    example: "[[suppress]]\nfield = \"Statistics.hits\"\nreason = \"may be off by a few, nobody bills by it\"\n",
};

/// What the user asserts.
pub const ASSUME: Table = Table {
    name: "assume",
    help: "What you know and the analysis cannot see. It acts as a refuter with the name `asserted`: it removes pairs, `selvedge \
           explain` names it, and the report lists it among its assumptions. Exactly one of confined, guarded, never-parallel and \
           one-thread is given.",
    keys: &[
        TableKey {
            name: "confined",
            help: "A class (com.acme.Request): each of its objects is used by one thread at a time, handed over safely. Or a \
                   field (Class.field): so is what it holds",
            required: false,
        },
        TableKey {
            name: "guarded",
            help: "A field (Class.field): every access to it, and to the array or container in it, holds the same lock",
            required: false,
        },
        TableKey { name: "by", help: "Name of the lock, for readers", required: false },
        TableKey {
            name: "never-parallel",
            help: "The entry of a thread (com.acme.Loader.run, or a class): what only threads execute that begin there never \
                   runs in parallel with what only those execute that begin at `with`. For a library, public methods",
            required: false,
        },
        TableKey { name: "with", help: "The other entry; the same one if it is not given", required: false },
        TableKey {
            name: "one-thread",
            help: "A method that starts threads (com.acme.Server.restart): of each start in it, at most one thread is alive at \
                   a time",
            required: false,
        },
        REASON,
    ],
    example: "[[assume]]\nconfined = \"com.acme.Request\"\nreason = \"the server gives a request to one worker at a time\"\n",
};

/// The tables.
pub const TABLES: [&Table; 2] = [&SUPPRESS, &ASSUME];

impl Key {
    /// The definition of its option: that of the first command that heeds it.
    pub fn option(&self) -> Option<Arg> {
        let all = Arguments::command();
        let command = all.find_subcommand(self.commands.first()?)?;
        find_argument(command, self.argument).cloned()
    }

    /// What it means.
    pub fn help(&self) -> String {
        let help = self.option().and_then(|option| option.get_help().map(ToString::to_string));
        help.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The values that it may have, if they are few.
    pub fn values(&self) -> Vec<String> {
        let Some(option) = self.option().filter(|_| self.shape == Shape::Text) else { return Vec::new() };
        let hidden = |value: &clap::builder::PossibleValue| value.is_hide_set();
        let values = option.get_possible_values();
        values.iter().filter(|value| !hidden(value)).map(|value| value.get_name().to_owned()).collect()
    }

    /// What holds if it is not given, where the option says it.
    pub fn default(&self) -> Option<String> {
        let option = self.option()?;
        if self.shape == Shape::Flag {
            return None;
        }
        let default = option.get_default_values().first()?;
        Some(default.to_string_lossy().into_owned())
    }
}

/// Whether a command heeds any key.
pub fn is_heeded_by(command: &str) -> bool {
    KEYS.iter().any(|key| key.commands.contains(&command))
}

/// The argument of a command by its name.
pub fn find_argument<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| argument.get_id() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_option_in_every_command_that_heeds_it() {
        let all = Arguments::command();
        for key in KEYS {
            assert!(!key.help().is_empty(), "{}", key.name);
            for name in key.commands {
                let command = all.find_subcommand(name).unwrap_or_else(|| panic!("no command {name}"));
                assert!(find_argument(command, key.argument).is_some(), "{} in {name}", key.name);
            }
        }
    }
}
