//! The results of one run of the assembler on a root, with indices for questions about places.

use std::collections::HashMap;
use std::sync::OnceLock;

use tempo_assembler::analysis::{Analysis, Emission, Symbol, SymbolKind};
use tempo_assembler::{Files, Options, Output, SourceToken, assemble};
use tempo_diagnostics::{FileId, Source, Sources, Span};

use crate::FileSpan;

/// The result of a run for one root: its texts, its declarations and, if it was evaluated, its values and bytes.
#[derive(Debug)]
pub struct Facts {
    output: Output,
    analysis: Analysis,
    is_evaluated: bool,
    /// By start.
    occurrences: Vec<Occurrence>,
    /// Indices of emissions, by the start of their spans.
    emissions: Vec<u32>,
    /// The tokens of each file.
    tokens: Vec<OnceLock<Vec<SourceToken>>>,
    /// The user's labels by name.
    labels: OnceLock<HashMap<String, Vec<usize>>>,
    /// The program as the CPU sees it.
    code: OnceLock<tempo_assembler::cycles::Code>,
}

/// A place that names a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The name alone, in the offsets of all texts together.
    pub span: Span,
    /// The index of the symbol.
    pub symbol: usize,
    /// Whether the symbol is declared here.
    pub is_declaration: bool,
}

impl Facts {
    /// Reads and binds the program of a root, without running it.
    pub fn parse(files: &dyn Files, root: &str, options: &Options) -> Facts {
        let options = Options { analysis: true, parse_only: true, ..options.clone() };
        Facts::new(assemble(files, root, &options), false)
    }

    /// Assembles the program of a root.
    pub fn evaluate(files: &dyn Files, root: &str, options: &Options) -> Facts {
        let options = Options { analysis: true, parse_only: false, ..options.clone() };
        Facts::new(assemble(files, root, &options), true)
    }

    fn new(mut output: Output, is_evaluated: bool) -> Facts {
        let analysis = output.analysis.take().unwrap_or_default();
        let occurrences = occurrences(&analysis, &output.sources);
        let mut emissions: Vec<u32> = (0..analysis.emissions.len() as u32).collect();
        emissions.sort_by_key(|&index| analysis.emissions[index as usize].span.start);
        let tokens = (0..output.sources.len()).map(|_| OnceLock::new()).collect();
        let (labels, code) = (OnceLock::new(), OnceLock::new());
        Facts { output, analysis, is_evaluated, occurrences, emissions, tokens, labels, code }
    }

    /// The assembler's result, without the analysis.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Declarations, uses, expansions and bytes.
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Whether the program was run, and not only read.
    pub fn is_evaluated(&self) -> bool {
        self.is_evaluated
    }

    /// Whether there are bytes and values of the whole program.
    pub fn is_good(&self) -> bool {
        self.is_evaluated && !self.output.has_errors()
    }

    /// Whether the run was ended before it was done.
    pub fn is_cancelled(&self) -> bool {
        self.output.diagnostics.iter().any(|diagnostic| diagnostic.code == tempo_assembler::Code::Cancelled)
    }

    /// Whether a file was not there, or not as it has to be.
    pub(crate) fn misses_file(&self) -> bool {
        use tempo_assembler::Code::{DataFile, FileTooShort, ImportNotFound, RootNotFound};
        let is_about_file = |code| matches!(code, DataFile | FileTooShort | ImportNotFound | RootNotFound);
        self.output.diagnostics.iter().any(|diagnostic| is_about_file(diagnostic.code))
    }

