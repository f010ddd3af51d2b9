//! Which threads a method has started and not surely waited for, at each of its points.
//!
//! A forward dataflow analysis of one instance of a method. The state is relative to what was alive when the method was
//! entered: threads started since (a *may* fact, joined by union), and threads that were surely waited for since (a *must*
//! fact, joined by intersection). So `alive at a point = (alive on entry - ended) + started`, whoever calls.
//!
//! Of what the method has started itself, the last start by each value is kept separately as *recent*, so that a wait for that
//! very value ends it, also in a loop where earlier threads from the same place still run. A recent start becomes an
//! older one when its value is computed anew. A handle that is returned lives on in the caller as the result of the call.
//!
//! Exceptions: what leaves a block by an exception is the union of the states before each instruction that may throw, with
//! all that a throwing call may have started. A call that waits throws nothing but for what it waited for, unless
//! somebody interrupts: see [`Assume`](super::Assume) and [`AliveFacts::interrupts`](super::context::AliveFacts).

use selvedge_base::{BitSet, FastMap, IdVec};
use selvedge_ir::{Block, Body, Inst, Op, Value, ValueNumbering};
use selvedge_models::{Kind, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::collections::Code;
use super::context::OrderContext;
use super::spawns::Spawns;
use super::state::{Effects, Handle, State};
use super::waits::{Wait, edges_where};
use crate::shape::Shape;
use crate::threads::ThreadId;

/// Is shown calls, each with the state before it and what it starts.
pub(crate) type Visit<'f> = dyn FnMut(Inst, &State, &[(ThreadId, Option<Handle>)]) + 'f;

/// What happens at an instruction.
#[derive(Debug, Default)]
struct Event {
    /// The numbers whose value is computed anew.
    forgets: Vec<Value>,
    /// Values that are put into collections, both as numbers.
    keeps: Vec<(Value, Value)>,
    starts: Vec<(ThreadId, Option<Handle>)>,
    /// Calls of instances that start or wait themselves.
    callees: Vec<InstanceId>,
    /// What callees that are not looked into may start.
    may_start: BitSet<ThreadId>,
    /// Whether some callee is not looked into: then nothing has surely ended.
    opaque: bool,
    /// Whether it is a bulk operation, whose tasks have ended when it returns.
    is_structured: bool,
    waits: Vec<Wait>,
    /// Whether waiting is all it does, so that it throws only what it waited for.
    is_quiet: bool,
}

/// The analysis of one instance.
pub(crate) struct Local<'a> {
    pub instance: InstanceId,
    body: &'a Body,
    numbering: ValueNumbering,
    events: FastMap<Inst, Event>,
    /// What has surely ended where a branch is taken.
    on_edges: FastMap<(Block, Block), Vec<Wait>>,
    /// Threads that are surely put into the collection that is this one object.
    pub collected: Vec<(ThreadId, ObjectId)>,
    /// What holds on entry to each block; `None` if it is not reached.
    states: IdVec<Block, Option<State>>,
}

/// What leaves a block by exceptions.
#[derive(Default)]
struct Thrown {
    /// To handlers of anything.
    general: Option<State>,
    /// To handlers of what only waiting throws.
    of_waits: Option<State>,
}

impl Thrown {
    fn add(state: &State, to: &mut Option<State>) {
        match to {
            Some(known) => {
                known.join(state);
            }
            None => *to = Some(state.clone()),
        }
    }

    fn add_both(&mut self, state: &State) {
        Self::add(state, &mut self.general);
        Self::add(state, &mut self.of_waits);
    }
}

impl<'a> Local<'a> {
    /// Prepares the analysis; `None` if the instance has no code of its own.
    pub(crate) fn new(context: &OrderContext<'_, 'a>, instance: InstanceId) -> Option<Self> {
        let view = context.view;
        let method = view.method_of(instance)?;
        let body = view.program.body(method)?;
        let in_constructor = view.program.methods[method].is_constructor();
        let is_stable = |reference: &selvedge_ir::FieldRef| {
            !in_constructor
                && view
                    .program
                    .resolve_field(reference)
                    .is_ok_and(|field| view.program.fields[field].is_final())
        };
        let numbering = ValueNumbering::with_stable_loads(body, is_stable);
        let mut local = Self {
            instance,
            body,
            numbering,
            events: FastMap::default(),
            on_edges: FastMap::default(),
            collected: Vec::new(),
            states: body.blocks.ids().map(|_| None).collect(),
        };
        local.find_events(context, view.shape(method)?);
        local.find_forgetting(&is_stable);
        Some(local)
    }

