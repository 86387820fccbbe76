//! The trace file: a counterexample on disk, readable, diffable, and enough to run it again.
//!
//! ```text
//! allways trace 2
//! allways spec 1            what was checked, as `allways_model::spec` writes it
//! language promela
//! ...
//! run                       the Spec ends here
//! at model peterson.pml     where the files were, seen from the directory in which the trace was made
//! read data.txt 5a0f...     a file that the program read while it was searched, with the SHA-256 of its bytes
//! lesson 00c3f1...          what searches learnt and the keys depend on
//! digest 6f1c0a...          the state space that the keys belong to
//! violation assertion assertion-failed condition="x == 1" file="peterson.pml" line="14" column="9"
//! message assertion violated: x == 1
//! cycle 1                   absent if the run is finite: after how many steps it begins to repeat itself
//! steps 3
//! 0                         the step keys, one a line, decimal
//! 5
//! 1
//! end
//! ```
//!
//! Invariant: what [`TraceFile::to_text`] writes, [`TraceFile::parse`] reads back unchanged. Values run to
//! the end of their line; a backslash escapes line ends and itself. The number of steps and the last line are
//! there so that a file cut short is never taken for a shorter run. The message is for people who read the
//! file: it is not read back, because a replay makes the sentence from what it meets.

use allways_model::spec::{SpecError, escape, unescape};
use allways_model::{Digest, Path, Sha256, Spec, StepKey, ViolationId};
use std::fmt;
use std::fmt::Write as _;

const MAGIC: &str = "allways trace ";
const VERSION: &str = "2";

/// A run of a model, with what is needed to build the model again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// What was checked.
    pub spec: Spec,
    /// Where files and directories were, by what they are to the model.
    pub places: Vec<(String, String)>,
    /// The files that the program read while it was searched.
    pub read: Vec<(String, Sha256)>,
    /// What searches learnt and the keys depend on, in the front end's own notation.
    pub lessons: Vec<String>,
    /// What the run shows; `None` for a run without a violation.
    pub violation: Option<ViolationId>,
    /// After how many steps the run begins to repeat the rest of them forever, if it does.
    pub cycle: Option<usize>,
    /// The run.
    pub path: Path,
}

/// Why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It does not begin as a trace does.
    NotATrace,
    /// It is a trace of another version of the format.
    Version(String),
    /// The Spec in it is wrong.
    Spec(SpecError),
    /// A line is wrong.
    Line {
        /// The line, from one.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The file ends too early.
    Truncated(String),
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATrace => write!(f, "not a trace file: the first line is not '{MAGIC}{VERSION}'"),
            Self::Version(found) => write!(
                f,
                "this is a trace of format version {found}, and this program reads version {VERSION}: \
                 check the model again to get a new one"
            ),
            Self::Spec(error) => write!(f, "corrupt trace: {error}"),
            Self::Line { line, message } => write!(f, "corrupt trace, line {line}: {message}"),
            Self::Truncated(message) => write!(f, "the trace is cut short: {message}"),
        }
    }
}

impl std::error::Error for TraceError {}

impl TraceFile {
    /// The file's content; `message` is the violation in words, for people who read the file.
    #[must_use]
    pub fn to_text(&self, message: Option<&str>) -> String {
        let mut out = format!("{MAGIC}{VERSION}\n{}run\n", self.spec.to_text());
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(out, "{name} {}", escape(value));
        };
        self.places.iter().for_each(|(what, place)| field("at", &format!("{what} {place}")));
        self.read.iter().for_each(|(name, hash)| field("read", &format!("{name} {hash}")));
        self.lessons.iter().for_each(|lesson| field("lesson", lesson));
        field("digest", &self.path.model.to_string());
        if let Some(violation) = &self.violation {
            field("violation", &violation.to_string());
        }
        if let Some(message) = message {
            field("message", message);
        }
        if let Some(cycle) = self.cycle {
            field("cycle", &cycle.to_string());
        }
        field("steps", &self.path.steps.len().to_string());
        for key in &self.path.steps {
            let _ = writeln!(out, "{}", key.0);
        }
        out.push_str("end\n");
        out
    }

    /// Reads a file's content.
    ///
    /// # Errors
    /// What is wrong with it, and in which line.
    pub fn parse(bytes: &[u8]) -> Result<Self, TraceError> {
        if !bytes.starts_with(MAGIC.trim_end().as_bytes()) {
            return Err(TraceError::NotATrace);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
            TraceError::Line { line, message: "not text".into() }
        })?;
        let mut lines = Lines { text, line: 0 };
        let first = lines.next()?;
        let version = first.strip_prefix(MAGIC).ok_or(TraceError::NotATrace)?;
        if version != VERSION {
            let short: String = version.chars().take(20).collect();
            return Err(TraceError::Version(crate::visible(&short).into_owned()));
        }
        let spec = read_spec(&mut lines)?;
        let (header, n_steps) = Header::parse(&mut lines)?;
        let steps = read_steps(&mut lines, n_steps)?;
        header.finish(spec, steps, &lines)
    }

    /// Where something was, by what it is to the model.
    #[must_use]
    pub fn place(&self, what: &str) -> Option<&str> {
        self.places.iter().find(|(name, _)| name == what).map(|(_, place)| place.as_str())
    }
}

