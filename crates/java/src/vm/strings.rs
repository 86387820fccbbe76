//! Java strings: UTF-16 units, kept as Latin-1 bytes where they fit, as the class library itself does.

use super::heap::{Data, Heap, Object, Ref};
use super::machine::Machine;
use allways_model::{escape, escape_unit};

/// The bytes of a string and its coder.
#[must_use]
pub fn encode(units: &[u16]) -> (Vec<u8>, u64) {
    if units.iter().all(|&unit| unit < 256) {
        (units.iter().map(|&unit| unit as u8).collect(), 0)
    } else {
        (units.iter().flat_map(|unit| unit.to_le_bytes()).collect(), 1)
    }
}

/// The text of units; those that are no text as numbers, so that different units have different texts.
#[must_use]
pub fn escaped(units: &[u16]) -> String {
    let text = char::decode_utf16(units.iter().copied());
    text.map(|unit| match unit {
        Ok('\\') => "\\\\".to_owned(),
        Ok(unit) => unit.to_string(),
        Err(error) => format!("\\u{:x}", error.unpaired_surrogate()),
    })
    .collect()
}

/// A string as a literal of Java. Units that are no text are numbers.
#[must_use]
pub fn quoted(units: &[u16]) -> String {
    literal(units, '"')
}

/// A `char` as a literal of Java.
#[must_use]
pub fn quoted_unit(unit: u16) -> String {
    literal(&[unit], '\'')
}

fn literal(units: &[u16], quote: char) -> String {
    let mut out = String::from(quote);
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(c) => escape(&mut out, c, quote),
            Err(error) => escape_unit(&mut out, error.unpaired_surrogate()),
        }
    }
    out.push(quote);
    out
}

/// The units of bytes.
#[must_use]
pub fn decode(bytes: &[u8], coder: u64) -> Vec<u16> {
    if coder == 0 {
        bytes.iter().map(|&byte| u16::from(byte)).collect()
    } else {
        bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
    }
}

impl Machine<'_> {
    /// The units of a string.
    #[must_use]
    pub fn units(&self, string: Ref) -> Vec<u16> {
        units(&self.process.heap, string, self.vm.known().string_value, self.vm.known().string_coder)
    }

    /// The text of a string; what is no text becomes a replacement character.
    #[must_use]
    pub fn text(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.units(string))
    }

    /// A new string.
    pub fn new_string(&mut self, text: &str) -> Ref {
        self.new_string_units(&text.encode_utf16().collect::<Vec<_>>())
    }

    /// A new string of these units.
    pub fn new_string_units(&mut self, units: &[u16]) -> Ref {
        let known = self.vm.known();
        let (bytes, coder) = encode(units);
        let value = self.process.heap.push(Object::new(known.byte_array, Data::Bytes(bytes.into())));
        let mut slots = vec![0_u64; self.vm.class(known.string).instance.len()];
        slots[known.string_value as usize] = u64::from(value);
        slots[known.string_coder as usize] = coder;
        self.process.heap.push(Object::new(known.string, Data::Slots(slots.into())))
    }
}

/// The units of a string of any heap.
#[must_use]
pub fn units(heap: &Heap<'_>, string: Ref, value: u32, coder: u32) -> Vec<u16> {
    let bytes = heap.slot(string, value) as Ref;
    let coder = heap.slot(string, coder);
    if bytes == 0 {
        return Vec::new();
    }
    match &heap.get(bytes).data {
        Data::Bytes(bytes) => decode(bytes, coder),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_tell_all_strings_apart() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        assert_eq!(quoted(&units("a \"b\" \\ 'c'\n😀")), r#""a \"b\" \\ 'c'\n😀""#);
        // Halves of a pair are no text.
        assert_eq!(quoted(&[0x61, 0xd83d]), r#""a\ud83d""#);
        assert_eq!(quoted(&[0xde00, 0xd83d]), r#""\ude00\ud83d""#);
        for (unit, expected) in [(0x41, "'A'"), (0x27, r"'\''"), (0, r"'\u0000'"), (0xdfff, r"'\udfff'")] {
            assert_eq!(quoted_unit(unit), expected);
        }
    }
}
