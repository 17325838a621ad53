//! The board's side of the expansion port: what the devices ask for, accesses that reach them, and cycles in which one has
//! the bus. The devices are in `port`.

use super::Board;
use crate::Bus;
use crate::c64::port::{BANK, Banks, Device, Dma, Expansion, Half, MapMode};
use crate::c64::reu::Reu;

/// The requests of a device in the expansion port, as of the last time it was touched.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    pub(super) banks: Banks,
    pub(super) watched: Option<u16>,
    pub(super) irq: bool,
    pub(super) nmi: bool,
    pub(super) dma: bool,
}

impl Board {
    /// Plugs a RAM expansion of this many kilobytes in, empty, or pulls it out with 0. Whether there is one of that size: 128,
    /// 256, 512, and so on to 16384.
    pub fn expand(&mut self, kilobytes: usize) -> bool {
        let reu = Reu::new(kilobytes);
        let is_known = reu.is_some() || kilobytes == 0;
        match reu {
            Some(reu) => self.plug(Device::from(reu)),
            None if is_known => self.unplug(|device| matches!(device, Device::Reu(_))),
            None => {}
        }
        is_known
    }

    /// Puts a device in the expansion port beside what is there, in place of the one of its kind.
    pub fn plug(&mut self, device: impl Into<Device>) {
        self.run_expansion(self.cias_at);
        self.expansion.plug(device.into());
        self.expansion_changed();
    }

    /// Takes devices out of the expansion port.
    pub fn unplug(&mut self, is_meant: impl Fn(&Device) -> bool) {
        self.run_expansion(self.cias_at);
        self.expansion.unplug(is_meant);
        self.expansion_changed();
    }

    /// The devices in the expansion port.
    pub fn devices(&self) -> &[Device] {
        self.expansion.devices()
    }

    fn expansion_changed(&mut self) {
        self.expansion_at = self.cias_at;
        self.take_banks();
        self.touched();
    }

    /// Asks what is in the expansion port for its lines; whether the map is the one before.
    pub(super) fn ask_expansion(&mut self) -> bool {
        let old = self.asked.banks;
        let port = &self.expansion;
        self.asked = Asked {
            banks: port.banks(),
            watched: port.watched(),
            irq: port.is_irq_low(),
            nmi: port.is_nmi_low(),
            dma: port.is_dma_low(),
        };
        self.asked.banks == old
    }

    /// The device in the expansion port was read, written to or run: its lines may have changed.
    pub(super) fn expansion_touched(&mut self) {
        if !self.ask_expansion() {
            self.take_banks();
        }
    }

    pub(super) fn run_expansion(&mut self, done: u64) {
        if self.expansion_at < done {
            if !self.expansion.is_empty() {
                self.expansion.tick(done - self.expansion_at);
                self.expansion_touched();
            }
            self.expansion_at = done;
        }
    }

    /// A read that what is in the expansion port may answer.
    pub(super) fn read_expansion(
        &mut self,
        done: u64,
        read: impl FnOnce(&mut Expansion) -> Option<u8>,
    ) -> u8 {
        self.run_vic(done);
        self.run_expansion(done);
        if self.expansion.is_empty() {
            return self.vic.phi1();
        }
        let value = read(&mut self.expansion).unwrap_or(self.vic.phi1());
        self.expansion_touched();
        self.drive_lines();
        value
    }

    /// The half of the expansion port's memory at an address where there is no RAM, and the place in it.
    fn half_at(addr: u16) -> Option<(Half, u16)> {
        let offset = addr & (BANK as u16 - 1);
        match addr >> 13 {
            0b100 => Some((Half::Low, offset)),
            0b101 | 0b111 => Some((Half::High, offset)),
            _ => None,
        }
    }

    /// The half at an address where the map shows the devices, though they are not there.
    fn outside(&self, addr: u16) -> Option<(Half, u16)> {
        let is_at_a000 = addr >> 13 == 0b101;
        let is_ultimax = self.asked.banks.mode() == MapMode::Ultimax;
        Board::half_at(addr).filter(|_| !(is_at_a000 && is_ultimax))
    }

