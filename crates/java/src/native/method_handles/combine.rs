//! Handles made of handles: `MethodHandles.guardWithTest` and its like.

use super::super::Effect::{Own, Pure, Shared};
use super::super::effect::{OwnView, SharedView};
use super::super::{Answer, Table};
use super::call::{call, check, own_type, words, wrong_type};
use super::{HANDLE, Kind as Form, OBJECT, descriptor_of, make, malformed, native, push_type};
use crate::class::ClassId;
use crate::class::code::Op;
use crate::class::descriptor::{Kind, class_name, of_class, split};
use crate::vm::dynamic::adapt::primitive;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::heap::Ref;
use crate::vm::machine::{Exec, Trap, exception, write_element};
use crate::vm::thread::Role;

fn null() -> Trap {
    Trap::Exception("java/lang/NullPointerException", None)
}

fn illegal(message: impl Into<String>) -> Trap {
    exception("java/lang/IllegalArgumentException", message)
}

/// Gives a handle of type `descriptor` made of others.
fn combined(
    m: &mut OwnView<'_, '_>,
    (form, member, holder): (Form, u32, Option<ClassId>),
    descriptor: &str,
    inner: Ref,
    bound: Ref,
) -> Exec<Answer> {
    let vm = m.vm;
    let key = format!("combine {form:?} {member} {holder:?} {descriptor}");
    let maker = vm.made.method(key, |key| {
        let make_entry = native(
            vm,
            "<combine>",
            &format!("(IILjava/lang/Class;{HANDLE}{OBJECT}Ljava/lang/invoke/MethodType;){HANDLE}"),
            Own(|m, args| {
                let made = make(m, [args[0], args[1], args[2], args[3], args[4]], args[5] as Ref)?;
                Ok(Answer::Word(u64::from(made.give())))
            }),
        )?;
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Const(form as i32, false)).op(Op::Const(member as i32, false));
        match holder {
            Some(holder) => asm.op(Op::ConstRef(vm.mirror(holder))),
            None => asm.null(),
        };
        asm.op(Op::Load(0)).op(Op::Load(1));
        push_type(&mut asm, vm, descriptor)?;
        asm.op(Op::Call(make_entry, false)).leave(Some(Kind::Ref));
        Ok(asm.add(key, vm.known().object, "<combine>", &format!("({HANDLE}{OBJECT}){HANDLE}")))
    })?;
    Ok(Answer::Call(maker, vec![u64::from(inner), u64::from(bound)], Role::Plain))
}

fn described(parameters: &[&str], result: &str) -> String {
    format!("({}){result}", parameters.concat())
}

/// The elements of an array of references.
fn elements(m: &mut SharedView<'_, '_>, array: Ref) -> Exec<Vec<Ref>> {
    if array == 0 {
        return Err(null());
    }
    m.references(array, super::super::apart::Order::Any)
}

fn bind(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let handle = args[0] as Ref;
    words(m, handle)?;
    let own = own_type(m, handle)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    if parameters.first().is_none_or(|first| primitive(first).is_some()) {
        return Err(illegal("no leading reference parameter"));
    }
    let class = m.vm.load(class_name(parameters[0]))?;
    let bound = args[1] as Ref;
    if bound != 0 && !m.is_instance(bound, class) {
        let message = m.cast_message(m.class_of(bound), class);
        return Err(exception("java/lang/ClassCastException", message));
    }
    combined(m, (Form::Bound, 0, None), &described(&parameters[1..], result), handle, bound)
}

fn as_type(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let handle = args[0] as Ref;
    words(m, handle)?;
    let own = own_type(m, handle)?;
    let wanted = descriptor_of(m, args[1] as Ref)?;
    if own == wanted {
        return Ok(Answer::Word(args[0]));
    }
    // Whether it can be done at all shows here.
    check(m, handle, &wanted)?;
    if words(m, handle)?[0] == Form::Varargs as u64 {
        return Err(Trap::Unsupported("asType of a method handle that takes any number of arguments".into()));
    }
    let made = make(m, [Form::AsType as u64, 0, 0, args[0], 0], args[1] as Ref)?;
    Ok(Answer::Word(u64::from(made.give())))
}

fn with_arguments(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let mut slots = vec![args[0]];
    let given = elements(m, args[1] as Ref)?;
    slots.extend(given.iter().map(|&object| u64::from(object)));
    let site = format!("({}){OBJECT}", OBJECT.repeat(given.len()));
    call(m, &slots, &site, false)
}

