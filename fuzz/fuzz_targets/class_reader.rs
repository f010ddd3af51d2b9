#![no_main]
//! Reads any bytes as a class file, down to the last instruction, frame and attribute.

use libfuzzer_sys::fuzz_target;
use selvedge_classfile::ClassFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let _ = class.bootstrap_methods();
    for member in class.fields.iter().chain(&class.methods) {
        let Ok(Some(code)) = member.code(&class.pool) else { continue };
        // An error ends the instructions of this method only.
        for instruction in code.instructions() {
            if instruction.is_err() {
                break;
            }
        }
    }
});
