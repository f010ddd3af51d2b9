//! Writing zip archives, well formed or not, without the JDK's `jar` tool.
//!
//! [`jar_from_dir`] and [`zip`] make ordinary archives. An [`Entry`] can also lie about its sizes and checksum, which is
//! how the tests of hostile archives are written. Times are fixed, so equal contents give equal bytes.

use crate::{Failure, files_below};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;

/// How an entry's bytes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// As they are.
    Stored,
    /// Compressed.
    #[default]
    Deflated,
}

/// One file of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The path in the archive, with slashes.
    pub name: String,
    /// The bytes as stored in the archive, compressed or not.
    data: Vec<u8>,
    method: u16,
    crc: u32,
    /// The uncompressed size that the headers claim.
    claimed_size: u32,
    /// The compressed size that the headers claim.
    claimed_compressed_size: u32,
}

impl Entry {
    /// An honest entry.
    pub fn new(name: &str, contents: &[u8], method: Method) -> Self {
        let mut crc = flate2::Crc::new();
        crc.update(contents);
        let (data, method) = match method {
            Method::Stored => (contents.to_vec(), 0),
            Method::Deflated => (deflate(contents), 8),
        };
        Entry {
            name: name.to_owned(),
            claimed_size: contents.len() as u32,
            claimed_compressed_size: data.len() as u32,
            crc: crc.sum(),
            data,
            method,
        }
    }

    /// An entry of already deflated data: the way to write a bomb without ever holding what it unpacks to.
    pub fn from_deflated(name: &str, data: Vec<u8>, claimed_size: u32) -> Self {
        let claimed_compressed_size = data.len() as u32;
        Entry { name: name.to_owned(), data, method: 8, crc: 0, claimed_size, claimed_compressed_size }
    }

    /// The same entry, its headers claiming other sizes.
    pub fn claiming(mut self, size: u32, compressed_size: u32) -> Self {
        (self.claimed_size, self.claimed_compressed_size) = (size, compressed_size);
        self
    }

    /// The same entry under a compression method number of one's own.
    pub fn with_method(mut self, method: u16) -> Self {
        self.method = method;
        self
    }

    /// The fields that the local header and the directory share, from "version needed" to "compressed size".
    fn common_header(&self, out: &mut Vec<u8>) {
        // Version 2.0; names are UTF-8 (flag bit 11); 1 January 2000, 00:00.
        for field in [20, 0x0800, self.method, 0, (20 << 9) | (1 << 5) | 1] {
            out.extend(field.to_le_bytes());
        }
        for field in [self.crc, self.claimed_compressed_size, self.claimed_size] {
            out.extend(field.to_le_bytes());
        }
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend(0_u16.to_le_bytes());
    }

    fn local(&self, out: &mut Vec<u8>) {
        out.extend(b"PK\x03\x04");
        self.common_header(out);
        out.extend(self.name.as_bytes());
        out.extend(&self.data);
    }

    fn directory(&self, local_offset: u32, out: &mut Vec<u8>) {
        out.extend(b"PK\x01\x02\x14\x00");
        self.common_header(out);
        // Comment length, disk number, internal attributes (2 bytes each) and external attributes.
        out.extend([0; 10]);
        out.extend(local_offset.to_le_bytes());
        out.extend(self.name.as_bytes());
    }
}

fn deflate(contents: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(contents).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

/// Deflated data that unpacks to `size` zero bytes (a thousandth of it, roughly).
pub fn deflated_zeros(size: u64) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let block = [0; 1 << 16];
    let mut left = size;
    while left > 0 {
        let part = left.min(block.len() as u64);
        encoder.write_all(&block[..part as usize]).expect("writing to memory does not fail");
        left -= part;
    }
    encoder.finish().expect("writing to memory does not fail")
}

/// The bytes of an archive of these entries in this order.
pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut offsets = Vec::new();
    for entry in entries {
        offsets.push(out.len() as u32);
        entry.local(&mut out);
    }
    finish(out, entries.iter().zip(offsets))
}

/// An archive whose directory names every entry but points them all at the data of the first: overlapping entries,
/// which let a small archive unpack to a large multiple of its size.
pub fn zip_overlapping(entries: &[Entry]) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(first) = entries.first() {
        first.local(&mut out);
    }
    finish(out, entries.iter().map(|entry| (entry, 0)))
}

