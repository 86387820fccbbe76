//! The trace file: a counterexample on disk, readable, diffable, and enough to run it again.
//!
//! ```text
//! allways trace 1
//! model peterson.pml
//! digest 6f1c0a...          the model it belongs to
//! define N=3                one line for each -D, -U (undefine) and -I (include)
//! property claim p1         absent for safety; `fair yes` if only fair runs count
//! class-path classes        for a Java program; then also `argument`, `source` and `conflict` lines, `jdk`, `every-access yes`...
//! violation assertion       absent if the run shows no violation
//! message assertion violated: ncrit == 1
//! location peterson.pml:14:9
//! cycle 1                   absent if the run is finite: after how many steps it begins to repeat itself
//! steps 3
//! 0                         the step keys, one a line, decimal
//! 5
//! 1
//! end
//! ```
//!
//! Invariant: what [`TraceFile::to_text`] writes, [`TraceFile::parse`] reads back unchanged. Values run to the end
//! of their line; a backslash escapes newline (`\n`), return (`\r`) and itself. The number of steps and the last
//! line are there so that a file cut short is never taken for a shorter run.

use allways_model::{Digest, Location, Path, StepKey};
use std::fmt;
use std::fmt::Write as _;

const MAGIC: &str = "allways trace ";
const VERSION: &str = "1";

/// A run of a model, with what is needed to build the model again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// The model file as it was named.
    pub model: String,
    /// Preprocessor definitions, as given with `-D`.
    pub defines: Vec<String>,
    /// Preprocessor names removed, as given with `-U`.
    pub undefines: Vec<String>,
    /// Directories for included files, as given with `-I`.
    pub includes: Vec<String>,
    /// The property that the run is about; `None` for safety.
    pub property: Option<String>,
    /// Whether only weakly fair runs count.
    pub fair: bool,
    /// How a Java program was run; `None` for other models.
    pub java: Option<JavaRun>,
    /// What the run shows; `None` for a run without a violation.
    pub violation: Option<Shown>,
    /// After how many steps the run begins to repeat the rest of them for ever, if it does.
    pub cycle: Option<usize>,
    /// The run.
    pub path: Path,
}

/// How a Java program was run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JavaRun {
    /// The class path.
    pub class_path: String,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Whether threads were interleaved at every access.
    pub every_access: bool,
    /// Whether threads were interleaved at plain accesses only where conflicts are known.
    pub until_conflict: bool,
    /// The fields and classes of arrays in question.
    pub racy: Vec<String>,
    /// Whether random numbers were choices.
    pub random: bool,
    /// Whether locks ran on the checker's own class.
    pub simple_locks: bool,
    /// How many processors it was told to have, if that was said.
    pub processors: Option<u32>,
    /// Whether data races were violations.
    pub races: bool,
    /// The invariants it was looked at for.
    pub invariants: Vec<String>,
    /// The JDK, if one was named.
    pub jdk: Option<String>,
    /// Directories with source text.
    pub sources: Vec<String>,
}

/// The violation at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The kind by its name in JSON.
    pub kind: String,
    /// One line for people.
    pub message: String,
    /// Where in the source.
    pub location: Option<Location>,
}

/// Why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// It does not begin as a trace does.
    NotATrace,
    /// It is a trace of another version of the format.
    Version(String),
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
                "this is a trace of format version {found}, and this program reads version {VERSION}"
            ),
            Self::Line { line, message } => write!(f, "corrupt trace, line {line}: {message}"),
            Self::Truncated(message) => write!(f, "the trace is cut short: {message}"),
        }
    }
}

impl std::error::Error for TraceError {}

