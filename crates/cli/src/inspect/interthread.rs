//! `selvedge inspect --what interthread`: the interthread call graph, with the thread and the locks that each node must have.
//!
//! Contexts are put together: a method is shown once, with what holds in all of them. Library code is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_detect::interthread::{Edge, Interthread, NodeId, Runner, must_thread};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::View;
use selvedge_ir::Inst;
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::labels::Labels;
use super::picture::{self, Line, Node, Picture};
use super::uses::thread_name;
use crate::arguments::Format;

/// What the lines of a picture mean.
const LEGEND: [&str; 4] = [
    "A box with corners is a method, a rounded one a synchronized block.",
    "A thin arrow is a call in the same thread; a dashed one leads into a block.",
    "A bold arrow is the start of a thread.",
    "Red nodes have accesses that may race by the three conditions.",
];

/// A method, or a block of it by the instruction that enters it.
type Place = (MethodId, Option<Inst>);

/// What is known of a method or a block, in all contexts.
#[derive(Default)]
struct Known {
    /// The one thread that executes it; `None` if there are several.
    thread: Option<Runner>,
    /// The lock that it takes, if it takes one; and which object that must be.
    takes: Option<Option<ObjectId>>,
    /// The locks that it always holds.
    holds: Vec<ObjectId>,
    /// Accesses, and those of them in some pair of the set.
    accesses: [usize; 2],
    edges: BTreeSet<(Edge, Place)>,
}

/// Shows the graph as far as it is about some methods.
pub fn show(view: View<'_>, methods: &[MethodId], format: Format, out: &mut dyn Write) -> io::Result<()> {
    let ground = Ground::new(view);
    let facts = Facts::new(&ground);
    let found = Interthread::new(&facts);
    let teller = Teller { facts: &facts, labels: Labels::new(facts.view.analysis, false) };
    let all = teller.know(&found);
    let methods: BTreeSet<MethodId> = methods.iter().copied().collect();
    let shown: BTreeMap<Place, &Known> = all
        .iter()
        .filter(|((method, _), _)| methods.contains(method))
        .map(|(&it, known)| (it, known))
        .collect();
    match format {
        Format::Text => teller.text(&shown, out),
        Format::Dot => picture::dot(&[teller.picture(&shown)], "interthread", out),
        Format::Html => picture::html(&[teller.picture(&shown)], "Interthread call graph", &LEGEND, out),
    }
}

struct Teller<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    labels: Labels<'a, 'a>,
}

