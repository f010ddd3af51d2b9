//! Compiles and analyses the programs, and names what is found as the tests do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_detect::objects::{ObjectRaces, What};
use selvedge_detect::{Facts, Ground};
use selvedge_facts::{AccessKind, NodeId, Place, View};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_testkit::{JavacOptions, Sources, compile_with, jdk_or_skip, skip};
use selvedge_world::{EntryRequest, Input, Program};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/objects/programs")
}

/// All programs, with the whole JDK.
pub fn program_or_skip() -> Option<&'static Program> {
    static PROGRAM: OnceLock<Option<Program>> = OnceLock::new();
    let load = || {
        let written =
            ["AccountSelf", "HandedOut", "OwnerGuardsParts", "OwnerLeaksParts", "ViewOfList", "Warehouses"];
        let mut texts: Vec<(String, String)> =
            written.iter().map(|name| (format!("{name}.java"), source(name))).collect();
        texts.extend(VARIANTS.iter().map(|variant| (format!("{}.java", variant.name), variant.text())));
        let sources: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        load_or_skip(Sources::Texts(&sources))
    };
    PROGRAM.get_or_init(load).as_ref()
}

fn source(name: &str) -> String {
    std::fs::read_to_string(directory().join(format!("{name}.java"))).unwrap()
}

/// A program that differs from a written one in some places.
struct Variant {
    name: &'static str,
    of: &'static str,
    /// What stands there, and what instead of it.
    changes: &'static [(&'static str, &'static str)],
}

/// The variants of the papers' examples.
const VARIANTS: &[Variant] = &[
    Variant {
        name: "WarehousesMended",
        of: "Warehouses",
        changes: &[("void update(int item)", "synchronized void update(int item)")],
    },
    Variant {
        name: "WarehousesOpenCompany",
        of: "Warehouses",
        changes: &[("synchronized Warehouse warehouse(", "Warehouse warehouse(")],
    },
    Variant {
        name: "WarehousesSharedManager",
        of: "Warehouses",
        changes: &[
            (
                "static Company company;",
                "static Company company;\n    static final Manager MANAGER = new Manager();",
            ),
            ("Manager manager = new Manager();", "Manager manager = MANAGER;"),
        ],
    },
    Variant {
        name: "WarehousesLeakingStock",
        of: "Warehouses",
        changes: &[
            ("synchronized int get()", "synchronized Stock get()"),
            ("return stock.last();", "return stock;"),
            ("warehouse.get();", "warehouse.get().last();"),
        ],
    },
    Variant {
        name: "AccountLocal",
        of: "AccountSelf",
        changes: &[("synchronized (this)", "synchronized (lock)")],
    },
    Variant {
        name: "AccountClient",
        of: "AccountSelf",
        changes: &[("synchronized (this)", "synchronized (impl)")],
    },
    Variant { name: "AccountUnlocked", of: "AccountSelf", changes: &[("synchronized (this)", "")] },
];

impl Variant {
    fn text(&self) -> String {
        let mut text = source(self.of).replace(self.of, self.name);
        for (from, to) in self.changes {
            assert_eq!(text.matches(from).count(), 1, "{}: {from}", self.name);
            text = text.replace(from, to);
        }
        text
    }
}

/// Sources, compiled and loaded.
pub fn load_or_skip(sources: Sources<'_>) -> Option<Program> {
    let jdk = jdk_or_skip()?;
    if jdk.feature_version() != 17 {
        skip("the interpreter runs the library of JDK 17");
        return None;
    }
    let classes = compile_with(&jdk, sources, &JavacOptions::default()).unwrap();
    let paths = vec![classes.path().to_path_buf()];
    let options = selvedge_world::Options { paths, jdk: Some(jdk.home), ..Default::default() };
    Some(Program::load(Input::read(&options).unwrap()))
}

/// Where a site is, for readers of a failure.
pub fn describe(program: &Program, site: selvedge_interp::Site) -> String {
    let line = program.body(site.method).and_then(|body| body.line(site.bci));
    format!("{} line {line:?}", program.describe_method(site.method))
}

/// Analyses one program and hands the facts to `ask`.
pub fn with_facts<T>(program: &Program, main: &str, ask: impl FnOnce(&Facts<'_, '_>) -> T) -> T {
    let models = Models::builtin().for_release(17);
    let request = EntryRequest::Main(main.to_string());
    let entries = Entries::of_program(program, &program.entry_points(&request).unwrap());
    let policy = policy_named("adaptive").unwrap();
    let analysis = analyze(program, &models, &entries, policy.as_ref(), Limits::default());
    let ground = Ground::new(View::new(&analysis, &models, &entries));
    ask(&Facts::new(&ground))
}

/// What a test asks of the result: objects by their simple class names, where each class has one allocation.
pub struct Named<'f, 'g, 'a> {
    pub facts: &'f Facts<'g, 'a>,
    pub races: &'f ObjectRaces,
}

impl Named<'_, '_, '_> {
    /// The simple name of an object's class: `Warehouse[]`.
    pub fn name(&self, object: ObjectId) -> String {
        let heap = &self.facts.view.analysis.heap;
        let name = heap.types.name(heap.get(object).ty);
        let dimensions = name.chars().take_while(|&c| c == '[').count();
        let element = name.trim_start_matches('[').trim_start_matches('L').trim_end_matches(';');
        let simple = element.rsplit(['/', '$']).next().unwrap();
        format!("{simple}{}", "[]".repeat(dimensions))
    }

    /// The name of a node.
    pub fn node(&self, node: NodeId) -> String {
        node.object().map_or("root".to_string(), |object| self.name(object))
    }

    /// The objects that code of the application makes.
    pub fn made(&self) -> BTreeMap<String, ObjectId> {
        let heap = &self.facts.view.analysis.heap;
        let of_application =
            |site| matches!(site, Site::Instruction { method, .. } if self.facts.view.is_application(method));
        let made = heap.objects().filter(|(_, data)| of_application(heap.site_of(data.site)));
        made.map(|(object, _)| (self.name(object), object)).collect()
    }

    /// What happens to an object, in a word: the method's name, or `rd` and `wr` for arrays, `get f` and `put f` for fields.
    pub fn what(&self, what: What) -> String {
        match what {
            What::Method(tuple) => {
                let (_, instance) = self.races.calls.tuples[tuple];
                let method = self.facts.view.method_of(instance).unwrap();
                self.facts.view.program.methods[method].name.to_string()
            }
            What::Use(access, _) => {
                let access = &self.facts.accesses.all[access];
                match (access.place, access.kind) {
                    (Place::Field(field), kind) => {
                        let name = self.facts.view.program.fields[field].name;
                        let word = if kind == AccessKind::Read { "get" } else { "put" };
                        format!("{word} {name}")
                    }
                    (_, AccessKind::Read) => "rd".to_string(),
                    (_, AccessKind::Write) => "wr".to_string(),
                }
            }
        }
    }

    /// All races as `object: method, method`.
    pub fn all_races(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let meetings = &self.races.meetings;
        for object in meetings.objects() {
            for (a, b) in self.races.on(self.facts, object) {
                let mut words = [a, b].map(|deed| self.what(meetings.deeds[deed].what));
                words.sort();
                found.insert(format!("{}: {}, {}", self.name(object), words[0], words[1]));
            }
        }
        found
    }
}

/// Analyses one of the programs as far as races.
pub fn with_races(name: &str, ask: impl FnOnce(&Named<'_, '_, '_>)) {
    let Some(program) = program_or_skip() else { return };
    with_facts(program, name, |facts| {
        let races = ObjectRaces::new(facts);
        ask(&Named { facts, races: &races });
    });
}
