//! `next(...)` in conditions: the value of an expression in the state after.
//!
//! `x == 5 -> next(x) == 8` is the formula `x == 5 -> X (x == 8)`. A comparison with `next` is moved under an
//! `X` as a whole, so the rest of it must have the same value in both states: numbers and names of constants.
//! The rest is given back with `0` for each `next`, so that the front end can say whether it reads anything.
//! A comparison of two states with each other (`next(x) == x + 1`) is refused by name.
//!
//! The text is cut at the operators of formulas and at parentheses around them. It is not parsed: what comes
//! out is read by the front end, whose errors are the user's.

/// A condition without `next`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rewritten {
    /// The formula.
    pub(crate) text: String,
    /// What must not depend on the state: the comparisons with `0` for each `next(...)`.
    pub(crate) rests: Vec<String>,
}

/// Where a `next` and its argument are: the word, and what is between its parentheses.
struct Call {
    start: usize,
    argument: (usize, usize),
}

impl Call {
    fn end(&self) -> usize {
        self.argument.1 + 1
    }
}

/// Replaces `next(...)` by `X`.
///
/// # Errors
/// If a parenthesis is missing, or a `next` is in the argument of another one.
pub(crate) fn rewrite(text: &str) -> Result<Rewritten, String> {
    let mut rewritten = Rewritten { text: String::new(), rests: Vec::new() };
    let mut done = 0;
    while let Some(call) = find(text, done)? {
        let (start, end) = atom(text, done, &call)?;
        let (mut inner, mut rest, mut at) = (String::new(), String::new(), start);
        while let Some(call) = find(text, at)?.filter(|call| call.start < end) {
            let before = &text[at..call.start];
            let argument = &text[call.argument.0..call.argument.1];
            if find(argument, 0)?.is_some() {
                return Err(format!("`{text}` speaks about more than a state and the one after it"));
            }
            inner.extend([before, "(", argument, ")"]);
            rest.extend([before, "0"]);
            at = call.end();
        }
        inner.push_str(&text[at..end]);
        rest.push_str(&text[at..end]);
        rewritten.text.extend([&text[done..start], "(X (", inner.trim(), "))"]);
        rewritten.rests.push(rest.trim().to_owned());
        done = end;
    }
    rewritten.text.push_str(&text[done..]);
    Ok(rewritten)
}

/// Whether some text has a name in it, other than those of constants of Java.
pub(crate) fn has_names(text: &str) -> bool {
    tokens(text).into_iter().map(|(from, to)| &text[from..to]).any(|token| {
        token.starts_with(|one: char| is_word(one) && !one.is_ascii_digit())
            && !["true", "false", "null"].contains(&token)
    })
}

/// Whether a character may be part of a name.
fn is_word(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '$' | '.')
}

/// The first `next(...)` from a position on.
fn find(text: &str, from: usize) -> Result<Option<Call>, String> {
    for (idx, word) in text[from..].match_indices("next").map(|(idx, word)| (from + idx, word)) {
        let after = idx + word.len();
        let open = after + (text[after..].len() - text[after..].trim_start().len());
        let is_alone = !text[..idx].chars().next_back().is_some_and(is_word);
        if !is_alone || !text[open..].starts_with('(') {
            continue;
        }
        let mut depth = 0;
        for (at, one) in text[open..].char_indices() {
            depth += i32::from(one == '(') - i32::from(one == ')');
            if depth == 0 {
                return Ok(Some(Call { start: idx, argument: (open + 1, open + at) }));
            }
        }
        return Err(format!("`{text}` lacks a parenthesis after `next`"));
    }
    Ok(None)
}

/// The operators between the parts of a formula; a comparison ends there.
const BETWEEN: [&str; 6] = ["&&", "||", "<->", "->", "[]", "<>"];
/// The same, as words.
const WORDS: [&str; 9] = ["X", "U", "W", "V", "R", "always", "eventually", "implies", "equivalent"];

/// The length of the operator of formulas that some text begins with.
fn operator(text: &str) -> Option<usize> {
    let is_not = text.starts_with('!') && !text.starts_with("!=");
    BETWEEN.iter().find(|one| text.starts_with(**one)).map(|one| one.len()).or(is_not.then_some(1))
}

