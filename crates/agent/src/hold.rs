//! Directed runs: threads are held at the accesses of predicted races ([`Hold`]), and nothing is judged.
//!
//! Only classes with such accesses are rewritten, and only these accesses have hooks; the class that they call does the rest
//! (`SelvedgeHold`). It reports lines of text, each one a fact: these become [`HoldResults`], which are left in the session's directory as they
//! come, since the program may be killed at any time.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_uchar, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use selvedge_base::FastMap;
use selvedge_hooks::HOLD_CLASSES;
use selvedge_instrument::hold::hold;
use selvedge_jvm::callbacks::{self, ClassFileEvent};
use selvedge_jvm::sys::jni::{JNIEnv, jclass, jint, jobject};
use selvedge_jvm::sys::jvmti::*;
use selvedge_jvm::{Jvm, Problem};
use selvedge_protocol::{Hold, HoldResults, Locked, Meeting, StackLine};
use selvedge_runtime::session::{Results, Settings, is_abandoned};

use crate::natives::text_of;
use crate::running::running_test;
use crate::{EARLY, ENDED, RUNNING, STARTED, results};

/// The agent of a directed run.
struct Holder {
    plan: Hold,
    settings: Settings,
    /// The sites of each class, by internal name.
    sites: FastMap<String, Vec<u32>>,
    phase: AtomicU8,
    results: Mutex<Results>,
    env: AtomicPtr<jvmtiEnv>,
    /// The support class, a global reference.
    support: AtomicPtr<c_void>,
}

static HOLDER: OnceLock<Holder> = OnceLock::new();

/// Prepares the JVM for a directed run.
pub(crate) fn start(jvm: &Jvm, plan: Hold, settings: Settings) -> Result<(), String> {
    let mut sites: FastMap<String, Vec<u32>> = FastMap::default();
    for (number, site) in plan.sites.iter().enumerate() {
        sites.entry(site.class.replace('.', "/")).or_default().push(number as u32);
    }
    let results = Results {
        process: std::process::id(),
        directory: std::env::current_dir().unwrap_or_default(),
        hold: Some(HoldResults {
            arrived: vec![0; plan.sites.len()],
            found: vec![0; plan.sites.len()],
            ..HoldResults::default()
        }),
        ..Results::default()
    };
    let holder = Holder {
        plan,
        settings,
        sites,
        phase: AtomicU8::new(EARLY),
        results: Mutex::new(results),
        env: AtomicPtr::new(jvm.env()),
        support: AtomicPtr::default(),
    };
    if HOLDER.set(holder).is_err() {
        return Ok(());
    }
    let mut capabilities = jvmtiCapabilities::default();
    capabilities.set_can_generate_all_class_hook_events(true);
    capabilities.set_can_retransform_classes(true);
    capabilities.set_can_get_owned_monitor_info(true);
    capabilities.set_can_get_current_contended_monitor(true);
    let mut events = jvmtiEventCallbacks::default();
    events.VMStart = Some(vm_start);
    events.VMInit = Some(vm_init);
    events.VMDeath = Some(vm_death);
    events.ClassFileLoadHook = Some(class_file_load);
    let wanted =
        [JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK];
    jvm.listen(&capabilities, &events, &wanted)?;
    if let Some(holder) = HOLDER.get() {
        holder.save(&holder.results());
    }
    Ok(())
}

impl Holder {
    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn phase(&self) -> u8 {
        self.phase.load(Ordering::Acquire)
    }

    fn save(&self, results: &Results) {
        if let Some(directory) = &self.settings.directory
            && let Err(error) = results.write(directory)
        {
            results::say(&format!("cannot write to {}: {error}", directory.display()));
        }
    }

    fn define_support(&self, jvm: &Jvm) -> Result<(), Problem> {
        self.support.store(jvm.define_boot_classes(&HOLD_CLASSES)?.cast(), Ordering::Release);
        self.phase.store(STARTED, Ordering::Release);
        Ok(())
    }

    /// Rewrites what is loaded already, and lets the hooks hold.
    fn begin(&self, jvm: &Jvm) -> Result<(), Problem> {
        let wanted = jvm.loaded_for_rewriting(|name| self.sites.contains_key(name))?;
        if !wanted.is_empty() {
            jvm.retransform(&wanted)?;
        }
        let support: jclass = self.support.load(Ordering::Acquire).cast();
        let number = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        for (name, value) in [
            (c"first", i32::from(self.plan.first)),
            (c"patience", number(self.plan.patience)),
            (c"budget", number(self.plan.budget)),
            (c"most", number(self.plan.meetings)),
            (c"seed", self.plan.seed as i32),
        ] {
            jvm.set_static_int(support, name, value)?;
        }
        self.phase.store(RUNNING, Ordering::Release);
        jvm.call_static_void(support, c"begin")?;
        let mut results = self.results();
        results.observing = true;
        self.save(&results);
        Ok(())
    }

