//! Names and types of a property: which class and field each name means, and whether the operators fit.

use super::parse::{Constant, Node, Operator, Part, Shape};
use super::value::{Expr, Step, Value};
use super::{Observed, PropertyError};
use crate::class::descriptor::Kind;
use crate::class::{Class, ClassId, Field, Loader, flags};
use crate::vm::Vm;
use allways_ltl::{Binary, Formula, MAX_ATOMS, Unary};
use std::sync::Arc;

/// The static type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Boolean,
    /// A number, a `char` included; whether it is an `int` or smaller.
    Number(bool),
    Null,
    /// A reference, by the descriptor of its class.
    Reference(String),
}

impl Type {
    fn of(descriptor: &str) -> Self {
        match Kind::of(descriptor) {
            Some(Kind::Boolean) => Self::Boolean,
            Some(Kind::Ref) | None => Self::Reference(descriptor.to_owned()),
            Some(kind) => Self::Number(kind.n_bytes() <= 4 && kind != Kind::Float),
        }
    }

    /// Whether values of both can be equal.
    fn is_comparable(&self, other: &Self) -> bool {
        match self {
            Self::Number(_) => matches!(other, Self::Number(_)),
            Self::Boolean => *other == Self::Boolean,
            Self::Null | Self::Reference(_) => other.is_reference(),
        }
    }

    fn is_reference(&self) -> bool {
        matches!(self, Self::Null | Self::Reference(_))
    }

    /// In words.
    fn shown(&self) -> String {
        match self {
            Self::Boolean => "a boolean".into(),
            Self::Number(_) => "a number".into(),
            Self::Null => "null".into(),
            Self::Reference(descriptor) => {
                format!("a reference ({})", crate::vm::throw::shown_type(descriptor))
            }
        }
    }
}

/// Resolves the names of one text.
pub(super) struct Resolver<'a> {
    vm: &'a Vm,
    main: ClassId,
    text: &'a str,
    /// The classes whose static fields were named.
    pub(super) classes: Vec<ClassId>,
    pub(super) observed: Vec<Observed>,
    /// The conditions of a formula.
    pub(super) propositions: Vec<(Arc<str>, Expr)>,
}

type Resolved<T> = Result<T, PropertyError>;

impl<'a> Resolver<'a> {
    pub(super) fn new(vm: &'a Vm, main: ClassId, text: &'a str) -> Self {
        Self { vm, main, text, classes: Vec::new(), observed: Vec::new(), propositions: Vec::new() }
    }

    fn error<T>(&self, at: usize, message: impl Into<String>) -> Resolved<T> {
        Err(PropertyError::new(self.text, at, message))
    }

    /// Notes what an expression of any type reads.
    pub(super) fn observe(&mut self, node: &Node) -> Resolved<()> {
        self.typed(node).map(|_| ())
    }

    /// An expression that is true or false.
    pub(super) fn condition(&mut self, node: &Node) -> Resolved<Expr> {
        match self.typed(node)? {
            (expr, Type::Boolean) => Ok(expr),
            (_, other) => {
                self.error(node.at, format!("a condition is expected here; this is {}", other.shown()))
            }
        }
    }

    /// A formula. A part without temporal and logical operators becomes a proposition.
    pub(super) fn formula(&mut self, node: &Node) -> Resolved<Formula> {
        Ok(match &node.shape {
            Shape::Unary(operator, a) => Formula::unary(*operator, self.formula(a)?),
            Shape::Binary(operator, a, b) => Formula::binary(*operator, self.formula(a)?, self.formula(b)?),
            Shape::Not(a) => Formula::unary(Unary::Not, self.formula(a)?),
            Shape::Java(Operator::And, a, b) => {
                Formula::binary(Binary::And, self.formula(a)?, self.formula(b)?)
            }
            Shape::Java(Operator::Or, a, b) => {
                Formula::binary(Binary::Or, self.formula(a)?, self.formula(b)?)
            }
            Shape::Constant(Constant::Boolean(value)) => Formula::constant(*value),
            _ => {
                let condition = self.condition(node)?;
                let text = without_parentheses(&self.text[node.at..node.end]);
                let known = self.propositions.iter().position(|(name, _)| **name == *text);
                let number = known.unwrap_or(self.propositions.len());
                if number >= MAX_ATOMS as usize {
                    return self.error(node.at, format!("a formula may have at most {MAX_ATOMS} conditions"));
                }
                if known.is_none() {
                    self.propositions.push((text.into(), condition));
                }
                Formula::atom(number as u32)
            }
        })
    }

