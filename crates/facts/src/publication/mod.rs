//! Accesses to objects that are not yet published.
//!
//! The first part of an object's life (von Praun and Gross, section 4: between NEW and the first ESCAPE): it is allocated, its
//! constructor runs, it is filled, and only then stored where other threads look. What is accessed before is no race with
//! what comes after, if the object is published safely.
//!
//! **Theorem.** If a side of a candidate is unpublished, then in every run, when that side executes on an object of
//! this kind, no thread but the one that allocated the object holds a reference to it. A value is unpublished at an
//! instruction if
//!
//! - it is the result of an allocation of the same method (or of `Object.clone`, `Arrays.copyOf`, or another call that returns something new, see
//!   the file `results.rs`), and from no use that may leak it is there a way to the instruction that
//!   does not pass the allocation again;
//! - it is such a result that is kept in a field of an unpublished object and nowhere else (see the file `parts.rs`);
//! - it is chosen among such results and null, and no use of any of them that may leak lies on a way to the instruction; or
//! - it is a parameter, no use that may leak it lies on a way to the instruction, and every call that may pass such an object passes
//!   a value that is unpublished at the call. What runs a constructor other than by an instruction (reflection, a method handle,
//!   `Class::new`) makes the object for it, and hands it out only when the constructor has returned.
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. No use that may leak the value lies on a way to the instruction (BuilderPublishedTooEarly, LeakedThis); a row that gives it to the
//!    JVM leaks it, too.
//! 2. Whoever passes it as a parameter passes what is unpublished (CopyByHelperKept).
//! 3. The value is the object, or an iterator or a view that the method has made from it (IteratorOutlivesLock).
//! 4. It is published safely: a proof where nothing holds it without order (see the file `holders.rs`): no plain field of a shared object
//!    (UnsafePublication), no array (PublishedInArray), no collection (PublishedInCollection), no cell that is written without releasing
//!    (PublishedPlainly) or read without acquiring (ReadPlainly).
//!
//! Which uses leak is said in the file `leaks.rs`. A compare-and-set that fails stores nothing.
//!
//! Two constructors that run on one object are nested in each other, and so run in one thread, and so does a method that only
//! constructors call, on the object they construct: accesses of two of these to their own object are never in parallel, whatever
//! was leaked.
//!
//! A safe publication orders what was done before with what others do after. Where something also holds the object without order, the
//! reference itself may race, and the contents with it: then the refutation is only heuristic, and
//! [`Publication::plain_holders`] tells on what it depends.

mod flow;
mod holders;
mod leaks;
mod parts;
pub mod ready_flag;
mod receivers;
mod results;
mod selves;

use selvedge_models::Kind;
use std::sync::Arc;

use selvedge_base::{BitSet, FastMap};
use selvedge_ir::{Body, Inst, InvokeKind, Op, Value, ValueDef};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{FieldId, MethodId, Tier};

use crate::accesses::{Access, AccessId, Accesses, Place};
use crate::describe;
use crate::escape::Escape;
use crate::handover::fresh::is_allocation;
use crate::limits;
use crate::memo::{Bounded, ReachesOrCircles, Step, Table};
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::shape::Shape;
use crate::threads::{Origin, ThreadId, Threads};
use crate::view::View;
use crate::ways::{may_reach, may_reach_from};
use flow::stored_on;
pub use holders::Holder;
pub(crate) use leaks::root_of;
pub(crate) use receivers::Way;
pub(crate) use results::Results;

type Callers = FastMap<InstanceId, Vec<(InstanceId, Option<Inst>)>>;

