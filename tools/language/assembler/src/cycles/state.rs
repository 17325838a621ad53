//! Knowledge of a CPU while code is followed without being run: registers as ranges, flags that may be unknown, and
//! the bytes that were stored on the way. Knows what instructions do, not what they cost or where they lead.

use std::collections::BTreeMap;

use tempo_isa::{Instruction, Mnemonic, Mode, Parts};

/// A byte between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Range {
    pub low: u8,
    pub high: u8,
}

impl Range {
    pub const ANY: Range = Range { low: 0, high: 0xff };

    pub const fn exactly(value: u8) -> Range {
        Range { low: value, high: value }
    }

    pub fn known(self) -> Option<u8> {
        (self.low == self.high).then_some(self.low)
    }

    /// The same operation on both bounds, if it keeps their order.
    fn map(self, by: impl Fn(u8) -> u8) -> Range {
        let (low, high) = (by(self.low), by(self.high));
        if high.wrapping_sub(low) == self.high - self.low && low <= high {
            Range { low, high }
        } else {
            Range::ANY
        }
    }

    fn is_zero(self) -> Flag {
        match (self.low, self.high) {
            (0, 0) => Some(true),
            (0, _) => None,
            _ => Some(false),
        }
    }

    fn is_negative(self) -> Flag {
        (self.low >> 7 == self.high >> 7).then_some(self.low >> 7 == 1)
    }
}

/// A flag; `None` if it is not known.
pub(super) type Flag = Option<bool>;

/// Something on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    Byte(Range),
    Flags(Flags),
    /// Where a `jsr` goes on.
    Return(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Flags {
    pub carry: Flag,
    pub zero: Flag,
    pub negative: Flag,
    pub overflow: Flag,
    pub decimal: Flag,
}

/// All that is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub a: Range,
    pub x: Range,
    pub y: Range,
    pub flags: Flags,
    /// The bytes pushed since the start. `None` once a routine that was called sets the stack pointer.
    pub stack: Option<Vec<Slot>>,
    /// Bytes that were stored since the start.
    memory: BTreeMap<u16, Range>,
    /// Decimal mode at the start.
    decimal: Flag,
}

/// Where in memory something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    At(u16),
    /// From the first to the last address.
    Within(u16, u16),
}

/// More known bytes than any counted loop needs.
const MAX_MEMORY: usize = 64;

impl State {
    /// At the start nothing is known, except perhaps that decimal mode is never turned on.
    pub fn unknown(decimal: Flag) -> State {
        let flags = Flags { carry: None, zero: None, negative: None, overflow: None, decimal };
        let any = Range::ANY;
        State { a: any, x: any, y: any, flags, stack: Some(Vec::new()), memory: BTreeMap::new(), decimal }
    }

    /// As at the start.
    pub fn forget_all(&mut self) {
        let State { a, x, y, flags, stack, memory, decimal } = self;
        (*a, *x, *y) = (Range::ANY, Range::ANY, Range::ANY);
        *flags = Flags { carry: None, zero: None, negative: None, overflow: None, decimal: *decimal };
        stack.get_or_insert_default().clear();
        memory.clear();
    }

    /// How many calls are open; `None` if the stack is not known.
    pub fn depth(&self) -> Option<usize> {
        let stack = self.stack.as_ref()?;
        Some(stack.iter().filter(|slot| matches!(slot, Slot::Return(_))).count())
    }

    /// The stack pointer is set. Outside of all calls that does not matter: what is pulled is unknown there anyway.
    fn lose_stack(&mut self) {
        self.stack = (self.depth() == Some(0)).then(Vec::new);
    }

    pub fn push(&mut self, slot: Slot) {
        if let Some(stack) = &mut self.stack {
            stack.push(slot);
        }
    }

    pub fn pull(&mut self) -> Option<Slot> {
        self.stack.as_mut()?.pop()
    }

    /// A byte of memory.
    pub fn byte(&self, address: u16) -> Range {
        self.memory.get(&address).copied().unwrap_or(Range::ANY)
    }

