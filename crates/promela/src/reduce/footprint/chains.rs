//! What a step touches in a model with functions: calls and returns are joined to the statement that follows.
//!
//! For each body and control state there are two footprints of *the rest of a step* that has arrived there:
//! one for a frame that was called outside atomic sequences, and one for a frame that was called inside one
//! and so keeps control until it returns. A rest continues through atomic transitions, through calls into the
//! function (whichever it may be) and back if that may return within the step, and through jumps, which do
//! not count as statements after a call. A return leaves the body. What the frame below does then is not
//! known here, so the rest only records that it *returns*.
//!
//! In a state, the stack of a process is known. Its step begins in the top frame. As long as the footprint so
//! far returns, what the frame below does after its call is added, beginning with the write of the result.
//! The *ever* of a process is the union over all its frames, since it may return into each of them.

use super::super::access::{self, bodies};
use super::{Analysis, Direct, Footprint};
use crate::ir::{Action, Call, Returned, Transition};

/// What is known of control states in models with dynamic features.
#[derive(Debug)]
pub(in crate::reduce) struct InCalls {
    /// By body and control state.
    pub(in crate::reduce) states: Vec<Vec<InCall>>,
}

/// What is known of one control state.
#[derive(Debug)]
pub(in crate::reduce) struct InCall {
    /// The accesses of the first statement of a step which can be looked up.
    pub(in crate::reduce) direct: Vec<Direct>,
    /// The next step of a frame that was called inside an atomic sequence.
    pub(in crate::reduce) now_in_atomic: Footprint,
    /// What the step does after the call at this control state has returned, for both kinds of frames.
    pub(in crate::reduce) after: [Footprint; 2],
}

/// Index of what holds for a frame that was called outside atomic sequences.
const FREE: usize = 0;
/// Index of what holds for a frame that was called inside one.
const IN_ATOMIC: usize = 1;

/// The rest of a step for both kinds of frames, by body and control state.
type Rests = [Vec<Vec<Footprint>>; 2];

impl<'a> Analysis<'a> {
    /// What the step that begins in each control state of each body may touch.
    pub(super) fn next_steps_of_all(&mut self) -> (Vec<Vec<Footprint>>, InCalls) {
        let lowered = self.lowered;
        let rests = self.rests();
        let mut now = Vec::new();
        let mut states = Vec::new();
        for (code, body) in bodies(lowered).enumerate() {
            let mut now_here = Vec::new();
            let mut states_here = Vec::new();
            for pc in 0..body.transitions.len() {
                let (first, direct) = self.first_of_state(code, pc);
                let mut both = [first.clone(), first];
                let empty = || Footprint::new(self.n_words);
                let mut after = [empty(), empty()];
                for kind in [FREE, IN_ATOMIC] {
                    for transition in &body.transitions[pc] {
                        self.follow(&rests, kind, code, transition, false, &mut both[kind]);
                        self.come_back(&rests, kind, code, transition, &mut after[kind]);
                    }
                }
                let [free, now_in_atomic] = both;
                now_here.push(free);
                states_here.push(InCall { direct, now_in_atomic, after });
            }
            now.push(now_here);
            states.push(states_here);
        }
        (now, InCalls { states })
    }

    /// The rest of a step from each control state, by iteration to a fixed point.
    fn rests(&mut self) -> Rests {
        let lowered = self.lowered;
        let own: Vec<Vec<Footprint>> = bodies(lowered)
            .enumerate()
            .map(|(code, body)| {
                (0..body.transitions.len()).map(|pc| self.of_state(code, pc, false, true)).collect()
            })
            .collect();
        let mut rests = [own.clone(), own];
        loop {
            let mut changed = false;
            for (code, body) in bodies(lowered).enumerate() {
                for pc in (0..body.transitions.len()).rev() {
                    for kind in [FREE, IN_ATOMIC] {
                        let mut more = Footprint::new(self.n_words);
                        for transition in &body.transitions[pc] {
                            self.follow(&rests, kind, code, transition, true, &mut more);
                        }
                        changed |= rests[kind][code][pc].extend(&more);
                    }
                }
            }
            if !changed {
                return rests;
            }
        }
    }

