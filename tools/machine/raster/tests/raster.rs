//! Programs whose time is known, and where the watcher finds it.

use pretty_assertions::assert_eq;
use tempo_assembler::{MemoryFiles, Options};
use tempo_c64::Session;
use tempo_emu::c64::{C64, Model};
use tempo_formats::symbols::Symbols;
use tempo_raster::{Contract, Interrupted, Measured, Report, Verdict, measure};

struct Assembled {
    prg: Vec<u8>,
    symbols: Symbols,
}

fn assemble(source: &str) -> Assembled {
    let mut files = MemoryFiles::default();
    files.insert("main.asm", format!("BasicUpstart2(Start)\n{source}"));
    let output = tempo_assembler::assemble(&files, "main.asm", &Options::default());
    let messages: Vec<&String> = output.diagnostics.iter().map(|found| &found.message).collect();
    assert!(!output.has_errors(), "{messages:?}");
    Assembled { prg: output.prg().expect("bytes"), symbols: Symbols::from_program(&output.program) }
}

impl Assembled {
    fn name(&self, addr: u16) -> String {
        self.symbols.at(i64::from(addr)).map_or(format!("${addr:04X}"), |symbol| symbol.path.clone())
    }

    fn measure(&self, model: Model, first: u64, frames: u64) -> (Measured, Report) {
        let mut machine = C64::new(model);
        machine.start(&self.prg).expect("a program");
        let measured = measure(&mut Session::new(machine), first, frames).expect("it runs");
        let report = Report::new(&measured, &|addr| self.name(addr));
        // The sums are the cycles of a frame, whatever the program does.
        for frame in &measured.frames {
            assert_eq!(frame.counts.iter().sum::<u64>(), report.cycles_per_frame, "frame {}", frame.frame);
        }
        assert_eq!(measured.cells.len() as u64, report.cycles_per_frame);
        assert_eq!(report.parts.iter().map(|row| row.figures.cycles).sum::<u64>(), report.cycles_per_frame);
        (measured, report)
    }
}

fn cycles(report: &Report, label: &str) -> u64 {
    report.parts.iter().filter(|row| row.label() == label).map(|row| row.figures.cycles).sum()
}

/// Two raster interrupts that go through $FFFE, a routine that both call, sprites, and a main program that waits.
const TWO_HANDLERS: &str = "
Start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<IrqTop
        sta $fffe
        lda #>IrqTop
        sta $ffff
        lda #40
        sta $d012
        lda #$1b
        sta $d011
        lda #1
        sta $d01a
        asl $d019
        cli
loop:   jmp loop
IrqTop: pha                     // 3
        asl $d019               // 6
        jsr Work                // 6 + 12
        lda #<IrqLow            // 2
        sta $fffe               // 4
        lda #>IrqLow            // 2
        sta $ffff               // 4
        lda #251                // 2
        sta $d012               // 4
        pla                     // 4
        rti                     // 6
IrqLow: pha
        asl $d019
        lda #<IrqTop
        sta $fffe
        lda #>IrqTop
        sta $ffff
        lda #40
        sta $d012
        pla
        rti
Work:   nop                     // 2
        inc $0400               // 6 - the rest is 4
        bit $ea                 // 3
        rts                     // 6
";

#[test]
fn handlers_routines_and_waiting_are_told_apart() {
    let program = assemble(TWO_HANDLERS);
    let (measured, report) = program.measure(Model::Pal, 5, 10);
    // The sequence has 7 cycles.
    assert_eq!(cycles(&report, "irq IrqTop"), 7 + 3 + 6 + 6 + 2 + 4 + 2 + 4 + 2 + 4 + 4 + 6);
    assert_eq!(cycles(&report, "irq IrqTop > Work"), 2 + 6 + 3 + 6);
    assert_eq!(cycles(&report, "irq IrqLow"), 7 + 3 + 6 + 2 + 4 + 2 + 4 + 2 + 4 + 4 + 6);
    assert_eq!(cycles(&report, "Start"), 0, "the main program only waits");
    let bad = cycles(&report, "bad lines");
    assert!((1000..=1075).contains(&bad), "{bad}");
    assert_eq!(cycles(&report, "waiting"), 63 * 312 - bad - 50 - 17 - 44);
    let names: Vec<&str> = report.handlers.iter().map(|handler| handler.name.as_str()).collect();
    assert_eq!(names, ["IrqTop", "IrqLow"]);
    let top = &report.handlers[0];
    assert_eq!((top.figures.min, top.figures.max, top.runs.len(), top.runs[0].begin_line), (67, 67, 1, 40));
    assert_eq!((top.runs[0].end_line, report.handlers[1].runs[0].begin_line), (41, 251));
    assert_eq!(report.work.cycles, 50 + 17 + 44);
    let judge = |words: &str| {
        let contract = Contract::parse(words).expect("a contract").expect("a good one");
        Report::judge(&measured, &contract, &|name| {
            program.symbols.get(name).and_then(|at| u16::try_from(at).ok())
        })
    };
    assert_eq!(judge("frame <= 111"), Verdict::Kept(111));
    assert_eq!(judge("frame <= 110"), Verdict::Broken { cycles: 111, frame: 5 });
    assert_eq!(judge("irq IrqTop <= 67"), Verdict::Kept(67));
    assert_eq!(judge("irq IrqTop <= 66"), Verdict::Broken { cycles: 67, frame: 5 });
    assert_eq!(judge("irq Work <= 66"), Verdict::NeverRan);
    assert_eq!(judge("irq Nobody <= 66"), Verdict::UnknownLabel);
    let picture = tempo_raster::svg(&measured, &report, "a < b");
    assert!(picture.contains("a &lt; b") && picture.contains("irq IrqTop &gt; Work"));
}

