//! Reads one automaton.
//!
//! The reader is strict: it rejects a text that omits something, repeats something, or uses an unsupported
//! feature, and reports the location and the reason.

use super::Named;
use super::lexer::{HoaToken, lex};
use crate::automaton::Automaton;
use crate::bdd::{Bdd, Bdds, FALSE, TRUE};
use crate::error::Error;
use crate::formula::MAX_ATOMS;
use crate::graph::{Arc, MarkedGraph};
use crate::translate::state_based;
use allways_model::{quoted, quoted_char};
use std::collections::HashMap;

/// The most states of an automaton.
const MAX_STATES: usize = 100_000;
/// The maximal nesting of labels.
const MAX_NESTING: u32 = 200;
/// Automata up to this size are reduced after reading.
const MAX_REDUCED: usize = 60;

/// Reads an automaton in the Hanoi Omega-Automata format. Acceptance on edges and generalized acceptance
/// become acceptance on states; several initial states become one.
pub fn read_hoa(text: &str) -> Result<Named, Error> {
    let tokens = lex(text)?;
    let mut reader = HoaReader { text, tokens, place: 0, bdds: Bdds::new(), header: Header::default() };
    reader.header()?;
    let mut arcs = reader.body()?;
    let starts = std::mem::take(&mut reader.header.starts);
    let initial = match starts[..] {
        [] => return reader.finish(MarkedGraph::empty()),
        [only] => only,
        _ => {
            // One additional state, with the edges of all initial ones; no edge enters it.
            let all = starts.iter().flat_map(|&start| arcs[start].clone()).collect();
            arcs.push(all);
            arcs.len() - 1
        }
    };
    let graph = MarkedGraph { initial, arcs, n_sets: reader.header.n_sets };
    reader.finish(graph)
}

#[derive(Default)]
struct Header {
    names: Option<Vec<String>>,
    n_states: Option<usize>,
    starts: Vec<usize>,
    /// The offset of each start state, for error messages.
    start_offsets: Vec<usize>,
    has_acceptance: bool,
    /// The number of sets in the acceptance condition.
    n_sets: u32,
    /// The number of declared acceptance sets.
    n_declared: usize,
    aliases: HashMap<String, Bdd>,
    title: String,
}

struct HoaReader<'a> {
    text: &'a str,
    tokens: Vec<(HoaToken<'a>, usize)>,
    place: usize,
    bdds: Bdds,
    header: Header,
}

