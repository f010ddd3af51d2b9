//! `selvedge inspect --what threads`: the abstract threads, where they start, what they run, who starts whom.

use std::io::{self, Write};

use selvedge_base::FastSet;
use selvedge_detect::Ground;
use selvedge_facts::{AbstractThread, Origin, ThreadId};
use selvedge_world::MethodId;

use super::hierarchy::escape;
use super::labels::Labels;

/// Shows the threads of a program.
pub struct ShownThreads<'g, 'a> {
    ground: &'g Ground<'a>,
    labels: Labels<'g, 'a>,
}

impl<'g, 'a> ShownThreads<'g, 'a> {
    pub fn new(ground: &'g Ground<'a>) -> Self {
        Self { ground, labels: Labels::new(ground.view.analysis, false) }
    }

    /// One paragraph for each thread that executes one of the methods; the methods are listed if there are few.
    pub fn text(&self, methods: &[MethodId], out: &mut dyn Write) -> io::Result<()> {
        for (id, thread) in self.ground.threads.all.iter_ids() {
            let executed = self.executed(id, methods);
            if executed.is_empty() {
                continue;
            }
            writeln!(out, "{id} {}", self.describe(thread))?;
            for entry in self.entries(thread) {
                writeln!(out, "    begins in {entry}")?;
            }
            let starters = self.starters(thread);
            if !starters.is_empty() {
                let names: Vec<String> = starters.iter().map(ToString::to_string).collect();
                writeln!(out, "    started by {}", names.join(", "))?;
            }
            writeln!(out, "    executes {} of the methods asked for", executed.len())?;
            for method in executed.iter().take(LISTED) {
                writeln!(out, "        {}", self.ground.view.program.describe_method(*method))?;
            }
            if executed.len() > LISTED {
                writeln!(out, "        ... and {} more", executed.len() - LISTED)?;
            }
        }
        Ok(())
    }

    /// Who starts whom, as a graph; threads of which there can be many have a double border.
    pub fn dot(&self, methods: &[MethodId], out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "digraph threads {{\n  node [shape=box, fontname=\"sans-serif\"];")?;
        let all = &self.ground.threads.all;
        let shown: Vec<ThreadId> =
            all.iter_ids().map(|(id, _)| id).filter(|&id| !self.executed(id, methods).is_empty()).collect();
        for &id in &shown {
            let thread = &all[id];
            let mut label = vec![format!("{id} {}", self.describe(thread))];
            label.extend(self.entries(thread).into_iter().take(4));
            let label: Vec<String> = label.iter().map(|line| escape(line)).collect();
            let many = if thread.many { ", peripheries=2" } else { "" };
            writeln!(out, "  {id} [label=\"{}\"{many}];", label.join("\\n"))?;
        }
        for &id in &shown {
            for starter in self.starters(&all[id]) {
                if shown.contains(&starter) {
                    writeln!(out, "  {starter} -> {id};")?;
                }
            }
        }
        writeln!(out, "}}")
    }

    /// The methods among those asked for that a thread may execute, in their order.
    fn executed(&self, thread: ThreadId, methods: &[MethodId]) -> Vec<MethodId> {
        let reached = &self.ground.threads.reached[thread];
        let instances = |method: MethodId| self.ground.view.analysis.instances_of(method);
        let executes = |&method: &MethodId| instances(method).iter().any(|&it| reached.contains(it));
        methods.iter().copied().filter(executes).collect()
    }

    fn describe(&self, thread: &AbstractThread) -> String {
        let program = self.ground.view.program;
        let mut text = match thread.origin {
            Origin::Main(method) => format!("main thread, {}", program.describe_method(method)),
            Origin::Client => "callers of the library".to_owned(),
            Origin::ContainerStart => "the container, before it calls its services".to_owned(),
            Origin::Container(None) => "the container, which calls its services".to_owned(),
            Origin::Container(Some(method)) => {
                format!("the container, which calls {}", program.describe_method(method))
            }
            Origin::Vm(method) => format!("a thread of the JVM, {}", program.describe_method(method)),
            Origin::Initializers => "initialisers of classes, in whichever thread".to_owned(),
            Origin::Spawn { instance, inst, .. } => {
                let at = match (self.ground.view.method_of(instance), inst) {
                    (Some(method), Some(inst)) => self.labels.at(method, inst),
                    _ => self.labels.instance(instance),
                };
                format!("started at {at}")
            }
        };
        if thread.many {
            text += ", many at once";
        }
        if thread.repeats {
            text += ", again and again";
        }
        text
    }

    /// What a thread begins with, each once.
    fn entries(&self, thread: &AbstractThread) -> Vec<String> {
        let mut names: Vec<String> =
            thread.entries.iter().map(|&entry| self.labels.instance(entry)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The threads that may execute the start of a thread.
    fn starters(&self, thread: &AbstractThread) -> Vec<ThreadId> {
        let Origin::Spawn { instance, .. } = thread.origin else { return Vec::new() };
        let found: FastSet<ThreadId> = self.ground.threads.may_execute(instance).iter().copied().collect();
        let mut found: Vec<ThreadId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// Methods that are listed for a thread.
const LISTED: usize = 12;
