//! The agent against programs whose edges are known exactly. These runs are also the check that the bindings fit the
//! JVM: every function of the tool interface that the agent calls is called here.

#![allow(clippy::unwrap_used)]

use selvedge_recorder::run::record;
use selvedge_recorder::{Normalised, Recording, Via};
use selvedge_testkit::{JavaRun, JavacOptions, RunOptions, compile, jdk_or_skip, target_dir};
use std::path::PathBuf;

/// Compiles `text`, whose main class is `Main`, and records a run of it.
fn record_source(name: &str, text: &str) -> Option<(JavaRun, Recording)> {
    let jdk = jdk_or_skip()?;
    let classes = compile(&[("Main.java", text)], &JavacOptions::default()).unwrap();
    let options = RunOptions::with_classpath(&[classes.path()]);
    let out: PathBuf = target_dir().join("recordings/tests").join(format!("{name}.edges"));
    let (run, recording) = record(&jdk, "Main", &options, &out).unwrap();
    assert_eq!(recording.problems, Vec::<String>::new());
    Some((run, recording))
}

/// The normalised edges between methods of the program itself, as `caller -> callee via`, without indexes.
fn program_edges(recording: &Recording) -> Vec<String> {
    let mut lines: Vec<String> = Normalised::of(recording)
        .edges
        .iter()
        .filter(|edge| {
            recording.is_application(edge.callee)
                && edge.caller.is_none_or(|site| recording.is_application(site.method))
        })
        .map(|edge| {
            let short = |index| {
                let method = recording.method(index);
                format!("{}.{}", method.class, method.name)
            };
            let caller = edge.caller.map_or("-".to_owned(), |site| short(site.method));
            format!("{caller} -> {} {}", short(edge.callee), edge.via.word())
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}

fn check(name: &str, text: &str, expected: &[&str]) {
    let Some((run, recording)) = record_source(name, text) else { return };
    assert_eq!(run.exit_code, Some(0), "{}", run.stderr);
    let edges: Vec<String> =
        program_edges(&recording).into_iter().filter(|line| !line.ends_with(" clinit")).collect();
    assert_eq!(edges, expected);
}

#[test]
fn plain_calls_dispatch_and_bridges() {
    check(
        "plain",
        "interface Shape<T> { void put(T value); default void twice(T value) { put(value); put(value); } }
         class Box implements Shape<String> { public void put(String value) { } }
         class Sub extends Box { Sub() { super(); } @Override public void put(String value) { super.put(value); } }
         public class Main {
             static void never() { Main.never(); }
             public static void main(String[] args) { Shape<String> shape = new Sub(); shape.twice(\"a\"); }
         }",
        &[
            "- -> Main.main vm",
            "Main.main -> Shape.twice call",
            "Main.main -> Sub.<init> call",
            "Shape.twice -> Sub.put call",
            "Sub.<init> -> Box.<init> call",
            "Sub.put -> Box.put call",
            "Sub.put -> Sub.put call",
        ],
    );
}

#[test]
fn lambdas_references_handles_and_reflection_are_collapsed() {
    check(
        "collapsed",
        "import java.lang.invoke.*;
         import java.util.function.*;
         public class Main implements InvocationHandlerLike {
             Main() { }
             public void go() { }
             static int twice(int value) { return value + value; }
             static void handled() { }
             public static void reflected() { }
             public static void main(String[] args) throws Throwable {
                 Runnable lambda = () -> twice(1);
                 lambda.run();
                 IntUnaryOperator reference = Main::twice;
                 reference.applyAsInt(2);
                 Supplier<Main> constructor = Main::new;
                 InvocationHandlerLike main = constructor.get();
                 main.go();
                 MethodHandle handle = MethodHandles.lookup()
                     .findStatic(Main.class, \"handled\", MethodType.methodType(void.class));
                 handle.invokeExact();
                 for (int i = 0; i < 40; i++) Main.class.getMethod(\"reflected\").invoke(null);
             }
         }
         interface InvocationHandlerLike { void go(); }",
        &[
            "- -> Main.main vm",
            "Main.lambda$main$0 -> Main.twice call",
            "Main.main -> Main.<init> lambda",
            "Main.main -> Main.go call",
            "Main.main -> Main.handled methodhandle",
            "Main.main -> Main.lambda$main$0 lambda",
            "Main.main -> Main.reflected reflection",
            "Main.main -> Main.twice lambda",
        ],
    );
}

#[test]
fn a_proxy_leads_to_its_handler_and_one_accessor_serves_many_callers() {
    check(
        "proxy",
        "import java.lang.reflect.*;
         public class Main {
             public static void target() { }
             static void first(Method method) throws Exception { method.invoke(null); }
             static void second(Method method) throws Exception { method.invoke(null); }
             static Object handle(Object proxy, Method method, Object[] args) { return null; }
             public static void main(String[] args) throws Exception {
                 Method method = Main.class.getMethod(\"target\");
                 for (int i = 0; i < 20; i++) first(method);
                 second(method);
                 Runnable proxy = (Runnable) Proxy.newProxyInstance(
                     Main.class.getClassLoader(), new Class<?>[] {Runnable.class}, Main::handle);
                 proxy.run();
             }
         }",
        &[
            "- -> Main.main vm",
            "Main.first -> Main.target reflection",
            "Main.main -> Main.first call",
            "Main.main -> Main.handle proxy",
            "Main.main -> Main.second call",
            "Main.second -> Main.target reflection",
        ],
    );
}

const THREADS: &str = "
    public class Main extends Thread {
        static int count;
        static synchronized void count() { count++; }
        public void run() { for (int i = 0; i < 1000; i++) step(i); }
        void step(int i) { if (i % 2 == 0) even(); else odd(); }
        void even() { count(); }
        void odd() { count(); }
        public static void main(String[] args) throws Exception {
            Main[] all = new Main[8];
            for (int i = 0; i < all.length; i++) { all[i] = new Main(); all[i].start(); }
            for (Main one : all) one.join();
            System.out.print(count);
            Thread daemon = new Thread(() -> { while (true) count(); });
            daemon.setDaemon(true);
            daemon.start();
            System.exit(5);
        }
    }";

#[test]
fn threads_and_exit_are_survived() {
    let Some((run, recording)) = record_source("threads", THREADS) else { return };
    assert_eq!((run.exit_code, run.stdout.as_str()), (Some(5), "8000"));
    let edges = program_edges(&recording);
    for expected in [
        "- -> Main.run vm",
        "Main.run -> Main.step call",
        "Main.step -> Main.even call",
        "Main.step -> Main.odd call",
    ] {
        assert!(edges.iter().any(|edge| edge == expected), "{expected} is not in {edges:#?}");
    }
}

#[test]
fn allocated_classes_initialisers_and_upcalls() {
    let text = "
        import java.io.*;
        class Made { }
        class Base { Base() { } }
        class Derived extends Base { static final Object LAZY = new Made(); }
        class Unused { }
        class Copied implements Cloneable { public Copied clone() throws CloneNotSupportedException { return (Copied) super.clone(); } }
        class Sent implements Serializable { }
        public class Main {
            public static void main(String[] args) throws Exception {
                new Derived();
                new Copied().clone();
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                new ObjectOutputStream(bytes).writeObject(new Sent());
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
                try { System.out.print(1 / args.length); } catch (ArithmeticException expected) { }
            }
        }";
    let Some((_, recording)) = record_source("allocated", text) else { return };
    let made: Vec<&str> = recording
        .allocated
        .iter()
        .map(String::as_str)
        .filter(|name| recording.classes.get(*name).is_none_or(|facts| !facts.loader.is_jdk()))
        .filter(|name| !name.contains('/'))
        .collect();
    // `Base` is constructed as a part of `Derived` but no object of it is made.
    assert_eq!(made, ["Copied", "Derived", "Made", "Sent"]);
    assert!(recording.allocated.contains("java/lang/ArithmeticException"));

    let lines: Vec<String> = recording
        .edges
        .iter()
        .filter(|edge| matches!(edge.via, Via::Clinit | Via::Upcall))
        .filter_map(|edge| Some((recording.method(edge.caller?.method), edge)))
        .filter(|(caller, _)| caller.class == "Main")
        .map(|(_, edge)| format!("{} {}", recording.method(edge.callee), edge.via.word()))
        .collect();
    for expected in
        ["Derived.<clinit>()V clinit", "java/lang/ArithmeticException.<init>(Ljava/lang/String;)V upcall"]
    {
        assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:#?}");
    }
}

#[test]
fn a_site_is_the_calling_instruction() {
    let text = "public class Main {
        static void callee() { }
        public static void main(String[] args) { callee(); int unused = 0; callee(); }
    }";
    let Some((_, recording)) = record_source("sites", text) else { return };
    let mut sites: Vec<u32> = recording
        .edges
        .iter()
        .filter(|edge| recording.method(edge.callee).name == "callee")
        .filter_map(|edge| edge.caller?.bci)
        .collect();
    sites.sort_unstable();
    // invokestatic (3 bytes), iconst_0, istore_1, invokestatic.
    assert_eq!(sites, [0, 5]);
}

#[test]
fn class_files_that_a_loader_of_the_program_defines_are_kept() {
    let recorded = record_source(
        "made",
        "class Made { public String toString() { return \"made\"; } }
         public class Main {
             static class Own extends ClassLoader {
                 Own() { super(null); }
                 Class<?> define(byte[] bytes) { return defineClass(\"Made\", bytes, 0, bytes.length); }
             }
             public static void main(String[] args) throws Exception {
                 byte[] bytes = Main.class.getResourceAsStream(\"Made.class\").readAllBytes();
                 System.out.println(new Own().define(bytes).getName());
             }
         }",
    );
    let Some((run, _)) = recorded else { return };
    assert_eq!(run.stdout.trim(), "Made");
    let dir = target_dir().join("recordings/tests/made.made");
    let kept: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept, ["Made.class"]);
}

#[test]
fn the_agent_refuses_wrong_options() {
    let Some(jdk) = jdk_or_skip() else { return };
    let agent = selvedge_recorder::run::agent_library().unwrap();
    let output = std::process::Command::new(&jdk.java)
        .arg(format!("-agentpath:{}=colour=blue", agent.display()))
        .arg("-version")
        .output()
        .unwrap();
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("unknown option \"colour=blue\"; the agent takes out=FILE"), "{stderr}");
}
