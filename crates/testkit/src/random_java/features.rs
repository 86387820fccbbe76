//! What a litmus program uses, by name: for statistics, and to see that the generator leaves nothing out.

use std::collections::BTreeSet;

use super::ast::{Guard, Monitor, Place, Program, Stmt, Subject, Test};

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Something a program uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[$doc])* $name,)*
        }

        impl Feature {
            /// All of them.
            pub const ALL: &[Feature] = &[$(Feature::$name,)*];
        }
    };
}

features! {
    /// A plain static field.
    StaticField,
    /// A volatile static field.
    VolatileField,
    /// A static field of a nested class.
    HolderField,
    /// An instance field.
    InstanceField,
    /// An array element.
    ArrayElement,
    /// Three threads beside main.
    ThreeThreads,
    /// Main does something while the others run.
    MainBeside,
    /// Main does something after the joins.
    MainAfter,
    /// A `synchronized` block.
    Synchronized,
    /// A block that is synchronized on the class.
    ClassMonitor,
    /// A `synchronized` method.
    SynchronizedMethod,
    /// `lock` and `unlock`.
    ReentrantLock,
    /// `tryLock`.
    TryLock,
    /// An `AtomicInteger`.
    Atomic,
    /// `wait` without a test.
    NakedWait,
    /// `if` before `wait`.
    IfWait,
    /// `while` before `wait`.
    WhileWait,
    /// `notify`.
    Notify,
    /// `notifyAll`.
    NotifyAll,
    /// `x++` on a shared place.
    Increment,
    /// A loop.
    Loop,
    /// A condition on a local.
    LocalCondition,
    /// A condition on something shared.
    SharedCondition,
    /// `assert`.
    Assert,
    /// An exception is thrown.
    Throw,
    /// A division that may fail.
    Divide,
    /// `catch`.
    Catch,
    /// A thread prints.
    Print,
}

impl Program {
    /// What the program uses.
    pub fn features(&self) -> BTreeSet<Feature> {
        let mut used: BTreeSet<Feature> = self.places.iter().map(|&place| place_feature(place)).collect();
        used.extend((self.threads.len() > 2).then_some(Feature::ThreeThreads));
        used.extend((!self.main.beside.is_empty()).then_some(Feature::MainBeside));
        used.extend((!self.main.after.is_empty()).then_some(Feature::MainAfter));
        self.each(&mut |stmt| {
            used.extend(statement_feature(stmt));
            match stmt {
                Stmt::If { test, .. } => {
                    used.insert(condition_feature(*test));
                }
                Stmt::Sync { monitor, .. } if self.monitors[*monitor] == Monitor::Class => {
                    used.insert(Feature::ClassMonitor);
                }
                _ => {}
            }
        });
        used
    }
}

fn place_feature(place: Place) -> Feature {
    match place {
        Place::Static => Feature::StaticField,
        Place::Volatile => Feature::VolatileField,
        Place::Holder => Feature::HolderField,
        Place::Field { .. } => Feature::InstanceField,
        Place::Element(_) => Feature::ArrayElement,
    }
}

fn condition_feature(test: Test) -> Feature {
    match test.subject {
        Subject::Local(_) => Feature::LocalCondition,
        Subject::Shared(_) | Subject::Atomic(_) => Feature::SharedCondition,
    }
}

fn statement_feature(stmt: &Stmt) -> Option<Feature> {
    Some(match stmt {
        Stmt::Increment(_) => Feature::Increment,
        Stmt::Bump { .. } => Feature::SynchronizedMethod,
        Stmt::Divide { .. } => Feature::Divide,
        Stmt::Repeat { .. } => Feature::Loop,
        Stmt::Sync { .. } => Feature::Synchronized,
        Stmt::Locked { .. } => Feature::ReentrantLock,
        Stmt::TryLocked { .. } => Feature::TryLock,
        Stmt::Atomic { .. } => Feature::Atomic,
        Stmt::Wait { guard: Guard::Naked, .. } => Feature::NakedWait,
        Stmt::Wait { guard: Guard::If(_), .. } => Feature::IfWait,
        Stmt::Wait { guard: Guard::While(_), .. } => Feature::WhileWait,
        Stmt::Notify { all: false, .. } => Feature::Notify,
        Stmt::Notify { all: true, .. } => Feature::NotifyAll,
        Stmt::Assert(_) => Feature::Assert,
        Stmt::Throw { .. } => Feature::Throw,
        Stmt::Try { .. } => Feature::Catch,
        Stmt::Print(_) => Feature::Print,
        _ => return None,
    })
}
