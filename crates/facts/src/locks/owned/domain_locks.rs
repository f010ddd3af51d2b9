//! The locks of owners that are held where owned objects are accessed.
//!
//! For each class whose objects are locked, [`ownership`](super::domain) says what they own and which code works for one owner
//! at a time. Here is what such code holds of its owner: the monitor of the owner, or a lock that stable fields lead to from
//! it. What is held on entry is the intersection over the calls that stay with the owner; any other call, and the
//! start of a thread, holds nothing.
//!
//! **Theorem.** If [`Owners::common`] names a lock for an object and two occurrences, then whenever both access the same object of this
//! kind, both threads hold that lock of its owner, at least one of them exclusively.

use std::sync::{Arc, OnceLock};

use selvedge_base::{FastMap, FastSet, Worklist};
use selvedge_ir::{Inst, Value};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::{Member, Slot};
use selvedge_world::{ClassId, MethodId};

use super::domain::Domain;
use super::travel::{Travel, parameter, summary_of};
use crate::accesses::Access;
use crate::limits;
use crate::locks::held::entries::Taken;
use crate::locks::held::flow::Released;
use crate::locks::held::state::{Key, Mode, Role};
use crate::locks::held::summaries::Summaries;
use crate::locks::names::terms::{Root, Step, Steps, Term};
use crate::memo::Table;
use crate::refutation::Occurrence;
use crate::view::View;
use selvedge_base::Id;

/// A lock of an owner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct OwnerLock {
    /// The way from the owner to the lock.
    path: Steps,
    role: Role,
}

/// A lock of the owner that is held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) lock: OwnerLock,
    pub(crate) mode: Mode,
    pub(crate) taken: Taken,
}

/// What one class owns, and what its locks guard.
struct GuardedDomain {
    domain: Domain,
    /// What is held on entry to each instance inside that is reached.
    entries: FastMap<InstanceId, Vec<Held>>,
}

/// What a class owns, once somebody has asked.
type Answer = Arc<OnceLock<Option<GuardedDomain>>>;

/// See the [module documentation](self).
pub(crate) struct Owners {
    /// The call edges whose callee runs in another thread.
    elsewhere: FastSet<(InstanceId, InstanceId)>,
    travel: OnceLock<Travel>,
    /// The classes whose objects, or what they lead to, are locked.
    locked: OnceLock<FastSet<ClassId>>,
    domains: Table<ClassId, Answer>,
    candidates: Table<ObjectId, Arc<[ClassId]>>,
}

impl Owners {
    pub(crate) fn new(elsewhere: FastSet<(InstanceId, InstanceId)>) -> Self {
        Self {
            elsewhere,
            travel: OnceLock::new(),
            locked: OnceLock::new(),
            domains: Table::default(),
            candidates: Table::default(),
        }
    }

    /// A lock of the object's owner that both accesses hold, as each side holds it, and the class of the owner.
    pub(crate) fn common(
        &self,
        view: &View<'_>,
        summaries: &Summaries,
        object: ObjectId,
        sides: [(&Occurrence, &Access); 2],
    ) -> Option<(ClassId, Held, Held)> {
        for &class in self.candidates(view, summaries, object).iter() {
            let answer = self.domain(view, summaries, class);
            let Some(Some(domain)) = answer.get() else { continue };
            let [first, second] =
                sides.map(|(side, access)| domain.held_for(view, summaries, object, side, access));
            for here in &first {
                let is_same = |there: &&Held| {
                    there.lock == here.lock && (here.mode, there.mode) != (Mode::Shared, Mode::Shared)
                };
                if let Some(there) = second.iter().find(is_same) {
                    return Some((class, here.clone(), there.clone()));
                }
            }
        }
        None
    }

    fn travel(&self, view: &View<'_>) -> &Travel {
        self.travel.get_or_init(|| Travel::new(view, self.elsewhere.clone()))
    }

    /// The classes that may own an object, and whose objects are locked: of the object itself, of whose methods make it, and so on.
    fn candidates(&self, view: &View<'_>, summaries: &Summaries, object: ObjectId) -> Arc<[ClassId]> {
        self.candidates.get(&object).unwrap_or_else(|| {
            let found: Arc<[ClassId]> = self.find_candidates(view, summaries, object).into();
            self.candidates.insert(object, found.clone());
            found
        })
    }

    fn locked(&self, view: &View<'_>, summaries: &Summaries) -> &FastSet<ClassId> {
        self.locked.get_or_init(|| locked_classes(view, summaries))
    }

