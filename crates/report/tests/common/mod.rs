//! Sample reports, as detectors make them.

#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};

use selvedge_findings::*;
use selvedge_report::{Sources, Style};

/// All samples by name.
pub fn all() -> Vec<(&'static str, Report)> {
    vec![
        ("bank", bank()),
        ("library", library()),
        ("run", run()),
        ("clean", clean()),
        ("suppressed", suppressed()),
    ]
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A style with the sources of the bank. Directories are opened relative to the crate, as tests are started there, so
/// that no path of the machine gets into golden files.
pub fn style_with_sources() -> Style {
    assert!(data().join("sources").is_dir());
    let (sources, problems) = Sources::open(&[PathBuf::from("tests/data/sources")]);
    assert_eq!(problems, []);
    Style { sources, ..Style::default() }
}

fn at(method: &str, file: &str, line: u32) -> Frame {
    Frame::new(method).at(file, line)
}

/// A closed program: a lock on one side only, further pairs of one cause, a container.
pub fn bank() -> Report {
    const MAIN: &str = "bank.Main.main(java.lang.String[])";
    const DEPOSIT: &str = "bank.Account.deposit(long)";
    let teller = || ThreadInfo::spawned(at(MAIN, "Main.java", 9), "bank.Teller.run()", true);
    let account =
        || ObjectInfo::new("bank.Account", Some(at("bank.Bank.open(int,java.lang.String)", "Bank.java", 10)));
    let deposit = |line_of_call| {
        Side::new(Action::Write, at(DEPOSIT, "Account.java", 12))
            .by(teller())
            .under(vec![Lock::new("this").taken_at(at(DEPOSIT, "Account.java", 12))])
            .through(vec![
                at("bank.Teller.run()", "Main.java", 25),
                at("bank.Bank.transfer(int,int,long)", "Bank.java", line_of_call),
                at(DEPOSIT, "Account.java", 12),
            ])
    };
    let total = || at("bank.Bank.total()", "Bank.java", 22);
    let mut balance = Finding::new("pairs", Kind::Field, Location::field("bank.Account", "balance"))
        .on(account())
        .sides(
            deposit(28),
            Side::new(Action::Read, at("bank.Account.balance()", "Account.java", 16))
                .by(ThreadInfo::main(MAIN))
                .through(vec![
                    at(MAIN, "Main.java", 12),
                    total(),
                    at("bank.Account.balance()", "Account.java", 16),
                ]),
        )
        .because(Reason::evidence("a read of a long may see half of a write"))
        .because(Reason::tried("order", "no join comes between the start of the thread and the read"))
        .because(Reason::tried("locks", "the write holds this, the read holds nothing"))
        .ranked(85, Confidence::High)
        .advise("Make Account.balance() synchronized: the other accesses hold this.");
    balance.surroundings = Some(heap_of_the_bank(account()));
    balance.call_paths = Some(calls_of_the_bank());
    let empty = Finding::new("pairs", Kind::Field, Location::field("bank.Account", "balance"))
        .on(account())
        .sides(
            deposit(29),
            Side::new(Action::Read, at("bank.Account.isEmpty()", "Account.java", 20))
                .by(ThreadInfo::main(MAIN)),
        )
        .ranked(60, Confidence::Medium);
    let map = || {
        Location::object(
            "java.util.HashMap",
            vec![FieldRef { class: "bank.Bank".into(), field: "accounts".into() }],
        )
    };
    let accounts = Finding::new("pairs", Kind::Container, map())
        .on(ObjectInfo::new("java.util.HashMap", Some(at("bank.Bank.<init>()", "Bank.java", 7))))
        .sides(
            Side::new(Action::Call, at("bank.Bank.open(int,java.lang.String)", "Bank.java", 11))
                .calling(Some("java.util.HashMap.put".into()))
                .by(ThreadInfo::main(MAIN))
                .through(vec![
                    at(MAIN, "Main.java", 11),
                    at("bank.Bank.open(int,java.lang.String)", "Bank.java", 11),
                ]),
            Side::new(Action::Call, at("bank.Bank.find(int)", "Bank.java", 16))
                .calling(Some("java.util.HashMap.get".into()))
                .by(teller())
                .through(vec![
                    at("bank.Teller.run()", "Main.java", 25),
                    at("bank.Bank.transfer(int,int,long)", "Bank.java", 28),
                    at("bank.Bank.find(int)", "Bank.java", 16),
                ]),
        )
        .because(Reason::evidence("a HashMap is not safe for use by several threads"))
        .ranked(80, Confidence::Medium)
        .advise("Use a ConcurrentHashMap.");
    let findings = group_by_cause(vec![balance, empty, accounts], |finding| finding.location.clone());
    let mut report = Report { findings, ..Report::default() };
    report.input = Input {
        paths: vec!["bank.jar".into()],
        main: Some("bank.Main".into()),
        analyses: vec!["pairs".into()],
        ..Input::default()
    };
    report.safe = Some(vec![Safe {
        location: Location::field("bank.Account", "owner"),
        because: vec![Because {
            refuter: "final".into(),
            strength: Strength::Proof,
            count: 1,
            examples: vec!["written only in the constructor, at Account.java:8".into()],
        }],
    }]);
    report.stats = Stats {
        application: Some(ApplicationTable {
            classes: 4,
            methods: 19,
            reached_methods: 17,
            statements: 1240,
            reached_statements: 1100,
            reads: 61,
            writes: 23,
            unknown: 1,
        }),
        ownership: None,
        uses: None,
        interthread: None,
        stages: Stages { original: 1210, reachable: 340, aliasing: 41, escaping: 12, unlocked: 3 },
        refuters: vec![
            RefuterCount { name: "start before".into(), removed: 6 },
            RefuterCount { name: "final field".into(), removed: 1 },
        ],
        methods: 9417,
        classes: 1320,
        contexts: 14_020,
        objects: 3301,
        phases: vec![
            Phase { name: "reading".into(), ms: 120 },
            Phase { name: "points-to".into(), ms: 1840 },
            Phase { name: "pairs".into(), ms: 95 },
        ],
        peak_rss_bytes: 412_000_000,
        suppressed: [("baseline".to_owned(), 2)].into(),
    };
    report.assumptions = vec!["reflection by names that are no constants is not followed".into()];
    report.finish();
    report
}

/// All ways to the two accesses: tellers deposit and transfer.
fn calls_of_the_bank() -> CallPaths {
    let method = |name: &str, file: &str, is_start, is_access| PathMethod {
        at: Frame { line: None, ..at(name, file, 1) },
        is_start,
        is_access,
    };
    let call = |from, to, line| PathCall { from, to, line: Some(line) };
    CallPaths {
        methods: vec![
            method("bank.Account.deposit(long)", "Account.java", false, true),
            method("bank.Account.balance()", "Account.java", false, true),
            method("bank.Bank.transfer(int,int,long)", "Bank.java", false, false),
            method("bank.Bank.total()", "Bank.java", false, false),
            method("bank.Teller.run()", "Main.java", true, false),
            method("bank.Main.main(java.lang.String[])", "Main.java", true, false),
        ],
        calls: vec![call(2, 0, 28), call(3, 1, 22), call(4, 0, 24), call(4, 2, 25), call(5, 3, 12)],
        leading: [2, 1],
        left_out: 0,
    }
}

/// The account in the map of the bank, which a static field holds.
fn heap_of_the_bank(account: ObjectInfo) -> Surroundings {
    let node = |role, class: &str, allocated_at| HeapNode { role, class: class.to_owned(), allocated_at };
    let made = |line| Some(at("bank.Bank.<init>()", "Bank.java", line));
    let edge = |from, to, by: &str| HeapEdge { from, to, by: by.to_owned() };
    Surroundings {
        nodes: vec![
            node(NodeRole::Raced, &account.class, account.allocated_at),
            node(NodeRole::Holder, "java.util.HashMap$Node", None),
            node(NodeRole::Holder, "java.util.HashMap", made(7)),
            node(NodeRole::Holder, "bank.Bank", Some(at("bank.Main.<clinit>()", "Main.java", 5))),
            node(NodeRole::Class, "bank.Main", None),
            node(NodeRole::Held, "java.lang.String", None),
        ],
        edges: vec![
            edge(1, 0, "value"),
            edge(1, 1, "next"),
            edge(2, 1, "table"),
            edge(3, 2, "accounts"),
            edge(4, 3, "BANK"),
            edge(0, 5, "owner"),
        ],
        left_out: 1,
    }
}

/// The bank after somebody decided that its balance does not matter, and accepted its map.
pub fn suppressed() -> Report {
    let mut report = bank();
    report.suppress("configuration", |finding| {
        (finding.kind == Kind::Field).then(|| "balances are only shown, never billed".to_owned())
    });
    report.suppress("source", |_| Some("@SuppressWarnings(\"selvedge\") at src/bank/Bank.java:6".to_owned()));
    report
}

/// A library: clients as threads, arrays without holders, two findings on one static, several threads at one line.
pub fn library() -> Report {
    let caller = |entry: &str| ThreadInfo::caller_of(entry);
    let mut findings = Vec::new();
    for (line, other, rank) in
        [(40, "pool.Registry.reset()", 55), (51, "pool.Registry.dump(java.io.PrintStream)", 20)]
    {
        findings.push(
            Finding::new("pairs", Kind::Static, Location::field("pool.Registry", "instance"))
                .sides(
                    Side::new(Action::Write, at("pool.Registry.get()", "Registry.java", 31))
                        .by(caller("pool.Registry.get()")),
                    Side::new(Action::Read, at(other, "Registry.java", line)).by(caller(other)),
                )
                .because(Reason::doubt(
                    "both writes store the same value, so it does not matter which one wins",
                ))
                .ranked(rank, if rank > 50 { Confidence::Medium } else { Confidence::Low }),
        );
    }
    let put = at("pool.Ring.put(int)", "Ring.java", 77);
    let element = || {
        Side::new(Action::Write, put.clone())
            .by(caller("pool.Ring.put(int)"))
            .under(vec![Lock::new("pool.Ring.lock").shared()])
    };
    findings.push(
        Finding::new("pairs", Kind::Array, Location::object("int[]", vec![]))
            .on(ObjectInfo::new("int[]", Some(at("pool.Ring.<init>(int)", "Ring.java", 12))))
            .sides(element(), element())
            .ranked(70, Confidence::Medium)
            .advise("Take the write lock."),
    );
    let deep: Vec<Frame> =
        (1..=20).map(|depth| at(&format!("pool.Deep.level{depth}()"), "Deep.java", depth * 10)).collect();
    let holder = |field: &str| FieldRef { class: "pool.Deep".into(), field: field.into() };
    let object = Location::object("pool.Node", vec![holder("head"), holder("tail")]);
    findings.push(
        Finding::new("objects", Kind::Object, object)
            .sides(
                Side::new(Action::Call, deep[19].clone())
                    .by(caller("pool.Deep.level1()"))
                    .through(deep.clone()),
                Side::new(Action::Call, at("pool.Deep.close()", "Deep.java", 230))
                    .by(ThreadInfo::spawned(
                        at("pool.Deep.open()", "Deep.java", 220),
                        "pool.Deep.lambda$open$0()",
                        false,
                    ))
                    .under(vec![Lock::new("pool.Deep.class")]),
            )
            .ranked(30, Confidence::Low),
    );
    let mut report = Report { findings, ..Report::default() };
    report.input = Input {
        paths: vec!["pool.jar".into()],
        library: Some(vec![]),
        analyses: vec!["pairs".into(), "objects".into()],
        options: [("locks".to_owned(), "sound".to_owned())].into(),
        ..Input::default()
    };
    report.problems = vec![Problem {
        kind: "missing-class".into(),
        place: "pool.Registry".into(),
        message: "refers to javax.management.MBeanServer, which is not on the path".into(),
    }];
    report.finish();
    report
}

/// A run: named threads, classes without lines, verdicts of both detectors, and names that try to break out.
pub fn run() -> Report {
    let named = |name: &str| ThreadInfo { name: Some(name.into()), ..ThreadInfo::default() };
    let hostile = "x</script><script>alert(1)</script>\u{1b}[2J\u{202e}";
    let findings = vec![
        Finding::new("run", Kind::Field, Location::field("app.Cache", "size"))
            .sides(
                Side::new(Action::Write, Frame::new("app.Cache.add(java.lang.Object)").at_bytecode(17))
                    .by(named("pool-1-thread-1")),
                Side::new(Action::Write, Frame::new("app.Cache.clear()").at_bytecode(5))
                    .by(named("pool-1-thread-2")),
            )
            .known_by(Verdict::HappensBefore)
            .ranked(95, Confidence::High),
        Finding::new("run", Kind::Field, Location::field(format!("app.{hostile}"), "f\"><img src=x>"))
            .sides(
                Side::new(Action::Write, at(&format!("app.{hostile}.m()"), "A,b:c%.java", 3))
                    .by(named(hostile)),
                Side::new(Action::Read, at("app.Safe.m()", "Safe.java", 4)).by(named("main")),
            )
            .because(Reason::evidence("100 % sure\n::error::not a command"))
            .known_by(Verdict::Lockset)
            .ranked(40, Confidence::Low)
            .advise(hostile),
    ];
    let mut report = Report { findings, ..Report::default() };
    report.input =
        Input { paths: vec!["app classes/".into()], analyses: vec!["run".into()], ..Input::default() };
    report.finish();
    report
}

/// Nothing found.
pub fn clean() -> Report {
    let input = Input { paths: vec!["fine.jar".into()], analyses: vec!["pairs".into()], ..Input::default() };
    let mut report = Report { input, ..Report::default() };
    report.stats.methods = 12;
    report.stats.phases = vec![Phase { name: "pairs".into(), ms: 3 }];
    report.finish();
    report
}
