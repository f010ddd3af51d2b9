//! From the code of a task to the elements that it touches: see the [module above](super).

use selvedge_base::LoopId;
use selvedge_ir::{BinaryOp, Body, Condition, Inst, InvokeKind, Op, Value, ValueDef};
use selvedge_models::Kind;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::{FieldId, MethodId};

use super::Callers;
use super::poly::{Atom, Poly};
use crate::accesses::{AccessKind, Place};
use crate::bundle::Facts;
use crate::handover::fresh::makers;
use crate::limits;
use crate::refutation::Strength;
use crate::threads::ThreadId;
use crate::view::View;

/// The allocation that makes the tasks of a polynomial's turns: one in each turn of one loop of an instance that runs once. Two instances
/// of one method have turns of their own, that do not exclude each other (TurnsOfTwoCalls).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tasks {
    maker: InstanceId,
    inst: Inst,
    /// Whether the turns are the elements of a stream of numbers, each of which is handled once, by some thread.
    pub(super) of_stream: bool,
}

/// The elements that an access of one thread may touch.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Which.
    pub(super) shape: Shape,
    /// To whose turns the polynomials refer; `None` if to nobody's.
    pub(super) tasks: Option<Tasks>,
    /// By how much the turn variable changes from turn to turn, and how many turns there are at most, if known.
    turns: Option<Turns>,
}

/// The turns of the loop that makes tasks.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Turns {
    step: i64,
    /// The end minus the start of the turn variable.
    span: Option<Poly>,
}

/// A set of indexes.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// From the first, up to but without the second.
    Interval { from: Poly, to: Poly },
    /// Every index that differs from the first by a multiple of the second.
    Stride { from: Poly, by: Poly },
}

impl Region {
    /// Whether it is a single element.
    pub(super) fn is_slot(&self) -> bool {
        matches!(&self.shape, Shape::Interval { from, to } if to.minus(from).as_constant() == Some(1))
    }

    /// For the element whose index is the turn variable itself: where the tasks of the turns are made.
    pub(super) fn tasks_of_own_slot(&self) -> Option<(InstanceId, Inst)> {
        let is_turn = matches!(&self.shape, Shape::Interval { from, .. } if *from == Poly::atom(Atom::Turn));
        let tasks = self.tasks.filter(|_| is_turn && self.is_slot())?;
        Some((tasks.maker, tasks.inst))
    }

    /// Whether both are intervals of numbers, without an element in common.
    pub(super) fn are_numbers_apart(&self, other: &Self) -> bool {
        let numbers = |region: &Self| match &region.shape {
            Shape::Interval { from, to } => Some((from.as_constant()?, to.as_constant()?)),
            Shape::Stride { .. } => None,
        };
        matches!((numbers(self), numbers(other)), (Some((a, b)), Some((c, d))) if b <= c || d <= a)
    }

    /// Whether they have no element in common when each is taken in another turn, and how sure that is.
    pub(super) fn are_apart_in_different_turns(&self, view: &View<'_>, other: &Self) -> Option<Strength> {
        let turns = self.turns.as_ref().filter(|turns| other.turns.as_ref() == Some(turns))?;
        match (&self.shape, &other.shape) {
            (Shape::Interval { from, to }, Shape::Interval { from: from2, to: to2 }) => {
                let apart = intervals_apart((from, to), (from2, to2), turns.step);
                apart.then(|| self.may_wrap(view, turns, &from.slope()?)).flatten()
            }
            (Shape::Stride { from, by }, Shape::Stride { from: from2, by: by2 }) => {
                // Turns that differ by less than the stride differ by no multiple of it. An index that wraps around is negative first.
                let apart = from == from2
                    && by == by2
                    && from.slope().and_then(|slope| slope.as_constant()) == Some(1)
                    && turns.span.as_ref() == Some(by);
                apart.then_some(Strength::Proof)
            }
            _ => None,
        }
    }

