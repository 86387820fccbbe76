//! Writing files without harm: a file is complete or not there, and a trace never overwrites a model.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The beginning of every trace file.
const TRACE: &[u8] = b"allways trace";

/// The beginning of every XML file that is written here.
const XML: &[u8] = b"<?xml ";

/// Writes a trace; refuses to replace a file that is none.
pub(crate) fn write_trace(path: &Path, text: &str) -> io::Result<()> {
    if is_other_file(path, TRACE) {
        return Err(io::Error::other("it exists and is not a trace file, so it was left alone"));
    }
    write(path, text.as_bytes())
}

/// Writes an XML file, with the directories it lies in; refuses to replace a file that is none.
pub(crate) fn write_xml(path: &Path, text: &str) -> io::Result<()> {
    if is_other_file(path, XML) {
        return Err(io::Error::other("it exists and is not an XML file, so it was left alone"));
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    write(path, text.as_bytes())
}

/// Writes `bytes` so that a reader sees the old file or the new one, never a part.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // What is not a plain file (a device, a pipe) cannot be replaced, only written to.
    if is_special(path) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    // Through a link, so that the link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let temporary = beside(&target)?;
    let result = fill(&temporary, bytes).and_then(|()| fs::rename(&temporary, &target));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Where a large file is made that becomes `path` when it is complete.
pub(crate) fn unfinished(path: &Path) -> io::Result<PathBuf> {
    if is_special(path) {
        return beside(&std::env::temp_dir().join(path.file_name().unwrap_or_default()));
    }
    beside(&fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// Puts a complete file in its place; what is not a plain file (a device, a pipe) is written to instead.
pub(crate) fn finish(unfinished: &Path, path: &Path) -> io::Result<()> {
    if is_special(path) {
        let mut out = OpenOptions::new().write(true).open(path)?;
        return io::copy(&mut File::open(unfinished)?, &mut out).map(|_| ());
    }
    fs::rename(unfinished, fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
}

fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file())
}

fn fill(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    // A full disk may show only now.
    file.sync_all()
}

/// A name for a temporary file in the same directory, so that renaming it cannot cross a file system.
pub(crate) fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// Whether there is a file that does not begin so.
pub(crate) fn is_other_file(path: &Path, beginning: &[u8]) -> bool {
    let Ok(meta) = fs::metadata(path) else { return false };
    if !meta.is_file() || meta.len() == 0 {
        return false;
    }
    let mut start = vec![0; beginning.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).map_or(true, |()| start != beginning)
}

/// The file for counterexample `number`, from one: the first has the plain name, others their number.
pub(crate) fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let mut name = path.file_stem().unwrap_or_default().to_os_string();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("allways-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn traces_replace_only_traces() {
        let dir = directory("replace");
        let (trace, model) = (dir.join("x.trace"), dir.join("x.pml"));
        write_trace(&trace, "allways trace 1\nold").unwrap();
        write_trace(&trace, "allways trace 1\nnew").unwrap();
        assert!(fs::read_to_string(&trace).unwrap().ends_with("new"));
        fs::write(&model, "init { skip }").unwrap();
        assert!(write_trace(&model, "allways trace 1\n").is_err());
        assert_eq!(fs::read_to_string(&model).unwrap(), "init { skip }");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 2, "no temporary file is left");
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let dir = directory("fail");
        assert!(write_trace(&dir.join("no/such/x.trace"), "").is_err());
        assert!(write_trace(&dir, "").is_err());
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn further_counterexamples_are_numbered() {
        assert_eq!(numbered(Path::new("d/x.pml.trace"), 1), Path::new("d/x.pml.trace"));
        assert_eq!(numbered(Path::new("d/x.pml.trace"), 12), Path::new("d/x.pml.12.trace"));
        assert_eq!(numbered(Path::new("out"), 2), Path::new("out.2"));
    }
}
