//! Attached to VICE: conversations with a monitor that behaves as VICE 3.7.1 was seen to, with a 6502 behind it.

use std::cell::RefCell;
use std::rc::Rc;

use pretty_assertions::assert_eq;
use serde_json::json;
use tempo_assembler::{Files, MemoryFiles};
use tempo_dap::{Host, MemoryHost, Session, StartVice, Stream};
use tempo_emu::{Cpu, Nmos, Ram, Status};

use crate::common::Client;

const SOURCE: &str = "\
*=$e000
reset: ldx #0
loop: inx
  stx $0400
  jsr sub
  jmp loop
sub: stx $fb
  rts
";

/// A program with a BASIC line.
const GAME: &str = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: inc $fb
  jsr sub
  jmp start
sub: inc $fc
  rts
";

/// A checkpoint: first, last, operation, condition.
struct Checkpoint {
    number: u32,
    first: u16,
    last: u16,
    operation: u8,
    x: Option<u8>,
}

/// The monitor and its machine.
struct Fake {
    cpu: Cpu<Nmos>,
    ram: Box<Ram>,
    checkpoints: Vec<Checkpoint>,
    last: u32,
    is_running: bool,
    out: Vec<u8>,
    is_dead: bool,
    is_silent: bool,
    /// A program file that is started, once.
    prg: Option<Vec<u8>>,
    has_quit: bool,
}

const NAMES: [(&str, u8); 8] =
    [("PC", 3), ("A", 0), ("X", 1), ("Y", 2), ("SP", 4), ("FL", 5), ("LIN", 53), ("CYC", 54)];

impl Fake {
    fn new() -> Fake {
        let files: MemoryFiles = [("kernal.asm", SOURCE)].into_iter().collect();
        let output = tempo_assembler::assemble(&files, "kernal.asm", &tempo_assembler::Options::default());
        let image = output.image.expect("bytes");
        let mut ram = Box::new(Ram::new());
        ram.load(image.start as u16, &image.bytes).expect("it fits");
        let mut cpu = Cpu::new();
        cpu.registers.pc = 0xe000;
        Fake {
            cpu,
            ram,
            checkpoints: Vec::new(),
            last: 0,
            is_running: true,
            out: Vec::new(),
            is_dead: false,
            is_silent: false,
            prg: None,
            has_quit: false,
        }
    }

    fn send(&mut self, kind: u8, error: u8, request: u32, body: &[u8]) {
        self.out.extend([2, 2]);
        self.out.extend((body.len() as u32).to_le_bytes());
        self.out.extend([kind, error]);
        self.out.extend(request.to_le_bytes());
        self.out.extend_from_slice(body);
    }

    fn registers(&self) -> Vec<u8> {
        let registers = &self.cpu.registers;
        let values = [
            registers.pc,
            registers.a.into(),
            registers.x.into(),
            registers.y.into(),
            registers.s.into(),
            registers.p.byte().into(),
            100,
            1,
        ];
        let mut body = (NAMES.len() as u16).to_le_bytes().to_vec();
        for ((_, id), value) in NAMES.iter().zip(values) {
            body.extend([3, *id]);
            body.extend(value.to_le_bytes());
        }
        body
    }

    fn halt(&mut self) {
        self.is_running = false;
        let (registers, pc) = (self.registers(), self.cpu.registers.pc);
        self.send(0x31, 0, u32::MAX, &registers);
        self.send(0x62, 0, u32::MAX, &pc.to_le_bytes());
    }

    fn info(checkpoint: &Checkpoint, hit: u8) -> Vec<u8> {
        let mut body = checkpoint.number.to_le_bytes().to_vec();
        body.push(hit);
        body.extend(checkpoint.first.to_le_bytes());
        body.extend(checkpoint.last.to_le_bytes());
        body.extend([1, 1, checkpoint.operation, 0]);
        body.extend([0; 10]);
        body
    }

