//! The models of the machine: what differs between them is a row of data each.

use crate::c64::cia::CiaChip;
use crate::c64::sid::SidChip;
use crate::state::state_of_enum;

/// The properties that differ between the models of the machine: a row of data each.
pub(super) struct Spec {
    pub(super) clock: u32,
    pub(super) mains: u32,
    pub(super) cycles_per_line: u8,
    pub(super) lines: u16,
    /// Rows of the picture, and the raster line of the first.
    pub(super) height: usize,
    pub(super) first_line: u16,
    /// The cycle in which the pointer of sprite 0 is read.
    pub(super) first_pointer: u8,
    /// Positions of a line, and the cycle whose position the chip counts twice.
    pub(super) positions: u16,
    pub(super) repeated: Option<u8>,
    /// The position that a light pen latches if it is low at the start of a frame.
    pub(super) pen_at_start: u8,
    pub(super) vic: Process,
    pub(super) cia: CiaChip,
    pub(super) sid: SidChip,
    /// Cycles that lines 6 and 7 of the CPU's port keep their charge.
    pub(super) port_fades: u64,
}

/// The generation of the video chip, which decides how fast register writes reach the stages that make the pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::c64) enum Process {
    /// 6567 and 6569.
    Nmos,
    /// 8562 and 8565.
    Hmos,
}

macro_rules! models {
    ($($(#[$attribute:meta])* $model:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// A model of the machine: the video chip, and with it the television standard.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Model {
            $($(#[$attribute])* $model,)*
        }

        impl Model {
            /// All models.
            pub const ALL: &[Model] = &[$(Model::$model),*];
        }

        const SPECS: [Spec; Model::ALL.len()] = [$(Spec { $($field: $value),* }),*];

        state_of_enum!(Model { $($model),* });
    };
}

models! {
    /// 6569: 312 lines of 63 cycles.
    #[default]
    Pal {
        clock: 985_248, mains: 50, cycles_per_line: 63, lines: 312, height: 272, first_line: 16,
        first_pointer: 58, positions: 504, repeated: None, pen_at_start: 0xd1,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 6567R8: 263 lines of 65 cycles.
    Ntsc {
        clock: 1_022_727, mains: 60, cycles_per_line: 65, lines: 263, height: 247, first_line: 28,
        first_pointer: 59, positions: 512, repeated: Some(63), pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 8565, the PAL chip of the C64C: 312 lines of 63 cycles.
    C64c {
        clock: 985_248, mains: 50, cycles_per_line: 63, lines: 312, height: 272, first_line: 16,
        first_pointer: 58, positions: 504, repeated: None, pen_at_start: 0xd1,
        vic: Process::Hmos, cia: CiaChip::Mos6526A, sid: SidChip::Mos8580, port_fades: 1_500_000,
    }
    /// 6572, the chip for PAL-N: 312 lines of 65 cycles.
    Drean {
        clock: 1_023_440, mains: 50, cycles_per_line: 65, lines: 312, height: 272, first_line: 16,
        first_pointer: 59, positions: 512, repeated: Some(63), pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 6567R56A, the first NTSC chip: 262 lines of 64 cycles.
    NtscOld {
        clock: 1_022_727, mains: 60, cycles_per_line: 64, lines: 262, height: 247, first_line: 28,
        first_pointer: 59, positions: 512, repeated: None, pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
}

impl Model {
    pub(super) const fn spec(self) -> &'static Spec {
        const ROWS: &[Spec; Model::ALL.len()] = &SPECS;
        &ROWS[self as usize]
    }

    /// The CPU's clock in Hz.
    pub const fn clock(self) -> u32 {
        self.spec().clock
    }

    /// The mains frequency, which drives the clocks of the CIAs.
    pub const fn mains(self) -> u32 {
        self.spec().mains
    }

    /// Cycles of a raster line.
    pub const fn cycles_per_line(self) -> u64 {
        self.spec().cycles_per_line as u64
    }

    /// Raster lines of a frame.
    pub const fn lines(self) -> u16 {
        self.spec().lines
    }

    /// Cycles of a frame.
    pub const fn cycles_per_frame(self) -> u64 {
        self.cycles_per_line() * self.lines() as u64
    }

    /// Rows of the picture.
    pub const fn height(self) -> usize {
        self.spec().height
    }

    /// The version of the CIAs.
    pub(in crate::c64) const fn cia(self) -> CiaChip {
        self.spec().cia
    }

    /// The version of the SID.
    pub(in crate::c64) const fn sid(self) -> SidChip {
        self.spec().sid
    }

    /// Cycles that lines 6 and 7 of the CPU's port, which are not connected, keep their charge.
    pub(in crate::c64) const fn port_fades(self) -> u64 {
        self.spec().port_fades
    }

    /// The raster line of the picture's first row.
    pub const fn first_line(self) -> u16 {
        self.spec().first_line
    }
}