    /// How sure it is that the product of the turn and a slope does not wrap around; `None` if it well may.
    fn may_wrap(&self, view: &View<'_>, turns: &Turns, slope: &Poly) -> Option<Strength> {
        let Some(slope) = slope.as_constant() else {
            let is_part = turns.span.as_ref().is_some_and(|span| self.is_divided_by(view, slope, span));
            return Some(if is_part { Strength::Proof } else { Strength::Heuristic });
        };
        let Some(span) = turns.span.as_ref().and_then(Poly::as_constant) else {
            return Some(if slope.saturating_abs() <= 1 { Strength::Proof } else { Strength::Heuristic });
        };
        let reach = slope.saturating_abs().saturating_mul(span.saturating_abs());
        (reach <= i64::from(i32::MAX)).then_some(Strength::Proof)
    }

    /// Whether a slope is a quotient by the number of turns: then the product is at most what was divided.
    fn is_divided_by(&self, view: &View<'_>, slope: &Poly, span: &Poly) -> bool {
        let Some(body) = self.tasks.and_then(|tasks| view.body(tasks.maker)) else { return false };
        let poly = |value: Value| match body.defining_inst(value).map(|inst| (inst, &body.insts[inst].op)) {
            Some((_, Op::Int(number))) => Poly::constant(i64::from(*number)),
            Some((inst, Op::ArrayLength)) => Poly::atom(Atom::Length(body.args(inst)[0])),
            _ => Poly::atom(Atom::Invariant(value)),
        };
        body.insts.iter_ids().any(|(inst, data)| {
            matches!(data.op, Op::Binary(BinaryOp::Div))
                && data.result.is_some_and(|result| *slope == Poly::atom(Atom::Invariant(result)))
                && poly(body.args(inst)[1]) == *span
        })
    }
}

/// Whether two intervals with polynomial ends are apart in turns that differ by a multiple of `step`.
fn intervals_apart(first: (&Poly, &Poly), second: (&Poly, &Poly), step: i64) -> bool {
    // The hull of both, where their ends differ by numbers.
    let lower = |a: &Poly, b: &Poly| Some(if b.minus(a).as_constant()? < 0 { b.clone() } else { a.clone() });
    let (Some(from), Some(to)) = (lower(first.0, second.0), lower(second.1, first.1)) else { return false };
    let to = second.1.plus(first.1).minus(&to);
    let Some(slope) = from.slope() else { return false };
    let length = to.minus(&from);
    match (length.as_constant(), slope.as_constant()) {
        (Some(length), Some(slope)) => length <= slope.saturating_mul(step).saturating_abs(),
        // If the length is negative, so that the interval is empty, it is no matter.
        _ => step.abs() == 1 && length == slope,
    }
}

/// Reads the code of one thread.
pub(super) struct Reader<'r, 'f, 'v> {
    pub(super) facts: &'r Facts<'f, 'v>,
    pub(super) callers: &'r Callers,
    pub(super) thread: ThreadId,
}

/// A polynomial and the tasks of its turns.
#[derive(Clone)]
struct Known {
    poly: Poly,
    tasks: Option<(Tasks, Turns)>,
}

impl Known {
    fn constant(value: i64) -> Self {
        Self { poly: Poly::constant(value), tasks: None }
    }

    /// Combines two, if they do not refer to different tasks.
    fn with(&self, other: &Self, combine: impl Fn(&Poly, &Poly) -> Poly) -> Option<Self> {
        let tasks = match (&self.tasks, &other.tasks) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.clone().or(b.clone()),
        };
        Some(Self { poly: combine(&self.poly, &other.poly), tasks })
    }
}

