//! Runs the detectors on the corpus.

// Each test uses some of it.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use selvedge_detect::check::{Analyses, Request, check};
use selvedge_detect::pairs;
use selvedge_findings::Report;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, services};
use selvedge_testkit::{Analysed, CorpusProgram, compile_corpus, corpus};
use selvedge_testkit::{Failure, Jdk};
use selvedge_world::{EntryRequest, Input, Options, Program, java_name};

/// A program of the corpus with what the detectors say of it.
pub struct Checked {
    /// The program.
    pub program: CorpusProgram,
    /// The report, shared by all that were analysed together.
    pub report: Arc<Report>,
}

impl Checked {
    /// The lines that findings have on one of their sides, as (file below the corpus, line).
    pub fn reported(&self) -> Vec<(&str, u32)> {
        self.reported_by(|_| true)
    }

    /// The same for the findings of some analyses, by their names.
    pub fn reported_by(&self, counts: impl Fn(&str) -> bool) -> Vec<(&str, u32)> {
        let own = format!("{}.java", self.program.name);
        let mut lines = BTreeSet::new();
        for finding in self.report.findings.iter().filter(|finding| counts(&finding.analysis)) {
            let pairs = finding.pairs.iter().map(|pair| &pair.sides);
            for side in std::iter::once(&finding.sides).chain(pairs).flatten() {
                if side.at.file.as_deref() == Some(&own) {
                    lines.extend(side.at.line);
                }
            }
        }
        lines.into_iter().map(|line| (self.program.file.as_str(), line)).collect()
    }
}

/// Checks the programs of the corpus that `wanted` says, all in one loaded program: their packages tell them apart.
///
/// `together` closed programs are analysed at a time, each with its own `main`: most of the time goes into the library code that they
/// share. The programs know nothing of each other, so the result is that of each alone, up to what the analysis mixes up.
pub fn check_corpus(
    jdk: &Jdk,
    together: usize,
    wanted: impl Fn(&CorpusProgram) -> bool,
) -> Result<Vec<Checked>, Failure> {
    let compiled = compile_corpus(jdk)?;
    let programs: Vec<CorpusProgram> = corpus()?.into_iter().filter(wanted).collect();
    check_programs(compiled.path(), together, programs)
}

/// Checks programs whose classes are in a directory; see [`check_corpus`].
pub fn check_programs(
    compiled: &Path,
    together: usize,
    programs: Vec<CorpusProgram>,
) -> Result<Vec<Checked>, Failure> {
    check_programs_by(compiled, together, programs, &Analyses::default())
}

/// The same with other analyses than those that users get.
pub fn check_programs_by(
    compiled: &Path,
    together: usize,
    programs: Vec<CorpusProgram>,
    analyses: &Analyses,
) -> Result<Vec<Checked>, Failure> {
    let paths: Vec<PathBuf> = vec![compiled.to_path_buf()];
    let input = Input::read(&Options { paths, ..Options::default() })
        .map_err(|error| Failure::new(error.to_string()))?;
    let program = Program::load(input);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    // Pipelines of all programs meet in the library's code for streams, as matchers do in that for patterns, the values of
    // thread-local variables in their maps, tasks in that for pools, and hooks of pools in their threads; and who interrupts threads
    // may interrupt any, and handles what any throws: such programs are analysed by themselves, as users do.
    let meddles = [
        "tream",
        "Pattern",
        "ThreadLocal<",
        "Callable<",
        "shutdownNow()",
        ".cancel(",
        ".interrupt()",
        "setDefaultUncaughtExceptionHandler",
        "HttpServer",
        "SwingWorker",
        "ForkJoinWorkerThread",
        "ThreadPoolExecutor(",
        "Factory",
    ];
    let is_alone = |one: &CorpusProgram| {
        let source = one.source.replace("currentThread().interrupt()", "");
        matches!(one.analysed, Analysed::Library(_)) || meddles.iter().any(|word| source.contains(word))
    };
    let (open, closed): (Vec<_>, Vec<_>) = programs.into_iter().partition(is_alone);
    let mut batches: Vec<Vec<CorpusProgram>> = open.into_iter().map(|one| vec![one]).collect();
    let mut closed = closed.into_iter().peekable();
    while closed.peek().is_some() {
        batches.push(closed.by_ref().take(together.max(1)).collect());
    }
    let checked: Result<Vec<Vec<Checked>>, Failure> =
        batches.into_par_iter().map(|batch| check_batch(&program, &models, batch, analyses)).collect();
    let mut checked: Vec<Checked> = checked?.into_iter().flatten().collect();
    checked.sort_by(|a, b| a.program.file.cmp(&b.program.file));
    Ok(checked)
}

