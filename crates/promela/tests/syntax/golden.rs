//! Diagnostics as people see them. `BLESS=1` rewrites what is expected.

use std::path::Path;

use allways_promela::syntax::{FileInput, MemoryLoader, PreprocessOptions, parse_with};

#[test]
fn diagnostics_read_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/golden");
    let bless = std::env::var_os("BLESS").is_some();
    let mut models: Vec<_> =
        std::fs::read_dir(&folder).expect("golden tests").map(|e| e.expect("entry").path()).collect();
    models.retain(|path| path.extension().is_some_and(|e| e == "pml"));
    models.sort();
    assert!(!models.is_empty());
    for path in models {
        let name = path.file_name().expect("name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("model");
        let input = FileInput::Text { name, text };
        let parsed = parse_with(&input, &PreprocessOptions::default(), &MemoryLoader::default());
        let shown = parsed.render(false);
        let expected = path.with_extension("txt");
        if bless {
            std::fs::write(&expected, &shown).expect("write");
        } else {
            let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
            assert_eq!(shown, wanted, "{}: if the new text is better, run with BLESS=1", path.display());
        }
    }
}
