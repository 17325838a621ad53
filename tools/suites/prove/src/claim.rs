//! The language of claims: integers without limit, registers, flags and memory after a call, and inputs before it.
//! Parses and evaluates with numbers; formulas are made in `integer`. Knows no machine.

use std::sync::Arc;

use thiserror::Error;

/// A register or flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    A,
    X,
    Y,
    N,
    V,
    D,
    Z,
    C,
}

impl Register {
    /// By its name, a capital letter.
    pub fn parse(name: &str) -> Option<Register> {
        Some(match name {
            "A" => Register::A,
            "X" => Register::X,
            "Y" => Register::Y,
            "N" => Register::N,
            "V" => Register::V,
            "D" => Register::D,
            "Z" => Register::Z,
            "C" => Register::C,
            _ => return None,
        })
    }

    /// Its bits: 8 or 1.
    pub fn width(self) -> u32 {
        if matches!(self, Register::A | Register::X | Register::Y) { 8 } else { 1 }
    }

    /// The capital letter.
    pub fn name(self) -> &'static str {
        match self {
            Register::A => "A",
            Register::X => "X",
            Register::Y => "Y",
            Register::N => "N",
            Register::V => "V",
            Register::D => "D",
            Register::Z => "Z",
            Register::C => "C",
        }
    }
}

/// Where an input goes, or what a `--given` fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A register or flag.
    Register(Register),
    /// This many bytes from an address, low byte first.
    Memory(u16, u8),
    /// Nowhere: the claim alone has it.
    Ghost,
}

impl Place {
    /// Its bits; a ghost has those of its range.
    pub fn width(self) -> u32 {
        match self {
            Place::Register(register) => register.width(),
            Place::Memory(_, bytes) => u32::from(bytes) * 8,
            Place::Ghost => 32,
        }
    }
}

/// When memory is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum When {
    Before,
    After,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Number(i128),
    /// An input by its number.
    Input(usize),
    /// A register after the call.
    Register(Register),
    /// Bytes at an address, low byte first.
    Read(When, u8, Arc<Expr>),
    Negate(Arc<Expr>),
    Invert(Arc<Expr>),
    Not(Arc<Expr>),
    Binary(Operator, Arc<Expr>, Arc<Expr>),
    Compare(Relation, Arc<Expr>, Arc<Expr>),
    And(Arc<Expr>, Arc<Expr>),
    Or(Arc<Expr>, Arc<Expr>),
    /// The cycles so far.
    Cycles,
    /// An entry of a table; the place is always inside.
    Table(Arc<Expr>, Arc<[i128]>),
}

/// An arithmetic operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// Rounded towards zero.
    Quotient,
    /// The remainder that belongs to it, with the sign of the dividend.
    Rest,
    And,
    Or,
    Xor,
    Left,
    Right,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A faulty claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message} in `{text}`, at character {at}")]
pub struct ParseError {
    pub text: String,
    pub at: usize,
    pub message: String,
}

/// A claim that has no value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ValueError {
    #[error("the claim divides by zero")]
    DivisionByZero,
    #[error("the claim shifts by a negative number or by more than 64 places")]
    Shift,
    #[error("a number of the claim has more than 126 bits")]
    TooLarge,
}

/// The meaning of names.
pub struct Names<'a> {
    /// The inputs in order.
    pub inputs: &'a [String],
    /// Named subterms.
    pub lets: &'a [(String, Arc<Expr>)],
    /// The address of a label.
    pub label: &'a dyn Fn(&str) -> Option<u16>,
}

/// The machine that an expression reads.
pub trait Look {
    /// An input before the call.
    fn input(&self, number: usize) -> i128;
    /// A register after the call.
    fn register(&self, register: Register) -> u8;
    /// A byte of memory.
    fn read(&self, when: When, address: u16) -> u8;
    /// The cycles so far.
    fn cycles(&self) -> u64 {
        0
    }
}

