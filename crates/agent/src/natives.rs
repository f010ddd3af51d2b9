//! The native methods of the support class. Each takes the lock, does its step, and answers; what goes wrong changes nothing for
//! the program.
//!
//! The JVM finds them by their names among the symbols of the agent's library.

#![allow(non_snake_case)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use selvedge_base::Id;
use selvedge_instrument::{FieldName, World as _};
use selvedge_jvm::sys::jni::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{SiteId, ThreadId};
use selvedge_runtime::ranges::Span;

use crate::accesses::{Accessor, Earlier};
use crate::events::MAX_FRAMES;
use crate::fading::Counted;
use crate::state::State;
use crate::steps::Step;
use crate::{AGENT, Agent, RUNNING};

/// Does a step under the lock, and answers with `otherwise` if the agent is not at work or something went wrong.
fn in_state<T>(
    jni: *mut JNIEnv,
    otherwise: T,
    work: impl FnOnce(&Agent, &mut State, &Jvm) -> Result<T, Problem>,
) -> T {
    in_state_after(jni, otherwise, |_| (), |agent, state, jvm, ()| work(agent, state, jvm))
}

/// Does `before`, then `work` with the state locked and with what `before` has found, and then tells the races that this has shown. Stacks are
/// asked for before and after, not with the lock held; see [`crate::races`].
fn in_state_after<B, T>(
    jni: *mut JNIEnv,
    otherwise: T,
    before: impl FnOnce(&Jvm) -> B,
    work: impl FnOnce(&Agent, &mut State, &Jvm, B) -> Result<T, Problem>,
) -> T {
    let Some(agent) = AGENT.get() else { return otherwise };
    if agent.phase() != RUNNING {
        return otherwise;
    }
    // SAFETY: the agent's JVMTI environment was stored before the support class, whose natives these are, was defined, and is never disposed
    // of; `jni` is what the JVM gave this native method on this thread, and `jvm` ends with the call.
    let jvm = unsafe { Jvm::in_callback(agent.env.load(Ordering::Relaxed), jni) };
    // A panic must not cross into the JVM.
    let done = catch_unwind(AssertUnwindSafe(|| {
        let found = before(&jvm);
        let (answer, questions) = {
            let mut state = agent.state();
            let answer = work(agent, &mut state, &jvm, found);
            (answer, std::mem::take(&mut state.questions))
        };
        agent.tell(&jvm, questions);
        answer
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

/// The text in an array of characters.
pub(crate) fn text_of(jvm: &Jvm, characters: jobject) -> String {
    let mut units = vec![0; jvm.array_length(characters).max(0) as usize];
    jvm.ints(characters, &mut units);
    units.into_iter().filter_map(|unit| char::from_u32(unit as u32)).collect()
}

/// The answer to an access that is to be told again, unless the locks are the same.
const NOT_ENOUGH: jint = -1;

fn thread_id(number: jint) -> ThreadId {
    ThreadId::from_index(number.max(0) as usize)
}

fn site_id(number: jint) -> SiteId {
    SiteId::from_index(number.max(0) as usize)
}

/// `numberFor` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_numberFor(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jobject,
    parent: jint,
    clock: jobject,
) {
    let parent = (parent >= 0).then(|| thread_id(parent));
    let asked = |jvm: &Jvm| {
        let stack = parent.map(|parent| (parent, jvm.frames_below(0, MAX_FRAMES).unwrap_or_default()));
        (jvm.thread_name(thread).unwrap_or_default(), stack)
    };
    in_state_after(jni, (), asked, |_, state, jvm, (name, parent)| {
        let number = state.new_thread(jvm, (thread, name), parent)?;
        state.leave(jvm, number, clock);
        Ok(())
    })
}

/// `event0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_event0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    index: jint,
    site: jint,
    kind: jint,
) -> jint {
    in_state(jni, NOT_ENOUGH, |_, state, jvm| {
        let accessor = Accessor { thread: thread_id(thread), word: 0, site: site_id(site), kind: kind & 1 };
        match kind {
            0 | 1 | 4 | 5 => Ok(match state.told(jvm, accessor, object, index, kind & 4 != 0)? {
                Some((enough, held)) if held < 1 << 15 => (held << 16 | enough) as jint,
                _ => NOT_ENOUGH,
            }),
            2 | 3 => state.recorded(jvm, accessor, object, index).map(|()| NOT_ENOUGH),
            _ => Ok(NOT_ENOUGH),
        }
    })
}

/// `walk0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_walk0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    array: jobject,
    first: jint,
    last: jint,
    step: jint,
    site: jint,
    kind: jint,
    earlier: jlong,
    locks: jobject,
    modes: jobject,
) -> jint {
    in_state(jni, 0, |_, state, jvm| {
        let locks = state.holds_in(jvm, locks, modes)?;
        let accessor = Accessor { thread: thread_id(thread), word: earlier, site: site_id(site), kind };
        let [first, last, step] = [first, last, step].map(|number| number.max(0) as u32);
        Span::new(first, last, step).map_or(Ok(0), |span| state.walked(jvm, accessor, array, span, locks))
    })
}

/// `race0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_race0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    index: jint,
    site: jint,
    kind: jint,
    earlier: jlong,
    earlier_kind: jint,
    locks: jobject,
    modes: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        let locks = state.holds_in(jvm, locks, modes)?;
        let accessor = Accessor { thread: thread_id(thread), word: 0, site: site_id(site), kind };
        state.unordered(jvm, accessor, object, index, Earlier::new(earlier, earlier_kind), locks)
    })
}

