//! A run as it is shown: a table of steps, a chart, a JSON object, or only what the program printed.
//!
//! A view is fed step by step and ended once. It is the one place that decides what a run looks like, so that
//! a counterexample, its replay and a simulation are shown alike.

use crate::cli::Msc;
use crate::failure::Failure;
use crate::recent::Recent;
use allways_model::{Blocked, Lessons, Model, Move, Path, Snapshot, StepKey, Violation, ViolationKind};
use allways_report::{Chart, ChartStyle, Paint, RunReport, StateView, StepReport, StepTable, Waits};
use allways_session::{Walker, error_report};
use std::io::{self, Write};

/// A run being shown.
pub(crate) struct View<'m> {
    model: &'m dyn Model,
    kind: Kind,
    paint: Paint,
    full: bool,
    recent: Recent,
}

enum Kind {
    Steps(StepTable),
    Chart(Box<Chart>, Msc),
    Json(Box<RunReport>),
    Output,
}

/// A run that never ends.
pub(crate) struct Cycle {
    /// After how many steps it begins to repeat itself.
    pub(crate) start: usize,
    /// What is wrong with that.
    pub(crate) violation: Violation,
}

/// How a run ended.
pub(crate) struct Ending<'a> {
    /// The last state.
    pub(crate) state: &'a [u8],
    /// Whether the last step led to it; if not, it is the state before the last step.
    pub(crate) moved: bool,
    /// The state inside the last step in which it went wrong, if it led to no state and that is known.
    pub(crate) failing: Option<&'a Snapshot>,
    /// What is wrong at the end.
    pub(crate) violation: Option<&'a Violation>,
    /// After how many steps the run repeats the rest of them, if it does.
    pub(crate) cycle: Option<usize>,
}

impl Ending<'_> {
    /// The last state, or the one in which the run fails.
    fn snapshot(&self, model: &dyn Model) -> Snapshot {
        self.failing.cloned().unwrap_or_else(|| Snapshot {
            processes: model.processes(self.state),
            variables: model.variables(self.state),
        })
    }

    /// What that state is called.
    fn heading(&self) -> &'static str {
        match (self.failing, self.violation.map(Violation::kind)) {
            (Some(_), Some(ViolationKind::Assertion)) => "state in which the assertion fails",
            (Some(_), Some(ViolationKind::Claim)) => "state in which the claim ends",
            (Some(_), Some(ViolationKind::EventTrace)) => "state in which the event happens",
            (Some(_), _) => "state in which the error happens",
            (None, _) if self.moved => "final state",
            (None, _) => "state before the last step",
        }
    }
}

impl<'m> View<'m> {
    fn of(model: &'m dyn Model, kind: Kind, paint: Paint) -> Self {
        Self { model, kind, paint, full: true, recent: Recent::default() }
    }

    /// The same view, with long states in full or not.
    pub(crate) fn with_states(self, full: bool) -> Self {
        Self { full, ..self }
    }

    /// The run and its last steps, as far as they matter to how a state is shown.
    pub(crate) fn recent(&mut self) -> &mut Recent {
        &mut self.recent
    }

    /// A table of steps; with `n_steps` a long one is elided.
    pub(crate) fn steps(model: &'m dyn Model, paint: Paint, n_steps: Option<u64>) -> Self {
        let table = match n_steps {
            Some(n) => StepTable::elided(paint, n),
            None => StepTable::full(paint),
        };
        Self { full: n_steps.is_none(), ..Self::of(model, Kind::Steps(table), paint) }
    }

    /// A chart of a run that begins in `initial`.
    pub(crate) fn chart(model: &'m dyn Model, title: &str, initial: &[u8], form: Msc, full: bool) -> Self {
        let chart = Chart::new(title, &model.processes(initial));
        Self { full, ..Self::of(model, Kind::Chart(Box::new(chart), form), Paint::plain()) }
    }

    /// A JSON object.
    pub(crate) fn json(model: &'m dyn Model, name: &str) -> Self {
        let report =
            RunReport { model: name.into(), digest: model.digest().to_string(), ..RunReport::default() };
        Self::of(model, Kind::Json(Box::new(report)), Paint::plain())
    }

    /// Only what the program prints.
    pub(crate) fn output(model: &'m dyn Model) -> Self {
        Self::of(model, Kind::Output, Paint::plain())
    }

