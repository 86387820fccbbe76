//! A Java program ready to be searched: the class library started, frozen, and `main` about to run.

use crate::boot;
use crate::class::{Class, ClassId, Loader, MethodId, flags};
use crate::conflict::Racy;
use crate::error::Error;
use crate::explain::names::simple_in;
use crate::inputs::{Input, Inputs};
use crate::lock_order::Orders;
use crate::network::failures::Failures;
use crate::numbered::{LATE, Name};
use crate::processes::System;
use crate::processes::start::Turns;
use crate::processes::topology::Topology;
use crate::property::{Properties, PropertyError};
use crate::race::Race;
use crate::source::files::Found;
use crate::source::path::ClassPath;
use crate::source::text::SourceText;
use crate::state::encode::Encoder;
use crate::state::form::Form;
use crate::test_class;
use crate::vm::execute::Stepped;
use crate::vm::heap::{Data, Object, Ref};
use crate::vm::left::LeftBehind;
use crate::vm::machine::{Machine, Member, Trap};
use crate::vm::process::Ended;
use crate::vm::spurious::{UnguardedWait, UnguardedWaits};
use crate::vm::step::Event;
use crate::vm::thread::{Role, Thread};
use crate::vm::{INITIALIZED, Options, Vm};
use allways_ltl::Formula;
use allways_model::{Digest, Lessons, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What to run.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// The JDK; `None` for the one that `JAVA_HOME` or the PATH leads to.
    pub jdk: Option<&'a Path>,
    /// The class with `main`, with dots or slashes; or a test, as `Class#method`.
    pub main: &'a str,
    /// The arguments of `main`.
    pub args: &'a [String],
    /// How to run it.
    pub options: Options,
    /// Directories in which the program's source may be.
    pub sources: Vec<std::path::PathBuf>,
}

/// A program.
pub struct Program {
    vm: Arc<Vm>,
    options: Options,
    main: ClassId,
    /// The method that it begins with: `main`, or one made for a test.
    entry: MethodId,
    /// The test that it is, if it is one.
    test: Option<String>,
    args: Vec<String>,
    thread: Ref,
    initial: Vec<u8>,
    digest: Digest,
    /// What operations in conflict access, by their contexts, as far as cursors have seen it. For notes to
    /// people only: which operations are in conflict is for [`Lessons`] to say.
    places: Mutex<BTreeSet<Racy>>,
    /// Data races, by the contexts of their accesses; `None` for one that is meant to be.
    races: Mutex<BTreeMap<[u64; 2], Option<Race>>>,
    /// In which orders threads take monitors and locks.
    orders: Mutex<Orders>,
    /// What it asks its surroundings for.
    inputs: Inputs,
    /// Its waits that are not in a loop.
    unguarded: UnguardedWaits,
    /// Threads that it leaves behind.
    left_behind: LeftBehind,
    /// What it is looked at for beside its own errors.
    properties: Properties,
    /// Which process of a system it is, if it is one.
    member: Option<Member>,
    /// The names of all of its processes.
    names: Arc<[String]>,
    /// The names of their groups.
    groups: Arc<[String]>,
    /// The system, if it is the first of several processes.
    system: Option<Box<System>>,
    /// Searches leave steps out after which there were more failures than this.
    most_failures: AtomicU32,
}

/// A run of the warm-up is given up after so many jumps, calls and steps.
const MAX_WARM_UP: u64 = 400_000;

/// So is one in which no class was initialised for so long, or for as long as it took until one was.
const QUIET: u64 = 20_000;

/// A class with a static field that each process has another value of, the number of the process: it is
/// initialised by each one.
const OF_EACH_PROCESS: &str = "java/lang/ProcessHandleImpl";

/// How many schedules the warm-up tries after the first.
const N_WALKS: u64 = 8;

impl Program {
    /// Starts the class library, runs the program once to see which parts of the library it uses, and freezes
    /// what is ready.
    ///
    /// # Errors
    /// If the JDK, the class path or the main class cannot be used.
    pub fn new(setup: &Setup<'_>, path: ClassPath) -> Result<Self, Error> {
        Self::of_processes(setup, path, &Topology::default())
    }

