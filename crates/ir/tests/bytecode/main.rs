//! What bytecode is lowered to: hand-written code for the corners, compiled Java for the ordinary.
//!
//! Every body must pass the verifier. Expected bodies are compared with their text form, leaving out the bytecode
//! indexes, which have a test of their own.

#![allow(clippy::unwrap_used)]

mod assembler;
mod dynamic;
mod handlers;
mod hostile;
mod java;
mod merges;
mod refused;
mod stack;
mod subroutines;

use selvedge_classfile::ClassFile;
use selvedge_ir::text::{MethodHeader, print};
use selvedge_ir::{Body, ClassName, LowerError, NoHierarchy, TypeOracle, lower, verify_method};

/// Lowers `T.m` of this descriptor and code, with room for 16 local variables.
fn try_lower(descriptor: &str, source: &str) -> Result<Body, LowerError> {
    try_lower_with(descriptor, 16, source, &NoHierarchy)
}

fn try_lower_with(
    descriptor: &str,
    max_locals: u16,
    source: &str,
    types: &dyn TypeOracle,
) -> Result<Body, LowerError> {
    let bytes = assembler::assemble(descriptor, max_locals, source);
    let class = ClassFile::parse(&bytes).unwrap();
    let body = lower(&class, &class.methods[0], types)?.expect("the method has code");
    if let Err(errors) = verify_method(&body, descriptor.as_bytes(), true) {
        panic!("{}\n{}", errors[0], text_of(&body));
    }
    Ok(body)
}

fn lower_code(descriptor: &str, source: &str) -> Body {
    try_lower(descriptor, source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// The blocks of a body in text form, without bytecode indexes and indentation.
fn text_of(body: &Body) -> String {
    let header = MethodHeader {
        owner: ClassName::new("T"),
        name: "m".into(),
        descriptor: "()V".into(),
        access: selvedge_classfile::access::STATIC,
    };
    let text = print(&header, body);
    let blocks = text.lines().skip_while(|line| !line.starts_with("b0:")).take_while(|line| *line != "}");
    blocks.map(|line| tidy(line.split(" @").next().unwrap())).collect::<Vec<_>>().join("\n")
}

fn tidy(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Code of this descriptor becomes these blocks.
#[track_caller]
fn check(descriptor: &str, source: &str, expected: &str) {
    let found = text_of(&lower_code(descriptor, source));
    let lines: Vec<String> = expected.lines().map(tidy).filter(|line| !line.is_empty()).collect();
    let expected = lines.join("\n");
    assert!(found == expected, "expected:\n{expected}\n\nfound:\n{found}");
}
