//! The Java programs, compiled, loaded, and what `java` says to them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_interp::{Failure, NoObserver, Options, Outcome, run};
use selvedge_testkit::{
    CompiledDir, JavacOptions, Jdk, RunOptions, Sources, compile_with, files_below, jdk_or_skip, run_main,
    skip,
};
use selvedge_world::{Input, Program};

/// All programs.
pub struct Corpus {
    pub jdk: Jdk,
    pub program: Program,
    pub dirs: Vec<CompiledDir>,
    /// The programs in one thread, and those compiled for Java 8.
    pub plain: Vec<String>,
    /// The programs with threads.
    pub threaded: Vec<String>,
    /// The programs that end in their own way.
    pub exiting: Vec<String>,
}

/// What a program printed, and its exit status.
pub type Expected = (String, Option<i32>);

fn source_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// The sources directly in a directory.
fn sources_in(dir: &Path) -> Vec<PathBuf> {
    let all = files_below(dir, ".java").unwrap();
    all.into_iter().filter(|path| path.parent() == Some(dir)).collect()
}

fn class_name(source: &Path) -> String {
    source.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The corpus, or `None` after a line that says why the test is skipped. The machine knows the natives of JDK 17.
pub fn corpus_or_skip() -> Option<&'static Corpus> {
    static CORPUS: OnceLock<Option<Corpus>> = OnceLock::new();
    let corpus = CORPUS.get_or_init(|| {
        let jdk = jdk_or_skip()?;
        if jdk.feature_version() != 17 {
            skip(&format!("the interpreter runs the library of JDK 17, and this is {}", jdk.version));
            return None;
        }
        Some(Corpus::load(jdk))
    });
    corpus.as_ref()
}

impl Corpus {
    fn load(jdk: Jdk) -> Self {
        let root = source_dir();
        let (plain, threaded) = (sources_in(&root), sources_in(&root.join("threads")));
        let (exiting, old) = (sources_in(&root.join("exit")), sources_in(&root.join("release8")));
        let modern: Vec<PathBuf> = [&plain[..], &threaded, &exiting].concat();
        let options = JavacOptions::default();
        let for_8 = JavacOptions { release: Some(8), ..JavacOptions::default() };
        let dirs = vec![
            compile_with(&jdk, Sources::Files(&modern), &options).unwrap(),
            compile_with(&jdk, Sources::Files(&old), &for_8).unwrap(),
        ];
        let paths = dirs.iter().map(|dir| dir.path().to_path_buf()).collect();
        let input = selvedge_world::Options { paths, jdk: Some(jdk.home.clone()), ..Default::default() };
        let program = Program::load(Input::read(&input).unwrap());
        let names = |sources: &[PathBuf]| sources.iter().map(|source| class_name(source)).collect();
        Self {
            plain: names(&[&plain[..], &old].concat()),
            threaded: names(&threaded),
            exiting: names(&exiting),
            jdk,
            program,
            dirs,
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.plain.iter().chain(&self.threaded).chain(&self.exiting)
    }

    fn run_options(&self) -> RunOptions {
        let mut options = RunOptions {
            classpath: self.dirs.iter().map(|dir| dir.path().to_path_buf()).collect(),
            ..RunOptions::default()
        };
        let settings =
            ["user.language=en", "user.country=US", "file.encoding=UTF-8", "sun.stdout.encoding=UTF-8"];
        options.jvm_args = settings.iter().map(|setting| format!("-D{setting}")).collect();
        options
    }

    /// What `java` prints for each program: the exiting ones in a JVM each, the others in one together.
    pub fn expected(&self) -> &'static BTreeMap<String, Expected> {
        static EXPECTED: OnceLock<BTreeMap<String, Expected>> = OnceLock::new();
        EXPECTED.get_or_init(|| {
            let mut expected = self.run_together();
            for name in &self.exiting {
                let run = run_main(&self.jdk, name, &self.run_options()).unwrap();
                assert!(!run.timed_out, "{name} did not end under java");
                expected.insert(name.clone(), (run.stdout, run.exit_code));
            }
            expected
        })
    }

    fn run_together(&self) -> BTreeMap<String, Expected> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/Driver.java");
        let driver = compile_with(&self.jdk, Sources::Files(&[source]), &JavacOptions::default()).unwrap();
        let results = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-expected");
        let names: Vec<String> = self.plain.iter().chain(&self.threaded).cloned().collect();
        let mut options = self.run_options();
        options.classpath.push(driver.path().to_path_buf());
        options.args = [vec![results.to_string_lossy().into_owned()], names.clone()].concat();
        let run = run_main(&self.jdk, "Driver", &options).unwrap();
        assert_eq!(run.exit_code, Some(0), "{}{}", run.stdout, run.stderr);
        let bytes = std::fs::read(&results).unwrap();
        let mut rest = bytes.as_slice();
        let mut expected = BTreeMap::new();
        for name in names {
            let (length, after) = rest.split_first_chunk::<4>().unwrap();
            let (text, after) = after.split_at(u32::from_be_bytes(*length) as usize);
            expected.insert(name, (String::from_utf8(text.to_vec()).unwrap(), Some(0)));
            rest = after;
        }
        expected
    }

    /// Runs a program in the interpreter.
    pub fn interpret(&self, name: &str, seed: u64) -> Result<Outcome, Failure> {
        let options = Options { seed, ..Options::default() };
        run(&self.program, name, &options, &mut NoObserver)
    }

    /// Why a run is not what `java` did, if it is not.
    pub fn mismatch(&self, name: &str, seed: u64) -> Option<String> {
        let (stdout, status) = &self.expected()[name];
        let outcome = match self.interpret(name, seed) {
            Ok(outcome) => outcome,
            Err(failure) => return Some(format!("{name} (seed {seed}): {failure}")),
        };
        let printed = String::from_utf8_lossy(&outcome.stdout);
        if printed == stdout.as_str() && outcome.status == *status {
            return None;
        }
        let errors = String::from_utf8_lossy(&outcome.stderr);
        Some(format!(
            "{name} (seed {seed}): status {:?} instead of {status:?}\n{}{errors}{}",
            outcome.status,
            selvedge_testkit::diff(stdout, &printed),
            outcome.deadlock.join("\n")
        ))
    }
}
