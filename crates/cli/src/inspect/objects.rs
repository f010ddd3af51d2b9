//! Objects: who owns them, who refers to them, and which methods of theirs two threads may be in at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_detect::objects::{ObjectRaces, What};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::{NodeId, Place, View};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::ClassId;

use super::labels::Labels;
use super::picture::{Line, Node, Picture};

/// So many that know an object are named.
const MOST_KNOWING: usize = 20;

/// What is shown of a program's objects.
pub struct Objects<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    races: &'f ObjectRaces,
    labels: Labels<'a, 'a>,
    /// The objects that are shown in full.
    chosen: Vec<ObjectId>,
}

/// Computes the facts of an analysis, and shows them to `then`.
pub fn with_objects<R>(
    view: View<'_>,
    classes: &[ClassId],
    chooses: bool,
    then: impl FnOnce(&Objects<'_, '_, '_>) -> R,
) -> R {
    let ground = Ground::new(view);
    let facts = Facts::new(&ground);
    let races = facts.object_races();
    let heap = &facts.view.analysis.heap;
    let is_chosen = |object: &ObjectId| {
        let data = heap.get(*object);
        let class = heap.types.class(data.ty);
        match chooses {
            true => class.is_some_and(|class| classes.contains(&class)),
            // Who names no class wants to see what the application makes.
            false => matches!(heap.site_of(data.site),
                Site::Instruction { method, .. } if facts.view.is_application(method)),
        }
    };
    let chosen = heap.objects().map(|(object, _)| object).filter(is_chosen).collect();
    let labels = Labels::new(facts.view.analysis, false);
    then(&Objects { facts: &facts, races, labels, chosen })
}

impl Objects<'_, '_, '_> {
    fn name(&self, node: NodeId) -> String {
        node.object().map_or_else(|| "the root (static code)".to_owned(), |object| self.labels.object(object))
    }

    /// Writes each object with its owners, who refers to it, and its races; then how many there are of each kind.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let graph = &self.facts.ownership().graph;
        let mut referring: BTreeMap<ObjectId, Vec<NodeId>> = BTreeMap::new();
        for node in graph.nodes() {
            for object in self.chosen.iter().filter(|&&object| graph.successors(node).contains(object)) {
                referring.entry(*object).or_default().push(node);
            }
        }
        let mut counts: BTreeMap<(bool, bool), usize> = BTreeMap::new();
        for &object in &self.chosen {
            writeln!(out, "{}", self.labels.object(object))?;
            let owners: Vec<String> =
                self.facts.ownership().owners(object).map(|owner| self.labels.object(owner)).collect();
            match owners.is_empty() {
                true => writeln!(out, "  distributed")?,
                false => writeln!(out, "  owned by {}", owners.join(", owned by "))?,
            }
            let knowing = referring.get(&object).map_or(&[][..], Vec::as_slice);
            for &node in knowing.iter().take(MOST_KNOWING) {
                writeln!(out, "  known to {}{}", self.name(node), self.manner(node, object))?;
            }
            if knowing.len() > MOST_KNOWING {
                writeln!(out, "  known to {} others", knowing.len() - MOST_KNOWING)?;
            }
            let races = self.races_of(object);
            for race in &races {
                writeln!(out, "  race: {race}")?;
            }
            if self.facts.escape.may_be_shared(object) {
                *counts.entry((owners.is_empty(), races.is_empty())).or_default() += 1;
            }
        }
        let count = |key| counts.get(&key).copied().unwrap_or(0);
        writeln!(out, "shared objects: race-free, racy")?;
        writeln!(out, "  distributed {}, {}", count((true, true)), count((true, false)))?;
        writeln!(out, "  owned       {}, {}", count((false, true)), count((false, false)))
    }

    fn manner(&self, from: NodeId, to: ObjectId) -> &'static str {
        let graph = &self.facts.ownership().graph;
        match (graph.is_field(from, to), graph.is_flow(from, to)) {
            (true, true) => ", in a field, handed over",
            (true, false) => ", in a field",
            (false, true) => ", handed over",
            (false, false) => ", only the thread that made it",
        }
    }

    /// All races of an object, those of methods that only read included.
    fn races_of(&self, object: ObjectId) -> BTreeSet<String> {
        let on_object = self.races.on(self.facts, object);
        on_object
            .map(|(a, b)| {
                let mut words = [a, b].map(|deed| self.word(self.races.meetings.deeds[deed].what));
                words.sort();
                words.join(" and ")
            })
            .collect()
    }

    fn word(&self, what: What) -> String {
        let analysis = self.facts.view.analysis;
        match what {
            What::Method(tuple) => {
                let (_, instance) = self.races.calls.tuples[tuple];
                self.labels.procedure(analysis.instances[instance].procedure)
            }
            What::Use(access, _) => {
                let access = &self.facts.accesses.all[access];
                let line = self.labels.line(access.method, access.inst);
                let line = line.map_or_else(String::new, |line| format!(", line {line}"));
                let place = match access.place {
                    Place::Field(field) | Place::Static(field) => analysis.program.describe_field(field),
                    Place::Element => "element".to_owned(),
                    Place::Container => "call".to_owned(),
                };
                format!("{place} ({}{line})", analysis.program.describe_method(access.method))
            }
        }
    }

    /// The object graph around the chosen objects: they, their owners, and who knows them in the application.
    pub fn picture(&self) -> Picture {
        let (facts, heap) = (self.facts, &self.facts.view.analysis.heap);
        let (ownership, graph) = (facts.ownership(), &facts.ownership().graph);
        let chosen: BTreeSet<ObjectId> = self.chosen.iter().copied().collect();
        let is_own = |object: ObjectId| {
            matches!(heap.site_of(heap.get(object).site),
                Site::Instruction { method, .. } if facts.view.is_application(method))
        };
        let mut shown: BTreeSet<NodeId> = BTreeSet::from([NodeId::ROOT]);
        for &object in &chosen {
            shown.insert(NodeId::of(object));
            shown.extend(ownership.owners(object).map(NodeId::of));
            let known = graph.successors(NodeId::of(object)).iter();
            shown.extend(known.filter(|&object| is_own(object)).map(NodeId::of));
        }
        for node in graph.nodes() {
            if node.object().is_some_and(is_own)
                && chosen.iter().any(|&to| graph.successors(node).contains(to))
            {
                shown.insert(node);
            }
        }
        let numbers: BTreeMap<NodeId, usize> = shown.iter().copied().zip(0..).collect();
        let nodes = shown.iter().map(|&node| self.picture_node(node)).collect();
        let mut edges = Vec::new();
        for (&node, &from) in &numbers {
            for object in graph.successors(node).iter() {
                let Some(&to) = numbers.get(&NodeId::of(object)) else { continue };
                let is_about =
                    chosen.contains(&object) || node.object().is_some_and(|node| chosen.contains(&node));
                if is_about {
                    let line = match (graph.is_field(node, object), graph.is_flow(node, object)) {
                        (true, _) => Line::Solid,
                        (false, true) => Line::Dashed,
                        (false, false) => Line::Dotted,
                    };
                    edges.push((from, to, line));
                }
            }
            let owner =
                node.object().map(|object| ownership.owner(object)).filter(|&owner| owner != NodeId::ROOT);
            if let Some(&owner) = owner.and_then(|owner| numbers.get(&owner)) {
                edges.push((from, owner, Line::Owner));
            }
        }
        let title = "Who knows whom, and who owns whom".to_owned();
        Picture { title, nodes, edges, ..Picture::default() }
    }

    fn picture_node(&self, node: NodeId) -> Node {
        let Some(object) = node.object() else {
            return Node {
                lines: vec!["root".to_owned(), "static code".to_owned()],
                lane: 0,
                is_round: false,
                is_racy: false,
            };
        };
        let label = self.labels.object(object);
        let (class, place) = match label.split_once(" of ") {
            Some((class, place)) => (class.to_owned(), place.to_owned()),
            None => (label, String::new()),
        };
        let mut lines = vec![class];
        lines.extend((!place.is_empty()).then_some(place));
        let is_racy = !self.races_of(object).is_empty();
        Node { lines, lane: 0, is_round: !self.facts.ownership().is_distributed(object), is_racy }
    }
}

/// What the lines of a picture mean.
pub const LEGEND: [&str; 5] = [
    "A solid arrow is a field that may hold the object, a dashed one stands for a reference that was handed over, a dotted one for one that only \
     the thread that made the object uses.",
    "A blue dotted arrow leads from an object to its owner: all references to the object lead through the owner.",
    "Rounded objects are owned by others; the rest is distributed.",
    "Two threads may be in methods of a red object at the same time.",
    "The root stands for static code and static fields.",
];
