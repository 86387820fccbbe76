//! Verifies the program's code (JVMS 4.10.2) before a method first runs: a data flow infers types for all
//! operations.
//!
//! The interpreter trusts code: it does not check whether a slot holds a reference, or whether an object has
//! the field that is read. The output of a compiler can be trusted, a damaged file cannot. Types are only as
//! exact as this requires: `int` and `float` are one type (neither can be taken for a reference), and, as in
//! every verifier, an interface counts as `Object`, because calls through it are checked at run time. Stack
//! maps of class files are not read, and subroutines have been replaced by copies (`subroutine`).
//!
//! In classes of the program's own loaders most names have no meaning until the loader is called. Here
//! objects of such classes are assumed to have the required type; they are checked when a field is used or a
//! method is called (`vm::resolve`).
//!
//! Where `java` would throw a `VerifyError` the machine reports the code as unsupported, because the two need
//! not reject exactly the same code. The class library is not verified.

use super::code::{Arithmetic, Code, Op};
use super::descriptor::{Kind, class_name, of_class, split};
use super::flaw::{Flaw, Rule};
use super::maps::successors;
use super::pool::Constant;
use super::registry::Classes;
use super::{Class, ClassId, Method};
use std::sync::Arc;

/// The name for an unknown class, such as the common superclass of two classes about which nothing is known.
/// No class has this name.
const UNKNOWN: &str = "?";

/// What a slot holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    /// Nothing that may be used.
    Top,
    /// An `int`, something smaller, or a `float`.
    Word,
    /// A `long` or `double`: its first slot.
    Wide,
    /// A `long` or `double`: its second slot.
    WideEnd,
    /// `null`.
    Null,
    /// An object of the class of this name.
    Object(Arc<str>),
    /// An object made by the `new` at this position and not yet initialised.
    Fresh(usize),
    /// The object that a constructor is to initialise.
    FreshThis,
    /// The return address of a subroutine.
    Address,
}

impl Type {
    fn is_reference(&self) -> bool {
        matches!(self, Self::Null | Self::Object(_))
    }

    /// The flaw of a slot of this type where another type is needed.
    fn mismatch(self, needed: &str) -> Flaw {
        let found = match self {
            Self::Top => "nothing that may be used".into(),
            Self::Word => "a number".into(),
            Self::Wide | Self::WideEnd => "half of a long or double".into(),
            Self::Null => "null".into(),
            Self::Object(class) => class,
            Self::Fresh(_) | Self::FreshThis => "an uninitialised object".into(),
            Self::Address => "the address of a subroutine".into(),
        };
        Flaw::Mismatch { found, needed: needed.into() }
    }
}

/// The types before an operation.
#[derive(Clone, PartialEq, Eq)]
struct Frame {
    locals: Vec<Type>,
    stack: Vec<Type>,
    /// Whether a constructor has not yet called another one.
    unborn: bool,
}

type Checked<T> = Result<T, Flaw>;

/// Verifies the code of a method.
///
/// # Errors
/// The flaw of the code.
pub fn verify(classes: &Classes, class: &Class, method: &Method, code: &Code) -> Checked<()> {
    let before = vec![None; code.ops.len()];
    Verifier { classes, class, method, code, before, work: Vec::new() }.run()
}

struct Verifier<'a> {
    classes: &'a Classes,
    class: &'a Class,
    method: &'a Method,
    code: &'a Code,
    before: Vec<Option<Frame>>,
    work: Vec<usize>,
}

fn object(name: &str) -> Type {
    Type::Object(name.into())
}

/// The slots of a value of this descriptor.
fn types_of(descriptor: &str) -> Checked<&'static [Type]> {
    match Kind::of(descriptor).ok_or(Rule::Descriptor)? {
        Kind::Long | Kind::Double => Ok(&[Type::Wide, Type::WideEnd]),
        Kind::Ref => Ok(&[]),
        _ => Ok(&[Type::Word]),
    }
}

