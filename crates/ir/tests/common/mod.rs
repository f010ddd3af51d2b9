//! What the tests of this directory share.

use selvedge_base::Symbol;
use selvedge_classfile::ClassFile;
use selvedge_ir::text::{Method, MethodHeader, parse};
use selvedge_ir::{ClassName, Lowerer, NoHierarchy, verify_method};

/// Lowers every method of a class that has code; `name` is for error messages.
pub fn lower_class(name: &str, bytes: &[u8]) -> Vec<Method> {
    let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut lowerer = Lowerer::new(&class, &NoHierarchy);
    let mut methods = Vec::new();
    for member in &class.methods {
        let header = MethodHeader {
            owner: ClassName::new(class.this_class),
            name: Symbol::new(member.name),
            descriptor: Symbol::new(member.descriptor),
            access: member.access,
        };
        match lowerer.lower(member) {
            Ok(Some(body)) => methods.push(Method { header, body }),
            Ok(None) => {}
            Err(error) => panic!("{name}: {}{}: {error}", header.name, header.descriptor),
        }
    }
    methods
}

/// The method passes the verifier, and its text form reads back as the same.
pub fn check_method(name: &str, method: &Method) {
    let MethodHeader { name: method_name, descriptor, .. } = method.header;
    let errors = verify_method(&method.body, descriptor.as_bytes(), method.header.is_static());
    let printed = method.print();
    if let Err(errors) = errors {
        panic!("{name}: {method_name}{descriptor}: {}\n{printed}", errors[0]);
    }
    match parse(&printed) {
        Ok(read) => {
            assert!(read == [method.clone()], "{name}: read back differently:\n{printed}");
            assert_eq!(read[0].print(), printed, "{name}");
        }
        Err(error) => panic!("{name}: {error}\n{printed}"),
    }
}
