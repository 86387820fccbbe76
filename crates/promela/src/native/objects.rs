//! Code for pointers, scopes, calls and returns, and for states with objects that a step ends in or passes
//! through.
//!
//! A buffer with a vector has a [`ObjectTable`](super::context::ObjectTable) of its objects. While a step
//! makes and ends no object and stores no reference, the table of the vector that it began with stays valid,
//! and the successor is built in the batch's memory, as in other models. Any other step is made in a frame,
//! with its own table, and a helper writes its normal form.

use super::context::{FRAME_BYTES, NativeChannel, TABLE_AT, at, table_at};
use super::generator::{FLAGS, Generator, View};
use super::helpers::ChainSite;
use super::transition::{Building, CodeMode, is_exotic};
use crate::ir::{
    Action, Address, Base, ChannelType, Expr, Field, ObjectKind, Proctype, Receive, Scalar, Send, Statement,
    Target, Through, Transition, same_pointee,
};
use crate::lower::Lowered;
use crate::machine::{OBJECTS_FROM, WHOLE_ARRAY};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

/// Bytes before the contents of an object.
const HEADER: i64 = 4;
/// Offset in a frame of its caller, with the mark of calls from atomic sequences.
const CALLER: i32 = 4;

/// Facts about a whole model with objects.
#[derive(Debug, Default)]
pub(crate) struct ObjectFacts {
    /// Whether the address of a global variable is taken, so that a pointer may refer to one.
    pub(crate) points_to_globals: bool,
    /// Whether functions are called in atomic sequences.
    pub(crate) atomic_calls: bool,
    /// For each body and control state, the scopes that control may be in.
    active: Vec<Vec<Vec<u16>>>,
    /// The types of channels, in the form for compiled code.
    pub(crate) channel_types: Box<[NativeChannel]>,
}

/// The target of a pointer.
struct PointerTarget {
    object: Value,
    /// The offset in the vector of the object's contents.
    start: Value,
    at: Value,
}

impl ObjectFacts {
    pub(crate) fn new(program: &Lowered) -> Self {
        let mut facts = Self::default();
        let Some(dynamic) = &program.dynamic else { return facts };
        let is_global = |e: &Expr| matches!(e, Expr::Address(a) if a.place.base == Base::Global);
        for code in 0..program.n_bodies() {
            let body = program.body(code);
            for statement in &body.statements {
                statement.action.clone().walk_mut(&mut |e| facts.points_to_globals |= is_global(e));
                facts.atomic_calls |= match &statement.action {
                    Action::Call(call) => call.in_atomic,
                    _ => false,
                };
            }
            let setups = body.scopes.iter().flat_map(|scope| &scope.setup).chain(&body.setup);
            facts.points_to_globals |= setups.into_iter().any(|step| match step {
                crate::ir::Setup::Assign(_, e) => e.contains(&is_global),
                crate::ir::Setup::Channel(..) => false,
            });
            facts.active.push(active_scopes(body));
        }
        facts.points_to_globals |= program.setup.iter().any(|step| match step {
            crate::ir::Setup::Assign(_, e) => e.contains(&is_global),
            crate::ir::Setup::Channel(..) => false,
        });
        facts.points_to_globals |=
            dynamic.objects.iter().flat_map(|object| &object.init).any(|init| match init {
                crate::ir::Init::Value(_, _, e) => e.contains(&is_global),
                crate::ir::Init::Channel(_) => false,
            });
        let native = |(ty, channel): (usize, &ChannelType)| NativeChannel {
            offset: 0,
            ty: ty as u16,
            capacity: channel.capacity,
        };
        facts.channel_types = program.channel_types.iter().enumerate().map(native).collect();
        facts
    }
}

