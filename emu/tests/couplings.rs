//! The core is compiled in several ways for a machine (`Run`); what the machine sees must be the same.
//! Random programs run on memory with devices, interrupts and banks, once in the loop for plain memory, once
//! with every cycle inlined, once through a pointer: registers, memory, the log of the devices with the cycle
//! of each access, and the end of the run are equal. The vectors and the netlist check the last of the three.
//!
//! `FUZZ=50` runs fifty times as many of them, `SEED=7` others.

use std::fmt::Debug;
use std::ops::ControlFlow;

use tempo_emu::{
    Banked, Bus, Cmos, Cpu, FastBus, Hooks, Io, Lines, Nmos, Pins, PlainMemory, Ram, Registers, Ricoh2A03,
    Rom, Run, Status, Stop, Until, Variant,
};
use tempo_random::Random;

/// The same machine with every cycle inlined.
#[derive(Clone)]
struct Inline<B>(B);

impl<B: FastBus> Bus for Inline<B> {
    const PINS: Pins = B::PINS;
    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        self.0.read(addr, cycle)
    }
    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.0.write(addr, value, cycle);
    }
    #[inline(never)]
    fn pins(&mut self, cycles: u64) -> Pins {
        self.0.pins(cycles)
    }
    fn acknowledge(&mut self, edges: Pins) {
        self.0.acknowledge(edges);
    }
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.fast(self)
    }
}

impl<B: FastBus> FastBus for Inline<B> {
    const MEMORY: PlainMemory = PlainMemory::None;
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        self.0.quiet_until(pins, cycle)
    }
}

/// Asks for all accesses, which sends a run to the shared core. One type for all hooks: each hook is a core to compile.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Watch {
    Accesses,
    Selected(Choice),
    Counted(Count),
}

impl Hooks for Watch {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        match self {
            Watch::Accesses => ControlFlow::Continue(()),
            Watch::Selected(choice) => choice.instruction(registers, cycles),
            Watch::Counted(count) => count.instruction(registers, cycles),
        }
    }
}

/// The state of a machine after a run.
type Left = (Vec<u8>, Vec<(u16, u8, u64)>, Pins);

/// A machine in another way, and its state after a run.
type Other<C> = (C, fn(&mut C, u64) -> Left);

/// A machine that a test can look into.
trait Open: FastBus + Clone {
    fn left(&mut self, cycles: u64) -> Left;
}

impl Open for Ram {
    fn left(&mut self, _cycles: u64) -> Left {
        (self.bytes().to_vec(), Vec::new(), self.lines.pins())
    }
}

/// Timers for IRQ and NMI that start again, or acknowledge, when they are touched. All accesses are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Device {
    lines: Lines,
    irq: u64,
    nmi: u64,
    log: Vec<(u16, u8, u64)>,
}

impl Device {
    fn new(random: &mut Random) -> Device {
        Device { lines: Lines::new(), irq: random.below(400), nmi: random.below(900), log: Vec::new() }
    }

    /// Depends on the time only, not on how often it is asked.
    fn advance(&mut self, cycle: u64) {
        while cycle >= self.irq {
            self.lines.pull(Pins::IRQ);
            self.irq += 471;
        }
        if cycle >= self.nmi {
            self.lines.pull(Pins::NMI);
            self.nmi = u64::MAX;
        }
    }

    fn touch(&mut self, addr: u16, value: u8, cycle: u64) {
        self.advance(cycle);
        self.log.push((addr, value, cycle));
        match addr & 7 {
            0 => self.lines.release(Pins::IRQ),
            1 => {
                self.lines.release(Pins::NMI);
                self.nmi = cycle + 5 + u64::from(value);
            }
            2 => self.irq = cycle + 2 + u64::from(value & 15),
            3 => self.lines.pull(Pins::IRQ),
            _ => {}
        }
    }
}

impl Io for Device {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI);

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        let value = (addr as u8).wrapping_mul(29) ^ cycle as u8;
        self.touch(addr, value, cycle);
        value
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.touch(addr, value, cycle);
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        self.advance(cycles);
        self.lines.pins()
    }

    fn quiet_until(&self, pins: Pins, _cycle: u64) -> u64 {
        if self.lines.pins().has_any(pins) { 0 } else { self.irq.min(self.nmi) }
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }
}

