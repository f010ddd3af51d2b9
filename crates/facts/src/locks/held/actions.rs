//! What single instructions do to locks, in terms of their method: monitors, and the effects of library calls.

use selvedge_base::FastMap;
use selvedge_ir::{Body, Inst, Op};
use selvedge_models::{Effect, LockMode, Place, When};
use selvedge_pta::heap::ObjectId;
use selvedge_world::MethodId;

use super::flow::Released;
use super::state::{Key, Mode, Pending, Role};
use crate::locks::mutexes::claims;
use crate::locks::mutexes::spin;
use crate::locks::names::terms::Code;
use crate::view::View;

/// One thing that an instruction does to locks.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Takes a lock.
    Acquire { key: Key, mode: Mode },
    /// Takes a lock if the result says so.
    Try(Pending),
    /// Gives up a lock in one of some modes.
    Release { key: Key, modes: Vec<Mode> },
    /// May give up locks that are any of these objects.
    MayRelease(Vec<Released>),
    /// Begins an optimistic read.
    Observe(Key),
    /// Ends an optimistic read.
    Validate(Key),
}

/// The actions of a method.
#[derive(Clone, Default)]
pub(crate) struct Actions {
    by_inst: FastMap<Inst, Vec<Action>>,
}

impl Actions {
    /// The actions of an instruction.
    pub(crate) fn of(&self, inst: Inst) -> &[Action] {
        self.by_inst.get(&inst).map_or(&[], Vec::as_slice)
    }

    /// Adds an action.
    pub(crate) fn add(&mut self, inst: Inst, action: Action) {
        self.by_inst.entry(inst).or_default().push(action);
    }

    /// Whether the method itself does nothing to locks.
    pub(crate) fn is_empty(&self) -> bool {
        self.by_inst.is_empty()
    }

    /// What the instructions of a method do.
    pub(crate) fn new(view: &View<'_>, code: &Code, method: MethodId) -> Self {
        let mut actions = Self::default();
        let Some(body) = view.program.body(method) else { return actions };
        for (inst, data) in body.insts.iter_ids() {
            let found = match data.op {
                Op::MonitorEnter | Op::MonitorExit => {
                    let value = body.args(inst)[0];
                    let key = Key { term: code.term(view, method, value), role: Role::Monitor };
                    let is_enter = matches!(data.op, Op::MonitorEnter);
                    vec![match is_enter {
                        true => Action::Acquire { key, mode: Mode::Exclusive },
                        false => Action::Release { key, modes: vec![Mode::Exclusive] },
                    }]
                }
                Op::Invoke(..) => of_call(view, code, method, body, inst),
                _ => continue,
            };
            if !found.is_empty() {
                actions.by_inst.insert(inst, found);
            }
        }
        actions
    }
}

