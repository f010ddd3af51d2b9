//! The machine: everything that makes up a running program, and the loop that runs it.

use selvedge_base::{FastMap, Id, IdVec, Symbol};
use selvedge_ir::ClassName;
use selvedge_world::{FieldId, MethodId, Program};

use crate::class::{RtClass, RtClassId};
use crate::heap::{Heap, Payload};
use crate::method::{RtMethod, RtMethodId};
use crate::monitor::Monitor;
use crate::natives::handles::VarHandle;
use crate::natives::invocation::DirectHandle;
use crate::observer::{Observer, Site, ThreadId};
use crate::scheduler::Scheduler;
use crate::thread::{Phase, Thread};
use crate::value::{ObjRef, Value};

/// Why the machine cannot go on: something it does not model, or a limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What, in a sentence.
    pub message: String,
    /// Where the current thread was, innermost frame first.
    pub trace: Vec<String>,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        self.trace.iter().try_for_each(|frame| write!(f, "\n    at {frame}"))
    }
}

impl std::error::Error for Failure {}

/// Why an instruction does not complete.
#[derive(Debug)]
pub(crate) enum Raise {
    /// It throws this object.
    Object(ObjRef),
    /// It throws a new exception of this class, with this message.
    New(&'static str, Option<String>),
    /// A frame was pushed that must return first; then the instruction runs again.
    Again,
    /// The thread's state says what it waits for; then the instruction runs again.
    Block,
    /// The program ends with this status.
    Exit(i32),
    /// The machine cannot do it.
    Fatal(String),
}

impl Raise {
    pub fn new(class: &'static str, message: impl Into<String>) -> Self {
        Raise::New(class, Some(message.into()))
    }

    pub fn fatal(message: impl Into<String>) -> Self {
        Raise::Fatal(message.into())
    }

    pub fn null_pointer() -> Self {
        Raise::New("java/lang/NullPointerException", None)
    }
}

/// The result of something that may not complete.
pub(crate) type Exec<T> = Result<T, Raise>;

/// Limits and settings of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Decides the schedule: the same seed gives the same run.
    pub seed: u64,
    /// How many instructions may be run before the machine gives up.
    pub max_instructions: u64,
    /// How much the heap may hold, in cells of about 16 bytes.
    pub max_cells: usize,
    /// How many frames a thread may have before it gets a `StackOverflowError`.
    pub max_frames: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, max_instructions: 400_000_000, max_cells: 64_000_000, max_frames: 6_000 }
    }
}

/// Classes and slots that the machine itself needs often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Always the first class.
    pub object: RtClassId,
    pub string_value: usize,
    pub string_coder: usize,
}

