//! The theorems against runs of random programs.
//!
//! The interpreter runs the programs; an observer keeps who refers to whom, on whose behalf code runs, and which locks are held:
//! the concrete object graph and the concrete events. Then, for every object of the run:
//!
//! - every concrete edge that code of the program makes is in the object graph;
//! - Theorem 1: an owned object is dominated, in the concrete graph, by an object of its owner's allocation;
//! - Theorem 2: whatever refers to it is that object, or is dominated by it, and lies in the owner's boundary;
//! - over an edge that is not re-entrant only one thread comes (non-re-entrancy);
//! - the lock map and Theorem 4: two threads that entered or used an object without holding a common lock are a race that is found. That
//!   is more than the theorem says, which speaks of two threads inside at the same time: whether they are is the schedule's choice.
//!
//! `SELVEDGE_RANDOM_PROGRAMS=5000` tests so many programs instead of the usual number, `SELVEDGE_RANDOM_PROGRAMS=400..440` those of these seeds.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use selvedge_base::{Csr, Dominators, Id, entity};
use selvedge_detect::Facts;
use selvedge_detect::objects::{ObjectRaces, What};
use selvedge_facts::NodeId;
use selvedge_interp::{Access, ObjRef, Observer, Options, Place, Site, ThreadId, Value, run};
use selvedge_ir::ClassName;
use selvedge_pta::heap::{ObjectId, Site as HeapSite};
use selvedge_testkit::Sources;
use selvedge_world::{MethodId, Program, Tier};

use crate::random::{batch, seeds};
use crate::support::{load_or_skip, with_facts};

/// Programs that are analysed and run together.
const TOGETHER: u64 = 40;

/// On whose behalf code runs, in a run. Objects that the library makes count as the root.
type Holder = Option<ObjRef>;

/// What happens to an object, in a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Did {
    Enter(MethodId),
    Use(Site),
}

struct Frame {
    method: MethodId,
    holder: Holder,
    /// The object that it runs on, and the holder that called.
    this: Holder,
    caller: Holder,
    /// Where it was called.
    site: Option<Site>,
}

type Done = (ThreadId, Did, BTreeSet<ObjRef>);

struct Run<'p> {
    program: &'p Program,
    frames: BTreeMap<ThreadId, Vec<Frame>>,
    held: BTreeMap<ThreadId, BTreeMap<ObjRef, u32>>,
    /// Where the objects of the program are made.
    made: BTreeMap<ObjRef, Site>,
    /// Edges, and whether code of the program made them.
    edges: BTreeMap<(Holder, ObjRef), bool>,
    events: BTreeMap<ObjRef, BTreeSet<Done>>,
    /// The threads that entered an object from another.
    passed: BTreeMap<(Holder, ObjRef), BTreeSet<ThreadId>>,
    /// The accesses that count as uses from outside.
    uses: &'p BTreeSet<Site>,
    /// The allocations of the program. What the machine throws is made where it happens.
    sites: &'p BTreeSet<Site>,
}

impl Run<'_> {
    fn is_application(&self, method: MethodId) -> bool {
        self.program.classes[self.program.methods[method].class].tier == Tier::Application
    }

    fn known(&self, object: ObjRef) -> Holder {
        self.made.contains_key(&object).then_some(object)
    }

    fn refer(&mut self, holder: Holder, object: Option<ObjRef>, by_program: bool) {
        // That an object knows itself is no edge.
        if let Some(object) =
            object.filter(|object| self.made.contains_key(object) && holder != Some(*object))
        {
            *self.edges.entry((holder, object)).or_default() |= by_program;
        }
    }

    fn happen(&mut self, thread: ThreadId, object: ObjRef, did: Did, from: Holder, between: bool) {
        let is_setup = |frame: &Frame| {
            let method = &self.program.methods[frame.method];
            self.is_application(frame.method) && (method.is_constructor() || method.is_class_initializer())
        };
        if self.frames[&thread].iter().any(is_setup) || !self.made.contains_key(&object) {
            return;
        }
        let held = self.held.get(&thread).into_iter().flat_map(|held| held.keys().copied()).collect();
        self.events.entry(object).or_default().insert((thread, did, held));
        if between {
            self.passed.entry((from, object)).or_default().insert(thread);
        }
    }
}

