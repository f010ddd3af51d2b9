//! Calls, returns, class initialisation, and exceptions leaving frames.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_ir::{Block, Body, EdgeKind, Inst, Op, Value as SsaValue};

use crate::class::{ClassKind, InitState, RtClassId};
use crate::machine::{Exec, Failure, Machine, Raise};
use crate::method::{BodyRef, Code, MethodCode, RtMethodId};
use crate::natives::NativeReturn;
use crate::thread::{Frame, FrameKind, Phase, ThreadState};
use crate::value::{ObjRef, Value};

/// What calling a method came to.
pub(crate) enum Called {
    /// A frame was pushed; its return completes the calling instruction.
    Pushed,
    /// A native has already returned.
    Returned(Option<Value>),
}

/// Frames that a thread may have beyond its limit while it constructs a `StackOverflowError`.
const OVERFLOW_RESERVE: usize = 100;

impl<'p> Machine<'p> {
    /// Calls a method. Nothing has happened if this raises [`Raise::Again`] or [`Raise::Block`].
    pub fn invoke(&mut self, mut method: RtMethodId, mut args: Vec<Value>, kind: FrameKind) -> Exec<Called> {
        loop {
            match self.code(method)? {
                MethodCode::Ir(code) => {
                    self.push_frame(method, code, &args, kind)?;
                    return Ok(Called::Pushed);
                }
                MethodCode::Native(native) => {
                    let lock = self.lock_of(method, &args)?;
                    if let Some(lock) = lock {
                        self.monitor_enter(lock)?;
                    }
                    let result = native(self, &args);
                    if let Some(lock) = lock {
                        self.monitor_exit(lock)?;
                    }
                    match result? {
                        NativeReturn::Value(value) => {
                            self.observe_call(method, kind);
                            if let Some(origin) = self.methods[method].origin {
                                self.observer.leave(self.current, origin);
                            }
                            return Ok(Called::Returned(value));
                        }
                        NativeReturn::TailCall(next, next_args) => (method, args) = (next, next_args),
                    }
                }
                MethodCode::Unlinked => return Err(Raise::fatal("a method was not linked before its call")),
            }
        }
    }

    fn observe_call(&mut self, method: RtMethodId, kind: FrameKind) {
        if let Some(origin) = self.methods[method].origin {
            let site = if kind == FrameKind::Call { self.site() } else { None };
            self.observer.call(self.current, site, origin);
        }
    }

    /// What a synchronized method locks.
    fn lock_of(&mut self, method: RtMethodId, args: &[Value]) -> Exec<Option<ObjRef>> {
        let data = &self.methods[method];
        if !data.is_synchronized {
            return Ok(None);
        }
        if data.is_static {
            let class = data.class;
            return self.mirror(class).map(Some);
        }
        Ok(args.first().and_then(|receiver| receiver.reference()))
    }

    pub fn push_frame(
        &mut self,
        method: RtMethodId,
        code: Rc<Code<'p>>,
        args: &[Value],
        kind: FrameKind,
    ) -> Exec<()> {
        let thread = &self.threads[self.current];
        let reserve = if thread.overflowing { OVERFLOW_RESERVE } else { 0 };
        if thread.frames.len() >= self.options.max_frames + reserve && kind == FrameKind::Call {
            return Err(Raise::New("java/lang/StackOverflowError", None));
        }
        if code.body.parameters.len() != args.len() {
            let name = self.methods[method].name;
            return Err(Raise::fatal(format!(
                "{name} is called with {} arguments but takes {}",
                args.len(),
                code.body.parameters.len()
            )));
        }
        let lock = self.lock_of(method, args)?;
        if let Some(lock) = lock {
            self.monitor_enter(lock)?;
        }
        self.observe_call(method, kind);
        let thread = self.thread();
        let base = thread.stack.len();
        thread.stack.resize(base + code.body.values.len(), Value::NULL);
        for (&parameter, &arg) in code.body.parameters.iter().zip(args) {
            thread.stack[base + parameter.index()] = arg;
        }
        let at = code.body.blocks[Body::ENTRY].insts.first().unwrap_or(Inst::new(0));
        let parameters = Rc::clone(&code);
        thread.frames.push(Frame { method, code, base, block: Body::ENTRY, at, caught: None, lock, kind });
        for (&parameter, &arg) in parameters.body.parameters.iter().zip(args) {
            self.observe_value(parameter, arg);
        }
        Ok(())
    }

