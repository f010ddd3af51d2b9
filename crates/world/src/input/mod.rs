//! From the paths a user gives to class files: what to read, and how it counts.
//!
//! A path is a class file, a directory, an archive (jar, war, ear, jmod, with archives in it), or the name of a module
//! of the JDK. What a file is, its contents tell, not its name. The result lists the class files in an
//! order that depends on the input alone, and everything that was wrong as [`Problem`]s.

mod bytes;
mod jdk;
mod jimage;
mod jimage_compression;
mod manifest;
mod reading;
mod resources;
mod zip;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use selvedge_base::{IdVec, entity};
use selvedge_classfile::ClassFile;

pub use bytes::Bytes;
pub use jdk::Jdk;
pub use zip::Limits;

use crate::problem::{InputError, Problem};
use reading::Reading;

entity! {
    /// A place that classes come from: a directory, an archive, a module.
    ContainerId "a";
}

/// How a class counts: results are about the application; the rest is there to be called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// Named by the user as what to look at.
    Application,
    /// On the class path, or a library inside an application's archive.
    Library,
    /// Part of the JDK.
    Jdk,
}

/// A place that classes come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    /// Its path, with `!/` before what is inside an archive; for a module its name.
    pub location: String,
    /// How its classes count.
    pub tier: Tier,
    /// The main class its manifest names, in Java's form.
    pub main_class: Option<String>,
    /// The JDK's module it is.
    pub module: Option<String>,
    /// The packages that its `module-info` exports to everyone, as internal names in order; `None` without one.
    pub exports: Option<Vec<String>>,
}

impl Container {
    fn new(location: String, tier: Tier) -> Self {
        Self { location, tier, main_class: None, module: None, exports: None }
    }

    fn of_module(name: &str, tier: Tier) -> Self {
        Self { module: Some(name.to_owned()), ..Self::new(name.to_owned(), tier) }
    }

    /// Notes what a `module-info` exports.
    fn read_module_info(&mut self, bytes: &[u8]) {
        let module = ClassFile::parse(bytes).ok().and_then(|file| {
            let exports = file.module().ok()??.exports;
            let to_all = exports.iter().filter(|export| export.to.is_empty());
            let mut names: Vec<String> =
                to_all.map(|export| String::from_utf8_lossy(export.package).into_owned()).collect();
            names.sort();
            Some(names)
        });
        self.exports = module.or(self.exports.take());
    }

    /// Whether code outside may use the public classes of this package (an internal name).
    pub fn exports_package(&self, package: &str) -> bool {
        self.exports
            .as_ref()
            .is_none_or(|exports| exports.binary_search_by(|name| name.as_str().cmp(package)).is_ok())
    }
}

/// A class file that was found.
#[derive(Clone, Debug)]
pub struct ClassSource {
    /// Where it comes from.
    pub container: ContainerId,
    /// Its path there, without the root of a war's classes or a release of a multi-release jar; empty for a class file
    /// that was named by itself.
    pub path: Box<str>,
    /// Its contents.
    pub bytes: Bytes,
}

/// What to read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The application.
    pub paths: Vec<PathBuf>,
    /// Its libraries.
    pub classpath: Vec<PathBuf>,
    /// The JDK; `None` looks for one.
    pub jdk: Option<PathBuf>,
    /// Bounds on archives.
    pub limits: Limits,
}

/// Everything that was read.
#[derive(Debug)]
pub struct Input {
    /// Where the classes come from: in the order of the paths, then the class path, then the JDK.
    pub containers: IdVec<ContainerId, Container>,
    /// The class files, container by container.
    pub classes: Vec<ClassSource>,
    /// What was wrong.
    pub problems: Vec<Problem>,
    /// Words in resources outside the JDK that look like names of classes, in Java's form and in order.
    pub resource_names: Vec<String>,
    /// The Maven groups of what the archives of the application are made of, as `META-INF/maven` names them.
    pub groups: Vec<String>,
    /// The JDK.
    pub jdk: Jdk,
}

