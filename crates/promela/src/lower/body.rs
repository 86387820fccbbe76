//! Lowers statements, in the order in which SPIN makes control states of them.

use super::Lowerer;
use crate::flow::{ElementKind, IN_D_STEP, Jump, Node, NodeKind, NodeLabel, SequenceId};
use crate::ir::{Action, Event, Exclusive, Expr, Field, Receive, Scalar, ScalarPlace, Send, Target, Type};
use crate::syntax::ast::{
    self, BinaryOp, ChanQuery, ExprKind, Ident, ReceiveArg, Sequence, Span, Step, Stmt, StmtKind, VarPart,
    VarRef,
};
use std::sync::Arc;

impl Lowerer {
    pub(super) fn lower_sequence(&mut self, steps: &Sequence) {
        for step in steps {
            match step {
                Step::Decl(decl) => {
                    for var in &decl.vars {
                        self.declare_variable(decl, var);
                    }
                }
                Step::Exclusive { receive, channels, .. } => {
                    for reference in channels {
                        let channel = self.channel(reference);
                        if let Some(process) = &mut self.process {
                            process.exclusive.push(Exclusive { receive: *receive, channel });
                        }
                    }
                }
                Step::Stmt(stmt) => {
                    let node = self.statement(stmt);
                    self.flow().append(node);
                }
                Step::Unless { main, escape, span } => {
                    let node = self.unless(main, escape, *span);
                    self.flow().append(node);
                }
            }
        }
    }

