//! Which processes there are: `--process 'NAME*N=[-after NAME]... [-service] MAIN ARGS'`, `--after NAME`,
//! `--service NAME`.

use std::fmt;

/// A search has at most this many processes.
pub const MAX_PROCESSES: usize = 64;

/// A process to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name: that of its group, with a number if there are several.
    pub name: String,
    /// The name of its group.
    pub group: String,
    /// Its main class.
    pub main: String,
    /// The arguments of `main`.
    pub args: Vec<String>,
    /// The processes that must have listened or ended before it begins, a bit each.
    pub after: u64,
    /// Whether it may wait for requests when all others have ended.
    pub service: bool,
}

/// The processes of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// All of them, in the order of their numbers.
    pub members: Vec<Member>,
}

/// What is wrong with the description of a topology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopologyError(String);

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TopologyError {}

/// The parts of `NAME*N=MAIN ARGS`.
struct Group<'a> {
    name: &'a str,
    count: usize,
    main: String,
    args: Vec<String>,
    /// The groups that must listen before it begins.
    after: Vec<String>,
    service: bool,
}

/// Whether a value of `--process` is one.
///
/// # Errors
/// What is wrong with it.
pub fn check_process(value: &str) -> Result<(), String> {
    group(value).map(|_| ())
}

fn group(value: &str) -> Result<Group<'_>, String> {
    let (head, command) = value.split_once('=').ok_or("NAME=MAIN is needed, as in 'server=EchoServer 2'")?;
    let (name, count) = match head.split_once('*') {
        None => (head, 1),
        Some((name, count)) => {
            (name, count.parse().map_err(|_| format!("'{count}' is no number of processes"))?)
        }
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!("'{name}' is no name: letters, digits, _ and - are"));
    }
    if !(1..=MAX_PROCESSES).contains(&count) {
        return Err(format!("there can be 1 to {MAX_PROCESSES} processes, not {count}"));
    }
    let mut words = words(command)?.into_iter();
    let (mut after, mut service) = (Vec::new(), false);
    loop {
        let word = words.next().ok_or_else(|| format!("process {name} has no main class"))?;
        match word.as_str() {
            "-after" => after.push(words.next().ok_or("-after NAME needs a name")?),
            "-service" => service = true,
            other if other.starts_with('-') => {
                return Err(format!(
                    "{other} of process {name} is unsupported: there are -after NAME and -service"
                ));
            }
            _ => return Ok(Group { name, count, main: word, args: words.collect(), after, service }),
        }
    }
}

/// The words of a command, as a shell splits them: quotes and backslashes keep spaces.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let escaped = chars.next().ok_or("a backslash at the end")?;
                word.get_or_insert_default().push(escaped);
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote that is not closed".into());
    }
    words.extend(word);
    Ok(words)
}

impl Topology {
    /// Reads the values of the options; an argument's `{index}` is the number of the process within its
    /// group, from zero on.
    ///
    /// # Errors
    /// If they name a process twice, or one that is not there; if there are too many.
    pub fn parse<'a>(
        processes: impl Iterator<Item = &'a str>,
        after: impl Iterator<Item = &'a str>,
        services: impl Iterator<Item = &'a str>,
    ) -> Result<Self, TopologyError> {
        let error = |message: String| TopologyError(message);
        let mut members: Vec<Member> = Vec::new();
        let mut waits: Vec<(String, String)> = Vec::new();
        for value in processes {
            let Group { name, count, main, args, after, service } =
                group(value).map_err(|what| error(format!("--process {value}: {what}")))?;
            if members.iter().any(|known| known.group == name) {
                return Err(error(format!("--process {value}: there is a process {name} already")));
            }
            waits.extend(after.into_iter().map(|other| (name.to_owned(), other)));
            for index in 0..count {
                members.push(Member {
                    name: if count == 1 { name.to_owned() } else { format!("{name} {}", index + 1) },
                    group: name.to_owned(),
                    main: main.clone(),
                    args: args.iter().map(|arg| arg.replace("{index}", &index.to_string())).collect(),
                    after: 0,
                    service,
                });
            }
        }
        if members.len() > MAX_PROCESSES {
            return Err(error(format!("{} processes are more than {MAX_PROCESSES}", members.len())));
        }
        let known = |option: &str, name: &str, members: &[Member]| {
            let is_known = members.iter().any(|member| member.group == name);
            if is_known {
                Ok(())
            } else {
                Err(error(format!("--{option} {name}: there is no process {name}")))
            }
        };
        let mut first = 0_u64;
        for name in after {
            known("after", name, &members)?;
            let bits = members.iter().enumerate().filter(|(_, member)| member.group == name);
            first |= bits.fold(0, |all, (number, _)| all | 1 << number);
        }
        for (number, member) in members.iter_mut().enumerate() {
            if first >> number & 1 == 0 {
                member.after = first;
            }
        }
        for (name, other) in &waits {
            known("process", other, &members).map_err(|_| {
                error(format!("process {name} begins after {other}: there is no process {other}"))
            })?;
            if waits_for(&waits, other, name) {
                return Err(error(format!("process {name} begins after {other}, which begins after {name}")));
            }
            let bits = members.iter().enumerate().filter(|(_, member)| member.group == *other);
            let bits = bits.fold(0_u64, |all, (number, _)| all | 1 << number);
            members.iter_mut().filter(|member| member.group == *name).for_each(|member| member.after |= bits);
        }
        if let Some(stuck) = members
            .iter()
            .enumerate()
            .find(|&(number, member)| first >> number & 1 == 1 && member.after & !first != 0)
        {
            let name = &stuck.1.group;
            return Err(error(format!(
                "process {name} begins after another one, and all others after {name}"
            )));
        }
        for name in services {
            known("service", name, &members)?;
            let of_group = members.iter_mut().filter(|member| member.group == name);
            of_group.for_each(|member| member.service = true);
        }
        Ok(Self { members })
    }

    /// The processes that others wait for, a bit each.
    #[must_use]
    pub fn awaited(&self) -> u64 {
        self.members.iter().fold(0, |all, member| all | member.after)
    }
}