impl Observer for Run<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_values(&self) -> bool {
        true
    }

    fn call(&mut self, thread: ThreadId, site: Option<Site>, callee: MethodId) {
        let frames = self.frames.entry(thread).or_default();
        let holder = frames.last().and_then(|frame| frame.holder);
        frames.push(Frame { method: callee, holder, this: None, caller: holder, site });
    }

    fn leave(&mut self, thread: ThreadId, callee: MethodId) {
        let frames = self.frames.entry(thread).or_default();
        assert_eq!(frames.pop().map(|frame| frame.method), Some(callee));
    }

    fn allocation(&mut self, thread: ThreadId, site: Option<Site>, object: ObjRef, _: ClassName) {
        let Some(site) = site.filter(|site| self.sites.contains(site)) else { return };
        self.made.insert(object, site);
        let holder = self.frames.get(&thread).and_then(|frames| frames.last()?.holder);
        self.refer(holder, Some(object), true);
    }

    fn define(
        &mut self,
        thread: ThreadId,
        method: MethodId,
        variable: selvedge_ir::Value,
        object: Option<ObjRef>,
    ) {
        let parameters = &self.program.body(method).unwrap().parameters;
        let data = &self.program.methods[method];
        let own = object.and_then(|object| self.known(object));
        let is_this = parameters.first() == Some(&variable) && !data.is_static();
        let by_program = self.is_application(method);
        let frame = self.frames.get_mut(&thread).unwrap().last_mut().unwrap();
        assert_eq!(frame.method, method);
        if is_this {
            (frame.holder, frame.this) = (own, own);
            let caller = frame.caller;
            if let Some(this) = own.filter(|_| by_program) {
                // A call through `this` is one of the same object; a call of another object of the same kind is not.
                self.happen(thread, this, Did::Enter(method), caller, caller != own);
            } else if let (Some(site), Some(this)) = (frame.site.filter(|site| self.uses.contains(site)), own)
            {
                // A call on an object of the library, where the program makes it.
                self.happen(thread, this, Did::Use(site), caller, true);
            }
        }
        let holder = self.frames[&thread].last().unwrap().holder;
        self.refer(holder, object, by_program);
    }

    fn access(&mut self, access: &Access) {
        let value = match access.value {
            Value::Ref(value) => value,
            _ => None,
        };
        let by_program = access.site.is_some_and(|site| self.is_application(site.method));
        let (holder, object) = match access.place {
            Place::Static(_) => (None, None),
            Place::Field(object, _) | Place::Element(object, _) => (self.known(object), Some(object)),
        };
        self.refer(holder, value, by_program);
        if let (Some(site), Some(object)) = (access.site.filter(|site| self.uses.contains(site)), object) {
            let from = self.frames[&access.thread].last().and_then(|frame| frame.holder);
            self.happen(access.thread, object, Did::Use(site), from, true);
        }
    }

    fn monitor_enter(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        self.held.entry(thread).or_default().insert(object, depth);
    }

    fn monitor_exit(&mut self, thread: ThreadId, _: Option<Site>, object: ObjRef, depth: u32) {
        if depth == 0 {
            self.held.entry(thread).or_default().remove(&object);
        }
    }
}

entity! {
    /// A node of a concrete graph: the root, then the objects.
    Node "c";
}

/// How much the runs had to say.
#[derive(Default, Debug)]
struct Tally {
    edges: usize,
    owned: usize,
    makers: usize,
    races: usize,
    serial: usize,
}

/// Names abstract things as runs do.
struct Abstract<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    objects: HashMap<Site, Vec<ObjectId>>,
    races: BTreeSet<(Site, Did, Did)>,
}

