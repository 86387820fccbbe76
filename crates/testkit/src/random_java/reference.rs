//! Every way a litmus program can end, by brute force: all interleavings of its steps, each state once.
//!
//! A step is one thing that other threads can notice: one read or write of a shared int, one call of an
//! `AtomicInteger`, entering or leaving a monitor or lock, giving it up in `wait()` and having it back, a
//! notification (to any waiter, each choice its own step), a line of output, the death of a thread. What a
//! thread computes between two of those happens together with the first of them. Memory is sequentially
//! consistent, nobody wakes up without reason, and a thread that waits for a lock does not queue: who gets it
//! next is open.
//!
//! An exception releases, step by step, what its thread holds on the way out; after that the thread dies in a
//! step of its own, and that step decides which failure of a run was first. This is not how a fast explorer
//! would do it, and it shares no code with one.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use super::ast::{AtomicCall, Program, Value};
use super::code::{Code, Op, Scope, compile};
use super::{Failure, Outcome, kind_of};

/// What the exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The ways to end.
    pub outcomes: BTreeSet<Outcome>,
    /// The number of states.
    pub n_states: usize,
}

/// Explores the program; `None` if it has more than `max_states` states.
pub fn explore(program: &Program, max_states: usize) -> Option<Explored> {
    let machine = Machine { program, codes: compile(program) };
    let first = machine.start();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut outcomes = BTreeSet::new();
    while let Some(state) = open.pop() {
        let mut next: Vec<State> = match state.atomic {
            Some(idx) => machine.steps(&state, idx),
            None => Vec::new(),
        };
        if state.over {
            next.clear();
        } else if next.is_empty() {
            // Who is in an atomic section waits for the others.
            next = (0..machine.codes.len()).flat_map(|idx| machine.steps(&state, idx)).collect();
        }
        if next.is_empty() && (state.over || !machine.is_rejected(&state)) {
            let is_open = |thread: &ThreadState| !matches!(thread.status, Status::Done | Status::NotStarted);
            let stuck = !state.over && state.threads.iter().any(is_open);
            outcomes.insert(Outcome { kind: kind_of(state.failure, stuck), output: state.output });
        }
        for state in next {
            if !seen.contains(&state) {
                if seen.len() >= max_states {
                    return None;
                }
                seen.insert(state.clone());
                open.push(state);
            }
        }
    }
    Some(Explored { outcomes, n_states: seen.len() })
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Status {
    NotStarted,
    Running,
    /// In the wait set of a monitor that it held so many times.
    Waiting {
        monitor: usize,
        count: u32,
    },
    /// Notified, but without the monitor.
    Notified {
        monitor: usize,
        count: u32,
        interrupted: bool,
    },
    /// An exception is on its way out of this scope.
    Unwinding {
        assertion: bool,
        scope: Option<usize>,
    },
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadState {
    status: Status,
    pc: usize,
    registers: Vec<i32>,
    died: bool,
    interrupted: bool,
}

/// How far the initialisation of a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Init {
    No,
    By(usize),
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// The places, then the atomics.
    shared: Vec<i32>,
    /// Who holds each monitor and lock, how many times.
    held: Vec<Option<(usize, u32)>>,
    threads: Vec<ThreadState>,
    /// The references: 0 is `null`, else the number of a node from 1.
    references: Vec<i32>,
    nodes: Vec<[i32; 2]>,
    lazies: Vec<(Init, i32)>,
    /// Who is in an atomic section.
    atomic: Option<usize>,
    /// The process ended.
    over: bool,
    failure: Option<Failure>,
    output: String,
}

/// What an operation does to the thread that executes it.
enum Effect {
    /// The thread goes on with the next operation.
    GoesOn,
    /// The operation has set where, or whether, the thread goes on.
    IsPlaced,
    /// The thread cannot execute the operation now.
    Waits,
}

struct Machine<'a> {
    program: &'a Program,
    codes: Vec<Code>,
}

