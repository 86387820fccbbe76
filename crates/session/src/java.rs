//! From a main class, a class file or a jar file to a Java program with its property.

use crate::identity::hash_of;
use crate::places::name_from;
use crate::property::own_name;
use crate::request::jars_of;
use crate::session::{Parts, Subject};
use crate::topology_file;
use crate::{Diagnostics, Error, Interleaving, Property, Request, automaton};
use allways_java::test_class::TestMethod;
use allways_java::{
    ClassPath, Collect, FailureKind, Failures, Form, Options, Program, Setup, Statuses, Topology,
};
use allways_model::options::Settings;
use allways_model::{Claim, Sha256, Spec};
use allways_report::Unsupported;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a program is.
struct Place {
    main: String,
    path: Vec<PathBuf>,
}

/// Reads a program and starts the class library for it.
pub(crate) fn load(request: &Request) -> Result<Parts, Error> {
    let settings = &request.settings;
    if let Property::Acceptance | Property::Progress | Property::Claim(_) = request.property {
        let message = format!("{} of a Java program", request.property);
        let what = vec![Unsupported { message, location: None }];
        return Err(Error::Unsupported(what, Diagnostics::default()));
    }
    if settings.is_on("races") && request.interleaving == Interleaving::EveryAccess {
        return Err(Error::Input("--races needs the reduction: leave out --no-reduce".into()));
    }
    let is_spurious = settings.value("spurious").is_some_and(|n| n != "0");
    if is_spurious && (request.property != Property::Safety || request.fair) {
        let message = format!(
            "--spurious with {}: a run in which no wake-up is spurious would not be explored",
            request.property
        );
        return Err(Error::Unsupported(
            vec![Unsupported { message, location: None }],
            Diagnostics::default(),
        ));
    }
    if is_spurious && settings.value("timeouts") == Some("idle") {
        return Err(Error::Input("--timeouts idle cannot be used with --spurious".into()));
    }
    check_failures(request)?;
    if settings.is_on("process") {
        refuse_for_processes(request)?;
    }
    let place = find(request)?;
    let (path, mut warnings) = class_path(&place)?;
    let mut sources: Vec<PathBuf> = settings.values("source").map(PathBuf::from).collect();
    for entry in &place.path {
        let directory = if entry.is_dir() { Some(entry.as_path()) } else { entry.parent() };
        sources.extend(directory.map(Path::to_path_buf));
    }
    sources.extend(["", "src", "src/main/java", "src/test/java"].map(PathBuf::from));
    let setup = Setup {
        jdk: settings.value("jdk").map(Path::new),
        main: &place.main,
        args: &request.arguments,
        options: options(request),
        sources,
    };
    let topology = topology(request)?;
    if topology
        .members
        .first()
        .is_some_and(|member| member.main.replace('.', "/") != place.main.replace('.', "/"))
    {
        let model = request.model.display();
        return Err(Error::Input(format!("{model} and --process: a model is checked, or processes are")));
    }
    let mut program = Program::of_processes(&setup, path, &topology)?;
    for condition in settings.values("invariant") {
        program.add_invariant(condition).map_err(|error| Error::Input(format!("--invariant: {error}")))?;
    }
    for name in settings.values("observe") {
        program.observe(name).map_err(|error| Error::Input(format!("--observe: {error}")))?;
    }
    let (claim, files) = claim(&mut program, request)?;
    if request.fair && claim.is_none() {
        warnings.push("--fair makes no difference without --ltl or --automaton".into());
    }
    Ok(Parts {
        subject: Subject::Java(Box::new(program)),
        fair: request.fair && claim.is_some(),
        claim: claim.map(Arc::new),
        claims: Vec::new(),
        notes: Vec::new(),
        warnings,
        diagnostics: Diagnostics::default(),
        files,
    })
}

/// The processes of a request, if it names any.
pub(crate) fn topology(request: &Request) -> Result<Topology, Error> {
    let settings = &request.settings;
    let [processes, after, services] = ["process", "after", "service"].map(|name| settings.values(name));
    Topology::parse(processes, after, services).map_err(|error| Error::Input(error.to_string()))
}

