//! Why a Java program cannot be made ready to run, or cannot go on outside of a search.

use crate::class::registry::LoadError;
use crate::gap::Gap;
use crate::source::NotAJar;
use crate::vm::machine::Trap;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Why a program cannot be made ready to run.
#[derive(Debug)]
pub enum Error {
    /// A file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// An entry of the class path is neither a directory nor a jar file.
    NotAJar(PathBuf, NotAJar),
    /// There is no JDK where one was searched for.
    NoJdk,
    /// The JDK is older than its class library may be.
    OldJdk(PathBuf),
    /// A directory is not a JDK: it lacks the file.
    NotAJdk(PathBuf, PathBuf),
    /// A file is not a class library.
    NotALibrary(PathBuf),
    /// A class library is compressed: the name of a file in it.
    Compressed(PathBuf, String),
    /// A class library is not whole: what is wrong with it.
    Damaged(PathBuf, Damage),
    /// The class library lacks something that the machine needs, by its name.
    LibraryLacks(String),
    /// The class library cannot be started: a class or method waits or ends the process.
    LibraryStuck(String),
    /// A class of the class library cannot be had.
    LibraryClass(LoadError),
    /// The main class, by its name with dots, is not on the class path.
    NoMainClass(String),
    /// The main class, by its name with dots, cannot be loaded.
    MainClass(String, LoadError),
    /// The main class, by its name with dots, has no main method.
    NoMainMethod(String),
    /// The main method of a class, by its name with dots, is not public and static.
    MainNotPublic(String),
    /// A class, by its name with dots, has no test methods.
    NoTests(String),
    /// A class has no test method of this name.
    NoTest(String, String),
    /// Of the process with this name, if there are several.
    OfProcess(String, Box<Error>),
    /// Something that the machine does not do.
    Unsupported(Box<Gap>),
    /// The program does not begin: what its first operation ends with.
    NotBegun(Trap),
    /// The first schedule contradicts an assumption of the program.
    Rejected,
    /// The first schedule comes to a deadlock.
    Deadlock,
    /// Other programs use the class library already, so that it cannot be changed.
    InUse,
}

/// What is wrong with the file of a class library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It ends within its header.
    Header,
    /// It ends within its index.
    Index,
    /// The index has an entry that is none.
    Entry,
    /// It ends before the contents of an entry, by its name.
    Contents(String),
    /// The index does not lead to an entry, by its name.
    Lost(String),
    /// It has no `java.lang.Object`.
    NoObject,
}

impl Error {
    /// For errors of reading a file.
    pub(crate) fn unreadable(file: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Unreadable(file.to_path_buf(), error)
    }
}

impl From<Trap> for Error {
    fn from(trap: Trap) -> Self {
        match trap {
            Trap::Unsupported(gap) => Self::Unsupported(gap),
            trap => Self::NotBegun(trap),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("it ends within its header"),
            Self::Index => f.write_str("it ends within its index"),
            Self::Entry => f.write_str("its index makes no sense"),
            Self::Contents(name) => write!(f, "it ends before {name}"),
            Self::Lost(name) => write!(f, "its index does not lead to {name}"),
            Self::NoObject => f.write_str("it has no java.lang.Object"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "cannot read {}: {error}", file.display()),
            Self::NotAJar(file, problem) => write!(f, "{} is no jar file: {problem}", file.display()),
            Self::NoJdk => f.write_str("no JDK found: set JAVA_HOME, or put java on the PATH"),
            Self::OldJdk(home) => {
                write!(f, "the JDK at {} is older than 9: JDK 17 or newer is needed", home.display())
            }
            Self::NotAJdk(home, file) => {
                write!(f, "{} is no JDK: {} is missing", home.display(), file.display())
            }
            Self::NotALibrary(file) => write!(f, "{} is no class library of a JDK", file.display()),
            Self::Compressed(file, name) => {
                write!(f, "{} is compressed, which is unsupported: {name} cannot be read", file.display())
            }
            Self::Damaged(file, damage) => {
                write!(f, "{} is damaged: {damage}; the JDK has to be installed again", file.display())
            }
            Self::LibraryLacks(what) => write!(f, "the class library lacks {what}"),
            Self::LibraryStuck(what) => {
                write!(f, "the class library cannot be started: {what} does not come to its end")
            }
            Self::LibraryClass(error) => write!(f, "the class library cannot be started: {error}"),
            Self::NoMainClass(class) => write!(f, "class {class} is not on the class path"),
            Self::MainClass(class, error) => write!(f, "class {class} cannot be loaded: {error}"),
            Self::NoMainMethod(class) => {
                write!(f, "class {class} has no method public static void main(String[])")
            }
            Self::NoTests(class) => write!(f, "class {class} has no test methods"),
            Self::NoTest(class, test) => write!(f, "class {class} has no test method {test}"),
            Self::MainNotPublic(class) => write!(f, "the main method of {class} is not public static"),
            Self::OfProcess(name, error) => write!(f, "process {name}: {error}"),
            Self::Unsupported(gap) => gap.fmt(f),
            Self::NotBegun(trap) => trap.fmt(f),
            Self::Rejected => f.write_str("the first schedule contradicts an assumption"),
            Self::Deadlock => f.write_str("deadlock"),
            Self::InUse => f.write_str("the class library is in use already"),
        }
    }
}

impl std::error::Error for Error {}
