//! Accesses: the instructions of the application that read or write data that can race.
//!
//! Instance fields, static fields, array elements, and containers: a call of a library method that reads or changes
//! the state of an unsynchronised library object is an access to that object at the caller's line (rows with `container-read`
//! and `container-write`). Final and volatile fields give no accesses: neither can race. A field that is only ever read by
//! everybody gives accesses that pair with nothing.
//!
//! Library code that the application calls acts on its behalf: what it does to containers and arrays of the application that are
//! passed to it counts as done by the call ([`inner`]), and so do plain accesses to fields through handles ([`handles`]).
//!
//! An access is a place in the code, without context; which objects it may touch depends on the instance of its method:
//! [`Accesses::may_touch`].

mod handles;
mod inner;
mod ordered;

use selvedge_base::{FastMap, FastSet, HybridSet, IdVec, entity};
use selvedge_ir::{ArrayKind, Body, Inst, InvokeKind, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use crate::view::View;

pub(crate) use handles::fields_behind;
use inner::Library;
use ordered::access_ordered;

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
    /// Whether library code that the instruction calls makes it.
    pub by_call: bool,
}

/// An access by library code that a call of the application leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Within {
    /// The instance of the library's method.
    pub instance: InstanceId,
    /// The instruction.
    pub inst: Inst,
    /// The value there that leads to the object.
    pub base: Value,
}

/// A call that touches objects: through which value, and which objects in which instance.
struct TouchingCall {
    place: Place,
    element: Option<ArrayKind>,
    base: Option<Value>,
    kind: AccessKind,
    touched: Vec<(InstanceId, ObjectId, AccessKind)>,
    within: Vec<(InstanceId, Within)>,
}

/// The calls of one instruction, as far as they were found.
#[derive(Default)]
struct TouchingCalls(Vec<TouchingCall>);

impl TouchingCalls {
    fn add(
        &mut self,
        (place, element, base): (Place, Option<ArrayKind>, Option<Value>),
        instance: InstanceId,
        objects: impl IntoIterator<Item = (ObjectId, AccessKind)>,
        within: Option<Within>,
    ) {
        let is_it = |call: &TouchingCall| (call.place, call.element, call.base) == (place, element, base);
        let position = self.0.iter().position(is_it).unwrap_or_else(|| {
            let (kind, touched, within) = (AccessKind::Read, Vec::new(), Vec::new());
            self.0.push(TouchingCall { place, element, base, kind, touched, within });
            self.0.len() - 1
        });
        let call = &mut self.0[position];
        for (object, kind) in objects {
            call.kind = call.kind.max(kind);
            call.touched.push((instance, object, kind));
        }
        call.within.extend(within.map(|within| (instance, within)));
    }

    /// The last call that was added does this.
    fn raise(&mut self, kind: AccessKind) {
        if let Some(call) = self.0.last_mut() {
            call.kind = call.kind.max(kind);
        }
    }
}

