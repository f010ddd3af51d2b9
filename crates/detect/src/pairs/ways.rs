//! All call paths to the accesses of a finding, and all objects that it may be about.
//!
//! For every pair that survived, the analysis keeps one way in which it may happen. Here the others come back, as "Effective Static Race
//! Detection for Java" reports them (sections 1.2 and 2.3): every path in the call graph from the starts of the two threads to the methods of
//! the accesses, in the contexts that touch the raced object, as one graph; and every shared object that both accesses may touch.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use selvedge_base::{Components, Csr, FastMap, FastSet, Id, entity};
use selvedge_facts::{AccessId, Candidate, ThreadId};
use selvedge_findings::{CallPaths, Finding, Frame, ObjectInfo, PathCall, PathMethod};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use crate::Facts;
use crate::names::Names;

entity! {
    /// A method of the graph.
    NodeId "n";
}

/// How many methods a graph shows: a word has a bit for each.
const MOST_METHODS: usize = u64::BITS as usize;

/// How many instances are followed backwards from the accesses of a finding.
const MOST_FOLLOWED: usize = 1_000;

/// How many surviving pairs of a finding are looked at.
const MOST_PAIRS: usize = 200;

/// How many objects of a finding are named.
const MOST_OBJECTS: usize = 20;

/// Adds all call paths and all objects to a finding, whose pairs are these.
pub(super) fn add(facts: &Facts<'_, '_>, names: &Names<'_, '_>, finding: &mut Finding, pairs: &[Candidate]) {
    let pairs = &pairs[..pairs.len().min(MOST_PAIRS)];
    let mut objects: Vec<ObjectInfo> =
        objects(facts, pairs).into_iter().map(|object| names.object(object)).collect();
    objects.sort_unstable();
    objects.dedup();
    if objects.len() > 1 {
        finding.objects = objects;
    }
    finding.call_paths = Some(graph(facts, names, finding, pairs));
}

/// The shared objects that both accesses of some pair may touch.
fn objects(facts: &Facts<'_, '_>, pairs: &[Candidate]) -> BTreeSet<ObjectId> {
    let mut found = BTreeSet::new();
    for candidate in pairs.iter().filter(|candidate| candidate.object.is_some()) {
        let [first, second] =
            candidate.sides.map(|side| facts.accesses.may_touch(facts.view, side.access, side.instance));
        let common = first.iter().filter(|&object| second.contains(object));
        found.extend(common.filter(|&object| facts.escape.may_be_shared(object)).take(MOST_OBJECTS));
        found.extend(candidate.object);
        if found.len() >= MOST_OBJECTS {
            break;
        }
    }
    found.into_iter().take(MOST_OBJECTS).collect()
}

/// What is followed backwards from the accesses.
#[derive(Default)]
struct Followed {
    /// The instances, the nearest first.
    instances: Vec<InstanceId>,
    known: FastSet<InstanceId>,
    /// Those that the threads start with.
    starts: FastSet<InstanceId>,
    /// Methods of which a caller was not followed any more.
    left_out: BTreeSet<InstanceId>,
}

fn graph(facts: &Facts<'_, '_>, names: &Names<'_, '_>, finding: &Finding, pairs: &[Candidate]) -> CallPaths {
    let mut asked: BTreeSet<(ThreadId, AccessId, Option<ObjectId>)> = BTreeSet::new();
    for candidate in pairs {
        asked.extend(candidate.sides.map(|side| (side.thread, side.access, candidate.object)));
    }
    let mut followed = Followed::default();
    let mut accessing: FastSet<MethodId> = FastSet::default();
    let threads: BTreeSet<ThreadId> = asked.iter().map(|&(thread, ..)| thread).collect();
    for thread in threads {
        let goals = asked.iter().filter(|(of, ..)| *of == thread);
        let goals = goals.flat_map(|&(_, access, object)| {
            accessing.insert(facts.accesses.all[access].method);
            instances_touching(facts, thread, access, object)
        });
        let goals = goals.collect();
        follow(facts, names, thread, goals, &mut followed);
    }
    let is_own = |instance: &InstanceId| facts.view.is_application_instance(*instance);
    let mut nodes: FastMap<MethodId, NodeId> = FastMap::default();
    let mut paths = CallPaths::default();
    let mut missing: FastSet<MethodId> = FastSet::default();
    for method in followed.instances.iter().filter(|it| is_own(it)).filter_map(|&it| facts.view.method_of(it))
    {
        if nodes.contains_key(&method) {
            continue;
        }
        if paths.methods.len() == MOST_METHODS {
            missing.insert(method);
            continue;
        }
        nodes.insert(method, NodeId::from_index(paths.methods.len()));
        let at = Frame { line: None, bytecode_index: None, ..names.frame(method, None) };
        let is_access = accessing.contains(&method);
        paths.methods.push(PathMethod { at, is_start: false, is_access });
    }
    paths.left_out = (missing.len() + followed.left_out.len()) as u32;
    let leads = leads(facts, names, &followed, &nodes);
    let mut calls: BTreeSet<PathCall> = BTreeSet::new();
    for &instance in &followed.instances {
        let is_start = followed.starts.contains(&instance);
        if !is_own(&instance) {
            let led_to = if is_start { leads.get(&instance).copied().unwrap_or(0) } else { 0 };
            ones(led_to).for_each(|to| paths.methods[to as usize].is_start = true);
            continue;
        }
        let method = facts.view.method_of(instance);
        let Some((method, &from)) = method.and_then(|method| Some((method, nodes.get(&method)?))) else {
            continue;
        };
        paths.methods[from.index()].is_start |= is_start;
        for call in facts.view.calls(instance) {
            let followed = call.callees.iter().filter(|&&callee| {
                leads.contains_key(&callee) && facts.threads.is_call(facts.view, instance, callee)
            });
            let led_to = followed.fold(0, |led_to, callee| led_to | leads[callee]);
            if led_to != 0 {
                let line = call.inst.and_then(|inst| facts.view.line(method, inst));
                calls.extend(ones(led_to).map(|to| PathCall { from: from.number(), to, line }));
            }
        }
    }
    paths.calls = calls.into_iter().collect();
    let counts = counts(&paths);
    let leading = |method: &str| {
        let is_it = |(_, node): &(usize, &PathMethod)| node.is_access && node.at.method == method;
        paths.methods.iter().enumerate().find(is_it).map_or(0, |(index, _)| counts[index])
    };
    paths.leading = [0, 1].map(|side: usize| leading(&finding.sides[side].at.method));
    paths
}

