//! What else a search of a Java program saw: data races, opposite orders of monitors and locks, a way to
//! fewer states.

use crate::java;
use allways_java::{Program, UnguardedWait};
use allways_model::{Lessons, ViolationKind};
use allways_report::{Check, Remarks, Verdict};

const RACES: &str = "On a real machine a data race can do more than any interleaving shows: the verdict is about sequentially\n\
                     consistent runs. With --races they are violations, and shown with their schedules.";
const UNGUARDED: &str =
    "Java allows it to return without a reason, which was not explored; --spurious 1 does.";
const LEFT_BEHIND: &str = "The run ended with main or the test; what such threads do later was not explored.";
const INVERSIONS: &str = "Threads that do this at the same time can wait for each other indefinitely.";
const JDK_LOCKS: &str =
    "The JDK's own locks take many steps; without --jdk-locks there are far fewer states.";

/// The remarks on a search.
pub(crate) fn of(program: &Program, lessons: &Lessons, check: &Check) -> Vec<Remarks> {
    let mut all = Vec::new();
    let are_violations = program.options().races;
    let races: Vec<_> = program.races().iter().map(|race| (race.summary(), race.details())).collect();
    if !races.is_empty() {
        let meaning = if are_violations { "" } else { RACES };
        all.push(Remarks { lines: races, in_full: are_violations, meaning });
    }
    let waits = program.unguarded_waits();
    if let Some(first) = waits.first() {
        let more = if waits.len() > 1 { format!(" (and {} more)", waits.len() - 1) } else { String::new() };
        let UnguardedWait { file, line, method } = first;
        let line = format!("{method} at {file}:{line} is not in a loop that tests its condition again{more}");
        all.push(Remarks { lines: vec![(line, String::new())], in_full: false, meaning: UNGUARDED });
    }
    let left = program.left_behind();
    if !left.is_empty() {
        let lines = left.into_iter().map(|line| (line, String::new())).collect();
        all.push(Remarks { lines, in_full: false, meaning: LEFT_BEHIND });
    }
    // A deadlock that was seen says more.
    let has_deadlock = check.errors.iter().any(|error| error.kind == ViolationKind::Deadlock.name());
    let inversions = if has_deadlock { Vec::new() } else { program.lock_order_inversions() };
    if !inversions.is_empty() {
        let lines = inversions.into_iter().map(|line| (line, String::new())).collect();
        all.push(Remarks { lines, in_full: false, meaning: INVERSIONS });
    }
    let would_help = program.options().jdk_locks
        && program.locks_of_its_own().is_empty()
        && program.contends_for_locks(lessons);
    if check.verdict == Verdict::Bounded && would_help {
        all.push(Remarks { lines: Vec::new(), in_full: false, meaning: JDK_LOCKS });
    }
    all
}

/// What a verdict on a program does not cover.
pub(crate) fn warnings(program: &Program, check: &Check) -> Vec<String> {
    let mut warnings = Vec::new();
    // One error is an error, whatever else was not explored.
    if check.exhausted || check.verdict == Verdict::Bounded {
        warnings.extend(java::warnings_of_inputs(program));
    }
    if check.exhausted {
        let never = program.never_applied().into_iter();
        warnings.extend(never.map(|text| format!("the invariant {text} applied in no state")));
    }
    warnings
}
