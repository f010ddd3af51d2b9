//! The test that runs when something is seen.

use selvedge_findings::method_name;
use selvedge_jvm::sys::jni::jmethodID;
use selvedge_jvm::{Frame, Jvm};
use selvedge_protocol::glob;

use crate::events::{is_hidden, is_hook};

/// So many frames are looked through for a test method: engines and build tools put hundreds below it.
const MAX_FRAMES: usize = 1_000;

/// The test method that runs now, as findings name methods: that of the current thread, or the only one of all threads. To be asked without
/// a lock, since it asks for stacks.
pub(crate) fn running_test(jvm: &Jvm, engines: &[String]) -> Option<String> {
    if engines.is_empty() {
        return None;
    }
    let own = jvm.frames_below(0, MAX_FRAMES).ok()?;
    if let Some(test) = test_in(jvm, engines, own) {
        return Some(test);
    }
    let stacks = jvm.stacks(MAX_FRAMES as i32, true).ok()?;
    let mut tests: Vec<String> =
        stacks.into_iter().filter_map(|stack| test_in(jvm, engines, stack)).collect();
    tests.sort();
    tests.dedup();
    if tests.len() == 1 { tests.pop() } else { None }
}

/// The test method in a stack, the newest frame first: the oldest method that a test engine calls, by reflection or not.
fn test_in(jvm: &Jvm, engines: &[String], frames: Vec<Frame>) -> Option<String> {
    let mut in_engine = false;
    for frame in frames.into_iter().rev() {
        let method = frame.method as jmethodID;
        // Of a method whose class is gone nothing is known.
        let Ok(declaring) = jvm.declaring_class(method) else { continue };
        let class = jvm.class_name(declaring);
        jvm.forget(declaring);
        let Ok(class) = class else { continue };
        if engines.iter().any(|pattern| glob::matches(pattern, &class)) {
            in_engine = true;
        } else if in_engine && !selvedge_instrument::is_jdk(&class) && !is_hidden(&class) {
            let (name, descriptor) = jvm.method_name(method).ok()?;
            if !is_hook(&class, &name) {
                return Some(method_name(&class, &name, &descriptor));
            }
        }
    }
    None
}
