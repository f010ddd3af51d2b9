//! A recording in figures.

use crate::normal::Normalised;
use crate::recording::{Recording, Via};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Counts of one recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Methods that ran.
    pub methods: usize,
    /// Of these, methods of the application.
    pub application_methods: usize,
    /// Classes that were allocated.
    pub allocated: usize,
    /// Edges as recorded.
    pub recorded_edges: usize,
    /// Normalised edges by (caller in the application, callee in the application).
    pub edges: BTreeMap<(bool, bool), usize>,
    /// Normalised edges of each kind that leave application code.
    pub application_edges: BTreeMap<Via, usize>,
}

impl Summary {
    /// Counts.
    pub fn of(recording: &Recording) -> Summary {
        let ran: BTreeSet<_> = recording.edges.iter().map(|edge| edge.callee).collect();
        let mut summary = Summary {
            methods: ran.len(),
            application_methods: ran.iter().filter(|&&method| recording.is_application(method)).count(),
            allocated: recording.allocated.len(),
            recorded_edges: recording.edges.len(),
            ..Summary::default()
        };
        for edge in Normalised::of(recording).edges {
            let from_application = edge.caller.is_some_and(|site| recording.is_application(site.method));
            *summary.edges.entry((from_application, recording.is_application(edge.callee))).or_default() += 1;
            if from_application {
                *summary.application_edges.entry(edge.via).or_default() += 1;
            }
        }
        summary
    }

    /// Normalised edges that leave application code.
    pub fn from_application(&self) -> usize {
        self.application_edges.values().sum()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |from, to| self.edges.get(&(from, to)).copied().unwrap_or(0);
        write!(
            f,
            "{} methods ({} of the application), {} classes allocated, {} edges; from the application {} \
             ({} into it, {} into the JDK), callbacks into it {}, inside the JDK {}",
            self.methods,
            self.application_methods,
            self.allocated,
            self.recorded_edges,
            self.from_application(),
            count(true, true),
            count(true, false),
            count(false, true),
            count(false, false),
        )
    }
}
