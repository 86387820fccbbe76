//! Plain models that are admitted to the extension: the same states, and its words as names.

use super::harness::{figures_of, loaded};
use allways_model::{Batch, Lessons, Model, Sha256};
use allways_promela::{FileInput, PreprocessOptions, Program, load, load_text};
use allways_search::SplitMix64;
use std::collections::HashSet;
use std::path::Path;

#[test]
fn words_of_the_extension_are_names_elsewhere() {
    let source = "int new, delete, null, ftype; mtype = { function };
        typedef T { int new; int ftype };
        inline return_it(x) { new = x }
        active proctype P() {
            T t; int x;
            new = 1; delete = new + 1; null = delete; x = null; ftype = 3; x = new; x = function;
            t.new = 4; t.ftype = t.new; return_it(2);
            new: delete: if :: new == 2 -> skip fi; goto new2; new2: assert(x == 1)
        }";
    let source = source.replace("new: delete: if", "if");
    let program = loaded(&source).program.expect("the model is plain");
    assert!(!program.is_dynamic());
    let plain = load_text("model.pml", &source).program.expect("it is plain Promela");
    assert_eq!(plain.digest(), program.digest());
    assert_eq!(figures_of(&plain), figures_of(&program));
}

#[test]
fn plain_models_keep_their_digests_and_figures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantics/models");
    let mut n = 0;
    for entry in std::fs::read_dir(dir).expect("the models are part of the tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "pml") {
            continue;
        }
        let input = || FileInput::Path(path.clone());
        let plain = load(&input(), &PreprocessOptions::default()).program.expect("it loads");
        let options = PreprocessOptions { dynamic: true, ..PreprocessOptions::default() };
        let dynamic = load(&input(), &options).program.expect("it loads with the extension too");
        assert!(!dynamic.is_dynamic(), "{path:?}");
        assert_eq!(plain.digest(), dynamic.digest(), "{path:?}");
        n += 1;
    }
    assert!(n > 20);
}

#[test]
fn the_extension_is_refused_in_plain_models() {
    for source in [
        "int &p; active proctype P() { skip }",
        "function f() { skip } active proctype P() { f() }",
        "int p; active proctype P() { delete(p) }",
    ] {
        assert!(load_text("model.pml", source).program.is_none(), "{source}");
    }
}

/// Every state of a model, sorted, as one digest, with how many there are and how many steps.
fn sorted_states(program: &Program) -> (u64, u64, String) {
    let mut cursor = program.cursor(Lessons::none());
    let mut batch = Batch::new();
    cursor.initial(&mut batch).unwrap_or_else(|_| panic!("the model starts"));
    let mut states: HashSet<Vec<u8>> = HashSet::from([batch.vector(0).to_vec()]);
    let mut waiting = vec![batch.vector(0).to_vec()];
    let mut n_steps = 0;
    while let Some(state) = waiting.pop() {
        cursor.load(&state);
        batch.clear();
        cursor.expand(&mut batch).unwrap_or_else(|_| panic!("every state can be expanded"));
        n_steps += batch.len() as u64;
        for idx in 0..batch.len() {
            if states.insert(batch.vector(idx).to_vec()) {
                waiting.push(batch.vector(idx).to_vec());
            }
        }
    }
    let mut sorted: Vec<Vec<u8>> = states.into_iter().collect();
    sorted.sort();
    (sorted.len() as u64, n_steps, Sha256::of(&sorted.concat()).to_string())
}

/// The five models of Table 1 of the paper, as models of our own of the same kind: the same states, byte for
/// byte, with and without the extension.
#[test]
fn the_models_of_table_1_have_the_same_states_with_the_extension() {
    let models: [Sized; 6] = [
        ("../../examples/promela/leader_ring.pml", &[], 8_481),
        ("../../examples/promela/leader_ring.pml", &["GREEDY"], 7_789),
        ("../../examples/promela/sorting.pml", &["STEPS"], 11_359),
        ("tests/dynamic/models/transfer.pml", &[], 431),
        ("tests/dynamic/models/transfer.pml", &["LENGTH=20"], 2_301),
        ("tests/dynamic/models/eratosthenes.pml", &["MAX=18"], 14_323),
    ];
    same_states(&models);
}

/// The same for sizes like those of the paper.
#[test]
#[ignore = "large"]
fn large_models_of_table_1_have_the_same_states_with_the_extension() {
    same_states(&[
        ("../../examples/promela/leader_ring.pml", &["N=5"], 172_572),
        ("tests/dynamic/models/eratosthenes.pml", &[], 586_971),
    ]);
}

