//! Statements of a property: what a test does with the inputs before, between and after its calls. They run on the emulator
//! and as formulas, and both ways mean the same.

use crate::claim::{Expr, Register, Relation};
use crate::graph::{Bit, Byte, byte};
use crate::integer::{Int, NoFormula};
use crate::state::State;
use crate::terms::Terms;

/// Statements, and the machine before them.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    pub actions: Vec<Action>,
    /// Whether I is set.
    pub masks_interrupts: bool,
    /// Cycles before the first statement.
    pub cycles: u64,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Stores a value at an address, low byte first. A value below `least` or above `most`, or an address outside of memory,
    /// fails.
    Store { at: Expr, value: Expr, width: Width, least: i128, most: i128 },
    /// Sets a register or a flag; a register takes the low byte of a value up to 255, and a larger one fails.
    Set(Register, Expr),
    /// Calls a routine, which must return.
    Call(u16),
    /// A condition that must be true.
    Assert(Expr),
}

/// The bytes that a store writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Byte,
    Word,
    /// One byte for values up to 255, two above.
    AsNeeded,
}

/// Makes a state that is about to execute the first instruction of a routine.
pub(crate) fn push_return(state: &mut State, entry: u16) {
    for _ in 0..2 {
        state.memory.set(0x0100 | u16::from(state.s), byte(0xff));
        state.s = state.s.wrapping_sub(1);
    }
    state.pc = entry;
}

/// Executes a statement other than a call: the states after it, and where it fails.
pub(crate) fn act(
    terms: &mut Terms<'_>,
    action: &Action,
    mut state: State,
) -> Result<(Vec<State>, Bit), NoFormula> {
    let fails = match action {
        Action::Call(_) => return Err(NoFormula("a call in an expression")),
        Action::Assert(condition) => !terms.condition(condition, Some(&state))?,
        Action::Set(register, value) => {
            let (value, error) = terms.value(value, Some(&state))?;
            if register.width() == 1 {
                let on = value.is_true(&mut terms.world.graph);
                return Ok((set_flag(terms, state, *register, on), error));
            }
            let low = low_byte(&value, 0);
            match register {
                Register::A => state.a = low,
                Register::X => state.x = low,
                _ => state.y = low,
            }
            let graph = &mut terms.world.graph;
            let is_large = value.compare(Relation::Greater, &Int::constant(0xff), graph);
            graph.or(error, is_large)
        }
        Action::Store { at, value, width, least, most } => {
            let (at, no_address) = terms.value(at, Some(&state))?;
            let (value, no_value) = terms.value(value, Some(&state))?;
            let graph = &mut terms.world.graph;
            let mut fails = graph.or(no_address, no_value);
            for (word, relation, limit) in [
                (&at, Relation::Less, 0),
                (&at, Relation::Greater, 0xffff),
                (&value, Relation::Less, *least),
                (&value, Relation::Greater, *most),
            ] {
                let is_outside = word.compare(relation, &Int::constant(limit), graph);
                fails = graph.or(fails, is_outside);
            }
            let has_second = match width {
                Width::Byte => Bit::FALSE,
                Width::Word => Bit::TRUE,
                Width::AsNeeded => value.compare(Relation::Greater, &Int::constant(0xff), graph),
            };
            store(terms, &mut state, &at, 0, &low_byte(&value, 0), Bit::TRUE)?;
            if has_second != Bit::FALSE {
                store(terms, &mut state, &at, 1, &low_byte(&value, 8), has_second)?;
            }
            fails
        }
    };
    Ok((vec![state], fails))
}

fn low_byte(value: &Int, from: usize) -> Byte {
    let bits = value.low(from + 8);
    std::array::from_fn(|bit| bits[from + bit])
}

fn store(
    terms: &mut Terms<'_>,
    state: &mut State,
    at: &Int,
    offset: u16,
    new: &Byte,
    when: Bit,
) -> Result<(), NoFormula> {
    let (lo, hi) = (at.lo.max(0), at.hi.min(0xffff));
    if hi - lo >= terms.world.limits.addresses as i128 {
        return Err(NoFormula("a store that can go almost anywhere"));
    }
    for address in lo..=hi {
        let here = at.compare(Relation::Equal, &Int::constant(address), &mut terms.world.graph);
        let here = terms.world.graph.and(here, when);
        let address = (address as u16).wrapping_add(offset);
        let old = state.memory.get(terms.world, address);
        let changed = terms.world.graph.choose(here, new, &old);
        state.memory.set(address, changed);
    }
    Ok(())
}

/// D is known in a state, so a formula for it makes two.
fn set_flag(terms: &mut Terms<'_>, mut state: State, register: Register, on: Bit) -> Vec<State> {
    match register {
        Register::N => state.n = on,
        Register::V => state.v = on,
        Register::Z => state.z = on,
        Register::C => state.c = on,
        _ => match on.constant() {
            Some(value) => state.d = value,
            None => {
                let mut other = state.clone();
                (state.d, other.d) = (true, false);
                state.path.push(&terms.world.graph, on);
                other.path.push(&terms.world.graph, !on);
                return vec![state, other];
            }
        },
    }
    vec![state]
}
