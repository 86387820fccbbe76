//! Certification that is shared between machines: a plan, a secret, tasks, and the merge of their results.
//!
//! Each part runs alone, from the certificate, the certifier's own program and the secret. The files of
//! results are all that goes between them.

use crate::file::Sealed;
use crate::merge::{self, Merged};
use crate::own::{self, Own, Question};
use crate::partition::Plan;
use crate::result::Summary;
use crate::secret::Secret;
use crate::sign::Verifier;
use crate::veracity::{Deviation, Error};
use crate::{task, with_place};
use allways_model::certificate::{Header, Kind, streams};
use allways_model::{Acceptance, Model};
use std::io::Write;
use std::path::{Path, PathBuf};

/// No more tasks than this.
const MAX_TASKS: u16 = 10_000;

/// A certification that is shared.
pub struct Shared {
    sealed: Sealed,
    question: Question,
    secret: Secret,
    trustful: bool,
    reference: bool,
    plan: Plan,
}

/// Makes the plan of a certification and, after the whole certificate was read, draws its secret. A key must
/// have signed the certificate, if one is given.
///
/// # Errors
/// If the certificate cannot be shared, or the operating system has no random numbers.
pub fn partition(
    file: &Path,
    n_tasks: u16,
    trustful: bool,
    key: Option<&Verifier>,
) -> Result<(Plan, Secret), Error> {
    let sealed = Sealed::read(file)?;
    key.map_or(Ok(()), |key| crate::require_signature(file, sealed.hash, key))?;
    if n_tasks == 0 || n_tasks > MAX_TASKS {
        return Err(Error::Input(format!("there may be 1 to {MAX_TASKS} tasks")));
    }
    let plan = plan(&sealed, n_tasks, trustful)?;
    Ok((plan, Secret::draw(sealed.hash, n_tasks)?))
}

fn plan(sealed: &Sealed, n_tasks: u16, trustful: bool) -> Result<Plan, Error> {
    let Header { kind, streams, .. } = &sealed.header;
    let no = |what: &str| Err(Error::Input(format!("tasks need the certificate of a graph: {what}")));
    match kind {
        Kind::Graph | Kind::Bounded => {}
        Kind::Tree if trustful => {}
        Kind::Tree => return no("this is one of a tree, for --trustful"),
        Kind::Violation { .. } => return no("this is one of a run"),
    }
    if trustful && !task::has_keys(*streams) {
        return no("without the keys of `check --keys`, or of `certify --cut`, no step can be taken alone");
    }
    let is_partial = *kind == Kind::Bounded;
    let plan = Plan::new(*streams, (trustful, is_partial), n_tasks, sealed.blocks()?)?;
    let (own, claimed) = ((plan.n_states, plan.n_all_steps), sealed.totals);
    if own == claimed { Ok(plan) } else { Err(Deviation::Totals { claimed, own }.into()) }
}

impl Shared {
    /// Makes ready for a task or the merge.
    ///
    /// # Errors
    /// If the certificate is not that of the secret.
    pub fn open(
        file: &Path,
        question: &Question,
        secret: Secret,
        trustful: bool,
        reference: bool,
    ) -> Result<Self, Error> {
        let sealed = Sealed::read(file)?;
        if sealed.hash != secret.file {
            return Err(Error::Input("the secret was drawn for another certificate".into()));
        }
        if secret.n_tasks > MAX_TASKS {
            return Err(Error::Input(format!("there may be 1 to {MAX_TASKS} tasks")));
        }
        let (question, more) = question.split(&sealed.header.spec)?;
        crate::no_conditions(&more, "a task")?;
        let plan = plan(&sealed, secret.n_tasks, trustful)?;
        Ok(Self { sealed, question, secret, trustful, reference, plan })
    }

    /// The certifier's program, if it is the one of the certificate.
    fn own(&self) -> Result<Own, Error> {
        let header = &self.sealed.header;
        let mut own = own::load(&self.question, &header.spec)?;
        if self.reference {
            own = own.interpreted()?;
        }
        let differences = own::differences(&header.spec, &own.spec);
        if !differences.is_empty() {
            return Err(Deviation::OtherSpec(differences).into());
        }
        if header.streams & streams::ROUNDS != 0 && !own.may_omit {
            let what = "states are expanded in part, and no reduction that the specification names does that";
            return Err(Deviation::Malformed(what.into()).into());
        }
        Ok(own)
    }

