//! Assertions: whether a condition holds, and what to show when it does not.

use tempo_diagnostics::hex;
use tempo_expressions::Kind;

use super::context::Context;
use super::steps::{encode, printable};
use crate::ast::{Compare, Encoding};
use crate::eval::{self, Difference, contains, wrap};
use crate::events::{Reason, Values};
use crate::plan::{Board, Expr, Form, Template, Value};

/// The text for a part of a condition that did not come out as wanted.
pub(super) struct Finding {
    pub reason: Reason,
    pub message: String,
    pub values: Option<Values>,
    pub detail: Vec<String>,
}

impl Finding {
    pub fn new(message: String) -> Finding {
        Finding { reason: Reason::Assertion, message, values: None, detail: Vec::new() }
    }
}

/// Bytes shown of a difference.
const DUMP_BYTES: usize = 256;

impl<'a> Context<'a> {
    pub(super) fn assert(&mut self, condition: &'a Expr, text: Option<&Template>) {
        let failures = self.failures.len() + self.dropped_failures;
        let mut findings = Vec::new();
        let holds = self.holds(condition, true, &mut findings);
        if holds == Some(true) {
            return;
        }
        if holds.is_none() && self.failures.len() + self.dropped_failures > failures {
            // What kept the condition from having a value is reported already.
            return;
        }
        let text = text.map(|text| text.fill(&self.variables));
        let mut findings = findings.into_iter();
        let first = findings.next().unwrap_or_else(|| Finding::new("the condition does not hold".into()));
        let Some(failure) = self.fail(first.reason, first.message) else { return };
        failure.values = first.values;
        failure.detail = first.detail;
        for finding in findings {
            failure.detail.push(finding.message);
            failure.detail.extend(finding.detail);
        }
        failure.text = text;
    }

    /// Whether the condition has the wanted truth; parts that speak against it are noted. `None`: no value.
    fn holds(&mut self, condition: &'a Expr, wanted: bool, findings: &mut Vec<Finding>) -> Option<bool> {
        match &condition.kind {
            Kind::Paren(inner) => self.holds(inner, wanted, findings),
            Kind::Not(inner) => self.holds(inner, !wanted, findings),
            Kind::And(left, right) | Kind::Or(left, right) => {
                let both = matches!(condition.kind, Kind::And(..)) == wanted;
                let mut notes = Vec::new();
                let left = self.holds(left, wanted, &mut notes);
                let right = self.holds(right, wanted, &mut notes);
                let result = match (left, right) {
                    (Some(left), Some(right)) => Some(if both { left && right } else { left || right }),
                    _ => None,
                };
                if result != Some(true) {
                    findings.extend(notes);
                }
                result
            }
            Kind::Compare(operator, left, right) => {
                self.compare(condition, *operator, left, right, wanted, findings)
            }
            Kind::In { value, set, negated } => {
                let number = eval::eval(value, self)?;
                let inside = contains(set, number, self)?;
                let result = (inside != *negated) == wanted;
                if !result {
                    let text = self.source.one_line(value.span);
                    let set = self.source.one_line(condition.span);
                    findings.push(Finding::new(format!(
                        "{text} is {}: `{set}` is {}",
                        shown(number),
                        !wanted
                    )));
                }
                Some(result)
            }
            Kind::Form(Form::Contains(screen, text)) => self.screen_contains(screen, text, wanted, findings),
            Kind::MemChk(arguments) => {
                let found = eval::memchk(arguments, self)?;
                self.block(condition, found, wanted, findings)
            }
            Kind::MemCmp(arguments) => {
                let found = eval::memcmp(arguments, self)?;
                self.block(condition, found, wanted, findings)
            }
            _ => {
                let value = eval::eval(condition, self)?;
                let result = (value != 0) == wanted;
                if !result {
                    let text = self.source.one_line(condition.span);
                    let detail = match condition.kind {
                        Kind::Form(Form::Backend(_)) => self.shown_screen(),
                        _ => Vec::new(),
                    };
                    findings.push(Finding { detail, ..Finding::new(format!("{text} is {}", shown(value))) });
                }
                Some(result)
            }
        }
    }

