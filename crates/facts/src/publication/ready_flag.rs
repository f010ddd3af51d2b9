//! Data that is set up once, beside a volatile flag that says so.
//!
//! ```java
//! if (!ready) { synchronized (this) { if (!ready) { table = load(); ready = true; } } }
//! return table;
//! ```
//!
//! **Theorem.** Let a volatile flag be unset from the start and never be unset again, and let a lock of the object that has the flag be held
//! exclusively wherever the flag is set. Let one side of a candidate come, while the lock is held, after a test that
//! found the flag unset, and before the flag is set; and let the other side come after its thread has seen the flag set, or has set it, on every
//! way. If both mean the flag of the same object, the one happens before the other.
//!
//! *Proof.* The other side has seen the flag set by somebody, who did so while holding the lock. That was not before the one side took the lock, or the
//! test would have found the flag set; nor while the one side held the lock, but by its own thread and after the access. So the flag was set after the
//! access, by the same thread, or by one that took the lock after it had been given back; and the volatile read comes after that.
//!
//! The hypotheses, each with the program of the corpus in which only this one fails:
//!
//! 1. The flag is never unset: by a method (LazyFlagReset), by the initialiser of another class (FlagUnsetByOtherInitializer), by a
//!    constructor that has published the object, or by a handle of the field.
//! 2. The lock is held wherever the flag is set (LazyFlagUnlocked, StaticFlagOtherLock).
//! 3. The lock is held from the test to the access: it is not given back in between (LazyFlagLockGivenBack), nor by a method that is
//!    called (LazyFlagCalleeGivesBack), nor by waiting.
//! 4. The flag is not set before the access (LazyFlagTooEarly).
//!
//! Both mean the same flag if it is static; if the object that is accessed has the flag; or if what is accessed was loaded from a
//! [closed](crate::publication) field of the object that has the flag. That a wait gives a lock back in between is looked at: code that may wait does not
//! come between the test and the access.

use std::sync::OnceLock;

use selvedge_base::{BitSet, FastMap, FastSet};
use selvedge_ir::{Block, Body, Condition, FieldRef, Inst, Op, Value, ValueDef};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{FieldId, MethodId};

use crate::bundle::Facts;
use crate::describe;
use crate::handover::taken_once::keeper;
use crate::limits;
use crate::locks::{GlobalLock, LockPath, Locks, Mode};
use crate::publication::root_of;
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::view::View;
use crate::ways::{leave, may_leak_this_before, may_reach};

/// See the [module documentation](self).
#[derive(Default)]
pub struct ReadyFlag {
    known: OnceLock<Vec<Flag>>,
}

/// A volatile field that is set and never unset, always under a lock.
struct Flag {
    field: FieldId,
    locks: Vec<Lock>,
    /// The instances that may set it, by themselves or by what they call.
    setting: BitSet<InstanceId>,
    /// The instances that may wait, by themselves or by what they call.
    waiting: std::sync::Arc<BitSet<InstanceId>>,
}

/// A lock, as everybody names it who means the same object.
#[derive(Clone, PartialEq, Eq)]
enum Lock {
    Global(GlobalLock),
    Of(LockPath),
}

impl Lock {
    fn is_monitor(&self) -> bool {
        match self {
            Self::Global(lock) => lock.is_monitor(),
            Self::Of(lock) => lock.is_monitor(),
        }
    }
}

/// The object that has the flag: a value, or none for static flags.
type Anchor = Option<Value>;

impl ReadyFlag {
    /// The name of the refuter.
    pub const BY: &'static str = "ready-flag";

