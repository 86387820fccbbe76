//! Files that the program reads, with the contents that they had when first read.
//!
//! A file may change during a search, but two runs must not see two versions of it. So each file is read
//! once, as a whole, and all runs see these contents. Traces record every file that was read with its hash,
//! and a replay rejects files that have changed.

use crate::numbered::{LATE, Name, Numbered};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Larger files are not read.
const MAX_FILE: u64 = 64 << 20;

/// Directories whose files are not ordinary files.
const UNREAL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing exists at the path.
    Missing,
    /// A directory.
    Directory,
    /// A file with these bytes.
    File(Arc<[u8]>),
    /// Something that cannot be read, with the reason.
    Other(&'static str),
}

/// The paths that a program has accessed so far, and the files that it has opened.
pub struct Files {
    seen: Mutex<BTreeMap<PathBuf, Found>>,
    /// Numbered by their paths, since numbers of open files are part of states.
    opened: Numbered<PathBuf>,
}

impl Default for Files {
    fn default() -> Self {
        let mut opened = Numbered::default();
        opened.seal();
        Self { seen: Mutex::default(), opened }
    }
}

impl Files {
    /// What is at a path; the first result is kept.
    #[must_use]
    pub fn look(&self, path: &Path) -> Found {
        let mut known = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path.to_path_buf()).or_insert_with(|| read(path)).clone()
    }

    /// The number of an open file, which is a function of its path and above those of the console.
    #[must_use]
    pub fn open(&self, path: &str) -> u32 {
        self.opened.add(|| Name::file(path), |_| PathBuf::from(path))
    }

    /// The path of the open file with a number; `None` for the console and unknown numbers.
    #[must_use]
    pub fn opened(&self, number: u32) -> Option<&Path> {
        (number >= LATE && number as i32 > 0).then(|| self.opened.get(number).as_path())
    }

    /// Two paths that collide on one number, if there are such.
    #[must_use]
    pub fn clash(&self) -> Option<&str> {
        self.opened.clash()
    }

    /// The paths that were accessed with what is there, in the order of the paths.
    #[must_use]
    pub fn seen(&self) -> Vec<(PathBuf, Found)> {
        let known = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|(path, found)| (path.clone(), found.clone())).collect()
    }
}

fn read(path: &Path) -> Found {
    if UNREAL.iter().any(|unreal| path.starts_with(unreal)) {
        return Found::Other("no regular file");
    }
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Found::Directory,
        Ok(found) if !found.is_file() => Found::Other("no regular file"),
        Ok(found) if found.len() > MAX_FILE => Found::Other("more than 64 MiB"),
        Ok(_) => std::fs::read(path).map_or(Found::Other("not readable"), |bytes| Found::File(bytes.into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Found::Missing,
        Err(_) => Found::Other("not readable"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_stays_as_it_was_first_seen() {
        let root = std::env::temp_dir().join(format!("allways-files-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("it can be made");
        let (file, missing) = (root.join("a"), root.join("b"));
        std::fs::write(&file, "one").expect("it can be written");
        let files = Files::default();
        assert_eq!(files.look(&file), Found::File(Arc::from(*b"one")));
        assert_eq!((files.look(&missing), files.look(&root)), (Found::Missing, Found::Directory));
        std::fs::write(&file, "two").expect("it can be written");
        std::fs::write(&missing, "there").expect("it can be written");
        assert_eq!(files.look(&file), Found::File(Arc::from(*b"one")));
        assert_eq!((files.look(&missing), files.seen().len()), (Found::Missing, 3));
        assert!(matches!(files.look(Path::new("/dev/zero")), Found::Other(_)));
        std::fs::remove_dir_all(&root).expect("it can be removed");
    }

    #[test]
    fn numbers_of_open_files_do_not_depend_on_their_order() {
        let (forwards, backwards) = (Files::default(), Files::default());
        let numbers = ["/a", "/b"].map(|path| forwards.open(path));
        assert_eq!(["/b", "/a"].map(|path| backwards.open(path)), [numbers[1], numbers[0]]);
        assert_eq!(forwards.opened(numbers[1]), Some(Path::new("/b")));
        assert_eq!([0, 2, u32::MAX].map(|number| forwards.opened(number)), [None; 3]);
        assert_eq!(forwards.clash(), None);
    }
}