    /// Whether the moves of the step `number` will be shown.
    fn wants(&self, number: u64) -> bool {
        match &self.kind {
            Kind::Steps(table) => table.shows(number),
            Kind::Chart(..) | Kind::Json(_) | Kind::Output => true,
        }
    }

    /// Shows the step `number`, from one, after which the model is in `after`.
    pub(crate) fn step(
        &mut self,
        out: &mut dyn Write,
        number: u64,
        key: StepKey,
        moves: Vec<Move>,
        after: &[u8],
    ) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => {
                self.recent.note(number, &moves);
                table.step(out, number, &moves)
            }
            Kind::Chart(chart, _) => {
                chart.step(number, &moves, &self.model.processes(after));
                Ok(())
            }
            Kind::Json(report) => {
                report.steps.push(StepReport { key: key.0, moves });
                Ok(())
            }
            Kind::Output => moves.iter().try_for_each(|step| out.write_all(step.output.as_bytes())),
        }
    }

    /// Says something between two steps.
    fn remark(&mut self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => table.remark(out, text),
            // A chart tells at its end from where on it repeats itself.
            Kind::Chart(..) | Kind::Json(_) | Kind::Output => Ok(()),
        }
    }

    /// Shows how the run ended.
    pub(crate) fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => {
                table.show_now(out)?;
                writeln!(out, "\n{}", self.paint.bold(ending.heading()))?;
                self.state(out, ending)?;
                self.waits(out, ending)
            }
            Kind::Chart(chart, form) => {
                if let Some(violation) = ending.violation {
                    let again = ending.cycle.map_or(String::new(), |start| {
                        format!(" (and so on, from step {} again)", start + 1)
                    });
                    chart.finish(&format!("{}{again}", violation.message()));
                    if let Some(start) = ending.cycle {
                        chart.repeat_from(start as u64 + 1);
                    }
                }
                let style = ChartStyle { full: self.full };
                let text = match form {
                    Msc::Text | Msc::ByName => chart.to_text(style),
                    Msc::Svg => chart.to_svg(style),
                };
                out.write_all(text.as_bytes())
            }
            Kind::Json(report) => {
                let Snapshot { processes, variables } = ending.snapshot(self.model);
                (report.processes, report.variables) = (processes, variables);
                report.warnings = self.model.noticed();
                let n_steps = report.steps.len() as u64;
                report.error = ending.violation.map(|violation| error_report(violation, Some(n_steps)));
                report.write(out)
            }
            Kind::Output => Ok(()),
        }
    }

    /// Shows a state.
    pub(crate) fn state(&self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        let stuck = ending.violation.is_some_and(|violation| violation.kind() == ViolationKind::Deadlock);
        let Snapshot { processes, variables } = ending.snapshot(self.model);
        // Some may go on where others wait for ever.
        let n_blocked = if stuck { self.model.blocked(ending.state, Lessons::none()).len() } else { 0 };
        let stuck = stuck && (n_blocked == 0 || n_blocked == processes.len());
        let initial = self.recent.initial().map_or(Vec::new(), |state| self.model.variables(state));
        let view = StateView {
            processes: &processes,
            variables: &variables,
            initial: &initial,
            recent: &self.recent.names(),
            stuck,
            full: self.full,
        };
        view.write(out, self.paint)
    }

    /// Tells who waits for whom, if nobody can go on and that is known.
    fn waits(&self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        if ending.violation.is_none_or(|violation| violation.kind() != ViolationKind::Deadlock) {
            return Ok(());
        }
        let blocked = self.model.blocked(ending.state, Lessons::none());
        if blocked.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.paint.bold("who waits for whom"))?;
        let others = others(self.model, ending.state, &blocked);
        Waits::new("", &blocked).beside(others).write(out, self.paint)
    }

    /// Shows `path` from its beginning to its end, and what is wrong there.
    ///
    /// # Errors
    /// If the path cannot be followed, which is a contradiction for one that was replayed before.
    pub(crate) fn follow(
        &mut self,
        out: &mut dyn Write,
        path: &Path,
        cycle: Option<&Cycle>,
        wrong: impl Fn(&Violation) -> bool,
    ) -> Result<(), Failure> {
        let mut walker = Walker::new(self.model).map_err(|fault| {
            Failure::Internal(format!("the model does not start twice: {}", fault.message))
        })?;
        self.recent.begin(walker.state());
        let (mut moved, mut failing) = (true, None);
        let mut violations = Vec::new();
        let mut remarked = String::new();
        for (idx, &key) in path.steps.iter().enumerate() {
            let number = idx as u64 + 1;
            if cycle.is_some_and(|cycle| cycle.start == idx) {
                self.remark(out, "for ever:")?;
            }
            let mut moves = if self.wants(number) { walker.explain(key) } else { Vec::new() };
            if let (Kind::Steps(_), Some(first)) = (&self.kind, moves.first())
                && first.process.is_none()
                && moves.len() > 1
            {
                // Somebody who looks on and sees what they saw before need not say so again.
                if first.text == remarked {
                    moves.remove(0);
                } else {
                    remarked.clone_from(&first.text);
                }
            }
            let taken = walker.take(key);
            let taken = taken
                .ok_or_else(|| Failure::Internal(format!("step {number} is possible only sometimes")))?;
            (moved, failing) = (taken.moved, taken.failing);
            violations = taken.wrong;
            self.step(out, number, key, moves, walker.state())?;
        }
        violations.extend(walker.look().wrong);
        if let Some(violation) = violations.iter_mut().find(|violation| wrong(violation)) {
            violation.background = self.model.background(&path.steps, violation);
        }
        let mut violation = violations.iter().find(|violation| wrong(violation));
        if let Some(Cycle { start, violation: endless }) = cycle {
            self.remark(out, &format!("and so on, from step {} again", start + 1))?;
            if let Kind::Json(report) = &mut self.kind {
                report.cycle = Some(*start);
            }
            violation = Some(endless);
        }
        let cycle = cycle.map(|cycle| cycle.start);
        Ok(self.end(
            out,
            &Ending { state: walker.state(), moved, failing: failing.as_ref(), violation, cycle },
        )?)
    }
}

