//! Lambdas and method references: what `LambdaMetafactory` does.
//!
//! A call site gets a class of its own with the captured values as fields. Where nothing is captured there is
//! one object of it, which belongs to the base image.

use super::assemble::{Assembler, ClassDraft, Draft};
use super::{Handle, Member, Site};
use crate::class::code::Op;
use crate::class::descriptor::{Kind, class_name, of_class, split};
use crate::class::pool::Constant;
use crate::class::{ClassId, MethodId, flags};
use crate::gap::Gap;
use crate::numbered::Name;
use crate::vm::heap::{Data, Object};
use crate::vm::machine::{Exec, Machine, Trap};
use std::sync::Arc;

/// Flags of `altMetafactory`.
const SERIALIZABLE: i32 = 1;
const MARKERS: i32 = 2;
const BRIDGES: i32 = 4;

/// What a lambda's methods do.
struct Body<'a> {
    /// What is called.
    handle: Handle,
    /// The types of the captured values.
    captured: &'a [&'a str],
    /// The types that the interface has at this place.
    known: &'a str,
}

impl<'vm> Machine<'vm> {
    /// Links a call site of `LambdaMetafactory`.
    pub(super) fn link_lambda(&mut self, site: &Site<'vm>, is_alt: bool) -> Exec<MethodId> {
        let classes = &self.vm.classes;
        let descriptor = self.descriptor_in(site.class, &site.descriptor)?;
        let (captured, interface) = split(&descriptor).ok_or_else(|| site.bad())?;
        let interface = classes.load(class_name(interface))?;
        let erased = self.method_type_argument(site, 0)?;
        let (handle, _) = site.arg(1)?;
        let handle = self.handle_constant(site.class, handle)?;
        let known = self.method_type_argument(site, 2)?;
        let mut interfaces = vec![interface];
        let mut types = vec![erased];
        let is_serializable = is_alt && self.alternatives(site, &mut interfaces, &mut types)?;
        let body = Body { handle, captured: &captured, known: &known };
        let mut methods = Vec::new();
        for descriptor in &types {
            methods.push(self.lambda_method(site, descriptor, &body)?);
        }
        if is_serializable {
            methods.push(self.write_replace(site, interface, &types[0], &body)?);
        }
        let fields = captured.iter().enumerate().map(|(n, d)| (format!("arg${}", n + 1), (*d).to_owned()));
        let class = ClassDraft {
            name: &format!("{}$$Lambda${}{}", classes.name(site.class.id), site.idx, site.meaning),
            flags: flags::FINAL | flags::SYNTHETIC | flags::SUPER,
            super_class: self.vm.known().object,
            interfaces,
            fields: fields.collect(),
            methods,
            loader: site.class.loader,
            space: site.class.space,
        }
        .define(classes);
        Ok(self.lambda_factory(site, class, &captured))
    }

    fn method_type_argument(&self, site: &Site<'vm>, at: usize) -> Exec<Arc<str>> {
        match site.arg(at)?.1 {
            Constant::MethodType(descriptor) => Ok(self.vm.classes.symbols.text(descriptor).clone()),
            _ => Err(site.bad()),
        }
    }

    /// The further interfaces and bridges that `altMetafactory` is told of, and whether lambdas can be
    /// serialised.
    fn alternatives(
        &mut self,
        site: &Site<'vm>,
        interfaces: &mut Vec<ClassId>,
        types: &mut Vec<Arc<str>>,
    ) -> Exec<bool> {
        let int = |at: usize| match site.arg(at)?.1 {
            Constant::Int(value) => Ok(value),
            _ => Err(site.bad()),
        };
        let bits = int(3)?;
        let mut at = 4;
        if bits & MARKERS != 0 {
            let n = int(at)?;
            at += 1;
            for _ in 0..n {
                let marker = self.class_constant_of(site.class, site.arg(at)?.0)?;
                if !interfaces.contains(&marker) {
                    interfaces.push(marker);
                }
                at += 1;
            }
        }
        if bits & BRIDGES != 0 {
            let n = int(at)?;
            at += 1;
            for _ in 0..n {
                let bridge = self.method_type_argument(site, at)?;
                if !types.contains(&bridge) {
                    types.push(bridge);
                }
                at += 1;
            }
        }
        if bits & SERIALIZABLE != 0 {
            let serializable = self.vm.load("java/io/Serializable")?;
            if !interfaces.iter().any(|&id| self.vm.class(id).is_below(serializable)) {
                interfaces.push(serializable);
            }
        }
        Ok(bits & SERIALIZABLE != 0)
    }

