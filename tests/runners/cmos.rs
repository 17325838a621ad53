//! The 65C02 against `w65c02s`, a simulator that was tested on the real chip: one instruction at a time from
//! random states, every opcode, state and bus cycles equal.

use emu::vectors::{BusCycle, Kind, side_by_side};
use emu::{Bus, Cmos, Cpu, Status};
use libtest_mimic::{Arguments, Failed, Trial};
use w65c02s::{System, W65C02S};

/// States tried for each opcode.
const STATES: u64 = 60;

fn main() {
    let arguments = Arguments::from_args();
    let trials = (0..=255u8)
        .map(|opcode| {
            Trial::test(format!("cmos/{opcode:02x}"), move || (1..=STATES).try_for_each(|n| check(opcode, n)))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// RAM that remembers its cycles, for either side.
struct Machine {
    ram: Vec<u8>,
    cycles: Vec<BusCycle>,
}

impl Machine {
    fn get(&mut self, addr: u16) -> u8 {
        let value = self.ram[usize::from(addr)];
        self.cycles.push(BusCycle { addr, value, kind: Kind::Read });
        value
    }

    fn set(&mut self, addr: u16, value: u8) {
        self.ram[usize::from(addr)] = value;
        self.cycles.push(BusCycle { addr, value, kind: Kind::Write });
    }
}

impl Bus for Machine {
    #[inline(never)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.get(addr)
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.set(addr, value);
    }
}

impl System for Machine {
    fn read(&mut self, _cpu: &mut W65C02S, addr: u16) -> u8 {
        self.get(addr)
    }

    fn write(&mut self, _cpu: &mut W65C02S, addr: u16, value: u8) {
        self.set(addr, value);
    }
}

fn check(opcode: u8, number: u64) -> Result<(), Failed> {
    let mut state = (u64::from(opcode) << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let mut ram: Vec<u8> = (0..0x10000).map(|_| next()).collect();
    let pc = u16::from_le_bytes([if number % 4 == 0 { 0xfd } else { next() }, next()]);
    ram[usize::from(pc)] = opcode;
    let [a, x, y, s, p] = [(); 5].map(|()| next());

    let mut cpu = Cpu::<Cmos>::new();
    (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p) = (pc, a, x, y, s, Status::from_byte(p));
    let mut ours = Machine { ram: ram.clone(), cycles: Vec::new() };
    cpu.step(&mut ours);

    let mut reference = W65C02S::new();
    let mut theirs = Machine { ram, cycles: Vec::new() };
    // Its first step is the reset sequence.
    reference.step(&mut theirs);
    theirs.cycles.clear();
    reference.set_pc(pc);
    reference.set_a(a);
    reference.set_x(x);
    reference.set_y(y);
    reference.set_s(s);
    reference.set_p(Status::from_byte(p).byte());
    reference.step(&mut theirs);

    let expected = (
        reference.get_pc(),
        reference.get_a(),
        reference.get_x(),
        reference.get_y(),
        reference.get_s(),
        Status::from_byte(reference.get_p()),
    );
    let found = (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p);
    if expected == found && ours.ram == theirs.ram && ours.cycles == theirs.cycles {
        return Ok(());
    }
    Err(format!(
        "state {number}: pc {pc:04x} a {a:02x} x {x:02x} y {y:02x} s {s:02x} p {p:02x}\nexpected {expected:04x?}\n\
         found    {found:04x?}\n{}",
        side_by_side(&theirs.cycles, &ours.cycles)
    )
    .into())
}