/// For each control state, the scopes that control may be in: those around the statements before and after
/// it.
fn active_scopes(body: &Proctype) -> Vec<Vec<u16>> {
    let mut active = vec![Vec::new(); body.transitions.len()];
    let mut add = |pc: usize, scopes: &[u16]| {
        let list: &mut Vec<u16> = &mut active[pc];
        let new: Vec<u16> = scopes.iter().filter(|scope| !list.contains(scope)).copied().collect();
        list.extend(new);
    };
    for (pc, transition) in
        body.transitions.iter().enumerate().flat_map(|(pc, list)| list.iter().map(move |t| (pc, t)))
    {
        let Some(moves) = transition.scopes.as_deref() else { continue };
        add(pc, &moves.inside);
        if let Some(target) = transition.target {
            add(usize::from(target.0), &moves.after);
        }
    }
    active
}

impl Lowered {
    /// The number of process types and functions.
    pub(crate) fn n_bodies(&self) -> usize {
        self.proctypes.len() + self.dynamic.as_ref().map_or(0, |dynamic| dynamic.functions.len())
    }
}

/// Whether the messages of a channel have references.
fn refers(ty: &ChannelType) -> bool {
    ty.fields.iter().any(|(scalar, _)| *scalar == Scalar::Pointer)
}

fn stores_reference(target: &Target) -> bool {
    match target {
        Target::Place(place) => place.scalar == Scalar::Pointer,
        Target::Either(_) => true,
        Target::Discard | Target::Forgotten(_) | Target::Priority => false,
    }
}

