//! Accesses: the instructions of the application that read or write data that can race.
//!
//! Instance fields, static fields, array elements, and containers: a call of a library method that reads or changes
//! the state of an unsynchronised library object is an access to that object at the caller's line (rows with `container-read`
//! and `container-write`). Final and volatile fields give no accesses: neither can race. A field that is only ever read by
//! everybody gives accesses that pair with nothing.
//!
//! An access is a place in the code, without context; which objects it may touch depends on the instance of its method:
//! [`Accesses::may_touch`].

use selvedge_base::{FastMap, HybridSet, IdVec, entity};
use selvedge_ir::{ArrayKind, Body, Inst, InvokeKind, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use crate::view::View;

entity! {
    /// An access.
    AccessId "a";
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

/// What kind of place an access is to. Two accesses can only conflict if these are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// An instance field.
    Field(FieldId),
    /// A static field.
    Static(FieldId),
    /// An array element.
    Element,
    /// The state of a library object.
    Container,
}

/// An instruction of the application that accesses data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The method.
    pub method: MethodId,
    /// The instruction.
    pub inst: Inst,
    /// What it does.
    pub kind: AccessKind,
    /// To which kind of place.
    pub place: Place,
    /// The value that holds the object; `None` for static fields.
    pub base: Option<Value>,
    /// The element kind of an array access: arrays of different kinds are different objects.
    pub element: Option<ArrayKind>,
}

/// A call that touches library objects: through which value, and which objects in which instance.
struct ContainerCall {
    base: Value,
    kind: AccessKind,
    touched: Vec<(InstanceId, ObjectId, AccessKind)>,
}

/// Every access in the reached methods of the application.
pub struct Accesses {
    /// The accesses, method by method, in the order of the code.
    pub all: IdVec<AccessId, Access>,
    by_method: FastMap<MethodId, Vec<AccessId>>,
    /// The library objects that container accesses may touch.
    touched: FastMap<(AccessId, InstanceId), HybridSet<ObjectId>>,
    /// What container accesses do to them.
    kinds: FastMap<(AccessId, ObjectId), AccessKind>,
    empty: HybridSet<ObjectId>,
}

impl Accesses {
    /// Finds the accesses.
    pub fn new(view: &View<'_>) -> Self {
        let mut accesses = Self {
            all: IdVec::new(),
            by_method: FastMap::default(),
            touched: FastMap::default(),
            kinds: FastMap::default(),
            empty: HybridSet::default(),
        };
        for (method, _) in view.program.methods.iter_ids() {
            if view.is_application(method) && view.analysis.is_reached(method) {
                accesses.add_method(view, method);
            }
        }
        accesses
    }

    fn add_method(&mut self, view: &View<'_>, method: MethodId) {
        let Some(body) = view.program.body(method) else { return };
        for (inst, data) in body.insts.iter_ids() {
            let arguments = body.args(inst);
            let field = |kind, reference| {
                let field = view.program.resolve_field(reference).ok()?;
                let data = &view.program.fields[field];
                let place = if data.is_static() { Place::Static(field) } else { Place::Field(field) };
                let races = !data.is_final() && !data.is_volatile();
                races.then_some((kind, place, None))
            };
            let found = match &data.op {
                Op::GetField(reference) | Op::GetStatic(reference) => field(AccessKind::Read, reference),
                Op::PutField(reference) | Op::PutStatic(reference) => field(AccessKind::Write, reference),
                Op::ArrayLoad(kind) => Some((AccessKind::Read, Place::Element, Some(*kind))),
                Op::ArrayStore(kind) => Some((AccessKind::Write, Place::Element, Some(*kind))),
                Op::Invoke(..) => {
                    self.add_container_accesses(view, method, inst);
                    None
                }
                _ => None,
            };
            if let Some((kind, place, element)) = found {
                let base = if matches!(place, Place::Static(_)) { None } else { arguments.first().copied() };
                self.push(Access { method, inst, kind, place, base, element });
            }
        }
    }

