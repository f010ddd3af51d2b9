//! `selvedge check`: the races that a program may have. Also what `explain` needs of it.

use std::mem::ManuallyDrop;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use selvedge_detect::Facts;
use selvedge_detect::check::{Analyses, Heap, Request, check_and};
use selvedge_detect::{interthread, objects, pairs, uses};
use selvedge_facts::assertions::asserted::{Assertion, Assertions};
use selvedge_facts::refuters::{Family, REFUTERS, named};
use selvedge_findings::pattern::matches_class;
use selvedge_findings::{Phase, Report};
use selvedge_ir::ClassName;
use selvedge_protocol::LeftOut;
use selvedge_prune::{Pruned, Versioned};
use selvedge_report::words;
use selvedge_world::{ClassSource, EntryPoints, EntryRequest, Input, Program, Tier};

use crate::analysis::Setup;
use crate::arguments::{
    AnalysisArguments, CacheArguments, CheckArguments, DetectionArguments, Effort, HeapArgument,
    InputArguments, LocksArgument,
};
use crate::config::Config;
use crate::detector_arguments::Part;
use crate::guard::Guard;
use crate::kept::Place;
use crate::progress::Progress;
use crate::run::agent;
use crate::show::Shower;
use crate::{audit, check_run, confirm, dump, hints, output, partners, suppress};

/// The analyses that there are.
const ANALYSES: [&str; 4] = ["pairs", "objects", "uses", "interthread"];

/// Runs the command.
pub fn run(arguments: &CheckArguments, config: &Config) -> Result<ExitCode> {
    let shower = Shower::new(&arguments.show)?;
    if arguments.run || arguments.confirm {
        // A check may take minutes: what the run lacks is said before.
        agent::check()?;
    }
    let is_library = arguments.analysis.library.is_some();
    if arguments.confirm && arguments.command.is_empty() && !is_library {
        bail!(
            "--confirm needs a program: give its command after --, or --library to have tests written that call the classes"
        );
    }
    let guard = Guard::new(&arguments.analysis, Progress::new());
    let check = Check {
        guard: &guard,
        input: &arguments.input,
        analysis: &arguments.analysis,
        detection: &arguments.detection,
        // A plan names the refuters of what it leaves out.
        safe: arguments.safe || arguments.plan.is_some(),
        config,
        scope: &arguments.show.scope,
    };
    if let Some(stage) = arguments.dump {
        let dump = || dump::run(&check, stage, arguments.show.format, arguments.show.output.as_deref());
        return guard.over(refuse_part, dump);
    }
    let wants_plan = arguments.plan.is_some() || arguments.run;
    let make_plan = |facts: &Facts<'_, '_>, _: &pairs::Options| {
        let without = |part: Part| arguments.plan_without == Some(part);
        let options = selvedge_prune::Options {
            weaker_than: !without(Part::Dominators),
            versions: if without(Part::Versions) { Versioned::Nothing } else { Versioned::WhatPays },
            ..selvedge_prune::Options::default()
        };
        let every_object = options.versions != Versioned::Nothing;
        let asked = pairs::Options { every_object, ..pairs::Options::default() };
        let unproved = pairs::not_proved_safe(facts, &asked);
        let mut pruned = selvedge_prune::plan(facts, &unproved, &options);
        if arguments.plan.is_some() {
            pruned.plan.left_out = audit::left_out(facts, &pruned.safe);
        }
        pruned
    };
    let report_and_plan = |check: &Check<'_>| -> Result<(Report, Option<Pruned>)> {
        if wants_plan {
            let (report, pruned) = check.report_and(make_plan)?;
            return Ok((report, Some(pruned)));
        }
        Ok((check.report(&arguments.cache)?, None))
    };
    let find = || -> Result<(Report, Option<Pruned>)> {
        let (mut report, mut pruned) = report_and_plan(&check)?;
        if let Some(why) = hardly_started(&arguments.analysis, &report) {
            let as_library = AnalysisArguments { library: Some(Vec::new()), ..arguments.analysis.clone() };
            output::say(&format!("selvedge: {why}\n"));
            guard.restart();
            (report, pruned) = report_and_plan(&Check { analysis: &as_library, ..check })?;
            report.assumptions.push(why);
            report.assumptions.sort_unstable();
        }
        Ok((report, pruned))
    };
    let write_part = |mut report: Report| {
        check.describe_input(&mut report, false);
        shower.show_for_status(report, config).unwrap_or_else(|error| {
            output::say(&format!("selvedge: {error:#}\n"));
            2
        })
    };
    let (mut report, mut pruned) = guard.over(write_part, find)?;
    if report.partial.is_some() {
        // Neither a plan nor a run is made of a part: then what was asked for is missing.
        let status = shower.show(report, config)?;
        return Ok(if wants_plan || arguments.confirm { ExitCode::from(2) } else { status });
    }
    if let (Some(path), Some(pruned)) = (&arguments.plan, &mut pruned) {
        audit::name_refuters(&mut pruned.plan.left_out, &report);
        pruned.plan.partners = partners::of(&report);
        write_plan(path, pruned)?;
        pruned.plan.left_out = LeftOut::default();
        pruned.plan.partners.clear();
    }
    if !arguments.safe {
        report.safe = None;
    }
    let mut is_observed = true;
    if let Some(pruned) = pruned.filter(|_| arguments.run) {
        (report, is_observed) = check_run::run(report, pruned.plan, &arguments.command)?;
    }
    if arguments.confirm && arguments.command.is_empty() {
        let library = confirm::Library {
            input: &arguments.input,
            options: &arguments.tries,
            tests: arguments.tests.as_deref(),
            report: confirm::written_report(arguments.show.output.as_ref(), arguments.show.format),
        };
        library.confirm(&mut report)?;
    } else if arguments.confirm {
        let tries = confirm::Tries {
            command: &arguments.command,
            options: &arguments.tries,
            chosen: None,
            report: confirm::written_report(arguments.show.output.as_ref(), arguments.show.format),
        };
        is_observed = tries.confirm(&mut report)?;
    }
    if arguments.input.problems {
        report.problems.iter().for_each(|problem| {
            eprintln!("selvedge: {}: {}: {}", problem.place, problem.kind, problem.message);
        });
        report.assumptions.iter().for_each(|assumption| eprintln!("selvedge: assumed: {assumption}"));
    }
    let status = shower.show(report, config)?;
    // The check is worth its report, but half of what was asked for is missing.
    Ok(if is_observed { status } else { ExitCode::from(2) })
}

