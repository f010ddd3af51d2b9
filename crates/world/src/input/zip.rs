//! The entries of a zip archive, listed and extracted so that no archive can harm.
//!
//! The central directory is what counts, as for the JVM. Before anything is decompressed, an entry must pass three
//! tests that cost no memory: its claimed size is possible for its compressed size (deflate cannot expand more than
//! 1,032 times) and sensible for a class or a nested archive; its bytes are not also another entry's (overlapping
//! entries are how a small archive becomes a large one); and the sum of all claimed sizes stays within a budget
//! proportional to the size of the file on disk. Extraction then writes at most the claimed size.

use flate2::{Decompress, FlushDecompress, Status};
use rawzip::{CompressionMethod, ZipArchive};

use super::bytes::Bytes;
use crate::problem::{Problem, ProblemKind};

/// Bounds on what an archive may ask for. The defaults are far above anything real.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest class file.
    pub class_bytes: u64,
    /// The largest nested archive.
    pub archive_bytes: u64,
    /// How much larger than its compressed form an entry of more than a megabyte may be.
    pub ratio: u64,
    /// All that is extracted from one file, directly or through nested archives: this ...
    pub total_bytes: u64,
    /// ... plus this many times the file's size.
    pub total_ratio: u64,
    /// How deep archives may be nested; an ear that holds a war that holds a jar has depth 3.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            class_bytes: 32 << 20,
            archive_bytes: 512 << 20,
            ratio: 100,
            total_bytes: 64 << 20,
            total_ratio: 24,
            depth: 8,
        }
    }
}

/// What may still be extracted from one file.
#[derive(Debug)]
pub struct Budget {
    remaining: u64,
}

impl Budget {
    /// The budget of a file of this size.
    pub fn of_file(size: usize, limits: &Limits) -> Self {
        let grown = (size as u64).saturating_mul(limits.total_ratio);
        Self { remaining: limits.total_bytes.saturating_add(grown) }
    }

    fn take(&mut self, bytes: u64) -> bool {
        match self.remaining.checked_sub(bytes) {
            Some(rest) => {
                self.remaining = rest;
                true
            }
            None => false,
        }
    }
}

/// An entry that passed the tests and was charged to the budget.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path in the archive; bytes that are not UTF-8 are replaced.
    pub name: String,
    data: Bytes,
    deflated: bool,
    size: usize,
    crc: u32,
}

/// What an archive's directory lists: where each entry's bytes are and what it claims to become.
struct Listed {
    name: String,
    range: (u64, u64),
    data: (u64, u64),
    method: CompressionMethod,
    encrypted: bool,
    size: u64,
    crc: u32,
}

/// Whether these bytes end like a zip archive.
pub fn is_zip(bytes: &[u8]) -> bool {
    ZipArchive::from_slice(bytes).is_ok()
}

/// Lists the entries whose name `wanted` gives a size limit, in the order of the directory.
///
/// `place` names the archive in problems.
pub fn list(
    archive: &Bytes,
    place: &str,
    limits: &Limits,
    budget: &mut Budget,
    wanted: impl Fn(&str) -> Option<u64>,
    problems: &mut Vec<Problem>,
) -> Vec<Entry> {
    let mut unreadable =
        |message: String| problems.push(Problem::new(ProblemKind::Unreadable, place, message));
    let zip = match ZipArchive::from_slice(&**archive) {
        Ok(zip) => zip,
        Err(error) => {
            unreadable(format!("is not a readable zip archive ({error})"));
            return Vec::new();
        }
    };
    let mut listed = Vec::new();
    for header in zip.entries() {
        let header = match header {
            Ok(header) => header,
            Err(error) => {
                unreadable(format!(
                    "has a damaged directory ({error}); what comes after the damage is left out"
                ));
                break;
            }
        };
        if header.is_dir() {
            continue;
        }
        let name = String::from_utf8_lossy(header.file_path().as_bytes()).into_owned();
        if wanted(&name).is_none() {
            continue;
        }
        match zip.get_entry(header.wayfinder()) {
            Ok(entry) => {
                let data = entry.compressed_data_range();
                listed.push(Listed {
                    name,
                    range: (header.local_header_offset(), data.1),
                    data,
                    method: header.compression_method(),
                    encrypted: header.flags().is_encrypted(),
                    size: header.uncompressed_size_hint(),
                    crc: header.crc32(),
                });
            }
            Err(error) => unreadable(format!("has a damaged entry {name} ({error})")),
        }
    }
    let overlapping = overlaps(&listed);
    let mut entries = Vec::new();
    let mut exhausted = 0usize;
    for (entry, overlaps) in listed.into_iter().zip(overlapping) {
        let inner_place = || format!("{place}!/{}", entry.name);
        if overlaps {
            let message =
                "shares its bytes with another entry, as only made-up archives have it; it is left out";
            problems.push(Problem::new(ProblemKind::Hostile, inner_place(), message));
            continue;
        }
        let limit = wanted(&entry.name).unwrap_or(0);
        if let Err(problem) = check(&entry, limit, limits) {
            problems.push(Problem::new(problem.0, inner_place(), problem.1));
            continue;
        }
        if !budget.take(entry.size) {
            exhausted += 1;
            continue;
        }
        let Some(data) = archive.slice(entry.data.0 as usize..entry.data.1 as usize) else { continue };
        entries.push(Entry {
            name: entry.name,
            data,
            deflated: entry.method == CompressionMethod::DEFLATE,
            size: entry.size as usize,
            crc: entry.crc,
        });
    }
    if exhausted > 0 {
        let message =
            format!("would expand to far more than its size; {exhausted} of its entries are left out");
        problems.push(Problem::new(ProblemKind::Hostile, place, message));
    }
    entries
}

