//! Recordings against call graphs whose answer is known.

#![allow(clippy::unwrap_used)]

use selvedge_base::Symbol;
use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits, analyze};
use selvedge_recorder::run::record;
use selvedge_recorder::{
    Cause, ClassHierarchy, Graph, PointsTo, Recall, Recording, compare, explain, frontier, workloads,
};
use selvedge_testkit::{JavacOptions, RunOptions, compile, jdk_or_skip, target_dir};
use selvedge_world::{ClassId, Input, MethodId, Options, Program};
use std::path::{Path, PathBuf};

fn load(paths: &[PathBuf], jdk_home: &Path) -> Program {
    let options = Options { paths: paths.to_vec(), jdk: Some(jdk_home.to_path_buf()), ..Options::default() };
    Program::load(Input::read(&options).unwrap())
}

/// No sound graph has less than the class hierarchy allows, so nothing recorded may lie outside it: this checks the
/// recorder and the reading of class files against each other.
#[test]
fn recorded_edges_are_in_the_class_hierarchy() {
    let Some(jdk) = jdk_or_skip() else { return };
    let all = workloads().unwrap();
    for name in ["Nested", "Lambdas", "Proxies", "Services", "Handles", "Defaults"] {
        let workload = all.iter().find(|workload| workload.name == name).unwrap();
        let options = workload.run_options(&jdk).unwrap();
        let out = target_dir().join("recordings/tests").join(format!("{name}.edges"));
        let (run, recording) = record(&jdk, &workload.main_class, &options, &out).unwrap();
        assert_eq!(run.exit_code, Some(workload.exit), "{name}: {}", run.stderr);
        let program = load(&options.classpath, &jdk.home);
        let recall = compare(&recording, &program, &ClassHierarchy::new(&program));
        assert!(recall.application_edges.observed > 20, "{name}: {recall}");
        assert!(recall.edges.observed > 2000, "{name}: {recall}");
        let misses: Vec<_> =
            recall.misses.iter().filter(|miss| !miss.cause.is_outside_class_files()).collect();
        assert!(misses.is_empty(), "{name}: {misses:?}");
        assert_eq!(recall.application_edges.observed, recall.application_edges.found);
    }
}

/// Programs of which the points-to analysis has every edge that runs show: plain dispatch, inner classes, enums and
/// lambdas; hooks of serialisation; combinators of method handles; reflection and proxies.
const COMPLETE: [&str; 5] = ["Nested", "Serial", "Handles", "Reflecting", "Proxies"];

#[test]
fn the_points_to_analysis_has_the_edges_of_programs() {
    let Some(jdk) = jdk_or_skip() else { return };
    let all = workloads().unwrap();
    for name in COMPLETE {
        let workload = all.iter().find(|workload| workload.name == name).unwrap();
        let options = workload.run_options(&jdk).unwrap();
        let out = target_dir().join(format!("recordings/tests/points-to-{name}.edges"));
        let (_, recording) = record(&jdk, &workload.main_class, &options, &out).unwrap();

        let program = load(&options.classpath, &jdk.home);
        let class = program.class_named(ClassName::new(&workload.main_class)).unwrap();
        let main = program.declared_method(class, Symbol::new("main"), Symbol::new("([Ljava/lang/String;)V"));
        let models = Models::builtin().for_release(u32::from(program.jdk_version));
        let policy = policy_named("insensitive").unwrap();
        let entries = Entries::of_mains(vec![main.unwrap()]);
        let analysis = analyze(&program, &models, &entries, policy.as_ref(), Limits::default());
        let graph = PointsTo::new(&analysis);
        let recall = compare(&recording, &program, &graph);
        assert_eq!(application_misses(&recording, &recall), [], "{name}");
        assert!(recall.application_edges.found > 40, "{name}: {recall}");
        assert_eq!(recall.application_methods.found, recall.application_methods.observed, "{name}: {recall}");
        assert_eq!(recall.application_classes.found, recall.application_classes.observed, "{name}: {recall}");
        assert!(recall.edges.percent() > 70.0, "{name}: {recall}");
        assert_eq!(explain(&recording, &program, &recall, &graph).open, [], "{name}");
    }
}

/// A miss that no assumption explains is open, and so is what lies behind it.
#[test]
fn what_nothing_explains_is_open() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Main.java", PROGRAM)], &JavacOptions::default()).unwrap();
    let options = RunOptions::with_classpath(&[classes.path()]);
    let out = target_dir().join("recordings/tests/open.edges");
    let (_, recording) = record(&jdk, "Main", &options, &out).unwrap();
    let program = load(&options.classpath, &jdk.home);
    let graph = Holed {
        whole: ClassHierarchy::new(&program),
        program: &program,
        uncalled: &["Square.area"],
        unreached: &["Square.area"],
        replaced: &[],
        unallocated: &[],
    };
    let recall = compare(&recording, &program, &graph);
    let explained = explain(&recording, &program, &recall, &graph);
    assert_eq!(explained.edges(), 0);
    let mut open: Vec<&str> =
        explained.open.iter().map(|miss| recording.method(miss.edge.callee).name.as_str()).collect();
    open.sort_unstable();
    assert_eq!(open, ["area", "inner"]);
}