    /// As [`Program::new`], of several processes: main class and arguments of the setup are those of the
    /// first one.
    ///
    /// # Errors
    /// As [`Program::new`], with the name of the process.
    pub fn of_processes(setup: &Setup<'_>, path: ClassPath, topology: &Topology) -> Result<Self, Error> {
        let mut vm = boot::machine(setup.jdk, path, setup.options)?;
        vm.text = SourceText::new(setup.sources.clone());
        let name = setup.main.replace('.', "/");
        let named = |error| match topology.members.first() {
            Some(first) => Error::OfProcess(first.name.clone(), Box::new(error)),
            None => error,
        };
        let (main, entry) = find_entry(&vm, &name).map_err(named)?;
        let thread = {
            let mut machine = Machine::new(&vm);
            boot::boot(&mut machine)?;
            let parts = Parts::of(machine)?;
            parts.freeze(&mut vm)
        };
        let this = Self {
            vm: Arc::new(vm),
            options: options_for(setup.options, &name),
            main,
            entry,
            test: test_class::parts(&name).map(|(_, test)| test.to_owned()),
            args: setup.args.to_vec(),
            thread,
            initial: Vec::new(),
            digest: Digest([0; 16]),
            places: Mutex::default(),
            races: Mutex::default(),
            orders: Mutex::default(),
            inputs: Inputs::default(),
            unguarded: UnguardedWaits::default(),
            left_behind: LeftBehind::default(),
            properties: Properties::default(),
            member: None,
            names: Arc::default(),
            groups: Arc::default(),
            system: None,
            most_failures: AtomicU32::new(u32::MAX),
        };
        let this = this.warm_up(topology)?;
        if !setup.options.jdk_locks && !this.locks_of_its_own().is_empty() {
            // What they do to acquire and to release are operations of the program, so they run on the
            // original.
            let options = Options { jdk_locks: true, ..setup.options };
            let vm = Arc::into_inner(this.vm).ok_or(Error::InUse)?;
            let path = vm.classes.sources.path;
            let setup = Setup { options, sources: setup.sources.clone(), ..*setup };
            return Self::of_processes(&setup, path, topology);
        }
        this.with_members(topology)?.ready()
    }

    /// Another program on the same class path and class library, which is started already. What of the
    /// library only this one uses is initialised in the search.
    ///
    /// # Errors
    /// As [`Program::new`].
    pub fn sibling(&self, main: &str, args: &[String], options: Options) -> Result<Self, Error> {
        let name = main.replace('.', "/");
        let (main, entry) = find_entry(&self.vm, &name)?;
        let this = Self {
            vm: Arc::clone(&self.vm),
            options: options_for(options, &name),
            main,
            entry,
            test: test_class::parts(&name).map(|(_, test)| test.to_owned()),
            args: args.to_vec(),
            thread: self.thread,
            initial: Vec::new(),
            digest: Digest([0; 16]),
            places: Mutex::default(),
            races: Mutex::default(),
            orders: Mutex::default(),
            inputs: Inputs::default(),
            unguarded: UnguardedWaits::default(),
            left_behind: LeftBehind::default(),
            properties: Properties::default(),
            member: None,
            names: Arc::default(),
            groups: Arc::default(),
            system: None,
            most_failures: AtomicU32::new(u32::MAX),
        };
        this.ready()
    }

    /// As [`Program::sibling`], of several processes.
    ///
    /// # Errors
    /// As [`Program::of_processes`]; if there is no process.
    pub fn sibling_of_processes(&self, topology: &Topology, options: Options) -> Result<Self, Error> {
        let first = topology.members.first().ok_or(Error::Deadlock)?;
        let program = self.sibling(&first.main, &first.args, options)?;
        program.with_members(topology)?.ready()
    }

    /// The program that a process of a topology runs, on the same class library.
    fn member(&self, topology: &Topology, number: usize) -> Result<Self, Error> {
        let member = &topology.members[number];
        let named = |error| Error::OfProcess(member.name.clone(), Box::new(error));
        let program = self.sibling(&member.main, &member.args, self.options).map_err(named)?;
        let is_ordered =
            topology.members.len() > 1 && self.options.is_ordered() && !self.options.every_access;
        let index =
            topology.members[..number].iter().filter(|other| other.group == member.group).count() as u32;
        let member = Member { number: number as u32, index, awaited: topology.awaited(), is_ordered };
        let names = topology.members.iter().map(|member| member.name.clone()).collect();
        let groups = topology.members.iter().map(|member| member.group.clone()).collect();
        Ok(Self { member: Some(member), names, groups, ..program })
    }

