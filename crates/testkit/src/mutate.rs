//! Damaging bytes: what a truncated download, a broken disk or an attacker makes of a file.
//!
//! A mutant is some input after one to four [`Step`]s, all chosen by a seeded [`Rng`]. The steps say what was done, so
//! that a failing mutant can be described in one line and made again from its seed.

use crate::Rng;
use std::fmt;

/// One change. Positions are of the bytes as they are when the step is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Everything from `at` on is gone.
    Truncate {
        /// The new length.
        at: usize,
    },
    /// One bit is inverted.
    FlipBit {
        /// The byte.
        at: usize,
        /// The bit in it, 0 to 7.
        bit: u8,
    },
    /// One byte is another.
    SetByte {
        /// The byte.
        at: usize,
        /// Its new value.
        value: u8,
    },
    /// A field of 1, 2, 4 or 8 bytes has an extreme or slightly wrong value: most formats keep lengths in such fields.
    SetLength {
        /// The field's first byte.
        at: usize,
        /// Its width in bytes.
        width: usize,
        /// Its new value.
        value: u64,
        /// Whether the least significant byte comes first.
        little_endian: bool,
    },
    /// A range is removed.
    Remove {
        /// The first byte.
        at: usize,
        /// How many bytes.
        len: usize,
    },
    /// A range is there twice, the copy elsewhere.
    Duplicate {
        /// The first byte.
        from: usize,
        /// How many bytes.
        len: usize,
        /// Where the copy is put in.
        to: usize,
    },
    /// A range is overwritten with bytes of another input.
    Splice {
        /// The first byte that is overwritten.
        at: usize,
        /// The first byte taken from the other input.
        from: usize,
        /// How many bytes.
        len: usize,
    },
    /// Two ranges of equal length have changed places.
    Swap {
        /// The first range.
        first: usize,
        /// The second range.
        second: usize,
        /// Their length.
        len: usize,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Truncate { at } => write!(f, "truncate at {at}"),
            Step::FlipBit { at, bit } => write!(f, "flip bit {bit} of byte {at}"),
            Step::SetByte { at, value } => write!(f, "set byte {at} to {value:#04x}"),
            Step::SetLength { at, width, value, little_endian } => {
                let order = if *little_endian { "little" } else { "big" };
                write!(f, "set the {width} bytes at {at} to {value:#x} ({order} endian)")
            }
            Step::Remove { at, len } => write!(f, "remove {len} bytes at {at}"),
            Step::Duplicate { from, len, to } => write!(f, "copy {len} bytes from {from} to {to}"),
            Step::Splice { at, from, len } => {
                write!(f, "overwrite {len} bytes at {at} with a donor's from {from}")
            }
            Step::Swap { first, second, len } => write!(f, "swap {len} bytes at {first} and {second}"),
        }
    }
}

