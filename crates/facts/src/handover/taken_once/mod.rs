//! Objects that go from hand to hand: through queues, exchangers and concurrent maps, and to the thread that runs them.
//!
//! A producer makes a message, fills it and puts it into a queue; several consumers take messages out and change them. Or a pool keeps its
//! idle connections in a queue: whoever needs one takes it out and puts it back. All these threads run the same code on the same abstract object,
//! and yet each message, each connection has one of them at a time.
//!
//! A thread *has custody* of an object from when it makes it, takes it out of a channel or begins to run it as its task, until it puts it into a
//! channel or starts it as a task. Custody is of values (see the file `custody.rs`): a reference that went through a field is not followed.
//!
//! **Theorem.** Let every value that may be put into a channel from which objects of a kind are taken, or be started as a task of that kind,
//! be in custody of the thread that does so. Then at any time each such object is in the custody of one thread, or in one channel, once, or
//! waits to be run: a put needs custody and ends it, a take ends the stay in the channel and begins custody, and nothing else begins it but the making of
//! the object. What a thread does to an object in its custody is therefore ordered with what any other thread does to it in its own: the
//! put (the start) comes between, and happens before the take (the run). A candidate both of whose sides have custody is refuted.
//!
//! Puts into channels from which nobody takes such an object do not matter (a map in which sessions are listed and from which they are
//! only removed, the result unused), nor do other references to it, whoever holds them: what is accessed by these is not refuted.
//! The hypotheses, each with the program of the corpus in which only this one fails:
//!
//! 1. Who puts an object in has custody of it (QueuePutTwice), and loses it so (QueueTouchedAfterPut).
//! 2. Library code puts no such object into the channel on its own account.
//! 3. The channel is not filled with the elements of another collection: by its constructor (QueueDrainedBack), by `addAll`
//!    (QueueAddedAgainByAll) or by draining another queue into it.
//! 4. A task runs once (CallableSubmittedTwice, SessionStartedTwice).
//!
//! A collection that is not made for several threads is a channel, too, where one thread at a time works on it (see the file `work_lists.rs`).
//!
//! What an object keeps in a [closed](crate::publication) field of its own is in custody where the object is. An object that a side cannot mean, because it
//! was compared with it on the way (see [`excluded`](crate::handover::other_object)), need not be in custody.

mod custody;
mod work_lists;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use selvedge_base::{BitSet, FastMap};
use selvedge_ir::{ClassName, Inst, Op, Value};
use selvedge_models::{Effect, InThread, Kind, Place};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_world::MethodId;

use self::custody::Custody;
use self::work_lists::Plain;
use crate::accesses::Access;
use crate::bundle::Facts;
use crate::confinement::runs_once;
use crate::describe;
use crate::handover::other_object::Excluded;
use crate::publication::root_of;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;

/// The names of methods that take an object out of a channel, or begin so.
const TAKING: [&str; 5] = ["take", "poll", "remove", "pop", "exchange"];

/// The names of methods by which collections put objects into themselves, or begin so. Those that go on with `All` put in what others hold.
const PUTTING: [&str; 7] = ["add", "offer", "put", "push", "transfer", "enqueue", "link"];

/// See the [module documentation](self).
#[derive(Default)]
pub struct TakenOnce {
    known: OnceLock<Known>,
    /// For each object that was asked for how it goes from hand to hand, if it always does.
    itineraries: Mutex<FastMap<ObjectId, Option<Arc<Itinerary>>>>,
    /// For each collection that was asked for whether it is a channel because one thread at a time works on it.
    plain_channels: Mutex<FastMap<ObjectId, bool>>,
}

/// A call of the application that puts something into a channel, or takes something out of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Passing {
    instance: InstanceId,
    inst: Inst,
    channel: Value,
    item: Value,
}

/// What is found out when it is first asked for.
#[derive(Default)]
struct Known {
    puts: Vec<Passing>,
    /// Those whose result is used.
    takes: Vec<Passing>,
    /// The threads that run an object as their task, and the objects.
    tasks: Vec<(ThreadId, Vec<ObjectId>)>,
    /// What library code puts into each channel on its own account.
    by_library: FastMap<ObjectId, BitSet<ObjectId>>,
    /// The collections that are made with the elements of another one.
    filled: BitSet<ObjectId>,
    /// The collections that may be channels because one thread at a time works on them.
    plain: Plain,
}

