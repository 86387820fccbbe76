//! Where statements lead: a body as nodes and edges.
//!
//! An edge is one statement (or a call, a return, the end of a process, which are joined to what follows). A
//! node knows which scopes are open in it and whether control is kept there because it lies inside an atomic
//! sequence. An edge enters the scopes that its statement lies in and its node does not, and leaves those
//! that its target does not lie in.

use super::ast::{Body, Expr, Label, Op, Stmt, Value};
use std::collections::BTreeMap;

/// What happens on an edge.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// A simple statement.
    Stmt(Stmt),
    /// `else`.
    Else,
    /// The end of a function's body.
    EndBody,
    /// The end of a process.
    EndProcess,
}

/// A statement in its place.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) act: Act,
    /// The scopes that the statement lies in, outermost first.
    pub(super) scopes: Vec<usize>,
    /// Whether it lies inside an atomic sequence.
    pub(super) atomic: bool,
    pub(super) to: usize,
}

/// A place between statements.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) edges: Vec<Edge>,
    /// The scopes that are open here, outermost first.
    pub(super) scopes: Vec<usize>,
    /// Whether this is inside an atomic sequence, and not in front of its first statement.
    pub(super) keeps: bool,
    /// Whether it has a label that others can see.
    pub(super) labelled: bool,
    /// Whether a process may rest here.
    pub(super) may_end: bool,
}

/// A body; it begins at node 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) nodes: Vec<Node>,
    /// Nodes that have the edges of another one beside their own: a loop at the head of an option.
    also: Vec<(usize, usize)>,
    /// Where labels are.
    labels: BTreeMap<usize, usize>,
}

/// Edges lead here plus a label's number until all labels are known.
const AHEAD: usize = usize::MAX / 2;

/// Where a statement stands.
#[derive(Clone)]
struct Around {
    scopes: Vec<usize>,
    atomic: bool,
}

impl Flow {
    /// The flow of a body.
    pub(super) fn of(body: &Body, is_process: bool) -> Flow {
        let mut flow = Flow::default();
        let around = Around { scopes: Vec::new(), atomic: false };
        let (start, end) = (flow.node(&around), flow.node(&around));
        flow.sequence(&body.stmts, start, end, &around, true);
        let act = if is_process { Act::EndProcess } else { Act::EndBody };
        flow.edge(end, act, end, &around);
        for edge in flow.nodes.iter_mut().flat_map(|node| &mut node.edges) {
            if let Some(label) = edge.to.checked_sub(AHEAD) {
                edge.to = flow.labels[&label];
            }
        }
        for (node, other) in std::mem::take(&mut flow.also) {
            let edges = flow.nodes[other].edges.clone();
            flow.nodes[node].edges.extend(edges);
        }
        flow
    }

    fn node(&mut self, around: &Around) -> usize {
        self.nodes.push(Node { scopes: around.scopes.clone(), keeps: around.atomic, ..Node::default() });
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, act: Act, to: usize, around: &Around) {
        let edge = Edge { act, scopes: around.scopes.clone(), atomic: around.atomic, to };
        self.nodes[from].edges.push(edge);
    }

    /// Adds statements between two nodes; `alone` says whether `from` has no other statements.
    fn sequence(&mut self, stmts: &[Stmt], mut from: usize, to: usize, around: &Around, mut alone: bool) {
        for (idx, stmt) in stmts.iter().enumerate() {
            match stmt {
                &Stmt::Label(label, meaning) => {
                    self.labels.insert(label, from);
                    self.nodes[from].labelled |= meaning == Label::Seen;
                    self.nodes[from].may_end |= meaning == Label::End;
                    continue;
                }
                // The statement before leads there.
                Stmt::Goto(_) => return,
                _ => {}
            }
            let next = match stmts.get(idx + 1) {
                None => to,
                Some(Stmt::Goto(label)) => AHEAD + label,
                Some(_) => self.node(around),
            };
            self.statement(stmt, from, next, around, alone);
            (from, alone) = (next, true);
        }
    }

