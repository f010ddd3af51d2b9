//! Which locks are held at each access in every run, and whether two occurrences of accesses hold a common one.
//!
//! **Theorem** (strength `Proof`). If [`Locks::common`] refutes a candidate, then whenever both sides access the same object,
//! both threads hold the same lock at that moment, at least one of them exclusively. It rests on:
//!
//! 1. what a method takes and gives back, by a must-dataflow over its code ([`flow`]);
//! 2. what all callers hold on entry, by intersection over the call graph ([`entries`]);
//! 3. names that mean the same object on both sides: class objects, stable static fields and objects that are created at
//!    most once mean the same everywhere; and since both sides access the *same* object, so does what stable fields lead to from
//!    it, and the one object that owns it ([`terms`], [`owners`]);
//! 4. code that works for one owner at a time, on objects that belong to it through any number of layers ([`ownership`], [`owned`]).
//!
//! The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. The method holds the lock on every way to the access (LockOnOnePathOnly, ReentrantLockUnlockedEarly), and has really got it
//!    (TryLockIgnored).
//! 2. All callers hold what is held on entry (HelperCalledWithoutLock).
//! 3. Both names mean one object (TwoDifferentLocks, LockFieldReassigned, FreshLockEachTime, LockStripingReplaced,
//!    IteratorsLockedEach, SynchronizedMapKeysOwnLock).
//! 4. One of both holds it exclusively (WriteUnderReadLock, SemaphoreTwoPermits).
//! 5. An object belongs to one owner (TwoListsOneNode).
//! 6. An optimistic read is validated, and given up where that fails (StampedUnvalidated, StampedFailureKept).
//!
//! Whoever still constructs the object needs no lock: see [`lock_after_construction`].
//!
//! The assumptions are those of the points-to analysis, and that final fields are not written by reflection.
//!
//! In the mode [`Locking::Likely`] (Naik, Aiken, Whaley, PLDI 2006, section 2.2.4) it also counts as one lock if both lock
//! variables can only point to the same abstract object, although that may stand for several objects, or if both were taken
//! from the same array of locks by the index of the accessed element; the strength of such a refutation is `Heuristic`.

mod held;
mod lock_after_construction;
mod mutexes;
mod names;
mod owned;

use std::sync::Arc;

use selvedge_base::{BitSet, FastMap, FastSet, IdVec};
use selvedge_ir::{Inst, Op};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_world::{ClassId, MethodId};

pub use self::held::calls::{CallLocks, GlobalLock, LockPath};
use self::held::entries::{Entries, HeldBy, LockContext, Taken};
pub use self::held::monitors::Monitor;
use self::held::naming::{LockName, java_name};
pub use self::held::state::Mode;
use self::held::state::Role;
use self::held::summaries::Summaries;
use self::names::terms::{Code, Relative, Root, Steps, Term, relative};
pub(crate) use self::names::unique_owner::may_be_cloned;
use self::owned::domain_locks::Owners;
use crate::accesses::{Access, AccessId, Accesses, Place, Within};
use crate::executions::Executions;
use crate::memo::Table;
use crate::publication::Results;
use crate::refutation::{Candidate, Occurrence, Refutation, Strength};
use crate::threads::Threads;
use crate::view::View;

/// What counts as the same lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Locking {
    /// What is certainly the same object.
    Sound,
    /// Also what can only be one abstract object.
    Likely,
}

/// A lock that is held, for the reader.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HeldLock {
    /// What it is: `this (p.C)`, `p.C.lock`, `class p.C`.
    pub name: String,
    /// The class that has it: whose objects, whose field or which itself it is.
    pub class: Option<ClassId>,
    /// How it is held.
    pub mode: Mode,
    /// The method that took it.
    pub taken_in: MethodId,
    /// The instruction that took it; `None` if it was the entry of a synchronized method.
    pub taken_at: Option<Inst>,
    /// The source line of that, where the class file tells.
    pub line: Option<u32>,
}

