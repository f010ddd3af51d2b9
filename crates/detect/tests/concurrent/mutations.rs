//! Mutants of the corpus's safe programs: what the interpreter shows to race, `check` must report.
//!
//! Each mutant has one synchronisation operation removed, moved or pointed at something else. It is analysed with others, and run under several
//! schedules; a race that a run shows, and that the program as it is written does not have, must be reported on both its lines.
//!
//! `SELVEDGE_MUTANTS=all` takes every mutant instead of a sample, `SELVEDGE_MUTANTS=0..100` some of them, `SELVEDGE_MUTANTS=Latch` those of
//! programs of whose path this is a part.

use std::collections::BTreeMap;

use selvedge_testkit::mutants::mutants;
use selvedge_testkit::{Analysed, Rng, corpus, jdk_or_skip, skip};

use super::judge_sources;

/// How many mutants every run of the tests takes.
const USUAL: usize = 64;

/// The seed of the sample.
const SEED: u64 = 17;

/// How many programs are compiled and loaded together.
const TOGETHER: usize = 96;

/// Programs that race by their nature, though not in a way that does harm, and those that take too long in the interpreter.
const LEFT_OUT: [&str; 3] = ["Stamped", "benign/", "papers/"];

/// A program of the corpus, changed or not.
struct Written {
    file: String,
    source: String,
    /// The program that it was made from, and how.
    original: String,
    change: String,
}

/// All mutants, and the programs that they were made from, by their files.
fn written() -> (Vec<Written>, BTreeMap<String, Written>) {
    let (mut found, mut originals) = (Vec::new(), BTreeMap::new());
    for program in corpus().unwrap() {
        let is_left_out = LEFT_OUT.iter().any(|part| program.file.contains(part));
        if program.is_racy() || is_left_out || !matches!(program.analysed, Analysed::Main(_)) {
            continue;
        }
        for (number, mutant) in mutants(&program.source).into_iter().enumerate() {
            let name = format!("{}M{number}", program.name);
            found.push(Written {
                file: format!("{}/{name}.java", program.topic),
                source: renamed(&mutant.source, &program.name, &name),
                original: program.file.clone(),
                change: mutant.change,
            });
        }
        let original = Written {
            file: program.file.clone(),
            source: program.source,
            original: program.file.clone(),
            change: "as it is".to_owned(),
        };
        originals.insert(program.file, original);
    }
    (found, originals)
}

/// A program with another name for its class.
fn renamed(source: &str, from: &str, to: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(from) {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let (before, after) = (rest[..at].chars().next_back(), rest[at + from.len()..].chars().next());
        text.push_str(&rest[..at]);
        text.push_str(if is_part(before) || is_part(after) { from } else { to });
        rest = &rest[at + from.len()..];
    }
    text + rest
}

/// Which mutants are taken.
fn chosen(mut all: Vec<Written>) -> Vec<Written> {
    let asked = std::env::var("SELVEDGE_MUTANTS").unwrap_or_default();
    if let Some((first, end)) = asked.split_once("..") {
        let number = |text: &str| text.parse::<usize>().unwrap();
        return all.drain(number(first).min(all.len())..number(end).min(all.len())).collect();
    }
    match asked.as_str() {
        "all" => all,
        "" => {
            let mut rng = Rng::new(SEED);
            let mut sample = Vec::new();
            while sample.len() < USUAL && !all.is_empty() {
                sample.push(all.swap_remove(rng.below(all.len())));
            }
            sample
        }
        part => all.into_iter().filter(|mutant| mutant.original.contains(part)).collect(),
    }
}

#[test]
fn what_mutants_of_safe_programs_show_is_reported() {
    let Some(jdk) = jdk_or_skip() else { return };
    if jdk.feature_version() != 17 {
        return skip("the interpreter runs the library of JDK 17");
    }
    let (all, originals) = written();
    let chosen = chosen(all);
    let (mut run, mut racy, mut complaints) = (0, 0, Vec::new());
    for chunk in chosen.chunks(TOGETHER) {
        let mut sources: BTreeMap<String, String> = BTreeMap::new();
        for mutant in chunk {
            let original = &originals[&mutant.original];
            sources.insert(original.file.clone(), original.source.clone());
            sources.insert(mutant.file.clone(), mutant.source.clone());
        }
        let judged = judge_sources(&jdk, sources);
        let by_file = |file: &str| judged.get(&file.trim_end_matches(".java").replace('/', "."));
        for mutant in chunk {
            let Some(judged) = by_file(&mutant.file) else { continue };
            run += 1;
            // Lines alone tell the sides of a race: a mutant has those of its original.
            let line = |side: &String| side.rsplit(':').next().unwrap_or_default().to_owned();
            let before = by_file(&mutant.original).into_iter().flat_map(|judged| judged.races.iter());
            let before: Vec<[String; 2]> = before.map(|sides| sides.each_ref().map(line)).collect();
            let new = |sides: &[String; 2]| !before.contains(&sides.each_ref().map(line));
            racy += usize::from(judged.races.iter().any(new));
            for (sides, why) in judged.denied.iter().chain(&judged.missed).filter(|(sides, _)| new(sides)) {
                let lines = sides.each_ref().map(line).join(" and ");
                complaints.push(format!("{}, {}: lines {lines} race: {why}", mutant.original, mutant.change));
            }
        }
        println!("{run} mutants ran, {racy} race, {} races are not reported", complaints.len());
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(run > 10 && racy > 0, "too little was run: {run} mutants, {racy} with races");
}
