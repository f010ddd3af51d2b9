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

use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet, IdVec, entity};
use selvedge_ir::{ArrayKind, Body, Inst, InvokeKind, Op, Value};
use selvedge_models::Effect;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use crate::refutation::{Candidate, Refutation};
use crate::view::View;

pub(crate) use handles::fields_behind;
use inner::{Library, Own, OwnId};
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

/// What calls of one instruction touch is distinguished by the kind of place, the kind of array, and the value that holds the objects.
type To = (Place, Option<ArrayKind>, Option<Value>);

/// A call that touches objects: through which value, and which objects in which instance.
struct TouchingCall {
    place: Place,
    element: Option<ArrayKind>,
    base: Option<Value>,
    kind: AccessKind,
    touched: FastMap<InstanceId, Touched>,
    within: Vec<(InstanceId, Within)>,
    known_within: FastSet<(InstanceId, Within)>,
}

/// What a call touches in an instance.
#[derive(Default)]
struct Touched {
    read: HybridSet<ObjectId>,
    written: HybridSet<ObjectId>,
    /// The same of what the application makes and library code below touches.
    own_read: BitSet<OwnId>,
    own_written: BitSet<OwnId>,
}

impl TouchingCall {
    fn add_within(&mut self, instance: InstanceId, within: Within) {
        if self.known_within.insert((instance, within)) {
            self.within.push((instance, within));
        }
    }
}

/// The calls of one instruction, as far as they were found.
#[derive(Default)]
struct TouchingCalls(Vec<TouchingCall>);

impl TouchingCalls {
    fn add(
        &mut self,
        to: To,
        instance: InstanceId,
        objects: impl IntoIterator<Item = (ObjectId, AccessKind)>,
        within: Option<Within>,
    ) {
        let call = self.call(to);
        for (object, kind) in objects {
            call.kind = call.kind.max(kind);
            let touched = call.touched.entry(instance).or_default();
            match kind {
                AccessKind::Read => touched.read.insert(object),
                AccessKind::Write => touched.written.insert(object),
            };
        }
        within.into_iter().for_each(|within| call.add_within(instance, within));
    }

    /// Library code below the call touches objects that the application makes.
    fn add_own(
        &mut self,
        to: To,
        instance: InstanceId,
        (objects, kind): (&BitSet<OwnId>, AccessKind),
        within: Within,
    ) {
        let call = self.call(to);
        call.kind = call.kind.max(kind);
        let touched = call.touched.entry(instance).or_default();
        match kind {
            AccessKind::Read => touched.own_read.union_with(objects),
            AccessKind::Write => touched.own_written.union_with(objects),
        };
        call.add_within(instance, within);
    }

    fn call(&mut self, to: To) -> &mut TouchingCall {
        let is_it = |call: &TouchingCall| (call.place, call.element, call.base) == to;
        let position = self.0.iter().position(is_it).unwrap_or_else(|| {
            let (place, element, base) = to;
            let (kind, touched) = (AccessKind::Read, FastMap::default());
            let (within, known_within) = (Vec::new(), FastSet::default());
            self.0.push(TouchingCall { place, element, base, kind, touched, within, known_within });
            self.0.len() - 1
        });
        &mut self.0[position]
    }

    /// What calls touch in an instance, as far as it was not found in library code.
    fn touched_in(&self, instance: InstanceId) -> impl Iterator<Item = ObjectId> {
        let touched = self.0.iter().filter_map(move |call| call.touched.get(&instance));
        touched.flat_map(|touched| touched.read.iter().chain(touched.written.iter()))
    }

    /// The last call that was added does this.
    fn raise(&mut self, kind: AccessKind) {
        if let Some(call) = self.0.last_mut() {
            call.kind = call.kind.max(kind);
        }
    }
}

/// Sets of objects, equal ones once: in a large program many calls touch the same objects.
#[derive(Default)]
struct Sets(FastSet<Arc<HybridSet<ObjectId>>>);

impl Sets {
    fn one(&mut self, set: HybridSet<ObjectId>) -> Arc<HybridSet<ObjectId>> {
        if let Some(known) = self.0.get(&set) {
            return Arc::clone(known);
        }
        let set = Arc::new(set);
        self.0.insert(Arc::clone(&set));
        set
    }
}

/// Every access in the reached methods of the application.
pub struct Accesses {
    /// The accesses, method by method, in the order of the code.
    pub all: IdVec<AccessId, Access>,
    by_method: FastMap<MethodId, Vec<AccessId>>,
    /// The objects that accesses by calls may touch.
    touched: FastMap<(AccessId, InstanceId), Arc<HybridSet<ObjectId>>>,
    /// Which of them accesses by calls only read, and which they write.
    kinds: FastMap<AccessId, [Arc<HybridSet<ObjectId>>; 2]>,
    /// Where in the library accesses by calls are made, if not by the called method as such.
    pub(crate) within: FastMap<(AccessId, InstanceId), Vec<Within>>,
    /// Accesses through handles that are atomic.
    atomic: FastSet<AccessId>,
    empty: HybridSet<ObjectId>,
}

