//! When the chips run: each is brought up to date when it is touched, or when it may change a line. Here is also what the
//! board knows about the future: the cycles without a change, and those in which BA is low.

use super::Board;
use crate::Pins;
use crate::c64::vic::{Plan, View};

impl Board {
    /// Brings the VIC to the end of this many cycles.
    pub(super) fn run_vic(&mut self, done: u64) {
        self.run_vic_beside(done, 0);
    }

    /// The same with what the CPU has on the address bus.
    pub(super) fn run_vic_beside(&mut self, done: u64, cpu_address: u16) {
        if self.vic_at >= done {
            return;
        }
        let bank = self.bank();
        let view = View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank,
            rom: self.seen_rom(),
            cpu_address,
        };
        let line = self.vic.model().cycles_per_line();
        while self.vic_at < done {
            if done - self.vic_at >= line && self.vic.cycles_into_line() == 0 && self.vic.run_line(&view) {
                self.vic_at += line;
            } else {
                self.vic.tick(&view);
                self.vic_at += 1;
            }
        }
    }

    /// Brings the VIC to the end of the last line that is over when this many cycles are.
    fn run_vic_lines(&mut self, done: u64) {
        let start = self.vic_at - self.vic.cycles_into_line();
        let line = self.vic.model().cycles_per_line();
        self.run_vic(start + (done.saturating_sub(start)) / line * line);
    }

    /// Brings the VIC so far that a write to memory it reads cannot change what it has read. Codes and colours are read
    /// on bad lines only: for others the line can wait.
    pub(super) fn run_vic_before(&mut self, done: u64, is_graphics: bool) {
        self.run_vic_lines(done - 1);
        if is_graphics || self.vic.cycles_into_line() != 0 || self.vic.is_bad_next() {
            self.run_vic(done);
        }
    }

    /// Brings those chips up to date that may change a line by then.
    #[cold]
    #[inline(never)]
    pub(super) fn run_vic_if_due(&mut self, done: u64) {
        if done > self.vic_at.saturating_add(self.vic.quiet_for()) {
            self.run_vic(done);
        }
        self.run_cias(done);
        self.run_expansion(done);
        self.fade_port(done);
        self.drive_lines();
    }

    pub(super) fn run_cias(&mut self, done: u64) {
        if self.cias_at < done {
            for cia in &mut self.cias {
                cia.advance(done - self.cias_at);
            }
            self.cias_at = done;
            // A read in the cycle of the edge comes too late to take it back.
            if self.cias[1].is_requesting() {
                self.lines.pull(Pins::NMI);
            }
        }
    }

    pub(super) fn run_sid(&mut self, done: u64) {
        if self.sid_at < done {
            self.sid.advance(done - self.sid_at);
            if let Some((_, second)) = &mut self.second {
                second.advance(done - self.sid_at);
            }
            self.sid_at = done;
        }
    }

    /// Works out how long no line changes by itself. For [`Board::drive_lines`]: a chip that has just raised its interrupt
    /// is quiet, and it would never be looked at again if its line were not driven.
    pub(super) fn expect_interrupts(&mut self) {
        let cias = self.cias[0].quiet_for().min(self.cias[1].quiet_for());
        let vic = self.vic_at.saturating_add(self.vic.quiet_for());
        let expansion = self.expansion_at.saturating_add(self.expansion.quiet_for());
        self.quiet = vic
            .min(self.cias_at.saturating_add(cias))
            .min(expansion)
            .min(self.charge.ends().saturating_sub(1));
    }

    /// A chip was written to: what was worked out about the future is void.
    pub(super) fn touched(&mut self) {
        self.plan = None;
        self.high = (0, 0);
        self.drive_lines();
        self.guard();
    }

    /// Makes the plan for the line of a cycle that is over or is the next.
    fn make_plan(&mut self, cycle: u64) -> (u64, Plan) {
        if let Some((start, plan)) = self.plan
            && cycle.wrapping_sub(start) < self.vic.model().cycles_per_line()
        {
            return (start, plan);
        }
        self.run_vic_lines(cycle);
        let plan = (self.vic_at - self.vic.cycles_into_line(), self.vic.plan());
        self.plan = Some(plan);
        plan
    }

    /// Whether BA is known to be high in a cycle.
    #[inline(always)]
    pub(super) fn is_high(&self, cycle: u64) -> bool {
        (self.high.0..self.high.1).contains(&cycle)
    }

    /// The first cycle from this one on in which BA is high.
    #[inline(never)]
    pub(super) fn high_from(&mut self, cycle: u64) -> u64 {
        let mut cycle = cycle;
        loop {
            let (start, plan) = self.make_plan(cycle);
            let rest = plan.low >> (cycle - start);
            let low = u64::from(rest.trailing_ones());
            if low == 0 {
                let next =
                    if rest == 0 { start + plan.then } else { cycle + u64::from(rest.trailing_zeros()) };
                self.high = (cycle, next);
                return cycle;
            }
            cycle += low;
        }
    }

    /// Whether BA is low in a cycle that is over or is the next.
    #[inline(never)]
    pub(super) fn is_low(&mut self, cycle: u64) -> bool {
        if cycle == self.granted {
            return false;
        }
        if self.vic_at == cycle + 1 {
            return self.vic.is_ba_low();
        }
        let (start, plan) = self.make_plan(cycle);
        plan.low >> (cycle - start) & 1 != 0
    }
}
