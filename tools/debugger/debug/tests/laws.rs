//! The laws of going back, on random programs: whatever the debugger says about the past agrees with a trace that the
//! emulator made without it.

use std::ops::ControlFlow;

use tempo_assembler::{MemoryFiles, Options, Output, assemble};
use tempo_debug::{
    Debugger, Exception, Granularity, Origin, Point, Reason, Setup, StepKind, Subject, Target, Watch, Writer,
};
use tempo_emu::{Access, Cpu, Hooks, Nmos, Ram, Registers, Until};
use tempo_random::Random;

/// A program of a few routines that call each other, with loops, macros and the stack in use.
fn source(random: &mut Random) -> String {
    let mut text =
        String::from("*=$1000\n.macro Add(value, to) {\n  clc\n  lda to\n  adc #value\n  sta to\n}\n");
    text.push_str("main: ldy #");
    text.push_str(&format!("{}\n", 2 + random.below(4)));
    text.push_str("loop: tya\n  pha\n  jsr sub0\n  pla\n  tay\n  dey\n  bne loop\n  rts\n");
    let count = 3;
    for number in 0..count {
        text.push_str(&format!("sub{number}:\n"));
        for statement in 0..4 + random.below(8) {
            let zp = 0x20 + random.below(6);
            let line = match random.below(12) {
                0 => format!("  lda #{}", random.below(256)),
                1 => format!("  sta ${zp:02x}"),
                2 => format!("  inc ${zp:02x}"),
                3 => format!("  ldx ${zp:02x}"),
                4 => format!("  Add({}, ${zp:02x})", random.below(256)),
                5 => "  lda $20,x\n  sta $3000,x".to_string(),
                6 => format!("  ldx #3\nl{number}_{statement}: dex\n  bne l{number}_{statement}"),
                7 if number + 1 < count => format!("  jsr sub{}", number + 1),
                8 => "  pha\n  php\n  plp\n  pla".to_string(),
                9 => format!("  lda ${zp:02x}; eor #$5a; sta ${zp:02x}"),
                10 => format!("  asl ${zp:02x}"),
                _ => "  .for (var i=0;i<2;i++) { stx $28+i }".to_string(),
            };
            text.push_str(&line);
            text.push('\n');
        }
        text.push_str("  rts\n");
    }
    text
}

fn output(source: &str) -> Output {
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options { analysis: true, ..Options::default() });
    assert!(!output.has_errors(), "{:?}\n{source}", output.diagnostics);
    output
}

/// The emulator's actions, seen by hooks of this file alone.
#[derive(Default)]
struct Trace {
    steps: Vec<(u64, Registers)>,
    /// The instruction's index, the address and the value.
    writes: Vec<(usize, u16, u8)>,
}

impl Hooks for Trace {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.steps.push((cycles, *registers));
        if registers.pc == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn write(&mut self, addr: u16, value: u8, access: Access, _: u64) {
        if access != Access::Dummy {
            self.writes.push((self.steps.len() - 1, addr, value));
        }
    }
}

fn trace(output: &Output) -> (Trace, Vec<u8>) {
    let image = output.image.as_ref().expect("bytes");
    let mut ram = Box::new(Ram::new());
    ram.load(image.start as u16, &image.bytes).expect("it fits");
    let code = ram.bytes().to_vec();
    ram.bytes_mut()[0x1fc..0x1fe].copy_from_slice(&[0xff, 0xff]);
    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers = Registers { pc: 0x1000, s: 0xfb, ..Registers::default() };
    let mut trace = Trace::default();
    cpu.run_with(&mut *ram, &mut trace, Until::cycles(1_000_000));
    (trace, code)
}

fn debugger(output: &Output) -> Debugger {
    let setup = Setup { history: 4, ..Setup::default() };
    Debugger::new(Target::from_output(output, &setup).expect("a program"))
}

fn finish(debugger: &mut Debugger) {
    debugger.resume();
    let stopped = debugger.run(u64::MAX >> 1).expect("it ends");
    assert_eq!(stopped.reason, Reason::Ended(0), "{}", stopped.text);
}

