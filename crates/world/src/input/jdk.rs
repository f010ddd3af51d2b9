//! Finding a JDK and reading the classes it brings, whatever its layout.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::bytes::Bytes;
use super::jimage::{Image, Resource};
use super::reading::Reading;
use super::{ClassSource, Container, Tier};
use crate::problem::{InputError, Problem, ProblemKind};

/// A Java installation: a JDK, a JRE or a runtime made by `jlink`.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Where it is.
    pub home: PathBuf,
    /// Its feature release: 8, 17, 25.
    pub version: u16,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    /// The module image `lib/modules`.
    Image(Image),
    /// `modules/java.base/java/lang/Object.class`, as the JDK's own build has it.
    Exploded(PathBuf),
    /// JDK 8 and before: `rt.jar` and its neighbours.
    Jars(Vec<PathBuf>),
    /// Only the modules to link from: `java.base.jmod` and others.
    Jmods(Vec<PathBuf>),
}

/// What to pass as a JDK.
const HOME_OF_JDK: &str = "pass the home of a JDK or JRE, the directory that has bin/java";

impl Jdk {
    /// The JDK at `home`, or else the one `JAVA_HOME` names, or else that of the `java` on the `PATH`.
    pub fn find(home: Option<&Path>) -> Result<Self, InputError> {
        if let Some(home) = home {
            return Self::at(home);
        }
        if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            return Self::at(Path::new(&home))
                .map_err(|error| InputError::new(format!("JAVA_HOME does not name a JDK: {error}")));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        for directory in std::env::split_paths(&path) {
            let Ok(java) = directory.join("java").canonicalize() else { continue };
            if let Some(jdk) = java.parent().and_then(Path::parent).and_then(|home| Self::at(home).ok()) {
                return Ok(jdk);
            }
        }
        Err(InputError::new(
            "no JDK found: give its directory with --jdk, set JAVA_HOME, or put java on the PATH",
        ))
    }

    /// The JDK in this directory (or the one of which this is the module image or the `java` command).
    pub fn at(given: &Path) -> Result<Self, InputError> {
        let home = given.canonicalize().map_err(|error| {
            let why = match error.kind() {
                std::io::ErrorKind::NotFound => format!("there is no such directory; {HOME_OF_JDK}"),
                _ => error.to_string(),
            };
            InputError::new(format!("cannot read the JDK at {}: {why}", given.display()))
        })?;
        if home.is_file() {
            let inside = home.parent().and_then(Path::parent);
            return match inside {
                Some(inside) if home.ends_with("lib/modules") || home.ends_with("bin/java") => {
                    Self::at(inside)
                }
                _ => Err(InputError::new(format!("{} is a file, not a JDK; {HOME_OF_JDK}", given.display()))),
            };
        }
        let no_jdk = || {
            InputError::new(format!(
                "{} is not a JDK: it has none of lib/modules, modules/java.base, jre/lib/rt.jar, lib/rt.jar and java.base.jmod; {HOME_OF_JDK}",
                given.display()
            ))
        };
        let layout = Layout::detect(&home)?.ok_or_else(no_jdk)?;
        let version = released_version(&home).or_else(|| layout.version()).ok_or_else(no_jdk)?;
        Ok(Self { home, version, layout })
    }

    /// Whether this JDK has a module of that name.
    pub fn has_module(&self, name: &str) -> bool {
        match &self.layout {
            Layout::Image(image) => image.find(name.as_bytes(), b"", b"module-info", b"class").is_some(),
            Layout::Exploded(modules) => is_module_name(name) && modules.join(name).is_dir(),
            Layout::Jars(_) => false,
            Layout::Jmods(jmods) => jmods.iter().any(|jmod| module_of(jmod) == name),
        }
    }

    /// Reads every class. Those of the modules in `application` count as the application's.
    pub(super) fn read(&self, application: &[String], reading: &mut Reading<'_>) {
        let tier = |module: &str| {
            if application.iter().any(|name| name == module) { Tier::Application } else { Tier::Jdk }
        };
        match &self.layout {
            Layout::Image(image) => read_image(image, &self.home, tier, reading),
            Layout::Exploded(modules) => {
                for module in sorted_children(modules) {
                    let name = module_of(&module).to_owned();
                    let mut container = Container::of_module(&name, tier(&name));
                    if let Ok(info) = std::fs::read(module.join("module-info.class")) {
                        container.read_module_info(&info);
                    }
                    reading.directory(&module, container);
                }
            }
            Layout::Jars(jars) => {
                for jar in jars {
                    reading.archive_file(jar, Tier::Jdk);
                }
            }
            Layout::Jmods(jmods) => {
                for jmod in jmods {
                    reading.archive_file(jmod, tier(module_of(jmod)));
                }
            }
        }
    }
}

