//! Uses of objects: how each object that several threads use is protected, access by access, and the graph of its events.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_detect::uses::{
    Explorer, Flow, Kind, Life, Subject, Use, UseClass, UseGraph, UseSummary, judge, protections,
};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::{AccessId, AccessKind, Origin, Place, ThreadId, View};
use selvedge_world::{ClassId, java_name};

use super::labels::Labels;
use super::picture::{self, Line, Node, Picture};
use crate::arguments::Format;

/// What the lines of a picture mean.
const LEGEND: [&str; 4] = [
    "A column is a thread; control flows downwards along thin arrows.",
    "A dashed arrow is the flow of the reference: it is kept at one end and read at the other.",
    "A bold arrow leads from the start of a thread to its beginning, or from its end to where it is waited for.",
    "Red accesses are in conflict with another one; each other one says what orders or excludes it.",
];

/// So many objects have a picture if no class was named, those in conflict first.
const MOST_PICTURES: usize = 60;

/// Graphs with more events than this, or more edges, are not drawn.
const MOST_EVENTS: usize = 300;
const MOST_EDGES: usize = 3_000;

/// Shows the uses of the objects of some classes, or of all that several threads use if no class was named.
pub fn show(
    view: View<'_>,
    classes: &[ClassId],
    chooses: bool,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ground = Ground::new(view);
    let facts = Facts::new(&ground);
    let events = facts.phases().events();
    let mut explorer = Explorer::new(events.control());
    let heap = &facts.view.analysis.heap;
    let is_chosen = |subject: &Subject| {
        let class = match *subject {
            Subject::Object(object) => heap.types.class(heap.get(object).ty),
            Subject::Class(class) => Some(class),
        };
        !chooses || class.is_some_and(|class| classes.contains(&class))
    };
    let teller = Teller { facts: &facts, labels: Labels::new(facts.view.analysis, false) };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut to_draw = Vec::new();
    for subject in events.subjects().filter(is_chosen) {
        let life = Life::new(&facts, events, &mut explorer, subject);
        if life.accesses.is_empty() {
            continue;
        }
        let judgement = judge(&facts, &life);
        if format == Format::Text {
            *counts.entry(word(&judgement.verdict)).or_default() += 1;
            teller.text(&life, &judgement, out)?;
        } else {
            to_draw.push((!matches!(judgement.verdict, UseClass::Conflicting(..)), subject));
        }
    }
    to_draw.sort_by_key(|&(is_safe, _)| is_safe);
    let drawn = if chooses { to_draw.len() } else { to_draw.len().min(MOST_PICTURES) };
    let mut pictures = Vec::new();
    for &(_, subject) in &to_draw[..drawn] {
        let life = Life::new(&facts, events, &mut explorer, subject);
        let judgement = judge(&facts, &life);
        let graph = events.graph(&facts, subject).reduced(&facts);
        pictures.push(teller.picture(&life, &judgement, &graph));
    }
    if drawn < to_draw.len() {
        let notes = vec!["Their classes can be named with --class; text output lists all.".to_owned()];
        let title = format!("{} more objects", to_draw.len() - drawn);
        pictures.push(Picture { title, notes, ..Picture::default() });
    }
    match format {
        Format::Dot => picture::dot(&pictures, "uses", out),
        Format::Html => picture::html(&pictures, "Uses of shared objects", &LEGEND, out),
        Format::Text => counts.into_iter().try_for_each(|(word, count)| writeln!(out, "{count} {word}")),
    }
}

fn word(verdict: &UseClass) -> &'static str {
    match verdict {
        UseClass::Local => "local to a thread",
        UseClass::Ordered => "ordered",
        UseClass::ReadOnly => "read-only",
        UseClass::LockProtected => "lock-protected",
        UseClass::MixProtected => "mix-protected",
        UseClass::Conflicting(..) => "conflicting",
    }
}

/// A thread in a few words.
pub(super) fn thread_name(facts: &Facts<'_, '_>, labels: &Labels<'_, '_>, thread: ThreadId) -> String {
    let data = &facts.threads.all[thread];
    let what = match data.origin {
        Origin::Main(_) => "main".to_owned(),
        Origin::Client => "callers of the library".to_owned(),
        Origin::ContainerStart | Origin::Container(_) => "the container".to_owned(),
        Origin::Initializers => "class initialisers".to_owned(),
        Origin::Vm(_) | Origin::Spawn { .. } => match data.entries.first() {
            Some(&entry) => {
                let procedure = facts.view.analysis.instances[entry].procedure;
                format!("thread of {}", labels.procedure(procedure))
            }
            None => "a thread".to_owned(),
        },
    };
    if data.many { format!("{what} (many)") } else { what }
}

struct Teller<'f, 'g, 'a> {
    facts: &'f Facts<'g, 'a>,
    labels: Labels<'a, 'a>,
}

