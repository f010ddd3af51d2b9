//! Why a place may hold an object: the way on which the object gets there from where it is allocated.
//!
//! The constraint graph is searched forward from the places where the object is allocated, through places that hold it. The
//! edges are those along which the solver propagated, and one from each receiver to the `this` of the methods that are
//! called on it, which the solver passes object by object. Where a rule of a library model put the object somewhere,
//! the way starts there.
//!
//! Places on a cycle were collapsed by the solver and hold the same objects; a way names one of them.

use std::collections::VecDeque;

use selvedge_base::{FastMap, FastSet, HybridSet, Id};
use selvedge_ir::Value;
use selvedge_world::FieldId;

use crate::heap::{ObjectId, Types};
use crate::procedure::ProcedureId;
use crate::result::Analysis;
use crate::semantics::InstanceId;
use crate::solver::{NodeId, at};
use crate::summary::{Member, Slot, Statement, Target};

/// A place that may hold references.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A slot of a procedure in a context.
    Slot(InstanceId, Slot),
    /// A member of an object.
    Member(ObjectId, Member),
    /// A static field.
    Static(FieldId),
    /// The exceptions that are thrown in a procedure, inside the handlers of a scope; scope 0 is outside of all.
    Exceptions(ProcedureId, u32),
    /// The exceptions that the JVM throws.
    VmExceptions,
}

/// One step of a way: where the object is then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The place.
    pub place: Place,
    /// How many other places were found to hold always the same as this one, because references go around among them.
    pub same: usize,
}

/// How one object gets to wherever it gets.
pub struct Origins<'a, 'p> {
    analysis: &'a Analysis<'p>,
    /// Of each representative that holds the object, from which one it came; itself where it is allocated.
    came_from: FastMap<NodeId, NodeId>,
    /// The places that nodes other than slots stand for.
    places: FastMap<NodeId, Place>,
}

impl<'p> Analysis<'p> {
    /// Finds out how an object gets to the places that hold it.
    pub fn origins(&self, object: ObjectId) -> Origins<'_, 'p> {
        let mut search = Search { analysis: self, object, receivers: FastMap::default() };
        search.find_receivers();
        Origins { analysis: self, came_from: search.run(), places: self.places_of_nodes() }
    }

    /// The place of a value of a method's body in an instance of the method; `None` for values that hold no references.
    pub fn place_of(&self, instance: InstanceId, value: Value) -> Option<Place> {
        let summary = self.summary(self.instances[instance].procedure)?;
        summary.slot_of_value.get(value.index()).copied()?.map(|slot| Place::Slot(instance, slot))
    }

    /// What a place may hold.
    pub fn held(&self, place: Place) -> impl Iterator<Item = ObjectId> {
        self.node_of(place).map(|node| self.graph.set(node)).into_iter().flat_map(HybridSet::iter)
    }

    fn node_of(&self, place: Place) -> Option<NodeId> {
        match place {
            Place::Slot(instance, slot) => self.bases[instance].map(|base| at(base, slot)),
            Place::Member(object, member) => self.members.get(&(object, member)).copied(),
            Place::Static(field) => self.statics.get(&field).copied(),
            Place::Exceptions(procedure, scope) => {
                self.scopes.get(&procedure).map(|first| NodeId::new(first.number() + scope))
            }
            Place::VmExceptions => Some(self.vm_exceptions),
        }
    }

    /// The places of all nodes that are no slots.
    fn places_of_nodes(&self) -> FastMap<NodeId, Place> {
        let mut places = FastMap::default();
        places.extend(
            self.members.iter().map(|(&(object, member), &node)| (node, Place::Member(object, member))),
        );
        places.extend(self.statics.iter().map(|(&field, &node)| (node, Place::Static(field))));
        for (&procedure, &first) in &self.scopes {
            let scopes = self.summary(procedure).map_or(1, |summary| summary.scopes.len().max(1)) as u32;
            for scope in 0..scopes {
                places.insert(NodeId::new(first.number() + scope), Place::Exceptions(procedure, scope));
            }
        }
        places.insert(self.vm_exceptions, Place::VmExceptions);
        places
    }
}

impl Origins<'_, '_> {
    /// The way of the object to a place, from where it is allocated on; `None` if it does not get there.
    pub fn way_to(&self, place: Place) -> Option<Vec<Step>> {
        let graph = &self.analysis.graph;
        let mut node = graph.representative(self.analysis.node_of(place)?);
        let mut steps = vec![Step { place, same: graph.members(node).count() - 1 }];
        while let Some(&before) = self.came_from.get(&node).filter(|&&before| before != node) {
            node = before;
            steps.push(self.step(node)?);
        }
        steps.reverse();
        self.came_from.contains_key(&node).then_some(steps)
    }