    /// Whether one side comes before a flag is set, and the other after it was seen.
    pub fn refute<'a>(&'a self, facts: &'a Facts<'_, '_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let flags = self.known.get_or_init(|| find(facts));
        let [a, b] = candidate.sides;
        let flag = flags.iter().find(|flag| {
            let query = FlagQuestion { facts, flag };
            let orders = |first: Occurrence, second: Occurrence| {
                let anchors = query.anchors(candidate.object, first, second);
                anchors.is_some_and(|[before, after]| {
                    let at = |side: Occurrence| facts.accesses.all[side.access].inst;
                    query.is_before(first.instance, at(first), before, limits::FLAG_CALLS)
                        && query.has_seen(second.instance, at(second), after, limits::FLAG_CALLS)
                })
            };
            orders(a, b) || orders(b, a)
        })?;
        let access = &facts.accesses.all[a.access];
        Some(Refutation::proof(Self::BY, move || {
            let name = facts.view.program.describe_field(flag.field);
            let place = describe::place(facts.view, access.method, access.inst);
            format!(
                "{name} is set, under a lock, after the one access and seen before the other ({place} is one of both)"
            )
        }))
    }
}

fn find(facts: &Facts<'_, '_>) -> Vec<Flag> {
    let view = facts.view;
    let (mut unset, mut waits): (FastSet<FieldId>, Vec<InstanceId>) = Default::default();
    let mut sets: FastMap<FieldId, Vec<(MethodId, Inst)>> = FastMap::default();
    for (method, body) in view.application_code() {
        let data = &view.program.methods[method];
        for (inst, op) in body.insts.iter_ids().map(|(inst, data)| (inst, &data.op)) {
            match op {
                Op::PutField(reference) | Op::PutStatic(reference) => {
                    let Ok(field) = view.program.resolve_field(reference) else { continue };
                    if !view.program.fields[field].is_volatile() {
                        continue;
                    }
                    let is_own = view.program.fields[field].class == data.class;
                    let is_this = || body.args(inst).first() == body.parameters.first();
                    let initializes = is_own
                        && (data.is_class_initializer()
                            || data.is_constructor()
                                && is_this()
                                && !view
                                    .shape(method)
                                    .is_none_or(|shape| may_leak_this_before(view, (body, shape), inst)));
                    match body.args(inst).last().and_then(|&value| constant(body, value)) {
                        Some(0) if initializes => {}
                        None | Some(0) => {
                            unset.insert(field);
                        }
                        Some(_) => sets.entry(field).or_default().push((method, inst)),
                    }
                }
                Op::Invoke(_, called)
                    if called.name.is("wait") || called.name.as_bytes().starts_with(b"await") =>
                {
                    waits.extend(view.analysis.instances_of(method));
                }
                _ => {}
            }
        }
    }
    for (_, data) in view.analysis.heap.objects() {
        if let Site::FieldHandle(field, _) = view.analysis.heap.site_of(data.site) {
            unset.insert(field);
        }
    }
    sets.retain(|field, _| !unset.contains(field));
    let mut sets: Vec<(FieldId, Vec<(MethodId, Inst)>)> = sets.into_iter().collect();
    if sets.len() > limits::FLAGS {
        return Vec::new();
    }
    sets.sort_unstable();
    let waiting = std::sync::Arc::new(callers_closure(facts, waits));
    let flags = sets.into_iter().filter_map(|(field, sets)| {
        let locks = guards(view, &facts.locks, &sets)?;
        let setters = sets.iter().flat_map(|(method, _)| view.analysis.instances_of(*method));
        let setting = callers_closure(facts, setters.copied().collect());
        Some(Flag { field, locks, setting, waiting: waiting.clone() })
    });
    flags.collect()
}

/// The locks that are held wherever a flag is set; `None` if there are none.
fn guards(view: &View<'_>, locks: &Locks, sets: &[(MethodId, Inst)]) -> Option<Vec<Lock>> {
    let mut common: Option<Vec<Lock>> = None;
    for &(method, set) in sets {
        let body = view.program.body(method)?;
        let holder = matches!(body.insts[set].op, Op::PutField(_)).then(|| body.args(set)[0]);
        for &instance in view.analysis.instances_of(method) {
            let held = held(view, locks, instance, set, holder);
            match &mut common {
                None => common = Some(held),
                Some(common) => common.retain(|lock| held.contains(lock)),
            }
        }
    }
    common.filter(|locks| !locks.is_empty())
}