/// What a command has in place of a model if processes are named.
pub const PROCESSES: &str = "<processes>";

/// Several processes have no model: the main class of the first of them stands for it. A model that is a file
/// `*.toml` describes them.
///
/// # Errors
/// If there is a model too, or neither; if the processes are described wrongly, or `--after` or `--service`
/// has none.
pub fn settle_model(model: &mut PathBuf, settings: &mut Settings) -> Result<(), Error> {
    let is_topology = model.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    if is_topology && !settings.is_on("process") {
        topology_file::read(model, settings).map_err(Error::Input)?;
        *model = PROCESSES.into();
    }
    let topology = topology(&Request { settings: settings.clone(), ..Request::new(&*model) })?;
    match (topology.members.into_iter().next(), model.as_os_str() == PROCESSES) {
        (Some(first), true) => *model = first.main.into(),
        (None, false) => {}
        (None, true) => {
            return Err(Error::Input("MODEL is missing: name one, or processes by --process".into()));
        }
        (Some(_), false) => {
            let model = model.display();
            return Err(Error::Input(format!("{model} and --process: a model is checked, or processes are")));
        }
    }
    Ok(())
}

/// What is unsupported, or makes no sense, with several processes.
fn refuse_for_processes(request: &Request) -> Result<(), Error> {
    let settings = &request.settings;
    if settings.value("timeouts") == Some("idle") {
        return Err(Error::Input("--timeouts idle cannot be used with --process".into()));
    }
    if !request.arguments.is_empty() {
        let message = "arguments after -- are for one process: write those of several into --process";
        return Err(Error::Input(message.into()));
    }
    let unsupported = if request.property != Property::Safety {
        format!("{} of several processes", request.property)
    } else if settings.is_on("observe") {
        "--observe with several processes".into()
    } else {
        return Ok(());
    };
    let what = vec![Unsupported { message: unsupported, location: None }];
    Err(Error::Unsupported(what, Diagnostics::default()))
}

/// The class path, and warnings about entries that are not there.
fn class_path(place: &Place) -> Result<(ClassPath, Vec<String>), Error> {
    let (mut path, mut warnings) = (ClassPath::default(), Vec::new());
    for entry in &place.path {
        // As `java` does: build tools name directories that need not exist.
        if jars_of(entry).is_some() {
            warnings.push(format!("{} on the class path names no jar file", entry.display()));
        } else if !entry.exists() && place.path.len() > 1 {
            warnings.push(format!("{} on the class path does not exist", entry.display()));
        } else {
            path.push(entry)?;
        }
    }
    Ok((path, warnings))
}

/// The test methods of the class that a request names, in the order of their names; if it names one by
/// `Class#method`, that one. Each is a program: the request's model, with `#` and its name.
///
/// # Errors
/// If the class cannot be read, has no tests, or needs a test runner.
pub fn test_methods(request: &Request) -> Result<Vec<TestMethod>, Error> {
    request.refuse_foreign_options(crate::Language::Java)?;
    let place = find(request)?;
    let (class, wanted) = match place.main.split_once('#') {
        Some((class, wanted)) => (class, Some(wanted)),
        None => (place.main.as_str(), None),
    };
    let (path, _) = class_path(&place)?;
    let jdk = request.settings.value("jdk").map(Path::new);
    let mut methods = allways_java::test_class::test_methods(jdk, path, class)?;
    if let Some(wanted) = wanted {
        methods.retain(|method| method.nested.is_empty() && method.name == wanted);
        if methods.is_empty() {
            let class = class.replace('/', ".");
            return Err(allways_java::Error::NoTest(class, wanted.into()).into());
        }
    }
    Ok(methods)
}

