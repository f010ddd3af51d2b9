//! The command line. Each option is defined here, once; its help is what users read.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_world::{Input, InputError, Options};

use crate::detector_arguments::DetectorArguments;

/// Finds data races and object races in JVM programs.
///
/// Selvedge reads class files, so Java, Kotlin, Scala and Groovy are alike to it. `selvedge check app.jar` is where to start.
#[derive(Parser)]
#[command(
    version,
    max_term_width = 110,
    after_help = "\
Exit status: 0 all went well, 1 there are findings or a check failed, 2 the command could not do its work (one sentence on
standard error says why)."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Find the races that a program may have, without running it
    #[command(after_help = "\
Examples:
  selvedge check app.jar
      The races of a program; where it starts is read from the archive, or found.
  selvedge check pool.jar --library
      The races of a library: any thread may call any public method.
  selvedge check target/classes --classpath 'lib/*' --sources src/main/java
      With the program's libraries, and lines of its source in the report.
  selvedge check app.jar --format html --output races.html
      A page to read and search. Other formats: json, sarif (code scanning), github (annotations).
  selvedge check app.jar --baseline accepted.json
      Only what is not in a baseline (see selvedge baseline).
  selvedge check java.base --library=java.util.Vector
      A class of the JDK.

Exit status: 0 no findings (see --fail-on), 1 findings, 2 the check could not be made.")]
    Check(Box<CheckArguments>),
    /// Run a program and find the races that this run shows
    #[command(after_help = "\
The program keeps its standard input and output, its arguments, signals and exit status; races are said on standard error as
they happen, and the report is written when it ends.

Examples:
  selvedge run -- java -jar app.jar
      Races as they happen, by locks and by order.
  selvedge run --detector hb -- java -cp target/classes com.acme.Main
      Only what nothing ordered in this run: no false alarms.
  selvedge run --output races.html --format html -- java -jar app.jar
      A report to read and search.
  selvedge run --exit-status 66 -- mvn -q test
      Every virtual machine that a build starts; the status is 66 if there is a race.

Exit status: that of the program, unless --exit-status or --halt-on-race say otherwise; 2 if it could not be started.")]
    Run(Box<RunArguments>),
    /// Why a finding is reported, or why a field is safe
    #[command(after_help = "\
Examples:
  selvedge explain Account.balance app.jar
      All about a field: its findings in full, or which reasons make it safe, with lines.
  selvedge explain 3f2a9c app.jar
      All about the finding with this key.
  selvedge explain 3f2a9c --report races.json
      The same from a report that was written before (with check --safe --format json).")]
    Explain(Box<ExplainArguments>),
    /// Accept today's findings, so that later checks report only new ones
    #[command(after_help = "\
Examples:
  selvedge check app.jar --format json --output races.json; selvedge baseline races.json --output accepted.json
      Accepts all findings of a report.
  selvedge check app.jar --baseline accepted.json
      Reports what is new since.")]
    Baseline(BaselineArguments),
    /// Find the races in a trace that a run recorded
    #[command(after_help = "\
Examples:
  selvedge replay run.trace
      The races that the recorded run shows.
  selvedge replay run.trace --detector hb
      Only those that nothing in the run ordered.
  selvedge replay run.trace --pairs bank.Account.balance
      Every pair of lines that races for a field; o12, o12.f or o12[3] for an object, its field, its element.
  selvedge replay run.trace --events | less
      The events themselves, as text. Traces in that form can be replayed too.

Exit status: 0 no races, 1 races, 2 the trace cannot be read.")]
    Replay(Box<ReplayArguments>),
    /// Look inside a program: the intermediate form of its methods, its class hierarchy, who calls whom, what points where
    #[command(after_help = "\
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
  selvedge inspect java.base --class 'java.util.concurrent.*' --output juc.ir
      Classes of a module of the JDK, into a file.")]
    Inspect(Box<InspectArguments>),
    /// What is known about library methods: list it, and check it against real classes
    #[command(after_help = "\
Examples:
  selvedge models list --class StampedLock
      Every row about a class: which of its methods do what.
  selvedge models list --effect callback
      Every row with an effect of this kind (root for the methods that the virtual machine calls by itself).
  selvedge models check
      Whether every built-in row matches a method of the JDK, and how many natives have no row.
  selvedge models check lib/acme.jar --models acme.toml
      The same with rows of your own.")]
    Models(ModelsArguments),
    /// Print, as Java, the most general client of a library: what stands for its missing callers
    #[command(after_help = "\
A library has no main method. To analyse it, Selvedge makes a client that does all a client can do: it creates every class,
calls every public method, and hands results on to whoever takes them. This command shows that client.

