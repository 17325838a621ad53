//! Conditions of checkpoints, in the language of VICE's monitor: `X == $10 && @ram:$e000 != 5`. Numbers without a prefix
//! are hexadecimal.

use std::fmt;

use crate::banks::{BANKS, Bank};
use crate::registers::Registers;

/// The state that a condition reads.
pub struct Scene<'a> {
    /// The registers.
    pub registers: Registers,
    /// A byte of a bank, without effects.
    pub look: &'a dyn Fn(Bank, u16) -> u8,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition(Node);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Number(u32),
    Register(&'static str),
    /// A register of a drive; there is none.
    Drive(u8, &'static str),
    Memory(Bank, Box<Node>),
    Group(Box<Node>),
    Binary(Box<Node>, Operator, Box<Node>),
}

/// Operators by binding, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    BitOr,
    BitAnd,
    Plus,
    Minus,
    Times,
    Divide,
}

/// Longer texts first, so that `<=` is not `<`.
const OPERATORS: [(&str, Operator, u8); 14] = [
    ("||", Operator::Or, 0),
    ("&&", Operator::And, 1),
    ("==", Operator::Equal, 2),
    ("!=", Operator::NotEqual, 2),
    ("<=", Operator::LessEqual, 2),
    (">=", Operator::GreaterEqual, 2),
    ("<", Operator::Less, 2),
    (">", Operator::Greater, 2),
    ("|", Operator::BitOr, 3),
    ("&", Operator::BitAnd, 4),
    ("+", Operator::Plus, 5),
    ("-", Operator::Minus, 5),
    ("*", Operator::Times, 6),
    ("/", Operator::Divide, 6),
];

const REGISTERS: [&str; 8] = ["A", "X", "Y", "PC", "SP", "FL", "RL", "CY"];

/// Parentheses inside each other.
const DEEPEST: usize = 64;

/// Operators of a condition: `A + A + …` is a tree as deep as it is long.
const MOST_OPERATORS: usize = 200;

impl Condition {
    /// Reads a condition; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Condition> {
        let mut parser = Parser { rest: text, depth: 0, operators: 0 };
        let node = parser.binary(0)?;
        parser.skip_blanks();
        parser.rest.is_empty().then_some(Condition(node))
    }

    /// Whether it is true.
    pub fn is_true(&self, scene: &Scene<'_>) -> bool {
        eval(&self.0, scene) != 0
    }
}

