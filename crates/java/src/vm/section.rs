//! Sections of the class library that are one operation: what [`crate::simple`] has in place of algorithms
//! without locks.
//!
//! A section is an operation like others: out of view until something in it is seen in conflict, and then in
//! view as a whole, which is why all that happens in it has one *context*, that of its beginning (see
//! `view`). In view it is an atomic section as those of `allways.Choose` are: no other thread runs before it
//! is over. Out of view it is nothing but its operations, none of which is in conflict with anything. One
//! that cannot be finished in the same step comes into view for that.
//!
//! **Movers.** A section that acquires ([`Sort::Acquire`]) is to a lock what entering is to a monitor, and
//! one that releases ([`Sort::Release`]) what leaving is: to acquire hinders other threads and lets none go
//! on, to release lets them go on and hinders none. So the rules for monitors hold (see `view`): one
//! acquiring section in view begins a step, which then goes on to the operation that closes it, and releasing
//! ones may follow that. This is right as long as all that other threads do with the lock is to acquire and
//! to release. A thread that looks at it (`tryLock`, `availablePermits`) can tell whether a lock is held,
//! also where it waits for nothing. For such an operation a mover is out of view:
//!
//! - in conflict with a mover it makes that a *plain* section, which closes its step ([`plain`], found by
//!   `conflict`). The argument there is about operations before the one that closes a step: the other thread
//!   comes to its own without them;
//! - a release that follows the closing operation cannot be found in this way, since the other thread may
//!   look at the lock because of that operation. So where any thread looks at a lock, whatever it is like
//!   then, releases of such locks follow no closing operation any more (`looked_at`). A search without this
//!   comes to the first such look, as all before it acquires and releases.
//!
//! What a lock protects comes after acquiring it, in the steps of both threads, and stays out of view for
//! that. Not what a semaphore with two permits "protects": a section that acquires says whether any other one
//! could follow it ([`Machine::leave_acquired`]).
//!
//! **Sections that fail.** [`Machine::retry_section`] takes a section back to its beginning, where the thread
//! waits: it has only read what other threads can reach. What it has read remains among the accesses of the
//! step, as for any operation that has to wait.

use super::execute::Stepped;
use super::heap::Ref;
use super::machine::{Exec, Machine, Trap};
use super::thread::SUSPENDED;
use super::view::{OBSERVER, OWNERS, Resource};
use crate::class::Loader;
use crate::gap::Gap;
use crate::vm::view::Mode;
use rapidhash::v3::rapidhash_v3;

/// The context of a thread that can tell whether another one waits for a lock: with it in the set of contexts
/// threads wait in queues. With this and the hash of a class (`queue_of`) those of that class do.
pub const QUEUES: u64 = 6;

/// The context of a thread that does with a pool what [`crate::simple::POOL`] cannot: with it in the set of
/// contexts pools are those of the class library.
pub const POOLS: u64 = 8;

/// When a section that may end by time does.
#[derive(Clone, Copy, Debug)]
pub enum Expiry {
    /// At a deadline.
    At(i64),
    /// After this many nanoseconds.
    After(u64),
}

/// What a section does with the lock that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Anything.
    Plain,
    /// Acquires it, or fails.
    Acquire,
    /// Releases this one.
    Release(Ref),
    /// Tells threads to go on once it is released.
    Signal,
    /// Lets time pass, or acquires it.
    Timed,
}

/// Where a section began, and what the step was like then.
#[derive(Clone, Copy, Debug)]
struct Start {
    n_frames: usize,
    pc: u32,
    sp: u32,
    progress: bool,
    closed: bool,
    n_reads: usize,
    atomic: u32,
    n_accesses: usize,
}

/// The section that the running thread is in, within a step.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Where it begins.
    pub context: u64,
    /// Whether it is in view, if other threads run.
    pub in_view: bool,
    /// What it does.
    sort: Sort,
    /// How many sections that have begun in it are not over.
    depth: u32,
    start: Start,
}

impl Section {
    /// Whether it acquires or releases.
    #[must_use]
    pub fn is_mover(&self) -> bool {
        matches!(self.sort, Sort::Acquire | Sort::Release(_) | Sort::Signal)
    }
}

/// The context that says of the section with another one that it is plain.
#[must_use]
pub fn plain(context: u64) -> u64 {
    context.rotate_left(29) ^ 0x70_6c61_696e
}

/// The context that says that threads wait in a queue for locks of a class.
fn queue_of(class: &str) -> u64 {
    rapidhash_v3(class.as_bytes()) ^ QUEUES
}

/// The context that says that threads look at locks of a class otherwise than by acquiring and releasing.
fn looked_at(class: &str) -> u64 {
    rapidhash_v3(class.as_bytes()).rotate_left(17)
}

/// The classes of locks for which threads may wait without a queue.
const UNORDERED: [&str; 5] = [REENTRANT, READ_WRITE, SEMAPHORE, LATCH, WORKER];
const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock$NonfairSync";
const READ_WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$NonfairSync";
const SEMAPHORE: &str = "java/util/concurrent/Semaphore$NonfairSync";
const LATCH: &str = "java/util/concurrent/CountDownLatch$Sync";
const WORKER: &str = "java/util/concurrent/ThreadPoolExecutor$Worker";

