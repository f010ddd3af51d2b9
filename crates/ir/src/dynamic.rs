//! `invokedynamic` call sites and the constants that are made by running code.
//!
//! A call site keeps its bootstrap method and arguments as the class file has them, and beside them what the well-known
//! bootstrap methods of the platform mean by it: [`CallSiteKind`].

use selvedge_base::{Symbol, entity};

use crate::op::{FieldRef, MethodRef};
use crate::types::ClassName;

entity! {
    /// An `invokedynamic` site of a body.
    CallSiteId "cs";
    /// A [`Constant`] of a body that does not fit into an instruction.
    ConstantId "k";
}

/// A constant that a class file can load or hand to a bootstrap method.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Constant {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    String(Symbol),
    Class(ClassName),
    /// A `java/lang/invoke/MethodType` with this descriptor.
    MethodType(Symbol),
    MethodHandle(MethodHandle),
    /// A constant computed by a bootstrap method when it is first needed.
    Dynamic {
        name: Symbol,
        descriptor: Symbol,
        bootstrap: Box<Bootstrap>,
    },
}

/// A bootstrap method with its static arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Bootstrap {
    /// The method that is run to link the site or to make the constant.
    pub method: MethodHandle,
    /// What it gets beyond the lookup, the name and the type.
    pub arguments: Vec<Constant>,
}

/// What a method handle does when it is invoked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    /// Allocates, and runs the constructor.
    NewInvokeSpecial,
    InvokeInterface,
}

/// A direct method handle constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum MethodHandle {
    /// One of the four field kinds.
    Field(HandleKind, FieldRef),
    /// One of the five method kinds.
    Method(HandleKind, MethodRef),
}

/// An `invokedynamic` site.
#[derive(Clone, PartialEq, Debug)]
pub struct CallSite {
    /// The name given to the bootstrap method: for a lambda, the functional interface's method.
    pub name: Symbol,
    /// Argument and result types of the call.
    pub descriptor: Symbol,
    /// How the site is linked.
    pub bootstrap: Bootstrap,
    /// What that comes to.
    pub kind: CallSiteKind,
}

/// What an `invokedynamic` site does, by its bootstrap method.
#[derive(Clone, PartialEq, Debug)]
pub enum CallSiteKind {
    /// `LambdaMetafactory`: makes an object that implements a functional interface. The call's arguments are captured.
    Lambda(Lambda),
    /// `StringConcatFactory`: makes a string of the call's arguments. In the recipe `\u{1}` stands for the next
    /// argument and `\u{2}` for the next of `constants`. (`makeConcat` becomes a recipe of arguments only.)
    Concat {
        /// The recipe, in modified UTF-8.
        recipe: Symbol,
        /// What the recipe's constants stand for.
        constants: Vec<Constant>,
    },
    /// `ObjectMethods`: `equals`, `hashCode` or `toString` of a record.
    RecordMethod {
        /// The record's class.
        class: ClassName,
        /// Getters of its components, in order.
        getters: Vec<MethodHandle>,
    },
    /// `SwitchBootstraps`: tells which label of a pattern switch the first argument matches, from the second on.
    PatternSwitch {
        /// The labels: classes, strings, ints, enum constants.
        labels: Vec<Constant>,
        /// Whether it is `enumSwitch`, where strings name enum constants.
        of_enum: bool,
    },
    /// Some other language's or library's bootstrap method.
    Other,
}

/// The object that a lambda expression or method reference makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// The functional interface.
    pub interface: ClassName,
    /// Further interfaces the object implements (`altMetafactory`), `java/io/Serializable` included.
    pub markers: Vec<ClassName>,
    /// The interface's method.
    pub method: Symbol,
    /// That method's erased descriptor.
    pub erased: Symbol,
    /// Further erased descriptors under which it can be called (bridges).
    pub bridges: Vec<Symbol>,
    /// Its descriptor with the types of this use.
    pub instantiated: Symbol,
    /// What it runs, on the captured values followed by the call's arguments.
    pub implementation: MethodHandle,
}
