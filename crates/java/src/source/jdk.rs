//! The user's JDK: found by `JAVA_HOME` or by the `java` on the PATH, its class library read from
//! `lib/modules`.

use super::image::Image;
use super::modules::Modules;
use crate::error::{Damage, Error};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A JDK.
pub struct Jdk {
    home: PathBuf,
    image: Image,
    /// The module of each package.
    modules: OnceLock<HashMap<String, String>>,
    declared: OnceLock<Modules>,
    /// The files whose names have no dot: the index does not lead to them.
    undotted: OnceLock<HashMap<String, Vec<u8>>>,
}

/// The directory of the JDK: the one given, or the one that `JAVA_HOME` or the PATH leads to.
///
/// # Errors
/// If there is none.
pub fn home(given: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(home) = given {
        return Ok(home.to_path_buf());
    }
    match std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        Some(home) => Ok(PathBuf::from(home)),
        None => on_path().ok_or(Error::NoJdk),
    }
}

impl Jdk {
    /// The JDK at `home`, or the one that `JAVA_HOME` or the PATH leads to.
    ///
    /// # Errors
    /// If there is none that can be used.
    pub fn find(home: Option<&Path>) -> Result<Self, Error> {
        let home = self::home(home)?;
        let file = home.join("lib").join("modules");
        if !file.is_file() {
            let is_old = home.join("jre").join("lib").join("rt.jar").is_file();
            return Err(if is_old { Error::OldJdk(home) } else { Error::NotAJdk(home, file) });
        }
        let image = Image::open(&file)?;
        let jdk = Self {
            home,
            image,
            modules: OnceLock::new(),
            declared: OnceLock::new(),
            undotted: OnceLock::new(),
        };
        if jdk.class("java/lang/Object").is_none() {
            return Err(Error::Damaged(file, Damage::NoObject));
        }
        Ok(jdk)
    }

    /// Where it is.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The bytes of a class, its name with slashes.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<Vec<u8>> {
        self.resource(&format!("{name}.class"))
    }

    /// The bytes of a file of some module.
    #[must_use]
    pub fn resource(&self, name: &str) -> Option<Vec<u8>> {
        if let Some(bytes) = self.in_module("java.base", name) {
            return Some(bytes);
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        if !base.contains('.') {
            return self.undotted.get_or_init(|| self.list_undotted()).get(name).cloned();
        }
        self.in_module(self.module_of(name)?, name)
    }

    /// The module that has a class or resource.
    #[must_use]
    pub fn module_of(&self, name: &str) -> Option<&str> {
        let package = &name[..name.rfind('/')?];
        self.packages().get(package).map(String::as_str)
    }

    /// What its modules declare.
    #[must_use]
    pub fn declared(&self) -> &Modules {
        self.declared.get_or_init(|| {
            let mut names: Vec<&str> = self.packages().values().map(String::as_str).collect();
            names.sort_unstable();
            names.dedup();
            let mut declared = Modules::default();
            for bytes in names.into_iter().filter_map(|module| self.in_module(module, "module-info.class")) {
                declared.add(&bytes);
            }
            declared
        })
    }

    /// The class files of a module.
    #[cfg(test)]
    pub(crate) fn classes_of(&self, module: &str) -> impl Iterator<Item = (String, Vec<u8>)> {
        let of_module =
            move |entry: &super::image::Entry<'_>| entry.module == module && entry.extension == "class";
        let classes = self.image.entries().filter(of_module);
        classes.map(|entry| (entry.name(), self.image.contents(&entry).expect("the JDK is whole")))
    }

    fn packages(&self) -> &HashMap<String, String> {
        self.modules.get_or_init(|| self.list_modules())
    }

    fn in_module(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        self.image.contents(&self.image.find(&format!("/{module}/{name}"))?)
    }

    fn list_undotted(&self) -> HashMap<String, Vec<u8>> {
        let undotted = self.image.entries().filter(|entry| entry.extension.is_empty());
        undotted.filter_map(|entry| Some((entry.name(), self.image.contents(&entry)?))).collect()
    }

    fn list_modules(&self) -> HashMap<String, String> {
        let mut modules = HashMap::new();
        for entry in self.image.entries() {
            if !modules.contains_key(entry.parent) {
                modules.insert(entry.parent.to_owned(), entry.module.to_owned());
            }
        }
        modules
    }
}

/// The home of the `java` on the PATH, links followed.
fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|directory| {
        let program = std::fs::canonicalize(directory.join("java")).ok()?;
        let home = program.parent()?.parent()?;
        home.join("lib").join("modules").is_file().then(|| home.to_path_buf())
    })
}
