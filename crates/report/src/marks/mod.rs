//! `@SuppressWarnings("selvedge")` in sources. The annotation is not kept in class files (its retention is `SOURCE`), so it is
//! looked for in the program's sources, where they are given.
//!
//! A pair of accesses is suppressed by the annotation on the raced field, or one that holds the raced object; on the class that
//! declares it or one around that; and on the method, class or statement in which one of the accesses stands.
//!
//! The sources are scanned, not parsed: words, braces and the declarations that they make ([`scan`]). What the scan does not
//! understand suppresses nothing.

mod scan;
mod words;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use selvedge_findings::{Finding, Frame, PairRef, package_of};

use crate::sources::{Found, Sources};
use scan::{Marks, marks_of};

/// The suppressions in the sources of a program.
pub struct SourceMarks<'s> {
    sources: &'s Sources,
    /// What was scanned already, by path.
    known: RefCell<BTreeMap<String, Rc<Marks>>>,
}

impl<'s> SourceMarks<'s> {
    /// Looks into these sources.
    pub fn new(sources: &'s Sources) -> Self {
        Self { sources, known: RefCell::default() }
    }

    /// Where all pairs of a finding are suppressed, if they are: the place of the first annotation.
    pub fn suppress(&self, finding: &Finding) -> Option<String> {
        if self.sources.is_empty() {
            return None;
        }
        let mut first = None;
        for pair in finding.all_pairs() {
            let place = self.suppress_pair(&pair)?;
            first.get_or_insert(place);
        }
        first.map(|place| format!("@SuppressWarnings(\"selvedge\") at {place}"))
    }

    fn suppress_pair(&self, pair: &PairRef<'_>) -> Option<String> {
        let by_access = pair.sides.iter().find_map(|side| {
            let (found, marks) = self.marks(&side.at)?;
            Some(place(&found, marks.at_line(side.at.line?)?))
        });
        by_access.or_else(|| {
            let members = pair.fields();
            members.iter().find_map(|member| {
                let (class, field) = member.rsplit_once('.')?;
                self.declaration(class, Some(field))
            })
        })
    }

    /// The annotation of a field or of its class.
    fn declaration(&self, class: &str, field: Option<&str>) -> Option<String> {
        let package = package_of(class);
        let nested = class.strip_prefix(package)?.trim_start_matches('.');
        let outermost = nested.split('$').next()?;
        let frame = Frame { file: Some(format!("{outermost}.java")), ..Frame::new(format!("{class}.x()")) };
        let (found, marks) = self.marks(&frame)?;
        Some(place(&found, marks.of_declaration(nested, field)?))
    }

    fn marks(&self, frame: &Frame) -> Option<(Found, Rc<Marks>)> {
        let found = self.sources.find(frame)?;
        let mut known = self.known.borrow_mut();
        let marks = known.entry(found.path.clone()).or_insert_with(|| Rc::new(marks_of(&found.lines)));
        let marks = Rc::clone(marks);
        Some((found, marks))
    }
}

fn place(found: &Found, line: u32) -> String {
    format!("{}:{line}", found.path)
}
