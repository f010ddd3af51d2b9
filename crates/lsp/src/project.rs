//! What there is to check below a folder: compiled classes, sources, and the class path that the build tool knows.

use std::path::{Path, PathBuf};
use std::process::Command;

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
    /// The least confidence of a finding that is shown: `low`, `medium` or `high`.
    pub min_confidence: Option<String>,
    /// The memory that a check may use; 2G if nothing is said.
    pub max_memory: Option<String>,
    /// The baseline file, below the folder; `selvedge-baseline.json` if nothing is said.
    pub baseline: Option<PathBuf>,
    /// Where the pages of the rules are: each is this address and the name of the rule's section.
    pub rules: Option<String>,
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
        if settings.classes.is_empty() {
            project.add_modules(root, 0);
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
        match tool_of(folder) {
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
        let names = ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
        names.iter().map(|name| self.root.join(name)).filter(|path| path.is_file()).collect()
    }

    /// The command that prints the class path into `file`, without using a network.
    pub fn ask_class_path(&self, file: &Path) -> Option<Command> {
        let own = |name: &str| Some(self.root.join(name)).filter(|path| path.is_file());
        let program = |wrapper, name: &str| own(wrapper).unwrap_or_else(|| PathBuf::from(name));
        let mut command = match self.tool? {
            Tool::Maven => {
                let mut command = Command::new(program("mvnw", "mvn"));
                command.args(["-q", "-o", "-B", "dependency:build-classpath", "-Dmdep.includeScope=runtime"]);
                command.arg(format!("-Dmdep.outputFile={}", file.display()));
                command
            }
            Tool::Gradle => {
                let script = file.with_extension("gradle");
                std::fs::write(&script, GRADLE_SCRIPT).ok()?;
                let mut command = Command::new(program("gradlew", "gradle"));
                command.args(["-q", "--offline", "--no-daemon", "-I"]).arg(script).arg("selvedgeClassPath");
                command.arg(format!("-PselvedgeFile={}", file.display()));
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

fn tool_of(folder: &Path) -> Option<Tool> {
    let has = |name: &str| folder.join(name).is_file();
    if has("pom.xml") {
        Some(Tool::Maven)
    } else if ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]
        .iter()
        .any(|it| has(it))
    {
        Some(Tool::Gradle)
    } else {
        None
    }
}
