//! The types of SSA values.
//!
//! As for the JVM's verifier, values are of five computational kinds; `boolean`, `byte`, `char` and `short` are
//! [`Type::Int`]. References carry the most precise class that the verifier's inference gives them.

use std::fmt;

use selvedge_base::Symbol;

/// The name of a class, interface or array type as a class file's `CONSTANT_Class` has it: `java/util/List`, `[I`,
/// `[[Ljava/lang/String;`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassName(Symbol);

impl ClassName {
    /// The class with this internal name (or array descriptor).
    pub fn new(name: impl AsRef<[u8]>) -> Self {
        Self(Symbol::new(name))
    }

    /// The class with this internal name (or array descriptor).
    pub fn from_symbol(name: Symbol) -> Self {
        Self(name)
    }

    /// `java/lang/Object`.
    pub fn object() -> Self {
        Self::new("java/lang/Object")
    }

    /// The internal name.
    pub fn symbol(self) -> Symbol {
        self.0
    }

    /// The internal name's bytes.
    pub fn as_bytes(self) -> &'static [u8] {
        self.0.as_bytes()
    }

    /// Whether the internal name is `name`.
    pub fn is(self, name: &str) -> bool {
        self.0.is(name)
    }

    /// Whether this is an array type.
    pub fn is_array(self) -> bool {
        self.as_bytes().first() == Some(&b'[')
    }

    /// The type descriptor of an array's element, `I` for `[I`; `None` for a class.
    pub fn element_descriptor(self) -> Option<&'static [u8]> {
        self.as_bytes().strip_prefix(b"[")
    }

    /// What an element of this array type loads as: an int for `[Z`, a reference for `[[I`; `None` for a class.
    pub fn element_type(self) -> Option<Type> {
        self.element_descriptor().and_then(Type::of_descriptor)
    }

    /// The type descriptor: `Ljava/lang/String;` for a class, the name itself for an array.
    pub fn descriptor(self) -> Symbol {
        if self.is_array() {
            return self.0;
        }
        Symbol::new([b"L", self.as_bytes(), b";"].concat())
    }

    /// The type of arrays whose elements are of this type.
    pub fn array_of(self) -> Self {
        Self::new([b"[", self.descriptor().as_bytes()].concat())
    }

    /// The class named by a reference type's descriptor, `Ljava/lang/String;` or `[I`.
    pub fn of_descriptor(descriptor: &[u8]) -> Option<Self> {
        match descriptor {
            [b'L', name @ .., b';'] => Some(Self::new(name)),
            [b'[', ..] => Some(Self::new(descriptor)),
            _ => None,
        }
    }
}

/// The internal name, as in the class file.
impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `int`, and everything narrower.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// The type of `null`, below every reference type.
    Null,
    /// A reference to an instance of this class, interface or array type.
    Ref(ClassName),
}

impl Type {
    /// The type of a field or variable with this descriptor; `None` for `V` and malformed ones.
    pub fn of_descriptor(descriptor: &[u8]) -> Option<Self> {
        Some(match descriptor {
            b"Z" | b"B" | b"C" | b"S" | b"I" => Type::Int,
            b"J" => Type::Long,
            b"F" => Type::Float,
            b"D" => Type::Double,
            _ => Type::Ref(ClassName::of_descriptor(descriptor)?),
        })
    }

    /// A reference to `java/lang/Object`.
    pub fn object() -> Self {
        Type::Ref(ClassName::object())
    }

    /// Whether this is a reference or null.
    pub fn is_reference(self) -> bool {
        matches!(self, Type::Null | Type::Ref(_))
    }

    /// The class of a reference type.
    pub fn class(self) -> Option<ClassName> {
        match self {
            Type::Ref(class) => Some(class),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Long => f.write_str("long"),
            Type::Float => f.write_str("float"),
            Type::Double => f.write_str("double"),
            Type::Null => f.write_str("null"),
            Type::Ref(class) => class.fmt(f),
        }
    }
}

/// The element type of a primitive array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum PrimitiveType {
    Boolean,
    Char,
    Float,
    Double,
    Byte,
    Short,
    Int,
    Long,
}

/// How an array access names its elements. The bytecode does not tell `byte[]` from `boolean[]`; neither do we here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ArrayKind {
    Int,
    Long,
    Float,
    Double,
    Ref,
    ByteOrBoolean,
    Char,
    Short,
}

impl ArrayKind {
    /// The type of a loaded element where it follows from the access itself: all but references.
    pub fn value_type(self) -> Option<Type> {
        Some(match self {
            ArrayKind::Int | ArrayKind::ByteOrBoolean | ArrayKind::Char | ArrayKind::Short => Type::Int,
            ArrayKind::Long => Type::Long,
            ArrayKind::Float => Type::Float,
            ArrayKind::Double => Type::Double,
            ArrayKind::Ref => return None,
        })
    }
}

/// What typing asks about the class hierarchy. Implemented by the `world` crate over a whole program.
pub trait TypeOracle {
    /// Whether this is known to be an interface.
    fn is_interface(&self, class: ClassName) -> bool;
    /// The direct superclass; `None` for `java/lang/Object` and where the class is unknown.
    fn superclass(&self, class: ClassName) -> Option<ClassName>;
}

/// Knows no hierarchy: every class extends `java/lang/Object` directly. Types stay right, only less precise.
pub struct NoHierarchy;

impl TypeOracle for NoHierarchy {
    fn is_interface(&self, _: ClassName) -> bool {
        false
    }
    fn superclass(&self, _: ClassName) -> Option<ClassName> {
        None
    }
}
