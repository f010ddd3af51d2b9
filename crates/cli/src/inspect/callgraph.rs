//! The call graph around methods: who calls them, whom they call, and how they are reached.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, Write};

use selvedge_pta::{Analysis, Procedure, ProcedureId, Procedures};
use selvedge_world::{ClassId, MethodId, Program, Tier};

use super::hierarchy::escape;
use super::labels::Labels;

/// A call of one procedure by another, whatever the contexts.
type Call = (ProcedureId, ProcedureId);

/// How a call is made, for output: line and kind.
type Manner = (Option<u32>, &'static str);

/// The call graph with contexts merged.
pub struct CallGraph<'a, 'p> {
    analysis: &'a Analysis<'p>,
    labels: Labels<'a, 'p>,
    /// Each call with its manners, and in how many pairs of contexts each is made.
    calls: BTreeMap<Call, BTreeMap<Manner, usize>>,
    callers: BTreeMap<ProcedureId, BTreeSet<ProcedureId>>,
    /// Of each reached procedure, from which one a shortest way from the entry comes.
    reached_from: BTreeMap<ProcedureId, Option<ProcedureId>>,
}

impl<'a, 'p> CallGraph<'a, 'p> {
    pub fn new(analysis: &'a Analysis<'p>) -> Self {
        let labels = Labels::new(analysis, false);
        let mut calls: BTreeMap<Call, BTreeMap<Manner, usize>> = BTreeMap::new();
        let mut callers: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
        for edge in &analysis.call_edges {
            let caller = analysis.instances[edge.caller].procedure;
            let callee = analysis.instances[edge.callee].procedure;
            *calls.entry((caller, callee)).or_default().entry(labels.call(edge)).or_default() += 1;
            callers.entry(callee).or_default().insert(caller);
        }
        for (initializer, trigger) in initializations(analysis) {
            calls.entry((trigger, initializer)).or_default().insert((None, "initialises the class"), 1);
            callers.entry(initializer).or_default().insert(trigger);
        }
        let reached_from = shortest_ways(analysis, &calls);
        Self { analysis, labels, calls, callers, reached_from }
    }

    /// Writes, for each method: how it is reached, its callers, its callees.
    pub fn text(&self, methods: &[MethodId], out: &mut dyn Write) -> io::Result<()> {
        for (position, &method) in methods.iter().enumerate() {
            if position > 0 {
                writeln!(out)?;
            }
            self.method_text(Procedures::of_method(method), out)?;
        }
        Ok(())
    }

    fn method_text(&self, method: ProcedureId, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.labels.procedure(method))?;
        if !self.reached_from.contains_key(&method) {
            return writeln!(out, "  is not reached");
        }
        writeln!(out, "  reached by")?;
        for step in self.way_to(method) {
            writeln!(out, "    {step}")?;
        }
        let callers = self.callers.get(&method).into_iter().flatten();
        self.list("called by", callers.map(|&caller| ((caller, method), caller)), out)?;
        let callees = self.callees(method);
        self.list("calls", callees.map(|callee| ((method, callee), callee)), out)
    }

    fn callees(&self, method: ProcedureId) -> impl Iterator<Item = ProcedureId> {
        let first = ProcedureId::new(0);
        let last = ProcedureId::new(u32::MAX);
        self.calls.range((method, first)..=(method, last)).map(|(&(_, callee), _)| callee)
    }

    /// Writes one side of calls, by line and name.
    fn list(
        &self,
        title: &str,
        calls: impl Iterator<Item = (Call, ProcedureId)>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut lines = BTreeSet::new();
        for (call, other) in calls {
            let name = self.labels.procedure(other);
            for (&(line, kind), &count) in &self.calls[&call] {
                lines.insert((line, name.clone(), kind, count));
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "  {title}")?;
        for (line, name, kind, count) in lines {
            let line = line.map_or_else(String::new, |line| format!(", line {line}"));
            let contexts = if count == 1 { String::new() } else { format!(", in {count} contexts") };
            writeln!(out, "    {name}{line}, {kind}{contexts}")?;
        }
        Ok(())
    }

    /// A shortest way from where the program starts, one call a line.
    fn way_to(&self, method: ProcedureId) -> Vec<String> {
        let mut way = vec![method];
        let mut current = method;
        while let Some(&Some(before)) = self.reached_from.get(&current) {
            way.push(before);
            current = before;
        }
        way.reverse();
        let steps = way.windows(2).map(|pair| {
            let manner = self.calls[&(pair[0], pair[1])].keys().next();
            let line = manner.and_then(|(line, _)| *line);
            line.map_or_else(String::new, |line| format!(", line {line}"))
        });
        let lines = steps.chain(std::iter::once(String::new()));
        way.iter().zip(lines).map(|(&step, line)| self.labels.procedure(step) + &line).collect()
    }

    /// Writes the methods with their callers and callees as a graph; of others than the application's if `all`.
    pub fn dot(&self, methods: &[MethodId], all: bool, out: &mut dyn Write) -> io::Result<()> {
        let chosen: BTreeSet<ProcedureId> =
            methods.iter().map(|&method| Procedures::of_method(method)).collect();
        let is_shown = |procedure: ProcedureId| {
            all || chosen.contains(&procedure) || is_of_application(self.analysis, procedure)
        };
        let mut nodes: BTreeSet<ProcedureId> = chosen.clone();
        nodes.retain(|procedure| self.reached_from.contains_key(procedure));
        let mut edges: BTreeSet<Call> = BTreeSet::new();
        for &method in &chosen {
            let callers = self.callers.get(&method).into_iter().flatten().map(|&caller| (caller, method));
            let callees = self.callees(method).map(|callee| (method, callee));
            edges.extend(callers.chain(callees).filter(|call| is_shown(call.0) && is_shown(call.1)));
        }
        nodes.extend(edges.iter().flat_map(|call| [call.0, call.1]));
        writeln!(out, "digraph calls {{\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];")?;
        for node in nodes {
            let style = if chosen.contains(&node) { ", style=bold" } else { "" };
            writeln!(out, "  {node} [label=\"{}\"{style}];", escape(&self.labels.procedure(node)))?;
        }
        for (caller, callee) in edges {
            let of_initializer = |manner: &Manner| manner.1 == "initialises the class";
            let dashed = self.calls[&(caller, callee)].keys().all(of_initializer);
            writeln!(out, "  {caller} -> {callee}{};", if dashed { " [style=dashed]" } else { "" })?;
        }
        writeln!(out, "}}")
    }
}

/// Whether a procedure belongs to the application; where the program starts does.
fn is_of_application(analysis: &Analysis<'_>, procedure: ProcedureId) -> bool {
    let program = analysis.program;
    let own = |method: MethodId| program.classes[program.methods[method].class].tier == Tier::Application;
    match analysis.procedures.get(procedure) {
        Procedure::Method(method) | Procedure::Lambda { method, .. } | Procedure::Proxy(method) => {
            own(method)
        }
        Procedure::Client(_) | Procedure::Roots => true,
    }
}

/// The class initialisers that run, each with every procedure that may be the first to need the class.
fn initializations(analysis: &Analysis<'_>) -> BTreeSet<(ProcedureId, ProcedureId)> {
    let program = analysis.program;
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<ProcedureId> = BTreeSet::new();
    for instance in analysis.instances.iter() {
        if !seen.insert(instance.procedure) {
            continue;
        }
        let classes = analysis.summary(instance.procedure).map_or(&[][..], |summary| &summary.initializes);
        for initializer in classes.iter().flat_map(|&class| initializers(program, class)) {
            let procedure = Procedures::of_method(initializer);
            if analysis.is_reached(initializer) && procedure != instance.procedure {
                found.insert((procedure, instance.procedure));
            }
        }
    }
    found
}

/// The initialisers of a class and its superclasses.
fn initializers(program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> {
    let declared = |class| program.declared_method(class, "<clinit>".into(), "()V".into());
    program.superclasses(class).filter_map(declared)
}

/// Breadth-first from the entry; what it does not reach (initialisers that a rule runs) is reached by itself.
fn shortest_ways(
    analysis: &Analysis<'_>,
    calls: &BTreeMap<Call, BTreeMap<Manner, usize>>,
) -> BTreeMap<ProcedureId, Option<ProcedureId>> {
    let mut reached_from = BTreeMap::new();
    let all: BTreeSet<ProcedureId> = analysis.instances.iter().map(|instance| instance.procedure).collect();
    let is_entry = |procedure: &&ProcedureId| analysis.procedures.get(**procedure) == Procedure::Roots;
    for &start in all.iter().filter(is_entry).chain(&all) {
        if reached_from.contains_key(&start) {
            continue;
        }
        reached_from.insert(start, None);
        let mut queue = VecDeque::from([start]);
        while let Some(caller) = queue.pop_front() {
            let last = ProcedureId::new(u32::MAX);
            for (&(_, callee), _) in calls.range((caller, ProcedureId::new(0))..=(caller, last)) {
                reached_from.entry(callee).or_insert_with(|| {
                    queue.push_back(callee);
                    Some(caller)
                });
            }
        }
    }
    reached_from
}
