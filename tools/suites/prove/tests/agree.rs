//! Generated routines: what formulas alone say about them is what running all inputs says, cycles included, and every
//! refutation fails when it is run.

use rayon::prelude::*;
use tempo_emu::{Cpu, Nmos, Ram, Registers, Status, Stop, Until};
use tempo_prove::{Asked, AskedClaim, Limits, Program, Question, Verdict, decide};
use tempo_random::Random;

/// Generated routines.
const ROUTINES: u64 = 500;
const CODE: u16 = 0x1000;
/// A page of random bytes, and the first one again, so that indexing may cross.
const TABLE: u16 = 0x1200;
/// Two routines that generated ones call: a negation, and one that uses the stack.
const CALLED: u16 = 0x1180;
const CALLED_CODE: [u8; 16] =
    [0x49, 0xff, 0x18, 0x69, 0x01, 0x60, 0xea, 0xea, 0x48, 0x8a, 0x4a, 0xaa, 0x68, 0x60, 0xea, 0xea];
const ENTRY_STACK: u8 = 0xfb;

/// A routine, its table and its inputs.
struct Made {
    code: Vec<u8>,
    table: Vec<u8>,
    inputs: Vec<Input>,
}

#[derive(Clone, Copy)]
enum Where {
    A,
    X,
    Y,
    C,
    Byte(u8),
    Word(u8),
}

struct Input {
    at: Where,
    size: u64,
}

impl Input {
    fn text(&self, number: usize) -> String {
        let place = match self.at {
            Where::A => "A".to_string(),
            Where::X => "X".to_string(),
            Where::Y => "Y".to_string(),
            Where::C => "C".to_string(),
            Where::Byte(at) => format!("byte ${at:02x}"),
            Where::Word(at) => format!("word ${at:02x}"),
        };
        format!("i{number} = {place} in 0..{}", self.size - 1)
    }
}

struct Generator {
    random: Random,
    code: Vec<u8>,
    /// Instructions left, so that blocks within blocks end.
    left: u32,
    /// Whether there is a trick inside of a block.
    is_inside: bool,
}