impl Machine<'_> {
    fn start(&self) -> State {
        let program = self.program;
        let main = self.codes.len() - 1;
        let waits = |idx| program.names_threads() && idx != main;
        let threads = self.codes.iter().enumerate().map(|(idx, code)| ThreadState {
            status: if waits(idx) { Status::NotStarted } else { Status::Running },
            pc: 0,
            registers: vec![0; code.n_registers],
            died: false,
            interrupted: false,
        });
        let mut state = State {
            shared: vec![0; program.places.len() + program.n_atomics],
            held: vec![None; program.monitors.len() + program.locks.len()],
            threads: threads.collect(),
            references: vec![0; program.n_references],
            nodes: Vec::new(),
            lazies: vec![(Init::No, 0); program.lazies.len()],
            atomic: None,
            over: false,
            failure: None,
            output: String::new(),
        };
        for idx in 0..self.codes.len() {
            self.settle(&mut state.threads[idx], idx);
        }
        state
    }

    /// Whether some thread is about to take back the whole run.
    fn is_rejected(&self, state: &State) -> bool {
        state.threads.iter().zip(&self.codes).any(|(thread, code)| {
            thread.status == Status::Running && matches!(code.ops.get(thread.pc), Some(Op::Reject))
        })
    }

    /// The states after one step of a thread.
    fn steps(&self, state: &State, idx: usize) -> Vec<State> {
        let mut next = state.clone();
        let thread = &mut next.threads[idx];
        match thread.status {
            Status::Waiting { monitor, count } if thread.interrupted => {
                thread.status = Status::Notified { monitor, count, interrupted: true };
            }
            Status::NotStarted | Status::Done | Status::Waiting { .. } => return Vec::new(),
            Status::Notified { monitor, count, interrupted } => {
                if next.held[monitor].is_some() {
                    return Vec::new();
                }
                next.held[monitor] = Some((idx, count));
                thread.status = Status::Running;
                if interrupted {
                    thread.interrupted = false;
                    self.raise(thread, idx, false);
                } else {
                    thread.pc += 1;
                }
            }
            Status::Unwinding { assertion, scope } => {
                match scope.map(|scope| self.codes[idx].scopes[scope]) {
                    Some(Scope::Held { lock, outer }) => {
                        thread.status = Status::Unwinding { assertion, scope: outer };
                        release(&mut next.held[lock]);
                    }
                    Some(Scope::Catch { .. }) => unreachable!("a settled thread is not in front of a catch"),
                    None => {
                        thread.died = true;
                        if self.program.names_threads() {
                            // The end of the thread is another step.
                            thread.status = Status::Running;
                            thread.pc = self.codes[idx].ops.len() - 1;
                        } else {
                            thread.status = Status::Done;
                        }
                        let failure = if assertion { Failure::Assertion } else { Failure::Exception };
                        next.failure.get_or_insert(failure);
                    }
                }
            }
            Status::Running => return self.operate(next, idx),
        }
        self.settle(&mut next.threads[idx], idx);
        vec![next]
    }

    /// The states after the visible operation that a running thread stands at.
    fn operate(&self, mut next: State, idx: usize) -> Vec<State> {
        let op = self.codes[idx].ops[next.threads[idx].pc];
        let n_places = self.program.places.len();
        let thread = &mut next.threads[idx];
        let effect = match op {
            Op::Read { place, to } => {
                thread.registers[to] = next.shared[place];
                Effect::GoesOn
            }
            Op::Write { place, value } => {
                next.shared[place] = evaluate(value, thread);
                Effect::GoesOn
            }
            Op::Atomic { atomic, call } => {
                call_atomic(&mut next.shared[n_places + atomic], call, thread);
                Effect::GoesOn
            }
            Op::Notify { monitor, all } if is_held_by(next.held[monitor], idx) => {
                thread.pc += 1;
                self.settle(thread, idx);
                return notify(next, monitor, all);
            }
            Op::Enter(_) | Op::TryEnter { .. } | Op::Exit(_) | Op::Wait(_) | Op::Notify { .. } => {
                self.operate_on_lock(&mut next, idx, op)
            }
            Op::Start(_)
            | Op::Join { .. }
            | Op::Alive { .. }
            | Op::Interrupt(_)
            | Op::Interrupted { .. }
            | Op::End => self.operate_on_thread(&mut next, idx, op),
            Op::Choose { to, n } => {
                return (0..n).map(|chosen| self.choose(&next, idx, to, chosen)).collect();
            }
            Op::Print(_) | Op::LastLine | Op::ExitAll | Op::Reject | Op::BeginAtomic | Op::EndAtomic => {
                self.operate_on_run(&mut next, idx, op)
            }
            other => operate_on_object(&mut next, idx, other),
        };
        let thread = &mut next.threads[idx];
        match effect {
            Effect::GoesOn => thread.pc += 1,
            Effect::IsPlaced => {}
            Effect::Waits => return Vec::new(),
        }
        self.settle(thread, idx);
        vec![next]
    }

    /// Operations on monitors and locks.
    fn operate_on_lock(&self, next: &mut State, idx: usize, op: Op) -> Effect {
        let State { held, threads, .. } = next;
        let thread = &mut threads[idx];
        match op {
            Op::Enter(lock) if acquire(&mut held[lock], idx) => Effect::GoesOn,
            Op::Enter(_) => Effect::Waits,
            Op::TryEnter { lock, .. } if acquire(&mut held[lock], idx) => Effect::GoesOn,
            Op::TryEnter { otherwise, .. } => {
                thread.pc = otherwise;
                Effect::IsPlaced
            }
            Op::Exit(lock) => {
                release(&mut held[lock]);
                Effect::GoesOn
            }
            Op::Wait(monitor) => {
                match held[monitor] {
                    Some((owner, count)) if owner == idx && !thread.interrupted => {
                        held[monitor] = None;
                        thread.status = Status::Waiting { monitor, count };
                    }
                    Some((owner, _)) if owner == idx => {
                        thread.interrupted = false;
                        self.raise(thread, idx, false);
                    }
                    _ => self.raise(thread, idx, false),
                }
                Effect::IsPlaced
            }
            Op::Notify { .. } => {
                self.raise(thread, idx, false);
                Effect::IsPlaced
            }
            other => unreachable!("{other:?} is not on a lock"),
        }
    }

    /// Operations on threads.
    fn operate_on_thread(&self, next: &mut State, idx: usize, op: Op) -> Effect {
        let threads = &mut next.threads;
        let is_alive = |thread: &ThreadState| !matches!(thread.status, Status::Done | Status::NotStarted);
        match op {
            Op::Start(other) => {
                threads[other].status = Status::Running;
                self.settle(&mut threads[other], other);
            }
            Op::Alive { thread: other, to } => {
                threads[idx].registers[to] = i32::from(is_alive(&threads[other]));
            }
            Op::Interrupt(other) => threads[other].interrupted = true,
            Op::Interrupted { to, clears } => {
                let thread = &mut threads[idx];
                thread.registers[to] = i32::from(thread.interrupted);
                thread.interrupted &= !clears;
            }
            Op::Join { thread: other, caught } => {
                let is_over = !is_alive(&threads[other]);
                let thread = &mut threads[idx];
                if !is_over {
                    if !thread.interrupted {
                        return Effect::Waits;
                    }
                    thread.interrupted = false;
                }
                match caught {
                    Some(to) => thread.registers[to] = i32::from(!is_over),
                    None if is_over => {}
                    None => {
                        self.raise(thread, idx, false);
                        return Effect::IsPlaced;
                    }
                }
            }
            Op::End => {
                threads[idx].status = Status::Done;
                let daemons = &self.program.daemons;
                next.over = next
                    .threads
                    .iter()
                    .enumerate()
                    .all(|(idx, thread)| daemons.contains(&idx) || !is_alive(thread));
                return Effect::IsPlaced;
            }
            other => unreachable!("{other:?} is not on a thread"),
        }
        Effect::GoesOn
    }

    /// Operations on the run as a whole: its output, its end and who else may take part.
    fn operate_on_run(&self, next: &mut State, idx: usize, op: Op) -> Effect {
        match op {
            Op::Print(local) => {
                let name = if idx == self.program.threads.len() { "main".into() } else { format!("t{idx}") };
                let value = next.threads[idx].registers[local];
                writeln!(next.output, "{name} {value}").expect("a string takes all text");
            }
            Op::LastLine => {
                let line = self.last_line(next);
                next.output.push_str(&line);
            }
            Op::ExitAll => next.over = true,
            Op::Reject => return Effect::Waits,
            Op::BeginAtomic => next.atomic = Some(idx),
            Op::EndAtomic => next.atomic = None,
            other => unreachable!("{other:?} is not on the run"),
        }
        Effect::GoesOn
    }

    /// The state after a thread has chosen this number.
    fn choose(&self, state: &State, idx: usize, to: usize, chosen: i32) -> State {
        let mut next = state.clone();
        let thread = &mut next.threads[idx];
        thread.registers[to] = chosen;
        thread.pc += 1;
        self.settle(thread, idx);
        next
    }

    /// Goes on to the next visible operation, the next release on the way out of an exception, or the end.
    fn settle(&self, thread: &mut ThreadState, idx: usize) {
        let code = &self.codes[idx];
        loop {
            match thread.status {
                Status::Unwinding { assertion, scope } => {
                    let Some(Scope::Catch { all, handler, outer }) = scope.map(|scope| code.scopes[scope])
                    else {
                        return;
                    };
                    if all || !assertion {
                        thread.status = Status::Running;
                        thread.pc = handler;
                    } else {
                        thread.status = Status::Unwinding { assertion, scope: outer };
                    }
                }
                Status::Running if thread.pc == code.ops.len() => {
                    thread.status = Status::Done;
                    return;
                }
                Status::Running if code.ops[thread.pc].visible() => return,
                Status::Running => self.compute(thread, idx),
                _ => return,
            }
        }
    }

    /// One local operation.
    fn compute(&self, thread: &mut ThreadState, idx: usize) {
        match self.codes[idx].ops[thread.pc] {
            Op::Set { to, value } => thread.registers[to] = evaluate(value, thread),
            Op::Divide { by, .. } if thread.registers[by] == 0 => return self.raise(thread, idx, false),
            Op::Divide { to, by } => thread.registers[to] = 6 / thread.registers[by],
            Op::Jump(target) => {
                thread.pc = target;
                return;
            }
            Op::Unless { register, cmp, value, target } => {
                if !cmp.holds(thread.registers[register], value) {
                    thread.pc = target;
                    return;
                }
            }
            Op::Throw { assertion } => return self.raise(thread, idx, assertion),
            visible => unreachable!("{visible:?} is a step"),
        }
        thread.pc += 1;
    }

    fn raise(&self, thread: &mut ThreadState, idx: usize, assertion: bool) {
        let scope = self.codes[idx].scope_of[thread.pc];
        thread.status = Status::Unwinding { assertion, scope };
        // What was in passing is of no interest any more.
        let n_locals =
            self.program.threads.get(idx).map_or(self.program.main.n_locals, |thread| thread.n_locals);
        thread.registers[n_locals] = 0;
    }

    /// What main prints at the end.
    fn last_line(&self, state: &State) -> String {
        let program = self.program;
        let mut items: Vec<(String, i32)> = Vec::new();
        for place in 0..program.places.len() {
            items.push((program.place_name(place), state.shared[place]));
        }
        for idx in 0..program.n_atomics {
            items.push((format!("atom{idx}"), state.shared[program.places.len() + idx]));
        }
        for (idx, thread) in program.threads.iter().enumerate() {
            for local in 0..thread.n_locals {
                let own = &state.threads[idx];
                let has_result = !own.died && own.status != Status::NotStarted;
                items.push((format!("t{idx}r{local}"), if has_result { own.registers[local] } else { -1 }));
            }
        }
        for local in 0..program.main.n_locals {
            items.push((format!("mr{local}"), state.threads[program.threads.len()].registers[local]));
        }
        let items: String = items.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("end{items}\n")
    }
}