/// See the [module documentation](self).
pub struct Publication {
    callers: Callers,
    plain_holders: FastMap<ObjectId, Vec<Holder>>,
    /// Which instances may run although their receiver is not being constructed: the ways go from callee to caller.
    not_constructing: ReachesOrCircles<InstanceId>,
    results: Results,
    uses: parts::Uses,
    /// Whether a field keeps objects of a kind to itself.
    closed: Table<(FieldId, ObjectId), bool>,
    /// Whether a method leaks a value by another instruction than one.
    leaked_beside: Table<(InstanceId, Value, Option<Inst>), bool>,
    /// Whether a value is leaked on no way to an instruction: one that was made by an instruction or comes from the caller, or, with
    /// `None`, any of those that it is chosen from.
    unleaked: Table<(InstanceId, Inst, Value, Made), bool>,
    /// The value of the object that keeps a value to itself up to an instruction.
    kept_by: Table<(InstanceId, Inst, Value), Option<Value>>,
    /// In which threads a parameter is unpublished on entry, for one object, as calls up to a depth show.
    fresh: Bounded<(InstanceId, usize, ObjectId), InThreads>,
    /// What static final fields hold that hold one kind of object only.
    constants: BitSet<ObjectId>,
}

impl Publication {
    /// The name of the refuter.
    pub const BY: &'static str = "not-published";
    /// The name of the refuter for objects of the library that a method uses alone.
    pub const LOCAL: &'static str = "local-library-object";

    /// Prepares the fact; what it says is worked out when asked.
    pub fn new(view: &View<'_>, threads: &Threads, escape: &Escape, accesses: &Accesses) -> Self {
        let mut callers: Callers = FastMap::default();
        let mut executed: BitSet<InstanceId> = BitSet::new();
        for reached in threads.reached.iter() {
            executed.union_with(reached);
        }
        for caller in executed.iter() {
            for call in view.calls(caller) {
                for &callee in call.callees.iter().filter(|&&callee| threads.is_call(view, caller, callee)) {
                    callers.entry(callee).or_default().push((caller, call.inst));
                }
            }
        }
        let plain_holders = holders::holders(view, escape, accesses);
        let finals =
            view.analysis.static_fields().filter(|(field, _)| view.program.fields[*field].is_final());
        let constants =
            finals.filter(|(_, held)| held.len() == 1).flat_map(|(_, held)| held.iter()).collect();
        Self {
            constants,
            callers,
            plain_holders,
            not_constructing: ReachesOrCircles::default(),
            results: Results::new(view),
            uses: parts::Uses::new(view),
            closed: Table::default(),
            leaked_beside: Table::default(),
            unleaked: Table::default(),
            kept_by: Table::default(),
            fresh: Bounded::default(),
        }
    }

    /// Who calls an instance, in the same thread.
    pub fn callers_of(&self, instance: InstanceId) -> &[(InstanceId, Option<Inst>)] {
        self.callers.get(&instance).map_or(&[], Vec::as_slice)
    }

    /// What may hold an object without order: if that races, so may what was written to the object before it was published.
    pub fn plain_holders(&self, object: ObjectId) -> &[Holder] {
        self.plain_holders.get(&object).map_or(&[], Vec::as_slice)
    }

