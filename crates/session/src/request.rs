//! What a caller wants checked: a file, the options of its front end, a property and reductions.

use crate::places::seen_from;
use crate::{Error, Plan, Property, StoreKind, recognise};
use allways_model::options::{OptionSpec, Settings, Takes};
use allways_promela::Reductions;
use allways_report::TraceFile;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The languages that there are front ends for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Promela, as SPIN 6 has it.
    Promela,
    /// Java bytecode.
    Java,
}

/// What a model is called that was read from standard input.
pub const STDIN: &str = "<stdin>";

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::Promela, Self::Java];

    /// The name in options and specifications.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Promela => "promela",
            Self::Java => "java",
        }
    }

    /// What models in this language are called.
    fn models(self) -> &'static str {
        match self {
            Self::Promela => "Promela models",
            Self::Java => "Java programs",
        }
    }

    /// The options that its front end declares.
    #[must_use]
    pub fn options(self) -> &'static [OptionSpec] {
        match self {
            Self::Promela => allways_promela::options::OPTIONS,
            Self::Java => allways_java::options::OPTIONS,
        }
    }
}

/// Where the threads of a Java program are interleaved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interleaving {
    /// At every access.
    EveryAccess,
    /// At every access to what several threads can reach.
    #[default]
    Shared,
    /// Where accesses were seen in conflict.
    Conflicts,
}

impl Interleaving {
    const ALL: [Self; 3] = [Self::EveryAccess, Self::Shared, Self::Conflicts];

    /// The name in specifications.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EveryAccess => "every-access",
            Self::Shared => "shared",
            Self::Conflicts => "conflicts",
        }
    }
}

/// What a caller wants checked.
///
/// ```
/// use allways_session::Request;
///
/// let mut request = Request::new("leader.pml");
/// request.settings.add("define", "N=4");
/// assert_eq!(request.language().unwrap().name(), "promela");
/// assert!(Request::new("notes.txt").language().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The model: a file, or for Java also a main class.
    pub model: PathBuf,
    /// The text of a Promela model that is in no file. Then [`Request::model`] is a name for people.
    pub text: Option<Arc<[u8]>>,
    /// What a specification calls the model; `None` for the name of its file.
    pub name: Option<String>,
    /// Its language, if its name does not tell.
    pub language: Option<Language>,
    /// Values for options that the front ends declare.
    pub settings: Settings,
    /// The arguments of a Java program.
    pub arguments: Vec<String>,
    /// What the model is checked for.
    pub property: Property,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// The reductions of a Promela model.
    pub reductions: Reductions,
    /// Do not hold a Promela model to its `xr` and `xs` claims.
    pub trust_claims: bool,
    /// Where the threads of a Java program are interleaved.
    pub interleaving: Interleaving,
    /// What a Java program prints is part of its states.
    pub keep_output: bool,
}

/// The endings under which Promela is found in the wild.
const PROMELA: [&str; 8] = ["pml", "dpml", "promela", "prom", "prm", "pm", "pr", "spin"];

impl Request {
    /// A model by its name, without options, to be checked for safety.
    #[must_use]
    pub fn new(model: impl Into<PathBuf>) -> Self {
        Self {
            model: model.into(),
            text: None,
            name: None,
            language: None,
            settings: Settings::default(),
            arguments: Vec::new(),
            property: Property::Safety,
            fair: false,
            reductions: Reductions::NONE,
            trust_claims: false,
            interleaving: Interleaving::default(),
            keep_output: false,
        }
    }

    /// A Promela model that was read from standard input.
    #[must_use]
    pub fn from_stdin(text: Arc<[u8]>) -> Self {
        Self { text: Some(text), ..Self::new(STDIN) }
    }

    /// Why a file is taken for a Promela model, if its name does not tell.
    pub(crate) fn assumption(&self) -> Option<String> {
        let ending = self.model.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let tells = ending.is_some_and(|ending| PROMELA.contains(&ending.as_str()));
        if self.language.is_some() || self.text.is_some() || tells {
            return None;
        }
        let (word, line) = self.promela_word()?;
        Some(format!(
            "{} is taken for a Promela model because of `{word}` in line {line}; --language says otherwise",
            self.model.display()
        ))
    }

    /// The word by which the file of the model is Promela.
    fn promela_word(&self) -> Option<(&'static str, usize)> {
        // A pipe can be read only once, and the front end reads it.
        let is_file = std::fs::metadata(&self.model).is_ok_and(|meta| meta.is_file());
        let text = is_file.then(|| std::fs::read(&self.model).ok()).flatten()?;
        recognise::promela_word(&text)
    }

