//! The locks that are held whenever an instance is entered: the intersection over all its callers of what they hold at the
//! call, in the callee's terms.
//!
//! Threads start with no locks. Calls through library code keep what the application's call held: nothing but the terms
//! changes on the way. The result is the greatest solution, found from above: an instance without a known caller has no set yet,
//! and every further caller only takes away.

use selvedge_base::{BitSet, IdVec, Worklist};
use selvedge_ir::{CallSiteKind, Inst, Op, Value};
use selvedge_pta::heap::{ObjectId, Site};
use selvedge_pta::summary::{Member, Slot, Statement};
use selvedge_pta::{InstanceId, Procedure};
use selvedge_world::MethodId;

use super::choices::chosen_by_both;
use super::flow::Released;
use super::state::{Held, Key, Mode, Role};
use super::summaries::Summaries;
use crate::locks::mutexes::computing::{computed_map, passes_no_entry};
use crate::locks::names::terms::{Code, Lineage, Root, Step, Steps, Term, relative};
use crate::threads::Threads;
use crate::view::{CallAt, View};

/// Where a lock was taken: by which method, at which instruction; `None` for the entry of a synchronized method.
pub(crate) type Taken = (MethodId, Option<Inst>);

/// A lock that is held at a point of an instance, by one of its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HeldBy {
    pub(crate) key: Key,
    pub(crate) mode: Mode,
    pub(crate) taken: Taken,
}

/// What locks are computed from.
pub(crate) struct LockContext<'a, 'v> {
    pub(crate) view: &'a View<'v>,
    pub(crate) singles: &'a BitSet<ObjectId>,
    pub(crate) code: &'a Code,
    pub(crate) summaries: &'a Summaries,
}

/// What is held on entry to each instance; `None` for those that no thread reaches.
pub(crate) type Entries = IdVec<InstanceId, Option<Vec<HeldBy>>>;

impl LockContext<'_, '_> {
    /// Computes what is held on entry to every instance.
    pub(crate) fn entries(&self, threads: &Threads) -> Entries {
        let mut entries: Entries = self.view.analysis.instances.ids().map(|_| None).collect();
        let mut work = Worklist::new();
        for (_, thread) in threads.all.iter_ids() {
            for &entry in &thread.entries {
                entries[entry] = Some(Vec::new());
                work.push(entry);
            }
        }
        while let Some(instance) = work.pop() {
            let Some(entry) = entries[instance].clone() else { continue };
            for call in self.view.calls(instance) {
                let callees = call.callees.iter().copied();
                let mut callees =
                    callees.filter(|&callee| threads.is_call(self.view, instance, callee)).peekable();
                if callees.peek().is_none() {
                    continue;
                }
                let given = self.given(instance, &call, &entry);
                for callee in callees {
                    if meet(&mut entries[callee], &given) {
                        work.push(callee);
                    }
                }
            }
        }
        entries
    }

    /// What the callees of a call can rely on, in their own terms, given what was held on entry to the caller.
    pub(crate) fn given(&self, instance: InstanceId, call: &CallAt<'_>, entry: &[HeldBy]) -> Vec<HeldBy> {
        let mut held = match call.inst {
            Some(inst) => self.held_at(instance, inst, entry),
            None => self.named(instance, None, entry),
        };
        if passes_no_entry(self.view, instance) {
            held.retain(|held| held.key.role != Role::Entry);
        }
        if let Some((method, map)) = computed_map(self.view, instance) {
            let key = Key { term: Term::new(self.root_of_object(map)), role: Role::Entry };
            held.push(HeldBy { key, mode: Mode::Exclusive, taken: (method, None) });
        }
        let by_arguments = self.translate(instance, call, &held);
        self.for_callee(call, &by_arguments)
    }

    /// What is held before an instruction of an instance, by all names, given what was held on entry.
    pub(crate) fn held_at(&self, instance: InstanceId, inst: Inst, entry: &[HeldBy]) -> Vec<HeldBy> {
        self.named(instance, Some(inst), entry)
    }

    fn named(&self, instance: InstanceId, inst: Option<Inst>, entry: &[HeldBy]) -> Vec<HeldBy> {
        let mut found: Vec<HeldBy> = entry.to_vec();
        let procedure = self.view.analysis.instances[instance].procedure;
        let method = self.view.method_of(instance);
        let analysed = method.and_then(|method| Some((method, self.summaries.method(method)?)));
        let (Some((method, locks)), Some(inst)) = (analysed, inst) else {
            self.drop_released(instance, self.summaries.may_release(procedure), &mut found);
            return found;
        };
        let Some(state) = locks.at(inst) else { return found };
        for releases in state.released.iter().filter_map(|inst| locks.releases.get(inst)) {
            self.drop_released(instance, releases, &mut found);
        }
        for held in &state.held {
            let (mode, taken) = (held.mode(), (method, held.taken));
            let name = HeldBy { key: held.key.clone(), mode, taken };
            found.extend(self.name_by_object(instance, &name));
            found.push(name);
        }
        self.add_chosen(method, &state.held, &mut found);
        found
    }

