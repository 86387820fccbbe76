//! `printf`, as SPIN prints: `%d %u %x %o %c %e %%` and C's escapes; `%e` is the name of a symbolic constant.

/// The letters of the conversions that take a value.
pub(crate) fn conversions(format: &str) -> impl Iterator<Item = char> + '_ {
    let mut chars = format.chars();
    std::iter::from_fn(move || {
        loop {
            match chars.next()? {
                '\\' => {
                    chars.next();
                }
                '%' => {
                    let letter = chars.find(|c| !(c.is_ascii_digit() || matches!(c, '-' | '.' | 'l')))?;
                    if letter != '%' {
                        return Some(letter);
                    }
                }
                _ => {}
            }
        }
    })
}

/// Formats `values` by `format`, which is the text between the quotes as written.
pub(crate) fn format(
    format: &str,
    values: &[i32],
    name: impl Fn(i32) -> String,
    reference: impl Fn(i32) -> String,
) -> String {
    let mut out = String::new();
    let mut values = values.iter().copied();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some('a' | 'b' | 'f' | 'v' | '0') | None => {}
                Some(other) => out.push(other),
            },
            '%' => {
                let mut width = String::new();
                while let Some(digit) = chars.next_if(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | 'l'))
                {
                    width.push(digit);
                }
                let Some(conversion) = chars.next() else {
                    out.push('%');
                    break;
                };
                if conversion == '%' {
                    out.push('%');
                    continue;
                }
                let value = values.next().unwrap_or(0);
                let text = match conversion {
                    'u' => (value as u32).to_string(),
                    'x' => format!("{value:x}"),
                    'o' => format!("{value:o}"),
                    'c' => char::from(value as u8).to_string(),
                    'e' => name(value),
                    'p' => reference(value),
                    _ => value.to_string(),
                };
                pad(&mut out, &text, &width);
            }
            c => out.push(c),
        }
    }
    out
}

/// Appends `text`, padded as C's field width says.
fn pad(out: &mut String, text: &str, width: &str) {
    let digits: String = width.chars().filter(char::is_ascii_digit).collect();
    let n: usize = digits.parse().unwrap_or(0).min(256);
    let fill = if width.starts_with('0') { '0' } else { ' ' };
    let padding = std::iter::repeat_n(fill, n.saturating_sub(text.chars().count()));
    if width.starts_with('-') {
        out.push_str(text);
        out.extend(padding);
    } else {
        out.extend(padding);
        out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn conversions_and_escapes() {
        let name = |value: i32| format!("name{value}");
        let cases = [
            ("x=%d y=%d\\n", vec![1, -2], "x=1 y=-2\n"),
            ("%c%c", vec![72, 105], "Hi"),
            ("%e|%x|%o|%u", vec![3, 255, 8, -1], "name3|ff|10|4294967295"),
            ("100%% %4d|%-4d|%04d", vec![7, 7, 7], "100%    7|7   |0007"),
            ("%d %d", vec![1], "1 0"),
            ("tail %", vec![], "tail %"),
        ];
        for (text, values, expected) in cases {
            assert_eq!(format(text, &values, name, |value| value.to_string()), expected, "{text}");
        }
    }
}
