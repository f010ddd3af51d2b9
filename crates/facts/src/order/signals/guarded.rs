//! Plain fields that are conditions: read and written under one lock only, and tested.
//!
//! **Theorem.** If every two accesses of a field, one of them a write, hold a common lock, then a read that sees a value comes
//! after the release of the lock by who wrote it: the field orders like a volatile one. Only fields that are tested
//! somewhere are looked at, since only a test tells what was seen.

use selvedge_base::{FastMap, FastSet};
use selvedge_models::When;
use selvedge_world::FieldId;

use super::SignalSources;
use super::touches::writes_initial;
use crate::accesses::{AccessId, AccessKind, Place};
use crate::limits;
use crate::locks::Locking;
use crate::order::waits::edges_where;
use crate::refutation::{Candidate, Occurrence, Strength};

/// See the [module documentation](self).
pub(super) struct Guarded {
    fields: FastSet<FieldId>,
}

impl Guarded {
    pub(super) fn new(sources: &SignalSources<'_, '_>) -> Self {
        let mut by_field: FastMap<FieldId, Vec<AccessId>> = FastMap::default();
        for (id, access) in sources.accesses.all.iter_ids() {
            if let Place::Field(field) | Place::Static(field) = access.place {
                by_field.entry(field).or_default().push(id);
            }
        }
        let guarded = |(field, accesses): (FieldId, Vec<AccessId>)| {
            let few = accesses.len() <= limits::CONDITION_ACCESSES;
            (few && is_tested(sources, &accesses) && is_guarded(sources, &accesses)).then_some(field)
        };
        Self { fields: by_field.into_iter().filter_map(guarded).collect() }
    }

    pub(super) fn contains(&self, field: FieldId) -> bool {
        self.fields.contains(&field)
    }
}

fn is_tested(sources: &SignalSources<'_, '_>, accesses: &[AccessId]) -> bool {
    accesses.iter().any(|&id| {
        let access = &sources.accesses.all[id];
        let Some(body) = sources.view.program.body(access.method) else { return false };
        let tests = |when| !edges_where(body, access.inst, when).is_empty();
        access.kind == AccessKind::Read && (tests(When::ResultNonzero) || tests(When::ResultNonNull))
    })
}

fn is_guarded(sources: &SignalSources<'_, '_>, accesses: &[AccessId]) -> bool {
    let SignalSources { view, threads, locks, .. } = *sources;
    let mut sides: Vec<(Occurrence, AccessKind)> = Vec::new();
    for &id in accesses {
        let access = &sources.accesses.all[id];
        let Some(body) = view.program.body(access.method) else { return false };
        let is_write = access.kind == AccessKind::Write;
        // What a constructor sets an unset field to changes nothing.
        let method = &view.program.methods[access.method];
        let constructs = method.is_constructor() && access.base == body.parameters.first().copied()
            || method.is_class_initializer();
        if constructs && is_write && !access.by_call && writes_initial(body, access.inst) {
            continue;
        }
        let instances = view.analysis.instances_of(access.method);
        if instances.len() > limits::CONDITION_INSTANCES {
            return false;
        }
        for &instance in instances {
            if let Some(&thread) = threads.may_execute(instance).first() {
                sides.push((Occurrence { access: id, instance, thread }, access.kind));
            }
        }
    }
    sides.iter().enumerate().all(|(position, (first, kind))| {
        sides[position..].iter().all(|(second, other)| {
            if *kind.max(other) == AccessKind::Read {
                return true;
            }
            let touched = |side: &Occurrence| sources.accesses.may_touch(view, side.access, side.instance);
            let (ours, theirs) = (touched(first), touched(second));
            let is_static = sources.accesses.all[first.access].base.is_none();
            let common: Vec<_> = ours.iter().filter(|&object| theirs.contains(object)).map(Some).collect();
            let objects = if is_static { vec![None] } else { common };
            objects.into_iter().all(|object| {
                let candidate = Candidate { sides: [*first, *second], object };
                let found = locks.common(view, &candidate, Locking::Sound);
                found.is_some_and(|refutation| refutation.strength == Strength::Proof)
            })
        })
    })
}
