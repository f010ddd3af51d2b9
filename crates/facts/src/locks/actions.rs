//! What single instructions do to locks, in terms of their method: monitors, and the effects of library calls.

use selvedge_base::FastMap;
use selvedge_ir::{Body, Inst, Op};
use selvedge_models::{Effect, LockMode, Place, When};
use selvedge_world::MethodId;

use super::state::{Key, Mode, Pending, Role};
use super::terms::Code;
use crate::view::View;

/// One thing that an instruction does to locks.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Takes a lock.
    Acquire { key: Key, mode: Mode, value: Option<selvedge_ir::Value> },
    /// Takes a lock if the result says so.
    Try(Pending),
    /// Gives up a lock in one of some modes.
    Release { key: Key, modes: Vec<Mode> },
    /// Begins an optimistic read.
    Observe(Key),
    /// Ends an optimistic read.
    Validate(Key),
}

/// The actions of a method.
#[derive(Default)]
pub(crate) struct Actions {
    by_inst: FastMap<Inst, Vec<Action>>,
}

impl Actions {
    /// The actions of an instruction.
    pub(crate) fn of(&self, inst: Inst) -> &[Action] {
        self.by_inst.get(&inst).map_or(&[], Vec::as_slice)
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
                        true => Action::Acquire { key, mode: Mode::Exclusive, value: Some(value) },
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
        Some((Key { term: code.lock_term(view, method, value, role), role }, value))
    };
    for effect in may {
        let Effect::Release { lock, mode, monitor, .. } = effect else { continue };
        if waits(lock, *mode, *monitor) {
            continue;
        }
        let Some((key, _)) = key_of(lock, *monitor) else { continue };
        let Some(mode) = held_mode(*mode) else { continue };
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
                let Some((key, value)) = key_of(lock, *monitor) else { continue };
                let Some(mode) = held_mode(*mode) else {
                    if *mode == LockMode::Optimistic {
                        actions.push(Action::Observe(key));
                    }
                    continue;
                };
                if *when == When::Always {
                    actions.push(Action::Acquire { key, mode, value: Some(value) });
                } else if let Some(result) = body.insts[inst].result {
                    let (value, when) = (Some(value), *when);
                    actions.push(Action::Try(Pending { result, when, key, mode, value, taken: inst }));
                }
            }
            Effect::Validate { lock, .. } => {
                actions.extend(key_of(lock, false).map(|(key, _)| Action::Validate(key)));
            }
            _ => {}
        }
    }
    actions
}

/// The mode in which a lock is held; `None` if it then excludes nobody.
fn held_mode(mode: LockMode) -> Option<Mode> {
    match mode {
        LockMode::Exclusive => Some(Mode::Exclusive),
        LockMode::Shared => Some(Mode::Shared),
        LockMode::Counted | LockMode::Optimistic => None,
    }
}
