//! Loops in which nothing is released or acquired, as far as the method shows it: what is accessed in them may be reported when they
//! are left.
//!
//! **Theorem.** Let a loop be *still*: it has no call (but of library methods that are still themselves), no monitor, no field that may be volatile, and nothing
//! that initialises a class. All that a thread does between entering and leaving it is in one epoch with one set of locks, and the
//! thread learns nothing of others meanwhile. So an access of the loop may be judged after it, as if it happened when the
//! loop is left: it is unordered with the same accesses of others, those that are judged in between see it later and not
//! earlier, and of two accesses the second that is judged finds the first.
//!
//! With ownership, locksets may miss a location that changes hands while the loop runs: the access that made the other thread take it over is judged
//! after that one's. Nothing of the loop is released before the other's access, and so happens-before sees the race, unless
//! the other only read.
//!
//! Loops are found as compilers lay them out: the instructions from the target of a backward jump to the jump. What does not look
//! so (jumps into the middle, handlers inside) is left as it is.

use selvedge_base::FastMap;
use selvedge_classfile::{ClassFile, Code, Constant, Insn, Kind as Type, Result};
use selvedge_models::Kind;

/// A loop: its instructions are those from `start` on, before `end`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where it is left to, other than by an exception: instructions outside.
    pub(crate) exits: Vec<u32>,
    /// Returns inside of it.
    pub(crate) returns: Vec<u32>,
    /// Handlers of the method that get exceptions from all of it.
    pub(crate) handlers: Vec<u32>,
    /// Whether there is a handler for all exceptions among them.
    pub(crate) catches_all: bool,
    /// The variables that count its iterations: slot, step, and where.
    pub(crate) counters: Vec<Counter>,
    /// Locals that it changes.
    changed: Vec<u16>,
    /// Jumps inside of it, from and to.
    jumps: Vec<(u32, u32)>,
    /// Whether one of the counters decides in every iteration whether it goes on. Of other loops nobody knows whether they finish: one
    /// that waits for a flag may not, and what is told at its end is never told.
    pub(crate) is_counted_out: bool,
}

/// A variable that is increased once in each iteration, by a constant, and not changed otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counter {
    pub(crate) slot: u16,
    pub(crate) step: i16,
    pub(crate) bci: u32,
}

impl Loop {
    pub(crate) fn contains(&self, bci: u32) -> bool {
        self.start <= bci && bci < self.end
    }

    /// Whether the local has one value in the whole loop.
    pub(crate) fn keeps(&self, slot: u16) -> bool {
        !self.changed.contains(&slot)
    }

    /// Whether the instruction is executed exactly once in every iteration that comes past it.
    fn is_always_executed(&self, bci: u32) -> bool {
        // No way around it, and it is in no loop inside.
        self.jumps.iter().filter(|(_, to)| self.contains(*to)).all(|&(from, to)| {
            let around = from < bci && bci < to;
            let repeats = to != self.start && to <= bci && bci <= from;
            !around && !repeats
        })
    }

    /// Whether the instruction is executed exactly once in every iteration, before the counter counts.
    pub(crate) fn is_counted(&self, bci: u32, counter: Counter) -> bool {
        bci < counter.bci && self.is_always_executed(bci)
    }
}

