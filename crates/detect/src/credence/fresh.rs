//! A second look at the object of a pair: whether a side uses an object that its own thread has just made.
//!
//! Points-to has one abstract object for everything that an instruction allocates, so an object that is shared once makes all of them
//! look shared: the parser of each call, the list that each request fills. The second look follows the value that a side accesses back to where it
//! comes from, through parameters to all callers in the thread, what lambdas capture, casts, what methods return, and the fields of owners that
//! have made what they hold. If each way ends at an allocation, and nothing on the way from there lets anybody know the object ([`leaks`](super::leaks)), the side accesses an object
//! of its own.
//!
//! A heuristic: callers that the call graph lacks are not seen, and after [`LOOKS`] steps nothing is said.

use selvedge_base::{BitSet, FastSet};
use selvedge_facts::{Candidate, Occurrence, Origin, ThreadId};
use selvedge_findings::Side;
use selvedge_ir::{Block, Body, Inst, Op, Value};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::MethodId;

use super::leaks::Leaks;
use super::threads::is_task_code;
use crate::Facts;
use crate::intent::{family, family_of_name};

/// How many values one second look follows.
const LOOKS: usize = 200;

/// Why a pair does not meet on one object: a side has just made its own.
pub(super) fn doubt(
    facts: &Facts<'_, '_>,
    candidate: &Candidate,
    object: ObjectId,
    sides: &[Side; 2],
) -> Option<String> {
    let own = (0..2).find(|&position| is_own(facts, &candidate.sides[position], object))?;
    let at = sides[own].at.place();
    Some(format!("{at}: the thread has just allocated the object that it accesses, and not published it"))
}

/// Why two executions of one thread's code are likely on two objects: the object is a part of what the thread executes, which its owner has made.
pub(super) fn own_parts(facts: &Facts<'_, '_>, candidate: &Candidate, object: ObjectId) -> Option<String> {
    let [first, second] = &candidate.sides;
    let is_spawned = matches!(facts.threads.all[first.thread].origin, Origin::Spawn { .. });
    let is_one_code = first.thread == second.thread && is_spawned && !facts.executions.is_single(object);
    (is_one_code && candidate.sides.iter().all(|side| comes_from(facts, side, object, true))).then(|| {
        "both sides access a part of the task that the thread executes: each thread likely has its own task".to_string()
    })
}

fn is_own(facts: &Facts<'_, '_>, side: &Occurrence, object: ObjectId) -> bool {
    comes_from(facts, side, object, false)
}

/// Whether what a side accesses comes from an allocation of its own thread; or, if `or_task`, from the task that the thread executes.
fn comes_from(facts: &Facts<'_, '_>, side: &Occurrence, object: ObjectId, or_task: bool) -> bool {
    let access = &facts.accesses.all[side.access];
    let Some(base) = access.base else { return false };
    let mut look = Look {
        facts,
        thread: side.thread,
        or_task,
        object,
        leaks: Leaks::new(facts),
        left: LOOKS,
        steps: 0,
        seen: FastSet::default(),
    };
    look.is_fresh(side.instance, base, access.inst)
}

/// What a method returns.
enum Returned {
    /// An object that it makes.
    Fresh,
    /// What it was given.
    Given(usize),
}

struct Look<'l, 'f, 'a> {
    facts: &'l Facts<'f, 'a>,
    thread: ThreadId,
    /// Whether the task that the thread executes counts as made by the thread.
    or_task: bool,
    object: ObjectId,
    leaks: Leaks<'l, 'f, 'a>,
    left: usize,
    /// How many references lead from the value that is looked at to the object.
    steps: usize,
    seen: FastSet<(InstanceId, Value)>,
}