/// A random program, its trace, its memory before it ran, and a debugger at its start.
struct Law {
    seed: u64,
    random: Random,
    trace: Trace,
    code: Vec<u8>,
    debugger: Debugger,
}

fn laws() -> impl Iterator<Item = Law> {
    (0..40).map(|seed| {
        let mut random = Random::new(seed);
        let output = output(&source(&mut random));
        let (trace, code) = trace(&output);
        Law { seed, random, trace, code, debugger: debugger(&output) }
    })
}

#[test]
fn instructions_forward_and_back_are_those_of_the_trace() {
    for Law { seed, mut random, trace, mut debugger, .. } in laws() {
        let count = trace.steps.len().min(60 + random.below(200) as usize) - 2;
        for step in &trace.steps[1..=count] {
            debugger.step(StepKind::In, Granularity::Instruction);
            debugger.run(1000).expect("a stop");
            assert_eq!((debugger.time(), debugger.machine().registers()), (step.0, &step.1), "seed {seed}");
        }
        // Without the trail of the steps the past is searched.
        let here = debugger.time();
        debugger.go_to(here);
        for step in trace.steps[..count].iter().rev() {
            assert_eq!(debugger.step_back(Granularity::Instruction).reason, Reason::Step);
            assert_eq!((debugger.time(), debugger.machine().registers()), (step.0, &step.1), "seed {seed}");
        }
        assert_eq!(debugger.step_back(Granularity::Instruction).reason, Reason::Start);
    }
}

#[test]
fn n_steps_back_after_n_steps_forward_give_an_equal_state() {
    let mut total = 0;
    for Law { seed, mut random, mut debugger, .. } in laws() {
        let mut states = Vec::new();
        for _ in 0..80 {
            let state =
                (debugger.moment().machine.clone(), debugger.moment().calls.clone(), debugger.top_place());
            let kind = match random.below(16) {
                0 => StepKind::Out,
                1..=10 => StepKind::In,
                _ => StepKind::Over,
            };
            let length = [Granularity::Line, Granularity::Statement, Granularity::Instruction];
            let stopped = debugger.step(kind, length[random.below(3) as usize]);
            let stopped = stopped.or_else(|| debugger.run(u64::MAX >> 1)).expect("a stop");
            states.push(state);
            if stopped.reason != Reason::Step {
                break;
            }
        }
        total += states.len();
        for (number, (machine, calls, place)) in states.into_iter().enumerate().rev() {
            debugger.step_back(Granularity::Line);
            assert_eq!(
                (debugger.time(), debugger.machine().registers()),
                (machine.time(), machine.registers())
            );
            let memory =
                |machine: &tempo_debug::Machine| (0..=0xffff).map(|at| machine.peek(at)).collect::<Vec<u8>>();
            assert!(memory(debugger.machine()) == memory(&machine), "seed {seed}, step {number}");
            assert!(debugger.moment().machine.is_same(&machine), "seed {seed}, step {number}");
            assert_eq!(debugger.machine().cycles(), machine.cycles());
            assert_eq!(debugger.moment().calls.frames, calls.frames, "seed {seed}, step {number}");
            assert_eq!(debugger.top_place(), place, "seed {seed}, step {number}");
        }
    }
    assert!(total > 500, "{total} steps");
}

#[test]
fn a_line_back_is_a_line_of_this_routine_or_a_caller() {
    for Law { seed, mut debugger, .. } in laws() {
        // Steps over calls, then back without the trail: the same lines, because a step over never goes deeper.
        let mut lines = Vec::new();
        for _ in 0..12 {
            lines.push((debugger.time(), debugger.top_place()));
            debugger.step(StepKind::Over, Granularity::Line);
            if debugger.run(u64::MAX >> 1).expect("a stop").reason != Reason::Step {
                lines.pop();
                break;
            }
        }
        let last = lines.last().map(|line| line.0).expect("a line");
        debugger.go_to(last);
        lines.pop();
        for (time, place) in lines.into_iter().rev() {
            debugger.step_back(Granularity::Line);
            assert_eq!((debugger.time(), debugger.top_place()), (time, place), "seed {seed}");
        }
    }
}

