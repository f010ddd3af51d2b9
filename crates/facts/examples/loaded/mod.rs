//! The program that the command line of an example names: `MAIN-CLASS|library PATH...`.

use std::path::PathBuf;
use std::time::Instant;

use selvedge_models::Models;
use selvedge_pta::{Analysis, Entries, Limits, analyze, context::Policy, context::policy_named};
use selvedge_world::{EntryRequest, Input, Options, Program};

/// A program, ready to be analysed.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// What is known of library methods.
    pub models: Models,
    /// Who calls the program.
    pub entries: Entries,
    policy: Box<dyn Policy>,
}

impl Loaded {
    /// Reads what the arguments name.
    pub fn from_arguments() -> Result<Self, String> {
        let mut arguments = std::env::args().skip(1);
        let main = arguments.next().ok_or("the first argument names the main class, or is `library`")?;
        let paths: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
        let input =
            Input::read(&Options { paths, ..Options::default() }).map_err(|error| error.to_string())?;
        let program = Program::load(input);
        let models = Models::builtin().for_release(u32::from(program.jdk_version));
        let request = match main.as_str() {
            "library" => EntryRequest::Library(Vec::new()),
            main => EntryRequest::Main(main.to_string()),
        };
        let points = program.entry_points(&request).map_err(|error| error.to_string())?;
        let entries = Entries::of_program(&program, &points);
        let policy = policy_named("adaptive").ok_or("there is no adaptive policy")?;
        Ok(Self { program, models, entries, policy })
    }

    /// Runs the points-to analysis, and says how long it took.
    pub fn analyze(&self) -> Analysis<'_> {
        let start = Instant::now();
        let analysis =
            analyze(&self.program, &self.models, &self.entries, self.policy.as_ref(), Limits::default());
        println!("points-to {:?}, {} instances", start.elapsed(), analysis.instances.len());
        analysis
    }
}
