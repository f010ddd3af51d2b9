//! The words of the hooks under a weak memory model: every execution of small programs that do what the hooks do.
//!
//! The model is weaker than the Java memory model for what is used here: a thread's operations may take effect in any order, unless they
//! are on the same variable, or a fence between them keeps them apart; each takes effect at once, for all threads. So stores pass stores, loads pass
//! loads, and loads pass earlier stores. A compare-and-set and an exchange are one operation with a full fence before and after it.
//!
//! The numbers of the tests are those of the invariants in `README.md`. For each protocol the same program without its fences shows that the model
//! would find the mistake.

use std::collections::BTreeSet;

/// What a thread does. Variables and registers are numbers; all are 0 at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Store(usize, u64),
    /// Variable, register.
    Load(usize, usize),
    /// Stores the second value if the variable is the first one; the register is 1 if it was. Variable, expected, new, register.
    Cas(usize, u64, u64, usize),
    /// Stores a value; the register is what was there. Variable, value, register.
    Swap(usize, u64, usize),
    /// Earlier stores come before later stores.
    StoreFence,
    /// Earlier loads come before later loads.
    LoadFence,
}

use Op::*;

impl Op {
    fn variable(self) -> Option<usize> {
        match self {
            Store(variable, _) | Load(variable, _) | Cas(variable, ..) | Swap(variable, ..) => Some(variable),
            StoreFence | LoadFence => None,
        }
    }

    fn is_full(self) -> bool {
        matches!(self, Cas(..) | Swap(..))
    }

    fn stores(self) -> bool {
        matches!(self, Store(..) | Cas(..) | Swap(..))
    }

    fn loads(self) -> bool {
        matches!(self, Load(..) | Cas(..) | Swap(..))
    }
}

/// Whether an operation of a thread must take effect before a later one of it.
fn is_before(program: &[Op], earlier: usize, later: usize) -> bool {
    let (first, second) = (program[earlier], program[later]);
    if first.is_full() || second.is_full() || first.variable() == second.variable() {
        return true;
    }
    let fenced = |fence: Op| program[earlier..later].contains(&fence);
    first.stores() && second.stores() && fenced(StoreFence)
        || first.loads() && second.loads() && fenced(LoadFence)
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    memory: Vec<u64>,
    registers: Vec<u64>,
    /// By thread: which operations have taken effect.
    done: Vec<u32>,
}

/// The registers at the end of every execution.
fn executions(programs: &[&[Op]]) -> BTreeSet<Vec<u64>> {
    let mut seen: BTreeSet<State> = BTreeSet::new();
    let mut ends = BTreeSet::new();
    let start = State { memory: vec![0; 8], registers: vec![0; 8], done: vec![0; programs.len()] };
    let mut pending = vec![start];
    while let Some(state) = pending.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let mut stuck = true;
        for (thread, program) in programs.iter().enumerate() {
            for at in 0..program.len() {
                let is_done = |other: usize| state.done[thread] & (1 << other) != 0;
                if is_done(at) || (0..at).any(|other| !is_done(other) && is_before(program, other, at)) {
                    continue;
                }
                stuck = false;
                let mut next = state.clone();
                next.done[thread] |= 1 << at;
                match program[at] {
                    Store(variable, value) => next.memory[variable] = value,
                    Load(variable, register) => next.registers[register] = next.memory[variable],
                    Cas(variable, expected, value, register) => {
                        next.registers[register] = u64::from(next.memory[variable] == expected);
                        if next.memory[variable] == expected {
                            next.memory[variable] = value;
                        }
                    }
                    Swap(variable, value, register) => {
                        next.registers[register] = next.memory[variable];
                        next.memory[variable] = value;
                    }
                    StoreFence | LoadFence => {}
                }
                pending.push(next);
            }
        }
        if stuck {
            ends.insert(state.registers);
        }
    }
    ends
}

/// A program without its fences.
fn without_fences(program: &[Op]) -> Vec<Op> {
    program.iter().copied().filter(|op| !matches!(op, StoreFence | LoadFence)).collect()
}

#[test]
fn the_model_is_weak() {
    // Message passing and store buffering go wrong without fences.
    let passed = executions(&[&[Store(0, 1), Store(1, 1)], &[Load(1, 0), Load(0, 1)]]);
    assert!(passed.iter().any(|registers| registers[..2] == [1, 0]));
    let buffered = executions(&[&[Store(0, 1), Load(1, 0)], &[Store(1, 1), Load(0, 1)]]);
    assert!(buffered.iter().any(|registers| registers[..2] == [0, 0]));
    let fenced = executions(&[&[Store(0, 1), StoreFence, Store(1, 1)], &[Load(1, 0), LoadFence, Load(0, 1)]]);
    assert!(!fenced.iter().any(|registers| registers[..2] == [1, 0]));
}

/// `SelvedgePast`: a place that says time 1 and locks 1 is used again for time 2 and locks 2, while another thread looks for either.
#[test]
fn invariant_5_a_time_is_never_taken_for_that_of_other_locks() {
    let (time, locks) = (0, 1);
    let first = [Store(locks, 1), StoreFence, Store(time, 1)];
    let again = [StoreFence, Store(time, 0), StoreFence, Store(locks, 2), StoreFence, Store(time, 2)];
    let writer: Vec<Op> = first.into_iter().chain(again).collect();
    let reader = [Load(time, 0), LoadFence, Load(locks, 1), LoadFence, Load(time, 2)];
    // What is taken for true: the time before and after is the same.
    let wrong = |registers: &Vec<u64>| {
        registers[0] != 0 && registers[0] == registers[2] && registers[1] != registers[0]
    };
    let ends = executions(&[&writer, &reader]);
    assert!(ends.iter().any(|registers| registers[..3] == [1, 1, 1]));
    assert!(ends.iter().any(|registers| registers[..3] == [2, 2, 2]));
    assert!(!ends.iter().any(wrong));
    assert!(executions(&[&without_fences(&writer), &reader]).iter().any(wrong));
    assert!(executions(&[&writer, &without_fences(&reader)]).iter().any(wrong));
}

