//! The heap around raced objects, for pictures: through which objects each may be reached, and what it may hold.
//!
//! Read off the points-to sets, and cut twice: references through which very many objects may be held say little and are left
//! out, and of the rest only the nearest few are kept. All raced objects are looked up together, one pass over the heap for each
//! step away from them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use selvedge_base::{FastMap, FastSet, HybridSet};
use selvedge_findings::{HeapEdge, HeapNode, NodeRole, ObjectInfo, Surroundings};
use selvedge_pta::heap::{ObjectId, RuntimeType};
use selvedge_pta::summary::Member;
use selvedge_world::{FieldId, Tier};

use crate::Facts;
use crate::names::Names;

/// A set of more objects than this tells nothing about one of them.
const LARGEST_SET: usize = 100;
/// How many holders of an object are followed, by the distance from the raced object.
const FOLLOWED: [usize; 5] = [3, 2, 1, 1, 1];
/// How many held objects are shown.
const HELD: usize = 5;

/// Who holds an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Holder {
    /// The class of a static field.
    Static(FieldId),
    /// Another object.
    Object(ObjectId),
}

/// What is known of the neighbours of objects.
pub struct Neighbours<'n, 'f, 'a> {
    facts: &'f Facts<'f, 'a>,
    names: &'n Names<'f, 'a>,
    /// The holders of an object that are followed, the most telling first, and how many there are in all.
    holders: FastMap<ObjectId, (Vec<(Holder, Member)>, usize)>,
    /// What an object may hold.
    held: FastMap<ObjectId, Vec<(Member, ObjectId)>>,
}

impl<'n, 'f, 'a> Neighbours<'n, 'f, 'a> {
    /// Finds the neighbours of raced objects.
    pub fn new(facts: &'f Facts<'f, 'a>, names: &'n Names<'f, 'a>, raced: &FastSet<ObjectId>) -> Self {
        let mut neighbours = Self { facts, names, holders: FastMap::default(), held: FastMap::default() };
        let mut frontier: FastSet<ObjectId> = raced.clone();
        for (distance, &followed) in FOLLOWED.iter().enumerate() {
            frontier.retain(|object| !neighbours.holders.contains_key(object));
            if frontier.is_empty() {
                break;
            }
            frontier = neighbours.step(&frontier, followed, distance == 0);
        }
        neighbours
    }

    /// Finds the holders of some objects, and returns those that are followed.
    fn step(&mut self, of: &FastSet<ObjectId>, followed: usize, with_held: bool) -> FastSet<ObjectId> {
        let analysis = self.facts.view.analysis;
        let mut found: BTreeMap<ObjectId, Vec<(Holder, Member)>> = BTreeMap::new();
        let mut add = |holder: Holder, member: Member, set: &HybridSet<ObjectId>| {
            if set.len() <= LARGEST_SET {
                for object in set.iter().filter(|object| of.contains(object)) {
                    found.entry(object).or_default().push((holder, member));
                }
            }
        };
        for (object, member, set) in analysis.members() {
            add(Holder::Object(object), member, set);
            if with_held && of.contains(&object) && set.len() <= LARGEST_SET {
                let held = self.held.entry(object).or_default();
                held.extend(set.iter().map(|held| (member, held)));
            }
        }
        for (field, set) in analysis.static_fields() {
            add(Holder::Static(field), Member::Field(field), set);
        }
        self.held
            .values_mut()
            .for_each(|held| held.sort_unstable_by_key(|&(member, object)| (order(member), object)));
        let mut next = FastSet::default();
        for &object in of {
            let mut holders = found.remove(&object).unwrap_or_default();
            holders.sort_unstable_by_key(|&(holder, member)| {
                (Reverse(self.tells(holder)), holder, order(member))
            });
            let all = holders.len();
            holders.truncate(followed);
            next.extend(holders.iter().filter_map(|(holder, _)| match holder {
                Holder::Object(holder) => Some(*holder),
                Holder::Static(_) => None,
            }));
            self.holders.insert(object, (holders, all));
        }
        next
    }

