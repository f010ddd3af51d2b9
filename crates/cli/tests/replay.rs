//! `selvedge replay` from the outside.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_protocol::trace::TraceWriter;
use selvedge_protocol::{Definition, text};
use selvedge_testkit::check_golden;

const BANK: &str = "\
object o1: bank.Account @bank.Bank.open:7
object o2: java.lang.Object
thread main \"main\"
thread T1 \"teller-1\" @bank.Bank.main:20
thread T2 \"teller-2\" @bank.Bank.main:21
main: write o1.balance @bank.Account.<init>:3 < bank.Bank.open:7
main: fork T1 @bank.Bank.main:20; main: fork T2 @bank.Bank.main:21
T1: acquire o2; T1: read o1.balance @bank.Account.deposit:12 < bank.Teller.run:30
T1: write o1.balance @bank.Account.deposit:12 < bank.Teller.run:30; T1: release o2
T2: read o1.balance @bank.Account.print:16 < bank.Teller.run:31
T1: end; T2: end; main: join T1; main: join T2
main: read o1.balance @bank.Account.print:16 < bank.Bank.main:24
";

/// A directory of its own for a test.
fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// The trace as `--record` would write it.
fn binary() -> Vec<u8> {
    let trace = text::parse(BANK).unwrap();
    let mut writer = TraceWriter::new(Vec::new());
    let tables = &trace.tables;
    tables.classes.iter().for_each(|it| writer.define(&Definition::Class(it.clone())).unwrap());
    tables.fields.iter().for_each(|it| writer.define(&Definition::Field(it.clone())).unwrap());
    // The unknown site and the empty stack are in every table.
    tables.sites.iter().skip(1).for_each(|it| writer.define(&Definition::Site(it.clone())).unwrap());
    tables.stacks.iter().skip(1).for_each(|it| writer.define(&Definition::Stack(it.clone())).unwrap());
    tables.threads.iter_ids().for_each(|(_, it)| writer.define(&Definition::Thread(it.clone())).unwrap());
    tables.objects.iter().for_each(|(id, it)| writer.define(&Definition::Object(*id, *it)).unwrap());
    trace.events.iter().for_each(|event| writer.event(event).unwrap());
    writer.finish().unwrap()
}

fn replay(directory: &Path, bytes: &[u8], arguments: &[&str]) -> Output {
    std::fs::write(directory.join("run.trace"), bytes).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.current_dir(directory).arg("replay").arg("run.trace").args(arguments).output().unwrap()
}

