//! `selvedge models`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

pub const HELP: &str = "\
Examples:
  selvedge models list --class StampedLock
      Every row about a class: which of its methods do what.
  selvedge models list --effect callback
      Every row with an effect of this kind (root for the methods that the virtual machine calls by itself).
  selvedge models check
      Whether every built-in row matches a method of the JDK, and how many natives have no row.
  selvedge models check lib/acme.jar --models acme.toml
      The same with rows of your own.";

const LIST_HELP: &str = "\
Examples:
  selvedge models list --class StampedLock --provenance
      Every row about a class, and what each rests on.
  selvedge models list --effect acquire --models acme.toml
      Every row that takes a lock, with those of your own.";

const CHECK_HELP: &str = "\
Examples:
  selvedge models check
      Whether every built-in row matches a method of the JDK.
  selvedge models check lib/acme.jar --models acme.toml
      The same with rows of your own.

Exit status: 0 every row matches, 1 some do not.";

/// Arguments of `selvedge models`.
#[derive(Args)]
pub struct ModelsArguments {
    /// What to do with them.
    #[command(subcommand)]
    pub command: ModelsCommand,
}

/// What `selvedge models` can do.
#[derive(Subcommand)]
pub enum ModelsCommand {
    /// Print the rows, one on a line: where it stands, the method, what it does
    #[command(after_help = LIST_HELP)]
    List(ModelsListArguments),
    /// Hold every row against the classes of the JDK and of the given paths
    #[command(after_help = CHECK_HELP)]
    Check(ModelsCheckArguments),
}

/// Arguments of `selvedge models list`.
#[derive(Args)]
pub struct ModelsListArguments {
    /// A file with rows of your own, beside the built-in ones; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Only rows about classes of this name: in full, without the package, or with * and ? for any characters
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Only rows with an effect of this kind: flow, fresh, callback, acquire, publish, container-write, atomic, ...
    #[arg(long, value_name = "KIND")]
    pub effect: Option<String>,
    /// Also say what each row rests on
    #[arg(long)]
    pub provenance: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `selvedge models check`.
#[derive(Args)]
pub struct ModelsCheckArguments {
    /// Classes to check against, beside those of the JDK: class files, directories, archives
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// More of them, as java's own class path
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// The JDK to check against; if not given, that of JAVA_HOME, or of the java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// A file with rows of your own, beside the built-in ones; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// List the native methods that no row is about, not only how many there are
    #[arg(long)]
    pub natives: bool,
}