    /// Starts a thread's (next) root frame.
    pub fn start_root(&mut self, method: RtMethodId, args: Vec<Value>) -> Result<(), Failure> {
        match self.invoke(method, args, FrameKind::Root) {
            Ok(Called::Pushed) | Err(Raise::Again) => Ok(()),
            Ok(Called::Returned(value)) => {
                self.thread().result = value;
                Ok(())
            }
            Err(Raise::Fatal(message)) => Err(self.failure(message)),
            Err(other) => Err(self.failure(format!("a thread could not be started: {other:?}"))),
        }
    }

    /// Makes sure that a class is initialised, or that the running thread is doing it.
    pub fn initialize(&mut self, class: RtClassId) -> Exec<()> {
        match self.classes[class].init {
            InitState::Done => Ok(()),
            InitState::Running(thread) if thread == self.current => Ok(()),
            InitState::Running(_) => {
                self.thread().state = ThreadState::Init(class);
                Err(Raise::Block)
            }
            InitState::Failed => {
                let name = java_name(self.classes[class].name);
                Err(Raise::new(
                    "java/lang/NoClassDefFoundError",
                    format!("Could not initialize class {name}"),
                ))
            }
            InitState::Untouched => {
                self.push_initializer(class)?;
                Err(Raise::Again)
            }
        }
    }

    fn push_initializer(&mut self, class: RtClassId) -> Exec<()> {
        let declared = self.declared(class);
        let (name, descriptor) = ("<clinit>".into(), "()V".into());
        let (method, code) = match self.program.declared_method(declared, name, descriptor) {
            Some(id) => {
                let method = self.method(id)?;
                match self.code(method)? {
                    MethodCode::Ir(code) => (method, code),
                    _ => return Err(Raise::fatal("a class initialiser is native")),
                }
            }
            None => {
                let body = crate::synth::empty_body();
                let method = self.add_generated(class, "<no clinit>", body);
                match self.code(method)? {
                    MethodCode::Ir(code) => (method, code),
                    _ => return Err(Raise::fatal("generated code is native")),
                }
            }
        };
        self.classes[class].init = InitState::Running(self.current);
        self.push_frame(method, code, &[], FrameKind::Init { class, started: false })
    }

    /// Before a class initialiser starts: superclass, then superinterfaces with default methods, in order.
    pub fn initialize_ancestors(&mut self, class: RtClassId) -> Exec<()> {
        let ClassKind::Declared(id) = self.classes[class].kind else { return Ok(()) };
        if self.program.classes[id].is_interface() {
            return Ok(());
        }
        if let Some(superclass) = self.classes[class].superclass {
            self.initialize(superclass)?;
        }
        let mut interfaces = Vec::new();
        self.collect_interfaces(id, &mut interfaces);
        for interface in interfaces {
            if self.has_default_methods(interface) {
                let interface = self.load_declared(interface)?;
                self.initialize(interface)?;
            }
        }
        Ok(())
    }

    /// Superinterfaces in the order of initialisation: an interface after those it extends.
    fn collect_interfaces(&self, class: selvedge_world::ClassId, found: &mut Vec<selvedge_world::ClassId>) {
        for &interface in &self.program.classes[class].interfaces {
            if !found.contains(&interface) {
                self.collect_interfaces(interface, found);
                found.push(interface);
            }
        }
    }

    fn finish_initializer(&mut self, class: RtClassId, state: InitState) {
        self.classes[class].init = state;
        for thread in self.threads.iter_mut() {
            if thread.state == ThreadState::Init(class) {
                thread.state = ThreadState::Runnable;
            }
        }
        if state == InitState::Done {
            let name = self.classes[class].name;
            self.observer.class_initialized(self.current, name);
        }
    }