    fn block(
        &mut self,
        condition: &Expr,
        difference: Option<Difference>,
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        let result = difference.is_none() == wanted;
        if !result {
            let message = match difference {
                Some(difference) => {
                    let label = self.test.place.names.describe(difference.address);
                    format!(
                        "first difference at ${:04X}{}: {} there, {} expected",
                        difference.address,
                        label.map_or(String::new(), |label| format!(" ({label})")),
                        shown(difference.found),
                        shown(difference.wanted)
                    )
                }
                None => format!("`{}` is true", self.source.one_line(condition.span)),
            };
            findings.push(Finding { reason: Reason::BlockCheck, ..Finding::new(message) });
        }
        Some(result)
    }

    fn compare(
        &mut self,
        condition: &Expr,
        operator: Compare,
        left: &'a Expr,
        right: &'a Expr,
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        if let Kind::Form(Form::Fen(board)) = &left.kind {
            return self.compare_board(operator, board, right, wanted, findings);
        }
        if let Kind::Form(Form::Screen(row)) = &left.kind {
            return self.compare_screen(operator, row.as_deref(), right, wanted, findings);
        }
        if let Some(expected) = self.bytes_of(right) {
            return self.compare_bytes(operator, left, &expected, wanted, findings);
        }
        let left_value = eval::eval(left, self)?;
        let right_value = eval::eval(right, self)?;
        let result = operator.holds(&left_value, &right_value) == wanted;
        if !result {
            let left_text = self.source.one_line(left.span);
            let message = if wanted {
                format!(
                    "{left_text} is {}, expected {} {}",
                    shown(left_value),
                    operator.text(),
                    shown(right_value)
                )
            } else {
                format!(
                    "`{}` holds, and must not: {}",
                    self.source.one_line(condition.span),
                    shown(left_value)
                )
            };
            let values = Values {
                left_text,
                left: left_value,
                operator: operator.text().to_string(),
                right: right_value,
            };
            let detail = self.memory_notes(left, left_value, right, right_value);
            findings.push(Finding { values: Some(values), detail, ..Finding::new(message) });
        }
        Some(result)
    }

    /// Which memory was read, where the text does not say so, and which was not although it looks like it.
    fn memory_notes(&mut self, left: &Expr, left_value: i64, right: &Expr, right_value: i64) -> Vec<String> {
        let mut notes = Vec::new();
        if let Kind::PlaceRead(place) = &left.kind
            && let Some(address) = eval::eval(place, self)
            && let Ok(address) = u16::try_from(address)
        {
            let label = self.test.place.names.describe(address);
            let label = label.map_or(String::new(), |label| format!(" ({label})"));
            notes.push(format!("memory read: the byte at ${address:04X}{label}"));
        }
        let is_number = matches!(right.kind, Kind::Number(_) | Kind::Label(..));
        if is_number
            && (0..256).contains(&left_value)
            && right_value > 255
            && let Ok(address) = u16::try_from(right_value)
        {
            let text = self.source.one_line(right.span);
            let byte = self.machine.peek(address);
            notes.push(format!(
                "`{text}` on the right is a number; `peekbyte({text})` is the memory there, ${byte:02X}"
            ));
        }
        notes
    }

    /// The bytes of `bytes(…)`, `text(…)` or a text; `None` for anything else.
    fn bytes_of(&mut self, expr: &Expr) -> Option<Vec<u8>> {
        match &expr.kind {
            Kind::Form(Form::Bytes(all)) => Some(all.iter().map(|one| self.number(one) as u8).collect()),
            Kind::Form(Form::EncodedText(text, encoding)) => {
                let text = self.text(text)?;
                Some(encode(&text, *encoding))
            }
            Kind::Form(Form::Text(_)) => {
                let text = self.text(expr)?;
                Some(encode(&text, Encoding::Ascii))
            }
            Kind::Variable(variable) if matches!(self.value(*variable), Some(Value::Text(_))) => {
                let text = self.text(expr)?;
                Some(encode(&text, Encoding::Ascii))
            }
            _ => None,
        }
    }

