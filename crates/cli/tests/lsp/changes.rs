//! Each change that the server offers, made to programs of the corpus: it compiles, the finding is gone, and no other has come.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use selvedge_testkit::{Analysed, CorpusProgram, Expected, corpus, jdk_or_skip};
use serde_json::{Value, json};

use crate::editor::{Editor, Folder, address, apply};

/// So many programs are one folder.
const TOGETHER: usize = 12;

/// The racy programs that start by themselves.
fn programs() -> Vec<CorpusProgram> {
    let mut programs = corpus().unwrap();
    programs.retain(|program| {
        let is_racy = program.marks.iter().any(|mark| mark.kind == Expected::Race);
        let is_closed = matches!(&program.analysed, Analysed::Main(class) if *class == program.class());
        is_racy && is_closed && !["annotations", "frameworks"].contains(&program.topic.as_str())
    });
    programs
}

/// A folder of programs and an editor that shows what a check finds in them.
struct Session {
    folder: Folder,
    editor: Editor,
    paths: Vec<PathBuf>,
}

impl Session {
    fn open(name: &str, programs: &[&CorpusProgram]) -> Self {
        let folder = Folder::new(name);
        let paths = programs.iter().map(|program| folder.write(&program.file, &program.source)).collect();
        folder.compile();
        let mut editor = Editor::start(&folder.0, &json!({ "minConfidence": "low", "maxMemory": "4G" }));
        editor.wait_for_check();
        Self { folder, editor, paths }
    }

    /// The changes that are offered for a program, by name.
    fn offered(&mut self, path: &Path) -> BTreeMap<String, Value> {
        let named = |action: Value| Some((action["data"]["change"].as_str()?.to_owned(), action));
        self.editor.actions(path).into_iter().rev().filter_map(named).collect()
    }
}

/// The keys of the findings that diagnostics show.
fn keys(diagnostics: &[Value]) -> BTreeSet<String> {
    diagnostics.iter().map(|it| it["data"]["key"].as_str().unwrap().to_owned()).collect()
}

/// Makes one change to each of the programs that it is offered for, and says what is wrong then. Changes that are not offered are wrong.
fn try_change(change: &str, programs: &[&CorpusProgram], is_exact: bool) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (index, group) in programs.chunks(TOGETHER).enumerate() {
        let mut session = Session::open(&format!("{change}{index}"), group);
        let mut made = Vec::new();
        for (path, program) in session.paths.clone().into_iter().zip(group) {
            let before = keys(session.editor.of(&path));
            match session.offered(&path).remove(change) {
                Some(action) => {
                    let edits = action["edit"]["changes"][address(&path)].as_array().unwrap();
                    std::fs::write(&path, apply(&program.source, edits)).unwrap();
                    made.push((path, before, action));
                }
                None if is_exact => wrong.push(format!("{}: {change} is not offered", program.file)),
                None => {}
            }
        }
        if made.is_empty() {
            continue;
        }
        session.folder.compile();
        session.editor.wait_for_check();
        count += made.len();
        for (path, before, action) in made {
            let after = keys(session.editor.of(&path));
            let mended = keys(action["diagnostics"].as_array().unwrap());
            if !after.is_disjoint(&mended) || after.len() >= before.len() {
                let text = std::fs::read_to_string(&path).unwrap();
                wrong.push(format!(
                    "{} {}: {before:?} became {after:?}\n{text}",
                    path.display(),
                    action["title"]
                ));
            }
        }
        session.editor.end();
    }
    (count, wrong)
}

/// The changes, and programs of the corpus that they mend.
const MENDED: [(&str, &[&str]); 6] = [
    (
        "atomic",
        &[
            "accesses/ProgressBar",
            "benign/EagerSingleton",
            "locks/InnerLocksItself",
            "locks/ReentrantLockUnlockedEarly",
            "modern/EnumSingletonState",
            "order/JoinListFilledOver",
            "papers/Company",
            "papers/FtpShape",
            "threads/CustomThreadFactory",
            "threads/FixedPool",
        ],
    ),
    (
        "concurrent-map",
        &[
            "atomics/HashMapCheckThenAct",
            "containers/MapValuesView",
            "containers/SharedHashMap",
            "order/InitializerRegistersOutside",
            "order/StaticTableGrowsLater",
        ],
    ),
    (
        "synchronized",
        &[
            "accesses/ArrayHistogram",
            "atomics/FieldUpdaterReleased",
            "benign/EagerSingleton",
            "benign/StatisticsCounter",
            "containers/HashSetVisited",
            "escape/ThreadFieldsAskedByOthers",
            "locks/GetterWithoutLock",
            "locks/TryLockIgnored",
            "order/WaitNotifyUnlockedWrite",
            "threads/CallableSubmittedTwice",
        ],
    ),
    ("same-lock", &["escape/WorkListHalfLocked", "order/JoinListBreaksOff", "order/JoinListTimeLimit"]),
    (
        "volatile",
        &[
            "accesses/InheritedField",
            "atomics/FieldUpdaterReset",
            "escape/RegistryKeepsReference",
            "order/BarrierOfUnknown",
            "order/FutureChainTwoUsers",
            "order/FutureOfTwoWriters",
            "order/LatchOfUnknown",
            "order/SleepInsteadOfJoin",
            "order/SubmitAllNoWait",
            "papers/CopyOnWriteListElements",
        ],
    ),
    ("final", &["escape/UnsafePublication"]),
];

#[test]
fn changes_mend_what_they_are_offered_for() {
    if jdk_or_skip().is_none() {
        return;
    }
    let programs = programs();
    let is_full = std::env::var_os("SELVEDGE_FULL").is_some();
    let mut wrong = Vec::new();
    for (change, files) in MENDED {
        let is_listed = |program: &&CorpusProgram| {
            files.iter().any(|file| program.file.strip_suffix(".java") == Some(file))
        };
        let chosen: Vec<&CorpusProgram> = programs.iter().filter(|it| is_full || is_listed(it)).collect();
        let (count, mistakes) = try_change(change, &chosen, !is_full);
        println!("{change}: {count} programs, {} wrong", mistakes.len());
        wrong.extend(mistakes);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
