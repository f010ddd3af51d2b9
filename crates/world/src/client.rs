//! What code outside the program can name: a client of a library, written in Java.
//!
//! A client uses classes that are public all the way (a nested class as its source declared it, which only the
//! `InnerClasses` attribute tells), in packages that their module exports, and whose names Java can write.

use selvedge_base::FastMap;
use selvedge_classfile::{FieldType, access};
use selvedge_ir::ClassName;

use crate::names::package;
use crate::program::{ClassId, Program};

/// What a client knows about the classes of a program; found out class by class, and remembered.
pub(crate) struct ClientView<'p> {
    program: &'p Program,
    known: FastMap<ClassId, Option<ClientClass>>,
    /// How many enclosing classes deep the search is.
    depth: usize,
}

/// Deeper nesting than this exists in no source.
const MAX_NESTING: usize = 64;

/// A class as a client sees it.
#[derive(Clone, Debug)]
pub(crate) struct ClientClass {
    /// Its name in Java sources: `p.Outer.Inner`.
    pub name: String,
    /// For an inner class, which needs an instance of it: the enclosing class.
    pub needs_outer: Option<ClassId>,
    /// Whether only classes that it names may extend or implement it.
    pub is_sealed: bool,
}

impl<'p> ClientView<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, known: FastMap::default(), depth: 0 }
    }

    /// The class as a client sees it; `None` if it cannot name it, or if compiling against it would fail because an
    /// ancestor is missing.
    pub(crate) fn class(&mut self, class: ClassId) -> Option<&ClientClass> {
        if !self.known.contains_key(&class) {
            self.depth += 1;
            let view = if self.depth <= MAX_NESTING { self.look(class) } else { None };
            self.depth -= 1;
            self.known.insert(class, view);
        }
        self.known[&class].as_ref()
    }

    /// A type's name in Java sources, if the client can write it.
    pub(crate) fn type_name(&mut self, ty: FieldType<'_>) -> Option<String> {
        Some(match ty {
            FieldType::Primitive(primitive) => primitive.name().to_owned(),
            FieldType::Class(name) => {
                let class = self.program.class_named(ClassName::new(name))?;
                self.class(class)?.name.clone()
            }
            FieldType::Array(array) => {
                self.type_name(array.element())? + &"[]".repeat(usize::from(array.dims()))
            }
        })
    }

    fn look(&mut self, id: ClassId) -> Option<ClientClass> {
        let program = self.program;
        let class = &program.classes[id];
        let mut ancestors = program.superclasses(id).chain(program.all_interfaces(id).iter().copied());
        if ancestors.any(|ancestor| program.classes[ancestor].is_phantom()) {
            return None;
        }
        let container = &program.containers[class.container?];
        let package_name = std::str::from_utf8(package(class.name)).ok()?;
        if !container.exports_package(package_name) {
            return None;
        }
        let file = program.class_file(id)?;
        let is_sealed = file.permitted_subclasses().ok()?.is_some();
        let rows = file.inner_classes().ok()?.unwrap_or_default();
        if let Some(row) = rows.iter().find(|row| row.inner == file.this_class) {
            let (outer, name) = (row.outer?, std::str::from_utf8(row.name?).ok()?);
            let outer = program.class_named(ClassName::new(outer)).filter(|&outer| outer != id)?;
            // Java's compiler looks for a nested class under the name it would have given it.
            let expected = [program.classes[outer].name.as_bytes(), b"$", name.as_bytes()].concat();
            let is_findable = class.name.as_bytes() == expected;
            if row.access & access::PUBLIC == 0 || !is_java_identifier(name) || !is_findable {
                return None;
            }
            let is_static = row.access & (access::STATIC | access::INTERFACE) != 0;
            let name = format!("{}.{name}", self.class(outer)?.name);
            return Some(ClientClass { name, needs_outer: (!is_static).then_some(outer), is_sealed });
        }
        let name = std::str::from_utf8(class.name.as_bytes()).ok()?;
        let nameable = class.is_public() && name.split('/').all(is_java_identifier);
        nameable.then(|| ClientClass { name: name.replace('/', "."), needs_outer: None, is_sealed })
    }
}

/// Whether Java can write a name.
pub(crate) fn is_java_identifier(name: &str) -> bool {
    const KEYWORDS: [&str; 54] = [
        "_",
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ];
    let mut characters = name.chars();
    let is_start = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    characters.next().is_some_and(is_start)
        && characters.all(|c| is_start(c) || c.is_numeric())
        && KEYWORDS.binary_search(&name).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for good in ["a", "Outer$Inner", "_x", "größe", "yield", "record"] {
            assert!(is_java_identifier(good), "{good}");
        }
        for bad in ["", "1a", "a-b", "class", "_", "while", "<init>", "a b", "true"] {
            assert!(!is_java_identifier(bad), "{bad}");
        }
    }
}