    /// How much a holder tells: the program's own classes most, threads and lambdas next, library code least.
    fn tells(&self, holder: Holder) -> u8 {
        let (program, heap) = (self.facts.view.program, &self.facts.view.analysis.heap);
        let of_application = |class| program.classes[class].tier == Tier::Application;
        match holder {
            Holder::Static(field) if of_application(program.fields[field].class) => 3,
            Holder::Static(_) => 0,
            Holder::Object(object) => match heap.types.get(heap.get(object).ty) {
                RuntimeType::Class(class) if of_application(*class) => 3,
                RuntimeType::Lambda { .. } => 2,
                _ => 1,
            },
        }
    }

    /// The heap around a raced object.
    pub fn around(&self, raced: ObjectId) -> Surroundings {
        let mut graph = Surroundings::default();
        let mut index: BTreeMap<Holder, u32> = BTreeMap::new();
        let start = Holder::Object(raced);
        self.node(&mut graph, &mut index, start, NodeRole::Raced);
        let mut pending = vec![raced];
        let mut position = 0;
        let mut left_out = 0;
        while let Some(&object) = pending.get(position) {
            position += 1;
            let Some((holders, all)) = self.holders.get(&object) else { continue };
            if object == raced {
                left_out += all - holders.len();
            }
            for &(holder, member) in holders {
                let known = index.contains_key(&holder);
                let role =
                    if matches!(holder, Holder::Static(_)) { NodeRole::Class } else { NodeRole::Holder };
                let from = self.node(&mut graph, &mut index, holder, role);
                let to = index[&Holder::Object(object)];
                graph.edges.push(HeapEdge { from, to, by: self.member(member) });
                if let (false, Holder::Object(holder)) = (known, holder) {
                    pending.push(holder);
                }
            }
        }
        let held = self.held.get(&raced).map_or(&[][..], Vec::as_slice);
        for &(member, object) in held.iter().take(HELD) {
            let to = self.node(&mut graph, &mut index, Holder::Object(object), NodeRole::Held);
            graph.edges.push(HeapEdge { from: 0, to, by: self.member(member) });
        }
        left_out += held.len().saturating_sub(HELD);
        graph.left_out = u32::try_from(left_out).unwrap_or(u32::MAX);
        graph
    }

    /// The heap around a raced static field: its class, and what the field may hold.
    pub fn around_static(&self, field: FieldId) -> Surroundings {
        let mut graph = Surroundings::default();
        let mut index = BTreeMap::new();
        self.node(&mut graph, &mut index, Holder::Static(field), NodeRole::Class);
        let sets = self.facts.view.analysis.static_fields();
        let held = sets.filter(|(own, _)| *own == field).map(|(_, set)| set).next();
        let mut held: Vec<ObjectId> = held.into_iter().flat_map(HybridSet::iter).take(LARGEST_SET).collect();
        held.sort_unstable();
        graph.left_out = u32::try_from(held.len().saturating_sub(HELD)).unwrap_or(u32::MAX);
        for object in held.into_iter().take(HELD) {
            let to = self.node(&mut graph, &mut index, Holder::Object(object), NodeRole::Held);
            graph.edges.push(HeapEdge { from: 0, to, by: self.member(Member::Field(field)) });
        }
        graph
    }

    fn node(
        &self,
        graph: &mut Surroundings,
        index: &mut BTreeMap<Holder, u32>,
        holder: Holder,
        role: NodeRole,
    ) -> u32 {
        *index.entry(holder).or_insert_with(|| {
            let ObjectInfo { class, allocated_at } = match holder {
                Holder::Static(field) => ObjectInfo::new(self.names.field(field).class, None),
                Holder::Object(object) => self.names.object(object),
            };
            graph.nodes.push(HeapNode { role, class, allocated_at });
            u32::try_from(graph.nodes.len() - 1).unwrap_or(u32::MAX)
        })
    }

    fn member(&self, member: Member) -> String {
        match member {
            Member::Field(field) => self.names.field(field).field,
            Member::Element => "[]".to_owned(),
            Member::Captured(_) => "captured".to_owned(),
        }
    }
}

/// Members in an order that does not depend on the run.
fn order(member: Member) -> (u8, u32) {
    match member {
        Member::Field(field) => (0, selvedge_base::Id::index(field) as u32),
        Member::Element => (1, 0),
        Member::Captured(number) => (2, number),
    }
}
