//! Each change that the server offers, made to programs of the corpus: it compiles, the finding is gone, and no other has come.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use selvedge_interp::Observer;
use selvedge_testkit::{Analysed, CorpusProgram, Expected, corpus, jdk_or_skip};
use selvedge_world::{Input, Program};
use serde_json::{Value, json};

use crate::editor::{Editor, Folder, address, apply, apply_to_documents};

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

/// Looks at nothing.
struct Nobody;

impl Observer for Nobody {}

/// What a program prints in the interpreter, on a few schedules; nothing if it cannot be run there.
fn printed(classes: &Path, class: &str) -> Vec<Vec<u8>> {
    let paths = vec![classes.to_owned()];
    let input = Input::read(&selvedge_world::Options { paths, ..Default::default() }).unwrap();
    let program = Program::load(input);
    let options =
        |seed| selvedge_interp::Options { seed, max_instructions: 20_000_000, ..Default::default() };
    let run = |seed| selvedge_interp::run(&program, class, &options(seed), &mut Nobody).ok();
    (1..=3).filter_map(run).map(|outcome| outcome.stdout).collect()
}

/// What came of one change made to programs.
#[derive(Default)]
struct Tried {
    /// How many programs were changed.
    changed: usize,
    /// How many of them print the same on every schedule, and do so afterwards.
    printing: usize,
    wrong: Vec<String>,
}

/// Makes one change to each of the programs that it is offered for. Changes that are not offered are wrong if `is_exact`.
fn try_change(change: &str, programs: &[&CorpusProgram], is_exact: bool) -> Tried {
    let mut tried = Tried::default();
    for (index, group) in programs.chunks(TOGETHER).enumerate() {
        let mut session = Session::open(&format!("{change}{index}"), group);
        let classes = session.folder.0.join("classes");
        let rules = session.folder.0.join("selvedge.toml");
        let mut made = Vec::new();
        for (path, program) in session.paths.clone().into_iter().zip(group) {
            let before = keys(session.editor.of(&path));
            match session.offered(&path).remove(change) {
                Some(action) if change == "suppress" => {
                    apply_to_documents(&action, &rules);
                    made.push((path, program.class(), before, action, Vec::new()));
                }
                Some(action) => {
                    let edits = action["edit"]["changes"][address(&path)].as_array().unwrap();
                    let prints = printed(&classes, &program.class());
                    std::fs::write(&path, apply(&program.source, edits)).unwrap();
                    made.push((path, program.class(), before, action, prints));
                }
                None if is_exact => tried.wrong.push(format!("{}: {change} is not offered", program.file)),
                None => {}
            }
        }
        if made.is_empty() {
            continue;
        }
        if change != "suppress" {
            session.folder.compile();
        }
        session.editor.wait_for_check();
        tried.changed += made.len();
        for (path, class, before, action, prints) in made {
            let after = keys(session.editor.of(&path));
            let mended = keys(action["diagnostics"].as_array().unwrap());
            let text = || std::fs::read_to_string(&path).unwrap();
            if !after.is_disjoint(&mended) || !after.is_subset(&before) {
                let title = &action["title"];
                tried.wrong.push(format!(
                    "{} {title}: {before:?} became {after:?}\n{}",
                    path.display(),
                    text()
                ));
            }
            // What a race decides is not compared.
            if prints.len() == 3 && prints.iter().all(|it| *it == prints[0]) {
                let now = printed(&classes, &class);
                tried.printing += 1;
                if now != prints {
                    let both = [&prints[0], now.first().unwrap_or(&Vec::new())]
                        .map(|it| String::from_utf8_lossy(it).into_owned());
                    tried.wrong.push(format!("{} prints {both:?}\n{}", path.display(), text()));
                }
            }
        }
        session.editor.end();
    }
    tried
}

/// The changes, and programs of the corpus that they mend.
const MENDED: [(&str, &[&str]); 7] = [
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
        "concurrent-collection",
        &[
            "atomics/HashMapCheckThenAct",
            "containers/ArrayDequeUndo",
            "containers/HashSetVisited",
            "containers/LinkedListQueue",
            "containers/MapValuesView",
            "containers/SharedHashMap",
            "escape/WorkListHalfLocked",
            "locks/SemaphoreGuardsPool",
            "order/InitializerRegistersOutside",
            "order/StaticTableGrowsLater",
        ],
    ),
    (
        "synchronized",
        &[
            "accesses/ArrayHistogram",
            "accesses/StaticSequence",
            "atomics/FieldUpdaterReleased",
            "benign/EagerSingleton",
            "benign/StatisticsCounter",
            "containers/HashSetVisited",
            "locks/GetterWithoutLock",
            "locks/HelperCalledWithoutLock",
            "locks/TryLockIgnored",
            "order/WaitNotifyUnlockedWrite",
        ],
    ),
    (
        "same-lock",
        &[
            "escape/WorkListHalfLocked",
            "order/FutureListShrinks",
            "order/JoinListAliasShrinks",
            "order/JoinListBreaksOff",
            "order/JoinListFilledOver",
            "order/JoinListForgetful",
            "order/JoinListIteratorRemoves",
            "order/JoinListSkippingIterator",
            "order/JoinListTimeLimit",
            "order/JoinListUsedIterator",
            "order/JoinListViewCleared",
        ],
    ),
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
    (
        "final",
        &[
            "escape/HandedOverBox",
            "escape/HandedOverDefault",
            "escape/HandedOverFlag",
            "escape/HandedOverList",
            "escape/HandedOverLong",
            "escape/HandedOverName",
            "escape/HandedOverSettings",
            "escape/HandedOverSlot",
            "escape/HandedOverTable",
            "escape/UnsafePublication",
        ],
    ),
    (
        "suppress",
        &[
            "accesses/InheritedField",
            "accesses/ProgressBar",
            "benign/StatisticsCounter",
            "containers/MapValuesView",
            "containers/SharedHashMap",
            "locks/GetterWithoutLock",
            "order/BarrierOfUnknown",
            "order/JoinListTimeLimit",
            "papers/Company",
            "papers/FtpShape",
        ],
    ),
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
        let tried = try_change(change, &chosen, !is_full);
        let Tried { changed, printing, wrong: mistakes } = tried;
        println!("{change}: {changed} programs, {printing} print the same, {} wrong", mistakes.len());
        wrong.extend(mistakes);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
