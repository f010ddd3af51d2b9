//! Both accesses of a race have callers, and arrays and containers the fields that hold them and the lines that made them.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jvms_or_skip};

/// Two threads take turns by memory that no hook sees, so that the order of accesses is always the same.
const PROGRAM: &str = "import java.util.*;
public class Holders {
    static sun.misc.Unsafe unsafe;
    static long turn;
    final int[] cells = new int[4];
    static final List<String> names = new ArrayList<>();
    final Map<String, Integer> map = new HashMap<>();
    final long[][] rows = new long[2][];
    final int[] copied = cells.clone();
    Holders() { rows[1] = new long[3]; }
    int plain;
    int[] late, either;
    { for (int i = 0; i < 9999; i++) late = new int[4]; }
    { for (int i = 0; i < 9999; i++) either = new int[4];
      for (int i = 0; i < 9999; i++) either = new int[4]; }
    static void await(int number) { while (unsafe.getInt(turn) < number) Thread.yield(); }
    static void pass(int number) { unsafe.putInt(turn, number); }
    void bump(int cell) { cells[cell]++; copied[cell]++; rows[cell][2]++; late[cell]++; either[cell]++; }
    void put(String key) { Map<String, Integer> own = map; own.put(key, 1); }
    void set() { plain = 1; }
    void touch() { bump(1); names.add(\"x\"); put(\"k\"); set(); }
    void first() { touch(); pass(1); await(2); }
    void second() { await(1); touch(); pass(2); }
    public static void main(String[] arguments) throws Exception {
        java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
        field.setAccessible(true);
        unsafe = (sun.misc.Unsafe) field.get(null);
        turn = unsafe.allocateMemory(4);
        pass(0);
        Holders holders = new Holders();
        Thread first = new Thread(holders::first, \"first\"), second = new Thread(() -> holders.second(), \"second\");
        first.start();
        second.start();
        first.join();
        second.join();
    }
}";

#[test]
fn both_sides_have_callers_and_containers_have_holders() {
    let classes = compile(&[("Holders.java", PROGRAM)], &JavacOptions::default()).unwrap();
    for launcher in jvms_or_skip() {
        let release = launcher.feature_version;
        let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("stacks-{release}-{}.json", std::process::id()));
        let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(["run", "--quiet", "--format", "json", "--output"])
            .arg(&file)
            .arg("--")
            .arg(&launcher.java)
            .arg("-cp")
            .arg(classes.path())
            .arg("Holders")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(66), "JDK {release}: {said}");
        let report: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let _ = std::fs::remove_file(&file);
        let findings = report["findings"].as_array().unwrap();
        for (kind, holder, line) in [
            ("array", "cells", Some(5)),
            ("container", "names", Some(6)),
            ("container", "map", Some(7)),
            ("array", "copied", Some(9)),
            ("array", "rows", Some(10)),
            // So many are made there that the agent does not note them; the code says where.
            ("array", "late", Some(13)),
            ("array", "either", None),
            ("field", "", None),
        ] {
            let holders = serde_json::json!([{"class": "Holders", "field": holder}]);
            let is_it = |finding: &&serde_json::Value| {
                finding["kind"] == kind && (kind == "field" || finding["location"]["held_by"] == holders)
            };
            let finding = findings
                .iter()
                .find(is_it)
                .unwrap_or_else(|| panic!("JDK {release}: no {holder} in {report:#}"));
            let made = &finding["object"]["allocated_at"]["line"];
            assert_eq!(made.as_u64(), line, "JDK {release}: {finding:#}");
            let paths: Vec<String> = (0..2).map(|side| finding["sides"][side]["path"].to_string()).collect();
            assert!(paths[0].contains("Holders.second()"), "JDK {release}: {finding:#}");
            // The earlier access was made by a thread that is no longer in the method, but in one that calls it.
            assert!(
                paths[1].contains("Holders.first()") && !paths[1].contains("second"),
                "JDK {release}: {finding:#}"
            );
        }
    }
}