    /// A call that may read and write is a write. What the call touches is found by the methods that it may reach: views and
    /// iterators stand for the container behind them.
    fn add_container_accesses(&mut self, view: &View<'_>, method: MethodId, inst: Inst) {
        let Some(body) = view.program.body(method) else { return };
        let mut found: Vec<ContainerCall> = Vec::new();
        for &instance in view.analysis.instances_of(method) {
            let Some(call) = view.calls(instance).find(|call| call.inst == Some(inst)) else { continue };
            let mut callees: Vec<MethodId> =
                call.callees.iter().filter_map(|&callee| view.method_of(callee)).collect();
            callees.sort_unstable();
            callees.dedup();
            for callee in callees {
                for effect in view.rows(callee).iter().flat_map(|row| row.effects.iter()) {
                    let (place, kind) = match effect {
                        Effect::ContainerRead { object } => (object, AccessKind::Read),
                        Effect::ContainerWrite { object } => (object, AccessKind::Write),
                        _ => continue,
                    };
                    let root = selvedge_models::Place { root: place.root, steps: Vec::new() };
                    let Some(base) = view.operand(body, inst, &root) else { continue };
                    let reaches = |&object: &ObjectId| is_receiver_of(view, body, inst, base, callee, object);
                    let roots = view.objects_at(instance, call.number, callee, &root);
                    let roots: Vec<ObjectId> = roots.into_iter().filter(reaches).collect();
                    let mut touched = view.objects_from(roots, &place.steps);
                    touched.retain(|&object| !is_merged(view, object));
                    let position = found.iter().position(|call| call.base == base).unwrap_or_else(|| {
                        found.push(ContainerCall { base, kind, touched: Vec::new() });
                        found.len() - 1
                    });
                    let call = &mut found[position];
                    call.kind = call.kind.max(kind);
                    call.touched.extend(touched.into_iter().map(|object| (instance, object, kind)));
                }
            }
        }
        for ContainerCall { base, kind, touched } in found {
            let (base, place) = (Some(base), Place::Container);
            let id = self.push(Access { method, inst, kind, place, base, element: None });
            for (instance, object, kind) in touched {
                self.touched.entry((id, instance)).or_default().insert(object);
                let known = self.kinds.entry((id, object)).or_insert(kind);
                *known = kind.max(*known);
            }
        }
    }

    fn push(&mut self, access: Access) -> AccessId {
        let id = self.all.push(access);
        self.by_method.entry(access.method).or_default().push(id);
        id
    }

    /// The accesses of a method, in the order of its code.
    pub fn of_method(&self, method: MethodId) -> &[AccessId] {
        self.by_method.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The objects that an access may touch in an instance of its method; none for static fields.
    pub fn may_touch<'v>(
        &'v self,
        view: &'v View<'_>,
        access: AccessId,
        instance: InstanceId,
    ) -> &'v HybridSet<ObjectId> {
        match self.all[access] {
            Access { place: Place::Container, .. } => {
                self.touched.get(&(access, instance)).unwrap_or(&self.empty)
            }
            Access { base: Some(base), .. } => view.analysis.points_to(instance, base),
            Access { base: None, .. } => &self.empty,
        }
    }

    /// What an access does to an object that it may touch; `None` if it does nothing to objects of that class: a call
    /// through `java.util.List` reads an `ArrayList`, and does no harm to a `CopyOnWriteArrayList`.
    pub fn kind_on(&self, access: AccessId, object: ObjectId) -> Option<AccessKind> {
        let data = &self.all[access];
        if data.place == Place::Container {
            self.kinds.get(&(access, object)).copied()
        } else {
            Some(data.kind)
        }
    }
}

/// Whether an object stands for all that the library makes of its class for itself (builders of strings, say): such objects never
/// leave the call that makes them.
fn is_merged(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    matches!(heap.site_of(heap.get(object).site), Site::Merged(_))
}

/// Whether a call reaches a library method on an object: always, unless the object is the receiver of a virtual call and has
/// another implementation.
fn is_receiver_of(
    view: &View<'_>,
    body: &Body,
    inst: Inst,
    base: Value,
    callee: MethodId,
    object: ObjectId,
) -> bool {
    let Op::Invoke(kind, reference) = &body.insts[inst].op else { return true };
    let is_virtual = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
    if !is_virtual || body.args(inst).first() != Some(&base) {
        return true;
    }
    let implementation = view.analysis.implementation(object, reference.name, reference.descriptor);
    implementation.and_then(|procedure| view.analysis.procedures.method(procedure)) == Some(callee)
}
