//! The heap by unification (Steensgaard, POPL 1996; Ruf, PLDI 2000): nearly linear, for programs that are too large for the
//! inclusion-based [solver](crate::solver).
//!
//! Where a reference is copied, both places are taken to hold the same objects: an assignment makes their [classes](classes) one. So
//! nothing ever flows, and each member, cast and called method of a class is looked at once for each of its objects.
//!
//! Deviations from plain unification, each for precision at little cost:
//! - a cast, and what a handler catches, is a class of its own that gets the objects which pass it;
//! - receivers are passed object by object to the methods that they select, so `this` holds what the method can run on (in methods that
//!   are copied into their callers it is one with the receiver of the call);
//! - in the end every place shows the objects of its class that its static type admits.
//!
//! There are no contexts, except that modelled library methods are copied into their callers as always; Ruf's method summaries, which
//! tell apart what a method does for its callers, are not made. So all objects of one class of the program meet as `this` of its methods,
//! and with [`Objects::ByType`] one object, the *type*, stands for them while classes are put together; objects that the JDK makes stay
//! merged. In the end a type is the objects that are made in its class of places, or, where it came by a call or cast, all of that type.
//!
//! **Theorem.** Every object, call edge and points-to fact of the inclusion-based solver without contexts is in the result, with
//! merged objects for what the JDK makes, if values hold what their static types say: unification adds the other direction to each copy.
//! A test holds the two against each other.

mod calls;
mod classes;
mod outcome;

use std::collections::VecDeque;

use rayon::prelude::*;

use selvedge_base::{FastMap, FastSet, HybridSet, Id, IdVec};
use selvedge_ir::Type;
use selvedge_models::Models;
use selvedge_world::{ClassId, FieldId, MethodId, Program};

use crate::coarsen::Coarsening;
use crate::context::{Contexts, Insensitive};
use crate::heap::{FilterId, ObjectId, RuntimeType, Site, TypeId, Types};
use crate::procedure::ProcedureId;
use crate::semantics::{CallEdge, InstanceId, RuleLink, Semantics};
use crate::solver::{NodeId, at};
use crate::summary::{Member, Slot, Statement};
use crate::{Analysis, Entries, Limits, start};
use classes::{Called, Class, Classes, Selected, is_uniform};

/// How objects are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objects {
    /// By type while classes are put together; see the [module documentation](self).
    ByType,
    /// By the instruction that makes them.
    BySite,
}

/// Runs the analysis by unification.
pub fn unify<'p>(
    program: &'p Program,
    models: &'p Models,
    entries: &Entries,
    objects: Objects,
) -> Analysis<'p> {
    let (mut semantics, roots) =
        start(program, models, entries, &Insensitive, Limits::default(), Coarsening::default());
    semantics.heap.merges_library = objects == Objects::ByType;
    let mut unifier = Unifier::new(semantics);
    unifier.by_type = objects == Objects::ByType;
    unifier.reach(roots);
    unifier.solve();
    unifier.finish()
}

/// To so many objects a rule of reflection is applied in one place. Where more meet, unification has mixed up what the program tells apart.
const MOST_TARGETS: u32 = 100;

/// What is assumed then.
const WORN_OUT: &str =
    "where unification leaves more than 100 targets for a reflective call, the others are not called";

/// Something that is still to be done. Nothing is done while a class is being worked on.
enum Task {
    /// Two places hold the same.
    Unite(NodeId, NodeId),
    /// A place holds what a member of the objects at another holds.
    Content(NodeId, Member, NodeId),
    /// What of one place passes a filter is in another.
    Cast(NodeId, FilterId, NodeId),
    /// A call on the objects of a place.
    Call(NodeId, Called, (InstanceId, u32)),
    /// A statement that must see each object of a place.
    Watch(NodeId, InstanceId, Statement),
}

