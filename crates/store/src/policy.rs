//! Which state a full [`Cache`](crate::Cache) evicts next.
//!
//! A policy turns what an entry remembers (its level, a value and its age) into a key; the smallest key goes
//! first. The six policies of Taleghani's thesis ("Search-carrying code", 2010, chapters 2 and 4) are here,
//! and two of our own: `strata` and `aged`. Costs are base-2 logarithms: a cost counts paths, and their
//! number outgrows any integer. States on the stack and states that wait to be opened have no key: they stay.

/// Which states leave a full cache first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Odd levels of the depth-first search, then those that 2, 4, 8 and so on divides.
    Strata,
    /// Lowest cost first, where a cost counts for more the later it was computed (GreedyDual).
    Aged,
    /// Lowest cost first: what it would take to visit again what can be reached from the state.
    Cost,
    /// Any.
    Random,
    /// Longest in the cache first.
    Age,
    /// Fewest arrivals first, or most arrivals first.
    Hits {
        /// Whether those with the most go first.
        most: bool,
    },
    /// Levels `k` modulo `m` first, then `k + 1` and so on.
    Stratified {
        /// The levels that go first.
        k: u32,
        /// What levels are divided by; not zero.
        m: u32,
    },
    /// Deepest level first.
    Depth,
}

/// What an entry remembers for the policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traits {
    /// The length of the stack when the state was opened.
    pub(crate) level: u32,
    /// When it entered the cache, or how often it was met, or its cost: what the policy needs.
    pub(crate) value: u32,
    /// A number that tells apart entries which the policy does not.
    pub(crate) tie: u32,
}

impl Policy {
    /// One of each name, with the parameters that the thesis used.
    pub const ALL: [Self; 8] = [
        Self::Strata,
        Self::Aged,
        Self::Cost,
        Self::Random,
        Self::Age,
        Self::Hits { most: false },
        Self::Stratified { k: 1, m: 2 },
        Self::Depth,
    ];

    /// The name that people give and read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Strata => "strata",
            Self::Aged => "aged",
            Self::Cost => "cost",
            Self::Random => "random",
            Self::Age => "age",
            Self::Hits { .. } => "hits",
            Self::Stratified { .. } => "stratified",
            Self::Depth => "depth",
        }
    }

    /// The policy with this [name](Policy::name), and parameters after a colon: `hits:most`, `hits:fewest`,
    /// `stratified:K,M`.
    ///
    /// ```
    /// use allways_store::Policy;
    ///
    /// assert_eq!(Policy::named("stratified:2,5"), Some(Policy::Stratified { k: 2, m: 5 }));
    /// assert_eq!(Policy::named("stratified:2,0"), None);
    /// assert!(Policy::ALL.into_iter().all(|one| Policy::named(one.name()) == Some(one)));
    /// ```
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (name, parameters) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let plain = Self::ALL.into_iter().find(|one| one.name() == name)?;
        match (plain, parameters) {
            (_, None) => Some(plain),
            (Self::Hits { .. }, Some("most")) => Some(Self::Hits { most: true }),
            (Self::Hits { .. }, Some("fewest")) => Some(plain),
            (Self::Stratified { .. }, Some(text)) => {
                let (k, m) = text.split_once(',')?;
                let (k, m) = (k.parse().ok()?, m.parse().ok()?);
                (m > 1 && k < m).then_some(Self::Stratified { k, m })
            }
            _ => None,
        }
    }

    /// Whether costs have to be computed.
    #[must_use]
    pub fn needs_costs(self) -> bool {
        matches!(self, Self::Cost | Self::Aged)
    }

    /// The key of an entry: the smallest goes first.
    pub(crate) fn key(self, traits: Traits) -> u64 {
        let Traits { level, value, tie } = traits;
        let first = match self {
            Self::Strata => level.trailing_zeros(),
            // A logarithm is not negative, so its bits are ordered as it is.
            Self::Aged | Self::Cost | Self::Age | Self::Hits { most: false } => value,
            Self::Random => 0,
            Self::Hits { most: true } => !value,
            Self::Stratified { k, m } => (level % m + m - k) % m,
            Self::Depth => !level,
        };
        u64::from(first) << 32 | u64::from(tie)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels 0 to 8 in the order in which they go.
    fn order(policy: Policy) -> Vec<u32> {
        let mut levels: Vec<u32> = (0..9).collect();
        levels.sort_by_key(|&level| policy.key(Traits { level, value: 0, tie: level }));
        levels
    }

    #[test]
    fn levels_go_in_the_order_of_their_policy() {
        assert_eq!(order(Policy::Strata), [1, 3, 5, 7, 2, 6, 4, 8, 0]);
        assert_eq!(order(Policy::Depth), [8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(order(Policy::Stratified { k: 2, m: 4 }), [2, 6, 3, 7, 0, 4, 8, 1, 5]);
    }

    #[test]
    fn values_go_in_the_order_of_their_policy() {
        let key = |policy: Policy, value| policy.key(Traits { level: 3, value, tie: 0 });
        for (policy, rises) in [
            (Policy::Age, true),
            (Policy::Cost, true),
            (Policy::Hits { most: false }, true),
            (Policy::Hits { most: true }, false),
        ] {
            assert_eq!(key(policy, 1) < key(policy, 2), rises, "{policy:?}");
        }
        assert!(key(Policy::Cost, 1.5_f32.to_bits()) < key(Policy::Cost, 2.5e9_f32.to_bits()));
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        let wrong = ["", "strata:1", "hits:some", "stratified:3", "stratified:3,3", "stratified:0,1", "lru"];
        assert!(wrong.iter().all(|text| Policy::named(text).is_none()));
    }
}
