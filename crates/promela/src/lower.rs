//! From the syntax tree to the intermediate form: names resolved, layout fixed, control flow numbered.
//!
//! `decl` lays out variables and channels, `names` resolves names, `expr` and `body` translate expressions
//! and statements, and `remote` resolves references to other process types once all of them are known.

mod body;
mod claim;
mod decl;
mod dynamic;
mod events;
mod expr;
mod function;
mod hidden;
mod names;
mod pointer;
mod remote;
mod scope;
mod types;

use crate::flow::{Flow, ScopePath, Table, build_table};
use crate::ir::{
    Action, Added, Base, ChannelType, EventTrace, Exclusive, Expr, Formal, Function, ObjectType, Proctype,
    ProctypeId, Record, Scalar, ScalarPlace, Setup, Variable,
};
use crate::options::Dynamics;
use crate::reduce::Forgotten;
use crate::syntax::ast::{self, Ast, Ident, Span, Unit};
use crate::syntax::source::Diagnostic;
pub(crate) use claim::{Claim, ClaimBody, Proposition};
use names::Scopes;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Bytes before the first global: the number of processes, `_last`, and two that are always zero.
pub(crate) const HEADER_SIZE: u32 = 4;
/// Offset of `_last` in the vector.
pub(crate) const LAST_OFFSET: u32 = 1;
/// Bytes before the first variable of a process: its type, its priority, its control state.
pub(crate) const PROCESS_HEADER_SIZE: u32 = 4;
/// Bytes before the first parameter of a frame: its control state, the statement of the call, its caller, and
/// the location of the result.
pub(crate) const FRAME_HEADER_SIZE: u32 = 12;
/// Offset in a process's record of its top frame, in a model with functions.
pub(crate) const TOP_FRAME: u32 = PROCESS_HEADER_SIZE;
/// The most processes that can exist at a time, as in SPIN.
pub(crate) const MAX_PROCESSES: usize = 255;
/// The most channels that can exist at a time, as in SPIN.
pub(crate) const MAX_CHANNELS: usize = 255;

/// The features a model uses; features it does not use cost nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    pub(crate) timeout: bool,
    pub(crate) last: bool,
    pub(crate) priority: bool,
    /// Whether a process's priority may change while it lives.
    pub(crate) changes_priority: bool,
    /// The least and the greatest priority with which processes are started while the model runs; `None` if
    /// none is started then.
    pub(crate) started: Option<(u8, u8)>,
}

/// A model in the intermediate form.
#[derive(Clone, Debug)]
pub(crate) struct Lowered {
    pub(crate) proctypes: Vec<Proctype>,
    pub(crate) channel_types: Vec<ChannelType>,
    pub(crate) records: Vec<Record>,
    pub(crate) globals: Vec<Variable>,
    pub(crate) globals_size: u32,
    pub(crate) setup: Vec<Setup>,
    /// The processes that start with the system, in order, with their priorities.
    pub(crate) active: Vec<(ProctypeId, u8)>,
    pub(crate) trace: Option<EventTrace>,
    /// The names of each set of symbolic constants; the constant `n` has index `n - 1`.
    pub(crate) mtypes: HashMap<Arc<str>, Vec<Arc<str>>>,
    /// Never claims and formulas.
    pub(crate) claims: Vec<Claim>,
    /// What the observer reads, in every state that is stored.
    pub(crate) propositions: Vec<Expr>,
    /// Whether the observer also sees labels that begin with `accept`.
    pub(crate) observes_accept_labels: bool,
    /// Whether the observer also sees labels that begin with `progress`.
    pub(crate) observes_progress_labels: bool,
    pub(crate) features: Features,
    /// Whether `xr` and `xs` claims are checked.
    pub(crate) check_exclusive: bool,
    /// Whether a process that stops must be at a valid end state.
    pub(crate) check_ends: bool,
    /// Hidden variables whose values are dropped at the end of a `d_step`.
    pub(crate) scratch: Vec<ScalarPlace>,
    /// Whether only runs count in which every continuously enabled process eventually moves.
    pub(crate) fair: bool,
    /// If runs of a reduced program are shown in this program: what that reduction resets and this program
    /// keeps.
    pub(crate) keeps: Option<Arc<Forgotten>>,
    /// What the dynamic extension adds, if the model uses it.
    pub(crate) dynamic: Option<Dynamic>,
}

