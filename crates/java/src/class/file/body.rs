//! The code of a method (JVMS 4.7.3): where its instructions begin, and that its jumps lead to instructions.

use super::attribute::{self, Attribute, LocalVariable, Owner};
use super::constants::ConstantPool;
use super::malformed::Malformed;
use super::reader::Reader;

/// The code of a method.
#[derive(Debug)]
pub struct Body {
    /// The depth of the operand stack.
    pub max_stack: u16,
    /// The local variables.
    pub max_locals: u16,
    code: Box<[u8]>,
    /// Where instructions begin, ascending.
    starts: Box<[u16]>,
    /// What catches exceptions.
    pub handlers: Vec<ExceptionHandler>,
    attributes: Vec<Attribute>,
}

/// What catches exceptions. Places are numbers of instructions.
#[derive(Clone, Copy, Debug)]
pub struct ExceptionHandler {
    /// The first instruction covered.
    pub start: u16,
    /// The first no longer covered.
    pub end: u16,
    /// The first of the handler.
    pub target: u16,
    /// The pool index of the class it catches; zero for everything.
    pub catch_type: u16,
}

/// How many bytes each instruction has; zero where there is none, and where it depends on what follows.
#[rustfmt::skip]
const LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let lists: [(usize, &[(usize, usize)]); 5] = [
        (1, &[(0, 15), (26, 53), (59, 131), (133, 152), (172, 177), (190, 191), (194, 195), (202, 202), (254, 255)]),
        (2, &[(16, 16), (18, 18), (21, 25), (54, 58), (169, 169), (188, 188)]),
        (3, &[(17, 17), (19, 20), (132, 132), (153, 168), (178, 184), (187, 187), (189, 189), (192, 193), (198, 199)]),
        (4, &[(197, 197)]),
        (5, &[(185, 186), (200, 201)]),
    ];
    let mut list = 0;
    while list < lists.len() {
        let mut range = 0;
        while range < lists[list].1.len() {
            let (mut opcode, last) = lists[list].1[range];
            while opcode <= last {
                lengths[opcode] = lists[list].0 as u8;
                opcode += 1;
            }
            range += 1;
        }
        list += 1;
    }
    lengths
};

impl Body {
    pub(super) fn read(pool: &ConstantPool, reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (max_stack, max_locals) = (reader.half()?, reader.half()?);
        let len = reader.word()? as usize;
        if len > usize::from(u16::MAX) {
            return Err(Malformed::Broken("a method has too much code"));
        }
        let code = reader.bytes(len)?;
        let (mut starts, mut targets) = (Vec::with_capacity(len / 2), Vec::new());
        let mut at = 0;
        while at < len {
            starts.push(at as u16);
            at += instruction(code, at, &mut targets)?;
        }
        let number = |at: i64| number(&starts, at);
        targets.into_iter().try_for_each(|target| number(target).map(drop))?;
        let handlers = reader.list(|reader| {
            let (start, end, target) = (reader.half()?, reader.half()?, reader.half()?);
            Ok(ExceptionHandler {
                start: number(start.into())?,
                end: end_of_range(&starts, code.len(), end)?,
                target: number(target.into())?,
                catch_type: reader.half()?,
            })
        })?;
        let attributes = attribute::read_all(pool, reader, Owner::Other)?;
        for attribute in &attributes {
            match attribute {
                Attribute::LineNumberTable(lines) => {
                    lines.iter().try_for_each(|line| number(line.0.into()).map(drop))?;
                }
                Attribute::StackMapTable(places) => {
                    places.iter().try_for_each(|&place| number(place.into()).map(drop))?;
                }
                _ => {}
            }
        }
        Ok(Self { max_stack, max_locals, code: code.into(), starts: starts.into(), handlers, attributes })
    }

    /// How many instructions there are.
    #[must_use]
    pub fn n_instructions(&self) -> usize {
        self.starts.len()
    }

    /// Where an instruction begins, counted in bytes.
    #[must_use]
    pub fn start(&self, number: usize) -> usize {
        self.starts[number].into()
    }

    /// The bytes of an instruction.
    #[must_use]
    pub fn instruction(&self, number: usize) -> &[u8] {
        let end = self.starts.get(number + 1).map_or(self.code.len(), |&end| end.into());
        &self.code[self.start(number)..end]
    }

