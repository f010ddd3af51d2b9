//! Which process a thread belongs to.
//!
//! A program with several `main` methods is several programs: a server, its tools, its examples. Each is started in a process of its
//! own, so a thread of the one never meets a thread of the other. A thread belongs to the processes of the threads that may start it;
//! what callers of a library, containers, the JVM or class initialisers start belongs to all of them.
//!
//! A heuristic: a launcher that calls two `main` methods in two threads by means that are not followed would be one process.

use selvedge_base::IdVec;
use selvedge_world::MethodId;

use crate::refutation::{Candidate, Refutation};
use crate::threads::{Origin, ThreadId, Threads};

/// The name of the refuter.
pub const BY: &str = "processes";

/// See the [module documentation](self).
pub struct Processes {
    /// The `main` methods from whose processes each thread may be; `None` for all.
    of: IdVec<ThreadId, Option<Vec<MethodId>>>,
    are_several: bool,
}

impl Processes {
    /// Finds the processes of all threads.
    pub fn new(threads: &Threads) -> Self {
        let start = |origin: &Origin| match origin {
            Origin::Main(main) => Some(vec![*main]),
            Origin::Spawn { .. } => Some(Vec::new()),
            _ => None,
        };
        let mut of: IdVec<ThreadId, Option<Vec<MethodId>>> = IdVec::new();
        threads.all.iter().for_each(|thread| {
            of.push(start(&thread.origin));
        });
        let mains = threads.all.iter().filter(|thread| matches!(thread.origin, Origin::Main(_))).count();
        let mut changed = mains > 1;
        while changed {
            changed = false;
            for (id, thread) in threads.all.iter_ids() {
                let Origin::Spawn { instance, .. } = thread.origin else { continue };
                let Some(known) = &of[id] else { continue };
                let joined =
                    threads.may_execute(instance).iter().try_fold(known.clone(), |mut all, &parent| {
                        all.extend(of[parent].as_ref()?);
                        all.sort_unstable();
                        all.dedup();
                        Some(all)
                    });
                if joined.as_ref() != Some(known) {
                    of[id] = joined;
                    changed = true;
                }
            }
        }
        Self { of, are_several: mains > 1 }
    }

    /// Whether the two sides are in two processes.
    pub fn refute<'a>(&self, candidate: &Candidate) -> Option<Refutation<'a>> {
        if !self.are_several {
            return None;
        }
        let [first, second] = candidate.sides.map(|side| self.of[side.thread].as_ref());
        let (first, second) = (first?, second?);
        // What nothing is known to start is anywhere.
        let is_known = !first.is_empty() && !second.is_empty();
        (is_known && !first.iter().any(|main| second.contains(main))).then(|| {
            Refutation::heuristic(BY, || {
                "the two sides are started by different main methods, each a process of its own".to_string()
            })
        })
    }
}