#[test]
fn running_back_stops_where_the_trace_says() {
    for Law { seed, mut random, trace, mut debugger, .. } in laws() {
        finish(&mut debugger);
        for _ in 0..12 {
            let code = trace.steps[random.below(trace.steps.len() as u64 - 1) as usize].1.pc;
            let data = 0x20 + random.below(10) as u16;
            let value = random.below(256) as u8;
            let conditional = random.below(2) == 0;
            debugger.points.retain(|_| false);
            let mut point = Point::new(Origin::Instruction, Watch::Code(vec![code]));
            if conditional {
                point.condition = debugger.compile(&format!("a < {value}")).ok();
            }
            debugger.points.add(point);
            let watch = Watch::Data { first: data, last: data, read: false, write: true, on_change: false };
            debugger.points.add(Point::new(Origin::Data, watch));
            let from = 1 + random.below(trace.steps.len() as u64 - 2) as usize;
            debugger.go_to(trace.steps[from].0);
            let stops = |index: usize| {
                let at = &trace.steps[index].1;
                let by_code = at.pc == code && (!conditional || at.a < value);
                by_code || trace.writes.iter().any(|&(by, address, _)| by + 1 == index && address == data)
            };
            let wanted = (0..from).rev().find(|&index| stops(index));
            let stopped = debugger.reverse();
            match wanted {
                Some(index) => {
                    assert!(matches!(stopped.reason, Reason::Points(..)), "seed {seed}: {stopped:?}");
                    assert_eq!(debugger.time(), trace.steps[index].0, "seed {seed}");
                    assert_eq!(debugger.machine().registers(), &trace.steps[index].1, "seed {seed}");
                }
                None => assert_eq!((stopped.reason, debugger.time()), (Reason::Start, 0), "seed {seed}"),
            }
        }
    }
}

#[test]
fn running_forward_stops_where_the_trace_says() {
    for Law { seed, mut random, trace, mut debugger, .. } in laws() {
        let code = trace.steps[random.below(trace.steps.len() as u64 - 1) as usize].1.pc;
        let data = 0x20 + random.below(10) as u16;
        debugger.points.add(Point::new(Origin::Instruction, Watch::Code(vec![code])));
        let watch = Watch::Data { first: data, last: data, read: false, write: true, on_change: false };
        debugger.points.add(Point::new(Origin::Data, watch));
        for index in 1..trace.steps.len() - 1 {
            let by_data = trace.writes.iter().any(|&(by, address, _)| by + 1 == index && address == data);
            if trace.steps[index].1.pc != code && !by_data {
                continue;
            }
            debugger.resume();
            let stopped = debugger.run(u64::MAX >> 1).expect("a stop");
            assert!(matches!(stopped.reason, Reason::Points(..)), "seed {seed}: {stopped:?}");
            assert_eq!(debugger.time(), trace.steps[index].0, "seed {seed}");
        }
        debugger.resume();
        assert_eq!(debugger.run(u64::MAX >> 1).map(|stopped| stopped.reason), Some(Reason::Ended(0)));
    }
}

