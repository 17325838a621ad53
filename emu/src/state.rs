//! Machines as bytes: a head with the name of the system and a version, the fields of every part in one order, a checksum.
//! Structs are listed with `state!`, which refuses to compile when a field is missing. Knows nothing of what the fields mean.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use tempo_isa::Family;

use crate::{Cpu, Lines, Phase, Pins, Port6510, Registers, Status, System, Unstable, Variant};

/// The first bytes of a saved machine.
const NAME: &[u8; 8] = b"TEMPOSYS";

/// The first bytes of machines saved up to format 6, when only a C64 could be saved.
const C64_NAME: &[u8; 8] = b"TEMPOC64";

/// Changes whenever a field does.
const VERSION: u16 = 9;

/// Why bytes are not a machine that can go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// They do not begin as a saved machine does.
    #[error("this is not a saved machine")]
    Foreign,
    /// Another version of this program made them.
    #[error("the machine was saved in format {found}, this program reads format {VERSION}")]
    Version {
        /// The version they have.
        found: u16,
    },
    /// The bytes end early, go on too long, or do not match their checksum.
    #[error("the saved machine is damaged")]
    Damaged,
    /// A machine that this version does not have.
    #[error("this is a saved {0}, a machine that this program does not have")]
    Unknown(String),
    /// Another machine was asked for.
    #[error("this is a saved {found}, not a saved {expected}")]
    Other {
        /// The machine they are.
        found: System,
        /// The machine they should be.
        expected: System,
    },
    /// A field has a value that no machine can have.
    #[error("the saved machine cannot be: {0}")]
    Impossible(&'static str),
}

/// State that can be written as bytes and read back.
pub trait State: Sized {
    /// Appends the bytes.
    fn save(&self, to: &mut Vec<u8>);
    /// Takes them from the front.
    fn load(from: &mut &[u8]) -> Result<Self, StateError>;
}

/// The bytes of a machine with head and checksum.
pub(crate) fn pack(system: System, machine: &impl State) -> Vec<u8> {
    let mut bytes = NAME.to_vec();
    VERSION.save(&mut bytes);
    system.name().as_bytes().to_vec().save(&mut bytes);
    machine.save(&mut bytes);
    let sum = checksum(&bytes);
    sum.save(&mut bytes);
    bytes
}

/// The system whose machine [`pack`] made bytes of, and the fields.
pub(crate) fn open(bytes: &[u8]) -> Result<(System, &[u8]), StateError> {
    let rest = bytes.strip_prefix(NAME).or_else(|| bytes.strip_prefix(C64_NAME));
    let mut rest = rest.ok_or(StateError::Foreign)?;
    let found = u16::load(&mut rest)?;
    if found != VERSION || bytes.starts_with(C64_NAME) {
        return Err(StateError::Version { found });
    }
    let (whole, mut sum) =
        bytes.split_last_chunk::<8>().map(|(whole, sum)| (whole, &sum[..])).ok_or(StateError::Damaged)?;
    if u64::load(&mut sum)? != checksum(whole) {
        return Err(StateError::Damaged);
    }
    let mut fields = whole.get(NAME.len() + 2..).ok_or(StateError::Damaged)?;
    let name = String::from_utf8(State::load(&mut fields)?).map_err(|_| StateError::Damaged)?;
    let system = System::ALL.into_iter().find(|system| system.name() == name);
    Ok((system.ok_or(StateError::Unknown(name))?, fields))
}

/// The machine that has these fields and nothing else.
pub(crate) fn unpack<T: State>(mut fields: &[u8]) -> Result<T, StateError> {
    let machine = T::load(&mut fields)?;
    if fields.is_empty() { Ok(machine) } else { Err(StateError::Damaged) }
}

/// FNV-1a over words: finds accidents, not forgeries.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    })
}

