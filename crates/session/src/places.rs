//! Where files are, and what they are called from the model's point of view.

use std::path::{Component, Path, PathBuf};

/// The name of a file as seen from a directory: relative, with `/` between its parts. Where that cannot be
/// said, the file's own name.
pub(crate) fn name_from(directory: &Path, file: &Path) -> String {
    let own = || file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let (Ok(from), Ok(to)) = (directory.canonicalize(), file.canonicalize()) else { return own() };
    relative(&from, &to).unwrap_or_else(own)
}

/// `to` as seen from the directory `from`, both absolute; `None` if they have no root in common.
fn relative(from: &Path, to: &Path) -> Option<String> {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if n_common == 0 {
        return None;
    }
    let up = from[n_common..].iter().map(|_| "..".to_owned());
    let down = to[n_common..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    Some(if parts.is_empty() { ".".into() } else { parts.join("/") })
}

/// What a trace names, as seen from here, or else from the directory of the trace.
pub(crate) fn seen_from(trace_file: &Path, name: &Path) -> PathBuf {
    match trace_file.parent() {
        Some(dir) if !name.exists() && dir.join(name).exists() => dir.join(name),
        _ => name.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative() {
        let name = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(name("/a/b", "/a/b/m.pml").as_deref(), Some("m.pml"));
        assert_eq!(name("/a/b", "/a/inc/x.h").as_deref(), Some("../inc/x.h"));
        assert_eq!(name("/a/b", "/a/b").as_deref(), Some("."));
        assert_eq!(name("a", "/a"), None);
    }
}