impl Reader<'_, '_, '_> {
    /// The elements that an index may mean at an instruction, in one or more ways to say it.
    pub(super) fn regions(&self, instance: InstanceId, at: Inst, index: Value) -> Vec<Region> {
        let mut found = Vec::new();
        let region = |shape, known: &Known| Region {
            shape,
            tasks: known.tasks.as_ref().map(|(tasks, _)| *tasks),
            turns: known.tasks.as_ref().map(|(_, turns)| turns.clone()),
        };
        if let Some(known) = self.value(instance, index, limits::INDEX_STEPS) {
            let to = known.poly.plus(&Poly::constant(1));
            found.push(region(Shape::Interval { from: known.poly.clone(), to }, &known));
        }
        if let Some(counter) = self.counter(instance, at, index) {
            let Counter { from, to, by } = counter;
            if let Some(to) = to
                && let Some(both) = from.with(&to, |from, _| from.clone())
            {
                found.push(region(Shape::Interval { from: from.poly.clone(), to: to.poly }, &both));
            }
            if let Some(both) = by.and_then(|by| {
                let poly = by.poly.clone();
                Some((from.with(&by, |from, _| from.clone())?, poly))
            }) {
                found.push(region(Shape::Stride { from: from.poly.clone(), by: both.1 }, &both.0));
            }
        }
        found
    }

    /// The value of an expression in the code of the thread.
    fn value(&self, instance: InstanceId, value: Value, depth: usize) -> Option<Known> {
        let view = self.facts.view;
        let depth = depth.checked_sub(1)?;
        let body = view.body(instance)?;
        let inst = match body.values[value].def {
            ValueDef::Parameter(position) => return self.parameter(instance, position, depth),
            ValueDef::Inst(inst) => inst,
        };
        let arguments = body.args(inst);
        match &body.insts[inst].op {
            Op::Int(number) => Some(Known::constant(i64::from(*number))),
            Op::Binary(op) => {
                let (a, b) =
                    (self.value(instance, arguments[0], depth)?, self.value(instance, arguments[1], depth)?);
                match op {
                    BinaryOp::Add => a.with(&b, Poly::plus),
                    BinaryOp::Sub => a.with(&b, Poly::minus),
                    BinaryOp::Mul => a.with(&b, Poly::times),
                    _ => None,
                }
            }
            Op::GetField(reference) => {
                let field = view.program.resolve_field(reference).ok()?;
                let holders = view.analysis.points_to(instance, arguments[0]);
                let mut holders = holders.iter();
                match (holders.next(), holders.next()) {
                    (Some(holder), None) => self.field_of_task(holder, field),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a parameter that only one call passes.
    fn parameter(&self, instance: InstanceId, position: u32, depth: usize) -> Option<Known> {
        let view = self.facts.view;
        let mut callers = self
            .callers
            .get(&instance)?
            .iter()
            .filter(|(caller, _)| self.facts.threads.may_execute(*caller).contains(&self.thread));
        let (&(caller, call), None) = (callers.next()?, callers.next()) else { return None };
        if let Procedure::Lambda { method, inst } = view.procedure_of(caller) {
            let body = view.program.body(method)?;
            let Some(&captured) = body.args(inst).get(position as usize) else {
                let is_first = position as usize == body.args(inst).len();
                return is_first.then(|| self.element_of_stream(method, inst))?;
            };
            let lambdas = view.analysis.parameter_points_to(caller, 0);
            let mut lambdas = lambdas.iter();
            let (lambda, None) = (lambdas.next()?, lambdas.next()) else { return None };
            return self.value_for_task(lambda, captured);
        }
        let body = view.body(caller)?;
        let call = call.filter(|&call| matches!(body.insts[call].op, Op::Invoke(..)))?;
        self.value(caller, *body.args(call).get(position as usize)?, depth)
    }

    /// The number that a lambda expression gets from `IntStream.range(..)`, to which it is passed and to nothing else, by a method
    /// that runs once: different for each execution.
    fn element_of_stream(&self, method: MethodId, inst: Inst) -> Option<Known> {
        let view = self.facts.view;
        let (body, shape) = (view.program.body(method)?, view.shape(method)?);
        let lambda = body.insts[inst].result?;
        let mut uses = body.insts.ids().filter(|&user| body.args(user).contains(&lambda));
        let (user, None) = (uses.next()?, uses.next()) else { return None };
        let instances = view.analysis.instances_of(method);
        let &[maker] = instances else { return None };
        if !self.facts.executions.at_most_once(maker)
            || shape.may_repeat(user)
            || !goes_through_range(body, user)
        {
            return None;
        }
        let turns = Turns { step: 1, span: None };
        let tasks = Tasks { maker, inst, of_stream: true };
        Some(Known { poly: Poly::atom(Atom::Turn), tasks: Some((tasks, turns)) })
    }

    /// What a field of a task holds, if only the task's constructor writes it, from its argument.
    fn field_of_task(&self, task: ObjectId, field: FieldId) -> Option<Known> {
        let view = self.facts.view;
        let Site::Instruction { method, inst, depth: 0 } =
            view.analysis.heap.site_of(view.analysis.heap.get(task).site)
        else {
            return None;
        };
        let body = view.program.body(method)?;
        let made = body.insts[inst].result?;
        let mut constructions = body.insts.iter_ids().filter(|(call, data)| {
            matches!(&data.op, Op::Invoke(InvokeKind::Special, called) if called.name.is("<init>"))
                && body.args(*call).first() == Some(&made)
        });
        let (construction, data) = constructions.next()?;
        let (Op::Invoke(_, called), None) = (&data.op, constructions.next()) else { return None };
        let constructor = view.program.resolve_method(called).ok()?;
        let (writer, stored) = self.only_write(field)?;
        if writer != constructor {
            return None;
        }
        let ValueDef::Parameter(position) = view.program.body(constructor)?.values[stored].def else {
            return None;
        };
        self.value_for_task(task, *body.args(construction).get(position as usize)?)
    }

    /// The constructor and the value of the only write of a field, if it is to `this`, in no loop.
    fn only_write(&self, field: FieldId) -> Option<(MethodId, Value)> {
        let view = self.facts.view;
        let data = &view.program.fields[field];
        let mut found = None;
        // Final fields are written by the constructors of their class only; others by whoever has an access.
        let written_by: Vec<MethodId> = if data.is_final() {
            view.program.classes[data.class].methods.iter().collect()
        } else {
            let writes = self.facts.accesses.all.iter();
            let writes = writes
                .filter(|access| access.place == Place::Field(field) && access.kind == AccessKind::Write);
            let mut methods: Vec<MethodId> = writes.map(|access| access.method).collect();
            methods.dedup();
            methods
        };
        for method in written_by {
            let Some(body) = view.program.body(method) else { continue };
            for (inst, data) in body.insts.iter_ids() {
                let Op::PutField(reference) = &data.op else { continue };
                if view.program.resolve_field(reference).ok() != Some(field) {
                    continue;
                }
                let arguments = body.args(inst);
                let is_construction = view.program.methods[method].is_constructor()
                    && body.parameters.first() == Some(&arguments[0])
                    && view.shape(method).is_some_and(|shape| !shape.may_repeat(inst));
                if found.is_some() || !is_construction {
                    return None;
                }
                found = Some((method, arguments[1]));
            }
        }
        found
    }

    /// The value of an expression of the method that makes a task, as it was when the task was made.
    fn value_for_task(&self, task: ObjectId, value: Value) -> Option<Known> {
        let view = self.facts.view;
        let (inst, mut instances) = makers(view, task)?;
        let (maker, None) = (instances.next()?, instances.next()) else { return None };
        let method = view.method_of(maker)?;
        let (body, shape) = (view.program.body(method)?, view.shape(method)?);
        let in_loop = shape.loops.innermost(shape.block_of[inst]);
        let making = Making { body, shape, in_loop };
        let (poly, turns) = making.value(value, limits::INDEX_STEPS)?;
        let Some(turns) = turns else {
            // Without turns a polynomial says something only if it is a number.
            return poly.as_constant().map(Known::constant);
        };
        let once = self.facts.executions.at_most_once(maker)
            && in_loop.is_some_and(|id| shape.loops.get(id).parent.is_none())
            && shape.loops.irreducible_edges().is_empty();
        (once && self.facts.confinement.must_be_specific(task))
            .then_some(Known { poly, tasks: Some((Tasks { maker, inst, of_stream: false }, turns)) })
    }

    /// An index that counts in a loop of the thread's own code.
    fn counter(&self, instance: InstanceId, at: Inst, index: Value) -> Option<Counter> {
        let view = self.facts.view;
        let method = view.method_of(instance)?;
        let (body, shape) = (view.program.body(method)?, view.shape(method)?);
        let phi = body.defining_inst(index)?;
        let (start, step) = counting(body, shape, index)?;
        let from = self.value(instance, start, limits::INDEX_STEPS)?;
        let by = self.value(instance, step, limits::INDEX_STEPS);
        let upward = by.as_ref().and_then(|by| by.poly.as_constant()).is_some_and(|by| by > 0);
        let to = upward.then(|| limit(body, shape, shape.block_of[phi], index, at)).flatten().and_then(
            |(bound, plus)| {
                let bound = self.value(instance, bound, limits::INDEX_STEPS)?;
                bound.with(&Known::constant(plus), Poly::plus)
            },
        );
        Some(Counter { from, to, by })
    }
}

/// A variable that counts: where it starts, where it ends, by how much it steps.
struct Counter {
    from: Known,
    to: Option<Known>,
    by: Option<Known>,
}

/// The method that makes tasks.
struct Making<'b> {
    body: &'b Body,
    shape: &'b crate::shape::Shape,
    in_loop: Option<LoopId>,
}

impl Making<'_> {
    fn value(&self, value: Value, depth: usize) -> Option<(Poly, Option<Turns>)> {
        let depth = depth.checked_sub(1)?;
        let ValueDef::Inst(inst) = self.body.values[value].def else {
            return Some((Poly::atom(Atom::Invariant(value)), None));
        };
        let arguments = self.body.args(inst);
        match &self.body.insts[inst].op {
            Op::Int(number) => Some((Poly::constant(i64::from(*number)), None)),
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)) => {
                let ((a, turns), (b, others)) =
                    (self.value(arguments[0], depth)?, self.value(arguments[1], depth)?);
                let poly = match op {
                    BinaryOp::Add => a.plus(&b),
                    BinaryOp::Sub => a.minus(&b),
                    _ => a.times(&b),
                };
                Some((poly, turns.or(others)))
            }
            Op::ArrayLength if self.is_invariant_inst(arguments[0]) => {
                Some((Poly::atom(Atom::Length(arguments[0])), None))
            }
            Op::Phi if self.is_turn(inst) => {
                let (start, step) = counting(self.body, self.shape, value)?;
                let step = self.value(step, depth)?.0.as_constant().filter(|&step| step != 0)?;
                let span = self.span(value, start, step, depth);
                Some((Poly::atom(Atom::Turn), Some(Turns { step, span })))
            }
            _ if self.is_invariant_inst(value) => Some((Poly::atom(Atom::Invariant(value)), None)),
            _ => None,
        }
    }

    /// How far the turn variable goes, if the loop ends at a limit.
    fn span(&self, turn: Value, start: Value, step: i64, depth: usize) -> Option<Poly> {
        let header = self.shape.loops.get(self.in_loop?).header;
        let inside = self.shape.loops.get(self.in_loop?).latches.first().copied()?;
        let at = self.body.terminator(inside);
        let (bound, plus) = limit(self.body, self.shape, header, turn, at).filter(|_| step == 1)?;
        let (bound, start) = (self.value(bound, depth)?.0, self.value(start, depth)?.0);
        Some(bound.plus(&Poly::constant(plus)).minus(&start))
    }

    /// Whether a phi belongs to the loop that makes the tasks.
    fn is_turn(&self, phi: Inst) -> bool {
        self.in_loop.is_some_and(|id| self.shape.loops.get(id).header == self.shape.block_of[phi])
    }

    fn is_invariant_inst(&self, value: Value) -> bool {
        match (self.body.values[value].def, self.in_loop) {
            (ValueDef::Parameter(_), _) => true,
            (ValueDef::Inst(inst), Some(id)) => !self.shape.loops.contains(id, self.shape.block_of[inst]),
            (ValueDef::Inst(_), None) => false,
        }
    }
}

