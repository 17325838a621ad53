//! Suites and their lines: files, machines, setups, tests.

use std::sync::Arc;

use super::Checker;
use crate::assemble;
use crate::ast::{self, Entry, EntryKind, Guard, Name, OptionKind, Range, Suite, Test, TestOption, Text};
use crate::diag::{Code, Diagnostic, Severity};
use crate::eval::fold;
use crate::files::{FileError, Loaded};
use crate::parse::Dialect;
use crate::plan::{
    AddressRange, Double, Expr, Guards, Load, Step, SuitePlan, Surroundings, TestPlan, Value, has_doubles,
};
use crate::source::Span;
use tempo_expressions::resolve::resolve_all;
use tempo_formats::symbols::Symbols;
use tempo_rig::MOST_CYCLES;

/// The meaning of a suite's lines, up to a place in it, for the tests below.
#[derive(Default)]
struct Lines {
    setup: Option<Arc<Vec<Step>>>,
    /// Shared by the tests between two lines that change it.
    shared: Option<(Arc<Surroundings>, Arc<Guards>)>,
}

impl Checker<'_> {
    pub(super) fn check_suite(&mut self, suite: &Suite) -> SuitePlan {
        self.reported.clear();
        self.machine = suite.machine.map_or(tempo_emu::System::default(), |line| line.system);
        self.guards = Guards::default();
        self.place = Surroundings { names: self.names.clone(), ..Surroundings::default() };
        self.default_layout =
            (self.layouts.len() == 1).then(|| self.layouts.keys().next().cloned()).flatten();
        let mut plan = SuitePlan {
            name: suite.name.value.clone(),
            span: suite.span,
            machine: self.machine,
            isolate: false,
            tests: Vec::new(),
        };
        for option in &suite.options {
            match &option.kind {
                OptionKind::Isolate(on) => plan.isolate = *on,
                OptionKind::Guard(guard) => self.add_guard(guard, GuardsOf::Suite),
                _ => {}
            }
        }
        self.declared.clear();
        self.procedures.clear();
        self.setup_at = None;
        self.check_entries(&suite.entries, &suite.options, &mut Lines::default(), &mut plan);
        plan
    }

    fn check_entries(
        &mut self,
        entries: &[Entry],
        options: &[TestOption],
        lines: &mut Lines,
        plan: &mut SuitePlan,
    ) {
        for entry in entries {
            match &entry.kind {
                EntryKind::Test(test) => {
                    self.declare_test(&test.id.value, test.id.span);
                    let (place, guards) = lines
                        .shared
                        .get_or_insert_with(|| (Arc::new(self.place.clone()), Arc::new(self.guards.clone())))
                        .clone();
                    let tests = self.check_test(test, options, lines.setup.as_ref(), &place, &guards);
                    for row in tests.iter().filter(|_| test.each.is_some()) {
                        self.declare_test(&row.id, test.id.span);
                    }
                    plan.tests.extend(tests);
                }
                EntryKind::Setup(body) => {
                    if let Some(first) = self.setup_at.replace(entry.span)
                        && self.is_elsewhere(first, entry.span)
                    {
                        self.report(
                            Diagnostic::new(
                                Severity::Note,
                                Code::Meaning,
                                entry.span,
                                "this `setup` replaces the one before it",
                            )
                            .label_at(first, "the one replaced is here"),
                        );
                    }
                    self.is_setup = true;
                    self.called_steps = 0;
                    lines.setup = Some(Arc::new(self.resolve_steps(body)));
                    self.is_setup = false;
                }
                EntryKind::Include { file, entries, problem } => {
                    if let Some(problem) = problem {
                        self.report_file(file, problem);
                        self.is_incomplete = true;
                    }
                    self.includes.push(entry.span);
                    self.check_entries(entries, options, lines, plan);
                    self.includes.pop();
                }
                _ => {
                    lines.shared = None;
                    self.check_line(entry);
                }
            }
        }
    }

    /// Two tests of one id cannot be told apart by a report, a filter or a rerun.
    fn declare_test(&mut self, id: &str, span: Span) {
        let Some(first) = self.declared.insert(format!("test {id}"), span).filter(|&first| first != span)
        else {
            return;
        };
        let message = format!("the id `{id}` is defined twice in this suite");
        // sim6502 runs both.
        let diagnostic = match self.options.dialect {
            Dialect::Full => Diagnostic::error(Code::Meaning, span, message),
            Dialect::Base => Diagnostic::warning(Code::Meaning, span, message),
        };
        self.report(diagnostic.label_at(first, "first here"));
    }

    /// A name that one file has declared is not declared again by another in the same suite.
    fn declare(&mut self, kind: &str, name: &Name) {
        let first = self.declared.insert(format!("{kind} {}", name.value), name.span);
        if let Some(first) = first.filter(|&first| self.is_elsewhere(first, name.span)) {
            let message = format!("the {kind} `{}` is declared twice", name.value);
            self.report(
                Diagnostic::error(Code::Meaning, name.span, message).label_at(first, "first declared here"),
            );
        }
    }

    fn check_line(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::Symbols(file) => {
                let is_read = self.check_symbols(file).is_some();
                self.lacks_labels |= !is_read;
            }
            EntryKind::Load { file, address, strip_header } => {
                self.check_load(entry.span, file, address.as_ref(), *strip_header);
            }
            EntryKind::Rom { socket, file } => self.check_rom(socket, file),
            EntryKind::Assemble { file, defines } => {
                let is_assembled = self.check_assemble(file, defines).is_some();
                self.lacks_labels |= !is_assembled;
            }
            EntryKind::Define { name, value } => {
                self.declare("define", name);
                let Some(value) = self.resolve(value) else { return };
                match fold(&value) {
                    Some(number) => {
                        Arc::make_mut(&mut self.defines).insert(name.value.clone(), number);
                    }
                    None => {
                        self.report(Diagnostic::error(Code::Meaning, value.span, "a `define` needs a constant value").help(
                            "numbers, labels and other defines are constant; registers and memory are not",
                        ))
                    }
                }
            }
            EntryKind::Layout(layout) => {
                self.declare("layout", &layout.name);
                self.check_layout(layout);
            }
            EntryKind::Procedure(procedure) => self.declare_procedure(procedure),
            EntryKind::Double(double) => {
                if let Some(double) = self.resolve_double(double) {
                    self.place.doubles.push((entry.span, double));
                }
            }
            EntryKind::Guard(guard) => self.add_guard(guard, GuardsOf::Suite),
            EntryKind::Setup(_) | EntryKind::Test(_) | EntryKind::Include { .. } => {}
        }
    }

    /// A file's bytes, or a message. Paths start at the file that names them.
    pub(super) fn read_file(&mut self, file: &Text) -> Option<Loaded> {
        match self.files.read(&file.value, Some(self.source.file_at(file.span.start).0.name())) {
            Ok(loaded) if loaded.bytes.is_empty() => {
                self.report(Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("`{}` is empty", file.value),
                ));
                None
            }
            Ok(loaded) => Some(loaded),
            Err(problem) => {
                self.report_file(file, &problem);
                None
            }
        }
    }

    fn report_file(&mut self, file: &Text, problem: &FileError) {
        let message = match problem {
            FileError::NotFound => format!("cannot find `{}`", file.value),
            why => format!("cannot read `{}`: {why}", file.value),
        };
        let help = (*problem == FileError::NotFound).then(|| {
            if file.value.starts_with('/') {
                "to look elsewhere, map the leading folders: --map /code=DIR".to_string()
            } else {
                "paths are relative to the suite file, then to the working directory".to_string()
            }
        });
        self.report(Diagnostic::error(Code::Meaning, file.span, message).help(help));
    }

    /// Adds the names of a symbol file. `None` after a message.
    fn check_symbols(&mut self, file: &Text) -> Option<()> {
        let loaded = self.read_file(file)?;
        let text: String = match std::str::from_utf8(&loaded.bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_string(),
            Err(_) => {
                self.report(
                    Diagnostic::error(
                        Code::Meaning,
                        file.span,
                        format!("`{}` is not a symbol file: it is not text", file.value),
                    )
                    .help("symbols(…) takes the file made by -symbolfile, VICE labels or a -debugdump"),
                );
                return None;
            }
        };
        match Symbols::parse(&known_lines(&text)) {
            Ok(symbols) => {
                if symbols.is_empty() {
                    self.report(Diagnostic::warning(
                        Code::Meaning,
                        file.span,
                        format!("`{}` defines no symbols", file.value),
                    ));
                }
                self.add_names(&symbols);
                Some(())
            }
            Err(err) => {
                self.report(Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("cannot read the symbols of `{}`: {err}", file.value),
                ));
                None
            }
        }
    }

    fn add_names(&mut self, symbols: &Symbols) {
        self.names = Arc::new(self.names.with(symbols));
        self.place.names = self.names.clone();
        self.reported.clear();
    }

    fn check_load(
        &mut self,
        span: Span,
        file: &Text,
        address: Option<&ast::Expr>,
        strip_header: Option<bool>,
    ) {
        let address = address.map(|expr| {
            let address = self.resolve(expr)?;
            self.constant_address(&address, "the load address")
        });
        let loaded = self.read_file(file);
        let address = match address {
            Some(None) => return,
            Some(address) => address,
            None => None,
        };
        let Some(loaded) = loaded else { return };
        let bytes = &loaded.bytes;
        let strip = strip_header == Some(true);
        if bytes.len() < 2 && (strip || address.is_none()) {
            self.report(
                Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("`{}` has no load address: it is one byte long", file.value),
                )
                .help("raw images need `address = …`"),
            );
            return;
        }
        if address.is_none() && !strip {
            self.report(
                Diagnostic::warning(
                    Code::Meaning,
                    span,
                    "the two bytes of the load address are loaded too, so everything sits two bytes late",
                )
                .help("a .prg is loaded with `strip_header = true`, a raw image with `address = …`"),
            );
        }
        let address = address.unwrap_or_else(|| u16::from_le_bytes([bytes[0], bytes[1]]));
        let bytes: Arc<[u8]> = bytes[if strip { 2 } else { 0 }..].into();
        self.add_load(file, address, bytes);
    }

    fn add_load(&mut self, file: &Text, address: u16, bytes: Arc<[u8]>) {
        let room = 0x10000 - usize::from(address);
        if bytes.len() > room {
            let message = format!(
                "`{}` does not fit: {} bytes from ${address:04X} run {} bytes past $FFFF",
                file.value,
                bytes.len(),
                bytes.len() - room
            );
            self.report(Diagnostic::error(Code::Meaning, file.span, message));
            return;
        }
        self.place.loads.push(Load { address, bytes });
    }

    fn check_rom(&mut self, socket: &Text, file: &Text) {
        let name = socket.value.to_ascii_lowercase();
        let Some(limit) = (match name.as_str() {
            "basic" | "kernal" => Some(0x2000),
            "chargen" | "char" => Some(0x1000),
            _ => None,
        }) else {
            self.report(
                Diagnostic::warning(
                    Code::Meaning,
                    socket.span,
                    format!("there is no ROM socket `{}`", socket.value),
                )
                .help("the sockets are basic, kernal and chargen"),
            );
            return;
        };
        if !self.machine.has_sockets() {
            self.report(
                Diagnostic::warning(Code::Meaning, socket.span, "this machine has no ROM sockets")
                    .help("`system(c64)` has them"),
            );
            return;
        }
        let Some(loaded) = self.read_file(file) else { return };
        if loaded.bytes.len() > limit {
            let message = format!(
                "`{}` is too large for the {name} socket: {} bytes, {limit} fit",
                file.value,
                loaded.bytes.len()
            );
            self.report(Diagnostic::error(Code::Meaning, file.span, message));
            return;
        }
        let image = Some(loaded.bytes[..].into());
        match name.as_str() {
            "basic" => self.place.roms.basic = image,
            "kernal" => self.place.roms.kernal = image,
            _ => self.place.roms.chargen = image,
        }
    }

    /// Adds the bytes and names of a program. `None` after a message.
    fn check_assemble(&mut self, file: &Text, defines: &[Text]) -> Option<()> {
        let loaded = self.read_file(file)?;
        let own = defines
            .iter()
            .flat_map(|text| text.value.split(','))
            .map(|define| define.trim().to_string())
            .filter(|define| !define.is_empty());
        let defines: Vec<String> = self.cache.defines.iter().cloned().chain(own).collect();
        let files = self.files;
        let program = self.cache.get(&loaded.path, &defines, || {
            assemble::assemble(&loaded, &defines, files, self.cache.analysis, &self.cache.cancel)
        });
        match &*program {
            Err(messages) => {
                let mut diagnostic = Diagnostic::error(
                    Code::Meaning,
                    file.span,
                    format!("`{}` does not assemble", file.value),
                );
                diagnostic.notes = messages.clone();
                self.report(diagnostic);
                None
            }
            Ok(program) => {
                for (address, bytes) in &program.blocks {
                    match u16::try_from(*address) {
                        Ok(address) => self.add_load(file, address, bytes.clone()),
                        Err(_) => {
                            let message =
                                format!("`{}` puts bytes at ${address:X}, outside memory", file.value);
                            self.report(Diagnostic::error(Code::Meaning, file.span, message));
                        }
                    }
                }
                self.place.lines = if self.place.lines.is_empty() {
                    program.lines.clone()
                } else {
                    Arc::new(self.place.lines.with(&program.lines))
                };
                self.add_names(&program.symbols);
                Some(())
            }
        }
    }

    fn check_test(
        &mut self,
        test: &Test,
        suite_options: &[TestOption],
        setup: Option<&Arc<Vec<Step>>>,
        place: &Arc<Surroundings>,
        guards: &Arc<Guards>,
    ) -> Vec<Arc<TestPlan>> {
        let (names, rows) = self.check_table(test.each.as_ref());
        for name in &names {
            self.bind(name);
        }
        self.called_steps = 0;
        self.open_locals = rows.is_none();
        self.rows = rows.clone().unwrap_or_default();
        let body = Arc::new(self.resolve_steps(&test.body));
        self.rows.clear();
        self.locals.clear();
        self.slots = 0;
        self.open_locals = false;

        let mut plan = TestPlan {
            id: test.id.value.clone(),
            description: test.description.value.clone(),
            kind: test.kind,
            span: test.span,
            values: Vec::new(),
            skip: false,
            trace: false,
            timeout: 0,
            budget: None,
            tags: Vec::new(),
            setup: setup.cloned(),
            body,
            place: place.clone(),
            guards: guards.clone(),
            needs_probe: false,
        };
        // A test's own tags join the suite's; any other option replaces it.
        let mut own_guards = (**guards).clone();
        let (mut suite_tags, mut own_tags) = (Vec::new(), Vec::new());
        for (options, tags) in [(suite_options, &mut suite_tags), (&test.options[..], &mut own_tags)] {
            for option in options {
                match &option.kind {
                    OptionKind::Skip(on) => plan.skip = *on,
                    OptionKind::Trace(on) => plan.trace = *on,
                    OptionKind::Timeout(cycles) => {
                        plan.timeout = (*cycles).max(0) as u64;
                        if plan.timeout > MOST_CYCLES {
                            self.report(Diagnostic::error(
                                Code::Meaning,
                                option.span,
                                format!("a timeout is at most {MOST_CYCLES} cycles"),
                            ));
                        }
                    }
                    OptionKind::Tags(text) => {
                        *tags = text
                            .value
                            .split(',')
                            .map(|tag| tag.trim().to_lowercase())
                            .filter(|tag| !tag.is_empty())
                            .collect();
                    }
                    OptionKind::Budget(cycles) => {
                        let Some(cycles) = self.resolve(cycles) else { continue };
                        match fold(&cycles) {
                            Some(number) if number > 0 => plan.budget = Some(number as u64),
                            _ => self.report(Diagnostic::error(
                                Code::Meaning,
                                cycles.span,
                                "a budget is a constant number of cycles",
                            )),
                        }
                    }
                    OptionKind::Isolate(_) | OptionKind::Guard(_) => {}
                }
            }
        }
        plan.tags = suite_tags;
        plan.tags.extend(own_tags);
        for option in &test.options {
            match &option.kind {
                OptionKind::Guard(guard) => self.add_guard(guard, GuardsOf::Test(&mut own_guards)),
                OptionKind::Isolate(_) => self.report(
                    Diagnostic::warning(
                        Code::Meaning,
                        option.span,
                        "`isolate` is an option of suites; here it has no effect",
                    )
                    .help("write `suite(\"name\", isolate = true)`"),
                ),
                _ => {}
            }
        }
        if own_guards != **guards {
            plan.guards = Arc::new(own_guards);
        }
        plan.needs_probe = !plan.guards.is_off()
            || !place.doubles.is_empty()
            || has_doubles(&plan.body)
            || setup.is_some_and(|setup| has_doubles(setup));
        let Some(rows) = rows else { return vec![Arc::new(plan)] };
        if test.each.is_none() {
            return vec![Arc::new(plan)];
        }
        rows.into_iter()
            .enumerate()
            .map(|(index, values)| {
                let values: Vec<(String, Value)> = names.iter().cloned().zip(values).collect();
                let description = fill_in(&plan.description, &values);
                let id = format!("{}[{}]", plan.id, index + 1);
                Arc::new(TestPlan { id, description, values, ..plan.clone() })
            })
            .collect()
    }

    fn add_guard(&mut self, guard: &Guard, target: GuardsOf<'_>) {
        let mut guards = match target {
            GuardsOf::Suite => self.guards.clone(),
            GuardsOf::Test(ref guards) => (**guards).clone(),
        };
        match guard {
            Guard::Write(ranges) => guards.write.extend(self.address_ranges(ranges)),
            Guard::Read(ranges) => guards.read.extend(self.address_ranges(ranges)),
            Guard::Uninit(how) => guards.uninit = *how,
            Guard::SelfMod(how) => guards.selfmod = *how,
            Guard::Stack(how) => guards.stack = *how,
            Guard::ZeroPage(ranges) if ranges.is_empty() => guards.zero_page = None,
            Guard::ZeroPage(ranges) => {
                let found = self.address_ranges(ranges);
                if let Some((_, range)) = found.iter().zip(ranges).find(|(found, _)| found.last > 0xff) {
                    self.report(Diagnostic::error(
                        Code::Meaning,
                        range.span,
                        "this is not in the zero page ($00..$FF)",
                    ));
                }
                guards.zero_page = Some(found);
            }
            Guard::Preserve(text) => {
                guards.preserve =
                    text.value.split([' ', ',']).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
            }
        }
        match target {
            GuardsOf::Suite => self.guards = guards,
            GuardsOf::Test(own) => *own = guards,
        }
    }

    fn address_ranges(&mut self, ranges: &[Range]) -> Vec<AddressRange> {
        let mut found = Vec::new();
        for range in ranges {
            let start = self.resolve(&range.start);
            let end = range.end.as_ref().map(|end| self.resolve(end));
            let Some(start) = start else { continue };
            let Some(first) = self.constant_address(&start, "the start of the range") else { continue };
            let last = match &end {
                Some(None) => continue,
                Some(Some(end)) => match self.constant_address(end, "the end of the range") {
                    Some(last) => last,
                    None => continue,
                },
                // A lone label stands for everything up to the next one.
                None if matches!(start.kind, tempo_expressions::Kind::Label(..)) => {
                    let next = self.names.next_after(i64::from(first)).unwrap_or(0x10000);
                    (next - 1).clamp(i64::from(first), 0xffff) as u16
                }
                None => first,
            };
            if last < first {
                self.report(Diagnostic::error(Code::Meaning, range.span, "the range ends before it starts"));
                continue;
            }
            found.push(AddressRange { first, last });
        }
        found
    }

    pub(super) fn resolve_double(&mut self, double: &ast::Double) -> Option<Double> {
        let (at, what) = match double {
            ast::Double::Stub { at, .. } => (at, "the stub's address"),
            ast::Double::Spy { at } => (at, "the spy's address"),
            ast::Double::Io { at, .. } => (at, "the address"),
        };
        let at = self.resolve(at);
        if let Some(at) = &at {
            self.constant_address(at, what);
        }
        Some(match double {
            ast::Double::Stub { body, .. } => {
                let body = self.resolve_steps(body);
                Double::Stub { at: at?, body }
            }
            ast::Double::Spy { .. } => Double::Spy { at: at? },
            ast::Double::Io { values, .. } => {
                let values = resolve_all(values, self);
                Double::Io { at: at?, values: values? }
            }
        })
    }

    /// A constant in 0…65535, or a message.
    pub(super) fn constant_address(&mut self, expr: &Expr, what: &str) -> Option<u16> {
        let message = match fold(expr).map(|value| (value, u16::try_from(value))) {
            Some((_, Ok(address))) => return Some(address),
            Some((value, Err(_))) => format!("{what} is {value}, outside 0…65535"),
            // A parameter is one when it has an argument.
            None if self.is_declaring => return None,
            None => format!("{what} must be a constant"),
        };
        self.report(Diagnostic::error(Code::Meaning, expr.span, message));
        None
    }
}

/// Whose guards a line or option adds to.
enum GuardsOf<'a> {
    Suite,
    Test(&'a mut Guards),
}

/// `{name}` in a text, replaced by the row's value.
fn fill_in(text: &str, values: &[(String, Value)]) -> String {
    let mut out = text.to_string();
    for (name, value) in values {
        let hole = format!("{{{name}}}");
        if out.contains(&hole) {
            out = out.replace(&hole, &value.to_string());
        }
    }
    out
}

/// The lines of a symbol file that say something; any others are ignored, as the language promises.
fn known_lines(text: &str) -> String {
    if tempo_formats::vice::is_vice(text) || tempo_formats::debugdump::is_debug_dump(text) {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.split("//").next().unwrap_or_default().trim();
        let known = (trimmed.starts_with(".label") && trimmed.contains('='))
            || (trimmed.starts_with(".namespace") && trimmed.ends_with('{'))
            || trimmed == "}";
        if known {
            out.push_str(trimmed);
        } else if trimmed.ends_with('{') {
            // Its closing brace comes later; the names inside keep a scope.
            out.push_str(".namespace _ {");
        }
        out.push('\n');
    }
    out
}
