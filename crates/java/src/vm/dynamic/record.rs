//! `equals`, `hashCode` and `toString` of records: what `ObjectMethods` does.

use super::assemble::Assembler;
use super::{Member, Site};
use crate::class::code::{Arithmetic, Comparison, Op};
use crate::class::descriptor::Kind;
use crate::class::file::Attribute;
use crate::class::pool::FieldRef;
use crate::class::{ClassId, MethodId};
use crate::gap::Gap;
use crate::vm::machine::{Exec, Machine, Trap};

impl<'vm> Machine<'vm> {
    /// Links a call site of `ObjectMethods`.
    pub(super) fn link_record(&mut self, site: &Site<'vm>) -> Exec<MethodId> {
        let class = self.class_constant_of(site.class, site.arg(0)?.0)?;
        let names = String::from_utf16_lossy(&self.text_argument(site, 1)?);
        let names: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
        let mut fields = Vec::new();
        for at in 2..site.args.len() {
            match self.handle_constant(site.class, site.args[at])?.member {
                Member::Field(field) => fields.push(field),
                Member::Method(_) => {
                    return Err(Trap::Unsupported("a record whose getter is a method".into()));
                }
            }
        }
        if names.len() != fields.len() {
            return Err(site.bad());
        }
        let mut asm = Assembler::new(&self.vm.classes);
        match &*site.name {
            "toString" => {
                let name = self.simple_name(class);
                self.record_text(&mut asm, &name, &names, &fields)?;
            }
            "hashCode" => hash(&mut asm, &fields)?,
            "equals" => equals(&mut asm, class, &fields)?,
            other => return Err(Gap::Named("the method of records", other.to_owned()).into()),
        }
        Ok(asm.add(&site.purpose(self.vm), site.class.id, "<record>", &site.descriptor))
    }

    fn record_text(
        &self,
        asm: &mut Assembler<'_>,
        class: &str,
        names: &[&str],
        fields: &[FieldRef],
    ) -> Exec<()> {
        asm.begin_text()?;
        let mut text = format!("{class}[");
        for (name, field) in names.iter().zip(fields) {
            text.push_str(&format!("{name}="));
            asm.op(Op::ConstRef(self.vm.literal_str(&text))).append("Ljava/lang/String;")?;
            let descriptor = match field.kind {
                Kind::Ref => "Ljava/lang/Object;".to_owned(),
                kind => kind.letter().to_string(),
            };
            asm.op(Op::Load(0)).op(Op::GetSlot(field.slot, field.kind)).append(&descriptor)?;
            text = ", ".into();
        }
        let end = if fields.is_empty() { format!("{class}[]") } else { "]".into() };
        asm.op(Op::ConstRef(self.vm.literal_str(&end))).append("Ljava/lang/String;")?;
        asm.end_text()
    }

    /// The name of a class in its source: without package and without the classes around it.
    #[must_use]
    pub fn simple_name(&self, class: ClassId) -> String {
        let name = self.vm.classes.plain_name(class);
        let inner = self.vm.class(class).file.as_ref().and_then(|file| {
            let pool = &file.constant_pool;
            let entries = file.attributes.iter().find_map(|attribute| match attribute {
                Attribute::InnerClasses(classes) => Some(classes),
                _ => None,
            })?;
            let own = entries.iter().find(|entry| {
                pool.try_get_class(entry.class_info_index).is_ok_and(|text| text.to_str_lossy() == name)
            })?;
            if own.name_index == 0 {
                return Some(String::new());
            }
            pool.try_get_utf8(own.name_index).ok().map(|text| text.to_str_lossy().into_owned())
        });
        inner.unwrap_or_else(|| name.rsplit('/').next().unwrap_or(name).to_owned())
    }
}

fn hash(asm: &mut Assembler<'_>, fields: &[FieldRef]) -> Exec<()> {
    asm.op(Op::Const(0, false));
    for field in fields {
        asm.op(Op::Const(31, false)).op(Op::Int(Arithmetic::Mul));
        asm.op(Op::Load(0)).op(Op::GetSlot(field.slot, field.kind));
        match field.kind {
            Kind::Ref => asm.call("java/util/Objects", "hashCode", "(Ljava/lang/Object;)I", false)?,
            kind => asm.call(kind.box_class(), "hashCode", &format!("({})I", kind.letter()), false)?,
        };
        asm.op(Op::Int(Arithmetic::Add));
    }
    asm.leave(Some(Kind::Int));
    Ok(())
}

fn equals(asm: &mut Assembler<'_>, class: ClassId, fields: &[FieldRef]) -> Exec<()> {
    let mut different = Vec::new();
    asm.op(Op::Load(0)).op(Op::Load(1));
    let same = asm.jump(Op::IfRef(true, 0));
    asm.op(Op::Load(1)).op(Op::IsA(class));
    different.push(asm.jump(Op::If(Comparison::Eq, 0)));
    for field in fields {
        for local in 0..2 {
            asm.op(Op::Load(local)).op(Op::GetSlot(field.slot, field.kind));
        }
        different.push(match field.kind {
            Kind::Ref => {
                asm.call("java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z", false)?;
                asm.jump(Op::If(Comparison::Eq, 0))
            }
            Kind::Float | Kind::Double => {
                let letter = field.kind.letter();
                asm.call(field.kind.box_class(), "compare", &format!("({letter}{letter})I"), false)?;
                asm.jump(Op::If(Comparison::Ne, 0))
            }
            Kind::Long => {
                asm.op(Op::CompareLong);
                asm.jump(Op::If(Comparison::Ne, 0))
            }
            _ => asm.jump(Op::IfInt(Comparison::Ne, 0)),
        });
    }
    asm.land(same);
    asm.op(Op::Const(1, false)).leave(Some(Kind::Int));
    for jump in different {
        asm.land(jump);
    }
    asm.set_depth(0);
    asm.op(Op::Const(0, false)).leave(Some(Kind::Int));
    Ok(())
}
