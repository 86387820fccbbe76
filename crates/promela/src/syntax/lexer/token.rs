//! The tokens of Promela.
//!
//! A name's kind depends on the declarations before it: SPIN's grammar distinguishes type names, process
//! names, inline names and symbolic constants. This lexer does the same, by the same rule.

use std::sync::Arc;

use crate::syntax::ast::{Span, TypeName};

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// A name's or a string's text (without quotes); empty otherwise.
    pub text: Arc<str>,
    /// A number's value.
    pub value: i32,
    /// Its location in the source; for a token in an inline's body, the location there.
    pub span: Span,
    /// Its offset in the preprocessed text.
    pub at: u32,
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are named after the tokens; `describe` shows each")]
pub enum TokenKind {
    /// A name without a more specific kind.
    Name,
    /// A typedef's name.
    TypeName,
    /// A process type's name.
    ProcName,
    /// An inline's name.
    InlineName,
    /// A number, or a symbolic constant if it has a text.
    Const,
    Str,
    Type(BaseType),
    Active,
    Assert,
    Atomic,
    Break,
    CCode,
    CDecl,
    CExpr,
    CState,
    CTrack,
    DProctype,
    DStep,
    Do,
    Else,
    Empty,
    Enabled,
    Eval,
    Fi,
    For,
    Full,
    GetPriority,
    Goto,
    Hidden,
    If,
    In,
    Init,
    Inline,
    Len,
    Local,
    Ltl,
    NEmpty,
    Never,
    NFull,
    NoTrace,
    Np,
    Od,
    Of,
    PcValue,
    Printf,
    Printm,
    Priority,
    Proctype,
    Provided,
    Return,
    Run,
    Select,
    SetPriority,
    Show,
    Timeout,
    Trace,
    Typedef,
    Unless,
    Xr,
    Xs,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semi,
    Arrow,
    /// `::`
    Option,
    Colon,
    Comma,
    Dot,
    DotDot,
    At,
    Assign,
    Incr,
    Decr,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Amp,
    Caret,
    Pipe,
    Tilde,
    Lt,
    Le,
    Gt,
    Ge,
    EqEq,
    Ne,
    AndAnd,
    OrOr,
    Shl,
    Shr,
    Bang,
    BangBang,
    Quest,
    QuestQuest,
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
    /// A character that Promela does not use.
    Unknown(char),
    Eof,
}

/// A built-in type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the types' names")]
pub enum BaseType {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Mtype,
    Chan,
}

impl BaseType {
    /// The type in the tree.
    pub fn type_name(self) -> TypeName {
        match self {
            Self::Bit => TypeName::Bit,
            Self::Bool => TypeName::Bool,
            Self::Byte => TypeName::Byte,
            Self::Pid => TypeName::Pid,
            Self::Short => TypeName::Short,
            Self::Int => TypeName::Int,
            Self::Unsigned => TypeName::Unsigned,
            Self::Mtype => TypeName::Mtype(None),
            Self::Chan => TypeName::Chan,
        }
    }
}

impl Token {
    /// The token as a message shows it.
    pub fn describe(&self) -> String {
        match self.kind {
            TokenKind::Name | TokenKind::TypeName | TokenKind::ProcName | TokenKind::InlineName => {
                format!("`{}`", self.text)
            }
            TokenKind::Const if !self.text.is_empty() => format!("`{}`", self.text),
            TokenKind::Const => format!("`{}`", self.value),
            TokenKind::Str => format!("\"{}\"", self.text),
            TokenKind::Eof => "the end of the model".into(),
            TokenKind::Unknown(c) => format!("`{c}`"),
            kind => format!("`{}`", spelling(kind)),
        }
    }
}

