//! What is told of a Java program behind the verdict: data races, opposite orders of monitors and locks, a way to fewer states.

use crate::failure::Failure;
use allways_java::Program;
use allways_java::race::Race;
use allways_model::{Lessons, ViolationKind};
use allways_report::{Check, Verdict};
use std::io::Write;

/// Of each kind no more than this many are shown.
const MAX_SHOWN: usize = 5;

/// Notes on a program that was searched.
pub(crate) struct Notes {
    races: Vec<Race>,
    /// Which threads take monitors and locks in opposite orders, unless they were seen to come to a deadlock: that tells more.
    inversions: Vec<String>,
    /// Whether there is a way to fewer states for a search that came to no end.
    has_hint: bool,
}

impl Notes {
    pub(crate) fn of(program: &Program, lessons: &Lessons, check: &Check) -> Self {
        let has_deadlock = check.errors.iter().any(|error| error.kind == ViolationKind::Deadlock.name());
        Self {
            races: program.races(),
            inversions: if has_deadlock { Vec::new() } else { program.lock_order_inversions() },
            has_hint: check.verdict == Verdict::Bounded
                && !program.options().simple_locks
                && program.contends_for_locks(lessons),
        }
    }

    /// Those that are warnings in JSON.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.races.iter().map(Race::summary).chain(self.inversions.iter().cloned()).collect()
    }

    /// Writes all of them.
    pub(crate) fn write(&self, out: &mut dyn Write, races_are_violations: bool) -> Result<(), Failure> {
        self.write_races(out, races_are_violations)?;
        self.write_inversions(out)?;
        if self.has_hint {
            writeln!(
                out,
                "\nLocks of java.util.concurrent take many steps; with --simple-locks there are far fewer states."
            )?;
        }
        Ok(())
    }

    /// Writes data races: in full if they are violations, else as a note on what the verdict is worth.
    pub(crate) fn write_races(&self, out: &mut dyn Write, are_violations: bool) -> Result<(), Failure> {
        if self.races.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        for race in self.races.iter().take(MAX_SHOWN) {
            writeln!(out, "{}", race.summary())?;
            if are_violations {
                out.write_all(race.details().as_bytes())?;
            }
        }
        write_rest(out, self.races.len())?;
        if !are_violations {
            let note = "On a real machine a data race can do more than any interleaving shows: the verdict is about sequentially\n\
                        consistent runs. With --races they are violations, and shown with their schedules.";
            writeln!(out, "{note}")?;
        }
        Ok(())
    }

    fn write_inversions(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.inversions.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        for inversion in self.inversions.iter().take(MAX_SHOWN) {
            writeln!(out, "{inversion}")?;
        }
        write_rest(out, self.inversions.len())?;
        writeln!(out, "Threads that do this at the same time can wait for each other for ever.")?;
        Ok(())
    }
}

fn write_rest(out: &mut dyn Write, n_all: usize) -> Result<(), Failure> {
    if n_all > MAX_SHOWN {
        writeln!(out, "and {} more", n_all - MAX_SHOWN)?;
    }
    Ok(())
}
