//! Tries the findings of every closed program of the race corpus, and prints what came of them.
//!
//!     cargo build --release -p selvedge-cli
//!     cargo run --release -p selvedge-cli --example confirm_corpus -- target/release/selvedge [TOPIC/NAME ...]
//!
//! Of racy programs at least one finding is to be confirmed. Safe programs are checked without the refuters of locks, order and hand-over, so that there is
//! something to try; nothing of it may be confirmed. Exit status 1 if something is.

use std::path::Path;
use std::process::{Command, ExitCode};

use selvedge_testkit::{Analysed, CorpusProgram, compile_corpus, corpus, find_jdk};
use serde_json::Value;

/// The refuters that safe programs are checked without.
const WITHOUT: [&str; 3] = ["locks", "order", "hand-over"];

/// Prints a line; that nobody reads it any more is no reason to stop.
macro_rules! say {
    ($($text:tt)*) => {{
        let _ = std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($text)*)));
    }};
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(selvedge) = arguments.next() else {
        say!("the path of selvedge is missing");
        return ExitCode::from(2);
    };
    let wanted: Vec<String> = arguments.collect();
    let compiled = find_jdk().map(|jdk| (compile_corpus(&jdk), jdk));
    let (Some((Ok(classes), jdk)), Ok(programs)) = (compiled, corpus()) else {
        say!("there is no JDK, or the corpus cannot be compiled");
        return ExitCode::from(2);
    };
    let is_wanted = |program: &CorpusProgram| {
        wanted.is_empty() || wanted.iter().any(|name| program.file.starts_with(name.as_str()))
    };
    let [mut racy, mut confirmed, mut safe, mut wrong] = [0; 4];
    for program in programs.iter().filter(|program| is_wanted(program)) {
        let Analysed::Main(main) = &program.analysed else { continue };
        let outcomes = outcomes(&selvedge, classes.path(), &jdk.java, main, program.is_racy());
        let count = |outcome: &str| outcomes.iter().filter(|known| *known == outcome).count();
        let happened = count("confirmed") > 0;
        if program.is_racy() {
            racy += 1;
            confirmed += usize::from(happened);
        } else {
            safe += 1;
            wrong += usize::from(happened);
        }
        let kind = if program.is_racy() { "racy" } else { "safe" };
        let mark = if happened == program.is_racy() { " " } else { "!" };
        let counts: Vec<String> = ["confirmed", "not-met", "not-executed", "lock", "not-tried"]
            .into_iter()
            .filter(|outcome| count(outcome) > 0)
            .map(|outcome| format!("{} {outcome}", count(outcome)))
            .collect();
        say!("{mark} {kind} {}: {}", program.file, counts.join(", "));
    }
    say!("racy: {confirmed} of {racy} confirmed; safe: {wrong} of {safe} confirmed");
    ExitCode::from(u8::from(wrong > 0))
}

fn outcomes(selvedge: &str, classes: &Path, java: &Path, main: &str, is_racy: bool) -> Vec<String> {
    let mut command = Command::new(selvedge);
    command.arg("check").arg(classes).args(["--main", main, "--no-config", "--format", "json"]);
    if !is_racy {
        command.args(WITHOUT.iter().flat_map(|family| ["--without", family]));
    }
    command.args(["--confirm", "--confirm-time", if is_racy { "20" } else { "10" }, "--"]);
    command.arg(java).arg("-cp").arg(classes).arg(main);
    let Ok(output) = command.output() else { return Vec::new() };
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let outcome = |finding: &Value| finding["confirmation"]["outcome"].as_str().map(str::to_owned);
    findings.iter().filter_map(outcome).collect()
}