    /// Whether one side of the candidate happens before anybody else can know the object.
    pub fn refute<'a>(
        &'a self,
        view: &'a View<'_>,
        threads: &Threads,
        accesses: &'a Accesses,
        candidate: &Candidate,
    ) -> Option<Refutation<'a>> {
        let object = candidate.object?;
        let constructs = |side: &Occurrence| {
            let access = &accesses.all[side.access];
            let this = view.program.body(access.method).and_then(|body| body.parameters.first().copied());
            access.base.is_some() && access.base == this && self.constructs(view, threads, side.instance)
        };
        if candidate.sides.iter().all(constructs) {
            return Some(Refutation::proof(Self::BY, move || {
                format!("both sides construct {}, which one thread does", describe::object(view, object))
            }));
        }
        let side = candidate
            .sides
            .iter()
            .find(|side| self.must_be_unpublished(view, threads, accesses, side, object))?;
        let access = &accesses.all[side.access];
        let holders = self.plain_holders(object);
        let strength = if holders.is_empty() { Strength::Proof } else { Strength::Heuristic };
        Some(Refutation::new(Self::BY, strength, move || {
            let at = describe::place(view, access.method, access.inst);
            let what = describe::object(view, object);
            let unless = holders.first().map_or(String::new(), |holder| {
                format!(", if {} is published in order", holder.describe(view))
            });
            format!("when {at} runs, no other thread can know {what} yet{unless}")
        }))
    }

    /// Whether one side of the candidate uses an object of the library that its method makes for itself: it calls methods on it, and
    /// does nothing else with it. Other threads could know it only through the inside of the library, which is taken not
    /// to pass such objects on. Collections do: they have views.
    pub fn refute_local<'a>(
        &self,
        view: &'a View<'_>,
        accesses: &'a Accesses,
        candidate: &Candidate,
    ) -> Option<Refutation<'a>> {
        let accessed = candidate.sides.map(|side| &accesses.all[side.access]);
        let access = accessed.into_iter().find(|access| is_local_library_object(view, access))?;
        Some(Refutation::heuristic(Self::LOCAL, move || {
            let at = describe::place(view, access.method, access.inst);
            format!("the object is new at {at} and only its methods are called")
        }))
    }

    /// Whether no other thread knows the object when an access to it executes.
    pub fn must_be_unpublished(
        &self,
        view: &View<'_>,
        threads: &Threads,
        accesses: &Accesses,
        side: &Occurrence,
        object: ObjectId,
    ) -> bool {
        self.must_be_unpublished_in(view, threads, accesses, (side.access, side.instance), object)
            .contains(side.thread)
    }

    /// In which of the threads that execute an instance no other thread knows the object when an access to it executes.
    pub fn must_be_unpublished_in(
        &self,
        view: &View<'_>,
        threads: &Threads,
        accesses: &Accesses,
        (access, instance): (AccessId, InstanceId),
        object: ObjectId,
    ) -> InThreads {
        let access = &accesses.all[access];
        let query = PublicationQuestion { facts: self, view, threads, object };
        let base = access.base.and_then(|base| holder_of(view, instance, access.method, base, object));
        base.map_or(InThreads::None, |base| {
            query.is_unpublished(instance, access.inst, base, limits::PARAMETER_CALLS)
        })
    }

    /// Whether some static final field holds this kind of object and no other.
    pub(crate) fn may_be_constant(&self, object: ObjectId) -> bool {
        self.constants.contains(object)
    }

    /// Whether an instance runs only while its receiver is constructed: a constructor, or a method that only these call on their own
    /// object. Methods that call each other do not count.
    fn constructs(&self, view: &View<'_>, threads: &Threads, instance: InstanceId) -> bool {
        !self.not_constructing.lead_to_bad(instance, |instance| {
            let Some(method) = view.method_of(instance) else { return Step::Bad };
            let data = &view.program.methods[method];
            if data.is_constructor() {
                return Step::To(Vec::new());
            }
            let is_entry = || threads.all.iter().any(|thread| thread.entries.contains(&instance));
            let on_own_object = |&(caller, call): &(InstanceId, Option<Inst>)| {
                let (Some(body), Some(call)) = (view.body(caller), call) else { return false };
                let is_instance_call =
                    matches!(&body.insts[call].op, Op::Invoke(kind, _) if *kind != InvokeKind::Static);
                is_instance_call && body.args(call).first() == body.parameters.first()
            };
            let callers = self.callers.get(&instance).map_or(&[][..], Vec::as_slice);
            match data.is_static() || callers.is_empty() || !callers.iter().all(on_own_object) || is_entry() {
                true => Step::Bad,
                false => Step::To(callers.iter().map(|(caller, _)| *caller).collect()),
            }
        })
    }

    /// Whether an instance may leak a parameter. In a recursion it may.
    pub fn may_leak(&self, view: &View<'_>, instance: InstanceId, position: usize) -> bool {
        self.results.leaks.may_leak(view, instance, position)
    }

    /// Whether an instruction uses a value in a way that may leak it.
    pub(crate) fn use_leaks(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        inst: Inst,
        value: Value,
    ) -> bool {
        self.results.leaks.by_use(view, instance, body, inst, value)
    }
}

