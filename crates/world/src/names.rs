//! Names as Java writes them, for people: `p.Outer$Inner`, `int[]`, `p.C.run(int, java.lang.String)`.

use selvedge_classfile::{FieldType, MethodDescriptor};
use selvedge_ir::ClassName;

/// A class or array type in Java's form.
pub fn java_name(class: ClassName) -> String {
    match FieldType::parse_class_name(class.as_bytes()) {
        Ok(ty) => java_type(ty),
        Err(_) => class.to_string(),
    }
}

/// A type in Java's form.
pub fn java_type(ty: FieldType<'_>) -> String {
    match ty {
        FieldType::Primitive(primitive) => primitive.name().to_owned(),
        FieldType::Class(name) => String::from_utf8_lossy(name).replace('/', "."),
        FieldType::Array(array) => java_type(array.element()) + &"[]".repeat(usize::from(array.dims())),
    }
}

/// A method's parameter list in Java's form: `(int, java.lang.String)`; a malformed descriptor as it is.
pub fn java_parameters(descriptor: &[u8]) -> String {
    match MethodDescriptor::parse(descriptor) {
        Ok(descriptor) => {
            let parameters: Vec<String> = descriptor.params().map(java_type).collect();
            format!("({})", parameters.join(", "))
        }
        Err(_) => String::from_utf8_lossy(descriptor).into_owned(),
    }
}

/// The package part of an internal name: `java/util` of `java/util/List`, nothing in the unnamed package.
pub fn package(class: ClassName) -> &'static [u8] {
    let name = class.as_bytes();
    let end = name.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    &name[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_in_java() {
        assert_eq!(java_name(ClassName::new("p/Outer$Inner")), "p.Outer$Inner");
        assert_eq!(java_name(ClassName::new("[[Ljava/lang/String;")), "java.lang.String[][]");
        assert_eq!(java_name(ClassName::new("[broken")), "[broken");
        assert_eq!(java_parameters(b"(I[JLp/C;)V"), "(int, long[], p.C)");
        assert_eq!(package(ClassName::new("p/q/C")), b"p/q");
        assert_eq!(package(ClassName::new("C")), b"");
    }
}
