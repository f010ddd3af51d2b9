//! Collections, maps and iterators of the JDK, as a client passes them.
//!
//! A most general client would pass every list that the library ever returned wherever a list is wanted, and methods that fill
//! or sort lists would mix what all of them hold: erased, a `List<Row>` is a `List<String>`. A real client passes lists
//! of the declared type. So the client makes containers of its own, one for each class and type arguments that a parameter
//! declares, and fills it with what it gives for those.

use selvedge_ir::ClassName;
use selvedge_world::{ClassId, MethodId, Program, Tier, usual_class};

/// What makes a type of the JDK a container.
const CONTAINERS: [&str; 5] = [
    "java/lang/Iterable",
    "java/util/Map",
    "java/util/Iterator",
    "java/util/Enumeration",
    "java/util/Map$Entry",
];

/// Whether a type is a container of the JDK.
pub(crate) fn is_container(program: &Program, class: ClassName) -> bool {
    let Some(id) = program.class_named(class).filter(|&id| program.classes[id].tier == Tier::Jdk) else {
        return false;
    };
    let named = |name: &&str| program.class_named(ClassName::new(name));
    CONTAINERS.iter().filter_map(named).any(|container| program.is_subclass(id, container))
}

/// The class of which a client makes an object where it needs a container of this type, with its constructor.
pub(super) fn implementation(program: &Program, class: ClassId) -> Option<(ClassId, MethodId)> {
    let name = program.classes[class].name;
    let class = match usual_class(name) {
        Some(usual) => program.class_named(usual)?,
        None if program.classes[class].is_abstract() => return None,
        None => class,
    };
    let constructor = program.declared_method(class, "<init>".into(), "()V".into())?;
    program.methods[constructor].is_public().then_some((class, constructor))
}

/// The type arguments of a declared parameter, the receiver not counted, erased: `K` and `V` of a `Map<K, V>`. Empty where
/// there are none.
pub(super) fn type_arguments(program: &Program, method: MethodId, position: usize) -> Vec<ClassName> {
    let class = program.methods[method].class;
    let Some(file) = program.class_file(class) else { return Vec::new() };
    let members = program.classes[class].methods.iter().zip(&file.methods);
    let signature = members
        .filter(|(id, _)| *id == method)
        .find_map(|(_, member)| member.signature(&file.pool).ok().flatten());
    signature.and_then(|signature| arguments_of_parameter(signature, position)).unwrap_or_default()
}

fn arguments_of_parameter(signature: &[u8], position: usize) -> Option<Vec<ClassName>> {
    let start = signature.iter().position(|&byte| byte == b'(')?;
    let mut rest = &signature[start + 1..];
    for _ in 0..position {
        rest = &rest[type_length(rest)?..];
    }
    let parameter = &rest[..type_length(rest)?];
    let open = parameter.iter().position(|&byte| byte == b'<')?;
    let mut rest = &parameter[open + 1..];
    let mut arguments = Vec::new();
    while rest.first().is_some_and(|&byte| byte != b'>') {
        if let Some(after) = rest.strip_prefix(b"*") {
            arguments.push(ClassName::object());
            rest = after;
            continue;
        }
        if matches!(rest.first(), Some(b'+' | b'-')) {
            rest = &rest[1..];
        }
        let length = type_length(rest)?;
        arguments.push(erased(&rest[..length]));
        rest = &rest[length..];
    }
    Some(arguments)
}

/// How many bytes the first type of a signature takes.
fn type_length(signature: &[u8]) -> Option<usize> {
    let dimensions = signature.iter().take_while(|&&byte| byte == b'[').count();
    if !matches!(signature.get(dimensions)?, b'L' | b'T') {
        return Some(dimensions + 1);
    }
    let mut depth = 0usize;
    for (index, byte) in signature.iter().enumerate().skip(dimensions) {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// The erasure of a reference type of a signature; `Object` for a type variable.
fn erased(ty: &[u8]) -> ClassName {
    let mut descriptor = Vec::with_capacity(ty.len());
    let mut depth = 0usize;
    for &byte in ty {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            // A member of a generic class.
            b'.' if depth == 0 => descriptor.push(b'$'),
            _ if depth == 0 => descriptor.push(byte),
            _ => {}
        }
    }
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    if descriptor.get(dimensions) == Some(&b'T') {
        descriptor.truncate(dimensions);
        descriptor.extend(b"Ljava/lang/Object;");
    }
    ClassName::of_descriptor(&descriptor).unwrap_or_else(ClassName::object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_arguments_are_erased() {
        let check = |signature: &str, position: usize, expected: &[&str]| {
            let found = arguments_of_parameter(signature.as_bytes(), position).unwrap_or_default();
            let expected: Vec<ClassName> = expected.iter().map(ClassName::new).collect();
            assert_eq!(found, expected, "{signature}");
        };
        check("(ILjava/util/List<Lp/Row;>;)V", 1, &["p/Row"]);
        check("(ILjava/util/List<Lp/Row;>;)V", 0, &[]);
        check("(Ljava/util/Map<-Ljava/lang/String;+[Lp/A<TT;>;>;)V", 0, &["java/lang/String", "[Lp/A;"]);
        check(
            "<T:Ljava/lang/Object;>(TT;Ljava/util/Map<*[TT;>;)V",
            1,
            &["java/lang/Object", "[Ljava/lang/Object;"],
        );
        check("(Ljava/util/List<Lp/A<TT;>.B;>;)V", 0, &["p/A$B"]);
        check("(Ljava/util/List<", 0, &[]);
    }
}
