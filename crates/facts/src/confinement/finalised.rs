//! Finalisers own what they finalise.
//!
//! The JVM calls `finalize` when nobody can reach the object any more, so what the finaliser's thread does to that very object
//! comes last. (A heuristic: JLS 12.6.1 lets an object be finalised while a method on it still runs, if that method will not use it
//! again.) What a finaliser does to static fields and to other objects races like anything else.

use selvedge_base::Symbol;
use selvedge_models::Kind;

use crate::describe;
use crate::refutation::{Candidate, Refutation};
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// The name of the refuter.
pub const BY: &str = "finalised";

/// Whether one side is in the thread of finalisers and the object one with a finaliser.
pub fn refute<'a>(view: &'a View<'_>, threads: &Threads, candidate: &Candidate) -> Option<Refutation<'a>> {
    let object = candidate.object?;
    candidate.sides.iter().find(|side| runs_finalizers(view, threads, side.thread))?;
    let procedure = view.analysis.implementation(object, Symbol::from("finalize"), Symbol::from("()V"))?;
    let method = view.analysis.procedures.method(procedure)?;
    let sentence =
        move || format!("{} is finalised when no thread can reach it", describe::object(view, object));
    view.is_application(method).then(|| Refutation::heuristic(BY, sentence))
}

/// Whether a thread is the one that the JVM runs finalisers in.
fn runs_finalizers(view: &View<'_>, threads: &Threads, thread: ThreadId) -> bool {
    let Origin::Spawn { instance, .. } = threads.all[thread].origin else { return false };
    view.method_of(instance).is_some_and(|method| {
        let class = view.program.methods[method].class;
        Kind::Finalizer.has(view.program.classes[class].name.as_bytes())
    })
}