/// See the [module documentation](self).
pub struct Locks {
    code: Code,
    summaries: Summaries,
    entries: Entries,
    singles: BitSet<ObjectId>,
    /// What occurrences hold, as far as it was asked for.
    known: Table<(AccessId, InstanceId), NamedLocks>,
    /// What is held on entry where others may know the receiver, as far as it was asked for.
    later: Table<lock_after_construction::Question, lock_after_construction::Later>,
    /// Whether this is the same for all threads.
    same_later: Table<(InstanceId, ObjectId), bool>,
    /// By what names occurrences hold these, where it is not what they hold always.
    names_later: Table<(Occurrence, ObjectId), NamedLocks>,
    /// Whether owners up from objects are the same, as far as it was asked for.
    unique: Table<(ObjectId, Steps), bool>,
    accesses: IdVec<AccessId, Access>,
    /// Where in the library accesses by calls are made.
    within: FastMap<(AccessId, InstanceId), Vec<Within>>,
    empty: Vec<HeldBy>,
    owners: Owners,
    results: Results,
    /// The arrays of locks whose elements never change.
    stable_arrays: FastSet<ObjectId>,
}

/// What an occurrence holds, by every name.
type NamedLocks = Arc<[(Name, HeldBy)]>;

/// A name of a lock that two sides can compare.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Name {
    /// It means the same everywhere.
    Global(Term),
    /// It means the same wherever the accessed object is the same.
    FromBase(Relative),
    /// It likely means the same everywhere.
    Likely(Term),
    /// The element of an array of locks whose index is that of the accessed element: of a global array, or of one found
    /// from the accessed array. A proof if the elements of the array of locks never change.
    Stripe(Option<Term>, Relative, Strength),
    /// The mutex of the one wrapper that guards the accessed object.
    Mutex,
    /// The entry of a map whose value is accessed.
    Entry(Term),
}

impl Locks {
    /// Whether what an instance executes may give back a lock of the application, no monitor, that it did not take itself.
    pub(crate) fn may_give_back(&self, view: &View<'_>, instance: InstanceId) -> bool {
        let heap = &view.analysis.heap;
        let is_own = |&object: &ObjectId| match heap.site_of(heap.get(object).site) {
            Site::Instruction { method, .. } => view.is_application(method),
            _ => true,
        };
        let released = self.summaries.may_release(view.analysis.instances[instance].procedure);
        released.iter().any(|released| {
            let objects = released.objects.as_ref();
            released.role == Role::Lock && objects.is_none_or(|objects| objects.iter().any(is_own))
        })
    }

    /// The name under which it refutes.
    pub const BY: &'static str = "common-lock";

    /// Computes the locks.
    pub fn new(view: &View<'_>, threads: &Threads, executions: &Executions, accesses: &Accesses) -> Self {
        let mut code = Code::new(view);
        let mut summaries = Summaries::new(view, threads, &code);
        let given_away: Vec<ObjectId> =
            summaries.released().filter(|object| code.mutexes.contains(object)).collect();
        if !given_away.is_empty() {
            given_away.iter().for_each(|object| {
                code.mutexes.remove(object);
            });
            summaries = Summaries::new(view, threads, &code);
        }
        let objects = view.analysis.heap.objects().map(|(object, _)| object);
        let singles = objects.filter(|&object| executions.is_single(object)).collect();
        let context = LockContext { view, singles: &singles, code: &code, summaries: &summaries };
        let entries = context.entries(threads);
        let stable_arrays = names::stripes::stable_arrays(view, &code, accesses);
        Self {
            stable_arrays,
            code,
            summaries,
            entries,
            singles,
            accesses: accesses.all.clone(),
            within: accesses.within.clone(),
            known: Table::default(),
            later: Table::default(),
            names_later: Table::default(),
            same_later: Table::default(),
            unique: Table::default(),
            empty: Vec::new(),
            owners: Owners::new(elsewhere(view, threads)),
            results: Results::new(view),
        }
    }

    /// What is held at an instruction of an instance, by all names.
    fn held(&self, view: &View<'_>, instance: InstanceId, inst: Inst) -> Vec<HeldBy> {
        let entry = self.entries[instance].as_ref().unwrap_or(&self.empty);
        self.context(view).held_at(instance, inst, entry)
    }