/// Whether a group begins after another one, or is that.
fn waits_for(waits: &[(String, String)], name: &str, other: &str) -> bool {
    let mut seen = vec![name];
    let mut at = 0;
    while let Some(&one) = seen.get(at) {
        let next = waits.iter().filter(|(who, _)| who == one).map(|(_, after)| after.as_str());
        let new: Vec<&str> = next.filter(|after| !seen.contains(after)).collect();
        seen.extend(new);
        at += 1;
    }
    seen.contains(&other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(processes: &[&str], after: &[&str]) -> Result<Topology, String> {
        let services = std::iter::empty();
        Topology::parse(processes.iter().copied(), after.iter().copied(), services)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn processes_have_names_numbers_and_arguments() {
        let topology =
            parse(&["server=EchoServer 2", r#"client*2=EchoClient {index} "a b""#], &["server"]).unwrap();
        let [server, one, two] = &topology.members[..] else { panic!("three processes") };
        assert_eq!(
            (&*server.name, &*server.main, &server.args[..]),
            ("server", "EchoServer", &["2".to_owned()][..])
        );
        assert_eq!((&*one.name, one.after, &*one.args[1]), ("client 1", 1, "a b"));
        assert_eq!((&*two.name, two.after, &*two.args[0]), ("client 2", 1, "1"));
        assert_eq!((server.after, topology.awaited()), (0, 1));
        let topology = parse(&["a=-service M", "b=-after a M", "c=M"], &[]).unwrap();
        let of = |member: &Member| (member.after, member.service);
        assert_eq!(topology.members.iter().map(of).collect::<Vec<_>>(), [(0, true), (1, false), (0, false)]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (processes, after, part) in [
            (&["server"][..], &[][..], "NAME=MAIN"),
            (&["a=M", "a=N"], &[], "there is a process a already"),
            (&["a*0=M"], &[], "not 0"),
            (&["a*65=M"], &[], "not 65"),
            (&["a*x=M"], &[], "'x' is no number"),
            (&["a*40=M", "b*40=M"], &[], "80 processes are more than 64"),
            (&["=M"], &[], "'' is no name"),
            (&["a="], &[], "no main class"),
            (&["a=M 'x"], &[], "not closed"),
            (&["a=M"], &["b"], "--after b: there is no process b"),
            (&["a=-Dx=y M"], &[], "unsupported"),
            (&["a=-after b M"], &[], "there is no process b"),
            (&["a=-after a M"], &[], "process a begins after a"),
            (
                &["a=-after b M", "b=-after c M", "c=-after a M"],
                &[],
                "process a begins after b, which begins after a",
            ),
            (&["a=-after b M", "b=M"], &["a"], "all others after a"),
        ] {
            let message = parse(processes, after).expect_err("it is wrong");
            assert!(message.contains(part), "{message}");
        }
    }
}
