//! How a program is analysed: the same for all commands that look at what it does.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How call graph and points-to sets are found.
#[derive(Args)]
pub struct AnalysisArguments {
    /// Where the program starts: the class with its main method; may be given more than once. If not given, what the
    /// manifests say, or else every main method, each a process of its own; a program without any is a library
    #[arg(long, value_name = "CLASS", conflicts_with = "library")]
    pub main: Vec<String>,
    /// It is a library: anyone may call all public methods, or those of these classes, separated by commas
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Option<Vec<String>>,
    /// How calling contexts are told apart: adaptive (the default), insensitive, or 1 to 3 levels of call sites (1-call),
    /// receiver objects (2-object) or types (2-type)
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// How it is found what points where: inclusion (in contexts), or unify, which tells less apart and is meant for programs that are
    /// too large otherwise
    #[arg(long, value_enum, default_value_t = HeapArgument::Inclusion)]
    pub heap: HeapArgument,
    /// A file with rows about library methods, beside the built-in ones; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Use about so much memory (512M, 4G); contexts are given up to stay within it
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    /// After so many seconds, give up contexts to come to an end
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<u64>,
    /// After so many million steps of the points-to analysis, start it again with fewer contexts and objects. The same on every
    /// machine, so that results are, too; 20 if not given
    #[arg(long, value_name = "MILLIONS")]
    pub max_work: Option<u64>,
}

/// How pairs are judged, the same for `check` and `explain`.
#[derive(Args)]
pub struct DetectionArguments {
    /// The analyses to make, separated by commas: pairs (of accesses), objects (that two threads are inside of), uses (of
    /// objects, phase by phase), interthread (the static datarace set: coarser than pairs)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "pairs")]
    pub analysis: Vec<String>,
    /// How much to spend: low tells no contexts apart, default does where it pays, high does everywhere
    #[arg(long, value_enum, default_value_t = Effort::Default)]
    pub effort: Effort,
    /// Which locks count as the same: sound takes only what must be one lock, likely also what points-to sets suggest
    #[arg(long, value_enum, default_value_t = LocksArgument::Sound)]
    pub locks: LocksArgument,
    /// Also report accesses in constructors to the new object and in class initialisers
    #[arg(long)]
    pub include_initializers: bool,
    /// With --analysis objects, uses, interthread: also tell what other reasons keep apart; of objects also methods that only read
    #[arg(long)]
    pub all: bool,
    /// Switch off this refuter; may be given more than once (--stats shows the names)
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
}

/// How it is found what points where.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HeapArgument {
    /// References flow from place to place
    Inclusion,
    /// Places between which a reference is copied are one
    Unify,
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
