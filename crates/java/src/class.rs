//! Classes as the machine sees them: names resolved to numbers, fields to slots, code to operations.
//!
//! A class, once loaded, never changes; what can change (its static fields, whether it is initialised) is
//! part of a state and lives in its mirror, the `java.lang.Class` object.

pub mod code;
pub mod decode;
pub mod descriptor;
pub mod file;
pub mod flaw;
pub mod link;
pub mod maps;
pub mod pool;
pub mod registry;
pub mod space;
mod subroutine;
pub mod symbol;
pub mod verify;

use code::Code;
use descriptor::{Kind, Signature};
use file::ClassFile;
use flaw::Flaw;
use pool::Pool;
use std::sync::{Arc, OnceLock};
use symbol::Symbol;

/// A loaded class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// A method of a loaded class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId(pub u32);

/// Access flags, as in JVMS 4.1, 4.5 and 4.6.
pub mod flags {
    #![allow(missing_docs, reason = "the names are those of the specification")]
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const SUPER: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const BRIDGE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
}

/// Which kind of type a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A class or interface from a class file, or made by the machine.
    Instance,
    /// An array of elements of this class.
    Array(ClassId),
    /// `int`, `void` and the like; their mirrors are all that there is.
    Primitive(Option<Kind>),
}

/// The loader that defines a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loader {
    /// The class library.
    Boot,
    /// The class path of the program.
    App,
}

/// A class.
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// Its name with slashes, such as `java/lang/String`, `[I` or `int`; the full one if a loader of the
    /// program defined it (see [`space`]).
    pub name: Symbol,
    /// Its name as programs know it, with slashes.
    pub plain: Symbol,
    /// Its access flags, as the class file has them.
    pub flags: u16,
    /// Which kind of type it is.
    pub form: Form,
    /// The direct superclass.
    pub super_class: Option<ClassId>,
    /// The direct superinterfaces.
    pub interfaces: Box<[ClassId]>,
    /// All classes and interfaces it is a subtype of, sorted, itself included.
    pub supertypes: Box<[ClassId]>,
    /// The loader that defined it.
    pub loader: Loader,
    /// The number of the loader of the program that defined it, or zero.
    pub space: u32,
    /// The fields it declares.
    pub fields: Box<[Field]>,
    /// The methods it declares.
    pub methods: Box<[MethodId]>,
    /// The kinds of the slots of an instance, those of superclasses first.
    pub instance: Box<[Kind]>,
    /// The kinds of the slots of its static fields.
    pub statics: Box<[Kind]>,
    /// A summary of the slots of an instance.
    pub outline: Outline,
    /// Which slots of an instance are final fields, and which of the statics.
    pub finals: Finals,
    /// Its constants.
    pub pool: Pool,
    /// Call sites with a copy of a constant: the index of the method, the place of the instruction, the index
    /// of the copy.
    pub sites: Box<[(u16, u32, u16)]>,
    /// The class file it came from; `None` for arrays, primitives and classes made by the machine.
    pub file: Option<Arc<ClassFile>>,
    /// The name of its source file.
    pub source_file: Option<Arc<str>>,
    /// The `<clinit>` method.
    pub initializer: Option<MethodId>,
    /// Facts about it that are needed often, such as whether it is a reference class.
    pub traits: Traits,
    /// The mirror, a `java.lang.Class` object of the base image.
    pub mirror: OnceLock<u32>,
    /// The class of arrays of it.
    pub array: OnceLock<ClassId>,
}

/// Facts about a class that are needed often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traits {
    /// An interface with a default method, which is initialised with its implementing classes.
    pub has_defaults: bool,
    /// `java.lang.Throwable` or below.
    pub is_throwable: bool,
    /// Made by the machine, and nothing of the program runs when it is initialised.
    pub born_initialized: bool,
}

/// A field that a class declares.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags.
    pub flags: u16,
    /// The kind of its values.
    pub kind: Kind,
    /// Its slot: in an instance, or among the statics.
    pub slot: u32,
    /// The pool index of the constant a static field begins with, or zero.
    pub constant: u16,
    /// Its index in the class file.
    pub index: u16,
}

/// The facts about the slots of an instance that encoding a state needs.
#[derive(Clone, Default)]
pub struct Outline {
    /// The slots that hold references.
    pub references: Box<[u32]>,
    /// Whether there are values of 64 bits.
    pub has_wide: bool,
}

impl Outline {
    /// The outline of slots of these kinds.
    #[must_use]
    pub fn of(kinds: &[Kind]) -> Self {
        let slots = kinds.iter().zip(0..);
        Self {
            references: slots.filter(|(kind, _)| **kind == Kind::Ref).map(|(_, slot)| slot).collect(),
            has_wide: kinds.iter().any(|kind| kind.is_wide()),
        }
    }
}

/// Which slots are final fields.
#[derive(Clone, Default)]
pub struct Finals {
    /// Of an instance, those of superclasses first.
    pub instance: Vec<bool>,
    /// Of the static fields.
    pub statics: Vec<bool>,
}

/// The index of a field or method that the machine made and that is in no class file.
pub const MADE: u16 = u16::MAX;

/// A method.
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags.
    pub flags: u16,
    /// The kinds of its parameters and its result.
    pub signature: Signature,
    /// How many slots the arguments take, the receiver included.
    pub n_args: u16,
    /// Local variables.
    pub max_locals: u16,
    /// Depth of the operand stack.
    pub max_stack: u16,
    /// Its index in the class file.
    pub index: u16,
    /// A number made from its name: see `vm::view`.
    pub site: OnceLock<u64>,
    /// Its code, decoded when it is first run.
    pub code: OnceLock<Result<Code, Flaw>>,
    /// The native method that the machine runs instead, if any. Looked up when the method is first called.
    pub native: OnceLock<Option<crate::native::Effect>>,
}

impl Class {
    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.flags & flags::INTERFACE != 0
    }

    /// Whether it is an array class.
    #[must_use]
    pub fn is_array(&self) -> bool {
        matches!(self.form, Form::Array(_))
    }

    /// Whether it is `int` or another primitive type.
    #[must_use]
    pub fn is_primitive(&self) -> bool {
        matches!(self.form, Form::Primitive(_))
    }

    /// Whether an instance of it is an instance of `other`, except for arrays of references.
    #[inline]
    #[must_use]
    pub fn is_below(&self, other: ClassId) -> bool {
        self.supertypes.binary_search(&other).is_ok()
    }
}

impl Method {
    /// Whether it has no receiver.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }

    /// Whether it holds a monitor while it runs.
    #[must_use]
    pub fn is_synchronized(&self) -> bool {
        self.flags & flags::SYNCHRONIZED != 0
    }

    /// Whether the class file has no code for it because the JDK's native libraries do.
    #[must_use]
    pub fn is_native(&self) -> bool {
        self.flags & flags::NATIVE != 0
    }

    /// Whether the machine made it. Programs do not see the frames of such methods.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.index == MADE
    }

    /// Whether it must be overridden.
    #[must_use]
    pub fn is_abstract(&self) -> bool {
        self.flags & flags::ABSTRACT != 0
    }
}

/// The name, with slashes, of the class in a class file.
///
/// # Errors
/// The flaw of the file.
pub fn name_of(bytes: &[u8]) -> Result<String, Flaw> {
    let file = ClassFile::from_bytes(bytes).map_err(Flaw::File)?;
    let name = file.class_name().map_err(Flaw::File)?;
    Ok(name.to_str_lossy().into_owned())
}
