//! A session with VICE: the client's breakpoints as checkpoints, and what happens at a stop.

use std::collections::HashMap;

use tempo_debug::{Debugger, Granularity, Reason, StepKind, Stopped, Watch};

use tempo_console::Remote;

use super::{Halted, Stream, Vice, condition_text};

/// Instructions of a step by line, at most.
const MOST_STEPS: usize = 50_000;

/// The machine in VICE and what we put there. The debugger has a copy of the machine whenever it stops.
pub struct Attached {
    vice: Vice,
    /// Checkpoints by number, and the breakpoint each stands for.
    checkpoints: HashMap<u32, u32>,
    /// The raster line at the last stop.
    line: Option<u16>,
    /// The raster line at the stop before.
    before: Option<u16>,
    /// A step that is not over.
    stepping: Option<Stepping>,
    /// VICE was started for this session, and ends with it.
    is_own: bool,
}

/// A step of the client: many instructions, and routines that are run to their return.
struct Stepping {
    kind: StepKind,
    /// The checkpoint after a routine that is run.
    temporary: Option<u32>,
    /// The instruction that runs, and the stack pointer before it.
    pc: u16,
    s: u8,
    count: usize,
}

/// Milliseconds that a program may take to be loaded and reached, and between two looks whether it was.
const START: u64 = 60_000;
const START_LOOK: u64 = 500;

/// Instructions between two looks at what the client wants.
const BETWEEN: usize = 40;

impl Attached {
    /// Connects; the machine is stopped from here on.
    pub fn new(stream: Box<dyn Stream>, debugger: &mut Debugger) -> Result<Attached, String> {
        let vice = Vice::connect(stream)?;
        let mut attached = Attached {
            vice,
            checkpoints: HashMap::new(),
            line: None,
            before: None,
            stepping: None,
            is_own: false,
        };
        attached.mirror(debugger)?;
        Ok(attached)
    }

    /// Connects to a VICE that was started for this session, and runs a program there up to its first instruction.
    /// Breakpoints are set after that: before, the KERNAL would run into them.
    pub fn start(
        stream: Box<dyn Stream>,
        debugger: &mut Debugger,
        path: &str,
        entry: u16,
    ) -> Result<Attached, String> {
        let mut attached = Attached::new(stream, debugger)?;
        attached.is_own = true;
        let begun = attached.begin(path, entry).and_then(|()| attached.mirror(debugger));
        if let Err(problem) = begun {
            let _ = attached.vice.quit();
            return Err(problem);
        }
        Ok(attached)
    }

    fn begin(&mut self, path: &str, entry: u16) -> Result<(), String> {
        self.vice.reset()?;
        let checkpoint = self.vice.add_checkpoint(entry, entry, 4, None)?;
        // The machine runs from here on.
        self.vice.autostart(path)?;
        let mut waited = 0;
        loop {
            match self.vice.halted(START_LOOK)? {
                Some(halted) if halted.is_jammed => {
                    return Err(format!("the machine in VICE jammed at ${:04X} while it started", halted.pc));
                }
                Some(halted) if halted.hits.contains(&checkpoint) => break,
                Some(_) => self.vice.resume()?,
                None if waited >= START => {
                    let seconds = START / 1000;
                    return Err(format!("the program did not reach ${entry:04X} within {seconds} s in VICE"));
                }
                None => waited += START_LOOK,
            }
        }
        self.vice.delete_checkpoint(checkpoint)
    }

    /// Copies the stopped machine.
    fn mirror(&mut self, debugger: &mut Debugger) -> Result<(), String> {
        let (registers, beam) = self.vice.registers()?;
        let memory = self.vice.memory()?;
        self.before = std::mem::replace(&mut self.line, beam.map(|(line, _)| line));
        debugger.mirror(&memory, registers);
        Ok(())
    }

