//! Names to values inside statements and expressions, and what can be said about constants before anything runs.

use tempo_diagnostics::nearest;

use super::Checker;
use crate::ast::{
    Board, Compare, Expr, ExprKind, Forall, Jsr, Register, Set, Step, StepKind, Stop, Variable, Width,
};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Scope, eval, fold};
use crate::names::Lookup;
use crate::parse::Dialect;
use crate::plan::Value;
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn resolve_steps(&mut self, steps: &[Step]) -> Vec<Step> {
        steps.iter().map(|step| Step { span: step.span, kind: self.resolve_step(step) }).collect()
    }

    fn resolve_step(&mut self, step: &Step) -> StepKind {
        match &step.kind {
            StepKind::Assert { condition, text } => {
                StepKind::Assert { condition: self.resolve(condition), text: text.clone() }
            }
            StepKind::SetRegister { register, value } => {
                let value = self.resolve_number(value);
                self.check_fits(&value, 0xff, &format!("in `{}`", register.name()));
                StepKind::SetRegister { register: *register, value }
            }
            StepKind::SetFlag { flag, value } => {
                StepKind::SetFlag { flag: *flag, value: self.resolve_number(value) }
            }
            StepKind::Store { target, value } => {
                let target = self.resolve_number(target);
                let value = self.resolve_number(value);
                self.check_store(&target, &value);
                StepKind::Store { target, value }
            }
            StepKind::Jsr(call) => {
                let target = self.resolve_number(&call.target);
                self.check_constant_address(&target, "the address to call");
                let stop = match &call.stop {
                    Stop::Rts(on) => Stop::Rts(*on),
                    Stop::Address(at) => {
                        let at = self.resolve(at);
                        self.check_constant_address(&at, "the stop address");
                        Stop::Address(at)
                    }
                };
                let max_cycles = call.max_cycles.as_ref().map(|cycles| self.resolve(cycles));
                if let Some(cycles) = &max_cycles
                    && let Some(number) = fold(cycles).filter(|number| *number < 0)
                {
                    let message = format!("`max_cycles` is {number}, below 0");
                    self.report(Diagnostic::error(Code::Meaning, cycles.span, message));
                }
                StepKind::Jsr(Jsr { target, stop, fail_on_brk: call.fail_on_brk, max_cycles })
            }
            StepKind::MemFill { from, count, value } => {
                let from = self.resolve_number(from);
                self.check_constant_address(&from, "the start of the range");
                let (count, value) = (self.resolve_number(count), self.resolve_number(value));
                self.check_fill(&value);
                StepKind::MemFill { from, count, value }
            }
            StepKind::MemDump { from, count, encoding } => {
                let from = self.resolve_number(from);
                self.check_constant_address(&from, "the start of the range");
                StepKind::MemDump { from, count: self.resolve_number(count), encoding: *encoding }
            }
            StepKind::Snapshot { name, from, count, encoding, .. } => {
                let from = self.resolve_number(from);
                self.check_constant_address(&from, "the start of the range");
                let count = self.resolve_number(count);
                // An address outside memory has a message of its own.
                let start = fold(&from).unwrap_or(0).clamp(0, 0xffff);
                let references = match fold(&count).map(|count| crate::snapshot::check_range(start, count)) {
                    Some(Err(message)) => {
                        self.report(Diagnostic::error(Code::Meaning, count.span, message));
                        Vec::new().into()
                    }
                    _ => self.read_kept(name).into(),
                };
                StepKind::Snapshot { name: name.clone(), from, count, encoding: *encoding, references }
            }
            StepKind::Forall(forall) => StepKind::Forall(self.resolve_forall(forall)),
            StepKind::Double(double) => StepKind::Double(self.resolve_double(double)),
            StepKind::Capture(value) => StepKind::Capture(self.resolve(value)),
            StepKind::Fen { board, text } => {
                let board = self.resolve_board(board);
                let text = self.resolve(text);
                self.check_board_text(&board, &text);
                StepKind::Fen { board, text }
            }
            StepKind::PutBytes { to, values, width } => {
                let to = self.resolve(to);
                self.check_constant_address(&to, "the address");
                let values: Vec<Expr> = values.iter().map(|value| self.resolve_number(value)).collect();
                let (limit, what) =
                    if *width == Width::Byte { (0xff, "in a byte") } else { (0xffff, "in two bytes") };
                for value in &values {
                    self.check_fits(value, limit, what);
                }
                StepKind::PutBytes { to, values, width: *width }
            }
            StepKind::PutText { to, text, encoding } => {
                let to = self.resolve(to);
                self.check_constant_address(&to, "the address");
                StepKind::PutText { to, text: self.resolve(text), encoding: *encoding }
            }
            StepKind::PutFile { to, file, .. } => {
                let to = self.resolve_number(to);
                self.check_constant_address(&to, "the address");
                let bytes: std::sync::Arc<[u8]> =
                    self.read_file(file).map_or_else(|| [].into(), |loaded| loaded.bytes[..].into());
                if bytes.len() > 0x10000 {
                    let message = format!("`{}` does not fit in memory: {} bytes", file.value, bytes.len());
                    self.report(Diagnostic::error(Code::Meaning, file.span, message));
                }
                StepKind::PutFile { to, file: file.clone(), bytes }
            }
            StepKind::Copy { to, from, count } => {
                let to = self.resolve_number(to);
                let from = self.resolve_number(from);
                self.check_constant_address(&to, "the address");
                self.check_constant_address(&from, "the address");
                StepKind::Copy { to, from, count: self.resolve_number(count) }
            }
            StepKind::Random { to, count, seed } => {
                let to = self.resolve_number(to);
                self.check_constant_address(&to, "the address");
                let count = self.resolve_number(count);
                StepKind::Random { to, count, seed: seed.as_ref().map(|seed| self.resolve_number(seed)) }
            }
            StepKind::Interrupt { line, at } => {
                StepKind::Interrupt { line: *line, at: self.resolve_number(at) }
            }
            StepKind::Frames(count) => {
                self.check_chips(step.span, "`frames`");
                StepKind::Frames(self.resolve_number(count))
            }
            StepKind::Keys(text) => {
                self.check_chips(step.span, "`keys`");
                self.check_keys(text);
                StepKind::Keys(self.resolve(text))
            }
            StepKind::Joystick { port, switches } => {
                self.check_chips(step.span, "`joystick`");
                let (port, switches) = (self.resolve_number(port), self.resolve(switches));
                self.check_joystick(&port, &switches);
                StepKind::Joystick { port, switches }
            }
            StepKind::Disk { files, .. } => {
                self.check_chips(step.span, "`disk`");
                StepKind::Disk { files: files.clone(), volume: self.read_disk(files).map(Into::into) }
            }
            StepKind::Screenshot { name, tolerance, .. } => {
                self.check_chips(step.span, "`screenshot`");
                let tolerance = tolerance.as_ref().map(|most| self.resolve_number(most));
                let references = self.read_references(name).into();
                StepKind::Screenshot { name: name.clone(), tolerance, references }
            }
            StepKind::Backend(step) => {
                let mut step = step.clone();
                step.arguments = step.arguments.iter().map(|argument| self.resolve(argument)).collect();
                StepKind::Backend(step)
            }
        }
    }

    fn resolve_forall(&mut self, forall: &Forall) -> Forall {
        let bound = self.locals.len();
        let mut variables = Vec::new();
        for variable in &forall.variables {
            let domain = self.resolve_set(&variable.domain);
            if let Set::Range(from, to) = &domain
                && let (Some(low), Some(high)) = (fold(from), fold(to))
                && low > high
            {
                let message = format!("the range {low}..{high} is empty");
                self.report(
                    Diagnostic::error(Code::Meaning, from.span.to(to.span), message)
                        .help("write the smaller end first"),
                );
            }
            self.locals.push(variable.name.value.clone());
            variables.push(Variable { name: variable.name.clone(), domain });
        }
        let body = self.resolve_steps(&forall.body);
        self.locals.truncate(bound);
        Forall { variables, samples: forall.samples, seed: forall.seed, body }
    }

    fn resolve_set(&mut self, set: &Set) -> Set {
        match set {
            Set::Range(from, to) => Set::Range(Box::new(self.resolve(from)), Box::new(self.resolve(to))),
            Set::List(all) => Set::List(all.iter().map(|one| self.resolve(one)).collect()),
        }
    }

    /// The same expression with every symbol's value in it. Unknown ones are reported and stay symbols.
    pub(super) fn resolve(&mut self, expr: &Expr) -> Expr {
        let span = expr.span;
        let mut boxed = |inner: &Expr| Box::new(self.resolve(inner));
        let kind = match &expr.kind {
            ExprKind::Symbol(name) => return self.resolve_symbol(name, span),
            ExprKind::Name(name) => return self.resolve_name(name, span),
            ExprKind::Half(half, inner) => ExprKind::Half(*half, boxed(inner)),
            ExprKind::Read(width, inner) => ExprKind::Read(*width, boxed(inner)),
            ExprKind::PlaceRead(inner) => ExprKind::PlaceRead(boxed(inner)),
            ExprKind::Paren(inner) => ExprKind::Paren(boxed(inner)),
            ExprKind::Negate(inner) => ExprKind::Negate(boxed(inner)),
            ExprKind::Not(inner) => ExprKind::Not(boxed(inner)),
            ExprKind::EncodedText(inner, encoding) => ExprKind::EncodedText(boxed(inner), *encoding),
            ExprKind::Binary(operator, left, right) => {
                let left = Box::new(self.resolve_number(left));
                ExprKind::Binary(*operator, left, Box::new(self.resolve_number(right)))
            }
            ExprKind::And(left, right) => ExprKind::And(boxed(left), boxed(right)),
            ExprKind::Contains(left, right) => ExprKind::Contains(boxed(left), boxed(right)),
            ExprKind::Or(left, right) => ExprKind::Or(boxed(left), boxed(right)),
            ExprKind::MemChk(all) => {
                ExprKind::MemChk(Box::new(std::array::from_fn(|i| self.resolve(&all[i]))))
            }
            ExprKind::MemCmp(all) => {
                ExprKind::MemCmp(Box::new(std::array::from_fn(|i| self.resolve(&all[i]))))
            }
            ExprKind::Compare(operator, left, right) => {
                let left = self.resolve(left);
                let right = self.resolve(right);
                self.resolve_compare(*operator, left, right)
            }
            ExprKind::In { value, set, negated } => ExprKind::In {
                value: Box::new(self.resolve(value)),
                set: self.resolve_set(set),
                negated: *negated,
            },
            ExprKind::Calls { index, member } => ExprKind::Calls {
                index: index.as_ref().map(|index| Box::new(self.resolve(index))),
                member: member.clone(),
            },
            ExprKind::Spy { at, index, member } => {
                let at = Box::new(self.resolve(at));
                self.check_constant_address(&at, "the spy's address");
                let index = index.as_ref().map(|index| Box::new(self.resolve(index)));
                ExprKind::Spy { at, index, member: member.clone() }
            }
            ExprKind::Captured(at) => ExprKind::Captured(at.as_ref().map(|at| Box::new(self.resolve(at)))),
            ExprKind::Beam(part) => {
                self.check_chips(span, "the beam");
                ExprKind::Beam(*part)
            }
            ExprKind::Screen(row) => {
                self.check_chips(span, "`screen`");
                ExprKind::Screen(row.as_ref().map(|row| Box::new(self.resolve_number(row))))
            }
            ExprKind::Bytes(all) => ExprKind::Bytes(all.iter().map(|one| self.resolve(one)).collect()),
            ExprKind::Fen(board) => ExprKind::Fen(self.resolve_board(board)),
            ExprKind::Backend(step) => {
                let mut step = step.clone();
                step.arguments = step.arguments.iter().map(|argument| self.resolve(argument)).collect();
                ExprKind::Backend(step)
            }
            ExprKind::Number(_)
            | ExprKind::Known(..)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Register(_)
            | ExprKind::Flag(_)
            | ExprKind::Cycles => expr.kind.clone(),
        };
        Expr { span, kind }
    }

    fn resolve_symbol(&mut self, name: &str, span: Span) -> Expr {
        let unknown = Expr { span, kind: ExprKind::Symbol(name.to_string()) };
        match self.names.lookup(name) {
            Lookup::Found(value) => return Expr { span, kind: ExprKind::Known(name.to_string(), value) },
            Lookup::Ambiguous(candidates) => {
                if self.reported.insert(name.to_string()) {
                    self.report(
                        Diagnostic::error(Code::Meaning, span, format!("ambiguous symbol `{name}`"))
                            .help(format!("write one of {}", candidates.join(", "))),
                    );
                }
            }
            Lookup::Unknown => {
                if !self.is_incomplete && !self.lacks_labels && self.reported.insert(name.to_string()) {
                    let help = if self.names.is_empty() {
                        Some("no symbols are loaded here; `symbols(\"file.sym\")` above the test makes names known".into())
                    } else {
                        nearest(name, self.names.all()).map(|known| format!("did you mean `{known}`?"))
                    };
                    self.report(
                        Diagnostic::error(Code::Meaning, span, format!("unknown symbol `{name}`")).help(help),
                    );
                }
            }
        }
        unknown
    }

    fn resolve_name(&mut self, name: &str, span: Span) -> Expr {
        let local = self.locals.iter().any(|local| local == name);
        if !local {
            if let Some(&value) = self.defines.get(name) {
                return Expr { span, kind: ExprKind::Number(value) };
            }
            let open = self.open_locals || self.is_incomplete;
            if !open && self.reported.insert(format!("{name} (name)")) {
                let known =
                    self.locals.iter().map(String::as_str).chain(self.defines.keys().map(String::as_str));
                let help = nearest(name, known).map_or_else(
                    || format!("the value of a label is written in brackets: `[{name}]`"),
                    |known| format!("did you mean `{known}`?"),
                );
                self.report(
                    Diagnostic::error(Code::Meaning, span, format!("unknown name `{name}`")).help(help),
                );
            }
        }
        Expr { span, kind: ExprKind::Name(name.to_string()) }
    }

    pub(super) fn resolve_board(&mut self, board: &Board) -> Board {
        let base = Box::new(self.resolve(&board.base));
        self.check_constant_address(&base, "the board's address");
        let pieces = board.pieces.as_ref().map(|pieces| Box::new(self.resolve(pieces)));
        let layout = self.check_board_layout(board, pieces.is_some());
        Board { base, layout, pieces }
    }

    fn resolve_compare(&mut self, operator: Compare, left: Expr, right: Expr) -> ExprKind {
        if let ExprKind::Fen(board) = &left.kind {
            self.check_board_text(board, &right);
        }
        let whole = |expr: &Expr| is_whole(&expr.kind);
        if (whole(&left) || whole(&right)) && !matches!(operator, Compare::Equal | Compare::NotEqual) {
            self.report(
                Diagnostic::error(
                    Code::Meaning,
                    left.span.to(right.span),
                    "bytes, texts and boards are compared with == or != only",
                )
                .help("single bytes can be ordered: `[buf].b < 5`"),
            );
        }
        if whole(&right)
            && matches!(right.kind, ExprKind::Fen(_) | ExprKind::Captured(_) | ExprKind::Screen(_))
        {
            self.report(Diagnostic::error(
                Code::Meaning,
                right.span,
                "this stands on the left of a comparison",
            ));
        }
        let is_sum = matches!(left.kind, ExprKind::Binary(..)) && has_symbol(&left);
        if is_sum && self.options.legacy_sum_reads {
            let span = left.span;
            let read = Expr { span, kind: ExprKind::Read(Width::Byte, Box::new(left)) };
            return ExprKind::Compare(operator, Box::new(read), Box::new(right));
        }
        if is_sum
            && let (Some(sum), Some(value)) = (fold(&left), fold(&right))
            && sum >= 256
            && (0..256).contains(&value)
        {
            let text = self.source.one_line(left.span);
            self.report(
                Diagnostic::warning(
                    Code::Meaning,
                    left.span,
                    format!("this compares an address (${sum:04X}) with {value}; add .b"),
                )
                .help(format!("`({text}).b` is the byte stored there")),
            );
        }
        self.check_byte_compare(operator, &left, &right);
        ExprKind::Compare(operator, Box::new(left), Box::new(right))
    }

    fn check_constant_address(&mut self, expr: &Expr, what: &str) {
        if let Some(value) = fold(expr)
            && u16::try_from(value).is_err()
        {
            let message = format!("{what} is {value}, outside 0…65535");
            self.report(Diagnostic::error(Code::Meaning, expr.span, message));
        }
    }

    /// The expression with its symbols' values, where only a number will do.
    pub(super) fn resolve_number(&mut self, expr: &Expr) -> Expr {
        let resolved = self.resolve(expr);
        self.check_number(&resolved);
        resolved
    }

    fn check_number(&mut self, expr: &Expr) {
        let mut found = None;
        expr.walk(&mut |inner| {
            if is_whole(&inner.kind) {
                found.get_or_insert(inner.span);
            }
        });
        if let Some(span) = found {
            self.report(
                Diagnostic::error(Code::Meaning, span, "a number is needed here")
                    .help("`bytes(to, …)` and `text(to, …)` store several bytes; `assert([buf] == bytes(…))` compares them"),
            );
        }
    }

    /// A constant that is too large, found before anything runs; so are those of a table. In sim6502's language that is
    /// a failure of the test.
    fn check_fits(&mut self, value: &Expr, limit: i64, what: &str) {
        if self.options.dialect != Dialect::Full {
            return;
        }
        let does_not_fit = |number: i64| format!("{number} (${number:X}) does not fit {what}");
        if let Some(number) = fold(value) {
            if number > limit {
                self.report(Diagnostic::error(Code::Meaning, value.span, does_not_fit(number)));
            }
            return;
        }
        let found = self.rows.iter().enumerate().find_map(|(index, row)| {
            let number = eval(value, &mut Row { names: &self.locals, values: row })?;
            (number > limit).then_some((index + 1, number))
        });
        if let Some((row, number)) = found {
            let message = format!("{} in row {row}", does_not_fit(number));
            self.report(Diagnostic::error(Code::Meaning, value.span, message));
        }
    }

    /// `memfill` takes the low byte, in sim6502's language as in ours; nobody means that by a constant.
    fn check_fill(&mut self, value: &Expr) {
        if let Some(number) = fold(value).filter(|number| *number > 0xff)
            && self.options.dialect == Dialect::Full
        {
            let message = format!(
                "{number} (${number:X}) does not fit in a byte; memfill stores its low byte, ${:02X}",
                number & 0xff
            );
            self.report(Diagnostic::warning(Code::Meaning, value.span, message));
        }
    }

    /// A byte is compared with what no byte can be: the answer is known before anything runs.
    fn check_byte_compare(&mut self, operator: Compare, left: &Expr, right: &Expr) {
        if self.options.dialect != Dialect::Full || !matches!(operator, Compare::Equal | Compare::NotEqual) {
            return;
        }
        let what = match &left.kind {
            ExprKind::Register(Register::Pc) => return,
            ExprKind::Register(register) => format!("`{}`", register.name()),
            ExprKind::PlaceRead(_) | ExprKind::Read(Width::Byte, _) => "a byte".to_owned(),
            _ => return,
        };
        let Some(number) = fold(right).filter(|number| !(0..=0xff).contains(number)) else { return };
        let verdict = if operator == Compare::Equal { "always fails" } else { "always holds" };
        let hex = if number < 0 { String::new() } else { format!(" (${number:X})") };
        let message = format!("{what} is never {number}{hex}, so this {verdict}");
        let help = match (&left.kind, &right.kind) {
            (ExprKind::PlaceRead(_), ExprKind::Number(0x100..=0xffff)) => {
                Some("`.w` compares two bytes: `[label].w == $1234`".to_owned())
            }
            (_, ExprKind::Known(name, _)) => {
                Some(format!("`[{name}]` on the right is an address; `peekbyte([{name}])` is the byte there"))
            }
            _ => None,
        };
        self.report(Diagnostic::warning(Code::Meaning, left.span.to(right.span), message).help(help));
    }

    /// Addresses and values that cannot be stored, as far as they are constant.
    fn check_store(&mut self, target: &Expr, value: &Expr) {
        let lone_symbol = matches!(target.kind, ExprKind::Known(..));
        if self.options.dialect == Dialect::Base && lone_symbol {
            // sim6502 checks neither and truncates.
            return;
        }
        self.check_constant_address(target, "the address");
        if let Some(number) = fold(value) {
            let fits = (0..=0xffff).contains(&number) || (lone_symbol && number < 0);
            if !fits {
                let message = format!("the value {number} does not fit in two bytes");
                let help = (number < 0).then(|| {
                    "a negative value can be stored at a lone [label] only: its low byte".to_string()
                });
                self.report(Diagnostic::error(Code::Meaning, value.span, message).help(help));
            }
        }
    }
}

/// The names of a table with the values of one row. Names of `forall` behind them are not known.
struct Row<'a> {
    names: &'a [String],
    values: &'a [Value],
}

impl Scope for Row<'_> {
    fn name(&self, name: &str) -> Option<i64> {
        // The innermost of a name is meant.
        let at = self.names.iter().rposition(|known| known == name)?;
        match self.values.get(at)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }
}

/// More than a number: compared as a whole, never calculated with.
fn is_whole(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Bytes(_)
            | ExprKind::EncodedText(..)
            | ExprKind::Text(_)
            | ExprKind::Fen(_)
            | ExprKind::Screen(_)
            | ExprKind::Captured(_)
    )
}

fn has_symbol(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| found |= matches!(inner.kind, ExprKind::Known(..)));
    found
}