fn of_call(view: &View<'_>, code: &Code, method: MethodId, body: &Body, inst: Inst) -> Vec<Action> {
    let (must, may) = code.effects(view, method, inst);
    let mut actions: Vec<Action> = Vec::new();
    // Who gives up a lock and takes it again before returning in whatever way, as waiting does, has it all the time that
    // the caller can tell.
    let waits = |lock: &Place, mode: LockMode, monitor: bool| {
        let takes = Effect::Acquire { lock: lock.clone(), mode, when: When::Always, monitor };
        let gives = Effect::Release { lock: lock.clone(), mode, when: When::Always, monitor };
        must.contains(&&takes) && must.contains(&&gives)
    };
    let key_of = |lock: &Place, monitor: bool| {
        let value = view.operand(body, inst, lock)?;
        let role = if monitor { Role::Monitor } else { Role::Lock };
        Some(Key { term: code.lock_term(view, method, value, role), role })
    };
    if let Some((variable, step)) = spin::step(body, inst) {
        let key = Key { term: code.lock_term(view, method, variable, Role::Lock), role: Role::Lock };
        let result = body.insts[inst].result;
        match (step, result) {
            (spin::Step::Take(when), Some(result)) if is_mutex(view, code, method, &key) => {
                let mode = Mode::Exclusive;
                actions.push(Action::Try(Pending { result, when, key, mode, taken: inst }));
            }
            (spin::Step::Give, _) if may_be_mutex(view, code, method, &key) => {
                actions.push(Action::Release { key, modes: vec![Mode::Exclusive] });
            }
            _ => {}
        }
        return actions;
    }
    if let Some((key, when)) = claims::claim(view, code, method, body, inst)
        && let Some(result) = body.insts[inst].result
    {
        let mode = Mode::Exclusive;
        return vec![Action::Try(Pending { result, when, key, mode, taken: inst })];
    }
    // Semaphores also have forms that take or give several permits: those are never matched.
    let is_one = !matches!(&body.insts[inst].op, Op::Invoke(_, called) if called.descriptor.as_bytes().starts_with(b"(I"));
    for effect in may {
        let Effect::Release { lock, mode, monitor, .. } = effect else { continue };
        if waits(lock, *mode, *monitor) {
            continue;
        }
        let Some(key) = key_of(lock, *monitor) else { continue };
        if *mode == LockMode::Counted && !is_one {
            let objects = objects_anywhere(view, code, method, &key);
            actions.push(Action::MayRelease(vec![Released { role: key.role, objects }]));
        }
        let Some(mode) = held_mode(*mode, is_one) else { continue };
        let known = actions.iter_mut().find_map(|action| match action {
            Action::Release { key: other, modes } if *other == key => Some(modes),
            _ => None,
        });
        match known {
            Some(modes) if modes.contains(&mode) => {}
            Some(modes) => modes.push(mode),
            None => actions.push(Action::Release { key, modes: vec![mode] }),
        }
    }
    for &effect in &must {
        match effect {
            Effect::Acquire { lock, mode, when, monitor } if !waits(lock, *mode, *monitor) => {
                let Some(key) = key_of(lock, *monitor) else { continue };
                let Some(mode) = held_mode(*mode, is_one && is_mutex(view, code, method, &key)) else {
                    if *mode == LockMode::Optimistic {
                        actions.push(Action::Observe(key));
                    }
                    continue;
                };
                if *when == When::Always {
                    actions.push(Action::Acquire { key, mode });
                } else if let Some(result) = body.insts[inst].result {
                    let when = *when;
                    actions.push(Action::Try(Pending { result, when, key, mode, taken: inst }));
                }
            }
            Effect::Validate { lock, .. } => {
                actions.extend(key_of(lock, false).map(Action::Validate));
            }
            _ => {}
        }
    }
    actions
}

/// The mode in which a lock is held; `None` if it then excludes nobody.
fn held_mode(mode: LockMode, is_mutex: bool) -> Option<Mode> {
    match mode {
        LockMode::Exclusive => Some(Mode::Exclusive),
        LockMode::Shared => Some(Mode::Shared),
        LockMode::Counted => is_mutex.then_some(Mode::Exclusive),
        LockMode::Optimistic => None,
    }
}

/// Whether a semaphore excludes others, whichever it is.
fn is_mutex(view: &View<'_>, code: &Code, method: MethodId, key: &Key) -> bool {
    let objects = objects_anywhere(view, code, method, key);
    objects.is_some_and(|objects| objects.iter().all(|object| code.mutexes.contains(object)))
}

/// Whether a variable may be one that excludes others.
fn may_be_mutex(view: &View<'_>, code: &Code, method: MethodId, key: &Key) -> bool {
    let objects = objects_anywhere(view, code, method, key);
    objects.is_none_or(|objects| objects.iter().any(|object| code.mutexes.contains(object)))
}

/// What a lock may be in any instance of the method.
fn objects_anywhere(view: &View<'_>, code: &Code, method: MethodId, key: &Key) -> Option<Vec<ObjectId>> {
    let mut found: Vec<ObjectId> = Vec::new();
    for &instance in view.analysis.instances_of(method) {
        found.extend(code.lock_objects(view, instance, key)?);
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
