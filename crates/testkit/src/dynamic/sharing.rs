//! Small random models whose processes share objects: through globals, messages, `run` arguments, fields of
//! shared objects, parameters by reference and function pointers.
//!
//! [`generate`](super::generate) draws models that references can run; these are only for comparing one
//! way of searching with another, so they are drawn as text. Processes go wrong now and then: they follow
//! null and dangling pointers, delete what others use, wait for each other in vain, and their assertions
//! may fail. What counts is that each of this is found or not found in the same models.

use crate::random_promela::Rng;
use std::fmt::Write;

/// The functions of every model.
const FUNCTIONS: &str = "
function set(Node &n; byte k) { n.v = k }
function get(Node &n) : byte { return n.v }
function make(byte k) : Node & { Node &n; n = new Node; n.v = k; return n }
function link(Node &a; Node &b) : Node & { a.next = b; return a.next }
function bump(byte &b) { b = b + 1 }
function late(Node &n; byte k) { x > 0; n.v = k }
function twice(byte &b) { bump(b); bump(b) }
function last(Node &n) : Node & { if :: n.next == null -> return n :: else -> return last(n.next) fi }
";

/// Functions with labels and jumps.
const JUMPS: &str = "
function find(Node &n) : byte { byte k;
    again: if :: n == null -> return 0 :: n != null && (n.v > 0 || k > 1) -> goto found
    :: else -> k = k + 1; n = n.next; goto again fi;
    found: { byte z = 1; z = 1; accept_f: if :: z == 1 -> z = n.v :: x > 2 -> goto out fi; return z };
    out: return 3 }
function count(Node &n) { start: { byte z; z = n.v; if :: z < 2 -> n.v = z + 1; goto start :: else -> goto done fi };
    progress_f: x = 0; done: skip }
";

/// Functions that are left by an escape of their own.
const ESCAPES: &str = "
function careful(Node &n) { { x > 1; n.v = 1; twice(&x) } unless { g == null -> { byte z = 2; n.v = z } } }
function patient(Node &n) : byte { byte k; { late(n, 1); k = 1 } unless { x > 0 || h == n -> return k }; return 2 }
";

/// What a model is made with.
struct Draw {
    rng: Rng,
    /// Whether nodes have channels.
    locks: bool,
    /// Whether there is a process to be started.
    child: bool,
    /// Whether there are labels and jumps.
    jumps: bool,
    /// Whether there is `unless`.
    escapes: bool,
    /// The labels of the body so far, and how many come at its end.
    labels: Vec<String>,
    n_ahead: u32,
    text: String,
}

/// The text of a model.
#[must_use]
pub fn generate(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let (locks, child) = (rng.chance(40), rng.chance(40));
    let (jumps, escapes) = (rng.chance(40), rng.chance(25));
    let mut draw =
        Draw { rng, locks, child, jumps, escapes, labels: Vec::new(), n_ahead: 0, text: String::new() };
    draw.model();
    draw.text
}

/// The text of a model with a formula that follows pointers.
#[must_use]
pub fn generate_with_formula(seed: u64) -> String {
    let mut rng = Rng::new(seed.wrapping_add(1 << 32));
    let atoms = [
        "(g != null && g.v > 0)",
        "(g != null && g.v == 0)",
        "(g == null || g.v < 2)",
        "(g == h)",
        "(g != null && g.a[0] == 1)",
        "(h != null && h.v == 2)",
        "(x == 0)",
        "(x > 1)",
        "(y[1] == 2)",
        "(shared == null)",
        "(len(c) == 0)",
        "(nempty(d))",
        "(g != null && h != null && g.a[1] == h.v)",
    ];
    let (a, b) = (*rng.pick(&atoms), *rng.pick(&atoms));
    let formula = match rng.below(6) {
        0 => format!("[] {a}"),
        1 => format!("[] (!{a} || !{b})"),
        2 => format!("<> {a}"),
        3 => format!("{a} U {b}"),
        4 => format!("[] ({a} -> <> {b})"),
        _ => format!("[] ({a} -> ({a} U {b}))"),
    };
    format!("{}ltl f {{ {formula} }}\n", generate(seed))
}

