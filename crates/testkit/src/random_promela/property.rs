//! Random properties of a random model: propositions about its variables, formulas and never claims over
//! them.

use super::Rng;
use allways_model::{Batch, Lessons, Model};
use std::fmt::Write;

/// Propositions about the globals of a model and, if `counting`, the number of its processes; none if the
/// model cannot begin.
pub fn propositions(rng: &mut Rng, model: &dyn Model, counting: bool) -> Vec<String> {
    let mut batch = Batch::new();
    if model.cursor(Lessons::none()).initial(&mut batch).is_err() {
        return Vec::new();
    }
    let mut list = Vec::new();
    for variable in model.variables(batch.vector(0)) {
        let is_number = variable.value.parse::<i32>().is_ok();
        if variable.process.is_none() && is_number {
            let operator = *rng.pick(&["==", "!=", ">", "<="]);
            list.push(format!("({} {operator} {})", variable.name, rng.below(3)));
        }
    }
    if counting {
        list.push(format!("(_nr_pr > {})", rng.range(1, 3)));
    }
    while list.len() > 3 {
        let idx = rng.below(list.len() as u32) as usize;
        list.swap_remove(idx);
    }
    list
}

/// A formula over propositions that are given as text.
pub fn formula(rng: &mut Rng, propositions: &[String], depth: u32) -> String {
    if depth == 0 || rng.chance(15) {
        return rng.pick(propositions).clone();
    }
    let one = formula(rng, propositions, depth - 1);
    match rng.below(12) {
        0 => format!("!({one})"),
        1 | 2 => format!("([] ({one}))"),
        3 | 4 => format!("(<> ({one}))"),
        5 => format!("([] <> ({one}))"),
        6 => format!("(<> [] ({one}))"),
        7 if rng.chance(30) => format!("(X ({one}))"),
        kind => {
            let other = formula(rng, propositions, depth - 1);
            let operator = match kind {
                7 | 8 => "U",
                9 => "->",
                10 => "||",
                _ => "&&",
            };
            format!("(({one}) {operator} ({other}))")
        }
    }
}

/// A never claim over propositions that are given as text: an automaton of a few states, some of them
/// accepting, that can also refuse a run, fail an assertion, or come to its end.
pub fn never(rng: &mut Rng, propositions: &[String]) -> String {
    let names: Vec<String> = (0..rng.range(1, 4))
        .map(|idx| format!("{}{idx}", if rng.chance(40) { "accept_S" } else { "S" }))
        .collect();
    let mut text = String::from("never {\n");
    for name in &names {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name}:");
        if rng.chance(15) {
            let _ = writeln!(text, "  {};", condition(rng, propositions));
        }
        let (begin, end) = if rng.chance(70) { ("do", "od") } else { ("if", "fi") };
        let _ = writeln!(text, "  {begin}");
        for _ in 0..rng.range(1, 3) {
            let _ = writeln!(text, "  :: {}", option(rng, propositions, &names, begin == "do"));
        }
        if rng.chance(15) {
            let _ = writeln!(text, "  :: else -> goto {}", rng.pick(&names));
        }
        let _ = writeln!(text, "  {end};");
    }
    // Most claims never end.
    if rng.chance(85) {
        let _ = writeln!(text, "  goto {}", rng.pick(&names));
    } else {
        text.push_str("  skip\n");
    }
    text.push_str("}\n");
    text
}

fn condition(rng: &mut Rng, propositions: &[String]) -> String {
    let one = rng.pick(propositions).clone();
    match rng.below(6) {
        0 | 1 => "true".into(),
        2 => format!("!{one}"),
        3 => format!("({one} && {})", rng.pick(propositions)),
        _ => one,
    }
}

fn option(rng: &mut Rng, propositions: &[String], names: &[String], in_loop: bool) -> String {
    let condition = condition(rng, propositions);
    match rng.below(20) {
        0 => format!("assert({})", rng.pick(propositions)),
        1 => format!("atomic {{ {condition} -> assert({}) }}", rng.pick(propositions)),
        2 if in_loop => format!("{condition} -> break"),
        3 => format!("{condition} -> skip"),
        4..=6 => condition,
        _ => format!("{condition} -> goto {}", rng.pick(names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_formulas_repeat_and_are_closed() {
        let propositions = ["(x == 1)".to_owned(), "(y > 0)".to_owned()];
        for seed in 0..200 {
            let draw = |rng: &mut Rng| (never(rng, &propositions), formula(rng, &propositions, 3));
            let (claim, formula) = draw(&mut Rng::new(seed));
            assert_eq!((claim.clone(), formula.clone()), draw(&mut Rng::new(seed)));
            for (open, close) in [('{', '}'), ('(', ')')] {
                assert_eq!(claim.matches(open).count(), claim.matches(close).count(), "{claim}");
            }
            assert_eq!(formula.matches('(').count(), formula.matches(')').count(), "{formula}");
        }
    }
}
