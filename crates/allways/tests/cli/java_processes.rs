//! `--process`: several Java programs in one search, from the page `docs/java-processes.md` to every command
//! that takes them, and all that is refused.

use crate::java::{EXAMPLES, assert_has};
use crate::{Run, Sandbox};
use serde_json::Value;
use std::process::Command;
use std::sync::OnceLock;

const PAGE: &str = include_str!("../../../../docs/java-processes.md");

/// The directory with the classes of the page.
fn classes() -> &'static str {
    static ONCE: OnceLock<Sandbox> = OnceLock::new();
    let sandbox = ONCE.get_or_init(|| {
        let sandbox = Sandbox::new();
        let mut files = Vec::new();
        for (name, text) in ["Server", "Client"].into_iter().zip(PAGE.split("```java\n").skip(1)) {
            let file = format!("{name}.java");
            sandbox.write(&file, text.split("```").next().unwrap());
            files.push(file);
        }
        let done = Command::new("javac").args(files).current_dir(&sandbox.0).status();
        assert!(done.expect("a JDK with javac is needed").success());
        sandbox
    });
    sandbox.0.to_str().unwrap()
}

const SERVER: &str = "server=Server";
const CLIENTS: &str = "client*2=Client {index}";

/// Runs a command on the programs of the page.
fn run(sandbox: &Sandbox, command: &str, more: &[&str]) -> Run {
    let fixed = [command, "-cp", classes(), "--process", SERVER, "--process", CLIENTS];
    sandbox.run(&[&fixed[..], more].concat())
}

