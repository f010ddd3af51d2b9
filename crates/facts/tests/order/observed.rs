//! Soundness of proofs: what a run executes unordered is not proved to be ordered.
//!
//! The interpreter runs a program under several schedules. Vector clocks over starts, joins, monitors and volatile accesses (those of
//! the library's code included, so that executors and latches order what they order) tell which conflicting accesses of the
//! application were unordered. For each such pair some candidate must not be refuted by a proof.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_facts::{AccessId, Strength};
use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, run};
use selvedge_world::{Program, Tier};

use crate::support::{candidates, program_or_skip, with_facts};

type Clock = BTreeMap<ThreadId, u64>;

fn join(into: &mut Clock, other: &Clock) {
    for (&thread, &time) in other {
        let known = into.entry(thread).or_default();
        *known = time.max(*known);
    }
}

/// What orders the accesses of a run, and those that nothing orders.
struct Clocks<'p> {
    program: &'p Program,
    of_threads: BTreeMap<ThreadId, Clock>,
    of_monitors: BTreeMap<ObjRef, Clock>,
    of_volatiles: BTreeMap<String, Clock>,
    /// By place: who accessed it when and where, and whether it wrote.
    accesses: BTreeMap<String, Vec<(ThreadId, u64, Site, bool)>>,
    unordered: BTreeSet<(Site, Site)>,
}

impl Clocks<'_> {
    fn clock(&mut self, thread: ThreadId) -> &mut Clock {
        self.of_threads.entry(thread).or_insert_with(|| Clock::from([(thread, 1)]))
    }

    fn tick(&mut self, thread: ThreadId) {
        *self.clock(thread).entry(thread).or_insert(1) += 1;
    }
}

impl Observer for Clocks<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, access: &Access) {
        let place = match access.place {
            Place::Field(object, field) => format!("{object:?}.{field}"),
            Place::Static(field) => format!("{field}"),
            Place::Element(object, index) => format!("{object:?}[{index}]"),
        };
        if access.is_volatile {
            let known = self.of_volatiles.entry(place.clone()).or_default().clone();
            join(self.clock(access.thread), &known);
            if access.is_write {
                let clock = self.clock(access.thread).clone();
                join(self.of_volatiles.entry(place).or_default(), &clock);
                self.tick(access.thread);
            }
            return;
        }
        let Some(site) = access.site else { return };
        let method = &self.program.methods[site.method];
        if self.program.classes[method.class].tier != Tier::Application || method.is_class_initializer() {
            return;
        }
        let clock = self.clock(access.thread).clone();
        let seen = self.accesses.entry(place).or_default();
        for &(thread, time, other, wrote) in seen.iter() {
            let is_before = clock.get(&thread).is_some_and(|&known| time <= known);
            if thread != access.thread && !is_before && (wrote || access.is_write) {
                self.unordered.insert((other.min(site), other.max(site)));
            }
        }
        seen.push((access.thread, clock[&access.thread], site, access.is_write));
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, _: u32) {
        let known = self.of_monitors.entry(object).or_default().clone();
        join(self.clock(thread), &known);
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, _: u32) {
        let clock = self.clock(thread).clone();
        join(self.of_monitors.entry(object).or_default(), &clock);
        self.tick(thread);
    }

    fn thread_start(&mut self, parent: ThreadId, _: Option<Site>, child: ThreadId, _: ObjRef) {
        let clock = self.clock(parent).clone();
        join(self.clock(child), &clock);
        self.tick(parent);
    }

    fn thread_join(&mut self, thread: ThreadId, _: Option<Site>, other: ThreadId) {
        let clock = self.clock(other).clone();
        join(self.clock(thread), &clock);
    }
}

/// The unordered pairs of some runs.
fn unordered(program: &Program, main: &str) -> BTreeSet<(Site, Site)> {
    let mut found = BTreeSet::new();
    for seed in 0..4 {
        let mut clocks = Clocks {
            program,
            of_threads: BTreeMap::new(),
            of_monitors: BTreeMap::new(),
            of_volatiles: BTreeMap::new(),
            accesses: BTreeMap::new(),
            unordered: BTreeSet::new(),
        };
        run(program, main, &Options { seed, ..Options::default() }, &mut clocks).unwrap();
        found.extend(clocks.unordered);
    }
    found
}

fn check(program: &Program, main: &str, least: usize) {
    let pairs = unordered(program, main);
    assert!(pairs.len() >= least, "{main}: the runs show only {} unordered pairs", pairs.len());
    with_facts(program, main, |view, threads, accesses, order| {
        for (first, second) in pairs {
            let at = |site: Site| -> Vec<AccessId> {
                let of_method = accesses.of_method(site.method).iter().copied();
                let body = program.body(site.method).unwrap();
                of_method.filter(|&access| body.insts[accesses.all[access].inst].bci == site.bci).collect()
            };
            let mut all = Vec::new();
            for a in at(first) {
                for b in at(second) {
                    all.extend(candidates(view, threads, accesses, [a, b]));
                }
            }
            let is_proved = |candidate: &_| {
                order.refute(candidate).is_some_and(|reason| reason.strength == Strength::Proof)
            };
            let wrong = all.iter().all(is_proved);
            let reasons: Vec<_> = all.iter().filter_map(|candidate| order.refute(candidate)).collect();
            let [first, second] = [first, second].map(|site| program.describe_method(site.method));
            assert!(!wrong, "{main}: {first} and {second} were unordered in a run, but {reasons:?}");
        }
    });
}

#[test]
fn what_runs_unordered_is_not_proved_to_be_ordered() {
    let Some(program) = program_or_skip() else { return };
    if program.jdk_version != 17 {
        return selvedge_testkit::skip("the interpreter runs the library of JDK 17");
    }
    for (main, least) in [
        ("StartJoin", 1),
        ("Siblings", 1),
        ("LoopTurns", 0),
        ("Nested", 0),
        ("HelpersTwice", 1),
        ("InField", 0),
        ("JoinLoops$Arrays", 0),
        ("JoinLoops$Broken", 0),
        ("JoinLoops$BrokenLists", 0),
        ("Signalling$Flags", 1),
        ("Signalling$Latches", 0),
    ] {
        check(program, main, least);
    }
}