    /// The first of several processes, if there are any.
    fn with_members(mut self, topology: &Topology) -> Result<Self, Error> {
        if !topology.members.is_empty() {
            let members = (0..topology.members.len()).map(|number| self.member(topology, number));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            self.system = Some(Box::new(System::new(members, topology.clone())));
        }
        Ok(self)
    }

    /// The system, if there are several processes.
    pub(crate) fn system(&self) -> Option<&System> {
        self.system.as_deref()
    }

    /// Whether it is one of several processes.
    pub(crate) fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// How many processes there are in a system; `None` for a program that is run alone.
    #[must_use]
    pub fn n_processes(&self) -> Option<usize> {
        self.system().map(|system| system.programs.len())
    }

    /// Searches leave steps out after which there were more than `n` failures. The model, its digest and the
    /// keys of its steps stay the same: to search with a smaller budget first.
    pub fn limit_failures(&self, n: u32) {
        self.each().iter().for_each(|program| program.most_failures.store(n, Ordering::Relaxed));
    }

    /// See [`Program::limit_failures`].
    pub(crate) fn most_failures(&self) -> u32 {
        self.most_failures.load(Ordering::Relaxed)
    }

    /// The names of the processes of a system; none for a program that is run alone.
    #[must_use]
    pub fn process_names(&self) -> &[String] {
        self.system().map_or(&[], |system| &system.programs[0].names)
    }

