//! Calls of method handles: a static method is made for each kind and type of handle and each type of call
//! site.

use super::super::Answer;
use super::super::effect::{Fixed, OwnView, PureView};
use super::super::method_types::{cannot_convert, converts, not_exact};
use super::write::{Writer, adapt};
use super::{FIELDS, HANDLE, Kind as Form, descriptor_of, first_slot, handle_class, malformed};
use crate::class::descriptor::{Kind, class_name, split};
use crate::class::{ClassId, MethodId};
use crate::gap::Gap;
use crate::vm::Vm;
use crate::vm::dynamic::adapt::primitive;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::{Data, Ref};
use crate::vm::machine::{Exec, Trap, exception, read_element};
use crate::vm::thread::Role;

/// A handle that cannot be called so.
pub(super) fn wrong_type(from: &str, to: &str) -> Trap {
    let message = format!("cannot convert {from} to {to}");
    exception("java/lang/invoke/WrongMethodTypeException", message)
}

/// What a handle keeps beside its inner handle, as far as its calls depend on it.
#[derive(Debug)]
pub(super) enum Bound {
    /// Nothing, or a value.
    Value,
    /// A handle of this type.
    Handle(String),
    /// Several things, the handles among them with their types.
    List(Vec<Option<String>>),
    /// Numbers.
    Numbers(Vec<i32>),
}

/// What the calls of a handle depend on.
#[derive(Debug)]
pub(super) struct Parts {
    pub form: Form,
    pub member: u32,
    pub holder: ClassId,
    pub own: String,
    pub inner: String,
    pub bound: Bound,
}

/// The words in a handle.
pub(super) fn words(m: &PureView<'_, '_>, handle: Ref) -> Exec<[u64; FIELDS.len()]> {
    let class = handle_class(m.vm)?;
    if m.class_of(handle) != class {
        let name = m.vm.classes.java_name(m.class_of(handle));
        return Err(Gap::Named("a MethodHandle of class", name).into());
    }
    m.made_fields(handle).ok_or_else(|| Trap::Unsupported("a MethodHandle of another form".into()))
}

/// The type of a handle as a descriptor.
pub(super) fn own_type(m: &PureView<'_, '_>, handle: Ref) -> Exec<String> {
    if handle == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    descriptor_of(m, m.fixed(handle, Fixed::HandleType)? as Ref)
}

fn parts(m: &PureView<'_, '_>, handle: Ref) -> Exec<Parts> {
    let [kind, member, holder, inner, bound] = words(m, handle)?;
    let class = handle_class(m.vm)?;
    let bound = match bound as Ref {
        0 => Bound::Value,
        bound if m.class_of(bound) == class => Bound::Handle(own_type(m, bound)?),
        bound => match m.made_array(bound) {
            Data::Refs(refs)
                if matches!(Form::of(kind)?, Form::Guard | Form::FilterArguments | Form::Insert) =>
            {
                let mut types = Vec::with_capacity(refs.len());
                for &item in refs {
                    let is_handle = item != 0 && m.class_of(item) == class;
                    types.push(if is_handle { Some(own_type(m, item)?) } else { None });
                }
                Bound::List(types)
            }
            Data::Bytes(bytes) if Form::of(kind)? == Form::Permute => {
                let number = |bytes| read_element(bytes, Kind::Int, 0) as u32 as i32;
                Bound::Numbers(bytes.chunks_exact(4).map(number).collect())
            }
            _ => Bound::Value,
        },
    };
    Ok(Parts {
        form: Form::of(kind)?,
        member: member as u32,
        holder: if holder == 0 { m.vm.known().object } else { m.class_of_mirror(holder as Ref) },
        own: own_type(m, handle)?,
        inner: if inner == 0 { String::new() } else { own_type(m, inner as Ref)? },
        bound,
    })
}

/// Calls a handle: its arguments are of the types of the call site, the handle itself comes first.
pub(super) fn call(m: &mut OwnView<'_, '_>, args: &[u64], site: &str, is_exact: bool) -> Exec<Answer> {
    let handle = args[0] as Ref;
    if handle == 0 {
        return Err(Trap::Exception("java/lang/NullPointerException", None));
    }
    let parts = parts(m, handle)?;
    if is_exact && parts.own != site {
        return Err(not_exact(m.vm, &parts.own, site));
    }
    if matches!(parts.form, Form::GetStatic | Form::PutStatic) {
        m.ensure_initialized(parts.holder)?;
    }
    let adapter = adapter(m.vm, &parts, site)?;
    Ok(Answer::Call(adapter, args.to_vec(), Role::Plain))
}

/// Whether a handle can be called from a site of this type.
///
/// # Errors
/// If it cannot.
pub(super) fn check(m: &PureView<'_, '_>, handle: Ref, site: &str) -> Exec<()> {
    adapter(m.vm, &parts(m, handle)?, site).map(|_| ())
}

/// The method that carries out calls of handles of one kind and type from call sites of one type.
fn adapter(vm: &Vm, parts: &Parts, site: &str) -> Exec<MethodId> {
    vm.made.method(format!("call {parts:?} {site}"), |key| {
        let (given, wanted) = split(site).ok_or_else(|| malformed(site))?;
        let (taken, result) = split(&parts.own).ok_or_else(|| malformed(&parts.own))?;
        let mut writer = Writer {
            vm,
            asm: Assembler::new(&vm.classes),
            first: first_slot(vm)?,
            args: Vec::new(),
            next: 1,
        };
        for parameter in &given {
            let local = writer.fresh(Kind::of(parameter).ok_or_else(|| malformed(site))?);
            writer.args.push((local, *parameter));
        }
        if parts.form == Form::Varargs && !fits(vm, &given, &taken)? {
            writer.collect(taken.len() - 1, taken[taken.len() - 1])?;
        }
        if writer.args.len() != taken.len() || !converts(vm, result, wanted)? {
            return Err(cannot_convert(&parts.own, site));
        }
        for (at, wanted) in taken.iter().enumerate() {
            let given = writer.args[at].1;
            if !converts(vm, given, wanted)? {
                return Err(cannot_convert(&parts.own, site));
            }
            if given != *wanted {
                let kind = Kind::of(wanted).ok_or_else(|| malformed(&parts.own))?;
                writer.load(at);
                adapt(&mut writer.asm, vm, given, wanted)?;
                let local = writer.fresh(kind);
                writer.asm.store(kind, local);
                writer.args[at] = (local, wanted);
            }
        }
        let produced = writer.body(parts, result)?;
        adapt(&mut writer.asm, vm, &produced, result)?;
        adapt(&mut writer.asm, vm, result, wanted)?;
        writer.asm.leave(Kind::of(wanted));
        Ok(writer.asm.add(key, vm.known().object, "<call>", &format!("({HANDLE}{}", &site[1..])))
    })
}

/// Whether arguments of these types are passed as they are to a method that takes any number of them.
fn fits(vm: &Vm, given: &[&str], taken: &[&str]) -> Exec<bool> {
    let (Some(last), Some(array)) = (given.last(), taken.last()) else { return Ok(false) };
    if given.len() != taken.len() || primitive(last).is_some() {
        return Ok(false);
    }
    let (last, array) = (vm.classes.load(class_name(last))?, vm.classes.load(class_name(array))?);
    Ok(vm.classes.is_assignable(last, array))
}
