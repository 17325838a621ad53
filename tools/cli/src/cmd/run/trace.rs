//! What watches a run: the instruction count, and the trace if it is asked for.

use std::io::{self, Write};
use std::ops::ControlFlow;

use emu::{Access, Hooks, Interrupt, Labels, Registers, disassemble};
use formats::symbols::Symbols;

/// Counts instructions. It sees no accesses, so the run keeps the machine's own loop.
pub struct Count {
    pub instructions: u64,
}

/// Writes a line for every instruction.
pub struct Trace<'a> {
    out: &'a mut dyn Write,
    isa: isa::Cpu,
    names: Names<'a>,
    /// The instruction in progress: the registers and the cycle before it, and its bytes so far.
    before: Option<(Registers, u64)>,
    bytes: [u8; 3],
    len: usize,
    failure: Option<io::Error>,
}

impl Hooks for Count {
    const ACCESSES: bool = false;

    #[inline(always)]
    fn instruction(&mut self, _registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        self.instructions += 1;
        ControlFlow::Continue(())
    }
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
        let line = format!("{cycles:>10}  {:04X}  {interrupt:?}\n", registers.pc);
        self.write(&line);
    }
}

impl<'a> Trace<'a> {
    pub fn new(isa: isa::Cpu, out: &'a mut dyn Write, symbols: &'a Symbols) -> Trace<'a> {
        Trace { out, isa, names: Names(symbols), before: None, bytes: [0; 3], len: 0, failure: None }
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
        // Nobody reads any more, or the disk is full: there is no point in going on.
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
        let hex: String = instruction.bytes().iter().map(|byte| format!("{byte:02X} ")).collect();
        let text = instruction.with_labels(&self.names).to_string();
        if let Some(name) = self.names.label(registers.pc) {
            let label = format!("{:18}{name}:\n", "");
            self.write(&label);
        }
        let Registers { pc, a, x, y, s, p } = registers;
        let line = format!(
            "{cycles:>10}  {pc:04X}  {hex:<9} {text:<28} A={a:02X} X={x:02X} Y={y:02X} S={s:02X} {p}\n"
        );
        self.write(&line);
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