    fn store(&mut self, address: Place, value: Range) {
        let address = match address {
            Place::At(address) => address,
            Place::Within(first, last) => {
                self.memory.retain(|&address, _| {
                    // The addresses after $FFFF are those from 0 on.
                    if first <= last {
                        address < first || last < address
                    } else {
                        last < address && address < first
                    }
                });
                return;
            }
        };
        // A register of a chip is not what was written to it, and the stack moves.
        let is_plain = !(0xd000..=0xdfff).contains(&address) && address >> 8 != 1;
        if is_plain && value != Range::ANY && self.memory.len() < MAX_MEMORY {
            self.memory.insert(address, value);
        } else {
            self.memory.remove(&address);
        }
    }

    fn set_zn(&mut self, value: Range) {
        self.flags.zero = value.is_zero();
        self.flags.negative = value.is_negative();
    }

    /// Where an instruction accesses memory; `operand` is `None` if it changes while the program runs.
    fn place(&self, mode: Mode, operand: Option<u16>) -> Place {
        let anywhere = Place::Within(0, 0xffff);
        let Some(operand) = operand else { return anywhere };
        let pointer = |at: u8| {
            let (low, high) = (self.byte(u16::from(at)), self.byte(u16::from(at.wrapping_add(1))));
            Some(u16::from_le_bytes([low.known()?, high.known()?]))
        };
        let zero_page = operand as u8;
        let in_zero_page = |index: Range| match index.known() {
            Some(index) => Place::At(u16::from(zero_page.wrapping_add(index))),
            None => Place::Within(0, 0xff),
        };
        let indexed = |base: u16, index: Range| {
            let at = |index: u8| base.wrapping_add(u16::from(index));
            match index.known() {
                Some(index) => Place::At(at(index)),
                None => Place::Within(at(index.low), at(index.high)),
            }
        };
        match mode {
            Mode::ZeroPage | Mode::Absolute => Place::At(operand),
            Mode::ZeroPageX => in_zero_page(self.x),
            Mode::ZeroPageY => in_zero_page(self.y),
            Mode::AbsoluteX => indexed(operand, self.x),
            Mode::AbsoluteY => indexed(operand, self.y),
            Mode::IndirectX => {
                let at = self.x.known().map(|x| zero_page.wrapping_add(x));
                at.and_then(pointer).map_or(anywhere, Place::At)
            }
            Mode::IndirectY => pointer(zero_page).map_or(anywhere, |base| indexed(base, self.y)),
            Mode::ZeroPageIndirect => pointer(zero_page).map_or(anywhere, Place::At),
            Mode::ZeroPageRelative => Place::At(u16::from(zero_page)),
            _ => anywhere,
        }
    }

    /// Whether indexing crosses a page; `None` if that is not known.
    pub fn crosses_page(&self, mode: Mode, operand: Option<u16>) -> Flag {
        let (base, index) = match mode {
            Mode::AbsoluteX => (operand.map_or(Range::ANY, |at| Range::exactly(at as u8)), self.x),
            Mode::AbsoluteY => (operand.map_or(Range::ANY, |at| Range::exactly(at as u8)), self.y),
            Mode::IndirectY => (operand.map_or(Range::ANY, |at| self.byte(at & 0xff)), self.y),
            _ => return Some(false),
        };
        let crosses = |base: u8, index: u8| base.checked_add(index).is_none();
        let least = crosses(base.low, index.low);
        (least == crosses(base.high, index.high)).then_some(least)
    }

    /// Whether a branch is taken, if that is known.
    pub fn branches(&self, mnemonic: Mnemonic) -> Flag {
        match mnemonic.condition() {
            Some((Parts::Z, is_set)) => self.flags.zero.map(|flag| flag == is_set),
            Some((Parts::C, is_set)) => self.flags.carry.map(|flag| flag == is_set),
            Some((Parts::N, is_set)) => self.flags.negative.map(|flag| flag == is_set),
            Some((_, is_set)) => self.flags.overflow.map(|flag| flag == is_set),
            None => (mnemonic == Mnemonic::Bra).then_some(true),
        }
    }

