#![no_main]
//! Lowers every method of any class file, verifies the result, and takes it through its text form.

use libfuzzer_sys::fuzz_target;
use selvedge_base::Symbol;
use selvedge_classfile::ClassFile;
use selvedge_ir::text::{self, MethodHeader};
use selvedge_ir::{ClassName, Lowerer, NoHierarchy, verify_method};

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let mut lowerer = Lowerer::new(&class, &NoHierarchy);
    for member in &class.methods {
        let Ok(Some(body)) = lowerer.lower(member) else { continue };
        let header = MethodHeader {
            owner: ClassName::new(class.this_class),
            name: Symbol::new(member.name),
            descriptor: Symbol::new(member.descriptor),
            access: member.access,
        };
        // What only the JVM's verifier would refuse is refused here.
        let _ = verify_method(&body, member.descriptor, header.is_static());
        let printed = text::print(&header, &body);
        let parsed = text::parse(&printed).expect("what was printed can be parsed");
        assert!(parsed.len() == 1 && parsed[0].body == body, "the text form loses nothing");
    }
});
