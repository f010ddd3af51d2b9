//! Message passing: latches, flags, semaphores, barriers, promises.
//!
//! A *channel* is an object, or a volatile field, through which one thread tells others that something has happened. To publish is to
//! count down, to set the flag, to release a permit; to observe is to return from `await`, to see that the flag is set.
//!
//! The theorem: if only one thread `p` ever publishes on a channel, `p` makes access `a` only before it publishes, and `q` makes
//! access `b` only after it has observed a publication, then `a` happens before `b`. Both "only before" and "only
//! after" are one forward dataflow analysis with two marks for each channel: *published* (may: gained where the thread publishes) and
//! *pending* (may: there from the start of the thread, lost where it observes).
//!
//! Where several threads publish and the observer waits for all of them (latches, barriers, phasers), the same holds if the count is
//! the number of publishers, which is not known in general: a heuristic, and none where the count is seen to be smaller.

use selvedge_base::{BitSet, FastMap, FastSet, IdVec, entity};
use selvedge_ir::{Block, Body, ClassName, Inst, Op, Value};
use selvedge_models::{After, AtomicKind, Effect, LockMode, Order as MemoryOrder, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::FieldId;

use super::alive::{is_forwarding, is_one};
use super::spawns::Spawns;
use super::waits::edges_where;
use crate::executions::Executions;
use crate::refutation::Strength;
use crate::threads::{ThreadId, Threads};
use crate::view::View;

entity! {
    /// A channel: twice its number is the mark *published*, one more the mark *pending*.
    ChannelId "c";
    /// A mark.
    Mark "k";
}

/// Through what threads signal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    Object(ObjectId),
    Static(FieldId),
    Field(ObjectId, FieldId),
}

struct Channel {
    key: Key,
    /// The threads that publish on it, by what they do or by their end; sorted.
    publishers: Vec<ThreadId>,
    /// The threads that publish on it by what they do; sorted.
    signallers: Vec<ThreadId>,
    /// Whether observers wait for all publishers.
    waits_for_all: bool,
}

fn published(channel: ChannelId) -> Mark {
    Mark::new(channel.number() * 2)
}

fn pending(channel: ChannelId) -> Mark {
    Mark::new(channel.number() * 2 + 1)
}

/// What a piece of code does to the marks: `after = (before - lost) + gained`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Change {
    gained: BitSet<Mark>,
    lost: BitSet<Mark>,
}

impl Change {
    fn then(&mut self, next: &Change) {
        self.gained.subtract(&next.lost);
        self.gained.union_with(&next.gained);
        self.lost.union_with(&next.lost);
    }

    fn meet(&mut self, other: &Change) -> bool {
        let gained = self.gained.union_with(&other.gained);
        self.lost.intersect_with(&other.lost) || gained
    }

    fn of(&self, before: &BitSet<Mark>) -> BitSet<Mark> {
        let mut after = before.clone();
        after.subtract(&self.lost);
        after.union_with(&self.gained);
        after
    }
}

/// What an instance does itself, by instruction and by edge.
#[derive(Default)]
struct Own {
    at: FastMap<Inst, Change>,
    on_edges: FastMap<(Block, Block), BitSet<Mark>>,
}

/// See the [module documentation](self).
pub(crate) struct Signals {
    channels: IdVec<ChannelId, Channel>,
    own: FastMap<InstanceId, Own>,
    /// What each instance that touches a channel does when it returns; absent if it does not.
    changes: FastMap<InstanceId, Change>,
    may_publish: FastMap<InstanceId, BitSet<Mark>>,
    active: BitSet<InstanceId>,
    on_entry: FastMap<ThreadId, FastMap<InstanceId, BitSet<Mark>>>,
    /// Whether somebody may interrupt a thread that waits.
    interrupts: bool,
}

/// What a call or access does to a channel.
struct Touch {
    key: Key,
    publishes: bool,
    waits_for_all: bool,
    when: When,
}