/// What is asked of fields while accesses are found.
struct Fields {
    /// Those that are accessed plainly.
    plain: FastSet<FieldId>,
    /// Final ones that are written when others may know the object.
    late: FastSet<FieldId>,
}

impl Accesses {
    /// The refuter for two atomic accesses.
    pub const ATOMIC: &'static str = "atomic";

    /// Finds the accesses.
    pub fn new(view: &View<'_>) -> Self {
        let mut accesses = Self {
            all: IdVec::new(),
            by_method: FastMap::default(),
            touched: FastMap::default(),
            kinds: FastMap::default(),
            within: FastMap::default(),
            atomic: FastSet::default(),
            empty: HybridSet::default(),
        };
        let fields = Fields { plain: handles::plain_fields(view), late: handles::late_finals(view) };
        let by_access = access_ordered(view);
        let mut library = Library::new(view, &by_access);
        let mut sets = Sets::default();
        for (method, _) in view.program.methods.iter_ids() {
            if view.is_application(method) && view.analysis.is_reached(method) {
                accesses.add_method(view, (&mut library, &mut sets), (&by_access, &fields), method);
            }
        }
        accesses
    }

    fn add_method(
        &mut self,
        view: &View<'_>,
        (library, sets): (&mut Library, &mut Sets),
        (by_access, fields): (&FastSet<ObjectId>, &Fields),
        method: MethodId,
    ) {
        let Some(body) = view.program.body(method) else { return };
        for (inst, data) in body.insts.iter_ids() {
            let arguments = body.args(inst);
            let field = |kind, reference| {
                let field = view.program.resolve_field(reference).ok()?;
                let data = &view.program.fields[field];
                let place = if data.is_static() { Place::Static(field) } else { Place::Field(field) };
                let races = !data.is_volatile() && (!data.is_final() || fields.late.contains(&field));
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
                    let before = calls.0.len();
                    let is_atomic = handles::accesses(view, &fields.plain, method, inst, &mut calls);
                    let by_handles = before..calls.0.len();
                    library.accesses(view, method, inst, &mut calls);
                    let first = self.all.len();
                    self.add_calls(method, inst, (&library.own, sets), calls);
                    if is_atomic {
                        let added = self.all.iter_ids().skip(first + by_handles.start).take(by_handles.len());
                        self.atomic.extend(added.map(|(id, _)| id));
                    }
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
    fn add_calls(
        &mut self,
        method: MethodId,
        inst: Inst,
        (own, sets): (&Own, &mut Sets),
        calls: TouchingCalls,
    ) {
        for TouchingCall { place, element, base, kind, touched, within, .. } in calls.0 {
            let id = self.push(Access { method, inst, kind, place, base, element, by_call: true });
            let [mut all_read, mut all_written]: [HybridSet<ObjectId>; 2] = Default::default();
            for (instance, touched) in touched {
                let [mut read, mut written] = [touched.read, touched.written];
                own.objects_of(&touched.own_read).for_each(|object| {
                    read.insert(object);
                });
                own.objects_of(&touched.own_written).for_each(|object| {
                    written.insert(object);
                });
                all_read.union_with(&read);
                all_written.union_with(&written);
                read.union_with(&written);
                self.touched.insert((id, instance), sets.one(read));
            }
            self.kinds.insert(id, [all_read, all_written].map(|set| sets.one(set)));
            for (instance, within) in within {
                self.within.entry((id, instance)).or_default().push(within);
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

    /// Whether an access is atomic: one through a handle, in a mode that is not plain.
    pub fn is_atomic(&self, access: AccessId) -> bool {
        self.atomic.contains(&access)
    }

    /// Why two atomic accesses do not race.
    pub fn refute_atomic(&self, candidate: &Candidate) -> Option<Refutation<'static>> {
        let both = candidate.sides.iter().all(|side| self.is_atomic(side.access));
        both.then(|| Refutation::proof(Self::ATOMIC, || "both accesses are atomic".to_string()))
    }

    /// The objects that an access may touch in an instance of its method; none for static fields.
    pub fn may_touch<'v>(
        &'v self,
        view: &'v View<'_>,
        access: AccessId,
        instance: InstanceId,
    ) -> &'v HybridSet<ObjectId> {
        match self.all[access] {
            Access { by_call: true, .. } => {
                self.touched.get(&(access, instance)).map_or(&self.empty, |touched| &**touched)
            }
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
        if !data.by_call {
            return Some(data.kind);
        }
        let [read, written] = self.kinds.get(&access)?;
        let read = || read.contains(object).then_some(AccessKind::Read);
        written.contains(object).then_some(AccessKind::Write).or_else(read)
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
    if by_access.contains(&object) && looks_up(view, callee) { AccessKind::Write } else { kind }
}

fn looks_up(view: &View<'_>, callee: MethodId) -> bool {
    ["get", "getOrDefault"].iter().any(|name| view.program.methods[callee].name.is(name))
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
