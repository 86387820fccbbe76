//! The certifier against true certificates, and against every kind of false one.

mod accepted;
mod deviations;
mod forged;
mod java;
mod oracle;
mod ranks;
mod reader;
mod searches;
mod shared;
mod symmetry;
mod tampering;
mod tree;
