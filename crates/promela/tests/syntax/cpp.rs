//! The preprocessor against gcc's, line by line, on inputs written for this test. Skipped where there is no
//! `cpp`.

use std::path::Path;
use std::process::Command;

use allways_promela::syntax::preprocess::preprocess;
use allways_promela::syntax::{DiskLoader, FileInput, PreprocessOptions, SourceMap};

/// Lines that hold something, without line markers, white space made even.
fn lines(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !is_marker(line) && !line.starts_with("#pragma"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect()
}

/// `# 12 "file"`
fn is_marker(line: &str) -> bool {
    line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[test]
fn preprocesses_like_gcc() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/cpp");
    let mut n_compared = 0;
    for entry in std::fs::read_dir(&folder).expect("inputs") {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|e| e != "c") {
            continue;
        }
        let output = Command::new("cpp").args(["-std=gnu99", "-DGIVEN=7", "-UGONE"]).arg(&path).output();
        let Ok(output) = output else {
            eprintln!("skipped: no cpp here");
            return;
        };
        let options = PreprocessOptions::default().define("GIVEN=7").undefine("GONE");
        let mut sources = SourceMap::default();
        let mut diagnostics = Vec::new();
        let input = FileInput::Path(path.clone());
        let ours = preprocess(&input, &options, &DiskLoader, &mut sources, &mut diagnostics);
        let theirs = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(diagnostics.iter().all(|d| !d.is_error()), "{diagnostics:?}");
        assert_eq!(lines(&ours.text), lines(&theirs), "{}", path.display());
        n_compared += 1;
    }
    assert!(n_compared > 0);
}
