//! Compiles a whole program: one function for each control state, and one more where a message on offer may
//! be taken.
#![allow(unsafe_code, reason = "compiled functions are raw pointers")]

use super::channels::KnownChannels;
use super::context::{
    Context, INTERPRET, NativeLayout, NativeProcess, ObjectTable, Status, Step, TABLE_AT, at,
};
use super::generator::{Generator, Helpers};
use super::helpers::{self, ChainSites};
use super::linker::{FuncId, Linked, Linker};
use super::objects::ObjectFacts;
use super::transition::CodeMode;
use crate::ir::{Action, Expr, ObjectKind, Proctype};
use crate::lower::{Lowered, TOP_FRAME};
use crate::machine::OBJECTS_FROM;
use cranelift_codegen::Context as Compilation;
use cranelift_codegen::ir::{AbiParam, FuncRef, Signature, UserFuncName, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

/// A compiled program.
pub(crate) struct Code {
    program: Arc<Lowered>,
    /// Keeps the compiled functions in memory.
    _linked: Linked,
    /// Bytes that the code writes: see [`Generator::notice_cut`].
    _noticed: Vec<Arc<AtomicU8>>,
    /// Data that the code refers to by address.
    _facts: ObjectFacts,
    _sites: ChainSites,
    /// The steps of a process, by control state of all process types.
    pub(crate) steps: Vec<Step>,
    /// How a process takes the message on offer; states that cannot take one have no channels.
    pub(crate) takes: Vec<Take>,
    /// The index of the first control state of each process type and function.
    pub(crate) first_state: Vec<u32>,
    /// For each type of objects that are frames, the index of the first control state of its function.
    frame_states: Vec<u32>,
    calls: bool,
}

/// How a process in some control state takes the message on offer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Take {
    /// The channels that it may receive from, as bits of [`channel_bit`]; zero if it cannot take a message.
    pub(crate) channels: u64,
    pub(crate) step: Step,
}

/// The bit of a channel, by its identity; channels may share one.
pub(crate) fn channel_bit(id: u32) -> u64 {
    1 << (id % 64)
}

// SAFETY: the code does not change after compilation, and accesses only memory that is passed to it.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("n_states", &self.steps.len()).finish_non_exhaustive()
    }
}

/// A function for control states that only the interpreter can execute.
unsafe extern "C" fn interpret(
    _: *mut Context,
    _: *const u8,
    _: *const NativeLayout,
    _: u64,
    _: u64,
) -> Status {
    INTERPRET
}

/// Whether the program can be compiled at all.
fn is_supported(program: &Lowered) -> bool {
    !program.features.changes_priority && program.trace.is_none() && are_objects_supported(program)
}

/// Whether compiled code supports what a model does with objects.
fn are_objects_supported(program: &Lowered) -> bool {
    let Some(dynamic) = &program.dynamic else { return true };
    let calls =
        |body: &Proctype, statement: usize| matches!(body.statements[statement].action, Action::Call(_));
    // Inside a function, the escapes around its call and the `provided` clause of its process count too.
    let is_escaped = |body: &Proctype| {
        body.transitions.iter().any(|list| {
            list.iter().any(|t| t.escape != 0) && list.iter().any(|t| calls(body, t.statement as usize))
        })
    };
    let is_guarded =
        |body: &Proctype| body.provided.is_some() && (0..body.statements.len()).any(|idx| calls(body, idx));
    // Leaks and the reuse of addresses are checked in each step.
    !dynamic.options.leaks
        && !dynamic.options.reuse_addresses
        && (0..program.n_bodies())
            .map(|code| program.body(code))
            .all(|body| !is_escaped(body) && !is_guarded(body))
}

/// Whether processes of a type can be compiled.
fn is_compiled(proctype: &Proctype) -> bool {
    let mut sees_control = false;
    if let Some(provided) = &proctype.provided {
        provided.walk(&mut |e: &Expr| sees_control |= e.sees_control());
    }
    !sees_control
}