    fn find_events(&mut self, context: &OrderContext<'_, 'a>, shape: &Shape) {
        let view = context.view;
        let of_instance = context.spawns.of(self.instance);
        for call in view.calls(self.instance) {
            let Some(inst) = call.inst else { continue };
            let mut event = Event { waits: context.waits(self.instance, &call), ..Event::default() };
            for &callee in call.callees {
                if !context.threads.is_call(view, self.instance, callee) {
                    event.opaque = true;
                } else if context.is_active(callee) {
                    event.callees.push(callee);
                } else {
                    event.opaque = true;
                    if let Some(started) = context.facts.may_start.get(&callee) {
                        event.may_start.union_with(started);
                    }
                }
            }
            for spawn in of_instance.iter().filter(|spawn| spawn.inst == Some(inst)) {
                let handle = self.handle_of(context, spawn.thread);
                let handle = handle.map(|value| self.keep(context, shape, spawn.thread, inst, value));
                event.starts.push((spawn.thread, handle));
                event.may_start.subtract(&context.spawns.below[spawn.thread]);
            }
            event.is_structured = context.is_structured(self.instance, inst);
            self.add_event(context, shape, inst, event);
        }
    }

    /// How a thread that is started by a value is known from then on: by the collection that keeps it, or by the value.
    fn keep(
        &mut self,
        context: &OrderContext<'_, 'a>,
        shape: &Shape,
        thread: ThreadId,
        start: Inst,
        value: Value,
    ) -> Handle {
        let code = Code {
            view: context.view,
            instance: self.instance,
            body: self.body,
            shape,
            numbering: &self.numbering,
        };
        let points_to = |value| context.view.analysis.points_to(self.instance, value);
        let keeps = |collection: Value| {
            let is_array = self.body.ty(collection).class().is_some_and(|class| class.is_array());
            if is_array { code.keeps(collection) } else { !points_to(collection).meets(context.shrinking()) }
        };
        let taken = code.taken_from(value).filter(|&collection| keeps(collection));
        let puts: Vec<(Inst, Value)> =
            code.put_into(value, || context.asked()).into_iter().filter(|put| keeps(put.1)).collect();
        let before =
            puts.iter().find(|(put, _)| shape.dominates(*put, start)).map(|&(_, collection)| collection);
        let collection = taken.or(before);
        let after: Vec<(Inst, Value)> =
            puts.into_iter().filter(|(put, _)| shape.dominates(start, *put)).collect();
        let number = self.numbering.number(value);
        if let Some(collection) = collection {
            let mut objects = points_to(collection).iter();
            if let (Some(object), None) = (objects.next(), objects.next())
                && context.executions.is_single(object)
            {
                self.collected.push((thread, object));
            }
            return Handle::Element(self.numbering.number(collection));
        }
        for (put, collection) in after {
            let keeping = (number, self.numbering.number(collection));
            self.events.entry(put).or_default().keeps.push(keeping);
        }
        Handle::Value(number)
    }

