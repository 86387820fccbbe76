//! Choosing every step by hand.
//!
//! A conversation on standard input and output, one line a command, so that it can be piped and tested. It
//! ends with `q` or with the input; a run that cannot go on stays open, because one may want to look around
//! or go back.

use crate::failure::Failure;
use crate::terminal::Terminal;
use allways_model::{Model, Move, Snapshot, StepKey, Violation};
use allways_report::{Paint, RunEnd, RunView, StepTable, process_label, visible};
use allways_search::SplitMix64;
use allways_session::{Choices, Walker};
use std::io::{BufRead, Write};

const HELP: &str = "\
  NUMBER  take that step        ENTER  take the only step, or list the steps again
  r       a random step         r N    N random steps
  b       go back one step      b N    go back N steps
  v       variables and where the processes are
  q       quit
";

/// Lets the user walk, after the steps of `keys`; gives the walker where it was left, and what is wrong
/// there.
pub(crate) fn run<'m>(
    model: &'m dyn Model,
    walker: Walker<'m>,
    keys: &[StepKey],
    full: bool,
    terminal: &mut Terminal,
) -> Result<(Walker<'m>, Option<Violation>), Failure> {
    let paint = terminal.paint;
    let stdin = std::io::stdin().lock();
    let mut view = RunView::steps(model, paint, None).with_states(full);
    view.recent().begin(walker.state());
    let out = terminal.out.endless();
    let mut session =
        Session { walker, view, out, paint, random: SplitMix64::new(1), wrong: Vec::new(), failing: None };
    for key in keys {
        session.take(*key)?;
    }
    session.talk(stdin)?;
    let Session { mut walker, mut wrong, .. } = session;
    wrong.extend(walker.look().wrong);
    Ok((walker, wrong.into_iter().next()))
}

struct Session<'a, 'm> {
    walker: Walker<'m>,
    view: RunView<'m>,
    out: &'a mut dyn Write,
    paint: Paint,
    random: SplitMix64,
    /// What went wrong in the last step; a run cannot go on from there.
    wrong: Vec<Violation>,
    /// Where it did, if that is known.
    failing: Option<Snapshot>,
}

impl Session<'_, '_> {
    fn talk(&mut self, input: impl BufRead) -> Result<(), Failure> {
        let mut lines = input.lines();
        let mut choices = self.list()?;
        loop {
            write!(self.out, "{} ", self.paint.bold(&format!("{}>", self.walker.n_steps())))?;
            self.out.flush()?;
            let line = match lines.next() {
                Some(Ok(line)) => line,
                Some(Err(error)) => return Err(Failure::Input(format!("cannot read the input: {error}"))),
                None => {
                    writeln!(self.out, "\nend of input")?;
                    return Ok(());
                }
            };
            let mut words = line.split_whitespace();
            let (word, rest) = (words.next().unwrap_or(""), words.next());
            let n: Option<u64> = rest.map_or(Some(1), |text| text.parse().ok());
            match (word, n) {
                ("q" | "quit" | "exit", _) => return Ok(()),
                ("?" | "h" | "help", _) => self.out.write_all(HELP.as_bytes())?,
                ("v", _) => self.show_state()?,
                ("b", Some(n)) => choices = self.back(n)?,
                ("r", Some(n)) => choices = self.wander(n, choices)?,
                ("", _) if choices.len() == 1 => choices = self.go(choices[0])?,
                ("", _) => choices = self.list()?,
                _ => match word.parse::<usize>() {
                    Ok(number) if (1..=choices.len()).contains(&number) => {
                        choices = self.go(choices[number - 1])?;
                    }
                    Ok(_) if choices.is_empty() => {
                        writeln!(self.out, "no step is possible here; b goes back")?
                    }
                    Ok(_) => writeln!(self.out, "choose a number from 1 to {}", choices.len())?,
                    Err(_) => writeln!(self.out, "'{}' is not understood; ? helps", visible(&line))?,
                },
            }
        }
    }

    /// Takes a step and lists what can happen next.
    fn go(&mut self, key: StepKey) -> Result<Vec<StepKey>, Failure> {
        self.take(key)?;
        self.list()
    }

    fn take(&mut self, key: StepKey) -> Result<(), Failure> {
        let moves = self.walker.explain(key);
        let taken = self.walker.take(key);
        let taken =
            taken.ok_or_else(|| Failure::Internal("a step that was listed cannot be taken".into()))?;
        let number = self.walker.n_steps();
        self.view.recent().note(number, &moves);
        for one in moves {
            let place = one.location.as_ref().map_or(String::new(), |at| format!("{at}  "));
            let who = process_label(&one.process_name, one.process);
            let note = format!("step {number}: {who}  {place}{}", visible(&one.text));
            writeln!(self.out, "{}", self.paint.dim(&note))?;
            if !one.output.is_empty() {
                let text = visible(one.output.trim_end_matches('\n'));
                writeln!(self.out, "  prints: {}", self.paint.output(&text))?;
            }
        }
        (self.wrong, self.failing) = (taken.wrong, taken.failing);
        Ok(())
    }

