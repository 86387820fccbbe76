//! `allways check`: checks the requested properties, or all that the model has, and prints results as they
//! are found.

use crate::certificate::{self, Certificate};
use crate::cli::CheckArgs;
use crate::counterexample;
use crate::failure::Failure;
use crate::files;
use crate::interrupt::Interrupt;
use crate::junit;
use crate::open;
use crate::options::ModelArgs;
use crate::plan;
use crate::progress::Progress;
use crate::stdin;
use crate::terminal::Terminal;
use crate::watchdog::{Overdue, Watchdog};
use allways_model::Model;
use allways_promela::Reductions;
use allways_report::{Check, CheckText, ExitCode, Limit, Paint, Verdict, check_json};
use allways_search::{Observer, StoreKind};
use allways_session::{
    Checked, Error, Interleaving, Language, Plan, Property, Request, Session, empty_check, given_up,
};
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;

/// Runs the command.
pub(crate) fn run(args: &CheckArgs, terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    terminal.quiet = args.quiet;
    let interrupt = Interrupt::watch();
    let memory = args.memory.or(Plan::default().limits.memory);
    let watchdog = Watchdog::new(args.time, memory, interrupt.flag());
    let give_up = |overdue| give_up(args, overdue);
    let result = watchdog.guard(give_up, || check_all(args, &watchdog, terminal));
    let written = args.junit.as_ref().map_or(Ok(()), |file| junit::write(file, args, &result));
    let code = finish(args, &result?, terminal)?;
    written.map(|()| code)
}

/// Checks what was asked for, or everything that the model has.
fn check_all(
    args: &CheckArgs,
    watchdog: &Watchdog<Checks>,
    terminal: &mut Terminal,
) -> Result<Vec<Check>, Failure> {
    let mut plan = plan::plan(args)?;
    // Claims need all states, which random walks do not visit and a cache does not keep.
    let is_cache = matches!(plan.store, Some(StoreKind::Cache(_)));
    let is_safety = plan.is_walk() || is_cache || args.certificate.is_some();
    let wanted = args.property.wanted().or(is_safety.then_some(Property::Safety));
    plan.is_wanted = wanted.is_some();
    let first = wanted.clone().unwrap_or_default();
    let models = if args.junit_class { junit::tests(args, terminal)? } else { vec![args.model.clone()] };
    let mut todo: VecDeque<(PathBuf, Property)> =
        models.into_iter().map(|model| (model, first.clone())).collect();
    let mut checks: Vec<Check> = Vec::new();
    while let Some((model, property)) = todo.pop_front() {
        let plain = Request { model: model.clone(), ..plain_request(args, &property) };
        let mut job = Job { args, plan: &plan, watchdog, request: plain };
        if checks.is_empty() || job.limit_passed().is_none() {
            let check = empty_check(&job.request, &plan, Verdict::Bounded);
            watchdog.loads(Checks { before: checks.clone(), check });
        }
        let wished = request(args, property)?;
        let model = if args.junit_class { model } else { wished.model.clone() };
        job.request = Request { model, ..wished }.fitting(&plan);
        let (check, claims) = job.run(&checks, terminal)?;
        let is_over = check.verdict == Verdict::Violated && !args.all_errors && !args.junit_class;
        if wanted.is_none() && checks.is_empty() && !is_over {
            let claims = claims.into_iter().map(Property::Claim);
            todo.extend(claims.map(|claim| (args.model.clone(), claim)));
        }
        checks.push(check);
        if is_over {
            break;
        }
    }
    Ok(checks)
}

/// The request to check one property, without the parts that depend on the files.
fn plain_request(args: &CheckArgs, property: &Property) -> Request {
    let ModelArgs { settings, .. } = args.options.clone();
    Request { property: property.clone(), settings, language: language(args), ..Request::new(&args.model) }
}

/// The request to check one property.
fn request(args: &CheckArgs, property: Property) -> Result<Request, Failure> {
    let reductions = if args.no_reduce { Reductions::NONE } else { args.reduce };
    let is_plain = reductions == Reductions::NONE;
    Ok(Request {
        fair: args.property.fair && property != Property::Safety,
        property,
        reductions,
        trust_claims: args.no_reduce,
        language: language(args),
        interleaving: if is_plain { Interleaving::EveryAccess } else { Interleaving::Conflicts },
        ..args.options.request(&args.model)?
    })
}

/// The language of the model, if that was said.
fn language(args: &CheckArgs) -> Option<Language> {
    if args.junit_class { Some(Language::Java) } else { args.options.language }
}

/// The first check with the worst verdict.
fn decisive(checks: &[Check]) -> &Check {
    let verdicts = [Verdict::Violated, Verdict::Unsupported, Verdict::Bounded, Verdict::Holds];
    let first = |verdict| checks.iter().find(|check| check.verdict == verdict);
    verdicts.into_iter().find_map(first).expect("something was checked")
}