    /// Whether a search may take the steps of one process first (see `processes::cursor`).
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.n_processes().is_some_and(|n| n > 1) && self.options.is_ordered()
    }

    /// A line about one of several processes, with the name of its group.
    fn of_process(&self, line: &str) -> String {
        match self.member.and_then(|member| self.groups.get(member.number as usize)) {
            Some(group) => format!("{group}:{line}"),
            None => line.to_owned(),
        }
    }

    /// The program, or those of all processes.
    fn each(&self) -> &[Self] {
        self.system().map_or(std::slice::from_ref(self), |system| &system.programs)
    }

    fn ready(mut self) -> Result<Self, Error> {
        self.initial = self.encode_initial()?;
        self.digest = match self.system() {
            Some(system) => system.digest(),
            None => self.find_digest(),
        };
        Ok(self)
    }

    /// Looks at the program for a condition that must hold in every state; see `property` for what it may
    /// say.
    ///
    /// In a system a condition is one of each process of a name, or of a group of them:
    /// `server:Chat.up <= 2`.
    ///
    /// # Errors
    /// If it is no condition over the fields of the program, or begins with no process where there are
    /// several.
    pub fn add_invariant(&mut self, condition: &str) -> Result<(), PropertyError> {
        if let Some(system) = &mut self.system {
            for (process, condition) in system.split_condition(condition)? {
                system.programs[process].add_invariant(condition)?;
            }
            self.digest = system.digest();
            return Ok(());
        }
        self.properties.add_invariant(&self.vm, self.main, condition)?;
        self.digest = self.find_digest();
        Ok(())
    }

    /// Observes what an expression reads, so that reductions keep it for conditions that are asked about
    /// later.
    ///
    /// # Errors
    /// If it is no expression over the fields of the program.
    pub fn observe(&mut self, expression: &str) -> Result<(), PropertyError> {
        self.properties.keep(&self.vm, self.main, expression)?;
        self.digest = self.find_digest();
        Ok(())
    }

    /// How many fields and kinds of arrays the properties observe.
    #[must_use]
    pub fn n_observed(&self) -> usize {
        self.properties.observed().len()
    }

    /// What is observed besides the first `n` fields and kinds of arrays, by name.
    #[must_use]
    pub fn observed_since(&self, n: usize) -> Vec<String> {
        self.properties.observed_since(&self.vm, n)
    }

    /// Makes the conditions of a formula propositions of the model; gives the formula over their numbers, and
    /// how people read them.
    ///
    /// # Errors
    /// If it is no formula, or its conditions are not over the fields of the program.
    pub fn set_formula(&mut self, formula: &str) -> Result<(Formula, Vec<Arc<str>>), PropertyError> {
        let formula = self.properties.set_formula(&self.vm, self.main, formula)?;
        self.digest = self.find_digest();
        Ok((formula, self.properties.propositions()))
    }

    /// The invariants that could not be asked in any state that searches have seen so far.
    #[must_use]
    pub fn never_applied(&self) -> Vec<&str> {
        self.each().iter().flat_map(|program| program.properties.never_applied()).collect()
    }

    pub(crate) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Whether threads sleep where they may (see `sleep`). Where states are written down in another form than
    /// usual the order of steps may make a difference.
    pub(crate) fn may_sleep(&self) -> bool {
        let options = &self.vm.options;
        let form = options.form;
        let usual = Form { acquires: true, order: true, ..form };
        options.until_conflict && usual == Form::default() && self.properties.observed().is_empty()
    }

    /// Notes what operations in conflict access.
    pub(crate) fn add_places(&self, racy: &[Racy]) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).extend(racy);
    }

    /// Whether a race is known.
    pub(crate) fn knows_race(&self, contexts: [u64; 2]) -> bool {
        self.races.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&contexts)
    }

    /// A race, or `None` for one that is meant to be.
    pub(crate) fn add_race(&self, contexts: [u64; 2], race: Option<Race>) {
        self.races.lock().unwrap_or_else(PoisonError::into_inner).insert(contexts, race);
    }

    /// The data races that searches have seen so far, one for each field or element and pair of places.
    #[must_use]
    pub fn races(&self) -> Vec<Race> {
        let mut seen = BTreeSet::new();
        let of = |program: &Self| {
            let races = program.races.lock().unwrap_or_else(PoisonError::into_inner);
            let of_process = |race: &Race| Race { what: program.of_process(&race.what), ..race.clone() };
            races.values().flatten().map(of_process).collect::<Vec<_>>()
        };
        self.each().iter().flat_map(of).filter(|race| seen.insert(race.summary())).collect()
    }

    /// The files that the program has looked at so far, with the hashes of what it found: by their paths, or
    /// for those on the class path by their names there.
    #[must_use]
    pub fn files_read(&self) -> Vec<(String, Sha256)> {
        let sources = &self.vm.classes.sources;
        let resources = sources.path.resources_read().into_iter();
        let resources = resources.map(|(name, bytes)| (format!("class path: {name}"), Sha256::of(&bytes)));
        let others = sources.files.seen().into_iter().filter_map(|(file, found)| {
            let hash = match found {
                Found::Missing => Sha256::of(MISSING),
                Found::Directory => Sha256::of(DIRECTORY),
                Found::File(bytes) => Sha256::of(&bytes),
                Found::Other(_) => return None,
            };
            Some((file.to_string_lossy().into_owned(), hash))
        });
        resources.chain(others).collect()
    }

    /// Threads took monitors and locks in these orders.
    pub(crate) fn add_orders(&self, orders: &mut Orders) {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).absorb(orders);
    }

    /// Which threads took which monitors and locks in opposite orders or in a circle, as far as searches have
    /// seen it: a line for each.
    #[must_use]
    pub fn lock_order_inversions(&self) -> Vec<String> {
        let of = |program: &Self| {
            let circles = program.orders.lock().unwrap_or_else(PoisonError::into_inner).circles();
            circles.into_iter().map(|line| program.of_process(&line)).collect::<Vec<_>>()
        };
        let mut seen = BTreeSet::new();
        self.each().iter().flat_map(of).filter(|line| seen.insert(line.clone())).collect()
    }

    /// What the program asks its surroundings for, as far as searches have seen it.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        let mut seen: Vec<Input> = Vec::new();
        for input in self.each().iter().flat_map(|program| program.inputs.seen()) {
            if !seen.contains(&input) {
                seen.push(input);
            }
        }
        seen
    }

    /// Untimed waits of the program that are not in a loop, as far as searches have seen them: a spurious
    /// wake-up would let the thread go on.
    #[must_use]
    pub fn unguarded_waits(&self) -> Vec<UnguardedWait> {
        self.each().iter().flat_map(|program| program.unguarded.seen()).collect()
    }

    /// The threads that were still there when `main` had ended, and the process with it
    /// ([`Options::end_with_main`]), as far as searches have seen it: a line for each and the place where it
    /// was.
    #[must_use]
    pub fn left_behind(&self) -> Vec<String> {
        self.each().iter().flat_map(|program| program.left_behind.seen()).collect()
    }

    /// Whether locks of `java.util.concurrent` are among what searches have learnt to be in conflict.
    #[must_use]
    pub fn contends_for_locks(&self, lessons: &Lessons) -> bool {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let is_lock = |&(_, key): &Racy| {
            self.vm.classes.name(ClassId((key >> 32) as u32)) == crate::simple::CLASSES[0].0
        };
        places.iter().filter(|&&(context, _)| lessons.contains(context)).any(is_lock)
    }

    /// The program's own locks that are built on `AbstractQueuedSynchronizer`, as far as they were loaded.
    #[must_use]
    pub fn locks_of_its_own(&self) -> Vec<&str> {
        let vm = &self.vm;
        let Ok(simple) = vm.classes.load(crate::simple::CLASSES[0].0) else { return Vec::new() };
        vm.classes
            .loaded()
            .filter(|class| class.loader == Loader::App && class.is_below(simple))
            .map(|class| vm.classes.name(class.id))
            .collect()
    }

    /// The name of what [`crate::vm::view::Place::key`] stands for.
    pub(crate) fn place_name(&self, key: u64) -> String {
        let classes = &self.vm.classes;
        let class = self.vm.class(ClassId((key >> 32) as u32));
        // A field of the class library is known by its full name.
        let is_own = class.loader == Loader::App;
        let name = if is_own { simple_in(&self.vm, class) } else { classes.java_name(class.id) };
        if key & 3 == 3 {
            return format!("the monitor of {name}");
        }
        if key & 2 != 0 {
            return name;
        }
        let slot = key as u32 >> 2;
        let is_static = key & 1 != 0;
        let field = class.fields.iter().find(|field| {
            (field.flags & flags::STATIC != 0) == is_static
                && slot == if is_static { self.vm.static_slot(field.slot) } else { field.slot }
        });
        match field {
            Some(field) => format!("{name}.{}", classes.symbols.text(field.name)),
            None => format!("{name}.#{slot}"),
        }
    }

    /// How it is run.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// A machine that runs as this program wants it, and knows what searches have learnt.
    #[must_use]
    pub(crate) fn machine(&self, lessons: &Lessons) -> Machine<'_> {
        let mut machine = Machine::new(&self.vm);
        machine.options = self.options;
        machine.member = self.member.unwrap_or_default();
        machine.knowledge.observed = self.properties.observed();
        machine.knowledge.processes = Arc::clone(&self.names);
        machine.knowledge.inputs = Some(&self.inputs);
        machine.knowledge.unguarded = Some(&self.unguarded);
        machine.knowledge.left_behind = Some(&self.left_behind);
        machine.knowledge.racy = lessons.iter().collect();
        machine
    }

    /// What all workers share.
    #[must_use]
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// The class with `main`.
    #[must_use]
    pub fn main(&self) -> ClassId {
        self.main
    }

    /// The initial state.
    #[must_use]
    pub fn initial_vector(&self) -> &[u8] {
        &self.initial
    }

    /// See [`allways_model::Model::digest`].
    #[must_use]
    pub(crate) fn program_digest(&self) -> Digest {
        self.digest
    }

    /// A machine about to run `main`.
    fn begin(&self) -> Result<Machine<'_>, Error> {
        let vm = &self.vm;
        let mut machine = self.machine(Lessons::none());
        machine.process.threads.push(Thread::new(0, self.thread));
        machine.process.next_thread = 1;
        machine.process.clock = crate::vm::clock::Clock::UNREAD;
        let strings: Vec<Ref> = self.args.iter().map(|arg| machine.new_string(arg)).collect();
        let array =
            machine.process.heap.push(Object::new(vm.known().string_array, Data::Refs(strings.into())));
        let method = vm.classes.method(self.entry);
        machine.push_frame(method, &[u64::from(array)], Role::Plain)?;
        match machine.ensure_initialized(method.class) {
            Ok(()) | Err(Trap::Again) => Ok(machine),
            Err(trap) => Err(trap.into()),
        }
    }

    fn encode_initial(&self) -> Result<Vec<u8>, Error> {
        let machine = self.begin()?;
        let mut encoder = Encoder::default();
        let words = encoder.encode(&machine)?;
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Runs the program on its first schedule, printing as it goes; gives its exit status, or what it cannot
    /// do.
    ///
    /// # Errors
    /// What is unsupported; or that it came to a deadlock.
    pub fn run_once(&self, mut output: impl FnMut(bool, &str)) -> Result<i32, Error> {
        let mut machine = self.begin()?;
        machine.options.spurious = 0;
        machine.options.failures = Failures::default();
        let mut encoder = Encoder::default();
        loop {
            let moved = round(&mut machine, 1_000)?;
            for event in machine.step.events.drain(..) {
                if let Event::Output(is_error, text) = event {
                    output(is_error, &text);
                }
            }
            crate::state::leave_garbage(&mut machine, &mut encoder)?;
            if let Ended::Exit(status) = machine.process.ended {
                return Ok(status);
            }
            if !moved {
                return Err(Error::Deadlock);
            }
        }
    }

    /// Notes which classes of the library the program initialises on its first schedule and on some others,
    /// and initialises them beforehand: then no search has to do that in every order.
    fn warm_up(mut self, topology: &Topology) -> Result<Self, Error> {
        let mut used = Vec::new();
        let members = (0..topology.members.len()).map(|number| self.member(topology, number));
        let members = members.collect::<Result<Vec<_>, _>>()?;
        for walk in 0..=N_WALKS {
            let programs = if members.is_empty() { std::slice::from_ref(&self) } else { &members };
            let machines = programs.iter().map(|program| program.begin_warm_up(walk));
            let mut turns = Turns::new(machines.collect::<Result<Vec<_>, _>>()?);
            let (mut done, mut last, mut n_initialized) = (0, 0, 0);
            let mut random = walk.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            while done < MAX_WARM_UP.min(QUIET.max(last) + last) {
                // What goes wrong here goes wrong in the search too, and is told there.
                let Some(n) = turns.turn((walk > 0).then_some(&mut random)) else { break };
                done += n;
                if turns.n_initialized() > n_initialized {
                    (last, n_initialized) = (done, turns.n_initialized());
                }
            }
            turns.machines.iter().for_each(|machine| self.note_initialized(machine, &mut used));
        }
        drop(members);
        if !topology.members.is_empty() {
            used.retain(|&id| self.vm.classes.name(id) != OF_EACH_PROCESS);
        }
        let parts = {
            let mut machine = Machine::new(&self.vm);
            machine.process.threads.push(Thread::new(0, self.thread));
            machine.process.next_thread = 1;
            machine.booting = true;
            for id in used {
                let name = self.vm.classes.name(id).to_owned();
                machine.process.heap.begin();
                if boot::initialize(&mut machine, &name).is_err() {
                    machine.process.heap.rollback();
                    machine.process.threads.truncate(1);
                    machine.process.threads[0].frames.clear();
                }
            }
            Parts::of(machine)?
        };
        let vm = Arc::get_mut(&mut self.vm).ok_or(Error::InUse)?;
        self.thread = parts.freeze(vm);
        vm.seal();
        Ok(self)
    }

    /// A machine for a run of the warm-up, which notes nothing.
    fn begin_warm_up(&self, walk: u64) -> Result<Machine<'_>, Error> {
        let mut machine = self.begin()?;
        // Threads get into each other's way only if they are interrupted everywhere.
        machine.options.every_access = walk > 0;
        machine.options.failures = Failures::default();
        machine.knowledge.inputs = None;
        machine.knowledge.unguarded = None;
        machine.knowledge.left_behind = None;
        machine.options.spurious = 0;
        Ok(machine)
    }

    /// Adds the classes of the library that a machine has initialised.
    fn note_initialized(&self, machine: &Machine<'_>, used: &mut Vec<ClassId>) {
        for (reference, object) in machine.process.heap.dirty() {
            if object.class != self.vm.known().class {
                continue;
            }
            let id = self.vm.mirrored(object);
            let class = self.vm.class(id);
            let was = match &self.vm.base.get(*reference).data {
                Data::Slots(slots) => slots[self.vm.status_slot(class) as usize],
                _ => 0,
            };
            let is_new = class.loader == Loader::Boot && was == 0 && !used.contains(&id);
            if is_new && machine.class_status(class) == INITIALIZED {
                used.push(id);
            }
        }
    }

    fn find_digest(&self) -> Digest {
        let vm = &self.vm;
        // Which others are loaded depends on what was searched before.
        let is_here = |class: &&Class| class.id.0 < LATE || class.id == self.main;
        let own = vm.classes.loaded().filter(is_here);
        // What loaders of the program define comes of what is here.
        let own = own.filter(|class| class.loader == Loader::App && class.space == 0 && class.file.is_some());
        let mut classes: Vec<(&str, Vec<u8>)> = own
            .map(|class| vm.classes.name(class.id))
            .filter_map(|name| Some((name, vm.classes.sources.class(name)?.0)))
            .collect();
        classes.sort_unstable();
        // How states are written down makes no difference to runs.
        let timeouts = (self.options.idle_timeouts, self.options.form.punctual);
        let Options { every_access, until_conflict, keep_output, random_choices, .. } = self.options;
        let Options { jdk_locks, processors, races, assertions, spurious, allowed_exits, .. } = self.options;
        let digest = Digest::of(&(
            ("java", 2_u8, vm.classes.name(self.main), &self.test, self.options.end_with_main, &self.args),
            (every_access, until_conflict, keep_output, random_choices),
            (jdk_locks, processors, races, assertions, spurious, allowed_exits, timeouts),
            (self.properties.invariants().collect::<Vec<_>>(), self.properties.propositions()),
            classes,
        ));
        let digest = match self.properties.kept() {
            [] => digest,
            kept => Digest::of(&(digest.to_string(), "observes", kept)),
        };
        let network = (self.options.form.acquires, self.options.socket_buffer);
        let usual = (true, Options::default().socket_buffer);
        let digest = if network == usual { digest } else { Digest::of(&(digest.0, network)) };
        let digest = if self.options.form.pools { digest } else { Digest::of(&(digest.0, "pools")) };
        let failures = self.options.failures;
        if failures.any() { Digest::of(&(digest.0, "failures", failures)) } else { digest }
    }
}

