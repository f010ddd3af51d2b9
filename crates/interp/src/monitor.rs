//! Monitors: reentrant locks with a wait set.

use crate::machine::{Exec, Machine, Raise};
use crate::observer::{Place, ThreadId};
use crate::thread::{Pending, ThreadState};
use crate::value::{ObjRef, Value};

/// The monitor of an object that was ever locked.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    pub owner: Option<ThreadId>,
    /// How often the owner holds it.
    pub depth: u32,
    /// Threads in `Object.wait`, longest first.
    pub waiters: Vec<ThreadId>,
}

impl Machine<'_> {
    /// Takes a monitor for the running thread, or blocks it.
    pub fn monitor_enter(&mut self, object: ObjRef) -> Exec<()> {
        self.take_monitor(object, 1)
    }

    fn take_monitor(&mut self, object: ObjRef, times: u32) -> Exec<()> {
        let current = self.current;
        let monitor = self.monitors.entry(object).or_default();
        if monitor.owner.is_some_and(|owner| owner != current) {
            self.thread().state = ThreadState::Monitor(object);
            return Err(Raise::Block);
        }
        monitor.owner = Some(current);
        monitor.depth += times;
        let depth = monitor.depth;
        let site = self.site();
        self.observer.monitor_enter(current, site, object, depth);
        Ok(())
    }

    /// Gives a monitor up once.
    pub fn monitor_exit(&mut self, object: ObjRef) -> Exec<()> {
        self.check_owner(object)?;
        self.give_up(object, 1);
        Ok(())
    }

    fn give_up(&mut self, object: ObjRef, times: u32) {
        let monitor = self.monitors.entry(object).or_default();
        monitor.depth -= times;
        let depth = monitor.depth;
        if depth == 0 {
            monitor.owner = None;
            for thread in self.threads.iter_mut() {
                if thread.state == ThreadState::Monitor(object) {
                    thread.state = ThreadState::Runnable;
                }
            }
        }
        let site = self.site();
        self.observer.monitor_exit(self.current, site, object, depth);
    }

    pub fn holds_monitor(&self, object: ObjRef) -> bool {
        self.monitors.get(&object).is_some_and(|monitor| monitor.owner == Some(self.current))
    }

    fn check_owner(&self, object: ObjRef) -> Exec<()> {
        if self.holds_monitor(object) {
            return Ok(());
        }
        Err(Raise::new("java/lang/IllegalMonitorStateException", "current thread is not owner"))
    }

    /// `Object.wait`: called once to begin, and again when the thread was woken.
    pub fn monitor_wait(&mut self, object: ObjRef, millis: i64) -> Exec<()> {
        if let Some(Pending::Wait { object, depth, interrupted }) = self.thread().pending {
            self.take_monitor(object, depth)?;
            self.thread().pending = None;
            if interrupted {
                self.clear_interrupted()?;
                return Err(Raise::New("java/lang/InterruptedException", None));
            }
            return Ok(());
        }
        self.check_owner(object)?;
        if self.is_interrupted(self.current)? {
            self.clear_interrupted()?;
            return Err(Raise::New("java/lang/InterruptedException", None));
        }
        let until = (millis > 0).then(|| self.scheduler.now().saturating_add(millis as u64 * 1_000_000));
        let depth = self.monitors.get(&object).map_or(1, |monitor| monitor.depth);
        self.give_up(object, depth);
        let current = self.current;
        self.monitors.entry(object).or_default().waiters.push(current);
        let thread = self.thread();
        thread.pending = Some(Pending::Wait { object, depth, interrupted: false });
        thread.state = ThreadState::Waiting { on: object, until };
        Err(Raise::Block)
    }

    /// `Object.notify` and `notifyAll`. Which thread `notify` wakes is up to the seed.
    pub fn monitor_notify(&mut self, object: ObjRef, all: bool) -> Exec<()> {
        self.check_owner(object)?;
        let waiters = self.monitors.get(&object).map_or(Vec::new(), |monitor| monitor.waiters.clone());
        let chosen = if all || waiters.is_empty() {
            waiters
        } else {
            vec![waiters[self.scheduler.below(waiters.len())]]
        };
        let site = self.site();
        for waiter in chosen {
            self.wake(waiter);
            self.observer.notify(self.current, site, object, waiter);
        }
        Ok(())
    }

    /// The interrupted status, which `java.lang.Thread` keeps in a field.
    pub fn is_interrupted(&self, thread: ThreadId) -> Exec<bool> {
        match self.threads[thread].object {
            Some(object) => Ok(self.field_named(object, "interrupted")?.int() != 0),
            None => Ok(false),
        }
    }

    /// The current thread has noticed that it was interrupted, which comes after who interrupted it.
    pub fn clear_interrupted(&mut self) -> Exec<()> {
        let Some(object) = self.thread().object else { return Ok(()) };
        let (field, _) = self.slot_named(self.class_of(object), "interrupted")?;
        self.observe(Place::Field(object, field), Value::Int(1), false, true);
        self.set_field_named(object, "interrupted", Value::Int(0))
    }
}