struct Unifier<'p> {
    semantics: Semantics<'p>,
    classes: Classes,
    tasks: Vec<Task>,
    /// Objects that come to places when there are no tasks left, and the places in the order of their turns: what comes to a place before
    /// its turn comes together.
    arriving: FastMap<NodeId, Vec<ObjectId>>,
    turns: VecDeque<NodeId>,
    /// Whether types stand for objects.
    by_type: bool,
    /// The objects that each type stands for.
    made: FastMap<ObjectId, Vec<ObjectId>>,
    /// Types that are objects of their own, because the library makes some.
    real: FastSet<ObjectId>,
    bases: IdVec<InstanceId, Option<NodeId>>,
    members: FastMap<(ObjectId, Member), NodeId>,
    statics: FastMap<FieldId, NodeId>,
    scopes: FastMap<ProcedureId, NodeId>,
    vm_exceptions: NodeId,
    call_edges: Vec<CallEdge>,
    seen_edges: FastSet<CallEdge>,
    seen_links: FastSet<RuleLink>,
    rule_calls: Vec<calls::RuleCall>,
    unbuilt: Vec<InstanceId>,
    unlinked: Vec<CallEdge>,
    unlinked_by_rules: Vec<RuleLink>,
    unplaced: Vec<(InstanceId, Vec<ObjectId>)>,
    /// What each slot of a procedure can hold by its static type.
    slot_filters: FastMap<ProcedureId, Vec<FilterId>>,
    /// The members of objects of a type that hold references.
    members_of_type: FastMap<TypeId, Vec<Member>>,
    /// How often each rule has had something to say.
    fired: FastMap<(InstanceId, Statement), u32>,
    /// The highest number of a captured value that is looked at.
    captured: Option<u32>,
}

impl<'p> Unifier<'p> {
    fn new(semantics: Semantics<'p>) -> Self {
        let mut unifier = Self {
            semantics,
            classes: Classes::new(),
            tasks: Vec::new(),
            arriving: FastMap::default(),
            turns: VecDeque::new(),
            by_type: false,
            made: FastMap::default(),
            real: FastSet::default(),
            bases: IdVec::new(),
            members: FastMap::default(),
            statics: FastMap::default(),
            scopes: FastMap::default(),
            vm_exceptions: NodeId::new(0),
            call_edges: Vec::new(),
            seen_edges: FastSet::default(),
            seen_links: FastSet::default(),
            rule_calls: Vec::new(),
            unbuilt: Vec::new(),
            unlinked: Vec::new(),
            unlinked_by_rules: Vec::new(),
            unplaced: Vec::new(),
            slot_filters: FastMap::default(),
            members_of_type: FastMap::default(),
            fired: FastMap::default(),
            captured: None,
        };
        unifier.vm_exceptions = unifier.classes.add(1);
        let thrown = unifier.semantics.vm_exceptions();
        unifier.send(unifier.vm_exceptions, &thrown);
        if let Some(cell) = unifier.semantics.vm_cell("uncaught-exceptions")
            && let Some(node) = unifier.member_node(cell, Member::Captured(0))
        {
            unifier.tasks.push(Task::Cast(unifier.vm_exceptions, Types::ANY, node));
        }
        unifier
    }

    fn solve(&mut self) {
        loop {
            while let Some(task) = self.tasks.pop() {
                self.work_on(task);
            }
            if let Some(place) = self.turns.pop_front() {
                let objects = self.arriving.remove(&place).unwrap_or_default();
                self.arrive(place, objects);
                continue;
            }
            if self.unbuilt.is_empty() {
                return;
            }
            self.build_reached();
        }
    }

    fn work_on(&mut self, task: Task) {
        match task {
            Task::Unite(a, b) => self.unite(a, b),
            Task::Content(base, member, place) => self.add_content(base, member, place),
            Task::Cast(from, filter, into) => self.add_cast(from, filter, into),
            Task::Call(receivers, called, site) => self.add_site(receivers, called, site),
            Task::Watch(place, owner, statement) => {
                let representative = self.classes.find(place);
                let mut class = self.classes.take(representative);
                self.watch(&mut class, owner, statement, &HybridSet::default());
                self.classes.put(representative, class);
            }
        }
    }

    /// A statement is to see each object of a class. It has seen some.
    fn watch(
        &mut self,
        class: &mut Class,
        owner: InstanceId,
        statement: Statement,
        seen: &HybridSet<ObjectId>,
    ) {
        let procedure = self.semantics.instances[owner].procedure;
        if is_uniform(statement) {
            if let Some(&first) = class.uniform.get((procedure, statement)) {
                let (ours, theirs) = (self.base(first), self.base(owner));
                for slot in (0..self.semantics.summary(procedure).slots).map(Slot::new) {
                    self.tasks.push(Task::Unite(at(ours, slot), at(theirs, slot)));
                }
                return;
            }
            class.uniform.insert((procedure, statement), owner);
        } else if class.others.get((owner, statement)).is_some() {
            return;
        } else {
            class.others.insert((owner, statement), ());
        }
        let new: Vec<ObjectId> = class.set.iter().filter(|&object| !seen.contains(object)).collect();
        self.react(owner, statement, &new);
    }