/// Reads up to and including the line `run`.
fn read_spec(lines: &mut Lines<'_>) -> Result<Spec, TraceError> {
    let mut text = String::new();
    loop {
        match lines.next() {
            Ok("run") => return Spec::parse(&text).map_err(TraceError::Spec),
            Ok(line) => {
                text.push_str(line);
                text.push('\n');
            }
            Err(_) => return Err(TraceError::Truncated("the specification does not end".into())),
        }
    }
}

/// Reads the steps and the last line.
fn read_steps(lines: &mut Lines<'_>, n_steps: usize) -> Result<Vec<StepKey>, TraceError> {
    let mut steps = Vec::with_capacity(n_steps.min(lines.text.len()));
    for number in 1..=n_steps {
        let line = lines.next().map_err(|_| {
            TraceError::Truncated(format!("it promises {n_steps} steps and ends at step {number}"))
        })?;
        let key = line.parse().map_err(|_| match line {
            "end" => lines.error(format!("the steps end at {} of {n_steps}", number - 1)),
            _ => lines.error(format!("'{}' is not a step key", excerpt(line))),
        })?;
        steps.push(StepKey(key));
    }
    match lines.next() {
        Ok("end") => Ok(steps),
        Ok(line) => {
            Err(lines.error(format!("'end' expected after {n_steps} steps, not '{}'", excerpt(line))))
        }
        Err(_) => Err(TraceError::Truncated("the last line, 'end', is missing".into())),
    }
}

/// The part of a trace between its Spec and its steps.
#[derive(Default)]
struct Header {
    places: Vec<(String, String)>,
    read: Vec<(String, Sha256)>,
    lessons: Vec<String>,
    digest: Option<Digest>,
    violation: Option<ViolationId>,
    cycle: Option<usize>,
}

impl Header {
    /// Reads up to and including the number of steps.
    fn parse(lines: &mut Lines<'_>) -> Result<(Self, usize), TraceError> {
        let mut header = Self::default();
        loop {
            let line = lines
                .next()
                .map_err(|_| TraceError::Truncated("the number of steps and the steps are missing".into()))?;
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            let value =
                unescape(value).ok_or_else(|| lines.error("a backslash that escapes nothing".to_owned()))?;
            let count =
                || value.parse().map_err(|_| lines.error(format!("'{}' is not a count", excerpt(&value))));
            let once = |is_new: bool| match is_new {
                true => Ok(()),
                false => Err(lines.error(format!("a second '{name}'"))),
            };
            match name {
                "at" => {
                    let (what, place) =
                        value.split_once(' ').ok_or_else(|| lines.error("not WHAT PLACE".into()))?;
                    header.places.push((what.into(), place.into()));
                }
                "read" => {
                    let hash =
                        value.rsplit_once(' ').and_then(|(file, hash)| Some((file, hash.parse().ok()?)));
                    let (file, hash) = hash.ok_or_else(|| lines.error("not FILE SHA-256".into()))?;
                    header.read.push((file.into(), hash));
                }
                "lesson" => header.lessons.push(value),
                "digest" => {
                    let digest = value.parse().map_err(|error| lines.error(format!("{error}")))?;
                    once(header.digest.replace(digest).is_none())?;
                }
                "violation" => {
                    let violation = value.parse().map_err(|error| lines.error(format!("{error}")))?;
                    once(header.violation.replace(violation).is_none())?;
                }
                "message" => {}
                "cycle" => once(header.cycle.replace(count()?).is_none())?,
                "steps" => return Ok((header, count()?)),
                _ => return Err(lines.error(format!("unknown entry '{}'", excerpt(name)))),
            }
        }
    }

    fn finish(self, spec: Spec, steps: Vec<StepKey>, lines: &Lines<'_>) -> Result<TraceFile, TraceError> {
        let model = self.digest.ok_or_else(|| lines.error("the entry 'digest' is missing".into()))?;
        if let Some(cycle) = self.cycle.filter(|&cycle| cycle >= steps.len()) {
            return Err(lines.error(format!("the cycle from step {cycle} on has no steps")));
        }
        Ok(TraceFile {
            spec,
            places: self.places,
            read: self.read,
            lessons: self.lessons,
            violation: self.violation,
            cycle: self.cycle,
            path: Path { model, steps },
        })
    }
}

