//! The list of the methods that the Java machine does itself, as a page of the documentation.

use allways_java::native::several::SEVERAL;
use allways_java::native::{Effect, Natives};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const FILE: &str = "docs/java-natives.md";

const HEAD: &str = "\
# What the Java machine does itself

Written by `cargo xtask natives`; a test holds it current. The class library of the user's JDK runs as bytecode. These methods of it
are native, or replaced by something that leaves fewer states; overloads of one name are not told apart. A native method
that is not here ends the search with `unsupported` and its name. (`registerNatives` and `initIDs` of any class do nothing.) [java.md](java.md) says
what that means for programs.

What a method may do to what other threads can see is declared, and decides what of the machine it can get at:

- *pure*: it depends on its arguments and on what never changes;
- *own*: it also makes objects, or uses what is the running thread's;
- *shared*: it reads or writes what other threads can reach, and says what;
- *ranges*: it reads or writes ranges of arrays, which it names first.

An array that a *shared* method reads is copied before, element by element, where another thread can notice.
";

const AT_ONCE: &str = "
## Several things at once

These methods of effect *shared* access more than one thing in one operation. All others access one, which builds with assertions check
at every call.

| methods | why one operation is exact |
|---|---|
";

const REFUSED: &str = "
## Refused by name

Methods with code of their own that would lead into generated classes; they end the search with `unsupported`.
";

/// Writes the page.
pub(crate) fn run() -> bool {
    match std::fs::write(FILE, page()) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("cannot write {FILE}: {error}");
            false
        }
    }
}

fn page() -> String {
    let refused = Natives::refused();
    let mut page = HEAD.to_owned();
    page.push_str(&table(Natives::effects().into_iter().filter(|entry| !refused.contains(&entry.0))));
    page.push_str(AT_ONCE);
    for (methods, why) in SEVERAL {
        let _ = writeln!(page, "| `{}…` | {why} |", methods.replace('/', "."));
    }
    page.push_str(REFUSED);
    page.push_str(&refused_table(refused.iter().copied()));
    page
}

/// One row for each class and effect; overloads are not told apart.
fn table<'a>(entries: impl Iterator<Item = (&'a str, &'a Effect)>) -> String {
    let mut rows: BTreeMap<(String, &str), BTreeSet<&str>> = BTreeMap::new();
    for (name, effect) in entries {
        let end = name.find('(').unwrap_or(name.len());
        if let Some((class, method)) = name[..end].rsplit_once('.') {
            rows.entry((class.replace('/', "."), effect.name())).or_default().insert(method);
        }
    }
    let mut table = "\n| class | effect | methods |\n|---|---|---|\n".to_owned();
    for ((class, effect), methods) in rows {
        let methods: Vec<String> = methods.into_iter().map(|method| format!("`{method}`")).collect();
        let _ = writeln!(table, "| `{class}` | {effect} | {} |", methods.join(" "));
    }
    table
}

/// One row for each class; overloads are not told apart.
fn refused_table<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut classes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for name in names {
        let end = name.find('(').unwrap_or(name.len());
        if let Some((class, method)) = name[..end].rsplit_once('.') {
            classes.entry(class.replace('/', ".")).or_default().insert(method);
        }
    }
    let mut table = "\n| class | methods |\n|---|---|\n".to_owned();
    for (class, methods) in classes {
        let methods: Vec<String> = methods.into_iter().map(|method| format!("`{method}`")).collect();
        let _ = writeln!(table, "| `{class}` | {} |", methods.join(" "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_current() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE);
        let text = std::fs::read_to_string(file).unwrap_or_default();
        assert!(text == page(), "{FILE} is not current: run cargo xtask natives");
    }
}
