//! An automaton as the text of a SPIN never claim.
//!
//! SPIN names its states in the same way: `accept_` marks an accepting state, the first state is an `init`,
//! and `accept_all` accepts everything. A claim that reaches its end has matched, so an edge that cannot be
//! taken is omitted.

use crate::automaton::{Automaton, State};
use std::fmt::Write;

impl Automaton {
    /// The text of a never claim, with names (or expressions) for the atoms. The automaton accepts what must
    /// never happen.
    pub fn to_never_claim(&self, name: impl Fn(u32) -> String) -> String {
        // The state that accepts everything comes last: after its `skip` the claim ends, which is a match.
        let all = (0..self.states.len() as u32)
            .find(|&number| number != self.initial && is_accept_all(&self.states[number as usize], number));
        let others =
            (0..self.states.len() as u32).filter(|&number| number != self.initial && Some(number) != all);
        let order = std::iter::once(self.initial).chain(others).chain(all);
        let label = |number: u32| {
            let state = &self.states[number as usize];
            match (state.accepting, number == self.initial) {
                (true, true) => "accept_init".to_owned(),
                (false, true) => "T0_init".to_owned(),
                (true, false) if Some(number) == all => "accept_all".to_owned(),
                (true, false) => format!("accept_S{number}"),
                (false, false) => format!("T0_S{number}"),
            }
        };
        let atom = |atom: u32| format!("({})", name(atom));
        let mut text = String::from("never {\n");
        let mut line = |content: std::fmt::Arguments<'_>| {
            text.write_fmt(content).expect("writing to a string does not fail");
            text.push('\n');
        };
        for number in order {
            let state = &self.states[number as usize];
            line(format_args!("{}:", label(number)));
            if Some(number) == all {
                line(format_args!("\tskip"));
            } else if state.edges.is_empty() {
                line(format_args!("\tfalse;"));
            } else {
                line(format_args!("\tdo"));
                for edge in &state.edges {
                    let guard = edge.guard.text_with(atom, ["1", "0", "!", " && ", " || "]);
                    line(format_args!("\t:: ({guard}) -> goto {}", label(edge.target)));
                }
                line(format_args!("\tod;"));
            }
        }
        line(format_args!("}}"));
        text
    }
}

/// Whether the state accepts everything and has only an edge to itself.
fn is_accept_all(state: &State, number: u32) -> bool {
    state.accepting && state.edges.iter().any(|edge| edge.target == number && edge.guard.is_true())
}
