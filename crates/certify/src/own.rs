//! The certifier's own program: loaded from its own files, with its own Spec.
//!
//! Which question the certificate answers is for the certifier to say: model, options, property. From the
//! claimed Spec only three things are taken: the language, the reductions (which are trusted, and listed in
//! the report), and what the model is called. The Spec is then made anew, and every difference is named.
//!
//! Nothing here is shared with the loading of `check`, so that a mistake there is not repeated here.

use crate::veracity::Error;
use crate::{java, promela};
use allways_ltl::Formula;
use allways_model::options::{OptionSpec, Settings};
use allways_model::spec::Difference;
use allways_model::{Claim, Lessons, Model, Sha256, Spec};
use allways_product::{Fair, Product};
use allways_promela::Symmetric;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What is to be certified, in the words of the command line.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The model: a file, or for Java also a main class.
    pub model: PathBuf,
    /// Values for options that the front ends declare.
    pub settings: Settings,
    /// The arguments of a Java program.
    pub arguments: Vec<String>,
    /// The property, as a specification names it.
    pub property: String,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// Whether `xr` and `xs` claims are not checked.
    pub trust_claims: bool,
}

/// The conditions of a question.
const INVARIANT: &str = "invariant";
/// What the reductions keep for conditions that the producer did not check.
pub(crate) const OBSERVE: &str = "observe";

impl Question {
    /// The question that a certificate answers, and the conditions that it does not. What is observed is
    /// taken from the certificate unless the question names it: to observe more makes a graph larger, never
    /// wrong.
    ///
    /// # Errors
    /// If there is an option for another language.
    pub(crate) fn split(&self, claimed: &Spec) -> Result<(Self, Vec<String>), Error> {
        let (ours, others, models) = match claimed.language() {
            "promela" => (allways_promela::options::OPTIONS, allways_java::options::OPTIONS, "Java programs"),
            _ => (allways_java::options::OPTIONS, allways_promela::options::OPTIONS, "Promela models"),
        };
        let is_in = |options: &[OptionSpec], name: &str| options.iter().any(|option| option.name == name);
        let (mut settings, mut more) = (Settings::default(), Vec::new());
        for (name, value) in self.settings.iter() {
            if name == INVARIANT && !claimed.values(INVARIANT).any(|one| one == value) {
                more.push(value.to_owned());
            } else if is_in(others, name) && !is_in(ours, name) {
                return Err(Error::Input(format!("--{name} is for {models}")));
            } else {
                settings.add(name, value);
            }
        }
        if settings.value(OBSERVE).is_none() {
            claimed.values(OBSERVE).for_each(|name| settings.add(OBSERVE, name));
        }
        Ok((Self { settings, ..self.clone() }, more))
    }
}

/// A program of the certifier.
pub(crate) enum Program {
    Promela(Box<allways_promela::Program>),
    Java(Box<allways_java::Program>),
}

/// A program with a property.
pub(crate) struct Own {
    pub(crate) program: Program,
    pub(crate) claim: Option<Arc<Claim>>,
    /// The conditions that are asked besides, as a formula, and what they read that is not observed.
    pub(crate) asked: Option<(Formula, Vec<String>)>,
    pub(crate) fair: bool,
    /// Whether states are normal forms, which do not tell interchangeable processes apart.
    pub(crate) symmetric: bool,
    /// Whether states may be expanded in part.
    pub(crate) may_omit: bool,
    /// Whether native code is made of the program.
    pub(crate) compiles: bool,
    pub(crate) spec: Spec,
}

/// Loads the program of a question.
pub(crate) fn load(question: &Question, claimed: &Spec) -> Result<Own, Error> {
    load_and_ask(question, &[], claimed)
}

/// The same, and attaches conditions that the producer did not check.
pub(crate) fn load_and_ask(question: &Question, more: &[String], claimed: &Spec) -> Result<Own, Error> {
    match claimed.language() {
        "promela" => promela::load(question, more, claimed),
        "java" => java::load(question, more, claimed),
        other => Err(Error::Input(format!("this version of allways knows no language '{other}'"))),
    }
}

impl Own {
    /// The same, run by the interpreter alone.
    pub(crate) fn interpreted(self) -> Result<Self, Error> {
        match self.program {
            Program::Promela(program) => Ok(Self {
                program: Program::Promela(Box::new(program.interpreted())),
                compiles: false,
                ..self
            }),
            Program::Java(_) => Err(Error::Input(
                "--reference is for Promela: of Java programs no native code is made".into(),
            )),
        }
    }

    /// Calls `show` with the model of which the certificate speaks.
    pub(crate) fn with_model<T>(&self, show: impl FnOnce(&dyn Model) -> T) -> T {
        let program: &dyn Model = match &self.program {
            Program::Promela(program) if self.symmetric => return show(&Symmetric::new(program)),
            Program::Promela(program) => &**program,
            Program::Java(program) => &**program,
        };
        let Some(claim) = &self.claim else { return show(program) };
        let product = Product::new(program, claim.clone());
        if self.fair { show(&Fair::new(&product)) } else { show(&product) }
    }

    /// What was found in the files that the program itself read while it was certified, and was not by the
    /// producer, in words.
    pub(crate) fn other_reads(&self, claimed: &[(String, Sha256)]) -> Vec<String> {
        let Program::Java(program) = &self.program else { return Vec::new() };
        let words = |(name, hash): (String, Sha256)| match claimed.iter().find(|one| one.0 == name) {
            Some((_, before)) if *before == hash => None,
            Some(_) => Some(format!("{name}, which the program reads, has changed")),
            None => Some(format!("the program reads {name}, and the certificate does not know that")),
        };
        program.files_read().into_iter().filter_map(words).collect()
    }

