//! Expressions of the suites' language, compiled to a few operations that run inside the emulator's hook.
//! Names are numbers before anything runs; memory, registers and the clock are looked at when it does.

use tempo_emu::Registers;
use tempo_emu::c64::Model;
use tempo_harness::ast::{Beam, Binary, Compare, Expr, ExprKind, Half, Register, Set, Width};
use tempo_harness::machine::register_value;

/// What an expression is evaluated on.
pub struct View<'a> {
    /// The registers.
    pub registers: &'a Registers,
    /// Cycles so far.
    pub cycles: u64,
    /// What a read would give, without effects.
    pub look: &'a dyn Fn(u16) -> u8,
    /// What is told from the cycles.
    pub clock: Clock,
}

/// What is told from the cycles so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Where the beam is counted from, on machines with one.
    pub beam: Option<BeamClock>,
    /// The cycle at which the stopwatch is at 0.
    pub zero: i64,
}

impl Clock {
    /// What the stopwatch shows.
    pub fn stopwatch(self, cycles: u64) -> i64 {
        (cycles as i64).wrapping_sub(self.zero)
    }
}

/// Tells the place of the beam from the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeamClock {
    /// The machine's model.
    pub model: Model,
    /// The machine's cycle at cycle 0 of the session.
    pub base: u64,
}

impl BeamClock {
    /// The line and the cycle in it.
    pub fn at(self, cycles: u64) -> (u16, u8) {
        self.model.beam_at(self.base + cycles)
    }
}

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError(pub String);

impl std::fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What went wrong while it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A division by zero.
    DivisionByZero,
    /// The machine has no beam.
    NoBeam,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Fault::DivisionByZero => "division by zero",
            Fault::NoBeam => "this machine has no raster beam",
        })
    }
}

/// The name of the stopwatch in expressions, unless the program has one of its own.
pub(crate) const STOPWATCH: &str = "stopwatch";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Push(i64),
    Register(Register),
    Flag(u8),
    Cycles,
    Stopwatch,
    Beam(Beam),
    Read(u8),
    Negate,
    Not,
    Low,
    High,
    Binary(Binary),
    Compare(Compare),
    And,
    Or,
    /// value, low, high
    Within,
    /// Whether the count bytes from an address on have a value.
    MemChk,
    MemCmp,
}

/// A value that needs no stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    Number(i64),
    Register(Register),
    Flag(u8),
    Byte(u16),
    Word(u16),
}

impl Atom {
    /// The atom that these operations make, if they make one.
    fn of(ops: &[Op]) -> Option<Atom> {
        Some(match *ops {
            [Op::Push(number)] => Atom::Number(number),
            [Op::Register(register)] => Atom::Register(register),
            [Op::Flag(mask)] => Atom::Flag(mask),
            [Op::Push(at), Op::Read(1)] => Atom::Byte(at as u16),
            [Op::Push(at), Op::Read(2)] => Atom::Word(at as u16),
            _ => return None,
        })
    }

    #[inline(always)]
    fn value(self, view: &View<'_>) -> i64 {
        match self {
            Atom::Number(number) => number,
            Atom::Register(register) => register_value(view.registers, register),
            Atom::Flag(mask) => i64::from(view.registers.p.byte() & mask != 0),
            Atom::Byte(at) => i64::from((view.look)(at)),
            Atom::Word(at) => i64::from((view.look)(at)) | i64::from((view.look)(at.wrapping_add(1))) << 8,
        }
    }
}

/// A comparison of two atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Test(Atom, Compare, Atom);

/// The tests that must all hold, if that is all these operations say. It is most of what people write, and what a
/// breakpoint in a loop is asked for every time.
fn tests(ops: &[Op]) -> Option<Vec<Test>> {
    let mut tests: Vec<Test> = Vec::new();
    let mut atoms: Vec<Atom> = Vec::new();
    let mut rest = ops;
    while let Some((&op, after)) = rest.split_first() {
        match (op, atoms.as_slice()) {
            (Op::Compare(compare), &[left, right]) => {
                tests.push(Test(left, compare, right));
                atoms.clear();
                rest = after;
            }
            // It joins the last test to those before.
            (Op::And, []) if tests.len() > 1 => rest = after,
            _ => {
                let len = (1..=2).rev().find(|&len| rest.get(..len).and_then(Atom::of).is_some())?;
                atoms.push(Atom::of(&rest[..len])?);
                rest = &rest[len..];
            }
        }
    }
    (atoms.is_empty() && !tests.is_empty()).then_some(tests)
}

/// The deepest stack an expression may need.
const DEPTH: usize = 32;

/// A compiled expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    ops: Vec<Op>,
    /// The same as tests that must all hold, if it is that simple.
    tests: Option<Box<[Test]>>,
    text: String,
}

/// Gives names their values.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Option<i64>;

