//! The detectors. A race is what survives every refuter.
//!
//! | file | what it does |
//! |---|---|
//! | [`check`] | from a loaded program to a report |
//! | [`pairs`] | every pair of accesses that could race, thinned by stages and refuters |
//! | [`refuters`] | the reasons why a pair is safe, in the order in which they are tried |
//! | [`paths`] | call paths from the start of a thread to an access |
//! | [`names`] | program points, threads and objects in the words of a report |
//! | [`ranking`] | which findings matter most, how sure they are, what to do about them |

pub mod check;
pub mod names;
pub mod pairs;
pub mod paths;
pub mod ranking;
pub mod refuters;

use selvedge_facts::{Accesses, Escape, Executions, Threads, View};

/// Everything that detectors reason with, computed once.
pub struct Facts<'a> {
    /// The call graph with the effects of library calls.
    pub view: View<'a>,
    /// The abstract threads.
    pub threads: Threads,
    /// What runs at most once.
    pub executions: Executions,
    /// The accesses.
    pub accesses: Accesses,
    /// Which objects may be shared.
    pub escape: Escape,
}

impl<'a> Facts<'a> {
    /// Computes the facts.
    pub fn new(view: View<'a>) -> Self {
        let mut threads = Threads::new(&view);
        let executions = Executions::new(&view, &mut threads);
        let accesses = Accesses::new(&view);
        let escape = Escape::new(&view, &threads);
        Self { view, threads, executions, accesses, escape }
    }
}