    /// The flag's value that follows from the way a branch went.
    pub fn branched(&mut self, mnemonic: Mnemonic, taken: bool) {
        let Some((flag, is_set)) = mnemonic.condition() else { return };
        let flags = &mut self.flags;
        *match flag {
            Parts::Z => &mut flags.zero,
            Parts::C => &mut flags.carry,
            Parts::N => &mut flags.negative,
            _ => &mut flags.overflow,
        } = Some(taken == is_set);
    }

    /// Executes anything that does not jump.
    pub fn execute(&mut self, row: &Instruction, operand: Option<u16>) {
        use Mnemonic::*;
        let address = self.place(row.mode, operand);
        let value = match row.mode {
            Mode::Immediate => operand.map_or(Range::ANY, |operand| Range::exactly(operand as u8)),
            Mode::Implied => self.a,
            _ => match address {
                Place::At(address) => self.byte(address),
                Place::Within(..) => Range::ANY,
            },
        };
        let change = |state: &mut State, value: Range| {
            state.set_zn(value);
            match row.mode {
                Mode::Implied => state.a = value,
                _ => state.store(address, value),
            }
        };
        match row.mnemonic {
            Nop | Cli | Sei => {}
            Clc => self.flags.carry = Some(false),
            Sec => self.flags.carry = Some(true),
            Cld => self.flags.decimal = Some(false),
            Sed => self.flags.decimal = Some(true),
            Clv => self.flags.overflow = Some(false),
            Lda => self.load(Register::A, value),
            Ldx => self.load(Register::X, value),
            Ldy => self.load(Register::Y, value),
            Tax => self.load(Register::X, self.a),
            Tay => self.load(Register::Y, self.a),
            Txa => self.load(Register::A, self.x),
            Tya => self.load(Register::A, self.y),
            Tsx => self.load(Register::X, Range::ANY),
            Inx => self.load(Register::X, self.x.map(|x| x.wrapping_add(1))),
            Iny => self.load(Register::Y, self.y.map(|y| y.wrapping_add(1))),
            Dex => self.load(Register::X, self.x.map(|x| x.wrapping_sub(1))),
            Dey => self.load(Register::Y, self.y.map(|y| y.wrapping_sub(1))),
            Txs => self.lose_stack(),
            Sta => self.store(address, self.a),
            Stx => self.store(address, self.x),
            Sty => self.store(address, self.y),
            Stz => self.store(address, Range::exactly(0)),
            And => self.load(
                Register::A,
                both(self.a, value, |a, b| a & b)
                    .unwrap_or(Range { low: 0, high: self.a.high.min(value.high) }),
            ),
            Ora => self.load(
                Register::A,
                both(self.a, value, |a, b| a | b)
                    .unwrap_or(Range { low: self.a.low.max(value.low), high: 0xff }),
            ),
            Eor => self.load(Register::A, both(self.a, value, |a, b| a ^ b).unwrap_or(Range::ANY)),
            Cmp => self.compare(self.a, value),
            Cpx => self.compare(self.x, value),
            Cpy => self.compare(self.y, value),
            Adc => self.add(value),
            Sbc | Sbc2 => self.add(Range { low: !value.high, high: !value.low }),
            Bit => {
                self.flags.zero = both(self.a, value, |a, b| a & b).and_then(Range::is_zero);
                if row.mode != Mode::Immediate {
                    self.flags.negative = value.is_negative();
                    self.flags.overflow = value.known().map(|value| value & 0x40 != 0);
                }
            }
            Inc => change(self, value.map(|value| value.wrapping_add(1))),
            Dec => change(self, value.map(|value| value.wrapping_sub(1))),
            Asl => {
                self.flags.carry = value.is_negative();
                change(self, value.known().map_or(Range::ANY, |value| Range::exactly(value << 1)));
            }
            Lsr => {
                self.flags.carry = value.known().map(|value| value & 1 == 1);
                change(self, Range { low: value.low >> 1, high: value.high >> 1 });
            }
            Rol | Ror => {
                let carry = self.flags.carry;
                let rotated = value.known().zip(carry).map(|(value, carry)| match row.mnemonic {
                    Rol => value << 1 | u8::from(carry),
                    _ => value >> 1 | u8::from(carry) << 7,
                });
                self.flags.carry = match row.mnemonic {
                    Rol => value.is_negative(),
                    _ => value.known().map(|value| value & 1 == 1),
                };
                change(self, rotated.map_or(Range::ANY, Range::exactly));
            }
            Pha => self.push(Slot::Byte(self.a)),
            Phx => self.push(Slot::Byte(self.x)),
            Phy => self.push(Slot::Byte(self.y)),
            Php => self.push(Slot::Flags(self.flags)),
            Pla => self.pull_into(Register::A),
            Plx => self.pull_into(Register::X),
            Ply => self.pull_into(Register::Y),
            Plp => {
                self.flags = match self.pull() {
                    Some(Slot::Flags(flags)) => flags,
                    _ => State::unknown(self.decimal).flags,
                };
            }
            _ => self.forget(row, address),
        }
    }

