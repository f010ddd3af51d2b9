//! The agent: `java -agentpath:libselvedge_agent.so=DIRECTORY ...`.
//!
//! It rewrites classes as they are loaded ([`instrument`](selvedge_instrument)), takes what their hooks cannot decide by
//! themselves ([`natives`]), gives it as events to the detectors ([`runtime`](selvedge_runtime)), says each race at once on
//! the standard error output, and leaves all findings in the directory, where `selvedge run` picks them up.
//!
//! **Start.** Classes get the fields that their objects need at their first load, before there is anything to call. The support class is defined
//! when the JVM can define classes; library classes that were loaded before that are rewritten when the JVM is
//! initialised, and only then do hooks begin to report.
//!
//! **Locks.** Everything known is behind one lock ([`State`](state::State)), taken by hooks, by the loading of classes, and at the
//! end of the JVM. No Java code runs under it. The collector's message that an object is gone comes from threads that may
//! wait for those that hold the lock: such messages are put aside ([`Agent::freed`]) until somebody holds it.
//!
//! **Nothing grows for ever.** What is kept of objects goes with them; of threads, some time after their objects ([`state::State::retire`]); what is kept of classes is by name and
//! content, not by load ([`loads`]).
//!
//! **Never in the way.** What the agent cannot do it leaves undone and says so at the end; the program runs on.

#![allow(unsafe_code)]

mod accesses;
mod archive;
mod classes;
mod epochs;
mod events;
mod fading;
pub mod hold;
mod loads;
pub mod natives;
mod nearby;
mod objects;
mod races;
mod recording;
mod results;
mod running;
mod state;
mod steps;
mod stop;

use std::ffi::{CStr, c_char, c_uchar, c_void};
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use selvedge_hooks::CLASSES;
use selvedge_instrument::{Instrumenter, Role};
use selvedge_jvm::callbacks::{self, ClassFileEvent};
use selvedge_jvm::sys::jni::{JNIEnv, JavaVM, jclass, jint, jlong, jobject};
use selvedge_jvm::sys::jvmti::*;
use selvedge_jvm::{Jvm, Problem};
use selvedge_models::Models;
use selvedge_protocol::{Arrays, DetectorChoice, Granularity};
use selvedge_runtime::session::Settings;

use state::State;

/// The one agent of the process.
pub(crate) struct Agent {
    settings: Settings,
    rules: Arc<Instrumenter>,
    phase: AtomicU8,
    state: Mutex<State>,
    /// Objects that the collector has freed, to be told to the detectors.
    freed: Mutex<Vec<i64>>,
    env: AtomicPtr<jvmtiEnv>,
    /// How often the collector has run.
    collections: AtomicI32,
    /// The support class, a global reference.
    support: AtomicPtr<c_void>,
}

/// Before classes can be defined; before the program starts; while it runs; after its end.
const EARLY: u8 = 0;
const STARTED: u8 = 1;
const RUNNING: u8 = 2;
const ENDED: u8 = 3;

/// Library classes that virtual threads need while they leave their carriers. The JVM reports no class that is loaded then, so that their
/// synchronisation would stay unknown: they are loaded before.
const LOADED_BY_CARRIERS: [&CStr; 9] = [
    c"java/util/concurrent/Callable",
    c"java/util/concurrent/Executors$RunnableAdapter",
    c"java/util/concurrent/ForkJoinTask$RunnableExecuteAction",
    c"java/util/concurrent/FutureTask",
    c"java/util/concurrent/FutureTask$WaitNode",
    c"java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue",
    c"java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask",
    c"java/util/concurrent/ThreadPoolExecutor$Worker",
    c"java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionNode",
];

static AGENT: OnceLock<Agent> = OnceLock::new();

impl Agent {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn phase(&self) -> u8 {
        self.phase.load(Ordering::Acquire)
    }

