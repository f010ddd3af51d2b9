//! Message passing: latches, flags, semaphores, barriers, promises.
//!
//! A *channel* is an object, or a volatile field, through which one thread signals others that something has happened. To publish is to
//! count down, to set the flag, to release a permit; to observe is to return from `await`, to see that the flag is set.
//!
//! The theorem: if only one thread `p` ever publishes on a channel, `p` makes access `a` only before it publishes, and `q` makes
//! access `b` only after it has observed a publication, then `a` happens before `b`. Both "only before" and "only
//! after" are one forward dataflow analysis with two marks for each channel: *published* (may: gained where the thread publishes) and
//! *pending* (may: there from the start of the thread, lost where it observes).
//!
//! The end of a thread is a publication too, on the thread object: who has joined it has observed it, provided that it had been
//! started then. A thread starts with what its starter has observed.
//!
//! The hypotheses, each with the program of the corpus in which only this one fails:
//!
//! 1. `p` is one thread (LatchOneOfTwo) and makes `a` only before it publishes (LatchTooEarly).
//! 2. `q` observes on every way (AwaitResultIgnored), also where an exception ends the wait early (BarrierBroken, ForkedFails,
//!    InvokeAnyInterrupts), and waits for something (SemaphoreAcquiresNone).
//! 3. Nothing shows the signal but `p`: no initial value (StartGateOpenedFirst), no other writer (FlagSetByOtherClass,
//!    FlagSetByInitializer), no handle of the field (FlagSetByUpdater, FlagSetByReflection), no plain write (FlagSetPlainly), no element that is in the queue already (QueuePrefilled,
//!    QueuePrefilledByAddAll, QueueAddAllTooEarly, QueuePrefilledByConstructor, QueuePrefilledByDrain).
//! 4. A count is known (LatchOfUnknown, SemaphoreOfUnknown) and not zero (LatchOfZero).
//! 5. Who says for which round it waits means the present one (PhaserAwaitsOtherRound).
//!
//! Where several threads publish and the observer waits for all of them (latches, barriers, phasers), the same holds if the count is
//! the number of publishers, which is not known in general: a heuristic, and none where the count is seen to be smaller, where one
//! of them may end the wait for all (PhaserTerminated), or starts when all has been waited for (QuiescentBeforeStart).

mod changes;
mod guarded;
mod interrupts;
mod touches;

use std::collections::BTreeMap;
use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, FastSet, IdVec, PriorityWorklist, Worklist, entity};
use selvedge_ir::{ClassName, Inst};
use selvedge_models::{Kind, When};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::FieldId;

use super::alive::is_forwarding;
use super::context::{AliveFacts, is_one};
use super::entered::Entered;
use super::schedule::callees_first;
use super::spawns::Spawns;
use super::waits::edges_where;
use crate::accesses::Accesses;
use crate::executions::Executions;
use crate::locks::Locks;
use crate::memo::Table;
use crate::refutation::Strength;
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;
use crate::ways::may_reach;

use changes::{Change, Own};
use guarded::Guarded;
use interrupts::is_interrupted_otherwise;
pub(crate) use interrupts::throws_interrupts;
use touches::{Spoiled, constructed_with, find_touches, is_made_with_unknown};

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
    /// The interrupt of a thread object.
    Interrupt(ObjectId),
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
    /// Whether one execution of a method may publish more than once, and not by waiting itself.
    may_repeat: bool,
    /// Whether it is a thread object: its only publication is the end of the thread.
    is_end: bool,
}

fn published(channel: ChannelId) -> Mark {
    Mark::new(channel.number() * 2)
}

fn pending(channel: ChannelId) -> Mark {
    Mark::new(channel.number() * 2 + 1)
}

