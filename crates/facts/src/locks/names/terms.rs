//! Terms: names for objects that hold in every run, by which locks are recognised as the same.
//!
//! A term starts at a root, goes up some *owners* and then down a path of stable places. In one activation of a method a
//! term means one object, whenever it is evaluated:
//!
//! - parameters, class objects, single objects and stable static fields never change;
//! - a value of the code means what it was when it was last computed (whoever keeps such terms must drop them when the value is
//!   computed anew; only values that no value numbering explains are roots);
//! - what is merged from values with the same term, of which none is a value of the code, is what they are;
//! - the steps of the path are stable fields and captured values of lambda objects;
//! - an owner of an object by a step is whoever held it there first; it is unique only where
//!   [`owners`](super::unique_owner) shows it, which whoever compares terms with owners must ask.

use std::sync::{Arc, OnceLock};

use selvedge_base::{FastMap, FastSet, Id, Symbol};
use selvedge_ir::{Body, ClassName, Inst, Op, Value, ValueDef, ValueNumbering};
use selvedge_models::Effect;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::{InstanceId, Procedure, ProcedureId};
use selvedge_world::{FieldId, MethodId};
use smallvec::{SmallVec, smallvec};

use super::stable::Stable;
use super::views::Views;
use crate::limits;
use crate::locks::held::state::{Key, Role};
use crate::locks::mutexes::{claims, semaphores, spin};
use crate::view::View;

/// Where a term starts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Root {
    /// A parameter of the method, the receiver first.
    Parameter(u32),
    /// A value of the method's code.
    Value(Value),
    /// What a stable static field holds.
    Static(FieldId),
    /// A class object.
    Class(ClassName),
    /// The string of a literal: equal literals are one object (JLS 3.10.5).
    Literal(Symbol),
    /// A single object: the only one that its abstract object stands for.
    Single(ObjectId),
    /// Some object that an abstract object stands for. Equal terms of this kind are *likely* the same object, no more.
    Likely(ObjectId),
}

/// A way from one object to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Step {
    /// A field.
    Field(FieldId),
    /// The value captured at this position by a lambda object.
    Captured(u32),
    /// An element of an array; only as a step up.
    Element,
}

pub(crate) type Steps = SmallVec<[Step; 3]>;

/// See the [module documentation](self).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Term {
    pub(crate) root: Root,
    /// From the root to its owner, to the owner of that, and so on.
    pub(crate) owners: Steps,
    /// From there down.
    pub(crate) path: Steps,
}

impl Term {
    pub(crate) fn new(root: Root) -> Self {
        Self { root, owners: smallvec![], path: smallvec![] }
    }

    /// The term one step further down; `None` if that is too far.
    pub(crate) fn then(mut self, step: Step) -> Option<Self> {
        self.path.push(step);
        (self.owners.len() + self.path.len() <= limits::TERM_STEPS).then_some(self)
    }

    /// The term with its root replaced: what it means for somebody who names the root so; `None` if that is too long.
    pub(crate) fn rooted_at(&self, root: Term) -> Option<Self> {
        let steps = self.owners.is_empty().then_some(&self.path)?;
        steps.iter().try_fold(root, |term, &step| term.then(step))
    }

    /// Whether the term means the same in every activation of every method.
    pub(crate) fn is_global(&self) -> bool {
        matches!(self.root, Root::Static(_) | Root::Class(_) | Root::Literal(_) | Root::Single(_))
            && self.owners.is_empty()
    }

    /// Whether the term means the same in every activation, if objects of one abstract object are the same.
    pub(crate) fn is_likely_global(&self) -> bool {
        matches!(self.root, Root::Likely(_)) && self.owners.is_empty()
    }
}

/// How to come from one object to another: up some owners, then down a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Relative {
    pub(crate) owners: Steps,
    pub(crate) path: Steps,
}

/// The ancestors of a value: each with the steps up to it. The value itself is the first.
pub(crate) type Lineage = Vec<(Steps, Term)>;