fn push_value(to: &mut Vec<Type>, descriptor: &str) -> Checked<()> {
    match types_of(descriptor)? {
        [] => to.push(object(class_name(descriptor))),
        slots => to.extend_from_slice(slots),
    }
    Ok(())
}

impl Verifier<'_> {
    fn run(mut self) -> Checked<()> {
        self.begin()?;
        while let Some(pc) = self.work.pop() {
            let mut frame = self.before[pc].clone().ok_or(Rule::NoTypes)?;
            for handler in self.code.handlers.iter() {
                if (handler.start as usize..handler.end as usize).contains(&pc) {
                    let caught = match handler.class {
                        0 => "java/lang/Throwable".into(),
                        idx => self.class_text(idx)?,
                    };
                    if !self.is_assignable(&caught, "java/lang/Throwable")? {
                        return Err(Rule::CaughtOther.into());
                    }
                    let stack = vec![Type::Object(caught)];
                    let caught = Frame { locals: frame.locals.clone(), stack, unborn: frame.unborn };
                    self.meet(handler.target as usize, caught)?;
                }
            }
            self.operation(pc, &mut frame)?;
            let mut targets = Vec::new();
            successors(self.code, pc, |to| targets.push(to));
            for to in targets {
                self.meet(to, frame.clone())?;
            }
        }
        Ok(())
    }

    /// The types that a method begins with.
    fn begin(&mut self) -> Checked<()> {
        let mut locals = Vec::new();
        let is_constructor = &**self.classes.symbols.text(self.method.name) == "<init>";
        let unborn = is_constructor && self.class.super_class.is_some();
        if !self.method.is_static() {
            locals.push(if unborn {
                Type::FreshThis
            } else {
                object(self.classes.symbols.text(self.class.plain))
            });
        }
        let descriptor = self.classes.symbols.text(self.method.descriptor).clone();
        for parameter in split(&descriptor).ok_or(Rule::Descriptor)?.0 {
            push_value(&mut locals, parameter)?;
        }
        if locals.len() > usize::from(self.method.max_locals) {
            return Err(Rule::FewLocals.into());
        }
        locals.resize(usize::from(self.method.max_locals), Type::Top);
        self.meet(0, Frame { locals, stack: Vec::new(), unborn })
    }

    /// Records that control may reach an operation with these types.
    fn meet(&mut self, pc: usize, frame: Frame) -> Checked<()> {
        let Some(known) = self.before.get(pc) else {
            return Err(Rule::EndReached.into());
        };
        if frame.stack.len() > usize::from(self.method.max_stack) {
            return Err(Rule::DeepStack.into());
        }
        let Some(known) = known else {
            self.before[pc] = Some(frame);
            self.work.push(pc);
            return Ok(());
        };
        if known.stack.len() != frame.stack.len() {
            return Err(Rule::StackDepths.into());
        }
        let mut joined = known.clone();
        let pairs = joined.locals.iter_mut().zip(&frame.locals);
        for (known, new) in pairs.chain(joined.stack.iter_mut().zip(&frame.stack)) {
            if known != new {
                *known = self.join(known, new)?;
            }
        }
        joined.unborn |= frame.unborn;
        if self.before[pc].as_ref() != Some(&joined) {
            self.before[pc] = Some(joined);
            self.work.push(pc);
        }
        Ok(())
    }

    /// The narrowest type that includes both.
    fn join(&self, a: &Type, b: &Type) -> Checked<Type> {
        Ok(match (a, b) {
            (Type::Null, Type::Object(_)) => b.clone(),
            (Type::Object(_), Type::Null) => a.clone(),
            (Type::Object(known), Type::Object(new)) => Type::Object(self.join_classes(known, new)?),
            _ => Type::Top,
        })
    }

    fn join_classes(&self, known: &Arc<str>, new: &Arc<str>) -> Checked<Arc<str>> {
        if known == new || self.is_assignable(new, known)? {
            return Ok(known.clone());
        }
        if self.is_assignable(known, new)? {
            return Ok(new.clone());
        }
        if let (Some(a), Some(b)) = (element_of(known), element_of(new)) {
            let is_reference = |element: &str| matches!(element.as_bytes().first(), Some(b'L' | b'['));
            if is_reference(a) && is_reference(b) {
                let element = self.join_classes(&class_name(a).into(), &class_name(b).into())?;
                return Ok(format!("[{}", of_class(&element)).into());
            }
        } else if !known.starts_with('[') && !new.starts_with('[') {
            let (Some(mut at), Some(_)) = (self.find(known)?, self.find(new)?) else {
                return Ok(UNKNOWN.into());
            };
            while let Some(parent) = self.classes.get(at).super_class {
                let name = self.classes.plain_name(parent);
                if self.is_assignable(new, name)? {
                    return Ok(name.into());
                }
                at = parent;
            }
        }
        Ok("java/lang/Object".into())
    }

    /// Whether an object of one class may be used where another class is required (JVMS 4.10.1.2).
    fn is_assignable(&self, from: &str, to: &str) -> Checked<bool> {
        if from == to || to == "java/lang/Object" || from == UNKNOWN {
            return Ok(true);
        }
        if let Some(wanted) = element_of(to) {
            let Some(element) = element_of(from) else { return Ok(false) };
            let is_reference = |element: &str| matches!(element.as_bytes().first(), Some(b'L' | b'['));
            return Ok(is_reference(element)
                && is_reference(wanted)
                && self.is_assignable(class_name(element), class_name(wanted))?);
        }
        // A class that does not exist has no objects, so any use of one is harmless.
        let Ok(Some(wanted)) = self.find(to) else { return Ok(true) };
        if self.classes.get(wanted).is_interface() {
            return Ok(true);
        }
        if from.starts_with('[') {
            return Ok(false);
        }
        let Some(given) = self.find(from)? else { return Ok(true) };
        Ok(self.classes.get(given).is_below(wanted))
    }

    /// The class of a name. In a class that a loader of the program defined, the result is `None`, because it
    /// is not known what the loader returns for a name; except for the class itself, its supertypes, and the
    /// class library, which no loader can replace.
    fn find(&self, name: &str) -> Checked<Option<ClassId>> {
        if self.class.space == 0 || name.starts_with("java/") {
            return Ok(Some(self.classes.load(name)?));
        }
        let mut above = self.class.supertypes.iter().copied();
        Ok(above.find(|&id| self.classes.plain_name(id) == name))
    }

    fn class_text(&self, idx: u16) -> Checked<Arc<str>> {
        match self.class.pool.get(idx) {
            Constant::Class(name) if !self.classes.symbols.text(name).is_empty() => {
                Ok(self.classes.symbols.text(name).clone())
            }
            _ => Err(Rule::NotAClass.into()),
        }
    }

    /// Class, name and descriptor of a field or method.
    fn member(&self, idx: u16) -> Checked<[Arc<str>; 3]> {
        match self.class.pool.get(idx) {
            Constant::Member(class, name, descriptor) => {
                Ok([class, name, descriptor].map(|symbol| self.classes.symbols.text(symbol).clone()))
            }
            _ => Err(Rule::NotAMember.into()),
        }
    }

    fn pop(&self, frame: &mut Frame) -> Checked<Type> {
        frame.stack.pop().ok_or_else(|| Rule::EmptyStack.into())
    }

    fn pop_word(&self, frame: &mut Frame) -> Checked<()> {
        match self.pop(frame)? {
            Type::Word => Ok(()),
            other => Err(other.mismatch("a number")),
        }
    }

    fn pop_wide(&self, frame: &mut Frame) -> Checked<()> {
        match (self.pop(frame)?, self.pop(frame)?) {
            (Type::WideEnd, Type::Wide) => Ok(()),
            (other, _) => Err(other.mismatch("a long or double")),
        }
    }

    fn pop_kind(&self, frame: &mut Frame, kind: Kind) -> Checked<()> {
        if kind.is_wide() { self.pop_wide(frame) } else { self.pop_word(frame) }
    }

    fn pop_reference(&self, frame: &mut Frame) -> Checked<Type> {
        match self.pop(frame)? {
            reference if reference.is_reference() => Ok(reference),
            other => Err(other.mismatch("a reference")),
        }
    }

    /// Pops a reference that may be used where this class is required.
    fn pop_object(&self, frame: &mut Frame, class: &str) -> Checked<()> {
        match self.pop_reference(frame)? {
            Type::Object(given) if !self.is_assignable(&given, class)? => {
                Err(Flaw::Mismatch { found: given, needed: class.into() })
            }
            _ => Ok(()),
        }
    }

    fn pop_value(&self, frame: &mut Frame, descriptor: &str) -> Checked<()> {
        match Kind::of(descriptor).ok_or(Rule::Descriptor)? {
            Kind::Ref => self.pop_object(frame, class_name(descriptor)),
            kind => self.pop_kind(frame, kind),
        }
    }

    /// Pops an array and gives the descriptor of its elements; `None` for `null`.
    fn pop_array(&self, frame: &mut Frame) -> Checked<Option<Arc<str>>> {
        match self.pop_reference(frame)? {
            Type::Object(array) => match element_of(&array) {
                Some(element) => Ok(Some(element.into())),
                None => Err(Flaw::Mismatch { found: array.clone(), needed: "an array".into() }),
            },
            _ => Ok(None),
        }
    }

    fn check_element(&self, element: Option<&str>, kind: Kind) -> Checked<()> {
        match element.map(|element| Kind::of(element).ok_or(Rule::Descriptor)).transpose()? {
            None => Ok(()),
            Some(found) if found == kind => Ok(()),
            Some(Kind::Boolean) if kind == Kind::Byte => Ok(()),
            Some(_) => Err(Rule::ArrayKind.into()),
        }
    }

    fn local(&self, n: u16) -> Checked<usize> {
        if n < self.method.max_locals { Ok(usize::from(n)) } else { Err(Rule::NoLocal.into()) }
    }

    fn set_local(&self, frame: &mut Frame, n: usize, value: Type) {
        // Half of a wide value cannot be used.
        if frame.locals[n] == Type::WideEnd && n > 0 {
            frame.locals[n - 1] = Type::Top;
        }
        if frame.locals[n] == Type::Wide && n + 1 < frame.locals.len() {
            frame.locals[n + 1] = Type::Top;
        }
        frame.locals[n] = value;
    }

    /// Whether the slot `depth` below the end of the stack begins a value, or is one.
    fn check_boundary(&self, frame: &Frame, depth: usize) -> Checked<()> {
        let len = frame.stack.len();
        if len < depth {
            return Err(Rule::EmptyStack.into());
        }
        if depth > 0 && frame.stack[len - depth] == Type::WideEnd {
            return Err(Rule::HalfMoved.into());
        }
        Ok(())
    }

    fn duplicate(&self, frame: &mut Frame, n: usize, below: usize) -> Checked<()> {
        self.check_boundary(frame, n)?;
        self.check_boundary(frame, n + below)?;
        let len = frame.stack.len();
        let copied = frame.stack[len - n..].to_vec();
        frame.stack.splice(len - n - below..len - n - below, copied);
        Ok(())
    }

    /// Replaces an uninitialised object everywhere.
    fn become_initialized(frame: &mut Frame, fresh: &Type, class: &str) {
        for slot in frame.locals.iter_mut().chain(&mut frame.stack) {
            if slot == fresh {
                *slot = object(class);
            }
        }
    }

    fn load_constant(&self, frame: &mut Frame, idx: u16, wide: bool) -> Checked<()> {
        let pushed = match self.class.pool.get(idx) {
            Constant::Int(_) | Constant::Float(_) => Type::Word,
            Constant::Long(_) | Constant::Double(_) => Type::Wide,
            Constant::String(_) => object("java/lang/String"),
            Constant::Class(_) => object("java/lang/Class"),
            Constant::MethodHandle(..) => object("java/lang/invoke/MethodHandle"),
            Constant::MethodType(_) => object("java/lang/invoke/MethodType"),
            Constant::Dynamic(_, _, descriptor) => {
                let descriptor = self.classes.symbols.text(descriptor);
                let is_wide = Kind::of(descriptor).ok_or(Rule::Descriptor)?.is_wide();
                if is_wide != wide {
                    return Err(Rule::ConstantSize.into());
                }
                return push_value(&mut frame.stack, descriptor);
            }
            _ => return Err(Rule::ConstantLoaded.into()),
        };
        if (pushed == Type::Wide) != wide {
            return Err(Rule::ConstantSize.into());
        }
        frame.stack.push(pushed);
        if wide {
            frame.stack.push(Type::WideEnd);
        }
        Ok(())
    }

    fn call(&self, frame: &mut Frame, op: Op, idx: u16) -> Checked<()> {
        let [class, name, descriptor] = if let Op::InvokeDynamic(_) = op {
            let Constant::CallSite(_, name, descriptor) = self.class.pool.get(idx) else {
                return Err(Rule::NotACallSite.into());
            };
            let text = |symbol| self.classes.symbols.text(symbol).clone();
            ["".into(), text(name), text(descriptor)]
        } else {
            self.member(idx)?
        };
        let (parameters, result) = split(&descriptor).ok_or(Rule::Descriptor)?;
        for parameter in parameters.iter().rev() {
            self.pop_value(frame, parameter)?;
        }
        match op {
            Op::InvokeSpecial(_) if &*name == "<init>" => {
                if result != "V" {
                    return Err(Rule::ConstructorValue.into());
                }
                self.construct(frame, &class)?;
            }
            _ if name.starts_with('<') => return Err(Flaw::Called(name)),
            Op::InvokeSpecial(_) => {
                let this = self.classes.symbols.text(self.class.plain);
                if !self.is_assignable(this, &class)? || class.starts_with('[') {
                    return Err(Flaw::NotASuperclass(class));
                }
                self.pop_object(frame, this)?;
            }
            Op::InvokeVirtual(_) | Op::InvokeInterface(_) => self.pop_object(frame, &class)?,
            _ => {}
        }
        if result == "V" { Ok(()) } else { push_value(&mut frame.stack, result) }
    }

    /// Applies the call of a constructor.
    fn construct(&self, frame: &mut Frame, class: &str) -> Checked<()> {
        let fresh = self.pop(frame)?;
        match fresh {
            Type::Fresh(at) => {
                let Op::New(idx) = self.code.ops[at] else { return Err(Rule::NothingMade.into()) };
                if *self.class_text(idx)? != *class {
                    return Err(Rule::OtherConstructor.into());
                }
                Self::become_initialized(frame, &fresh, class);
            }
            Type::FreshThis => {
                let this = self.classes.symbols.text(self.class.plain);
                let parent = self.class.super_class.map(|id| self.classes.plain_name(id));
                if class != &**this && Some(class) != parent {
                    return Err(Rule::OtherConstructor.into());
                }
                Self::become_initialized(frame, &fresh, this);
                frame.unborn = false;
            }
            other => return Err(other.mismatch("an uninitialised object")),
        }
        Ok(())
    }

    fn put_field(&self, frame: &mut Frame, idx: u16) -> Checked<()> {
        let [class, name, descriptor] = self.member(idx)?;
        self.pop_value(frame, &descriptor)?;
        if frame.stack.last() == Some(&Type::FreshThis) {
            // A constructor may set the fields of its own class before it calls another one.
            let symbol = self.classes.symbols.intern(&name);
            let is_own = *class == **self.classes.symbols.text(self.class.plain)
                && self.class.fields.iter().any(|field| field.name == symbol);
            frame.stack.pop();
            return if is_own { Ok(()) } else { Err(Rule::EarlyField.into()) };
        }
        self.pop_object(frame, &class)
    }

    fn leave(&self, frame: &mut Frame, n_slots: u8) -> Checked<()> {
        let descriptor = self.classes.symbols.text(self.method.descriptor).clone();
        let (_, result) = split(&descriptor).ok_or(Rule::Descriptor)?;
        if frame.unborn {
            return Err(Rule::Unborn.into());
        }
        if result == "V" {
            return if n_slots == 0 { Ok(()) } else { Err(Rule::ValueReturned.into()) };
        }
        let kind = Kind::of(result).ok_or(Rule::Descriptor)?;
        if u16::from(n_slots) != kind.n_slots() {
            return Err(Rule::OtherReturned.into());
        }
        self.pop_value(frame, result)
    }

    /// Applies the operation at `pc` to the types before it.
    fn operation(&self, pc: usize, frame: &mut Frame) -> Checked<()> {
        match self.code.ops[pc] {
            Op::Nop | Op::Goto(_) => {}
            Op::Ret(_) => return Err(Rule::StrayRet.into()),
            Op::Const(_, is_null) => frame.stack.push(if is_null { Type::Null } else { Type::Word }),
            Op::Long(_) | Op::Double(_) => push_wide(frame),
            Op::Ldc(idx) => self.load_constant(frame, idx, false)?,
            Op::Ldc2(idx) => self.load_constant(frame, idx, true)?,
            Op::Load(n) => self.load(frame, n)?,
            Op::Load2(n) => self.load_wide(frame, n)?,
            Op::Store(n) => self.store(frame, n)?,
            Op::Store2(n) => self.store_wide(frame, n)?,
            Op::Inc(n, _) => self.increment(frame, n)?,
            Op::ArrayLoad(kind) => self.array_load(frame, kind)?,
            Op::ArrayStore(kind) => self.array_store(frame, kind)?,
            Op::Pop => self.drop_slots(frame, 1)?,
            Op::Pop2 => self.drop_slots(frame, 2)?,
            Op::Dup => self.duplicate(frame, 1, 0)?,
            Op::DupX1 => self.duplicate(frame, 1, 1)?,
            Op::DupX2 => self.duplicate(frame, 1, 2)?,
            Op::Dup2 => self.duplicate(frame, 2, 0)?,
            Op::Dup2X1 => self.duplicate(frame, 2, 1)?,
            Op::Dup2X2 => self.duplicate(frame, 2, 2)?,
            Op::Swap => self.swap(frame)?,
            Op::Int(_) | Op::Float(_) | Op::CompareFloat(_) => self.combine_words(frame)?,
            Op::LongOp(operation) => self.combine_longs(frame, operation)?,
            Op::DoubleOp(_) => self.combine_wides(frame, Kind::Double)?,
            Op::CompareLong | Op::CompareDouble(_) => self.combine_wides(frame, Kind::Int)?,
            Op::Neg(kind) => self.convert(frame, kind, kind)?,
            Op::Convert(from, to) => self.convert(frame, from, to)?,
            Op::If(..) | Op::Switch(_) => self.pop_word(frame)?,
            Op::IfInt(..) => {
                self.pop_word(frame)?;
                self.pop_word(frame)?;
            }
            Op::IfRef(..) => {
                self.pop_reference(frame)?;
                self.pop_reference(frame)?;
            }
            Op::IfNull(..) | Op::MonitorEnter | Op::MonitorExit => {
                self.pop_reference(frame)?;
            }
            Op::Jsr(_) => frame.stack.push(Type::Address),
            Op::Return(n_slots) => self.leave(frame, n_slots)?,
            Op::GetStatic(idx) => push_value(&mut frame.stack, &self.member(idx)?[2])?,
            Op::PutStatic(idx) => self.pop_value(frame, &self.member(idx)?[2])?,
            Op::GetField(idx) => {
                let [class, _, descriptor] = self.member(idx)?;
                self.pop_object(frame, &class)?;
                push_value(&mut frame.stack, &descriptor)?;
            }
            Op::PutField(idx) => self.put_field(frame, idx)?,
            op @ (Op::InvokeVirtual(idx)
            | Op::InvokeSpecial(idx)
            | Op::InvokeStatic(idx)
            | Op::InvokeInterface(idx)
            | Op::InvokeDynamic(idx)) => self.call(frame, op, idx)?,
            Op::New(idx) => self.make_object(frame, pc, idx)?,
            Op::NewArray(kind) => self.make_array(frame, &kind.letter().to_string())?,
            Op::NewRefArray(idx) => self.make_array(frame, &of_class(&self.class_text(idx)?))?,
            Op::NewMultiArray(idx, dims) => self.make_arrays(frame, idx, dims)?,
            Op::ArrayLength => {
                self.pop_array(frame)?;
                frame.stack.push(Type::Word);
            }
            Op::Throw => self.pop_object(frame, "java/lang/Throwable")?,
            Op::CheckCast(idx) => {
                self.pop_reference(frame)?;
                frame.stack.push(Type::Object(self.class_text(idx)?));
            }
            Op::InstanceOf(idx) => {
                self.class_text(idx)?;
                self.pop_reference(frame)?;
                frame.stack.push(Type::Word);
            }
            Op::ConstRef(_)
            | Op::NewOf(_)
            | Op::NewArrayOf(_)
            | Op::CastTo(_)
            | Op::IsA(_)
            | Op::GetSlot(..)
            | Op::PutSlot(..)
            | Op::Call(..) => return Err(Rule::OwnOperation.into()),
        }
        Ok(())
    }

    fn load(&self, frame: &mut Frame, n: u16) -> Checked<()> {
        let value = frame.locals[self.local(n)?].clone();
        if matches!(value, Type::Top | Type::Wide | Type::WideEnd | Type::Address) {
            return Err(Flaw::Local { n, holds: "is read and holds no value that one slot has" });
        }
        frame.stack.push(value);
        Ok(())
    }

    fn load_wide(&self, frame: &mut Frame, n: u16) -> Checked<()> {
        self.local(n.saturating_add(1))?;
        let n = usize::from(n);
        if frame.locals[n..n + 2] != [Type::Wide, Type::WideEnd] {
            return Err(Flaw::Local { n: n as u16, holds: "is no long or double" });
        }
        push_wide(frame);
        Ok(())
    }

    fn store(&self, frame: &mut Frame, n: u16) -> Checked<()> {
        let value = self.pop(frame)?;
        if matches!(value, Type::Top | Type::Wide | Type::WideEnd) {
            return Err(Rule::HalfStored.into());
        }
        self.set_local(frame, self.local(n)?, value);
        Ok(())
    }

    fn store_wide(&self, frame: &mut Frame, n: u16) -> Checked<()> {
        self.pop_wide(frame)?;
        self.local(n.saturating_add(1))?;
        self.set_local(frame, usize::from(n), Type::Wide);
        self.set_local(frame, usize::from(n) + 1, Type::WideEnd);
        frame.locals[usize::from(n)] = Type::Wide;
        Ok(())
    }

    fn increment(&self, frame: &Frame, n: u16) -> Checked<()> {
        if frame.locals[self.local(n)?] == Type::Word {
            Ok(())
        } else {
            Err(Flaw::Local { n, holds: "is no number" })
        }
    }

    fn array_load(&self, frame: &mut Frame, kind: Kind) -> Checked<()> {
        self.pop_word(frame)?;
        let element = self.pop_array(frame)?;
        self.check_element(element.as_deref(), kind)?;
        match (kind, element) {
            (Kind::Ref, Some(element)) => frame.stack.push(object(class_name(&element))),
            (Kind::Ref, None) => frame.stack.push(Type::Null),
            (kind, _) => push_number(frame, kind),
        }
        Ok(())
    }

    fn array_store(&self, frame: &mut Frame, kind: Kind) -> Checked<()> {
        if kind == Kind::Ref {
            self.pop_reference(frame)?;
        } else {
            self.pop_kind(frame, kind)?;
        }
        self.pop_word(frame)?;
        let element = self.pop_array(frame)?;
        self.check_element(element.as_deref(), kind)
    }

    /// Pops `n` slots that must not cut a wide value in half.
    fn drop_slots(&self, frame: &mut Frame, n: usize) -> Checked<()> {
        self.check_boundary(frame, n)?;
        for _ in 0..n {
            self.pop(frame)?;
        }
        Ok(())
    }

    fn swap(&self, frame: &mut Frame) -> Checked<()> {
        self.check_boundary(frame, 1)?;
        self.check_boundary(frame, 2)?;
        let len = frame.stack.len();
        frame.stack.swap(len - 1, len - 2);
        Ok(())
    }

    /// Replaces two one-slot values by one.
    fn combine_words(&self, frame: &mut Frame) -> Checked<()> {
        self.pop_word(frame)?;
        self.pop_word(frame)?;
        frame.stack.push(Type::Word);
        Ok(())
    }

    /// Replaces two `long`s, or a `long` and a shift distance, by a `long`.
    fn combine_longs(&self, frame: &mut Frame, operation: Arithmetic) -> Checked<()> {
        match operation {
            Arithmetic::Shl | Arithmetic::Shr | Arithmetic::Ushr => self.pop_word(frame)?,
            _ => self.pop_wide(frame)?,
        }
        self.pop_wide(frame)?;
        push_wide(frame);
        Ok(())
    }

    /// Replaces two wide values by a number of kind `to`.
    fn combine_wides(&self, frame: &mut Frame, to: Kind) -> Checked<()> {
        self.pop_wide(frame)?;
        self.pop_wide(frame)?;
        push_number(frame, to);
        Ok(())
    }

    /// Applies the `new` at `pc`. No uninitialised object that it made before may be left.
    fn make_object(&self, frame: &mut Frame, pc: usize, idx: u16) -> Checked<()> {
        if self.class_text(idx)?.starts_with('[') {
            return Err(Rule::ArrayAsObject.into());
        }
        let fresh = Type::Fresh(pc);
        if frame.stack.contains(&fresh) {
            return Err(Rule::LeftBehind.into());
        }
        for local in frame.locals.iter_mut().filter(|local| **local == fresh) {
            *local = Type::Top;
        }
        frame.stack.push(fresh);
        Ok(())
    }

    /// Replaces a length by an array with elements of this descriptor.
    fn make_array(&self, frame: &mut Frame, element: &str) -> Checked<()> {
        self.pop_word(frame)?;
        frame.stack.push(object(&format!("[{element}")));
        Ok(())
    }

    fn make_arrays(&self, frame: &mut Frame, idx: u16, dims: u8) -> Checked<()> {
        let class = self.class_text(idx)?;
        let most = class.bytes().take_while(|&byte| byte == b'[').count();
        if dims == 0 || usize::from(dims) > most {
            return Err(Rule::FewDimensions.into());
        }
        for _ in 0..dims {
            self.pop_word(frame)?;
        }
        frame.stack.push(Type::Object(class));
        Ok(())
    }

    fn convert(&self, frame: &mut Frame, from: Kind, to: Kind) -> Checked<()> {
        self.pop_kind(frame, from)?;
        push_number(frame, to);
        Ok(())
    }
}

fn push_wide(frame: &mut Frame) {
    frame.stack.extend([Type::Wide, Type::WideEnd]);
}

/// Pushes a value of a primitive kind.
fn push_number(frame: &mut Frame, kind: Kind) {
    if kind.is_wide() {
        push_wide(frame);
    } else {
        frame.stack.push(Type::Word);
    }
}

/// The descriptor of the elements of an array class.
fn element_of(class: &str) -> Option<&str> {
    class.strip_prefix('[')
}
