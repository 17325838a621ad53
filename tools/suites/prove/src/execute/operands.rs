//! Operands: the addresses that an instruction may mean, and the bytes there. One that is unknown is a choice among those
//! within its bounds.

use tempo_isa::{Instruction, Mode};

use super::Run;
use crate::graph::{Bit, Byte, Graph, byte, known, known_word};
use crate::state::State;
use crate::world::Blocked;

/// An address that an instruction uses.
pub(super) enum Address {
    Fixed(u16),
    /// A base and an unknown index; in the zero page the sum wraps.
    Indexed {
        base: u16,
        index: Byte,
        wraps: bool,
    },
    Any([Bit; 16]),
}

/// The word that chooses among addresses, and its values with the address of each.
type Reach = (Vec<Bit>, Vec<(u64, u16)>);

impl Run<'_> {
    /// The address of an operand, and whether indexing crosses a page.
    pub(super) fn address(
        &mut self,
        state: &State,
        row: &Instruction,
        bytes: &[Byte],
        at: u16,
    ) -> Result<(Address, Bit), Blocked> {
        let zero = [Bit::FALSE; 8];
        let plain = |address| Ok((address, Bit::FALSE));
        match row.mode {
            Mode::ZeroPage => plain(fixed_or_any(&bytes[0], &zero)),
            Mode::ZeroPageX => plain(self.zero_page(&bytes[0], &state.x)),
            Mode::ZeroPageY => plain(self.zero_page(&bytes[0], &state.y)),
            Mode::Absolute => plain(fixed_or_any(&bytes[0], &bytes[1])),
            Mode::AbsoluteX => Ok(self.indexed(&bytes[0], &bytes[1], &state.x)),
            Mode::AbsoluteY => Ok(self.indexed(&bytes[0], &bytes[1], &state.y)),
            Mode::IndirectX => {
                let one = byte(1);
                let next = self.graph().add_bytes(&bytes[0], &one, Bit::FALSE).0;
                let (lo_at, hi_at) = (self.zero_page(&bytes[0], &state.x), self.zero_page(&next, &state.x));
                let (lo, hi) = (self.load(state, &lo_at, at)?, self.load(state, &hi_at, at)?);
                plain(fixed_or_any(&lo, &hi))
            }
            Mode::IndirectY => {
                let one = byte(1);
                let next = self.graph().add_bytes(&bytes[0], &one, Bit::FALSE).0;
                let lo = self.load(state, &fixed_or_any(&bytes[0], &zero), at)?;
                let hi = self.load(state, &fixed_or_any(&next, &zero), at)?;
                Ok(self.indexed(&lo, &hi, &state.y))
            }
            _ => Err(Blocked::undecided(at, "an addressing mode that the 6502 has not")),
        }
    }

    fn zero_page(&mut self, base: &Byte, index: &Byte) -> Address {
        match (known(base), known(index)) {
            (Some(base), Some(index)) => Address::Fixed(u16::from(base.wrapping_add(index))),
            (Some(base), None) => Address::Indexed { base: u16::from(base), index: *index, wraps: true },
            _ => {
                let sum = self.graph().add_bytes(base, index, Bit::FALSE).0;
                fixed_or_any(&sum, &[Bit::FALSE; 8])
            }
        }
    }

    fn indexed(&mut self, lo: &Byte, hi: &Byte, index: &Byte) -> (Address, Bit) {
        let (low, carry) = self.graph().add_bytes(lo, index, Bit::FALSE);
        if let (Some(lo), Some(hi)) = (known(lo), known(hi)) {
            let base = u16::from_le_bytes([lo, hi]);
            let address = match known(index) {
                Some(index) => Address::Fixed(base.wrapping_add(u16::from(index))),
                None => Address::Indexed { base, index: *index, wraps: false },
            };
            return (address, carry);
        }
        let high = self.graph().add_bytes(hi, &[Bit::FALSE; 8], carry).0;
        (fixed_or_any(&low, &high), carry)
    }

    /// The addresses that an unknown one can mean, with the word that chooses among them and its first value.
    fn reach(&mut self, state: &State, address: &Address, at: u16) -> Result<Option<Reach>, Blocked> {
        let word: Vec<Bit> = match address {
            Address::Fixed(_) => Vec::new(),
            Address::Indexed { index, .. } => index.to_vec(),
            Address::Any(bits) => bits.to_vec(),
        };
        self.decisions.extend(&word);
        let (lo, hi) = self.world.bounds(&state.path, &word, at)?;
        if hi - lo >= self.world.limits.addresses as u64 {
            return Ok(None);
        }
        let place = |value: u64| match address {
            Address::Fixed(address) => *address,
            Address::Indexed { base, wraps: true, .. } => base.wrapping_add(value as u16) & 0xff,
            Address::Indexed { base, .. } => base.wrapping_add(value as u16),
            Address::Any(_) => value as u16,
        };
        let places = (lo..=hi).map(|value| (value, place(value))).collect();
        Ok(Some((word, places)))
    }

    pub(super) fn load(&mut self, state: &State, address: &Address, at: u16) -> Result<Byte, Blocked> {
        if let Address::Fixed(address) = address {
            return Ok(state.memory.get(self.world, *address));
        }
        let Some((word, places)) = self.reach(state, address, at)? else {
            // The proof stays valid with any byte; a refutation has to pass the replay.
            self.world.is_approximate = true;
            return Ok(self.world.fresh_byte());
        };
        let entries: Vec<Byte> =
            places.iter().map(|&(_, place)| state.memory.get(self.world, place)).collect();
        Ok(self.pick(&word, places[0].0, &entries))
    }

    /// The entry that a word chooses, whose first is for a value and whose others follow.
    fn pick(&mut self, word: &[Bit], first: u64, entries: &[Byte]) -> Byte {
        pick(self.graph(), word, first, entries)
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        address: &Address,
        value: Byte,
        at: u16,
    ) -> Result<(), Blocked> {
        if let Address::Fixed(address) = address {
            state.memory.set(*address, value);
            return Ok(());
        }
        let Some((word, places)) = self.reach(state, address, at)? else {
            let limit = self.world.limits.addresses;
            let reason = format!("a store to more than {limit} possible addresses (--addresses)");
            return Err(Blocked::undecided(at, reason));
        };
        for (choice, place) in places {
            let chosen = self.graph().is_value(&word, choice);
            let old = state.memory.get(self.world, place);
            let new = self.graph().choose(chosen, &value, &old);
            state.memory.set(place, new);
        }
        Ok(())
    }
}