/// See the [module documentation](self).
pub(crate) struct Signals {
    channels: IdVec<ChannelId, Channel>,
    own: FastMap<InstanceId, Own>,
    /// What each instance that touches a channel does when it returns; absent if it does not.
    changes: FastMap<InstanceId, Change>,
    may_publish: FastMap<InstanceId, BitSet<Mark>>,
    active: BitSet<InstanceId>,
    /// What may hold on entry to what each thread executes. Threads that begin alike share it.
    on_entry: Entered<Mark>,
    /// Whether somebody may interrupt a thread that waits.
    interrupts: bool,
    /// The marks at places that were asked for before.
    known: Table<At, Option<Arc<BitSet<Mark>>>>,
}

/// What was worked out for one thread and serves others.
#[derive(Default)]
struct Shared {
    /// What each instance has done before its calls.
    at_calls: FastMap<InstanceId, BTreeMap<Inst, Change>>,
    /// The thread that was examined for those that begin there with these marks: what holds on entry depends on nothing else.
    examined: FastMap<(Vec<InstanceId>, Vec<Mark>), ThreadId>,
}

/// A thread at an instruction.
type At = (ThreadId, InstanceId, Inst);

/// What a call or access does to a channel.
struct Touch {
    key: Key,
    publishes: bool,
    waits_for_all: bool,
    when: When,
    is_end: bool,
    /// Whether a call that throws has observed as well: not where it waits for several things, one after the other.
    also_thrown: bool,
}

/// What signals are found from.
pub(crate) struct SignalSources<'s, 'a> {
    pub view: &'s View<'a>,
    pub threads: &'s Threads,
    pub executions: &'s Executions,
    pub accesses: &'s Accesses,
    pub locks: &'s Locks,
    pub spawns: &'s Spawns,
    /// What methods surely wait for.
    pub alive: &'s AliveFacts,
}

impl Signals {
    pub(crate) fn new(sources: &SignalSources<'_, '_>, interrupts: bool) -> Self {
        let SignalSources { view, threads, spawns, .. } = *sources;
        let mut signals = Self {
            channels: IdVec::new(),
            own: FastMap::default(),
            changes: FastMap::default(),
            may_publish: FastMap::default(),
            active: BitSet::new(),
            on_entry: Entered::default(),
            interrupts,
            known: Table::default(),
        };
        signals.find_channels(sources);
        signals.add_ends(threads, spawns);
        if !signals.channels.is_empty() {
            signals.solve(view, threads);
            let mut shared = Shared::default();
            for thread in threads.all.ids() {
                signals.find_entries(view, threads, spawns, thread, &mut shared);
            }
        }
        signals
    }

