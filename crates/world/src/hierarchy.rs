//! Who is a subtype of whom, for classes and interfaces.
//!
//! Superclasses form a tree with `java/lang/Object` as its root (interfaces hang directly below it). Numbering the tree in
//! preorder makes the subclasses of a class one interval, so that a test takes two comparisons and the list of
//! subclasses is a slice. Interfaces add to this a sorted set per class of all its superinterfaces; equal sets, which a
//! class mostly has in common with its superclass, are stored once.

use std::collections::HashMap;

use selvedge_base::{Id, IdVec};

use crate::names::java_name;
use crate::problem::{Problem, ProblemKind};
use crate::program::{Class, ClassId};

/// All superinterface sets together may have this many members; only a made-up hierarchy comes near.
const MAX_SET_MEMBERS: usize = 1 << 24;

/// The frozen hierarchy.
#[derive(Debug, Default)]
pub(crate) struct Hierarchy {
    /// Place of each class in `preorder`, and the end of its subclasses there.
    interval: IdVec<ClassId, (u32, u32)>,
    /// Classes by the tree of superclasses, each before its subclasses.
    preorder: Vec<ClassId>,
    is_interface: IdVec<ClassId, bool>,
    /// Start and length in `interface_sets` of each class's superinterfaces.
    set: IdVec<ClassId, (u32, u32)>,
    interface_sets: Vec<ClassId>,
    /// Start and end in `implementers` of each interface's subtypes.
    implemented: IdVec<ClassId, (u32, u32)>,
    implementers: Vec<ClassId>,
}

impl Hierarchy {
    /// Computes the hierarchy, after cutting what would not be one: cycles, and edges to the wrong kind of class.
    pub(crate) fn compute(
        classes: &mut IdVec<ClassId, Class>,
        object: ClassId,
        problems: &mut Vec<Problem>,
    ) -> Self {
        mend_kinds(classes, object, problems);
        let order = cut_cycles(classes, object, problems);
        let mut hierarchy = Hierarchy::default();
        hierarchy.number_tree(classes, object);
        hierarchy.collect_interfaces(classes, &order, problems);
        hierarchy.collect_implementers(classes);
        hierarchy
    }

    pub(crate) fn is_subclass(&self, class: ClassId, ancestor: ClassId) -> bool {
        let (start, end) = self.interval[ancestor];
        let place = self.interval[class].0;
        if (start..end).contains(&place) {
            return true;
        }
        self.is_interface[ancestor] && {
            let set = self.interfaces(class);
            if set.len() <= 16 { set.contains(&ancestor) } else { set.binary_search(&ancestor).is_ok() }
        }
    }

    pub(crate) fn subtypes(&self, class: ClassId) -> &[ClassId] {
        let (list, (start, end)) = if self.is_interface[class] {
            (&self.implementers, self.implemented[class])
        } else {
            (&self.preorder, self.interval[class])
        };
        &list[start as usize..end as usize]
    }

    pub(crate) fn interfaces(&self, class: ClassId) -> &[ClassId] {
        let (start, length) = self.set[class];
        &self.interface_sets[start as usize..(start + length) as usize]
    }