/// The functions that compiled code calls, by name.
struct Imports {
    evaluate: FuncId,
    perform: FuncId,
    offer: FuncId,
    exclusive: FuncId,
    remove: FuncId,
    emit: FuncId,
    chain: FuncId,
    enter: FuncId,
    leave: FuncId,
    bound: FuncId,
}

struct Compiler<'a> {
    program: &'a Lowered,
    known: KnownChannels,
    linker: Linker,
    imports: Imports,
    signature: Signature,
    steps: HashMap<(usize, u16), FuncId>,
    compilation: Compilation,
    builder: FunctionBuilderContext,
    noticed: RefCell<Vec<Arc<AtomicU8>>>,
    facts: ObjectFacts,
    first_state: Vec<u32>,
    sites: RefCell<ChainSites>,
}

impl Code {
    /// Compiles a program; `None` if this machine or this program is not supported.
    pub(crate) fn new(program: &Arc<Lowered>) -> Option<Self> {
        if !is_supported(program) {
            return None;
        }
        compile(program, new_linker()?)
    }

    pub(crate) fn program(&self) -> &Lowered {
        &self.program
    }

    /// The index of a process's control state among all control states.
    ///
    /// # Safety
    /// The vector must have the process and, in a model with functions, a table that follows it.
    #[inline]
    pub(crate) unsafe fn state_of(&self, vector: *const u8, process: &NativeProcess) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let record = vector.add(process.offset as usize);
            if self.calls {
                let frame = u16::from_le_bytes([
                    *record.add(TOP_FRAME as usize + 2),
                    *record.add(TOP_FRAME as usize + 3),
                ]);
                if frame != 0 {
                    let table = &*vector.add(TABLE_AT).cast::<ObjectTable>();
                    let header =
                        vector.add(table.starts[usize::from(frame) - OBJECTS_FROM as usize] as usize);
                    let ty = u16::from_le_bytes([*header, *header.add(1)]);
                    let pc = u16::from_le_bytes([*header.add(4), *header.add(5)]);
                    return self.frame_states[usize::from(ty) - 1] as usize + usize::from(pc);
                }
            }
            let pc = u16::from_le_bytes([*record.add(2), *record.add(3)]);
            process.first_state as usize + usize::from(pc)
        }
    }
}

fn new_linker() -> Option<Linker> {
    let mut flags = settings::builder();
    for (name, value) in [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "speed"),
        ("enable_verifier", VERIFY),
    ] {
        flags.set(name, value).ok()?;
    }
    let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
    Some(Linker::new(isa))
}

/// Generated code is verified in builds with debug assertions.
const VERIFY: &str = if cfg!(debug_assertions) { "true" } else { "false" };

fn declare_imports(linker: &mut Linker) -> Imports {
    let mut import = |address: *const u8, parameters: &[cranelift_codegen::ir::Type], gives: bool| {
        let mut signature = linker.signature();
        signature.params.extend(parameters.iter().map(|&ty| AbiParam::new(ty)));
        if gives {
            signature.returns.push(AbiParam::new(types::I32));
        }
        linker.helper(address, signature)
    };
    let (int, long) = (types::I32, types::I64);
    Imports {
        evaluate: import(helpers::evaluate as *const u8, &[long; 6], true),
        perform: import(helpers::perform as *const u8, &[long; 6], true),
        offer: import(helpers::offer as *const u8, &[long, long, long, long, long, int, long, long], true),
        exclusive: import(helpers::exclusive as *const u8, &[long, long, long, long, long, int, long], true),
        remove: import(helpers::remove as *const u8, &[long; 4], false),
        emit: import(helpers::emit as *const u8, &[long; 4], true),
        chain: import(helpers::chain as *const u8, &[long; 7], true),
        enter: import(helpers::enter as *const u8, &[long; 7], true),
        leave: import(helpers::leave as *const u8, &[long; 7], false),
        bound: import(helpers::bound as *const u8, &[long; 7], true),
    }
}

