//! What calls of each kind of method handle do, written as operations.

use super::super::Answer;
use super::super::handles::unboxed;
use super::call::{Bound, Parts, call, wrong_type};
use super::{HANDLE, Kind as Form, OBJECT, malformed, native};
use crate::class::code::{Comparison, Op};
use crate::class::descriptor::{Kind, class_name, split};
use crate::class::{MethodId, flags};
use crate::vm::Vm;
use crate::vm::arithmetic::convert;
use crate::vm::dynamic::adapt::{boxed, computed, primitive, widens};
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::view::{Mode, Resource};

/// Takes the value out of a box: what kind is wanted is in the descriptor of the call.
fn unbox(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let site = m.vm.classes.symbols.text(m.step.site);
    let to = split(site).and_then(|(_, result)| primitive(result)).unwrap_or(Kind::Int);
    let object = args[0] as Ref;
    if object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    match unboxed(m, object) {
        Some((from, value)) if widens(from, to) => {
            let (from, target) = (computed(from), computed(to));
            let value = if from == target { value } else { convert(from, target, value) };
            Ok(if to.is_wide() { Answer::Wide(value) } else { Answer::Word(value) })
        }
        Some(_) => {
            let [from, to] =
                [m.vm.classes.java_name(m.process.heap.get(object).class), to.box_class().replace('/', ".")];
            Err(exception("java/lang/ClassCastException", format!("Cannot cast {from} to {to}")))
        }
        // What is no box is taken for a number first, whatever is wanted.
        None => {
            let number = m.vm.load("java/lang/Number")?;
            let message = m.cast_message(m.process.heap.get(object).class, number);
            Err(exception("java/lang/ClassCastException", message))
        }
    }
}

/// From a value of one type to one of another, as `asType` does it.
pub(super) fn adapt(asm: &mut Assembler<'_>, vm: &Vm, from: &str, to: &str) -> Exec<()> {
    if from == to {
        return Ok(());
    }
    match (Kind::of(from), Kind::of(to)) {
        (None, None) => {}
        (Some(kind), None) => {
            asm.op(if kind.is_wide() { Op::Pop2 } else { Op::Pop });
        }
        (None, Some(kind)) => {
            asm.op(match kind {
                Kind::Ref => Op::Const(0, true),
                Kind::Long => Op::Long(0),
                Kind::Double => Op::Double(0.0),
                _ => Op::Const(0, false),
            });
        }
        (Some(Kind::Ref), Some(Kind::Ref)) => {
            asm.cast(to)?;
        }
        (Some(Kind::Ref), Some(kind)) => {
            if boxed(from).is_some_and(|source| !widens(source, kind)) {
                return Err(wrong_type(from, to));
            }
            let method = native(vm, "<unbox>", &format!("({OBJECT}){}", kind.letter()), unbox)?;
            asm.op(Op::Call(method, false));
        }
        (Some(kind), Some(Kind::Ref)) => {
            let wrapper = vm.classes.load(kind.box_class())?;
            if !vm.classes.is_assignable(wrapper, vm.classes.load(class_name(to))?) {
                return Err(wrong_type(from, to));
            }
            asm.box_value(kind)?;
        }
        (Some(source), Some(target)) => {
            if !widens(source, target) {
                return Err(wrong_type(from, to));
            }
            asm.widen(source, target);
        }
    }
    Ok(())
}

/// The method that calls a handle of type `inner` exactly: the handle is its first argument.
fn invoker(vm: &Vm, inner: &str) -> Exec<MethodId> {
    native(vm, "<invoke>", &format!("({HANDLE}{}", &inner[1..]), |m, args| {
        let site = m.vm.classes.symbols.text(m.step.site);
        let site = format!("({}", &site[1 + HANDLE.len()..]);
        call(m, args, &site, true)
    })
}

/// Whether the field that a handle names is declared volatile.
fn is_volatile(vm: &Vm, parts: &Parts) -> bool {
    let is_static = matches!(parts.form, Form::GetStatic | Form::PutStatic);
    vm.class(parts.holder).fields.iter().any(|field| {
        field.slot == parts.member
            && (field.flags & flags::STATIC != 0) == is_static
            && field.flags & flags::VOLATILE != 0
    })
}

