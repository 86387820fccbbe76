//! Integration tests of the crate.
//!
//! `ALLWAYS_LTL_CASES=20` multiplies the number of random cases by 20; `ALLWAYS_LTL_SHOW=1` with
//! `--nocapture` shows sizes and times formula by formula.

mod formats;
mod kinds;
mod kripke;
mod random;
mod rewriting;
mod semantics;
mod size;
mod speed;
mod texts;
mod words;