    /// Lets all statements that must see each object of a class see some.
    fn show(&mut self, class: &Class, new: &[ObjectId]) {
        if !new.is_empty() {
            let uniform = class.uniform.all.iter().map(|&((_, statement), owner)| (owner, statement));
            let others = class.others.all.iter().map(|&(other, ())| other);
            for (owner, statement) in others.chain(uniform) {
                self.react(owner, statement, new);
            }
        }
    }

    fn arrive(&mut self, place: NodeId, objects: Vec<ObjectId>) {
        let representative = self.classes.find(place);
        let mut class = self.classes.take(representative);
        if self.by_type {
            let is_type = |object: &&ObjectId| self.made.contains_key(object);
            objects.iter().filter(is_type).for_each(|&object| {
                class.whole.insert(object);
            });
        }
        self.put_into(&mut class, objects);
        self.classes.put(representative, class);
    }

    /// Objects are to come to a place.
    fn send(&mut self, place: NodeId, objects: &[ObjectId]) {
        let place = self.classes.find(place);
        let waiting = self.arriving.entry(place).or_default();
        if waiting.is_empty() && !objects.is_empty() {
            self.turns.push_back(place);
        }
        waiting.extend_from_slice(objects);
    }

    /// An object is made in a place.
    fn make(&mut self, place: NodeId, object: ObjectId) {
        let data = *self.semantics.heap.get(object);
        let is_of_class = matches!(self.semantics.heap.types.get(data.ty), RuntimeType::Class(_));
        let has_site = matches!(
            self.semantics.heap.site_of(data.site),
            Site::Instruction { .. } | Site::Synthetic { .. }
        );
        if !has_site {
            self.real.insert(object);
        }
        if !self.by_type || !is_of_class || !has_site {
            self.send(place, &[object]);
            return;
        }
        let merged = self.semantics.heap.site(Site::Merged(data.ty), data.ty);
        let ty = self.semantics.heap.object(merged, Contexts::EMPTY);
        let made = self.made.entry(ty).or_default();
        if !made.contains(&object) {
            made.push(object);
        }
        let representative = self.classes.find(place);
        let mut class = self.classes.take(representative);
        class.made.push(object);
        self.put_into(&mut class, vec![ty]);
        self.classes.put(representative, class);
    }

    fn put_into(&mut self, class: &mut Class, mut objects: Vec<ObjectId>) {
        objects.retain(|&object| class.set.insert(object));
        let heap = &self.semantics.heap;
        objects.sort_unstable_by_key(|&object| (heap.get(object).ty, object));
        let mut rest = objects.as_slice();
        while let Some(&first) = rest.first() {
            let ty = self.semantics.heap.get(first).ty;
            let same = rest.iter().take_while(|&&object| self.semantics.heap.get(object).ty == ty).count();
            let (group, others) = rest.split_at(same);
            rest = others;
            self.add_objects(class, ty, group, &FastSet::default(), &FastSet::default());
        }
        self.show(class, &objects);
    }

    /// New objects of one type come into a class. Calls and casts at some positions have seen them.
    fn add_objects(
        &mut self,
        class: &mut Class,
        ty: TypeId,
        new: &[ObjectId],
        called: &FastSet<u32>,
        cast: &FastSet<u32>,
    ) {
        let Some(&first) = new.first() else { return };
        new.iter().for_each(|&object| self.fill(class, object));
        if class.types.get(ty).is_none() {
            let selected = self.select(class, first);
            class.types.insert(ty, selected);
        }
        let selected = class.types.entry(ty);
        selected.objects.extend_from_slice(new);
        for position in selected.casts.iter().filter(|position| !cast.contains(position)) {
            self.send(class.casts.all[*position as usize].1, new);
        }
        for (position, procedure) in selected.calls.iter().filter(|(position, _)| !called.contains(position))
        {
            self.give(&mut class.calls.all[*position as usize].1, *procedure, new);
        }
    }

    /// What the calls and casts of a class make of objects like this one.
    fn select(&mut self, class: &Class, object: ObjectId) -> Selected {
        let mut selected = Selected::default();
        let ty = self.semantics.heap.get(object).ty;
        for (position, &(filter, _)) in class.casts.all.iter().enumerate() {
            if self.semantics.heap.types.passes(filter, ty) {
                selected.casts.push(position as u32);
            }
        }
        for (position, &((target, filter), _)) in class.calls.all.iter().enumerate() {
            if self.semantics.heap.types.passes(filter, ty)
                && let Some(procedure) = self.semantics.callee(target, object)
            {
                selected.calls.push((position as u32, procedure));
            }
        }
        selected
    }

