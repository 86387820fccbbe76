//! One account for the memory of a search: store, side tables and stacks all charge it, so that a limit that
//! a user sets holds for their sum.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// There is no room for another state: the memory limit is reached, or the store cannot number more states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the store is full")
    }
}

impl std::error::Error for Full {}

/// A shared account of bytes with an optional limit. Clones are the same account.
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
    /// [`Full`], and nothing is charged, if that would go beyond the limit.
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

    /// Gives back `bytes` that were charged before.
    pub fn release(&self, bytes: u64) {
        self.account.used.fetch_sub(bytes, Relaxed);
    }

    /// Keeps a part of the limit for later. It is no more than the limit, and zero without one.
    pub fn set_aside(&self, part: u64) {
        self.account.limit.fetch_sub(part, Relaxed);
    }

    /// Gives what was set aside to whatever comes later.
    pub fn give_back(&self, part: u64) {
        self.account.limit.fetch_add(part, Relaxed);
    }

    /// The bytes charged now.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.account.used.load(Relaxed)
    }

    /// The most bytes ever charged at once.
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
