//! `selvedge check --library --confirm`: tests that show a library's races, and are silent when these are mended.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, compile, jdk_or_skip};
use serde_json::Value;

/// A class, its racy members, and the mended ones.
const PAIRS: [(&str, &str, &str); 10] = [
    (
        "Cache",
        "private final Map<String, String> map = new HashMap<>();
         public String get(String key) { return map.get(key); }
         public synchronized void put(String key, String value) { map.put(key, value); }",
        "private final Map<String, String> map = new HashMap<>();
         public synchronized String get(String key) { return map.get(key); }
         public synchronized void put(String key, String value) { map.put(key, value); }",
    ),
    (
        "Counter",
        "private int count; public synchronized void up() { count++; } public void reset() { count = 0; }",
        "private int count; public synchronized void up() { count++; } public synchronized void reset() { count = 0; }",
    ),
    (
        "Queue",
        "private final ArrayDeque<Object> all = new ArrayDeque<>(); private final Object lock = new Object();
         public void give(Object one) { synchronized (lock) { all.add(one); } }
         public Object take() { return all.poll(); }",
        "private final ArrayDeque<Object> all = new ArrayDeque<>(); private final Object lock = new Object();
         public void give(Object one) { synchronized (lock) { all.add(one); } }
         public Object take() { synchronized (lock) { return all.poll(); } }",
    ),
    (
        "Listeners",
        "public interface Listener { void heard(); }
         private final List<Listener> all = new ArrayList<>();
         public synchronized void add(Listener one) { all.add(one); }
         public void tell() { for (int i = 0; i < all.size(); i++) all.get(i).heard(); }",
        "public interface Listener { void heard(); }
         private final List<Listener> all = new ArrayList<>();
         public synchronized void add(Listener one) { all.add(one); }
         public synchronized void tell() { for (int i = 0; i < all.size(); i++) all.get(i).heard(); }",
    ),
    (
        "Limits",
        "private final int most; private int used; private final Object lock = new Object();
         public Limits(int most) { this.most = most; }
         public boolean enter() { synchronized (lock) { if (used < most) { used++; return true; } return false; } }
         public void leave() { used--; }",
        "private final int most; private int used; private final Object lock = new Object();
         public Limits(int most) { this.most = most; }
         public boolean enter() { synchronized (lock) { if (used < most) { used++; return true; } return false; } }
         public void leave() { synchronized (lock) { used--; } }",
    ),
    (
        "Names",
        "private static final Map<String, Integer> known = new HashMap<>();
         public static synchronized int number(String name) { return known.computeIfAbsent(name, key -> known.size()); }
         public static boolean isKnown(String name) { return known.containsKey(name); }",
        "private static final Map<String, Integer> known = new HashMap<>();
         public static synchronized int number(String name) { return known.computeIfAbsent(name, key -> known.size()); }
         public static synchronized boolean isKnown(String name) { return known.containsKey(name); }",
    ),
    (
        "Pool",
        "private final Object[] slots = new Object[8]; private int free = 8;
         public synchronized void back(Object one) { if (free < 8) slots[free++] = one; }
         public Object borrow() { return free > 0 ? slots[--free] : new Object(); }",
        "private final Object[] slots = new Object[8]; private int free = 8;
         public synchronized void back(Object one) { if (free < 8) slots[free++] = one; }
         public synchronized Object borrow() { return free > 0 ? slots[--free] : new Object(); }",
    ),
    (
        "Registry",
        "private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
         private final TreeMap<Long, Runnable> tasks = new TreeMap<>();
         public void add(long at, Runnable task) { lock.lock(); try { tasks.put(at, task); } finally { lock.unlock(); } }
         public int size() { return tasks.size(); }",
        "private final java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
         private final TreeMap<Long, Runnable> tasks = new TreeMap<>();
         public void add(long at, Runnable task) { lock.lock(); try { tasks.put(at, task); } finally { lock.unlock(); } }
         public int size() { lock.lock(); try { return tasks.size(); } finally { lock.unlock(); } }",
    ),
    (
        "Account",
        "public enum Kind { CASH, CARD } private long balance; private final Kind kind;
         private Account(Kind kind) { this.kind = kind; }
         public static Account of(Kind kind) { return new Account(kind); }
         public synchronized void pay(long sum) { balance += sum; }
         public void draw(long sum) { balance -= sum; }",
        "public enum Kind { CASH, CARD } private long balance; private final Kind kind;
         private Account(Kind kind) { this.kind = kind; }
         public static Account of(Kind kind) { return new Account(kind); }
         public synchronized void pay(long sum) { balance += sum; }
         public synchronized void draw(long sum) { balance -= sum; }",
    ),
    (
        "Session",
        "private final Map<String, Object> values = new HashMap<>(); private final Object lock = new Object();
         public Session(CharSequence name, List<String> roles) { values.put(\"name\", name + roles.toString()); }
         public void set(String key, Object value) { synchronized (lock) { values.put(key, value); } }
         public void clear() { values.clear(); }",
        "private final Map<String, Object> values = new HashMap<>(); private final Object lock = new Object();
         public Session(CharSequence name, List<String> roles) { values.put(\"name\", name + roles.toString()); }
         public void set(String key, Object value) { synchronized (lock) { values.put(key, value); } }
         public void clear() { synchronized (lock) { values.clear(); } }",
    ),
];

/// Enough of JUnit for a test to compile.
const JUNIT: [(&str, &str); 2] = [
    ("org/junit/jupiter/api/Test.java", "package org.junit.jupiter.api; public @interface Test { }"),
    (
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api; public class Assertions {
            public static void assertTrue(boolean value, java.util.function.Supplier<String> text) { }
        }",
    ),
];

fn compiled(mended: bool) -> CompiledDir {
    let files: Vec<(String, String)> = PAIRS
        .iter()
        .map(|(name, racy, safe)| {
            let members = if mended { safe } else { racy };
            let source = format!("package lib; import java.util.*; public class {name} {{ {members} }}");
            (format!("lib/{name}.java"), source)
        })
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, source)| (path.as_str(), source.as_str())).collect();
    compile(&files, &JavacOptions::default()).unwrap()
}

fn selvedge(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(arguments).output().unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Whether a run of a test reports a race.
fn reports(jdk: &Jdk, class_path: &str, name: &str) -> bool {
    let java = jdk.java.to_str().unwrap();
    let output = selvedge(&["run", "--detector", "hb", "--", java, "-cp", class_path, name]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no races found") || said.contains("race on "), "{name}: {said}");
    said.contains("race on ")
}

/// The test that shows a race of a class, by its name.
fn test_of(report: &Value, class: &str) -> Option<String> {
    let is_of = |finding: &&Value| {
        let of = |place: &Value| place["class"].as_str() == Some(&format!("lib.{class}"));
        let location = &finding["location"];
        let holders = location["held_by"].as_array();
        of(location) || holders.is_some_and(|holders| holders.iter().any(of))
    };
    let mut own = report["findings"].as_array().unwrap().iter().filter(is_of);
    let shown = own.find_map(|finding| finding["confirmation"]["test"].as_str())?;
    Some(Path::new(shown).file_stem()?.to_str()?.to_owned())
}

#[test]
fn tests_show_races_until_they_are_mended() {
    let Some(jdk) = jdk_or_skip() else { return };
    let (racy, mended) = (compiled(false), compiled(true));
    let [racy, mended] = [&racy, &mended].map(|folder| folder.path().to_str().unwrap().to_owned());
    let tests = scratch("racing-tests");
    let kept = tests.to_str().unwrap();
    let check = ["--library", "--confirm", "--confirm-time", "300", "--format", "json", "--tests", kept];
    // Whether two threads meet within a hold is for the machine to decide, which may be busy.
    let names = (0..3).find_map(|_| {
        let output = selvedge(&[&["check", &racy][..], &check].concat());
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let shown: Vec<Option<String>> = PAIRS.iter().map(|(class, ..)| test_of(&report, class)).collect();
        println!("{shown:?}");
        shown.into_iter().collect::<Option<Vec<String>>>()
    });
    let names = names.expect("a test for each class");
    // Both forms compile as they are, and say what they are about.
    let sources: Vec<(String, String)> = std::fs::read_dir(&tests)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect();
    assert_eq!(sources.len() % 2, 0);
    let all = sources.iter().map(|(name, source)| (name.as_str(), source.as_str())).chain(JUNIT);
    let options = JavacOptions { classpath: vec![PathBuf::from(&racy)], ..JavacOptions::default() };
    let classes = compile(&all.collect::<Vec<_>>(), &options).unwrap();
    let classes = classes.path().to_str().unwrap();
    for name in &names {
        let source = &sources.iter().find(|(file, _)| *file == format!("{name}.java")).unwrap().1;
        assert!(source.contains(" * Shows a race. ") && !source.contains("Race0"), "{source}");
        assert!(
            (0..5).any(|_| reports(&jdk, &format!("{classes}:{racy}"), name)),
            "{name} is silent: {source}"
        );
        assert!(
            !reports(&jdk, &format!("{classes}:{mended}"), name),
            "{name} reports what is mended: {source}"
        );
    }
    // What is mended has no finding to try.
    let output = selvedge(&[&["check", &mended][..], &check].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tried = report["findings"].as_array().unwrap().iter();
    let outcomes: Vec<&str> =
        tried.map(|finding| finding["confirmation"]["outcome"].as_str().unwrap()).collect();
    assert!(!outcomes.contains(&"confirmed"), "{report:#}");
    std::fs::remove_dir_all(&tests).unwrap();
}

#[test]
fn what_cannot_be_called_says_why() {
    let Some(_) = jdk_or_skip() else { return };
    let source = "package lib; public class Hidden {
        private final java.util.Map<String, String> map = new java.util.HashMap<>();
        private Hidden() { }
        static Hidden only = new Hidden();
        protected static Hidden get() { return only; }
        public synchronized void put(String key) { map.put(key, key); }
        public String find(String key) { return map.get(key); }
    }";
    let folder = compile(&[("lib/Hidden.java", source)], &JavacOptions::default()).unwrap();
    let path = folder.path().to_str().unwrap();
    let output = selvedge(&["check", path, "--library", "--confirm", "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(finding["confirmation"]["outcome"], "not-tried", "{finding:#}");
        assert!(finding["confirmation"]["because"].is_string(), "{finding:#}");
    }
    let output = selvedge(&["check", path, "--confirm"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--confirm needs a program"));
}
