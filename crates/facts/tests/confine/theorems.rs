//! The theorems against runs: what two threads of a run do to one place must not be refuted.
//!
//! The interpreter runs the programs under several schedules. Where two threads accessed the same field or element, one of
//! them writing, some candidate with these two instructions and an object of that allocation must survive; and where
//! a thread accessed an object after another one, the access must not be said to be to an unpublished object.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_facts::{AccessId, Candidate, Facts};
use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, run};
use selvedge_ir::ClassName;
use selvedge_pta::heap::{ObjectId, Site as HeapSite};
use selvedge_world::{Program, Tier};

use crate::harness::{Basis, candidates, program_or_skip, with_basis};

/// The programs that the interpreter can run: no pools.
const PROGRAMS: [&str; 5] = ["SpecificWorkers", "SpecificTasks", "Publishing", "ArraySlots", "ArrayStrides"];

/// What a thread did to a place.
type Done = (ThreadId, Site, bool);

/// Two accesses of different threads to one place, and the instruction that allocated the object.
type Conflict = (Site, Site, Option<Site>);

struct Run<'p> {
    program: &'p Program,
    allocations: BTreeMap<ObjRef, Option<Site>>,
    done: Vec<(Place, BTreeSet<Done>)>,
    index: std::collections::HashMap<Place, usize>,
    /// Conflicts, and those accesses that came after one of another thread.
    conflicts: BTreeSet<Conflict>,
    late: BTreeSet<(Site, Option<Site>)>,
    first: BTreeMap<ObjRef, BTreeSet<ThreadId>>,
}

impl Observer for Run<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn allocation(&mut self, _: ThreadId, site: Option<Site>, object: ObjRef, _: ClassName) {
        self.allocations.insert(object, site);
    }

    fn access(&mut self, access: &Access) {
        let Some(site) = access.site.filter(|_| !access.is_volatile) else { return };
        let (Place::Field(object, _) | Place::Element(object, _)) = access.place else { return };
        let class = self.program.methods[site.method].class;
        if self.program.classes[class].tier != Tier::Application {
            return;
        }
        let allocated = self.allocations.get(&object).copied().flatten();
        let known = self.first.entry(object).or_default();
        if known.iter().any(|&thread| thread != access.thread) {
            self.late.insert((site, allocated));
        }
        known.insert(access.thread);
        let next = self.done.len();
        let position = *self.index.entry(access.place).or_insert(next);
        if position == next {
            self.done.push((access.place, BTreeSet::new()));
        }
        let done = &mut self.done[position].1;
        for &(thread, other, writes) in done.iter() {
            if thread != access.thread && (writes || access.is_write) {
                self.conflicts.insert((other, site, allocated));
            }
        }
        done.insert((access.thread, site, access.is_write));
    }
}

fn observe<'p>(program: &'p Program, name: &str, seed: u64) -> Run<'p> {
    let mut observed = Run {
        program,
        allocations: BTreeMap::new(),
        done: Vec::new(),
        index: std::collections::HashMap::new(),
        conflicts: BTreeSet::new(),
        late: BTreeSet::new(),
        first: BTreeMap::new(),
    };
    run(program, name, &Options { seed, ..Options::default() }, &mut observed).unwrap();
    observed
}

/// The instruction of an access, as runs name it.
fn site_of(basis: &Basis<'_>, access: AccessId) -> Site {
    let access = &basis.accesses.all[access];
    let body = basis.view.program.body(access.method).unwrap();
    Site { method: access.method, bci: body.insts[access.inst].bci }
}

/// The instruction that allocates an object, as runs name it.
fn allocation_of(basis: &Basis<'_>, object: ObjectId) -> Option<Site> {
    let heap = &basis.view.analysis.heap;
    match heap.site_of(heap.get(object).site) {
        HeapSite::Instruction { method, inst, .. } => {
            Some(Site { method, bci: basis.view.program.body(method).unwrap().insts[inst].bci })
        }
        _ => None,
    }
}

/// The conflicts that a refuter leaves.
fn left(basis: &Basis<'_>, refutes: impl Fn(&Candidate) -> bool) -> BTreeSet<Conflict> {
    let mut left = BTreeSet::new();
    for candidate in candidates(basis) {
        if let Some(object) = candidate.object
            && !refutes(&candidate)
        {
            let [a, b] = candidate.sides.map(|side| site_of(basis, side.access));
            let made = allocation_of(basis, object);
            left.extend([(a, b, made), (b, a, made)]);
        }
    }
    left
}

#[test]
fn what_runs_do_is_not_refuted() {
    let Some(program) = program_or_skip() else { return };
    let mut seen = 0;
    for name in PROGRAMS {
        let runs: Vec<Run<'_>> = (0..2).map(|seed| observe(program, name, seed)).collect();
        with_basis(program, name, false, |basis| {
            let facts = Facts::new(basis);
            let Facts { view, threads, accesses, publication, .. } = &facts;
            let left = left(basis, |candidate| {
                facts.escape.refute(view, candidate).is_some()
                    || facts.confinement.refute(view, candidate).is_some()
                    || facts.arrays.refute(&facts, candidate).is_some()
            });
            // Final fields give no accesses.
            let all: BTreeSet<Site> = accesses.all.ids().map(|access| site_of(basis, access)).collect();
            let mut published = BTreeSet::new();
            for candidate in candidates(basis) {
                let Some(object) = candidate.object else { continue };
                for side in &candidate.sides {
                    if !publication.must_be_unpublished(view, threads, accesses, side, object) {
                        published.insert((site_of(basis, side.access), allocation_of(basis, object)));
                    }
                }
            }
            for run in &runs {
                let known = |site: &Site| all.contains(site);
                for conflict in run.conflicts.iter().filter(|(a, b, _)| known(a) && known(b)) {
                    seen += 1;
                    assert!(left.contains(conflict), "{name}: refuted, but seen: {conflict:?}");
                    let (first, second, made) = *conflict;
                    for late in [(first, made), (second, made)].iter().filter(|late| run.late.contains(late))
                    {
                        assert!(published.contains(late), "{name}: not unpublished: {late:?}");
                    }
                }
            }
        });
    }
    assert!(seen > 20, "only {seen} conflicts were seen");
}