    /// The language: the one that was asked for, or the one that the name or the text of the file tells.
    ///
    /// # Errors
    /// If neither does.
    pub fn language(&self) -> Result<Language, Error> {
        let ending = self.model.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let name = self.model.display();
        let input = |message: String| Err(Error::Input(message));
        let looks_like_java = (["class-path", "process"].iter().any(|name| self.settings.is_on(name)))
            || matches!(ending.as_deref(), Some("class" | "jar"));
        if self.text.is_some() {
            return match self.language {
                Some(Language::Java) => input(format!("{name} can be a Promela model only")),
                _ if looks_like_java => input(format!("{name} can be a Promela model only")),
                _ => Ok(Language::Promela),
            };
        }
        match (self.language, ending) {
            (Some(language), _) => Ok(language),
            (None, _) if looks_like_java => Ok(Language::Java),
            (None, Some(ending)) if PROMELA.contains(&ending.as_str()) => Ok(Language::Promela),
            (None, Some(ending)) if ending == "java" => input(format!(
                "{name} is Java source: compile it, and name the class file (or -cp DIR and the main class)"
            )),
            (None, _) if self.promela_word().is_some() => Ok(Language::Promela),
            (None, _) => input(self.why_unknown()),
        }
    }

    /// Why neither the name nor the text of the file tells the language.
    fn why_unknown(&self) -> String {
        let name = self.model.display();
        match std::fs::metadata(&self.model) {
            Err(_) => format!("there is no file {name}; the main class of a Java program needs -cp DIR"),
            Ok(meta) if meta.is_dir() => {
                format!("{name} is a directory; for Java say -cp {name} and the main class")
            }
            Ok(meta) if meta.is_file() && meta.len() == 0 => format!("{name} is empty"),
            Ok(_) => format!(
                "the language of {name} is not known; Promela models end in .pml, or say --language promela; \
                 for Java name a .class or .jar file, or -cp DIR and the main class"
            ),
        }
    }

    /// The same request without the reductions that a search by `plan` cannot use.
    #[must_use]
    pub fn fitting(mut self, plan: &Plan) -> Self {
        // A random walk chooses among all interleavings.
        self.reductions.order &= !plan.is_walk();
        // Nothing remembers which steps a search for cycles has left out of a lossy store's states.
        let is_lossy = plan.store.is_some_and(StoreKind::is_lossy);
        self.reductions.order &= !(is_lossy && self.property != Property::Safety);
        self
    }

    /// What a specification calls the file of the model.
    pub(crate) fn model_name(&self) -> String {
        let own = || self.model.file_name().map(|name| name.to_string_lossy().into_owned());
        self.name.clone().or_else(own).unwrap_or_default()
    }

    /// Refuses options of other languages, by name.
    pub(crate) fn refuse_foreign_options(&self, language: Language) -> Result<(), Error> {
        if language != Language::Java && !self.arguments.is_empty() {
            let message = format!("arguments after -- are for {}", Language::Java.models());
            return Err(Error::Input(message));
        }
        for other in Language::ALL.into_iter().filter(|other| *other != language) {
            for option in other.options() {
                let is_ours = language.options().iter().any(|ours| ours.name == option.name);
                if !is_ours && self.settings.value(option.name).is_some() {
                    let dashed = match option.short {
                        Some(short) => format!("-{short}"),
                        None => format!("--{}", option.name),
                    };
                    return Err(Error::Input(format!("{dashed} is for {}", other.models())));
                }
            }
        }
        for option in language.options() {
            for value in self.settings.values(option.name) {
                let wrong =
                    |what| Error::Input(format!("invalid value '{value}' for --{}: {what}", option.name));
                (option.check)(value).map_err(wrong)?;
            }
        }
        Ok(())
    }

    /// The values that say what is checked: everything but places, in the order of their declaration.
    pub(crate) fn declared(&self, language: Language) -> impl Iterator<Item = (&'static str, &str)> {
        language
            .options()
            .iter()
            .filter(|option| !option.takes.is_place())
            .flat_map(|option| self.settings.values(option.name).map(|value| (option.name, value)))
    }

    /// Where the model and what belongs to it are, for a trace.
    #[must_use]
    pub(crate) fn places(&self, language: Language) -> Vec<(String, String)> {
        let mut places = vec![("model".to_owned(), self.model.to_string_lossy().into_owned())];
        for option in language.options().iter().filter(|option| option.takes.is_place()) {
            let values = self.settings.values(option.name);
            places.extend(values.map(|value| (option.name.to_owned(), value.to_owned())));
        }
        if let Property::Automaton(file) = &self.property {
            places.push(("automaton".into(), file.clone()));
        }
        places
    }

