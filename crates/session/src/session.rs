//! A session: one model with one property, ready to be checked, walked through and replayed.

use crate::identity::{self, Stamps};
use crate::request::STDIN;
use crate::{Diagnostics, Error, Interleaving, Language, Request, java, promela};
use allways_model::spec::Difference;
use allways_model::{Claim, Lessons, Model, Path, Refined, Sha256, Spec, Violation};
use allways_product::{Fair, Product};
use allways_report::TraceFile;
use std::path::Path as FilePath;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The program that is run.
pub(crate) enum Subject {
    Promela(Box<allways_promela::Program>),
    Java(Box<allways_java::Program>),
}

impl Subject {
    pub(crate) fn model(&self) -> &dyn Model {
        match self {
            Self::Promela(program) => &**program,
            Self::Java(program) => &**program,
        }
    }
}

/// What a front end makes of a request.
pub(crate) struct Parts {
    pub(crate) subject: Subject,
    /// The automaton for wrong runs, if the property is about runs that never end.
    pub(crate) claim: Option<Arc<Claim>>,
    /// Whether only weakly fair runs count.
    pub(crate) fair: bool,
    /// Never claims and formulas of the model, by name.
    pub(crate) claims: Vec<String>,
    /// Remarks on how the model will be searched.
    pub(crate) notes: Vec<String>,
    /// What the user should know about the model.
    pub(crate) warnings: Vec<String>,
    pub(crate) diagnostics: Diagnostics,
    /// The files that were read, by their names as seen from the model.
    pub(crate) files: Vec<(String, Sha256)>,
}

/// A model with a property.
///
/// ```
/// use allways_session::{Plan, Request, Session, Verdict, Watch};
///
/// let file = std::env::temp_dir().join("session-doc.pml");
/// std::fs::write(&file, "byte x; active [2] proctype p() { x++; assert(x < 2) }").unwrap();
/// let session = Session::open(Request::new(&file)).unwrap();
/// let checked = session.check(&Plan::default(), &Watch::default()).unwrap();
/// assert_eq!(checked.check.verdict, Verdict::Violated);
///
/// let run = session.replay(&checked.findings[0].path).unwrap();
/// assert_eq!(run.violations[0].message(), "assertion violated: x < 2");
/// assert_eq!(run.steps.len(), checked.findings[0].path.steps.len());
/// ```
pub struct Session {
    pub(crate) request: Request,
    pub(crate) language: Language,
    pub(crate) parts: Parts,
    /// What the search of a trace knew about the model.
    pub(crate) lessons: Lessons,
    /// How long loading the model took.
    pub(crate) loading: Duration,
    stamps: Stamps,
    /// The Spec, once somebody has asked for it: a class library takes a while to hash.
    spec: OnceLock<Spec>,
}

impl Session {
    /// Loads a model and attaches a property.
    ///
    /// # Errors
    /// If the model cannot be read, is wrong, or uses something that is not supported.
    pub fn open(request: Request) -> Result<Self, Error> {
        let begun = Instant::now();
        let language = request.language()?;
        request.refuse_foreign_options(language)?;
        let stamps = match language {
            Language::Promela => Stamps::default(),
            Language::Java => Stamps::of(&java::files(&request)?),
        };
        let parts = match language {
            Language::Promela => promela::load(&request)?,
            Language::Java => java::load(&request)?,
        };
        let (lessons, loading, spec) = (Lessons::new(), begun.elapsed(), OnceLock::new());
        Ok(Self { request, language, parts, lessons, loading, stamps, spec })
    }

    /// Loads the model of a trace, in the version that the trace was made with.
    ///
    /// # Errors
    /// As [`Session::open`], and if the model or what belongs to it has changed since: with the names of the
    /// files.
    pub fn of_trace(trace: &TraceFile, file: &FilePath, model: Option<&FilePath>) -> Result<Self, Error> {
        Self::of_trace_with(trace, file, model, None)
    }

    /// As [`Session::of_trace`]; `text` is the text of the model, if it was read from standard input again.
    ///
    /// # Errors
    /// As [`Session::of_trace`].
    pub fn of_trace_with(
        trace: &TraceFile,
        file: &FilePath,
        model: Option<&FilePath>,
        text: Option<Arc<[u8]>>,
    ) -> Result<Self, Error> {
        let shown = file.display();
        let is_given = model.is_some() || text.is_some();
        let request = Request::of_trace_with(trace, file, model, text)?;
        if !is_given && trace.place("model") == Some(STDIN) {
            return Err(Error::Input(
                "the model of this trace came from standard input, and is in no file: give it again, with \
                 --model - or --model FILE"
                    .into(),
            ));
        }
        if !is_given && trace.spec.language() == "promela" && !request.model.exists() {
            let name = request.model.display();
            return Err(Error::Input(format!(
                "the model {name} of this trace is not there; say where it is with --model"
            )));
        }
        // A file that has changed may not load at all, and its name says more than what is wrong with it.
        let refuse = |differences: Vec<Difference>| {
            if differences.is_empty() {
                return Ok(());
            }
            let list: Vec<String> = differences.iter().map(|one| format!("  {one}")).collect();
            let what = "what was checked is not what is there now";
            Err(Error::Input(format!("{shown}: {what}:\n{}", list.join("\n"))))
        };
        refuse(identity::changed_files(&trace.spec, &request)?)?;
        let mut session = Self::open(request)?;
        refuse(trace.spec.differences(&session.spec()?))?;
        identity::check_inputs(&trace.read, file)?;
        let lessons = trace.lessons.join("\n").parse();
        session.lessons =
            lessons.map_err(|error| Error::Input(format!("{shown}: corrupt trace, lesson: {error}")))?;
        let digest = session.with_model(|model| model.digest());
        if digest != trace.path.model {
            return Err(Error::Input(format!(
                "{shown}: corrupt trace, or another version of allways wrote it: its steps belong to a state space with \
                 digest {}, and this model's is {digest}",
                trace.path.model
            )));
        }
        Ok(session)
    }

