//! Proofs of properties: the statements of a `forall` become a question about all its cases. What has no formula stays a
//! test; the reason is told.

use std::sync::Arc;

use tempo_emu::{Status, System};
use tempo_expressions::{Kind, eval::fold};
use tempo_prove::claim::{Expr as Term, Operator, Place, Register as Of, Relation, When};
use tempo_prove::{Action, Claim, Input, Known, Limits, Question, Routine, Script, Width, chip_dependent};

use super::context::Context;
use super::property::Domain;
use super::steps::encode;
use crate::ast::{self, Compare, Flag, Register};
use crate::parse::Dialect;
use crate::plan::{self, Call, Equivalent, Expr, Forall, Form, Jsr, Set, Step, StepKind, Value};

/// Why a question cannot be asked.
pub(super) enum NoQuestion {
    /// Nothing can be said on this machine.
    Refused(String),
    /// A statement has no formula.
    Undecided(String),
}

/// The formula of a statement or expression, or the reason why it has none.
type Made<T> = Result<T, String>;

/// The most bytes that one statement stores, or that a comparison of ranges looks at.
const MOST_BYTES: i64 = 4096;

impl<'a> Context<'a> {
    /// The limits of a question about a property.
    pub(super) fn limits(&self) -> Limits {
        let defaults = Limits::default();
        let max_cycles = match self.options.max_cycles {
            0 => defaults.max_cycles,
            most => most.min(defaults.max_cycles),
        };
        Limits { exhaust: self.options.exhaust, max_cycles, ..defaults }
    }

    /// A property as a question about all of its cases. The example of an answer holds indices of the domains.
    pub(super) fn ask(
        &mut self,
        forall: &'a Forall,
        domains: &[Domain],
        limits: &Limits,
    ) -> Result<Question, NoQuestion> {
        self.has_formulas()?;
        if let Some(what) = runs_on(&forall.body) {
            return Err(NoQuestion::Refused(format!("`{what}` lets more than a call run")));
        }
        self.question(forall, domains, limits).map_err(NoQuestion::Undecided)
    }

    /// Whether proofs are about this machine and what watches it.
    fn has_formulas(&self) -> Result<(), NoQuestion> {
        if self.machine.system.is_whole() {
            let name = self.machine.system.name();
            return Err(NoQuestion::Refused(format!(
                "{name} is a whole computer; its chips have no formula"
            )));
        }
        if !matches!(self.machine.system, System::Mos6502) {
            let name = self.machine.system.name();
            return Err(NoQuestion::Undecided(format!("proofs are about generic_6502, not about {name}")));
        }
        if !self.test.guards.is_off() {
            return Err(NoQuestion::Undecided("guards have no formula".to_string()));
        }
        if self.options.dialect != Dialect::Full || !self.stubs.is_empty() || !self.feeds.is_empty() {
            return Err(NoQuestion::Undecided("`stub`, `spy` and `io` have no formula".to_string()));
        }
        Ok(())
    }

    /// Two routines on this machine as a question about all values of their inputs.
    pub(super) fn ask_equivalent(
        &mut self,
        one: &'a Equivalent,
        limits: &Limits,
    ) -> Result<Question, NoQuestion> {
        self.has_formulas()?;
        self.equivalence(one, limits).map_err(NoQuestion::Undecided)
    }

