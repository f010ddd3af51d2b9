//! Which uses of a reference may leak it: publish the object to others than the callers of a method.
//!
//! A use leaks if it stores the reference (other than in the object itself, see the file `selves.rs`), captures, returns or throws it,
//! merges it with others, or passes it to code that may. What a callee returns leaks only if the caller uses the result. The
//! constructors of `Thread` leak nothing. In a recursion everything leaks.

use std::sync::Arc;

use selvedge_base::Id;
use selvedge_ir::{Body, Inst, InvokeKind, Op, Value};
use selvedge_models::{Effect, Kind, Place, Root, Special};
use selvedge_pta::InstanceId;
use selvedge_pta::summary::Statement;

use super::selves::{Selves, is_store_of_self};
use crate::limits;
use crate::memo::{ReachesOrCircles, Step, Table};
use crate::view::View;

/// Values of an instance between which it chooses.
type Choice = (InstanceId, Vec<Value>);

/// Values, and the instructions that may leak one of them.
type Leaking = (Vec<Value>, Vec<Inst>);

/// A parameter of an instance, by its position.
type Parameter = (InstanceId, usize);

/// See the [module documentation](self). It is worked out when asked.
pub(super) struct Leaks {
    selves: Selves,
    /// Which parameters may leak: the ways to a use that leaks go through calls.
    parameters: ReachesOrCircles<Parameter>,
    /// Which instructions of an instance leak one of some values, as far as was asked.
    choices: Table<Choice, Arc<Leaking>>,
}

impl Leaks {
    /// Prepares the fact.
    pub(super) fn new(view: &View<'_>) -> Self {
        Self { selves: Selves::new(view), parameters: ReachesOrCircles::default(), choices: Table::default() }
    }

    /// Whether an instance may leak a parameter.
    pub(super) fn may_leak(&self, view: &View<'_>, instance: InstanceId, position: usize) -> bool {
        self.parameters.lead_to_bad((instance, position), |parameter| self.step(view, parameter))
    }

    /// Whether an instruction uses a value in a way that may leak it.
    pub(super) fn by_use(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
        value: Value,
    ) -> bool {
        match self.use_of(view, instance, body, inst, value) {
            Step::Bad => true,
            Step::To(parameters) => {
                parameters.into_iter().any(|(callee, position)| self.may_leak(view, callee, position))
            }
        }
    }

    /// The values that are one of a choice, and the instructions that may leak one of them.
    pub(super) fn of_choice(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        choice: &[Value],
    ) -> Arc<Leaking> {
        let key = (instance, choice.to_vec());
        if let Some(found) = self.choices.get(&key) {
            return found;
        }
        let is_alias: Vec<bool> =
            body.values.ids().map(|other| choice.contains(&root_of(body, other))).collect();
        let leaks = |&leak: &Inst| {
            let mut aliases = body.args(leak).iter().filter(|value| is_alias[value.index()]);
            let chooses = body.insts[leak].result.is_some_and(|result| choice.contains(&result));
            let is_cast = matches!(body.insts[leak].op, Op::CheckCast(_));
            !chooses && !is_cast && aliases.any(|&value| self.by_use(view, instance, body, leak, value))
        };
        let leaking = body.insts.ids().filter(leaks).collect();
        let aliases = body.values.ids().filter(|value| is_alias[value.index()]).collect();
        let found: Arc<Leaking> = Arc::new((aliases, leaking));
        self.choices.insert(key, found.clone());
        found
    }

    /// Whether a method leaks a parameter itself, and else the parameters of callees that it passes it as.
    fn step(&self, view: &View<'_>, (instance, position): Parameter) -> Step<Parameter> {
        if position == 0 && constructs_thread(view, instance) {
            return Step::To(Vec::new());
        }
        if is_given_to_machine(view, instance, position) {
            return Step::Bad;
        }
        let Some(body) = view.body(instance) else {
            return bad_if(model_leaks(view, instance, position));
        };
        let Some(&value) = body.parameters.get(position) else { return Step::Bad };
        let mut passed = Vec::new();
        for (inst, data) in body.insts.iter_ids() {
            let step = match &data.op {
                // What is returned is the affair of the caller.
                Op::Return => continue,
                Op::Invoke(..) if body.args(inst).contains(&value) => {
                    call_of(view, instance, body, inst, value, |user| !matches!(user, Op::Return))
                }
                _ => self.use_of(view, instance, body, inst, value),
            };
            match step {
                Step::Bad => return Step::Bad,
                Step::To(parameters) => passed.extend(parameters),
            }
        }
        passed.sort_unstable();
        passed.dedup();
        Step::To(passed)
    }

