//! Test classes of JUnit 3, 4 and 5 and of TestNG: a test method as a program.
//!
//! A program is named `Class#method`. Its `main` is made here: it makes an object of the class, calls the
//! methods that come before each test, the test, and those that come after. What the test throws is not
//! caught, so it is a violation like any other; an assumption that fails ends the test, as under a runner.
//! The run ends when all of that has returned (see
//! [`Options::end_with_main`](crate::Options::end_with_main)).
//!
//! The methods are found by their annotations, by name. A test that needs no more than that runs without a
//! runner; one that has rules, extensions, parameters or a runner of its own runs under the library's (see
//! `runner`).

mod annotations;
mod runner;

use crate::class::code::Op;
use crate::class::descriptor::Kind;
use crate::class::{Class, ClassId, Loader, Method, MethodId, flags};
use crate::error::Error;
use crate::gap::Gap;
use crate::source::path::ClassPath;
use crate::vm::dynamic::assemble::{Assembler, find};
use crate::vm::machine::Exec;
use crate::vm::{Options, Vm};
use annotations::{Annotation, of_class, of_members, of_method};
use runner::Need;
use std::path::Path;

/// A test method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMethod {
    /// What follows the name of the class that was asked for in that of its own class: empty, or `$Nested`.
    pub nested: String,
    /// Its name.
    pub name: String,
    /// Whether it is not to be run.
    pub is_skipped: bool,
}

/// What a method is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    BeforeAll,
    Before,
    Test,
    After,
    AfterAll,
}

/// Annotations that say what a method is for.
const PARTS: &[(&str, Part)] = &[
    ("Lorg/junit/BeforeClass;", Part::BeforeAll),
    ("Lorg/junit/Before;", Part::Before),
    ("Lorg/junit/Test;", Part::Test),
    ("Lorg/junit/experimental/theories/Theory;", Part::Test),
    ("Lorg/junit/After;", Part::After),
    ("Lorg/junit/AfterClass;", Part::AfterAll),
    ("Lorg/junit/jupiter/api/BeforeAll;", Part::BeforeAll),
    ("Lorg/junit/jupiter/api/BeforeEach;", Part::Before),
    ("Lorg/junit/jupiter/api/Test;", Part::Test),
    ("Lorg/junit/jupiter/api/RepeatedTest;", Part::Test),
    ("Lorg/junit/jupiter/api/AfterEach;", Part::After),
    ("Lorg/junit/jupiter/api/AfterAll;", Part::AfterAll),
    ("Lorg/testng/annotations/BeforeClass;", Part::BeforeAll),
    ("Lorg/testng/annotations/BeforeMethod;", Part::Before),
    ("Lorg/testng/annotations/Test;", Part::Test),
    ("Lorg/testng/annotations/AfterMethod;", Part::After),
    ("Lorg/testng/annotations/AfterClass;", Part::AfterAll),
];

/// Annotations of tests and classes that are not to be run.
const SKIPPED: &[&str] =
    &["Lorg/junit/Ignore;", "Lorg/junit/jupiter/api/Disabled;", "Lorg/testng/annotations/Ignore;"];

/// Exceptions by which a test says that it cannot be run here.
const ABORTED: &[&str] = &[
    "org/junit/internal/AssumptionViolatedException",
    "org/opentest4j/TestAbortedException",
    "org/testng/SkipException",
];

const OLD_TEST: &str = "junit/framework/TestCase";

/// The class and the method of a program that is a test; `None` if it has a `main`.
pub(crate) fn parts(name: &str) -> Option<(&str, &str)> {
    name.split_once('#')
}

/// The test methods of a class, in the order of their names.
///
/// # Errors
/// If there are none, or something of the class is unsupported.
pub fn test_methods(jdk: Option<&Path>, path: ClassPath, class: &str) -> Result<Vec<TestMethod>, Error> {
    let vm = crate::boot::machine(jdk, path, Options::default())?;
    let id = crate::program::load_class(&vm, &class.replace('.', "/"))?;
    let mut methods = Vec::new();
    for id in runner::with_nested(&vm, id) {
        let suite = Suite::of(&vm, id)?;
        let name = vm.classes.java_name(id);
        let nested = name[name.len().min(class.len())..].to_owned();
        let mut own: Vec<TestMethod> = suite
            .tests
            .iter()
            .map(|test| TestMethod {
                nested: nested.clone(),
                name: suite.name(test.method),
                is_skipped: suite.is_skipped || test.is_skipped,
            })
            .collect();
        own.sort_by(|a, b| a.name.cmp(&b.name));
        own.dedup();
        methods.extend(own);
    }
    if methods.is_empty() { Err(Error::NoTests(class.replace('/', "."))) } else { Ok(methods) }
}