Examples:
  selvedge harness pool.jar
      The client of all public classes of pool.jar.
  selvedge harness pool.jar --library=org.acme.Pool,org.acme.Factory
      Only of these.
  selvedge harness pool.jar --output SelvedgeHarness.java && javac -cp pool.jar SelvedgeHarness.java
      It compiles, and runs: two threads take random steps.")]
    Harness(HarnessArguments),
}

/// What is read, the same for all commands.
#[derive(Args)]
pub struct InputArguments {
    /// What to look at: class files, directories, jar, war, ear and jmod archives (with the archives in them), or a module
    /// of the JDK by its name (java.base)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The libraries it uses, as java's own class path: separated by colons (semicolons on Windows), dir/* for the jars
    /// of a directory. What an archive's manifest names is found without
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// The JDK it runs on; if not given, that of JAVA_HOME, or of the java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// List everything that was wrong with the input and all that was assumed, not only how much
    #[arg(long)]
    pub problems: bool,
}

impl InputArguments {
    /// Reads what is named.
    pub fn read(&self) -> Result<Input, InputError> {
        let classpath = self.classpath.iter().flat_map(std::env::split_paths);
        Input::read(&Options {
            paths: self.paths.clone(),
            classpath: classpath.filter(|path| !path.as_os_str().is_empty()).collect(),
            jdk: self.jdk.clone(),
            ..Options::default()
        })
    }
}

/// Arguments of `selvedge check`.
#[derive(Args)]
pub struct CheckArguments {
    /// The program.
    #[command(flatten)]
    pub input: InputArguments,
    /// How call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// How pairs are judged.
    #[command(flatten)]
    pub detection: DetectionArguments,
    /// How to write the report: text, json, sarif, github or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parse_format)]
    pub format: selvedge_report::Format,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// One line for each finding
    #[arg(long, conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the last line, the summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Show how many pairs each stage and refuter removed, and how long each phase took
    #[arg(long)]
    pub stats: bool,
    /// Also say, in JSON and HTML, which fields are safe and why
    #[arg(long)]
    pub safe: bool,
    /// Leave out the findings of this baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write to this file which accesses a run has to watch: those that may race and say something new
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Say what is new, fixed and unchanged since this report (JSON)
    #[arg(long, value_name = "FILE")]
    pub diff: Option<PathBuf>,
    /// From which confidence on findings make the exit status 1
    #[arg(long, value_enum, default_value_t = FailOn::Any)]
    pub fail_on: FailOn,
}

/// Arguments of `selvedge replay`.
#[derive(Args)]
pub struct ReplayArguments {
    /// The trace
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// List every pair of lines that races for this location, not only one for each location
    #[arg(long, value_name = "LOCATION")]
    pub pairs: Option<String>,
    /// Print the events instead of judging them
    #[arg(long, conflicts_with = "pairs")]
    pub events: bool,
    /// How to write the report: text, json, sarif, github or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parse_format)]
    pub format: selvedge_report::Format,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// One line for each race
    #[arg(long, conflicts_with = "quiet")]
    pub brief: bool,
    /// Only the last line, the summary
    #[arg(long, short)]
    pub quiet: bool,
}

/// How pairs are judged, the same for `check` and `explain`.
#[derive(Args)]
pub struct DetectionArguments {
    /// The analyses to make, separated by commas; today there is pairs
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "pairs")]
    pub analysis: Vec<String>,
    /// How much to spend: low tells no contexts apart, default does where it pays, high does everywhere
    #[arg(long, value_enum, default_value_t = Effort::Default)]
    pub effort: Effort,
    /// Which locks count as the same: sound takes only what must be one lock, likely also what points-to sets suggest
    #[arg(long, value_enum, default_value_t = LocksArgument::Sound)]
    pub locks: LocksArgument,
    /// Also report accesses in constructors to the new object, in class initialisers and finalisers
    #[arg(long)]
    pub include_initializers: bool,
    /// Switch off this refuter; may be given more than once (--stats shows the names)
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
}

/// How much an analysis may spend.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Effort {
    /// Quick: contexts are not told apart
    Low,
    /// Contexts where they pay
    Default,
    /// Contexts by two levels of receiver objects
    High,
}

/// Which locks count as the same.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LocksArgument {
    /// Only what must be the same object
    Sound,
    /// Also what may only be one abstract object
    Likely,
}

/// From which confidence on findings count for the exit status.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Only high confidence
    High,
    /// High and medium
    Medium,
    /// Every finding
    Any,
    /// Never
    None,
}

