//! Sections of the classes of [`crate::simple`] that are one operation.

use super::Effect::Shared;
use super::{Answer, Table};

/// The entries.
pub const TABLE: Table = &[
    (
        "java/util/concurrent/locks/AbstractQueuedSynchronizer.enter()V",
        Shared(|m, _| {
            m.enter_section()?;
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
];
