//! What every agent does where the JVM calls it: take its arguments, keep panics from crossing into the JVM, and turn results into
//! what the interface expects.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_uchar};
use std::panic::{AssertUnwindSafe, catch_unwind};

use jvmti_bindings::sys::jni::{JNI_ERR, JNI_OK, JNIEnv, JavaVM, jint};
use jvmti_bindings::sys::jvmti::jvmtiEnv;

use crate::{Jvm, Problem};

/// The work of `Agent_OnLoad`: starts an agent with its options, and answers as the JVM expects it. A refusal ends the JVM; `refused` hears why
/// before that.
///
/// # Safety
/// `vm` is the JVM's invocation interface, and `options` is null or a terminated string; both live until the call returns.
pub unsafe fn load(
    vm: *mut JavaVM,
    options: *const c_char,
    start: impl FnOnce(&Jvm, &str) -> Result<(), String>,
    refused: impl FnOnce(String),
) -> jint {
    let options = if options.is_null() {
        Cow::default()
    } else {
        // SAFETY: not null, so it is a terminated string that lives until the call returns (caller).
        unsafe { CStr::from_ptr(options) }.to_string_lossy()
    };
    // SAFETY: the interface is live (caller).
    let jvm = unsafe { Jvm::from_invocation_interface(vm) };
    let started = catch_unwind(AssertUnwindSafe(|| {
        start(&jvm.map_err(|problem| format!("no tool interface: {problem}"))?, &options)
    }));
    let message = match started {
        Ok(Ok(())) => return JNI_OK,
        Ok(Err(message)) => message,
        Err(_) => "the agent cannot be started".to_owned(),
    };
    // The JVM ends either way.
    let _ = catch_unwind(AssertUnwindSafe(|| refused(message)));
    JNI_ERR
}

/// Does the work of a callback. A panic in it ends here; a problem is returned.
///
/// # Safety
/// The JVM passed both pointers to the callback that this is called from, on this thread; `jni` may be null where it passes none.
pub unsafe fn work<T>(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    work: impl FnOnce(&Jvm) -> Result<T, Problem>,
) -> Result<Option<T>, Problem> {
    // SAFETY: the tool environment lives as long as the JVM, the other one is this thread's for the time of the callback (caller), which
    // the value does not outlive.
    let jvm = unsafe { Jvm::in_callback(env, jni) };
    catch_unwind(AssertUnwindSafe(|| work(&jvm))).map_or(Ok(None), |done| done.map(Some))
}

/// The name and the bytes of a class that the JVM is about to define; `None` if it has no name, as hidden classes.
///
/// # Safety
/// The arguments are those of the event for class files: null or a terminated name, null or so many bytes. `'a` ends before the
/// callback returns.
pub unsafe fn class_file<'a>(
    name: *const c_char,
    data: *const c_uchar,
    length: jint,
) -> Option<(Cow<'a, str>, &'a [u8])> {
    let length = usize::try_from(length).ok()?;
    if name.is_null() || data.is_null() {
        return None;
    }
    // SAFETY: neither is null, so they are a terminated name and so many initialised bytes, which nobody changes during the
    // callback (caller).
    let (name, bytes) = unsafe { (CStr::from_ptr(name), std::slice::from_raw_parts(data, length)) };
    Some((name.to_string_lossy(), bytes))
}

/// What the JVM passes to the callback of the event for class files: the file, and where a new one is left.
#[derive(Clone, Copy, Debug)]
pub struct ClassFileEvent {
    /// The class's internal name, or null.
    pub name: *const c_char,
    /// The bytes of the file, or null.
    pub data: *const c_uchar,
    /// Their number.
    pub length: jint,
    /// Where the number of bytes of a new file is left.
    pub new_length: *mut jint,
    /// Where a new file is left.
    pub new_data: *mut *mut c_uchar,
}

/// Does the work of the callback for class files: leaves what `rewrite` makes of a class with a name, if it makes anything of it. After a panic the
/// class stays as it is.
///
/// # Safety
/// The JVM passed everything to the callback that this is called from, on this thread.
pub unsafe fn rewrite_class(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    event: ClassFileEvent,
    rewrite: impl FnOnce(&Jvm, &str, &[u8]) -> Option<Vec<u8>>,
) {
    let ClassFileEvent { name, data, length, new_length, new_data } = event;
    // SAFETY: for this event the JVM passes a name (null for some classes) and `length` bytes of a class file, which it does not change or free
    // before the callback returns (caller); name and bytes are not used after that.
    let Some((name, bytes)) = (unsafe { class_file(name, data, length) }) else { return };
    let rewritten = |jvm: &Jvm| {
        let rewritten = rewrite(jvm, &name, bytes);
        rewritten.map(|rewritten| Ok((jvm.allocated_copy(&rewritten)?, rewritten.len()))).transpose()
    };
    // SAFETY: the environments are those of the callback (caller), which `rewritten` does not outlive.
    if let Ok(Some(Some((copy, length)))) = unsafe { work(env, jni, rewritten) } {
        // SAFETY: for this event the JVM passes two places to write the result to, which are its own (caller). What is left there must come
        // from `Allocate`, as `copy` does, and the JVM frees it.
        unsafe {
            *new_length = length as jint;
            *new_data = copy;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_file_without_name_or_bytes_is_none() {
        let bytes = [1_u8, 2];
        // SAFETY: each argument is null, or lives until the end of the test.
        unsafe {
            assert_eq!(
                class_file(c"p/C".as_ptr(), bytes.as_ptr(), 2),
                Some((Cow::Borrowed("p/C"), &bytes[..]))
            );
            assert_eq!(class_file(std::ptr::null(), bytes.as_ptr(), 2), None);
            assert_eq!(class_file(c"p/C".as_ptr(), std::ptr::null(), 0), None);
            assert_eq!(class_file(c"p/C".as_ptr(), bytes.as_ptr(), -1), None);
        }
    }

    #[test]
    fn a_panic_ends_in_the_callback() {
        use std::ptr::null_mut;
        // SAFETY: nothing is called through the pointers.
        let panicked = unsafe { work::<()>(null_mut(), null_mut(), |_| panic!("expected")) };
        assert_eq!(panicked, Ok(None));
        // SAFETY: as above.
        assert_eq!(unsafe { work(null_mut(), null_mut(), |_| Ok(7)) }, Ok(Some(7)));
    }
}
