//! Loading a Java program for certification.

use crate::own::{self, OBSERVE, Own, Program, Property, Question};
use crate::veracity::Error;
use allways_java::options::OPTIONS;
use allways_java::{ClassPath, Collect, Failures, Form, Options, Setup, Statuses};
use allways_model::options::Settings;
use allways_model::{Sha256, Spec};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

impl From<allways_java::Error> for Error {
    fn from(error: allways_java::Error) -> Self {
        Self::Input(error.to_string())
    }
}

/// Where a program is.
struct Place {
    /// The main class, with slashes.
    main: String,
    path: Vec<PathBuf>,
}

/// Loads a program and starts the class library for it.
pub(crate) fn load(question: &Question, more: &[String], claimed: &Spec) -> Result<Own, Error> {
    let settings = &question.settings;
    if settings.is_on("process") || claimed.value("process").is_some() {
        return Err(Error::Unsupported("certificates of several processes".into()));
    }
    let property = own::property(&question.property)?;
    let interleave = claimed.value("interleave").unwrap_or_default().to_owned();
    if !["conflicts", "shared", "every-access"].contains(&interleave.as_str()) {
        return Err(Error::Input(format!("there is no way to interleave called '{interleave}'")));
    }
    let keep_output = claimed.is("keep-output");
    let place = find(&question.model, settings.value("class-path"))?;
    let home = allways_java::source::jdk::home(settings.value("jdk").map(Path::new))?;
    let modules = home.join("lib").join("modules");
    let before = stamps(&place, &modules);
    let mut path = ClassPath::default();
    for entry in place.path.iter().filter(|entry| entry.exists()) {
        path.push(entry)?;
    }
    let setup = Setup {
        jdk: settings.value("jdk").map(Path::new),
        main: &place.main,
        args: &question.arguments,
        options: options(settings, &interleave, keep_output, question.fair),
        sources: Vec::new(),
    };
    let mut program = allways_java::Program::new(&setup, path)?;
    for condition in settings.values("invariant") {
        let wrong = |error| Error::Input(format!("--invariant: {error}"));
        program.add_invariant(condition).map_err(wrong)?;
    }
    for name in settings.values(OBSERVE) {
        let wrong = |error| Error::Input(format!("--observe: {error}"));
        program.observe(name).map_err(wrong)?;
    }
    let n_observed = program.n_observed();
    let claim = match property {
        Property::Safety => None,
        Property::Formula(text) => {
            let (formula, propositions) =
                program.set_formula(text).map_err(|error| Error::Input(format!("--ltl: {error}")))?;
            if formula.has_next() && interleave != "every-access" {
                return Err(Error::Input("the formula uses X, and the reduction merges steps".into()));
            }
            let claim = allways_ltl::violations(&formula, text, &propositions);
            Some(Arc::new(claim.map_err(|error| Error::Input(format!("--ltl: {error}")))?))
        }
        _ => return Err(Error::Unsupported(format!("{} of a Java program", question.property))),
    };
    let asked = if more.is_empty() {
        None
    } else {
        let wrong = |error| Error::Input(format!("--invariant: {error}"));
        let (formula, _) = program.set_formula(&own::always(more)).map_err(wrong)?;
        Some((formula, program.observed_since(n_observed)))
    };
    let mut spec = Spec::new("java");
    spec.set("model", place.main.replace('/', "."));
    add_files(&mut spec, &place, &modules)?;
    if stamps(&place, &modules) != before {
        return Err(Error::Input("a file of the program has changed while it was loaded".into()));
    }
    own::add_options(&mut spec, question, OPTIONS);
    spec.set("interleave", interleave);
    if keep_output {
        spec.set("keep-output", "yes");
    }
    own::add_property(&mut spec, question);
    Ok(Own {
        program: Program::Java(Box::new(program)),
        fair: question.fair && claim.is_some(),
        claim,
        asked,
        symmetric: false,
        may_omit: false,
        compiles: false,
        spec,
    })
}

/// How the machine runs the program.
fn options(settings: &Settings, interleave: &str, keep_output: bool, fair: bool) -> Options {
    let collect = match settings.value("collect") {
        Some("count") => Collect::Count,
        Some("none") => Collect::Nothing,
        _ => Collect::Sweep,
    };
    let mut allowed_exits = Statuses::default();
    settings.values("allow-exit").filter_map(|one| one.parse().ok()).for_each(|one| allowed_exits.add(one));
    let punctual = settings.value("timeouts") == Some("punctual");
    let mut form = Form { collect, punctual, ..Form::default() };
    for part in settings.values("without") {
        form.turn_off(part);
    }
    if interleave == "every-access" {
        (form.acquires, form.order) = (false, false);
    }
    let processors = settings.value("processors").and_then(|n| n.parse().ok());
    Options {
        every_access: interleave == "every-access",
        // Fairness observes between any two operations whether a thread can move.
        until_conflict: interleave == "conflicts" && !fair,
        keep_output,
        random_choices: settings.is_on("random"),
        jdk_locks: settings.is_on("jdk-locks"),
        processors: processors.unwrap_or(Options::default().processors),
        spurious: settings.value("spurious").and_then(|n| n.parse().ok()).unwrap_or(0),
        allowed_exits,
        idle_timeouts: settings.value("timeouts") == Some("idle"),
        end_with_main: settings.is_on("end-with-main"),
        races: settings.is_on("races"),
        socket_buffer: settings
            .value("socket-buffer")
            .and_then(|n| n.parse().ok())
            .unwrap_or(Options::default().socket_buffer),
        failures: failures(settings).unwrap_or_default(),
        form,
        ..Options::default()
    }
}

