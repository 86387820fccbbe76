//! The width of prose: comments of Rust code and the text of Markdown pages wrap at 110 columns, as the code
//! does. Tables, links, headings and blocks of code or output may be wider, and so may code whose strings
//! rustfmt cannot break.

/// The last column of a line of prose.
const MAX_COLUMNS: usize = 110;

/// The numbers of the lines of Rust code that hold only a comment and are too wide.
pub(crate) fn wide_comments(text: &str) -> impl Iterator<Item = usize> {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    wide_prose(text, is_comment, |line| line.trim_start().trim_start_matches(['/', '!']))
}

/// The numbers of the lines of a Markdown page that are too wide.
pub(crate) fn wide_markdown(text: &str) -> impl Iterator<Item = usize> {
    wide_prose(text, |_| true, |line| line)
}

/// The numbers, from 1, of the lines that `is_prose` chooses, that are too wide, and that could be broken.
/// `words` is a line without what marks it as a comment.
fn wide_prose<'t>(
    text: &'t str,
    is_prose: impl Fn(&str) -> bool,
    words: impl Fn(&'t str) -> &'t str,
) -> impl Iterator<Item = usize> {
    let mut in_block = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let prose = words(line).trim_start();
        if !is_prose(line) {
            in_block = false;
            return None;
        }
        if prose.starts_with("```") {
            in_block = !in_block;
        }
        let is_link = prose.starts_with('[') && prose.contains("]: ");
        let may_be_wide = in_block || is_link || prose.starts_with(['|', '#', '<']) || !prose.contains(' ');
        (!may_be_wide && line.chars().count() > MAX_COLUMNS).then_some(index + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prose_is_measured() {
        let wide = "word ".repeat(30);
        let code =
            format!("let text = \"{wide}\";\n    // {wide}\n//! short\n/// {wide}\n// {}\n", "x".repeat(150));
        assert_eq!(wide_comments(&code).collect::<Vec<_>>(), [2, 4]);
        let page = format!(
            "{wide}\n| {wide} |\n```console\n{wide}\n```\n{wide}\n## {wide}\n[1]: {wide}\n- {wide}\n"
        );
        assert_eq!(wide_markdown(&page).collect::<Vec<_>>(), [1, 6, 9]);
    }
}