    /// Rewrites a class that is being loaded, or loaded anew. `None` if it stays as it is.
    fn load(&self, jvm: &Jvm, name: &str, bytes: &[u8], loader: jobject, again: bool) -> Option<Vec<u8>> {
        if self.phase() == EARLY {
            self.state().classes.see(bytes, None);
            return self.rules.with_fields(bytes).ok().flatten();
        }
        let mut state = self.state();
        // Before the program starts, objects cannot have numbers yet, and loaders with classes of the same names are not there.
        let loader = if loader.is_null() { None } else { state.number(jvm, loader).ok() };
        if !state.classes.see(bytes, loader) {
            state.skip(format!(
                "{name}: not the class of that name on the class path, for which other classes were rewritten"
            ));
        }
        let role = self.rules.role(name);
        if role == Role::Other {
            return None;
        }
        let is_new = !again && role != Role::Library;
        state.program_classes += u64::from(is_new);
        state.watched_classes += u64::from(!again && role == Role::Application);
        state.redefining = again;
        state.loads.begin(bytes);
        let rewritten = self.rules.instrument(bytes, &mut *state);
        state.loads.end();
        match rewritten {
            Ok(rewritten) => rewritten,
            Err(error) => {
                state.skip(format!("{name}: {error}"));
                None
            }
        }
    }

    /// Defines the support classes, the main one last.
    fn define_support(&self, jvm: &Jvm) -> Result<(), Problem> {
        self.support.store(jvm.define_boot_classes(&CLASSES)?.cast(), Ordering::Release);
        self.phase.store(STARTED, Ordering::Release);
        Ok(())
    }

    /// Rewrites the library classes that are loaded already, and lets the hooks tell.
    fn begin(&self, jvm: &Jvm) -> Result<(), Problem> {
        for name in LOADED_BY_CARRIERS {
            // Not every release has all of them.
            if let Ok(class) = jvm.find_class(name) {
                jvm.forget(class);
            }
        }
        let wanted = jvm.loaded_for_rewriting(|name| self.rules.role(name) == Role::Library)?;
        self.rewrite_again(jvm, &wanted, "library classes");
        let support = self.support.load(Ordering::Acquire);
        jvm.set_static_long(support.cast(), c"longs", jvm.long_array_base()?)?;
        // Binds the native methods now: the JVM looks for them with Java code, which may be in the midst of anything later.
        jvm.call_static_void(support.cast(), c"bind")?;
        jvm.set_static_long(support.cast(), c"collectionsAt", self.collections.as_ptr() as i64)?;
        let options = &self.settings.plan.options;
        for (name, value) in [
            (c"order", options.detector != DetectorChoice::Lockset),
            (c"locks", options.detector != DetectorChoice::HappensBefore),
            (c"owners", options.ownership),
            (c"caching", options.cache),
            (c"settling", options.settling && options.detector != DetectorChoice::Lockset),
            (c"wholeArrays", options.arrays == Arrays::Whole || options.granularity == Granularity::Object),
            (c"recording", self.settings.record.is_some()),
            (c"eager", self.settings.record.is_some()),
        ] {
            jvm.set_static_boolean(support.cast(), name, value)?;
        }
        // A record is of everything.
        let fades = options.fade_after != 0 && self.settings.record.is_none();
        let fade_after = if fades { options.fade_after.min(fading::LATEST) } else { 0 };
        jvm.set_static_int(support.cast(), c"fadeAfter", fade_after as i32)?;
        self.phase.store(RUNNING, Ordering::Release);
        jvm.set_static_boolean(support.cast(), c"on", true)?;
        let mut state = self.state();
        state.observing = true;
        results::save(&state);
        Ok(())
    }

    /// Rewrites classes that are loaded already.
    fn rewrite_again(&self, jvm: &Jvm, classes: &[jclass], what: &str) {
        if let Err(problem) = jvm.retransform(classes) {
            // One that the JVM does not accept would stop them all: one by one, then.
            self.state().skip(format!("{what} together: {problem}"));
            for class in classes {
                if let Err(problem) = jvm.retransform(&[*class]) {
                    let name = jvm.class_name(*class).unwrap_or_default();
                    self.state().skip(format!("{name}: {problem}"));
                }
            }
        }
    }

    /// Notes the library classes that the JVM has loaded without a word, as it does while a virtual thread changes its carrier: what they
    /// order is not known.
    fn note_unseen(&self, jvm: &Jvm) {
        for class in jvm.loaded_classes().unwrap_or_default() {
            if let Ok(name) = jvm.class_name(class)
                && self.rules.role(&name) == Role::Library
                && !self.state().classes.is_seen(&name)
                && !name.contains(['.', '['])
            {
                self.state().skip(format!("{name}: loaded unseen, so what it orders is not known"));
            }
            jvm.forget(class);
        }
    }

