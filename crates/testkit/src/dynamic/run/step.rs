//! Steps: what a process can do next, with all that is joined to it.

use super::super::Kind;
use super::super::ast::{Callee, Model, Pattern, PlaceExpr, Pointee, Scalar, Stmt, Type, Value};
use super::super::flow::{Act, Edge, Node};
use super::super::state::{CallFrame, Cell, Kept, Object, Process, State};
use super::{Machine, Successors, Wrong, truncated};

/// What became of an edge.
enum Taken {
    Blocked,
    /// The process goes on with another statement in the same step.
    Joined,
    /// A statement was executed; whether it stands in an atomic sequence.
    Done(bool),
    /// A message was handed over: one state for each receiver.
    Handed(Vec<State>),
}

impl<'m> Machine<'m> {
    fn node(&self, frames: &Process) -> &Node {
        let frame = &frames[frames.len() - 1];
        let flow = if frames.len() == 1 { &self.processes[frame.body] } else { &self.functions[frame.body] };
        &flow.nodes[frame.node]
    }

    /// Whether a process is at its end, or may rest where it is.
    pub(super) fn has_ended(&self, frames: &Process) -> bool {
        self.node(frames).may_end
            || frames.len() == 1
                && self.node(frames).edges.iter().any(|edge| matches!(edge.act, Act::EndProcess))
    }

    /// Adds what comes of all steps that a process can begin; whether there is any, or one that goes wrong.
    pub(super) fn advance(&self, state: &State, process: usize, out: &mut Successors) -> bool {
        let node = self.node(&state.processes[process]);
        let (mut any, mut wrong) = (false, false);
        for (idx, edge) in node.edges.iter().enumerate() {
            if matches!(edge.act, Act::Else) && (any || wrong) {
                continue;
            }
            let mut next = state.clone();
            match self.take(&mut next, process, idx, edge, out) {
                Err(Wrong) => {
                    wrong = true;
                    out.kinds.insert(Kind::Error);
                }
                Ok(Taken::Blocked) => {}
                Ok(Taken::Handed(states)) => {
                    any |= !states.is_empty();
                    out.states.extend(states);
                }
                Ok(Taken::Joined) => {
                    any = true;
                    // What others can see of a process is stored, unless it is in an atomic sequence.
                    let frames = &next.processes[process];
                    let is_atomic = frames.last().expect("a process has a frame").atomic;
                    if self.node(frames).labelled && !is_atomic {
                        out.states.push(next);
                    } else {
                        self.go_on(next, process, out);
                    }
                }
                Ok(Taken::Done(in_atomic)) => {
                    any = true;
                    let keeps = next.processes.get(process).is_some_and(|frames| {
                        let frame = frames.last().expect("a process has a frame");
                        frame.atomic || in_atomic && self.node(frames).keeps
                    });
                    if keeps { self.go_on(next, process, out) } else { out.states.push(next) }
                }
            }
        }
        any || wrong
    }

    /// Goes on in the same step, or stores the state if that is not possible.
    fn go_on(&self, state: State, process: usize, out: &mut Successors) {
        out.depth += 1;
        out.n_statements += 1;
        if out.is_spent() {
            return;
        }
        if !self.advance(&state, process, out) {
            out.states.push(state);
        }
        if !out.is_spent() {
            out.depth -= 1;
        }
    }

