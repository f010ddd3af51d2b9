//! Access flags. One bit means different things on classes, fields, methods and other places, hence the repetitions.

/// Classes, fields, methods.
pub const PUBLIC: u16 = 0x0001;
/// Nested classes (in `InnerClasses`), fields, methods.
pub const PRIVATE: u16 = 0x0002;
/// Nested classes (in `InnerClasses`), fields, methods.
pub const PROTECTED: u16 = 0x0004;
/// Nested classes (in `InnerClasses`), fields, methods.
pub const STATIC: u16 = 0x0008;
/// Classes, fields, methods, parameters.
pub const FINAL: u16 = 0x0010;
/// Classes: set by every compiler since Java 1.0.2, without meaning today.
pub const SUPER: u16 = 0x0020;
/// Methods: the body runs under the monitor of the receiver or the class.
pub const SYNCHRONIZED: u16 = 0x0020;
/// Module: any module may access it by reflection.
pub const OPEN: u16 = 0x0020;
/// `requires` of a module: readers of the module read the required one, too.
pub const TRANSITIVE: u16 = 0x0020;
/// Fields.
pub const VOLATILE: u16 = 0x0040;
/// Methods: made by the compiler to keep overriding working across erasure or covariant returns.
pub const BRIDGE: u16 = 0x0040;
/// `requires` of a module: needed to compile, optional at run time.
pub const STATIC_PHASE: u16 = 0x0040;
/// Fields.
pub const TRANSIENT: u16 = 0x0080;
/// Methods.
pub const VARARGS: u16 = 0x0080;
/// Methods.
pub const NATIVE: u16 = 0x0100;
/// Classes.
pub const INTERFACE: u16 = 0x0200;
/// Classes, methods.
pub const ABSTRACT: u16 = 0x0400;
/// Methods, class-file versions 46 to 60.
pub const STRICT: u16 = 0x0800;
/// Everything: not in the source.
pub const SYNTHETIC: u16 = 0x1000;
/// Classes.
pub const ANNOTATION: u16 = 0x2000;
/// Classes, fields.
pub const ENUM: u16 = 0x4000;
/// Parameters, module parts: in no source, but demanded by the language specification.
pub const MANDATED: u16 = 0x8000;
/// Classes: a `module-info`.
pub const MODULE: u16 = 0x8000;