/// How the machine runs the program.
fn options(request: &Request) -> Options {
    let settings = &request.settings;
    let processors = settings.value("processors").and_then(|n| n.parse().ok());
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
    if request.interleaving == Interleaving::EveryAccess {
        (form.acquires, form.order) = (false, false);
    }
    Options {
        every_access: request.interleaving == Interleaving::EveryAccess,
        // Whether a process can move, which is what fairness is about, is observed between any two
        // operations.
        until_conflict: request.interleaving == Interleaving::Conflicts && !request.fair,
        keep_output: request.keep_output,
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

/// What may fail in a run of a request, in words; `None` if nothing may.
pub(crate) fn failures_in_words(request: &Request) -> Option<String> {
    failures(&request.settings).ok().filter(Failures::any).map(|failures| failures.to_string())
}

/// Refuses failures that strike processes where there are none, and those of runs that never end.
fn check_failures(request: &Request) -> Result<(), Error> {
    let failures = failures(&request.settings).map_err(Error::Input)?;
    let needs_processes = |kind: &FailureKind| kind.strikes_processes() && failures.has(*kind);
    let mut kinds = FailureKind::ALL.iter();
    if let Some((name, _)) = kinds.find(|(_, kind)| needs_processes(kind))
        && !request.settings.is_on("process")
    {
        return Err(Error::Input(format!(
            "--failure-kinds {name} needs --process: it strikes one of several"
        )));
    }
    if failures.any() && (request.property != Property::Safety || request.fair) {
        let message = format!("--failures with {}", request.property);
        let what = vec![Unsupported { message, location: None }];
        return Err(Error::Unsupported(what, Diagnostics::default()));
    }
    Ok(())
}

/// The name of the main class, with dots.
pub(crate) fn main_class(request: &Request) -> Result<String, Error> {
    find(request).map(|place| place.main.replace('/', "."))
}

/// The files whose content is the program: class files, jar files and the class library, which is the last.
pub(crate) fn files(request: &Request) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in &find(request)?.path {
        if entry.is_dir() { class_files(entry, &mut files) } else { files.push(entry.clone()) }
    }
    files.push(modules(request)?);
    Ok(files)
}

fn modules(request: &Request) -> Result<PathBuf, Error> {
    let home = allways_java::source::jdk::home(request.settings.value("jdk").map(Path::new));
    Ok(home?.join("lib").join("modules"))
}

/// Adds the files of a program to its Spec: those of the class path, in its order, and the class library. A
/// directory has no name there, since it has another one for each place that it is seen from.
pub(crate) fn add_files(request: &Request, spec: &mut Spec) -> Result<(), Error> {
    for entry in &find(request)?.path {
        if !entry.is_dir() {
            if entry.exists() {
                let own = own_name(&entry.to_string_lossy()).to_owned();
                spec.set("class-path", format!("{own} {}", hash_of(entry)?));
            }
            continue;
        }
        spec.set("class-path", "directory");
        let mut files = Vec::new();
        class_files(entry, &mut files);
        for file in files {
            spec.add_file(&name_from(entry, &file), hash_of(&file)?);
        }
    }
    spec.set("class-library", format!("lib/modules {}", hash_of(&modules(request)?)?));
    Ok(())
}

/// The class files below a directory, in the order of their names.
fn class_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
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

/// What the program asks its surroundings for, where not every answer was looked at.
pub(crate) fn warnings_of_inputs(program: &Program) -> Vec<String> {
    program.inputs().into_iter().map(|input| input.shown(&program.options())).collect()
}

/// Files by their names, with the hashes of their content.
type Files = Vec<(String, Sha256)>;

/// The automaton for wrong runs, if the property is about runs that never end, and the files that it was read
/// from.
fn claim(program: &mut Program, request: &Request) -> Result<(Option<Claim>, Files), Error> {
    let input = |what: &str, error: &dyn Display| Error::Input(format!("{what}: {error}"));
    let mut files = Vec::new();
    let (claim, counts_steps) = match &request.property {
        Property::Formula(text) => {
            let (formula, propositions) =
                program.set_formula(text).map_err(|error| input("--ltl", &error))?;
            let claim = allways_ltl::violations(&formula, text, &propositions)
                .map_err(|error| input("--ltl", &error))?;
            (claim, formula.has_next())
        }
        Property::Automaton(file) => {
            let bytes = std::fs::read(file).map_err(|error| input(file, &error))?;
            let automaton = automaton::read(Path::new(file), &bytes)?;
            files.push((own_name(file).into(), Sha256::of(&bytes)));
            let (formula, propositions) = program
                .set_formula(&automaton::meanings(&automaton))
                .map_err(|error| input(&format!("a proposition of {file}"), &error))?;
            // Whether an automaton from elsewhere counts steps is not known.
            (automaton::claim(&automaton, &formula, own_name(file), &propositions)?, true)
        }
        _ => return Ok((None, files)),
    };
    if counts_steps && request.interleaving != Interleaving::EveryAccess {
        let message = "automata and the next operator (X) may count steps, and the reduction merges steps of a Java \
                       program: check with --no-reduce, or state the property without X";
        return Err(Error::Input(message.into()));
    }
    Ok((Some(claim), files))
}

fn find(request: &Request) -> Result<Place, Error> {
    find_place(&request.model, request.settings.value("class-path"))
}

fn find_place(file: &Path, class_path: Option<&str>) -> Result<Place, Error> {
    let (shown, input) = (file.display(), Error::Input);
    let mut path: Vec<PathBuf> = match class_path {
        None | Some("") => Vec::new(),
        Some(list) => std::env::split_paths(list)
            .filter(|entry| !entry.as_os_str().is_empty())
            .flat_map(with_jars)
            .collect(),
    };
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("jar") if file.is_file() => {
            path.insert(0, file.to_path_buf());
            let main = main_of_jar(file)?;
            Ok(Place { main, path })
        }
        Some("class") if file.is_file() || path.is_empty() => {
            let bytes =
                std::fs::read(file).map_err(|error| input(format!("cannot read {shown}: {error}")))?;
            let main = allways_java::class::name_of(&bytes);
            let main = main.map_err(|flaw| input(format!("{shown}: {flaw}")))?;
            if path.is_empty() {
                path.push(root_of(file, &main)?);
            }
            Ok(Place { main, path })
        }
        _ => {
            if path.is_empty() {
                path.push(PathBuf::from("."));
            }
            let main = file.to_str().ok_or_else(|| input(format!("{shown} is not the name of a class")))?;
            Ok(Place { main: main.trim_end_matches(".class").to_owned(), path })
        }
    }
}

