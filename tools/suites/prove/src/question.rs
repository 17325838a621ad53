//! Questions: routines, their inputs and a claim. Texts become places and expressions here.

use std::sync::Arc;

use thiserror::Error;

use crate::claim::{Expr, Names, ParseError, Place, Register};
use crate::known::Known;
use crate::limits::Limits;
use crate::runner::ENTRY_LEVEL;
use crate::script::Script;

/// A routine with its program.
#[derive(Debug, Clone)]
pub struct Routine {
    /// As messages call it.
    pub name: String,
    /// Its first instruction.
    pub entry: u16,
    /// The bytes of the program and what is given.
    pub known: Arc<Known>,
    /// Registers and flags that are given.
    pub registers: Vec<(Register, u8)>,
    /// Where each input of the question goes.
    pub places: Vec<Place>,
    /// The stack pointer before the first instruction.
    pub stack: u8,
    /// Statements in place of one call, for [`Claim::Script`].
    pub script: Option<Arc<Script>>,
}

/// An input: all values of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub lo: u64,
    pub hi: u64,
    /// Whether only the claim has it.
    pub is_ghost: bool,
    /// Its bits.
    pub width: u32,
}

impl Input {
    /// How many values it has.
    pub fn size(&self) -> u128 {
        u128::from(self.hi - self.lo) + 1
    }
}

/// The claim of a question.
#[derive(Debug, Clone)]
pub enum Claim {
    /// It is true after the call.
    Holds(Expr),
    /// The call returns.
    Ends,
    /// Two routines agree in these; each has its own addresses.
    Equal(Vec<(String, Expr, Expr)>),
    /// The least and the greatest number of cycles are asked for.
    Cycles,
    /// All conditions of the routine's script are true, and its calls return.
    Script,
}

/// A question.
#[derive(Debug, Clone)]
pub struct Question {
    /// One, or two for [`Claim::Equal`].
    pub routines: Vec<Routine>,
    pub inputs: Vec<Input>,
    /// Conditions that the inputs meet.
    pub assume: Vec<Expr>,
    pub claim: Claim,
    pub limits: Limits,
}

/// A program that routines are in.
pub struct Program<'a> {
    /// Its bytes.
    pub bytes: Vec<(u16, &'a [u8])>,
    /// The address of a label.
    pub label: &'a dyn Fn(&str) -> Option<u16>,
}

/// A question as texts.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// `n = word Num in 0..99`
    pub inputs: Vec<String>,
    /// `byte Mode = 1`
    pub given: Vec<String>,
    /// `s = n + m`
    pub lets: Vec<String>,
    /// `x < 40`
    pub assume: Vec<String>,
    pub claim: AskedClaim,
}

/// The claim as texts.
#[derive(Debug, Clone, Default)]
pub enum AskedClaim {
    Holds(String),
    #[default]
    Ends,
    Equal(Vec<String>),
    Cycles,
}

/// A question that cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskError {
    #[error("{0}")]
    Parse(#[from] ParseError),
    #[error("`{0}`: an input is written `name = PLACE` or `name = PLACE in LOW..HIGH`")]
    Input(String),
    #[error("`{0}`: a given place is written `PLACE = VALUE`")]
    Given(String),
    #[error("`{0}`: a name for a subterm is written `name = EXPRESSION`")]
    Let(String),
    #[error(
        "`{0}` is not a place: write A X Y C Z N V D, `byte LABEL`, `word LABEL`, `long LABEL` or `ghost`"
    )]
    Place(String),
    #[error("`{text}`: {value} does not fit into the {width} bits of the place")]
    Range { text: String, value: i128, width: u32 },
    #[error("`{0}`: the range is empty")]
    Empty(String),
    #[error("`{0}`: a ghost needs a range: `ghost in 0..7`")]
    Ghost(String),
    #[error("`{0}` is an input twice")]
    Twice(String),
    #[error("`{0}` is not a number; write a number or a label")]
    NoNumber(String),
    #[error("`{one}` and `{two}` are the same place")]
    Overlap { one: String, two: String },
    #[error("no label is called `{0}`")]
    NoRoutine(String),
    #[error("bytes of the program run past $FFFF")]
    TooLong,
    #[error("two routines are compared by what they leave: name it with --out")]
    NothingObserved,
}

