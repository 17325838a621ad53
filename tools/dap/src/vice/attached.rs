//! A session with VICE: the client's breakpoints as checkpoints, and what happens at a stop.

use std::collections::HashMap;

use debug::{Debugger, Granularity, Reason, StepKind, Stopped, Watch};

use super::{Halted, Stream, Vice, condition_text};

/// Instructions of a step by line, at most.
const MOST_STEPS: usize = 50_000;

/// The machine in VICE and what we put there.
pub(crate) struct Attached {
    vice: Vice,
    /// Checkpoints by number, and the breakpoint each stands for.
    checkpoints: HashMap<u32, u32>,
    /// The raster line at the last stop.
    line: Option<u16>,
}

impl Attached {
    /// Connects; the machine stands from here on.
    pub fn new(stream: Box<dyn Stream>, debugger: &mut Debugger) -> Result<Attached, String> {
        let vice = Vice::connect(stream)?;
        let mut attached = Attached { vice, checkpoints: HashMap::new(), line: None };
        attached.mirror(debugger)?;
        Ok(attached)
    }

    /// Copies the machine that stands.
    fn mirror(&mut self, debugger: &mut Debugger) -> Result<(), String> {
        let (registers, beam) = self.vice.registers()?;
        let memory = self.vice.memory()?;
        self.line = beam.map(|(line, _)| line);
        debugger.mirror(&memory, registers);
        Ok(())
    }

    /// Makes VICE's checkpoints those of the debugger. Breakpoints that VICE refuses, with the reason.
    pub fn place(&mut self, debugger: &Debugger, is_running: bool) -> Result<Vec<(u32, String)>, String> {
        let mut refused = Vec::new();
        let known: Vec<u32> = self.checkpoints.keys().copied().collect();
        for number in known {
            self.vice.delete_checkpoint(number)?;
        }
        self.checkpoints.clear();
        for point in debugger.points.iter() {
            let own = point.condition.as_ref().and_then(|program| {
                let expr = harness::parse::alone::expression(program.text()).ok()?;
                condition_text(&expr, &debugger.names)
            });
            let ranges: Vec<(u16, u16, u8, Option<String>)> = match &point.watch {
                Watch::Code(addresses) => addresses.iter().map(|&at| (at, at, 4, own.clone())).collect(),
                Watch::Data { first, last, read, write, .. } => {
                    vec![(*first, *last, u8::from(*read) + 2 * u8::from(*write), own)]
                }
                Watch::Raster { line, .. } => vec![(0, 0xffff, 4, Some(format!("(RL == ${line:02x})")))],
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
        if is_running {
            self.vice.resume()?;
        }
        Ok(refused)
    }

    /// Lets the machine run.
    pub fn resume(&mut self) -> Result<(), String> {
        self.vice.resume()
    }

    /// Looks whether the machine has stopped.
    pub fn work(&mut self, debugger: &mut Debugger) -> Result<Option<Stopped>, String> {
        let Some(halted) = self.vice.halted(20)? else { return Ok(None) };
        self.stopped(halted, debugger)
    }

    fn stopped(&mut self, halted: Halted, debugger: &mut Debugger) -> Result<Option<Stopped>, String> {
        let before = self.line;
        self.mirror(debugger)?;
        if halted.is_jammed {
            let text = format!("jam opcode at {}", debugger.place(halted.pc));
            return Ok(Some(Stopped { reason: Reason::Exception(debug::Exception::Jam), text }));
        }
        let mut ids: Vec<u32> =
            halted.hits.iter().filter_map(|number| self.checkpoints.get(number)).copied().collect();
        if halted.hits.is_empty() {
            return Ok(Some(Stopped { reason: Reason::Pause, text: "VICE stopped".to_string() }));
        }
        // The beam is still on the line of the last stop.
        ids.retain(|&id| match debugger.points.get(id).map(|point| &point.watch) {
            Some(Watch::Raster { line, .. }) => before != Some(*line),
            _ => true,
        });
        match debugger.reached(&ids) {
            Some(stopped) => Ok(Some(stopped)),
            None => {
                self.vice.resume()?;
                Ok(None)
            }
        }
    }

    /// Makes the machine stand.
    pub fn pause(&mut self, debugger: &mut Debugger) -> Result<Stopped, String> {
        // Every command halts it.
        self.mirror(debugger)?;
        Ok(Stopped { reason: Reason::Pause, text: String::new() })
    }

    /// A step; checkpoints on the way end it.
    pub fn step(
        &mut self,
        debugger: &mut Debugger,
        kind: StepKind,
        granularity: Granularity,
    ) -> Result<Option<Stopped>, String> {
        if kind == StepKind::Out {
            // A checkpoint of our own at the return address: VICE's "until return" never ends in a main loop.
            let call = debugger.moment().calls.frames.last().copied();
            let call = call.ok_or("there is no call to step out of")?;
            let back = call.from.wrapping_add(3);
            let condition = format!("(SP > ${:02x})", call.level);
            let number = self.vice.add_checkpoint(back, back, 4, Some(&condition))?;
            self.vice.resume()?;
            let halted = self.wait()?;
            self.vice.delete_checkpoint(number)?;
            self.mirror(debugger)?;
            let is_own = halted.hits.contains(&number) || halted.hits.is_empty();
            if !is_own && let Some(stopped) = self.stopped(halted, debugger)? {
                return Ok(Some(stopped));
            }
            return Ok(Some(Stopped { reason: Reason::Step, text: String::new() }));
        }
        let spot = |debugger: &Debugger, pc: u16| {
            let peek = |at: u16| debugger.machine().peek(at);
            debugger.map.spot(pc, granularity == Granularity::Statement, &peek)
        };
        let start = debugger.machine().registers().pc;
        let origin = spot(debugger, start);
        for _ in 0..MOST_STEPS {
            let halted = self.vice.advance(kind == StepKind::Over)?;
            let here = spot(debugger, halted.pc);
            let is_done = granularity == Granularity::Instruction
                || origin.is_none()
                || (here.is_some() && (here != origin || halted.pc == start));
            if is_done || !halted.hits.is_empty() {
                break;
            }
        }
        self.mirror(debugger)?;
        Ok(Some(Stopped { reason: Reason::Step, text: String::new() }))
    }

    fn wait(&mut self) -> Result<Halted, String> {
        // As long as the routine takes; a client that has seen enough pauses by itself.
        for _ in 0..60 {
            if let Some(halted) = self.vice.halted(1_000)? {
                return Ok(halted);
            }
        }
        Err("the routine does not return".to_string())
    }

    /// Writes what the user changed in the copy.
    pub fn write_back(&mut self, debugger: &Debugger, place: Option<(u16, usize)>) -> Result<(), String> {
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

    /// Leaves VICE running, without anything of ours.
    pub fn leave(&mut self) -> Result<(), String> {
        for number in self.vice.checkpoints()? {
            if self.checkpoints.contains_key(&number) {
                self.vice.delete_checkpoint(number)?;
            }
        }
        self.vice.resume()
    }
}
