//! What a constructor wrote, where the object is then published by a race.
//!
//! Who gets the reference by a racy read is not ordered with the constructor, and may see its fields unset (JLS 17.5 exempts final
//! fields only). So the writes of constructors, which are left out otherwise, pair with what others do to the field, for objects
//! that a racy write may publish; all refuters apply but the one that rests on the publication.
//!
//! A field publishes an object by a race only if a write that stores a reference to this object is a side of one. Where all
//! races of the field are between readers and a write of something else (`connection = null` when it is closed), a reader that gets the
//! reference has it from a write that is ordered before, and with it all that came before the write.

use selvedge_base::{FastMap, FastSet};
use selvedge_facts::{
    AccessId, AccessKind, Candidate, Escape, Holder, Locks, Occurrence, Place, Publication,
};
use selvedge_ir::Op;
use selvedge_pta::heap::ObjectId;

use super::groups::{Entry, Group, constructs, counts};
use super::{Options, PairResult};
use crate::Facts;
use crate::refuters::{refute, switched_on};

/// The races on fields, arrays and collections: through them references come to threads without order.
#[derive(Default)]
pub(super) struct RacyFields {
    /// What the racy writes may store.
    stored: FastMap<Holder, Stored>,
    accesses: FastSet<AccessId>,
    writes: FastSet<(AccessId, Holder)>,
}

/// What racy writes may store.
#[derive(Default)]
struct Stored {
    objects: FastSet<ObjectId>,
    /// Whether there is a write of which it is not known.
    anything: bool,
}

