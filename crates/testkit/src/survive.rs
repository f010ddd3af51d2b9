//! The driver of bad-input tests: feeds thousands of inputs to a reader and fails if one makes it panic, hang or use too
//! much memory.
//!
//! Inputs are made by index from a seed, so each can be made again alone; they are spread over threads. An input that
//! fails is kept in `target/bad-input` and named with what was done to it. Memory is only watched where the test
//! binary installs [`CountingAllocator`].

use crate::{Failure, Rng, mutate, target_dir};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Something to read.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it comes from and what was done to it.
    pub description: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What inputs may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// One input takes no longer than this. The test machine may be slow and busy; be generous.
    pub time: Duration,
    /// The process's live heap never exceeds this many bytes.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(20), memory: 1 << 30 }
    }
}

/// How a run went.
#[derive(Clone, Debug, Default)]
pub struct Survived {
    /// Inputs that the reader took.
    pub accepted: usize,
    /// Inputs that it turned down.
    pub rejected: usize,
    /// The longest time spent on one input.
    pub slowest: Duration,
    /// The most heap in use at one time, in bytes; 0 without the counting allocator.
    pub peak_memory: usize,
}

/// After this many failures a run stops: more would say nothing new.
const ENOUGH_FAILURES: usize = 5;

/// Mutants of `originals` by index: the same for the same seed, whatever the order they are asked for.
pub fn mutants_of(originals: &[Input], seed: u64) -> impl Fn(usize) -> Input + Sync {
    move |index| {
        let mut rng = Rng::new(seed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (original, donor) = (rng.below(originals.len()), rng.below(originals.len()));
        let Some(original) = originals.get(original) else {
            return Input { description: "nothing to mutate".to_owned(), bytes: Vec::new() };
        };
        let mutant = mutate(&mut rng, &original.bytes, &originals[donor].bytes);
        Input { description: format!("{}: {mutant}", original.description), bytes: mutant.bytes }
    }
}

/// What each worker is busy with: the index of the input and since when.
type Busy = Mutex<Option<(usize, Instant)>>;

/// Reads `count` inputs with `read`, which says whether it accepted the input. Fails with the list of inputs that made
/// it panic, or if the process's heap outgrew the limit. An input over the time limit ends the whole process, since a
/// thread that does not return cannot be stopped.
pub fn survive(
    subject: &str,
    count: usize,
    limits: Limits,
    input: impl Fn(usize) -> Input + Sync,
    read: impl Fn(&[u8]) -> bool + Sync,
) -> Result<Survived, Failure> {
    PEAK.store(LIVE.load(Ordering::Relaxed), Ordering::Relaxed);
    let workers = thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
    let busy: Vec<Busy> = (0..workers).map(|_| Mutex::new(None)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failures = Mutex::new(Vec::new());
    let work = |slot: &Busy| {
        let mut result = Survived::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || locked(&failures).len() >= ENOUGH_FAILURES {
                return result;
            }
            let made = input(index);
            let start = Instant::now();
            *locked(slot) = Some((index, start));
            let outcome = catch_unwind(AssertUnwindSafe(|| read(&made.bytes)));
            *locked(slot) = None;
            result.slowest = result.slowest.max(start.elapsed());
            match outcome {
                Ok(true) => result.accepted += 1,
                Ok(false) => result.rejected += 1,
                Err(panic) => {
                    let message = panic_message(panic.as_ref());
                    locked(&failures).push(format!("{message}\n    by {}", keep(subject, index, &made)));
                }
            }
        }
    };
    let watch = || {
        while !done.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
            for slot in &busy {
                let current = *locked(slot);
                if let Some((index, start)) = current
                    && start.elapsed() > limits.time
                {
                    let kept = keep(subject, index, &input(index));
                    eprintln!("{subject}: more than {:?} for {kept}", limits.time);
                    std::process::exit(101);
                }
            }
        }
    };
    let mut survived = thread::scope(|scope| {
        let watcher = scope.spawn(watch);
        let threads: Vec<_> = busy.iter().map(|slot| scope.spawn(|| work(slot))).collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap_or_default());
        let sum = results.fold(Survived::default(), |sum, one| Survived {
            accepted: sum.accepted + one.accepted,
            rejected: sum.rejected + one.rejected,
            slowest: sum.slowest.max(one.slowest),
            peak_memory: 0,
        });
        done.store(true, Ordering::Relaxed);
        drop(watcher.join());
        sum
    });
    survived.peak_memory = PEAK.load(Ordering::Relaxed);
    let mut failures = std::mem::take(&mut *locked(&failures));
    if survived.peak_memory > limits.memory {
        failures.push(format!("the heap grew to {} bytes", survived.peak_memory));
    }
    if failures.is_empty() {
        Ok(survived)
    } else {
        Err(Failure::new(format!("{subject} does not survive bad input:\n{}", failures.join("\n"))))
    }
}

/// Locks, whatever happened to other holders: the data are plain values.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("panic: {}", text.unwrap_or("(no message)"))
}

/// Writes a failing input to disk and says what it is.
fn keep(subject: &str, index: usize, input: &Input) -> String {
    let dir = target_dir().join("bad-input");
    let path = dir.join(format!("{}-{index}", subject.replace(|c: char| !c.is_ascii_alphanumeric(), "-")));
    let kept = fs::create_dir_all(&dir).and_then(|()| fs::write(&path, &input.bytes));
    let place = if kept.is_ok() { path.display().to_string() } else { "not kept".to_owned() };
    format!("input {index} ({place}), {}", input.description)
}

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting. A test binary that watches memory installs it:
/// `#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`
///
/// It counts what is asked for, not what is touched: reserving a gigabyte because a header says so is the very mistake
/// that these tests look for.
pub struct CountingAllocator;

fn grow(size: usize) {
    let live = LIVE.fetch_add(size, Ordering::Relaxed) + size;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every call is handed on to the system's allocator unchanged; counting touches only atomics.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        grow(new_size);
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above; the pointer came from the system's allocator.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
