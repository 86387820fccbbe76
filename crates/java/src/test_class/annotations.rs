//! The annotations of classes, fields and methods, as far as tests need them (JVMS 4.7.16).

use crate::class::file::Attribute;
use crate::class::{Class, Method};

/// An annotation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Annotation {
    /// Its class, as a descriptor.
    pub(super) class: String,
    /// The class that its element `value` names, as a descriptor.
    pub(super) value: Option<String>,
    /// The class that its element `expected` names.
    pub(super) expected: Option<String>,
    /// Whether its element `enabled` is false.
    pub(super) is_disabled: bool,
}

/// The annotations of a class.
pub(super) fn of_class(class: &Class) -> Vec<Annotation> {
    class.file.as_ref().map_or_else(Vec::new, |file| read_all(class, &file.attributes))
}

/// The annotations of a class's fields and methods.
pub(super) fn of_members(class: &Class) -> Vec<Annotation> {
    let Some(file) = &class.file else { return Vec::new() };
    let fields = file.fields.iter().map(|field| &field.attributes);
    let methods = file.methods.iter().map(|method| &method.attributes);
    fields.chain(methods).flat_map(|attributes| read_all(class, attributes)).collect()
}

/// The annotations of a method.
pub(super) fn of_method(class: &Class, method: &Method) -> Vec<Annotation> {
    let found = class.file.as_ref().and_then(|file| file.methods.get(usize::from(method.index)));
    found.map_or_else(Vec::new, |method| read_all(class, &method.attributes))
}

fn read_all(class: &Class, attributes: &[Attribute]) -> Vec<Annotation> {
    let bytes = attributes.iter().find_map(|attribute| match attribute {
        Attribute::RuntimeVisibleAnnotations(bytes) => Some(bytes),
        _ => None,
    });
    // What is malformed says nothing about tests.
    bytes.and_then(|bytes| Reader { class, bytes }.annotations()).unwrap_or_default()
}

struct Reader<'a> {
    class: &'a Class,
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes([self.byte()?, self.byte()?]))
    }

    fn text(&mut self) -> Option<String> {
        let at = self.short()?;
        let file = self.class.file.as_ref()?;
        file.constant_pool.try_get_utf8(at).ok().map(|text| text.to_str_lossy().into_owned())
    }

    fn annotations(&mut self) -> Option<Vec<Annotation>> {
        (0..self.short()?).map(|_| self.annotation(0)).collect()
    }

    fn annotation(&mut self, depth: u8) -> Option<Annotation> {
        let mut annotation = Annotation { class: self.text()?, ..Annotation::default() };
        for _ in 0..self.short()? {
            let name = self.text()?;
            let value = self.value(depth)?;
            match (&*name, value) {
                ("value", Value::Class(class)) => annotation.value = Some(class),
                ("expected" | "expectedExceptions", Value::Class(class)) => {
                    annotation.expected = Some(crate::class::descriptor::class_name(&class).to_owned());
                }
                ("enabled", Value::False) => annotation.is_disabled = true,
                _ => {}
            }
        }
        Some(annotation)
    }

    fn value(&mut self, depth: u8) -> Option<Value> {
        // Annotations within annotations: no class has many.
        if depth > 16 {
            return None;
        }
        Some(match self.byte()? {
            b'c' => Value::Class(self.text()?),
            b'e' => {
                self.short()?;
                self.short()?;
                Value::Other
            }
            b'@' => {
                self.annotation(depth + 1)?;
                Value::Other
            }
            b'[' => {
                let values: Option<Vec<Value>> = (0..self.short()?).map(|_| self.value(depth + 1)).collect();
                let mut values = values?;
                if values.len() == 1 { values.remove(0) } else { Value::Other }
            }
            b'Z' => {
                let at = self.short()?;
                match self.class.pool.get(at) {
                    crate::class::pool::Constant::Int(0) => Value::False,
                    _ => Value::Other,
                }
            }
            _ => {
                self.short()?;
                Value::Other
            }
        })
    }
}

/// The value of an element.
enum Value {
    Class(String),
    False,
    Other,
}
