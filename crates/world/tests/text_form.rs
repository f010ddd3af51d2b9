//! The text form on real code: every method of a sample of the JDK's classes, typed with the real hierarchy, passes the
//! verifier, and what is printed of it reads back as the same.
#![allow(clippy::unwrap_used)]

mod common;

use selvedge_ir::text::{MethodHeader, parse, print};
use selvedge_ir::{Cfg, ValueNumbering, verify_method};
use selvedge_testkit::jdk_or_skip;
use selvedge_world::Program;

/// One of so many methods is looked at.
const ONE_IN: usize = 29;

#[test]
fn methods_of_the_jdk_survive_printing_and_parsing() {
    let Some(_) = jdk_or_skip() else { return };
    let program = Program::load(common::read(&[]));
    let (mut methods, mut instructions, mut loops, mut equal_values) = (0, 0, 0, 0);
    for (id, method) in program.methods.iter_ids().step_by(ONE_IN) {
        let Some(body) = program.body(id) else { continue };
        let header = MethodHeader {
            owner: program.classes[method.class].name,
            name: method.name,
            descriptor: method.descriptor,
            access: method.flags,
        };
        let name = program.describe_method(id);
        if let Err(errors) = verify_method(body, method.descriptor.as_bytes(), header.is_static()) {
            panic!("{name}: {}", errors[0]);
        }
        let text = print(&header, body);
        let read = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(read.len(), 1, "{name}");
        assert_eq!(read[0].header, header, "{name}");
        assert!(read[0].body == *body, "{name} reads back differently\n{text}");
        assert_eq!(read[0].print(), text, "{name}");

        let cfg = Cfg::new(body);
        loops += cfg.loops(&cfg.dominators()).len();
        let numbering = ValueNumbering::new(body);
        for value in body.values.ids() {
            let number = numbering.number(value);
            assert_eq!(numbering.number(number), number, "{name}: the number of {value} is its own");
            equal_values += usize::from(number != value);
        }
        methods += 1;
        instructions += body.insts.len();
    }
    assert!(methods > 5_000 && instructions > 200_000, "{methods} methods, {instructions} instructions");
    assert!(
        loops > 500 && equal_values > 10_000,
        "{loops} loops, {equal_values} values equal to an earlier one"
    );
}
