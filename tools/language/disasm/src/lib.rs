#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod flow;
mod names;
mod text;

/// The knowledge of a program besides its bytes.
#[derive(Debug, Clone)]
pub struct Options {
    /// The instruction set.
    pub cpu: tempo_isa::Cpu,
    /// The machine whose registers, vectors and routines have names.
    pub system: tempo_emu::System,
    /// Where execution begins. None: at the `SYS` of a BASIC line, else at the first byte.
    pub entries: Vec<u16>,
    /// Names of addresses; the first of an address counts.
    pub symbols: Vec<(u16, String)>,
    /// Whether every line ends with its address and bytes.
    pub listing: bool,
    /// Lines for the top, without the slashes of a comment.
    pub title: Vec<String>,
}

impl Default for Options {
    /// A program for a C64 and the undocumented instructions of its CPU, about which nothing else is known.
    fn default() -> Options {
        Options {
            cpu: tempo_isa::Cpu::Mos6502,
            system: tempo_emu::System::C64Pal,
            entries: Vec::new(),
            symbols: Vec::new(),
            listing: false,
            title: Vec::new(),
        }
    }
}

/// The source of the program whose first byte is at `addr`. Bytes beyond $FFFF are left out.
pub fn source(addr: u16, bytes: &[u8], options: &Options) -> String {
    let most = 0x10000 - usize::from(addr);
    let hardware = options.system.hardware();
    let image = Image { cpu: options.cpu, hardware, addr, bytes: &bytes[..bytes.len().min(most)] };
    let flow = flow::Flow::follow(&image, &options.entries);
    let names = names::Names::choose(&image, &flow, &options.symbols);
    text::write(&image, &flow, &names, options)
}

/// The bytes, and what they mean to the CPU.
struct Image<'a> {
    cpu: tempo_isa::Cpu,
    hardware: &'static tempo_emu::Hardware,
    addr: u16,
    bytes: &'a [u8],
}

impl Image<'_> {
    /// Where the `SYS` of its BASIC line leads.
    fn sys(&self) -> Option<u16> {
        (self.addr == tempo_emu::c64::BASIC_START).then(|| tempo_emu::c64::sys(self.bytes)).flatten()
    }

    /// The index of an address in the bytes.
    fn index(&self, addr: u16) -> Option<usize> {
        let index = usize::from(addr).checked_sub(usize::from(self.addr))?;
        (index < self.bytes.len()).then_some(index)
    }

    /// The address of a byte.
    fn address(&self, index: usize) -> u16 {
        // An image ends at $FFFF at the latest.
        self.addr + index as u16
    }

    /// The instruction at a byte, if all of it is there.
    fn instruction(&self, index: usize) -> Option<tempo_emu::Disassembly> {
        let rest = &self.bytes[index..];
        let found = tempo_emu::disassemble_bytes(self.cpu, self.address(index), rest);
        (found.row.len() <= rest.len()).then_some(found)
    }
}
