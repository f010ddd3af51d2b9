//! Big-endian bytes being written.

use crate::error::{Error, Result};

/// The bytes written so far.
#[derive(Debug, Default)]
pub(crate) struct Output {
    pub(crate) bytes: Vec<u8>,
}

impl Output {
    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_be_bytes());
    }

    /// A position in code, which has 65,535 bytes at most.
    pub(crate) fn bci(&mut self, bci: u32) -> Result<()> {
        self.u16(u16::try_from(bci).map_err(|_| Error::TooLarge { what: "a method's code" })?);
        Ok(())
    }

    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A `u2` count of `what`.
    pub(crate) fn count(&mut self, count: usize, what: &'static str) -> Result<()> {
        self.u16(u16::try_from(count).map_err(|_| Error::TooLarge { what })?);
        Ok(())
    }

    /// A `u2`-counted list of `what`.
    pub(crate) fn list<T>(
        &mut self,
        items: &[T],
        what: &'static str,
        mut item: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.count(items.len(), what)?;
        items.iter().try_for_each(|each| item(self, each))
    }

    /// A `u1`-counted list of `what`.
    pub(crate) fn short_list<T>(
        &mut self,
        items: &[T],
        what: &'static str,
        mut item: impl FnMut(&mut Self, &T) -> Result<()>,
    ) -> Result<()> {
        self.u8(u8::try_from(items.len()).map_err(|_| Error::TooLarge { what })?);
        items.iter().try_for_each(|each| item(self, each))
    }

    /// An attribute: its name's index, then what `info` writes, preceded by its length.
    pub(crate) fn attribute(
        &mut self,
        name_index: u16,
        info: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.u16(name_index);
        let length_at = self.bytes.len();
        self.u32(0);
        info(self)?;
        let length = u32::try_from(self.bytes.len() - length_at - 4)
            .map_err(|_| Error::TooLarge { what: "an attribute" })?;
        self.bytes[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }
}