    fn find_candidates(&self, view: &View<'_>, summaries: &Summaries, object: ObjectId) -> Vec<ClassId> {
        let locked = self.locked(view, summaries);
        let travel = self.travel(view);
        let heap = &view.analysis.heap;
        let mut found: Vec<ClassId> = Vec::new();
        let mut ancestors: Vec<ObjectId> = vec![object];
        let mut seen: FastSet<InstanceId> = FastSet::default();
        let mut position = 0;
        while let Some(&ancestor) = ancestors.get(position).filter(|_| position < limits::OWNER_CANDIDATES) {
            position += 1;
            if let Some(class) = heap.types.class(heap.get(ancestor).ty) {
                for class in view.program.superclasses(class).filter(|class| locked.contains(class)) {
                    if !found.contains(&class) {
                        found.push(class);
                    }
                }
            }
            let mut makers: Vec<InstanceId> = travel.makers(ancestor).to_vec();
            while let Some(maker) = makers.pop() {
                if !seen.insert(maker) {
                    continue;
                }
                if travel.is_frameless(maker) {
                    makers.extend(travel.callers(maker).iter().map(|call| call.caller));
                    continue;
                }
                for receiver in parameter(view, maker, 0).iter().take(limits::OWNER_CANDIDATES) {
                    if !ancestors.contains(&receiver) {
                        ancestors.push(receiver);
                    }
                }
            }
        }
        found
    }

    /// What a class owns. Whoever asks first works it out, and others wait for that.
    fn domain(&self, view: &View<'_>, summaries: &Summaries, class: ClassId) -> Answer {
        let answer = self.domains.get_or_insert(class, Answer::default);
        answer.get_or_init(|| {
            let classes = self.locked(view, summaries).len().max(1) as u64;
            let mut allowance = (limits::DOMAIN_WORK_FOR_ALL / classes)
                .clamp(limits::DOMAIN_WORK_LEAST, limits::DOMAIN_WORK_MOST);
            GuardedDomain::new(view, self.travel(view), summaries, class, &mut allowance)
        });
        answer
    }
}

/// The classes of the application of which an object, or what fields lead to from it, is locked somewhere.
fn locked_classes(view: &View<'_>, summaries: &Summaries) -> FastSet<ClassId> {
    let mut found = FastSet::default();
    for (method, key) in summaries.keys() {
        let root = match key.term.root {
            Root::Parameter(0) if !view.program.methods[method].is_static() => {
                Some(view.program.methods[method].class)
            }
            Root::Parameter(position) => {
                value_class(view, method, |body| body.parameters.get(position as usize).copied())
            }
            Root::Value(value) => value_class(view, method, |_| Some(value)),
            _ => None,
        };
        let on_the_way = key.term.path.iter().filter_map(|step| match *step {
            Step::Field(field) => view.program.fields[field].ty()?.class(),
            Step::Captured(_) | Step::Element => None,
        });
        let on_the_way = on_the_way.filter_map(|name| view.program.class_named(name));
        found.extend(root.into_iter().chain(on_the_way).filter(|&class| view.is_application_class(class)));
    }
    found
}

fn value_class(
    view: &View<'_>,
    method: MethodId,
    value: impl FnOnce(&selvedge_ir::Body) -> Option<Value>,
) -> Option<ClassId> {
    let body = view.program.body(method)?;
    view.program.class_named(body.ty(value(body)?).class()?)
}

impl GuardedDomain {
    fn new(
        view: &View<'_>,
        travel: &Travel,
        summaries: &Summaries,
        class: ClassId,
        allowance: &mut u64,
    ) -> Option<Self> {
        let domain = Domain::new(view, travel, class, allowance)?;
        let mut guarded = Self { domain, entries: FastMap::default() };
        guarded.find_entries(view, travel, summaries);
        Some(guarded)
    }

    fn find_entries(&mut self, view: &View<'_>, travel: &Travel, summaries: &Summaries) {
        let mut work = Worklist::new();
        let inside: Vec<InstanceId> = self.domain.inside().collect();
        for instance in inside {
            let stays = |&call| self.domain.stays(view, travel, call, instance);
            if !travel.callers(instance).iter().all(stays) {
                self.entries.insert(instance, Vec::new());
                work.push(instance);
            }
        }
        while let Some(caller) = work.pop() {
            let Some(entry) = self.entries.get(&caller).cloned() else { continue };
            for call in view.calls(caller) {
                let mut inside =
                    call.callees.iter().filter(|&&callee| self.domain.is_inside(callee)).peekable();
                if inside.peek().is_none() {
                    continue;
                }
                let held = self.held_at(view, summaries, caller, call.inst, &entry);
                for &callee in inside {
                    let edge = travel.incoming(caller, call.number, callee);
                    let stays = self.domain.stays(view, travel, edge, callee);
                    if stays && meet(&mut self.entries, callee, &held) {
                        work.push(callee);
                    }
                }
            }
        }
    }

