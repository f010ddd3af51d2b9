//! Compiles and analyses the programs, and pairs their accesses as a detector without any refuter would.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_facts::{AccessKind, Candidate, Occurrence, Origin, View};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Program};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confine/programs")
}

/// All programs with the whole JDK.
pub fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let load = || {
        let jdk = jdk_or_skip()?;
        if jdk.feature_version() != 17 {
            skip("the models and the interpreter are for the library of JDK 17");
            return None;
        }
        let classes = compile_with(&jdk, Sources::Dir(&directory()), &JavacOptions::default()).unwrap();
        let paths = vec![classes.path().to_path_buf()];
        let options = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
        Some(Program::load(Input::read(&options).unwrap()))
    };
    PROGRAM.get_or_init(load).as_ref()
}

/// What a test asks of a fact: the sentence of its refutation.
pub type Refuter<'b> = Box<dyn Fn(&Candidate) -> Option<String> + 'b>;

/// What facts are computed from.
pub type Basis<'a> = selvedge_facts::Ground<'a>;

/// Analyses a program and shows the basis; `library` means its public methods, not its `main`.
pub fn with_basis<R>(program: &Program, name: &str, library: bool, then: impl FnOnce(&Basis<'_>) -> R) -> R {
    let models = Models::builtin().for_release(17);
    let request = match library {
        true => EntryRequest::Library(vec![name.to_string()]),
        false => EntryRequest::Main(name.to_string()),
    };
    let entries = Entries::of_program(program, &program.entry_points(&request).unwrap());
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, &models, &entries, policy.as_ref(), Limits::default());
    then(&Basis::new(View::new(&analysis, &models, &entries)))
}

/// Every two occurrences that may be in different threads and touch the same place, one of them writing. Class
/// initialisers are left out.
pub fn candidates(basis: &Basis<'_>) -> Vec<Candidate> {
    let mut occurrences = Vec::new();
    for (access, data) in basis.accesses.all.iter_ids() {
        for &instance in basis.view.analysis.instances_of(data.method) {
            for &thread in basis.threads.may_execute(instance) {
                if basis.threads.all[thread].origin != Origin::Initializers {
                    occurrences.push(Occurrence { access, instance, thread });
                }
            }
        }
    }
    let mut found = Vec::new();
    for (position, &a) in occurrences.iter().enumerate() {
        for &b in &occurrences[position..] {
            let (first, second) = (&basis.accesses.all[a.access], &basis.accesses.all[b.access]);
            let writes = first.kind == AccessKind::Write || second.kind == AccessKind::Write;
            let parallel = a.thread != b.thread || basis.threads.all[a.thread].many;
            if first.place != second.place || first.element != second.element || !writes || !parallel {
                continue;
            }
            if first.base.is_none() {
                found.push(Candidate { sides: [a, b], object: None });
            }
            let theirs = basis.accesses.may_touch(&basis.view, b.access, b.instance);
            for object in basis.accesses.may_touch(&basis.view, a.access, a.instance).iter() {
                if theirs.contains(object) {
                    found.push(Candidate { sides: [a, b], object: Some(object) });
                }
            }
        }
    }
    found
}

/// The line of an occurrence.
pub fn line(basis: &Basis<'_>, side: &Occurrence) -> usize {
    let access = &basis.accesses.all[side.access];
    basis.view.line(access.method, access.inst).unwrap() as usize
}

/// Checks that exactly the lines that say `// pair` are in pairs that the refuter leaves.
pub fn check(name: &str, library: bool, make: impl for<'b> Fn(&'b Basis<'b>) -> Refuter<'b>) {
    let Some(program) = program_or_skip() else { return };
    let source = std::fs::read_to_string(directory().join(format!("{name}.java"))).unwrap();
    let expected: BTreeSet<usize> = source
        .lines()
        .enumerate()
        .filter_map(|(index, line)| line.contains("// pair").then_some(index + 1))
        .collect();
    with_basis(program, name, library, |basis| {
        let found = candidates(basis);
        assert!(!found.is_empty(), "{name} has no candidates at all");
        let refute = make(basis);
        let mut left = BTreeSet::new();
        for candidate in &found {
            match refute(candidate) {
                Some(sentence) => assert!(!sentence.is_empty()),
                None => left.extend(candidate.sides.iter().map(|side| line(basis, side))),
            }
        }
        assert_eq!(left, expected, "lines left in pairs of {name}, against those marked");
    });
}