/// The method that runs a test of a class.
///
/// # Errors
/// If there is no such test, or something of it is unsupported.
pub(crate) fn entry(vm: &Vm, class: ClassId, test: &str) -> Result<MethodId, Error> {
    let suite = Suite::of(vm, class)?;
    let shown = vm.classes.java_name(class);
    let found = suite.tests.iter().find(|one| suite.name(one.method) == test);
    let found = found.ok_or_else(|| Error::NoTest(shown.clone(), test.into()))?;
    let this = vm.class(class);
    if this.flags & flags::ABSTRACT != 0 {
        return Err(Error::Unsupported(Gap::Named("tests of the abstract class", shown).into()));
    }
    match suite.need.as_ref().or(found.need.as_ref()) {
        Some(need) => Ok(need.entry(vm, class, test)?),
        None => Ok(suite.assemble(found)?),
    }
}

struct Test {
    method: MethodId,
    is_skipped: bool,
    /// Why it cannot do without a runner.
    need: Option<Need>,
    /// The exception that it must throw.
    expected: Option<ClassId>,
}

/// The methods of a test class, those of superclasses included.
struct Suite<'vm> {
    vm: &'vm Vm,
    class: ClassId,
    is_skipped: bool,
    /// Why none of its tests can do without a runner.
    need: Option<Need>,
    /// All that are no tests: those of superclasses first.
    others: Vec<(Part, MethodId)>,
    tests: Vec<Test>,
}

impl<'vm> Suite<'vm> {
    fn of(vm: &'vm Vm, class: ClassId) -> Result<Self, Error> {
        let mut suite =
            Self { vm, class, is_skipped: false, need: None, others: Vec::new(), tests: Vec::new() };
        let mut chain = Vec::new();
        let mut at = Some(class);
        while let Some(id) = at.filter(|&id| vm.class(id).loader == Loader::App) {
            chain.push(id);
            at = vm.class(id).super_class;
        }
        for id in chain.into_iter().rev() {
            suite.add(vm.class(id))?;
        }
        Ok(suite)
    }

    fn name(&self, method: MethodId) -> String {
        self.vm.classes.symbols.text(self.vm.classes.method(method).name).to_string()
    }

    fn add(&mut self, class: &'vm Class) -> Result<(), Error> {
        let of_this = of_class(class);
        self.is_skipped = of_this.iter().any(|one| SKIPPED.contains(&&*one.class));
        let is_test_class = of_this.iter().any(|one| one.class == "Lorg/testng/annotations/Test;");
        for one in of_this.iter().chain(&of_members(class)) {
            if self.need.is_none() {
                self.need = Need::of_class(self.vm, class, one);
            }
        }
        let old = self.vm.classes.load(OLD_TEST).is_ok_and(|old| class.is_below(old));
        for &id in &class.methods {
            let method = self.vm.classes.method(id);
            let annotations = of_method(class, method);
            let mut part = annotations
                .iter()
                .find_map(|one| PARTS.iter().find(|(name, _)| *name == one.class).map(|&(_, part)| part));
            let name = self.name(id);
            let is_public = method.flags & flags::PUBLIC != 0 && !method.is_static();
            if part.is_none() && old {
                part = match &*name {
                    "setUp" => Some(Part::Before),
                    "tearDown" => Some(Part::After),
                    _ if name.starts_with("test") && is_public && method.n_args == 1 => Some(Part::Test),
                    _ => None,
                };
            }
            if part.is_none() && is_test_class && is_public && &*name != "<init>" {
                part = Some(Part::Test);
            }
            let mut need = annotations.iter().find_map(|one| Need::of_method(self.vm, class, one));
            if need.as_ref().is_some_and(Need::is_test) {
                part = part.or(Some(Part::Test));
            }
            let Some(part) = part else { continue };
            let n_own = u16::from(!method.is_static());
            if method.n_args != n_own && need.is_none() {
                let shown = format!("{}.{name}", self.vm.classes.java_name(class.id));
                need = Need::of_parameters(&annotations, &shown);
                if need.is_none() {
                    let gap = Gap::Named("the parameters of the test method", shown);
                    return Err(Error::Unsupported(gap.into()));
                }
            }
            if part != Part::Test && self.need.is_none() {
                self.need = need.take();
            }
            self.add_method(part, method, &annotations, need)?;
        }
        Ok(())
    }