fn compile(program: &Arc<Lowered>, mut linker: Linker) -> Option<Code> {
    let imports = declare_imports(&mut linker);
    let mut signature = linker.signature();
    signature.params.extend([AbiParam::new(types::I64); 5]);
    signature.returns.push(AbiParam::new(types::I32));
    let mut compiler = Compiler {
        program,
        known: KnownChannels::new(program),
        linker,
        imports,
        signature,
        steps: HashMap::new(),
        compilation: Compilation::new(),
        builder: FunctionBuilderContext::new(),
        noticed: RefCell::default(),
        facts: ObjectFacts::new(program),
        first_state: Vec::new(),
        sites: RefCell::default(),
    };
    let mut states = Vec::new();
    for idx in 0..program.n_bodies() {
        let proctype = program.body(idx);
        compiler.first_state.push(states.len() as u32);
        for pc in 0..proctype.transitions.len() as u16 {
            states.push((idx, pc));
            if is_compiled(proctype) {
                let id = compiler.declare();
                compiler.steps.insert((idx, pc), id);
            }
        }
    }
    let mut takes = HashMap::new();
    for &(idx, pc) in &states {
        let proctype = program.body(idx);
        if !is_compiled(proctype) {
            continue;
        }
        compiler.define(CodeMode::Step, idx, pc, compiler.steps[&(idx, pc)])?;
        if proctype.may_take[usize::from(pc)] {
            let id = compiler.declare();
            compiler.define(CodeMode::Take, idx, pc, id)?;
            takes.insert((idx, pc), id);
        }
    }
    let (linked, steps, known) = (compiler.linker.finish()?, compiler.steps, compiler.known);
    let (noticed, sites) = (compiler.noticed.into_inner(), compiler.sites.into_inner());
    let first_state = compiler.first_state;
    let functions = |kind: &ObjectKind| match kind {
        ObjectKind::Frame(function) => first_state[program.proctypes.len() + usize::from(*function)],
        ObjectKind::Data(_) | ObjectKind::Scope => 0,
    };
    let objects = program.dynamic.iter().flat_map(|dynamic| &dynamic.objects);
    let frame_states = objects.map(|object| functions(&object.kind)).collect();
    let function = |id: Option<&FuncId>| match id.and_then(|&id| linked.address(id)) {
        // SAFETY: the function was compiled with the signature of `Step`.
        Some(address) => unsafe { std::mem::transmute::<*const u8, Step>(address) },
        None => interpret,
    };
    let all_steps = states.iter().map(|state| function(steps.get(state))).collect();
    let all_takes = states
        .iter()
        .map(|&(idx, pc)| {
            let may_take = program.body(idx).may_take[usize::from(pc)];
            let channels = if may_take { taken_channels(program, &known, idx, pc) } else { 0 };
            Take { channels, step: function(takes.get(&(idx, pc))) }
        })
        .collect();
    Some(Code {
        program: Arc::clone(program),
        steps: all_steps,
        takes: all_takes,
        first_state,
        frame_states,
        calls: program.dynamic.as_ref().is_some_and(|dynamic| dynamic.calls),
        _facts: compiler.facts,
        _sites: sites,
        _linked: linked,
        _noticed: noticed,
    })
}

/// Whether a control state has one transition and is entered only inside atomic sequences.
fn is_interior(proctype: &Proctype, pc: u16) -> bool {
    let mut entries = proctype.transitions.iter().flatten().filter(|t| t.target.is_some_and(|to| to.0 == pc));
    proctype.transitions[usize::from(pc)].len() == 1 && proctype.start.0 != pc && entries.all(|t| t.atomic)
}

/// The channels from which a process in a control state may take a message on offer.
fn taken_channels(program: &Lowered, known: &KnownChannels, proctype_idx: usize, pc: u16) -> u64 {
    let proctype = program.body(proctype_idx);
    let mut channels = 0;
    for transition in &proctype.transitions[usize::from(pc)] {
        channels |= match &proctype.statements[transition.statement as usize].action {
            Action::Receive(receive) => match known.of(proctype_idx, &receive.channel).global {
                Some(global) => channel_bit(global + 1),
                None => u64::MAX,
            },
            Action::DStep(_) => u64::MAX,
            _ => 0,
        };
    }
    channels
}

