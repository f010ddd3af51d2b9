//! What the analyses of whole objects add to pairs of accesses, and which false alarms they remove, on the corpus.
//!
//! `cargo run --release -p selvedge-detect --example whole_objects [-- NAME...]`: programs whose path contains a name. For real programs
//! the same can be read off `selvedge check --analysis pairs,objects,uses --stats`.

#[path = "../tests/support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use selvedge_detect::check::Analyses;
use selvedge_detect::{objects, uses};
use selvedge_testkit::{CorpusProgram, Failure, compile_corpus, corpus, find_jdk, tally};
use support::{Checked, check_programs_by};

/// How many closed programs are analysed at a time.
const TOGETHER: usize = 12;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if let Err(failure) = compare(&names) {
        eprintln!("{failure}");
    }
}

fn compare(names: &[String]) -> Result<(), Failure> {
    let Some(jdk) = find_jdk() else { return Err(Failure::new("there is no JDK")) };
    let wanted =
        |one: &CorpusProgram| names.is_empty() || names.iter().any(|name| one.file.contains(name.as_str()));
    let compiled = compile_corpus(&jdk)?;
    let check = |analyses: &Analyses| {
        let programs: Vec<CorpusProgram> = corpus()?.into_iter().filter(wanted).collect();
        check_programs_by(compiled.path(), TOGETHER, programs, analyses)
    };
    let with_objects = Analyses { objects: Some(objects::Options::default()), ..Analyses::default() };
    let with_uses = Analyses { uses: Some(uses::Options::default()), ..Analyses::default() };
    let pairs = check(&Analyses::default())?;
    show("pairs", &pairs, |name| name == "pairs");
    for (name, analyses) in [("objects", with_objects), ("uses", with_uses)] {
        let checked = check(&analyses)?;
        show(&format!("pairs, with what {name} refute"), &checked, |analysis| analysis == "pairs");
        gone(&pairs, &checked);
        show(name, &checked, |analysis| analysis == name);
        beyond(&checked, name);
    }
    Ok(())
}

/// Racy lines found and missed, safe lines reported, by the findings of one analysis.
fn show(title: &str, checked: &[Checked], counts: impl Fn(&str) -> bool) {
    let reports: Vec<(&str, u32)> = checked.iter().flat_map(|one| one.reported_by(&counts)).collect();
    let marks: Vec<_> = checked.iter().flat_map(|one| one.program.marks.iter().cloned()).collect();
    println!("{title}: {:?}", tally(&reports, &marks));
}

/// The lines that pairs tell alone, and not with what an analysis refutes.
fn gone(alone: &[Checked], with: &[Checked]) {
    let lines = |checked: &'_ [Checked]| -> BTreeSet<(String, u32)> {
        let told = checked.iter().flat_map(|one| one.reported_by(|analysis| analysis == "pairs"));
        told.map(|(file, line)| (file.to_owned(), line)).collect()
    };
    for (file, line) in lines(alone).difference(&lines(with)) {
        println!("  gone: {file}:{line}");
    }
}

/// What an analysis tells that pairs do not.
fn beyond(checked: &[Checked], name: &str) {
    let mut lines: Vec<(&str, u32)> = Vec::new();
    for one in checked {
        let known: BTreeSet<(&str, u32)> =
            one.reported_by(|analysis| analysis == "pairs").into_iter().collect();
        let told = one.reported_by(|analysis| analysis == name);
        lines.extend(told.into_iter().filter(|line| !known.contains(line)));
    }
    println!(
        "  {} lines that pairs do not tell: mostly the calls by which threads come to the object",
        lines.len()
    );
    for (file, line) in lines.iter().take(20) {
        println!("    {file}:{line}");
    }
}
