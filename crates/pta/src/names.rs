//! Small look-ups by name that the analysis needs in several places.

use selvedge_base::Symbol;
use selvedge_ir::{ClassName, FieldRef, MethodRef};
use selvedge_world::{ClassId, FieldId, MethodId, Program};

/// The method of this name and descriptor that a class declares or inherits.
pub(crate) fn find_method(
    program: &Program,
    class: ClassId,
    name: Symbol,
    descriptor: Symbol,
) -> Option<MethodId> {
    let data = &program.classes[class];
    let reference = MethodRef { owner: data.name, name, descriptor, interface: data.is_interface() };
    program.resolve_method(&reference).ok()
}

/// The method that a reference means, if there is one.
pub(crate) fn resolve_method(program: &Program, reference: &MethodRef) -> Option<MethodId> {
    program.resolve_method(reference).ok()
}

/// The field that a reference means, if there is one.
pub(crate) fn resolve_field(program: &Program, reference: &FieldRef) -> Option<FieldId> {
    program.resolve_field(reference).ok()
}

/// The class initialiser of a class.
pub(crate) fn class_initializer(program: &Program, class: ClassId) -> Option<MethodId> {
    program.declared_method(class, "<clinit>".into(), "()V".into())
}

/// The class that a string names, as `Class.forName` reads it: `p.Outer$Inner`.
pub(crate) fn class_with_java_name(program: &Program, name: Symbol) -> Option<ClassId> {
    let text = name.as_bytes();
    if text.is_empty()
        || text.len() > 512
        || text.iter().any(|byte| matches!(byte, b'/' | b' ' | b';' | b'['))
    {
        return None;
    }
    let internal: Vec<u8> = text.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
    program.class_named(ClassName::new(internal)).filter(|&class| !program.classes[class].is_phantom())
}
