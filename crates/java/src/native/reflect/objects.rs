//! The objects of `java.lang.reflect`: methods, constructors, fields, record components, parameters.
//!
//! Their `slot` fields are places in a class's lists of methods and fields.

use super::super::Effect::{Own, Pure};
use super::super::effect::{Fixed, OwnView, PureView};
use super::super::{Answer, Table};
use crate::class::descriptor::split;
use crate::class::file::{Attribute, ConstantPool};
use crate::class::{Class, ClassId, Field, MADE, Method, MethodId, flags};
use crate::numbered::Name;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::machine::{Exec, Trap, exception};

/// Makes objects: in the state, or in the base image.
pub struct Maker<'a, 'b, 'vm> {
    m: &'a mut OwnView<'b, 'vm>,
    /// What objects of the base image are for, and how many were made.
    base: Option<(&'a str, u32)>,
}

/// A value of a field.
enum Value {
    Word(u64),
    Ref(Ref),
}

impl<'a, 'b, 'vm> Maker<'a, 'b, 'vm> {
    /// A maker of objects that belong to the state.
    pub fn new(m: &'a mut OwnView<'b, 'vm>) -> Self {
        Self { m, base: None }
    }

    /// A maker of objects that belong to the base image. No other maker has the same `purpose`.
    pub fn for_base(m: &'a mut OwnView<'b, 'vm>, purpose: &'a str) -> Self {
        Self { m, base: Some((purpose, 0)) }
    }

    fn push(&mut self, mut object: Object) -> Ref {
        if let Some((purpose, n_made)) = &mut self.base {
            object.shared = true;
            *n_made += 1;
            let name = || Name::object(&format!("part {n_made} of {purpose}"));
            return self.m.vm.base.add(name, |_| object);
        }
        self.m.push(object).give()
    }

    fn refs(&mut self, element: ClassId, refs: Vec<Ref>) -> Exec<Ref> {
        let class = self.m.vm.classes.array_of(element)?;
        Ok(self.push(Object::new(class, Data::Refs(refs.into()))))
    }

    fn bytes(&mut self, bytes: Option<Vec<u8>>) -> Value {
        let class = self.m.vm.known().byte_array;
        Value::Ref(bytes.map_or(0, |bytes| self.push(Object::new(class, Data::Bytes(bytes.into())))))
    }

    /// An object of a class with these fields, each by the class that declares it.
    fn object(&mut self, class: &str, fields: Vec<(&str, Value)>) -> Exec<Ref> {
        let classes = &self.m.vm.classes;
        let id = classes.load(class)?;
        let mut slots = vec![0; classes.get(id).instance.len()];
        for (name, value) in fields {
            // Later class libraries may lack a field that only caches something.
            let Some(slot) = classes.slot(class, name) else { continue };
            slots[slot as usize] = match value {
                Value::Word(word) => word,
                Value::Ref(reference) => u64::from(reference),
            };
        }
        Ok(self.push(Object::new(id, Data::Slots(slots.into()))))
    }

    fn literal(&self, text: &str) -> Value {
        Value::Ref(self.m.vm.literal_str(text))
    }

    /// The class object of a descriptor in a class.
    fn mirror(&mut self, from: &Class, descriptor: &str) -> Exec<Ref> {
        let full = self.m.descriptor_in(from, descriptor)?;
        self.m.type_mirror(&full)
    }

    fn mirrors(&mut self, from: &Class, descriptors: &[&str]) -> Exec<Value> {
        let mut mirrors = Vec::with_capacity(descriptors.len());
        for descriptor in descriptors {
            mirrors.push(self.mirror(from, descriptor)?);
        }
        let class = self.m.vm.known().class;
        self.refs(class, mirrors).map(Value::Ref)
    }

    fn signature(&self, class: &Class, attributes: &[Attribute]) -> Value {
        let text = signature_index(attributes).and_then(|idx| text_at(class, idx));
        text.map_or(Value::Ref(0), |text| self.literal(&text))
    }

