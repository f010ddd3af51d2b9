//! Containers prepare the services they host before they call them.
//!
//! What [`Origin::ContainerStart`] does happens before every call of [`Origin::Container`], and before what the threads do
//! that only such calls start. It is also ordered with `main`, which starts the container: what `main` does before, and
//! what it does after the start has returned. (A `main` that starts the container in another thread and goes on at once is
//! not looked at.)

use selvedge_pta::InstanceId;

use crate::refutation::{Candidate, Refutation};
use crate::threads::{Origin, ThreadId, Threads};

/// The name of the refuter.
pub const BY: &str = "container-start";

/// Whether one side runs while the container prepares its services, and the other later or before.
pub fn refute(threads: &Threads, candidate: &Candidate) -> Option<Refutation<'static>> {
    let [a, b] = candidate.sides.map(|side| side.thread);
    let is_start = |thread: ThreadId| threads.all[thread].origin == Origin::ContainerStart;
    let other = match (is_start(a), is_start(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let is_main = matches!(threads.all[other].origin, Origin::Main(_));
    if !is_main && !is_after_start(threads, other, &mut Vec::new()) {
        return None;
    }
    Some(Refutation::heuristic(BY, || {
        "the container initialises its services before it calls them".to_string()
    }))
}

/// Whether a thread does nothing before containers call their services.
fn is_after_start(threads: &Threads, thread: ThreadId, asked: &mut Vec<ThreadId>) -> bool {
    match threads.all[thread].origin {
        Origin::Container(_) => true,
        Origin::Spawn { instance, .. } => {
            // A thread that is asked for again is started by itself, and first by another.
            asked.contains(&thread) || {
                asked.push(thread);
                runs_after_start(threads, instance, asked)
            }
        }
        _ => false,
    }
}

fn runs_after_start(threads: &Threads, instance: InstanceId, asked: &mut Vec<ThreadId>) -> bool {
    let executing = threads.may_execute(instance);
    !executing.is_empty() && executing.iter().all(|&thread| is_after_start(threads, thread, asked))
}
