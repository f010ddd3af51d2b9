//! What library methods do by the rows of `models`, at the entry and the exits of their bodies.
//!
//! Of the effects only those are taken that the variables inside do not show: locks (which lockset detection must know as such),
//! views of locks, and starts and ends of threads. Everything that java.util.concurrent hands over, its own volatile variables
//! hand over. In bodies, not at calls: so the library's own calls count, and dispatch is the machine's.

use selvedge_base::Symbol;
use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{Code, Insn, Kind, Result, StackOp, access};
use selvedge_models::{Effect, LockMode, Place, Root, Row, Supertypes, When};

use crate::hooks;
use crate::method::Work;

/// The supertypes that the class names itself: rows for locks stand at the class or right above it.
struct Direct<'s> {
    class: Symbol,
    above: &'s [Symbol],
}

impl Supertypes for Direct<'_> {
    fn direct_supertypes(&self, class: Symbol) -> Vec<Symbol> {
        if class == self.class { self.above.to_vec() } else { Vec::new() }
    }
}

fn is_this(place: &Place) -> bool {
    place.root == Root::This && place.steps.is_empty()
}

fn is_result(place: &Place) -> bool {
    place.root == Root::Result && place.steps.is_empty()
}

fn releases_this(effect: &Effect) -> bool {
    matches!(effect, Effect::Release { lock, .. } if is_this(lock))
}

fn acquires_this(effect: &Effect) -> bool {
    matches!(effect, Effect::Acquire { lock, .. } if is_this(lock))
}

/// The number of a mode in the hooks.
fn mode_number(mode: LockMode) -> Option<i32> {
    match mode {
        LockMode::Exclusive => Some(1),
        LockMode::Shared => Some(2),
        LockMode::Counted | LockMode::Optimistic => None,
    }
}

/// Puts the hooks into a method of a library class for which there are rows.
pub(crate) fn at_entry_and_exits(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let (class, method) = (work.context.class, work.context.method);
    if class.this_class == b"java/lang/InterruptedException" && method.name == b"<init>" {
        return noticed_interrupt(work, code);
    }
    if method.access & access::STATIC != 0 || method.name.starts_with(b"<") {
        return Ok(());
    }
    let symbol = |name: &[u8]| Symbol::new(String::from_utf8_lossy(name).as_ref());
    let name = symbol(class.this_class);
    let above: Vec<Symbol> =
        class.super_class.into_iter().chain(class.interfaces.iter().copied()).map(symbol).collect();
    let direct = Direct { class: name, above: &above };
    let rows: Vec<Row> = work
        .context
        .rules
        .models
        .rows_for(name, symbol(method.name), symbol(method.descriptor), &direct)
        .into_iter()
        .cloned()
        .collect();
    for row in &rows {
        // A wait: the lock is given back and taken again before the method returns or throws. The thread touches nothing of the
        // program meanwhile, so the lock stays held for it.
        let waits = row.effects.iter().any(releases_this) && row.effects.iter().any(acquires_this);
        for effect in row.effects.iter().filter(|_| !waits) {
            one(work, code, effect)?;
        }
    }
    match class.this_class {
        b"java/lang/Thread" => {
            started_in_container(work)?;
            of_thread(work, code)?;
        }
        b"java/lang/VirtualThread" => started_in_container(work)?,
        _ => {}
    }
    Ok(())
}

