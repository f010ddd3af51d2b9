//! Exception handlers: where exceptions go, and which values they take along.

use selvedge_ir::{ClassName, TypeOracle};

use crate::{check, text_of, try_lower_with};

#[test]
fn a_handler_sees_variables_as_they_were_before_the_throwing_instruction() {
    check(
        "(I)I",
        "from: iconst_5
               istore 1
               iconst_1
               iload 0
               idiv
               istore 1
               iconst_2
               iload 0
               idiv
               istore 2
           to: iload 2
               ireturn
      handler: pop
               iload 1
               ireturn
               .catch any from to handler",
        "b0:
           v1: int = int 5
           v2: int = int 1
           goto b1
         b1: <- b0
           unwind any -> b4
           v3: int = div v2, v0
           v4: int = int 2
           goto b2
         b2: <- b1
           unwind any -> b4
           v5: int = div v4, v0
           goto b3
         b3: <- b2
           return v5
         b4: <- unwind b1, unwind b2
           v6: int = phi b1 v1, b2 v3
           v7: java/lang/Throwable = catch
           return v6",
    );
}

#[test]
fn blocks_in_which_nothing_throws_do_not_unwind() {
    check(
        "(I)I",
        "from: iload 0
               iload 0
               iadd
               istore 0
           to: iload 0
               ireturn
      handler: pop
               iconst_0
               ireturn
               .catch any from to handler",
        "b0:
           v1: int = add v0, v0
           goto b1
         b1: <- b0
           return v1",
    );
}

#[test]
fn a_handler_that_protects_itself() {
    check(
        "()V",
        "from: invokestatic T.work()V
           to: return
      handler: astore 0
               invokestatic T.clean()V
          end: aload 0
               athrow
               .catch any from to handler
               .catch any handler end handler",
        "b0:
           unwind any -> b2
           invoke static T.work()V
           goto b1
         b1: <- b0
           return
         b2: <- unwind b0, unwind b3
           v0: java/lang/Throwable = catch
           goto b3
         b3: <- b2
           unwind any -> b2
           invoke static T.clean()V
           goto b4
         b4: <- b3
           throw v0",
    );
}

#[test]
fn a_handler_that_is_also_jumped_to_gets_a_landing() {
    check(
        "(Ljava/lang/Throwable;)V",
        "      aload 0
               ifnonnull other
         from: invokestatic T.work()V
           to: return
        other: aload 0
      handler: invokestatic T.report(Ljava/lang/Throwable;)V
               return
               .catch any from to handler",
        "b0:
           if ref_ne v0 then b4 else b1
         b1: <- b0
           unwind any -> b3
           invoke static T.work()V
           goto b2
         b2: <- b1
           return
         b3: <- unwind b1
           v1: java/lang/Throwable = catch
           goto b5
         b4: <- b0
           goto b5
         b5: <- b3, b4
           v2: java/lang/Throwable = phi b3 v1, b4 v0
           invoke static T.report(Ljava/lang/Throwable;)V v2
           return",
    );
}

/// `IOError` and `FileError` are below `java/io/IOException`, which is below `java/lang/Exception`.
struct Exceptions;

impl TypeOracle for Exceptions {
    fn is_interface(&self, _: ClassName) -> bool {
        false
    }
    fn superclass(&self, class: ClassName) -> Option<ClassName> {
        Some(ClassName::new(match class.symbol().as_str()? {
            "IOError" | "FileError" => "java/io/IOException",
            "java/io/IOException" | "Other" => "java/lang/Exception",
            "java/lang/Exception" => "java/lang/Throwable",
            _ => "java/lang/Object",
        }))
    }
}

#[test]
fn caught_classes_are_joined_and_dead_entries_dropped() {
    let source = "
         from: invokestatic T.work()V
           to: return
      handler: invokestatic T.report(Ljava/lang/Throwable;)V
               return
        other: pop
               return
               .catch IOError from to handler
               .catch FileError from to handler
               .catch IOError from to other
               .catch java/lang/Throwable from to other
               .catch Other from to handler
               .catch any from to handler";
    let expected = "b0:
unwind IOError -> b2, FileError -> b2, java/lang/Throwable -> b3
invoke static T.work()V
goto b1
b1: <- b0
return
b2: <- unwind b0
v0: java/io/IOException = catch
invoke static T.report(Ljava/lang/Throwable;)V v0
return
b3: <- unwind b0
v1: java/lang/Throwable = catch
return";
    let body = try_lower_with("()V", 0, source, &Exceptions).unwrap();
    assert_eq!(text_of(&body), expected);
}

#[test]
fn nested_ranges_unwind_from_the_inside_out() {
    check(
        "()V",
        "outer: invokestatic T.a()V
        inner: invokestatic T.b()V
          end: return
            h: pop
               return
            g: pop
               return
               .catch Inner inner end h
               .catch Outer outer end g",
        "b0:
           unwind Outer -> b4
           invoke static T.a()V
           goto b1
         b1: <- b0
           unwind Inner -> b3, Outer -> b4
           invoke static T.b()V
           goto b2
         b2: <- b1
           return
         b3: <- unwind b1
           v0: Inner = catch
           return
         b4: <- unwind b0, unwind b1
           v1: Outer = catch
           return",
    );
}
