//! The properties of infinite runs in the corpus, each as a never claim that SPIN and Allways read alike.
//!
//! A formula is turned into SPIN's own never claim, so that both search the same product; non-progress needs
//! no claim.

use allways_promela::{FileInput, PreprocessOptions, Program, Property, Watch, load};
use allways_testkit::spin::Cycles;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const ROOT: &str = "../shared/corpus/spin";

/// A property of infinite runs of one model of the corpus.
#[derive(Debug)]
pub(crate) struct ClaimCase {
    /// The model, and the claim or what else is asked for.
    pub(crate) name: String,
    file: PathBuf,
    /// The claim's name, where there are several.
    claim: Option<String>,
    pub(crate) cycles: Cycles,
    /// What SPIN stores with its own merging of statements: roughly the size.
    pub(crate) stored: u64,
    /// Other counts of the same run.
    pub(crate) counts: [u64; 2],
    pub(crate) violated: bool,
}

/// The properties that SPIN decided without reduction and fairness.
pub(crate) fn claims() -> Vec<ClaimCase> {
    let path = Path::new(ROOT).join("figures.json");
    let figures = std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok());
    let Some(Value::Array(entries)) = figures else {
        println!("{} is not here: skipped", path.display());
        return Vec::new();
    };
    let mut cases: Vec<ClaimCase> = Vec::new();
    for entry in &entries {
        let model = entry["model"].as_str().unwrap_or_default();
        for run in entry["runs"].as_array().into_iter().flatten() {
            let cycles = match run["run"].as_str() {
                Some("c_nored" | "c_nored_c0") => Cycles::Acceptance,
                Some("np_nored") => Cycles::NonProgress,
                _ => continue,
            };
            let stored = run["stored"].as_u64().unwrap_or(0);
            if run["complete"] != true || stored == 0 {
                continue;
            }
            let claim = run["pan_args"].as_str().and_then(|args| args.split_once("-N "));
            let claim = claim.map(|(_, name)| name.trim().to_owned());
            let what = match (&claim, cycles) {
                (Some(name), _) => format!(" {name}"),
                (None, Cycles::NonProgress) => " non-progress".into(),
                (None, _) => String::new(),
            };
            let file = Path::new(ROOT).join(model);
            let violated = run["errors"].as_u64().is_some_and(|n| n > 0);
            let counts = ["matched", "transitions"].map(|name| run[name].as_u64().unwrap_or(0));
            let name = format!("spin/{model}{what}");
            cases.push(ClaimCase { name, file, claim, cycles, stored, counts, violated });
        }
    }
    cases
}

impl ClaimCase {
    /// The text of the model with this one claim.
    pub(crate) fn text(&self) -> Result<String, String> {
        let file = self.file.canonicalize().map_err(|e| format!("{}: {e}", self.file.display()))?;
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let dir = file.parent().map_or_else(String::new, |dir| dir.display().to_string());
        let text = text.replace("#include \"", &format!("#include \"{dir}/"));
        let plain = without_formulas(&text);
        if self.cycles == Cycles::NonProgress {
            return Ok(plain);
        }
        if plain.len() == text.len() {
            return Ok(text);
        }
        let claims = spin_claims(&self.file)?;
        let wanted = |claim: &&String| {
            self.claim.as_ref().is_none_or(|name| claim.starts_with(&format!("never {name} ")))
        };
        let claim = claims.iter().find(wanted).ok_or("SPIN has no such claim")?;
        Ok(format!("{plain}\n{claim}"))
    }

    /// The program of [`ClaimCase::text`] with what watches it.
    pub(crate) fn load(&self, text: &str) -> Result<(Program, Arc<allways_model::Claim>), String> {
        let input = FileInput::Text { name: "model.pml".into(), text: text.into() };
        let program = load(&input, &PreprocessOptions::default()).program.ok_or("the model does not load")?;
        let property = match self.cycles {
            Cycles::NonProgress => Property::NonProgress,
            _ if program.claims().count() == 0 => Property::Acceptance,
            _ => Property::Claim(0),
        };
        let program = program.without_exclusive_checks();
        let watched = program.watched(&property, false).map_err(|why| why.message.clone())?;
        match watched.watch {
            Watch::Claim(claim) => Ok((watched.program, Arc::new(claim))),
            Watch::Formula(..) => Err("this is a formula".into()),
        }
    }
}

/// A model without its `ltl` blocks. Comments that speak of some are none.
fn without_formulas(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("ltl") {
        let (before, block) = rest.split_at(at);
        let begins = before.trim_end_matches([' ', '\t']).ends_with('\n') || before.is_empty();
        let head = block.find('{').filter(|&open| {
            block[3..open].chars().all(|c| c.is_alphanumeric() || c == '_' || c.is_whitespace())
        });
        plain.push_str(before);
        let Some(open) = head.filter(|_| begins) else {
            plain.push_str("ltl");
            rest = &block[3..];
            continue;
        };
        let mut depth = 0;
        let end = block[open..].find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        rest = end.map_or("", |end| &block[open + end + 1..]);
    }
    plain + rest
}

/// The never claims that SPIN makes of a model's formulas.
fn spin_claims(file: &Path) -> Result<Vec<String>, String> {
    let dir = std::env::temp_dir().join(format!("allways-claims-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let file = file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?;
    let run = Command::new("spin").arg("-a").arg(file).current_dir(&dir).output();
    let text = run.and_then(|_| std::fs::read_to_string(dir.join("_spin_nvr.tmp")));
    // Nothing depends on the directory being gone.
    let _ = std::fs::remove_dir_all(&dir);
    let text = text.map_err(|e| format!("SPIN makes no claim: {e}"))?;
    let starts: Vec<usize> = text.match_indices("never ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    Ok(starts.iter().zip(ends).map(|(&start, end)| text[start..end].to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_taken_out() {
        let text = "byte x; /* an ltl { is meant */\nltl p { [] { x } }\nltl { <> x }\nint ltlx;\n";
        assert_eq!(without_formulas(text), "byte x; /* an ltl { is meant */\n\n\nint ltlx;\n");
    }
}
