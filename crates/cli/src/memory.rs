//! Memory that is not there: one sentence and status 2 instead of an abort.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

/// Below this much available memory a command gives up, before the system ends a process of its own choice.
pub const RESERVE: u64 = 96 << 20;

/// The system's allocator. Where it has nothing left to give, the command ends.
pub struct Allocator;

// SAFETY: every call is passed on to the system's allocator with the pointer and layout that the caller vouches for (`GlobalAlloc`), and its answer
// goes back unchanged; where that is null, the process ends.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let pointer = unsafe { System.alloc(layout) };
        if pointer.is_null() { give_up() } else { pointer }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if pointer.is_null() { give_up() } else { pointer }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let pointer = unsafe { System.realloc(pointer, layout, size) };
        if pointer.is_null() { give_up() } else { pointer }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Says so without a further allocation, and ends the process.
#[cold]
fn give_up() -> ! {
    let sentence = b"selvedge: out of memory: nothing is reported; --effort low needs less, and --max-memory SIZE drops contexts in time\n";
    let _ = std::io::stderr().write_all(sentence);
    std::process::exit(2)
}

/// The memory that the system, or the group of processes that this one is in, still has, where the system says so.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(of_group().unwrap_or(u64::MAX).min(kilobytes * 1024))
}

/// What the group has: files that the system keeps in memory are given up when it is needed.
fn of_group() -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    let number = |text: String| text.trim().parse::<u64>().ok();
    let (most, used) = (number(read("memory.max")?)?, number(read("memory.current")?)?);
    let files = read("memory.stat")?.lines().find_map(|line| line.strip_prefix("file ")?.parse::<u64>().ok());
    Some(most.saturating_sub(used.saturating_sub(files?)))
}
