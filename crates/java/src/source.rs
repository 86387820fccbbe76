//! Where class files and resources come from: the JDK of the user, directories and jar files.

pub mod files;
mod image;
mod jar;
pub mod jdk;
pub mod modules;
pub mod path;
pub mod text;

pub use jar::NotAJar;

use crate::class::Loader;
use files::Files;
use jdk::Jdk;
use path::ClassPath;

/// The JDK's class library and the program's class path.
pub struct Sources {
    /// The class library.
    pub jdk: Jdk,
    /// The program.
    pub path: ClassPath,
    /// Other files that the program reads.
    pub files: Files,
    /// Whether to use the library's own locks and pools. Otherwise the classes of [`crate::simple`] replace
    /// them.
    pub jdk_locks: bool,
}

impl Sources {
    /// The bytes of a class (its name with slashes) and the loader that defines it.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<(Vec<u8>, Loader)> {
        let simple = || crate::simple::class(name).filter(|_| !self.jdk_locks).map(<[u8]>::to_vec);
        let ours = || simple().or_else(|| crate::simple::network_class(name).map(<[u8]>::to_vec));
        if let Some(bytes) = name.starts_with("allways/").then(|| crate::simple::runner_class(name)).flatten()
        {
            return Some((bytes.to_vec(), Loader::App));
        }
        let jdk = || {
            let bytes = self.jdk.class(name)?;
            Some(if self.jdk_locks { bytes } else { crate::simple::adapted(name, bytes) })
        };
        let library = || ours().or_else(jdk).map(|bytes| (bytes, Loader::Boot));
        if ["java/", "jdk/", "sun/", "javax/"].iter().any(|prefix| name.starts_with(prefix)) {
            // As in a JVM, a class of the class library cannot be defined elsewhere.
            if let Some(found) = library() {
                return Some(found);
            }
            return self.path.class(name).map(|bytes| (bytes, Loader::App));
        }
        self.path.class(name).map(|bytes| (bytes, Loader::App)).or_else(library)
    }
}
