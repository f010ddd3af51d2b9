//! Which array elements different threads touch: per-thread slots, blocks, strides and rows.
//!
//! Threads that share an array often share no element of it: each has a number, and touches the slot of that number, the
//! block `[number * size, (number + 1) * size)`, every n-th element from its number on, or the row of its number in an
//! array of arrays. The number comes from the loop that makes the tasks: its counter is captured by a lambda expression or
//! given to a constructor that keeps it in a field.
//!
//! # How it is shown
//! 1. An index is written as a polynomial over the turn of the loop that makes the tasks and over values that do not
//!    change in the loop. A loop variable of the task's own code stands for an interval or a stride.
//! 2. Two threads that are both workers never hold the same task, if tasks are [specific](crate::confinement); the method that
//!    makes them runs once, in one loop, one task a turn. So two threads mean two different turns.
//!    The numbers of a stream, `IntStream.range(0, n).parallel().forEach(i -> ..)`, are turns too: each is handled once.
//! 3. The intervals of two different turns are disjoint if an interval is not longer than what its start grows by in a turn. The
//!    strides of two turns are disjoint if no two turns differ by a multiple of the stride.
//!
//! **Theorem.** If a candidate is refuted, no run has two threads in which its sides touch the same element. The hypotheses, each with
//! the program of the corpus in which only this one fails:
//!
//! 1. Two threads mean two turns (SlotShared), of one loop that runs once (TurnsOfTwoCalls).
//! 2. The intervals of two turns are apart (BlockPartitionOverlap, NeighbourRead); strides do not meet (StrideWrong).
//! 3. The product of turn and length does not wrap around (SlotWraps, BlockWraps): both are numbers that are small enough, or the length is
//!    one, or a quotient by the number of turns. Otherwise, as where the loop has no known end, it is a heuristic.
//! 4. The rows of an array of arrays are never replaced (SharedRow).
//!
//! Where the two indexes are just different numbers, or intervals of numbers that do not meet, nothing else is needed.

mod poly;
mod region;

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_ir::{ArrayKind, Inst, Op};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};

use crate::accesses::{AccessKind, Accesses, Place};
use crate::bundle::Facts;
use crate::describe;
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::threads::Threads;
use crate::view::View;

use region::{Reader, Region, Shape};

/// Who calls an instance: the caller, and the instruction where it has one.
type Callers = FastMap<InstanceId, Vec<(InstanceId, Option<Inst>)>>;

/// See the [module documentation](self).
pub struct Arrays {
    callers: Callers,
    /// The arrays of references whose elements may change after they are made.
    changed: OnceLock<BitSet<ObjectId>>,
}

impl Arrays {
    /// The name of the refuter.
    pub const BY: &'static str = "disjoint-elements";

    /// Prepares the fact; what it says is worked out when asked.
    pub fn new(view: &View<'_>, threads: &Threads) -> Self {
        let mut callers: Callers = FastMap::default();
        for (caller, _) in view.analysis.instances.iter_ids() {
            if threads.may_execute(caller).is_empty() {
                continue;
            }
            for call in view.calls(caller) {
                for &callee in call.callees.iter().filter(|&&callee| threads.is_call(view, caller, callee)) {
                    callers.entry(callee).or_default().push((caller, call.inst));
                }
            }
        }
        Self { callers, changed: OnceLock::new() }
    }