    /// Adds the locks that two others are a choice between; see [`choices`](super::choices).
    fn add_chosen(&self, method: MethodId, held: &[Held], found: &mut Vec<HeldBy>) {
        let values = held.iter().filter_map(|held| {
            let Term { root: Root::Value(value), owners, path } = &held.key.term else { return None };
            owners.is_empty().then_some((*value, (held.key.role, path), held))
        });
        let values: Vec<_> = values.collect();
        let (Some(body), Some(shape), Some(numbering), true) = (
            self.view.program.body(method),
            self.view.shape(method),
            self.code.numbering(self.view, method),
            values.len() > 1,
        ) else {
            return;
        };
        for (position, &(first, way, held)) in values.iter().enumerate() {
            for &(second, _, other) in values[position + 1..].iter().filter(|it| it.1 == way) {
                let mode = held.mode().min(other.mode());
                for value in chosen_by_both(body, shape, numbering, [first, second]) {
                    let chosen = self.code.term(self.view, method, value);
                    let Some(term) = held.key.term.rooted_at(chosen) else { continue };
                    let key = Key { term, role: held.key.role };
                    found.push(HeldBy { key, mode, taken: (method, held.taken) });
                }
            }
        }
    }

    /// Forgets what may have been released.
    fn drop_released(&self, instance: InstanceId, releases: &[Released], held: &mut Vec<HeldBy>) {
        if releases.is_empty() {
            return;
        }
        held.retain(|held| {
            let objects = self.code.lock_objects(self.view, instance, &held.key);
            releases.iter().all(|release| !release.may_be(held.key.role, objects.as_deref()))
        });
    }

    /// The name of a lock by its object, if it can be only one.
    fn name_by_object(&self, instance: InstanceId, held: &HeldBy) -> Option<HeldBy> {
        let objects = self.code.lock_objects(self.view, instance, &held.key)?;
        let [object] = objects[..] else { return None };
        let term = Term::new(self.root_of_object(object));
        if matches!(term.root, Root::Likely(_)) && !self.is_loaded(instance, &held.key.term) {
            return None;
        }
        Some(HeldBy { key: Key { term, role: held.key.role }, ..held.clone() })
    }

    /// Whether a lock was found somewhere, not made or asked for on the spot (then each use has its own), nor taken from an
    /// array (then there are many).
    fn is_loaded(&self, instance: InstanceId, term: &Term) -> bool {
        let Root::Value(value) = term.root else { return true };
        let Some(body) = self.view.body(instance) else { return false };
        let made = body.defining_inst(value).map(|inst| body.insts[inst].op);
        matches!(made, Some(Op::GetField(_) | Op::GetStatic(_)))
    }

    fn root_of_object(&self, object: ObjectId) -> Root {
        let heap = &self.view.analysis.heap;
        match heap.site_of(heap.get(object).site) {
            Site::ClassObject(class) => Root::Class(class),
            _ if self.singles.contains(object) => Root::Single(object),
            _ => Root::Likely(object),
        }
    }

    /// What is held at a call in terms of the callee's parameters, as the arguments have them.
    fn translate(&self, instance: InstanceId, call: &CallAt<'_>, held: &[HeldBy]) -> Vec<HeldBy> {
        if held.iter().all(|held| held.key.term.is_global() || held.key.term.is_likely_global()) {
            return held.to_vec();
        }
        let lineages = self.lineages(instance, call);
        let captured = self.captured(instance, call);
        let mut found: Vec<HeldBy> = Vec::new();
        for held in held {
            let term = &held.key.term;
            if term.is_global() || term.is_likely_global() {
                found.push(held.clone());
                continue;
            }
            for (position, number, inside) in &captured {
                let is_inside = inside.root == term.root
                    && inside.owners == term.owners
                    && term.path.starts_with(&inside.path);
                let lambda = Term::new(Root::Parameter(*position)).then(Step::Captured(*number));
                let named = lambda.filter(|_| is_inside).and_then(|lambda| {
                    term.path[inside.path.len()..].iter().try_fold(lambda, |term, &step| term.then(step))
                });
                if let Some(term) = named {
                    found.push(HeldBy { key: Key { term, role: held.key.role }, ..held.clone() });
                }
            }
            for (position, lineage) in &lineages {
                for relative in relative(lineage, term) {
                    let root = Root::Parameter(*position);
                    let term = Term { root, owners: relative.owners, path: relative.path };
                    found.push(HeldBy { key: Key { term, role: held.key.role }, ..held.clone() });
                }
            }
        }
        found
    }

