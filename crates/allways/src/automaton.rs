//! `allways automaton`: a formula of temporal logic as an automaton, for other tools.

use crate::cli::{AutomatonArgs, AutomatonFormat};
use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_ltl::Named;
use allways_report::ExitCode;
use std::io::Write;

/// Runs the command.
pub(crate) fn run(args: &AutomatonArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let input = |error: allways_ltl::Error| Failure::Input(format!("the formula: {error}"));
    let (formula, names) = allways_ltl::parse(&args.formula).map_err(input)?;
    let (formula, title) = match args.violations {
        true => (formula.negate(), format!("!({})", args.formula)),
        false => (formula, args.formula.clone()),
    };
    let automaton = allways_ltl::translate(&formula).map_err(input)?;
    let text = match args.format {
        AutomatonFormat::Hoa => Named { automaton, names, title }.to_hoa(),
        AutomatonFormat::Never => automaton.to_never_claim(|atom| names[atom as usize].clone()),
    };
    terminal.out.write_all(text.as_bytes())?;
    Ok(ExitCode::Success)
}
