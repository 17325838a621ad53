//! Expressions of the suites' language on a machine that is stopped or runs: what names mean, and where values come from.
//! Parser, resolver and evaluator are those of the suites (`tempo-expressions`).

use tempo_diagnostics::Span;
use tempo_emu::{Registers, Timing};
use tempo_expressions::ast::{self, Beam, Flag, Register};
use tempo_expressions::{Condition, Expr, Form, Kind, Resolver, Scope};

/// The machine that an expression is evaluated on.
pub struct View<'a> {
    /// The registers.
    pub registers: &'a Registers,
    /// Cycles so far.
    pub cycles: u64,
    /// Returns the byte that a read would give, without effects.
    pub look: &'a dyn Fn(u16) -> u8,
    /// The bank of the cartridge, if there is one.
    pub bank: Option<u16>,
    /// The facts derived from the cycles.
    pub clock: Clock,
}

/// The facts derived from the cycles so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Where the beam is counted from, on machines with one.
    pub beam: Option<BeamClock>,
    /// The cycle at which the stopwatch is at 0.
    pub zero: i64,
}

impl Clock {
    /// The stopwatch's value.
    pub fn stopwatch(self, cycles: u64) -> i64 {
        (cycles as i64).wrapping_sub(self.zero)
    }
}

/// Tells the place of the beam from the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BeamClock {
    /// The machine's frames.
    pub timing: Timing,
    /// The machine's cycle at cycle 0 of the session.
    pub base: u64,
}

impl BeamClock {
    /// The line and the cycle in it.
    pub fn at(self, cycles: u64) -> (u16, u8) {
        self.timing.beam_at(self.base + cycles)
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

/// The fault of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A division by zero.
    DivisionByZero,
    /// The machine has no beam.
    NoBeam,
    /// The machine has no cartridge.
    NoCartridge,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Fault::DivisionByZero => "division by zero",
            Fault::NoBeam => "this machine has no raster beam",
            Fault::NoCartridge => "there is no cartridge with banks",
        })
    }
}

/// The name of the stopwatch in expressions, unless the program has a symbol of that name.
pub(crate) const STOPWATCH: &str = "stopwatch";

/// The name of the cartridge's bank, with the same exception.
pub(crate) const BANK: &str = "bank";

/// Expressions that only the debugger has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DebuggerForm {
    /// Cycles since the stopwatch was at 0.
    Stopwatch,
    /// The bank of the cartridge that is switched in.
    Bank,
}

impl Form for DebuggerForm {
    fn visit(&self, _: &mut dyn FnMut(&Expr<DebuggerForm>)) {}
}

/// Names to values.
pub type Resolve<'a> = &'a dyn Fn(&str) -> Option<i64>;

/// Resolves the names of a program, and notes the first fault.
struct ProgramNames<'a> {
    names: Resolve<'a>,
    fault: Option<String>,
}

impl Resolver for ProgramNames<'_> {
    type Form = DebuggerForm;

    fn symbol(&mut self, name: &str, span: Span) -> Option<Expr<DebuggerForm>> {
        let kind = match (self.names)(name) {
            Some(value) => Kind::Label(name.to_string(), value),
            None if name == STOPWATCH => Kind::Form(DebuggerForm::Stopwatch),
            None if name == BANK => Kind::Form(DebuggerForm::Bank),
            None => {
                self.fault.get_or_insert_with(|| format!("`{name}` is not known here"));
                return None;
            }
        };
        Some(Expr { span, kind })
    }

    fn name(&mut self, name: &str, span: Span) -> Option<Expr<DebuggerForm>> {
        self.symbol(name, span)
    }

    fn form(&mut self, _: &ast::Expr) -> Option<Expr<DebuggerForm>> {
        self.fault.get_or_insert_with(|| "this has a value in a test only".to_string());
        None
    }
}

/// An expression with its names resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    condition: Condition<DebuggerForm>,
    text: String,
}

