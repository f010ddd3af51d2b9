//! Walks the given paths and finds the class files in them.
//!
//! Two steps, so that the result does not depend on the number of threads: first the directories of all archives are
//! read, one after the other, nested ones as they turn up; then everything that was found is read or decompressed in
//! parallel, and kept in the order in which it was found.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::bytes::Bytes;
use super::manifest::Manifest;
use super::resources;
use super::zip::{self, Budget, Entry, Limits};
use super::{ClassSource, Container, ContainerId, Tier};
use crate::problem::{Problem, ProblemKind};
use selvedge_base::IdVec;

/// The largest manifest that is read; signed jars have long ones.
const MANIFEST_BYTES: u64 = 16 << 20;

/// The state of reading.
pub(super) struct Reading<'a> {
    limits: &'a Limits,
    /// The feature release by which multi-release jars choose.
    release: u16,
    pub(super) containers: IdVec<ContainerId, Container>,
    pub(super) classes: Vec<ClassSource>,
    pub(super) problems: Vec<Problem>,
    /// What resources may name; see [`resources`].
    pub(super) resource_names: BTreeSet<String>,
    /// The Maven groups of what the archives of the application are made of.
    pub(super) groups: BTreeSet<String>,
    /// Found, not yet read; all of them come after `classes`.
    pending: Vec<Pending>,
    /// Files that were read, by their real path: a file that is named twice is read once.
    seen: BTreeSet<PathBuf>,
    /// Whether single class files were named: then those found in directories may be the same.
    has_single_files: bool,
    /// Jars that the manifests of others name and that are still to be read.
    class_path: Vec<PathBuf>,
}

struct Pending {
    container: ContainerId,
    path: Box<str>,
    source: Source,
}

enum Source {
    File(PathBuf),
    /// An entry, and what its archive is called.
    Entry(Entry, Arc<str>),
}

/// An archive: its bytes, what it is called, and what it counts as.
struct Archive {
    bytes: Bytes,
    place: String,
    tier: Tier,
    depth: usize,
}

impl<'a> Reading<'a> {
    pub(super) fn new(limits: &'a Limits, release: u16) -> Self {
        Self {
            limits,
            release,
            containers: IdVec::new(),
            classes: Vec::new(),
            problems: Vec::new(),
            resource_names: BTreeSet::new(),
            groups: BTreeSet::new(),
            pending: Vec::new(),
            seen: BTreeSet::new(),
            has_single_files: false,
            class_path: Vec::new(),
        }
    }

    pub(super) fn add_container(&mut self, container: Container) -> ContainerId {
        self.containers.push(container)
    }

    /// Whether this file is new; each file is read once.
    fn first_visit(&mut self, path: &Path) -> bool {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        self.seen.insert(real)
    }

    /// A single class file.
    pub(super) fn class_file(&mut self, path: &Path, tier: Tier) {
        self.has_single_files = true;
        if self.first_visit(path) {
            let container = self.add_container(Container::new(path.display().to_string(), tier));
            self.pending.push(Pending {
                container,
                path: "".into(),
                source: Source::File(path.to_path_buf()),
            });
        }
    }

    /// A file that should be an archive.
    pub(super) fn archive_file(&mut self, path: &Path, tier: Tier) {
        if !self.first_visit(path) {
            return;
        }
        let place = path.display().to_string();
        match Bytes::of_file(path) {
            Ok(bytes) => {
                let mut budget = Budget::of_file(bytes.len(), self.limits);
                let manifest = self.archive(Archive { bytes, place, tier, depth: 1 }, &mut budget);
                let directory = path.parent().unwrap_or(Path::new(""));
                let named = manifest.class_path.iter().filter(|url| !url.contains(':'));
                self.class_path.extend(named.map(|url| directory.join(url.replace("%20", " "))));
            }
            Err(error) => self.unreadable(place, format!("cannot be read ({error})")),
        }
    }

    fn unreadable(&mut self, place: String, message: impl Into<String>) {
        self.problems.push(Problem::new(ProblemKind::Unreadable, place, message));
    }

    /// The classes of a directory and of all archives in it.
    pub(super) fn directory(&mut self, root: &Path, container: Container) {
        let tier = container.tier;
        let container = self.add_container(container);
        let (mut files, mut archives) = (Vec::new(), Vec::new());
        self.walk(root, &mut files, &mut archives);
        for file in files {
            let relative = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            // For directories the JVM knows no releases; and a file may have been named by itself already.
            if relative.starts_with("META-INF/") || self.has_single_files && !self.first_visit(&file) {
                continue;
            }
            self.pending.push(Pending { container, path: relative.into(), source: Source::File(file) });
        }
        for archive in archives {
            let relative =
                archive.strip_prefix(root).unwrap_or(&archive).to_string_lossy().replace('\\', "/");
            self.archive_file(&archive, tier_of_nested(&relative, tier));
        }
    }

