//! What library code does to the application's own containers and arrays, on behalf of the call that passes them.
//!
//! `Collections.sort(list)`, `String.join(", ", list)`, the wrappers that `Collections.synchronizedList` makes,
//! `System.arraycopy`, `Arrays.fill`, a view by `Arrays.asList`: the library reads or changes an object that the application
//! made, and the two threads that race are in the library. Such an access counts as made at the application's call; what the
//! library locks meanwhile counts for it too ([`Accesses::within`](super::Accesses::within)).
//!
//! The relation: a call accesses an object if library code below it, not more than [`DEPTH`] calls away and not in another
//! thread, may do so, the object was made by code of the application, and the call passes it: as an argument, or inside library
//! objects that are arguments ([`STEPS`] references away). Objects that the library makes for itself, and objects of the
//! application that the library knows from elsewhere, are left out: both would mix up what callers that have nothing to do with
//! each other do.

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_ir::{ArrayKind, Inst, Op, Value};
use selvedge_models::{Effect, Root, Special, Step};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{ClassId, MethodId};

use super::{AccessKind, Place, TouchingCalls, Within, container_effect, is_receiver_of, kind_of};
use crate::view::View;

/// How many calls deep the library is looked into.
const DEPTH: usize = 5;

/// How many instances of library code are looked at below one call.
const WIDTH: usize = 60;

/// How many references away from an argument an object may be.
const STEPS: usize = 2;

/// An access by library code.
pub(super) struct Inner {
    within: Within,
    place: Place,
    kind: AccessKind,
    /// The method whose row says so.
    callee: Option<MethodId>,
    /// The objects of the application that it may access, in order.
    objects: Vec<ObjectId>,
}

/// The library code that the application calls.
pub(super) struct Library {
    /// The arrays and containers that the application makes.
    own: BitSet<ObjectId>,
    /// The library objects that lead to some of those.
    leading: FastMap<ObjectId, Vec<ObjectId>>,
    /// What instances do themselves.
    inner: FastMap<InstanceId, Vec<Inner>>,
    /// The instances below one that the application calls.
    below: FastMap<InstanceId, Vec<InstanceId>>,
}

impl Library {
    pub(super) fn new(view: &View<'_>) -> Self {
        let own = own_objects(view, &container_classes(view));
        let mut leading: FastMap<ObjectId, Vec<ObjectId>> = FastMap::default();
        let heap = &view.analysis.heap;
        let is_library_object = |object: ObjectId| {
            let class = heap.types.class(heap.get(object).ty);
            class.is_some_and(|class| !view.is_application_class(class)) && !own.contains(object)
        };
        for _ in 0..STEPS {
            let mut next = leading.clone();
            for (holder, _, set) in view.analysis.members() {
                if !is_library_object(holder) {
                    continue;
                }
                let direct = set.iter().filter(|&object| own.contains(object));
                let through = set.iter().filter_map(|object| leading.get(&object)).flatten().copied();
                let found: Vec<ObjectId> = direct.chain(through).collect();
                if !found.is_empty() {
                    next.entry(holder).or_default().extend(found);
                }
            }
            leading = next;
            leading.values_mut().for_each(|objects| {
                objects.sort_unstable();
                objects.dedup();
            });
        }
        Self { own, leading, inner: FastMap::default(), below: FastMap::default() }
    }

