//! Small classes assembled by hand, for unit tests.

use crate::output::Output;

/// A class `A` with one static method `m` of descriptor `()V`, whose code has the given bytes, five stack slots and
/// five locals, no tables. Pool: 1 "A", 2 Class, 3 "java/lang/Object", 4 Class, 5 "m", 6 "()V", 7 "Code", 8 Long
/// (and 9), 10 Methodref to `m`, 11 NameAndType of `m`.
pub(crate) fn class_with_code(major: u16, minor: u16, code: &[u8]) -> Vec<u8> {
    let mut out = Output::default();
    out.u32(0xcafe_babe);
    out.u16(minor);
    out.u16(major);
    out.u16(12);
    let utf8 = |out: &mut Output, text: &str| {
        out.u8(1);
        out.u16(text.len() as u16);
        out.slice(text.as_bytes());
    };
    utf8(&mut out, "A");
    out.slice(&[7, 0, 1]);
    utf8(&mut out, "java/lang/Object");
    out.slice(&[7, 0, 3]);
    utf8(&mut out, "m");
    utf8(&mut out, "()V");
    utf8(&mut out, "Code");
    out.slice(&[5, 0, 0, 0, 0, 0, 0, 0, 42]);
    out.slice(&[10, 0, 2, 0, 11]);
    out.slice(&[12, 0, 5, 0, 6]);
    // Flags, this, super; no interfaces, no fields; one method.
    for number in [0x21, 2, 4, 0, 0, 1, 0x09, 5, 6, 1] {
        out.u16(number);
    }
    let narrow = major == 45 && minor < 3;
    out.attribute(7, |out| {
        if narrow {
            out.slice(&[5, 5]);
            out.u16(code.len() as u16);
        } else {
            out.u16(5);
            out.u16(5);
            out.u32(code.len() as u32);
        }
        out.slice(code);
        out.u16(0);
        out.u16(0);
        Ok(())
    })
    .unwrap();
    out.u16(0);
    out.bytes
}