/// What stands for a file that is not there.
const MISSING: &[u8] = b"allways: no such file";
/// What stands for a directory.
const DIRECTORY: &[u8] = b"allways: a directory";

/// Lets the first thread that can take a step do so, at most `n_steps` times; whether one could. Time passes
/// only when nobody could go on otherwise, as on a machine that has time enough.
pub(crate) fn round(machine: &mut Machine<'_>, n_steps: usize) -> Result<bool, Error> {
    let mut done = 0;
    let mut idx = 0;
    machine.timeless = true;
    let result = loop {
        if idx >= machine.process.threads.len() {
            if !machine.timeless {
                break Ok(done > 0);
            }
            machine.timeless = false;
            idx = 0;
            continue;
        }
        machine.process.heap.begin();
        machine.step.script.clear();
        match machine.step(idx) {
            Stepped::Done => {
                done += 1;
                if done == n_steps || machine.process.ended != Ended::No || !machine.step.events.is_empty() {
                    break Ok(true);
                }
                machine.timeless = true;
                idx = 0;
            }
            Stepped::Blocked => idx += 1,
            Stepped::Rejected => break Err(Error::Rejected),
            Stepped::Unsupported(what) => break Err(Error::Unsupported(what)),
        }
    };
    machine.timeless = false;
    result
}