#[test]
fn who_wrote_this_agrees_with_the_trace() {
    for Law { seed, mut random, trace, code, mut debugger } in laws() {
        finish(&mut debugger);
        for _ in 0..12 {
            let at = 1 + random.below(trace.steps.len() as u64 - 2) as usize;
            debugger.go_to(trace.steps[at].0);
            let address = match random.below(4) {
                0 => 0x01f0 + random.below(16) as u16,
                1 => 0x3000 + random.below(16) as u16,
                _ => 0x20 + random.below(10) as u16,
            };
            let wanted = trace.writes.iter().rev().find(|&&(by, to, _)| by < at && to == address);
            match (debugger.why(Subject::Byte(address)), wanted) {
                (Writer::Nobody, None) => {}
                (Writer::Instruction(maker), Some(&(by, _, value))) => {
                    assert_eq!((maker.time, maker.value), (trace.steps[by].0, value), "seed {seed}");
                    assert_eq!(maker.registers, trace.steps[by].1, "seed {seed}");
                    assert_eq!(maker.value, debugger.machine().peek(address), "seed {seed}");
                }
                (found, wanted) => panic!("seed {seed}: ${address:04x} at {at}: {found:?}, {wanted:?}"),
            }
            // lda #, lda zp, lda zp,x; tya; pla; adc #; eor #.
            let makes_a = [0xa9, 0xa5, 0xb5, 0x98, 0x68, 0x69, 0x49];
            let by =
                (0..at).rev().find(|&index| makes_a.contains(&code[usize::from(trace.steps[index].1.pc)]));
            match (debugger.why(Subject::Register('a')), by) {
                (Writer::Nobody, None) => {}
                (Writer::Instruction(maker), Some(by)) => {
                    assert_eq!(maker.time, trace.steps[by].0, "seed {seed}");
                    assert_eq!(maker.value, trace.steps[at].1.a, "seed {seed}");
                }
                (found, wanted) => panic!("seed {seed}: A at {at}: {found:?}, {wanted:?}"),
            }
        }
    }
}

/// The last instruction before the RTS is the one that is asked for, unless the case ends with another.
#[test]
fn undocumented_instructions_are_found_with_what_they_used() {
    let (a, x, y, s) =
        (Subject::Register('a'), Subject::Register('x'), Subject::Register('y'), Subject::Register('s'));
    let (carry, byte) = (Subject::Flag(0x01), Subject::Byte);
    let cases: &[(&str, &str, Subject, &[Subject])] = &[
        ("lda #5; sec", ".byte $eb, 1; nop", a, &[a, carry]),
        ("lda #5; sec", ".byte $eb, 1", carry, &[a, carry]),
        ("ldx #1; ldy #0", "las full,y; nop", x, &[y, s, byte(0x2000)]),
        ("ldx #1; ldy #0", "las full,y", s, &[y, s, byte(0x2000)]),
        ("tsx; lda #$ff; ldy #0", "tas $3000,y; nop", s, &[a, x, y]),
        ("lda #$ff; ldx #3; ldy #0", "sha $3000,y; lda #0", byte(0x3000), &[a, x, y]),
        ("ldx #3; ldy #0", "shx $3000,y; lda #0", byte(0x3000), &[x, y]),
        ("ldx #0; ldy #3", "shy $3000,x; lda #0", byte(0x3000), &[x, y]),
        ("clc; lda #$80", "anc #$ff; nop", carry, &[a]),
        ("sec; lda #$01", ".byte $2b, $7f; nop", carry, &[a]),
        ("lda #7; ldx #5", "sbx #1; nop", x, &[a, x]),
        ("lda #7", "lax #3; nop", x, &[a]),
        ("lda #7; ldx #5", "ane #3; nop", a, &[a, x]),
        ("lda #7; sec", "rra $20; nop", a, &[a, carry, byte(0x20)]),
    ];
    for &(before, asked, subject, used) in cases {
        let output =
            output(&format!("*=$1000\nmain: {before}\n asked: {asked}\n rts\n*=$2000\nfull: .byte $ff\n"));
        let (trace, _) = trace(&output);
        let mut debugger = debugger(&output);
        finish(&mut debugger);
        let asked_at = 0x1000 + code_len(before);
        let wanted = trace.steps.iter().find(|(_, registers)| registers.pc == asked_at).expect("it ran");
        let rts = trace.steps[trace.steps.len() - 2].0;
        let Writer::Instruction(maker) = debugger.why_at(subject, rts) else { panic!("{asked}: nobody") };
        assert_eq!((maker.time, maker.pc), (wanted.0, asked_at), "{asked}: {}", maker.text);
        let uses: Vec<Subject> = maker.uses.iter().map(|&(subject, _)| subject).collect();
        assert_eq!(uses, used, "{asked}");
    }
}

/// The bytes that a source assembles to.
fn code_len(source: &str) -> u16 {
    let output = output(&format!("*=$1000\n{source}\n"));
    output.prg().expect("bytes").len() as u16 - 2
}

