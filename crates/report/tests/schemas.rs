//! JSON and SARIF held against their schemas: ours, which ships with the tool, and the standard's.

mod common;

use selvedge_report::{Format, JSON_SCHEMA, Style, render};
use serde_json::Value;

#[track_caller]
fn complaints(schema: &str, instance: &Value) -> Vec<String> {
    complaints_of(&serde_json::from_str(schema).expect("the schema is JSON"), instance)
}

/// The standard's schema without the one pattern in it that is no regular expression by strict rules (a bracket too
/// many, for languages); nothing that is written here has to do with it.
fn standard() -> Value {
    let mut schema: Value =
        serde_json::from_str(include_str!("data/sarif-schema-2.1.0.json")).expect("the schema is JSON");
    for owner in ["run", "toolComponent"] {
        let language =
            schema["definitions"][owner]["properties"]["language"].as_object_mut().expect("it is there");
        assert!(language.remove("pattern").is_some());
    }
    schema
}

#[track_caller]
fn complaints_of(schema: &Value, instance: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("the schema is valid");
    validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn reports_keep_to_their_schema() {
    for (name, report) in common::all() {
        let json: Value = serde_json::from_str(&render(&report, Format::Json, &Style::default())).unwrap();
        assert_eq!(complaints(JSON_SCHEMA, &json), [""; 0], "{name}");
    }
}

#[test]
fn the_schema_bites() {
    let good: Value =
        serde_json::from_str(&render(&common::bank(), Format::Json, &Style::default())).unwrap();
    let damages: [(&str, Value); 6] = [
        ("/schema", "selvedge/2".into()),
        ("/findings/0/rank", 101.into()),
        ("/findings/0/key", "no key".into()),
        ("/findings/0/sides/0/action", "guess".into()),
        ("/findings/0/location/field", Value::Null),
        ("/stats/stages/unlocked", (-1).into()),
    ];
    for (place, value) in damages {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value;
        assert!(!complaints(JSON_SCHEMA, &bad).is_empty(), "damage at {place} is not seen");
    }
    let mut bad = good.clone();
    bad["findings"][0]["sides"].as_array_mut().unwrap().pop();
    assert!(!complaints(JSON_SCHEMA, &bad).is_empty(), "a finding with one side is taken");
}

#[test]
fn sarif_keeps_to_the_standard() {
    let standard = standard();
    for (name, report) in common::all() {
        for style in [Style::default(), common::style_with_sources()] {
            let log: Value = serde_json::from_str(&render(&report, Format::Sarif, &style)).unwrap();
            assert_eq!(complaints_of(&standard, &log), [""; 0], "{name}");
        }
    }
    let mut bad: Value =
        serde_json::from_str(&render(&common::bank(), Format::Sarif, &Style::default())).unwrap();
    bad["runs"][0]["results"][0]["level"] = "loud".into();
    assert!(!complaints_of(&standard, &bad).is_empty(), "the schema does not bite");
}

#[test]
fn sarif_says_what_viewers_need() {
    let log: Value =
        serde_json::from_str(&render(&common::bank(), Format::Sarif, &common::style_with_sources())).unwrap();
    let result = &log["runs"][0]["results"][0];
    let rule = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    let flows = result["codeFlows"][0]["threadFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 2);
    let last = flows[0]["locations"].as_array().unwrap().last().unwrap();
    assert_eq!(last["location"]["physicalLocation"], result["locations"][0]["physicalLocation"]);
    assert_eq!(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "tests/data/sources/bank/Account.java"
    );
    assert_eq!(result["partialFingerprints"]["selvedge/v1"], common::bank().findings[0].key.as_str());
}