#[test]
fn ntsc_has_its_own_frame() {
    let (_, report) = assemble(TWO_HANDLERS).measure(Model::Ntsc, 3, 2);
    assert_eq!((report.lines, report.cycles_per_line, report.cycles_per_frame), (263, 65, 263 * 65));
    assert_eq!(cycles(&report, "irq IrqTop"), 50);
}

#[test]
fn a_handler_behind_the_kernal_is_named_by_its_own_label() {
    let source = "
Start:  sei
        lda #<Tick
        sta $0314
        lda #>Tick
        sta $0315
        cli
loop:   jmp loop
Tick:   inc $d020
        jmp $ea31";
    let (_, report) = assemble(source).measure(Model::Pal, 10, 50);
    let names: Vec<&str> = report.handlers.iter().map(|handler| handler.name.as_str()).collect();
    assert_eq!(names, ["Tick"]);
    // The KERNAL's entry and its keyboard are part of it.
    assert!(report.handlers[0].figures.max > 100, "{report:?}");
}

#[test]
fn a_delay_is_work_and_a_look_at_the_beam_is_waiting() {
    let source = "
Start:  sei
again:  lda #100
wait:   cmp $d012
        bne wait
        ldx #0
delay:  dex
        bne delay
        jmp again";
    let (_, report) = assemble(source).measure(Model::Pal, 5, 3);
    let work = cycles(&report, "Start");
    // 256 rounds of 5 cycles, and a little around them.
    assert!((1270..1330).contains(&work), "{work}");
}

#[test]
fn sprites_take_their_cycles() {
    let source = "
Start:  sei
        lda #$ff
        sta $d015
        ldx #14
place:  lda #100
        sta $d001,x
        dex
        dex
        bpl place
loop:   jmp loop";
    let (_, report) = assemble(source).measure(Model::Pal, 5, 1);
    // Eight sprites take 17 to 19 cycles of each of 21 lines.
    let sprites = cycles(&report, "sprite DMA");
    assert!((21 * 16..=21 * 19).contains(&sprites), "{sprites}");
}

#[test]
fn a_stable_raster_by_two_interrupts_ends_with_one_rti() {
    let source = "
Start:  sei
        lda #$35
        sta $01
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<First
        sta $fffe
        lda #>First
        sta $ffff
        lda #$1b
        sta $d011
        lda #60
        sta $d012
        lda #1
        sta $d01a
        asl $d019
        cli
loop:   jmp loop
First:  lda #<Second
        sta $fffe
        lda #>Second
        sta $ffff
        inc $d012
        asl $d019
        tsx
        cli
        .fill 40, NOP
Second: txs
        lda #<First
        sta $fffe
        lda #>First
        sta $ffff
        lda #60
        sta $d012
        asl $d019
        rti";
    let program = assemble(source);
    let (_, report) = program.measure(Model::Pal, 5, 4);
    let names: Vec<(&str, usize)> =
        report.handlers.iter().map(|handler| (handler.name.as_str(), handler.runs.len())).collect();
    assert_eq!(names, [("First", 1), ("Second", 1)]);
    assert!(cycles(&report, "waiting") > 17_000, "{}", report.text());
}

#[test]
fn a_program_that_ends_says_when() {
    let measured = |source: &str| {
        let mut machine = C64::new(Model::Pal);
        machine.start(&assemble(source).prg).expect("a program");
        measure(&mut Session::new(machine), 5, 5).expect_err("it ends")
    };
    assert_eq!(measured("Start: lda #3\n sta $d7ff\n jmp *"), Interrupted::Exit { code: 3, frame: 0 });
    assert!(matches!(measured("Start: .byte 2"), Interrupted::Jammed { frame: 0, .. }));
}

#[test]
fn random_programs_have_whole_frames() {
    // Bytes that are a program by accident: every frame that is reached adds up.
    let mut state = 1_u32;
    for _ in 0..40 {
        let mut prg = assemble("Start: nop").prg;
        for _ in 0..400 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            prg.push((state >> 24) as u8);
        }
        let mut machine = C64::new(Model::Pal);
        machine.start(&prg).expect("a program");
        let Ok(measured) = measure(&mut Session::new(machine), 1, 3) else { continue };
        for frame in &measured.frames {
            assert_eq!(frame.counts.iter().sum::<u64>(), 63 * 312);
        }
    }
}
