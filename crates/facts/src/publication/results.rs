//! Calls whose result is new: what factories, copies and parsers return to their callers.
//!
//! `Hashtable.clone` writes to what `cloneHashtable` returns, which has made the copy and not published it.
//!
//! **Theorem.** If an instance *returns new* objects of a kind, each activation of it that returns an object of this kind has made it, itself or by
//! what it has called, and when it returns, nobody but its caller gets to know the object. An instance returns new objects of a kind if at each of
//! its returns, whatever of the kind may be returned there is
//!
//! - an allocation or a copy of the same activation, or the result of a call each of whose callees returns new objects of the kind, or chosen among
//!   such and null; and
//! - no use of it that may leak it lies on a way to the return (see the file `leaks.rs`).
//!
//! By induction over the depth of calls of a run: methods that call each other, as recursive parsers do, do no harm, since an activation rests on
//! what was called by it and has returned. Code without instructions (models) returns new objects if it makes its result and does nothing else with it.

use selvedge_ir::{Body, Inst, Op};
use selvedge_models::Special;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::{Slot, Statement};

use super::choice_of;
use super::leaks::{Leaks, root_of};
use crate::handover::fresh::is_allocation;
use crate::memo::{Reaches, Step};
use crate::view::{CallAt, View};
use crate::ways::may_reach;

/// An instance, and the kind of objects that it may return.
type Returning = (InstanceId, ObjectId);

/// See the [module documentation](self). It is worked out when asked.
pub(crate) struct Results {
    /// Which uses leak.
    pub(super) leaks: Leaks,
    /// Which instances may return an object of a kind that is not new: the ways go to the callees whose results are returned.
    returning_old: Reaches<Returning>,
}

impl Results {
    /// Prepares the fact.
    pub(crate) fn new(view: &View<'_>) -> Self {
        Self { leaks: Leaks::new(view), returning_old: Reaches::default() }
    }

    /// Whether an instruction makes an object of a kind, if its result is one: an allocation, a copy, or a call that returns new ones.
    pub(crate) fn makes(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
        object: ObjectId,
    ) -> bool {
        match making(view, instance, body, inst, object) {
            Step::Bad => false,
            Step::To(callees) => !callees.into_iter().any(|callee| self.may_return_old(view, callee)),
        }
    }

    fn may_return_old(&self, view: &View<'_>, key: Returning) -> bool {
        self.returning_old.reach_bad(key, |key| self.returning(view, key))
    }

    /// Whether an instance may return an object of a kind that is not new, and else the callees on which that depends.
    fn returning(&self, view: &View<'_>, (instance, object): Returning) -> Step<Returning> {
        let Some(method) = view.method_of(instance) else { return self.model_returning(view, instance) };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else {
            return self.model_returning(view, instance);
        };
        let mut callees = Vec::new();
        for (inst, _) in body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Return)) {
            let Some(&value) = body.args(inst).first() else { return Step::Bad };
            if !view.analysis.points_to(instance, value).contains(object) {
                continue;
            }
            let is_made = |inst: Inst| matches!(making(view, instance, body, inst, object), Step::To(_));
            let choice = choice_of(body, root_of(body, value), is_made);
            let made = match choice[..] {
                [only] => body.defining_inst(only),
                _ => None,
            };
            for &member in &choice {
                let Some(made) = body.defining_inst(member) else { return Step::Bad };
                match (&body.insts[made].op, making(view, instance, body, made, object)) {
                    (Op::Null, _) => {}
                    (Op::Phi, _) if choice.len() > 1 => {}
                    (_, Step::To(others)) => callees.extend(others),
                    (_, Step::Bad) => return Step::Bad,
                }
            }
            let found = self.leaks.of_choice(view, instance, body, &choice);
            if found.1.iter().any(|&leak| may_reach(body, shape, leak, inst, made)) {
                return Step::Bad;
            }
        }
        callees.sort_unstable();
        callees.dedup();
        Step::To(callees)
    }

    /// The same of code that only a model tells about.
    fn model_returning(&self, view: &View<'_>, instance: InstanceId) -> Step<Returning> {
        let Some(summary) = view.analysis.summary(view.analysis.instances[instance].procedure) else {
            return Step::Bad;
        };
        let copies = |rule| matches!(rule, Special::Clone | Special::ArrayCopyOf);
        let mut statements = summary.statements.iter();
        if statements.any(|statement| matches!(statement, Statement::Special { rule, .. } if copies(*rule))) {
            return Step::To(Vec::new());
        }
        // The slots that hold what is returned.
        let mut returned: Vec<Slot> = summary.result.into_iter().collect();
        let mut position = 0;
        while let Some(&slot) = returned.get(position) {
            position += 1;
            for statement in &summary.statements {
                match *statement {
                    Statement::Copy { into, from, .. } if into == slot && !returned.contains(&from) => {
                        returned.push(from);
                    }
                    _ => {}
                }
            }
        }
        let is_one = |slot: Slot| returned.contains(&slot);
        let is_made = summary
            .statements
            .iter()
            .any(|statement| matches!(*statement, Statement::Allocate { into, .. } if is_one(into)));
        let is_harmless = |statement: &Statement| match *statement {
            Statement::Allocate { .. } | Statement::Call(_) => true,
            Statement::Copy { into, from, .. } => is_one(into) == is_one(from),
            Statement::Load { into, .. }
            | Statement::LoadAll { into, .. }
            | Statement::LoadStatic { into, .. }
            | Statement::Catch { into, .. } => !is_one(into),
            Statement::Store { from, .. }
            | Statement::StoreAll { from, .. }
            | Statement::StoreStatic { from, .. }
            | Statement::Throw { from, .. } => !is_one(from),
            Statement::RuleCall { .. } | Statement::Special { .. } => false,
        };
        let leaks = |call: CallAt<'_>| {
            let Some(data) = summary.calls.get(call.number as usize) else { return true };
            let passed = (0..data.arguments.len()).filter(|&at| data.arguments[at].is_some_and(is_one));
            let mut passed = passed.flat_map(|at| call.callees.iter().map(move |&callee| (callee, at)));
            data.result.is_some_and(is_one)
                || passed.any(|(callee, position)| self.leaks.may_leak(view, callee, position))
        };
        let is_new =
            is_made && summary.statements.iter().all(is_harmless) && !view.calls(instance).any(leaks);
        if is_new { Step::To(Vec::new()) } else { Step::Bad }
    }
}

/// Whether an instruction may give an object of a kind that it has not made, and else the callees on which that depends.
fn making(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    object: ObjectId,
) -> Step<Returning> {
    match &body.insts[inst].op {
        op if is_allocation(op) => Step::To(Vec::new()),
        Op::Invoke(..) => match view.callees(instance, inst) {
            [] => Step::Bad,
            callees => Step::To(callees.iter().map(|&callee| (callee, object)).collect()),
        },
        _ => Step::Bad,
    }
}
