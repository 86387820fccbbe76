//! No text makes the parser panic, hang or run out of stack.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use allways_promela::syntax::parse_text;
use allways_testkit::random_promela::Rng;

const MODEL: &str = include_str!("whole_language.pml");

const WORDS: &[&str] = &[
    "active",
    "proctype",
    "init",
    "never",
    "ltl",
    "trace",
    "typedef",
    "inline",
    "mtype",
    "chan",
    "byte",
    "int",
    "unsigned",
    "hidden",
    "if",
    "fi",
    "do",
    "od",
    "::",
    "->",
    ";",
    ":",
    ",",
    ".",
    "..",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "else",
    "break",
    "goto",
    "skip",
    "atomic",
    "d_step",
    "unless",
    "for",
    "in",
    "select",
    "run",
    "len",
    "full",
    "eval",
    "timeout",
    "assert",
    "printf",
    "\"%d\"",
    "'c'",
    "x",
    "y",
    "P",
    "f",
    "_",
    "_pid",
    "1",
    "0",
    "255",
    "=",
    "==",
    "!",
    "!!",
    "?",
    "??",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "++",
    "--",
    "&&",
    "||",
    "~",
    "@",
    "c_code",
    "return",
    "\n",
    "\n#define f(x) x f(x)\n",
    "\n#if 1\n",
    "\n#else\n",
    "\n#endif\n",
    "#",
    "##",
    "\\\n",
    "/*",
    "*/",
    "//",
    "$",
    "é",
    "priority",
    "provided",
    "of",
    "xr",
    "np_",
    "enabled",
    "[]",
    "<>",
    "U",
    "X",
];

/// Parses and renders; must be quick.
fn survives(text: &str) {
    let start = Instant::now();
    let parsed = parse_text("fuzz.pml", text);
    let _ = parsed.render(false);
    for unit in &parsed.ast.units {
        let _ = format!("{unit:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(10), "slow on {text:?}");
}

/// Texts of each random form.
const N_TEXTS: u64 = 300;

fn random_words(rng: &mut Rng, most: u32) -> Vec<&'static str> {
    (0..rng.below(most)).map(|_| *rng.pick(WORDS)).collect()
}

/// A character: half of them ASCII, the others from all of Unicode.
fn random_character(rng: &mut Rng) -> char {
    let most = if rng.chance(50) { 0x80 } else { 0x11_0000 };
    char::from_u32(rng.below(most)).unwrap_or('\u{fffd}')
}

#[test]
fn random_characters() {
    for seed in 0..N_TEXTS {
        let mut rng = Rng::new(seed);
        survives(&(0..rng.below(201)).map(|_| random_character(&mut rng)).collect::<String>());
    }
}

#[test]
fn random_ascii() {
    for seed in 0..N_TEXTS {
        let mut rng = Rng::new(seed);
        survives(&(0..rng.below(300)).map(|_| char::from(rng.below(128) as u8)).collect::<String>());
    }
}

#[test]
fn texts_of_random_words() {
    for seed in 0..N_TEXTS {
        let words = random_words(&mut Rng::new(seed), 150).join(" ");
        survives(&words);
        survives(&format!("active proctype P() {{ {words} }}"));
        survives(&format!("inline f(x) {{ {words} }} active proctype P() {{ f(1) }}"));
    }
}

#[test]
fn mutated_models() {
    for seed in 0..N_TEXTS {
        let mut rng = Rng::new(seed);
        let mut text: Vec<char> = MODEL.chars().collect();
        for _ in 0..rng.range(1, 7) {
            let at = rng.below(text.len() as u32) as usize;
            let word = *rng.pick(WORDS);
            match rng.below(3) {
                0 => {
                    let end = (at + word.len()).min(text.len());
                    text.drain(at..end);
                }
                1 => {
                    text.splice(at..at, word.chars());
                }
                _ => {
                    text.truncate(at);
                    text.extend(word.chars());
                }
            }
        }
        survives(&text.into_iter().collect::<String>());
    }
}

/// Repeats `open`, then `middle`, then `close`.
fn nest(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    let shapes = [
        ("{", "skip", "}"),
        ("if :: ", "skip", " fi"),
        ("do :: atomic { ", "break", " } od"),
        ("x = (", "1", ")"),
        ("(", "1", ")"),
        ("!", "x", ""),
        ("- ", "x", ""),
        ("a[", "1", "]"),
        ("(x -> 1 : ", "2", ")"),
        ("run P(", "1", ")"),
        ("x + (", "1", ")"),
        ("a: ", "skip", ""),
        ("c?(", "x", ")"),
        ("for (i : 1 .. 2) { ", "skip", " }"),
        ("skip unless { ", "skip", " }"),
        ("x && ", "1", ""),
        ("x -> ", "1", ""),
    ];
    for (open, middle, close) in shapes {
        for depth in [50, 100_000] {
            let body = nest(open, middle, close, depth);
            survives(&format!("int x, a[3]; proctype P() {{ {body} }}"));
        }
    }
    survives(&format!("int x[{}1{}];", "(".repeat(50_000), ")".repeat(50_000)));
    survives(&format!("ltl p {{ {}x }}", "[] ".repeat(50_000)));
    survives(&format!("#define f(x) x\n{}1{}", "f(".repeat(5_000), ")".repeat(5_000)));
    survives(&format!("#if {}1{}\n#endif", "(".repeat(50_000), ")".repeat(50_000)));
    survives(&"#if 1\n".repeat(10_000));
    survives(&"{".repeat(100_000));
}

#[test]
fn text_that_multiplies_is_cut_off() {
    let mut macros = String::from("#define m0 x x\n");
    let mut inlines = String::from("inline f0() { skip; skip }\n");
    for n in 1..40 {
        let _ = writeln!(macros, "#define m{n} m{} m{}", n - 1, n - 1);
        let _ = writeln!(inlines, "inline f{n}() {{ f{}(); f{}() }}", n - 1, n - 1);
    }
    for text in [format!("{macros}m39"), format!("{inlines}init {{ f39() }}")] {
        let parsed = parse_text("large.pml", &text);
        assert!(parsed.has_errors());
        assert!(
            parsed.diagnostics.iter().any(|d| d.message.contains("too large")),
            "{}",
            parsed.render(false)
        );
    }
}

#[test]
fn reasonable_nesting_is_accepted() {
    for (open, middle, close) in [("{", "skip", "}"), ("if :: ", "skip", " fi"), ("x = 1 + (", "1", ")")] {
        let body = if open.starts_with('x') {
            format!("x = {}", nest("1 + (", middle, close, 120))
        } else {
            nest(open, middle, close, 120)
        };
        let parsed = parse_text("deep.pml", &format!("int x; init {{ {body} }}"));
        assert!(!parsed.has_errors(), "{}", parsed.render(false));
    }
}

#[test]
fn the_whole_language_parses() {
    let parsed = parse_text("whole_language.pml", MODEL);
    assert!(parsed.diagnostics.is_empty(), "{}", parsed.render(false));
    assert_eq!(parsed.ast.units.len(), 29);
}