/// Where objects of a kind change hands.
struct Itinerary {
    /// The instructions that end custody, with the values given away.
    gives: Vec<(InstanceId, Inst, Value)>,
    /// The instances that may execute one of them, by themselves or by what they call.
    giving: BitSet<InstanceId>,
    /// The calls that take it out of a collection on which one thread at a time works.
    takes: Vec<(InstanceId, Inst)>,
    /// The threads that run such an object as their task.
    runners: Vec<ThreadId>,
}

impl TakenOnce {
    /// The name of the refuter.
    pub const BY: &'static str = "taken-once";

    /// Whether both sides have custody of the object, or of what keeps it.
    pub fn refute<'a>(&self, facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let view = facts.view;
        let known = self.known.get_or_init(|| find(facts));
        if known.puts.is_empty() && known.tasks.is_empty() && known.plain.puts.is_empty() {
            return None;
        }
        let direct = candidate.sides.map(|side| facts.accesses.all[side.access].base);
        let [Some(a), Some(b)] = direct else { return None };
        let whole = self.is_in_custody(facts, known, candidate, [a, b], object).then_some(object);
        let object = whole.or_else(|| self.keeper_in_custody(facts, known, candidate, object))?;
        Some(Refutation::proof(Self::BY, move || {
            let what = describe::object(view, object);
            format!("{what} is handed over from thread to thread, and each accesses it only while it owns it")
        }))
    }

    /// Whether both sides have custody of the object that keeps the candidate's own to itself, whichever it is; one of these.
    fn keeper_in_custody(
        &self,
        facts: &Facts<'_, '_>,
        known: &Known,
        candidate: &Candidate,
        object: ObjectId,
    ) -> Option<ObjectId> {
        let keeper = |side: Occurrence| keeper(facts, &facts.accesses.all[side.access], side, object);
        let [(a, keepers), (b, others)] = [keeper(candidate.sides[0])?, keeper(candidate.sides[1])?];
        let common: Vec<ObjectId> = keepers.into_iter().filter(|keeper| others.contains(keeper)).collect();
        let held = |&keeper: &ObjectId| self.is_in_custody(facts, known, candidate, [a, b], keeper);
        let all = !common.is_empty() && common.iter().all(held);
        all.then(|| common[0])
    }

    /// Whether both sides have custody of an object where they execute, if the values are it; or one of them cannot be it.
    fn is_in_custody(
        &self,
        facts: &Facts<'_, '_>,
        known: &Known,
        candidate: &Candidate,
        values: [Value; 2],
        object: ObjectId,
    ) -> bool {
        let sides = || candidate.sides.iter().zip(values);
        let excluded = Excluded { view: facts.view, publication: &facts.publication };
        let inst = |side: &Occurrence| facts.accesses.all[side.access].inst;
        if sides().any(|(side, value)| excluded.is_excluded(side.instance, inst(side), value, object)) {
            return true;
        }
        let Some(itinerary) = self.itinerary(facts, known, object) else { return false };
        sides().all(|(side, value)| {
            Custody::new(facts, &itinerary, object, side.thread).has(side.instance, inst(side), value)
        })
    }

    fn itinerary(&self, facts: &Facts<'_, '_>, known: &Known, object: ObjectId) -> Option<Arc<Itinerary>> {
        let itineraries = || self.itineraries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = itineraries().get(&object) {
            return found.clone();
        }
        let found = self.plan(facts, known, object).map(Arc::new);
        itineraries().insert(object, found.clone());
        found
    }

    /// Where objects of a kind change hands; `None` unless custody is given by those who have it only.
    fn plan(&self, facts: &Facts<'_, '_>, known: &Known, object: ObjectId) -> Option<Itinerary> {
        let Facts { view, threads, publication, .. } = facts;
        let may_be = |instance, value| view.analysis.points_to(instance, value).contains(object);
        let mut channels: BitSet<ObjectId> = BitSet::new();
        for take in known.takes.iter().filter(|take| may_be(take.instance, take.item)) {
            let taken_from = view.analysis.points_to(take.instance, take.channel);
            channels.extend(taken_from.iter());
        }
        let mut takes: Vec<(InstanceId, Inst)> = Vec::new();
        for take in known.plain.takes.iter().filter(|take| may_be(take.instance, take.item)) {
            let taken_from = view.analysis.points_to(take.instance, take.channel);
            if taken_from.iter().all(|collection| self.is_plain_channel(facts, known, collection)) {
                channels.extend(taken_from.iter());
                takes.push((take.instance, take.inst));
            }
        }
        let spoils = |channel: ObjectId| {
            known.filled.contains(channel)
                || known.by_library.get(&channel).is_some_and(|items| items.contains(object))
        };
        if channels.iter().any(spoils) {
            return None;
        }
        let is_relevant = |put: &&Passing| {
            let mut into = view.analysis.points_to(put.instance, put.channel).iter();
            may_be(put.instance, put.item) && into.any(|channel| channels.contains(channel))
        };
        let puts = known.puts.iter().chain(&known.plain.puts).filter(is_relevant);
        let mut gives: Vec<(InstanceId, Inst, Value)> =
            puts.map(|put| (put.instance, put.inst, put.item)).collect();
        let mut runners: Vec<ThreadId> = Vec::new();
        for (thread, _) in known.tasks.iter().filter(|(_, objects)| objects.contains(&object)) {
            gives.extend(start(view, threads, *thread, object)?);
            runners.push(*thread);
        }
        if gives.is_empty() {
            return None;
        }
        gives.sort_unstable();
        gives.dedup();
        let mut giving: BitSet<InstanceId> = BitSet::new();
        let mut pending: Vec<InstanceId> = gives.iter().map(|give| give.0).collect();
        while let Some(instance) = pending.pop() {
            if giving.insert(instance) {
                pending.extend(publication.callers_of(instance).iter().map(|(caller, _)| *caller));
            }
        }
        let itinerary = Itinerary { gives, giving, takes, runners };
        let in_custody = |&(instance, inst, value): &(InstanceId, Inst, Value)| {
            let mut threads = threads.may_execute(instance).iter();
            threads.all(|&thread| Custody::new(facts, &itinerary, object, thread).has(instance, inst, value))
        };
        itinerary.gives.iter().all(in_custody).then_some(itinerary)
    }

    fn is_plain_channel(&self, facts: &Facts<'_, '_>, known: &Known, collection: ObjectId) -> bool {
        let channels = || self.plain_channels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&found) = channels().get(&collection) {
            return found;
        }
        let found = known.plain.is_channel(facts, collection);
        channels().insert(collection, found);
        found
    }
}

