//! How a finding is written and read: every path once.
//!
//! The pairs of a finding are made of few accesses, and there are about as many pairs as the square of these. So a side of a further
//! pair is written without its `path` if an earlier side of the same finding has the same action, place, thread, locks and path. A
//! reader finds the path at the first side with the same action, place, thread and locks. Nothing is lost by that: what is
//! read is what was written, up to [`MOST_PAIRS`] further pairs of a finding; of the rest the number is.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::call_paths::CallPaths;
use crate::confirmation::Confirmation;
use crate::finding::{Action, Confidence, Finding, Kind, Pair, Reason, Side, Verdict};
use crate::place::{Frame, Location, Lock, ObjectInfo, ThreadInfo};
use crate::surroundings::Surroundings;

/// How many further pairs of a finding are written; the rest is counted.
const MOST_PAIRS: usize = 200;

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding as it is written; the keys are those of [`Finding`], in the same order.
#[derive(Serialize)]
struct Written<'a> {
    key: &'a str,
    analysis: &'a str,
    kind: Kind,
    location: &'a Location,
    object: &'a Option<ObjectInfo>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    objects: &'a [ObjectInfo],
    sides: &'a [Side; 2],
    verdict: Verdict,
    confidence: Confidence,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation: &'a Option<Confirmation>,
    reasons: &'a [Reason],
    rank: u8,
    advice: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<WrittenPair<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    unlisted_pairs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    surroundings: &'a Option<Surroundings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_paths: &'a Option<CallPaths>,
}

#[derive(Serialize)]
struct WrittenPair<'a> {
    key: &'a str,
    kind: Kind,
    location: &'a Location,
    object: &'a Option<ObjectInfo>,
    sides: [WrittenSide<'a>; 2],
}

#[derive(Serialize)]
struct WrittenSide<'a> {
    action: Action,
    #[serde(flatten)]
    at: &'a Frame,
    thread: &'a ThreadInfo,
    locks: &'a [Lock],
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a [Frame]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<&'a str>,
}

/// All that tells sides apart but the path.
type Access<'a> = (Action, &'a Frame, &'a ThreadInfo, &'a [Lock], Option<&'a str>);

fn access(side: &Side) -> Access<'_> {
    (side.action, &side.at, &side.thread, &side.locks, side.called.as_deref())
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut paths: FxHashMap<Access<'_>, &[Frame]> = FxHashMap::default();
        for side in &self.sides {
            paths.entry(access(side)).or_insert(&side.path);
        }
        let mut pairs = Vec::new();
        for pair in self.pairs.iter().take(MOST_PAIRS) {
            let sides = pair.sides.each_ref().map(|side| {
                let is_told = match paths.get(&access(side)) {
                    Some(known) => *known == side.path,
                    None => {
                        paths.insert(access(side), &side.path);
                        false
                    }
                };
                WrittenSide {
                    action: side.action,
                    at: &side.at,
                    thread: &side.thread,
                    locks: &side.locks,
                    path: (!is_told).then_some(&side.path),
                    called: side.called.as_deref(),
                }
            });
            let Pair { key, kind, location, object, .. } = pair;
            pairs.push(WrittenPair { key, kind: *kind, location, object, sides });
        }
        let written = Written {
            key: &self.key,
            analysis: &self.analysis,
            kind: self.kind,
            location: &self.location,
            object: &self.object,
            objects: &self.objects,
            sides: &self.sides,
            verdict: self.verdict,
            confidence: self.confidence,
            confirmation: &self.confirmation,
            reasons: &self.reasons,
            rank: self.rank,
            advice: &self.advice,
            unlisted_pairs: self.unlisted + self.pairs.len() - pairs.len(),
            pairs,
            surroundings: &self.surroundings,
            call_paths: &self.call_paths,
        };
        written.serialize(serializer)
    }
}

