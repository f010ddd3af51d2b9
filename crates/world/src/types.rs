//! Run-time types: what an object's class can be, arrays included, as dense numbers with subtype tests.
//!
//! The program is frozen, but which array types exist turns up while code is read. So each analysis has a table of its
//! own, filled in its own order: the first types are the program's classes under their own numbers, arrays follow as they are
//! asked for.

use selvedge_base::{FastMap, Id, IdVec, entity};
use selvedge_classfile::PrimitiveType;
use selvedge_ir::ClassName;

use crate::program::{ClassId, Program};

entity! {
    /// A run-time type: a class of the program, or an array type of a [`TypeTable`].
    TypeId "ty";
}

/// The element type of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// A primitive type.
    Primitive(PrimitiveType),
    /// A class or array.
    Reference(TypeId),
}

/// Array types, numbered after the classes of a program.
#[derive(Clone, Debug)]
pub struct TypeTable<'p> {
    program: &'p Program,
    arrays: IdVec<ArrayIndex, Element>,
    known: FastMap<Element, TypeId>,
    cloneable: Option<ClassId>,
    serializable: Option<ClassId>,
}

entity! {
    /// Position among the arrays of a table.
    ArrayIndex "array";
}

impl From<ClassId> for TypeId {
    fn from(class: ClassId) -> Self {
        TypeId::new(class.number())
    }
}

impl<'p> TypeTable<'p> {
    /// A table of the program's classes and no arrays yet.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            arrays: IdVec::new(),
            known: FastMap::default(),
            cloneable: program.class_named(ClassName::new("java/lang/Cloneable")),
            serializable: program.class_named(ClassName::new("java/io/Serializable")),
        }
    }

    /// How many types there are so far.
    pub fn len(&self) -> usize {
        self.program.classes.len() + self.arrays.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of this name, made if it is an array type that was not asked for before. `None` if its class (or its
    /// innermost element's) is unknown to the program, or the name is malformed.
    pub fn named(&mut self, name: ClassName) -> Option<TypeId> {
        if !name.is_array() {
            return self.program.class_named(name).map(TypeId::from);
        }
        let descriptor = name.as_bytes();
        let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
        let innermost = &descriptor[dimensions..];
        let mut element = match *innermost {
            [letter] => Element::Primitive(PrimitiveType::from_letter(letter)?),
            _ => {
                let class = ClassName::of_descriptor(innermost)?;
                Element::Reference(self.program.class_named(class)?.into())
            }
        };
        for _ in 1..dimensions {
            element = Element::Reference(self.array_of(element));
        }
        Some(self.array_of(element))
    }

    /// The type of arrays with these elements.
    pub fn array_of(&mut self, element: Element) -> TypeId {
        let next = TypeId::from_index(self.len());
        *self.known.entry(element).or_insert_with(|| {
            self.arrays.push(element);
            next
        })
    }

    /// The class, if the type is one.
    pub fn class(&self, ty: TypeId) -> Option<ClassId> {
        (ty.index() < self.program.classes.len()).then(|| ClassId::new(ty.number()))
    }

    /// The element type, if the type is an array's.
    pub fn element(&self, ty: TypeId) -> Option<Element> {
        let index = ty.index().checked_sub(self.program.classes.len())?;
        self.arrays.get(ArrayIndex::from_index(index)).copied()
    }

    /// The class in which methods called on an object of this type are selected: for arrays `java/lang/Object`.
    pub fn dispatch_class(&self, ty: TypeId) -> ClassId {
        self.class(ty).unwrap_or(self.program.object())
    }

    /// The type's name.
    pub fn name(&self, ty: TypeId) -> ClassName {
        match (self.class(ty), self.element(ty)) {
            (Some(class), _) => self.program.classes[class].name,
            (None, Some(Element::Reference(element))) => self.name(element).array_of(),
            (None, Some(Element::Primitive(primitive))) => ClassName::new([b'[', primitive.letter()]),
            (None, None) => ClassName::object(),
        }
    }

    /// Whether every object of type `ty` is one of type `ancestor`: for arrays, `java/lang/Object`, `Cloneable`,
    /// `java/io/Serializable`, and arrays of a supertype of the elements.
    pub fn is_subtype(&self, mut ty: TypeId, mut ancestor: TypeId) -> bool {
        loop {
            if ty == ancestor {
                return true;
            }
            match (self.class(ty), self.class(ancestor)) {
                (Some(class), Some(ancestor)) => return self.program.is_subclass(class, ancestor),
                (Some(_), None) => return false,
                (None, Some(ancestor)) => {
                    return ancestor == self.program.object()
                        || Some(ancestor) == self.cloneable
                        || Some(ancestor) == self.serializable;
                }
                (None, None) => match (self.element(ty), self.element(ancestor)) {
                    (Some(Element::Reference(element)), Some(Element::Reference(above))) => {
                        (ty, ancestor) = (element, above);
                    }
                    // Arrays of the same primitive type are one type, which was tested first.
                    _ => return false,
                },
            }
        }
    }
}
