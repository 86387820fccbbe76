//! What else a search saw, listed after the verdict.

use std::io::{self, Write};

/// Of each kind no more remarks than this are shown.
const MOST: usize = 5;

/// Remarks of one kind on what was searched, and what they mean.
#[derive(Clone, Debug)]
pub struct Remarks {
    /// One line each, with more lines that belong to it.
    pub lines: Vec<(String, String)>,
    /// Whether the further lines are to be shown.
    pub in_full: bool,
    /// What it means; empty if the lines say it all.
    pub meaning: &'static str,
}

impl Remarks {
    /// Writes them after an empty line.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        for (line, details) in self.lines.iter().take(MOST) {
            writeln!(out, "{line}")?;
            if self.in_full {
                out.write_all(details.as_bytes())?;
            }
        }
        if self.lines.len() > MOST {
            writeln!(out, "and {} more", self.lines.len() - MOST)?;
        }
        if !self.meaning.is_empty() {
            writeln!(out, "{}", self.meaning)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_details_are_shown_on_request() {
        let lines = (0..7).map(|k| (format!("race {k}"), format!("  details {k}\n"))).collect();
        let mut remarks = Remarks { lines, in_full: false, meaning: "so it is" };
        let text = |remarks: &Remarks| {
            let mut out = Vec::new();
            remarks.write(&mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(&remarks), "\nrace 0\nrace 1\nrace 2\nrace 3\nrace 4\nand 2 more\nso it is\n");
        remarks.lines.truncate(1);
        (remarks.in_full, remarks.meaning) = (true, "");
        assert_eq!(text(&remarks), "\nrace 0\n  details 0\n");
    }
}