fn fixed_or_any(lo: &Byte, hi: &Byte) -> Address {
    let bits: [Bit; 16] = std::array::from_fn(|i| if i < 8 { lo[i] } else { hi[i - 8] });
    match known_word(&bits) {
        Some(address) => Address::Fixed(address as u16),
        None => Address::Any(bits),
    }
}

/// The entry that a word chooses, whose first is for the value `first` and whose others follow.
pub fn pick(graph: &mut Graph, word: &[Bit], first: u64, entries: &[Byte]) -> Byte {
    let last = first + entries.len() as u64 - 1;
    let bits = (64 - last.leading_zeros()) as usize;
    let places = 1u64 << bits;
    if places <= 2 * entries.len() as u64 || places <= 256 {
        // The low bits of the word choose; what cannot be chosen may be anything.
        let at = |value: u64| entries[value.clamp(first, last) as usize - first as usize];
        let all: Vec<Byte> = (0..=last).map(at).collect();
        return graph.select(&word[..bits.min(word.len())], &all);
    }
    let less: Vec<Bit> = (0..word.len()).map(|bit| Bit::of(!first >> bit & 1 == 1)).collect();
    let offset = graph.add(word, &less, Bit::TRUE).0;
    let bits = (64 - (entries.len() as u64 - 1).leading_zeros()) as usize;
    graph.select(&offset[..bits], entries)
}
