//! What library code does to the application's own containers and arrays, on behalf of the call that passes them.
//!
//! `Collections.sort(list)`, `String.join(", ", list)`, the wrappers that `Collections.synchronizedList` makes,
//! `System.arraycopy`, `Arrays.fill`, a view by `Arrays.asList`: the library reads or changes an object that the application
//! made, and the two threads that race are in the library. Such an access counts as made at the application's call; what the
//! library locks meanwhile counts for it too ([`Accesses::within`](super::Accesses::within)).
//!
//! The relation: a call accesses an object if library code below it, not more than [`limits::LIBRARY_CALLS`] calls away and not in another
//! thread, may do so, the object was made by code of the application, and the call passes it: as an argument, or inside library
//! objects or arrays that are arguments ([`limits::REFERENCES_FROM_ARGUMENT`] references away). Objects that the library makes for itself, and objects of the
//! application that the library knows from elsewhere, are left out: both would mix up what callers that have nothing to do with
//! each other do.

use selvedge_base::{BitSet, Csr, FastMap, FastSet, Graph as _, HybridSet, IdVec, entity};
use selvedge_ir::{ArrayKind, Inst, Op, Value};
use selvedge_models::{Effect, Root, Special, Step};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{ClassId, MethodId};

use super::{AccessKind, Place, To, TouchingCalls, Within, container_effect, is_receiver_of, looks_up};
use crate::limits;
use crate::view::View;

/// An access by library code.
pub(super) struct Inner {
    within: Within,
    place: Place,
    kind: AccessKind,
    /// The method whose row says so.
    callee: Option<MethodId>,
    /// The objects of the application that it may access.
    objects: BitSet<OwnId>,
}

entity! {
    /// An array or container that the application makes.
    OwnId "w";
}

/// The arrays and containers that the application makes, in the order of the objects.
pub(super) struct Own {
    objects: IdVec<OwnId, ObjectId>,
    numbers: IdVec<ObjectId, Option<OwnId>>,
    /// The arrays by the kind of their elements.
    arrays: Vec<(ArrayKind, BitSet<OwnId>)>,
    /// The maps that keep their entries in the order of access.
    by_access: BitSet<OwnId>,
}

impl Own {
    fn new(view: &View<'_>, by_access: &FastSet<ObjectId>) -> Self {
        let own = own_objects(view, &container_classes(view));
        let count = view.analysis.heap.objects().count();
        let mut found = Self {
            objects: IdVec::new(),
            numbers: IdVec::filled(None, count),
            arrays: Vec::new(),
            by_access: BitSet::new(),
        };
        for object in own.iter() {
            let number = found.objects.push(object);
            found.numbers[object] = Some(number);
            if by_access.contains(&object) {
                found.by_access.insert(number);
            }
            if let Some(kind) = element_kind(view, object) {
                match found.arrays.iter_mut().find(|(known, _)| *known == kind) {
                    Some((_, arrays)) => {
                        arrays.insert(number);
                    }
                    None => found.arrays.push((kind, [number].into_iter().collect())),
                }
            }
        }
        found
    }

    fn number(&self, object: ObjectId) -> Option<OwnId> {
        self.numbers[object]
    }

    fn contains(&self, object: ObjectId) -> bool {
        self.number(object).is_some()
    }

    /// The objects with these numbers, in order.
    pub(super) fn objects_of<'s>(
        &'s self,
        numbers: &'s BitSet<OwnId>,
    ) -> impl Iterator<Item = ObjectId> + 's {
        numbers.iter().map(|number| self.objects[number])
    }
}

/// What a call passes to the library of the application's objects.
struct Passed {
    /// Those that are one argument and no other.
    arguments: Vec<(Value, BitSet<OwnId>)>,
    /// Those that are several, or inside of arguments.
    others: BitSet<OwnId>,
}

/// The library code that the application calls.
pub(super) struct Library {
    pub(super) own: Own,
    /// The library objects that lead to some of those.
    leading: Leading,
    /// What instances do themselves; those that do nothing are not there.
    inner: FastMap<InstanceId, Vec<Inner>>,
    /// The instances that do something, themselves or through calls.
    acting: BitSet<InstanceId>,
    /// The instances below one that the application calls.
    below: FastMap<InstanceId, Vec<InstanceId>>,
}

/// The library objects that lead to objects of the application, and to which, in order. What such an object leads to depends on the sets that
/// its members hold, which many objects have in common.
struct Leading {
    holders: IdVec<ObjectId, Option<u32>>,
    inside: Vec<BitSet<OwnId>>,
}

