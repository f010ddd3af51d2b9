//! `selvedge run --audit PLAN`: a run that watches everything, held against what a plan leaves out.
//!
//! A plan leaves accesses out because proofs say that no pair with them may race. A data race of the run with such an access on one side
//! contradicts a proof: an error of the analysis, not of the program. Accesses are left out by name: method, line, and what is accessed;
//! where one line has several accesses to the same thing (`a[i] = b[i]`), they are listed only if all are left out.
//!
//! Accesses that a plan leaves out because another one always says the same before are not listed: their races are real, and the run
//! by the plan reports them at the other access.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use selvedge_base::FastSet;
use selvedge_facts::Facts;
use selvedge_facts::{AccessId, Place};
use selvedge_findings::{Finding, Frame, Kind, Location, Reason, Report, Side, Verdict, method_name};
use selvedge_protocol::{LeftOut, Plan};

use crate::show::read_text;

/// The accesses that are left out, under the names that a run gives them.
pub fn left_out(facts: &Facts<'_, '_>, safe: &[AccessId]) -> LeftOut {
    let program = facts.view.program;
    let safe: FastSet<AccessId> = safe.iter().copied().collect();
    let (mut left_out, mut kept) = (LeftOut::default(), BTreeSet::new());
    for (id, access) in facts.accesses.all.iter_ids() {
        let method = &program.methods[access.method];
        let Some(body) = program.body(access.method) else { continue };
        let class = program.classes[method.class].name.to_string();
        let name = method_name(&class, &method.name.to_string(), &method.descriptor.to_string());
        let bci = body.insts[access.inst].bci;
        let at = Frame { line: body.line(bci), bytecode_index: Some(bci), ..Frame::default() };
        let what = match access.place {
            Place::Field(field) | Place::Static(field) => program.describe_field(field),
            Place::Element => ELEMENT.to_owned(),
            Place::Container => CONTENT.to_owned(),
        };
        let key = key(&at, &what);
        if safe.contains(&id) {
            left_out.accesses.entry(name).or_default().insert(key);
        } else {
            kept.insert((name, key));
        }
    }
    for (name, key) in kept {
        if let Some(accesses) = left_out.accesses.get_mut(&name) {
            accesses.remove(&key);
        }
    }
    left_out.accesses.retain(|_, accesses| !accesses.is_empty());
    left_out
}

/// The elements of arrays and the contents of containers, as plans call them.
const ELEMENT: &str = "[]";
const CONTENT: &str = "()";

/// The name of an access in its method.
fn key(at: &Frame, what: &str) -> String {
    match (at.line, at.bytecode_index) {
        (Some(line), _) => format!("{line} {what}"),
        (None, index) => format!("@{} {what}", index.unwrap_or(0)),
    }
}

/// The name, in its method, of an access that a report tells of.
pub fn name_of(kind: Kind, location: &Location, at: &Frame) -> String {
    let what = match kind {
        Kind::Field | Kind::Static => location.to_string(),
        Kind::Array => ELEMENT.to_owned(),
        Kind::Container | Kind::Object => CONTENT.to_owned(),
    };
    key(at, &what)
}

/// Adds the refuters of the fields that a report calls safe.
pub fn name_refuters(left_out: &mut LeftOut, report: &Report) {
    for safe in report.safe.iter().flatten().filter(|safe| safe.location.field.is_some()) {
        let refuters = safe.because.iter().map(|because| because.refuter.clone()).collect();
        left_out.refuters.insert(safe.location.to_string(), refuters);
    }
}

/// What a plan leaves out.
pub struct Audit(LeftOut);

impl Audit {
    /// Reads a plan.
    pub fn read(path: &Path) -> Result<Self> {
        let plan = Plan::from_json(&read_text(path)?)
            .with_context(|| format!("{} is not a valid plan", path.display()))?;
        if plan.left_out.is_empty() {
            bail!(
                "{} does not list what it leaves out; write it with selvedge check --plan of this version",
                path.display()
            );
        }
        Ok(Audit(plan.left_out))
    }

    /// The sentences about races of a run that the analysis had excluded; their findings say so, too.
    pub fn judge(&self, report: &mut Report) -> Vec<String> {
        let mut errors = Vec::new();
        for finding in &mut report.findings {
            if finding.verdict < Verdict::HappensBefore {
                continue;
            }
            let Some(error) = self.contradiction(finding) else { continue };
            finding.reasons.push(Reason::evidence(format!("an error of the analysis: {error}")));
            errors.push(error);
        }
        errors
    }

    fn contradiction(&self, finding: &Finding) -> Option<String> {
        let own = (finding.kind, &finding.location, &finding.sides);
        let further = finding.pairs.iter().map(|pair| (pair.kind, &pair.location, &pair.sides));
        std::iter::once(own).chain(further).find_map(|(kind, location, sides)| {
            let left_out = sides.iter().find(|side| self.leaves_out(kind, location, side))?;
            let [first, second] = [&sides[0], &sides[1]].map(|side| side.at.place());
            let refuters = self.0.refuters.get(&location.to_string());
            let proof = match refuters {
                Some(refuters) => format!("by {}", refuters.iter().cloned().collect::<Vec<_>>().join(", ")),
                None => "by a proof".to_owned(),
            };
            Some(format!(
                "{location} raced in this run ({first} and {second}), but the plan leaves out the access at {} as safe {proof}",
                left_out.at.place()
            ))
        })
    }

    fn leaves_out(&self, kind: Kind, location: &Location, side: &Side) -> bool {
        let name = name_of(kind, location, &side.at);
        self.0.accesses.get(&side.at.method).is_some_and(|accesses| accesses.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use selvedge_findings::Action;

    use super::*;

    fn race(line: u32) -> Report {
        let side = |line: u32| Side::new(Action::Write, Frame::new("p.C.m(int)").at("C.java", line));
        let finding =
            Finding::new("run", Kind::Field, Location::field("p.C", "f")).sides(side(line), side(30));
        Report { findings: vec![finding.known_by(Verdict::HappensBefore)], ..Report::default() }
    }

    #[test]
    fn a_race_of_what_is_left_out_is_an_error_of_the_analysis() {
        let mut plan = LeftOut::default();
        plan.accesses.entry("p.C.m(int)".to_owned()).or_default().insert("12 p.C.f".to_owned());
        let mut report = race(12);
        let unnamed = Audit(plan.clone()).judge(&mut report);
        assert_eq!(
            unnamed,
            [
                "p.C.f raced in this run (C.java:12 and C.java:30), but the plan leaves out the access at C.java:12 as safe by a proof"
            ]
        );
        assert!(
            report.findings[0].reasons.iter().any(|reason| reason.text.contains("an error of the analysis"))
        );
        plan.refuters.insert("p.C.f".to_owned(), BTreeSet::from(["common-lock".to_owned()]));
        assert!(Audit(plan.clone()).judge(&mut race(12))[0].ends_with("as safe by common-lock"));
        assert!(Audit(plan).judge(&mut race(13)).is_empty());
    }
}
