//! Objects that an access cannot mean, because its value was compared with them on the way.
//!
//! Consumers of a queue stop at an object that says that it is over: `if (job == LAST) break;`. What comes after the comparison works on other
//! jobs, however many consumers have received that one.
//!
//! **Theorem.** Let a static final field be written once, by the initialiser of its class, with an object that the initialiser makes outside
//! of loops and that is not published before it is written. Then an access to which control comes only by the branch on which its value differs from the
//! field does not access that object: if the value were that object, it would have been written before, and the field would hold
//! it. The same holds of an access to what is loaded from a [closed](crate::publication) field of the value, if that object alone keeps what is
//! accessed there. The hypotheses, each with a program of the corpus in which only this one fails:
//!
//! 1. Every way to the access comes from a comparison that found another object (PoisonTouched).

use selvedge_ir::{Body, Condition, Inst, Op, Value};
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;
use selvedge_pta::summary::Member;
use selvedge_world::FieldId;

use crate::accesses::Accesses;
use crate::describe;
use crate::handover::fresh::{is_allocation, makers};
use crate::publication::{Publication, root_of};
use crate::refutation::{Candidate, Occurrence, Refutation};
use crate::view::View;
use crate::ways::may_reach;

/// The name of the refuter.
pub const BY: &str = "other-object";

/// What the fact is asked with.
pub(crate) struct Excluded<'a, 'v> {
    pub(crate) view: &'a View<'v>,
    pub(crate) publication: &'a Publication,
}

/// Whether one side cannot mean the object.
pub fn refute<'a>(
    view: &'a View<'_>,
    publication: &Publication,
    accesses: &'a Accesses,
    candidate: &Candidate,
) -> Option<Refutation<'a>> {
    let object = candidate.object?;
    let excluded = Excluded { view, publication };
    let side = candidate.sides.iter().find(|side| excluded.excludes(accesses, side, object))?;
    let access = &accesses.all[side.access];
    Some(Refutation::proof(BY, move || {
        format!(
            "control comes to {} only if it is not {}, or belongs to another object",
            describe::place(view, access.method, access.inst),
            describe::object(view, object),
        )
    }))
}

impl Excluded<'_, '_> {
    fn excludes(&self, accesses: &Accesses, side: &Occurrence, object: ObjectId) -> bool {
        let view = self.view;
        let access = &accesses.all[side.access];
        let (Some(base), Some(body)) = (access.base, view.body(side.instance)) else { return false };
        if self.is_excluded(side.instance, access.inst, base, object) {
            return true;
        }
        let Some(load) = body.defining_inst(root_of(body, base)) else { return false };
        let Op::GetField(reference) = &body.insts[load].op else { return false };
        let Ok(field) = view.program.resolve_field(reference) else { return false };
        let keeper = body.args(load)[0];
        let keeps = |&keeper: &ObjectId| {
            view.analysis.member(keeper, Member::Field(field)).any(|kept| kept == object)
        };
        let mut keepers = view.analysis.points_to(side.instance, keeper).iter().filter(keeps).peekable();
        keepers.peek().is_some()
            && keepers.all(|it| self.is_excluded(side.instance, access.inst, keeper, it))
            && self.publication.is_closed(view, field, object)
    }

    /// Whether a value cannot be an object where an instruction executes.
    pub(crate) fn is_excluded(
        &self,
        instance: InstanceId,
        inst: Inst,
        value: Value,
        object: ObjectId,
    ) -> bool {
        let view = self.view;
        if !self.publication.may_be_constant(object) {
            return false;
        }
        let Some(method) = view.method_of(instance) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        let root = root_of(body, value);
        let here = shape.block_of[inst];
        body.blocks.ids().any(|block| {
            let last = body.terminator(block);
            let Op::If { condition, then, otherwise } = body.insts[last].op else { return false };
            let ([a, b], true) = (body.args(last), then != otherwise) else { return false };
            let differ = match condition {
                Condition::RefNe => then,
                Condition::RefEq => otherwise,
                _ => return false,
            };
            let compared = match (root_of(body, *a) == root, root_of(body, *b) == root) {
                (true, false) => *b,
                (false, true) => *a,
                _ => return false,
            };
            body.blocks[differ].predecessors.len() == 1
                && shape.dominators.dominates(differ, here)
                && self.constant(body, compared).is_some_and(|field| self.must_hold(field, object))
        })
    }

    /// The static final field that a value was loaded from.
    fn constant(&self, body: &Body, value: Value) -> Option<FieldId> {
        let load = body.defining_inst(root_of(body, value))?;
        let Op::GetStatic(reference) = &body.insts[load].op else { return None };
        let field = self.view.program.resolve_field(reference).ok()?;
        self.view.program.fields[field].is_final().then_some(field)
    }

    /// Whether a static final field holds the one object of a kind, and did so before anybody else could know it.
    fn must_hold(&self, field: FieldId, object: ObjectId) -> bool {
        let view = self.view;
        if !view.analysis.static_field(field).eq([object]) {
            return false;
        }
        let Some((made, mut makers)) = makers(view, object) else { return false };
        let (Some(maker), None) = (makers.next(), makers.next()) else { return false };
        let Some(method) = view.method_of(maker) else { return false };
        let (Some(body), Some(shape)) = (view.program.body(method), view.shape(method)) else { return false };
        let data = &view.program.methods[method];
        let is_store = |inst: &Inst| match &body.insts[*inst].op {
            Op::PutStatic(reference) => view.program.resolve_field(reference).ok() == Some(field),
            _ => false,
        };
        let mut stores = body.insts.ids().filter(is_store);
        let (Some(store), None) = (stores.next(), stores.next()) else { return false };
        let Some(value) = body.insts[made].result else { return false };
        let leaks = |inst: Inst| {
            inst != store
                && self.publication.use_leaks(view, maker, body, inst, value)
                && may_reach(body, shape, inst, store, None)
        };
        data.is_class_initializer()
            && data.class == view.program.fields[field].class
            && is_allocation(&body.insts[made].op)
            && !shape.may_repeat(made)
            && root_of(body, body.args(store)[0]) == value
            && !body.insts.ids().any(leaks)
    }
}
