//! Reductions change the number of states and nothing else: the same violations, by every search.

#[path = "reductions/corpus.rs"]
mod corpus;
#[path = "reductions/persistence.rs"]
mod persistence;
#[path = "reductions/random.rs"]
mod random;
#[path = "reductions/rules.rs"]
mod rules;
#[path = "reductions/shown.rs"]
mod shown;
#[path = "reductions/verdicts.rs"]
mod verdicts;