/// Every access in the reached methods of the application.
pub struct Accesses {
    /// The accesses, method by method, in the order of the code.
    pub all: IdVec<AccessId, Access>,
    by_method: FastMap<MethodId, Vec<AccessId>>,
    /// The objects that accesses by calls may touch.
    touched: FastMap<(AccessId, InstanceId), HybridSet<ObjectId>>,
    /// What accesses by calls do to them.
    kinds: FastMap<(AccessId, ObjectId), AccessKind>,
    /// Where in the library accesses by calls are made, if not by the called method as such.
    pub(crate) within: FastMap<(AccessId, InstanceId), Vec<Within>>,
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
            within: FastMap::default(),
            empty: HybridSet::default(),
        };
        let mut library = Library::new(view);
        let by_access = access_ordered(view);
        for (method, _) in view.program.methods.iter_ids() {
            if view.is_application(method) && view.analysis.is_reached(method) {
                accesses.add_method(view, &mut library, &by_access, method);
            }
        }
        accesses
    }

    fn add_method(
        &mut self,
        view: &View<'_>,
        library: &mut Library,
        by_access: &FastSet<ObjectId>,
        method: MethodId,
    ) {
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
                    let mut calls = TouchingCalls::default();
                    container_accesses(view, by_access, method, inst, &mut calls);
                    handles::accesses(view, method, inst, &mut calls);
                    library.accesses(view, by_access, method, inst, &mut calls);
                    self.add_calls(method, inst, calls);
                    None
                }
                _ => None,
            };
            if let Some((kind, place, element)) = found {
                let base = if matches!(place, Place::Static(_)) { None } else { arguments.first().copied() };
                self.push(Access { method, inst, kind, place, base, element, by_call: false });
            }
        }
    }

    /// A call that may read and write is a write.
    fn add_calls(&mut self, method: MethodId, inst: Inst, calls: TouchingCalls) {
        for TouchingCall { place, element, base, kind, touched, within } in calls.0 {
            let id = self.push(Access { method, inst, kind, place, base, element, by_call: true });
            for (instance, object, kind) in touched {
                self.touched.entry((id, instance)).or_default().insert(object);
                let known = self.kinds.entry((id, object)).or_insert(kind);
                *known = kind.max(*known);
            }
            for (instance, within) in within {
                let known = self.within.entry((id, instance)).or_default();
                if !known.contains(&within) {
                    known.push(within);
                }
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
            Access { by_call: true, .. } => self.touched.get(&(access, instance)).unwrap_or(&self.empty),
            Access { base: Some(base), .. } => view.analysis.points_to(instance, base),
            Access { base: None, .. } => &self.empty,
        }
    }

    /// Where in the library an access by a call is made; nothing if the called method as such makes it.
    pub fn within(&self, access: AccessId, instance: InstanceId) -> &[Within] {
        self.within.get(&(access, instance)).map_or(&[], Vec::as_slice)
    }

    /// What an access does to an object that it may touch; `None` if it does nothing to objects of that class: a call
    /// through `java.util.List` reads an `ArrayList`, and does no harm to a `CopyOnWriteArrayList`.
    pub fn kind_on(&self, access: AccessId, object: ObjectId) -> Option<AccessKind> {
        let data = &self.all[access];
        if data.by_call { self.kinds.get(&(access, object)).copied() } else { Some(data.kind) }
    }
}

/// What a call touches by the rows of the methods that it may reach: views and iterators stand for the container behind them.
fn container_accesses(
    view: &View<'_>,
    by_access: &FastSet<ObjectId>,
    method: MethodId,
    inst: Inst,
    calls: &mut TouchingCalls,
) {
    let Some(body) = view.program.body(method) else { return };
    for &instance in view.analysis.instances_of(method) {
        let Some(call) = view.calls(instance).find(|call| call.inst == Some(inst)) else { continue };
        for callee in methods_called(view, call.callees) {
            for effect in view.rows(callee).iter().flat_map(|row| row.effects.iter()) {
                let Some((place, kind)) = container_effect(effect) else { continue };
                let root = selvedge_models::Place { root: place.root, steps: Vec::new() };
                let Some(base) = view.operand(body, inst, &root) else { continue };
                let reaches = |&object: &ObjectId| is_receiver_of(view, body, inst, base, callee, object);
                let roots = view.objects_at(instance, call.number, callee, &root);
                let roots: Vec<ObjectId> = roots.into_iter().filter(reaches).collect();
                let mut touched = view.objects_from(roots, &place.steps);
                touched.retain(|&object| !is_merged(view, object));
                let touched = touched
                    .into_iter()
                    .map(|object| (object, kind_of(view, by_access, callee, object, kind)));
                calls.add((Place::Container, None, Some(base)), instance, touched, None);
            }
        }
    }
}

/// What an effect does to which container.
fn container_effect(effect: &Effect) -> Option<(&selvedge_models::Place, AccessKind)> {
    match effect {
        Effect::ContainerRead { object } => Some((object, AccessKind::Read)),
        Effect::ContainerWrite { object } => Some((object, AccessKind::Write)),
        _ => None,
    }
}

/// What a method does to an object: where a map keeps its entries in the order of access, to look one up changes the map.
fn kind_of(
    view: &View<'_>,
    by_access: &FastSet<ObjectId>,
    callee: MethodId,
    object: ObjectId,
    kind: AccessKind,
) -> AccessKind {
    let looks_up = ["get", "getOrDefault"].iter().any(|name| view.program.methods[callee].name.is(name));
    if looks_up && by_access.contains(&object) { AccessKind::Write } else { kind }
}

/// The methods among some instances.
fn methods_called(view: &View<'_>, callees: &[InstanceId]) -> Vec<MethodId> {
    let mut methods: Vec<MethodId> = callees.iter().filter_map(|&callee| view.method_of(callee)).collect();
    methods.sort_unstable();
    methods.dedup();
    methods
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