/// The processes of a state that are not among those that cannot go on.
pub(crate) fn others(model: &dyn Model, state: &[u8], blocked: &[Blocked]) -> Vec<String> {
    let names = model.processes(state).into_iter().map(|process| process.name.to_string());
    names.filter(|name| !blocked.iter().any(|one| one.name == *name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::Toy;
    use allways_model::Model;

    fn shown(toy: &Toy, steps: &[u64], mut view: View<'_>) -> String {
        let path = Path { model: toy.digest(), steps: steps.iter().map(|key| StepKey(*key)).collect() };
        let mut out = Vec::new();
        view.follow(&mut out, &path, None, |_| true).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_counterexample_as_steps() {
        let toy = Toy::racing();
        let text = shown(&toy, &[0, 1, 0, 0], View::steps(&toy, Paint::plain(), Some(4)));
        assert_eq!(
            text,
            "  1  add(0)  toy.pml:2  x = x + 1      x: 0 -> 1, prints \"0\\n\"
  2  add(1)  toy.pml:2  x = x + 1      ch!1, x: 1 -> 2, prints \"1\\n\"
  3  add(0)  toy.pml:2  x = x + 1      x: 2 -> 3, prints \"2\\n\"
  4  add(0)  toy.pml:3  assert(x < 3)  prints \"3\\n\"

state before the last step
  x = 3
  add(0)  at toy.pml:2  x < 0
  add(1)  at toy.pml:2  x < 0
"
        );
    }

    #[test]
    fn a_deadlock_says_who_waits() {
        let toy = Toy::sticking();
        let text = shown(&toy, &[0, 0, 0], View::steps(&toy, Paint::plain(), Some(3)));
        assert!(text.ends_with(
            "final state\n  x = 3\n  add(0)  waits at toy.pml:2  x < 0\n  \
             add(1)  rests at toy.pml:2  x < 0  (may end here)\n"
        ));
    }

    #[test]
    fn the_other_forms_hold_the_same_run() {
        let toy = Toy::racing();
        assert_eq!(shown(&toy, &[0, 1, 0, 0], View::output(&toy)), "0\n1\n2\n3\n");
        let json = shown(&toy, &[0, 1, 0, 0], View::json(&toy, "toy.pml"));
        assert!(json.contains("\"kind\": \"assertion\"") && json.contains("\"steps\": 4"), "{json}");
        let start = 0_u32.to_le_bytes();
        let chart = shown(&toy, &[0, 1, 0, 0], View::chart(&toy, "toy", &start, Msc::Text, false));
        assert!(chart.contains("●╌ ch!1") && chart.ends_with("assertion violated: x < 3\n"), "{chart}");
        let svg = shown(&toy, &[0, 1, 0, 0], View::chart(&toy, "toy", &start, Msc::Svg, false));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
