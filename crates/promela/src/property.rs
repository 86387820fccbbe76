//! Properties of infinite runs: the claim of a model that is checked, as an automaton over propositions.
//!
//! A never claim is read as SPIN runs it. Its control states are the automaton's states. A condition is a
//! move. An assertion is one too, and a violation if it fails. An atomic sequence is one move, so all its
//! conditions are read in one state of the program. Reaching the end of a claim, or a label that begins with
//! `end`, is a violation. A claim only observes: a statement that would change the program's state is
//! rejected by name.

use crate::flow::Table;
use crate::ir::{Action, Expr, Transition};
use crate::lower::{ClaimBody, Proposition};
use crate::machine::rules;
use crate::program::Program;
use crate::syntax::ast::Span;
use crate::syntax::source::Diagnostic;
use allways_ltl::Formula;
use allways_model::{Claim, ClaimMove, ClaimState, Condition, Fact, Then};
use std::sync::Arc;

/// An atomic sequence of a claim that is longer than this probably never ends.
const LONGEST_MOVE: usize = 1_000;

/// The property to check of the infinite runs of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// Searches for runs that pass labels which begin with `accept` infinitely often.
    Acceptance,
    /// Searches for runs that pass labels which begin with `progress` only finitely often.
    NonProgress,
    /// Checks the claim or formula with this index.
    Claim(usize),
}

/// How a [`Property`] is stated.
#[derive(Clone, Debug)]
pub enum Watch {
    /// An automaton that accepts wrong runs.
    Claim(Claim),
    /// A formula that right runs satisfy, with its name and location.
    Formula(Formula, Arc<str>),
}

/// A program with the property that observes it.
#[derive(Debug)]
pub struct Watched {
    /// The program, with the propositions to observe.
    pub program: Program,
    /// The automaton or formula.
    pub watch: Watch,
    /// The text of each proposition, by number.
    pub propositions: Vec<Arc<str>>,
}

impl Program {
    /// Whether any process or function has a label that begins with `accept`.
    #[must_use]
    pub fn has_accept_labels(&self) -> bool {
        let lowered = self.lowered();
        let functions = lowered.dynamic.iter().flat_map(|dynamic| &dynamic.functions);
        let bodies = lowered.proctypes.iter().chain(functions.map(|function| &function.body));
        bodies.into_iter().any(|body| body.accept.contains(&true))
    }

    /// Attaches a property, of all runs or of the weakly fair ones. To be called at most once, and before
    /// [reductions](Self::with_reductions), which must preserve what the property observes.
    ///
    /// # Errors
    /// If a claim contains a statement that is not supported in claims.
    ///
    /// # Panics
    /// If there is no such claim.
    pub fn watched(mut self, property: &Property, fair: bool) -> Result<Watched, Box<Diagnostic>> {
        let lowered = self.lowered();
        let (watch, propositions) = match property {
            Property::Acceptance => (Watch::Claim(Claim::indifferent()), Vec::new()),
            Property::NonProgress => {
                let text = "np_";
                let claim = Claim::eventually_always("non-progress", 0, text);
                (Watch::Claim(claim), vec![Proposition { expr: Expr::NonProgress, text: text.into() }])
            }
            Property::Claim(idx) => {
                let claim = &lowered.claims[*idx];
                match &claim.body {
                    ClaimBody::Never(table) => {
                        let mut reader = ClaimReader { program: &self, table, propositions: Vec::new() };
                        let claim = reader.read(claim.name.clone())?;
                        (Watch::Claim(claim), reader.propositions)
                    }
                    ClaimBody::Formula(formula, propositions) => {
                        (Watch::Formula(formula.clone(), claim.name.clone()), propositions.clone())
                    }
                }
            }
        };
        let texts = propositions.iter().map(|one| one.text.clone()).collect();
        let watches_accept = *property != Property::NonProgress && self.has_accept_labels();
        self.set_watched(propositions.into_iter().map(|one| one.expr).collect(), watches_accept, fair);
        Ok(Watched { program: self, watch, propositions: texts })
    }
}

/// Reads a claim's control flow as an automaton.
struct ClaimReader<'p> {
    program: &'p Program,
    table: &'p Table,
    propositions: Vec<Proposition>,
}

/// A move being read: the conditions so far.
struct Begun {
    condition: Condition,
    texts: Vec<Arc<str>>,
    span: Span,
    n_statements: usize,
}