/// The value that holds the object which is accessed through another one: where that is an iterator or a view, what it was made from. None
/// if the method does not show it (IteratorOutlivesLock).
fn holder_of(
    view: &View<'_>,
    instance: InstanceId,
    method: MethodId,
    base: Value,
    object: ObjectId,
) -> Option<Value> {
    let body = view.program.body(method)?;
    let mut value = base;
    // Each round is one instruction back.
    for _ in body.insts.ids() {
        if view.analysis.points_to(instance, value).contains(object) {
            return Some(value);
        }
        let made = body.defining_inst(root_of(body, value))?;
        if !matches!(body.insts[made].op, Op::Invoke(..)) {
            return None;
        }
        value = *body.args(made).first()?;
    }
    None
}

/// Whether an access is to an object of the JDK that the same method makes and only calls methods on.
fn is_local_library_object(view: &View<'_>, access: &Access) -> bool {
    if access.place != Place::Container {
        return false;
    }
    let Some(body) = view.program.body(access.method) else { return false };
    let Some(base) = access.base else { return false };
    let mut choice = choice_of(body, base, |inst| is_allocation(&body.insts[inst].op));
    let is_of_library = |&value: &Value| {
        let made = body.defining_inst(value).map(|inst| body.insts[inst].op);
        match made {
            Some(Op::New(class)) => {
                let class = view.program.class_named(class);
                class.is_some_and(|class| {
                    let data = &view.program.classes[class];
                    data.tier == Tier::Jdk && !Kind::Utility.has(data.name.as_bytes())
                })
            }
            Some(Op::Null | Op::Phi) => choice.len() > 1,
            _ => false,
        }
    };
    if !choice.iter().all(is_of_library) {
        return false;
    }
    add_returned(body, &mut choice);
    let is_call_on = |inst: Inst| match &body.insts[inst].op {
        Op::Invoke(kind, _) => {
            let given = |argument: &Value| choice.contains(argument);
            *kind != InvokeKind::Static && !body.args(inst)[1..].iter().any(given)
        }
        Op::InstanceOf(_) | Op::If { .. } | Op::Phi => true,
        _ => false,
    };
    let is_use = |&inst: &Inst| body.args(inst).iter().any(|argument| choice.contains(argument));
    body.insts.ids().filter(is_use).all(is_call_on)
}

/// Adds what calls on some objects return that may be these objects: the builders of strings return themselves.
fn add_returned(body: &Body, objects: &mut Vec<Value>) {
    let mut position = 0;
    while let Some(&object) = objects.get(position) {
        position += 1;
        for (inst, data) in body.insts.iter_ids() {
            let Some(result) = data.result.filter(|result| !objects.contains(result)) else { continue };
            let returns_itself = match &data.op {
                Op::Invoke(_, called) => {
                    Kind::TextBuilder.has(called.owner.as_bytes()) && body.ty(result).is_reference()
                }
                Op::CheckCast(_) => true,
                _ => false,
            };
            if returns_itself && body.args(inst).first() == Some(&object) {
                objects.push(result);
            }
        }
    }
}

/// The values that a value may be chosen from or may be merged with, if all of them are null or made by the same method: `x == null ? x = new
/// C() : x`. Only the value itself if one is something else.
fn choice_of(body: &Body, value: Value, is_made: impl Fn(Inst) -> bool) -> Vec<Value> {
    let is_phi = |inst: Inst| matches!(body.insts[inst].op, Op::Phi);
    let phis: Vec<Inst> = body.insts.ids().filter(|&inst| is_phi(inst)).collect();
    let mut group = vec![value];
    let mut position = 0;
    while let Some(&member) = group.get(position) {
        position += 1;
        let from = body.defining_inst(member).filter(|&inst| is_phi(inst));
        let operands = from.into_iter().flat_map(|inst| body.args(inst).iter().copied());
        let merged = phis.iter().filter(|&&inst| body.args(inst).contains(&member));
        let connected = operands.chain(merged.filter_map(|&inst| body.insts[inst].result));
        for other in connected.collect::<Vec<Value>>() {
            if !group.contains(&other) {
                group.push(other);
            }
        }
    }
    let is_own = |&member: &Value| {
        body.defining_inst(member)
            .is_some_and(|inst| is_phi(inst) || matches!(body.insts[inst].op, Op::Null) || is_made(inst))
    };
    if group.iter().all(is_own) { group } else { vec![value] }
}

