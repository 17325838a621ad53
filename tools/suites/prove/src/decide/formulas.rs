//! The formulas of a question: what it begins with, what its routines make of it, where the claim is false, and the inputs
//! for which it is.

use super::*;

/// The formulas of a question.
pub(super) struct Formulas {
    pub(super) world: World,
    /// Conditions on the inputs.
    pub(super) path: Path,
    pub(super) inputs: Vec<Vec<Bit>>,
    pub(super) unknown_registers: Vec<(Register, Vec<Bit>)>,
    /// Set where the claim is false.
    pub(super) bad: Vec<Bit>,
    pub(super) cost: Option<(Path, Vec<Bit>)>,
}

/// A question before it is executed.
pub(super) struct Prepared {
    pub(super) world: World,
    pub(super) path: Path,
    pub(super) inputs: Vec<Vec<Bit>>,
    pub(super) unknown_registers: Vec<(Register, Vec<Bit>)>,
    pub(super) starts: Vec<Vec<State>>,
    /// Where statements of a script fail.
    pub(super) script_bad: Vec<Bit>,
}

/// The obstacle, and the inputs on which the path depends.
pub(super) type Failure = (Blocked, Vec<usize>);

/// Where the claim is false, and the cycles on the paths that return.
pub(super) type Claimed = (Vec<Bit>, Option<(Path, Vec<Bit>)>);

pub(super) fn formulas(
    question: &Question,
    limits: &Limits,
    fixed: &[(usize, u64)],
    meeting: Meeting,
) -> Result<Formulas, Failure> {
    let mut prepared = prepare(question, limits, fixed)?;
    let ends = prepared.run(question, meeting)?;
    let (bad, cost) = prepared.claim(question, &ends).map_err(|blocked| (blocked, Vec::new()))?;
    Ok(prepared.with(bad, cost))
}

impl Prepared {
    /// Back from formulas: the claim is asked again with another ghost. What it looks at is in the ends.
    pub(super) fn from(formulas: Formulas) -> Prepared {
        Prepared {
            world: formulas.world,
            path: formulas.path,
            inputs: formulas.inputs,
            unknown_registers: formulas.unknown_registers,
            starts: Vec::new(),
            script_bad: Vec::new(),
        }
    }

    pub(super) fn with(self, bad: Vec<Bit>, cost: Option<(Path, Vec<Bit>)>) -> Formulas {
        Formulas {
            world: self.world,
            path: self.path,
            inputs: self.inputs,
            unknown_registers: self.unknown_registers,
            bad,
            cost,
        }
    }

    pub(super) fn fix(&mut self, question: &Question, input: usize, value: u64) {
        let width = question.inputs[input].width;
        self.inputs[input] = (0..width).map(|bit| Bit::of(value >> bit & 1 == 1)).collect();
    }

    pub(super) fn run(&mut self, question: &Question, meeting: Meeting) -> Result<Vec<Vec<End>>, Failure> {
        let mut all = Vec::new();
        for (number, start) in std::mem::take(&mut self.starts).into_iter().enumerate() {
            let routine = &question.routines[number];
            all.push(match &routine.script {
                Some(script) => self.script(question, script, start, meeting)?,
                None => self.call(question, start, routine.stack, meeting)?,
            });
        }
        Ok(all)
    }

    fn call(
        &mut self,
        question: &Question,
        start: Vec<State>,
        level: u8,
        meeting: Meeting,
    ) -> Result<Vec<End>, Failure> {
        let ends = execute::run(&mut self.world, start, level, meeting).map_err(|(blocked, decisions)| {
            let support = self.world.graph.support(decisions);
            let relevant = (0..question.inputs.len()).filter(|&number| {
                let own = self.world.graph.support(self.inputs[number].iter().copied());
                own.iter().any(|variable| support.contains(variable))
            });
            (blocked, relevant.collect())
        })?;
        Ok(if meeting == Meeting::Merge { merged(&mut self.world, ends) } else { ends })
    }

