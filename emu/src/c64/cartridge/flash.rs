//! The command side of an AM29F040, 512 KB of flash memory. A command is done at once: a program that waits for it sees it
//! finished at its first look.

use alloc::sync::Arc;

use crate::state::{state, state_of_enum};

/// The place in a sequence of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Step {
    /// Reads give the memory.
    #[default]
    Reading,
    /// $AA was written to $555.
    Unlocking,
    /// And $55 to $2AA.
    Unlocked,
    /// The next write programs a byte.
    Program,
    /// The first half of an erase command was written; the same unlock follows.
    Erase,
    EraseUnlocking,
    EraseUnlocked,
    /// Reads give the maker and the device.
    Identity,
    /// The unlock of a command that ends that.
    IdentityUnlocking,
    IdentityUnlocked,
}

state_of_enum!(Step {
    Reading,
    Unlocking,
    Unlocked,
    Program,
    Erase,
    EraseUnlocking,
    EraseUnlocked,
    Identity,
    IdentityUnlocking,
    IdentityUnlocked,
});

/// The chip without its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flash {
    step: Step,
}

state!(Flash { step });

/// Bytes that are erased together.
const SECTOR: usize = 0x1_0000;

impl Flash {
    /// Whether reads give the memory.
    pub(super) fn is_reading(self) -> bool {
        !matches!(self.step, Step::Identity | Step::IdentityUnlocking | Step::IdentityUnlocked)
    }

    /// The byte of a read while the chip identifies itself: maker AMD, device AM29F040, no sector protected.
    pub(super) fn identity(self, offset: u16) -> u8 {
        match offset & 0xff {
            0 => 0x01,
            1 => 0xa4,
            _ => 0x00,
        }
    }

    /// A write to the chip. `size` is that of the whole chip, which the memory grows to when a byte there is programmed.
    pub(super) fn write(&mut self, memory: &mut Arc<[u8]>, size: usize, at: usize, value: u8) {
        // Eleven address lines take part in commands.
        let command = (at & 0x7ff, value);
        self.step = match (self.step, command) {
            (Step::Program, _) => {
                program(memory, size, at, value);
                Step::Reading
            }
            (Step::Reading | Step::Unlocking | Step::Unlocked, (_, 0xf0)) => Step::Reading,
            (Step::Identity | Step::IdentityUnlocking | Step::IdentityUnlocked, (_, 0xf0)) => Step::Reading,
            (Step::Reading, (0x555, 0xaa)) => Step::Unlocking,
            (Step::Unlocking, (0x2aa, 0x55)) => Step::Unlocked,
            (Step::Unlocked | Step::IdentityUnlocked, (0x555, 0xa0)) => Step::Program,
            (Step::Unlocked | Step::IdentityUnlocked, (0x555, 0x80)) => Step::Erase,
            (Step::Unlocked | Step::IdentityUnlocked, (0x555, 0x90)) => Step::Identity,
            (Step::Erase, (0x555, 0xaa)) => Step::EraseUnlocking,
            (Step::EraseUnlocking, (0x2aa, 0x55)) => Step::EraseUnlocked,
            (Step::EraseUnlocked, (0x555, 0x10)) => {
                Arc::make_mut(memory).fill(0xff);
                Step::Reading
            }
            (Step::EraseUnlocked, (_, 0x30)) => {
                let first = (at & !(SECTOR - 1)).min(memory.len());
                let end = (first + SECTOR).min(memory.len());
                Arc::make_mut(memory)[first..end].fill(0xff);
                Step::Reading
            }
            (Step::Identity, (0x555, 0xaa)) => Step::IdentityUnlocking,
            (Step::IdentityUnlocking, (0x2aa, 0x55)) => Step::IdentityUnlocked,
            (Step::Identity | Step::IdentityUnlocking | Step::IdentityUnlocked, _) => Step::Identity,
            _ => Step::Reading,
        };
    }
}

/// Programs a byte: bits can be cleared, not set.
fn program(memory: &mut Arc<[u8]>, size: usize, at: usize, value: u8) {
    if at >= size || (at >= memory.len() && value == 0xff) {
        return;
    }
    if at >= memory.len() {
        const BANK: usize = super::BANK;
        let mut larger = memory.to_vec();
        larger.resize((at / BANK + 1) * BANK, 0xff);
        *memory = Arc::from(larger);
    }
    Arc::make_mut(memory)[at] &= value;
}