    /// The method that says what is written when a lambda is serialised.
    fn write_replace(
        &self,
        site: &Site<'vm>,
        interface: ClassId,
        erased: &str,
        body: &Body<'_>,
    ) -> Exec<Draft> {
        let classes = &self.vm.classes;
        let Member::Method(target) = body.handle.member else { return Err(site.bad()) };
        let target = classes.method(target);
        let text = |text: &str| Op::ConstRef(self.vm.literal_str(text));
        let class = "java/lang/invoke/SerializedLambda";
        let mut asm = Assembler::new(classes);
        asm.op(Op::NewOf(classes.load(class)?)).op(Op::Dup);
        asm.op(Op::ConstRef(self.vm.mirror(site.class.id)));
        asm.ops(&[text(classes.plain_name(interface)), text(&site.name), text(erased)]);
        asm.op(Op::Const(i32::from(body.handle.kind), false));
        asm.op(text(classes.plain_name(body.handle.owner)));
        asm.op(text(classes.symbols.text(target.name))).op(text(classes.symbols.text(target.descriptor)));
        asm.op(text(body.known));
        asm.op(Op::Const(body.captured.len() as i32, false)).op(Op::NewArrayOf(self.vm.known().object));
        for (n, captured) in body.captured.iter().enumerate() {
            let kind = Kind::of(captured).ok_or_else(|| site.bad())?;
            asm.op(Op::Dup).op(Op::Const(n as i32, false));
            asm.op(Op::Load(0)).op(Op::GetSlot(n as u32, kind));
            if kind != Kind::Ref {
                asm.box_value(kind)?;
            }
            asm.op(Op::ArrayStore(Kind::Ref));
        }
        let string = "Ljava/lang/String;";
        let strings = string.repeat(3);
        let descriptor = format!("(Ljava/lang/Class;{strings}I{strings}{string}[Ljava/lang/Object;)V");
        asm.call(class, "<init>", &descriptor, false)?.leave(Some(Kind::Ref));
        Ok(asm.finish("writeReplace", "()Ljava/lang/Object;", flags::PRIVATE | flags::FINAL))
    }

    /// A method of a lambda's class.
    fn lambda_method(&mut self, site: &Site<'vm>, descriptor: &str, body: &Body<'_>) -> Exec<Draft> {
        let classes = &self.vm.classes;
        let malformed = || Trap::from(Gap::Named("a lambda of type", descriptor.to_owned()));
        let full = self.descriptor_in(site.class, descriptor)?;
        let (parameters, result) = split(&full).ok_or_else(malformed)?;
        let known = self.descriptor_in(site.class, body.known)?;
        let (known, _) = split(&known).ok_or_else(malformed)?;
        let Member::Method(target) = body.handle.member else {
            return Err(Trap::Unsupported("a lambda whose body is a field".into()));
        };
        let method = classes.method(target);
        let target_type = classes.symbols.text(method.descriptor).clone();
        let target_type = self.descriptor_in(classes.get(method.class), &target_type)?;
        let (target_parameters, target_result) = split(&target_type).ok_or_else(malformed)?;
        let owner = of_class(classes.name(body.handle.owner));
        let is_constructor = body.handle.kind == 8;
        let mut wanted: Vec<&str> = Vec::new();
        if !method.is_static() && !is_constructor {
            wanted.push(&owner);
        }
        wanted.extend(&target_parameters);
        if wanted.len() != body.captured.len() + parameters.len() || known.len() != parameters.len() {
            return Err(malformed());
        }

        let mut asm = Assembler::new(classes);
        if is_constructor {
            asm.op(Op::NewOf(body.handle.owner)).op(Op::Dup);
        }
        for (n, captured) in body.captured.iter().enumerate() {
            let kind = Kind::of(captured).ok_or_else(malformed)?;
            asm.op(Op::Load(0)).op(Op::GetSlot(n as u32, kind));
        }
        let mut local = 1;
        for (n, parameter) in parameters.iter().enumerate() {
            let kind = Kind::of(parameter).ok_or_else(malformed)?;
            asm.load(kind, local);
            local += kind.n_slots();
            asm.convert(parameter, wanted[body.captured.len() + n], known[n])?;
        }
        asm.op(Op::Call(target, matches!(body.handle.kind, 5 | 9)));
        let given = if is_constructor { owner.as_str() } else { target_result };
        asm.convert(given, result, result)?;
        asm.leave(Kind::of(result));
        Ok(asm.finish(&site.name, descriptor, flags::PUBLIC | flags::SYNTHETIC))
    }

    /// The method that makes a lambda's objects, or gives the one there is.
    fn lambda_factory(&self, site: &Site<'vm>, class: ClassId, captured: &[&str]) -> MethodId {
        let classes = &self.vm.classes;
        let mut asm = Assembler::new(classes);
        if captured.is_empty() {
            if !classes.get(class).traits.born_initialized {
                // An interface with default methods is initialised with the first lambda of it.
                asm.op(Op::NewOf(class)).op(Op::Pop);
            }
            let mut object = Object::new(class, Data::Slots(Box::default()));
            object.shared = true;
            asm.op(Op::ConstRef(self.vm.base.add(|| Name::lambda(class.0), |_| object)));
        } else {
            asm.op(Op::NewOf(class));
            let mut local = 0;
            for (n, captured) in captured.iter().enumerate() {
                let kind = Kind::of(captured).unwrap_or(Kind::Ref);
                asm.op(Op::Dup).load(kind, local).op(Op::PutSlot(n as u32, kind));
                local += kind.n_slots();
            }
        }
        asm.leave(Some(Kind::Ref));
        asm.add(&site.purpose(self.vm), site.class.id, "<lambda>", &site.descriptor)
    }
}