    fn add_event(&mut self, context: &OrderContext<'_, 'a>, shape: &Shape, inst: Inst, mut event: Event) {
        let starts = !event.starts.is_empty() || !event.callees.is_empty() || !event.may_start.is_empty();
        if !starts && event.waits.is_empty() {
            return;
        }
        // Waits for the elements of an array are found below.
        event.is_quiet = !starts && event.waits.iter().any(|wait| wait.when == When::Always);
        for wait in event.waits.iter().filter(|wait| wait.when != When::Always) {
            for edge in edges_where(self.body, inst, wait.when) {
                self.on_edges.entry(edge).or_default().push(wait.clone());
            }
        }
        event.waits.retain(|wait| wait.when == When::Always);
        let code = Code {
            view: context.view,
            instance: self.instance,
            body: self.body,
            shape,
            numbering: &self.numbering,
        };
        let mut of_elements = Vec::new();
        for wait in event.waits.iter().filter(|wait| !wait.of_elements) {
            let elements = |value: Value| {
                let objects = context.view.analysis.points_to(self.instance, value).iter().collect();
                Wait { value, of_elements: true, objects, when: When::Always, needs_start: true }
            };
            // Where a round may be cut short by an exception, not all have been waited for.
            let may_skip =
                context.facts.interrupts && !self.body.blocks[shape.block_of[inst]].unwind.is_empty();
            if let Some((collection, exit)) = code.for_all(inst, wait.value).filter(|_| !may_skip) {
                self.on_edges.entry(exit).or_default().push(elements(collection));
            }
            of_elements.extend(code.combined(wait.value).map(elements));
        }
        event.waits.extend(of_elements);
        let keeps = self.events.remove(&inst).map(|known| known.keeps);
        event.keeps.extend(keeps.into_iter().flatten());
        self.events.insert(inst, event);
    }

    /// The handle by which this method knows a thread that it starts: the future rather than the executor.
    fn handle_of(&self, context: &OrderContext<'_, '_>, thread: ThreadId) -> Option<Value> {
        let ends = &context.spawns.ends[thread];
        let best = ends.iter().find(|end| end.value.is_some() && !end.is_receiver);
        let best = best.or_else(|| ends.iter().find(|end| end.value.is_some() && !context.is_executor(end)));
        best.and_then(|end| end.value)
    }

    /// Where the values behind handles are computed anew.
    fn find_forgetting(&mut self, is_stable: &dyn Fn(&selvedge_ir::FieldRef) -> bool) {
        let mut forgetting: Vec<(Inst, Value)> = Vec::new();
        for (&inst, event) in &self.events {
            for (_, handle) in &event.starts {
                if let Some(Handle::Value(number) | Handle::Element(number)) = handle
                    && let Some(definer) = self.body.defining_inst(self.leaf(*number, is_stable))
                {
                    forgetting.push((definer, *number));
                }
            }
            for (_, collection) in &event.keeps {
                if let Some(definer) = self.body.defining_inst(self.leaf(*collection, is_stable)) {
                    forgetting.push((definer, *collection));
                }
            }
            if !event.callees.is_empty()
                && let Some(result) = self.body.insts[inst].result
            {
                forgetting.push((inst, self.numbering.number(result)));
            }
        }
        for (inst, number) in forgetting {
            let forgets = &mut self.events.entry(inst).or_default().forgets;
            if !forgets.contains(&number) {
                forgets.push(number);
            }
        }
    }

    /// The value whose computation decides a value: what is cast, the object that a stable field is loaded from.
    fn leaf(&self, value: Value, is_stable: &dyn Fn(&selvedge_ir::FieldRef) -> bool) -> Value {
        let mut value = value;
        while let Some(definer) = self.body.defining_inst(value) {
            match &self.body.insts[definer].op {
                Op::CheckCast(_) => value = self.numbering.number(self.body.args(definer)[0]),
                Op::GetField(field) if is_stable(field) => {
                    value = self.numbering.number(self.body.args(definer)[0]);
                }
                _ => break,
            }
        }
        value
    }

