//! The input pins: what a machine pulls low, and what the CPU remembers of it.

use core::ops::BitOr;

/// A set of input pins, or of what is known about them. All pins are active low: "set" here means pulled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pins(u8);

impl Pins {
    /// No pin.
    pub const NONE: Pins = Pins(0);
    /// A falling edge of NMI was seen and not yet served.
    pub const NMI_EDGE: Pins = Pins(0x01);
    /// A falling edge of SO was seen and not yet taken over into V.
    pub const SO_EDGE: Pins = Pins(0x02);
    /// IRQ is low. The bit is that of the I flag, so that masking is one operation.
    pub const IRQ: Pins = Pins(0x04);
    /// NMI is low.
    pub const NMI: Pins = Pins(0x10);
    /// RDY is low: reads repeat.
    pub const RDY: Pins = Pins(0x20);
    /// RES is low.
    pub const RES: Pins = Pins(0x40);
    /// SO is low.
    pub const SO: Pins = Pins(0x80);

    pub(crate) const fn from_bits(bits: u8) -> Pins {
        Pins(bits)
    }

    /// The set as a byte.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of these are in the set.
    pub const fn has(self, pins: Pins) -> bool {
        self.0 & pins.0 == pins.0
    }

    /// Whether any of these is in the set.
    pub const fn has_any(self, pins: Pins) -> bool {
        self.0 & pins.0 != 0
    }

    /// Those in both sets.
    #[must_use]
    pub const fn and(self, pins: Pins) -> Pins {
        Pins(self.0 & pins.0)
    }

    /// Those in either set.
    #[must_use]
    pub const fn or(self, pins: Pins) -> Pins {
        Pins(self.0 | pins.0)
    }

    /// Those that are not in the other set.
    #[must_use]
    pub const fn without(self, pins: Pins) -> Pins {
        Pins(self.0 & !pins.0)
    }

    /// The pins themselves, with a pin in place of each latched edge.
    pub(crate) const fn levels(self) -> Pins {
        let mut pins = self.without(Pins::NMI_EDGE.or(Pins::SO_EDGE));
        if self.has(Pins::NMI_EDGE) {
            pins = pins.or(Pins::NMI);
        }
        if self.has(Pins::SO_EDGE) {
            pins = pins.or(Pins::SO);
        }
        pins
    }

    /// The pins and their latched edges.
    pub(crate) const fn with_edges(self) -> Pins {
        let mut pins = self;
        if self.has(Pins::NMI) {
            pins = pins.or(Pins::NMI_EDGE);
        }
        if self.has(Pins::SO) {
            pins = pins.or(Pins::SO_EDGE);
        }
        pins
    }
}

impl BitOr for Pins {
    type Output = Pins;
    fn bitor(self, other: Pins) -> Pins {
        self.or(other)
    }
}

/// The pins as a machine drives them, with the CPU's edge latches. A bus that can interrupt holds one,
/// pulls and releases, and hands [`Lines::pins`] to the CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lines(Pins);

impl Lines {
    /// All pins high, no edge seen.
    pub const fn new() -> Lines {
        Lines(Pins::NONE)
    }

    /// Levels and latches as [`Lines::pins`] gave them.
    pub(crate) const fn from_pins(pins: Pins) -> Lines {
        Lines(pins)
    }

    /// Pulls pins low. NMI and SO latch when they were high before.
    pub const fn pull(&mut self, pins: Pins) {
        let falling = pins.without(self.0);
        if falling.has(Pins::NMI) {
            self.0 = self.0.or(Pins::NMI_EDGE);
        }
        if falling.has(Pins::SO) {
            self.0 = self.0.or(Pins::SO_EDGE);
        }
        self.0 = self.0.or(pins);
    }

    /// Lets pins go high again. A latched edge stays.
    pub const fn release(&mut self, pins: Pins) {
        self.0 = self.0.without(pins);
    }

    /// Levels and latches.
    #[inline(always)]
    pub const fn pins(&self) -> Pins {
        self.0
    }

    /// Forgets edges the CPU has served.
    pub const fn acknowledge(&mut self, edges: Pins) {
        self.0 = self.0.without(edges.and(Pins::NMI_EDGE.or(Pins::SO_EDGE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_outlives_its_pulse_and_a_held_line_has_only_one() {
        let mut lines = Lines::new();
        lines.pull(Pins::NMI);
        lines.release(Pins::NMI);
        assert_eq!(lines.pins(), Pins::NMI_EDGE);
        lines.acknowledge(Pins::NMI_EDGE);
        lines.pull(Pins::NMI);
        lines.acknowledge(Pins::NMI_EDGE);
        lines.pull(Pins::NMI);
        assert_eq!(lines.pins(), Pins::NMI);
    }
}