    fn equivalence(&mut self, one: &'a Equivalent, limits: &Limits) -> Made<Question> {
        let registers = self.machine.registers;
        if !registers.p.has(Status::I) {
            return Err("I must be set: a call of two routines begins with it".to_string());
        }
        let maker = Maker {
            variables: self.bound(),
            context: self,
            ranges: Vec::new(),
            actions: Vec::new(),
            bytes: 0,
        };
        let (mut inputs, mut places) = (Vec::new(), Vec::new());
        for (place, domain) in &one.inputs {
            let name = maker.context.source.one_line(place.span);
            let place = maker.place(place)?;
            if places.contains(&place) {
                return Err(format!("`{name}` is an input twice"));
            }
            let most = (1i64 << place.width()) - 1;
            let (lo, hi) = match domain {
                None => (0, most),
                Some(Set::Range(from, to)) => (maker.constant(from)?, maker.constant(to)?),
                Some(Set::List(_)) => return Err(format!("the values of `{name}` must be a range")),
            };
            if !(0..=hi).contains(&lo) || hi > most {
                return Err(format!("{lo}..{hi} are no values of `{name}`"));
            }
            let (lo, hi) = (lo as u64, hi as u64);
            inputs.push(Input { name, lo, hi, is_ghost: false, width: place.width() });
            places.push(place);
        }
        let mut observed = Vec::new();
        for out in &one.outputs {
            let term = match &out.kind {
                Kind::Label(_, at) | Kind::Number(at) => {
                    Term::Read(When::After, 1, Arc::new(Term::Number((*at).into())))
                }
                _ => maker.term(out)?,
            };
            observed.push((maker.context.source.one_line(out.span), term.clone(), term));
        }
        let entries = [maker.constant(&one.routines[0])?, maker.constant(&one.routines[1])?];
        let names = one.routines.each_ref().map(|at| maker.context.source.one_line(at.span));
        let machine = &self.machine;
        let mut known = Known::all(|address| machine.peek(address));
        // The return address of the call.
        for below in 0..2 {
            known.insert(0x0100 | u16::from(registers.s.wrapping_sub(below)), 0xff);
        }
        let known = Arc::new(known);
        let mut routines = Vec::new();
        for (entry, name) in entries.into_iter().zip(names) {
            routines.push(Routine {
                name,
                entry: u16::try_from(entry).map_err(|_| "the address is outside of memory")?,
                known: known.clone(),
                registers: self.known_registers(),
                places: places.clone(),
                stack: registers.s.wrapping_sub(2),
                script: None,
            });
        }
        let claim = Claim::Equal(observed);
        Ok(Question { routines, inputs, assume: Vec::new(), claim, limits: limits.clone() })
    }

    /// The variables that are bound, as expressions.
    fn bound(&self) -> Vec<Made<Term>> {
        let term = |value: &Value| match value {
            Value::Number(number) => Ok(Term::Number((*number).into())),
            Value::Text(_) => Err("a text has no formula".to_string()),
        };
        self.variables.iter().map(term).collect()
    }

    /// Registers and flags of the machine.
    fn known_registers(&self) -> Vec<(Of, u8)> {
        let registers = self.machine.registers;
        let flag = |mask: u8| u8::from(registers.p.has(mask));
        vec![
            (Of::A, registers.a),
            (Of::X, registers.x),
            (Of::Y, registers.y),
            (Of::N, flag(Status::N)),
            (Of::V, flag(Status::V)),
            (Of::D, flag(Status::D)),
            (Of::Z, flag(Status::Z)),
            (Of::C, flag(Status::C)),
        ]
    }

    /// Whether memory has a byte that is an opcode that depends on the chip: an instruction, or data.
    pub(super) fn has_chip_opcodes(&self) -> bool {
        (0..=0xffff).any(|address| chip_dependent(self.machine.peek(address)).is_some())
    }