    /// Adds what a step continues with after a transition. After a call, the step also continues through
    /// jumps.
    fn follow(
        &self,
        rests: &Rests,
        kind: usize,
        code: usize,
        transition: &Transition,
        jumps: bool,
        to: &mut Footprint,
    ) {
        let body = self.lowered.body(code);
        let statement = &body.statements[transition.statement as usize];
        let start = |function: usize| {
            let code = self.lowered.proctypes.len() + function;
            (code, usize::from(self.lowered.body(code).start.0))
        };
        match &statement.action {
            Action::Call(call) => {
                let inner = if call.in_atomic { IN_ATOMIC } else { kind };
                for function in self.called(code, transition) {
                    let (callee, pc) = start(function);
                    let rest = &rests[inner][callee][pc];
                    let returned = to.returns;
                    to.extend(rest);
                    to.returns = returned;
                    if rest.returns {
                        self.come_back(rests, kind, code, transition, to);
                    }
                }
            }
            Action::Return(returned) => match &**returned {
                Returned::Call(_) => {
                    for function in self.called(code, transition) {
                        let (callee, pc) = start(function);
                        to.extend(&rests[kind][callee][pc]);
                    }
                }
                Returned::End | Returned::Nothing | Returned::Value(_) => to.returns = true,
            },
            action => {
                let is_jump = *action == Action::Skip;
                if let Some(target) = transition.target
                    && (transition.atomic || kind == IN_ATOMIC || jumps && is_jump)
                {
                    to.extend(&rests[kind][code][usize::from(target.0)]);
                }
            }
        }
    }

    /// Adds what happens when a function has returned to a call.
    fn come_back(
        &self,
        rests: &Rests,
        kind: usize,
        code: usize,
        transition: &Transition,
        to: &mut Footprint,
    ) {
        let statement = &self.lowered.body(code).statements[transition.statement as usize];
        let Action::Call(call) = &statement.action else { return };
        self.add_result(code, call, to);
        // Scopes that end with the call's statement end when the function has returned.
        if let Some(points) = self.points {
            let ended = access::ended(self.lowered.body(code), transition);
            ended.into_iter().for_each(|object| self.add_site(to, points.scope_site(object)));
        }
        for pc in transition.target.into_iter().chain([statement.state]) {
            self.resources.watched(code, pc, |bit| to.set.add(bit, true));
        }
        if let Some(target) = transition.target {
            to.extend(&rests[kind][code][usize::from(target.0)]);
        }
    }

    /// Adds the writes of a call's result.
    fn add_result(&self, code: usize, call: &Call, to: &mut Footprint) {
        let mut accesses = Vec::new();
        access::call_exit(call, &mut |access| accesses.push(access));
        for access in accesses {
            self.add_write(code, to, &access);
        }
    }

    /// Adds what the calls of a control state may touch ever after, and what they write when they return.
    pub(super) fn add_futures_of_calls(
        &self,
        code: usize,
        pc: usize,
        ever: &[Vec<Footprint>],
        to: &mut Footprint,
    ) {
        let body = self.lowered.body(code);
        for transition in &body.transitions[pc] {
            for function in self.called(code, transition) {
                let callee = self.lowered.proctypes.len() + function;
                let start = usize::from(self.lowered.body(callee).start.0);
                to.extend(&ever[callee][start]);
            }
            let statement = &body.statements[transition.statement as usize];
            if let Action::Call(call) = &statement.action {
                self.add_result(code, call, to);
                self.resources.watched(code, statement.state, |bit| to.set.add(bit, true));
            }
        }
    }

    /// The references in records that are read from outside their process.
    pub(super) fn remote_references(&self) -> Vec<(usize, u32)> {
        let mut list = Vec::new();
        for (ty, proctype) in self.lowered.proctypes.iter().enumerate() {
            let remote = proctype.references.iter().filter(|&&at| self.shared.is_remote(ty, at, at + 4));
            list.extend(remote.map(|&at| (ty, at)));
        }
        list
    }
}
