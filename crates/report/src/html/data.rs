//! What the page is given: the report in the words of [`words`](crate::words), with places of the code kept once and
//! referred to by number, since long paths share most of their calls.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use selvedge_findings::{
    CallPaths, Confirmation, Finding, Frame, HeapNode, Input, Lock, LockMode, NodeRole, Pair, PathMethod,
    Problem, Reason, Report, Safe, Side, Stats, Suppressed, Surroundings, class_of, package_of,
};
use serde::Serialize;

use crate::words;
use crate::{Sources, Style};

/// Everything on the page.
#[derive(Serialize)]
pub struct Page<'a> {
    version: &'a str,
    summary: String,
    /// The lowest confidence of a finding that the list shows at first.
    least: &'static str,
    input: &'a Input,
    /// Places of the code; the others refer to them by their index here.
    frames: Vec<Place>,
    findings: Vec<Row<'a>>,
    fields: Vec<Group>,
    objects: Vec<Group>,
    safe: Option<&'a [Safe]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressed: Vec<Hidden<'a>>,
    stats: &'a Stats,
    /// The stages by name, in order.
    stages: Vec<(&'static str, u64)>,
    assumptions: &'a [String],
    problems: &'a [Problem],
}

/// A place of the code.
#[derive(Serialize)]
struct Place {
    method: String,
    /// The method without package and parameters.
    short: String,
    /// `Account.java:12`
    place: String,
    /// The path of its source, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// Lines around it with their numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    source: Vec<(u32, String)>,
}

/// A finding.
#[derive(Serialize)]
struct Row<'a> {
    key: &'a str,
    analysis: &'a str,
    kind: &'static str,
    package: &'a str,
    location: String,
    /// What is wrong, without the location.
    what: String,
    confidence: &'static str,
    verdict: &'static str,
    /// How a run showed it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<&'static str>,
    /// What came of trying to make it happen, and that in two words.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation: Option<&'a Confirmation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    rank: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<(&'a str, Option<usize>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held_by: Vec<String>,
    sides: [Access; 2],
    reasons: &'a [Reason],
    advice: &'a str,
    /// The heap around the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    heap: Option<Heap<'a>>,
    /// All call paths, if there are more than the sides show.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<Calls>,
    /// How many further pairs there are.
    further: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<Further<'a>>,
}

/// The heap around an object; an edge is from, to, by which field.
#[derive(Serialize)]
struct Heap<'a> {
    nodes: Vec<Node<'a>>,
    edges: Vec<(u32, u32, &'a str)>,
    left_out: u32,
}

/// All call paths to the accesses: methods as frame, whether a thread starts there, whether it makes an access; calls as from, to, line.
#[derive(Serialize)]
struct Calls {
    methods: Vec<(usize, bool, bool)>,
    calls: Vec<(u32, u32, Option<u32>)>,
    leading: [u64; 2],
    left_out: u32,
}

/// An object or class of a heap.
#[derive(Serialize)]
struct Node<'a> {
    role: NodeRole,
    class: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

/// A finding that is not reported.
#[derive(Serialize)]
struct Hidden<'a> {
    by: &'a str,
    reason: &'a str,
    key: &'a str,
    location: String,
    what: String,
}

/// A further pair of a finding.
#[derive(Serialize)]
struct Further<'a> {
    key: &'a str,
    location: String,
    sides: [Access; 2],
}

/// A side.
#[derive(Serialize)]
struct Access {
    action: &'static str,
    /// The method that is called, with its class's simple name.
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<String>,
    at: usize,
    thread: String,
    thread_in_full: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawned_at: Option<usize>,
    locks: Vec<Held>,
    path: Vec<usize>,
}

/// A lock that is held.
#[derive(Serialize)]
struct Held {
    name: String,
    shared: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_at: Option<usize>,
}

/// A line of a view: what it is about and the findings on it, by their index.
#[derive(Serialize)]
struct Group {
    name: String,
    /// Whether the name is that of a field.
    is_field: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    rank: u8,
    pairs: u64,
    findings: Vec<usize>,
}

/// Further pairs of one finding that the page holds: a cause may have thousands, which differ little. The JSON has all.
const FURTHER: usize = 60;
/// Lines of source shown before and after a place.
const AROUND: u32 = 3;

/// The frames met so far.
struct Frames<'a> {
    sources: &'a Sources,
    index: FxHashMap<Frame, usize>,
    places: Vec<Place>,
}

impl Frames<'_> {
    fn number(&mut self, frame: &Frame) -> usize {
        if let Some(known) = self.index.get(frame) {
            return *known;
        }
        let found = self.sources.find(frame);
        let source = match (&found, frame.line) {
            (Some(found), Some(line)) => found.around(line, AROUND, AROUND),
            _ => Vec::new(),
        };
        self.places.push(Place {
            method: words::method(&frame.method),
            short: words::code(&frame.method),
            place: frame.place(),
            path: found.map(|found| found.path),
            line: frame.line,
            source,
        });
        let number = self.places.len() - 1;
        self.index.insert(frame.clone(), number);
        number
    }

    fn optional(&mut self, frame: Option<&Frame>) -> Option<usize> {
        frame.map(|frame| self.number(frame))
    }

    fn side(&mut self, side: &Side) -> Access {
        Access {
            action: side.action.name(),
            called: side.called.as_deref().map(words::code),
            at: self.number(side.in_source()),
            thread: words::thread(&side.thread),
            thread_in_full: words::thread_in_full(&side.thread),
            spawned_at: self.optional(side.thread.spawned_at.as_ref()),
            locks: side.locks.iter().map(|lock| self.lock(lock)).collect(),
            path: side.path.iter().map(|frame| self.number(frame)).collect(),
        }
    }

    fn lock(&mut self, lock: &Lock) -> Held {
        Held {
            name: lock.name.clone(),
            shared: lock.mode == LockMode::Shared,
            taken_at: self.optional(lock.taken_at.as_ref()),
        }
    }

    fn sides(&mut self, [first, second]: &[Side; 2]) -> [Access; 2] {
        [self.side(first), self.side(second)]
    }
}

