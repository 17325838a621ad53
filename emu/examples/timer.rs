//! A machine with a timer that pulls IRQ every 1,000 cycles. The handler counts at $10 and acknowledges by reading
//! $D000; the main program waits for five interrupts.
//!
//! The timer does nothing in most cycles: it knows when it is due, and works out the rest when it is asked.
//!
//! `cargo run -p tempo-emu --example timer`

use tempo_emu::{Bus, Cpu, Hooks, Interrupt, Lines, Nmos, Pins, Registers, Status, Stop, Until};

const PERIOD: u64 = 1_000;

struct Machine {
    ram: [u8; 0x10000],
    lines: Lines,
    /// The cycle in which IRQ is pulled next.
    due: u64,
}

impl Bus for Machine {
    const PINS: Pins = Pins::IRQ;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        if addr == 0xd000 {
            self.lines.release(Pins::IRQ);
        }
        self.ram[usize::from(addr)]
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.ram[usize::from(addr)] = value;
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        // "In the last cycle" is cycle number `cycles - 1`.
        while cycles > self.due {
            self.lines.pull(Pins::IRQ);
            self.due += PERIOD;
        }
        self.lines.pins()
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }
}

/// Prints when an interrupt is taken.
struct Log(Vec<u64>);

impl Hooks for Log {
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        println!("cycle {cycles}: {interrupt:?} before the instruction at ${:04X}", registers.pc);
        self.0.push(cycles);
    }
}

fn main() {
    let mut machine = Machine { ram: [0xea; 0x10000], lines: Lines::new(), due: PERIOD };
    let mut load = |addr: usize, bytes: &[u8]| machine.ram[addr..addr + bytes.len()].copy_from_slice(bytes);
    load(0x10, &[0x00]);
    load(0x1000, &[0x58]); //             cli
    load(0x1001, &[0xa5, 0x10]); // wait: lda $10
    load(0x1003, &[0xc9, 0x05]); //       cmp #5
    load(0x1005, &[0xd0, 0xfa]); //       bne wait
    load(0x1007, &[0x00]); //             brk
    load(0x2000, &[0xe6, 0x10]); //       inc $10
    load(0x2002, &[0x2c, 0x00, 0xd0]); // bit $d000
    load(0x2005, &[0x40]); //             rti
    load(0xfffe, &[0x00, 0x20]); //       the IRQ vector

    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = 0x1000;
    let mut log = Log(Vec::new());
    let stop = cpu.run_with(&mut machine, &mut log, Until::brk().within(10_000));

    println!("{} after {} cycles", cpu.registers, cpu.cycles);
    assert_eq!((stop, machine.ram[0x10], log.0.len()), (Stop::Brk, 5, 5));
    assert!(!cpu.registers.p.has(Status::I), "rti restores the flag");
}
