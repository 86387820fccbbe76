//! Files that describe several processes: `allways check chat.toml`.
//!
//! The language is a part of TOML: tables `[[process]]` and `[network]`, keys, strings, numbers, `true` and
//! `false`, and lists of strings. What is read becomes the values of options, as if they were on the command
//! line, so that a trace needs nothing but them. Errors name the file, the line and the column.
//!
//! Not done: what is not needed here (dotted keys, dates, floating-point numbers, tables in lines); class
//! paths, properties and hosts of single processes.

use allways_model::options::Settings;
use std::path::Path;

/// A value of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Number(u64),
    Truth(bool),
    List(Vec<String>),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Number(_) => "a number",
            Self::Truth(_) => "true or false",
            Self::List(_) => "a list of strings",
        }
    }
}

/// A line and a column, from one on.
type Place = (usize, usize);

/// A key with its value.
struct Entry {
    at: Place,
    key: String,
    value: Value,
}

/// `[[process]]` or `[network]`, or what is before both.
struct Table {
    at: Place,
    name: &'static str,
    entries: Vec<Entry>,
}

/// What is wrong, and where.
type Wrong = (Place, String);

/// Adds what a file says to the settings of a command.
///
/// # Errors
/// What is wrong with it, with its place.
pub(crate) fn read(file: &Path, settings: &mut Settings) -> Result<(), String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let directory = file.parent().unwrap_or(Path::new(""));
    let values = parse(&text)
        .and_then(|tables| values(&tables, directory))
        .map_err(|((line, column), message)| format!("{shown}:{line}:{column}: {message}"))?;
    for (name, value) in values {
        // What the command line says counts: it comes later.
        if name == "class-path" && settings.is_on(name) {
            continue;
        }
        settings.add(name, value);
    }
    Ok(())
}

/// The values of options that tables stand for.
fn values(tables: &[Table], directory: &Path) -> Result<Vec<(&'static str, String)>, Wrong> {
    let mut values = Vec::new();
    if !tables.iter().any(|table| table.name == "process") {
        return Err(((1, 1), "there is no [[process]]".into()));
    }
    for table in tables {
        match table.name {
            "process" => values.push(("process", process(table)?)),
            "network" => network(table, &mut values)?,
            _ => values.extend(class_path(table, directory)?),
        }
    }
    Ok(values)
}

fn class_path(table: &Table, directory: &Path) -> Result<Option<(&'static str, String)>, Wrong> {
    let mut path = None;
    for Entry { at, key, value } in &table.entries {
        match (key.as_str(), value) {
            ("class_path", Value::Text(one)) => path = Some(vec![one.clone()]),
            ("class_path", Value::List(list)) => path = Some(list.clone()),
            ("class_path", other) => {
                return Err((*at, format!("class_path is a list of strings, not {}", other.kind())));
            }
            (key, _) => return Err((*at, format!("there is no key {key} here; there is class_path"))),
        }
    }
    let joined = path.map(|path| {
        let entries = path.iter().map(|entry| directory.join(entry).to_string_lossy().into_owned());
        ("class-path", entries.collect::<Vec<_>>().join(":"))
    });
    Ok(joined)
}

/// A process as the value of `--process`.
fn process(table: &Table) -> Result<String, Wrong> {
    let (mut name, mut main, mut count, mut options, mut args) = (None, None, 1, String::new(), Vec::new());
    for Entry { at, key, value } in &table.entries {
        match (key.as_str(), value) {
            ("name", Value::Text(text)) => name = Some(text),
            ("main", Value::Text(text)) => main = Some(text),
            ("count", Value::Number(n)) => count = *n,
            ("args", Value::List(list)) => args.clone_from(list),
            ("after", Value::List(list)) => {
                list.iter().for_each(|one| options += &format!("-after {} ", quoted(one)))
            }
            ("service", Value::Truth(true)) => options += "-service ",
            ("service", Value::Truth(false)) => {}
            ("name" | "main" | "count" | "args" | "after" | "service", other) => {
                return Err((*at, format!("{key} cannot be {}", other.kind())));
            }
            (key, _) => {
                let message =
                    format!("there is no key {key} here; there are name, main, args, count, after, service");
                return Err((*at, message));
            }
        }
    }
    let missing = |what: &str| (table.at, format!("this process has no {what}"));
    let (name, main) = (name.ok_or_else(|| missing("name"))?, main.ok_or_else(|| missing("main"))?);
    let count = if count == 1 { String::new() } else { format!("*{count}") };
    let args: String = args.iter().map(|arg| format!(" {}", quoted(arg))).collect();
    let value = format!("{name}{count}={options}{}{args}", quoted(main));
    allways_java::processes::topology::check_process(&value).map_err(|message| (table.at, message))?;
    Ok(value)
}

