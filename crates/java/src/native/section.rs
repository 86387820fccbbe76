//! Sections of the classes of [`crate::simple`] that are one operation.

use super::Effect::Shared;
use super::{Answer, Table, give_bool, int};
use crate::vm::heap::Ref;
use crate::vm::section::{Expiry, Sort};

/// The entries.
pub const TABLE: Table = &[
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enter()V",
        Shared(|m, _| {
            m.enter_section(Sort::Plain)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enterAcquire()V",
        Shared(|m, _| {
            m.enter_section(Sort::Acquire)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enterRelease()V",
        Shared(|m, args| {
            m.enter_section(Sort::Release(args[0] as Ref))?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enterSignal()V",
        Shared(|m, _| {
            m.enter_section(Sort::Signal)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enterTimed()V",
        Shared(|m, _| {
            m.enter_section(Sort::Timed)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.leaveAcquired(Z)V",
        Shared(|m, args| {
            m.leave_acquired(args[0] != 0);
            Ok(Answer::Void)
        }),
    ),
    ("java/util/concurrent/locks/AbstractQueuedSynchronizer.retry()V", Shared(|m, _| Err(m.retry_section()))),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.expire(J)V",
        Shared(|m, args| {
            m.expire_section(Expiry::At(args[0] as i64))?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.unordered(ZI)Z",
        Shared(|m, args| {
            let is_unordered = m.is_unordered(args[0] as Ref, args[1] != 0, int(args[2]))?;
            give_bool(is_unordered)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.observeQueue()V",
        Shared(|m, args| {
            m.observe_queue(args[0] as Ref);
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.leave()V",
        Shared(|m, _| {
            m.leave_section();
            Ok(Answer::Void)
        }),
    ),
    ("java/util/concurrent/SimplePool.isSimple()Z", Shared(|m, _| give_bool(m.has_simple_pools()))),
    ("java/util/concurrent/SimplePool.original()V", Shared(|m, _| m.give_up_simple_pools())),
    (
        "java/util/concurrent/SimplePool.enter()V",
        Shared(|m, _| {
            m.enter_section(Sort::Plain)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/SimplePool.enterTimed()V",
        Shared(|m, _| {
            m.enter_section(Sort::Timed)?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/SimplePool.leave()V",
        Shared(|m, _| {
            m.leave_section();
            Ok(Answer::Void)
        }),
    ),
    ("java/util/concurrent/SimplePool.retry()V", Shared(|m, _| Err(m.retry_section()))),
    (
        "java/util/concurrent/SimplePool.expire(J)V",
        Shared(|m, args| {
            m.expire_section(Expiry::After(args[0]))?;
            Ok(Answer::Void)
        }),
    ),
    (
        "java/util/concurrent/SimplePool.expireAt(J)V",
        Shared(|m, args| {
            m.expire_section(Expiry::At(args[0] as i64))?;
            Ok(Answer::Void)
        }),
    ),
];
