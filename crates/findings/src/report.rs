//! The report: everything that one run of the tool has to say.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::coverage::Coverage;
use crate::finding::{Confidence, Finding, Side, Verdict};
use crate::fingerprint::assign_keys;
use crate::place::Location;
use crate::stats::Stats;
use crate::suppress::Suppressed;
use crate::views::Views;

/// The value of [`Report::schema`]: the name of the JSON form and its major version.
pub const SCHEMA: &str = "selvedge/1";

/// What one run of the tool has to say. The order of the fields is that of the JSON's keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The tool that made it.
    pub tool: Tool,
    /// What was analysed.
    pub input: Input,
    /// That the command was stopped before it was done: then what is missing here is not safe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
    /// What was found; after [`Report::finish`] by confidence, the first of each class before the others of the same class, then by
    /// rank, location and key.
    pub findings: Vec<Finding>,
    /// The findings by field and by object; set by [`Report::finish`].
    pub views: Views,
    /// Locations that could have raced and why they do not, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<Vec<Safe>>,
    /// The pairs of accesses that were not examined because a limit was reached, by location. They are never counted as safe.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexamined: Vec<Unexamined>,
    /// The findings that are not reported, and why; counted in [`Stats::suppressed`] even where they are not listed here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
    /// How much of the application was analysed; `None` where it is not known, as for runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// Counts and times.
    pub stats: Stats,
    /// What the result rests on, as sentences.
    pub assumptions: Vec<String>,
    /// What was wrong with the input.
    pub problems: Vec<Problem>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            tool: Tool::default(),
            input: Input::default(),
            partial: None,
            findings: Vec::new(),
            views: Views::default(),
            safe: None,
            unexamined: Vec::new(),
            suppressed: Vec::new(),
            coverage: None,
            stats: Stats::default(),
            assumptions: Vec::new(),
            problems: Vec::new(),
        }
    }
}

impl Report {
    /// Ends every path with its access, gives every finding its key, sorts the findings and computes the views. To be called once all findings are in;
    /// calling it again changes nothing.
    pub fn finish(&mut self) {
        for finding in &mut self.findings {
            let further = finding.pairs.iter_mut().flat_map(|pair| &mut pair.sides);
            finding.sides.iter_mut().chain(further).for_each(Side::complete_path);
        }
        assign_keys(&mut self.findings);
        order(&mut self.findings);
        if let Some(safe) = &mut self.safe {
            safe.sort_by(|a, b| a.location.cmp(&b.location));
        }
        self.views = Views::of(&self.findings);
    }

    /// Takes out the findings for which `reason_for` gives a reason, lists them in [`Report::suppressed`] and counts them in
    /// [`Stats::suppressed`], under what suppresses them. Keys stay as they are. Returns how many they are.
    pub fn suppress(&mut self, by: &str, mut reason_for: impl FnMut(&Finding) -> Option<String>) -> usize {
        let mut count = 0;
        for finding in std::mem::take(&mut self.findings) {
            match reason_for(&finding) {
                None => self.findings.push(finding),
                Some(reason) => {
                    count += 1;
                    self.suppressed.push(Suppressed { by: by.to_owned(), reason, finding });
                }
            }
        }
        if count > 0 {
            *self.stats.suppressed.entry(by.to_owned()).or_default() += count as u64;
            self.views = Views::of(&self.findings);
        }
        count
    }

    /// The finding with this key, its own or one of its further pairs'. A prefix of a key is enough if only one finding
    /// fits.
    pub fn find(&self, key: &str) -> Option<&Finding> {
        let exact = self.findings.iter().find(|finding| finding.keys().any(|own| own == key));
        exact.or_else(|| {
            let mut fitting =
                self.findings.iter().filter(|finding| finding.keys().any(|own| own.starts_with(key)));
            fitting.next().filter(|_| !key.is_empty() && fitting.next().is_none())
        })
    }

    /// How many findings have each confidence, the surest first; those with none are left out.
    pub fn count_by_confidence(&self) -> Vec<(Confidence, usize)> {
        let count = |confidence| self.findings.iter().filter(|f| f.confidence == confidence).count();
        Confidence::ALL.into_iter().map(|it| (it, count(it))).filter(|(_, count)| *count > 0).collect()
    }
}

/// Puts findings in the order in which they are worth reading: what happened first, then by confidence, then by rank; of the findings of a class that have the same
/// confidence all but the first come after the firsts of the other classes.
fn order(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |it: &Finding| (it.verdict != Verdict::Confirmed, Reverse(it.confidence), Reverse(it.rank));
        (key(a), &a.location, &a.key).cmp(&(key(b), &b.location, &b.key))
    });
    let mut seen: BTreeSet<(Confidence, String)> = BTreeSet::new();
    let is_later: BTreeMap<String, bool> = findings
        .iter()
        .map(|it| (it.key.clone(), !seen.insert((it.confidence, it.location.owner().to_owned()))))
        .collect();
    findings.sort_by_key(|it| {
        (it.verdict != Verdict::Confirmed, Reverse(it.confidence), is_later.get(&it.key).copied())
    });
}

/// The tool that made a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its version.
    pub version: String,
}

impl Default for Tool {
    fn default() -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// What was analysed, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    /// The paths as they were given.
    pub paths: Vec<String>,
    /// Libraries as they were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classpath: Vec<String>,
    /// The JDK that was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jdk: Option<String>,
    /// The main class of a closed program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// For a library: the classes whose public methods any thread may call; empty for all public ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<Vec<String>>,
    /// Where sources were found, as it was given: a report that is shown again finds them there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The analyses that were made.
    pub analyses: Vec<String>,
    /// Options that differ from the default, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// That a command was stopped, and how far it had come.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Partial {
    /// What stopped it: `the time limit of 60 s`, `a signal`.
    pub because: String,
    /// The phase in which it was stopped.
    pub phase: String,
    /// How many locations were judged.
    pub judged: u64,
    /// How many there are; zero if it is not known.
    pub of: u64,
}

/// A location that no pair races for, and why.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Safe {
    /// The location.
    pub location: Location,
    /// Who refuted its pairs.
    pub because: Vec<Because>,
}

/// Pairs of accesses to a location that were not examined, because a limit was reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Unexamined {
    /// The location.
    pub location: Location,
    /// How many pairs; on other objects of the location they may have been examined.
    pub pairs: u64,
    /// Which limit was reached.
    pub limit: String,
}

/// One refuter's part in a location's safety.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Because {
    /// The refuter's name.
    pub refuter: String,
    /// Whether it proves or supposes.
    pub strength: Strength,
    /// How many pairs it refuted.
    pub count: u64,
    /// Some of them, as sentences with lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// How far a refutation can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Right nearly always, and not proved.
    #[default]
    Heuristic,
    /// Right under the listed assumptions.
    Proof,
}

/// Something that is wrong with the input, or that stopped part of the work.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Problem {
    /// What sort of problem it is, one word or two: `unreadable`, `missing-class`.
    pub kind: String,
    /// Where: a file, an entry of an archive, a class, a method.
    pub place: String,
    /// What is the matter, as a sentence without the place and without a full stop.
    pub message: String,
}
