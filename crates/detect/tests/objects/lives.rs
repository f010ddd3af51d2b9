//! Use graphs against runs of random programs: no two conflicting accesses that nothing orders are ever judged safe, and what is said to
//! come before an object's escape does.
//!
//! Order in a run is that of starts and joins of threads; two accesses that hold a common lock do not conflict. Locks that happen to
//! be taken one after the other order nothing: another schedule could have turned them around.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use selvedge_detect::Facts;
use selvedge_detect::uses::{Events, Explorer, Kind, Life, Subject, UseClass, judge};
use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, run};
use selvedge_ir::ClassName;
use selvedge_pta::heap::Site as HeapSite;
use selvedge_testkit::Sources;
use selvedge_world::{ClassId, MethodId, Tier};

use crate::random::{batch, seeds};
use crate::support::{describe, load_or_skip, with_facts};

/// Programs that are analysed and run together.
const TOGETHER: u64 = 40;

type Clock = BTreeMap<ThreadId, u32>;

/// An access: who, when (its own time, and what it knows of others), where, whether it writes, what it holds.
struct Done {
    thread: ThreadId,
    time: u32,
    clock: Clock,
    site: Site,
    is_write: bool,
    held: BTreeSet<ObjRef>,
}

#[derive(Default)]
struct Lives {
    clocks: BTreeMap<ThreadId, Clock>,
    held: BTreeMap<ThreadId, BTreeSet<ObjRef>>,
    made: BTreeMap<ObjRef, Site>,
    done: HashMap<Place, Vec<Done>>,
    /// For each object the threads that accessed it so far, and the accesses that came after one of another thread.
    users: BTreeMap<ObjRef, BTreeSet<ThreadId>>,
    late: BTreeSet<(Site, Site)>,
    /// Where the methods that each thread is in were called.
    frames: BTreeMap<ThreadId, Vec<Option<Site>>>,
    /// What volatile fields tell whoever reads them.
    told: HashMap<Place, Clock>,
    /// The sites of the program's accesses: what the library does on its behalf counts where it is called.
    sites: BTreeSet<Site>,
}

impl Lives {
    fn tick(&mut self, thread: ThreadId) -> u32 {
        let time = self.clocks.entry(thread).or_default().entry(thread).or_default();
        *time += 1;
        *time
    }

    fn learn(&mut self, thread: ThreadId, other: Clock) {
        let clock = self.clocks.entry(thread).or_default();
        for (other, time) in other {
            let known = clock.entry(other).or_default();
            *known = time.max(*known);
        }
    }

    /// Whoever reads a volatile field knows what came before it was written.
    fn pass_on(&mut self, access: &Access) {
        self.tick(access.thread);
        if access.is_write {
            self.told.insert(access.place, self.clocks[&access.thread].clone());
        } else if let Some(told) = self.told.get(&access.place).cloned() {
            self.learn(access.thread, told);
        }
        self.tick(access.thread);
    }
}

impl Observer for Lives {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn allocation(&mut self, _: ThreadId, site: Option<Site>, object: ObjRef, _: ClassName) {
        self.made.extend(site.map(|site| (object, site)));
    }

    fn call(&mut self, thread: ThreadId, site: Option<Site>, _: MethodId) {
        self.frames.entry(thread).or_default().push(site);
    }

    fn leave(&mut self, thread: ThreadId, _: MethodId) {
        self.frames.entry(thread).or_default().pop();
    }

    fn access(&mut self, access: &Access) {
        if access.is_volatile {
            return self.pass_on(access);
        }
        let frames = self.frames.get(&access.thread).into_iter().flatten().rev().copied();
        let mut sites = std::iter::once(access.site).chain(frames).flatten();
        let Some(site) = sites.find(|site| self.sites.contains(site)) else { return };
        if let Place::Field(object, _) | Place::Element(object, _) = access.place {
            let Some(&made) = self.made.get(&object) else { return };
            let users = self.users.entry(object).or_default();
            if users.iter().any(|&user| user != access.thread) {
                self.late.insert((made, site));
            }
            users.insert(access.thread);
        }
        let time = self.tick(access.thread);
        let done = Done {
            thread: access.thread,
            time,
            clock: self.clocks[&access.thread].clone(),
            site,
            is_write: access.is_write,
            held: self.held.get(&access.thread).cloned().unwrap_or_default(),
        };
        self.done.entry(access.place).or_default().push(done);
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, _: u32) {
        self.held.entry(thread).or_default().insert(object);
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        if depth == 0 {
            self.held.entry(thread).or_default().remove(&object);
        }
    }

    fn thread_start(&mut self, parent: ThreadId, _: Option<Site>, child: ThreadId, _: ObjRef) {
        self.tick(parent);
        let known = self.clocks[&parent].clone();
        self.clocks.insert(child, known);
        self.tick(parent);
    }

    fn thread_join(&mut self, thread: ThreadId, _: Option<Site>, other: ThreadId) {
        let ended = self.clocks.get(&other).cloned().unwrap_or_default();
        self.learn(thread, ended);
    }
}

/// Whose life a run shows: an object by where it is made, or a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Shown {
    Made(Site),
    Class(ClassId),
}

