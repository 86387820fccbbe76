//! Recognises Promela by what a file holds, for files whose names do not tell: SPIN takes any name.
//!
//! A model has processes or claims, so its text has one of a few words outside comments and strings. Few of
//! them are words of other languages, and those count only before a brace.

/// Words that only Promela has.
const WORDS: [&str; 2] = ["proctype", "D_proctype"];
/// Words that begin a unit of a model if a brace follows, perhaps after a name.
const BEFORE_BRACE: [&str; 5] = ["init", "never", "ltl", "trace", "notrace"];

/// The word by which a text is a Promela model, with its line; `None` if it does not look like one.
pub(crate) fn promela_word(text: &[u8]) -> Option<(&'static str, usize)> {
    if text.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(text);
    let mut words = Words { rest: &text, line: 1 };
    let mut begun: Option<(&'static str, usize, usize)> = None;
    while let Some((word, line)) = words.next() {
        if let Some(found) = WORDS.into_iter().find(|one| *one == word) {
            return Some((found, line));
        }
        begun = match begun {
            Some((found, at, _)) if word == "{" => return Some((found, at)),
            // The name of a claim, or a priority.
            Some((found, at, n)) if n < 2 => Some((found, at, n + 1)),
            _ => None,
        };
        if let Some(found) = BEFORE_BRACE.into_iter().find(|one| *one == word) {
            begun = Some((found, line, 0));
        }
    }
    None
}

/// The words and single characters of a text, without comments, strings and spaces.
struct Words<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<(&'t str, usize)> {
        loop {
            let first = self.rest.chars().next()?;
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let len = match first {
                '/' if self.rest.starts_with("/*") => {
                    self.rest.find("*/").map_or(self.rest.len(), |at| at + 2)
                }
                '/' if self.rest.starts_with("//") => self.rest.find('\n').unwrap_or(self.rest.len()),
                '"' => self.rest[1..].find(['"', '\n']).map_or(self.rest.len(), |at| at + 2),
                c if is_word(c) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
                c => c.len_utf8(),
            };
            let (token, rest) = self.rest.split_at(len);
            let line = self.line;
            self.line += token.matches('\n').count();
            self.rest = rest;
            let is_skipped =
                first.is_whitespace() || first == '"' || token.starts_with("/*") || token.starts_with("//");
            if !is_skipped {
                return Some((token, line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_recognised_by_their_words() {
        let found = [
            ("/* a */\nactive proctype p() {}", ("proctype", 2)),
            ("byte x;\n\ninit { x = 1 }", ("init", 3)),
            ("ltl p1 { [] true }", ("ltl", 1)),
            ("init priority 3 {}", ("init", 1)),
            ("D_proctype q() {}", ("D_proctype", 1)),
        ];
        for (text, word) in found {
            assert_eq!(promela_word(text.as_bytes()), Some(word), "{text}");
        }
        let other = [
            "",
            "int main(void) { return 0; }",
            "// proctype p()",
            "char *s = \"proctype\";",
            "void init(int x) { }",
            "/* never { } */ class A { }",
            "proctype\0",
            "once upon a time, never again",
        ];
        for text in other {
            assert_eq!(promela_word(text.as_bytes()), None, "{text}");
        }
    }
}
