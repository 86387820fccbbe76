//! Calls of a `VarHandle` whose variable holds references with arguments that are no references: they are
//! boxed by the class library's own methods first, and then the access is made.

use super::super::effect::OwnView;
use super::super::{Answer, Effect, method_handles};
use crate::class::descriptor::{Kind, split};
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

/// The class of handles, which comes first in the descriptors of the methods here.
pub(super) const VAR_HANDLE: &str = "Ljava/lang/invoke/VarHandle;";

/// Calls the access `mode` with boxed arguments: those from the one at `first` on. `types` are those of the
/// call.
pub(super) fn call(
    m: &mut OwnView<'_, '_>,
    args: &[u64],
    (mode, effect): (&str, Effect),
    site: &str,
    first: usize,
) -> Exec<Answer> {
    let vm = m.vm;
    let (types, result) = split(site).unwrap_or_default();
    let boxed: String = types
        .iter()
        .enumerate()
        .map(|(at, given)| match Kind::of(given) {
            Some(kind) if at >= first && kind != Kind::Ref => format!("L{};", kind.box_class()),
            _ => (*given).to_owned(),
        })
        .collect();
    let access =
        method_handles::native(vm, &format!("<{mode}>"), &format!("({VAR_HANDLE}{boxed}){result}"), effect)?;
    let method = vm.made.method(format!("boxed {mode} {first} {site}"), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.load(Kind::Ref, 0);
        let mut local = 1;
        for (at, given) in types.iter().enumerate() {
            let kind = Kind::of(given).unwrap_or(Kind::Ref);
            asm.load(kind, local);
            local += kind.n_slots();
            if at >= first && kind != Kind::Ref {
                asm.box_value(kind)?;
            }
        }
        asm.op(crate::class::code::Op::Call(access, false)).leave(Kind::of(result));
        let descriptor = format!("({VAR_HANDLE}{}", &site[1..]);
        Ok(asm.add(key, vm.known().object, "<boxed>", &descriptor))
    })?;
    Ok(Answer::Call(method, args.to_vec(), Role::Plain))
}
