//! Writes an automaton in the format: Büchi acceptance on states, explicit labels on edges.

use super::Named;
use std::fmt::Write;

impl Named {
    /// The text of the automaton in the Hanoi Omega-Automata format.
    pub fn to_hoa(&self) -> String {
        let automaton = &self.automaton;
        let mut text = String::from("HOA: v1\n");
        let mut line = |content: std::fmt::Arguments<'_>| {
            text.write_fmt(content).expect("writing to a string does not fail");
            text.push('\n');
        };
        if !self.title.is_empty() {
            line(format_args!("name: {}", quoted(&self.title)));
        }
        line(format_args!("tool: \"allways\" \"{}\"", env!("CARGO_PKG_VERSION")));
        line(format_args!("States: {}", automaton.states.len()));
        line(format_args!("Start: {}", automaton.initial));
        let n_atoms = self.names.len().max(automaton.n_atoms as usize);
        let name = |atom: usize| self.names.get(atom).cloned().unwrap_or_else(|| format!("p{atom}"));
        let names: String = (0..n_atoms).map(|atom| format!(" {}", quoted(&name(atom)))).collect();
        line(format_args!("AP: {n_atoms}{names}"));
        line(format_args!("acc-name: Buchi\nAcceptance: 1 Inf(0)"));
        line(format_args!("properties: trans-labels explicit-labels state-acc\n--BODY--"));
        for (number, state) in automaton.states.iter().enumerate() {
            line(format_args!("State: {number}{}", if state.accepting { " {0}" } else { "" }));
            for edge in &state.edges {
                let label = edge.guard.text_with(|atom| atom.to_string(), ["t", "f", "!", " & ", " | "]);
                line(format_args!("[{label}] {}", edge.target));
            }
        }
        line(format_args!("--END--"));
        text
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
