//! Questions of an editor or a debugger about a program.

use pretty_assertions::assert_eq;
use tempo_assembler::analysis::{Analysis, Symbol, SymbolKind};
use tempo_assembler::{Code, Errors, FrameKind, MemoryFiles, Options, Output, SourceMap, Span, assemble};

fn analyse(files: &[(&str, &str)]) -> Output {
    let files: MemoryFiles = files.iter().copied().collect();
    assemble(&files, "main.asm", &Options { analysis: true, ..Options::default() })
}

fn analysis(output: &Output) -> &Analysis {
    output.analysis.as_ref().expect("it was asked for")
}

/// `line:column text` of a place in the main source.
fn place(output: &Output, span: Span) -> String {
    let at = output.sources.locate(span.start, tempo_assembler::Columns::Utf16).expect("a place");
    format!("{}:{} {}", at.line, at.column, output.sources.text_of(span))
}

fn uses(output: &Output, symbol: &Symbol) -> Vec<String> {
    symbol.uses.iter().map(|&span| place(output, span)).collect()
}

fn find<'o>(output: &'o Output, path: &str) -> &'o Symbol {
    analysis(output).find(path).unwrap_or_else(|| panic!("{path} is declared"))
}

#[test]
fn nothing_is_collected_without_being_asked_for() {
    let files: MemoryFiles = [("main.asm", "a: jmp a\n")].into_iter().collect();
    assert!(assemble(&files, "main.asm", &Options::default()).analysis.is_none());
}

