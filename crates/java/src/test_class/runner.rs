//! Tests that need the library's own runner: JUnit 4 with rules, parameters or a runner of the class's
//! choice, and JUnit 5 with extensions, parameters, repetitions, factories and nested classes.
//!
//! The runner is code of the program's class path and runs as such. What begins it is `allways.junit.OldRun`
//! and `allways.junit.NewRun` (`crates/java/library`), which the machine adds to the class path: they run one
//! method of one class and throw the first failure. What a test of TestNG needs a runner for is unsupported,
//! by name.

use super::annotations::{Annotation, of_class};
use crate::class::code::Op;
use crate::class::file::Attribute;
use crate::class::{Class, ClassId, Loader, MethodId};
use crate::gap::Gap;
use crate::vm::Vm;
use crate::vm::dynamic::assemble::{Assembler, find};
use crate::vm::machine::Exec;

/// A library with a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    /// JUnit 4.
    Old,
    /// JUnit 5.
    New,
}

/// Why tests need a runner.
#[derive(Clone, Debug)]
pub(super) struct Need {
    runner: Runner,
    /// Whether what needs it is a test.
    is_test: bool,
    /// What needs it, for people.
    reason: String,
}

/// Runners of JUnit 4 that do no more than is done without one.
const PLAIN_RUNNERS: &[&str] = &[
    "Lorg/junit/runners/JUnit4;",
    "Lorg/junit/runners/BlockJUnit4ClassRunner;",
    "Lorg/junit/internal/runners/JUnit4ClassRunner;",
];

/// Annotations on which only a runner acts. Those of JUnit 5 mean the same on other annotations.
const ONLY_RUNNERS: &[(&str, Runner)] = &[
    ("Lorg/junit/Rule;", Runner::Old),
    ("Lorg/junit/ClassRule;", Runner::Old),
    ("Lorg/junit/experimental/theories/Theory;", Runner::Old),
    ("Lorg/junit/jupiter/api/Nested;", Runner::New),
    ("Lorg/junit/jupiter/api/extension/ExtendWith;", Runner::New),
    ("Lorg/junit/jupiter/api/extension/Extensions;", Runner::New),
    ("Lorg/junit/jupiter/api/extension/RegisterExtension;", Runner::New),
    ("Lorg/junit/jupiter/api/io/TempDir;", Runner::New),
    ("Lorg/junit/jupiter/api/TestFactory;", Runner::New),
    ("Lorg/junit/jupiter/api/TestTemplate;", Runner::New),
    ("Lorg/junit/jupiter/params/ParameterizedTest;", Runner::New),
    ("Lorg/junit/jupiter/params/ParameterizedClass;", Runner::New),
];

/// Annotations of JUnit 5 that make a method a test.
const TESTS: &[&str] = &[
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/TestFactory;",
    "Lorg/junit/jupiter/api/TestTemplate;",
    "Lorg/junit/jupiter/params/ParameterizedTest;",
];

/// Annotations within annotations are followed so far.
const DEPTH: u8 = 4;

impl Need {
    /// What an annotation of a class or of its members says.
    pub(super) fn of_class(vm: &Vm, class: &Class, one: &Annotation) -> Option<Self> {
        if one.class == "Lorg/junit/runner/RunWith;" {
            let runner = one.value.as_ref().filter(|runner| !PLAIN_RUNNERS.contains(&&***runner))?;
            let reason = format!("@org.junit.runner.RunWith ({}) of {}", dotted(runner), shown(vm, class));
            return Some(Self { runner: Runner::Old, is_test: false, reason });
        }
        // What tests themselves need is for each of them to say.
        Self::of_method(vm, class, one).filter(|need| !need.is_test)
    }

    /// What an annotation of a method says.
    pub(super) fn of_method(vm: &Vm, class: &Class, one: &Annotation) -> Option<Self> {
        let runner = find_runner(vm, &one.class, DEPTH)?;
        let is_test = leads_to(vm, &one.class, DEPTH, &|name| TESTS.contains(&name))
            || one.class == "Lorg/junit/experimental/theories/Theory;";
        let reason = format!("@{} of {}", dotted(&one.class), shown(vm, class));
        Some(Self { runner, is_test, reason })
    }

