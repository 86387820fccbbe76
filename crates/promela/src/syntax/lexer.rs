//! SPIN's lexer: characters to tokens, with its implied semicolons.
//!
//! SPIN's grammar needs a separator between statements, but its lexer inserts most of them: at the end of a
//! line that could end a statement (inside a body and outside parentheses), after `else`, and after `}`. It
//! drops those before `}` or before another separator. The kind of a token may depend on what the parser has
//! read, so the parser asks for one token at a time and sets [`Lexer::in_body`] and the other modes *before*
//! it asks for the next.
//!
//! Input is a stack of frames. The preprocessed text is at the bottom. Above it are the bodies of inlines
//! being expanded (read again at each call, as SPIN does) and lists of tokens that stand for an inline's
//! parameter or that replace a `select` or `timeout`.

mod names;
mod raw;
mod scan;
pub mod token;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ast::{Ident, Span, VarRef};
use super::preprocess::Preprocessed;
use super::source::Diagnostic;
pub use names::Names;
pub use token::{BaseType, Token, TokenKind};

/// The most tokens of a model once its inlines are expanded.
const MAX_TOKENS: usize = 3_000_000;
/// The maximal depth of inline calls.
const MAX_INLINE_DEPTH: usize = 64;

/// An `inline` definition.
#[derive(Debug)]
pub struct InlineDef {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Arc<str>>,
    /// Its body in the preprocessed text, from brace to brace.
    pub body: (usize, usize),
}

/// A source of characters or tokens.
enum InputFrame {
    /// The model itself: the text from `pos` to `end`.
    Main { pos: usize, end: usize },
    /// The body of an inline.
    Inline { pos: usize, call: Rc<InlineCall> },
    /// Tokens; if `span` is given, they count as located there.
    Tokens { tokens: Rc<[Token]>, pos: usize, span: Option<(Span, u32)> },
}

/// A call of an inline.
pub struct InlineCall {
    def: Rc<InlineDef>,
    args: Vec<Rc<[Token]>>,
    /// The variable that `return` assigns to.
    pub result: Option<VarRef>,
    /// The location of the call.
    pub span: Span,
}

