//! The attributes that a class, field or method has, by name.
//!
//! An absent attribute is `None` or an empty list; one that is present but broken is an error.

use crate::attributes::{
    Annotation, Decoded, ElementValue, EnclosingMethod, InnerClass, MethodParameter, Module, RecordComponent,
};
use crate::class::{Attribute, ClassFile, Member};
use crate::error::Result;
use crate::pool::{Constant, ConstantPool};

/// The first attribute of this name, decoded by `pick`, which knows what an attribute of this name decodes to.
fn first<'a, T>(
    attributes: &[Attribute<'a>],
    pool: &ConstantPool<'a>,
    name: &[u8],
    pick: impl FnOnce(Decoded<'a>) -> Option<T>,
) -> Result<Option<T>> {
    match attributes.iter().find(|attribute| attribute.name == name) {
        Some(attribute) => attribute.decode(pool).map(pick),
        None => Ok(None),
    }
}

/// Defines a public accessor that picks one variant of [`Decoded`].
macro_rules! accessors {
    ($($(#[$doc:meta])* $method:ident: $name:literal $variant:ident -> $result:ty;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self, pool: &ConstantPool<'a>) -> Result<Option<$result>> {
            first(&self.attributes, pool, $name, |decoded| match decoded {
                Decoded::$variant(value) => Some(value),
                _ => None,
            })
        }
    )*};
}

/// Like [`accessors!`], for classes, which bring their pool.
macro_rules! class_accessors {
    ($($(#[$doc:meta])* $method:ident: $name:literal $variant:ident -> $result:ty;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self) -> Result<Option<$result>> {
            first(&self.attributes, &self.pool, $name, |decoded| match decoded {
                Decoded::$variant(value) => Some(value),
                _ => None,
            })
        }
    )*};
}

impl<'a> ClassFile<'a> {
    class_accessors! {
        /// The source file's name, without a path.
        source_file: b"SourceFile" SourceFile -> &'a [u8];
        /// The class's generic signature.
        signature: b"Signature" Signature -> &'a [u8];
        /// The nested classes that the pool names.
        inner_classes: b"InnerClasses" InnerClasses -> Vec<InnerClass<'a>>;
        /// Where a local or anonymous class stands.
        enclosing_method: b"EnclosingMethod" EnclosingMethod -> EnclosingMethod<'a>;
        /// The class in whose nest this one is; absent for hosts, which includes all classes that are not nested.
        nest_host: b"NestHost" NestHost -> &'a [u8];
        /// The other classes in the nest of which this one is the host.
        nest_members: b"NestMembers" NestMembers -> Vec<&'a [u8]>;
        /// The direct subclasses of a sealed class.
        permitted_subclasses: b"PermittedSubclasses" PermittedSubclasses -> Vec<&'a [u8]>;
        /// The components of a record.
        record: b"Record" Record -> Vec<RecordComponent<'a>>;
        /// The declaration of a module.
        module: b"Module" Module -> Module<'a>;
        /// All packages of a module.
        module_packages: b"ModulePackages" ModulePackages -> Vec<&'a [u8]>;
        /// The class to start when the module is run.
        module_main_class: b"ModuleMainClass" ModuleMainClass -> &'a [u8];
    }

    /// The class's annotations, both those visible at run time and the others.
    pub fn annotations(&self) -> Result<Vec<Annotation<'a>>> {
        annotations(&self.attributes, &self.pool)
    }
}

impl<'a> Member<'a> {
    accessors! {
        /// The member's generic signature.
        signature: b"Signature" Signature -> &'a [u8];
        /// A static field's initial value.
        constant_value: b"ConstantValue" ConstantValue -> Constant<'a>;
        /// The checked exceptions that the method declares.
        exceptions: b"Exceptions" Exceptions -> Vec<&'a [u8]>;
        /// Names and flags of the method's parameters.
        method_parameters: b"MethodParameters" MethodParameters -> Vec<MethodParameter<'a>>;
        /// The default of an annotation's element.
        annotation_default: b"AnnotationDefault" AnnotationDefault -> ElementValue<'a>;
    }

    /// The member's annotations, both those visible at run time and the others.
    pub fn annotations(&self, pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
        annotations(&self.attributes, pool)
    }
}

impl<'a> RecordComponent<'a> {
    accessors! {
        /// The component's generic signature.
        signature: b"Signature" Signature -> &'a [u8];
    }

    /// The component's annotations, both those visible at run time and the others.
    pub fn annotations(&self, pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
        annotations(&self.attributes, pool)
    }
}

fn annotations<'a>(attributes: &[Attribute<'a>], pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
    let mut all = Vec::new();
    for attribute in attributes {
        if matches!(attribute.name, b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations")
            && let Decoded::Annotations(some) = attribute.decode(pool)?
        {
            all.extend(some);
        }
    }
    Ok(all)
}
