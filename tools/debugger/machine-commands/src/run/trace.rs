//! Observers of a run: the instruction count, and the trace if it is asked for.

use std::io::{self, Write};
use std::ops::ControlFlow;

use tempo_diagnostics::hex_bytes;
use tempo_emu::{Access, Hooks, Interrupt, Labels, Registers, Timing, disassemble};
use tempo_formats::symbols::Symbols;

use super::console::CHROUT;

/// Where the beam is, from the number of a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Beam {
    /// Cycles of a line and lines of a frame.
    shape: (u64, u64),
    /// The offset from the number of a cycle to its place in the frame.
    offset: u64,
}

impl Beam {
    /// In the cycle with the number `now - 1` the beam was in cycle `cycle` of `line`; cycles count from 1.
    pub fn new(timing: Timing, line: u16, cycle: u8, now: u64) -> Beam {
        let shape = (timing.cycles_per_line, u64::from(timing.lines));
        let frame = shape.0 * shape.1;
        Beam { shape, offset: u64::from(line) * shape.0 + u64::from(cycle) + frame - now % frame }
    }

    /// Raster line and cycle of the cycle with this number.
    pub fn at(self, number: u64) -> (u64, u64) {
        let place = (number + self.offset) % (self.shape.0 * self.shape.1);
        (place / self.shape.0, place % self.shape.0 + 1)
    }
}

/// Counts instructions, and ends the run before one at CHROUT for the caller to print: a call in the loop of the core
/// would cost it the machine's registers. What `T` watches it sees as well.
pub struct Watch<T> {
    pub instructions: u64,
    /// The run has ended at CHROUT; it goes on there.
    pub is_at_chrout: bool,
    pub trace: T,
}

impl<T> Watch<T> {
    pub fn new(trace: T) -> Watch<T> {
        Watch { instructions: 0, is_at_chrout: false, trace }
    }
}

impl<T: Hooks> Hooks for Watch<T> {
    const ACCESSES: bool = T::ACCESSES;

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        if registers.pc == CHROUT {
            self.is_at_chrout = !self.is_at_chrout;
            if self.is_at_chrout {
                return ControlFlow::Break(());
            }
        }
        self.instructions += 1;
        self.trace.instruction(registers, cycles)
    }

    fn read(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        self.trace.read(addr, value, access, cycles);
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.trace.interrupt(interrupt, registers, cycles);
    }
}

/// Writes a line for every instruction.
pub struct Trace<'a> {
    out: &'a mut dyn Write,
    isa: tempo_isa::Cpu,
    names: Names<'a>,
    /// The instruction in progress: the registers and the cycle before it, and its bytes so far.
    before: Option<(Registers, u64)>,
    /// On a machine with a picture.
    beam: Option<Beam>,
    bytes: [u8; 3],
    len: usize,
    failure: Option<io::Error>,
}

impl Hooks for Trace<'_> {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.begin(registers, cycles)
    }

    fn read(&mut self, _addr: u16, value: u8, access: Access, _cycles: u64) {
        if matches!(access, Access::Opcode | Access::Operand) && self.len < 3 {
            self.bytes[self.len] = value;
            self.len += 1;
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.flush();
        let beam = self.beam_at(cycles);
        let line = format!("{cycles:>10}{beam}  {:04X}  {interrupt:?}\n", registers.pc);
        self.write(&line);
    }
}

impl<'a> Trace<'a> {
    pub fn new(isa: tempo_isa::Cpu, out: &'a mut dyn Write, symbols: &'a Symbols) -> Trace<'a> {
        Trace {
            out,
            isa,
            names: Names(symbols),
            before: None,
            beam: None,
            bytes: [0; 3],
            len: 0,
            failure: None,
        }
    }

    /// With the raster line and the cycle in it after the number of the cycle.
    pub fn with_beam(self, beam: Beam) -> Trace<'a> {
        Trace { beam: Some(beam), ..self }
    }

    /// Writes what is left.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.failure.map_or(Ok(()), Err)
    }

    fn begin(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.flush();
        self.before = Some((*registers, cycles));
        self.len = 0;
        // The reader is gone, or the disk is full: there is no point in going on.
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Writes the instruction in progress, unless it was not even fetched.
    fn flush(&mut self) {
        let Some((registers, cycles)) = self.before.take() else { return };
        if self.len == 0 {
            return;
        }
        let mut bytes = self.bytes;
        bytes[self.len..].fill(0);
        let instruction = disassemble(self.isa, registers.pc, bytes);
        let hex = hex_bytes(instruction.bytes());
        let text = instruction.with_labels(&self.names).to_string();
        if let Some(name) = self.names.label(registers.pc) {
            let margin = if self.beam.is_some() { 25 } else { 18 };
            let label = format!("{:margin$}{name}:\n", "");
            self.write(&label);
        }
        let beam = self.beam_at(cycles);
        let Registers { pc, a, x, y, s, p } = registers;
        let line = format!(
            "{cycles:>10}{beam}  {pc:04X}  {hex:<9} {text:<28} A={a:02X} X={x:02X} Y={y:02X} S={s:02X} {p}\n"
        );
        self.write(&line);
    }

    fn beam_at(&self, cycles: u64) -> String {
        self.beam.map_or(String::new(), |beam| {
            let (line, cycle) = beam.at(cycles);
            format!(" {line:>3}.{cycle:02}")
        })
    }

    fn write(&mut self, line: &str) {
        if self.failure.is_none() {
            self.failure = self.out.write_all(line.as_bytes()).err();
        }
    }
}

/// The symbol file as the disassembler wants it.
struct Names<'a>(&'a Symbols);

impl Labels for Names<'_> {
    fn label(&self, addr: u16) -> Option<&str> {
        self.0.at(i64::from(addr)).map(|symbol| symbol.path.as_str())
    }
}
