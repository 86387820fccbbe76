//! Fields of the class library that are never written once their object is known to other threads, so that
//! reading them is not an operation that others could tell the time of.

use crate::class::ClassId;
use crate::gap::Gap;
use crate::vm::Vm;
use crate::vm::machine::Exec;

/// A field that is never written once its object is known to other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// `clazz` of a `Method`, `Constructor` or `Field`: final, or written where the machine makes the object.
    MemberClass,
    /// `slot` of the same.
    MemberSlot,
    /// `name` of a `Field`: final.
    FieldName,
    /// `type` of a `Field`: final.
    FieldType,
    /// `modifiers` of a `Field`: final.
    FieldModifiers,
    /// `trustedFinal` of a `Field`: final.
    FieldTrusted,
    /// `lookupClass` of a `Lookup`: final.
    LookupClass,
    /// `allowedModes` of a `Lookup`: final.
    LookupModes,
    /// `ptypes` of a `MethodType`: final.
    TypeParameters,
    /// `rtype` of a `MethodType`: final.
    TypeResult,
    /// `type` of a `MethodHandle`: final, written where the machine makes the handle.
    HandleType,
    /// `path` of a `File`: final.
    FilePath,
    /// `path` of a `UnixPath`: final.
    PathBytes,
    /// `fd` of a `FileInputStream` or `FileOutputStream`: final.
    StreamDescriptor,
    /// `url` of a `URLConnection`: written by its constructor.
    ConnectionUrl,
    /// `file` of a `URL`: written by its constructor (and by handlers that it calls).
    UrlFile,
    /// `zsRef` of an `Inflater`: final.
    InflaterStream,
    /// `unnamedModule` of a `ClassLoader`: final.
    LoaderModule,
    /// `nameAndId` of a `ClassLoader`: final.
    LoaderName,
    /// `parent` of a `ThreadGroup`: final.
    GroupParent,
    /// The method of an accessor for reflection: final.
    AccessorMethod,
    /// The constructor of an accessor for reflection: final.
    AccessorConstructor,
    /// `retainClassRef` of a `StackWalker`: final.
    WalkerRetains,
    /// What a stack frame object is about: written by the walk that gives it to the program.
    FrameNote,
}

impl Fixed {
    /// Where it is in an object of a class.
    ///
    /// # Errors
    /// If the class library has no such field.
    pub(super) fn slot(self, vm: &Vm, class: ClassId) -> Exec<u32> {
        let own = vm.classes.name(class);
        let (owner, field) = match self {
            Self::MemberClass => (own, "clazz"),
            Self::MemberSlot => (own, "slot"),
            Self::FieldName => ("java/lang/reflect/Field", "name"),
            Self::FieldType => ("java/lang/reflect/Field", "type"),
            Self::FieldModifiers => ("java/lang/reflect/Field", "modifiers"),
            Self::FieldTrusted => ("java/lang/reflect/Field", "trustedFinal"),
            Self::LookupClass => ("java/lang/invoke/MethodHandles$Lookup", "lookupClass"),
            Self::LookupModes => ("java/lang/invoke/MethodHandles$Lookup", "allowedModes"),
            Self::TypeParameters => ("java/lang/invoke/MethodType", "ptypes"),
            Self::TypeResult => ("java/lang/invoke/MethodType", "rtype"),
            Self::HandleType => ("java/lang/invoke/MethodHandle", "type"),
            Self::PathBytes => ("sun/nio/fs/UnixPath", "path"),
            Self::FilePath => ("java/io/File", "path"),
            Self::StreamDescriptor if vm.classes.slot(own, "fd").is_none() => {
                // A subclass of one of the two.
                let parents = ["java/io/FileInputStream", "java/io/FileOutputStream"];
                let is_below =
                    |name: &&str| vm.classes.load(name).is_ok_and(|id| vm.class(class).is_below(id));
                (parents.into_iter().find(is_below).unwrap_or(own), "fd")
            }
            Self::StreamDescriptor => (own, "fd"),
            Self::ConnectionUrl => ("java/net/URLConnection", "url"),
            Self::UrlFile => ("java/net/URL", "file"),
            Self::InflaterStream => ("java/util/zip/Inflater", "zsRef"),
            Self::LoaderModule => ("java/lang/ClassLoader", "unnamedModule"),
            Self::LoaderName => ("java/lang/ClassLoader", "nameAndId"),
            Self::GroupParent => ("java/lang/ThreadGroup", "parent"),
            Self::AccessorMethod => ("jdk/internal/reflect/NativeMethodAccessorImpl", "method"),
            Self::AccessorConstructor => ("jdk/internal/reflect/NativeConstructorAccessorImpl", "c"),
            Self::WalkerRetains => ("java/lang/StackWalker", "retainClassRef"),
            Self::FrameNote => match vm.classes.slot("java/lang/StackFrameInfo", "memberName") {
                Some(slot) => return Ok(slot),
                None => ("java/lang/ClassFrameInfo", "classOrMemberName"),
            },
        };
        let missing = || Gap::Library(format!("{owner}.{field}")).into();
        vm.classes.slot(owner, field).ok_or_else(missing)
    }
}