impl<'f, 'g, 'a> Abstract<'f, 'g, 'a> {
    fn new(facts: &'f Facts<'g, 'a>, races: &ObjectRaces) -> Self {
        let heap = &facts.view.analysis.heap;
        let mut objects: HashMap<Site, Vec<ObjectId>> = HashMap::new();
        let mut sites: HashMap<ObjectId, Site> = HashMap::new();
        for (object, data) in heap.objects() {
            if let HeapSite::Instruction { method, inst, .. } = heap.site_of(data.site) {
                let site = Site { method, bci: facts.view.program.body(method).unwrap().insts[inst].bci };
                objects.entry(site).or_default().push(object);
                sites.insert(object, site);
            }
        }
        let did = |what: What| match what {
            What::Method(tuple) => facts.view.method_of(races.calls.tuples[tuple].1).map(Did::Enter),
            What::Use(access, _) => {
                let access = &facts.accesses.all[access];
                let bci = facts.view.program.body(access.method).unwrap().insts[access.inst].bci;
                Some(Did::Use(Site { method: access.method, bci }))
            }
        };
        let mut found = BTreeSet::new();
        for object in races.meetings.objects() {
            let Some(&site) = sites.get(&object) else { continue };
            for (a, b) in races.on(facts, object) {
                let [a, b] = [a, b].map(|deed| did(races.meetings.deeds[deed].what));
                if let (Some(a), Some(b)) = (a, b) {
                    found.extend([(site, a, b), (site, b, a)]);
                }
            }
        }
        Self { facts, objects, races: found }
    }

    fn nodes(&self, run: &Run<'_>, holder: Holder) -> Vec<NodeId> {
        match holder {
            None => vec![NodeId::ROOT],
            Some(object) => {
                self.objects[&run.made[&object]].iter().map(|&object| NodeId::of(object)).collect()
            }
        }
    }

    fn check(&self, run: &Run<'_>, tally: &mut Tally) {
        let graph = &self.facts.ownership().graph;
        for (&(holder, object), &by_program) in run.edges.iter().filter(|(_, by_program)| **by_program) {
            let targets = &self.objects[&run.made[&object]];
            let mut froms = self.nodes(run, holder).into_iter();
            let is_there = froms.any(|from| targets.iter().any(|&to| graph.successors(from).contains(to)));
            assert!(
                is_there,
                "no edge for {holder:?} -> {object:?} ({by_program}), made at {:?}",
                run.made[&object]
            );
            tally.edges += 1;
        }
        self.check_owners(run, tally);
        for (&(holder, object), threads) in &run.passed {
            let targets = &self.objects[&run.made[&object]];
            let mut froms = self.nodes(run, holder).into_iter();
            let is_open = froms.any(|from| {
                targets.iter().any(|&to| {
                    graph.is_reentrant(from, to)
                        || (from == NodeId::ROOT && graph.successors(from).contains(to))
                })
            });
            if !is_open {
                assert!(threads.len() <= 1, "{threads:?} over {holder:?} -> {object:?}");
                tally.makers += 1;
            }
        }
        for (object, events) in &run.events {
            let events: Vec<&Done> = events.iter().collect();
            for (position, a) in events.iter().enumerate() {
                for b in events[position..].iter().filter(|b| b.0 != a.0) {
                    if !a.2.is_disjoint(&b.2) {
                        tally.serial += 1;
                        continue;
                    }
                    tally.races += 1;
                    let race = (run.made[object], a.1, b.1);
                    assert!(self.races.contains(&race), "not found: {race:?}, {}", self.describe(&race));
                }
            }
        }
    }

    fn describe(&self, (site, a, b): &(Site, Did, Did)) -> String {
        let program = self.facts.view.program;
        let method = |method| program.describe_method(method);
        let did = |did: &Did| match did {
            Did::Enter(entered) => method(*entered),
            Did::Use(site) => {
                format!(
                    "{} line {:?}",
                    method(site.method),
                    program.body(site.method).unwrap().line(site.bci)
                )
            }
        };
        format!("made in {}: {} and {}", method(site.method), did(a), did(b))
    }

