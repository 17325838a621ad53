//! Code moved into a macro or subroutine, calls replaced by what they expand to, numbers by names, imports in order.
//! Each is tried in memory first, and offered only if the program still assembles to what it has to be.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempo_assembler::analysis::{Role, Symbol, SymbolKind};
use tempo_assembler::dialect::{Declares, Directive};
use tempo_assembler::{Overlay, TokenKind};
use tempo_diagnostics::Span;
use tempo_isa::{Class, Cpu, Flow, Instruction, Mnemonic, Parts};

use super::{Action, ActionKind, Site};
use crate::facts::Facts;
use crate::words::Words;
use crate::{Edit, Problem, ProblemCode, apply};

/// The property that a change must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeps {
    /// All bytes.
    Bytes,
    /// That it assembles.
    Sense,
}

impl Site<'_> {
    /// The program after some edits, beside what it was.
    pub(super) fn after(&self, edits: &[Edit]) -> Option<(Arc<Facts>, Facts)> {
        let root = self.snapshot.roots_of(self.file).next()?;
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.file).or_default().push(edit);
        }
        let mut files = Overlay::new(&**root.files());
        for (file, edits) in by_file {
            files.insert(file, apply(self.snapshot.source(file)?.text(), &edits));
        }
        let after = Facts::evaluate(&files, root.path(), &self.snapshot.options_of(root));
        Some((root.evaluated().clone(), after))
    }

    /// Whether the program is still what it was after some edits.
    fn holds(&self, edits: &[Edit], keeps: Keeps) -> bool {
        let is_good = self.snapshot.roots_of(self.file).next().is_some_and(|root| root.evaluated().is_good());
        is_good
            && self.after(edits).is_some_and(|(before, after)| {
                let is_same = before.output().image == after.output().image
                    && before.output().files == after.output().files;
                after.is_good() && (keeps == Keeps::Sense || is_same)
            })
    }

    /// Whether edits leave fewer problems of a kind.
    pub(super) fn repairs(&self, edits: &[Edit], problem: &Problem) -> bool {
        let count = |facts: &Facts| {
            let all = facts.output().diagnostics.iter();
            all.filter(|other| Some(ProblemCode::Assembler(other.code)) == problem.code).count()
        };
        self.after(edits).is_some_and(|(before, after)| count(&after) < count(&before))
    }

    fn offer(&self, title: String, kind: ActionKind, edits: Vec<Edit>, keeps: Keeps) -> Option<Action> {
        let is_fine = self.holds(&edits, keeps);
        is_fine.then_some(Action { title, kind, edits, is_preferred: false, fixes: None })
    }

    /// A name that nothing of the program has.
    fn unused_name(&self, base: &str) -> String {
        let is_free = |name: &str| !self.facts.analysis().symbols.iter().any(|symbol| symbol.name == name);
        let numbered = (2..).map(|number| format!("{base}{number}"));
        [base.to_owned()].into_iter().chain(numbered).find(|name| is_free(name)).unwrap_or_default()
    }

    /// The whole lines of a selection, without blank ones at both ends.
    fn lines(&self, span: Span) -> Option<Span> {
        let text = self.words.text;
        let start = self.line_start(span.start);
        // A selection of whole lines ends at the start of the next one.
        let last = if span.end > span.start && self.line_start(span.end) == span.end {
            span.end - 1
        } else {
            span.end
        };
        let rest = &text[last as usize..];
        let end = last as usize + rest.find(['\n', '\r']).unwrap_or(rest.len());
        let lines = text.get(start as usize..end)?;
        (!lines.trim().is_empty()).then(|| Span { start, end: start + lines.trim_end().len() as u32 })
    }

    /// The heads of the statements in a span.
    fn heads(&self, span: Span) -> Vec<usize> {
        let first = self.words.tokens.partition_point(|token| token.start < span.start);
        let last = self.words.tokens.partition_point(|token| token.start < span.end);
        let is_start = |&index: &usize| self.words.statement_start(index) == index;
        let mut heads: Vec<usize> = (first..last)
            .filter(is_start)
            .map(|start| self.words.head(start))
            .filter(|&head| head < last)
            .collect();
        heads.dedup();
        heads
    }

    /// A selection of several statements as a macro and as a subroutine.
    pub(super) fn extract(&self, span: Span) -> Vec<Action> {
        let mut found = Vec::new();
        let Some(lines) = self.lines(span).filter(|_| !span.is_empty()) else { return found };
        let text = &self.words.text[lines.start as usize..lines.end as usize];
        let is_balanced = {
            let (mut depth, mut is_fine) = (0, true);
            for letter in text.chars() {
                depth += match letter {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                is_fine &= depth >= 0;
            }
            is_fine && depth == 0
        };
        let mnemonics: Vec<Mnemonic> = self
            .heads(lines)
            .into_iter()
            .filter_map(|head| Some(crate::hover::mnemonic(self.words, head)?.1))
            .collect();
        if !is_balanced || mnemonics.is_empty() {
            return found;
        }
        let newline = self.newline();
        let arguments = self.needed(lines);
        let name = self.unused_name("Extracted");
        let call = format!("        {name}({})", arguments.join(", "));
        let body =
            format!("{newline}.macro {name}({}) {{{newline}{text}{newline}}}{newline}", arguments.join(", "));
        let end = Span::at(self.words.text.len() as u32);
        let edits = vec![self.edit(lines, call), self.edit(end, body)];
        found.extend(self.offer("Extract into a macro".to_owned(), ActionKind::Extract, edits, Keeps::Bytes));
        // Code without an emission may be for any CPU; the wider ones count only in programs that use them.
        let emissions = &self.facts.analysis().emissions;
        let is_wide = |cpu: Cpu| !cpu.has_cycles();
        let is_used =
            |cpu: &Cpu| !is_wide(*cpu) || emissions.iter().any(|emission| emission.cpu == Some(*cpu));
        // A subroutine has its return address on the stack, and no arguments.
        let is_flat = mnemonics.iter().all(|&mnemonic| {
            let is_flat = |row: &Instruction| match row.effects.flow {
                Flow::Call => true,
                _ => row.class != Class::Flow && !row.effects.reads.and(row.effects.writes).meets(Parts::S),
            };
            Cpu::assembled().filter(is_used).flat_map(|cpu| cpu.rows(mnemonic)).all(is_flat)
        });
        if arguments.is_empty() && is_flat && self.stays_inside(lines) {
            let call = format!("        jsr {name}");
            let body = format!("{newline}{name}:{newline}{text}{newline}        rts{newline}");
            let edits = vec![self.edit(lines, call), self.edit(end, body)];
            let cost = if Cpu::assembled().filter(is_used).any(is_wide) { "" } else { ": 12 cycles more" };
            let title = format!("Extract into a subroutine{cost}");
            found.extend(self.offer(title, ActionKind::Extract, edits, Keeps::Sense));
        }
        found
    }

    /// Names of inner scopes that lines use and that are declared outside of them.
    fn needed(&self, lines: Span) -> Vec<String> {
        let analysis = self.facts.analysis();
        let Some(base) = self.facts.offset(self.file, 0) else { return Vec::new() };
        let is_inside = |span: Span| span.start >= base + lines.start && span.start < base + lines.end;
        let mut names: Vec<String> = Vec::new();
        let used =
            self.facts.occurrences().iter().filter(|other| !other.is_declaration && is_inside(other.span));
        for occurrence in used {
            let symbol = self.facts.symbol(occurrence.symbol);
            let is_value =
                matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Label);
            let is_inner = symbol.role == Role::Parameter
                || analysis
                    .scopes
                    .get(symbol.scope)
                    .is_some_and(|scope| scope.parent.is_some_and(|parent| parent != 0));
            if is_value && is_inner && !is_inside(symbol.span) && !names.contains(&symbol.name) {
                names.push(symbol.name.clone());
            }
        }
        names
    }

    /// Whether no branch leaves lines, and nothing from outside leads between them.
    fn stays_inside(&self, lines: Span) -> bool {
        let Some(base) = self.facts.offset(self.file, 0) else { return false };
        let is_inside = |span: Span| span.start >= base + lines.start && span.start < base + lines.end;
        self.facts.occurrences().iter().filter(|other| !other.is_declaration).all(|other| {
            let symbol = self.facts.symbol(other.symbol);
            if !matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel) {
                return true;
            }
            match (is_inside(other.span), is_inside(symbol.span)) {
                (true, false) => !self.is_branch(other.span.start - base),
                (false, true) => false,
                _ => true,
            }
        })
    }

    fn is_branch(&self, offset: u32) -> bool {
        let Some(index) = self.words.at(offset) else { return true };
        let head = self.words.head(self.words.statement_start(index));
        let word = self.words.spelled(head);
        Cpu::with_mnemonic(word).is_some_and(|(cpu, mnemonic)| {
            cpu.rows(mnemonic).any(|row| matches!(row.effects.flow, Flow::Branch | Flow::Jump))
        })
    }

    /// The body of the macro that the statement at a place calls.
    pub(super) fn inline(&self, span: Span) -> Option<Action> {
        let offset = self.facts.offset(self.file, span.start)?;
        let occurrences = self.facts.occurrences_at(offset);
        let used = occurrences.iter().find(|other| !other.is_declaration)?;
        let symbol = self.facts.symbol(used.symbol);
        if symbol.kind != SymbolKind::Macro {
            return None;
        }
        let base = offset - span.start;
        let name = self.words.at(used.span.start - base + 1)?;
        let (head, statement) = self.statement(used.span.start - base)?;
        if self.words.spelled(head) != symbol.name {
            return None;
        }
        let (_, arguments) = self.arguments(name, false)?;
        if arguments.len() != symbol.parameters.len() {
            return None;
        }
        let body = self.body(symbol, &arguments)?;
        let newline = self.newline();
        let text = format!("{{{newline}{}{newline}        }}", body.trim_matches(['\n', '\r']).trim_end());
        let title = format!("Inline this call of `{}`", symbol.name);
        self.offer(title, ActionKind::Inline, vec![self.edit(statement, text)], Keeps::Bytes)
    }

    /// The text between the braces of a macro, with arguments in place of their names.
    fn body(&self, symbol: &Symbol, arguments: &[String]) -> Option<String> {
        let sources = &self.facts.output().sources;
        let scope = self.facts.analysis().scopes.get(symbol.members?)?;
        let range = *scope.ranges.first()?;
        let file = sources.file_of(range.start);
        let base = sources.base(file);
        let words = Words::of(self.facts, file);
        let open = words.text[(range.start - base) as usize..].find('{')? as u32 + range.start - base + 1;
        let close = (range.end - base).min(words.text.len() as u32);
        let close = words.text[..close as usize].rfind('}')? as u32;
        let text = words.text.get(open as usize..close as usize)?;
        let mut edits = Vec::new();
        let inner = self.facts.occurrences().iter().filter(|other| !other.is_declaration);
        for other in inner.filter(|other| other.span.start >= base + open && other.span.end <= base + close) {
            let used = self.facts.symbol(other.symbol);
            if used.role != Role::Parameter || Some(used.scope) != symbol.members {
                continue;
            }
            let index = symbol.parameters.iter().position(|name| *name == used.name)?;
            let argument = arguments.get(index)?;
            let is_word = tempo_assembler::tokens(argument).len() == 1;
            let text = if is_word { argument.clone() } else { format!("[{argument}]") };
            let local = |offset: u32| offset - base - open;
            let span = Span { start: local(other.span.start), end: local(other.span.end) };
            edits.push(Edit { file: String::new(), span, text });
        }
        Some(apply(text, &edits.iter().collect::<Vec<_>>()))
    }

    /// A number as a separate constant, named as the machine has it if it is an address.
    pub(super) fn constant(&self, span: Span) -> Option<Action> {
        let index = self.words.at(span.start).filter(|&at| self.words.kind(at) == Some(TokenKind::Number))?;
        let (word, span) = (self.words.spelled(index), self.words.span(index));
        let value = crate::hover::value(word)?;
        let head = self.words.spelled(self.words.head(self.words.statement_start(index)));
        let declares = Directive::find(head).and_then(|directive| directive.item().declares);
        let is_named = matches!(
            declares,
            Some(Declares::Constant | Declares::Label | Declares::Variable | Declares::Enum)
        );
        if is_named || head == "*" {
            return None;
        }
        let address = u16::try_from(value).ok().filter(|&value| value > 0xff);
        let known = address.and_then(|address| self.system.hardware().named(address));
        let (directive, base) = match known {
            Some(place) => (".label", place.name.to_owned()),
            None => (".const", format!("VALUE_{value:X}")),
        };
        let name = self.unused_name(&base);
        let start = self.top_level(self.line_start(span.start));
        let line = format!("{directive} {name} = {word}{}", self.newline());
        let edits = vec![self.edit(Span::at(start), line), self.edit(span, &name[..])];
        self.offer(format!("Name it `{name}`"), ActionKind::Extract, edits, Keeps::Bytes)
    }

    /// A constant or variable that nothing uses, with its line.
    pub(super) fn unused_constant(&self, problem: &Problem) -> Option<Action> {
        let (head, statement) = self.statement(problem.place.span.start)?;
        if !matches!(self.words.spelled(head), ".const" | ".var") {
            return None;
        }
        let line = self.whole_line(statement)?;
        let name = &self.words.text[problem.place.span.start as usize..problem.place.span.end as usize];
        let edits = vec![self.edit(line, "")];
        self.holds(&edits, Keeps::Bytes).then(|| self.fix(format!("Remove `{name}`"), edits, problem))
    }

    /// An import that nothing needs, with its line.
    pub(super) fn unused_import(&self, problem: &Problem) -> Option<Action> {
        let offset = problem.place.span.start;
        let start = self.line_start(offset);
        let line = self.whole_line(Span { start, end: problem.place.span.end })?;
        let edits = vec![self.edit(line, "")];
        self.holds(&edits, Keeps::Bytes).then(|| self.fix("Remove the import", edits, problem))
    }

    /// The line of a statement with its end, if there is nothing else on it but a comment.
    fn whole_line(&self, statement: Span) -> Option<Span> {
        let text = self.words.text;
        let start = self.line_start(statement.start);
        let rest = &text[statement.end as usize..];
        let line = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
        let is_alone = text[start as usize..statement.start as usize].trim().is_empty()
            && (rest[..line].trim().trim_start_matches(['"', ')']).is_empty()
                || rest[..line].trim_start_matches('"').trim_start().starts_with("//"));
        is_alone.then(|| Span { start, end: statement.end + line as u32 })
    }

    /// The run of imports at a place in alphabetical order.
    pub(super) fn sorted_imports(&self, span: Span) -> Option<Action> {
        let text = self.words.text;
        let is_import = |line: &str| line.trim_start().starts_with("#import \"");
        let mut at = 0;
        let lines: Vec<(usize, &str)> = text
            .split_inclusive('\n')
            .map(|line| {
                at += line.len();
                (at - line.len(), line)
            })
            .collect();
        let here = lines.partition_point(|(start, _)| *start <= span.start as usize).checked_sub(1)?;
        if !is_import(lines[here].1) {
            return None;
        }
        let first = (0..here).rev().take_while(|&index| is_import(lines[index].1)).last().unwrap_or(here);
        let last = (here..lines.len()).take_while(|&index| is_import(lines[index].1)).last()?;
        let mut sorted: Vec<&str> = lines[first..=last].iter().map(|(_, line)| line.trim_end()).collect();
        let before = sorted.clone();
        sorted.sort();
        if sorted == before {
            return None;
        }
        let newline = self.newline();
        let end = lines[last].0 + lines[last].1.trim_end().len();
        let edit = self.edit(Span::new(lines[first].0, end), sorted.join(newline));
        self.offer("Sort the imports".to_owned(), ActionKind::Rewrite, vec![edit], Keeps::Bytes)
    }
}
