//! Shared parts of the product's own tests.
//!
//! It has a brute-force reference explorer, the laws of a model as checks, a generator of random Promela
//! models, SPIN as an oracle where it is installed, random Java programs together with all their possible
//! outcomes, random models with pointers and functions with two references, and a toy model.

pub mod dynamic;
pub mod laws;
pub mod random_java;
pub mod random_net;
pub mod random_promela;
pub mod reference;
pub mod spin;
pub mod states;
pub mod toy;
