//! Models that are explicit graphs, and their properties computed by a reference.

use allways_model::{
    Acceptance, Batch, Cursor, Digest, Halt, Lesson, Lessons, Model, Move, Point, Process, Rule, StepKey,
    Variable, Violation, ViolationKind,
};

static WRONG: Rule = Rule::new(ViolationKind::Assertion, "wrong", "something is wrong");

/// Pseudorandom numbers.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }
}

/// A graph; the first node is the initial state.
#[derive(Clone)]
pub(crate) struct Graph {
    pub(crate) name: String,
    pub(crate) edges: Vec<Vec<u32>>,
    pub(crate) accepting: Vec<bool>,
    pub(crate) acceptance: Acceptance,
    /// Nodes with a violation.
    pub(crate) wrong: Vec<u32>,
}

impl Graph {
    /// `n_nodes`, each with up to `max_degree` edges, and one of `rarity` accepting.
    pub(crate) fn random(seed: u64, n_nodes: u64, max_degree: u64, rarity: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x1234_5678_9abc_def1));
        let edges = (0..n_nodes)
            .map(|_| (0..dice.roll(max_degree + 1)).map(|_| dice.roll(n_nodes) as u32).collect())
            .collect();
        let accepting = (0..n_nodes).map(|_| dice.roll(rarity) == 0).collect();
        let name = format!("graph {seed} {n_nodes} {max_degree} {rarity}");
        Self { name, edges, accepting, acceptance: Acceptance::Anywhere, wrong: Vec::new() }
    }

    /// As [`Graph::random`], but only one in `rarity` edges leads backward: long paths, few cycles.
    pub(crate) fn forward(seed: u64, n_nodes: u64, rarity: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x0fed_cba9_8765_4321));
        let edges = (0..n_nodes)
            .map(|node| {
                let mut to: Vec<u32> = (0..1 + dice.roll(3))
                    .filter_map(|_| Some(node + 1 + dice.roll(20)).filter(|&to| to < n_nodes))
                    .map(|to| to as u32)
                    .collect();
                if dice.roll(rarity) == 0 {
                    to.push(node.saturating_sub(dice.roll(50)) as u32);
                }
                to
            })
            .collect();
        let accepting = (0..n_nodes).map(|_| dice.roll(7) == 0).collect();
        let name = format!("forward {seed} {n_nodes} {rarity}");
        Self { name, edges, accepting, acceptance: Acceptance::Anywhere, wrong: Vec::new() }
    }

    /// The same graph with accepting states chosen so that on each cycle either all states are accepting or
    /// none is.
    pub(crate) fn weak(mut self) -> Self {
        let component = components(&self);
        self.accepting = component.iter().map(|&c| c != u32::MAX && self.accepting[c as usize]).collect();
        self.acceptance = Acceptance::Weak;
        self.name.push_str(" weak");
        self
    }

    /// The same graph without the accepting states that are on cycles.
    pub(crate) fn harmless(mut self) -> Self {
        let component = components(&self);
        let mut size = vec![0; self.edges.len()];
        component.iter().filter(|&&c| c != u32::MAX).for_each(|&c| size[c as usize] += 1);
        for node in (0..self.edges.len()).filter(|&node| component[node] != u32::MAX) {
            let cyclic = size[component[node] as usize] > 1 || self.edges[node].contains(&(node as u32));
            self.accepting[node] &= !cyclic;
        }
        self.name.push_str(" harmless");
        self
    }

    /// The same graph with a violation in one of `rarity` nodes.
    pub(crate) fn wrong(mut self, seed: u64, rarity: u64) -> Self {
        let mut dice = Dice(seed);
        self.wrong = (0..self.edges.len() as u32).filter(|_| dice.roll(rarity) == 0).collect();
        self.name.push_str(" wrong");
        self
    }
}

/// The properties of a graph, from the reference.
pub(crate) struct Truth {
    /// The numbers of reachable nodes, of reachable edges, and of reachable nodes with a violation.
    pub(crate) n_nodes: u64,
    pub(crate) n_edges: u64,
    pub(crate) n_wrong: u64,
    /// Whether a cycle through an accepting node is reachable.
    pub(crate) cycle: bool,
}