impl Signals {
    pub(crate) fn new(
        view: &View<'_>,
        threads: &Threads,
        executions: &Executions,
        spawns: &Spawns,
        interrupts: bool,
    ) -> Self {
        let mut signals = Self {
            channels: IdVec::new(),
            own: FastMap::default(),
            changes: FastMap::default(),
            may_publish: FastMap::default(),
            active: BitSet::new(),
            on_entry: FastMap::default(),
            interrupts,
        };
        signals.find_channels(view, threads, executions);
        signals.add_ends(threads, spawns);
        if !signals.channels.is_empty() {
            signals.solve(view, threads);
            for thread in threads.all.ids() {
                signals.find_entries(view, threads, spawns, thread);
            }
        }
        signals
    }

    fn find_channels(&mut self, view: &View<'_>, threads: &Threads, executions: &Executions) {
        let is_single = |key: Key| match key {
            Key::Object(object) | Key::Field(object, _) => executions.is_single(object),
            Key::Static(_) => true,
        };
        let mut touches: Vec<(InstanceId, Inst, Touch)> = Vec::new();
        for (method, _) in view.program.methods.iter_ids() {
            if !view.is_application(method) || !view.analysis.is_reached(method) {
                continue;
            }
            for &instance in view.analysis.instances_of(method) {
                if !threads.may_execute(instance).is_empty() {
                    find_touches(view, instance, &mut touches);
                }
            }
        }
        let observed: FastSet<Key> =
            touches.iter().filter(|(_, _, touch)| !touch.publishes).map(|(_, _, touch)| touch.key).collect();
        let mut ids: FastMap<Key, ChannelId> = FastMap::default();
        touches.retain(|(_, _, touch)| observed.contains(&touch.key) && is_single(touch.key));
        for (instance, inst, touch) in touches {
            let id = *ids.entry(touch.key).or_insert_with(|| {
                self.channels.push(Channel {
                    key: touch.key,
                    publishers: Vec::new(),
                    signallers: Vec::new(),
                    waits_for_all: false,
                })
            });
            let own = self.own.entry(instance).or_default();
            if touch.publishes {
                own.at.entry(inst).or_default().gained.insert(published(id));
                self.channels[id].signallers.extend(threads.may_execute(instance));
            } else {
                self.channels[id].waits_for_all |= touch.waits_for_all;
                if touch.when == When::Always {
                    own.at.entry(inst).or_default().lost.insert(pending(id));
                } else if let Some(body) = view.body(instance) {
                    for edge in edges_where(body, inst, touch.when) {
                        own.on_edges.entry(edge).or_default().insert(pending(id));
                    }
                }
            }
        }
    }

    /// The end of a thread publishes, too.
    fn add_ends(&mut self, threads: &Threads, spawns: &Spawns) {
        for channel in self.channels.iter_mut() {
            channel.signallers.sort_unstable();
            channel.signallers.dedup();
            channel.publishers.extend(&channel.signallers);
            if let Key::Object(object) = channel.key {
                let tells = |end: &super::spawns::Channel| end.objects.contains(&object);
                let ending = threads.all.ids().filter(|&thread| spawns.ends[thread].iter().any(tells));
                channel.publishers.extend(ending);
            }
            channel.publishers.sort_unstable();
            channel.publishers.dedup();
        }
    }

    /// What is pending when a thread starts: all but what its start waits for.
    fn at_start(&self, spawns: &Spawns, thread: ThreadId) -> BitSet<Mark> {
        let waited = |key: Key| {
            spawns.waits[thread]
                .iter()
                .any(|wait| matches!(key, Key::Object(object) if wait.objects == [object]))
        };
        let open = self.channels.iter_ids().filter(|(_, channel)| !waited(channel.key));
        open.map(|(id, _)| pending(id)).collect()
    }

