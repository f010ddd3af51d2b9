//! Runs the detectors on the corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;
use selvedge_detect::check::{Request, check};
use selvedge_detect::pairs;
use selvedge_findings::Report;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits};
use selvedge_testkit::{Analysed, CorpusProgram, compile_corpus, corpus};
use selvedge_testkit::{Failure, Jdk};
use selvedge_world::{EntryRequest, Input, Options, Program};

/// A program of the corpus with what the detectors say of it.
pub struct Checked {
    /// The program.
    pub program: CorpusProgram,
    /// The report.
    pub report: Report,
}

impl Checked {
    /// The lines that findings have on one of their sides, as (file below the corpus, line).
    pub fn reported(&self) -> Vec<(&str, u32)> {
        let own = format!("{}.java", self.program.name);
        let mut lines = BTreeSet::new();
        for finding in &self.report.findings {
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
pub fn check_corpus(jdk: &Jdk, wanted: impl Fn(&CorpusProgram) -> bool) -> Result<Vec<Checked>, Failure> {
    let compiled = compile_corpus(jdk)?;
    let paths: Vec<PathBuf> = vec![compiled.path().to_path_buf()];
    let input = Input::read(&Options { paths, ..Options::default() })
        .map_err(|error| Failure::new(error.to_string()))?;
    let program = Program::load(input);
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let programs: Vec<CorpusProgram> = corpus()?.into_iter().filter(wanted).collect();
    programs.into_par_iter().map(|one| check_one(&program, &models, one)).collect()
}

fn check_one(program: &Program, models: &Models, one: CorpusProgram) -> Result<Checked, Failure> {
    let request = match &one.analysed {
        Analysed::Main(class) => EntryRequest::Main(class.clone()),
        Analysed::Library(classes) | Analysed::Container(classes) => EntryRequest::Library(classes.clone()),
    };
    let points = program.entry_points(&request).map_err(|error| Failure::new(error.to_string()))?;
    let entries = Entries::of_program(program, &points);
    let policy = policy_named("adaptive").ok_or_else(|| Failure::new("no adaptive policy"))?;
    let request = Request {
        program,
        models,
        entries: &entries,
        policy: policy.as_ref(),
        limits: Limits::default(),
        pairs: pairs::Options { safe: true, ..pairs::Options::default() },
    };
    Ok(Checked { program: one, report: check(&request, &mut |_| {}) })
}

/// How many racy lines are found and how many safe ones are silent, by topic.
pub fn table(checked: &[Checked]) -> String {
    use selvedge_testkit::tally;
    use std::fmt::Write;
    let mut topics: BTreeMap<&str, (usize, Vec<&Checked>)> = BTreeMap::new();
    for one in checked {
        let entry = topics.entry(&one.program.topic).or_default();
        entry.0 += 1;
        entry.1.push(one);
    }
    let mut text = String::new();
    for (topic, (count, programs)) in topics {
        let reports: Vec<(&str, u32)> = programs.iter().flat_map(|one| one.reported()).collect();
        let marks: Vec<_> = programs.iter().flat_map(|one| one.program.marks.iter().cloned()).collect();
        let tally = tally(&reports, &marks);
        let _ = writeln!(text, "{topic:14} {count:3} programs: {tally:?}");
    }
    text
}
