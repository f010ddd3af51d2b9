//! Inline expectations: the Java corpus says in comments where races are, and reports are held against them.
//!
//! A mark is a line comment that begins with `//~`:
//!
//! ```java
//! count = count + 1;     //~ RACE
//! total = total + 1;     //~ NORACE: guarded by `lock`
//! cached = compute();    //~ RACE spurious: double-checked, the field is volatile
//! seen.add(x);
//! //~^ RACE missed: container accesses are not modelled yet
//! ```
//!
//! A mark refers to its own line, or with carets to as many lines above. `spurious` marks a false alarm that is known
//! to be raised, `missed` a race that is known not to be found: both are asserted, so that an improvement shows up as
//! a test that asks for its mark to be changed.

use crate::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a mark says about its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// `RACE`: there is a race and it must be reported.
    Race,
    /// `NORACE`: there is none and none may be reported.
    NoRace,
    /// `RACE spurious`: there is none, but one is reported for now.
    Spurious,
    /// `RACE missed`: there is a race, but it is not reported for now.
    Missed,
}

impl Expected {
    /// Whether a report must be there for the mark to hold.
    fn wants_report(self) -> bool {
        matches!(self, Expected::Race | Expected::Spurious)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Race => "RACE",
            Expected::NoRace => "NORACE",
            Expected::Spurious => "RACE spurious",
            Expected::Missed => "RACE missed",
        })
    }
}

/// One mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The file as the caller of [`parse_expectations`] named it.
    pub file: String,
    /// The line that the mark refers to, from 1.
    pub line: u32,
    /// What is expected there.
    pub kind: Expected,
    /// The text after the colon, empty if there is none.
    pub note: String,
}

/// Reads the marks of one source. A comment that begins with `//~` but is no mark is an error: a mistyped mark must
/// not pass as a missing one. So are two marks of different kinds on one line.
pub fn parse_expectations(file: &str, source: &str) -> Result<Vec<Expectation>, Failure> {
    let mut found: Vec<Expectation> = Vec::new();
    for (index, text) in source.lines().enumerate() {
        let own_line = index + 1;
        let Some(mark) = mark_in(text) else { continue };
        let at = |message: String| Failure::new(format!("{file}:{own_line}: {message}"));
        let carets = mark.len() - mark.trim_start_matches('^').len();
        let (words, note) = mark[carets..].split_once(':').unwrap_or((&mark[carets..], ""));
        let words: Vec<&str> = words.split_whitespace().collect();
        let kind = match words[..] {
            ["RACE"] => Expected::Race,
            ["NORACE"] => Expected::NoRace,
            ["RACE", "spurious"] => Expected::Spurious,
            ["RACE", "missed"] => Expected::Missed,
            _ => return Err(at(format!("`//~{mark}` is not a mark; {KNOWN_MARKS}"))),
        };
        if carets >= own_line {
            return Err(at(format!("the mark points {carets} lines up, above the file")));
        }
        let line = (own_line - carets) as u32;
        if let Some(other) = found.iter().find(|other| other.line == line && other.kind != kind) {
            return Err(at(format!("line {line} is marked both {} and {kind}", other.kind)));
        }
        found.push(Expectation { file: file.to_owned(), line, kind, note: note.trim().to_owned() });
    }
    Ok(found)
}

const KNOWN_MARKS: &str =
    "known are RACE, NORACE, RACE spurious and RACE missed, with an optional `: note` after them";