impl TraceFile {
    /// The file's content.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = format!("{MAGIC}{VERSION}\n");
        let mut field = |name: &str, value: &str| {
            out.push_str(name);
            out.push(' ');
            escape(value, &mut out);
            out.push('\n');
        };
        field("model", &self.model);
        field("digest", &self.path.model.to_string());
        self.defines.iter().for_each(|value| field("define", value));
        self.undefines.iter().for_each(|value| field("undefine", value));
        self.includes.iter().for_each(|value| field("include", value));
        if let Some(property) = &self.property {
            field("property", property);
        }
        if self.fair {
            field("fair", "yes");
        }
        if let Some(java) = &self.java {
            field("class-path", &java.class_path);
            java.args.iter().for_each(|value| field("argument", value));
            if java.every_access {
                field("every-access", "yes");
            }
            if java.until_conflict {
                field("until-conflict", "yes");
            }
            java.racy.iter().for_each(|value| field("conflict", value));
            if java.random {
                field("random", "yes");
            }
            if java.simple_locks {
                field("simple-locks", "yes");
            }
            java.processors.iter().for_each(|n| field("processors", &n.to_string()));
            if java.races {
                field("races", "yes");
            }
            java.invariants.iter().for_each(|value| field("invariant", value));
            java.jdk.iter().for_each(|value| field("jdk", value));
            java.sources.iter().for_each(|value| field("source", value));
        }
        if let Some(shown) = &self.violation {
            field("violation", &shown.kind);
            field("message", &shown.message);
            if let Some(at) = &shown.location {
                field("location", &format!("{}:{}:{}", at.file, at.line, at.column));
            }
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
        let (header, n_steps) = Header::parse(&mut lines)?;
        let mut steps = Vec::with_capacity(n_steps.min(text.len()));
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
            Ok("end") => header.finish(steps, &lines),
            Ok(line) => {
                Err(lines.error(format!("'end' expected after {n_steps} steps, not '{}'", excerpt(line))))
            }
            Err(_) => Err(TraceError::Truncated("the last line, 'end', is missing".into())),
        }
    }
}

/// The part of a trace before its steps, as far as it is read.
#[derive(Default)]
struct Header {
    model: Option<String>,
    digest: Option<Digest>,
    defines: Vec<String>,
    undefines: Vec<String>,
    includes: Vec<String>,
    property: Option<String>,
    fair: Option<String>,
    java: Option<JavaRun>,
    cycle: Option<usize>,
    kind: Option<String>,
    message: Option<String>,
    location: Option<Location>,
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
            let value = unescape(value).map_err(|message| lines.error(message))?;
            let once = |slot: &mut Option<String>, value| match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(lines.error(format!("a second '{name}'"))),
            };
            match name {
                "model" => once(&mut header.model, value)?,
                "digest" => {
                    header.digest = Some(
                        value
                            .parse()
                            .map_err(|error: allways_model::NotADigest| lines.error(error.to_string()))?,
                    )
                }
                "define" => header.defines.push(value),
                "undefine" => header.undefines.push(value),
                "include" => header.includes.push(value),
                "property" => once(&mut header.property, value)?,
                "fair" if value == "yes" => once(&mut header.fair, value)?,
                "class-path" if header.java.is_none() => {
                    header.java = Some(JavaRun { class_path: value, ..JavaRun::default() });
                }
                "argument" | "every-access" | "until-conflict" | "conflict" | "random" | "simple-locks"
                | "processors" | "races" | "jdk" | "source" | "invariant" => {
                    let java = header.java.as_mut();
                    let java = java.ok_or_else(|| lines.error(format!("'{name}' without a 'class-path'")))?;
                    match name {
                        "argument" => java.args.push(value),
                        "conflict" => java.racy.push(value),
                        "until-conflict" => java.until_conflict = value == "yes",
                        "random" => java.random = value == "yes",
                        "simple-locks" => java.simple_locks = value == "yes",
                        "processors" => {
                            let n = value.parse().ok().filter(|&n| n > 0);
                            let n = n.ok_or_else(|| lines.error(format!("'{value}' is not a count")))?;
                            java.processors = Some(n);
                        }
                        "races" => java.races = value == "yes",
                        "invariant" => java.invariants.push(value),
                        "jdk" => java.jdk = Some(value),
                        "source" => java.sources.push(value),
                        _ => java.every_access = value == "yes",
                    }
                }
                "cycle" => {
                    let n = value.parse().map_err(|_| lines.error(format!("'{value}' is not a count")))?;
                    header.cycle = Some(n);
                }
                "violation" => once(&mut header.kind, value)?,
                "message" => once(&mut header.message, value)?,
                "location" => {
                    let at = parse_location(&value);
                    header.location = Some(at.ok_or_else(|| lines.error("not FILE:LINE:COLUMN".into()))?);
                }
                "steps" => {
                    let n = value.parse().map_err(|_| lines.error(format!("'{value}' is not a count")))?;
                    return Ok((header, n));
                }
                _ => return Err(lines.error(format!("unknown entry '{}'", excerpt(name)))),
            }
        }
    }

    fn finish(self, steps: Vec<StepKey>, lines: &Lines<'_>) -> Result<TraceFile, TraceError> {
        let missing = |name: &str| lines.error(format!("the entry '{name}' is missing"));
        let Self { message, location, .. } = self;
        let violation = self.kind.map(|kind| Shown { kind, message: message.unwrap_or_default(), location });
        Ok(TraceFile {
            model: self.model.ok_or_else(|| missing("model"))?,
            defines: self.defines,
            undefines: self.undefines,
            includes: self.includes,
            property: self.property,
            fair: self.fair.is_some(),
            java: self.java,
            violation,
            cycle: match self.cycle {
                Some(cycle) if cycle >= steps.len() => {
                    return Err(lines.error(format!("the cycle from step {cycle} on has no steps")));
                }
                cycle => cycle,
            },
            path: Path { model: self.digest.ok_or_else(|| missing("digest"))?, steps },
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

fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
}

fn unescape(value: &str) -> Result<String, String> {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next() {
                Some('\\') => '\\',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => return Err("a backslash that escapes nothing".into()),
            },
            c => c,
        });
    }
    Ok(out)
}