/// Lets a thread take a step, whichever comes next in a sequence of pseudo-random numbers; whether one could.
pub(crate) fn stroll(machine: &mut Machine<'_>, random: &mut u64) -> Result<bool, Error> {
    *random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    let first = (*random >> 33) as usize;
    for n_tried in 0..machine.process.threads.len() {
        machine.process.heap.begin();
        machine.step.script.clear();
        match machine.step((first + n_tried) % machine.process.threads.len()) {
            Stepped::Done => return Ok(true),
            Stepped::Blocked => {}
            Stepped::Rejected => return Ok(false),
            Stepped::Unsupported(what) => return Err(Error::Unsupported(what)),
        }
    }
    Ok(false)
}

/// A class of the program, by its name with slashes.
///
/// # Errors
/// If it is not there or cannot be loaded.
pub(crate) fn load_class(vm: &Vm, name: &str) -> Result<ClassId, Error> {
    let shown = name.replace('/', ".");
    vm.load(name).map_err(|error| match error.class {
        "java/lang/NoClassDefFoundError" if error.message == name => Error::NoMainClass(shown),
        _ => Error::MainClass(shown, error),
    })
}

/// A test is run as its runner does: until it has returned.
fn options_for(options: Options, name: &str) -> Options {
    Options { end_with_main: options.end_with_main || test_class::parts(name).is_some(), ..options }
}