    /// Theorems 1 and 2.
    fn check_owners(&self, run: &Run<'_>, tally: &mut Tally) {
        let numbers: HashMap<ObjRef, Node> = run
            .made
            .keys()
            .enumerate()
            .map(|(index, &object)| (object, Node::from_index(index + 1)))
            .collect();
        let node = |holder: Holder| holder.map_or(Node::new(0), |object| numbers[&object]);
        let edges: Vec<(Node, Node)> =
            run.edges.keys().map(|&(holder, object)| (node(holder), node(Some(object)))).collect();
        let dominators = Dominators::compute(&Csr::from_edges(run.made.len() + 1, &edges), &[Node::new(0)]);
        let objects: Vec<ObjRef> = run.made.keys().copied().collect();
        let ownership = self.facts.ownership();
        let mut owner_of: BTreeMap<ObjRef, ObjRef> = BTreeMap::new();
        for (&object, site) in &run.made {
            let kinds = &self.objects[site];
            if kinds.iter().any(|&kind| ownership.is_distributed(kind)) {
                continue;
            }
            let above = std::iter::successors(dominators.immediate(node(Some(object))), |&above| {
                dominators.immediate(above)
            });
            let above: Vec<ObjRef> =
                above.filter_map(|above| above.index().checked_sub(1)).map(|index| objects[index]).collect();
            let is_owner = |candidate: &&ObjRef| {
                let owner = |kind: &ObjectId| ownership.owner(*kind).object();
                let candidates = &self.objects[&run.made[candidate]];
                kinds.iter().filter_map(owner).any(|owner| candidates.contains(&owner))
            };
            let owner = above.iter().find(is_owner);
            let owner =
                owner.unwrap_or_else(|| panic!("{object:?} made at {site:?} has no owner in {above:?}"));
            owner_of.insert(object, *owner);
            tally.owned += 1;
        }
        for &(holder, object) in run.edges.keys() {
            let Some(&owner) = owner_of.get(&object) else { continue };
            let holder = holder.expect("the root refers to nothing that is owned");
            let (owner_node, holder_node) = (node(Some(owner)), node(Some(holder)));
            assert!(
                dominators.dominates(owner_node, holder_node),
                "{holder:?} refers to {object:?} of {owner:?}"
            );
            let kinds = &self.objects[&run.made[&object]];
            let inside = kinds.iter().any(|&kind| {
                let boundary = ownership.owner(kind);
                self.nodes(run, Some(holder)).into_iter().any(|holder| {
                    holder == boundary
                        || holder.object().is_some_and(|object| ownership.is_inside(boundary, object))
                })
            });
            assert!(inside, "{holder:?} is outside of the boundary that holds {object:?}");
        }
    }
}

#[test]
fn runs_of_random_programs_obey_the_theorems() {
    let seeds = seeds(80);
    let count = seeds.end - seeds.start;
    let mut tally = Tally::default();
    for first in seeds.clone().step_by(TOGETHER as usize) {
        let sources = batch(first..(first + TOGETHER).min(seeds.end));
        let texts: Vec<(&str, &str)> =
            sources.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let Some(program) = load_or_skip(Sources::Texts(&texts)) else { return };
        with_facts(&program, "Batch", |facts| {
            let races = ObjectRaces::new(facts);
            let named = Abstract::new(facts, &races);
            let uses = uses(facts);
            let of_program = |site: &&Site| facts.view.is_application(site.method);
            let sites: BTreeSet<Site> = named.objects.keys().filter(of_program).copied().collect();
            for seed in 0..2 {
                let mut observed = Run {
                    program: &program,
                    frames: BTreeMap::new(),
                    held: BTreeMap::new(),
                    made: BTreeMap::new(),
                    edges: BTreeMap::new(),
                    events: BTreeMap::new(),
                    passed: BTreeMap::new(),
                    uses: &uses,
                    sites: &sites,
                };
                run(&program, "Batch", &Options { seed, ..Options::default() }, &mut observed).unwrap();
                named.check(&observed, &mut tally);
            }
        });
    }
    println!("{count} programs: {tally:?}");
    let Tally { edges, owned, makers, races, serial } = tally;
    let enough = [edges > 20 * count as usize, owned > 100, makers > 10, races > 500, serial > 100];
    assert!(enough.iter().all(|&enough| enough), "the runs have too little to say: {tally:?}");
}

/// The accesses of the program that are uses from outside.
fn uses(facts: &Facts<'_, '_>) -> BTreeSet<Site> {
    let mut found = BTreeSet::new();
    for (access, data) in facts.accesses.all.iter_ids() {
        let instances = facts.view.analysis.instances_of(data.method);
        let is_own = |&instance: &_| selvedge_detect::objects::is_own_state(facts, access, instance);
        if data.base.is_some() && !instances.iter().any(is_own) {
            let bci = facts.view.program.body(data.method).unwrap().insts[data.inst].bci;
            found.insert(Site { method: data.method, bci });
        }
    }
    found
}
