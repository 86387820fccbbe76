//! What a class file says about a class, a field, a method or its code (JVMS 4.7): the attributes that the
//! machine needs.

use super::body::Body;
use super::constants::ConstantPool;
use super::malformed::Malformed;
use super::reader::Reader;

/// An attribute. Numbers called `index` are those of constants; `None` and zero stand for what is not there.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub enum Attribute {
    AnnotationDefault(Box<[u8]>),
    BootstrapMethods(Vec<BootstrapMethod>),
    Code(Body),
    ConstantValue(u16),
    EnclosingMethod {
        class_index: u16,
        method_index: u16,
    },
    Exceptions(Vec<u16>),
    InnerClasses(Vec<InnerClass>),
    /// First places, in bytes, and the lines.
    LineNumberTable(Vec<(u16, u16)>),
    LocalVariableTable(Vec<LocalVariable>),
    MethodParameters(Vec<Parameter>),
    Module(Module),
    NestHost(u16),
    NestMembers(Vec<u16>),
    PermittedSubclasses(Vec<u16>),
    Record(Vec<RecordComponent>),
    RuntimeVisibleAnnotations(Box<[u8]>),
    RuntimeVisibleParameterAnnotations(Box<[u8]>),
    RuntimeVisibleTypeAnnotations(Box<[u8]>),
    Signature(u16),
    SourceFile(u16),
    /// The places, in bytes, that it has frames for.
    StackMapTable(Vec<u32>),
    /// One that the machine does not need.
    Other,
}

/// A bootstrap method and its arguments.
#[derive(Debug)]
pub struct BootstrapMethod {
    /// The method handle.
    pub bootstrap_method_ref: u16,
    /// The constants it is called with.
    pub arguments: Vec<u16>,
}

/// A class that is a member, local or anonymous.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub struct InnerClass {
    pub class_info_index: u16,
    pub outer_class_info_index: u16,
    pub name_index: u16,
    pub access_flags: u16,
}

/// The name of a local variable at some places of the code, which are counted in bytes.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub struct LocalVariable {
    pub start_pc: u16,
    pub length: u16,
    pub name_index: u16,
    pub index: u16,
}

/// A parameter of a method.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub struct Parameter {
    pub name_index: u16,
    pub access_flags: u16,
}

/// A component of a record.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub struct RecordComponent {
    pub name_index: u16,
    pub descriptor_index: u16,
    pub attributes: Vec<Attribute>,
}

/// What a module lets others use. Each entry is the index of a package or class, and a list: the modules that
/// may use the package (none for all), or the classes that provide the service.
#[derive(Debug)]
#[allow(missing_docs, reason = "the names are those of the specification")]
pub struct Module {
    pub exports: Vec<(u16, Vec<u16>)>,
    pub opens: Vec<(u16, Vec<u16>)>,
    pub provides: Vec<(u16, Vec<u16>)>,
}

/// The access flags of inner classes and of parameters that the specification knows.
const INNER_CLASS_FLAGS: u16 = 0x761f;
const PARAMETER_FLAGS: u16 = 0x9010;

/// What attributes belong to. Attributes that have attributes themselves are read only where the
/// specification has them, so that they do not nest without end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Class,
    Method,
    /// A field, code, or a component of a record.
    Other,
}

/// All attributes of `owner`.
pub(super) fn read_all(
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
    owner: Owner,
) -> Result<Vec<Attribute>, Malformed> {
    reader.list(|reader| {
        let name = pool.try_get_utf8(reader.half()?)?.as_bytes();
        let len = reader.word()?;
        let contents = Reader::new(reader.bytes(len as usize)?);
        Attribute::read(pool, name, contents, owner)
    })
}