impl Look<'_, '_, '_> {
    /// Whether a value of an instance is an object that the thread has made and that nobody else knows when it comes to an instruction.
    fn is_fresh(&mut self, instance: InstanceId, value: Value, until: Inst) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        // Around a cycle nothing else comes in.
        if !self.seen.insert((instance, value)) {
            return true;
        }
        let view = self.facts.view;
        let Some((method, body)) = view.method_of(instance).zip(view.body(instance)) else { return false };
        if self.may_be_known(instance, method, body, value, until) {
            return false;
        }
        if let Some(position) = body.parameters.iter().position(|&parameter| parameter == value) {
            let is_constructed = position == 0 && view.program.methods[method].name.is("<init>");
            let is_task = position == 0 && self.or_task && self.is_task(instance, method);
            return is_constructed || is_task || self.is_given_fresh(instance, position);
        }
        let Some(inst) = body.defining_inst(value) else { return false };
        let arguments = body.args(inst);
        match &body.insts[inst].op {
            Op::New(_) | Op::NewArray(_) | Op::NewPrimitiveArray(_) | Op::NewMultiArray(_) | Op::Null => true,
            Op::CheckCast(_) => self.is_fresh(instance, arguments[0], until),
            Op::Phi => arguments.iter().all(|&value| self.is_fresh(instance, value, until)),
            Op::GetField(field) => {
                let is_part = self.are_made_by(instance, value, &family_of_name(&field.owner.to_string()));
                self.steps += 1;
                let is_fresh = is_part && self.is_fresh(instance, arguments[0], until);
                self.steps -= 1;
                is_fresh
            }
            Op::Invoke(..) => self.is_returned_fresh(instance, inst, until),
            _ => false,
        }
    }

    /// Whether a parameter of an instance is fresh in every call of the thread.
    fn is_given_fresh(&mut self, instance: InstanceId, position: usize) -> bool {
        let (facts, view) = (self.facts, self.facts.view);
        if facts.threads.all[self.thread].entries.contains(&instance) {
            return false;
        }
        let reached = &facts.threads.reached[self.thread];
        let callers = facts.publication.callers_of(instance).iter();
        let mut callers = callers.filter(|(caller, _)| reached.contains(*caller)).peekable();
        callers.peek().is_some()
            && callers.all(|&(caller, inst)| {
                if let Procedure::Lambda { method, inst } = view.procedure_of(caller) {
                    return self.is_captured_fresh(method, inst, position);
                }
                let Some((inst, body)) = inst.zip(view.body(caller)) else { return false };
                if !self.may_be_passed(caller, inst, position) {
                    return true;
                }
                let argument = matches!(body.insts[inst].op, Op::Invoke(..)).then(|| body.args(inst));
                let argument = argument.and_then(|arguments| arguments.get(position).copied());
                argument.is_some_and(|argument| self.is_fresh(caller, argument, inst))
            })
    }

    /// Whether what a lambda expression captures at a position is fresh wherever the thread evaluates it, and the whole method around it lets
    /// nobody know it: the lambda goes no further than the calls that it is passed to.
    fn is_captured_fresh(&mut self, method: MethodId, made: Inst, position: usize) -> bool {
        let (facts, view) = (self.facts, self.facts.view);
        let reached = &facts.threads.reached[self.thread];
        let mut makers =
            view.analysis.instances_of(method).iter().filter(|&&maker| reached.contains(maker)).peekable();
        makers.peek().is_some()
            && makers.all(|&maker| {
                let Some(body) = view.body(maker) else { return false };
                let Some(&captured) = body.args(made).get(position) else { return false };
                let known = self.leaks.of_value(maker, body, captured, &|_| true);
                !known.everywhere && known.through.is_empty() && self.is_fresh(maker, captured, made)
            })
    }

    /// Whether an argument of a call may be the object, or lead to it by as many references as are followed.
    fn may_be_passed(&self, caller: InstanceId, inst: Inst, position: usize) -> bool {
        let analysis = self.facts.view.analysis;
        let Some(call) = self.facts.view.calls(caller).find(|call| call.inst == Some(inst)) else {
            return true;
        };
        let summary = analysis.summary(analysis.instances[caller].procedure);
        let slot = summary
            .and_then(|summary| summary.calls.get(call.number as usize))
            .and_then(|call| call.arguments.get(position).copied().flatten());
        let Some(slot) = slot else { return true };
        let mut reached: BitSet<ObjectId> = analysis.slot_points_to(caller, slot).iter().collect();
        let mut last: Vec<ObjectId> = reached.iter().collect();
        for _ in 0..self.steps.max(1) {
            let held = last.iter().flat_map(|&owner| analysis.members_of(owner));
            last = held.filter(|&object| reached.insert(object)).collect();
        }
        reached.contains(self.object)
    }

    /// Whether all that a call may reach return an object that they make, or that is fresh where the call is made.
    fn is_returned_fresh(&mut self, instance: InstanceId, inst: Inst, until: Inst) -> bool {
        let view = self.facts.view;
        let Some(body) = view.body(instance) else { return false };
        let callees = view.callees(instance, inst);
        !callees.is_empty()
            && callees.iter().all(|&callee| match self.returned(callee) {
                Some(Returned::Fresh) => true,
                Some(Returned::Given(position)) => {
                    let argument = body.args(inst).get(position).copied();
                    argument.is_some_and(|argument| self.is_fresh(instance, argument, until))
                }
                None => false,
            })
    }

    fn returned(&mut self, callee: InstanceId) -> Option<Returned> {
        let view = self.facts.view;
        let body = view.body(callee).filter(|_| view.is_application_instance(callee))?;
        let returns = body.insts.ids().filter(|&inst| matches!(body.insts[inst].op, Op::Return));
        let mut found = None;
        for (inst, &value) in returns.filter_map(|inst| Some((inst, body.args(inst).first()?))) {
            let given = body.parameters.iter().position(|&parameter| parameter == value);
            match (given, &found) {
                (Some(position), None) => found = Some(Returned::Given(position)),
                (Some(position), Some(Returned::Given(known))) if position == *known => {}
                (None, None | Some(Returned::Fresh)) if self.is_fresh(callee, value, inst) => {
                    found = Some(Returned::Fresh);
                }
                _ => return None,
            }
        }
        found
    }

    /// Whether an instance is the code of a task, and each thread may have another one.
    fn is_task(&self, instance: InstanceId, method: MethodId) -> bool {
        let (facts, program) = (self.facts, self.facts.view.program);
        let receivers = facts.view.analysis.parameter_points_to(instance, 0);
        is_task_code(program, method) && receivers.iter().all(|object| !facts.executions.is_single(object))
    }

    /// Whether the objects of a value are made by the class that has the field they are read from, or by one nested with it. If the object that
    /// the look is about is among them, only that one counts.
    fn are_made_by(&self, instance: InstanceId, value: Value, family_of_field: &str) -> bool {
        let (program, analysis) = (self.facts.view.program, self.facts.view.analysis);
        let is_made = |object: ObjectId| match analysis.heap.site_of(analysis.heap.get(object).site) {
            Site::Instruction { method, .. } => {
                family(program, program.methods[method].class) == family_of_field
            }
            _ => false,
        };
        let objects = analysis.points_to(instance, value);
        if objects.contains(self.object) {
            return is_made(self.object);
        }
        objects.iter().all(is_made)
    }

    /// Whether a use of the value that comes before the instruction lets others know the object.
    fn may_be_known(
        &mut self,
        instance: InstanceId,
        method: MethodId,
        body: &Body,
        value: Value,
        until: Inst,
    ) -> bool {
        let Some(shape) = self.facts.view.shape(method) else { return true };
        let made = body.defining_inst(value).map(|inst| shape.block_of[inst]);
        let comes_before =
            |inst: Inst| inst != until && is_before(body, |inst| shape.block_of[inst], made, inst, until);
        let known = self.leaks.of_value(instance, body, value, &comes_before);
        let is_constructor = self.facts.view.program.methods[method].name.is("<init>");
        known.everywhere
            || known.through.iter().any(|&keeper| {
                let is_itself = body.parameters.get(keeper) == Some(&value);
                let is_constructed = keeper == 0 && is_constructor;
                !is_itself && !is_constructed && !self.is_given_fresh(instance, keeper)
            })
    }
}

/// Whether control may go from one use of a value to another without making the value anew in between.
fn is_before(
    body: &Body,
    block_of: impl Fn(Inst) -> Block,
    made: Option<Block>,
    from: Inst,
    to: Inst,
) -> bool {
    if block_of(from) == block_of(to) && from < to {
        return true;
    }
    let mut pending = body.successors(block_of(from));
    let mut seen: Vec<Block> = made.into_iter().collect();
    while let Some(block) = pending.pop() {
        if seen.contains(&block) {
            continue;
        }
        if block == block_of(to) {
            return true;
        }
        seen.push(block);
        pending.extend(body.successors(block));
    }
    false
}