/// The comparison around a call, from `least` on: up to the next operators of formulas on both sides. A
/// parenthesis around it belongs to it if a comparison goes on behind it.
fn atom(text: &str, least: usize, call: &Call) -> Result<(usize, usize), String> {
    let tokens = tokens(text);
    let is_open = |idx: usize| &text[tokens[idx].0..tokens[idx].1] == "(";
    let is_close = |idx: usize| &text[tokens[idx].0..tokens[idx].1] == ")";
    let is_operator = |idx: usize| {
        let token = &text[tokens[idx].0..tokens[idx].1];
        operator(token) == Some(token.len()) || WORDS.contains(&token)
    };
    let inside = |idx: &usize| tokens[*idx].0 >= call.start && tokens[*idx].1 <= call.end();
    let mut all = (0..tokens.len()).filter(inside);
    let unread = || format!("`{text}` cannot be read around `next`");
    let mut first = all.next().ok_or_else(unread)?;
    let mut last = all.next_back().unwrap_or(first);
    loop {
        let mut depth = 0;
        while first > 0 && tokens[first - 1].0 >= least {
            depth += i32::from(is_close(first - 1)) - i32::from(is_open(first - 1));
            if depth < 0 || depth == 0 && is_operator(first - 1) {
                break;
            }
            first -= 1;
        }
        let mut depth = 0;
        while last + 1 < tokens.len() {
            depth += i32::from(is_open(last + 1)) - i32::from(is_close(last + 1));
            if depth < 0 || depth == 0 && is_operator(last + 1) {
                break;
            }
            last += 1;
        }
        let is_around = first > 0 && is_open(first - 1) && last + 1 < tokens.len() && is_close(last + 1);
        let ends = |idx: Option<usize>, is_end: &dyn Fn(usize) -> bool| {
            idx.is_none_or(|idx| is_operator(idx) || is_end(idx))
        };
        let before = first.checked_sub(2).filter(|idx| tokens[*idx].0 >= least);
        let after = Some(last + 2).filter(|idx| *idx < tokens.len());
        if !is_around || ends(before, &is_open) && ends(after, &is_close) {
            return Ok((tokens[first].0, tokens[last].1));
        }
        (first, last) = (first - 1, last + 1);
    }
}

/// The places of names, numbers, operators of formulas, and other characters.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(one) = text[at..].chars().next() {
        let len = match one {
            _ if is_word(one) => text[at..].find(|one| !is_word(one)).unwrap_or(text.len() - at),
            _ if text[at..].starts_with("!=") => 2,
            _ => operator(&text[at..]).unwrap_or(one.len_utf8()),
        };
        if !one.is_whitespace() {
            tokens.push((at, at + len));
        }
        at += len;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_move_under_an_x_as_a_whole() {
        for (text, formula, rests) in [
            ("x == 5 -> next(x) == 8", "x == 5 -> (X ((x) == 8))", &["0 == 8"][..]),
            ("x == 5 -> next (x)+1 != N && y", "x == 5 -> (X ((x)+1 != N)) && y", &["0+1 != N"]),
            ("(a || 3 < next(x * (y - 1)))", "(a || (X (3 < (x * (y - 1)))))", &["3 < 0"]),
            ("(next(x) + 1) * 2 == next(y)", "(X (((x) + 1) * 2 == (y)))", &["(0 + 1) * 2 == 0"]),
            ("!next(p) || next(q)", "!(X ((p))) || (X ((q)))", &["0", "0"]),
            (
                "(x > 0 && next(x) == 1) -> next(y) == 2",
                "(x > 0 && (X ((x) == 1))) -> (X ((y) == 2))",
                &["0 == 1", "0 == 2"],
            ),
            ("next == 1 && my.next(x) > next_(2)", "next == 1 && my.next(x) > next_(2)", &[]),
            ("x == 1", "x == 1", &[]),
        ] {
            let rewritten = rewrite(text).unwrap();
            assert_eq!(rewritten.text, formula);
            assert_eq!(rewritten.rests, rests, "{text}");
        }
    }

    #[test]
    fn what_is_not_about_two_states_is_refused() {
        assert!(rewrite("next(next(x)) == 1").unwrap_err().contains("more than a state"));
        assert!(rewrite("next(x == 1").unwrap_err().contains("parenthesis"));
        // A comparison of two states is found by what the rest reads.
        assert_eq!(rewrite("next(x) == x + 1").unwrap().rests, ["0 == x + 1"]);
        assert!(has_names("0 == x + 1") && has_names("0 < A.b") && !has_names("0 == -1 || true"));
        assert_eq!(rewrite("len(next(q)) == x").unwrap().rests, ["len(0) == x"]);
    }
}
