//! Edits of small classes whose outcome is known to the byte. (That the JVM accepts edits of real classes is tested
//! elsewhere.)

use crate::class::ClassFile;
use crate::edit::{ClassEditor, CodeEditor, Jumps};
use crate::error::{Error, Result};
use crate::insn::{Cond, Insn};
use crate::opcode::*;
use crate::testing::class_with_code;

/// The code of the class's only method after an edit.
fn edited(
    major: u16,
    minor: u16,
    code: &[u8],
    edit: impl FnOnce(&mut CodeEditor<'_, '_>),
) -> Result<Vec<u8>> {
    let bytes = class_with_code(major, minor, code);
    let class = ClassFile::parse(&bytes)?;
    let original = class.methods[0].code(&class.pool)?.expect("the method has code");
    let mut class_editor = ClassEditor::new(&class);
    let mut code_editor = CodeEditor::new(&class, &class.methods[0], &original);
    edit(&mut code_editor);
    let new_code = code_editor.finish(class_editor.pool())?;
    class_editor.replace_code(0, new_code)?;
    let written = class_editor.write()?;
    let reread = ClassFile::parse(&written)?;
    Ok(reread.methods[0].code(&reread.pool)?.expect("the method has code").bytes.to_vec())
}

fn nop_before(edit: &mut CodeEditor<'_, '_>, bci: u32) {
    edit.before(bci, Jumps::Run).insn(Insn::Nop);
}

/// A loop: the `goto` at 1 jumps to the `nop` at 0.
const LOOP: [u8; 4] = [NOP, GOTO, 0xff, 0xff];

#[test]
fn jumps_run_or_skip_what_is_inserted() {
    let run = edited(49, 0, &LOOP, |edit| {
        edit.before(0, Jumps::Run).insn(Insn::IConst(0)).insn(Insn::Stack(crate::StackOp::Pop));
    });
    assert_eq!(run, Ok(vec![ICONST_0, POP, NOP, GOTO, 0xff, 0xfd]));
    let skip = edited(49, 0, &LOOP, |edit| {
        edit.before(0, Jumps::Skip).insn(Insn::IConst(0)).insn(Insn::Stack(crate::StackOp::Pop));
    });
    assert_eq!(skip, Ok(vec![ICONST_0, POP, NOP, GOTO, 0xff, 0xff]));
}

#[test]
fn zones_are_in_order() {
    let all = edited(49, 0, &[NOP, RETURN], |edit| {
        edit.before(1, Jumps::Run).insn(Insn::IConst(3));
        edit.before(1, Jumps::Skip).insn(Insn::IConst(2));
        edit.after(0).insn(Insn::IConst(1));
        edit.after(0).insn(Insn::AConstNull);
        edit.at_entry().insn(Insn::IConst(0));
    });
    assert_eq!(all, Ok(vec![ICONST_0, NOP, ICONST_1, ACONST_NULL, ICONST_2, ICONST_3, RETURN]));
}

#[test]
fn what_cannot_be_reached_is_left_out() {
    let code = [GOTO, 0, 3, RETURN];
    let skipped = edited(49, 0, &code, |edit| {
        edit.after(0).insn(Insn::IConst(1));
        edit.before(3, Jumps::Skip).insn(Insn::IConst(2));
        edit.after(3).insn(Insn::IConst(3));
    });
    assert_eq!(skipped, Ok(code.to_vec()));
}

#[test]
fn inserted_code_can_branch() {
    let code = edited(49, 0, &[NOP, RETURN], |edit| {
        let (end, start) = (edit.new_label(), edit.label_at(0));
        edit.before(1, Jumps::Run)
            .insn(Insn::IConst(0))
            .branch(|to| Insn::IfZero(Cond::Ne, to), end)
            .branch(Insn::Goto, start)
            .label(end);
    });
    assert_eq!(code, Ok(vec![NOP, ICONST_0, IFNE, 0, 6, GOTO, 0xff, 0xfb, RETURN]));
}

#[test]
fn switches_are_aligned_anew() {
    let mut code = vec![ICONST_0, TABLESWITCH, 0, 0];
    [19, 0, 0, 19].iter().for_each(|word| code.extend(i32::to_be_bytes(*word)));
    code.push(RETURN);
    let edited = edited(49, 0, &code, |edit| {
        edit.before(0, Jumps::Run).insn(Insn::Nop);
    });
    let mut expected = vec![NOP, ICONST_0, TABLESWITCH, 0];
    [18, 0, 0, 18].iter().for_each(|word| expected.extend(i32::to_be_bytes(*word)));
    expected.push(RETURN);
    assert_eq!(edited, Ok(expected));
}