/// The text of a keyword or an operator; empty for kinds that have many spellings.
pub fn spelling(kind: TokenKind) -> &'static str {
    let known =
        |table: &[(&'static str, TokenKind)]| table.iter().find(|(_, k)| *k == kind).map(|(text, _)| *text);
    known(KEYWORDS).or_else(|| known(SYMBOLS)).or_else(|| known(LTL_WORDS)).unwrap_or("")
}

/// The keyword that a word is, if any. `in` is left to the lexer, which knows whether it is a keyword.
pub fn keyword(word: &str) -> Option<TokenKind> {
    KEYWORDS.iter().find(|(text, _)| *text == word).map(|(_, kind)| *kind)
}

/// The temporal operator that a word is inside a formula.
pub fn ltl_word(word: &str) -> Option<TokenKind> {
    LTL_WORDS.iter().find(|(text, _)| *text == word).map(|(_, kind)| *kind)
}

const KEYWORDS: &[(&str, TokenKind)] = &[
    ("active", TokenKind::Active),
    ("assert", TokenKind::Assert),
    ("atomic", TokenKind::Atomic),
    ("bit", TokenKind::Type(BaseType::Bit)),
    ("bool", TokenKind::Type(BaseType::Bool)),
    ("break", TokenKind::Break),
    ("byte", TokenKind::Type(BaseType::Byte)),
    ("c_code", TokenKind::CCode),
    ("c_decl", TokenKind::CDecl),
    ("c_expr", TokenKind::CExpr),
    ("c_state", TokenKind::CState),
    ("c_track", TokenKind::CTrack),
    ("D_proctype", TokenKind::DProctype),
    ("do", TokenKind::Do),
    ("chan", TokenKind::Type(BaseType::Chan)),
    ("else", TokenKind::Else),
    ("empty", TokenKind::Empty),
    ("enabled", TokenKind::Enabled),
    ("eval", TokenKind::Eval),
    ("fi", TokenKind::Fi),
    ("for", TokenKind::For),
    ("full", TokenKind::Full),
    ("get_priority", TokenKind::GetPriority),
    ("goto", TokenKind::Goto),
    ("hidden", TokenKind::Hidden),
    ("if", TokenKind::If),
    ("in", TokenKind::In),
    ("init", TokenKind::Init),
    ("inline", TokenKind::Inline),
    ("int", TokenKind::Type(BaseType::Int)),
    ("len", TokenKind::Len),
    ("local", TokenKind::Local),
    ("ltl", TokenKind::Ltl),
    ("mtype", TokenKind::Type(BaseType::Mtype)),
    ("nempty", TokenKind::NEmpty),
    ("never", TokenKind::Never),
    ("nfull", TokenKind::NFull),
    ("notrace", TokenKind::NoTrace),
    ("np_", TokenKind::Np),
    ("od", TokenKind::Od),
    ("of", TokenKind::Of),
    ("pc_value", TokenKind::PcValue),
    ("pid", TokenKind::Type(BaseType::Pid)),
    ("printf", TokenKind::Printf),
    ("printm", TokenKind::Printm),
    ("priority", TokenKind::Priority),
    ("proctype", TokenKind::Proctype),
    ("provided", TokenKind::Provided),
    ("return", TokenKind::Return),
    ("run", TokenKind::Run),
    ("d_step", TokenKind::DStep),
    ("select", TokenKind::Select),
    ("set_priority", TokenKind::SetPriority),
    ("short", TokenKind::Type(BaseType::Short)),
    ("timeout", TokenKind::Timeout),
    ("trace", TokenKind::Trace),
    ("show", TokenKind::Show),
    ("typedef", TokenKind::Typedef),
    ("unless", TokenKind::Unless),
    ("unsigned", TokenKind::Type(BaseType::Unsigned)),
    ("xr", TokenKind::Xr),
    ("xs", TokenKind::Xs),
];

const LTL_WORDS: &[(&str, TokenKind)] = &[
    ("always", TokenKind::Always),
    ("eventually", TokenKind::Eventually),
    ("until", TokenKind::Until),
    ("stronguntil", TokenKind::Until),
    ("weakuntil", TokenKind::WeakUntil),
    ("release", TokenKind::Release),
    ("next", TokenKind::Next),
    ("implies", TokenKind::Implies),
    ("equivalent", TokenKind::Equivalent),
    ("U", TokenKind::Until),
    ("V", TokenKind::Release),
    ("W", TokenKind::WeakUntil),
    ("X", TokenKind::Next),
];

const SYMBOLS: &[(&str, TokenKind)] = &[
    ("(", TokenKind::LParen),
    (")", TokenKind::RParen),
    ("[", TokenKind::LBracket),
    ("]", TokenKind::RBracket),
    ("{", TokenKind::LBrace),
    ("}", TokenKind::RBrace),
    (";", TokenKind::Semi),
    ("->", TokenKind::Arrow),
    ("::", TokenKind::Option),
    (":", TokenKind::Colon),
    (",", TokenKind::Comma),
    (".", TokenKind::Dot),
    ("..", TokenKind::DotDot),
    ("@", TokenKind::At),
    ("=", TokenKind::Assign),
    ("++", TokenKind::Incr),
    ("--", TokenKind::Decr),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("%", TokenKind::Percent),
    ("&", TokenKind::Amp),
    ("^", TokenKind::Caret),
    ("|", TokenKind::Pipe),
    ("~", TokenKind::Tilde),
    ("<", TokenKind::Lt),
    ("<=", TokenKind::Le),
    (">", TokenKind::Gt),
    (">=", TokenKind::Ge),
    ("==", TokenKind::EqEq),
    ("!=", TokenKind::Ne),
    ("&&", TokenKind::AndAnd),
    ("||", TokenKind::OrOr),
    ("<<", TokenKind::Shl),
    (">>", TokenKind::Shr),
    ("!", TokenKind::Bang),
    ("!!", TokenKind::BangBang),
    ("?", TokenKind::Quest),
    ("??", TokenKind::QuestQuest),
];