/// The value whose closed field an access loads its object from, and which objects that may be.
pub(crate) fn keeper(
    facts: &Facts<'_, '_>,
    access: &Access,
    side: Occurrence,
    object: ObjectId,
) -> Option<(Value, Vec<ObjectId>)> {
    let view = facts.view;
    let body = view.body(side.instance)?;
    let load = body.defining_inst(root_of(body, access.base?))?;
    let Op::GetField(reference) = &body.insts[load].op else { return None };
    let field = view.program.resolve_field(reference).ok()?;
    if !facts.publication.is_closed(view, field, object) {
        return None;
    }
    let keeper = body.args(load)[0];
    let keeps =
        |&keeper: &ObjectId| view.analysis.member(keeper, Member::Field(field)).any(|kept| kept == object);
    Some((keeper, view.analysis.points_to(side.instance, keeper).iter().filter(keeps).collect()))
}

/// The operands by which a call starts an object as a task; `None` if it may run it more than once, or in a way that is not seen.
fn start(
    view: &View<'_>,
    threads: &Threads,
    thread: ThreadId,
    object: ObjectId,
) -> Option<Vec<(InstanceId, Inst, Value)>> {
    let data = &threads.all[thread];
    let Origin::Spawn { instance, inst: Some(inst), kind, .. } = data.origin else { return None };
    let once = !data.repeats
        && (kind == InThread::New || kind == InThread::Pool && runs_once(view, instance, Some(inst)));
    let body = view.body(instance).filter(|_| once)?;
    let mut operands: Vec<Value> = body.args(inst).to_vec();
    operands.retain(|&value| view.analysis.points_to(instance, value).contains(object));
    let [operand] = operands[..] else { return None };
    Some(vec![(instance, inst, operand)])
}

fn begins_with(view: &View<'_>, method: MethodId, names: &[&str]) -> bool {
    let name = view.program.methods[method].name;
    names.iter().any(|start| name.as_bytes().starts_with(start.as_bytes()))
}