    fn question(&mut self, forall: &'a Forall, domains: &[Domain], limits: &Limits) -> Made<Question> {
        let mut inputs = Vec::new();
        let mut variables = self.bound();
        for (number, ((name, _), domain)) in forall.variables.iter().zip(domains).enumerate() {
            let last = domain.size() - 1;
            let hi = u64::try_from(last).ok().filter(|&hi| hi < 1 << 62);
            let hi = hi.ok_or_else(|| format!("`{name}` has more than 2^62 values"))?;
            let width = (64 - hi.leading_zeros()).max(1);
            inputs.push(Input { name: name.clone(), lo: 0, hi, is_ghost: false, width });
            let index = Term::Input(number);
            variables.push(Ok(match domain {
                Domain::Range(0, _) => index,
                Domain::Range(low, _) => {
                    Term::Binary(Operator::Add, Arc::new(index), Arc::new(Term::Number((*low).into())))
                }
                Domain::List(all) => {
                    Term::Table(Arc::new(index), all.iter().map(|&one| i128::from(one)).collect())
                }
            }));
        }
        let ranges = inputs.iter().map(|input| (0, i128::from(input.hi))).collect();
        let mut maker = Maker { context: self, variables, ranges, actions: Vec::new(), bytes: 0 };
        maker.steps(&forall.body)?;
        let actions = maker.actions;
        let registers = self.machine.registers;
        let machine = &self.machine;
        let routine = Routine {
            name: self.test.id.clone(),
            entry: registers.pc,
            known: Arc::new(Known::all(|address| machine.peek(address))),
            registers: self.known_registers(),
            places: vec![Place::Ghost; inputs.len()],
            stack: registers.s,
            script: Some(Arc::new(Script {
                actions,
                masks_interrupts: registers.p.has(Status::I),
                cycles: machine.cycles,
            })),
        };
        let (routines, assume) = (vec![routine], Vec::new());
        Ok(Question { routines, inputs, assume, claim: Claim::Script, limits: limits.clone() })
    }
}

/// A statement that makes other code run than that of a call: an interrupt, or frames of a program.
fn runs_on(steps: &[Step]) -> Option<&'static str> {
    steps.iter().find_map(|step| match &step.kind {
        StepKind::Interrupt { line: tempo_rig::Line::Irq, .. } => Some("irq"),
        StepKind::Interrupt { .. } => Some("nmi"),
        StepKind::Frames(_) => Some("frames"),
        StepKind::Backend(_) => Some("run"),
        StepKind::Call(call) => runs_on(&call.body),
        StepKind::Forall(forall) => runs_on(&forall.body),
        _ => None,
    })
}

struct Maker<'c, 'a> {
    context: &'c Context<'a>,
    /// The value of each variable that is bound, or why it has none.
    variables: Vec<Made<Term>>,
    /// The least and the greatest index of each input.
    ranges: Vec<(i128, i128)>,
    actions: Vec<Action>,
    /// Bytes that are stored or compared one by one.
    bytes: i64,
}

impl Maker<'_, '_> {
    fn steps(&mut self, steps: &[Step]) -> Made<()> {
        steps.iter().try_for_each(|step| {
            self.step(step).map_err(|reason| match reason.contains(" at ") {
                true => reason,
                false => {
                    let at = self.context.source.location(step.span);
                    format!("`{}` at {at}: {reason}", self.context.source.one_line(step.span))
                }
            })
        })
    }