fn check(entry: &Listed, limit: u64, limits: &Limits) -> Result<(), (ProblemKind, String)> {
    let compressed = entry.data.1 - entry.data.0;
    let hostile = |message: String| Err((ProblemKind::Hostile, message));
    if entry.encrypted {
        return Err((ProblemKind::Unreadable, "is encrypted".to_owned()));
    }
    match entry.method {
        CompressionMethod::STORE if entry.size != compressed => {
            return Err((ProblemKind::Unreadable, "is stored with two different sizes".to_owned()));
        }
        CompressionMethod::STORE => {}
        CompressionMethod::DEFLATE => {
            let possible = compressed.saturating_mul(1032).saturating_add(64);
            let suspicious = entry.size > 1 << 20 && entry.size / limits.ratio > compressed;
            if entry.size > possible || suspicious {
                return hostile(format!("claims to expand from {compressed} to {} bytes", entry.size));
            }
        }
        other => {
            return Err((
                ProblemKind::Unreadable,
                format!("is compressed by a method Java does not know, {other}"),
            ));
        }
    }
    if entry.size > limit {
        return hostile(format!("is {} bytes long, more than the limit of {limit}", entry.size));
    }
    Ok(())
}

/// For each entry, whether its bytes overlap those of an entry that starts before it (or at the same place, and is
/// listed before it).
fn overlaps(entries: &[Listed]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| (entries[index].range.0, index));
    let mut overlapping = vec![false; entries.len()];
    let mut end = 0;
    for index in order {
        let range = entries[index].range;
        if range.0 < end {
            overlapping[index] = true;
        }
        end = end.max(range.1);
    }
    overlapping
}

impl Entry {
    /// The entry's contents: a slice of the archive where it is stored, fresh memory where it is compressed.
    ///
    /// A wrong checksum is a problem, not an error: the JVM does not look at it either.
    pub fn extract(&self, place: &str, problems: &mut Vec<Problem>) -> Option<Bytes> {
        let inner_place = || format!("{place}!/{}", self.name);
        let contents = if self.deflated {
            match inflate(&self.data, self.size) {
                Ok(contents) => Bytes::from(contents),
                Err(message) => {
                    problems.push(Problem::new(ProblemKind::Unreadable, inner_place(), message));
                    return None;
                }
            }
        } else {
            self.data.clone()
        };
        let mut crc = flate2::Crc::new();
        crc.update(&contents);
        if crc.sum() != self.crc {
            problems.push(Problem::new(ProblemKind::Unreadable, inner_place(), "has a wrong checksum"));
        }
        Some(contents)
    }
}

/// Decompresses a raw deflate stream that must give exactly `size` bytes.
fn inflate(data: &[u8], size: usize) -> Result<Vec<u8>, &'static str> {
    inflate_with(Decompress::new(false), data, size)
}

/// Decompresses a deflate stream with a zlib header that must give exactly `size` bytes.
pub fn inflate_zlib(data: &[u8], size: usize) -> Result<Vec<u8>, &'static str> {
    inflate_with(Decompress::new(true), data, size)
}

fn inflate_with(mut decompress: Decompress, data: &[u8], size: usize) -> Result<Vec<u8>, &'static str> {
    // One byte more than claimed, so that a stream that goes on is noticed.
    let mut contents = Vec::with_capacity(size + 1);
    loop {
        let before = (decompress.total_in(), decompress.total_out());
        let input = &data[before.0 as usize..];
        let status = decompress.decompress_vec(input, &mut contents, FlushDecompress::Finish);
        match status {
            _ if contents.len() > size => return Err("is longer than its archive says"),
            Ok(Status::StreamEnd) if contents.len() == size => return Ok(contents),
            Ok(Status::StreamEnd) => return Err("is shorter than its archive says"),
            Ok(_) if (decompress.total_in(), decompress.total_out()) == before => {
                return Err("has truncated compressed data");
            }
            Ok(_) => {}
            Err(_) => return Err("has damaged compressed data"),
        }
    }
}