    fn compare_bytes(
        &mut self,
        operator: Compare,
        left: &'a Expr,
        expected: &[u8],
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        let (start, found) = match &left.kind {
            Kind::Form(Form::Captured(at)) => {
                let at = match at {
                    Some(at) => Some(wrap(eval::eval(at, self)?)),
                    None => None,
                };
                let caught = self.captured.iter().filter(|(from, _)| at.is_none_or(|at| at == *from));
                (None, caught.map(|&(_, byte)| byte).collect::<Vec<u8>>())
            }
            // A variable compared with a text before the parser knew it was one.
            Kind::PlaceRead(inner) => self.memory_at(inner, expected.len())?,
            _ => self.memory_at(left, expected.len())?,
        };
        let equal = found == expected;
        let result = (equal == (operator == Compare::Equal)) == wanted;
        if !result {
            let what = self.source.one_line(left.span);
            let message = if equal {
                format!("{what} holds exactly these {} bytes", expected.len())
            } else if found.len() == expected.len() {
                let differing = found.iter().zip(expected).filter(|(one, two)| one != two).count();
                format!("{what} differs in {differing} of {} bytes", expected.len())
            } else {
                format!("{what} has {} bytes, expected {}", found.len(), expected.len())
            };
            findings.push(Finding { detail: dump(start, &found, expected), ..Finding::new(message) });
        }
        Some(result)
    }

    fn memory_at(&mut self, address: &Expr, count: usize) -> Option<(Option<u16>, Vec<u8>)> {
        let start = wrap(eval::eval(address, self)?);
        let bytes = (0..count).map(|offset| self.machine.peek(start.wrapping_add(offset as u16))).collect();
        Some((Some(start), bytes))
    }

    fn compare_board(
        &mut self,
        operator: Compare,
        board: &Board,
        right: &Expr,
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        let base = self.address(&board.base, "the board's address")?;
        let layout = self.layout(board)?;
        let Some(text) = self.text(right) else {
            self.fail_range("a board is compared with a text");
            return None;
        };
        let expected = match layout.parse(&text) {
            Ok(position) => position,
            Err(message) => {
                self.fail_range(message);
                return None;
            }
        };
        let machine = &*self.machine;
        let found = layout.read(i64::from(base), expected.fields.len(), &|at| machine.peek(at));
        let equal = layout.matches(&found, &expected);
        let result = (equal == (operator == Compare::Equal)) == wanted;
        if !result {
            let message = if equal {
                "the board is exactly this one".to_string()
            } else {
                let cells = found.cells.iter().zip(&expected.cells).filter(|(one, two)| one != two).count();
                match cells {
                    0 => "the board is right, what stands beside it differs".to_string(),
                    1 => "the board differs in one cell".to_string(),
                    _ => format!("the board differs in {cells} cells"),
                }
            };
            let detail = layout.side_by_side(&found, &expected);
            findings.push(Finding { reason: Reason::Board, detail, ..Finding::new(message) });
        }
        Some(result)
    }
}

/// Decimal and hexadecimal.
pub(super) fn shown(value: i64) -> String {
    match value {
        ..0 => value.to_string(),
        _ => format!("{value} ({})", hex(value)),
    }
}

/// Found and expected bytes in two columns; bytes that differ are marked in the second.
pub(super) fn dump(start: Option<u16>, found: &[u8], expected: &[u8]) -> Vec<String> {
    let length = found.len().max(expected.len());
    let mut lines = vec![format!("{:6}{:<35} {}", "", "found", "expected")];
    for from in (0..length.min(DUMP_BYTES)).step_by(8) {
        let chunk = |bytes: &[u8], other: &[u8], mark: bool| {
            let mut hex = String::new();
            let mut text = String::new();
            for index in from..(from + 8).min(length) {
                let differs = bytes.get(index) != other.get(index);
                hex.push(if mark && differs { '>' } else { ' ' });
                match bytes.get(index) {
                    Some(&byte) => {
                        hex.push_str(&format!("{byte:02X}"));
                        text.push(printable(byte));
                    }
                    None => hex.push_str("--"),
                }
            }
            format!("{hex:<24} {text:<8}")
        };
        let address = start
            .map_or_else(|| format!("{from:4}"), |start| format!("{:04X}", start.wrapping_add(from as u16)));
        let line = format!("{address}: {}  {}", chunk(found, expected, false), chunk(expected, found, true));
        lines.push(line.trim_end().to_string());
    }
    if length > DUMP_BYTES {
        lines.push(format!("… {} bytes more", length - DUMP_BYTES));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn dumps_mark_what_differs() {
        assert_eq!(
            dump(Some(0x400), b"AB", b"AC"),
            [
                "      found                               expected",
                "0400:  41 42                   AB         41>43                   AC"
            ]
        );
        assert_eq!(dump(None, b"A", b"").len(), 2);
    }

    #[test]
    fn values_are_shown_in_both_bases() {
        assert_eq!(shown(5), "5 ($05)");
        assert_eq!(shown(300), "300 ($012C)");
        assert_eq!(shown(-1), "-1");
    }
}