/// Two threads touch a field within a moment, in the long way: one of them sees the other's word.
#[test]
fn invariant_3_one_of_two_accesses_sees_the_other() {
    let (read, write) = (0, 1);
    // A read puts its word and looks at the write's; a write puts its word and looks at the read's.
    let reads = [Cas(read, 0, 1, 2), Load(write, 0)];
    let writes = [Swap(write, 2, 3), Load(read, 1)];
    let missed = |registers: &Vec<u64>| registers[0] == 0 && registers[1] == 0;
    assert!(!executions(&[&reads, &writes]).iter().any(missed));
    // Two writes: each gets what was there.
    let both = executions(&[&[Swap(write, 1, 0)], &[Swap(write, 2, 1)]]);
    assert!(!both.iter().any(missed));
    // With plain stores, as in the shortest way, both may be missed: what is said of that way is not too much.
    let short = executions(&[&[Store(read, 1), Load(write, 0)], &[Store(write, 2), Load(read, 1)]]);
    assert!(short.iter().any(missed));
}

/// A range is made for two elements in epoch 1 and published under a lock; then it grows. Another thread finds it.
#[test]
fn invariant_11_a_range_that_is_found_has_an_end_and_a_word() {
    let (end, word, published) = (0, 1, 2);
    let writer =
        [Store(end, 2), Store(word, 1), Swap(published, 1, 3), Store(end, 4), Store(word, 1), Store(end, 6)];
    let reader = [Load(published, 0), LoadFence, Load(end, 1), Load(word, 2)];
    let wrong = |registers: &Vec<u64>| registers[0] == 1 && (registers[1] < 2 || registers[2] != 1);
    let ends = executions(&[&writer, &reader]);
    assert!(ends.iter().any(|registers| registers[..3] == [1, 4, 1]));
    assert!(!ends.iter().any(wrong));
    let unlocked = writer.map(|op| if op.is_full() { Store(published, 1) } else { op });
    assert!(executions(&[&unlocked, &reader]).iter().any(wrong));
}

/// A range is dropped when what it says of an element stands in the element's word.
#[test]
fn invariant_12_an_element_is_in_a_range_or_has_a_word() {
    let (word, dropped) = (0, 1);
    let writer = [Cas(word, 0, 1, 3), Swap(dropped, 1, 4)];
    let wrong = |registers: &Vec<u64>| registers[0] == 1 && registers[1] == 0;
    let reader = [Load(dropped, 0), LoadFence, Load(word, 1)];
    assert!(!executions(&[&writer, &reader]).iter().any(wrong));
    // The other way round it would be wrong.
    let hasty = [Load(word, 1), LoadFence, Load(dropped, 0)];
    assert!(executions(&[&writer, &hasty]).iter().any(wrong));
}

/// A write publishes before it happens: who reads the value learns what was published.
#[test]
fn invariant_6_who_reads_a_value_learns_what_its_writer_knew() {
    let (value, published) = (0, 1);
    // The variable is volatile, or written in release mode; the publication is a compare-and-set.
    let writer = [Cas(published, 0, 1, 3), Store(value, 1)];
    let reader = [Load(value, 0), LoadFence, Load(published, 1)];
    let wrong = |registers: &Vec<u64>| registers[0] == 1 && registers[1] == 0;
    assert!(!executions(&[&writer, &reader]).iter().any(wrong));
    // The other way round it would be wrong.
    let late = [Store(value, 1), Cas(published, 0, 1, 3)];
    assert!(executions(&[&late, &reader]).iter().any(wrong));
}

/// A compare-and-set: pending, then the attempt, then published, then over. A reader that sees the value, and waits no more than it has to, learns.
#[test]
fn invariant_7_a_compare_and_set_that_succeeds_hands_over() {
    let (value, published, pending, over) = (0, 1, 2, 3);
    let writer = [
        Cas(pending, 0, 1, 4),
        Cas(value, 0, 1, 5),
        Cas(published, 0, 1, 6),
        // Volatile: nothing passes it.
        Swap(over, 1, 7),
    ];
    // The reader looks at what is pending after the value, then whether it is over, then at what is published.
    let reader = [
        Load(value, 0),
        LoadFence,
        Load(pending, 1),
        LoadFence,
        Load(over, 2),
        LoadFence,
        Load(published, 3),
    ];
    for registers in executions(&[&writer, &reader]) {
        let [value, pending, over, published] = [0, 1, 2, 3].map(|register| registers[register]);
        if value == 1 {
            assert_eq!(pending, 1, "the attempt is announced before it is made");
            // Not over: the reader takes what is pending. Over: it is published.
            assert!(over == 0 || published == 1, "{registers:?}");
        }
    }
}

/// A table that becomes larger: entries are made before they are put there, and found by who has read what they order.
#[test]
fn invariant_8_a_variable_is_found_by_who_reads_its_value() {
    let (content, entry, value) = (0, 1, 2);
    // The entry's content is final: stored before the entry, by the rules of final fields.
    let writer = [Store(content, 1), StoreFence, Store(entry, 1), Cas(3, 0, 1, 3), Store(value, 1)];
    let reader = [Load(value, 0), LoadFence, Load(entry, 1), LoadFence, Load(content, 2)];
    for registers in executions(&[&writer, &reader]) {
        assert!(registers[0] == 0 || registers[1] == 1, "{registers:?}");
        assert!(registers[1] == 0 || registers[2] == 1, "{registers:?}");
    }
}