    /// What an access holds of the owner of an object that it accesses.
    fn held_for(
        &self,
        view: &View<'_>,
        summaries: &Summaries,
        object: ObjectId,
        side: &Occurrence,
        access: &Access,
    ) -> Vec<Held> {
        let is_own = |base: Value| {
            let slot = slot_of(view, side.instance, Root::Value(base));
            slot.is_some_and(|slot| self.domain.is_own_owner(view, side.instance, slot))
        };
        let belongs =
            self.domain.is_owned(object) || self.domain.is_owner(object) && access.base.is_some_and(is_own);
        let entry = self.entries.get(&side.instance);
        let Some(entry) = entry.filter(|_| belongs && self.domain.is_inside(side.instance)) else {
            return Vec::new();
        };
        self.held_at(view, summaries, side.instance, Some(access.inst), entry)
    }

    fn held_at(
        &self,
        view: &View<'_>,
        summaries: &Summaries,
        instance: InstanceId,
        inst: Option<Inst>,
        entry: &[Held],
    ) -> Vec<Held> {
        let mut found = entry.to_vec();
        let procedure = view.analysis.instances[instance].procedure;
        let analysed = view.method_of(instance).and_then(|method| Some((method, summaries.method(method)?)));
        let (Some((method, locks)), Some(inst)) = (analysed, inst) else {
            self.drop_released(view, summaries.may_release(procedure), &mut found);
            return found;
        };
        let Some(state) = locks.at(inst) else { return found };
        for releases in state.released.iter().filter_map(|inst| locks.releases.get(inst)) {
            self.drop_released(view, releases, &mut found);
        }
        for held in &state.held {
            if let Some(lock) = self.lock_of(view, instance, &held.key) {
                let (mode, taken) = (held.mode(), (method, held.taken));
                match found.iter_mut().find(|known| known.lock == lock) {
                    Some(known) => known.mode = known.mode.max(mode),
                    None => found.push(Held { lock, mode, taken }),
                }
            }
        }
        found
    }

    fn drop_released(&self, view: &View<'_>, releases: &[Released], held: &mut Vec<Held>) {
        if releases.is_empty() {
            return;
        }
        held.retain(|held| {
            let mut objects: Vec<ObjectId> = self.domain.owners().iter().collect();
            for step in &held.lock.path {
                objects = step_down(view, &objects, step);
            }
            releases.iter().all(|release| !release.may_be(held.lock.role, Some(&objects)))
        });
    }

    /// A lock as one of the owner that an activation of the instance works for.
    fn lock_of(&self, view: &View<'_>, instance: InstanceId, key: &Key) -> Option<OwnerLock> {
        let Term { root, owners, path } = &key.term;
        let slot = slot_of(view, instance, *root).filter(|_| owners.is_empty())?;
        let mut objects: Vec<ObjectId> = view.analysis.slot_points_to(instance, slot).iter().collect();
        let mut is_owner = self.domain.is_own_owner(view, instance, slot);
        let mut steps = path.iter();
        while !is_owner {
            let step = steps.next()?;
            let member = member(step);
            let leads = |&object: &ObjectId| {
                self.domain.is_owned(object) && self.domain.leads_to_owner(view, object, member)
            };
            if objects.is_empty() || !objects.iter().all(|&object| self.domain.is_owned(object)) {
                return None;
            }
            is_owner = objects.iter().all(leads);
            objects = step_down(view, &objects, step);
            is_owner &= !objects.is_empty();
        }
        Some(OwnerLock { path: steps.copied().collect(), role: key.role })
    }
}

fn member(step: &Step) -> Member {
    match *step {
        Step::Field(field) => Member::Field(field),
        Step::Captured(position) => Member::Captured(position),
        Step::Element => Member::Element,
    }
}

fn step_down(view: &View<'_>, objects: &[ObjectId], step: &Step) -> Vec<ObjectId> {
    let mut held: Vec<ObjectId> =
        objects.iter().flat_map(|&object| view.analysis.member(object, member(step))).collect();
    held.sort_unstable();
    held.dedup();
    held
}

/// The slot of a value or parameter.
fn slot_of(view: &View<'_>, instance: InstanceId, root: Root) -> Option<Slot> {
    let summary = summary_of(view, instance)?;
    match root {
        Root::Parameter(position) => summary.parameters.get(position as usize).copied().flatten(),
        Root::Value(value) => summary.slot_of_value.get(value.index()).copied().flatten(),
        _ => None,
    }
}

/// Keeps what both hold; whether that changed anything.
fn meet(entries: &mut FastMap<InstanceId, Vec<Held>>, callee: InstanceId, given: &[Held]) -> bool {
    let Some(known) = entries.get_mut(&callee) else {
        entries.insert(callee, given.to_vec());
        return true;
    };
    let mut changed = false;
    known.retain_mut(|held| {
        let Some(other) = given.iter().find(|other| other.lock == held.lock) else {
            changed = true;
            return false;
        };
        let (mode, taken) = (held.mode.min(other.mode), held.taken.min(other.taken));
        changed |= (mode, taken) != (held.mode, held.taken);
        (held.mode, held.taken) = (mode, taken);
        true
    });
    changed
}
