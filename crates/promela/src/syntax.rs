//! From text to a syntax tree: preprocessor, lexer, parser, diagnostics.

pub mod ast;