impl Generator {
    fn zero_page(&mut self) -> u8 {
        0x20 + self.random.below(6) as u8
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(6) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    /// The address of the next instruction.
    fn here(&self) -> u16 {
        CODE + self.code.len() as u16
    }

    /// Code that changes itself, jumps through pointers and the stack, and calls.
    fn trick(&mut self) {
        match self.random.below(9) {
            // An operand that is written: sta imm; op #imm
            0 => {
                let opcode = *self.random.pick(&[0xa9, 0x69, 0x49, 0xc9, 0xe0, 0xa2]);
                let [lo, hi] = (self.here() + 4).to_le_bytes();
                self.code.extend([0x8d, lo, hi, opcode, 0]);
            }
            // An opcode that is written: dex or nop
            1 => {
                let [lo, hi] = (self.here() + 7).to_le_bytes();
                self.code.extend([0x29, 0x20, 0x09, 0xca, 0x8d, lo, hi, 0xea]);
            }
            // A branch whose distance is written: over one inx, or two.
            2 => {
                let [lo, hi] = (self.here() + 7).to_le_bytes();
                self.code.extend([0x29, 0x01, 0x8d, lo, hi, 0x18, 0x90, 0, 0xe8, 0xe8]);
            }
            // jmp or rts to one of two places
            kind @ 3..5 => {
                // Without decimal mode, and within a page, so that the sum is an address.
                let mut code = vec![0xd8, 0x29, 0x01, 0x0a, 0x85, 0x45];
                let distance = if kind == 3 { 10 } else { 14 };
                let target = |code: &[u8]| self.here() + code.len() as u16 + distance;
                while !(1..=0xf8).contains(&(target(&code) & 0xff)) {
                    code.push(0xea);
                }
                let target = target(&code);
                match kind {
                    3 => {
                        let [lo, hi] = (target - 1).to_le_bytes();
                        code.extend([0xa9, hi, 0x48, 0x18, 0xa5, 0x45, 0x69, lo, 0x48, 0x60, 0xe8]);
                    }
                    _ => {
                        let [lo, hi] = target.to_le_bytes();
                        code.extend([0xa9, hi, 0x85, 0x47, 0x18, 0xa5, 0x45, 0x69, lo, 0x85, 0x46]);
                        code.extend([0x6c, 0x46, 0x00, 0xe8]);
                    }
                }
                code.extend([0xea, 0xc8]);
                self.code.extend(code);
            }
            5 => {
                let [lo, hi] = (CALLED + 8 * self.random.below(2) as u16).to_le_bytes();
                self.code.extend([0x20, lo, hi]);
            }
            // What was pushed, as memory.
            6 => self.code.extend([0x48, 0xba, 0x68, 0x5d, 0x01, 0x01]),
            // Through a pointer into the table, and into the zero page.
            7 => self.code.extend([0xa9, 0x00, 0x85, 0x48, 0xa9, 0x12, 0x85, 0x49, 0xb1, 0x48]),
            _ => self.code.extend([
                0xa2, 0x30, 0x86, 0x48, 0xa2, 0x00, 0x86, 0x49, 0xaa, 0x98, 0x29, 0x07, 0xa8, 0x8a, 0x91,
                0x48,
            ]),
        }
    }

    fn statement(&mut self, depth: u32) {
        const IMMEDIATE: [u8; 11] = [0xa9, 0xa2, 0xa0, 0x29, 0x09, 0x49, 0x69, 0xe9, 0xc9, 0xe0, 0xc0];
        const ZERO_PAGE: [u8; 19] = [
            0xa5, 0xa6, 0xa4, 0x85, 0x86, 0x84, 0x25, 0x05, 0x45, 0x65, 0xe5, 0xc5, 0x24, 0xe6, 0xc6, 0x06,
            0x46, 0x26, 0x66,
        ];
        const IMPLIED: [u8; 16] =
            [0xaa, 0xa8, 0x8a, 0x98, 0xe8, 0xc8, 0xca, 0x88, 0x18, 0x38, 0xb8, 0x0a, 0x4a, 0x2a, 0x6a, 0xea];
        const INDEXED: [u8; 10] = [0xbd, 0xb9, 0xbc, 0xbe, 0x3d, 0x5d, 0x7d, 0xfd, 0xdd, 0x19];
        const UNDOCUMENTED: [u8; 8] = [0xa7, 0x87, 0xc7, 0xe7, 0x07, 0x27, 0x47, 0x67];
        const COMBINED: [u8; 4] = [0x0b, 0x4b, 0x6b, 0xcb];
        const BRANCHES: [u8; 8] = [0x10, 0x30, 0x50, 0x70, 0x90, 0xb0, 0xd0, 0xf0];
        let nested = depth < 3;
        match self.random.below(26) {
            0..5 => {
                let byte = self.random.next_u8();
                let opcode = *self.random.pick(&IMMEDIATE);
                self.code.extend([opcode, byte]);
            }
            5..10 => {
                let (opcode, at) = (*self.random.pick(&ZERO_PAGE), self.zero_page());
                self.code.extend([opcode, at]);
            }
            10..13 => self.code.push(*self.random.pick(&IMPLIED)),
            13 => {
                let [lo, hi] = (TABLE + self.random.below(255) as u16).to_le_bytes();
                let opcode = *self.random.pick(&INDEXED);
                self.code.extend([opcode, lo, hi]);
            }
            14 => {
                let (opcode, at) = (*self.random.pick(&UNDOCUMENTED), self.zero_page());
                self.code.extend([opcode, at]);
            }
            15 => {
                let byte = self.random.next_u8();
                self.code.extend([*self.random.pick(&COMBINED), byte]);
            }
            // A branch reaches over one of them, not over several.
            24.. if depth == 0 || depth == 1 && !self.is_inside => {
                self.is_inside |= depth == 1;
                self.trick();
            }
            // sta $30,x with X below 8
            16 => self.code.extend([0x8a, 0x29, 0x07, 0xaa, 0x95, 0x30]),
            17 if nested => {
                self.code.push(0xf8);
                self.block(depth + 1);
                self.code.push(0xd8);
            }
            18 if nested => {
                let (push, pull) = *self.random.pick(&[(0x48, 0x68), (0x08, 0x28)]);
                self.code.push(push);
                self.block(depth + 1);
                self.code.push(pull);
            }
            // A loop with a count of its own, perhaps from an input.
            19 if nested && depth < 2 => {
                let counter = 0x40 + depth as u8;
                match self.random.below(2) {
                    0 => self.code.extend([0xa0, 1 + self.random.below(5) as u8, 0x84, counter]),
                    _ => self.code.extend([0x29, 0x03, 0x85, counter, 0xe6, counter]),
                }
                let start = self.code.len();
                self.block(depth + 2);
                self.code.extend([0xc6, counter]);
                let back = start as i64 - (self.code.len() as i64 + 2);
                self.code.extend([0xd0, back as u8]);
            }
            _ if nested => {
                self.code.extend([*self.random.pick(&BRANCHES), 0]);
                let start = self.code.len();
                self.block(depth + 1);
                self.code[start - 1] = (self.code.len() - start) as u8;
            }
            _ => self.code.push(0xea),
        }
    }
}

fn make(seed: u64) -> Made {
    let mut random = Random::stream(0x500, seed);
    let mut table = vec![0; 256];
    random.fill(&mut table);
    table.extend_from_within(..);
    let kinds: [&[(Where, u64)]; 7] = [
        &[(Where::A, 256)],
        &[(Where::A, 256), (Where::C, 2)],
        &[(Where::X, 16), (Where::A, 64)],
        &[(Where::Byte(0x20), 256), (Where::Y, 8)],
        &[(Where::Word(0x21), 2048)],
        &[(Where::Byte(0x22), 32), (Where::Byte(0x23), 32)],
        &[(Where::A, 256), (Where::Byte(0x20), 256)],
    ];
    let kind = if random.once_in(40) { kinds[6] } else { kinds[random.index(6)] };
    let inputs = kind.iter().map(|&(at, size)| Input { at, size }).collect();
    let left = 5 + random.below(8) as u32;
    let mut generator = Generator { random, code: Vec::new(), left, is_inside: false };
    while generator.left > 0 {
        generator.block(0);
    }
    generator.code.push(0x60);
    Made { code: generator.code, table, inputs }
}

/// The values that can be looked at.
const LOOKS: [&str; 9] = ["A", "X", "Y", "C", "Z * 2 + N", "V", "b($20)", "w($22)", "A & 15 | Y << 4"];

fn looked(look: usize, registers: &Registers, ram: &Ram) -> u64 {
    let flag = |mask: u8| u64::from(registers.p.has(mask));
    match look {
        0 => registers.a.into(),
        1 => registers.x.into(),
        2 => registers.y.into(),
        3 => flag(Status::C),
        4 => flag(Status::Z) * 2 + flag(Status::N),
        5 => flag(Status::V),
        6 => ram[0x20].into(),
        7 => u64::from(ram[0x22]) | u64::from(ram[0x23]) << 8,
        _ => u64::from(registers.a & 15) | u64::from(registers.y) << 4,
    }
}

impl Made {
    fn cases(&self) -> u64 {
        self.inputs.iter().map(|input| input.size).product()
    }

