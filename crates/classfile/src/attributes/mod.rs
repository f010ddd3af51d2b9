//! What is inside attributes.
//!
//! [`Attribute::decode`] turns any attribute into a [`Decoded`] value and [`Decoded::write`] turns it back into bytes;
//! [`accessors`] offers the same by name, as methods of classes and members.

pub mod accessors;
pub mod annotation;
pub mod module;
pub mod structure;
pub mod type_annotation;

pub use annotation::{Annotation, ElementValue};
pub use module::{Module, Qualified, Requires};
pub use structure::{EnclosingMethod, InnerClass, MethodParameter, RecordComponent};
pub use type_annotation::{TypeAnnotation, TypeTarget, VariableRange};

use crate::class::{Attribute, BootstrapMethod};
use crate::code::{Code, LocalVariable};
use crate::error::{Error, Result};
use crate::output::Output;
use crate::pool::{Constant, ConstantPool};
use crate::pool_editor::PoolEditor;
use crate::reader::Reader;
use crate::stack_map::{self, Frame};

/// A decoded attribute. Variants are named as the attributes are; those of annotations do not repeat whether they are
/// visible at run time, which the attribute's name says.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded<'a> {
    /// A method's body.
    Code(Code<'a>),
    /// A static field's initial value.
    ConstantValue(Constant<'a>),
    /// Frames at branch targets.
    StackMapTable(Vec<Frame>),
    /// How dynamic constants and call sites are linked.
    BootstrapMethods(Vec<BootstrapMethod>),
    /// The class in whose nest this one is.
    NestHost(&'a [u8]),
    /// The classes in this one's nest.
    NestMembers(Vec<&'a [u8]>),
    /// The direct subclasses of a sealed class.
    PermittedSubclasses(Vec<&'a [u8]>),
    /// The checked exceptions that a method declares.
    Exceptions(Vec<&'a [u8]>),
    /// The nested classes that the pool names.
    InnerClasses(Vec<InnerClass<'a>>),
    /// Where a local or anonymous class stands.
    EnclosingMethod(EnclosingMethod<'a>),
    /// Not in the source.
    Synthetic,
    /// Deprecated.
    Deprecated,
    /// The generic type, in the grammar of signatures.
    Signature(&'a [u8]),
    /// The components of a record.
    Record(Vec<RecordComponent<'a>>),
    /// The source file's name.
    SourceFile(&'a [u8]),
    /// Debug information of another language, in modified UTF-8.
    SourceDebugExtension(&'a [u8]),
    /// `(first bci, line)`.
    LineNumberTable(Vec<(u32, u16)>),
    /// Names and descriptors of local variables.
    LocalVariableTable(Vec<LocalVariable<'a>>),
    /// Names and signatures of local variables.
    LocalVariableTypeTable(Vec<LocalVariable<'a>>),
    /// Annotations of a declaration.
    Annotations(Vec<Annotation<'a>>),
    /// Annotations of parameters. (Compilers differ in whether parameters that the source does not show count.)
    ParameterAnnotations(Vec<Vec<Annotation<'a>>>),
    /// Annotations of types.
    TypeAnnotations(Vec<TypeAnnotation<'a>>),
    /// The default of an annotation's element.
    AnnotationDefault(ElementValue<'a>),
    /// Names and flags of parameters.
    MethodParameters(Vec<MethodParameter<'a>>),
    /// A module's declaration.
    Module(Module<'a>),
    /// All packages of a module.
    ModulePackages(Vec<&'a [u8]>),
    /// The class to start when the module is run.
    ModuleMainClass(&'a [u8]),
    /// An attribute that the specification does not define.
    Other(&'a [u8]),
}

impl<'a> Attribute<'a> {
    /// Reads the content as the name demands.
    pub fn decode(&self, pool: &ConstantPool<'a>) -> Result<Decoded<'a>> {
        let mut reader = Reader::new(self.info, "an attribute");
        let reader = &mut reader;
        let decoded = match self.name {
            // Before version 45.3 there was another layout; `Member::code` knows which applies.
            b"Code" => return Ok(Decoded::Code(Code::read(self.info, pool, false)?)),
            // The longest possible code bounds the frames here; `Code::stack_map` knows the real length.
            b"StackMapTable" => return Ok(Decoded::StackMapTable(stack_map::read(self.info, 0xffff)?)),
            b"SourceDebugExtension" => return Ok(Decoded::SourceDebugExtension(self.info)),
            b"ConstantValue" => Decoded::ConstantValue(read_constant_value(reader, pool)?),
            b"BootstrapMethods" => Decoded::BootstrapMethods(reader.list(4, BootstrapMethod::read)?),
            b"NestHost" => Decoded::NestHost(pool.class_name(reader.u16()?)?),
            b"NestMembers" => Decoded::NestMembers(read_classes(reader, pool)?),
            b"PermittedSubclasses" => Decoded::PermittedSubclasses(read_classes(reader, pool)?),
            b"Exceptions" => Decoded::Exceptions(read_classes(reader, pool)?),
            b"InnerClasses" => {
                Decoded::InnerClasses(reader.list(8, |reader| InnerClass::read(reader, pool))?)
            }
            b"EnclosingMethod" => Decoded::EnclosingMethod(EnclosingMethod::read(reader, pool)?),
            b"Synthetic" => Decoded::Synthetic,
            b"Deprecated" => Decoded::Deprecated,
            b"Signature" => Decoded::Signature(pool.utf8(reader.u16()?)?),
            b"Record" => Decoded::Record(reader.list(6, |reader| RecordComponent::read(reader, pool))?),
            b"SourceFile" => Decoded::SourceFile(pool.utf8(reader.u16()?)?),
            b"LineNumberTable" => Decoded::LineNumberTable(reader.list(4, read_line)?),
            b"LocalVariableTable" => {
                Decoded::LocalVariableTable(reader.list(10, |reader| LocalVariable::read(reader, pool))?)
            }
            b"LocalVariableTypeTable" => {
                Decoded::LocalVariableTypeTable(reader.list(10, |reader| LocalVariable::read(reader, pool))?)
            }
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                Decoded::Annotations(reader.list(4, |reader| Annotation::read(reader, pool))?)
            }
            b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
                Decoded::ParameterAnnotations(
                    reader.short_list(2, |reader| reader.list(4, |reader| Annotation::read(reader, pool)))?,
                )
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                Decoded::TypeAnnotations(reader.list(6, |reader| TypeAnnotation::read(reader, pool))?)
            }
            b"AnnotationDefault" => Decoded::AnnotationDefault(ElementValue::read(reader, pool)?),
            b"MethodParameters" => {
                Decoded::MethodParameters(reader.short_list(4, |reader| MethodParameter::read(reader, pool))?)
            }
            b"Module" => Decoded::Module(Module::read(reader, pool)?),
            b"ModulePackages" => {
                Decoded::ModulePackages(reader.list(2, |reader| pool.package_name(reader.u16()?))?)
            }
            b"ModuleMainClass" => Decoded::ModuleMainClass(pool.class_name(reader.u16()?)?),
            _ => return Ok(Decoded::Other(self.info)),
        };
        reader.finish()?;
        Ok(decoded)
    }

    /// Writes the attributes with their count; their names are those of the pool they were read with.
    pub(crate) fn write_list(attributes: &[Attribute<'_>], out: &mut Output) -> Result<()> {
        out.list(attributes, "a list of attributes", |out, attribute| {
            out.attribute(attribute.name_index, |out| {
                out.slice(attribute.info);
                Ok(())
            })
        })
    }
}

impl Decoded<'_> {
    /// The attribute's content as bytes. Constants that it refers to by index (bootstrap arguments, frames' classes,
    /// code) must belong to the same pool; all others are looked up in it, or added.
    pub fn write(&self, pool: &mut PoolEditor<'_>) -> Result<Vec<u8>> {
        let mut out = Output::default();
        self.write_to(&mut out, pool)?;
        Ok(out.bytes)
    }

    pub(crate) fn write_to(&self, out: &mut Output, pool: &mut PoolEditor<'_>) -> Result<()> {
        match self {
            Decoded::Code(code) => return code.write(out),
            Decoded::ConstantValue(constant) => out.u16(pool.constant(*constant)?),
            Decoded::StackMapTable(frames) => return stack_map::write(frames, out),
            Decoded::BootstrapMethods(methods) => {
                return out.list(methods, "BootstrapMethods", |out, method| method.write(out));
            }
            Decoded::NestHost(class) | Decoded::ModuleMainClass(class) => out.u16(pool.class(class)?),
            Decoded::NestMembers(classes)
            | Decoded::PermittedSubclasses(classes)
            | Decoded::Exceptions(classes) => {
                return out.list(classes, "a list of classes", |out, class| {
                    out.u16(pool.class(class)?);
                    Ok(())
                });
            }
            Decoded::InnerClasses(rows) => {
                return out.list(rows, "InnerClasses", |out, row| row.write(out, pool));
            }
            Decoded::EnclosingMethod(enclosing) => return enclosing.write(out, pool),
            Decoded::Synthetic | Decoded::Deprecated => {}
            Decoded::Signature(text) | Decoded::SourceFile(text) => out.u16(pool.utf8(text)?),
            Decoded::Record(components) => {
                return out.list(components, "Record", |out, component| component.write(out, pool));
            }
            Decoded::SourceDebugExtension(info) | Decoded::Other(info) => out.slice(info),
            Decoded::LineNumberTable(lines) => {
                return out.list(lines, "LineNumberTable", |out, &(bci, line)| {
                    out.bci(bci)?;
                    out.u16(line);
                    Ok(())
                });
            }
            Decoded::LocalVariableTable(variables) | Decoded::LocalVariableTypeTable(variables) => {
                return out
                    .list(variables, "a local-variable table", |out, variable| variable.write(out, pool));
            }
            Decoded::Annotations(annotations) => return write_annotations(annotations, out, pool),
            Decoded::ParameterAnnotations(parameters) => {
                return out.short_list(parameters, "annotations of parameters", |out, annotations| {
                    write_annotations(annotations, out, pool)
                });
            }
            Decoded::TypeAnnotations(annotations) => {
                return out
                    .list(annotations, "type annotations", |out, annotation| annotation.write(out, pool));
            }
            Decoded::AnnotationDefault(value) => return value.write(out, pool),
            Decoded::MethodParameters(parameters) => {
                return out
                    .short_list(parameters, "MethodParameters", |out, parameter| parameter.write(out, pool));
            }
            Decoded::Module(module) => return module.write(out, pool),
            Decoded::ModulePackages(packages) => {
                return out.list(packages, "ModulePackages", |out, package| {
                    out.u16(pool.package(package)?);
                    Ok(())
                });
            }
        }
        Ok(())
    }
}

fn read_constant_value<'a>(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Constant<'a>> {
    let index = reader.u16()?;
    match pool.get(index)? {
        constant @ (Constant::Integer(_)
        | Constant::Float(_)
        | Constant::Long(_)
        | Constant::Double(_)
        | Constant::String(_)) => Ok(constant),
        _ => Err(Error::WrongConstant { index, expected: "a value for a field" }),
    }
}

fn read_classes<'a>(reader: &mut Reader<'a>, pool: &ConstantPool<'a>) -> Result<Vec<&'a [u8]>> {
    reader.list(2, |reader| pool.class_name(reader.u16()?))
}

fn read_line(reader: &mut Reader<'_>) -> Result<(u32, u16)> {
    Ok((u32::from(reader.u16()?), reader.u16()?))
}

fn write_annotations(
    annotations: &[Annotation<'_>],
    out: &mut Output,
    pool: &mut PoolEditor<'_>,
) -> Result<()> {
    out.list(annotations, "annotations", |out, annotation| annotation.write(out, pool))
}