/// How to come from the first of a lineage to the object of a term, in every way that is known.
pub(crate) fn relative(lineage: &Lineage, term: &Term) -> Vec<Relative> {
    let mut found: Vec<Relative> = Vec::new();
    for (owners, ancestor) in lineage {
        if ancestor.root != term.root {
            continue;
        }
        let relative = if ancestor.owners == term.owners && term.path.starts_with(&ancestor.path) {
            Relative { owners: owners.clone(), path: term.path[ancestor.path.len()..].into() }
        } else if ancestor.path.is_empty() && term.owners.starts_with(&ancestor.owners) {
            let further = &term.owners[ancestor.owners.len()..];
            let owners = owners.iter().chain(further).copied().collect();
            Relative { owners, path: term.path.clone() }
        } else {
            continue;
        };
        let turns_back = relative.owners.last().is_some() && relative.owners.last() == relative.path.first();
        let is_short = relative.owners.len() + relative.path.len() <= limits::TERM_STEPS;
        if !turns_back && is_short && !found.contains(&relative) {
            found.push(relative);
        }
    }
    found
}

/// What terms are made from: value numbers and callees of the methods.
pub(crate) struct Code {
    pub(crate) stable: Stable,
    /// Whom each call may reach, in whatever instance of its method.
    callees: FastMap<(MethodId, Inst), SmallVec<[ProcedureId; 2]>>,
    numberings: Vec<OnceLock<Option<Arc<ValueNumbering>>>>,
    pub(crate) views: Views,
    /// The semaphores and atomic variables that exclude others.
    pub(crate) mutexes: FastSet<ObjectId>,
    /// The fields that are claimed once.
    pub(crate) claimed: FastSet<FieldId>,
}

impl Code {
    pub(crate) fn new(view: &View<'_>) -> Self {
        let mut callees: FastMap<(MethodId, Inst), SmallVec<[ProcedureId; 2]>> = FastMap::default();
        for caller in view.analysis.instances.ids() {
            let Some(method) = view.method_of(caller) else { continue };
            for call in view.calls(caller) {
                let Some(inst) = call.inst else { continue };
                let known = callees.entry((method, inst)).or_default();
                for &callee in call.callees {
                    let procedure = view.analysis.instances[callee].procedure;
                    if !known.contains(&procedure) {
                        known.push(procedure);
                    }
                }
            }
        }
        callees.values_mut().for_each(|procedures| procedures.sort_unstable());
        let numberings = (0..view.program.methods.len()).map(|_| OnceLock::new()).collect();
        let stable = Stable::new(view);
        let mut mutexes = semaphores::with_one_permit(view);
        mutexes.extend(spin::made_by_compare_and_set(view));
        let claimed = claims::claimed_fields(view);
        let mut code = Self { stable, callees, numberings, views: Views::default(), mutexes, claimed };
        code.views = Views::new(view, &code);
        code
    }

    /// The procedures that a call may reach in any instance of its method.
    pub(crate) fn callees(&self, method: MethodId, inst: Inst) -> &[ProcedureId] {
        self.callees.get(&(method, inst)).map_or(&[], SmallVec::as_slice)
    }