/// The locks that an instance holds exclusively at an instruction.
fn held(view: &View<'_>, locks: &Locks, instance: InstanceId, inst: Inst, anchor: Anchor) -> Vec<Lock> {
    let held = locks.at_call(view, instance, Some(inst), anchor);
    let global = held.global.into_iter().filter(|(_, mode)| *mode == Mode::Exclusive);
    let own = held.of_receiver.into_iter().filter(|(_, mode)| *mode == Mode::Exclusive);
    global.map(|(lock, _)| Lock::Global(lock)).chain(own.map(|(lock, _)| Lock::Of(lock))).collect()
}

/// Instances, and all that may call them in the same thread.
fn callers_closure(facts: &Facts<'_, '_>, mut pending: Vec<InstanceId>) -> BitSet<InstanceId> {
    let mut found: BitSet<InstanceId> = BitSet::new();
    while let Some(instance) = pending.pop() {
        if found.insert(instance) {
            pending.extend(facts.publication.callers_of(instance).iter().map(|(caller, _)| *caller));
        }
    }
    found
}

fn constant(body: &Body, value: Value) -> Option<i32> {
    match body.insts[body.defining_inst(value)?].op {
        Op::Int(number) => Some(number),
        _ => None,
    }
}

/// One question about one flag.
struct FlagQuestion<'a, 'g, 'v> {
    facts: &'a Facts<'g, 'v>,
    flag: &'a Flag,
}

