//! Makes a model smaller while something stays true of it: delta debugging (Zeller, Hildebrandt, TSE 2002).
//!
//! It knows no grammar beyond brackets: it drops runs of lines, bracketed regions, the brackets around a
//! region, options of a choice, and runs of tokens, and asks each time. The result is always a text for which
//! the question was answered with yes, or the text given.

use std::collections::HashSet;

/// A smaller text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The text.
    pub source: String,
    /// How often the question was asked.
    pub n_asked: usize,
}

/// Shrinks `source` while `holds` says yes, asking at most `limit` times.
pub fn shrink(source: &str, limit: usize, holds: impl FnMut(&str) -> bool) -> Shrunk {
    let lines = source.lines().map(str::trim_end).filter(|l| !l.is_empty()).map(String::from).collect();
    let mut work = Shrinking { lines, n_asked: 0, limit, refused: HashSet::new(), holds };
    loop {
        let before = work.text();
        work.drop_regions();
        work.drop_runs();
        work.unwrap_regions();
        work.drop_tokens();
        if work.text() == before || work.n_asked >= limit {
            break;
        }
    }
    Shrunk { source: work.text(), n_asked: work.n_asked }
}

struct Shrinking<F> {
    lines: Vec<String>,
    n_asked: usize,
    limit: usize,
    /// Texts for which the answer was no: asking often takes a compiler run.
    refused: HashSet<String>,
    holds: F,
}

impl<F: FnMut(&str) -> bool> Shrinking<F> {
    fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    /// Takes `lines` over if the question still holds for them.
    fn attempt(&mut self, lines: Vec<String>) -> bool {
        if self.n_asked >= self.limit || lines == self.lines {
            return false;
        }
        let mut text = lines.join("\n");
        text.push('\n');
        if self.refused.contains(&text) {
            return false;
        }
        self.n_asked += 1;
        let good = (self.holds)(&text);
        if good {
            self.lines = lines;
        } else {
            self.refused.insert(text);
        }
        good
    }

    fn attempt_without(&mut self, from: usize, to: usize) -> bool {
        let mut lines = self.lines.clone();
        lines.drain(from..to);
        self.attempt(lines)
    }

    /// Runs of lines, long ones first.
    fn drop_runs(&mut self) {
        let mut size = self.lines.len() / 2;
        while size > 0 {
            let mut from = 0;
            while from < self.lines.len() {
                let to = (from + size).min(self.lines.len());
                if !self.attempt_without(from, to) {
                    from += size;
                }
            }
            size /= 2;
        }
    }

    /// Whole bracketed regions and whole options.
    fn drop_regions(&mut self) {
        let mut from = 0;
        while from < self.lines.len() {
            let ends = [region_end(&self.lines, from), option_end(&self.lines, from)];
            if !ends.into_iter().flatten().any(|to| self.attempt_without(from, to)) {
                from += 1;
            }
        }
    }

    /// Keeps the inside of a region and drops its first and last line.
    fn unwrap_regions(&mut self) {
        let mut from = 0;
        while from < self.lines.len() {
            let inside = region_end(&self.lines, from).is_some_and(|to| {
                let mut lines = self.lines.clone();
                lines.remove(to - 1);
                lines.remove(from);
                self.attempt(lines)
            });
            if !inside {
                from += 1;
            }
        }
    }

    /// Runs of tokens within each line, and each token replaced by 0 or 1.
    fn drop_tokens(&mut self) {
        let mut idx = 0;
        while idx < self.lines.len() {
            let mut size = tokens(&self.lines[idx]).len();
            while size > 0 {
                let mut from = 0;
                loop {
                    // An attempt may have dropped lines.
                    let Some(line) = self.lines.get(idx) else { return };
                    let words = tokens(line);
                    if from >= words.len() {
                        break;
                    }
                    let to = (from + size).min(words.len());
                    let changed = self.attempt_tokens(idx, &words, from, to, None)
                        || (size > 1 && self.attempt_tokens(idx, &words, from, to, Some("0")))
                        || (size > 1 && self.attempt_tokens(idx, &words, from, to, Some("1")));
                    if !changed {
                        from += (size / 2).max(1);
                    }
                    if self.n_asked >= self.limit {
                        return;
                    }
                }
                size /= 2;
            }
            self.unwrap_tokens(idx);
            idx += 1;
        }
    }

