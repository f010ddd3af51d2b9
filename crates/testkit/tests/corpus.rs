//! The corpus keeps its promises: every program compiles, says what it shows, has marks that can be read, ends when it is
//! run, and prints the same twice where it has no race.

use selvedge_testkit::{
    Analysed, CorpusProgram, Failure, JavacOptions, Jdk, RunOptions, Sources, compile_corpus, compile_with,
    corpus, corpus_dir, jdk_or_skip, repository_root, run_main,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;

/// The corpus never shrinks below this.
const FEWEST_PROGRAMS: usize = 150;

/// Main classes that one JVM runs; more would only delay the report of one that hangs.
const RUNS_PER_JVM: usize = 60;

fn complain(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_program_has_a_header_and_marks_and_a_name_of_its_own() {
    let programs = corpus().unwrap();
    assert!(programs.len() >= FEWEST_PROGRAMS, "only {} programs", programs.len());
    let (mut complaints, mut names) = (Vec::new(), BTreeSet::new());
    for program in &programs {
        let mut complain = |message: &str| complaints.push(format!("{}: {message}", program.file));
        if program.header.split(' ').count() < 8 || !program.header.ends_with('.') {
            complain("the header does not say in a sentence what the program shows");
        }
        if program.marks.is_empty() {
            complain("no line is marked");
        }
        if !names.insert(&program.name) {
            complain("another program has this name; reports tell files by it");
        }
        for line in program.source.lines().filter(|line| line.chars().count() > 120) {
            complain(&format!("more than 120 characters: {line}"));
        }
    }
    complain(&complaints);
}

#[test]
fn there_are_racy_and_safe_programs_in_every_topic_and_the_readme_lists_the_topics() {
    let programs = corpus().unwrap();
    let mut topics: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for program in &programs {
        topics.entry(&program.topic).or_default()[usize::from(program.is_racy())] += 1;
    }
    for (topic, [safe, racy]) in &topics {
        println!("{topic}: {racy} racy, {safe} safe");
        assert!(*safe > 0 && *racy > 0, "{topic} has {racy} racy and {safe} safe programs");
    }
    let readme = fs::read_to_string(corpus_dir().join("README.md")).unwrap();
    let (_, table) = readme.split_once("\n## Topics\n").expect("the README has a section on topics");
    let listed: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|row| row.split('`').next())
        .collect();
    assert_eq!(listed, topics.into_keys().collect::<Vec<_>>(), "the table of topics in corpus/README.md");
}

#[test]
fn every_program_compiles_and_the_classes_it_names_exist() {
    let Some(jdk) = jdk_or_skip() else { return };
    let classes = compile_corpus(&jdk).unwrap();
    for program in corpus().unwrap() {
        let named = match &program.analysed {
            Analysed::Main(class) => std::slice::from_ref(class),
            Analysed::Library(named) | Analysed::Container(named) => named.as_slice(),
        };
        for class in named {
            let file = classes.path().join(format!("{}.class", class.replace('.', "/")));
            assert!(file.exists(), "{}: there is no class {class}", program.file);
        }
    }
}

/// One line of the runner's output.
#[derive(Debug)]
struct Ran {
    status: String,
    millis: String,
    output: String,
    thrown: String,
}

fn run_programs(jdk: &Jdk, programs: &[&CorpusProgram]) -> Result<BTreeMap<String, Ran>, Failure> {
    let runner = repository_root().join("crates/testkit/tests/runner");
    let runner = compile_with(jdk, Sources::Dir(&runner), &JavacOptions::default())?;
    let classes = compile_corpus(jdk)?;
    let mut ran = BTreeMap::new();
    for chunk in programs.chunks(RUNS_PER_JVM) {
        let mut options = RunOptions::with_classpath(&[classes.path(), runner.path()]);
        options.args = chunk.iter().map(|program| main_class(program).to_owned()).collect();
        options.timeout = Duration::from_secs(120);
        let run = run_main(jdk, "CorpusRunner", &options)?;
        for line in run.stdout.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            let [class, status, millis, output, thrown] = cells[..] else {
                panic!("the runner printed {line}");
            };
            let [status, output, thrown] = [status, output, thrown].map(str::to_owned);
            let millis = millis.to_owned();
            ran.insert(class.to_owned(), Ran { status, millis, output, thrown });
        }
        assert_eq!(run.exit_code, Some(0), "{}", run.stderr);
    }
    Ok(ran)
}

fn main_class(program: &CorpusProgram) -> &str {
    match &program.analysed {
        Analysed::Main(class) => class,
        other => panic!("{} is no closed program but {other:?}", program.file),
    }
}

#[test]
fn closed_programs_end_when_run_and_safe_ones_print_the_same_twice() {
    let Some(jdk) = jdk_or_skip() else { return };
    let programs = corpus().unwrap();
    let closed: Vec<&CorpusProgram> =
        programs.iter().filter(|program| matches!(program.analysed, Analysed::Main(_))).collect();
    let safe: Vec<&CorpusProgram> = closed.iter().copied().filter(|program| !program.is_racy()).collect();
    let first = run_programs(&jdk, &closed).unwrap();
    let second = run_programs(&jdk, &safe).unwrap();
    let mut complaints = Vec::new();
    for program in closed {
        let class = main_class(program);
        let ran = &first[class];
        let may_fail = program.is_racy() && ran.status == "fails";
        if ran.status != "ended" && !may_fail {
            complaints.push(format!("{class} {} after {} ms: {}", ran.status, ran.millis, ran.thrown));
        }
        if let Some(again) = second.get(class).filter(|again| again.output != ran.output) {
            complaints.push(format!("{class} printed {} and then {}", ran.output, again.output));
        }
    }
    complain(&complaints);
}
