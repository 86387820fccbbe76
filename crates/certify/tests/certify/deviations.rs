//! Each kind of deviation by construction: it is named, with its place.

use crate::forged::{Forged, certificate, certify, certify_with, opened, sealed, temporary, written};
use allways_certify::print::Exact;
use allways_certify::{Deviation, Error, How, Question, VeracityError, Work};
use allways_model::Digest;
use allways_model::certificate::script::{Target, put_varint, take_varint};
use allways_model::certificate::{Frame, Kind, streams};

/// Five states: x is 0, then 1 or 2, then 3 by two ways; and its end.
const DIAMOND: &str = "byte x; active proctype p() { if :: x = 1 :: x = 2 fi; x = 3 }";

/// The error of a script of the diamond that was changed.
fn error_of(reduce: &str, change: impl FnOnce(&mut Forged)) -> VeracityError {
    let file = written("diamond.pml", DIAMOND);
    let (session, _) = opened(&file, reduce);
    let mut script = Forged::of(&certificate(&session, true).unwrap());
    assert!(session.with_model(|model| certify(model, &script.to_bytes(), &Exact)).is_ok());
    change(&mut script);
    let result = session.with_model(|model| certify(model, &script.to_bytes(), &Exact));
    std::fs::remove_file(file).unwrap();
    match result {
        Err(Error::Veracity(error)) => *error,
        other => panic!("{other:?}"),
    }
}

fn place(error: &VeracityError) -> (Option<u64>, Option<usize>) {
    (error.state, error.slot)
}