impl Draw {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        self.rng.pick::<&str>(list)
    }

    fn model(&mut self) {
        let lock = if self.locks { "; chan lock = [1] of { byte }" } else { "" };
        self.line(&format!("typedef Node {{ byte v; Node &next; byte a[2]{lock} }};"));
        self.line("Node &g; Node &h; byte x; byte y[2]; byte &shared; ftype op;");
        let capacity = self.rng.below(3);
        self.line(&format!("chan c = [{capacity}] of {{ Node & }}; chan d = [1] of {{ byte & }};"));
        self.line(FUNCTIONS);
        if self.jumps {
            self.line(JUMPS);
        }
        if self.escapes {
            self.line(ESCAPES);
        }
        if self.child {
            self.line("proctype child(Node &p; byte &r) { byte i; Node &q;");
            let n = 1 + self.rng.below(3);
            self.body(n, 0);
            self.end_of_body();
        }
        let n = 2 + self.rng.below(2);
        for process in 0..n {
            let copies = if process == 0 && self.rng.chance(20) { " [2]" } else { "" };
            self.line(&format!("active{copies} proctype p{process}() {{ Node &p; Node &q; byte &r; byte i;"));
            let n = 2 + self.rng.below(4);
            self.body(n, 0);
            self.end_of_body();
        }
    }

    fn body(&mut self, n: u32, depth: u32) {
        for idx in 0..n {
            if idx > 0 {
                self.text.push_str("; ");
            }
            self.statement(depth);
        }
        self.text.push('\n');
    }

    /// Ends a body, with the labels that jumps lead to ahead.
    fn end_of_body(&mut self) {
        for idx in 1..=self.n_ahead {
            let _ = write!(self.text, "; out{idx}: skip");
        }
        self.text.push_str("\n}\n");
        self.labels.clear();
        self.n_ahead = 0;
    }

    /// Perhaps a label, or a jump: back at most twice, or to the end.
    fn jump(&mut self) -> bool {
        // No label stands before the first statement of a block.
        if self.rng.chance(14) && !self.text.ends_with("{ ") {
            let label =
                format!("{}{}", self.pick(&["again", "accept", "progress", "end"]), self.labels.len());
            let _ = write!(self.text, "{label}: ");
            self.labels.push(label);
        }
        if !self.rng.chance(10) {
            return false;
        }
        let back = self.labels.get(self.rng.below(4) as usize).cloned();
        if let Some(label) = back.filter(|_| self.rng.chance(60)) {
            let _ = write!(self.text, "if :: i < 2 -> i++; goto {label} :: else fi");
        } else {
            self.n_ahead += 1;
            let when = self.pick(&["x > 1", "p == null", "g == h", "i == 1", "skip"]);
            let _ = write!(self.text, "if :: {when} -> goto out{} :: else fi", self.n_ahead);
        }
        true
    }

    fn statement(&mut self, depth: u32) {
        if self.jumps && self.jump() {
            return;
        }
        if self.escapes && depth < 2 && self.rng.chance(12) {
            self.text.push_str("{ ");
            self.body(2, depth + 1);
            let when = self.pick(&["x > 1", "g == null", "h != null", "y[1] == 2", "p != null && p == h"]);
            let _ = write!(self.text, " }} unless {{ {when}; ");
            self.body(1, depth + 1);
            self.text.push_str(" }");
            return;
        }
        match self.rng.below(if depth < 2 { 26 } else { 20 }) {
            20 => {
                self.text.push_str("atomic { ");
                self.body(2, depth + 1);
                self.text.push_str(" }");
            }
            21 => {
                self.text.push_str("if :: ");
                self.body(1, depth + 1);
                self.text.push_str(":: ");
                self.body(1, depth + 1);
                self.text.push_str(" fi");
            }
            22 => {
                self.text.push_str("do :: i < 2 -> i++; ");
                self.body(1, depth + 2);
                self.text.push_str(":: else -> i = 0; break od");
            }
            23 => {
                let init = self.pick(&["x", "i", "0", "y[0]"]);
                let use_it = self.pick(&["r = &z", "bump(&z)", "d!&z", "z = z + x", "shared = &z"]);
                let _ = write!(self.text, "{{ byte z = {init}; {use_it}; ");
                self.body(1, depth + 1);
                self.text.push_str("; assert(z < 3) }");
            }
            24 => {
                let step = self.pick(&["p = new Node; p.v = 1; g = p", "x = x + 1; i = x", "q = p; p = g"]);
                let _ = write!(self.text, "d_step {{ {step} }}");
            }
            25 if self.child => {
                let what = self.pick(&["p, &x", "g, &y[1]", "p, null", "q, shared"]);
                let _ = write!(self.text, "run child({what})");
            }
            _ => {
                let simple = self.simple();
                self.text.push_str(simple);
            }
        }
    }

    fn simple(&mut self) -> &'static str {
        if self.jumps && self.rng.chance(12) {
            return self.pick(&[
                "if :: p != null -> i = find(p) :: else fi",
                "if :: g != null -> x = find(g) :: else fi",
                "if :: p != null -> count(p) :: else fi",
                "if :: g != null -> count(g) :: else fi",
            ]);
        }
        if self.escapes && self.rng.chance(12) {
            return self.pick(&[
                "if :: p != null -> careful(p) :: else fi",
                "if :: p != null -> i = patient(p) :: else fi",
                "if :: g != null -> x = patient(g) :: else fi",
            ]);
        }
        if self.locks && self.rng.chance(15) {
            return self.pick(&[
                "if :: p != null -> p.lock!1; p.v = p.v + 1; p.lock?_ :: else fi",
                "if :: p != null && nfull(p.lock) -> p.lock!2 :: else fi",
                "if :: g != null -> g.lock!1 :: else fi",
                "if :: p != null -> if :: p.lock?_ :: p.v > 0 fi :: else fi",
                "if :: p != null -> assert(len(p.lock) < 2) :: else fi",
            ]);
        }
        self.pick(&[
            "p = new Node",
            "p = new Node; p.v = 1",
            "p = make(1)",
            "if :: p != null -> p.v = 2 :: else fi",
            "if :: p != null -> p.v = p.v + 1 :: else fi",
            "if :: p != null -> p.a[i & 1] = x + 1 :: else fi",
            "if :: p != null -> p.next = q :: else fi",
            "if :: p != null -> q = p.next :: else fi",
            "q = p",
            "p = q",
            "g = p",
            "h = p",
            "p = g",
            "q = h",
            "g = null",
            "p.v = 1",
            "i = p.v",
            "if :: p != null -> delete(p) :: else fi",
            "if :: p != null && p == g -> g = null; delete(p); p = null :: else fi",
            "c!p",
            "c?q",
            "if :: c?p :: x > 0 fi",
            "c!g",
            "r = &x",
            "r = &y[1]",
            "r = &y[i & 1]",
            "if :: p != null -> r = &p.v :: else fi",
            "if :: p != null -> r = &p.a[1] :: else fi",
            "r = shared",
            "shared = r",
            "d!r",
            "d?r",
            "if :: d?r :: else fi",
            "if :: r != null -> r = r + 1 :: else fi",
            "if :: r != null -> i = r :: else fi",
            "if :: r != null -> bump(r) :: else fi",
            "if :: r != null -> assert(r < 2) :: else fi",
            "x = x + 1",
            "i = x",
            "i = i + 1",
            "y[i & 1] = 2",
            "y[1] = y[1] + 1",
            "assert(x < 2)",
            "assert(y[1] < 2)",
            "assert(i < 3)",
            "assert(p == null || p.v != 2)",
            "assert(g == null || g.v < 2)",
            "assert(p == null || g == null || p != g || h == null)",
            "if :: p != null -> set(p, 2) :: else fi",
            "if :: p != null -> i = get(p) :: else fi",
            "if :: p != null -> x = get(p) :: else fi",
            "if :: g != null -> g.v = get(g) :: else fi",
            "if :: p != null -> p = last(p) :: else fi",
            "if :: p != null && q != p -> q = link(p, q) :: else fi",
            "if :: p != null -> late(p, 2) :: else fi",
            "bump(&x)",
            "bump(&y[1])",
            "twice(&x)",
            "op = set",
            "op = late",
            "op = null",
            "if :: op != null && p != null -> op(p, 1) :: else fi",
            "if :: op != null && g != null -> op(g, 3) :: else fi",
            "x > 0",
            "g != null",
            "if :: g != null && g.v > 0 -> x = 1 :: x > 0 fi",
        ])
    }
}
