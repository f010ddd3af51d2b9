//! `jsr` and `ret`.

use selvedge_ir::{Body, Op};

use crate::{check, lower_code, try_lower};

#[test]
fn each_call_gets_its_own_copy() {
    check(
        "(I)V",
        "      jsr sub
               iinc 0 1
               jsr sub
               return
          sub: astore 1
               iload 0
               invokestatic T.use(I)V
               ret 1",
        "b0:
           goto b1
         b1: <- b0
           invoke static T.use(I)V v0
           goto b2
         b2: <- b1
           v1: int = int 1
           v2: int = add v0, v1
           goto b3
         b3: <- b2
           invoke static T.use(I)V v2
           goto b4
         b4: <- b3
           return",
    );
}

/// How often a method is called in the body.
fn calls(body: &Body, name: &str) -> usize {
    let is_call = |op: &Op| matches!(op, Op::Invoke(_, method) if method.name.is(name));
    body.insts.iter().filter(|data| is_call(&data.op)).count()
}

#[test]
fn a_finally_as_old_compilers_wrote_it() {
    let body = lower_code(
        "()V",
        " from: invokestatic T.work()V
               jsr finally
           to: return
      handler: astore 0
               jsr finally
          end: aload 0
               athrow
      finally: astore 1
               invokestatic T.clean()V
               ret 1
               .catch any from to handler
               .catch any handler end handler",
    );
    assert_eq!((calls(&body, "work"), calls(&body, "clean")), (1, 2));
}

#[test]
fn subroutines_that_call_subroutines() {
    let body = lower_code(
        "()V",
        "      jsr outer
               jsr outer
               return
        outer: astore 0
               jsr inner
               jsr inner
               ret 0
        inner: astore 1
               invokestatic T.use()V
               ret 1",
    );
    assert_eq!(calls(&body, "use"), 4);
}

#[test]
fn returning_from_two_subroutines_at_once() {
    check(
        "()V",
        "      jsr outer
               return
        outer: astore 0
               jsr inner
               invokestatic T.never()V
               return
        inner: pop
               ret 0",
        "b0:
           goto b1
         b1: <- b0
           goto b2
         b2: <- b1
           goto b3
         b3: <- b2
           return",
    );
}

#[test]
fn leaving_a_subroutine_without_returning_ends_the_call() {
    // As `while (true) try { work(); } finally { continue; }`: without an end to calls, there would be no end to copies.
    let body = lower_code(
        "()V",
        " loop: invokestatic T.work()V
               jsr finally
               return
      finally: astore 0
               invokestatic T.clean()V
               goto loop",
    );
    assert_eq!((calls(&body, "work"), calls(&body, "clean")), (1, 1));
}

#[test]
fn an_exception_out_of_a_subroutine_ends_the_call() {
    let body = lower_code(
        "()V",
        " from: jsr sub
               jsr sub
           to: return
          sub: astore 0
               invokestatic T.work()V
               ret 0
          end: nop
      handler: pop
               invokestatic T.report()V
               return
               .catch any from end handler",
    );
    assert_eq!((calls(&body, "work"), calls(&body, "report")), (2, 1));
}

#[test]
fn a_subroutine_with_a_loop_and_a_merge() {
    let body = lower_code(
        "(I)I",
        "      iload 0
               ifeq skip
               jsr_w sub
         skip: jsr sub
               iload 0
               ireturn
          sub: astore 1
         loop: iinc 0 -1
               iload 0
               ifgt loop
               ret 1",
    );
    let loops = body
        .blocks
        .iter_ids()
        .filter(|(block, data)| data.predecessors.iter().any(|edge| edge.from == *block));
    assert_eq!(loops.count(), 2);
}

#[test]
fn misused_return_addresses_are_refused() {
    let reason = |source: &str| try_lower("(I)V", source).unwrap_err().reason;
    assert_eq!(reason("ret 0"), "local variable 0 does not hold one known return address");
    assert_eq!(
        reason("jsr a\na: astore 1\naload 1\nareturn"),
        "local variable 1 is read as a reference, but holds a return address"
    );
    assert_eq!(
        reason("jsr a\na: invokestatic T.use(Ljava/lang/Object;)V\nreturn"),
        "an argument of the call is not a reference"
    );
    assert_eq!(
        reason("jsr a\nreturn\na: astore 1\niload 0\nifeq b\naconst_null\nastore 1\nb: ret 1"),
        "local variable 1 does not hold one known return address"
    );
    assert_eq!(reason("goto b\na: astore 1\nret 1\nb: jsr a"), "control returns to the end of the code");
}

#[test]
fn exponential_growth_is_refused() {
    // Each of 40 subroutines calls the next one twice.
    let mut source = String::from("jsr s0\nreturn\n");
    for number in 0..40 {
        source += &format!(
            "s{number}: astore {number}\njsr s{next}\njsr s{next}\nret {number}\n",
            next = number + 1
        );
    }
    source += "s40: astore 40\nret 40\n";
    let error = crate::try_lower_with("()V", 41, &source, &selvedge_ir::NoHierarchy).unwrap_err();
    assert_eq!(error.reason, "inlining the method's subroutines makes it too large");
}
