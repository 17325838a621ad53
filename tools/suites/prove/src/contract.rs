//! Contracts of a routine as comments of its source state them: `requires x < 40`, `ensures a == old(x) * 2`, `keeps x, y`,
//! `clobbers a`. The words are read here and become questions; the comments are found elsewhere.

use std::ops::Range;

use crate::claim::{ParseError, Register};
use crate::limits::Limits;
use crate::question::{AskError, Asked, AskedClaim, Program, Question};

/// A statement of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// A condition before the call, on registers, flags and memory.
    Requires(Text),
    /// A condition after the call; `old(…)` is a value before it.
    Ensures(Text),
    /// Registers, flags and bytes that are the same afterwards.
    Keeps(Vec<Text>),
    /// Registers that may differ afterwards; the others of A, X and Y are kept.
    Clobbers(Vec<Text>),
}

/// A part of the words, and where it begins there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub at: usize,
}

/// A fault of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError {
    /// The clause.
    pub clause: usize,
    /// The bytes of its words.
    pub span: Range<usize>,
    pub message: String,
    pub help: &'static str,
}

const CONDITION: &str = "conditions are written like `a == old(x) * 2 and b(Label) < 8`";
const LIST: &str = "write registers, flags and labels, such as `keeps x, y, Num`";
const REGISTERS: &str = "write the registers that may change, such as `clobbers a, y`";

impl Clause {
    /// Reads the words after `tempo:`; `None` if they are about something else.
    pub fn parse(words: &str) -> Option<Result<Clause, ContractError>> {
        let end = words.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(words.len());
        let (word, rest) = words.split_at(end);
        if !matches!(word, "requires" | "ensures" | "keeps" | "clobbers") {
            return None;
        }
        let at = end + (rest.len() - rest.trim_start().len());
        let rest = Text { text: rest.trim().to_string(), at };
        let wrong =
            |span: Range<usize>, message: String, help| Err(ContractError { clause: 0, span, message, help });
        Some(match word {
            "requires" | "ensures" if rest.text.is_empty() => {
                wrong(0..end, format!("the condition after '{word}' is missing"), CONDITION)
            }
            "requires" => Ok(Clause::Requires(rest)),
            "ensures" => Ok(Clause::Ensures(rest)),
            _ => {
                let mut names = Vec::new();
                let mut at = rest.at;
                for part in rest.text.split(',') {
                    let blank = part.len() - part.trim_start().len();
                    let name = Text { text: part.trim().to_string(), at: at + blank };
                    at += part.len() + 1;
                    let span = name.at..name.at + name.text.len();
                    if name.text.is_empty() {
                        let span = if rest.text.is_empty() { 0..end } else { span };
                        return Some(wrong(span, format!("a name after '{word}' is missing"), LIST));
                    }
                    if word == "clobbers" && !is_byte_register(&name.text) {
                        let message = format!("`{}` is not a register", name.text);
                        return Some(wrong(span, message, REGISTERS));
                    }
                    if let Some(bad) = name.text.find(|c: char| !is_name(c)) {
                        let at = name.at + bad;
                        return Some(wrong(at..at + 1, format!("`{}` is not a name", name.text), LIST));
                    }
                    names.push(name);
                }
                Ok(if word == "keeps" { Clause::Keeps(names) } else { Clause::Clobbers(names) })
            }
        })
    }

    /// The question whether this clause holds for a routine, with what all clauses require; `None` for a requirement.
    pub fn question(
        clauses: &[Clause],
        number: usize,
        program: &Program<'_>,
        routine: &str,
        limits: &Limits,
    ) -> Option<Result<Question, ContractError>> {
        let mut made = Made::default();
        let mut assume = Vec::new();
        for (clause, requires) in clauses.iter().enumerate() {
            if let Clause::Requires(text) = requires {
                match made.rewrite(text, Time::Before, clause) {
                    Ok(text) => assume.push(text),
                    Err(error) => return Some(Err(error)),
                }
            }
        }
        let claim = match &clauses[number] {
            Clause::Requires(_) => return None,
            Clause::Ensures(text) => match made.rewrite(text, Time::After, number) {
                Ok(text) => text,
                Err(error) => return Some(Err(error)),
            },
            Clause::Keeps(names) => made.kept(names, number),
            Clause::Clobbers(names) => {
                let is_clobbered = |name: &&str| names.iter().any(|it| it.text.eq_ignore_ascii_case(name));
                let kept = ["a", "x", "y"].into_iter().filter(|name| !is_clobbered(name));
                let kept: Vec<Text> = kept.map(|name| Text { text: name.to_string(), at: 0 }).collect();
                made.kept(&kept, number)
            }
        };
        let claim = match claim.is_empty() {
            true => AskedClaim::Ends,
            false => AskedClaim::Holds(claim),
        };
        let asked = Asked { inputs: made.inputs.clone(), assume, claim, ..Asked::default() };
        let question = Question::new(&[(program, routine)], &asked, limits);
        Some(question.map_err(|err| made.fault(number, &err)))
    }
}