    fn number_tree(&mut self, classes: &IdVec<ClassId, Class>, object: ClassId) {
        // Children by counting: `first[c]..first[c + 1]` are those of class c, by ascending id.
        let mut first = vec![0u32; classes.len() + 1];
        for class in classes.iter() {
            if let Some(superclass) = class.superclass {
                first[superclass.index() + 1] += 1;
            }
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut children = vec![object; first[classes.len()] as usize];
        for (id, class) in classes.iter_ids() {
            if let Some(superclass) = class.superclass {
                children[next[superclass.index()] as usize] = id;
                next[superclass.index()] += 1;
            }
        }
        self.interval = IdVec::filled((0, 0), classes.len());
        self.preorder = Vec::with_capacity(classes.len());
        // A class is entered when it comes up first and left when it comes up again.
        let mut stack = vec![(object, false)];
        while let Some((class, leaving)) = stack.pop() {
            if leaving {
                self.interval[class].1 = self.preorder.len() as u32;
                continue;
            }
            self.interval[class].0 = self.preorder.len() as u32;
            self.preorder.push(class);
            stack.push((class, true));
            let range = first[class.index()] as usize..first[class.index() + 1] as usize;
            stack.extend(children[range].iter().rev().map(|&child| (child, false)));
        }
    }

    fn collect_interfaces(
        &mut self,
        classes: &IdVec<ClassId, Class>,
        order: &[ClassId],
        problems: &mut Vec<Problem>,
    ) {
        self.is_interface = classes.iter().map(Class::is_interface).collect();
        self.set = IdVec::filled((0, 0), classes.len());
        let mut known: HashMap<Vec<ClassId>, (u32, u32)> = HashMap::new();
        let mut members = Vec::new();
        for &id in order {
            let class = &classes[id];
            if class.interfaces.is_empty() {
                // An interface inherits nothing from java/lang/Object, which implements nothing.
                self.set[id] = class.superclass.map_or((0, 0), |superclass| self.set[superclass]);
                continue;
            }
            members.clear();
            for &ancestor in class.superclass.iter().chain(&class.interfaces) {
                members.extend_from_slice(self.interfaces(ancestor));
            }
            members.extend_from_slice(&class.interfaces);
            members.sort_unstable();
            members.dedup();
            if let Some(&set) = known.get(&members) {
                self.set[id] = set;
            } else if self.interface_sets.len() + members.len() > MAX_SET_MEMBERS {
                let message = "has too many superinterfaces, as have others; they are left out";
                problems.push(Problem::new(ProblemKind::BrokenHierarchy, java_name(class.name), message));
            } else {
                let set = (self.interface_sets.len() as u32, members.len() as u32);
                self.interface_sets.extend_from_slice(&members);
                self.set[id] = set;
                known.insert(members.clone(), set);
            }
        }
    }

    fn collect_implementers(&mut self, classes: &IdVec<ClassId, Class>) {
        let mut count = vec![0u32; classes.len()];
        for &class in &self.preorder {
            for interface in self.interfaces(class) {
                count[interface.index()] += 1;
            }
        }
        self.implemented = IdVec::filled((0, 0), classes.len());
        let mut start = 0;
        for id in classes.ids().filter(|&id| self.is_interface[id]) {
            // An interface comes first among its own subtypes.
            let length = count[id.index()] + 1;
            self.implemented[id] = (start, start + 1);
            start += length;
        }
        let mut implementers = vec![ClassId::new(0); start as usize];
        for id in classes.ids().filter(|&id| self.is_interface[id]) {
            implementers[self.implemented[id].0 as usize] = id;
        }
        for index in 0..self.preorder.len() {
            let class = self.preorder[index];
            let (start, length) = self.set[class];
            for member in start..start + length {
                let interface = self.interface_sets[member as usize];
                let end = &mut self.implemented[interface].1;
                implementers[*end as usize] = class;
                *end += 1;
            }
        }
        self.implementers = implementers;
    }
}

/// Superclasses are classes, superinterfaces are interfaces; what is not is cut.
fn mend_kinds(classes: &mut IdVec<ClassId, Class>, object: ClassId, problems: &mut Vec<Problem>) {
    let kinds: IdVec<ClassId, (bool, bool)> =
        classes.iter().map(|class| (class.is_interface(), class.is_phantom())).collect();
    for id in classes.ids() {
        let class = &mut classes[id];
        let mut broken = |what: String| {
            problems.push(Problem::new(ProblemKind::BrokenHierarchy, java_name(class.name), what))
        };
        let superclass = match class.superclass {
            _ if id == object => {
                class.interfaces = Box::default();
                None
            }
            Some(superclass) if kinds[superclass].0 => {
                broken("extends an interface; java.lang.Object is used as its superclass".to_owned());
                Some(object)
            }
            Some(superclass) if class.is_interface() && superclass != object => {
                broken(
                    "is an interface that extends a class; java.lang.Object is used as its superclass"
                        .to_owned(),
                );
                Some(object)
            }
            Some(superclass) => Some(superclass),
            None => {
                broken("has no superclass; java.lang.Object is used as its superclass".to_owned());
                Some(object)
            }
        };
        class.superclass = superclass;
        if class.interfaces.iter().any(|&interface| !kinds[interface].0) {
            broken("implements a class that is not an interface, which is ignored".to_owned());
            let interfaces = class.interfaces.iter().copied();
            class.interfaces = interfaces.filter(|&interface| kinds[interface].0).collect();
        }
    }
}

/// Cuts every edge that closes a cycle. Returns the classes with each after all its ancestors.
fn cut_cycles(
    classes: &mut IdVec<ClassId, Class>,
    object: ClassId,
    problems: &mut Vec<Problem>,
) -> Vec<ClassId> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state: IdVec<ClassId, State> = IdVec::filled(State::New, classes.len());
    let mut order = Vec::with_capacity(classes.len());
    // Class, and which of its edges comes next: 0 the superclass, then the interfaces.
    let mut stack: Vec<(ClassId, usize)> = Vec::new();
    for root in classes.ids() {
        if state[root] == State::New {
            state[root] = State::Open;
            stack.push((root, 0));
        }
        while let Some((id, edge)) = stack.last_mut() {
            let (id, current) = (*id, *edge);
            *edge += 1;
            let class = &mut classes[id];
            let ancestor = match current {
                0 => class.superclass,
                _ if current <= class.interfaces.len() => Some(class.interfaces[current - 1]),
                _ => {
                    state[id] = State::Done;
                    order.push(id);
                    stack.pop();
                    continue;
                }
            };
            let Some(ancestor) = ancestor else { continue };
            match state[ancestor] {
                State::Done => {}
                State::New => {
                    state[ancestor] = State::Open;
                    stack.push((ancestor, 0));
                }
                State::Open => {
                    let message = "is its own ancestor; the cycle is cut here";
                    problems.push(Problem::new(ProblemKind::BrokenHierarchy, java_name(class.name), message));
                    if current == 0 {
                        class.superclass = Some(object);
                        // Look at the new superclass before going on.
                        if let Some((_, edge)) = stack.last_mut() {
                            *edge = 0;
                        }
                    } else {
                        let rest =
                            class.interfaces.iter().copied().filter(|&interface| interface != ancestor);
                        class.interfaces = rest.collect();
                        if let Some((_, edge)) = stack.last_mut() {
                            *edge = current;
                        }
                    }
                }
            }
        }
    }
    order
}
