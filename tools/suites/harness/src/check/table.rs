//! Tables: the rows of `each`, written in the suite or read from a CSV file.

use super::Checker;
use crate::ast::{Each, Rows, Text};
use crate::diag::{Code, Diagnostic};
use crate::eval::fold;
use crate::names::Lookup;
use crate::plan::{Form, Value};
use tempo_expressions::Kind;

/// Rows above this are a mistake, not a table.
const MAX_ROWS: usize = 100_000;

impl Checker<'_> {
    /// The columns and the rows; `None` rows when they could not be read. A test without a table has no columns
    /// and an empty list.
    pub(super) fn check_table(&mut self, each: Option<&Each>) -> (Vec<String>, Option<Vec<Vec<Value>>>) {
        let Some(each) = each else { return (Vec::new(), Some(Vec::new())) };
        let names: Vec<String> = each.names.iter().map(|name| name.value.clone()).collect();
        match &each.rows {
            Rows::Inline(rows) => {
                let mut all = Vec::new();
                for row in rows {
                    let mut values = Vec::new();
                    for cell in &row.values {
                        let Some(cell) = self.resolve(cell) else {
                            values.push(Value::Number(0));
                            continue;
                        };
                        let text = match &cell.kind {
                            Kind::Form(Form::Text(text)) => text.constant(),
                            _ => None,
                        };
                        values.push(match (text, fold(&cell)) {
                            (Some(text), _) => Value::Text(text.to_string()),
                            (None, Some(number)) => Value::Number(number),
                            (None, None) => {
                                self.report(Diagnostic::error(
                                    Code::Meaning,
                                    cell.span,
                                    "a table holds constants and texts",
                                ));
                                Value::Number(0)
                            }
                        });
                    }
                    all.push(values);
                }
                (names, Some(all))
            }
            Rows::File(file) => self.check_csv(names, file),
        }
    }

    fn check_csv(&mut self, names: Vec<String>, file: &Text) -> (Vec<String>, Option<Vec<Vec<Value>>>) {
        let Some(loaded) = self.read_file(file) else { return (names, None) };
        let Ok(text) = std::str::from_utf8(&loaded.bytes) else {
            self.report(Diagnostic::error(
                Code::Meaning,
                file.span,
                format!("`{}` is not UTF-8 text", file.value),
            ));
            return (names, None);
        };
        let records = match parse_csv(text.trim_start_matches('\u{feff}')) {
            Ok(records) => records,
            Err(message) => {
                self.report(Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("`{}`, {message}", file.value),
                ));
                return (names, None);
            }
        };
        let mut records = records.into_iter();
        let names = if names.is_empty() {
            let Some((_, header)) = records.next() else {
                self.report(Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("`{}` has no header line", file.value),
                ));
                return (names, None);
            };
            let header: Vec<String> = header.into_iter().map(|cell| cell.text.trim().to_string()).collect();
            for name in &header {
                let is_word = !name.is_empty()
                    && !name.starts_with(|c: char| c.is_ascii_digit())
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                let taken =
                    crate::ast::Register::parse(name).is_some() || crate::ast::Flag::parse(name).is_some();
                if !is_word || taken {
                    let message = format!("`{}`, line 1: `{name}` cannot be a column's name", file.value);
                    let help = "give the columns names in the suite: `each (square, moves) file(\"…\")`";
                    self.report(Diagnostic::error(Code::Meaning, file.span, message).help(help));
                    return (names, None);
                }
            }
            header
        } else {
            names
        };
        let mut rows = Vec::new();
        for (line, cells) in records {
            if cells.len() != names.len() {
                let message = format!(
                    "`{}`, line {line}: {} values, the table has {} columns",
                    file.value,
                    cells.len(),
                    names.len()
                );
                self.report(Diagnostic::error(Code::Meaning, file.span, message));
                return (names, None);
            }
            let mut values = Vec::new();
            for cell in cells {
                values.push(match self.cell_value(&cell) {
                    Ok(value) => value,
                    Err(message) => {
                        self.report(Diagnostic::error(
                            Code::Meaning,
                            file.span,
                            format!("`{}`, line {line}: {message}", file.value),
                        ));
                        return (names, None);
                    }
                });
            }
            rows.push(values);
        }
        if rows.is_empty() {
            self.report(Diagnostic::error(Code::Meaning, file.span, format!("`{}` has no rows", file.value)));
            return (names, None);
        }
        (names, Some(rows))
    }

    /// A number in any of the language's spellings, a bracketed label, or text.
    fn cell_value(&self, cell: &Cell) -> Result<Value, String> {
        let text = cell.text.trim();
        if cell.quoted {
            return Ok(Value::Text(cell.text.clone()));
        }
        if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return match self.names.lookup(name) {
                Lookup::Found(value) => Ok(Value::Number(value)),
                Lookup::Ambiguous(all) => Err(format!("ambiguous symbol `{name}` ({})", all.join(", "))),
                Lookup::Unknown => Err(format!("unknown symbol `{name}`")),
            };
        }
        Ok(number(text).map_or_else(|| Value::Text(text.to_string()), Value::Number))
    }
}

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (digits, radix) = if let Some(rest) = digits.strip_prefix('$') {
        (rest, 16)
    } else if let Some(rest) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        (rest, 16)
    } else if let Some(rest) = digits.strip_prefix('%') {
        (rest, 2)
    } else {
        (digits, 10)
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return match text {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        };
    }
    let value = i64::from(u32::from_str_radix(digits, radix).ok()?);
    Some(if negative { -value } else { value })
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Cell {
    text: String,
    quoted: bool,
}