/// The additional parts of a model with dynamic features.
#[derive(Clone, Debug)]
pub(crate) struct Dynamic {
    pub(crate) functions: Vec<Function>,
    /// Whether a process calls a function, so that records hold the number of the top frame.
    pub(crate) calls: bool,
    /// Types of objects; the header of an object has the index here plus one.
    pub(crate) objects: Vec<ObjectType>,
    /// The offsets of references among the globals.
    pub(crate) globals: Vec<u32>,
    /// Whether any body has an `unless`.
    pub(crate) escapes: bool,
    pub(crate) options: Dynamics,
}

/// Lowers a model. The result is complete only if no diagnostic is an error.
pub(crate) fn lower(ast: &Ast, start: Span) -> (Lowered, Vec<Diagnostic>) {
    let mut lowerer = Lowerer::new(start);
    lowerer.collect_symbols(ast);
    lowerer.run(ast);
    lowerer.finish()
}

/// The signature of a process type, known before its body is lowered.
#[derive(Clone, Debug)]
struct Signature {
    id: ProctypeId,
    n_params: Option<usize>,
    /// The types of the parameters, in a model with dynamic features.
    formals: Option<Vec<Formal>>,
}

struct Lowerer {
    /// The beginning of the model's file.
    start: Span,
    diagnostics: Vec<Diagnostic>,
    records: Vec<Record>,
    record_setups: Vec<Vec<decl::FieldSetup>>,
    record_names: HashMap<Arc<str>, u32>,
    mtypes: HashMap<Arc<str>, Vec<Arc<str>>>,
    mtype_values: HashMap<Arc<str>, (i32, Arc<str>)>,
    channel_types: Vec<ChannelType>,
    signatures: HashMap<Arc<str>, Signature>,
    proctypes: Vec<Option<Proctype>>,
    flows: Vec<Option<Flow>>,
    active: Vec<(ProctypeId, u8)>,
    globals: Vec<Variable>,
    globals_size: u32,
    setup: Vec<Setup>,
    trace: Option<(Flow, bool, Span)>,
    claims: Vec<Claim>,
    claim_flows: Vec<(usize, Flow)>,
    features: Features,
    scopes: Scopes,
    /// The body being lowered, if any.
    process: Option<Process>,
    remote_labels: Vec<remote::LabelRef>,
    remote_vars: Vec<remote::VarRef>,
    hidden: hidden::Hidden,
    scratch: Vec<ScalarPlace>,
    uses: dynamic::Uses,
    /// The numbers of all record types, including those declared later.
    forward_records: HashMap<Arc<str>, u32>,
    function_names: HashMap<Arc<str>, u16>,
    function_signatures: Vec<function::FunctionSignature>,
    functions: Vec<Option<Function>>,
    function_flows: Vec<Option<Flow>>,
    object_types: Vec<ObjectType>,
}

/// The process type being lowered.
struct Process {
    size: u32,
    setup: Vec<Setup>,
    variables: Vec<Variable>,
    flow: Flow,
    /// Whether the statement being lowered is inside a `d_step`.
    in_d_step: bool,
    label_symbols: Vec<(Arc<str>, ScopePath)>,
    exclusive: Vec<Exclusive>,
    /// Counters of `for (x in channel)`, one for each scope.
    loop_counters: HashMap<ScopePath, ScalarPlace>,
    in_trace: bool,
    is_claim: bool,
    d_step_span: Option<Span>,
    /// The function whose body this is, if it is one.
    function: Option<u16>,
    /// The names of variables that pointers may refer to.
    addressed: HashSet<Arc<str>>,
    /// Whether each open block has had no statement so far; in models with dynamic features.
    starts: Vec<bool>,
    open_scopes: Vec<u16>,
    scopes: Vec<scope::ScopeBuild>,
    references: Vec<u32>,
}

