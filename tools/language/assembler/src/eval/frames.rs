//! Storage of symbols: one frame for each run of a scope. Frames with labels stay for the passes to come and are
//! found again by counting; the others are stacked and reused. Scopes without labels share the frame around them, which
//! is decided by `bind`.

use super::code::Routine;
use crate::tree::*;
use crate::values::{FrameId, Invalid, InvalidKind, Value};

/// A frame is the index of one that stays, or with this of one on the stack.
const STACKED: u32 = 1 << 31;

impl FrameId {
    fn is_stacked(self) -> bool {
        self.0 & STACKED != 0
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    base: u32,
    parent: FrameId,
    scope: ScopeId,
}

pub(super) struct Frames {
    /// Slots of namespaces, then of the frames that stay.
    kept: Vec<Value>,
    kept_frames: Vec<Frame>,
    stack: Vec<Value>,
    stack_frames: Vec<Frame>,
    /// How many of the frames that stay this pass has entered.
    entered: usize,
    current: FrameId,
    /// Where the current frame starts on the stack; [`NOT_STACKED`] if it is not there.
    base: usize,
    /// The scope of the current frame, if it is on the stack.
    scope: ScopeId,
}

/// No place of a stack, whatever slot is added.
const NOT_STACKED: usize = usize::MAX / 2;

/// The data for leaving a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entered {
    outer: FrameId,
    stack: u32,
    stack_frames: u32,
}

impl Entered {
    /// For what is not left.
    pub const NOTHING: Entered = Entered { outer: FrameId::NONE, stack: 0, stack_frames: 0 };
}

/// Drops a value. Most are a number or nothing, which own nothing to drop.
#[inline(always)]
fn forget(value: Value) {
    if matches!(value, Value::Number(_) | Value::Null) {
        std::mem::forget(value);
    }
}

fn fresh_label(is_zp: bool) -> Value {
    Value::Invalid(Invalid { is_zp, ..Invalid::new(InvalidKind::Number, ExprId::NONE) })
}

impl Frames {
    pub fn new(tree: &Tree) -> Frames {
        let mut frames = Frames {
            kept: Vec::new(),
            kept_frames: Vec::new(),
            stack: Vec::new(),
            stack_frames: Vec::new(),
            entered: 0,
            current: FrameId::NONE,
            base: NOT_STACKED,
            scope: ScopeId::NONE,
        };
        frames.kept.resize_with(tree.static_slots as usize, || Value::Null);
        for scope in tree.scopes.iter().filter(|scope| scope.kind == ScopeKind::Namespace) {
            frames.clear_labels(tree, scope, scope.base);
        }
        frames
    }

