//! Starting a program under the agent.

use crate::recording::{Recording, made_classes_dir};
use selvedge_testkit::{Failure, JavaRun, Jdk, RunOptions, run_main};
use std::path::{Path, PathBuf};

/// The agent's library, beside the running executable or where Cargo leaves libraries for it.
pub fn agent_library() -> Result<PathBuf, Failure> {
    let name = format!("{}selvedge_recorder{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let executable = std::env::current_exe().map_err(Failure::io("find the running executable"))?;
    let dir = executable.parent().unwrap_or(Path::new("."));
    // A program lies above `deps`, a test in it; the copy in `deps` is the one that every build refreshes.
    let places = [dir.join("deps").join(&name), dir.join(&name)];
    places
        .iter()
        .find(|place| place.is_file())
        .cloned()
        .ok_or_else(|| Failure::new(format!("the agent {name} is not built; looked in {}", dir.display())))
}

/// Runs a main class under the agent, leaves the recording at `out`, and returns it with the run's own results.
///
/// A run that exceeds its time limit is a failure: it leaves no recording.
pub fn record(
    jdk: &Jdk,
    main_class: &str,
    options: &RunOptions,
    out: &Path,
) -> Result<(JavaRun, Recording), Failure> {
    let agent = agent_library()?;
    if let Some(dir) = out.parent() {
        std::fs::create_dir_all(dir).map_err(Failure::io(format!("create {}", dir.display())))?;
    }
    // An old recording must not stand for a run that left none.
    let made = made_classes_dir(out);
    for (path, removed) in
        [(out, std::fs::remove_file(out)), (made.as_path(), std::fs::remove_dir_all(&made))]
    {
        if let Err(error) = removed
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Failure::io(format!("remove {}", path.display()))(error));
        }
    }
    let mut options = options.clone();
    // The agent tells methods apart by ids that are reused when classes are unloaded.
    options.jvm_args.push("-XX:-ClassUnloading".to_owned());
    options.jvm_args.push(format!("-agentpath:{}=out={}", agent.display(), out.display()));
    let run = run_main(jdk, main_class, &options)?;
    if run.timed_out {
        return Err(Failure::new(format!(
            "{main_class} ran longer than {:?} and was stopped",
            options.timeout
        )));
    }
    let recording = Recording::read(out)
        .map_err(|error| Failure::new(format!("{main_class} left no recording: {error}\n{}", run.stderr)))?;
    Ok((run, recording))
}
