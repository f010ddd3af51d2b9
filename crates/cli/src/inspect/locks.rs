//! `selvedge inspect --what locks`: which locks are held where fields are accessed, and so which lock guards what.
//!
//! Constructors and class initialisers are left out: what they do comes before the object or class is known to others. A lock is
//! named as the code names it that takes it; that two names mean the same object is for `check` to find out.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use selvedge_detect::Ground;
use selvedge_facts::{AccessId, AccessKind, Locks, Mode, Place};
use selvedge_world::{ClassId, FieldId, java_name};

use super::hierarchy::escape;
use super::labels::Labels;

/// Shows the locks of a program.
pub struct ShownLocks<'g, 'a> {
    labels: Labels<'g, 'a>,
    /// For each field, its accesses in order: what, and the locks held.
    fields: BTreeMap<String, Vec<Line>>,
    /// For each lock, where it is taken.
    taken: BTreeMap<String, BTreeSet<String>>,
}

/// One access.
struct Line {
    what: String,
    locks: BTreeSet<String>,
}

impl<'g, 'a> ShownLocks<'g, 'a> {
    /// The accesses to the fields of some classes.
    pub fn new(ground: &'g Ground<'a>, classes: &[ClassId]) -> Self {
        let Ground { view, threads, executions, accesses } = ground;
        let locks = Locks::new(view, threads, executions, accesses);
        let labels = Labels::new(view.analysis, false);
        let mut shown = Self { labels, fields: BTreeMap::new(), taken: BTreeMap::new() };
        let wanted: BTreeSet<ClassId> = classes.iter().copied().collect();
        for (id, access) in accesses.all.iter_ids() {
            let (Place::Field(field) | Place::Static(field)) = access.place else { continue };
            let method = &view.program.methods[access.method];
            let initialises = method.is_constructor() || method.is_class_initializer();
            if wanted.contains(&view.program.fields[field].class) && !initialises {
                shown.add(ground, &locks, id, field);
            }
        }
        shown
    }

    fn add(&mut self, ground: &Ground<'_>, locks: &Locks, id: AccessId, field: FieldId) {
        let view = &ground.view;
        let access = &ground.accesses.all[id];
        let mut held: Option<BTreeSet<String>> = None;
        for &instance in view.analysis.instances_of(access.method) {
            if ground.threads.may_execute(instance).is_empty() {
                continue;
            }
            let mut here = BTreeSet::new();
            for lock in locks.must_hold(view, id, instance) {
                let name = match lock.mode {
                    Mode::Shared => format!("{} (for reading)", lock.name),
                    _ => lock.name.clone(),
                };
                let at = match lock.taken_at {
                    Some(inst) => self.labels.at(lock.taken_in, inst),
                    None => format!("the entry of {}", view.program.describe_method(lock.taken_in)),
                };
                self.taken.entry(name.clone()).or_default().insert(at);
                here.insert(name);
            }
            // What must be held is held whichever way the method is called.
            held = Some(match held {
                None => here,
                Some(before) => before.intersection(&here).cloned().collect(),
            });
        }
        let Some(locks) = held else { return };
        let data = &view.program.fields[field];
        let name = format!("{}.{}", java_name(view.program.classes[data.class].name), data.name);
        let action = if access.kind == AccessKind::Write { "write" } else { "read " };
        let what = format!("{action} at {}", self.labels.at(access.method, access.inst));
        self.fields.entry(name).or_default().push(Line { what, locks });
    }

    /// For each lock, where it is taken and how many accesses to which fields are under it; then each field with its accesses.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (lock, places) in &self.taken {
            writeln!(out, "lock {lock}")?;
            for place in places {
                writeln!(out, "    taken at {place}")?;
            }
            for (field, lines) in &self.fields {
                let under = lines.iter().filter(|line| line.locks.contains(lock)).count();
                if under > 0 {
                    let all = if under == lines.len() { "all" } else { "only" };
                    writeln!(out, "    held at {all} {under} of {} accesses to {field}", lines.len())?;
                }
            }
        }
        for (field, lines) in &self.fields {
            writeln!(out, "field {field}")?;
            for line in lines {
                let locks: Vec<&str> = line.locks.iter().map(String::as_str).collect();
                let locks = if locks.is_empty() { "no lock".to_owned() } else { locks.join(", ") };
                writeln!(out, "    {}: {locks}", line.what)?;
            }
        }
        Ok(())
    }

    /// Locks and the fields under them; a dashed edge where some accesses go without.
    pub fn dot(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "digraph locks {{\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];")?;
        let locks: Vec<&String> = self.taken.keys().collect();
        for (index, lock) in locks.iter().enumerate() {
            writeln!(out, "  lock{index} [shape=ellipse, label=\"{}\"];", escape(lock))?;
        }
        for (number, (field, lines)) in self.fields.iter().enumerate() {
            writeln!(out, "  field{number} [shape=box, label=\"{}\"];", escape(field))?;
            for (index, lock) in locks.iter().enumerate() {
                let under = lines.iter().filter(|line| line.locks.contains(*lock)).count();
                if under > 0 {
                    let style = if under == lines.len() { "" } else { ", style=dashed" };
                    writeln!(
                        out,
                        "  lock{index} -> field{number} [label=\"{under} of {}\"{style}];",
                        lines.len()
                    )?;
                }
            }
        }
        writeln!(out, "}}")
    }
}
