//! How the run-time detector works, as options of the commands that use it.

use clap::{Args, ValueEnum};
use selvedge_protocol::{Arrays, DetectorChoice, Granularity, Options};

/// Options of the run-time detector.
#[derive(Args)]
#[command(next_help_heading = "Detection")]
pub struct DetectorArguments {
    /// What counts as a race
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Detector::Hb)]
    pub detector: Detector,
    /// What counts as one location in an object
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = GranularityArgument::Field)]
    pub granularity: GranularityArgument,
    /// What counts as one location in an array
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ArraysArgument::Element)]
    pub arrays: ArraysArgument,
    /// Let lockset detection judge a location from its first access, not only once a second thread
    /// accesses it
    #[arg(long)]
    pub no_ownership: bool,
    /// Disable optimisations, to measure what each is worth; separated by commas
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',')]
    pub without: Vec<Part>,
    /// Watch at most this many locations at a time; the report says if there are more
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().max_locations)]
    pub max_locations: u64,
    /// Keep at most this many races
    #[arg(long, value_name = "NUMBER", default_value_t = Options::default().max_races)]
    pub max_reports: u64,
}

/// What counts as a race.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Detector {
    /// Accesses without a common lock, including those that collide only under another schedule
    Lockset,
    /// Accesses that happens-before does not order in this run
    Hb,
    /// As lockset; those that happens-before does not order are marked
    Both,
}

/// A part that makes runs faster.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Leave out an access that another one of the method always reports before (static weaker-than)
    Dominators,
    /// Report what a loop accesses once, not in each iteration
    Peeling,
    /// Two versions of a method that works on safe and on conflicting objects
    Versions,
    /// The cache of a thread's own accesses
    Cache,
    /// Ownership of a location by its first thread
    Ownership,
    /// Biasing of locks to the one thread that used them 64 times
    #[value(alias = "settling")]
    Biasing,
}

/// What one location is.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GranularityArgument {
    /// Each field
    Field,
    /// The object with all its fields
    Object,
}

/// What counts as one location in an array.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ArraysArgument {
    /// The array
    Whole,
    /// Each element
    Element,
    /// Arrays are not watched
    Off,
}

impl DetectorArguments {
    /// The detector's options.
    pub fn options(&self) -> Options {
        Options {
            detector: match self.detector {
                Detector::Lockset => DetectorChoice::Lockset,
                Detector::Hb => DetectorChoice::HappensBefore,
                Detector::Both => DetectorChoice::Both,
            },
            granularity: match self.granularity {
                GranularityArgument::Field => Granularity::Field,
                GranularityArgument::Object => Granularity::Object,
            },
            arrays: match self.arrays {
                ArraysArgument::Whole => Arrays::Whole,
                ArraysArgument::Element => Arrays::Element,
                ArraysArgument::Off => Arrays::Off,
            },
            ownership: !self.no_ownership && !self.without.contains(&Part::Ownership),
            settling: !self.without.contains(&Part::Biasing),
            cache: !self.without.contains(&Part::Cache),
            dominators: !self.without.contains(&Part::Dominators),
            peeling: !self.without.contains(&Part::Peeling),
            versions: !self.without.contains(&Part::Versions),
            max_locations: self.max_locations,
            max_races: self.max_reports,
            ..Options::default()
        }
    }

    /// The options that differ from the default, by name, for the report.
    pub fn told(&self) -> impl Iterator<Item = (String, String)> {
        let default = Options::default();
        let name = |value: Option<clap::builder::PossibleValue>| value.map(|it| it.get_name().to_owned());
        let pairs = [
            ("detector", name(self.detector.to_possible_value()).filter(|_| self.detector != Detector::Hb)),
            (
                "granularity",
                name(self.granularity.to_possible_value())
                    .filter(|_| self.granularity != GranularityArgument::Field),
            ),
            (
                "arrays",
                name(self.arrays.to_possible_value()).filter(|_| self.arrays != ArraysArgument::Element),
            ),
            ("no-ownership", self.no_ownership.then(|| "true".to_owned())),
            (
                "max-locations",
                (self.max_locations != default.max_locations).then(|| self.max_locations.to_string()),
            ),
        ];
        pairs.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
    }
}