impl Lowerer {
    fn new(start: Span) -> Self {
        Self {
            start,
            diagnostics: Vec::new(),
            records: Vec::new(),
            record_setups: Vec::new(),
            record_names: HashMap::new(),
            mtypes: HashMap::new(),
            mtype_values: HashMap::new(),
            channel_types: Vec::new(),
            signatures: HashMap::new(),
            proctypes: Vec::new(),
            flows: Vec::new(),
            active: Vec::new(),
            globals: Vec::new(),
            globals_size: HEADER_SIZE,
            setup: Vec::new(),
            trace: None,
            claims: Vec::new(),
            claim_flows: Vec::new(),
            features: Features::default(),
            scopes: Scopes::new(),
            process: None,
            remote_labels: Vec::new(),
            remote_vars: Vec::new(),
            hidden: hidden::Hidden::default(),
            scratch: Vec::new(),
            uses: dynamic::Uses::default(),
            forward_records: HashMap::new(),
            function_names: HashMap::new(),
            function_signatures: Vec::new(),
            functions: Vec::new(),
            function_flows: Vec::new(),
            object_types: Vec::new(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    fn error_hint(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(message, span).with_hint(hint));
    }

    /// Collects names that may be used before they are declared: symbolic constants and process types.
    fn collect_symbols(&mut self, ast: &Ast) {
        self.hidden = hidden::analyse(ast);
        self.uses = dynamic::uses(ast);
        let typedefs = ast.units.iter().filter_map(|unit| match unit {
            Unit::Typedef(typedef) => Some(typedef.name.name.clone()),
            _ => None,
        });
        self.forward_records = typedefs.zip(0..).collect();
        for unit in &ast.units {
            match unit {
                Unit::Mtype(mtype) => self.declare_mtype(mtype),
                Unit::Proctype(proctype) => self.declare_proctype(&proctype.name),
                Unit::Init(init) => {
                    self.declare_proctype(&Ident { name: ":init:".into(), span: init.span });
                }
                _ => {}
            }
        }
        for unit in &ast.units {
            if let Unit::Function(function) = unit {
                self.declare_function(function);
            }
        }
    }

    fn declare_proctype(&mut self, name: &Ident) {
        let Ok(idx) = u8::try_from(self.proctypes.len()) else {
            self.error(name.span, "there are more than 255 process types");
            return;
        };
        let signature = Signature { id: ProctypeId(idx), n_params: None, formals: None };
        if self.signatures.insert(name.name.clone(), signature).is_some() {
            let what =
                if &*name.name == ":init:" { "init".to_owned() } else { format!("proctype '{}'", name.name) };
            self.error(name.span, format!("{what} is declared twice"));
        }
        self.proctypes.push(None);
        self.flows.push(None);
    }

    fn run(&mut self, ast: &Ast) {
        let mut next = 0;
        // Parameters are counted first, so that a `run` may precede the body of its process type.
        for unit in &ast.units {
            if let Unit::Typedef(typedef) = unit {
                self.declare_record(typedef);
            }
        }
        for unit in &ast.units {
            if let Unit::Proctype(proctype) = unit {
                let formals = self.uses.anything.then(|| self.formals_of(&proctype.params));
                let n = match &formals {
                    Some(formals) => formals.len(),
                    None => self.count_params(&proctype.params),
                };
                if let Some(signature) = self.signatures.get_mut(&proctype.name.name) {
                    signature.n_params = Some(n);
                    signature.formals = formals;
                }
            }
        }
        let functions: Vec<&ast::Function> = ast
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        for (id, function) in functions.iter().enumerate() {
            self.declare_function_types(id, function);
        }
        let mut next_function = 0;
        for unit in &ast.units {
            match unit {
                Unit::Decl(decl) => self.declare_globals(decl),
                Unit::Proctype(proctype) => {
                    self.lower_proctype(proctype, next);
                    next += 1;
                }
                Unit::Init(init) => {
                    self.lower_init(init, next);
                    next += 1;
                }
                Unit::Function(function) => {
                    self.lower_function(function, next_function);
                    next_function += 1;
                }
                Unit::Trace(trace) => self.lower_trace(trace),
                Unit::Never(claim) => self.lower_claim(claim),
                Unit::Ltl(ltl) => self.lower_formula(ltl),
                Unit::Typedef(_) | Unit::Mtype(_) => {}
            }
        }
    }

    fn lower_proctype(&mut self, proctype: &ast::Proctype, idx: usize) {
        self.begin_process(proctype.name.span, false);
        self.take_addresses(&proctype.body);
        let mut params = Vec::new();
        for decl in &proctype.params {
            self.declare_params(decl, &mut params);
        }
        let provided = proctype.provided.as_ref().map(|e| self.expr(e));
        self.lower_body(&proctype.body, Action::End);
        let (name, span) = (proctype.name.name.clone(), proctype.name.span);
        self.end_process(idx, name, span, params, provided);
        if let Some(Some(lowered)) = self.proctypes.get_mut(idx) {
            lowered.deterministic = proctype.deterministic;
        }
        let Ok(id) = u8::try_from(idx) else { return };
        let priority = self.priority_value(proctype.priority, span);
        for _ in 0..self.active_count(proctype.active.as_ref()) {
            if self.active.len() >= MAX_PROCESSES {
                self.error(span, "more than 255 processes start with the system");
                break;
            }
            self.active.push((ProctypeId(id), priority));
        }
    }

    fn lower_init(&mut self, init: &ast::Init, idx: usize) {
        self.begin_process(init.span, false);
        self.take_addresses(&init.body);
        self.lower_body(&init.body, Action::End);
        self.end_process(idx, ":init:".into(), init.span, Vec::new(), None);
        let Ok(id) = u8::try_from(idx) else { return };
        let priority = self.priority_value(init.priority, init.span);
        self.active.push((ProctypeId(id), priority));
    }

    fn priority_value(&mut self, priority: Option<i32>, span: Span) -> u8 {
        let Some(value) = priority else { return 1 };
        if value != 1 {
            self.features.priority = true;
        }
        u8::try_from(value).ok().filter(|&v| v > 0).unwrap_or_else(|| {
            self.error(span, format!("priority {value} is not between 1 and 255"));
            1
        })
    }

    fn active_count(&mut self, active: Option<&ast::ActiveCount>) -> i32 {
        match active {
            None => 0,
            Some(ast::ActiveCount::Count(n)) => *n,
            Some(ast::ActiveCount::Named(name)) => {
                match self.scopes.find(&name.name).and_then(|var| var.initial) {
                    Some(n) => n,
                    None => {
                        let message = format!("'{}' is not a variable with a constant value", name.name);
                        self.error(name.span, message);
                        0
                    }
                }
            }
        }
    }

    fn begin_process(&mut self, span: Span, is_claim: bool) {
        self.scopes.enter_process();
        let frames = if self.uses.calls { 4 } else { 0 };
        let is_dynamic = self.uses.anything;
        self.process = Some(Process {
            size: PROCESS_HEADER_SIZE + frames,
            setup: Vec::new(),
            variables: Vec::new(),
            flow: Flow::new(span, is_claim),
            in_d_step: false,
            label_symbols: Vec::new(),
            exclusive: Vec::new(),
            loop_counters: HashMap::new(),
            in_trace: false,
            is_claim: false,
            d_step_span: None,
            function: None,
            addressed: HashSet::new(),
            starts: if is_dynamic { vec![true] } else { Vec::new() },
            open_scopes: vec![0],
            scopes: vec![scope::ScopeBuild::default()],
            references: Vec::new(),
        });
    }

    /// Records the variables of which a body takes the address.
    fn take_addresses(&mut self, body: &ast::Block) {
        if self.uses.anything
            && let Some(process) = &mut self.process
        {
            process.addressed = dynamic::addressed(body);
        }
    }

    fn lower_body(&mut self, body: &ast::Block, end_action: Action) {
        self.scopes.open();
        self.lower_sequence(&body.steps);
        let end = Span { start: body.span.end.saturating_sub(1), ..body.span };
        self.flow().append(crate::flow::Node::basic(end_action, end, "-end-"));
        self.flow().finish();
        self.scopes.close();
    }

    fn end_process(
        &mut self,
        idx: usize,
        name: Arc<str>,
        span: Span,
        params: Vec<ScalarPlace>,
        provided: Option<crate::ir::Expr>,
    ) {
        let Some((proctype, flow)) = self.end_body(name, span, params, provided) else { return };
        if idx < self.proctypes.len() {
            self.flows[idx] = Some(flow);
            self.proctypes[idx] = Some(proctype);
        }
    }

    /// Completes what is known of a body before its control flow is numbered.
    fn end_body(
        &mut self,
        name: Arc<str>,
        span: Span,
        params: Vec<ScalarPlace>,
        provided: Option<crate::ir::Expr>,
    ) -> Option<(Proctype, Flow)> {
        self.scopes.leave_process();
        let process = self.process.take()?;
        let scopes = if self.uses.anything { self.finish_scopes(&name, process.scopes) } else { Vec::new() };
        let has_object = scopes.first().is_some_and(|body| body.object.is_some());
        let is_plain = scopes.len() < 2 && !has_object;
        let proctype = Proctype {
            name,
            span,
            deterministic: false,
            size: process.size.next_multiple_of(4),
            params,
            setup: process.setup,
            start: crate::ir::Pc(0),
            provided,
            transitions: Vec::new(),
            statements: Vec::new(),
            d_steps: Vec::new(),
            may_end: Vec::new(),
            progress: Vec::new(),
            accept: Vec::new(),
            labelled: Added(Vec::new()),
            jumps_out: Added(Vec::new()),
            may_take: Vec::new(),
            at: Vec::new(),
            variables: process.variables,
            exclusive: process.exclusive,
            body_scope: Added(has_object.then_some(0)),
            scopes: Added(if is_plain { Vec::new() } else { scopes }),
            references: Added(process.references),
        };
        Some((proctype, process.flow))
    }

    fn flow(&mut self) -> &mut Flow {
        &mut self.process.as_mut().expect("a process is being lowered").flow
    }

    fn finish(mut self) -> (Lowered, Vec<Diagnostic>) {
        self.pin_remote_labels();
        for idx in 0..self.proctypes.len() {
            let Some(mut flow) = self.flows[idx].take() else { continue };
            let span = self.proctypes[idx].as_ref().map_or(self.start, |p| p.span);
            let table = self.finish_table(&mut flow, span, "a process");
            if let Some(proctype) = self.proctypes[idx].as_mut() {
                put_table(proctype, table);
            }
            self.flows[idx] = Some(flow);
        }
        for idx in 0..self.functions.len() {
            let Some(mut flow) = self.function_flows[idx].take() else { continue };
            let span = self.functions[idx].as_ref().map_or(self.start, |f| f.body.span);
            let table = self.finish_table(&mut flow, span, "a function");
            if let Some(function) = self.functions[idx].as_mut() {
                put_table(&mut function.body, table);
            }
        }
        let trace = self.finish_trace();
        if self.active.is_empty() {
            self.error_hint(
                self.start,
                "nothing runs: the model has no init and no active proctype",
                "write `init { run p() }`, or `active proctype p()`",
            );
        }
        self.finish_claims();
        self.resolve_remote();
        let dynamic = self.finish_dynamic();
        let proctypes: Vec<Proctype> = self.proctypes.into_iter().flatten().collect();
        let lowered = Lowered {
            channel_types: self.channel_types,
            records: self.records,
            globals: self.globals,
            globals_size: self.globals_size.next_multiple_of(4),
            setup: self.setup,
            active: self.active,
            trace,
            mtypes: self.mtypes,
            claims: self.claims,
            propositions: Vec::new(),
            observes_accept_labels: false,
            observes_progress_labels: false,
            features: self.features,
            check_ends: true,
            check_exclusive: proctypes.iter().any(|proctype| !proctype.exclusive.is_empty()),
            proctypes,
            scratch: self.scratch,
            fair: false,
            keeps: None,
            dynamic,
        };
        // One mistake can be found several times, as `x` in `x++`, which is `x = x + 1`.
        let mut told = HashSet::new();
        self.diagnostics.retain(|diagnostic| told.insert((diagnostic.span, diagnostic.message.clone())));
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span.file, diagnostic.span.start));
        (lowered, self.diagnostics)
    }

