//! `selvedge.toml`: what a project says once instead of on every command line.
//!
//! | file | what it does |
//! |---|---|
//! | [`keys`] | which keys there are: most are options of the command line, whose definitions they take over |
//! | [`read`] | from text to settings, with errors that name the line |
//! | [`merge`] | puts settings where the command line says nothing |
//! | [`reference`] | the reference in the documentation and the JSON schema, made from the keys |

pub mod keys;
pub mod merge;
pub mod read;
pub mod reference;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use selvedge_facts::assertions::asserted::Assertion;
use selvedge_findings::Rule;

/// The name under which the file is found.
pub const FILE_NAME: &str = "selvedge.toml";

/// What a configuration file says.
#[derive(Debug, Default)]
pub struct Config {
    /// The file; relative paths in it begin at its directory. `None` if there is no file.
    pub file: Option<PathBuf>,
    /// Values for options of the command line.
    pub settings: Vec<Setting>,
    /// Findings to leave out, with the line of each.
    pub suppress: Vec<(Rule, usize)>,
    /// What the user asserts, with the line of each.
    pub assume: Vec<(Assertion, usize)>,
}

/// A value for an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Which option.
    pub key: &'static keys::Key,
    /// Its values; none for a flag or for an option that is given without a value.
    pub values: Vec<String>,
    /// Its line in the file.
    pub line: usize,
}

impl Config {
    /// Reads the file that is named, or the one in the working directory; what there is not says nothing.
    pub fn find(named: Option<&Path>, none: bool) -> Result<Self> {
        let path = match named {
            _ if none => return Ok(Self::default()),
            Some(path) => path,
            None if Path::new(FILE_NAME).is_file() => Path::new(FILE_NAME),
            None => return Ok(Self::default()),
        };
        let text = crate::show::read_text(path)?;
        read::parse(&text, path).map_err(|errors| anyhow!("{}", errors.join("\n          ")))
    }

    /// The file as users know it, with a line.
    pub fn place(&self, line: usize) -> String {
        let file = self.file.as_deref().unwrap_or(Path::new(FILE_NAME));
        format!("{}:{line}", file.display())
    }
}
