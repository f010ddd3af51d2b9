//! Every class of the JDK and of the real programs lowers, verifies and links: nothing is wrong with them but classes that
//! are truly not there.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::read;
use rayon::prelude::*;
use selvedge_ir::verify_method;
use selvedge_testkit::{jdk_or_skip, library_jars_or_skip};
use selvedge_world::{ClassId, Problem, ProblemKind, Program, Tier};

/// Lowers, verifies and links all methods of these classes. Returns how many bodies there were, and what was wrong.
fn sweep(program: &Program, tiers: &[Tier]) -> (usize, Vec<Problem>) {
    let chosen = |id: &ClassId| tiers.contains(&program.classes[*id].tier);
    let classes: Vec<ClassId> = program.classes.ids().filter(chosen).collect();
    let bodies = AtomicUsize::new(0);
    classes.par_iter().for_each(|&class| {
        program.lower_class(class, |method, body| match body {
            Err(problem) => program.report(problem),
            Ok(None) => {}
            Ok(Some(body)) => {
                bodies.fetch_add(1, Ordering::Relaxed);
                let declared = &program.methods[method];
                if let Err(errors) =
                    verify_method(&body, declared.descriptor.as_bytes(), declared.is_static())
                {
                    let place = program.describe_method(method);
                    program.report(Problem::new(ProblemKind::MalformedCode, place, errors[0].to_string()));
                }
                program.check_links(method, &body);
            }
        });
    });
    (bodies.into_inner(), program.problems())
}

#[test]
fn the_jdk() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(read(&[]));
    let (bodies, problems) = sweep(&program, &[Tier::Jdk]);
    assert!(bodies > 100_000, "only {bodies} bodies");
    // Some releases name classes that the JVM makes as it runs.
    let is_made_later = |problem: &&Problem| {
        problem.kind == ProblemKind::MissingClass && problem.place.starts_with("java.lang.invoke.")
    };
    let others: Vec<&Problem> = problems.iter().filter(|problem| !is_made_later(problem)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn real_programs() {
    let Some(_) = jdk_or_skip() else { return };
    let Some(jars) = library_jars_or_skip() else { return };
    let paths: Vec<&Path> = jars.iter().map(AsRef::as_ref).collect();
    let program = Program::load(read(&paths));
    let (bodies, problems) = sweep(&program, &[Tier::Application, Tier::Library]);
    assert!(bodies > 200_000, "only {bodies} bodies");
    let expected = |kind| matches!(kind, ProblemKind::MissingClass | ProblemKind::DuplicateClass);
    let others: Vec<&Problem> = problems.iter().filter(|problem| !expected(problem.kind)).collect();
    assert!(others.is_empty(), "{others:#?}");
    let missing = problems.iter().filter(|problem| problem.kind == ProblemKind::MissingClass);
    let files: BTreeSet<String> = missing.map(|problem| problem.place.replace('.', "/") + ".class").collect();
    assert!(!files.is_empty(), "some of these programs can do without libraries that are not among the jars");
    for jar in &jars {
        let found = mentioned_files(&std::fs::read(jar).unwrap(), &files);
        assert_eq!(found, Vec::<&str>::new(), "{} has what is said to be missing", jar.display());
    }
}

/// Which of these names occur in an archive's directory, found without reading it as one: names are never compressed.
fn mentioned_files<'f>(archive: &[u8], files: &'f BTreeSet<String>) -> Vec<&'f str> {
    let last_part = |name: &[u8]| name.rsplit(|&byte| byte == b'/').next().unwrap_or_default().to_vec();
    let mut by_last_part: BTreeMap<Vec<u8>, Vec<&str>> = BTreeMap::new();
    for file in files {
        by_last_part.entry(last_part(file.as_bytes())).or_default().push(file);
    }
    let suffix = b".class";
    let ends = archive.windows(suffix.len()).enumerate().filter(|(_, window)| window == suffix);
    let mut found = Vec::new();
    for (start, _) in ends {
        let before = &archive[..start + suffix.len()];
        let candidates = by_last_part.get(&last_part(&before[before.len().saturating_sub(300)..]));
        found.extend(candidates.into_iter().flatten().filter(|file| before.ends_with(file.as_bytes())));
    }
    found
}
