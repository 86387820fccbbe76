//! What the dynamic extension adds to the intermediate form: pointers, objects, functions, scopes.
//!
//! A pointer is a 32-bit value. Its upper half is the object's number; its lower half is an offset in the
//! object's contents and a bit that is set if a whole array is meant. Zero is null, object 1 is the globals.
//! A channel of an object is named in the same way, with its ordinal in the lower half. A channel outside all
//! objects has its number there and object 0.

use super::{ChannelTypeId, Expr, Notation, Proctype, Scalar, ScalarPlace, Setup, Target, Type, Variable};
use crate::syntax::ast::Span;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A field that plain models do not have: with its default value it leaves the digest unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Added<T>(pub(crate) T);

impl<T: Hash + Default + PartialEq> Hash for Added<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.0 != T::default() {
            self.0.hash(state);
        }
    }
}

impl<T> Deref for Added<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// An access to a value through a pointer.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Through {
    /// The pointer's own value.
    pub(crate) pointer: Expr,
    /// The element of the array that it refers to.
    pub(crate) index: Option<Expr>,
    /// The type of what it refers to.
    pub(crate) pointee: Type,
    /// The size of one element.
    pub(crate) size: u32,
    /// The pointer's source text.
    pub(crate) name: Arc<str>,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// `&x`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Address {
    /// The target of the reference; for an array, its first element.
    pub(crate) place: ScalarPlace,
    /// The number of elements if an array is meant as a whole; otherwise one.
    pub(crate) length: u32,
    /// Its location in the source.
    pub(crate) span: Span,
}

/// The kind of reference that an expression is.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum LeftKind {
    /// `null`: fits every pointer.
    Null,
    /// A pointer, a function or a channel.
    Typed(Notation),
}

/// A reference among arguments or the fields of a message.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Either {
    /// The reference.
    pub(crate) left: Expr,
    /// Its kind.
    pub(crate) kind: LeftKind,
    /// The value that it refers to, if that has one.
    pub(crate) right: Option<Expr>,
}

/// A pointer among the fields of a receive, or as the target of a call.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct EitherTarget {
    /// The pointer.
    pub(crate) left: ScalarPlace,
    /// Its kind.
    pub(crate) kind: Notation,
    /// The value that it refers to, if that can be assigned.
    pub(crate) right: Option<ScalarPlace>,
}

/// A parameter, a result or a field of a message: what it holds.
pub(crate) type Formal = (Scalar, Notation);

/// `p = new T[n]`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct New {
    /// The pointer.
    pub(crate) target: ScalarPlace,
    /// The type of the object.
    pub(crate) object: u16,
    /// How many elements.
    pub(crate) count: Option<Expr>,
}

/// `delete(p)`
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Delete {
    /// The pointer.
    pub(crate) pointer: Expr,
    /// What it refers to.
    pub(crate) pointee: Type,
    /// As it is written.
    pub(crate) name: Arc<str>,
}

/// What is called.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Callee {
    /// A function.
    Direct(u16),
    /// The function that a variable refers to.
    Through(Expr),
}

/// A call.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Call {
    /// What is called.
    pub(crate) callee: Callee,
    /// The callee as it is written.
    pub(crate) name: Arc<str>,
    /// The arguments; of a direct call they are of the kinds of the parameters.
    pub(crate) args: Vec<Expr>,
    /// Where the result goes.
    pub(crate) result: Option<Target>,
    /// Whether the call stands inside an atomic sequence.
    pub(crate) in_atomic: bool,
}

/// What a function gives back.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Returned {
    /// The end of the body was reached.
    End,
    /// Nothing.
    Nothing,
    /// A value.
    Value(Expr),
    /// What another function gives back.
    Call(Call),
}

/// A function.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Function {
    /// Its body, laid out as that of a process: local offsets count from the contents of the frame.
    pub(crate) body: Proctype,
    /// What the parameters hold.
    pub(crate) formals: Vec<Formal>,
    /// What the result is.
    pub(crate) result: Option<Formal>,
    /// The type of its frames.
    pub(crate) object: u16,
    /// How people write its type.
    pub(crate) signature: Arc<str>,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ObjectKind {
    /// Made by `new`.
    Data(Type),
    /// An activation of a function.
    Frame(u16),
    /// The variables of a scope that pointers may refer to.
    Scope,
}

/// A type of objects.
#[derive(Clone, Debug, Hash)]
pub(crate) struct ObjectType {
    /// Its kind.
    pub(crate) kind: ObjectKind,
    /// Its name, for users.
    pub(crate) name: Arc<str>,
    /// The size of one element.
    pub(crate) size: u32,
    /// The offsets of references in an element.
    pub(crate) references: Vec<u32>,
    /// The channels of an element, which follow all elements.
    pub(crate) channels: Vec<ChannelTypeId>,
    /// The offset of each of them among the channels of its element.
    pub(crate) channel_offsets: Vec<u32>,
    /// The size of the channels of an element.
    pub(crate) channel_bytes: u32,
    /// The initial values of an element, where they are not zero.
    pub(crate) init: Vec<Init>,
    /// The variables of a scope, for listings.
    pub(crate) variables: Vec<Variable>,
}