fn insert(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let own = own_type(m, args[0] as Ref)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    let values = elements(m, args[2] as Ref)?;
    let at = args[1] as usize;
    if at + values.len() > parameters.len() {
        return Err(illegal("too many values to insert"));
    }
    let mut rest = parameters.clone();
    rest.drain(at..at + values.len());
    let object = m.vm.known().object;
    let copy = m.new_refs(object, &values)?;
    combined(m, (Form::Insert, at as u32, None), &described(&rest, result), args[0] as Ref, copy.give())
}

fn filter_arguments(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let own = own_type(m, args[0] as Ref)?;
    let filters = elements(m, args[2] as Ref)?;
    let mut types = Vec::new();
    for &filter in &filters {
        types.push(if filter == 0 { None } else { Some(own_type(m, filter)?) });
    }
    let (mut parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    let at = args[1] as usize;
    if at + filters.len() > parameters.len() {
        return Err(illegal("too many filters"));
    }
    for (n, filter) in types.iter().enumerate() {
        if let Some(filter) = filter {
            let (taken, given) = split(filter).ok_or_else(|| malformed(filter))?;
            if taken.len() != 1 || given != parameters[at + n] {
                return Err(illegal(format!("target and filter types do not match: {own}, {filter}")));
            }
            parameters[at + n] = taken[0];
        }
    }
    let object = m.vm.known().object;
    let copy = m.new_refs(object, &filters)?;
    combined(
        m,
        (Form::FilterArguments, at as u32, None),
        &described(&parameters, result),
        args[0] as Ref,
        copy.give(),
    )
}

fn filter_return(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (target, filter) = (own_type(m, args[0] as Ref)?, own_type(m, args[1] as Ref)?);
    let (parameters, result) = split(&target).ok_or_else(|| malformed(&target))?;
    let (taken, given) = split(&filter).ok_or_else(|| malformed(&filter))?;
    let fits = if result == "V" { taken.is_empty() } else { taken == [result] };
    if !fits {
        return Err(illegal(format!("target and filter types do not match: {target}, {filter}")));
    }
    let descriptor = described(&parameters, given);
    combined(m, (Form::FilterReturn, 0, None), &descriptor, args[0] as Ref, args[1] as Ref)
}

fn guard(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let test = own_type(m, args[0] as Ref)?;
    let (target, fallback) = (own_type(m, args[1] as Ref)?, own_type(m, args[2] as Ref)?);
    let (asked, answer) = split(&test).ok_or_else(|| malformed(&test))?;
    let (taken, _) = split(&target).ok_or_else(|| malformed(&target))?;
    if target != fallback || answer != "Z" || !taken.starts_with(&asked) {
        return Err(illegal(format!("target and fallback types must match: {target} != {fallback}")));
    }
    let ways = m.new_refs(m.vm.known().object, &[args[1] as Ref, args[2] as Ref])?;
    combined(m, (Form::Guard, 0, None), &target, args[0] as Ref, ways.give())
}

fn catch(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (target, handler) = (own_type(m, args[0] as Ref)?, own_type(m, args[2] as Ref)?);
    if args[1] == 0 {
        return Err(null());
    }
    let class = m.class_of_mirror(args[1] as Ref);
    let (parameters, result) = split(&target).ok_or_else(|| malformed(&target))?;
    let (taken, given) = split(&handler).ok_or_else(|| malformed(&handler))?;
    if given != result || taken.is_empty() || !parameters.starts_with(&taken[1..]) {
        return Err(illegal(format!("target and handler types must match: {target} != {handler}")));
    }
    combined(m, (Form::Catch, 0, Some(class)), &target, args[0] as Ref, args[2] as Ref)
}

fn drop_arguments(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let own = own_type(m, args[0] as Ref)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    let mut added = Vec::new();
    for mirror in elements(m, args[2] as Ref)? {
        if mirror == 0 {
            return Err(null());
        }
        added.push(of_class(m.vm.classes.name(m.class_of_mirror(mirror))));
    }
    let at = args[1] as usize;
    if at > parameters.len() {
        return Err(illegal("no argument type to append"));
    }
    let mut all: Vec<&str> = parameters[..at].to_vec();
    all.extend(added.iter().map(String::as_str));
    all.extend(&parameters[at..]);
    let member = (at as u32) << 16 | added.len() as u32;
    combined(m, (Form::Drop, member, None), &described(&all, result), args[0] as Ref, 0)
}

/// `asCollector` and `asVarargsCollector`: handle, array class, and for the former how many.
fn collector(m: &mut OwnView<'_, '_>, args: &[u64], is_varargs: bool) -> Exec<Answer> {
    let own = own_type(m, args[0] as Ref)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    let class = if args[1] == 0 { return Err(null()) } else { m.class_of_mirror(args[1] as Ref) };
    let array = of_class(m.vm.classes.name(class));
    if parameters.last() != Some(&array.as_str()) {
        return Err(Trap::Unsupported("a collector of arrays of another class".into()));
    }
    if is_varargs {
        return combined(m, (Form::Varargs, 0, None), &own, args[0] as Ref, 0);
    }
    let n = args[2] as u32;
    let mut all = parameters[..parameters.len() - 1].to_vec();
    all.extend(std::iter::repeat_n(&array[1..], n as usize));
    combined(m, (Form::Collect, n, None), &described(&all, result), args[0] as Ref, 0)
}

fn spreader(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let own = own_type(m, args[0] as Ref)?;
    let (parameters, result) = split(&own).ok_or_else(|| malformed(&own))?;
    let class = if args[1] == 0 { return Err(null()) } else { m.class_of_mirror(args[1] as Ref) };
    let array = of_class(m.vm.classes.name(class));
    let n = args[2] as usize;
    if !array.starts_with('[') || n > parameters.len() {
        return Err(illegal("bad spread array length"));
    }
    let mut all = parameters[..parameters.len() - n].to_vec();
    all.push(&array);
    combined(m, (Form::Spread, n as u32, None), &described(&all, result), args[0] as Ref, 0)
}

/// `foldArguments`, at a place.
fn fold(m: &mut OwnView<'_, '_>, target: u64, at: usize, combiner: u64) -> Exec<Answer> {
    let (inner, bound) = (target as Ref, combiner as Ref);
    let (target, combiner) = (own_type(m, inner)?, own_type(m, bound)?);
    let (mut parameters, result) = split(&target).ok_or_else(|| malformed(&target))?;
    let (taken, given) = split(&combiner).ok_or_else(|| malformed(&combiner))?;
    let skip = usize::from(given != "V");
    let fits = parameters.len() >= at + skip
        && parameters[at + skip..].starts_with(&taken)
        && (skip == 0 || parameters[at] == given);
    if !fits {
        return Err(illegal(format!("target and combiner types must match: {target} != {combiner}")));
    }
    parameters.drain(at..at + skip);
    combined(m, (Form::Fold, at as u32, None), &described(&parameters, result), inner, bound)
}

fn collect_arguments(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (target, filter) = (own_type(m, args[0] as Ref)?, own_type(m, args[2] as Ref)?);
    let at = args[1] as usize;
    let (mut parameters, result) = split(&target).ok_or_else(|| malformed(&target))?;
    let (taken, given) = split(&filter).ok_or_else(|| malformed(&filter))?;
    let n = usize::from(given != "V");
    if at + n > parameters.len() || n == 1 && parameters[at] != given {
        return Err(illegal(format!("target and filter types do not match: {target}, {filter}")));
    }
    parameters.splice(at..at + n, taken);
    let descriptor = described(&parameters, result);
    combined(m, (Form::CollectArguments, at as u32, None), &descriptor, args[0] as Ref, args[2] as Ref)
}

/// `arrayElementGetter` and `arrayElementSetter`.
fn element(m: &mut OwnView<'_, '_>, args: &[u64], form: Form) -> Exec<Answer> {
    let class = if args[0] == 0 { return Err(null()) } else { m.class_of_mirror(args[0] as Ref) };
    let array = of_class(m.vm.classes.name(class));
    let Some(element) = array.strip_prefix('[') else {
        return Err(illegal(format!("not an array type: {}", m.vm.classes.java_name(class))));
    };
    let descriptor = match form {
        Form::ElementGet => format!("({array}I){element}"),
        _ => format!("({array}I{element})V"),
    };
    combined(m, (form, 0, None), &descriptor, 0, 0)
}

fn permute(m: &mut SharedView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let (old, new) = (own_type(m, args[0] as Ref)?, descriptor_of(m, args[1] as Ref)?);
    let order = args[2] as Ref;
    if order == 0 {
        return Err(null());
    }
    let order = m.elements(order)?;
    let (wanted, _) = split(&old).ok_or_else(|| malformed(&old))?;
    let (given, _) = split(&new).ok_or_else(|| malformed(&new))?;
    let fits = order.len() == wanted.len()
        && order.iter().zip(&wanted).all(|(&at, wanted)| given.get(at as usize) == Some(wanted));
    if !fits {
        return Err(illegal(format!("bad reorder array for {old} and {new}")));
    }
    let ints = m.vm.known().int_array;
    let copy = m.new_array(ints, order.len() as i32)?;
    for (at, &value) in order.iter().enumerate() {
        write_element(m.bytes_mut(copy), Kind::Int, at, value);
    }
    combined(m, (Form::Permute, 0, None), &new, args[0] as Ref, copy.give())
}

fn constant(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = if args[0] == 0 { return Err(null()) } else { m.class_of_mirror(args[0] as Ref) };
    let descriptor = of_class(m.vm.classes.name(class));
    let value = args[1] as Ref;
    match primitive(&descriptor) {
        Some(_) if value == 0 => return Err(null()),
        None if value != 0 && !m.is_instance(value, class) => {
            let message = m.cast_message(m.class_of(value), class);
            return Err(exception("java/lang/ClassCastException", message));
        }
        _ => {}
    }
    combined(m, (Form::Constant, 0, None), &format!("(){descriptor}"), 0, value)
}

fn identity(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = if args[0] == 0 { return Err(null()) } else { m.class_of_mirror(args[0] as Ref) };
    let descriptor = of_class(m.vm.classes.name(class));
    if descriptor == "V" {
        return Err(wrong_type("V", "a value"));
    }
    combined(m, (Form::Identity, 0, None), &format!("({descriptor}){descriptor}"), 0, 0)
}

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/invoke/MethodHandle.invokeWithArguments([Ljava/lang/Object;)Ljava/lang/Object;",
        Shared(with_arguments),
    ),
    ("java/lang/invoke/MethodHandle.bindTo", Own(bind)),
    ("java/lang/invoke/MethodHandle.asType", Own(as_type)),
    (
        "java/lang/invoke/MethodHandle.asFixedArity",
        Pure(|m, args| {
            let [form, _, _, inner, _] = words(m, args[0] as Ref)?;
            Ok(Answer::Word(if form == Form::Varargs as u64 { inner } else { args[0] }))
        }),
    ),
    (
        "java/lang/invoke/MethodHandle.isVarargsCollector",
        Pure(|m, args| {
            let is_varargs = words(m, args[0] as Ref)?[0] == Form::Varargs as u64;
            Ok(Answer::Word(u64::from(is_varargs)))
        }),
    ),
    (
        "java/lang/invoke/MethodHandle.asCollector(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        Own(|m, args| collector(m, args, false)),
    ),
    ("java/lang/invoke/MethodHandle.asVarargsCollector", Own(|m, args| collector(m, args, true))),
    (
        "java/lang/invoke/MethodHandle.asSpreader(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        Own(spreader),
    ),
    ("java/lang/invoke/MethodHandles.insertArguments", Shared(insert)),
    ("java/lang/invoke/MethodHandles.filterArguments", Shared(filter_arguments)),
    ("java/lang/invoke/MethodHandles.filterReturnValue", Own(filter_return)),
    ("java/lang/invoke/MethodHandles.guardWithTest", Own(guard)),
    ("java/lang/invoke/MethodHandles.catchException", Own(catch)),
    (
        "java/lang/invoke/MethodHandles.dropArguments(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
        Shared(drop_arguments),
    ),
    (
        "java/lang/invoke/MethodHandles.foldArguments(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        Own(|m, args| fold(m, args[0], 0, args[1])),
    ),
    (
        "java/lang/invoke/MethodHandles.foldArguments(Ljava/lang/invoke/MethodHandle;ILjava/lang/invoke/MethodHandle;)Ljava/lang/invoke/MethodHandle;",
        Own(|m, args| fold(m, args[0], args[1] as usize, args[2])),
    ),
    ("java/lang/invoke/MethodHandles.collectArguments", Own(collect_arguments)),
    ("java/lang/invoke/MethodHandles.arrayElementGetter", Own(|m, args| element(m, args, Form::ElementGet))),
    ("java/lang/invoke/MethodHandles.arrayElementSetter", Own(|m, args| element(m, args, Form::ElementSet))),
    (
        "java/lang/invoke/MethodHandles.empty",
        Own(|m, args| {
            let descriptor = descriptor_of(m, args[0] as Ref)?;
            combined(m, (Form::Empty, 0, None), &descriptor, 0, 0)
        }),
    ),
    (
        "java/lang/invoke/MethodHandles.zero",
        Own(|m, args| {
            let class = if args[0] == 0 { return Err(null()) } else { m.class_of_mirror(args[0] as Ref) };
            let descriptor = format!("(){}", of_class(m.vm.classes.name(class)));
            combined(m, (Form::Empty, 0, None), &descriptor, 0, 0)
        }),
    ),
    ("java/lang/invoke/MethodHandles.permuteArguments", Shared(permute)),
    ("java/lang/invoke/MethodHandles.constant", Own(constant)),
    ("java/lang/invoke/MethodHandles.identity", Own(identity)),
];