impl RacyFields {
    pub(super) fn new(facts: &Facts<'_, '_>, verdicts: &[(Place, PairResult<'_>)]) -> Self {
        let mut racy = Self::default();
        for (place, verdict) in verdicts {
            let PairResult::Racy(candidate) = verdict else { continue };
            let holder = match (*place, candidate.object) {
                (Place::Field(field) | Place::Static(field), _) => Holder::Field(field),
                (Place::Element, Some(array)) => Holder::Array(array),
                (Place::Container, Some(collection)) => Holder::Collection(collection),
                (Place::Element | Place::Container, None) => continue,
            };
            for side in &candidate.sides {
                let is_write = facts.accesses.all[side.access].kind == AccessKind::Write;
                racy.accesses.insert(side.access);
                if is_write && racy.writes.insert((side.access, holder)) {
                    racy.stored.entry(holder).or_default().add(facts, side.access);
                }
            }
        }
        racy
    }

    /// Whether one of some holders may publish an object by a race, as an atomic cell that is used without order does.
    pub(super) fn may_publish(&self, holders: &[Holder], object: ObjectId) -> bool {
        let may_store = |stored: &Stored| stored.anything || stored.objects.contains(&object);
        holders.iter().any(|holder| *holder == Holder::Cell || self.stored.get(holder).is_some_and(may_store))
    }

    /// Whether an access may have the reference to its object from a racy read. Where the method itself has loaded it from a field, that
    /// load shows it, of a final field the load of the object around it; what it has made itself, it has not read at all.
    fn may_lead_to(&self, facts: &Facts<'_, '_>, access: AccessId) -> bool {
        let access = &facts.accesses.all[access];
        let (Some(body), Some(mut value)) = (facts.view.program.body(access.method), access.base) else {
            return true;
        };
        loop {
            let Some(inst) = body.defining_inst(value) else { return true };
            match body.insts[inst].op {
                Op::CheckCast(_) => value = body.args(inst)[0],
                Op::GetField(_) | Op::GetStatic(_) | Op::ArrayLoad(_) => {
                    let mut loads = facts.accesses.of_method(access.method).iter();
                    let load = loads.find(|&&id| facts.accesses.all[id].inst == inst);
                    match (load, body.args(inst).first()) {
                        (Some(load), _) if self.accesses.contains(load) => return true,
                        // A part of something else, which tells instead.
                        (load, Some(&whole)) if load.is_none_or(|&load| is_final(facts, load)) => {
                            value = whole
                        }
                        _ => return false,
                    }
                }
                Op::New(_) | Op::NewArray(_) | Op::NewPrimitiveArray(_) | Op::NewMultiArray(_) => {
                    return false;
                }
                _ => return true,
            }
        }
    }

    /// Whether a side that is not made before the publication may have the reference from a racy read.
    pub(super) fn may_lead_to_either(&self, facts: &Facts<'_, '_>, candidate: &Candidate) -> bool {
        let Some(object) = candidate.object else { return true };
        let (view, threads, accesses) = (facts.view, facts.threads, facts.accesses);
        candidate.sides.iter().any(|side| {
            !facts.publication.must_be_unpublished(view, threads, accesses, side, object)
                && self.may_lead_to(facts, side.access)
        })
    }
}

impl Stored {
    fn add(&mut self, facts: &Facts<'_, '_>, write: AccessId) {
        let access = &facts.accesses.all[write];
        let Some(body) = facts.view.program.body(access.method) else {
            self.anything = true;
            return;
        };
        let (Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore(_), Some(&value)) =
            (&body.insts[access.inst].op, body.args(access.inst).last())
        else {
            self.anything = true;
            return;
        };
        for &instance in facts.view.analysis.instances_of(access.method) {
            self.objects.extend(facts.view.analysis.points_to(instance, value).iter());
        }
    }
}

/// The pairs of writes by constructors with other accesses of a group, on objects that racy fields may hold; one for each pair of
/// instructions.
pub(super) fn unsafely_published(
    facts: &Facts<'_, '_>,
    options: &Options,
    racy: &RacyFields,
    group: &Group,
) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    if options.include_initializers {
        return found;
    }
    let mut leading: FastMap<AccessId, bool> = FastMap::default();
    let mut may_lead =
        |access: AccessId| *leading.entry(access).or_insert_with(|| racy.may_lead_to(facts, access));
    let using: Vec<&Entry> = group.entries.iter().filter(|entry| may_lead(entry.access)).collect();
    if using.is_empty() {
        return found;
    }
    for &access in &group.accesses {
        let is_write = facts.accesses.all[access].kind == AccessKind::Write;
        if is_write
            && !is_final(facts, access)
            && constructs(facts, access)
            && !counts(facts, options, access)
        {
            pairs_with(facts, options, racy, &using, access, &mut found);
        }
    }
    found
}

/// Whether an access is to a final field: who gets the reference after the construction sees what was written to it (JLS 17.5).
fn is_final(facts: &Facts<'_, '_>, access: AccessId) -> bool {
    let place = facts.accesses.all[access].place;
    matches!(place, Place::Field(field) if facts.view.program.fields[field].is_final())
}

/// Adds a pair of a constructor's write with each of those who use the objects, if there is one that may race.
fn pairs_with(
    facts: &Facts<'_, '_>,
    options: &Options,
    racy: &RacyFields,
    users: &[&Entry],
    access: AccessId,
    found: &mut Vec<Candidate>,
) {
    let (view, threads, accesses) = (facts.view, facts.threads, facts.accesses);
    let is_published = |object: &ObjectId| {
        let holders = facts.publication.plain_holders(*object);
        facts.escape.may_be_shared(*object) && racy.may_publish(holders, *object)
    };
    let mut paired: FastSet<AccessId> = FastSet::default();
    for &instance in view.analysis.instances_of(accesses.all[access].method) {
        let objects: Vec<ObjectId> =
            accesses.may_touch(view, access, instance).iter().filter(is_published).collect();
        if objects.is_empty() {
            continue;
        }
        for other in users {
            if paired.contains(&other.access) {
                continue;
            }
            let touched = accesses.may_touch(view, other.access, other.instance);
            let Some(&object) = objects.iter().find(|&&object| touched.contains(object)) else { continue };
            let place = (other.access, other.instance);
            let makers = facts.publication.must_be_unpublished_in(view, threads, accesses, place, object);
            let using = other.threads.iter().filter(|&&thread| !makers.contains(thread));
            let using =
                using.map(|&thread| Occurrence { access: other.access, instance: other.instance, thread });
            let constructing = threads.may_execute(instance).iter();
            let constructing = constructing.map(|&thread| Occurrence { access, instance, thread });
            let mut pairs = constructing.flat_map(|first| using.clone().map(move |second| [first, second]));
            let racing = pairs.find_map(|sides| {
                let is_same = sides[0].thread == sides[1].thread && !threads.all[sides[0].thread].many;
                let candidate = Candidate { sides, object: Some(object) };
                (!is_same && survives(facts, options, &candidate)).then_some(candidate)
            });
            if let Some(candidate) = racing {
                paired.insert(other.access);
                found.push(candidate);
            }
        }
    }
}

/// Whether nothing but the publication orders the two sides.
fn survives(facts: &Facts<'_, '_>, options: &Options, candidate: &Candidate) -> bool {
    let is_local = options.is_on(Escape::BY) && facts.escape.refute(facts.view, candidate).is_some();
    let rests_on_it = |name: &str| [Publication::BY, Locks::LATER].contains(&name);
    let mut refuters = switched_on(options).filter(|refuter| !rests_on_it(refuter.name));
    !is_local && !refuters.any(|refuter| refute(facts, options, refuter, candidate).is_some())
}
