//! The memory account of a search. Store, side tables and stacks all charge it, so a limit holds for their
//! sum.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The error for "no room for another state": the memory limit is reached, or all state numbers are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the store is full")
    }
}

impl std::error::Error for Full {}

/// A shared account of bytes with an optional limit. Clones share the account.
///
/// ```
/// use allways_store::{Budget, Full};
///
/// let budget = Budget::new(Some(100));
/// assert_eq!(budget.charge(60), Ok(()));
/// assert_eq!(budget.clone().charge(60), Err(Full));
/// assert_eq!(budget.peak(), 60);
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    account: Arc<Account>,
}

#[derive(Debug)]
struct Account {
    limit: AtomicU64,
    used: AtomicU64,
    peak: AtomicU64,
}

impl Budget {
    /// An account that refuses to go beyond `limit` bytes.
    #[must_use]
    pub fn new(limit: Option<u64>) -> Self {
        let account = Account {
            limit: limit.unwrap_or(u64::MAX).into(),
            used: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        };
        Self { account: Arc::new(account) }
    }

    /// Charges `bytes`.
    ///
    /// # Errors
    /// [`Full`] if that would exceed the limit; nothing is charged then.
    pub fn charge(&self, bytes: u64) -> Result<(), Full> {
        let account = &*self.account;
        let before = account.used.fetch_add(bytes, Relaxed);
        let after = before.saturating_add(bytes);
        if after > account.limit.load(Relaxed) {
            account.used.fetch_sub(bytes, Relaxed);
            return Err(Full);
        }
        account.peak.fetch_max(after, Relaxed);
        Ok(())
    }

    /// Releases `bytes` that were charged before.
    pub fn release(&self, bytes: u64) {
        self.account.used.fetch_sub(bytes, Relaxed);
    }

    /// Reserves `part` of the limit for later use. `part` is at most the limit, and zero if there is none.
    pub fn set_aside(&self, part: u64) {
        self.account.limit.fetch_sub(part, Relaxed);
    }

    /// Makes a reserved part available again.
    pub fn give_back(&self, part: u64) {
        self.account.limit.fetch_add(part, Relaxed);
    }

    /// The bytes charged at present.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.account.used.load(Relaxed)
    }

    /// The greatest number of bytes charged at any one time.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.account.peak.load(Relaxed)
    }

    /// The limit, if there is one.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        Some(self.account.limit.load(Relaxed)).filter(|&limit| limit != u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_beyond_the_limit_and_remembers_the_peak() {
        let budget = Budget::new(Some(100));
        budget.charge(60).unwrap();
        assert_eq!(budget.clone().charge(41), Err(Full));
        budget.charge(40).unwrap();
        budget.release(90);
        assert_eq!((budget.used(), budget.peak(), budget.limit()), (10, 100, Some(100)));
    }

    #[test]
    fn what_is_set_aside_is_there_later() {
        let budget = Budget::new(Some(100));
        budget.set_aside(10);
        assert_eq!(budget.charge(95), Err(Full));
        budget.give_back(10);
        assert_eq!(budget.charge(95), Ok(()));
    }

    #[test]
    fn is_unlimited_without_a_limit() {
        let budget = Budget::new(None);
        budget.charge(1 << 60).unwrap();
        assert_eq!(budget.limit(), None);
    }
}
