//! The source text of a program, where it can be found: counterexamples show the lines that ran.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

type Lines = Option<Arc<[String]>>;

/// Where source files may be, and those that were read.
#[derive(Default)]
pub struct SourceText {
    roots: Vec<PathBuf>,
    files: Mutex<HashMap<String, Lines>>,
}

impl SourceText {
    /// Looks in these directories, in order.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots, files: Mutex::default() }
    }

    /// The line of a file, the file's package (with slashes) given; blanks at its ends cut off.
    ///
    /// # Panics
    /// If another thread panicked while it read a file.
    #[must_use]
    pub fn line(&self, package: &str, file: &str, line: u32) -> Option<String> {
        let key = if package.is_empty() { file.to_owned() } else { format!("{package}/{file}") };
        let mut files = self.files.lock().expect("nobody panics while reading sources");
        let lines = files.entry(key.clone()).or_insert_with(|| self.read(&key, file)).clone()?;
        let text = lines.get(line.checked_sub(1)? as usize)?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn read(&self, key: &str, file: &str) -> Lines {
        let text = self.roots.iter().find_map(|root| {
            let in_package = std::fs::read_to_string(root.join(key));
            in_package.or_else(|_| std::fs::read_to_string(root.join(file))).ok()
        })?;
        Some(text.lines().map(str::to_owned).collect())
    }
}
