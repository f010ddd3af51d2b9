//! The agent: `java -agentpath:libselvedge_recorder.so=out=FILE ...`.
//!
//! Every method entry looks one frame down and records the pair. That makes the JVM interpret everything,
//! so a recorded run is some dozens of times slower than a plain one; recorded programs are chosen small. What an entry
//! costs beyond the JVM's own part is a look into a table of the thread; only a pair that this thread has
//! not seen takes the lock of the [`Collector`].
//!
//! Not seen are calls that native code or the JVM makes to methods with an empty body, which it leaves out,
//! and methods for which the interpreter has code of its own (some of `Math`, `CRC32` and `Float`).
//!
//! Class files that reach loaders of the program's own are kept beside the recording: some of them are made while the program
//! runs and are in no jar.
//!
//! The run's start-up before the JVM reports itself initialised is not recorded. The file is written when
//! the JVM ends, also through `System.exit` and `Runtime.halt`; threads that still run then record on
//! into a collector that nobody reads.

mod collector;
mod site;

use crate::plumbing::is_made_at_run_time;
use crate::recording::{Loader, made_classes_dir};
use collector::Collector;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_jvm::sys::jni::{JNIEnv, JavaVM, jclass, jint, jlong, jmethodID, jobject};
use selvedge_jvm::sys::jvmti::{
    JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_VM_INIT,
    JVMTI_EVENT_VM_OBJECT_ALLOC, jvmtiCapabilities, jvmtiEnv, jvmtiEventCallbacks,
};
use selvedge_jvm::{Frame, Jvm, Problem, callbacks};
use std::cell::RefCell;
use std::ffi::{c_char, c_uchar, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The one recording of the process and where it goes.
struct Run {
    out: PathBuf,
    collector: Mutex<Collector>,
}

static RUN: OnceLock<Run> = OnceLock::new();

/// What a thread has already handed to the collector.
#[derive(Default)]
struct Seen {
    /// Pairs of neighbouring frames, and whether the lower one is machinery that works for a frame further down.
    neighbours: FxHashMap<Pair, bool>,
    /// Pairs of an ordinary frame and what it reached through machinery.
    collapsed: FxHashSet<Pair>,
}

/// A calling frame, if any, and the called method. Methods are the JVM's ids, which stay unique while no
/// class is unloaded; `record` starts the JVM so.
type Pair = (Option<Frame>, usize);

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

impl Run {
    fn collector(&self) -> MutexGuard<'_, Collector> {
        // A panic in another thread would have ended the process; what the lock holds is whole at any time.
        self.collector.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn method_entered(&self, jvm: &Jvm, method: jmethodID) -> Result<(), Problem> {
        let callee = method as usize;
        let pair = (jvm.frame_below(1)?, callee);
        let known = SEEN.try_with(|seen| seen.borrow().neighbours.get(&pair).copied());
        let through_machinery = match known {
            Ok(Some(through_machinery)) => through_machinery,
            // Not seen, or the thread is so near its end that its table is gone.
            Ok(None) | Err(_) => {
                let through_machinery = self.collector().neighbours(jvm, pair.0, callee)?;
                let _ = SEEN.try_with(|seen| seen.borrow_mut().neighbours.insert(pair, through_machinery));
                through_machinery
            }
        };
        if through_machinery {
            self.entered_through_machinery(jvm, callee)?;
        }
        Ok(())
    }

    /// The lower neighbour alone does not tell who is behind it: one accessor serves many callers.
    fn entered_through_machinery(&self, jvm: &Jvm, callee: usize) -> Result<(), Problem> {
        let (plumbing, frame) = {
            let mut collector = self.collector();
            collector.ordinary_frame(jvm)?
        };
        let pair = (frame, callee);
        let is_new = SEEN.try_with(|seen| seen.borrow_mut().collapsed.insert(pair)).unwrap_or(true);
        if is_new {
            self.collector().collapsed(jvm, frame, callee, plumbing)?;
        }
        Ok(())
    }

    /// Keeps the file of a class that a loader of the program's own defines; what the JDK makes is left out.
    fn class_loaded(&self, jvm: &Jvm, loader: jobject, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        if !is_made_at_run_time(name) && collector::kind_of_loader(jvm, loader)? == Loader::Custom {
            let file = made_classes_dir(&self.out).join(format!("{name}.class"));
            let kept = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = kept.and_then(|()| std::fs::write(&file, bytes)) {
                eprintln!("selvedge-recorder: cannot write {}: {error}", file.display());
            }
        }
        Ok(())
    }

    fn write(&self) {
        let recording = self.collector().recording();
        if let Err(error) = replace_file(&self.out, &recording.to_text()) {
            eprintln!("selvedge-recorder: cannot write {}: {error}", self.out.display());
        }
    }
}

/// Writes beside the place and renames, so that a reader never sees half a recording.
fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, text)?;
    std::fs::rename(&partial, path)
}