impl Open for Box<Banked<Device>> {
    fn left(&mut self, cycles: u64) -> Left {
        let pins = self.io.pins(cycles);
        (self.ram().to_vec(), self.io.log.clone(), pins)
    }
}

/// Any page may belong to the device, even the stack's; it uses the default methods of `FastBus`.
#[derive(Clone)]
struct Patchwork {
    ram: Vec<u8>,
    is_device: Vec<bool>,
    device: Device,
}

impl Bus for Patchwork {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI);

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        match self.read_plain(addr) {
            Some(value) => value,
            None => self.device.read(addr, cycle),
        }
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        if !self.write_plain(addr, value) {
            self.device.write(addr, value, cycle);
        }
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        self.device.pins(cycles)
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.device.acknowledge(edges);
    }

    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.fast(self)
    }
}

impl FastBus for Patchwork {
    const MEMORY: PlainMemory = PlainMemory::Paged;

    fn read_plain(&self, addr: u16) -> Option<u8> {
        (!self.is_device[usize::from(addr >> 8)]).then(|| self.ram[usize::from(addr)])
    }

    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        let is_plain = !self.is_device[usize::from(addr >> 8)];
        if is_plain {
            self.ram[usize::from(addr)] = value;
        }
        is_plain
    }

    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        self.device.quiet_until(pins, cycle)
    }
}

impl Open for Patchwork {
    fn left(&mut self, cycles: u64) -> Left {
        let pins = self.device.pins(cycles);
        (self.ram.clone(), self.device.log.clone(), pins)
    }
}

/// Counts instructions, and ends the run at one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Count(u64, u64);

impl Hooks for Count {
    const ACCESSES: bool = false;

    fn instruction(&mut self, _registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 == self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Selects some instructions, keeps where and when they were, and ends the run at one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    seen: Vec<(Registers, u64)>,
    most: usize,
}

impl Hooks for Choice {
    const ACCESSES: bool = false;
    const SELECTS: bool = true;