    /// The request that a trace was made by. Its files are where the trace says, seen from here or from the
    /// directory of the trace; `model` is another place for the model itself.
    ///
    /// # Errors
    /// If the trace contradicts itself.
    pub fn of_trace(trace: &TraceFile, trace_file: &Path, model: Option<&Path>) -> Result<Self, Error> {
        Self::of_trace_with(trace, trace_file, model, None)
    }

    /// As [`Request::of_trace`]; `text` is the text of the model, if it is in no file.
    pub(crate) fn of_trace_with(
        trace: &TraceFile,
        trace_file: &Path,
        model: Option<&Path>,
        text: Option<Arc<[u8]>>,
    ) -> Result<Self, Error> {
        let corrupt = |what: &dyn fmt::Display| {
            Error::Input(format!("{}: corrupt trace, {what}", trace_file.display()))
        };
        let spec = &trace.spec;
        let language = Language::ALL.into_iter().find(|one| one.name() == spec.language());
        let language = language.ok_or_else(|| corrupt(&format!("no language {}", spec.language())))?;
        let named = trace.place("model").ok_or_else(|| corrupt(&"it does not say where the model is"))?;
        let mut request = match (text, model) {
            (Some(text), _) => Self::from_stdin(text),
            (None, Some(model)) => Self::new(model),
            // It is in no file, whatever lies there.
            (None, None) if named == STDIN => Self::new(STDIN),
            (None, None) => Self::new(seen_from(trace_file, Path::new(named))),
        };
        request.language = Some(language);
        request.name = spec.value("model").map(ToOwned::to_owned);
        for option in language.options() {
            if option.takes.is_place() {
                let places = trace.places.iter().filter(|(what, _)| what == option.name);
                for (_, place) in places {
                    request.settings.add(option.name, found_place(option, trace_file, place));
                }
            } else {
                for value in spec.values(option.name) {
                    (option.check)(value).map_err(|what| corrupt(&format!("{}: {what}", option.name)))?;
                    request.settings.add(option.name, value);
                }
            }
        }
        request.arguments = spec.values("argument").map(ToOwned::to_owned).collect();
        let property = spec.value("property").unwrap_or("safety");
        request.property = property.parse().map_err(|what| corrupt(&what))?;
        if let (Property::Automaton(file), Some(place)) = (&mut request.property, trace.place("automaton")) {
            *file = seen_from(trace_file, Path::new(place)).to_string_lossy().into_owned();
        }
        request.fair = spec.is("fair");
        request.trust_claims = spec.is("trust-claims");
        request.keep_output = spec.is("keep-output");
        let reduce = spec.value("reduce").unwrap_or("none");
        request.reductions = parse_reductions(reduce).map_err(|what| corrupt(&what))?;
        if let Some(name) = spec.value("interleave") {
            let known = Interleaving::ALL.into_iter().find(|one| one.name() == name);
            request.interleaving = known.ok_or_else(|| corrupt(&format!("interleave {name}")))?;
        }
        Ok(request)
    }
}

/// The directory whose jar files an entry of a class path means, if its last part is `*`.
pub(crate) fn jars_of(entry: &Path) -> Option<&Path> {
    (entry.file_name()? == "*").then(|| match entry.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    })
}

/// A place that a trace names, as seen from here.
fn found_place(option: &OptionSpec, trace_file: &Path, place: &str) -> String {
    if let Takes::SearchPath(_) = option.takes {
        let entries = std::env::split_paths(place).filter(|entry| !entry.as_os_str().is_empty());
        let found = std::env::join_paths(entries.map(|entry| match jars_of(&entry) {
            Some(directory) => seen_from(trace_file, directory).join("*"),
            None => seen_from(trace_file, &entry),
        }));
        return found.map_or_else(|_| place.to_owned(), |path| path.to_string_lossy().into_owned());
    }
    seen_from(trace_file, Path::new(place)).to_string_lossy().into_owned()
}

/// Reads a list of reductions: `order`, `merge` and `dead`, or `all`, or `none`.
///
/// ```
/// let reductions = allways_session::parse_reductions("order,dead").unwrap();
/// assert_eq!(reductions.name(), "dead+order");
/// assert!(allways_session::parse_reductions("speed").is_err());
/// ```
///
/// # Errors
/// If there is no such reduction.
pub fn parse_reductions(text: &str) -> Result<Reductions, String> {
    let mut reductions = Reductions::NONE;
    for name in text.split([',', '+']) {
        match name {
            "all" => reductions = Reductions::ALL,
            "none" => {}
            "dead" => reductions.dead = true,
            "merge" => reductions.merge = true,
            "order" => reductions.order = true,
            _ => return Err("there are order, merge, dead, all and none".to_owned()),
        }
    }
    Ok(reductions)
}
