//! Where a call graph stops: the missing edges that explain the others.
//!
//! One lost receiver can hide thousands of methods. The frontier of a comparison are the observed edges that lead from a
//! method the graph reaches to one it does not; each is weighed by how many methods that ran are hidden behind it.

use crate::recall::{Miss, Recall};
use crate::recording::{MethodIndex, Recording};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A missing edge at the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The edge.
    pub miss: Miss,
    /// How many methods that ran are reached only through missing edges from its callee on, itself included. Methods
    /// behind several frontier edges count for each.
    pub methods: usize,
}

/// The frontier of a comparison, the most hiding edges first, one for each callee and cause.
pub fn frontier(recording: &Recording, recall: &Recall) -> Vec<Hidden> {
    let unreached = &recall.unreached;
    let mut callees: BTreeMap<MethodIndex, Vec<MethodIndex>> = BTreeMap::new();
    for edge in &recording.edges {
        if let Some(site) = edge.caller.filter(|site| unreached.contains(&site.method)) {
            callees.entry(site.method).or_default().push(edge.callee);
        }
    }
    let mut seen = FxHashSet::default();
    let mut found: Vec<Hidden> = Vec::new();
    for &miss in &recall.misses {
        let from_reached = miss.edge.caller.is_none_or(|site| !unreached.contains(&site.method));
        if !from_reached || !unreached.contains(&miss.edge.callee) {
            continue;
        }
        if seen.insert((miss.edge.callee, miss.cause)) {
            found.push(Hidden { miss, methods: count_behind(miss.edge.callee, &callees, unreached) });
        }
    }
    found.sort_by_key(|hidden| std::cmp::Reverse(hidden.methods));
    found
}

fn count_behind(
    start: MethodIndex,
    callees: &BTreeMap<MethodIndex, Vec<MethodIndex>>,
    unreached: &BTreeSet<MethodIndex>,
) -> usize {
    let mut behind = FxHashSet::from_iter([start]);
    let mut pending = vec![start];
    while let Some(method) = pending.pop() {
        let next = callees.get(&method).into_iter().flatten().copied();
        pending.extend(next.filter(|&callee| unreached.contains(&callee) && behind.insert(callee)));
    }
    behind.len()
}