    fn take(
        &self,
        state: &mut State,
        process: usize,
        idx: usize,
        edge: &Edge,
        out: &mut Successors,
    ) -> Result<Taken, Wrong> {
        let to = match &edge.act {
            Act::Else => return Ok(self.moved(state, process, edge)),
            Act::EndBody => return self.give_back(state, process, None),
            Act::EndProcess => {
                if process + 1 < state.processes.len() {
                    return Ok(Taken::Blocked);
                }
                state.end_scopes(process, 0);
                state.processes.pop();
                return Ok(Taken::Done(false));
            }
            Act::Stmt(stmt) => stmt,
        };
        self.enter(state, process, edge)?;
        match to {
            Stmt::Call(target, callee, args) => {
                let (callee, values) = self.called(state, process, callee, args)?;
                let result = &self.model.functions[callee].result;
                let target = match target {
                    None => None,
                    Some(place) => Some(self.target(state, process, place, result.as_ref().ok_or(Wrong)?)?),
                };
                let caller = state.processes[process].last().expect("a frame");
                let atomic = caller.atomic || edge.atomic;
                let frame =
                    CallFrame { body: callee, node: 0, scopes: Vec::new(), atomic, target, edge: idx };
                self.push(state, process, frame, values)?;
                return Ok(Taken::Joined);
            }
            Stmt::Return(value) => {
                let value =
                    value.as_ref().map(|value| self.value(state, Some(process), value)).transpose()?;
                let value = value.map(|value| {
                    let result = self.body(state, process).result.as_ref();
                    truncated(result.expect("a result has a type"), value)
                });
                return self.give_back(state, process, value.or(Some(Cell::Channel(Vec::new()))));
            }
            Stmt::ReturnCall(callee, args) => {
                let (callee, values) = self.called(state, process, callee, args)?;
                state.end_scopes(process, 0);
                let ended = state.processes[process].pop().expect("a frame");
                let frame = CallFrame { body: callee, node: 0, ..ended };
                self.push(state, process, frame, values)?;
                return Ok(Taken::Joined);
            }
            Stmt::Send(channel, values) => {
                return self.send(state, process, edge, channel, values);
            }
            Stmt::Receive(channel, patterns) => {
                let (at, ty) = self.locate(state, Some(process), channel)?;
                let Cell::Channel(messages) = state.cell(at).ok_or(Wrong)? else { panic!("no channel") };
                let Type::Channel(1.., _) = ty else { return Ok(Taken::Blocked) };
                let Some(message) = messages.first().cloned() else { return Ok(Taken::Blocked) };
                if !self.matches(state, process, patterns, &message)? {
                    return Ok(Taken::Blocked);
                }
                let Some(Cell::Channel(messages)) = state.cell(at) else { panic!("no channel") };
                messages.remove(0);
                self.bind(state, process, patterns, message)?;
            }
            Stmt::Assert(condition) => {
                if self.number(state, Some(process), condition)? == 0 {
                    out.kinds.insert(Kind::Assertion);
                }
            }
            Stmt::Guard(condition) => {
                if self.number(state, Some(process), condition)? == 0 {
                    return Ok(Taken::Blocked);
                }
            }
            simple => self.simple(state, process, simple)?,
        }
        Ok(self.moved(state, process, edge))
    }

