//! The class files of an archive on the class path, to be read one at a time.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};
use rustc_hash::{FxHashMap, FxHashSet};

/// Class files larger than this are not read.
const MAX_CLASS: u64 = 4 << 20;

/// Where the classes for newer versions of Java are in an archive.
const VERSIONS: &str = "META-INF/versions/";

/// An archive, and where its class files are.
#[derive(Debug)]
pub(crate) struct Archive {
    file: PathBuf,
    /// By path: from where to where the data is, and whether it is compressed.
    classes: FxHashMap<String, (u64, u64, bool)>,
}

impl Archive {
    /// Reads the directory of an archive; `None` if it cannot be read or is larger than what is left of `room`.
    pub(crate) fn open(file: &Path, room: &mut u64) -> Option<Archive> {
        *room = room.checked_sub(file.metadata().ok()?.len())?;
        let bytes = std::fs::read(file).ok()?;
        let zip = ZipArchive::from_slice(&bytes).ok()?;
        let mut classes = FxHashMap::default();
        let mut versioned = FxHashSet::default();
        for header in zip.entries() {
            let header = header.ok()?;
            let name = String::from_utf8_lossy(header.file_path().as_bytes()).into_owned();
            if !name.ends_with(".class") {
                continue;
            }
            if let Some((_, name)) = name.strip_prefix(VERSIONS).and_then(|rest| rest.split_once('/')) {
                versioned.insert(name.to_owned());
                continue;
            }
            let deflated = match header.compression_method() {
                CompressionMethod::STORE => false,
                CompressionMethod::DEFLATE => true,
                _ => continue,
            };
            let (start, end) = zip.get_entry(header.wayfinder()).ok()?.compressed_data_range();
            if start > end {
                continue;
            }
            classes.insert(name, (start, end, deflated));
        }
        // Which one the JVM takes of a class with several versions, it knows better.
        versioned.iter().for_each(|name| {
            classes.remove(name);
        });
        Some(Archive { file: file.to_owned(), classes })
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let &(start, end, deflated) = self.classes.get(name)?;
        let mut data = vec![0; usize::try_from((end - start).min(MAX_CLASS)).ok()?];
        let mut file = File::open(&self.file).ok()?;
        file.seek(SeekFrom::Start(start)).ok()?;
        file.read_exact(&mut data).ok()?;
        if !deflated {
            return Some(data);
        }
        let mut read = Vec::new();
        DeflateDecoder::new(data.as_slice()).take(MAX_CLASS).read_to_end(&mut read).ok()?;
        Some(read)
    }
}