/// What is not a report is of no use in part. The exit status.
pub fn refuse_part(report: Report) -> u8 {
    if let Some(partial) = &report.partial {
        output::say(&format!("selvedge: {}\n", words::partial(partial)));
    }
    2
}

/// Of a program whose main method reaches less than one in this many of its methods, the main method is not the point.
const HARDLY_REACHED: u64 = 50;

/// Archives of fewer methods are what they are.
const FEW_METHODS: u64 = 100;

/// Why a program is analysed as a library instead: nobody has named its start, and the main method that its manifest names (to print a
/// version, for a demonstration) reaches hardly anything.
fn hardly_started(analysis: &AnalysisArguments, report: &Report) -> Option<String> {
    let coverage = report.coverage.as_ref().filter(|_| report.partial.is_none())?;
    let is_chosen = !analysis.main.is_empty() || analysis.library.is_some();
    let (reached, methods) = (coverage.reached, coverage.application_methods);
    let is_hardly = methods >= FEW_METHODS && reached * HARDLY_REACHED < methods;
    let main = coverage.mains.first().filter(|_| !is_chosen && is_hardly)?;
    Some(format!(
        "{main} reaches {reached} of {methods} methods, so the input is analysed as a library; --main {main} analyses the program"
    ))
}

/// Writes a plan, and says what it leaves out.
fn write_plan(path: &Path, pruned: &Pruned) -> Result<()> {
    output::write(Some(path), &pruned.plan.to_json())?;
    let counts = &pruned.counts;
    eprintln!(
        "selvedge: of {} accesses {} are watched: {} cannot race, {} are redundant",
        counts.accesses,
        counts.kept(),
        counts.safe,
        counts.redundant,
    );
    if counts.versions > 0 {
        eprintln!(
            "selvedge: {} methods have a quiet version, which {} calls enter",
            counts.versions, counts.quiet_calls,
        );
    }
    Ok(())
}

/// What to check, and how.
pub struct Check<'a> {
    /// Who watches over limits and signals.
    pub guard: &'a Guard,
    /// The program.
    pub input: &'a InputArguments,
    /// How call graph and points-to sets are found.
    pub analysis: &'a AnalysisArguments,
    /// How pairs are judged.
    pub detection: &'a DetectionArguments,
    /// Whether to say why fields are safe.
    pub safe: bool,
    /// What the configuration asserts.
    pub config: &'a Config,
    /// The packages and classes in which races are reported; all if there are none.
    pub scope: &'a [String],
}

