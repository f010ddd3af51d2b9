//! Which threads may be alive where: [`local`](super::local) carried through the call graph.
//!
//! First the effects of every instance that starts or waits for threads, from callees to callers, until nothing changes: what it
//! may leave running, what has surely ended. Then, for each thread that exists once, what may be alive on entry to
//! each instance that it executes. "Alive" is relative to that thread: started by it or by its descendants.
//!
//! Code without a body (native methods, the adapters of lambdas) is not looked into: all that it may start may be alive at each
//! of its points, unless it just makes one call.
//!
//! Two threads are *alive together* under their common ancestor if one of them may be alive where the other is started.

use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, IdVec, PriorityWorklist};
use selvedge_ir::Inst;
use selvedge_pta::InstanceId;

use super::Assume;
use super::context::{AliveFacts, OrderContext, is_one, waiting_methods};
use super::entered::Entered;
use super::interruption::interrupts;
use super::local::Local;
use super::passages::Passages;
use super::schedule::callees_first;
use super::signals::throws_interrupts;
use super::spawns::Spawns;
use super::state::{Effects, State};
use super::together::Together;
use crate::executions::Executions;
use crate::limits;
use crate::memo::Table;
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// See the [module documentation](self).
pub(crate) struct Alive<'a> {
    facts: AliveFacts,
    assume: Assume,
    locals: FastMap<InstanceId, Local<'a>>,
    /// What holds before the instructions that were asked about.
    before: Table<(InstanceId, Inst), Option<Arc<State>>>,
    /// For each thread that exists once and starts others: what may be alive on entry to the instances that it executes.
    on_entry: Entered<ThreadId>,
    /// For each such thread the pairs of descendants of which one may be alive where the other starts.
    together: FastMap<ThreadId, Together>,
}

/// What may be alive on entry to the instances that a thread executes, and which of its descendants are alive together.
type Entries = (FastMap<InstanceId, BitSet<ThreadId>>, Together);

impl<'a> Alive<'a> {
    pub(crate) fn new(
        view: &View<'a>,
        threads: &Threads,
        executions: &Executions,
        spawns: &Spawns,
        assume: Assume,
        ended_within: IdVec<ThreadId, Vec<ThreadId>>,
    ) -> Self {
        let mut alive = Self {
            facts: AliveFacts::default(),
            assume,
            locals: FastMap::default(),
            before: Table::default(),
            on_entry: Entered::default(),
            together: FastMap::default(),
        };
        alive.facts.ended_within = ended_within;
        alive.facts.ended_with = threads.all.ids().map(|_| BitSet::new()).collect();
        alive.facts.interrupts = interrupts(view);
        alive.facts.is_undisturbed =
            assume == Assume::Usual && !view.has_clients() && !interrupts(view) && !throws_interrupts(view);
        alive.facts.waiting_methods = waiting_methods(view);
        let mut executed = BitSet::new();
        let ones: Vec<ThreadId> = threads.all.ids().filter(|&thread| is_one(threads, thread)).collect();
        let is_recursive = |&thread: &ThreadId| {
            spawns.parents[thread].iter().any(|&parent| spawns.below[thread].contains(parent))
        };
        let recursive: BitSet<ThreadId> = threads.all.ids().filter(is_recursive).collect();
        let leads_to_recursive = |&thread: &ThreadId| {
            matches!(threads.all[thread].origin, Origin::Spawn { .. })
                && recursive.iter().any(|other| spawns.below[thread].contains(other))
        };
        // What others do concerns none of those that exist once: they start only their own descendants.
        let is_below_one = |thread: &ThreadId| ones.iter().any(|&one| spawns.below[one].contains(*thread));
        let recursive = threads.all.ids().filter(|thread| leads_to_recursive(thread) && is_below_one(thread));
        let recursive: Vec<ThreadId> = recursive.collect();
        for &thread in ones.iter().chain(&recursive) {
            executed.union_with(&threads.reached[thread]);
        }
        alive.facts.complete = recursive.iter().copied().collect();
        let callers = callers(view, threads, &executed);
        alive.find_may_start(spawns, &callers);
        alive.find_active(view, threads, executions, spawns, &executed, &callers);
        let mut drops = 0;
        while !alive.facts.complete.is_empty() {
            alive.solve_effects(view, threads, executions, spawns, &callers);
            if !alive.drop_incomplete(threads) {
                break;
            }
            drops += 1;
            if drops == limits::INCOMPLETE_THREADS {
                alive.facts.complete.clear();
            }
        }
        let followed: BitSet<ThreadId> = ones.iter().chain(&recursive).copied().collect();
        for _ in 0..limits::NESTED_JOINS {
            alive.solve_effects(view, threads, executions, spawns, &callers);
            if !alive.find_ended_with(threads, spawns, &followed) {
                break;
            }
        }
        let mut callers_first = callees_first(&executed, &callers);
        callers_first.reverse();
        let mut pending = PriorityWorklist::new(&callers_first);
        let mut passages = Passages::default();
        let context = alive.context(view, threads, executions, spawns);
        let (mut on_entry, mut together) = (Entered::default(), FastMap::default());
        for thread in ones.into_iter().filter(|&thread| spawns.below[thread].len() >= 2) {
            let (entered, pairs) = alive.entries(&context, &mut passages, &mut pending, thread);
            on_entry.add(thread, entered);
            together.insert(thread, pairs);
        }
        (alive.on_entry, alive.together) = (on_entry, together);
        alive
    }

