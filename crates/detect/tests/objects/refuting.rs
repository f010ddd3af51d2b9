//! The analysis as a refuter of pairs, and its findings in a report.

use selvedge_detect::check::{Analyses, Request, check};
use selvedge_detect::{objects, pairs, uses};
use selvedge_findings::{Kind, Report};
use selvedge_models::Models;
use selvedge_pta::context::policy_named;
use selvedge_pta::{Entries, Limits};
use selvedge_world::EntryRequest;

use crate::support::program_or_skip;

fn report(name: &str, analyses: Analyses) -> Option<Report> {
    report_on(EntryRequest::Main(name.to_string()), analyses)
}

fn report_on(request: EntryRequest, analyses: Analyses) -> Option<Report> {
    let program = program_or_skip()?;
    let models = Models::builtin().for_release(17);
    let entries = Entries::of_program(program, &program.entry_points(&request).unwrap());
    let policy = policy_named("adaptive").unwrap();
    let request = Request {
        program,
        models: &models,
        entries: &entries,
        policy: policy.as_ref(),
        limits: Limits::default(),
        pairs: pairs::Options::default(),
        analyses,
        is_last: false,
    };
    Some(check(&request, &mut |_| {}))
}

fn both() -> Analyses {
    Analyses { objects: Some(objects::Options::default()), ..Analyses::default() }
}

#[test]
fn what_a_locked_owner_keeps_inside_does_not_race() {
    let Some(found) = report("OwnerGuardsParts", both()) else { return };
    assert!(found.findings.is_empty(), "{:?}", found.findings);
    let table = found.stats.ownership.unwrap();
    assert_eq!((table.distributed_racy, table.owned_racy), (0, 0));
    assert!(table.owned_race_free > 0);
}

#[test]
fn what_an_owner_hands_out_is_told_with_both_methods() {
    let Some(found) = report("OwnerLeaksParts", both()) else { return };
    let object = found.findings.iter().find(|finding| finding.analysis == "objects").unwrap();
    assert_eq!((object.kind, object.location.class.as_str()), (Kind::Object, "OwnerLeaksParts$Book"));
    let told: Vec<&str> = object.reasons.iter().map(|reason| reason.text.as_str()).collect();
    assert!(told.iter().any(|text| text.contains("no other object owns it")), "{told:?}");
    assert!(found.findings.iter().any(|finding| finding.analysis == "pairs"));
}

#[test]
fn what_is_owned_is_told_with_its_owner() {
    let Some(found) = report("Warehouses", both()) else { return };
    let class = |finding: &&selvedge_findings::Finding| {
        finding.analysis == "objects" && finding.location.class == "Warehouses$Stock"
    };
    let stock = found.findings.iter().find(class).unwrap();
    let told: Vec<&str> = stock.reasons.iter().map(|reason| reason.text.as_str()).collect();
    assert!(told.iter().any(|text| text.contains("it belongs to Warehouses$Warehouse")), "{told:?}");
    assert!(stock.sides.iter().all(|side| !side.path.is_empty()), "{stock:?}");
}

/// The method runs both before the object escapes, called by the factory, and after, called by whoever has got it.
#[test]
fn what_a_library_hands_out_has_escaped() {
    let request = EntryRequest::Library(vec!["HandedOut".to_string()]);
    let analyses = Analyses { uses: Some(uses::Options::default()), ..Analyses::default() };
    let Some(found) = report_on(request, analyses) else { return };
    let told = |analysis: &str| found.findings.iter().any(|finding| finding.analysis == analysis);
    assert!(told("pairs"), "{:?}", found.stats);
    assert!(told("uses"), "{:?}", found.stats.uses);
}

#[test]
fn what_a_view_comes_to_is_not_taken_for_what_one_thread_has_to_itself() {
    let Some(found) = report("ViewOfList", both()) else { return };
    assert!(found.findings.iter().any(|finding| finding.analysis == "pairs"), "{:?}", found.findings);
}
