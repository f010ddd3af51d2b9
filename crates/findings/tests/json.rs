//! The JSON form: keys and their order, as other programs rely on them, and that reading gives back what was written.

use selvedge_findings::*;

fn sample() -> Report {
    let access = |line| Frame::new("bank.Account.deposit(int)").at("Account.java", line);
    let spawn = Frame::new("bank.Main.main(java.lang.String[])").at("Main.java", 9);
    let writer = Side::new(Action::Write, access(12))
        .by(ThreadInfo::spawned(spawn.clone(), "bank.Teller.run()", true))
        .under(vec![Lock::new("this").taken_at(access(11)), Lock::new("bank.Bank.lock").shared()])
        .through(vec![Frame::new("bank.Teller.run()").at("Teller.java", 5), access(12)]);
    let reader = Side::new(Action::Read, Frame::new("bank.Account.get()").at_bytecode(4))
        .by(ThreadInfo::main("bank.Main.main(java.lang.String[])"));
    let finding = Finding::new("pairs", Kind::Field, Location::field("bank.Account", "balance"))
        .on(ObjectInfo::new("bank.Account", Some(spawn.clone())))
        .sides(writer.clone(), reader.clone())
        .because(Reason::tried("locks", "the write holds this, the read holds nothing"))
        .ranked(70, Confidence::High)
        .advise("Hold this at the read, too.");
    let array = Finding::new("pairs", Kind::Array, Location::object("int[]", vec![]))
        .sides(writer.clone(), writer)
        .ranked(10, Confidence::Low);
    let mut report = Report { findings: group_by_cause(vec![array, finding], |_| ()), ..Report::default() };
    report.input.paths = vec!["bank.jar".to_owned()];
    report.input.analyses = vec!["pairs".to_owned()];
    report.safe = Some(vec![Safe {
        location: Location::field("bank.Bank", "accounts"),
        because: vec![Because {
            refuter: "locks".into(),
            strength: Strength::Proof,
            count: 3,
            examples: vec![],
        }],
    }]);
    report.stats.phases.push(Phase { name: "points-to".into(), ms: 41 });
    report.assumptions.push("reflection by names that are no constants is not followed".into());
    report.problems.push(Problem {
        kind: "missing-class".into(),
        place: "bank.Main".into(),
        message: "bank.Audit is not on the path".into(),
    });
    report.finish();
    report
}

#[test]
fn keys_come_in_the_order_that_others_rely_on() {
    let json = serde_json::to_string(&sample()).unwrap();
    let expected = concat!(
        r#"{"schema":"selvedge/1","tool":{"version":"VERSION"},"#,
        r#""input":{"paths":["bank.jar"],"analyses":["pairs"]},"#,
        r#""findings":[{"key":"KEY","analysis":"pairs","kind":"field","#,
        r#""location":{"class":"bank.Account","field":"balance"},"#,
        r#""object":{"class":"bank.Account","allocated_at":"#,
        r#"{"method":"bank.Main.main(java.lang.String[])","file":"Main.java","line":9}},"#,
        r#""sides":[{"action":"write","method":"bank.Account.deposit(int)","file":"Account.java","line":12,"#,
        r#""thread":{"spawned_at":{"method":"bank.Main.main(java.lang.String[])","file":"Main.java","line":9},"#,
        r#""entry":"bank.Teller.run()","many":true},"#,
        r#""locks":[{"name":"bank.Bank.lock","mode":"shared"},{"name":"this","mode":"exclusive","taken_at":"#,
        r#"{"method":"bank.Account.deposit(int)","file":"Account.java","line":11}}],"#,
        r#""path":[{"method":"bank.Teller.run()","file":"Teller.java","line":5},"#,
        r#"{"method":"bank.Account.deposit(int)","file":"Account.java","line":12}]},"#,
        r#"{"action":"read","method":"bank.Account.get()","file":null,"line":null,"bytecode_index":4,"#,
        r#""thread":{"spawned_at":null,"entry":"bank.Main.main(java.lang.String[])","many":false,"name":"main"},"#,
        r#""locks":[],"path":[]}],"#,
        r#""verdict":"predicted","confidence":"high","#,
        r#""reasons":[{"kind":"tried","refuter":"locks","text":"the write holds this, the read holds nothing"}],"#,
        r#""rank":70,"advice":"Hold this at the read, too.","#,
        r#""pairs":[{"key":"PAIR","kind":"array","location":{"class":"int[]","held_by":[]},"object":null,"sides":["#,
    );
    let report = sample();
    let (key, pair) = (&report.findings[0].key, &report.findings[0].pairs[0].key);
    let expected =
        expected.replace("KEY", key).replace("PAIR", pair).replace("VERSION", env!("CARGO_PKG_VERSION"));
    let common = json.bytes().zip(expected.bytes()).take_while(|(a, b)| a == b).count();
    assert_eq!(common, expected.len(), "differs from here: {}", &json[common..]);

    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).unwrap();
    assert_eq!(object["views"]["by_field"].as_array().unwrap().len(), 2);
    assert_eq!(object["safe"][0]["because"][0]["strength"], "proof");
    assert_eq!(object["stats"]["stages"]["original"], 0);
}

#[test]
fn reading_gives_back_what_was_written() {
    let report = sample();
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
    assert!(!serde_json::to_string(&Report::default()).unwrap().contains("\"safe\""));
    let baseline = Baseline::of(&report);
    let json = serde_json::to_string(&baseline).unwrap();
    assert_eq!(serde_json::from_str::<Baseline>(&json).unwrap(), baseline);
}

#[test]
fn paths_end_with_the_access() {
    let access = Frame::new("p.C.m()").at("C.java", 3);
    let call = Frame::new("p.C.run()").at("C.java", 9);
    let side = |path| Side::new(Action::Write, access.clone()).through(path);
    let finding = Finding::new("pairs", Kind::Field, Location::field("p.C", "f"))
        .sides(side(vec![call.clone()]), side(vec![]));
    let mut report = Report { findings: vec![finding], ..Report::default() };
    report.finish();
    assert_eq!(report.findings[0].sides[0].path, [call, access]);
    assert_eq!(report.findings[0].sides[1].path, []);
}

#[test]
fn finishing_twice_changes_nothing_and_keys_can_be_shortened() {
    let mut report = sample();
    let once = report.clone();
    report.finish();
    assert_eq!(report, once);
    let key = &once.findings[0].key;
    assert_eq!(once.find(&key[..6]).unwrap().key, *key);
    assert_eq!(once.find(&once.findings[0].pairs[0].key).unwrap().key, *key);
    assert!(once.find("").is_none());
    assert!(once.find("zz").is_none());
}