/// Arguments of `selvedge run`.
#[derive(Args)]
pub struct RunArguments {
    /// How the detector works.
    #[command(flatten)]
    pub detector: DetectorArguments,
    /// Only accesses in classes like this (p.C, p.*, p.**); may be given more than once
    #[arg(long, value_name = "CLASSES")]
    pub include: Vec<String>,
    /// No accesses in classes like this; may be given more than once
    #[arg(long, value_name = "CLASSES")]
    pub exclude: Vec<String>,
    /// Which classes, methods and instructions to observe, as a plan (JSON)
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Also write all events to this file, for selvedge replay
    #[arg(long, value_name = "TRACE")]
    pub record: Option<PathBuf>,
    /// How to write the report: text, json, sarif, github or html
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parse_format)]
    pub format: selvedge_report::Format,
    /// Write the report to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
    /// Leave out the findings of this baseline
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Do not say races as they happen
    #[arg(long, short)]
    pub quiet: bool,
    /// End the program at the first race (with status 66, or that of --exit-status)
    #[arg(long)]
    pub halt_on_race: bool,
    /// The exit status if there is a race; without, that of the program
    #[arg(long, value_name = "STATUS")]
    pub exit_status: Option<u8>,
    /// Also observe virtual machines that the program starts (always so if the command is not java)
    #[arg(long)]
    pub children: bool,
    /// The command: java and its arguments, or anything that starts it
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Arguments of `selvedge explain`.
#[derive(Args)]
pub struct ExplainArguments {
    /// The key of a finding (its beginning is enough), or a field as Class.field (the class with or without its package)
    #[arg(value_name = "KEY|CLASS.FIELD")]
    pub what: String,
    /// The program, as for check
    #[arg(value_name = "PATH", required_unless_present = "report")]
    pub paths: Vec<PathBuf>,
    /// Take it from this report (JSON) instead of checking again
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub report: Option<PathBuf>,
    /// The libraries it uses, as java's own class path
    #[arg(long, short = 'c', value_name = "PATHS")]
    pub classpath: Option<OsString>,
    /// The JDK it runs on; if not given, that of JAVA_HOME, or of the java on the PATH
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// How call graph and points-to sets are found.
    #[command(flatten)]
    pub analysis: AnalysisArguments,
    /// How pairs are judged.
    #[command(flatten)]
    pub detection: DetectionArguments,
    /// Where the program's sources are: directories, zip or jar archives; may be given more than once
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
}

/// Arguments of `selvedge baseline`.
#[derive(Args)]
pub struct BaselineArguments {
    /// Reports (JSON) whose findings are accepted
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,
    /// Add to this baseline
    #[arg(long, value_name = "FILE")]
    pub add_to: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn parse_format(name: &str) -> Result<selvedge_report::Format, String> {
    name.parse()
}

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

/// How a program is analysed, the same for all commands that look at what it does.
#[derive(Args)]
pub struct AnalysisArguments {
    /// Where the program starts: the class with its main method; may be given more than once. If not given, what the
    /// manifests say, or else every main method; a program without any is a library
    #[arg(long, value_name = "CLASS", conflicts_with = "library")]
    pub main: Vec<String>,
    /// It is a library: anyone may call all public methods, or those of these classes, separated by commas
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Option<Vec<String>>,
    /// How calling contexts are told apart: adaptive (the default), insensitive, or 1 to 3 levels of call sites (1-call),
    /// receiver objects (2-object) or types (2-type)
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// A file with rows about library methods, beside the built-in ones; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Use about so much memory (512M, 4G); contexts are given up to stay within it
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    /// After so many seconds, give up contexts to come to an end
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<u64>,
}

/// Reads a number of bytes: `1048576`, `512M`, `4G`.
fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((last, 'k' | 'K')) => (&text[..last], 1 << 10),
        Some((last, 'm' | 'M')) => (&text[..last], 1 << 20),
        Some((last, 'g' | 'G')) => (&text[..last], 1 << 30),
        _ => (text, 1),
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(unit));
    bytes.ok_or_else(|| "a size is a number, with K, M or G after it".to_owned())
}

/// Arguments of `selvedge harness`.
#[derive(Args)]
pub struct HarnessArguments {
    /// The library.
    #[command(flatten)]
    pub input: InputArguments,
    /// The classes and interfaces whose public methods are called, separated by commas; if not given, all public ones
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Vec<String>,
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
}

/// How something is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// To read
    Text,
    /// A graph for Graphviz
    Dot,
}

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
    List(ModelsListArguments),
    /// Hold every row against the classes of the JDK and of the given paths
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