impl Leading {
    fn new(view: &View<'_>, own: &Own) -> Self {
        let heap = &view.analysis.heap;
        let is_library_object = |object: ObjectId| {
            let class = heap.types.class(heap.get(object).ty);
            let is_array = heap.types.name(heap.get(object).ty).starts_with('[');
            is_array || class.is_some_and(|class| !view.is_application_class(class))
        };
        let mut sets: Vec<&HybridSet<ObjectId>> = Vec::new();
        let mut number: FastMap<*const HybridSet<ObjectId>, u32> = FastMap::default();
        let mut held: FastMap<ObjectId, Vec<u32>> = FastMap::default();
        for (holder, _, set) in view.analysis.members().filter(|(holder, ..)| is_library_object(*holder)) {
            let number = *number.entry(std::ptr::from_ref(set)).or_insert_with(|| {
                sets.push(set);
                sets.len() as u32 - 1
            });
            held.entry(holder).or_default().push(number);
        }
        let mut kinds: FastMap<Vec<u32>, u32> = FastMap::default();
        let mut holders: IdVec<ObjectId, Option<u32>> = IdVec::filled(None, own.numbers.len());
        for (holder, mut held) in held {
            held.sort_unstable();
            held.dedup();
            let next = kinds.len() as u32;
            holders[holder] = Some(*kinds.entry(held).or_insert(next));
        }
        let direct =
            |set: &&HybridSet<ObjectId>| set.iter().filter_map(|object| own.number(object)).collect();
        let mut through: Vec<BitSet<OwnId>> = sets.iter().map(direct).collect();
        let mut inside: Vec<BitSet<OwnId>> = vec![BitSet::new(); kinds.len()];
        for step in 0..limits::REFERENCES_FROM_ARGUMENT {
            if step > 0 {
                for (set, through) in sets.iter().zip(&mut through) {
                    let led: FastSet<u32> = set.iter().filter_map(|object| holders[object]).collect();
                    led.iter().for_each(|&kind| {
                        through.union_with(&inside[kind as usize]);
                    });
                }
            }
            for (held, &kind) in &kinds {
                held.iter().for_each(|&set| {
                    inside[kind as usize].union_with(&through[set as usize]);
                });
            }
        }
        holders.iter_mut().for_each(|kind| *kind = kind.filter(|&kind| !inside[kind as usize].is_empty()));
        Self { holders, inside }
    }
}

impl Library {
    pub(super) fn new(view: &View<'_>, by_access: &FastSet<ObjectId>) -> Self {
        let own = Own::new(view, by_access);
        let leading = Leading::new(view, &own);
        let (inner, below) = (FastMap::default(), FastMap::default());
        let mut library = Self { own, leading, inner, acting: BitSet::new(), below };
        library.find_acting(view);
        library
    }

    /// Finds what instances of library code do, and which of them lead there.
    fn find_acting(&mut self, view: &View<'_>) {
        let mut edges = Vec::new();
        for instance in view.analysis.instances.ids() {
            if view.is_application_instance(instance) {
                continue;
            }
            self.find_inner(view, instance);
            if !view.is_spawning(instance) {
                let callees = view.calls(instance).flat_map(|call| call.callees);
                edges.extend(callees.map(|&callee| (callee, instance)));
            }
        }
        let callers = Csr::from_edges(view.analysis.instances.len(), &edges);
        let mut pending: Vec<InstanceId> = self.inner.keys().copied().collect();
        self.acting = pending.iter().copied().collect();
        while let Some(instance) = pending.pop() {
            for &caller in callers.successors(instance) {
                if self.acting.insert(caller) {
                    pending.push(caller);
                }
            }
        }
    }

