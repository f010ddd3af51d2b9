//! Which thread and which locks a node *must* have: MustThread and MustSync of the paper.
//!
//! - `must_thread(n)`: the one thread that executes `n` in every run, if the threads from whose roots a way within the thread leads to `n`
//!   are one, and there is one of its kind. A started `Thread` is known by its object, which the root's `this` must point to; what else
//!   runs at most once, `main` for one, by itself. Class initialisers run in whichever thread needs the class first, which
//!   is none in particular.
//! - `must_sync(n)`: the locks that are held in every run when `n` executes: those of all predecessors within threads, intersected, and
//!   that of `n`. Threads begin with none. The greatest solution: what no root leads to never executes.
//!
//! **Theorem.** Given the assumptions of the points-to analysis and of the abstract threads, and that monitors are left as they were entered
//! (structured locking, which JVMs enforce): if `must_thread` of two nodes is the same, no two threads execute
//! them at the same time; and whenever a thread executes `n`, it holds the monitor of every object in `must_sync(n)`.

use selvedge_base::{Dataflow, IdVec, Lattice, solve};
use selvedge_facts::{Origin, ThreadId};
use selvedge_models::InThread;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::graph::{CallGraph, NodeId};
use crate::Facts;

/// A thread of which there is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Runner {
    /// The thread of a single thread object.
    Object(ObjectId),
    /// What an abstract thread that is not many runs.
    Thread(ThreadId),
}

/// Locks that are held in every run, in order. More is lower in the lattice: joining intersects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct MustLocks(Vec<ObjectId>);

impl MustLocks {
    /// The locks.
    pub fn objects(&self) -> &[ObjectId] {
        &self.0
    }

    /// Adds a lock.
    pub fn insert(&mut self, object: ObjectId) {
        if let Err(position) = self.0.binary_search(&object) {
            self.0.insert(position, object);
        }
    }

    /// Whether both have a lock: MustCommonSync.
    pub fn have_common(&self, other: &Self) -> bool {
        self.0.iter().any(|object| other.0.binary_search(object).is_ok())
    }
}

impl Lattice for MustLocks {
    fn join_into(&self, target: &mut Self) -> bool {
        let before = target.0.len();
        target.0.retain(|object| self.0.binary_search(object).is_ok());
        target.0.len() != before
    }
}

/// See the [module documentation](self).
pub struct Must {
    /// What is held when a node executes; `None` if it never does.
    locks: IdVec<NodeId, Option<MustLocks>>,
}

impl Must {
    /// Computes it.
    pub fn new(graph: &CallGraph) -> Self {
        let roots = graph.roots.iter().map(|&(root, _)| (root, MustLocks::default()));
        let mut flow = Held { graph };
        let mut locks = solve(&graph.within_threads(), roots, &mut flow);
        for (node, held) in locks.iter_mut().enumerate() {
            if let Some(held) = held {
                flow.transfer(selvedge_base::Id::from_index(node), held);
            }
        }
        Self { locks }
    }

    /// The locks that are held in every run when a node executes; `None` if it never does.
    pub fn sync(&self, node: NodeId) -> Option<&MustLocks> {
        self.locks[node].as_ref()
    }
}

struct Held<'g> {
    graph: &'g CallGraph,
}

impl Dataflow<NodeId> for Held<'_> {
    type Fact = MustLocks;

    fn transfer(&mut self, node: NodeId, held: &mut MustLocks) {
        if let Some(lock) = self.graph.nodes[node].must_lock {
            held.insert(lock);
        }
    }
}

/// The one thread that executes an instance in every run, if there is one.
pub fn must_thread(facts: &Facts<'_, '_>, instance: InstanceId) -> Option<Runner> {
    let mut runners = facts.threads.may_execute(instance).iter().map(|&thread| runner(facts, thread));
    let first = runners.next()??;
    runners.all(|other| other == Some(first)).then_some(first)
}

/// The thread that a root stands for, if there is one of its kind.
fn runner(facts: &Facts<'_, '_>, thread: ThreadId) -> Option<Runner> {
    let data = &facts.threads.all[thread];
    if data.many || data.origin == Origin::Initializers {
        return None;
    }
    Some(match (data.origin, data.objects.as_slice()) {
        (Origin::Spawn { kind: InThread::New, .. }, &[object]) if facts.executions.is_single(object) => {
            Runner::Object(object)
        }
        _ => Runner::Thread(thread),
    })
}
