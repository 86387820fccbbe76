//! Equal consecutive elements of arrays as one line: `a[2..9] = 0`.
//!
//! Variables come as a flat list of names and values, elements of arrays and fields of records among them.
//! [`grouped`] finds runs of elements that are equal in every part: `a[0..7].x = 0` and `a[0..7].y = 1` for
//! eight equal records. Ranges include both ends, as Promela's do. Nothing is lost: expanding the ranges
//! gives the list back, names, values and order (a test does).

use allways_model::Variable;

/// Shorter runs are written out: a range of two saves one line and is harder to read.
const SHORTEST_RUN: u64 = 3;

/// A part of a list of variables.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    /// One variable: the rest of its name, and its value.
    One(&'a str, &'a str),
    /// The elements `from` to `to` of `array`, all of which have these parts.
    Elements { array: &'a str, from: u64, to: u64, parts: Vec<Part<'a>> },
}

/// A variable by the rest of its name, and its value.
type Entry<'a> = (&'a str, &'a str);

/// Variables as lines `name = value`, equal consecutive elements in one line. They must belong to one
/// process, or to none.
pub(crate) fn grouped(variables: &[&Variable]) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    write(&parts(&entries(variables)), "", &mut lines);
    lines
}

fn entries<'a>(variables: &[&'a Variable]) -> Vec<Entry<'a>> {
    variables.iter().map(|variable| (variable.name.as_str(), variable.value.as_str())).collect()
}

fn write(parts: &[Part<'_>], prefix: &str, lines: &mut Vec<(String, String)>) {
    for part in parts {
        match part {
            Part::One(name, value) => lines.push((format!("{prefix}{name}"), (*value).to_owned())),
            Part::Elements { array, from, to, parts } if from == to => {
                write(parts, &format!("{prefix}{array}[{from}]"), lines);
            }
            Part::Elements { array, from, to, parts } => {
                write(parts, &format!("{prefix}{array}[{from}..{to}]"), lines);
            }
        }
    }
}

/// Finds runs of equal elements.
fn parts<'a>(entries: &[Entry<'a>]) -> Vec<Part<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < entries.len() {
        let Some((array, from, _)) = element(entries[at].0) else {
            found.push(Part::One(entries[at].0, entries[at].1));
            at += 1;
            continue;
        };
        let first = block(&entries[at..], array, from);
        let mut to = from;
        let mut end = at + first.len();
        while to < u64::MAX && block(&entries[end..], array, to + 1) == first {
            to += 1;
            end += first.len();
        }
        if to - from + 1 < SHORTEST_RUN {
            to = from;
            end = at + first.len();
        }
        found.push(Part::Elements { array, from, to, parts: parts(&first) });
        at = end;
    }
    found
}

/// The parts of the element `idx` of `array` at the beginning of a list, without the element's name.
fn block<'a>(entries: &[Entry<'a>], array: &str, idx: u64) -> Vec<Entry<'a>> {
    (entries.iter())
        .map_while(|(name, value)| {
            let (of, number, rest) = element(name)?;
            (of == array && number == idx).then_some((rest, *value))
        })
        .collect()
}

