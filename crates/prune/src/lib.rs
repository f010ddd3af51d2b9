//! From the facts of a check to an instrumentation plan: which accesses a run need not watch.
//!
//! The reasons, one file each:
//! - [`survivors`]: the access is in no pair that may race, nor to a location that has one (section 5 of the paper);
//! - [`weaker_than`]: another access of the method has always said the same before it (section 6.1);
//! - [`versions`]: it is in no such pair when the method is called from here.
//!
//! **Theorem.** Under the assumptions of the points-to analysis, a run watched by the plan shows a happens-before race on
//! the same locations as one in which everything is watched; and a lockset race, without ownership, on the same
//! locations but for those where every pair is proved to be ordered by something that locksets cannot express (a
//! hand-over, a start). With ownership, a location that changes hands exactly between two accesses of which the second was
//! dropped may be missed by locksets, as in the paper (section 7.2).
//!
//! What the analysis did not see, methods that it did not reach and classes that it did not read, is not in the plan, and so
//! is watched in full. That holds of quiet fields, too: those that no watched access is to. A run makes no room for words beside them.

pub mod survivors;
pub mod versions;
pub mod weaker_than;

use std::collections::BTreeMap;

use selvedge_base::FastSet;
use selvedge_facts::{AccessId, Facts, Place, Unproved};
use selvedge_ir::{Body, Inst, Op};
use selvedge_protocol::{Arrays, ClassPlan, MethodPlan, Plan, QuietPlan, Sites};
use selvedge_world::{FieldId, MethodId};

use survivors::Survivors;
use versions::{Version, Versions};
use weaker_than::{Redundancy, Watched};

/// Which reasons count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether accesses that cannot race are left out.
    pub races: bool,
    /// Whether accesses are left out that another one makes redundant.
    pub weaker_than: bool,
    /// Which methods have a quiet version, for calls with which fewer of their accesses may race.
    pub versions: Versioned,
    /// What counts as one location in an array.
    pub arrays: Arrays,
}

/// Which methods have a quiet version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Versioned {
    /// None.
    Nothing,
    /// Those for which it pays.
    WhatPays,
    /// All that may have one, for tests.
    Everything,
}

impl Default for Options {
    fn default() -> Self {
        Self { races: true, weaker_than: true, versions: Versioned::WhatPays, arrays: Arrays::default() }
    }
}

/// How many accesses each reason left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Accesses in the methods that the analysis reached.
    pub accesses: u64,
    /// Left out because they cannot race.
    pub safe: u64,
    /// Left out because another access has said the same before.
    pub redundant: u64,
    /// Methods that have a quiet version.
    pub versions: u64,
    /// Calls that enter quiet versions, in all bodies.
    pub quiet_calls: u64,
}

impl Counts {
    /// Accesses that report.
    pub fn kept(&self) -> u64 {
        self.accesses - self.safe - self.redundant
    }
}

/// A plan, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pruned {
    /// The plan. Its scopes are everything: whoever runs it knows better.
    pub plan: Plan,
    /// How many accesses each reason left out.
    pub counts: Counts,
    /// The accesses that cannot race.
    pub safe: Vec<AccessId>,
}

/// Makes the plan. `unproved` is what is not proved safe, for every object if there are versions.
pub fn plan(facts: &Facts<'_, '_>, unproved: &[Unproved], options: &Options) -> Pruned {
    let planner = Planner {
        facts,
        options,
        survivors: options.races.then(|| Survivors::new(facts, unproved)),
        quiet: weaker_than::QuietMethods::new(facts.view),
    };
    let versions = planner.versions();
    let view = facts.view;
    let mut classes: BTreeMap<String, ClassPlan> = BTreeMap::new();
    let mut counts = Counts::default();
    for (method, body) in view.application_code() {
        let mut entry = planner.watched(method, body, &mut counts);
        let calls = |version| {
            let calls = versions.calls(view, method, body, version);
            (calls.quiet.into_keys().collect::<Vec<u32>>(), calls.watched.into_iter().collect::<Vec<u32>>())
        };
        (entry.quiet_calls, entry.watched_calls) = calls(Version::Watched);
        entry.quiet = versions.of(method).map(|quiet| {
            let needed = |access: AccessId| quiet.needed.contains(&access);
            let reported = planner.reported(method, body, needed, &mut Counts::default());
            let report = reported.report;
            let (quiet_calls, watched_calls) = calls(Version::Quiet);
            QuietPlan { report, quiet_calls, watched_calls }
        });
        counts.versions += u64::from(entry.quiet.is_some());
        let in_quiet = entry.quiet.as_ref().map_or(0, |quiet| quiet.quiet_calls.len());
        counts.quiet_calls += (entry.quiet_calls.len() + in_quiet) as u64;
        let data = &view.program.methods[method];
        let class = view.program.classes[data.class].name.to_string();
        let name = format!("{}{}", data.name, data.descriptor);
        classes.entry(class).or_default().methods.insert(name, entry);
    }
    planner.quiet_fields(&mut classes);
    let survivors = planner.survivors.as_ref();
    let is_safe = |access: &AccessId| survivors.is_some_and(|survivors| !survivors.contains(*access));
    let safe = facts.accesses.all.ids().filter(is_safe).collect();
    Pruned { plan: Plan { sites: Sites::Listed(classes), ..Plan::everything() }, counts, safe }
}