/// Reads a volatile field: object and slot.
fn get_volatile(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    if object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let site = m.vm.classes.symbols.text(m.step.site);
    let is_wide = split(site).and_then(|(_, result)| Kind::of(result)).is_some_and(Kind::is_wide);
    m.access(Resource::Slot(object, args[1] as u32), Mode::Read)?;
    let value = m.process.heap.slot(object, args[1] as u32);
    Ok(if is_wide { Answer::Wide(value) } else { Answer::Word(value) })
}

/// Writes a volatile field: object, value and slot.
fn put_volatile(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let object = args[0] as Ref;
    if object == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let site = m.vm.classes.symbols.text(m.step.site);
    let kind = split(site).and_then(|(types, _)| Kind::of(types[1])).unwrap_or(Kind::Ref);
    let slot = args[args.len() - 1] as u32;
    m.access(Resource::Slot(object, slot), Mode::WriteAny)?;
    if kind == Kind::Ref {
        m.set_ref(object, slot, args[1] as Ref);
    } else {
        m.process.heap.set_slot(object, slot, kind.narrow(args[1]));
    }
    Ok(Answer::Void)
}

/// The result type of a descriptor.
fn result_of(descriptor: &str) -> Exec<String> {
    Ok(split(descriptor).ok_or_else(|| malformed(descriptor))?.1.to_owned())
}

/// Writes the calls of one kind of handle.
pub(super) struct Writer<'a> {
    /// What all workers share.
    pub vm: &'a Vm,
    /// The code so far.
    pub asm: Assembler<'a>,
    /// The first slot of a handle's own fields.
    pub first: u32,
    /// The local variables of the arguments, and their types.
    pub args: Vec<(u16, &'a str)>,
    /// The first local variable that nothing is in.
    pub next: u16,
}

impl<'a> Writer<'a> {
    pub(super) fn fresh(&mut self, kind: Kind) -> u16 {
        self.next += kind.n_slots();
        self.next - kind.n_slots()
    }

    pub(super) fn load(&mut self, at: usize) {
        let (local, descriptor) = self.args[at];
        self.asm.load(Kind::of(descriptor).unwrap_or(Kind::Ref), local);
    }

    fn push_inner(&mut self) {
        self.asm.op(Op::Load(0)).op(Op::GetSlot(self.first + 3, Kind::Ref));
    }

    fn push_bound(&mut self) {
        self.asm.op(Op::Load(0)).op(Op::GetSlot(self.first + 4, Kind::Ref));
    }

    fn push_item(&mut self, at: usize) {
        self.push_bound();
        self.asm.op(Op::Const(at as i32, false)).op(Op::ArrayLoad(Kind::Ref));
    }

    fn invoke(&mut self, descriptor: &str) -> Exec<()> {
        let invoker = invoker(self.vm, descriptor)?;
        self.asm.op(Op::Call(invoker, false));
        Ok(())
    }

    /// Pushes arguments from `from` on as the parameters of a type, beginning with parameter `skip`.
    fn pass(&mut self, descriptor: &str, skip: usize, from: usize) -> Exec<()> {
        let (parameters, _) = split(descriptor).ok_or_else(|| malformed(descriptor))?;
        for (n, wanted) in parameters[skip..].iter().enumerate() {
            let at = from + n;
            let given = self.args.get(at).ok_or_else(|| wrong_type(descriptor, "fewer arguments"))?.1;
            self.load(at);
            adapt(&mut self.asm, self.vm, given, wanted)?;
        }
        Ok(())
    }

    /// Puts the arguments from `from` on into an array, which takes their place.
    pub(super) fn collect(&mut self, from: usize, array: &'a str) -> Exec<()> {
        let element = array.strip_prefix('[').ok_or_else(|| malformed(array))?;
        let class = self.vm.classes.load(class_name(element))?;
        let kind = Kind::of(element).unwrap_or(Kind::Ref);
        if self.args.len() < from {
            return Err(wrong_type(array, "fewer arguments"));
        }
        self.asm.op(Op::Const((self.args.len() - from) as i32, false)).op(Op::NewArrayOf(class));
        for at in from..self.args.len() {
            self.asm.op(Op::Dup).op(Op::Const((at - from) as i32, false));
            self.load(at);
            adapt(&mut self.asm, self.vm, self.args[at].1, element)?;
            self.asm.op(Op::ArrayStore(kind));
        }
        let local = self.fresh(Kind::Ref);
        self.asm.store(Kind::Ref, local);
        self.args.truncate(from);
        self.args.push((local, array));
        Ok(())
    }

