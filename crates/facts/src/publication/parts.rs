//! What a method creates and keeps in a field of an object that is not published yet.
//!
//! A constructor that says `values = new AtomicLong[n]` and then `values[i] = ...` has stored the array, and yet it is not published
//! as long as the object that holds it is not published.
//!
//! **Theorem.** A value is unpublished at an instruction `i` of a method if there are an allocation `x` and a store `holder.f = x` in the
//! method such that
//!
//! 1. the value is `x`, or a load of `holder.f` before which the store always comes, and the method has no other store to `f`;
//! 2. whatever object the holder is, it is unpublished at `i`;
//! 3. no use of `x` or of a load of `holder.f`, other than the store, may leak it on a way to `i`;
//! 4. no call that is given the holder lies on a way from the store to `i`.
//!
//! By 1 and 4 the object was made by this activation of the method (nobody else knows the holder, and whoever is called in
//! between does not, so that nobody has stored to `f` since). All references to it are then `x`, the loads, copies of them that callees drop
//! again, and the field of the holder; by 2 and 4 nobody else has loaded it from there.
//!
//! The store need not be in the same method if the field is *closed* for such objects: whoever stores one to the field
//! stores what it has made itself into its own object (`this`), and does nothing else with it that may leak it; and nobody who loads
//! it from the field, anywhere in the program, leaks it. (Iterators and views that collections of the JDK make of themselves count as the
//! collection.) Then all references to it are the field of its one holder and what is loaded from there, and again: while nobody else
//! knows the holder, nobody else knows the object.

use selvedge_base::FastMap;
use selvedge_ir::{Body, FieldRef, Inst, InvokeKind, Op, Value};
use selvedge_models::Kind;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_world::{FieldId, MethodId};

use super::leaks::root_of;
use super::{InThreads, Publication, PublicationQuestion};
use crate::handover::fresh::is_allocation;
use crate::locks::may_be_cloned;
use crate::shape::Shape;
use crate::view::View;
use crate::ways::{may_reach, may_reach_from};

/// The loads and stores of the fields of the application, by reached code.
pub(super) struct Uses {
    loads: FastMap<FieldId, Vec<(MethodId, Inst)>>,
    stores: FastMap<FieldId, Vec<(MethodId, Inst)>>,
}

impl Uses {
    pub(super) fn new(view: &View<'_>) -> Self {
        let mut uses = Self { loads: FastMap::default(), stores: FastMap::default() };
        for (method, body) in view.application_code() {
            for (inst, data) in body.insts.iter_ids() {
                let (uses, reference) = match &data.op {
                    Op::GetField(reference) => (&mut uses.loads, reference),
                    Op::PutField(reference) => (&mut uses.stores, reference),
                    _ => continue,
                };
                if let Ok(field) = view.program.resolve_field(reference) {
                    uses.entry(field).or_default().push((method, inst));
                }
            }
        }
        uses
    }
}

impl Publication {
    /// Whether a field is closed for objects of a kind; see the [module documentation](self).
    pub(crate) fn is_closed(&self, view: &View<'_>, field: FieldId, object: ObjectId) -> bool {
        if let Some(known) = self.closed.get(&(field, object)) {
            return known;
        }
        let class = view.program.fields[field].class;
        let of =
            |uses: &FastMap<FieldId, Vec<(MethodId, Inst)>>| uses.get(&field).cloned().unwrap_or_default();
        let answer = view.is_application_class(class)
            && !may_be_cloned(view, class)
            && of(&self.uses.stores).into_iter().all(|at| self.stores_own(view, at, object))
            && of(&self.uses.loads).into_iter().all(|at| self.drops_loaded(view, at, object));
        self.closed.insert((field, object), answer);
        answer
    }

