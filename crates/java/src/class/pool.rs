//! The constants of a class, and the results of resolving them.

use super::descriptor::Kind;
use super::file::{Constant as Raw, ConstantPool};
use super::flaw::Flaw;
use super::symbol::{Symbol, Symbols};
use super::{ClassId, MethodId};
use std::sync::OnceLock;

/// A constant, its names interned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Not something that code refers to.
    Other,
    /// An `int`.
    Int(i32),
    /// A `float`.
    Float(f32),
    /// A `long`.
    Long(i64),
    /// A `double`.
    Double(f64),
    /// A class by its name.
    Class(Symbol),
    /// A string: the pool index of its text.
    String(u16),
    /// A field or a method of a class: class, name, descriptor.
    Member(Symbol, Symbol, Symbol),
    /// A method handle: its kind (JVMS 5.4.3.5) and the pool index of the member.
    MethodHandle(u8, u16),
    /// A method type by its descriptor.
    MethodType(Symbol),
    /// A computed constant: bootstrap method, name, descriptor.
    Dynamic(u16, Symbol, Symbol),
    /// A call site: bootstrap method, name, descriptor.
    CallSite(u16, Symbol, Symbol),
}

/// The result of resolving a constant.
#[derive(Clone, Copy, Debug)]
pub enum Resolved {
    /// A class.
    Class(ClassId),
    /// An object of the base image: a string, a method type, a method handle.
    Object(u32),
    /// A field.
    Field(FieldRef),
    /// A method; for a call site the method made for it.
    Method(MethodRef),
}

/// A resolved field.
#[derive(Clone, Copy, Debug)]
pub struct FieldRef {
    /// The class that declares it.
    pub class: ClassId,
    /// Its slot.
    pub slot: u32,
    /// The kind of its values.
    pub kind: Kind,
    /// Its access flags.
    pub flags: u16,
}

/// A resolved method.
#[derive(Clone, Copy, Debug)]
pub struct MethodRef {
    /// The method named, which the receiver's class may override.
    pub method: MethodId,
    /// How many slots its arguments take, the receiver included.
    pub n_args: u16,
    /// Whether it has no receiver.
    pub is_static: bool,
}

/// All constants of a class.
#[derive(Default)]
pub struct Pool {
    constants: Box<[Constant]>,
    resolved: Box<[OnceLock<Resolved>]>,
}

impl Pool {
    /// Reads the constants of a class file.
    ///
    /// # Errors
    /// If a constant refers to something that does not exist.
    pub fn read(raw: &ConstantPool, symbols: &Symbols) -> Result<Self, Flaw> {
        let len = raw.len();
        let mut constants = vec![Constant::Other; len];
        for idx in 1..len {
            let idx = idx as u16;
            if let Some(constant) = raw.get(idx) {
                constants[usize::from(idx)] = read_one(raw, constant, symbols)?;
            }
        }
        Ok(Self {
            resolved: constants.iter().map(|_| OnceLock::new()).collect(),
            constants: constants.into(),
        })
    }

    /// Adds a second constant like the one at `idx`, to be resolved by itself; `None` if there is no room.
    pub fn repeat(&mut self, idx: u16) -> Option<u16> {
        let new = u16::try_from(self.constants.len()).ok()?;
        let constant = self.get(idx);
        let mut constants = std::mem::take(&mut self.constants).into_vec();
        constants.push(constant);
        self.resolved = constants.iter().map(|_| OnceLock::new()).collect();
        self.constants = constants.into();
        Some(new)
    }

    /// A constant.
    #[must_use]
    pub fn get(&self, idx: u16) -> Constant {
        self.constants.get(usize::from(idx)).copied().unwrap_or(Constant::Other)
    }

    /// The result of resolving it, if it has been resolved.
    #[inline]
    #[must_use]
    pub fn resolved(&self, idx: u16) -> Option<&Resolved> {
        self.resolved.get(usize::from(idx))?.get()
    }

    /// Records the result of resolving it. The first result is kept.
    pub fn resolve(&self, idx: u16, resolved: Resolved) -> Resolved {
        *self.resolved[usize::from(idx)].get_or_init(|| resolved)
    }
}

fn text(raw: &ConstantPool, idx: u16, symbols: &Symbols) -> Result<Symbol, Flaw> {
    let text = raw.try_get_utf8(idx)?;
    Ok(symbols.intern(&text.to_str_lossy()))
}

fn name_and_type(raw: &ConstantPool, idx: u16, symbols: &Symbols) -> Result<(Symbol, Symbol), Flaw> {
    let (name, descriptor) = raw.try_get_name_and_type(idx)?;
    Ok((text(raw, name, symbols)?, text(raw, descriptor, symbols)?))
}

fn read_one(raw: &ConstantPool, constant: &Raw, symbols: &Symbols) -> Result<Constant, Flaw> {
    Ok(match *constant {
        Raw::Integer(value) => Constant::Int(value),
        Raw::Float(value) => Constant::Float(value),
        Raw::Long(value) => Constant::Long(value),
        Raw::Double(value) => Constant::Double(value),
        Raw::Class(name) => Constant::Class(text(raw, name, symbols)?),
        Raw::String(text) => Constant::String(text),
        Raw::Member { class_index, name_and_type_index } => {
            let class = raw.try_get_class(class_index)?;
            let (name, descriptor) = name_and_type(raw, name_and_type_index, symbols)?;
            Constant::Member(symbols.intern(&class.to_str_lossy()), name, descriptor)
        }
        Raw::MethodHandle { reference_kind, reference_index } => {
            Constant::MethodHandle(reference_kind, reference_index)
        }
        Raw::MethodType(descriptor) => Constant::MethodType(text(raw, descriptor, symbols)?),
        Raw::Dynamic { bootstrap_method_attr_index, name_and_type_index } => {
            let (name, descriptor) = name_and_type(raw, name_and_type_index, symbols)?;
            Constant::Dynamic(bootstrap_method_attr_index, name, descriptor)
        }
        Raw::InvokeDynamic { bootstrap_method_attr_index, name_and_type_index } => {
            let (name, descriptor) = name_and_type(raw, name_and_type_index, symbols)?;
            Constant::CallSite(bootstrap_method_attr_index, name, descriptor)
        }
        Raw::Utf8(_) | Raw::NameAndType { .. } | Raw::Module(_) | Raw::Package(_) => Constant::Other,
    })
}
