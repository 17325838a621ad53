//! All ways through a run. A way is followed in one go up to the next branch that may go either way or goes back; what
//! comes then depends only on the address and the state there, so it is worked out once for each of them.

use std::collections::{BTreeSet, HashMap};

use tempo_isa::{Instruction, Mnemonic, Mode, Timing};

use super::state::{Slot, State};
use super::{Code, Cost, Reason, Run, Unknown, Varying};

/// States that are looked at, so that every count ends.
const MAX_NODES: usize = 1 << 17;
/// Calls within calls.
const MAX_DEPTH: usize = 64;

/// Fewest and most cycles.
type Cycles = (u64, u64);

type Node = (u16, State);

/// The facts about a node.
#[derive(Debug, Clone, Copy)]
enum Status {
    /// On the way that is being followed.
    Open,
    /// The cycles from there to the end; `None` if no way leads there.
    Done(Option<Cycles>),
}

/// An instruction was executed; what next?
enum Next {
    Goes(u16),
    /// A branch: to its target at that cost, or on. It may also be known to be taken.
    Branch {
        target: u16,
        taken: u64,
        next: u16,
        known: Option<bool>,
    },
    Returns,
}

/// Where a stretch ends.
enum End {
    /// At the end of the run.
    Reached,
    /// Outside of it.
    Left,
    /// At nodes, with the cycles of the way there.
    Nodes(Vec<(u64, Node)>),
}

/// A node that is being worked out.
struct Frame {
    node: Node,
    /// Cycles from the node before it.
    edge: u64,
    /// Cycles from it to `todo`.
    stretch: Cycles,
    todo: Vec<(u64, Node)>,
    /// The last instruction of the stretch.
    last: u16,
    best: Option<Cycles>,
}

pub(super) struct Walk<'a> {
    code: &'a Code,
    run: Run,
    /// The address after the last instruction.
    end: Option<u16>,
    /// Instructions that may still be looked at.
    steps: &'a mut u32,
    varying: BTreeSet<(u16, Varying)>,
    /// An instruction that leaves the run.
    left_at: Option<u16>,
}