impl Input {
    /// Reads everything the options name. Fails only where a path cannot be read at all or there is no JDK.
    pub fn read(options: &Options) -> Result<Self, InputError> {
        let jdk = Jdk::find(options.jdk.as_deref())?;
        let mut reading = Reading::new(&options.limits, jdk.version);
        let mut modules = Vec::new();
        for path in &options.paths {
            match path.to_str() {
                Some(name) if !path.exists() && jdk.has_module(name) => modules.push(name.to_owned()),
                _ => read_path(path, Tier::Application, &jdk, &mut reading)?,
            }
        }
        for path in expand_wildcards(&options.classpath)? {
            read_path(&path, Tier::Library, &jdk, &mut reading)?;
        }
        reading.follow_class_paths();
        // The application's classes come before the JDK's, which are read in between, in place.
        reading.load_pending();
        jdk.read(&modules, &mut reading);
        reading.load_pending();
        let Reading { containers, classes, problems, resource_names, groups, .. } = reading;
        let resource_names = resource_names.into_iter().collect();
        let groups = groups.into_iter().collect();
        Ok(Self { containers, classes, problems, resource_names, groups, jdk })
    }

    /// A hash of all that was read. Inputs with the same hash give the same program: [`crate::Program::load`] looks at nothing
    /// else. The place of the JDK does not count, its classes do.
    pub fn fingerprint(&self) -> [u8; 32] {
        let Self { containers, classes, problems, resource_names, groups, jdk } = self;
        let hashes: Vec<blake3::Hash> = classes.par_iter().map(|class| blake3::hash(&class.bytes)).collect();
        let mut all = blake3::Hasher::new();
        // Debug text delimits every string, so that no two lists read alike.
        let frame = format!("{containers:?}{problems:?}{resource_names:?}{groups:?}{}", jdk.version);
        all.update(blake3::hash(frame.as_bytes()).as_bytes());
        for (class, hash) in classes.iter().zip(&hashes) {
            all.update(format!("{:?}{:?}", class.container, class.path).as_bytes()).update(hash.as_bytes());
        }
        *all.finalize().as_bytes()
    }
}

fn read_path(path: &Path, tier: Tier, jdk: &Jdk, reading: &mut Reading<'_>) -> Result<(), InputError> {
    let cannot =
        |why: &dyn std::fmt::Display| InputError::new(format!("cannot read {}: {why}", path.display()));
    let metadata = std::fs::metadata(path).map_err(|error| {
        let could_be_module =
            path.components().count() == 1 && path.extension().is_none_or(|end| end != "jar");
        match error.kind() {
            std::io::ErrorKind::NotFound if could_be_module => cannot(&format!(
                "there is no such file, and the JDK at {} has no such module",
                jdk.home.display()
            )),
            std::io::ErrorKind::NotFound => cannot(&"there is no such file"),
            _ => cannot(&error),
        }
    })?;
    if metadata.is_dir() {
        std::fs::read_dir(path).map_err(|error| cannot(&error))?;
        reading.directory(path, Container::new(path.display().to_string(), tier));
        return Ok(());
    }
    let bytes = Bytes::of_file(path).map_err(|error| cannot(&error))?;
    if bytes.starts_with(&[0xCA, 0xFE, 0xBA, 0xBE]) {
        reading.class_file(path, tier);
    } else if zip::is_zip(&bytes) {
        reading.archive_file(path, tier);
    } else {
        return Err(cannot(&what_else(path, &bytes)));
    }
    Ok(())
}

/// What a file is that is neither a class file nor an archive, and what to do about it.
fn what_else(path: &Path, bytes: &[u8]) -> &'static str {
    let is_source =
        ["java", "kt", "scala", "groovy"].iter().any(|end| path.extension().is_some_and(|e| e == *end));
    match () {
        () if is_source => {
            "it is a source file: compile it, and pass the directory that the compiler writes to"
        }
        () if bytes.is_empty() => "it is empty, neither a class file nor a zip archive (jar, war, ear, jmod)",
        () if bytes.starts_with(b"PK") => {
            "it is a zip archive that is cut short or damaged: build or fetch it again"
        }
        () => "it is neither a class file nor a zip archive (jar, war, ear, jmod)",
    }
}

/// `lib/*` on a class path stands for the jars of that directory, as for the `java` command.
fn expand_wildcards(classpath: &[PathBuf]) -> Result<Vec<PathBuf>, InputError> {
    let mut expanded = Vec::new();
    for path in classpath {
        if path.file_name().is_none_or(|name| name != "*") {
            expanded.push(path.clone());
            continue;
        }
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let entries = std::fs::read_dir(directory)
            .map_err(|error| InputError::new(format!("cannot read {}: {error}", directory.display())))?;
        let is_jar = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jar"));
        let mut jars: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_jar).collect();
        jars.sort();
        expanded.extend(jars);
    }
    Ok(expanded)
}