#[test]
fn when_it_was_last_true_agrees_with_the_trace() {
    for Law { seed, mut random, trace, mut debugger, .. } in laws() {
        finish(&mut debugger);
        for _ in 0..8 {
            let at = 1 + random.below(trace.steps.len() as u64 - 2) as usize;
            debugger.go_to(trace.steps[at].0);
            let value = random.below(256) as u8;
            let condition =
                debugger.compile(&format!("a == {value} or y == {}", value & 7)).expect("a condition");
            let holds = |registers: &Registers| registers.a == value || registers.y == value & 7;
            let wanted = trace.steps[..at].iter().rev().find(|(_, registers)| holds(registers));
            assert_eq!(debugger.last_true(&condition), wanted.map(|step| step.0), "seed {seed}");
        }
    }
}

/// A breakpoint with a hit count stops at the same moments in both directions, and counts on from where it was left.
#[test]
fn hit_counts_are_the_same_in_both_directions() {
    for Law { seed, trace, mut debugger, .. } in laws().step_by(4) {
        let address = 0x1002;
        let hits: Vec<u64> =
            trace.steps.iter().filter(|(_, registers)| registers.pc == address).map(|(at, _)| *at).collect();
        let wanted: Vec<u64> = hits.iter().skip(1).step_by(2).copied().collect();
        let mut point = Point::new(Origin::Instruction, Watch::Code(vec![address]));
        point.hits = tempo_debug::Hits::parse("% 2");
        debugger.add_point(point.clone());
        let forward = |debugger: &mut Debugger| {
            let mut found = Vec::new();
            loop {
                debugger.resume();
                match debugger.run(u64::MAX >> 1).expect("a stop").reason {
                    Reason::Points(..) => found.push(debugger.time()),
                    _ => return found,
                }
            }
        };
        assert_eq!(forward(&mut debugger), wanted, "seed {seed}");
        let mut back = Vec::new();
        while let Reason::Points(..) = debugger.reverse().reason {
            back.push(debugger.time());
        }
        back.reverse();
        assert_eq!(back, wanted, "seed {seed}");
        assert_eq!(forward(&mut debugger), wanted, "again, seed {seed}");
        // Set at the end, it counts from the start when the machine goes back.
        debugger.points.retain(|_| false);
        debugger.add_point(point);
        if let Some(&last) = wanted.last() {
            assert!(matches!(debugger.reverse().reason, Reason::Points(..)), "seed {seed}");
            assert_eq!(debugger.time(), last, "seed {seed}");
        }
    }
}

/// Exceptions about what was written and executed before are true at every moment, whichever way it was reached.
#[test]
fn exceptions_of_the_past_are_those_of_the_way_there() {
    let output = output(
        "*=$1000\nmain: lda $20\n  sta $20\n  lda $20\n  inc change + 1\nchange: ldx #0\n  inc change + 1\n  rts\n",
    );
    let mut debugger = debugger(&output);
    debugger.exceptions = debugger.exceptions.with(Exception::Uninit).with(Exception::SelfMod);
    let forward = |debugger: &mut Debugger| {
        let mut found = Vec::new();
        loop {
            debugger.resume();
            match debugger.run(1000).expect("a stop").reason {
                Reason::Exception(exception) => found.push((exception, debugger.time())),
                _ => return found,
            }
        }
    };
    // The read of $20 before it is written, and the change of an instruction that has run.
    let wanted = forward(&mut debugger);
    assert_eq!(
        wanted.iter().map(|(exception, _)| *exception).collect::<Vec<_>>(),
        [Exception::Uninit, Exception::SelfMod]
    );
    for &(exception, time) in wanted.iter().rev() {
        assert_eq!((debugger.reverse().reason, debugger.time()), (Reason::Exception(exception), time));
    }
    assert_eq!(debugger.reverse().reason, Reason::Start);
    assert_eq!(forward(&mut debugger), wanted);
    // What the user stores in the past is written from then on.
    debugger.go_to(0);
    debugger.change(tempo_debug::Input::Poke(0x20, vec![1]));
    assert_eq!(forward(&mut debugger).len(), 1);
}