    /// What is known about instances.
    pub(crate) fn facts(&self) -> &AliveFacts {
        &self.facts
    }

    fn context<'c>(
        &'c self,
        view: &'c View<'a>,
        threads: &'c Threads,
        executions: &'c Executions,
        spawns: &'c Spawns,
    ) -> OrderContext<'c, 'a> {
        OrderContext { view, threads, executions, spawns, facts: &self.facts, assume: self.assume }
    }

    fn find_may_start(&mut self, spawns: &Spawns, callers: &FastMap<InstanceId, Vec<InstanceId>>) {
        let mut pending = Vec::new();
        for (instance, started) in spawns.starters() {
            let set = self.facts.may_start.entry(instance).or_default();
            started.iter().for_each(|spawn| {
                set.union_with(&spawns.below[spawn.thread]);
            });
            pending.push(instance);
        }
        while let Some(instance) = pending.pop() {
            let Some(set) = self.facts.may_start.get(&instance).cloned() else { continue };
            for &caller in callers.get(&instance).into_iter().flatten() {
                if self.facts.may_start.entry(caller).or_default().union_with(&set) {
                    pending.push(caller);
                }
            }
        }
    }

    fn find_active(
        &mut self,
        view: &View<'a>,
        threads: &Threads,
        executions: &Executions,
        spawns: &Spawns,
        executed: &BitSet<InstanceId>,
        callers: &FastMap<InstanceId, Vec<InstanceId>>,
    ) {
        let is_own = |instance| view.is_application_instance(instance) && view.body(instance).is_some();
        let is_known = |instance| view.body(instance).is_some() || is_forwarding(view, instance);
        let mut active = BitSet::new();
        let mut pending = Vec::new();
        for instance in executed.iter().filter(|&instance| is_known(instance)) {
            let context = self.context(view, threads, executions, spawns);
            let waits = || view.calls(instance).any(|call| !context.waits(instance, &call).is_empty());
            if self.facts.may_start.contains_key(&instance) || is_own(instance) && waits() {
                active.insert(instance);
                pending.push(instance);
            }
        }
        while let Some(instance) = pending.pop() {
            for &caller in callers.get(&instance).into_iter().flatten() {
                if is_own(caller) && active.insert(caller) {
                    pending.push(caller);
                }
            }
        }
        self.facts.active = active;
        let context = self.context(view, threads, executions, spawns);
        let made = context.facts.active.iter().filter_map(|id| Some((id, Local::new(&context, id)?)));
        self.locals = made.collect();
        self.facts.collected =
            self.locals.values().flat_map(|local| local.collected.iter().copied()).collect();
    }

    fn solve_effects(
        &mut self,
        view: &View<'a>,
        threads: &Threads,
        executions: &Executions,
        spawns: &Spawns,
        callers: &FastMap<InstanceId, Vec<InstanceId>>,
    ) {
        self.facts.effects.clear();
        self.facts.thrown.clear();
        let order = callees_first(&self.facts.active, callers);
        let mut pending = PriorityWorklist::new(&order);
        order.iter().for_each(|&instance| {
            pending.push(instance);
        });
        while let Some(instance) = pending.pop() {
            let (effects, thrown) = match self.locals.remove(&instance) {
                Some(mut local) => {
                    let solved = local.solve(&self.context(view, threads, executions, spawns));
                    self.locals.insert(instance, local);
                    solved
                }
                None => self.forwarded(view, instance),
            };
            let mut changed = self.facts.thrown.entry(instance).or_default().union_with(&thrown);
            if let Some(effects) = effects {
                changed |= self.facts.effects.get(&instance) != Some(&effects);
                self.facts.effects.insert(instance, effects);
            }
            if changed {
                for &caller in callers.get(&instance).into_iter().flatten() {
                    pending.push(caller);
                }
            }
        }
    }

    /// The effects of an instance that makes one call and does nothing else.
    fn forwarded(&self, view: &View<'a>, instance: InstanceId) -> (Option<Effects>, BitSet<ThreadId>) {
        let mut effects: Option<Effects> = None;
        let mut thrown = BitSet::new();
        for &callee in view.calls(instance).flat_map(|call| call.callees) {
            let mut of_callee = match self.facts.effects.get(&callee) {
                Some(known) => known.clone(),
                None if self.facts.active.contains(callee) => {
                    // It does not return, or not as far as this has been found; it may well throw (JoinedFailsLeavingHelper).
                    if let Some(known) = self.facts.thrown.get(&callee) {
                        thrown.union_with(known);
                    }
                    continue;
                }
                None => Effects {
                    started: self.facts.may_start.get(&callee).cloned().unwrap_or_default(),
                    ..Effects::default()
                },
            };
            // The arguments are not those of the callee.
            of_callee.waited = 0;
            thrown.union_with(self.facts.thrown.get(&callee).unwrap_or(&of_callee.started));
            match &mut effects {
                None => effects = Some(of_callee),
                Some(known) => known.meet(&of_callee),
            }
        }
        (effects, thrown)
    }

    /// Threads that may leave others running are not complete; whether there were some.
    fn drop_incomplete(&mut self, threads: &Threads) -> bool {
        let leaves_some = |&thread: &ThreadId| !self.left_running(threads, thread).is_empty();
        let dropped: Vec<ThreadId> = self.facts.complete.iter().filter(leaves_some).collect();
        dropped.iter().for_each(|&thread| {
            self.facts.complete.remove(thread);
        });
        !dropped.is_empty()
    }

    /// Descendants that a thread has surely waited for when it ends; whether more are known than before. Of threads that are not
    /// followed it is not known what they start.
    fn find_ended_with(&mut self, threads: &Threads, spawns: &Spawns, followed: &BitSet<ThreadId>) -> bool {
        let mut changed = false;
        for thread in followed.iter() {
            let left = self.left_running(threads, thread);
            let mut ended = spawns.below[thread].clone();
            ended.remove(thread);
            ended.subtract(&left);
            let kept: Vec<ThreadId> = ended.iter().filter(|&below| spawns.dominates(thread, below)).collect();
            for below in kept {
                changed |= self.facts.ended_with[thread].insert(below);
            }
        }
        changed
    }

    /// What a thread may leave running when it ends.
    fn left_running(&self, threads: &Threads, thread: ThreadId) -> BitSet<ThreadId> {
        let mut left = BitSet::new();
        for &entry in &threads.all[thread].entries {
            left.union_with(&self.left_by(entry));
        }
        if self.assume == Assume::Usual {
            // Tasks end without an exception as they usually do, but for those that end in no other way.
            let fails = |instance: &InstanceId| {
                threads.reached[thread].contains(*instance) && !self.facts.effects.contains_key(instance)
            };
            for instance in self.facts.active.iter().filter(fails) {
                if let Some(thrown) = self.facts.thrown.get(&instance) {
                    left.union_with(thrown);
                }
            }
        }
        left
    }

    /// What the first method of a thread may leave running.
    fn left_by(&self, entry: InstanceId) -> BitSet<ThreadId> {
        let mut left = match self.facts.effects.get(&entry) {
            Some(effects) => {
                let mut left = effects.started.clone();
                left.union_with(&effects.returned);
                left
            }
            None if self.facts.active.contains(entry) => BitSet::new(),
            None => self.facts.may_start.get(&entry).cloned().unwrap_or_default(),
        };
        if self.assume == Assume::Nothing
            && let Some(thrown) = self.facts.thrown.get(&entry)
        {
            left.union_with(thrown);
        }
        left
    }

    /// What may be alive on entry to what a thread executes.
    fn entries(
        &self,
        context: &OrderContext<'_, 'a>,
        passages: &mut Passages,
        pending: &mut PriorityWorklist<InstanceId>,
        thread: ThreadId,
    ) -> Entries {
        let OrderContext { view, threads, spawns, .. } = *context;
        let mut on_entry: FastMap<InstanceId, BitSet<ThreadId>> = FastMap::default();
        let mut together = Together::default();
        for &entry in &threads.all[thread].entries {
            on_entry.insert(entry, BitSet::new());
            pending.push(entry);
        }
        while let Some(instance) = pending.pop() {
            let entered = on_entry.get(&instance).cloned().unwrap_or_default();
            let mut flow = |callee: InstanceId, alive: &BitSet<ThreadId>| {
                // Library code calls lambda expressions of others, too, which this thread never executes.
                if !threads.reached[thread].contains(callee) {
                    return;
                }
                let changed = match on_entry.get_mut(&callee) {
                    Some(known) => known.union_with(alive),
                    None => {
                        on_entry.insert(callee, alive.clone());
                        true
                    }
                };
                if changed {
                    pending.push(callee);
                }
            };
            let Some(local) = self.locals.get(&instance) else {
                let mut alive = entered;
                if let Some(started) = self.facts.may_start.get(&instance)
                    && !is_forwarding(view, instance)
                {
                    alive.union_with(started);
                }
                for spawn in spawns.of(instance) {
                    start_beside(spawns, spawn.thread, &alive, &mut together);
                }
                let callees = view.calls(instance).flat_map(|call| call.callees);
                callees
                    .filter(|&&callee| threads.is_call(view, instance, callee))
                    .for_each(|&callee| flow(callee, &alive));
                continue;
            };
            for passage in passages.of(context, instance, local) {
                let alive = passage.alive(&entered);
                passage.callees.iter().for_each(|&callee| flow(callee, &alive));
                for starts in &passage.starts {
                    starts.iter().for_each(|&started| start_beside(spawns, started, &alive, &mut together));
                    start_together(threads, spawns, starts, &mut together);
                }
            }
        }
        (on_entry, together)
    }

    /// Whether `other` may be alive where `thread`, from which it descends, executes an instruction.
    pub(crate) fn may_be_alive(
        &self,
        context: &OrderContext<'_, 'a>,
        (thread, instance, inst): (ThreadId, InstanceId, Inst),
        other: ThreadId,
    ) -> bool {
        let Some(entered) = self.on_entry.get(thread, instance) else { return true };
        let Some(local) = self.locals.get(&instance) else {
            let starts = || self.facts.may_start.get(&instance).is_some_and(|set| set.contains(other));
            return entered.contains(other) || starts();
        };
        let context = OrderContext { facts: &self.facts, assume: self.assume, ..*context };
        let state = self.before.get_or_insert((instance, inst), || {
            let method = context.view.method_of(instance)?;
            let block = context.view.block_of(method, inst)?;
            local.before(&context, block, inst).map(Arc::new)
        });
        // What is not reached unless somebody interrupts is no proof of anything.
        let is_cut_off = state.is_none() && self.facts.is_undisturbed;
        is_cut_off || state.is_some_and(|state| state.alive(context.spawns, entered).contains(other))
    }

    /// Whether two descendants of a thread may be alive at the same time.
    pub(crate) fn may_be_together(&self, ancestor: ThreadId, a: ThreadId, b: ThreadId) -> bool {
        self.together.get(&ancestor).is_none_or(|pairs| pairs.contains(a, b))
    }
}

