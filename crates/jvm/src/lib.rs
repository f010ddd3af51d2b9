//! The functions of the tool interface (JVMTI) and of JNI that the project's agents use, with owned results in place of
//! out-parameters.
//!
//! A [`Jvm`] is the pair of environments that one thread has; it is made anew for each callback or native call. References
//! that it returns belong to that call.

#![allow(unsafe_code)]
// Ids and references are opaque: whoever has one got it from the JVM, in the call in which it is used.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

pub mod callbacks;
mod jni;

use jvmti_bindings::sys::jni::{JNI_OK, JNIEnv, JavaVM, jclass, jint, jmethodID, jobject};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ENABLE, JVMTI_THREAD_STATE_WAITING, JVMTI_VERSION_11, jvmtiCapabilities, jvmtiEnv, jvmtiError,
    jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiLineNumberEntry, jvmtiStackInfo,
    jvmtiThreadGroupInfo, jvmtiThreadInfo,
};
use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::fmt;
use std::ptr;

pub use jvmti_bindings::sys;

/// A frame of a stack: the method's id and the index of its current instruction, -1 in native code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The id of the method.
    pub method: usize,
    /// The index of the instruction.
    pub bci: i32,
}

impl Frame {
    /// A frame as the tool interface reports it.
    pub fn new(info: &jvmtiFrameInfo) -> Frame {
        Frame { method: info.method as usize, bci: i32::try_from(info.location).unwrap_or(-1) }
    }
}

/// A function of the interface that did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The function.
    pub function: &'static str,
    /// The code that it returned.
    pub code: i32,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answers with error {}", self.function, self.code)
    }
}

/// a JVM as seen by one thread.
///
/// What every `SAFETY` comment of this crate builds on:
///
/// 1. `env` is a JVMTI environment that nobody disposes of, so the JVM keeps it and its table of functions until the process ends.
///    JVMTI allows calls from every attached thread.
/// 2. `jni` is the JNI environment of the current thread, or null where only JVMTI is used (while the agent is loaded). A `Jvm` holds raw
///    pointers and is therefore neither `Send` nor `Sync`: it stays with its thread, and with the callback or native method that made it.
/// 3. References that are passed in are null where JNI or JVMTI allows it, global, or local ones that the JVM gave this thread in this
///    callback or native method. Local references live until it returns, unless `forget` deletes them, after which nobody uses them.
/// 4. Memory that JVMTI returns was allocated by it for the caller, holds as many initialised values as it says, and is nobody else's until
///    `Deallocate` takes it back.
pub struct Jvm {
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
}

/// Calls one function of the environment's table and turns its code into a result.
macro_rules! call {
    ($jvm:expr, $function:ident ( $($argument:expr),* )) => {{
        // SAFETY: environment and table are live (1), and an entry of the table is null or a function of the type that the JVMTI
        // specification gives it. The arguments are references (3), numbers, and pointers to values of the caller, which live
        // until the function returns; no function called here keeps them (callbacks and capabilities are copied).
        let code = unsafe {
            (*(*$jvm.env).functions).$function.map(|function| function($jvm.env $(, $argument)*))
        };
        match code {
            Some(jvmtiError::NONE) => Ok(()),
            Some(error) => Err(Problem { function: stringify!($function), code: error.raw() }),
            None => Err(Problem { function: stringify!($function), code: -1 }),
        }
    }};
}

