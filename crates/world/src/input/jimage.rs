//! The JDK's module image, `lib/modules`: a hash table of resources, memory-mapped.
//!
//! Layout (in the byte order of the machine that wrote it):
//!
//! | part       | size                | holds                                                        |
//! |------------|---------------------|--------------------------------------------------------------|
//! | header     | 28                  | magic, version, flags, counts and sizes                      |
//! | redirect   | 4 × table length    | second step of the perfect hash                              |
//! | offsets    | 4 × table length    | where each resource's location is                            |
//! | locations  | locations size      | per resource: module, package, name, extension, place, sizes |
//! | strings    | strings size        | what locations refer to, NUL-terminated                      |
//! | contents   | the rest            | the resources, raw or compressed                             |
//!
//! Nothing in the image is trusted: each access is checked, and what does not hold together is a problem.

use super::bytes::Bytes;
use super::jimage_compression::decompress;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: usize = 28;
/// Multiplier and first seed of the hash.
const HASH_SEED: u32 = 0x0100_0193;

/// A module image.
#[derive(Clone, Debug)]
pub struct Image {
    bytes: Bytes,
    order: ByteOrder,
    table_length: usize,
    locations: usize,
    strings: usize,
    contents: usize,
}

/// The byte order of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// The four bytes at `at`.
    pub(super) fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self == ByteOrder::Little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) })
    }

    /// The eight bytes at `at`.
    pub(super) fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let eight: [u8; 8] = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
        Some(if self == ByteOrder::Little { u64::from_le_bytes(eight) } else { u64::from_be_bytes(eight) })
    }
}

/// Where a resource is and what it is called: `/module/parent/base.extension`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Resource<'a> {
    pub module: &'a [u8],
    pub parent: &'a [u8],
    pub base: &'a [u8],
    pub extension: &'a [u8],
    offset: u64,
    /// Zero where the resource is not compressed.
    compressed: u64,
    size: u64,
}

impl Resource<'_> {
    /// `parent/base.extension`: for a class, its internal name with `.class`.
    pub fn path(&self) -> Vec<u8> {
        let mut path = Vec::with_capacity(self.parent.len() + self.base.len() + self.extension.len() + 2);
        for (separator, part) in [(b'/', self.parent), (b'/', self.base), (b'.', self.extension)] {
            if !part.is_empty() {
                if !path.is_empty() {
                    path.push(separator);
                }
                path.extend_from_slice(part);
            }
        }
        path
    }
}

impl Image {
    /// Opens an image; the error says why it is none.
    pub fn open(bytes: Bytes) -> Result<Self, &'static str> {
        let order = match bytes.get(..4) {
            Some(magic) if magic == MAGIC.to_le_bytes() => ByteOrder::Little,
            Some(magic) if magic == MAGIC.to_be_bytes() => ByteOrder::Big,
            _ => return Err("is not a module image"),
        };
        let field = |index: usize| order.u32(&bytes, index * 4).ok_or("is cut short");
        let version = field(1)?;
        if version >> 16 != 1 {
            return Err("is a module image of an unknown version");
        }
        let (table_length, locations_size, strings_size) =
            (field(4)? as usize, field(5)? as usize, field(6)? as usize);
        // 32-bit fields cannot overflow 64-bit sums.
        let locations = HEADER_SIZE + table_length * 8;
        let strings = locations + locations_size;
        let contents = strings + strings_size;
        if contents > bytes.len() {
            return Err("is cut short");
        }
        Ok(Self { bytes, order, table_length, locations, strings, contents })
    }

    /// All resources, in the order of the hash table.
    pub fn resources(&self) -> impl Iterator<Item = Resource<'_>> {
        (0..self.table_length).filter_map(|index| self.resource(index))
    }

    /// Finds a resource by its hash.
    pub fn find(&self, module: &[u8], parent: &[u8], base: &[u8], extension: &[u8]) -> Option<Resource<'_>> {
        let separator: &[u8] = if parent.is_empty() { b"" } else { b"/" };
        let path = [b"/", module, b"/", parent, separator, base, b".", extension].concat();
        let hash = |seed: u32| {
            path.iter().fold(seed, |seed, &byte| seed.wrapping_mul(HASH_SEED) ^ u32::from(byte)) & 0x7FFF_FFFF
        };
        let length = u32::try_from(self.table_length).ok().filter(|&length| length > 0)?;
        let slot = (hash(HASH_SEED) % length) as usize;
        let redirect = self.order.u32(&self.bytes, HEADER_SIZE + slot * 4)? as i32;
        let index = match redirect {
            0 => return None,
            1.. => (hash(redirect as u32) % length) as usize,
            _ => usize::try_from(-1 - i64::from(redirect)).ok()?,
        };
        let resource = self.resource(index)?;
        let wanted = (module, parent, base, extension);
        ((resource.module, resource.parent, resource.base, resource.extension) == wanted).then_some(resource)
    }

    /// A resource's contents, decompressed if need be.
    pub fn contents(&self, resource: &Resource<'_>) -> Result<Bytes, &'static str> {
        let stored = if resource.compressed == 0 { resource.size } else { resource.compressed };
        let start =
            usize::try_from(resource.offset).ok().and_then(|offset| offset.checked_add(self.contents));
        let range = start.and_then(|start| Some(start..start.checked_add(usize::try_from(stored).ok()?)?));
        let raw = range.and_then(|range| self.bytes.slice(range)).ok_or("lies outside the image")?;
        if resource.compressed == 0 {
            return Ok(raw);
        }
        decompress(&raw, self.order, resource.size, &|offset| self.string(offset)).map(Bytes::from)
    }

    fn string(&self, offset: u64) -> Option<&[u8]> {
        let strings = &self.bytes[self.strings..self.contents];
        let rest = strings.get(usize::try_from(offset).ok()?..)?;
        rest.split(|&byte| byte == 0).next()
    }

    fn resource(&self, index: usize) -> Option<Resource<'_>> {
        if index >= self.table_length {
            return None;
        }
        let offset = self.order.u32(&self.bytes, HEADER_SIZE + self.table_length * 4 + index * 4)? as usize;
        let mut attributes = self.bytes.get(self.locations..self.strings)?.get(offset..)?;
        let mut resource = Resource::default();
        loop {
            let (&head, rest) = attributes.split_first()?;
            let (kind, length) = (head >> 3, usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(resource);
            }
            let (value, rest) = rest.split_at_checked(length)?;
            attributes = rest;
            let value = value.iter().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
            match kind {
                1 => resource.module = self.string(value)?,
                2 => resource.parent = self.string(value)?,
                3 => resource.base = self.string(value)?,
                4 => resource.extension = self.string(value)?,
                5 => resource.offset = value,
                6 => resource.compressed = value,
                7 => resource.size = value,
                // Later versions may know more.
                _ => {}
            }
        }
    }
}