    /// The values captured by lambda expressions that are arguments of a call: the argument, the position of the captured
    /// value, and its term.
    fn captured(&self, instance: InstanceId, call: &CallAt<'_>) -> Vec<(u32, u32, Term)> {
        let mut found = Vec::new();
        let (Some(method), Some(body), Some(inst)) =
            (self.view.method_of(instance), self.view.body(instance), call.inst)
        else {
            return found;
        };
        if !matches!(body.insts[inst].op, Op::Invoke(..)) {
            return found;
        }
        for (position, &argument) in body.args(inst).iter().enumerate() {
            let Some(made) = body.defining_inst(argument) else { continue };
            let Op::InvokeDynamic(site) = body.insts[made].op else { continue };
            if !matches!(body.call_sites[site].kind, CallSiteKind::Lambda(_)) {
                continue;
            }
            for (number, &value) in body.args(made).iter().enumerate() {
                if body.ty(value).is_reference() {
                    let term = self.code.term(self.view, method, value);
                    found.push((position as u32, number as u32, term));
                }
            }
        }
        found
    }

    /// The lineages of the arguments of a call that are references.
    fn lineages(&self, instance: InstanceId, call: &CallAt<'_>) -> Vec<(u32, Lineage)> {
        let procedure = self.view.analysis.instances[instance].procedure;
        match self.view.analysis.procedures.get(procedure) {
            Procedure::Method(method) => {
                let (Some(body), Some(inst)) = (self.view.program.body(method), call.inst) else {
                    return Vec::new();
                };
                if !matches!(body.insts[inst].op, Op::Invoke(..)) {
                    return Vec::new();
                }
                let references = |&(_, &value): &(usize, &Value)| body.ty(value).is_reference();
                let arguments = body.args(inst).iter().enumerate().filter(references);
                let lineage = |value| self.code.lineage(self.view, method, value);
                arguments.map(|(position, &value)| (position as u32, lineage(value))).collect()
            }
            Procedure::Lambda { .. } => {
                let Some(summary) = self.view.analysis.summary(procedure) else { return Vec::new() };
                let term_of = |slot: Slot| {
                    let is_it = |parameter: &Option<Slot>| *parameter == Some(slot);
                    if let Some(position) = summary.parameters.iter().position(is_it) {
                        return Some(Term::new(Root::Parameter(position as u32)));
                    }
                    summary.statements.iter().find_map(|statement| match *statement {
                        Statement::Load { into, base, member: Member::Captured(position) }
                            if into == slot && summary.parameters.first() == Some(&Some(base)) =>
                        {
                            Term::new(Root::Parameter(0)).then(Step::Captured(position))
                        }
                        _ => None,
                    })
                };
                let Some(data) = summary.calls.get(call.number as usize) else { return Vec::new() };
                let arguments = data.arguments.iter().enumerate();
                let terms =
                    arguments.filter_map(|(position, slot)| Some((position as u32, term_of((*slot)?)?)));
                terms.map(|(position, term)| (position, vec![(Steps::new(), term)])).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What of it a callee can rely on: its parameters are the arguments unless something else is called than the
    /// instruction says.
    fn for_callee(&self, call: &CallAt<'_>, by_arguments: &[HeldBy]) -> Vec<HeldBy> {
        let is_plain = call.inst.is_some() || call.number != selvedge_pta::RULE_CALL;
        let mut given: Vec<HeldBy> = by_arguments
            .iter()
            .filter(|held| !matches!(held.key.term.root, Root::Parameter(_)) || is_plain)
            .cloned()
            .collect();
        given.sort_by(|a, b| (&a.key, b.mode, a.taken).cmp(&(&b.key, a.mode, b.taken)));
        given.dedup_by(|a, b| a.key == b.key);
        given
    }
}

/// Keeps what both hold; whether that changed anything.
pub(crate) fn meet(target: &mut Option<Vec<HeldBy>>, given: &[HeldBy]) -> bool {
    let Some(known) = target else {
        *target = Some(given.to_vec());
        return true;
    };
    let mut changed = false;
    known.retain_mut(|held| {
        let Ok(at) = given.binary_search_by(|other| other.key.cmp(&held.key)) else {
            changed = true;
            return false;
        };
        let (mode, taken) = (held.mode.min(given[at].mode), held.taken.min(given[at].taken));
        changed |= (mode, taken) != (held.mode, held.taken);
        (held.mode, held.taken) = (mode, taken);
        true
    });
    changed
}
