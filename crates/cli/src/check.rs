//! `selvedge check`: the races that a program may have. Also what `explain` needs of it.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use selvedge_detect::Facts;
use selvedge_detect::check::{Request, check_and};
use selvedge_detect::pairs;
use selvedge_detect::refuters::{REFUTERS, SHARING};
use selvedge_findings::{Confidence, Phase, Report, diff};
use selvedge_ir::ClassName;
use selvedge_prune::Pruned;
use selvedge_report::{Detail, Format, Sources, Style, read_baseline, read_report, render, render_diff};
use selvedge_world::{Program, Tier};

use crate::analysis::Setup;
use crate::arguments::{
    AnalysisArguments, CheckArguments, DetectionArguments, Effort, FailOn, InputArguments, LocksArgument,
};
use crate::output;

/// The analyses that there are.
const ANALYSES: [&str; 1] = ["pairs"];

/// Runs the command.
pub fn run(arguments: &CheckArguments) -> Result<ExitCode> {
    let old = arguments.diff.as_deref().map(read_report_file).transpose()?;
    let baseline = arguments.baseline.as_deref().map(|path| {
        let text = read_text(path)?;
        read_baseline(&text).with_context(|| format!("{} is no baseline", path.display()))
    });
    let baseline = baseline.transpose()?;
    let wants_safe = arguments.safe;
    let make_plan = |facts: &Facts<'_, '_>| {
        let wanted = arguments.plan.is_some();
        wanted.then(|| selvedge_prune::plan(facts, &selvedge_prune::Options::default()))
    };
    let (mut report, pruned) =
        make_report_and(&arguments.input, &arguments.analysis, &arguments.detection, wants_safe, make_plan)?;
    if let (Some(path), Some(pruned)) = (&arguments.plan, &pruned) {
        write_plan(path, pruned)?;
    }
    if let Some(baseline) = &baseline {
        baseline.apply(&mut report);
    }
    let is_text = arguments.format == Format::Text;
    let detail = match (arguments.quiet, arguments.brief) {
        (true, _) => Detail::Summary,
        (_, true) => Detail::Brief,
        _ => Detail::Full,
    };
    let to_terminal = is_text && arguments.output.is_none() && io::stdout().is_terminal();
    let style = Style { detail, stats: arguments.stats, ..style(&arguments.sources, to_terminal) };
    let text = match &old {
        Some(old) if is_text => render_diff(&diff(old, &report), &style),
        _ => render(&report, arguments.format, &style),
    };
    let mut out = output::open(arguments.output.as_deref())?;
    out.write_all(text.as_bytes())?;
    out.flush()?;
    let fails = |confidence: Confidence| match arguments.fail_on {
        FailOn::High => confidence == Confidence::High,
        FailOn::Medium => confidence >= Confidence::Medium,
        FailOn::Any => true,
        FailOn::None => false,
    };
    let status = report.findings.iter().any(|finding| fails(finding.confidence));
    Ok(ExitCode::from(u8::from(status)))
}

/// Writes a plan, and says what it leaves out.
fn write_plan(path: &Path, pruned: &Pruned) -> Result<()> {
    fs::write(path, pruned.plan.to_json()).with_context(|| format!("cannot write {}", path.display()))?;
    let counts = &pruned.counts;
    eprintln!(
        "selvedge: of {} accesses {} report at run time: {} cannot race, {} say nothing new, {} only the first time in a loop",
        counts.accesses,
        counts.kept(),
        counts.safe,
        counts.redundant,
        counts.first_iteration,
    );
    Ok(())
}

/// Loads and checks a program.
pub fn make_report(
    input: &InputArguments,
    analysis: &AnalysisArguments,
    detection: &DetectionArguments,
    safe: bool,
) -> Result<Report> {
    make_report_and(input, analysis, detection, safe, |_| ()).map(|(report, ())| report)
}

/// Loads and checks a program, and lets `also` look at the facts.
fn make_report_and<T>(
    input: &InputArguments,
    analysis: &AnalysisArguments,
    detection: &DetectionArguments,
    safe: bool,
    also: impl FnOnce(&Facts<'_, '_>) -> T,
) -> Result<(Report, T)> {
    if let Some(unknown) = detection.analysis.iter().find(|name| !ANALYSES.contains(&name.as_str())) {
        bail!("there is no analysis {unknown}; there is {}", ANALYSES.join(", "));
    }
    let options = pairs::Options {
        include_initializers: detection.include_initializers,
        without: refuters_named(&detection.without)?,
        likely_locks: detection.locks == LocksArgument::Likely,
        safe,
        ..pairs::Options::default()
    };
    let mut progress = Progress::new();
    progress.show("reading");
    let start = Instant::now();
    let mut program = Program::load(input.read()?);
    narrow_to_named(&mut program, input, analysis);
    let reading = Phase {
        name: "reading".to_string(),
        ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    };
    let policy = match detection.effort {
        Effort::Low => Some("insensitive"),
        Effort::Default => None,
        Effort::High => Some("2-object"),
    };
    let setup = Setup::new(&program, analysis, policy)?;
    let request = Request {
        program: &program,
        models: &setup.models,
        entries: &setup.entries,
        policy: setup.policy.as_ref(),
        limits: setup.limits,
        pairs: options,
    };
    let (mut report, looked_at) = check_and(&request, &mut |phase| progress.show(phase), also);
    progress.clear();
    report.stats.phases.insert(0, reading);
    let names = |paths: &[std::path::PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
    report.input.paths = names(&input.paths);
    report.input.classpath =
        names(&input.classpath.iter().flat_map(std::env::split_paths).collect::<Vec<_>>());
    report.input.jdk = input.jdk.as_ref().map(|path| path.display().to_string());
    report.input.main = (!analysis.main.is_empty()).then(|| analysis.main.join(","));
    report.input.library =
        setup.entries.harness.is_some().then(|| analysis.library.clone().unwrap_or_default());
    Ok((report, looked_at))
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

/// The names of refuters that the user gave, if they exist.
fn refuters_named(names: &[String]) -> Result<std::collections::BTreeSet<String>> {
    let known: Vec<&str> =
        std::iter::once(SHARING).chain(REFUTERS.iter().map(|refuter| refuter.name)).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("there is no refuter {unknown}; there are {}", known.join(", "));
    }
    Ok(names.iter().cloned().collect())
}

/// How a report looks here and now.
pub fn style(sources: &[std::path::PathBuf], to_terminal: bool) -> Style {
    let (sources, problems) = Sources::open(sources);
    for problem in problems {
        eprintln!("selvedge: {}: {}", problem.place, problem.message);
    }
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let width = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    Style {
        color: to_terminal && !plain,
        hyperlinks: to_terminal && !plain,
        width: width.unwrap_or(Style::default().width),
        sources,
        ..Style::default()
    }
}

/// Reads a report that `check --format json` wrote.
pub fn read_report_file(path: &Path) -> Result<Report> {
    let text = read_text(path)?;
    read_report(&text).with_context(|| format!("{} is no report", path.display()))
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The phase that is running, on a terminal only.
struct Progress {
    shows: bool,
}

impl Progress {
    fn new() -> Self {
        Self { shows: io::stderr().is_terminal() }
    }

    fn show(&mut self, phase: &str) {
        if self.shows {
            // Whether a progress line can be written decides nothing.
            let _ = write!(io::stderr(), "\r\x1b[Kselvedge: {phase} ...");
            let _ = io::stderr().flush();
        }
    }

    fn clear(&mut self) {
        if self.shows {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
