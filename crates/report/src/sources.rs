//! The program's sources, found by package and file name below directories and in archives.
//!
//! A class file names only `Account.java`; with the package of the class that becomes `bank/Account.java`, and a source
//! file belongs to it when its path ends so. Any directory above a source root may be given, and any archive with
//! sources in it, `src.zip` and `-sources.jar` alike. Sources are listed when they are opened and read when they are
//! shown. Nothing outside the listing is ever read, whatever names a class file holds.

mod archive;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;
use selvedge_findings::{Frame, Problem};

use archive::Archive;

/// Where the program's sources are. The default has none.
#[derive(Debug, Default)]
pub struct Sources {
    /// By bare file name, the files called so, in the order of the paths given and of their names.
    files: BTreeMap<String, Vec<File>>,
    archives: Vec<Archive>,
    /// What was read already: by place, its lines, or nothing if it could not be read.
    read: Mutex<FxHashMap<String, Option<Arc<[String]>>>>,
}

/// One source file of the listing.
#[derive(Clone, Debug)]
struct File {
    /// Its whole path with slashes: of a file from the root of the disk, of an entry from that of its archive.
    whole: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    /// A file on disk, by its path as given.
    Disk(PathBuf),
    /// An entry of an archive: which, and where in it.
    Archive(usize, usize),
}

/// A source file that belongs to a place in the code.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its path as a person would open it, relative if the directory was given so; `src.zip!/p/C.java` in archives.
    pub path: String,
    /// Its absolute path, if it is a file on disk.
    pub on_disk: Option<PathBuf>,
    /// Its lines, without their ends.
    pub lines: Arc<[String]>,
}

/// Endings of source files of languages that compile to class files.
const ENDINGS: &[&str] = &[".java", ".kt", ".scala", ".groovy", ".clj"];
/// Directories that hold no sources but may hold many files.
const PASSED_OVER: &[&str] = &["target", "build", "node_modules", "out"];
/// Beyond this many files a directory is surely not what was meant.
const MOST_FILES: usize = 500_000;
/// The longest source file that is shown.
const LONGEST: u64 = 8 << 20;

