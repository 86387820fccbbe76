//! `allways certify`: a certificate is held against the user's own copy of the program.

use crate::cli::CertifyArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_certify::{Answer, Certified, Error, How, Question, Report};
use allways_report::{ExitCode, bytes, count};
use allways_session::Property;
use std::io::Write;

/// Runs the command.
pub(crate) fn run(args: &CertifyArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let property = args.property.wanted().unwrap_or_default();
    let question = Question {
        model: args.model.clone(),
        settings: args.options.settings.clone(),
        arguments: args.options.arguments.clone(),
        fair: args.property.fair && property != Property::Safety,
        property: property.to_string(),
        trust_claims: args.no_reduce,
    };
    match allways_certify::certify(
        &args.certificate,
        &question,
        &How {
            exact: args.exact,
            counts: args.counts,
            workers: args.workers.get(),
            reference: args.reference,
        },
    ) {
        Ok(report) => {
            if !args.quiet {
                show(&report, terminal)?;
            }
            let (verdict, code) = match (report.holds(), report.is_partial()) {
                (true, _) => ("accepted: the property holds", ExitCode::Success),
                (_, true) => ("accepted: partial, nothing is wrong in what was expanded", ExitCode::Bounded),
                _ => ("accepted: the property is violated", ExitCode::Violated),
            };
            writeln!(terminal.out, "{}", terminal.paint.bold(verdict))?;
            Ok(code)
        }
        Err(Error::Veracity(error)) => {
            writeln!(terminal.out, "{} {error}", terminal.paint.bold("not accepted:"))?;
            Ok(ExitCode::NotAccepted)
        }
        Err(Error::Input(message)) => Err(Failure::Input(message)),
        Err(Error::Unsupported(what)) => {
            terminal.err_text(&format!("unsupported: {what}\n"));
            Err(Failure::Reported(ExitCode::Unsupported))
        }
    }
}

/// Shows what was certified, and what that rests on.
fn show(report: &Report, terminal: &mut Terminal) -> Result<(), Failure> {
    let (out, paint) = (&mut terminal.out, terminal.paint);
    writeln!(out, "{}", paint.bold("Certified"))?;
    for (key, value) in report.header.spec.entries() {
        writeln!(out, "  {key} {value}")?;
    }
    writeln!(out, "  (specification {})", report.header.spec.digest())?;
    writeln!(out, "{}", paint.bold("Trusted"))?;
    report.trusted.iter().try_for_each(|one| writeln!(out, "  {one}"))?;
    writeln!(out, "{}", paint.bold("Found"))?;
    match &report.answer {
        Answer::Graph { certified, error } => show_graph(certified, *error, out)?,
        Answer::Violation { message, n_steps } => {
            writeln!(out, "  {message}, after {} steps", count(*n_steps))?;
        }
    }
    writeln!(out, "  the certificate has {}, SHA-256 {}", bytes(report.n_bytes), report.file)?;
    Ok(())
}

fn show_graph(certified: &Certified, error: Option<i32>, out: &mut dyn Write) -> Result<(), Failure> {
    let Certified { n_states, n_steps, n_part, most_prints, most_waiting, .. } = certified;
    let (states, steps) = (count(*n_states), count(*n_steps));
    match certified.n_open {
        0 => writeln!(out, "  {states} states and {steps} steps: the whole graph")?,
        open => writeln!(
            out,
            "  {states} states and {steps} steps: {} of the states are not expanded",
            count(open)
        )?,
    }
    if certified.is_counted {
        writeln!(out, "  no two of the states are the same")?;
    }
    if *n_part > 0 {
        writeln!(out, "  {} of the states are expanded in part", count(*n_part))?;
    }
    let kept = if error.is_some() { "fingerprints" } else { "states" };
    writeln!(
        out,
        "  at most {} {kept} kept at once, and {} waiting",
        count(*most_prints),
        bytes(*most_waiting)
    )?;
    match error {
        Some(power) => {
            writeln!(out, "  a false certificate would be accepted with a probability below 2^{power}")?;
        }
        None => writeln!(out, "  states were compared as a whole: no probability of error")?,
    }
    for (violation, state) in &certified.violations {
        let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        writeln!(out, "  state {}: {}{at}", count(*state), violation.message())?;
    }
    let more = certified.n_violations - certified.violations.len() as u64;
    if more > 0 {
        writeln!(out, "  and {} more violations", count(more))?;
    }
    Ok(())
}