impl ObjectType {
    /// The size of an object's contents.
    pub(crate) fn contents(&self, length: u16) -> usize {
        let values = (self.size as usize * usize::from(length)).next_multiple_of(4);
        values + self.channel_bytes as usize * usize::from(length)
    }

    /// The type and offset of a channel in the contents.
    pub(crate) fn channel(&self, length: u16, ordinal: usize) -> Option<(ChannelTypeId, usize)> {
        let element = ordinal.checked_div(self.channels.len())?;
        let which = ordinal % self.channels.len();
        if element >= usize::from(length) {
            return None;
        }
        let values = (self.size as usize * usize::from(length)).next_multiple_of(4);
        let start = values + element * self.channel_bytes as usize + self.channel_offsets[which] as usize;
        Some((self.channels[which], start))
    }
}

/// The initial value of a part of a new object.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Init {
    /// A value.
    Value(u32, Scalar, Expr),
    /// The next channel of the object.
    Channel(u32),
}

/// A scope with variables.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Scope {
    /// A byte of the record that is set while control is inside; `None` for the body.
    pub(crate) flag: Option<u32>,
    /// The offset of the record's reference to the object with the variables that pointers may refer to, and
    /// that object's type.
    pub(crate) object: Option<(u32, u16)>,
    /// The setup that runs at entry. That of a body is its [`Proctype::setup`].
    pub(crate) setup: Vec<Setup>,
    /// The bytes of the record (start and length) that are zero outside.
    pub(crate) bytes: Vec<(u32, u32)>,
}

/// Which scopes a transition enters and leaves.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct ScopeMove {
    /// The scopes around its statement, outermost first.
    pub(crate) inside: Vec<u16>,
    /// The scopes around the transition's target.
    pub(crate) after: Vec<u16>,
}

/// Whether pointers to these types may refer to the same objects: the types are equal by name.
pub(crate) fn same_pointee(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Record(a), Type::Record(b)) => a == b,
        (Type::Scalar(a, x), Type::Scalar(b, y)) => a == b && (plain(x) && plain(y) || x == y),
        _ => false,
    }
}

/// Whether a notation does not change the type of a scalar: `bool` is the same type as `bit`.
fn plain(notation: &Notation) -> bool {
    matches!(notation, Notation::Number | Notation::Bool)
}

impl Either {
    /// Whether it is a pointer, and not a channel or function.
    fn is_pointer(&self) -> bool {
        matches!(self.kind, LeftKind::Typed(Notation::Pointer(_)))
    }

    /// Whether the reference fits where a reference of kind `wanted` is expected.
    pub(crate) fn fits(&self, wanted: &Notation) -> bool {
        match (&self.kind, wanted) {
            (LeftKind::Null, Notation::Pointer(_) | Notation::Function) => true,
            (LeftKind::Typed(Notation::Pointer(a)), Notation::Pointer(b)) => same_pointee(a, b),
            (LeftKind::Typed(a), b) => a == b,
            (LeftKind::Null, _) => false,
        }
    }
}

/// Whether holders of this kind take references.
#[inline]
pub(crate) fn takes_reference((scalar, notation): &Formal) -> bool {
    *scalar == Scalar::Pointer || matches!(notation, Notation::Pointer(_) | Notation::Function)
}

impl Expr {
    /// The expression whose value goes into a parameter or field, if there is one.
    pub(crate) fn for_formal(&self, formal: &Formal) -> Option<&Expr> {
        match self {
            Self::Either(either) if formal.1 == Notation::Chan && either.is_pointer() => {
                either.right.as_ref()
            }
            Self::Either(either) if takes_reference(formal) => either.fits(&formal.1).then_some(&either.left),
            Self::Either(either) => either.right.as_ref(),
            Self::Const(0) if formal.1 == Notation::Chan => Some(self),
            _ => (!takes_reference(formal)).then_some(self),
        }
    }
}

impl Target {
    /// The variable that takes a value of this kind, if there is one; `Some(None)` if the value is dropped.
    pub(crate) fn for_formal(&self, formal: &Formal) -> Option<Option<&ScalarPlace>> {
        match self {
            Self::Discard | Self::Forgotten(_) => Some(None),
            Self::Place(place) => (!takes_reference(formal)).then_some(Some(place)),
            Self::Priority => None,
            Self::Either(either) if takes_reference(formal) => {
                let fits = match (&either.kind, &formal.1) {
                    (Notation::Pointer(a), Notation::Pointer(b)) => same_pointee(a, b),
                    (a, b) => a == b,
                };
                fits.then_some(Some(&either.left))
            }
            Self::Either(either) => either.right.as_ref().map(Some),
        }
    }
}
