//! Reads one token at a time from the innermost frame, before separators are inserted or dropped.

use std::sync::Arc;

use super::token::{keyword, ltl_word};
use super::{InputFrame, Lexer, MAX_TOKENS, Token, TokenKind};
use crate::syntax::source::Diagnostic;

impl Lexer<'_> {
    /// The next token of the innermost frame that has one.
    pub(super) fn next_raw(&mut self) -> Token {
        self.n_tokens += 1;
        if self.n_tokens > MAX_TOKENS {
            return self.give_up();
        }
        let token = self.scan();
        match token.kind {
            TokenKind::LParen => self.par_depth += 1,
            TokenKind::RParen => self.par_depth -= 1,
            _ => {}
        }
        self.last_raw = token.kind;
        if self.source.dynamic {
            self.type_of_new =
                self.new_word && matches!(token.kind, TokenKind::Type(_) | TokenKind::TypeName);
            self.new_word = token.kind == TokenKind::Name && &*token.text == "new";
        }
        token
    }

    fn give_up(&mut self) -> Token {
        let at = self.source.text.len();
        if self.n_tokens == MAX_TOKENS + 1 {
            let error =
                Diagnostic::error("the model is too large once its inlines are expanded", self.end_span());
            self.diagnostics.push(error);
        }
        self.frames.clear();
        self.deferred.clear();
        self.token(TokenKind::Eof, at, at)
    }

    fn end_span(&self) -> crate::syntax::ast::Span {
        self.source.span(self.source.text.len(), self.source.text.len())
    }

    fn scan(&mut self) -> Token {
        loop {
            let Some(frame) = self.frames.last_mut() else {
                let at = self.source.text.len();
                return self.token(TokenKind::Eof, at, at);
            };
            if let InputFrame::Tokens { tokens, pos, span } = frame {
                let Some(mut token) = tokens.get(*pos).cloned() else {
                    self.frames.pop();
                    continue;
                };
                *pos += 1;
                if let Some((span, at)) = *span {
                    (token.span, token.at) = (span, at);
                }
                return token;
            }
            let Some((pos, end)) = self.text_range() else { continue };
            if pos >= end {
                let was_main = matches!(self.frames.last(), Some(InputFrame::Main { .. }));
                if was_main && !self.next_deferred() {
                    return self.token(TokenKind::Eof, end, end);
                } else if !was_main {
                    self.frames.pop();
                }
                continue;
            }
            if let Some(token) = self.scan_text(pos, end) {
                return token;
            }
        }
    }

    /// Reads the text at `pos`; `None` if the characters there give no token.
    fn scan_text(&mut self, pos: usize, end: usize) -> Option<Token> {
        let text = &self.source.text.as_bytes()[..end];
        match text[pos] {
            b'\n' => {
                self.set_pos(pos + 1);
                self.line_end(pos)
            }
            b' ' | b'\t' | b'\r' | 0x0c => {
                self.set_pos(pos + 1);
                None
            }
            b'"' => Some(self.quoted(pos, end, b'"')),
            b'$' => Some(self.quoted(pos, end, b'$')),
            b'\'' => Some(self.character(pos, end)),
            b'0'..=b'9' => {
                let stop = span_while(text, pos, |b| b.is_ascii_digit());
                self.set_pos(stop);
                let value = read_number(&self.source.text[pos..stop]);
                Some(Token { value, ..self.token(TokenKind::Const, pos, stop) })
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                let stop = span_while(text, pos, |b| b.is_ascii_alphanumeric() || b == b'_');
                self.set_pos(stop);
                self.word(pos, stop)
            }
            // The end of a comment within a comment, which C ended at the first end: SPIN skips it.
            b'*' if text.get(pos + 1) == Some(&b'/') => {
                self.set_pos(pos + 2);
                None
            }
            _ => Some(self.symbol(pos, end)),
        }
    }

    /// Handles the end of a line, SPIN's implied separator. After `}`, it checks whether an `unless` may
    /// follow.
    fn line_end(&mut self, pos: usize) -> Option<Token> {
        use TokenKind as K;
        let ends_statement = matches!(
            self.last_raw,
            K::RBrace
                | K::RParen
                | K::RBracket
                | K::Od
                | K::Fi
                | K::Else
                | K::Break
                | K::CCode
                | K::CExpr
                | K::CDecl
                | K::Name
                | K::Const
                | K::Incr
                | K::Decr
        );
        // A result may be missing, and the type of a new object ends a statement.
        let ends_statement =
            ends_statement || self.source.dynamic && (self.last_raw == K::Return || self.type_of_new);
        if !self.in_body || self.par_depth != 0 || !ends_statement {
            return None;
        }
        if self.last_raw == K::RBrace {
            let (start, end) = self.text_range()?;
            let text = &self.source.text.as_bytes()[..end];
            let next = span_while(text, start, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c));
            self.set_pos(next);
            if text.get(next) == Some(&b'u') {
                return None;
            }
        }
        Some(self.token(K::Semi, pos, pos))
    }

    fn quoted(&mut self, pos: usize, end: usize, quote: u8) -> Token {
        let text = self.source.text.as_bytes();
        let mut stop = pos + 1;
        while stop < end && text[stop] != quote && text[stop] != b'\n' {
            stop += if text[stop] == b'\\' && stop + 1 < end { 2 } else { 1 };
        }
        let closed = stop < end && text[stop] == quote;
        let after = if closed { stop + 1 } else { stop.min(end) };
        self.set_pos(after);
        if !closed {
            let error = Diagnostic::error("the string does not end", self.source.span(pos, after));
            self.diagnostics.push(error.with_hint("a string must end on the line where it starts"));
        }
        let inner = self.source.text.get(pos + 1..stop.min(end)).unwrap_or("");
        let inner = self.intern(inner);
        Token { text: inner, ..self.token(TokenKind::Str, pos, after) }
    }

    /// `'c'` or `'\n'`; any other escaped character stands for itself.
    fn character(&mut self, pos: usize, end: usize) -> Token {
        let mut rest = self.source.text[pos + 1..end].chars();
        let mut length = 1;
        let mut next = || rest.next().inspect(|c| length += c.len_utf8());
        let mut value = next();
        if value == Some('\\') {
            value = match next() {
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                Some('f') => Some('\x0c'),
                other => other,
            };
        }
        let closed = next() == Some('\'');
        if !closed {
            // A few characters up to a quote are skipped as one mistake.
            let rest = &self.source.text.as_bytes()[pos + 1..end.min(pos + 12)];
            let line = rest.split(|b| *b == b'\n').next().unwrap_or(rest);
            length = line.iter().position(|b| *b == b'\'').map_or(1, |n| n + 2);
            let error = Diagnostic::error("a character constant needs one character and a closing quote", {
                self.source.span(pos, pos + length)
            });
            self.diagnostics.push(error);
        }
        self.set_pos(pos + length);
        let value = value.map_or(0, |c| (c as u32 & 0xff) as i32);
        Token { value, ..self.token(TokenKind::Const, pos, pos + length) }
    }

    /// A keyword, a constant, a parameter of the inline being expanded, or a name.
    fn word(&mut self, pos: usize, stop: usize) -> Option<Token> {
        let source = self.source;
        let word = &source.text[pos..stop];
        // After a dot or an at sign, a word is the name of a field or a label.
        if self.in_ltl
            && let Some(kind) = ltl_word(word)
            && !source.text[..pos].trim_end().ends_with(['.', '@'])
        {
            return Some(self.token(kind, pos, stop));
        }
        let constant = match word {
            "true" | "skip" => Some(1),
            "false" => Some(0),
            _ => None,
        };
        if let Some(value) = constant {
            return Some(Token { value, ..self.token(TokenKind::Const, pos, stop) });
        }
        match keyword(word) {
            Some(TokenKind::In) if !self.in_for => {}
            Some(kind) => return self.keyword(kind, pos, stop),
            None => {}
        }
        let name = self.intern(word);
        if let Some(value) = self.names.mtype(word) {
            return Some(Token { value, text: name, ..self.token(TokenKind::Const, pos, stop) });
        }
        if self.put_argument(&name, pos, stop) {
            return None;
        }
        let kind = if self.names.typedefs.contains(&name) {
            TokenKind::TypeName
        } else if self.names.proctypes.contains(&name) {
            TokenKind::ProcName
        } else if self.names.inlines.contains_key(&name) {
            TokenKind::InlineName
        } else {
            TokenKind::Name
        };
        Some(Token { text: name, ..self.token(kind, pos, stop) })
    }

    /// Outside inlines SPIN rewrites `timeout` to `(timeout)` and `select` over constants to `if` or `do`.
    fn keyword(&mut self, kind: TokenKind, pos: usize, stop: usize) -> Option<Token> {
        let token = self.token(kind, pos, stop);
        match kind {
            TokenKind::Timeout if self.inline_call().is_none() && self.last_raw != TokenKind::LParen => {
                let close = Token { kind: TokenKind::RParen, ..token.clone() };
                let open = Token { kind: TokenKind::LParen, ..token.clone() };
                self.push_tokens(vec![token, close]);
                Some(open)
            }
            TokenKind::Select if self.inline_call().is_none() => {
                let Some(tokens) = self.expand_select(stop, &token) else { return Some(token) };
                self.push_tokens(tokens);
                None
            }
            TokenKind::Ltl if !self.in_deferred => {
                if self.defer_formula(pos) {
                    return None;
                }
                Some(token)
            }
            _ => Some(token),
        }
    }

    fn push_tokens(&mut self, tokens: Vec<Token>) {
        self.frames.push(InputFrame::Tokens { tokens: tokens.into(), pos: 0, span: None });
    }

    /// `select (x : 1 .. 3)` with a plain name and plain numbers, which SPIN's lexer recognises by
    /// characters: up to 33 values become an `if` with an assignment for each, more become a counting `do`.
    /// Any other `select` is left to the grammar.
    fn expand_select(&mut self, after: usize, token: &Token) -> Option<Vec<Token>> {
        let (_, end) = self.text_range()?;
        let source = self.source;
        let text = &source.text.as_bytes()[..end];
        let (_, open) = scan_to(text, after, b'(', u8::is_ascii_whitespace)?;
        let (name, colon) = scan_to(text, open + 1, b':', u8::is_ascii_alphanumeric)?;
        let (from, dot) = scan_to(text, colon + 1, b'.', u8::is_ascii_digit)?;
        let (_, second) = scan_to(text, dot + 1, b'.', u8::is_ascii_whitespace)?;
        let (to, close) = scan_to(text, second + 1, b')', u8::is_ascii_digit)?;
        let part = |(a, b): (usize, usize)| source.text[a..b].trim().to_string();
        let (from, to) = (read_number(&part(from)), read_number(&part(to)));
        let (name, name_at) = (part(name), open + 1);
        let mut chars = name.bytes();
        if !chars.next().is_some_and(|b| b.is_ascii_alphabetic()) || chars.any(|b| !b.is_ascii_alphanumeric())
        {
            return None;
        }
        if from > to {
            let error =
                Diagnostic::error("the range of `select` is empty", self.source.span(after - 6, close + 1));
            self.diagnostics.push(error.with_hint("write the smaller bound first"));
            self.set_pos(close + 1);
            return Some(vec![Token { kind: TokenKind::Const, value: 1, ..token.clone() }]);
        }
        let name_token = self.plain_name(&name, name_at);
        self.set_pos(close + 1);
        Some(select_tokens(token, &name_token, from, to))
    }

    fn plain_name(&mut self, name: &str, at: usize) -> Token {
        let text = self.intern(name);
        let start = at + (self.source.text[at..].len() - self.source.text[at..].trim_start().len());
        let value = self.names.mtype(name);
        let kind = if value.is_some() { TokenKind::Const } else { TokenKind::Name };
        Token { text, value: value.unwrap_or(0), ..self.token(kind, start, start + name.len()) }
    }

    /// If `name` is a parameter of the inline being read, continues with the call's argument for it.
    fn put_argument(&mut self, name: &Arc<str>, pos: usize, stop: usize) -> bool {
        let Some(InputFrame::Inline { call, .. }) = self.frames.last() else { return false };
        let Some(n) = call.def.params.iter().position(|p| p == name) else { return false };
        let Some(tokens) = call.args.get(n).cloned() else { return false };
        // An argument that is the parameter's own name stands for itself.
        if tokens.len() == 1 && tokens[0].kind == TokenKind::Name && tokens[0].text == *name {
            return false;
        }
        let span = Some((self.source.span(pos, stop), pos as u32));
        self.frames.push(InputFrame::Tokens { tokens, pos: 0, span });
        true
    }

    /// An operator. Longer operators are tried in SPIN's order, odd cases included (`-->` is `->`).
    fn symbol(&mut self, pos: usize, end: usize) -> Token {
        use TokenKind as K;
        let text = &self.source.text.as_bytes()[..end];
        let at = |i: usize| text.get(pos + i).copied().unwrap_or(0);
        let two = |byte: u8, yes: K, no: K| if at(1) == byte { (yes, 2) } else { (no, 1) };
        // `first` is tried before `second`, and `second` after it even if `first` matched.
        let three = |first: u8, kind: K, second: u8, other: K, none: K| {
            let (kind, length) = if at(1) == first { (kind, 2) } else { (none, 1) };
            if at(length) == second { (other, length + 1) } else { (kind, length) }
        };
        let (kind, length) = match at(0) {
            b'-' if self.in_ltl && at(1) == b'>' => (K::Implies, 2),
            b'[' if self.in_ltl && at(1) == b']' => (K::Always, 2),
            b'<' if self.in_ltl && at(1) == b'>' => (K::Eventually, 2),
            b'<' if self.in_ltl && at(1) == b'-' && at(2) == b'>' => (K::Equivalent, 3),
            b':' => two(b':', K::Option, K::Colon),
            b'-' => three(b'-', K::Decr, b'>', K::Arrow, K::Minus),
            b'+' => two(b'+', K::Incr, K::Plus),
            b'<' => three(b'=', K::Le, b'<', K::Shl, K::Lt),
            b'>' => three(b'=', K::Ge, b'>', K::Shr, K::Gt),
            b'=' => two(b'=', K::EqEq, K::Assign),
            b'!' => three(b'!', K::BangBang, b'=', K::Ne, K::Bang),
            b'?' => two(b'?', K::QuestQuest, K::Quest),
            b'&' => two(b'&', K::AndAnd, K::Amp),
            b'|' => two(b'|', K::OrOr, K::Pipe),
            b'.' => two(b'.', K::DotDot, K::Dot),
            b';' => (K::Semi, 1),
            b',' => (K::Comma, 1),
            b'(' => (K::LParen, 1),
            b')' => (K::RParen, 1),
            b'[' => (K::LBracket, 1),
            b']' => (K::RBracket, 1),
            b'{' => (K::LBrace, 1),
            b'}' => (K::RBrace, 1),
            b'@' => (K::At, 1),
            b'*' => (K::Star, 1),
            b'/' => (K::Slash, 1),
            b'%' => (K::Percent, 1),
            b'^' => (K::Caret, 1),
            b'~' => (K::Tilde, 1),
            _ => {
                let other = self.source.text[pos..].chars().next().unwrap_or('\0');
                (K::Unknown(other), other.len_utf8())
            }
        };
        self.set_pos(pos + length);
        self.token(kind, pos, pos + length)
    }

    fn token(&mut self, kind: TokenKind, start: usize, stop: usize) -> Token {
        Token {
            kind,
            text: self.no_text.clone(),
            value: 0,
            span: self.source.span(start, stop),
            at: start as u32,
        }
    }
}

