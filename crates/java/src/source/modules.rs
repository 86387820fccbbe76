//! The declarations of a JDK's modules in `module-info.class`: exported packages, open packages, and
//! services. Only exports and opens to all modules count. No package is in two modules, so one list of each
//! suffices.

use crate::class::file::{Attribute, ClassFile};
use std::collections::{HashMap, HashSet};

/// The declarations of some modules.
#[derive(Default)]
pub struct Modules {
    exported: HashSet<String>,
    open: HashSet<String>,
    providers: HashMap<String, Vec<String>>,
}

impl Modules {
    /// Adds the declarations of a module's class file. An invalid file declares nothing.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        let Ok(file) = ClassFile::from_bytes(bytes) else { return };
        let pool = &file.constant_pool;
        let package = |idx: u16| pool.try_get_package(idx).ok().map(|name| name.to_str_lossy().into_owned());
        let class = |idx: u16| pool.try_get_class(idx).ok().map(|name| name.to_str_lossy().replace('/', "."));
        for attribute in &file.attributes {
            let Attribute::Module(module) = attribute else { continue };
            // Qualified exports and opens are for other modules of the JDK.
            let to_all = module.exports.iter().filter(|(_, to)| to.is_empty());
            self.exported.extend(to_all.filter_map(|&(idx, _)| package(idx)));
            let to_all = module.opens.iter().filter(|(_, to)| to.is_empty());
            self.open.extend(to_all.filter_map(|&(idx, _)| package(idx)));
            for (service, with) in &module.provides {
                let Some(service) = class(*service) else { continue };
                let with = with.iter().filter_map(|&idx| class(idx));
                self.providers.entry(service).or_default().extend(with);
            }
        }
    }

    /// Whether a program may use the public classes of a package, its name with slashes.
    #[must_use]
    pub fn is_exported(&self, package: &str) -> bool {
        self.exported.contains(package)
    }

    /// Whether a program may use all members of a package's classes by reflection.
    #[must_use]
    pub fn is_open(&self, package: &str) -> bool {
        self.open.contains(package)
    }

    /// The classes that provide a service; all names with dots.
    #[must_use]
    pub fn providers(&self, service: &str) -> &[String] {
        self.providers.get(service).map_or(&[], Vec::as_slice)
    }
}
