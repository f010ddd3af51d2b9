//! Threads and their frames.

use std::rc::Rc;

use selvedge_ir::{Block, Inst};

use crate::class::RtClassId;
use crate::method::{Code, RtMethodId};
use crate::value::{ObjRef, Value};

/// A thread of the running program.
pub(crate) struct Thread<'p> {
    /// Its `java.lang.Thread`.
    pub object: Option<ObjRef>,
    pub is_daemon: bool,
    pub state: ThreadState,
    pub phase: Phase,
    pub frames: Vec<Frame<'p>>,
    /// The SSA values of all frames.
    pub stack: Vec<Value>,
    /// What a blocking native was doing when its instruction is run again.
    pub pending: Option<Pending>,
    /// `LockSupport`'s permit.
    pub permit: bool,
    /// A `StackOverflowError` is being constructed: its constructor may go beyond the limit.
    pub overflowing: bool,
    /// What the last frame returned.
    pub result: Option<Value>,
}

impl Thread<'_> {
    pub fn new(object: Option<ObjRef>, phase: Phase) -> Self {
        Self {
            object,
            is_daemon: false,
            state: ThreadState::Runnable,
            phase,
            frames: Vec::new(),
            stack: Vec::new(),
            pending: None,
            permit: false,
            overflowing: false,
            result: None,
        }
    }
}

/// Whether a thread can go on, or what for it waits. Times are nanoseconds of the machine's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadState {
    Runnable,
    /// For a monitor to become free.
    Monitor(ObjRef),
    /// For another thread to initialise a class.
    Init(RtClassId),
    /// In `Object.wait`.
    Waiting {
        on: ObjRef,
        until: Option<u64>,
    },
    Sleeping {
        until: u64,
    },
    Parked {
        until: Option<u64>,
    },
    /// The main thread, at its end, for the other non-daemon threads.
    Others,
    Ended,
}

/// Where a thread is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Starting the machine up.
    Boot,
    /// `main(String[])`.
    Main,
    /// `Thread.run()`.
    Run,
    /// `Thread.dispatchUncaughtException`, and then the end.
    Uncaught,
    /// `Thread.exit()`.
    Exit,
    /// About to shut down.
    Stopping,
    /// `Shutdown.shutdown()`: the hooks.
    Shutdown,
}

/// A blocking native whose instruction will be run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pending {
    /// `Object.wait` gave up a monitor that was held `depth` times and must take it again.
    Wait {
        object: ObjRef,
        depth: u32,
        interrupted: bool,
    },
    Sleep {
        interrupted: bool,
    },
    Park,
}

/// An activation of a method.
pub(crate) struct Frame<'p> {
    pub method: RtMethodId,
    pub code: Rc<Code<'p>>,
    /// Where its values start in [`Thread::stack`].
    pub base: usize,
    pub block: Block,
    /// The instruction that runs, or runs next. During a call it is that of the call.
    pub at: Inst,
    /// The exception that entered the current handler.
    pub caught: Option<ObjRef>,
    /// What a synchronized method locked.
    pub lock: Option<ObjRef>,
    pub kind: FrameKind,
}

/// What happens when a frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    /// The caller's instruction gets the result and is done.
    Call,
    /// The bottom of the stack.
    Root,
    /// A class initialiser: the class is initialised, the caller's instruction is run again. Before it is
    /// `started`, superclass and superinterfaces are taken care of.
    Init { class: RtClassId, started: bool },
    /// The constructor of an exception that the machine throws: now it is thrown in the caller.
    Throwing(ObjRef),
}
