//! Java programs run: held against the real `java`, against brute force, and against what is known of them.
//!
//! Needs a JDK with `javac`; `cargo xtask test` installs one.

mod accesses;
mod apart;
mod assemble;
mod compile;
mod concurrent;
mod contracts;
mod corpus;
mod damaged_jdk;
mod examples;
mod facts;
mod forms;
mod hostile;
mod jpf_mistakes;
mod laws;
mod library;
mod limits;
mod litmus;
mod locks;
mod opcodes;
mod pools;
mod processes;
mod programs;
mod properties;
mod reads;
mod resources;
mod same;
mod shown;
mod thesis;