    /// Writes what a handle does with its arguments and gives the type of what is then on the stack.
    pub(super) fn body(&mut self, parts: &'a Parts, result: &str) -> Exec<String> {
        match parts.form {
            Form::GetField | Form::GetStatic | Form::PutField | Form::PutStatic => {
                self.field(parts, result)?;
            }
            Form::ElementGet | Form::ElementSet => self.element(parts, result)?,
            Form::Virtual | Form::Static | Form::Special | Form::Interface => {
                self.pass(&parts.own, 0, 0)?;
                let is_virtual = matches!(parts.form, Form::Virtual | Form::Interface);
                self.asm.op(Op::Call(MethodId(parts.member), is_virtual));
            }
            Form::Constructor => {
                self.asm.op(Op::NewOf(parts.holder)).op(Op::Dup);
                self.pass(&parts.own, 0, 0)?;
                self.asm.op(Op::Call(MethodId(parts.member), false));
            }
            Form::Constant => {
                self.push_bound();
                adapt(&mut self.asm, self.vm, OBJECT, result)?;
            }
            Form::Identity => self.load(0),
            Form::Empty => return Ok("V".into()),
            Form::Bound => return self.bound(parts),
            Form::AsType | Form::Varargs => return self.call_inner(parts),
            Form::Insert => return self.insert(parts),
            Form::FilterArguments => return self.filter(parts),
            Form::FilterReturn => return self.filter_return(parts),
            Form::Guard => return self.guard(parts),
            Form::Catch => return self.catch(parts),
            Form::Drop => {
                let at = (parts.member >> 16) as usize;
                let n = (parts.member & 0xffff) as usize;
                self.args.drain(at..at + n);
                return self.call_inner(parts);
            }
            Form::Collect => {
                let from = self.args.len() - parts.member as usize;
                let (parameters, _) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
                self.collect(from, parameters[from])?;
                return self.call_inner(parts);
            }
            Form::Spread => return self.spread(parts),
            Form::Fold => return self.fold(parts),
            Form::CollectArguments => return self.collect_arguments(parts),
            Form::Permute => return self.permute(parts),
        }
        Ok(result.to_owned())
    }

    /// Calls the handle that this one is made of with all arguments; gives the type of its result.
    fn call_inner(&mut self, parts: &'a Parts) -> Exec<String> {
        self.push_inner();
        self.pass(&parts.inner, 0, 0)?;
        self.invoke(&parts.inner)?;
        result_of(&parts.inner)
    }

    /// The kind of the last argument: the value that a setter stores.
    fn stored_kind(&self) -> Kind {
        self.args.last().and_then(|arg| Kind::of(arg.1)).unwrap_or(Kind::Ref)
    }

    /// Reads or writes a field.
    fn field(&mut self, parts: &'a Parts, result: &str) -> Exec<()> {
        if is_volatile(self.vm, parts) {
            return self.volatile_field(parts, result);
        }
        let mut slot = parts.member;
        if matches!(parts.form, Form::GetStatic | Form::PutStatic) {
            self.asm.op(Op::ConstRef(self.vm.mirror(parts.holder)));
            slot = self.vm.static_slot(slot);
        }
        self.pass(&parts.own, 0, 0)?;
        self.asm.op(match parts.form {
            Form::GetField | Form::GetStatic => Op::GetSlot(slot, Kind::of(result).unwrap_or(Kind::Ref)),
            _ => Op::PutSlot(slot, self.stored_kind()),
        });
        Ok(())
    }

    /// Reads or writes an array element.
    fn element(&mut self, parts: &'a Parts, result: &str) -> Exec<()> {
        self.pass(&parts.own, 0, 0)?;
        self.asm.op(match parts.form {
            Form::ElementGet => Op::ArrayLoad(Kind::of(result).unwrap_or(Kind::Ref)),
            _ => Op::ArrayStore(self.stored_kind()),
        });
        Ok(())
    }