impl Layout {
    fn detect(home: &Path) -> Result<Option<Self>, InputError> {
        let image = home.join("lib/modules");
        if image.is_file() {
            let unreadable =
                |why: String| InputError::new(format!("cannot read {}: it {why}", image.display()));
            let bytes = Bytes::of_file(&image).map_err(|error| unreadable(format!("gives {error}")))?;
            return Image::open(bytes)
                .map(|image| Some(Layout::Image(image)))
                .map_err(|why| unreadable(why.into()));
        }
        let exploded = home.join("modules");
        if exploded.join("java.base").is_dir() {
            return Ok(Some(Layout::Exploded(exploded)));
        }
        for lib in [home.join("jre/lib"), home.join("lib")] {
            if lib.join("rt.jar").is_file() {
                // What the boot and extension class loaders of JDK 8 see; resources.jar holds no classes.
                let boot =
                    ["rt.jar", "jsse.jar", "jce.jar", "charsets.jar", "jfr.jar", "management-agent.jar"];
                let mut jars: Vec<_> =
                    boot.iter().map(|name| lib.join(name)).filter(|jar| jar.is_file()).collect();
                jars.extend(
                    sorted_children(&lib.join("ext")).into_iter().filter(|path| has_extension(path, "jar")),
                );
                return Ok(Some(Layout::Jars(jars)));
            }
        }
        for directory in [home.join("jmods"), home.to_path_buf()] {
            if directory.join("java.base.jmod").is_file() {
                let jmods = sorted_children(&directory);
                return Ok(Some(Layout::Jmods(
                    jmods.into_iter().filter(|path| has_extension(path, "jmod")).collect(),
                )));
            }
        }
        Ok(None)
    }

    /// The release by the version of the class files, where no file `release` tells it.
    fn version(&self) -> Option<u16> {
        let class_version = |class: &[u8]| {
            let major = u16::from_be_bytes([*class.get(6)?, *class.get(7)?]);
            major.checked_sub(44)
        };
        match self {
            Layout::Image(image) => {
                let object = image.find(b"java.base", b"java/lang", b"Object", b"class")?;
                class_version(&image.contents(&object).ok()?)
            }
            Layout::Exploded(modules) => {
                class_version(&std::fs::read(modules.join("java.base/java/lang/Object.class")).ok()?)
            }
            Layout::Jars(_) => Some(8),
            Layout::Jmods(jmods) => {
                jmods.iter().find(|jmod| module_of(jmod) == "java.base").and_then(|jmod| {
                    Reading::first_class_of(jmod, "classes/java/lang/Object.class")
                        .and_then(|class| class_version(&class))
                })
            }
        }
    }
}

/// The feature release by the file `release`: `JAVA_VERSION="17.0.15"`, or `"1.8.0_442"`.
fn released_version(home: &Path) -> Option<u16> {
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    parse_version(line.trim().trim_matches('"'))
}

fn parse_version(version: &str) -> Option<u16> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok());
    match numbers.next()? {
        1 => numbers.next(),
        feature => Some(feature),
    }
}

/// Reads the classes of an image, module by module.
fn read_image(image: &Image, home: &Path, tier: impl Fn(&str) -> Tier, reading: &mut Reading<'_>) {
    let mut modules: BTreeMap<&[u8], Vec<Resource<'_>>> = BTreeMap::new();
    for resource in image.resources() {
        if resource.extension == b"class" && resource.base != b"module-info" {
            modules.entry(resource.module).or_default().push(resource);
        }
    }
    for (module, mut resources) in modules {
        let name = String::from_utf8_lossy(module).into_owned();
        let mut container = Container::of_module(&name, tier(&name));
        let info = image.find(module, b"", b"module-info", b"class");
        if let Some(Ok(info)) = info.map(|info| image.contents(&info)) {
            container.read_module_info(&info);
        }
        let container = reading.add_container(container);
        resources.sort_unstable_by_key(|resource| (resource.parent, resource.base));
        let read: Vec<Result<ClassSource, Problem>> = resources
            .into_par_iter()
            .with_min_len(64)
            .map(|resource| {
                let path = String::from_utf8_lossy(&resource.path()).into_owned();
                match image.contents(&resource) {
                    Ok(bytes) => Ok(ClassSource { container, path: path.into(), bytes }),
                    Err(why) => {
                        let place = format!("{}!/{name}/{path}", home.join("lib/modules").display());
                        Err(Problem::new(ProblemKind::Unreadable, place, why))
                    }
                }
            })
            .collect();
        for class in read {
            match class {
                Ok(class) => reading.classes.push(class),
                Err(problem) => reading.problems.push(problem),
            }
        }
    }
}

fn module_of(path: &Path) -> &str {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.strip_suffix(".jmod").unwrap_or(name)
}

fn is_module_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// What a directory holds, by name; nothing where it cannot be read.
fn sorted_children(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut children: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    children.sort();
    children
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_old_and_new_numbering() {
        assert_eq!(parse_version("1.8.0_442"), Some(8));
        assert_eq!(parse_version("17.0.15"), Some(17));
        assert_eq!(parse_version("25"), Some(25));
        assert_eq!(parse_version("?"), None);
    }
}