/// Operations on objects behind references and on classes with initialisers.
fn operate_on_object(next: &mut State, idx: usize, op: Op) -> Effect {
    let State { threads, references, nodes, lazies, .. } = next;
    let thread = &mut threads[idx];
    match op {
        Op::New { to } => {
            nodes.push([0; 2]);
            thread.registers[to] = nodes.len() as i32;
        }
        Op::ReadReference { reference, to } => thread.registers[to] = references[reference],
        Op::WriteReference { reference, from } => references[reference] = thread.registers[from],
        Op::ReadNode { node, field, to } => {
            thread.registers[to] = nodes[thread.registers[node] as usize - 1][field];
        }
        Op::WriteNode { node, field, value } => {
            nodes[thread.registers[node] as usize - 1][field] = evaluate(value, thread);
        }
        Op::BeginInit { class, done } => match lazies[class].0 {
            Init::No => lazies[class].0 = Init::By(idx),
            Init::By(_) => return Effect::Waits,
            Init::Done => {
                thread.pc = done;
                return Effect::IsPlaced;
            }
        },
        Op::EndInit(class) => lazies[class].0 = Init::Done,
        Op::ReadLazy { class, to } => thread.registers[to] = lazies[class].1,
        Op::WriteLazy { class, value } => lazies[class].1 = evaluate(value, thread),
        local => unreachable!("{local:?} is no step"),
    }
    Effect::GoesOn
}

