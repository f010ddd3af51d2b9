//! `selvedge run --audit PLAN`: a run of everything against what a plan leaves out, on a program whose plan is right and on a plan that lies.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use selvedge_testkit::{CompiledDir, JavacOptions, Jdk, compile, jdk_or_skip};

const STOCK: &str = r#"public class Stock {
    static final Object LOCK = new Object();
    static int guarded, open;
    static void work() {
        synchronized (LOCK) { guarded++; }
        open++;
    }
    public static void main(String[] args) throws Exception {
        Thread other = new Thread(Stock::work);
        other.start();
        work();
        other.join();
    }
}
"#;

fn audit(jdk: &Jdk, classes: &CompiledDir, plan: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(["run", "--audit"])
        .arg(plan)
        .arg("--")
        .arg(&jdk.java)
        .arg("-cp")
        .arg(classes.path())
        .arg("Stock")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_race_that_the_plan_excludes_is_an_error_of_the_analysis() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile(&[("Stock.java", STOCK)], &JavacOptions::default()).unwrap();
    let plan: PathBuf =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("audit-{}.json", std::process::id()));
    let check = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .arg("check")
        .arg(classes.path())
        .arg("--plan")
        .arg(&plan)
        .output()
        .unwrap();
    assert_eq!(check.status.code(), Some(1), "{}", text(&check.stderr));
    let written = std::fs::read_to_string(&plan).unwrap();
    // What may race has partners instead.
    let (left_out, partners) = written.split_once("\"partners\"").unwrap();
    assert!(left_out.contains("5 Stock.guarded") && !left_out.contains("6 Stock.open"), "{written}");
    assert!(left_out.contains("common-lock") && partners.contains("6 Stock.open"), "{written}");

    // The race of the program is none of what is left out.
    let output = audit(&jdk, &classes, &plan);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(66), "{said}");
    assert!(said.contains("Stock.open") && !said.contains("error of the analysis"), "{said}");

    // As if a lock had been seen that is not there.
    let lie =
        written.replace("5 Stock.guarded", "6 Stock.open").replace("\"Stock.guarded\"", "\"Stock.open\"");
    std::fs::write(&plan, lie).unwrap();
    let output = audit(&jdk, &classes, &plan);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains(
            "selvedge: error of the analysis: Stock.open raced in this run (Stock.java:6 and Stock.java:6)"
        ),
        "{said}"
    );
    assert!(said.contains("as safe by common-lock"), "{said}");

    // Plans of before do not say what they leave out.
    let old = r#"{"version": 3, "accesses": {}, "synchronisation": {}, "sites": "all"}"#;
    std::fs::write(&plan, old).unwrap();
    let output = audit(&jdk, &classes, &plan);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("does not list what it leaves out"), "{}", text(&output.stderr));
    std::fs::remove_file(&plan).unwrap();
}