impl Question {
    /// Makes a question from texts. There are two routines for an [`AskedClaim::Equal`], else one.
    pub fn new(
        programs: &[(&Program<'_>, &str)],
        asked: &Asked,
        limits: &Limits,
    ) -> Result<Question, AskError> {
        let mut question = Question {
            routines: Vec::new(),
            inputs: Vec::new(),
            assume: Vec::new(),
            claim: Claim::Ends,
            limits: limits.clone(),
        };
        let mut claims = Vec::new();
        for (number, (program, name)) in programs.iter().enumerate() {
            let plain = Names { inputs: &[], lets: &[], label: program.label };
            let entry = match (program.label)(name) {
                Some(entry) => entry,
                None => constant(name, &plain)
                    .ok()
                    .and_then(|entry| u16::try_from(entry).ok())
                    .ok_or_else(|| AskError::NoRoutine((*name).to_string()))?,
            };
            let mut known = Known::default();
            // The return address of the call.
            for address in [0x01fc, 0x01fd] {
                known.insert(address, 0xff);
            }
            for (start, bytes) in &program.bytes {
                for (offset, &byte) in bytes.iter().enumerate() {
                    let address =
                        u16::try_from(usize::from(*start) + offset).map_err(|_| AskError::TooLong)?;
                    known.insert(address, byte);
                }
            }
            let mut registers = Vec::new();
            let mut taken: Vec<(Place, String)> = Vec::new();
            for text in &asked.given {
                let (left, right) = text.split_once('=').ok_or_else(|| AskError::Given(text.clone()))?;
                let place = parse_place(left.trim(), &plain)?;
                let value = constant(right.trim(), &plain)?;
                check_fits(text, value, place.width())?;
                match place {
                    Place::Register(register) => registers.push((register, value as u8)),
                    Place::Memory(address, bytes) => {
                        for offset in 0..u16::from(bytes) {
                            known.insert(address.wrapping_add(offset), (value >> (8 * offset)) as u8);
                        }
                    }
                    Place::Ghost => return Err(AskError::Given(text.clone())),
                }
                taken.push((place, text.clone()));
            }
            let mut places = Vec::new();
            let mut inputs: Vec<Input> = Vec::new();
            for text in &asked.inputs {
                let (input, place) = parse_input(text, &plain)?;
                if inputs.iter().any(|known| known.name == input.name) {
                    return Err(AskError::Twice(input.name));
                }
                if let Some((_, other)) = taken.iter().find(|(known, _)| overlaps(*known, place)) {
                    return Err(AskError::Overlap { one: other.clone(), two: text.clone() });
                }
                taken.push((place, text.clone()));
                inputs.push(input);
                places.push(place);
            }
            let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
            let mut lets: Vec<(String, Arc<Expr>)> = Vec::new();
            for text in &asked.lets {
                let (name, term) = text.split_once('=').ok_or_else(|| AskError::Let(text.clone()))?;
                let known = Names { inputs: &names, lets: &lets, label: program.label };
                let term = Expr::parse(term, &known)?;
                lets.push((name.trim().to_string(), Arc::new(term)));
            }
            let known_names = Names { inputs: &names, lets: &lets, label: program.label };
            let texts: &[String] = match &asked.claim {
                AskedClaim::Holds(text) => std::slice::from_ref(text),
                AskedClaim::Equal(texts) if texts.is_empty() => return Err(AskError::NothingObserved),
                AskedClaim::Equal(texts) => texts,
                AskedClaim::Ends | AskedClaim::Cycles => &[],
            };
            let parsed = texts.iter().map(|text| Expr::parse_observed(text, &known_names));
            claims.push(parsed.collect::<Result<Vec<Expr>, _>>()?);
            if number == 0 {
                for text in &asked.assume {
                    question.assume.push(Expr::parse(text, &known_names)?);
                }
                question.inputs = inputs;
            }
            let (name, known) = ((*name).to_string(), Arc::new(known));
            question.routines.push(Routine {
                name,
                entry,
                known,
                registers,
                places,
                stack: ENTRY_LEVEL,
                script: None,
            });
        }
        question.claim = match &asked.claim {
            AskedClaim::Ends => Claim::Ends,
            AskedClaim::Cycles => Claim::Cycles,
            AskedClaim::Holds(_) => Claim::Holds(claims.remove(0).remove(0)),
            AskedClaim::Equal(texts) => {
                let mut both = claims.into_iter();
                let (one, two) = (both.next().unwrap_or_default(), both.next().unwrap_or_default());
                let pairs = texts.iter().cloned().zip(one).zip(two);
                Claim::Equal(pairs.map(|((text, one), two)| (text, one, two)).collect())
            }
        };
        Ok(question)
    }

    /// The number of inputs that are run; ghosts are not.
    pub fn runs(&self) -> u128 {
        product(self.inputs.iter().filter(|input| !input.is_ghost))
    }

    /// The number of inputs.
    pub fn cases(&self) -> u128 {
        product(self.inputs.iter())
    }
}

fn product<'a>(inputs: impl Iterator<Item = &'a Input>) -> u128 {
    inputs.fold(1u128, |all, input| all.saturating_mul(input.size()))
}

fn overlaps(one: Place, two: Place) -> bool {
    match (one, two) {
        (Place::Register(one), Place::Register(two)) => one == two,
        (Place::Memory(one, bytes), Place::Memory(two, more)) => {
            two.wrapping_sub(one) < u16::from(bytes) || one.wrapping_sub(two) < u16::from(more)
        }
        _ => false,
    }
}

struct Nothing;

impl crate::claim::Look for Nothing {
    fn input(&self, _: usize) -> i128 {
        0
    }
    fn register(&self, _: Register) -> u8 {
        0
    }
    fn read(&self, _: crate::claim::When, _: u16) -> u8 {
        0
    }
}

/// A number or a label.
fn constant(text: &str, names: &Names<'_>) -> Result<i128, AskError> {
    let expr = Expr::parse(text, names)?;
    let mut is_constant = true;
    expr.visit(&mut |part| {
        is_constant &= !matches!(part, Expr::Register(_) | Expr::Read(..) | Expr::Input(_))
    });
    match expr.value(&Nothing) {
        Ok(value) if is_constant => Ok(value),
        _ => Err(AskError::NoNumber(text.to_string())),
    }
}

fn check_fits(text: &str, value: i128, width: u32) -> Result<(), AskError> {
    if value < 0 || value >> width != 0 {
        return Err(AskError::Range { text: text.to_string(), value, width });
    }
    Ok(())
}

fn parse_place(text: &str, names: &Names<'_>) -> Result<Place, AskError> {
    if text == "ghost" {
        return Ok(Place::Ghost);
    }
    if let Some(register) = Register::parse(text) {
        return Ok(Place::Register(register));
    }
    for (word, bytes) in [("byte", 1), ("word", 2), ("long", 4)] {
        if let Some(rest) = text.strip_prefix(word)
            && rest.starts_with(char::is_whitespace)
        {
            // Here a name is a label, also one that a register has.
            let label = |name: &str| (names.label)(name);
            let rest = rest.trim();
            let address = match label(rest) {
                Some(address) => i128::from(address),
                None => constant(rest, names)?,
            };
            check_fits(text, address, 16)?;
            return Ok(Place::Memory(address as u16, bytes));
        }
    }
    Err(AskError::Place(text.to_string()))
}

fn parse_input(text: &str, names: &Names<'_>) -> Result<(Input, Place), AskError> {
    let wrong = || AskError::Input(text.to_string());
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let name = name.trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(wrong());
    }
    let (place, range) = match rest.split_once(" in ") {
        Some((place, range)) => (place, Some(range)),
        None => (rest, None),
    };
    let place = parse_place(place.trim(), names)?;
    let width = place.width();
    let (lo, hi) = match range {
        None if place == Place::Ghost => return Err(AskError::Ghost(text.to_string())),
        None => (0, (1i128 << width) - 1),
        Some(range) => {
            let (lo, hi) = range.split_once("..").ok_or_else(wrong)?;
            (constant(lo.trim(), names)?, constant(hi.trim_start_matches('=').trim(), names)?)
        }
    };
    check_fits(text, lo, width)?;
    check_fits(text, hi, width)?;
    if lo > hi {
        return Err(AskError::Empty(text.to_string()));
    }
    let is_ghost = place == Place::Ghost;
    Ok((Input { name: name.to_string(), lo: lo as u64, hi: hi as u64, is_ghost, width }, place))
}
