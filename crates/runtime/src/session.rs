//! What `selvedge run` and the agents that it starts say to each other, through files in a directory.
//!
//! The command writes the [`Settings`] before it starts the program; each JVM that loads the agent leaves
//! [`Results`] under the number of its process. The directory is the agent's one option.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_findings::Finding;
use selvedge_protocol::{Hold, HoldResults, Plan};
use serde::{Deserialize, Serialize};

/// The file of settings in the directory.
const SETTINGS: &str = "settings.json";

/// The file that the command keeps locked as long as it lives.
pub const LOCK: &str = "lock";

/// How the names of the files end that agents leave.
const RESULTS: &str = ".results.json";

/// What an agent is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// What to instrument and how to detect.
    pub plan: Plan,
    /// Whether races are not said on the standard error output as they come.
    pub quiet: bool,
    /// Ends the program at the first race, with this exit status.
    pub halt_status: Option<i32>,
    /// Stops all threads of the program at each race, until somebody removes a file.
    pub stop: bool,
    /// Says at most this many races as they come; all are in the results.
    pub max_reports: Option<u64>,
    /// Whether to note which of the methods that the plan lists were executed.
    pub note_executed: bool,
    /// Where to write the events, if anywhere; a second JVM appends the number of its process.
    pub record: Option<PathBuf>,
    /// Patterns of the classes that call test methods: a race names the test that ran.
    pub test_engines: Vec<String>,
    /// Makes a directed run: nothing is judged, and threads are held at these accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<Hold>,
    /// Where to leave the results, if anywhere.
    #[serde(skip)]
    pub directory: Option<PathBuf>,
}

/// What one JVM leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Results {
    /// The number of its process.
    pub process: u32,
    /// The directory that it works in.
    pub directory: PathBuf,
    /// Whether the hooks were at work.
    pub observing: bool,
    /// How many classes of the program were loaded, watched or not.
    pub classes: u64,
    /// How many of them are watched.
    pub watched: u64,
    /// Whether these are the results at its end.
    pub finished: bool,
    /// The races, each once.
    pub findings: Vec<Finding>,
    /// What was left as it was or went wrong, as sentences without a full stop.
    pub problems: Vec<String>,
    /// What the results rest on beyond that, as sentences without a full stop.
    pub assumptions: Vec<String>,
    /// The methods with watched accesses that were executed, by their names in findings; only of those that a plan lists.
    pub executed: Vec<String>,
    /// What a directed run has shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldResults>,
    /// How many events the detectors have judged.
    pub events: u64,
    /// How many threads there were.
    pub threads: u64,
    /// How many entries the agent's tables had in the end.
    pub kept: u64,
    /// How long the JVM ran, in milliseconds.
    pub milliseconds: u64,
}

impl Settings {
    /// The settings that an agent's option names: a directory, or nothing for the usual ones.
    pub fn read(option: &str) -> Result<Settings, String> {
        if option.is_empty() {
            return Ok(Settings::default());
        }
        let directory = Path::new(option);
        let settings: Settings = read(&directory.join(SETTINGS))?;
        Ok(Settings { directory: Some(directory.to_owned()), ..settings })
    }

    /// Puts the settings into a directory.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        write(&directory.join(SETTINGS), self)
    }
}

impl Results {
    /// Leaves the results of this process in a directory. The name of the file holds a random number as well: processes in two
    /// containers may have the same number.
    pub fn write(&self, directory: &Path) -> std::io::Result<()> {
        static RANDOM: OnceLock<u64> = OnceLock::new();
        let random = RANDOM.get_or_init(|| RandomState::new().hash_one(0_u64));
        write(&directory.join(format!("{}-{random:016x}{RESULTS}", std::process::id())), self)
    }

    /// What all JVMs have left, in the order of their numbers; what cannot be read is a sentence.
    pub fn read_all(directory: &Path) -> Vec<Result<Results, String>> {
        let mut files: Vec<((u64, String), PathBuf)> = std::fs::read_dir(directory)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let (process, random) = name.strip_suffix(RESULTS)?.split_once('-')?;
                Some(((process.parse().ok()?, random.to_owned()), entry.path()))
            })
            .collect();
        files.sort();
        files.iter().map(|(_, file)| read(file)).collect()
    }
}

/// Whether the command that made a session's directory is gone, so that nobody will read or remove what is in it.
pub fn is_abandoned(directory: &Path) -> bool {
    let lock = std::fs::File::options().write(true).open(directory.join(LOCK));
    lock.is_ok_and(|file| file.try_lock().is_ok())
}

fn read<T: for<'d> Deserialize<'d>>(file: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{} is not understood: {error}", file.display()))
}

/// Writes beside the place and renames, so that a reader never sees half a file.
fn write(file: &Path, content: &impl Serialize) -> std::io::Result<()> {
    let partial = file.with_extension("partial");
    std::fs::write(&partial, serde_json::to_vec(content).map_err(std::io::Error::other)?)?;
    std::fs::rename(&partial, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_results_survive_their_files() {
        let directory = std::env::temp_dir().join(format!("selvedge-session-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let settings = Settings { quiet: true, max_reports: Some(3), ..Settings::default() };
        settings.write(&directory).unwrap();
        let read = Settings::read(&directory.to_string_lossy()).unwrap();
        assert_eq!(read, Settings { directory: Some(directory.clone()), ..settings });
        let results =
            Results { events: 7, problems: vec!["p.C: too large".to_owned()], ..Results::default() };
        results.write(&directory).unwrap();
        assert_eq!(Results::read_all(&directory), [Ok(results)]);
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(Settings::read(&directory.to_string_lossy()).unwrap_err().contains("cannot be read"));
        assert_eq!(Settings::read(""), Ok(Settings::default()));
    }
}