#[test]
fn branches_that_do_not_reach_are_widened() {
    let code = [ICONST_0, IFEQ, 0, 6, GOTO, 0xff, 0xfd, RETURN];
    let edited = edited(49, 0, &code, |edit| {
        edit.before(4, Jumps::Run).insns((0..40_000).map(|_| Insn::Nop));
    });
    let edited = edited.unwrap();
    // The opposite condition around a goto_w, and a goto_w back.
    assert_eq!(edited[..9], [ICONST_0, IFNE, 0, 8, GOTO_W, 0, 0, 0x9c, 0x4a]);
    assert_eq!(edited[9 + 40_000..], [GOTO_W, 0xff, 0xff, 0x63, 0xb8, RETURN]);
    assert_eq!(4 + 0x9c4a, edited.len() - 1);
    assert_eq!(9 + 40_000 + 0xffff_63b8u32 as i32, 1);
}

#[test]
fn limits_are_errors() {
    let too_long = edited(49, 0, &[RETURN], |edit| {
        edit.before(0, Jumps::Run).insns((0..65_535).map(|_| Insn::Nop));
    });
    assert_eq!(too_long, Err(Error::TooLarge { what: "a method's code" }));
    let longest = edited(49, 0, &[RETURN], |edit| {
        edit.before(0, Jumps::Run).insns((0..65_534).map(|_| Insn::Nop));
    });
    assert_eq!(longest.map(|code| code.len()), Ok(65_535));
    let locals = edited(49, 0, &[RETURN], |edit| {
        edit.new_local(65_530);
        edit.new_local(1);
    });
    assert_eq!(locals, Err(Error::TooLarge { what: "the number of local variables" }));
    let stack = edited(49, 0, &[RETURN], |edit| edit.reserve_stack(65_535));
    assert!(matches!(stack, Err(Error::TooLarge { .. })));
}

#[test]
fn mistakes_are_errors() {
    let code = [GOTO, 0, 3, RETURN];
    let insert_nop = |bci: u32| edited(49, 0, &code, |edit| nop_before(edit, bci));
    assert!(insert_nop(3).is_ok());
    assert!(insert_nop(1).is_err(), "in the middle of an instruction");
    assert!(insert_nop(5).is_err(), "behind the end");
    let unplaced = edited(49, 0, &code, |edit| {
        let label = edit.new_label();
        edit.before(3, Jumps::Run).branch(Insn::Goto, label);
    });
    assert!(unplaced.is_err());
    let twice = edited(49, 0, &code, |edit| {
        let label = edit.new_label();
        edit.before(3, Jumps::Run).label(label).label(label);
    });
    assert!(twice.is_err());
    let unlabelled = edited(49, 0, &code, |edit| {
        edit.before(3, Jumps::Run).insn(Insn::Goto(0));
    });
    assert!(unlabelled.is_err());
    let into_the_middle = edited(49, 0, &[GOTO, 0, 1, RETURN], |edit| nop_before(edit, 3));
    assert!(into_the_middle.is_err());
}

#[test]
fn calls_are_replaced_where_they_stand() {
    // The class's only method is number 10 of its pool.
    let code = edited(49, 0, &[INVOKESTATIC, 0, 10, RETURN], |edit| {
        edit.replace_call(0, 77);
        nop_before(edit, 0);
    });
    assert_eq!(code, Ok(vec![NOP, INVOKESTATIC, 0, 77, RETURN]));
    assert!(edited(49, 0, &[RETURN], |edit| edit.replace_call(0, 77)).is_err());
}

/// Before version 45.3 limits took one byte and the length two.
#[test]
fn the_oldest_layout_of_code() {
    let bytes = class_with_code(45, 0, &[RETURN]);
    let class = ClassFile::parse(&bytes).unwrap();
    let code = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert_eq!((code.max_stack, code.max_locals, code.bytes), (5, 5, &[RETURN][..]));
    let code = edited(45, 2, &[RETURN], |edit| nop_before(edit, 0));
    assert_eq!(code, Ok(vec![NOP, RETURN]));
    let too_deep = edited(45, 2, &[RETURN], |edit| edit.reserve_stack(251));
    assert!(matches!(too_deep, Err(Error::TooLarge { .. })));
}
