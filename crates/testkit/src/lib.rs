//! What the product's own tests share: a brute-force reference explorer, the laws of a model as checks, a
//! generator of random Promela models, and SPIN as an oracle where it is installed.

pub mod laws;
pub mod random_promela;
pub mod reference;
pub mod spin;
