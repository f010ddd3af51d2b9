//! The native methods of the support class. Each takes the lock, does its step, and answers; what goes wrong changes nothing for
//! the program.
//!
//! The machine finds them by their names among the symbols of the agent's library.

#![allow(non_snake_case)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use selvedge_base::Id;
use selvedge_jvm::sys::jni::{JNIEnv, jclass, jint, jlong, jobject};
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{SiteId, ThreadId};

use crate::events::{Accessor, Step};
use crate::state::State;
use crate::{AGENT, Agent, RUNNING};

/// Does a step under the lock, and answers with `otherwise` if the agent is not at work or something went wrong.
fn in_state<T>(
    jni: *mut JNIEnv,
    otherwise: T,
    work: impl FnOnce(&Agent, &mut State, &Jvm) -> Result<T, Problem>,
) -> T {
    let Some(agent) = AGENT.get() else { return otherwise };
    if agent.phase() != RUNNING {
        return otherwise;
    }
    // SAFETY: the tool environment lives as long as the machine; the other one was given for this call on this thread.
    let jvm = unsafe { Jvm::in_callback(agent.env.load(Ordering::Relaxed), jni) };
    // A panic must not cross into the machine.
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut state = agent.state();
        work(agent, &mut state, &jvm)
    }));
    match done {
        Ok(Ok(answer)) => answer,
        Ok(Err(problem)) => {
            agent.state().skip(problem.to_string());
            otherwise
        }
        Err(_) => otherwise,
    }
}

fn thread_id(number: jint) -> ThreadId {
    ThreadId::from_index(number.max(0) as usize)
}

fn site_id(number: jint) -> SiteId {
    SiteId::from_index(number.max(0) as usize)
}

/// `numberFor` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_numberFor(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jobject,
    parent: jint,
) -> jlong {
    in_state(jni, 0, |_, state, jvm| {
        let parent = (parent >= 0).then(|| thread_id(parent));
        let number = state.new_thread(jvm, thread, parent)?;
        Ok(number.index() as jlong | jlong::from(state.time(number)) << 32)
    })
}

/// `access0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_access0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    word: jlong,
    site: jint,
    kind: jint,
) -> jlong {
    in_state(jni, word, |_, state, jvm| {
        state.field_access(jvm, thread_id(thread), object, word, site_id(site), kind)
    })
}

/// `plain0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_plain0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    mine: jlong,
    site: jint,
    kind: jint,
) {
    in_state(jni, (), |_, state, jvm| {
        let accessor = Accessor { thread: thread_id(thread), word: mine, site: site_id(site), kind };
        state.plain_access(jvm, accessor, object)
    })
}

/// `array0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_array0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    mine: jlong,
    index: jint,
    site: jint,
    kind: jint,
) -> jlong {
    in_state(jni, 0, |agent, state, jvm| {
        let accessor = Accessor { thread: thread_id(thread), word: mine, site: site_id(site), kind };
        let (word, is_shared_now) = state.array_access(jvm, accessor, object, index)?;
        if is_shared_now {
            state.array_changes = state.array_changes.wrapping_add(1);
            let support = agent.support.load(Ordering::Acquire);
            jvm.set_static_int(support.cast(), c"arrayChanges", state.array_changes)?;
        }
        Ok(word)
    })
}

/// `volatile0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_volatile0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    site: jint,
    kind: jint,
) -> jint {
    in_state(jni, 0, |_, state, jvm| {
        let thread = thread_id(thread);
        let is_none = state.volatile_access(jvm, thread, object, site_id(site), kind)?;
        Ok(if is_none { -1 } else { state.time(thread) })
    })
}

/// `step0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_step0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    kind: jint,
    object: jobject,
    detail: jint,
) -> jint {
    in_state(jni, 0, |_, state, jvm| {
        if let Some(step) = Step::from_number(kind) {
            state.step(jvm, thread_id(thread), step, object, detail)?;
        }
        Ok(state.time(thread_id(thread)))
    })
}

/// `time0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_time0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
) -> jint {
    in_state(jni, 0, |_, state, _| Ok(state.time(thread_id(thread))))
}

/// `shadow0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_shadow0(
    jni: *mut JNIEnv,
    _: jclass,
    array: jobject,
) -> jobject {
    in_state(jni, std::ptr::null_mut(), |_, state, jvm| state.shadow(jvm, array))
}

/// `shared0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_shared0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    shadow: jobject,
    header: jlong,
    known: jlong,
    index: jint,
    site: jint,
    kind: jint,
) -> jlong {
    in_state(jni, 1, |_, state, jvm| {
        let accessor = Accessor { thread: thread_id(thread), word: 0, site: site_id(site), kind };
        state.element(jvm, accessor, shadow, header, known, index)
    })
}

/// `initialised0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_initialised0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    site: jint,
) -> jint {
    in_state(jni, 0, |_, state, jvm| {
        state.initialised(jvm, thread_id(thread), site_id(site));
        Ok(state.time(thread_id(thread)))
    })
}

/// `view0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_view0(
    jni: *mut JNIEnv,
    _: jclass,
    view: jobject,
    lock: jobject,
) {
    in_state(jni, (), |_, state, jvm| state.view(jvm, view, lock))
}

/// `call0` of the support class.
///
/// # Safety
/// Called by the virtual machine only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_call0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    mine: jlong,
    site: jint,
) {
    in_state(jni, (), |_, state, jvm| {
        let accessor = Accessor { thread: thread_id(thread), word: mine, site: site_id(site), kind: 0 };
        state.call(jvm, accessor, object)
    })
}