    /// What is checked, complete: for Java this reads all of the class path and the JDK's class library.
    ///
    /// # Errors
    /// If a file cannot be read, or has changed since the model was loaded.
    pub fn spec(&self) -> Result<Spec, Error> {
        self.stamps.check()?;
        if let Some(spec) = self.spec.get() {
            return Ok(spec.clone());
        }
        let spec = identity::spec(self)?;
        Ok(self.spec.get_or_init(|| spec).clone())
    }

    /// Takes over what a search has learnt. The steps of a Java program that is reduced depend on it, so the
    /// runs that a search found are followed by a session that knows its
    /// [lessons](crate::Checked::lessons).
    ///
    /// ```no_run
    /// use allways_session::{Interleaving, Plan, Request, Session, Watch};
    ///
    /// let request = Request { interleaving: Interleaving::Conflicts, ..Request::new("Main.class") };
    /// let mut session = Session::open(request)?;
    /// let checked = session.check(&Plan::default(), &Watch::default())?;
    /// session.learn(&checked.lessons);
    /// for finding in &checked.findings {
    ///     println!("{} steps", session.replay(&finding.path)?.steps.len());
    /// }
    /// # Ok::<(), allways_session::Error>(())
    /// ```
    pub fn learn(&mut self, lessons: &Lessons) {
        self.lessons.merge_all(lessons);
    }

    /// The request that the session was opened with.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The language of the model.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Never claims and formulas of the model, by name.
    #[must_use]
    pub fn claims(&self) -> &[String] {
        &self.parts.claims
    }

    /// Remarks on how the model will be searched.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.parts.notes
    }

    /// What the user should know about the model. Warnings about its text are among the diagnostics too.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.parts.warnings
    }

    /// What the front end says about the text of the model.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.parts.diagnostics
    }

    /// Calls `show` with the model that is searched: the program, or its product with the property.
    pub fn with_model<T>(&self, show: impl FnOnce(&dyn Model) -> T) -> T {
        self.with_model_of(self.parts.subject.model(), Lessons::none(), show)
    }

    /// As [`Session::with_model`], with another program in the place of the session's own, and with more
    /// lessons than the session has.
    pub(crate) fn with_model_of<T>(
        &self,
        program: &dyn Model,
        lessons: &Lessons,
        show: impl FnOnce(&dyn Model) -> T,
    ) -> T {
        let program = Refined::new(program, &self.knowing(lessons));
        let Some(claim) = &self.parts.claim else { return show(&program) };
        let product = Product::new(&program, claim.clone());
        if self.parts.fair { show(&Fair::new(&product)) } else { show(&product) }
    }

    /// The lessons of the session and more.
    fn knowing(&self, more: &Lessons) -> Lessons {
        let mut lessons = self.lessons.clone();
        lessons.merge_all(more);
        lessons
    }

    /// The reductions in effect, by name.
    #[must_use]
    pub fn reduction(&self) -> String {
        match &self.parts.subject {
            Subject::Promela(program) => program.reductions().name(),
            Subject::Java(program) => {
                let locks = program.options().jdk_locks.then_some("jdk-locks");
                let interleaving = match self.request.interleaving {
                    Interleaving::EveryAccess if locks.is_some() => None,
                    Interleaving::EveryAccess => Some("none"),
                    Interleaving::Conflicts if !self.request.fair => Some("conflicts"),
                    _ => Some("local"),
                };
                let form = program.options().form;
                let acquires = (program.n_processes().is_some() && form.acquires).then_some("acquires");
                let order = program.is_ordered().then_some("order");
                let all = interleaving.into_iter().chain(locks).chain(acquires).chain(order);
                all.collect::<Vec<_>>().join("+")
            }
        }
    }

    /// A run as a trace file. `lessons` are what the search that found it knew.
    ///
    /// # Errors
    /// As [`Session::spec`].
    pub fn trace(
        &self,
        path: Path,
        violation: Option<&Violation>,
        cycle: Option<usize>,
        lessons: &Lessons,
    ) -> Result<TraceFile, Error> {
        Ok(TraceFile {
            spec: self.spec()?,
            places: self.request.places(self.language),
            read: identity::inputs(self),
            lessons: self.knowing(lessons).to_string().lines().map(ToOwned::to_owned).collect(),
            violation: violation.map(Violation::id),
            cycle,
            path,
        })
    }

    /// What a run that never ends and belongs to this session does wrong.
    #[must_use]
    pub fn violation_by_cycle(&self) -> Violation {
        self.request.property.violation_by_cycle(self.parts.fair)
    }
}
