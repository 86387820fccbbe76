//! Evaluates expressions in a state. Arithmetic is Java's: `int` unless an operand is wider.

use super::parse::Operator;
use crate::class::ClassId;
use crate::class::code::Arithmetic;
use crate::class::descriptor::Kind;
use crate::explain;
use crate::explain::names::Names;
use crate::vm::arithmetic;
use crate::vm::heap::Ref;
use crate::vm::machine::Machine;

/// An expression whose names are known and whose operators fit.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Constant(Value),
    /// The value at the end of a path from a static field.
    Way {
        /// The text of the path.
        text: String,
        /// The class with the static field, and the slot of its mirror.
        class: ClassId,
        slot: u32,
        kind: Kind,
        steps: Vec<Step>,
    },
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Java(Operator, Box<Expr>, Box<Expr>),
}

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// To a field of the object.
    Field(u32, Kind),
    /// To an element of the array.
    Element(Expr, Kind),
    /// To the length of the array.
    Length,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Boolean(bool),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Reference(Ref),
}

/// The reason why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Undefined {
    /// A path leads through `null`.
    Null,
    /// Java would throw something else.
    Wrong(String),
}

type Evaluated<T> = Result<T, Undefined>;

impl Value {
    fn of(kind: Kind, bits: u64) -> Self {
        match kind {
            Kind::Boolean => Self::Boolean(bits & 1 != 0),
            Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Self::Int(bits as u32 as i32),
            Kind::Long => Self::Long(bits as i64),
            Kind::Float => Self::Float(f32::from_bits(bits as u32)),
            Kind::Double => Self::Double(f64::from_bits(bits)),
            Kind::Ref => Self::Reference(bits as Ref),
        }
    }

    /// How wide a number is: the wider of two is the type of what is computed from them (JLS 5.6).
    fn rank(self) -> u8 {
        match self {
            Self::Double(_) => 3,
            Self::Float(_) => 2,
            Self::Long(_) => 1,
            Self::Boolean(_) | Self::Int(_) | Self::Reference(_) => 0,
        }
    }

    fn int(self) -> i32 {
        match self {
            Self::Int(value) => value,
            _ => 0,
        }
    }

    fn long(self) -> i64 {
        match self {
            Self::Long(value) => value,
            other => i64::from(other.int()),
        }
    }

    fn float(self) -> f32 {
        match self {
            Self::Float(value) => value,
            other => other.long() as f32,
        }
    }

    fn double(self) -> f64 {
        match self {
            Self::Double(value) => value,
            Self::Float(value) => f64::from(value),
            other => other.long() as f64,
        }
    }
}

impl Expr {
    /// Its value in a machine's state.
    pub(super) fn eval(&self, machine: &Machine<'_>) -> Evaluated<Value> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Way { class, slot, kind, steps, .. } => {
                let mut bits = machine.process.heap.slot(machine.vm.mirror(*class), *slot);
                let mut kind = *kind;
                for step in steps {
                    (bits, kind) = step.follow(machine, bits as Ref)?;
                }
                Ok(Value::of(kind, bits))
            }
            Self::Not(a) => Ok(Value::Boolean(!a.is_true(machine)?)),
            Self::Negate(a) => Ok(match a.eval(machine)? {
                Value::Long(value) => Value::Long(value.wrapping_neg()),
                Value::Float(value) => Value::Float(-value),
                Value::Double(value) => Value::Double(-value),
                other => Value::Int(other.int().wrapping_neg()),
            }),
            Self::Java(Operator::And, a, b) => Ok(Value::Boolean(a.is_true(machine)? && b.is_true(machine)?)),
            Self::Java(Operator::Or, a, b) => Ok(Value::Boolean(a.is_true(machine)? || b.is_true(machine)?)),
            Self::Java(operator, a, b) => join(*operator, a.eval(machine)?, b.eval(machine)?),
        }
    }

    fn is_true(&self, machine: &Machine<'_>) -> Evaluated<bool> {
        Ok(self.eval(machine)? == Value::Boolean(true))
    }

    /// The fields that it reads with their values, for display.
    pub(super) fn readings(&self, machine: &Machine<'_>) -> Vec<String> {
        let mut found = Vec::new();
        self.read(machine, &Names::find(machine), &mut found);
        found
    }

    fn read(&self, machine: &Machine<'_>, names: &Names, found: &mut Vec<String>) {
        match self {
            Self::Constant(_) => {}
            Self::Way { text, kind, steps, .. } => {
                for step in steps {
                    if let Step::Element(idx, _) = step {
                        idx.read(machine, names, found);
                    }
                }
                let kind = steps.last().map_or(*kind, Step::kind);
                let reading = match self.eval(machine) {
                    Ok(value) => format!("{text} is {}", shown(machine, names, kind, value)),
                    Err(_) => format!("{text} is not there"),
                };
                if !found.contains(&reading) {
                    found.push(reading);
                }
            }
            Self::Not(a) | Self::Negate(a) => a.read(machine, names, found),
            Self::Java(_, a, b) => {
                a.read(machine, names, found);
                b.read(machine, names, found);
            }
        }
    }
}