#[test]
fn returns_without_a_call_and_a_full_stack_are_found() {
    let text = |source: &str| {
        let output = output(source);
        let mut debugger = debugger(&output);
        debugger.exceptions = debugger.exceptions.with(Exception::Stack);
        debugger.resume();
        debugger.run(100_000).expect("a stop").text
    };
    assert_eq!(
        text("*=$1000\nmain: jsr sub\n  rts\nsub: pha\n  rts\n"),
        "rts at main.asm:5 (sub+1) returns to no call"
    );
    assert_eq!(text("*=$1000\nmain: pha\n  jmp main\n"), "the stack goes around at main.asm:2 (main)");
    assert_eq!(text("*=$1000\nmain: jsr sub\n  rts\nsub: pha\n  pla\n  rts\n"), "the program returned");
}

/// A long past in little memory: few copies, and still every moment is the one that it was.
#[test]
fn a_long_past_takes_no_more_room_and_stays_exact() {
    let output = output("*=$1000\nmain: inc $20\n  bne main\n  inc $21\n  jmp main\n");
    let setup = Setup { history: 1, ..Setup::default() };
    let mut debugger = Debugger::new(Target::from_output(&output, &setup).expect("a program"));
    let mut states = Vec::new();
    debugger.resume();
    for _ in 0..120 {
        assert_eq!(debugger.run(50_000), None);
        states.push((debugger.time(), *debugger.machine().registers(), debugger.machine().peek(0x21)));
        assert!(debugger.copies() <= 16, "{}", debugger.copies());
    }
    assert!(debugger.copies() > 4);
    for (time, registers, byte) in states.iter().rev().step_by(7) {
        debugger.go_to(*time);
        assert_eq!((debugger.machine().registers(), debugger.machine().peek(0x21)), (registers, *byte));
    }
}

/// A whole C64 with an interrupt at every frame: chips, beam and calls of the past are what they were, in handlers too.
#[test]
fn a_c64_with_interrupts_goes_back_exactly() {
    let output = output(
        "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\n\
         start: sei\n  lda #<irq\n  sta $0314\n  lda #>irq\n  sta $0315\n  lda #$1b\n  sta $d011\n  lda #40\n  sta $d012\n  \
         lda #$7f\n  sta $dc0d\n  lda #1\n  sta $d01a\n  cli\n\
         loop: jsr sub\n  inc $d020\n  jmp loop\n\
         sub: ldx #5\nwait: dex\n  bne wait\n  lda $d012\n  sta $0400\n  rts\n\
         irq: inc $d019\n  inc $0401\n  jsr sub\n  pla\n  tay\n  pla\n  tax\n  pla\n  rti\n",
    );
    let setup = Setup { kind: tempo_emu::System::C64Pal, history: 64, ..Setup::default() };
    let mut random = Random::new(1);
    let mut debugger = Debugger::new(Target::from_output(&output, &setup).expect("a program"));
    let handler = debugger.names.get("irq", "").expect("a label") as u16;
    debugger.add_point(Point::new(Origin::Function, Watch::Code(vec![handler])));
    let mut states = Vec::new();
    let mut in_handler = 0;
    for round in 0..120 {
        states.push(debugger.moment().clone());
        in_handler += usize::from(debugger.moment().calls.frames.iter().any(|call| call.kind.is_interrupt()));
        if round % 3 == 0 {
            debugger.resume();
            if debugger.run(1 + random.below(30_000)).is_none() {
                debugger.pause();
            }
        } else {
            let kind = [StepKind::In, StepKind::Over, StepKind::Out][random.below(3) as usize];
            let length = [Granularity::Line, Granularity::Instruction][random.below(2) as usize];
            let _ = debugger.step(kind, length).or_else(|| debugger.run(60_000));
        }
    }
    assert!(in_handler > 3, "{in_handler} states in the handler");
    for state in states.iter().rev() {
        debugger.go_to(state.time());
        assert!(debugger.machine().is_same(&state.machine), "time {}", state.time());
        assert_eq!(debugger.machine().beam(), state.machine.beam(), "time {}", state.time());
        assert_eq!(debugger.moment().calls.frames, state.calls.frames, "time {}", state.time());
    }
}
