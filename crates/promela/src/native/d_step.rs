//! Code for `d_step`s: a graph of statements that runs in one vector, without intermediate states.

use super::context::at;
use super::generator::{Generator, View};
use super::transition::CodeMode;
use crate::ir::{Action, DNode, DStep};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, types};
use cranelift_frontend::Variable;

/// The blocks of a `d_step` after its first statement.
struct DStepBlocks<'a> {
    d_step: &'a DStep,
    /// One for each node that is reached.
    blocks: Vec<Option<Block>>,
    /// Nodes that have a block and no code yet.
    pending: Vec<u32>,
    /// Nodes at which a loop closes.
    loops: Vec<bool>,
    exit: Block,
    rounds: Variable,
}

/// The targets of back edges.
fn loop_heads(d_step: &DStep) -> Vec<bool> {
    let n_nodes = d_step.nodes.len();
    let mut heads = vec![false; n_nodes];
    // 1: on the path, 2: done.
    let mut mark = vec![0u8; n_nodes];
    let mut stack = vec![(d_step.entry, 0usize)];
    mark[d_step.entry as usize] = 1;
    while let Some((node, position)) = stack.pop() {
        let next: Vec<u32> = match &d_step.nodes[node as usize] {
            DNode::Do { next, .. } | DNode::Jump(next) => next.iter().copied().collect(),
            DNode::Select { options, .. } => options.clone(),
        };
        let Some(&target) = next.get(position) else {
            mark[node as usize] = 2;
            continue;
        };
        stack.push((node, position + 1));
        match mark[target as usize] {
            0 => {
                mark[target as usize] = 1;
                stack.push((target, 0));
            }
            1 => heads[target as usize] = true,
            _ => {}
        }
    }
    heads
}

