//! The functions of the tool interface (JVMTI) and of JNI that the project's agents use, with owned results in place of
//! out-parameters.
//!
//! A [`Jvm`] is the pair of environments that one thread has; it is made anew for each callback or native call. References
//! that it returns belong to that call.

#![allow(unsafe_code)]
// Ids and references are opaque: whoever has one got it from the machine, in the call in which it is used.
#![allow(clippy::not_unsafe_ptr_arg_deref)]

use jvmti_bindings::sys::jni::{JNI_OK, JNIEnv, JavaVM, jclass, jfieldID, jint, jmethodID, jobject, jvalue};
use jvmti_bindings::sys::jvmti::{
    JVMTI_ENABLE, JVMTI_THREAD_STATE_WAITING, JVMTI_VERSION_11, jvmtiCapabilities, jvmtiEnv, jvmtiError,
    jvmtiEvent, jvmtiEventCallbacks, jvmtiFrameInfo, jvmtiLineNumberEntry, jvmtiStackInfo, jvmtiThreadInfo,
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

/// A virtual machine as seen by one thread.
///
/// Invariant: `env` is a live JVMTI environment; `jni` is null or the JNI environment of the current thread. Object
/// references that it returns belong to the frame of the callback and end with it.
pub struct Jvm {
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
}

/// Calls one function of the environment's table and turns its code into a result.
macro_rules! call {
    ($jvm:expr, $function:ident ( $($argument:expr),* )) => {{
        // SAFETY: the environment is live (invariant), its table holds a function of this type or null, and the
        // arguments are references or pointers that outlive the call.
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
    /// A new environment of the virtual machine.
    ///
    /// # Safety
    /// `vm` is a live invocation interface.
    pub unsafe fn from_invocation_interface(vm: *mut JavaVM) -> Result<Jvm, Problem> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: `vm` is live (caller), `env` outlives the call.
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
        // SAFETY: the interface returned this many stacks, now ours.
        for stack in unsafe { std::slice::from_raw_parts(stacks, threads.max(0) as usize) } {
            self.forget(stack.thread);
            let is_wanted = waiting || stack.state & JVMTI_THREAD_STATE_WAITING == 0;
            if is_wanted && !stack.frame_buffer.is_null() {
                // SAFETY: the interface has left so many frames there, in the same memory as the stacks.
                let frames = unsafe {
                    std::slice::from_raw_parts(stack.frame_buffer, stack.frame_count.max(0) as usize)
                };
                found.push(frames.iter().map(Frame::new).collect());
            }
        }
        self.free(stacks.cast());
        Ok(found)
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
        // SAFETY: the JNI environment is this thread's (invariant) and the object is a live reference.
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
            Ok(()) => Ok(self.take_bytes(bytes, count)),
        }
    }

    /// A class's constant pool: the number of its slots, with the unused first one, and the entries' bytes.
    pub fn constant_pool(&self, class: jclass) -> Result<(u16, Vec<u8>), Problem> {
        let (mut slots, mut count, mut bytes): (jint, jint, *mut c_uchar) = (0, 0, ptr::null_mut());
        call!(self, GetConstantPool(class, &mut slots, &mut count, &mut bytes))?;
        Ok((slots.clamp(0, jint::from(u16::MAX)) as u16, self.take_bytes(bytes, count)))
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

    /// A thread's name; empty if the machine does not tell.
    pub fn thread_name(&self, thread: jobject) -> Result<String, Problem> {
        let mut info = jvmtiThreadInfo {
            name: ptr::null_mut(),
            priority: 0,
            is_daemon: 0,
            thread_group: ptr::null_mut(),
            context_class_loader: ptr::null_mut(),
        };
        call!(self, GetThreadInfo(thread, &mut info))?;
        Ok(self.take_string(info.name))
    }

    /// The source line of an instruction of a method; `None` if the class file has no lines.
    pub fn line(&self, method: jmethodID, bci: i32) -> Option<u32> {
        let (mut count, mut table): (jint, *mut jvmtiLineNumberEntry) = (0, ptr::null_mut());
        call!(self, GetLineNumberTable(method, &mut count, &mut table)).ok()?;
        if table.is_null() {
            return None;
        }
        // SAFETY: the interface returned this many entries, now ours.
        let entries = unsafe { std::slice::from_raw_parts(table, count.max(0) as usize) };
        let before = entries.iter().filter(|entry| entry.start_location <= i64::from(bci));
        let line = before.max_by_key(|entry| entry.start_location).map(|entry| entry.line_number);
        self.free(table.cast());
        line.and_then(|line| u32::try_from(line).ok())
    }

    /// The name of a class's source file, if the class file has it.
    pub fn source_file(&self, class: jclass) -> Option<String> {
        let mut name = ptr::null_mut();
        call!(self, GetSourceFileName(class, &mut name)).ok()?;
        Some(self.take_string(name))
    }

    /// A property of the machine, if it has it; may be asked for before the machine runs.
    pub fn system_property(&self, name: &CStr) -> Option<String> {
        let mut value = ptr::null_mut();
        call!(self, GetSystemProperty(name.as_ptr(), &mut value)).ok()?;
        Some(self.take_string(value))
    }

    /// All classes that are loaded now.
    pub fn loaded_classes(&self) -> Result<Vec<jclass>, Problem> {
        let (mut count, mut classes): (jint, *mut jclass) = (0, ptr::null_mut());
        call!(self, GetLoadedClasses(&mut count, &mut classes))?;
        if classes.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: the interface returned this many references, now ours.
        let copy = unsafe { std::slice::from_raw_parts(classes, count.max(0) as usize) }.to_vec();
        self.free(classes.cast());
        Ok(copy)
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
        // SAFETY: the interface returned room for this many bytes, which nobody else knows.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    /// A class by its internal name, loaded and initialised if it was not.
    pub fn find_class(&self, name: &CStr) -> Result<jclass, Problem> {
        // SAFETY: the JNI environment is this thread's (invariant); the name outlives the call.
        self.jni_result("FindClass", unsafe { ((**self.jni).FindClass)(self.jni, name.as_ptr()) })
    }

    /// Defines a class with the boot loader.
    pub fn define_boot_class(&self, name: &CStr, bytes: &[u8]) -> Result<jclass, Problem> {
        let length = bytes.len() as jint;
        // SAFETY: the JNI environment is this thread's (invariant); name and bytes outlive the call.
        let class = unsafe {
            ((**self.jni).DefineClass)(
                self.jni,
                name.as_ptr(),
                ptr::null_mut(),
                bytes.as_ptr().cast(),
                length,
            )
        };
        self.jni_result("DefineClass", class)
    }

    /// Calls a static method without parameters and result.
    pub fn call_static_void(&self, class: jclass, name: &CStr) -> Result<(), Problem> {
        // SAFETY: the JNI environment is this thread's (invariant); the names outlive the call.
        let method =
            unsafe { ((**self.jni).GetStaticMethodID)(self.jni, class, name.as_ptr(), c"()V".as_ptr()) };
        let method = self.jni_result("GetStaticMethodID", method)?;
        // SAFETY: the method is one of the class, static and without parameters.
        unsafe { ((**self.jni).CallStaticVoidMethodA)(self.jni, class, method, ptr::null()) };
        self.jni_result("CallStaticVoidMethod", method).map(|_| ())
    }

    /// Where the elements of an array of `long`s begin, counted in bytes from the array's own address, as `Unsafe` has it. The result of
    /// the method that tells is an `int` up to JDK 23 and a `long` later, so compiled code can only name one of them.
    pub fn long_array_base(&self) -> Result<i64, Problem> {
        // SAFETY: the JNI environment is this thread's (invariant); names and descriptors outlive the calls, each method is one of
        // the class or object that it is called on, and is called by the function for its result with the arguments that its descriptor lists.
        unsafe {
            let jni = &**self.jni;
            let class = self.find_class(c"jdk/internal/misc/Unsafe")?;
            let array = self.find_class(c"[J")?;
            let descriptor = c"()Ljdk/internal/misc/Unsafe;";
            let get = (jni.GetStaticMethodID)(self.jni, class, c"getUnsafe".as_ptr(), descriptor.as_ptr());
            let get = self.jni_result("GetStaticMethodID", get)?;
            let given = (jni.CallStaticObjectMethodA)(self.jni, class, get, ptr::null());
            let given = self.jni_result("CallStaticObjectMethod", given)?;
            let method = |descriptor: &CStr| {
                let found =
                    (jni.GetMethodID)(self.jni, class, c"arrayBaseOffset".as_ptr(), descriptor.as_ptr());
                self.jni_result("GetMethodID", found)
            };
            let arguments = [jvalue { l: array }];
            let base = match method(c"(Ljava/lang/Class;)J") {
                Ok(method) => (jni.CallLongMethodA)(self.jni, given, method, arguments.as_ptr()),
                Err(_) => {
                    let method = method(c"(Ljava/lang/Class;)I")?;
                    i64::from((jni.CallIntMethodA)(self.jni, given, method, arguments.as_ptr()))
                }
            };
            let checked = self.jni_result("arrayBaseOffset", given);
            [class, array, given].iter().for_each(|reference| self.forget(*reference));
            checked.map(|_| base)
        }
    }

    /// A reference that outlives the call.
    pub fn global(&self, object: jobject) -> jobject {
        // SAFETY: the JNI environment is this thread's (invariant), the reference is live.
        unsafe { ((**self.jni).NewGlobalRef)(self.jni, object) }
    }

    /// The length of an array.
    pub fn array_length(&self, array: jobject) -> jint {
        // SAFETY: the JNI environment is this thread's (invariant), the reference is one to an array.
        unsafe { ((**self.jni).GetArrayLength)(self.jni, array) }
    }

    /// Sets elements of an array of `int`s, from a position on. What does not fit is left out.
    pub fn set_ints(&self, array: jobject, from: usize, values: &[i32]) {
        if array.is_null() {
            return;
        }
        let room = (self.array_length(array).max(0) as usize).saturating_sub(from);
        let count = values.len().min(room);
        // SAFETY: the JNI environment is this thread's (invariant); the array has room for so many, and there are so many.
        unsafe {
            ((**self.jni).SetIntArrayRegion)(self.jni, array, from as jint, count as jint, values.as_ptr());
        }
    }

    /// Copies the first elements of an array of `int`s, as many as there are and as there is room for.
    pub fn ints(&self, array: jobject, into: &mut [i32]) {
        if array.is_null() {
            return;
        }
        let count = into.len().min(self.array_length(array).max(0) as usize);
        // SAFETY: the JNI environment is this thread's (invariant); the array has so many, and there is room for them.
        unsafe { ((**self.jni).GetIntArrayRegion)(self.jni, array, 0, count as jint, into.as_mut_ptr()) }
    }

    /// An element of an array of objects; null for one that is not there.
    pub fn element(&self, array: jobject, index: jint) -> jobject {
        if index >= self.array_length(array) {
            return std::ptr::null_mut();
        }
        // SAFETY: the JNI environment is this thread's (invariant); the array has this element.
        unsafe { ((**self.jni).GetObjectArrayElement)(self.jni, array, index) }
    }

    /// A new string.
    pub fn new_string(&self, text: &str) -> Result<jobject, Problem> {
        let text =
            std::ffi::CString::new(text).map_err(|_| Problem { function: "NewStringUTF", code: -1 })?;
        // SAFETY: the JNI environment is this thread's (invariant); the text outlives the call. (Beyond the basic plane the
        // machine's encoding differs, and the name is not found.)
        let string = unsafe { ((**self.jni).NewStringUTF)(self.jni, text.as_ptr()) };
        self.jni_result("NewStringUTF", string)
    }

    /// Gives up a reference before the call's end.
    pub fn forget(&self, object: jobject) {
        // SAFETY: the JNI environment is this thread's (invariant); null and stale references are ignored.
        unsafe { ((**self.jni).DeleteLocalRef)(self.jni, object) }
    }

    /// Sets a static `boolean` of a class.
    pub fn set_static_boolean(&self, class: jclass, name: &CStr, value: bool) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"Z")?;
        // SAFETY: the field is one of the class, and a boolean.
        unsafe { ((**self.jni).SetStaticBooleanField)(self.jni, class, field, u8::from(value)) };
        Ok(())
    }

    /// Sets a static `int` of a class.
    pub fn set_static_int(&self, class: jclass, name: &CStr, value: i32) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"I")?;
        // SAFETY: the field is one of the class, and an int.
        unsafe { ((**self.jni).SetStaticIntField)(self.jni, class, field, value) };
        Ok(())
    }

    /// Sets a static `long` of a class.
    pub fn set_static_long(&self, class: jclass, name: &CStr, value: i64) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"J")?;
        // SAFETY: the field is one of the class, and a long.
        unsafe { ((**self.jni).SetStaticLongField)(self.jni, class, field, value) };
        Ok(())
    }

    /// The elements of an array of `boolean`s that a static field of a class holds.
    pub fn static_booleans(&self, class: jclass, name: &CStr) -> Result<Vec<bool>, Problem> {
        let field = self.static_field(class, name, c"[Z")?;
        // SAFETY: the field is one of the class, and a reference.
        let array = unsafe { ((**self.jni).GetStaticObjectField)(self.jni, class, field) };
        let array = self.jni_result("GetStaticObjectField", array)?;
        let mut bytes = vec![0_u8; self.array_length(array).max(0) as usize];
        let count = bytes.len() as jint;
        // SAFETY: the array has this many elements, and there is room for them.
        unsafe { ((**self.jni).GetBooleanArrayRegion)(self.jni, array, 0, count, bytes.as_mut_ptr()) };
        self.forget(array);
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }

    fn static_field(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Result<jfieldID, Problem> {
        // SAFETY: the JNI environment is this thread's (invariant); the names outlive the call.
        let field =
            unsafe { ((**self.jni).GetStaticFieldID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        self.jni_result("GetStaticFieldID", field)
    }

    /// What an instance field of an object holds.
    pub fn object_field(&self, object: jobject, name: &CStr, descriptor: &CStr) -> Result<jobject, Problem> {
        let class = self.class_of(object)?;
        // SAFETY: the JNI environment is this thread's (invariant); the names outlive the call.
        let field = unsafe { ((**self.jni).GetFieldID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        let field = self.jni_result("GetFieldID", field)?;
        // SAFETY: the field is one of the object's class, and a reference.
        Ok(unsafe { ((**self.jni).GetObjectField)(self.jni, object, field) })
    }

    /// What an instance field of an object holds, if it is a `long`.
    pub fn long_field(&self, object: jobject, name: &CStr) -> Result<i64, Problem> {
        let class = self.class_of(object)?;
        // SAFETY: the JNI environment is this thread's (invariant); the names outlive the call.
        let field = unsafe { ((**self.jni).GetFieldID)(self.jni, class, name.as_ptr(), c"J".as_ptr()) };
        let field = self.jni_result("GetFieldID", field);
        self.forget(class);
        // SAFETY: the field is one of the object's class, and a long.
        field.map(|field| unsafe { ((**self.jni).GetLongField)(self.jni, object, field) })
    }

    /// Turns a null into a problem, and takes the exception that may have come with it.
    fn jni_result<T>(&self, function: &'static str, result: *mut T) -> Result<*mut T, Problem> {
        // SAFETY: the JNI environment is this thread's (invariant).
        unsafe {
            if ((**self.jni).ExceptionCheck)(self.jni) != 0 {
                ((**self.jni).ExceptionClear)(self.jni);
                return Err(Problem { function, code: -1 });
            }
        }
        if result.is_null() { Err(Problem { function, code: -1 }) } else { Ok(result) }
    }

    /// Copies and frees a string that the interface allocated; its modified UTF-8 is read as UTF-8.
    fn take_string(&self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: the interface returned a terminated string that is now ours.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.free(text.cast());
        copy
    }

    fn take_bytes(&self, bytes: *mut c_uchar, count: jint) -> Vec<u8> {
        if bytes.is_null() {
            return Vec::new();
        }
        // SAFETY: the interface returned this many bytes, now ours.
        let copy = unsafe { std::slice::from_raw_parts(bytes, count.max(0) as usize) }.to_vec();
        self.free(bytes);
        copy
    }

    fn free(&self, memory: *mut c_uchar) {
        // The only failure is memory that is not the interface's, which it is.
        let _: Result<(), Problem> = call!(self, Deallocate(memory));
    }
}
