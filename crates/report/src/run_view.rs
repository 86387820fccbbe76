//! The views of a run: a table of steps, a chart, a JSON object, or only the program's output.
//!
//! A [`RunView`] is fed step by step and ended once. It is the one place that decides what a run looks like,
//! so that a counterexample, its replay and a simulation are shown alike.

use crate::{
    Chart, ChartStyle, ErrorReport, Paint, Recent, RunReport, StateView, StepReport, StepTable, Waits,
};
use allways_model::{Lessons, Model, Move, Snapshot, StepKey, Violation, ViolationKind};
use std::io::{self, Write};

/// How a chart or another picture is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// With characters.
    Text,
    /// As a drawing for a browser.
    Svg,
}

/// A run being shown.
pub struct RunView<'m> {
    model: &'m dyn Model,
    kind: Kind,
    paint: Paint,
    full: bool,
    recent: Recent,
    /// The last move of an automaton that observes the run, if it was shown.
    observed: String,
}

enum Kind {
    Steps(StepTable),
    Chart(Box<Chart>, Picture),
    Json(Box<RunReport>),
    Output,
}

/// How a run ended.
pub struct RunEnd<'a> {
    /// The last state.
    pub state: &'a [u8],
    /// Whether the last step led to it; if not, it is the state before the last step.
    pub moved: bool,
    /// The state inside the last step in which it went wrong, if it led to no state and that is known.
    pub failing: Option<&'a Snapshot>,
    /// What is wrong at the end.
    pub violation: Option<&'a Violation>,
    /// After how many steps the run repeats the rest of them, if it does.
    pub cycle: Option<usize>,
}

impl RunEnd<'_> {
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

    fn is_deadlock(&self) -> bool {
        self.violation.is_some_and(|violation| violation.kind() == ViolationKind::Deadlock)
    }
}

impl<'m> RunView<'m> {
    fn of(model: &'m dyn Model, kind: Kind, paint: Paint) -> Self {
        Self { model, kind, paint, full: true, recent: Recent::default(), observed: String::new() }
    }

    /// The same view, with long states in full or not.
    #[must_use]
    pub fn with_states(self, full: bool) -> Self {
        Self { full, ..self }
    }

    /// The run and its last steps, as far as they matter to how a state is shown.
    pub fn recent(&mut self) -> &mut Recent {
        &mut self.recent
    }

    /// A table of steps; with `n_steps` a long one is elided.
    #[must_use]
    pub fn steps(model: &'m dyn Model, paint: Paint, n_steps: Option<u64>) -> Self {
        let table = match n_steps {
            Some(n) => StepTable::elided(paint, n),
            None => StepTable::full(paint),
        };
        Self { full: n_steps.is_none(), ..Self::of(model, Kind::Steps(table), paint) }
    }

    /// A chart of a run that begins in `initial`.
    #[must_use]
    pub fn chart(model: &'m dyn Model, title: &str, initial: &[u8], form: Picture, full: bool) -> Self {
        let chart = Chart::new(title, &model.processes(initial));
        Self { full, ..Self::of(model, Kind::Chart(Box::new(chart), form), Paint::plain()) }
    }

    /// A JSON object.
    #[must_use]
    pub fn json(model: &'m dyn Model, name: &str) -> Self {
        let report =
            RunReport { model: name.into(), digest: model.digest().to_string(), ..RunReport::default() };
        Self::of(model, Kind::Json(Box::new(report)), Paint::plain())
    }

    /// Only what the program prints.
    #[must_use]
    pub fn output(model: &'m dyn Model) -> Self {
        Self::of(model, Kind::Output, Paint::plain())
    }

    /// Whether the moves of the step `number` will be shown.
    #[must_use]
    pub fn wants(&self, number: u64) -> bool {
        match &self.kind {
            Kind::Steps(table) => table.shows(number),
            Kind::Chart(..) | Kind::Json(_) | Kind::Output => true,
        }
    }