/// What follows `//~` in a line, if that stands outside a string or character literal.
fn mark_in(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    let (mut at, mut quote) = (0, None);
    while at < bytes.len() {
        match (bytes[at], quote) {
            (b'\\', Some(_)) => at += 1,
            (byte, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(bytes[at]),
            (b'/', None) if bytes[at..].starts_with(b"//") => {
                // The rest of the line is a comment; `//~` and `//` are ASCII, so this is a character boundary.
                return line[at..].strip_prefix("//~");
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// How reports fare against the truth that the marks tell. Counted in places (lines), not in reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Races that are reported.
    pub found: usize,
    /// Races that are not, whether marked as missed or not.
    pub missed: usize,
    /// Reported places without a race, whether marked as spurious or not marked at all.
    pub false_alarms: usize,
}

impl Tally {
    /// The share of races that are found; 1 if there are none.
    pub fn recall(&self) -> f64 {
        ratio(self.found, self.found + self.missed)
    }

    /// The share of reported places that are races; 1 if nothing is reported.
    pub fn precision(&self) -> f64 {
        ratio(self.found, self.found + self.false_alarms)
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.found += other.found;
        self.missed += other.missed;
        self.false_alarms += other.false_alarms;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { found, missed, false_alarms } = self;
        let (recall, precision) = (100.0 * self.recall(), 100.0 * self.precision());
        write!(f, "{found} found, {missed} missed, {false_alarms} false alarms ")?;
        write!(f, "(recall {recall:.1} %, precision {precision:.1} %)")
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

type Place<'a> = (&'a str, u32);

fn by_place(expectations: &[Expectation]) -> BTreeMap<Place<'_>, Expected> {
    expectations.iter().map(|mark| ((mark.file.as_str(), mark.line), mark.kind)).collect()
}

/// Counts how the reports, as (file, line), fare against the marks.
pub fn tally(reports: &[(&str, u32)], expectations: &[Expectation]) -> Tally {
    let marks = by_place(expectations);
    let reported: BTreeSet<Place<'_>> = reports.iter().copied().collect();
    let mut tally = Tally::default();
    for (place, kind) in &marks {
        match kind {
            Expected::Race | Expected::Missed if reported.contains(place) => tally.found += 1,
            Expected::Race | Expected::Missed => tally.missed += 1,
            Expected::NoRace | Expected::Spurious => {}
        }
    }
    tally.false_alarms = reported.len() - tally.found;
    tally
}

/// Holds the reports, as (file, line) with files named as in the marks, against the marks.
///
/// The error lists, in the order of the places, every report without a mark or against a `NORACE`, every `RACE` that
/// is not reported, every `missed` that is reported now, and every `spurious` that is gone.
pub fn check_expectations(reports: &[(&str, u32)], expectations: &[Expectation]) -> Result<(), String> {
    let marks = by_place(expectations);
    let reported: BTreeSet<Place<'_>> = reports.iter().copied().collect();
    let places: BTreeSet<Place<'_>> = marks.keys().chain(&reported).copied().collect();
    let mut complaints = Vec::new();
    for place in places {
        let (mark, is_reported) = (marks.get(&place).copied(), reported.contains(&place));
        if mark.is_some_and(|kind| kind.wants_report()) == is_reported {
            continue;
        }
        let complaint = match mark {
            None => "a race is reported here, but the line has no mark",
            Some(Expected::Race) => "the race marked here is not reported",
            Some(Expected::NoRace) => "a race is reported here, but the line is marked NORACE",
            Some(Expected::Missed) => "the race marked as missed is reported now: change the mark to RACE",
            Some(Expected::Spurious) => "the spurious report is gone: change the mark to NORACE",
        };
        complaints.push(format!("{}:{}: {complaint}", place.0, place.1));
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
class C {
    void m() {
        a = 1; //~ RACE
        b = 2; //~ NORACE: guarded: by a lock
        c = 3; //~ RACE spurious: published safely
        d = 4;
        //~^ RACE missed
        //~^^^ RACE spurious
        String s = \"//~ RACE\"; char q = '\"'; // a comment, no //~ mark
    }
}
";

    fn marks() -> Vec<Expectation> {
        parse_expectations("C.java", SOURCE).unwrap()
    }

    #[test]
    fn marks_are_read_with_line_kind_and_note() {
        let seen: Vec<_> = marks().into_iter().map(|mark| (mark.line, mark.kind, mark.note)).collect();
        let expected = [
            (3, Expected::Race, ""),
            (4, Expected::NoRace, "guarded: by a lock"),
            (5, Expected::Spurious, "published safely"),
            (6, Expected::Missed, ""),
            (5, Expected::Spurious, ""),
        ];
        assert_eq!(seen, expected.map(|(line, kind, note)| (line, kind, note.to_owned())));
    }

    #[test]
    fn mistakes_in_marks_are_errors() {
        let check = |source: &str, expected: &str| {
            let message = parse_expectations("F.java", source).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        };
        check("x; //~ RAEC", "F.java:1: `//~ RAEC` is not a mark; known are RACE");
        check("x; //~ RACE maybe", "is not a mark");
        check("\n//~^^ RACE", "F.java:2: the mark points 2 lines up, above the file");
        check("x; //~ RACE\n//~^ NORACE", "F.java:2: line 1 is marked both RACE and NORACE");
    }

    #[test]
    fn reports_that_agree_pass() {
        let reports = [("C.java", 3), ("C.java", 5), ("C.java", 3)];
        assert_eq!(check_expectations(&reports, &marks()), Ok(()));
        assert_eq!(tally(&reports, &marks()), Tally { found: 1, missed: 1, false_alarms: 1 });
    }

    #[test]
    fn every_disagreement_is_listed() {
        let reports = [("D.java", 3), ("C.java", 6), ("C.java", 4), ("C.java", 1)];
        let expected = "\
C.java:1: a race is reported here, but the line has no mark
C.java:3: the race marked here is not reported
C.java:4: a race is reported here, but the line is marked NORACE
C.java:5: the spurious report is gone: change the mark to NORACE
C.java:6: the race marked as missed is reported now: change the mark to RACE
D.java:3: a race is reported here, but the line has no mark";
        assert_eq!(check_expectations(&reports, &marks()), Err(expected.to_owned()));
        assert_eq!(tally(&reports, &marks()), Tally { found: 1, missed: 1, false_alarms: 3 });
    }

    #[test]
    fn a_tally_sums_and_prints() {
        let mut sum = Tally { found: 3, missed: 1, false_alarms: 2 };
        sum += Tally { found: 0, missed: 0, false_alarms: 1 };
        assert_eq!(sum.to_string(), "3 found, 1 missed, 3 false alarms (recall 75.0 %, precision 50.0 %)");
        assert_eq!((Tally::default().recall(), Tally::default().precision()), (1.0, 1.0));
    }
}
