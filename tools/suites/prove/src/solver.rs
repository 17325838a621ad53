//! Questions to a SAT solver: can these bits all be set at once? Nodes of the graph become clauses when they are first needed,
//! and stay for the next question. Work is counted in conflicts and propagations, so that two machines give up at the same place.

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};

use crate::graph::{Bit, Graph, Node};

/// The solver's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// They can; [`Solver::value`] has an assignment.
    Yes,
    /// They cannot.
    No,
    /// The conflicts are used up.
    Unknown,
}

/// Propagations that count like a conflict; most conflicts need fewer.
const PROPAGATIONS: u64 = 500;

/// A solver with the clauses of a graph.
pub struct Solver {
    sat: batsat::Solver<Counter>,
    /// The variable of each node.
    known: Vec<Option<Var>>,
    clauses: u64,
}

/// Counts conflicts and ends the search when there are too many.
#[derive(Default)]
struct Counter {
    learnt: u64,
    limit: u64,
}

impl Callbacks for Counter {
    fn on_new_clause(&mut self, _clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.learnt += 1;
        }
    }

    fn stop(&self) -> bool {
        self.learnt >= self.limit
    }
}

impl Solver {
    /// With a budget of conflicts for all questions together.
    pub fn new(conflicts: u64) -> Solver {
        let counter = Counter { learnt: 0, limit: conflicts.max(1) };
        Solver { sat: batsat::Solver::new(SolverOpts::default(), counter), known: Vec::new(), clauses: 0 }
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.sat.cb().learnt
    }

    /// Variables and clauses so far.
    pub fn size(&self) -> (u64, u64) {
        (u64::from(self.sat.num_vars()), self.clauses)
    }

    /// Asks whether the bits can all be set at once.
    pub fn ask(&mut self, graph: &Graph, bits: &[Bit]) -> Answer {
        let mut assumptions = Vec::with_capacity(bits.len());
        for &bit in bits {
            match bit.constant() {
                Some(true) => {}
                Some(false) => return Answer::No,
                None => assumptions.push(self.literal(graph, bit)),
            }
        }
        // Questions without a conflict are work, too.
        let most = self.sat.cb().limit.saturating_mul(PROPAGATIONS);
        if self.sat.cb().stop() || self.sat.num_propagations() >= most {
            return Answer::Unknown;
        }
        let answer = self.sat.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Answer::Yes
        } else if answer == lbool::FALSE {
            Answer::No
        } else {
            Answer::Unknown
        }
    }

    /// Makes bits known, so that the next answers have values for them.
    pub fn know(&mut self, graph: &Graph, bits: &[Bit]) {
        for &bit in bits.iter().filter(|bit| bit.constant().is_none()) {
            self.literal(graph, bit);
        }
    }

    /// The value of a bit after [`Answer::Yes`]; a bit that was in no question may be anything, and is clear.
    pub fn value(&self, bit: Bit) -> bool {
        let value = match self.known.get(bit.node()) {
            Some(&Some(var)) => self.sat.value_var(var) == lbool::TRUE,
            _ => false,
        };
        value ^ bit.is_negated()
    }

    fn literal(&mut self, graph: &Graph, bit: Bit) -> Lit {
        if self.known.len() < graph.len() {
            self.known.resize(graph.len(), None);
        }
        if self.known[bit.node()].is_none() {
            self.encode(graph, bit.node());
        }
        Lit::new(self.known[bit.node()].expect("it was encoded"), !bit.is_negated())
    }

    fn encode(&mut self, graph: &Graph, root: usize) {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.known[node].is_some() {
                stack.pop();
                continue;
            }
            let parts: &[Bit] = match &graph.get(node) {
                Node::False | Node::Variable(_) => &[],
                Node::And(a, b) | Node::Xor(a, b) => &[*a, *b],
                Node::Mux(a, b, c) | Node::Majority(a, b, c) => &[*a, *b, *c],
            };
            let before = stack.len();
            stack.extend(parts.iter().map(|bit| bit.node()).filter(|&part| self.known[part].is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let var = self.sat.new_var_default();
            self.known[node] = Some(var);
            let out = Lit::new(var, true);
            let of =
                |bit: Bit| Lit::new(self.known[bit.node()].expect("parts come first"), !bit.is_negated());
            match graph.get(node) {
                Node::False => self.clause(&[!out]),
                Node::Variable(_) => {}
                Node::And(a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.clause(&[!out, a]);
                    self.clause(&[!out, b]);
                    self.clause(&[out, !a, !b]);
                }
                Node::Xor(a, b) => {
                    let (a, b) = (of(a), of(b));
                    self.clause(&[!out, a, b]);
                    self.clause(&[!out, !a, !b]);
                    self.clause(&[out, !a, b]);
                    self.clause(&[out, a, !b]);
                }
                Node::Mux(c, t, e) => {
                    let (c, t, e) = (of(c), of(t), of(e));
                    self.clause(&[!c, !t, out]);
                    self.clause(&[!c, t, !out]);
                    self.clause(&[c, !e, out]);
                    self.clause(&[c, e, !out]);
                    // Not needed, but they let the solver see equal branches.
                    self.clause(&[!t, !e, out]);
                    self.clause(&[t, e, !out]);
                }
                Node::Majority(a, b, c) => {
                    let (a, b, c) = (of(a), of(b), of(c));
                    for (one, two) in [(a, b), (a, c), (b, c)] {
                        self.clause(&[!one, !two, out]);
                        self.clause(&[one, two, !out]);
                    }
                }
            }
        }
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.clauses += 1;
        self.sat.add_clause_reuse(&mut literals.to_vec());
    }
}
