//! Threads and class loaders that come and go: what the agent keeps of them is bounded, and classes of one name that several loaders have are
//! not taken for one.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use selvedge_protocol::{DetectorChoice, Options, Plan};
use selvedge_runtime::session::{Results, Settings};
use selvedge_testkit::{CompiledDir, JavacOptions, Launcher, compile, jvms_or_skip};

/// Rounds of a loader with classes of its own and of threads that use them. At the end everything is dead but the main thread and the JVM's own.
const CHURN: &str = "import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Churn {
    public static class Work implements Runnable {
        static int started;
        static volatile int ended;
        final Object lock = new Object();
        int count;
        volatile int seen;
        int[] cells = new int[4];
        public void run() {
            synchronized (lock) {
                count++;
                cells[1]++;
                started++;
            }
            seen = count;
            ended = seen;
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (String option : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (option.startsWith(\"-agentpath\")) System.out.println(option);
        }
        URL[] path = {Path.of(arguments[0]).toUri().toURL()};
        int rounds = Integer.parseInt(arguments[1]);
        for (int round = 0; round < rounds; round++) {
            round(path);
            if (round % 50 == 0) System.gc();
        }
        for (int i = 0; i < 3; i++) System.gc();
        // The agent hears of dead objects at the next step that it follows.
        Thread last = new Thread(() -> { });
        last.start();
        last.join();
    }

    private static void round(URL[] path) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(path, null)) {
            Runnable work = (Runnable) loader.loadClass(\"Churn$Work\").getConstructor().newInstance();
            Thread[] threads = new Thread[8];
            for (int i = 0; i < threads.length; i++) (threads[i] = new Thread(work)).start();
            for (Thread thread : threads) thread.join();
        }
    }
}";

fn compiled(name: &str, source: &str) -> CompiledDir {
    let options = JavacOptions { release: Some(17), ..JavacOptions::default() };
    compile(&[(&format!("{name}.java"), source)], &options).unwrap()
}

/// The agent's library, where a run has put it.
fn library(launcher: &Launcher, classes: &Path) -> PathBuf {
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--quiet", "--"])
        .arg(&launcher.java)
        .arg("-cp")
        .arg(classes)
        .arg("Churn")
        .arg(classes)
        .arg("0")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let option = printed.lines().find_map(|line| line.strip_prefix("-agentpath:")).unwrap().to_owned();
    PathBuf::from(option.split('=').next().unwrap())
}

/// What the agent keeps after so many rounds.
fn kept(
    launcher: &Launcher,
    library: &Path,
    classes: &Path,
    detector: DetectorChoice,
    rounds: usize,
) -> Results {
    let directory = format!("churn-{}-{rounds}-{}", launcher.feature_version, std::process::id());
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(directory);
    std::fs::create_dir_all(&directory).unwrap();
    let options = Options { detector, ..Options::default() };
    let plan = Plan { options, ..Plan::default() };
    Settings { plan, quiet: true, ..Settings::default() }.write(&directory).unwrap();
    let output = Command::new(&launcher.java)
        .arg(format!("-agentpath:{}={}", library.display(), directory.display()))
        .args(["-XX:+UseSerialGC", "-Xmx64m", "-cp"])
        .arg(classes)
        .arg("Churn")
        .arg(classes)
        .arg(rounds.to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut results = Results::read_all(&directory);
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(results.len(), 1);
    results.remove(0).unwrap()
}

/// Three times as many threads and loaders leave no more behind, once there were more than the agent remembers.
#[test]
fn what_is_kept_of_the_dead_is_bounded() {
    let classes = compiled("Churn", CHURN);
    for launcher in jvms_or_skip() {
        let library = library(&launcher, classes.path());
        for detector in [DetectorChoice::HappensBefore, DetectorChoice::Both] {
            let [few, many] =
                [200, 600].map(|rounds| kept(&launcher, &library, classes.path(), detector, rounds));
            let jdk = launcher.feature_version;
            assert!(many.threads >= 4_800 && few.threads >= 1_600, "JDK {jdk}: {} threads", many.threads);
            let (few, many) = (few.kept, many.kept);
            println!("JDK {jdk}, {detector:?}: {few} entries, then {many}");
            assert!(many < few + 400, "JDK {jdk}, {detector:?}: {few} entries, then {many}");
        }
    }
}

/// Two loaders with a class of the same name: each has static fields of its own, guarded by its own lock.
const TWINS: &str = "import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Twins {
    public static class Part implements Runnable {
        static int count;
        static int[] cells = new int[2];
        int own;
        public void run() {
            for (int i = 0; i < 1000; i++) {
                synchronized (Part.class) {
                    count++;
                    cells[1]++;
                    Other.notes++;
                }
                // Long enough for the other thread to be in the midst of it, too.
                if (i == 500) pause();
            }
            shared[0]++;
        }
        private static void pause() {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        public int[] shared;
    }

    public static class Other {
        static long notes;
    }

    public static void main(String[] arguments) throws Exception {
        URL[] path = {Path.of(arguments[0]).toUri().toURL()};
        int[] shared = new int[1];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            Object part = new URLClassLoader(path, null).loadClass(\"Twins$Part\").getConstructor().newInstance();
            part.getClass().getField(\"shared\").set(part, shared);
            threads[i] = new Thread((Runnable) part);
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}";

/// No race is reported on their static fields, which are two, and that is said; the one on an object that both have is.
#[test]
fn static_fields_of_two_loaders_are_not_one() {
    let classes = compiled("Twins", TWINS);
    for launcher in jvms_or_skip() {
        for detector in ["hb", "both", "lockset"] {
            let at = format!("JDK {}, {detector}", launcher.feature_version);
            let file = format!("twins-{}-{detector}-{}.json", launcher.feature_version, std::process::id());
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
            let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
                .args(["run", "--quiet", "--exit-status", "0", "--detector", detector, "--format", "json"])
                .arg("--output")
                .arg(&file)
                .arg("--")
                .arg(&launcher.java)
                .args(["-XX:+UseSerialGC", "-cp"])
                .arg(classes.path())
                .arg("Twins")
                .arg(classes.path())
                .output()
                .unwrap();
            let report = std::fs::read(&file)
                .unwrap_or_else(|_| panic!("{at}: {}", String::from_utf8_lossy(&output.stderr)));
            std::fs::remove_file(&file).unwrap();
            let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
            for finding in report["findings"].as_array().unwrap() {
                assert_eq!(finding["location"]["class"], "int[]", "{at}: {finding}");
                assert_eq!(finding["location"]["held_by"][0]["field"], "shared", "{at}: {finding}");
            }
            let problems = report["problems"].to_string();
            assert!(problems.contains("Twins$Part: several class loaders have it"), "{at}: {problems}");
        }
    }
}