/// The tokens that replace a `select` over constants.
fn select_tokens(like: &Token, name: &Token, from: i32, to: i32) -> Vec<Token> {
    use TokenKind as K;
    let plain = |kind| Token { kind, ..like.clone() };
    let number = |value| Token { kind: K::Const, value, ..like.clone() };
    let mut out = Vec::new();
    if i64::from(to) - i64::from(from) <= 32 {
        out.push(plain(K::If));
        for value in from..=to {
            out.extend([plain(K::Option), name.clone(), plain(K::Assign), number(value)]);
        }
        out.push(plain(K::Fi));
    } else {
        out.extend([
            name.clone(),
            plain(K::Assign),
            number(from),
            plain(K::Semi),
            plain(K::Do),
            plain(K::Option),
        ]);
        out.extend([
            plain(K::LParen),
            name.clone(),
            plain(K::Lt),
            number(to),
            plain(K::RParen),
            plain(K::Arrow),
        ]);
        out.extend([
            name.clone(),
            plain(K::Incr),
            plain(K::Option),
            plain(K::Break),
            plain(K::Od),
            plain(K::Semi),
        ]);
    }
    out
}

/// The range up to `stop`, if only bytes that pass `test`, and blanks, precede it; and the position of
/// `stop`.
fn scan_to(
    text: &[u8],
    start: usize,
    stop: u8,
    test: impl Fn(&u8) -> bool,
) -> Option<((usize, usize), usize)> {
    let end = (start..text.len()).find(|i| !(test(&text[*i]) || matches!(text[*i], b' ' | b'\t')))?;
    (text[end] == stop).then_some(((start, end), end))
}

fn span_while(text: &[u8], start: usize, test: impl Fn(u8) -> bool) -> usize {
    (start..text.len()).find(|i| !test(text[*i])).unwrap_or(text.len())
}

/// A number as SPIN reads it: decimal, truncated to its low 32 bits.
fn read_number(digits: &str) -> i32 {
    let mut digits = digits.bytes().take_while(u8::is_ascii_digit);
    let value = digits.try_fold(0i64, |n, b| n.checked_mul(10)?.checked_add(i64::from(b - b'0')));
    value.unwrap_or(i64::MAX) as i32
}
