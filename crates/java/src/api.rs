//! What programs may call: `allways.Choose`, as source text and compiled in a jar file.
//!
//! The jar file is made from the source by `cargo xtask java-api`, and the tests hold the two together. With
//! it on the class path a program runs on any Java machine as well.

/// The jar file with the compiled classes.
pub const JAR: &[u8] = include_bytes!("../api/allways-choose.jar");

/// The source text.
pub const SOURCE: &str = include_str!("../api/src/allways/Choose.java");