    /// Everything that names a symbol, by place.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The paths of the texts that were read, the built-in one left out.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.output.sources.iter().skip(1).map(|(_, source)| source.name())
    }

    /// The texts with a path; a file that is imported twice has two.
    pub fn files<'a>(&'a self, path: &'a str) -> impl Iterator<Item = FileId> + 'a {
        let files = self.output.sources.iter().skip(1);
        files.filter(move |(_, source)| source.name() == path).map(|(file, _)| file)
    }

    /// Whether a path is one of the texts.
    pub fn has(&self, path: &str) -> bool {
        self.files(path).next().is_some()
    }

    /// The text of a file.
    pub fn source(&self, file: FileId) -> &Source {
        self.output.sources.get(file).expect("the number is that of a file")
    }

    /// The offsets of a place in the range of all texts.
    pub fn offsets<'a>(&'a self, path: &'a str, offset: u32) -> impl Iterator<Item = u32> + 'a {
        self.files(path).map(move |file| self.output.sources.base(file) + offset)
    }

    /// The first of [`Facts::offsets`].
    pub fn offset(&self, path: &str, offset: u32) -> Option<u32> {
        self.offsets(path, offset).next()
    }

    /// A span as a range of its file; `None` in the built-in text.
    pub fn file_span(&self, span: Span) -> Option<FileSpan> {
        let file = self.output.sources.file_of(span.start);
        (file != FileId(0)).then(|| {
            let base = self.output.sources.base(file);
            let source = self.source(file);
            let end = source.span().end;
            let local = |offset: u32| offset.saturating_sub(base).min(end);
            FileSpan {
                file: source.name().to_owned(),
                span: Span { start: local(span.start), end: local(span.end) },
            }
        })
    }

    /// The text of a span.
    pub fn text_of(&self, span: Span) -> &str {
        tempo_assembler::SourceMap::text_of(&self.output.sources, span)
    }

    /// The tokens of a file, with offsets into its own text.
    pub fn tokens(&self, file: FileId) -> &[SourceToken] {
        let text = self.source(file).text();
        self.tokens[file.0 as usize].get_or_init(|| tempo_assembler::tokens(text))
    }

    /// Returns the symbol named at an offset. Declarations come before uses.
    pub fn occurrences_at(&self, offset: u32) -> Vec<Occurrence> {
        let end = self.occurrences.partition_point(|occurrence| occurrence.span.start <= offset);
        let mut found: Vec<Occurrence> = self.occurrences[..end]
            .iter()
            .rev()
            // Names are short; one that begins further back does not reach here.
            .take_while(|occurrence| offset - occurrence.span.start <= MAX_NAME)
            .filter(|occurrence| offset <= occurrence.span.end)
            .copied()
            .collect();
        // Of two names that touch at the offset, the one that begins there is meant.
        if let Some(start) = found.iter().map(|occurrence| occurrence.span.start).max() {
            found.retain(|occurrence| occurrence.span.start == start);
        }
        found.sort_by_key(|occurrence| (!occurrence.is_declaration, occurrence.symbol));
        found
    }

    /// The labels of a name, outside of the built-in text.
    pub(crate) fn labels(&self, name: &str) -> &[usize] {
        let labels = self.labels.get_or_init(|| {
            let mut labels: HashMap<String, Vec<usize>> = HashMap::new();
            for (index, symbol) in self.analysis.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Label && self.file_span(symbol.span).is_some() {
                    labels.entry(symbol.name.clone()).or_default().push(index);
                }
            }
            labels
        });
        labels.get(name).map_or(&[], |labels| labels)
    }

    /// The program as the CPU sees it, for counting cycles.
    pub(crate) fn code(&self) -> &tempo_assembler::cycles::Code {
        self.code.get_or_init(|| crate::cycles::program(&self.analysis))
    }

    /// A symbol by its index.
    pub fn symbol(&self, index: usize) -> &Symbol {
        &self.analysis.symbols[index]
    }

    /// The emissions of the statement whose mnemonic or directive is at a span, one for each execution.
    pub fn emitted_by(&self, head: Span) -> impl Iterator<Item = &Emission> {
        self.emitted_in(head).take_while(move |emission| emission.span.start == head.start)
    }

    /// The emissions of the statements whose heads begin in a span, by place in the source.
    pub fn emitted_in(&self, span: Span) -> impl Iterator<Item = &Emission> {
        let all = &self.analysis.emissions;
        let first = self.emissions.partition_point(|&index| all[index as usize].span.start < span.start);
        let inside = self.emissions[first..].iter().map(|&index| &all[index as usize]);
        inside.take_while(move |emission| emission.span.start < span.end || emission.span.start == span.start)
    }

    /// The innermost statement around an offset, with its labels and body.
    pub fn statement_at(&self, offset: u32) -> Option<Span> {
        self.statements_around(offset).next()
    }

    /// The statements around an offset, innermost first.
    pub fn statements_around(&self, offset: u32) -> impl Iterator<Item = Span> + '_ {
        let end = self.analysis.statements.partition_point(|span| span.start <= offset);
        let mut start = u32::MAX;
        self.analysis.statements[..end].iter().rev().copied().filter(move |span| {
            let is_around = offset <= span.end && span.start < start;
            if is_around {
                start = span.start;
            }
            is_around
        })
    }
}

const MAX_NAME: u32 = 4096;