impl Expr {
    /// Parses a claim.
    pub fn parse(text: &str, names: &Names<'_>) -> Result<Expr, ParseError> {
        let mut parser = Parser { text, at: 0, names, depth: 0 };
        let expr = parser.disjunction()?;
        parser.blank();
        if parser.at < text.len() {
            return Err(parser.error("an operator is expected"));
        }
        Ok(expr)
    }

    /// Parses what is compared: an expression, or a place (`word Result`).
    pub fn parse_observed(text: &str, names: &Names<'_>) -> Result<Expr, ParseError> {
        let trimmed = text.trim();
        for (word, bytes) in [("byte", 1), ("word", 2), ("long", 4)] {
            if let Some(rest) = trimmed.strip_prefix(word)
                && rest.starts_with(char::is_whitespace)
            {
                let address = Expr::parse(rest.trim(), names)?;
                return Ok(Expr::Read(When::After, bytes, Arc::new(address)));
            }
        }
        Expr::parse(text, names)
    }

    /// The value; comparisons are 1 or 0.
    pub fn value(&self, look: &impl Look) -> Result<i128, ValueError> {
        Ok(match self {
            Expr::Number(value) => *value,
            Expr::Input(number) => look.input(*number),
            Expr::Register(register) => i128::from(look.register(*register)),
            Expr::Read(when, bytes, address) => {
                let address = address.value(look)? as u16;
                (0..u16::from(*bytes))
                    .fold(0, |sum, i| sum | i128::from(look.read(*when, address.wrapping_add(i))) << (8 * i))
            }
            Expr::Negate(a) => -a.value(look)?,
            Expr::Invert(a) => !a.value(look)?,
            Expr::Not(a) => i128::from(a.value(look)? == 0),
            Expr::Binary(operator, a, b) => compute(*operator, a.value(look)?, b.value(look)?)?,
            Expr::Compare(relation, a, b) => i128::from(relation.holds(a.value(look)?, b.value(look)?)),
            Expr::And(a, b) => i128::from(a.value(look)? != 0 && b.value(look)? != 0),
            Expr::Or(a, b) => i128::from(a.value(look)? != 0 || b.value(look)? != 0),
            Expr::Cycles => i128::from(look.cycles()),
            Expr::Table(place, entries) => {
                let place = place.value(look)?;
                let last = entries.len() as i128 - 1;
                entries[place.clamp(0, last) as usize]
            }
        })
    }

    /// Whether a condition is true.
    pub fn holds(&self, look: &impl Look) -> Result<bool, ValueError> {
        Ok(self.value(look)? != 0)
    }