/// The data of a report.
pub fn of<'a>(report: &'a Report, style: &Style) -> Page<'a> {
    let mut frames = Frames { sources: &style.sources, index: FxHashMap::default(), places: Vec::new() };
    let findings: Vec<Row<'a>> = report.findings.iter().map(|finding| row(finding, &mut frames)).collect();
    let positions: BTreeMap<&str, usize> =
        report.findings.iter().enumerate().map(|(index, finding)| (finding.key.as_str(), index)).collect();
    let indices = |keys: &[String]| -> Vec<usize> {
        keys.iter().filter_map(|key| positions.get(key.as_str()).copied()).collect()
    };
    let fields = report.views.by_field.iter().map(|view| Group {
        name: words::subject(&view.location),
        is_field: view.location.field.is_some(),
        at: None,
        rank: view.rank,
        pairs: view.pairs,
        findings: indices(&view.findings),
    });
    let fields = fields.collect();
    let objects = report.views.by_object.iter().map(|view| Group {
        name: match view.others.len() {
            0 => view.object.class.clone(),
            more => format!("{} or one of {more} more", view.object.class),
        },
        is_field: false,
        at: frames.optional(view.object.allocated_at.as_ref()),
        rank: view.rank,
        pairs: view.pairs,
        findings: indices(&view.findings),
    });
    let objects = objects.collect();
    Page {
        version: &report.tool.version,
        summary: words::summary(report),
        least: style.least.name(),
        input: &report.input,
        frames: frames.places,
        findings,
        fields,
        objects,
        safe: report.safe.as_deref(),
        suppressed: report.suppressed.iter().map(hidden).collect(),
        stats: &report.stats,
        stages: report.stats.stages.named().to_vec(),
        assumptions: &report.assumptions,
        problems: &report.problems,
    }
}

fn row<'a>(finding: &'a Finding, frames: &mut Frames<'_>) -> Row<'a> {
    let holders = &finding.location.held_by;
    Row {
        key: &finding.key,
        analysis: &finding.analysis,
        kind: finding.kind.name(),
        package: package(finding),
        location: words::subject(&finding.location),
        what: words::predicate(finding.kind, &finding.sides),
        confidence: finding.confidence.name(),
        verdict: finding.verdict.name(),
        shown: words::verdict(finding.verdict),
        confirmation: finding.confirmation.as_ref(),
        outcome: finding.confirmation.as_ref().map(|it| words::confirmation::outcome(it.outcome)),
        rank: finding.rank,
        object: finding
            .object
            .as_ref()
            .map(|object| (object.class.as_str(), frames.optional(object.allocated_at.as_ref()))),
        held_by: holders.iter().map(|holder| format!("{}.{}", holder.class, holder.field)).collect(),
        sides: frames.sides(&finding.sides),
        reasons: &finding.reasons,
        advice: &finding.advice,
        calls: finding.call_paths.as_ref().filter(|it| it.are_several()).map(|it| calls(it, frames)),
        heap: finding.surroundings.as_ref().map(|graph| heap(graph, frames)),
        further: finding.pairs.len(),
        pairs: finding.pairs.iter().take(FURTHER).map(|pair| further(pair, frames)).collect(),
    }
}

fn heap<'a>(graph: &'a Surroundings, frames: &mut Frames<'_>) -> Heap<'a> {
    let node = |node: &'a HeapNode| Node {
        role: node.role,
        class: &node.class,
        at: frames.optional(node.allocated_at.as_ref()),
    };
    Heap {
        nodes: graph.nodes.iter().map(node).collect(),
        edges: graph.edges.iter().map(|edge| (edge.from, edge.to, edge.by.as_str())).collect(),
        left_out: graph.left_out,
    }
}

fn calls(paths: &CallPaths, frames: &mut Frames<'_>) -> Calls {
    let method = |it: &PathMethod| (frames.number(&it.at), it.is_start, it.is_access);
    Calls {
        methods: paths.methods.iter().map(method).collect(),
        calls: paths.calls.iter().map(|call| (call.from, call.to, call.line)).collect(),
        leading: paths.leading,
        left_out: paths.left_out,
    }
}

fn hidden(suppressed: &Suppressed) -> Hidden<'_> {
    let finding = &suppressed.finding;
    Hidden {
        by: &suppressed.by,
        reason: &suppressed.reason,
        key: &finding.key,
        location: words::subject(&finding.location),
        what: words::predicate(finding.kind, &finding.sides),
    }
}

fn further<'a>(pair: &'a Pair, frames: &mut Frames<'_>) -> Further<'a> {
    Further { key: &pair.key, location: words::subject(&pair.location), sides: frames.sides(&pair.sides) }
}

/// The package that a finding belongs to: that of its field, of a field that holds it, or of the first access. The class
/// of an array or container itself says little.
fn package(finding: &Finding) -> &str {
    let class = match (&finding.location.field, finding.location.held_by.first()) {
        (Some(_), _) => &finding.location.class,
        (None, Some(holder)) => &holder.class,
        (None, None) => class_of(&finding.sides[0].at.method),
    };
    package_of(class)
}
