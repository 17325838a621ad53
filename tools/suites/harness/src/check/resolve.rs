//! Names to values inside statements and expressions, and what can be said about constants before anything runs.

use std::sync::Arc;

use tempo_diagnostics::nearest;
use tempo_expressions::resolve::{resolve_all, resolve_set};
use tempo_expressions::{Kind, Resolver};

use super::{Checker, Meaning};
use crate::ast::{self, Compare, ExprKind, Register, Width};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Scope, eval, fold};
use crate::names::Lookup;
use crate::parse::Dialect;
use crate::plan::{
    Backend, Board, Equivalent, Expr, Forall, Form, Hole, Jsr, Set, Step, StepKind, Stop, Template, Value,
    Variable,
};
use crate::source::Span;

impl Checker<'_> {
    /// The statements with values for names. Those with a fault are left out: a plan with faults is not run.
    pub(super) fn resolve_steps(&mut self, steps: &[ast::Step]) -> Vec<Step> {
        steps
            .iter()
            .filter_map(|step| {
                self.check_home(step);
                Some(Step { span: step.span, kind: self.resolve_step(step)? })
            })
            .collect()
    }

    fn resolve_step(&mut self, step: &ast::Step) -> Option<StepKind> {
        Some(match &step.kind {
            ast::StepKind::Assert { condition, text } => {
                let text = text.as_ref().map(|text| self.template(&text.value));
                StepKind::Assert { condition: self.resolve(condition)?, text }
            }
            ast::StepKind::SetRegister { register, value } => {
                let value = self.resolve_number(value)?;
                self.check_fits(&value, 0xff, &format!("in `{}`", register.name()));
                StepKind::SetRegister { register: *register, value }
            }
            ast::StepKind::SetFlag { flag, value } => {
                StepKind::SetFlag { flag: *flag, value: self.resolve_number(value)? }
            }
            ast::StepKind::Store { target, value } => {
                let target = self.resolve_number(target);
                let value = self.resolve_number(value);
                let (target, value) = (target?, value?);
                self.check_store(&target, &value);
                StepKind::Store { target, value }
            }
            ast::StepKind::Jsr(call) => StepKind::Jsr(self.resolve_jsr(call)?),
            ast::StepKind::MemFill { from, count, value } => {
                let from = self.resolve_address(from, "the start of the range");
                let (count, value) = (self.resolve_number(count), self.resolve_number(value));
                let value = value?;
                self.check_fill(&value);
                StepKind::MemFill { from: from?, count: count?, value }
            }
            ast::StepKind::MemDump { from, count, encoding } => {
                let from = self.resolve_address(from, "the start of the range");
                let count = self.resolve_number(count);
                StepKind::MemDump { from: from?, count: count?, encoding: *encoding }
            }
            ast::StepKind::Snapshot { name, from, count, encoding } => {
                let from = self.resolve_address(from, "the start of the range");
                let count = self.resolve_number(count);
                let (from, count) = (from?, count?);
                // An address outside memory has its own message.
                let start = fold(&from).unwrap_or(0).clamp(0, 0xffff);
                let checked = fold(&count).map(|count| crate::snapshot::check_range(start, count));
                if let Some(Err(message)) = checked {
                    self.report(Diagnostic::error(Code::Meaning, count.span, message));
                    return None;
                }
                let references = self.read_kept(name).into();
                let name = self.template(&name.value);
                StepKind::Snapshot { name, from, count, encoding: *encoding, references }
            }
            ast::StepKind::Forall(forall) => StepKind::Forall(self.resolve_forall(forall)?),
            ast::StepKind::Equivalent(one) => StepKind::Equivalent(self.resolve_equivalent(one)?),
            ast::StepKind::Call { name, arguments } => {
                StepKind::Call(self.resolve_call(step.span, name, arguments)?)
            }
            ast::StepKind::Double(double) => StepKind::Double(self.resolve_double(double)?),
            ast::StepKind::Capture(value) => StepKind::Capture(self.resolve(value)?),
            ast::StepKind::Fen { board, text } => {
                let board = self.resolve_board(board);
                let text = self.resolve(text);
                let (board, text) = (board?, text?);
                self.check_board_text(&board, &text);
                StepKind::Fen { board, text }
            }
            ast::StepKind::PutBytes { to, values, width } => {
                let to = self.resolve_address(to, "the address");
                let values: Vec<Option<Expr>> =
                    values.iter().map(|value| self.resolve_number(value)).collect();
                let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
                let (limit, what) =
                    if *width == Width::Byte { (0xff, "in a byte") } else { (0xffff, "in two bytes") };
                for value in &values {
                    self.check_fits(value, limit, what);
                }
                StepKind::PutBytes { to: to?, values, width: *width }
            }
            ast::StepKind::PutText { to, text, encoding } => {
                let to = self.resolve_address(to, "the address");
                let text = self.resolve(text);
                StepKind::PutText { to: to?, text: text?, encoding: *encoding }
            }
            ast::StepKind::PutFile { to, file } => {
                let to = self.resolve_address(to, "the address");
                let bytes: Arc<[u8]> = self.read_file(file)?.bytes[..].into();
                if bytes.len() > 0x10000 {
                    let message = format!("`{}` does not fit in memory: {} bytes", file.value, bytes.len());
                    self.report(Diagnostic::error(Code::Meaning, file.span, message));
                }
                StepKind::PutFile { to: to?, bytes }
            }
            ast::StepKind::Copy { to, from, count } => {
                let to = self.resolve_address(to, "the address");
                let from = self.resolve_address(from, "the address");
                let count = self.resolve_number(count);
                StepKind::Copy { to: to?, from: from?, count: count? }
            }
            ast::StepKind::Random { to, count, seed } => {
                let to = self.resolve_address(to, "the address");
                let count = self.resolve_number(count);
                let seed = match seed {
                    Some(seed) => Some(self.resolve_number(seed)?),
                    None => None,
                };
                StepKind::Random { to: to?, count: count?, seed }
            }
            ast::StepKind::Interrupt { line, at } => {
                StepKind::Interrupt { line: *line, at: self.resolve_number(at)? }
            }
            ast::StepKind::Frames(count) => {
                self.check_chips(step.span, "`frames`");
                StepKind::Frames(self.resolve_number(count)?)
            }
            ast::StepKind::Keys(text) => {
                self.check_chips(step.span, "`keys`");
                let text = self.resolve(text)?;
                self.check_keys(&text);
                StepKind::Keys(text)
            }
            ast::StepKind::Joystick { port, switches } => {
                self.check_chips(step.span, "`joystick`");
                let (port, switches) = (self.resolve_number(port), self.resolve(switches));
                let (port, switches) = (port?, switches?);
                self.check_joystick(&port, &switches);
                StepKind::Joystick { port, switches }
            }
            ast::StepKind::Pointer { pointer, arguments } => {
                self.check_chips(step.span, &format!("`{}`", pointer.word()));
                let arguments: Vec<Option<Expr>> =
                    arguments.iter().map(|argument| self.resolve_number(argument)).collect();
                let arguments = arguments.into_iter().collect::<Option<Vec<Expr>>>()?;
                self.check_pointer(*pointer, &arguments);
                StepKind::Pointer { pointer: *pointer, arguments }
            }
            ast::StepKind::Cartridge { file } => {
                self.check_chips(step.span, "`cartridge`");
                StepKind::Cartridge(Arc::new(self.read_cartridge(file)?))
            }
            ast::StepKind::Disk { files } => {
                self.check_chips(step.span, "`disk`");
                StepKind::Disk(Arc::new(self.read_disk(files)?))
            }
            ast::StepKind::Screenshot { name, tolerance } => {
                self.check_chips(step.span, "`screenshot`");
                let tolerance = match tolerance {
                    Some(most) => Some(self.resolve_number(most)?),
                    None => None,
                };
                let references = self.read_references(name).into();
                StepKind::Screenshot { name: self.template(&name.value), tolerance, references }
            }
            ast::StepKind::Backend(step) => StepKind::Backend(self.resolve_backend(step)?),
        })
    }

    fn resolve_jsr(&mut self, call: &ast::Jsr) -> Option<Jsr> {
        let target = self.resolve_address(&call.target, "the address to call");
        let stop = match &call.stop {
            ast::Stop::Rts(on) => Some(Stop::Rts(*on)),
            ast::Stop::Address(at) => self.resolve_address(at, "the stop address").map(Stop::Address),
        };
        let max_cycles = match &call.max_cycles {
            Some(cycles) => Some(self.resolve(cycles)?),
            None => None,
        };
        if let Some(cycles) = &max_cycles
            && let Some(number) = fold(cycles).filter(|number| *number < 0)
        {
            let message = format!("`max_cycles` is {number}, below 0");
            self.report(Diagnostic::error(Code::Meaning, cycles.span, message));
        }
        Some(Jsr { target: target?, stop: stop?, fail_on_brk: call.fail_on_brk, max_cycles })
    }

    fn resolve_forall(&mut self, forall: &ast::Forall) -> Option<Forall> {
        let (bound, slots) = (self.locals.len(), self.slots);
        let mut variables = Vec::new();
        for variable in &forall.variables {
            let domain = resolve_set(&variable.domain, self);
            if let Some(Set::Range(from, to)) = &domain
                && let (Some(low), Some(high)) = (fold(from), fold(to))
                && low > high
            {
                let message = format!("the range {low}..{high} is empty");
                self.report(
                    Diagnostic::error(Code::Meaning, from.span.to(to.span), message)
                        .help("write the smaller end first"),
                );
            }
            self.bind(&variable.name.value);
            variables.push(domain.map(|domain| (variable.name.value.clone(), domain)));
        }
        let body = self.resolve_steps(&forall.body);
        self.locals.truncate(bound);
        self.slots = slots;
        let variables = variables.into_iter().collect::<Option<_>>()?;
        let (samples, seed, prove) = (forall.samples, forall.seed, forall.prove);
        Some(Forall { variables, samples, seed, prove, body })
    }

    fn resolve_equivalent(&mut self, one: &ast::Equivalent) -> Option<Equivalent> {
        let [first, second] = one.routines.each_ref().map(|at| self.resolve_address(at, "the routine"));
        let inputs: Vec<Option<(Expr, Option<Set>)>> = one
            .inputs
            .iter()
            .map(|(place, domain)| {
                let place = self.resolve_number(place);
                let domain = match domain {
                    Some(domain) => Some(resolve_set(domain, self)?),
                    None => None,
                };
                Some((place?, domain))
            })
            .collect();
        let outputs: Vec<Option<Expr>> = one.outputs.iter().map(|out| self.resolve_number(out)).collect();
        Some(Equivalent {
            routines: [first?, second?],
            inputs: inputs.into_iter().collect::<Option<_>>()?,
            outputs: outputs.into_iter().collect::<Option<_>>()?,
        })
    }

    fn resolve_backend(&mut self, step: &ast::BackendStep) -> Option<Backend> {
        Some(Backend { name: step.name.clone(), arguments: resolve_all(&step.arguments, self)? })
    }

    /// The same expression with a value for every symbol, or `None` after a message.
    pub(super) fn resolve(&mut self, expr: &ast::Expr) -> Option<Expr> {
        tempo_expressions::resolve(expr, self)
    }

    /// A text with its holes: variables and parameters around the current place.
    pub(super) fn template(&self, text: &str) -> Template {
        Template::new(text, |name| {
            // The innermost of a name is meant.
            let local = self.locals.iter().rev().find(|local| local.name == name)?;
            Some(match &local.meaning {
                Meaning::Slot(variable) => Hole::Variable(*variable),
                Meaning::Argument(_, Some(shown)) => Hole::Text(shown.clone()),
                Meaning::Argument(value, None) => match value.kind {
                    Kind::Variable(variable) => Hole::Variable(variable),
                    _ => return None,
                },
            })
        })
    }

    fn optional(&mut self, expr: Option<&ast::Expr>) -> Option<Option<Box<Expr>>> {
        match expr {
            Some(expr) => Some(Some(Box::new(self.resolve(expr)?))),
            None => Some(None),
        }
    }

    pub(super) fn resolve_board(&mut self, board: &ast::Board) -> Option<Board> {
        let base = self.resolve(&board.base);
        if let Some(base) = &base {
            self.check_constant_address(base, "the board's address");
        }
        let pieces = self.optional(board.pieces.as_deref());
        let layout = self.check_board_layout(board, board.pieces.is_some());
        Some(Board { base: Box::new(base?), layout: layout?, pieces: pieces? })
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
    pub(super) fn resolve_number(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let resolved = self.resolve(expr)?;
        self.check_number(&resolved);
        Some(resolved)
    }

    /// An address: a number, and one of memory as far as it is constant.
    fn resolve_address(&mut self, expr: &ast::Expr, what: &str) -> Option<Expr> {
        let resolved = self.resolve_number(expr)?;
        self.check_constant_address(&resolved, what);
        Some(resolved)
    }

    fn check_number(&mut self, expr: &Expr) {
        let mut found = None;
        expr.walk(&mut |inner| {
            if is_whole(inner) {
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
            let number = eval(value, &mut Row { values: row })?;
            (number > limit).then_some((index + 1, number))
        });
        if let Some((row, number)) = found {
            let message = format!("{} in row {row}", does_not_fit(number));
            self.report(Diagnostic::error(Code::Meaning, value.span, message));
        }
    }

    /// `memfill` takes the low byte, in sim6502's language as in ours; no one means that by a constant.
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
            Kind::Register(Register::Pc) => return,
            Kind::Register(register) => format!("`{}`", register.name()),
            Kind::PlaceRead(_) | Kind::Read(Width::Byte, _) => "a byte".to_owned(),
            _ => return,
        };
        let Some(number) = fold(right).filter(|number| !(0..=0xff).contains(number)) else { return };
        let verdict = if operator == Compare::Equal { "always fails" } else { "always holds" };
        let hex = if number < 0 { String::new() } else { format!(" (${number:X})") };
        let message = format!("{what} is never {number}{hex}, so this {verdict}");
        let help = match (&left.kind, &right.kind) {
            (Kind::PlaceRead(_), Kind::Number(0x100..=0xffff)) => {
                Some("`.w` compares two bytes: `[label].w == $1234`".to_owned())
            }
            (_, Kind::Label(name, _)) => {
                Some(format!("`[{name}]` on the right is an address; `peekbyte([{name}])` is the byte there"))
            }
            _ => None,
        };
        self.report(Diagnostic::warning(Code::Meaning, left.span.to(right.span), message).help(help));
    }

    /// Addresses and values that cannot be stored, as far as they are constant.
    fn check_store(&mut self, target: &Expr, value: &Expr) {
        let lone_symbol = matches!(target.kind, Kind::Label(..));
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

/// The values of one row of a table. Variables bound after its columns are not known.
struct Row<'a> {
    values: &'a [Value],
}

