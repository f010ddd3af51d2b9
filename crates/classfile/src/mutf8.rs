//! Modified UTF-8, the encoding of all text in class files.
//!
//! It encodes UTF-16 code units one by one, in one to three bytes each: a supplementary character is two encoded
//! surrogates (six bytes), unpaired surrogates are possible and occur in real classes, and the unit zero takes two
//! bytes so that no encoded text contains a zero byte.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// Reads one code unit off the front of `bytes`; `None` if the front is no valid encoding.
fn split_unit(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let continuation = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    match *bytes {
        [first @ 0x01..=0x7f, ref rest @ ..] => Some((u16::from(first), rest)),
        [first @ 0xc0..=0xdf, second, ref rest @ ..] => {
            Some((u16::from(first & 0x1f) << 6 | continuation(second)?, rest))
        }
        [first @ 0xe0..=0xef, second, third, ref rest @ ..] => {
            Some((u16::from(first & 0x0f) << 12 | continuation(second)? << 6 | continuation(third)?, rest))
        }
        _ => None,
    }
}

/// Is this well-formed modified UTF-8? (As in the JVM, overlong encodings are accepted.)
pub fn is_valid(mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        match split_unit(bytes) {
            Some((_, rest)) => bytes = rest,
            None => return false,
        }
    }
    true
}

/// The UTF-16 code units of a string constant, exactly as the running program sees them.
pub fn decode_utf16(mut bytes: &[u8]) -> Result<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    while !bytes.is_empty() {
        let (unit, rest) = split_unit(bytes).ok_or(Error::BadModifiedUtf8)?;
        units.push(unit);
        bytes = rest;
    }
    Ok(units)
}

/// Text for people to read: what is no Unicode text becomes U+FFFD. Borrows in the usual case of plain ASCII.
pub fn to_string_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.iter().all(|byte| (0x01..=0x7f).contains(byte))
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut units = Vec::with_capacity(bytes.len());
    let mut left = bytes;
    while let Some((_, after_one)) = left.split_first() {
        match split_unit(left) {
            Some((unit, rest)) => {
                units.push(unit);
                left = rest;
            }
            None => {
                units.push(0xfffd);
                left = after_one;
            }
        }
    }
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// Encodes UTF-16 code units; any sequence can be encoded.
pub fn encode_utf16(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    units.iter().for_each(|&unit| push_unit(&mut bytes, unit));
    bytes
}

/// Encodes Unicode text. Borrows if the encodings agree: no zero byte, no supplementary character.
pub fn encode_str(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|byte| byte != 0 && byte < 0xf0) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    text.encode_utf16().for_each(|unit| push_unit(&mut bytes, unit));
    Cow::Owned(bytes)
}

fn push_unit(bytes: &mut Vec<u8>, unit: u16) {
    let low_six = |bits: u16| 0x80 | (bits & 0x3f) as u8;
    match unit {
        0x01..=0x7f => bytes.push(unit as u8),
        0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, low_six(unit)]),
        _ => bytes.extend([0xe0 | (unit >> 12) as u8, low_six(unit >> 6), low_six(unit)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_unit_survives_encoding_and_decoding() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let encoded = encode_utf16(&all);
        assert!(is_valid(&encoded));
        assert!(!encoded.contains(&0));
        assert_eq!(decode_utf16(&encoded).unwrap(), all);
    }

    #[test]
    fn agrees_with_utf8_where_it_should() {
        for text in ["", "java/lang/Object", "ключ", "鍵"] {
            assert_eq!(&*encode_str(text), text.as_bytes());
            assert_eq!(to_string_lossy(text.as_bytes()), text);
        }
        for text in ["a\0b", "🗝 key"] {
            assert_ne!(&*encode_str(text), text.as_bytes());
            assert_eq!(to_string_lossy(&encode_str(text)), text);
        }
    }

    #[test]
    fn malformed_bytes_are_errors_or_replacement_characters() {
        for bytes in [&b"\0"[..], b"\xc0", b"\xe0\x80", b"\xff", b"\x80", b"a\xc3a"] {
            assert!(!is_valid(bytes));
            assert_eq!(decode_utf16(bytes), Err(Error::BadModifiedUtf8));
            assert!(to_string_lossy(bytes).contains('\u{fffd}'), "{bytes:?}");
        }
        let unpaired = encode_utf16(&[0xd800, 0x41]);
        assert_eq!(decode_utf16(&unpaired).unwrap(), [0xd800, 0x41]);
        assert_eq!(to_string_lossy(&unpaired), "\u{fffd}A");
    }
}
