//! `java.lang`: objects, classes, threads, the system.

use super::{Answer, Table};

/// The entries.
pub const TABLE: Table = &[("java/lang/Object.getClass()Ljava/lang/Class;", |m, args| {
    let class = m.heap.get(args[0] as u32).class;
    Ok(Answer::Word(u64::from(m.vm.mirror(class))))
})];