/// A name such as `a[3].x` as array, index and rest. `None` without an index, or with one that a number would
/// not be written as.
fn element(name: &str) -> Option<(&str, u64, &str)> {
    let open = name.find('[')?;
    let close = open + name[open..].find(']')?;
    let digits = &name[open + 1..close];
    let number: u64 = digits.parse().ok()?;
    (number.to_string() == digits).then(|| (&name[..open], number, &name[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables that lines stand for: names and values.
    fn expanded(parts: &[Part<'_>], prefix: &str, out: &mut Vec<(String, String)>) {
        for part in parts {
            match part {
                Part::One(name, value) => out.push((format!("{prefix}{name}"), (*value).to_owned())),
                Part::Elements { array, from, to, parts } => {
                    for idx in *from..=*to {
                        expanded(parts, &format!("{prefix}{array}[{idx}]"), out);
                    }
                }
            }
        }
    }

    fn lines(list: &[(&str, &str)]) -> Vec<String> {
        let variables: Vec<Variable> = (list.iter())
            .map(|(name, value)| Variable { process: None, name: (*name).into(), value: (*value).into() })
            .collect();
        let all: Vec<&Variable> = variables.iter().collect();
        grouped(&all).into_iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }

    #[test]
    fn equal_elements_are_one_line() {
        for (list, expected) in [
            (
                vec![("x", "1"), ("a[0]", "5"), ("a[1]", "0"), ("a[2]", "0"), ("a[3]", "0"), ("y", "0")],
                vec!["x = 1", "a[0] = 5", "a[1..3] = 0", "y = 0"],
            ),
            (vec![("a[0]", "0"), ("a[1]", "0")], vec!["a[0] = 0", "a[1] = 0"]),
            // A gap, another array and another order begin anew.
            (
                vec![("a[0]", "0"), ("a[1]", "0"), ("a[3]", "0"), ("b[4]", "0"), ("b[3]", "0")],
                vec!["a[0] = 0", "a[1] = 0", "a[3] = 0", "b[4] = 0", "b[3] = 0"],
            ),
            // Records are equal if all of their fields are.
            (
                (vec![("r[0].x", "1"), ("r[0].y", "2"), ("r[1].x", "1"), ("r[1].y", "2")].into_iter())
                    .chain([("r[2].x", "1"), ("r[2].y", "2"), ("r[3].x", "1"), ("r[3].y", "9")])
                    .collect(),
                vec!["r[0..2].x = 1", "r[0..2].y = 2", "r[3].x = 1", "r[3].y = 9"],
            ),
            (
                vec![("r[0].a[0]", "1"), ("r[0].a[1]", "1"), ("r[0].a[2]", "1"), ("r[1].a[0]", "1")],
                vec!["r[0].a[0..2] = 1", "r[1].a[0] = 1"],
            ),
            // What only looks like an index.
            (
                vec![
                    ("m[k]", "0"),
                    ("m[k]", "0"),
                    ("m[k]", "0"),
                    ("a[00]", "0"),
                    ("a[+1]", "0"),
                    ("a[", "0"),
                ],
                vec!["m[k] = 0", "m[k] = 0", "m[k] = 0", "a[00] = 0", "a[+1] = 0", "a[ = 0"],
            ),
        ] {
            assert_eq!(lines(&list), expected);
        }
    }

    /// Expanding the groups of random lists gives the lists, in their order.
    #[test]
    fn nothing_is_lost() {
        let mut seed = 1_u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut n_runs = 0;
        for _ in 0..2_000 {
            let mut variables = Vec::new();
            for _ in 0..random(8) {
                let array = ["a", "b", "r.a", "x[k]", "", "a[1].b"][random(6) as usize];
                let suffixes: &[&str] =
                    [&[""][..], &[".x", ".y"], &["[0]", "[1]", "[2]"], &["]", ".z[007]"]][random(4) as usize];
                let start = [0, 1, 5, u64::MAX - 3][random(4) as usize];
                for idx in 0..random(4).pow(2) {
                    for suffix in suffixes {
                        let name = format!("{array}[{}]{suffix}", start.saturating_add(idx));
                        let value = random(12).saturating_sub(9).to_string();
                        variables.push(Variable { process: None, name, value });
                    }
                }
            }
            let all: Vec<&Variable> = variables.iter().collect();
            let mut back = Vec::new();
            expanded(&parts(&entries(&all)), "", &mut back);
            let expected: Vec<(String, String)> =
                variables.iter().map(|v| (v.name.clone(), v.value.clone())).collect();
            assert_eq!(back, expected);
            n_runs += grouped(&all).iter().filter(|(name, _)| name.contains("..")).count();
        }
        assert!(n_runs > 1_000, "{n_runs}");
    }
}