/// Which instruction made a value, or `None` for one that the caller passes; `None` at all where it does not matter.
type Made = Option<Option<Inst>>;

/// In which of the threads that execute an instance something holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InThreads {
    /// In all of them.
    All,
    /// In these.
    Some(Arc<BitSet<ThreadId>>),
    /// In none.
    None,
}

impl InThreads {
    /// Whether it holds in a thread that executes the instance.
    pub fn contains(&self, thread: ThreadId) -> bool {
        match self {
            Self::All => true,
            Self::Some(threads) => threads.contains(thread),
            Self::None => false,
        }
    }

    /// Those threads of an instance's, all of which are given in order, that are in a set.
    fn of(executing: &[ThreadId], holds: BitSet<ThreadId>) -> Self {
        match executing.iter().filter(|&&thread| holds.contains(thread)).count() {
            0 => Self::None,
            count if count == executing.len() => Self::All,
            _ => Self::Some(Arc::new(holds)),
        }
    }

    /// Where the one or the other holds, of the same instance.
    fn or(self, executing: &[ThreadId], other: impl FnOnce() -> Self) -> Self {
        match (self, other) {
            (Self::All, _) => Self::All,
            (Self::None, other) => other(),
            (Self::Some(threads), other) => match other() {
                Self::All => Self::All,
                Self::None => Self::Some(threads),
                Self::Some(others) => {
                    let mut either = (*threads).clone();
                    either.union_with(&others);
                    Self::of(executing, either)
                }
            },
        }
    }

    /// Where both hold, of the same instance.
    fn and(self, executing: &[ThreadId], other: impl FnOnce() -> Self) -> Self {
        match (self, other) {
            (Self::None, _) => Self::None,
            (Self::All, other) => other(),
            (Self::Some(threads), other) => match other() {
                Self::None => Self::None,
                Self::All => Self::Some(threads),
                Self::Some(others) => {
                    let mut both = (*threads).clone();
                    both.intersect_with(&others);
                    Self::of(executing, both)
                }
            },
        }
    }
}

/// One question: about an object, in all threads at once. There are many threads in a large program, and they come by an object in the same ways.
struct PublicationQuestion<'a, 'v> {
    facts: &'a Publication,
    view: &'a View<'v>,
    threads: &'a Threads,
    object: ObjectId,
}

impl PublicationQuestion<'_, '_> {
    fn is_unpublished(&self, instance: InstanceId, inst: Inst, value: Value, depth: usize) -> InThreads {
        let Some(method) = self.view.method_of(instance).filter(|_| depth > 0) else {
            return InThreads::None;
        };
        let (Some(body), Some(shape)) = (self.view.program.body(method), self.view.shape(method)) else {
            return InThreads::None;
        };
        let root = root_of(body, value);
        let is_made = |inst: Inst| self.facts.results.makes(self.view, instance, body, inst, self.object);
        let (made, in_threads) = match body.values[root].def {
            ValueDef::Inst(made) if is_made(made) => (Some(made), InThreads::All),
            ValueDef::Parameter(position) => {
                (None, self.is_fresh_on_entry(instance, position as usize, depth))
            }
            _ => (None, InThreads::None),
        };
        let no_leak_before =
            |choice: &[Value], made| self.no_leak_before(instance, (body, shape), inst, choice, made);
        let unleaked = &self.facts.unleaked;
        let is_unleaked = |made: Option<Inst>| {
            unleaked.get_or_insert((instance, inst, root, Some(made)), || no_leak_before(&[root], made))
        };
        let is_unleaked_choice = || {
            unleaked.get_or_insert((instance, inst, root, None), || {
                let choice = choice_of(body, root, |inst| is_allocation(&body.insts[inst].op));
                choice.len() > 1 && no_leak_before(&choice, None)
            })
        };
        let in_threads = match in_threads {
            InThreads::None => InThreads::None,
            in_threads if is_unleaked(made) => in_threads,
            _ => InThreads::None,
        };
        in_threads.or(self.threads.may_execute(instance), || match is_unleaked_choice() {
            true => InThreads::All,
            false => self.is_kept_unpublished(instance, body, shape, (inst, root), depth),
        })
    }