    fn statement(&mut self, stmt: &Stmt, from: usize, to: usize, around: &Around, alone: bool) {
        match stmt {
            Stmt::If(options, otherwise) => {
                for option in options {
                    self.sequence(option, from, to, around, false);
                }
                match otherwise.as_deref() {
                    Some([]) => self.edge(from, Act::Else, to, around),
                    Some(stmts) => {
                        let first = self.node(around);
                        self.edge(from, Act::Else, first, around);
                        self.sequence(stmts, first, to, around, true);
                    }
                    None => {}
                }
            }
            Stmt::Repeat(place, times, body) => {
                let node = &self.nodes[from];
                let is_head = alone && node.keeps == around.atomic && node.scopes == around.scopes;
                let head = if is_head { from } else { self.node(around) };
                if !is_head {
                    self.also.push((from, head));
                }
                let compare = |op| {
                    let (left, right) = (Expr::Read(place.clone()), Expr::Const(*times));
                    Act::Stmt(Stmt::Guard(Expr::Binary(op, Box::new(left), Box::new(right))))
                };
                let sum =
                    Expr::Binary(Op::Add, Box::new(Expr::Read(place.clone())), Box::new(Expr::Const(1)));
                let mut stmts = vec![Stmt::Assign(place.clone(), Value::Number(sum))];
                stmts.extend(body.iter().cloned());
                let first = self.node(around);
                self.edge(head, compare(Op::Less), first, around);
                self.sequence(&stmts, first, head, around, true);
                self.edge(head, compare(Op::AtLeast), to, around);
            }
            Stmt::Atomic(stmts) => {
                let inside = Around { atomic: true, ..around.clone() };
                self.sequence(stmts, from, to, &inside, alone);
            }
            Stmt::Scope(scope, stmts) => {
                let mut inside = around.clone();
                inside.scopes.push(*scope);
                self.sequence(stmts, from, to, &inside, alone);
            }
            simple => self.edge(from, Act::Stmt(simple.clone()), to, around),
        }
    }
}

/// Whether jumps lead to labels, each behind a statement at the end of its list; and labels are in front of
/// simple statements, which are not the first of an inner list.
pub(super) fn is_well_formed(body: &Body) -> bool {
    let (mut labels, mut jumps) = (Vec::new(), Vec::new());
    let is_good = lists_are_good(&body.stmts, true, &mut labels, &mut jumps);
    is_good && jumps.iter().all(|jump| labels.contains(jump))
}

/// Whether a statement has no statements inside.
pub(super) fn is_simple(stmt: &Stmt) -> bool {
    let is_compound = matches!(stmt, Stmt::If(..) | Stmt::Repeat(..) | Stmt::Atomic(_) | Stmt::Scope(..));
    !is_compound && !matches!(stmt, Stmt::Label(..) | Stmt::Goto(_))
}

fn lists_are_good(stmts: &[Stmt], outer: bool, labels: &mut Vec<usize>, jumps: &mut Vec<usize>) -> bool {
    stmts.iter().enumerate().all(|(idx, stmt)| {
        let mut inner = |stmts: &[Stmt]| lists_are_good(stmts, false, labels, jumps);
        match stmt {
            Stmt::If(options, otherwise) => options.iter().chain(otherwise).all(|option| inner(option)),
            Stmt::Repeat(_, _, body) | Stmt::Atomic(body) | Stmt::Scope(_, body) => inner(body),
            &Stmt::Label(label, _) => {
                labels.push(label);
                (outer || idx > 0) && stmts.get(idx + 1).is_some_and(is_simple)
            }
            &Stmt::Goto(label) => {
                jumps.push(label);
                idx > 0 && idx + 1 == stmts.len() && !matches!(stmts[idx - 1], Stmt::Label(..))
            }
            _ => true,
        }
    })
}
