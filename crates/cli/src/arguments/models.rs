//! `selvedge models`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

pub const HELP: &str = "\
Examples:
  selvedge models list --class StampedLock
      List every row for a class.
  selvedge models list --effect callback
      List every row with an effect of this kind (root: methods that the JVM calls).
  selvedge models check
      Check that every built-in row matches a method of the JDK, and count native methods without a row.
  selvedge models check lib/acme.jar --models acme.toml
      Check rows of your own.";

const LIST_HELP: &str = "\
Examples:
  selvedge models list --class StampedLock --provenance
      List every row for a class, with its source.
  selvedge models list --effect acquire --models acme.toml
      List every row that takes a lock, with those of your own.";

const CHECK_HELP: &str = "\
Examples:
  selvedge models check
      Check that every built-in row matches a method of the JDK.
  selvedge models check lib/acme.jar --models acme.toml
      Check rows of your own.

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
    /// Print the rows, one per line: origin, method, effects
    #[command(after_help = LIST_HELP)]
    List(ModelsListArguments),
    /// Check every row against the classes of the JDK and of the given paths
    #[command(after_help = CHECK_HELP)]
    Check(ModelsCheckArguments),
}

/// Arguments of `selvedge models list`.
#[derive(Args)]
pub struct ModelsListArguments {
    /// File with model rows of your own, added to the built-in ones; repeatable
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Only rows for classes of this name: qualified, simple, or with the wildcards * and ?
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Only rows with an effect of this kind: flow, fresh, callback, acquire, publish, container-write,
    /// atomic, ...
    #[arg(long, value_name = "KIND")]
    pub effect: Option<String>,
    /// Also print the source of each row
    #[arg(long)]
    pub provenance: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `selvedge models check`.
#[derive(Args)]
pub struct ModelsCheckArguments {
    /// Classes to check against beside those of the JDK: class files, directories, archives
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// More of them, in the syntax of java's class path
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// JDK to check against; by default that of JAVA_HOME, or of java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// File with model rows of your own, added to the built-in ones; repeatable
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// List the native methods without a row, instead of counting them
    #[arg(long)]
    pub natives: bool,
}
