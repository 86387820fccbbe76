//! Text within XML: what the language gives a meaning is escaped, and what it forbids is replaced, so that a
//! file is well-formed whatever a model is called or prints.

/// `text` on one line, for an attribute or an element.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// `text` within an element, with its lines.
pub(crate) fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_is_replaced() {
        assert_eq!(escaped("a\u{0}<b>&\"\u{ffff}"), "a\u{fffd}&lt;b&gt;&amp;&quot;\u{fffd}");
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(escaped_lines("a < b\n\u{1b}[1m]]>\n"), "a &lt; b\n\u{fffd}[1m]]&gt;\n");
    }
}
