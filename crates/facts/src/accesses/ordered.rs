//! Maps in the order of access: `new LinkedHashMap<>(capacity, load, true)`, also as the superclass of a cache.
//!
//! The relation: the objects on which the constructor that chooses the order may be called with anything but `false`. Looking an
//! entry up changes such a map (javadoc of `LinkedHashMap`: "merely querying the map with get is a structural modification").

use selvedge_base::FastSet;
use selvedge_ir::{InvokeKind, Op};
use selvedge_models::Kind;
use selvedge_pta::heap::ObjectId;

use crate::view::View;

/// The maps of the application that may be in the order of access.
pub(super) fn access_ordered(view: &View<'_>) -> FastSet<ObjectId> {
    let mut found = FastSet::default();
    for (method, body) in view.application_code() {
        for (inst, data) in body.insts.iter_ids() {
            let Op::Invoke(InvokeKind::Special, called) = &data.op else { continue };
            let chooses = Kind::AccessOrderedMap.has(called.owner.as_bytes())
                && called.name.is("<init>")
                && called.descriptor.is("(IFZ)V");
            let &[map, _, _, order] = body.args(inst) else { continue };
            let is_false = body.defining_inst(order).is_some_and(|inst| body.insts[inst].op == Op::Int(0));
            if chooses && !is_false {
                for &instance in view.analysis.instances_of(method) {
                    found.extend(view.analysis.points_to(instance, map).iter());
                }
            }
        }
    }
    found
}