    /// Whether a store to a field puts what a method has made for its own object there, if it may be such an object.
    fn stores_own(&self, view: &View<'_>, (method, store): (MethodId, Inst), object: ObjectId) -> bool {
        let Some(body) = view.program.body(method) else { return false };
        let [holder, value] = *body.args(store) else { return false };
        let may_be = |&&instance: &&InstanceId| view.analysis.points_to(instance, value).contains(object);
        let mut instances = view.analysis.instances_of(method).iter().filter(may_be).peekable();
        if instances.peek().is_none() {
            return true;
        }
        let made = root_of(body, value);
        !view.program.methods[method].is_static()
            && body.parameters.first() == Some(&holder)
            && instances.all(|&instance| {
                let is_made = |inst: Inst| self.results.makes(view, instance, body, inst, object);
                body.defining_inst(made).is_some_and(is_made)
                    && !self.leaks_beside(view, instance, body, made, Some(store))
            })
    }

    /// Whether a method leaks nothing that it loads from a field, if it may be such an object.
    fn drops_loaded(&self, view: &View<'_>, (method, load): (MethodId, Inst), object: ObjectId) -> bool {
        let Some(body) = view.program.body(method) else { return false };
        let Some(loaded) = body.insts[load].result else { return true };
        view.analysis.instances_of(method).iter().all(|&instance| {
            !view.analysis.points_to(instance, loaded).contains(object)
                || !self.leaks_beside(view, instance, body, loaded, None)
        })
    }

    /// Whether any instruction but one may leak a value, or a view of it.
    fn leaks_beside(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        value: Value,
        beside: Option<Inst>,
    ) -> bool {
        self.leaked_beside.get_or_insert((instance, value, beside), || {
            self.find_leak_beside(view, instance, body, value, beside)
        })
    }

    fn find_leak_beside(
        &self,
        view: &View<'_>,
        instance: InstanceId,
        body: &Body,
        value: Value,
        beside: Option<Inst>,
    ) -> bool {
        let mut aliases: Vec<Value> =
            body.values.ids().filter(|&other| root_of(body, other) == value).collect();
        let mut position = 0;
        while let Some(&alias) = aliases.get(position) {
            position += 1;
            for inst in body.insts.ids().filter(|&inst| body.args(inst).contains(&alias)) {
                if Some(inst) == beside || matches!(body.insts[inst].op, Op::CheckCast(_)) {
                    continue;
                }
                match body.insts[inst].result {
                    Some(made) if makes_view(body, inst, alias) => {
                        let views = body.values.ids().filter(|&other| root_of(body, other) == made);
                        aliases.extend(views.filter(|other| !aliases.contains(other)).collect::<Vec<_>>());
                    }
                    _ if self.results.leaks.by_use(view, instance, body, inst, alias) => return true,
                    _ => {}
                }
            }
        }
        false
    }
}

/// Whether a call asks a collection for an iterator or a view of itself. The result knows the collection; nobody else gets to know it by that.
fn makes_view(body: &Body, call: Inst, collection: Value) -> bool {
    let Op::Invoke(InvokeKind::Virtual | InvokeKind::Interface, called) = &body.insts[call].op else {
        return false;
    };
    let views: [&str; 6] = ["iterator", "listIterator", "descendingIterator", "keySet", "values", "entrySet"];
    Kind::Utility.has(called.owner.as_bytes())
        && views.iter().any(|name| called.name.is(name))
        && body.args(call) == [collection]
}

/// A store of a new object into a field.
struct Keeping {
    store: Inst,
    holder: Value,
    field: FieldRef,
    made: Value,
}

impl PublicationQuestion<'_, '_> {
    /// Whether a value is kept by an unpublished object only; see the [module documentation](self).
    pub(super) fn is_kept_unpublished(
        &self,
        instance: InstanceId,
        body: &Body,
        shape: &Shape,
        (inst, root): (Inst, Value),
        depth: usize,
    ) -> InThreads {
        let in_closed_field = self.is_in_closed_field(instance, body, (inst, root), depth);
        in_closed_field.or(self.threads.may_execute(instance), || {
            let keeper = self
                .facts
                .kept_by
                .get_or_insert((instance, inst, root), || self.keeper(instance, body, shape, (inst, root)));
            keeper.map_or(InThreads::None, |holder| self.is_holder_unpublished(instance, inst, holder, depth))
        })
    }

