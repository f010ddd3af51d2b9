//! Bytes that many parts of the program share: a slice of a memory-mapped file, or of a decompressed archive entry.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// Files shorter than this are read rather than mapped: a mapping costs more than the copy.
const MAP_FROM: u64 = 64 * 1024;

/// A part of a file or buffer. Cloning and slicing copy no bytes.
#[derive(Clone)]
pub struct Bytes {
    storage: Arc<Storage>,
    start: usize,
    end: usize,
}

enum Storage {
    Mapped(memmap2::Mmap),
    Heap(Vec<u8>),
}

impl Storage {
    fn bytes(&self) -> &[u8] {
        match self {
            Storage::Mapped(map) => map,
            Storage::Heap(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// The contents of a regular file.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        // Opening a pipe would wait for somebody who writes to it.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.len() < MAP_FROM {
            return std::fs::read(path).map(Self::from);
        }
        // SAFETY: the mapping is private and read-only. The one assumption is that nobody shortens or rewrites the file
        // while it is analysed, which every tool that maps its input makes (the JVM maps its jars and images, too).
        #[allow(unsafe_code)]
        let map = unsafe { memmap2::Mmap::map(&file)? };
        let end = map.len();
        Ok(Self { storage: Arc::new(Storage::Mapped(map)), start: 0, end })
    }

    /// The part at `range`, or `None` where that is not inside.
    pub fn slice(&self, range: Range<usize>) -> Option<Self> {
        let start = self.start.checked_add(range.start)?;
        let end = self.start.checked_add(range.end)?;
        (start <= end && end <= self.end).then(|| Self { storage: Arc::clone(&self.storage), start, end })
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        let end = bytes.len();
        Self { storage: Arc::new(Storage::Heap(bytes)), start: 0, end }
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.storage.bytes()[self.start..self.end]
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}
