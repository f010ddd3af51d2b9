//! What code does to the marks, method by method.

use std::collections::BTreeSet;

use selvedge_base::{BitSet, FastMap, FastSet, IdVec};
use selvedge_ir::{Block, Body, Inst, Op};
use selvedge_pta::InstanceId;

use super::{Mark, Signals};
use crate::order::alive::is_forwarding;
use crate::threads::Threads;
use crate::view::View;

/// What a piece of code does to the marks: `after = (before - lost) + gained`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Change {
    pub(super) gained: BitSet<Mark>,
    pub(super) lost: BitSet<Mark>,
}

impl Change {
    fn then(&mut self, next: &Change) {
        self.gained.subtract(&next.lost);
        self.gained.union_with(&next.gained);
        self.lost.union_with(&next.lost);
    }

    fn meet(&mut self, other: &Change) -> bool {
        let gained = self.gained.union_with(&other.gained);
        self.lost.intersect_with(&other.lost) || gained
    }

    pub(super) fn of(&self, before: &BitSet<Mark>) -> BitSet<Mark> {
        let mut after = before.clone();
        after.subtract(&self.lost);
        after.union_with(&self.gained);
        after
    }
}

/// What an instance does itself, by instruction and by edge.
#[derive(Default)]
pub(super) struct Own {
    pub(super) at: FastMap<Inst, Change>,
    pub(super) on_edges: FastMap<(Block, Block), BitSet<Mark>>,
    /// The calls that may throw before they have waited for everything.
    pub(super) cut_short: FastSet<Inst>,
}

impl Signals {
    pub(super) fn without_body(&self, view: &View<'_>, instance: InstanceId) -> Option<Change> {
        if is_forwarding(view, instance) {
            let callees = view.calls(instance).flat_map(|call| call.callees);
            return self.of_callees(callees.copied());
        }
        let gained = self.may_publish.get(&instance).cloned().unwrap_or_default();
        Some(Change { gained, lost: BitSet::new() })
    }

    /// What one of several callees does; `None` if none returns.
    fn of_callees(&self, callees: impl Iterator<Item = InstanceId>) -> Option<Change> {
        let mut all: Option<Change> = None;
        let mut is_empty = true;
        for callee in callees {
            is_empty = false;
            let change = match self.changes.get(&callee) {
                Some(change) => change.clone(),
                None if self.active.contains(callee) => continue,
                None => Change::default(),
            };
            match &mut all {
                Some(all) => {
                    all.meet(&change);
                }
                None => all = Some(change),
            }
        }
        if is_empty { Some(Change::default()) } else { all }
    }

    /// The change up to an instruction, or else up to the returns; each call is shown with the change before it.
    pub(super) fn through_body(
        &self,
        view: &View<'_>,
        threads: &Threads,
        instance: InstanceId,
        body: &Body,
        until: Option<Inst>,
        visit: &mut dyn FnMut(Inst, &Change),
    ) -> Option<Change> {
        let nothing = Own::default();
        let own = self.own.get(&instance).unwrap_or(&nothing);
        let mut states: IdVec<Block, Option<Change>> = body.blocks.ids().map(|_| None).collect();
        states[Body::ENTRY] = Some(Change::default());
        let mut work: BTreeSet<Block> = [Body::ENTRY].into();
        let mut result: Option<Change> = None;
        let merge = |into: &mut Option<Change>, change: &Change| match into {
            Some(known) => known.meet(change),
            none => {
                *none = Some(change.clone());
                true
            }
        };
        while let Some(block) = work.pop_first() {
            let Some(mut state) = states[block].clone() else { continue };
            let mut thrown: Option<Change> = None;
            // Whether what is thrown has the present state already.
            let mut is_thrown = false;
            let mut returns = true;
            for inst in body.blocks[block].insts.iter() {
                if until == Some(inst) {
                    merge(&mut result, &state);
                }
                let is_call = matches!(body.insts[inst].op, Op::Invoke(..) | Op::InvokeDynamic(_));
                let at = own.at.get(&inst);
                if !is_call && at.is_none() {
                    if !is_thrown && body.may_throw(inst) {
                        merge(&mut thrown, &state);
                        is_thrown = true;
                    }
                    continue;
                }
                is_thrown = false;
                let before = state.clone();
                if is_call {
                    visit(inst, &state);
                    let callees = view.callees(instance, inst).iter().copied();
                    let within = callees.filter(|&callee| threads.is_call(view, instance, callee));
                    match self.of_callees(within) {
                        Some(change) => state.then(&change),
                        None => returns = false,
                    }
                }
                if let Some(change) = at {
                    state.then(change);
                }
                if body.may_throw(inst) {
                    let observes = at.is_some_and(|change| !change.lost.is_empty());
                    let is_quiet = !self.interrupts && observes && !own.cut_short.contains(&inst);
                    let mut leaving = if is_quiet { state.clone() } else { before };
                    for callee in view.callees(instance, inst) {
                        self.may_publish.get(callee).into_iter().for_each(|set| {
                            leaving.gained.union_with(set);
                        });
                    }
                    at.into_iter().for_each(|change| {
                        leaving.gained.union_with(&change.gained);
                    });
                    merge(&mut thrown, &leaving);
                }
                if !returns {
                    break;
                }
            }
            if let Some(thrown) = &thrown {
                for unwind in &body.blocks[block].unwind {
                    if merge(&mut states[unwind.handler], thrown) {
                        work.insert(unwind.handler);
                    }
                }
            }
            if !returns {
                continue;
            }
            if until.is_none() && matches!(body.insts[body.terminator(block)].op, Op::Return) {
                merge(&mut result, &state);
            }
            for target in body.normal_successors(block) {
                let mut along = state.clone();
                if let Some(lost) = own.on_edges.get(&(block, target)) {
                    along.then(&Change { gained: BitSet::new(), lost: lost.clone() });
                }
                if merge(&mut states[target], &along) {
                    work.insert(target);
                }
            }
        }
        result
    }
}
