//! The missing callers of an open program: a client that does everything a client can do.
//!
//! From a set of classes and interfaces, the library's interface, a harness is made: one variable for each type that a
//! public method takes or returns; every concrete class created into the variable of its type; every public method called on
//! the variables of its receiver's and arguments' types, its result assigned back. Values flow from a variable to those of
//! its supertypes, so that each call sees every combination. Any two calls may run in two threads.
//!
//! The concrete classes of the application below each of these types are created, too, whether or not they belong to the
//! interface: a client that knows `ObjectPool` holds some pool. Beside them stands, for each interface of the application, an
//! implementation of the client's own that takes and returns whatever fits.
//!
//! Where the library's classes give a variable no value, the client brings one: a string, a class of the JDK, or an
//! implementation of its own. What stays without a value is listed as [`unfilled`](Harness::unfilled).
//!
//! Methods with an annotation `@VisibleForTesting` of whatever package are not called: a client in production does not.
//!
//! A harness is data; [`Harness::to_java`] prints it as a Java class that compiles against the library.

mod build;
mod java;
mod signature;

pub use build::usual_class;

use selvedge_base::{IdVec, Symbol, entity};

use crate::program::{ClassId, FieldId, MethodId};

entity! {
    /// A variable of a [`Harness`].
    VariableId "x";
}

/// A most general client; see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Harness {
    /// The classes whose public methods are called, by ascending id.
    pub interface: Vec<ClassId>,
    /// One variable for each type, shared by all threads.
    pub variables: IdVec<VariableId, Variable>,
    /// Where values come from.
    pub creations: Vec<Creation>,
    /// Assignments between variables; those that follow from others are left out.
    pub flows: Vec<Flow>,
    /// Every public method, once.
    pub calls: Vec<Call>,
    /// Variables of reference type that only ever hold null.
    pub unfilled: Vec<VariableId>,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The descriptor of its type.
    pub descriptor: Symbol,
}

/// A value that is made and put into a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Creation {
    /// Where it goes.
    pub variable: VariableId,
    /// What is made.
    pub made: Made,
}

/// What a [`Creation`] makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    /// An object, by this constructor. The instance that an inner class belongs to is its first argument.
    Object {
        /// Which.
        constructor: MethodId,
        /// What it gets.
        arguments: Vec<VariableId>,
    },
    /// The value of a public static field.
    StaticField(FieldId),
    /// An array that holds the value of a variable, or zeros if that is of a primitive type.
    Array {
        /// The variable of the elements' type.
        element: VariableId,
    },
    /// A string.
    String,
    /// A class object.
    Class,
    /// An implementation of this interface by the client.
    Implementation(ClassId),
}

/// An assignment from one variable to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// From where.
    pub from: VariableId,
    /// To where.
    pub to: VariableId,
    /// What of it.
    pub kind: FlowKind,
}

/// What an assignment takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowKind {
    /// The value, to a variable of a supertype.
    Value,
    /// An element of the array.
    Element,
}

/// A call of a public method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The method that the client names.
    pub method: MethodId,
    /// The class through which it is named: the one that declares it, or, where that is not public, one below.
    pub named: ClassId,
    /// The receiver; `None` for a static method.
    pub receiver: Option<VariableId>,
    /// The arguments.
    pub arguments: Vec<VariableId>,
    /// Where the result goes; `None` if there is none, or none that the client can use.
    pub result: Option<VariableId>,
}
