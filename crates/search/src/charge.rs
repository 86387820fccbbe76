//! The memory of a stack or a list that grows, charged to the budget of the search.

use allways_store::{Budget, Full};

/// What a stack occupies: charged when it grows, released in the end.
pub(crate) struct Charge {
    budget: Budget,
    bytes: u64,
}

impl Charge {
    /// Nothing yet.
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { budget: budget.clone(), bytes: 0 }
    }

    /// Charges more if `bytes` are more than ever before.
    #[inline]
    pub(crate) fn cover(&mut self, bytes: u64) -> Result<(), Full> {
        if bytes > self.bytes {
            self.budget.charge(bytes - self.bytes)?;
            self.bytes = bytes;
        }
        Ok(())
    }

    /// How many bytes are charged too little for `bytes`.
    pub(crate) fn beyond(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.bytes)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.release(self.bytes);
    }
}