impl FlagQuestion<'_, '_, '_> {
    /// The values that are the object which has the flag, where the two sides are; `None` unless they are the same.
    fn anchors(
        &self,
        object: Option<ObjectId>,
        first: Occurrence,
        second: Occurrence,
    ) -> Option<[Anchor; 2]> {
        let view = self.facts.view;
        let data = &view.program.fields[self.flag.field];
        if data.is_static() {
            return Some([None, None]);
        }
        let (object, class) = (object?, view.program.classes[data.class].name);
        let heap = &view.analysis.heap;
        let has_flag = |object: ObjectId| heap.types.is_instance(heap.get(object).ty, class);
        let access = |side: Occurrence| &self.facts.accesses.all[side.access];
        if has_flag(object) {
            return Some([Some(access(first).base?), Some(access(second).base?)]);
        }
        let keeper = |side: Occurrence| {
            let (value, objects) = keeper(self.facts, access(side), side, object)?;
            objects.into_iter().all(has_flag).then_some(Some(value))
        };
        Some([keeper(first)?, keeper(second)?])
    }

    /// Whether an instruction loads the flag of the anchor.
    fn loads(&self, body: &Body, inst: Inst, anchor: Anchor) -> bool {
        let is_flag = |reference: &FieldRef| {
            self.facts.view.program.resolve_field(reference).ok() == Some(self.flag.field)
        };
        match (&body.insts[inst].op, anchor) {
            (Op::GetStatic(reference), None) => is_flag(reference),
            (Op::GetField(reference), Some(anchor)) => {
                root_of(body, body.args(inst)[0]) == root_of(body, anchor) && is_flag(reference)
            }
            _ => false,
        }
    }

    /// The edges on which the flag of the anchor was found set, or unset, with the instruction that loaded it.
    fn tests(&self, body: &Body, anchor: Anchor, set: bool) -> Vec<(Inst, Block, Block)> {
        let mut found = Vec::new();
        for block in body.blocks.ids() {
            let last = body.terminator(block);
            let Op::If { condition, then, otherwise } = body.insts[last].op else { continue };
            let ([tested], true) = (body.args(last), then != otherwise) else { continue };
            let Some(load) = body.defining_inst(*tested).filter(|&load| self.loads(body, load, anchor))
            else {
                continue;
            };
            let target = match (condition, set) {
                (Condition::Ne, true) | (Condition::Eq, false) => then,
                (Condition::Eq, true) | (Condition::Ne, false) => otherwise,
                _ => continue,
            };
            found.push((load, block, target));
        }
        found
    }

    /// Whether an instruction comes, with the lock held, after a test that found the flag unset and before it is set.
    fn is_before(&self, instance: InstanceId, inst: Inst, anchor: Anchor, depth: usize) -> bool {
        let view = self.facts.view;
        let Some(method) = view.method_of(instance).filter(|_| depth > 0) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        let here = shape.block_of[inst];
        let after_test = self.tests(body, anchor, false).into_iter().any(|(load, _, unset)| {
            body.blocks[unset].predecessors.len() == 1
                && shape.dominators.dominates(unset, here)
                && self.is_undisturbed(instance, body, (Some(load), inst), anchor)
        });
        if after_test {
            return true;
        }
        // In code that is called after the test.
        self.is_undisturbed(instance, body, (None, inst), anchor)
            && self.at_every_call(instance, body, anchor, |caller, call, anchor| {
                self.is_before(caller, call, anchor, depth - 1)
            })
    }

    /// Whether something holds at every call of an instance, of the value that the call passes for the anchor.
    fn at_every_call(
        &self,
        instance: InstanceId,
        body: &Body,
        anchor: Anchor,
        holds: impl Fn(InstanceId, Inst, Anchor) -> bool,
    ) -> bool {
        let position = match anchor.map(|anchor| body.values[root_of(body, anchor)].def) {
            None => None,
            Some(ValueDef::Parameter(position)) => Some(position as usize),
            Some(ValueDef::Inst(_)) => return false,
        };
        let callers = self.facts.publication.callers_of(instance);
        !callers.is_empty()
            && !self.is_entry(instance)
            && callers.iter().all(|&(caller, call)| {
                self.argument(caller, call, position)
                    .is_some_and(|(call, anchor)| holds(caller, call, anchor))
            })
    }

    fn is_entry(&self, instance: InstanceId) -> bool {
        self.facts.threads.all.iter().any(|thread| thread.entries.contains(&instance))
    }

    /// A call of the application's own code, with the value that it passes at a position.
    fn argument(
        &self,
        caller: InstanceId,
        call: Option<Inst>,
        position: Option<usize>,
    ) -> Option<(Inst, Anchor)> {
        let view = self.facts.view;
        let (call, body) = (call?, view.body(caller).filter(|_| view.is_application_instance(caller))?);
        match position {
            None => Some((call, None)),
            Some(position) if matches!(body.insts[call].op, Op::Invoke(..)) => {
                Some((call, Some(*body.args(call).get(position)?)))
            }
            Some(_) => None,
        }
    }

    /// Whether on the ways from a test, or from the beginning, to an instruction a lock is held all the time and the flag is not set.
    fn is_undisturbed(
        &self,
        instance: InstanceId,
        body: &Body,
        (from, to): (Option<Inst>, Inst),
        anchor: Anchor,
    ) -> bool {
        let view = self.facts.view;
        let Some(shape) = view.method_of(instance).and_then(|method| view.shape(method)) else {
            return false;
        };
        let is_between = |&inst: &Inst| {
            inst != to
                && from.is_none_or(|from| inst != from && may_reach(body, shape, from, inst, None))
                && may_reach(body, shape, inst, to, from)
        };
        let relevant = |&inst: &Inst| {
            let op = &body.insts[inst].op;
            matches!(op, Op::MonitorEnter | Op::Invoke(..) | Op::PutField(_) | Op::PutStatic(_))
        };
        let between: Vec<Inst> = body.insts.ids().filter(relevant).filter(is_between).collect();
        let disturbs = |&inst: &Inst| match &body.insts[inst].op {
            Op::PutField(reference) | Op::PutStatic(reference) => {
                view.program.resolve_field(reference).ok() == Some(self.flag.field)
            }
            Op::Invoke(_, called) => {
                let waits = called.name.is("wait") || called.name.as_bytes().starts_with(b"await");
                let callees = view.callees(instance, inst);
                waits
                    || callees.iter().any(|&callee| {
                        self.flag.setting.contains(callee) || self.flag.waiting.contains(callee)
                    })
            }
            _ => false,
        };
        if between.iter().any(disturbs) {
            return false;
        }
        // A monitor is given back by who has entered it, or by waiting.
        let gives_back = |&inst: &Inst| {
            let mut callees = view.callees(instance, inst).iter();
            callees.any(|&callee| self.facts.locks.may_give_back(view, callee))
        };
        let is_given_back = between.iter().any(gives_back);
        self.flag.locks.iter().filter(|lock| lock.is_monitor() || !is_given_back).any(|lock| {
            let mut points = between.iter().copied().chain(from).chain([to]);
            points.all(|inst| {
                let is_free = !matches!(body.insts[inst].op, Op::MonitorEnter | Op::Invoke(..))
                    && Some(inst) != from
                    && inst != to;
                is_free || held(view, &self.facts.locks, instance, inst, anchor).contains(lock)
            })
        })
    }

    /// Whether the code of an instance has seen the flag set, or has set it, on every way to an instruction.
    fn sees(&self, instance: InstanceId, inst: Inst, anchor: Anchor, depth: usize) -> bool {
        let view = self.facts.view;
        let Some(method) = view.method_of(instance).filter(|_| depth > 0) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        let seen_on: Vec<(Block, Block)> =
            self.tests(body, anchor, true).into_iter().map(|(_, from, to)| (from, to)).collect();
        let tells = |inst: Inst| self.tells(instance, body, inst, anchor, depth);
        let here = shape.block_of[inst];
        let mut reached: BitSet<Block> = BitSet::new();
        let mut pending = vec![Body::ENTRY];
        while let Some(block) = pending.pop() {
            if !reached.insert(block) {
                continue;
            }
            let told = body.blocks[block].insts.iter().find(|&inst| tells(inst));
            if block == here && told.is_none_or(|told| inst <= told) {
                return false;
            }
            let next = leave(body, block, told.is_some());
            pending.extend(next.into_iter().filter(|&to| !seen_on.contains(&(block, to))));
        }
        true
    }

    /// The same of the thread: its callers may have seen it.
    fn has_seen(&self, instance: InstanceId, inst: Inst, anchor: Anchor, depth: usize) -> bool {
        if self.sees(instance, inst, anchor, depth) {
            return true;
        }
        let Some(body) = self.facts.view.body(instance).filter(|_| depth > 0) else { return false };
        self.at_every_call(instance, body, anchor, |caller, call, anchor| {
            self.has_seen(caller, call, anchor, depth - 1)
        })
    }

    /// Whether a thread that has executed an instruction has set the flag of the anchor, or has seen it set.
    fn tells(&self, instance: InstanceId, body: &Body, inst: Inst, anchor: Anchor, depth: usize) -> bool {
        let view = self.facts.view;
        let is_flag =
            |reference: &FieldRef| view.program.resolve_field(reference).ok() == Some(self.flag.field);
        let arguments = body.args(inst);
        let is_set = || arguments.last().and_then(|&value| constant(body, value)).is_some_and(|it| it != 0);
        let is_anchor =
            |value: Value| anchor.is_some_and(|anchor| root_of(body, value) == root_of(body, anchor));
        match &body.insts[inst].op {
            Op::PutStatic(reference) => anchor.is_none() && is_flag(reference) && is_set(),
            Op::PutField(reference) => is_anchor(arguments[0]) && is_flag(reference) && is_set(),
            Op::Invoke(..) => {
                let position = arguments.iter().position(|&value| is_anchor(value));
                let callees = view.callees(instance, inst);
                (anchor.is_none() || position.is_some())
                    && !callees.is_empty()
                    && callees.iter().all(|&callee| {
                        self.flag.setting.contains(callee) && self.ensures(callee, position, depth - 1)
                    })
            }
            _ => false,
        }
    }

    /// Whether a method of the application has seen the flag set whenever it returns.
    fn ensures(&self, callee: InstanceId, position: Option<usize>, depth: usize) -> bool {
        let view = self.facts.view;
        let own = view.is_application_instance(callee);
        let Some(body) = view.body(callee).filter(|_| own && depth > 0) else { return false };
        let anchor = match position {
            None => None,
            Some(position) => match body.parameters.get(position) {
                Some(&value) => Some(value),
                None => return false,
            },
        };
        let mut returns = body.insts.iter_ids().filter(|(_, data)| matches!(data.op, Op::Return));
        returns.all(|(inst, _)| self.sees(callee, inst, anchor, depth))
    }
}
