//! Fields that are claimed once: `STATE.compareAndSet(this, NEW, STARTED)`, through a field updater or a `VarHandle`.
//!
//! **Theorem.** If a field is zero or null from the start, and nothing ever writes zero or null to it again, then of each object at most one
//! compare-and-set of the field from zero or null to something else succeeds. Whoever has seen it succeed holds the field for good, like a lock
//! that is never given back: what it does then, one thread does. (For atomic variables see [`spin`](super::spin).)
//!
//! A `VarHandle` tells its field by what it points to. A field updater is known by where it is kept: a final static field to which the class initialiser
//! stores what `newUpdater` makes of a class and a name that stand there. What changes a field through any other updater may change all.

use selvedge_base::FastSet;
use selvedge_ir::{Body, ClassName, Inst, InvokeKind, Op, Value};
use selvedge_models::{Kind, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{FieldId, MethodId};

use super::spin::{is_set, is_unset};
use crate::accesses::fields_behind;
use crate::locks::held::state::{Key, Role};
use crate::locks::names::terms::{Code, Root, Term};
use crate::view::View;

/// The fields of the application that are claimed by compare-and-set somewhere and never unset.
pub(in crate::locks) fn claimed_fields(view: &View<'_>) -> FastSet<FieldId> {
    let (mut claimed, mut unset): (FastSet<FieldId>, FastSet<FieldId>) = Default::default();
    for (method, body) in view.application_code() {
        let data = &view.program.methods[method];
        let initializes = data.is_constructor() || data.is_class_initializer();
        for (inst, data) in body.insts.iter_ids() {
            let arguments = body.args(inst);
            let last = arguments.last().copied();
            match &data.op {
                Op::PutField(reference) | Op::PutStatic(reference) => {
                    let stays = last.is_some_and(|value| {
                        let on_own = data_is_static(&data.op) || arguments.first() == body.parameters.first();
                        is_set(body, value) || initializes && on_own && is_unset(body, value)
                    });
                    if !stays && let Ok(field) = view.program.resolve_field(reference) {
                        unset.insert(field);
                    }
                }
                Op::Invoke(InvokeKind::Virtual, called) if is_handle(called.owner) => {
                    let name = called.name.to_string();
                    let looks = name.starts_with("get") && !name.starts_with("getAnd");
                    let sets = name.starts_with("set")
                        || name == "lazySet"
                        || name.starts_with("compareAnd")
                        || name.starts_with("weakCompareAndSet");
                    let stays = looks || sets && last.is_some_and(|value| is_set(body, value));
                    let fields = handled_fields(view, method, body, inst);
                    if fields.is_empty() && is_updater(called.owner) && !stays {
                        return FastSet::default();
                    }
                    if claims(body, inst).is_some() {
                        claimed.extend(&fields);
                    }
                    if !stays {
                        unset.extend(fields);
                    }
                }
                _ => {}
            }
        }
    }
    claimed.retain(|&field| {
        view.is_application_class(view.program.fields[field].class) && !unset.contains(&field)
    });
    claimed
}

/// Whether objects of a class give access to fields.
fn is_handle(class: ClassName) -> bool {
    Kind::VariableHandle.has(class.as_bytes())
        || Kind::ReflectedField.has(class.as_bytes())
        || is_updater(class)
}

fn is_updater(class: ClassName) -> bool {
    Kind::FieldUpdater.has(class.as_bytes())
}

/// The field that an updater is for, if it is kept in a final static field; see the [module documentation](self).
fn updated_field(view: &View<'_>, body: &Body, updater: Value) -> Option<FieldId> {
    let program = view.program;
    let Op::GetStatic(reference) = &body.insts[body.defining_inst(updater)?].op else { return None };
    let kept = program.resolve_field(reference).ok()?;
    let data = &program.fields[kept];
    if !data.is_final() || !data.is_static() {
        return None;
    }
    let methods = &program.classes[data.class].methods;
    let initializer = methods.iter().find(|&method| program.methods[method].is_class_initializer())?;
    let body = program.body(initializer)?;
    let mut stores = body.insts.iter_ids().filter(|(_, data)| {
        matches!(&data.op, Op::PutStatic(reference) if program.resolve_field(reference) == Ok(kept))
    });
    let (store, None) = (stores.next()?.0, stores.next()) else { return None };
    let made = body.defining_inst(*body.args(store).first()?)?;
    let Op::Invoke(InvokeKind::Static, called) = &body.insts[made].op else { return None };
    let arguments = body.args(made);
    let constant = |value: &Value| body.defining_inst(*value).map(|inst| &body.insts[inst].op);
    let (Op::Class(class), Op::String(name)) = (constant(arguments.first()?)?, constant(arguments.last()?)?)
    else {
        return None;
    };
    let class = program.class_named(*class).filter(|_| called.name.is("newUpdater"))?;
    program.classes[class].fields.iter().find(|&field| program.fields[field].name == *name)
}

fn data_is_static(op: &Op) -> bool {
    matches!(op, Op::PutStatic(_))
}

/// The fields that a call may access through a handle or updater that it is made on, in any instance.
fn handled_fields(view: &View<'_>, method: MethodId, body: &Body, inst: Inst) -> Vec<FieldId> {
    let Some(&handle) = body.args(inst).first() else { return Vec::new() };
    let mut found: Vec<FieldId> = updated_field(view, body, handle).into_iter().collect();
    for &instance in view.analysis.instances_of(method) {
        found.extend(fields_behind(view, view.analysis.points_to(instance, handle).iter()));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a call is a compare-and-set from zero or null to something else: with what object, if the field has one.
fn claims(body: &Body, inst: Inst) -> Option<Option<Value>> {
    let Op::Invoke(InvokeKind::Virtual, called) = &body.insts[inst].op else { return None };
    if !is_handle(called.owner) {
        return None;
    }
    let (holder, from, to) = match *body.args(inst) {
        [_, holder, from, to] => (Some(holder), from, to),
        [_, from, to] => (None, from, to),
        _ => return None,
    };
    let strong = called.name.is("compareAndSet") || called.name.is("weakCompareAndSet");
    (strong && is_unset(body, from) && is_set(body, to)).then_some(holder)
}

/// The claim that a call makes if its result is true.
pub(in crate::locks) fn claim(
    view: &View<'_>,
    code: &Code,
    method: MethodId,
    body: &Body,
    inst: Inst,
) -> Option<(Key, When)> {
    if code.claimed.is_empty() {
        return None;
    }
    let holder = claims(body, inst)?;
    let [field] = handled_fields(view, method, body, inst)[..] else { return None };
    // Beside the handle, which names the field, an updater is also the object that the library's code makes.
    let heap = &view.analysis.heap;
    let is_own = |object: ObjectId| Kind::Atomic.has(heap.types.name(heap.get(object).ty).as_bytes());
    let is_handle = |&instance: &InstanceId| {
        let mut handles = view.analysis.points_to(instance, body.args(inst)[0]).iter();
        handles.all(|object| is_own(object) || !fields_behind(view, std::iter::once(object)).is_empty())
    };
    if !code.claimed.contains(&field) || !view.analysis.instances_of(method).iter().all(is_handle) {
        return None;
    }
    let term = match holder {
        Some(holder) => code.term(view, method, holder),
        None => Term::new(Root::Class(view.program.classes[view.program.fields[field].class].name)),
    };
    Some((Key { term, role: Role::Claim(field) }, When::ResultTrue))
}
