//! Archives with sources in them. What they claim about sizes is checked before anything is unpacked.

use std::fs;
use std::path::{Path, PathBuf};

use flate2::{Decompress, FlushDecompress, Status};
use rawzip::{CompressionMethod, ZipArchive};

/// An archive in memory and the entries of it that were asked for.
#[derive(Debug)]
pub struct Archive {
    /// The path as given.
    pub path: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    start: usize,
    end: usize,
    size: u64,
    deflated: bool,
}

impl Archive {
    /// Lists the entries that `wanted` takes by their bare name, and returns their paths in the same order.
    pub fn open(path: &Path, wanted: impl Fn(&str) -> bool) -> Result<(Self, Vec<String>), String> {
        let bytes = fs::read(path).map_err(|error| format!("cannot be read ({error})"))?;
        let mut entries = Vec::new();
        let mut names = Vec::new();
        {
            let zip = ZipArchive::from_slice(&bytes[..])
                .map_err(|error| format!("is neither a directory nor a readable zip archive ({error})"))?;
            for header in zip.entries() {
                let Ok(header) = header else { break };
                let name = String::from_utf8_lossy(header.file_path().as_bytes()).into_owned();
                let method = header.compression_method();
                let deflated = method == CompressionMethod::DEFLATE;
                let is_plain =
                    (deflated || method == CompressionMethod::STORE) && !header.flags().is_encrypted();
                if header.is_dir() || !is_plain || !wanted(name.rsplit('/').next().unwrap_or_default()) {
                    continue;
                }
                let Ok(entry) = zip.get_entry(header.wayfinder()) else { continue };
                let (start, end) = entry.compressed_data_range();
                let (Ok(start), Ok(end)) = (usize::try_from(start), usize::try_from(end)) else { continue };
                entries.push(Entry { start, end, size: header.uncompressed_size_hint(), deflated });
                names.push(name);
            }
        }
        Ok((Self { path: path.to_owned(), bytes, entries }, names))
    }

    /// The contents of an entry, if they are what the archive says and no longer than `longest`.
    pub fn extract(&self, entry: usize, longest: u64) -> Option<Vec<u8>> {
        let entry = self.entries.get(entry)?;
        let data = self.bytes.get(entry.start..entry.end)?;
        if entry.size > longest {
            return None;
        }
        if !entry.deflated {
            return Some(data.to_vec());
        }
        let size = usize::try_from(entry.size).ok()?;
        let mut contents = Vec::with_capacity(size + 1);
        let mut inflater = Decompress::new(false);
        loop {
            let before = (inflater.total_in(), inflater.total_out());
            let rest = data.get(usize::try_from(before.0).ok()?..)?;
            match inflater.decompress_vec(rest, &mut contents, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) => return (contents.len() == size).then_some(contents),
                Ok(_) if contents.len() <= size && (inflater.total_in(), inflater.total_out()) != before => {}
                _ => return None,
            }
        }
    }
}