#[test]
fn names_lead_from_uses_to_declarations_and_back() {
    let source = "\
.const WIDTH = 40
.namespace screen {
  colours: .byte 1
}
.function twice(x) { .return x * 2 }
.macro Fill(value) { lda #value }
.pseudocommand mov source : target { lda source; sta target }
.struct Point { x, y }
start: Fill(WIDTH + twice(WIDTH))
  mov #1 : screen.colours
  .var p = Point(1, 2)
!:  bne !-
  jmp start
";
    let output = analyse(&[("main.asm", source)]);
    assert_eq!(output.diagnostics, []);
    let check = |path: &str, kind: SymbolKind, declared: &str, used: &[&str]| {
        let symbol = find(&output, path);
        assert_eq!((symbol.kind, &place(&output, symbol.span)[..]), (kind, declared), "{path}");
        assert_eq!(uses(&output, symbol), used, "{path}");
    };
    check("WIDTH", SymbolKind::Constant, "1:8 WIDTH", &["9:13 WIDTH", "9:27 WIDTH"]);
    check("screen", SymbolKind::Namespace, "2:12 screen", &["10:12 screen"]);
    check("screen.colours", SymbolKind::Label, "3:3 colours", &["10:19 colours"]);
    check("twice", SymbolKind::Function, "5:11 twice", &["9:21 twice"]);
    check("twice.x", SymbolKind::Variable, "5:17 x", &["5:30 x"]);
    check("Fill", SymbolKind::Macro, "6:8 Fill", &["9:8 Fill"]);
    check("mov", SymbolKind::PseudoCommand, "7:16 mov", &["10:3 mov"]);
    check("Point", SymbolKind::Struct, "8:9 Point", &["11:12 Point"]);
    check("start", SymbolKind::Label, "9:1 start", &["13:7 start"]);
    check("", SymbolKind::MultiLabel, "12:1 !", &["12:9 !-"]);
    assert_eq!(find(&output, "WIDTH").values[0].number, Some(40.0));
    assert_eq!(find(&output, "p").values.len(), 1);

    let at = source.find("twice(WIDTH)").unwrap() as u32 + 2;
    let base = find(&output, "start").span.start - source.find("start:").unwrap() as u32;
    assert_eq!(analysis(&output).at(base + at).map(|symbol| &symbol.name[..]), Some("twice"));
}

#[test]
fn statements_have_addresses_bytes_and_cycles_for_every_expansion() {
    let source = "\
*=$1000
.macro Pair(value) {
  .for (var i = 0; i < 2; i++) {
    spot: lda #value + i
  }
}
  Pair(8)
.pseudopc $c000 {
moved: lda $d000,x
  bne moved
}
  .text \"a\"
";
    let output = analyse(&[("main.asm", source)]);
    assert_eq!(output.diagnostics, []);
    let analysis = analysis(&output);
    let emissions: Vec<_> = (analysis.emissions.iter())
        .map(|emission| {
            let bytes = analysis.bytes(emission).to_vec();
            (place(&output, emission.span), emission.address, emission.run_address, bytes, emission.cycles)
        })
        .collect();
    let row =
        |at: &str, address, run, bytes: &[u8], cycles| (at.to_owned(), address, run, bytes.to_vec(), cycles);
    assert_eq!(
        emissions,
        [
            row("4:11 lda", 0x1000, 0x1000, &[0xa9, 8], Some((2, 2))),
            row("4:11 lda", 0x1002, 0x1002, &[0xa9, 9], Some((2, 2))),
            row("9:8 lda", 0x1004, 0xc000, &[0xbd, 0x00, 0xd0], Some((4, 5))),
            row("10:3 bne", 0x1007, 0xc003, &[0xd0, 0xfb], Some((2, 4))),
            row("12:3 .text", 0x1009, 0x1009, &[1], None),
        ]
    );
    // The second iteration, inside the macro call.
    let second = &analysis.expansions[analysis.emissions[1].expansion.unwrap()];
    assert_eq!((second.kind, second.iteration), (FrameKind::Loop, 1));
    let call = &analysis.expansions[second.parent.unwrap()];
    assert_eq!((call.kind, &call.name[..], call.parent), (FrameKind::Macro, "Pair", None));
    assert_eq!(place(&output, call.span), "7:3 Pair");
    let spot = analysis.symbols.iter().find(|symbol| symbol.name == "spot").unwrap();
    let values: Vec<_> = spot.values.iter().map(|value| (value.number, value.expansion)).collect();
    assert_eq!(
        values,
        [(Some(4096.0), analysis.emissions[0].expansion), (Some(4098.0), analysis.emissions[1].expansion)]
    );
}

#[test]
fn preprocessor_symbols_and_imports_are_listed() {
    let main = "#define FAST\n#import \"other.asm\"\n#if FAST && !SLOW\n nop\n#endif\n";
    let output = analyse(&[("main.asm", main), ("other.asm", "inner: rts\n")]);
    assert_eq!(output.diagnostics, []);
    let fast = find(&output, "FAST");
    assert_eq!((fast.kind, uses(&output, fast)), (SymbolKind::Preprocessor, vec!["3:5 FAST".to_owned()]));
    let import = analysis(&output).imports[0];
    assert_eq!(place(&output, import.span), "2:9 \"other.asm\"");
    assert_eq!(output.sources.get(import.file).unwrap().name(), "other.asm");
    assert_eq!(find(&output, "inner").values[0].number, Some(8192.0));
}

#[test]
fn declarations_are_there_in_spite_of_errors() {
    for (source, code) in [
        ("start: lda #1\n.const X = \n", Code::SyntaxError),
        ("start: lda missing\n.const X = 1\n", Code::UnknownSymbol),
        ("start: lda #1\n .error \"no\"\n.const X = 1\n", Code::UserError),
    ] {
        let output = analyse(&[("main.asm", source)]);
        assert_eq!(output.diagnostics[0].code, code);
        assert_eq!(find(&output, "start").kind, SymbolKind::Label);
        if code == Code::UserError {
            assert_eq!(analysis(&output).emissions.len(), 1);
        }
    }
}

#[test]
fn spans_have_both_ends() {
    let text = |source: &str| {
        let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
        let options = Options { errors: Errors::Many, ..Options::default() };
        let output = assemble(&files, "main.asm", &options);
        let spans =
            output.diagnostics[0].span.into_iter().chain(output.diagnostics[0].labels.iter().map(|l| l.span));
        spans.map(|span| output.sources.text_of(span).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(text(" lda missing_name\n"), ["missing_name"]);
    assert_eq!(text(" lda \"a string\" +\n"), ["\n"]);
    assert_eq!(text(" .text @\"a\\qb\"\n"), ["\\"]);
    assert_eq!(text(" .frob 1\n"), [".frob"]);
    assert_eq!(text(" bne !missing--\n"), ["!missing--"]);
    assert_eq!(text(" .text \"open\n"), ["\"open"]);
    assert_eq!(text("twice: nop\n.label twice = 1\n"), ["twice", "twice"]);
    // The second place is between two characters, not half of the one after it.
    let output = analyse(&[("main.asm", "#é\n")]);
    let places: Vec<_> = output.diagnostics.iter().filter_map(|diagnostic| diagnostic.span).collect();
    assert_eq!(places.iter().map(|&span| output.sources.text_of(span)).collect::<Vec<_>>(), ["é", ""]);
    let output = analyse(&[("main.asm", "twice: nop\n.label twice = 1\n")]);
    let diagnostic = &output.diagnostics[0];
    assert_eq!(
        (diagnostic.code, &diagnostic.labels[0].text[..]),
        (Code::DuplicateSymbol, "first defined here")
    );
    assert_eq!(place(&output, diagnostic.labels[0].span), "1:1 twice");
}

#[test]
fn a_cancelled_run_ends_soon() {
    for source in [
        ".for (var i = 0; i < 1000000000000; i++) { .var x = i }\n".to_owned(),
        ".var calls = 0\n.function f(n) { .eval calls++\n .return n == 0 ? 0 : f(n - 1) + f(n - 1) }\n.print f(60)\n"
            .to_owned(),
        ".fill 500000000, mod(i, 7)\n".to_owned(),
    ] {
        let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
        // Without the cancel none of them would end: on a busy machine it may come late.
        let mut options = Options::default();
        options.limits.iterations = u64::MAX / 100;
        options.limits.output_bytes = 1 << 40;
        let cancel = options.cancel.clone();
        let output = std::thread::scope(|scope| {
            let run = scope.spawn(|| assemble(&files, "main.asm", &options));
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancel.cancel();
            run.join().expect("no panic")
        });
        assert_eq!(output.diagnostics.last().map(|diagnostic| diagnostic.code), Some(Code::Cancelled));
        assert!(output.image.is_none());
    }
}