fn check_batch(
    program: &Program,
    models: &Models,
    batch: Vec<CorpusProgram>,
    analyses: &Analyses,
) -> Result<Vec<Checked>, Failure> {
    let mut entries = Entries::of_mains(Vec::new());
    for one in &batch {
        let own = entries_of(program, models, &one.analysed)?;
        entries.mains.extend(own.mains);
        entries.harness = entries.harness.or(own.harness);
        entries.services.extend(own.services);
    }
    let policy = policy_named("adaptive").ok_or_else(|| Failure::new("no adaptive policy"))?;
    let request = Request {
        program,
        models,
        entries: &entries,
        policy: policy.as_ref(),
        limits: Limits::default(),
        pairs: pairs::Options { safe: true, ..pairs::Options::default() },
        analyses: analyses.clone(),
        is_last: false,
    };
    let report = Arc::new(check(&request, &mut |_| {}));
    Ok(batch.into_iter().map(|program| Checked { program, report: Arc::clone(&report) }).collect())
}

/// Who calls a program: its main method or its clients, and containers that find services in it.
fn entries_of(program: &Program, models: &Models, analysed: &Analysed) -> Result<Entries, Failure> {
    let (request, own) = match analysed {
        Analysed::Main(class) => (Some(EntryRequest::Main(class.clone())), vec![class.clone()]),
        Analysed::Library(classes) => (Some(EntryRequest::Library(classes.clone())), Vec::new()),
        Analysed::Container(classes) => (None, classes.clone()),
    };
    let mut services = services(program, models);
    services.retain(|service| {
        let name = java_name(program.classes[service.class].name);
        own.iter().any(|class| name == *class || name.starts_with(&format!("{class}$")))
    });
    let entries = match request {
        Some(request) => {
            let points = program.entry_points(&request).map_err(|error| Failure::new(error.to_string()))?;
            Entries::of_program(program, &points)
        }
        None => Entries::default(),
    };
    Ok(entries.with_services(services))
}

/// How many racy lines are found and how many safe ones are silent, by topic: a Markdown table.
pub fn table(checked: &[Checked]) -> String {
    let mut topics: BTreeMap<&str, Vec<&Checked>> = BTreeMap::new();
    for one in checked {
        topics.entry(&one.program.topic).or_default().push(one);
    }
    topics.insert("**all**", checked.iter().collect());
    let heading = "| topic | programs | racy lines found | missed | lines reported wrongly |\n|---|---:|---:|---:|---:|\n";
    // `*` sorts before every topic: the sum is the last row.
    let (sum, rows): (Vec<_>, Vec<_>) = topics.into_iter().partition(|(topic, _)| topic.starts_with('*'));
    let row = |(topic, programs): (&str, Vec<&Checked>)| {
        let reports: Vec<(&str, u32)> = programs.iter().flat_map(|one| one.reported()).collect();
        let marks: Vec<_> = programs.iter().flat_map(|one| one.program.marks.iter().cloned()).collect();
        let tally = selvedge_testkit::tally(&reports, &marks);
        let (found, missed, wrong) = (tally.found, tally.missed, tally.false_alarms);
        format!("| {topic} | {} | {found} | {missed} | {wrong} |\n", programs.len())
    };
    rows.into_iter().chain(sum).map(row).fold(heading.to_owned(), |text, row| text + &row)
}
