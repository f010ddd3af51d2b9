//! The constant pool as interned names.
//!
//! Interning takes a lock and parsing a descriptor takes time, while a class mentions the same field or method again
//! and again: each pool index is resolved once per class and then found in a table.

use selvedge_base::{FastMap, Symbol};
use selvedge_classfile::descriptor::{FieldType, MethodDescriptor};
use selvedge_classfile::{BootstrapMethod, ClassFile, Error, Kind, MemberRef};

use crate::op::{FieldRef, MethodRef};
use crate::types::{ClassName, Type};

/// The names of one class's constant pool, interned on demand.
pub(super) struct Symbols<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// By pool index.
    entries: Vec<Entry>,
    /// The parameter kinds of all methods seen, see [`Shape`].
    kinds: Vec<Kind>,
    bootstrap_methods: Option<Vec<BootstrapMethod>>,
    /// By place and length of a text in the class file: its symbol.
    texts: FastMap<(usize, usize), Symbol>,
    /// `java/lang/String`.
    pub string_class: ClassName,
    /// `java/lang/Class`.
    pub class_class: ClassName,
}

#[derive(Clone, Copy)]
enum Entry {
    Unseen,
    Class { name: ClassName, array: Option<ClassName> },
    String(Symbol),
    Field(Field),
    Method(Method),
}

/// A field reference with the type of its value.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub name: FieldRef,
    pub ty: Type,
}

/// A method reference with its parameters and result.
#[derive(Clone, Copy)]
pub(super) struct Method {
    pub name: MethodRef,
    pub shape: Shape,
}

/// Parameters (without receiver) and result of a call.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    params_start: u32,
    params_len: u32,
    pub result: Option<Type>,
}

impl<'c, 'a> Symbols<'c, 'a> {
    pub fn new(class: &'c ClassFile<'a>) -> Self {
        let entries = vec![Entry::Unseen; usize::from(class.pool.count())];
        Self {
            class,
            entries,
            kinds: Vec::new(),
            bootstrap_methods: None,
            texts: FastMap::default(),
            string_class: ClassName::new("java/lang/String"),
            class_class: ClassName::new("java/lang/Class"),
        }
    }

    pub fn class_file(&self) -> &'c ClassFile<'a> {
        self.class
    }

    /// Interns a text of the class file. Each text is stored once in a class, and most are mentioned often: looking
    /// its place up is cheaper than hashing, locking and comparing.
    fn intern(&mut self, text: &'a [u8]) -> Symbol {
        *self.texts.entry((text.as_ptr() as usize, text.len())).or_insert_with(|| Symbol::new(text))
    }

    fn remember(&mut self, index: u16, entry: Entry) {
        if let Some(slot) = self.entries.get_mut(usize::from(index)) {
            *slot = entry;
        }
    }

    fn entry(&self, index: u16) -> Entry {
        self.entries.get(usize::from(index)).copied().unwrap_or(Entry::Unseen)
    }

    /// The class, interface or array type at a `Class` entry.
    pub fn class(&mut self, index: u16) -> Result<ClassName, Error> {
        if let Entry::Class { name, .. } = self.entry(index) {
            return Ok(name);
        }
        let name = self.class_named(self.class.pool.class_name(index)?)?;
        self.remember(index, Entry::Class { name, array: None });
        Ok(name)
    }

    /// The type of arrays of the type at a `Class` entry.
    pub fn array_of_class(&mut self, index: u16) -> Result<ClassName, Error> {
        if let Entry::Class { array: Some(array), .. } = self.entry(index) {
            return Ok(array);
        }
        let name = self.class(index)?;
        let array = name.array_of();
        // Only an array type of 255 dimensions has no arrays.
        FieldType::parse_class_name(array.as_bytes())?;
        self.remember(index, Entry::Class { name, array: Some(array) });
        Ok(array)
    }

    /// The text of a `String` entry.
    pub fn string(&mut self, index: u16) -> Result<Symbol, Error> {
        if let Entry::String(text) = self.entry(index) {
            return Ok(text);
        }
        let text = Symbol::new(self.class.pool.string(index)?);
        self.remember(index, Entry::String(text));
        Ok(text)
    }

    /// A `Fieldref` entry.
    pub fn field(&mut self, index: u16) -> Result<Field, Error> {
        if let Entry::Field(field) = self.entry(index) {
            return Ok(field);
        }
        let member = self.class.pool.field_ref(index)?;
        let ty = FieldType::parse(member.descriptor)?;
        let field = Field { name: self.field_ref(member)?, ty: self.value_type(ty) };
        self.remember(index, Entry::Field(field));
        Ok(field)
    }

