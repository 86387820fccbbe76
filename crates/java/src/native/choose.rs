//! `allways.Choose`: choices that a search takes in every way (`crates/java/api`).

use super::{Answer, Table, give_int, int};
use crate::vm::machine::{Exec, Machine, Trap, exception};
use crate::vm::view::{Mode, Resource};

/// The entries.
pub const TABLE: Table = &[
    ("allways/Choose.choose(I)I", choose),
    ("allways/Choose.reject()V", |m, _| {
        // What came before has happened: others may see it, and end the program or fail.
        m.access(Resource::Unlisted, Mode::Write)?;
        Err(Trap::Rejected)
    }),
    ("allways/Choose.enterAtomic()V", |m, _| {
        m.access(Resource::Unlisted, Mode::Write)?;
        m.thread_mut().atomic += 1;
        Ok(Answer::Void)
    }),
    ("allways/Choose.leaveAtomic()V", |m, _| {
        let thread = m.thread_mut();
        if thread.atomic == 0 {
            return Err(exception("java/lang/IllegalStateException", "not in an atomic section"));
        }
        thread.atomic -= 1;
        // What others could not see came to pass at once.
        m.step.closed = true;
        m.step.unlisted = true;
        Ok(Answer::Void)
    }),
];

/// More ways than this are not taken one by one.
const MAX_WAYS: i32 = 1 << 16;

fn choose(m: &mut Machine<'_>, args: &[u64]) -> Exec<Answer> {
    let n = int(args[0]);
    if n <= 0 {
        return Err(exception("java/lang/IllegalArgumentException", "nothing to choose from"));
    }
    if n > MAX_WAYS {
        return Err(Trap::Unsupported(format!("a choice among {n} values")));
    }
    give_int(m.choose(n as u32) as i32)
}