    /// Runs the statements of a script; where one fails is noted.
    fn script(
        &mut self,
        question: &Question,
        script: &Script,
        mut states: Vec<State>,
        meeting: Meeting,
    ) -> Result<Vec<End>, Failure> {
        for action in &script.actions {
            if let Action::Call(entry) = action {
                let Some(level) = states.first().map(|state| state.s) else { break };
                for state in &mut states {
                    script::push_return(state, *entry);
                }
                let ends = self.call(question, states, level.wrapping_sub(2), meeting)?;
                states = Vec::new();
                for End { mut state, ending } in ends {
                    if ending == Ending::Returned {
                        state.s = level;
                        states.push(state);
                    } else {
                        let here = self.world.graph.all(state.path.bits.iter().copied());
                        self.script_bad.push(here);
                    }
                }
                continue;
            }
            let mut next = Vec::new();
            for state in states {
                let here = self.world.graph.all(state.path.bits.iter().copied());
                let mut terms = self.terms(question);
                let (after, fails) = script::act(&mut terms, action, state).map_err(|NoFormula(what)| {
                    (Blocked::Undecided { at: None, reason: format!("a statement has {what}") }, Vec::new())
                })?;
                if fails != Bit::FALSE {
                    let bad = self.world.graph.and(here, fails);
                    self.script_bad.push(bad);
                }
                next.extend(after);
            }
            states = next;
        }
        Ok(states.into_iter().map(|state| End { state, ending: Ending::Returned }).collect())
    }

    /// Where the claim is false, and the cycles.
    pub(super) fn claim(&mut self, question: &Question, ends: &[Vec<End>]) -> Result<Claimed, Blocked> {
        let mut bad = Vec::new();
        let mut cost: Option<(Path, Vec<Bit>)> = None;
        let is_returned = |end: &End| end.ending == Ending::Returned;
        match &question.claim {
            Claim::Script => bad.append(&mut self.script_bad),
            Claim::Equal(observed) => {
                for one in &ends[0] {
                    for two in &ends[1] {
                        let here = self.both(&one.state.path, &two.state.path);
                        if here == Bit::FALSE {
                            continue;
                        }
                        match (is_returned(one), is_returned(two)) {
                            (true, true) => {
                                for (_, left, right) in observed {
                                    let mut terms = self.terms(question);
                                    let (left, error) =
                                        terms.value(left, Some(&one.state)).map_err(in_the_claim)?;
                                    let (right, other_error) =
                                        terms.value(right, Some(&two.state)).map_err(in_the_claim)?;
                                    let graph = &mut self.world.graph;
                                    let same = left.compare(crate::claim::Relation::Equal, &right, graph);
                                    let error = graph.or(error, other_error);
                                    let differs = graph.or(error, !same);
                                    bad.push(graph.and(here, differs));
                                }
                            }
                            (false, false) => {}
                            _ => bad.push(here),
                        }
                    }
                }
            }
            claim => {
                bad.append(&mut self.script_bad);
                for end in &ends[0] {
                    let here = self.world.graph.all(end.state.path.bits.iter().copied());
                    if !is_returned(end) {
                        bad.push(here);
                        continue;
                    }
                    if let Claim::Holds(claim) = claim {
                        let holds = self.condition(question, claim, end)?;
                        bad.push(self.world.graph.and(here, !holds));
                    }
                    if let Claim::Cycles = claim {
                        let width = 64 - question.limits.max_cycles.leading_zeros() as usize + 2;
                        let word = end.state.cost.word(&mut self.world.graph, width);
                        cost = Some(match cost {
                            None => (end.state.path.clone(), word),
                            Some((path, known)) => {
                                let other: Vec<Bit> = known;
                                let word: Vec<Bit> = word
                                    .iter()
                                    .zip(&other)
                                    .map(|(&this, &that)| self.world.graph.mux(here, this, that))
                                    .collect();
                                let earlier = self.world.graph.all(path.bits.iter().copied());
                                let either = self.world.graph.or(earlier, here);
                                let mut path = self.path.clone();
                                path.push(&self.world.graph, either);
                                (path, word)
                            }
                        });
                    }
                }
            }
        }
        bad.retain(|&bit| bit != Bit::FALSE);
        Ok((bad, cost))
    }

    fn both(&mut self, one: &Path, two: &Path) -> Bit {
        let one = self.world.graph.all(one.bits.iter().copied());
        let two = self.world.graph.all(two.bits.iter().copied());
        self.world.graph.and(one, two)
    }

    fn terms<'b>(&'b mut self, question: &'b Question) -> Terms<'b> {
        Terms::new(&mut self.world, &self.inputs, &question.inputs)
    }

