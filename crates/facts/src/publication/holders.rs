//! What may hold a reference and orders nothing: who reads it there need not see what was written before it was stored.
//!
//! These are plain fields of shared objects; elements of shared arrays that the application accesses; shared collections that are not made for several
//! threads, with what they are made of; and atomic cells that some call reads without acquiring, or writes without releasing
//! (`AtomicReference.setPlain`, `getOpaque`, a `VarHandle` used plainly). Who gets an object there gets its parts with it: these have the
//! same holder.

use std::collections::hash_map::Entry;

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_models::{AtomicKind, Effect, Order, Place as PlaceOf, Root};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::Member;
use selvedge_world::{FieldId, Tier};

use crate::accesses::{Accesses, Place, fields_behind};
use crate::escape::Escape;
use crate::limits;
use crate::view::View;

/// What holds a reference without order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// A field, neither final nor volatile, or one that a handle accesses without order.
    Field(FieldId),
    /// An atomic object that is read or written without order.
    Cell,
    /// An array.
    Array(ObjectId),
    /// A collection that is not made for several threads.
    Collection(ObjectId),
}

impl Holder {
    /// For readers: what has to be published in order.
    pub fn describe(self, view: &View<'_>) -> String {
        match self {
            Self::Field(field) => view.program.describe_field(field),
            Self::Cell => "the atomic reference to it".to_owned(),
            Self::Array(_) => "the array that holds it".to_owned(),
            Self::Collection(_) => "the collection that holds it".to_owned(),
        }
    }
}

/// For each object what may hold it without order.
pub(super) fn holders(
    view: &View<'_>,
    escape: &Escape,
    accesses: &Accesses,
) -> FastMap<ObjectId, Vec<Holder>> {
    let weak = Weak::new(view);
    let is_plain = |field: FieldId| {
        let data = &view.program.fields[field];
        let is_declared = !data.is_final() && !data.is_volatile();
        (is_declared || weak.fields.contains(&field))
            && view.program.classes[data.class].tier == Tier::Application
    };
    let mut holders: FastMap<ObjectId, Vec<Holder>> = FastMap::default();
    let mut add = |set: &HybridSet<ObjectId>, holder: Holder| {
        set.iter().for_each(|object| holders.entry(object).or_default().push(holder));
    };
    for (field, set) in view.analysis.static_fields().filter(|(field, _)| is_plain(*field)) {
        add(set, Holder::Field(field));
    }
    let [arrays, collections] = touched(view, escape, accesses);
    let inside = inside(view, collections);
    for (holder, member, set) in view.analysis.members() {
        if weak.cells.contains(holder) {
            add(set, Holder::Cell);
        }
        for &collection in inside.get(&holder).into_iter().flatten() {
            add(set, Holder::Collection(collection));
        }
        match member {
            Member::Field(field) if is_plain(field) && escape.may_be_shared(holder) => {
                add(set, Holder::Field(field));
            }
            Member::Element if arrays.contains(holder) => add(set, Holder::Array(holder)),
            _ => {}
        }
    }
    for holders in holders.values_mut() {
        holders.sort_unstable();
        holders.dedup();
    }
    hand_down(view, &mut holders);
    holders
}

/// Lets what an object holds have a holder of the object, if it has none of its own.
fn hand_down(view: &View<'_>, holders: &mut FastMap<ObjectId, Vec<Holder>>) {
    let mut parts: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
    for (holder, _, set) in view.analysis.members() {
        parts.entry(holder).or_default().push(set);
    }
    let mut pending: Vec<ObjectId> = holders.keys().copied().collect();
    pending.sort_unstable();
    while let Some(object) = pending.pop() {
        let Some(&first) = holders.get(&object).and_then(|holders| holders.first()) else { continue };
        for part in parts.get(&object).into_iter().flatten().flat_map(|set| set.iter()) {
            if let Entry::Vacant(entry) = holders.entry(part) {
                entry.insert(vec![first]);
                pending.push(part);
            }
        }
    }
}

/// The shared arrays and collections that the application touches by accesses that may race.
fn touched(view: &View<'_>, escape: &Escape, accesses: &Accesses) -> [BitSet<ObjectId>; 2] {
    let mut found = [BitSet::new(), BitSet::new()];
    for (access, data) in accesses.all.iter_ids() {
        let found = match data.place {
            Place::Element => &mut found[0],
            Place::Container => &mut found[1],
            Place::Field(_) | Place::Static(_) => continue,
        };
        for &instance in view.analysis.instances_of(data.method) {
            let touched = accesses.may_touch(view, access, instance).iter();
            touched.filter(|&object| escape.may_be_shared(object)).for_each(|object| {
                found.insert(object);
            });
        }
    }
    found
}

/// Some collections with what the library makes them of (entries, tables), each part with its collections.
fn inside(view: &View<'_>, collections: BitSet<ObjectId>) -> FastMap<ObjectId, Vec<ObjectId>> {
    let heap = &view.analysis.heap;
    let is_part = |object: ObjectId| match heap.site_of(heap.get(object).site) {
        Site::Instruction { method, .. } => !view.is_application(method),
        _ => false,
    };
    let mut members: FastMap<ObjectId, Vec<&HybridSet<ObjectId>>> = FastMap::default();
    for (holder, _, set) in view.analysis.members() {
        if collections.contains(holder) || is_part(holder) {
            members.entry(holder).or_default().push(set);
        }
    }
    let mut inside: FastMap<ObjectId, Vec<ObjectId>> = FastMap::default();
    for collection in collections.iter() {
        inside.entry(collection).or_default().push(collection);
        let mut pending = vec![collection];
        while let Some(holder) = pending.pop() {
            for object in members.get(&holder).into_iter().flatten().flat_map(|set| set.iter()) {
                if members.contains_key(&object) && !collections.contains(object) {
                    let known = inside.entry(object).or_default();
                    if known.len() < limits::COLLECTIONS_OF_A_PART && !known.contains(&collection) {
                        known.push(collection);
                        pending.push(object);
                    }
                }
            }
        }
    }
    inside
}

/// What the application accesses atomically, but without order.
struct Weak {
    cells: BitSet<ObjectId>,
    fields: FastSet<FieldId>,
}

impl Weak {
    fn new(view: &View<'_>) -> Self {
        let mut weak = Self { cells: BitSet::new(), fields: FastSet::default() };
        for (instance, call, method, effect) in view.application_effects() {
            let Effect::Atomic { place, kind, order } = effect else { continue };
            let is_ordered = match kind {
                AtomicKind::Read => matches!(order, Order::Volatile | Order::Acquire),
                AtomicKind::Write => matches!(order, Order::Volatile | Order::Release),
                AtomicKind::Update => *order == Order::Volatile,
            };
            if is_ordered {
                continue;
            }
            let cells = view.objects_at(instance, call.number, method, place);
            weak.fields.extend(fields_behind(view, cells.iter().copied()));
            // A handle of elements is applied to its first argument.
            let first = PlaceOf { root: Root::Arg(0), steps: Vec::new() };
            let mut applied_to = view.objects_at(instance, call.number, method, &first);
            applied_to.retain(|&object| is_array(view, object));
            cells.into_iter().chain(applied_to).for_each(|cell| {
                weak.cells.insert(cell);
            });
        }
        weak
    }
}

fn is_array(view: &View<'_>, object: ObjectId) -> bool {
    view.analysis.heap.types.name(view.analysis.heap.get(object).ty).starts_with('[')
}
