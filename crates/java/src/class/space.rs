//! Classes that loaders of the program define: their identity and their definition.
//!
//! A class is its name and its defining loader (JVMS 5.3), and loaders are objects, which belong to states.
//! The registry belongs to all states. A number connects the two, the *space*, which a loader gets when it
//! first defines a class (see `vm::loaders`). The identity of a class in the registry is everything on which
//! its contents depend:
//!
//! - its name and its space,
//! - the bytes of its class file,
//! - the superclass and the superinterfaces that its loader gave for the names in them.
//!
//! Together they determine its *full name*, such as `pkg/Foo<2.8a51…>` (with two control characters for the
//! angle brackets). So two states in which the loader of a space defines `pkg/Foo` from other bytes, or over
//! another superclass, have two classes; and two runs, processes or workers in which all this is the same
//! have one, with the same number, because the number is a hash of the full name (see [`crate::numbered`]).
//! Whether a loader *has* defined a class in a state is recorded in the state, not in the registry.
//!
//! The registry also finds a class by its full name, so descriptors with full names (`Lpkg/Foo<2.8a51…>;`)
//! denote the right class wherever the machine makes code or types from them. Names and descriptors in class
//! files are never full names; methods and fields are found by those.

use super::file::{ClassFile, Malformed};
use super::link::{Home, Supers, link_file};
use super::registry::{Classes, LoadError};
use super::symbol::Symbol;
use super::{ClassId, Loader};
use allways_model::Digest;
use std::borrow::Cow;

/// The space of classes that the class path's own loader is given to define. They are of the same packages as
/// the classes of the class path, which have no space.
pub const APP: u32 = i32::MAX as u32;

/// The loader of a space, zero for that of the class path.
#[must_use]
pub fn loader_of(space: u32) -> u32 {
    if space == APP { 0 } else { space }
}

/// The characters around the part that a full name adds, which do not occur in names that people choose.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// The name of a class as its class file has it.
#[must_use]
pub fn plain(name: &str) -> Cow<'_, str> {
    let parts =
        name.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?)));
    match parts {
        Some((before, (_, after))) => format!("{before}{}", plain(after)).into(),
        None => name.into(),
    }
}

/// A full name: a name with `what`, which distinguishes the class from others of its name.
#[must_use]
pub fn full(name: &str, what: &str) -> String {
    format!("{name}{}{what}{}", MARKS[0], MARKS[1])
}

/// A class file that a loader of the program is about to define.
pub struct Definition {
    file: ClassFile,
    bytes: Vec<u8>,
    /// The name in it, with slashes.
    pub name: String,
    /// The name of the superclass.
    pub super_class: Option<String>,
    /// The names of the superinterfaces.
    pub interfaces: Vec<String>,
}

impl Definition {
    /// Reads a class file.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(bytes: Vec<u8>, given: &str) -> Result<Self, LoadError> {
        let bad = |problem: Malformed| LoadError::format(given, problem);
        let file = ClassFile::from_bytes(&bytes).map_err(bad)?;
        let name = file.class_name().map_err(bad)?.to_str_lossy().into_owned();
        let class = |idx: u16| -> Result<String, LoadError> {
            Ok(file.constant_pool.try_get_class(idx).map_err(bad)?.to_str_lossy().into_owned())
        };
        let super_class = if file.super_class == 0 { None } else { Some(class(file.super_class)?) };
        let interfaces = file.interfaces.iter().map(|&idx| class(idx)).collect::<Result<_, _>>()?;
        if name.contains(MARKS) {
            return Err(LoadError::format(given, "a name with control characters"));
        }
        Ok(Self { name, super_class, interfaces, file, bytes })
    }
}

impl Classes {
    /// The class that a loader with this space defines, over these classes. One of the class library's own
    /// (in the space [`APP`]) is defined for the class library.
    ///
    /// # Errors
    /// If it cannot be linked.
    ///
    /// # Panics
    /// If another thread panicked while it loaded a class.
    pub fn define(
        &self,
        definition: Definition,
        Home { loader, space }: Home,
        super_class: Option<ClassId>,
        interfaces: Vec<ClassId>,
    ) -> Result<ClassId, LoadError> {
        let supers: Vec<&str> = super_class.iter().chain(&interfaces).map(|&id| self.name(id)).collect();
        let digest = Digest::of(&(&definition.bytes, supers));
        let mark = if loader == Loader::Boot { "b" } else { "" };
        let name = full(&definition.name, &format!("{space:x}{mark}.{digest}"));
        let symbol = self.symbols.intern(&name);
        let _guard = self.lock();
        if let Some(known) = self.known(symbol) {
            return known;
        }
        let home = Home { loader, space };
        let linked = link_file(self, &name, definition.file, home, Supers::Given(super_class, interfaces));
        self.enter_as(symbol, linked.clone());
        linked
    }

    /// The name of a class as its class file has it.
    #[must_use]
    pub fn plain_name(&self, id: ClassId) -> &str {
        self.symbols.text(self.get(id).plain)
    }

    /// The symbol for the name of a class as its class file has it.
    pub(crate) fn plain_symbol(&self, name: &str) -> Symbol {
        self.symbols.intern(&plain(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names() {
        let full = |name: &str| name.replace('<', "\u{1}").replace('>', "\u{2}");
        for (name, expected) in [
            ("pkg/Foo", "pkg/Foo"),
            ("pkg/Foo<2.ab>", "pkg/Foo"),
            ("[Lpkg/Foo<2.ab>;", "[Lpkg/Foo;"),
            ("A<1.0>$$Lambda$3", "A$$Lambda$3"),
            ("P$A<1.0>$B<2.0>", "P$A$B"),
            ("A<1", "A<1"),
        ] {
            assert_eq!(plain(&full(name)), full(expected), "{name}");
        }
    }
}