    /// Class files and archives below a directory, by name. Links are followed, each directory is entered once.
    fn walk(&mut self, directory: &Path, files: &mut Vec<PathBuf>, archives: &mut Vec<PathBuf>) {
        let mut stack = vec![directory.to_path_buf()];
        while let Some(directory) = stack.pop() {
            if !self.first_visit(&directory) {
                continue;
            }
            let entries = match std::fs::read_dir(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable(directory.display().to_string(), format!("cannot be read ({error})"));
                    continue;
                }
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if path.is_dir() {
                    stack.push(path);
                } else if is_class_entry(&name) {
                    files.push(path);
                } else if is_archive_name(&name) {
                    archives.push(path);
                } else if resources::may_name_classes(&path.to_string_lossy().replace('\\', "/"))
                    && let Ok(text) = Bytes::of_file(&path)
                {
                    resources::collect_names(&text, &mut self.resource_names);
                }
            }
        }
        files.sort();
        archives.sort();
    }

    /// The archives that manifests name, if they are there; a jar's own class path comes after everything else.
    pub(super) fn follow_class_paths(&mut self) {
        while !self.class_path.is_empty() {
            for path in std::mem::take(&mut self.class_path) {
                if path.is_file() {
                    self.archive_file(&path, Tier::Library);
                }
            }
        }
    }

    /// Lists an archive and the archives in it.
    fn archive(&mut self, archive: Archive, budget: &mut Budget) -> Manifest {
        let Archive { bytes, place, tier, depth } = archive;
        let limits = self.limits;
        let wanted = |name: &str| {
            if is_manifest(name) {
                Some(MANIFEST_BYTES)
            } else if is_class_entry(name) || is_module_info(name) || resources::may_name_classes(name) {
                Some(limits.class_bytes)
            } else if is_archive_name(name) {
                Some(limits.archive_bytes)
            } else {
                None
            }
        };
        let entries = zip::list(&bytes, &place, limits, budget, wanted, &mut self.problems);
        let manifest = entries
            .iter()
            .find(|entry| is_manifest(&entry.name))
            .and_then(|entry| entry.extract(&place, &mut self.problems))
            .map_or_else(Manifest::default, |text| Manifest::parse(&text));
        let is_jmod = bytes.starts_with(b"JM");
        let module_info = entries
            .iter()
            .find(|entry| {
                is_module_info(&entry.name) && split_root(&entry.name, is_jmod).1 == "module-info.class"
            })
            .and_then(|entry| entry.extract(&place, &mut self.problems));
        let web = entries
            .iter()
            .any(|entry| entry.name.starts_with("WEB-INF/") || entry.name.starts_with("BOOT-INF/"));
        // In an archive with an application inside, what lies beside it is the loader.
        let outer_tier = if web { tier.max(Tier::Library) } else { tier };
        let archive_place: Arc<str> = place.as_str().into();
        let mut outer = None;
        let mut inner = None;
        let mut nested = Vec::new();
        let mut best: HashMap<(ContainerId, String), (u16, usize)> = HashMap::new();
        for entry in entries {
            if is_archive_name(&entry.name) {
                nested.push(entry);
                continue;
            }
            if resources::may_name_classes(&entry.name) {
                if tier == Tier::Application {
                    self.groups.extend(resources::maven_group(&entry.name));
                }
                let text = entry.extract(&place, &mut self.problems);
                if let Some(text) = text.filter(|_| !is_jmod) {
                    resources::collect_names(&text, &mut self.resource_names);
                }
                continue;
            }
            if !is_class_entry(&entry.name) {
                continue;
            }
            let (root, path) = split_root(&entry.name, is_jmod);
            let Some((version, path)) = split_version(path) else { continue };
            if version > 0 && !(manifest.multi_release && version <= self.release) {
                continue;
            }
            if is_jmod && root.is_empty() {
                continue;
            }
            let container = if root.is_empty() || is_jmod { &mut outer } else { &mut inner };
            let container = *container.get_or_insert_with(|| {
                let mut container = if is_jmod || root.is_empty() {
                    Container::new(place.clone(), outer_tier)
                } else {
                    Container::new(format!("{place}!/{}", root.trim_end_matches('/')), tier)
                };
                container.main_class.clone_from(&manifest.main_class);
                if let Some(info) = &module_info {
                    container.read_module_info(info);
                }
                self.containers.push(container)
            });
            let path = path.to_owned();
            let pending = Pending {
                container,
                path: path.as_str().into(),
                source: Source::Entry(entry, Arc::clone(&archive_place)),
            };
            if self.release >= 9 && manifest.multi_release {
                let next = self.pending.len();
                let chosen = best.entry((container, path)).or_insert((version, next));
                if chosen.1 < next {
                    if version > chosen.0 {
                        chosen.0 = version;
                        self.pending[chosen.1] = pending;
                    }
                    continue;
                }
            }
            self.pending.push(pending);
        }
        self.nested(nested, &place, tier, depth, budget);
        manifest
    }

    fn nested(&mut self, nested: Vec<Entry>, place: &str, tier: Tier, depth: usize, budget: &mut Budget) {
        if nested.is_empty() {
            return;
        }
        if depth >= self.limits.depth {
            let message = format!("is nested {depth} archives deep; the archives in it are left out");
            self.problems.push(Problem::new(ProblemKind::Hostile, place, message));
            return;
        }
        for entry in nested {
            let inner_place = format!("{place}!/{}", entry.name);
            let Some(bytes) = entry.extract(place, &mut self.problems) else { continue };
            let tier = tier_of_nested(&entry.name, tier);
            self.archive(Archive { bytes, place: inner_place, tier, depth: depth + 1 }, budget);
        }
    }

    /// Reads what was found.
    pub(super) fn load_pending(&mut self) {
        let loaded: Vec<(Option<ClassSource>, Vec<Problem>)> = std::mem::take(&mut self.pending)
            .into_par_iter()
            .with_min_len(8)
            .map(|pending| {
                let mut problems = Vec::new();
                let bytes = match &pending.source {
                    Source::Entry(entry, archive) => entry.extract(archive, &mut problems),
                    Source::File(path) => match Bytes::of_file(path) {
                        Ok(bytes) => Some(bytes),
                        Err(error) => {
                            let message = format!("cannot be read ({error})");
                            let place = path.display().to_string();
                            problems.push(Problem::new(ProblemKind::Unreadable, place, message));
                            None
                        }
                    },
                };
                let class = bytes.map(|bytes| ClassSource {
                    container: pending.container,
                    path: pending.path,
                    bytes,
                });
                (class, problems)
            })
            .collect();
        for (class, problems) in loaded {
            self.classes.extend(class);
            self.problems.extend(problems);
        }
    }

    /// One entry of an archive on disk.
    pub(super) fn first_class_of(path: &Path, name: &str) -> Option<Bytes> {
        let bytes = Bytes::of_file(path).ok()?;
        let limits = Limits::default();
        let mut budget = Budget::of_file(bytes.len(), &limits);
        let wanted = |entry: &str| (entry == name).then_some(limits.class_bytes);
        let mut problems = Vec::new();
        let entries = zip::list(&bytes, "", &limits, &mut budget, wanted, &mut problems);
        entries.first()?.extract("", &mut problems)
    }
}

