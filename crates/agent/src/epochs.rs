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

/// How many chains the clock in the array has.
const CLOCK: usize = 64;

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

    /// The thread whose chain this was at a time.
    pub(crate) fn member(&self, chain: u32, time: u32) -> Option<ThreadId> {
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
        let mut known = [0; CLOCK];
        jvm.ints(clock, &mut known);
        if time == MAX_TIME {
            let name = self.tables.threads.get(thread).map_or_else(String::new, |entry| entry.name.clone());
            self.skip(format!(
                "thread \"{name}\" has synchronised {} times: what it does from then on is taken to be one step, and races of it may be missed",
                MAX_TIME >> STAGES
            ));
        }
        if self.engine.happens_before().is_some() {
            self.engine.catch_up(thread, time, &known);
        } else {
            self.order.catch_up(thread, time, &known);
        }
    }

    /// Leaves in an array of the support class what it has to know of the thread: its clock, then chain, time and number.
    pub(crate) fn leave(&mut self, jvm: &Jvm, thread: ThreadId, array: jobject) {
        let mut all = [0; CLOCK + 3];
        let (chain, time) = self.stands(thread, &mut all[..CLOCK]);
        let int = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        all[CLOCK..].copy_from_slice(&[int(chain), int(time), thread.index() as i32]);
        jvm.set_ints(array, 0, &all);
    }
}