    /// The effects on locks that a call has whatever it reaches, and those that it may have.
    pub(crate) fn effects<'a>(
        &self,
        view: &View<'a>,
        method: MethodId,
        inst: Inst,
    ) -> (Vec<&'a Effect>, Vec<&'a Effect>) {
        let (mut must, mut may): (Option<Vec<&'a Effect>>, Vec<&'a Effect>) = (None, Vec::new());
        for &procedure in self.callees(method, inst) {
            let rows = match view.analysis.procedures.get(procedure) {
                Procedure::Method(callee) => view.rows(callee),
                _ => &[],
            };
            let effects: Vec<&Effect> =
                rows.iter().flat_map(|row| row.effects.iter()).filter(|effect| is_of_locks(effect)).collect();
            may.extend(effects.iter().filter(|effect| !may.contains(effect)).copied().collect::<Vec<_>>());
            match &mut must {
                Some(must) => must.retain(|effect| effects.contains(effect)),
                None => must = Some(effects),
            }
        }
        (must.unwrap_or_default(), may)
    }

    pub(crate) fn numbering(&self, view: &View<'_>, method: MethodId) -> Option<&ValueNumbering> {
        let made = || {
            let body = view.program.body(method)?;
            let is_stable = |reference: &selvedge_ir::FieldRef| {
                let field = view.program.resolve_field(reference);
                field.is_ok_and(|field| self.stable.is_stable(view, field))
            };
            Some(Arc::new(ValueNumbering::with_stable_loads(body, is_stable)))
        };
        self.numberings[method.index()].get_or_init(made).as_deref()
    }

    /// The term of a value of a method.
    pub(crate) fn term(&self, view: &View<'_>, method: MethodId, value: Value) -> Term {
        let (Some(body), Some(numbering)) = (view.program.body(method), self.numbering(view, method)) else {
            return Term::new(Root::Value(value));
        };
        Naming { code: self, view, method, body, numbering, behind_views: false, depth: limits::GETTER_CALLS }
            .term(value)
    }

    /// The ancestors of a value: whom it was loaded from, and so on. The loads need not be stable.
    pub(crate) fn lineage(&self, view: &View<'_>, method: MethodId, value: Value) -> Lineage {
        let mut found: Lineage = Vec::new();
        let (Some(body), Some(numbering)) = (view.program.body(method), self.numbering(view, method)) else {
            return found;
        };
        let (mut value, mut owners) = (value, Steps::new());
        loop {
            let mut term = self.term(view, method, value);
            value = numbering.number(value);
            found.push((owners.clone(), term.clone()));
            let loaded = body.defining_inst(value).map(|inst| (&body.insts[inst].op, body.args(inst)));
            let step = match loaded {
                Some((Op::GetField(reference), args)) => {
                    let field = view.program.resolve_field(reference).ok();
                    field.map(|field| (Step::Field(field), args[0]))
                }
                Some((Op::ArrayLoad(_), args)) => Some((Step::Element, args[0])),
                _ => None,
            };
            if let Some((step, from)) = step {
                if owners.len() == limits::TERM_STEPS {
                    return found;
                }
                owners.push(step);
                value = from;
                continue;
            }
            while let Some(step) = term.path.pop() {
                owners.push(step);
                if owners.len() > limits::TERM_STEPS {
                    break;
                }
                found.push((owners.clone(), term.clone()));
            }
            return found;
        }
    }

    /// The objects that a term may mean in an instance; `None` if that cannot be told.
    pub(crate) fn objects(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        term: &Term,
    ) -> Option<Vec<ObjectId>> {
        if !term.owners.is_empty() {
            return None;
        }
        let mut objects: Vec<ObjectId> = match term.root {
            Root::Parameter(position) => {
                view.analysis.parameter_points_to(instance, position as usize).iter().collect()
            }
            Root::Value(value) => view.analysis.points_to(instance, value).iter().collect(),
            Root::Static(field) => view.analysis.static_field(field).collect(),
            Root::Single(object) | Root::Likely(object) => vec![object],
            Root::Class(_) | Root::Literal(_) => return None,
        };
        for step in &term.path {
            let member = match *step {
                Step::Field(field) => selvedge_pta::summary::Member::Field(field),
                Step::Captured(position) => selvedge_pta::summary::Member::Captured(position),
                Step::Element => selvedge_pta::summary::Member::Element,
            };
            objects = objects.iter().flat_map(|&object| view.analysis.member(object, member)).collect();
            objects.sort_unstable();
            objects.dedup();
        }
        Some(objects)
    }
}

impl Code {
    /// The term of a lock: views of a lock stand for the lock.
    pub(crate) fn lock_term(&self, view: &View<'_>, method: MethodId, value: Value, role: Role) -> Term {
        let (Some(body), Some(numbering)) = (view.program.body(method), self.numbering(view, method)) else {
            return Term::new(Root::Value(value));
        };
        let behind_views = role == Role::Lock;
        Naming { code: self, view, method, body, numbering, behind_views, depth: limits::GETTER_CALLS }
            .term(value)
    }

    /// The objects that a lock may be in an instance; `None` if that cannot be told.
    pub(crate) fn lock_objects(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        key: &Key,
    ) -> Option<Vec<ObjectId>> {
        let objects = self.objects(view, instance, &key.term)?;
        if key.role == Role::Monitor || self.views.owners.is_empty() {
            return Some(objects);
        }
        let mut locks: Vec<ObjectId> = Vec::new();
        for object in objects {
            match self.views.owners.get(&object) {
                Some(owners) => locks.extend(owners),
                None => locks.push(object),
            }
        }
        locks.sort_unstable();
        locks.dedup();
        Some(locks)
    }
}

