#![no_main]
//! Reads any bytes as a class file, down to the last instruction and the inside of every attribute.

use libfuzzer_sys::fuzz_target;
use selvedge_classfile::ClassFile;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let members = class.fields.iter().chain(&class.methods);
    for attribute in class.attributes.iter().chain(members.flat_map(|member| &member.attributes)) {
        let _ = attribute.decode(&class.pool);
    }
    for method in &class.methods {
        let Ok(Some(code)) = method.code(&class.pool) else { continue };
        let _ = code.instructions().all(|instruction| instruction.is_ok());
        for attribute in &code.attributes {
            let _ = attribute.decode(&class.pool);
        }
    }
});
