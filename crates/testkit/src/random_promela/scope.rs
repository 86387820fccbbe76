//! What names are visible: places (anything that holds a number), channels and structures, in nested frames.
//!
//! A name is only ever offered where SPIN resolves it to the same declaration. SPIN refuses a declaration
//! whose name is visible already, from whatever level, but lets blocks beside each other use the same names.

use super::feature::Feature;

/// A basic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u32),
    Pid,
    /// An mtype; the number is that of its set of names.
    Mtype(usize),
}

impl Ty {
    /// Values are never negative, so `x % n` is an index.
    pub(super) fn is_unsigned(self) -> bool {
        !matches!(self, Ty::Short | Ty::Int)
    }

    /// Holds every value of `other`.
    pub(super) fn holds(self, other: Ty) -> bool {
        let range = |ty: Ty| match ty {
            Ty::Bit | Ty::Bool => (0, 1),
            Ty::Byte | Ty::Pid | Ty::Mtype(_) => (0, 255),
            Ty::Unsigned(bits) => (0, (1 << bits) - 1),
            Ty::Short => (-32768, 32767),
            Ty::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        };
        let (mine, others) = (range(self), range(other));
        mine.0 <= others.0 && others.1 <= mine.1
    }

    /// `x++` alone runs through few values.
    pub(super) fn wraps_soon(self) -> bool {
        matches!(self, Ty::Bit | Ty::Bool) || matches!(self, Ty::Unsigned(bits) if bits <= 3)
    }

    pub(super) fn feature(self) -> Feature {
        match self {
            Ty::Bit => Feature::TypeBit,
            Ty::Bool => Feature::TypeBool,
            Ty::Byte => Feature::TypeByte,
            Ty::Short => Feature::TypeShort,
            Ty::Int => Feature::TypeInt,
            Ty::Unsigned(_) => Feature::TypeUnsigned,
            Ty::Pid => Feature::TypePid,
            Ty::Mtype(_) => Feature::TypeMtype,
        }
    }
}

/// One step of a path such as `t.r[1].a`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seg {
    pub name: String,
    pub len: Option<u32>,
}

/// Something that holds a number: a variable, an array's elements, a field.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub segs: Vec<Seg>,
    pub ty: Ty,
    /// Assignments keep to about this many values, which keeps state spaces small.
    pub domain: u32,
    pub writable: bool,
}

impl Place {
    pub(super) fn scalar(name: &str, ty: Ty, domain: u32) -> Self {
        Place { segs: vec![Seg { name: name.to_string(), len: None }], ty, domain, writable: true }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.segs.len() == 1 && self.segs[0].len.is_none()
    }
}

/// A field of a channel's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Scalar(Ty),
    /// A structure, by the number of its typedef.
    Struct(usize),
    /// A channel, by the number of its signature.
    Chan(usize),
}

/// The kind of a channel: what its messages hold and whether it is a rendezvous channel.
#[derive(Clone, Debug)]
pub(super) struct Sig {
    pub fields: Vec<Field>,
    pub rendezvous: bool,
}

/// A channel, or a variable that always holds one.
#[derive(Clone, Debug)]
pub(super) struct ChanName {
    pub segs: Vec<Seg>,
    pub sig: usize,
    /// A variable that another channel can be assigned to or received into.
    pub variable: bool,
}

/// A variable of a structure type.
#[derive(Clone, Debug)]
pub(super) struct StructVar {
    pub segs: Vec<Seg>,
    pub def: usize,
}

/// What a member of a typedef is.
#[derive(Clone, Debug)]
pub(super) enum MemberKind {
    Scalar(Ty, u32),
    Struct(usize),
    Chan(usize),
}

/// A member of a typedef.
#[derive(Clone, Debug)]
pub(super) struct StructMember {
    pub name: String,
    pub len: Option<u32>,
    pub kind: MemberKind,
}

/// A typedef.
#[derive(Clone, Debug)]
pub(super) struct TypeDef {
    pub name: String,
    pub members: Vec<StructMember>,
}

impl TypeDef {
    /// It can be a field of a message: no channels, structures or widths inside.
    pub(super) fn is_plain_data(&self) -> bool {
        self.members
            .iter()
            .all(|m| matches!(m.kind, MemberKind::Scalar(ty, _) if !matches!(ty, Ty::Unsigned(_))))
    }
}

/// The names declared in one block.
#[derive(Clone, Debug, Default)]
pub(super) struct ScopeFrame {
    pub places: Vec<Place>,
    pub chans: Vec<ChanName>,
    pub structs: Vec<StructVar>,
}

impl ScopeFrame {
    /// Adds a variable of a structure type, with all that can be reached through it.
    pub(super) fn add_struct(&mut self, segs: Vec<Seg>, def: usize, defs: &[TypeDef]) {
        for member in &defs[def].members {
            let mut path = segs.clone();
            path.push(Seg { name: member.name.clone(), len: member.len });
            match member.kind {
                MemberKind::Scalar(ty, domain) => {
                    self.places.push(Place { segs: path, ty, domain, writable: true });
                }
                MemberKind::Struct(inner) => self.add_struct(path, inner, defs),
                MemberKind::Chan(sig) => self.chans.push(ChanName { segs: path, sig, variable: false }),
            }
        }
        self.structs.push(StructVar { segs, def });
    }
}

/// The frames from the globals inwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub frames: Vec<ScopeFrame>,
    /// The names declared in each pair of braces that is open. Only braces make a scope in SPIN: what an
    /// option of a choice declares stays declared behind it.
    pub blocks: Vec<Vec<String>>,
}

impl Scope {
    pub(super) fn places(&self) -> Vec<Place> {
        self.frames.iter().flat_map(|f| f.places.iter().cloned()).collect()
    }

    pub(super) fn chans(&self) -> Vec<ChanName> {
        self.frames.iter().flat_map(|f| f.chans.iter().cloned()).collect()
    }

    pub(super) fn structs(&self) -> Vec<StructVar> {
        self.frames.iter().flat_map(|f| f.structs.iter().cloned()).collect()
    }

    /// The innermost frame.
    pub(super) fn top(&mut self) -> &mut ScopeFrame {
        if self.frames.is_empty() {
            self.frames.push(ScopeFrame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Whether braces that are open declare the name.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.blocks.iter().flatten().any(|n| n == name)
    }

    /// Notes a declaration in the innermost braces.
    pub(super) fn note(&mut self, name: &str) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(name.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_leave_with_their_frame() {
        let mut scope = Scope::default();
        scope.top().places.push(Place::scalar("a", Ty::Byte, 3));
        scope.frames.push(ScopeFrame::default());
        scope.blocks.push(Vec::new());
        scope.top().places.push(Place::scalar("b", Ty::Int, 3));
        scope.note("b");
        assert!(scope.is_declared("b") && scope.places().len() == 2);
        scope.frames.pop();
        scope.blocks.pop();
        assert!(!scope.is_declared("b") && scope.places().len() == 1);
    }
}