    fn check_model(&self, model: &dyn Model) -> Result<(), Error> {
        if model.digest() != self.sealed.header.digest {
            return Err(Deviation::OtherVersion(self.sealed.header.tool.clone()).into());
        }
        if self.trustful && model.acceptance() != Acceptance::Nowhere {
            return Err(Error::Unsupported("trustful certification of what no run does without end".into()));
        }
        Ok(())
    }

    fn summary(&self, own: &Own, model: &dyn Model, task: u16) -> Summary {
        Summary {
            file: self.sealed.hash,
            spec: own.spec.digest(),
            digest: model.digest(),
            key: self.secret.id(),
            task,
            n_tasks: self.secret.n_tasks,
            trustful: self.trustful,
            n_states: 0,
            n_steps: 0,
            n_part: 0,
            n_ends: 0,
            n_open: 0,
            n_path: 0,
            longest: 0,
            inputs: Vec::new(),
            violations: Vec::new(),
            n_violations: 0,
        }
    }

    /// Does the task with a number, from 1 on, and writes its result.
    ///
    /// # Errors
    /// The first deviation that the task meets; or if the result cannot be written.
    pub fn task(&self, number: u16, out: &mut dyn Write) -> Result<Summary, Error> {
        let idx = number.checked_sub(1).filter(|idx| *idx < self.secret.n_tasks);
        let n_tasks = self.secret.n_tasks;
        let idx = idx.ok_or_else(|| Error::Input(format!("there are tasks 1 to {n_tasks}")))?;
        let own = self.own()?;
        own.with_model(|model| {
            self.check_model(model)?;
            let claims = crate::claims(&self.sealed);
            let (roles, blocks) = (self.plan.roles(idx), self.sealed.blocks()?);
            let done = if self.trustful {
                task::tree(model, &claims, &roles, blocks)?
            } else {
                let keyed = self.secret.keyed();
                let done = task::graph(model, &claims, &roles, &keyed, blocks);
                with_place(done, model, &self.sealed)?
            };
            let differences = own.other_reads(&self.sealed.header.reads);
            if !differences.is_empty() {
                return Err(Deviation::OtherSpec(differences).into());
            }
            let load = &self.plan.loads[usize::from(idx)];
            let words = |(violation, state): &(allways_model::Violation, u64)| {
                let at = violation.location.as_ref().map_or(String::new(), |at| format!(" at {at}"));
                (*state, format!("{}{at}", violation.message()))
            };
            let summary = Summary {
                n_states: load.n_states,
                n_steps: done.n_steps,
                n_part: done.n_part,
                n_ends: done.n_ends,
                n_open: done.n_open + task::n_left(&self.plan, idx),
                n_path: load.n_path,
                inputs: own.inputs(),
                longest: done.longest as u64,
                violations: done.noted.first.iter().map(words).collect(),
                n_violations: done.noted.n,
                ..self.summary(&own, model, number)
            };
            summary.write(&self.secret, done.entries.into_iter(), out)?;
            Ok(summary)
        })
    }

    /// Joins the results of all tasks.
    ///
    /// # Errors
    /// What is wrong with them, or on what they do not agree.
    pub fn merge(&self, files: &[PathBuf]) -> Result<(Merged, Vec<String>), Error> {
        let own = self.own()?;
        let expected = own.with_model(|model| {
            self.check_model(model)?;
            Ok::<_, Error>(self.summary(&own, model, 0))
        })?;
        let mut trusted = own.trusted(&self.sealed.header.lessons);
        if self.trustful {
            trusted.push(crate::TRUSTED_PRODUCER.into());
        }
        trusted.push("the machines of the tasks, and that nobody else has the secret".into());
        let merged = merge::merge(files, &expected, &self.plan, &self.secret)?;
        trusted.extend(merged.inputs.iter().cloned());
        Ok((merged, trusted))
    }

    /// The certificate.
    #[must_use]
    pub fn sealed(&self) -> &Sealed {
        &self.sealed
    }
}