    /// Whether the sides never touch the same element in different threads.
    pub fn refute<'f>(&self, facts: &'f Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'f>> {
        let accesses = candidate.sides.map(|side| &facts.accesses.all[side.access]);
        if accesses.iter().any(|access| access.place != Place::Element) {
            return None;
        }
        let regions = candidate.sides.map(|side| self.regions(facts, &side));
        let (how, strength) = self.compare(facts, candidate, &regions).or_else(|| {
            let rows = candidate.sides.map(|side| self.rows(facts, &side, candidate.object));
            self.compare(facts, candidate, &rows).map(|(how, strength)| match how {
                "slots" => ("rows", strength),
                other => (other, strength),
            })
        })?;
        let view = facts.view;
        Some(Refutation::new(Self::BY, strength, move || {
            let [first, second] = accesses.map(|access| describe::place(view, access.method, access.inst));
            format!("{first} and {second} touch different {how} of the array in different threads")
        }))
    }

    fn compare(
        &self,
        facts: &Facts<'_, '_>,
        candidate: &Candidate,
        regions: &[Vec<Region>; 2],
    ) -> Option<(&'static str, Strength)> {
        let workers = candidate.sides.iter().all(|side| facts.confinement.is_worker(side.thread));
        let [first, second] = regions;
        first.iter().flat_map(|a| second.iter().map(move |b| (a, b))).find_map(|(a, b)| {
            if a.are_numbers_apart(b) {
                return Some(("elements", Strength::Proof));
            }
            let same_tasks = a.tasks.is_some_and(|tasks| workers || tasks.of_stream) && a.tasks == b.tasks;
            let strength = same_tasks.then(|| a.are_apart_in_different_turns(facts.view, b)).flatten()?;
            let how = match a.shape {
                Shape::Interval { .. } if a.is_slot() => "slots",
                Shape::Interval { .. } => "blocks",
                Shape::Stride { .. } => "strides",
            };
            Some((how, strength))
        })
    }

    /// If a side only touches the element whose index is the number of the turn in which its task was made: where tasks are made.
    pub(crate) fn slot_of_turn(
        &self,
        facts: &Facts<'_, '_>,
        side: &Occurrence,
    ) -> Option<(InstanceId, Inst)> {
        self.regions(facts, side).iter().find_map(Region::tasks_of_own_slot)
    }

    /// What a side may touch, each a complete description.
    fn regions(&self, facts: &Facts<'_, '_>, side: &Occurrence) -> Vec<Region> {
        let access = &facts.accesses.all[side.access];
        let Some(body) = facts.view.program.body(access.method) else { return Vec::new() };
        // What library code touches is not distinguished.
        let Some(&index) = body.args(access.inst).get(1).filter(|_| !access.by_call) else {
            return Vec::new();
        };
        Reader { facts, callers: &self.callers, thread: side.thread }.regions(
            side.instance,
            access.inst,
            index,
        )
    }

    /// For a side whose array is an element of an array of arrays: which rows it may touch. Only for arrays whose rows were
    /// made with it and never replaced, so that different indexes mean different rows.
    fn rows(&self, facts: &Facts<'_, '_>, side: &Occurrence, object: Option<ObjectId>) -> Vec<Region> {
        let access = &facts.accesses.all[side.access];
        let heap = &facts.view.analysis.heap;
        let is_row = object.is_some_and(|object| {
            matches!(heap.site_of(heap.get(object).site), Site::Instruction { depth: 1.., .. })
        });
        let (Some(base), Some(body), true) = (access.base, facts.view.program.body(access.method), is_row)
        else {
            return Vec::new();
        };
        let Some(load) = body.defining_inst(base) else { return Vec::new() };
        let Op::ArrayLoad(_) = body.insts[load].op else { return Vec::new() };
        let changed = self.changed.get_or_init(|| changed_arrays(facts.view, facts.accesses));
        let outer = facts.view.analysis.points_to(side.instance, body.args(load)[0]);
        if outer.iter().any(|outer| changed.contains(outer)) {
            return Vec::new();
        }
        Reader { facts, callers: &self.callers, thread: side.thread }.regions(
            side.instance,
            load,
            body.args(load)[1],
        )
    }
}

/// The arrays into which the application may store references.
fn changed_arrays(view: &View<'_>, accesses: &Accesses) -> BitSet<ObjectId> {
    let mut changed = BitSet::new();
    let mut seen: FastSet<*const HybridSet<ObjectId>> = FastSet::default();
    for (id, access) in accesses.all.iter_ids() {
        let stores = access.place == Place::Element && access.kind == AccessKind::Write;
        if !stores || access.element != Some(ArrayKind::Ref) {
            continue;
        }
        for &instance in view.analysis.instances_of(access.method) {
            let arrays = accesses.may_touch(view, id, instance);
            if seen.insert(std::ptr::from_ref(arrays)) {
                arrays.iter().for_each(|array| {
                    changed.insert(array);
                });
            }
        }
    }
    changed
}