    fn exceptions(&mut self, class: &Class, attributes: &[Attribute]) -> Exec<Value> {
        let names: Vec<String> = exceptions(class, attributes);
        let descriptors: Vec<String> =
            names.iter().map(|name| crate::class::descriptor::of_class(name)).collect();
        self.mirrors(class, &descriptors.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The `Method` or `Constructor` object of a method.
    ///
    /// # Errors
    /// If a class that it names is missing.
    pub fn executable(&mut self, id: MethodId) -> Exec<Ref> {
        let vm = self.m.vm;
        let method = vm.classes.method(id);
        let class = vm.class(method.class);
        let attributes = method_attributes(class, method);
        let descriptor = vm.classes.symbols.text(method.descriptor).clone();
        let (parameters, result) = split(&descriptor)
            .ok_or_else(|| exception("java/lang/ClassFormatError", "a bad method descriptor"))?;
        let slot = class.methods.iter().position(|&other| other == id).unwrap_or(0);
        let name = vm.classes.symbols.text(method.name).clone();
        let parameter_annotations = raw(attributes, |attribute| match attribute {
            Attribute::RuntimeVisibleParameterAnnotations(bytes) => Some(bytes),
            _ => None,
        });
        let mut fields = vec![
            ("clazz", Value::Ref(vm.mirror(class.id))),
            ("slot", Value::Word(slot as u64)),
            ("parameterTypes", self.mirrors(class, &parameters)?),
            ("exceptionTypes", self.exceptions(class, attributes)?),
            ("modifiers", Value::Word(u64::from(method.flags))),
            ("signature", self.signature(class, attributes)),
            ("annotations", self.bytes(annotations(attributes))),
            ("parameterAnnotations", self.bytes(parameter_annotations)),
        ];
        if &*name == "<init>" {
            return self.object("java/lang/reflect/Constructor", fields);
        }
        let default = raw(attributes, |attribute| match attribute {
            Attribute::AnnotationDefault(bytes) => Some(bytes),
            _ => None,
        });
        fields.push(("name", self.literal(&name)));
        fields.push(("returnType", Value::Ref(self.mirror(class, result)?)));
        fields.push(("annotationDefault", self.bytes(default)));
        self.object("java/lang/reflect/Method", fields)
    }

    /// The `Field` object of a field.
    ///
    /// # Errors
    /// If its class is missing.
    pub fn field(&mut self, class: ClassId, at: usize) -> Exec<Ref> {
        let vm = self.m.vm;
        let class = vm.class(class);
        let field = class.fields[at];
        let attributes = field_attributes(class, &field);
        let descriptor = vm.classes.symbols.text(field.descriptor).clone();
        let is_record = super::facts::is_record(class);
        let is_trusted = field.flags & flags::FINAL != 0 && (field.flags & flags::STATIC != 0 || is_record);
        let fields = vec![
            ("clazz", Value::Ref(vm.mirror(class.id))),
            ("slot", Value::Word(at as u64)),
            ("name", self.literal(vm.classes.symbols.text(field.name))),
            ("type", Value::Ref(self.mirror(class, &descriptor)?)),
            ("modifiers", Value::Word(u64::from(field.flags))),
            ("trustedFinal", Value::Word(u64::from(is_trusted))),
            ("signature", self.signature(class, attributes)),
            ("annotations", self.bytes(annotations(attributes))),
        ];
        self.object("java/lang/reflect/Field", fields)
    }

    fn record_component(&mut self, class: &Class, at: usize) -> Exec<Ref> {
        let vm = self.m.vm;
        let component = &super::facts::record_components(class)[at];
        let name = text_at(class, component.name_index).unwrap_or_default();
        let descriptor = text_at(class, component.descriptor_index).unwrap_or_default();
        let symbols = &vm.classes.symbols;
        let accessor =
            vm.classes.declared(class.id, symbols.intern(&name), symbols.intern(&format!("(){descriptor}")));
        let accessor = match accessor {
            Some(accessor) => self.executable(accessor)?,
            None => 0,
        };
        let fields = vec![
            ("clazz", Value::Ref(vm.mirror(class.id))),
            ("name", self.literal(&name)),
            ("type", Value::Ref(self.mirror(class, &descriptor)?)),
            ("accessor", Value::Ref(accessor)),
            ("signature", self.signature(class, &component.attributes)),
            ("annotations", self.bytes(annotations(&component.attributes))),
        ];
        self.object("java/lang/reflect/RecordComponent", fields)
    }

    fn parameters(&mut self, executable: Ref, class: &Class, method: &Method) -> Exec<Ref> {
        let found = method_attributes(class, method).iter().find_map(|attribute| match attribute {
            Attribute::MethodParameters(parameters) => Some(parameters),
            _ => None,
        });
        let Some(found) = found else { return Ok(0) };
        let mut made = Vec::with_capacity(found.len());
        for (at, parameter) in found.iter().enumerate() {
            let name = match parameter.name_index {
                0 => Value::Ref(0),
                idx => self.literal(&text_at(class, idx).unwrap_or_default()),
            };
            let fields = vec![
                ("name", name),
                ("modifiers", Value::Word(u64::from(parameter.access_flags))),
                ("executable", Value::Ref(executable)),
                ("index", Value::Word(at as u64)),
            ];
            made.push(self.object("java/lang/reflect/Parameter", fields)?);
        }
        let class = self.m.vm.load("java/lang/reflect/Parameter")?;
        self.refs(class, made)
    }
}

/// A text in a class's pool.
pub(super) fn text_at(class: &Class, idx: u16) -> Option<String> {
    let file = class.file.as_ref()?;
    file.constant_pool.try_get_utf8(idx).ok().map(|text| text.to_str_lossy().into_owned())
}

/// The name of a class in a pool.
pub(super) fn class_at(pool: &ConstantPool, idx: u16) -> Option<String> {
    pool.try_get_class(idx).ok().map(|text| text.to_str_lossy().into_owned())
}

fn method_attributes<'a>(class: &'a Class, method: &Method) -> &'a [Attribute] {
    match &class.file {
        Some(file) if method.index != MADE => &file.methods[usize::from(method.index)].attributes,
        _ => &[],
    }
}

