//! What can be wrong with a class file, as values that print as sentences.

use std::fmt;

/// The result of reading or writing a part of a class file.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a class file, or a part of one, could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes ended inside the named structure.
    Truncated {
        /// The structure being read.
        reading: &'static str,
    },
    /// Bytes are left over after the end of the named structure.
    TrailingBytes {
        /// The structure that should have ended.
        after: &'static str,
    },
    /// The first four bytes are not `CAFEBABE`.
    NotAClassFile,
    /// The major version is below 45, the first that ever existed.
    UnsupportedVersion {
        /// The version's major part.
        major: u16,
    },
    /// A constant pool entry has an unknown tag.
    BadConstantTag {
        /// The entry's index.
        index: u16,
        /// Its first byte.
        tag: u8,
    },
    /// An index that is zero, beyond the pool, or the unusable second slot of a `long` or `double`.
    NoSuchConstant {
        /// The index.
        index: u16,
    },
    /// A constant exists, but of another type than its use demands.
    WrongConstant {
        /// The entry's index.
        index: u16,
        /// What the use demands.
        expected: &'static str,
    },
    /// A descriptor does not follow the grammar.
    BadDescriptor,
    /// A string is not modified UTF-8.
    BadModifiedUtf8,
    /// No instruction has this opcode.
    BadOpcode {
        /// Where the instruction is.
        bci: u32,
        /// The opcode.
        opcode: u8,
    },
    /// An instruction's operands reach beyond the end of the code, or `bci` itself does.
    TruncatedCode {
        /// Where the instruction is.
        bci: u32,
    },
    /// An instruction's operand has a value that is never allowed.
    BadOperand {
        /// Where the instruction is.
        bci: u32,
    },
    /// A branch or switch leads out of the code.
    BadBranch {
        /// Where the instruction is.
        bci: u32,
    },
    /// A structure contradicts itself or its surroundings.
    Malformed {
        /// What is wrong, as the end of a sentence.
        what: &'static str,
    },
    /// What is to be written does not fit the format's limits.
    TooLarge {
        /// What is too large.
        what: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::Truncated { reading } => write!(out, "the file ends inside {reading}"),
            Error::TrailingBytes { after } => write!(out, "there are bytes left over after {after}"),
            Error::NotAClassFile => write!(out, "this is not a class file: it does not start with CAFEBABE"),
            Error::UnsupportedVersion { major } => {
                write!(out, "class file version {major} does not exist: the first is 45")
            }
            Error::BadConstantTag { index, tag } => {
                write!(out, "constant {index} has the unknown tag {tag}")
            }
            Error::NoSuchConstant { index } => write!(out, "there is no constant {index}"),
            Error::WrongConstant { index, expected } => write!(out, "constant {index} is not {expected}"),
            Error::BadDescriptor => write!(out, "a descriptor is malformed"),
            Error::BadModifiedUtf8 => write!(out, "a string is not modified UTF-8"),
            Error::BadOpcode { bci, opcode } => {
                write!(out, "the instruction at {bci} has the unknown opcode {opcode:#04x}")
            }
            Error::TruncatedCode { bci } => write!(out, "the code ends inside the instruction at {bci}"),
            Error::BadOperand { bci } => write!(out, "the instruction at {bci} has an impossible operand"),
            Error::BadBranch { bci } => write!(out, "the instruction at {bci} branches out of the code"),
            Error::Malformed { what } => write!(out, "{what}"),
            Error::TooLarge { what } => write!(out, "{what} is larger than the class file format allows"),
        }
    }
}

impl std::error::Error for Error {}