fn is_held_by(lock: Option<(usize, u32)>, idx: usize) -> bool {
    lock.is_some_and(|(owner, _)| owner == idx)
}

/// One state for each choice of who is told.
fn notify(mut next: State, monitor: usize, all: bool) -> Vec<State> {
    let waiters: Vec<(usize, u32)> = (0..next.threads.len())
        .filter_map(|idx| match next.threads[idx].status {
            Status::Waiting { monitor: own, count } if own == monitor => Some((idx, count)),
            _ => None,
        })
        .collect();
    if waiters.is_empty() || all {
        for (idx, count) in waiters {
            next.threads[idx].status = Status::Notified { monitor, count, interrupted: false };
        }
        return vec![next];
    }
    let told = waiters.iter().map(|&(idx, count)| {
        let mut choice = next.clone();
        choice.threads[idx].status = Status::Notified { monitor, count, interrupted: false };
        choice
    });
    told.collect()
}

fn acquire(lock: &mut Option<(usize, u32)>, idx: usize) -> bool {
    match lock {
        None => *lock = Some((idx, 1)),
        Some((owner, count)) if *owner == idx => *count += 1,
        Some(_) => return false,
    }
    true
}

fn release(lock: &mut Option<(usize, u32)>) {
    *lock = match *lock {
        Some((owner, count)) if count > 1 => Some((owner, count - 1)),
        _ => None,
    };
}

fn evaluate(value: Value, thread: &ThreadState) -> i32 {
    value.local.map_or(0, |local| thread.registers[local]).wrapping_add(value.plus)
}

fn call_atomic(atomic: &mut i32, call: AtomicCall, thread: &mut ThreadState) {
    match call {
        AtomicCall::Get { to } => thread.registers[to] = *atomic,
        AtomicCall::Set(value) => *atomic = evaluate(value, thread),
        AtomicCall::GetAndIncrement { to } => {
            thread.registers[to] = *atomic;
            *atomic = atomic.wrapping_add(1);
        }
        AtomicCall::AddAndGet { to, delta } => {
            *atomic = atomic.wrapping_add(delta);
            thread.registers[to] = *atomic;
        }
        AtomicCall::Add(delta) => *atomic = atomic.wrapping_add(delta),
        AtomicCall::GetAndSet { to, value } => {
            let old = *atomic;
            *atomic = evaluate(value, thread);
            thread.registers[to] = old;
        }
        AtomicCall::CompareAndSet { to, expect, value } => {
            let equal = *atomic == evaluate(expect, thread);
            if equal {
                *atomic = evaluate(value, thread);
            }
            thread.registers[to] = i32::from(equal);
        }
    }
}
