//! What the product's own tests share: a brute-force reference explorer, the laws of a model as checks, a
//! generator of random Promela models, SPIN as an oracle where it is installed, and random Java programs
//! together with all the ways they can end.

pub mod laws;
pub mod random_java;
pub mod random_promela;
pub mod reference;
pub mod spin;
pub mod states;