impl Compiler<'_> {
    fn declare(&mut self) -> FuncId {
        self.linker.declare(self.signature.clone())
    }

    fn define(&mut self, mode: CodeMode, proctype_idx: usize, pc: u16, id: FuncId) -> Option<()> {
        let Self { program, known, linker, imports, signature, steps, compilation, builder, noticed, .. } =
            self;
        let (facts, sites, first_state) = (&self.facts, &self.sites, self.first_state[proctype_idx]);
        compilation.func.signature = signature.clone();
        compilation.func.name = UserFuncName::user(0, id.0);
        let mut build = FunctionBuilder::new(&mut compilation.func, builder);
        let helpers = Helpers {
            evaluate: linker.reference(imports.evaluate, build.func),
            perform: linker.reference(imports.perform, build.func),
            offer: linker.reference(imports.offer, build.func),
            exclusive: linker.reference(imports.exclusive, build.func),
            remove: linker.reference(imports.remove, build.func),
            emit: linker.reference(imports.emit, build.func),
            chain: linker.reference(imports.chain, build.func),
            enter: linker.reference(imports.enter, build.func),
            leave: linker.reference(imports.leave, build.func),
            bound: linker.reference(imports.bound, build.func),
        };
        let entry = build.create_block();
        build.append_block_params_for_function_params(entry);
        build.switch_to_block(entry);
        let &[context, vector, layout, base, pid] = build.block_params(entry) else {
            unreachable!("a step has five parameters")
        };
        let (interpret, answer) = (build.create_block(), build.create_block());
        build.append_block_param(answer, types::I32);
        let (moved, escaped) = (build.declare_var(types::I32), build.declare_var(types::I32));
        let is_function = proctype_idx >= program.proctypes.len();
        let mut generator = Generator {
            build,
            program,
            known,
            facts,
            proctype_idx,
            first_state,
            is_interior: is_interior(program.body(proctype_idx), pc),
            helpers,
            context,
            pid,
            base,
            local: base,
            pc_at: if is_function { 0 } else { 2 },
            chained: base,
            moved,
            escaped,
            noticed,
            sites,
            interpret,
            answer,
        };
        let from = generator.begin_function(vector, layout);
        let may_enter =
            generator.proctype().transitions[usize::from(pc)].iter().any(|t| generator.may_enter(t));
        let entry_frame = may_enter.then(|| generator.context_load(types::I64, at::FRAME));
        let mut callees = HashMap::new();
        let mut callee = |generator: &mut Generator<'_, '_>, pc: u16| -> Option<FuncRef> {
            let &id = steps.get(&(proctype_idx, pc))?;
            let import = || linker.reference(id, generator.build.func);
            Some(*callees.entry(pc).or_insert_with(import))
        };
        let zero = generator.int(0);
        generator.build.def_var(moved, zero);
        generator.build.def_var(escaped, zero);
        let proctype = generator.proctype();
        let end = generator.block();
        if let Some(provided) = &proctype.provided {
            generator.provided_guard(from, provided, end);
        }
        generator.mark_visited(pc);
        for transition in &proctype.transitions[usize::from(pc)] {
            let next = generator.block();
            generator.escape_guard(transition, pc, end);
            generator.transition(from, (transition, pc), mode, next, &mut callee);
            generator.enter(next);
            if let Some(frame) = entry_frame.filter(|_| generator.may_enter(transition)) {
                generator.context_store(frame, at::FRAME);
            }
        }
        generator.jump(end);
        generator.enter(end);
        let status = generator.build.use_var(moved);
        generator.jump_with(answer, status);
        generator.finish_answers();
        generator.build.seal_all_blocks();
        generator.build.finalize(linker.isa.frontend_config());
        linker.define(id, compilation)?;
        compilation.clear();
        Some(())
    }
}
