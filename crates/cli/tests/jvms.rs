//! Every JVM that is supported, with platform and virtual threads: what is racy is reported, what is ordered is not.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, Launcher, compile, jvms_or_skip};

fn compiled(name: &str, source: &str) -> CompiledDir {
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    compile(&[(name, source)], &options).unwrap()
}

fn run(launcher: &Launcher, options: &[&str], classes: &Path, main: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("run").args(options).arg("--").arg(&launcher.java);
    command
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(classes)
        .arg(main)
        .args(arguments);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const RACY: &str = "public class Racy {
    static int hits;
    public static void main(String[] arguments) throws Exception {
        Thread other = new Thread(() -> hits++, \"other\");
        other.start();
        hits++;
        other.join();
        System.out.println(\"done\");
    }
}";

#[test]
fn a_race_is_reported_on_every_jvm() {
    let classes = compiled("Racy.java", RACY);
    for launcher in jvms_or_skip() {
        let output = run(&launcher, &[], classes.path(), "Racy", &[]);
        let said = text(&output.stderr);
        assert_eq!(text(&output.stdout), "done\n", "JDK {}: {said}", launcher.feature_version);
        for part in ["race on static Racy.hits", "by thread \"main\"", "by thread \"other\"", "Racy.java:6"] {
            assert!(said.contains(part), "JDK {}: {part} is not in\n{said}", launcher.feature_version);
        }
    }
}

/// Compiled for JDK 17, so virtual threads are made by reflection.
const VIRTUAL: &str = "import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Virtual {
    static int ordered, locked, racy;
    static final Object lock = new Object();
    static Thread start(String name, Runnable task) throws Exception {
        Object builder = Thread.class.getMethod(\"ofVirtual\").invoke(null);
        Class<?> type = Class.forName(\"java.lang.Thread$Builder\");
        if (name != null) builder = type.getMethod(\"name\", String.class).invoke(builder, name);
        return (Thread) type.getMethod(\"start\", Runnable.class).invoke(builder, task);
    }
    public static void main(String[] arguments) throws Exception {
        boolean race = arguments.length > 0;
        for (int i = 0; i < 100; i++) {
            ordered++;
            Thread child = start(\"child\", () -> ordered++);
            child.join();
            ordered++;
        }
        int[] cells = new int[40];
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < cells.length; i++) {
            int own = i;
            all.add(start(i == 0 ? null : \"worker \" + i, () -> {
                for (int k = 0; k < 20; k++) {
                    synchronized (lock) { locked++; }
                    cells[own]++;
                    if (k % 5 == 0) Thread.yield();
                    if (k == 10) {
                        try { Thread.sleep(1); } catch (InterruptedException e) { throw new RuntimeException(e); }
                    }
                    if (race) racy++;
                }
            }));
        }
        for (Thread thread : all) thread.join();
        // Classes that virtual threads have needed for sleeping order here, too.
        ExecutorService executor = (ExecutorService) Executors.class.getMethod(\"newVirtualThreadPerTaskExecutor\").invoke(null);
        int[] box = new int[1];
        for (int i = 0; i < 100; i++) {
            executor.submit(() -> { box[0]++; }).get();
            box[0]++;
        }
        executor.shutdown();
        int sum = 0;
        for (int cell : cells) sum += cell;
        System.out.println(ordered + \" \" + locked + \" \" + sum);
    }
}";

#[test]
fn virtual_threads_are_threads() {
    let classes = compiled("Virtual.java", VIRTUAL);
    for launcher in jvms_or_skip().iter().filter(|launcher| launcher.feature_version >= 21) {
        let release = launcher.feature_version;
        let safe = run(launcher, &["--detector", "hb"], classes.path(), "Virtual", &[]);
        assert_eq!(text(&safe.stdout), "300 800 800\n", "JDK {release}: {}", text(&safe.stderr));
        assert!(text(&safe.stderr).contains("no races found"), "JDK {release}: {}", text(&safe.stderr));
        let racy = run(launcher, &["--detector", "hb"], classes.path(), "Virtual", &["race"]);
        let said = text(&racy.stderr);
        assert!(said.contains("race on static Virtual.racy"), "JDK {release}: {said}");
        assert!(
            said.contains("by thread \"worker ") || said.contains("by thread \"virtual thread #"),
            "{said}"
        );
        assert!(!said.contains("jdk.internal.vm.Continuation"), "frames of the JVM's own: {said}");
    }
}

/// Races by the dozen, told while virtual threads are mounted and unmounted: stacks are asked for meanwhile, and nobody may wait for ever.
#[test]
fn races_of_many_virtual_threads_are_told() {
    const FIELDS: usize = 80;
    let each = |form: fn(usize) -> String| (0..FIELDS).map(form).collect::<String>();
    let source = format!(
        "import java.util.concurrent.*;
public class Storm {{
    {}
    {}
    public static void main(String[] arguments) throws Exception {{
        Storm storm = new Storm();
        ExecutorService pool = (ExecutorService) Executors.class.getMethod(\"newVirtualThreadPerTaskExecutor\").invoke(null);
        for (int from = 0; from < 32; from++) {{
            int first = from;
            pool.submit(() -> {{
                for (int i = 0; i < {FIELDS}; i++) {{
                    storm.step((first + i) % {FIELDS});
                    Thread.yield();
                    if (i % 7 == 0) Thread.sleep(0, 1000);
                }}
                return null;
            }});
        }}
        pool.shutdown();
        System.out.println(pool.awaitTermination(100, TimeUnit.SECONDS));
    }}
    void step(int number) {{
        switch (number) {{ {} }}
    }}
}}",
        each(|i| format!("int f{i}; ")),
        each(|i| format!("void m{i}() {{ f{i}++; }} ")),
        each(|i| format!("case {i}: m{i}(); break; ")),
    );
    let classes = compiled("Storm.java", &source);
    for launcher in jvms_or_skip().iter().filter(|launcher| launcher.feature_version >= 21) {
        for detector in ["hb", "lockset"] {
            let output = run(launcher, &["--detector", detector], classes.path(), "Storm", &[]);
            let (release, said) = (launcher.feature_version, text(&output.stderr));
            assert_eq!(text(&output.stdout), "true\n", "JDK {release}, {detector}: {said}");
            let told = said.matches("race on field Storm.f").count();
            assert!(told >= FIELDS / 2, "JDK {release}, {detector}: {told} of {FIELDS}");
        }
    }
}