/// Appends the directory and its end record.
fn finish<'a>(mut out: Vec<u8>, entries: impl Iterator<Item = (&'a Entry, u32)>) -> Vec<u8> {
    let start = out.len();
    let mut count = 0_u16;
    for (entry, offset) in entries {
        entry.directory(offset, &mut out);
        count = count.wrapping_add(1);
    }
    let size = out.len() - start;
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend((size as u32).to_le_bytes());
    out.extend((start as u32).to_le_bytes());
    out.extend(0_u16.to_le_bytes());
    out
}

/// A manifest with these main attributes after the version, as in `("Main-Class", "p.Main")`.
pub fn manifest(attributes: &[(&str, &str)]) -> String {
    let mut text = String::from("Manifest-Version: 1.0\r\n");
    for (name, value) in attributes {
        // A line holds 72 bytes at most; the rest goes on in lines that begin with a space.
        let mut line = String::new();
        for c in format!("{name}: {value}").chars() {
            if line.len() + c.len_utf8() > 72 {
                text.push_str(&line);
                text.push_str("\r\n");
                line = String::from(" ");
            }
            line.push(c);
        }
        text.push_str(&line);
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    text
}

/// Entries for every file below a directory, sorted by path, after a manifest if one is given.
pub fn entries_from_dir(dir: &Path, manifest: Option<&str>, method: Method) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::new();
    entries.extend(manifest.map(|text| Entry::new("META-INF/MANIFEST.MF", text.as_bytes(), method)));
    for file in files_below(dir, "")? {
        let contents = fs::read(&file).map_err(Failure::io(format!("read {}", file.display())))?;
        let name = file.strip_prefix(dir).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        entries.push(Entry::new(&name, &contents, method));
    }
    Ok(entries)
}

/// Writes a jar of everything below a directory.
pub fn jar_from_dir(dir: &Path, manifest: Option<&str>, jar: &Path) -> Result<(), Failure> {
    let bytes = zip(&entries_from_dir(dir, manifest, Method::Deflated)?);
    fs::write(jar, bytes).map_err(Failure::io(format!("write {}", jar.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::unique_work_dir;
    use crate::{JavacOptions, RunOptions, compile, run_main};

    #[test]
    fn java_runs_what_we_pack() {
        let Some(jdk) = crate::jdk_or_skip() else { return };
        let text = "package p; public class Main {
            public static void main(String[] args) { System.out.println(new Other()); } }
            class Other { public String toString() { return \"packed\"; } }";
        let classes = compile(&[("p/Main.java", text)], &JavacOptions::default()).unwrap();
        let dir = unique_work_dir().unwrap();
        let jar = dir.join("a.jar");
        jar_from_dir(classes.path(), Some(&manifest(&[("Main-Class", "p.Main")])), &jar).unwrap();
        let run = run_main(&jdk, "p.Main", &RunOptions::with_classpath(&[&jar])).unwrap();
        assert_eq!((run.stdout.trim_end(), run.exit_code), ("packed", Some(0)), "{}", run.stderr);

        let mut command = std::process::Command::new(&jdk.java);
        command.arg("-jar").arg(&jar);
        let run = crate::run_with_timeout(command, std::time::Duration::from_secs(60)).unwrap();
        assert_eq!(run.stdout.trim_end(), "packed", "{}", run.stderr);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn long_attributes_are_folded() {
        let name = "x".repeat(150);
        let text = manifest(&[("Class-Path", &name)]);
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert_eq!(text.replace("\r\n ", ""), format!("Manifest-Version: 1.0\r\nClass-Path: {name}\r\n\r\n"));
    }

    #[test]
    fn a_bomb_is_small_and_its_claims_are_ours() {
        let data = deflated_zeros(50_000_000);
        assert!(data.len() < 60_000, "{}", data.len());
        let bytes = zip(&[Entry::from_deflated("bomb", data, 7)]);
        // The uncompressed size lies at 22 in a local header.
        assert_eq!(bytes[22..26], 7_u32.to_le_bytes());
    }

    #[test]
    fn overlapping_entries_share_one_copy() {
        let entry = |name| Entry::new(name, &[1; 1000], Method::Stored);
        let bytes = zip_overlapping(&[entry("a"), entry("b"), entry("c")]);
        assert!(bytes.len() < 1500);
        assert_eq!(bytes[bytes.len() - 12..bytes.len() - 10], [3, 0]);
    }
}
