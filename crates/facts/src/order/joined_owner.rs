//! The owner has been joined: an access to what belongs to a thread, after a `join` of that very thread.
//!
//! `for (Worker w : workers) { w.join(); sum += w.count; }`: while some workers still run, this one has ended. The order of threads
//! ([`order`](crate::order)) does not distinguish the threads of one place; here the value does.
//!
//! **Theorem.** Let the one side access an object through a value, or through fields of a value, that the same method has joined
//! before, whichever way control went there; and let the object, or the one that it was loaded from, be the thread object of the
//! other side, [specific](crate::confinement) to its thread. Then the other side's thread has ended. The same holds for array
//! elements: `workers[i].join(); sum += results[i]`, where the worker that was stored at `i` touches no other element than `i`.
//!
//! It is a heuristic, because that the thread had been started when it was joined is not proved.

use selvedge_ir::{Body, Inst, Op, Value, ValueNumbering};
use selvedge_models::{Effect, When};
use selvedge_pta::InstanceId;

use crate::accesses::{Access, Place};
use crate::bundle::Facts;
use crate::describe;
use crate::limits;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::threads::Origin;
use crate::view::View;

/// The name of the refuter.
pub const BY: &str = "joined-owner";

/// Whether one side comes after a join of the thread that the other side is.
pub fn refute<'f>(facts: &'f Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'f>> {
    let [a, b] = candidate.sides;
    let side = [(a, b), (b, a)]
        .into_iter()
        .find_map(|(joining, joined)| after_join(facts, candidate, joining, joined).then_some(joining))?;
    let access = &facts.accesses.all[side.access];
    let view = facts.view;
    Some(Refutation::heuristic(BY, move || {
        let at = describe::place(view, access.method, access.inst);
        format!("at {at} the thread of the other side has been joined")
    }))
}

fn after_join(facts: &Facts<'_, '_>, candidate: &Candidate, joining: Occurrence, joined: Occurrence) -> bool {
    let view = facts.view;
    let thread = &facts.threads.all[joined.thread];
    if !matches!(thread.origin, Origin::Spawn { .. }) || joining.thread == joined.thread {
        return false;
    }
    let access = &facts.accesses.all[joining.access];
    // Asked of every candidate: what can be told without a look at the code comes first.
    let is_specific = candidate.object.is_some_and(|object| facts.confinement.must_be_specific(object));
    let is_element = access.place == Place::Element && !access.by_call;
    if !is_specific && !is_element {
        return false;
    }
    let Some(body) = view.program.body(access.method) else { return false };
    let joins = joins_before(view, joining.instance, access, body);
    if joins.is_empty() {
        return false;
    }
    let numbering = ValueNumbering::new(body);
    let own = |value: Value| {
        let objects = view.analysis.points_to(joining.instance, value);
        objects
            .iter()
            .any(|object| thread.objects.contains(&object) && facts.confinement.must_be_specific(object))
    };
    // The object itself, or what holds it, is the thread.
    let mut next = access.base.filter(|_| is_specific);
    for _ in 0..=limits::JOINED_FIELDS {
        let Some(value) = next else { break };
        if own(value) && joins.iter().any(|&join| numbering.same(uncast(body, join), uncast(body, value))) {
            return true;
        }
        next = body.defining_inst(uncast(body, value)).and_then(|inst| match body.insts[inst].op {
            Op::GetField(_) => body.args(inst).first().copied(),
            _ => None,
        });
    }
    // The element with the number of the thread.
    if !is_element {
        return false;
    }
    let Some((maker, task)) = facts.arrays.slot_of_turn(facts, &joined) else { return false };
    let index = body.args(access.inst)[1];
    joins.iter().any(|&join| {
        let Some(load) = body.defining_inst(uncast(body, join)) else { return false };
        let (Op::ArrayLoad(_), &[workers, position]) = (&body.insts[load].op, body.args(load)) else {
            return false;
        };
        numbering.same(position, index)
            && stores_by_turn(view, maker, task, &thread.objects, |array| {
                let ours = view.analysis.points_to(joining.instance, workers);
                let theirs = view.analysis.points_to(maker, array);
                !ours.is_empty() && ours.iter().all(|object| theirs.contains(object))
            })
    })
}

/// The values whose thread has been joined before an access, whichever way control went there.
fn joins_before(view: &View<'_>, instance: InstanceId, access: &Access, body: &Body) -> Vec<Value> {
    let Some(shape) = view.shape(access.method) else { return Vec::new() };
    let mut found = Vec::new();
    for (inst, data) in body.insts.iter_ids() {
        if !matches!(data.op, Op::Invoke(..)) || !shape.dominates(inst, access.inst) || inst == access.inst {
            continue;
        }
        if !view.has_rows(instance, inst) {
            continue;
        }
        for effect in view.must_effects(instance, inst) {
            if let Effect::Join { thread, when: When::Always } = effect {
                found.extend(view.operand(body, inst, thread));
            }
        }
    }
    found
}

fn uncast(body: &Body, mut value: Value) -> Value {
    while let Some(inst) = body.defining_inst(value)
        && let Op::CheckCast(_) = body.insts[inst].op
    {
        value = body.args(inst)[0];
    }
    value
}

/// Whether the method that makes the tasks, in a loop, stores each thread in an array, at the loop's counter, and stores nothing else
/// there.
fn stores_by_turn(
    view: &View<'_>,
    maker: selvedge_pta::InstanceId,
    task: Inst,
    threads: &[selvedge_pta::heap::ObjectId],
    is_array: impl Fn(Value) -> bool,
) -> bool {
    let shape = view.method_of(maker).and_then(|method| view.shape(method));
    let (Some(body), Some(shape)) = (view.body(maker), shape) else { return false };
    let Some(turns) = shape.loops.innermost(shape.block_of[task]) else { return false };
    let mut stores = body
        .insts
        .iter_ids()
        .filter(|(inst, data)| matches!(data.op, Op::ArrayStore(_)) && is_array(body.args(*inst)[0]));
    let (Some((store, _)), None) = (stores.next(), stores.next()) else { return false };
    let &[_, index, stored] = body.args(store) else { return false };
    let is_counter = body.defining_inst(index).is_some_and(|phi| {
        matches!(body.insts[phi].op, Op::Phi) && shape.block_of[phi] == shape.loops.get(turns).header
    });
    let same_loop = shape.loops.innermost(shape.block_of[store]) == Some(turns);
    let mut objects = view.analysis.points_to(maker, stored).iter();
    is_counter && same_loop && objects.any(|object| leads_to(view, object, threads))
}

/// Whether an object is one of some tasks, or a thread that runs one of them.
fn leads_to(
    view: &View<'_>,
    object: selvedge_pta::heap::ObjectId,
    tasks: &[selvedge_pta::heap::ObjectId],
) -> bool {
    let holds = |(holder, set): (selvedge_pta::heap::ObjectId, &selvedge_base::HybridSet<_>)| {
        holder == object && tasks.iter().any(|&task| set.contains(task))
    };
    tasks.contains(&object) || view.analysis.members().any(|(holder, _, set)| holds((holder, set)))
}