    /// Whether an instruction leaks a value itself, and else the parameters of callees that it passes it as.
    fn use_of(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
        value: Value,
    ) -> Step<Parameter> {
        let arguments = body.args(inst);
        if !arguments.contains(&value) {
            return Step::To(Vec::new());
        }
        match &body.insts[inst].op {
            Op::PutField(_) => bad_if(arguments[1] == value && !is_store_of_self(body, inst)),
            Op::GetField(reference) => bad_if(self.selves.may_leak(view, body, inst, reference)),
            Op::ArrayStore(_) => bad_if(arguments[2] == value),
            Op::ArrayLoad(_)
            | Op::ArrayLength
            | Op::InstanceOf(_)
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::If { .. } => Step::To(Vec::new()),
            Op::Invoke(..) => call_of(view, instance, body, inst, value, |_| true),
            _ => Step::Bad,
        }
    }
}

fn bad_if(leaks: bool) -> Step<Parameter> {
    if leaks { Step::Bad } else { Step::To(Vec::new()) }
}

/// The parameters of callees that a call passes a value as; bad if the callees are not known, or if one may return the value, and an
/// instruction that counts uses the result.
fn call_of(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    call: Inst,
    value: Value,
    counts: impl Fn(&Op) -> bool,
) -> Step<Parameter> {
    let arguments = body.args(call);
    if returned_receiver(body, call) == Some(value) {
        return bad_if(arguments[1..].contains(&value));
    }
    let callees = view.callees(instance, call);
    let positions = || (0..arguments.len()).filter(|&position| arguments[position] == value);
    let parameters: Vec<Parameter> =
        callees.iter().flat_map(|&callee| positions().map(move |position| (callee, position))).collect();
    let is_returned =
        |&(callee, position): &Parameter| may_return(view, callee, position, limits::RETURNING_CALLS);
    match callees.is_empty() || is_used_by(body, call, counts) && parameters.iter().any(is_returned) {
        true => Step::Bad,
        false => Step::To(parameters),
    }
}

/// Whether some instruction of a kind uses the result of another.
fn is_used_by(body: &Body, inst: Inst, counts: impl Fn(&Op) -> bool) -> bool {
    body.insts[inst].result.is_some_and(|result| {
        body.insts.iter_ids().any(|(user, data)| counts(&data.op) && body.args(user).contains(&result))
    })
}

/// Whether an instance is a constructor of `java.lang.Thread`. A group lists a thread from its start on, so that nobody else knows of one that
/// is being made; what its constructors ask a security manager about stays there.
fn constructs_thread(view: &View<'_>, instance: InstanceId) -> bool {
    view.method_of(instance).is_some_and(|method| {
        let data = &view.program.methods[method];
        data.is_constructor() && Kind::Thread.has(view.program.classes[data.class].name.as_bytes())
    })
}

/// Whether a row says that the JVM keeps a parameter: a reference that is made with a queue comes out of that queue some day.
fn is_given_to_machine(view: &View<'_>, instance: InstanceId, position: usize) -> bool {
    let Some(method) = view.method_of(instance).filter(|&method| !view.is_application(method)) else {
        return false;
    };
    let shift = usize::from(!view.program.methods[method].is_static());
    let is_parameter = |place: &Place| match place.root {
        Root::This => shift == 1 && position == 0,
        Root::Arg(number) => usize::from(number) + shift == position,
        _ => false,
    };
    let mut effects = view.rows(method).iter().flat_map(|row| row.effects.iter());
    effects.any(|effect| match effect {
        Effect::Flow { from, to } => {
            from.steps.is_empty() && is_parameter(from) && matches!(to.root, Root::Vm(_))
        }
        _ => false,
    })
}