    /// Calls the inner handle with the bound value before the arguments.
    fn bound(&mut self, parts: &'a Parts) -> Exec<String> {
        self.push_inner();
        let (parameters, _) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        self.push_bound();
        adapt(&mut self.asm, self.vm, OBJECT, parameters[0])?;
        self.pass(&parts.inner, 1, 0)?;
        self.invoke(&parts.inner)?;
        result_of(&parts.inner)
    }

    /// Calls the filter with what the inner handle returns.
    fn filter_return(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::Handle(filter) = &parts.bound else { return Err(malformed("a filter")) };
        self.push_bound();
        self.call_inner(parts)?;
        self.invoke(filter)?;
        result_of(filter)
    }

    /// Inserts the combiner's result before the arguments that it was called with.
    fn fold(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::Handle(combiner) = &parts.bound else { return Err(malformed("a combiner")) };
        let combined = result_of(combiner)?;
        let (parameters, _) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let at = parts.member as usize;
        self.push_bound();
        self.pass(combiner, 0, at)?;
        self.invoke(combiner)?;
        if let Some(kind) = Kind::of(&combined) {
            adapt(&mut self.asm, self.vm, &combined, parameters[at])?;
            let local = self.fresh(kind);
            self.asm.store(kind, local);
            self.args.insert(at, (local, parameters[at]));
        }
        self.call_inner(parts)
    }

    /// Replaces the arguments that the filter takes by its result.
    fn collect_arguments(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::Handle(filter) = &parts.bound else { return Err(malformed("a filter")) };
        let (parameters, _) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let (taken, given) = split(filter).ok_or_else(|| malformed(filter))?;
        let at = parts.member as usize;
        self.push_bound();
        self.pass(filter, 0, at)?;
        self.invoke(filter)?;
        self.args.drain(at..at + taken.len());
        if let Some(kind) = Kind::of(given) {
            let local = self.fresh(kind);
            self.asm.store(kind, local);
            self.args.insert(at, (local, parameters[at]));
        }
        self.call_inner(parts)
    }

    /// Passes the arguments in another order.
    fn permute(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::Numbers(order) = &parts.bound else { return Err(malformed("an order")) };
        let args = std::mem::take(&mut self.args);
        for &at in order {
            let at = usize::try_from(at).ok().and_then(|at| args.get(at));
            self.args.push(*at.ok_or_else(|| wrong_type("an order", "another"))?);
        }
        self.call_inner(parts)
    }

    /// Reads or writes a volatile field: one operation that orders threads.
    fn volatile_field(&mut self, parts: &'a Parts, result: &str) -> Exec<()> {
        let vm = self.vm;
        let erased = |descriptor: &str| match Kind::of(descriptor) {
            Some(kind) if kind != Kind::Ref => kind.letter().to_string(),
            _ => OBJECT.to_owned(),
        };
        let is_static = matches!(parts.form, Form::GetStatic | Form::PutStatic);
        if is_static {
            self.asm.op(Op::ConstRef(vm.mirror(parts.holder)));
        }
        let stored = self.args.last().map_or_else(String::new, |arg| erased(arg.1));
        self.pass(&parts.own, 0, 0)?;
        let slot = if is_static { vm.static_slot(parts.member) } else { parts.member };
        self.asm.op(Op::Const(slot as i32, false));
        let method = if matches!(parts.form, Form::GetField | Form::GetStatic) {
            native(vm, "<get>", &format!("({OBJECT}I){}", erased(result)), get_volatile)?
        } else {
            native(vm, "<put>", &format!("({OBJECT}{stored}I)V"), put_volatile)?
        };
        self.asm.op(Op::Call(method, false));
        Ok(())
    }

    fn insert(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::List(values) = &parts.bound else { return Err(malformed("inserted values")) };
        let (parameters, result) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let at = parts.member as usize;
        self.push_inner();
        for (n, wanted) in parameters.iter().enumerate() {
            if n >= at && n < at + values.len() {
                self.push_item(n - at);
                adapt(&mut self.asm, self.vm, OBJECT, wanted)?;
            } else {
                let from = if n < at { n } else { n - values.len() };
                self.load(from);
                adapt(&mut self.asm, self.vm, self.args[from].1, wanted)?;
            }
        }
        self.invoke(&parts.inner)?;
        Ok(result.to_owned())
    }

