//! Hints for common mistakes.
//!
//! Many users know C, so habits from C are checked first. A hint never replaces the message of what was
//! expected; it only adds to it.

use crate::syntax::lexer::{Token, TokenKind as K};

/// A hint for a token that fits nowhere.
pub(super) fn for_token(token: &Token, before: K) -> Option<String> {
    let hint = match token.kind {
        K::Assign if is_operator(before) => "an operator cannot be joined with `=`; write `x = x + 1`",
        K::Assign => "use `==` to compare; `=` assigns and is a statement",
        K::BangBang => "`!!` is the sorted send; put a space between two negations",
        K::Else => "`else` stands alone, at the start of an option: `:: else -> ...`",
        K::Fi | K::Od => "is there an `if` or `do` without options, or a `{` that is not closed?",
        K::Str if before != K::Str => "strings can only stand in `printf`",
        K::Unknown(c) if !c.is_ascii() => "only ASCII characters can stand outside strings and comments",
        K::Unknown(_) => "this character means nothing in Promela",
        K::Eof => "is there a `{`, an `if` or a `do` that is not closed?",
        K::Eval => "`eval` can only stand among the fields of a receive",
        K::Quest | K::QuestQuest => "Promela's conditional expression is `(c -> a : b)`",
        K::Colon => "a label must be a name that nothing else has",
        K::Type(_) | K::TypeName => "declarations stand at the start of a statement",
        K::Typedef => "a typedef must be global",
        K::Return => "`return` stands only in an inline",
        K::LParen if matches!(before, K::If | K::Do) => "write `if :: condition -> ... :: else -> ... fi`",
        K::Str if before == K::Str => "write one string",
        kind if is_operator(kind) && matches!(before, K::Semi | K::Arrow) => {
            "a line end ends a statement; put parentheses around an expression of several lines"
        }
        _ => return taken_name(token),
    };
    Some(hint.into())
}

fn is_operator(kind: K) -> bool {
    use K::{Amp, AndAnd, Caret, EqEq, Ge, Gt, Le, Lt, Ne, OrOr, Percent, Pipe, Plus, Shl, Shr, Slash, Star};
    matches!(
        kind,
        AndAnd
            | Amp
            | Caret
            | EqEq
            | Ge
            | Gt
            | Le
            | Lt
            | Ne
            | OrOr
            | Percent
            | Pipe
            | Plus
            | Shl
            | Shr
            | Slash
            | Star
    ) || kind == K::Minus
}

/// `1 argument`, `2 arguments`
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Why a name is not a plain name.
pub(super) fn taken_name(token: &Token) -> Option<String> {
    let text = &token.text;
    match token.kind {
        K::TypeName => Some(format!("`{text}` is the name of a type")),
        K::ProcName => Some(format!("`{text}` is the name of a process type")),
        K::InlineName => Some(format!("`{text}` is the name of an inline")),
        K::Const if !text.is_empty() => Some(format!("`{text}` is a symbolic constant, declared by `mtype`")),
        K::Const | K::Str | K::Eof | K::Unknown(_) => None,
        kind => {
            let word = crate::syntax::lexer::token::spelling(kind);
            let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
            is_word.then(|| format!("`{word}` is a word of the language"))
        }
    }
}

/// A hint for a token after a complete statement.
pub(super) fn after_statement(token: &Token) -> Option<String> {
    let hint = match token.kind {
        K::Unless => "`unless` must follow on the line where the statement ends, or after `}`",
        K::Else => "`else` begins an option: `:: else -> ...`",
        K::Assign => "only a variable can be assigned to; `==` compares",
        K::Quest => "Promela's conditional expression is `(c -> a : b)`",
        kind if is_operator(kind) => {
            "a statement ends before it; `c?[m]` asks about a channel in a condition"
        }
        K::RParen => "there is no `(` for it",
        K::LParen => "an inline must be defined before it is used; a process is started by `run`",
        K::Unknown(_) | K::Eof => return for_token(token, K::Semi),
        _ => "a `;` is missing before it",
    };
    Some(hint.into())
}

/// A hint for a statement of C, from its first name and the token after it.
pub(super) fn foreign_word(name: &Token, next: K) -> Option<&'static str> {
    let hint = match (&*name.text, next) {
        ("while", K::LParen) => "write `do :: condition -> ... :: else -> break od`",
        ("switch", K::LParen) => "write `if :: x == 1 -> ... :: x == 2 -> ... :: else fi`",
        ("return" | "exit", K::LParen) => "a process ends at the end of its body; `goto` its last label",
        ("continue", K::Semi | K::Arrow | K::RBrace | K::Option | K::Od) => "let the option of the `do` end",
        ("elif" | "elseif", _) => "write another option: `:: condition -> ...`",
        ("struct" | "enum" | "void" | "char" | "long" | "float" | "double", K::Name) => {
            "the types are bit, bool, byte, short, int, unsigned, mtype, chan and typedefs"
        }
        (_, K::Name) => "is it a type? a typedef must be defined before it is used",
        _ => return None,
    };
    Some(hint)
}