    fn condition(&mut self, question: &Question, claim: &Expr, end: &End) -> Result<Bit, Blocked> {
        self.terms(question).condition(claim, Some(&end.state)).map_err(in_the_claim)
    }
}

fn in_the_claim(NoFormula(what): NoFormula) -> Blocked {
    Blocked::Undecided { at: None, reason: format!("the claim has {what}") }
}

/// Ends of the same kind as one.
fn merged(world: &mut World, ends: Vec<End>) -> Vec<End> {
    let mut all: Vec<End> = Vec::new();
    for end in ends {
        let known = all.iter_mut().find(|known| {
            end.ending == Ending::Returned && known.ending == Ending::Returned && known.state.d == end.state.d
        });
        match known {
            Some(known) => known.state.merge(world, &end.state),
            None => all.push(end),
        }
    }
    all
}

pub(super) fn prepare(
    question: &Question,
    limits: &Limits,
    fixed: &[(usize, u64)],
) -> Result<Prepared, Failure> {
    let mut world = World::new(limits);
    let mut random = Random::new(0x1a9e5);
    let mut path = Path::default();
    let mut inputs = Vec::new();
    for (number, input) in question.inputs.iter().enumerate() {
        if let Some((_, value)) = fixed.iter().find(|(known, _)| *known == number) {
            inputs.push((0..input.width).map(|bit| Bit::of(value >> bit & 1 == 1)).collect::<Vec<Bit>>());
            continue;
        }
        // The carried assignments are in the range.
        let interesting = corners(input);
        let values: Vec<u64> = (0..LANES * 64)
            .map(|pattern| match pattern {
                0 => input.lo,
                1 => input.hi,
                _ if pattern % 4 == 0 => *random.pick(&interesting),
                _ => input.lo + ((u128::from(random.next_u64()) * input.size()) >> 64) as u64,
            })
            .collect();
        let used = 64 - input.hi.leading_zeros();
        let bits: Vec<Bit> = (0..input.width)
            .map(|bit| {
                if bit >= used {
                    return Bit::FALSE;
                }
                let lanes: Lanes = std::array::from_fn(|lane| {
                    (0..64).fold(0, |sum, pattern| sum | (values[lane * 64 + pattern] >> bit & 1) << pattern)
                });
                world.graph.variable(lanes)
            })
            .collect();
        let limit =
            |value: u64| (0..input.width).map(|bit| Bit::of(value >> bit & 1 == 1)).collect::<Vec<Bit>>();
        let least = world.graph.is_at_most(&limit(input.lo), &bits);
        let most = world.graph.is_at_most(&bits, &limit(input.hi));
        path.push(&world.graph, least);
        path.push(&world.graph, most);
        inputs.push(bits);
    }
    let mut unknown_registers: Vec<(Register, Vec<Bit>)> = Vec::new();
    let mut starts = Vec::new();
    for routine in &question.routines {
        let mut before = Before { known: routine.known.clone(), inputs: HashMap::new() };
        let mut registers: BTreeMap<Register, Vec<Bit>> = BTreeMap::new();
        for &(register, value) in &routine.registers {
            registers.insert(register, byte(value)[..register.width() as usize].to_vec());
        }
        for (place, bits) in routine.places.iter().zip(&inputs) {
            match *place {
                Place::Ghost => {}
                Place::Register(register) => {
                    registers.insert(register, bits.clone());
                }
                Place::Memory(address, bytes) => {
                    for offset in 0..u16::from(bytes) {
                        let from = usize::from(offset) * 8;
                        let value: Byte = std::array::from_fn(|bit| bits[from + bit]);
                        before.inputs.insert(address.wrapping_add(offset), value);
                    }
                }
            }
        }
        for register in
            [Register::A, Register::X, Register::Y, Register::N, Register::V, Register::Z, Register::C]
        {
            if registers.contains_key(&register) {
                continue;
            }
            // Two routines begin with the same.
            let bits = match unknown_registers.iter().find(|(known, _)| *known == register) {
                Some((_, bits)) => bits.clone(),
                None => {
                    let bits: Vec<Bit> = (0..register.width()).map(|_| world.fresh_bit()).collect();
                    unknown_registers.push((register, bits.clone()));
                    bits
                }
            };
            registers.insert(register, bits);
        }
        let before = Arc::new(before);
        let mut state = State::new(before, routine.entry, routine.stack);
        let as_byte = |bits: &[Bit]| -> Byte { std::array::from_fn(|bit| bits[bit]) };
        (state.a, state.x, state.y) = (
            as_byte(&registers[&Register::A]),
            as_byte(&registers[&Register::X]),
            as_byte(&registers[&Register::Y]),
        );
        (state.n, state.v) = (registers[&Register::N][0], registers[&Register::V][0]);
        (state.z, state.c) = (registers[&Register::Z][0], registers[&Register::C][0]);
        if let Some(script) = &routine.script {
            state.i = Bit::of(script.masks_interrupts);
            state.cost.base = script.cycles;
        }
        let decimal = registers.get(&Register::D).map_or(Bit::FALSE, |bits| bits[0]);
        starts.push((state, decimal));
    }
    let mut prepared =
        Prepared { world, path, inputs, unknown_registers, starts: Vec::new(), script_bad: Vec::new() };
    for assumed in &question.assume {
        let holds = prepared.terms(question).condition(assumed, None).map_err(|NoFormula(what)| {
            (Blocked::Undecided { at: None, reason: format!("the assumption has {what}") }, Vec::new())
        })?;
        prepared.path.push(&prepared.world.graph, holds);
    }
    for (state, decimal) in starts {
        let mut both = Vec::new();
        for (value, bit) in [(false, !decimal), (true, decimal)] {
            if bit != Bit::FALSE {
                let mut state = state.clone();
                state.d = value;
                state.path = prepared.path.clone();
                state.path.push(&prepared.world.graph, bit);
                both.push(state);
            }
        }
        prepared.starts.push(both);
    }
    Ok(prepared)
}

