//! Owners: fields through which at most one object ever holds a given object.
//!
//! `is_unique(o, f)`: no object that the abstract object `o` stands for is ever held in field `f` by two objects. It is shown
//! by the stores: exactly one instruction stores `o` to any `f`, it stores what an allocation of the same method has just
//! made, or a call that returns something new (see the file `publication/results.rs`), and it cannot run twice for one run of that. Whoever was loaded from `x.f` and is `o` then
//! determines `x`, at whatever time it was loaded, and even if `f` is assigned again later.

use selvedge_models::Kind;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_world::FieldId;

use super::terms::{Code, Step};
use crate::publication::Results;
use crate::view::View;

/// Whether the owners along these steps up from an object are the same, whichever way they were found.
pub(crate) fn are_unique(
    view: &View<'_>,
    (code, results): (&Code, &Results),
    object: ObjectId,
    steps: &[Step],
) -> bool {
    let mut objects = vec![object];
    for (position, step) in steps.iter().enumerate() {
        let Step::Field(field) = *step else { return false };
        if !objects.iter().all(|&object| is_unique(view, (code, results), object, field)) {
            return false;
        }
        if position + 1 < steps.len() {
            let holds = |&holder: &ObjectId| {
                view.analysis.member(holder, Member::Field(field)).any(|held| objects.contains(&held))
            };
            objects = view.analysis.objects_with(field).iter().copied().filter(holds).collect();
        }
    }
    true
}

/// See the [module documentation](self).
fn is_unique(view: &View<'_>, (code, results): (&Code, &Results), object: ObjectId, field: FieldId) -> bool {
    let class = view.program.fields[field].class;
    if !view.is_application_class(class) || may_be_cloned(view, class) {
        return false;
    }
    let mut stores = code.stable.writes(field).iter().filter(|&&(method, inst)| {
        let stored = view.program.body(method).and_then(|body| body.args(inst).last().copied());
        let may_be = |&instance: &selvedge_pta::InstanceId| {
            stored.is_some_and(|stored| view.analysis.points_to(instance, stored).contains(object))
        };
        view.analysis.instances_of(method).iter().any(may_be)
    });
    let (Some(&(method, store)), None) = (stores.next(), stores.next()) else { return false };
    let (Some(body), Some(shape), Some(numbering)) =
        (view.program.body(method), view.shape(method), code.numbering(view, method))
    else {
        return false;
    };
    let Some(made) = body.args(store).last().and_then(|&stored| body.defining_inst(numbering.number(stored)))
    else {
        return false;
    };
    // Other instances than those whose call returns the object store other ones.
    let is_made = view.analysis.instances_of(method).iter().all(|&instance| {
        let is_given = body.insts[made]
            .result
            .is_some_and(|made| view.analysis.points_to(instance, made).contains(object));
        !is_given || results.makes(view, instance, body, made, object)
    });
    let store_loop = shape.loops.innermost(shape.block_of[store]);
    let once_each = store_loop.is_none_or(|within| shape.loops.contains(within, shape.block_of[made]))
        && is_reducible(shape);
    is_made && once_each
}

fn is_reducible(shape: &crate::shape::Shape) -> bool {
    shape.loops.irreducible_edges().is_empty()
}

/// Whether objects of a class may be copied field by field.
pub(crate) fn may_be_cloned(view: &View<'_>, class: selvedge_world::ClassId) -> bool {
    let Some(cloneable) = view.program.class_named(selvedge_ir::ClassName::new(Kind::Cloneable.class()))
    else {
        return true;
    };
    view.program.subtypes(class).iter().any(|&class| view.program.is_subclass(class, cloneable))
}
