//! Uses of objects: how each object that several threads use is protected, and the graph of its events.

use std::collections::BTreeMap;
use std::io::{self, Write};

use selvedge_detect::uses::{Events, Flow, Use, UseGraph, Verdict, before_escape, judge, shared_objects};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::View;
use selvedge_pta::heap::ObjectId;
use selvedge_world::ClassId;

use super::hierarchy::escape;
use super::labels::Labels;
use crate::arguments::Format;

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
    let shared = shared_objects(&facts);
    let events = Events::new(&facts, &shared);
    let heap = &facts.view.analysis.heap;
    let is_chosen = |object: &ObjectId| {
        let class = heap.types.class(heap.get(*object).ty);
        !chooses || class.is_some_and(|class| classes.contains(&class))
    };
    let labels = Labels::new(facts.view.analysis, false);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    if format == Format::Dot {
        writeln!(out, "digraph uses {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
    }
    for object in events.objects().filter(is_chosen) {
        let graph = events.graph(&facts, object);
        match format {
            Format::Text => {
                let verdict = judge(&facts, &graph);
                *counts.entry(word(&verdict)).or_default() += 1;
                text(&facts, &labels, &graph, &verdict, out)?;
            }
            Format::Dot => dot(&facts, &labels, &graph, out)?,
        }
    }
    if format == Format::Dot {
        return writeln!(out, "}}");
    }
    for (word, count) in counts {
        writeln!(out, "{count} {word}")?;
    }
    Ok(())
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Local => "local to a thread",
        Verdict::Ordered => "ordered",
        Verdict::ReadOnly => "read-only",
        Verdict::LockProtected => "lock-protected",
        Verdict::MixProtected => "mix-protected",
        Verdict::Conflicting(..) => "conflicting",
    }
}

fn text(
    facts: &Facts<'_, '_>,
    labels: &Labels<'_, '_>,
    graph: &UseGraph,
    verdict: &Verdict,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}: {}", labels.object(graph.object), word(verdict))?;
    if let Verdict::Conflicting(kind, candidate) = verdict {
        writeln!(out, "  {}", kind.describe())?;
        for side in candidate.sides {
            let access = &facts.accesses.all[side.access];
            let line = labels.line(access.method, access.inst);
            let line = line.map_or_else(String::new, |line| format!(", line {line}"));
            writeln!(
                out,
                "  {}{line}, in {}",
                facts.view.program.describe_method(access.method),
                side.thread
            )?;
        }
    }
    let early = before_escape(graph).len();
    writeln!(
        out,
        "  {} events, {early} of them before its escape, {} edges",
        graph.uses.len(),
        graph.edges.len()
    )
}

fn label(facts: &Facts<'_, '_>, labels: &Labels<'_, '_>, event: &Use) -> String {
    let procedure = facts.view.analysis.instances[event.instance].procedure;
    let method = facts.view.method_of(event.instance);
    let line = method.zip(event.inst).and_then(|(method, inst)| labels.line(method, inst));
    let line = line.map_or_else(String::new, |line| format!(", line {line}"));
    format!("{} {}: {}{line}", event.thread, event.kind.name(), labels.procedure(procedure))
}

/// One graph as a cluster: control flow solid, the flow of the reference dashed, that between threads bold.
fn dot(
    facts: &Facts<'_, '_>,
    labels: &Labels<'_, '_>,
    graph: &UseGraph,
    out: &mut dyn Write,
) -> io::Result<()> {
    let object = graph.object;
    writeln!(out, "  subgraph cluster_{object} {{\n    label=\"{}\";", escape(&labels.object(object)))?;
    for (id, event) in graph.uses.iter_ids() {
        writeln!(out, "    {object}_{id} [label=\"{}\"];", escape(&label(facts, labels, event)))?;
    }
    for (from, to, flow) in &graph.edges {
        let style = match flow {
            Flow::Control => "solid",
            Flow::Reference => "dashed",
            Flow::Thread => "bold",
        };
        writeln!(out, "    {object}_{from} -> {object}_{to} [style={style}];")?;
    }
    writeln!(out, "  }}")
}
