//! Handlers that give a monitor back when an exception leaves a synchronized block.
//!
//! Compilers let such a handler protect itself until it has given the monitor back, so that nothing in between can leave it locked. The JIT compiler C1 takes no method
//! in which such a handler calls something: it would have to go back to code that it has dealt with. So the hook reports before, in code that
//! throws the exception again; the handler itself is as it was.
//!
//! ```text
//!     H:  astore e                       H:  astore kept          protected by G, as the handler is
//!         aload lock                         aload lock
//!         monitorexit     protected          invokestatic exiting
//!         aload e         by H               aload kept
//!         athrow                             athrow
//!                                        G:  astore e             and so on, protected by G
//! ```

use selvedge_base::FastSet;
use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{Code, Insn, Kind, Result};

use crate::hooks;
use crate::method::Work;

/// A handler that gives a monitor back, and protects itself.
struct MonitorHandler {
    start: u32,
    /// The `monitorexit`.
    exit: u32,
    /// The local with the object.
    lock: u16,
    /// The entries of the exception table by which it protects itself.
    own_entries: Vec<usize>,
}

/// Handlers of this form; others are left to what is done at every `monitorexit`.
fn handlers(code: &Code<'_>) -> Result<Vec<MonitorHandler>> {
    let mut jumped_to: FastSet<u32> = FastSet::default();
    let mut fallen_into: FastSet<u32> = FastSet::default();
    if code.handlers.iter().all(|entry| entry.catch_type.is_some()) {
        return Ok(Vec::new());
    }
    let mut falls = false;
    for item in code.instructions() {
        let (bci, insn) = item?;
        insn.for_each_target(|target| {
            jumped_to.insert(target);
        });
        if falls {
            fallen_into.insert(bci);
        }
        falls = insn.falls_through();
    }
    let mut starts: Vec<u32> =
        code.handlers.iter().filter(|entry| entry.catch_type.is_none()).map(|entry| entry.handler).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut found = Vec::new();
    for start in starts {
        if jumped_to.contains(&start) || fallen_into.contains(&start) {
            continue;
        }
        let (first, mut next) = code.decode_at(start)?;
        let mut insn = first;
        if matches!(first, Insn::Store(Kind::Ref, _)) {
            (insn, next) = code.decode_at(next)?;
        }
        let (Insn::Load(Kind::Ref, lock), exit) = (insn, next) else { continue };
        let (Insn::MonitorExit, end) = code.decode_at(exit)? else { continue };
        let leads_here = |&position: &usize| code.handlers[position].handler == start;
        let (own_entries, others): (Vec<usize>, Vec<usize>) = (0..code.handlers.len())
            .filter(leads_here)
            .partition(|&position| code.handlers[position].start == start);
        let covers = |&position: &usize| {
            let entry = &code.handlers[position];
            entry.start < end && start < entry.end
        };
        let all = |position: &usize| {
            let entry = &code.handlers[*position];
            entry.catch_type.is_none() && entry.end > exit
        };
        if own_entries.iter().any(all) && own_entries.iter().all(all) && !others.iter().any(covers) {
            found.push(MonitorHandler { start, exit, lock, own_entries });
        }
    }
    Ok(found)
}

/// Tells, before a handler gives a monitor back, that it will. The `monitorexit`s of which this is done.
pub(crate) fn told_before(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<FastSet<u32>> {
    let mut exits = FastSet::default();
    for MonitorHandler { start, exit, lock, own_entries } in handlers(code)? {
        let exiting = hooks::EXITING.call(work.pool)?;
        let edit = &mut work.edit;
        let (kept, handler) = (edit.new_local(1), edit.new_label());
        edit.reserve_stack(1);
        edit.before(start, Jumps::Run)
            .insns([Insn::Store(Kind::Ref, kept), Insn::Load(Kind::Ref, lock), exiting])
            .insns([Insn::Load(Kind::Ref, kept), Insn::AThrow])
            .label(handler)
            .frame(&[]);
        for entry in own_entries {
            edit.redirect_handler(entry, handler);
        }
        exits.insert(exit);
    }
    Ok(exits)
}