    /// Says what was found. Once.
    fn end(&self, jvm: Option<&Jvm>) {
        if self.phase.swap(ENDED, Ordering::AcqRel) == ENDED {
            return;
        }
        let support = self.support.load(Ordering::Acquire);
        if let (Some(jvm), false) = (jvm, support.is_null()) {
            let _ = jvm.set_static_boolean(support.cast(), c"on", false);
            self.note_unseen(jvm);
            let ran = jvm.static_booleans(support.cast(), c"executed").unwrap_or_default();
            let mut state = self.state();
            let has_run = |number: &u32| ran.get(*number as usize).is_some_and(|ran| *ran);
            let executed = state.listed_methods.iter().filter(|(_, number)| has_run(number));
            let mut executed: Vec<String> = executed.map(|(name, _)| name.clone()).collect();
            executed.sort();
            state.executed = executed;
        }
        let mut state = self.state();
        state.tell_rest();
        state.finish(&self.settings);
    }
}

fn start(jvm: &Jvm, options: &str) -> Result<(), String> {
    let settings = match Settings::read(options) {
        // A command that has ended takes its directory along. What it left in the environment of a daemon must not stop later JVMs.
        Err(_) if !std::path::Path::new(options).is_dir() => {
            results::say(&format!("this JVM is not observed: {options} is gone"));
            return Ok(());
        }
        read => read?,
    };
    if let Some(agent) = AGENT.get() {
        // Loaded twice, as by a run within a run: the first one works, and leaves its results for both.
        let mut state = agent.state();
        state.also.extend(settings.directory);
        results::save(&state);
        return Ok(());
    }
    if let Some(plan) = settings.hold.clone() {
        return hold::start(jvm, plan, settings);
    }
    let class_path = jvm.system_property(c"java.class.path").unwrap_or_default();
    let rules = Instrumenter::new(settings.plan.clone(), Models::builtin());
    let rules = if settings.record.is_some() { rules.with_every_access() } else { rules };
    let rules = Arc::new(if settings.note_executed { rules.with_notes() } else { rules });
    let is_stopping = settings.stop;
    let mut state = State::new(&settings, Arc::clone(&rules));
    state.classes.look_in(&class_path);
    results::save(&state);
    let agent = Agent {
        state: Mutex::new(state),
        settings,
        rules,
        phase: AtomicU8::new(EARLY),
        freed: Mutex::default(),
        env: AtomicPtr::new(jvm.env()),
        collections: AtomicI32::new(0),
        support: AtomicPtr::default(),
    };
    if AGENT.set(agent).is_err() {
        // The JVM loads agents one after the other, so this was looked at above.
        return Ok(());
    }
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_all_class_hook_events(true);
    capabilities.set_can_generate_early_class_hook_events(true);
    capabilities.set_can_retransform_classes(true);
    capabilities.set_can_tag_objects(true);
    capabilities.set_can_generate_object_free_events(true);
    capabilities.set_can_generate_garbage_collection_events(true);
    capabilities.set_can_get_line_numbers(true);
    capabilities.set_can_get_source_file_name(true);
    capabilities.set_can_suspend(is_stopping);
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMStart = Some(vm_start);
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.ThreadEnd = Some(thread_end);
    callbacks.VirtualThreadEnd = Some(virtual_thread_end);
    callbacks.ClassFileLoadHook = Some(class_file_load);
    callbacks.ObjectFree = Some(object_free);
    callbacks.GarbageCollectionFinish = Some(collected);
    // From JDK 21 on there are virtual threads; earlier JVMs do not know the capability.
    let mut of_virtual_threads = jvmtiCapabilities::default();
    of_virtual_threads.set_can_support_virtual_threads(true);
    let mut events = vec![
        JVMTI_EVENT_VM_START,
        JVMTI_EVENT_VM_INIT,
        JVMTI_EVENT_VM_DEATH,
        JVMTI_EVENT_THREAD_END,
        JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
        JVMTI_EVENT_OBJECT_FREE,
        JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
    ];
    if jvm.add_capabilities(&of_virtual_threads).is_ok() {
        events.push(JVMTI_EVENT_VIRTUAL_THREAD_END);
    }
    jvm.listen(&capabilities, &callbacks, &events)
}

