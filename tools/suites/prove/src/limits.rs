//! Limits. All of them count work and none counts time, so that two machines say the same.

/// How much work a question may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Emulated cycles for running all inputs.
    pub exhaust: u64,
    /// Instructions executed symbolically.
    pub steps: u64,
    /// States that are alive at once.
    pub paths: usize,
    /// Bytes that an unknown address may mean.
    pub addresses: usize,
    /// Places that an unknown jump may lead to.
    pub targets: usize,
    /// Conflicts of the solver, over all questions of a claim. 500 propagations count like one, so that many easy questions
    /// end, too.
    pub conflicts: u64,
    /// Cycles of one run.
    pub max_cycles: u64,
    /// Nodes of formulas, about 60 bytes each.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            exhaust: 4_000_000_000,
            steps: 1_000_000,
            paths: 4_096,
            addresses: 1_024,
            targets: 64,
            conflicts: 2_000_000,
            max_cycles: 10_000_000,
            nodes: 8_000_000,
        }
    }
}