impl Check<'_> {
    /// Loads and checks the program, and lets `also` look at the facts.
    pub fn report_and<T>(
        &self,
        also: impl FnOnce(&Facts<'_, '_>, &pairs::Options) -> T,
    ) -> Result<(Report, T)> {
        let (input, start) = self.read()?;
        self.analyse(input, start, also)
    }

    /// The report, from the cache if it was made before.
    fn report(&self, cache: &CacheArguments) -> Result<Report> {
        let (input, start) = self.read()?;
        let place = Place::of(self, cache, &input);
        if let Some(report) = place.as_ref().and_then(Place::read) {
            return Ok(report);
        }
        let (report, ()) = self.analyse(input, start, |_, _| ())?;
        if let Some(place) = place.filter(|_| report.partial.is_none()) {
            place.keep(&report);
        }
        Ok(report)
    }

    /// Reads the input; also when that began.
    fn read(&self) -> Result<(Input, Instant)> {
        let start = Instant::now();
        let input = self.input.read()?;
        self.check_scope(&input)?;
        Ok((input, start))
    }

    /// A scope that has none of the classes leaves out every finding: it is misspelt.
    fn check_scope(&self, input: &Input) -> Result<()> {
        let is_in_scope = |source: &ClassSource| {
            let class = source.path.trim_end_matches(".class").replace('/', ".");
            // The name of a class file that is given by itself is in the file alone.
            class.is_empty() || self.scope.iter().any(|pattern| matches_class(pattern, &class))
        };
        if !self.scope.is_empty() && !input.classes.is_empty() && !input.classes.iter().any(is_in_scope) {
            let scope = self.scope.join(",");
            bail!(
                "there is no class in --scope {scope}: name packages (com.acme.*) or classes of the program"
            );
        }
        Ok(())
    }

    fn analyse<T>(
        &self,
        read: Input,
        start: Instant,
        also: impl FnOnce(&Facts<'_, '_>, &pairs::Options) -> T,
    ) -> Result<(Report, T)> {
        let Self { guard, input, analysis, detection, .. } = self;
        if let Some(unknown) = detection.analysis.iter().find(|name| !ANALYSES.contains(&name.as_str())) {
            bail!("there is no analysis {unknown}; there are {}", ANALYSES.join(", "));
        }
        let wants = |name: &str| detection.analysis.iter().any(|wanted| wanted == name);
        let analyses = Analyses {
            pairs: wants("pairs"),
            objects: wants("objects").then_some(objects::Options { all: detection.all }),
            uses: wants("uses").then_some(uses::Options { all: detection.all }),
            interthread: wants("interthread").then_some(interthread::Options { all: detection.all }),
            heap: Heap::default(),
        };
        let without = refuters_named(&detection.without)?;
        self.guard.show("reading");
        // Freed when the process ends, which is soon enough, and faster.
        let mut program = ManuallyDrop::new(Program::load(read));
        if !program.classes.iter().any(|class| class.tier == Tier::Application) {
            output::tell_problems(&program.problems(), input.problems);
            bail!(hints::no_classes(&input.paths, &program.problems()));
        }
        narrow_to_named(&mut program, input, analysis);
        let border = draw_border(&mut program, input, analysis)?;
        let reading = Phase {
            name: "reading".to_string(),
            ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        let policy = match detection.effort {
            Effort::Low => Some("insensitive"),
            Effort::Default => None,
            Effort::High => Some("2-object"),
        };
        let mut setup = Setup::new(&program, analysis, policy)?;
        setup.limits.time = guard.time_for_points_to();
        let request = Request {
            program: &program,
            models: &setup.models,
            entries: &setup.entries,
            policy: setup.policy.as_ref(),
            limits: setup.limits,
            pairs: pairs::Options {
                include_initializers: detection.include_initializers,
                without,
                likely_locks: detection.locks == LocksArgument::Likely,
                safe: self.safe,
                assertions: self.assertions(&program),
                control: guard.control.clone(),
                ..pairs::Options::default()
            },
            analyses: Analyses { heap: setup.heap, ..analyses },
            is_last: true,
        };
        let also = |facts: &Facts<'_, '_>| also(facts, &request.pairs);
        let (mut report, looked_at) = check_and(&request, &mut |phase| guard.show(phase), also);
        report.partial = guard.partial();
        if let Some(coverage) = &mut report.coverage {
            coverage.border = border;
        }
        suppress::by_annotations(&mut report, &program);
        report.stats.phases.insert(0, reading);
        report.assumptions.extend(self.config.assume.iter().map(|(assertion, _)| assertion.sentence()));
        report.assumptions.sort_unstable();
        self.describe_input(&mut report, setup.entries.harness.is_some());
        Ok((report, looked_at))
    }

    /// What the configuration asserts, found in the program. An assertion about nothing is told on standard error.
    fn assertions(&self, program: &Program) -> Assertions {
        let said: Vec<Assertion> =
            self.config.assume.iter().map(|(assertion, _)| assertion.clone()).collect();
        let (found, unused) = Assertions::new(program, &said);
        for position in unused {
            let Assertion { said_at, about, .. } = &said[position];
            eprintln!("selvedge: {said_at}: there is no {about} in the program");
        }
        found
    }

    fn describe_input(&self, report: &mut Report, is_library: bool) {
        let Self { input, analysis, detection, .. } = self;
        let names =
            |paths: &[std::path::PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
        report.input.paths = names(&input.paths);
        report.input.classpath =
            names(&input.classpath.iter().flat_map(std::env::split_paths).collect::<Vec<_>>());
        report.input.jdk = input.jdk.as_ref().map(|path| path.display().to_string());
        report.input.main = (!analysis.main.is_empty()).then(|| analysis.main.join(","));
        report.input.library = is_library.then(|| analysis.library.clone().unwrap_or_default());
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                report.input.options.insert(name.to_owned(), value);
            }
        };
        option(
            "effort",
            match detection.effort {
                Effort::Default => None,
                Effort::Low => Some("low".to_owned()),
                Effort::High => Some("high".to_owned()),
            },
        );
        option("locks", (detection.locks == LocksArgument::Likely).then(|| "likely".to_owned()));
        option("all", detection.all.then(|| "true".to_owned()));
        option("policy", analysis.policy.clone());
        option("heap", (analysis.heap == HeapArgument::Unify).then(|| "unify".to_owned()));
        option("without", (!detection.without.is_empty()).then(|| detection.without.join(",")));
        option("include-initializers", detection.include_initializers.then(|| "true".to_owned()));
    }
}