/// Called by the JVM when it loads the agent.
///
/// # Safety
/// `vm` is the JVM's invocation interface and `options` a string or null, as the interface promises.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    let refused = |message: String| {
        results::say(&message);
        if let Some(agent) = AGENT.get() {
            let mut state = agent.state();
            state.skip(message);
            results::save(&state);
        }
    };
    // SAFETY: the JVM calls `Agent_OnLoad` once, with its live invocation interface and the options as a string or null (JVMTI).
    unsafe { callbacks::load(vm, options, start, refused) }
}

/// Runs an event's work; what goes wrong in it is noted, and the program runs on.
fn observe(env: *mut jvmtiEnv, jni: *mut JNIEnv, work: impl FnOnce(&Agent, &Jvm) -> Result<(), Problem>) {
    let Some(agent) = AGENT.get() else { return };
    // SAFETY: only callbacks call this, with the environments that the JVM gave them: its JVMTI environment, which is never disposed of, and
    // the JNI environment of the thread that the event is in, valid until the callback returns, which `work` does not outlive.
    if let Err(problem) = unsafe { callbacks::work(env, jni, |jvm| work(agent, jvm)) } {
        agent.state().skip(problem.to_string());
        if agent.phase() != RUNNING {
            // Nothing more may come of this JVM than that it was not observed.
            results::save(&agent.state());
        }
    }
}

unsafe extern "system" fn vm_start(env: *mut jvmtiEnv, jni: *mut JNIEnv) {
    observe(env, jni, |agent, jvm| agent.define_support(jvm));
}

unsafe extern "system" fn vm_init(env: *mut jvmtiEnv, jni: *mut JNIEnv, _thread: jobject) {
    observe(env, jni, |agent, jvm| agent.begin(jvm));
}

unsafe extern "system" fn vm_death(env: *mut jvmtiEnv, jni: *mut JNIEnv) {
    observe(env, jni, |agent, jvm| {
        agent.end(Some(jvm));
        Ok(())
    });
}

unsafe extern "system" fn thread_end(env: *mut jvmtiEnv, jni: *mut JNIEnv, thread: jobject) {
    observe(env, jni, |agent, jvm| {
        if agent.phase() == RUNNING && !thread.is_null() {
            agent.state().thread_ended(jvm, thread)?;
        }
        Ok(())
    });
}

unsafe extern "system" fn virtual_thread_end(env: *mut jvmtiEnv, jni: *mut JNIEnv, thread: jobject) {
    observe(env, jni, |agent, jvm| {
        if agent.phase() == RUNNING && !thread.is_null() {
            // `Thread.exit`, by which platform threads leave what they know, is not called for virtual ones.
            jvm.call_static_void(agent.support.load(Ordering::Acquire).cast(), c"ending")?;
            agent.state().thread_ended(jvm, thread)?;
        }
        Ok(())
    });
}

unsafe extern "system" fn object_free(_env: *mut jvmtiEnv, tag: jlong) {
    if let Some(agent) = AGENT.get() {
        agent.freed.lock().unwrap_or_else(PoisonError::into_inner).push(tag);
    }
}

unsafe extern "system" fn collected(_env: *mut jvmtiEnv) {
    if let Some(agent) = AGENT.get() {
        agent.collections.fetch_add(1, Ordering::Relaxed);
    }
}

unsafe extern "system" fn class_file_load(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    being_redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    data: *const c_uchar,
    new_length: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    let Some(agent) = AGENT.get().filter(|agent| agent.phase() != ENDED) else { return };
    let event = ClassFileEvent { name, data, length, new_length, new_data };
    // SAFETY: everything is what the JVM gave this callback on this thread.
    unsafe {
        callbacks::rewrite_class(env, jni, event, |jvm, name, bytes| {
            agent.load(jvm, name, bytes, loader, !being_redefined.is_null())
        });
    }
}