/// Whether an instance makes one call and does nothing else, as the adapter of a lambda expression does.
pub(crate) fn is_forwarding(view: &View<'_>, instance: InstanceId) -> bool {
    matches!(view.procedure_of(instance), selvedge_pta::Procedure::Lambda { .. })
        && view.calls(instance).count() == 1
}

/// Several threads of one call are alive together: which of them it is is not known.
fn start_together(threads: &Threads, spawns: &Spawns, starts: &[ThreadId], together: &mut Together) {
    for (position, &a) in starts.iter().enumerate() {
        for &b in &starts[position + 1..] {
            if threads.all[a].objects != threads.all[b].objects {
                together.add_all(&spawns.below[a], &spawns.below[b]);
            }
        }
    }
}

/// A thread starts where others may be alive.
fn start_beside(spawns: &Spawns, started: ThreadId, alive: &BitSet<ThreadId>, together: &mut Together) {
    let below = &spawns.below[started];
    together.add_all(below, alive);
    // What it starts in turn is not distinguished here, but the thread itself is one.
    together.add_among(below, started);
}

/// Who calls whom within a thread, among what is executed.
pub(crate) fn callers(
    view: &View<'_>,
    threads: &Threads,
    executed: &BitSet<InstanceId>,
) -> FastMap<InstanceId, Vec<InstanceId>> {
    let mut callers: FastMap<InstanceId, Vec<InstanceId>> = FastMap::default();
    for caller in executed.iter() {
        for call in view.calls(caller) {
            for &callee in call.callees.iter().filter(|&&callee| threads.is_call(view, caller, callee)) {
                callers.entry(callee).or_default().push(caller);
            }
        }
    }
    callers
}