    /// Bounds of the value, from the bounds of the inputs; `None` if they are too large or an operation may have no value
    /// in this language that other languages give one.
    pub fn range(&self, inputs: &[(i128, i128)]) -> Option<(i128, i128)> {
        const LIMIT: i128 = 1 << 100;
        let (lo, hi) = match self {
            Expr::Number(value) => (*value, *value),
            Expr::Input(number) => *inputs.get(*number)?,
            Expr::Register(register) => (0, (1 << register.width()) - 1),
            Expr::Read(_, bytes, at) => {
                at.range(inputs)?;
                (0, (1 << (8 * u32::from(*bytes))) - 1)
            }
            Expr::Cycles => (0, 1 << 62),
            Expr::Table(_, entries) => (*entries.iter().min()?, *entries.iter().max()?),
            Expr::Negate(a) => {
                let (lo, hi) = a.range(inputs)?;
                (-hi, -lo)
            }
            Expr::Invert(a) => {
                let (lo, hi) = a.range(inputs)?;
                (!hi, !lo)
            }
            Expr::Not(a) => {
                a.range(inputs)?;
                (0, 1)
            }
            Expr::Compare(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                a.range(inputs)?;
                b.range(inputs)?;
                (0, 1)
            }
            Expr::Binary(operator, a, b) => {
                let ((a, c), (b, d)) = (a.range(inputs)?, b.range(inputs)?);
                let most = a.abs().max(c.abs());
                let ends = |f: &dyn Fn(i128, i128) -> Option<i128>| -> Option<(i128, i128)> {
                    let all = [f(a, b)?, f(a, d)?, f(c, b)?, f(c, d)?];
                    Some((*all.iter().min()?, *all.iter().max()?))
                };
                match operator {
                    Operator::Add => (a + b, c + d),
                    Operator::Subtract => (a - d, c - b),
                    Operator::Multiply => ends(&|a, b| a.checked_mul(b))?,
                    Operator::Divide | Operator::Quotient => (-most - 1, most + 1),
                    Operator::Remainder | Operator::Rest => {
                        let by = b.abs().max(d.abs());
                        (-by, by)
                    }
                    Operator::And | Operator::Or | Operator::Xor => {
                        let most = most.max(b.abs()).max(d.abs());
                        let mask = (1i128 << (128 - most.leading_zeros())) - 1;
                        if a >= 0 && b >= 0 { (0, mask) } else { (-mask - 1, mask) }
                    }
                    Operator::Left | Operator::Right => {
                        if b < 0 || d > 63 {
                            return None;
                        }
                        let left = |value: i128, by: i128| value.checked_mul(1 << by);
                        let right = |value: i128, by: i128| Some(value >> by);
                        if *operator == Operator::Left { ends(&left)? } else { ends(&right)? }
                    }
                }
            }
        };
        (lo.abs() <= LIMIT && hi.abs() <= LIMIT).then_some((lo, hi))
    }

    /// Calls a function for each part, this one included.
    pub fn visit(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Number(_) | Expr::Input(_) | Expr::Register(_) | Expr::Cycles => {}
            Expr::Read(_, _, a) | Expr::Negate(a) | Expr::Invert(a) | Expr::Not(a) | Expr::Table(a, _) => {
                a.visit(f)
            }
            Expr::Binary(_, a, b) | Expr::Compare(_, a, b) | Expr::And(a, b) | Expr::Or(a, b) => {
                a.visit(f);
                b.visit(f);
            }
        }
    }
}

impl Relation {
    /// Whether it is so.
    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterEqual => a >= b,
        }
    }
}

/// The largest number that a claim may meet, so that no operation of this program overflows.
const LARGEST: i128 = 1 << 126;

/// Computes; division rounds down, and a remainder has the sign of the divisor.
pub fn compute(operator: Operator, a: i128, b: i128) -> Result<i128, ValueError> {
    let shift = || u32::try_from(b).ok().filter(|&b| b <= 64).ok_or(ValueError::Shift);
    let value = match operator {
        Operator::Add => a.checked_add(b),
        Operator::Subtract => a.checked_sub(b),
        Operator::Multiply => a.checked_mul(b),
        Operator::Divide | Operator::Remainder | Operator::Quotient | Operator::Rest if b == 0 => {
            return Err(ValueError::DivisionByZero);
        }
        Operator::Quotient => Some(a / b),
        Operator::Rest => Some(a % b),
        Operator::Divide => Some(a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)),
        Operator::Remainder => {
            let rest = a.rem_euclid(b);
            Some(if b < 0 && rest != 0 { rest + b } else { rest })
        }
        Operator::And => Some(a & b),
        Operator::Or => Some(a | b),
        Operator::Xor => Some(a ^ b),
        Operator::Left => a.checked_mul(1 << shift()?),
        Operator::Right => Some(a >> shift()?),
    };
    value.filter(|value| value.abs() <= LARGEST).ok_or(ValueError::TooLarge)
}

/// How deep an expression may be nested.
const DEPTH: u32 = 200;

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a Names<'a>,
    depth: u32,
}