    /// Shows the step `number`, from one, after which the model is in `after`.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn step(
        &mut self,
        out: &mut dyn Write,
        number: u64,
        key: StepKey,
        mut moves: Vec<Move>,
        after: &[u8],
    ) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => {
                // What an automaton reads is shown when it changes.
                if let Some(first) = moves.first().filter(|first| first.process.is_none() && moves.len() > 1)
                {
                    if first.text == self.observed {
                        moves.remove(0);
                    } else {
                        self.observed.clone_from(&first.text);
                    }
                }
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

    /// Says something between two steps. A chart says at its end from where on it repeats itself.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn remark(&mut self, out: &mut dyn Write, text: &str) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => table.remark(out, text),
            Kind::Chart(..) | Kind::Json(_) | Kind::Output => Ok(()),
        }
    }

    /// Shows how the run ended.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn end(&mut self, out: &mut dyn Write, end: &RunEnd<'_>) -> io::Result<()> {
        match &mut self.kind {
            Kind::Steps(table) => {
                table.show_now(out)?;
                writeln!(out, "\n{}", self.paint.bold(end.heading()))?;
                self.state(out, end)?;
                self.waits(out, end)
            }
            Kind::Chart(chart, form) => {
                if let Some(violation) = end.violation {
                    let again = end.cycle.map_or(String::new(), |start| {
                        format!(" (and so on, from step {} again)", start + 1)
                    });
                    chart.finish(&format!("{}{again}", violation.message()));
                    if let Some(start) = end.cycle {
                        chart.repeat_from(start as u64 + 1);
                    }
                }
                let style = ChartStyle { full: self.full };
                let text = match form {
                    Picture::Text => chart.to_text(style),
                    Picture::Svg => chart.to_svg(style),
                };
                out.write_all(text.as_bytes())
            }
            Kind::Json(report) => {
                let Snapshot { processes, variables } = end.snapshot(self.model);
                (report.processes, report.variables) = (processes, variables);
                report.warnings = self.model.noticed();
                report.cycle = end.cycle;
                let n_steps = report.steps.len() as u64;
                report.error = end.violation.map(|violation| ErrorReport::of(violation, Some(n_steps)));
                report.write(out)
            }
            Kind::Output => Ok(()),
        }
    }

    /// Shows a state.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn state(&self, out: &mut dyn Write, end: &RunEnd<'_>) -> io::Result<()> {
        let Snapshot { processes, variables } = end.snapshot(self.model);
        // Some processes may continue while others wait indefinitely.
        let n_blocked =
            if end.is_deadlock() { self.model.blocked(end.state, Lessons::none()).len() } else { 0 };
        let initial = self.recent.initial().map_or(Vec::new(), |state| self.model.variables(state));
        let view = StateView {
            processes: &processes,
            variables: &variables,
            initial: &initial,
            recent: &self.recent.names(),
            stuck: end.is_deadlock() && (n_blocked == 0 || n_blocked == processes.len()),
            full: self.full,
        };
        view.write(out, self.paint)
    }

    /// Shows who waits for whom at a deadlock, if that is known.
    fn waits(&self, out: &mut dyn Write, end: &RunEnd<'_>) -> io::Result<()> {
        let blocked = match end.is_deadlock() {
            true => self.model.blocked(end.state, Lessons::none()),
            false => Vec::new(),
        };
        if blocked.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.paint.bold("who waits for whom"))?;
        Waits::new("", &blocked).among(&self.model.processes(end.state)).write(out, self.paint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::{Batch, Cursor};
    use allways_testkit::toy::Toy;

    /// Shows the run along `steps`, the last of which ends in a violation.
    fn shown(toy: &Toy, steps: &[u64], mut view: RunView<'_>) -> String {
        let (mut cursor, mut batch, mut out) = (toy.cursor(Lessons::none()), Batch::new(), Vec::new());
        cursor.initial(&mut batch).unwrap();
        let mut state = batch.vector(0).to_vec();
        view.recent().begin(&state);
        let (mut moved, mut wrong) = (true, Vec::new());
        let mut expand = |cursor: &mut dyn Cursor, state: &[u8]| {
            batch.clear();
            cursor.load(state);
            cursor.expand(&mut batch).unwrap();
            let entries = batch.entries().iter().enumerate();
            let next =
                entries.map(|(idx, entry)| (entry.key, batch.vector(idx).to_vec())).collect::<Vec<_>>();
            (next, batch.violations().to_vec())
        };
        for (&key, number) in steps.iter().zip(1..) {
            let (next, found) = expand(&mut *cursor, &state);
            let moves = cursor.explain(StepKey(key)).unwrap();
            let to = next.into_iter().find(|(found, _)| *found == StepKey(key));
            (moved, wrong) = (to.is_some(), found);
            state = to.map_or(state, |(_, vector)| vector);
            view.step(&mut out, number, StepKey(key), moves, &state).unwrap();
        }
        wrong.extend(expand(&mut *cursor, &state).1);
        let end = RunEnd { state: &state, moved, failing: None, violation: wrong.first(), cycle: None };
        view.end(&mut out, &end).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_counterexample_as_steps() {
        let toy = Toy::racing();
        let text = shown(&toy, &[0, 1, 0, 0], RunView::steps(&toy, Paint::plain(), Some(4)));
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
        let text = shown(&toy, &[0, 0, 0], RunView::steps(&toy, Paint::plain(), Some(3)));
        assert!(text.ends_with(
            "final state\n  x = 3\n  add(0)  waits at toy.pml:2  x < 0\n  \
             add(1)  rests at toy.pml:2  x < 0  (may end here)\n"
        ));
    }

    #[test]
    fn the_other_forms_hold_the_same_run() {
        let toy = Toy::racing();
        let run = [0, 1, 0, 0];
        assert_eq!(shown(&toy, &run, RunView::output(&toy)), "0\n1\n2\n3\n");
        let json = shown(&toy, &run, RunView::json(&toy, "toy.pml"));
        assert!(json.contains("\"kind\": \"assertion\"") && json.contains("\"steps\": 4"), "{json}");
        let start = 0_u32.to_le_bytes();
        let chart = shown(&toy, &run, RunView::chart(&toy, "toy", &start, Picture::Text, false));
        assert!(chart.contains("●╌ ch!1") && chart.ends_with("assertion violated: x < 3\n"), "{chart}");
        let svg = shown(&toy, &run, RunView::chart(&toy, "toy", &start, Picture::Svg, false));
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