impl<'a> Generator<'a, '_> {
    /// Continues if the `d_step` may begin: a quick check before anything is copied.
    pub(crate) fn d_step_guard(&mut self, from: View, d_step: &'a DStep, mode: CodeMode, blocked: Block) {
        if mode == CodeMode::Take {
            return;
        }
        let mut firsts = Vec::new();
        if !collect_firsts(d_step, d_step.entry, &mut firsts, 0) {
            return;
        }
        let begin = self.block();
        for statement in firsts {
            let statement = self.statement(statement);
            let Action::Guard(e) = &statement.action else { return self.abandon(begin) };
            if statement.has_run {
                return self.abandon(begin);
            }
            let next = self.block();
            self.test(from, e, begin, next);
            self.enter(next);
        }
        self.jump(blocked);
        self.enter(begin);
    }

    fn abandon(&mut self, begin: Block) {
        self.jump(begin);
        self.enter(begin);
    }

    /// Runs a `d_step` in place. Jumps to `blocked`, with nothing changed, if it cannot begin.
    pub(crate) fn d_step(&mut self, to: View, d_step: &'a DStep, mode: CodeMode, blocked: Block) {
        let exit = self.block();
        let rounds = self.build.declare_var(types::I64);
        let loops = loop_heads(d_step);
        let has_loops = loops.contains(&true);
        if has_loops {
            let left = self.context_load(types::I64, at::ROUNDS_LEFT);
            self.build.def_var(rounds, left);
        }
        let mut graph = DStepBlocks {
            d_step,
            blocks: vec![None; d_step.nodes.len()],
            pending: Vec::new(),
            loops,
            exit,
            rounds,
        };
        self.begin(to, &mut graph, d_step.entry, mode, blocked);
        let interpret = self.interpret;
        while let Some(node) = graph.pending.pop() {
            let block = graph.blocks[node as usize].expect("a pending node has a block");
            self.enter(block);
            if graph.loops[node as usize] {
                let left = self.build.use_var(graph.rounds);
                let fewer = self.add_const(left, -1);
                self.build.def_var(graph.rounds, fewer);
                let more = self.compare_const(IntCC::NotEqual, fewer, 0);
                self.require(more, interpret);
            }
            match &d_step.nodes[node as usize] {
                DNode::Jump(next) => self.go_to(&mut graph, *next),
                DNode::Do { statement, next } => {
                    self.inner(to, *statement, interpret);
                    self.go_to(&mut graph, *next);
                }
                // Blocked after the first statement: an error, which the interpreter reports.
                DNode::Select { options, .. } => {
                    self.select(to, &mut graph, options, CodeMode::Step, interpret)
                }
            }
        }
        self.enter(exit);
        if has_loops {
            let left = self.build.use_var(rounds);
            self.context_store(left, at::ROUNDS_LEFT);
        }
        for place in &self.program.scratch {
            self.fill_zero(to.vector, place.offset as i32, place.scalar.size());
        }
    }

    /// Executes the first statement.
    fn begin(&mut self, to: View, graph: &mut DStepBlocks<'a>, node: u32, mode: CodeMode, blocked: Block) {
        match &graph.d_step.nodes[node as usize] {
            DNode::Jump(None) => self.go_to(graph, None),
            DNode::Jump(Some(next)) => self.begin(to, graph, *next, mode, blocked),
            DNode::Do { statement, next } => {
                let text = self.statement(*statement);
                if mode == CodeMode::Take {
                    self.take_in_place(to, text, blocked);
                    return self.go_to(graph, *next);
                }
                if matches!(text.action, Action::Else) {
                    let moved = self.build.use_var(self.moved);
                    let first = self.compare_const(IntCC::Equal, moved, 0);
                    self.require(first, blocked);
                }
                self.inner(to, *statement, blocked);
                self.go_to(graph, *next);
            }
            DNode::Select { options, .. } => {
                self.select(to, graph, options, mode, blocked);
            }
        }
    }

    /// Selects the first option whose first statement is executable.
    fn select(
        &mut self,
        to: View,
        graph: &mut DStepBlocks<'a>,
        options: &[u32],
        mode: CodeMode,
        blocked: Block,
    ) {
        for &option in options {
            let other = self.block();
            let mut node = Some(option);
            loop {
                let Some(at) = node else {
                    self.go_to(graph, None);
                    break;
                };
                match &graph.d_step.nodes[at as usize] {
                    DNode::Jump(next) => node = *next,
                    DNode::Do { statement, next } => {
                        let text = self.statement(*statement);
                        match mode {
                            CodeMode::Take => self.take_in_place(to, text, other),
                            CodeMode::Step if matches!(text.action, Action::Else) => {}
                            CodeMode::Step => self.inner(to, *statement, other),
                        }
                        self.go_to(graph, *next);
                        break;
                    }
                    DNode::Select { options, .. } => {
                        self.select(to, graph, options, mode, other);
                        break;
                    }
                }
            }
            self.enter(other);
        }
        self.jump(blocked);
    }

    /// Executes one statement; the layout does not change, because starting a process is left to the
    /// interpreter.
    fn inner(&mut self, to: View, statement: u32, blocked: Block) {
        let statement = self.statement(statement);
        match &statement.action {
            Action::New(_) | Action::Delete(_) => {
                self.in_place(to, statement, blocked);
            }
            _ if super::transition::is_exotic(statement) => {
                self.give_up();
                let unreachable = self.block();
                self.enter(unreachable);
            }
            Action::End | Action::DStep(_) | Action::Event(_) | Action::Call(_) | Action::Return(_) => {
                self.give_up();
                let unreachable = self.block();
                self.enter(unreachable);
            }
            _ => {
                self.in_place(to, statement, blocked);
            }
        }
    }

    fn go_to(&mut self, graph: &mut DStepBlocks<'a>, node: Option<u32>) {
        let block = match node {
            None => graph.exit,
            Some(node) => match graph.blocks[node as usize] {
                Some(block) => block,
                None => {
                    let block = self.block();
                    graph.blocks[node as usize] = Some(block);
                    graph.pending.push(node);
                    block
                }
            },
        };
        self.jump(block);
    }
}

/// The statements with which a `d_step` may begin; false if there may be others.
fn collect_firsts(d_step: &DStep, node: u32, firsts: &mut Vec<u32>, depth: u32) -> bool {
    if depth > 8 {
        return false;
    }
    match &d_step.nodes[node as usize] {
        DNode::Do { statement, .. } => {
            firsts.push(*statement);
            true
        }
        DNode::Select { options, .. } => {
            options.iter().all(|&option| collect_firsts(d_step, option, firsts, depth + 1))
        }
        DNode::Jump(Some(next)) => collect_firsts(d_step, *next, firsts, depth + 1),
        DNode::Jump(None) => false,
    }
}
