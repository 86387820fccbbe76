//! Pattern switches: what `SwitchBootstraps` does. The method gives the number of the first label, from one
//! on, that fits.
//!
//! From Java 25 on `javac` switches over the primitive components of records too,
//! `case Circle(int r) when r > 5`. A label is the type of the component then, and always fits; patterns of
//! another primitive type are a preview, and unsupported.

use super::Site;
use super::assemble::Assembler;
use crate::class::MethodId;
use crate::class::code::{Comparison, Op};
use crate::class::descriptor::{Kind, class_name, split};
use crate::class::pool::Constant;
use crate::gap::Gap;
use crate::vm::machine::{Exec, Machine, Trap};

/// A label of a switch.
enum Label {
    Class(crate::class::ClassId),
    Text(u32),
    Int(i32),
    /// A constant of an enumeration: its class, its name.
    Enum(crate::class::ClassId, u32),
    /// The primitive type that the value has anyway.
    Any,
}

impl<'vm> Machine<'vm> {
    /// Links a call site of `SwitchBootstraps`.
    pub(super) fn link_switch(&mut self, site: &Site<'vm>, is_enum: bool) -> Exec<MethodId> {
        let (parameters, _) = split(&site.descriptor).ok_or_else(|| site.bad())?;
        let target = *parameters.first().ok_or_else(|| site.bad())?;
        let kind = Kind::of(target).ok_or_else(|| site.bad())?;
        let mut labels = Vec::with_capacity(site.args.len());
        for at in 0..site.args.len() {
            let label = self.label(site, at, is_enum, target)?;
            if kind != Kind::Ref && !matches!(label, Label::Any) {
                return Err(Trap::Unsupported("a pattern switch that converts primitive values".into()));
            }
            labels.push(label);
        }
        let classes = &self.vm.classes;
        let mut asm = Assembler::new(classes);
        if kind == Kind::Ref {
            asm.op(Op::Load(0));
            let not_null = asm.jump(Op::IfNull(false, 0));
            asm.op(Op::Const(-1, false)).leave(Some(Kind::Int));
            asm.land(not_null);
            asm.set_depth(0);
        }
        // Labels before this one were tried already.
        let restart = kind.n_slots();
        for (n, label) in labels.iter().enumerate() {
            let mut next = Vec::new();
            asm.op(Op::Const(n as i32, false)).op(Op::Load(restart));
            next.push(asm.jump(Op::IfInt(Comparison::Lt, 0)));
            let mut fits = None;
            match *label {
                Label::Any => {}
                Label::Class(class) => {
                    asm.op(Op::Load(0)).op(Op::IsA(class));
                    next.push(asm.jump(Op::If(Comparison::Eq, 0)));
                }
                Label::Text(text) => {
                    asm.op(Op::ConstRef(text)).op(Op::Load(0));
                    asm.call("java/lang/String", "equals", "(Ljava/lang/Object;)Z", false)?;
                    next.push(asm.jump(Op::If(Comparison::Eq, 0)));
                }
                Label::Enum(class, name) => {
                    asm.op(Op::Load(0)).op(Op::IsA(class));
                    next.push(asm.jump(Op::If(Comparison::Eq, 0)));
                    asm.op(Op::ConstRef(name)).op(Op::Load(0));
                    asm.call("java/lang/Enum", "name", "()Ljava/lang/String;", false)?;
                    asm.call("java/lang/String", "equals", "(Ljava/lang/Object;)Z", false)?;
                    next.push(asm.jump(Op::If(Comparison::Eq, 0)));
                }
                Label::Int(value) => {
                    // A number, or a character of that number.
                    let integer = classes.load("java/lang/Integer")?;
                    let character = classes.load("java/lang/Character")?;
                    asm.op(Op::Load(0)).op(Op::IsA(integer));
                    let no_integer = asm.jump(Op::If(Comparison::Eq, 0));
                    asm.op(Op::Load(0)).unbox_value("java/lang/Integer", Kind::Int)?;
                    asm.op(Op::Const(value, false));
                    fits = Some(asm.jump(Op::IfInt(Comparison::Eq, 0)));
                    asm.land(no_integer);
                    asm.op(Op::Load(0)).op(Op::IsA(character));
                    next.push(asm.jump(Op::If(Comparison::Eq, 0)));
                    asm.op(Op::Load(0)).unbox_value("java/lang/Character", Kind::Char)?;
                    asm.op(Op::Const(value, false));
                    next.push(asm.jump(Op::IfInt(Comparison::Ne, 0)));
                }
            }
            if let Some(fits) = fits {
                asm.land(fits);
            }
            asm.op(Op::Const(n as i32, false)).leave(Some(Kind::Int));
            asm.set_depth(0);
            for jump in next {
                asm.land(jump);
            }
        }
        asm.op(Op::Const(labels.len() as i32, false)).leave(Some(Kind::Int));
        Ok(asm.add(&site.purpose(self.vm), site.class.id, "<switch>", &site.descriptor))
    }

    fn label(&mut self, site: &Site<'vm>, at: usize, is_enum: bool, target: &str) -> Exec<Label> {
        let (idx, constant) = site.arg(at)?;
        Ok(match constant {
            Constant::Class(_) => Label::Class(self.class_constant_of(site.class, idx)?),
            Constant::String(text) if is_enum => {
                let class = self.named_in(site.class, class_name(target))?;
                Label::Enum(class, self.vm.literal_constant(site.class, text))
            }
            Constant::String(text) => Label::Text(self.vm.literal_constant(site.class, text)),
            Constant::Int(value) => Label::Int(value),
            Constant::Dynamic(bootstrap, name, descriptor) => {
                let label = self.site(site.class, 0, bootstrap, name, descriptor)?;
                if label.bootstrap == "java/lang/invoke/ConstantBootstraps.primitiveClass"
                    && &*label.name == target
                {
                    return Ok(Label::Any);
                }
                self.enum_label(&label)?
            }
            _ => return Err(site.bad()),
        })
    }

    /// A label that describes a constant of an enumeration: `EnumDesc.of(ClassDesc.of(class), name)`.
    fn enum_label(&mut self, label: &Site<'vm>) -> Exec<Label> {
        let unknown = || Trap::from(Gap::Named("a pattern switch with the label", label.name.to_string()));
        if label.bootstrap != "java/lang/invoke/ConstantBootstraps.invoke" || label.args.len() != 3 {
            return Err(unknown());
        }
        let Constant::Dynamic(bootstrap, name, descriptor) = label.arg(1)?.1 else { return Err(unknown()) };
        let class = self.site(label.class, 0, bootstrap, name, descriptor)?;
        if class.bootstrap != "java/lang/invoke/ConstantBootstraps.invoke" || class.args.len() != 2 {
            return Err(unknown());
        }
        let class = String::from_utf16_lossy(&self.text_argument(&class, 1)?).replace('.', "/");
        let Constant::String(name) = label.arg(2)?.1 else { return Err(unknown()) };
        let name = self.vm.literal_constant(label.class, name);
        Ok(Label::Enum(self.named_in(label.class, &class)?, name))
    }
}
