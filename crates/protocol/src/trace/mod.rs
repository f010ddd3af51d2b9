//! Traces: recorded events in a file.
//!
//! **Format.** Eight bytes [`MAGIC`], the version as a number, then records until the end mark. Numbers are LEB128 (seven
//! bits a byte, low ones first); differences are zigzag-coded; a text is its length in bytes and UTF-8.
//!
//! A record is a tag byte and operands. The low six bits of the tag are the operation: a definition or an event. For an
//! event, bit 6 says that the thread differs from the last event's and its number follows, bit 7 that a stack's number
//! follows. Then come the site, as a difference to the last event's, and the operands of the action; objects are
//! differences to the last object that was named. An event in the middle of a run so takes about five bytes.
//!
//! **Robustness.** Definitions stand before their first use, so a file that was cut off anywhere is good up to there
//! ([`TraceReader::truncated`]). Every number is checked against the tables before anyone sees it, and lengths are
//! bounded: damaged or hostile bytes give a [`TraceError`], and memory grows at most with the bytes read.

mod decode;
mod encode;

pub use decode::{TraceError, TraceReader};
pub use encode::{Encoder, TraceWriter};

/// How a trace begins.
pub const MAGIC: [u8; 8] = *b"SELVTRC\n";

/// The version that this crate writes and reads.
pub const VERSION: u64 = 1;

/// No text in a trace is longer than this; names in class files are not.
const MAX_TEXT: u64 = 1 << 18;

/// No stack in a trace has more frames than this.
const MAX_FRAMES: u64 = 1 << 16;

/// The operations, in the low six bits of a tag.
mod op {
    pub const END_MARK: u8 = 0;
    pub const CLASS: u8 = 1;
    pub const FIELD: u8 = 2;
    pub const SITE: u8 = 3;
    pub const STACK: u8 = 4;
    pub const THREAD: u8 = 5;
    pub const OBJECT: u8 = 6;
    /// The first of the events: 8 accesses, by location (field, static, element, content) and kind (read, write).
    pub const ACCESS: u8 = 16;
    /// 12 steps on volatile or atomic variables, by location and kind (read, write, update).
    pub const SYNC: u8 = 24;
    /// 4 acquisitions, by role (monitor, explicit) and mode (exclusive, shared).
    pub const ACQUIRE: u8 = 36;
    /// 4 releases, likewise.
    pub const RELEASE: u8 = 40;
    pub const FORK: u8 = 44;
    pub const JOIN: u8 = 45;
    pub const END: u8 = 46;
    pub const FREED: u8 = 47;
    /// 4 publications, by channel (object, interrupt, permit, class).
    pub const PUBLISH: u8 = 48;
    /// 4 subscriptions, likewise.
    pub const SUBSCRIBE: u8 = 52;

    pub const MASK: u8 = 0x3f;
    pub const OTHER_THREAD: u8 = 0x40;
    pub const WITH_STACK: u8 = 0x80;
}

/// What differences are taken to, on both ends.
#[derive(Clone, Copy, Default)]
struct Previous {
    thread: u32,
    site: u32,
    object: u64,
}

#[cfg(test)]
mod tests;
