//! The first two stages: accesses that could conflict by their kind of place alone, and the threads that reach them.

use std::collections::BTreeMap;

use rayon::prelude::*;
use selvedge_base::FastMap;
use selvedge_facts::{AccessId, AccessKind, InThreads, Origin, Place, ThreadId};
use selvedge_ir::ArrayKind;
use selvedge_pta::InstanceId;

use super::Options;
use crate::Facts;

/// An access in an instance, with the threads that execute the instance.
pub(super) struct Entry {
    pub access: AccessId,
    pub instance: InstanceId,
    pub threads: Vec<ThreadId>,
}

/// All accesses to one kind of place.
pub(super) struct Group {
    pub place: Place,
    /// All accesses.
    pub accesses: Vec<AccessId>,
    /// The accesses that some thread reaches and that count.
    pub entries: Vec<Entry>,
    /// How many pairs there are, reachable or not.
    pub original: u64,
    /// How many pairs two threads reach that may run in parallel.
    pub reachable: u64,
}

/// The groups in the order of their places.
pub(super) fn of_accesses(facts: &Facts<'_, '_>, options: &Options) -> Vec<Group> {
    let by_place = by_place(facts);
    by_place.par_iter().map(|(place, accesses)| group(facts, options, *place, accesses)).collect()
}

/// The accesses that could conflict by their kind of place alone, in the order of their places.
pub(crate) fn by_place(facts: &Facts<'_, '_>) -> Vec<(Place, Vec<AccessId>)> {
    let mut by_place: BTreeMap<(Place, Option<ArrayKindKey>), Vec<AccessId>> = BTreeMap::new();
    for (id, access) in facts.accesses.all.iter_ids() {
        by_place.entry((access.place, access.element.map(ArrayKindKey))).or_default().push(id);
    }
    by_place.into_iter().map(|((place, _), accesses)| (place, accesses)).collect()
}

/// Array kinds by the order of their declaration.
#[derive(PartialEq, Eq)]
struct ArrayKindKey(ArrayKind);

impl ArrayKindKey {
    fn position(&self) -> u8 {
        self.0 as u8
    }
}

impl PartialOrd for ArrayKindKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayKindKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.position().cmp(&other.position())
    }
}

fn group(facts: &Facts<'_, '_>, options: &Options, place: Place, accesses: &[AccessId]) -> Group {
    let kind = |id: &AccessId| facts.accesses.all[*id].kind;
    let writes = accesses.iter().filter(|id| kind(id) == AccessKind::Write).count() as u64;
    let reads = accesses.len() as u64 - writes;
    let mut group = Group {
        place,
        accesses: accesses.to_vec(),
        entries: Vec::new(),
        original: pairs(writes, reads),
        reachable: 0,
    };
    if writes == 0 {
        return group;
    }
    // Accesses with the same threads are counted together: there are few sets of threads and many accesses.
    let mut by_threads: FastMap<Vec<ThreadId>, (u64, u64)> = FastMap::default();
    for &access in accesses.iter().filter(|&&access| counts(facts, options, access)) {
        let mut all_threads: Vec<ThreadId> = Vec::new();
        for &instance in facts.view.analysis.instances_of(facts.accesses.all[access].method) {
            let mut threads = facts.threads.may_execute(instance).to_vec();
            threads.retain(|&thread| executes(facts, options, thread, access));
            if !threads.is_empty() {
                all_threads.extend(threads.iter().copied());
                group.entries.push(Entry { access, instance, threads });
            }
        }
        all_threads.sort_unstable();
        all_threads.dedup();
        let count = by_threads.entry(all_threads).or_default();
        match facts.accesses.all[access].kind {
            AccessKind::Read => count.1 += 1,
            AccessKind::Write => count.0 += 1,
        }
    }
    let classes: Vec<(Vec<ThreadId>, (u64, u64))> = by_threads.into_iter().collect();
    for (position, (threads, (writes, reads))) in classes.iter().enumerate() {
        if may_overlap(facts, threads, threads) {
            group.reachable += pairs(*writes, *reads);
        }
        for (others, (other_writes, other_reads)) in &classes[position + 1..] {
            if may_overlap(facts, threads, others) {
                group.reachable += writes * (other_writes + other_reads) + reads * other_writes;
            }
        }
    }
    group
}

/// How many unordered pairs with at least one write there are; an access pairs with itself.
fn pairs(writes: u64, reads: u64) -> u64 {
    writes * (writes + 1) / 2 + writes * reads
}

pub(super) fn may_overlap(facts: &Facts<'_, '_>, first: &[ThreadId], second: &[ThreadId]) -> bool {
    first.iter().any(|&a| second.iter().any(|&b| a != b || facts.threads.all[a].many))
}

/// Whether an access in a thread counts: what class initialisers do counts where it is to what belongs to others.
pub(super) fn executes(facts: &Facts<'_, '_>, options: &Options, thread: ThreadId, access: AccessId) -> bool {
    facts.threads.all[thread].origin != Origin::Initializers
        || options.include_initializers
        || facts.order.may_be_late_initialization(access)
}

/// Whether an access counts: it is no initialisation.
pub(super) fn counts(facts: &Facts<'_, '_>, options: &Options, id: AccessId) -> bool {
    if options.include_initializers {
        return true;
    }
    let access = &facts.accesses.all[id];
    let program = facts.view.program;
    let method = &program.methods[access.method];
    let is_late = facts.order.may_be_late_initialization(id);
    !(method.is_class_initializer() && !is_late || constructs(facts, id) && is_unpublished(facts, id))
}

/// Whether an access is one of a constructor to its own object.
pub(crate) fn constructs(facts: &Facts<'_, '_>, id: AccessId) -> bool {
    let access = &facts.accesses.all[id];
    let own = facts.view.program.body(access.method).and_then(|body| body.parameters.first().copied());
    facts.view.program.methods[access.method].is_constructor() && access.base.is_some() && access.base == own
}

/// Whether the object is not yet published when an access executes, whoever executes it.
fn is_unpublished(facts: &Facts<'_, '_>, id: AccessId) -> bool {
    let (view, threads, accesses) = (facts.view, facts.threads, facts.accesses);
    view.analysis.instances_of(accesses.all[id].method).iter().all(|&instance| {
        let in_threads = |object| {
            facts.publication.must_be_unpublished_in(view, threads, accesses, (id, instance), object)
        };
        threads.may_execute(instance).is_empty()
            || accesses
                .may_touch(view, id, instance)
                .iter()
                .all(|object| in_threads(object) == InThreads::All)
    })
}