#[test]
fn the_page_from_two_programs_to_a_run_that_goes_wrong() {
    // The commands are those of the page.
    let command = format!("--process '{SERVER}' --process '{CLIENTS}' --after server");
    assert_has(PAGE, &[&command]);
    let sandbox = Sandbox::new();
    let found = run(&sandbox, "check", &["--after", "server", "--search", "bfs", "--color", "never"]);
    assert_eq!(found.code, 1, "{found:?}");
    assert_has(
        &found.out,
        &[
            "uncaught in thread client",
            "not mine",
            "server Thread-0",
            "client 2 main",
            "accepts client 1, connection 1",
            "sends 1 byte",
            "violated",
        ],
    );
    let replayed = sandbox.run(&["replay", "Server.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    let alone = run(&sandbox, "check", &["--color", "never"]);
    assert_eq!(alone.code, 1, "{alone:?}");
    assert_has(&alone.out, &["ConnectException: Connection refused"]);
}

#[test]
fn failures_are_named_and_as_few_as_it_takes() {
    let sandbox = Sandbox::new();
    let more =
        ["--after", "server", "--failures", "2", "--failure-kinds", "refuse,timeout", "--search", "bfs"];
    let found = run(&sandbox, "check", &more);
    assert_eq!(found.code, 1, "{found:?}");
    // Without a failure there is a violation already.
    assert!(!found.out.contains("failure 1 of 2"), "{found:?}");
    assert_has(&found.out, &["up to 2 failures: refuse, timeout"]);
    let one = ["check", "-cp", classes(), "--process", "server=Server", "--process", "client*2=Client 5"];
    let refused = sandbox.run(&[&one[..], &more].concat());
    assert_eq!(refused.code, 1, "{refused:?}");
    assert_has(&refused.out, &["failure 1 of 2"]);
    assert!(!refused.out.contains("failure 2 of 2"), "{refused:?}");
    let killed = sandbox
        .run(&[&one[..], &["--after", "server", "--failures", "1", "--failure-kinds", "crash"]].concat());
    assert_eq!(killed.code, 1, "{killed:?}");
    assert_has(&killed.out, &["server is killed, failure 1 of 1"]);
    let replayed = sandbox.run(&["replay", "Server.trace"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert_has(&replayed.out, &["server is killed, failure 1 of 1"]);
}

/// The examples, the arguments of their processes, and what is found with and without failures.
#[test]
fn examples_go_wrong_by_failures_alone() {
    let sandbox = Sandbox::new();
    let sources = ["TwoPhaseCommit", "Election"].map(|name| format!("{EXAMPLES}/{name}.java"));
    let done = Command::new("javac").arg("-d").arg(&sandbox.0).args(sources).status();
    assert!(done.expect("a JDK with javac is needed").success());
    let check = |processes: &[&str], how: &str, more: &[&str]| {
        let mut args = vec!["check".to_owned(), "-cp".into(), ".".into()];
        for process in processes {
            args.extend(["--process".into(), process.replace("HOW", how)]);
        }
        args.extend(more.iter().map(|&arg| arg.to_owned()));
        sandbox.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let commit = ["coordinator=TwoPhaseCommit coordinator 2", "participant*2=TwoPhaseCommit {index} HOW"];
    let elect = ["registry=Election registry", "top=Election 2 HOW", "node*2=Election {index} HOW"];
    let (after_one, after_two) = (
        ["--after", "coordinator"],
        ["--after", "registry", "--after", "top", "--service", "registry", "--service", "top"],
    );
    for (processes, options, message) in [
        (&commit[..], &after_one[..], "decided c, but participant"),
        (&elect[..], &after_two[..], "lead at Election.java"),
    ] {
        for (how, failures, code) in [("ok", "0", 0), ("broken", "0", 0), ("ok", "1", 0), ("broken", "1", 1)]
        {
            let found =
                check(processes, how, &[options, &["--failures", failures, "--search", "bfs"]].concat());
            assert_eq!(found.code, code, "{how} {failures}: {found:?}");
            if code == 1 {
                assert_has(&found.out, &[message, "the network resets connection", "failure 1 of 1"]);
            }
        }
    }
}

#[test]
fn outcomes_say_how_each_process_ended() {
    let sandbox = Sandbox::new();
    let run = run(&sandbox, "outcomes", &["--after", "server", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let object: Value = serde_json::from_str(&run.out).unwrap();
    let mut kinds = Vec::new();
    for outcome in object["outcomes"].as_array().unwrap() {
        let processes = outcome["processes"].as_array().unwrap();
        let names: Vec<&str> = processes.iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["server", "client 1", "client 2"]);
        kinds.push(outcome["kind"].as_str().unwrap());
        assert_eq!(processes[0]["kind"], "exit");
        assert_eq!(processes[0]["status"], 0);
    }
    kinds.dedup();
    assert_eq!(kinds, ["exception", "exit"]);
}

#[test]
fn other_commands_take_processes() {
    let sandbox = Sandbox::new();
    let walked = run(&sandbox, "simulate", &["--after", "server", "--seed", "1"]);
    assert!([0, 1].contains(&walked.code), "{walked:?}");
    assert_has(&walked.out, &["server main", "client 1 main"]);
    let drawn = run(&sandbox, "graph", &["--after", "server"]);
    assert_eq!(drawn.code, 0, "{drawn:?}");
    assert_has(&drawn.out, &["digraph", "client 1 main"]);
    for command in ["check", "outcomes", "simulate", "graph"] {
        let nothing = sandbox.run(&[command]);
        assert_eq!(nothing.code, 2, "{command}: {nothing:?}");
    }
}

#[test]
fn conditions_are_those_of_a_process() {
    let sandbox = Sandbox::new();
    let with = |condition: &str| {
        run(&sandbox, "check", &["--after", "server", "--all-errors", "--invariant", condition])
    };
    let holds = with("server:Server.last <= 1");
    assert!(!holds.out.contains("invariant"), "{holds:?}");
    let fails = with("server:Server.last <= 0");
    assert_eq!(fails.code, 1, "{fails:?}");
    assert_has(&fails.out, &["the invariant server:Server.last <= 0 does not hold: Server.last is 1"]);
    // No process but the server has that class.
    let elsewhere = with("client:Server.last <= 0");
    assert!(!elsewhere.out.contains("does not hold"), "{elsewhere:?}");
    for wrong in ["Server.last <= 1", "nobody:Server.last <= 1"] {
        let refused = with(wrong);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert_has(
            &refused.err,
            &["with several processes a condition is one of a process", "there are server, client 1"],
        );
    }
}

#[test]
fn a_chart_has_arrows_for_bytes() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, "check", &["--after", "server", "--search", "bfs"]).code, 1);
    let chart = sandbox.run(&["replay", "Server.trace", "--msc"]);
    assert_eq!(chart.code, 0, "{chart:?}");
    assert_has(&chart.out, &["server main", "client 1 main", "receives 1 byte \"\\x01\" on connection"]);
    let json = sandbox.run(&["replay", "Server.trace", "--json"]);
    let object: Value = serde_json::from_str(&json.out).unwrap();
    let moves = object["steps"].as_array().unwrap().iter().flat_map(|step| step["moves"].as_array().unwrap());
    let n_bytes = |direction: &str| -> u64 {
        let messages = moves.clone().map(|one| &one["message"]).filter(|one| one["direction"] == direction);
        messages.map(|one| one["n_bytes"].as_u64().unwrap()).sum()
    };
    assert!(n_bytes("send") >= n_bytes("receive") && n_bytes("receive") > 0, "{json:?}");
}

#[test]
fn a_file_describes_the_processes() {
    let sandbox = Sandbox::new();
    let file = |more: &str| {
        format!(
            "class_path = ['{}']\n[[process]]\nname = 'server'\nmain = 'Server'\n\
             [[process]]\nname = 'client'\ncount = 2\nmain = 'Client'\nargs = ['5']\nafter = ['server']\n{more}",
            classes()
        )
    };
    sandbox.write("chat.toml", file(""));
    let right = sandbox.run(&["check", "chat.toml"]);
    assert_eq!(right.code, 0, "{right:?}");
    sandbox.write("chat.toml", file("[network]\nfailures = 1\nkinds = ['refuse']\n"));
    let wrong = sandbox.run(&["check", "chat.toml"]);
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert_has(&wrong.out, &["failure 1 of 1"]);
    assert_eq!(sandbox.run(&["replay", "Server.trace"]).code, 0);
    for (text, part) in [
        (file("[network]\nkinds = ['fire']\n"), "chat.toml:12:1: kinds = fire: there are reset"),
        (file("name = 'x"), "chat.toml:11:8: this string is not closed"),
        (file("[[process]]\nname = 'x'"), "chat.toml:11:1: this process has no main"),
        (file("").replace("['server']", "['nobody']"), "process client begins after nobody"),
        (file("").replace("'Server'", "'Nowhere'"), "process server"),
    ] {
        sandbox.write("chat.toml", &text);
        let refused = sandbox.run(&["check", "chat.toml"]);
        assert_eq!(refused.code, 2, "{text}: {refused:?}");
        assert_has(&refused.err, &[part]);
    }
    let missing = sandbox.run(&["check", "nowhere.toml"]);
    assert_eq!(missing.code, 2, "{missing:?}");
    assert_has(&missing.err, &["cannot read nowhere.toml"]);
}

#[test]
fn what_is_wrong_is_said() {
    let sandbox = Sandbox::new();
    let both = |options: &[&str]| run(&sandbox, "check", options);
    for (run, part) in [
        (both(&["--process", "server"]), "NAME=MAIN"),
        (both(&["--process", "server=Server"]), "there is a process server already"),
        (both(&["--process", "x*0=Server"]), "not 0"),
        (both(&["--process", "x=Nowhere"]), "process x"),
        (both(&["--after", "nobody"]), "there is no process nobody"),
        (both(&["--service", "nobody"]), "there is no process nobody"),
        (both(&["Server"]), "a model is checked, or processes are"),
        (both(&["--", "argument"]), "write those of several into --process"),
        (both(&["--failures", "many"]), "a number from 0 to 100"),
        (both(&["--failures", "1", "--failure-kinds", "fire"]), "there are reset, refuse"),
        (both(&["--failure-kinds", "crash"]), "needs --failures N"),
        (both(&["--failures", "1", "--failure-kinds", "delay"]), "names no failure"),
        (
            sandbox.run(&[
                "check",
                "-cp",
                classes(),
                "Server",
                "--failures",
                "1",
                "--failure-kinds",
                "crash",
            ]),
            "needs --process",
        ),
    ] {
        assert_eq!(run.code, 2, "{part}: {run:?}");
        assert_has(&run.err, &[part]);
    }
}