    /// Runs until a checkpoint is hit, or for a while.
    fn run(&mut self) {
        for _ in 0..2000 {
            if !self.is_running {
                return;
            }
            let before = *self.ram.bytes();
            self.cpu.step(&mut *self.ram);
            let pc = self.cpu.registers.pc;
            let hits: Vec<usize> = (0..self.checkpoints.len())
                .filter(|&at| {
                    let one = &self.checkpoints[at];
                    let executes = one.operation & 4 != 0 && (one.first..=one.last).contains(&pc);
                    let stores = one.operation & 2 != 0
                        && (one.first..=one.last).any(|at| before[usize::from(at)] != self.ram[at]);
                    (executes || stores) && one.x.is_none_or(|x| x == self.cpu.registers.x)
                })
                .collect();
            if !hits.is_empty() {
                for at in hits {
                    let body = Fake::info(&self.checkpoints[at], 1);
                    self.send(0x11, 0, u32::MAX, &body);
                }
                self.halt();
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let request = u32::from_le_bytes([bytes[6], bytes[7], bytes[8], bytes[9]]);
        let (command, body) = (bytes[10], &bytes[11..]);
        if self.is_silent {
            return;
        }
        // Every command halts the machine.
        if self.is_running {
            self.halt();
        }
        let word = |at: usize| u16::from_le_bytes([body[at], body[at + 1]]);
        match command {
            0x81 => self.send(0x81, 0, request, &[]),
            0x85 => self.send(0x85, 0, request, &[4, 3, 7, 1, 0, 4, 0, 0, 0, 0]),
            0x83 => {
                let mut answer = (NAMES.len() as u16).to_le_bytes().to_vec();
                for (name, id) in NAMES {
                    answer.extend([3 + name.len() as u8, id, 16, name.len() as u8]);
                    answer.extend_from_slice(name.as_bytes());
                }
                self.send(0x83, 0, request, &answer);
            }
            0x82 => {
                let answer = [2, 0, 6, 1, 0, 3, b'r', b'a', b'm', 6, 0, 0, 3, b'c', b'p', b'u'];
                self.send(0x82, 0, request, &answer);
            }
            0x31 => {
                let answer = self.registers();
                self.send(0x31, 0, request, &answer);
            }
            0x32 => {
                for item in body[3..].chunks(4) {
                    let value = u16::from_le_bytes([item[2], item[3]]);
                    let registers = &mut self.cpu.registers;
                    match item[1] {
                        3 => registers.pc = value,
                        0 => registers.a = value as u8,
                        1 => registers.x = value as u8,
                        2 => registers.y = value as u8,
                        4 => registers.s = value as u8,
                        _ => registers.p = Status::from_byte(value as u8),
                    }
                }
                self.send(0x31, 0, request, &[]);
            }
            0x01 => {
                let mut answer = vec![0, 0];
                answer.extend_from_slice(&self.ram.bytes()[usize::from(word(1))..=usize::from(word(3))]);
                self.send(0x01, 0, request, &answer);
            }
            0x02 => {
                for (offset, &byte) in body[8..].iter().enumerate() {
                    self.ram[word(1) + offset as u16] = byte;
                }
                self.send(0x02, 0, request, &[]);
            }
            0x12 => {
                self.last += 1;
                let one = Checkpoint {
                    number: self.last,
                    first: word(0),
                    last: word(2),
                    operation: body[6],
                    x: None,
                };
                let answer = Fake::info(&one, 0);
                self.checkpoints.push(one);
                self.send(0x11, 0, request, &answer);
            }
            0x13 => {
                let number = u32::from_le_bytes([body[0], body[1], body[2], body[3]]);
                let before = self.checkpoints.len();
                self.checkpoints.retain(|one| one.number != number);
                let error = u8::from(self.checkpoints.len() == before);
                self.send(0x13, error, request, &[]);
            }
            0x14 => {
                let all: Vec<Vec<u8>> = self.checkpoints.iter().map(|one| Fake::info(one, 0)).collect();
                for body in &all {
                    self.send(0x11, 0, request, body);
                }
                self.send(0x14, 0, request, &(all.len() as u32).to_le_bytes());
            }
            0x22 => {
                let number = u32::from_le_bytes([body[0], body[1], body[2], body[3]]);
                let text = String::from_utf8_lossy(&body[5..5 + usize::from(body[4])]).into_owned();
                let x = text.strip_prefix("(X == $").and_then(|rest| rest.strip_suffix(')'));
                let x = x.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                let is_level = text.starts_with("(SP > $");
                if let Some(one) = self.checkpoints.iter_mut().find(|one| one.number == number) {
                    one.x = x;
                }
                let error = if x.is_some() || is_level { 0 } else { 0x8f };
                self.send(0x22, error, request, &[]);
            }
            0x71 => {
                self.send(0x71, 0, request, &[]);
                let over = body[0] != 0 && self.ram[self.cpu.registers.pc] == 0x20;
                let (level, back) = (self.cpu.registers.s, self.cpu.registers.pc.wrapping_add(3));
                self.cpu.step(&mut *self.ram);
                while over && (self.cpu.registers.pc != back || self.cpu.registers.s != level) {
                    self.cpu.step(&mut *self.ram);
                }
                self.send(0x63, 0, u32::MAX, &[0, 0]);
                self.halt();
            }
            0xaa => {
                self.send(0xaa, 0, request, &[]);
                self.send(0x63, 0, u32::MAX, &[0, 0]);
                self.is_running = true;
            }
            0xcc => {
                self.send(0xcc, 0, request, &[]);
                self.cpu.registers.pc = 0xe000;
                self.send(0x63, 0, u32::MAX, &[0, 0]);
                self.is_running = true;
            }
            // The KERNAL would look at its keyboard; this one calls the program.
            0xdd => match self.prg.take().filter(|_| &body[4..] == b"program.prg" && body[0] == 1) {
                Some(prg) => {
                    self.send(0xdd, 0, request, &[]);
                    self.ram.load(u16::from_le_bytes([prg[0], prg[1]]), &prg[2..]).expect("it fits");
                    self.ram.load(0xe000, &[0x20, 0x0d, 0x08]).expect("it fits");
                    self.cpu.registers.pc = 0xe000;
                    self.send(0x63, 0, u32::MAX, &[0, 0]);
                    self.is_running = true;
                }
                None => self.send(0, 0x8f, request, &[]),
            },
            0xbb => {
                self.send(0xbb, 0, request, &[]);
                self.has_quit = true;
            }
            _ => self.send(0, 0x83, request, &[]),
        }
    }
}

#[derive(Clone)]
struct Wire(Rc<RefCell<Fake>>);

impl Stream for Wire {
    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let mut fake = self.0.borrow_mut();
        if fake.is_dead {
            return Err("VICE is gone".to_string());
        }
        fake.take(bytes);
        Ok(())
    }

    fn receive(&mut self, _: u64) -> Result<Vec<u8>, String> {
        let mut fake = self.0.borrow_mut();
        if fake.is_dead {
            return Err("VICE is gone".to_string());
        }
        if fake.out.is_empty() {
            fake.run();
        }
        Ok(std::mem::take(&mut fake.out))
    }
}

struct Desk(MemoryHost, Wire);

impl Host for Desk {
    fn files(&self, folder: &str, libraries: &[String]) -> Box<dyn Files> {
        self.0.files(folder, libraries)
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.read(path)
    }
    fn connect(&self, _: &str, _: u16) -> Result<Box<dyn Stream>, String> {
        Ok(Box::new(self.1.clone()))
    }
    fn start_vice(&self, start: &StartVice, prg: &[u8]) -> Result<(Box<dyn Stream>, String), String> {
        if start.path.as_deref() == Some("nowhere") {
            return Err("there is no nowhere".to_string());
        }
        self.1.0.borrow_mut().prg = (start.path.as_deref() != Some("empty")).then(|| prg.to_vec());
        Ok((Box::new(self.1.clone()), "program.prg".to_string()))
    }
}

/// A client, and the VICE that it will find.
fn desk() -> (Client, Rc<RefCell<Fake>>) {
    let fake = Rc::new(RefCell::new(Fake::new()));
    let files = MemoryHost([("kernal.asm", SOURCE), ("game.asm", GAME)].into_iter().collect());
    (Client::of(Session::new(Box::new(Desk(files, Wire(fake.clone()))))), fake)
}

fn attached() -> (Client, Rc<RefCell<Fake>>) {
    let (mut client, fake) = desk();
    client.ask("initialize", json!({}));
    client.ask("attach", json!({"port": 6502, "program": "kernal.asm"}));
    assert_eq!(client.wait("capabilities")["capabilities"]["supportsStepBack"], false);
    client.wait("initialized");
    (client, fake)
}

/// The names of the frames.
fn names(client: &mut Client) -> Vec<String> {
    client.frames().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn breakpoints_steps_and_state_of_a_machine_in_vice() {
    let (mut client, fake) = attached();
    let set = client.ask(
        "setBreakpoints",
        json!({"source": {"path": "kernal.asm"}, "breakpoints": [{"line": 7, "condition": "x == 7"}]}),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait("stopped")["reason"], "breakpoint");
    assert_eq!(
        (client.line(), client.value("x"), client.value("[$0400]")),
        (7, "$07 7".to_string(), "$07 7".to_string())
    );
    let frames = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"].clone();
    assert_eq!((frames[0]["name"].as_str(), frames[1]["line"].as_i64()), (Some("sub"), Some(5)));
    client.ask("next", json!({"threadId": 1}));
    client.wait("stopped");
    assert_eq!((client.line(), client.value("[$fb]")), (8, "$07 7".to_string()));
    client.ask("stepOut", json!({"threadId": 1}));
    client.wait("stopped");
    assert_eq!(client.line(), 6);
    client.ask("setExpression", json!({"expression": "x", "value": "$40"}));
    client.ask("setExpression", json!({"expression": "[$2000].w", "value": "$1234"}));
    assert_eq!((fake.borrow().cpu.registers.x, fake.borrow().ram[0x2001]), (0x40, 0x12));
    for line in [3, 4, 5, 6] {
        client.ask("next", json!({"threadId": 1}));
        client.wait("stopped");
        assert_eq!(client.line(), line);
    }
    let refused = client.send("stepBack", json!({"threadId": 1}));
    assert_eq!(refused["message"], "VICE cannot go back");
}

#[test]
fn what_vice_cannot_express_is_checked_by_us() {
    let (mut client, fake) = attached();
    client.ask(
        "setBreakpoints",
        json!({"source": {"path": "kernal.asm"}, "breakpoints": [
        {"line": 3, "hitCondition": "5"}, {"line": 8, "logMessage": "X is {x:d}"}]}),
    );
    client.ask("configurationDone", json!({}));
    client.wait("stopped");
    assert_eq!((client.line(), client.value("x")), (3, "$04 4".to_string()));
    let logged = client.events.iter().filter(|event| event["body"]["output"] == "X is 4\n").count();
    assert_eq!(logged, 1);
    let set = client.ask(
        "setBreakpoints",
        json!({"source": {"path": "kernal.asm"}, "breakpoints": [{"line": 3, "condition": "y == 3"}]}),
    );
    assert_eq!((&set["breakpoints"][0]["verified"], fake.borrow().checkpoints.len()), (&json!(false), 0));
}

#[test]
fn data_breakpoints_and_a_pause() {
    let (mut client, _) = attached();
    client
        .ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": "00fb-00fb", "accessType": "write"}]}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait("stopped")["reason"], "data breakpoint");
    client.ask("setDataBreakpoints", json!({"breakpoints": []}));
    client.ask("continue", json!({"threadId": 1}));
    client.session.work();
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.wait("stopped")["reason"], "pause");
}

#[test]
fn leaving_leaves_vice_running_without_checkpoints() {
    let (mut client, fake) = attached();
    client.ask("setBreakpoints", json!({"source": {"path": "kernal.asm"}, "breakpoints": [{"line": 7}]}));
    client.ask("configurationDone", json!({}));
    client.wait("stopped");
    client.ask("disconnect", json!({}));
    assert!(fake.borrow().is_running && fake.borrow().checkpoints.is_empty());
    assert!(!fake.borrow().has_quit);
    let (mut client, fake) = attached();
    client.ask("configurationDone", json!({}));
    client.ask("disconnect", json!({"terminateDebuggee": true}));
    assert!(fake.borrow().has_quit, "the client asked for the end of VICE");
}

/// The ROM calls the program; on our own machine nothing does.
#[test]
fn the_way_of_the_rom_to_the_program_is_not_shown() {
    let (mut client, fake) = desk();
    {
        // As if the program had been reached by the `jsr` at $e006.
        let mut fake = fake.borrow_mut();
        fake.cpu.registers.s = 0xf4;
        fake.ram.load(0x01f5, &[0x08, 0xe0]).expect("it fits");
    }
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "game.asm", "vice": true, "stopOnEntry": true}));
    let found = client.wait("capabilities")["capabilities"].clone();
    assert_eq!(found["supportsRestartRequest"], false, "a client begins anew instead");
    client.ask("setBreakpoints", json!({"source": {"path": "game.asm"}, "breakpoints": [{"line": 6}]}));
    client.ask("configurationDone", json!({}));
    client.wait("stopped");
    assert_eq!(names(&mut client), ["start"]);
    client.ask("continue", json!({"threadId": 1}));
    client.wait("stopped");
    assert_eq!(names(&mut client), ["sub", "start"]);
}