fn network(table: &Table, values: &mut Vec<(&'static str, String)>) -> Result<(), Wrong> {
    for Entry { at, key, value } in &table.entries {
        let (option, texts) = match (key.as_str(), value) {
            ("failures", Value::Number(n)) => ("failures", vec![n.to_string()]),
            ("buffer", Value::Number(n)) => ("socket-buffer", vec![n.to_string()]),
            ("kinds", Value::List(list)) => ("failure-kinds", list.clone()),
            ("failures" | "buffer" | "kinds", other) => {
                return Err((*at, format!("{key} cannot be {}", other.kind())));
            }
            (key, _) => {
                return Err((*at, format!("there is no key {key} here; there are failures, kinds, buffer")));
            }
        };
        let spec = allways_java::options::OPTIONS.iter().find(|one| one.name == option);
        for text in texts {
            if let Some(spec) = spec {
                (spec.check)(&text).map_err(|message| (*at, format!("{key} = {text}: {message}")))?;
            }
            values.push((option, text));
        }
    }
    Ok(())
}

/// A word as `--process` takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/{}#$:".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Reads the tables of a file.
fn parse(text: &str) -> Result<Vec<Table>, Wrong> {
    let mut reader = Reader { chars: text.chars().peekable(), at: (1, 1) };
    let mut tables = vec![Table { at: (1, 1), name: "", entries: Vec::new() }];
    loop {
        reader.skip(true);
        let at = reader.at;
        match reader.peek() {
            None => return Ok(tables),
            Some('[') => {
                let name = reader.header()?;
                let is_again = name == "network" && tables.iter().any(|table| table.name == name);
                if is_again {
                    return Err((at, "[network] is there already".into()));
                }
                tables.push(Table { at, name, entries: Vec::new() });
            }
            Some(_) => {
                let key = reader.key()?;
                reader.skip(false);
                reader.expect('=')?;
                reader.skip(false);
                let value = reader.value()?;
                let entries = &mut tables.last_mut().expect("there is one").entries;
                if entries.iter().any(|known| known.key == key) {
                    return Err((at, format!("{key} is there already")));
                }
                entries.push(Entry { at, key, value });
            }
        }
        reader.end_of_line()?;
    }
}

struct Reader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    at: Place,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.chars.peek().copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        self.at = if c == '\n' { (self.at.0 + 1, 1) } else { (self.at.0, self.at.1 + 1) };
        Some(c)
    }

    /// Skips spaces, and comments and line ends if they may be here.
    fn skip(&mut self, lines: bool) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => {}
                '\n' | '\r' if lines => {}
                '#' if lines => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.next();
                    }
                    continue;
                }
                _ => return,
            }
            self.next();
        }
    }

    fn end_of_line(&mut self) -> Result<(), Wrong> {
        self.skip(false);
        match self.peek() {
            None | Some('\n' | '\r' | '#') => Ok(()),
            Some(c) => Err((self.at, format!("the end of the line is expected, not '{c}'"))),
        }
    }

    fn expect(&mut self, wanted: char) -> Result<(), Wrong> {
        let at = self.at;
        match self.next() {
            Some(c) if c == wanted => Ok(()),
            Some(c) => Err((at, format!("'{wanted}' is expected, not '{}'", c.escape_debug()))),
            None => Err((at, format!("'{wanted}' is expected, and the file ends"))),
        }
    }

    fn header(&mut self) -> Result<&'static str, Wrong> {
        let at = self.at;
        self.expect('[')?;
        let is_double = self.peek() == Some('[');
        if is_double {
            self.next();
        }
        let name = self.key()?;
        self.expect(']')?;
        if is_double {
            self.expect(']')?;
        }
        match (name.as_str(), is_double) {
            ("process", true) => Ok("process"),
            ("network", false) => Ok("network"),
            ("process", false) => Err((at, "processes are written [[process]]".into())),
            _ => Err((at, format!("there is no table {name}; there are [[process]] and [network]"))),
        }
    }

    fn key(&mut self) -> Result<String, Wrong> {
        let at = self.at;
        let mut key = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
            key.push(c);
            self.next();
        }
        if key.is_empty() {
            return Err((at, "a key is expected".into()));
        }
        Ok(key)
    }

    fn value(&mut self) -> Result<Value, Wrong> {
        let at = self.at;
        match self.peek() {
            Some('"' | '\'') => self.string().map(Value::Text),
            Some('[') => self.list().map(Value::List),
            Some(c) if c.is_ascii_alphanumeric() || c == '-' => {
                let word = self.key()?;
                match word.as_str() {
                    "true" => Ok(Value::Truth(true)),
                    "false" => Ok(Value::Truth(false)),
                    digits => digits.parse().map(Value::Number).map_err(|_| {
                        let why = "text is in quotes, and numbers are not negative";
                        (at, format!("{digits} is not a value: {why}"))
                    }),
                }
            }
            _ => Err((at, "a value is expected: a string, a number, true, false or a list".into())),
        }
    }

    fn string(&mut self) -> Result<String, Wrong> {
        let at = self.at;
        let quote = self.next();
        let mut text = String::new();
        loop {
            let here = self.at;
            match self.next() {
                c if c == quote => return Ok(text),
                None | Some('\n') => return Err((at, "this string is not closed".into())),
                Some('\\') if quote == Some('"') => text.push(match self.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(c @ ('"' | '\\')) => c,
                    _ => return Err((here, "there are \\\", \\\\, \\n and \\t after a backslash".into())),
                }),
                Some(c) => text.push(c),
            }
        }
    }

    fn list(&mut self) -> Result<Vec<String>, Wrong> {
        let at = self.at;
        self.expect('[')?;
        let mut list = Vec::new();
        loop {
            self.skip(true);
            match self.peek() {
                Some(']') => {
                    self.next();
                    return Ok(list);
                }
                Some('"' | '\'') => list.push(self.string()?),
                None => return Err((at, "this list is not closed".into())),
                Some(_) => return Err((self.at, "a string is expected, or the end of the list".into())),
            }
            self.skip(true);
            match self.peek() {
                Some(',') => {
                    self.next();
                }
                Some(']') => {}
                None => return Err((at, "this list is not closed".into())),
                Some(_) => return Err((self.at, "a comma is expected, or the end of the list".into())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(&'static str, String)>, String> {
        let found = parse(text).and_then(|tables| values(&tables, Path::new("dir")));
        found.map_err(|((line, column), message)| format!("{line}:{column}: {message}"))
    }

    #[test]
    fn files_become_options() {
        let text = "# a chat\nclass_path = ['classes', \"lib/x.jar\"]\n\n[[process]]\nname = 'server'\nmain = \"Chat\" # class\n\
                    args = [\"2\", \"a b\\\"\"]\nservice = true\n\n[[process]]\nname = \"client\"\ncount = 3\nmain = 'Client'\n\
                    args = [\n  '{index}', # its number\n]\nafter = ['server']\n[network]\nfailures = 1\nkinds = ['reset', 'crash']\nbuffer = 10\n";
        let expected = [
            ("class-path", "dir/classes:dir/lib/x.jar"),
            ("process", "server=-service Chat 2 \"a b\\\"\""),
            ("process", "client*3=-after server Client {index}"),
            ("failures", "1"),
            ("failure-kinds", "reset"),
            ("failure-kinds", "crash"),
            ("socket-buffer", "10"),
        ];
        assert_eq!(read(text), Ok(expected.map(|(name, value)| (name, value.to_owned())).to_vec()));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let process = "[[process]]\nname = 'a'\nmain = 'A'\n";
        for (text, message) in [
            ("", "1:1: there is no [[process]]"),
            ("[process]", "1:1: processes are written [[process]]"),
            ("[nets]", "1:1: there is no table nets"),
            ("[[process]]\nname = 'a'", "1:1: this process has no main"),
            ("\n[[process]]\nmain = 'a'", "2:1: this process has no name"),
            ("[[process]]\nname 'a'", "2:6: '=' is expected, not '\\''"),
            ("[[process]]\nname = 'a", "2:8: this string is not closed"),
            ("[[process]]\nname = 7", "2:1: name cannot be a number"),
            ("[[process]]\nname = 'a'\nname = 'b'", "3:1: name is there already"),
            ("[[process]]\nargs = ['a' 'b']", "2:13: a comma is expected"),
            ("[[process]]\nargs = ['a'", "2:8: this list is not closed"),
            ("[[process]]\nmane = 'a'", "2:1: there is no key mane here"),
            ("[[process]]\nname = \"\\x\"", "2:9: there are"),
            ("[[process]]\nname = 'a' 'b'", "2:12: the end of the line is expected"),
            ("[[process]]\nname = yes", "2:8: yes is not a value"),
            ("jdk = 'x'", "1:1: there is no key jdk here"),
            ("[[process]]\nname = 'a'\nmain = 'A'\ncount = 0", "1:1: there can be 1 to 64 processes"),
            (&format!("{process}[network]\nkinds = ['fire']"), "5:1: kinds = fire: there are reset"),
            (&format!("{process}[network]\n[network]"), "5:1: [network] is there already"),
        ] {
            let text = if text == "jdk = 'x'" { format!("{text}\n{process}") } else { text.to_owned() };
            let found = read(&text).expect_err(&text);
            assert!(found.starts_with(message), "{text}: {found}");
        }
    }
}