/// The instances of an access's method that a thread executes and in which it touches the object.
fn instances_touching(
    facts: &Facts<'_, '_>,
    thread: ThreadId,
    access: AccessId,
    object: Option<ObjectId>,
) -> Vec<InstanceId> {
    let reached = &facts.threads.reached[thread];
    let touches = |&instance: &InstanceId| {
        let touched = || facts.accesses.may_touch(facts.view, access, instance);
        reached.contains(instance) && object.is_none_or(|object| touched().contains(object))
    };
    let instances = facts.view.analysis.instances_of(facts.accesses.all[access].method);
    instances.iter().copied().filter(touches).collect()
}

/// Follows the callers of some instances that a thread executes.
fn follow(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    thread: ThreadId,
    goals: Vec<InstanceId>,
    followed: &mut Followed,
) {
    let reached = &facts.threads.reached[thread];
    followed.starts.extend(&facts.threads.all[thread].entries);
    let mut seen: FastSet<InstanceId> = goals.iter().copied().collect();
    let mut pending: VecDeque<InstanceId> = goals.into();
    while let Some(instance) = pending.pop_front() {
        if followed.instances.len() >= MOST_FOLLOWED {
            followed.left_out.insert(instance);
            continue;
        }
        if followed.known.insert(instance) {
            followed.instances.push(instance);
        }
        let callers = names.callers(instance).iter().copied();
        pending.extend(callers.filter(|&caller| reached.contains(caller) && seen.insert(caller)));
    }
}

/// The methods of the graph that a call of each followed instance comes to first, as bits: the instance's own method or, of library code, those
/// of the application that it leads to through library code.
fn leads(
    facts: &Facts<'_, '_>,
    names: &Names<'_, '_>,
    followed: &Followed,
    nodes: &FastMap<MethodId, NodeId>,
) -> FastMap<InstanceId, u64> {
    let is_own = |instance: InstanceId| facts.view.is_application_instance(instance);
    let mut leads: FastMap<InstanceId, u64> = FastMap::default();
    for &instance in followed.instances.iter().filter(|&&instance| is_own(instance)) {
        let node = facts.view.method_of(instance).and_then(|method| nodes.get(&method));
        leads.extend(node.map(|node| (instance, 1 << node.number())));
    }
    let mut pending: Vec<InstanceId> = leads.keys().copied().collect();
    while let Some(callee) = pending.pop() {
        let led_to = leads[&callee];
        let callers = names.callers(callee).iter().copied();
        for caller in callers.filter(|caller| followed.known.contains(caller) && !is_own(*caller)) {
            let known = leads.entry(caller).or_default();
            if *known | led_to != *known {
                *known |= led_to;
                pending.push(caller);
            }
        }
    }
    leads
}

/// The numbers of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(lowest)
    })
}

/// How many paths lead to each method from a start; those that call each other in a circle are one.
fn counts(paths: &CallPaths) -> Vec<u64> {
    let node = |index: u32| NodeId::new(index);
    let edges: Vec<(NodeId, NodeId)> =
        paths.calls.iter().map(|call| (node(call.from), node(call.to))).collect();
    let graph = Csr::from_edges(paths.methods.len(), &edges);
    let circles = Components::compute(&graph);
    let mut incoming: BTreeMap<usize, Vec<&PathCall>> = BTreeMap::new();
    for call in &paths.calls {
        let [from, to] = [call.from, call.to].map(|index| circles.of(node(index)));
        if from != to {
            incoming.entry(to.index()).or_default().push(call);
        }
    }
    let mut leading: Vec<u64> = vec![0; circles.len()];
    // Callers have higher numbers than what they call.
    for circle in circles.ids().rev() {
        let members = circles.members(circle);
        let starts = members.iter().any(|member| paths.methods[member.index()].is_start);
        let before = incoming.get(&circle.index()).into_iter().flatten();
        let sum: u64 = before.map(|call| leading[circles.of(node(call.from)).index()]).sum();
        leading[circle.index()] = (u64::from(starts) + sum).min(CallPaths::MOST);
    }
    (0..paths.methods.len() as u32).map(|index| leading[circles.of(node(index)).index()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_counted_along_circles() {
        let methods = ["a", "b", "c", "d", "e"].map(|name| PathMethod {
            at: Frame::new(name),
            is_start: name < "c",
            is_access: name == "e",
        });
        let call = |from, to, line| PathCall { from, to, line: Some(line) };
        let calls = [
            call(0, 2, 1),
            call(0, 2, 2),
            call(1, 2, 1),
            // c and d call each other.
            call(2, 3, 1),
            call(3, 2, 1),
            call(3, 4, 1),
            call(1, 4, 9),
        ];
        let paths = CallPaths { methods: methods.into(), calls: calls.into(), ..CallPaths::default() };
        assert_eq!(counts(&paths), [1, 1, 3, 3, 4]);
    }
}