    /// Lowers a statement to a node whose parts are linked; the node itself is not linked yet.
    fn statement(&mut self, stmt: &Stmt) -> Node {
        let mut labels = Vec::new();
        for label in &stmt.labels {
            labels.push(self.label(label));
        }
        if !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Atomic(_)) {
            self.end_start();
        }
        let text: Arc<str> = stmt.kind.to_string().into();
        let mut kind = self.statement_kind(&stmt.kind, stmt.span);
        if let NodeKind::Basic(action) = &mut kind {
            self.check_run(action, stmt.span);
        }
        self.flow().at_start = false;
        self.end_start();
        Node { labels, kind, span: stmt.span, text }
    }

    /// Checks that a `run` is a statement of its own, or in an assignment, an assertion or output, and
    /// nowhere else.
    fn check_run(&mut self, action: &mut Action, span: Span) {
        if matches!(
            action,
            Action::Guard(Expr::Run(_)) | Action::Assign(..) | Action::Assert(..) | Action::Printf(..)
        ) {
            return;
        }
        let mut found = false;
        action.walk_mut(&mut |e| found |= matches!(e, Expr::Run(_)));
        if found {
            self.error_hint(
                span,
                "run cannot be used inside this statement",
                "assign it first: `x = run p()`, then use `x`",
            );
        }
    }

    /// The scope of a label: that of its first mention visible from here.
    fn label_scope(&mut self, name: &Arc<str>) -> crate::flow::ScopePath {
        let path = self.scopes.path();
        let process = self.process.as_mut().expect("a process is being lowered");
        let known = process
            .label_symbols
            .iter()
            .rev()
            .find(|(other, scope)| other == name && path.starts_with(scope))
            .map(|(_, scope)| scope.clone());
        known.unwrap_or_else(|| {
            process.label_symbols.push((name.clone(), path.clone()));
            path
        })
    }

    fn label(&mut self, label: &Ident) -> NodeLabel {
        let scope = self.label_scope(&label.name);
        NodeLabel { name: label.name.clone(), scope, span: label.span }
    }

    fn statement_kind(&mut self, kind: &StmtKind, span: Span) -> NodeKind {
        if self.process.as_ref().is_some_and(|process| process.in_trace) {
            return self.event_kind(kind, span);
        }
        match kind {
            StmtKind::Expr(e) => NodeKind::Basic(match self.expr(e) {
                Expr::Const(1) => Action::Skip,
                e => Action::Guard(e),
            }),
            StmtKind::Assign { target, value } if self.uses.anything => {
                NodeKind::Basic(self.assignment(target, value))
            }
            StmtKind::Assign { target, value } => {
                let value = self.expr(value);
                let target = self.target(target).unwrap_or(Target::Discard);
                NodeKind::Basic(Action::Assign(target, value))
            }
            StmtKind::Send { channel, sorted, args } => {
                let channel = self.channel(channel);
                let args = self.flat_args(args);
                NodeKind::Basic(Action::Send(Send { channel, sorted: *sorted, args }))
            }
            StmtKind::Receive { channel, random, peek, args } => {
                let channel = self.channel(channel);
                let fields = self.fields(args);
                self.check_double_store(&fields, span);
                NodeKind::Basic(Action::Receive(Receive { channel, random: *random, peek: *peek, fields }))
            }
            StmtKind::Else => NodeKind::Basic(Action::Else),
            StmtKind::Assert(e) => {
                let text: Arc<str> = e.to_string().into();
                NodeKind::Basic(Action::Assert(self.expr(e), text))
            }
            StmtKind::Printf { format, args } => {
                let args = self.printed(format, args);
                NodeKind::Basic(Action::Printf(format.clone(), args))
            }
            StmtKind::Printm(e) => {
                let set = self.mtype_set(e);
                NodeKind::Basic(Action::Printm(self.expr(e), set))
            }
            StmtKind::SetPriority(process, value) => {
                self.features.priority = true;
                self.features.changes_priority = true;
                NodeKind::Basic(Action::SetPriority(self.expr(process), self.expr(value)))
            }
            StmtKind::New { .. }
            | StmtKind::NewChannel { .. }
            | StmtKind::Delete(_)
            | StmtKind::Call { .. }
            | StmtKind::Return(_) => NodeKind::Basic(self.dynamic_statement(kind, span)),
            _ => self.compound_kind(kind, span),
        }
    }

    /// The values that a `printf` prints; `%p` takes a reference.
    fn printed(&mut self, format: &str, args: &[ast::Expr]) -> Vec<Expr> {
        let mut conversions = crate::printf::conversions(format);
        args.iter()
            .map(|e| match (conversions.next(), self.as_reference(e)) {
                (Some('p'), Some(either)) => either.left,
                _ => self.expr(e),
            })
            .collect()
    }

    fn compound_kind(&mut self, kind: &StmtKind, span: Span) -> NodeKind {
        match kind {
            StmtKind::If(options) => NodeKind::If(self.options(options)),
            StmtKind::Do(options) => {
                let exit = self.flow().push_break();
                NodeKind::Do(self.options(options), exit)
            }
            StmtKind::For { var, from, to, body } => self.for_range(var, from, to, body, span),
            StmtKind::ForIn { var, over, body } => self.for_in(var, over, body, span),
            StmtKind::Select { var, from, to } => self.select(var, from, to, span),
            StmtKind::Atomic(block) => {
                let body = self.block(block, "an atomic block");
                self.flow().make_atomic(body, 0);
                NodeKind::Atomic(body)
            }
            StmtKind::DStep(block) => self.d_step(block, span),
            StmtKind::Block(block) => NodeKind::Block(self.block(block, "a block")),
            StmtKind::Goto(label) => {
                let scope = self.label_scope(&label.name);
                NodeKind::Goto(Jump::Label { name: label.name.clone(), scope })
            }
            StmtKind::Break => match self.flow().break_destination() {
                Some(exit) => NodeKind::Goto(Jump::Break(exit)),
                None => {
                    self.error(span, "break outside a loop");
                    NodeKind::Basic(Action::Skip)
                }
            },
            _ => {
                self.error(span, "an event trace can hold only sends and receives");
                NodeKind::Basic(Action::Skip)
            }
        }
    }

    /// The channel that a reference names. As in SPIN, a variable not declared as a channel is rejected.
    fn channel(&mut self, reference: &VarRef) -> Expr {
        let span = reference.span;
        if let Some(false) = self.is_channel(reference) {
            self.error(span, format!("'{reference}' is not a channel"));
            return Expr::Const(0);
        }
        self.load(reference)
    }

    /// Rejects `c?x,x`, as SPIN does, because the value that `x` would have is unclear.
    fn check_double_store(&mut self, fields: &[Field], span: Span) {
        let scalar = |field: &Field| match field {
            Field::Store(Target::Place(place)) if place.indices.is_empty() => {
                Some((place.base.clone(), place.offset, place.scalar))
            }
            _ => None,
        };
        for (idx, field) in fields.iter().enumerate() {
            if let Some(place) = scalar(field)
                && fields[..idx].iter().any(|other| scalar(other).as_ref() == Some(&place))
            {
                self.error(span, "one variable cannot take two fields of a message");
                return;
            }
        }
    }

    fn mtype_set(&mut self, e: &ast::Expr) -> Arc<str> {
        if let ExprKind::Var(reference) = &e.kind {
            let name = &reference.parts[0].name.name;
            if let Some((_, set)) = self.mtype_values.get(name) {
                return set.clone();
            }
            if let Some(declared) = self.scopes.find(name)
                && let Type::Scalar(_, crate::ir::Notation::Mtype(set)) = &declared.variable.ty
            {
                return set.clone();
            }
        }
        "".into()
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<SequenceId> {
        let mut closed = Vec::new();
        for option in options {
            self.flow().open_sequence();
            self.lower_sequence(option);
            // SPIN only warns about a label on the first statement of an option.
            closed.push(self.flow().close_sequence(None));
        }
        for &option in &closed {
            self.flow().prune_skips(option);
        }
        closed
    }

    fn block(&mut self, block: &ast::Block, what: &str) -> SequenceId {
        let has_variables = self.open_block(&block.steps);
        self.flow().open_sequence();
        self.lower_sequence(&block.steps);
        let body = self.flow().close_sequence(Some(what));
        self.close_block(has_variables);
        body
    }

    fn d_step(&mut self, block: &ast::Block, span: Span) -> NodeKind {
        let first_element = self.flow().elements.len() as u32;
        let process = self.process.as_mut().expect("a process is being lowered");
        let outer = std::mem::replace(&mut process.in_d_step, true);
        process.d_step_span = Some(span);
        let body = self.block(block, "a d_step");
        if let Some(process) = &mut self.process {
            process.in_d_step = outer;
        }
        self.check_jumps(first_element);
        self.flow().make_atomic(body, IN_D_STEP);
        NodeKind::DStep(body)
    }

    /// Checks that no jump leaves a `d_step`, whose elements are those made since `first_element`.
    fn check_jumps(&mut self, first_element: u32) {
        let flow = self.flow();
        let mut bad = None;
        for element in &flow.elements[first_element as usize..] {
            if let ElementKind::Goto(jump) = &element.kind {
                let inside = flow.destination(jump).is_some_and(|target| target.0 >= first_element);
                if !inside {
                    bad = Some(element.span);
                }
            }
        }
        if let Some(jump) = bad {
            self.error_hint(
                jump,
                "a jump cannot leave a d_step",
                "let the d_step end first, and jump after it",
            );
        }
    }

    /// `main unless escape`
    fn unless(&mut self, main: &Stmt, escape: &Stmt, span: Span) -> Node {
        let main_node = self.statement(main);
        // A break in the escape of a loop leaves the loop around it.
        if let NodeKind::Do(..) = main_node.kind {
            self.flow().pop_break();
        }
        let escape_node = self.statement(escape);
        let escape_sequence = match escape_node {
            Node { labels, kind: NodeKind::Block(body), .. } if labels.is_empty() => body,
            node => self.wrap(node, "an escape"),
        };
        let text: Arc<str> = "unless".into();
        let Node { labels, kind, span: main_span, text: main_text } = main_node;
        match (labels.len(), kind) {
            (0, NodeKind::Block(body)) => {
                let kind = NodeKind::Unless(body, escape_sequence);
                Node { labels, kind, span, text }
            }
            (1, NodeKind::Block(body)) => {
                let inner = self.wrap_unless(body, escape_sequence, span);
                Node { labels, kind: NodeKind::Block(inner), span, text }
            }
            (1, NodeKind::Atomic(body)) => {
                let inner = self.wrap_unless(body, escape_sequence, span);
                Node { labels, kind: NodeKind::Atomic(inner), span, text }
            }
            (1, NodeKind::DStep(body)) => {
                let inner = self.wrap_unless(body, escape_sequence, span);
                Node { labels, kind: NodeKind::DStep(inner), span, text }
            }
            (_, kind) => {
                let node = Node { labels, kind, span: main_span, text: main_text };
                let body = self.wrap(node, "a statement with an escape");
                Node { labels: Vec::new(), kind: NodeKind::Unless(body, escape_sequence), span, text }
            }
        }
    }

    fn wrap(&mut self, node: Node, what: &str) -> SequenceId {
        self.flow().open_sequence();
        self.flow().append(node);
        self.flow().close_sequence(Some(what))
    }

    /// Lowers a labelled block with an escape: the label goes to a block around both.
    fn wrap_unless(&mut self, body: SequenceId, escape: SequenceId, span: Span) -> SequenceId {
        let node =
            Node { labels: Vec::new(), kind: NodeKind::Unless(body, escape), span, text: "unless".into() };
        self.wrap(node, "a block")
    }

    fn append_assign(&mut self, var: &VarRef, value: &ast::Expr, span: Span) {
        let kind = StmtKind::Assign { target: var.clone(), value: value.clone() };
        let node = self.statement(&Stmt { labels: Vec::new(), kind, span });
        self.flow().append(node);
    }

    fn append_guard(&mut self, op: BinaryOp, var: &VarRef, bound: &ast::Expr, span: Span) {
        let left = ast::Expr { kind: ExprKind::Var(var.clone()), span: var.span };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(bound.clone()));
        let stmt = Stmt { labels: Vec::new(), kind: StmtKind::Expr(ast::Expr { kind, span }), span };
        let node = self.statement(&stmt);
        self.flow().append(node);
    }

    /// Ends a loop over `var`: increments it, closes the body, and adds the exit.
    fn finish_loop(
        &mut self,
        var: &VarRef,
        exit: crate::flow::BreakId,
        with_else: bool,
        span: Span,
    ) -> NodeKind {
        let one = Box::new(ast::Expr { kind: ExprKind::Const(1), span });
        let left = Box::new(ast::Expr { kind: ExprKind::Var(var.clone()), span: var.span });
        let sum = ast::Expr { kind: ExprKind::Binary(BinaryOp::Add, left, one), span };
        self.append_assign(var, &sum, span);
        self.close_loop(exit, with_else, span)
    }

    fn close_loop(&mut self, exit: crate::flow::BreakId, with_else: bool, span: Span) -> NodeKind {
        let body = self.flow().close_sequence(None);
        self.flow().open_sequence();
        if with_else {
            self.flow().append(Node::basic(Action::Else, span, "else"));
        }
        let leave =
            Node { labels: Vec::new(), kind: NodeKind::Goto(Jump::Break(exit)), span, text: "break".into() };
        self.flow().append(leave);
        let way_out = self.flow().close_sequence(None);
        NodeKind::Do(vec![way_out, body], exit)
    }

    /// `for (var : from .. to) { body }`
    fn for_range(
        &mut self,
        var: &VarRef,
        from: &ast::Expr,
        to: &ast::Expr,
        body: &ast::Block,
        span: Span,
    ) -> NodeKind {
        let exit = self.flow().push_break();
        self.append_assign(var, from, span);
        self.flow().open_sequence();
        self.append_guard(BinaryOp::Le, var, to, span);
        self.loop_body(body);
        self.finish_loop(var, exit, true, span)
    }

    fn loop_body(&mut self, body: &ast::Block) {
        let has_variables = self.open_block(&body.steps);
        self.lower_sequence(&body.steps);
        self.close_block(has_variables);
    }

    /// `select (var : from .. to)`
    fn select(&mut self, var: &VarRef, from: &ast::Expr, to: &ast::Expr, span: Span) -> NodeKind {
        self.append_assign(var, from, span);
        self.flow().open_sequence();
        self.append_guard(BinaryOp::Lt, var, to, span);
        let exit = self.flow().push_break();
        self.finish_loop(var, exit, false, span)
    }

    /// `for (var in over) { body }`, where `over` is an array, or a channel of records that is rotated once.
    fn for_in(&mut self, var: &VarRef, over: &VarRef, body: &ast::Block, span: Span) -> NodeKind {
        let [VarPart { name, index, .. }] = over.parts.as_slice() else {
            self.error(over.span, format!("'{over}' is not an array or a channel by its own name"));
            return NodeKind::Basic(Action::Skip);
        };
        let declared = self.scopes.find(&name.name).cloned();
        let over_records = self.is_record(var);
        if !over_records
            && index.is_none()
            && let Some(n) = declared.as_ref().and_then(|declared| declared.variable.array)
        {
            let from = ast::Expr { kind: ExprKind::Const(0), span };
            let to = ast::Expr { kind: ExprKind::Const(n as i32 - 1), span };
            return self.for_range(var, &from, &to, body, span);
        }
        let channel = declared.and_then(|declared| declared.channel);
        let Some((capacity @ 1.., Some(_))) = channel.filter(|_| over_records) else {
            self.error_hint(
                over.span,
                format!("a loop with '{var}' cannot go over '{over}'"),
                "go over an array with a number, or over a buffered channel of records with a record",
            );
            return NodeKind::Basic(Action::Skip);
        };
        let exit = self.flow().push_break();
        let counter = self.loop_counter(capacity);
        let put = |lowerer: &mut Self, action: Action, text: String| {
            lowerer.flow().append(Node::basic(action, span, text));
        };
        put(self, Action::Assign(Target::Place(counter.clone()), Expr::Const(0)), "counter = 0".into());
        self.flow().open_sequence();
        let channel = self.channel(over);
        let length = Expr::Chan(ChanQuery::Len, Box::new(channel), span);
        let counted = Box::new(Expr::Load(counter.clone()));
        let guard = Expr::Binary(BinaryOp::Lt, counted.clone(), Box::new(length), span);
        put(self, Action::Guard(guard), format!("counter < len({over})"));
        let receive = StmtKind::Receive {
            channel: over.clone(),
            random: false,
            peek: false,
            args: vec![ReceiveArg::Var(var.clone())],
        };
        let send = StmtKind::Send {
            channel: over.clone(),
            sorted: false,
            args: vec![ast::Expr { kind: ExprKind::Var(var.clone()), span: var.span }],
        };
        for kind in [receive, send] {
            let node = self.statement(&Stmt { labels: Vec::new(), kind, span });
            self.flow().append(node);
        }
        self.loop_body(body);
        let sum = Expr::Binary(BinaryOp::Add, counted, Box::new(Expr::Const(1)), span);
        put(self, Action::Assign(Target::Place(counter), sum), "counter = counter + 1".into());
        self.close_loop(exit, true, span)
    }

    fn loop_counter(&mut self, capacity: u16) -> ScalarPlace {
        let path = self.scopes.path();
        let scalar = if capacity > 255 { Scalar::Short } else { Scalar::Byte };
        let known = self.process.as_ref().and_then(|process| process.loop_counters.get(&path).cloned());
        known.unwrap_or_else(|| {
            let place = self.synthetic_local("for-counter", scalar);
            if let Some(process) = &mut self.process {
                process.loop_counters.insert(path, place.clone());
            }
            place
        })
    }

    /// Checks that an event trace contains only sends and receives.
    fn event_kind(&mut self, kind: &StmtKind, span: Span) -> NodeKind {
        let event = match kind {
            StmtKind::Send { channel, args, .. } => {
                let channel = self.channel(channel);
                let fields = args
                    .iter()
                    .map(|arg| match &arg.kind {
                        ExprKind::Const(value) => Some(Expr::Const(*value)),
                        ExprKind::Var(reference) => match self.resolve(reference) {
                            Some(super::names::Resolved::Const(value)) => Some(Expr::Const(value)),
                            _ => None,
                        },
                        _ => None,
                    })
                    .collect();
                Event { send: true, channel, fields }
            }
            StmtKind::Receive { channel, args, .. } => {
                let channel = self.channel(channel);
                Event { send: false, channel, fields: self.patterns(args) }
            }
            StmtKind::Expr(_) | StmtKind::Else => {
                // SPIN allows a label before the closing brace, which then labels a `skip`.
                return NodeKind::Basic(Action::Skip);
            }
            _ => return self.compound_kind(kind, span),
        };
        NodeKind::Basic(Action::Event(event))
    }
}
