//! The bare walk over a class: read it, decode every instruction, keep nothing but counts.

use std::ops::AddAssign;

use crate::class::ClassFile;
use crate::error::Result;

/// How much was walked over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Class files.
    pub classes: u64,
    /// Fields.
    pub fields: u64,
    /// Methods, with or without code.
    pub methods: u64,
    /// Instructions.
    pub instructions: u64,
    /// Bytes of class files.
    pub bytes: u64,
    /// Bytes of instructions.
    pub code_bytes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.classes += other.classes;
        self.fields += other.fields;
        self.methods += other.methods;
        self.instructions += other.instructions;
        self.bytes += other.bytes;
        self.code_bytes += other.code_bytes;
    }
}

/// Reads a class file and decodes all its instructions.
pub fn walk(bytes: &[u8]) -> Result<Counts> {
    let class = ClassFile::parse(bytes)?;
    let mut counts = Counts {
        classes: 1,
        fields: class.fields.len() as u64,
        methods: class.methods.len() as u64,
        bytes: bytes.len() as u64,
        ..Counts::default()
    };
    for method in &class.methods {
        if let Some(code) = method.code(&class.pool)? {
            counts.code_bytes += code.bytes.len() as u64;
            for instruction in code.instructions() {
                instruction?;
                counts.instructions += 1;
            }
        }
    }
    Ok(counts)
}