    /// A `Methodref` or `InterfaceMethodref` entry.
    pub fn method(&mut self, index: u16) -> Result<Method, Error> {
        if let Entry::Method(method) = self.entry(index) {
            return Ok(method);
        }
        let member = self.class.pool.method_ref(index)?;
        let method = Method { name: self.method_ref(member)?, shape: self.shape(member.descriptor)? };
        self.remember(index, Entry::Method(method));
        Ok(method)
    }

    /// Reads a method descriptor.
    pub fn shape(&mut self, descriptor: &'a [u8]) -> Result<Shape, Error> {
        let descriptor = MethodDescriptor::parse(descriptor)?;
        let params_start = self.kinds.len() as u32;
        self.kinds.extend(descriptor.params().map(kind_of_field));
        Ok(Shape {
            params_start,
            params_len: descriptor.param_count() as u32,
            result: descriptor.return_type().map(|result| self.value_type(result)),
        })
    }

    /// The kinds of a call's parameters, in order.
    pub fn params(&self, shape: Shape) -> &[Kind] {
        let start = shape.params_start as usize;
        &self.kinds[start..start + shape.params_len as usize]
    }

    /// Interns the name in a `Class` entry; array descriptors are checked.
    pub fn class_named(&mut self, name: &'a [u8]) -> Result<ClassName, Error> {
        FieldType::parse_class_name(name)?;
        Ok(ClassName::from_symbol(self.intern(name)))
    }

    /// Interns a field reference; its descriptor is checked.
    pub fn field_ref(&mut self, member: MemberRef<'a>) -> Result<FieldRef, Error> {
        FieldType::parse(member.descriptor)?;
        let owner = self.class_named(member.owner)?;
        Ok(FieldRef { owner, name: self.intern(member.name), descriptor: self.intern(member.descriptor) })
    }

    /// Interns a method reference; its descriptor is checked.
    pub fn method_ref(&mut self, member: MemberRef<'a>) -> Result<MethodRef, Error> {
        MethodDescriptor::parse(member.descriptor)?;
        let owner = self.class_named(member.owner)?;
        let (name, descriptor) = (self.intern(member.name), self.intern(member.descriptor));
        Ok(MethodRef { owner, name, descriptor, interface: member.interface })
    }

    /// The type of values of a field or parameter.
    pub fn value_type(&mut self, field: FieldType<'a>) -> Type {
        match field {
            FieldType::Class(name) => Type::Ref(ClassName::from_symbol(self.intern(name))),
            FieldType::Array(array) => Type::Ref(ClassName::from_symbol(self.intern(array.descriptor()))),
            FieldType::Primitive(_) => match kind_of_field(field) {
                Kind::Long => Type::Long,
                Kind::Float => Type::Float,
                Kind::Double => Type::Double,
                Kind::Int | Kind::Ref => Type::Int,
            },
        }
    }

    /// An entry of the class's `BootstrapMethods`.
    pub fn bootstrap_method(&mut self, index: u16) -> Result<&BootstrapMethod, Error> {
        let methods = match &mut self.bootstrap_methods {
            Some(methods) => methods,
            unread => unread.insert(self.class.bootstrap_methods()?),
        };
        let missing =
            Error::Malformed { what: "a dynamic constant names a bootstrap method that is not there" };
        methods.get(usize::from(index)).ok_or(missing)
    }
}

fn kind_of_field(field: FieldType<'_>) -> Kind {
    use selvedge_classfile::PrimitiveType;
    match field {
        FieldType::Class(_) | FieldType::Array(_) => Kind::Ref,
        FieldType::Primitive(PrimitiveType::Long) => Kind::Long,
        FieldType::Primitive(PrimitiveType::Float) => Kind::Float,
        FieldType::Primitive(PrimitiveType::Double) => Kind::Double,
        FieldType::Primitive(_) => Kind::Int,
    }
}

/// The kind of values of a type.
pub(super) fn kind_of(ty: Type) -> Kind {
    match ty {
        Type::Int => Kind::Int,
        Type::Long => Kind::Long,
        Type::Float => Kind::Float,
        Type::Double => Kind::Double,
        Type::Null | Type::Ref(_) => Kind::Ref,
    }
}