    pub(super) fn peek_outside(&self, addr: u16) -> u8 {
        let half = self.outside(addr);
        let answer = half.and_then(|(half, offset)| self.expansion.peek_rom(half, offset));
        answer.unwrap_or(self.vic.phi1())
    }

    pub(super) fn read_outside(&mut self, addr: u16, cycle: u64) -> u8 {
        let half = self.outside(addr);
        self.read_expansion(cycle + 1, |port| half.and_then(|(half, offset)| port.read_rom(half, offset)))
    }

    /// A write where there is no RAM.
    pub(super) fn write_outside(&mut self, addr: u16, value: u8) {
        if let Some((half, offset)) = self.outside(addr)
            && !self.expansion.is_empty()
        {
            self.expansion.write_rom(half, offset, value);
            self.take_banks();
        }
    }

    /// The device in the expansion port has the bus from this cycle on, unless the VIC takes it. The first cycle after it.
    pub(super) fn transfer(&mut self, cycle: u64) -> u64 {
        let mut expansion = core::mem::take(&mut self.expansion);
        let done = self.expansion_at;
        let cycle = self.high_from(cycle);
        let mut side =
            Side { board: self, cycle, is_low: false, is_writing: false, is_swap: false, has_waited: false };
        expansion.use_bus(&mut side);
        let cycle = side.next_read(true);
        self.granted = cycle;
        self.expansion = expansion;
        // What passed without it was its own doing.
        self.expansion_at = done;
        self.run_expansion(cycle);
        self.expansion_touched();
        if self.asked.banks.mode() != MapMode::Plain {
            // The map may have been drawn while the devices were out of the port.
            self.take_banks();
        }
        self.guard();
        self.run_cias(cycle);
        self.run_vic_if_due(cycle);
        cycle
    }
}

/// The board while the device in the expansion port has the bus: an access has to wait while the VIC has the bus.
struct Side<'a> {
    board: &'a mut Board,
    /// The next cycle, whether BA was low in the one before, and whether that was a write.
    cycle: u64,
    is_low: bool,
    is_writing: bool,
    /// That write followed a read, as in a swap; and it had to wait.
    is_swap: bool,
    has_waited: bool,
}

impl Side<'_> {
    /// The cycle of the next read, or of the CPU's first when the transfer is over. After a write the device looks at BA a cycle
    /// early. A BA that is high for one cycle only, between two sprites, is not seen by everyone.
    fn next_read(&mut self, is_over: bool) -> u64 {
        if !self.is_writing {
            return self.board.high_from(self.cycle);
        }
        if self.is_low {
            let cycle = self.board.high_from(self.cycle) + 1;
            return if self.is_swap { cycle } else { self.board.high_from(cycle) };
        }
        if self.is_swap && self.has_waited && self.board.is_low(self.cycle) {
            return self.board.high_from(self.cycle) + u64::from(is_over);
        }
        self.cycle
    }
}

impl Dma for Side<'_> {
    fn read(&mut self, addr: u16) -> u8 {
        let cycle = self.next_read(false);
        self.is_low = self.board.is_low(cycle);
        (self.is_writing, self.is_swap) = (false, true);
        self.cycle = cycle + 1;
        match self.board.below_port.get(usize::from(addr)) {
            Some(&below) => below,
            None => self.board.read_ready(addr, cycle),
        }
    }

    fn write(&mut self, addr: u16, value: u8) {
        // The first cycle with BA low can still be used.
        let is_late = self.board.is_low(self.cycle) && self.is_low;
        let is_low = self.board.is_low(self.cycle) && !is_late;
        if is_late {
            self.cycle = self.board.high_from(self.cycle);
        }
        // Only the first write after a read is the second half of a swap.
        self.is_swap = self.is_swap && !self.is_writing;
        (self.is_low, self.is_writing, self.has_waited) = (is_low, true, is_late);
        let cycle = self.cycle;
        self.cycle = cycle + 1;
        if addr < 2 {
            self.board.run_vic(cycle + 1);
            self.board.below_port[usize::from(addr)] = value;
        } else {
            self.board.write(addr, value, cycle);
        }
    }
}
