//! The text form of bodies: [`print()`] writes it, [`parse()`] reads it back to an equal body.
//!
//! ```text
//! method public static p/C.first([I)I {
//!   parameters v0: [I
//!   lines @0 3, @4 4
//!
//! b0:
//!   unwind java/lang/RuntimeException -> b2
//!   v1: int = int 0                                    @1  ; line 3
//!   v2: int = arrayload int v0, v1                     @2
//!   goto b1                                            @3
//! b1: <- b0
//!   return v2                                          @3
//! b2: <- unwind b0
//!   v3: java/lang/RuntimeException = catch             @4  ; line 4
//!   return v1                                          @6
//! }
//! ```
//!
//! - A file is a sequence of methods. Line ends matter, other white space does not. A `;` at the start of a token starts
//!   a comment. Blocks come in order of their numbers.
//! - A block's head lists its predecessors in order; its `unwind` line, where exceptions go. A phi names the predecessor
//!   before each argument: `phi b0 v1, b2 v7`.
//! - `@` is the bytecode index (0 where it is left out). `lines` is the line table; the remarks after instructions only
//!   repeat it.
//! - Classes, fields (`p/C.f:I`) and methods (`p/C.m(I)V`) are written as the class file has them. A name with other
//!   characters than letters, digits, `_`, `$`, `-` (and those of descriptors), or one that would read as something
//!   else, is quoted. In quotes, `\n`, `\r`, `\t`, `\"`, `\\` are what they usually are, `\0` is the two-byte NUL of
//!   modified UTF-8, `\xHH` is a byte; a character beyond U+FFFF stands for its surrogate pair.
//! - Numbers of floating-point type are decimal, `inf`, `-inf`, or their bits in hexadecimal (always for NaN).
//! - Call sites and constants that do not fit into an instruction stand in tables after the blocks.

mod lex;
mod name;
mod parse;
mod print;
#[cfg(test)]
mod tests;
mod words;

use selvedge_base::Symbol;

use crate::body::Body;
use crate::types::ClassName;

pub use parse::{ParseError, parse};
pub use print::{print, print_block};

/// Which method a body is the code of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodHeader {
    /// The class that declares it.
    pub owner: ClassName,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags, as in the class file.
    pub access: u16,
}

impl MethodHeader {
    /// Whether the method is static.
    pub fn is_static(&self) -> bool {
        self.access & selvedge_classfile::access::STATIC != 0
    }
}

/// A method with its code, as a text file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Method {
    /// Which method it is.
    pub header: MethodHeader,
    /// Its code.
    pub body: Body,
}

impl Method {
    /// The method's text form.
    pub fn print(&self) -> String {
        print(&self.header, &self.body)
    }
}
