//! Instructions that only move operands leave no trace but the order of what is used later.

use selvedge_ir::Op;

use crate::{lower_code, try_lower};

/// Pushes all parameters, which are of these types.
fn loads(types: &str) -> String {
    let mut source = String::new();
    let mut slot = 0;
    for ty in types.chars() {
        let (load, slots) = match ty {
            'I' => ("iload", 1),
            'F' => ("fload", 1),
            'J' => ("lload", 2),
            _ => ("dload", 2),
        };
        source += &format!("{load} {slot}\n");
        slot += slots;
    }
    source
}

/// Pushes parameters of these types, runs an instruction, and passes the stack to a method with parameters of the types
/// `left`. Returns which parameters it got, bottom first.
fn after(types: &str, insn: &str, left: &str) -> String {
    let source = loads(types) + &format!("{insn}\ninvokestatic T.use({left})V\nreturn\n");
    let body = lower_code(&format!("({types})V"), &source);
    let (call, _) = body.insts.iter_ids().find(|(_, data)| matches!(data.op, Op::Invoke(..))).unwrap();
    let args: Vec<String> = body.args(call).iter().map(|arg| arg.number().to_string()).collect();
    args.join(" ")
}

#[test]
fn single_words() {
    assert_eq!(after("II", "pop", "I"), "0");
    assert_eq!(after("II", "dup", "III"), "0 1 1");
    assert_eq!(after("IF", "swap", "FI"), "1 0");
    assert_eq!(after("IF", "dup_x1", "FIF"), "1 0 1");
    assert_eq!(after("IFI", "dup_x2", "IIFI"), "2 0 1 2");
    assert_eq!(after("JI", "dup_x2", "IJI"), "1 0 1", "over a long");
}

#[test]
fn two_words() {
    assert_eq!(after("III", "pop2", "I"), "0");
    assert_eq!(after("ID", "pop2", "I"), "0", "a double");
    assert_eq!(after("IF", "dup2", "IFIF"), "0 1 0 1");
    assert_eq!(after("J", "dup2", "JJ"), "0 0");
    assert_eq!(after("IFI", "dup2_x1", "FIIFI"), "1 2 0 1 2");
    assert_eq!(after("IJ", "dup2_x1", "JIJ"), "1 0 1", "a long over an int");
    assert_eq!(after("IFIF", "dup2_x2", "IFIFIF"), "2 3 0 1 2 3");
    assert_eq!(after("IFJ", "dup2_x2", "JIFJ"), "2 0 1 2", "a long over two words");
    assert_eq!(after("JIF", "dup2_x2", "IFJIF"), "1 2 0 1 2", "two words over a long");
    assert_eq!(after("JD", "dup2_x2", "DJD"), "1 0 1", "a double over a long");
}

#[test]
fn a_long_is_not_split() {
    for (types, insn) in [
        ("J", "pop"),
        ("JI", "pop2"),
        ("J", "dup"),
        ("IJ", "swap"),
        ("JI", "swap"),
        ("IJ", "dup_x1"),
        ("JI", "dup_x1"),
        ("IIJ", "dup_x2"),
        ("JII", "dup_x2"),
        ("JI", "dup2"),
        ("JII", "dup2_x1"),
        ("JIJ", "dup2_x2"),
    ] {
        let source = loads(types) + insn + "\nreturn\n";
        let error = try_lower(&format!("({types})V"), &source).unwrap_err();
        assert_eq!(error.reason, "the instruction would split a long or double", "{types} {insn}");
    }
}
