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
use selvedge_ir::{ArrayKind, Inst, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
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

/// Every access in the reached methods of the application.
pub struct Accesses {
    /// The accesses, method by method, in the order of the code.
    pub all: IdVec<AccessId, Access>,
    by_method: FastMap<MethodId, Vec<AccessId>>,
    empty: HybridSet<ObjectId>,
}

impl Accesses {
    /// Finds the accesses.
    pub fn new(view: &View<'_>) -> Self {
        let mut accesses =
            Self { all: IdVec::new(), by_method: FastMap::default(), empty: HybridSet::default() };
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

    /// A call that may read and write is a write.
    fn add_container_accesses(&mut self, view: &View<'_>, method: MethodId, inst: Inst) {
        let Some(body) = view.program.body(method) else { return };
        let mut found: Vec<(Value, AccessKind)> = Vec::new();
        for &instance in view.analysis.instances_of(method) {
            for effect in view.may_effects(instance, inst) {
                let (object, kind) = match effect {
                    Effect::ContainerRead { object } => (object, AccessKind::Read),
                    Effect::ContainerWrite { object } => (object, AccessKind::Write),
                    _ => continue,
                };
                let Some(base) = view.operand(body, inst, object) else { continue };
                match found.iter_mut().find(|(value, _)| *value == base) {
                    Some((_, known)) => *known = kind.max(*known),
                    None => found.push((base, kind)),
                }
            }
        }
        for (base, kind) in found {
            let (base, place) = (Some(base), Place::Container);
            self.push(Access { method, inst, kind, place, base, element: None });
        }
    }

    fn push(&mut self, access: Access) {
        let id = self.all.push(access);
        self.by_method.entry(access.method).or_default().push(id);
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
        match self.all[access].base {
            Some(base) => view.analysis.points_to(instance, base),
            None => &self.empty,
        }
    }
    /// What an access does to an object that it may touch; `None` if it does nothing to objects of that class: a call
    /// through `java.util.List` reads an `ArrayList`, and does no harm to a `CopyOnWriteArrayList`.
    pub fn kind_on(&self, view: &View<'_>, access: AccessId, object: ObjectId) -> Option<AccessKind> {
        let data = &self.all[access];
        let body = view.program.body(data.method)?;
        let (Place::Container, Op::Invoke(_, reference)) = (data.place, &body.insts[data.inst].op) else {
            return Some(data.kind);
        };
        if data.base != body.args(data.inst).first().copied() {
            return Some(data.kind);
        }
        let implementation = view.analysis.implementation(object, reference.name, reference.descriptor)?;
        let method = view.analysis.procedures.method(implementation)?;
        let effects = view.rows(method).iter().flat_map(|row| row.effects.iter());
        effects
            .filter_map(|effect| match effect {
                Effect::ContainerRead { .. } => Some(AccessKind::Read),
                Effect::ContainerWrite { .. } => Some(AccessKind::Write),
                _ => None,
            })
            .max()
    }
}
