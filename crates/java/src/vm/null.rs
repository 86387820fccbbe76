//! What `java` says about a `null` that was used as an object (JEP 358): which operation failed, and which
//! expression was `null`. The expression is read backwards from the code: who pushed the slot, and where that
//! operation got its own operands from. Where two ways meet with the slot on the stack, nothing is said about
//! it.

use super::machine::Machine;
use crate::class::code::{Code, Op};
use crate::class::decode::target;
use crate::class::descriptor::{Kind, split};
use crate::class::maps::{Maps, maps};
use crate::class::pool::Constant;
use crate::class::registry::Classes;
use crate::class::{Class, Method};

/// An expression is followed so many operations deep.
const MAX_DETAIL: u32 = 5;

impl Machine<'_> {
    /// Which expression of the running operation was `null`, in the words of `java`.
    #[must_use]
    pub fn explain_null(&self) -> Option<String> {
        let frame = self.thread().top();
        let class = self.vm.class(frame.method.class);
        class.file.as_ref()?;
        let maps = maps(&self.vm.classes, class, frame.method, frame.code).ok()?;
        let reader =
            Reader { classes: &self.vm.classes, class, method: frame.method, code: frame.code, maps };
        reader.explain(frame.pc as usize)
    }
}

struct Reader<'a> {
    classes: &'a Classes,
    class: &'a Class,
    method: &'a Method,
    code: &'a Code,
    maps: Maps,
}

/// A type in a message: `String` and `Object` go by their short names.
fn short(descriptor: &str) -> String {
    let shown = super::throw::shown_type(descriptor);
    for (long, name) in [("java.lang.Object", "Object"), ("java.lang.String", "String")] {
        if let Some(rest) = shown.strip_prefix(long)
            && rest.chars().all(|c| c == '[' || c == ']')
        {
            return format!("{name}{rest}");
        }
    }
    shown
}

fn array_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Ref => "object",
        Kind::Byte | Kind::Boolean => "byte/boolean",
        kind => kind.name(),
    }
}

