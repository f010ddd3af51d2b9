//! Which missing edges the listed assumptions of an analysis explain.
//!
//! A miss is explained if code takes part that is in no class file and the analysis says that it makes such classes, if an
//! assumption names the method that makes the call ("classes loaded by a computed name, by X, are ..."), or if it makes a provider of a service that an
//! assumption leaves out. What lies behind such a miss is explained with it: a method that
//! is only reached through explained misses, and a receiver whose class was only made there. Anything that may also follow from
//! a miss that nothing explains stays open; so the count of open edges is never too low.
//!
//! Values also pass through code that is in no class file. Whether a miss is due to that is not guessed from names: the recording
//! keeps the class files that the program made, and [`Explained::settle`] asks an analysis that has them.

use crate::recall::{Cause, Graph, Miss, Recall, find_class, find_method};
use crate::recording::{Edge, MethodIndex, Recording, Site};
use rustc_hash::FxHashSet;
use selvedge_world::Program;
use std::collections::{BTreeMap, BTreeSet};

/// What became of the missing edges out of application code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// How many edges each reason explains, those that follow from others under a reason of their own.
    pub by: BTreeMap<String, usize>,
    /// The edges that nothing explains.
    pub open: Vec<Miss>,
}

impl Explained {
    /// Explains open misses by classes that the program makes while it runs and through which values come to a call: those that
    /// are found once these classes are given to the analysis as they were recorded, as `with_made` was.
    pub fn settle(&mut self, with_made: &Recall, assumption: &str) {
        let still_missing: FxHashSet<Edge> = with_made.misses.iter().map(|miss| miss.edge).collect();
        let before = self.open.len();
        self.open.retain(|miss| still_missing.contains(&miss.edge));
        let settled = before - self.open.len();
        if settled > 0 {
            *self.by.entry(format!("found when the recorded ones are given: {assumption}")).or_default() +=
                settled;
        }
    }

    /// How many edges are explained.
    pub fn edges(&self) -> usize {
        self.by.values().sum()
    }
}

/// The reason of misses in which code takes part that the JDK makes while it runs.
const BY_THE_JDK: &str = "classes that the JDK makes while it runs are the JDK's own affair";
/// The reason of misses that follow from others.
const BEHIND: &str = "what is only reached, or only made, behind the above";

/// Explains the misses of a comparison with a graph.
pub fn explain(recording: &Recording, program: &Program, recall: &Recall, graph: &dyn Graph) -> Explained {
    let reason = |miss: &Miss| direct_reason(recording, program, miss, graph);
    let reasons: Vec<Option<String>> = recall.misses.iter().map(reason).collect();
    // What is not a direct miss, and what is explained by itself, waits; the rest starts the search.
    let mut behind = Behind::new(recording, program, recall);
    let with_reason = recall.misses.iter().zip(&reasons).filter(|(_, reason)| reason.is_some());
    behind.explained.extend(with_reason.map(|(miss, _)| miss.edge));
    // Reflection makes providers; its calls are no edges of the graph, so that they are not missed either.
    let makes_provider =
        |edge: &&Edge| makes_left_out_provider(recording, program, edge.callee, graph).is_some();
    behind.explained.extend(recording.edges.iter().filter(makes_provider));
    let waits = |miss: &Miss| miss.cause == Cause::UnreachedCaller || lacks_receiver(miss);
    for (miss, reason) in recall.misses.iter().zip(&reasons) {
        if reason.is_none() && !waits(miss) {
            behind.open(miss.edge.callee);
        }
    }
    // A receiver that code behind an open miss makes, or code that is reached, opens what is called on it.
    loop {
        let before = behind.methods.len();
        for (miss, reason) in recall.misses.iter().zip(&reasons) {
            if reason.is_none() && lacks_receiver(miss) && behind.is_made(miss.edge.callee) {
                behind.open(miss.edge.callee);
            }
        }
        if behind.methods.len() == before {
            break;
        }
    }
    let mut explained = Explained::default();
    for (miss, reason) in recall.misses.iter().zip(reasons).filter(|(miss, _)| miss.from_application) {
        if miss.cause.is_outside_class_files() {
            continue;
        }
        let follows = match miss.cause {
            Cause::UnreachedCaller => {
                miss.edge.caller.is_some_and(|site| !behind.methods.contains(&site.method))
            }
            _ => lacks_receiver(miss) && !behind.is_made(miss.edge.callee),
        };
        match reason.or_else(|| follows.then(|| BEHIND.to_owned())) {
            Some(reason) => *explained.by.entry(reason).or_default() += 1,
            None => explained.open.push(*miss),
        }
    }
    explained
}