impl Sources {
    /// Lists the sources below directories and in archives. What cannot be read is a problem and no more.
    pub fn open(paths: &[PathBuf]) -> (Self, Vec<Problem>) {
        let mut sources = Self::default();
        let mut problems = Vec::new();
        for path in paths {
            let result = match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => sources.add_directory(path),
                Ok(metadata) if metadata.is_file() => sources.add_archive(path),
                Ok(_) => Err("is neither a directory nor a file".to_owned()),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    Err("there is no such directory or archive of sources".to_owned())
                }
                Err(error) => Err(format!("cannot be read ({error})")),
            };
            if let Err(message) = result {
                problems.push(Problem {
                    kind: "sources".to_owned(),
                    place: path.display().to_string(),
                    message,
                });
            }
        }
        (sources, problems)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn add_directory(&mut self, root: &Path) -> Result<(), String> {
        // With the whole path a root below the packages' directories does as well.
        let whole = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut pending = vec![(root.to_owned(), slashes(&whole))];
        let mut listed = 0;
        while let Some((dir, whole)) = pending.pop() {
            let entries = match fs::read_dir(&dir) {
                Ok(entries) => entries,
                Err(error) if dir == root => return Err(format!("cannot be listed ({error})")),
                Err(_) => continue,
            };
            let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            let mut inner = Vec::new();
            for entry in entries {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let Ok(kind) = entry.file_type() else { continue };
                let path = format!("{whole}/{name}");
                if kind.is_dir() {
                    if !name.starts_with('.') && !PASSED_OVER.contains(&name.as_str()) {
                        inner.push((entry.path(), path));
                    }
                } else if is_source(&name) {
                    listed += 1;
                    if listed > MOST_FILES {
                        return Err(format!("has more than {MOST_FILES} source files; the rest is left out"));
                    }
                    self.add(name, File { whole: path, origin: Origin::Disk(entry.path()) });
                }
            }
            pending.extend(inner.into_iter().rev());
        }
        Ok(())
    }

    fn add_archive(&mut self, path: &Path) -> Result<(), String> {
        let (archive, names) = Archive::open(path, is_source)?;
        let index = self.archives.len();
        self.archives.push(archive);
        for (entry, whole) in names.into_iter().enumerate() {
            let name = whole.rsplit('/').next().unwrap_or_default().to_owned();
            self.add(name, File { whole, origin: Origin::Archive(index, entry) });
        }
        Ok(())
    }

    fn add(&mut self, name: String, file: File) {
        self.files.entry(name).or_default().push(file);
    }

    /// The source file of a place, if it is here and can be read.
    pub fn find(&self, frame: &Frame) -> Option<Found> {
        let file = self.file_of(frame)?;
        let (path, on_disk) = match &file.origin {
            Origin::Disk(path) => (slashes(path), std::path::absolute(path).ok()),
            Origin::Archive(archive, _) => {
                (format!("{}!/{}", slashes(&self.archives[*archive].path), file.whole), None)
            }
        };
        let mut read = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let lines = read.entry(path.clone()).or_insert_with(|| self.read(&file.origin)).clone()?;
        Some(Found { path, on_disk, lines })
    }

    fn file_of(&self, frame: &Frame) -> Option<&File> {
        let candidates = self.files.get(frame.file.as_deref()?)?;
        let wanted = frame.source_path()?;
        let fits = |file: &&File| {
            file.whole.strip_suffix(&wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        // Java demands directories that follow the packages. The other languages do not: there, being the only file
        // of that name is enough.
        candidates.iter().filter(fits).min_by_key(|file| file.whole.len()).or_else(|| match &candidates[..] {
            [only] if !only.whole.ends_with(".java") => Some(only),
            _ => None,
        })
    }

    fn read(&self, origin: &Origin) -> Option<Arc<[String]>> {
        let bytes = match origin {
            Origin::Disk(path) => {
                let length = fs::metadata(path).ok()?.len();
                if length > LONGEST {
                    return None;
                }
                fs::read(path).ok()?
            }
            Origin::Archive(archive, entry) => self.archives[*archive].extract(*entry, LONGEST)?,
        };
        Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }
}

impl Found {
    /// The lines around `line` (counted from 1), each with its number, without the indentation they share.
    pub fn around(&self, line: u32, before: u32, after: u32) -> Vec<(u32, String)> {
        let count = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        if line == 0 || line > count {
            return Vec::new();
        }
        let numbers = line.saturating_sub(before).max(1)..=line.saturating_add(after).min(count);
        let lines: Vec<(u32, String)> =
            numbers.map(|number| (number, self.lines[number as usize - 1].replace('\t', "    "))).collect();
        let indent = |text: &str| text.len() - text.trim_start_matches(' ').len();
        let shared =
            lines.iter().filter(|(_, text)| !text.trim().is_empty()).map(|(_, text)| indent(text)).min();
        let cut = |text: &str| text.get(shared.unwrap_or(0)..).unwrap_or_default().trim_end().to_owned();
        lines.iter().map(|(number, text)| (*number, cut(text))).collect()
    }
}

fn is_source(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    text.strip_prefix("./").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_testkit::jar::{Entry, Method, zip};

    fn work_dir(name: &str) -> PathBuf {
        let dir = selvedge_testkit::cache_dir().join(format!("sources-{}-{name}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn write(dir: &Path, path: &str, text: &str) {
        let file = dir.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn lines(sources: &Sources, method: &str, file: &str) -> Option<Vec<String>> {
        sources.find(&Frame::new(method).at(file, 1)).map(|found| found.lines.to_vec())
    }

    #[test]
    fn files_are_found_by_package_from_any_root() {
        let dir = work_dir("roots");
        write(&dir, "core/src/main/java/p/C.java", "first\nsecond");
        write(&dir, "other/q/C.java", "other");
        write(&dir, "other/target/p/D.java", "built");
        write(&dir, "kotlin/Flat.kt", "flat");
        for root in ["", "core", "core/src/main/java", "core/src/main/java/p"] {
            let (sources, problems) = Sources::open(&[dir.join(root)]);
            assert_eq!(problems, []);
            assert_eq!(
                lines(&sources, "p.C$1.run()", "C.java").unwrap(),
                ["first", "second"],
                "from {root:?}"
            );
        }
        let (sources, _) = Sources::open(std::slice::from_ref(&dir));
        assert_eq!(lines(&sources, "q.C.m()", "C.java").unwrap(), ["other"]);
        assert_eq!(lines(&sources, "r.C.m()", "C.java"), None);
        assert_eq!(lines(&sources, "p.D.m()", "D.java"), None, "what is built is passed over");
        assert_eq!(lines(&sources, "p.FlatKt.m()", "Flat.kt").unwrap(), ["flat"]);
        assert_eq!(lines(&sources, "p.C.m()", "../../../p/C.java"), None);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn archives_hold_sources_too() {
        let dir = work_dir("archives");
        let entries = [
            Entry::new("java.base/p/C.java", b"deflated\r\ntext", Method::Deflated),
            Entry::new("java.base/p/D.java", b"stored", Method::Stored),
            Entry::new("java.base/p/Liar.java", b"short", Method::Deflated).claiming(4000, 7),
            Entry::new("java.base/p/C.class", b"no source", Method::Stored),
        ];
        fs::write(dir.join("src.zip"), zip(&entries)).unwrap();
        write(&dir, "junk.zip", "junk");
        let (sources, problems) =
            Sources::open(&[dir.join("src.zip"), dir.join("junk.zip"), dir.join("absent.jar")]);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(lines(&sources, "p.C.m()", "C.java").unwrap(), ["deflated", "text"]);
        assert_eq!(lines(&sources, "p.D.m()", "D.java").unwrap(), ["stored"]);
        assert_eq!(lines(&sources, "p.Liar.m()", "Liar.java"), None);
        let found = sources.find(&Frame::new("p.D.m()").at("D.java", 1)).unwrap();
        assert!(found.path.ends_with("src.zip!/java.base/p/D.java"), "{}", found.path);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_lines_around_share_no_indentation() {
        let lines = ["class C {", "\tint f;", "", "\tint g;", "}"].map(str::to_owned);
        let found = Found { path: String::new(), on_disk: None, lines: Arc::new(lines) };
        let shown = |line| found.around(line, 1, 1);
        assert_eq!(shown(3), [(2, "int f;".to_owned()), (3, String::new()), (4, "int g;".to_owned())]);
        assert_eq!(shown(1), [(1, "class C {".to_owned()), (2, "    int f;".to_owned())]);
        assert_eq!(shown(5).len(), 2);
        assert_eq!(shown(0), []);
        assert_eq!(shown(6), []);
    }
}