impl Step {
    fn kind(&self) -> Kind {
        match self {
            Self::Field(_, kind) | Self::Element(_, kind) => *kind,
            Self::Length => Kind::Int,
        }
    }

    /// The value to which it leads from an object.
    fn follow(&self, machine: &Machine<'_>, object: Ref) -> Evaluated<(u64, Kind)> {
        if object == 0 {
            return Err(Undefined::Null);
        }
        match self {
            Self::Field(slot, kind) => Ok((machine.process.heap.slot(object, *slot), *kind)),
            Self::Length => Ok((machine.array_len(object) as u64, Kind::Int)),
            Self::Element(idx, kind) => {
                let idx = idx.eval(machine)?.int();
                let len = machine.array_len(object);
                match usize::try_from(idx).ok().filter(|&idx| idx < len) {
                    Some(idx) => Ok((machine.element(object, *kind, idx), *kind)),
                    None => Err(Undefined::Wrong(format!("index {idx} is out of bounds for length {len}"))),
                }
            }
        }
    }
}

/// A value in Java's own notation.
fn shown(machine: &Machine<'_>, names: &Names, kind: Kind, value: Value) -> String {
    let bits = match value {
        Value::Boolean(value) => u64::from(value),
        Value::Int(value) => u64::from(value as u32),
        Value::Long(value) => value as u64,
        Value::Float(value) => u64::from(value.to_bits()),
        Value::Double(value) => value.to_bits(),
        Value::Reference(value) => u64::from(value),
    };
    let shown = explain::shown_value(machine, names, kind, bits);
    match value {
        // An object is named by the path to it, which the reader knows already.
        Value::Reference(object) if object != 0 && names.of(machine, object) == shown => {
            format!("a {}", explain::names::class_name(machine, object))
        }
        _ => shown,
    }
}

/// Applies an operator of Java other than `&&` and `||`.
fn join(operator: Operator, a: Value, b: Value) -> Evaluated<Value> {
    let by = match operator {
        Operator::Add => Arithmetic::Add,
        Operator::Subtract => Arithmetic::Sub,
        Operator::Multiply => Arithmetic::Mul,
        Operator::Divide => Arithmetic::Div,
        Operator::Remainder => Arithmetic::Rem,
        comparison => return Ok(Value::Boolean(compare(comparison, a, b))),
    };
    let by_zero = |_| Undefined::Wrong("division by zero".into());
    Ok(match a.rank().max(b.rank()) {
        3 => Value::Double(arithmetic::double(by, a.double(), b.double())),
        2 => Value::Float(arithmetic::float(by, a.float(), b.float())),
        1 => Value::Long(arithmetic::long(by, a.long(), b.long()).map_err(by_zero)?),
        _ => Value::Int(arithmetic::int(by, a.int(), b.int()).map_err(by_zero)?),
    })
}

fn compare(operator: Operator, a: Value, b: Value) -> bool {
    let (is_equal, order) = match (a, b) {
        (Value::Boolean(a), Value::Boolean(b)) => (a == b, None),
        (Value::Reference(a), Value::Reference(b)) => (a == b, None),
        _ => match a.rank().max(b.rank()) {
            3 => (a.double() == b.double(), a.double().partial_cmp(&b.double())),
            2 => (a.float() == b.float(), a.float().partial_cmp(&b.float())),
            _ => (a.long() == b.long(), Some(a.long().cmp(&b.long()))),
        },
    };
    match operator {
        Operator::Equal => is_equal,
        Operator::Different => !is_equal,
        Operator::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Operator::AtMost => order.is_some_and(std::cmp::Ordering::is_le),
        Operator::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        Operator::AtLeast => order.is_some_and(std::cmp::Ordering::is_ge),
        _ => false,
    }
}
