//! Which callbacks of streams may run in other threads.
//!
//! The library has one code for sequential and parallel streams; it asks a flag at run time. Here the flag is read off the code of
//! the application: a pipeline is a chain of calls in one method, from a source to a terminal operation. It is
//! *sequential* if the chain is complete and its last call of `parallel` or `sequential`, or else its source, makes it so. Callbacks that are only ever passed to
//! sequential pipelines run in the calling thread. Where a part of the chain is out of sight (a stream that comes from a
//! parameter or a field), it may be parallel.

use selvedge_base::{BitSet, Symbol};
use selvedge_ir::{Body, Inst, InvokeKind, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use crate::describe;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// Whether one side runs in a parallel stream, and the other before or after it in the thread that runs the stream.
///
/// A terminal operation returns when all its tasks have ended. So what the only thread that executes the operation does
/// itself, outside of what the tasks may execute, happens before the tasks start or after they end, except for searches, which
/// return with the first result (BulkSearchReadsOn). A heuristic, because that no other
/// thread runs the stream rests on the cut for lambdas in [`crate::threads`].
pub fn refute<'a>(view: &'a View<'_>, threads: &Threads, candidate: &Candidate) -> Option<Refutation<'a>> {
    let [first, second] = candidate.sides;
    let outside = |task: Occurrence, other: Occurrence| {
        let Origin::Spawn { instance, .. } = threads.all[task.thread].origin else { return None };
        let is_ordered = threads.is_stream_thread(view, task.thread)
            && !threads.is_started_by(view, task.thread, Kind::EarlyResult)
            && !threads.all[other.thread].many
            && threads
                .may_execute(instance)
                .iter()
                .all(|&thread| thread == other.thread || !runs_application_code_first(view, threads, thread))
            && !threads.reached[task.thread].contains(other.instance);
        is_ordered.then_some(task)
    };
    let task = outside(first, second).or_else(|| outside(second, first))?;
    Some(Refutation::heuristic(BY, move || {
        let place =
            view.method_of(task.instance).map_or(String::new(), |method| describe::method(view, method));
        format!("the stream that runs {place} has finished when its last operation returns")
    }))
}

/// Whether a thread is started by the application or by who calls it, and not by the library for itself: only such threads make
/// the streams of the application.
fn runs_application_code_first(view: &View<'_>, threads: &Threads, thread: ThreadId) -> bool {
    match threads.all[thread].origin {
        Origin::Initializers | Origin::Vm(_) => false,
        Origin::Spawn { instance, .. } => view.is_application_instance(instance),
        _ => true,
    }
}

/// The name of the refuter.
pub const BY: &str = "stream-order";

/// The functions that are passed to streams that may be parallel.
pub(crate) fn may_be_parallel_callbacks(view: &View<'_>) -> BitSet<ObjectId> {
    let mut found = BitSet::new();
    for instance in view.analysis.instances.ids().filter(|&id| view.is_application_instance(id)) {
        let Some(body) = view.body(instance) else { continue };
        for inst in body.insts.ids() {
            if is_stream_call(body, inst) && !is_sequential(body, inst) {
                add_arguments(view, instance, body, inst, &mut found);
            }
        }
    }
    found
}

fn add_arguments(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    found: &mut BitSet<ObjectId>,
) {
    for &argument in body.args(inst) {
        for object in view.analysis.points_to(instance, argument).iter() {
            found.insert(object);
        }
    }
}

/// Whether an instruction calls a method of a stream, or one that works in parallel by itself.
fn is_stream_call(body: &Body, inst: Inst) -> bool {
    let Op::Invoke(_, reference) = &body.insts[inst].op else { return false };
    let owner = reference.owner.to_string();
    Kind::Stream.has(owner.as_bytes())
        || (Kind::ArrayHelper.has(owner.as_bytes()) && reference.name.to_string().starts_with("parallel"))
        || Kind::ConcurrentMap.has(owner.as_bytes())
}

/// Whether the pipeline that a call belongs to is sequential: the last call that says so decides for all of it, whether it comes before or
/// after (`PeekThenParallel`).
fn is_sequential(body: &Body, inst: Inst) -> bool {
    let Some(mut at) = last_of_pipeline(body, inst) else { return false };
    loop {
        let Op::Invoke(kind, reference) = &body.insts[at].op else { return false };
        let owner = reference.owner.to_string();
        let is = |name: &str| reference.name == Symbol::from(name);
        if is("parallel") || is("parallelStream") || Kind::StreamSource.has(owner.as_bytes()) {
            return false;
        }
        if is("sequential") {
            return true;
        }
        if !Kind::Stream.has(owner.as_bytes()) {
            // A source: a collection, an array, a string, a file.
            return !is_stream_call(body, at);
        }
        if *kind == InvokeKind::Static {
            return !concatenates(body, at);
        }
        let Some(&stream) = body.args(at).first() else { return false };
        let Some(receiver) = defining_call(body, stream) else { return false };
        // Who else calls a method on the stream may make it parallel (StreamMadeParallelAside).
        let result = body.insts[receiver].result;
        if !is_used_once(body, stream) || result.is_none_or(|result| !is_used_once(body, result)) {
            return false;
        }
        at = receiver;
    }
}

/// The last call of the pipeline that a call belongs to; none if the stream goes elsewhere on the way: it is returned, kept, or an argument
/// (`ConcatParallel`).
fn last_of_pipeline(body: &Body, inst: Inst) -> Option<Inst> {
    let mut at = inst;
    // Each round is one instruction further, and no instruction of a pipeline comes twice.
    for _ in body.insts.ids() {
        let Some(result) = body.insts[at].result else { return Some(at) };
        let is_stream = body.ty(result).class().is_some_and(|class| Kind::Stream.has(class.as_bytes()));
        if !is_stream && !matches!(body.insts[at].op, Op::CheckCast(_)) {
            return Some(at);
        }
        let mut users = body.insts.ids().filter(|&user| body.args(user).contains(&result));
        match (users.next(), users.next()) {
            (None, _) => return Some(at),
            (Some(user), None) if goes_on(body, user, result) => at = user,
            _ => return None,
        }
    }
    None
}

/// Whether an instruction goes on with a stream: it calls a method on it.
fn goes_on(body: &Body, user: Inst, stream: Value) -> bool {
    match &body.insts[user].op {
        Op::Invoke(kind, called) => {
            *kind != InvokeKind::Static
                && Kind::Stream.has(called.owner.as_bytes())
                && body.args(user).first() == Some(&stream)
                && !body.args(user)[1..].contains(&stream)
        }
        Op::CheckCast(_) => true,
        _ => false,
    }
}

/// Whether a static method takes streams, which may be parallel.
fn concatenates(body: &Body, inst: Inst) -> bool {
    let Op::Invoke(_, reference) = &body.insts[inst].op else { return true };
    reference.name == Symbol::from("concat")
}

fn is_used_once(body: &Body, value: Value) -> bool {
    body.insts.ids().filter(|&user| body.args(user).contains(&value)).count() == 1
}

/// The call that a value is the result of.
fn defining_call(body: &Body, value: Value) -> Option<Inst> {
    let mut inst = body.defining_inst(value)?;
    while let Op::CheckCast(_) = body.insts[inst].op {
        inst = body.defining_inst(*body.args(inst).first()?)?;
    }
    matches!(body.insts[inst].op, Op::Invoke(..)).then_some(inst)
}
