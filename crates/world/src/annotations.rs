//! The annotations of classes and their members, as far as analyses read them: which ones, and the texts and classes that
//! they are given.

use selvedge_classfile::attributes::{Annotation, ElementValue};
use selvedge_ir::ClassName;

use crate::program::{ClassId, FieldId, MethodId, Program};

/// An annotation as a declaration has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotationUse {
    /// Its interface.
    pub name: ClassName,
    /// The strings and the internal names of classes that are given to its elements, arrays flattened, in order.
    pub texts: Vec<String>,
}

impl AnnotationUse {
    /// The name without its package and enclosing classes: `GuardedBy`.
    pub fn simple_name(&self) -> &'static str {
        let name = std::str::from_utf8(self.name.as_bytes()).unwrap_or_default();
        name.rsplit(['/', '$']).next().unwrap_or(name)
    }
}

/// The annotations of a class and of those of its members that have any.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// Those of the class itself.
    pub class: Vec<AnnotationUse>,
    /// Those of its methods.
    pub methods: Vec<(MethodId, Vec<AnnotationUse>)>,
    /// Those of its fields.
    pub fields: Vec<(FieldId, Vec<AnnotationUse>)>,
}

impl Program {
    /// The annotations of a class and its members, both those visible at run time and the others; none for phantoms. This
    /// parses the class file.
    pub fn annotations(&self, class: ClassId) -> Annotations {
        let Some(file) = self.class_file(class) else { return Annotations::default() };
        let data = &self.classes[class];
        let of_methods = data.methods.iter().zip(&file.methods);
        let of_fields = data.fields.iter().zip(&file.fields);
        Annotations {
            class: uses(file.annotations().unwrap_or_default()),
            methods: of_methods
                .map(|(id, member)| (id, uses(member.annotations(&file.pool).unwrap_or_default())))
                .filter(|(_, uses)| !uses.is_empty())
                .collect(),
            fields: of_fields
                .map(|(id, member)| (id, uses(member.annotations(&file.pool).unwrap_or_default())))
                .filter(|(_, uses)| !uses.is_empty())
                .collect(),
        }
    }
}

fn uses(annotations: Vec<Annotation<'_>>) -> Vec<AnnotationUse> {
    let one = |annotation: Annotation<'_>| {
        let name = ClassName::of_descriptor(annotation.type_descriptor)?;
        let mut texts = Vec::new();
        annotation.elements.iter().for_each(|(_, value)| collect(value, &mut texts));
        Some(AnnotationUse { name, texts })
    };
    annotations.into_iter().filter_map(one).collect()
}

fn collect(value: &ElementValue<'_>, texts: &mut Vec<String>) {
    match value {
        ElementValue::String(text) => texts.push(String::from_utf8_lossy(text).into_owned()),
        ElementValue::Class(descriptor) => {
            texts.extend(ClassName::of_descriptor(descriptor).map(|name| name.to_string()));
        }
        ElementValue::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        _ => {}
    }
}
