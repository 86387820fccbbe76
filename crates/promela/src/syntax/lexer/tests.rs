//! Tokens as SPIN reads them.

use super::{Lexer, TokenKind as K};
use crate::syntax::preprocess::{MemoryLoader, PreprocessOptions, preprocess};
use crate::syntax::{FileInput, SourceMap};

/// The kinds of the tokens of a text, in a body or not.
fn kinds(text: &str, in_body: bool, in_ltl: bool) -> Vec<K> {
    let input = FileInput::Text { name: "t".into(), text: text.into() };
    let (mut sources, mut diagnostics) = (SourceMap::default(), Vec::new());
    let options = PreprocessOptions::default();
    let source = preprocess(&input, &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
    let mut lexer = Lexer::new(&source);
    (lexer.in_body, lexer.in_ltl) = (in_body, in_ltl);
    let mut kinds = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == K::Eof {
            // The preprocessed text always ends with a line end.
            if in_body && kinds.last() == Some(&K::Semi) {
                kinds.pop();
            }
            return kinds;
        }
        kinds.push(token.kind);
    }
}

#[test]
fn dots_and_numbers() {
    assert_eq!(kinds("0..N", false, false), [K::Const, K::DotDot, K::Name]);
    assert_eq!(kinds("3x 0x10", false, false), [K::Const, K::Name, K::Const, K::Name]);
    assert_eq!(kinds("a.b", false, false), [K::Name, K::Dot, K::Name]);
}

#[test]
fn operators() {
    assert_eq!(kinds("a!!b??c", false, false), [K::Name, K::BangBang, K::Name, K::QuestQuest, K::Name]);
    assert_eq!(kinds("x<=y>=z", false, false), [K::Name, K::Le, K::Name, K::Ge, K::Name]);
    assert_eq!(kinds("x-->y", false, false), [K::Name, K::Arrow, K::Name]);
    assert_eq!(kinds("x<-1", false, false), [K::Name, K::Lt, K::Minus, K::Const]);
    assert_eq!(kinds("x */ y", false, false), [K::Name, K::Name]);
}

#[test]
fn temporal_operators_only_in_formulas() {
    assert_eq!(kinds("[]<>p->q", false, true), [K::Always, K::Eventually, K::Name, K::Implies, K::Name]);
    assert_eq!(
        kinds("p<->X q U r", false, true),
        [K::Name, K::Equivalent, K::Next, K::Name, K::Until, K::Name]
    );
    assert_eq!(kinds("X U always", false, false), [K::Name, K::Name, K::Name]);
}

#[test]
fn line_ends() {
    assert_eq!(kinds("a\nb", true, false), [K::Name, K::Semi, K::Name]);
    assert_eq!(kinds("a\nb", false, false), [K::Name, K::Name]);
    assert_eq!(kinds("(a\nb)", true, false), [K::LParen, K::Name, K::Name, K::RParen]);
    assert_eq!(kinds("a +\nb", true, false), [K::Name, K::Plus, K::Name]);
    assert_eq!(kinds("a\n\n-> b", true, false), [K::Name, K::Arrow, K::Name]);
    assert_eq!(kinds("a;\n}", true, false), [K::Name, K::RBrace]);
    assert_eq!(kinds("}\nunless", true, false), [K::RBrace, K::Unless]);
    assert_eq!(kinds("}\nx", true, false), [K::RBrace, K::Semi, K::Name]);
}

#[test]
fn separators_after_closing_words() {
    assert_eq!(kinds("} x", false, false), [K::RBrace, K::Semi, K::Name]);
    assert_eq!(kinds("} proctype", false, false), [K::RBrace, K::Proctype]);
    assert_eq!(kinds("else x", false, false), [K::Else, K::Semi, K::Name]);
    assert_eq!(kinds("else fi", false, false), [K::Else, K::Fi]);
}

#[test]
fn timeout_gets_parentheses() {
    assert_eq!(kinds("timeout\nx", true, false), [K::LParen, K::Timeout, K::RParen, K::Semi, K::Name]);
    assert_eq!(kinds("(timeout)", false, false), [K::LParen, K::Timeout, K::RParen]);
}

#[test]
fn numbers_keep_their_low_bits() {
    let input = FileInput::Text { name: "t".into(), text: "4294967295 010 '\\n' 'a' true skip false".into() };
    let (mut sources, mut diagnostics) = (SourceMap::default(), Vec::new());
    let options = PreprocessOptions::default();
    let source = preprocess(&input, &options, &MemoryLoader::default(), &mut sources, &mut diagnostics);
    let mut lexer = Lexer::new(&source);
    let values: Vec<_> = (0..7).map(|_| lexer.next_token().value).collect();
    assert_eq!(values, [-1, 10, 10, 97, 1, 1, 0]);
}