#[test]
fn a_vice_that_dies_or_never_answers_is_said_plainly() {
    let (mut client, fake) = attached();
    client.ask("configurationDone", json!({}));
    fake.borrow_mut().is_dead = true;
    client.wait("terminated");
    assert!(client.events.iter().any(|event| event["body"]["output"] == "VICE is gone\n"));
    client.ask("disconnect", json!({}));
    let (mut client, fake) = desk();
    fake.borrow_mut().is_silent = true;
    client.ask("initialize", json!({}));
    assert_eq!(client.send("attach", json!({}))["message"], "VICE does not answer");
}

/// VICE is started with the program and stops at its first instruction, before any breakpoint is set; it ends with the
/// session.
#[test]
fn a_launch_in_vice_begins_at_the_program_and_ends_vice() {
    let (mut client, fake) = desk();
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "game.asm", "vice": true, "stopOnEntry": true}));
    assert_eq!(client.wait("capabilities")["capabilities"]["supportsStepBack"], false);
    client.wait("initialized");
    assert_eq!(fake.borrow().cpu.registers.pc, 0x080d);
    assert!(fake.borrow().checkpoints.is_empty(), "the checkpoint at the entry is gone");
    let wanted = json!({"source": {"path": "game.asm"}, "breakpoints": [{"line": 6}]});
    assert_eq!(client.ask("setBreakpoints", wanted)["breakpoints"][0]["verified"], true);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait("stopped")["reason"], "entry");
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("stopped")["reason"], "breakpoint");
    let frames = client.ask("stackTrace", json!({"threadId": 1}));
    assert_eq!(
        (&frames["stackFrames"][0]["name"], &frames["stackFrames"][0]["line"]),
        (&json!("sub"), &json!(6))
    );
    client.ask("disconnect", json!({}));
    assert!(fake.borrow().has_quit);
}

#[test]
fn a_launch_in_vice_that_fails_says_why() {
    for (arguments, wanted) in [
        (json!({"program": "game.asm", "vice": {"path": "nowhere"}}), "there is no nowhere"),
        (json!({"program": "game.asm", "vice": {"path": "empty"}}), "VICE refused"),
        (json!({"program": "nobody.asm", "vice": true}), "nobody.asm"),
    ] {
        let (mut client, _) = desk();
        client.ask("initialize", json!({}));
        let answer = client.send("launch", arguments);
        assert_eq!(answer["success"], false);
        assert!(answer["message"].as_str().is_some_and(|text| text.contains(wanted)), "{answer}");
        let again = client.send("launch", json!({"program": "game.asm"}));
        assert_eq!(again["success"], true, "another launch can follow: {again}");
    }
}
