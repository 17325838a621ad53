//! An undeclared name: the nearest one, an import, or a declaration.

use tempo_assembler::Code;
use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::dialect;
use tempo_diagnostics::{Span, nearest};

use super::{Action, Site};
use crate::{Problem, ProblemCode};

impl Site<'_> {
    pub(super) fn unknown_name(&self, problem: &Problem) -> Vec<Action> {
        let mut found = Vec::new();
        let place = problem.place.span;
        let Some(index) = self.words.at(place.start + u32::from(place.len() > 1)) else { return found };
        let span = self.words.span(index);
        let name = self.words.spelled(index).trim_start_matches([':', '@']);
        if name.is_empty() || name.starts_with(['!', '.']) {
            return found;
        }
        let code = problem.code.and_then(ProblemCode::assembler);
        let fits = |kind: SymbolKind| match code {
            Some(Code::UnknownMacro) => kind == SymbolKind::Macro,
            Some(Code::UnknownPseudoCommand) => kind == SymbolKind::PseudoCommand,
            Some(Code::UnknownFunction) => matches!(kind, SymbolKind::Function | SymbolKind::Struct),
            _ => matches!(
                kind,
                SymbolKind::Label | SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Namespace
            ),
        };
        let symbols = &self.facts.analysis().symbols;
        let mut candidates: Vec<&str> = symbols
            .iter()
            .filter(|symbol| fits(symbol.kind) && !symbol.name.is_empty())
            .map(|symbol| &symbol.name[..])
            .collect();
        if code == Some(Code::UnknownFunction) {
            candidates.extend(dialect::FUNCTIONS.iter().map(|function| function.name));
        }
        if code == Some(Code::UnknownPseudoCommand) {
            candidates.extend(tempo_isa::Mnemonic::ALL.iter().map(|mnemonic| mnemonic.name()));
        }
        if let Some(near) = nearest(name, candidates) {
            let title = format!("Change to `{near}`");
            let mut action = self.fix(title, vec![self.edit(span, near)], problem);
            action.is_preferred = true;
            found.push(action);
        }
        found.extend(self.imports(name, &fits, problem));
        if code == Some(Code::UnknownSymbol) {
            let start = self.line_start(place.start);
            let newline = self.newline();
            let constant = format!(".const {name} = 0{newline}");
            let title = format!("Declare the constant `{name}`");
            found.push(self.fix(title, vec![self.edit(Span::at(self.top_level(start)), constant)], problem));
            let end = self.words.text.len() as u32;
            let gap =
                if self.words.text.ends_with('\n') || self.words.text.is_empty() { "" } else { newline };
            let label = format!("{gap}{name}:{newline}        rts{newline}");
            let title = format!("Add the label `{name}` at the end of the file");
            found.push(self.fix(title, vec![self.edit(Span::at(end), label)], problem));
        }
        found
    }

    /// The start of the line of the outermost statement around an offset.
    pub(super) fn top_level(&self, offset: u32) -> u32 {
        let Some(global) = self.facts.offset(self.file, offset) else { return offset };
        let base = global - offset;
        let outermost = self.facts.statements_around(global + 1).last();
        outermost.map_or(offset, |span| self.line_start(span.start.saturating_sub(base).min(offset)))
    }

    /// Files of other programs that declare the name.
    fn imports(&self, name: &str, fits: &dyn Fn(SymbolKind) -> bool, problem: &Problem) -> Vec<Action> {
        let mut found: Vec<Action> = Vec::new();
        for root in self.snapshot.roots() {
            let facts = root.parsed();
            for symbol in
                facts.analysis().symbols.iter().filter(|symbol| symbol.name == name && fits(symbol.kind))
            {
                let Some(place) = facts.file_span(symbol.span) else { continue };
                if self.facts.has(&place.file) || facts.analysis().path(symbol) != name {
                    continue;
                }
                let path = crate::rename_files::relative(self.file, &place.file);
                let title = format!("Import \"{path}\"");
                if found.iter().any(|action| action.title == title) {
                    continue;
                }
                let line = format!("#import \"{path}\"{}", self.newline());
                found.push(self.fix(title, vec![self.edit(Span::at(self.behind_imports()), line)], problem));
            }
        }
        found
    }

    /// The start of the line after the last import, or of the file.
    fn behind_imports(&self) -> u32 {
        let text = self.words.text;
        let mut at = 0;
        let mut found = 0;
        for line in text.split_inclusive('\n') {
            at += line.len() as u32;
            let line = line.trim_start();
            if line.starts_with("#import") {
                found = at;
            }
        }
        found
    }

    pub(super) fn unused_label(&self, problem: &Problem) -> Option<Action> {
        let span = problem.place.span;
        let rest = &self.words.text[span.end as usize..];
        let colon = rest.find(':').filter(|&colon| rest[..colon].trim().is_empty())?;
        let mut end = span.end + colon as u32 + 1;
        let behind = &self.words.text[end as usize..];
        let line = behind.find(['\n', '\r']).unwrap_or(behind.len());
        let start = self.line_start(span.start);
        let is_alone = behind[..line].trim().is_empty()
            && self.words.text[start as usize..span.start as usize].trim().is_empty();
        let mut from = span.start;
        if is_alone {
            from = start;
            let newline =
                behind[line..].len() - behind[line..].trim_start_matches('\r').trim_start_matches('\n').len();
            end += (line + newline.min(2)) as u32;
        }
        let title =
            format!("Remove the label `{}`", &self.words.text[span.start as usize..span.end as usize]);
        Some(self.fix(title, vec![self.edit(Span { start: from, end }, "")], problem))
    }
}
