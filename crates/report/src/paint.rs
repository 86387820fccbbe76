//! Colour for a terminal, or nothing at all.
//!
//! Invariant: with [`Paint::plain`] not one escape byte is written, and text that comes from a model never
//! brings its own (see [`visible`]). Colour only repeats what the words say.

use std::borrow::Cow;

/// Wraps text in terminal colours, or leaves it alone.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    colour: bool,
}

impl Paint {
    /// No colour.
    #[must_use]
    pub fn plain() -> Self {
        Self { colour: false }
    }

    /// Colour if `colour` is set.
    #[must_use]
    pub fn new(colour: bool) -> Self {
        Self { colour }
    }

    fn wrap<'a>(self, code: &str, text: &'a str) -> Cow<'a, str> {
        if self.colour && !text.is_empty() {
            Cow::Owned(format!("\x1b[{code}m{text}\x1b[0m"))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// A heading.
    #[must_use]
    pub fn bold(self, text: &str) -> Cow<'_, str> {
        self.wrap("1", text)
    }

    /// Something of less importance.
    #[must_use]
    pub fn dim(self, text: &str) -> Cow<'_, str> {
        self.wrap("2", text)
    }

    /// Something good.
    #[must_use]
    pub fn good(self, text: &str) -> Cow<'_, str> {
        self.wrap("1;32", text)
    }

    /// Something wrong.
    #[must_use]
    pub fn bad(self, text: &str) -> Cow<'_, str> {
        self.wrap("1;31", text)
    }

    /// Something to be careful about.
    #[must_use]
    pub fn warn(self, text: &str) -> Cow<'_, str> {
        self.wrap("1;33", text)
    }

    /// A process.
    #[must_use]
    pub fn process(self, text: &str) -> Cow<'_, str> {
        self.wrap("36", text)
    }

    /// A changed value.
    #[must_use]
    pub fn change(self, text: &str) -> Cow<'_, str> {
        self.wrap("33", text)
    }

    /// What the program printed.
    #[must_use]
    pub fn output(self, text: &str) -> Cow<'_, str> {
        self.wrap("35", text)
    }
}

/// `text` with every control character made visible, so that a model cannot steer the terminal.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(Paint::plain().bad("x"), "x");
        assert_eq!(Paint::new(true).bad("x"), "\x1b[1;31mx\x1b[0m");
    }

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(visible("a\nb\x1b[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(visible("größe"), "größe");
    }
}