    /// What instances do, from callees to callers.
    fn solve(&mut self, view: &View<'_>, threads: &Threads) {
        let mut executed = BitSet::new();
        threads.reached.iter().for_each(|reached| {
            executed.union_with(reached);
        });
        let callers = super::alive::callers(view, threads, &executed);
        let mut work: Vec<InstanceId> = self.own.keys().copied().collect();
        work.sort_unstable();
        for &instance in &work {
            self.active.insert(instance);
            let gained = self.own[&instance].at.values().map(|change| &change.gained);
            let set = self.may_publish.entry(instance).or_default();
            gained.for_each(|gained| {
                set.union_with(gained);
            });
        }
        while let Some(instance) = work.pop() {
            let set = self.may_publish.get(&instance).cloned().unwrap_or_default();
            for &caller in callers.get(&instance).into_iter().flatten() {
                let grown = self.may_publish.entry(caller).or_default().union_with(&set);
                if self.active.insert(caller) || grown {
                    work.push(caller);
                }
            }
        }
        let mut waiting: std::collections::BTreeSet<InstanceId> = self.active.iter().collect();
        while let Some(instance) = waiting.pop_last() {
            let change = match view.body(instance) {
                Some(body) => self.through_body(view, threads, instance, body, None, &mut |_, _| {}),
                None => self.without_body(view, instance),
            };
            if change.is_some() && self.changes.get(&instance) != change.as_ref() {
                self.changes.extend(change.map(|change| (instance, change)));
                waiting.extend(callers.get(&instance).into_iter().flatten().copied());
            }
        }
    }

    fn without_body(&self, view: &View<'_>, instance: InstanceId) -> Option<Change> {
        if is_forwarding(view, instance) {
            let callees = view.calls(instance).flat_map(|call| call.callees);
            return self.of_callees(callees.copied());
        }
        let gained = self.may_publish.get(&instance).cloned().unwrap_or_default();
        Some(Change { gained, lost: BitSet::new() })
    }

    /// What one of several callees does; `None` if none returns.
    fn of_callees(&self, callees: impl Iterator<Item = InstanceId>) -> Option<Change> {
        let mut all: Option<Change> = None;
        let mut is_empty = true;
        for callee in callees {
            is_empty = false;
            let change = match self.changes.get(&callee) {
                Some(change) => change.clone(),
                None if self.active.contains(callee) => continue,
                None => Change::default(),
            };
            match &mut all {
                Some(all) => {
                    all.meet(&change);
                }
                None => all = Some(change),
            }
        }
        if is_empty { Some(Change::default()) } else { all }
    }

    /// The change up to an instruction, or else up to the returns; each call is shown with the change before it.
    fn through_body(
        &self,
        view: &View<'_>,
        threads: &Threads,
        instance: InstanceId,
        body: &Body,
        until: Option<Inst>,
        visit: &mut dyn FnMut(Inst, &Change),
    ) -> Option<Change> {
        let nothing = Own::default();
        let own = self.own.get(&instance).unwrap_or(&nothing);
        let mut states: IdVec<Block, Option<Change>> = body.blocks.ids().map(|_| None).collect();
        states[Body::ENTRY] = Some(Change::default());
        let mut work: std::collections::BTreeSet<Block> = [Body::ENTRY].into();
        let mut result: Option<Change> = None;
        let merge = |into: &mut Option<Change>, change: &Change| match into {
            Some(known) => known.meet(change),
            none => {
                *none = Some(change.clone());
                true
            }
        };
        while let Some(block) = work.pop_first() {
            let Some(mut state) = states[block].clone() else { continue };
            let mut thrown: Option<Change> = None;
            let mut returns = true;
            for inst in body.blocks[block].insts.iter() {
                if until == Some(inst) {
                    merge(&mut result, &state);
                }
                let is_call = matches!(body.insts[inst].op, Op::Invoke(..) | Op::InvokeDynamic(_));
                let before = state.clone();
                if is_call {
                    visit(inst, &state);
                    let callees = view.callees(instance, inst).iter().copied();
                    let within = callees.filter(|&callee| threads.is_call(view, instance, callee));
                    match self.of_callees(within) {
                        Some(change) => state.then(&change),
                        None => returns = false,
                    }
                }
                let at = own.at.get(&inst);
                if let Some(change) = at {
                    state.then(change);
                }
                if body.may_throw(inst) {
                    let is_quiet = !self.interrupts && at.is_some_and(|change| !change.lost.is_empty());
                    let mut leaving = if is_quiet { state.clone() } else { before };
                    for callee in view.callees(instance, inst) {
                        self.may_publish.get(callee).into_iter().for_each(|set| {
                            leaving.gained.union_with(set);
                        });
                    }
                    at.into_iter().for_each(|change| {
                        leaving.gained.union_with(&change.gained);
                    });
                    merge(&mut thrown, &leaving);
                }
                if !returns {
                    break;
                }
            }
            if let Some(thrown) = &thrown {
                for unwind in &body.blocks[block].unwind {
                    if merge(&mut states[unwind.handler], thrown) {
                        work.insert(unwind.handler);
                    }
                }
            }
            if !returns {
                continue;
            }
            if until.is_none() && matches!(body.insts[body.terminator(block)].op, Op::Return) {
                merge(&mut result, &state);
            }
            for target in body.normal_successors(block) {
                let mut along = state.clone();
                if let Some(lost) = own.on_edges.get(&(block, target)) {
                    along.then(&Change { gained: BitSet::new(), lost: lost.clone() });
                }
                if merge(&mut states[target], &along) {
                    work.insert(target);
                }
            }
        }
        result
    }