/// A section begins only if so many calls and jumps are left in the step, which is enough for all that are
/// taken back.
const ENOUGH: u32 = 100;

impl Machine<'_> {
    /// To be called where a section begins.
    ///
    /// # Errors
    /// [`Trap::Stop`] if the step ends here.
    pub fn enter_section(&mut self, sort: Sort) -> Exec<()> {
        if let Some(section) = &mut self.step.section {
            section.depth += 1;
        } else if self.begin_section(sort)? {
            return Ok(());
        }
        if self.thread().atomic > 0 {
            self.thread_mut().atomic += 1;
        }
        Ok(())
    }

    /// Begins a section that is in no other one; whether it is atomic for its own sake.
    fn begin_section(&mut self, sort: Sort) -> Exec<bool> {
        let context = self.context();
        let start = self.start();
        if self.step.fuel < ENOUGH && self.step.progress && !self.booting {
            return Err(Trap::Stop);
        }
        let (mut sort, mut in_view, mut is_atomic) = (sort, true, false);
        if self.is_concurrent() {
            in_view = self.is_in_view(context);
            if sort == Sort::Timed {
                self.access(Resource::Unlisted, Mode::Write)?;
                in_view = true;
            }
            if self.sees_all() || self.knowledge.racy.contains(&plain(context)) {
                (sort, in_view) = (Sort::Plain, true);
            }
            match sort {
                Sort::Acquire if self.step.closed || in_view && self.step.has_entered => {
                    return Err(Trap::Stop);
                }
                Sort::Plain if self.step.closed && !start.closed => {}
                Sort::Plain | Sort::Signal if self.step.closed => return Err(Trap::Stop),
                Sort::Release(lock) if self.step.closed && self.is_looked_at(lock) => {
                    return Err(Trap::Stop);
                }
                _ => {}
            }
            is_atomic = in_view || sort != Sort::Plain;
            self.step.closed |= in_view && matches!(sort, Sort::Plain | Sort::Timed);
        } else if !matches!(sort, Sort::Release(_) | Sort::Signal) && self.thread().atomic > 0 {
            // As for a monitor that a body of `Choose.atomically` enters.
            self.observe_everything();
        }
        self.step.section = Some(Section { context, in_view, sort, depth: 0, start });
        if is_atomic {
            self.thread_mut().atomic += 1;
        }
        Ok(is_atomic)
    }

    fn start(&self) -> Start {
        let frame = self.thread().top();
        Start {
            n_frames: self.thread().frames.len(),
            pc: frame.pc,
            sp: frame.sp,
            progress: self.step.progress,
            closed: self.step.closed,
            n_reads: self.step.reads.as_ref().map_or(0, Vec::len),
            atomic: self.thread().atomic,
            n_accesses: self.step.accesses.len(),
        }
    }

    /// Whether other operations than acquiring and releasing are known to look at a lock of the same class.
    fn is_looked_at(&self, lock: Ref) -> bool {
        let name = self.vm.classes.name(self.process.heap.get(lock).class);
        self.knowledge.racy.contains(&looked_at(name))
    }

    /// An operation, which is no section that acquires or releases, accesses a field of
    /// `AbstractQueuedSynchronizer`.
    pub(super) fn look_at_lock(&mut self, lock: Ref) {
        let name = self.vm.classes.name(self.process.heap.get(lock).class);
        if UNORDERED.contains(&name) && !self.options.jdk_locks && !self.sees_all() {
            self.observe(looked_at(name));
        }
    }

    /// To be called where a section ends.
    pub fn leave_section(&mut self) {
        let mut ended = Some((Sort::Plain, true));
        if let Some(section) = &mut self.step.section {
            if section.depth == 0 {
                ended = Some((section.sort, section.in_view));
                self.step.section = None;
            } else {
                section.depth -= 1;
                ended = None;
            }
        }
        if self.thread().atomic == 0 {
            return;
        }
        self.thread_mut().atomic -= 1;
        match ended {
            Some((Sort::Acquire, in_view)) => self.step.has_entered |= in_view,
            Some((Sort::Release(_) | Sort::Signal, in_view)) => self.step.closed |= in_view,
            // What others could not see came to pass at once.
            Some(_) => self.step.closed = true,
            None => {}
        }
    }

    /// To be called where a section ends that has acquired; whether no other thread can acquire until one
    /// releases.
    pub fn leave_acquired(&mut self, excludes: bool) {
        if let Some(section) = self.step.section.filter(|section| section.depth == 0 && section.is_mover()) {
            for access in self.step.accesses.iter_mut().skip(section.start.n_accesses) {
                access.excludes = excludes;
            }
        }
        self.leave_section();
    }

    /// A section has failed: it was never begun, and the thread waits.
    pub fn retry_section(&mut self) -> Trap {
        let Some(section) = self.step.section.take().filter(|section| section.depth == 0) else {
            return Trap::Unsupported("a section of a lock that fails late".into());
        };
        let Start { n_frames, pc, sp, progress, closed, n_reads, atomic, .. } = section.start;
        let thread = self.thread_mut();
        thread.frames.truncate(n_frames);
        let top = thread.top_mut();
        (top.pc, top.sp) = (pc, sp);
        thread.atomic = atomic;
        self.step.progress = progress;
        self.step.closed = closed;
        if let Some(reads) = &mut self.step.reads {
            reads.truncate(n_reads);
        }
        Trap::Blocked
    }

    /// In a section that may end by time: time passes.
    ///
    /// # Errors
    /// [`Trap::Blocked`] if time stands still: the section has failed.
    pub fn expire_section(&mut self, expiry: Expiry) -> Exec<()> {
        if self.pass_time().is_err() {
            return Err(self.retry_section());
        }
        match expiry {
            Expiry::At(deadline) => self.advance_clock_to_deadline(deadline),
            Expiry::After(nanos) => self.advance_clock(nanos),
        }
        Ok(())
    }

    /// A property can see what the section writes: the step ends after it.
    pub(super) fn close_section(&mut self) {
        if let Some(section) = &mut self.step.section {
            section.sort = Sort::Plain;
        }
    }

    /// Whether threads wait for a lock without a queue, where one is about to acquire so much of it; see the
    /// class in `crates/java/library`.
    ///
    /// # Errors
    /// If it is a lock of the program's own: what that does is no section.
    pub fn is_unordered(&mut self, lock: Ref, shared: bool, n: i32) -> Exec<bool> {
        if self.are_queues_observed() {
            return Ok(false);
        }
        let class = self.vm.class(self.process.heap.get(lock).class);
        let name = self.vm.classes.name(class.id);
        if class.loader == Loader::App {
            let what = name.replace('/', ".");
            return Err(
                Gap::Named("without --jdk-locks, the lock of a class of the program's own,", what).into()
            );
        }
        let is_uniform = match name {
            REENTRANT | LATCH | WORKER => true,
            READ_WRITE => !shared,
            SEMAPHORE => n == 1,
            _ => return Ok(false),
        };
        let queue = queue_of(name);
        if !is_uniform {
            self.observe(queue);
        }
        Ok(!self.knowledge.racy.contains(&queue))
    }

    /// Whether a thread can tell, as far as is known, that another one waits for a lock of any class.
    fn are_queues_observed(&self) -> bool {
        [QUEUES, OBSERVER, OWNERS].iter().any(|context| self.knowledge.racy.contains(context))
    }

    /// Whether threads wait for each `ReentrantLock` without a queue, as far as is known.
    pub(super) fn has_unordered_locks(&self) -> bool {
        !self.options.jdk_locks
            && !self.are_queues_observed()
            && !self.knowledge.racy.contains(&queue_of(REENTRANT))
    }

    /// Whether pools that `Executors` makes take few steps: no thread can tell, as far as is known.
    #[must_use]
    pub fn has_simple_pools(&self) -> bool {
        self.options.form.pools
            && !self.options.jdk_locks
            && !self.are_queues_observed()
            && !self.knowledge.racy.contains(&POOLS)
    }

    /// A thread does with a pool what only the class library's own can.
    pub fn observe_pools(&mut self) {
        self.observe(POOLS);
    }

    /// A thread asks who waits for a lock.
    pub fn observe_queue(&mut self, lock: Ref) {
        let name = self.vm.classes.name(self.process.heap.get(lock).class);
        self.observe(queue_of(name));
    }

    /// The running thread does what can tell whether another one waits for a lock, if the program's own code
    /// does it.
    pub(super) fn observe_queues(&mut self) {
        let classes = &self.vm.classes;
        let is_told = |class: &str| {
            !class.starts_with("java/lang/Thread")
                && class != "java/util/concurrent/locks/LockSupport"
                && class != "jdk/internal/misc/Unsafe"
        };
        let mut callers = self.thread().frames.iter().rev().map(|frame| self.vm.class(frame.method.class));
        let caller = callers.find(|class| is_told(classes.name(class.id)));
        if caller.is_some_and(|class| class.loader == Loader::App) {
            self.observe(QUEUES);
        }
    }

    /// A thread that has taken a step and not ended has to wait. If it is in an atomic section, others run as
    /// usual until it goes on.
    pub(super) fn suspend_section(&mut self, id: u32) {
        let thread = self.process.threads.get_mut(self.step.current).filter(|thread| thread.id == id);
        if let Some(thread) = thread.filter(|thread| thread.atomic > 0) {
            thread.atomic |= SUSPENDED;
        }
    }

    /// A section that is not over at the end of a step must be in view. Until it is, there is no such step:
    /// others would see it half done.
    pub(super) fn end_section(&mut self, stepped: Stepped) -> Stepped {
        match self.step.section.take() {
            // No thread sees it if the process has ended in it.
            Some(section)
                if !self.process.threads.is_empty() && (self.is_concurrent() || !section.in_view) =>
            {
                self.observe(section.context);
                if stepped == Stepped::Done { Stepped::Rejected } else { stepped }
            }
            _ => stepped,
        }
    }
}
