//! Stopping a program at a race, for somebody to look at it with a debugger or `jstack`.
//!
//! The thread that has made the later access stays in its hook; all other threads of the program are suspended. A debugger that is attached
//! sees them where they stand, but does not resume what it has not suspended: so the program goes on when a file is gone that the message names.
//! The other threads are not suspended in the midst of a native method, so that none of them holds the agent's lock.

use std::path::Path;
use std::time::Duration;

use selvedge_jvm::Jvm;

use crate::results::say;

/// The time between two looks at whether the file still exists.
const PAUSE: Duration = Duration::from_millis(50);

/// Stops the program, until the file is removed.
pub(crate) fn stop(jvm: &Jvm, directory: Option<&Path>) {
    let process = std::process::id();
    let file =
        directory.map_or_else(std::env::temp_dir, Path::to_path_buf).join(format!("stopped-{process}"));
    if let Err(error) = std::fs::write(&file, "remove this file, and the program goes on\n") {
        say(&format!("the program is not stopped: {} cannot be written: {error}", file.display()));
        return;
    }
    let threads = jvm.other_threads().unwrap_or_default();
    let suspended: Vec<bool> = threads.iter().map(|&thread| jvm.suspend(thread)).collect();
    say(&format!(
        "the program is stopped at this race: look at process {process} with jstack or a debugger; it goes on when {} is removed",
        file.display()
    ));
    while file.exists() {
        std::thread::sleep(PAUSE);
    }
    for (&thread, was_suspended) in threads.iter().zip(suspended) {
        if was_suspended {
            let _ = jvm.resume(thread);
        }
        jvm.forget(thread);
    }
}
