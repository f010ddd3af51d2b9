//! `selvedge inspect`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AnalysisArguments, InputArguments};

pub const HELP: &str = "\
Examples:
  selvedge inspect app.jar --class com.acme.Account --method deposit
      Print a method in the intermediate representation.
  selvedge inspect app.jar --class Account --method deposit --format dot | dot -Tsvg > deposit.svg
      Draw the control-flow graph of a method (dot is part of Graphviz).
  selvedge inspect target/classes --classpath 'lib/*' --what hierarchy
      Print the class hierarchy.
  selvedge inspect app.jar --what callgraph --class Account --method deposit
      Print the callers and callees of a method, and how it is reached from an entry point.
  selvedge inspect app.jar --what points-to --class Account --method deposit
      Print which objects the variables of a method may point to.
  selvedge inspect app.jar --what points-to --field com.acme.Account.owner --why Customer
      Print what a field may hold, and how a Customer gets there.
  selvedge inspect app.jar --what threads --format dot | dot -Tsvg > threads.svg
      Draw the threads and who starts them.
  selvedge inspect app.jar --what locks --class 'com.acme.*'
      Print which locks are held where the fields of some classes are accessed.
  selvedge inspect app.jar --what objects --class com.acme.Account --format html --output account.html
      Draw the owners and holders of an object, and which of its methods two threads may be in.
  selvedge inspect app.jar --what uses --class com.acme.Account
      Print what several threads do to an object, and what orders or excludes each access.
  selvedge inspect app.jar --what interthread --format dot | dot -Tsvg > interthread.svg
      Draw methods and synchronized blocks with calls and thread starts; red where accesses may race.
  selvedge inspect java.base --class 'java.util.concurrent.*' --output juc.ir
      Write classes of a JDK module to a file.";

/// Arguments of `selvedge inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// What to show
    #[arg(long, help_heading = "Output", value_enum, default_value_t = What::Ir)]
    pub what: What,
    /// Only classes of this name: qualified (p.Outer$Inner), simple, or with the wildcards * and ?.
    /// Searched in PATH, then in the libraries and the JDK
    #[arg(long, help_heading = "Output", value_name = "NAME")]
    pub class: Option<String>,
    /// Only methods of this name, or of this name and descriptor, as in 'add(I)V'
    #[arg(long, help_heading = "Output", value_name = "NAME")]
    pub method: Option<String>,
    /// How the call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// With --what points-to: what this field may hold; the class is matched as by --class
    #[arg(long, help_heading = "Output", value_name = "CLASS.FIELD")]
    pub field: Option<String>,
    /// With --what points-to: how objects whose description contains this text get there
    #[arg(long, help_heading = "Output", value_name = "TEXT")]
    pub why: Option<String>,
    /// Show each context of a method separately
    #[arg(long, help_heading = "Output")]
    pub contexts: bool,
    /// Include methods of libraries and the JDK in drawings of call graphs
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    /// Output format
    #[arg(long, help_heading = "Output", value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(long, help_heading = "Output", short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What `selvedge inspect` shows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Methods in the intermediate representation (typed SSA)
    Ir,
    /// Superclasses and interfaces, as a tree
    Hierarchy,
    /// Callers and callees
    Callgraph,
    /// What variables and fields may point to
    PointsTo,
    /// Threads: where each starts and what it runs
    Threads,
    /// Locks: where each is taken and what is accessed under it
    Locks,
    /// Owners and holders of each object, and which of its methods two threads may be in
    Objects,
    /// How each shared object is protected, and the events of its life
    Uses,
    /// Methods and synchronized blocks with calls and thread starts: the threads that execute each, and
    /// the locks that it always holds
    Interthread,
}

/// How something is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text
    Text,
    /// Graph for Graphviz
    Dot,
    /// Page with a drawing, for objects, uses and interthread
    Html,
}
