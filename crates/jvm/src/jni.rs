//! The functions of JNI: classes, fields and arrays of the program, by names and references.
//!
//! The numbers in `SAFETY` comments are those of the rules of [`Jvm`]. All functions here need a JNI environment (2): the agents make a `Jvm`
//! without one only while they are loaded, and call JVMTI alone there. An exception that a call leaves is taken and becomes a [`Problem`], so
//! that the next call may be made, which JNI forbids while one is pending.

use std::ffi::{CStr, CString};
use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jfieldID, jint, jobject, jvalue};

use crate::{Jvm, Problem};

impl Jvm {
    /// A class by its internal name, loaded and initialised if it was not.
    pub fn find_class(&self, name: &CStr) -> Result<jclass, Problem> {
        // SAFETY: the environment is this thread's (2); the name ends with a zero byte and is only read during the call.
        self.jni_result("FindClass", unsafe { ((**self.jni).FindClass)(self.jni, name.as_ptr()) })
    }

    /// Defines a class with the boot loader.
    pub fn define_boot_class(&self, name: &CStr, bytes: &[u8]) -> Result<jclass, Problem> {
        let length = bytes.len() as jint;
        // SAFETY: the environment is this thread's (2); the name ends with a zero byte, `length` bytes can be read, and the JVM copies both. It
        // verifies the bytes and throws if they are no class; null is the boot loader.
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

    /// Defines classes with the boot loader, in this order, and gives a global reference to the last one.
    pub fn define_boot_classes(&self, classes: &[(&str, &[u8])]) -> Result<jclass, Problem> {
        let mut last = ptr::null_mut();
        for (name, bytes) in classes {
            let name = CString::new(*name).map_err(|_| Problem { function: "DefineClass", code: -1 })?;
            last = self.define_boot_class(&name, bytes)?;
        }
        Ok(self.global(last).cast())
    }

    /// Calls a static method without parameters and result.
    pub fn call_static_void(&self, class: jclass, name: &CStr) -> Result<(), Problem> {
        // SAFETY: the environment is this thread's (2), the class a live reference (3); the names end with zero bytes and are only read.
        let method =
            unsafe { ((**self.jni).GetStaticMethodID)(self.jni, class, name.as_ptr(), c"()V".as_ptr()) };
        let method = self.jni_result("GetStaticMethodID", method)?;
        // SAFETY: `GetStaticMethodID` has found a static method of this class with this descriptor: it takes nothing, so that no arguments are
        // read, and returns nothing, as the function for the call.
        unsafe { ((**self.jni).CallStaticVoidMethodA)(self.jni, class, method, ptr::null()) };
        self.jni_result("CallStaticVoidMethod", method).map(|_| ())
    }

    /// Calls a static method that takes an object and returns an `int`.
    pub fn call_static_int(&self, class: jclass, name: &CStr, object: jobject) -> Result<jint, Problem> {
        let descriptor = c"(Ljava/lang/Object;)I";
        // SAFETY: the environment is this thread's (2), the class a live reference (3); the names end with zero bytes and are only read.
        let method =
            unsafe { ((**self.jni).GetStaticMethodID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        let method = self.jni_result("GetStaticMethodID", method)?;
        let arguments = [jvalue { l: object }];
        // SAFETY: `GetStaticMethodID` has found a static method of this class with this descriptor: it returns an `int`, as the function for
        // the call does, and takes one reference, which is live (3) and is all that is read of the arguments.
        let answer =
            unsafe { ((**self.jni).CallStaticIntMethodA)(self.jni, class, method, arguments.as_ptr()) };
        self.jni_result("CallStaticIntMethod", method).map(|_| answer)
    }

    /// Where the elements of an array of `long`s begin, counted in bytes from the array's own address, as `Unsafe` has it. The result of
    /// the method that tells is an `int` up to JDK 23 and a `long` later, so compiled code can only name one of them.
    pub fn long_array_base(&self) -> Result<i64, Problem> {
        // SAFETY: the environment is this thread's (2), and all references come from the JVM in this call (3); names and descriptors end with zero
        // bytes and are only read. Each method was found by its descriptor in the class that it is called on or whose instance that
        // is, and the function that calls it is the one for the descriptor's result, with its arguments.
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
        // SAFETY: the environment is this thread's (2), the reference is live (3).
        unsafe { ((**self.jni).NewGlobalRef)(self.jni, object) }
    }

    /// The length of an array.
    pub fn array_length(&self, array: jobject) -> jint {
        // SAFETY: the environment is this thread's (2); the reference is live (3) and one to an array: the callers pass arrays of the support
        // class by parameters that are declared so.
        unsafe { ((**self.jni).GetArrayLength)(self.jni, array) }
    }

    /// Sets elements of an array of `int`s, from a position on. What does not fit is left out.
    pub fn set_ints(&self, array: jobject, from: usize, values: &[i32]) {
        if array.is_null() {
            return;
        }
        let room = (self.array_length(array).max(0) as usize).saturating_sub(from);
        let count = values.len().min(room);
        // SAFETY: the environment is this thread's (2); the array is one of `int`s (as for its length), `from + count` is at most that length, and
        // `count` values can be read.
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
        // SAFETY: the environment is this thread's (2); the array is one of `int`s (as for its length) with at least `count` of them, and
        // there is room for `count`.
        unsafe { ((**self.jni).GetIntArrayRegion)(self.jni, array, 0, count as jint, into.as_mut_ptr()) }
    }

    /// An element of an array of objects; null for one that is not there.
    pub fn element(&self, array: jobject, index: jint) -> jobject {
        if index >= self.array_length(array) {
            return std::ptr::null_mut();
        }
        // SAFETY: the environment is this thread's (2); the array is live (3) and one of references; an index beyond it makes the JVM throw,
        // and null is returned.
        unsafe { ((**self.jni).GetObjectArrayElement)(self.jni, array, index) }
    }

    /// Sets an element of an array of objects.
    pub fn set_element(&self, array: jobject, index: jint, value: jobject) {
        if !array.is_null() && (0..self.array_length(array)).contains(&index) {
            // SAFETY: the environment is this thread's (2); array and value are live (3), and the array, one of references, has this element. A value of
            // another class than the array's makes the JVM throw.
            unsafe { ((**self.jni).SetObjectArrayElement)(self.jni, array, index, value) }
        }
    }

    /// A new string.
    pub fn new_string(&self, text: &str) -> Result<jobject, Problem> {
        let text = CString::new(text).map_err(|_| Problem { function: "NewStringUTF", code: -1 })?;
        // SAFETY: the environment is this thread's (2); the text ends with a zero byte and is copied. (Beyond the basic plane the
        // machine's encoding differs, and the name is not found.)
        let string = unsafe { ((**self.jni).NewStringUTF)(self.jni, text.as_ptr()) };
        self.jni_result("NewStringUTF", string)
    }

    /// Gives up a reference before the call's end.
    pub fn forget(&self, object: jobject) {
        // SAFETY: the environment is this thread's (2); the reference is null, which is allowed, or a local one that nobody uses any more (3).
        unsafe { ((**self.jni).DeleteLocalRef)(self.jni, object) }
    }

    /// Whether two references are to one object.
    pub fn is_same(&self, one: jobject, other: jobject) -> bool {
        // SAFETY: the environment is this thread's (2); both references are live or null (3).
        unsafe { ((**self.jni).IsSameObject)(self.jni, one, other) != 0 }
    }

    /// Sets a static `boolean` of a class.
    pub fn set_static_boolean(&self, class: jclass, name: &CStr, value: bool) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"Z")?;
        // SAFETY: the class is live (3), and `GetStaticFieldID` has found a static field of it whose descriptor is that of a `boolean`.
        unsafe { ((**self.jni).SetStaticBooleanField)(self.jni, class, field, u8::from(value)) };
        Ok(())
    }

    /// Sets a static `int` of a class.
    pub fn set_static_int(&self, class: jclass, name: &CStr, value: i32) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"I")?;
        // SAFETY: the class is live (3), and `GetStaticFieldID` has found a static field of it whose descriptor is that of an `int`.
        unsafe { ((**self.jni).SetStaticIntField)(self.jni, class, field, value) };
        Ok(())
    }

    /// Sets a static `long` of a class.
    pub fn set_static_long(&self, class: jclass, name: &CStr, value: i64) -> Result<(), Problem> {
        let field = self.static_field(class, name, c"J")?;
        // SAFETY: the class is live (3), and `GetStaticFieldID` has found a static field of it whose descriptor is that of a `long`.
        unsafe { ((**self.jni).SetStaticLongField)(self.jni, class, field, value) };
        Ok(())
    }

    /// The elements of an array of `boolean`s that a static field of a class holds.
    pub fn static_booleans(&self, class: jclass, name: &CStr) -> Result<Vec<bool>, Problem> {
        let field = self.static_field(class, name, c"[Z")?;
        // SAFETY: the class is live (3), and `GetStaticFieldID` has found a static field of it whose descriptor is that of a reference.
        let array = unsafe { ((**self.jni).GetStaticObjectField)(self.jni, class, field) };
        let array = self.jni_result("GetStaticObjectField", array)?;
        let mut bytes = vec![0_u8; self.array_length(array).max(0) as usize];
        let count = bytes.len() as jint;
        // SAFETY: the field's descriptor says that it is an array of `boolean`s; it has `count` elements, and `bytes` room for as many bytes.
        unsafe { ((**self.jni).GetBooleanArrayRegion)(self.jni, array, 0, count, bytes.as_mut_ptr()) };
        self.forget(array);
        Ok(bytes.into_iter().map(|byte| byte != 0).collect())
    }

    fn static_field(&self, class: jclass, name: &CStr, descriptor: &CStr) -> Result<jfieldID, Problem> {
        // SAFETY: the environment is this thread's (2), the class a live reference (3); the names end with zero bytes and are only read.
        let field =
            unsafe { ((**self.jni).GetStaticFieldID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        self.jni_result("GetStaticFieldID", field)
    }

    /// What an instance field of an object holds.
    pub fn object_field(&self, object: jobject, name: &CStr, descriptor: &CStr) -> Result<jobject, Problem> {
        let class = self.class_of(object)?;
        // SAFETY: the environment is this thread's (2), the class a live reference (3); the names end with zero bytes and are only read.
        let field = unsafe { ((**self.jni).GetFieldID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        let field = self.jni_result("GetFieldID", field)?;
        // SAFETY: the object is live (3), and `GetFieldID` has found a field of its class whose descriptor is that of a reference.
        Ok(unsafe { ((**self.jni).GetObjectField)(self.jni, object, field) })
    }

    /// What an instance field of an object holds, if it is a `long`.
    pub fn long_field(&self, object: jobject, name: &CStr) -> Result<i64, Problem> {
        let class = self.class_of(object)?;
        // SAFETY: the environment is this thread's (2), the class a live reference (3); the names end with zero bytes and are only read.
        let field = unsafe { ((**self.jni).GetFieldID)(self.jni, class, name.as_ptr(), c"J".as_ptr()) };
        let field = self.jni_result("GetFieldID", field);
        self.forget(class);
        // SAFETY: the object is live (3), and `GetFieldID` has found a field of its class whose descriptor is that of a `long`.
        field.map(|field| unsafe { ((**self.jni).GetLongField)(self.jni, object, field) })
    }

    /// Turns a null into a problem, and takes the exception that may have come with it.
    pub(crate) fn jni_result<T>(&self, function: &'static str, result: *mut T) -> Result<*mut T, Problem> {
        // SAFETY: the JNI environment is this thread's (2).
        unsafe {
            if ((**self.jni).ExceptionCheck)(self.jni) != 0 {
                ((**self.jni).ExceptionClear)(self.jni);
                return Err(Problem { function, code: -1 });
            }
        }
        if result.is_null() { Err(Problem { function, code: -1 }) } else { Ok(result) }
    }
}