    fn filter(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::List(filters) = &parts.bound else { return Err(malformed("filters")) };
        let (parameters, result) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let first = parts.member as usize;
        self.push_inner();
        for (n, wanted) in parameters.iter().enumerate() {
            let filter = n.checked_sub(first).and_then(|at| filters.get(at)).and_then(Option::as_ref);
            if let Some(filter) = filter {
                self.push_item(n - first);
                self.load(n);
                self.invoke(filter)?;
                let (_, given) = split(filter).ok_or_else(|| malformed(filter))?;
                adapt(&mut self.asm, self.vm, given, wanted)?;
            } else {
                self.load(n);
                adapt(&mut self.asm, self.vm, self.args[n].1, wanted)?;
            }
        }
        self.invoke(&parts.inner)?;
        Ok(result.to_owned())
    }

    fn guard(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::List(ways) = &parts.bound else { return Err(malformed("a guard")) };
        let [Some(target), Some(fallback)] = ways.as_slice() else { return Err(malformed("a guard")) };
        let (_, result) = split(target).ok_or_else(|| malformed(target))?;
        self.push_inner();
        self.pass(&parts.inner, 0, 0)?;
        self.invoke(&parts.inner)?;
        let otherwise = self.asm.jump(Op::If(Comparison::Eq, 0));
        let depth = self.asm.depth();
        self.push_item(0);
        self.pass(target, 0, 0)?;
        self.invoke(target)?;
        let done = self.asm.jump(Op::Goto(0));
        self.asm.land(otherwise);
        self.asm.set_depth(depth);
        self.push_item(1);
        self.pass(fallback, 0, 0)?;
        self.invoke(fallback)?;
        self.asm.land(done);
        Ok(result.to_owned())
    }

    fn catch(&mut self, parts: &'a Parts) -> Exec<String> {
        let Bound::Handle(handler) = &parts.bound else { return Err(malformed("a handler")) };
        let (_, result) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let start = self.asm.here();
        self.push_inner();
        self.pass(&parts.inner, 0, 0)?;
        self.invoke(&parts.inner)?;
        let end = self.asm.here();
        let done = self.asm.jump(Op::Goto(0));
        self.asm.catch(start, end, parts.holder);
        let local = self.fresh(Kind::Ref);
        self.asm.store(Kind::Ref, local);
        self.push_bound();
        self.asm.load(Kind::Ref, local);
        self.pass(handler, 1, 0)?;
        self.invoke(handler)?;
        self.asm.land(done);
        Ok(result.to_owned())
    }

    fn spread(&mut self, parts: &'a Parts) -> Exec<String> {
        let n = parts.member as usize;
        let (parameters, result) = split(&parts.inner).ok_or_else(|| malformed(&parts.inner))?;
        let kept = parameters.len() - n;
        let array = self.args[kept].1;
        let element = array.strip_prefix('[').ok_or_else(|| malformed(array))?;
        self.load(kept);
        self.asm.op(Op::ArrayLength).op(Op::Const(n as i32, false));
        let fits = self.asm.jump(Op::IfInt(Comparison::Eq, 0));
        let class = "java/lang/IllegalArgumentException";
        let message = self.vm.literal_str(&format!("array is not of length {n}"));
        self.asm.op(Op::NewOf(self.vm.classes.load(class)?)).op(Op::Dup).op(Op::ConstRef(message));
        self.asm.call(class, "<init>", "(Ljava/lang/String;)V", false)?.op(Op::Throw);
        self.asm.land(fits);
        self.asm.set_depth(0);
        self.push_inner();
        for (at, wanted) in parameters.iter().enumerate() {
            if at < kept {
                self.load(at);
                adapt(&mut self.asm, self.vm, self.args[at].1, wanted)?;
            } else {
                self.load(kept);
                self.asm.op(Op::Const((at - kept) as i32, false));
                self.asm.op(Op::ArrayLoad(Kind::of(element).unwrap_or(Kind::Ref)));
                adapt(&mut self.asm, self.vm, element, wanted)?;
            }
        }
        self.invoke(&parts.inner)?;
        Ok(result.to_owned())
    }
}