/// Prints what remains to be printed, and gives the exit code: that of the worst verdict, the first of its
/// kind.
fn finish(args: &CheckArgs, checks: &[Check], terminal: &mut Terminal) -> Result<ExitCode, Failure> {
    let decisive = decisive(checks);
    let code = decisive.verdict.exit_code();
    let printed = if args.json {
        terminal.out.write_all(check_json(decisive, checks).as_bytes()).map_err(Failure::from)
    } else {
        Ok(())
    };
    // If the reader of the answer goes away, the exit code still says it.
    match printed.and_then(|()| terminal.flush()) {
        Err(failure) if failure.is_closed_pipe() => Err(Failure::Reported(code)),
        result => result.map(|()| code),
    }
}

/// The report when a check must be aborted: its partial result, after the results of earlier checks.
struct Checks {
    before: Vec<Check>,
    check: Check,
}

/// The check of one property.
struct Job<'a> {
    args: &'a CheckArgs,
    plan: &'a Plan,
    /// Knows when the command began: the time limit is that of all checks together.
    watchdog: &'a Watchdog<Checks>,
    request: Request,
}

impl Job<'_> {
    /// Searches, prints what was found unless that comes later, and gives it with the names of the model's
    /// claims. `before` are the checks of other properties.
    fn run(&self, before: &[Check], terminal: &mut Terminal) -> Result<(Check, Vec<String>), Failure> {
        let args = self.args;
        if let Some(limit) = self.limit_passed().filter(|_| !before.is_empty()) {
            let check =
                Check { limits: vec![limit], ..empty_check(&self.request, self.plan, Verdict::Bounded) };
            self.watchdog.disarm();
            self.print(terminal, &check, None)?;
            return Ok((check, Vec::new()));
        }
        let session = match Session::open(self.request.clone()) {
            Ok(session) => session,
            Err(Error::Unsupported(what, diagnostics)) => {
                self.watchdog.disarm();
                terminal.err_text(&diagnostics.render(!terminal.quiet, terminal.err_colour));
                let empty = empty_check(&self.request, self.plan, Verdict::Unsupported);
                let check = Check { unsupported: what, ..empty };
                self.print(terminal, &check, None)?;
                return Ok((check, Vec::new()));
            }
            Err(error) => {
                self.watchdog.disarm();
                return Err(open::failure(error, terminal));
            }
        };
        // From here on the process is ended between two lines, if at all.
        self.watchdog.disarm();
        open::say(&session, terminal);
        terminal.flush()?;
        let plan = certificate::plan(args, self.plan, &session);
        let certificate = match &args.certificate {
            Some(file) => Some(Certificate::begin(file, args.sign.as_deref(), &session, &plan)?),
            None => None,
        };
        let recorder = certificate.as_ref().map(Certificate::observer);
        let mut checked = self.search(&session, &plan, recorder.as_slice(), before)?;
        checked.warnings.iter().for_each(|warning| terminal.warn(warning));
        self.watchdog.disarm();
        let model = self.request.model.to_string_lossy();
        let same = before.iter().filter(|check| check.model == model);
        let n_before: usize = same.map(|check| check.errors.len()).sum();
        self.write_traces(&session, &mut checked, n_before, terminal);
        if args.json {
            checked.check.spec_digest = Some(session.spec()?.digest());
        }
        let first = checked.findings.first().map(|finding| finding.path.clone());
        let certified = certificate.map_or(Ok(()), |one| one.write(&session, &checked, terminal));
        let story = session.with_shown_refined(first.as_ref(), &checked.lessons, |shown| {
            let story = args.junit.is_some().then(|| self.story(shown, &checked)).transpose()?;
            self.print(terminal, &checked.check, Some((shown, &checked)))?;
            Ok::<_, Failure>(story)
        })??;
        // The result has been printed, whatever became of its evidence.
        certified?;
        checked.check.story = story.unwrap_or_default();
        if !args.json && !args.quiet {
            checked.remarks.iter().try_for_each(|one| one.write(&mut terminal.out))?;
        }
        Ok((checked.check, session.claims().to_vec()))
    }

    /// Searches, under the eyes of the watchdog until there are results to report.
    fn search(
        &self,
        session: &Session,
        plan: &Plan,
        observers: &[&dyn Observer],
        before: &[Check],
    ) -> Result<Checked, Failure> {
        let checks = |check| Checks { before: before.to_vec(), check };
        self.watchdog.searches(checks(session.empty_check(self.plan, Verdict::Bounded)));
        let progress = Progress::new(self.args.quiet, self.args.every);
        let spent = self.watchdog.begun().elapsed();
        let plan = Plan { spent, ..*plan };
        let checked = self.watchdog.supervise(progress, observers, |watch| session.check(&plan, watch))?;
        if checked.findings.is_empty() {
            self.watchdog.reports(checks(checked.check.clone()));
        } else {
            self.watchdog.disarm();
        }
        Ok(checked)
    }

    /// The limit that ends the command before this check begins.
    fn limit_passed(&self) -> Option<Limit> {
        if self.watchdog.is_interrupted() {
            return Some(Limit::Interrupt);
        }
        self.plan.limits.time.filter(|time| self.watchdog.begun().elapsed() >= *time).map(Limit::Time)
    }

    /// The first counterexample as the plain text that is printed.
    fn story(&self, model: &dyn Model, checked: &Checked) -> Result<String, Failure> {
        let mut text = Vec::new();
        if let Some(finding) = checked.findings.first() {
            counterexample::show(model, finding, &mut text, Paint::plain(), self.args.full)?;
            let in_full = checked.remarks.iter().filter(|remarks| remarks.in_full);
            in_full.into_iter().try_for_each(|one| one.write(&mut text))?;
        }
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Prints what is known, unless it comes later as JSON.
    fn print(
        &self,
        terminal: &mut Terminal,
        check: &Check,
        found: Option<(&dyn Model, &Checked)>,
    ) -> Result<(), Failure> {
        let args = self.args;
        if args.json {
            return Ok(());
        }
        let (out, paint) = (&mut terminal.out, terminal.paint);
        let text = CheckText { check, full: args.full, paint };
        if args.quiet {
            return Ok(text.write_verdict(out)?);
        }
        if let Some((model, checked)) = found
            && let Some(finding) = checked.findings.first()
        {
            counterexample::show(model, finding, out, paint, args.full)?;
            if let Some(trace) = check.errors.first().and_then(|error| error.trace.as_ref()) {
                let (name, word) = (trace.display(), shell_word(&trace.to_string_lossy()));
                writeln!(out, "written to {name}; see it again with: allways replay {word}\n")?;
            }
        }
        Ok(text.write(out)?)
    }

    /// Writes a trace for every finding, numbered from the one after `n_before` on. The answer stands even if
    /// a trace cannot be written.
    fn write_traces(
        &self,
        session: &Session,
        checked: &mut Checked,
        n_before: usize,
        terminal: &mut Terminal,
    ) {
        let first = self.args.trace.clone().unwrap_or_else(|| {
            let mut name = match stdin::is_meant(&self.args.model) {
                true => "stdin".into(),
                false => self.request.model.file_name().unwrap_or_default().to_os_string(),
            };
            name.push(".trace");
            PathBuf::from(name)
        });
        let Checked { check, findings, lessons, .. } = checked;
        for (idx, (finding, error)) in findings.iter().zip(&mut check.errors).enumerate() {
            let file = files::numbered(&first, n_before + idx + 1);
            let violation = &finding.violation;
            let written = session
                .trace(finding.path.clone(), Some(violation), finding.cycle, lessons)
                .map_err(|error| error.to_string())
                .and_then(|trace| {
                    let text = trace.to_text(Some(&violation.message()));
                    files::write_trace(&file, &text).map_err(|error| error.to_string())
                });
            match written {
                Ok(()) => error.trace = Some(file),
                Err(why) => terminal.warn(&format!("cannot write the trace to {}: {why}", file.display())),
            }
        }
    }
}

