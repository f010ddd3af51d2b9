//! Domain: which objects belong to one object of a class, and by which code they are used on its behalf.
//!
//! Let the *owners* be all objects of a class: pools, say. A set of abstract objects is *owned*, a set of instances is *inside*,
//! and some slots and members may hold *strangers* (owners other than the one meant), such that in every run each concrete
//! owned object `o` has one owner `w(o)`, and each activation `a` of an inside instance works for one owner `w(a)`:
//!
//! - an object is owned by the owner that the activation works for which makes it; but a *gift*, which its maker uses for nothing but to
//!   store it into an owner, by that owner;
//! - an activation works for its receiver, or for the owner of its receiver; one without a frame of its own (static methods, and models,
//!   which count as parts of their callers) for whomever its caller works for.
//!
//! **Theorem.** (1) Every reference to an owned object in a slot of an activation inside is to an object of the owner that the
//! activation works for. (2) Every reference to an owned object in a member of an owner, or of an owned object, is to an
//! object of that owner. (3) An owner in a slot inside that holds no stranger is the one the activation works for; in a member that
//! holds no stranger, it is the owner itself, or that of the owned object.
//!
//! So where an activation accesses an owned object and holds a lock on an owner that is no stranger, that is the lock of the
//! object's own owner, through however many layers of containers the object was found: two such accesses to one object hold the
//! same lock.
//!
//! By induction over the run; each step of code that moves a reference keeps the invariants, or the objects it moves are not
//! owned. An object is given up if code inside gets it from elsewhere: loads it from a static field, from an object that is neither owned
//! nor the own owner, as the result or argument of a call that crosses the boundary or leads to a stranger; if code stores it into a
//! stranger; if code outside stores it into an owner or an owned object; or if code outside makes it. (Stores to members that no code
//! inside reads do no harm, so invariant 2 and 3 are about members that it reads.) Code outside may
//! hold references and even access the objects: it just holds no lock of theirs by this theorem. That is weaker than dominance (every way to
//! the object leads through its owner), which is what `Milanova and Huang` ask for object races: a reference that leaks does no harm to
//! the identity of the owner, as long as it does not come back.
//!
//! Copies of owners (`clone`) share what the fields hold, so what they hold is given up, but for fields that the copy's maker overwrites
//! before it uses the copy otherwise.
//!
//! The sets are the greatest solution, found by removal from everything that owners make, directly or through what they make.

use selvedge_base::{BitSet, FastMap, FastSet, HybridSet};
use selvedge_models::Special;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::{Member, Slot, Statement};
use selvedge_world::ClassId;

use super::copies::{is_gift, overwritten_fields};
use super::travel::{Incoming, StoreAt, Travel, is_harmless, parameter, summary_of};
use crate::limits;
use crate::view::View;

/// See the [module documentation](self).
pub(crate) struct Domain {
    /// All objects of the class.
    owners: BitSet<ObjectId>,
    owned: BitSet<ObjectId>,
    inside: BitSet<InstanceId>,
    /// Slots that may hold strangers.
    strange: FastSet<(InstanceId, Slot)>,
    /// Members that may hold strangers.
    strange_members: FastSet<(ObjectId, Member)>,
}

impl Domain {
    /// What objects of a class own; `None` if they own nothing, or that is too much to examine, as it is in a heap by unification, where everything is held by too much. `allowance` is how many elements of
    /// points-to sets may be looked at; what is used of it is taken away.
    pub(crate) fn new(view: &View<'_>, travel: &Travel, class: ClassId, allowance: &mut u64) -> Option<Self> {
        if view.analysis.is_unified {
            return None;
        }
        let name = view.program.classes[class].name;
        let heap = &view.analysis.heap;
        let is_owner =
            |&(_, data): &(ObjectId, &selvedge_pta::heap::ObjectData)| heap.types.is_instance(data.ty, name);
        let owners: BitSet<ObjectId> = heap.objects().filter(is_owner).map(|(object, _)| object).collect();
        let mut search = Search {
            view,
            travel,
            found: Self {
                owners,
                owned: BitSet::new(),
                inside: BitSet::new(),
                strange: FastSet::default(),
                strange_members: FastSet::default(),
            },
            stores: Vec::new(),
            read: FastSet::default(),
            changed: true,
            allowance: *allowance,
        };
        search.grow();
        if search.found.inside.len() > limits::DOMAIN_INSTANCES {
            return None;
        }
        search.find_stores();
        while std::mem::take(&mut search.changed) && search.allowance > 0 {
            search.shrink();
        }
        *allowance = search.allowance;
        (search.allowance > 0).then_some(search.found)
    }

