//! What can be wrong with the form of a class file.

use std::fmt;

/// Why bytes are not a class file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The file, or a part whose length it gives, ends too early.
    Early,
    /// The file does not begin with the number that every class file begins with.
    Magic(u32),
    /// A version that is not supported.
    Version {
        /// Its major number.
        major: u16,
        /// Its minor number.
        minor: u16,
    },
    /// A constant is not of the kind that is needed.
    Constant {
        /// Which one.
        index: u16,
        /// The kind, with its article.
        is_not: &'static str,
    },
    /// A number has no meaning.
    Unknown {
        /// The number.
        number: u32,
        /// What it should be, with its article.
        is_not: &'static str,
    },
    /// No instruction begins where one is referred to, counted in bytes.
    NoInstruction(i64),
    /// The contents of an attribute, by its name, are longer than they should be.
    AttributeLength(String),
    /// Another rule, as a sentence that says how the file breaks it.
    Broken(&'static str),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Early => f.write_str("it ends too early"),
            Self::Magic(number) => write!(f, "it begins with {number:08x}"),
            Self::Version { major, minor } => write!(f, "version {major}.{minor} is not supported"),
            Self::Constant { index, is_not } => write!(f, "constant {index} is not {is_not}"),
            Self::Unknown { number, is_not } => write!(f, "{number} is not {is_not}"),
            Self::NoInstruction(at) => write!(f, "no instruction begins at {at}"),
            Self::AttributeLength(name) => write!(f, "attribute {name} has a wrong length"),
            Self::Broken(how) => f.write_str(how),
        }
    }
}

impl std::error::Error for Malformed {}
