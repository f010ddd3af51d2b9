//! How a program is analysed: the same for all commands that look at what it does.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// How call graph and points-to sets are found.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Analysis")]
pub struct AnalysisArguments {
    /// Main class of the program; repeatable. By default taken from the manifest, otherwise every class with a
    /// main method, each as a process of its own. A program without a main method, or with one that reaches hardly
    /// any code, is analysed as a library
    #[arg(long, value_name = "CLASS", conflicts_with = "library")]
    pub main: Vec<String>,
    /// Analyse a library: any thread may call any public method, of all classes or of the listed ones
    #[arg(long, value_name = "CLASS,...", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub library: Option<Vec<String>>,
    /// Context sensitivity of the points-to analysis: adaptive (the default), insensitive, or 1 to 3
    /// levels of call sites (1-call), receiver objects (2-object) or types (2-type)
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// Points-to analysis: by inclusion, context-sensitive, or by unification, which is coarser and meant
    /// for very large programs
    #[arg(long, value_enum, default_value_t = HeapArgument::Inclusion)]
    pub heap: HeapArgument,
    /// File with model rows for library methods, added to the built-in ones; repeatable
    #[arg(long, value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Memory limit of the command (512M, 4G); contexts are dropped to stay within it. A check that it stops
    /// reports what it has found, marked as partial
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    /// Time limit of the command; contexts are dropped to stay within it. A check that it stops reports what it
    /// has found, marked as partial
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<u64>,
    /// Limit of the points-to analysis in million steps (default 20); when it is reached, the analysis
    /// starts again with fewer contexts. Unlike a time limit it gives the same result on every machine
    #[arg(long, value_name = "MILLIONS")]
    pub max_work: Option<u64>,
}

/// How pairs are judged, the same for `check` and `explain`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Analysis")]
pub struct DetectionArguments {
    /// Analyses to run, separated by commas: pairs (of accesses), objects (object races), uses (object
    /// use graphs), interthread (the static datarace set, coarser than pairs)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "pairs")]
    pub analysis: Vec<String>,
    /// How much work to spend on precision
    #[arg(long, value_enum, default_value_t = Effort::Default)]
    pub effort: Effort,
    /// Which locks count as the same object
    #[arg(long, value_enum, default_value_t = LocksArgument::Sound)]
    pub locks: LocksArgument,
    /// Also report accesses of constructors to the new object, and accesses in class initialisers
    #[arg(long)]
    pub include_initializers: bool,
    /// With --analysis objects, uses or interthread: also report what other refuters exclude, and of
    /// objects also methods that only read
    #[arg(long)]
    pub all: bool,
    /// Disable a refuter or a family of refuters; repeatable (--stats lists the names)
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
}

/// Which points-to analysis is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum HeapArgument {
    /// Inclusion-based, context-sensitive
    Inclusion,
    /// Unification-based, without contexts
    Unify,
}

/// How much an analysis may spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Effort {
    /// No contexts: the fastest
    Low,
    /// Contexts where they pay
    Default,
    /// Two levels of receiver objects as contexts
    High,
}

/// Which locks count as the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LocksArgument {
    /// Only locks that must be the same object
    Sound,
    /// Also locks that are one abstract object
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
