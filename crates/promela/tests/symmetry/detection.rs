//! Which models are symmetric, and the reasons given for those that are not.

use allways_model::{Batch, Lessons, Model};
use allways_promela::{Program, Symmetric, load_text};

pub(crate) fn program(text: &str) -> Program {
    let loaded = load_text("model.pml", text);
    loaded.program.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics))
}

pub(crate) fn example(name: &str, defines: &[&str]) -> Program {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/promela/").to_owned() + name;
    let options = defines.iter().fold(allways_promela::PreprocessOptions::default(), |o, d| o.define(*d));
    allways_promela::load(&allways_promela::FileInput::Path(path.into()), &options).program.unwrap()
}

fn initial_groups(program: &Program) -> Vec<usize> {
    let symmetric = Symmetric::new(program);
    let mut batch = Batch::new();
    program.cursor(Lessons::none()).initial(&mut batch).unwrap();
    symmetric.groups(batch.vector(0))
}

/// The sizes of the groups in the initial state.
fn check(text: &str, groups: &[usize]) {
    assert_eq!(initial_groups(&program(text)), groups, "{text}");
}

/// Why processes of type `P` are distinguished.
fn check_reason(text: &str, reason: &str) {
    let program = program(text);
    let reasons = Symmetric::new(&program).reasons();
    let of_p =
        reasons.iter().find(|(name, _)| &**name == "P").unwrap_or_else(|| panic!("{reasons:?}\n{text}"));
    assert!(of_p.1.contains(reason), "{of_p:?}\n{text}");
    assert_eq!(initial_groups(&program), [0; 0], "{text}");
}

#[test]
fn symmetric_models_are_found() {
    check("byte x; active [3] proctype P() { do :: x < 9 -> x++ :: x > 0 -> x-- od }", &[3]);
    check(
        "byte o = 255; active [2] proctype P() { do :: o == 255 -> o = _pid :: o == _pid -> o = 255 od }",
        &[2],
    );
    check("bool b[3]; active [3] proctype P() { do :: b[_pid] = !b[_pid] od }", &[3]);
    // Processes beyond the end of the array go wrong, and stay where they are.
    check("bool b[2]; active [4] proctype P() { do :: b[_pid] = !b[_pid] od }", &[2]);
    check(
        "byte x; active [2] proctype P() { do :: x == 0 od } active [3] proctype Q() { do :: x == 0 od }",
        &[2, 3],
    );
    // They may end, but a younger process keeps them from dying.
    check("byte x; active [2] proctype P() { skip } active proctype Q() { do :: x == 0 od }", &[2]);
    check(
        "chan c = [2] of { byte, byte }; byte who; active [3] proctype P() { do :: c!1,_pid :: c?1,eval(_pid) od }
         active proctype Q() { do :: c?_,who -> who = 255 od }",
        &[3],
    );
    assert_eq!(initial_groups(&example("readers_writers.pml", &[])), [2, 2]);
    assert_eq!(initial_groups(&example("broken_lock.pml", &[])), [2]);
}

#[test]
fn processes_that_may_die_are_told_apart() {
    check("byte x; active [3] proctype P() { x++ }", &[]);
    check("byte x; active proctype Q() { do :: x == 0 od } active [3] proctype P() { skip }", &[]);
}

#[test]
fn near_misses_are_told_why() {
    let endless = |body: &str| format!("byte x, o; active [2] proctype P() {{ do :: {body} od }}");
    check_reason(&endless("x = 1 - _pid"), "used as a number");
    check_reason(&endless("_pid -> x = 1"), "used as a number");
    check_reason(&endless("o == _pid -> o = 0"), "meets the constant 0");
    check_reason(&endless("o = _pid; x = o + 1"), "used as a number");
    check_reason(&endless("o == _pid -> o = x + 1"), "value that is calculated");
    check_reason(&endless("P[0]@l -> l: skip"), "remote reference");
    check_reason(&endless("enabled(1) -> skip"), "by number");
    check_reason(&endless("_last == 1 -> skip"), "_last");
    check_reason("bit o; active [2] proctype P() { do :: o = _pid od }", "too small");
    check_reason(
        "active [2] proctype P() { chan c = [1] of { byte }; do :: c!1 :: c?_ od }",
        "channels of its own",
    );
    check_reason(
        "chan c = [2] of { byte }; active [2] proctype P() { do :: c!!_pid :: c?_ od }",
        "sorted order",
    );
    check_reason(
        "bool b[2]; active [2] proctype P() { byte k; do :: b[_pid] = true; k = 0;
         do :: k < 2 && b[k] -> k++ :: else -> break od od }",
        "meets the constant 0",
    );
    // An element by a constant index is not the element of any process.
    let arrays = |types: &str| {
        format!(
            "{types} byte n; active [3] proctype P() {{ do :: atomic {{ a[_pid] == 0 -> a[_pid] = 1; n++ }}
             :: atomic {{ a[_pid] == 1 -> a[_pid] = 0; n-- }} :: atomic {{ n == 2 -> assert(a[2] == 1) }} od }}"
        )
    };
    for types in ["byte a[3];", "bool a[3];", "int a[3];"] {
        check_reason(&arrays(types), "constant index");
    }
    check_reason(
        "typedef S { byte v; byte w }; S s[3]; byte n; active [3] proctype P() { do
         :: atomic { s[_pid].v == 0 -> s[_pid].v = 1; n++ } :: atomic { s[_pid].v == 1 -> s[_pid].v = 0; n-- } od }
         active proctype M() { do :: atomic { n == 2 && s[2].v == 0 -> assert(n == 1) } od }",
        "constant index",
    );
    check(
        "typedef S { byte v; byte w }; S s[3]; active [3] proctype P() { do :: s[_pid].v == 0 -> s[_pid].w = 1 od }",
        &[3],
    );
    check_reason("byte x; active [2] proctype P() priority 2 { do :: x == 0 od }", "priorities");
    check_reason(
        "chan c = [1] of { bit }; trace { do :: c!1 od } active [2] proctype P() { do :: c!1 :: c?_ od }",
        "event trace",
    );
}