impl<'a> HoaReader<'a> {
    fn peek(&self) -> &HoaToken<'a> {
        &self.tokens[self.place].0
    }

    fn offset(&self) -> usize {
        self.tokens[self.place].1
    }

    /// The next token; never goes past the end.
    fn take(&mut self) -> HoaToken<'a> {
        let token = self.peek().clone();
        self.place = (self.place + 1).min(self.tokens.len() - 1);
        token
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::at(self.text, self.offset(), message))
    }

    fn expected<T>(&self, what: &str) -> Result<T, Error> {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn symbol(&mut self, symbol: char) -> Result<(), Error> {
        if *self.peek() != HoaToken::Symbol(symbol) {
            return self.expected(&quoted_char(symbol));
        }
        self.take();
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<usize, Error> {
        let HoaToken::Number(number) = *self.peek() else { return self.expected(what) };
        self.take();
        Ok(number)
    }

    fn string(&mut self, what: &str) -> Result<String, Error> {
        let HoaToken::Text(text) = self.peek().clone() else { return self.expected(what) };
        self.take();
        Ok(text)
    }

    fn header(&mut self) -> Result<(), Error> {
        if *self.peek() != HoaToken::Header("HOA") {
            return self.expected("\"HOA: v1\"");
        }
        self.take();
        if *self.peek() != HoaToken::Name("v1") {
            return self.error(format!("only version v1 is supported, found {}", self.peek().describe()));
        }
        self.take();
        loop {
            match *self.peek() {
                HoaToken::Body => break,
                HoaToken::Header(name) => {
                    let offset = self.offset();
                    self.take();
                    self.item(name, offset)?;
                }
                HoaToken::Abort => {
                    return self.error("the text ends with \"--ABORT--\": there is no automaton");
                }
                _ => return self.expected("a header item or \"--BODY--\""),
            }
        }
        if !self.header.has_acceptance {
            return self.error("the header item \"Acceptance\" is missing");
        }
        self.take();
        Ok(())
    }

    fn item(&mut self, name: &str, offset: usize) -> Result<(), Error> {
        let twice =
            || Error::at(self.text, offset, format!("the header item {} is given twice", quoted(name)));
        match name {
            "States" => {
                if self.header.n_states.is_some() {
                    return Err(twice());
                }
                let at = self.offset();
                let n_states = self.number("the number of states")?;
                if n_states > MAX_STATES {
                    return Err(Error::at(
                        self.text,
                        at,
                        format!("at most {MAX_STATES} states are supported"),
                    ));
                }
                self.header.n_states = Some(n_states);
            }
            "Start" => {
                let at = self.offset();
                let start = self.number("an initial state")?;
                if *self.peek() == HoaToken::Symbol('&') {
                    return self.error("several initial states at once (alternation) are not supported");
                }
                self.header.starts.push(start);
                self.header.start_offsets.push(at);
            }
            "AP" => {
                if self.header.names.is_some() {
                    return Err(twice());
                }
                let at = self.offset();
                let n_atoms = self.number("the number of propositions")?;
                if n_atoms > MAX_ATOMS as usize {
                    let message = format!("at most {MAX_ATOMS} propositions are supported");
                    return Err(Error::at(self.text, at, message));
                }
                let mut names: Vec<String> = Vec::new();
                for _ in 0..n_atoms {
                    let name = self.string("the name of a proposition")?;
                    if names.contains(&name) {
                        self.place -= 1;
                        return self.error(format!("the proposition {} is named twice", quoted(&name)));
                    }
                    names.push(name);
                }
                self.header.names = Some(names);
            }
            "Alias" => {
                let HoaToken::Alias(alias) = *self.peek() else {
                    return self.expected("the name of an alias");
                };
                if self.header.aliases.contains_key(alias) {
                    return self.error(format!("the alias \"@{alias}\" is defined twice"));
                }
                self.take();
                let label = self.label(0)?;
                self.header.aliases.insert(alias.into(), label);
            }
            "Acceptance" => {
                if self.header.has_acceptance {
                    return Err(twice());
                }
                self.header.has_acceptance = true;
                self.acceptance()?;
            }
            "name" => self.header.title = self.string("the name of the automaton")?,
            // Only repeats what other headers say, except for headers that tools must not ignore.
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!(
                    "the header item {} is not supported, and its case says it matters",
                    quoted(name)
                );
                return Err(Error::at(self.text, offset, message));
            }
            _ => {
                while !matches!(
                    self.peek(),
                    HoaToken::Header(_) | HoaToken::Body | HoaToken::Abort | HoaToken::End
                ) {
                    self.take();
                }
            }
        }
        Ok(())
    }

    /// Accepts only `t` with any number of sets, and `Inf(0) & Inf(1) & ...` in any order.
    fn acceptance(&mut self) -> Result<(), Error> {
        let n_sets = self.number("the number of acceptance sets")?;
        if n_sets > 64 {
            self.place -= 1;
            return self.error("at most 64 acceptance sets are supported");
        }
        (self.header.n_sets, self.header.n_declared) = (n_sets as u32, n_sets);
        let start = self.offset();
        let unsupported = |reader: &HoaReader<'_>| {
            let rest = &reader.text[start..];
            let shown = rest.lines().next().unwrap_or_default().trim();
            let shown: String = shown.chars().take(60).collect();
            let message = format!(
                "the acceptance condition {} is not supported: only Büchi and generalized Büchi \
                 (\"Inf(0) & Inf(1) & ...\") and \"t\" are",
                quoted(&shown)
            );
            Error::at(reader.text, start, message)
        };
        if *self.peek() == HoaToken::Name("t") {
            self.take();
            self.header.n_sets = 0;
        } else {
            let mut seen = vec![false; n_sets];
            loop {
                if *self.peek() != HoaToken::Name("Inf") {
                    return Err(unsupported(self));
                }
                self.take();
                self.symbol('(')?;
                if *self.peek() == HoaToken::Symbol('!') {
                    return Err(unsupported(self));
                }
                let set = self.number("an acceptance set")?;
                match seen.get_mut(set) {
                    Some(seen) => *seen = true,
                    None => {
                        self.place -= 1;
                        return self.error(format!("there is no acceptance set {set}"));
                    }
                }
                self.symbol(')')?;
                if *self.peek() != HoaToken::Symbol('&') {
                    break;
                }
                self.take();
            }
            if seen.contains(&false) {
                return Err(unsupported(self));
            }
        }
        if matches!(self.peek(), HoaToken::Symbol(_) | HoaToken::Name(_)) {
            return Err(unsupported(self));
        }
        Ok(())
    }

    /// A condition over propositions: `|` binds weakest, then `&`, then `!`.
    fn label(&mut self, nesting: u32) -> Result<Bdd, Error> {
        let mut sum = self.conjunction(nesting)?;
        while *self.peek() == HoaToken::Symbol('|') {
            self.take();
            let more = self.conjunction(nesting)?;
            sum = self.bdds.or(sum, more);
        }
        self.bdds.check()?;
        Ok(sum)
    }

    fn conjunction(&mut self, nesting: u32) -> Result<Bdd, Error> {
        let mut product = self.factor(nesting)?;
        while *self.peek() == HoaToken::Symbol('&') {
            self.take();
            let more = self.factor(nesting)?;
            product = self.bdds.and(product, more);
        }
        Ok(product)
    }

    fn factor(&mut self, nesting: u32) -> Result<Bdd, Error> {
        if nesting > MAX_NESTING {
            return self.error("the label nests too deeply");
        }
        let result = match *self.peek() {
            HoaToken::Name("t") => TRUE,
            HoaToken::Name("f") => FALSE,
            HoaToken::Number(atom) => {
                let n_atoms = self.header.names.as_ref().map_or(0, Vec::len);
                if atom >= n_atoms {
                    return self.error(format!("there is no proposition {atom}: the header names {n_atoms}"));
                }
                self.bdds.literal(atom as u32, false)
            }
            HoaToken::Alias(name) => match self.header.aliases.get(name) {
                Some(&known) => known,
                None => return self.error(format!("the alias \"@{name}\" is not defined")),
            },
            HoaToken::Symbol('!') => {
                self.take();
                let inner = self.factor(nesting + 1)?;
                return Ok(self.bdds.minus(TRUE, inner));
            }
            HoaToken::Symbol('(') => {
                self.take();
                let inner = self.label(nesting + 1)?;
                self.symbol(')')?;
                return Ok(inner);
            }
            _ => return self.expected("a label"),
        };
        self.take();
        Ok(result)
    }

    /// `[label]`, if there is one.
    fn bracketed(&mut self) -> Result<Option<Bdd>, Error> {
        if *self.peek() != HoaToken::Symbol('[') {
            return Ok(None);
        }
        self.take();
        let label = self.label(0)?;
        self.symbol(']')?;
        Ok(Some(label))
    }

    /// `{sets}`, if there are any.
    fn marks(&mut self) -> Result<Option<u64>, Error> {
        if *self.peek() != HoaToken::Symbol('{') {
            return Ok(None);
        }
        self.take();
        let mut marks = 0;
        while *self.peek() != HoaToken::Symbol('}') {
            let set = self.number("an acceptance set or \"}\"")?;
            if set < self.header.n_sets as usize {
                marks |= 1 << set;
            } else if set >= self.header.n_declared {
                self.place -= 1;
                return self.error(format!("there is no acceptance set {set}"));
            }
        }
        self.take();
        Ok(Some(marks))
    }

    /// All states, each with its edges.
    fn body(&mut self) -> Result<Vec<Vec<Arc>>, Error> {
        let mut states: Vec<Option<Vec<Arc>>> = vec![None; self.header.n_states.unwrap_or(0)];
        let mut targets: Vec<(usize, usize)> = Vec::new();
        while *self.peek() == HoaToken::Header("State") {
            self.take();
            let label = self.bracketed()?;
            let at = self.offset();
            let number = self.number("the number of a state")?;
            if self.header.n_states.is_none() && number >= states.len() && number < MAX_STATES {
                states.resize(number + 1, None);
            }
            match states.get(number) {
                Some(None) => {}
                Some(Some(_)) => {
                    return Err(Error::at(self.text, at, format!("state {number} is given twice")));
                }
                None => return Err(Error::at(self.text, at, format!("there is no state {number}"))),
            }
            if matches!(self.peek(), HoaToken::Text(_)) {
                self.take();
            }
            let marks = self.marks()?.unwrap_or(0);
            states[number] = Some(self.edges(label, marks, &mut targets)?);
        }
        match self.peek() {
            HoaToken::EndOfBody => {}
            HoaToken::Abort => return self.error("the text ends with \"--ABORT--\": there is no automaton"),
            _ => return self.expected("\"State:\" or \"--END--\""),
        }
        self.take();
        if *self.peek() != HoaToken::End {
            return self.error("only one automaton can be read, but more text follows");
        }
        let starts = self.header.starts.iter().copied().zip(self.header.start_offsets.iter().copied());
        for (state, at) in targets.into_iter().chain(starts) {
            if self.header.n_states.is_none() && state >= states.len() && state < MAX_STATES {
                states.resize(state + 1, None);
            }
            if state >= states.len() {
                return Err(Error::at(self.text, at, format!("there is no state {state}")));
            }
        }
        Ok(states.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The edges of one state. Without labels, one edge for each letter, in the order of the letters.
    fn edges(
        &mut self,
        state_label: Option<Bdd>,
        state_marks: u64,
        targets: &mut Vec<(usize, usize)>,
    ) -> Result<Vec<Arc>, Error> {
        let mut arcs = Vec::new();
        let mut n_implicit: u64 = 0;
        let n_atoms = self.header.names.as_ref().map_or(0, Vec::len) as u32;
        while matches!(self.peek(), HoaToken::Number(_) | HoaToken::Symbol('[')) {
            let at = self.offset();
            let label = self.bracketed()?;
            let guard = match (state_label, label) {
                (Some(_), Some(_)) => {
                    let message = "an edge of a state with a label has no label of its own";
                    return Err(Error::at(self.text, at, message));
                }
                (Some(guard), None) | (None, Some(guard)) => guard,
                (None, None) => {
                    let letter = n_implicit;
                    n_implicit += 1;
                    if n_atoms > 20 || letter >> n_atoms != 0 {
                        return Err(Error::at(self.text, at, "there are more edges than letters"));
                    }
                    let mut guard = TRUE;
                    for atom in (0..n_atoms).rev() {
                        let literal = self.bdds.literal(atom, letter >> atom & 1 == 0);
                        guard = self.bdds.and(guard, literal);
                    }
                    guard
                }
            };
            if n_implicit > 0 && n_implicit != arcs.len() as u64 + 1 {
                return Err(Error::at(
                    self.text,
                    at,
                    "some edges of this state have labels and some have not",
                ));
            }
            targets.push((0, self.offset()));
            let target = self.number("the target of an edge")?;
            targets.last_mut().expect("just pushed").0 = target;
            if *self.peek() == HoaToken::Symbol('&') {
                return self.error("edges into several states at once (alternation) are not supported");
            }
            let marks = state_marks | self.marks()?.unwrap_or(0);
            arcs.push(Arc { guard, marks, target });
        }
        if n_implicit > 0 && n_implicit != 1 << n_atoms {
            return self.error(format!("a state with implicit labels needs {} edges", 1u64 << n_atoms));
        }
        arcs.retain(|arc| arc.guard != FALSE);
        Ok(arcs)
    }

    fn finish(mut self, mut graph: MarkedGraph) -> Result<Named, Error> {
        if graph.n_sets == 0 {
            graph.n_sets = 1;
            graph.arcs.iter_mut().flatten().for_each(|arc| arc.marks = 1);
        }
        graph.join_arcs(&mut self.bdds);
        graph.prune(&mut self.bdds);
        let graph = if graph.n_states() <= MAX_REDUCED {
            state_based(graph, &mut self.bdds)
        } else {
            let mut graph = crate::degeneralize::degeneralize(&graph);
            graph.prune(&mut self.bdds);
            graph
        };
        let names = self.header.names.unwrap_or_default();
        let automaton = Automaton::from_graph(&graph, &mut self.bdds, names.len() as u32);
        self.bdds.check()?;
        Ok(Named { automaton, names, title: self.header.title })
    }
}