/// What is said of the objects that an instruction makes, or of a class.
#[derive(Default)]
struct Judged {
    /// Whether some of them are in conflict.
    in_conflict: bool,
    /// The accesses that are said to come before their escape, and the others.
    before: BTreeSet<Site>,
    after: BTreeSet<Site>,
}

/// What is said of everything, and the accesses that are events at all: those of final fields and of the library are none.
///
/// What comes before an escape is found twice: by the control flow alone, and by the use graph, which is the reference.
fn judged(facts: &Facts<'_, '_>) -> (BTreeMap<Shown, Judged>, BTreeSet<Site>) {
    let events = Events::new(facts);
    let mut explorer = Explorer::new(events.control());
    let heap = &facts.view.analysis.heap;
    let site_of =
        |method, inst| Site { method, bci: facts.view.program.body(method).unwrap().insts[inst].bci };
    let mut found: BTreeMap<Shown, Judged> = BTreeMap::new();
    let events_at = facts.accesses.all.iter().map(|access| site_of(access.method, access.inst)).collect();
    for subject in events.subjects() {
        let shown = match subject {
            Subject::Class(class) => Shown::Class(class),
            Subject::Object(object) => match heap.site_of(heap.get(object).site) {
                HeapSite::Instruction { method, inst, .. } => Shown::Made(site_of(method, inst)),
                _ => continue,
            },
        };
        let life = Life::new(facts, &events, &mut explorer, subject);
        let graph = events.graph(facts, subject);
        let early = graph.before_escape();
        let judged = found.entry(shown).or_default();
        judged.in_conflict |= matches!(judge(facts, &life).verdict, UseClass::Conflicting(..));
        let mut by_graph: BTreeMap<_, bool> = BTreeMap::new();
        for (id, event) in graph.uses.iter_ids() {
            if let Kind::Get(access) | Kind::Put(access) = event.kind {
                by_graph.insert((access, event.instance, event.thread), early.contains(id));
            }
        }
        assert_eq!(by_graph.len(), life.accesses.len());
        for lived in &life.accesses {
            let side = lived.side;
            let said = by_graph[&(side.access, side.instance, side.thread)];
            assert_eq!(said, lived.is_early_by_order, "{subject:?}, {side:?}");
            let data = &facts.accesses.all[side.access];
            let into = if lived.is_early { &mut judged.before } else { &mut judged.after };
            into.insert(site_of(data.method, data.inst));
        }
    }
    (found, events_at)
}

#[test]
fn what_is_judged_safe_never_conflicts_in_a_run() {
    let seeds = seeds(40);
    let count = seeds.end - seeds.start;
    let (mut conflicts, mut statics, mut early) = (0, 0, 0);
    for first in seeds.clone().step_by(TOGETHER as usize) {
        let sources = batch(first..(first + TOGETHER).min(seeds.end));
        let texts: Vec<(&str, &str)> =
            sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let Some(program) = load_or_skip(Sources::Texts(&texts)) else { return };
        let (judged, events_at) = with_facts(&program, "Batch", judged);
        let mut lives = Lives { sites: events_at, ..Lives::default() };
        run(&program, "Batch", &Options { seed: first, ..Options::default() }, &mut lives).unwrap();
        for (made, site) in &lives.late {
            let Some(Judged { before, after, .. }) = judged.get(&Shown::Made(*made)) else { continue };
            early += before.len();
            let is_late = after.contains(site) || !before.contains(site);
            let [site, made] = [site, made].map(|site| describe(&program, *site));
            assert!(
                is_late,
                "of seeds from {first}: {site} on what {made} makes is said to come before its escape"
            );
        }
        for (place, done) in &lives.done {
            let shown = match place {
                Place::Field(object, _) | Place::Element(object, _) => Shown::Made(lives.made[object]),
                Place::Static(field) => Shown::Class(program.fields[*field].class),
            };
            // What the library makes for itself is a part of the object that the program uses.
            let is_own = |method| program.classes[program.methods[method].class].tier == Tier::Application;
            if matches!(shown, Shown::Made(site) if !is_own(site.method)) {
                continue;
            }
            let said = judged.get(&shown);
            let is_early = |site: &Site| said.is_some_and(|said| said.before.contains(site));
            let counts = |one: &&Done| !is_early(&one.site);
            let done: Vec<&Done> = done.iter().filter(counts).collect();
            for (position, a) in done.iter().enumerate() {
                for b in &done[position + 1..] {
                    let ordered = b.clock.get(&a.thread).is_some_and(|&time| time >= a.time);
                    let conflict = a.thread != b.thread
                        && (a.is_write || b.is_write)
                        && !ordered
                        && a.held.is_disjoint(&b.held);
                    if conflict {
                        conflicts += 1;
                        statics += u64::from(matches!(shown, Shown::Class(_)));
                        let is_told = said.is_some_and(|said| said.in_conflict);
                        let [a, b] = [a, b].map(|one| describe(&program, one.site));
                        assert!(
                            is_told,
                            "of seeds from {first}: {a} and {b} conflict on {place:?}, {shown:?}"
                        );
                    }
                }
            }
        }
    }
    println!(
        "{count} programs: {conflicts} conflicts, {statics} of them on static fields, {early} early accesses to objects that others \
         use later"
    );
    let is_enough = conflicts > 2 * count && early > 0;
    assert!(is_enough, "{conflicts} conflicts and {early} early accesses are too few");
}
