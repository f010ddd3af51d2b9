//! Call paths: how a thread gets from its start to an access, the same in every run.
//!
//! Of all paths one on which the fewest calls are made with a lock held, of these one on which libraries call the application back least
//! often, and of these a shortest: where one way to an access takes a lock and another does not, the reader is shown the one that does not.
//! What a library calls back is merged for all its callers, so the application's own calls are the ones to believe.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;

use crate::Facts;
use selvedge_facts::ThreadId;

/// From where each instance of a thread is called first: the caller and the instruction.
type Tree = FastMap<InstanceId, Option<(InstanceId, Option<Inst>)>>;

/// The instances that lead to one by calls of a kind.
type Leading = FastMap<(InstanceId, Through), Arc<BitSet<InstanceId>>>;

/// What a path costs: the calls under a lock, those by which libraries call back, and its length.
type Cost = (u32, u32, u32);

/// Finds call paths, and remembers the search of each thread.
#[derive(Default)]
pub struct Paths {
    trees: RwLock<FastMap<ThreadId, Arc<Tree>>>,
    callers: OnceLock<FastMap<InstanceId, Vec<InstanceId>>>,
    leading: RwLock<Leading>,
}

/// What calls may pass through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Through {
    /// Any code.
    All,
    /// The application's own calls, and the library code at their end: no library that calls back.
    OwnCalls,
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

    /// The instances that call an instance, in their thread.
    pub fn callers(&self, facts: &Facts<'_, '_>, instance: InstanceId) -> &[InstanceId] {
        self.all_callers(facts).get(&instance).map_or(&[], Vec::as_slice)
    }

    fn all_callers(&self, facts: &Facts<'_, '_>) -> &FastMap<InstanceId, Vec<InstanceId>> {
        self.callers.get_or_init(|| callers(facts))
    }

    /// The instances from which calls may lead to an instance, and that itself.
    pub fn leading_to(
        &self,
        facts: &Facts<'_, '_>,
        instance: InstanceId,
        through: Through,
    ) -> Arc<BitSet<InstanceId>> {
        let key = (instance, through);
        if let Some(known) = self.leading.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(known);
        }
        let callers = self.all_callers(facts);
        let is_own = |instance: InstanceId| facts.view.is_application_instance(instance);
        let mut leading: BitSet<InstanceId> = BitSet::new();
        let mut pending = vec![instance];
        while let Some(next) = pending.pop() {
            if leading.insert(next) {
                let calls_back = |&caller: &InstanceId| is_own(next) && !is_own(caller);
                let passed = |caller: &InstanceId| through == Through::All || !calls_back(caller);
                pending.extend(callers.get(&next).into_iter().flatten().copied().filter(passed));
            }
        }
        let leading = Arc::new(leading);
        self.leading.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&leading));
        leading
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

/// Who calls each instance.
fn callers(facts: &Facts<'_, '_>) -> FastMap<InstanceId, Vec<InstanceId>> {
    let mut callers: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
    for caller in facts.view.analysis.instances.ids() {
        for call in facts.view.calls(caller) {
            let called =
                call.callees.iter().filter(|&&callee| facts.threads.is_call(facts.view, caller, callee));
            called.for_each(|&callee| callers.entry(callee).or_default().push(caller));
        }
    }
    callers
}

fn search(facts: &Facts<'_, '_>, thread: ThreadId) -> Tree {
    let mut tree = Tree::default();
    let mut settled: FastSet<InstanceId> = FastSet::default();
    let mut best: FastMap<InstanceId, Cost> = FastMap::default();
    let is_own = |instance: InstanceId| facts.view.is_application_instance(instance);
    // The cost so far, then the instance: the same order in every run.
    let mut pending: BinaryHeap<Reverse<(Cost, InstanceId)>> = BinaryHeap::new();
    for &entry in &facts.threads.all[thread].entries {
        tree.insert(entry, None);
        best.insert(entry, (0, 0, 0));
        pending.push(Reverse(((0, 0, 0), entry)));
    }
    while let Some(Reverse(((locked, back, length), instance))) = pending.pop() {
        if !settled.insert(instance) {
            continue;
        }
        for call in facts.view.calls(instance) {
            let holds = call.inst.is_some_and(|inst| facts.locks.takes_before(facts.view, instance, inst));
            for &callee in call.callees {
                let is_back = is_own(callee) && !is_own(instance);
                let cost = (locked + u32::from(holds), back + u32::from(is_back), length + 1);
                if facts.threads.is_call(facts.view, instance, callee)
                    && best.get(&callee).is_none_or(|&known| cost < known)
                {
                    best.insert(callee, cost);
                    tree.insert(callee, Some((instance, call.inst)));
                    pending.push(Reverse((cost, callee)));
                }
            }
        }
    }
    tree
}
