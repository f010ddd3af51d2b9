//! Traces as text: for tests, for looking at recorded ones, and for writing small ones by hand.
//!
//! One step a line, or several with `;` between them. `#` begins a comment.
//!
//! ```text
//! object o: p.Account @p.Bank.open:7        what is known of an object (may be left out)
//! thread T2 "worker 1" @p.Bank.main:9       its name, and where it was started (may be left out)
//! T1: fork T2
//! T2: acquire o; T2: write o.balance @p.Account.deposit:12 < p.Bank.run:20; T2: release o
//! T1: read o.balance @p.Account.get:15
//! ```
//!
//! | step | means |
//! |---|---|
//! | `read P`, `write P` | plain access of `o.f` (field), `p.C::f` (static), `a[3]` (element), `o.*` (content) |
//! | `volatile-read P`, `volatile-write P`, `volatile-update P` | access of a volatile or atomic variable |
//! | `acquire L`, `release L` | the monitor of `L`; `lock L`, `unlock L` the explicit lock; `shared` may follow |
//! | `fork T`, `join T`, `end` | threads |
//! | `publish C`, `subscribe C` | `q`, `q item x`, `interrupt x`, `permit x`, `class p.C` |
//! | `freed o` | the object is gone |
//!
//! Then may follow `@p.C.m:12`, the method and line, and `< p.C.n:20 < ...`, the callers. An object called `o` and a
//! number has that number. How often a thread holds a lock is counted here.

mod parse;
mod print;

pub use parse::{TextError, parse};
pub use print::{definition, event, print, site};

use crate::event::Event;
use crate::tables::Tables;

/// A whole trace in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// What the numbers stand for: all that the trace defines, also objects that are freed in it.
    pub tables: Tables,
    /// The events.
    pub events: Vec<Event>,
}

#[cfg(test)]
mod tests;
