//! Text that SPIN reads as a whole: bodies of inlines, embedded C, and formulas deferred to the end.
//!
//! Braces are matched by characters. Strings and character constants are skipped, except in formulas.

use super::{InputFrame, Lexer, TokenKind};

impl Lexer<'_> {
    /// Skips white space, an optional `[precondition]` (embedded C only) and a block in braces at the current
    /// position. Returns the block's range, from brace to brace; `None` if there is no whole block here.
    pub fn take_block(&mut self, precondition: bool) -> Option<(usize, usize)> {
        let (start, end) = self.text_range()?;
        let text = self.source.text.as_bytes();
        let mut pos = start;
        loop {
            match text.get(pos).filter(|_| pos < end)? {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => pos += 1,
                b'[' if precondition => pos = matching(text, pos, end, b'[', b']')?,
                b'{' => break,
                _ => return None,
            }
        }
        let close = matching(text, pos, end, b'{', b'}')?;
        self.set_pos(close);
        Some((pos, close))
    }

    /// Defers a formula whose `ltl`, at `start`, was just read. Returns false if its braces do not match.
    pub(super) fn defer_formula(&mut self, start: usize) -> bool {
        let Some(InputFrame::Main { pos, end }) = self.frames.last_mut() else { return false };
        let text = self.source.text.as_bytes();
        let mut depth = 0;
        for (at, byte) in text.iter().enumerate().take(*end).skip(*pos) {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 1 => {
                    *pos = at + 1;
                    self.deferred.push_back((start, at + 1));
                    return true;
                }
                b'}' => return false,
                _ => {}
            }
        }
        // Not closed: SPIN takes the whole rest as the formula.
        if depth > 0 {
            self.deferred.push_back((start, *end));
            *pos = *end;
        }
        depth > 0
    }

    /// Continues with the next deferred formula; false if there is none.
    pub(super) fn next_deferred(&mut self) -> bool {
        let Some((pos, end)) = self.deferred.pop_front() else { return false };
        self.in_deferred = true;
        self.in_body = false;
        self.in_ltl = false;
        self.par_depth = 0;
        self.last_raw = TokenKind::Semi;
        self.frames.clear();
        self.frames.push(InputFrame::Main { pos, end });
        true
    }

    /// The unread text of the innermost frame that has any.
    pub(super) fn text_range(&self) -> Option<(usize, usize)> {
        match self.frames.last()? {
            InputFrame::Main { pos, end } => Some((*pos, *end)),
            InputFrame::Inline { pos, call } => Some((*pos, call.def.body.1)),
            InputFrame::Tokens { .. } => None,
        }
    }

    pub(super) fn set_pos(&mut self, new: usize) {
        if let Some(InputFrame::Main { pos, .. } | InputFrame::Inline { pos, .. }) = self.frames.last_mut() {
            *pos = new;
        }
    }
}

/// One past the bracket that closes the one at `pos`.
fn matching(text: &[u8], mut pos: usize, end: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    while pos < end {
        match text[pos] {
            b if b == open => depth += 1,
            b if b == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(pos + 1);
                }
            }
            b'"' => {
                pos += 1;
                while pos < end && text[pos] != b'"' {
                    pos += if text[pos] == b'\\' { 2 } else { 1 };
                }
            }
            b'\'' => pos = after_character(text, pos, end) - 1,
            _ => {}
        }
        pos += 1;
    }
    None
}

/// The position after a character constant, or after the quote if it does not begin one.
fn after_character(text: &[u8], pos: usize, end: usize) -> usize {
    let inner = if text.get(pos + 1) == Some(&b'\\') { pos + 3 } else { pos + 2 };
    let limit = end.min(inner + 8);
    (inner..limit).find(|i| text[*i] == b'\'').map_or(pos + 1, |i| i + 1)
}