/// The class hierarchy's graph with a hole: what `denied` says is not reached or not allocated, and nothing leads to it.
struct Holed<'p> {
    whole: ClassHierarchy<'p>,
    program: &'p Program,
    /// Methods no call leads to.
    uncalled: &'static [&'static str],
    /// Methods that are not reached.
    unreached: &'static [&'static str],
    /// Methods whose code is not in the graph.
    replaced: &'static [&'static str],
    /// Classes without objects.
    unallocated: &'static [&'static str],
}

impl Holed<'_> {
    fn is_in(&self, method: MethodId, list: &[&str]) -> bool {
        let method = &self.program.methods[method];
        let class = self.program.classes[method.class].name.to_string();
        list.contains(&format!("{class}.{}", method.name).as_str())
    }
}

impl Graph for Holed<'_> {
    fn is_reached(&self, method: MethodId) -> bool {
        !self.is_in(method, self.unreached)
    }

    fn calls(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool {
        self.is_reached(caller) && !self.is_in(callee, self.uncalled) && self.whole.calls(caller, bci, callee)
    }

    fn leads_to(&self, caller: MethodId, bci: u32, callee: MethodId) -> bool {
        self.is_reached(caller)
            && !self.is_in(callee, self.uncalled)
            && self.whole.leads_to(caller, bci, callee)
    }

    fn is_replaced(&self, method: MethodId) -> bool {
        self.is_in(method, self.replaced)
    }

    fn is_allocated(&self, class: ClassId) -> bool {
        !self.unallocated.contains(&self.program.classes[class].name.to_string().as_str())
    }
}

const PROGRAM: &str = "
    import java.util.function.*;
    interface Shape { int area(); }
    class Square implements Shape { public int area() { return inner(); } private int inner() { return 4; } }
    class Circle implements Shape { public int area() { return 3; } }
    class Lazy { static { System.nanoTime(); } static void touch() { } }
    public class Main {
        static int count;
        // Not empty: the JVM leaves out calls of its own to empty methods.
        public static void reflected() { count++; }
        static int lambdaTarget() { return 1; }
        static void fixed() { }
        public static void main(String[] args) throws Exception {
            for (Shape shape : new Shape[] {new Square(), new Circle()}) shape.area();
            Supplier<Integer> supplier = Main::lambdaTarget;
            supplier.get();
            Main.class.getMethod(\"reflected\").invoke(null);
            Lazy.touch();
            fixed();
            Thread thread = new Thread(() -> { });
            thread.start();
            thread.join();
        }
    }";

#[test]
fn each_hole_is_found_and_named() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Main.java", PROGRAM)], &JavacOptions::default()).unwrap();
    let options = RunOptions::with_classpath(&[classes.path()]);
    let out = target_dir().join("recordings/tests/holes.edges");
    let (_, recording) = record(&jdk, "Main", &options, &out).unwrap();
    let program = load(&options.classpath, &jdk.home);

    let mut graph = Holed {
        whole: ClassHierarchy::new(&program),
        program: &program,
        uncalled: &[],
        unreached: &[],
        replaced: &[],
        unallocated: &[],
    };
    assert_eq!(application_misses(&recording, &compare(&recording, &program, &graph)), []);

    graph.uncalled = &["Square.area", "Circle.area", "Main.lambdaTarget", "Main.reflected", "Main.fixed"];
    graph.unreached = &["Square.area", "Lazy.<clinit>"];
    graph.unallocated = &["Circle"];
    let recall = compare(&recording, &program, &graph);
    let expected = [
        ("Circle.area", Cause::UnallocatedReceiver),
        ("Lazy.<clinit>", Cause::Uninitialised),
        ("Main.fixed", Cause::FixedCall),
        ("Main.lambdaTarget", Cause::Lambda),
        ("Main.reflected", Cause::Reflection),
        ("Square.area", Cause::LostReceiver),
        ("Square.inner", Cause::UnreachedCaller),
        ("java/lang/System.nanoTime", Cause::UnreachedCaller),
    ];
    let expected: Vec<(String, Cause)> =
        expected.iter().map(|&(name, cause)| (name.to_owned(), cause)).collect();
    assert_eq!(application_misses(&recording, &recall), expected);
    assert_eq!(recall.application_edges.observed - recall.application_edges.found, expected.len());
    assert_eq!(recall.missing_classes, ["Circle"]);
    let hidden: Vec<(&str, usize)> = frontier(&recording, &recall)
        .iter()
        .map(|hidden| (recording.method(hidden.miss.edge.callee).class.as_str(), hidden.methods))
        .collect();
    assert_eq!(hidden, [("Square", 1), ("Lazy", 1)]);

    let before = recall.application_edges.observed;
    graph.replaced = &["Square.area"];
    let recall = compare(&recording, &program, &graph);
    assert_eq!(
        before - recall.application_edges.observed,
        1,
        "the call of Square.inner is no longer asked about"
    );
    assert_eq!(recall.application_methods.observed - recall.application_methods.found, 2);
}

/// The callees of the missing edges out of application code, with the causes, sorted.
fn application_misses(recording: &Recording, recall: &Recall) -> Vec<(String, Cause)> {
    let mut misses: Vec<(String, Cause)> = recall
        .misses
        .iter()
        .filter(|miss| miss.from_application)
        .map(|miss| {
            let callee = recording.method(miss.edge.callee);
            (format!("{}.{}", callee.class, callee.name), miss.cause)
        })
        .collect();
    misses.sort();
    misses
}