/// Whether code that only a model tells about may keep a parameter, or hand it to other code.
fn model_leaks(view: &View<'_>, instance: InstanceId, position: usize) -> bool {
    let summary = view.analysis.summary(view.analysis.instances[instance].procedure);
    let slot = summary.and_then(|summary| summary.parameters.get(position).copied().flatten());
    let (Some(summary), Some(slot)) = (summary, slot) else { return true };
    let is_passed = summary.calls.iter().any(|call| call.arguments.contains(&Some(slot)));
    is_passed
        || summary.statements.iter().any(|statement| match *statement {
            Statement::Store { from, .. }
            | Statement::StoreAll { from, .. }
            | Statement::StoreStatic { from, .. }
            | Statement::Throw { from, .. } => from == slot,
            Statement::Copy { into, from, .. } => from == slot && Some(into) != summary.result,
            Statement::Special { rule, .. } => !matches!(rule, Special::GetClass | Special::ArrayCopy),
            Statement::RuleCall { .. } => true,
            _ => false,
        })
}

/// Whether code that is modelled may return a parameter.
fn model_returns(view: &View<'_>, instance: InstanceId, position: usize) -> bool {
    let summary = view.analysis.summary(view.analysis.instances[instance].procedure);
    let slot = summary.and_then(|summary| summary.parameters.get(position).copied().flatten());
    let (Some(summary), Some(slot)) = (summary, slot) else { return true };
    let Some(result) = summary.result else { return false };
    summary.statements.iter().any(|statement| match *statement {
        Statement::Copy { into, from, .. } => from == slot && into == result,
        Statement::Special { .. } | Statement::RuleCall { .. } => true,
        _ => false,
    })
}

/// Whether an instance may return a parameter as it is, or what a callee returns that it is passed to.
fn may_return(view: &View<'_>, instance: InstanceId, position: usize, depth: usize) -> bool {
    let Some(body) = view.body(instance) else {
        return model_returns(view, instance, position);
    };
    let Some(&parameter) = body.parameters.get(position) else { return true };
    let is_returned_by = |call: Inst| {
        matches!(body.insts[call].op, Op::Invoke(..))
            && body.args(call).iter().enumerate().any(|(position, &passed)| {
                let callees = view.callees(instance, call);
                passed == parameter
                    && (depth == 0
                        || callees.is_empty()
                        || callees.iter().any(|&callee| may_return(view, callee, position, depth - 1)))
            })
    };
    let is_parameter =
        |&value: &Value| value == parameter || body.defining_inst(value).is_some_and(is_returned_by);
    let mut returns = body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Return));
    returns.any(|(inst, _)| body.args(inst).first().is_some_and(is_parameter))
}

/// The receiver of a call that returns it, for the builders of strings, whose calls are chained: `b.append(x).append(y)`. They keep
/// no reference to themselves.
fn returned_receiver(body: &Body, inst: Inst) -> Option<Value> {
    let Op::Invoke(InvokeKind::Virtual, reference) = &body.insts[inst].op else { return None };
    let is_builder = Kind::TextBuilder.has(reference.owner.as_bytes());
    is_builder.then(|| body.args(inst).first().copied()).flatten()
}

/// The value that a chain of calls on a builder, or of casts, starts with; any other value itself.
pub(crate) fn root_of(body: &Body, mut value: Value) -> Value {
    while let Some(inst) = body.defining_inst(value) {
        value = match body.insts[inst].op {
            Op::CheckCast(_) => body.args(inst)[0],
            _ => match returned_receiver(body, inst).filter(|_| returns_builder(body, inst)) {
                Some(receiver) => receiver,
                None => break,
            },
        };
    }
    value
}

/// Whether a call on a builder returns a builder, which is then the same one.
fn returns_builder(body: &Body, inst: Inst) -> bool {
    let Op::Invoke(_, reference) = &body.insts[inst].op else { return false };
    reference.descriptor.as_bytes().ends_with(b")Ljava/lang/StringBuilder;")
        || reference.descriptor.as_bytes().ends_with(b")Ljava/lang/StringBuffer;")
}