impl ClaimReader<'_> {
    fn read(&mut self, name: Arc<str>) -> Result<Claim, Box<Diagnostic>> {
        let n = self.table.transitions.len();
        let mut states = Vec::with_capacity(n);
        for pc in 0..n {
            let mut moves = Vec::new();
            if usize::from(self.table.start.0) == pc && self.table.may_end[pc] {
                moves.push(self.finished(None));
            }
            for transition in &self.table.transitions[pc] {
                self.follow(pc, transition, None, &mut moves)?;
            }
            states.push(ClaimState { name: self.state_name(pc), accepting: self.table.accept[pc], moves });
        }
        let propositions = self.propositions.iter().map(|one| one.text.clone()).collect();
        Ok(Claim { name, initial: u32::from(self.table.start.0), states, propositions, rests: true })
    }

    /// The name of a state: the line of its statement.
    fn state_name(&self, pc: usize) -> Arc<str> {
        let statement = self.table.at[pc].map(|idx| &self.table.statements[idx as usize]);
        let line = statement.map(|statement| self.program.location(statement.span).line);
        line.map_or_else(|| format!("state {pc}"), |line| format!("line {line}")).into()
    }

    /// Reads the moves that begin with `transition` out of control state `pc`, or continue `begun` with it.
    fn follow(
        &mut self,
        pc: usize,
        transition: &Transition,
        begun: Option<&Begun>,
        moves: &mut Vec<ClaimMove>,
    ) -> Result<(), Box<Diagnostic>> {
        let statement = &self.table.statements[transition.statement as usize];
        let span = begun.map_or(statement.span, |begun| begun.span);
        let before = begun.map_or(Condition::True, |begun| begun.condition.clone());
        let mut texts = begun.map_or_else(Vec::new, |begun| begun.texts.clone());
        let n_statements = begun.map_or(0, |begun| begun.n_statements) + 1;
        if n_statements > LONGEST_MOVE {
            return Err(unsupported("an endless atomic sequence in a never claim", statement.span));
        }
        if transition.escape != 0 {
            return Err(unsupported("unless in a never claim", statement.span));
        }
        let condition = match &statement.action {
            Action::Skip | Action::Printf(..) | Action::Printm(..) => Condition::True,
            Action::Guard(e) => self.proposition(e, &statement.text, statement.span)?,
            Action::Else => {
                let mut others = Vec::new();
                for other in &self.table.transitions[pc] {
                    let statement = &self.table.statements[other.statement as usize];
                    match &statement.action {
                        Action::Guard(e) => {
                            others.push(self.proposition(e, &statement.text, statement.span)?)
                        }
                        Action::Else => {}
                        _ => others.push(Condition::True),
                    }
                }
                Condition::Not(Box::new(Condition::Any(others)))
            }
            Action::Assert(e, text) => {
                let holds = self.proposition(e, text, statement.span)?;
                let fails = Condition::Not(Box::new(holds));
                moves.push(ClaimMove {
                    condition: before.clone().and(fails),
                    then: Then::Violate(&rules::ASSERTION, vec![Fact::new("condition", text)]),
                    text: statement.text.clone(),
                    location: Some(self.program.location(statement.span)),
                });
                // As in a program, the run continues.
                Condition::True
            }
            // No move is possible at the end of a claim; reaching it has been reported.
            Action::End => return Ok(()),
            _ => {
                let what = format!("`{}` in a never claim", statement.text);
                return Err(unsupported(&what, statement.span));
            }
        };
        let condition = before.and(condition);
        texts.push(statement.text.clone());
        let Some(target) = transition.target else { return Ok(()) };
        let text: Arc<str> = texts.join("; ").into();
        if self.table.may_end[usize::from(target.0)] {
            moves.push(ClaimMove {
                condition: condition.clone(),
                text: text.clone(),
                ..self.finished(Some(span))
            });
        }
        if transition.atomic {
            let begun = Begun { condition, texts, span, n_statements };
            for next in &self.table.transitions[usize::from(target.0)] {
                self.follow(usize::from(target.0), next, Some(&begun), moves)?;
            }
        } else {
            let location = Some(self.program.location(span));
            moves.push(ClaimMove { condition, then: Then::Goto(u32::from(target.0)), text, location });
        }
        Ok(())
    }

    /// The claim's end.
    fn finished(&self, span: Option<Span>) -> ClaimMove {
        let location = span.map(|span| self.program.location(span));
        let then = Then::Violate(&rules::CLAIM_ENDED, Vec::new());
        ClaimMove { condition: Condition::True, then, text: "-end-".into(), location }
    }

    fn proposition(&mut self, e: &Expr, text: &Arc<str>, span: Span) -> Result<Condition, Box<Diagnostic>> {
        if let Expr::Const(value) = e {
            return Ok(if *value == 0 { Condition::Any(Vec::new()) } else { Condition::True });
        }
        let mut wrong = None;
        e.walk(&mut |e| match e {
            Expr::Pid => wrong = Some("`_pid` in a never claim"),
            Expr::Run(_) => wrong = Some("`run` in a never claim"),
            _ => {}
        });
        if let Some(what) = wrong {
            return Err(unsupported(what, span));
        }
        let known = self.propositions.iter().position(|one| one.expr == *e);
        let idx = known.unwrap_or_else(|| {
            self.propositions.push(Proposition { expr: e.clone(), text: text.clone() });
            self.propositions.len() - 1
        });
        Ok(Condition::Holds(idx as u32))
    }
}

fn unsupported(what: &str, span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(what, span))
}