impl Program {
    /// Compiles a text. Besides the suites' language it takes `label[3]`, `(pointer),y` and `(pointer,x)` for the bytes
    /// they mean, and a lone `[label]` for the byte there.
    pub fn compile(text: &str, names: Resolve<'_>) -> Result<Program, ExpressionError> {
        let expr =
            tempo_harness::parse::alone::expression(&plain(&named(text, names))).map_err(ExpressionError)?;
        let mut program = Program { ops: Vec::new(), tests: None, text: text.trim().to_string() };
        match &expr.kind {
            // `[label]` alone is the byte; a number or a name alone is itself.
            ExprKind::Symbol(_) => {
                program.expr(&expr, names)?;
                program.ops.push(Op::Read(1));
            }
            ExprKind::Number(_) if text.trim_start().starts_with('[') => {
                program.expr(&expr, names)?;
                program.ops.push(Op::Read(1));
            }
            _ => program.expr(&expr, names)?,
        }
        let mut depth = 0_usize;
        for op in &program.ops {
            depth = match op {
                Op::Push(_) | Op::Register(_) | Op::Flag(_) | Op::Cycles | Op::Stopwatch | Op::Beam(_) => {
                    depth + 1
                }
                Op::Binary(_) | Op::Compare(_) | Op::And | Op::Or => depth.saturating_sub(1),
                Op::Within | Op::MemChk | Op::MemCmp => depth.saturating_sub(2),
                _ => depth,
            };
            if depth > DEPTH {
                return Err(ExpressionError("the expression is too deep".to_string()));
            }
        }
        program.tests = tests(&program.ops).map(Vec::into_boxed_slice);
        Ok(program)
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn expr(&mut self, expr: &Expr, names: Resolve<'_>) -> Result<(), ExpressionError> {
        let unary = |program: &mut Program, inner: &Expr, op: Op| {
            program.expr(inner, names)?;
            program.ops.push(op);
            Ok(())
        };
        match &expr.kind {
            ExprKind::Number(number) | ExprKind::Known(_, number) => self.ops.push(Op::Push(*number)),
            ExprKind::Bool(on) => self.ops.push(Op::Push(i64::from(*on))),
            ExprKind::Register(register) => self.ops.push(Op::Register(*register)),
            ExprKind::Flag(flag) => self.ops.push(Op::Flag(flag.mask())),
            ExprKind::Cycles => self.ops.push(Op::Cycles),
            ExprKind::Beam(part) => self.ops.push(Op::Beam(*part)),
            ExprKind::Name(name) | ExprKind::Symbol(name) => match names(name) {
                Some(value) => self.ops.push(Op::Push(value)),
                None if name == STOPWATCH => self.ops.push(Op::Stopwatch),
                None => return Err(ExpressionError(format!("`{name}` is not known here"))),
            },
            ExprKind::Half(half, inner) => {
                let op = if matches!(half, Half::Low | Half::UpperLow) { Op::Low } else { Op::High };
                return unary(self, inner, op);
            }
            ExprKind::Read(width, inner) => return unary(self, inner, Op::Read(bytes(*width))),
            ExprKind::PlaceRead(inner) => return unary(self, inner, Op::Read(1)),
            ExprKind::Paren(inner) => return self.expr(inner, names),
            ExprKind::Negate(inner) => return unary(self, inner, Op::Negate),
            ExprKind::Not(inner) => return unary(self, inner, Op::Not),
            ExprKind::Binary(operator, left, right) => {
                self.expr(left, names)?;
                return unary(self, right, Op::Binary(*operator));
            }
            ExprKind::Compare(operator, left, right) => {
                self.expr(left, names)?;
                return unary(self, right, Op::Compare(*operator));
            }
            ExprKind::And(left, right) => {
                self.expr(left, names)?;
                return unary(self, right, Op::And);
            }
            ExprKind::Or(left, right) => {
                self.expr(left, names)?;
                return unary(self, right, Op::Or);
            }
            ExprKind::In { value, set, negated } => {
                match set {
                    Set::Range(from, to) => {
                        self.expr(value, names)?;
                        self.expr(from, names)?;
                        self.expr(to, names)?;
                        self.ops.push(Op::Within);
                    }
                    Set::List(all) => {
                        self.ops.push(Op::Push(0));
                        for one in all {
                            self.expr(value, names)?;
                            self.expr(one, names)?;
                            self.ops.push(Op::Compare(Compare::Equal));
                            self.ops.push(Op::Or);
                        }
                    }
                }
                if *negated {
                    self.ops.push(Op::Not);
                }
            }
            ExprKind::MemChk(arguments) | ExprKind::MemCmp(arguments) => {
                for argument in arguments.iter() {
                    self.expr(argument, names)?;
                }
                let is_check = matches!(expr.kind, ExprKind::MemChk(_));
                self.ops.push(if is_check { Op::MemChk } else { Op::MemCmp });
            }
            _ => return Err(ExpressionError("this has a value in a test only".to_string())),
        }
        Ok(())
    }

    /// The value.
    #[inline]
    pub fn eval(&self, view: &View<'_>) -> Result<i64, Fault> {
        match &self.tests {
            Some(tests) => Ok(i64::from(tests.iter().all(|&Test(left, compare, right)| {
                // None of these can fail, so that nobody can tell whether the others were looked at.
                compare.holds(&left.value(view), &right.value(view))
            }))),
            None => self.eval_on_stack(view),
        }
    }

    fn eval_on_stack(&self, view: &View<'_>) -> Result<i64, Fault> {
        let mut stack = [0_i64; DEPTH + 4];
        let mut top = 0_usize;
        for op in &self.ops {
            match *op {
                Op::Push(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Op::Register(register) => {
                    stack[top] = register_value(view.registers, register);
                    top += 1;
                }
                Op::Flag(mask) => {
                    stack[top] = i64::from(view.registers.p.byte() & mask != 0);
                    top += 1;
                }
                Op::Cycles => {
                    stack[top] = view.cycles as i64;
                    top += 1;
                }
                Op::Stopwatch => {
                    stack[top] = view.clock.stopwatch(view.cycles);
                    top += 1;
                }
                Op::Beam(part) => {
                    let (line, cycle) = view.clock.beam.ok_or(Fault::NoBeam)?.at(view.cycles);
                    stack[top] = if part == Beam::Line { i64::from(line) } else { i64::from(cycle) };
                    top += 1;
                }
                Op::Read(count) => {
                    let at = stack[top - 1];
                    stack[top - 1] = (0..i64::from(count)).fold(0, |value, offset| {
                        value | i64::from((view.look)(at.wrapping_add(offset) as u16)) << (8 * offset)
                    });
                }
                Op::Negate => stack[top - 1] = stack[top - 1].wrapping_neg(),
                Op::Not => stack[top - 1] = i64::from(stack[top - 1] == 0),
                Op::Low => stack[top - 1] &= 0xff,
                Op::High => stack[top - 1] >>= 8,
                Op::Within => {
                    top -= 2;
                    stack[top - 1] = i64::from((stack[top]..=stack[top + 1]).contains(&stack[top - 1]));
                }
                Op::MemChk | Op::MemCmp => {
                    top -= 2;
                    let (first, second, third) = (stack[top - 1], stack[top], stack[top + 1]);
                    let is_check = *op == Op::MemChk;
                    let count = if is_check { second } else { third };
                    let look = |at: i64| i64::from((view.look)(at as u16));
                    let holds = (0..count.clamp(0, 0x10000)).all(|offset| {
                        let wanted = if is_check { third } else { look(second.wrapping_add(offset)) };
                        look(first.wrapping_add(offset)) == wanted
                    });
                    stack[top - 1] = i64::from(holds);
                }
                Op::Binary(_) | Op::Compare(_) | Op::And | Op::Or => {
                    top -= 1;
                    let (left, right) = (stack[top - 1], stack[top]);
                    stack[top - 1] = match *op {
                        Op::Binary(operator) => {
                            tempo_harness::eval::apply(operator, left, right).ok_or(Fault::DivisionByZero)?
                        }
                        Op::Compare(operator) => i64::from(operator.holds(&left, &right)),
                        Op::And => i64::from(left != 0 && right != 0),
                        _ => i64::from(left != 0 || right != 0),
                    };
                }
            }
        }
        Ok(stack[top - 1])
    }
}

fn bytes(width: Width) -> u8 {
    width.bytes() as u8
}

/// Puts numbers in place of names that the suites' language would not read: with dots, or like words of its own.
fn named(text: &str, names: Resolve<'_>) -> String {
    const WORDS: [&str; 8] = ["text", "bytes", "screen", "calls", "captured", "spy", "fen", "contains"];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut depth = 0_i32;
    while let Some(first) = rest.chars().next() {
        if !(first.is_ascii_alphabetic() || first == '_') {
            // Numbers keep their letters.
            let len = match first {
                '$' | '%' | '0'..='9' => {
                    1 + rest[1..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - 1)
                }
                _ => first.len_utf8(),
            };
            depth += i32::from(first == '[') - i32::from(first == ']');
            out.push_str(&rest[..len]);
            rest = &rest[len..];
            continue;
        }
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let suffix = word
            .rsplit_once('.')
            .filter(|(_, last)| ["b", "w", "lw", "l", "h"].contains(&last.to_ascii_lowercase().as_str()));
        let is_read = after.trim_start().starts_with('[');
        match (names(word), suffix) {
            _ if depth > 0 || is_read => out.push_str(word),
            (Some(value), _) if word.contains('.') || WORDS.contains(&word) => {
                out.push_str(&format!("({value})"))
            }
            (None, Some((name, last))) if names(name).is_some() => out.push_str(&format!("[{name}].{last}")),
            _ => out.push_str(word),
        }
        rest = after;
    }
    out
}

/// Rewrites what debuggers write and suites do not.
fn plain(text: &str) -> String {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let dense: String = lower.chars().filter(|c| !c.is_whitespace()).collect();
    if lower.starts_with('(') && dense.ends_with("),y") {
        let end = text.rfind(')').unwrap_or(text.len());
        return format!("peekbyte(peekword({}) + y)", &text[1..end]);
    }
    if lower.starts_with('(') && dense.ends_with(",x)") {
        let end = text.rfind(',').unwrap_or(text.len());
        return format!("peekbyte(peekword({} + x))", &text[1..end]);
    }
    // name[index]
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '$';
        let before = rest[..open].trim_end_matches(is_part);
        let name_at = before.len();
        let Some(close) = rest[open..].find(']').map(|at| at + open) else { break };
        let name = &rest[name_at..open];
        if name.is_empty() {
            out.push_str(&rest[..=close]);
        } else {
            let name = if name.starts_with(|c: char| c.is_ascii_digit() || c == '$') {
                name.to_string()
            } else {
                format!("[{name}]")
            };
            out.push_str(&rest[..name_at]);
            out.push_str(&format!("peekbyte({name} + ({}))", &rest[open + 1..close]));
        }
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, String> {
        let names = |name: &str| match name {
            "score" => Some(0x1000),
            "screen.base" => Some(0x0400),
            "COLS" => Some(40),
            _ => None,
        };
        let program = Program::compile(text, &names).map_err(|err| err.0)?;
        let registers = Registers { a: 5, x: 2, y: 1, pc: 0xc000, ..Registers::default() };
        let look = |at: u16| match at {
            0x1000 => 7,
            0x1001 => 1,
            0x00fb => 0x00,
            0x00fc => 0x10,
            _ => 0,
        };
        let view = View { registers: &registers, cycles: 99, look: &look, clock: Clock::default() };
        program.eval(&view).map_err(|fault| fault.to_string())
    }

    #[test]
    fn values_of_the_suites_language_and_of_debuggers() {
        for (text, wanted) in [
            ("a", 5),
            ("a == 5 and x < 3", 1),
            ("[score]", 7),
            ("[score].w", 0x107),
            ("[score] == 7", 1),
            ("score", 0x1000),
            ("[$1000]", 7),
            ("screen.base + COLS", 0x0428),
            ("score[1]", 1),
            ("score.w", 0x107),
            ("score[y] + 1", 2),
            ("($fb),y", 1),
            ("($f9,x)", 7),
            ("cycles", 99),
            ("pc", 0xc000),
            ("not (a == 5)", 0),
            ("x in 1..3", 1),
            ("x in (4, 5)", 0),
            ("<score", 0),
            (">score", 0x10),
            ("-a + 6", 1),
            ("memchk([score], 1, 7)", 1),
        ] {
            assert_eq!(value(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn simple_conditions_are_tests_and_mean_the_same() {
        let names = |name: &str| (name == "score").then_some(0x1000);
        let look = |at: u16| (at ^ at >> 8) as u8;
        let mut random = 1_u32;
        for text in [
            "a == 5",
            "x == 3 and [$20] == 300",
            "a >= 2 and x < 3 and (y != 1 and [score].w > $1000)",
            "c == 1 and n == 0",
            "[score] <= a and z",
            "a == 5 or x == 3",
            "not (a == 5)",
            "a",
        ] {
            let program = Program::compile(text, &names).expect("a condition");
            let is_simple =
                !text.contains(" or ") && !text.contains("not") && text != "a" && !text.ends_with("z");
            assert_eq!(program.tests.is_some(), is_simple, "{text}");
            for _ in 0..500 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let [a, x, y, p] = random.to_be_bytes().map(|byte| byte & 0x07);
                let p = tempo_emu::Status::from_byte(p | (a << 6));
                let registers = Registers { a, x, y, p, ..Registers::default() };
                let view = View { registers: &registers, cycles: 0, look: &look, clock: Clock::default() };
                assert_eq!(program.eval(&view), program.eval_on_stack(&view), "{text} {registers:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_evaluated_says_why() {
        assert_eq!(value("lives == 3"), Err("`lives` is not known here".to_string()));
        assert_eq!(value("1 / (a - 5)"), Err("division by zero".to_string()));
        assert_eq!(value("raster == 3"), Err("this machine has no raster beam".to_string()));
        assert!(value("a = = 5").is_err());
        assert!(value("").is_err());
        assert!(value("calls.count == 1").is_err());
    }
}
