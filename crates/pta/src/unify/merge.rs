//! Classes become one, and objects come into classes: each gets what the other has and does.
//!
//! While a class is worked on it is out of its table, so nothing else may be done to classes then: what follows is noted as a
//! [task](super::Task), or waits for its [turn](super::Arrivals).

use selvedge_base::FastSet;

use super::classes::{Class, Selected};
use super::{Task, Unifier};
use crate::assembly::Assembler;
use crate::heap::{FilterId, ObjectId, TypeId, Types};
use crate::solver::NodeId;
use crate::summary::Member;

impl Unifier<'_> {
    /// Makes two classes one: each gets what the other has and does.
    pub(super) fn unite(&mut self, a: NodeId, b: NodeId) {
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

    pub(super) fn add_content(&mut self, base: NodeId, member: Member, place: NodeId) {
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

    pub(super) fn add_cast(&mut self, from: NodeId, filter: FilterId, into: NodeId) {
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
        self.put(into, &passing);
    }

    /// Objects come to a place.
    pub(super) fn arrive(&mut self, place: NodeId, objects: Vec<ObjectId>) {
        let representative = self.classes.find(place);
        let mut class = self.classes.take(representative);
        for &object in objects.iter().filter(|object| self.types.made.contains_key(object)) {
            class.whole.insert(object);
        }
        self.put_into(&mut class, objects);
        self.classes.put(representative, class);
    }

    /// Objects come into a class.
    pub(super) fn put_into(&mut self, class: &mut Class, mut objects: Vec<ObjectId>) {
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
            self.put(class.casts.all[*position as usize].1, new);
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
}
