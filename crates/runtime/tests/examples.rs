//! Small traces with what each detector must say: the examples of the paper, and the idioms of Java programs.

#![allow(clippy::unwrap_used)]

use selvedge_protocol::text;
use selvedge_protocol::{Arrays, DetectorChoice, Granularity, Location, Options, Tables};
use selvedge_runtime::{Engine, Race, Shown};

fn races(trace: &str, options: &Options) -> (Tables, Vec<Race>) {
    let trace = text::parse(trace).unwrap();
    let mut engine = Engine::new(options);
    let races = trace.events.iter().filter_map(|event| engine.event(event)).collect();
    (trace.tables, races)
}

fn with(detector: DetectorChoice) -> Options {
    Options { detector, ..Options::default() }
}

/// How many races the lockset detector (with ownership) and happens-before report.
fn counts(trace: &str) -> (usize, usize) {
    let count = |detector| races(trace, &with(detector)).1.len();
    (count(DetectorChoice::Lockset), count(DetectorChoice::HappensBefore))
}

/// Figure 2: `main` writes before it starts the threads; T1 writes under its own object's lock, then reads under `p` as well;
/// T2 writes under `q`.
fn figure_2(p: &str, q: &str) -> String {
    format!(
        "main: write x.f @Main.main:1
         main: fork T1; main: fork T2
         T1: acquire this1; T1: write x.f @T1.foo:11
         T1: acquire {p}; T1: read x.f @T1.foo:14; T1: write x.g @T1.foo:14; T1: release {p}
         T1: release this1
         T2: acquire {q}; T2: write x.f @T2.bar:21; T2: release {q}"
    )
}

#[test]
fn figure_2_with_all_locks_different() {
    let (tables, races) = races(&figure_2("p", "q"), &with(DetectorChoice::Lockset));
    assert_eq!(races.len(), 1);
    let race = &races[0];
    assert_eq!(text::site(&tables, race.current.site), "T2.bar:21");
    // T11 is weaker than nothing and stays; T14, under one lock more and a read, is redundant.
    assert_eq!(text::site(&tables, race.previous.site), "T1.foo:11");
    assert_eq!((race.current.locks.len(), race.previous.locks.len()), (1, 1));
    assert_eq!(counts(&figure_2("p", "q")), (1, 1));
}

#[test]
fn figure_2_with_one_lock_is_a_feasible_race_only() {
    // T13's release orders the two in this run; had T2 come first, T11 and T21 would have raced.
    assert_eq!(counts(&figure_2("p", "p")), (1, 0));
    let (_, races) = races(&figure_2("p", "p"), &Options::default());
    assert_eq!(races.iter().map(|race| race.shown).collect::<Vec<_>>(), [Shown::Lockset]);
}

#[test]
fn the_default_marks_what_happens_before_shows() {
    let (_, races) = races(&figure_2("p", "q"), &Options::default());
    assert_eq!(races.iter().map(|race| race.shown).collect::<Vec<_>>(), [Shown::HappensBefore]);
}

#[test]
fn statistics_under_one_lock_and_read_after_the_joins() {
    // Lock sets {S1, x}, {S2, x}, {S1, S2}: no one lock is common to all, and there is no race.
    let trace = |joins: &str| {
        format!(
            "main: write s.n; main: fork T1; main: fork T2
             T1: acquire x; T1: write s.n; T1: release x; T1: end
             T2: acquire x; T2: write s.n; T2: release x; T2: end
             {joins}
             main: read s.n"
        )
    };
    assert_eq!(counts(&trace("main: join T1; main: join T2")), (0, 0));
    // Without one of the joins it is a race with that thread; the other's lock orders nothing.
    assert_eq!(counts(&trace("main: join T2")), (1, 0));
    assert_eq!(counts(&trace("main: join T1")), (1, 1));
}

#[test]
fn phases_of_threads_do_not_race_with_each_other() {
    let trace = "main: fork A; A: write o.f; A: end; main: join A
                 main: fork B; B: write o.f; B: end; main: join B; main: read o.f";
    assert_eq!(counts(trace), (0, 0));
}

#[test]
fn two_that_joined_the_same_thread_may_race() {
    let trace = "main: fork A; main: fork B; main: fork W; W: write o.f; W: end
                 A: join W; B: join W; A: write o.f; B: write o.f";
    assert_eq!(counts(trace), (1, 1));
}

#[test]
fn starts_and_ends_hand_over() {
    let trace = "main: write o.f; main: fork T; T: write o.f; T: end; main: join T; main: read o.f";
    assert_eq!(counts(trace), (0, 0));
    let without = Options { ownership: false, ..with(DetectorChoice::Lockset) };
    assert_eq!(races(trace, &without).1.len(), 0);
}