    /// Whether objects of this kind have one owner each.
    pub(crate) fn is_owned(&self, object: ObjectId) -> bool {
        self.owned.contains(object)
    }

    /// Whether objects of this kind are owners.
    pub(crate) fn is_owner(&self, object: ObjectId) -> bool {
        self.owners.contains(object)
    }

    /// All owners.
    pub(crate) fn owners(&self) -> &BitSet<ObjectId> {
        &self.owners
    }

    /// Whether activations of an instance work for one owner each.
    pub(crate) fn is_inside(&self, instance: InstanceId) -> bool {
        self.inside.contains(instance)
    }

    /// Whether activations of an instance work for one owner each, in order.
    pub(crate) fn inside(&self) -> impl Iterator<Item = InstanceId> {
        self.inside.iter()
    }

    /// Whether a slot holds nothing but the owner that the activation works for.
    pub(crate) fn is_own_owner(&self, view: &View<'_>, instance: InstanceId, slot: Slot) -> bool {
        let set = view.analysis.slot_points_to(instance, slot);
        !set.is_empty()
            && !self.strange.contains(&(instance, slot))
            && set.iter().all(|object| self.owners.contains(object))
    }

    /// Whether a member of an owned object holds nothing but its owner.
    pub(crate) fn leads_to_owner(&self, view: &View<'_>, object: ObjectId, member: Member) -> bool {
        !self.strange_members.contains(&(object, member))
            && view.analysis.member(object, member).all(|held| self.owners.contains(held))
    }

    /// Whether a call stays with the owner that its caller works for.
    pub(crate) fn stays(
        &self,
        view: &View<'_>,
        travel: &Travel,
        incoming: Incoming,
        callee: InstanceId,
    ) -> bool {
        if !incoming.in_thread || !self.is_inside(incoming.caller) {
            return false;
        }
        let call =
            summary_of(view, incoming.caller).and_then(|summary| summary.calls.get(incoming.number as usize));
        let Some(call) = call else { return false };
        let receiver = call.arguments.first().copied().flatten();
        let to_stranger = || {
            receiver.is_none_or(|slot| self.strange.contains(&(incoming.caller, slot)))
                && parameter(view, callee, 0).meets(&self.owners)
        };
        travel.is_frameless(callee) || !to_stranger()
    }
}

struct Search<'a, 'v> {
    view: &'a View<'v>,
    travel: &'a Travel,
    found: Domain,
    /// The stores anywhere that may store an owned object or an owner into one.
    stores: Vec<StoreAt>,
    /// The members that code inside may read.
    read: FastSet<Member>,
    changed: bool,
    /// How many elements of points-to sets may still be looked at. The search is given up when there are none left.
    allowance: u64,
}

