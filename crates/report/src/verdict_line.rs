//! The verdict as one line: the answer, the model, the property, and what happened.
//!
//! `holds: x.pml: claim p1, no violation in any of its 40 states`. A run checks several properties, so a line
//! that does not name its property means nothing by itself. A violation in the model file adds the line:
//! `violated: x.pml:3: safety, ...`, which editors follow; one elsewhere (an included file, a Java source)
//! ends in its place.

use crate::check::{Check, ErrorReport, Limit};
use crate::figures::{bytes, count, duration, plural};
use crate::paint::{Paint, visible};
use crate::steps::shortened;
use crate::verdict::Verdict;
use std::io::{self, Write};

/// Longer properties (formulas, mostly) are cut in the line of a verdict. JSON and JUnit have the whole text.
const LONGEST_PROPERTY: usize = 60;

/// Writes the verdict of a check; a line for each unsupported thing if that is the answer.
///
/// # Errors
/// When the output cannot be written.
pub(crate) fn write(check: &Check, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let name = check.verdict.name();
    let word = match check.verdict {
        Verdict::Holds => paint.good(name),
        Verdict::Violated => paint.bad(name),
        Verdict::Bounded | Verdict::Unsupported => paint.warn(name),
    };
    let (model, property) = (&check.model, property(check));
    match check.verdict {
        Verdict::Holds => {
            let states = match &check.cache {
                Some(cache) if cache.distinct_text() == "1" => states_of(1),
                Some(cache) => format!("any of its {} states", cache.distinct_text()),
                None => states_of(check.figures.states),
            };
            writeln!(out, "{word}: {model}: {property}, no violation in {states}")
        }
        Verdict::Bounded => {
            let seen =
                check.coverage.as_ref().map_or(String::new(), |seen| format!("; seen: {}", seen.text()));
            writeln!(out, "{word}: {model}: {property}, no violation found, but {}{seen}", limits(check))
        }
        Verdict::Violated => writeln!(out, "{word}: {}", violation(check)),
        Verdict::Unsupported => check.unsupported.iter().try_for_each(|what| {
            let at = what.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            writeln!(out, "{word}: {model}: {property}, {}{at}", visible(&what.message))
        }),
    }
}

/// The property, short enough for a line. What restricts it is never cut off.
fn property(check: &Check) -> String {
    let (name, restrictions) = split_restrictions(&check.property);
    format!("{}{restrictions}", shortened(&visible(name), LONGEST_PROPERTY))
}

/// A property's name, and what follows it in parentheses: that only fair runs count, and what is not
/// reported.
fn split_restrictions(property: &str) -> (&str, &str) {
    const RESTRICTIONS: [&str; 3] = [" (fair)", " (no assertions)", " (no end states)"];
    let mut name = property;
    while let Some(shorter) = RESTRICTIONS.iter().find_map(|words| name.strip_suffix(words)) {
        name = shorter;
    }
    property.split_at(name.len())
}

/// What is violated, and how.
fn violation(check: &Check) -> String {
    let property = property(check);
    let mut text = match check.errors.first() {
        None => format!("{}: {property}", check.model),
        Some(error) => {
            let said = without_subject(&error.message, &check.property);
            let said = visible(&said);
            match &error.location {
                Some(at) if *at.file == *check.model => format!("{at}: {property}, {said}"),
                Some(at) => format!("{}: {property}, {said} at {at}", check.model),
                None => format!("{}: {property}, {said}", check.model),
            }
        }
    };
    match (check.errors.as_slice(), check.n_errors) {
        ([ErrorReport { n_states: Some(n), .. }], errors) if *n > 1 && *n == errors => {
            text += &format!(" (in {})", plural(*n, "state"));
        }
        (_, 0 | 1) => {}
        (_, errors) => text += &format!(" ({} in all)", plural(errors, "error")),
    }
    if !check.limits.is_empty() {
        text += &format!("; {}", limits(check));
    }
    if let Some(what) = check.unsupported.first() {
        text += &format!("; then the search met something unsupported: {}", visible(&what.message));
    }
    text
}

/// A message without the name of the claim, formula or automaton, which the line has already.
fn without_subject(message: &str, property: &str) -> String {
    let Some((kind, subject)) = split_restrictions(property).0.split_once(' ') else { return message.into() };
    if let Some((name, how)) = message.rsplit_once(" is violated") {
        // A formula from the command line has a generated name where a model needs one.
        let is_subject = name == subject || kind == "ltl" && name.starts_with("ltl_") && !name.contains(' ');
        if is_subject && !how.is_empty() {
            return how.trim_start_matches([',', ' ']).into();
        }
    }
    message.replace(&format!("accepted by {subject}"), "accepted by it")
}

fn states_of(n: u64) -> String {
    if n == 1 { "its one state".into() } else { format!("any of its {} states", count(n)) }
}