    /// The members of a new object hold what the members of its class do.
    fn fill(&mut self, class: &Class, object: ObjectId) {
        if class.contents.all.is_empty() {
            return;
        }
        let ty = self.semantics.heap.get(object).ty;
        let heap = &self.semantics.heap;
        let members = self.members_of_type.entry(ty).or_insert_with(|| heap.reference_members(object));
        let captured = self.captured.into_iter().flat_map(|most| (0..=most).map(Member::Captured));
        let held: Vec<(Member, NodeId)> = members
            .iter()
            .copied()
            .chain(captured)
            .filter_map(|member| Some((member, *class.contents.get(member)?)))
            .collect();
        for (member, content) in held {
            if let Some(node) = self.member_node(object, member) {
                self.tasks.push(Task::Unite(node, content));
            }
        }
    }

    /// Makes two classes one: each gets what the other has and does.
    fn unite(&mut self, a: NodeId, b: NodeId) {
        let Some((representative, mut heavy, light)) = self.classes.unite(a, b) else { return };
        let Class { set, types, made, whole, contents, casts, calls, others, uniform } = *light;
        heavy.made.extend(made);
        heavy.whole.union_with(&whole);
        for (member, place) in contents.all {
            self.add_content_to(&mut heavy, member, place);
        }
        let (mut called, mut cast) = (FastSet::default(), FastSet::default());
        for (filter, into) in casts.all {
            self.add_cast_to(&mut heavy, filter, into);
            cast.extend(heavy.casts.position(filter));
        }
        for (key, theirs) in calls.all {
            match heavy.calls.get(key) {
                Some(_) => self.join_calls(heavy.calls.entry(key), theirs, &heavy.set),
                None => self.add_calls_to(&mut heavy, key, theirs, &set),
            }
            called.extend(heavy.calls.position(key));
        }
        let mut light_only: Vec<ObjectId> = Vec::new();
        for (ty, selected) in types.all {
            let new: Vec<ObjectId> =
                selected.objects.into_iter().filter(|&id| !heavy.set.contains(id)).collect();
            self.add_objects(&mut heavy, ty, &new, &called, &cast);
            light_only.extend(new);
        }
        self.show(&heavy, &light_only);
        for ((owner, statement), ()) in others.all {
            self.watch(&mut heavy, owner, statement, &set);
        }
        for ((_, statement), owner) in uniform.all {
            self.watch(&mut heavy, owner, statement, &set);
        }
        heavy.set.union_with(&set);
        self.classes.put(representative, heavy);
    }

    fn add_content(&mut self, base: NodeId, member: Member, place: NodeId) {
        if let Member::Captured(number) = member {
            self.captured = self.captured.max(Some(number));
        }
        let representative = self.classes.find(base);
        let mut class = self.classes.take(representative);
        self.add_content_to(&mut class, member, place);
        self.classes.put(representative, class);
    }

    /// The member of the objects of a class holds what a place holds.
    fn add_content_to(&mut self, class: &mut Class, member: Member, place: NodeId) {
        if let Some(&known) = class.contents.get(member) {
            self.tasks.push(Task::Unite(known, place));
            return;
        }
        class.contents.insert(member, place);
        let filter = match member {
            Member::Field(field) => {
                let owner = self.semantics.program.classes[self.semantics.program.fields[field].class].name;
                self.semantics.heap.types.filter_to(owner)
            }
            Member::Element | Member::Captured(_) => Types::ANY,
        };
        for (ty, selected) in &class.types.all {
            if !self.semantics.heap.types.passes(filter, *ty) {
                continue;
            }
            for &object in &selected.objects {
                if let Some(node) = self.member_node(object, member) {
                    self.tasks.push(Task::Unite(node, place));
                }
            }
        }
    }

    fn add_cast(&mut self, from: NodeId, filter: FilterId, into: NodeId) {
        let representative = self.classes.find(from);
        let mut class = self.classes.take(representative);
        self.add_cast_to(&mut class, filter, into);
        self.classes.put(representative, class);
    }