    fn context<'c, 'v>(&'c self, view: &'c View<'v>) -> LockContext<'c, 'v> {
        LockContext { view, singles: &self.singles, code: &self.code, summaries: &self.summaries }
    }

    /// The locks that are held at an access in every run, as an instance of its method executes it.
    pub fn must_hold(&self, view: &View<'_>, access: AccessId, instance: InstanceId) -> Vec<HeldLock> {
        self.held_at(view, instance, self.accesses[access].inst)
    }

    fn for_the_reader(&self, view: &View<'_>, held: Vec<HeldBy>) -> Vec<HeldLock> {
        let mut found: Vec<HeldLock> = Vec::new();
        for held in held.into_iter().filter(|held| held.key.role != Role::Entry) {
            let (method, inst) = held.taken;
            let name = LockName::where_taken(view, &self.code, method, inst);
            let lock = HeldLock {
                name: name.describe(view),
                class: name.class(view),
                mode: held.mode,
                taken_in: method,
                taken_at: inst,
                line: taken_line(view, method, inst),
            };
            if !found.contains(&lock) {
                found.push(lock);
            }
        }
        found.sort();
        found.dedup_by(|a, b| (a.taken_in, a.taken_at) == (b.taken_in, b.taken_at));
        found
    }

    /// Whether the two sides of a candidate always hold a common lock.
    pub fn common<'a>(
        &'a self,
        view: &'a View<'_>,
        candidate: &Candidate,
        locking: Locking,
    ) -> Option<Refutation<'a>> {
        let names = candidate.sides.map(|side| self.names(view, &side));
        let [first, second] = &names;
        let best = self.best_common(view, candidate, locking, [first, second]);
        if best.is_none_or(|(strength, _, _)| strength < Strength::Proof)
            && let Some(refutation) = self.common_of_owner(view, candidate)
        {
            return Some(refutation);
        }
        let (strength, here, there) = best?;
        let [here, there] = [here.taken, there.taken];
        Some(Refutation::new(Self::BY, strength, move || {
            format!("both hold {}", self.describe_both(view, here, there))
        }))
    }

    /// The lock that two sides have in common, by what is known of it for sure if there is such a one.
    fn best_common<'n>(
        &self,
        view: &View<'_>,
        candidate: &Candidate,
        locking: Locking,
        [first, second]: [&'n [(Name, HeldBy)]; 2],
    ) -> Option<(Strength, &'n HeldBy, &'n HeldBy)> {
        let mut best: Option<(Strength, &HeldBy, &HeldBy)> = None;
        for (name, held) in first.iter() {
            let strength = match name {
                Name::Likely(_) | Name::Stripe(_, _, Strength::Heuristic) if locking == Locking::Sound => {
                    continue;
                }
                Name::Likely(_) | Name::Stripe(_, _, Strength::Heuristic) | Name::Entry(_) => {
                    Strength::Heuristic
                }
                Name::Global(_) | Name::FromBase(_) | Name::Stripe(..) | Name::Mutex => Strength::Proof,
            };
            if best.is_some_and(|(known, _, _)| known >= strength) {
                continue;
            }
            let is_relative = matches!(name, Name::FromBase(_) | Name::Stripe(..));
            if is_relative
                && !candidate.sides.iter().all(|side| self.may_be_base(view, side, candidate.object))
            {
                continue;
            }
            let is_same = |(other, there): &&(Name, HeldBy)| {
                other == name
                    && there.key.role == held.key.role
                    && (held.mode, there.mode) != (Mode::Shared, Mode::Shared)
            };
            if let Some((_, there)) = second.iter().find(is_same)
                && self.owners_are_unique(view, name, candidate)
            {
                best = Some((strength, held, there));
            }
        }
        best
    }

    /// Whether the value through which an access is made may be the object itself: where it is an iterator or a view, a lock that is known
    /// relative to it is no lock of the object (IteratorsLockedEach).
    fn may_be_base(&self, view: &View<'_>, side: &Occurrence, object: Option<ObjectId>) -> bool {
        let Some(object) = object else { return true };
        let may_be = |instance, value| view.analysis.points_to(instance, value).contains(object);
        let within = self.within.get(&(side.access, side.instance)).into_iter().flatten();
        self.accesses[side.access].base.is_none_or(|base| may_be(side.instance, base))
            || within.into_iter().any(|within| may_be(within.instance, within.base))
    }

    /// Whether both sides hold the lock of the object's owner.
    fn common_of_owner<'a>(&'a self, view: &'a View<'_>, candidate: &Candidate) -> Option<Refutation<'a>> {
        let sides = candidate.sides.each_ref().map(|side| (side, &self.accesses[side.access]));
        let (class, here, there) = self.owners.common(view, &self.summaries, candidate.object?, sides)?;
        let [here, there] = [here.taken, there.taken];
        Some(Refutation::proof(Self::BY, move || {
            let owner = java_name(view.program.classes[class].name);
            let both = self.describe_both(view, here, there);
            format!("both hold {both}, of the one {owner} that owns the object")
        }))
    }

    /// Whether the owners in a name are the same on both sides, given that the accessed object is.
    fn owners_are_unique(&self, view: &View<'_>, name: &Name, candidate: &Candidate) -> bool {
        if *name == Name::Mutex {
            return candidate.object.is_some_and(|object| names::wrappers::is_wrapped_once(view, object));
        }
        let (Name::FromBase(relative) | Name::Stripe(_, relative, _)) = name else { return true };
        let unique = |object| {
            self.unique.get_or_insert((object, relative.owners.clone()), || {
                names::unique_owner::are_unique(view, (&self.code, &self.results), object, &relative.owners)
            })
        };
        relative.owners.is_empty() || candidate.object.is_some_and(unique)
    }

    /// The locks that an occurrence holds, by every name that the other side can compare.
    fn names(&self, view: &View<'_>, side: &Occurrence) -> NamedLocks {
        let key = (side.access, side.instance);
        self.known.get_or_insert(key, || self.find_names(view, side).into())
    }

    fn find_names(&self, view: &View<'_>, side: &Occurrence) -> Vec<(Name, HeldBy)> {
        let held = self.held(view, side.instance, self.accesses[side.access].inst);
        self.names_of(view, side, held)
    }

    /// The names of locks that an occurrence holds, and of those that the library holds for it.
    fn names_of(&self, view: &View<'_>, side: &Occurrence, held: Vec<HeldBy>) -> Vec<(Name, HeldBy)> {
        let access = &self.accesses[side.access];
        let mut names = self.names_within(view, side);
        let lineage = access.base.map(|base| self.code.lineage(view, access.method, base));
        let wrappers = match view.program.body(access.method) {
            Some(body) if access.place == Place::Container => {
                names::wrappers::wrappers_behind(view, side.instance, body, access.inst)
            }
            _ => Vec::new(),
        };
        for held in held {
            let term = &held.key.term;
            if held.key.role == Role::Monitor
                && wrappers.iter().any(|&wrapper| self.code.term(view, access.method, wrapper) == *term)
            {
                names.push((Name::Mutex, held.clone()));
            }
            if held.key.role == Role::Entry {
                if mutexes::computing::is_of_value(view, access, held.taken.0) {
                    names.push((Name::Entry(term.clone()), held));
                }
                continue;
            }
            let stripes = self.stripes(view, side.instance, access, term);
            names.extend(stripes.into_iter().map(|name| (name, held.clone())));
            if term.is_global() {
                names.push((Name::Global(term.clone()), held));
            } else if term.is_likely_global() {
                names.push((Name::Likely(term.clone()), held));
            } else if let Some(lineage) = &lineage {
                for relative in relative(lineage, term) {
                    names.push((Name::FromBase(relative), held.clone()));
                }
            }
        }
        names
    }

    /// The locks that library code holds wherever it makes an access for a call of the application.
    fn names_within(&self, view: &View<'_>, side: &Occurrence) -> Vec<(Name, HeldBy)> {
        let mut common: Option<Vec<(Name, HeldBy)>> = None;
        for within in self.within.get(&(side.access, side.instance)).into_iter().flatten() {
            let Some(method) = view.method_of(within.instance) else { return Vec::new() };
            let lineage = self.code.lineage(view, method, within.base);
            let mut names: Vec<(Name, HeldBy)> = Vec::new();
            let held = self.held(view, within.instance, within.inst);
            for held in held.into_iter().filter(|held| held.key.role != Role::Entry) {
                let term = &held.key.term;
                if held.key.role == Role::Monitor && names::wrappers::is_mutex(view, term) {
                    names.push((Name::Mutex, held.clone()));
                }
                if term.is_global() {
                    names.push((Name::Global(term.clone()), held));
                } else if term.is_likely_global() {
                    names.push((Name::Likely(term.clone()), held));
                } else {
                    let named = relative(&lineage, term).into_iter();
                    names.extend(named.map(|relative| (Name::FromBase(relative), held.clone())));
                }
            }
            match &mut common {
                None => common = Some(names),
                Some(common) => common.retain(|(name, held)| {
                    names.iter().any(|(other, there)| {
                        other == name && there.key.role == held.key.role && there.mode == held.mode
                    })
                }),
            }
        }
        common.unwrap_or_default()
    }

    /// The names of a lock that was taken from an array by the index of the accessed element.
    ///
    /// That the elements of the array stay the same is proved for some arrays only: see [`stripes`].
    fn stripes(&self, view: &View<'_>, instance: InstanceId, access: &Access, lock: &Term) -> Vec<Name> {
        let (Some(body), Some(numbering)) =
            (view.program.body(access.method), self.code.numbering(view, access.method))
        else {
            return Vec::new();
        };
        let (Root::Value(value), Some(base), &[_, index, ..]) =
            (lock.root, access.base, body.args(access.inst))
        else {
            return Vec::new();
        };
        let Some(load) = body.defining_inst(value).filter(|_| lock.owners.is_empty() && lock.path.is_empty())
        else {
            return Vec::new();
        };
        let (Op::ArrayLoad(_), &[array, stripe]) = (body.insts[load].op, body.args(load)) else {
            return Vec::new();
        };
        if access.place != Place::Element || access.by_call || !numbering.same(index, stripe) {
            return Vec::new();
        }
        let mut arrays = view.analysis.points_to(instance, array).iter();
        let is_stable = arrays.all(|array| self.stable_arrays.contains(&array));
        let strength = if is_stable { Strength::Proof } else { Strength::Heuristic };
        let array = self.code.term(view, access.method, array);
        if array.is_global() {
            return vec![Name::Stripe(Some(array), Relative::default(), strength)];
        }
        let lineage = self.code.lineage(view, access.method, base);
        relative(&lineage, &array).into_iter().map(|found| Name::Stripe(None, found, strength)).collect()
    }

    fn describe_both(&self, view: &View<'_>, here: Taken, there: Taken) -> String {
        let [a, b] = [here, there].map(|(method, inst)| {
            let name = LockName::where_taken(view, &self.code, method, inst).describe(view);
            let line = taken_line(view, method, inst).map_or(String::new(), |line| format!(" (line {line})"));
            (name, line)
        });
        match a.0 == b.0 {
            true if a.1 == b.1 => format!("{}{}", a.0, a.1),
            true => format!("{}{} and{}", a.0, a.1, b.1),
            false => format!("{}{}, which is {}{}", a.0, a.1, b.0, b.1),
        }
    }
}

/// The call edges whose callee runs in another thread.
fn elsewhere(view: &View<'_>, threads: &Threads) -> FastSet<(InstanceId, InstanceId)> {
    let mut found = FastSet::default();
    for caller in view.analysis.instances.ids() {
        for &callee in view.calls(caller).flat_map(|call| call.callees) {
            if !threads.is_call(view, caller, callee) {
                found.insert((caller, callee));
            }
        }
    }
    found
}

/// The line where a lock is taken.
fn taken_line(view: &View<'_>, method: MethodId, inst: Option<Inst>) -> Option<u32> {
    let body = view.program.body(method)?;
    match inst {
        Some(inst) => view.line(method, inst),
        None => body.line(0),
    }
}
