//! RAM with a RAM expansion at $DF00 and nothing else of a C64: for programs that are run without its chips. The
//! expansion is there while $01 shows the I/O chips; ports have no direction here, and no line of the CPU is pulled.

use super::port::Dma;
use super::reu::{Reu, TRIGGER};
use crate::{Bus, CodeWindow, FastBus, Hooks, Pins, PlainMemory, Ram, Run, Stop, Variant};

/// The page of the expansion's registers.
const PAGE: u16 = 0xdf;

/// A memory and the expansion beside it. Both outlive a run, so they are borrowed for it.
///
/// ```
/// use tempo_emu::c64::{Expanded, Reu};
/// use tempo_emu::{Cpu, Nmos, Ram, Until};
///
/// let (mut ram, mut reu) = (Box::new(Ram::new()), Reu::new(128).expect("the smallest one"));
/// ram[1] = 0x35;
/// // Length 16, then stash at once: lda #16, sta $df07, lda #0, sta $df08, lda #$90, sta $df01, brk
/// let program = [0xa9, 16, 0x8d, 7, 0xdf, 0xa9, 0, 0x8d, 8, 0xdf, 0xa9, 0x90, 0x8d, 1, 0xdf, 0];
/// ram.load(0x1000, &program).expect("it fits");
/// let mut cpu = Cpu::<Nmos>::new();
/// cpu.registers.pc = 0x1000;
/// cpu.run(&mut Expanded { ram: &mut ram, reu: &mut reu }, Until::brk());
/// // Six instructions, and a cycle for each byte.
/// assert_eq!(cpu.cycles, 3 * (2 + 4) + 16);
/// ```
#[derive(Debug)]
pub struct Expanded<'a> {
    /// 64 KB.
    pub ram: &'a mut Ram,
    /// The expansion.
    pub reu: &'a mut Reu,
}

impl Expanded<'_> {
    /// Whether the I/O chips are shown.
    fn shows_devices(&self) -> bool {
        let port = self.ram[1];
        port & 0b100 != 0 && port & 0b011 != 0
    }
}

/// The memory during a transfer.
struct Side<'a> {
    ram: &'a mut Ram,
    cycles: u64,
}

impl Dma for Side<'_> {
    fn read(&mut self, addr: u16) -> u8 {
        self.cycles += 1;
        self.ram[addr]
    }

    fn write(&mut self, addr: u16, value: u8) {
        self.cycles += 1;
        self.ram[addr] = value;
    }
}

impl Bus for Expanded<'_> {
    const PINS: Pins = Pins::RDY;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        match addr >> 8 == PAGE && self.shows_devices() {
            true => self.reu.read(addr as u8),
            false => self.ram[addr],
        }
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        match addr >> 8 == PAGE && self.shows_devices() {
            true => self.reu.write(addr as u8, value),
            false => self.ram[addr] = value,
        }
        if addr == TRIGGER && self.reu.is_armed() {
            self.reu.trigger();
        }
    }

    fn look(&self, addr: u16) -> Option<u8> {
        Some(match addr >> 8 == PAGE && self.shows_devices() {
            true => self.reu.peek(addr as u8),
            false => self.ram[addr],
        })
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.fast(self)
    }
}

impl FastBus for Expanded<'_> {
    const MEMORY: PlainMemory = PlainMemory::Paged;
    const KNOWS_READY: bool = true;

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        let (first, last) = match pc >> 8 {
            PAGE => return None,
            0..PAGE => (0x0000, 0xdefd),
            _ => (0xe000, 0xfffd),
        };
        Some(CodeWindow { first, last, place: usize::from(first) })
    }

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.ram.read_code(place, offset)
    }

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        (addr >> 8 != PAGE).then(|| self.ram[addr])
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        let is_plain = addr >> 8 != PAGE && addr != TRIGGER;
        if is_plain {
            self.ram[addr] = value;
        }
        is_plain
    }

    #[inline(always)]
    fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
        if self.reu.is_due() { 0 } else { u64::MAX }
    }

    fn ready_at(&mut self, cycle: u64) -> u64 {
        if !self.reu.is_due() {
            return cycle;
        }
        let mut side = Side { ram: self.ram, cycles: cycle };
        self.reu.transfer(&mut side);
        side.cycles
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;
    use crate::{Cpu, Nmos, Until};

    /// Runs code at $1000 to its `brk`; cycles, memory and expansion after it.
    fn run(port: u8, code: &[u8], fill: impl FnOnce(&mut Ram)) -> (u64, Box<Ram>, Reu) {
        let (mut ram, mut reu) = (Box::new(Ram::new()), Reu::new(512).expect("there is one of that size"));
        ram[1] = port;
        fill(&mut ram);
        ram.load(0x1000, code).expect("it fits");
        let mut cpu = Cpu::<Nmos>::new();
        cpu.registers.pc = 0x1000;
        cpu.run(&mut Expanded { ram: &mut ram, reu: &mut reu }, Until::brk());
        (cpu.cycles, ram, reu)
    }

    /// `lda #value`, `sta $dfxx` for each pair.
    fn stores(pairs: &[(u8, u8)]) -> alloc::vec::Vec<u8> {
        pairs.iter().flat_map(|&(register, value)| [0xa9, value, 0x8d, register, 0xdf]).collect()
    }

    #[test]
    fn bytes_go_there_and_back_a_cycle_each() {
        // 16 bytes at $2000 to bank 7, $1230; then back to $3000.
        let code = stores(&[
            (2, 0x00),
            (3, 0x20),
            (4, 0x30),
            (5, 0x12),
            (6, 7),
            (7, 16),
            (8, 0),
            (1, 0xb0),
            (3, 0x30),
            (1, 0xb1),
        ]);
        let (cycles, ram, _) = run(0x35, &code, |ram| {
            for at in 0..16 {
                ram[0x2000 + at] = 100 + at as u8;
            }
        });
        assert_eq!(
            ram.bytes()[0x3000..0x3011],
            [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 0]
        );
        assert_eq!(cycles, 10 * 6 + 2 * 16);
    }

    #[test]
    fn a_transfer_can_wait_for_the_trigger() {
        let mut code = stores(&[(2, 0x00), (3, 0x20), (7, 1), (8, 0), (1, 0xa0)]);
        // lda #$77, sta $2000, sta $ff00, lda #0, sta $2000; then fetch.
        code.extend([0xa9, 0x77, 0x8d, 0x00, 0x20, 0x8d, 0x00, 0xff, 0xa9, 0, 0x8d, 0x00, 0x20]);
        code.extend(stores(&[(1, 0xb1)]));
        let (_, ram, _) = run(0x35, &code, |_| {});
        assert_eq!((ram[0x2000], ram[0xff00]), (0x77, 0x77));
    }

    #[test]
    fn without_the_chips_there_is_memory() {
        for port in [0x30, 0x33, 0x34] {
            let (_, ram, reu) = run(port, &stores(&[(2, 0x12), (1, 0xb1)]), |_| {});
            assert_eq!((ram[0xdf02], ram[0xdf01]), (0x12, 0xb1), "${port:02X}");
            assert_eq!(Some(reu), Reu::new(512));
        }
    }
}
