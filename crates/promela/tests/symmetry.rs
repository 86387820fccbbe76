//! Symmetry changes the number of states and nothing else, and is found only where there is some.

mod detection;
mod orbits;
mod verdicts;