    /// Drops pairs of parentheses, brackets and braces but keeps what they hold.
    fn unwrap_tokens(&mut self, idx: usize) {
        let mut from = 0;
        while idx < self.lines.len() {
            let words = tokens(&self.lines[idx]);
            if from >= words.len() {
                break;
            }
            let pair = (from + 2..=words.len())
                .find(|&to| balanced(&words[from..to]) && !balanced(&words[from..to - 1]));
            let opens = matches!(words[from].as_str(), "(" | "[" | "{");
            let changed = pair.filter(|_| opens).is_some_and(|to| {
                let mut kept = words.clone();
                kept.remove(to - 1);
                kept.remove(from);
                let mut lines = self.lines.clone();
                lines[idx] = kept.join(" ");
                self.attempt(lines)
            });
            if !changed {
                from += 1;
            }
        }
    }

    fn attempt_tokens(
        &mut self,
        idx: usize,
        words: &[String],
        from: usize,
        to: usize,
        with: Option<&str>,
    ) -> bool {
        if !balanced(&words[from..to]) || with.is_some_and(|w| to - from == 1 && words[from] == w) {
            return false;
        }
        let mut kept: Vec<&str> = words[..from].iter().map(String::as_str).collect();
        kept.extend(with);
        kept.extend(words[to..].iter().map(String::as_str));
        let mut lines = self.lines.clone();
        lines[idx] = kept.join(" ");
        if lines[idx].trim().is_empty() {
            lines.remove(idx);
        }
        self.attempt(lines)
    }
}

/// The brackets of a line: how far it opens (positive) or closes.
fn opening(line: &str) -> i32 {
    tokens(line).iter().map(|token| bracket(token)).sum()
}

fn bracket(token: &str) -> i32 {
    match token {
        "{" | "if" | "do" => 1,
        "}" | "fi" | "od" => -1,
        _ => 0,
    }
}

fn balanced(words: &[String]) -> bool {
    let mut depth = [0; 3];
    for word in words {
        let (kind, step) = match word.as_str() {
            "(" => (0, 1),
            ")" => (0, -1),
            "[" => (1, 1),
            "]" => (1, -1),
            other => (2, bracket(other)),
        };
        depth[kind] += step;
        if depth[kind] < 0 {
            return false;
        }
    }
    depth == [0; 3]
}

/// One past the line that closes what `from` opens.
fn region_end(lines: &[String], from: usize) -> Option<usize> {
    let mut depth = opening(&lines[from]);
    if depth <= 0 {
        return None;
    }
    for (idx, line) in lines.iter().enumerate().skip(from + 1) {
        depth += opening(line);
        if depth <= 0 {
            return Some(idx + 1);
        }
    }
    None
}

/// One past the last line of the option that starts at `from`.
fn option_end(lines: &[String], from: usize) -> Option<usize> {
    if !lines[from].trim_start().starts_with("::") {
        return None;
    }
    let mut depth = 0;
    for (idx, line) in lines.iter().enumerate().skip(from) {
        let closes = depth + opening(line) < 0;
        if closes || (idx > from && depth == 0 && line.trim_start().starts_with("::")) {
            return Some(idx);
        }
        depth += opening(line);
    }
    None
}

/// Words, numbers and operators of a line.
fn tokens(line: &str) -> Vec<String> {
    const LONG: [&str; 17] = [
        "??", "!!", "::", "->", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "..", "<>", "[]",
    ];
    let chars: Vec<char> = line.chars().collect();
    if chars.first() == Some(&'#') {
        return vec![line.to_string()];
    }
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        } else if chars[at] == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += 1;
            }
            at = (at + 1).min(chars.len());
        } else if word(chars[at]) {
            while at < chars.len() && word(chars[at]) {
                at += 1;
            }
        } else {
            let two: String = chars[at..].iter().take(2).collect();
            at += if LONG.contains(&two.as_str()) { 2 } else { 1 };
        }
        out.push(chars[start..at].iter().collect());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "byte x;\nactive proctype P() {\n  if\n  :: x == 0 ->\n     atomic {\n       x = 1;\n       \
                         x = (x + 7) * 3\n     }\n  :: else -> skip\n  fi;\n  x = 9\n}\n";

    #[test]
    fn keeps_what_is_asked_for_and_little_more() {
        let shrunk = shrink(MODEL, 10_000, |text| {
            text.contains('7') && text.matches('{').count() == text.matches('}').count()
        });
        assert!(shrunk.source.contains('7'));
        assert!(shrunk.source.len() < 5, "{}", shrunk.source);
    }

    #[test]
    fn gives_the_text_back_if_nothing_smaller_holds() {
        let shrunk = shrink(MODEL, 10_000, |_| false);
        assert_eq!(shrunk.source, MODEL);
    }

    #[test]
    fn finds_regions_and_options() {
        let lines: Vec<String> = MODEL.lines().map(String::from).collect();
        assert_eq!(region_end(&lines, 2), Some(10));
        assert_eq!(region_end(&lines, 4), Some(8));
        assert_eq!(option_end(&lines, 3), Some(8));
        assert_eq!(option_end(&lines, 8), Some(9));
    }
}