/// Whether a call handles the numbers of `IntStream.range` one by one, as they are.
fn goes_through_range(body: &Body, call: Inst) -> bool {
    let mut at = call;
    loop {
        let Op::Invoke(kind, called) = &body.insts[at].op else { return false };
        if !Kind::IntStream.has(called.owner.as_bytes()) {
            return false;
        }
        if *kind == InvokeKind::Static {
            return called.name.is("range") || called.name.is("rangeClosed");
        }
        let handles = ["forEach", "forEachOrdered", "map", "mapToObj", "mapToLong", "mapToDouble"];
        let keeps = ["parallel", "sequential", "unordered", "filter", "peek", "limit", "skip"];
        let names: &[&str] = if at == call { &handles } else { &keeps };
        let is_known = names.iter().chain(&keeps[3..5]).any(|name| called.name.is(name));
        let receiver = body.args(at).first().and_then(|&stream| body.defining_inst(stream));
        let (Some(receiver), true) = (receiver, is_known) else { return false };
        at = receiver;
    }
}

/// Where a counting variable, a phi of a loop's header, starts and by which value it steps.
fn counting(body: &Body, shape: &crate::shape::Shape, value: Value) -> Option<(Value, Value)> {
    let phi = body.defining_inst(value)?;
    let header = shape.block_of[phi];
    let id = shape.loops.innermost(header).filter(|&id| shape.loops.get(id).header == header)?;
    let Op::Phi = body.insts[phi].op else { return None };
    let (mut start, mut step) = (None, None);
    for (edge, &argument) in body.blocks[header].predecessors.iter().zip(body.args(phi)) {
        let (known, new) = if shape.loops.contains(id, edge.from) {
            let add = body.defining_inst(argument)?;
            let (Op::Binary(BinaryOp::Add), &[a, b]) = (&body.insts[add].op, body.args(add)) else {
                return None;
            };
            (
                &mut step,
                if a == value {
                    b
                } else if b == value {
                    a
                } else {
                    return None;
                },
            )
        } else {
            (&mut start, argument)
        };
        if known.is_some_and(|known| known != new) {
            return None;
        }
        *known = Some(new);
    }
    start.zip(step)
}

