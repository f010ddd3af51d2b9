//! Where threads stand, as the support class needs it: epochs and clocks.
//!
//! The support class judges accesses to fields and array elements itself ([`crate::natives`] hears of races only), by the thread's clock. It
//! follows monitors and variables by itself and says where a thread stands before it tells anything else; every step that the agent follows
//! leaves the clock in an array of the thread. An epoch ends with a release, and has a new stage with an acquisition, which orders
//! nothing but lets the locks of an earlier access be told by its time: so four times are one epoch to the support class.

use selvedge_base::Id;
use selvedge_jvm::Jvm;
use selvedge_jvm::sys::jni::jobject;
use selvedge_protocol::{Event, ThreadId};

use crate::accesses::{MAX_TIME, STAGES};
use crate::state::State;

/// So many entries at the end of a clock in an array are of other things.
const REST: usize = 4;

impl State {
    /// The thread's chain and time.
    fn stands(&mut self, thread: ThreadId, known: &mut [i32]) -> (u32, u32) {
        match self.engine.stands(thread, known) {
            Some(stands) => stands,
            None => {
                let (chain, time, _) = self.order.now(thread);
                (chain, time)
            }
        }
    }

    /// The thread whose chain this was at a time; `Some(None)` if it is forgotten.
    pub(crate) fn member(&self, chain: u32, time: u32) -> Option<Option<ThreadId>> {
        match self.engine.happens_before() {
            Some(_) => self.engine.member(chain, time),
            None => self.order.member(chain, time),
        }
    }

    /// Follows the order where no detector does.
    pub(crate) fn follow(&mut self, event: &Event) {
        if self.engine.happens_before().is_none() {
            self.order.event(event);
        }
    }

    /// The locks of the thread have changed: its epoch ends.
    pub(crate) fn locks_changed(&mut self, thread: ThreadId) {
        if self.engine.happens_before().is_some() {
            self.engine.tick(thread);
        } else {
            self.order.tick(thread);
        }
    }

    /// The thread is at this time, and knows what the array of its clock says.
    pub(crate) fn catch_up(&mut self, jvm: &Jvm, thread: ThreadId, time: u32, clock: jobject) {
        if clock.is_null() {
            return;
        }
        let mut known = vec![0; (jvm.array_length(clock).max(0) as usize).saturating_sub(REST)];
        jvm.ints(clock, &mut known);
        if time == MAX_TIME {
            let name = self.tables.threads.get(thread).map_or_else(String::new, |entry| entry.name.clone());
            self.skip(format!(
                "thread \"{name}\" has synchronised {} times: what it does from then on counts as one step, and its races may be missed",
                MAX_TIME >> STAGES
            ));
        }
        if self.engine.happens_before().is_some() {
            self.engine.catch_up(thread, time, &known);
        } else {
            self.order.catch_up(thread, time, &known);
        }
    }

    /// Leaves in an array of the support class what it has to know of the thread: its clock, as much as there is room for, then chain, time and
    /// number, and how many chains there are.
    pub(crate) fn leave(&mut self, jvm: &Jvm, thread: ThreadId, array: jobject) {
        if array.is_null() {
            return;
        }
        let mut all = vec![0; (jvm.array_length(array).max(0) as usize).max(REST)];
        let width = all.len() - REST;
        let (chain, time) = self.stands(thread, &mut all[..width]);
        let chains =
            self.engine.happens_before().map_or(self.order.chains(), |detector| detector.order().chains());
        let int = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        all[width..].copy_from_slice(&[int(chain), int(time), thread.index() as i32, int(chains)]);
        jvm.set_ints(array, 0, &all);
    }
}