fn parse_location(text: &str) -> Option<Location> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some(Location { file: file.into(), line: line.parse().ok()?, column: column.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> TraceFile {
        TraceFile {
            model: "odd\\dir\nname/x.pml".into(),
            defines: vec!["N=3".into(), "EMPTY".into()],
            undefines: vec!["M".into()],
            includes: vec!["include dir".into()],
            property: Some("claim p1".into()),
            fair: true,
            java: Some(JavaRun {
                class_path: "a:b c.jar".into(),
                args: vec!["two\nlines".into(), String::new()],
                every_access: true,
                until_conflict: true,
                racy: vec!["Main.x".into()],
                random: true,
                simple_locks: true,
                processors: Some(4),
                races: true,
                invariants: vec!["Main.x >= 0".into(), "!Main.done".into()],
                jdk: Some("/opt/jdk".into()),
                sources: vec!["src/main/java".into()],
            }),
            cycle: Some(2),
            violation: Some(Shown {
                kind: "assertion".into(),
                message: "assertion violated: x == 1".into(),
                location: Some(Location { file: "c:x.pml".into(), line: 3, column: 7 }),
            }),
            path: Path { model: Digest([7; 16]), steps: vec![StepKey(0), StepKey(u64::MAX), StepKey(5)] },
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let trace = sample();
        assert_eq!(TraceFile::parse(trace.to_text().as_bytes()), Ok(trace.clone()));
        let bare = TraceFile {
            property: None,
            fair: false,
            java: None,
            cycle: None,
            violation: None,
            path: Path { steps: Vec::new(), ..trace.path.clone() },
            ..trace.clone()
        };
        assert_eq!(TraceFile::parse(bare.to_text().as_bytes()), Ok(bare));
        assert_eq!(TraceFile::parse(trace.to_text().replace('\n', "\r\n").as_bytes()), Ok(trace));
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = sample().to_text();
        for len in 0..text.len() {
            let error = TraceFile::parse(&text.as_bytes()[..len]).expect_err("a cut file");
            assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn no_damage_panics() {
        let text = sample().to_text().into_bytes();
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
        let text = sample().to_text();
        let error = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            TraceFile::parse(changed.as_bytes()).expect_err("a corrupt file").to_string()
        };
        assert!(error("allways", "spin").starts_with("not a trace file"));
        assert_eq!(
            error("trace 1\n", "trace 2\n"),
            "this is a trace of format version 2, and this program reads version 1"
        );
        assert!(error("digest 0", "digest x").contains("is not a digest"));
        assert!(error("model ", "modem ").ends_with("unknown entry 'modem'"));
        let model = "model odd\\\\dir\\nname/x.pml\n";
        let [last, five] = [text.lines().count(), 1 + text.lines().position(|line| line == "5").unwrap()];
        let at = |line: usize, says: &str| format!("corrupt trace, line {line}: {says}");
        assert_eq!(error(model, ""), at(last - 1, "the entry 'model' is missing"));
        assert_eq!(error("\n5\n", "\nfive\n"), at(five, "'five' is not a step key"));
        assert_eq!(error("\n5\n", "\n"), at(five, "the steps end at 2 of 3"));
        assert_eq!(error("steps 3", "steps 2"), at(five, "'end' expected after 2 steps, not '5'"));
        assert!(error("steps 3", "steps 99999999999999999999").contains("is not a count"));
        assert!(error("steps 3", "steps 4").contains("the steps end at 3 of 4"));
        assert!(error("location c:x.pml:3:7", "location x").contains("FILE:LINE:COLUMN"));
        assert_eq!(TraceFile::parse(b"\xff\xfe\x00").unwrap_err(), TraceError::NotATrace);
        let binary = [text.as_bytes(), b"\xff"].concat();
        assert!(TraceFile::parse(&binary).is_err());
    }
}