fn printed(output: &Output, status: i32) -> String {
    assert_eq!(output.status.code(), Some(status), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_owned()
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn a_recorded_race_is_shown_with_both_sides() {
    let directory = directory("recorded");
    let text = printed(&replay(&directory, &binary(), &[]), 1);
    check_golden(golden("replay.txt"), &text);
    let same = printed(&replay(&directory, BANK.as_bytes(), &[]), 1);
    assert_eq!(text, same, "the text form means the same");
}

#[test]
fn detectors_can_be_chosen() {
    let directory = directory("detectors");
    let summary = |bytes: &[u8], options: &[&str], status| {
        let all: Vec<&str> = ["--quiet"].iter().chain(options).copied().collect();
        printed(&replay(&directory, bytes, &all), status).trim_end().to_owned()
    };
    assert_eq!(summary(&binary(), &["--detector", "hb"], 1), "1 race in 1 field (1 high)");
    assert_eq!(summary(&binary(), &["--detector", "lockset"], 1), "1 race in 1 field (1 medium)");
    let joined = BANK.replace("T2: read o1.balance", "T2: acquire o2; T2: read o1.balance");
    let ordered = joined.replace("T1: end; T2: end", "T2: release o2; T1: end; T2: end");
    assert_eq!(summary(ordered.as_bytes(), &[], 0), "no races found");
    let locksets = ["--detector", "lockset", "--no-ownership"];
    assert_eq!(summary(ordered.as_bytes(), &locksets, 0), "no races found");
    // What the first thread does after the start of the others is its own until they come.
    let late = "main: fork T1; main: write o1.f @p.A.a:1; T1: write o1.f @p.B.b:2";
    assert_eq!(summary(late.as_bytes(), &locksets[..2], 0), "no races found");
    assert_eq!(summary(late.as_bytes(), &locksets, 1), "1 race in 1 field (1 medium)");
}

#[test]
fn every_pair_of_a_location_can_be_listed() {
    let directory = directory("pairs");
    let brief = |location: &str, status| {
        printed(&replay(&directory, &binary(), &["--brief", "--pairs", location]), status)
    };
    check_golden(golden("replay-pairs.txt"), &brief("bank.Account.balance", 1));
    assert_eq!(brief("o1.balance", 1), brief("bank.Account.balance", 1));
    // Pairs are those of the chosen detector: in a schedule that a lock orders, and while a location is the first thread's own.
    let count = |trace: &str, options: &[&str]| {
        let all: Vec<&str> = ["--quiet", "--pairs", "o1.f"].iter().chain(options).copied().collect();
        let output = replay(&directory, trace.as_bytes(), &all);
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    };
    let locksets = ["--detector", "lockset", "--no-ownership"];
    let ordered = "main: fork T1; main: write o1.f @p.A.a:1; main: acquire o2; main: release o2
T1: acquire o2; T1: release o2; T1: write o1.f @p.B.b:2";
    assert_eq!(count(ordered, &[]), "no races found");
    assert_eq!(count(ordered, &locksets[..2]), "no races found");
    assert_eq!(count(ordered, &locksets), "1 race in 1 field (1 medium)");
    let unordered = "main: fork T1; main: write o1.f @p.A.a:1; T1: write o1.f @p.B.b:2";
    assert_eq!(count(unordered, &[]), "1 race in 1 field (1 high)");
    assert_eq!(count(unordered, &locksets[..2]), "no races found");
    let output = replay(&directory, &binary(), &["--pairs", "bank.Account.owner"]);
    assert_eq!(complaint(&output), "selvedge: the trace has no access to bank.Account.owner");
    let output = replay(&directory, &binary(), &["--pairs", "balance"]);
    assert_eq!(complaint(&output), "selvedge: `balance` is not a location: p.C.f, o12, o12.f or o12[3]");
}

#[test]
fn events_are_printed_and_can_be_replayed() {
    let directory = directory("events");
    let events = printed(&replay(&directory, &binary(), &["--events"]), 0);
    assert!(
        events.contains("t1: write o1.balance @bank.Account.deposit:12 < bank.Teller.run:30\n"),
        "{events}"
    );
    let again = printed(&replay(&directory, events.as_bytes(), &["--events"]), 0);
    assert_eq!(events, again);
}

#[test]
fn a_cut_trace_counts_up_to_the_cut_and_damage_is_told() {
    let directory = directory("cut");
    let bytes = binary();
    let json = |bytes: &[u8], status| -> serde_json::Value {
        let output = replay(&directory, bytes, &["--format", "json"]);
        serde_json::from_str(&printed(&output, status)).unwrap()
    };
    let whole = json(&bytes, 1);
    assert_eq!(whole["problems"].as_array().unwrap().len(), 0);
    assert_eq!(whole["findings"][0]["verdict"], "happens-before");
    assert_eq!(whole["findings"][0]["sides"][1]["thread"]["name"], "teller-1");
    assert_eq!(whole["findings"][0]["object"]["allocated_at"]["line"], 7);
    let cut = json(&bytes[..bytes.len() - 3], 1);
    assert_eq!(cut["problems"][0]["kind"], "truncated");
    let mut damaged = bytes.clone();
    damaged.pop();
    damaged.push(0x3f);
    assert_eq!(json(&damaged, 1)["problems"][0]["kind"], "damaged");
}

#[test]
fn what_is_no_trace_is_refused() {
    let directory = directory("refused");
    let said = complaint(&replay(&directory, b"\xff\xfe\x00", &[]));
    assert_eq!(said, "selvedge: run.trace is not a valid trace");
    let said = complaint(&replay(&directory, b"hello", &[]));
    assert!(said.starts_with("selvedge: run.trace is not a valid trace: line 1: "), "{said}");
    let said = complaint(&replay(&directory, b"SELVTRC\n\x07", &[]));
    assert!(said.contains("the trace has version 7; this program reads version 1"), "{said}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    let output = command.current_dir(&directory).args(["replay", "missing.trace"]).output().unwrap();
    assert!(complaint(&output).starts_with("selvedge: cannot read missing.trace: "));
}