    /// Looks whether the machine has stopped.
    pub fn work(&mut self, debugger: &mut Debugger) -> Result<Option<Stopped>, String> {
        for _ in 0..BETWEEN {
            let Some(halted) = self.vice.halted(20)? else { return Ok(None) };
            let stopped = match self.stepping.take() {
                Some(stepping) => self.stepped(stepping, halted, debugger)?,
                None => {
                    self.mirror(debugger)?;
                    let stopped = self.judge(&halted, debugger);
                    if stopped.is_none() {
                        self.vice.resume()?;
                        return Ok(None);
                    }
                    stopped
                }
            };
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
        Ok(None)
    }

    /// Whether the machine is stopped for good. The copy is up to date, but for the beam.
    fn judge(&mut self, halted: &Halted, debugger: &mut Debugger) -> Option<Stopped> {
        if halted.is_jammed {
            let text = format!("jam opcode at {}", debugger.place(halted.pc));
            return Some(Stopped { reason: Reason::Exception(tempo_debug::Exception::Jam), text });
        }
        if halted.hits.is_empty() {
            return Some(Stopped { reason: Reason::Pause, text: "VICE stopped".to_string() });
        }
        let mut ids: Vec<u32> =
            halted.hits.iter().filter_map(|number| self.checkpoints.get(number)).copied().collect();
        // The beam is still on the line of the last stop.
        let before = self.before;
        ids.retain(|&id| match debugger.points.get(id).map(|point| &point.watch) {
            Some(Watch::Raster { line, .. }) => before != Some(*line),
            _ => true,
        });
        debugger.reached(&ids)
    }

    /// Stops the machine.
    pub fn pause(&mut self, debugger: &mut Debugger) -> Result<Stopped, String> {
        // Every command halts it.
        if let Some(number) = self.stepping.take().and_then(|stepping| stepping.temporary) {
            self.vice.delete_checkpoint(number)?;
        }
        self.mirror(debugger)?;
        Ok(Stopped { reason: Reason::Pause, text: String::new() })
    }

    /// The next part of a step: an instruction, or a routine to its return.
    fn move_on(&mut self, mut stepping: Stepping, debugger: &Debugger) -> Result<(), String> {
        let machine = debugger.machine();
        let registers = machine.registers();
        (stepping.pc, stepping.s) = (registers.pc, registers.s);
        let call = debugger.moment().calls.frames.last().filter(|_| debugger.step_waits_for_return());
        let is_call = stepping.kind == StepKind::Over && machine.peek(registers.pc) == 0x20;
        if let Some(call) = call {
            // VICE's "until return" never ends in a main loop.
            self.run_to(stepping, call.from.wrapping_add(3), call.level)
        } else if is_call {
            let level = registers.s.wrapping_sub(1);
            let back = registers.pc.wrapping_add(3);
            self.run_to(stepping, back, level)
        } else {
            self.stepping = Some(stepping);
            self.vice.advance()
        }
    }

    /// Runs to an address, with the stack pointer above a level.
    fn run_to(&mut self, mut stepping: Stepping, address: u16, level: u8) -> Result<(), String> {
        let condition = format!("(SP > ${level:02x})");
        let condition = Some(condition.as_str()).filter(|_| level < 0xff);
        stepping.temporary = Some(self.vice.add_checkpoint(address, address, 4, condition)?);
        self.stepping = Some(stepping);
        self.vice.resume()
    }

    /// A part of a step is over.
    fn stepped(
        &mut self,
        mut stepping: Stepping,
        mut halted: Halted,
        debugger: &mut Debugger,
    ) -> Result<Option<Stopped>, String> {
        let temporary = stepping.temporary.take();
        if let Some(number) = temporary {
            self.vice.delete_checkpoint(number)?;
        }
        let was_hit = halted.hits.iter().any(|&number| Some(number) == temporary);
        halted.hits.retain(|&number| Some(number) != temporary);
        if halted.is_jammed || !halted.hits.is_empty() {
            self.mirror(debugger)?;
            if let Some(stopped) = self.judge(&halted, debugger) {
                return Ok(Some(stopped));
            }
        }
        let (registers, _) = self.vice.registers()?;
        let stack = self.vice.read(0x0100, 0x01ff)?;
        let opcode = debugger.machine().peek(stepping.pc);
        debugger.mirror_stack(&stack, registers);
        stepping.count += 1;
        if temporary.is_some() && !was_hit {
            // Something else stopped it on the way: the routine has not returned.
            self.move_on(stepping, debugger)?;
            return Ok(None);
        }
        if temporary.is_none() && opcode != 0x00 && registers.s == stepping.s.wrapping_sub(3) {
            // An interrupt: it is run to its end.
            let at = |offset: u8| stack[usize::from(registers.s.wrapping_add(offset))];
            let back = u16::from_le_bytes([at(2), at(3)]);
            let level = registers.s.wrapping_add(2);
            self.run_to(stepping, back, level)?;
            return Ok(None);
        }
        if debugger.step_is_over(stepping.pc) || stepping.count >= MOST_STEPS {
            self.mirror(debugger)?;
            debugger.step_is_over(stepping.pc);
            return Ok(Some(Stopped { reason: Reason::Step, text: String::new() }));
        }
        self.move_on(stepping, debugger)?;
        Ok(None)
    }

    /// Leaves VICE running, without anything of ours; one that was started for this session ends.
    pub fn leave(&mut self) -> Result<(), String> {
        if self.is_own {
            return self.vice.quit();
        }
        let temporary = self.stepping.take().and_then(|stepping| stepping.temporary);
        for number in self.vice.checkpoints()? {
            if self.checkpoints.contains_key(&number) || temporary == Some(number) {
                self.vice.delete_checkpoint(number)?;
            }
        }
        self.vice.resume()
    }

    /// VICE ends.
    pub fn quit(&mut self) -> Result<(), String> {
        self.vice.quit()
    }
}

impl Remote for Attached {
    fn place(&mut self, debugger: &Debugger, is_running: bool) -> Result<Vec<(u32, String)>, String> {
        let mut refused = Vec::new();
        let known: Vec<u32> = self.checkpoints.keys().copied().collect();
        for number in known {
            self.vice.delete_checkpoint(number)?;
        }
        self.checkpoints.clear();
        for point in debugger.points.iter() {
            let own = point.condition.as_ref().and_then(|program| condition_text(program.expr()));
            let ranges: Vec<(u16, u16, u8, Option<String>)> = match &point.watch {
                Watch::Code(addresses) => addresses.iter().map(|&at| (at, at, 4, own.clone())).collect(),
                Watch::Data { first, last, read, write, .. } => {
                    vec![(*first, *last, u8::from(*read) + 2 * u8::from(*write), own)]
                }
                Watch::Raster { line, cycle } => {
                    let from = cycle.saturating_sub(1);
                    let text = match from {
                        0 => format!("(RL == ${line:02x})"),
                        _ => format!("((RL == ${line:02x}) && (CY > ${from:02x}))"),
                    };
                    vec![(0, 0xffff, 4, Some(text))]
                }
                Watch::Text(_) => Vec::new(),
            };
            for (first, last, operation, condition) in ranges {
                match self.vice.add_checkpoint(first, last, operation, condition.as_deref()) {
                    Ok(number) => {
                        self.checkpoints.insert(number, point.id);
                    }
                    Err(problem) => refused.push((point.id, problem)),
                }
            }
        }
        // A hit in the meantime is a stop that is still to be told.
        if is_running && !self.vice.has_hit() {
            self.vice.resume()?;
        }
        Ok(refused)
    }

    fn resume(&mut self) -> Result<(), String> {
        self.vice.resume()
    }

    fn step(
        &mut self,
        debugger: &mut Debugger,
        kind: StepKind,
        granularity: Granularity,
    ) -> Result<Option<Stopped>, String> {
        if let Some(stopped) = debugger.step(kind, granularity) {
            return Ok(Some(stopped));
        }
        if debugger.step_waits_for_return() && debugger.moment().calls.frames.is_empty() {
            return Err("there is no call to step out of".to_string());
        }
        self.move_on(Stepping { kind, temporary: None, pc: 0, s: 0, count: 0 }, debugger)?;
        Ok(None)
    }

    fn write_back(&mut self, debugger: &Debugger, place: Option<(u16, usize)>) -> Result<(), String> {
        match place {
            Some((address, count)) => {
                let bytes: Vec<u8> = (0..count)
                    .map(|offset| debugger.machine().peek(address.wrapping_add(offset as u16)))
                    .collect();
                self.vice.write(address, &bytes)
            }
            None => self.vice.set_registers(debugger.machine().registers()),
        }
    }

    fn type_text(&mut self, text: &str) -> Result<(), String> {
        self.vice.type_text(text.as_bytes())
    }
}