    /// Labels of a frame that is new become unknown.
    fn clear_labels(&mut self, tree: &Tree, scope: &Scope, base: u32) {
        for &id in &tree.scope_symbols[scope.symbols.range()] {
            let symbol = &tree.symbols[id];
            if matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel) {
                let slot = (base + symbol.slot) as usize;
                self.kept[slot] = fresh_label(symbol.is_zp);
                if symbol.is_entity {
                    // The body may refer to itself before its members are complete.
                    self.kept[slot + 1] = fresh_label(false);
                }
            }
        }
    }

    /// Begins a pass: variables are null again, labels keep what they have.
    pub fn restart(&mut self, tree: &Tree) {
        for scope in tree.scopes.iter().filter(|scope| scope.kind == ScopeKind::Namespace) {
            let variables = scope.base + scope.kept..scope.base + scope.slots;
            for slot in variables {
                self.kept[slot as usize] = Value::Null;
            }
        }
        self.stack.clear();
        self.stack_frames.clear();
        self.entered = 0;
        self.go_to(FrameId::NONE);
    }

    /// The frame that is being executed; `NONE` outside of all.
    #[inline]
    pub fn current(&self) -> FrameId {
        self.current
    }

    /// Goes on in a frame.
    #[inline]
    pub fn go_to(&mut self, frame: FrameId) {
        self.current = frame;
        let stacked = self.stack_frames.get((frame.0 ^ STACKED) as usize);
        (self.base, self.scope) =
            stacked.map_or((NOT_STACKED, ScopeId::NONE), |frame| (frame.base as usize, frame.scope));
    }

    #[inline]
    pub fn state(&self) -> Entered {
        Entered {
            outer: self.current,
            stack: self.stack.len() as u32,
            stack_frames: self.stack_frames.len() as u32,
        }
    }

    /// Enters a scope; one without its own frame needs nothing but its variables to be empty.
    #[inline]
    pub fn enter(&mut self, tree: &Tree, id: ScopeId) -> Entered {
        let state = self.state();
        let scope = &tree.scopes[id];
        if scope.frame == id {
            self.open(id, scope, tree, self.current, 0);
        } else {
            self.clear(scope);
        }
        state
    }

    /// Empties the variables of a scope that shares the current frame.
    #[inline]
    pub fn clear(&mut self, scope: &Scope) {
        self.clear_slots(scope.first, scope.first + scope.slots);
    }

    #[inline]
    pub fn clear_slots(&mut self, first: u32, end: u32) {
        if first < end {
            for variable in &mut self.stack[self.base + first as usize..self.base + end as usize] {
                variable.put(Value::Null);
            }
        }
    }

    /// Enters the scope of a callable whose arguments are on top of the stack; it sees only the namespace it is written
    /// in.
    #[inline(never)]
    fn enter_call(&mut self, tree: &Tree, id: ScopeId, arguments: u32) {
        let scope = &tree.scopes[id];
        if scope.frame == id {
            self.open(id, scope, tree, FrameId::NONE, arguments);
        } else {
            self.go_to(FrameId::NONE);
        }
    }

    /// The same for the body of a routine.
    #[inline(always)]
    pub fn enter_routine(&mut self, tree: &Tree, routine: &Routine, arguments: u32) {
        match routine.stacked {
            Some(slots) => self.open_stacked(routine.scope, slots, FrameId::NONE, arguments),
            None => self.enter_call(tree, routine.scope, arguments),
        }
    }

    #[inline]
    fn open(&mut self, id: ScopeId, scope: &Scope, tree: &Tree, parent: FrameId, arguments: u32) {
        if scope.is_stacked() {
            self.open_stacked(id, scope.frame_slots, parent, arguments);
        } else {
            self.open_kept(id, scope, tree, parent, arguments);
        }
    }

    #[inline(always)]
    fn open_stacked(&mut self, id: ScopeId, slots: u32, parent: FrameId, arguments: u32) {
        self.base = self.stack.len() - arguments as usize;
        self.scope = id;
        self.make_room(self.base + slots as usize);
        self.current = FrameId(self.stack_frames.len() as u32 | STACKED);
        self.stack_frames.push(Frame { base: self.base as u32, parent, scope: id });
    }

    #[inline(never)]
    fn open_kept(&mut self, id: ScopeId, scope: &Scope, tree: &Tree, parent: FrameId, arguments: u32) {
        let slots = scope.slots as usize;
        let index = self.entered;
        self.entered += 1;
        let frame = match self.kept_frames.get_mut(index).filter(|frame| frame.scope == id) {
            Some(frame) => {
                frame.parent = parent;
                let frame = *frame;
                let variables = frame.base + scope.kept..frame.base + scope.slots;
                for slot in variables {
                    self.kept[slot as usize] = Value::Null;
                }
                frame
            }
            None => {
                let frame = Frame { base: self.kept.len() as u32, parent, scope: id };
                // Labels come first.
                self.kept.resize(self.kept.len() + scope.kept as usize, fresh_label(false));
                self.kept.resize(frame.base as usize + slots, Value::Null);
                if scope.has_zp_labels {
                    self.clear_labels(tree, scope, frame.base);
                }
                self.kept_frames.truncate(index);
                self.kept_frames.push(frame);
                frame
            }
        };
        // Parameters are the first variables.
        let first = self.stack.len() - arguments as usize;
        for (offset, value) in self.stack.drain(first..).enumerate() {
            self.kept[(frame.base + scope.kept) as usize + offset] = value;
        }
        self.go_to(FrameId(index as u32));
    }

    #[inline]
    pub fn leave(&mut self, state: Entered) {
        while self.stack.len() > state.stack as usize
            && let Some(value) = self.stack.pop()
        {
            forget(value);
        }
        if self.current != state.outer {
            self.stack_frames.truncate(state.stack_frames as usize);
            self.go_to(state.outer);
        }
    }

    pub fn push_argument(&mut self, value: Value) {
        self.stack.push(value);
    }

    /// Makes room for variables that have no value yet.
    #[inline]
    fn make_room(&mut self, len: usize) {
        if self.stack.len() < len {
            self.stack.resize_with(len, || Value::Null);
        }
    }

    /// The arguments that were pushed last.
    pub fn top(&self, arguments: usize) -> &[Value] {
        &self.stack[self.stack.len() - arguments..]
    }

    /// Whether the current frame will be there after the statement.
    pub fn current_stays(&self) -> bool {
        self.current == FrameId::NONE || !self.current.is_stacked()
    }

    fn frame(&self, id: FrameId) -> Frame {
        if id.is_stacked() {
            self.stack_frames[(id.0 & !STACKED) as usize]
        } else {
            self.kept_frames[id.0 as usize]
        }
    }

    #[inline]
    fn outward(&self, hops: u16) -> (FrameId, Frame) {
        let mut id = self.current;
        let mut frame = self.frame(id);
        for _ in 0..hops {
            id = frame.parent;
            frame = self.frame(id);
        }
        (id, frame)
    }

    #[inline(always)]
    pub fn local(&self, hops: u16, slot: u16) -> &Value {
        match self.stack.get(self.base + slot as usize) {
            Some(value) if hops == 0 => value,
            _ => self.outer_local(hops, slot),
        }
    }

    #[inline(never)]
    fn outer_local(&self, hops: u16, slot: u16) -> &Value {
        let (id, frame) = self.outward(hops);
        let index = frame.base as usize + slot as usize;
        if id.is_stacked() { &self.stack[index] } else { &self.kept[index] }
    }

    #[inline(always)]
    pub fn local_mut(&mut self, hops: u16, slot: u16) -> &mut Value {
        let index = self.base + slot as usize;
        if hops == 0 && index < self.stack.len() {
            return &mut self.stack[index];
        }
        self.outer_local_mut(hops, slot)
    }

    #[inline(never)]
    fn outer_local_mut(&mut self, hops: u16, slot: u16) -> &mut Value {
        let (id, frame) = self.outward(hops);
        let index = frame.base as usize + slot as usize;
        if id.is_stacked() { &mut self.stack[index] } else { &mut self.kept[index] }
    }

    /// A slot of the current frame, which is on the stack.
    #[inline(always)]
    pub fn own(&self, slot: u32) -> &Value {
        &self.stack[self.base + slot as usize]
    }

    #[inline(always)]
    pub fn own_mut(&mut self, slot: u32) -> &mut Value {
        &mut self.stack[self.base + slot as usize]
    }

    #[inline]
    pub fn kept(&self, slot: u32) -> &Value {
        &self.kept[slot as usize]
    }

    #[inline]
    pub fn kept_mut(&mut self, slot: u32) -> &mut Value {
        &mut self.kept[slot as usize]
    }

    /// The slot of a symbol that is declared in the scope being executed (or in a namespace), if it stays.
    #[inline]
    pub fn kept_slot(&self, tree: &Tree, symbol: &Symbol) -> Option<u32> {
        let scope = &tree.scopes[symbol.scope];
        if scope.kind == ScopeKind::Namespace {
            return Some(scope.base + symbol.slot);
        }
        let mut id = self.current;
        // The declaration is in the current scope; frames inside it are left already.
        while id != FrameId::NONE {
            let frame = self.frame(id);
            if frame.scope == scope.frame {
                return (!id.is_stacked()).then_some(frame.base + symbol.slot);
            }
            id = frame.parent;
        }
        None
    }

    /// Sets a symbol declared in the scope being executed.
    #[inline]
    pub fn declare(&mut self, tree: &Tree, symbol: &Symbol, value: Value) {
        let scope = &tree.scopes[symbol.scope];
        if scope.frame == self.scope && scope.frame != ScopeId::NONE {
            self.stack[self.base + symbol.slot as usize] = value;
            return;
        }
        self.declare_outside(scope, symbol, value);
    }

    #[inline(never)]
    fn declare_outside(&mut self, scope: &Scope, symbol: &Symbol, value: Value) {
        if scope.kind == ScopeKind::Namespace {
            self.kept[(scope.base + symbol.slot) as usize] = value;
            return;
        }
        let mut id = self.current;
        while id != FrameId::NONE {
            let frame = self.frame(id);
            if frame.scope == scope.frame {
                let index = (frame.base + symbol.slot) as usize;
                if id.is_stacked() {
                    self.stack[index] = value;
                } else {
                    self.kept[index] = value;
                }
                return;
            }
            id = frame.parent;
        }
    }

    /// How many slots and frames stay.
    pub fn kept_len(&self) -> usize {
        self.kept.len() + self.kept_frames.len()
    }

    /// Scope and first slot of a frame that stays.
    pub fn scope_of(&self, frame: FrameId) -> (ScopeId, u32) {
        let frame = self.kept_frames[frame.0 as usize];
        (frame.scope, frame.base)
    }
}