/// `field0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_field0(
    jni: *mut JNIEnv,
    _: jclass,
    field: jint,
) -> jobject {
    in_state(jni, std::ptr::null_mut(), |_, state, jvm| {
        let Some((described, first)) = state.word_field(field.max(0) as usize) else {
            return Ok(std::ptr::null_mut());
        };
        jvm.new_string(&format!("{described}:{first}"))
    })
}

/// `plain0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
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

/// `volatile0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_volatile0(
    jni: *mut JNIEnv,
    _: jclass,
    site: jint,
    is_static: jboolean,
) -> jint {
    in_state(jni, 1, |_, state, _| Ok(state.volatile_site(site_id(site), is_static != 0)))
}

/// `target0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_target0(
    jni: *mut JNIEnv,
    _: jclass,
    site: jint,
) -> jobject {
    in_state(jni, std::ptr::null_mut(), |_, state, jvm| {
        let target = state.targets.get(site.max(0) as usize).and_then(Option::as_ref);
        let described = target.map(|target| format!("{}:{}", target.owner.replace('/', "."), target.name));
        described.map_or(Ok(std::ptr::null_mut()), |described| jvm.new_string(&described))
    })
}

/// `slot0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_slot0(
    jni: *mut JNIEnv,
    _: jclass,
    class: jobject,
    field: jobject,
) -> jint {
    in_state(jni, 0, |_, state, jvm| {
        if class.is_null() || field.is_null() {
            return Ok(0);
        }
        let (class, field) = (jvm.class_name(class)?, text_of(jvm, field));
        Ok(state.static_slot(FieldName { owner: &class, name: &field }) as jint)
    })
}

/// `words0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_words0(
    jni: *mut JNIEnv,
    _: jclass,
    site: jint,
    kind: jint,
    class: jobject,
    field: jobject,
) -> jint {
    in_state(jni, -1, |_, state, jvm| {
        if site < 0 {
            return Ok(-1);
        }
        if class.is_null() || field.is_null() {
            state.accesses_elements(site_id(site), kind);
            return Ok(-1);
        }
        let (class, field) = (jvm.class_name(class)?, text_of(jvm, field));
        Ok(state.accesses_field(site_id(site), &class, &field).map_or(-1, |number| number as jint))
    })
}

/// `clashes0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_clashes0(
    jni: *mut JNIEnv,
    _: jclass,
    class: jobject,
) -> jboolean {
    in_state(jni, 0, |_, state, jvm| {
        if class.is_null() || !state.classes.any_clashes() {
            return Ok(0);
        }
        Ok(u8::from(state.classes.clashes(&jvm.class_name(class)?)))
    })
}

/// `sync0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_sync0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    offset: jint,
    site: jint,
    kind: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        let thread = thread_id(thread);
        state.variable(jvm, thread, (object, offset), site_id(site), kind)?;
        state.leave(jvm, thread, clock);
        Ok(())
    })
}

