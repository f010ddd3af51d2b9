//! Call paths: how a thread gets from its start to an access. A shortest one, the same in every run.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock};

use selvedge_base::{FastMap, FastSet};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;

use crate::Facts;
use selvedge_facts::ThreadId;

/// From where each instance of a thread is called first: the caller and the instruction.
type Tree = FastMap<InstanceId, Option<(InstanceId, Option<Inst>)>>;

/// Finds call paths, and remembers the search of each thread.
#[derive(Default)]
pub struct Paths {
    trees: RwLock<FastMap<ThreadId, Arc<Tree>>>,
}

/// One step of a path: an instance, and the instruction in it that calls the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The instance.
    pub instance: InstanceId,
    /// The call; `None` where no instruction makes it.
    pub call: Option<Inst>,
}

impl Paths {
    /// The calls that lead from the start of a thread to an instance, the start first. The instance itself is not in it.
    pub fn to(&self, facts: &Facts<'_, '_>, thread: ThreadId, instance: InstanceId) -> Vec<Step> {
        let tree = self.tree(facts, thread);
        let mut steps = Vec::new();
        let mut seen = FastSet::default();
        let mut at = instance;
        while let Some(&Some((caller, call))) = tree.get(&at) {
            if !seen.insert(at) {
                break;
            }
            steps.push(Step { instance: caller, call });
            at = caller;
        }
        steps.reverse();
        steps
    }

    fn tree(&self, facts: &Facts<'_, '_>, thread: ThreadId) -> Arc<Tree> {
        if let Some(tree) = self.trees.read().unwrap_or_else(PoisonError::into_inner).get(&thread) {
            return Arc::clone(tree);
        }
        let tree = Arc::new(search(facts, thread));
        self.trees.write().unwrap_or_else(PoisonError::into_inner).insert(thread, Arc::clone(&tree));
        tree
    }
}

fn search(facts: &Facts<'_, '_>, thread: ThreadId) -> Tree {
    let mut tree = Tree::default();
    let mut pending: VecDeque<InstanceId> = VecDeque::new();
    for &entry in &facts.threads.all[thread].entries {
        tree.insert(entry, None);
        pending.push_back(entry);
    }
    while let Some(instance) = pending.pop_front() {
        for call in facts.view.calls(instance) {
            for &callee in call.callees {
                if facts.threads.is_call(facts.view, instance, callee) && !tree.contains_key(&callee) {
                    tree.insert(callee, Some((instance, call.inst)));
                    pending.push_back(callee);
                }
            }
        }
    }
    tree
}
