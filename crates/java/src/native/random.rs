//! Random numbers. There is one sequence of them, unless every value is asked for; so it is noted that a
//! program uses them.
//!
//! A generator with a seed of the program's own gives the same numbers on every machine; that is no matter to
//! tell. With `--random` it is, where a value comes from a sequence all the same: no small range was asked
//! for.

use super::Effect::{Own, Pure};
use super::effect::{OwnView, PureView};
use super::{Answer, Table, give_int, int};
use crate::class::code::Op;
use crate::inputs::Input;
use crate::vm::dynamic::assemble::Assembler;
use crate::vm::machine::Exec;
use crate::vm::thread::Role;

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
    ("java/util/Random.<init>()V", Pure(unseeded)),
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

/// A generator without a seed of its own. Its seed is one of a sequence and not of the clock, which would
/// have choices that only lead to other random numbers.
fn unseeded(m: &mut PureView<'_, '_>, args: &[u64]) -> Exec<Answer> {
    if !m.options().random_choices {
        m.note_input(Input::Random);
    }
    let vm = m.vm;
    let method = vm.made.method("a generator without a seed".into(), |key| {
        let mut asm = Assembler::new(&vm.classes);
        asm.op(Op::Load(0)).call("java/util/Random", "seedUniquifier", "()J", false)?;
        asm.call("java/util/Random", "<init>", "(J)V", false)?.leave(None);
        Ok(asm.add(key, vm.known().object, "<unseeded>", "(Ljava/lang/Object;)V"))
    })?;
    Ok(Answer::Call(method, vec![args[0]], Role::Plain))
}

/// One value of many.
fn drawn(m: &mut PureView<'_, '_>, _: &[u64]) -> Exec<Answer> {
    m.note_input(Input::Random);
    Ok(Answer::Bytecode)
}
