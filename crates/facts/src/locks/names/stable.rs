//! Fields whose value does not change once it can be used as a lock.
//!
//! `is_stable(f)`: whoever reads `f` of an object (or the static `f`) gets null or always the same reference. That holds for
//! final fields, and for fields that only the constructors of their own class write, on `this`, at most once in each run of a
//! constructor. Null is no lock and no object that is accessed, so two reads that matter give the same reference, even if one
//! of them comes before the write.
//!
//! A static field that only the initialiser of its class writes may be written there more than once. Threads that do not run the
//! initialiser wait for its end when they want to read the field, so all of them get the last reference. What the initialiser
//! itself does with an earlier one happens before all that they do with the field, so it needs no lock against them.
//!
//! Assumed, as by the points-to analysis: nothing writes final fields by reflection or `Unsafe`, and the unknown callers of a library
//! call its methods and leave its fields alone.

use std::sync::OnceLock;

use selvedge_base::{FastMap, IdVec};
use selvedge_ir::{Body, Inst, InvokeKind, Op};
use selvedge_world::{FieldId, MethodId};

use crate::view::View;

/// Which fields are stable, and who writes the fields of the application.
pub(crate) struct Stable {
    /// Every write of a field by reached code of the application.
    writes: FastMap<FieldId, Vec<(MethodId, Inst)>>,
    known: IdVec<FieldId, OnceLock<bool>>,
}

impl Stable {
    /// Looks at all reached code of the application.
    pub(crate) fn new(view: &View<'_>) -> Self {
        let mut writes: FastMap<FieldId, Vec<(MethodId, Inst)>> = FastMap::default();
        for (method, body) in view.application_code() {
            for (inst, data) in body.insts.iter_ids() {
                if let Op::PutField(reference) | Op::PutStatic(reference) = &data.op
                    && let Ok(field) = view.program.resolve_field(reference)
                {
                    writes.entry(field).or_default().push((method, inst));
                }
            }
        }
        let known = view.program.fields.ids().map(|_| OnceLock::new()).collect();
        Self { writes, known }
    }

    /// The fields that the application writes, in order, with the writes.
    pub(crate) fn all_writes(&self) -> Vec<(FieldId, &[(MethodId, Inst)])> {
        let mut all: Vec<_> = self.writes.iter().map(|(&field, writes)| (field, writes.as_slice())).collect();
        all.sort_unstable_by_key(|&(field, _)| field);
        all
    }

    /// The instructions of the application that write a field.
    pub(crate) fn writes(&self, field: FieldId) -> &[(MethodId, Inst)] {
        self.writes.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Whether reads of a field that give an object give always the same; see the [module documentation](self).
    pub(crate) fn is_stable(&self, view: &View<'_>, field: FieldId) -> bool {
        *self.known[field].get_or_init(|| self.find_stable(view, field))
    }

    fn find_stable(&self, view: &View<'_>, field: FieldId) -> bool {
        let data = &view.program.fields[field];
        if !view.is_application_class(data.class) {
            return data.is_final();
        }
        let writers = self.writes(field);
        let initializes = |&(method, inst): &(MethodId, Inst)| self.initializes(view, field, method, inst);
        if data.is_final() {
            return writers.iter().all(initializes);
        }
        let once = data.is_static()
            || writers.iter().enumerate().all(|(position, &(method, inst))| {
                let is_only = writers[..position].iter().all(|&(other, _)| other != method);
                let repeats = view.shape(method).is_none_or(|shape| shape.may_repeat(inst));
                is_only && !repeats && !calls_own_constructor(view, method)
            });
        once && writers.iter().all(initializes)
    }

    /// Whether a write is part of the initialisation of the field's object or class.
    fn initializes(&self, view: &View<'_>, field: FieldId, method: MethodId, inst: Inst) -> bool {
        let (field, writer) = (&view.program.fields[field], &view.program.methods[method]);
        if field.class != writer.class {
            return false;
        }
        if field.is_static() {
            return writer.is_class_initializer();
        }
        let on_this =
            |body: &Body| body.args(inst).first() == body.parameters.first() && !body.parameters.is_empty();
        writer.is_constructor() && view.program.body(method).is_some_and(on_this)
    }
}

/// Whether a constructor runs another constructor of its own class.
fn calls_own_constructor(view: &View<'_>, method: MethodId) -> bool {
    let Some(body) = view.program.body(method) else { return true };
    let class = view.program.classes[view.program.methods[method].class].name;
    body.insts.iter_ids().any(|(inst, data)| {
        matches!(&data.op, Op::Invoke(InvokeKind::Special, called)
            if called.name.is("<init>") && called.owner == class)
            && body.args(inst).first() == body.parameters.first()
    })
}
