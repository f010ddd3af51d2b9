//! Arrays whose elements do not change once they can be used as locks: lock striping.
//!
//! `is_stable(array)`: whoever reads an element of the array gets null or always the same reference, as for [stable](super::stable)
//! fields. That holds if all stores into the array are in the method that makes it, on the array by a name that must mean it (the
//! value, or the stable field of `this` into which it went), and no element is stored twice:
//!
//! - the stores are at different constant indexes, each in the same loop as the array is made in; or
//! - there is one store, at the counter of a loop that grows by a constant in each turn, and that loop begins anew only where the
//!   array is made anew.
//!
//! So two threads that lock the element at the same index of such an array lock the same object.

use selvedge_base::{FastMap, FastSet, LoopId};
use selvedge_ir::{ArrayKind, BinaryOp, Body, Inst, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::MethodId;

use super::terms::Code;
use crate::accesses::{AccessKind, Accesses, Place};
use crate::shape::Shape;
use crate::view::View;

/// The stable arrays among those whose elements are locked somewhere.
pub(in crate::locks) fn stable_arrays(
    view: &View<'_>,
    code: &Code,
    accesses: &Accesses,
) -> FastSet<ObjectId> {
    let mut stores: FastMap<ObjectId, Option<Vec<Inst>>> =
        arrays_of_locks(view).into_iter().map(|array| (array, Some(Vec::new()))).collect();
    if stores.is_empty() {
        return FastSet::default();
    }
    for (id, access) in accesses.all.iter_ids() {
        let stores_reference = access.element.is_none_or(|kind| kind == ArrayKind::Ref);
        if access.place != Place::Element || access.kind != AccessKind::Write || !stores_reference {
            continue;
        }
        for &instance in view.analysis.instances_of(access.method) {
            let touched = accesses.may_touch(view, id, instance);
            for (&array, known) in stores.iter_mut().filter(|(array, _)| touched.contains(**array)) {
                match maker_of(view, array) {
                    Some((method, _)) if method == access.method && !access.by_call => {
                        known.iter_mut().for_each(|known| known.push(access.inst));
                    }
                    _ => *known = None,
                }
            }
        }
    }
    let is_stable = |array: ObjectId, mut stores: Vec<Inst>| {
        stores.sort_unstable();
        stores.dedup();
        let (method, made) = maker_of(view, array)?;
        let (body, shape) = (view.program.body(method)?, view.shape(method)?);
        let maker = Maker { view, code, method, body, shape, made };
        maker.stores_once(&stores).then_some(array)
    };
    stores.into_iter().filter_map(|(array, stores)| is_stable(array, stores?)).collect()
}

/// The method of the application that makes an array, and where.
fn maker_of(view: &View<'_>, array: ObjectId) -> Option<(MethodId, Inst)> {
    let heap = &view.analysis.heap;
    match heap.site_of(heap.get(array).site) {
        Site::Instruction { method, inst, depth: 0 } if view.is_application(method) => Some((method, inst)),
        _ => None,
    }
}

/// The arrays of which the application locks elements.
fn arrays_of_locks(view: &View<'_>) -> FastSet<ObjectId> {
    let mut found = FastSet::default();
    for (method, body) in view.application_code() {
        for (inst, data) in body.insts.iter_ids() {
            let locks = match &data.op {
                Op::MonitorEnter => true,
                Op::Invoke(_, called) => Kind::Lock.has(called.owner.as_bytes()),
                _ => false,
            };
            let loaded = body.args(inst).first().filter(|_| locks).and_then(|&lock| body.defining_inst(lock));
            let Some(load) = loaded.filter(|&load| matches!(body.insts[load].op, Op::ArrayLoad(_))) else {
                continue;
            };
            for &instance in view.analysis.instances_of(method) {
                found.extend(view.analysis.points_to(instance, body.args(load)[0]).iter());
            }
        }
    }
    found
}

/// The method that makes an array.
struct Maker<'a, 'v> {
    view: &'a View<'v>,
    code: &'a Code,
    method: MethodId,
    body: &'a Body,
    shape: &'a Shape,
    made: Inst,
}

impl Maker<'_, '_> {
    fn loop_of(&self, inst: Inst) -> Option<LoopId> {
        self.shape.loops.innermost(self.shape.block_of[inst])
    }

    /// Whether the stores, which are all that there are into the array, store no element twice.
    fn stores_once(&self, stores: &[Inst]) -> bool {
        self.shape.loops.irreducible_edges().is_empty()
            && stores.iter().all(|&store| self.is_on_array(self.body.args(store)[0]))
            && (self.are_at_constants(stores) || matches!(stores, [store] if self.is_at_counter(*store)))
    }

    /// Whether a value must be the array: the new one itself, or what a stable field holds into which it was stored.
    fn is_on_array(&self, value: Value) -> bool {
        let Some(numbering) = self.code.numbering(self.view, self.method) else { return false };
        let array = self.body.insts[self.made].result;
        if array.is_some_and(|array| numbering.same(array, value)) {
            return true;
        }
        let Some(load) = self.body.defining_inst(value) else { return false };
        let (Op::GetField(read) | Op::GetStatic(read)) = &self.body.insts[load].op else { return false };
        let Ok(field) = self.view.program.resolve_field(read) else { return false };
        if !self.code.stable.is_stable(self.view, field) {
            return false;
        }
        let [(writer, write)] = self.code.stable.writes(field) else { return false };
        let (stored, holder) = match (&self.body.insts[*write].op, self.body.args(*write)) {
            _ if *writer != self.method => return false,
            (Op::PutField(_), &[holder, stored]) => (stored, Some(holder)),
            (Op::PutStatic(_), &[stored]) => (stored, None),
            _ => return false,
        };
        let same_holder = holder == self.body.args(load).first().copied();
        same_holder && array.is_some_and(|array| numbering.same(array, stored))
    }

    fn are_at_constants(&self, stores: &[Inst]) -> bool {
        let mut indexes: Vec<i32> = Vec::new();
        for &store in stores {
            let index =
                self.body.defining_inst(self.body.args(store)[1]).map(|inst| &self.body.insts[inst].op);
            let Some(Op::Int(index)) = index else { return false };
            if self.loop_of(store) != self.loop_of(self.made) || indexes.contains(index) {
                return false;
            }
            indexes.push(*index);
        }
        true
    }

    fn is_at_counter(&self, store: Inst) -> bool {
        let Some(phi) = self.body.defining_inst(self.body.args(store)[1]) else { return false };
        let Some(turns) = self.loop_of(store) else { return false };
        let data = self.shape.loops.get(turns);
        if !matches!(self.body.insts[phi].op, Op::Phi)
            || self.shape.block_of[phi] != data.header
            || data.parent != self.loop_of(self.made)
        {
            return false;
        }
        let edges = &self.body.blocks[data.header].predecessors;
        edges.iter().zip(self.body.args(phi)).all(|(edge, &argument)| {
            !self.shape.loops.contains(turns, edge.from) || self.is_next(phi, argument)
        })
    }

    /// Whether a value is that of a phi plus a constant other than zero, always of the same sign.
    fn is_next(&self, phi: Inst, value: Value) -> bool {
        let Some(sum) = self.body.defining_inst(value) else { return false };
        let Op::Binary(BinaryOp::Add) = self.body.insts[sum].op else { return false };
        let &[counter, step] = self.body.args(sum) else { return false };
        let step = self.body.defining_inst(step).map(|inst| &self.body.insts[inst].op);
        Some(counter) == self.body.insts[phi].result && matches!(step, Some(Op::Int(step)) if *step > 0)
    }
}