    /// Whatever is not worth its own line: the undocumented instructions, and those for single bits.
    fn forget(&mut self, row: &Instruction, address: Place) {
        let effects = &row.effects;
        if effects.memory.is_written() {
            self.store(address, Range::ANY);
        }
        if effects.writes.meets(Parts::S) {
            self.lose_stack();
        }
        for (register, part) in [(&mut self.a, Parts::A), (&mut self.x, Parts::X), (&mut self.y, Parts::Y)] {
            if effects.writes.meets(part) {
                *register = Range::ANY;
            }
        }
        let Flags { carry, zero, negative, overflow, decimal } = &mut self.flags;
        let parts = [Parts::C, Parts::Z, Parts::N, Parts::V, Parts::D];
        for (flag, part) in [carry, zero, negative, overflow, decimal].into_iter().zip(parts) {
            if effects.writes.meets(part) {
                *flag = None;
            }
        }
    }

    fn load(&mut self, register: Register, value: Range) {
        self.set_zn(value);
        *match register {
            Register::A => &mut self.a,
            Register::X => &mut self.x,
            Register::Y => &mut self.y,
        } = value;
    }

    fn pull_into(&mut self, register: Register) {
        let value = match self.pull() {
            Some(Slot::Byte(value)) => value,
            // Half a return address: the routine does not return to it any more.
            Some(Slot::Return(_)) => {
                self.stack = None;
                Range::ANY
            }
            _ => Range::ANY,
        };
        self.load(register, value);
    }

    fn compare(&mut self, register: Range, value: Range) {
        let is_less = register.high < value.low;
        let is_less_never = register.low >= value.high;
        self.flags.carry = (is_less || is_less_never).then_some(is_less_never);
        let difference = both(register, value, u8::wrapping_sub);
        let is_apart = is_less || register.low > value.high;
        self.flags.zero = if is_apart { Some(false) } else { difference.and_then(Range::is_zero) };
        self.flags.negative = difference.and_then(Range::is_negative);
    }

    /// `adc`, and `sbc` with the complement.
    fn add(&mut self, value: Range) {
        let known = (self.a.known(), value.known(), self.flags.carry, self.flags.decimal);
        let (Some(a), Some(value), Some(carry), Some(false)) = known else {
            (self.flags.carry, self.flags.overflow) = (None, None);
            self.load(Register::A, Range::ANY);
            return;
        };
        let sum = u16::from(a) + u16::from(value) + u16::from(carry);
        let result = sum as u8;
        self.flags.carry = Some(sum > 0xff);
        self.flags.overflow = Some((a ^ result) & (value ^ result) & 0x80 != 0);
        self.load(Register::A, Range::exactly(result));
    }
}

#[derive(Debug, Clone, Copy)]
enum Register {
    A,
    X,
    Y,
}

/// The result for two known bytes.
fn both(a: Range, b: Range, by: impl Fn(u8, u8) -> u8) -> Option<Range> {
    Some(Range::exactly(by(a.known()?, b.known()?)))
}