    /// Whether no way leads from a use that may leak one of some values to an instruction, unless by the instruction that makes it.
    fn no_leak_before(
        &self,
        instance: InstanceId,
        (body, shape): (&Body, &Shape),
        inst: Inst,
        choice: &[Value],
        made: Option<Inst>,
    ) -> bool {
        let found = self.facts.results.leaks.of_choice(self.view, instance, body, choice);
        let (aliases, leaking) = &*found;
        // In a loop an instruction comes before itself.
        !leaking.iter().any(|&leak| match stored_on(body, shape, leak, aliases) {
            Some(edges) => edges.iter().any(|&start| may_reach_from(body, shape, vec![start], inst, made)),
            None => may_reach(body, shape, leak, inst, made),
        })
    }

    fn is_entry(&self, instance: InstanceId, thread: ThreadId) -> bool {
        self.threads.all[thread].entries.contains(&instance)
    }

    /// Whether an entry of a thread is a constructor that unknown callers call: they know the object only once it has returned.
    fn is_creation(&self, instance: InstanceId, thread: ThreadId) -> bool {
        let constructs = |method| self.view.program.methods[method].is_constructor();
        self.threads.all[thread].origin == Origin::Client
            && self.view.method_of(instance).is_some_and(constructs)
    }

    fn is_fresh_on_entry(&self, instance: InstanceId, position: usize, depth: usize) -> InThreads {
        let key = (instance, position, self.object);
        self.facts.fresh.shown(key, depth, (&InThreads::None, &InThreads::All), || {
            let callers = self.facts.callers_of(instance);
            let executing = self.threads.may_execute(instance);
            let may_enter = |&thread: &ThreadId| match self.is_entry(instance, thread) {
                true => position == 0 && self.is_creation(instance, thread),
                false => !callers.is_empty(),
            };
            let mut fresh: BitSet<ThreadId> = executing.iter().copied().filter(may_enter).collect();
            for &(caller, call) in callers {
                if fresh.is_empty() {
                    break;
                }
                if position == 0 && self.is_creation_without_code(call, instance) {
                    continue;
                }
                let at_call = self.is_fresh_at_call(caller, call, position, depth);
                if at_call != InThreads::All {
                    let known = self.threads.may_execute(caller).iter();
                    known.filter(|&&thread| !at_call.contains(thread)).for_each(|&thread| {
                        fresh.remove(thread);
                    });
                }
            }
            InThreads::of(executing, fresh)
        })
    }

    /// Whether a call is that of a constructor by no instruction of a method: by reflection, a method handle or a lambda expression.
    fn is_creation_without_code(&self, call: Option<Inst>, callee: InstanceId) -> bool {
        let constructs = |method| self.view.program.methods[method].is_constructor();
        call.is_none() && self.view.method_of(callee).is_some_and(constructs)
    }

    /// In which threads of the caller a call passes the object unpublished, or not at all.
    fn is_fresh_at_call(
        &self,
        caller: InstanceId,
        call: Option<Inst>,
        position: usize,
        depth: usize,
    ) -> InThreads {
        if self.threads.may_execute(caller).is_empty() {
            return InThreads::All;
        }
        let (Some(call), Some(body)) = (call, self.view.body(caller)) else { return InThreads::None };
        let Op::Invoke(..) = body.insts[call].op else { return InThreads::None };
        let Some(&argument) = body.args(call).get(position) else { return InThreads::None };
        if !self.view.analysis.points_to(caller, argument).contains(self.object) {
            return InThreads::All;
        }
        let same = |&&other: &&Value| root_of(body, other) == root_of(body, argument);
        if body.args(call).iter().filter(same).count() == 1 {
            self.is_unpublished(caller, call, argument, depth - 1)
        } else {
            InThreads::None
        }
    }
}