/// The class of a program, and the method that it begins with.
fn find_entry(vm: &Vm, name: &str) -> Result<(ClassId, MethodId), Error> {
    if let Some((class, test)) = test_class::parts(name) {
        let id = load_class(vm, class)?;
        return Ok((id, test_class::entry(vm, id, test)?));
    }
    let shown = name.replace('/', ".");
    let id = load_class(vm, name)?;
    let symbols = &vm.classes.symbols;
    let found = vm.classes.lookup(id, symbols.intern("main"), symbols.intern("([Ljava/lang/String;)V"));
    match found.map(|method| vm.classes.method(method)) {
        Some(method) if method.is_static() && method.flags & flags::PUBLIC != 0 => Ok((id, method.id)),
        Some(_) => Err(Error::MainNotPublic(shown)),
        None => Err(Error::NoMainMethod(shown)),
    }
}

/// What a machine left behind, ready to become part of the base image.
struct Parts {
    dirty: Vec<(Ref, Object)>,
    objects: Vec<Object>,
    /// The places of the objects to keep, in order.
    order: Vec<u32>,
    thread: Ref,
}

impl Parts {
    fn of(machine: Machine<'_>) -> Result<Self, Error> {
        let mut encoder = Encoder::default();
        encoder.encode(&machine)?;
        let order = encoder.order().to_vec();
        let thread = machine.process.threads[0].object;
        let (dirty, objects) = machine.process.heap.into_parts();
        Ok(Self { dirty, objects, order, thread })
    }

