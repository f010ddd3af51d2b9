//! Analyses a program as far as locks, and asks about pairs of its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_facts::{
    AccessKind, Accesses, Candidate, Executions, Locking, Locks, Occurrence, Origin, Place, Strength,
    Threads, View,
};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Options, Program};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locks/programs")
}

/// The text of one of the programs.
pub fn source(name: &str) -> String {
    std::fs::read_to_string(directory().join(format!("{name}.java"))).unwrap()
}

/// All the programs, compiled and loaded once.
pub fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    PROGRAM.get_or_init(|| load_or_skip(Sources::Dir(&directory()))).as_ref()
}

/// Sources given as text, compiled and loaded.
pub fn compiled_or_skip(sources: &[(&str, &str)]) -> Option<Program> {
    load_or_skip(Sources::Texts(sources))
}

fn load_or_skip(sources: Sources<'_>) -> Option<Program> {
    let jdk = jdk_or_skip()?;
    if jdk.feature_version() != 17 {
        skip("the interpreter runs the library of JDK 17");
        return None;
    }
    let classes = compile_with(&jdk, sources, &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let options = Options { paths, jdk: Some(jdk.home), ..Default::default() };
    Some(Program::load(Input::read(&options).unwrap()))
}

/// Everything up to locks, for one program.
pub struct Facts<'a> {
    pub view: View<'a>,
    pub threads: Threads,
    pub accesses: Accesses,
    pub locks: Locks,
}

/// Analyses one program and hands the result to `ask`.
pub fn analyzed<T>(program: &Program, main: &str, ask: impl FnOnce(&Facts<'_>) -> T) -> T {
    let models = Models::builtin().for_release(u32::from(program.jdk_version));
    let request = EntryRequest::Main(main.to_string());
    let entries = Entries::of_program(program, &program.entry_points(&request).unwrap());
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, &models, &entries, policy.as_ref(), Limits::default());
    let view = View::new(&analysis, &models, &entries);
    let mut threads = Threads::new(&view);
    let executions = Executions::new(&view, &mut threads);
    let accesses = Accesses::new(&view);
    let locks = Locks::new(&view, &threads, &executions, &accesses);
    ask(&Facts { view, threads, accesses, locks })
}

/// For two lines, the weakest reason that a common lock gives over all candidates there; `None` if one has no common lock.
pub type Judged = BTreeMap<(u32, u32), Option<Strength>>;

impl Facts<'_> {
    /// Every pair of occurrences in two threads that the program starts, on a common object, with a write, whatever
    /// orders them. Neither the main thread nor class initialisers take part: they run before or after the others.
    pub fn judge(&self, locking: Locking) -> Judged {
        let mut judged = Judged::new();
        let occurrences = self.occurrences();
        for (position, first) in occurrences.iter().enumerate() {
            for second in &occurrences[position..] {
                let (a, b) = (&self.accesses.all[first.access], &self.accesses.all[second.access]);
                let parallel = first.thread != second.thread || self.threads.all[first.thread].many;
                if !parallel
                    || a.place != b.place
                    || a.element != b.element
                    || (a.kind, b.kind) == (AccessKind::Read, AccessKind::Read)
                {
                    continue;
                }
                let objects = match a.place {
                    Place::Static(_) => vec![None],
                    _ => {
                        let touched =
                            |o: &Occurrence| self.accesses.may_touch(&self.view, o.access, o.instance);
                        touched(first).intersection(touched(second)).iter().map(Some).collect()
                    }
                };
                for object in objects {
                    let candidate = Candidate { sides: [*first, *second], object };
                    let found =
                        self.locks.common(&self.view, &candidate, locking).map(|found| found.strength);
                    let line = |o: &Occurrence| {
                        let access = &self.accesses.all[o.access];
                        self.view.line(access.method, access.inst).unwrap()
                    };
                    let (low, high) = (line(first).min(line(second)), line(first).max(line(second)));
                    let entry = judged.entry((low, high)).or_insert(found);
                    *entry = (*entry).min(found);
                }
            }
        }
        judged
    }

    fn occurrences(&self) -> Vec<Occurrence> {
        let mut found = BTreeSet::new();
        for (access, data) in self.accesses.all.iter_ids() {
            let method = &self.view.program.methods[data.method];
            if method.is_constructor() || method.is_class_initializer() {
                continue;
            }
            for &instance in self.view.analysis.instances_of(data.method) {
                for &thread in self.threads.may_execute(instance) {
                    if matches!(self.threads.all[thread].origin, Origin::Spawn { .. } | Origin::Client) {
                        found.insert(Occurrence { access, instance, thread });
                    }
                }
            }
        }
        found.into_iter().collect()
    }
}