/// Asked about some classes of a module of the JDK, the program is these classes, with what they extend and what is nested in
/// them; the rest of the module is library as always.
fn narrow_to_named(program: &mut Program, input: &InputArguments, analysis: &AnalysisArguments) {
    let named = analysis.library.as_deref().unwrap_or_default();
    let is_module = |path: &std::path::PathBuf| !path.exists();
    if named.is_empty() || !input.paths.iter().all(is_module) {
        return;
    }
    let mut kept: Vec<String> = Vec::new();
    for name in named {
        let class = program.class_named(ClassName::new(name.replace('.', "/")));
        let above = class.into_iter().flat_map(|class| program.superclasses(class));
        kept.extend(above.map(|class| program.classes[class].name.to_string()));
    }
    kept.retain(|name| name != "java/lang/Object");
    let is_kept = |name: &str| kept.iter().any(|kept| name == kept || name.starts_with(&format!("{kept}$")));
    for class in program.classes.iter_mut() {
        if class.tier == Tier::Application && !is_kept(&class.name.to_string()) {
            class.tier = Tier::Jdk;
        }
    }
}

/// Counts the libraries in the input as such: what the user does not name as the application, or what metadata tells.
fn draw_border(
    program: &mut Program,
    input: &InputArguments,
    analysis: &AnalysisArguments,
) -> Result<Vec<String>> {
    if !input.app.is_empty() {
        program.restrict_to_packages(&input.app)?;
        return Ok(input.app.clone());
    }
    let request = match (analysis.main.first(), &analysis.library) {
        (Some(main), _) => EntryRequest::Main(main.clone()),
        (None, Some(classes)) => EntryRequest::Library(classes.clone()),
        (None, None) => EntryRequest::Find,
    };
    let mains = match program.entry_points(&request)? {
        EntryPoints::Mains(mains) => mains,
        EntryPoints::Library(_) => Vec::new(),
    };
    Ok(program.find_border(&mains))
}

/// The names of refuters that the user gave, if they exist.
fn refuters_named(names: &[String]) -> Result<std::collections::BTreeSet<String>> {
    let mut found = std::collections::BTreeSet::new();
    for name in names {
        let mut named = named(name).peekable();
        if named.peek().is_none() {
            let known: Vec<&str> = REFUTERS.iter().map(|refuter| refuter.name).collect();
            let families = Family::ALL.map(Family::name).join(", ");
            bail!(
                "there is no refuter {name}; there are {}; or a whole family: {families}",
                known.join(", ")
            );
        }
        found.extend(named.map(|refuter| refuter.name.to_owned()));
    }
    Ok(found)
}