    /// A place holds what of the objects of a class passes a filter.
    fn add_cast_to(&mut self, class: &mut Class, filter: FilterId, into: NodeId) {
        if let Some(&known) = class.casts.get(filter) {
            self.tasks.push(Task::Unite(known, into));
            return;
        }
        let position = class.casts.insert(filter, into);
        let mut passing = Vec::new();
        for (ty, selected) in &mut class.types.all {
            if self.semantics.heap.types.passes(filter, *ty) {
                selected.casts.push(position);
                passing.extend_from_slice(&selected.objects);
            }
        }
        self.send(into, &passing);
    }

    /// A copy: without a filter both places are one.
    fn copy(&mut self, from: NodeId, into: NodeId, filter: FilterId) {
        self.tasks.push(match filter == Types::ANY {
            true => Task::Unite(from, into),
            false => Task::Cast(from, filter, into),
        });
    }

    /// What a statement does with each new object.
    fn react(&mut self, owner: InstanceId, statement: Statement, new: &[ObjectId]) {
        let base = self.base(owner);
        match statement {
            Statement::LoadAll { into, .. } => {
                for &object in new {
                    for member in self.semantics.heap.reference_members(object) {
                        if let Some(from) = self.member_node(object, member) {
                            self.tasks.push(Task::Unite(from, at(base, into)));
                        }
                    }
                }
            }
            Statement::StoreAll { from, .. } => {
                for &object in new {
                    for member in self.semantics.heap.reference_members(object) {
                        let filter = self.semantics.heap.rule_store_filter(object, member);
                        if let Some(into) = self.member_node(object, member) {
                            self.copy(at(base, from), into, filter);
                        }
                    }
                }
            }
            Statement::RuleCall { number, .. } => {
                for &object in new {
                    if self.is_worn_out(owner, statement) {
                        return;
                    }
                    if self.rule_call_on(owner, number, object) {
                        *self.fired.entry((owner, statement)).or_default() += 1;
                    }
                }
            }
            Statement::Special { rule, .. } => {
                for &object in new {
                    if !is_uniform(statement) && self.is_worn_out(owner, statement) {
                        return;
                    }
                    let effects = self.semantics.fire(owner, rule, object);
                    if !effects.is_empty() {
                        *self.fired.entry((owner, statement)).or_default() += 1;
                    }
                    effects.into_iter().for_each(|effect| self.apply(owner, effect));
                }
            }
            _ => {}
        }
    }

    /// Whether a rule has had its say so often that what it says now is likely of no use.
    fn is_worn_out(&mut self, owner: InstanceId, statement: Statement) -> bool {
        let worn_out = self.fired.get(&(owner, statement)).is_some_and(|&times| times >= MOST_TARGETS);
        if worn_out && !self.semantics.library.assumptions().any(|known| known == WORN_OUT) {
            self.semantics.library.assume(WORN_OUT.to_owned());
        }
        worn_out
    }

    /// The node of a member of an object; `None` where objects of that type have no such member.
    fn member_node(&mut self, object: ObjectId, member: Member) -> Option<NodeId> {
        if let Some(&node) = self.members.get(&(object, member)) {
            return Some(node);
        }
        if !self.semantics.heap.has_member(object, member) {
            return None;
        }
        let node = self.classes.add(1);
        self.members.insert((object, member), node);
        Some(node)
    }

    fn static_node(&mut self, field: FieldId) -> NodeId {
        let classes = &mut self.classes;
        *self.statics.entry(field).or_insert_with(|| classes.add(1))
    }

    fn base(&self, instance: InstanceId) -> NodeId {
        self.bases[instance].expect("the instance is built")
    }

    /// Makes a procedure reachable without a caller: the VM calls it.
    fn reach(&mut self, procedure: ProcedureId) {
        self.instance(procedure, Contexts::EMPTY);
    }

    fn initialize(&mut self, class: ClassId) {
        for initializer in self.semantics.initializers(class) {
            self.reach(initializer);
        }
    }

    fn build_reached(&mut self) {
        while !self.unbuilt.is_empty() {
            let batch = std::mem::take(&mut self.unbuilt);
            self.lower(&batch);
            batch.iter().for_each(|&instance| self.build(instance));
            for edge in std::mem::take(&mut self.unlinked) {
                match self.bases[edge.callee] {
                    Some(_) => self.link(edge),
                    None => self.unlinked.push(edge),
                }
            }
            for link in std::mem::take(&mut self.unlinked_by_rules) {
                self.link_by_rule(link);
            }
            for (callee, objects) in std::mem::take(&mut self.unplaced) {
                self.place_receivers(callee, &objects);
            }
        }
    }