/// A damaged input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What is left of the input.
    pub bytes: Vec<u8>,
    /// What was done to it, in order.
    pub steps: Vec<Step>,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            write!(f, "{}{step}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Makes a mutant of `input`; spliced bytes come from `donor`, which may be the input itself.
pub fn mutate(rng: &mut Rng, input: &[u8], donor: &[u8]) -> Mutant {
    let mut bytes = input.to_vec();
    let mut steps = Vec::new();
    // Mostly one change: a mutant damaged everywhere is rejected by the first check and tests nothing behind it.
    let count = *rng.pick(&[1, 1, 1, 2, 3, 4]).unwrap_or(&1);
    while steps.len() < count && !bytes.is_empty() {
        let step = choose(rng, bytes.len(), donor.len());
        apply(&step, &mut bytes, donor);
        steps.push(step);
    }
    Mutant { bytes, steps }
}

/// A step that can be applied to `len` > 0 bytes.
fn choose(rng: &mut Rng, len: usize, donor_len: usize) -> Step {
    let at = rng.below(len);
    // Short ranges reach the inside of structures, long ones cross them.
    let longest = *rng.pick(&[4, 16, 64, 1024]).unwrap_or(&4);
    let range = 1 + rng.below(longest.min(len - at));
    match rng.below(20) {
        0..2 => Step::Truncate { at },
        2..7 => Step::FlipBit { at, bit: rng.below(8) as u8 },
        7..10 => Step::SetByte { at, value: rng.next_u64() as u8 },
        10..15 => {
            let widths: Vec<usize> = [1, 2, 4, 8].into_iter().filter(|width| at + width <= len).collect();
            let width = *rng.pick(&widths).unwrap_or(&1);
            let largest = u64::MAX >> (64 - 8 * width);
            let near = rng.below(5) as u64;
            let values =
                [0, 1, near, largest, largest >> 1, (largest >> 1) + 1, largest - near, len as u64 + near];
            let value = *rng.pick(&values).unwrap_or(&0) & largest;
            Step::SetLength { at, width, value, little_endian: rng.one_in(2) }
        }
        15 => Step::Remove { at, len: range },
        16..18 => Step::Duplicate { from: at, len: range, to: rng.below(len + 1) },
        18 if donor_len > 0 => {
            let from = rng.below(donor_len);
            Step::Splice { at, from, len: range.min(donor_len - from) }
        }
        _ => {
            let second = rng.below(len);
            let room = at.abs_diff(second).min(len - at.max(second));
            Step::Swap { first: at, second, len: range.min(room) }
        }
    }
}

fn apply(step: &Step, bytes: &mut Vec<u8>, donor: &[u8]) {
    match *step {
        Step::Truncate { at } => bytes.truncate(at),
        Step::FlipBit { at, bit } => bytes[at] ^= 1 << bit,
        Step::SetByte { at, value } => bytes[at] = value,
        Step::SetLength { at, width, value, little_endian } => {
            let field = &mut bytes[at..at + width];
            field.copy_from_slice(&value.to_le_bytes()[..width]);
            if !little_endian {
                field.reverse();
            }
        }
        Step::Remove { at, len } => drop(bytes.drain(at..at + len)),
        Step::Duplicate { from, len, to } => {
            let copy = bytes[from..from + len].to_vec();
            bytes.splice(to..to, copy);
        }
        Step::Splice { at, from, len } => bytes[at..at + len].copy_from_slice(&donor[from..from + len]),
        Step::Swap { first, second, len } => {
            for offset in 0..len {
                bytes.swap(first + offset, second + offset);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_seed_makes_the_same_mutants() {
        let input: Vec<u8> = (0..=255).collect();
        let all = |seed| {
            let mut rng = Rng::new(seed);
            (0..100).map(|_| mutate(&mut rng, &input, b"donor")).collect::<Vec<_>>()
        };
        assert_eq!(all(5), all(5));
        assert_ne!(all(5), all(6));
    }

    #[test]
    fn every_kind_of_step_occurs_on_every_length() {
        let mut rng = Rng::new(9);
        let mut kinds = BTreeSet::new();
        for round in 0..4000 {
            let input = vec![round as u8; round % 40];
            let donor = vec![0xff; round % 7];
            let mutant = mutate(&mut rng, &input, &donor);
            assert_eq!(mutant.steps.is_empty(), input.is_empty());
            assert!(mutant.bytes.len() <= 16 * input.len(), "four doublings are the most");
            kinds.extend(
                mutant.steps.iter().map(|step| format!("{step:?}").split(' ').next().map(str::to_owned)),
            );
        }
        assert_eq!(kinds.len(), 8, "{kinds:?}");
    }

    #[test]
    fn steps_do_what_they_say() {
        let check = |step: Step, expected: &[u8]| {
            let mut bytes = vec![1, 2, 3, 4, 5, 6];
            apply(&step, &mut bytes, &[10, 11, 12]);
            assert_eq!(bytes, expected, "{step}");
        };
        check(Step::Truncate { at: 2 }, &[1, 2]);
        check(Step::FlipBit { at: 0, bit: 7 }, &[129, 2, 3, 4, 5, 6]);
        check(Step::SetByte { at: 5, value: 0 }, &[1, 2, 3, 4, 5, 0]);
        check(
            Step::SetLength { at: 1, width: 2, value: 0xabcd, little_endian: false },
            &[1, 0xab, 0xcd, 4, 5, 6],
        );
        check(
            Step::SetLength { at: 1, width: 2, value: 0xabcd, little_endian: true },
            &[1, 0xcd, 0xab, 4, 5, 6],
        );
        check(Step::Remove { at: 1, len: 4 }, &[1, 6]);
        check(Step::Duplicate { from: 4, len: 2, to: 0 }, &[5, 6, 1, 2, 3, 4, 5, 6]);
        check(Step::Splice { at: 3, from: 1, len: 2 }, &[1, 2, 3, 11, 12, 6]);
        check(Step::Swap { first: 0, second: 4, len: 2 }, &[5, 6, 3, 4, 1, 2]);
    }

    #[test]
    fn a_mutant_is_described_in_one_line() {
        let steps = vec![Step::Truncate { at: 4 }, Step::SetByte { at: 0, value: 7 }];
        assert_eq!(Mutant { bytes: vec![], steps }.to_string(), "truncate at 4, set byte 0 to 0x07");
    }
}
