//! What functions do to the values of a `ConcurrentHashMap` while the map computes them: `map.compute(key, (k, list) -> ...)`.
//!
//! The map runs such a function with the key's bin locked, once for a key at a time (javadoc: "the entire method invocation is performed
//! atomically"). While an instance runs only for `compute`, `computeIfPresent` or `merge` of a map, it *holds the entry* of that map.
//!
//! A heuristic: two functions that hold entries of one map do not access the same **value** in parallel. What they are given as value, or make
//! and return, belongs to one key, unless the program puts one object under two keys. Of anything else that such a function touches
//! nothing is concluded: functions for two keys do run in parallel.

use selvedge_ir::{Body, Op, Value, ValueDef};
use selvedge_models::Kind;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::MethodId;

use crate::accesses::Access;
use crate::view::View;

/// The map whose entry an instance of the library holds when it calls functions.
pub(in crate::locks) fn computed_map(view: &View<'_>, instance: InstanceId) -> Option<(MethodId, ObjectId)> {
    let method = view.method_of(instance)?;
    let data = &view.program.methods[method];
    let computes = ["compute", "computeIfPresent", "merge"].iter().any(|name| data.name.is(name));
    if !computes || !Kind::ConcurrentMap.has(view.program.classes[data.class].name.as_bytes()) {
        return None;
    }
    let mut maps = view.analysis.parameter_points_to(instance, 0).iter();
    let (Some(map), None) = (maps.next(), maps.next()) else { return None };
    Some((method, map))
}

/// Whether what an instance calls is not the function that was passed to the map any more: it is that function itself, or further down. (The
/// bridge of an anonymous class calls the function.)
pub(in crate::locks) fn passes_no_entry(view: &View<'_>, instance: InstanceId) -> bool {
    let is_method = matches!(view.procedure_of(instance), Procedure::Method(_));
    let is_bridge =
        view.method_of(instance).is_some_and(|method| view.program.methods[method].name.is("apply"));
    view.is_application_instance(instance) && is_method && !is_bridge
}

/// Whether an access is to the value of the entry: what the function was given as value, or has made.
pub(in crate::locks) fn is_of_value(view: &View<'_>, access: &Access, operation: MethodId) -> bool {
    let method = &view.program.methods[access.method];
    let is_function = method.name.is("apply") || method.name.as_bytes().starts_with(b"lambda$");
    let (Some(body), Some(base), true) = (view.program.body(access.method), access.base, is_function) else {
        return false;
    };
    // `merge` gives the old value and the new one, the others the key and the value.
    let values = if view.program.methods[operation].name.is("merge") { 2 } else { 1 };
    let mut seen: Vec<Value> = Vec::new();
    is_value(body, base, values, &mut seen)
}

fn is_value(body: &Body, value: Value, values: usize, seen: &mut Vec<Value>) -> bool {
    if seen.contains(&value) {
        return true;
    }
    seen.push(value);
    match body.values[value].def {
        ValueDef::Parameter(position) => position as usize + values >= body.parameters.len(),
        ValueDef::Inst(inst) => match body.insts[inst].op {
            Op::New(_) | Op::Null => true,
            Op::CheckCast(_) | Op::Phi => {
                body.args(inst).iter().all(|&from| is_value(body, from, values, seen))
            }
            _ => false,
        },
    }
}
