//! Conversions between types in code made by the machine: casts, boxing, widening.

use super::assemble::Assembler;
use crate::class::code::Op;
use crate::class::descriptor::{Kind, class_name};
use crate::vm::machine::Exec;

/// The primitive kind that a class boxes, by its descriptor.
#[must_use]
pub fn boxed(descriptor: &str) -> Option<Kind> {
    let name = class_name(descriptor);
    Kind::PRIMITIVE.into_iter().find(|kind| kind.box_class() == name)
}

/// The primitive kind of a descriptor.
#[must_use]
pub fn primitive(descriptor: &str) -> Option<Kind> {
    Kind::of(descriptor).filter(|&kind| kind != Kind::Ref)
}

/// Whether every value of a primitive kind can become one of another without a cast (JLS 5.1.2).
#[must_use]
pub fn widens(from: Kind, to: Kind) -> bool {
    use Kind::{Boolean, Byte, Char, Double, Float, Int, Long, Ref, Short};
    from == to
        || match from {
            Byte => matches!(to, Short | Int | Long | Float | Double),
            Short | Char => matches!(to, Int | Long | Float | Double),
            Int => matches!(to, Long | Float | Double),
            Long => matches!(to, Float | Double),
            Float => to == Double,
            Boolean | Double | Ref => false,
        }
}

/// The kind that arithmetic knows a kind as.
#[must_use]
pub fn computed(kind: Kind) -> Kind {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short => Kind::Int,
        kind => kind,
    }
}

impl Assembler<'_> {
    /// From one primitive kind to another that holds all its values.
    pub fn widen(&mut self, from: Kind, to: Kind) -> &mut Self {
        let (from, to) = (computed(from), computed(to));
        if from == to { self } else { self.op(Op::Convert(from, to)) }
    }

    /// Boxes the value on the stack.
    ///
    /// # Errors
    /// If the class library lacks the class.
    pub fn box_value(&mut self, kind: Kind) -> Exec<&mut Self> {
        let class = kind.box_class();
        self.call(class, "valueOf", &format!("({})L{class};", kind.letter()), false)
    }

    /// Takes the value out of the box on the stack, which is of a class that has a method for it.
    ///
    /// # Errors
    /// If the class library lacks the class.
    pub fn unbox_value(&mut self, class: &str, kind: Kind) -> Exec<&mut Self> {
        self.call(class, &format!("{}Value", kind.name()), &format!("(){}", kind.letter()), true)
    }

    /// From a value of type `from` to one of type `to`, as `LambdaMetafactory` does it; a reference is of
    /// type `known` on the way.
    ///
    /// # Errors
    /// If a class is missing.
    pub fn convert(&mut self, from: &str, to: &str, known: &str) -> Exec<()> {
        if from == to && from == known || from == "V" || to == "V" {
            return Ok(());
        }
        match (primitive(from), primitive(to)) {
            (Some(from), Some(to)) => {
                self.widen(from, to);
            }
            (Some(kind), None) => {
                if let Some(target) = boxed(to) {
                    self.widen(kind, target).box_value(target)?;
                } else {
                    self.box_value(kind)?;
                }
            }
            (None, Some(target)) => {
                let source = if primitive(known).is_some() { from } else { known };
                self.cast(source)?;
                match boxed(source) {
                    Some(kind) if widens(kind, target) => {
                        self.unbox_value(kind.box_class(), kind)?.widen(kind, target);
                    }
                    Some(_) => {
                        self.cast(&format!("L{};", target.box_class()))?;
                        self.unbox_value(target.box_class(), target)?;
                    }
                    None => {
                        let class = match target {
                            Kind::Boolean | Kind::Char => target.box_class(),
                            _ => "java/lang/Number",
                        };
                        self.cast(&format!("L{class};"))?.unbox_value(class, target)?;
                    }
                }
            }
            (None, None) => {
                if primitive(known).is_none() && known != from {
                    self.cast(known)?;
                }
                if to != known {
                    self.cast(to)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitive_kinds_widen_as_the_language_says() {
        assert!(widens(Kind::Byte, Kind::Short) && widens(Kind::Char, Kind::Int));
        assert!(!widens(Kind::Byte, Kind::Char) && !widens(Kind::Boolean, Kind::Int));
        assert!(!widens(Kind::Long, Kind::Int) && widens(Kind::Long, Kind::Float));
        assert_eq!(boxed("Ljava/lang/Character;"), Some(Kind::Char));
        assert_eq!(boxed("Ljava/lang/String;"), None);
        assert_eq!(primitive("[I"), None);
    }
}
