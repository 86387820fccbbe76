//! What a certification found, in words for people.

use crate::attest::Found;
use crate::{Answer, Certified, Merged, Noted, Plan, Report, Walked};
use allways_model::certificate::Header;
use allways_report::{CoverageReport, Paint, bytes, count};
use std::io::{self, Write};

/// The verdict, in a line.
#[must_use]
pub fn verdict(found: Found) -> &'static str {
    match found {
        Found::Holds => "accepted: the property holds",
        Found::Trusting => "accepted: nothing is wrong in these states; that there are no others is trusted",
        Found::Partial => "accepted: partial, nothing is wrong in what was expanded",
        Found::Violated => "accepted: the property is violated",
    }
}

/// Writes how the work of each task of a plan compares with that of the others.
///
/// # Errors
/// What `out` cannot take.
pub fn plan(plan: &Plan, out: &mut dyn Write) -> io::Result<()> {
    for (task, load) in (1..).zip(&plan.loads) {
        let (states, steps, path) = (count(load.n_states), count(load.n_steps), count(load.n_path));
        writeln!(out, "  task {task}: {states} states, {steps} steps; {path} states on the way")?;
    }
    let most = plan.loads.iter().map(|load| load.n_steps).max().unwrap_or_default();
    let mean = plan.n_steps as f64 / plan.loads.len() as f64;
    let ratio = if plan.n_steps == 0 { 1.0 } else { most as f64 / mean };
    writeln!(out, "  {} units; the largest task has {ratio:.2} times the mean", count(plan.n_units as u64))?;
    Ok(())
}

/// Writes what the tasks of a certification found together.
///
/// # Errors
/// What `out` cannot take.
pub fn merged(
    merged: &Merged,
    header: &Header,
    trusted: &[String],
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_header(header, trusted, paint, out)?;
    writeln!(out, "{}", paint.bold("Found"))?;
    let (states, steps) = (count(merged.n_states), count(merged.n_steps));
    let whole = match (merged.trustful, merged.n_open) {
        (true, _) => "steps to new ones",
        (false, 0) => "steps: the whole graph",
        (false, _) => "steps",
    };
    writeln!(out, "  {states} states and {steps} {whole}, by {} tasks", merged.n_tasks)?;
    if merged.n_open > 0 {
        writeln!(out, "  {} of the states are not expanded", count(merged.n_open))?;
    }
    if merged.n_part > 0 {
        writeln!(out, "  {} of the states are expanded in part", count(merged.n_part))?;
    }
    writeln!(out, "  {} states expanded once more, on the way to others", count(merged.n_path))?;
    if let Some(power) = merged.error {
        writeln!(out, "  {} fingerprints compared between tasks", count(merged.n_compared))?;
        writeln!(out, "  a false certificate would be accepted with a probability below 2^{power}")?;
    }
    for (state, message) in merged.violations.iter().take(16) {
        writeln!(out, "  state {}: {message}", count(*state))?;
    }
    let more = merged.n_violations - merged.violations.len().min(16) as u64;
    if more > 0 {
        writeln!(out, "  and {} more violations", count(more))?;
    }
    Ok(())
}

/// Writes what a certificate is about, and what its certification rests on.
fn write_header(header: &Header, trusted: &[String], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let spec = &header.spec;
    writeln!(out, "{}", paint.bold("Certified"))?;
    for (key, value) in spec.entries() {
        writeln!(out, "  {key} {value}")?;
    }
    writeln!(out, "  (specification {})", spec.digest())?;
    header.reads.iter().try_for_each(|(name, hash)| writeln!(out, "  read by the program: {name} {hash}"))?;
    writeln!(out, "{}", paint.bold("Trusted"))?;
    trusted.iter().try_for_each(|one| writeln!(out, "  {one}"))?;
    Ok(())
}

/// Writes what was certified, what that rests on, and what was found.
///
/// # Errors
/// What `out` cannot take.
pub fn report(report: &Report, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    write_header(&report.header, &report.trusted, paint, out)?;
    writeln!(out, "{}", paint.bold("Found"))?;
    match &report.answer {
        Answer::Graph { certified, error } => {
            write_graph(certified, *error, out)?;
            write_coverage(report, out)?;
        }
        Answer::Tree(walked) => write_tree(walked, out)?,
        Answer::Violation { message, n_steps } => {
            writeln!(out, "  {message}, after {} steps", count(*n_steps))?;
        }
    }
    writeln!(out, "  the certificate has {}, SHA-256 {}", bytes(report.n_bytes), report.file)?;
    report.asked.iter().try_for_each(|one| writeln!(out, "  also asked in every state or step: {one}"))
}

fn write_graph(certified: &Certified, error: Option<i32>, out: &mut dyn Write) -> io::Result<()> {
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
    write_noted(&certified.noted, out)
}

/// How much of the graph a partial certificate describes, in the words of both sides.
fn write_coverage(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(walks) = report.walks() else { return Ok(()) };
    let unknown = "unknown: the walks met too few others";
    let own = report.coverage.as_ref().and_then(CoverageReport::short);
    let (n, steps) = (count(walks.walks), count(walks.steps));
    let seen = own.map_or_else(|| unknown.to_owned(), |share| format!("{share} of the states"));
    writeln!(out, "  an estimate of how much that is: {seen}, by {n} walks of {steps} steps")?;
    match &report.header.coverage {
        Some(claim) => writeln!(out, "  the producer estimates: {claim} of the states"),
        None => Ok(()),
    }
}

fn write_tree(walked: &Walked, out: &mut dyn Write) -> io::Result<()> {
    let states = count(walked.n_states);
    match walked.n_open {
        0 => writeln!(out, "  {states} states, each reached by a step of the program")?,
        open => writeln!(out, "  {states} states, of which {} are not gone through", count(open))?,
    }
    writeln!(out, "  {} of them without a step, which were expanded", count(walked.n_ends))?;
    let how =
        if walked.by_keys { "taken alone" } else { "found by expanding states: the script has no keys" };
    writeln!(out, "  steps were {how}; at most {} waiting", bytes(walked.most_waiting))?;
    write_noted(&walked.noted, out)
}

fn write_noted(noted: &Noted, out: &mut dyn Write) -> io::Result<()> {
    for (violation, state) in &noted.first {
        let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
        writeln!(out, "  state {}: {}{at}", count(*state), violation.message())?;
    }
    let more = noted.n - noted.first.len() as u64;
    if more > 0 {
        writeln!(out, "  and {} more violations", count(more))?;
    }
    Ok(())
}