/// What plans of methods are made from.
struct Planner<'p, 'f, 'v> {
    facts: &'p Facts<'f, 'v>,
    options: &'p Options,
    survivors: Option<Survivors>,
    quiet: weaker_than::QuietMethods,
}

/// What reports in one body of a method.
struct Reported {
    /// The instructions that are in `report` because of a known access.
    kept: Vec<Inst>,
    report: Vec<u32>,
}

impl Planner<'_, '_, '_> {
    /// The versions that are wanted and that a call enters.
    fn versions(&self) -> Versions {
        let is_wanted = |_: &&Survivors| self.options.versions != Versioned::Nothing;
        let Some(survivors) = self.survivors.as_ref().filter(is_wanted) else { return Versions::default() };
        let view = self.facts.view;
        let mut versions = Versions::new(self.facts, survivors);
        if self.options.versions == Versioned::WhatPays {
            versions.retain(|method, quiet| {
                let Some(body) = view.program.body(method) else { return false };
                let ignored = &mut Counts::default();
                let left = self.reported(method, body, |access| quiet.needed.contains(&access), ignored).kept;
                let watched = self.reported(method, body, |access| survivors.contains(access), ignored).kept;
                versions::is_worth_it(body, watched.into_iter().filter(|inst| !left.contains(inst)))
            });
        }
        versions.retain_entered(view);
        versions
    }

    /// What reports in the watched version of a method, or in its only one.
    fn watched(&self, method: MethodId, body: &Body, counts: &mut Counts) -> MethodPlan {
        let may_race = |access: AccessId| self.survivors.as_ref().is_none_or(|it| it.contains(access));
        let Reported { report, .. } = self.reported(method, body, may_race, counts);
        MethodPlan { report, ..MethodPlan::default() }
    }

    /// Names the fields of objects, of classes with a plan, that no access which may race is to.
    fn quiet_fields(&self, classes: &mut BTreeMap<String, ClassPlan>) {
        let Some(survivors) = &self.survivors else { return };
        let program = self.facts.view.program;
        for class in program.classes.ids().map(|class| &program.classes[class]) {
            let Some(plan) = classes.get_mut(&*class.name.to_string()) else { continue };
            let fields = class.fields.iter().map(|field| (Place::Field(field), &program.fields[field]));
            // Fields of one name and different types share what a run keeps beside them.
            let (quiet, watched): (Vec<_>, Vec<_>) = fields
                .filter(|(_, data)| !data.is_static())
                .partition(|(place, _)| !survivors.has_racy_objects(*place));
            plan.quiet_fields = quiet.into_iter().map(|(_, data)| data.name.to_string()).collect();
            for (_, data) in watched {
                plan.quiet_fields.remove(&data.name.to_string());
            }
        }
    }

    /// What reports in a body if these accesses may race.
    fn reported(
        &self,
        method: MethodId,
        body: &Body,
        may_race: impl Fn(AccessId) -> bool,
        counts: &mut Counts,
    ) -> Reported {
        let Self { facts, options, .. } = self;
        let mut watched: Vec<Watched> = Vec::new();
        for &access in facts.accesses.of_method(method) {
            counts.accesses += 1;
            if may_race(access) {
                watched.extend(watched_access(facts, access, options.arrays));
            } else {
                counts.safe += 1;
            }
        }
        let redundancy = if options.weaker_than {
            Redundancy::new(facts.view, method, body, &watched, &self.quiet)
        } else {
            Redundancy::default()
        };
        let kept: Vec<Inst> =
            watched.iter().map(|it| it.inst).filter(|inst| !redundancy.is_redundant(*inst)).collect();
        counts.redundant += (watched.len() - kept.len()) as u64;
        let index = |inst: Inst| body.insts[inst].bci;
        let mut report: Vec<u32> = kept.iter().map(|&inst| index(inst)).collect();
        report.extend(unresolved(facts, method, body));
        report.sort_unstable();
        report.dedup();
        Reported { kept, report }
    }
}

/// The access as the weaker-than relation sees it.
fn watched_access(facts: &Facts<'_, '_>, id: AccessId, arrays: Arrays) -> Option<Watched> {
    let access = facts.accesses.all[id];
    let body = facts.view.program.body(access.method)?;
    let index = match (access.place, arrays) {
        (Place::Element, Arrays::Element) => body.args(access.inst).get(1).copied(),
        _ => None,
    };
    Some(Watched { inst: access.inst, place: access.place, base: access.base, index, kind: access.kind })
}

/// Accesses of the body that the facts do not know because their field is not found: they report.
fn unresolved(facts: &Facts<'_, '_>, method: MethodId, body: &Body) -> Vec<u32> {
    let known: FastSet<u32> = facts
        .accesses
        .of_method(method)
        .iter()
        .map(|id| body.insts[facts.accesses.all[*id].inst].bci)
        .collect();
    let is_found = |reference| -> Option<FieldId> { facts.view.program.resolve_field(reference).ok() };
    let accesses = body.insts.iter().filter(|data| match &data.op {
        Op::GetField(reference)
        | Op::PutField(reference)
        | Op::GetStatic(reference)
        | Op::PutStatic(reference) => is_found(reference).is_none(),
        _ => false,
    });
    accesses.map(|data| data.bci).filter(|bci| !known.contains(bci)).collect()
}