impl<'v> Search<'_, 'v> {
    fn at(&self, instance: InstanceId, slot: Slot) -> &'v HybridSet<ObjectId> {
        self.view.analysis.slot_points_to(instance, slot)
    }

    /// Takes everything for owned that owners make, and all code for inside that runs on such objects.
    fn grow(&mut self) {
        let (view, travel) = (self.view, self.travel);
        let mut objects: Vec<ObjectId> = self.found.owners.iter().collect();
        let mut examined: BitSet<InstanceId> = BitSet::new();
        while let Some(object) = objects.pop() {
            let mut instances: Vec<InstanceId> = travel.running_on(object).to_vec();
            while let Some(instance) = instances.pop() {
                let owners = &self.found.owners;
                let may_be_inside = |object| owners.contains(object) || travel.can_be_owned(view, object);
                if !examined.insert(instance)
                    || self.found.inside.len() > limits::DOMAIN_INSTANCES
                    || !travel.is_frameless(instance)
                        && !parameter(view, instance, 0).iter().all(may_be_inside)
                {
                    continue;
                }
                self.found.inside.insert(instance);
                for &made in travel.made_by(instance) {
                    if !self.found.owners.contains(made)
                        && travel.can_be_owned(view, made)
                        && self.found.owned.insert(made)
                    {
                        objects.push(made);
                    }
                }
                let callees = view.calls(instance).flat_map(|call| call.callees.iter().copied());
                instances.extend(callees.filter(|&callee| travel.is_frameless(callee)));
            }
        }
    }

    fn is_of_region(&self, object: ObjectId) -> bool {
        self.found.owners.contains(object) || self.found.owned.contains(object)
    }

    fn of_region(&self, set: &HybridSet<ObjectId>) -> Vec<ObjectId> {
        let Domain { owners, owned, .. } = &self.found;
        set.iter_within(owners).chain(set.iter_within(owned)).collect()
    }

    fn find_stores(&mut self) {
        let mut known: FastMap<*const HybridSet<ObjectId>, bool> = FastMap::default();
        let mut meets = |set: &HybridSet<ObjectId>| {
            let examine = || set.meets(&self.found.owners) || set.meets(&self.found.owned);
            *known.entry(std::ptr::from_ref(set)).or_insert_with(examine)
        };
        let of_region = |store: &&StoreAt| {
            meets(self.at(store.instance, store.from)) && meets(self.at(store.instance, store.base))
        };
        self.stores = self.travel.stores.iter().filter(of_region).copied().collect();
    }

    fn shrink(&mut self) {
        self.leave_inside();
        self.find_read();
        let inside: Vec<InstanceId> = self.found.inside.iter().collect();
        for &instance in &inside {
            if self.allowance == 0 {
                return;
            }
            self.spend(1);
            self.check_statements(instance);
            self.check_arguments(instance);
            self.check_results(instance);
        }
        for store in self.stores.clone() {
            self.spend(1);
            self.check_store(store);
        }
        for &instance in &self.travel.ruled {
            self.check_rules(instance);
        }
    }

    /// Code that runs on other objects too is outside, and what it makes is not owned.
    fn leave_inside(&mut self) {
        let travel = self.travel;
        loop {
            let mut leaving: Vec<InstanceId> = Vec::new();
            for instance in self.found.inside.iter() {
                let stays = match travel.is_frameless(instance) {
                    true => {
                        let callers = travel.callers(instance);
                        let stays = |call: &Incoming| call.in_thread && self.found.is_inside(call.caller);
                        !callers.is_empty() && callers.iter().all(stays)
                    }
                    false => parameter(self.view, instance, 0).iter().all(|object| self.is_of_region(object)),
                };
                if !stays {
                    leaving.push(instance);
                }
            }
            for &instance in &leaving {
                self.found.inside.remove(instance);
                self.changed = true;
                travel.made_by(instance).iter().for_each(|&made| self.give_up(made));
            }
            let lost: Vec<ObjectId> = self
                .found
                .owned
                .iter()
                .filter(|&object| travel.makers(object).iter().any(|&maker| !self.found.is_inside(maker)))
                .collect();
            lost.iter().for_each(|&object| self.give_up(object));
            if leaving.is_empty() && lost.is_empty() {
                return;
            }
        }
    }

    fn find_read(&mut self) {
        let mut read = FastSet::default();
        for instance in self.found.inside.iter() {
            let Some(summary) = summary_of(self.view, instance) else { continue };
            for statement in &summary.statements {
                match *statement {
                    Statement::Load { member, .. } => {
                        read.insert(member);
                    }
                    Statement::Special { rule, .. } if !is_harmless(rule) => {
                        let slots = (0..summary.slots).map(Slot::new);
                        let objects = slots.flat_map(|slot| self.at(instance, slot).iter());
                        objects.for_each(|object| read.extend(self.travel.members(object)));
                    }
                    _ => {}
                }
            }
        }
        self.read = read;
    }

    fn give_up(&mut self, object: ObjectId) {
        self.changed |= self.found.owned.remove(object);
    }

    fn spend(&mut self, elements: usize) {
        self.allowance = self.allowance.saturating_sub(elements as u64);
    }

    fn give_up_all(&mut self, set: &HybridSet<ObjectId>) {
        self.spend(set.len());
        self.changed |= set.remove_from(&mut self.found.owned);
    }

    /// A slot may hold strangers, if it can hold owners.
    fn mark(&mut self, instance: InstanceId, slot: Slot) {
        self.spend(self.at(instance, slot).len());
        if !self.found.strange.contains(&(instance, slot))
            && self.at(instance, slot).meets(&self.found.owners)
        {
            self.found.strange.insert((instance, slot));
            self.changed = true;
        }
    }

    fn mark_member(&mut self, object: ObjectId, member: Member) {
        if !self.found.strange_members.contains(&(object, member))
            && self.view.analysis.member_set(object, member).meets(&self.found.owners)
        {
            self.found.strange_members.insert((object, member));
            self.changed = true;
        }
    }

    fn is_strange(&self, instance: InstanceId, slot: Slot) -> bool {
        self.found.strange.contains(&(instance, slot))
    }

    /// Whether an object that a slot inside holds belongs to the owner that the activation works for, or is it.
    fn is_near(&self, instance: InstanceId, slot: Slot, object: ObjectId) -> bool {
        self.found.owned.contains(object)
            || self.found.owners.contains(object) && !self.is_strange(instance, slot)
    }

    fn check_statements(&mut self, instance: InstanceId) {
        let Some(summary) = summary_of(self.view, instance) else { return };
        for statement in &summary.statements {
            match *statement {
                Statement::Allocate { into, .. } => self.mark(instance, into),
                Statement::Copy { into, from, .. } if self.is_strange(instance, from) => {
                    self.mark(instance, into);
                }
                Statement::Load { into, base, member } => {
                    let mut given_up: FastSet<*const HybridSet<ObjectId>> = FastSet::default();
                    for object in self.at(instance, base).iter() {
                        self.spend(1);
                        if !self.is_near(instance, base, object) {
                            let held = self.view.analysis.member_set(object, member);
                            self.spend(held.len());
                            if given_up.insert(std::ptr::from_ref(held)) {
                                self.changed |= held.remove_from(&mut self.found.owned);
                            }
                            self.mark(instance, into);
                        } else if self.found.strange_members.contains(&(object, member)) {
                            self.mark(instance, into);
                        }
                    }
                }
                Statement::LoadStatic { into, .. } | Statement::Catch { into, .. } => {
                    self.give_up_all(self.at(instance, into));
                    self.mark(instance, into);
                }
                _ => {}
            }
        }
    }

    /// What callers pass to an instance inside.
    fn check_arguments(&mut self, callee: InstanceId) {
        let (view, travel) = (self.view, self.travel);
        let Some(called) = summary_of(view, callee) else { return };
        let first = usize::from(!travel.is_frameless(callee));
        for &incoming in travel.callers(callee) {
            let stays = self.found.stays(view, travel, incoming, callee);
            let call = summary_of(view, incoming.caller)
                .and_then(|caller| caller.calls.get(incoming.number as usize));
            for (position, parameter) in called.parameters.iter().enumerate().skip(first) {
                let Some(parameter) = *parameter else { continue };
                let argument = call.and_then(|call| call.arguments.get(position).copied().flatten());
                let passed = argument.map(|argument| self.at(incoming.caller, argument));
                if stays {
                    if argument.is_none_or(|argument| self.is_strange(incoming.caller, argument)) {
                        self.mark(callee, parameter);
                    }
                    continue;
                }
                self.give_up_all(passed.unwrap_or_else(|| self.at(callee, parameter)));
                if passed.is_none_or(|set| set.meets(&self.found.owners)) {
                    self.mark(callee, parameter);
                }
            }
        }
    }

    /// What calls give back to an instance inside.
    fn check_results(&mut self, caller: InstanceId) {
        let (view, travel) = (self.view, self.travel);
        let Some(summary) = summary_of(view, caller) else { return };
        for call in view.calls(caller) {
            let Some(data) = summary.calls.get(call.number as usize) else { continue };
            let Some(into) = data.result else { continue };
            for &callee in call.callees {
                let Some(called) = summary_of(view, callee) else { continue };
                if called.returns_this {
                    let receiver = data.arguments.first().copied().flatten();
                    if receiver.is_none_or(|receiver| self.is_strange(caller, receiver)) {
                        self.mark(caller, into);
                    }
                    continue;
                }
                let Some(result) = called.result else { continue };
                let edge = travel.incoming(caller, call.number, callee);
                let stays = self.found.stays(view, travel, edge, callee);
                if stays && self.found.is_inside(callee) {
                    if self.is_strange(callee, result) {
                        self.mark(caller, into);
                    }
                    continue;
                }
                let returned = self.at(callee, result);
                self.give_up_all(returned);
                if returned.meets(&self.found.owners) {
                    self.mark(caller, into);
                }
            }
        }
    }

    fn check_store(&mut self, store: StoreAt) {
        let StoreAt { instance, base, member, from } = store;
        if !self.read.contains(&member) {
            return;
        }
        let is_inside = self.found.is_inside(instance);
        let is_strange = !is_inside || self.is_strange(instance, from);
        for holder in self.of_region(self.at(instance, base)) {
            let keeps = is_inside && self.is_near(instance, base, holder);
            let gives = || is_inside && self.found.owners.contains(holder) && is_gift(self.view, &store);
            if !keeps && !gives() {
                self.give_up_all(self.at(instance, from));
            }
            if is_strange || !keeps {
                self.mark_member(holder, member);
            }
        }
    }

    fn check_rules(&mut self, instance: InstanceId) {
        let Some(summary) = summary_of(self.view, instance) else { return };
        for statement in &summary.statements {
            match *statement {
                Statement::Special { watch, rule: Special::Clone | Special::ArrayCopyOf } => {
                    self.check_copy(instance, watch, summary.result);
                }
                Statement::Special { rule, .. } if accesses_members(rule) => {
                    self.check_handle(instance, &summary.parameters, summary.result);
                }
                Statement::Special { rule: Special::ArrayNewInstance, .. } => {}
                Statement::Special { rule, .. } if is_harmless(rule) => {}
                Statement::Special { .. } | Statement::RuleCall { .. } => {
                    for slot in (0..summary.slots).map(Slot::new) {
                        self.give_up_all(self.at(instance, slot));
                        self.mark(instance, slot);
                    }
                }
                _ => {}
            }
        }
    }

    /// A copy holds what the original holds.
    fn check_copy(&mut self, instance: InstanceId, original: Slot, result: Option<Slot>) {
        let Some(result) = result else { return };
        let copies = self.at(instance, result);
        if !copies.meets(&self.found.owners) && !copies.meets(&self.found.owned) {
            return;
        }
        let is_inside = self.found.is_inside(instance);
        let overwritten = overwritten_fields(self.view, self.travel, instance, limits::CLONE_WRAPPERS);
        for object in self.at(instance, original).iter() {
            let is_near = is_inside && self.is_near(instance, original, object);
            for &member in self.travel.members(object) {
                for copy in self.of_region(copies) {
                    let is_owned = self.found.owned.contains(copy);
                    if !is_owned && matches!(member, Member::Field(field) if overwritten.contains(&field)) {
                        continue;
                    }
                    if !is_owned || !is_near {
                        let held = self.view.analysis.member_set(object, member);
                        self.changed |= held.remove_from(&mut self.found.owned);
                    }
                    if !is_owned || !is_near || self.found.strange_members.contains(&(object, member)) {
                        self.mark_member(copy, member);
                    }
                }
            }
        }
        self.mark(instance, result);
    }

    /// A read or write through a handle or at an offset: of the first argument, of the last.
    fn check_handle(&mut self, instance: InstanceId, parameters: &[Option<Slot>], result: Option<Slot>) {
        let base = parameters.get(1).copied().flatten();
        let is_near = base.is_some_and(|base| {
            let mut objects = self.at(instance, base).iter();
            self.found.is_inside(instance) && objects.all(|object| self.is_near(instance, base, object))
        });
        if !is_near {
            let others = parameters.iter().skip(2).copied().flatten().chain(result);
            others.for_each(|slot| self.give_up_all(self.at(instance, slot)));
        }
        if let Some(result) = result {
            self.mark(instance, result);
        }
        let bases = base.map(|base| self.of_region(self.at(instance, base)));
        for object in bases.into_iter().flatten() {
            self.travel.members(object).iter().for_each(|&member| self.mark_member(object, member));
        }
    }
}

fn accesses_members(rule: Special) -> bool {
    matches!(
        rule,
        Special::UnsafeGet
            | Special::UnsafePut
            | Special::UnsafeCompareAndSet
            | Special::UnsafeExchange
            | Special::VarHandleRead
            | Special::VarHandleWrite
            | Special::VarHandleCompareAndSet
            | Special::VarHandleExchange
    )
}