impl Teller<'_, '_, '_> {
    fn subject(&self, subject: Subject) -> String {
        match subject {
            Subject::Object(object) => self.labels.object(object),
            Subject::Class(class) => {
                format!("static fields of {}", java_name(self.facts.view.program.classes[class].name))
            }
        }
    }

    fn thread(&self, thread: ThreadId) -> String {
        thread_name(self.facts, &self.labels, thread)
    }

    /// What an access does: to which field, where.
    fn access(&self, access: AccessId, kind: AccessKind) -> (String, String) {
        let data = &self.facts.accesses.all[access];
        let verb = if kind == AccessKind::Read { "reads" } else { "writes" };
        let what = match data.place {
            Place::Field(field) | Place::Static(field) => {
                self.facts.view.program.fields[field].name.to_string()
            }
            Place::Element => "an element".to_owned(),
            Place::Container => "its content".to_owned(),
        };
        (format!("{verb} {what}"), self.labels.at(data.method, data.inst))
    }

    fn text(&self, life: &Life, judgement: &UseSummary, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.subject(life.subject), word(&judgement.verdict))?;
        if let UseClass::Conflicting(kind, _) = judgement.verdict {
            writeln!(out, "  {}", kind.describe())?;
        }
        // Contexts differ in nothing that is told here.
        let mut told: BTreeMap<(ThreadId, AccessId, AccessKind), BTreeSet<&str>> = BTreeMap::new();
        for (lived, by) in protections(self.facts, life) {
            let key = (lived.side.thread, lived.side.access, lived.kind);
            told.entry(key).or_default().extend(by.iter().map(|by| by.describe()));
        }
        let mut last = None;
        for ((thread, access, kind), by) in told {
            if last.replace(thread) != Some(thread) {
                writeln!(out, "  {}", self.thread(thread))?;
            }
            let (what, place) = self.access(access, kind);
            let by: Vec<&str> = by.into_iter().collect();
            writeln!(out, "    {what} in {place}: {}", by.join(", "))?;
        }
        Ok(())
    }

    fn picture(&self, life: &Life, judgement: &UseSummary, graph: &UseGraph) -> Picture {
        let threads: BTreeSet<ThreadId> = graph.uses.iter().map(|event| event.thread).collect();
        let lanes: BTreeMap<ThreadId, usize> = threads.iter().copied().zip(0..).collect();
        let mut protected: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
        for (lived, by) in protections(self.facts, life) {
            protected.entry(lived.side).or_default().extend(by.iter().map(|by| by.describe()));
        }
        let node = |event: &Use| {
            let by = event.kind.access().and_then(|(access, _)| {
                protected.get(&selvedge_facts::Occurrence {
                    access,
                    instance: event.instance,
                    thread: event.thread,
                })
            });
            let mut lines = vec![self.event(event)];
            lines.push(self.place(event));
            lines.extend(by.map(|by| by.iter().copied().collect::<Vec<&str>>().join(", ")));
            let is_racy = by.is_some_and(|by| by.contains("in conflict"));
            Node { lines, lane: lanes[&event.thread], is_round: event.kind.access().is_none(), is_racy }
        };
        let mut notes = vec![format!("{}.", word(&judgement.verdict))];
        if let UseClass::Conflicting(kind, _) = judgement.verdict {
            notes.push(format!("{}.", kind.describe()));
        }
        let title = self.subject(life.subject);
        if graph.uses.len() > MOST_EVENTS || graph.edges.len() > MOST_EDGES {
            let (events, edges) = (graph.uses.len(), graph.edges.len());
            notes.push(format!(
                "{events} events and {edges} edges are too many to be drawn; text output lists its accesses."
            ));
            return Picture { title, notes, ..Picture::default() };
        }
        let line = |flow: Flow| match flow {
            Flow::Control => Line::Solid,
            Flow::Reference => Line::Dashed,
            Flow::Thread => Line::Bold,
        };
        let index = |id: selvedge_detect::uses::UseId| selvedge_base::Id::index(id);
        Picture {
            title,
            notes,
            lanes: threads.iter().map(|&thread| self.thread(thread)).collect(),
            nodes: graph.uses.iter().map(node).collect(),
            edges: graph.edges.iter().map(|&(from, to, flow)| (index(from), index(to), line(flow))).collect(),
        }
    }

    fn event(&self, event: &Use) -> String {
        let name = event.kind.name();
        match event.kind {
            Kind::Get(access) | Kind::Put(access) => match self.facts.accesses.all[access].place {
                Place::Field(field) | Place::Static(field) => {
                    format!("{name} {}", self.facts.view.program.fields[field].name)
                }
                Place::Element => format!("{name} element"),
                Place::Container => format!("{name} content"),
            },
            Kind::Start(other) | Kind::Join(other) => format!("{name} {}", self.thread(other)),
            _ => name.to_owned(),
        }
    }

    fn place(&self, event: &Use) -> String {
        match self.facts.view.method_of(event.instance).zip(event.inst) {
            Some((method, inst)) => self.labels.at(method, inst),
            None => self.labels.procedure(self.facts.view.analysis.instances[event.instance].procedure),
        }
    }
}
