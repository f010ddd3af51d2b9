//! Compressed resources of module images, as `jlink --compress` writes them.
//!
//! A compressed resource is wrapped in one header per plug-in that worked on it, the outermost last applied: `zip` is a
//! zlib stream; `compact-cp` moves the strings of a class's constant pool into the image's string table.

use super::jimage::ByteOrder;
use super::zip::inflate_zlib;

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_SIZE: usize = 29;
/// The largest resource that is decompressed; a class is far smaller.
const LIMIT: u64 = 64 << 20;
/// Tag of a constant that is a string of the image.
const EXTERNAL_STRING: u8 = 23;
/// Tag of a constant that is a descriptor whose class names are strings of the image.
const EXTERNAL_DESCRIPTOR: u8 = 25;

/// Finds a string of the image by its offset.
type Strings<'a> = dyn Fn(u64) -> Option<&'a [u8]> + 'a;

/// Undoes all compression of a resource of `size` bytes.
pub(super) fn decompress<'a>(
    raw: &[u8],
    order: ByteOrder,
    size: u64,
    strings: &Strings<'a>,
) -> Result<Vec<u8>, &'static str> {
    const DAMAGED: &str = "has a damaged compression header";
    if size > LIMIT {
        return Err("claims an absurd size");
    }
    let mut contents = raw.to_vec();
    // Two plug-ins exist; a few rounds more do no harm, endless ones would.
    for _ in 0..8 {
        if order.u32(&contents, 0) != Some(MAGIC) {
            break;
        }
        let stored = order.u64(&contents, 4).ok_or(DAMAGED)?;
        let expanded = order.u64(&contents, 12).filter(|&expanded| expanded <= LIMIT).ok_or(DAMAGED)?;
        let plugin = order.u32(&contents, 20).and_then(|offset| strings(u64::from(offset))).ok_or(DAMAGED)?;
        let end =
            usize::try_from(stored).ok().and_then(|stored| stored.checked_add(HEADER_SIZE)).ok_or(DAMAGED)?;
        let data = contents.get(HEADER_SIZE..end).ok_or(DAMAGED)?;
        contents = match plugin {
            b"zip" => inflate_zlib(data, expanded as usize)?,
            b"compact-cp" => restore_strings(data, strings).ok_or("has damaged shared strings")?,
            _ => return Err("is compressed in a way that is not known"),
        };
    }
    if contents.len() as u64 == size { Ok(contents) } else { Err("has not the size that the image says") }
}

/// Puts the strings of a constant pool back.
fn restore_strings<'a>(data: &[u8], strings: &Strings<'a>) -> Option<Vec<u8>> {
    let mut input = Reader { rest: data };
    let mut class = Vec::with_capacity(data.len() * 2);
    let header = input.take(10)?;
    class.extend_from_slice(header);
    let count = u16::from_be_bytes([header[8], header[9]]);
    let mut index = 1;
    while index < count {
        let tag = input.byte()?;
        match tag {
            EXTERNAL_STRING => push_utf8(&mut class, strings(input.compressed_int()?)?)?,
            EXTERNAL_DESCRIPTOR => {
                let pattern = strings(input.compressed_int()?)?;
                let length = usize::try_from(input.compressed_int()?).ok()?;
                let mut names = Reader { rest: input.take(length)? };
                push_utf8(&mut class, &restore_descriptor(pattern, &mut names, strings)?)?;
            }
            1 => {
                let length = input.take(2)?;
                class.push(tag);
                class.extend_from_slice(length);
                class.extend_from_slice(input.take(usize::from(u16::from_be_bytes([length[0], length[1]])))?);
            }
            _ => {
                let size = match tag {
                    3 | 4 | 9..=12 | 17 | 18 => 4,
                    5 | 6 => 8,
                    7 | 8 | 16 | 19 | 20 => 2,
                    15 => 3,
                    _ => return None,
                };
                class.push(tag);
                class.extend_from_slice(input.take(size)?);
                // A long or double takes two places.
                if size == 8 {
                    index += 1;
                }
            }
        }
        index += 1;
        if class.len() as u64 > LIMIT {
            return None;
        }
    }
    class.extend_from_slice(input.rest);
    Some(class)
}

fn push_utf8(class: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    class.push(1);
    class.extend_from_slice(&u16::try_from(text.len()).ok()?.to_be_bytes());
    class.extend_from_slice(text);
    Some(())
}

/// In the pattern each `L` stands before a class whose package and name are the next two strings.
fn restore_descriptor<'a>(pattern: &[u8], names: &mut Reader<'_>, strings: &Strings<'a>) -> Option<Vec<u8>> {
    let mut descriptor = Vec::with_capacity(pattern.len() * 2);
    for &byte in pattern {
        descriptor.push(byte);
        if byte == b'L' {
            let package = strings(names.compressed_int()?)?;
            let name = strings(names.compressed_int()?)?;
            descriptor.extend_from_slice(package);
            if !package.is_empty() {
                descriptor.push(b'/');
            }
            descriptor.extend_from_slice(name);
            if descriptor.len() > usize::from(u16::MAX) {
                return None;
            }
        }
    }
    Some(descriptor)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    /// A number whose first byte says, if its top bit is set, how many bytes it takes (bits 5 and 6) and holds the
    /// highest five bits; otherwise it takes four bytes.
    fn compressed_int(&mut self) -> Option<u64> {
        let head = self.byte()?;
        let (length, high) = if head & 0x80 != 0 { (head >> 5 & 3, head & 0x1F) } else { (4, head) };
        let rest = self.take(usize::from(length).saturating_sub(1))?;
        Some(rest.iter().fold(u64::from(high), |value, &byte| value << 8 | u64::from(byte)))
    }
}
