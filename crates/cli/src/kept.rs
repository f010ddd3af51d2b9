//! Reports of earlier checks, kept in the user's cache.
//!
//! A report is a function of the tool, of what was read and of the options: the key is a hash of the executable's bytes, of the input
//! ([`Input::fingerprint`]), of the arguments, and of the files with model rows. So a check of unchanged input gives the same bytes again,
//! the measured times included. Limits of time and memory make the result depend on the machine: such a check is not kept. Nor is one
//! with assertions, which are held against the program and reported on standard error where they fit nothing.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use selvedge_findings::Report;
use selvedge_report::{Format, Style, read_report, render};
use selvedge_world::Input;

use crate::arguments::CacheArguments;
use crate::cache::{Cache, Kind};
use crate::check::Check;
use crate::output;

/// Larger reports are not believed.
const LARGEST: u64 = 1 << 30;

/// Where the report of one check is kept.
pub struct Place {
    cache: Cache,
    name: String,
    /// Whether the user has named the directory.
    is_named: bool,
}

impl Place {
    /// The place of what `check` gives for this input; `None` if it cannot be kept.
    pub fn of(check: &Check<'_>, arguments: &CacheArguments, input: &Input) -> Option<Self> {
        let analysis = check.analysis;
        let is_of_machine = analysis.max_time.is_some() || analysis.max_memory.is_some();
        if arguments.no_cache || is_of_machine || !check.config.assume.is_empty() {
            return None;
        }
        let cache = arguments.cache.clone().map(Cache::at).or_else(Cache::of_user)?;
        let mut key = blake3::Hasher::new();
        key.update_mmap(std::env::current_exe().ok()?).ok()?;
        key.update(&input.fingerprint());
        for file in &analysis.models {
            key.update(blake3::hash(&std::fs::read(file).ok()?).as_bytes());
        }
        key.update(format!("{:?}{analysis:?}{:?}{}", check.input, check.detection, check.safe).as_bytes());
        Some(Self { cache, name: key.finalize().to_hex().to_string(), is_named: arguments.cache.is_some() })
    }

    /// The report, if it was kept.
    pub fn read(&self) -> Option<Report> {
        let content = self.cache.read(Kind::Report, &self.name)?;
        let (hash, packed) = content.split_at_checked(blake3::OUT_LEN)?;
        if blake3::hash(packed).as_bytes() != hash {
            return None;
        }
        let mut text = String::new();
        DeflateDecoder::new(packed).take(LARGEST).read_to_string(&mut text).ok()?;
        read_report(&text).ok()
    }

    /// Keeps a report. Where that cannot be done, the next check takes its time; whoever named the directory is told.
    pub fn keep(&self, report: &Report) {
        let text = render(report, Format::Json, &Style::default());
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
        let Ok(packed) = packed.write_all(text.as_bytes()).and_then(|()| packed.finish()) else { return };
        let mut content = blake3::hash(&packed).as_bytes().to_vec();
        content.extend(packed);
        if let Err(error) = self.cache.provide(Kind::Report, &self.name, &content)
            && self.is_named
        {
            let why = output::cannot("write", self.cache.directory(), &error);
            output::say(&format!("selvedge: the result is not kept for the next check: {why}\n"));
        }
    }
}