/// When a condition is true.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Before,
    After,
}

/// Conditions in the language of claims, where inputs are values before the call and capital letters are registers after it.
#[derive(Default)]
struct Made {
    inputs: Vec<String>,
    /// For each text, the clause and the place of each byte there.
    places: Vec<(String, usize, Vec<usize>)>,
}

impl Made {
    fn input(&mut self, name: &str, place: &str) {
        let text = format!("{name} = {place}");
        if !self.inputs.contains(&text) {
            self.inputs.push(text);
        }
    }

    fn register(&mut self, register: Register) -> String {
        let name = register.name().to_ascii_lowercase();
        self.input(&name, register.name());
        name
    }

    fn kept(&mut self, names: &[Text], clause: usize) -> String {
        let mut text = String::new();
        let mut places = Vec::new();
        for name in names {
            if !text.is_empty() {
                text.push_str(" and ");
            }
            text.push_str(&match register(&name.text) {
                Some(register) => format!("{} == {}", register.name(), self.register(register)),
                None => format!("b({0}) == b0({0})", name.text),
            });
            // Each name once is enough: a fault is at its label.
            places.resize(text.len() + 1, name.at);
        }
        self.places.push((text.clone(), clause, places));
        text
    }

    fn rewrite(&mut self, from: &Text, time: Time, clause: usize) -> Result<String, ContractError> {
        let text = &from.text;
        let mut made = String::new();
        let mut places: Vec<usize> = Vec::new();
        let mut at = 0;
        let error = |span: Range<usize>, message: String| ContractError {
            clause,
            span: from.at + span.start..from.at + span.end,
            message,
            help: CONDITION,
        };
        while let Some(c) = text[at..].chars().next() {
            let start = at;
            let rest = &text[at..];
            let is_number = c.is_ascii_digit() || c == '$';
            let length = match c {
                _ if is_number => 1 + rest[1..].find(|c: char| !is_name(c)).unwrap_or(rest.len() - 1),
                _ if is_name(c) => rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()),
                _ => c.len_utf8(),
            };
            let word = &rest[..length];
            at += length;
            // Parentheses after a word, with what is inside.
            let open = at + (text[at..].len() - text[at..].trim_start().len());
            let inside = (is_name(c) && !is_number && text[open..].starts_with('('))
                .then(|| closing(text, open).map(|close| (open + 1, close)));
            let new = match (word, inside) {
                ("old" | "b" | "w" | "l", Some(None)) => {
                    return Err(error(open..open + 1, "`)` is missing".to_string()));
                }
                ("old", Some(Some((first, close)))) => {
                    at = close + 1;
                    let inner = text[first..close].trim();
                    match (register(inner), inner.split_once('(')) {
                        (Some(register), _) => self.register(register),
                        (None, Some((read @ ("b" | "w" | "l"), address))) => format!("{read}0({address}"),
                        _ => {
                            let message = format!("`{inner}` is not a register or a read of memory");
                            return Err(error(first..close, message));
                        }
                    }
                }
                ("b" | "w" | "l", Some(Some((first, close)))) if time == Time::Before => {
                    at = close + 1;
                    let address = text[first..close].trim();
                    let size = match word {
                        "b" => "byte",
                        "w" => "word",
                        _ => "long",
                    };
                    let name: String = format!("{word}_{address}")
                        .chars()
                        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                        .collect();
                    self.input(&name, &format!("{size} {address}"));
                    name
                }
                _ => match (register(word), time) {
                    (Some(register), Time::Before) => self.register(register),
                    (Some(register), Time::After) => register.name().to_string(),
                    (None, _) => word.to_string(),
                },
            };
            made.push_str(&new);
            places.resize(made.len(), from.at + start);
        }
        places.push(from.at + text.len());
        self.places.push((made.clone(), clause, places));
        Ok(made)
    }

    /// The fault where it is in the words.
    fn fault(&self, clause: usize, err: &AskError) -> ContractError {
        if let AskError::Parse(ParseError { text, at, message }) = err
            && let Some((_, clause, places)) = self.places.iter().find(|(known, ..)| known == text)
        {
            let place = places.get(at - 1).or(places.last()).copied().unwrap_or(0);
            return ContractError {
                clause: *clause,
                span: place..place + 1,
                message: message.clone(),
                help: CONDITION,
            };
        }
        ContractError { clause, span: 0..1, message: err.to_string(), help: CONDITION }
    }
}