fn one(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>, effect: &Effect) -> Result<()> {
    let this = Insn::Load(Kind::Ref, 0);
    match effect {
        Effect::Acquire { lock, mode: LockMode::Optimistic, when: When::ResultNonzero, .. }
            if is_this(lock) =>
        {
            let hook = hooks::OPTIMISTIC.call(work.pool)?;
            at_exits(work, code, &[Insn::Stack(StackOp::Dup2), hook])
        }
        Effect::Validate { lock, .. } if is_this(lock) => {
            let hook = hooks::VALIDATED.call(work.pool)?;
            at_exits(work, code, &[hook])
        }
        Effect::Acquire { lock, mode, when, monitor: false } if is_this(lock) => {
            let Some(mode) = mode_number(*mode) else { return Ok(()) };
            let mode = Insn::IConst(mode);
            match when {
                When::Always => {
                    let hook = hooks::LOCKED.call(work.pool)?;
                    at_exits(work, code, &[this, mode, hook])
                }
                When::ResultTrue => {
                    let hook = hooks::LOCKED_IF.call(work.pool)?;
                    at_exits(work, code, &[Insn::Stack(StackOp::Dup), this, mode, hook])
                }
                When::ResultNonzero => {
                    let hook = hooks::LOCKED_IF_LONG.call(work.pool)?;
                    at_exits(work, code, &[Insn::Stack(StackOp::Dup2), this, mode, hook])
                }
                When::ResultFalse | When::ResultNonNull => Ok(()),
            }
        }
        Effect::Release { lock, mode, monitor: false, .. } if is_this(lock) => {
            let Some(mode) = mode_number(*mode) else { return Ok(()) };
            let hook = hooks::UNLOCKING.call(work.pool)?;
            at_entry(work, &[this, Insn::IConst(mode), hook])
        }
        Effect::LockView { view, of } if is_result(view) && is_this(of) => {
            let hook = hooks::VIEW.call(work.pool)?;
            at_exits(work, code, &[Insn::Stack(StackOp::Dup), this, hook])
        }
        Effect::Fork { thread } if is_this(thread) => {
            let hook = hooks::STARTING.call(work.pool)?;
            at_entry(work, &[this, hook])
        }
        Effect::Join { thread, .. } if is_this(thread) => {
            let hook = hooks::JOINED.call(work.pool)?;
            at_exits(work, code, &[this, hook])
        }
        _ => Ok(()),
    }
}

/// How executors and builders start threads since JDK 21.
fn started_in_container(work: &mut Work<'_, '_, '_, '_, '_, '_>) -> Result<()> {
    let method = work.context.method;
    if method.name != b"start" || method.descriptor != b"(Ljdk/internal/vm/ThreadContainer;)V" {
        return Ok(());
    }
    let hook = hooks::STARTING.call(work.pool)?;
    at_entry(work, &[Insn::Load(Kind::Ref, 0), hook])
}

/// Interruption of threads, for which there are no rows: it hands over to whoever sees it. And what a thread does when it ends.
fn of_thread(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let this = Insn::Load(Kind::Ref, 0);
    match (work.context.method.name, work.context.method.descriptor) {
        (b"interrupt", b"()V") => {
            let hook = hooks::INTERRUPTING.call(work.pool)?;
            at_entry(work, &[this, hook])
        }
        (b"exit", b"()V") => {
            let hook = hooks::ENDING.call(work.pool)?;
            at_entry(work, &[hook])
        }
        (b"isInterrupted", b"()Z") => {
            let hook = hooks::INTERRUPTED.call(work.pool)?;
            at_exits(work, code, &[Insn::Stack(StackOp::Dup), this, hook])
        }
        _ => Ok(()),
    }
}

/// Whoever waits and is interrupted makes the exception itself, also in native code: it has noticed the interrupt when the
/// exception is made.
fn noticed_interrupt(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let hook = hooks::NOTICED.call(work.pool)?;
    at_exits(work, code, &[hook])
}

fn at_entry(work: &mut Work<'_, '_, '_, '_, '_, '_>, insns: &[Insn<'static>]) -> Result<()> {
    work.edit.reserve_stack(5);
    work.edit.at_entry().insns(insns.iter().copied());
    Ok(())
}

fn at_exits(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>, insns: &[Insn<'static>]) -> Result<()> {
    work.edit.reserve_stack(5);
    for item in code.instructions() {
        if let (bci, Insn::Return(_)) = item? {
            work.edit.before(bci, Jumps::Run).insns(insns.iter().copied());
        }
    }
    Ok(())
}
