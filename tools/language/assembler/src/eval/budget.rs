//! The used part of a run's limits: stack, turns of loops and calls, memory.

use std::cell::Cell;

use crate::values::live;

pub(super) struct Budget {
    /// How far the stack may grow, which is downwards.
    stack_end: usize,
    has_no_stack: Cell<bool>,
    /// Iterations and calls of the pass, and when to look at what takes time to look at.
    pub turns: u64,
    pub next_look: u64,
    /// Memory of values before the run.
    live_before: u64,
    /// Bytes moved before the run.
    moved_before: u64,
    /// Bytes of console lines and of files written line by line, in this pass.
    written: u64,
    /// The bytes moved and kept at the last look at the limits.
    looked: Cell<(u64, usize)>,
}

/// So little cannot take a run far beyond its limits, and looking at them takes time.
const QUIET_BYTES: u64 = 1 << 20;
const QUIET_ENTRIES: usize = 1 << 16;

impl Budget {
    /// A budget with this many bytes of stack from here on.
    pub fn new(stack: usize) -> Budget {
        Budget {
            stack_end: stack_address().saturating_sub(stack),
            has_no_stack: Cell::new(false),
            turns: 0,
            next_look: 0,
            live_before: live::now(),
            moved_before: live::all_moved(),
            written: 0,
            looked: Cell::default(),
        }
    }

    /// Begins a pass with this many turns at most.
    pub fn restart(&mut self, limit: u64) {
        self.turns = 0;
        self.next_look = limit.min(1);
        self.written = 0;
    }

    /// Notes bytes of a console line or of a file written line by line.
    pub fn wrote(&mut self, bytes: u64) {
        self.written += bytes;
        live::moved(bytes as usize);
    }

    /// Whether little was moved and kept since the limits were last looked at.
    #[inline]
    pub fn is_quiet(&self, kept: usize) -> bool {
        let (moved, then) = self.looked.get();
        let now = live::all_moved();
        if now.wrapping_sub(moved) < QUIET_BYTES && kept.wrapping_sub(then) < QUIET_ENTRIES {
            return true;
        }
        self.looked.set((now, kept));
        false
    }

    /// Whether the stack may grow further.
    #[inline]
    pub fn has_stack(&self) -> bool {
        let has_stack = stack_address() > self.stack_end;
        if !has_stack {
            self.has_no_stack.set(true);
        }
        has_stack
    }

    /// Whether evaluation wanted to go deeper than it may.
    pub fn ran_out_of_stack(&self) -> bool {
        self.has_no_stack.get()
    }

    /// Bytes that the run has copied, compared or walked over.
    pub fn moved(&self) -> u64 {
        live::all_moved().wrapping_sub(self.moved_before)
    }

    /// Bytes in use, with this many entries that are kept.
    pub fn used(&self, kept: usize) -> u64 {
        live::since(self.live_before) + self.written + 16 * kept as u64
    }
}

/// About where the stack ends at the moment.
#[inline]
fn stack_address() -> usize {
    let here = 0u8;
    std::hint::black_box(&raw const here) as usize
}