    /// The value that keeps another one to itself up to an instruction: all but condition 2 of the [theorem](self).
    fn keeper(
        &self,
        instance: InstanceId,
        body: &Body,
        shape: &Shape,
        (inst, root): (Inst, Value),
    ) -> Option<Value> {
        let keeping = keeping(body, shape, root)?;
        let is_load = |value: Value| {
            body.defining_inst(value).is_some_and(
                |load| matches!(&body.insts[load].op, Op::GetField(field) if *field == keeping.field),
            )
        };
        let is_alias = |&value: &Value| {
            let root = root_of(body, value);
            root == keeping.made || is_load(root)
        };
        let aliases: Vec<Value> = body.values.ids().filter(is_alias).collect();
        let leaks = |&leak: &Inst| {
            let is_cast = matches!(body.insts[leak].op, Op::CheckCast(_));
            let leaks =
                |&value: &Value| self.facts.results.leaks.by_use(self.view, instance, body, leak, value);
            leak != keeping.store
                && !is_cast
                && aliases.iter().any(leaks)
                && may_reach(body, shape, leak, inst, None)
        };
        let may_be_replaced = |&call: &Inst| {
            matches!(body.insts[call].op, Op::Invoke(..) | Op::InvokeDynamic(_))
                && body.args(call).contains(&keeping.holder)
                && may_reach(body, shape, keeping.store, call, None)
                && (call == inst || may_reach(body, shape, call, inst, None))
        };
        let is_lost = body.insts.ids().any(|other| leaks(&other) || may_be_replaced(&other));
        (!is_lost).then_some(keeping.holder)
    }

    /// Whether a value was loaded from a closed field of an unpublished object.
    fn is_in_closed_field(
        &self,
        instance: InstanceId,
        body: &Body,
        (inst, root): (Inst, Value),
        depth: usize,
    ) -> InThreads {
        let Some(load) = body.defining_inst(root) else { return InThreads::None };
        let Op::GetField(reference) = &body.insts[load].op else { return InThreads::None };
        let Ok(field) = self.view.program.resolve_field(reference) else { return InThreads::None };
        match self.facts.is_closed(self.view, field, self.object) {
            true => self.is_holder_unpublished(instance, inst, body.args(load)[0], depth),
            false => InThreads::None,
        }
    }

    /// Whether an object is unpublished at an instruction, whichever it is.
    fn is_holder_unpublished(
        &self,
        instance: InstanceId,
        inst: Inst,
        holder: Value,
        depth: usize,
    ) -> InThreads {
        let executing = self.threads.may_execute(instance);
        let mut unpublished = InThreads::All;
        for object in self.view.analysis.points_to(instance, holder).iter() {
            let query = PublicationQuestion { object, ..*self };
            unpublished =
                unpublished.and(executing, || query.is_unpublished(instance, inst, holder, depth - 1));
            if unpublished == InThreads::None {
                break;
            }
        }
        unpublished
    }
}

/// How a value is kept: by the only store of the method to a field, of an allocation of the method.
fn keeping(body: &Body, shape: &Shape, root: Value) -> Option<Keeping> {
    let is_made = |inst: Inst| is_allocation(&body.insts[inst].op);
    let defined = body.defining_inst(root)?;
    let field = match &body.insts[defined].op {
        Op::GetField(field) => *field,
        _ if is_made(defined) => {
            let stores = body.insts.iter_ids().find_map(|(inst, data)| match &data.op {
                Op::PutField(field) if root_of(body, body.args(inst)[1]) == root => Some(*field),
                _ => None,
            });
            stores?
        }
        _ => return None,
    };
    let mut stores = body.insts.iter_ids().filter_map(|(inst, data)| match &data.op {
        Op::PutField(stored) if *stored == field => Some(inst),
        _ => None,
    });
    let (store, None) = (stores.next()?, stores.next()) else { return None };
    let [holder, value] = *body.args(store) else { return None };
    let made = root_of(body, value);
    if !body.defining_inst(made).is_some_and(is_made) {
        return None;
    }
    let is_after_store = made == root
        || body.args(defined).first() == Some(&holder)
            && !may_reach_from(body, shape, vec![Body::ENTRY], defined, Some(store));
    is_after_store.then_some(Keeping { store, holder, field, made })
}