    fn back(&mut self, n: u64) -> Result<Vec<StepKey>, Failure> {
        if self.walker.n_steps() == 0 {
            writeln!(self.out, "this is the beginning")?;
        }
        for _ in 0..n {
            if !self.walker.back() {
                break;
            }
        }
        self.view.recent().back_to(self.walker.n_steps());
        self.wrong.clear();
        self.failing = None;
        self.list()
    }

    fn wander(&mut self, n: u64, mut choices: Vec<StepKey>) -> Result<Vec<StepKey>, Failure> {
        for _ in 0..n {
            if choices.is_empty() {
                break;
            }
            let key = choices[self.random.below(choices.len())];
            self.take(key)?;
            choices = if self.wrong.is_empty() { self.walker.look().keys } else { Vec::new() };
        }
        self.list()
    }

    /// Lists the steps that can be chosen; none if the run has come to an end.
    fn list(&mut self) -> Result<Vec<StepKey>, Failure> {
        let Choices { keys, mut wrong, fault } = self.walker.look();
        wrong.splice(0..0, self.wrong.iter().cloned());
        for violation in &wrong {
            let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
            writeln!(self.out, "{}{at}", self.paint.bad(&violation.message()))?;
        }
        if let Some(fault) = fault {
            writeln!(self.out, "{} {}", self.paint.warn("unsupported:"), fault.message)?;
        }
        if !self.wrong.is_empty() {
            writeln!(self.out, "the run ends here; b goes back, v shows the state, q quits")?;
            return Ok(Vec::new());
        }
        if keys.is_empty() {
            let what = if wrong.is_empty() { "the program has terminated" } else { "nothing can happen" };
            writeln!(self.out, "{what}; b goes back, v shows the state, q quits")?;
            return Ok(keys);
        }
        let explained: Vec<Vec<Move>> = keys.iter().map(|key| self.walker.explain(*key)).collect();
        let mut table = StepTable::full(self.paint);
        for (idx, moves) in explained.iter().enumerate() {
            table.step(self.out, idx as u64 + 1, moves)?;
        }
        table.show_now(self.out)?;
        Ok(keys)
    }

    fn show_state(&mut self) -> Result<(), Failure> {
        let wrong = self.walker.look().wrong;
        let ending = RunEnd {
            state: self.walker.state(),
            moved: true,
            failing: self.failing.as_ref(),
            violation: wrong.first(),
            cycle: None,
        };
        Ok(self.view.state(self.out, &ending)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_testkit::toy::Toy;

    fn talk(toy: &Toy, input: &str) -> String {
        let mut out = Vec::new();
        let mut session = Session {
            walker: Walker::new(toy).unwrap().keeping(),
            view: RunView::steps(toy, Paint::plain(), None),
            out: &mut out,
            paint: Paint::plain(),
            random: SplitMix64::new(1),
            wrong: Vec::new(),
            failing: None,
        };
        session.talk(input.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn steps_are_listed_and_taken() {
        let text = talk(&Toy::racing(), "2\nv\nq\n");
        assert!(
            text.starts_with(
                "  1  add(0)  toy.pml:2  x = x + 1  x: 0 -> 1, prints \"0\\n\"\n  \
             2  add(1)  toy.pml:2  x = x + 1  ch!0, x: 0 -> 1, prints \"0\\n\"\n0> "
            ),
            "{text}"
        );
        assert!(text.contains("1>   x = 1\n  add(0)  at toy.pml:2"), "{text}");
        assert!(text.ends_with("1> "), "{text}");
    }

    #[test]
    fn the_end_of_a_run_is_not_the_end_of_the_talk() {
        let text = talk(&Toy::racing(), "r 3\n\nb\n7\nq\n");
        assert!(text.contains("assertion violated: x < 3 at toy.pml:3\nthe run ends here"), "{text}");
        assert!(text.ends_with("3> choose a number from 1 to 1\n3> "), "{text}");
        let text = talk(&Toy::sticking(), "r 9\nv\nb 99\nb\n");
        assert!(text.contains("invalid end state at toy.pml:3\nnothing can happen"), "{text}");
        assert!(text.contains("waits at") && text.contains("this is the beginning"), "{text}");
        assert!(text.ends_with("0> \nend of input\n"), "{text}");
    }

    #[test]
    fn nonsense_is_answered() {
        let text = talk(&Toy::racing(), "x\x1b\n-1\n999999999999999999999\nb x\n?\n");
        assert_eq!(text.matches("is not understood; ? helps").count(), 4, "{text}");
        assert!(text.contains("take that step") && !text.contains('\x1b'), "{text}");
    }
}
