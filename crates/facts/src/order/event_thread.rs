//! The event thread of a user interface: all listeners, painting and what is posted to it run there, one after the other.
//!
//! Toolkits start this thread themselves, again after an error, so the call graph sees a thread that may be started any number of times.
//! There is one at a time. What `main` does to the objects of an interface is nearly always done before the interface is shown, which no
//! code says in a form that can be followed: such pairs are doubted, and stay findings.
//!
//! Heuristics: a program may have several event queues, and `main` may go on after it has shown a window.

use selvedge_ir::ClassName;
use selvedge_models::Kind;
use selvedge_pta::heap::ObjectId;

use crate::bundle::Facts;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::threads::Origin;
use crate::view::View;

/// The name of the refuter.
pub const BY: &str = "event-thread";

/// Whether both sides run in the event thread.
pub fn refute<'a>(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
    candidate.sides.iter().all(|side| is_in_event_thread(facts, side)).then(|| {
        Refutation::heuristic(BY, || {
            "both sides run in the event thread of the user interface, one after the other".to_string()
        })
    })
}

/// Why a pair is doubted of which one side is `main` and the other the event thread.
pub fn doubt(facts: &Facts<'_, '_>, candidate: &Candidate) -> Option<String> {
    let is_main = |side: &Occurrence| matches!(facts.threads.all[side.thread].origin, Origin::Main(_));
    let [first, second] = &candidate.sides;
    let meets = (is_main(first) && is_in_event_thread(facts, second))
        || (is_main(second) && is_in_event_thread(facts, first));
    meets.then(|| "main usually sets up the user interface before the event thread shows it".to_string())
}

/// Whether a side runs in the event thread.
pub fn is_in_event_thread(facts: &Facts<'_, '_>, side: &Occurrence) -> bool {
    let thread = &facts.threads.all[side.thread];
    matches!(thread.origin, Origin::Spawn { .. })
        && !thread.objects.is_empty()
        && thread.objects.iter().all(|&object| is_event_thread(facts.view, object))
}

/// Whether an object is an event thread.
pub(crate) fn is_event_thread(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    let ty = heap.get(object).ty;
    Kind::EventThread.classes().any(|name| heap.types.is_instance(ty, ClassName::new(name)))
}