    /// What the program asked its surroundings for while it was certified, where not every answer was looked
    /// at.
    pub(crate) fn inputs(&self) -> Vec<String> {
        let Program::Java(program) = &self.program else { return Vec::new() };
        program.inputs().into_iter().map(|input| input.shown(&program.options())).collect()
    }

    /// What the certificate rests on besides the script, as names and reasons.
    pub(crate) fn trusted(&self, lessons: &Lessons) -> Vec<String> {
        let mut trusted = vec!["the semantics of the language".to_owned()];
        if self.compiles {
            trusted.push(
                "native code: it takes the same steps as the interpreter (--reference does without)".into(),
            );
        }
        match &self.program {
            Program::Promela(program) => {
                let reductions = program.reductions();
                let all = [
                    (reductions.dead, "dead: variables that are not read again do not tell states apart"),
                    (reductions.merge, "merge: steps that no other process can observe join the step before"),
                    (reductions.order, "order: the omitted steps of a state are independent of the others"),
                ];
                trusted.extend(all.into_iter().filter(|(is_on, _)| *is_on).map(|(_, what)| what.to_owned()));
                if self.symmetric {
                    let types = Symmetric::new(program).types();
                    let names: Vec<&str> = types.iter().map(|name| name.trim_matches(':')).collect();
                    trusted.push(format!(
                        "symmetry: processes of one type are interchangeable ({}), and each state is compared in its \
                         normal form",
                        names.join(", ")
                    ));
                }
            }
            Program::Java(program) if !program.options().every_access => trusted.push(format!(
                "conflicts: threads are interleaved at {} places of the program and where the certifier finds \
                 no conflict beyond them",
                lessons.len()
            )),
            Program::Java(_) => {}
        }
        if self.claim.is_some() {
            trusted.push("the translation of the property to an automaton".into());
        }
        if self.fair {
            trusted.push("the construction for fair runs".into());
        }
        trusted
    }
}

/// The formula that all of these conditions hold, always.
pub(crate) fn always(conditions: &[String]) -> String {
    let each: Vec<String> = conditions.iter().map(|one| format!("([] ({one}))")).collect();
    each.join(" && ")
}

/// Adds the entries of a Spec that options make.
pub(crate) fn add_options(spec: &mut Spec, question: &Question, options: &[OptionSpec]) {
    for option in options.iter().filter(|option| !option.takes.is_place()) {
        question.settings.values(option.name).for_each(|value| spec.set(option.name, value));
    }
    question.arguments.iter().for_each(|argument| spec.set("argument", argument));
}

/// Adds the entries of a Spec that say what is checked.
pub(crate) fn add_property(spec: &mut Spec, question: &Question) {
    spec.set("property", &question.property);
    if question.fair {
        spec.set("fair", "yes");
    }
}

/// The entry that says that `xr` and `xs` claims are not checked. `--no-reduce` sets it.
pub(crate) const TRUST_CLAIMS: &str = "trust-claims";

/// What differs between the claimed Spec and the certifier's own, in words for the certifier.
pub(crate) fn differences(claimed: &Spec, own: &Spec) -> Vec<String> {
    let words = |one: Difference| match one {
        Difference::Changed(file) => format!("{file} has changed"),
        Difference::Gone(key, value) => match value.rsplit_once(' ') {
            Some((name, hash)) if hash.parse::<Sha256>().is_ok() => format!("{key} {name} is not here"),
            _ if key == TRUST_CLAIMS => "it was made with --no-reduce: give that here too".into(),
            _ => format!("the certificate is about `{key} {value}`, which was not asked for"),
        },
        Difference::New(key, value) => match value.rsplit_once(' ') {
            Some((name, hash)) if hash.parse::<Sha256>().is_ok() => {
                format!("{key} {name} is not in the certificate")
            }
            _ => format!("`{key} {value}` was asked for, and the certificate is not about it"),
        },
        Difference::Order => "files or options are in another order".into(),
    };
    claimed.differences(own).into_iter().map(words).collect()
}

/// Whether nothing but files differs, so that it makes sense to look for the first place that does.
pub(crate) fn only_files_differ(claimed: &Spec, own: &Spec) -> bool {
    claimed.differences(own).iter().all(|one| match one {
        Difference::Changed(_) => true,
        Difference::Gone(key, _) | Difference::New(key, _) => key == "file" || key == "class-path",
        Difference::Order => false,
    })
}

/// The name of a file as seen from a directory: relative, with `/` between its parts. Where that cannot be
/// said, the file's own name.
pub(crate) fn name_from(directory: &Path, file: &Path) -> String {
    let own = || file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let (Ok(from), Ok(to)) = (directory.canonicalize(), file.canonicalize()) else { return own() };
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if n_common == 0 {
        return own();
    }
    let up = from[n_common..].iter().map(|_| "..".to_owned());
    let down = to[n_common..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let parts: Vec<String> = up.chain(down).collect();
    if parts.is_empty() { ".".into() } else { parts.join("/") }
}

/// The property that a Spec names, in kinds that a certificate can be about.
pub(crate) enum Property<'a> {
    Safety,
    Acceptance,
    Progress,
    Claim(&'a str),
    Formula(&'a str),
}

/// Reads a property.
pub(crate) fn property(text: &str) -> Result<Property<'_>, Error> {
    match (text, text.split_once(' ')) {
        ("safety", _) => Ok(Property::Safety),
        ("acceptance", _) => Ok(Property::Acceptance),
        ("progress", _) => Ok(Property::Progress),
        (_, Some(("claim", name))) => Ok(Property::Claim(name)),
        (_, Some(("ltl", formula))) => Ok(Property::Formula(formula)),
        _ => Err(Error::Unsupported(format!("certificates about `{text}`"))),
    }
}