    /// What the library does for a call of the application.
    pub(super) fn accesses(
        &mut self,
        view: &View<'_>,
        by_access: &FastSet<ObjectId>,
        method: MethodId,
        inst: Inst,
        calls: &mut TouchingCalls,
    ) {
        let Some(body) = view.program.body(method) else { return };
        for &instance in view.analysis.instances_of(method) {
            let callees = view.callees(instance, inst);
            if callees.is_empty() || callees.iter().all(|&callee| view.is_application_instance(callee)) {
                continue;
            }
            let passed = self.passed(view, instance, body.args(inst));
            if passed.is_empty() {
                continue;
            }
            let known: FastSet<ObjectId> = calls
                .0
                .iter()
                .flat_map(|call| call.touched.iter())
                .filter(|(of, _, _)| *of == instance)
                .map(|(_, object, _)| *object)
                .collect();
            for (array, kind) in copied(view, instance, inst) {
                for object in view.analysis.points_to(instance, array).iter() {
                    let to = (Place::Element, element_kind(view, object), Some(array));
                    if self.own.contains(object) && to.1.is_some() {
                        calls.add(to, instance, [(object, kind)], None);
                    }
                }
            }
            for &callee in callees.iter().filter(|&&callee| !view.is_application_instance(callee)) {
                for below in self.below(view, callee) {
                    self.find_inner(view, below);
                    for inner in self.inner.get(&below).into_iter().flatten() {
                        for &object in inner.objects.iter().filter(|object| !known.contains(object)) {
                            let Some(base) = passed.get(&object) else { continue };
                            let element = match inner.place {
                                Place::Element => match element_kind(view, object) {
                                    Some(kind) => Some(kind),
                                    None => continue,
                                },
                                _ => None,
                            };
                            let kind = match inner.callee {
                                Some(callee) => kind_of(view, by_access, callee, object, inner.kind),
                                None => inner.kind,
                            };
                            let to = (inner.place, element, *base);
                            calls.add(to, instance, [(object, kind)], Some(inner.within));
                        }
                    }
                }
            }
        }
    }

    /// The objects of the application that arguments lead to; those that are arguments with the value.
    fn passed(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        arguments: &[Value],
    ) -> FastMap<ObjectId, Option<Value>> {
        let mut passed: FastMap<ObjectId, Option<Value>> = FastMap::default();
        for &argument in arguments {
            for object in view.analysis.points_to(instance, argument).iter() {
                if self.own.contains(object) {
                    let value = passed.entry(object).or_insert(Some(argument));
                    *value = value.filter(|&value| value == argument);
                }
            }
        }
        for &argument in arguments {
            for object in view.analysis.points_to(instance, argument).iter() {
                for &inside in self.leading.get(&object).into_iter().flatten() {
                    passed.entry(inside).or_insert(None);
                }
            }
        }
        passed
    }

    /// An instance of library code and what it calls in the library.
    fn below(&mut self, view: &View<'_>, instance: InstanceId) -> Vec<InstanceId> {
        if let Some(known) = self.below.get(&instance) {
            return known.clone();
        }
        let mut found = vec![instance];
        let mut layer = vec![instance];
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for instance in layer {
                if view.is_spawning(instance) {
                    continue;
                }
                for &callee in view.calls(instance).flat_map(|call| call.callees) {
                    if found.len() < WIDTH
                        && !view.is_application_instance(callee)
                        && !found.contains(&callee)
                    {
                        found.push(callee);
                        next.push(callee);
                    }
                }
            }
            layer = next;
        }
        self.below.insert(instance, found.clone());
        found
    }

    /// What an instance of library code does itself to containers and arrays.
    fn find_inner(&mut self, view: &View<'_>, instance: InstanceId) {
        if self.inner.contains_key(&instance) {
            return;
        }
        let mut found = Vec::new();
        if let Some(body) = view.body(instance) {
            for (inst, data) in body.insts.iter_ids() {
                let kind = match data.op {
                    Op::ArrayLoad(_) => AccessKind::Read,
                    Op::ArrayStore(_) => AccessKind::Write,
                    Op::Invoke(..) => {
                        self.calls_inside(view, instance, inst, &mut found);
                        continue;
                    }
                    _ => continue,
                };
                let within = Within { instance, inst, base: body.args(inst)[0] };
                self.add(view, within, (Place::Element, kind), None, &mut found);
            }
        }
        self.inner.insert(instance, found);
    }

    /// Adds an access of library code, by the row of a callee with steps from its operand to the object, or by itself.
    fn add(
        &self,
        view: &View<'_>,
        within: Within,
        (place, kind): (Place, AccessKind),
        row: Option<(MethodId, &[Step])>,
        found: &mut Vec<Inner>,
    ) {
        let Within { instance, inst, base } = within;
        let roots = view.analysis.points_to(instance, base);
        let is_interesting = |object| self.own.contains(object) || self.leading.contains_key(&object);
        let Some(body) = view.body(instance).filter(|_| roots.iter().any(is_interesting)) else { return };
        let (callee, steps) = (row.map(|(callee, _)| callee), row.map_or(&[][..], |(_, steps)| steps));
        let reaches = |&object: &ObjectId| {
            callee.is_none_or(|callee| is_receiver_of(view, body, inst, base, callee, object))
        };
        // Where there is no step to go, only the application's own objects are wanted, which are few.
        let is_wanted = |object: &ObjectId| !steps.is_empty() || self.own.contains(*object);
        let roots = roots.iter().filter(is_wanted).filter(reaches).collect();
        let mut objects = view.objects_from(roots, steps);
        objects.retain(|&object| self.own.contains(object));
        objects.sort_unstable();
        objects.dedup();
        if !objects.is_empty() {
            found.push(Inner { within, place, kind, callee, objects });
        }
    }

    /// What a call of library code does by rows: to containers, and to arrays that are copied.
    fn calls_inside(&self, view: &View<'_>, instance: InstanceId, inst: Inst, found: &mut Vec<Inner>) {
        let Some(body) = view.body(instance) else { return };
        for callee in super::methods_called(view, view.callees(instance, inst)) {
            let effects = view.rows(callee).iter().flat_map(|row| row.effects.iter());
            for (place, kind) in effects.filter_map(container_effect) {
                let root = selvedge_models::Place { root: place.root, steps: Vec::new() };
                if let Some(base) = view.operand(body, inst, &root) {
                    let within = Within { instance, inst, base };
                    self.add(view, within, (Place::Container, kind), Some((callee, &place.steps)), found);
                }
            }
        }
        for (base, kind) in copied(view, instance, inst) {
            self.add(view, Within { instance, inst, base }, (Place::Element, kind), None, found);
        }
    }
}

