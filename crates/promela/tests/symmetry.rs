//! Symmetry changes the number of states and nothing else, and is found only where there is some.

#[path = "symmetry/detection.rs"]
mod detection;
#[path = "symmetry/orbits.rs"]
mod orbits;
#[path = "symmetry/verdicts.rs"]
mod verdicts;
