//! The driver of bad-input tests must notice what it is there to notice.

use selvedge_testkit::{CountingAllocator, Input, Limits, mutants_of, survive};
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The heap is counted for the whole process: tests that fill it must not run beside those that measure it.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn original() -> Vec<Input> {
    vec![Input { description: "zeros".to_owned(), bytes: vec![0; 64] }]
}

#[test]
fn a_sturdy_reader_passes_and_is_counted() {
    let _alone = ONE_AT_A_TIME.lock();
    let originals = original();
    let read = |bytes: &[u8]| bytes.len() >= 64;
    let survived = survive("sturdy", 2000, Limits::default(), mutants_of(&originals, 1), read).unwrap();
    assert_eq!(survived.accepted + survived.rejected, 2000);
    assert!(survived.accepted > 500 && survived.rejected > 100, "{survived:?}");
    assert!(survived.peak_memory > 0);
}

#[test]
fn a_panic_is_reported_with_its_input() {
    let _alone = ONE_AT_A_TIME.lock();
    let originals = original();
    let read = |bytes: &[u8]| bytes[63] == 0;
    let message =
        survive("index", 2000, Limits::default(), mutants_of(&originals, 1), read).unwrap_err().to_string();
    assert!(message.contains("panic: index out of bounds"), "{message}");
    assert!(message.contains("zeros: "), "{message}");
    assert!(message.contains("bad-input"), "{message}");
}

#[test]
fn believing_a_length_is_noticed() {
    let _alone = ONE_AT_A_TIME.lock();
    let input = |_| Input { description: "a claim".to_owned(), bytes: vec![0xff; 4] };
    let read = |bytes: &[u8]| Vec::<u8>::with_capacity(bytes.len() << 24).capacity() > 0;
    let limits = Limits { memory: 10 << 20, ..Limits::default() };
    let message = survive("length", 3, limits, input, read).unwrap_err().to_string();
    assert!(message.contains("the heap grew to "), "{message}");
}

#[test]
fn inputs_depend_only_on_seed_and_index() {
    let originals = original();
    let (first, again, other) =
        (mutants_of(&originals, 7), mutants_of(&originals, 7), mutants_of(&originals, 8));
    assert_eq!(first(41).bytes, again(41).bytes);
    assert!((0..20).any(|index| first(index).bytes != other(index).bytes));
}
