//! `allways.Choose`: choices that a search takes in every way (`crates/java/api`).

use super::Effect::{Own, Pure, Shared};
use super::effect::OwnView;
use super::{Answer, Table, give_int, int};
use crate::gap::Gap;
use crate::vm::machine::{Exec, exception};

/// The entries.
pub const TABLE: Table = &[
    ("allways/Choose.choose(I)I", Own(choose)),
    ("allways/Choose.process()I", Pure(|m, _| give_int(m.process_index() as i32))),
    ("allways/Choose.reject()V", Shared(|m, _| m.reject())),
    (
        "allways/Choose.enterAtomic()V",
        Shared(|m, _| {
            m.enter_atomic()?;
            Ok(Answer::Void)
        }),
    ),
    (
        "allways/Choose.leaveAtomic()V",
        Shared(|m, _| {
            if m.leave_atomic() {
                return Ok(Answer::Void);
            }
            Err(exception("java/lang/IllegalStateException", "not in an atomic section"))
        }),
    ),
];

/// More ways than this are not taken one by one.
const MAX_WAYS: i32 = 1 << 16;

fn choose(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let n = int(args[0]);
    if n <= 0 {
        return Err(exception("java/lang/IllegalArgumentException", "nothing to choose from"));
    }
    if n > MAX_WAYS {
        return Err(Gap::Choice(n.into()).into());
    }
    m.begin_choice()?;
    give_int(m.choose(n as u32) as i32)
}
