//! Java programs on the command line: a class file, a jar file, or a main class and where to find it.

use crate::automaton;
use crate::cli::{Collector, Language, ModelArgs};
use crate::failure::Failure;
use crate::load::{Load, Loaded, Subject};
use crate::property::Property;
use crate::terminal::Terminal;
use allways_java::inputs::Input;
use allways_java::{ClassPath, Collect, Form, Options, Program, Setup};
use allways_model::{Claim, NotAFact};
use allways_promela::Reductions;
use allways_report::{JavaRun, Unsupported};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a program is.
struct Place {
    main: String,
    path: Vec<PathBuf>,
}

/// Reads a program and starts the class library for it.
pub(crate) fn load(file: &Path, args: &ModelArgs, terminal: &mut Terminal) -> Result<Load, Failure> {
    if let Property::Acceptance | Property::Progress | Property::Claim(_) = args.property {
        let message = format!("{} of a Java program", args.property);
        return Ok(Load::Unsupported(vec![Unsupported { message, location: None }]));
    }
    if args.races && args.every_access {
        return Err(Failure::Input("--races needs the reduction: leave out --no-reduce".into()));
    }
    let place = find(file, args).map_err(Failure::Input)?;
    let mut path = ClassPath::default();
    let mut warnings = Vec::new();
    for entry in &place.path {
        // As `java` does: build tools name directories that there need not be.
        if !entry.exists() && place.path.len() > 1 {
            warnings.push(format!("{} on the class path does not exist", entry.display()));
        } else {
            path.push(entry).map_err(Failure::Input)?;
        }
    }
    let mut sources = args.source.clone();
    for entry in &place.path {
        let directory = if entry.is_dir() { Some(entry.as_path()) } else { entry.parent() };
        sources.extend(directory.map(Path::to_path_buf));
    }
    sources.extend(["", "src", "src/main/java", "src/test/java"].map(PathBuf::from));
    let setup = Setup {
        jdk: args.jdk.as_deref(),
        main: &place.main,
        args: &args.args,
        options: Options {
            every_access: args.every_access,
            // Who can move, which is what fairness is about, is seen between any two operations.
            until_conflict: args.until_conflict && !args.every_access && !args.fair,
            keep_output: args.keep_output,
            random_choices: args.random,
            simple_locks: args.simple_locks,
            processors: args.processors.unwrap_or(Options::default().processors),
            races: args.races,
            form: form(args),
            ..Options::default()
        },
        sources,
    };
    let mut program = Program::new(&setup, path).map_err(Failure::Input)?;
    for condition in &args.invariant {
        program.add_invariant(condition).map_err(|error| Failure::Input(format!("--invariant: {error}")))?;
    }
    let claim = claim(&mut program, args)?.map(Arc::new);
    if args.fair && claim.is_none() {
        warnings.push("--fair makes no difference without --ltl or --automaton".into());
    }
    warnings.iter().for_each(|warning| terminal.warn(warning));
    let lessons =
        args.racy.join("\n").parse().map_err(|error: NotAFact| Failure::Input(error.to_string()))?;
    Ok(Load::Ready(Loaded {
        subject: Subject::Java(Box::new(program)),
        fair: args.fair && claim.is_some(),
        claim,
        reductions: Reductions::NONE,
        lessons,
        claims: Vec::new(),
        warnings,
    }))
}

/// That the program's own locks are not looked into, if there are any.
pub(crate) fn warning_of_own_locks(program: &Program) -> Option<String> {
    let own = program.simple_locks_of_its_own();
    (!own.is_empty()).then(|| {
        let names = own.join(", ").replace('/', ".");
        format!("with --simple-locks what {names} does to acquire and to release is one operation")
    })
}

/// What the program asks its surroundings for, where not every answer was looked at.
pub(crate) fn warnings_of_inputs(program: &Program) -> Vec<String> {
    let options = program.options();
    let tell = |input| {
        match input {
        Input::Random if options.random_choices => {
            "the program uses random numbers that --random does not try out (it does nextBoolean, and nextInt of a \
             bound up to 256): one sequence of them was looked at"
                .into()
        }
        Input::Random => "the program uses random numbers: one sequence of them was looked at (--random takes every \
                          value of small ranges)"
            .into(),
        Input::Clock => "the program reads the clock: only some of the times that may pass were looked at".into(),
        Input::Processors => {
            format!("the program asks for the number of processors: {} here (--processors)", options.processors)
        }
        Input::WeakOrder => "the program has accesses that order less than volatile ones (plain, opaque, acquire, release, lazySet): they were \
             taken for volatile ones, and real machines do more"
            .into(),
        Input::Memory => "the program asks how much memory there is: one answer was looked at".into(),
    }
    };
    program.inputs().into_iter().map(tell).collect()
}

/// How states are written down.
fn form(args: &ModelArgs) -> Form {
    let collect = match args.collect {
        None | Some(Collector::Sweep) => Collect::Sweep,
        Some(Collector::Count) => Collect::Count,
        Some(Collector::None) => Collect::Nothing,
    };
    let mut form = Form { collect, ..Form::default() };
    for part in &args.without {
        form.turn_off(part);
    }
    form
}

