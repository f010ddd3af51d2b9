//! Names in the text form: which can stand as they are, and how the others are quoted.
//!
//! Names are arbitrary bytes, mostly modified UTF-8. Quoting is lossless for all of them.

use std::fmt::{self, Write};

use selvedge_base::Symbol;

use crate::types::ClassName;

/// Whether a character can start a bare word.
pub(super) fn starts_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$' | '[')
}

/// Whether a character can continue a bare word.
pub(super) fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '[' | '/' | ';' | '-')
}

/// Characters beyond U+FFFF are two surrogates in modified UTF-8; as they are, they only stand in quotes.
fn is_bare(c: char) -> bool {
    c <= '\u{ffff}'
}

fn is_word(name: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(name) else { return false };
    if matches!(text, "<init>" | "<clinit>") {
        return true;
    }
    text.chars().next().is_some_and(starts_word) && text.chars().all(|c| continues_word(c) && is_bare(c))
}

fn is_method_descriptor(name: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(name) else { return false };
    text.starts_with('(') && text.chars().all(|c| (continues_word(c) && is_bare(c)) || matches!(c, '(' | ')'))
}

/// The name of a member, or a descriptor of a field.
pub(super) struct Name(pub(super) Symbol);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        if is_word(bytes) { f.write_str(&String::from_utf8_lossy(bytes)) } else { Quoted(bytes).fmt(f) }
    }
}

/// A method descriptor.
pub(super) struct Descriptor(pub(super) Symbol);

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0.as_bytes();
        let bare = is_method_descriptor(bytes);
        if bare { f.write_str(&String::from_utf8_lossy(bytes)) } else { Quoted(bytes).fmt(f) }
    }
}

/// A class; quoted where it would read as a primitive type or as `any`.
pub(super) struct Class(pub(super) ClassName);

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_bytes() {
            name @ (b"int" | b"long" | b"float" | b"double" | b"null" | b"any") => Quoted(name).fmt(f),
            _ => Name(self.0.symbol()).fmt(f),
        }
    }
}

/// Bytes in quotes.
pub(super) struct Quoted<'a>(pub(super) &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut rest = self.0;
        while let Some((&first, after)) = rest.split_first() {
            let escape = match first {
                b'"' => Some("\\\""),
                b'\\' => Some("\\\\"),
                b'\n' => Some("\\n"),
                b'\r' => Some("\\r"),
                b'\t' => Some("\\t"),
                _ => None,
            };
            if let Some(escape) = escape {
                f.write_str(escape)?;
                rest = after;
            } else if let Some(after) = rest.strip_prefix(b"\xc0\x80") {
                f.write_str("\\0")?;
                rest = after;
            } else if let Some((c, len)) = first_char(rest).filter(|&(c, _)| is_visible(c)) {
                f.write_char(c)?;
                rest = &rest[len..];
            } else {
                write!(f, "\\x{first:02x}")?;
                rest = after;
            }
        }
        f.write_char('"')
    }
}

fn is_visible(c: char) -> bool {
    c == '\'' || c.escape_debug().len() == 1
}

/// The first character of modified UTF-8 and how many bytes it takes; `None` where none is well-formed.
fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let prefix = |len: usize| {
        let text = std::str::from_utf8(bytes.get(..len)?).ok()?;
        text.chars().next().map(|c| (c, len))
    };
    match *bytes {
        [0xed, 0xa0..=0xaf, _, 0xed, 0xb0..=0xbf, _, ..] => {
            let unit =
                |at: usize| 0xd000 | (u16::from(bytes[at] & 0x3f) << 6) | u16::from(bytes[at + 1] & 0x3f);
            let well_formed = bytes[2] & 0xc0 == 0x80 && bytes[5] & 0xc0 == 0x80;
            let c = char::decode_utf16([unit(1), unit(4)]).next()?.ok()?;
            well_formed.then_some((c, 6))
        }
        [0..=0x7f, ..] => prefix(1),
        [0xc0..=0xdf, ..] => prefix(2),
        [0xe0..=0xef, ..] => prefix(3),
        _ => None,
    }
}

/// Appends a character as modified UTF-8.
pub(super) fn push_char(bytes: &mut Vec<u8>, c: char) {
    let (mut units, mut buffer) = ([0; 2], [0; 4]);
    match c {
        '\0' => bytes.extend_from_slice(b"\xc0\x80"),
        '\u{1}'..='\u{ffff}' => bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()),
        _ => {
            for &mut unit in c.encode_utf16(&mut units) {
                let low = |shift: u16| 0x80 | ((unit >> shift) & 0x3f) as u8;
                bytes.extend_from_slice(&[0xed, low(6), low(0)]);
            }
        }
    }
}
