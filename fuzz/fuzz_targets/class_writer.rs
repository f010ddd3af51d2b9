#![no_main]
//! Writes what can be read: unchanged it must be the same bytes, and with calls put in it must still be a class file.

use libfuzzer_sys::fuzz_target;
use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps};
use selvedge_classfile::{ClassFile, Insn, Result};

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    if let Ok(written) = ClassEditor::new(&class).write() {
        assert!(written == bytes, "an unchanged class is written as it was");
    }
    if let Ok(written) = with_calls(&class) {
        let reread = ClassFile::parse(&written).expect("what was written can be read");
        assert_eq!(reread.methods.len(), class.methods.len());
    }
});

/// Puts a call before every instruction of every method.
fn with_calls(class: &ClassFile<'_>) -> Result<Vec<u8>> {
    let mut editor = ClassEditor::new(class);
    let called = editor.pool().method(b"Called", b"here", b"()V")?;
    for (index, method) in class.methods.iter().enumerate() {
        let Some(code) = method.code(&class.pool)? else { continue };
        let mut edit = CodeEditor::new(class, method, &code);
        for item in code.instructions() {
            edit.before(item?.0, Jumps::Run).insn(Insn::InvokeStatic(called));
        }
        let edited = edit.finish(editor.pool())?;
        editor.replace_code(index, edited)?;
    }
    editor.write()
}