    /// Solves the dataflow with the effects of callees as they are known now. Gives the instance's own effects, `None` if it
    /// does not return, and what may run if an exception leaves it.
    pub(crate) fn solve(&mut self, context: &OrderContext<'_, 'a>) -> (Option<Effects>, BitSet<ThreadId>) {
        for state in self.states.iter_mut() {
            *state = None;
        }
        self.states[Body::ENTRY] = Some(State::default());
        let mut pending: std::collections::BTreeSet<Block> = [Body::ENTRY].into();
        let mut effects: Option<Effects> = None;
        let mut thrown_out = BitSet::new();
        while let Some(block) = pending.pop_first() {
            let Some(state) = self.states[block].clone() else { continue };
            let mut thrown = Thrown::default();
            let out = self.through(context, block, state, None, &mut thrown, &mut |_, _, _| {});
            for position in 0..self.body.blocks[block].unwind.len() {
                let unwind = self.body.blocks[block].unwind[position];
                let of_interrupts =
                    unwind.catches.is_some_and(|class| Kind::Interruption.has(class.as_bytes()));
                if of_interrupts && context.facts.is_undisturbed {
                    continue;
                }
                let of_waits = unwind.catches.is_some_and(|class| is_thrown_by_waits(&class.to_string()));
                let state = if of_waits { &thrown.of_waits } else { &thrown.general };
                if let Some(state) = state
                    && self.flow_into(unwind.handler, state)
                {
                    pending.insert(unwind.handler);
                }
            }
            if let Some(state) = &thrown.general {
                thrown_out.union_with(&state.alive(context.spawns, &BitSet::new()));
            }
            let Some(out) = out else { continue };
            if matches!(self.body.insts[self.body.terminator(block)].op, Op::Return) {
                self.leave(context.spawns, block, out, &mut effects);
                continue;
            }
            for target in self.body.normal_successors(block) {
                let changed = match self.on_edges.get(&(block, target)) {
                    Some(waits) => {
                        let mut state = out.clone();
                        waits.iter().for_each(|wait| self.wait(context, wait, &mut state));
                        self.flow_into(target, &state)
                    }
                    None => self.flow_into(target, &out),
                };
                if changed {
                    pending.insert(target);
                }
            }
        }
        (effects, thrown_out)
    }

    fn flow_into(&mut self, target: Block, state: &State) -> bool {
        match &mut self.states[target] {
            Some(known) => known.join(state),
            none => {
                *none = Some(state.clone());
                true
            }
        }
    }

    fn leave(&self, spawns: &Spawns, block: Block, out: State, effects: &mut Option<Effects>) {
        let returned =
            self.body.args(self.body.terminator(block)).first().map(|&value| self.numbering.number(value));
        let mut of_path =
            Effects { ended: out.ended, waited: out.waited, started: out.older, ..Effects::default() };
        for (thread, handle) in out.recent {
            let is_returned = returned.is_some_and(|number| handle == Handle::Value(number));
            if is_returned {
                of_path.returned.insert(thread);
            } else {
                of_path.started.union_with(&spawns.below[thread]);
            }
        }
        match effects {
            None => *effects = Some(of_path),
            Some(known) => known.meet(&of_path),
        }
    }

    /// Walks through a block, up to but not including `until`; `None` if a call does not return. Each call and start is shown
    /// to `visit` with the state before it.
    fn through(
        &self,
        context: &OrderContext<'_, '_>,
        block: Block,
        mut state: State,
        until: Option<Inst>,
        thrown: &mut Thrown,
        visit: &mut Visit<'_>,
    ) -> Option<State> {
        let mut is_noted = false;
        for inst in self.body.blocks[block].insts.iter() {
            if until == Some(inst) {
                break;
            }
            let is_call = matches!(self.body.insts[inst].op, Op::Invoke(..) | Op::InvokeDynamic(_));
            let Some(event) = self.events.get(&inst) else {
                if is_call {
                    visit(inst, &state, &[]);
                }
                // What only waiting throws, only a call throws.
                if is_call {
                    thrown.add_both(&state);
                } else if !is_noted && self.body.may_throw(inst) {
                    Thrown::add(&state, &mut thrown.general);
                    is_noted = true;
                }
                continue;
            };
            event.forgets.iter().for_each(|&number| state.forget(context.spawns, number));
            visit(inst, &state, &event.starts);
            is_noted = false;
            if event.is_quiet && !context.facts.interrupts {
                self.quiet(context, event, &state, thrown);
            } else if self.body.may_throw(inst) {
                let mut while_thrown = state.clone();
                while_thrown.older.union_with(&event.may_start);
                for (thread, _) in &event.starts {
                    while_thrown.older.union_with(&context.spawns.below[*thread]);
                }
                for callee in &event.callees {
                    while_thrown.older.union_with(context.thrown_by(*callee));
                }
                thrown.add_both(&while_thrown);
            }
            self.call(context, inst, event, &mut state)?;
            event.waits.iter().for_each(|wait| self.wait(context, wait, &mut state));
            event.keeps.iter().for_each(|&(value, collection)| state.keep(value, collection));
        }
        Some(state)
    }

