//! Which threads and futures library code may pass to code of the application.
//!
//! A set drops an element that equals another one, and a sorted set one that does not differ: where `equals`, `compareTo`, a comparator or a key
//! extractor is code of the application, what `add` keeps is up to it. The relation, for an instance of library code and
//! an object that stands for the end of a thread: the instance may call, through any number of library calls in its own thread,
//! code of the application that is passed the object. It is found once, over the components of the library's calls.

use selvedge_base::{BitSet, Component, Components, Csr, FastMap, IdVec, entity};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::spawns::Spawns;
use crate::view::View;

entity! {
    /// A thread, a future or an executor.
    Told "t";
}

/// The relation.
pub(crate) struct Asked {
    numbers: FastMap<ObjectId, Told>,
    components: Components<InstanceId>,
    /// What the instances of each component ask about, themselves or through calls.
    about: IdVec<Component, BitSet<Told>>,
}

impl Asked {
    pub(crate) fn new(view: &View<'_>, spawns: &Spawns) -> Self {
        let mut numbers: FastMap<ObjectId, Told> = FastMap::default();
        for channel in spawns.ends.iter().chain(spawns.may_end.iter()).flatten() {
            for &object in &channel.objects {
                let next = Told::new(numbers.len() as u32);
                numbers.entry(object).or_insert(next);
            }
        }
        let mut edges = Vec::new();
        let mut direct: IdVec<InstanceId, BitSet<Told>> =
            view.analysis.instances.ids().map(|_| BitSet::new()).collect();
        for instance in view.analysis.instances.ids() {
            if view.is_application_instance(instance) || view.is_spawning(instance) {
                continue;
            }
            for &callee in view.calls(instance).flat_map(|call| call.callees) {
                if view.is_application_instance(callee) {
                    passed_to(view, callee, &numbers, &mut direct[instance]);
                } else {
                    edges.push((instance, callee));
                }
            }
        }
        let graph = Csr::from_edges(direct.len(), &edges);
        let components = Components::compute(&graph);
        let calls = components.condensation(&graph);
        let mut about: IdVec<Component, BitSet<Told>> = IdVec::with_capacity(components.len());
        // An edge leads to a component that was found before.
        for component in components.ids() {
            let mut found = BitSet::new();
            for &member in components.members(component) {
                found.union_with(&direct[member]);
            }
            for &callee in selvedge_base::Graph::successors(&calls, component) {
                if callee != component {
                    found.union_with(&about[callee]);
                }
            }
            about.push(found);
        }
        Self { numbers, components, about }
    }

    /// Whether one of some instances of library code may ask about one of some objects. About others than threads and what stands for
    /// their end nothing is known.
    pub(crate) fn may_ask(
        &self,
        callees: &[InstanceId],
        objects: impl IntoIterator<Item = ObjectId>,
    ) -> bool {
        objects.into_iter().any(|object| {
            self.numbers.get(&object).is_none_or(|&number| {
                callees.iter().any(|&callee| self.about[self.components.of(callee)].contains(number))
            })
        })
    }
}

/// Adds what code of the application may be passed. A lambda expression's object passes all on to the code of the expression.
fn passed_to(
    view: &View<'_>,
    callee: InstanceId,
    numbers: &FastMap<ObjectId, Told>,
    found: &mut BitSet<Told>,
) {
    match view.body(callee) {
        Some(body) => {
            for &parameter in &body.parameters {
                let objects = view.analysis.points_to(callee, parameter).iter();
                found.extend(objects.filter_map(|object| numbers.get(&object).copied()));
            }
        }
        None if view.method_of(callee).is_none() => {
            for &next in view.calls(callee).flat_map(|call| call.callees) {
                if view.is_application_instance(next) && view.method_of(next).is_some() {
                    passed_to(view, next, numbers, found);
                } else {
                    found.extend(numbers.values().copied());
                }
            }
        }
        None => found.extend(numbers.values().copied()),
    }
}
