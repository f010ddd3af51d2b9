//! Objects: who owns them, who refers to them, and which methods of theirs two threads may be in at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_detect::objects::{ObjectRaces, What};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::{NodeId, Place, View};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::ClassId;

use super::hierarchy::escape;
use super::labels::Labels;

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
            for &node in referring.get(&object).into_iter().flatten() {
                writeln!(out, "  known to {}{}", self.name(node), self.manner(node, object))?;
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
        let on_object = self.races.races.iter().filter(|race| race.object == object);
        on_object
            .map(|race| {
                let mut words = race.events.map(|event| self.word(self.races.events[event].what));
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

    /// Writes the object graph around the chosen objects: solid edges are fields, dashed ones were handed over, dotted ones are used by the
    /// maker alone; owned objects are rounded and point to their owners, racy ones are red.
    pub fn dot(&self, out: &mut dyn Write) -> io::Result<()> {
        let graph = &self.facts.ownership().graph;
        let chosen: BTreeSet<ObjectId> = self.chosen.iter().copied().collect();
        let mut edges: BTreeSet<(NodeId, ObjectId)> = BTreeSet::new();
        for node in graph.nodes() {
            let is_chosen =
                node == NodeId::ROOT || node.object().is_some_and(|object| chosen.contains(&object));
            if is_chosen {
                let targets = graph.successors(node).iter().filter(|object| chosen.contains(object));
                edges.extend(targets.map(|object| (node, object)));
            }
        }
        writeln!(
            out,
            "digraph objects {{\n  node [shape=box, fontname=\"sans-serif\"];\n  {} [label=\"root\"];",
            NodeId::ROOT
        )?;
        for &object in &chosen {
            let owned = if self.facts.ownership().is_distributed(object) { "" } else { ", style=rounded" };
            let racy = if self.races_of(object).is_empty() { "" } else { ", color=red" };
            let label = escape(&self.labels.object(object));
            writeln!(out, "  {} [label=\"{label}\"{owned}{racy}];", NodeId::of(object))?;
        }
        for (from, to) in edges {
            let style = match (graph.is_field(from, to), graph.is_flow(from, to)) {
                (true, _) => "solid",
                (false, true) => "dashed",
                (false, false) => "dotted",
            };
            writeln!(out, "  {from} -> {} [style={style}];", NodeId::of(to))?;
        }
        for &object in &chosen {
            if let Some(owner) =
                self.facts.ownership().owner(object).object().filter(|owner| chosen.contains(owner))
            {
                let (owned, owner) = (NodeId::of(object), NodeId::of(owner));
                writeln!(out, "  {owned} -> {owner} [color=blue, constraint=false, arrowhead=empty];")?;
            }
        }
        writeln!(out, "}}")
    }
}