// --- asking formulas ------------------------------------------------------------------------------------

impl Formulas {
    pub(super) fn input_variables(&self) -> Vec<u32> {
        let mut all = self.world.graph.support(self.inputs.iter().flatten().copied());
        all.sort_unstable();
        all
    }

    /// Inputs for which a bad bit is set; the smallest in order.
    pub(super) fn find(
        &mut self,
        question: &Question,
        support: &[u32],
    ) -> Result<Option<(Vec<u64>, Unknowns)>, Blocked> {
        let mut any = Bit::FALSE;
        for &bit in &self.bad {
            any = self.world.graph.or(any, bit);
        }
        if any == Bit::FALSE {
            return Ok(None);
        }
        let conditions = self.world.graph.all(self.path.bits.iter().copied());
        let any = self.world.graph.and(any, conditions);
        let support = {
            let mut all = support.to_vec();
            all.extend(self.world.graph.support([any]));
            all.sort_unstable();
            all.dedup();
            all
        };
        let nodes = self.world.graph.cone([any]).len() as u64;
        let words = 1u64 << support.len().saturating_sub(8).min(60);
        if support.len() <= SWEPT && nodes.saturating_mul(words) <= question.limits.exhaust / 2 {
            let Some(values) = self.sweep(any, &support) else { return Ok(None) };
            let value = |bit: Bit| self.world.graph.evaluate(&[bit], |number| values.contains(&number))[0];
            let inputs = self.inputs.iter().zip(&question.inputs).map(|(bits, input)| {
                let value = bits
                    .iter()
                    .enumerate()
                    .fold(0, |sum, (place, &bit)| sum | u64::from(value(bit)) << place);
                value.max(input.lo)
            });
            let inputs: Vec<u64> = inputs.collect();
            let unknowns = self.unknowns(&value);
            return Ok(Some((inputs, unknowns)));
        }
        // With everything unknown clear, if that fails, too.
        let mut path = self.path.clone();
        path.push(&self.world.graph, any);
        let own = self.input_variables();
        let mut plain = path.bits.clone();
        let unknown: Vec<Bit> = self
            .unknown_bits()
            .into_iter()
            .filter(|bit| {
                let Node::Variable(number) = self.world.graph.get(bit.node()) else { return false };
                support.binary_search(&number).is_ok() && own.binary_search(&number).is_err()
            })
            .collect();
        plain.extend(unknown.iter().map(|&bit| !bit));
        match self.world.solver.ask(&self.world.graph, &plain) {
            Answer::Yes => unknown.iter().for_each(|&bit| path.push(&self.world.graph, !bit)),
            Answer::Unknown => return Err(self.world.out_of_conflicts(question.routines[0].entry)),
            Answer::No if unknown.is_empty() => return Ok(None),
            Answer::No => match self.world.solver.ask(&self.world.graph, &path.bits) {
                Answer::Yes => {}
                Answer::No => return Ok(None),
                Answer::Unknown => return Err(self.world.out_of_conflicts(question.routines[0].entry)),
            },
        }
        // The least of each input, one after another; the last answer stays if the work is too much.
        let at = question.routines[0].entry;
        let mut known: Vec<u64> = self.inputs.iter().map(|bits| self.world.model(bits)).collect();
        let mut seen = self.model_unknowns();
        for number in 0..self.inputs.len() {
            let word = self.inputs[number].clone();
            let mut none = path.clone();
            none.lanes = [0; LANES];
            let Ok((least, _)) = self.world.bounds_below(&none, &word, known[number], at) else { break };
            let fixed = self.world.graph.is_value(&word, least);
            path.push(&self.world.graph, fixed);
            if self.world.solver.ask(&self.world.graph, &path.bits) != Answer::Yes {
                break;
            }
            known = self.inputs.iter().map(|bits| self.world.model(bits)).collect();
            seen = self.model_unknowns();
        }
        Ok(Some((known, seen)))
    }