    fn step(&mut self, step: &Step) -> Made<()> {
        match &step.kind {
            StepKind::Assert { condition, .. } => {
                let condition = self.term(condition)?;
                self.actions.push(Action::Assert(condition));
            }
            StepKind::SetRegister { register, value } => {
                let value = self.term(value)?;
                let register = register_of(*register)?;
                self.actions.push(Action::Set(register, value));
            }
            StepKind::SetFlag { flag, value } => {
                let value = self.term(value)?;
                self.actions.push(Action::Set(flag_of(*flag)?, value));
            }
            StepKind::Store { target, value } => {
                let lone = matches!(target.kind, Kind::Label(..));
                let (at, value) = (self.term(target)?, self.term(value)?);
                let least = if lone { i128::from(i64::MIN) } else { 0 };
                self.actions.push(Action::Store { at, value, width: Width::AsNeeded, least, most: 0xffff });
            }
            StepKind::Jsr(call) => self.call(call)?,
            StepKind::MemFill { from, count, value } => {
                let (from, count) = (self.constant(from)?, self.constant(count)?);
                let value = self.term(value)?;
                let low = Term::Binary(Operator::And, Arc::new(value), Arc::new(Term::Number(0xff)));
                self.count(count)?;
                for offset in 0..count.clamp(0, 0x10000 - from) {
                    self.put(from + offset, low.clone(), Width::Byte, 0, 0xff);
                }
            }
            StepKind::PutBytes { to, values, width } => {
                let to = self.constant(to)?;
                let limit = if *width == ast::Width::Byte { 0xff } else { 0xffff };
                let size = width.bytes() as i64;
                let kind = match size {
                    1 => Width::Byte,
                    2 => Width::Word,
                    _ => return Err("it has no formula".to_string()),
                };
                self.count(values.len() as i64)?;
                for (number, value) in values.iter().enumerate() {
                    let value = self.term(value)?;
                    let at = (to + number as i64 * size) & 0xffff;
                    self.put(at, value, kind, -(limit + 1) / 2, limit);
                }
            }
            StepKind::PutText { to, text, encoding } => {
                let to = self.constant(to)?;
                let Kind::Form(Form::Text(text)) = &text.kind else {
                    return Err("a text that varies has no formula".to_string());
                };
                let text = text.constant().ok_or("a text with holes has no formula")?;
                self.data(to, &encode(text, *encoding))?;
            }
            StepKind::PutFile { to, bytes } => {
                let to = self.constant(to)?;
                self.data(to, bytes)?;
            }
            StepKind::Copy { to, from, count } => {
                let (to, from) = (self.constant(to)?, self.constant(from)?);
                let count = self.constant(count)?.clamp(0, 0x10000);
                self.count(count)?;
                if (from..from + count).contains(&to) && to != from {
                    return Err("a copy onto itself has no formula".to_string());
                }
                for offset in 0..count {
                    let from = Term::Number(((from + offset) & 0xffff).into());
                    let value = Term::Read(When::After, 1, Arc::new(from));
                    self.put((to + offset) & 0xffff, value, Width::Byte, 0, 0xff);
                }
            }
            StepKind::Call(call) => self.procedure(call)?,
            StepKind::Forall(_) => return Err("a `forall` inside another has no formula".to_string()),
            StepKind::Double(_) => return Err("`stub`, `spy` and `io` have no formula".to_string()),
            _ => return Err("it has no formula".to_string()),
        }
        Ok(())
    }

    fn procedure(&mut self, call: &Call) -> Made<()> {
        let bound = self.variables.len();
        let values: Vec<Made<Term>> = call
            .arguments
            .iter()
            .map(|argument| match argument.kind {
                Kind::Form(Form::Text(_)) => Err("a text has no formula".to_string()),
                _ => {
                    let value = self.term(argument)?;
                    // Its value is taken now, and registers and memory change.
                    match is_fixed(&value) {
                        true => Ok(value),
                        false => Err("an argument that reads the machine has no formula".to_string()),
                    }
                }
            })
            .collect();
        self.variables.extend(values);
        let made = self.steps(&call.body);
        self.variables.truncate(bound);
        made
    }

    fn call(&mut self, call: &Jsr) -> Made<()> {
        let target = self.constant(&call.target)?;
        let target = u16::try_from(target).map_err(|_| "the address is outside of memory")?;
        if call.stop != plan::Stop::Rts(true) || call.max_cycles.is_some() || !call.fail_on_brk {
            return Err("only calls that end with their RTS have a formula".to_string());
        }
        self.actions.push(Action::Call(target));
        let timeout = self.context.test.timeout;
        if timeout > 0 {
            let limit = Arc::new(Term::Number(timeout.into()));
            let within = Term::Compare(Relation::LessEqual, Arc::new(Term::Cycles), limit);
            self.actions.push(Action::Assert(within));
        }
        Ok(())
    }

    fn data(&mut self, to: i64, bytes: &[u8]) -> Made<()> {
        self.count(bytes.len() as i64)?;
        for (offset, &byte) in bytes.iter().enumerate() {
            let at = (to + offset as i64) & 0xffff;
            self.put(at, Term::Number(byte.into()), Width::Byte, 0, 0xff);
        }
        Ok(())
    }

    fn put(&mut self, at: i64, value: Term, width: Width, least: i64, most: i64) {
        let (least, most) = (least.into(), most.into());
        self.actions.push(Action::Store { at: Term::Number(at.into()), value, width, least, most });
    }