    fn finish_table(&mut self, flow: &mut Flow, span: Span, what: &str) -> Table {
        let table = build_table(flow);
        for error in std::mem::take(&mut flow.errors) {
            self.error(error.span, error.message);
        }
        if flow.n_numbers > u32::from(u16::MAX) {
            self.error(span, format!("{what} has more than 65535 control states"));
        } else {
            self.check_self_loops(&table);
        }
        table
    }

    /// The parts that the dynamic extension adds to the model, if the model uses it.
    fn finish_dynamic(&mut self) -> Option<Dynamic> {
        if !self.uses.anything {
            return None;
        }
        let globals = self
            .globals
            .iter()
            .flat_map(|variable| self.references_in(variable.offset, &variable.ty, variable.array))
            .collect();
        let functions = self.take_functions();
        let bodies = self.proctypes.iter().flatten().chain(functions.iter().map(|function| &function.body));
        let escapes = bodies.flat_map(|body| &body.transitions).flatten().any(|t| t.escape != 0);
        let objects = std::mem::take(&mut self.object_types);
        let calls = self.uses.calls;
        Some(Dynamic { functions, calls, objects, globals, escapes, options: Dynamics::default() })
    }

    /// Rejects a process that can only jump to the state it is in, as SPIN does.
    fn check_self_loops(&mut self, table: &Table) {
        for (state, list) in table.transitions.iter().enumerate() {
            for transition in list {
                let statement = &table.statements[transition.statement as usize];
                let loops = transition.target.is_some_and(|target| usize::from(target.0) == state);
                if loops && statement.action == Action::Skip && &*statement.text == "skip" {
                    let span = statement.span;
                    self.error_hint(
                        span,
                        "an unconditional loop that does nothing",
                        "give the loop a condition, or let it wait with `false`",
                    );
                    return;
                }
            }
        }
    }

