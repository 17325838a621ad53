//! Cycles that comments state against cycles of the emulator: random programs of straight code, branches, counted loops
//! and calls, each closed by a comment. The emulator is the oracle.

use tempo_assembler::{Code, Lints, MemoryFiles, Options, assemble};
use tempo_emu::{Cpu, Nmos, Ram, Stop, Until};
use tempo_random::Random;

/// Instructions that keep X, Y and the stack.
const STRAIGHT: &[&str] = &[
    "nop",
    "lda #$05",
    "lda #$80",
    "lda $fb",
    "lda $40",
    "sta $40",
    "stx $41",
    "sty $42",
    "lda table,x",
    "lda table,y",
    "lda $20f0,x",
    "sta $20f0,x",
    "lda ($fb),y",
    "sta ($fb),y",
    "adc #$7f",
    "sbc #$30",
    "adc $40",
    "and #$1f",
    "ora #$40",
    "eor #$ff",
    "asl",
    "lsr",
    "rol",
    "ror",
    "inc $40",
    "dec $41",
    "asl $40",
    "lsr $41",
    "rol $42",
    "ror $42",
    "inc $2010,x",
    "clc",
    "sec",
    "clv",
    "cmp #$10",
    "cmp $41",
    "cpx #$03",
    "cpy #$02",
    "bit $40",
    "txa",
    "tya",
    "lax $fb",
    "slo $43",
    "nop $2000,x",
    "pha\n pla",
    "php\n plp",
    "txa\n pha\n pla",
    "jsr short",
    "jsr long",
    "lda $2080,y",
];

const BRANCHES: &[&str] = &["bne", "beq", "bcc", "bcs", "bpl", "bmi", "bvc", "bvs"];

struct Maker {
    random: Random,
    labels: usize,
    text: String,
}

impl Maker {
    fn block(&mut self, depth: usize) {
        for _ in 0..self.random.index(5) + 1 {
            match self.random.index(if depth < 2 { 10 } else { 7 }) {
                0..=5 => {
                    let line = *self.random.pick(STRAIGHT);
                    self.line(line);
                }
                6 => {
                    let (branch, line) = (*self.random.pick(BRANCHES), *self.random.pick(STRAIGHT));
                    let label = self.label();
                    self.text.push_str(&format!(" {branch} {label}\n {line}\n{label}:\n"));
                }
                7 => self.counted("ldx", "dex", depth),
                8 => self.counted("ldy", "dey", depth),
                _ => {
                    let (label, count) = (self.label(), self.random.index(4) + 1);
                    let cell = format!("${:02x}", 0x50 + depth);
                    self.text.push_str(&format!(" lda #{count}\n sta {cell}\n{label}:\n"));
                    self.block(depth + 1);
                    self.text.push_str(&format!(" dec {cell}\n bne {label}\n"));
                }
            }
        }
    }

    /// A loop over a register; what is inside keeps it by the stack if it is a loop over the same one.
    fn counted(&mut self, load: &str, step: &str, depth: usize) {
        let (label, count) = (self.label(), self.random.index(6) + 1);
        let cell = if load == "ldx" { 0x60 } else { 0x70 } + depth;
        let register = &load[2..];
        self.text.push_str(&format!(" {load} #{count}\n{label}:\n st{register} ${cell:02x}\n"));
        self.block(depth + 1);
        self.text.push_str(&format!(" {load} ${cell:02x}\n {step}\n bne {label}\n"));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&format!(" {line}\n"));
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }
}

/// The cycles the assembler finds: fewest and most.
fn counted(source: &str) -> Result<(u64, u64), String> {
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    let lints =
        Lints { on: vec![Code::CyclesDiffer, Code::CyclesUnknown, Code::CyclesComment], ..Lints::default() };
    let output = assemble(&files, "main.asm", &Options { lints, ..Options::default() });
    let report = output.diagnostics.first().ok_or("no program takes no cycles")?;
    // "this run takes 61 cycles, not 0", "this run takes 61 to 63 cycles, not 0"
    let numbers: Vec<u64> = report.message.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [cycles, 0] => Ok((cycles, cycles)),
        [min, max, 0] => Ok((min, max)),
        _ => Err(report.message.clone()),
    }
}

fn executed(source: &str, random: &mut Random) -> u64 {
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options::default());
    assert!(!output.has_errors(), "{:?}\n{source}", output.diagnostics);
    let address = |name: &str| output.symbol(name).unwrap_or_default() as u16;
    let mut ram = Ram::new();
    let image = output.image.as_ref().expect("there is code");
    ram.load(image.start as u16, &image.bytes).expect("it fits");
    let mut cpu = Cpu::<Nmos>::new();
    let registers = &mut cpu.registers;
    registers.pc = address("start");
    (registers.a, registers.x, registers.y) =
        (random.index(256) as u8, random.index(256) as u8, random.index(256) as u8);
    let stop = cpu.run(&mut ram, Until::address(address("end")).within(5_000_000));
    assert_eq!(stop, Stop::Address, "{source}");
    cpu.cycles
}

#[test]
fn comments_count_what_the_emulator_counts() {
    let (mut exact, programs) = (0, 1000);
    for seed in 0..programs {
        let mut maker = Maker { random: Random::new(seed), labels: 0, text: String::new() };
        let start = 0x1000 + maker.random.index(256);
        maker.block(0);
        let (low, high) = (maker.random.index(256), maker.random.index(3) + 0x30);
        let source = format!(
            "*=${start:04x}\nstart: // tempo: count\n cld\n clc\n clv\n ldx #{low}\n ldy #{}\n lda #{low}\n sta $fb\n \
             lda #{high}\n sta $fc\n{} nop // tempo: cycles 0\nend: rts\nlong: pha\n lda #1\n pla\n nop\nshort: rts\n\
             table: .fill 16, i\n",
            maker.random.index(256),
            maker.text
        );
        let cycles = executed(&source, &mut maker.random);
        let (min, max) =
            counted(&source).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{source}"));
        assert!(
            (min..=max).contains(&cycles),
            "seed {seed}: {min} to {max}, the emulator {cycles}\n{source}"
        );
        exact += u64::from(min == max);
    }
    // Most programs read nothing that they have not written before.
    assert!(exact > programs / 2, "{exact} of {programs} are known to the cycle");
}