impl Scope<Form> for Row<'_> {
    fn variable(&self, variable: Variable) -> Option<i64> {
        match self.values.get(variable.0 as usize)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }
}

impl Resolver for Checker<'_> {
    type Form = Form;

    fn symbol(&mut self, name: &str, span: Span) -> Option<Expr> {
        match self.names.lookup(name) {
            Lookup::Found(value) => return Some(Expr { span, kind: Kind::Label(name.to_string(), value) }),
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
        None
    }

    fn name(&mut self, name: &str, span: Span) -> Option<Expr> {
        // The innermost of a name is meant.
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == name) {
            let kind = match &local.meaning {
                Meaning::Slot(variable) => Kind::Variable(*variable),
                Meaning::Argument(value, _) => value.kind.clone(),
            };
            return Some(Expr { span, kind });
        }
        if let Some(&value) = self.defines.get(name) {
            return Some(Expr { span, kind: Kind::Number(value) });
        }
        let open = self.open_locals || self.is_incomplete;
        if !open && self.reported.insert(format!("{name} (name)")) {
            let locals = self.locals.iter().map(|local| local.name.as_str());
            let known = locals.chain(self.defines.keys().map(String::as_str));
            let help = nearest(name, known).map_or_else(
                || format!("the value of a label is written in brackets: `[{name}]`"),
                |known| format!("did you mean `{known}`?"),
            );
            self.report(Diagnostic::error(Code::Meaning, span, format!("unknown name `{name}`")).help(help));
        }
        None
    }

    fn form(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        let form = match &expr.kind {
            ExprKind::Text(text) => Form::Text(self.template(text)),
            ExprKind::Calls { index, member } => {
                Form::Calls { index: self.optional(index.as_deref())?, member: member.clone() }
            }
            ExprKind::Spy { at, index, member } => {
                let at = self.resolve(at);
                if let Some(at) = &at {
                    self.check_constant_address(at, "the spy's address");
                }
                let index = self.optional(index.as_deref());
                Form::Spy { at: Box::new(at?), index: index?, member: member.clone() }
            }
            ExprKind::Captured(at) => Form::Captured(self.optional(at.as_deref())?),
            ExprKind::Bytes(all) => Form::Bytes(resolve_all(all, self)?),
            ExprKind::EncodedText(text, encoding) => {
                Form::EncodedText(Box::new(self.resolve(text)?), *encoding)
            }
            ExprKind::Fen(board) => Form::Fen(self.resolve_board(board)?),
            ExprKind::Screen(row) => {
                self.check_chips(span, "`screen`");
                let row = self.optional(row.as_deref())?;
                if let Some(row) = &row {
                    self.check_number(row);
                }
                Form::Screen(row)
            }
            ExprKind::Contains(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                Form::Contains(Box::new(left?), Box::new(right?))
            }
            ExprKind::Backend(step) => Form::Backend(self.resolve_backend(step)?),
            _ => unreachable!("the resolver asks for the forms that it does not know itself"),
        };
        Some(Expr { span, kind: Kind::Form(form) })
    }

    fn operand(&mut self, operand: &Expr) {
        self.check_number(operand);
    }

    fn compare(&mut self, operator: Compare, left: Expr, right: Expr) -> Kind<Form> {
        if let Kind::Form(Form::Fen(board)) = &left.kind {
            self.check_board_text(board, &right);
        }
        if (is_whole(&left) || is_whole(&right)) && !matches!(operator, Compare::Equal | Compare::NotEqual) {
            self.report(
                Diagnostic::error(
                    Code::Meaning,
                    left.span.to(right.span),
                    "bytes, texts and boards are compared with == or != only",
                )
                .help("single bytes can be ordered: `[buf].b < 5`"),
            );
        }
        if matches!(right.kind, Kind::Form(Form::Fen(_) | Form::Captured(_) | Form::Screen(_))) {
            self.report(Diagnostic::error(
                Code::Meaning,
                right.span,
                "this is allowed only on the left of a comparison",
            ));
        }
        let is_sum = matches!(left.kind, Kind::Binary(..)) && has_symbol(&left);
        if is_sum && self.options.legacy_sum_reads {
            let span = left.span;
            let read = Expr { span, kind: Kind::Read(Width::Byte, Box::new(left)) };
            return Kind::Compare(operator, Box::new(read), Box::new(right));
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
        Kind::Compare(operator, Box::new(left), Box::new(right))
    }

    fn beam(&mut self, span: Span) {
        self.check_chips(span, "the beam");
    }

    fn upper_halves(&self) -> bool {
        self.options.dialect == Dialect::Full
    }
}

/// More than a number: compared as a whole, never calculated with.
fn is_whole(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Form(form) if form.is_whole())
}

fn has_symbol(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| found |= matches!(inner.kind, Kind::Label(..)));
    found
}
