//! Runs the points-to analysis with the options of the command line.

use std::time::Duration;

use anyhow::{Result, anyhow};
use selvedge_detect::check::Heap;
use selvedge_models::Models;
use selvedge_pta::context::{POLICIES, Policy, policy_named};
use selvedge_pta::{Analysis, Entries, Limits, Objects, analyze, services, unify};
use selvedge_world::{ClassId, EntryPoints, EntryRequest, Program};

use crate::arguments::{AnalysisArguments, HeapArgument};
use crate::models;

/// What an analysis needs besides the program.
pub struct Setup {
    /// What is known of library methods.
    pub models: Models,
    /// How contexts are distinguished.
    pub policy: Box<dyn Policy>,
    /// Who calls the program.
    pub entries: Entries,
    /// What may be spent.
    pub limits: Limits,
    /// How the heap is found.
    pub heap: Heap,
}

impl Setup {
    /// Finds everything that the arguments name. If they name no policy, it is `default`, or else the tool's own.
    pub fn new(program: &Program, arguments: &AnalysisArguments, default: Option<&str>) -> Result<Self> {
        let name = arguments.policy.as_deref().or(default).unwrap_or("adaptive");
        let policy = policy_named(name)
            .ok_or_else(|| anyhow!("there is no policy {name}; there are {}", POLICIES.join(", ")))?;
        let models = models::load(&arguments.models)?.for_release(u32::from(program.jdk_version));
        Ok(Self {
            entries: entries(program, &models, arguments)?,
            models,
            policy,
            heap: match arguments.heap {
                HeapArgument::Inclusion => Heap::Inclusion,
                HeapArgument::Unify => Heap::Unification,
            },
            limits: Limits {
                time: arguments.max_time.map(Duration::from_secs),
                memory: arguments.max_memory,
                work: arguments
                    .max_work
                    .map(|millions| millions.saturating_mul(1_000_000))
                    .or(Limits::default().work),
                ..Limits::default()
            },
        })
    }

    /// Runs the analysis.
    pub fn run<'p>(&'p self, program: &'p Program) -> Analysis<'p> {
        match self.heap {
            Heap::Inclusion => {
                analyze(program, &self.models, &self.entries, self.policy.as_ref(), self.limits)
            }
            Heap::Unification => unify(program, &self.models, &self.entries, Objects::ByType),
        }
    }
}

/// Who calls the program: what the arguments name, or else its main methods or its public interface, and in any case the
/// containers that find services in it, unless the user asks for an interface.
fn entries(program: &Program, models: &Models, arguments: &AnalysisArguments) -> Result<Entries> {
    if let Some(classes) = &arguments.library {
        let points = program.entry_points(&EntryRequest::Library(classes.clone()))?;
        return Ok(Entries::of_program(program, &points));
    }
    let services = services(program, models);
    if !arguments.main.is_empty() {
        let mut methods = Vec::new();
        for main in &arguments.main {
            let points = program.entry_points(&EntryRequest::Main(main.clone()))?;
            methods.extend(Entries::of_program(program, &points).mains);
        }
        return Ok(Entries::of_mains(methods).with_services(services));
    }
    let mut points = program.entry_points(&EntryRequest::Find)?;
    if let EntryPoints::Library(classes) = &mut points {
        // What a container calls is not for other callers.
        let is_service = |class: &ClassId| services.iter().any(|service| service.class == *class);
        classes.retain(|class| !is_service(class) || program.classes[*class].is_interface());
    }
    Ok(Entries::of_program(program, &points).with_services(services))
}

/// Says on standard error what was given up and assumed: how much, or everything.
pub fn tell(analysis: &Analysis<'_>, all: bool) {
    for given_up in &analysis.degradations {
        eprintln!("selvedge: {given_up}");
    }
    match analysis.assumptions.len() {
        0 => {}
        _ if all => {
            let mut assumptions: Vec<&String> = analysis.assumptions.iter().collect();
            assumptions.sort_unstable();
            assumptions.iter().for_each(|assumption| eprintln!("selvedge: assumed: {assumption}"));
        }
        1 => eprintln!("selvedge: the result rests on 1 assumption (--problems lists it)"),
        count => eprintln!("selvedge: the result rests on {count} assumptions (--problems lists them)"),
    }
}
