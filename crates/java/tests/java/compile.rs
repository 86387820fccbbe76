//! Java source to class files, in a directory of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory under the build's own, emptied.
pub(crate) fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("the build's directory is writable");
    directory
}

/// Compiles source files into `directory`.
pub(crate) fn javac(files: &[PathBuf], directory: &Path) {
    let output = Command::new("javac")
        .arg("-nowarn")
        .arg("-d")
        .arg(directory)
        .args(files)
        .output()
        .expect("javac is installed (cargo xtask test installs a JDK)");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}