    /// Statements that are always executable and lead nowhere else.
    fn simple(&self, state: &mut State, process: usize, stmt: &Stmt) -> Result<(), Wrong> {
        match stmt {
            Stmt::Assign(place, value @ Value::Number(_)) => {
                let value = self.value(state, Some(process), value)?;
                let (at, ty) = self.right(state, Some(process), place)?;
                *state.cell(at).ok_or(Wrong)? = truncated(&ty, value);
            }
            Stmt::Assign(place, value) => {
                let value = self.value(state, Some(process), value)?;
                let (at, _) = self.locate(state, Some(process), place)?;
                *state.cell(at).ok_or(Wrong)? = value;
            }
            Stmt::New(place, pointee, len) => {
                let len = match len {
                    None => 1,
                    Some(len) => self.number(state, Some(process), len)?,
                };
                let len = usize::try_from(len).ok().filter(|&len| len >= 1).ok_or(Wrong)?;
                let (at, _) = self.locate(state, Some(process), place)?;
                let cells = self.blank(&Type::Array(Box::new((*pointee).into()), len));
                let object = state.add(Object { cells, allocated: Some((numbered(*pointee), len)) });
                let to = super::super::state::Ref { object, offset: 0, len };
                *state.cell(at).ok_or(Wrong)? = Cell::Pointer(Some(to));
            }
            Stmt::Delete(place) => {
                let (at, ty) = self.locate(state, Some(process), place)?;
                let (Type::Pointer(pointee), Some(Cell::Pointer(Some(to)))) = (ty, state.cell(at).cloned())
                else {
                    return Err(Wrong);
                };
                let object = state.objects[to.object].as_ref().ok_or(Wrong)?;
                if object.allocated != Some((numbered(pointee), to.len)) || to.offset != 0 {
                    return Err(Wrong);
                }
                state.objects[to.object] = None;
            }
            Stmt::Run(body, args) => {
                let values = self.values(state, process, args)?;
                self.start(state, *body, values)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A statement is over: its process leaves the scopes that end with it.
    fn moved(&self, state: &mut State, process: usize, edge: &Edge) -> Taken {
        let n_kept = self.kept(state, process, edge);
        state.end_scopes(process, n_kept);
        state.processes[process].last_mut().expect("a frame").node = edge.to;
        Taken::Done(edge.atomic)
    }

    /// How many of the open scopes, the body's own included, are still open after an edge.
    fn kept(&self, state: &State, process: usize, edge: &Edge) -> usize {
        let frames = &state.processes[process];
        let frame = &frames[frames.len() - 1];
        let flow = if frames.len() == 1 { &self.processes[frame.body] } else { &self.functions[frame.body] };
        let target = &flow.nodes[edge.to].scopes;
        let mut n_kept = 0;
        while target
            .get(n_kept)
            .is_some_and(|scope| frame.scopes.get(n_kept + 1).map(|s| &s.0) == Some(scope))
        {
            n_kept += 1;
        }
        n_kept + 1
    }

    /// Enters the scopes that a statement lies in.
    fn enter(&self, state: &mut State, process: usize, edge: &Edge) -> Result<(), Wrong> {
        let n_open = state.processes[process].last().expect("a frame").scopes.len() - 1;
        for &scope in edge.scopes.get(n_open..).unwrap_or_default() {
            self.open(state, process, scope, Vec::new())?;
        }
        Ok(())
    }

    /// Opens a scope; parameters have values.
    fn open(&self, state: &mut State, process: usize, scope: usize, values: Vec<Cell>) -> Result<(), Wrong> {
        let body = self.body(state, process);
        let vars = || body.vars.iter().enumerate().filter(move |(_, var)| var.scope == scope);
        let cells = vars().flat_map(|(_, var)| self.blank(&var.ty)).collect();
        let object = state.add(Object { cells, allocated: None });
        state.processes[process].last_mut().expect("a frame").scopes.push((scope, object));
        let mut values = values.into_iter();
        for (idx, var) in vars() {
            let value = match (&var.init, values.next()) {
                (_, Some(value)) => value,
                (Some(init), None) => self.value(state, Some(process), init)?,
                (None, None) => continue,
            };
            let offset = self.model.offset(&body.vars, idx);
            let at = super::super::state::Ref { object, offset, len: 1 };
            *state.cell(at).expect("an open scope lives") = truncated(&var.ty, value);
        }
        Ok(())
    }

    fn values(&self, state: &mut State, process: usize, args: &[Value]) -> Result<Vec<Cell>, Wrong> {
        args.iter().map(|value| self.value(state, Some(process), value)).collect()
    }

    /// Starts a process.
    pub(super) fn start(&self, state: &mut State, body: usize, values: Vec<Cell>) -> Result<(), Wrong> {
        let process = state.processes.len();
        state.processes.push(Vec::new());
        let frame = CallFrame { body, node: 0, scopes: Vec::new(), atomic: false, target: None, edge: 0 };
        self.push(state, process, frame, values)
    }

    fn push(
        &self,
        state: &mut State,
        process: usize,
        frame: CallFrame,
        values: Vec<Cell>,
    ) -> Result<(), Wrong> {
        state.processes[process].push(frame);
        self.open(state, process, 0, values)
    }

    /// Looks up what is called, with the values of the arguments.
    fn called(
        &self,
        state: &mut State,
        process: usize,
        callee: &Callee,
        args: &[Value],
    ) -> Result<(usize, Vec<Cell>), Wrong> {
        let values = self.values(state, process, args)?;
        let function = match callee {
            Callee::Named(function) => *function,
            Callee::Held(place) => {
                let (at, _) = self.locate(state, Some(process), place)?;
                let Cell::Function(function) = state.cell(at).ok_or(Wrong)?.clone() else {
                    panic!("no function")
                };
                let function = function.ok_or(Wrong)?;
                if !accepts(self.model, function, self.body(state, process), args) {
                    return Err(Wrong);
                }
                function
            }
        };
        Ok((function, values))
    }

    /// The place of a result.
    fn target(
        &self,
        state: &mut State,
        process: usize,
        place: &PlaceExpr,
        result: &Type,
    ) -> Result<(super::super::state::Ref, Kept), Wrong> {
        let (at, ty) = match result {
            Type::Scalar(_) => self.right(state, Some(process), place)?,
            _ => self.locate(state, Some(process), place)?,
        };
        if state.objects[at.object].is_none() {
            return Err(Wrong);
        }
        match (result, &ty) {
            (Type::Scalar(_), Type::Scalar(Scalar::Byte)) => Ok((at, Kept::Byte)),
            (Type::Scalar(_), Type::Scalar(Scalar::Int)) => Ok((at, Kept::All)),
            (result, ty) if result == ty => Ok((at, Kept::All)),
            _ => Err(Wrong),
        }
    }

    /// Ends the frame on top. Without a value the end of its body was reached; a channel stands for `return`
    /// without one.
    fn give_back(&self, state: &mut State, process: usize, value: Option<Cell>) -> Result<Taken, Wrong> {
        state.end_scopes(process, 0);
        let ended = state.processes[process].pop().expect("a frame");
        if let Some((target, kept)) = ended.target {
            let value = match (value, kept) {
                (None | Some(Cell::Channel(_)), _) => return Err(Wrong),
                (Some(Cell::Number(number)), Kept::Byte) => Cell::Number(number & 255),
                (Some(value), _) => value,
            };
            *state.cell(target).ok_or(Wrong)? = value;
        }
        let edge = self.node(&state.processes[process]).edges[ended.edge].clone();
        self.moved(state, process, &edge);
        // An atomic sequence that ends with the call ends with its return.
        Ok(if ended.atomic { Taken::Done(edge.atomic) } else { Taken::Joined })
    }

    fn send(
        &self,
        state: &mut State,
        process: usize,
        edge: &Edge,
        channel: &PlaceExpr,
        values: &[Value],
    ) -> Result<Taken, Wrong> {
        let (at, ty) = self.locate(state, Some(process), channel)?;
        let Cell::Channel(messages) = state.cell(at).ok_or(Wrong)?.clone() else { panic!("no channel") };
        let Type::Channel(capacity, fields) = ty else { panic!("no channel") };
        if capacity > 0 && messages.len() >= capacity {
            return Ok(Taken::Blocked);
        }
        let ready: Vec<(usize, Edge)> =
            if capacity == 0 { self.receivers(state, process, at) } else { Vec::new() };
        if capacity == 0 && ready.is_empty() {
            return Ok(Taken::Blocked);
        }
        let message = self.values(state, process, values)?;
        let message: Vec<Cell> = fields.iter().zip(message).map(|(ty, value)| truncated(ty, value)).collect();
        if capacity > 0 {
            let Some(Cell::Channel(messages)) = state.cell(at) else { panic!("no channel") };
            messages.push(message);
            return Ok(self.moved(state, process, edge));
        }
        self.moved(state, process, edge);
        let mut states = Vec::new();
        for (receiver, edge) in ready {
            let mut next = state.clone();
            let Act::Stmt(Stmt::Receive(_, patterns)) = &edge.act else { panic!("no receive") };
            self.enter(&mut next, receiver, &edge)?;
            if self.matches(&mut next, receiver, patterns, &message)? {
                self.bind(&mut next, receiver, patterns, message.clone())?;
                self.moved(&mut next, receiver, &edge);
                states.push(next);
            }
        }
        Ok(Taken::Handed(states))
    }

    /// Who waits in front of a receive from a channel.
    fn receivers(
        &self,
        state: &State,
        sender: usize,
        channel: super::super::state::Ref,
    ) -> Vec<(usize, Edge)> {
        let mut ready = Vec::new();
        for process in (0..state.processes.len()).filter(|&process| process != sender) {
            for edge in &self.node(&state.processes[process]).edges {
                let Act::Stmt(Stmt::Receive(place, _)) = &edge.act else { continue };
                let mut next = state.clone();
                let at = self.enter(&mut next, process, edge);
                let at = at.and_then(|()| self.locate(&mut next, Some(process), place));
                if at.is_ok_and(|(at, _)| at == channel) {
                    ready.push((process, edge.clone()));
                }
            }
        }
        ready
    }

    fn matches(
        &self,
        state: &mut State,
        process: usize,
        patterns: &[Pattern],
        message: &[Cell],
    ) -> Result<bool, Wrong> {
        for (pattern, value) in patterns.iter().zip(message) {
            let wanted = match pattern {
                Pattern::Bind(_) => continue,
                Pattern::Number(number) => Cell::Number(*number),
                Pattern::Pointer(pointer) => Cell::Pointer(self.pointer(state, Some(process), pointer)?),
            };
            if wanted != *value {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn bind(
        &self,
        state: &mut State,
        process: usize,
        patterns: &[Pattern],
        message: Vec<Cell>,
    ) -> Result<(), Wrong> {
        for (pattern, value) in patterns.iter().zip(message) {
            let Pattern::Bind(place) = pattern else { continue };
            let (at, ty) = match value {
                Cell::Number(_) => self.right(state, Some(process), place)?,
                _ => self.locate(state, Some(process), place)?,
            };
            *state.cell(at).ok_or(Wrong)? = truncated(&ty, value);
        }
        Ok(())
    }
}

/// A number for what `new` makes.
fn numbered(pointee: Pointee) -> usize {
    match pointee {
        Pointee::Scalar(Scalar::Byte) => 0,
        Pointee::Scalar(Scalar::Int) => 1,
        Pointee::Record(record) => 2 + record,
    }
}

/// Whether a function can be called with arguments: as many, and each of the kind and, for pointers, the type
/// of its parameter.
pub(in super::super) fn accepts(
    model: &Model,
    function: usize,
    caller: &super::super::ast::Body,
    args: &[Value],
) -> bool {
    use super::super::ast::Pointer;
    let callee = &model.functions[function];
    let fits = |(param, arg): (&super::super::ast::Variable, &Value)| match (&param.ty, arg) {
        (Type::Scalar(_), Value::Number(_))
        | (Type::Function, Value::Function(_))
        | (Type::Pointer(_), Value::Pointer(Pointer::Null)) => true,
        (Type::Pointer(_), Value::Pointer(Pointer::Left(place))) => {
            model.type_of(Some(caller), place) == param.ty
        }
        (Type::Pointer(pointee), Value::Pointer(Pointer::Address(place))) => {
            let ty = match model.type_of(Some(caller), place) {
                Type::Array(element, _) => *element,
                ty => ty,
            };
            ty == (*pointee).into()
        }
        _ => false,
    };
    callee.n_params == args.len() && callee.vars.iter().zip(args).all(fits)
}
