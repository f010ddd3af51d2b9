//! Archives made to do harm are refused in part or whole, listed as problems, and cost little.
#![allow(clippy::unwrap_used)]

mod common;

use common::{TempDir, read};
use selvedge_testkit::jar::{Entry, Method, deflated_zeros, zip, zip_overlapping};
use selvedge_testkit::{Rng, jdk_or_skip, mutate};
use selvedge_world::{Problem, ProblemKind, Tier};

/// Bytes of all classes found outside the JDK, and the problems.
fn outcome(archive: &[u8]) -> (usize, Vec<Problem>) {
    let dir = TempDir::new();
    let path = dir.write("a.jar", archive);
    let input = read(&[&path]);
    let application =
        input.classes.iter().filter(|class| input.containers[class.container].tier != Tier::Jdk);
    (application.map(|class| class.bytes.len()).sum(), input.problems)
}

fn check(archive: &[u8], kind: ProblemKind, says: &str) {
    let (bytes, problems) = outcome(archive);
    assert_eq!(bytes, 0);
    let [problem] = &problems[..] else { panic!("{problems:#?}") };
    assert_eq!(problem.kind, kind);
    assert!(problem.message.contains(says), "{problem}");
}

fn honest(name: &str) -> Entry {
    Entry::new(name, b"\xca\xfe\xba\xbe and so on", Method::Deflated)
}

#[test]
fn a_bomb_is_refused_by_its_claim() {
    let Some(_) = jdk_or_skip() else { return };
    let bomb = Entry::from_deflated("Bomb.class", deflated_zeros(20 << 20), 20 << 20);
    check(&zip(&[bomb]), ProblemKind::Hostile, "claims to expand");
}

#[test]
fn a_bomb_that_claims_little_is_cut_off() {
    let Some(_) = jdk_or_skip() else { return };
    let bomb = Entry::from_deflated("Bomb.class", deflated_zeros(20 << 20), 100_000);
    check(&zip(&[bomb]), ProblemKind::Unreadable, "longer than its archive says");
}

#[test]
fn absurd_sizes_allocate_nothing() {
    let Some(_) = jdk_or_skip() else { return };
    check(&zip(&[honest("A.class").claiming(u32::MAX - 1, 20)]), ProblemKind::Hostile, "claims to expand");
    check(&zip(&[honest("A.class").claiming(10, u32::MAX - 1)]), ProblemKind::Unreadable, "damaged entry");
    check(&zip(&[honest("A.class").with_method(99)]), ProblemKind::Unreadable, "method Java does not know");
}

#[test]
fn overlapping_entries_are_read_once() {
    let Some(_) = jdk_or_skip() else { return };
    let entries: Vec<Entry> = (0..100).map(|_| honest("A.class")).collect();
    let (bytes, problems) = outcome(&zip_overlapping(&entries));
    assert_eq!(bytes, 14);
    assert_eq!(problems.len(), 99);
    assert!(problems.iter().all(|problem| problem.kind == ProblemKind::Hostile));
}

#[test]
fn many_entries_cannot_expand_beyond_the_budget() {
    let Some(_) = jdk_or_skip() else { return };
    let zeros = deflated_zeros(1 << 20);
    let entries: Vec<Entry> =
        (0..2000).map(|n| Entry::from_deflated(&format!("C{n}.class"), zeros.clone(), 1 << 20)).collect();
    let archive = zip(&entries);
    let (bytes, problems) = outcome(&archive);
    assert!(bytes <= (64 << 20) + 24 * archive.len(), "{bytes} bytes from {}", archive.len());
    assert!(problems.iter().any(|problem| problem.message.contains("would expand to far more")));
}

#[test]
fn nesting_has_an_end() {
    let Some(_) = jdk_or_skip() else { return };
    let mut archive = zip(&[honest("A.class")]);
    for _ in 0..50 {
        archive = zip(&[Entry::new("inner.jar", &archive, Method::Stored)]);
    }
    check(&archive, ProblemKind::Hostile, "nested 8 archives deep");
    // Two copies at each level: by the time the depth ends, 2^8 archives.
    let mut archive = zip(&[honest("A.class")]);
    for _ in 0..7 {
        let copy = |name| Entry::new(name, &archive, Method::Deflated);
        archive = zip(&[copy("a.jar"), copy("b.jar")]);
    }
    let (bytes, problems) = outcome(&archive);
    assert_eq!((bytes, problems), (128 * 14, Vec::new()));
}

#[test]
fn damaged_archives_do_no_harm() {
    let Some(_) = jdk_or_skip() else { return };
    let inner = zip(&[honest("A.class"), honest("B.class")]);
    let original = zip(&[
        honest("C.class"),
        Entry::new("META-INF/MANIFEST.MF", b"Multi-Release: true\n", Method::Deflated),
        Entry::new("lib/inner.jar", &inner, Method::Stored),
        Entry::new("lib/packed.jar", &inner, Method::Deflated),
        honest("META-INF/versions/9/C.class"),
    ]);
    let mut rng = Rng::new(1);
    let dir = TempDir::new();
    for _ in 0..200 {
        let mutant = mutate(&mut rng, &original, &inner);
        // Inside a directory, so that an archive without any sign of being one is a problem and not an error.
        dir.write("d/a.jar", &mutant.bytes);
        let input = read(&[&dir.path().join("d")]);
        let application =
            input.classes.iter().filter(|class| input.containers[class.container].tier != Tier::Jdk);
        let total: usize = application.map(|class| class.bytes.len()).sum();
        assert!(total < 100_000, "{total} bytes");
    }
}