fn is_manifest(name: &str) -> bool {
    name.eq_ignore_ascii_case("META-INF/MANIFEST.MF")
}

fn is_class_entry(name: &str) -> bool {
    name.ends_with(".class") && !is_module_info(name)
}

fn is_module_info(name: &str) -> bool {
    name.rsplit('/').next() == Some("module-info.class")
}

fn is_archive_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["jar", "war", "ear", "rar", "jmod"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The libraries that an archive or directory brings along count as such, not as the application.
fn tier_of_nested(path: &str, outer: Tier) -> Tier {
    let library = path.rsplit_once('/').is_some_and(|(directory, _)| {
        directory.split('/').any(|part| matches!(part, "lib" | "libs" | "lib-provided"))
    });
    if library { outer.max(Tier::Library) } else { outer }
}

/// Splits off the directory in which a war, Spring Boot jar or jmod keeps its classes.
fn split_root(name: &str, is_jmod: bool) -> (&str, &str) {
    let roots: &[&str] = if is_jmod { &["classes/"] } else { &["WEB-INF/classes/", "BOOT-INF/classes/"] };
    let root = roots.iter().find(|root| name.starts_with(**root)).map_or(0, |root| root.len());
    name.split_at(root)
}

/// The release for which an entry is meant (0: any) and its path without it; `None` for what else is in `META-INF`.
fn split_version(path: &str) -> Option<(u16, &str)> {
    let Some(meta) = path.strip_prefix("META-INF/") else { return Some((0, path)) };
    let (version, path) = meta.strip_prefix("versions/")?.split_once('/')?;
    let version = version.parse().ok().filter(|&version| version >= 9)?;
    Some((version, path))
}
