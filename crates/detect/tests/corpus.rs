//! The detectors say of the corpus what its marks say.

mod support;

use selvedge_testkit::{CorpusProgram, check_expectations, jdk_or_skip};

/// How many closed programs are analysed at a time.
const TOGETHER: usize = 12;

#[test]
fn findings_are_where_the_marks_are() {
    let Some(jdk) = jdk_or_skip() else { return };
    // `SELVEDGE_CORPUS=order/,threads/`: those with one of these in their path.
    let asked = std::env::var("SELVEDGE_CORPUS").unwrap_or_default();
    let is_asked = |program: &CorpusProgram| asked.split(',').any(|part| program.file.contains(part));
    let checked = support::check_corpus(&jdk, TOGETHER, is_asked).unwrap();
    println!("{}", support::table(&checked));
    let complaints: Vec<String> = checked
        .iter()
        .filter_map(|one| check_expectations(&one.reported(), &one.program.marks).err())
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