/// Everything that names a symbol, by place; those of one place by the number of their symbol.
fn occurrences(analysis: &Analysis, sources: &Sources) -> Vec<Occurrence> {
    let count = analysis.symbols.iter().map(|symbol| 1 + symbol.reopened.len() + symbol.uses.len()).sum();
    let mut found = Vec::with_capacity(count);
    for (index, symbol) in analysis.symbols.iter().enumerate() {
        let mut push = |span: Span, is_declaration: bool| {
            let span = name_span(symbol, span, is_declaration);
            found.push(Occurrence { span, symbol: index, is_declaration });
        };
        push(symbol.span, true);
        symbol.reopened.iter().for_each(|&span| push(span, true));
        symbol.uses.iter().for_each(|&span| push(span, false));
    }
    sort_by_start(&mut found);
    // In the order of the texts each is looked up once.
    let mut texts = sources.iter().map(|(file, source)| (sources.base(file), source.text()));
    let (mut base, mut text) = texts.next().unwrap_or_default();
    found.retain(|occurrence| {
        let Span { start, end } = occurrence.span;
        while start > base + text.len() as u32 {
            let Some(next) = texts.next() else { return false };
            (base, text) = next;
        }
        let symbol = &analysis.symbols[occurrence.symbol];
        // The index of `.fill` is declared by the directive, which does not name it.
        symbol.kind == SymbolKind::MultiLabel
            || start >= base
                && text.get((start - base) as usize..end.saturating_sub(base) as usize) == Some(&symbol.name)
    });
    found
}

/// Sorts by start and keeps the order of those that start together. While the user types, tens of thousands are sorted
/// with each key, and starts are small numbers: two or three rounds of counting are several times faster than comparing.
fn sort_by_start(occurrences: &mut Vec<Occurrence>) {
    const BITS: u32 = 11;
    let most = occurrences.iter().map(|occurrence| occurrence.span.start).max().unwrap_or(0);
    let mut from = std::mem::take(occurrences);
    let mut to = from.clone();
    for shift in (0..u32::BITS - most.leading_zeros()).step_by(BITS as usize) {
        let digit = |occurrence: &Occurrence| (occurrence.span.start >> shift) as usize & ((1 << BITS) - 1);
        let mut places = [0_u32; 1 << BITS];
        from.iter().for_each(|occurrence| places[digit(occurrence)] += 1);
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for occurrence in &from {
            let place = &mut places[digit(occurrence)];
            to[*place as usize] = *occurrence;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    *occurrences = from;
}

/// The name of a symbol in a declaration or use.
fn name_span(symbol: &Symbol, span: Span, is_declaration: bool) -> Span {
    if symbol.kind != SymbolKind::MultiLabel {
        return span;
    }
    // `!name:` is declared at its `!`, and `!name--` is a use of it. One without a name has its marks.
    if symbol.name.is_empty() {
        return span;
    }
    let start = if is_declaration { span.end } else { span.start + 1 };
    Span { start, end: start + symbol.name.len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_random::Random;

    #[test]
    fn occurrences_are_in_the_order_of_the_text() {
        let mut random = Random::new(tempo_testing::seed());
        for most in [1, 2, 300, 5000, 3_000_000, u32::MAX] {
            let occurrence = |symbol: usize| {
                let start = random.index(most as usize) as u32;
                Occurrence {
                    span: Span { start, end: start },
                    symbol,
                    is_declaration: symbol.is_multiple_of(3),
                }
            };
            let mut found: Vec<Occurrence> = (0..2000).map(occurrence).collect();
            let mut expected = found.clone();
            expected.sort_by_key(|occurrence| (occurrence.span.start, occurrence.symbol));
            sort_by_start(&mut found);
            assert!(found == expected, "starts below {most}");
        }
        sort_by_start(&mut Vec::new());
    }

    #[test]
    fn only_what_spells_the_name_is_an_occurrence() {
        let text = "*=$1000\n.fill 4, i\n.var i = 2\n.eval i = i + 1\n!a: bne !a-\n";
        let files: tempo_assembler::MemoryFiles =
            [("main.asm", "#import \"b.asm\"\nend: jmp end\n"), ("b.asm", text)].into_iter().collect();
        let facts = Facts::parse(&files, "main.asm", &Options::default());
        // The built-in library comes first.
        let spelled: Vec<&str> = facts
            .occurrences()
            .iter()
            .map(|occurrence| facts.text_of(occurrence.span))
            .skip_while(|name| *name != "end")
            .collect();
        assert_eq!(spelled, ["end", "end", "i", "i", "i", "i", "a", "a"]);
    }
}