    /// Counts bytes that become one formula each.
    fn count(&mut self, bytes: i64) -> Made<()> {
        self.bytes = self.bytes.saturating_add(bytes.max(0));
        if self.bytes > MOST_BYTES {
            return Err(format!("more than {MOST_BYTES} bytes"));
        }
        Ok(())
    }

    /// A register, a flag or a place in memory.
    fn place(&self, expr: &Expr) -> Made<Place> {
        let (at, bytes) = match &expr.kind {
            Kind::Register(register) => return Ok(Place::Register(register_of(*register)?)),
            Kind::Flag(flag) => return Ok(Place::Register(flag_of(*flag)?)),
            Kind::Label(_, at) | Kind::Number(at) => (*at, 1),
            Kind::PlaceRead(at) => (self.constant(at)?, 1),
            Kind::Read(width, at) => (self.constant(at)?, width.bytes() as u8),
            _ => {
                let text = self.context.source.one_line(expr.span);
                return Err(format!("`{text}` is not a place: write a register, a flag, or a label"));
            }
        };
        let at = u16::try_from(at).map_err(|_| "the address is outside of memory")?;
        Ok(Place::Memory(at, bytes))
    }

    fn constant(&self, expr: &Expr) -> Made<i64> {
        let known = match fold(expr) {
            Some(value) => Some(value),
            None => match self.term(expr)? {
                Term::Number(value) => i64::try_from(value).ok(),
                _ => None,
            },
        };
        known.ok_or_else(|| format!("`{}` must be a number", self.context.source.one_line(expr.span)))
    }

    /// The formula's expression for one of a suite. Suites count with 64 bits, formulas without limit: what could overflow is
    /// left out.
    fn term(&self, expr: &Expr) -> Made<Term> {
        let term = self.made(expr)?;
        let limit = 1i128 << 63;
        match term.range(&self.ranges) {
            Some((lo, hi)) if lo >= -limit && hi < limit => Ok(term),
            _ => Err("numbers of more than 63 bits".to_string()),
        }
    }