/// Whether the result of a call is an object that it has taken out of a channel: the channel.
fn takes_from(view: &View<'_>, instance: InstanceId, inst: Inst) -> Option<Value> {
    let callees = view.callees(instance, inst);
    let mut methods = callees.iter().map(|&callee| view.method_of(callee));
    if !methods.all(|method| method.is_some_and(|method| begins_with(view, method, &TAKING))) {
        return None;
    }
    let body = view.body(instance)?;
    view.must_effects(instance, inst).into_iter().find_map(|effect| match effect {
        Effect::Subscribe { channel, item: Some(item), .. } if *item == Place::result() => {
            view.operand(body, inst, channel)
        }
        _ => None,
    })
}

/// What a library method puts into which channels.
fn puts_of<'a>(view: &View<'a>, method: MethodId) -> impl Iterator<Item = (&'a Place, &'a Place)> {
    let effects = view.rows(method).to_vec().into_iter().flat_map(|row| row.effects.iter());
    effects.filter_map(|effect| match effect {
        Effect::Publish { channel, item: Some(item), .. } => Some((channel, item)),
        _ => None,
    })
}

fn find(facts: &Facts<'_, '_>) -> Known {
    let Facts { view, threads, .. } = facts;
    let mut known = Known { plain: Plain::find(facts), ..Known::default() };
    for instance in view.analysis.instances.ids() {
        if threads.may_execute(instance).is_empty() {
            continue;
        }
        let own = view.is_application_instance(instance);
        // A collection that is told to put something in does so by other methods of its own.
        let is_told = view.method_of(instance).is_some_and(|method| {
            let puts = !own && begins_with(view, method, &PUTTING);
            let of_others = view.program.methods[method].name.as_bytes().ends_with(b"All");
            puts_of(view, method).next().is_some() || puts && !of_others
        });
        for call in view.calls(instance) {
            let body = view.body(instance).zip(call.inst).filter(|_| own);
            if let Some((body, inst)) = body
                && let Some(item) = body.insts[inst].result
                && let Some(channel) = takes_from(view, instance, inst)
                && body.insts.ids().any(|user| body.args(user).contains(&item))
            {
                known.takes.push(Passing { instance, inst, channel, item });
            }
            for &callee in call.callees {
                let Some(called) = view.method_of(callee) else { continue };
                if view.is_application(called) {
                    continue;
                }
                if let Some((body, inst)) = body {
                    note_filled(view, instance, called, body.args(inst), &mut known.filled);
                }
                for row in view.rows(called) {
                    for effect in row.effects.iter() {
                        if let Effect::PutAll { into } = effect {
                            known.filled.extend(view.objects_at(instance, call.number, called, into));
                        }
                    }
                }
                for (channel, item) in puts_of(view, called).filter(|_| !is_told) {
                    let values = body.and_then(|(body, inst)| {
                        let [channel, item] = [channel, item].map(|place| view.operand(body, inst, place));
                        Some(Passing { instance, inst, channel: channel?, item: item? })
                    });
                    match values {
                        Some(put) => known.puts.push(put),
                        None => {
                            let at = |place| view.objects_at(instance, call.number, called, place);
                            for channel in at(channel) {
                                known.by_library.entry(channel).or_default().extend(at(item));
                            }
                        }
                    }
                }
            }
        }
    }
    for (thread, data) in threads.all.iter_ids() {
        if matches!(data.origin, Origin::Spawn { .. }) {
            let tasks = |&entry: &InstanceId| view.analysis.parameter_points_to(entry, 0).iter();
            known.tasks.push((thread, data.entries.iter().flat_map(tasks).collect()));
        }
    }
    known.puts.sort_unstable();
    known.puts.dedup();
    known
}

/// Notes the objects that a constructor of the library is given other collections for.
fn note_filled(
    view: &View<'_>,
    instance: InstanceId,
    called: MethodId,
    arguments: &[Value],
    filled: &mut BitSet<ObjectId>,
) {
    let (true, [made, given @ ..]) = (view.program.methods[called].is_constructor(), arguments) else {
        return;
    };
    let heap = &view.analysis.heap;
    let is_collection = |object: ObjectId| {
        Kind::Collection
            .classes()
            .any(|class| heap.types.is_instance(heap.get(object).ty, ClassName::new(class)))
    };
    if given.iter().any(|&value| view.analysis.points_to(instance, value).iter().any(is_collection)) {
        let made = view.analysis.points_to(instance, *made);
        filled.extend(made.iter());
    }
}
