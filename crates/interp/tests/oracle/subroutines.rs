//! Instructions that javac does not emit (`jsr`, `ret`, `swap`, `goto_w`, `nop`), assembled by hand into an old class.

use std::collections::BTreeMap;
use std::path::Path;

use selvedge_classfile::{ClassFile, edit::ClassEditor, opcode as op};
use selvedge_interp::{NoObserver, Options, run};
use selvedge_testkit::{JavacOptions, RunOptions, Sources, compile_with, run_main};
use selvedge_world::{Input, Program};

use crate::corpus::corpus_or_skip;

/// An element of assembly.
enum Item {
    /// Instructions without jumps.
    Bytes(Vec<u8>),
    /// A jump with an offset of two bytes, or of four.
    Jump(u8, &'static str),
    WideJump(u8, &'static str),
    Label(&'static str),
}
use Item::{Bytes, Jump, Label, WideJump};

/// A `Code` attribute: code, and one handler of everything from the first label up to the second, at the third.
fn assemble(items: &[Item], handler: Option<[&str; 3]>) -> Vec<u8> {
    let mut labels = BTreeMap::new();
    let mut at = 0usize;
    for item in items {
        match item {
            Bytes(bytes) => at += bytes.len(),
            Jump(..) => at += 3,
            WideJump(..) => at += 5,
            Label(label) => assert!(labels.insert(*label, at).is_none()),
        }
    }
    let mut code = Vec::new();
    for item in items {
        let offset = |label: &str| labels[label] as i32 - code.len() as i32;
        match item {
            Bytes(bytes) => code.extend(bytes),
            Jump(opcode, label) => {
                let offset = (offset(label) as i16).to_be_bytes();
                code.extend([*opcode, offset[0], offset[1]]);
            }
            WideJump(opcode, label) => {
                let offset = offset(label).to_be_bytes();
                code.push(*opcode);
                code.extend(offset);
            }
            Label(_) => {}
        }
    }
    let mut attribute = Vec::new();
    attribute.extend(4u16.to_be_bytes());
    attribute.extend(310u16.to_be_bytes());
    attribute.extend((code.len() as u32).to_be_bytes());
    attribute.extend(code);
    attribute.extend(u16::from(handler.is_some()).to_be_bytes());
    for label in handler.iter().flatten() {
        attribute.extend((labels[label] as u16).to_be_bytes());
    }
    if handler.is_some() {
        attribute.extend(0u16.to_be_bytes());
    }
    attribute.extend(0u16.to_be_bytes());
    attribute
}

/// `count++`, with the field's place in the pool.
fn count_up(field: u16) -> Vec<u8> {
    let [high, low] = field.to_be_bytes();
    vec![op::GETSTATIC, high, low, op::ICONST_1, op::IADD, op::PUTSTATIC, high, low]
}

/// The bodies of the template's stubs.
fn bodies(count: u16) -> Vec<(&'static str, Vec<u8>)> {
    // The subroutine changes a local of its caller.
    let simple = [
        Jump(op::JSR, "sub"),
        Bytes(vec![op::ILOAD_0, op::IRETURN]),
        Label("sub"),
        Bytes(vec![op::ASTORE_1, op::NOP, op::IINC, 0, 10, op::RET, 1]),
    ];
    // try { return 10 / n; } finally { count++; } as compilers of old did it.
    let try_finally = [
        Label("start"),
        Bytes(vec![op::BIPUSH, 10, op::ILOAD_0, op::IDIV, op::ISTORE_1]),
        Label("end"),
        Jump(op::JSR, "finally"),
        Bytes(vec![op::ILOAD_1, op::IRETURN]),
        Label("handler"),
        Bytes(vec![op::ASTORE_2]),
        Jump(op::JSR, "finally"),
        Bytes(vec![op::ALOAD_2, op::ATHROW]),
        Label("finally"),
        Bytes([vec![op::ASTORE_3], count_up(count), vec![op::RET, 3]].concat()),
    ];
    // A subroutine that calls another, called from two places.
    let nested = [
        Jump(op::JSR, "outer"),
        Jump(op::JSR, "outer"),
        Bytes(vec![op::ILOAD_0, op::IRETURN]),
        Label("outer"),
        Bytes(vec![op::ASTORE_1, op::IINC, 0, 1]),
        Jump(op::JSR, "inner"),
        Bytes(vec![op::IINC, 0, 100, op::RET, 1]),
        Label("inner"),
        Bytes(vec![op::ASTORE_2, op::ILOAD_0, op::ICONST_2, op::IMUL, op::ISTORE_0, op::RET, 2]),
    ];
    // A subroutine called in a loop, with a branch in it.
    let looping = [
        Bytes(vec![op::ICONST_0, op::ISTORE_1]),
        Label("again"),
        Bytes(vec![op::ILOAD_0]),
        Jump(op::IFLT, "done"),
        Jump(op::JSR, "add"),
        Bytes(vec![op::IINC, 0, 0xff]),
        Jump(op::GOTO, "again"),
        Label("done"),
        Bytes(vec![op::ILOAD_1, op::IRETURN]),
        Label("add"),
        Bytes(vec![op::ASTORE_2, op::ILOAD_0, op::ICONST_1, op::IAND]),
        Jump(op::IFEQ, "even"),
        Bytes(vec![op::IINC, 1, 50]),
        Label("even"),
        Bytes(vec![op::IINC, 1, 1, op::RET, 2]),
    ];
    let odd = [
        Bytes(vec![op::ILOAD_0, op::ILOAD_1, op::SWAP, op::ISUB]),
        WideJump(op::GOTO_W, "on"),
        Label("sub"),
        Bytes(vec![op::WIDE, op::ASTORE, 1, 44, op::NOP, op::ICONST_3, op::IMUL, op::WIDE, op::RET, 1, 44]),
        Label("on"),
        WideJump(op::JSR_W, "sub"),
        Bytes(vec![op::IRETURN]),
    ];
    vec![
        ("simple", assemble(&simple, None)),
        ("tryFinally", assemble(&try_finally, Some(["start", "end", "handler"]))),
        ("nested", assemble(&nested, None)),
        ("loop", assemble(&looping, None)),
        ("odd", assemble(&odd, None)),
    ]
}

fn class_with_subroutines(template: &[u8]) -> Vec<u8> {
    let file = ClassFile::parse(template).unwrap();
    let mut editor = ClassEditor::new(&file);
    let count = editor.pool().field(b"Subroutines", b"count", b"I").unwrap();
    for (name, body) in bodies(count) {
        let position = file.methods.iter().position(|method| method.name == name.as_bytes()).unwrap();
        editor.replace_code(position, body).unwrap();
    }
    let mut bytes = editor.write().unwrap();
    // Version 49: the last whose verifier does without stack maps and still knows subroutines.
    bytes[4..8].copy_from_slice(&[0, 0, 0, 49]);
    bytes
}

#[test]
fn subroutines_and_rare_instructions_run_as_in_java() {
    let Some(corpus) = corpus_or_skip() else { return };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/Subroutines.java");
    let options = JavacOptions { release: Some(8), ..JavacOptions::default() };
    let compiled = compile_with(&corpus.jdk, Sources::Files(&[source]), &options).unwrap();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-subroutines");
    std::fs::create_dir_all(&dir).unwrap();
    let class = class_with_subroutines(&compiled.class_bytes("Subroutines").unwrap());
    std::fs::write(dir.join("Subroutines.class"), class).unwrap();

    let java = run_main(&corpus.jdk, "Subroutines", &RunOptions::with_classpath(&[&dir])).unwrap();
    assert_eq!((java.exit_code, java.stdout.lines().count()), (Some(0), 4), "{}", java.stderr);
    let input = selvedge_world::Options {
        paths: vec![dir],
        jdk: Some(corpus.jdk.home.clone()),
        ..Default::default()
    };
    let program = Program::load(Input::read(&input).unwrap());
    let outcome = run(&program, "Subroutines", &Options::default(), &mut NoObserver).unwrap();
    assert_eq!(
        (String::from_utf8_lossy(&outcome.stdout).as_ref(), outcome.status),
        (java.stdout.as_str(), Some(0))
    );
}
