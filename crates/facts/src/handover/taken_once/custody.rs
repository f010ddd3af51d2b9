//! Whether a thread has custody of the object that a value is, at an instruction.
//!
//! **Theorem.** If [`Custody::has`] holds of a value at an instruction of an instance, then whenever the thread executes the instruction
//! and the value is an object of the kind, the thread has made the object, taken it out of a channel or begun to run it as its task, and has not
//! given it away since. A value has custody at an instruction if no instruction that may give such an object away lies on a way from
//! the value's definition to the instruction (without passing the definition again), and it is
//!
//! - a new object, or what a call has taken out of a channel;
//! - the result of a call of the application's own code, all of whose returns return a value of which they have custody;
//! - a choice between values, each of which has custody at the end of the block that it comes from;
//! - the task of the thread, in the code that the thread begins with; or
//! - a parameter, if every call in the thread that may pass such an object is one of the application's own code, and has custody of it.
//!
//! By induction over the run: the reference came to the value by one of these ways, and on no way was a give. It does not matter
//! which value was given away: any give of the kind ends custody.

use selvedge_ir::{Body, Inst, Op, Value, ValueDef};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::{Itinerary, takes_from};
use crate::bundle::Facts;
use crate::handover::fresh::is_allocation;
use crate::limits;
use crate::publication::root_of;
use crate::threads::ThreadId;
use crate::ways::may_reach;

/// See the [module documentation](self).
pub(super) struct Custody<'a, 'g, 'v> {
    facts: &'a Facts<'g, 'v>,
    itinerary: &'a Itinerary,
    object: ObjectId,
    thread: ThreadId,
    /// What is being asked, or was answered with yes: a reference has come a finite way, so that going in circles tells nothing.
    asked: Vec<(InstanceId, Inst, Value)>,
}

impl<'a, 'g, 'v> Custody<'a, 'g, 'v> {
    pub(super) fn new(
        facts: &'a Facts<'g, 'v>,
        itinerary: &'a Itinerary,
        object: ObjectId,
        thread: ThreadId,
    ) -> Self {
        Self { facts, itinerary, object, thread, asked: Vec::new() }
    }

    /// See the [module documentation](self).
    pub(super) fn has(&mut self, instance: InstanceId, inst: Inst, value: Value) -> bool {
        self.has_within(instance, inst, value, limits::CUSTODY_CALLS)
    }

    fn has_within(&mut self, instance: InstanceId, inst: Inst, value: Value, depth: usize) -> bool {
        let view = self.facts.view;
        if !view.analysis.points_to(instance, value).contains(self.object) {
            return true;
        }
        let Some(body) = view.body(instance).filter(|_| depth > 0) else { return false };
        let root = root_of(body, value);
        if self.asked.contains(&(instance, inst, root)) {
            return true;
        }
        self.asked.push((instance, inst, root));
        let made = body.defining_inst(root);
        if self.may_be_given(instance, body, made, inst) {
            return false;
        }
        let Some(made) = made else {
            let ValueDef::Parameter(position) = body.values[root].def else { return false };
            return self.is_passed(instance, position as usize, depth);
        };
        match &body.insts[made].op {
            op if is_allocation(op) => true,
            Op::Phi => {
                let edges = body.blocks[self.block_of(instance, made)].predecessors.iter();
                edges.zip(body.args(made)).all(|(edge, &from)| {
                    self.has_within(instance, body.terminator(edge.from), from, depth - 1)
                })
            }
            Op::Invoke(..) if takes_from(view, instance, made).is_some() => true,
            Op::Invoke(..) if self.itinerary.takes.contains(&(instance, made)) => true,
            Op::Invoke(..) => {
                let callees = view.callees(instance, made);
                !callees.is_empty() && callees.iter().all(|&callee| self.returns(instance, callee, depth))
            }
            _ => false,
        }
    }

    fn block_of(&self, instance: InstanceId, inst: Inst) -> selvedge_ir::Block {
        let method = self.facts.view.method_of(instance);
        method.and_then(|method| self.facts.view.block_of(method, inst)).unwrap_or(Body::ENTRY)
    }

    /// Whether such an object may be given away between a definition, or the beginning, and an instruction.
    fn may_be_given(&self, instance: InstanceId, body: &Body, from: Option<Inst>, to: Inst) -> bool {
        let view = self.facts.view;
        if !self.itinerary.giving.contains(instance) {
            return false;
        }
        let Some(shape) = view.method_of(instance).and_then(|method| view.shape(method)) else { return true };
        let gives = |inst: Inst| {
            let by_callee = |&callee: &InstanceId| {
                self.itinerary.giving.contains(callee) && self.facts.threads.is_call(view, instance, callee)
            };
            self.itinerary.gives.iter().any(|&(at, give, _)| (at, give) == (instance, inst))
                || view.callees(instance, inst).iter().any(by_callee)
        };
        body.insts.ids().any(|inst| {
            let is_call = matches!(body.insts[inst].op, Op::Invoke(..) | Op::InvokeDynamic(_));
            is_call && Some(inst) != from && gives(inst) && may_reach(body, shape, inst, to, from)
        })
    }

    fn is_passed(&mut self, instance: InstanceId, position: usize, depth: usize) -> bool {
        let Facts { view, threads, publication, .. } = self.facts;
        let is_entry = threads.all[self.thread].entries.contains(&instance);
        if is_entry && (position != 0 || !self.itinerary.runners.contains(&self.thread)) {
            return false;
        }
        let by_thread =
            |&&(caller, _): &&(InstanceId, Option<Inst>)| threads.may_execute(caller).contains(&self.thread);
        let callers: Vec<_> = publication.callers_of(instance).iter().filter(by_thread).copied().collect();
        (is_entry || !callers.is_empty())
            && callers.into_iter().all(|(caller, call)| {
                let Some((body, call)) = view.body(caller).zip(call) else { return false };
                let argument = body.args(call).get(position).copied();
                let takes_arguments = matches!(body.insts[call].op, Op::Invoke(..));
                let argument = argument.filter(|_| takes_arguments && view.is_application_instance(caller));
                argument.is_some_and(|value| self.has_within(caller, call, value, depth - 1))
            })
    }

    fn returns(&mut self, caller: InstanceId, callee: InstanceId, depth: usize) -> bool {
        let Facts { view, threads, .. } = self.facts;
        let is_own = view.is_application_instance(callee) && threads.is_call(view, caller, callee);
        let Some(body) = view.body(callee).filter(|_| is_own) else { return false };
        let returned = body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Return));
        let returned: Vec<(Inst, Value)> =
            returned.filter_map(|(inst, _)| Some((inst, *body.args(inst).first()?))).collect();
        returned.into_iter().all(|(inst, value)| self.has_within(callee, inst, value, depth - 1))
    }
}
