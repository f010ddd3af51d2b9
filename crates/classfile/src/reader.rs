//! A cursor over big-endian bytes whose every step is checked.

use crate::error::{Error, Result};

/// What is left to read of a structure, and the structure's name for error messages.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    reading: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], reading: &'static str) -> Self {
        Reader { rest: bytes, reading }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    #[cold]
    pub(crate) fn truncated(&self) -> Error {
        Error::Truncated { reading: self.reading }
    }

    #[inline]
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(*head)
            }
            None => Err(self.truncated()),
        }
    }

    #[inline]
    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.chunk::<1>()?[0])
    }

    #[inline]
    pub(crate) fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.chunk()?))
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.chunk()?))
    }

    #[inline]
    pub(crate) fn bytes(&mut self, length: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(length) {
            Some((head, rest)) => {
                self.rest = rest;
                Ok(head)
            }
            None => Err(self.truncated()),
        }
    }

    /// A `u2` count of items that each take at least `least_size` bytes. A count that the remaining bytes cannot hold
    /// is an error here, so that callers may reserve memory for it.
    #[inline]
    pub(crate) fn count(&mut self, least_size: usize) -> Result<usize> {
        let count = usize::from(self.u16()?);
        if count * least_size > self.rest.len() {
            return Err(self.truncated());
        }
        Ok(count)
    }

    /// A `u2`-counted list whose items take at least `least_size` bytes each.
    #[inline]
    pub(crate) fn list<T>(
        &mut self,
        least_size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.count(least_size)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A `u1`-counted list whose items take at least `least_size` bytes each.
    pub(crate) fn short_list<T>(
        &mut self,
        least_size: usize,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = usize::from(self.u8()?);
        if count * least_size > self.rest.len() {
            return Err(self.truncated());
        }
        (0..count).map(|_| item(self)).collect()
    }

    /// Succeeds if everything was read.
    #[inline]
    pub(crate) fn finish(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::TrailingBytes { after: self.reading }) }
    }
}