    /// A wait that throws does so for what it waited for, or because what it is called on is null: then it was never started
    /// by that value.
    fn quiet(&self, context: &OrderContext<'_, '_>, event: &Event, state: &State, thrown: &mut Thrown) {
        let (mut by_value, mut whole) = (state.clone(), state.clone());
        for wait in &event.waits {
            by_value.end_handle(context, self.handle_waited_for(wait));
            self.wait(context, wait, &mut whole);
        }
        Thrown::add(&by_value, &mut thrown.general);
        Thrown::add(&whole, &mut thrown.of_waits);
    }

    fn call(
        &self,
        context: &OrderContext<'_, '_>,
        inst: Inst,
        event: &Event,
        state: &mut State,
    ) -> Option<()> {
        let mut ended: Option<(BitSet<ThreadId>, u64)> = event.opaque.then(|| (BitSet::new(), 0));
        let mut returns = event.opaque || event.callees.is_empty();
        let mut started = event.may_start.clone();
        let mut returned = BitSet::new();
        for &callee in &event.callees {
            let Some(effects) = context.facts.effects.get(&callee) else { continue };
            returns = true;
            started.union_with(&effects.started);
            returned.union_with(&effects.returned);
            match &mut ended {
                Some((ended, waited)) => {
                    ended.intersect_with(&effects.ended);
                    *waited &= effects.waited;
                }
                None => ended = Some((effects.ended.clone(), effects.waited)),
            }
        }
        if !returns {
            return None;
        }
        if let Some((ended, waited)) = ended {
            for (position, &argument) in self.body.args(inst).iter().enumerate().take(64) {
                if waited & (1 << position) != 0 {
                    self.end_value(context, argument, state);
                }
            }
            ended.iter().for_each(|thread| state.end_all(context, thread));
        }
        if event.is_structured {
            for &(thread, _) in event.starts.iter().filter(|(id, _)| !context.facts.complete.contains(*id)) {
                let mut left = context.spawns.below[thread].clone();
                left.remove(thread);
                left.subtract(&context.facts.ended_with[thread]);
                state.older.union_with(&left);
            }
            started.union_with(&returned);
            state.older.union_with(&context.outlive(&started));
            return Some(());
        }
        state.older.union_with(&started);
        let handle = self.body.insts[inst].result.map(|result| Handle::Value(self.numbering.number(result)));
        returned.iter().for_each(|thread| state.start(context, thread, handle));
        event.starts.iter().for_each(|&(thread, handle)| state.start(context, thread, handle));
        Some(())
    }

    fn end_value(&self, context: &OrderContext<'_, '_>, value: Value, state: &mut State) {
        let number = self.numbering.number(value);
        state.end_handle(context, Handle::Value(number));
        if let Some(position) = self.body.parameters.iter().position(|&parameter| parameter == number)
            && position < 64
        {
            state.waited |= 1 << position;
        }
    }

    fn handle_waited_for(&self, wait: &Wait) -> Handle {
        let number = self.numbering.number(wait.value);
        if wait.of_elements { Handle::Element(number) } else { Handle::Value(number) }
    }

    fn wait(&self, context: &OrderContext<'_, '_>, wait: &Wait, state: &mut State) {
        match self.handle_waited_for(wait) {
            Handle::Value(_) => self.end_value(context, wait.value, state),
            handle @ Handle::Element(_) => state.end_handle(context, handle),
        }
        for thread in context.ended_by(self.instance, wait) {
            state.end_all(context, thread);
        }
    }

    /// What holds before an instruction; `None` if it is never reached.
    pub(crate) fn before(&self, context: &OrderContext<'_, '_>, block: Block, inst: Inst) -> Option<State> {
        let state = self.states[block].clone()?;
        self.through(context, block, state, Some(inst), &mut Thrown::default(), &mut |_, _, _| {})
    }

    /// Shows every call that is reached, with the state before it and what it starts.
    pub(crate) fn for_each_call(&self, context: &OrderContext<'_, '_>, visit: &mut Visit<'_>) {
        for (block, state) in self.states.iter_ids() {
            if let Some(state) = state {
                self.through(context, block, state.clone(), None, &mut Thrown::default(), visit);
            }
        }
    }
}

/// Whether an exception of this class is thrown by calls that wait, and by little else.
fn is_thrown_by_waits(class: &str) -> bool {
    Kind::FailedWait.has(class)
}