    /// What the library does for a call of the application.
    pub(super) fn accesses(
        &mut self,
        view: &View<'_>,
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
            let Some(mut passed) = self.passed(view, instance, body.args(inst)) else { continue };
            let known: BitSet<OwnId> =
                calls.touched_in(instance).filter_map(|object| self.own.number(object)).collect();
            for (array, kind) in copied(view, instance, inst) {
                for object in view.analysis.points_to(instance, array).iter() {
                    let to = (Place::Element, element_kind(view, object), Some(array));
                    if self.own.contains(object) && to.1.is_some() {
                        calls.add(to, instance, [(object, kind)], None);
                    }
                }
            }
            passed.others.subtract(&known);
            passed.arguments.iter_mut().for_each(|(_, objects)| {
                objects.subtract(&known);
            });
            for &callee in callees.iter().filter(|&&callee| !view.is_application_instance(callee)) {
                for below in self.below(view, callee) {
                    for inner in self.inner.get(&below).into_iter().flatten() {
                        self.act(view, inner, &passed, instance, calls);
                    }
                }
            }
        }
    }

    /// What an access by library code does to objects that a call passes.
    fn act(
        &self,
        view: &View<'_>,
        inner: &Inner,
        passed: &Passed,
        instance: InstanceId,
        calls: &mut TouchingCalls,
    ) {
        let arguments = passed.arguments.iter().map(|(value, objects)| (Some(*value), objects));
        let mut touching: Vec<(To, BitSet<OwnId>)> = Vec::new();
        for (base, objects) in arguments.chain([(None, &passed.others)]) {
            if !inner.objects.intersects(objects) {
                continue;
            }
            let mut touched = inner.objects.clone();
            touched.intersect_with(objects);
            if inner.place != Place::Element {
                touching.push(((inner.place, None, base), touched));
                continue;
            }
            for (kind, arrays) in self.own.arrays.iter().filter(|(_, arrays)| arrays.intersects(&touched)) {
                let mut of_kind = touched.clone();
                of_kind.intersect_with(arrays);
                touching.push(((inner.place, Some(*kind), base), of_kind));
            }
        }
        // As if object after object were looked at.
        touching.sort_by_key(|(_, touched)| touched.iter().next());
        for (to, touched) in touching {
            let looks_up = inner.callee.is_some_and(|callee| looks_up(view, callee));
            let mut by_access = touched.clone();
            by_access.intersect_with(&self.own.by_access);
            if looks_up && !by_access.is_empty() {
                calls.add_own(to, instance, (&by_access, AccessKind::Write), inner.within);
            }
            calls.add_own(to, instance, (&touched, inner.kind), inner.within);
        }
    }

    /// The objects of the application that arguments are or lead to; `None` if there are none.
    fn passed(&self, view: &View<'_>, instance: InstanceId, arguments: &[Value]) -> Option<Passed> {
        let mut passed = Passed { arguments: Vec::new(), others: BitSet::new() };
        let mut led: FastSet<u32> = FastSet::default();
        for &argument in arguments {
            if passed.arguments.iter().any(|(value, _)| *value == argument) {
                continue;
            }
            let mut objects: BitSet<OwnId> = BitSet::new();
            for object in view.analysis.points_to(instance, argument).iter() {
                objects.extend(self.own.number(object));
                led.extend(self.leading.holders[object]);
            }
            passed.arguments.push((argument, objects));
        }
        let mut once: BitSet<OwnId> = BitSet::new();
        for (_, objects) in &passed.arguments {
            let mut again = once.clone();
            again.intersect_with(objects);
            passed.others.union_with(&again);
            once.union_with(objects);
        }
        let mut inside: BitSet<OwnId> = BitSet::new();
        for kind in led {
            inside.union_with(&self.leading.inside[kind as usize]);
        }
        inside.subtract(&once);
        passed.arguments.iter_mut().for_each(|(_, objects)| {
            objects.subtract(&passed.others);
        });
        passed.arguments.retain(|(_, objects)| !objects.is_empty());
        passed.others.union_with(&inside);
        (!passed.arguments.is_empty() || !passed.others.is_empty()).then_some(passed)
    }

    /// An instance of library code and what it calls in the library, as far as that leads to something.
    fn below(&mut self, view: &View<'_>, instance: InstanceId) -> Vec<InstanceId> {
        if let Some(known) = self.below.get(&instance) {
            return known.clone();
        }
        let mut found = vec![instance];
        let mut layer = vec![instance];
        for _ in 0..limits::LIBRARY_CALLS {
            let mut next = Vec::new();
            for instance in layer {
                if view.is_spawning(instance) {
                    continue;
                }
                for &callee in view.calls(instance).flat_map(|call| call.callees) {
                    if found.len() < limits::LIBRARY_INSTANCES
                        && self.acting.contains(callee)
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
        if !found.is_empty() {
            self.inner.insert(instance, found);
        }
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
        let is_interesting = |object| self.own.contains(object) || self.leading.holders[object].is_some();
        let Some(body) = view.body(instance).filter(|_| roots.iter().any(is_interesting)) else { return };
        let (callee, steps) = (row.map(|(callee, _)| callee), row.map_or(&[][..], |(_, steps)| steps));
        let reaches = |&object: &ObjectId| {
            callee.is_none_or(|callee| is_receiver_of(view, body, inst, base, callee, object))
        };
        // Where there is no step to go, only the application's own objects are wanted, which are few.
        let is_wanted = |object: &ObjectId| !steps.is_empty() || self.own.contains(*object);
        let roots = roots.iter().filter(is_wanted).filter(reaches).collect();
        let objects = view.objects_from(roots, steps).into_iter();
        let objects: BitSet<OwnId> = objects.filter_map(|object| self.own.number(object)).collect();
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
pub(super) fn element_kind(view: &View<'_>, array: ObjectId) -> Option<ArrayKind> {
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
