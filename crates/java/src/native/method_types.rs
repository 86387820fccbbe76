//! Types of methods as `java.lang.invoke` compares and shows them.

use crate::class::descriptor::{Kind, class_name, split};
use crate::vm::Vm;
use crate::vm::dynamic::adapt::{boxed, widens};
use crate::vm::machine::{Exec, Trap, exception};

/// A type as `MethodType.toString` shows it: `(int,String)void`. Classes have their simple names.
pub(super) fn shown(descriptor: &str) -> String {
    let (parameters, result) = split(descriptor).unwrap_or_default();
    let parameters: Vec<String> = parameters.iter().map(|parameter| simple(parameter)).collect();
    format!("({}){}", parameters.join(","), simple(result))
}

fn simple(descriptor: &str) -> String {
    let name = crate::vm::throw::shown_type(descriptor);
    name.rsplit(['.', '$']).next().unwrap_or_default().to_owned()
}

/// A handle of one type cannot be called from a site of another.
pub(super) fn cannot_convert(own: &str, site: &str) -> Trap {
    let message = format!("cannot convert MethodHandle{} to {}", shown(own), shown(site));
    exception("java/lang/invoke/WrongMethodTypeException", message)
}

/// A handle that must be called with its own type is not.
pub(super) fn not_exact(vm: &Vm, own: &str, site: &str) -> Trap {
    // JDK 21 says it in other words than 17.
    let begin = if vm.known().thread_holder.is_some() { "handle's method type" } else { "expected" };
    let message = format!("{begin} {} but found {}", shown(own), shown(site));
    exception("java/lang/invoke/WrongMethodTypeException", message)
}

/// Whether `asType` can make a value of one type into one of another: by a cast, a box or widening.
///
/// # Errors
/// If a class is missing.
pub(super) fn converts(vm: &Vm, from: &str, to: &str) -> Exec<bool> {
    let is_above = |class: &str, kind: Kind| -> Exec<bool> {
        let wrapper = vm.classes.load(kind.box_class())?;
        Ok(vm.classes.is_assignable(wrapper, vm.classes.load(class_name(class))?))
    };
    Ok(match (Kind::of(from), Kind::of(to)) {
        (None, _) | (_, None) | (Some(Kind::Ref), Some(Kind::Ref)) => true,
        (Some(Kind::Ref), Some(kind)) => {
            boxed(from).is_some_and(|source| widens(source, kind)) || is_above(from, kind)?
        }
        (Some(kind), Some(Kind::Ref)) => is_above(to, kind)?,
        (Some(source), Some(target)) => widens(source, target),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_shown_by_their_simple_names() {
        assert_eq!(shown("(ILjava/lang/String;[[J)V"), "(int,String,long[][])void");
        assert_eq!(shown("()Ljava/util/Map$Entry;"), "()Entry");
    }
}