    fn find_entries(&mut self, view: &View<'_>, threads: &Threads, spawns: &Spawns, thread: ThreadId) {
        let reached = &threads.reached[thread];
        let waits = !spawns.waits[thread].is_empty();
        if !waits && !self.own.keys().any(|&instance| reached.contains(instance)) {
            return;
        }
        let mut on_entry: FastMap<InstanceId, BitSet<Mark>> = FastMap::default();
        let mut work = threads.all[thread].entries.clone();
        for &entry in &work {
            on_entry.insert(entry, self.at_start(spawns, thread));
        }
        while let Some(instance) = work.pop() {
            let entered = on_entry.get(&instance).cloned().unwrap_or_default();
            let mut flow = |callee: InstanceId, marks: &BitSet<Mark>| {
                if !threads.is_call(view, instance, callee) {
                    return;
                }
                let changed = match on_entry.get_mut(&callee) {
                    Some(known) => known.union_with(marks),
                    None => {
                        on_entry.insert(callee, marks.clone());
                        true
                    }
                };
                if changed {
                    work.push(callee);
                }
            };
            match view.body(instance).filter(|_| self.active.contains(instance)) {
                Some(body) => {
                    self.through_body(view, threads, instance, body, None, &mut |inst, change| {
                        let marks = change.of(&entered);
                        view.callees(instance, inst).iter().for_each(|&callee| flow(callee, &marks));
                    });
                }
                None => {
                    let mut marks = entered;
                    if let Some(set) =
                        self.may_publish.get(&instance).filter(|_| !is_forwarding(view, instance))
                    {
                        marks.union_with(set);
                    }
                    for call in view.calls(instance) {
                        call.callees.iter().for_each(|&callee| flow(callee, &marks));
                    }
                }
            }
        }
        self.on_entry.insert(thread, on_entry);
    }

    /// The marks before an instruction; `None` if nothing is known.
    fn marks(
        &self,
        view: &View<'_>,
        threads: &Threads,
        (thread, instance, inst): (ThreadId, InstanceId, Inst),
    ) -> Option<BitSet<Mark>> {
        let Some(entries) = self.on_entry.get(&thread) else {
            // A thread that touches no channel has published and observed nothing.
            return Some(self.channels.ids().map(pending).collect());
        };
        let entered = entries.get(&instance)?;
        match view.body(instance).filter(|_| self.active.contains(instance)) {
            Some(body) => {
                let change = self.through_body(view, threads, instance, body, Some(inst), &mut |_, _| {})?;
                Some(change.of(entered))
            }
            None => Some(entered.clone()),
        }
    }