/// Records with the line they start on. Quotes as usual: a doubled quote inside is one. Blank lines and lines
/// that start with `;` or `#` are skipped.
fn parse_csv(text: &str) -> Result<Vec<(usize, Vec<Cell>)>, String> {
    let mut records = Vec::new();
    let mut chars = text.chars().peekable();
    let mut line = 1;
    while chars.peek().is_some() {
        let start = line;
        if let Some(';' | '#') = chars.peek() {
            for c in chars.by_ref() {
                if c == '\n' {
                    break;
                }
            }
            line += 1;
            continue;
        }
        let mut cells = vec![Cell::default()];
        let mut blank = true;
        loop {
            let cell = cells.last_mut().expect("there is always one");
            match chars.next() {
                None => break,
                Some('\n') => {
                    line += 1;
                    break;
                }
                Some('\r') => {}
                Some(',') => {
                    blank = false;
                    cells.push(Cell::default());
                }
                Some('"') if cell.text.trim().is_empty() && !cell.quoted => {
                    blank = false;
                    cell.quoted = true;
                    cell.text.clear();
                    loop {
                        match chars.next() {
                            None => return Err(format!("line {start}: a quote is not closed")),
                            Some('"') if chars.peek() == Some(&'"') => {
                                chars.next();
                                cell.text.push('"');
                            }
                            Some('"') => break,
                            Some(c) => {
                                line += usize::from(c == '\n');
                                cell.text.push(c);
                            }
                        }
                    }
                }
                Some(c) => {
                    if cell.quoted && !c.is_whitespace() {
                        return Err(format!("line {line}: text after a closing quote"));
                    }
                    if !cell.quoted {
                        blank &= c.is_whitespace();
                        cell.text.push(c);
                    }
                }
            }
        }
        if !(blank && cells.len() == 1) {
            records.push((start, cells));
        }
        if records.len() > MAX_ROWS {
            return Err(format!("line {start}: more than {MAX_ROWS} rows"));
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn records_quotes_and_comments() {
        let text = "square,text\r\n; a comment\n$10,\"a \"\"b\"\", c\"\n\n-3, plain \n";
        let records = parse_csv(text).unwrap();
        let shown: Vec<(usize, Vec<&str>)> = records
            .iter()
            .map(|(line, cells)| (*line, cells.iter().map(|c| c.text.as_str()).collect()))
            .collect();
        assert_eq!(
            shown,
            [(1, vec!["square", "text"]), (3, vec!["$10", "a \"b\", c"]), (5, vec!["-3", " plain "])]
        );
        assert!(parse_csv("\"open").is_err());
    }

    #[test]
    fn numbers_in_every_spelling() {
        assert_eq!(["$1f", "0X1f", "%101", "12", "-3"].map(number), [31, 31, 5, 12, -3].map(Some));
        assert_eq!([number("x"), number(""), number("$"), number("99999999999")], [None; 4]);
    }
}
