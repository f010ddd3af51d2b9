//! What library methods do by the rows of `models`, at the entry and the exits of their bodies.
//!
//! Of the effects only those are taken that the variables inside do not show: locks (which lockset detection must know as such),
//! views of locks, and starts and ends of threads. Everything that java.util.concurrent hands over, its own volatile variables
//! hand over; only lockset detection, for which variables order nothing, is told of channels. In bodies, not at calls: so the library's own calls count, and dispatch is the JVM's.

use selvedge_base::Symbol;
use selvedge_classfile::edit::Jumps;
use selvedge_classfile::{Code, Insn, Kind, MethodDescriptor, Result, StackOp, access};
use selvedge_models::{Effect, LockMode, Place, Root, Row, Supertypes, When};

use selvedge_protocol::DetectorChoice;

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
    if class.this_class == b"java/lang/Shutdown" && method.name == b"shutdown" {
        // The JVM calls it when the last thread has ended that is no daemon.
        let hook = hooks::ALL_ENDED.call(work.pool)?;
        return at_entry(work, &[hook]);
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
    // What a synchroniser means is known where it is used.
    if work.context.rules.plan.options.detector != DetectorChoice::HappensBefore
        && !class.this_class.starts_with(b"java/util/concurrent/locks/")
    {
        for effect in rows.iter().flat_map(|row| row.effects.iter()) {
            channel(work, code, effect)?;
        }
        of_task(work, code)?;
    }
    match class.this_class {
        b"java/lang/Thread" => {
            started_in_container(work)?;
            of_thread(work, code)?;
        }
        b"java/lang/VirtualThread" => started_in_container(work)?,
        b"java/lang/ClassValue" => of_class_value(work, code)?,
        b"java/lang/reflect/Field" => of_field(work, code)?,
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
            with_result(work, code, Kind::Long, &[hook])
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
                    with_result(work, code, Kind::Int, &[this, mode, hook])
                }
                When::ResultNonzero => {
                    let hook = hooks::LOCKED_IF_LONG.call(work.pool)?;
                    with_result(work, code, Kind::Long, &[this, mode, hook])
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
            with_result(work, code, Kind::Ref, &[this, hook])
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

/// What is handed over through the object, for locksets.
fn channel(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>, effect: &Effect) -> Result<()> {
    let this = Insn::Load(Kind::Ref, 0);
    match effect {
        Effect::Publish { channel, item, .. } if is_this(channel) => {
            let item = match item {
                Some(place) => argument(work.context.method.descriptor, place)?,
                None => None,
            };
            let hook = hooks::HANDING.call(work.pool)?;
            at_entry(work, &[this, item.unwrap_or(Insn::AConstNull), hook])
        }
        Effect::Subscribe { channel, item: Some(item), .. } if is_this(channel) && is_result(item) => {
            let hook = hooks::HANDED_ITEM.call(work.pool)?;
            with_result(work, code, Kind::Ref, &[this, hook])
        }
        Effect::Subscribe { channel, when: When::ResultTrue, .. } if is_this(channel) => {
            let hook = hooks::HANDED_IF.call(work.pool)?;
            with_result(work, code, Kind::Int, &[this, hook])
        }
        Effect::Subscribe { channel, when: When::Always, .. } if is_this(channel) => {
            let hook = hooks::HANDED.call(work.pool)?;
            at_exits(work, code, &[this, hook])
        }
        _ => Ok(()),
    }
}

/// The local that holds an argument at the entry, if that is a reference.
fn argument(descriptor: &[u8], place: &Place) -> Result<Option<Insn<'static>>> {
    let Root::Arg(wanted) = place.root else { return Ok(None) };
    let mut slot = 1;
    for (number, parameter) in (0..).zip(MethodDescriptor::parse(descriptor)?.params()) {
        if number == wanted {
            return Ok(parameter.is_reference().then_some(Insn::Load(Kind::Ref, slot)));
        }
        slot += parameter.slots();
    }
    Ok(None)
}

/// Tasks and executors, of which the rows say what comes of it and not which method does it.
fn of_task(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let this = Insn::Load(Kind::Ref, 0);
    let method = work.context.method;
    let hands: &[Insn<'static>] = match (work.context.class_name, method.name) {
        ("java/util/concurrent/FutureTask", b"set" | b"setException" | b"cancel")
        | ("java/util/concurrent/ForkJoinTask", b"fork" | b"setDone" | b"trySetThrown")
        | (
            "java/util/concurrent/CompletableFuture",
            b"completeNull" | b"completeValue" | b"completeThrowable" | b"completeRelay"
            | b"internalComplete",
        )
        // Before a worker is no longer counted: a pool of which all workers are gone has terminated.
        | (
            "java/util/concurrent/ThreadPoolExecutor",
            b"compareAndDecrementWorkerCount" | b"decrementWorkerCount",
        )
        | ("java/util/concurrent/ForkJoinPool", b"awaitWork" | b"tryTrim" | b"deregisterWorker") => &[this],
        ("java/util/concurrent/ForkJoinPool$WorkQueue", b"push" | b"lockedPush")
            if method.descriptor.starts_with(b"(Ljava/util/concurrent/ForkJoinTask;") =>
        {
            &[Insn::Load(Kind::Ref, 1)]
        }
        _ => &[],
    };
    if let [task] = hands {
        let hook = hooks::HANDING.call(work.pool)?;
        at_entry(work, &[*task, Insn::AConstNull, hook])?;
    }
    match (work.context.class_name, method.name) {
        ("java/util/concurrent/CyclicBarrier", b"dowait") => barrier_action(work, code),
        ("java/util/concurrent/ForkJoinTask", b"doExec") => {
            let hook = hooks::HANDED.call(work.pool)?;
            at_entry(work, &[this, hook])
        }
        ("java/util/concurrent/FutureTask", b"get") => {
            let hook = hooks::HANDED.call(work.pool)?;
            at_exits(work, code, &[this, hook])
        }
        ("java/util/concurrent/FutureTask", b"isDone")
        | (
            "java/util/concurrent/ThreadPoolExecutor" | "java/util/concurrent/ForkJoinPool",
            b"awaitTermination" | b"isTerminated",
        ) => {
            let hook = hooks::HANDED_IF.call(work.pool)?;
            with_result(work, code, Kind::Int, &[this, hook])
        }
        _ => Ok(()),
    }
}

/// The last thread at a barrier runs its action after what all have done, and before any goes on.
fn barrier_action(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let this = Insn::Load(Kind::Ref, 0);
    let [handed, handing] = [hooks::HANDED.call(work.pool)?, hooks::HANDING.call(work.pool)?];
    work.edit.reserve_stack(2);
    for item in code.instructions() {
        let (bci, Insn::InvokeInterface(index)) = item? else { continue };
        if work.context.class.pool.method_ref(index)?.owner == b"java/lang/Runnable" {
            work.edit.before(bci, Jumps::Run).insns([this, handed]);
            work.edit.after(bci).insns([this, Insn::AConstNull, handing]);
        }
    }
    Ok(())
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

/// Whoever gets a value comes after its computation: the table hands it over by a final field. The value's own address, at which no field is, stands for that.
fn of_class_value(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let [read, write] = [hooks::UNSAFE_READ.call(work.pool)?, hooks::UNSAFE_WRITE.call(work.pool)?];
    let told = |hook| [Insn::LConst(0), hook];
    for item in code.instructions() {
        if let (bci, Insn::InvokeVirtual(index)) = item?
            && work.context.class.pool.method_ref(index)?.name == b"computeValue"
        {
            work.edit.reserve_stack(3);
            work.edit.after(bci).insn(Insn::Stack(StackOp::Dup)).insns(told(write));
        }
    }
    if work.context.method.name == b"get" { with_result(work, code, Kind::Ref, &told(read)) } else { Ok(()) }
}

/// Reads and writes of fields by reflection: code of the JVM or code that is made at run time does them.
fn of_field(work: &mut Work<'_, '_, '_, '_, '_, '_>, code: &Code<'_>) -> Result<()> {
    let told = |hook| [Insn::Load(Kind::Ref, 0), Insn::Load(Kind::Ref, 1), hook];
    let (name, descriptor) = (work.context.method.name, work.context.method.descriptor);
    let is_public = work.context.method.access & access::PUBLIC != 0;
    if !is_public || !descriptor.starts_with(b"(Ljava/lang/Object;") {
        Ok(())
    } else if name.starts_with(b"get") && descriptor.starts_with(b"(Ljava/lang/Object;)") {
        let hook = hooks::REFLECTED_READ.call(work.pool)?;
        at_exits(work, code, &told(hook))
    } else if name.starts_with(b"set") && descriptor.ends_with(b"V") {
        let hook = hooks::REFLECTED_WRITE.call(work.pool)?;
        at_entry(work, &told(hook))
    } else {
        Ok(())
    }
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
            with_result(work, code, Kind::Int, &[this, hook])
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

/// Before each return, with a copy of the result on the stack. Rows name methods by name alone, and a class may have a private one of that name which
/// returns something else: that one is left alone.
fn with_result(
    work: &mut Work<'_, '_, '_, '_, '_, '_>,
    code: &Code<'_>,
    result: Kind,
    insns: &[Insn<'static>],
) -> Result<()> {
    let copy = if result == Kind::Long { StackOp::Dup2 } else { StackOp::Dup };
    work.edit.reserve_stack(6);
    for item in code.instructions() {
        if let (bci, Insn::Return(Some(kind))) = item?
            && kind == result
        {
            work.edit.before(bci, Jumps::Run).insn(Insn::Stack(copy)).insns(insns.iter().copied());
        }
    }
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