    /// Whether the first place is made before a signal that the second comes after: by which channel, and how sure that is.
    pub(crate) fn orders(
        &self,
        view: &View<'_>,
        threads: &Threads,
        first: (ThreadId, InstanceId, Inst),
        second: (ThreadId, InstanceId, Inst),
    ) -> Option<(Key, Strength)> {
        if !self.on_entry.contains_key(&second.0) {
            return None;
        }
        let after = self.marks(view, threads, second)?;
        let candidates: Vec<ChannelId> =
            self.channels.ids().filter(|&channel| !after.contains(pending(channel))).collect();
        if candidates.is_empty() {
            return None;
        }
        let before = self.marks(view, threads, first)?;
        let mut best = None;
        for id in candidates.into_iter().filter(|&channel| !before.contains(published(channel))) {
            let channel = &self.channels[id];
            let strength = if channel.publishers == [first.0] && is_one(threads, first.0) {
                Strength::Proof
            } else if channel.waits_for_all
                && channel.publishers.contains(&first.0)
                && self.may_count_all(view, threads, channel)
            {
                Strength::Heuristic
            } else {
                continue;
            };
            if best.is_none_or(|(_, known)| known < strength) {
                best = Some((channel.key, strength));
            }
        }
        best
    }

    /// Whether the count of a latch may be that of its publishers: not if it is seen to be smaller.
    fn may_count_all(&self, view: &View<'_>, threads: &Threads, channel: &Channel) -> bool {
        let Key::Object(object) = channel.key else { return false };
        let Some(count) = constructed_with(view, object) else { return true };
        let many = channel.signallers.iter().any(|&thread| threads.all[thread].many);
        count >= channel.signallers.len() as i64 && !(many && count <= 1)
    }
}

/// The constructor call of an object that an instruction makes, without the object itself.
fn constructor_arguments<'a>(view: &View<'a>, object: ObjectId) -> Option<(&'a Body, &'a [Value])> {
    let heap = &view.analysis.heap;
    let Site::Instruction { method, inst, .. } = heap.site_of(heap.get(object).site) else { return None };
    let body = view.program.body(method)?;
    let made = body.insts[inst].result?;
    body.insts.iter_ids().find_map(|(inst, data)| {
        let is_constructor = matches!(&data.op, Op::Invoke(_, reference) if reference.name.is("<init>"));
        let (receiver, arguments) = body.args(inst).split_first()?;
        (is_constructor && *receiver == made).then_some((body, arguments))
    })
}

/// The constant number that an object is constructed with, as first argument.
fn constructed_with(view: &View<'_>, object: ObjectId) -> Option<i64> {
    let (body, arguments) = constructor_arguments(view, object)?;
    match body.insts[body.defining_inst(*arguments.first()?)?].op {
        Op::Int(count) => Some(i64::from(count)),
        _ => None,
    }
}

/// Whether a new object shows what a signal would show: then to see it tells nothing. A variable that starts with a value, a
/// queue that is filled from the start, permits or a count that need nobody.
fn is_set_from_start(view: &View<'_>, object: ObjectId, effect: &Effect) -> bool {
    if is_semaphore(view, object) {
        return constructed_with(view, object) != Some(0);
    }
    match effect {
        Effect::Atomic { .. } => constructor_arguments(view, object)
            .is_none_or(|(body, arguments)| !arguments.iter().all(|&value| is_initial(body, value))),
        Effect::Subscribe { item: Some(_), .. } => constructor_arguments(view, object)
            .is_none_or(|(body, arguments)| arguments.iter().any(|&value| body.ty(value).is_reference())),
        _ => constructed_with(view, object) == Some(0),
    }
}

/// Whether an object holds permits: where it has some from the start, to get one tells nothing.
fn is_semaphore(view: &View<'_>, object: ObjectId) -> bool {
    let heap = &view.analysis.heap;
    heap.types.is_instance(heap.get(object).ty, ClassName::new("java/util/concurrent/Semaphore"))
}

/// What an instance does to channels, instruction by instruction.
fn find_touches(view: &View<'_>, instance: InstanceId, touches: &mut Vec<(InstanceId, Inst, Touch)>) {
    let Some(body) = view.body(instance) else { return };
    for (inst, data) in body.insts.iter_ids() {
        match &data.op {
            Op::GetField(reference)
            | Op::GetStatic(reference)
            | Op::PutField(reference)
            | Op::PutStatic(reference) => {
                let Ok(field) = view.program.resolve_field(reference) else { continue };
                if view.program.fields[field].is_volatile() {
                    volatile_touches(view, instance, body, inst, field, touches);
                }
            }
            Op::Invoke(..) => call_touches(view, instance, body, inst, touches),
            _ => {}
        }
    }
}