impl Reader<'_> {
    fn explain(&self, pc: usize) -> Option<String> {
        let (what, depth) = match self.code.ops[pc] {
            Op::ArrayLoad(kind) => (format!("Cannot load from {} array", array_name(kind)), 1),
            Op::ArrayStore(kind) => {
                (format!("Cannot store to {} array", array_name(kind)), 1 + usize::from(kind.n_slots()))
            }
            Op::ArrayLength => ("Cannot read the array length".into(), 0),
            Op::Throw => ("Cannot throw exception".into(), 0),
            Op::MonitorEnter => ("Cannot enter synchronized block".into(), 0),
            Op::MonitorExit => ("Cannot exit synchronized block".into(), 0),
            Op::GetField(idx) => (format!("Cannot read field \"{}\"", self.member(idx)?.1), 0),
            Op::PutField(idx) => {
                let kind = Kind::of(&self.member(idx)?.2)?;
                (format!("Cannot assign field \"{}\"", self.member(idx)?.1), usize::from(kind.n_slots()))
            }
            Op::InvokeVirtual(idx) | Op::InvokeSpecial(idx) | Op::InvokeInterface(idx) => {
                (format!("Cannot invoke \"{}\"", self.called(idx)?), self.n_parameters(idx)?)
            }
            _ => return None,
        };
        let slot = self.depth(pc)?.checked_sub(depth + 1)?;
        let Some(source) = self.source(pc, slot) else { return Some(what) };
        let is_call = matches!(
            self.code.ops[source],
            Op::InvokeVirtual(_) | Op::InvokeSpecial(_) | Op::InvokeInterface(_) | Op::InvokeStatic(_)
        );
        let Some(cause) = self.describe(source, MAX_DETAIL) else { return Some(what) };
        let prefix = if is_call { "the return value of " } else { "" };
        Some(format!("{what} because {prefix}\"{cause}\" is null"))
    }

    fn depth(&self, pc: usize) -> Option<usize> {
        self.maps.before(pc as u32).map(|(_, stack)| stack.len())
    }

    /// Class, name and descriptor of a member constant.
    fn member(&self, idx: u16) -> Option<(String, String, String)> {
        let Constant::Member(class, name, descriptor) = self.class.pool.get(idx) else { return None };
        let text = |symbol| self.classes.symbols.text(symbol).to_string();
        Some((text(class), text(name), text(descriptor)))
    }

    /// A method as messages show it, without its result.
    fn called(&self, idx: u16) -> Option<String> {
        let (class, name, descriptor) = self.member(idx)?;
        let (parameters, _) = split(&descriptor)?;
        let parameters: Vec<String> = parameters.iter().map(|p| short(p)).collect();
        let class = short(&crate::class::descriptor::of_class(&class));
        Some(format!("{class}.{name}({})", parameters.join(", ")))
    }

    fn n_parameters(&self, idx: u16) -> Option<usize> {
        let descriptor = self.member(idx)?.2;
        let (parameters, _) = split(&descriptor)?;
        Some(parameters.iter().filter_map(|p| Kind::of(p)).map(|kind| usize::from(kind.n_slots())).sum())
    }

    /// The operation whose result a stack slot holds before `pc`.
    fn source(&self, pc: usize, slot: usize) -> Option<usize> {
        let mut slot = slot;
        let mut at = pc;
        while at > 0 {
            if self.is_joined(at) && self.depth(at).is_none_or(|depth| depth > slot) {
                return None;
            }
            at -= 1;
            let depth = self.depth(at)?;
            let (n, below) = match self.code.ops[at] {
                Op::Dup => (1, 0),
                Op::DupX1 => (1, 1),
                Op::DupX2 => (1, 2),
                Op::Dup2 => (2, 0),
                Op::Dup2X1 => (2, 1),
                Op::Dup2X2 => (2, 2),
                Op::Swap => {
                    if slot + 2 >= depth && slot < depth {
                        slot = 2 * depth - 3 - slot;
                    }
                    continue;
                }
                Op::CheckCast(_) => continue,
                op => {
                    let (pops, pushes) = self.effect(op)?;
                    let first = depth.checked_sub(pops)?;
                    if (first..first + pushes).contains(&slot) {
                        return Some(at);
                    }
                    continue;
                }
            };
            // Copies: back to what was copied.
            let first = depth.checked_sub(n + below)?;
            if slot >= first + n {
                slot -= n;
            } else if slot >= first {
                slot += below;
            }
        }
        None
    }

    /// Whether control can come to an operation from elsewhere than the one before it.
    fn is_joined(&self, pc: usize) -> bool {
        let to = pc as u32;
        self.code.ops.iter().any(|&op| target(op) == Some(to))
            || self.code.switches.iter().any(|switch| switch.targets().any(|target| target == to))
            || self.code.handlers.iter().any(|handler| handler.target == to)
    }

    /// How many slots an operation pops and pushes, copies aside.
    fn effect(&self, op: Op) -> Option<(usize, usize)> {
        let wide = |kind: Kind| usize::from(kind.n_slots());
        let field = |idx: u16| Some(wide(Kind::of(&self.member(idx)?.2)?));
        let result =
            |descriptor: &str| -> Option<usize> { Some(Kind::of(split(descriptor)?.1).map_or(0, wide)) };
        let call = |idx: u16, receiver: usize| -> Option<(usize, usize)> {
            let descriptor = match self.class.pool.get(idx) {
                Constant::Member(_, _, descriptor) | Constant::CallSite(_, _, descriptor) => descriptor,
                _ => return None,
            };
            let descriptor = self.classes.symbols.text(descriptor);
            let (parameters, _) = split(descriptor)?;
            let n: usize = parameters.iter().filter_map(|p| Kind::of(p)).map(wide).sum();
            Some((n + receiver, result(descriptor)?))
        };
        Some(match op {
            Op::Const(..) | Op::Ldc(_) | Op::Load(_) | Op::New(_) => (0, 1),
            Op::Long(_) | Op::Double(_) | Op::Ldc2(_) | Op::Load2(_) => (0, 2),
            Op::Store(_) | Op::Pop | Op::MonitorEnter | Op::MonitorExit | Op::Throw => (1, 0),
            Op::Switch(_) | Op::If(..) | Op::IfNull(..) => (1, 0),
            Op::Store2(_) | Op::Pop2 | Op::IfInt(..) | Op::IfRef(..) => (2, 0),
            Op::ArrayLoad(kind) => (2, wide(kind)),
            Op::ArrayStore(kind) => (2 + wide(kind), 0),
            Op::Int(_) | Op::Float(_) | Op::CompareFloat(_) => (2, 1),
            Op::LongOp(operation) => {
                use crate::class::code::Arithmetic::{Shl, Shr, Ushr};
                (if matches!(operation, Shl | Shr | Ushr) { 3 } else { 4 }, 2)
            }
            Op::DoubleOp(_) => (4, 2),
            Op::CompareLong | Op::CompareDouble(_) => (4, 1),
            Op::Neg(kind) => (wide(kind), wide(kind)),
            Op::Convert(from, to) => (wide(from), wide(to)),
            Op::Nop | Op::Inc(..) | Op::Goto(_) | Op::Ret(_) => (0, 0),
            Op::Return(n) => (usize::from(n), 0),
            Op::GetStatic(idx) => (0, field(idx)?),
            Op::PutStatic(idx) => (field(idx)?, 0),
            Op::GetField(idx) => (1, field(idx)?),
            Op::PutField(idx) => (1 + field(idx)?, 0),
            Op::InvokeVirtual(idx) | Op::InvokeSpecial(idx) | Op::InvokeInterface(idx) => call(idx, 1)?,
            Op::InvokeStatic(idx) | Op::InvokeDynamic(idx) => call(idx, 0)?,
            Op::NewArray(_) | Op::NewRefArray(_) | Op::ArrayLength | Op::InstanceOf(_) => (1, 1),
            Op::NewMultiArray(_, dims) => (usize::from(dims), 1),
            _ => return None,
        })
    }

    /// The expression whose value an operation pushed.
    fn describe(&self, pc: usize, detail: u32) -> Option<String> {
        if detail == 0 {
            return None;
        }
        match self.code.ops[pc] {
            Op::Const(_, true) => Some("null".into()),
            Op::Const(value, false) => Some(value.to_string()),
            Op::Load(n) => Some(self.local(pc, n)),
            Op::GetStatic(idx) => {
                let (class, name, _) = self.member(idx)?;
                Some(format!("{}.{name}", short(&crate::class::descriptor::of_class(&class))))
            }
            Op::GetField(idx) => {
                let name = self.member(idx)?.1;
                let object = self
                    .source(pc, self.depth(pc)?.checked_sub(1)?)
                    .and_then(|source| self.describe(source, detail - 1));
                Some(object.map_or_else(|| name.clone(), |object| format!("{object}.{name}")))
            }
            Op::InvokeVirtual(idx)
            | Op::InvokeSpecial(idx)
            | Op::InvokeInterface(idx)
            | Op::InvokeStatic(idx) => self.called(idx),
            Op::ArrayLoad(_) => {
                let depth = self.depth(pc)?;
                let part = |slot: Option<usize>, detail: u32| {
                    slot.and_then(|slot| self.source(pc, slot))
                        .and_then(|source| self.describe(source, detail))
                };
                let array = part(depth.checked_sub(2), detail - 1).unwrap_or_else(|| "<array>".into());
                let idx = part(depth.checked_sub(1), detail).unwrap_or_else(|| "...".into());
                Some(format!("{array}[{idx}]"))
            }
            _ => None,
        }
    }

    /// The name of a local variable, or what stands for it.
    fn local(&self, pc: usize, n: u16) -> String {
        if let Some(name) = self.named_local(pc, n) {
            return name;
        }
        let is_written =
            self.code.ops[..pc].iter().any(|op| matches!(op, Op::Store(m) | Op::Store2(m) if *m == n));
        if n < self.method.n_args && !is_written {
            if !self.method.is_static() && n == 0 {
                return "this".into();
            }
            let mut at = u16::from(!self.method.is_static());
            for (idx, kind) in self.method.signature.parameters.iter().enumerate() {
                if at == n {
                    return format!("<parameter{}>", idx + 1);
                }
                at += kind.n_slots();
            }
        }
        format!("<local{n}>")
    }

    /// The name of a local variable in the class file, which has names by places counted in bytes.
    fn named_local(&self, pc: usize, n: u16) -> Option<String> {
        let file = self.class.file.as_ref()?;
        let method = file.methods.get(usize::from(self.method.index))?;
        let body = method.body()?;
        let variables = body.variables()?;
        let at = body.start(pc);
        let variable = variables.iter().find(|variable| {
            let start = usize::from(variable.start_pc);
            variable.index == n && (start..start + usize::from(variable.length)).contains(&at)
        })?;
        let name = file.constant_pool.try_get_utf8(variable.name_index).ok()?;
        Some(name.to_str_lossy().into_owned())
    }
}
