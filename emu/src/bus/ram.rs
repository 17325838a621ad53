//! 64 KB of RAM and nothing else: the bus of test runs. An access costs what an array access costs.

use core::ops::{Index, IndexMut};

use crate::{Bus, FastBus, Hooks, Lines, Pins, PlainMemory, Run, Stop, Variant};

/// Flat RAM, with interrupt lines that the caller may pull between runs.
/// The bytes are inside the value, so that the CPU's loop needs no pointer to them; box it to pass it on.
#[derive(Clone, PartialEq, Eq)]
pub struct Ram {
    /// With two bytes more, so that the bytes of an instruction need no mask.
    memory: [u8; 0x10002],
    /// IRQ and NMI.
    pub lines: Lines,
}

/// Bytes do not fit between their address and the end of memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{len} bytes at ${addr:04X} run past $FFFF")]
pub struct LoadError {
    /// Where they were to go.
    pub addr: u16,
    /// How many they are.
    pub len: usize,
}

impl Ram {
    /// All zero, all lines high.
    pub const fn new() -> Ram {
        Ram::filled(0)
    }

    /// All bytes the same.
    pub const fn filled(byte: u8) -> Ram {
        let mut memory = [byte; 0x10002];
        memory[0x10000] = 0;
        memory[0x10001] = 0;
        Ram { memory, lines: Lines::new() }
    }

    /// All of the memory.
    pub fn bytes(&self) -> &[u8; 0x10000] {
        self.memory.first_chunk().expect("64 KB and two bytes")
    }

    /// All of the memory, to write to.
    pub fn bytes_mut(&mut self) -> &mut [u8; 0x10000] {
        self.memory.first_chunk_mut().expect("64 KB and two bytes")
    }

    /// Copies bytes to an address. Nothing is copied if they do not fit.
    pub fn load(&mut self, addr: u16, bytes: &[u8]) -> Result<(), LoadError> {
        let start = usize::from(addr);
        match self.bytes_mut().get_mut(start..start.saturating_add(bytes.len())) {
            Some(place) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(LoadError { addr, len: bytes.len() }),
        }
    }

    /// Two bytes, low byte first; the second wraps at the end of memory.
    pub fn word(&self, addr: u16) -> u16 {
        u16::from_le_bytes([self[addr], self[addr.wrapping_add(1)]])
    }

    /// Sets two bytes, low byte first.
    pub fn set_word(&mut self, addr: u16, value: u16) {
        let [lo, hi] = value.to_le_bytes();
        self[addr] = lo;
        self[addr.wrapping_add(1)] = hi;
    }
}

impl Default for Ram {
    fn default() -> Ram {
        Ram::new()
    }
}

impl Index<u16> for Ram {
    type Output = u8;
    #[inline(always)]
    fn index(&self, addr: u16) -> &u8 {
        &self.memory[usize::from(addr)]
    }
}

impl IndexMut<u16> for Ram {
    #[inline(always)]
    fn index_mut(&mut self, addr: u16) -> &mut u8 {
        &mut self.memory[usize::from(addr)]
    }
}

impl Bus for Ram {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI);

    #[inline(always)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self[addr]
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self[addr] = value;
    }

    #[inline(always)]
    fn look(&self, addr: u16) -> Option<u8> {
        Some(self[addr])
    }

    #[inline(always)]
    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.ram(self)
    }
}

impl FastBus for Ram {
    const MEMORY: PlainMemory = PlainMemory::Flat;

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.memory[place & 0xffff..][usize::from(offset).min(2)]
    }

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        Some(self[addr])
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        self[addr] = value;
        true
    }

    #[inline(always)]
    fn quiet_until(&self, pins: Pins, _cycle: u64) -> u64 {
        if self.lines.pins().has_any(pins) { 0 } else { u64::MAX }
    }
}

impl core::fmt::Debug for Ram {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ram").field("lines", &self.lines).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_up_to_the_last_byte_and_not_past_it() {
        let mut ram = Ram::new();
        assert_eq!(ram.load(0xfffe, &[1, 2]), Ok(()));
        assert_eq!(ram.word(0xfffe), 0x0201);
        let err = ram.load(0xfffe, &[1, 2, 3]).expect_err("too long");
        assert_eq!(alloc::format!("{err}"), "3 bytes at $FFFE run past $FFFF");
    }
}