/// Whether the call is in the graph but no object comes to it that runs the callee. In the run one came; so where all
/// such objects were made behind explained misses, the miss follows from these.
fn lacks_receiver(miss: &Miss) -> bool {
    matches!(miss.cause, Cause::UnallocatedReceiver | Cause::LostReceiver)
}

/// Why a miss is explained by itself.
fn direct_reason(recording: &Recording, program: &Program, miss: &Miss, graph: &dyn Graph) -> Option<String> {
    if miss.cause.is_outside_class_files() {
        let of_application = |method: MethodIndex| {
            find_method(program, recording.method(method)).is_none() && recording.is_application(method)
        };
        let caller = miss.edge.caller.map(|site| site.method);
        return match [caller, Some(miss.edge.callee)].into_iter().flatten().any(of_application) {
            true => graph.assumption_on_made_classes(),
            false => Some(BY_THE_JDK.to_owned()),
        };
    }
    if let Some(reason) = makes_left_out_provider(recording, program, miss.edge.callee, graph) {
        return Some(reason);
    }
    match miss.cause {
        Cause::UnreachedCaller => None,
        _ => graph.assumption_of(find_method(program, recording.method(miss.edge.caller?.method))?),
    }
}

/// The assumption that leaves out the provider of a service which a constructor makes.
fn makes_left_out_provider(
    recording: &Recording,
    program: &Program,
    callee: MethodIndex,
    graph: &dyn Graph,
) -> Option<String> {
    let callee = recording.method(callee);
    let made = find_class(program, &callee.class).filter(|_| callee.name == "<init>")?;
    graph.assumption_on_provider(made)
}

/// The methods behind open misses.
struct Behind<'a> {
    recording: &'a Recording,
    program: &'a Program,
    unreached: &'a BTreeSet<MethodIndex>,
    callees: BTreeMap<MethodIndex, Vec<MethodIndex>>,
    methods: FxHashSet<MethodIndex>,
    /// Missing edges that have a reason.
    explained: FxHashSet<Edge>,
}

impl<'a> Behind<'a> {
    fn new(recording: &'a Recording, program: &'a Program, recall: &'a Recall) -> Self {
        let mut callees: BTreeMap<MethodIndex, Vec<MethodIndex>> = BTreeMap::new();
        for edge in &recording.edges {
            if let Some(site) = edge.caller {
                callees.entry(site.method).or_default().push(edge.callee);
            }
        }
        Behind {
            recording,
            program,
            unreached: &recall.unreached,
            callees,
            methods: FxHashSet::default(),
            explained: FxHashSet::default(),
        }
    }

    /// Adds what is reached from a method through methods that the graph does not reach.
    fn open(&mut self, callee: MethodIndex) {
        let mut pending = vec![callee];
        while let Some(method) = pending.pop() {
            if self.unreached.contains(&method) && self.methods.insert(method) {
                pending.extend(self.callees.get(&method).into_iter().flatten().copied());
            }
        }
    }

    /// Whether an object on which a method may run is made by code that is reached, or that lies behind an open miss: whether
    /// such code calls a constructor of a class that has or inherits the method. What cannot be told counts as made.
    fn is_made(&self, callee: MethodIndex) -> bool {
        let Some(class) = find_class(self.program, &self.recording.method(callee).class) else { return true };
        let is_constructor = |method: MethodIndex| {
            let method = self.recording.method(method);
            method.name == "<init>"
                && find_class(self.program, &method.class)
                    .is_some_and(|sub| self.program.is_subclass(sub, class))
        };
        // A constructor that calls that of its superclass makes nothing, unless it is that of a class in no class file.
        let makes = |edge: &&Edge| {
            let of_subclass = |site: Site| {
                let caller = self.recording.method(site.method);
                caller.name == "<init>" && find_class(self.program, &caller.class).is_some()
            };
            is_constructor(edge.callee) && !edge.caller.is_some_and(of_subclass)
        };
        let made: Vec<&Edge> = self.recording.edges.iter().filter(makes).collect();
        let is_open = |edge: &&Edge| {
            let by = edge.caller.map(|site| site.method);
            !self.explained.contains(*edge)
                && by.is_none_or(|method| !self.unreached.contains(&method) || self.methods.contains(&method))
        };
        made.is_empty() || made.iter().any(is_open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::Via;

    #[test]
    fn what_is_found_with_the_made_classes_is_explained_by_them() {
        let miss = |callee| Miss {
            edge: Edge { caller: None, callee: MethodIndex(callee), via: Via::Call },
            cause: Cause::LostReceiver,
            from_application: true,
        };
        let mut explained = Explained { open: vec![miss(1), miss(2)], ..Explained::default() };
        let with_made = Recall { misses: vec![miss(2)], ..Recall::default() };
        explained.settle(&with_made, "classes are made");
        assert_eq!((explained.edges(), explained.open), (1, vec![miss(2)]));
    }
}