fn take<'a>(from: &mut &'a [u8], count: usize) -> Result<&'a [u8], StateError> {
    let (taken, rest) = from.split_at_checked(count).ok_or(StateError::Damaged)?;
    *from = rest;
    Ok(taken)
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl State for $number {
            fn save(&self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }
            fn load(from: &mut &[u8]) -> Result<Self, StateError> {
                let bytes = take(from, size_of::<$number>())?;
                Ok(<$number>::from_le_bytes(bytes.try_into().map_err(|_| StateError::Damaged)?))
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, i32, i64, f32);

impl State for bool {
    fn save(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }
    fn load(from: &mut &[u8]) -> Result<bool, StateError> {
        match u8::load(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(StateError::Impossible("a switch is neither on nor off")),
        }
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, to: &mut Vec<u8>) {
        for item in self {
            item.save(to);
        }
    }
    fn load(from: &mut &[u8]) -> Result<[T; N], StateError> {
        let items: Vec<T> = (0..N).map(|_| T::load(from)).collect::<Result<_, _>>()?;
        items.try_into().map_err(|_| StateError::Damaged)
    }
}

impl<T: State> State for Box<T> {
    fn save(&self, to: &mut Vec<u8>) {
        T::save(self, to);
    }
    fn load(from: &mut &[u8]) -> Result<Box<T>, StateError> {
        T::load(from).map(Box::new)
    }
}

impl<T: State> State for Option<T> {
    fn save(&self, to: &mut Vec<u8>) {
        self.is_some().save(to);
        if let Some(value) = self {
            value.save(to);
        }
    }
    fn load(from: &mut &[u8]) -> Result<Option<T>, StateError> {
        if bool::load(from)? { T::load(from).map(Some) } else { Ok(None) }
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, to: &mut Vec<u8>) {
        self.0.save(to);
        self.1.save(to);
    }
    fn load(from: &mut &[u8]) -> Result<(A, B), StateError> {
        Ok((A::load(from)?, B::load(from)?))
    }
}

impl State for Vec<u8> {
    fn save(&self, to: &mut Vec<u8>) {
        (self.len() as u32).save(to);
        to.extend(self);
    }
    fn load(from: &mut &[u8]) -> Result<Vec<u8>, StateError> {
        let count = u32::load(from)?;
        take(from, usize::try_from(count).map_err(|_| StateError::Damaged)?).map(<[u8]>::to_vec)
    }
}

impl State for Arc<[u8]> {
    fn save(&self, to: &mut Vec<u8>) {
        (self.len() as u32).save(to);
        to.extend(&**self);
    }
    fn load(from: &mut &[u8]) -> Result<Arc<[u8]>, StateError> {
        Vec::load(from).map(Arc::from)
    }
}

/// Implements [`State`] for a struct: all of its fields, in the order they are saved in.
macro_rules! state {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::state::State for $name {
            fn save(&self, to: &mut alloc::vec::Vec<u8>) {
                let $name { $($field),* } = self;
                $($crate::state::State::save($field, to);)*
            }
            fn load(from: &mut &[u8]) -> Result<$name, $crate::state::StateError> {
                Ok($name { $($field: $crate::state::State::load(from)?),* })
            }
        }
    };
}

/// Implements [`State`] for an enum without fields: all of its variants.
macro_rules! state_of_enum {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::state::State for $name {
            fn save(&self, to: &mut alloc::vec::Vec<u8>) {
                to.push(match self { $($name::$variant => $name::$variant as u8),* });
            }
            fn load(from: &mut &[u8]) -> Result<$name, $crate::state::StateError> {
                let number: u8 = $crate::state::State::load(from)?;
                $(if number == $name::$variant as u8 {
                    return Ok($name::$variant);
                })*
                Err($crate::state::StateError::Impossible(concat!("a ", stringify!($name), " that there is not")))
            }
        }
    };
}

pub(crate) use {state, state_of_enum};

state_of_enum!(Phase { Running, Reset, Held, Jammed, Waiting, Stopped });

impl<V: Variant> State for Cpu<V> {
    fn save(&self, to: &mut Vec<u8>) {
        let Registers { pc, a, x, y, s, p } = self.registers;
        pc.save(to);
        [a, x, y, s, p.byte()].save(to);
        self.cycles.save(to);
        self.phase.save(to);
        let Unstable { ane, ane_lost, lxa, sh } = self.unstable;
        [ane, ane_lost, lxa, sh, self.pending.bits()].save(to);
        self.is_v_late.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Cpu<V>, StateError> {
        let mut cpu = Cpu::new();
        let pc = State::load(from)?;
        let [a, x, y, s, p] = State::load(from)?;
        cpu.registers = Registers { pc, a, x, y, s, p: Status::from_byte(p) };
        cpu.cycles = State::load(from)?;
        cpu.phase = State::load(from)?;
        match cpu.phase {
            Phase::Running | Phase::Reset | Phase::Jammed => {}
            Phase::Waiting | Phase::Stopped if V::ISA.family() == Family::Cmos => {}
            _ => {
                return Err(StateError::Impossible("this CPU has no instruction that makes it wait or stop"));
            }
        }
        let [ane, ane_lost, lxa, sh, pending] = State::load(from)?;
        cpu.unstable = Unstable { ane, ane_lost, lxa, sh };
        cpu.pending = Pins::from_bits(pending);
        cpu.is_v_late = State::load(from)?;
        Ok(cpu)
    }
}

impl State for Port6510 {
    fn save(&self, to: &mut Vec<u8>) {
        let Port6510 { direction, data, pulled_up } = *self;
        [direction, data, pulled_up].save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Port6510, StateError> {
        let [direction, data, pulled_up] = State::load(from)?;
        Ok(Port6510 { direction, data, pulled_up })
    }
}

impl State for Pins {
    fn save(&self, to: &mut Vec<u8>) {
        self.bits().save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Pins, StateError> {
        u8::load(from).map(Pins::from_bits)
    }
}

impl State for Lines {
    fn save(&self, to: &mut Vec<u8>) {
        self.pins().bits().save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Lines, StateError> {
        u8::load(from).map(|bits| Lines::from_pins(Pins::from_bits(bits)))
    }
}