    /// Puts everything into the base image, and gives the first thread's object there.
    fn freeze(self, vm: &mut Vm) -> Ref {
        use crate::vm::heap::OVERLAY;
        let first = vm.base.n_early();
        let mut renamed = vec![0; self.objects.len()];
        for (number, &idx) in self.order.iter().enumerate() {
            renamed[idx as usize] = first + number as u32;
        }
        let rename = |reference: Ref| {
            if reference < OVERLAY { reference } else { renamed[(reference - OVERLAY) as usize] }
        };
        let fix = |vm: &Vm, mut object: Object| {
            match &mut object.data {
                Data::Bytes(_) => {}
                Data::Refs(refs) => refs.iter_mut().for_each(|reference| *reference = rename(*reference)),
                Data::Slots(_) => {
                    let kinds: Vec<_> = vm.kinds(&object).collect();
                    if let Data::Slots(slots) = &mut object.data {
                        for (kind, slot) in kinds.into_iter().zip(slots.iter_mut()) {
                            if kind == crate::class::descriptor::Kind::Ref {
                                *slot = u64::from(rename(*slot as Ref));
                            }
                        }
                    }
                }
            }
            object.shared = true;
            object.owner = 0;
            object.count = 0;
            object
        };
        let mut objects: Vec<Option<Object>> = self.objects.into_iter().map(Some).collect();
        for &idx in &self.order {
            let object = objects[idx as usize].take().expect("each object is numbered once");
            let object = fix(vm, object);
            vm.base.add(|| Name::object("of the program's start"), |_| object);
        }
        for (reference, object) in self.dirty {
            let object = fix(vm, object);
            *vm.base.early_mut(reference) = object;
        }
        rename(self.thread)
    }
}