    fn end(&self, jvm: &Jvm) {
        let support = self.support.load(Ordering::Acquire);
        if self.phase() == RUNNING && !support.is_null() {
            let _ = jvm.call_static_void(support.cast(), c"finish");
        }
        if self.phase.swap(ENDED, Ordering::AcqRel) == ENDED {
            return;
        }
        let mut results = self.results();
        results.finished = true;
        self.save(&results);
        // The command was killed: nobody will read this, and nobody else removes it.
        if let Some(directory) = self.settings.directory.as_ref().filter(|path| is_abandoned(path)) {
            let _ = std::fs::remove_dir_all(directory);
        }
    }

    fn load(&self, name: &str, bytes: &[u8], again: bool) -> Option<Vec<u8>> {
        let numbers = self.sites.get(name).filter(|_| self.phase() != EARLY)?;
        let sites: Vec<_> =
            numbers.iter().map(|&number| (number, &self.plan.sites[number as usize])).collect();
        let held = hold(bytes, &sites);
        let mut results = self.results();
        results.classes += u64::from(!again);
        match held {
            Ok(held) => {
                if let Some(known) = &mut results.hold {
                    held.found.iter().for_each(|&number| known.found[number as usize] += 1);
                }
                held.bytes
            }
            Err(error) => {
                results.problems.push(format!("not observed: {name}: {error}"));
                None
            }
        }
    }

    /// Takes lines of results.
    fn take(&self, jvm: &Jvm, lines: &str) {
        let test =
            if lines.starts_with("M\t") { running_test(jvm, &self.settings.test_engines) } else { None };
        let mut results = self.results();
        if let Some(known) = &mut results.hold {
            for line in lines.lines() {
                let _ = take_line(known, line);
            }
            if let Some(meeting) = known.meetings.last_mut().filter(|_| test.is_some()) {
                meeting.test = test;
            }
        }
        self.save(&results);
    }
}

/// Takes one line of results; what is not understood is left out.
fn take_line(known: &mut HoldResults, line: &str) -> Option<()> {
    let mut parts = line.split('\t');
    let kind = parts.next()?;
    let mut number = || parts.next()?.parse::<usize>().ok();
    match kind {
        "A" => {
            let (site, count) = (number()?, number()?);
            *known.arrived.get_mut(site)? = count as u64;
        }
        "H" => known.held = number()? as u64,
        "K" => {
            let pair = number()? as u32;
            let lock = parts.next()?.to_owned();
            let seen = Locked { pair, lock };
            if !known.locked.contains(&seen) && known.locked.len() < 1000 {
                known.locked.push(seen);
            }
        }
        "M" => {
            let (at, pair, first) = (number()?, number()? as u32, number()? as u8);
            if at >= known.meetings.len() {
                known.meetings.resize(at + 1, Meeting { pair: u32::MAX, ..Meeting::default() });
            }
            known.meetings[at] = Meeting { pair, first, ..Meeting::default() };
        }
        "V" | "W" => {
            let meeting = known.meetings.get_mut(number()?)?;
            let value = Some(parts.next()?.to_owned());
            *(if kind == "V" { &mut meeting.before } else { &mut meeting.between }) = value;
        }
        "T" | "L" | "S" => {
            let meeting = known.meetings.get_mut(number()?)?;
            let thread = meeting.threads.get_mut(number()?)?;
            let text = parts.next()?.to_owned();
            match kind {
                "T" => thread.name = text,
                "L" => thread.locks.push(text),
                _ => thread.stack.push(StackLine {
                    class: text,
                    method: parts.next()?.to_owned(),
                    file: parts.next().filter(|file| !file.is_empty()).map(str::to_owned),
                    line: parts.next().and_then(|line| line.parse().ok()),
                }),
            }
        }
        _ => return None,
    }
    Some(())
}

fn observe(env: *mut jvmtiEnv, jni: *mut JNIEnv, work: impl FnOnce(&Holder, &Jvm) -> Result<(), Problem>) {
    let Some(holder) = HOLDER.get() else { return };
    // SAFETY: only callbacks call this, with the environments that the JVM gave them: its JVMTI environment, which is never disposed of, and
    // the JNI environment of the thread that the event is in, valid until the callback returns, which `work` does not outlive.
    if let Err(problem) = unsafe { callbacks::work(env, jni, |jvm| work(holder, jvm)) } {
        let mut results = holder.results();
        results.problems.push(format!("not observed: {problem}"));
        holder.save(&results);
    }
}

unsafe extern "system" fn vm_start(env: *mut jvmtiEnv, jni: *mut JNIEnv) {
    observe(env, jni, |holder, jvm| holder.define_support(jvm));
}

unsafe extern "system" fn vm_init(env: *mut jvmtiEnv, jni: *mut JNIEnv, _thread: jobject) {
    observe(env, jni, |holder, jvm| holder.begin(jvm));
}

unsafe extern "system" fn vm_death(env: *mut jvmtiEnv, jni: *mut JNIEnv) {
    observe(env, jni, |holder, jvm| {
        holder.end(jvm);
        Ok(())
    });
}