    /// Adds a global scalar that is not listed for users.
    fn hidden_global(&mut self, scalar: Scalar) -> ScalarPlace {
        let offset = self.globals_size;
        self.globals_size += scalar.size();
        ScalarPlace { base: Base::Global, offset, scalar, indices: Vec::new() }
    }
}

/// Completes a body with its control flow.
fn put_table(proctype: &mut Proctype, table: Table) {
    proctype.start = table.start;
    proctype.transitions = table.transitions;
    proctype.statements = table.statements;
    proctype.d_steps = table.d_steps;
    proctype.may_end = table.may_end;
    proctype.progress = table.progress;
    proctype.accept = table.accept;
    let mut actions = proctype.statements.iter().map(|statement| &statement.action);
    if actions.any(|action| matches!(action, Action::Call(_) | Action::Return(_))) {
        proctype.labelled = Added(table.labelled);
        proctype.jumps_out = Added(table.jumps_out);
    }
    proctype.at = table.at;
    proctype.may_take = may_take(proctype);
    for statement in &mut proctype.statements {
        statement.action.walk_mut(&mut Expr::fold);
        let mut has_run = false;
        statement.action.walk_mut(&mut |e| has_run |= matches!(e, Expr::Run(_)));
        statement.has_run = has_run;
    }
}

/// For each control state, whether any transition out of it, or the first statement of a `d_step` there, can
/// be a receive.
fn may_take(proctype: &Proctype) -> Vec<bool> {
    let takes = |statement: u32| {
        matches!(proctype.statements[statement as usize].action, Action::Receive(_) | Action::DStep(_))
    };
    proctype.transitions.iter().map(|list| list.iter().any(|t| takes(t.statement))).collect()
}
