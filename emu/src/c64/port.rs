//! The expansion port: what a device in it can ask of the board and what the board asks it. A device knows addresses of
//! its own windows and the bus during DMA; it knows neither the CPU nor the chips. Several can be plugged in at once, one of
//! each kind, as in an expander: a cartridge and a RAM expansion.
//!
//! A device is a module that implements [`Port`] and a line in `devices!` below.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cartridge::Cartridge;
use super::reu::Reu;
use crate::state::{State, StateError};

/// The bytes that ROML or ROMH selects.
pub const BANK: usize = 0x2000;

/// How a device changes the memory map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Banks {
    /// EXROM is low.
    pub exrom: bool,
    /// GAME is low.
    pub game: bool,
    /// Numbers of what ROML and ROMH show. The board keeps copies, and asks for new ones when a number changes.
    pub shown: [u16; 2],
}

/// The memory map that EXROM and GAME choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MapMode {
    /// The machine's own.
    Plain,
    /// ROML at $8000.
    Rom8K,
    /// ROML at $8000, ROMH at $A000.
    Rom16K,
    /// ROML at $8000, ROMH at $E000, RAM only below $1000.
    Ultimax,
}

impl Banks {
    pub(super) fn mode(self) -> MapMode {
        match (self.exrom, self.game) {
            (false, false) => MapMode::Plain,
            (true, false) => MapMode::Rom8K,
            (true, true) => MapMode::Rom16K,
            (false, true) => MapMode::Ultimax,
        }
    }
}

/// The two halves of a cartridge's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// At $8000.
    Low,
    /// At $A000, or at $E000 in Ultimax mode.
    High,
}

/// The C64's side while a device has the bus. Every call is a cycle, or more where the VIC has the bus.
pub trait Dma {
    /// A read, as the CPU would see it.
    fn read(&mut self, addr: u16) -> u8;
    /// A write, as the CPU would make it.
    fn write(&mut self, addr: u16, value: u8);
}

/// A device in the expansion port. What it does not use has a default; the board asks for lines, banks and DMA again
/// after every call that may change them.
pub trait Port {
    /// EXROM, GAME and the banks.
    fn banks(&self) -> Banks {
        Banks::default()
    }

    /// The bytes of a half. `None` if it is empty, or if each access is to be asked for by [`Port::read_rom`], as a flash
    /// chip in a command is.
    fn rom(&self, half: Half) -> Option<&[u8; BANK]> {
        let _ = half;
        None
    }

    /// The byte that a read of a half without a bank would return, without effects; `None` if nothing answers.
    fn peek_rom(&self, half: Half, offset: u16) -> Option<u8> {
        let _ = (half, offset);
        None
    }

    /// A read of a half without bytes of its own.
    fn read_rom(&mut self, half: Half, offset: u16) -> Option<u8> {
        self.peek_rom(half, offset)
    }

    /// A write to a half, which reaches the device in Ultimax mode only. The board takes the bytes anew after it.
    fn write_rom(&mut self, half: Half, offset: u16, value: u8) {
        let _ = (half, offset, value);
    }

    /// The byte that a read of I/O 1 or I/O 2 ($DE00 to $DFFF) would return, without effects; `None` if the device does not answer.
    fn peek_io(&self, addr: u16) -> Option<u8> {
        let _ = addr;
        None
    }

    /// A read of I/O 1 or I/O 2.
    fn read_io(&mut self, addr: u16) -> Option<u8> {
        self.peek_io(addr)
    }

    /// A write to I/O 1 or I/O 2.
    fn write_io(&mut self, addr: u16, value: u8) {
        let _ = (addr, value);
    }

    /// The address that the device waits for the CPU to write to, wherever that write goes.
    fn watched(&self) -> Option<u16> {
        None
    }

    /// The watched address was written to.
    fn written(&mut self) {}

    /// Whether it pulls IRQ.
    fn is_irq_low(&self) -> bool {
        false
    }

    /// Whether it pulls NMI.
    fn is_nmi_low(&self) -> bool {
        false
    }

    /// Whether it pulls DMA: it wants the bus before the CPU's next read.
    fn is_dma_low(&self) -> bool {
        false
    }

    /// It has the bus, until it returns.
    fn use_bus(&mut self, bus: &mut dyn Dma) {
        let _ = bus;
    }

    /// Advances by `cycles`.
    fn tick(&mut self, cycles: u64) {
        let _ = cycles;
    }

    /// For how many cycles it surely changes nothing by itself.
    fn quiet_for(&self) -> u64 {
        u64::MAX
    }

    /// RESET is pulled.
    fn reset(&mut self);

    /// Refuses a state that was loaded and that no device can have.
    fn check(&self) -> Result<(), StateError> {
        Ok(())
    }
}