impl Attribute {
    fn read(
        pool: &ConstantPool,
        name: &[u8],
        mut reader: Reader<'_>,
        owner: Owner,
    ) -> Result<Self, Malformed> {
        let r = &mut reader;
        let attribute = match name {
            b"AnnotationDefault" => return Ok(Self::AnnotationDefault(r.rest().into())),
            b"RuntimeVisibleAnnotations" => return Ok(Self::RuntimeVisibleAnnotations(r.rest().into())),
            b"RuntimeVisibleParameterAnnotations" => {
                return Ok(Self::RuntimeVisibleParameterAnnotations(r.rest().into()));
            }
            b"RuntimeVisibleTypeAnnotations" => {
                return Ok(Self::RuntimeVisibleTypeAnnotations(r.rest().into()));
            }
            b"BootstrapMethods" => {
                Self::BootstrapMethods(r.list(|r| {
                    Ok(BootstrapMethod { bootstrap_method_ref: r.half()?, arguments: r.halves()? })
                })?)
            }
            b"Code" if owner == Owner::Method => Self::Code(Body::read(pool, r)?),
            b"ConstantValue" => Self::ConstantValue(r.half()?),
            b"EnclosingMethod" => Self::EnclosingMethod { class_index: r.half()?, method_index: r.half()? },
            b"Exceptions" => Self::Exceptions(r.halves()?),
            b"InnerClasses" => Self::InnerClasses(r.list(|r| {
                Ok(InnerClass {
                    class_info_index: r.half()?,
                    outer_class_info_index: r.half()?,
                    name_index: r.half()?,
                    access_flags: r.half()? & INNER_CLASS_FLAGS,
                })
            })?),
            b"LineNumberTable" => Self::LineNumberTable(r.list(|r| Ok((r.half()?, r.half()?)))?),
            b"LocalVariableTable" => Self::LocalVariableTable(r.list(|r| {
                let (start_pc, length, name_index) = (r.half()?, r.half()?, r.half()?);
                let _descriptor_index = r.half()?;
                Ok(LocalVariable { start_pc, length, name_index, index: r.half()? })
            })?),
            b"MethodParameters" => {
                let n_parameters = r.byte()?;
                let parameter = |r: &mut Reader<'_>| {
                    Ok(Parameter { name_index: r.half()?, access_flags: r.half()? & PARAMETER_FLAGS })
                };
                let parameters: Result<_, Malformed> = (0..n_parameters).map(|_| parameter(r)).collect();
                Self::MethodParameters(parameters?)
            }
            b"Module" => Self::Module(Module::read(r)?),
            b"NestHost" => Self::NestHost(r.half()?),
            b"NestMembers" => Self::NestMembers(r.halves()?),
            b"PermittedSubclasses" => Self::PermittedSubclasses(r.halves()?),
            b"Record" if owner == Owner::Class => Self::Record(r.list(|r| {
                Ok(RecordComponent {
                    name_index: r.half()?,
                    descriptor_index: r.half()?,
                    attributes: read_all(pool, r, Owner::Other)?,
                })
            })?),
            b"Signature" => Self::Signature(r.half()?),
            b"SourceFile" => Self::SourceFile(r.half()?),
            b"StackMapTable" => Self::StackMapTable(frames(r)?),
            b"Synthetic" | b"Deprecated" => Self::Other,
            _ => return Ok(Self::Other),
        };
        if !r.rest().is_empty() {
            return Err(Malformed::AttributeLength(String::from_utf8_lossy(name).into_owned()));
        }
        Ok(attribute)
    }
}

impl Module {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        // Name, flags and version, then the modules it needs.
        reader.bytes(6)?;
        reader.list(|reader| reader.bytes(6).map(drop))?;
        let directed = |reader: &mut Reader<'_>| {
            let package = reader.half()?;
            let _flags = reader.half()?;
            Ok((package, reader.halves()?))
        };
        let exports = reader.list(directed)?;
        let opens = reader.list(directed)?;
        let _uses = reader.halves()?;
        let provides = reader.list(|reader| Ok((reader.half()?, reader.halves()?)))?;
        Ok(Self { exports, opens, provides })
    }
}

/// The places of the frames in a `StackMapTable` (JVMS 4.7.4). Their types are checked for form alone: the
/// machine infers types by itself.
fn frames(reader: &mut Reader<'_>) -> Result<Vec<u32>, Malformed> {
    let mut next = 0;
    reader.list(|reader| {
        let kind = reader.byte()?;
        let (delta, n_types) = match kind {
            0..=63 => (u16::from(kind), 0),
            64..=127 => (u16::from(kind) - 64, 1),
            247 => (reader.half()?, 1),
            248..=251 => (reader.half()?, 0),
            252..=254 => (reader.half()?, u16::from(kind) - 251),
            255 => {
                let delta = reader.half()?;
                reader.list(verification_type)?;
                (delta, reader.half()?)
            }
            _ => {
                return Err(Malformed::Unknown {
                    number: kind.into(),
                    is_not: "a kind of a stack map frame",
                });
            }
        };
        for _ in 0..n_types {
            verification_type(reader)?;
        }
        let place = next + u32::from(delta);
        next = place + 1;
        Ok(place)
    })
}

fn verification_type(reader: &mut Reader<'_>) -> Result<(), Malformed> {
    match reader.byte()? {
        0..=6 => Ok(()),
        7 | 8 => reader.half().map(drop),
        kind => Err(Malformed::Unknown { number: kind.into(), is_not: "a kind of a verification type" }),
    }
}
