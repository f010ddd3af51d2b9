//! `selvedge inspect`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AnalysisArguments, InputArguments};

pub const HELP: &str = "\
Examples:
  selvedge inspect app.jar
      Every method of app.jar in the intermediate form: typed, without a stack, each value assigned once.
  selvedge inspect app.jar --class com.acme.Account --method deposit
      One method.
  selvedge inspect target/classes --classpath 'lib/*' --what hierarchy
      Who extends and implements whom.
  selvedge inspect app.jar --class Account --method deposit --format dot | dot -Tsvg > deposit.svg
      A method's control-flow graph as a picture (dot is a part of Graphviz).
  selvedge inspect app.jar --what callgraph --class Account --method deposit
      Who calls a method, whom it calls, and how it is reached from where the program starts.
  selvedge inspect app.jar --what points-to --class Account --method deposit
      Which objects the variables of a method may point to.
  selvedge inspect app.jar --what points-to --field com.acme.Account.owner --why Customer
      What a field may hold, and on which way a Customer gets there.
  selvedge inspect app.jar --what threads --format dot | dot -Tsvg > threads.svg
      Which threads there are and who starts them, as a picture.
  selvedge inspect app.jar --what objects --class com.acme.Account --format html --output account.html
      Who knows and owns an object, and which of its methods two threads may be in, as a picture.
  selvedge inspect app.jar --what uses --class com.acme.Account
      What several threads do to an object, and what keeps each access apart from the others.
  selvedge inspect app.jar --what interthread --format dot | dot -Tsvg > interthread.svg
      Methods and synchronized blocks, with calls and thread starts between them; red where accesses may race.
  selvedge inspect app.jar --what locks --class 'com.acme.*'
      Which lock is held where the fields of some classes are accessed.
  selvedge inspect java.base --class 'java.util.concurrent.*' --output juc.ir
      Classes of a module of the JDK, into a file.";

/// Arguments of `selvedge inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// What to show
    #[arg(long, value_enum, default_value_t = What::Ir)]
    pub what: What,
    /// Only classes of this name: in full (p.Outer$Inner), without its package, or with * and ? for any characters. Looked
    /// for in PATH first, then in the libraries and the JDK
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Only methods of this name; with a descriptor, as in 'add(I)V', only that one
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// How the call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// With --what points-to: what fields of this name may hold; as class.field, where the class may be given as for
    /// --class
    #[arg(long, value_name = "CLASS.FIELD")]
    pub field: Option<String>,
    /// With --what points-to: on which way objects get there whose description contains this text
    #[arg(long, value_name = "TEXT")]
    pub why: Option<String>,
    /// Tell the contexts in which methods are analysed apart
    #[arg(long)]
    pub contexts: bool,
    /// In pictures of call graphs: also methods of the libraries and the JDK
    #[arg(long)]
    pub all: bool,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What `selvedge inspect` shows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// The methods in the intermediate form
    Ir,
    /// Superclasses and interfaces, as a tree
    Hierarchy,
    /// Who calls whom
    Callgraph,
    /// What variables and fields may point to
    PointsTo,
    /// The threads: where they start and what they run
    Threads,
    /// The locks: where they are taken and what is accessed under them
    Locks,
    /// Who owns and knows each object, and which of its methods two threads may be in
    Objects,
    /// How each object that several threads use is protected, and the events of its life
    Uses,
    /// Methods and synchronized blocks with calls and thread starts: which thread executes each, which locks it always holds
    Interthread,
}

/// How something is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// To read
    Text,
    /// A graph for Graphviz
    Dot,
    /// A picture for a browser: of objects, uses and the interthread call graph
    Html,
}