/// The value of `out=` among the agent's comma-separated options.
fn parse_options(options: &str) -> Result<PathBuf, String> {
    let mut out = None;
    for option in options.split(',').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("out", path)) if !path.is_empty() => out = Some(PathBuf::from(path)),
            _ => return Err(format!("unknown option \"{option}\"; the agent takes out=FILE")),
        }
    }
    out.ok_or_else(|| "no output file given; start the agent with out=FILE".to_owned())
}

fn start(jvm: &Jvm, options: &str) -> Result<(), String> {
    let run = Run { out: parse_options(options)?, collector: Mutex::default() };
    RUN.set(run).map_err(|_| "the agent is loaded twice".to_owned())?;
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_method_entry_events(true);
    capabilities.set_can_generate_vm_object_alloc_events(true);
    capabilities.set_can_get_bytecodes(true);
    capabilities.set_can_get_constant_pool(true);
    capabilities.set_can_access_local_variables(true);
    let mut callbacks = jvmtiEventCallbacks::default();
    callbacks.VMInit = Some(vm_init);
    callbacks.VMDeath = Some(vm_death);
    callbacks.MethodEntry = Some(method_entry);
    callbacks.VMObjectAlloc = Some(vm_object_alloc);
    callbacks.ClassFileLoadHook = Some(class_file_load);
    jvm.listen(&capabilities, &callbacks, &[JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH])
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
    // SAFETY: the JVM calls `Agent_OnLoad` once, with its live invocation interface and the options as a string or null (JVMTI).
    unsafe { callbacks::load(vm, options, start, |message| eprintln!("selvedge-recorder: {message}")) }
}

/// Runs an event's work and notes what goes wrong in it.
fn observe(env: *mut jvmtiEnv, jni: *mut JNIEnv, work: impl FnOnce(&Run, &Jvm) -> Result<(), Problem>) {
    let Some(run) = RUN.get() else { return };
    // SAFETY: only callbacks call this, with the JVMTI environment, which is never disposed of, and the JNI environment of this thread, valid
    // until the callback returns, which `work` does not outlive.
    if let Err(problem) = unsafe { callbacks::work(env, jni, |jvm| work(run, jvm)) } {
        run.collector().problem(problem);
    }
}

unsafe extern "system" fn vm_init(env: *mut jvmtiEnv, jni: *mut JNIEnv, _thread: jobject) {
    observe(env, jni, |_, jvm| {
        jvm.enable(JVMTI_EVENT_VM_OBJECT_ALLOC)?;
        jvm.enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)?;
        jvm.enable(JVMTI_EVENT_METHOD_ENTRY)
    });
}

unsafe extern "system" fn method_entry(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _thread: jobject,
    method: jmethodID,
) {
    observe(env, jni, |run, jvm| run.method_entered(jvm, method));
}

unsafe extern "system" fn vm_object_alloc(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _thread: jobject,
    _object: jobject,
    class: jclass,
    _size: jlong,
) {
    observe(env, jni, |run, jvm| run.collector().allocated(jvm, class));
}

unsafe extern "system" fn class_file_load(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    _being_redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    data: *const c_uchar,
    _new_length: *mut jint,
    _new_data: *mut *mut c_uchar,
) {
    // SAFETY: for this event the JVM passes a name (null for some classes) and `length` bytes of a class file, which it does not change or free
    // before the callback returns; name and bytes are not used after that.
    let Some((name, bytes)) = (unsafe { callbacks::class_file(name, data, length) }) else { return };
    if loader.is_null() {
        return;
    }
    observe(env, jni, |run, jvm| run.class_loaded(jvm, loader, &name, bytes));
}

unsafe extern "system" fn vm_death(env: *mut jvmtiEnv, jni: *mut JNIEnv) {
    observe(env, jni, |run, _| {
        run.write();
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_the_output_file() {
        assert_eq!(parse_options("out=a/b.edges"), Ok(PathBuf::from("a/b.edges")));
        assert!(parse_options("").unwrap_err().contains("out=FILE"));
        assert!(parse_options("out=").unwrap_err().contains("unknown option"));
        assert!(parse_options("out=x,colour=blue").unwrap_err().contains("colour=blue"));
    }
}