/// Whether a value is zero, false or null: what a variable holds from the start, so that to see it tells nothing.
fn is_initial(body: &Body, value: Value) -> bool {
    body.defining_inst(value)
        .is_some_and(|inst| matches!(body.insts[inst].op, Op::Int(0) | Op::Long(0) | Op::Null))
}

fn volatile_touches(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    field: FieldId,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
) {
    let arguments = body.args(inst);
    let is_static = view.program.fields[field].is_static();
    let is_write = matches!(body.insts[inst].op, Op::PutField(_) | Op::PutStatic(_));
    if is_write && arguments.last().is_some_and(|&value| is_initial(body, value)) {
        return;
    }
    let keys: Vec<Key> = if is_static {
        vec![Key::Static(field)]
    } else {
        let objects = view.analysis.points_to(instance, arguments[0]);
        objects.iter().map(|object| Key::Field(object, field)).collect()
    };
    let is_reference = view.program.fields[field].ty().is_some_and(|ty| ty.is_reference());
    let when = if is_reference { When::ResultNonNull } else { When::ResultNonzero };
    if is_write || keys.len() == 1 {
        let touch = |key| Touch { key, publishes: is_write, waits_for_all: false, when };
        touches.extend(keys.into_iter().map(|key| (instance, inst, touch(key))));
    }
}

fn call_touches(
    view: &View<'_>,
    instance: InstanceId,
    body: &Body,
    inst: Inst,
    touches: &mut Vec<(InstanceId, Inst, Touch)>,
) {
    let objects = |place| -> Vec<ObjectId> {
        let value = view.operand(body, inst, place);
        value.map_or_else(Vec::new, |value| view.analysis.points_to(instance, value).iter().collect())
    };
    let has_rows = view
        .callees(instance, inst)
        .iter()
        .any(|&callee| view.method_of(callee).is_some_and(|method| !view.rows(method).is_empty()));
    if !has_rows {
        return;
    }
    let is_ordering = |order: &MemoryOrder| !matches!(order, MemoryOrder::Opaque | MemoryOrder::Plain);
    for effect in view.may_effects(instance, inst) {
        let place = match effect {
            Effect::Publish { channel, .. } => channel,
            Effect::Release { lock, mode: LockMode::Counted, .. } => lock,
            Effect::Atomic { place, kind: AtomicKind::Write | AtomicKind::Update, .. }
                if !body.args(inst).last().is_some_and(|&value| is_initial(body, value)) =>
            {
                place
            }
            _ => continue,
        };
        for object in objects(place) {
            let key = Key::Object(object);
            let touch = Touch { key, publishes: true, waits_for_all: false, when: When::Always };
            touches.push((instance, inst, touch));
        }
    }
    for effect in view.must_effects(instance, inst) {
        let (place, when, waits_for_all) = match effect {
            // After "some" publication without an object may well be after none: a count that is read.
            Effect::Subscribe { channel, when, after, item } if *after == After::All || item.is_some() => {
                (channel, *when, *after == After::All)
            }
            Effect::Acquire { lock, mode: LockMode::Counted, when, .. } => (lock, *when, false),
            Effect::Atomic { place, kind: AtomicKind::Read, order } if is_ordering(order) => {
                let result = body.insts[inst].result.map(|value| body.ty(value).is_reference());
                let when = if result == Some(true) { When::ResultNonNull } else { When::ResultNonzero };
                (place, when, false)
            }
            _ => continue,
        };
        let objects = objects(place);
        if let [object] = objects.as_slice()
            && !is_set_from_start(view, *object, effect)
        {
            let key = Key::Object(*object);
            touches.push((instance, inst, Touch { key, publishes: false, waits_for_all, when }));
        }
    }
}
