//! The picture of the crates: which uses which, drawn from `cargo metadata` into docs/crates.svg.
//!
//! A crate stands one row above the highest crate that it uses. An arrow that follows from two others is not
//! drawn. The picture is a function of the metadata alone, so `cargo xtask tidy` can compare it.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

/// Where the picture is.
const PICTURE: &str = "docs/crates.svg";

const BOX_WIDTH: usize = 110;
const BOX_HEIGHT: usize = 34;
const GAP: usize = 26;
const ROW: usize = 92;
const MARGIN: usize = 16;

/// The crates of the workspace, each with those that its code uses, tests aside.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Writes the picture.
pub(crate) fn run() -> bool {
    let written = uses().and_then(|uses| std::fs::write(PICTURE, svg(&uses)).map_err(|e| e.to_string()));
    if let Err(error) = &written {
        println!("{PICTURE}: {error}");
    }
    written.is_ok()
}

/// What is wrong with the picture, if anything.
pub(crate) fn complaint() -> Option<String> {
    let expected = match uses() {
        Ok(uses) => svg(&uses),
        Err(error) => return Some(error),
    };
    let is_current = std::fs::read_to_string(PICTURE).is_ok_and(|text| text == expected);
    (!is_current).then(|| format!("{PICTURE} is not current: run cargo xtask crates"))
}

/// Reads which crate uses which from cargo. The project's own tasks are not part of the product.
fn uses() -> Result<Uses, String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|error| format!("cargo metadata does not run: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let short = |name: &Value| {
        let name = name.as_str()?;
        Some(name.strip_prefix("allways-").unwrap_or(name).to_owned())
    };
    let mut uses = Uses::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(name) = short(&package["name"]).filter(|name| name != "xtask") else { continue };
        let used = package["dependencies"].as_array().into_iter().flatten().filter(|dependency| {
            dependency["kind"].is_null()
                && dependency["name"].as_str().is_some_and(|name| name.starts_with("allways"))
        });
        uses.insert(name, used.filter_map(|dependency| short(&dependency["name"])).collect());
    }
    Ok(uses)
}

/// The row of each crate, from 0 at the bottom.
fn rows(uses: &Uses) -> BTreeMap<&str, usize> {
    let mut rows: BTreeMap<&str, usize> = uses.keys().map(|name| (name.as_str(), 0)).collect();
    // Cargo allows no cycles, so this ends; the number of crates bounds the length of a chain.
    for _ in 0..uses.len() {
        for (name, used) in uses {
            let row = used.iter().map(|used| rows[used.as_str()] + 1).max().unwrap_or(0);
            rows.insert(name, row);
        }
    }
    rows
}

/// Whether `from` uses `to` through other crates.
fn is_indirect(uses: &Uses, from: &str, to: &str) -> bool {
    let mut open: Vec<&String> = uses[from].iter().filter(|name| *name != to).collect();
    while let Some(name) = open.pop() {
        if uses[name].contains(to) {
            return true;
        }
        open.extend(&uses[name]);
    }
    false
}

fn svg(uses: &Uses) -> String {
    let rows = rows(uses);
    let height = rows.values().max().map_or(0, |row| row + 1);
    let mut by_row: Vec<Vec<&str>> = vec![Vec::new(); height];
    for (name, row) in &rows {
        by_row[*row].push(name);
    }
    let widest = by_row.iter().map(Vec::len).max().unwrap_or(0);
    let width_of = |n: usize| n * BOX_WIDTH + n.saturating_sub(1) * GAP;
    let (width, full) = (2 * MARGIN + width_of(widest), 2 * MARGIN + (height - 1) * ROW + BOX_HEIGHT);
    let corner = |name: &str| {
        let row = rows[name];
        let column = by_row[row].iter().position(|other| *other == name).unwrap_or(0);
        let left = MARGIN + (width_of(widest) - width_of(by_row[row].len())) / 2;
        (left + column * (BOX_WIDTH + GAP), MARGIN + (height - 1 - row) * ROW)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {full}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<title>Which crate uses which</title>\n\
         <rect width=\"{width}\" height=\"{full}\" fill=\"white\"/>\n\
         <marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#456\"/></marker>\n"
    );
    for (from, used) in uses {
        for to in used.iter().filter(|to| !is_indirect(uses, from, to)) {
            let ((x1, y1), (x2, y2)) = (corner(from), corner(to));
            let _ = writeln!(
                text,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{y2}\" stroke=\"#456\" marker-end=\"url(#tip)\"/>",
                x1 + BOX_WIDTH / 2,
                y1 + BOX_HEIGHT,
                x2 + BOX_WIDTH / 2,
            );
        }
    }
    for name in uses.keys() {
        let (x, y) = corner(name);
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"6\" fill=\"#eef4fb\" \
             stroke=\"#456\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>",
            x + BOX_WIDTH / 2,
            y + BOX_HEIGHT / 2 + 5,
        );
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Uses {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Uses::from([
            ("model".to_owned(), list(&[])),
            ("store".to_owned(), list(&["model"])),
            ("search".to_owned(), list(&["model", "store"])),
        ])
    }

    #[test]
    fn a_crate_is_above_what_it_uses() {
        assert_eq!(rows(&example()), BTreeMap::from([("model", 0), ("search", 2), ("store", 1)]));
    }

    #[test]
    fn an_arrow_that_follows_from_others_is_omitted() {
        assert!(is_indirect(&example(), "search", "model"));
        assert!(!is_indirect(&example(), "search", "store"));
        assert_eq!(svg(&example()).matches("<line").count(), 2);
    }
}