/// A finding as it is read.
#[derive(Deserialize)]
pub(crate) struct Read {
    key: String,
    analysis: String,
    kind: Kind,
    location: Location,
    object: Option<ObjectInfo>,
    #[serde(default)]
    objects: Vec<ObjectInfo>,
    sides: [Side; 2],
    verdict: Verdict,
    confidence: Confidence,
    #[serde(default)]
    confirmation: Option<Confirmation>,
    reasons: Vec<Reason>,
    rank: u8,
    advice: String,
    #[serde(default)]
    pairs: Vec<ReadPair>,
    #[serde(default)]
    unlisted_pairs: usize,
    #[serde(default)]
    surroundings: Option<Surroundings>,
    #[serde(default)]
    call_paths: Option<CallPaths>,
}

#[derive(Deserialize)]
struct ReadPair {
    key: String,
    kind: Kind,
    location: Location,
    object: Option<ObjectInfo>,
    sides: [ReadSide; 2],
}

#[derive(Deserialize)]
struct ReadSide {
    action: Action,
    #[serde(flatten)]
    at: Frame,
    thread: ThreadInfo,
    locks: Vec<Lock>,
    #[serde(default)]
    path: Option<Vec<Frame>>,
    #[serde(default)]
    called: Option<String>,
}

impl From<Read> for Finding {
    fn from(read: Read) -> Self {
        let mut told: Vec<[(Side, bool); 2]> = Vec::with_capacity(read.pairs.len());
        let mut pairs = Vec::with_capacity(read.pairs.len());
        for ReadPair { key, kind, location, object, sides } in read.pairs {
            told.push(sides.map(|ReadSide { action, at, thread, locks, path, called }| {
                let is_told = path.is_some();
                (Side { action, at, thread, locks, path: path.unwrap_or_default(), called }, is_told)
            }));
            pairs.push(Pair { key, kind, location, object, sides: Default::default() });
        }
        let mut paths: FxHashMap<Access<'_>, &[Frame]> = FxHashMap::default();
        let own = read.sides.iter();
        let further = told.iter().flatten().filter(|(_, is_told)| *is_told).map(|(side, _)| side);
        for side in own.chain(further) {
            paths.entry(access(side)).or_insert(&side.path);
        }
        let missing: Vec<[Option<Vec<Frame>>; 2]> = told
            .iter()
            .map(|sides| {
                sides.each_ref().map(|(side, is_told)| match is_told {
                    true => None,
                    false => paths.get(&access(side)).map(|path| path.to_vec()),
                })
            })
            .collect();
        for ((pair, sides), missing) in pairs.iter_mut().zip(told).zip(missing) {
            let [first, second] = missing;
            pair.sides = sides.map(|(side, _)| side);
            for (side, path) in pair.sides.iter_mut().zip([first, second]) {
                side.path = path.unwrap_or_else(|| std::mem::take(&mut side.path));
            }
        }
        Self {
            key: read.key,
            analysis: read.analysis,
            kind: read.kind,
            location: read.location,
            object: read.object,
            objects: read.objects,
            sides: read.sides,
            verdict: read.verdict,
            confidence: read.confidence,
            confirmation: read.confirmation,
            reasons: read.reasons,
            rank: read.rank,
            advice: read.advice,
            pairs,
            unlisted: read.unlisted_pairs,
            surroundings: read.surroundings,
            call_paths: read.call_paths,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(line: u32, way: &str) -> Side {
        let at = Frame::new("p.C.m()").at("C.java", line);
        Side::new(Action::Write, at.clone()).through(vec![Frame::new(way), at])
    }

    #[test]
    fn a_path_is_written_once_and_read_everywhere() {
        let pair = |sides| Pair { key: "k".to_owned(), sides, ..Pair::default() };
        let finding = Finding {
            sides: [side(1, "a"), side(2, "a")],
            pairs: vec![
                pair([side(1, "a"), side(3, "b")]),
                pair([side(3, "b"), side(3, "c")]),
                pair([side(3, "c"), side(2, "a")]),
                pair([side(4, "d").through(Vec::new()), side(4, "d")]),
            ],
            ..Finding::default()
        };
        let text = serde_json::to_string(&finding).unwrap();
        assert_eq!(serde_json::from_str::<Finding>(&text).unwrap(), finding);
        let written = |way: &str| text.matches(&format!("\"method\":\"{way}\"")).count();
        // Of two paths to one access the first stands for it.
        assert_eq!(["a", "b", "c", "d"].map(written), [2, 1, 2, 1]);
    }
}
