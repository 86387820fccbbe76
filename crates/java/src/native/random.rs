//! Random numbers. There is one sequence of them, unless every value is asked for; so it is noted that a program uses them.
//!
//! A generator with a seed of the program's own gives the same numbers on every machine; that is no matter to tell. With `--random` it is, where
//! a value comes from a sequence all the same: no small range was asked for.

use super::Effect::{Own, Pure};
use super::effect::{OwnView, PureView};
use super::{Answer, Table, give_int, int};
use crate::inputs::Input;
use crate::vm::machine::Exec;

/// The entries.
pub const TABLE: Table = &[
    ("java/util/Random.nextInt(I)I", Own(below)),
    (
        "java/util/Random.nextBoolean()Z",
        Own(|m, _| {
            if !m.options().random_choices || m.is_booting() {
                return Ok(Answer::Bytecode);
            }
            m.begin_choice()?;
            give_int(m.choose(2) as i32)
        }),
    ),
    (
        "java/util/Random.<init>()V",
        Pure(|m, args| if m.options().random_choices { Ok(Answer::Bytecode) } else { drawn(m, args) }),
    ),
    (
        "java/util/Random.next(I)I",
        Pure(|m, args| if m.options().random_choices { drawn(m, args) } else { Ok(Answer::Bytecode) }),
    ),
    ("java/lang/Math.random()D", Pure(drawn)),
    ("java/lang/StrictMath.random()D", Pure(drawn)),
    ("java/security/SecureRandom.nextBytes([B)V", Pure(drawn)),
    ("java/util/SplittableRandom.<init>()V", Pure(drawn)),
    ("java/util/concurrent/ThreadLocalRandom.nextSeed()J", Pure(drawn)),
    (
        "java/util/random/RandomGenerator.of(Ljava/lang/String;)Ljava/util/random/RandomGenerator;",
        Pure(drawn),
    ),
    ("java/util/random/RandomGeneratorFactory.create()Ljava/util/random/RandomGenerator;", Pure(drawn)),
];

/// `Random.nextInt(bound)`: every value, if that was asked for and there are few.
fn below(m: &mut OwnView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    let bound = int(args[1]);
    if !m.options().random_choices || m.is_booting() || !(1..=256).contains(&bound) {
        return Ok(Answer::Bytecode);
    }
    m.begin_choice()?;
    give_int(m.choose(bound as u32) as i32)
}

/// One value of many.
fn drawn(m: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    m.note_input(Input::Random);
    Ok(Answer::Bytecode)
}