/// A running program.
pub(crate) struct Machine<'p> {
    pub program: &'p Program,
    pub options: Options,
    pub observer: &'p mut dyn Observer,
    /// Whether accesses are worth telling the observer; finding their sites costs time.
    pub observes_accesses: bool,
    pub observes_values: bool,
    pub heap: Heap,
    pub classes: IdVec<RtClassId, RtClass>,
    pub classes_by_name: FastMap<ClassName, RtClassId>,
    pub methods: IdVec<RtMethodId, RtMethod<'p>>,
    pub method_of: IdVec<MethodId, Option<RtMethodId>>,
    /// Slot of each field of a loaded class: in the instance or in the class's statics.
    pub field_slots: IdVec<FieldId, u32>,
    pub threads: IdVec<ThreadId, Thread<'p>>,
    /// The thread that runs.
    pub current: ThreadId,
    pub scheduler: Scheduler,
    /// How many instructions the running thread's turn still has.
    pub quantum: u64,
    pub monitors: FastMap<ObjRef, Monitor>,
    /// Interned strings by content.
    pub interned: FastMap<Vec<u16>, ObjRef>,
    pub literals: FastMap<Symbol, ObjRef>,
    pub identity_hashes: FastMap<ObjRef, i32>,
    /// The frames recorded by `Throwable.fillInStackTrace`: method and bytecode index, innermost first.
    pub backtraces: FastMap<ObjRef, Vec<(RtMethodId, u32)>>,
    pub var_handles: FastMap<ObjRef, VarHandle>,
    pub method_handles: FastMap<ObjRef, DirectHandle>,
    /// Generated adapters of reflective calls, and of method handles by the call's descriptor.
    pub reflective_adapters: FastMap<MethodId, RtMethodId>,
    pub handle_adapters: FastMap<(DirectHandle, Symbol), RtMethodId>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub known: Known,
    /// Whether an exception left `main`.
    pub main_failed: bool,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, options: Options, observer: &'p mut dyn Observer) -> Self {
        let mut machine = Self {
            scheduler: Scheduler::new(options.seed),
            program,
            options,
            observes_accesses: observer.wants_accesses(),
            observes_values: observer.wants_values(),
            observer,
            quantum: 0,
            heap: Heap::default(),
            classes: IdVec::new(),
            classes_by_name: FastMap::default(),
            methods: IdVec::new(),
            method_of: IdVec::filled(None, program.methods.len()),
            field_slots: IdVec::filled(0, program.fields.len()),
            threads: IdVec::new(),
            current: ThreadId::new(0),
            monitors: FastMap::default(),
            interned: FastMap::default(),
            literals: FastMap::default(),
            identity_hashes: FastMap::default(),
            backtraces: FastMap::default(),
            var_handles: FastMap::default(),
            method_handles: FastMap::default(),
            reflective_adapters: FastMap::default(),
            handle_adapters: FastMap::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            known: Known { object: RtClassId::new(0), string_value: 0, string_coder: 0 },
            main_failed: false,
        };
        machine.current = machine.threads.push(Thread::new(None, Phase::Boot));
        machine
    }

    /// The thread that runs.
    pub fn thread(&mut self) -> &mut Thread<'p> {
        let current = self.current;
        &mut self.threads[current]
    }

    /// A fresh instance with zeroed fields.
    pub fn new_instance(&mut self, class: RtClassId) -> Exec<ObjRef> {
        let payload = Payload::Fields(self.classes[class].template.clone());
        self.allocate(class, payload)
    }

    /// A fresh array of an array class.
    pub fn new_array(&mut self, class: RtClassId, length: usize) -> Exec<ObjRef> {
        if self.heap.cells.saturating_add(length / 2) > self.options.max_cells {
            return Err(Raise::new("java/lang/OutOfMemoryError", "Java heap space"));
        }
        let element = crate::class::element_of(self.classes[class].name);
        self.allocate(class, Payload::array(element, length))
    }

    pub fn allocate(&mut self, class: RtClassId, payload: Payload) -> Exec<ObjRef> {
        if self.heap.cells > self.options.max_cells {
            return Err(Raise::fatal("the program allocates more than the machine's limit"));
        }
        let object = self.heap.allocate(class, payload);
        let (site, name) = (self.site(), self.classes[class].name);
        self.observer.allocation(self.current, site, object, name);
        Ok(object)
    }

    /// The instruction that runs: of the innermost frame that has a declaration.
    pub fn site(&self) -> Option<Site> {
        let frames = &self.threads[self.current].frames;
        frames.iter().rev().find_map(|frame| {
            let method = self.methods[frame.method].origin?;
            Some(Site { method, bci: frame.code.body.insts[frame.at].bci })
        })
    }

    /// Describes the frames of the running thread, innermost first.
    pub fn trace(&self) -> Vec<String> {
        let frames = self.threads.get(self.current).map_or(&[][..], |thread| &thread.frames);
        let describe = |frame: &crate::thread::Frame<'_>| {
            let method = &self.methods[frame.method];
            let body = &frame.code.body;
            let bci = body.insts.get(frame.at).map_or(0, |inst| inst.bci);
            let line = body.line(bci).map_or(String::new(), |line| format!(" line {line}"));
            format!("{}.{}{} @{bci}{line}", self.classes[method.class].name, method.name, method.descriptor)
        };
        frames.iter().rev().take(40).map(describe).collect()
    }

    /// Describes what each thread that has not ended is doing.
    pub fn describe_threads(&mut self) -> Vec<String> {
        let mut descriptions = Vec::new();
        for id in self.thread_ids() {
            self.current = id;
            if self.threads[id].state != crate::thread::ThreadState::Ended {
                let trace = self.trace().join("\n    at ");
                descriptions.push(format!("{id} {:?}\n    at {trace}", self.threads[id].state));
            }
        }
        descriptions
    }

    pub fn failure(&self, message: impl Into<String>) -> Failure {
        Failure { message: message.into(), trace: self.trace() }
    }

    /// Runs a method of the boot thread to its end, for starting up.
    pub fn call_to_completion(
        &mut self,
        method: RtMethodId,
        args: &[Value],
    ) -> Result<Option<Value>, Failure> {
        let depth = self.thread().frames.len();
        if depth != 0 {
            return Err(self.failure("the machine calls the library only from outside of it"));
        }
        self.start_root(method, args.to_vec())?;
        while !self.thread().frames.is_empty() {
            self.run_slice(10_000)?;
        }
        match self.thread().phase {
            Phase::Boot => Ok(self.thread().result),
            _ => Err(self.failure("starting up the library failed with an exception")),
        }
    }

    /// Identity hash codes count up, so that they are the same in every run with the same seed.
    pub fn identity_hash(&mut self, object: ObjRef) -> i32 {
        let next = (self.identity_hashes.len() as i32 + 1).wrapping_mul(0x2c9_277b5) & 0x7fff_ffff;
        *self.identity_hashes.entry(object).or_insert(next)
    }

    /// How many threads there are.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len()).map(ThreadId::from_index)
    }
}