    fn add_method(
        &mut self,
        part: Part,
        method: &Method,
        annotations: &[Annotation],
        need: Option<Need>,
    ) -> Result<(), Error> {
        // One that a subclass overrides is called once.
        let is_same = |id: MethodId| {
            let other = self.vm.classes.method(id);
            (other.name, other.descriptor) == (method.name, method.descriptor)
                && other.flags & flags::PRIVATE == 0
                && !other.is_static()
        };
        if part != Part::Test {
            if !self.others.iter().any(|&(known, id)| known == part && is_same(id)) {
                self.others.push((part, method.id));
            }
            return Ok(());
        }
        self.tests.retain(|test| !is_same(test.method));
        let expected = annotations.iter().find_map(|one| one.expected.as_deref());
        let expected = expected.filter(|name| *name != "org/junit/Test$None").map(|name| self.vm.load(name));
        let expected =
            expected.transpose().map_err(|error| Error::Unsupported(Gap::Jdk(error.message).into()))?;
        let is_skipped = annotations.iter().any(|one| SKIPPED.contains(&&*one.class) || one.is_disabled);
        self.tests.push(Test { method: method.id, is_skipped, need, expected });
        Ok(())
    }

    /// Those for a purpose; those of superclasses first.
    fn part(&self, part: Part) -> impl DoubleEndedIterator<Item = MethodId> + '_ {
        self.others.iter().filter(move |&&(known, _)| known == part).map(|&(_, id)| id)
    }

    /// Writes the method that runs a test.
    fn assemble(&self, test: &Test) -> Exec<MethodId> {
        let vm = self.vm;
        let classes = &vm.classes;
        let this = 1;
        let key = format!("the test {}", classes.method_name(classes.method(test.method)));
        let constructor = find(classes, classes.name(self.class), "<init>", "()V").map_err(|_| {
            let shown = classes.java_name(self.class);
            Gap::Named("a test class without a constructor without parameters:", shown.clone())
        })?;
        vm.made.method(format!("{key} of {}", classes.name(self.class)), |key| {
            let mut asm = Assembler::new(classes);
            let call = |asm: &mut Assembler<'_>, id: MethodId| {
                let method = classes.method(id);
                if !method.is_static() {
                    asm.op(Op::Load(this));
                }
                asm.op(Op::Call(id, !method.is_static() && method.flags & flags::PRIVATE == 0));
                match method.signature.result.map_or(0, Kind::n_slots) {
                    0 => {}
                    1 => _ = asm.op(Op::Pop),
                    _ => _ = asm.op(Op::Pop2),
                }
            };
            let is_early = |&id: &MethodId| classes.method(id).is_static();
            self.part(Part::BeforeAll).filter(is_early).for_each(|id| call(&mut asm, id));
            asm.op(Op::NewOf(self.class)).op(Op::Dup).op(Op::Call(constructor, false)).store(Kind::Ref, this);
            let begun = asm.here();
            self.part(Part::BeforeAll).filter(|id| !is_early(id)).for_each(|id| call(&mut asm, id));
            self.part(Part::Before).for_each(|id| call(&mut asm, id));
            let before = asm.here();
            call(&mut asm, test.method);
            let after = asm.here();
            if let Some(expected) = test.expected {
                let text = format!("Expected exception: {}", classes.java_name(expected));
                let error = classes.load("java/lang/AssertionError")?;
                asm.op(Op::NewOf(error)).op(Op::Dup).op(Op::ConstRef(vm.literal_str(&text)));
                asm.call("java/lang/AssertionError", "<init>", "(Ljava/lang/Object;)V", false)?.op(Op::Throw);
            }
            let mut ends = vec![asm.jump(Op::Goto(0))];
            if let Some(expected) = test.expected {
                asm.catch(before, after, expected);
                asm.op(Op::Pop);
                ends.push(asm.jump(Op::Goto(0)));
            }
            for aborted in ABORTED.iter().filter_map(|name| classes.load(name).ok()) {
                asm.catch(begun, after, aborted);
                asm.op(Op::Pop);
                ends.push(asm.jump(Op::Goto(0)));
            }
            asm.set_depth(0);
            ends.into_iter().for_each(|jump| asm.land(jump));
            self.part(Part::After).rev().for_each(|id| call(&mut asm, id));
            self.part(Part::AfterAll).rev().for_each(|id| call(&mut asm, id));
            asm.leave(None);
            Ok(asm.add(key, self.class, "<test>", "([Ljava/lang/String;)V"))
        })
    }
}
