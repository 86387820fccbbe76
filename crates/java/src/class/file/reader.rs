//! Numbers and bytes of a class file, one after the other.

use super::malformed::Malformed;

/// What is left of some bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// So many bytes.
    pub(super) fn bytes(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(Malformed::Early)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// All bytes that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Malformed::Early)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn half(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(super) fn word(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    pub(super) fn long(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// A list: its length, then its elements.
    pub(super) fn list<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let len = self.half()?;
        (0..len).map(|_| element(self)).collect()
    }

    /// A list of numbers of 16 bits.
    pub(super) fn halves(&mut self) -> Result<Vec<u16>, Malformed> {
        self.list(Self::half)
    }
}
