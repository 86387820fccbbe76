//! The class path of a program: directories and jar files, in order.

use super::jar::Jar;
use crate::error::Error;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

enum Kind {
    Directory,
    Jar(Box<Mutex<Jar>>),
}

struct Entry {
    /// The path as it was given.
    path: PathBuf,
    /// From the root of the file system, without links.
    full: PathBuf,
    kind: Kind,
}

impl Entry {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        match &self.kind {
            Kind::Directory => std::fs::read(self.path.join(name)).ok(),
            Kind::Jar(archive) => archive.lock().expect("nobody panics while reading a jar file").read(name),
        }
    }

    /// The URL of a file in it, as `java` writes it.
    fn url(&self, name: &str) -> String {
        let path = self.full.to_string_lossy();
        match self.kind {
            Kind::Directory => format!("file:{}/{}", encode(&path), encode(name)),
            Kind::Jar(_) => format!("jar:file:{}!/{}", encode(&path), encode(name)),
        }
    }
}

/// A jar file has no file of a name.
pub struct NoEntry {
    /// The path of the jar file.
    pub jar: String,
    /// The name.
    pub name: String,
}

/// A class path.
#[derive(Default)]
pub struct ClassPath {
    entries: Vec<Entry>,
    /// The files in directories, other than class files, that were read.
    read: Mutex<BTreeSet<PathBuf>>,
    /// The simple names that classes of several packages have, computed on demand.
    alike: OnceLock<HashSet<String>>,
}

impl ClassPath {
    /// Appends a directory or a jar file.
    ///
    /// # Errors
    /// If it is neither.
    pub fn push(&mut self, path: &Path) -> Result<(), Error> {
        let unreadable = Error::unreadable(path);
        let full = std::fs::canonicalize(path).map_err(&unreadable)?;
        let kind = if full.is_dir() {
            Kind::Directory
        } else {
            let file = std::fs::File::open(path).map_err(unreadable)?;
            let jar = Jar::open(file).map_err(|problem| Error::NotAJar(path.into(), problem))?;
            Kind::Jar(Box::new(Mutex::new(jar)))
        };
        self.entries.push(Entry { path: path.into(), full, kind });
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
        if leads_out(name) {
            return None;
        }
        let (entry, bytes) = self.entries.iter().find_map(|entry| Some((entry, entry.read(name)?)))?;
        if matches!(entry.kind, Kind::Directory) && !name.ends_with(".class") {
            let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            read.insert(entry.path.join(name));
        }
        Some(bytes)
    }

    /// The files in directories, other than class files, that were read so far.
    #[must_use]
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The same files by their names on the class path, with their present contents. Omits files that cannot
    /// be read.
    #[must_use]
    pub fn resources_read(&self) -> Vec<(String, Vec<u8>)> {
        let name = |file: &PathBuf| {
            let mut entries = self.entries.iter();
            let name = entries.find_map(|entry| file.strip_prefix(&entry.path).ok())?;
            Some((name.to_string_lossy().into_owned(), std::fs::read(file).ok()?))
        };
        self.files_read().iter().filter_map(name).collect()
    }

    /// The URLs of all files of a name.
    ///
    /// # Panics
    /// If another thread panicked while it read a jar file.
    #[must_use]
    pub fn urls(&self, name: &str) -> Vec<String> {
        if leads_out(name) {
            return Vec::new();
        }
        let having = self.entries.iter().filter(|entry| entry.read(name).is_some());
        having.map(|entry| entry.url(name)).collect()
    }

    /// The bytes of what a URL of a file in a jar file leads to, without its `jar:`, if the jar file has it;
    /// `None` if the jar file is not on the class path.
    ///
    /// # Panics
    /// If another thread panicked while it read a jar file.
    #[must_use]
    pub fn in_jar(&self, url: &str) -> Option<Result<Vec<u8>, NoEntry>> {
        let (jar, name) = url.strip_prefix("file:")?.split_once("!/")?;
        let (jar, name) = (decode(jar)?, decode(name)?);
        let of_jar = |entry: &&Entry| entry.full == Path::new(&jar) && matches!(entry.kind, Kind::Jar(_));
        let entry = self.entries.iter().find(of_jar)?;
        Some(entry.read(&name).ok_or(NoEntry { jar, name }))
    }

    /// Whether a file is in a directory of the class path.
    #[must_use]
    pub fn has_file(&self, file: &Path) -> bool {
        let mut directories = self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Directory));
        directories.any(|entry| file.starts_with(&entry.full))
    }

    /// Whether classes of several packages have this simple name (that of a nested class with the classes
    /// around it).
    #[must_use]
    pub fn is_alike(&self, simple: &str) -> bool {
        self.alike.get_or_init(|| self.find_alike()).contains(simple)
    }

    fn find_alike(&self) -> HashSet<String> {
        let mut names = BTreeSet::new();
        for entry in &self.entries {
            match &entry.kind {
                Kind::Directory => add_classes(&entry.full, "", &mut names),
                Kind::Jar(jar) => {
                    let jar = jar.lock().unwrap_or_else(PoisonError::into_inner);
                    names.extend(
                        jar.names().filter_map(|name| name.strip_suffix(".class")).map(str::to_owned),
                    );
                }
            }
        }
        let mut seen = HashSet::new();
        let simple = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
        names.iter().map(simple).filter(|name| !seen.insert(name.clone())).collect()
    }

    /// The class path as text, as `java.class.path` has it.
    #[must_use]
    pub fn text(&self) -> String {
        let parts = self.entries.iter().map(|entry| entry.path.display().to_string());
        parts.collect::<Vec<_>>().join(":")
    }
}

/// Adds the names of the classes below a directory, with slashes.
fn add_classes(directory: &Path, package: &str, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            add_classes(&entry.path(), &format!("{package}{name}/"), names);
        } else if let Some(class) = name.strip_suffix(".class") {
            names.insert(format!("{package}{class}"));
        }
    }
}

/// A name is data of the program: it must not lead out of the class path.
fn leads_out(name: &str) -> bool {
    name.starts_with('/') || name.split('/').any(|part| part == "..")
}

/// A path in a URL: all but letters, digits and what may stand for itself as bytes in hexadecimal.
fn encode(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => text.push(char::from(byte)),
            b'/' | b'.' | b'-' | b'_' | b'~' | b'!' | b'$' | b'&' | b'*' | b'+' | b',' | b':' | b'='
            | b'@' | b'(' | b')' | b'\'' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// From a path in a URL to the path.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_two_packages_are_alike() {
        let root = std::env::temp_dir().join(format!("allways-alike-{}", std::process::id()));
        for file in ["a/b/One.class", "a/One.class", "a/Two.class", "a/Two$In.class", "a/One.txt"] {
            let file = root.join(file);
            std::fs::create_dir_all(file.parent().expect("it has one")).expect("it can be made");
            std::fs::write(file, "").expect("it can be written");
        }
        let mut path = ClassPath::default();
        path.push(&root).expect("it is there");
        assert!(path.is_alike("One") && !path.is_alike("Two") && !path.is_alike("Two$In"));
        std::fs::remove_dir_all(&root).expect("it can be removed");
    }

    #[test]
    fn paths_in_urls_are_read_as_they_were_written() {
        for path in ["/a/b.txt", "/with space/100%/\u{e4}", ""] {
            assert_eq!(decode(&encode(path)).as_deref(), Some(path));
        }
        assert_eq!(encode("/a b"), "/a%20b");
        assert_eq!(decode("%4"), None);
    }
}