    /// A place that a representative stands for: one of the application, if there is one.
    fn step(&self, representative: NodeId) -> Option<Step> {
        let (mut chosen, mut count) = (None, 0);
        for node in self.analysis.graph.members(representative) {
            let place = match self.analysis.owners[node] {
                Some(owner) => {
                    let base = self.analysis.bases[owner]?;
                    Place::Slot(owner, Slot::new(node.number() - base.number()))
                }
                None => *self.places.get(&node)?,
            };
            count += 1;
            if chosen.is_none()
                || (self.is_of_application(place) && !chosen.is_some_and(|p| self.is_of_application(p)))
            {
                chosen = Some(place);
            }
        }
        chosen.map(|place| Step { place, same: count - 1 })
    }

    fn is_of_application(&self, place: Place) -> bool {
        let Place::Slot(instance, _) = place else { return false };
        let analysis = self.analysis;
        let method = analysis.procedures.method(analysis.instances[instance].procedure);
        method.is_some_and(|method| {
            crate::context::is_application(analysis.program, analysis.program.methods[method].class)
        })
    }
}

/// A search for the ways of one object.
struct Search<'a, 'p> {
    analysis: &'a Analysis<'p>,
    object: ObjectId,
    /// From receivers to the `this` of what is called on them; both hold the object.
    receivers: FastMap<NodeId, Vec<NodeId>>,
}

impl Search<'_, '_> {
    fn holds(&self, node: NodeId) -> bool {
        self.analysis.graph.set(node).contains(self.object)
    }

    fn find_receivers(&mut self) {
        let analysis = self.analysis;
        for edge in &analysis.call_edges {
            let caller = analysis.summary(analysis.instances[edge.caller].procedure);
            let callee = analysis.summary(analysis.instances[edge.callee].procedure);
            let (Some(caller), Some(callee)) = (caller, callee) else { continue };
            let Some(call) = caller.calls.get(edge.call as usize) else { continue };
            if matches!(call.target, Target::Static(_) | Target::Unknown(_)) {
                continue;
            }
            let slots =
                (call.arguments.first().copied().flatten(), callee.parameters.first().copied().flatten());
            let bases = (analysis.bases[edge.caller], analysis.bases[edge.callee]);
            if let ((Some(receiver), Some(this)), (Some(caller), Some(callee))) = (slots, bases) {
                let (from, to) = (at(caller, receiver), at(callee, this));
                if self.holds(from) && self.holds(to) {
                    let representative = |node| analysis.graph.representative(node);
                    self.receivers.entry(representative(from)).or_default().push(representative(to));
                }
            }
        }
    }

    /// The representatives that hold the object and that it gets to from this one in one step.
    fn successors(&self, node: NodeId) -> Vec<NodeId> {
        let heap = &self.analysis.heap;
        let ty = heap.get(self.object).ty;
        let mut found: Vec<NodeId> = Vec::new();
        for edge in self.analysis.graph.edges(node) {
            let to = self.analysis.graph.representative(edge.to);
            if self.holds(to) && (edge.filter == Types::ANY || heap.types.lets_through(edge.filter, ty)) {
                found.push(to);
            }
        }
        found.extend(self.receivers.get(&node).into_iter().flatten());
        found
    }

    fn run(&self) -> FastMap<NodeId, NodeId> {
        let mut came_from = FastMap::default();
        self.spread(self.allocations(), &mut came_from);
        // What rules put somewhere: first where nothing else leads to, then whatever is left.
        let graph = &self.analysis.graph;
        let left = |came_from: &FastMap<NodeId, NodeId>| -> Vec<NodeId> {
            let holders = graph.representatives().filter(|&node| graph.set(node).contains(self.object));
            holders.filter(|node| !came_from.contains_key(node)).collect()
        };
        let unexplained = left(&came_from);
        let mut has_predecessor: FastSet<NodeId> = FastSet::default();
        for &node in &unexplained {
            has_predecessor.extend(self.successors(node));
        }
        let sources = unexplained.into_iter().filter(|node| !has_predecessor.contains(node)).collect();
        self.spread(sources, &mut came_from);
        for node in left(&came_from) {
            self.spread(vec![node], &mut came_from);
        }
        came_from
    }

    /// Breadth first, so that the ways are shortest.
    fn spread(&self, sources: Vec<NodeId>, came_from: &mut FastMap<NodeId, NodeId>) {
        let mut queue = VecDeque::new();
        for source in sources {
            came_from.entry(source).or_insert_with(|| {
                queue.push_back(source);
                source
            });
        }
        while let Some(node) = queue.pop_front() {
            for to in self.successors(node) {
                came_from.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    node
                });
            }
        }
    }

    /// Where code allocates at the object's site and holds the object.
    fn allocations(&self) -> Vec<NodeId> {
        let analysis = self.analysis;
        let wanted = analysis.heap.get(self.object).site;
        let mut found = Vec::new();
        for (id, instance) in analysis.instances.iter_ids() {
            let (Some(summary), Some(base)) = (analysis.summary(instance.procedure), analysis.bases[id])
            else {
                continue;
            };
            for statement in &summary.statements {
                match *statement {
                    Statement::Allocate { into, site } if site == wanted && self.holds(at(base, into)) => {
                        found.push(analysis.graph.representative(at(base, into)));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}