    fn unknown_bits(&self) -> Vec<Bit> {
        let memory = self.world.unknown_bytes().values().flatten();
        let mut all: Vec<Bit> =
            memory.copied().chain(self.unknown_registers.iter().flat_map(|(_, bits)| bits.clone())).collect();
        all.sort_unstable();
        all
    }

    fn model_unknowns(&self) -> Unknowns {
        self.unknowns(&|bit| self.world.solver.value(bit))
    }

    fn unknowns(&self, value: &dyn Fn(Bit) -> bool) -> Unknowns {
        let word = |bits: &[Bit]| {
            bits.iter().enumerate().fold(0u8, |sum, (place, &bit)| sum | u8::from(value(bit)) << place)
        };
        let memory = self.world.unknown_bytes().iter().map(|(&at, byte)| (at, word(byte)));
        let registers = self.unknown_registers.iter().map(|(register, bits)| (*register, word(bits)));
        Unknowns {
            memory: memory.filter(|&(_, byte)| byte != 0).collect(),
            registers: registers.filter(|&(_, value)| value != 0).collect(),
        }
    }

    /// Goes through all values of the variables; those that are set in the first failure, in the order of the inputs.
    fn sweep(&self, bad: Bit, support: &[u32]) -> Option<Vec<u32>> {
        let graph: &Graph = &self.world.graph;
        // The last input counts least.
        let mut order: Vec<u32> = Vec::new();
        for bits in self.inputs.iter().rev() {
            for bit in bits {
                if let Node::Variable(number) = graph.get(bit.node())
                    && support.contains(&number)
                {
                    order.push(number);
                }
            }
        }
        // What is unknown counts least of all.
        let others: Vec<u32> = support.iter().copied().filter(|number| !order.contains(number)).collect();
        let order: Vec<u32> = others.into_iter().chain(order).collect();
        let cone = graph.cone([bad]);
        let mut slot: HashMap<u32, u32> = HashMap::new();
        let program: Vec<Node> = cone
            .iter()
            .enumerate()
            .map(|(index, &node)| {
                slot.insert(node, index as u32);
                let of = |bit: Bit| {
                    let place = slot[&(bit.node() as u32)] << 1 | u32::from(bit.is_negated());
                    crate::graph::Bit::from_raw(place)
                };
                match graph.get(node as usize) {
                    Node::False => Node::False,
                    Node::Variable(number) => {
                        Node::Variable(order.iter().position(|&known| known == number).unwrap_or(0) as u32)
                    }
                    Node::And(a, b) => Node::And(of(a), of(b)),
                    Node::Xor(a, b) => Node::Xor(of(a), of(b)),
                    Node::Mux(a, b, c) => Node::Mux(of(a), of(b), of(c)),
                    Node::Majority(a, b, c) => Node::Majority(of(a), of(b), of(c)),
                }
            })
            .collect();
        let rounds = 1u64 << order.len().saturating_sub(8);
        let found = (0..rounds.div_ceil(64)).into_par_iter().find_map_first(|block| {
            let mut values: Vec<Lanes> = vec![[0; LANES]; program.len()];
            for round in block * 64..((block + 1) * 64).min(rounds) {
                let last = sweep_round(&program, &mut values, round);
                let last = if bad.is_negated() { last.map(|lane| !lane) } else { last };
                for (lane, set) in last.iter().enumerate() {
                    if *set != 0 {
                        let low = lane as u64 * 64 + u64::from(set.trailing_zeros());
                        let number = round << 8 | low;
                        if order.len() >= 8 || number < 1 << order.len() {
                            return Some(number);
                        }
                    }
                }
            }
            None
        })?;
        Some(
            order
                .iter()
                .enumerate()
                .filter(|(place, _)| found >> place & 1 == 1)
                .map(|(_, &number)| number)
                .collect(),
        )
    }