/// What may fail in a run.
fn failures(settings: &Settings) -> Result<Failures, String> {
    Failures::read(settings.value("failures"), settings.values("failure-kinds"))
}

/// The size and the time of a file.
type Stamp = (PathBuf, Option<(u64, Option<SystemTime>)>);

/// What would change if a file of the program did.
fn stamps(place: &Place, modules: &Path) -> Vec<Stamp> {
    let mut files = vec![modules.to_path_buf()];
    for entry in &place.path {
        if entry.is_dir() { class_files(entry, &mut files) } else { files.push(entry.clone()) }
    }
    let stamp = |file: &PathBuf| fs::metadata(file).ok().map(|meta| (meta.len(), meta.modified().ok()));
    files.into_iter().map(|file| (file.clone(), stamp(&file))).collect()
}

/// Adds the files of the class path, in its order, and the class library.
fn add_files(spec: &mut Spec, place: &Place, modules: &Path) -> Result<(), Error> {
    for entry in place.path.iter().filter(|entry| entry.exists()) {
        if entry.is_dir() {
            spec.set("class-path", "directory");
            let mut files = Vec::new();
            class_files(entry, &mut files);
            for file in files {
                spec.add_file(&own::name_from(entry, &file), hash_of(&file)?);
            }
        } else {
            let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
            spec.set("class-path", format!("{name} {}", hash_of(entry)?));
        }
    }
    spec.set("class-library", format!("lib/modules {}", hash_of(modules)?));
    Ok(())
}

fn hash_of(file: &Path) -> Result<Sha256, Error> {
    let cannot = |error| Error::Input(format!("cannot read {}: {error}", file.display()));
    File::open(file).and_then(Sha256::of_reader).map_err(cannot)
}

/// The class files below a directory, in the order of their names.
fn class_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let is_link = entry.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if entry.is_dir() && !is_link {
            class_files(&entry, files);
        } else if entry.extension().is_some_and(|ending| ending == "class") {
            files.push(entry);
        }
    }
}

/// Finds the main class and the class path: of a jar file, a class file, or the name of a class.
fn find(model: &Path, class_path: Option<&str>) -> Result<Place, Error> {
    let shown = model.display();
    let entries = class_path.into_iter().flat_map(std::env::split_paths);
    let mut path: Vec<PathBuf> =
        entries.filter(|entry| !entry.as_os_str().is_empty()).flat_map(with_jars).collect();
    let is = |ending: &str| model.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    if is("jar") && model.is_file() {
        path.insert(0, model.to_path_buf());
        return Ok(Place { main: main_of_jar(model)?, path });
    }
    if is("class") && (model.is_file() || path.is_empty()) {
        let cannot = |error| Error::Input(format!("cannot read {shown}: {error}"));
        let bytes = fs::read(model).map_err(cannot)?;
        let main = allways_java::class::name_of(&bytes);
        let main = main.map_err(|flaw| Error::Input(format!("{shown}: {flaw}")))?;
        if path.is_empty() {
            let full = model.canonicalize().map_err(cannot)?;
            let mut root = full.as_path();
            for part in format!("{main}.class").rsplit('/') {
                if root.file_name().is_none_or(|name| name.to_string_lossy() != part) {
                    return Err(Error::Input(format!("{shown} is not where class {main} belongs")));
                }
                root = root.parent().unwrap_or(root);
            }
            path.push(root.to_path_buf());
        }
        return Ok(Place { main, path });
    }
    if path.is_empty() {
        path.push(PathBuf::from("."));
    }
    let main = model.to_str().ok_or_else(|| Error::Input(format!("{shown} is not the name of a class")))?;
    Ok(Place { main: main.trim_end_matches(".class").to_owned(), path })
}

/// An entry of a class path; if its last part is `*`, all jar files of the directory.
fn with_jars(entry: PathBuf) -> Vec<PathBuf> {
    if entry.file_name().is_none_or(|name| name != "*") {
        return vec![entry];
    }
    let directory = entry.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = fs::read_dir(directory).into_iter().flatten().flatten().map(|file| file.path());
    let is_jar = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "jar" || ending == "JAR");
    let mut jars: Vec<PathBuf> = files.filter(is_jar).collect();
    jars.sort();
    jars
}

fn main_of_jar(file: &Path) -> Result<String, Error> {
    let shown = file.display();
    let mut path = ClassPath::default();
    path.push(file)?;
    let manifest = path.resource("META-INF/MANIFEST.MF");
    let manifest = manifest.ok_or_else(|| Error::Input(format!("{shown} has no manifest")))?;
    let text = String::from_utf8_lossy(&manifest).replace("\r\n", "\n").replace("\n ", "");
    let main = text.lines().find_map(|line| line.strip_prefix("Main-Class:")).map(str::trim);
    let main = main.filter(|main| !main.is_empty());
    main.map(ToOwned::to_owned)
        .ok_or_else(|| Error::Input(format!("the manifest of {shown} names no main class")))
}
