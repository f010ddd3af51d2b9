//! The functions of JNI: classes, fields and arrays of the program, by names and references.
//!
//! Every function here is called with the JNI environment of the current thread (the invariant of [`Jvm`]), which the JVM's own functions
//! rely on; what each call needs beyond that is said beside it. An exception that a call leaves is taken and becomes a [`Problem`].

use std::ffi::CStr;
use std::ptr;

use jvmti_bindings::sys::jni::{jclass, jfieldID, jint, jobject, jvalue};

use crate::{Jvm, Problem};

impl Jvm {
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

    /// Calls a static method that takes an object and returns an `int`.
    pub fn call_static_int(&self, class: jclass, name: &CStr, object: jobject) -> Result<jint, Problem> {
        let descriptor = c"(Ljava/lang/Object;)I";
        // SAFETY: the JNI environment is this thread's (invariant); class is a live reference, the names outlive the call.
        let method =
            unsafe { ((**self.jni).GetStaticMethodID)(self.jni, class, name.as_ptr(), descriptor.as_ptr()) };
        let method = self.jni_result("GetStaticMethodID", method)?;
        let arguments = [jvalue { l: object }];
        // SAFETY: the method was found with the descriptor that the function and the one argument fit.
        let answer =
            unsafe { ((**self.jni).CallStaticIntMethodA)(self.jni, class, method, arguments.as_ptr()) };
        self.jni_result("CallStaticIntMethod", method).map(|_| answer)
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
    pub(crate) fn jni_result<T>(&self, function: &'static str, result: *mut T) -> Result<*mut T, Problem> {
        // SAFETY: the JNI environment is this thread's (invariant).
        unsafe {
            if ((**self.jni).ExceptionCheck)(self.jni) != 0 {
                ((**self.jni).ExceptionClear)(self.jni);
                return Err(Problem { function, code: -1 });
            }
        }
        if result.is_null() { Err(Problem { function, code: -1 }) } else { Ok(result) }
    }
}