    fn typed(&mut self, node: &Node) -> Resolved<(Expr, Type)> {
        match &node.shape {
            Shape::Constant(constant) => Ok(constant_value(*constant)),
            Shape::Way(parts) => self.way(node, parts),
            Shape::Not(a) => Ok((Expr::Not(Box::new(self.condition(a)?)), Type::Boolean)),
            Shape::Negate(a) => {
                let (expr, is_int) = self.number(a)?;
                Ok((Expr::Negate(Box::new(expr)), Type::Number(is_int)))
            }
            Shape::Java(operator, a, b) => self.join(*operator, a, b),
            Shape::Unary(..) | Shape::Binary(..) => {
                self.error(node.at, "a temporal operator cannot be a part of an expression")
            }
        }
    }

    /// A number, and whether it is an `int`.
    fn number(&mut self, node: &Node) -> Resolved<(Expr, bool)> {
        match self.typed(node)? {
            (expr, Type::Number(is_int)) => Ok((expr, is_int)),
            (_, other) => {
                self.error(node.at, format!("a number is expected here; this is {}", other.shown()))
            }
        }
    }

    fn join(&mut self, operator: Operator, a: &Node, b: &Node) -> Resolved<(Expr, Type)> {
        let (left, right, result) = match operator {
            Operator::And | Operator::Or => (self.condition(a)?, self.condition(b)?, Type::Boolean),
            Operator::Equal | Operator::Different => {
                let ((left, one), (right, other)) = (self.typed(a)?, self.typed(b)?);
                if !one.is_comparable(&other) {
                    let message = format!("{} is not compared with {}", other.shown(), one.shown());
                    return self.error(b.at, message);
                }
                (left, right, Type::Boolean)
            }
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                (self.number(a)?.0, self.number(b)?.0, Type::Boolean)
            }
            Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::Divide
            | Operator::Remainder => {
                let ((left, one), (right, other)) = (self.number(a)?, self.number(b)?);
                (left, right, Type::Number(one && other))
            }
        };
        Ok((Expr::Java(operator, Box::new(left), Box::new(right)), result))
    }

    /// A path from a static field.
    fn way(&mut self, node: &Node, parts: &[Part]) -> Resolved<(Expr, Type)> {
        let names: Vec<(usize, &str)> = parts
            .iter()
            .map_while(|part| match part {
                Part::Name(at, name) => Some((*at, name.as_str())),
                Part::Index(_) => None,
            })
            .collect();
        let (class, n_used) = self.class(&names)?;
        let (at, name) = names[n_used];
        let (owner, field) = self.static_field(class, at, name)?;
        let slot = self.vm.static_slot(field.slot);
        if !self.classes.contains(&owner) {
            self.classes.push(owner);
        }
        self.observed.push(Observed::Static(owner, slot));
        let mut descriptor = self.vm.classes.symbols.text(field.descriptor).to_string();
        let mut steps = Vec::new();
        for part in &parts[n_used + 1..] {
            let (step, next) = self.step(&descriptor, part)?;
            steps.push(step);
            descriptor = next;
        }
        let text = self.text[node.at..node.end].to_owned();
        Ok((Expr::Way { text, class: owner, slot, kind: field.kind, steps }, Type::of(&descriptor)))
    }

    /// The class that the first of some names mean, and how many do. At least one is left for a field.
    fn class(&self, names: &[(usize, &str)]) -> Resolved<(ClassId, usize)> {
        let (at, first) = names[0];
        if names.len() == 1 {
            return self.error(
                at,
                format!("{first} is no static field: one is named with its class, as in Main.{first}"),
            );
        }
        let package = self.vm.classes.package(self.main);
        for n_used in 1..names.len() {
            let joined = names[..n_used].iter().map(|(_, name)| *name).collect::<Vec<_>>().join("/");
            let near = (!package.is_empty()).then(|| format!("{package}/{joined}"));
            let Some(mut id) = near.iter().chain([&joined]).find_map(|name| self.vm.load(name).ok()) else {
                continue;
            };
            let mut n_used = n_used;
            // Nested classes.
            while n_used + 1 < names.len() && !self.has_field(id, names[n_used].1) {
                let inner = format!("{}${}", self.vm.classes.name(id), names[n_used].1);
                let Ok(inner) = self.vm.load(&inner) else { break };
                id = inner;
                n_used += 1;
            }
            if self.vm.class(id).loader != Loader::App {
                let name = self.vm.classes.java_name(id);
                let message = format!(
                    "{name} is a class of the JDK: a property begins at the program's own static fields"
                );
                return self.error(at, message);
            }
            return Ok((id, n_used));
        }
        let name = names[..names.len() - 1].iter().map(|(_, name)| *name).collect::<Vec<_>>().join(".");
        self.error(at, format!("there is no class {name} on the class path"))
    }

    fn has_field(&self, id: ClassId, name: &str) -> bool {
        self.find(id, name).is_some()
    }

    /// A field by its name, in a class and its supertypes (JVMS 5.4.3.2).
    fn find(&self, id: ClassId, name: &str) -> Option<(ClassId, &'a Field)> {
        let class: &'a Class = self.vm.class(id);
        let symbol = self.vm.classes.symbols.find(name)?;
        if let Some(field) = class.fields.iter().find(|field| field.name == symbol) {
            return Some((id, field));
        }
        let of_interfaces = class.interfaces.iter().find_map(|&interface| self.find(interface, name));
        of_interfaces.or_else(|| self.find(class.super_class?, name))
    }

    fn static_field(&self, class: ClassId, at: usize, name: &str) -> Resolved<(ClassId, &'a Field)> {
        let shown = self.vm.classes.java_name(class);
        match self.find(class, name) {
            None => self.error(at, format!("class {shown} has no field {name}")),
            Some((_, field)) if field.flags & flags::STATIC == 0 => {
                self.error(at, format!("{shown}.{name} is not static: a property begins at a static field"))
            }
            Some((owner, _)) if self.vm.class(owner).loader != Loader::App => {
                self.error(at, format!("{shown}.{name} is a static field of the JDK"))
            }
            Some(found) => Ok(found),
        }
    }

    /// One part of a path, from a value with this descriptor, and the descriptor of its target.
    fn step(&mut self, descriptor: &str, part: &Part) -> Resolved<(Step, String)> {
        let shown = crate::vm::throw::shown_type(descriptor);
        match (part, descriptor.strip_prefix('[')) {
            (Part::Index(index), Some(element)) => {
                let (idx, is_int) = self.number(index)?;
                if !is_int {
                    return self.error(index.at, "an index is an int");
                }
                let kind = Kind::of(element).unwrap_or(Kind::Ref);
                self.observed.push(Observed::Elements(kind));
                Ok((Step::Element(idx, kind), element.to_owned()))
            }
            (Part::Index(index), None) => self.error(index.at, format!("{shown} is no array")),
            (Part::Name(_, name), Some(_)) if name == "length" => Ok((Step::Length, "I".into())),
            (Part::Name(at, name), _) => {
                let class = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
                let Some(class) = class else {
                    return self.error(*at, format!("{shown} has no field {name}"));
                };
                self.field(class, *at, name)
            }
        }
    }

    /// A field of an object of a class.
    fn field(&mut self, class: &str, at: usize, name: &str) -> Resolved<(Step, String)> {
        let shown = class.replace('/', ".");
        let Ok(id) = self.vm.load(class) else {
            return self.error(at, format!("there is no class {shown} on the class path"));
        };
        let Some((owner, field)) = self.find(id, name) else {
            return self.error(at, format!("class {shown} has no field {name}"));
        };
        if field.flags & flags::STATIC != 0 {
            return self.error(at, format!("{shown}.{name} is static: name it with its class"));
        }
        if !self.is_written_in_the_open(owner, field) {
            return self.error(at, format!("{shown}.{name} is a field of the JDK that cannot be observed"));
        }
        self.observed.push(Observed::Field(owner, field.slot));
        let descriptor = self.vm.classes.symbols.text(field.descriptor).to_string();
        Ok((Step::Field(field.slot, field.kind), descriptor))
    }

    /// Whether every write to a field is an operation of a thread, and the machine itself writes none.
    fn is_written_in_the_open(&self, owner: ClassId, field: &Field) -> bool {
        let name = self.vm.classes.name(owner);
        self.vm.class(owner).loader == Loader::App
            || field.flags & flags::FINAL != 0
            || name.starts_with("java/util/")
                && name != "java/util/concurrent/locks/AbstractOwnableSynchronizer"
                && !name.starts_with("java/util/zip/")
    }
}

fn constant_value(constant: Constant) -> (Expr, Type) {
    let (value, kind) = match constant {
        Constant::Boolean(value) => (Value::Boolean(value), Type::Boolean),
        Constant::Int(value) => (Value::Int(value), Type::Number(true)),
        Constant::Char(value) => (Value::Int(i32::from(value)), Type::Number(true)),
        Constant::Long(value) => (Value::Long(value), Type::Number(false)),
        Constant::Float(value) => (Value::Float(value), Type::Number(false)),
        Constant::Double(value) => (Value::Double(value), Type::Number(false)),
        Constant::Null => (Value::Reference(0), Type::Null),
    };
    (Expr::Constant(value), kind)
}

/// A text without the parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0_i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    without_parentheses(inner.trim())
}