/// The place of the parenthesis that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + at);
        }
    }
    None
}

fn register(name: &str) -> Option<Register> {
    Register::parse(&name.to_ascii_uppercase())
}

fn is_byte_register(name: &str) -> bool {
    register(name).is_some_and(|register| register.width() == 8)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::{Verdict, decide};

    /// ldx-free doubling: txa; asl; sta $20; rts
    const DOUBLE: [u8; 5] = [0x8a, 0x0a, 0x85, 0x20, 0x60];

    /// A clause, the bytes at fault there, and the message.
    type Fault = (usize, Range<usize>, String);

    fn verdicts(words: &[&str]) -> Vec<Result<Verdict, Fault>> {
        let label = |name: &str| match name {
            "Double" => Some(0x1000),
            "Num" => Some(0x20),
            "Other" => Some(0x21),
            _ => None,
        };
        let program = Program { bytes: vec![(0x1000, &DOUBLE)], label: &label };
        let clauses: Vec<Clause> =
            words.iter().map(|words| Clause::parse(words).expect("a clause").expect("a good one")).collect();
        (0..clauses.len())
            .filter_map(|number| {
                let asked = Clause::question(&clauses, number, &program, "Double", &Limits::default())?;
                Some(asked.map(|it| decide(&it).verdict).map_err(|err| (err.clause, err.span, err.message)))
            })
            .collect()
    }

    #[test]
    fn clauses_are_decided() {
        use Verdict::{Proved, Refuted};
        for (words, expected) in [
            (&["requires x < 40", "ensures a == x * 2", "ensures a < 78"][..], &[Proved, Refuted][..]),
            (&["ensures a == x * 2"], &[Refuted]),
            (&["ensures a == old(x) * 2 & $ff and c == old( X ) >> 7"], &[Proved]),
            (&["keeps x, y, Other", "clobbers a", "clobbers A, Y"], &[Proved, Proved, Proved]),
            (
                &["keeps a", "keeps Num", "clobbers x", "clobbers a, x, y"],
                &[Refuted, Refuted, Refuted, Proved],
            ),
            (&["requires b(Num) == 4 and x == 2", "ensures b(Num) == old(b(Num))"], &[Proved]),
            (&["ensures b(Num) == a", "ensures w(Num) == a + old(b(Num + 1)) * 256"], &[Proved, Proved]),
            (&["ensures b($20) == a and n == a >> 7"], &[Proved]),
        ] {
            let found: Vec<Verdict> = verdicts(words).into_iter().map(|it| it.expect("a question")).collect();
            assert_eq!(found, expected, "{words:?}");
        }
    }

    #[test]
    fn faults_have_their_place() {
        for (words, clause, span, message) in [
            (&["ensures a == old(x * 2"][..], 0, 16..17, "`)` is missing"),
            (&["ensures a == Nothing + 1"], 0, 13..14, "`Nothing` is not an input, register or label"),
            (&["ensures a == old(Num)"], 0, 17..20, "`Num` is not a register or a read of memory"),
            (&["requires a <", "keeps x"], 0, 12..13, "a number or a name is expected"),
            (&["keeps x, Nothing"], 0, 9..10, "`Nothing` is not an input, register or label"),
            (&["keeps x", "ensures a a"], 1, 10..11, "an operator is expected"),
        ] {
            let found = verdicts(words).into_iter().find_map(Result::err);
            assert_eq!(found, Some((clause, span, message.to_string())), "{words:?}");
        }
        for (words, span, message) in [
            ("ensures", 0..7, "the condition after 'ensures' is missing"),
            ("keeps", 0..5, "a name after 'keeps' is missing"),
            ("keeps x,", 8..8, "a name after 'keeps' is missing"),
            ("clobbers a, Num", 12..15, "`Num` is not a register"),
            ("keeps x y", 7..8, "`x y` is not a name"),
        ] {
            let error = Clause::parse(words).expect("a clause").expect_err("a fault");
            assert_eq!((error.span, error.message.as_str()), (span, message), "{words}");
        }
        assert_eq!(Clause::parse("cycles <= 40"), None);
        assert_eq!(Clause::parse("keepsake"), None);
    }
}
