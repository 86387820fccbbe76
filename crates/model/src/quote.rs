//! Text between quotation marks, for people, in the notation that Java, C and JSON share.
//!
//! Letters of all scripts are written unchanged. Characters that are invisible or affect how the rest of the
//! line is displayed (control characters, marks of direction) are written as `\u` and the number of a UTF-16
//! unit.

/// Text as a literal: `"say \"yes\"\n"`.
///
/// ```
/// assert_eq!(allways_model::quoted("a\tb \"c\""), r#""a\tb \"c\"""#);
/// assert_eq!(allways_model::quoted("é\u{7}\u{202e}"), r#""é\u0007\u202e""#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    text.chars().for_each(|c| escape(&mut out, c, '"'));
    out.push('"');
    out
}

/// A character as a literal: `'x'`, `'\''`.
#[must_use]
pub fn quoted_char(c: char) -> String {
    let mut out = String::from("'");
    escape(&mut out, c, '\'');
    out.push('\'');
    out
}

/// Writes one character of a literal that is enclosed in `quote`.
pub fn escape(out: &mut String, c: char, quote: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if c == quote || c == '\\' => out.extend(['\\', c]),
        '"' | '\'' => out.push(c),
        // A combining mark is visible together with the letter before it.
        c if format!("a{c}").escape_debug().nth(1) == Some('\\') => {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|&unit| escape_unit(out, unit));
        }
        c => out.push(c),
    }
}

/// Writes a UTF-16 unit as its number.
pub fn escape_unit(out: &mut String, unit: u16) {
    out.push_str(&format!("\\u{unit:04x}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_a_number() {
        for (text, expected) in [
            ("", r#""""#),
            ("plain 'text'", r#""plain 'text'""#),
            ("\"\\\n\r\t", r#""\"\\\n\r\t""#),
            ("\0\u{7f}", r#""\u0000\u007f""#),
            ("größer 日本 e\u{301} 😀", "\"größer 日本 e\u{301} 😀\""),
            ("\u{202e}\u{200b}\u{e0001}", r#""\u202e\u200b\udb40\udc01""#),
        ] {
            assert_eq!(quoted(text), expected);
        }
        for (c, expected) in [('x', "'x'"), ('\'', r"'\''"), ('"', "'\"'"), ('\0', r"'\u0000'")] {
            assert_eq!(quoted_char(c), expected);
        }
    }
}