/// Names the values of a method.
#[derive(Clone, Copy)]
struct Naming<'a, 'v> {
    code: &'a Code,
    view: &'a View<'v>,
    method: MethodId,
    body: &'a Body,
    numbering: &'a ValueNumbering,
    /// Whether a view of a lock is to be named as the lock.
    behind_views: bool,
    /// How many calls of getters may still be followed.
    depth: u8,
}

impl Naming<'_, '_> {
    fn term(&self, value: Value) -> Term {
        let value = self.numbering.number(value);
        let opaque = Term::new(Root::Value(value));
        let inst = match self.body.values[value].def {
            ValueDef::Parameter(position) => return Term::new(Root::Parameter(position)),
            ValueDef::Inst(inst) => inst,
        };
        let stable = |reference| {
            let field = self.view.program.resolve_field(reference).ok();
            field.filter(|&field| self.code.stable.is_stable(self.view, field))
        };
        let term = match &self.body.insts[inst].op {
            Op::GetField(reference) => stable(reference).and_then(|field| {
                self.term(self.body.args(inst)[0]).then(Step::Field(self.behind_view(field)))
            }),
            Op::GetStatic(reference) => {
                stable(reference).map(|field| Term::new(Root::Static(self.behind_view(field))))
            }
            Op::Class(class) => Some(Term::new(Root::Class(*class))),
            Op::String(text) => Some(Term::new(Root::Literal(*text))),
            Op::Invoke(..) => match self.code.viewed(self.view, self.method, inst) {
                Some(lock) if self.behind_views => Some(self.term(lock)),
                Some(_) => None,
                None => self.returned(inst),
            },
            Op::Phi => self.merged(value, inst),
            _ => None,
        };
        term.unwrap_or(opaque)
    }

    /// What a variable holds whichever way control came, if that is one object by a name that does not change: a variable that is first the read
    /// lock and then the write lock of one lock is a view of that lock.
    fn merged(&self, value: Value, phi: Inst) -> Option<Term> {
        let naming = Self { depth: self.depth.checked_sub(1)?, ..*self };
        let mut found: Option<Term> = None;
        for &operand in self.body.args(phi) {
            if self.numbering.number(operand) == value {
                continue;
            }
            let term = naming.term(operand);
            let changes = matches!(term.root, Root::Value(_));
            if changes || found.as_ref().is_some_and(|found| *found != term) {
                return None;
            }
            found = Some(term);
        }
        found
    }

    /// The field that holds the lock, if this one holds a view of it.
    fn behind_view(&self, field: FieldId) -> FieldId {
        let lock = self.code.views.aliases.get(&field).filter(|_| self.behind_views);
        lock.copied().unwrap_or(field)
    }

    /// What a small method returns, if it is always the same in its own terms: getters.
    fn returned(&self, call: Inst) -> Option<Term> {
        let mut found: Option<Term> = None;
        for &procedure in self.code.callees(self.method, call) {
            let callee = self.view.analysis.procedures.method(procedure)?;
            let body = self
                .view
                .program
                .body(callee)
                .filter(|body| body.insts.len() <= limits::GETTER_INSTRUCTIONS)?;
            let numbering = self.code.numbering(self.view, callee)?;
            let depth = self.depth.checked_sub(1)?;
            let naming = Naming { method: callee, body, numbering, depth, ..*self };
            for (inst, data) in body.insts.iter_ids() {
                if !matches!(data.op, Op::Return) {
                    continue;
                }
                let own = naming.term(*body.args(inst).first()?);
                let term = match own.root {
                    Root::Parameter(position) => {
                        own.rooted_at(self.term(*self.body.args(call).get(position as usize)?))?
                    }
                    Root::Value(_) => return None,
                    _ => own,
                };
                if found.as_ref().is_some_and(|found| *found != term) {
                    return None;
                }
                found = Some(term);
            }
        }
        found
    }
}

/// Whether an effect is about locks.
pub(crate) fn is_of_locks(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Acquire { .. } | Effect::Release { .. } | Effect::Validate { .. } | Effect::LockView { .. }
    )
}
