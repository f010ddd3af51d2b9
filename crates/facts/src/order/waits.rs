//! What a call has waited for when it returns: the ends of threads, tasks, futures, executors.
//!
//! These are the rows with `join`, and with `subscribe` that comes after *all* that is published. Which threads have ended then
//! is decided where the wait is applied, by the value waited on or by the object it must be.

use selvedge_base::BitSet;
use selvedge_ir::{Body, Condition, Inst, Op, Value};
use selvedge_models::{After, Effect, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::Assume;
use crate::view::View;

/// A call that returns only after something has ended.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    /// The value that holds what is waited for.
    pub value: Value,
    /// Whether it waits for the elements of an array that the value holds.
    pub of_elements: bool,
    /// The objects that the value may hold.
    pub objects: Vec<ObjectId>,
    /// For which results it has ended.
    pub when: When,
    /// Whether it returns at once where nothing has been started yet: then only starts by the same thread count.
    pub needs_start: bool,
}

/// What a call of an instance waits for, by the rows of every method that it may reach.
///
/// `is_shut_down` says whether somebody shuts an executor down; who waits for one that goes on only lets time pass.
pub(crate) fn waits_of(
    view: &View<'_>,
    instance: InstanceId,
    inst: Inst,
    assume: Assume,
    is_shut_down: impl Fn(ObjectId) -> bool,
) -> Vec<Wait> {
    let Some(body) = view.body(instance) else { return Vec::new() };
    let Op::Invoke(_, reference) = &body.insts[inst].op else { return Vec::new() };
    let mut found: Vec<Wait> = Vec::new();
    for effect in view.must_effects(instance, inst) {
        let (place, when, is_join) = match effect {
            Effect::Join { thread, when } => (thread, *when, true),
            Effect::Subscribe { channel, after: After::All, when, item: None } => (channel, *when, false),
            _ => continue,
        };
        let of_elements = matches!(place.steps.as_slice(), [selvedge_models::Step::Elements]);
        let root = selvedge_models::Place { root: place.root, steps: Vec::new() };
        let root = if of_elements { &root } else { place };
        let Some(value) = view.operand(body, inst, root) else { continue };
        let objects: Vec<ObjectId> = view.analysis.points_to(instance, value).iter().collect();
        let needs_start = is_join || reference.name.is("awaitQuiescence") || reference.name.is("isQuiescent");
        // Hardly anybody looks at the result, and where the limit is long it is hardly ever false.
        let ignores = assume == Assume::Usual
            && reference.name.is("awaitTermination")
            && !is_tested(body, inst)
            && is_long(body, inst)
            && objects.iter().all(|&object| is_shut_down(object));
        let when = if ignores { When::Always } else { when };
        found.push(Wait { value, of_elements, objects, when, needs_start });
    }
    found
}

/// The executors that the application shuts down.
pub(super) fn shut_down(view: &View<'_>) -> BitSet<ObjectId> {
    let mut found = BitSet::new();
    for (method, body) in view.application_code() {
        for (inst, data) in body.insts.iter_ids() {
            let (Op::Invoke(_, called), Some(&executor)) = (&data.op, body.args(inst).first()) else {
                continue;
            };
            if ["shutdown", "shutdownNow", "close"].iter().any(|name| called.name.is(name)) {
                for &instance in view.analysis.instances_of(method) {
                    found.extend(view.analysis.points_to(instance, executor).iter());
                }
            }
        }
    }
    found
}

/// Whether a branch depends on the result of a call.
fn is_tested(body: &Body, call: Inst) -> bool {
    !edges_where(body, call, When::ResultTrue).is_empty()
}

/// Whether the time limit of a call, a number and a unit, is long: a second or more.
fn is_long(body: &Body, call: Inst) -> bool {
    let [.., number, unit] = body.args(call) else { return false };
    let op = |value| body.defining_inst(value).map(|inst| body.insts[inst].op);
    let unit = match op(*unit) {
        Some(Op::GetStatic(field)) => field.name.to_string(),
        _ => return false,
    };
    let Some(Op::Long(number)) = op(*number) else { return false };
    match unit.as_str() {
        "NANOSECONDS" => number >= 1_000_000_000,
        "MICROSECONDS" => number >= 1_000_000,
        "MILLISECONDS" => number >= 1_000,
        _ => number >= 1,
    }
}

/// The edges on which the result of a call is known to satisfy a condition: tests of the result in a branch.
pub(crate) fn edges_where(
    body: &Body,
    call: Inst,
    when: When,
) -> Vec<(selvedge_ir::Block, selvedge_ir::Block)> {
    let Some(result) = body.insts[call].result else { return Vec::new() };
    let mut edges = Vec::new();
    for block in body.blocks.ids() {
        let last = body.terminator(block);
        let Op::If { condition, then, otherwise } = body.insts[last].op else { continue };
        if body.args(last) != [result] || then == otherwise {
            continue;
        }
        let target = match (condition, when) {
            (Condition::Ne, When::ResultTrue | When::ResultNonzero) => then,
            (Condition::Eq, When::ResultTrue | When::ResultNonzero) => otherwise,
            (Condition::Ne, When::ResultFalse) => otherwise,
            (Condition::Eq, When::ResultFalse) => then,
            (Condition::RefNe, When::ResultNonNull) => then,
            (Condition::RefEq, When::ResultNonNull) => otherwise,
            _ => continue,
        };
        edges.push((block, target));
    }
    edges
}
