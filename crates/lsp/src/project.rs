//! What there is to check below a folder: compiled classes, sources, and the class path that the build tool knows.

use std::path::{Path, PathBuf};
use std::process::Command;

use selvedge_findings::Confidence;
use serde::Deserialize;

/// What the editor may set, as `initializationOptions`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// Directories and archives with the compiled classes, instead of those that are found.
    pub classes: Vec<PathBuf>,
    /// The libraries, instead of what the build tool says.
    pub classpath: Option<String>,
    /// Directories with the sources, instead of the whole folder.
    pub sources: Vec<PathBuf>,
    /// More options of `selvedge check`, such as `--library`.
    pub arguments: Vec<String>,
    /// The least confidence of a finding that is shown.
    pub min_confidence: Option<Confidence>,
    /// The memory that a check may use; 2G if nothing is said.
    pub max_memory: Option<String>,
    /// The baseline file, below the folder; `selvedge-baseline.json` if nothing is said.
    pub baseline: Option<PathBuf>,
    /// The command that runs the program, to confirm findings; by default `java` with the main class of the finding.
    pub command: Vec<String>,
    /// Where tests that show a race are written, below the folder; `src/test/java` if it is there, `racing-tests` otherwise.
    pub tests: Option<PathBuf>,
    /// The address of a page with the rules, with a section for each; by default a page that the server writes.
    pub rules: Option<String>,
}

impl Settings {
    /// Where accepted findings are kept.
    pub fn baseline(&self, root: &Path) -> PathBuf {
        root.join(self.baseline.as_deref().unwrap_or(Path::new("selvedge-baseline.json")))
    }
}

/// A folder to check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Project {
    /// The folder itself.
    pub root: PathBuf,
    /// Where compiled classes are, or will be after the next build.
    pub classes: Vec<PathBuf>,
    /// Where the sources are.
    pub sources: Vec<PathBuf>,
    /// The build tool of the folder itself.
    pub tool: Option<Tool>,
    /// The folders that have a build file.
    modules: Vec<PathBuf>,
}

/// A build tool that can be asked for the class path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// `pom.xml`.
    Maven,
    /// `build.gradle`, `build.gradle.kts`, `settings.gradle`.
    Gradle,
}

/// Modules are looked for so deep below the folder.
const DEPTH: usize = 5;

/// Folders that hold no modules and may be large.
const PASSED_OVER: &[&str] = &["target", "build", "out", "bin", "node_modules", "src"];

/// Where compilers put classes in a folder without a build tool.
const PLAIN: &[&str] = &["target/classes", "build/classes", "out/production", "classes", "bin", "out"];

/// Where Gradle puts classes, by language.
const GRADLE: &[&str] = &["java", "kotlin", "scala", "groovy"];

impl Project {
    /// Looks for the modules of a folder.
    pub fn find(root: &Path, settings: &Settings) -> Self {
        let below = |paths: &[PathBuf]| paths.iter().map(|path| root.join(path)).collect::<Vec<_>>();
        let mut project = Self { root: root.to_owned(), tool: tool_of(root), ..Self::default() };
        project.add_modules(root, 0);
        if settings.classes.is_empty() {
            if project.classes.is_empty() {
                project.classes.extend(PLAIN.iter().map(|name| root.join(name)).find(|path| path.is_dir()));
            }
            project.classes.sort();
        } else {
            project.classes = below(&settings.classes);
        }
        project.sources =
            if settings.sources.is_empty() { vec![root.to_owned()] } else { below(&settings.sources) };
        project
    }

    fn add_modules(&mut self, folder: &Path, depth: usize) {
        let tool = tool_of(folder);
        if tool.is_some() {
            self.modules.push(folder.to_owned());
        }
        match tool {
            Some(Tool::Maven) => self.classes.push(folder.join("target/classes")),
            Some(Tool::Gradle) => {
                let classes = folder.join("build/classes");
                self.classes.extend(GRADLE.iter().map(|language| classes.join(language).join("main")));
            }
            None => {}
        }
        if depth == DEPTH {
            return;
        }
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        folders.sort();
        for folder in folders {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or(".");
            if !name.starts_with('.')
                && !PASSED_OVER.contains(&name)
                && folder.is_dir()
                && !folder.is_symlink()
            {
                self.add_modules(&folder, depth + 1);
            }
        }
    }

    /// The files that say which libraries there are: if none of them changes, the class path stays.
    pub fn build_files(&self) -> Vec<PathBuf> {
        let files = self.modules.iter().flat_map(|module| BUILD_FILES.iter().map(|name| module.join(name)));
        files.filter(|path| path.is_file()).collect()
    }

    /// The command that writes the class paths of the modules to files in a directory, without using a network.
    pub fn ask_class_path(&self, answer: &Path) -> Option<Command> {
        let own = |name: &str| Some(self.root.join(name)).filter(|path| path.is_file());
        let program = |wrapper, name: &str| own(wrapper).unwrap_or_else(|| PathBuf::from(name));
        let mut command = match self.tool? {
            Tool::Maven => {
                let mut command = Command::new(program("mvnw", "mvn"));
                // A module that needs a sibling that was never installed fails; the others answer.
                command.args([
                    "-q",
                    "-o",
                    "-B",
                    "-fae",
                    "dependency:build-classpath",
                    "-Dmdep.includeScope=runtime",
                ]);
                command.arg(format!("-Dmdep.outputFile={}/${{project.artifactId}}", answer.display()));
                command
            }
            Tool::Gradle => {
                let script = answer.with_extension("gradle");
                std::fs::write(&script, GRADLE_SCRIPT).ok()?;
                let mut command = Command::new(program("gradlew", "gradle"));
                command.args(["-q", "--offline", "--no-daemon", "-I"]).arg(script).arg("selvedgeClassPath");
                command.arg(format!("-PselvedgeFile={}", answer.join("all").display()));
                command
            }
        };
        command.current_dir(&self.root);
        Some(command)
    }
}

/// Writes the run-time class path of all projects of a build, one after the other, into one file.
const GRADLE_SCRIPT: &str = "\
allprojects {
    tasks.register('selvedgeClassPath') {
        doLast {
            def found = project.configurations.findByName('runtimeClasspath')
            if (found != null) {
                new File(project.property('selvedgeFile')).append(found.asPath + File.pathSeparator)
            }
        }
    }
}
";

/// The names of build files; those of Maven come first.
const BUILD_FILES: &[&str] =
    &["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

fn tool_of(folder: &Path) -> Option<Tool> {
    match BUILD_FILES.iter().position(|name| folder.join(name).is_file())? {
        0 => Some(Tool::Maven),
        _ => Some(Tool::Gradle),
    }
}