    #[inline(always)]
    fn selects(&mut self, pc: u16, s: u8) -> bool {
        (pc ^ u16::from(s)).is_multiple_of(3)
    }

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        if !self.selects(registers.pc, registers.s) {
            return ControlFlow::Continue(());
        }
        self.seen.push((*registers, cycles));
        if self.seen.len() == self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A CPU in a random state.
fn random_cpu<V: Variant>(random: &mut Random) -> Cpu<V> {
    let mut cpu = Cpu::<V>::new();
    let [a, x, y, s, p] = [(); 5].map(|()| random.next_u8());
    cpu.registers = Registers { pc: random.next_u16(), a, x, y, s, p: Status::from_byte(p) };
    cpu.cycles = random.below(100);
    cpu
}

/// The message of a difference.
fn context<V, B>(what: &str, seed: u64) -> String {
    format!("{what}: seed {seed}, {}", core::any::type_name::<(V, B)>())
}

/// Runs a program in the loop for plain memory and in the shared core. Several runs one after the other: each starts
/// where an end left the CPU. `other` is the machine once more in a third way, or `None`.
fn check_runs<V: Variant, B: Open, C: Bus>(
    seed: u64,
    random: &mut Random,
    machine: &B,
    mut other: Option<Other<C>>,
) {
    let cpu = random_cpu::<V>(random);
    let context = |what: &str| context::<V, B>(what, seed);
    let (mut plain, mut shared) = (machine.clone(), machine.clone());
    let (mut a, mut b, mut c) = (cpu.clone(), cpu.clone(), cpu.clone());
    for _ in 0..4 {
        let until = Until {
            cycles: 1 + random.below(600),
            // A near one is likely to be reached, and to be in the same stretch of memory.
            address: match random.below(4) {
                0 => Some(random.next_u16()),
                1 => Some(cpu.registers.pc.wrapping_add(random.below(64) as u16).wrapping_sub(8)),
                _ => None,
            },
            brk: random.below(4) == 0,
            rts: random.below(4) == 0,
            level: (random.below(3) == 0).then(|| random.next_u8()),
            trap: random.below(2) == 0,
        };
        let stop = c.run_with(&mut shared, &mut Watch::Accesses, until);
        // The fetch of a `brk` that ends a run is taken back, but the machine has seen it.
        let cycles = c.cycles + u64::from(stop == Stop::Brk);
        let expected = shared.left(cycles);

        assert_eq!(a.run(&mut plain, until), stop, "{}", context("ends"));
        same(&a, &c, &context("plain"));
        same_machine(plain.left(cycles), &expected, &context("plain machine"));
        if let Some((other, left)) = &mut other {
            assert_eq!(b.run(other, until), stop, "{}", context("inlined ends"));
            same(&b, &c, &context("inlined"));
            same_machine(left(other, cycles), &expected, &context("inlined machine"));
        }
    }
    // By single steps.
    for _ in 0..40 {
        assert_eq!(
            a.step(&mut plain),
            c.step_with(&mut shared, &mut Watch::Accesses),
            "{}",
            context("steps")
        );
        same(&a, &c, &context("step"));
    }
    same_machine(plain.left(c.cycles), &shared.left(c.cycles), &context("stepped machine"));
}

/// Runs a program with a hook that selects instructions: the shared core shows it all of them. Two runs, the second
/// from where the hook may have ended the first.
fn check_selection<V: Variant, B: Open>(seed: u64, random: &mut Random, machine: &B) {
    let context = |what: &str| context::<V, B>(what, seed);
    let mut a = random_cpu::<V>(random);
    let mut b = a.clone();
    let (mut plain, mut shared) = (machine.clone(), machine.clone());
    for most in [random.below(75) as usize, usize::MAX] {
        let mut hook = Choice { seen: Vec::new(), most };
        let mut watch = Watch::Selected(hook.clone());
        let until = Until::cycles(700);
        let stop = b.run_with(&mut shared, &mut watch, until);
        assert_eq!(a.run_with(&mut plain, &mut hook, until), stop, "{}", context("selected ends"));
        same(&(&a, Watch::Selected(hook)), &(&b, watch), &context("selected"));
    }
    same_machine(plain.left(b.cycles), &shared.left(b.cycles), &context("selected machine"));
}

/// Runs a program with a hook for every instruction.
fn check_instructions<V: Variant, B: Open>(seed: u64, random: &mut Random, machine: &B) {
    let context = |what: &str| context::<V, B>(what, seed);
    let mut a = random_cpu::<V>(random);
    let mut b = a.clone();
    let (mut plain, mut shared) = (machine.clone(), machine.clone());
    let mut hook = Count(0, random.below(300));
    let mut watch = Watch::Counted(hook.clone());
    let until = Until::cycles(700);
    let stop = b.run_with(&mut shared, &mut watch, until);
    assert_eq!(a.run_with(&mut plain, &mut hook, until), stop, "{}", context("counted ends"));
    same(&(&a, Watch::Counted(hook)), &(&b, watch), &context("counted"));
    same_machine(plain.left(b.cycles), &shared.left(b.cycles), &context("counted machine"));
}

/// The memory is too much to show.
fn same_machine((memory, log, pins): Left, expected: &Left, context: &str) {
    let wrong: Vec<usize> = (0..memory.len()).filter(|&at| memory[at] != expected.0[at]).collect();
    assert!(wrong.is_empty(), "{context}: memory differs at {wrong:x?}");
    same(&(log, pins), &(expected.1.clone(), expected.2), context);
}

fn same<T: PartialEq + Debug>(found: &T, expected: &T, context: &str) {
    assert!(found == expected, "{context}\n   found {found:?}\nexpected {expected:?}");
}

/// All three machines with one chip. A way that does not depend on the machine is run on one of them: every pair is a
/// core to compile.
fn check_chip<V: Variant>(chip: u64) {
    let none = || None::<Other<Ram>>;
    for seed in tempo_testing::seed()..tempo_testing::seed() + tempo_testing::rounds(1_500) {
        let mut random = Random::stream(seed, chip);
        let mut bytes: Vec<u8> = (0..0x10000).map(|_| opcode(&mut random)).collect();
        // Branches and jumps to themselves are rare otherwise, and so are jumps into the devices.
        for _ in 0..2000 {
            let at = usize::from(random.next_u16()) & 0xfff0;
            let [lo, hi] = (at as u16).to_le_bytes();
            bytes[at..at + 3].copy_from_slice(&match random.below(4) {
                0 => [0xd0, 0xfe, random.next_u8()],
                1 => [0x4c, lo, hi],
                2 => [0x20, random.next_u8(), 0xd0],
                _ => [0x85, 0x01, 0x4c],
            });
        }

        let mut ram = Ram::new();
        ram.bytes_mut().copy_from_slice(&bytes);
        match random.below(4) {
            0 => ram.lines.pull(Pins::IRQ),
            1 => ram.lines.pull(Pins::NMI),
            _ => {}
        }
        check_runs::<V, _, _>(seed, &mut random, &ram, none());
        check_selection::<V, _>(seed, &mut random, &ram);

        let mut banked = Banked::new(Device::new(&mut random));
        let rom: Vec<u8> = (0..0x2000).map(|_| opcode(&mut random)).collect();
        if random.below(2) == 0 {
            banked.insert(Rom::Kernal, &rom).expect("the size");
            banked.insert(Rom::Basic, &rom).expect("the size");
        }
        if random.below(2) == 0 {
            banked.insert(Rom::Characters, &rom[..0x1000]).expect("the size");
        }
        banked.ram_mut().copy_from_slice(&bytes);
        let port = banked.port();
        banked.set_port(port);
        check_runs::<V, _, _>(seed, &mut random, &banked, none());
        check_instructions::<V, _>(seed, &mut random, &banked);

        let is_device = (0..0x100).map(|_| random.below(7) == 0).collect();
        let device = Device::new(&mut random);
        let patchwork = Patchwork { ram: bytes, is_device, device };
        let left: fn(&mut Inline<Patchwork>, u64) -> Left = |machine, cycles| machine.0.left(cycles);
        let inlined = (Inline(patchwork.clone()), left);
        check_runs::<V, _, _>(seed, &mut random, &patchwork, Some(inlined));
        check_selection::<V, _>(seed, &mut random, &patchwork);
    }
}

#[test]
fn nmos() {
    check_chip::<Nmos>(1);
}

#[test]
fn ricoh_2a03() {
    check_chip::<Ricoh2A03>(2);
}

#[test]
fn cmos() {
    check_chip::<Cmos>(3);
}

/// A byte that seldom ends the program: jam, `wai`, `stp` and `brk` are rare.
fn opcode(random: &mut Random) -> u8 {
    let byte = random.next_u8();
    let is_end = byte & 0x1f == 0x12 || byte & 0x9f == 0x02 || matches!(byte, 0 | 0xcb | 0xdb);
    if is_end && !random.once_in(16) { 0xea } else { byte }
}

/// The one instruction that reads a fourth byte of code: at the end of a page it can be a device's.
#[test]
fn a_bit_branch_reads_the_byte_behind_it() {
    let mut ram = vec![0; 0x10000];
    ram[0x33fd..0x3400].copy_from_slice(&[0x0f, 0x10, 0xf0]); // bbr0 $10, $33F0
    let is_device = (0..0x100).map(|page| page == 0x34).collect();
    let mut machine = Patchwork { ram, is_device, device: Device::new(&mut Random::new(1)) };
    let mut cpu = Cpu::<Cmos>::new();
    cpu.registers.pc = 0x33fd;
    cpu.run(&mut machine, Until::cycles(1));
    let read: Vec<(u16, u64)> = machine.device.log.iter().map(|&(addr, _, cycle)| (addr, cycle)).collect();
    // Once while the branch is taken, once while the high byte is corrected.
    assert_eq!((cpu.registers.pc, read), (0x33f0, vec![(0x3400, 5), (0x3400, 6)]));
}
