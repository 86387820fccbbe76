//! String concatenation: what `StringConcatFactory` does, as the chain of `StringBuilder` calls that `javac`
//! once wrote.

use super::Site;
use super::assemble::Assembler;
use crate::class::MethodId;
use crate::class::code::Op;
use crate::class::descriptor::{Kind, split};
use crate::class::pool::Constant;
use crate::vm::machine::{Exec, Machine, Trap};

const BUILDER: &str = "java/lang/StringBuilder";
/// An argument of the call, in a recipe.
const ARGUMENT: u16 = 1;
/// A constant, in a recipe.
const CONSTANT: u16 = 2;

/// The parameter of the `append` for values of a type.
fn appended(descriptor: &str) -> &str {
    match descriptor {
        "B" | "S" | "I" => "I",
        "Z" | "C" | "J" | "F" | "D" | "Ljava/lang/String;" => descriptor,
        _ => "Ljava/lang/Object;",
    }
}

impl Assembler<'_> {
    /// Appends the value on the stack, which is of this type, to the builder below it.
    ///
    /// # Errors
    /// If the class library lacks the method.
    pub(super) fn append(&mut self, descriptor: &str) -> Exec<&mut Self> {
        let descriptor = format!("({})L{BUILDER};", appended(descriptor));
        self.call(BUILDER, "append", &descriptor, true)
    }

    /// Begins a string.
    ///
    /// # Errors
    /// If the class library lacks the class.
    pub(super) fn begin_text(&mut self) -> Exec<&mut Self> {
        self.make(BUILDER)
    }

    /// Ends it and leaves the method with it.
    ///
    /// # Errors
    /// If the class library lacks the method.
    pub(super) fn end_text(&mut self) -> Exec<()> {
        self.call(BUILDER, "toString", "()Ljava/lang/String;", true)?.leave(Some(Kind::Ref));
        Ok(())
    }
}

impl<'vm> Machine<'vm> {
    /// Links a call site of `StringConcatFactory`.
    pub(super) fn link_concat(&mut self, site: &Site<'vm>, has_recipe: bool) -> Exec<MethodId> {
        let (parameters, _) = split(&site.descriptor).ok_or_else(|| site.bad())?;
        let recipe = if has_recipe { self.text_argument(site, 0)? } else { vec![ARGUMENT; parameters.len()] };
        let mut asm = Assembler::new(&self.vm.classes);
        asm.begin_text()?;
        let mut parameters = parameters.into_iter();
        let mut n_constants = 0;
        let mut local = 0;
        let mut at = 0;
        while at < recipe.len() {
            match recipe[at] {
                ARGUMENT => {
                    let parameter = parameters.next().ok_or_else(|| site.bad())?;
                    let kind = Kind::of(parameter).ok_or_else(|| site.bad())?;
                    asm.load(kind, local).append(parameter)?;
                    local += kind.n_slots();
                    at += 1;
                }
                CONSTANT => {
                    n_constants += 1;
                    match site.arg(n_constants)?.1 {
                        Constant::String(text) => {
                            asm.op(Op::ConstRef(self.vm.literal_constant(site.class, text)));
                            asm.append("Ljava/lang/String;")?;
                        }
                        Constant::Int(value) => {
                            asm.op(Op::Const(value, false)).append("I")?;
                        }
                        _ => return Err(Trap::Unsupported("a constant of this kind in a string".into())),
                    }
                    at += 1;
                }
                _ => {
                    let end = recipe[at..].iter().position(|&unit| unit == ARGUMENT || unit == CONSTANT);
                    let end = end.map_or(recipe.len(), |len| at + len);
                    asm.op(Op::ConstRef(self.vm.literal(&recipe[at..end]))).append("Ljava/lang/String;")?;
                    at = end;
                }
            }
        }
        asm.end_text()?;
        Ok(asm.add(&site.purpose(self.vm), site.class.id, "<concat>", &site.descriptor))
    }
}

#[cfg(test)]
mod tests {
    use super::appended;

    #[test]
    fn values_are_appended_by_their_type() {
        assert_eq!(appended("S"), "I");
        assert_eq!(appended("C"), "C");
        assert_eq!(appended("[C"), "Ljava/lang/Object;");
        assert_eq!(appended("Ljava/lang/String;"), "Ljava/lang/String;");
    }
}