/// Phases that a barrier separates do not race, however often they are repeated; what two threads do in one phase does.
#[test]
fn channels_hand_over() {
    let phases = |second: &str| {
        let phase = format!(
            "A: write o.f; A: publish b; B: publish b; A: subscribe b; B: subscribe b
             B: write o.f; {second} A: publish b; B: publish b; A: subscribe b; B: subscribe b"
        );
        format!("main: fork A; main: fork B; {phase}\n{phase}")
    };
    assert_eq!(counts(&phases("")), (0, 0));
    assert_eq!(counts(&phases("A: read o.f;")), (2, 2));
    // What is handed over is the item.
    let queue =
        "main: write o.f; main: fork A; main: fork B; A: write o.f; A: publish q item x; B: subscribe q item";
    assert_eq!(counts(&format!("{queue} x; B: write o.f")), (0, 0));
    assert_eq!(counts(&format!("{queue} y; B: write o.f")), (1, 1));
}

#[test]
fn ownership_hides_the_first_owners_accesses_and_happens_before_finds_them() {
    let trace = "main: fork T; main: write o.f; T: write o.f";
    assert_eq!(counts(trace), (0, 1));
    let (_, races) = races(trace, &Options::default());
    assert_eq!(races.len(), 1);
    assert_eq!(races[0].shown, Shown::HappensBefore);
}

#[test]
fn a_read_write_lock_protects_readers_from_writers_only() {
    let trace = |mode: &str, first: &str, other: &str, second: &str| {
        format!(
            "main: write o.f; main: fork T; main: fork U
             T: lock L{mode}; T: {first} o.f; T: unlock L{mode}
             U: lock L{other}; U: {second} o.f; U: unlock L{other}"
        )
    };
    assert_eq!(counts(&trace(" shared", "read", " shared", "read")), (0, 0));
    assert_eq!(counts(&trace(" shared", "read", "", "write")), (0, 0));
    assert_eq!(counts(&trace("", "write", " shared", "read")), (0, 0));
    assert_eq!(counts(&trace(" shared", "write", "", "write")), (0, 0));
    assert_eq!(counts(&trace(" shared", "write", " shared", "read")), (1, 1));
}

#[test]
fn a_monitor_and_the_explicit_lock_of_one_object_are_two_locks() {
    let trace = "main: fork T; main: write o.f; main: lock L; main: write o.g; main: unlock L
                 T: acquire L; T: write o.g; T: release L
                 main: lock L; main: write o.g; main: unlock L";
    assert_eq!(counts(trace), (1, 2));
}

#[test]
fn a_lock_is_held_until_its_last_release() {
    let trace = "main: fork T; main: acquire L; main: acquire L; main: write o.f; main: release L
                 main: write o.f; main: release L
                 T: acquire L; T: write o.f; T: release L
                 main: acquire L; main: acquire L; main: release L; main: write o.f; main: release L";
    assert_eq!(counts(trace), (0, 0));
}

#[test]
fn hand_overs_order_for_happens_before() {
    for (publish, subscribe) in [
        ("volatile-write o.flag", "volatile-read o.flag"),
        ("volatile-update o.count", "volatile-update o.count"),
        ("publish latch", "subscribe latch"),
        ("publish queue item o", "subscribe queue item o"),
        ("publish queue", "subscribe queue item o"),
        ("publish queue item o", "subscribe queue"),
        ("publish interrupt T", "subscribe interrupt T"),
        ("publish permit T", "subscribe permit T"),
        ("publish class p.C", "subscribe class p.C"),
    ] {
        let ordered = format!("main: fork T; main: write o.f; main: {publish}; T: {subscribe}; T: write o.f");
        assert_eq!(counts(&ordered), (0, 0), "{publish}");
        let unordered =
            format!("main: fork T; T: {subscribe}; main: write o.f; main: {publish}; T: write o.f");
        assert_eq!(counts(&unordered), (0, 1), "{publish} comes too late");
    }
    let other_item =
        "main: fork T; main: write o.f; main: publish q item o; T: subscribe q item x; T: write o.f";
    assert_eq!(counts(other_item), (0, 1));
    let other_channel =
        "main: fork T; main: write o.f; main: publish permit q; T: subscribe interrupt q; T: write o.f";
    assert_eq!(counts(other_channel), (0, 1));
}

#[test]
fn a_barrier_is_reported_by_locksets_and_not_by_happens_before() {
    // The paper's sor2: all four reports are of this kind.
    let trace = "main: fork A; main: fork B
                 A: write row[1]; A: publish barrier; B: read row[2]; B: publish barrier
                 A: subscribe barrier; B: subscribe barrier; B: write row[1]; A: read row[1]";
    let (by_locks, by_order) = counts(trace);
    assert_eq!(by_locks, 1);
    assert_eq!(by_order, 1, "A's second read is not ordered with B's write");
    let ordered = trace.replace("; A: read row[1]", "; A: read row[3]");
    assert_eq!(counts(&ordered), (0, 0), "ownership makes A's write the first owner's");
}

