//! The texts of a class file: "modified UTF-8" (JVMS 4.4.7), where zero takes two bytes, and a character
//! beyond the first plane is two surrogates of three bytes each.

use super::malformed::Malformed;
use std::borrow::Cow;

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Box<[u8]>);

impl Text {
    /// The text of some bytes.
    ///
    /// # Errors
    /// If they are not modified UTF-8.
    pub fn new(bytes: &[u8]) -> Result<Self, Malformed> {
        if !is_ascii(bytes) {
            let mut rest = bytes;
            while !rest.is_empty() {
                (_, rest) = first(rest).ok_or(Malformed::Broken("a text is not UTF-8"))?;
            }
        }
        Ok(Self(bytes.into()))
    }

    /// Its bytes, as they are in the file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Its UTF-16 units.
    #[must_use]
    pub fn to_utf16(&self) -> Vec<u16> {
        let mut units = Vec::with_capacity(self.0.len());
        let mut bytes = &*self.0;
        while let Some((unit, rest)) = first(bytes) {
            units.push(unit);
            bytes = rest;
        }
        units
    }

    /// As a string; half a pair of surrogates becomes U+FFFD.
    #[must_use]
    pub fn to_str_lossy(&self) -> Cow<'_, str> {
        match std::str::from_utf8(&self.0) {
            Ok(text) if is_ascii(&self.0) => Cow::Borrowed(text),
            _ => Cow::Owned(String::from_utf16_lossy(&self.to_utf16())),
        }
    }
}

/// Whether all bytes are characters of ASCII other than zero.
fn is_ascii(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| (1..0x80).contains(byte))
}

/// The first UTF-16 unit and the bytes after it; `None` if there is none.
fn first(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let continued = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    match *bytes {
        [a @ 1..=0x7f, ref rest @ ..] => Some((u16::from(a), rest)),
        [a @ 0xc0..=0xdf, b, ref rest @ ..] => {
            let unit = u16::from(a & 0x1f) << 6 | continued(b)?;
            (unit >= 0x80 || unit == 0).then_some((unit, rest))
        }
        [a @ 0xe0..=0xef, b, c, ref rest @ ..] => {
            let unit = u16::from(a & 0x0f) << 12 | continued(b)? << 6 | continued(c)?;
            (unit >= 0x800).then_some((unit, rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_modified_utf_8() {
        for (bytes, text) in [
            (b"java/lang/Object".as_slice(), "java/lang/Object"),
            (b"", ""),
            (b"\xc0\x80", "\0"),
            (b"a\xc3\xbc\xe2\x82\xac", "a\u{fc}\u{20ac}"),
            (b"\xed\xa0\xbd\xed\xb8\x80", "\u{1f600}"),
            (b"x\xed\xa0\xbdy", "x\u{fffd}y"),
        ] {
            assert_eq!(Text::new(bytes).unwrap().to_str_lossy(), text);
        }
        assert_eq!(Text::new(b"\xed\xa0\xbdy").unwrap().to_utf16(), [0xd83d, 0x79]);
        let wrong: [&[u8]; 9] = [
            b"\0",
            b"\x80",
            b"\xc0\x81",
            b"\xc1\xbf",
            b"\xc3",
            b"\xc3\x28",
            b"\xe0\x80\x80",
            b"\xe2\x82",
            b"\xf0\x9f\x98\x80",
        ];
        for bytes in wrong {
            assert!(Text::new(bytes).is_err(), "{bytes:?}");
        }
    }
}
