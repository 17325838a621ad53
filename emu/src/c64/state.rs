//! Machines as bytes: a head with a name and a version, the fields of every chip in one order, a checksum. Structs are
//! listed with `state!`, which refuses to compile when a field is missing. Knows nothing of what the fields mean.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// What a saved machine begins with.
const NAME: &[u8; 8] = b"TEMPOC64";

/// Changes whenever a field does.
pub(super) const VERSION: u16 = 6;

/// Why bytes are not a machine that can go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// They do not begin as a saved machine does.
    #[error("this is not a saved C64")]
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
    /// A field has a value that no machine can have.
    #[error("the saved machine cannot be: {0}")]
    Impossible(&'static str),
}

/// What can be written as bytes and read back.
pub(super) trait State: Sized {
    fn save(&self, to: &mut Vec<u8>);
    fn load(from: &mut &[u8]) -> Result<Self, StateError>;
}

/// The bytes of a machine with head and checksum.
pub(super) fn pack(machine: &impl State) -> Vec<u8> {
    let mut bytes = NAME.to_vec();
    VERSION.save(&mut bytes);
    machine.save(&mut bytes);
    let sum = checksum(&bytes);
    sum.save(&mut bytes);
    bytes
}

/// What [`pack`] made.
pub(super) fn unpack<T: State>(bytes: &[u8]) -> Result<T, StateError> {
    let mut rest = bytes.strip_prefix(NAME).ok_or(StateError::Foreign)?;
    let found = u16::load(&mut rest)?;
    if found != VERSION {
        return Err(StateError::Version { found });
    }
    let (whole, mut sum) =
        bytes.split_last_chunk::<8>().map(|(whole, sum)| (whole, &sum[..])).ok_or(StateError::Damaged)?;
    if u64::load(&mut sum)? != checksum(whole) {
        return Err(StateError::Damaged);
    }
    let mut fields = whole.get(NAME.len() + 2..).ok_or(StateError::Damaged)?;
    let machine = T::load(&mut fields)?;
    if fields.is_empty() { Ok(machine) } else { Err(StateError::Damaged) }
}

/// FNV-1a over words: finds accidents, not forgeries.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
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
        impl $crate::c64::state::State for $name {
            fn save(&self, to: &mut alloc::vec::Vec<u8>) {
                let $name { $($field),* } = self;
                $($crate::c64::state::State::save($field, to);)*
            }
            fn load(from: &mut &[u8]) -> Result<$name, $crate::c64::state::StateError> {
                Ok($name { $($field: $crate::c64::state::State::load(from)?),* })
            }
        }
    };
}

/// Implements [`State`] for an enum without fields: all of its variants.
macro_rules! state_of_enum {
    ($name:ident { $($variant:ident),* $(,)? }) => {
        impl $crate::c64::state::State for $name {
            fn save(&self, to: &mut alloc::vec::Vec<u8>) {
                to.push(match self { $($name::$variant => $name::$variant as u8),* });
            }
            fn load(from: &mut &[u8]) -> Result<$name, $crate::c64::state::StateError> {
                let number: u8 = $crate::c64::state::State::load(from)?;
                $(if number == $name::$variant as u8 {
                    return Ok($name::$variant);
                })*
                Err($crate::c64::state::StateError::Impossible(concat!("a ", stringify!($name), " that there is not")))
            }
        }
    };
}

pub(super) use {state, state_of_enum};
