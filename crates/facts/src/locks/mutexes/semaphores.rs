//! Semaphores that are mutexes: made with one permit, and only ever released by who has acquired them.
//!
//! The thread that holds the permit of such a semaphore excludes all others. A release that nothing in the same activation (or
//! by a wrapper before) matches may come from another thread, or add a permit: the semaphore is then no mutex.

use selvedge_base::FastSet;
use selvedge_ir::{InvokeKind, Op};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, Site};

use crate::view::View;

/// The semaphores that are made with the constant 1.
pub(crate) fn with_one_permit(view: &View<'_>) -> FastSet<ObjectId> {
    let mut found = FastSet::default();
    for (object, data) in view.analysis.heap.objects() {
        let Site::Instruction { method, inst, depth: 0 } = view.analysis.heap.site_of(data.site) else {
            continue;
        };
        let Some(body) = view.program.body(method) else { continue };
        if !matches!(body.insts[inst].op, Op::New(class) if Kind::Semaphore.has(class.as_bytes())) {
            continue;
        }
        let made = body.insts[inst].result;
        let permits = body.insts.iter_ids().find_map(|(call, data)| match &data.op {
            Op::Invoke(InvokeKind::Special, called) if called.name.is("<init>") => {
                let args = body.args(call);
                (args.first().copied() == made).then(|| args.get(1).copied())?
            }
            _ => None,
        });
        let constant = permits.and_then(|value| body.defining_inst(value)).map(|inst| body.insts[inst].op);
        if constant == Some(Op::Int(1)) {
            found.insert(object);
        }
    }
    found
}