fn limits(check: &Check) -> String {
    let text = check.limits.iter().map(limit_text).collect::<Vec<_>>().join(", and ");
    let is_of_search = matches!(check.limits[..], [Limit::Memory(_) | Limit::States(_)]);
    let is_first = check.figures.states <= 1 && check.walks.is_none();
    if is_of_search && is_first { format!("{text} in its first state") } else { text }
}

/// What a limit did, as the end of a sentence.
fn limit_text(limit: &Limit) -> String {
    match limit {
        Limit::Time(time) => format!("the time limit of {} ended the search", duration(*time)),
        Limit::Memory(size) => format!("the memory limit of {} ended the search", bytes(*size)),
        Limit::Depth(n) => format!("paths were cut at the depth limit of {}", count(*n)),
        Limit::States(n) => format!("the limit of {} ended the search", plural(*n, "state")),
        Limit::Walks(n) => format!("after {} the rest was not looked at", plural(*n, "random walk")),
        Limit::OfModel(_, what) => what.clone(),
        Limit::Interrupt => "the search was interrupted".into(),
        Limit::Stack(text) | Limit::Redundancy(text) => text.clone(),
        Limit::Lossy(estimate) => format!("the store is lossy ({estimate})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Unsupported;
    use crate::text::tests::sample;
    use allways_model::Location;

    fn line(check: &Check) -> String {
        let mut out = Vec::new();
        write(check, Paint::plain(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn about(verdict: Verdict, property: &str) -> Check {
        Check { property: property.into(), ..sample(verdict) }
    }

    #[test]
    fn every_property_is_named_by_every_verdict() {
        let long = format!("ltl [] (request -> <> granted{})", " && served".repeat(20));
        for (property, named) in [
            ("safety", "safety"),
            ("claim p1", "claim p1"),
            ("claim p1 (fair)", "claim p1 (fair)"),
            ("progress", "progress"),
            ("progress (fair)", "progress (fair)"),
            ("acceptance", "acceptance"),
            ("automaton a/b.hoa", "automaton a/b.hoa"),
            ("ltl [] (a -> <> b)", "ltl [] (a -> <> b)"),
            ("ltl [] a\n&& <> b", "ltl [] a\\n&& <> b"),
            (&long, "ltl [] (request -> <> granted && served && served && served…"),
            (
                &format!("{long} (fair)"),
                "ltl [] (request -> <> granted && served && served && served… (fair)",
            ),
        ] {
            let line = |verdict| line(&about(verdict, property));
            assert_eq!(
                line(Verdict::Holds),
                format!("holds: x.pml: {named}, no violation in any of its 1,000 states\n")
            );
            let bounded = format!("bounded: x.pml: {named}, no violation found, but paths were cut");
            assert!(line(Verdict::Bounded).starts_with(&bounded), "{property}");
            let violated = format!("violated: x.pml:3: {named}, assertion violated: x == 1\n");
            assert_eq!(line(Verdict::Violated), violated);
            assert_eq!(
                line(Verdict::Unsupported),
                format!("unsupported: x.pml: {named}, embedded C at x.pml:3\n")
            );
        }
    }

    #[test]
    fn a_violation_elsewhere_ends_in_its_place() {
        let mut check = sample(Verdict::Violated);
        check.model = "Main".into();
        check.errors[0].location = Some(Location { file: "Other.java".into(), line: 7, column: 1 });
        assert_eq!(line(&check), "violated: Main: safety, assertion violated: x == 1 at Other.java:7\n");
        check.errors[0].location = None;
        assert_eq!(line(&check), "violated: Main: safety, assertion violated: x == 1\n");
        check.errors.clear();
        assert_eq!(line(&check), "violated: Main: safety\n");
    }

    #[test]
    fn what_is_violated_is_named_once() {
        for (property, message, said) in [
            ("claim p1", "p1 is violated by a run that never ends", "claim p1, by a run that never ends"),
            ("claim p1", "p10 is violated by a run", "claim p1, p10 is violated by a run"),
            ("claim p1", "p1 is violated", "claim p1, p1 is violated"),
            (
                "ltl [] a (fair)",
                "[] a is violated, whatever comes after",
                "ltl [] a (fair), whatever comes after",
            ),
            ("ltl [] a", "ltl_3 is violated, whatever comes after", "ltl [] a, whatever comes after"),
            (
                "automaton a.hoa",
                "a run that never ends is accepted by a.hoa",
                "automaton a.hoa, a run that never ends is accepted by it",
            ),
        ] {
            let mut check = about(Verdict::Violated, property);
            check.errors[0].message = message.into();
            check.errors[0].location = None;
            assert_eq!(line(&check), format!("violated: x.pml: {said}\n"));
        }
    }

    #[test]
    fn each_unsupported_thing_has_a_line() {
        let mut check = about(Verdict::Unsupported, "claim p1");
        check.unsupported.push(Unsupported { message: "floats".into(), location: None });
        assert_eq!(
            line(&check),
            "unsupported: x.pml: claim p1, embedded C at x.pml:3\nunsupported: x.pml: claim p1, floats\n"
        );
    }
}