impl Jvm {
    /// A new environment of the JVM.
    ///
    /// # Safety
    /// `vm` is a live invocation interface.
    pub unsafe fn from_invocation_interface(vm: *mut JavaVM) -> Result<Jvm, Problem> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: `vm` is live (caller), so its table is; `GetEnv` writes one pointer to `env`, a local.
        let code = unsafe { ((**vm).GetEnv)(vm, &mut env, JVMTI_VERSION_11) };
        if code != JNI_OK || env.is_null() {
            return Err(Problem { function: "GetEnv", code });
        }
        Ok(Jvm { env: env.cast(), jni: ptr::null_mut() })
    }

    /// The tool environment, for the native methods of other threads.
    pub fn env(&self) -> *mut jvmtiEnv {
        self.env
    }

    /// The environment that a callback was given.
    ///
    /// # Safety
    /// Both pointers are live and `jni` belongs to the current thread.
    pub unsafe fn in_callback(env: *mut jvmtiEnv, jni: *mut JNIEnv) -> Jvm {
        Jvm { env, jni }
    }

    /// Asks for capabilities.
    pub fn add_capabilities(&self, capabilities: &jvmtiCapabilities) -> Result<(), Problem> {
        call!(self, AddCapabilities(capabilities))
    }

    /// Sets the functions that are called for events.
    pub fn set_callbacks(&self, callbacks: &jvmtiEventCallbacks) -> Result<(), Problem> {
        call!(self, SetEventCallbacks(callbacks, size_of::<jvmtiEventCallbacks>() as jint))
    }

    /// Asks for an event from all threads.
    pub fn enable(&self, event: jvmtiEvent) -> Result<(), Problem> {
        call!(self, SetEventNotificationMode(JVMTI_ENABLE, event, ptr::null_mut()))
    }

    /// Asks for capabilities and events: what an agent does when it is loaded. Why it cannot, in words.
    pub fn listen(
        &self,
        capabilities: &jvmtiCapabilities,
        callbacks: &jvmtiEventCallbacks,
        events: &[jvmtiEvent],
    ) -> Result<(), String> {
        let asked = self
            .add_capabilities(capabilities)
            .and_then(|()| self.set_callbacks(callbacks))
            .and_then(|()| events.iter().try_for_each(|event| self.enable(*event)));
        asked.map_err(|problem| format!("the JVM cannot be observed: {problem}"))
    }

    /// The frame `depth` frames below the current one; `None` if the stack ends before it.
    pub fn frame_below(&self, depth: jint) -> Result<Option<Frame>, Problem> {
        let mut frames = [jvmtiFrameInfo { method: ptr::null_mut(), location: 0 }];
        let filled = self.stack_trace(depth, &mut frames)?;
        Ok((filled == 1).then(|| Frame::new(&frames[0])))
    }

    /// Up to `count` frames of the current thread from `depth` on, the newest first; none if the stack is shallower.
    pub fn frames_below(&self, depth: jint, count: usize) -> Result<Vec<Frame>, Problem> {
        let mut frames = vec![jvmtiFrameInfo { method: ptr::null_mut(), location: 0 }; count];
        let filled = self.stack_trace(depth, &mut frames)?;
        Ok(frames[..filled].iter().map(Frame::new).collect())
    }

    /// The stacks of all threads, or of those that do not wait for something; up to `count` frames of each, the newest first.
    pub fn stacks(&self, count: jint, waiting: bool) -> Result<Vec<Vec<Frame>>, Problem> {
        let (mut threads, mut stacks): (jint, *mut jvmtiStackInfo) = (0, ptr::null_mut());
        call!(self, GetAllStackTraces(count, &mut stacks, &mut threads))?;
        if stacks.is_null() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        // SAFETY: not null, so it is an array of `threads` stacks (4), freed below and not before.
        for stack in unsafe { std::slice::from_raw_parts(stacks, threads.max(0) as usize) } {
            self.forget(stack.thread);
            let is_wanted = waiting || stack.state & JVMTI_THREAD_STATE_WAITING == 0;
            if is_wanted && !stack.frame_buffer.is_null() {
                // SAFETY: not null, so `frame_count` frames were written there; they are part of the allocation of the stacks (JVMTI
                // specification of `GetAllStackTraces`), which is freed after the loop.
                let frames = unsafe {
                    std::slice::from_raw_parts(stack.frame_buffer, stack.frame_count.max(0) as usize)
                };
                found.push(frames.iter().map(Frame::new).collect());
            }
        }
        self.free(stacks.cast());
        Ok(found)
    }

    /// Up to `count` frames of a thread, the newest first; none of one that has not started or has ended.
    pub fn stack_of(&self, thread: jobject, count: usize) -> Result<Vec<Frame>, Problem> {
        let mut frames = vec![jvmtiFrameInfo { method: ptr::null_mut(), location: 0 }; count];
        let mut filled: jint = 0;
        call!(self, GetStackTrace(thread, 0, frames.len() as jint, frames.as_mut_ptr(), &mut filled))?;
        Ok(frames[..filled.clamp(0, count as jint) as usize].iter().map(Frame::new).collect())
    }

    /// The monitor that a thread waits to enter, or waits on; null if it does neither.
    pub fn contended_monitor(&self, thread: jobject) -> Result<jobject, Problem> {
        let mut monitor: jobject = ptr::null_mut();
        call!(self, GetCurrentContendedMonitor(thread, &mut monitor))?;
        Ok(monitor)
    }

    /// The monitors that a thread holds.
    pub fn owned_monitors(&self, thread: jobject) -> Result<Vec<jobject>, Problem> {
        let (mut count, mut monitors): (jint, *mut jobject) = (0, ptr::null_mut());
        call!(self, GetOwnedMonitorInfo(thread, &mut count, &mut monitors))?;
        Ok(self.take(monitors, count))
    }

    /// An object that was tagged with a number, if it still lives.
    pub fn object_with_tag(&self, tag: i64) -> Result<Option<jobject>, Problem> {
        let (mut count, mut objects): (jint, *mut jobject) = (0, ptr::null_mut());
        call!(self, GetObjectsWithTags(1, &tag, &mut count, &mut objects, ptr::null_mut()))?;
        let found = self.take(objects, count);
        let (first, others) =
            found.split_first().map_or((None, &[][..]), |(first, others)| (Some(*first), others));
        others.iter().for_each(|other| self.forget(*other));
        Ok(first)
    }

    fn stack_trace(&self, depth: jint, frames: &mut [jvmtiFrameInfo]) -> Result<usize, Problem> {
        let mut filled: jint = 0;
        let result = call!(
            self,
            GetStackTrace(ptr::null_mut(), depth, frames.len() as jint, frames.as_mut_ptr(), &mut filled)
        );
        match result {
            // A start below the last frame is an illegal argument: there is no such frame.
            Err(problem) if problem.code == jvmtiError::ILLEGAL_ARGUMENT.raw() => Ok(0),
            Err(problem) => Err(problem),
            Ok(()) => Ok(filled.clamp(0, frames.len() as jint) as usize),
        }
    }

    /// A method's name and descriptor.
    pub fn method_name(&self, method: jmethodID) -> Result<(String, String), Problem> {
        let (mut name, mut descriptor) = (ptr::null_mut(), ptr::null_mut());
        call!(self, GetMethodName(method, &mut name, &mut descriptor, ptr::null_mut()))?;
        Ok((self.take_string(name), self.take_string(descriptor)))
    }

    /// The class that declares a method.
    pub fn declaring_class(&self, method: jmethodID) -> Result<jclass, Problem> {
        let mut class = ptr::null_mut();
        call!(self, GetMethodDeclaringClass(method, &mut class))?;
        Ok(class)
    }

    /// A class's internal name; an array's descriptor as it is.
    pub fn class_name(&self, class: jclass) -> Result<String, Problem> {
        let mut signature = ptr::null_mut();
        call!(self, GetClassSignature(class, &mut signature, ptr::null_mut()))?;
        let signature = self.take_string(signature);
        let name = signature.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
        Ok(name.map_or_else(|| signature.clone(), str::to_owned))
    }

    /// The loader that defined a class; null for the boot loader.
    pub fn class_loader(&self, class: jclass) -> Result<jobject, Problem> {
        let mut loader = ptr::null_mut();
        call!(self, GetClassLoader(class, &mut loader))?;
        Ok(loader)
    }

    /// An object's identity hash.
    pub fn identity_hash(&self, object: jobject) -> Result<jint, Problem> {
        let mut hash = 0;
        call!(self, GetObjectHashCode(object, &mut hash))?;
        Ok(hash)
    }

    /// An object's class.
    pub fn class_of(&self, object: jobject) -> Result<jclass, Problem> {
        if self.jni.is_null() || object.is_null() {
            return Err(Problem { function: "GetObjectClass", code: -1 });
        }
        // SAFETY: neither is null, so the environment is this thread's (2) and the reference is live (3).
        Ok(unsafe { ((**self.jni).GetObjectClass)(self.jni, object) })
    }

    /// The receiver of the current frame.
    pub fn receiver(&self) -> Result<jobject, Problem> {
        let mut object = ptr::null_mut();
        call!(self, GetLocalInstance(ptr::null_mut(), 0, &mut object))?;
        Ok(object)
    }

    /// A method's instructions as its class file had them; empty for a native method.
    pub fn bytecodes(&self, method: jmethodID) -> Result<Vec<u8>, Problem> {
        let (mut count, mut bytes): (jint, *mut c_uchar) = (0, ptr::null_mut());
        match call!(self, GetBytecodes(method, &mut count, &mut bytes)) {
            Err(problem) if problem.code == jvmtiError::NATIVE_METHOD.raw() => Ok(Vec::new()),
            Err(problem) => Err(problem),
            Ok(()) => Ok(self.take(bytes, count)),
        }
    }

    /// A class's constant pool: the number of its slots, with the unused first one, and the entries' bytes.
    pub fn constant_pool(&self, class: jclass) -> Result<(u16, Vec<u8>), Problem> {
        let (mut slots, mut count, mut bytes): (jint, jint, *mut c_uchar) = (0, 0, ptr::null_mut());
        call!(self, GetConstantPool(class, &mut slots, &mut count, &mut bytes))?;
        Ok((slots.clamp(0, jint::from(u16::MAX)) as u16, self.take(bytes, count)))
    }

    /// The number that an object was tagged with; 0 if it was not.
    pub fn tag(&self, object: jobject) -> Result<i64, Problem> {
        let mut tag = 0;
        call!(self, GetTag(object, &mut tag))?;
        Ok(tag)
    }

    /// Tags an object.
    pub fn set_tag(&self, object: jobject, tag: i64) -> Result<(), Problem> {
        call!(self, SetTag(object, tag))
    }

    /// The threads that run, but those of the JVM itself, which are in the group `system`, and the current one.
    pub fn other_threads(&self) -> Result<Vec<jobject>, Problem> {
        let (mut count, mut threads): (jint, *mut jobject) = (0, ptr::null_mut());
        call!(self, GetAllThreads(&mut count, &mut threads))?;
        let threads = self.take(threads, count);
        let mut own: jobject = ptr::null_mut();
        call!(self, GetCurrentThread(&mut own))?;
        let is_wanted = |thread: &jobject| !self.is_same(*thread, own) && !self.is_system_thread(*thread);
        let (wanted, rest): (Vec<jobject>, Vec<jobject>) = threads.into_iter().partition(is_wanted);
        rest.into_iter().chain([own]).for_each(|thread| self.forget(thread));
        Ok(wanted)
    }

    /// Whether a thread is one of the JVM's own.
    fn is_system_thread(&self, thread: jobject) -> bool {
        let Ok(info) = self.thread_info(thread) else { return true };
        self.take_string(info.name);
        let mut group = jvmtiThreadGroupInfo {
            parent: ptr::null_mut(),
            name: ptr::null_mut(),
            max_priority: 0,
            is_daemon: 0,
        };
        let known = call!(self, GetThreadGroupInfo(info.thread_group, &mut group));
        let name = if known.is_ok() { self.take_string(group.name) } else { String::new() };
        for reference in [group.parent, info.thread_group, info.context_class_loader] {
            self.forget(reference);
        }
        name == "system"
    }

    /// Suspends a thread, which is not the current one. Whether it was suspended by this.
    pub fn suspend(&self, thread: jobject) -> bool {
        call!(self, SuspendThread(thread)).is_ok()
    }

    /// Lets a thread go on that was suspended.
    pub fn resume(&self, thread: jobject) -> Result<(), Problem> {
        call!(self, ResumeThread(thread))
    }

    /// A thread's name; empty if the JVM does not tell.
    pub fn thread_name(&self, thread: jobject) -> Result<String, Problem> {
        Ok(self.take_string(self.thread_info(thread)?.name))
    }

    fn thread_info(&self, thread: jobject) -> Result<jvmtiThreadInfo, Problem> {
        let mut info = jvmtiThreadInfo {
            name: ptr::null_mut(),
            priority: 0,
            is_daemon: 0,
            thread_group: ptr::null_mut(),
            context_class_loader: ptr::null_mut(),
        };
        call!(self, GetThreadInfo(thread, &mut info))?;
        Ok(info)
    }

    /// The source line of an instruction of a method; `None` if the class file has no lines.
    pub fn line(&self, method: jmethodID, bci: i32) -> Option<u32> {
        let (mut count, mut table): (jint, *mut jvmtiLineNumberEntry) = (0, ptr::null_mut());
        call!(self, GetLineNumberTable(method, &mut count, &mut table)).ok()?;
        let entries = self.take(table, count);
        let before = entries.iter().filter(|entry| entry.start_location <= i64::from(bci));
        let line = before.max_by_key(|entry| entry.start_location).map(|entry| entry.line_number);
        line.and_then(|line| u32::try_from(line).ok())
    }

    /// The name of a class's source file, if the class file has it.
    pub fn source_file(&self, class: jclass) -> Option<String> {
        let mut name = ptr::null_mut();
        call!(self, GetSourceFileName(class, &mut name)).ok()?;
        Some(self.take_string(name))
    }

    /// A property of the JVM, if it has it; may be asked for before the JVM runs.
    pub fn system_property(&self, name: &CStr) -> Option<String> {
        let mut value = ptr::null_mut();
        call!(self, GetSystemProperty(name.as_ptr(), &mut value)).ok()?;
        Some(self.take_string(value))
    }

    /// All classes that are loaded now.
    pub fn loaded_classes(&self) -> Result<Vec<jclass>, Problem> {
        let (mut count, mut classes): (jint, *mut jclass) = (0, ptr::null_mut());
        call!(self, GetLoadedClasses(&mut count, &mut classes))?;
        Ok(self.take(classes, count))
    }

    /// The classes that are loaded now, may be retransformed, and have a name that is wanted.
    pub fn loaded_for_rewriting(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<jclass>, Problem> {
        let mut wanted = Vec::new();
        for class in self.loaded_classes()? {
            if is_wanted(&self.class_name(class)?) && self.is_modifiable(class)? {
                wanted.push(class);
            } else {
                self.forget(class);
            }
        }
        Ok(wanted)
    }

    /// Whether a class may be retransformed.
    pub fn is_modifiable(&self, class: jclass) -> Result<bool, Problem> {
        let mut answer = 0;
        call!(self, IsModifiableClass(class, &mut answer))?;
        Ok(answer != 0)
    }

    /// Has the classes pass through the hook for class files once more.
    pub fn retransform(&self, classes: &[jclass]) -> Result<(), Problem> {
        call!(self, RetransformClasses(classes.len() as jint, classes.as_ptr()))
    }

    /// Memory of the interface with a copy of these bytes, for a new class file.
    pub fn allocated_copy(&self, bytes: &[u8]) -> Result<*mut c_uchar, Problem> {
        let mut memory = ptr::null_mut();
        call!(self, Allocate(bytes.len() as i64, &mut memory))?;
        // SAFETY: `Allocate` succeeded, so there is room for `bytes.len()` bytes that is nobody else's (4) and cannot overlap `bytes`.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    /// Copies and frees a string that the interface allocated; its modified UTF-8 is read as UTF-8.
    fn take_string(&self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: not null, so it is a string that ends with a zero byte, as JVMTI returns strings, and ours until it is freed (4).
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.free(text.cast());
        copy
    }

    /// Copies and frees an array that the interface allocated; null stands for none.
    fn take<T: Copy>(&self, values: *mut T, count: jint) -> Vec<T> {
        if values.is_null() {
            return Vec::new();
        }
        // SAFETY: not null, so it is an array of `count` values of the type that the function's parameter declares, aligned as
        // `malloc` aligns; nobody changes it before it is freed (4).
        let copy = unsafe { std::slice::from_raw_parts(values, count.max(0) as usize) }.to_vec();
        self.free(values.cast());
        copy
    }

    fn free(&self, memory: *mut c_uchar) {
        // The only failure is memory that is not the interface's, which it is.
        let _: Result<(), Problem> = call!(self, Deallocate(memory));
    }
}