/// The bound below which a loop's variable stays at an instruction, by the test in the loop's header, and what to add to it.
fn limit(
    body: &Body,
    shape: &crate::shape::Shape,
    header: selvedge_ir::Block,
    variable: Value,
    at: Inst,
) -> Option<(Value, i64)> {
    let test = body.terminator(header);
    let (Op::If { condition, then, otherwise }, &[a, b]) = (body.insts[test].op, body.args(test)) else {
        return None;
    };
    if then == otherwise || a == b {
        return None;
    }
    // As if the variable were on the left.
    let condition = match (condition, a == variable, b == variable) {
        (condition, true, false) => condition,
        (Condition::Lt, false, true) => Condition::Gt,
        (Condition::Le, false, true) => Condition::Ge,
        (Condition::Gt, false, true) => Condition::Lt,
        (Condition::Ge, false, true) => Condition::Le,
        _ => return None,
    };
    let bound = if a == variable { b } else { a };
    let (inside, plus) = match condition {
        Condition::Lt => (then, 0),
        Condition::Le => (then, 1),
        Condition::Ge => (otherwise, 0),
        Condition::Gt => (otherwise, 1),
        _ => return None,
    };
    let only_way = body.blocks[inside].predecessors.len() == 1;
    (only_way && shape.dominators.dominates(inside, shape.block_of[at])).then_some((bound, plus))
}
