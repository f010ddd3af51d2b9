//! How methods come by their receivers: which calls enter a method on an object that other threads may know.
//!
//! A constructor calls a method on an object that is not published, others call it on one that is. Where both do,
//! nothing is said of the method as a whole, but of each way into it ([`locks`](crate::locks) tells what is held on those by
//! which others may know the receiver).

use selvedge_ir::{Inst, InvokeKind, Op, Value};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::leaks::root_of;
use super::{Publication, PublicationQuestion};
use crate::limits;
use crate::refutation::Occurrence;
use crate::threads::{ThreadId, Threads};
use crate::view::View;

/// How an instance may be entered on a receiver that other threads may know.
pub(crate) enum Way {
    /// A call of this instance passes its own receiver, which it has leaked on no way to the call: others know it if they knew it
    /// when the caller was entered.
    Receiver(InstanceId, Inst),
    /// By a call of this instance, whatever it passes.
    Known(InstanceId, Option<Inst>),
}

impl Publication {
    /// The ways by which a thread may enter an instance on a receiver of a kind that other threads may know; `None` if it may start
    /// there.
    pub(crate) fn ways_in(
        &self,
        view: &View<'_>,
        threads: &Threads,
        instance: InstanceId,
        (object, thread): (ObjectId, ThreadId),
    ) -> Option<Vec<Way>> {
        let query = PublicationQuestion { facts: self, view, threads, object };
        if query.is_entry(instance, thread) && !query.is_creation(instance, thread) {
            return None;
        }
        let way_of = |&(caller, call): &(InstanceId, Option<Inst>)| {
            if query.is_creation_without_code(call, instance)
                || !threads.may_execute(caller).contains(&thread)
                || query.is_fresh_at_call(caller, call, 0, limits::PARAMETER_CALLS).contains(thread)
            {
                return None;
            }
            let own = call.filter(|&call| {
                let receiver = view.body(caller).and_then(|body| body.args(call).first());
                receiver.is_some_and(|&receiver| query.passes_own_receiver(caller, call, receiver))
            });
            Some(own.map_or(Way::Known(caller, call), |call| Way::Receiver(caller, call)))
        };
        Some(self.callers_of(instance).iter().filter_map(way_of).collect())
    }

    /// Whether a value is the receiver of the method in which a side uses it, and leaked on no way to the instruction.
    pub(crate) fn is_own_receiver(
        &self,
        view: &View<'_>,
        threads: &Threads,
        (side, object): (&Occurrence, ObjectId),
        inst: Inst,
        value: Value,
    ) -> bool {
        let query = PublicationQuestion { facts: self, view, threads, object };
        query.is_own_receiver(side.instance, inst, value)
    }
}

impl PublicationQuestion<'_, '_> {
    /// Whether a value is the receiver of its method, and leaked on no way to an instruction.
    fn is_own_receiver(&self, instance: InstanceId, inst: Inst, value: Value) -> bool {
        let Some(method) = self.view.method_of(instance) else { return false };
        let (Some(body), Some(shape)) = (self.view.program.body(method), self.view.shape(method)) else {
            return false;
        };
        let root = root_of(body, value);
        !self.view.program.methods[method].is_static()
            && body.parameters.first() == Some(&root)
            && self.facts.unleaked.get_or_insert((instance, inst, root, Some(None)), || {
                self.no_leak_before(instance, (body, shape), inst, &[root], None)
            })
    }

    /// Whether a call passes the caller's own receiver on as the receiver, and as nothing else, and it was leaked on no way to the call.
    fn passes_own_receiver(&self, caller: InstanceId, call: Inst, receiver: Value) -> bool {
        let is_plain = self.view.body(caller).is_some_and(|body| {
            let is_call = matches!(&body.insts[call].op, Op::Invoke(kind, _) if *kind != InvokeKind::Static);
            let same = |&&other: &&Value| root_of(body, other) == root_of(body, receiver);
            is_call && body.args(call).iter().filter(same).count() == 1
        });
        is_plain && self.is_own_receiver(caller, call, receiver)
    }
}