impl<'a> Generator<'a, '_> {
    /// Begins a function: the view of the vector that it is given.
    pub(crate) fn begin_function(&mut self, vector: Value, layout: Value) -> View {
        if self.may_be_linked() {
            self.chained = self.context_load(types::I64, at::CHAINED);
            let zero = self.long(0);
            self.context_store(zero, at::CHAINED);
        }
        if !self.is_function() {
            return self.view(vector, layout);
        }
        let view = self.frame_view(vector, layout);
        self.local = self.build.ins().isub(view.record, vector);
        view
    }

    /// The view of the running function, through the top frame of its process.
    pub(crate) fn frame_view(&mut self, vector: Value, layout: Value) -> View {
        let base = self.base;
        let record = self.add(vector, base);
        let table = self.add_const(vector, TABLE_AT as i64);
        let view = View { vector, record, table, layout };
        let frame = self.read(record, crate::lower::TOP_FRAME as i32 + 2, Scalar::Unsigned(16));
        let header = self.header(view, frame);
        let local = self.add_const(header, HEADER);
        View { record: self.add(vector, local), ..view }
    }

    pub(crate) fn is_dynamic(&self) -> bool {
        self.program.dynamic.is_some()
    }

    /// Whether a call or a return may lead to this code: it belongs to a function, or calls one.
    pub(crate) fn may_be_linked(&self) -> bool {
        self.is_function()
            || self.is_dynamic()
                && self.proctype().statements.iter().any(|s| matches!(s.action, Action::Call(_)))
    }

    /// Whether a transition always begins in a vector in normal form: the one that is being expanded, and not
    /// one inside a step.
    fn begins_step(&self, transition: &Transition, pc: u16, mode: CodeMode) -> bool {
        let leads_here = |t: &Transition| t.atomic && t.target.is_some_and(|target| target.0 == pc);
        mode == CodeMode::Step
            && !self.may_be_linked()
            && !self.may_enter(transition)
            && !self.proctype().transitions.iter().flatten().any(leads_here)
    }

    /// Whether this is the code of a function.
    pub(crate) fn is_function(&self) -> bool {
        self.proctype_idx >= self.program.proctypes.len()
    }

    /// Whether a statement may make or end an object or store a reference.
    fn statement_moves(&self, statement: &Statement) -> bool {
        let is_send = matches!(statement.action, Action::Send(_)) && !statement.has_run;
        if is_exotic(statement) && !is_send {
            return true;
        }
        let may_refer = |channel: &Expr| match self.known.of(self.proctype_idx, channel).ty {
            Some(ty) => refers(&self.program.channel_types[usize::from(ty)]),
            None => self.program.channel_types.iter().any(refers),
        };
        match &statement.action {
            Action::Assign(target, _) => stores_reference(target),
            Action::Send(Send { channel, .. }) => may_refer(channel),
            Action::Receive(Receive { channel, fields, .. }) => {
                let stores =
                    |field: &Field| matches!(field, Field::Store(target) if stores_reference(target));
                may_refer(channel) || fields.iter().any(stores)
            }
            Action::DStep(idx) => {
                self.proctype().d_steps[*idx as usize].nodes.iter().any(|node| match node {
                    crate::ir::DNode::Do { statement, .. } => {
                        self.statement_moves(self.statement(*statement))
                    }
                    _ => false,
                })
            }
            Action::End | Action::Call(_) | Action::Return(_) | Action::New(_) | Action::Delete(_) => true,
            _ => false,
        }
    }

    /// Whether a transition may make or end an object or store a reference.
    pub(crate) fn moves(&self, transition: &Transition, pc: u16) -> bool {
        if !self.is_dynamic() {
            return false;
        }
        let body = self.proctype();
        let clears_reference = |ranges: &[(u32, u32)]| {
            body.references
                .iter()
                .any(|at| ranges.iter().any(|(start, len)| (*start..start + len).contains(at)))
        };
        self.statement_moves(self.statement(transition.statement))
            || clears_reference(&transition.clears)
            || self.left(transition, pc).iter().any(|&scope| {
                let scope = &body.scopes[usize::from(scope)];
                scope.object.is_some() || clears_reference(&scope.bytes)
            })
    }

    /// The scopes that a transition from a control state may leave.
    fn left(&self, transition: &Transition, pc: u16) -> Vec<u16> {
        let after = transition.scopes.as_deref().map_or(&[][..], |moves| &moves.after);
        let is_left = |scope: &&u16| {
            !after.contains(scope) && self.proctype().scopes[usize::from(**scope)].flag.is_some()
        };
        self.facts.active[self.proctype_idx][usize::from(pc)].iter().filter(is_left).copied().collect()
    }

    /// Whether a transition from a control state may leave a scope.
    pub(crate) fn may_leave(&self, transition: &Transition, pc: u16) -> bool {
        self.is_dynamic() && !self.left(transition, pc).is_empty()
    }

    /// Leaves the scopes that control is in and that do not enclose the target of a transition.
    pub(crate) fn leave_scopes(&mut self, to: View, transition: &Transition, pc: u16) {
        if !self.is_dynamic() {
            return;
        }
        let body = self.proctype();
        let flags: Vec<u32> = self
            .left(transition, pc)
            .iter()
            .filter_map(|&scope| body.scopes[usize::from(scope)].flag)
            .collect();
        if flags.is_empty() {
            return;
        }
        let any = self.flags(to, &flags, |this, a, b| this.build.ins().bor(a, b));
        let (leave, done) = (self.block(), self.block());
        self.branch(any, leave, done);
        self.enter(leave);
        let left = self.left(transition, pc);
        if left.iter().all(|&scope| self.is_plain(scope)) {
            // Outside a scope, its bytes are zero already.
            for scope in left {
                for &(start, len) in &body.scopes[usize::from(scope)].bytes {
                    self.fill_zero(to.record, start as i32, len);
                }
            }
            self.jump(done);
            return self.enter(done);
        }
        let address = self.long(std::ptr::from_ref(transition).addr() as i64);
        let code = self.long(self.proctype_idx as i64);
        let arguments = [self.context, to.vector, to.table, to.layout, self.pid, address, code];
        let helper = self.helpers.leave;
        self.build.ins().call(helper, &arguments);
        self.jump(done);
        self.enter(done);
    }

    /// Whether a scope has no object and no references.
    fn is_plain(&self, scope: u16) -> bool {
        let body = self.proctype();
        let scope = &body.scopes[usize::from(scope)];
        let is_inside = |at: &u32| scope.bytes.iter().any(|(start, len)| (*start..start + len).contains(at));
        scope.object.is_none() && !body.references.iter().any(is_inside)
    }

    /// Combines the flags of scopes.
    fn flags(&mut self, view: View, flags: &[u32], join: impl Fn(&mut Self, Value, Value) -> Value) -> Value {
        let mut all = self.read(view.record, flags[0] as i32, Scalar::Byte);
        for &flag in &flags[1..] {
            let flag = self.read(view.record, flag as i32, Scalar::Byte);
            all = join(self, all, flag);
        }
        all
    }

    /// Whether a transition may enter a scope before its statement is tried.
    pub(crate) fn may_enter(&self, transition: &Transition) -> bool {
        let Some(moves) = transition.scopes.as_deref() else { return false };
        moves.inside.iter().any(|&scope| self.proctype().scopes[usize::from(scope)].flag.is_some())
    }

    /// The state in which the statement of a transition is tried: with the scopes around it entered.
    pub(crate) fn enter_scopes(&mut self, from: View, transition: &Transition) -> View {
        let Some(moves) = transition.scopes.as_deref().filter(|_| self.may_enter(transition)) else {
            return from;
        };
        let body = self.proctype();
        let flags: Vec<u32> =
            moves.inside.iter().filter_map(|&scope| body.scopes[usize::from(scope)].flag).collect();
        let all = self.flags(from, &flags, |this, a, b| this.build.ins().band(a, b));
        let (outside, inside) = (self.block(), self.block());
        self.build.append_block_param(inside, types::I64);
        self.build.ins().brif(all, inside, &[BlockArg::Value(from.vector)], outside, &[]);
        self.enter(outside);
        let target = self.frame();
        self.copy_with_table(from, target);
        let address = self.long(std::ptr::from_ref(moves).addr() as i64);
        let code = self.long(self.proctype_idx as i64);
        let table = self.add_const(target, TABLE_AT as i64);
        let arguments = [self.context, target, table, from.layout, self.pid, address, code];
        let helper = self.helpers.enter;
        let call = self.build.ins().call(helper, &arguments);
        let status = self.build.inst_results(call)[0];
        self.check_status(status);
        let above = self.add_const(target, FRAME_BYTES as i64);
        self.context_store(above, at::FRAME);
        self.jump_with(inside, target);
        self.enter(inside);
        let vector = self.build.block_params(inside)[0];
        self.view(vector, from.layout)
    }

    /// Copies a vector and its table to a frame.
    pub(crate) fn copy_with_table(&mut self, from: View, target: Value) {
        let size = self.size_of(from);
        self.copy(from.vector, target, size);
        let table = self.add_const(target, TABLE_AT as i64);
        self.copy_table(from.table, table);
    }

    pub(crate) fn copy_table(&mut self, from: Value, to: Value) {
        // The table of a vector without objects is short.
        let head = self.load(types::I8X16, from, 0);
        self.store(head, to, 0);
        let n_objects = self.build.ins().uload32(FLAGS, from, table_at::N_OBJECTS);
        let (more, done) = (self.block(), self.block());
        let is_long = self.compare_const(IntCC::UnsignedGreaterThan, n_objects, 1);
        self.branch(is_long, more, done);
        self.enter(more);
        let four = self.long(2);
        let starts = self.build.ins().ishl(n_objects, four);
        let size = self.add_const(starts, i64::from(table_at::STARTS));
        self.copy(from, to, size);
        self.jump(done);
        self.enter(done);
    }

    /// The number of objects in a vector.
    pub(crate) fn n_objects(&mut self, view: View) -> Value {
        self.load(types::I32, view.table, table_at::N_OBJECTS)
    }

    /// Whether a vector may not be in normal form: a reference or object was changed in it, and it has
    /// objects.
    pub(crate) fn is_moved(&mut self, view: View) -> Value {
        let moved = self.load(types::I32, view.table, table_at::MOVED);
        let n_objects = self.n_objects(view);
        self.build.ins().imul(moved, n_objects)
    }

    /// Where to build the successor of a step that changes no references or objects: in a frame if the vector
    /// that it begins with is not in normal form, or if the process keeps control after it; otherwise in the
    /// batch.
    pub(crate) fn begin_unmoved(
        &mut self,
        from: View,
        (transition, pc): (&Transition, u16),
        mode: CodeMode,
    ) -> (View, Building) {
        if self.begins_step(transition, pc, mode) {
            let target = self.room();
            let size = self.size_of(from);
            self.copy(from.vector, target, size);
            return (View { table: from.table, ..self.view(target, from.layout) }, Building::Room);
        }
        let mut in_frame = self.load(types::I32, from.table, table_at::MOVED);
        if let Some(keeps) = self.keeps_control(from) {
            in_frame = self.build.ins().bor(in_frame, keeps);
        }
        let (slow, fast, join) = (self.block(), self.block(), self.block());
        self.build.append_block_param(join, types::I64);
        self.build.append_block_param(join, types::I64);
        self.branch(in_frame, slow, fast);
        self.enter(slow);
        let frame = self.frame();
        let table = self.add_const(frame, TABLE_AT as i64);
        self.copy_table(from.table, table);
        self.build.ins().jump(join, &[BlockArg::Value(frame), BlockArg::Value(table)]);
        self.enter(fast);
        let room = self.room();
        self.build.ins().jump(join, &[BlockArg::Value(room), BlockArg::Value(from.table)]);
        self.enter(join);
        let (target, table) = (self.build.block_params(join)[0], self.build.block_params(join)[1]);
        let size = self.size_of(from);
        self.copy(from.vector, target, size);
        (View { table, ..self.view(target, from.layout) }, Building::Either(in_frame))
    }

    /// Whether the running function was called in an atomic sequence, if that can be.
    pub(crate) fn keeps_control(&mut self, view: View) -> Option<Value> {
        if !self.is_function() || !self.facts.atomic_calls {
            return None;
        }
        let caller = self.load(types::I32, view.record, CALLER);
        let one = self.int(1);
        Some(self.build.ins().band(caller, one))
    }

    /// Calls a helper that writes the normal form of a vector to the batch.
    pub(crate) fn emit_normal(&mut self, vector: View) {
        let arguments = [self.context, vector.vector, vector.table, vector.layout];
        let helper = self.helpers.emit;
        let call = self.build.ins().call(helper, &arguments);
        let status = self.build.inst_results(call)[0];
        self.check_status(status);
    }

    /// Executes a call, a return, or a jump after either: a helper does what follows and returns `MOVED`.
    pub(crate) fn link(&mut self, from: View, (transition, pc): (&'a Transition, u16), next: Block) {
        let statement = self.statement(transition.statement);
        let is_jump = matches!(statement.action, Action::Skip);
        let target = self.frame();
        self.copy_with_table(from, target);
        let to = self.view(target, from.layout);
        if is_jump {
            if self.moves(transition, pc) {
                self.note_moved(to);
            }
            self.arrive(to, (transition, pc));
        }
        let site = Box::new(ChainSite {
            statement: (!is_jump).then_some(std::ptr::from_ref(statement)),
            index: transition.statement,
            code: self.proctype_idx as u32,
            keeps_control: transition.atomic && !matches!(statement.action, Action::Return(_)),
            jumps_out: self.proctype().ends_atomic(transition.statement),
        });
        let address = self.long(std::ptr::from_ref(&*site).addr() as i64);
        self.sites.borrow_mut().push(site);
        let above = self.add_const(target, FRAME_BYTES as i64);
        self.context_store(above, at::FRAME);
        let arguments = [self.context, target, from.layout, self.base, self.pid, address, self.chained];
        let helper = self.helpers.chain;
        let call = self.build.ins().call(helper, &arguments);
        let status = self.build.inst_results(call)[0];
        self.context_store(target, at::FRAME);
        self.check_status(status);
        self.done(transition, next);
    }

    /// Records that the numbers in the vector are no longer those of a normal form.
    pub(crate) fn note_moved(&mut self, to: View) {
        let one = self.int(1);
        self.store(one, to.table, table_at::MOVED);
    }

    /// The offset of an object's header in the vector.
    pub(crate) fn header(&mut self, view: View, object: Value) -> Value {
        let object = self.widen(object);
        let two = self.long(2);
        let scaled = self.build.ins().ishl(object, two);
        let entry = self.add(view.table, scaled);
        self.build.ins().uload32(FLAGS, entry, table_at::STARTS - 4 * OBJECTS_FROM as i32)
    }

    /// The offset of the contents of a live object; a tombstone is left to the interpreter.
    fn live_contents(&mut self, view: View, object: Value) -> Value {
        let header = self.header(view, object);
        let address = self.add(view.vector, header);
        let ty = self.read(address, 0, Scalar::Unsigned(16));
        let before = self.add_const(ty, -1);
        let is_alive = self.compare_const(IntCC::UnsignedLessThan, before, 0x7fff);
        let interpret = self.interpret;
        self.require(is_alive, interpret);
        self.add_const(header, HEADER)
    }

    /// The object number in the upper half of a reference.
    fn object_of(&mut self, pointer: Value) -> Value {
        let sixteen = self.int(16);
        self.build.ins().ushr(pointer, sixteen)
    }

    /// Follows a pointer; errors are left to the interpreter.
    fn follow(&mut self, view: View, through: &Through) -> PointerTarget {
        let pointer = self.value(view, &through.pointer);
        let object = self.object_of(pointer);
        let is_object =
            self.compare_const(IntCC::UnsignedGreaterThanOrEqual, object, i64::from(OBJECTS_FROM));
        let interpret = self.interpret;
        let start = if self.facts.points_to_globals {
            let (inside, other, join) = (self.block(), self.block(), self.block());
            self.build.append_block_param(join, types::I64);
            self.branch(is_object, inside, other);
            self.enter(other);
            self.require(object, interpret);
            let zero = self.long(0);
            self.jump_with(join, zero);
            self.enter(inside);
            let start = self.live_contents(view, object);
            self.jump_with(join, start);
            self.enter(join);
            self.build.block_params(join)[0]
        } else {
            self.require(is_object, interpret);
            self.live_contents(view, object)
        };
        let mask = self.int(WHOLE_ARRAY as i32 - 1);
        let offset = self.build.ins().band(pointer, mask);
        let offset = self.widen(offset);
        let mut at = self.add(start, offset);
        match &through.index {
            None | Some(Expr::Const(0)) => {}
            Some(index) => {
                let index = self.value(view, index);
                self.check_index(view, through, pointer, index);
                let index = self.widen(index);
                let size = self.long(i64::from(through.size));
                let scaled = self.build.ins().imul(index, size);
                at = self.add(at, scaled);
            }
        }
        PointerTarget { object, start, at }
    }

    /// Continues if an index is in the range of the array that a pointer refers to; otherwise the interpreter
    /// reports the error.
    fn check_index(&mut self, view: View, through: &Through, pointer: Value, index: Value) {
        let (sound, other, helped) = (self.block(), self.block(), self.block());
        let interpret = self.interpret;
        self.branch(index, other, sound);
        self.enter(other);
        // Objects of several elements have their number of elements in the header.
        let program = self.program;
        let objects = program.dynamic.iter().flat_map(|dynamic| dynamic.objects.iter().enumerate());
        let fits = |kind: &ObjectKind| match kind {
            ObjectKind::Data(element) => same_pointee(element, &through.pointee),
            ObjectKind::Frame(_) | ObjectKind::Scope => false,
        };
        let whole: Vec<i64> =
            objects.filter(|(_, ty)| fits(&ty.kind)).map(|(idx, _)| idx as i64 + 1).collect();
        let low = self.build.ins().ireduce(types::I16, pointer);
        let is_start = self.compare_const(IntCC::Equal, low, i64::from(WHOLE_ARRAY));
        if let [ty] = whole[..] {
            let object = self.object_of(pointer);
            let is_object =
                self.compare_const(IntCC::UnsignedGreaterThanOrEqual, object, i64::from(OBJECTS_FROM));
            let may_be = self.build.ins().band(is_start, is_object);
            self.require(may_be, helped);
            let header = self.header(view, object);
            let address = self.add(view.vector, header);
            let actual = self.read(address, 0, Scalar::Unsigned(16));
            let same = self.compare_const(IntCC::Equal, actual, ty);
            self.require(same, helped);
            let length = self.read(address, 2, Scalar::Unsigned(16));
            let in_range = self.compare(IntCC::UnsignedLessThan, index, length);
            self.branch(in_range, sound, interpret);
        } else {
            self.jump(helped);
        }
        self.enter(helped);
        let wide = self.widen(pointer);
        let address = self.long(std::ptr::from_ref(&through.pointee).addr() as i64);
        let arguments = [self.context, view.vector, view.table, view.layout, self.pid, wide, address];
        let helper = self.helpers.bound;
        let call = self.build.ins().call(helper, &arguments);
        let bound = self.build.inst_results(call)[0];
        let in_range = self.compare(IntCC::UnsignedLessThan, index, bound);
        self.branch(in_range, sound, interpret);
        self.enter(sound);
    }

    /// The address of what a pointer refers to.
    pub(crate) fn address_through(&mut self, view: View, through: &Through) -> Value {
        let found = self.follow(view, through);
        self.add(view.vector, found.at)
    }

    /// `&x`
    pub(crate) fn reference(&mut self, view: View, address: &Address) -> Value {
        let (object, start, from) = match &address.place.base {
            Base::Global => (self.int(1), view.vector, view.vector),
            // Variables of which an address is taken are in objects.
            Base::Local => {
                self.give_up();
                let unreachable = self.block();
                self.enter(unreachable);
                return self.int(0);
            }
            Base::Object(through) => {
                let found = self.follow(view, through);
                let start = self.add(view.vector, found.start);
                let from = self.add(view.vector, found.at);
                (found.object, start, from)
            }
        };
        let (place, constant) = self.indexed(view, from, &address.place);
        let place = self.add_const(place, i64::from(constant));
        let offset = self.build.ins().isub(place, start);
        let is_near = self.compare_const(IntCC::UnsignedLessThan, offset, i64::from(WHOLE_ARRAY));
        let interpret = self.interpret;
        self.require(is_near, interpret);
        let offset = self.build.ins().ireduce(types::I32, offset);
        let sixteen = self.int(16);
        let upper = self.build.ins().ishl(object, sixteen);
        let whole = self.int(if address.length > 1 { WHOLE_ARRAY as i32 } else { 0 });
        let word = self.build.ins().bor(upper, whole);
        self.build.ins().bor(word, offset)
    }

    /// The expression whose value goes into a field of a message, if compiled code supports it.
    pub(crate) fn for_formal<'e>(&self, e: &'e Expr, ty: &ChannelType, field: usize) -> Option<&'e Expr> {
        if self.is_dynamic() { e.for_formal(&ty.fields[field]) } else { Some(e) }
    }

    /// The channel of an object: its offset in the vector, and its type's entry in the table. Jumps to
    /// `found` with both; objects of several elements are left to the interpreter.
    pub(crate) fn object_channel(&mut self, view: View, id: Value, object: Value, found: Block) {
        let interpret = self.interpret;
        let is_object =
            self.compare_const(IntCC::UnsignedGreaterThanOrEqual, object, i64::from(OBJECTS_FROM));
        self.require(is_object, interpret);
        let header = self.header(view, object);
        let address = self.add(view.vector, header);
        let head = self.load(types::I32, address, 0);
        let ordinal = self.build.ins().ireduce(types::I16, id);
        let program = self.program;
        let objects = program.dynamic.iter().flat_map(|dynamic| dynamic.objects.iter().enumerate());
        for (idx, ty) in objects.filter(|(_, ty)| !ty.channels.is_empty()) {
            let other = self.block();
            // The object is alive and has one element.
            let same = self.compare_const(IntCC::Equal, head, (1 << 16) | (idx as i64 + 1));
            self.require(same, other);
            for which in 0..ty.channels.len() {
                let Some((channel, start)) = ty.channel(1, which) else { continue };
                let (this, next) = (self.block(), self.block());
                let same = self.compare_const(IntCC::Equal, ordinal, which as i64);
                self.branch(same, this, next);
                self.enter(this);
                let offset = self.add_const(header, HEADER + start as i64);
                let entry = &self.facts.channel_types[usize::from(channel.0)];
                let entry = self.long(std::ptr::from_ref(entry).addr() as i64);
                self.build.ins().jump(found, &[BlockArg::Value(offset), BlockArg::Value(entry)]);
                self.enter(next);
            }
            self.give_up();
            self.enter(other);
        }
        self.give_up();
    }
}
