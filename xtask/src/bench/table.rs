//! Text tables: columns as wide as their widest cell, the first to the left, numbers to the right.

use std::fmt::Write;

/// A table that is printed row by row while it is measured, and kept for a report.
#[derive(Default)]
pub(crate) struct Table {
    widths: Vec<usize>,
    text: String,
}

impl Table {
    /// A table with these columns; the first is `first` wide, the others as their names or more.
    pub(crate) fn new(first: usize, columns: &[&str]) -> Self {
        let widths = columns.iter().enumerate();
        let widths = widths.map(|(idx, name)| if idx == 0 { first } else { name.len().max(9) }).collect();
        let mut table = Self { widths, text: String::new() };
        table.row(&columns.iter().map(ToString::to_string).collect::<Vec<_>>());
        table
    }

    /// Prints and keeps a row.
    pub(crate) fn row(&mut self, cells: &[String]) {
        let mut line = String::new();
        for (idx, (cell, width)) in cells.iter().zip(&self.widths).enumerate() {
            // Writing to a string does not fail.
            let _ = if idx == 0 { write!(line, "{cell:width$}") } else { write!(line, " {cell:>width$}") };
        }
        self.line(line.trim_end());
    }

    /// Prints and keeps a line that has no columns.
    pub(crate) fn line(&mut self, line: &str) {
        println!("{line}");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// All that was printed.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// The width of the longest of these names.
pub(crate) fn widest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(str::len).max().unwrap_or(0).max("model".len())
}

/// The geometric mean.
pub(crate) fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
}

/// The least value.
pub(crate) fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// `reached` or `missed`, for a line that holds a figure against its target.
pub(crate) fn held(met: bool) -> &'static str {
    if met { "reached" } else { "missed" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(6, &["model", "states"]);
        table.row(&["a".into(), "12".into()]);
        assert_eq!(table.into_text(), "model     states\na             12\n");
    }

    #[test]
    fn means_are_of_ratios() {
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-9);
        assert!((least(&[2.0, 0.5]) - 0.5).abs() < 1e-9);
    }
}
