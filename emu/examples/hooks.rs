//! Two hooks on one run: a trace of the instructions with their disassembly, and a guard that ends the run before
//! the instruction after a write to memory that is not the program's.
//!
//! `cargo run -p tempo-emu --example hooks`

use std::ops::ControlFlow;

use tempo_emu::{Access, Cpu, Hooks, Nmos, Ram, Registers, Stop, Until, Variant, disassemble};

/// Prints every instruction. The bytes are those in a copy of the program.
struct Trace {
    program: Vec<u8>,
}

impl Hooks for Trace {
    // It sees no accesses, so alone it would leave the run in the fast loop.
    const ACCESSES: bool = false;

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let at = usize::from(registers.pc - 0x1000);
        let bytes = core::array::from_fn(|offset| self.program.get(at + offset).copied().unwrap_or(0));
        let text = disassemble(Nmos::ISA, registers.pc, bytes).to_string();
        println!("{cycles:>4}  {text:<14} {registers}");
        ControlFlow::Continue(())
    }
}

/// Ends the run when something below $0300 that is not the stack is written.
#[derive(Default)]
struct Guard {
    written: Option<u16>,
}

impl Hooks for Guard {
    fn instruction(&mut self, _registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        if self.written.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn write(&mut self, addr: u16, _value: u8, access: Access, _cycles: u64) {
        if addr < 0x0300 && access != Access::Stack {
            self.written.get_or_insert(addr);
        }
    }
}

fn main() {
    // ldx #2; loop: sta $02ff,x; dex; bpl loop; rts: clears one byte too many
    let program = vec![0xa2, 0x02, 0x9d, 0xff, 0x02, 0xca, 0x10, 0xfa, 0x60];
    let mut ram = Box::new(Ram::new());
    ram.load(0x1000, &program).expect("nine bytes fit");

    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = 0x1000;
    let mut hooks = (Trace { program }, Guard::default());
    let stop = cpu.run_with(&mut ram, &mut hooks, Until::rts().within(1_000));

    let written = hooks.1.written.expect("the loop goes one too far");
    println!("stopped at ${:04X}: ${written:04X} was written", cpu.registers.pc);
    assert_eq!((stop, written, cpu.registers.x), (Stop::Hook, 0x02ff, 0));
}