    /// The number of the instruction that begins so many bytes after another one.
    #[must_use]
    pub fn relative(&self, number: usize, offset: i32) -> Option<u32> {
        let at = u16::try_from(self.start(number) as i64 + i64::from(offset)).ok()?;
        self.starts.binary_search(&at).ok().map(|number| number as u32)
    }

    /// First instructions of source lines, and the lines, in the order of the file.
    pub fn lines(&self) -> impl Iterator<Item = (u32, u32)> {
        let tables = self.attributes.iter().filter_map(|attribute| match attribute {
            Attribute::LineNumberTable(lines) => Some(lines),
            _ => None,
        });
        tables.flatten().filter_map(|&(start, line)| {
            let number = self.starts.binary_search(&start).ok()?;
            Some((number as u32, u32::from(line)))
        })
    }

    /// The names of local variables, if the file has them.
    #[must_use]
    pub fn variables(&self) -> Option<&[LocalVariable]> {
        self.attributes.iter().find_map(|attribute| match attribute {
            Attribute::LocalVariableTable(variables) => Some(&**variables),
            _ => None,
        })
    }
}

/// The number of the instruction that begins at a place.
fn number(starts: &[u16], at: i64) -> Result<u16, Malformed> {
    let found = u16::try_from(at).ok().and_then(|at| starts.binary_search(&at).ok());
    found.map(|number| number as u16).ok_or(Malformed::NoInstruction(at))
}

/// The number after the last instruction of a range that ends at a place.
fn end_of_range(starts: &[u16], len: usize, at: u16) -> Result<u16, Malformed> {
    if usize::from(at) == len { Ok(starts.len() as u16) } else { number(starts, at.into()) }
}

/// How many bytes the instruction at a place has. Adds the places that it may jump to.
fn instruction(code: &[u8], at: usize, targets: &mut Vec<i64>) -> Result<usize, Malformed> {
    let mut reader = Reader::new(&code[at..]);
    let opcode = reader.byte()?;
    let here = at as i64;
    let len = match (opcode, LENGTHS[usize::from(opcode)]) {
        (0xaa | 0xab, _) => {
            let padding = 3 - at % 4;
            reader.bytes(padding)?;
            targets.push(here + i64::from(reader.word()? as i32));
            let (n_entries, entry_len) = if opcode == 0xaa {
                let (low, high) = (reader.word()? as i32, reader.word()? as i32);
                (i64::from(high) - i64::from(low) + 1, 4)
            } else {
                (i64::from(reader.word()? as i32), 8)
            };
            let n_entries = n_entries.max(0);
            for _ in 0..n_entries {
                if entry_len == 8 {
                    reader.word()?;
                }
                targets.push(here + i64::from(reader.word()? as i32));
            }
            code.len() - at - reader.rest().len()
        }
        (0xc4, _) => match reader.byte()? {
            0x15..=0x19 | 0x36..=0x3a | 0xa9 => 4,
            0x84 => 6,
            other => {
                return Err(Malformed::Unknown {
                    number: other.into(),
                    is_not: "an instruction that wide changes",
                });
            }
        },
        (_, 0) => return Err(Malformed::Unknown { number: opcode.into(), is_not: "an instruction" }),
        (_, len) => usize::from(len),
    };
    let operands = code.get(at + 1..at + len).ok_or(Malformed::Broken("an instruction is cut off"))?;
    match (opcode, operands) {
        (0x99..=0xa8 | 0xc6 | 0xc7, &[a, b]) => targets.push(here + i64::from(i16::from_be_bytes([a, b]))),
        (0xc8 | 0xc9, &[a, b, c, d]) => targets.push(here + i64::from(i32::from_be_bytes([a, b, c, d]))),
        (0xb9, &[.., zero]) if zero != 0 => {
            return Err(Malformed::Broken("invokeinterface has no zero at its end"));
        }
        (0xba, &[.., a, b]) if (a, b) != (0, 0) => {
            return Err(Malformed::Broken("invokedynamic has no zeros at its end"));
        }
        (0xbc, &[kind]) if !(4..=11).contains(&kind) => {
            return Err(Malformed::Unknown { number: kind.into(), is_not: "a kind of array" });
        }
        _ => {}
    }
    Ok(len)
}
