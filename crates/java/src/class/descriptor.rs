//! Descriptors: the types of fields, parameters and results (JVMS 4.3).

/// The kind of a value, as far as the machine distinguishes kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `long`
    Long,
    /// `double`
    Double,
    /// A class, interface or array type.
    Ref,
}

impl Kind {
    /// All primitive kinds, in the order of their codes in `newarray`.
    pub const PRIMITIVE: [Self; 8] = [
        Self::Boolean,
        Self::Char,
        Self::Float,
        Self::Double,
        Self::Byte,
        Self::Short,
        Self::Int,
        Self::Long,
    ];

    /// The kind that a field descriptor begins with.
    #[must_use]
    pub fn of(descriptor: &str) -> Option<Self> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'S' => Self::Short,
            b'I' => Self::Int,
            b'F' => Self::Float,
            b'J' => Self::Long,
            b'D' => Self::Double,
            b'L' | b'[' => Self::Ref,
            _ => return None,
        })
    }

    /// The slots a value takes among local variables and on the operand stack.
    #[inline]
    #[must_use]
    pub fn n_slots(self) -> u16 {
        if self.is_wide() { 2 } else { 1 }
    }

    /// Whether it is `long` or `double`.
    #[inline]
    #[must_use]
    pub fn is_wide(self) -> bool {
        matches!(self, Self::Long | Self::Double)
    }

    /// The bytes an array element takes; a reference takes four.
    #[inline]
    #[must_use]
    pub fn n_bytes(self) -> usize {
        match self {
            Self::Boolean | Self::Byte => 1,
            Self::Char | Self::Short => 2,
            Self::Int | Self::Float | Self::Ref => 4,
            Self::Long | Self::Double => 8,
        }
    }

    /// The letter of its descriptor; `L` for references.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Float => 'F',
            Self::Long => 'J',
            Self::Double => 'D',
            Self::Ref => 'L',
        }
    }

    /// The name of a primitive type in Java.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Short => "short",
            Self::Int => "int",
            Self::Float => "float",
            Self::Long => "long",
            Self::Double => "double",
            Self::Ref => "reference",
        }
    }

    /// The class that boxes a primitive kind.
    #[must_use]
    pub fn box_class(self) -> &'static str {
        match self {
            Self::Boolean => "java/lang/Boolean",
            Self::Byte => "java/lang/Byte",
            Self::Char => "java/lang/Character",
            Self::Short => "java/lang/Short",
            Self::Int => "java/lang/Integer",
            Self::Float => "java/lang/Float",
            Self::Long => "java/lang/Long",
            Self::Double => "java/lang/Double",
            Self::Ref => "java/lang/Object",
        }
    }

    /// Normalises a 64-bit slot to the value of this kind: `int`s and smaller values are sign- or
    /// zero-extended to 32 bits and kept in the low half.
    #[inline]
    #[must_use]
    pub fn narrow(self, value: u64) -> u64 {
        match self {
            Self::Boolean => value & 1,
            Self::Byte => u64::from(value as u8 as i8 as i32 as u32),
            Self::Char => value & 0xffff,
            Self::Short => u64::from(value as u16 as i16 as i32 as u32),
            Self::Int | Self::Float | Self::Ref => value & 0xffff_ffff,
            Self::Long | Self::Double => value,
        }
    }
}

/// The kinds of a method's parameters and result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The kinds of its parameters, without the receiver.
    pub parameters: Box<[Kind]>,
    /// The kind of its result; `None` for `void`.
    pub result: Option<Kind>,
}

impl Signature {
    /// Reads a method descriptor.
    #[must_use]
    pub fn parse(descriptor: &str) -> Option<Self> {
        let (types, result) = split(descriptor)?;
        Some(Self {
            parameters: types.iter().map(|t| Kind::of(t)).collect::<Option<_>>()?,
            result: if result == "V" { None } else { Some(Kind::of(result)?) },
        })
    }

    /// The slots of the parameters, without the receiver.
    #[must_use]
    pub fn n_slots(&self) -> u16 {
        self.parameters.iter().map(|kind| kind.n_slots()).sum()
    }
}

/// The length of the field descriptor that `text` begins with.
fn descriptor_len(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let dims = bytes.iter().take_while(|&&b| b == b'[').count();
    match bytes.get(dims)? {
        b'L' => Some(text[dims..].find(';')? + dims + 1),
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'F' | b'J' | b'D' => Some(dims + 1),
        _ => None,
    }
}

/// The kind of a complete field descriptor; `None` if `descriptor` is not one.
#[must_use]
pub fn kind_of_field(descriptor: &str) -> Option<Kind> {
    (descriptor_len(descriptor)? == descriptor.len()).then(|| Kind::of(descriptor))?
}

/// The parameter descriptors and the result descriptor of a method descriptor.
#[must_use]
pub fn split(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let len = descriptor_len(rest)?;
        parameters.push(&rest[..len]);
        rest = &rest[len..];
    }
    let result = &rest[1..];
    if result != "V" && descriptor_len(result)? != result.len() {
        return None;
    }
    Some((parameters, result))
}

/// The name of the class that a field descriptor names: `Ljava/lang/String;` is `java/lang/String`, `[I`
/// itself, `I` is `int`.
#[must_use]
pub fn class_name(descriptor: &str) -> &str {
    match descriptor.as_bytes().first() {
        Some(b'L') => descriptor[1..].strip_suffix(';').unwrap_or(descriptor),
        Some(b'[') => descriptor,
        Some(b'V') => "void",
        _ => match Kind::of(descriptor) {
            Some(kind) => kind.name(),
            None => descriptor,
        },
    }
}

/// The inverse of [`class_name`]: the field descriptor of a class.
#[must_use]
pub fn of_class(name: &str) -> String {
    if name.starts_with('[') {
        return name.into();
    }
    if name == "void" {
        return "V".into();
    }
    match Kind::PRIMITIVE.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => kind.letter().into(),
        None => format!("L{name};"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_split() {
        let (parameters, result) = split("(I[JLjava/lang/String;[[Lx;)V").expect("it is well formed");
        assert_eq!(parameters, ["I", "[J", "Ljava/lang/String;", "[[Lx;"]);
        assert_eq!(result, "V");
        assert_eq!(split("(I"), None);
        assert_eq!(split("(Lx)V"), None);
        assert_eq!(split("()"), None);
        let signature = Signature::parse("(IJD)Ljava/lang/Object;").expect("it is well formed");
        assert_eq!(signature.n_slots(), 5);
        assert_eq!(signature.result, Some(Kind::Ref));
    }

    #[test]
    fn small_values_are_extended() {
        assert_eq!(Kind::Byte.narrow(0x1ff), u64::from(-1_i32 as u32));
        assert_eq!(Kind::Char.narrow(0xf_ffff), 0xffff);
        assert_eq!(Kind::Short.narrow(0x8000), u64::from(-32768_i32 as u32));
    }
}