    /// The values of the inputs in a case; the first one counts most.
    fn values(&self, mut case: u64) -> Vec<u64> {
        let mut values: Vec<u64> = self
            .inputs
            .iter()
            .rev()
            .map(|input| {
                let value = case % input.size;
                case /= input.size;
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// Runs a case: the value that is looked at, and the cycles.
    fn run(&self, ram: &mut Ram, values: &[u64], look: usize) -> (u64, u64) {
        for address in 0x20..0x50 {
            ram[address] = 0;
        }
        for (offset, &byte) in self.code.iter().enumerate() {
            ram[CODE + offset as u16] = byte;
        }
        let mut registers = Registers {
            pc: CODE,
            s: ENTRY_STACK,
            p: Status::from_byte(0).with(Status::I),
            ..Registers::default()
        };
        for (input, &value) in self.inputs.iter().zip(values) {
            match input.at {
                Where::A => registers.a = value as u8,
                Where::X => registers.x = value as u8,
                Where::Y => registers.y = value as u8,
                Where::C if value == 1 => registers.p = registers.p.with(Status::C),
                Where::C => {}
                Where::Byte(at) => ram[at.into()] = value as u8,
                Where::Word(at) => {
                    ram[at.into()] = value as u8;
                    ram[u16::from(at) + 1] = (value >> 8) as u8;
                }
            }
        }
        let mut cpu = Cpu::<Nmos>::with_registers(registers);
        let stop = cpu.run(ram, Until::rts().within(100_000));
        assert_eq!(stop, Stop::Rts, "generated routines end");
        (looked(look, &cpu.registers, ram), cpu.cycles)
    }

    fn question(&self, claim: AskedClaim, limits: &Limits) -> Question {
        let zeros = vec![0u8; 0x100];
        let label = |name: &str| (name == "Made").then_some(CODE);
        let bytes = vec![
            (0, &zeros[..]),
            (CODE, &self.code[..]),
            (CALLED, &CALLED_CODE[..]),
            (TABLE, &self.table[..]),
        ];
        let is_input =
            |name: &str| self.inputs.iter().any(|input| input.text(0).contains(&format!("= {name} ")));
        let given = ["A", "X", "Y", "N", "V", "Z", "C"].into_iter().filter(|name| !is_input(name));
        let inputs = self.inputs.iter().enumerate().map(|(number, input)| input.text(number));
        let asked = Asked {
            inputs: inputs.collect(),
            given: given.map(|name| format!("{name} = 0")).collect(),
            claim,
            ..Asked::default()
        };
        let program = Program { bytes, label: &label };
        Question::new(&[(&program, "Made")], &asked, limits).expect("a question")
    }
}

/// Checks one routine; whether its claim was decided.
fn check(seed: u64) -> bool {
    let made = make(seed);
    let mut random = Random::stream(0xc1a1, seed);
    let look = random.index(LOOKS.len());
    let mut ram = Ram::new();
    for (start, bytes) in [(CALLED, &CALLED_CODE[..]), (TABLE, &made.table[..]), (0x01fc, &[0xff, 0xff][..])]
    {
        for (offset, &byte) in bytes.iter().enumerate() {
            ram[start + offset as u16] = byte;
        }
    }
    let all: Vec<(u64, u64)> =
        (0..made.cases()).map(|case| made.run(&mut ram, &made.values(case), look)).collect();
    let told = || format!("routine {seed}: {:02x?}, {}", made.code, LOOKS[look]);
    let formulas =
        Limits { exhaust: 0, conflicts: 20_000, nodes: 400_000, steps: 50_000, ..Limits::default() };
    // All inputs are run for some, too.
    let limits = if seed.is_multiple_of(8) { Limits::default() } else { formulas };
    if seed.is_multiple_of(4) {
        let answer = decide(&made.question(AskedClaim::Cycles, &limits));
        assert!(matches!(answer.verdict, Verdict::Proved | Verdict::Undecided), "{}: {answer:?}", told());
        let cycles = all.iter().map(|&(_, cycles)| cycles);
        let bounds = (cycles.clone().min(), cycles.max());
        if let (Verdict::Proved, Some(found)) = (answer.verdict, &answer.cycles) {
            assert_eq!((Some(found.min), Some(found.max)), bounds, "{}", told());
            for (inputs, cycles) in [(&found.at_min, found.min), (&found.at_max, found.max)] {
                assert_eq!(made.run(&mut ram, inputs, look).1, cycles, "{}", told());
            }
        }
        return answer.verdict == Verdict::Proved;
    }
    let most = all.iter().map(|&(value, _)| value).max().unwrap_or(0);
    // Some are true, some fail for few inputs.
    let (claim, holds): (String, Box<dyn Fn(u64) -> bool>) = match random.below(4) {
        0 => (format!("<= {most}"), Box::new(move |value| value <= most)),
        1 => (format!("< {most}"), Box::new(move |value| value < most)),
        2 => {
            let rare = all[random.index(all.len())].0;
            (format!("!= {rare}"), Box::new(move |value| value != rare))
        }
        _ => {
            let other = (0..=most + 1).rev().find(|other| all.iter().all(|(value, _)| value != other));
            let other = other.unwrap_or(most + 1);
            (format!("!= {other}"), Box::new(move |value| value != other))
        }
    };
    let text = format!("({}) {claim}", LOOKS[look]);
    let answer = decide(&made.question(AskedClaim::Holds(text.clone()), &limits));
    let is_true = all.iter().all(|&(value, _)| holds(value));
    match answer.verdict {
        Verdict::Proved => assert!(is_true, "{}: {text} is false, and proved: {answer:?}", told()),
        Verdict::Refuted => {
            let inputs = &answer.example.as_ref().expect("an example").inputs;
            let value = made.run(&mut ram, inputs, look).0;
            assert!(!holds(value), "{}: {text} holds for {inputs:?}", told());
        }
        Verdict::Undecided => {
            let reason = answer.reason.as_deref().unwrap_or_default();
            assert!(!reason.contains("internal"), "{}: {text}: {reason}", told());
            return false;
        }
        Verdict::Refused => panic!("{}: {answer:?}", told()),
    }
    true
}

#[test]
fn proofs_of_generated_routines_agree_with_all_runs() {
    let decided = (0..ROUTINES).into_par_iter().filter(|&seed| check(seed)).count() as u64;
    assert!(decided * 100 >= ROUTINES * 97, "only {decided} of {ROUTINES} are decided");
}