/// The lexer.
pub struct Lexer<'a> {
    source: &'a Preprocessed,
    frames: Vec<InputFrame>,
    /// Formulas that are deferred to the end of the model, as in SPIN, so that all names are known.
    deferred: std::collections::VecDeque<(usize, usize)>,
    in_deferred: bool,
    last_raw: TokenKind,
    last: TokenKind,
    hold: Option<Token>,
    par_depth: i32,
    /// Whether the last token is the word `new`, or the type after it.
    new_word: bool,
    type_of_new: bool,
    n_tokens: usize,
    interned: HashMap<Box<str>, Arc<str>>,
    /// The text of tokens without one.
    no_text: Arc<str>,
    /// Names whose meaning the grammar depends on.
    pub names: Names,
    /// In the body of a process, a claim or a typedef: line ends may separate statements.
    pub in_body: bool,
    /// In the head of a `for`: `in` is a keyword.
    pub in_for: bool,
    /// In a formula: temporal operators are known.
    pub in_ltl: bool,
    /// The diagnostics so far.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    /// A lexer for a preprocessed text.
    pub fn new(source: &'a Preprocessed) -> Self {
        Self {
            source,
            frames: vec![InputFrame::Main { pos: 0, end: source.text.len() }],
            deferred: std::collections::VecDeque::new(),
            in_deferred: false,
            last_raw: TokenKind::Semi,
            last: TokenKind::Semi,
            hold: None,
            par_depth: 0,
            new_word: false,
            type_of_new: false,
            n_tokens: 0,
            interned: HashMap::new(),
            no_text: "".into(),
            names: Names::default(),
            in_body: false,
            in_for: false,
            in_ltl: false,
            diagnostics: Vec::new(),
        }
    }

    /// The next token, with separators inserted and dropped as SPIN does.
    pub fn next_token(&mut self) -> Token {
        let token = match self.hold.take() {
            Some(token) => {
                self.last_raw = token.kind;
                token
            }
            None => self.next_separated(),
        };
        self.last = token.kind;
        token
    }

    fn next_separated(&mut self) -> Token {
        use TokenKind as K;
        let token = self.next_raw();
        let missing = match self.last {
            K::Else => !matches!(token.kind, K::Semi | K::Arrow | K::Fi),
            K::RBrace => !matches!(
                token.kind,
                K::Proctype
                    | K::Init
                    | K::Never
                    | K::Option
                    | K::Fi
                    | K::Od
                    | K::RBrace
                    | K::Unless
                    | K::Semi
                    | K::Arrow
                    | K::Eof
            ),
            _ => false,
        };
        if missing {
            let separator = Token { kind: K::Semi, text: self.no_text.clone(), value: 0, ..token };
            self.hold = Some(token);
            self.last_raw = K::Semi;
            return separator;
        }
        if matches!(token.kind, K::Semi | K::Arrow) {
            let after = self.next_raw();
            if matches!(after.kind, K::RBrace | K::Arrow | K::Semi) {
                return after;
            }
            self.hold = Some(after);
        }
        token
    }

    /// Whether the lexer inserted the token, which is not in the text.
    pub fn is_implied(&self, token: &Token) -> bool {
        token.kind == TokenKind::Semi && !self.source.text[token.at as usize..].starts_with(';')
    }

    /// Starts the expansion of an inline. The parser has taken the closing parenthesis but nothing after it.
    ///
    /// # Errors
    /// If the call is recursive or nested too deep.
    pub fn enter_inline(
        &mut self,
        def: Rc<InlineDef>,
        args: Vec<Rc<[Token]>>,
        result: Option<VarRef>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let mut depth = 0;
        for frame in &self.frames {
            if let InputFrame::Inline { call, .. } = frame {
                depth += 1;
                if call.def.name.name == def.name.name {
                    let message = format!("inline `{}` calls itself", def.name.name);
                    return Err(Diagnostic::error(message, span)
                        .with_hint("an inline is text put in place; use a proctype or a loop"));
                }
            }
        }
        if depth >= MAX_INLINE_DEPTH {
            return Err(Diagnostic::error("inline calls are nested too deep", span));
        }
        let pos = def.body.0;
        self.frames.push(InputFrame::Inline { pos, call: Rc::new(InlineCall { def, args, result, span }) });
        self.last_raw = TokenKind::Semi;
        Ok(())
    }

    /// The innermost inline call being expanded.
    pub fn inline_call(&self) -> Option<&Rc<InlineCall>> {
        self.frames.iter().rev().find_map(|frame| match frame {
            InputFrame::Inline { call, .. } => Some(call),
            _ => None,
        })
    }

    /// The locations of the inline calls being expanded, outermost first.
    pub fn call_spans(&self) -> Vec<(Arc<str>, Span)> {
        let calls = self.frames.iter().filter_map(|frame| match frame {
            InputFrame::Inline { call, .. } => Some((call.def.name.name.clone(), call.span)),
            _ => None,
        });
        calls.collect()
    }

    /// Drops the lookahead and all inline expansions, to continue at the next unit after an error.
    pub fn leave_inlines(&mut self) {
        self.frames.retain(|frame| matches!(frame, InputFrame::Main { .. }));
    }

    /// Whether the dynamic extension is enabled.
    pub fn is_dynamic(&self) -> bool {
        self.source.dynamic
    }

    /// Whether parentheses are open.
    pub fn in_parentheses(&self) -> bool {
        self.par_depth > 0
    }

    /// Forgets open parentheses, to continue after an error.
    pub fn forget_parentheses(&mut self) {
        self.par_depth = 0;
    }

    fn intern(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.interned.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.interned.insert(text.into(), new.clone());
        new
    }
}

#[cfg(test)]
mod tests;