/// The devices: an enum, so that a machine is plain data and a clone of it is a snapshot. The number is that of saved
/// machines.
macro_rules! devices {
    ($($(#[cfg($when:meta)])? $number:literal $name:ident($device:ty): $about:literal,)*) => {
        /// A device for the expansion port.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Device {
            $($(#[cfg($when)])? #[doc = $about] $name(Box<$device>),)*
        }

        impl Device {
            fn port(&self) -> &dyn Port {
                match self { $($(#[cfg($when)])? Device::$name(device) => &**device,)* }
            }

            fn port_mut(&mut self) -> &mut dyn Port {
                match self { $($(#[cfg($when)])? Device::$name(device) => &mut **device,)* }
            }
        }

        $($(#[cfg($when)])? impl From<$device> for Device {
            fn from(device: $device) -> Device {
                Device::$name(Box::new(device))
            }
        })*

        impl State for Device {
            fn save(&self, to: &mut Vec<u8>) {
                match self { $($(#[cfg($when)])? Device::$name(device) => {
                    to.push($number);
                    device.save(to);
                })* }
            }
            fn load(from: &mut &[u8]) -> Result<Device, StateError> {
                match u8::load(from)? {
                    $($(#[cfg($when)])? $number => State::load(from).map(Device::$name),)*
                    _ => Err(StateError::Impossible("a device in the expansion port that there is not")),
                }
            }
        }
    };
}

devices! {
    1 Reu(Reu): "A RAM expansion.",
    2 Cartridge(Cartridge): "A cartridge.",
    #[cfg(test)] 255 Probe(super::board::probe::Probe): "What the tests plug in.",
}

/// The plugged-in devices. They share the lines, and each sees every access. Where two would answer, the one that was
/// plugged in first does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Expansion {
    devices: Vec<Device>,
}

impl Expansion {
    pub(super) fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    pub(super) fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// Puts a device in, in place of the one of its kind.
    pub(super) fn plug(&mut self, device: Device) {
        let kind = core::mem::discriminant(&device);
        match self.devices.iter_mut().find(|other| core::mem::discriminant(*other) == kind) {
            Some(other) => *other = device,
            None => self.devices.push(device),
        }
    }

    /// Takes devices out.
    pub(super) fn unplug(&mut self, is_meant: impl Fn(&Device) -> bool) {
        self.devices.retain(|device| !is_meant(device));
    }

    fn ports(&self) -> impl Iterator<Item = &dyn Port> {
        self.devices.iter().map(Device::port)
    }

    fn ports_mut(&mut self) -> impl Iterator<Item = &mut dyn Port> {
        self.devices.iter_mut().map(Device::port_mut)
    }

    /// The bank of the cartridge that is switched in, if there is a cartridge.
    pub(super) fn cartridge_bank(&self) -> Option<u16> {
        self.devices.iter().find_map(|device| match device {
            Device::Cartridge(cartridge) => Some(cartridge.bank()),
            _ => None,
        })
    }

    /// The banks of the device that changes the memory map.
    pub(super) fn banks(&self) -> Banks {
        let mut all = self.ports().map(Port::banks);
        all.find(|banks| banks.exrom || banks.game).unwrap_or_default()
    }

    /// The devices whose memory is shown: the one that changes the map, if one does.
    fn shown(&self) -> impl Iterator<Item = &dyn Port> {
        self.ports().filter(|port| port.banks().exrom || port.banks().game).take(1)
    }

    fn shown_mut(&mut self) -> Option<&mut dyn Port> {
        self.ports_mut().find(|port| port.banks().exrom || port.banks().game)
    }

    pub(super) fn rom(&self, half: Half) -> Option<&[u8; BANK]> {
        self.shown().find_map(|port| port.rom(half))
    }

    pub(super) fn peek_rom(&self, half: Half, offset: u16) -> Option<u8> {
        self.shown().find_map(|port| port.peek_rom(half, offset))
    }

    pub(super) fn read_rom(&mut self, half: Half, offset: u16) -> Option<u8> {
        self.shown_mut()?.read_rom(half, offset)
    }

    pub(super) fn write_rom(&mut self, half: Half, offset: u16, value: u8) {
        if let Some(port) = self.shown_mut() {
            port.write_rom(half, offset, value);
        }
    }

    pub(super) fn peek_io(&self, addr: u16) -> Option<u8> {
        self.ports().find_map(|port| port.peek_io(addr))
    }

    /// All devices see the read, since it may change them.
    pub(super) fn read_io(&mut self, addr: u16) -> Option<u8> {
        self.ports_mut().fold(None, |answer, port| {
            let own = port.read_io(addr);
            answer.or(own)
        })
    }

    pub(super) fn write_io(&mut self, addr: u16, value: u8) {
        self.ports_mut().for_each(|port| port.write_io(addr, value));
    }

    pub(super) fn watched(&self) -> Option<u16> {
        self.ports().find_map(Port::watched)
    }

    pub(super) fn written(&mut self) {
        self.ports_mut().filter(|port| port.watched().is_some()).for_each(Port::written);
    }

    pub(super) fn is_irq_low(&self) -> bool {
        self.ports().any(Port::is_irq_low)
    }

    pub(super) fn is_nmi_low(&self) -> bool {
        self.ports().any(Port::is_nmi_low)
    }

    pub(super) fn is_dma_low(&self) -> bool {
        self.ports().any(Port::is_dma_low)
    }

    /// The first device that pulls DMA has the bus, until it returns.
    pub(super) fn use_bus(&mut self, bus: &mut dyn Dma) {
        if let Some(port) = self.ports_mut().find(|port| port.is_dma_low()) {
            port.use_bus(bus);
        }
    }

    pub(super) fn tick(&mut self, cycles: u64) {
        self.ports_mut().for_each(|port| port.tick(cycles));
    }

    pub(super) fn quiet_for(&self) -> u64 {
        self.ports().map(Port::quiet_for).min().unwrap_or(u64::MAX)
    }

    pub(super) fn reset(&mut self) {
        self.ports_mut().for_each(Port::reset);
    }

    pub(super) fn check(&self) -> Result<(), StateError> {
        self.ports().try_for_each(Port::check)
    }
}

impl State for Expansion {
    fn save(&self, to: &mut Vec<u8>) {
        (self.devices.len() as u8).save(to);
        self.devices.iter().for_each(|device| device.save(to));
    }

    fn load(from: &mut &[u8]) -> Result<Expansion, StateError> {
        let mut expansion = Expansion::default();
        let count = u8::load(from)?;
        for _ in 0..count {
            expansion.plug(Device::load(from)?);
        }
        match expansion.devices.len() == usize::from(count) {
            true => Ok(expansion),
            false => Err(StateError::Impossible("the expansion port has two devices of one kind")),
        }
    }
}
