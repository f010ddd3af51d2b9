//! Where values meet: phis, their types, and the shapes of control flow that need care.

use selvedge_ir::{NoHierarchy, Op, Type};

use crate::{check, lower_code, text_of, try_lower_with};

#[test]
fn a_conditional_value_on_the_stack() {
    check(
        "(I)I",
        "      iconst_5
               iload 0
               ifeq zero
               iconst_1
               goto join
         zero: iconst_2
         join: iadd
               ireturn",
        "b0:
           v1: int = int 5
           if eq v0 then b2 else b1
         b1: <- b0
           v2: int = int 1
           goto b3
         b2: <- b0
           v3: int = int 2
           goto b3
         b3: <- b1, b2
           v4: int = phi b1 v2, b2 v3
           v5: int = add v1, v4
           return v5",
    );
}

#[test]
fn a_loop_needs_phis_only_for_what_changes() {
    check(
        "(II)I",
        "      iconst_0
               istore 2
         loop: iload 2
               iload 1
               if_icmpge done
               iload 2
               iload 0
               iadd
               istore 2
               goto loop
         done: iload 2
               ireturn",
        "b0:
           v2: int = int 0
           goto b1
         b1: <- b0, b2
           v3: int = phi b0 v2, b2 v4
           if ge v3, v1 then b3 else b2
         b2: <- b1
           v4: int = add v3, v0
           goto b1
         b3: <- b1
           return v3",
    );
}

#[test]
fn a_dead_variable_gets_no_phi() {
    check(
        "(I)I",
        "      iload 0
               ifeq zero
               iconst_1
               istore 1
               goto join
         zero: fconst_0
               fstore 1
         join: iload 0
               ireturn",
        "b0:
           if eq v0 then b2 else b1
         b1: <- b0
           v1: int = int 1
           goto b3
         b2: <- b0
           v2: float = float 0.0
           goto b3
         b3: <- b1, b2
           return v0",
    );
}

#[test]
fn a_loop_that_starts_the_method_gets_an_entry_block() {
    check(
        "(I)I",
        "start: iinc 0 -1
               iload 0
               ifgt start
               iload 0
               ireturn",
        "b0:
           goto b1
         b1: <- b0, b1
           v1: int = phi b0 v0, b1 v3
           v2: int = int -1
           v3: int = add v1, v2
           if gt v3 then b1 else b2
         b2: <- b1
           return v3",
    );
}

/// Two entries into one cycle: neither block dominates the other.
const IRREDUCIBLE: &str = "
               iload 0
               ifeq right
         left: iinc 1 1
               iload 1
               ifgt done
        right: iinc 1 2
               iload 1
               iflt left
         done: iload 0
               iload 1
               iadd
               ireturn";

#[test]
fn irreducible_flow() {
    check(
        "(II)I",
        IRREDUCIBLE,
        "b0:
           if eq v0 then b1 else b2
         b1: <- b0, b2
           v2: int = phi b0 v1, b2 v7
           v3: int = int 2
           v4: int = add v2, v3
           if lt v4 then b2 else b3
         b2: <- b0, b1
           v5: int = phi b0 v1, b1 v4
           v6: int = int 1
           v7: int = add v5, v6
           if gt v7 then b3 else b1
         b3: <- b1, b2
           v8: int = phi b1 v4, b2 v7
           v9: int = add v0, v8
           return v9",
    );
}

#[test]
fn phis_that_only_feed_each_other_are_removed() {
    // Variable 0 is never assigned: in the cycle with two entries, its phis merge each other and the parameter.
    let body = lower_code("(II)I", IRREDUCIBLE);
    let phis = body.insts.iter().filter(|data| matches!(data.op, Op::Phi)).count();
    assert_eq!(phis, 3, "two in the cycle and one behind it, all for variable 1");
}

#[test]
fn switches() {
    check(
        "(I)I",
        "      iload 0
               tableswitch 3 other first second first
        first: iconst_1
               ireturn
       second: iload 0
               lookupswitch other -7=first 90=second
        other: iconst_0
               ireturn",
        "b0:
           switch v0 { 3 -> b2, 4 -> b1, 5 -> b2, default -> b3 }
         b1: <- b0, b1
           switch v0 { -7 -> b2, 90 -> b1, default -> b3 }
         b2: <- b0, b1
           v1: int = int 1
           return v1
         b3: <- b0, b1
           v2: int = int 0
           return v2",
    );
}

#[test]
fn both_branches_to_one_place_make_one_edge() {
    check(
        "(I)V",
        "      iload 0
               ifeq next
         next: return",
        "b0:
           if eq v0 then b1 else b1
         b1: <- b0
           return",
    );
}

#[test]
fn wide_slots_and_increments() {
    let source = "
               bipush 7
               istore 300
               lload 0
               lstore 400
               iinc 300 1000
               iload 300
               lload 400
               l2i
               iadd
               ireturn";
    let body = try_lower_with("(J)I", 402, source, &NoHierarchy).unwrap();
    let expected = "b0:
v1: int = int 7
v2: int = int 1000
v3: int = add v1, v2
v4: int = l2i v0
v5: int = add v3, v4
return v5";
    assert_eq!(text_of(&body), expected);
}

#[test]
fn unreachable_code_is_left_out() {
    check(
        "()V",
        "      goto end
               aconst_null
               athrow
          end: return",
        "b0:
           goto b1
         b1: <- b0
           return",
    );
}

#[test]
fn types_of_merged_references_and_loaded_elements() {
    let body = lower_code(
        "(I[[Ljava/lang/String;[[I)V",
        "      aconst_null
               iload 0
               ifeq a
               pop
               aload 1
            a: iconst_0
               aaload
               invokestatic T.row([Ljava/lang/String;)V
               aload 1
               iload 0
               ifeq b
               pop
               aload 2
            b: iconst_0
               aaload
               invokestatic T.any(Ljava/lang/Object;)V
               aconst_null
         loop: iconst_0
               aaload
               goto loop",
    );
    let of = |wanted: fn(&Op) -> bool| -> Vec<String> {
        let found = body.insts.iter().filter(|data| wanted(&data.op));
        found.map(|data| body.ty(data.result.unwrap()).to_string()).collect()
    };
    assert_eq!(of(|op| matches!(op, Op::Phi)), ["[[Ljava/lang/String;", "[Ljava/lang/Object;", "null"]);
    let elements = of(|op| matches!(op, Op::ArrayLoad(_)));
    assert_eq!(elements, ["[Ljava/lang/String;", "java/lang/Object", "null"]);
    assert!(body.parameters.iter().all(|&value| body.ty(value) != Type::Null));
}

#[test]
fn instructions_keep_their_bytecode_indexes() {
    let body = lower_code("(I)I", "iload 0\nifeq a\niinc 0 3\na: iload 0\nireturn");
    let at: Vec<(String, u32)> = body.insts.iter().map(|data| (format!("{:?}", data.op), data.bci)).collect();
    let at: Vec<(&str, u32)> =
        at.iter().map(|(op, bci)| (op.split(['(', ' ']).next().unwrap(), *bci)).collect();
    assert_eq!(at, [("If", 2), ("Int", 5), ("Binary", 5), ("Goto", 5), ("Phi", 8), ("Return", 10)]);
}
