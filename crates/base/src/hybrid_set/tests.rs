//! Every operation against ordered sets of the standard library, over members that are dense, clustered or sparse.

use std::collections::BTreeSet;

use super::*;
use crate::testing::{Node, Random};

type Set = HybridSet<Node>;

/// A random set: its size decides the tier, its spread how full the words are.
fn random_set(random: &mut Random) -> BTreeSet<Node> {
    let sizes = [0, 1, 5, INLINE, INLINE + 1, 40, 70, 200, 1_000, 5_000];
    let spreads = [12, 300, 4_096, 20_000, 300_000];
    let (size, spread) = (sizes[random.below(sizes.len())], spreads[random.below(spreads.len())]);
    let cluster = 1 + random.below(100);
    let mut set = BTreeSet::new();
    while set.len() < size.min(spread / 2) {
        let start = random.below(spread);
        let run = (start..spread).take(cluster).map(Node::from_index);
        set.extend(run.take(size - set.len()));
    }
    set
}

fn hybrid(set: &BTreeSet<Node>) -> Set {
    set.iter().copied().collect()
}

/// The members are those of `expected`, and the representation is the one that their number demands.
#[track_caller]
fn check(set: &Set, expected: &BTreeSet<Node>) {
    assert!(set.iter().eq(expected.iter().copied()));
    assert_eq!((set.len(), set.is_empty()), (expected.len(), expected.is_empty()));
    let words: Vec<Word> = set.tier.words().collect();
    assert!(words.is_sorted_by(|a, b| a.index < b.index) && words.iter().all(|word| word.bits != 0));
    let tier = match &set.tier {
        Tier::Inline { .. } => 0,
        Tier::Words { .. } => 1,
        Tier::Chunks(_) => 2,
    };
    let demanded = if expected.len() <= INLINE { 0 } else { 1 + usize::from(words.len() > MAX_WORDS) };
    assert_eq!(tier, demanded, "{} members, {} words", expected.len(), words.len());
    assert!(*set == hybrid(expected));
}

#[test]
fn the_set_stays_small() {
    assert_eq!(size_of::<Set>(), 40);
}

#[test]
fn unions_and_differences() {
    let mut random = Random::new(10);
    for _ in 0..3_000 {
        let (a, b, pending) = (random_set(&mut random), random_set(&mut random), random_set(&mut random));
        let new = &b - &a;

        let mut united = hybrid(&a);
        assert_eq!(united.union_with(&hybrid(&b)), !new.is_empty());
        check(&united, &(&a | &b));

        // In difference propagation what is pending was added before; it need not be.
        let a = if random.below(4) == 0 { a } else { &a | &pending };
        let new = &b - &a;
        let (mut united, mut added) = (hybrid(&a), hybrid(&pending));
        assert_eq!(united.union_diff(&hybrid(&b), &mut added), !new.is_empty());
        check(&united, &(&a | &b));
        check(&added, &(&pending | &new));

        let filter_set = random_set(&mut random);
        let filter: BitSet<Node> = filter_set.iter().copied().collect();
        let passed = &b & &filter_set;
        let new = &passed - &a;
        let (mut united, mut added) = (hybrid(&a), hybrid(&pending));
        assert_eq!(united.union_diff_filtered(&hybrid(&b), &filter, &mut added), !new.is_empty());
        check(&united, &(&a | &passed));
        check(&added, &(&pending | &new));
    }
}

#[test]
fn comparisons_and_intersections() {
    let mut random = Random::new(11);
    for _ in 0..2_000 {
        let (a, mut b) = (random_set(&mut random), random_set(&mut random));
        if random.below(3) == 0 {
            b.extend(a.iter().take(random.below(a.len() + 1)));
        }
        if random.below(3) == 0 {
            b.extend(&a);
        }
        let (left, right) = (hybrid(&a), hybrid(&b));
        check(&left, &a);
        assert_eq!(left.intersects(&right), !a.is_disjoint(&b));
        assert_eq!((left.is_subset(&right), right.is_subset(&left)), (a.is_subset(&b), b.is_subset(&a)));
        assert_eq!(left == right, a == b);
        check(&left.intersection(&right), &(&a & &b));
        for _ in 0..20 {
            let node = Node::from_index(random.below(5_000));
            assert_eq!(left.contains(node), a.contains(&node));
        }
    }
}

#[test]
fn insertion_one_by_one_passes_through_all_tiers() {
    let mut random = Random::new(12);
    for spread in [500, 10_000, 1_000_000] {
        let (mut set, mut expected) = (Set::new(), BTreeSet::new());
        for round in 0..2_000 {
            let node = Node::from_index(random.below(spread));
            assert_eq!(set.insert(node), expected.insert(node));
            if round % 97 == 0 || expected.len() < 2 * INLINE {
                check(&set, &expected);
            }
        }
        check(&set, &expected);
        assert!(set.heap_bytes() > 0);
    }
}

#[test]
fn the_highest_ids_have_their_place() {
    let highest = [u32::MAX, u32::MAX - 1, u32::MAX - 64, 0].map(Node::new);
    let mut set: Set = highest.into_iter().collect();
    set.extend((0..5_000).map(|n| Node::new(u32::MAX - 100 * n)));
    assert!(highest.iter().all(|&id| set.contains(id)));
    assert_eq!(set.iter().last(), Some(Node::new(u32::MAX)));
}

#[test]
fn sets_of_bits() {
    let mut random = Random::new(12);
    for _ in 0..1_000 {
        let (a, b) = (random_set(&mut random), random_set(&mut random));
        let (set, bits): (Set, BitSet<Node>) = (hybrid(&a), b.iter().copied().collect());
        assert_eq!(set.meets(&bits), !a.is_disjoint(&b));
        assert!(set.iter_within(&bits).eq(a.intersection(&b).copied()));
        let (mut all, mut new) = (bits.clone(), Vec::new());
        set.add_to(&mut all, |one| new.push(one));
        assert!(all.iter().eq((&a | &b).iter().copied()) && new.iter().eq(a.difference(&b)));
        let mut rest = bits;
        assert_eq!(set.remove_from(&mut rest), !a.is_disjoint(&b));
        assert!(rest.iter().eq(b.difference(&a).copied()));
    }
}
