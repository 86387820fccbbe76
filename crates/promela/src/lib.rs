//! The Promela front end.

pub mod syntax;