/// Reports what is known of checks that a limit ends while they are inside something that they cannot leave.
/// Gives the exit code.
fn give_up(args: &CheckArgs, overdue: Overdue<Checks>) -> ExitCode {
    let Overdue { report: Checks { before: mut checks, check }, limit, sample, elapsed } = overdue;
    let plan = plan::plan(args).unwrap_or_default();
    let check = given_up(check, &plan, limit, sample, elapsed);
    if args.certificate.is_some() {
        eprintln!("warning: no certificate was written: the search could not end between two steps");
    }
    let mut out = std::io::stdout().lock();
    let text = CheckText { check: &check, full: args.full, paint: Paint::plain() };
    let _ = match (args.json, args.quiet) {
        (true, _) => Ok(()),
        (false, true) => text.write_verdict(&mut out),
        (false, false) => text.write(&mut out),
    };
    checks.push(check);
    let decisive = decisive(&checks);
    let code = decisive.verdict.exit_code();
    if args.json {
        let _ = out.write_all(check_json(decisive, &checks).as_bytes());
    }
    let _ = out.flush();
    if let Some(file) = &args.junit {
        let _ = junit::write(file, args, &Ok(checks));
    }
    code
}

/// `text` as one word of a command line.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=@:,%".contains(c);
    if text.chars().all(plain) { text.into() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_is_one_word() {
        assert_eq!(shell_word("a/b-c.trace"), "a/b-c.trace");
        assert_eq!(shell_word("it's one"), "'it'\\''s one'");
    }
}