/// The arrays that a call copies from or to.
fn copied(view: &View<'_>, instance: InstanceId, inst: Inst) -> Vec<(Value, AccessKind)> {
    let Some(body) = view.body(instance) else { return Vec::new() };
    let mut found = Vec::new();
    for callee in super::methods_called(view, view.callees(instance, inst)) {
        for effect in view.rows(callee).iter().flat_map(|row| row.effects.iter()) {
            match (effect, body.args(inst)) {
                (Effect::Special { name: Special::ArrayCopy }, &[source, _, target, ..]) => {
                    found.extend([(source, AccessKind::Read), (target, AccessKind::Write)]);
                }
                (Effect::Special { name: Special::ArrayCopyOf }, &[source, ..]) => {
                    found.push((source, AccessKind::Read));
                }
                _ => {}
            }
        }
    }
    found
}

/// The library classes whose methods read or change the state of their object.
fn container_classes(view: &View<'_>) -> FastSet<ClassId> {
    let mut found = FastSet::default();
    for instance in view.analysis.instances.iter() {
        let Some(method) = view.analysis.procedures.method(instance.procedure) else { continue };
        let effects = view.rows(method).iter().flat_map(|row| row.effects.iter());
        if effects.filter_map(container_effect).any(|(place, _)| place.root == Root::This) {
            found.insert(view.program.methods[method].class);
        }
    }
    found
}

/// The containers and arrays that code of the application makes.
fn own_objects(view: &View<'_>, containers: &FastSet<ClassId>) -> BitSet<ObjectId> {
    let heap = &view.analysis.heap;
    let mut found = BitSet::new();
    for (object, data) in heap.objects() {
        let by_application = match heap.site_of(data.site) {
            Site::Instruction { method, .. } => view.is_application(method),
            _ => false,
        };
        let class = heap.types.class(data.ty);
        let mut above = class.into_iter().flat_map(|class| view.program.superclasses(class));
        let is_container = above.any(|class| containers.contains(&class));
        if by_application && (is_container || heap.types.name(data.ty).starts_with('[')) {
            found.insert(object);
        }
    }
    found
}

/// The kind of the elements of an array.
fn element_kind(view: &View<'_>, array: ObjectId) -> Option<ArrayKind> {
    let heap = &view.analysis.heap;
    match heap.types.name(heap.get(array).ty).as_bytes() {
        b"[I" => Some(ArrayKind::Int),
        b"[J" => Some(ArrayKind::Long),
        b"[F" => Some(ArrayKind::Float),
        b"[D" => Some(ArrayKind::Double),
        b"[B" | b"[Z" => Some(ArrayKind::ByteOrBoolean),
        b"[C" => Some(ArrayKind::Char),
        b"[S" => Some(ArrayKind::Short),
        [b'[', b'L' | b'[', ..] => Some(ArrayKind::Ref),
        _ => None,
    }
}