/// `held0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_held0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    object: jobject,
    mode: jint,
    is_held: jboolean,
) {
    in_state(jni, (), |_, state, jvm| state.held(jvm, thread_id(thread), object, mode, is_held != 0))
}

/// `flush0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_flush0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    time: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        state.catch_up(jvm, thread_id(thread), time.max(0) as u32, clock);
        Ok(())
    })
}

/// `step0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_step0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    kind: jint,
    object: jobject,
    detail: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        let thread = thread_id(thread);
        if let Some(step) = Step::from_number(kind) {
            state.step(jvm, thread, step, object, detail)?;
        }
        state.leave(jvm, thread, clock);
        Ok(())
    })
}

/// `time0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_time0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        state.leave(jvm, thread_id(thread), clock);
        Ok(())
    })
}

/// `initialised0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_initialised0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    site: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        let thread = thread_id(thread);
        state.initialised(thread, site_id(site));
        state.leave(jvm, thread, clock);
        Ok(())
    })
}

/// `seesClass0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_seesClass0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    site: jint,
    clock: jobject,
) {
    in_state(jni, (), |_, state, jvm| {
        let thread = thread_id(thread);
        state.sees_class(thread, site_id(site));
        state.leave(jvm, thread, clock);
        Ok(())
    })
}

/// `view0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_view0(
    jni: *mut JNIEnv,
    _: jclass,
    view: jobject,
    lock: jobject,
) {
    in_state(jni, (), |_, state, jvm| state.view(jvm, view, lock))
}

/// `kind0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_kind0(
    jni: *mut JNIEnv,
    _: jclass,
    object: jobject,
    site: jint,
) -> jint {
    in_state(jni, 0, |_, state, jvm| state.kind_of_call(jvm, object, site_id(site)))
}

/// `hand0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_hand0(
    jni: *mut JNIEnv,
    _: jclass,
    thread: jint,
    kind: jint,
    channel: jobject,
    item: jobject,
) {
    in_state(jni, (), |_, state, jvm| state.hands_over(jvm, thread_id(thread), kind == 0, channel, item))
}

/// `behind0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_behind0(
    jni: *mut JNIEnv,
    _: jclass,
    object: jobject,
    site: jint,
) -> jobject {
    in_state(jni, std::ptr::null_mut(), |_, state, jvm| {
        let path = state.path_behind(jvm, object, site_id(site))?;
        jvm.new_string(&path)
    })
}

/// `fade0` of the support class.
///
/// # Safety
/// Called by the JVM only, as the class declares it.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_Selvedge_fade0(
    jni: *mut JNIEnv,
    _: jclass,
    judgements: jobject,
    entries: jobject,
    often: jint,
) -> jboolean {
    let Some(agent) =
        AGENT.get().filter(|agent| agent.phase() == RUNNING && !judgements.is_null() && !entries.is_null())
    else {
        return 0;
    };
    // SAFETY: the agent's JVMTI environment was stored before the support class, whose natives these are, was defined, and is never disposed
    // of; `jni` is what the JVM gave this native method on this thread, and `jvm` ends with the call.
    let jvm = unsafe { Jvm::in_callback(agent.env.load(Ordering::Relaxed), jni) };
    // A panic must not cross into the JVM.
    let done = catch_unwind(AssertUnwindSafe(|| {
        let counts = |array: jobject, most: usize| {
            let mut counts = vec![0; most.min(jvm.array_length(array).max(0) as usize)];
            jvm.ints(array, &mut counts);
            counts
        };
        let sites = agent.state().tables.sites.len();
        // Entries are counted anew from now on.
        let counted = Counted { judgements: counts(judgements, sites), entries: counts(entries, usize::MAX) };
        jvm.set_ints(entries, 0, &vec![0; counted.entries.len()]);
        agent.fade(&jvm, counted, often.max(1) as u32)
    }));
    match done {
        Ok(Ok(fades)) => u8::from(fades),
        Ok(Err(problem)) => {
            agent.state().skip(problem.to_string());
            0
        }
        Err(_) => 0,
    }
}