    /// What the parameters of a method with these annotations say.
    pub(super) fn of_parameters(annotations: &[Annotation], shown: &str) -> Option<Self> {
        let is_new = annotations.iter().any(|one| one.class.starts_with("Lorg/junit/jupiter/"));
        let reason = format!("the parameters of {shown}");
        is_new.then_some(Self { runner: Runner::New, is_test: true, reason })
    }

    /// Whether what needs a runner is a test.
    pub(super) fn is_test(&self) -> bool {
        self.is_test
    }

    /// The method that lets the runner run a test.
    pub(super) fn entry(&self, vm: &Vm, class: ClassId, test: &str) -> Exec<MethodId> {
        let (starter, needed): (_, &[(&str, &str)]) = match self.runner {
            Runner::Old => ("allways/junit/OldRun", &[("org/junit/runner/Request", "junit 4")]),
            Runner::New => (
                "allways/junit/NewRun",
                &[
                    ("org/junit/jupiter/engine/JupiterTestEngine", "junit-jupiter-engine"),
                    ("org/junit/platform/launcher/core/LauncherFactory", "junit-platform-launcher"),
                ],
            ),
        };
        if let Some((_, jar)) = needed.iter().find(|(name, _)| vm.classes.load(name).is_err()) {
            return Err(Gap::Runner { what: self.reason.clone(), jar }.into());
        }
        let run = find(&vm.classes, starter, "run", "(Ljava/lang/String;Ljava/lang/String;)V")?;
        let name = vm.classes.java_name(class);
        vm.made.method(format!("the test {name}#{test} under its runner"), |key| {
            let mut asm = Assembler::new(&vm.classes);
            asm.op(Op::ConstRef(vm.literal_str(&name))).op(Op::ConstRef(vm.literal_str(test)));
            asm.op(Op::Call(run, false)).leave(None);
            Ok(asm.add(key, class, "<test>", "([Ljava/lang/String;)V"))
        })
    }
}

/// The runner that an annotation needs, by itself or by an annotation of its own.
fn find_runner(vm: &Vm, name: &str, depth: u8) -> Option<Runner> {
    if let Some(&(_, runner)) = ONLY_RUNNERS.iter().find(|(known, _)| *known == name) {
        return Some(runner);
    }
    let is_new =
        |name: &str| ONLY_RUNNERS.iter().any(|&(known, runner)| known == name && runner == Runner::New);
    leads_to(vm, name, depth, &is_new).then_some(Runner::New)
}

/// Whether an annotation is one of some kind, or has one that is.
fn leads_to(vm: &Vm, name: &str, depth: u8, is_so: &dyn Fn(&str) -> bool) -> bool {
    if is_so(name) {
        return true;
    }
    if depth == 0 || name.starts_with("Ljava/") {
        return false;
    }
    let class = vm.classes.load(crate::class::descriptor::class_name(name));
    let class = class.map(|id| vm.class(id)).ok().filter(|class| class.loader == Loader::App);
    class.is_some_and(|class| of_class(class).iter().any(|one| leads_to(vm, &one.class, depth - 1, is_so)))
}

/// A class, and all that are nested in it as JUnit 5 has it.
pub(super) fn with_nested(vm: &Vm, class: ClassId) -> Vec<ClassId> {
    let mut found = vec![class];
    let mut at = 0;
    while at < found.len() {
        let outer = vm.class(found[at]);
        at += 1;
        let Some(file) = &outer.file else { continue };
        let inner = file.attributes.iter().filter_map(|attribute| match attribute {
            Attribute::InnerClasses(inner) => Some(inner),
            _ => None,
        });
        for inner in inner.flatten() {
            let name = |index| file.constant_pool.try_get_class(index).ok().map(|name| name.to_str_lossy());
            if name(inner.outer_class_info_index).as_deref() != Some(vm.classes.name(outer.id)) {
                continue;
            }
            let loaded = name(inner.class_info_index).and_then(|name| vm.classes.load(&name).ok());
            let is_nested = |id: &ClassId| {
                of_class(vm.class(*id)).iter().any(|one| one.class == "Lorg/junit/jupiter/api/Nested;")
            };
            found.extend(loaded.filter(is_nested).filter(|id| !found.contains(id)));
        }
    }
    found
}

fn dotted(descriptor: &str) -> String {
    crate::class::descriptor::class_name(descriptor).replace('/', ".")
}

fn shown(vm: &Vm, class: &Class) -> String {
    vm.classes.java_name(class.id)
}
