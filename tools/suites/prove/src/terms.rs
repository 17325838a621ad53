//! Expressions as formulas over a state. An operation without a value, such as a division by zero, makes the condition false.

use crate::claim::{Expr, Operator, Register, Relation, When};
use crate::execute;
use crate::graph::{Bit, Byte};
use crate::integer::{Int, NoFormula};
use crate::question::Input;
use crate::state::State;
use crate::world::World;

/// Makes formulas of expressions.
pub struct Terms<'a> {
    pub world: &'a mut World,
    /// The bits of each input, and its range.
    pub inputs: &'a [Vec<Bit>],
    pub ranges: &'a [Input],
    /// Set where a part of the expression has no value.
    error: Bit,
}

impl<'a> Terms<'a> {
    pub fn new(world: &'a mut World, inputs: &'a [Vec<Bit>], ranges: &'a [Input]) -> Terms<'a> {
        Terms { world, inputs, ranges, error: Bit::FALSE }
    }

    /// Whether the expression has a value and is true.
    pub fn condition(&mut self, expr: &Expr, state: Option<&State>) -> Result<Bit, NoFormula> {
        let (value, error) = self.value(expr, state)?;
        let holds = value.is_true(&mut self.world.graph);
        Ok(self.world.graph.and(holds, !error))
    }

    /// The value, and where it has none.
    pub fn value(&mut self, expr: &Expr, state: Option<&State>) -> Result<(Int, Bit), NoFormula> {
        self.error = Bit::FALSE;
        let value = self.of(expr, state)?;
        Ok((value, self.error))
    }

    fn of(&mut self, expr: &Expr, state: Option<&State>) -> Result<Int, NoFormula> {
        Ok(match expr {
            Expr::Number(value) => Int::constant(*value),
            Expr::Input(number) => {
                let input = &self.ranges[*number];
                Int::unsigned(&self.inputs[*number]).within(input.lo.into(), input.hi.into())
            }
            Expr::Register(register) => {
                let state = state.ok_or(NoFormula("a register before the call"))?;
                match register {
                    Register::A => Int::unsigned(&state.a),
                    Register::X => Int::unsigned(&state.x),
                    Register::Y => Int::unsigned(&state.y),
                    Register::N => Int::condition(state.n),
                    Register::V => Int::condition(state.v),
                    Register::D => Int::condition(Bit::of(state.d)),
                    Register::Z => Int::condition(state.z),
                    Register::C => Int::condition(state.c),
                }
            }
            Expr::Cycles => {
                let state = state.ok_or(NoFormula("cycles before the call"))?;
                let width = (64 - state.cost.base.leading_zeros() as usize).max(state.cost.extra.len()) + 1;
                Int::unsigned(&state.cost.word(&mut self.world.graph, width))
            }
            Expr::Table(place, entries) => {
                let place = self.of(place, state)?;
                self.entry(&place, entries)?
            }
            Expr::Read(when, bytes, address) => {
                let state = state.ok_or(NoFormula("memory before the call"))?;
                let address = self.of(address, Some(state))?;
                let mut bits = Vec::new();
                for offset in 0..i128::from(*bytes) {
                    bits.extend(self.byte_at(&address, offset, *when, state)?);
                }
                Int::unsigned(&bits)
            }
            Expr::Negate(a) => self.of(a, state)?.negate(&mut self.world.graph)?,
            Expr::Invert(a) => {
                let a = self.of(a, state)?.negate(&mut self.world.graph)?;
                a.binary(Operator::Subtract, &Int::constant(1), &mut self.world.graph)?
            }
            Expr::Not(a) => {
                let a = self.of(a, state)?;
                Int::condition(!a.is_true(&mut self.world.graph))
            }
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.of(a, state)?, self.of(b, state)?);
                let b = self.allowed(*operator, b);
                a.binary(*operator, &b, &mut self.world.graph)?
            }
            Expr::Compare(relation, a, b) => {
                let (a, b) = (self.of(a, state)?, self.of(b, state)?);
                Int::condition(a.compare(*relation, &b, &mut self.world.graph))
            }
            Expr::And(a, b) | Expr::Or(a, b) => {
                let is_and = matches!(expr, Expr::And(..));
                let a = self.of(a, state)?;
                let a = a.is_true(&mut self.world.graph);
                if a == Bit::of(!is_and) {
                    return Ok(Int::condition(a));
                }
                // The right side is only looked at if the left one leaves it open.
                let before = std::mem::replace(&mut self.error, Bit::FALSE);
                let b = self.of(b, state)?;
                let graph = &mut self.world.graph;
                let b = b.is_true(graph);
                let is_open = if is_and { a } else { !a };
                let error = graph.and(is_open, self.error);
                self.error = graph.or(before, error);
                Int::condition(if is_and { graph.and(a, b) } else { graph.or(a, b) })
            }
        })
    }

    /// The right operand where the operation has a value; elsewhere one that has, and the error is noted.
    fn allowed(&mut self, operator: Operator, b: Int) -> Int {
        let graph = &mut self.world.graph;
        match operator {
            Operator::Divide | Operator::Remainder | Operator::Quotient | Operator::Rest
                if b.lo == 0 && b.hi > 0 =>
            {
                let is_zero = !b.is_true(graph);
                self.error = graph.or(self.error, is_zero);
                let mut bits = b.bits;
                bits[0] = graph.or(bits[0], is_zero);
                Int { bits, lo: 1, hi: b.hi }
            }
            Operator::Left | Operator::Right if (b.lo < 0 || b.hi > 64) && b.known().is_none() => {
                let (least, most) = (Int::constant(0), Int::constant(64));
                let above = b.compare(Relation::GreaterEqual, &least, graph);
                let below = b.compare(Relation::LessEqual, &most, graph);
                let fits = graph.and(above, below);
                self.error = graph.or(self.error, !fits);
                let bits = b.low(8).into_iter().map(|bit| graph.and(bit, fits)).collect();
                Int { bits, lo: 0, hi: 64 }
            }
            _ => b,
        }
    }

    fn entry(&mut self, place: &Int, entries: &[i128]) -> Result<Int, NoFormula> {
        let mut value = Int::constant(entries[0]);
        for (number, &entry) in entries.iter().enumerate().skip(1) {
            let here = place.compare(Relation::Equal, &Int::constant(number as i128), &mut self.world.graph);
            value = Int::choose(here, &Int::constant(entry), &value, &mut self.world.graph);
        }
        Ok(value)
    }

    fn byte_at(&mut self, address: &Int, offset: i128, when: When, state: &State) -> Result<Byte, NoFormula> {
        let get = |world: &mut World, address: i128| match when {
            When::After => state.memory.get(world, address as u16),
            When::Before => state.memory.before().clone().get(world, address as u16),
        };
        if let Some(address) = address.known() {
            return Ok(get(self.world, address + offset));
        }
        if address.lo < 0 || address.hi + offset > 0xffff || address.hi - address.lo >= 4096 {
            return Err(NoFormula("memory at an address that can be almost anywhere"));
        }
        let entries: Vec<Byte> =
            (address.lo..=address.hi).map(|place| get(self.world, place + offset)).collect();
        Ok(execute::pick(&mut self.world.graph, &address.low(17), address.lo as u64, &entries))
    }
}
