//! A library small enough for the reference solver, and the programs that run on it.
//!
//! The JDK makes even a tiny program reach thousands of methods. `tests/minijdk` has a class library of some fifty classes
//! under the names that the analysis and the models know; it is compiled as a patch of `java.base` and laid out like an
//! unpacked JDK. Programs are compiled against the real JDK and analysed with the small one.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use selvedge_ir::ClassName;
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Analysis, Entries, Facts, Limits, Objects, analyze, naive, unify};
use selvedge_testkit::{JavacOptions, Jdk, Sources, compile_with, files_below, jdk_or_skip};
use selvedge_world::{Input, MethodId, Options, Program};

/// Programs loaded with the small library.
pub struct Corpus {
    pub program: Program,
    pub models: Models,
    /// The main classes.
    pub mains: Vec<String>,
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The home of the small JDK.
fn home(jdk: &Jdk) -> PathBuf {
    let sources = directory("minijdk");
    // The compiler runs in its own copy of the sources, so that the patch is the current directory.
    let args = ["-Xlint:none", "--patch-module", "java.base=."].map(str::to_owned).to_vec();
    let options = JavacOptions { args, ..JavacOptions::default() };
    let classes = compile_with(jdk, Sources::Dir(&sources), &options).unwrap();
    let key = classes.path().file_name().unwrap();
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("minijdk").join(key);
    std::fs::create_dir_all(home.join("modules")).unwrap();
    let link = home.join("modules/java.base");
    if let Err(error) = std::os::unix::fs::symlink(classes.path(), &link) {
        assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{error}");
    }
    home
}

impl Corpus {
    /// Loads sources whose main classes are given.
    pub fn load(jdk: &Jdk, sources: Sources<'_>, mains: Vec<String>) -> Self {
        // String concatenation is not what these tests are about.
        let args = vec!["-XDstringConcat=inline".to_owned()];
        let classes = compile_with(jdk, sources, &JavacOptions { args, ..JavacOptions::default() }).unwrap();
        Self::of_path(jdk, classes.path(), mains)
    }

    /// Loads class files.
    pub fn of_path(jdk: &Jdk, path: &Path, mains: Vec<String>) -> Self {
        let paths = vec![path.to_path_buf()];
        let options = Options { paths, jdk: Some(home(jdk)), ..Options::default() };
        let program = Program::load(Input::read(&options).unwrap());
        let models = Models::builtin().for_release(u32::from(program.jdk_version));
        Self { program, models, mains }
    }

    /// The hand-written programs, or `None` after a line that says why the test is skipped.
    pub fn written() -> Option<&'static Self> {
        static CORPUS: OnceLock<Option<Corpus>> = OnceLock::new();
        let load = || {
            let files = files_below(&directory("programs"), ".java").unwrap();
            let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
            Some(Self::load(&jdk_or_skip()?, Sources::Files(&files), files.iter().map(name).collect()))
        };
        CORPUS.get_or_init(load).as_ref()
    }

    pub fn main(&self, class: &str) -> MethodId {
        main_of(&self.program, class)
    }

    pub fn entries(&self, class: &str) -> Entries {
        Entries { mains: vec![self.main(class)], ..Entries::default() }
    }

    pub fn naive(&self, class: &str, policy: &str) -> Facts {
        let policy = policy_named(policy).unwrap();
        naive::solve(&self.program, &self.models, &self.entries(class), policy.as_ref())
    }

    /// Runs the fast solver and gives its result to `look`.
    pub fn analyzed<T>(
        &self,
        class: &str,
        policy: &str,
        limits: Limits,
        look: impl FnOnce(&Analysis<'_>) -> T,
    ) -> T {
        let policy = policy_named(policy).unwrap();
        look(&analyze(&self.program, &self.models, &self.entries(class), policy.as_ref(), limits))
    }

    pub fn fast(&self, class: &str, policy: &str) -> Facts {
        self.analyzed(class, policy, Limits::default(), |analysis| analysis.facts())
    }

    /// The result of unification.
    pub fn unified(&self, class: &str, objects: Objects) -> Facts {
        let entries = self.entries(class);
        unify(&self.program, &self.models, &entries, objects).facts_without_contexts()
    }

    /// The result with contexts forgotten.
    pub fn projected(&self, class: &str, policy: &str) -> Facts {
        self.analyzed(class, policy, Limits::default(), |analysis| analysis.facts_without_contexts())
    }
}

/// The `main` method of a class.
pub fn main_of(program: &Program, class: &str) -> MethodId {
    let found = program
        .class_named(ClassName::new(class.replace('.', "/")))
        .and_then(|id| program.declared_method(id, "main".into(), "([Ljava/lang/String;)V".into()));
    found.unwrap_or_else(|| panic!("{class} has no main method"))
}