impl<'a> Walk<'a> {
    pub fn new(code: &'a Code, run: Run, steps: &'a mut u32) -> Walk<'a> {
        let end = match run {
            Run::Through { last, .. } | Run::Turn { last, .. } => {
                code.at(last).ok().and_then(|(row, _)| last.checked_add(row.len() as u16))
            }
            Run::Routine { .. } | Run::Handler { .. } => None,
        };
        Walk { code, run, end, steps, varying: BTreeSet::new(), left_at: None }
    }

    pub fn cost(mut self) -> Result<Cost, Unknown> {
        let start = self.run.start();
        let decimal = if self.code.has_sed { None } else { Some(false) };
        let found = self.ways((start, State::unknown(decimal)))?;
        let varying = self.varying.into_iter().collect();
        match found {
            Some((min, max)) => Ok(Cost { min, max, varying }),
            None => Err(Unknown { address: self.left_at.unwrap_or(start), reason: Reason::Leaves }),
        }
    }

    /// The cycles from a node to the end.
    fn ways(&mut self, start: Node) -> Result<Option<Cycles>, Unknown> {
        let mut known: HashMap<Node, Status> = HashMap::new();
        let first = self.run.start();
        let mut frames = vec![self.frame(start, first, 0, &mut known)?];
        loop {
            let Some(frame) = frames.last_mut() else { return Ok(None) };
            if let Some((edge, node)) = frame.todo.pop() {
                let from = frame.last;
                match known.get(&node) {
                    Some(Status::Open) => return Err(Unknown { address: from, reason: Reason::Turns }),
                    Some(Status::Done(cycles)) => {
                        frame.best = joined(frame.best, plus(*cycles, (edge, edge)))
                    }
                    None if known.len() >= MAX_NODES => {
                        return Err(Unknown { address: from, reason: Reason::TooLong });
                    }
                    None => {
                        let frame = self.frame(node, from, edge, &mut known)?;
                        frames.push(frame);
                    }
                }
                continue;
            }
            let Some(frame) = frames.pop() else { return Ok(None) };
            let cycles = plus(frame.best, frame.stretch);
            known.insert(frame.node, Status::Done(cycles));
            let Some(parent) = frames.last_mut() else { return Ok(cycles) };
            parent.best = joined(parent.best, plus(cycles, (frame.edge, frame.edge)));
        }
    }

    /// Follows the stretch from a node.
    fn frame(
        &mut self,
        node: Node,
        from: u16,
        edge: u64,
        known: &mut HashMap<Node, Status>,
    ) -> Result<Frame, Unknown> {
        known.insert(node.clone(), Status::Open);
        let (mut pc, mut state) = node.clone();
        let mut frame = Frame { node, edge, stretch: (0, 0), todo: Vec::new(), last: pc, best: None };
        match self.stretch(from, &mut pc, &mut state, &mut frame.stretch)? {
            End::Reached => frame.best = Some((0, 0)),
            End::Left => {}
            End::Nodes(nodes) => {
                // One of them may be the end, or lead nowhere.
                for (edge, (to, state)) in nodes {
                    match self.arrival(pc, to, &state) {
                        Arrival::End => frame.best = joined(frame.best, Some((edge, edge))),
                        Arrival::Outside => {
                            self.left_at.get_or_insert(pc);
                        }
                        Arrival::Inside => frame.todo.push((edge, (to, state))),
                    }
                }
            }
        }
        frame.last = pc;
        Ok(frame)
    }

    /// Executes instructions until the way parts or goes back; `pc` is then the last of them. `from` leads there.
    fn stretch(
        &mut self,
        mut from: u16,
        pc: &mut u16,
        state: &mut State,
        cycles: &mut Cycles,
    ) -> Result<End, Unknown> {
        loop {
            let address = *pc;
            let unknown = |reason| Unknown { address, reason };
            let Some(steps) = self.steps.checked_sub(1) else { return Err(unknown(Reason::TooLong)) };
            *self.steps = steps;
            let (row, operand) = self.code.at(address).map_err(|reason| match reason {
                Reason::NoCode(_) => Unknown { address: from, reason },
                _ => unknown(reason),
            })?;
            from = address;
            let is_last = state.depth() == Some(0)
                && matches!(self.run, Run::Through { last, .. } | Run::Turn { last, .. } if last == address);
            let base = u64::from(row.cycles);
            let (least, most) = self.additions(address, row, operand, state);
            *cycles = (cycles.0 + base + least, cycles.1 + base + most);
            if self.ends_handler(row, operand, state) {
                return Ok(End::Reached);
            }
            let next = match self.execute(address, row, operand, state) {
                Ok(next) => next,
                // Where the last instruction leads is of no interest.
                Err(Reason::Target | Reason::Stops) if is_last && row.mnemonic != Mnemonic::Jam => {
                    return Ok(End::Reached);
                }
                Err(reason) => return Err(unknown(reason)),
            };
            let to = match next {
                Next::Goes(to) => to,
                Next::Returns if is_last || matches!(self.run, Run::Routine { .. }) => {
                    return Ok(End::Reached);
                }
                Next::Returns => {
                    self.left_at.get_or_insert(address);
                    return Ok(End::Left);
                }
                Next::Branch { target, taken, next, known } => {
                    if known.is_none() {
                        self.varying.insert((address, Varying::Branch));
                    }
                    let mut nodes = Vec::with_capacity(2);
                    for (way, to, cost) in [(true, target, taken), (false, next, 0)] {
                        if known.is_none_or(|known| known == way) {
                            let mut state = state.clone();
                            state.branched(row.mnemonic, way);
                            nodes.push((cost, (to, state)));
                        }
                    }
                    if let [(cost, (to, _))] = nodes[..]
                        && to > address
                    {
                        *cycles = (cycles.0 + cost, cycles.1 + cost);
                        to
                    } else {
                        return Ok(End::Nodes(nodes));
                    }
                }
            };
            match self.arrival(address, to, state) {
                Arrival::End => return Ok(End::Reached),
                Arrival::Outside => {
                    self.left_at.get_or_insert(address);
                    return Ok(End::Left);
                }
                Arrival::Inside if to <= address => return Ok(End::Nodes(vec![(0, (to, state.clone()))])),
                Arrival::Inside => *pc = to,
            }
        }
    }

    /// Whether a handler ends with this instruction: `rti`, or a jump to the ROM.
    fn ends_handler(&self, row: &Instruction, operand: Option<u16>, state: &State) -> bool {
        if !matches!(self.run, Run::Handler { .. }) || state.depth() != Some(0) {
            return false;
        }
        match row.mnemonic {
            Mnemonic::Rti => true,
            Mnemonic::Jmp if row.mode == Mode::Absolute => {
                operand.is_some_and(|to| matches!(self.code.at(to), Err(Reason::NoCode(_))))
            }
            _ => false,
        }
    }

    /// The meaning of a step from one instruction to another.
    fn arrival(&self, from: u16, to: u16, state: &State) -> Arrival {
        if state.depth() != Some(0) {
            return Arrival::Inside;
        }
        let Some(end) = self.end else { return Arrival::Inside };
        let is_inside = |start: u16| (start..end).contains(&to);
        match self.run {
            Run::Routine { .. } | Run::Handler { .. } => Arrival::Inside,
            Run::Through { start, last } => match is_inside(start) {
                true => Arrival::Inside,
                false if from == last || to == end => Arrival::End,
                false => Arrival::Outside,
            },
            Run::Turn { start, .. } if to == start => Arrival::End,
            Run::Turn { start, .. } if is_inside(start) => Arrival::Inside,
            Run::Turn { .. } => Arrival::Outside,
        }
    }

    /// Cycles beside those of the table, but for branches.
    fn additions(&mut self, address: u16, row: &Instruction, operand: Option<u16>, state: &State) -> Cycles {
        let mut cycles = (0, 0);
        let mut add = |known: Option<bool>, varying: Varying| {
            cycles.0 += u64::from(known == Some(true));
            cycles.1 += u64::from(known != Some(false));
            if known.is_none() {
                self.varying.insert((address, varying));
            }
        };
        if matches!(row.timing, Timing::Page | Timing::PageDecimal) && row.mode != Mode::Relative {
            add(state.crosses_page(row.mode, operand), Varying::Page);
        }
        if matches!(row.timing, Timing::Decimal | Timing::PageDecimal) {
            add(state.flags.decimal, Varying::Decimal);
        }
        cycles
    }

    fn execute(
        &self,
        address: u16,
        row: &'static Instruction,
        operand: Option<u16>,
        state: &mut State,
    ) -> Result<Next, Reason> {
        let next = address.wrapping_add(row.len() as u16);
        if matches!(row.mode, Mode::Relative | Mode::ZeroPageRelative) {
            let (target, taken) = super::branch(row, address, operand.ok_or(Reason::Target)?);
            return Ok(Next::Branch { target, taken, next, known: state.branches(row.mnemonic) });
        }
        match row.mnemonic {
            Mnemonic::Jmp if row.mode == Mode::Absolute => Ok(Next::Goes(operand.ok_or(Reason::Target)?)),
            Mnemonic::Jmp | Mnemonic::Rti => Err(Reason::Target),
            Mnemonic::Brk | Mnemonic::Jam | Mnemonic::Wai | Mnemonic::Stp => Err(Reason::Stops),
            Mnemonic::Jsr => {
                let target = operand.ok_or(Reason::Target)?;
                if state.depth().is_some_and(|depth| depth >= MAX_DEPTH) {
                    return Err(Reason::TooLong);
                }
                state.push(Slot::Return(next));
                Ok(Next::Goes(target))
            }
            Mnemonic::Rts => match (state.depth(), state.pull()) {
                (Some(0), None) => Ok(Next::Returns),
                (_, Some(Slot::Return(to))) => Ok(Next::Goes(to)),
                _ => Err(Reason::Target),
            },
            _ => {
                state.execute(row, operand);
                Ok(Next::Goes(next))
            }
        }
    }
}

/// Where execution comes to.
enum Arrival {
    End,
    Inside,
    Outside,
}

fn plus(cycles: Option<Cycles>, more: Cycles) -> Option<Cycles> {
    cycles.map(|(min, max)| (min + more.0, max + more.1))
}

/// Of two ways either may be taken.
fn joined(a: Option<Cycles>, b: Option<Cycles>) -> Option<Cycles> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}
