//! Class files: reads those of Java 1.0.2 to 25 (JVMS 4).
//!
//! Violations of the format are errors here: files that end early, constants or instructions that do not
//! exist, jumps into the middle of an instruction. References to constants of a wrong kind are found when
//! they are used. Attributes that the machine does not need are skipped. Annotations are kept as bytes,
//! because the class library parses them.

mod attribute;
mod body;
mod constants;
mod malformed;
mod reader;
mod text;

pub use attribute::{
    Attribute, BootstrapMethod, InnerClass, LocalVariable, Module, Parameter, RecordComponent,
};
pub use body::Body;
pub use constants::{Constant, ConstantPool};
pub use malformed::Malformed;
pub use text::Text;

use attribute::Owner;
use reader::Reader;

/// The first bytes of a class file.
const MAGIC: u32 = 0xcafe_babe;

/// The versions that are read: that of Java 1.0.2 to that of Java 25.
const MAJOR_VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

/// The access flags that the specification knows, of classes, fields and methods.
const CLASS_FLAGS: u16 = 0xf631;
const FIELD_FLAGS: u16 = 0x50df;
const METHOD_FLAGS: u16 = 0x1dff;

/// A class file.
#[derive(Debug)]
pub struct ClassFile {
    /// Its constants.
    pub constant_pool: ConstantPool,
    /// Its access flags.
    pub access_flags: u16,
    /// The pool index of its own name.
    pub this_class: u16,
    /// The pool index of its superclass, or zero.
    pub super_class: u16,
    /// The pool indices of its superinterfaces.
    pub interfaces: Vec<u16>,
    /// The fields it declares.
    pub fields: Vec<Member>,
    /// The methods it declares.
    pub methods: Vec<Member>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A field or a method.
#[derive(Debug)]
pub struct Member {
    /// Its access flags.
    pub access_flags: u16,
    /// The pool index of its name.
    pub name_index: u16,
    /// The pool index of its descriptor.
    pub descriptor_index: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

impl ClassFile {
    /// Reads a class file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let magic = reader.word()?;
        if magic != MAGIC {
            return Err(Malformed::Magic(magic));
        }
        let (minor, major) = (reader.half()?, reader.half()?);
        // Since Java 12 the minor version only marks preview features.
        if !MAJOR_VERSIONS.contains(&major) || major >= 56 && minor != 0 && minor != u16::MAX {
            return Err(Malformed::Version { major, minor });
        }
        let constant_pool = ConstantPool::read(&mut reader)?;
        let access_flags = reader.half()? & CLASS_FLAGS;
        let (this_class, super_class) = (reader.half()?, reader.half()?);
        let interfaces = reader.halves()?;
        let fields = reader.list(|reader| Member::read(&constant_pool, reader, FIELD_FLAGS, Owner::Other))?;
        let methods =
            reader.list(|reader| Member::read(&constant_pool, reader, METHOD_FLAGS, Owner::Method))?;
        let attributes = attribute::read_all(&constant_pool, &mut reader, Owner::Class)?;
        Ok(Self {
            constant_pool,
            access_flags,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Its own name, with slashes.
    ///
    /// # Errors
    /// If it has none.
    pub fn class_name(&self) -> Result<&Text, Malformed> {
        self.constant_pool.try_get_class(self.this_class)
    }
}

impl Member {
    fn read(
        pool: &ConstantPool,
        reader: &mut Reader<'_>,
        flags: u16,
        owner: Owner,
    ) -> Result<Self, Malformed> {
        Ok(Self {
            access_flags: reader.half()? & flags,
            name_index: reader.half()?,
            descriptor_index: reader.half()?,
            attributes: attribute::read_all(pool, reader, owner)?,
        })
    }

    /// The code of a method.
    #[must_use]
    pub fn body(&self) -> Option<&Body> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Code(body) => Some(body),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
