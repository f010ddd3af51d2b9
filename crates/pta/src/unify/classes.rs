//! Classes of places that hold the same objects, and what is known of each class.
//!
//! A *place* is a node: a slot of an instance, a member of an object, a static field, a scope of exceptions. Places that a reference is
//! copied between are one class, whatever the direction. Everything that reads, writes or calls through a class is kept once per
//! member, cast or method, however many instructions do it: that is what makes unification nearly linear.

use selvedge_base::{FastMap, FastSet, HybridSet, Id, IdVec, UnionFind};
use selvedge_models::Special;

use crate::heap::{FilterId, ObjectId, TypeId};
use crate::procedure::ProcedureId;
use crate::semantics::InstanceId;
use crate::solver::NodeId;
use crate::summary::{Member, Statement, Target};

/// What is called on the objects of a class: a method, on those that pass a filter.
pub type Called = (Target, FilterId);

/// The objects of a class, and what is done with them.
#[derive(Default)]
pub struct Class {
    /// The objects.
    pub set: HybridSet<ObjectId>,
    /// The same by type, with what is done with objects of each type.
    pub types: Ordered<TypeId, Selected>,
    /// Objects that are made in places of this class, where types stand for objects.
    pub made: Vec<ObjectId>,
    /// The types that came from other classes: for all objects of their type.
    pub whole: HybridSet<ObjectId>,
    /// For each member that is read or written, a place of what it holds.
    pub contents: Ordered<Member, NodeId>,
    /// For each cast, a place of what passes it.
    pub casts: Ordered<FilterId, NodeId>,
    /// The calls, by what they call.
    pub calls: Ordered<Called, Calls>,
    /// Statements that must see each object, by their instances.
    pub others: Ordered<(InstanceId, Statement), ()>,
    /// Such statements that do the same in all copies of a procedure, by one of these.
    pub uniform: Ordered<(ProcedureId, Statement), InstanceId>,
}

impl Class {
    /// How much work it is to hand everything over to another class.
    fn weight(&self) -> usize {
        let tables =
            [self.contents.all.len(), self.casts.all.len(), self.calls.all.len(), self.others.all.len()];
        self.set.len() + tables.iter().sum::<usize>()
    }
}

/// The objects of one type in a class. What calls and casts make of them is worked out once.
#[derive(Default)]
pub struct Selected {
    /// The objects.
    pub objects: Vec<ObjectId>,
    /// The calls that run something on them, by position, and what they run.
    pub calls: Vec<(u32, ProcedureId)>,
    /// The casts that they pass, by position.
    pub casts: Vec<u32>,
}

/// Calls of one method on the objects of one class.
#[derive(Default)]
pub struct Calls {
    /// The calls, by instance and number.
    pub sites: Vec<(InstanceId, u32)>,
    /// What they run, on which objects.
    pub callees: Ordered<ProcedureId, Vec<ObjectId>>,
    /// The instances that have got all these objects as receivers.
    pub reached: FastSet<InstanceId>,
}

/// A map that remembers in which order its keys came: numbers that are given along the way must not depend on hashes.
pub struct Ordered<K, V> {
    positions: FastMap<K, u32>,
    /// The entries in their order.
    pub all: Vec<(K, V)>,
}

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self { positions: FastMap::default(), all: Vec::new() }
    }
}

impl<K: Copy + Eq + std::hash::Hash, V> Ordered<K, V> {
    pub fn get(&self, key: K) -> Option<&V> {
        self.positions.get(&key).map(|&position| &self.all[position as usize].1)
    }

    pub fn position(&self, key: K) -> Option<u32> {
        self.positions.get(&key).copied()
    }

    /// Adds a key that is not there, and returns its position.
    pub fn insert(&mut self, key: K, value: V) -> u32 {
        let position = self.all.len() as u32;
        self.positions.insert(key, position);
        self.all.push((key, value));
        position
    }

    /// The value of a key, a new one if it is not there.
    pub fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        if !self.positions.contains_key(&key) {
            self.insert(key, V::default());
        }
        &mut self.all[self.positions[&key] as usize].1
    }
}

/// All places, in classes.
pub struct Classes {
    sets: UnionFind<NodeId>,
    data: IdVec<NodeId, Option<Box<Class>>>,
}

impl Classes {
    pub fn new() -> Self {
        Self { sets: UnionFind::new(0), data: IdVec::new() }
    }

    /// `count` new places, each in a class of its own; the first is returned, the others follow it.
    pub fn add(&mut self, count: u32) -> NodeId {
        let first = NodeId::from_index(self.sets.len());
        for _ in 0..count {
            self.sets.push();
            self.data.push(None);
        }
        first
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// The place that stands for the class of a place.
    pub fn find(&mut self, place: NodeId) -> NodeId {
        self.sets.find(place)
    }

    /// The class of a place that stands for it, to be worked on and put back.
    pub fn take(&mut self, representative: NodeId) -> Box<Class> {
        self.data[representative].take().unwrap_or_default()
    }

    pub fn put(&mut self, representative: NodeId, class: Box<Class>) {
        self.data[representative] = Some(class);
    }

    /// The class of a place that stands for it.
    pub fn class(&mut self, representative: NodeId) -> &Class {
        self.data[representative].get_or_insert_default()
    }

    /// Makes two classes one. Returns who stands for it, and the two as they were, the heavier first; `None` if they were one.
    pub fn unite(&mut self, a: NodeId, b: NodeId) -> Option<(NodeId, Box<Class>, Box<Class>)> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return None;
        }
        let (first, second) = (self.take(a), self.take(b));
        let (heavy, light) =
            if first.weight() >= second.weight() { (first, second) } else { (second, first) };
        self.sets.union(a, b);
        Some((self.find(a), heavy, light))
    }
}

/// Whether a statement does the same in all copies of its procedure, so that what it gives to one it may give to all.
pub fn is_uniform(statement: Statement) -> bool {
    let Statement::Special { rule, .. } = statement else { return false };
    matches!(rule, Special::Clone | Special::GetClass | Special::ArrayCopy | Special::ArrayCopyOf)
}
