//! The class path of a program: directories and jar files, in order.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use zip::ZipArchive;

enum Entry {
    Directory(PathBuf),
    Jar(PathBuf, Box<Mutex<ZipArchive<std::fs::File>>>),
}

/// A class path.
#[derive(Default)]
pub struct ClassPath {
    entries: Vec<Entry>,
}

impl ClassPath {
    /// Appends a directory or a jar file.
    ///
    /// # Errors
    /// If it is neither, in words for people.
    pub fn push(&mut self, path: &Path) -> Result<(), String> {
        let shown = path.display();
        let kind = std::fs::metadata(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        if kind.is_dir() {
            self.entries.push(Entry::Directory(path.into()));
            return Ok(());
        }
        let file = std::fs::File::open(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let archive = ZipArchive::new(file).map_err(|error| format!("{shown} is no jar file: {error}"))?;
        self.entries.push(Entry::Jar(path.into(), Box::new(Mutex::new(archive))));
        Ok(())
    }

    /// The bytes of a class, its name with slashes.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<Vec<u8>> {
        // A name is data of the program: it must not lead out of the class path.
        if name.split('/').any(|part| part.is_empty() || part == "..") {
            return None;
        }
        self.resource(&format!("{name}.class"))
    }

    /// The bytes of a file, its name with slashes.
    ///
    /// # Panics
    /// If another thread panicked while it read a jar file.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<Vec<u8>> {
        if name.split('/').any(|part| part == "..") {
            return None;
        }
        self.entries.iter().find_map(|entry| match entry {
            Entry::Directory(directory) => std::fs::read(directory.join(name)).ok(),
            Entry::Jar(_, archive) => {
                let mut archive = archive.lock().expect("nobody panics while reading a jar file");
                let mut file = archive.by_name(name).ok()?;
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
        })
    }

    /// The class path as text, as `java.class.path` has it.
    #[must_use]
    pub fn text(&self) -> String {
        let parts = self.entries.iter().map(|entry| match entry {
            Entry::Directory(path) | Entry::Jar(path, _) => path.display().to_string(),
        });
        parts.collect::<Vec<_>>().join(":")
    }
}