pub(crate) fn truth(graph: &Graph) -> Truth {
    let component = components(graph);
    let mut size = vec![0; graph.edges.len()];
    let reached: Vec<usize> = (0..graph.edges.len()).filter(|&node| component[node] != u32::MAX).collect();
    reached.iter().for_each(|&node| size[component[node] as usize] += 1);
    let cyclic =
        |node: usize| size[component[node] as usize] > 1 || graph.edges[node].contains(&(node as u32));
    Truth {
        n_nodes: reached.len() as u64,
        n_edges: reached.iter().map(|&node| graph.edges[node].len() as u64).sum(),
        n_wrong: reached.iter().filter(|&&node| graph.wrong.contains(&(node as u32))).count() as u64,
        cycle: reached.iter().any(|&node| graph.accepting[node] && cyclic(node)),
    }
}

/// For each reachable node, the representative of its strongly connected component (Tarjan's algorithm);
/// `u32::MAX` for the others.
fn components(graph: &Graph) -> Vec<u32> {
    let n = graph.edges.len();
    let (mut number, mut low, mut component) = (vec![0u32; n], vec![0u32; n], vec![u32::MAX; n]);
    let (mut stack, mut path, mut count) = (Vec::new(), vec![(0u32, 0usize)], 0);
    while let Some(&mut (node, ref mut next)) = path.last_mut() {
        let at = node as usize;
        if *next == 0 && number[at] == 0 {
            count += 1;
            number[at] = count;
            low[at] = count;
            stack.push(node);
        }
        if let Some(&to) = graph.edges[at].get(*next) {
            *next += 1;
            if number[to as usize] == 0 {
                path.push((to, 0));
            } else if component[to as usize] == u32::MAX {
                low[at] = low[at].min(number[to as usize]);
            }
            continue;
        }
        path.pop();
        if let Some(&(parent, _)) = path.last() {
            low[parent as usize] = low[parent as usize].min(low[at]);
        }
        if low[at] == number[at] {
            while let Some(member) = stack.pop() {
                component[member as usize] = node;
                if member == node {
                    break;
                }
            }
        }
    }
    component
}

struct GraphCursor<'m> {
    graph: &'m Graph,
    node: u32,
}

/// Some vectors are longer than others.
fn vector(node: u32) -> Vec<u8> {
    let mut vector = node.to_le_bytes().to_vec();
    vector.resize(4 + 4 * (node as usize % 3), node as u8 & 3);
    vector
}

impl Model for Graph {
    fn digest(&self) -> Digest {
        let mut digest = [0; 16];
        self.name.bytes().enumerate().for_each(|(idx, byte)| digest[idx % 16] ^= byte);
        Digest(digest)
    }

    fn cursor(&self, _lessons: &Lessons) -> Box<dyn Cursor + '_> {
        Box::new(GraphCursor { graph: self, node: 0 })
    }

    fn processes(&self, _: &[u8]) -> Vec<Process> {
        Vec::new()
    }

    fn variables(&self, _: &[u8]) -> Vec<Variable> {
        Vec::new()
    }

    fn points(&self) -> &[Point] {
        &[]
    }

    fn acceptance(&self) -> Acceptance {
        self.acceptance
    }
}

impl Cursor for GraphCursor<'_> {
    fn initial(&mut self, out: &mut Batch) -> Result<(), Halt> {
        out.push(StepKey(0), &vector(0));
        Ok(())
    }

    fn load(&mut self, state: &[u8]) {
        self.node = u32::from_le_bytes(state[..4].try_into().unwrap());
    }

    fn expand(&mut self, out: &mut Batch) -> Result<(), Halt> {
        for (key, &to) in self.graph.edges[self.node as usize].iter().enumerate() {
            out.push(StepKey(key as u64), &vector(to));
        }
        if self.graph.wrong.contains(&self.node) {
            out.report(Violation::new(&WRONG));
        }
        Ok(())
    }

    fn explain(&mut self, _: StepKey) -> Option<Vec<Move>> {
        None
    }

    fn accepting(&mut self) -> bool {
        self.graph.accepting[self.node as usize]
    }

    fn lesson(&self) -> Lesson {
        Lesson::new()
    }

    fn reached(&self) -> Vec<u64> {
        Vec::new()
    }
}