    fn made(&self, expr: &Expr) -> Made<Term> {
        let one = |inner: &Expr| -> Made<Arc<Term>> { self.term(inner).map(Arc::new) };
        let number = |value: i128| Arc::new(Term::Number(value));
        Ok(match &expr.kind {
            Kind::Number(value) | Kind::Label(_, value) => Term::Number((*value).into()),
            Kind::Variable(variable) => match self.variables.get(variable.0 as usize) {
                Some(value) => value.clone()?,
                None => return Err("a variable that is not bound".to_string()),
            },
            Kind::Register(register) => Term::Register(register_of(*register)?),
            Kind::Flag(flag) => Term::Register(flag_of(*flag)?),
            Kind::Cycles => Term::Cycles,
            Kind::Beam(_) => return Err("the beam has no formula".to_string()),
            Kind::Low(inner) => Term::Binary(Operator::And, one(inner)?, number(0xff)),
            Kind::High(inner) => Term::Binary(Operator::Right, one(inner)?, number(8)),
            Kind::Read(width, inner) => Term::Read(When::After, width.bytes() as u8, one(inner)?),
            Kind::PlaceRead(inner) => Term::Read(When::After, 1, one(inner)?),
            Kind::MemChk(all) => {
                let (from, count) = (self.constant(&all[0])?, self.constant(&all[1])?);
                let wanted = one(&all[2])?;
                self.every(count, |offset| (byte(from + offset), wanted.clone()))?
            }
            Kind::MemCmp(all) => {
                let (from, other) = (self.constant(&all[0])?, self.constant(&all[1])?);
                let count = self.constant(&all[2])?;
                self.every(count, |offset| (byte(from + offset), byte(other + offset)))?
            }
            Kind::Paren(inner) => self.term(inner)?,
            Kind::Negate(inner) => Term::Negate(one(inner)?),
            Kind::Not(inner) => Term::Not(one(inner)?),
            Kind::Binary(operator, left, right) => {
                use ast::Binary;
                let operator = match operator {
                    Binary::Or => Operator::Or,
                    Binary::Xor => Operator::Xor,
                    Binary::And => Operator::And,
                    Binary::ShiftLeft => Operator::Left,
                    Binary::ShiftRight => Operator::Right,
                    Binary::Add => Operator::Add,
                    Binary::Subtract => Operator::Subtract,
                    Binary::Multiply => Operator::Multiply,
                    Binary::Divide => Operator::Quotient,
                    Binary::Modulo => Operator::Rest,
                };
                Term::Binary(operator, one(left)?, one(right)?)
            }
            Kind::Compare(relation, left, right) => {
                let relation = match relation {
                    Compare::Equal => Relation::Equal,
                    Compare::NotEqual => Relation::NotEqual,
                    Compare::Less => Relation::Less,
                    Compare::LessEqual => Relation::LessEqual,
                    Compare::Greater => Relation::Greater,
                    Compare::GreaterEqual => Relation::GreaterEqual,
                };
                Term::Compare(relation, one(left)?, one(right)?)
            }
            Kind::In { value, set, negated } => {
                let value = one(value)?;
                let inside = match set {
                    Set::Range(from, to) => {
                        let above = Term::Compare(Relation::GreaterEqual, value.clone(), one(from)?);
                        let below = Term::Compare(Relation::LessEqual, value, one(to)?);
                        Term::Binary(Operator::And, Arc::new(above), Arc::new(below))
                    }
                    Set::List(all) => {
                        let mut found = Term::Number(0);
                        for entry in all {
                            let same = Term::Compare(Relation::Equal, value.clone(), one(entry)?);
                            found = Term::Binary(Operator::Or, Arc::new(found), Arc::new(same));
                        }
                        found
                    }
                };
                if *negated { Term::Not(Arc::new(inside)) } else { inside }
            }
            // Both sides are looked at, so that a fault in either shows.
            Kind::And(left, right) => Term::Binary(Operator::And, truth(one(left)?), truth(one(right)?)),
            Kind::Or(left, right) => Term::Binary(Operator::Or, truth(one(left)?), truth(one(right)?)),
            Kind::Form(_) => {
                let text = self.context.source.one_line(expr.span);
                return Err(format!("`{text}` has no formula"));
            }
        })
    }

    fn every(&self, count: i64, pair: impl Fn(i64) -> (Arc<Term>, Arc<Term>)) -> Made<Term> {
        if count > MOST_BYTES {
            return Err(format!("more than {MOST_BYTES} bytes"));
        }
        let mut all = Term::Number(1);
        for offset in 0..count.max(0) {
            let (one, two) = pair(offset);
            let same = Term::Compare(Relation::Equal, one, two);
            all = Term::Binary(Operator::And, Arc::new(all), Arc::new(same));
        }
        Ok(all)
    }
}

fn byte(at: i64) -> Arc<Term> {
    Arc::new(Term::Read(When::After, 1, Arc::new(Term::Number((at & 0xffff).into()))))
}

/// 1 or 0.
fn truth(term: Arc<Term>) -> Arc<Term> {
    match &*term {
        Term::Compare(..) | Term::Not(_) => term,
        _ => Arc::new(Term::Compare(Relation::NotEqual, term, Arc::new(Term::Number(0)))),
    }
}

/// Whether nothing of the machine is in it.
fn is_fixed(term: &Term) -> bool {
    let mut fixed = true;
    term.visit(&mut |part| fixed &= !matches!(part, Term::Register(_) | Term::Read(..) | Term::Cycles));
    fixed
}

fn register_of(register: Register) -> Made<Of> {
    Ok(match register {
        Register::A => Of::A,
        Register::X => Of::X,
        Register::Y => Of::Y,
        other => return Err(format!("`{}` has no formula", other.name())),
    })
}

fn flag_of(flag: Flag) -> Made<Of> {
    Ok(match flag.mask() {
        Status::C => Of::C,
        Status::Z => Of::Z,
        Status::N => Of::N,
        Status::V => Of::V,
        Status::D => Of::D,
        _ => return Err("I has no formula".to_string()),
    })
}