    fn find_channels(&mut self, sources: &SignalSources<'_, '_>) {
        let SignalSources { view, threads, executions, .. } = *sources;
        let is_single = |key: Key| match key {
            Key::Object(object) | Key::Field(object, _) => executions.is_single(object),
            Key::Interrupt(object) => executions.is_single(object),
            Key::Static(_) => true,
        };
        let mut touches: Vec<(InstanceId, Inst, Touch)> = Vec::new();
        let mut spoiled = Spoiled::default();
        let guarded = Guarded::new(sources);
        for (method, _) in view.program.methods.iter_ids() {
            if !view.is_application(method) || !view.analysis.is_reached(method) {
                continue;
            }
            for &instance in view.analysis.instances_of(method) {
                if !threads.may_execute(instance).is_empty() {
                    find_touches(sources, &guarded, instance, &mut touches, &mut spoiled);
                }
            }
        }
        spoiled.fields.extend(reflected(view));
        let observed: FastSet<Key> =
            touches.iter().filter(|(_, _, touch)| !touch.publishes).map(|(_, _, touch)| touch.key).collect();
        let is_signalled = |key: Key| touches.iter().any(|(_, _, touch)| touch.publishes && touch.key == key);
        let interrupts = observed.iter().any(|&key| matches!(key, Key::Interrupt(_)) && is_signalled(key));
        let follows_interrupts = interrupts && !is_interrupted_otherwise(view);
        let mut ids: FastMap<Key, ChannelId> = FastMap::default();
        touches.retain(|(_, _, touch)| {
            let is_spoiled = match touch.key {
                Key::Static(field) | Key::Field(_, field) => spoiled.fields.contains(&field),
                Key::Object(object) => spoiled.objects.contains(&object),
                Key::Interrupt(_) => false,
            };
            let is_followed = follows_interrupts || !matches!(touch.key, Key::Interrupt(_));
            observed.contains(&touch.key) && is_single(touch.key) && !is_spoiled && is_followed
        });
        let repeating = repeating(view, &touches);
        for (instance, inst, touch) in touches {
            let id = *ids.entry(touch.key).or_insert_with(|| {
                self.channels.push(Channel {
                    key: touch.key,
                    publishers: Vec::new(),
                    signallers: Vec::new(),
                    waits_for_all: false,
                    may_repeat: repeating.contains(&touch.key),
                    is_end: touch.is_end,
                })
            });
            let own = self.own.entry(instance).or_default();
            if !touch.also_thrown {
                own.cut_short.insert(inst);
            }
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
                let ending = threads.all.ids().filter(|&thread| spawns.may_end[thread].iter().any(tells));
                let before = channel.publishers.len();
                channel.publishers.extend(ending);
                if spawns.completed.contains(&object) {
                    // Who waits goes on with the first who completes it.
                    channel.waits_for_all = false;
                    // A future that something else may complete as well shows the end of nobody.
                    if channel.publishers.len() > before {
                        channel.publishers.clear();
                    }
                }
            }
            channel.publishers.sort_unstable();
            channel.publishers.dedup();
        }
    }

    /// What is pending when a thread starts: all but what its start waits for, and what its starter has observed.
    fn at_start(
        &self,
        view: &View<'_>,
        threads: &Threads,
        spawns: &Spawns,
        thread: ThreadId,
    ) -> BitSet<Mark> {
        let mut observed: Option<BitSet<Mark>> = None;
        if let Origin::Spawn { instance, inst: Some(inst), .. } = threads.all[thread].origin
            && threads.all[thread].entries.len() == 1
        {
            for &starter in &spawns.parents[thread] {
                // What starts it, if it was looked at before.
                let marks = match self.on_entry.has(starter) {
                    true => self.find_marks(view, threads, (starter, instance, inst)),
                    false => None,
                };
                let marks = marks.unwrap_or_else(|| self.channels.ids().map(pending).collect());
                match &mut observed {
                    Some(all) => {
                        all.union_with(&marks);
                    }
                    None => observed = Some(marks),
                }
            }
        }
        let is_open =
            |channel: ChannelId| observed.as_ref().is_none_or(|marks| marks.contains(pending(channel)));
        let waited = |key: Key| {
            spawns.waits[thread]
                .iter()
                .any(|wait| matches!(key, Key::Object(object) if wait.objects == [object]))
        };
        let open = self.channels.iter_ids().filter(|(id, channel)| is_open(*id) && !waited(channel.key));
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
        let order = callees_first(&self.active, &callers);
        let mut waiting = PriorityWorklist::new(&order);
        order.iter().for_each(|&instance| {
            waiting.push(instance);
        });
        while let Some(instance) = waiting.pop() {
            let change = match view.body(instance) {
                Some(body) => self.through_body(view, threads, instance, body, None, &mut |_, _| {}),
                None => self.without_body(view, instance),
            };
            if change.is_some() && self.changes.get(&instance) != change.as_ref() {
                self.changes.extend(change.map(|change| (instance, change)));
                for &caller in callers.get(&instance).into_iter().flatten() {
                    waiting.push(caller);
                }
            }
        }
    }

    /// What is published and pending on entry to what a thread executes.
    fn find_entries(
        &mut self,
        view: &View<'_>,
        threads: &Threads,
        spawns: &Spawns,
        thread: ThreadId,
        shared: &mut Shared,
    ) {
        let reached = &threads.reached[thread];
        let at_start = self.at_start(view, threads, spawns, thread);
        let waits = self.channels.ids().any(|channel| !at_start.contains(pending(channel)));
        if !waits && !self.own.keys().any(|&instance| reached.contains(instance)) {
            return;
        }
        let beginning = (threads.all[thread].entries.clone(), at_start.iter().collect());
        if let Some(&known) = shared.examined.get(&beginning) {
            self.on_entry.add_like(thread, known);
            return;
        }
        let mut on_entry: FastMap<InstanceId, BitSet<Mark>> = FastMap::default();
        let mut work: Worklist<InstanceId> = Worklist::new();
        for &entry in &threads.all[thread].entries {
            on_entry.insert(entry, at_start.clone());
            work.push(entry);
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
                    let before = shared.at_calls.entry(instance).or_insert_with(|| {
                        // The last time that a call is shown, it is with all that may come before it.
                        let mut before: BTreeMap<Inst, Change> = BTreeMap::new();
                        self.through_body(view, threads, instance, body, None, &mut |inst, change| {
                            before.insert(inst, change.clone());
                        });
                        before
                    });
                    for (&inst, change) in before.iter() {
                        let marks = change.of(&entered);
                        view.callees(instance, inst).iter().for_each(|&callee| flow(callee, &marks));
                    }
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
        shared.examined.insert(beginning, thread);
        self.on_entry.add(thread, on_entry);
    }

    /// The marks before an instruction; `None` if nothing is known.
    fn marks(&self, view: &View<'_>, threads: &Threads, at: At) -> Option<Arc<BitSet<Mark>>> {
        self.known.get(&at).unwrap_or_else(|| {
            let found = self.find_marks(view, threads, at).map(Arc::new);
            self.known.insert(at, found.clone());
            found
        })
    }

    fn find_marks(
        &self,
        view: &View<'_>,
        threads: &Threads,
        (thread, instance, inst): At,
    ) -> Option<BitSet<Mark>> {
        if !self.on_entry.has(thread) {
            // A thread that touches no channel has published and observed nothing.
            return Some(self.channels.ids().map(pending).collect());
        }
        let entered = self.on_entry.get(thread, instance)?;
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
        first: At,
        second: At,
    ) -> Option<(Key, Strength)> {
        if !self.on_entry.has(second.0) {
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
            let is_known = !matches!(channel.key, Key::Object(object) if is_made_with_unknown(view, object));
            let strength = if channel.publishers == [first.0] && is_one(threads, first.0) && is_known {
                Strength::Proof
            } else if channel.waits_for_all
                && channel.publishers.contains(&first.0)
                && self.may_count_all(view, threads, channel)
                && !self.starts_after(view, threads, first.0, id)
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

    /// Whether a thread is started by one that has observed a channel already: then it is none of those that were waited for.
    fn starts_after(&self, view: &View<'_>, threads: &Threads, thread: ThreadId, channel: ChannelId) -> bool {
        let Origin::Spawn { instance, inst: Some(inst), .. } = threads.all[thread].origin else {
            return false;
        };
        threads.may_execute(instance).iter().any(|&starter| {
            let marks = self.marks(view, threads, (starter, instance, inst));
            marks.is_some_and(|marks| !marks.contains(pending(channel)))
        })
    }

    /// The threads that publish on an object by what they do: those that come to a barrier.
    pub(crate) fn signallers(&self, object: ObjectId) -> Option<&[ThreadId]> {
        let channel = self.channels.iter().find(|channel| channel.key == Key::Object(object))?;
        Some(&channel.signallers)
    }

    /// The threads whose end a thread has waited for when it ends without an exception, and that exist once.
    ///
    /// It ends with the one method of the application that the library calls first (`Thread.run` calls its target).
    pub(crate) fn ended_within(&self, view: &View<'_>, threads: &Threads, thread: ThreadId) -> Vec<ThreadId> {
        if self.interrupts || !self.on_entry.has(thread) {
            return Vec::new();
        }
        let reached = &threads.reached[thread];
        let mut first: Vec<InstanceId> = threads.all[thread].entries.clone();
        first.retain(|&entry| view.is_application_instance(entry));
        if first.is_empty() {
            let library = reached.iter().filter(|&instance| !view.is_application_instance(instance));
            let called = library.flat_map(|instance| view.calls(instance)).flat_map(|call| call.callees);
            let is_first = |id: &&InstanceId| view.is_application_instance(**id) && reached.contains(**id);
            first = called.filter(is_first).copied().collect();
            first.sort_unstable();
            first.dedup();
        }
        let [entry] = first[..] else { return Vec::new() };
        let (Some(entered), Some(change)) = (self.on_entry.get(thread, entry), self.changes.get(&entry))
        else {
            return Vec::new();
        };
        let left = change.of(entered);
        let observed = self.channels.iter_ids().filter(|(id, _)| !left.contains(pending(*id)));
        let ends = observed.filter_map(|(_, channel)| match channel.publishers.as_slice() {
            [ended] if channel.is_end && is_one(threads, *ended) && *ended != thread => Some(*ended),
            _ => None,
        });
        ends.collect()
    }

    /// Whether the count of a latch may be that of its publishers: not if it is seen to be smaller.
    fn may_count_all(&self, view: &View<'_>, threads: &Threads, channel: &Channel) -> bool {
        let Key::Object(object) = channel.key else { return false };
        let many = channel.signallers.iter().any(|&thread| threads.all[thread].many);
        let Some(count) = constructed_with(view, object) else {
            // As many as are started in a loop, most likely; but for a fixed number of threads one would write a number.
            return many || !is_made_with_unknown(view, object);
        };
        let repeats = channel.may_repeat && channel.signallers.len() > 1;
        count >= channel.signallers.len() as i64 && !(many && count <= 1) && !repeats
    }
}

/// The fields that reflection and method handles of fields access.
fn reflected(view: &View<'_>) -> FastSet<FieldId> {
    let heap = &view.analysis.heap;
    let handled = |data: &selvedge_pta::heap::ObjectData| match heap.site_of(data.site) {
        Site::FieldHandle(field, ty) => {
            let mut kinds = Kind::ReflectedField.classes();
            kinds.any(|class| heap.types.is_instance(ty, ClassName::new(class))).then_some(field)
        }
        _ => None,
    };
    heap.objects().filter_map(|(_, data)| handled(data)).collect()
}

/// The channels on which one execution of a method may publish twice: one counts down for others. Who waits whenever it publishes, as
/// the parties of a barrier do, is left out.
fn repeating(view: &View<'_>, touches: &[(InstanceId, Inst, Touch)]) -> FastSet<Key> {
    let waits = |instance: InstanceId, inst: Inst, key: Key| {
        touches
            .iter()
            .any(|(at, other, touch)| !touch.publishes && (*at, *other, touch.key) == (instance, inst, key))
    };
    let mut publishing: FastMap<(InstanceId, Key), Vec<Inst>> = FastMap::default();
    for (instance, inst, touch) in touches {
        if touch.publishes && matches!(touch.key, Key::Object(_)) && !waits(*instance, *inst, touch.key) {
            publishing.entry((*instance, touch.key)).or_default().push(*inst);
        }
    }
    let is_repeated = |&(&(instance, _), insts): &(&(InstanceId, Key), &Vec<Inst>)| {
        let shape = view.method_of(instance).and_then(|method| view.shape(method));
        let Some((body, shape)) = view.body(instance).zip(shape) else { return true };
        let reaches = |&a: &Inst| insts.iter().any(|&b| a != b && may_reach(body, shape, a, b, None));
        insts.len() > 1 && insts.iter().any(reaches)
    };
    publishing.iter().filter(is_repeated).map(|(&(_, key), _)| key).collect()
}