/// The still loops of a method, outer ones first. `is_still` says of a field instruction that it orders nothing.
pub(crate) fn still_loops(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    is_still: &mut dyn FnMut(&Insn<'_>) -> Result<bool>,
) -> Result<Vec<Loop>> {
    let mut jumps: Vec<(u32, u32)> = Vec::new();
    let mut ends: FastMap<u32, u32> = FastMap::default();
    for item in code.instructions() {
        let (bci, insn) = item?;
        let next = code.decode_at(bci)?.1;
        insn.for_each_target(|target| {
            jumps.push((bci, target));
            if target <= bci {
                let end = ends.entry(target).or_insert(next);
                *end = next.max(*end);
            }
        });
    }
    let mut bounds: Vec<(u32, u32)> = ends.into_iter().collect();
    bounds.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    let mut found = Vec::new();
    for (start, end) in bounds {
        found.extend(still_loop(class, code, (start, end), &jumps, is_still)?);
    }
    Ok(found)
}

fn still_loop(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    (start, end): (u32, u32),
    all_jumps: &[(u32, u32)],
    is_still: &mut dyn FnMut(&Insn<'_>) -> Result<bool>,
) -> Result<Option<Loop>> {
    let inside = |bci: u32| start <= bci && bci < end;
    let enters = |&(from, to): &(u32, u32)| !inside(from) && inside(to);
    if all_jumps.iter().any(enters) {
        return Ok(None);
    }
    let mut handlers = Vec::new();
    let mut catches_all = false;
    for handler in &code.handlers {
        let encloses = handler.start <= start && end <= handler.end;
        let is_apart = handler.end <= start || end <= handler.start;
        if inside(handler.handler) || !encloses && !is_apart {
            return Ok(None);
        }
        if encloses {
            handlers.push(handler.handler);
            catches_all |= handler.catch_type.is_none();
        }
    }
    let jumps: Vec<(u32, u32)> = all_jumps.iter().copied().filter(|&(from, _)| inside(from)).collect();
    let mut exits: Vec<u32> = jumps.iter().map(|&(_, to)| to).filter(|&to| !inside(to)).collect();
    let (mut returns, mut changed) = (Vec::new(), Vec::new());
    let mut counters: Vec<Counter> = Vec::new();
    // What the comparisons that may leave the loop have just loaded.
    let mut loaded: Vec<u16> = Vec::new();
    let mut tests: Vec<(u32, Vec<u16>)> = Vec::new();
    for item in code.instructions() {
        let (bci, insn) = item?;
        if !inside(bci) {
            continue;
        }
        if !is_still_step(class, &insn)? || !is_still(&insn)? {
            return Ok(None);
        }
        match insn {
            Insn::Return(_) => returns.push(bci),
            Insn::Store(kind, slot) => {
                changed.push(slot);
                if matches!(kind, Type::Long | Type::Double) {
                    changed.push(slot + 1);
                }
            }
            Insn::IInc(slot, step) => {
                changed.push(slot);
                counters.push(Counter { slot, step, bci });
            }
            _ => {}
        }
        match insn {
            Insn::Load(Type::Int, slot) => loaded.push(slot),
            Insn::IfZero(_, to) | Insn::IfICmp(_, to) => {
                let is_last = code.decode_at(bci)?.1 == end;
                tests.extend((!inside(to) || is_last).then(|| (bci, loaded.clone())));
                loaded.clear();
            }
            Insn::Store(..) | Insn::Goto(_) | Insn::IInc(..) => loaded.clear(),
            _ => {}
        }
        let falls_out = insn.falls_through() && code.decode_at(bci)?.1 == end;
        exits.extend(falls_out.then_some(end));
    }
    exits.sort_unstable();
    exits.dedup();
    handlers.sort_unstable();
    handlers.dedup();
    let mut found = Loop {
        start,
        end,
        exits,
        returns,
        handlers,
        catches_all,
        counters: Vec::new(),
        changed,
        jumps,
        is_counted_out: false,
    };
    let last_counts = |counter: &Counter| {
        let goes_back = |&(from, to): &(u32, u32)| to != start || from > counter.bci;
        let changes = found.changed.iter().filter(|slot| **slot == counter.slot).count();
        counter.step != 0
            && changes == 1
            && found.is_always_executed(counter.bci)
            && found.jumps.iter().all(goes_back)
    };
    counters.retain(last_counts);
    let decides = |(bci, loaded): &(u32, Vec<u16>)| {
        found.is_always_executed(*bci) && counters.iter().any(|counter| loaded.contains(&counter.slot))
    };
    found.is_counted_out = tests.iter().any(decides);
    found.counters = counters;
    Ok(Some(found))
}

/// Whether a method of the library, by its class's internal name, releases and acquires nothing and runs no other code.
pub(crate) fn is_still_call(owner: &[u8], name: &[u8]) -> bool {
    Kind::Still.has([owner, b"/", name].concat())
}

/// Whether an instruction, other than one of fields, releases and acquires nothing and runs no other code.
fn is_still_step(class: &ClassFile<'_>, insn: &Insn<'_>) -> Result<bool> {
    Ok(match *insn {
        Insn::InvokeStatic(index) | Insn::InvokeVirtual(index) => {
            let member = class.pool.method_ref(index)?;
            is_still_call(member.owner, member.name)
        }
        Insn::Ldc(index) => matches!(
            class.pool.get(index)?,
            Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_)
        ),
        Insn::InvokeSpecial(_)
        | Insn::InvokeInterface(_)
        | Insn::InvokeDynamic(_)
        | Insn::New(_)
        | Insn::ANewArray(_)
        | Insn::MultiANewArray(..)
        | Insn::MonitorEnter
        | Insn::MonitorExit
        | Insn::Jsr(_)
        | Insn::Ret(_) => false,
        _ => true,
    })
}