type Parsed = Result<Expr, ParseError>;

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { text: self.text.to_string(), at: self.at + 1, message: message.into() }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a sign, unless it is the beginning of one of the longer ones.
    fn takes(&mut self, sign: &str, longer: &[&str]) -> bool {
        self.blank();
        let found = self.rest().starts_with(sign) && !longer.iter().any(|sign| self.rest().starts_with(sign));
        if found {
            self.at += sign.len();
        }
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.blank();
        let rest = self.rest();
        let found = rest.starts_with(word) && !rest[word.len()..].starts_with(is_name);
        if found {
            self.at += word.len();
        }
        found
    }

    fn deeper(&mut self, parse: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("the expression is nested too deeply"));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn disjunction(&mut self) -> Parsed {
        self.deeper(|parser| {
            let mut left = parser.conjunction()?;
            while parser.takes_word("or") || parser.takes("||", &[]) {
                left = Expr::Or(Arc::new(left), Arc::new(parser.conjunction()?));
            }
            Ok(left)
        })
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.negation()?;
        while self.takes_word("and") || self.takes("&&", &[]) {
            left = Expr::And(Arc::new(left), Arc::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed {
        if self.takes_word("not") || self.takes("!", &["!="]) {
            return self.deeper(|parser| Ok(Expr::Not(Arc::new(parser.negation()?))));
        }
        self.comparison()
    }

    fn relation(&mut self) -> Option<Relation> {
        const RELATIONS: [(&str, Relation); 6] = [
            ("==", Relation::Equal),
            ("!=", Relation::NotEqual),
            ("<=", Relation::LessEqual),
            (">=", Relation::GreaterEqual),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        RELATIONS.into_iter().find(|(sign, _)| self.takes(sign, &["<<", ">>"])).map(|(_, relation)| relation)
    }

    fn comparison(&mut self) -> Parsed {
        let mut left = self.binary(0)?;
        let mut all: Option<Expr> = None;
        while let Some(relation) = self.relation() {
            let right = self.binary(0)?;
            let one = Expr::Compare(relation, Arc::new(left), Arc::new(right.clone()));
            all = Some(match all {
                Some(all) => Expr::And(Arc::new(all), Arc::new(one)),
                None => one,
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn binary(&mut self, level: usize) -> Parsed {
        /// From the loosest to the tightest, each with the longer signs that it begins.
        const LEVELS: [&[(&str, &[&str], Operator)]; 6] = [
            &[("|", &["||"], Operator::Or)],
            &[("^", &[], Operator::Xor)],
            &[("&", &["&&"], Operator::And)],
            &[("<<", &[], Operator::Left), (">>", &[], Operator::Right)],
            &[("+", &[], Operator::Add), ("-", &[], Operator::Subtract)],
            &[("*", &[], Operator::Multiply), ("/", &[], Operator::Divide), ("%", &[], Operator::Remainder)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some((_, _, operator)) = operators.iter().find(|(sign, longer, _)| self.takes(sign, longer))
        {
            left = Expr::Binary(*operator, Arc::new(left), Arc::new(self.binary(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed {
        if self.takes("-", &[]) {
            return self.deeper(|parser| Ok(Expr::Negate(Arc::new(parser.unary()?))));
        }
        if self.takes("~", &[]) {
            return self.deeper(|parser| Ok(Expr::Invert(Arc::new(parser.unary()?))));
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed {
        self.blank();
        if self.takes("(", &[]) {
            let inner = self.disjunction()?;
            return self.closed(inner);
        }
        if let Some(number) = self.number()? {
            return Ok(Expr::Number(number));
        }
        let start = self.at;
        let name: String = self.rest().chars().take_while(|&c| is_name(c)).collect();
        if name.is_empty() {
            let message = match self.rest().chars().next() {
                Some(sign) => format!("a number or a name is expected, not `{sign}`"),
                None => "a number or a name is expected".to_string(),
            };
            return Err(self.error(message));
        }
        self.at += name.len();
        self.blank();
        let read = match name.as_str() {
            "b" => Some((When::After, 1)),
            "w" => Some((When::After, 2)),
            "l" => Some((When::After, 4)),
            "b0" => Some((When::Before, 1)),
            "w0" => Some((When::Before, 2)),
            "l0" => Some((When::Before, 4)),
            _ => None,
        };
        if let Some((when, bytes)) = read
            && self.takes("(", &[])
        {
            let address = self.disjunction()?;
            return self.closed(Expr::Read(when, bytes, Arc::new(address)));
        }
        if let Some(number) = self.names.inputs.iter().position(|input| *input == name) {
            return Ok(Expr::Input(number));
        }
        if let Some((_, expr)) = self.names.lets.iter().rev().find(|(known, _)| *known == name) {
            return Ok((**expr).clone());
        }
        if let Some(register) = Register::parse(&name) {
            return Ok(Expr::Register(register));
        }
        if let Some(address) = (self.names.label)(&name) {
            return Ok(Expr::Number(i128::from(address)));
        }
        self.at = start;
        Err(self.error(format!("`{name}` is not an input, register or label")))
    }

    fn closed(&mut self, inner: Expr) -> Parsed {
        if self.takes(")", &[]) { Ok(inner) } else { Err(self.error("`)` is missing")) }
    }

    fn number(&mut self) -> Result<Option<i128>, ParseError> {
        self.blank();
        let rest = self.rest();
        let (prefix, radix) = if rest.starts_with('$') {
            (1, 16)
        } else if rest.starts_with("0x") {
            (2, 16)
        } else if rest.starts_with('%') {
            (1, 2)
        } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
            (0, 10)
        } else {
            return Ok(None);
        };
        let digits: String = rest[prefix..].chars().take_while(|&c| is_name(c)).collect();
        let value = i128::from_str_radix(&digits.replace('_', ""), radix);
        let value = value.ok().filter(|value| value.abs() <= LARGEST);
        let value = value.ok_or_else(|| self.error("this is not a number"))?;
        self.at += prefix + digits.len();
        Ok(Some(value))
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Look for Fixed {
        fn input(&self, _: usize) -> i128 {
            10
        }
        fn register(&self, _: Register) -> u8 {
            3
        }
        fn read(&self, when: When, address: u16) -> u8 {
            address as u8 + u8::from(when == When::Before)
        }
    }

    fn value(text: &str) -> Result<i128, String> {
        let inputs = ["n".to_string()];
        let label = |name: &str| (name == "Buf").then_some(0x1020);
        let names = Names { inputs: &inputs, lets: &[], label: &label };
        let expr = Expr::parse(text, &names).map_err(|err| err.to_string())?;
        expr.value(&Fixed).map_err(|err| err.to_string())
    }

    #[test]
    fn binds_like_python() {
        for (text, expected) in [
            ("n & 3 == 2", 1),
            ("n * 2 + 1 >> 1", 10),
            ("1 | 2 ^ 3 & 1", 3),
            ("1 < 2 < 3", 1),
            ("3 < 2 or 1 == 1 and not 0", 1),
            ("-7 / 2", -4),
            ("-7 % 2", 1),
            ("7 % -2", -1),
            ("7 / -2", -4),
            ("$ff + %101 + 0x10", 276),
            ("b(Buf) + b0(Buf)", 65),
            ("w(Buf + 1)", 0x2221),
            ("A + n", 13),
            ("not 1 == 2", 1),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, expected) in [
            ("n +", "a number or a name is expected in `n +`, at character 4"),
            ("m < 2", "`m` is not an input, register or label in `m < 2`, at character 1"),
            ("(n", "`)` is missing in `(n`, at character 3"),
            ("n n", "an operator is expected in `n n`, at character 3"),
            ("$", "this is not a number in `$`, at character 1"),
            ("n / 0", "the claim divides by zero"),
            ("1 << 65", "the claim shifts by a negative number or by more than 64 places"),
            ("1 << 64 << 64", "a number of the claim has more than 126 bits"),
        ] {
            assert_eq!(value(text), Err(expected.to_string()), "{text}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
    }
}