fn eval(node: &Node, scene: &Scene<'_>) -> u32 {
    match node {
        Node::Number(number) => *number,
        Node::Register(name) => {
            let registers = &scene.registers;
            match *name {
                "A" => u32::from(registers.a),
                "X" => u32::from(registers.x),
                "Y" => u32::from(registers.y),
                "PC" => u32::from(registers.pc),
                "SP" => u32::from(registers.sp),
                "FL" => u32::from(registers.flags),
                "RL" => u32::from(registers.line),
                _ => u32::from(registers.cycle),
            }
        }
        Node::Drive(_, name) => match *name {
            "FL" => 2,
            "CY" => 1,
            _ => 0,
        },
        Node::Memory(bank, address) => u32::from((scene.look)(*bank, eval(address, scene) as u16)),
        Node::Group(inner) => eval(inner, scene),
        Node::Binary(left, operator, right) => {
            let (left, right) = (eval(left, scene), eval(right, scene));
            match operator {
                Operator::Or => u32::from(left != 0 || right != 0),
                Operator::And => u32::from(left != 0 && right != 0),
                Operator::Equal => u32::from(left == right),
                Operator::NotEqual => u32::from(left != right),
                Operator::LessEqual => u32::from(left <= right),
                Operator::GreaterEqual => u32::from(left >= right),
                Operator::Less => u32::from(left < right),
                Operator::Greater => u32::from(left > right),
                Operator::BitOr => left | right,
                Operator::BitAnd => left & right,
                Operator::Plus => left.wrapping_add(right),
                Operator::Minus => left.wrapping_sub(right),
                Operator::Times => left.wrapping_mul(right),
                Operator::Divide => left.checked_div(right).unwrap_or(0),
            }
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
    operators: usize,
}

impl<'a> Parser<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn peek_operator(&mut self) -> Option<(&'static str, Operator, u8)> {
        self.skip_blanks();
        OPERATORS.into_iter().find(|(text, ..)| self.rest.starts_with(text))
    }

    fn binary(&mut self, least: u8) -> Option<Node> {
        let mut left = self.operand()?;
        while let Some((text, operator, binding)) = self.peek_operator() {
            if binding < least {
                break;
            }
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return None;
            }
            self.rest = &self.rest[text.len()..];
            let right = self.binary(binding + 1)?;
            left = Node::Binary(Box::new(left), operator, Box::new(right));
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Node> {
        self.skip_blanks();
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return None;
            }
            self.rest = rest;
            let inner = self.binary(0)?;
            self.skip_blanks();
            self.rest = self.rest.strip_prefix(')')?;
            self.depth -= 1;
            return Some(Node::Group(Box::new(inner)));
        }
        if let Some(rest) = self.rest.strip_prefix('@') {
            let (name, rest) = rest.split_once(':')?;
            let bank = BANKS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?.1;
            self.rest = rest;
            self.depth += 1;
            if self.depth > DEEPEST {
                return None;
            }
            let address = self.operand()?;
            self.depth -= 1;
            return Some(Node::Memory(bank, Box::new(address)));
        }
        if let Some(rest) = self.rest.strip_prefix('$') {
            self.rest = rest;
            return self.digits(16);
        }
        if let Some(rest) = self.rest.strip_prefix('%') {
            self.rest = rest;
            return self.digits(2);
        }
        if let Some(rest) = self.rest.strip_prefix('+') {
            self.rest = rest;
            return self.digits(10);
        }
        if let Some((unit, rest)) = ["8:", "9:", "10:", "11:"]
            .iter()
            .zip(8..)
            .find_map(|(prefix, unit)| self.rest.strip_prefix(prefix).map(|rest| (unit, rest)))
        {
            self.rest = rest;
            let name = self.register()?;
            return Some(Node::Drive(unit, name));
        }
        match self.register() {
            Some(name) => Some(Node::Register(name)),
            None => self.digits(16),
        }
    }

    fn word(&self) -> &'a str {
        let end = self.rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn register(&mut self) -> Option<&'static str> {
        let word = self.word();
        let name = REGISTERS.into_iter().find(|name| name.eq_ignore_ascii_case(word))?;
        self.rest = &self.rest[word.len()..];
        Some(name)
    }

    fn digits(&mut self, radix: u32) -> Option<Node> {
        let word = self.word();
        let number = u32::from_str_radix(word, radix).ok().filter(|_| !word.is_empty())?;
        self.rest = &self.rest[word.len()..];
        Some(Node::Number(number))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Number(number) => write!(f, "${number:02x}"),
            Node::Register(name) => f.write_str(name),
            Node::Drive(unit, name) => write!(f, "{unit}:{name}"),
            Node::Memory(bank, address) => {
                let (name, _) = BANKS.iter().rev().find(|(_, known)| known == bank).unwrap_or(&BANKS[0]);
                match **address {
                    Node::Number(number) => write!(f, "@{name}:${number:04x}"),
                    _ => write!(f, "@{name}:{address}"),
                }
            }
            Node::Group(inner) => write!(f, "( {inner} )"),
            Node::Binary(left, operator, right) => {
                let (text, ..) =
                    OPERATORS.iter().find(|(_, known, _)| known == operator).unwrap_or(&OPERATORS[0]);
                write!(f, "{left} {text} {right}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn is_true(text: &str) -> bool {
        let registers = Registers {
            a: 1,
            x: 0x10,
            y: 3,
            pc: 0x1000,
            sp: 0xf0,
            flags: 0x25,
            line: 0x64,
            ..Registers::default()
        };
        let look = |bank: Bank, address: u16| if bank == Bank::Ram { 5 } else { address as u8 };
        let scene = Scene { registers, look: &look };
        Condition::parse(text).unwrap_or_else(|| panic!("{text}")).is_true(&scene)
    }

    #[test]
    fn values_and_operators() {
        for text in [
            "X == 10",
            "X == $10",
            "X == +16",
            "X == %00010000",
            "A != X",
            "@cpu:$00fb == $fb",
            "@ram:$e000 == 5",
            "RL == $64",
            "(FL & $01) == $01",
            "PC >= $1000",
            "SP < $f1",
            "X == 1 || Y == 3",
            "X + 1 == 11",
            "x == 10",
            "A == 1 && X == 10 && Y == 3",
            "8:X == 0",
            "8:FL == 2",
            "2 + 3 * 4 == e",
            "1 == 1 && 0 || 1",
        ] {
            assert!(is_true(text), "{text}");
        }
        for text in ["X == 11", "A == 1 && Y == 4", "5 / 0 == 1"] {
            assert!(!is_true(text), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let deep = "(".repeat(10_000);
        let long = format!("A{}", " + A".repeat(1_000_000));
        for text in [
            &long[..],
            "",
            "X ==",
            ".A == 1",
            "@$fb == 5",
            "!(X == 1)",
            "foo == 1",
            "X == $1 Y",
            "(X == 1",
            "8:Q == 1",
            &deep,
        ] {
            assert_eq!(Condition::parse(text), None, "{text}");
        }
    }

    #[test]
    fn they_are_shown_as_vice_does() {
        let shown = |text: &str| Condition::parse(text).unwrap().to_string();
        assert_eq!(shown("x == 5"), "X == $05");
        assert_eq!(shown("( x > 3 ) && @ram:fb == 1"), "( X > $03 ) && @ram:$00fb == $01");
    }
}
