//! The monitors that a method has entered itself, whatever its callers hold: synchronized methods and blocks.

use selvedge_ir::Inst;
use selvedge_pta::InstanceId;
use selvedge_pta::heap::ObjectId;

use super::state::Role;
use crate::locks::Locks;
use crate::view::View;

/// A monitor that is held at an instruction in every run, by the method of that instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    /// The instruction that entered it; `None` if the method is synchronized.
    pub entered: Option<Inst>,
    /// The objects whose monitor it may be; `None` if that is not known.
    pub may_be: Option<Vec<ObjectId>>,
}

impl Locks {
    /// The monitors that the method of an instance has entered and not left when it comes to an instruction, outermost first. Of two
    /// that were entered by one name, the outer one is listed.
    pub fn monitors(&self, view: &View<'_>, instance: InstanceId, inst: Inst) -> Vec<Monitor> {
        let method = view.method_of(instance).and_then(|method| self.summaries.method(method));
        let Some(state) = method.and_then(|locks| locks.at(inst)) else { return Vec::new() };
        let held = state.held.iter().filter(|held| held.key.role == Role::Monitor && held.exclusive > 0);
        let mut found: Vec<Monitor> = held
            .map(|held| Monitor {
                entered: held.taken,
                may_be: self.code.lock_objects(view, instance, &held.key),
            })
            .collect();
        found.sort_by_key(|monitor| monitor.entered);
        found
    }

    /// The objects whose monitor an instance of a synchronized method enters first; `None` if it does not, or that is not known.
    pub fn monitor_on_entry(&self, view: &View<'_>, instance: InstanceId) -> Option<Vec<ObjectId>> {
        let state = super::flow::entry_state(view, view.method_of(instance)?);
        self.code.lock_objects(view, instance, &state.held.first()?.key)
    }
}
