//! Tests of what the comparison with gcc does not show: includes in memory, options, errors and locations.

use std::path::PathBuf;

use super::*;
use crate::syntax::source::Severity;

fn run(
    files: &[(&str, &str)],
    options: &PreprocessOptions,
) -> (String, Vec<Diagnostic>, SourceMap, Preprocessed) {
    let files: HashMap<PathBuf, String> = files.iter().map(|(n, t)| (n.into(), (*t).to_string())).collect();
    let loader = MemoryLoader { files };
    let (mut sources, mut diagnostics) = (SourceMap::default(), Vec::new());
    let input = FileInput::Path("dir/main.pml".into());
    let out = preprocess(&input, options, &loader, &mut sources, &mut diagnostics);
    let words: Vec<_> = out.text.split_whitespace().collect();
    (words.join(" "), diagnostics, sources, out)
}

fn text(main: &str) -> String {
    let (text, diagnostics, ..) = run(&[("dir/main.pml", main)], &PreprocessOptions::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    text
}

fn first_error(main: &str) -> String {
    let (_, diagnostics, ..) = run(&[("dir/main.pml", main)], &PreprocessOptions::default());
    diagnostics.first().map(|d| d.message.clone()).unwrap_or_default()
}

#[test]
fn includes_are_sought_beside_the_file_then_as_told() {
    let files = [
        ("dir/main.pml", "#include \"sub/a.h\"\n#include <b.h>\n#define H \"c.h\"\n#include H\nmain"),
        ("dir/sub/a.h", "#include \"near.h\"\na"),
        ("dir/sub/near.h", "near"),
        ("inc/b.h", "b"),
        ("inc/c.h", "#pragma once\n#include \"c.h\"\nc"),
    ];
    let (text, diagnostics, sources, _) = run(&files, &PreprocessOptions::default().include_dir("inc"));
    assert!(diagnostics.is_empty(), "{}", crate::syntax::source::render_all(&diagnostics, &sources, false));
    assert_eq!(text, "near a b c main");
}

#[test]
fn includes_that_do_not_end() {
    let (_, diagnostics, ..) =
        run(&[("dir/main.pml", "#include \"main.pml\"\nx")], &PreprocessOptions::default());
    assert!(diagnostics[0].message.contains("includes itself"));
    let guarded = "#if 1\n#include \"main.pml\"\n#endif";
    let (_, diagnostics, ..) = run(&[("dir/main.pml", guarded)], &PreprocessOptions::default());
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].message.contains("nested too deep"));
    assert_eq!(first_error("#include \"no.h\""), "cannot find `no.h`");
    assert!(first_error("#include no").contains("needs a file's name"));
}

#[test]
fn options_define_and_undefine() {
    let options =
        PreprocessOptions::default().define("A").define("B=x y").define("F(p)=p+p").define("C").undefine("C");
    let (text, ..) = run(&[("dir/main.pml", "A B F(2) C")], &options);
    assert_eq!(text, "1 x y 2 +2 C");
}

#[test]
fn nested_branches() {
    assert_eq!(text("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#else\nd\n#endif"), "c");
    assert_eq!(text("#ifdef X\n#error no\n#else\nok\n#endif"), "ok");
    assert_eq!(text("#define E\n#ifdef E\nyes\n#endif\n#ifndef E\nno\n#endif"), "yes");
}

#[test]
fn mistakes_are_told() {
    assert_eq!(first_error("#if 1\n"), "this conditional has no `#endif`");
    assert_eq!(first_error("#endif\n"), "`#endif` without `#if`");
    assert_eq!(first_error("#if 1\n#else\n#else\n#endif\n"), "`#else` after `#else`");
    assert_eq!(first_error("#if 1/0\n#endif\n"), "division by zero in a condition");
    assert_eq!(first_error("#error stop here"), "#error stop here");
    assert_eq!(first_error("#define 3 4"), "a macro's name must be an identifier");
    assert_eq!(first_error("#define f(a,a) a"), "expected the name of a macro's parameter");
    assert_eq!(first_error("#define f(a) a\nf(1,2)"), "macro `f` takes 1 argument, not 2");
    assert_eq!(first_error("#define j(a,b) a##b\nj(+,/)"), "`+` and `/` cannot be joined to one token");
    assert_eq!(first_error("#undef"), "`#undef` needs a macro's name");
}

#[test]
fn warnings_do_not_stop() {
    let (text, diagnostics, ..) =
        run(&[("dir/main.pml", "#warning old\n#define A 1\n#define A 2\nA")], &PreprocessOptions::default());
    assert_eq!(text, "2");
    assert!(diagnostics.iter().all(|d| d.severity == Severity::Warning));
    assert_eq!(diagnostics.len(), 2);
}

#[test]
fn missing_files_are_told() {
    let (_, diagnostics, sources, _) = run(&[], &PreprocessOptions::default());
    assert!(diagnostics[0].message.starts_with("cannot read dir/main.pml"));
    assert_eq!(sources.name(diagnostics[0].span.file), "dir/main.pml");
}

#[test]
fn tokens_know_their_places() {
    let main = "#define TWICE(x) x x\nfirst\n  TWICE(second) 0..9\n";
    let (_, _, sources, out) = run(&[("dir/main.pml", main)], &PreprocessOptions::default());
    let place = |word: &str| {
        let at = out.text.find(word).expect("in the text");
        out.span(at, at + word.len())
    };
    assert_eq!(sources.snippet(place("first")), "first");
    assert_eq!(sources.snippet(place("second")), "TWICE");
    assert_eq!(sources.line(place("second")), 3);
    assert_eq!(sources.snippet(place("..")), "..", "a part of a number of C has its own place");
}

#[test]
fn latin_1_is_read_too() {
    struct Latin;
    impl Loader for Latin {
        fn load(&self, _: &Path) -> std::io::Result<Vec<u8>> {
            Ok(b"/* caf\xe9 */ x".to_vec())
        }
    }
    let (mut sources, mut diagnostics) = (SourceMap::default(), Vec::new());
    let input = FileInput::Path("a.pml".into());
    let out = preprocess(&input, &PreprocessOptions::default(), &Latin, &mut sources, &mut diagnostics);
    assert_eq!(out.text.trim(), "x");
}
