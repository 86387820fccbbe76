//! Flaws of class files: the rules that a file can break, and their messages.

use super::file::Malformed;
use super::registry::LoadError;
use std::fmt;
use std::sync::Arc;

/// A flaw of a class file or of the code in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The file is not a well-formed class file.
    File(Malformed),
    /// A constant refers to something that does not exist.
    Pool(Malformed),
    /// A class that the code names cannot be loaded.
    Class(LoadError),
    /// A broken rule without further data.
    Rule(Rule),
    /// An instruction that is reserved, by its opcode.
    Reserved(u8),
    /// A value of another type than needed; both in words.
    Mismatch {
        /// The type found.
        found: Arc<str>,
        /// The type needed.
        needed: Arc<str>,
    },
    /// A call of a method that only the machine may call, by its name.
    Called(Arc<str>),
    /// A method is called as a superclass's, but its class is not a superclass.
    NotASuperclass(Arc<str>),
    /// A local variable does not hold what the code expects.
    Local {
        /// The number of the variable.
        n: u16,
        /// The problem, as the end of a sentence.
        holds: &'static str,
    },
}

impl From<Rule> for Flaw {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl From<Malformed> for Flaw {
    fn from(problem: Malformed) -> Self {
        Self::Pool(problem)
    }
}

impl From<LoadError> for Flaw {
    fn from(error: LoadError) -> Self {
        Self::Class(error)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(problem) => write!(f, "not a class file: {problem}"),
            Self::Pool(problem) => problem.fmt(f),
            Self::Class(error) => error.fmt(f),
            Self::Rule(rule) => f.write_str(rule.words()),
            Self::Reserved(opcode) => write!(f, "{opcode} is not an instruction of a program"),
            Self::Mismatch { found, needed } => write!(f, "{found} where {needed} is needed"),
            Self::Called(name) => write!(f, "{name} is called"),
            Self::NotASuperclass(class) => write!(f, "a method of {class} is called as a superclass's"),
            Self::Local { n, holds } => write!(f, "local variable {n} {holds}"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Declares the rules with their messages.
macro_rules! rules {
    ($($name:ident $words:literal)*) => {
        /// A rule that class files must obey.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $(#[doc = concat!("Broken: ", $words, ".")] $name,)*
        }

        impl Rule {
            /// The message for a file that breaks it.
            #[must_use]
            pub fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }
        }
    };
}

rules! {
    NoFile "no class file"
    NoCode "no code"
    JumpOut "a jump leads out of the code"
    EndReached "the end of the code can be reached"
    StackDepths "two ways meet with stacks of different depths"
    ConstantKind "a constant is not of the kind that an instruction needs"
    Descriptor "a bad descriptor"
    EmptyStack "the operand stack is empty"
    DeepStack "the operand stack is too deep"
    NoLocal "there is no such local variable"
    NoTypes "no types are known"
    CaughtOther "something that is no exception is caught"
    FewLocals "there are fewer local variables than parameters"
    NotAClass "a constant is no class"
    NotAMember "a constant is no field or method"
    NotACallSite "a constant is no call site"
    ArrayKind "an array of another kind is needed"
    HalfMoved "half of a long or double is moved"
    HalfStored "half of a long or double is stored"
    ConstantSize "a constant has the wrong size"
    ConstantLoaded "a constant cannot be loaded"
    ConstructorValue "a constructor gives a value"
    NothingMade "nothing was made"
    OtherConstructor "the constructor of another class is called"
    EarlyField "a field of an uninitialised object is set"
    Unborn "a constructor calls no other one"
    ValueReturned "a value is given back"
    OtherReturned "no such value is given back"
    StrayRet "a subroutine ends that was not begun"
    ManySubroutines "subroutines call each other too often"
    RecursiveSubroutine "a subroutine calls itself"
    OwnOperation "an operation of the machine's own"
    ArrayAsObject "an array is made as an object"
    LeftBehind "an uninitialised object is left behind"
    FewDimensions "an array has fewer dimensions than are made"
}
