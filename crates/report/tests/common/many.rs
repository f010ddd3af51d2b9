//! A report with as many made-up findings as one likes: different in location, kind, confidence and length of their
//! paths, and always the same.

use selvedge_findings::*;

/// The report.
pub fn report(count: u32) -> Report {
    let mut report = Report { findings: (0..count).map(finding).collect(), ..Report::default() };
    report.input.paths = vec!["derby.jar".to_owned()];
    report.input.library = Some(Vec::new());
    report.input.analyses = vec!["pairs".to_owned(), "objects".to_owned()];
    report.stats.stages = Stages {
        original: 48_120_331,
        reachable: 2_201_554,
        aliasing: 180_203,
        escaping: 41_220,
        unlocked: 9_301,
    };
    report.stats.refuters = vec![RefuterCount { name: "start before".to_owned(), removed: 1_204 }];
    report.stats.phases = ["reading", "points-to", "facts", "pairs"]
        .into_iter()
        .zip([900, 41_000, 8_400, 12_100])
        .map(|(name, ms)| Phase { name: name.to_owned(), ms })
        .collect();
    report.stats.peak_rss_bytes = 3_400_000_000;
    report.finish();
    report
}

fn finding(index: u32) -> Finding {
    let packages = ["impl.store", "impl.sql.execute", "iapi.services", "client.am", "impl.jdbc"];
    let class =
        format!("org.apache.derby.{}.Class{}", packages[index as usize % packages.len()], index % 397);
    let file = format!("Class{}.java", index % 397);
    let frame = |name: &str, line| Frame::new(format!("{class}.{name}(int)")).at(file.clone(), line);
    let path = |name: &str, depth: u32, line| -> Vec<Frame> {
        let calls = (0..depth).map(|level| frame(&format!("level{level}"), 10 + level));
        calls.chain([frame(name, line)]).collect()
    };
    let caller = |name: &str| ThreadInfo::caller_of(format!("{class}.{name}(int)"));
    let holder = || FieldRef { class: class.clone(), field: "page".to_owned() };
    let (kind, location) = match index % 4 {
        0 => (Kind::Array, Location::object("byte[]", vec![holder()])),
        1 => (Kind::Static, Location::field(class.clone(), "instance")),
        _ => (Kind::Field, Location::field(class.clone(), format!("field{index}"))),
    };
    let rank = 100 - index % 101;
    let confidence = match rank {
        80.. => Confidence::High,
        40..80 => Confidence::Medium,
        _ => Confidence::Low,
    };
    Finding::new(if index.is_multiple_of(9) { "objects" } else { "pairs" }, kind, location)
        .on(ObjectInfo::new(class.clone(), Some(frame("<init>", 8))))
        .sides(
            Side::new(Action::Write, frame("set", index + 1)).by(caller("open")).through(path(
                "set",
                index % 12,
                index + 1,
            )),
            Side::new(Action::Read, frame("get", index + 2))
                .by(caller("close"))
                .under(vec![Lock::new("this")])
                .through(path("get", index % 5, index + 2)),
        )
        .because(Reason::evidence("a client may call both from two threads"))
        .ranked(u8::try_from(rank).unwrap_or(100), confidence)
        .advise("Hold this at the write, too.")
}