/// Who looks on, if the property is about runs that never end.
fn claim(program: &mut Program, args: &ModelArgs) -> Result<Option<Claim>, Failure> {
    let input = |what: &str, error: &dyn Display| Failure::Input(format!("{what}: {error}"));
    let (claim, minds_steps) = match &args.property {
        Property::Formula(text) => {
            let (formula, propositions) =
                program.set_formula(text).map_err(|error| input("--ltl", &error))?;
            let claim = allways_ltl::violations(&formula, text, &propositions)
                .map_err(|error| input("--ltl", &error))?;
            (claim, formula.has_next())
        }
        Property::Automaton(file) => {
            let automaton = automaton::read(Path::new(file))?;
            let (formula, propositions) = program
                .set_formula(&automaton::meanings(&automaton))
                .map_err(|error| input(&format!("a proposition of {file}"), &error))?;
            // Whether an automaton from elsewhere minds how long a state lasts is not known.
            (automaton::claim(&automaton, &formula, file, &propositions)?, true)
        }
        _ => return Ok(None),
    };
    if minds_steps && !args.every_access {
        let message = "how many steps something takes matters to an automaton and to the next operator (X), and steps of a \
                       Java program are put together: check with --no-reduce, or say it without";
        return Err(Failure::Input(message.into()));
    }
    Ok(Some(claim))
}

/// Whether a file, with these options, is a Java program.
pub(crate) fn is_java(file: &Path, args: &ModelArgs) -> bool {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let looks_so = args.class_path.is_some() || matches!(ending.as_deref(), Some("class" | "jar"));
    args.language == Some(Language::Java) || looks_so && args.language != Some(Language::Promela)
}

/// What a trace needs to find the program again, and to cut its runs into the same steps; `None` if it is no Java program.
pub(crate) fn trace_part(file: &Path, args: &ModelArgs) -> Option<JavaRun> {
    is_java(file, args).then(|| JavaRun {
        class_path: args.class_path.clone().unwrap_or_default(),
        args: args.args.clone(),
        every_access: args.every_access,
        until_conflict: args.until_conflict,
        racy: args.racy.clone(),
        random: args.random,
        simple_locks: args.simple_locks,
        processors: args.processors,
        races: args.races,
        invariants: args.invariant.clone(),
        jdk: args.jdk.as_ref().map(|home| home.to_string_lossy().into_owned()),
        sources: args.source.iter().map(|dir| dir.to_string_lossy().into_owned()).collect(),
    })
}

fn find(file: &Path, args: &ModelArgs) -> Result<Place, String> {
    let shown = file.display();
    let mut path: Vec<PathBuf> = match args.class_path.as_deref() {
        None | Some("") => Vec::new(),
        Some(list) => std::env::split_paths(list).filter(|entry| !entry.as_os_str().is_empty()).collect(),
    };
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("jar") if file.is_file() => {
            path.insert(0, file.to_path_buf());
            let main = main_of_jar(file)?;
            Ok(Place { main, path })
        }
        Some("class") if file.is_file() || path.is_empty() => {
            let bytes = std::fs::read(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
            let main =
                allways_java::class::name_of(&bytes).map_err(|problem| format!("{shown}: {problem}"))?;
            if path.is_empty() {
                path.push(root_of(file, &main)?);
            }
            Ok(Place { main, path })
        }
        _ => {
            if path.is_empty() {
                path.push(PathBuf::from("."));
            }
            let main = file.to_str().ok_or_else(|| format!("{shown} is no name of a class"))?;
            Ok(Place { main: main.trim_end_matches(".class").to_owned(), path })
        }
    }
}

/// The directory in which a class file's package begins.
fn root_of(file: &Path, name: &str) -> Result<PathBuf, String> {
    let file = file.canonicalize().map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let suffix = PathBuf::from(format!("{name}.class"));
    if !file.ends_with(&suffix) {
        return Err(format!(
            "{} holds class {}, and is not where that belongs",
            file.display(),
            name.replace('/', ".")
        ));
    }
    let mut root = file.as_path();
    for _ in suffix.components() {
        root = root.parent().unwrap_or(root);
    }
    Ok(root.to_path_buf())
}

fn main_of_jar(file: &Path) -> Result<String, String> {
    let shown = file.display();
    let mut path = ClassPath::default();
    path.push(file)?;
    let manifest = path.resource("META-INF/MANIFEST.MF").ok_or_else(|| format!("{shown} has no manifest"))?;
    let text = String::from_utf8_lossy(&manifest).replace("\r\n", "\n").replace("\n ", "");
    let main = text.lines().find_map(|line| line.strip_prefix("Main-Class:"));
    let no_main = || format!("the manifest of {shown} names no main class; use -cp {shown} and its name");
    main.map(|main| main.trim().to_owned()).filter(|main| !main.is_empty()).ok_or_else(no_main)
}