    /// Lowers the bodies of methods that have no summary yet, in parallel; the program keeps them.
    fn lower(&self, batch: &[InstanceId]) {
        let procedures = &self.semantics.procedures;
        let methods: Vec<MethodId> = batch
            .iter()
            .map(|&instance| self.semantics.instances[instance].procedure)
            .filter(|&procedure| procedures.summary(procedure).is_none())
            .filter_map(|procedure| procedures.method(procedure))
            .collect();
        let program = self.semantics.program;
        methods.par_iter().for_each(|&method| {
            program.body(method);
        });
    }

    fn build(&mut self, id: InstanceId) {
        let procedure = self.semantics.instances[id].procedure;
        if self.semantics.summarize(procedure) {
            self.build_procedure(procedure);
        }
        let base = self.classes.add(self.semantics.summary(procedure).slots);
        self.bases[id] = Some(base);
        for position in 0..self.semantics.summary(procedure).statements.len() {
            let statement = self.semantics.summary(procedure).statements[position];
            self.instantiate(id, base, statement);
        }
    }

    /// What is done once per procedure: the types of its slots, its scopes, and the classes that it initialises.
    fn build_procedure(&mut self, procedure: ProcedureId) {
        let summary = self.semantics.summary(procedure);
        let (left, classes) = (summary.scopes.clone(), summary.initializes.clone());
        let mut filters = vec![Types::ANY; summary.slots as usize];
        let slots = summary.slot_of_value.clone();
        let method = self.semantics.procedures.method(procedure);
        if let Some(body) = method.and_then(|method| self.semantics.program.body(method)) {
            for (value, data) in body.values.iter_ids() {
                if let (Type::Ref(class), Some(Some(slot))) = (data.ty, slots.get(value.index())) {
                    filters[slot.index()] = self.semantics.heap.types.filter_to(class);
                }
            }
        }
        self.slot_filters.insert(procedure, filters);
        let scopes = self.classes.add(left.len().max(1) as u32);
        for (scope, left) in left.iter().enumerate().skip(1) {
            if let Some(filter) = left {
                self.copy(NodeId::new(scopes.number() + scope as u32), scopes, *filter);
            }
        }
        self.scopes.insert(procedure, scopes);
        classes.into_iter().for_each(|class| self.initialize(class));
    }

    /// What a statement does when its instance is built.
    fn instantiate(&mut self, id: InstanceId, base: NodeId, statement: Statement) {
        let procedure = self.semantics.instances[id].procedure;
        match statement {
            Statement::Allocate { into, site } => {
                let object = self.semantics.allocate(id, site);
                self.make(at(base, into), object);
                if self.semantics.is_finalizable(object)
                    && let Some(cell) = self.semantics.vm_cell("finalizable")
                    && let Some(node) = self.member_node(cell, Member::Captured(0))
                {
                    self.send(node, &[object]);
                }
            }
            Statement::Copy { into, from, filter } => self.copy(at(base, from), at(base, into), filter),
            Statement::Load { into, base: from, member } => {
                self.tasks.push(Task::Content(at(base, from), member, at(base, into)));
            }
            Statement::Store { base: into, member, from } => {
                self.tasks.push(Task::Content(at(base, into), member, at(base, from)));
            }
            Statement::LoadStatic { into, field } => {
                let from = self.static_node(field);
                self.tasks.push(Task::Unite(from, at(base, into)));
            }
            Statement::StoreStatic { field, from } => {
                let into = self.static_node(field);
                self.tasks.push(Task::Unite(into, at(base, from)));
            }
            Statement::Throw { from, scope } => {
                let into = self.scope_node(procedure, scope);
                self.tasks.push(Task::Cast(at(base, from), Types::ANY, into));
            }
            Statement::Catch { into, scope, filter } => {
                let from = self.scope_node(procedure, scope);
                self.tasks.push(Task::Cast(from, filter, at(base, into)));
                self.tasks.push(Task::Cast(self.vm_exceptions, filter, at(base, into)));
            }
            Statement::Call(number) => self.add_call(id, base, number),
            Statement::LoadAll { .. }
            | Statement::StoreAll { .. }
            | Statement::Special { .. }
            | Statement::RuleCall { .. } => {
                if let Some(slot) = statement.watches(&[]) {
                    self.tasks.push(Task::Watch(at(base, slot), id, statement));
                }
            }
        }
    }

    fn scope_node(&self, procedure: ProcedureId, scope: u32) -> NodeId {
        let first = self.scopes.get(&procedure).expect("the scopes of a built procedure exist");
        NodeId::new(first.number() + scope)
    }
}