/// A model by its file and macros, and how many states it has.
type Sized = (&'static str, &'static [&'static str], u64);

fn same_states(models: &[Sized]) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    for &(file, defines, n_states) in models {
        let load_with = |dynamic| {
            let options = PreprocessOptions { dynamic, ..PreprocessOptions::default() };
            let options = defines.iter().fold(options, |options, one| options.define(*one));
            load(&FileInput::Path(dir.join(file)), &options).program.expect("it loads")
        };
        let (plain, dynamic) = (sorted_states(&load_with(false)), sorted_states(&load_with(true)));
        assert_eq!(plain, dynamic, "{file} {defines:?}");
        assert_eq!(plain.0, n_states, "{file} {defines:?}");
    }
}

/// Plain models in which the new words are the names of everything that has one.
#[test]
fn generated_models_use_the_new_words_as_names() {
    const WORDS: [&str; 5] = ["new", "delete", "null", "function", "ftype"];
    const ROLES: [&str; 13] = ["MT", "FI", "CH", "VA", "AR", "IN", "PT", "PA", "PN", "LO", "LA", "TY", "LT"];
    const MODEL: &str = "mtype = { MT , other };
        typedef TY { byte FI ; byte g };
        chan CH = [1] of { byte }; chan two = [1] of { mtype, byte };
        byte VA = 1; byte AR [2];
        inline IN (x) { x = x + 1 }
        proctype PT (byte PA ) { PA = PA + 1; VA = PA }
        active proctype PN () {
            TY t; byte LO = 2; mtype m = MT ;
        LA : t. FI = LO ;
            IN (t. FI ); IN ( LO );
            AR [1] = VA ; AR [ VA ] = LO - VA ;
            CH ! VA ; CH ? LO ; CH ! LO ; CH ? eval( LO );
            two ! MT ( LO ); two ? MT ( VA ); m = MT ; two ! m( VA ); if :: two ? other( VA ) :: two ? MT ( VA ) fi;
            LO = VA ; VA = LO + 1; VA ++; VA = ( LO -> VA : LO ) + t. FI - t. FI ;
            if :: VA == LO -> skip :: VA > 1 && t. FI > 2 -> VA = LO :: else -> skip fi;
            if :: VA -> skip :: ! LO -> skip fi;
            if :: m == MT -> run PT ( LO ) :: else fi;
            if :: t.g < 1 -> t.g++; goto LA :: else fi;
            do :: AR [0] < 2 -> AR [0]++ :: else -> break od;
            atomic { VA = 1; LO = VA }; d_step { VA = LO ; LO = VA };
            printf(\"%d\", VA ); assert( t. FI > 0)
        }
        ltl LT { [] ( VA < 100) }";
    let mut random = SplitMix64::new(18);
    for round in 0..150 {
        let mut roles: Vec<usize> = (0..ROLES.len()).collect();
        for idx in (1..roles.len()).rev() {
            roles.swap(idx, random.below(idx + 1));
        }
        let name = |role: usize| match roles[role] {
            rank if rank < WORDS.len() => WORDS[rank].to_owned(),
            _ => format!("x{}", ROLES[role].to_lowercase()),
        };
        let words = MODEL.split(' ').map(|word| match ROLES.iter().position(|role| *role == word) {
            Some(role) => name(role),
            None => word.to_owned(),
        });
        let source = words.collect::<Vec<_>>().join(" ");
        let dynamic = loaded(&source);
        let messages: Vec<&str> = dynamic.diagnostics.iter().map(|d| d.message.as_str()).collect();
        let dynamic = dynamic.program.unwrap_or_else(|| panic!("{messages:?}\n{source}"));
        assert!(!dynamic.is_dynamic(), "{source}");
        let plain = load_text("model.pml", &source).program.expect("it is plain Promela");
        assert_eq!(plain.digest(), dynamic.digest(), "{source}");
        if round % 30 == 0 {
            assert_eq!(sorted_states(&plain), sorted_states(&dynamic), "{source}");
        }
    }
}

/// `return` is a word of plain Promela already, so it is no name in either.
#[test]
fn return_is_no_name_with_or_without_the_extension() {
    for source in [
        "byte return; active proctype P() { return = 1 }",
        "active proctype P() { return: skip }",
        "proctype return() { skip }",
    ] {
        assert!(load_text("model.pml", source).program.is_none(), "{source}");
        assert!(loaded(source).program.is_none(), "{source}");
    }
}