impl Program {
    /// Reads a text. Besides the suites' language it takes `label[3]`, `(pointer),y` and `(pointer,x)` for the bytes
    /// they mean, and a lone `[label]` for the byte there.
    pub fn compile(text: &str, names: Resolve<'_>) -> Result<Program, ExpressionError> {
        let known = |name: &str| names(name).is_some();
        let written = tempo_expressions::parse::expression(text, &known).map_err(ExpressionError)?;
        let mut resolver = ProgramNames { names, fault: None };
        match tempo_expressions::resolve(&written, &mut resolver) {
            Some(expr) => Ok(Program { condition: Condition::new(expr), text: text.trim().to_string() }),
            None => Err(ExpressionError(resolver.fault.unwrap_or_default())),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The expression.
    pub fn expr(&self) -> &Expr<DebuggerForm> {
        self.condition.expr()
    }

    /// The value.
    #[inline]
    pub fn eval(&self, view: &View<'_>) -> Result<i64, Fault> {
        let mut eyes = Eyes { view, fault: None };
        match self.condition.eval(&mut eyes) {
            Some(value) => Ok(value),
            None => Err(eyes.fault.unwrap_or(Fault::NoBeam)),
        }
    }
}

/// A view of the machine, and what could not be seen there.
struct Eyes<'a, 'v> {
    view: &'a View<'v>,
    fault: Option<Fault>,
}

impl Scope<DebuggerForm> for Eyes<'_, '_> {
    #[inline(always)]
    fn peek(&self, address: u16) -> Option<u8> {
        Some((self.view.look)(address))
    }

    #[inline(always)]
    fn register(&self, register: Register) -> Option<i64> {
        Some(register.value(self.view.registers))
    }

    #[inline(always)]
    fn flag(&self, flag: Flag) -> Option<bool> {
        Some(self.view.registers.p.byte() & flag.mask() != 0)
    }

    fn cycles(&self) -> Option<i64> {
        Some(self.view.cycles as i64)
    }

    fn beam(&mut self, part: Beam) -> Option<i64> {
        let Some(beam) = self.view.clock.beam else {
            self.fault = Some(Fault::NoBeam);
            return None;
        };
        let (line, cycle) = beam.at(self.view.cycles);
        Some(if part == Beam::Line { i64::from(line) } else { i64::from(cycle) })
    }

    fn form(&mut self, form: &DebuggerForm, _: Span) -> Option<i64> {
        match form {
            DebuggerForm::Stopwatch => Some(self.view.clock.stopwatch(self.view.cycles)),
            DebuggerForm::Bank => {
                if self.view.bank.is_none() {
                    self.fault = Some(Fault::NoCartridge);
                }
                self.view.bank.map(i64::from)
            }
        }
    }

    fn division_by_zero(&mut self, _: Span) -> Option<i64> {
        self.fault = Some(Fault::DivisionByZero);
        None
    }
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
        let view =
            View { registers: &registers, cycles: 99, look: &look, bank: None, clock: Clock::default() };
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
            assert_eq!(program.condition.is_simple(), is_simple, "{text}");
            for _ in 0..500 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let [a, x, y, p] = random.to_be_bytes().map(|byte| byte & 0x07);
                let p = tempo_emu::Status::from_byte(p | (a << 6));
                let registers = Registers { a, x, y, p, ..Registers::default() };
                let view = View {
                    registers: &registers,
                    cycles: 0,
                    look: &look,
                    bank: None,
                    clock: Clock::default(),
                };
                let mut eyes = Eyes { view: &view, fault: None };
                let walked = tempo_expressions::eval(program.expr(), &mut eyes);
                assert_eq!(program.eval(&view).ok(), walked, "{text} {registers:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_evaluated_says_why() {
        assert_eq!(value("lives == 3"), Err("`lives` is not known here".to_string()));
        assert_eq!(value("1 / (a - 5)"), Err("division by zero".to_string()));
        assert_eq!(value("bank == 3"), Err("there is no cartridge with banks".to_string()));
        assert_eq!(value("raster == 3"), Err("this machine has no raster beam".to_string()));
        assert!(value("a = = 5").is_err());
        assert!(value("").is_err());
        assert!(value("calls.count == 1").is_err());
    }
}