#[test]
fn granularity_merges_fields_and_elements() {
    let fields = "main: fork T; T: read o.h; main: write o.f; T: write o.g; main: write o.f";
    let elements = "main: fork T; main: write a[0]; T: write a[1]; main: write a[0]";
    let object = |granularity, arrays| Options { granularity, arrays, ..with(DetectorChoice::Lockset) };
    let count = |trace, options| races(trace, &options).1.len();
    assert_eq!(count(fields, object(Granularity::Field, Arrays::Element)), 0);
    assert_eq!(count(fields, object(Granularity::Object, Arrays::Element)), 1);
    assert_eq!(count(elements, object(Granularity::Field, Arrays::Element)), 0);
    assert_eq!(count(elements, object(Granularity::Field, Arrays::Whole)), 1);
    assert_eq!(count(elements, object(Granularity::Field, Arrays::Off)), 0);
}

#[test]
fn what_is_known_of_an_object_dies_with_it() {
    let mut engine = Engine::new(&Options::default());
    let mut text = String::from("main: fork T\n");
    for object in 1..=5000 {
        text += &format!(
            "main: acquire o{object}; main: write o{object}.f; main: release o{object}
             T: acquire o{object}; T: write o{object}.f; T: volatile-write o{object}.v; T: release o{object}
             T: publish o{object} item o{object}; T: publish o9999 item o{object}
             main: freed o{object}\n"
        );
    }
    let trace = text::parse(&text).unwrap();
    let mut most = 0;
    for event in &trace.events {
        assert_eq!(engine.event(event), None);
        most = most.max(engine.happens_before().unwrap().order().words());
    }
    use selvedge_runtime::Detector;
    assert_eq!(engine.lockset().unwrap().locations(), 0);
    assert_eq!(engine.happens_before().unwrap().locations(), 0);
    assert!(most < 100, "{most} words of clocks");
}

#[test]
fn threads_that_are_started_and_joined_in_turn_share_a_chain() {
    let mut text = String::new();
    for number in 0..2000 {
        text +=
            &format!("main: fork T{number}; T{number}: write o.f; T{number}: end; main: join T{number}\n");
    }
    let trace = text::parse(&text).unwrap();
    let mut engine = Engine::new(&Options::default());
    assert!(trace.events.iter().all(|event| engine.event(event).is_none()));
    assert_eq!(engine.happens_before().unwrap().order().chains(), 2);
}

#[test]
fn ten_thousand_threads_that_know_nothing_of_each_other_are_cheap() {
    let text: String =
        (0..10_000).map(|number| format!("main: fork T{number}; T{number}: read o.f\n")).collect();
    let trace = text::parse(&text).unwrap();
    let mut engine = Engine::new(&Options::default());
    assert!(trace.events.iter().all(|event| engine.event(event).is_none()));
    assert!(engine.happens_before().unwrap().order().words() < 300_000);
    assert_eq!(engine.degradations(), Vec::<String>::new());
}

#[test]
fn what_does_not_fit_is_said() {
    let trace =
        text::parse("main: fork T; main: write a[0]; main: write a[1]; main: write a[2]; T: write a[2]")
            .unwrap();
    let mut engine = Engine::new(&Options { max_locations: 2, ..Options::default() });
    assert!(trace.events.iter().all(|event| engine.event(event).is_none()));
    assert_eq!(
        engine.degradations(),
        [
            "the lockset detector was full: 2 accesses to further locations were not looked at",
            "the happens-before detector was full: 2 accesses to further locations were not looked at"
        ]
    );
    let mut engine = Engine::new(&Options { max_clock_words: 1, ..with(DetectorChoice::HappensBefore) });
    assert!(trace.events.iter().all(|event| engine.event(event).is_none()));
    assert_eq!(
        engine.degradations(),
        ["the happens-before detector stopped: too many threads and locks for its memory"]
    );
}

#[test]
fn weaker_than_keeps_tries_small() {
    let mut text = String::from("main: read o.f; main: fork T; T: read o.f\n");
    for number in 0..100 {
        let thread = ["main", "T"][number % 2];
        text += &format!("{thread}: acquire L{number}; {thread}: read o.f; {thread}: release L{number}\n");
    }
    let trace = text::parse(&text).unwrap();
    let options = Options { cache: false, ..with(DetectorChoice::Lockset) };
    let location = |trace: &text::Trace| match trace.events[0].action {
        selvedge_protocol::Action::Access { location, .. } => location,
        _ => unreachable!(),
    };
    let nodes = |options: &Options| {
        let mut engine = Engine::new(options);
        assert!(trace.events.iter().all(|event| engine.event(event).is_none()));
        engine.lockset().unwrap().nodes(location(&trace))
    };
    assert_eq!(nodes(&options), 51, "the first access of main was the owner's");
    assert_eq!(nodes(&Options { weaker_than: false, ..options }), 101);
    let Location::Field { .. } = location(&trace) else { panic!() };
}