/// The lines of a trace; a last line without its newline does not count.
struct Lines<'a> {
    text: &'a str,
    line: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Result<&'a str, TraceError> {
        let (line, rest) =
            self.text.split_once('\n').ok_or_else(|| TraceError::Truncated("no line is left".into()))?;
        self.text = rest;
        self.line += 1;
        // An editor or a mailer may have turned the line ends.
        Ok(line.strip_suffix('\r').unwrap_or(line))
    }

    fn error(&self, message: String) -> TraceError {
        TraceError::Line { line: self.line, message }
    }
}

fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    crate::visible(&short).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use allways_model::ViolationKind;

    fn sample() -> TraceFile {
        let mut spec = Spec::new("java");
        spec.set("model", "odd\\dir\nname/x.pml");
        spec.set("argument", "");
        spec.add_file("A.class", Sha256::of(b"a"));
        let facts = vec![("condition".to_owned(), "x == \"1\"".to_owned())];
        TraceFile {
            spec,
            places: vec![("model".into(), "a dir/x.pml".into()), ("class-path".into(), "a:b c.jar".into())],
            read: vec![("data file".into(), Sha256::of(b"d"))],
            lessons: vec!["00ab".into(), "17".into()],
            violation: Some(ViolationId {
                kind: ViolationKind::Assertion,
                rule: "assertion-failed".into(),
                facts,
            }),
            cycle: Some(2),
            path: Path { model: Digest([7; 16]), steps: vec![StepKey(0), StepKey(u64::MAX), StepKey(5)] },
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let trace = sample();
        let text = trace.to_text(Some("assertion violated:\nx == \"1\""));
        assert_eq!(TraceFile::parse(text.as_bytes()), Ok(trace.clone()));
        assert_eq!(TraceFile::parse(text.replace('\n', "\r\n").as_bytes()), Ok(trace.clone()));
        let bare = TraceFile {
            places: Vec::new(),
            read: Vec::new(),
            lessons: Vec::new(),
            cycle: None,
            violation: None,
            path: Path { steps: Vec::new(), ..trace.path.clone() },
            ..trace
        };
        assert_eq!(TraceFile::parse(bare.to_text(None).as_bytes()), Ok(bare));
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = sample().to_text(Some("m"));
        for len in 0..text.len() {
            let error = TraceFile::parse(&text.as_bytes()[..len]).expect_err("a cut file");
            assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn no_damage_panics() {
        let text = sample().to_text(Some("m")).into_bytes();
        for at in 0..text.len() {
            for byte in [0, b'\n', b' ', b'\\', b'9', b'x', 0xff] {
                let mut damaged = text.clone();
                damaged[at] = byte;
                let _ = TraceFile::parse(&damaged);
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let text = sample().to_text(None);
        let error = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            TraceFile::parse(changed.as_bytes()).expect_err("a corrupt file").to_string()
        };
        assert!(error("allways", "spin").starts_with("not a trace file"));
        assert!(
            error("trace 2\n", "trace 1\n")
                .starts_with("this is a trace of format version 1, and this program reads version 2")
        );
        assert!(error("spec 1\n", "spec 9\n").contains("the specification has version 9"));
        assert!(error("digest 0", "digest x").contains("is not a digest"));
        assert!(error("lesson ", "lessen ").ends_with("unknown entry 'lessen'"));
        let [last, five] = [text.lines().count(), 1 + text.lines().position(|line| line == "5").unwrap()];
        let at = |line: usize, says: &str| format!("corrupt trace, line {line}: {says}");
        let digest = format!("digest {}\n", Digest([7; 16]));
        assert_eq!(error(&digest, ""), at(last - 1, "the entry 'digest' is missing"));
        assert!(error(&digest, &digest.repeat(2)).ends_with("a second 'digest'"));
        assert_eq!(error("\n5\n", "\nfive\n"), at(five, "'five' is not a step key"));
        assert_eq!(error("\n5\n", "\n"), at(five, "the steps end at 2 of 3"));
        assert_eq!(error("steps 3", "steps 2"), at(five, "'end' expected after 2 steps, not '5'"));
        assert!(error("steps 3", "steps 99999999999999999999").contains("is not a count"));
        assert!(error("steps 3", "steps 4").contains("the steps end at 3 of 4"));
        assert!(error("violation assertion", "violation failure").contains("not a violation"));
        assert_eq!(TraceFile::parse(b"\xff\xfe\x00").unwrap_err(), TraceError::NotATrace);
        let binary = [text.as_bytes(), b"\xff"].concat();
        assert!(TraceFile::parse(&binary).is_err());
    }
}
