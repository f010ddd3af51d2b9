//! `selvedge explain` from the outside: an answer for every field of a program, and help where there is no such field.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use selvedge_testkit::{JavacOptions, compile, jdk_or_skip};

const SHOP: &str = r#"package shop;
import java.util.*;
public class Shop {
    static final Object LOCK = new Object();
    static int open, guarded, setUp, unused, audited;
    static volatile boolean closed;
    static final int LIMIT = 3;
    static final int[] shelves = new int[3];
    static final List<String> orders = new ArrayList<>();
    static class Point { int x, y, z; }
    static class Auditor extends Thread {
        public void run() { audited++; }
    }
    static class Cart extends Basket { int items; } static class Corner extends Point { }
    static void audit() { audited++; }
    static void nobody() { audit(); }
    static void work(Point point) {
        open++;
        synchronized (LOCK) { guarded++; }
        shelves[0]++;
        orders.add("x");
        point.x++; point.y++; point.z++;
    }
    public static void main(String[] args) {
        setUp = 4;
        Point point = new Point();
        Thread other = new Thread(() -> work(point));
        other.start();
        work(point);
        closed = true;
    }
}
"#;

fn explain(arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_selvedge")).arg("explain").args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn every_field_has_an_answer() {
    let Some(_) = jdk_or_skip() else { return };
    let basket = compile(
        &[("shop/Basket.java", "package shop;\npublic class Basket { int weight; }")],
        &JavacOptions::default(),
    )
    .unwrap();
    // The class that a class extends is missing from the input.
    let options = JavacOptions { classpath: vec![basket.path().to_path_buf()], ..JavacOptions::default() };
    let shop = compile(&[("shop/Shop.java", SHOP)], &options).unwrap();
    let path = shop.path().to_str().unwrap();
    let check = |what: &str, status: i32, parts: &[&str]| {
        let (code, text) = explain(&[what, path]);
        assert_eq!(code, Some(status), "{what}: {text}");
        parts.iter().for_each(|part| assert!(text.contains(part), "{what}: {part:?} is not in\n{text}"));
    };
    check("Shop.open", 0, &["[high] shop.Shop.open", "Shop.java:18"]);
    check("Shop.shelves", 0, &["int[] in shop.Shop.shelves"]);
    check("shop/Shop.shelves[0]", 0, &["int[] in shop.Shop.shelves"]);
    check("Shop.orders", 0, &["java.util.ArrayList in shop.Shop.orders"]);
    // One finding stands for the three, led by one of them.
    for field in ["x", "z"] {
        check(&format!("Shop.Point.{field}"), 0, &["Shop$Point", &format!("Point.{field}"), "Shop.java:22"]);
    }
    check("Shop.Corner.x", 0, &["Shop$Point", "Point.x"]);
    check("shop.Shop.guarded", 0, &["[safe] shop.Shop.guarded", "common-lock", "line 19"]);
    check("Shop.setUp", 0, &["[safe]", "Only one thread accesses it", "Shop.java:25"]);
    check("Shop.closed", 0, &["[safe]", "It is volatile"]);
    check("Shop.LIMIT", 0, &["[safe]", "values of constants"]);
    check("Shop.unused", 0, &["[unreached]", "No code of the application"]);
    check(
        "Shop.audited",
        0,
        &[
            "[unreached]",
            "shop.Shop$Auditor.run() writes it (Shop.java:12); it implements java.lang.Thread.run(), and no thread runs that",
            "shop.Shop.audit() writes it (Shop.java:15); only code that is not reached calls it: shop.Shop.nobody()",
        ],
    );
    check("ArrayList.size", 0, &["[not examined] java.util.ArrayList.size", "belongs to a library"]);
    check("Shop.opne", 2, &["there is no finding and no field Shop.opne; did you mean", "shop.Shop.open"]);
    check("Basket.weight", 2, &["class shop.Basket is used by the program but not among its classes"]);
}

#[test]
fn the_program_may_come_first() {
    let Some(_) = jdk_or_skip() else { return };
    let shop = compile(
        &[("Turn.java", "public class Turn { static int n; public static void main(String[] a) { n++; } }")],
        &JavacOptions::default(),
    );
    let shop = shop.unwrap();
    let path = shop.path().to_str().unwrap();
    let answer = explain(&["Turn.n", path]);
    assert_eq!(answer.0, Some(0), "{}", answer.1);
    assert_eq!(explain(&[path, "Turn.n"]), answer);
}

#[test]
fn what_a_limit_left_out_is_unexamined() {
    let Some(_) = jdk_or_skip() else { return };
    let source = "public class Two { static int n; public static void main(String[] a) { new Thread(() -> n++).start(); n++; } }";
    let two = compile(&[("Two.java", source)], &JavacOptions::default()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["check", "--format", "json"])
        .arg(two.path())
        .output()
        .unwrap();
    let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let location = report["findings"][0]["location"].clone();
    report["unexamined"] = serde_json::json!([{ "location": location, "pairs": 7, "limit": "50000 pairs" }]);
    report["findings"] = serde_json::json!([]);
    let file = std::env::temp_dir().join(format!("selvedge-explain-{}.json", std::process::id()));
    std::fs::write(&file, report.to_string()).unwrap();
    let (code, text) = explain(&["Two.n", "--report", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("[unexamined] Two.n"), "{text}");
    assert!(text.contains("7 pairs of accesses skipped: limit of 50000 pairs reached"), "{text}");
}