fn field_attributes<'a>(class: &'a Class, field: &Field) -> &'a [Attribute] {
    match &class.file {
        Some(file) if field.index != MADE => &file.fields[usize::from(field.index)].attributes,
        _ => &[],
    }
}

/// The names of the exceptions that a method declares.
fn exceptions(class: &Class, attributes: &[Attribute]) -> Vec<String> {
    let indices = attributes.iter().find_map(|attribute| match attribute {
        Attribute::Exceptions(indices) => Some(indices),
        _ => None,
    });
    let pool = class.file.as_ref().map(|file| &file.constant_pool);
    indices.into_iter().flatten().filter_map(|&idx| class_at(pool?, idx)).collect()
}

/// The names of the exceptions that a method declares.
pub(super) fn declared_exceptions(class: &Class, method: &Method) -> Vec<String> {
    exceptions(class, method_attributes(class, method))
}

pub(super) fn signature_index(attributes: &[Attribute]) -> Option<u16> {
    attributes.iter().find_map(|attribute| match attribute {
        Attribute::Signature(index) => Some(*index),
        _ => None,
    })
}

/// The contents of an attribute, as the class file has them.
pub(super) fn raw(
    attributes: &[Attribute],
    wanted: impl Fn(&Attribute) -> Option<&Box<[u8]>>,
) -> Option<Vec<u8>> {
    attributes.iter().find_map(wanted).map(|bytes| bytes.to_vec())
}

/// The annotations that a program can see.
pub(super) fn annotations(attributes: &[Attribute]) -> Option<Vec<u8>> {
    raw(attributes, |attribute| match attribute {
        Attribute::RuntimeVisibleAnnotations(bytes) => Some(bytes),
        _ => None,
    })
}

/// The class and method that a `Method` or `Constructor` object stands for.
pub(crate) fn reflected(m: &PureView<'_, '_>, executable: Ref) -> Exec<MethodId> {
    let unknown = || Trap::Unsupported("a Method or Constructor of an unknown form".into());
    let mirror = m.fixed(executable, Fixed::MemberClass)? as Ref;
    let at = m.fixed(executable, Fixed::MemberSlot)? as usize;
    let class = m.vm.class(m.class_of_mirror(mirror));
    class.methods.get(at).copied().ok_or_else(unknown)
}

fn list(m: &mut OwnView<'_, '_>, element: &str, refs: Vec<Ref>) -> Exec<Answer> {
    let element = m.vm.load(element)?;
    Ok(Answer::Word(u64::from(m.new_refs(element, &refs)?.give())))
}

fn executables(m: &mut OwnView<'_, '_>, args: &[u64], constructors: bool) -> Exec<Answer> {
    let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
    let mut found = Vec::new();
    for &id in &class.methods {
        let method = m.vm.classes.method(id);
        let name = m.vm.classes.symbols.text(method.name);
        let is_wanted = match &**name {
            "<clinit>" => false,
            "<init>" => constructors,
            _ => !constructors,
        };
        if is_wanted && (args[1] == 0 || method.flags & flags::PUBLIC != 0) {
            found.push(Maker::new(m).executable(id)?);
        }
    }
    let element = if constructors { "java/lang/reflect/Constructor" } else { "java/lang/reflect/Method" };
    list(m, element, found)
}

fn fields(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
    let mut found = Vec::new();
    for (at, field) in class.fields.iter().enumerate() {
        if field.index != MADE && (args[1] == 0 || field.flags & flags::PUBLIC != 0) {
            found.push(Maker::new(m).field(class.id, at)?);
        }
    }
    list(m, "java/lang/reflect/Field", found)
}

fn components(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let class = m.vm.class(m.class_of_mirror(args[0] as Ref));
    let mut found = Vec::new();
    for at in 0..super::facts::record_components(class).len() {
        found.push(Maker::new(m).record_component(class, at)?);
    }
    list(m, "java/lang/reflect/RecordComponent", found)
}

/// The entries.
pub const TABLE: Table = &[
    (
        "java/lang/Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;",
        Own(|m, args| executables(m, args, false)),
    ),
    (
        "java/lang/Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
        Own(|m, args| executables(m, args, true)),
    ),
    ("java/lang/Class.getDeclaredFields0(Z)[Ljava/lang/reflect/Field;", Own(fields)),
    ("java/lang/Class.getRecordComponents0()[Ljava/lang/reflect/RecordComponent;", Own(components)),
    (
        "java/lang/reflect/Executable.getParameters0()[Ljava/lang/reflect/Parameter;",
        Own(|m, args| {
            let executable = args[0] as Ref;
            let method = m.vm.classes.method(reflected(m, executable)?);
            let class = m.vm.class(method.class);
            let parameters = Maker::new(m).parameters(executable, class, method)?;
            Ok(Answer::Word(u64::from(parameters)))
        }),
    ),
    ("java/lang/reflect/Executable.getTypeAnnotationBytes0()[B", Pure(|_, _| Ok(Answer::Word(0)))),
    ("java/lang/reflect/Field.getTypeAnnotationBytes0()[B", Pure(|_, _| Ok(Answer::Word(0)))),
];
