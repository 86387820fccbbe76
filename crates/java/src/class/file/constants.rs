//! The constants of a class file (JVMS 4.4).

use super::malformed::Malformed;
use super::reader::Reader;
use super::text::Text;

/// A constant. Numbers called `index` are those of other constants.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub enum Constant {
    Utf8(Text),
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class(u16),
    String(u16),
    /// A field or a method, also of an interface.
    Member {
        class_index: u16,
        name_and_type_index: u16,
    },
    NameAndType {
        name_index: u16,
        descriptor_index: u16,
    },
    /// `reference_kind` is from 1 to 9 (JVMS 5.4.3.5).
    MethodHandle {
        reference_kind: u8,
        reference_index: u16,
    },
    MethodType(u16),
    Dynamic {
        bootstrap_method_attr_index: u16,
        name_and_type_index: u16,
    },
    InvokeDynamic {
        bootstrap_method_attr_index: u16,
        name_and_type_index: u16,
    },
    Module(u16),
    Package(u16),
}

/// The constants by their indices, which begin at one. After a `long` or `double` one index is not used.
#[derive(Debug)]
pub struct ConstantPool(Vec<Option<Constant>>);

impl ConstantPool {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = usize::from(reader.half()?);
        if count == 0 {
            return Err(Malformed::Broken("it has no constants"));
        }
        let mut constants = Vec::with_capacity(count + 1);
        constants.push(None);
        while constants.len() < count {
            let constant = Constant::read(reader)?;
            let is_wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
            constants.push(Some(constant));
            if is_wide {
                constants.push(None);
            }
        }
        Ok(Self(constants))
    }

    /// One more than the highest index.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "index zero is always there")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The constant of an index.
    #[must_use]
    pub fn get(&self, index: u16) -> Option<&Constant> {
        self.0.get(usize::from(index))?.as_ref()
    }

    /// A text.
    ///
    /// # Errors
    /// If the constant is another one, or none.
    pub fn try_get_utf8(&self, index: u16) -> Result<&Text, Malformed> {
        match self.get(index) {
            Some(Constant::Utf8(text)) => Ok(text),
            _ => Err(Malformed::Constant { index, is_not: "a text" }),
        }
    }

    /// The name of a class.
    ///
    /// # Errors
    /// If the constant is another one, or none.
    pub fn try_get_class(&self, index: u16) -> Result<&Text, Malformed> {
        match self.get(index) {
            Some(&Constant::Class(name)) => self.try_get_utf8(name),
            _ => Err(Malformed::Constant { index, is_not: "a class" }),
        }
    }

    /// The name of a package.
    ///
    /// # Errors
    /// If the constant is another one, or none.
    pub fn try_get_package(&self, index: u16) -> Result<&Text, Malformed> {
        match self.get(index) {
            Some(&Constant::Package(name)) => self.try_get_utf8(name),
            _ => Err(Malformed::Constant { index, is_not: "a package" }),
        }
    }

    /// The indices of a name and a descriptor.
    ///
    /// # Errors
    /// If the constant is another one, or none.
    pub fn try_get_name_and_type(&self, index: u16) -> Result<(u16, u16), Malformed> {
        match self.get(index) {
            Some(&Constant::NameAndType { name_index, descriptor_index }) => {
                Ok((name_index, descriptor_index))
            }
            _ => Err(Malformed::Constant { index, is_not: "a name with a descriptor" }),
        }
    }
}

impl Constant {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let tag = reader.byte()?;
        let mut half = || reader.half();
        Ok(match tag {
            1 => {
                let len = usize::from(half()?);
                Self::Utf8(Text::new(reader.bytes(len)?)?)
            }
            3 => Self::Integer(reader.word()? as i32),
            4 => Self::Float(f32::from_bits(reader.word()?)),
            5 => Self::Long(reader.long()? as i64),
            6 => Self::Double(f64::from_bits(reader.long()?)),
            7 => Self::Class(half()?),
            8 => Self::String(half()?),
            9..=11 => Self::Member { class_index: half()?, name_and_type_index: half()? },
            12 => Self::NameAndType { name_index: half()?, descriptor_index: half()? },
            15 => {
                let reference_kind = reader.byte()?;
                if !(1..=9).contains(&reference_kind) {
                    return Err(Malformed::Unknown {
                        number: reference_kind.into(),
                        is_not: "a kind of a method handle",
                    });
                }
                Self::MethodHandle { reference_kind, reference_index: reader.half()? }
            }
            16 => Self::MethodType(half()?),
            17 => Self::Dynamic { bootstrap_method_attr_index: half()?, name_and_type_index: half()? },
            18 => Self::InvokeDynamic { bootstrap_method_attr_index: half()?, name_and_type_index: half()? },
            19 => Self::Module(half()?),
            20 => Self::Package(half()?),
            tag => return Err(Malformed::Unknown { number: tag.into(), is_not: "a kind of a constant" }),
        })
    }
}