    /// Removes the innermost frame, with its lock.
    fn pop_frame(&mut self) -> Exec<Option<Frame<'p>>> {
        let Some(lock) = self.thread().frames.last().map(|frame| frame.lock) else { return Ok(None) };
        let released = match lock {
            Some(lock) => self.monitor_exit(lock),
            None => Ok(()),
        };
        let thread = self.thread();
        let Some(frame) = thread.frames.pop() else { return Ok(None) };
        thread.stack.truncate(frame.base);
        if let Some(origin) = self.methods[frame.method].origin {
            self.observer.leave(self.current, origin);
        }
        released.map(|()| Some(frame))
    }

    /// Returns from the innermost frame.
    pub fn return_from_frame(&mut self, result: Option<Value>) -> Exec<()> {
        let Some(frame) = self.pop_frame()? else { return Ok(()) };
        match frame.kind {
            FrameKind::Call => self.complete_call(result),
            FrameKind::Root => self.thread().result = result,
            FrameKind::Init { class, .. } => self.finish_initializer(class, InitState::Done),
            FrameKind::Throwing(exception) => {
                self.thread().overflowing = false;
                return Err(Raise::Object(exception));
            }
        }
        Ok(())
    }

    /// Gives the innermost frame's current instruction its result and moves on to the next one.
    pub fn complete_call(&mut self, result: Option<Value>) {
        let thread = self.thread();
        let Some(frame) = thread.frames.last_mut() else { return };
        if let (Some(target), Some(value)) = (frame.code.body.insts[frame.at].result, result) {
            thread.stack[frame.base + target.index()] = value;
            frame.at = Inst::new(frame.at.number() + 1);
            self.observe_value(target, value);
            return;
        }
        frame.at = Inst::new(frame.at.number() + 1);
    }

    /// Pushes the constructor of an exception that the machine throws.
    pub fn construct_exception(&mut self, name: &'static str, message: Option<String>) -> Exec<()> {
        if name == "java/lang/StackOverflowError" {
            self.thread().overflowing = true;
        }
        let class = self.load_str(name)?;
        let exception = self.new_instance(class)?;
        let (method, args) = match message {
            Some(text) => {
                let message = self.new_string(&text)?;
                // A few errors take an Object.
                let descriptor = if name == "java/lang/AssertionError" {
                    "(Ljava/lang/Object;)V"
                } else {
                    "(Ljava/lang/String;)V"
                };
                (self.method_named(name, "<init>", descriptor)?, vec![exception.into(), message.into()])
            }
            None => (self.method_named(name, "<init>", "()V")?, vec![exception.into()]),
        };
        self.invoke(method, args, FrameKind::Throwing(exception))?;
        match self.initialize(class) {
            Err(Raise::Again) => Ok(()),
            other => other,
        }
    }

    /// Throws an exception: finds the handler, leaving frames on the way.
    pub fn unwind(&mut self, exception: ObjRef) -> Exec<()> {
        loop {
            let Some(frame) = self.thread().frames.last() else {
                return self.uncaught(exception);
            };
            let started = !matches!(frame.kind, FrameKind::Init { started: false, .. });
            let (code, block) = (Rc::clone(&frame.code), frame.block);
            if started {
                for unwind in &code.body.blocks[block].unwind {
                    let catches = match unwind.catches {
                        Some(name) => {
                            let class = self.load(name)?;
                            self.is_instance(exception, class)
                        }
                        None => true,
                    };
                    if catches {
                        let site = self.site();
                        self.observer.catch(self.current, site, exception);
                        let current = self.current;
                        if let Some(frame) = self.threads[current].frames.last_mut() {
                            frame.caught = Some(exception);
                        }
                        return self.enter_block(unwind.handler, EdgeKind::Unwind);
                    }
                }
            }
            let popped = match self.pop_frame() {
                Ok(popped) => popped,
                Err(Raise::New(class, message)) => return self.construct_exception(class, message),
                Err(other) => return Err(other),
            };
            match popped.map(|frame| frame.kind) {
                Some(FrameKind::Init { class, started }) => {
                    self.finish_initializer(class, InitState::Failed);
                    let error = self.load_str("java/lang/Error")?;
                    if started && !self.is_instance(exception, error) {
                        return self.construct_initializer_error(exception);
                    }
                }
                Some(FrameKind::Throwing(_)) => self.thread().overflowing = false,
                // An exception out of a constructor of an exception replaces it; the rest is the same for all.
                _ => {}
            }
        }
    }

    fn construct_initializer_error(&mut self, cause: ObjRef) -> Exec<()> {
        let name = "java/lang/ExceptionInInitializerError";
        let class = self.load_str(name)?;
        let error = self.new_instance(class)?;
        let method = self.method_named(name, "<init>", "(Ljava/lang/Throwable;)V")?;
        self.invoke(method, vec![error.into(), cause.into()], FrameKind::Throwing(error))?;
        match self.initialize(class) {
            Err(Raise::Again) => Ok(()),
            other => other,
        }
    }

    /// An exception left the thread's root frame.
    fn uncaught(&mut self, exception: ObjRef) -> Exec<()> {
        let class = self.classes[self.class_of(exception)].name;
        let phase = self.thread().phase;
        match (phase, self.thread().object) {
            (Phase::Main | Phase::Run, Some(object)) => {
                self.main_failed |= phase == Phase::Main;
                let method = self.method_named(
                    "java/lang/Thread",
                    "dispatchUncaughtException",
                    "(Ljava/lang/Throwable;)V",
                )?;
                self.thread().phase = Phase::Uncaught;
                self.invoke(method, vec![object.into(), exception.into()], FrameKind::Root)?;
                Ok(())
            }
            (Phase::Boot, _) => {
                let message = self.field_named(exception, "detailMessage")?.reference();
                let message = message.map_or(String::new(), |message| self.string_text(message));
                let trace = self.backtraces.get(&exception).cloned().unwrap_or_default();
                let at: Vec<String> = trace
                    .iter()
                    .take(12)
                    .map(|(method, bci)| {
                        let data = &self.methods[*method];
                        format!("{}.{} @{bci}", self.classes[data.class].name, data.name)
                    })
                    .collect();
                Err(Raise::fatal(format!("starting up threw {class}: {message} at {}", at.join(" < "))))
            }
            // An exception out of a handler of uncaught exceptions is ignored.
            _ => Ok(()),
        }
    }

    /// Continues the innermost frame at a block: phis take their values for the edge that is taken.
    pub fn enter_block(&mut self, to: Block, kind: EdgeKind) -> Exec<()> {
        let current = self.current;
        let thread = &mut self.threads[current];
        let Some(frame) = thread.frames.last_mut() else { return Ok(()) };
        let body: &BodyRef<'p> = &frame.code.body;
        let target = &body.blocks[to];
        let first = target.insts.first().unwrap_or(Inst::new(0));
        let mut at = first;
        if matches!(body.insts[first].op, Op::Phi) {
            let from = frame.block;
            let edge = target.predecessors.iter().position(|edge| edge.from == from && edge.kind == kind);
            let Some(edge) = edge else {
                return Err(Raise::fatal(format!("{to} has no edge from {from} ({kind:?})")));
            };
            // All phis read before any is written: one may be the argument of another.
            let mut values: [(u32, Value); 8] = [(0, Value::NULL); 8];
            let phis: Vec<Inst> = body.phis(to).collect();
            at = Inst::new(first.number() + phis.len() as u32);
            let argument = |phi: Inst| {
                let argument: SsaValue = body.args(phi)[edge];
                thread.stack[frame.base + argument.index()]
            };
            let result = |phi: Inst| body.insts[phi].result.map_or(0, |value| value.number());
            if phis.len() <= values.len() {
                for (place, &phi) in values.iter_mut().zip(&phis) {
                    *place = (result(phi), argument(phi));
                }
                for &(target, value) in &values[..phis.len()] {
                    thread.stack[frame.base + target as usize] = value;
                }
            } else {
                let all: Vec<(u32, Value)> = phis.iter().map(|&phi| (result(phi), argument(phi))).collect();
                for (target, value) in all {
                    thread.stack[frame.base + target as usize] = value;
                }
            }
        }
        frame.block = to;
        frame.at = at;
        if self.observes_values {
            self.observe_phis(to);
        }
        Ok(())
    }
}

impl Machine<'_> {
    /// Tells the observer what the phis of a block that was just entered hold.
    fn observe_phis(&mut self, block: Block) {
        let thread = &self.threads[self.current];
        let Some(frame) = thread.frames.last() else { return };
        let body = &frame.code.body;
        let results = body.phis(block).filter_map(|phi| body.insts[phi].result);
        let held: Vec<(SsaValue, Value)> =
            results.map(|result| (result, thread.stack[frame.base + result.index()])).collect();
        for (phi, value) in held {
            self.observe_value(phi, value);
        }
    }
}

/// The name as Java programs see it: `java.lang.String`.
pub(crate) fn java_name(name: selvedge_ir::ClassName) -> String {
    name.to_string().replace('/', ".")
}