impl Teller<'_, '_, '_> {
    /// Puts the contexts of each method and block of the application together.
    fn know(&self, found: &Interthread) -> BTreeMap<Place, Known> {
        let view = self.facts.view;
        let mut all: BTreeMap<Place, Known> = BTreeMap::new();
        let place = |node: NodeId| {
            let node = &found.graph.nodes[node];
            let method = view.method_of(node.instance).filter(|&method| view.is_application(method))?;
            Some((method, node.block))
        };
        for (id, node) in found.graph.nodes.iter_ids() {
            let (Some(place), Some(held)) = (place(id), found.must.sync(id)) else { continue };
            let thread = must_thread(self.facts, node.instance);
            let takes = node.is_synchronized.then_some(node.must_lock);
            match all.get_mut(&place) {
                None => {
                    let holds = held.objects().to_vec();
                    all.insert(place, Known { thread, takes, holds, ..Known::default() });
                }
                Some(known) => {
                    known.thread = known.thread.filter(|_| known.thread == thread);
                    known.takes = known.takes.map(|lock| lock.filter(|_| takes == Some(lock)));
                    known.holds.retain(|lock| held.objects().contains(lock));
                }
            }
        }
        for &(from, to, edge) in &found.graph.edges {
            if let (Some(from), Some(to)) = (place(from), place(to))
                && let Some(known) = all.get_mut(&from)
            {
                known.edges.insert((edge, to));
            }
        }
        for (id, access) in self.facts.accesses.all.iter_ids() {
            let instances = view.analysis.instances_of(access.method).iter();
            let mut nodes = instances.filter_map(|&it| found.graph.node_at(self.facts, it, access.inst));
            if let Some(known) = nodes.find_map(place).and_then(|place| all.get_mut(&place)) {
                known.accesses[0] += 1;
                known.accesses[1] += usize::from(found.set.sites.contains(id));
            }
        }
        all
    }

    fn place(&self, (method, block): Place) -> String {
        match block {
            Some(inst) => format!("block in {}", self.labels.at(method, inst)),
            None => self.facts.view.program.describe_method(method),
        }
    }

    fn thread(&self, known: &Known) -> String {
        match known.thread {
            None => "several threads".to_owned(),
            Some(Runner::Object(object)) => format!("one thread, {}", self.labels.object(object)),
            Some(Runner::Thread(thread)) => {
                format!("one thread, {}", thread_name(self.facts, &self.labels, thread))
            }
        }
    }

    fn text(&self, shown: &BTreeMap<Place, &Known>, out: &mut dyn Write) -> io::Result<()> {
        for (&place, known) in shown {
            writeln!(out, "{}", self.place(place))?;
            writeln!(out, "    executed by {}", self.thread(known))?;
            match known.takes {
                None => {}
                Some(Some(lock)) => writeln!(out, "    takes the lock of {}", self.labels.object(lock))?,
                Some(None) => writeln!(out, "    takes a lock that need not be one object")?,
            }
            for &lock in known.holds.iter().filter(|&&lock| known.takes != Some(Some(lock))) {
                writeln!(out, "    holds the lock of {}", self.labels.object(lock))?;
            }
            let [accesses, racy] = known.accesses;
            if accesses > 0 {
                let noun = if accesses == 1 { "access" } else { "accesses" };
                writeln!(out, "    {accesses} {noun}, {racy} in some pair that may race")?;
            }
            for &(edge, to) in &known.edges {
                let verb = match edge {
                    Edge::Enter => "enters",
                    Edge::Call => "calls",
                    Edge::Start => "starts",
                };
                writeln!(out, "    {verb} {}", self.place(to))?;
            }
        }
        self.own_things(shown, out)
    }

    /// What belongs to threads.
    fn own_things(&self, shown: &BTreeMap<Place, &Known>, out: &mut dyn Write) -> io::Result<()> {
        let (view, own) = (self.facts.view, self.facts.thread_specific());
        let mut lines: Vec<String> = Vec::new();
        let methods: BTreeSet<MethodId> = shown.keys().map(|&(method, _)| method).collect();
        for &method in &methods {
            let mut instances = view.analysis.instances_of(method).iter();
            if instances.len() > 0 && instances.all(|&it| own.is_specific_method(it)) {
                lines.push(format!("method {}", view.program.describe_method(method)));
            }
        }
        let classes: BTreeSet<_> = methods.iter().map(|&method| view.program.methods[method].class).collect();
        for (field, data) in view.program.fields.iter_ids() {
            if classes.contains(&data.class) && own.is_specific_field(field) {
                lines.push(format!("field {}", view.program.describe_field(field)));
            }
        }
        for (object, data) in view.analysis.heap.objects() {
            let class = view.analysis.heap.types.class(data.ty);
            if !class.is_some_and(|class| classes.contains(&class)) {
                continue;
            }
            if own.is_safe_thread(object) {
                lines.push(format!("safe thread {}", self.labels.object(object)));
            } else if own.is_unsafe_thread(object) {
                lines.push(format!("unsafe thread {}", self.labels.object(object)));
            }
        }
        if !lines.is_empty() {
            writeln!(out, "thread-specific")?;
        }
        lines.iter().try_for_each(|line| writeln!(out, "    {line}"))
    }

    fn picture(&self, shown: &BTreeMap<Place, &Known>) -> Picture {
        let numbers: BTreeMap<Place, usize> = shown.keys().copied().zip(0..).collect();
        let node = |(&place, known): (&Place, &&Known)| {
            let mut lines = vec![self.place(place), self.thread(known)];
            lines.extend(known.holds.iter().map(|&lock| format!("holds {}", self.labels.object(lock))));
            Node { lines, lane: 0, is_round: place.1.is_some(), is_racy: known.accesses[1] > 0 }
        };
        let mut edges = Vec::new();
        for (place, known) in shown {
            for (edge, to) in &known.edges {
                let line = match edge {
                    Edge::Enter => Line::Dashed,
                    Edge::Call => Line::Solid,
                    Edge::Start => Line::Bold,
                };
                edges.extend(numbers.get(to).map(|&to| (numbers[place], to, line)));
            }
        }
        Picture {
            title: "interthread call graph".to_owned(),
            nodes: shown.iter().map(node).collect(),
            edges,
            ..Picture::default()
        }
    }
}