#[test]
fn the_script_of_the_diamond_is_what_it_should_be() {
    let file = written("diamond.pml", DIAMOND);
    let script = Forged::of(&certificate(&opened(&file, "none").0, true).unwrap());
    let targets: Vec<&[Target]> = script.states.iter().map(|state| state.targets.as_slice()).collect();
    let expected: [&[Target]; 5] =
        [&[Target::New, Target::New], &[Target::New], &[Target::Old(4)], &[Target::New], &[]];
    assert_eq!(targets, expected);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_missing_step() {
    let error = error_of("none", |script| {
        script.states[0].targets.pop();
    });
    assert!(matches!(error.deviation, Deviation::Count { claimed: 1, own: 2 }), "{error}");
    assert_eq!(place(&error), (Some(1), None));
}

#[test]
fn a_step_that_does_not_exist() {
    let error = error_of("none", |script| {
        script.states[2].targets.push(Target::Old(1));
        script.states[2].marks.push(false);
    });
    assert!(matches!(error.deviation, Deviation::Count { claimed: 2, own: 1 }), "{error}");
    assert_eq!(place(&error), (Some(3), None));
}

#[test]
fn a_false_already_visited() {
    let error = error_of("none", |script| {
        script.header.streams = 0;
        script.states[2].targets[0] = Target::Old(2);
    });
    assert!(matches!(error.deviation, Deviation::FalseMention { number: 2 }), "{error}");
    assert_eq!(place(&error), (Some(3), Some(0)));
    assert!(error.to_string().contains("x = 3"), "{error}");
}

#[test]
fn a_number_that_no_state_has() {
    let error = error_of("none", |script| script.states[2].targets[0] = Target::Old(9));
    assert!(matches!(error.deviation, Deviation::Malformed(_)), "{error}");
    assert_eq!(place(&error), (Some(3), Some(0)));
}

#[test]
fn a_state_left_unexplored() {
    let error = error_of("none", |script| drop(script.states.pop()));
    assert!(matches!(error.deviation, Deviation::OpenPromises { n: 1 }), "{error}");
    assert_eq!(place(&error), (Some(5), None));
}

#[test]
fn a_state_that_no_step_leads_to() {
    let error = error_of("none", |script| {
        let last = script.states[4].clone();
        script.states.push(last);
    });
    assert!(matches!(error.deviation, Deviation::NothingPromised), "{error}");
    assert_eq!(place(&error), (Some(6), None));
}

#[test]
fn a_mark_that_comes_too_early() {
    let error = error_of("none", |script| script.states[1].marks[0] = true);
    assert!(matches!(error.deviation, Deviation::Forgotten { number: 4 }), "{error}");
    assert_eq!(place(&error), (Some(3), Some(0)));
}

/// A partial certificate may leave states unexplored, and nothing else.
#[test]
fn a_partial_certificate() {
    let file = written("part.pml", DIAMOND);
    let (session, question) = opened(&file, "none");
    let mut script = Forged::of(&certificate(&session, true).unwrap());
    script.header.kind = Kind::Bounded;
    script.states.truncate(2);
    script.count();
    script.mark();
    let certified = session.with_model(|model| certify(model, &script.to_bytes(), &Exact)).unwrap();
    assert_eq!((certified.n_states, certified.n_open), (4, 2));
    assert_eq!(answer(&script.to_bytes(), &question), Ok(false), "it does not say that the property holds");
    script.states[1].targets[0] = Target::Old(2);
    script.count();
    script.mark();
    assert!(session.with_model(|model| certify(model, &script.to_bytes(), &Exact)).is_err());
    std::fs::remove_file(file).unwrap();
}

#[test]
fn wrong_totals() {
    let error = error_of("none", |script| script.totals.0 += 1);
    assert!(matches!(error.deviation, Deviation::Totals { claimed: (6, 5), own: (5, 5) }), "{error}");
}

#[test]
fn a_state_numbered_twice_is_harmless() {
    let file = written("diamond.pml", DIAMOND);
    let (session, _) = opened(&file, "none");
    let mut script = Forged::of(&certificate(&session, true).unwrap());
    script.states[2].targets[0] = Target::New;
    // State 5 is state 4 once more, so the end is reached twice.
    let copy = script.states[3].clone();
    script.states.insert(4, copy);
    script.states.push(script.states[5].clone());
    script.count();
    script.mark();
    let certified = session.with_model(|model| certify(model, &script.to_bytes(), &Exact)).unwrap();
    assert_eq!((certified.n_states, certified.is_counted), (7, false));
    let counted = |script: &Forged| {
        session.with_model(|model| {
            certify_with(model, &script.to_bytes(), &Exact, Work { counts: true, workers: 2 })
        })
    };
    match counted(&script) {
        Err(Error::Veracity(error)) => {
            assert!(matches!(error.deviation, Deviation::Twice { .. }), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert!(counted(&Forged::of(&certificate(&session, true).unwrap())).unwrap().is_counted);
    std::fs::remove_file(file).unwrap();
}

#[test]
fn blocks_in_another_order() {
    let file = written("diamond.pml", DIAMOND);
    let (session, _) = opened(&file, "none");
    let script = Forged { block: 2, ..Forged::of(&certificate(&session, true).unwrap()) };
    let judge = |blocks: &[_]| {
        let bytes = sealed(&script.header, blocks, script.totals);
        session.with_model(|model| certify(model, &bytes, &Exact))
    };
    let blocks = script.contents();
    assert_eq!(blocks.len(), 3);
    assert!(judge(&blocks).is_ok());
    let mut swapped = blocks.clone();
    swapped.swap(1, 2);
    for other in [swapped, blocks[1..].to_vec(), [&blocks[..1], &blocks[..]].concat()] {
        match judge(&other) {
            Err(Error::Veracity(error)) => {
                assert!(matches!(error.deviation, Deviation::Order { .. }), "{error}");
                assert!(error.block.is_some());
            }
            other => panic!("{other:?}"),
        }
    }
    std::fs::remove_file(file).unwrap();
}

/// One process goes on without end, and may keep another from its step.
const SPINS: &str =
    "byte y; active proctype p() { bit i; do :: i = 1 - i od } active proctype q() { y = 1; assert(false) }";

#[test]
fn omitted_steps_that_no_whole_state_follows() {
    let file = written("spins.pml", SPINS);
    let (session, _) = opened(&file, "order");
    let bytes = certificate(&session, true).unwrap();
    let script = Forged::of(&bytes);
    assert_ne!(script.header.streams & streams::ROUNDS, 0);
    session.with_model(|model| {
        assert_eq!(certify(model, &bytes, &Exact).unwrap().noted.n, 1);
        // Only the steps of the process that spins: two states, each expanded in part.
        let mut lazy = script.clone();
        lazy.states.truncate(2);
        for (state, target) in lazy.states.iter_mut().zip([Target::New, Target::Old(1)]) {
            (state.rounds, state.targets, state.marks) = (1, vec![target], vec![false]);
        }
        lazy.count();
        match certify(model, &lazy.to_bytes(), &Exact) {
            Err(Error::Veracity(error)) => {
                assert!(matches!(error.deviation, Deviation::Ignoring), "{error}");
                assert_eq!(error.state, Some(2));
            }
            other => panic!("{other:?}"),
        }
        for rounds in [0, 9] {
            let mut other = script.clone();
            other.states[0].rounds = rounds;
            assert!(certify(model, &other.to_bytes(), &Exact).is_err(), "{rounds} rounds");
        }
    });
    std::fs::remove_file(file).unwrap();
}

/// The error of a certificate in a file, held against a question.
fn answer(bytes: &[u8], question: &Question) -> Result<bool, String> {
    let name = temporary("question.cert");
    std::fs::write(&name, bytes).unwrap();
    let report = allways_certify::certify(&name, question, &How::default());
    std::fs::remove_file(&name).unwrap();
    report.map(|report| report.holds()).map_err(|error| error.to_string())
}

#[test]
fn another_question() {
    let file = written(
        "asked.pml",
        "#ifdef BAD\n#define ok false\n#else\n#define ok true\n#endif\ninit { assert(ok) }",
    );
    let (session, question) = opened(&file, "none");
    let bytes = certificate(&session, true).unwrap();
    assert_eq!(answer(&bytes, &question), Ok(true));
    let mut bad = question.clone();
    bad.settings.add("define", "BAD");
    assert!(answer(&bytes, &bad).unwrap_err().contains("`define BAD` was asked for"));
    let no_reduce = Question { trust_claims: true, ..question.clone() };
    assert!(answer(&bytes, &no_reduce).unwrap_err().contains("trust-claims"));
    let other = Question { property: "ltl [] true".into(), ..question.clone() };
    assert!(answer(&bytes, &other).unwrap_err().contains("about `property safety`"));
    // A certificate that ignores assertions does not pass for one that does not.
    let mut lax = question.clone();
    lax.settings.add("no-assertions", "yes");
    let (mut header, mut script) = (Forged::of(&bytes).header, Forged::of(&bytes));
    header.spec.set("no-assertions", "yes");
    script.header = header;
    assert!(
        answer(&script.to_bytes(), &question)
            .unwrap_err()
            .contains("`no-assertions yes`, which was not asked for")
    );
    std::fs::write(&file, "init { assert(true); assert(true) }").unwrap();
    let error = answer(&bytes, &question).unwrap_err();
    assert!(
        error.contains("has changed") && error.contains("it no longer fits at block 1, state"),
        "{error}"
    );
    std::fs::remove_file(file).unwrap();
}

#[test]
fn another_state_space_with_the_same_files() {
    let file = written("digest.pml", DIAMOND);
    let (session, question) = opened(&file, "all");
    let mut script = Forged::of(&certificate(&session, true).unwrap());
    script.header.digest = Digest([1; 16]);
    assert!(answer(&script.to_bytes(), &question).unwrap_err().contains("is not the one of the certificate"));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn parts_that_no_reduction_explains() {
    let file = written("parts.pml", DIAMOND);
    let (session, question) = opened(&file, "dead");
    let mut script = Forged::of(&certificate(&session, true).unwrap());
    assert_eq!(script.header.streams & streams::ROUNDS, 0);
    script.header.streams |= streams::ROUNDS;
    script.states.iter_mut().for_each(|state| state.rounds = 1);
    assert!(answer(&script.to_bytes(), &question).unwrap_err().contains("expanded in part"));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_run_that_shows_something_else() {
    let file = written("run.pml", "byte x; active proctype p() { x = 1; x = 2; assert(x == 1) }");
    let (session, question) = opened(&file, "none");
    let bytes = certificate(&session, false).unwrap();
    assert_eq!(answer(&bytes, &question), Ok(false));
    let (mut header, blocks) = crate::forged::blocks(&bytes).unwrap();
    assert!(matches!(header.kind, Kind::Violation { cycle: None, .. }));
    let claims = |header: &_, blocks: &[_]| answer(&sealed(header, blocks, (0, 3)), &question).unwrap_err();
    let mut rest = blocks[0].1.as_slice();
    let keys: Vec<u64> = std::iter::from_fn(|| take_varint(&mut rest)).collect();
    assert_eq!(keys.len(), 3);
    let run = |keys: &[u64]| {
        let mut raw = Vec::new();
        keys.iter().for_each(|key| put_varint(&mut raw, *key));
        [(Frame { n_tokens: keys.len() as u32, ..blocks[0].0 }, raw)]
    };
    assert_eq!(claims(&header, &run(&keys[..1])), "the run does not end in the assertion that it promises");
    assert_eq!(claims(&header, &run(&[keys[0], 99_999, keys[2]])), "step 2 of the run is not possible");
    let Kind::Violation { id, .. } = &header.kind else { unreachable!() };
    let deadlock = id.to_string().replace("assertion assertion", "deadlock assertion");
    header.kind = Kind::Violation { id: deadlock.parse().unwrap(), cycle: None };
    assert!(claims(&header, &blocks).contains("does not end in the deadlock"));
    header.kind = Kind::Violation { id: deadlock.parse().unwrap(), cycle: Some(1) };
    assert!(claims(&header, &blocks).contains("shows no deadlock"));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_cycle_that_does_not_close() {
    let file = written("cycle.pml", "byte x; active proctype p() { do :: x = 1 - x od }");
    let request = allways_session::Request {
        property: allways_session::Property::Formula("[] <> (x == 5)".into()),
        ..allways_session::Request::new(&file)
    };
    let session = allways_session::Session::open(request).unwrap();
    let question =
        Question { model: file.clone(), property: "ltl [] <> (x == 5)".into(), ..Question::default() };
    let plan = allways_session::Plan { workers: 1, ..allways_session::Plan::default() };
    let bytes = crate::forged::certificate_by(&session, &plan).unwrap();
    assert_eq!(answer(&bytes, &question), Ok(false));
    let (header, blocks) = crate::forged::blocks(&bytes).unwrap();
    let Kind::Violation { id, cycle: Some(cycle) } = &header.kind else { panic!("a cycle") };
    for start in [cycle + 1, 99] {
        let mut other = header.clone();
        other.kind = Kind::Violation { id: id.clone(), cycle: Some(start) };
        assert!(answer(&sealed(&other, &blocks, (0, 0)), &question).is_err(), "{start}");
    }
    std::fs::remove_file(file).unwrap();
}