unsafe extern "system" fn class_file_load(
    env: *mut jvmtiEnv,
    jni: *mut JNIEnv,
    being_redefined: jclass,
    _loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    data: *const c_uchar,
    new_length: *mut jint,
    new_data: *mut *mut c_uchar,
) {
    let Some(holder) = HOLDER.get().filter(|holder| holder.phase() != ENDED) else { return };
    let event = ClassFileEvent { name, data, length, new_length, new_data };
    // SAFETY: everything is what the JVM gave this callback on this thread.
    unsafe {
        callbacks::rewrite_class(env, jni, event, |_, name, bytes| {
            holder.load(name, bytes, !being_redefined.is_null())
        });
    }
}

/// Does the work of a native method of the support class; `otherwise` if there is no directed run or something went wrong.
fn native<T>(jni: *mut JNIEnv, otherwise: T, work: impl FnOnce(&Holder, &Jvm) -> Option<T>) -> T {
    let Some(holder) = HOLDER.get() else { return otherwise };
    // SAFETY: the JVMTI environment was stored before the support class, whose natives these are, was defined, and is never disposed of; `jni` is
    // what the JVM gave the native method that calls this, on this thread, and `work` ends before it returns.
    let done =
        unsafe { callbacks::work(holder.env.load(Ordering::Relaxed), jni, |jvm| Ok(work(holder, jvm))) };
    done.ok().flatten().flatten().unwrap_or(otherwise)
}

/// A number of the plan: of sites, of pairs, then the two sites of each pair.
///
/// # Safety
/// Called by the JVM, for the method of the support class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_SelvedgeHold_setting(
    jni: *mut JNIEnv,
    _class: jclass,
    position: jint,
) -> jint {
    native(jni, 0, |holder, _| {
        let position = usize::try_from(position).ok()?;
        Some(match position {
            0 => holder.plan.sites.len() as jint,
            1 => holder.plan.pairs.len() as jint,
            _ => holder.plan.pairs.get(position / 2 - 1)?.sides[position % 2] as jint,
        })
    })
}

/// A name of a pair: its receiver's class (0), or class and name of its field (1).
///
/// # Safety
/// Called by the JVM, for the method of the support class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_SelvedgeHold_name(
    jni: *mut JNIEnv,
    _class: jclass,
    pair: jint,
    which: jint,
) -> jobject {
    native(jni, std::ptr::null_mut(), |holder, jvm| {
        let pair = holder.plan.pairs.get(usize::try_from(pair).ok()?)?;
        let text = match which {
            0 => pair.receiver.clone()?,
            _ => pair.field.as_ref().map(|(class, name)| format!("{class}:{name}"))?,
        };
        jvm.new_string(&text).ok()
    })
}

/// Takes lines of results.
///
/// # Safety
/// Called by the JVM, for the method of the support class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_SelvedgeHold_report(
    jni: *mut JNIEnv,
    _class: jclass,
    characters: jobject,
) {
    native(jni, (), |holder, jvm| {
        holder.take(jvm, &text_of(jvm, characters));
        Some(())
    });
}

/// Puts the monitors that a thread holds into an array.
///
/// # Safety
/// Called by the JVM, for the method of the support class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_SelvedgeHold_owned(
    jni: *mut JNIEnv,
    _class: jclass,
    thread: jobject,
    into: jobject,
) -> jint {
    native(jni, 0, |_, jvm| {
        let monitors = jvm.owned_monitors(thread).ok()?;
        for (position, monitor) in monitors.iter().enumerate() {
            jvm.set_element(into, position as jint, *monitor);
        }
        Some(monitors.len() as jint)
    })
}

/// The monitor that a thread waits to enter.
///
/// # Safety
/// Called by the JVM, for the method of the support class.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_java_lang_SelvedgeHold_contended(
    jni: *mut JNIEnv,
    _class: jclass,
    thread: jobject,
) -> jobject {
    native(jni, std::ptr::null_mut(), |_, jvm| jvm.contended_monitor(thread).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_results() {
        let mut known = HoldResults { arrived: vec![0; 2], ..HoldResults::default() };
        for line in [
            "A\t1\t7",
            "M\t0\t3\t1",
            "V\t0\t41",
            "W\t0\t42",
            "T\t0\t1\tworker",
            "L\t0\t1\tp.C@1f",
            "S\t0\t1\tp.C\tm\tC.java\t12",
            "S\t0\t1\tp.C\tm\t\t-1",
            "K\t2\tp.C@1f",
            "H\t30",
            "?",
            "A\t9\t1",
        ] {
            take_line(&mut known, line);
        }
        assert_eq!((known.arrived[1], known.held), (7, 30));
        assert_eq!(known.locked, [Locked { pair: 2, lock: "p.C@1f".to_owned() }]);
        let meeting = &known.meetings[0];
        assert_eq!((meeting.pair, meeting.first), (3, 1));
        assert_eq!((meeting.before.as_deref(), meeting.between.as_deref()), (Some("41"), Some("42")));
        let thread = &meeting.threads[1];
        assert_eq!((thread.name.as_str(), &thread.locks[..]), ("worker", &["p.C@1f".to_owned()][..]));
        assert_eq!((thread.stack[0].line, thread.stack[1].line), (Some(12), None));
    }
}
