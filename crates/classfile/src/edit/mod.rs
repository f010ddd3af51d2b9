//! Changing classes: new constants, fields, methods, attributes, and instructions put between existing ones.
//!
//! What is not changed stays byte for byte as it was. [`ClassEditor`] collects changes to a class, [`CodeEditor`] those
//! to one method's code.
//!
//! ```
//! use selvedge_classfile::edit::{ClassEditor, CodeEditor, Jumps};
//! use selvedge_classfile::{ClassFile, Insn, Result};
//!
//! /// Calls `Probe.read()` before every read of an instance field.
//! fn with_probes(bytes: &[u8]) -> Result<Vec<u8>> {
//!     let class = ClassFile::parse(bytes)?;
//!     let mut editor = ClassEditor::new(&class);
//!     let probe = editor.pool().method(b"Probe", b"read", b"()V")?;
//!     for (index, method) in class.methods.iter().enumerate() {
//!         let Some(code) = method.code(&class.pool)? else { continue };
//!         let mut edit = CodeEditor::new(&class, method, &code);
//!         for item in code.instructions() {
//!             if let (bci, Insn::GetField(_)) = item? {
//!                 edit.before(bci, Jumps::Run).insn(Insn::InvokeStatic(probe));
//!             }
//!         }
//!         let edited = edit.finish(editor.pool())?;
//!         editor.replace_code(index, edited)?;
//!     }
//!     editor.write()
//! }
//! ```

mod class;
mod code;
mod doubled;
mod frames;
mod layout;
mod tables;
#[cfg(test)]
mod tests;
mod types;

pub use class::{ClassEditor, NewAttribute};
pub use code::{Block, CodeEditor, Jumps, Label};
pub use doubled::Doubled;
pub use types::{Element, Type};
