//! Code that the JVM's verifier would refuse, as far as lowering depends on it, is an error that says where and why.

use crate::try_lower;

#[track_caller]
fn refused(descriptor: &str, source: &str, bci: u32, reason: &str) {
    let error = try_lower(descriptor, source).unwrap_err();
    assert_eq!((error.bci, error.reason.as_str()), (Some(bci), reason));
}

#[test]
fn reading_what_is_not_there() {
    refused("()I", "iload 0\nireturn", 0, "local variable 0 is read, but has no value");
    refused("(F)I", "iload 0\nireturn", 0, "local variable 0 is read as an int, but holds a float");
    refused("(J)I", "iload 1\nireturn", 0, "local variable 1 is read, but has no value");
    refused("(J)J", "iconst_0\nistore 1\nlload 0\nlreturn", 3, "local variable 0 is read, but has no value");
    refused(
        "(I)I",
        "iload 0\nifeq a\niconst_1\nistore 1\na: iload 1\nireturn",
        8,
        "local variable 1 is read, but does not have a value of one kind on every path here",
    );
    refused(
        "(II)I",
        "a: iload 1\nifeq b\nfconst_0\nfstore 1\ngoto a\nb: iload 1\nireturn",
        0,
        "local variable 1 is read, but does not have a value of one kind on every path here",
    );
}

#[test]
fn operands_of_the_wrong_kind_or_none() {
    refused("()V", "pop\nreturn", 0, "the stack is empty");
    refused("(I)V", "iload 0\ninvokestatic T.f(II)V\nreturn", 2, "the stack is empty");
    refused("(F)V", "fload 0\ninvokestatic T.f(I)V\nreturn", 2, "an argument of the call is not an int");
    refused("(F)V", "fload 0\nineg\nreturn", 2, "the instruction takes an int, but the stack holds a float");
    refused("(F)V", "fload 0\nfreturn", 2, "the method returns nothing, but the instruction returns a float");
    refused(
        "(I)V",
        "iload 0\nputstatic T.f:J\nreturn",
        2,
        "the instruction takes a long, but the stack holds an int",
    );
}

#[test]
fn stacks_that_do_not_meet() {
    let reason = "the stack holds 1 values on one path here and 0 on another";
    refused("(I)V", "iload 0\niload 0\nifeq a\npop\na: return", 8, reason);
    let reason = "the stack holds 0 values on one path here and 1 on another";
    refused("(I)V", "a: iload 0\ngoto a", 0, reason);
    let reason = "stack position 0 has values of different kinds here";
    refused("(IF)V", "iload 0\niload 0\nifeq a\npop\nfload 1\na: pop\nreturn", 10, reason);
    // A handler gets the exception on the stack, the method's start gets nothing.
    let reason = "the stack holds 0 values on one path here and 1 on another";
    refused("()V", "a: invokestatic T.f()V\nb: return\n.catch any a b a", 0, reason);
}

#[test]
fn control_that_leaves_the_code() {
    refused("()V", "nop", 0, "control runs off the end of the code");
    refused("(I)V", "iload 0\nifeq a\na: nop", 5, "control runs off the end of the code");
}

#[test]
fn wrong_uses_of_types() {
    refused("()V", "new [I\nreturn", 0, "`new` makes an instance of an array type");
    let reason = "more lengths are given than the array type has dimensions";
    refused("()V", "iconst_0\niconst_0\nmultianewarray [I 2\nreturn", 2, reason);
    refused("()V", "new [X\nreturn", 0, "a descriptor is malformed");
    let reason = "the instruction does not work on a value of type [I";
    refused("([I)F", "aload 0\niconst_0\nfaload\nfreturn", 3, reason);
    refused("([I)V", "aload 0\niconst_0\naconst_null\naastore\nreturn", 4, reason);
    let reason = "the instruction does not work on a value of type java/lang/Object";
    refused("(Ljava/lang/Object;)I", "aload 0\narraylength\nireturn", 2, reason);
}

#[test]
fn locals_beyond_those_declared() {
    let reason = "the instruction uses a local variable beyond the 16 declared";
    refused("()V", "iconst_0\nistore 16\nreturn", 1, reason);
    refused("()V", "lconst_0\nlstore 15\nreturn", 1, reason);
    let error = crate::try_lower_with("(JI)V", 2, "return", &selvedge_ir::NoHierarchy).unwrap_err();
    assert_eq!(error.to_string(), "the parameters do not fit into the local variables (at bytecode index 0)");
}

#[test]
fn boundaries_inside_instructions() {
    let reason = "an exception handler's boundary is not the start of an instruction";
    // The handler's range starts at the operand of the `bipush` at 0.
    let source = "bipush 0\nipop: pop\nreturn\n.catch any ipop ipop ipop";
    let mut bytes = crate::assembler::assemble("()V", 0, &source.replace("ipop ipop", "start ipop"));
    let table = bytes.len() - 12;
    assert_eq!(bytes[table..table + 8], [0, 0, 0, 2, 0, 2, 0, 0]);
    bytes[table + 1] = 1;
    let class = selvedge_classfile::ClassFile::parse(&bytes).unwrap();
    let error = selvedge_ir::lower(&class, &class.methods[0], &selvedge_ir::NoHierarchy).unwrap_err();
    assert_eq!((error.bci, error.reason.as_str()), (Some(1), reason));
}
