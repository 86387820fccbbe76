//! SPIN as an oracle.
