//! Statements that emit bytes without being instructions.

use super::fixups::FixupKind;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::lint::{Cut, fits_data};
use crate::tree::*;
use crate::values::{Value, to_i64};
use tempo_diagnostics::Span;

impl Evaluator<'_> {
    /// The bits a value is emitted as; an unknown one is noted and 0.
    fn data_value(&mut self, value: &Value, span: Span) -> Eval<i64> {
        match value {
            Value::Invalid(invalid) => {
                self.unresolved(*invalid, span);
                Ok(0)
            }
            value => match value.number() {
                Ok(number) => Ok(to_i64(number)),
                Err(error) => Err(self.conversion(span, error)),
            },
        }
    }

    /// An element of a data directive; one that waits for labels is filled in later.
    fn element(&mut self, at: StmtId, expr: ExprId, offset: usize, width: u8) -> Eval<i64> {
        let span = self.tree.stmt_spans[at];
        let value = self.eval(expr)?;
        if let Value::Invalid(invalid) = value
            && !invalid.is_poison
            && self.fix_later(at, expr, offset, FixupKind::Data(width))
        {
            return Ok(0);
        }
        self.data_value(&value, span)
    }

    pub(super) fn data(&mut self, at: StmtId, width: u8, values: List) -> Eval<()> {
        let start = self.made.memory.len();
        // The program counter stays that of the statement, so bytes are added at the end.
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        for &expr in self.tree.list(values) {
            let bits = match self.tree.exprs[expr] {
                Expr::Number(number) => to_i64(number.get()),
                _ => self.element(at, expr, start + bytes.len(), width)?,
            };
            if self.warns && !fits_data(bits, width) {
                self.warn_cut(at, expr, bits, Cut::Data(width));
            }
            let [b0, b1, b2, b3, ..] = bits.to_le_bytes();
            match width {
                1 => bytes.push(b0),
                2 => bytes.extend([b0, b1]),
                _ => bytes.extend([b0, b1, b2, b3]),
            }
        }
        self.made.memory.extend(&bytes);
        self.scratch = bytes;
        self.finish(at, start)
    }

    /// Numbers that were put into bytes when they were read.
    pub(super) fn literal(&mut self, at: StmtId, bytes: List) -> Eval<()> {
        let start = self.made.memory.len();
        self.made.memory.extend(&self.tree.bytes[bytes.range()]);
        self.finish(at, start)
    }

    pub(super) fn text(&mut self, at: StmtId, value: ExprId) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let value = self.eval(value)?;
        if let Some(invalid) = value.find_invalid() {
            self.unresolved(invalid, span);
            self.lose_size(at, invalid);
            return Ok(());
        }
        let text = self.text_of(&value).map_err(|error| self.conversion(span, error))?;
        let start = self.made.memory.len();
        self.check_room(span, text.len() as u64)?;
        let encoding = self.encoding;
        for c in text.as_str().chars() {
            self.made.memory.push(encoding.encode(c));
        }
        self.finish(at, start)
    }

    pub(super) fn fill(&mut self, at: StmtId, id: u32) -> Eval<()> {
        let data = &self.tree.fills[id as usize];
        let span = self.tree.stmt_spans[at];
        let width = if data.kind == FillKind::Byte { 1 } else { 2 };
        let (known, made);
        let bytes: &[u8] = match self.known_fill(at) {
            Some(bytes) => {
                self.check_room(span, bytes.len() as u64)?;
                known = bytes;
                &known
            }
            None => {
                let before = self.marks.clone();
                let Some(count) = self.fill_count(data, span)? else { return Ok(()) };
                let total = (count as u64).saturating_mul(width).saturating_mul(u64::from(data.values.len));
                self.check_room(span, total)?;
                let state = self.frames.enter(self.tree, data.scope);
                let bytes = self.fill_bytes(at, data, count);
                self.frames.leave(state);
                made = bytes?;
                self.keep_fill(at, data, &before, &made);
                &made
            }
        };
        let start = self.made.memory.len();
        if data.entity != SymbolId::NONE {
            let lo = self.made.memory.pc().unwrap_or_default() as f64;
            let halves = (lo, lo + (bytes.len() as u64 / width) as f64);
            let members = match self.made.memory.pc() {
                Some(_) => Value::LoHi(std::rc::Rc::new(halves)),
                None => super::unknown_number(ExprId::NONE),
            };
            self.set_members(data.entity, members);
        }
        self.made.memory.extend(bytes);
        self.finish(at, start)
    }

    /// How often the values of a fill are repeated; `None` if an error was reported already.
    fn fill_count(&mut self, data: &Fill, span: Span) -> Eval<Option<i64>> {
        let count = match self.eval(data.count)? {
            Value::Invalid(invalid) if invalid.is_poison => return Ok(None),
            Value::Invalid(_) => {
                return self.fail(
                    Code::UnknownSize,
                    span,
                    "You must be able to determine the size argument en first pass",
                );
            }
            value => to_i64(value.number().map_err(|error| self.conversion(span, error))?),
        };
        if count < 0 {
            let message = format!("The size of a fill directive can't be negative. Size={count}");
            return self.fail(Code::NegativeFill, span, message);
        }
        Ok(Some(count))
    }

    fn fill_bytes(&mut self, at: StmtId, data: &Fill, count: i64) -> Eval<Vec<u8>> {
        let tree = self.tree;
        let span = tree.stmt_spans[at];
        let mut has_warned = false;
        let values = tree.list(data.values);
        let slot = tree.symbols[data.index].slot as u16;
        let total = count as usize * values.len();
        let mut low = Vec::with_capacity(total);
        let mut high = Vec::with_capacity(if data.kind == FillKind::LoHi { total } else { 0 });
        for index in 0..count {
            *self.frames.local_mut(0, slot) = Value::Number(index as f64);
            for &expr in values {
                let bits = match tree.exprs[expr] {
                    Expr::Number(number) => to_i64(number.get()),
                    _ => {
                        let value = self.eval(expr)?;
                        if index % 1024 == 0 {
                            self.check_cancelled(span)?;
                        }
                        // Calls look for themselves.
                        if index % 64 == 0 {
                            self.check_growth(span)?;
                        }
                        self.data_value(&value, span)?
                    }
                };
                let width = if data.kind == FillKind::Byte { 1 } else { 2 };
                if self.warns && !fits_data(bits, width) {
                    // It is to be said in every pass.
                    self.marks.unknown();
                    if !has_warned {
                        self.warn_cut(at, expr, bits, Cut::Data(width));
                    }
                    has_warned = true;
                }
                let [lo, hi, ..] = bits.to_le_bytes();
                low.push(lo);
                match data.kind {
                    FillKind::Byte => {}
                    FillKind::Word => low.push(hi),
                    FillKind::LoHi => high.push(hi),
                }
            }
        }
        low.append(&mut high);
        Ok(low)
    }

    pub(super) fn import(
        &mut self,
        at: StmtId,
        kind: ImportKind,
        name: ExprId,
        offset: ExprId,
        length: ExprId,
    ) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let name = self.eval(name)?;
        if let Some(invalid) = name.find_invalid() {
            self.unresolved(invalid, span);
            self.lose_size(at, invalid);
            return Ok(());
        }
        let name = self.text_of(&name).map_err(|error| self.conversion(span, error))?;
        let offset =
            self.import_number(offset, span, "Must be able to solve offset argument during first pass")?;
        let length =
            self.import_number(length, span, "Must be able to solve length argument during first pass")?;
        if offset.is_some_and(|offset| offset < 0) {
            return self.fail(Code::FileTooShort, span, "Offset can't be negative");
        }
        let loaded = match self.load(name.as_str(), span) {
            Ok(loaded) => loaded,
            Err(error) => {
                let mut report =
                    self.error(Code::DataFile, span, format!("Can't open file '{}'", name.as_str()));
                report.notes.push(self.not_read(name.as_str(), span, &error));
                return Err(report);
            }
        };
        let decoded;
        let content: &[u8] = match kind {
            ImportKind::Binary => &loaded.bytes,
            ImportKind::C64 => loaded.bytes.get(2..).unwrap_or(&[]),
            ImportKind::Text => {
                decoded = crate::source::decode(loaded.bytes);
                return self.import_text(at, &decoded, offset, length);
            }
        };
        let first = (offset.unwrap_or(0) as usize).min(content.len());
        let rest = &content[first..];
        let bytes = match length {
            None => rest,
            Some(length) => match rest.get(..length.max(0) as usize) {
                Some(bytes) => bytes,
                None => {
                    return self.fail(Code::FileTooShort, span, "File is too short for the desired length");
                }
            },
        };
        let start = self.made.memory.len();
        self.check_room(span, bytes.len() as u64)?;
        self.made.memory.extend(bytes);
        self.finish(at, start)
    }

    fn import_text(&mut self, at: StmtId, text: &str, offset: Option<i64>, length: Option<i64>) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let offset = offset.unwrap_or(0) as usize;
        let rest = text.chars().skip(offset);
        let available = text.chars().count().saturating_sub(offset);
        let taken = match length {
            Some(length) if length.max(0) as usize > available => {
                return self.fail(Code::FileTooShort, span, "File is too short for the desired length");
            }
            Some(length) => length.max(0) as usize,
            None => available,
        };
        let start = self.made.memory.len();
        let encoding = self.encoding;
        self.check_room(span, taken as u64)?;
        for c in rest.take(taken) {
            if let Some(byte) = encoding.mapped(c) {
                self.made.memory.push(byte);
            }
        }
        self.finish(at, start)
    }

    fn import_number(&mut self, expr: ExprId, span: Span, unknown: &str) -> Eval<Option<i64>> {
        if expr == ExprId::NONE {
            return Ok(None);
        }
        match self.eval(expr)? {
            Value::Invalid(_) => self.fail(Code::UnknownSize, span, unknown),
            value => match value.number() {
                Ok(number) => Ok(Some(to_i64(number))),
                Err(error) => Err(self.conversion(span, error)),
            },
        }
    }
}