    pub(super) fn cycle_bounds(
        &mut self,
        question: &Question,
        path: &Path,
        cost: &[Bit],
        tried: &Tried,
    ) -> Result<Cycles, Blocked> {
        let at = question.routines[0].entry;
        let (min, max) = self.world.bounds(path, cost, at)?;
        let mut reach = |value: u64, seen: Option<(u64, &Vec<u64>)>| -> Result<Vec<u64>, Blocked> {
            if let Some((cycles, inputs)) = seen
                && cycles == value
            {
                return Ok(inputs.clone());
            }
            let here = self.world.graph.is_value(cost, value);
            if !self.world.ask_with(path, here, at)? {
                return Err(Blocked::undecided(at, "internal error: a bound that nothing reaches"));
            }
            let inputs: Vec<u64> = self.inputs.iter().map(|bits| self.world.model(bits)).collect();
            let unknowns = Unknowns {
                memory: self
                    .world
                    .unknown_bytes()
                    .iter()
                    .map(|(&at, byte)| (at, self.world.model(byte) as u8))
                    .collect(),
                registers: self
                    .unknown_registers
                    .iter()
                    .map(|(it, bits)| (*it, self.world.model(bits) as u8))
                    .collect(),
            };
            let mut runner: Runner<'_> = Runner::new(&question.routines[0], question.limits.max_cycles);
            let outcome = runner.replay(&inputs, &unknowns);
            if outcome != Outcome::Returned || runner.cycles() != value {
                return Err(Blocked::undecided(at, "cycles that the emulator does not count so"));
            }
            Ok(inputs)
        };
        let seen = tried.cycles.as_ref();
        let at_min = reach(min, seen.map(|seen| (seen.min, &seen.at_min)))?;
        let at_max = reach(max, seen.map(|seen| (seen.max, &seen.at_max)))?;
        Ok(Cycles { min, max, at_min, at_max })
    }
}

/// The values of the last node for 256 numbers.
fn sweep_round(program: &[Node], values: &mut [Lanes], round: u64) -> Lanes {
    const LOW: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    for index in 0..program.len() {
        let of = |bit: Bit| {
            let mask = if bit.is_negated() { u64::MAX } else { 0 };
            values[bit.node()].map(|lane| lane ^ mask)
        };
        values[index] = match program[index] {
            Node::False => [0; LANES],
            Node::Variable(place) => match place {
                0..6 => [LOW[place as usize]; LANES],
                6 => [0, u64::MAX, 0, u64::MAX],
                7 => [0, 0, u64::MAX, u64::MAX],
                _ => [if round >> (place - 8) & 1 == 1 { u64::MAX } else { 0 }; LANES],
            },
            Node::And(a, b) => {
                let (a, b) = (of(a), of(b));
                std::array::from_fn(|i| a[i] & b[i])
            }
            Node::Xor(a, b) => {
                let (a, b) = (of(a), of(b));
                std::array::from_fn(|i| a[i] ^ b[i])
            }
            Node::Mux(c, t, e) => {
                let (c, t, e) = (of(c), of(t), of(e));
                std::array::from_fn(|i| c[i] & t[i] | !c[i] & e[i])
            }
            Node::Majority(a, b, c) => {
                let (a, b, c) = (of(a), of(b), of(c));
                std::array::from_fn(|i| a[i] & b[i] | c[i] & (a[i] | b[i]))
            }
        };
    }
    values[program.len() - 1]
}
