//! Threads.

use super::{Row, boolean, value, void};
use crate::exec::not_null;
use crate::machine::{Exec, Machine, Raise};
use crate::observer::ThreadId;
use crate::thread::{Pending, Phase, Thread, ThreadState};
use crate::value::{ObjRef, Value};

const THREAD: &str = "java/lang/Thread";

/// `Thread.threadStatus` of a live and of an ended thread, as JVMTI defines them.
pub(crate) const STATUS_ALIVE: i32 = 0x0005;
pub(crate) const STATUS_ENDED: i32 = 0x0002;

pub(crate) const ROWS: &[Row] = &[
    (THREAD, "currentThread", "", |machine, _| value(Value::Ref(machine.thread().object))),
    (THREAD, "yield", "", |machine, _| {
        machine.quantum = 0;
        void()
    }),
    (THREAD, "onSpinWait", "", |machine, _| {
        machine.quantum = 0;
        void()
    }),
    (THREAD, "sleep", "(J)V", |machine, args| {
        sleep(machine, args[0].long())?;
        void()
    }),
    (THREAD, "start0", "", |machine, args| {
        start(machine, not_null(args[0])?)?;
        void()
    }),
    (THREAD, "holdsLock", "", |machine, args| boolean(machine.holds_monitor(not_null(args[0])?))),
    (THREAD, "isAlive", "", |machine, args| {
        let object = not_null(args[0])?;
        let Some(id) = machine.thread_of(object) else { return boolean(false) };
        let ended = machine.threads[id].state == ThreadState::Ended;
        if ended {
            let site = machine.site();
            machine.observer.thread_join(machine.current, site, id);
        }
        boolean(!ended)
    }),
    (THREAD, "setPriority0", "", |_, _| void()),
    (THREAD, "setNativeName", "", |_, _| void()),
    (THREAD, "clearInterruptEvent", "", |_, _| void()),
    (THREAD, "interrupt0", "", |machine, args| {
        if let Some(id) = machine.thread_of(not_null(args[0])?) {
            machine.wake_interrupted(id);
        }
        void()
    }),
];

impl Machine<'_> {
    /// The thread of a `java.lang.Thread` that was started.
    pub fn thread_of(&self, object: ObjRef) -> Option<ThreadId> {
        self.thread_ids().find(|&id| self.threads[id].object == Some(object))
    }

    /// A thread's last frame has returned: what comes next in its life. The program's exit status, if it ends.
    pub fn next_phase(&mut self) -> Result<Option<i32>, crate::machine::Failure> {
        match self.advance_phase() {
            Ok(()) | Err(Raise::Block) => Ok(None),
            Err(Raise::Exit(status)) => Ok(Some(status)),
            Err(Raise::Fatal(message)) => Err(self.failure(message)),
            Err(other) => Err(self.failure(format!("a thread could not end: {other:?}"))),
        }
    }

    fn advance_phase(&mut self) -> Exec<()> {
        use crate::thread::FrameKind::Root;
        let is_main = self.current == ThreadId::new(0);
        let object = self.thread().object;
        match (self.thread().phase, object) {
            (Phase::Main | Phase::Uncaught, _) if is_main => {
                self.thread().state = ThreadState::Others;
                self.release_main_if_last();
            }
            (Phase::Stopping, _) => {
                self.thread().phase = Phase::Shutdown;
                let method = self.method_named("java/lang/Shutdown", "shutdown", "()V")?;
                let class = self.methods[method].class;
                self.invoke(method, Vec::new(), Root)?;
                match self.initialize(class) {
                    Err(Raise::Again) => {}
                    other => return other,
                }
            }
            (Phase::Shutdown, _) => return Err(Raise::Exit(self.main_failed.into())),
            (Phase::Run | Phase::Uncaught, Some(object)) => {
                self.thread().phase = Phase::Exit;
                let method = self.method_named(THREAD, "exit", "()V")?;
                self.invoke(method, vec![object.into()], Root)?;
            }
            (_, Some(object)) => {
                // Whoever joins waits on the thread object, having looked whether it is alive under its lock.
                self.monitor_enter(object)?;
                self.set_field_named(object, "eetop", Value::Long(0))?;
                self.set_field_named(object, "threadStatus", Value::Int(STATUS_ENDED))?;
                self.monitor_notify(object, true)?;
                self.monitor_exit(object)?;
                self.thread().state = ThreadState::Ended;
                self.observer.thread_end(self.current);
            }
            (_, None) => self.thread().state = ThreadState::Ended,
        }
        Ok(())
    }
}

fn start(machine: &mut Machine<'_>, object: ObjRef) -> Exec<()> {
    let run = machine.method_named(THREAD, "run", "()V")?;
    let run = machine.methods[run].origin.ok_or_else(|| Raise::fatal("Thread.run is not declared"))?;
    let target = machine.select(machine.class_of(object), run)?;
    machine.set_field_named(object, "eetop", Value::Long(1))?;
    machine.set_field_named(object, "threadStatus", Value::Int(STATUS_ALIVE))?;
    let mut thread = Thread::new(Some(object), Phase::Run);
    thread.is_daemon = machine.field_named(object, "daemon")?.int() != 0;
    let site = machine.site();
    let child = machine.threads.push(thread);
    let parent = std::mem::replace(&mut machine.current, child);
    machine.observer.thread_start(parent, site, child, object);
    let started = machine.start_root(target, vec![object.into()]);
    machine.current = parent;
    started.map_err(|failure| Raise::Fatal(failure.message))
}

fn sleep(machine: &mut Machine<'_>, millis: i64) -> Exec<()> {
    if millis < 0 {
        return Err(Raise::new("java/lang/IllegalArgumentException", "timeout value is negative"));
    }
    let interrupted = match machine.thread().pending.take() {
        Some(Pending::Sleep { interrupted: false }) => return Ok(()),
        Some(_) => true,
        None => machine.is_interrupted(machine.current)?,
    };
    if interrupted {
        machine.clear_interrupted()?;
        return Err(Raise::new("java/lang/InterruptedException", "sleep interrupted"));
    }
    let until = machine.scheduler.now().saturating_add(millis as u64 * 1_000_000);
    let thread = machine.thread();
    thread.pending = Some(Pending::Sleep { interrupted: false });
    thread.state = ThreadState::Sleeping { until };
    Err(Raise::Block)
}