/// An entry of a class path; if its last part is `*`, as in `lib/*`, all jar files of the directory, in the
/// order of their names. One that names no jar file stays as it is.
fn with_jars(entry: PathBuf) -> Vec<PathBuf> {
    let Some(directory) = jars_of(&entry) else { return vec![entry] };
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|file| file.path());
    let is_jar = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "jar" || ending == "JAR");
    let mut jars: Vec<PathBuf> = files.filter(is_jar).collect();
    jars.sort();
    if jars.is_empty() { vec![entry] } else { jars }
}

/// The directory in which a class file's package begins.
fn root_of(file: &Path, name: &str) -> Result<PathBuf, Error> {
    let input = Error::Input;
    let file =
        file.canonicalize().map_err(|error| input(format!("cannot read {}: {error}", file.display())))?;
    let suffix = PathBuf::from(format!("{name}.class"));
    if !file.ends_with(&suffix) {
        let (file, name) = (file.display(), name.replace('/', "."));
        return Err(input(format!("{file} holds class {name}, and is not where that belongs")));
    }
    let mut root = file.as_path();
    for _ in suffix.components() {
        root = root.parent().unwrap_or(root);
    }
    Ok(root.to_path_buf())
}

fn main_of_jar(file: &Path) -> Result<String, Error> {
    let (shown, input) = (file.display(), Error::Input);
    let mut path = ClassPath::default();
    path.push(file)?;
    let manifest =
        path.resource("META-INF/MANIFEST.MF").ok_or_else(|| input(format!("{shown} has no manifest")))?;
    let text = String::from_utf8_lossy(&manifest).replace("\r\n", "\n").replace("\n ", "");
    let main = text.lines().find_map(|line| line.strip_prefix("Main-Class:"));
    let no_main =
        || input(format!("the manifest of {shown} names no main class; use -cp {shown} and its name"));
    main.map(|main| main.trim().to_owned()).filter(|main| !main.is_empty()).ok_or_else(no_main)
}
