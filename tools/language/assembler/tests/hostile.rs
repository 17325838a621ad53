//! Sources that exceed a limit: each ends with a clear error, none with a panic, a hang or exhausted memory.

use pretty_assertions::assert_eq;
use tempo_assembler::{Columns, Errors, Lints, MemoryFiles, Options, Output, Severity, SourceMap, assemble};

fn assemble_text(text: &str) -> Output {
    assemble_with(text, &Options::default())
}

fn assemble_with(text: &str, options: &Options) -> Output {
    let files: MemoryFiles = [("main.asm", text)].into_iter().collect();
    assemble(&files, "main.asm", options)
}

/// `line:column: code message` of each diagnostic.
fn messages(output: &Output) -> Vec<String> {
    let place = |d: &tempo_assembler::Diagnostic| {
        let at = d.span.and_then(|span| output.sources.locate(span.start, Columns::Utf16));
        at.map_or("-".to_owned(), |at| format!("{}:{}", at.line, at.column))
    };
    output.diagnostics.iter().map(|d| format!("{}: {} {}", place(d), d.code, d.message)).collect()
}

fn first_message(text: &str) -> String {
    messages(&assemble_text(text)).into_iter().next().unwrap_or_default()
}

#[test]
fn an_endless_loop_is_named() {
    let mut options = Options::default();
    options.limits.iterations = 1000;
    let output = assemble_with("nop\n.while (true) { }\n", &options);
    assert_eq!(
        messages(&output),
        ["2:1: E0903 The loop '.while (true) { }' did not end after 1000 iterations"]
    );
    assert!(output.image.is_none());
}

#[test]
fn runaway_recursion_is_stopped() {
    let macros = first_message(".macro M() { M() }\nM()\n");
    assert_eq!(macros, "1:14: E0901 Calls are nested deeper than 2000, the last one to macro 'M'");
    let functions = first_message(".function f(x) { .return f(x+1) }\n.byte f(1)\n");
    assert_eq!(functions, "1:26: E0901 Calls are nested deeper than 2000, the last one to function 'f'");
    let deep = format!(".function f(x) {{ .return {}f(x+1) }}\n.byte f(1)\n", "- ".repeat(900));
    assert!(first_message(&deep).contains("E0901"));
}

#[test]
fn loops_in_loops_and_calls_that_double_are_stopped() {
    let mut options = Options::default();
    options.limits.iterations = 1000;
    for source in [
        ".for (var i=0; i<900; i++) {\n .for (var j=0; j<900; j++) { }\n}\n",
        ".var v = 0\n.function f(n) { .eval v++; .if (n==0) .return 0; .return f(n-1)+f(n-1) }\n.byte f(60)\n",
        ".macro M(n) { .if (n>0) {\n M(n-1)\n M(n-1)\n } }\nM(60)\n",
    ] {
        let found = messages(&assemble_with(source, &options));
        assert!(
            found[0].ends_with("E0903 Loops and calls went round more than 10000 times in all"),
            "{found:?}"
        );
    }
}

#[test]
fn a_limit_names_the_option_that_raises_it() {
    let limited = |name: &str, limit: u64, source: &str| {
        let mut options = Options::default();
        assert!(options.limits.set(name, limit), "{name}");
        let output = assemble_with(source, &options);
        let help = output.diagnostics.first().and_then(|diagnostic| diagnostic.help.clone());
        help.unwrap_or_else(|| panic!("{name}: {:?}", messages(&output)))
    };
    let files = ".fill 3, 0\n";
    for (name, limit, source, option) in [
        ("passes", 1, " lda x\n.label y = x\n.fill 2, y\n.label x = z\nz:\n", "--limit passes=2"),
        ("loop", 10, ".while (true) {}\n", "--max-loop"),
        ("depth", 10, ".macro M() { M() }\nM()\n", "--max-depth"),
        ("output", 1 << 20, ".fill 2000000, 0\n", "--limit output=2M"),
        ("value", 1 << 30, ".var l = List(3000000000)\n", "--limit value=2G"),
        ("memory", 100_000, ".var l = List()\n.while (true) .eval l.add(List(9))\n", "--limit memory=200000"),
        (
            "moved",
            1000,
            ".var v = \"\"\n.for (var i=0; i<90000; i++) .eval v = \"x\" + v\n",
            "--limit moved=2000",
        ),
    ] {
        let help = limited(name, limit, source);
        assert!(help.contains(option), "{name}: {help}");
    }
    let imports: MemoryFiles =
        [("main.asm", "#import \"a.asm\"\n"), ("a.asm", "#import \"main.asm\"\n")].into_iter().collect();
    for (name, limit, option) in [("imports", 5, "--limit imports=10"), ("source", 3, "--limit source=6")] {
        let mut options = Options::default();
        assert!(options.limits.set(name, limit));
        let output = assemble(&imports, "main.asm", &options);
        let help =
            output.diagnostics.first().and_then(|diagnostic| diagnostic.help.clone()).unwrap_or_default();
        assert!(help.contains(option), "{name}: {help} {:?}", messages(&output));
    }
    assert!(!assemble_text(files).has_errors());
}

/// Three small files can be a source of gigabytes, each statement of which is kept.
#[test]
fn imports_of_imports_are_bounded() {
    let (leaf, middle) = ("nop\n".repeat(25_000), "#import \"leaf.asm\"\n".repeat(100));
    let main = "#import \"middle.asm\"\n".repeat(100);
    let files: MemoryFiles =
        [("main.asm", &main[..]), ("middle.asm", &middle), ("leaf.asm", &leaf)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options::default());
    let found = messages(&output);
    assert!(found[0].contains("More than 33554432 bytes of source"), "{}", found[0]);
}

#[test]
fn files_are_bounded_in_all() {
    let mut options = Options::default();
    options.limits.output_bytes = 1 << 20;
    let fill = "*=$0801\n.fill 50000, 0\n";
    let entry = "[name=\"A\", type=\"prg\", segments=\"Default\"]";
    let each = |form: &dyn Fn(usize) -> String| -> String { (0..300).map(form).collect() };
    let files = each(&|number| format!(".file [name=\"{number}.prg\", segments=\"Default\"]\n"));
    let disks = each(&|number| format!(".disk [filename=\"{number}.d64\"] {{ {entry} }}\n"));
    let segments = each(&|number| {
        format!(".segmentdef S{number} [outPrg=\"{number}.prg\", start=$1000]\n.segment S{number}\nnop\n")
    });
    for source in [format!("{fill}{files}"), format!("{fill}{disks}"), segments] {
        let found = messages(&assemble_with(&source, &options));
        let last = found.last().cloned().unwrap_or_default();
        assert!(last.contains("E0904 More than 1048576 bytes of output in all files"), "{last}");
    }
}

/// A warning takes more memory than the line it is about.
#[test]
fn warnings_are_bounded() {
    let warned = |source: &str, lints: Lints| {
        let output = assemble_with(source, &Options { lints, ..Options::default() });
        let warnings = output.diagnostics.into_iter().filter(|found| found.severity == Severity::Warning);
        warnings.collect::<Vec<_>>()
    };
    let all = Lints::with_style();
    // Once for each place, in programs with errors, too.
    let cut = ".for (var i=0; i<3000; i++) { .byte i }\n";
    assert_eq!(warned(cut, all.clone()).len(), 1);
    assert_eq!(warned(&format!("{cut}.error \"x\"\n"), all.clone()).len(), 1);
    let unused = warned(&"!:\n".repeat(20_000), all);
    assert_eq!(unused.len(), 10_000);
    assert_eq!(unused[9_999].notes, ["the checks end after 10000 warnings; there may be more"]);
}

#[test]
fn a_line_is_bounded() {
    let line = format!("nop\n.byte {}0\n", "0,".repeat(9 << 20));
    assert_eq!(first_message(&line), "2:1: E0113 This line has more than 16777216 bytes");
}

/// Without a search for the end of the line at each quote, whose sum grows with the square of the length.
#[test]
fn a_line_of_quotes_is_read_once() {
    let quotes = "\"".repeat(4_000_000);
    let message = "1:9: E0201 Syntax error";
    assert_eq!(first_message(&format!(".text {quotes}")), message);
}

#[test]
fn segments_that_double_are_refused() {
    let mut source = String::from(".segmentdef S0 [start=$1000]\n");
    for level in 1..60 {
        source.push_str(&format!(".segmentdef S{level} [segments=\"S{0},S{0}\", allowOverlap]\n", level - 1));
    }
    source.push_str(".file [name=\"x.prg\", segments=\"S59\"]\n");
    assert!(first_message(&source).contains("include more than 10000 others"), "{}", first_message(&source));
}

#[test]
fn a_list_in_itself_is_looked_at_once() {
    let output =
        assemble_text(".var l = List()\n.for (var i=0; i<30; i++) .eval l.add(l, l)\n.byte l.size()\n");
    assert_eq!(messages(&output), [""; 0]);
    assert_eq!(output.image.map(|image| image.bytes), Some(vec![60]));
}

#[test]
fn a_label_held_in_its_own_scope_is_listed_once() {
    let output = assemble_text(".label l = 7 { .var x = l\n .const y = l\n nop }\n");
    let symbols = tempo_formats::sym::write(&output.program.symbols);
    let expected = "\
.label l=$7 {
  .label x=$7 {
  }
  .label y=$7 {
  }
}
";
    assert_eq!((symbols.as_str(), messages(&output).len()), (expected, 0));
}

#[test]
fn scopes_that_double_are_refused() {
    let scopes = (1..40).map(|n| format!("l{n}: {{ .var a = l{}\n .var b = a\n nop }}\n", n - 1));
    let source = format!("l0: {{ x: nop }}\n{}", scopes.collect::<String>());
    let found = first_message(&source);
    assert_eq!(found, "-: E0904 More than 1048576 symbols in variables that hold labels");
    // The address alone has no scope.
    let plain = messages(&assemble_text(&source.replace("\n .var b = a", "+0")));
    assert!(plain.iter().all(|message| !message.contains("E0904")), "{plain:?}");
}

#[test]
fn memory_is_bounded_whatever_takes_it() {
    let mut options = Options::default();
    options.limits.memory = 1 << 20;
    for source in [
        ".var h = Hashtable()\n.for (var i=0; true; i++) .eval h.put(i, i)\n",
        ".var h = Hashtable()\n.for (var i=0; true; i++) { .eval h.put(i, i)\n .eval h.remove(i) }\n",
        ".var l = List()\n.var s = \"0123456789012345678901234567890123456789\"\n.while (true) .eval l.add(s + 1)\n",
        ".var l = List()\n.while (true) .eval l.add(List())\n",
        ".struct P {x, y}\n.var l = List()\n.while (true) .eval l.add(P(1, 2))\n",
        ".while (true) .print \"hello\"\n",
        ".while (true) .assert \"a\", 1, 2\n",
        ".var f = createFile(\"x\")\n.while (true) .eval f.writeln(\"hello\")\n",
        ".while (true) { label: }\n",
        ".while (true) .break\n",
        ".while (true) *=$1000\n",
        ".while (true) nop\n",
        ".macro M(n) { .if (n > 0) { M(n - 1)\n M(n - 1) } else { nop } }\nM(40)\n",
        ".var l = List()\n.fill 1000000, l.add(List()).size()\n",
    ] {
        let found = messages(&assemble_with(source, &options));
        assert!(
            found[0].contains("E0902 Values and messages take more than 1048576 bytes"),
            "{source}: {found:?}"
        );
    }
    // What is let go of does not count.
    let source =
        ".for (var i=0; i<30000; i++) {\n .var l = List().add(\"x\" + i, List(20))\n .eval l.remove(0)\n}\n";
    assert!(!assemble_with(source, &options).has_errors());
}

#[test]
fn the_number_of_errors_is_bounded_in_every_stage() {
    for line in [
        "foo \"\n",
        "é\n",
        "@\"\\q\"\n",
        "a: .byte unknown\n",
        ".byte unknown\n",
        "#foo\n",
        "a:\n",
        ")\n",
        "x y z (\n",
    ] {
        let output = assemble_text(&line.repeat(50_000));
        let count = output.diagnostics.len();
        assert_eq!(count, 100, "{line:?}");
    }
}

#[test]
fn an_instruction_that_fails_in_a_later_pass_leaves_the_others_theirs() {
    let source = ".cpu _65c02\n*=0\nbbr0 zp.t,over\nnop\nover:.label zp=2\n";
    assert_eq!(first_message(source), "3:9: E0417 Variable 't' not present on value of type 'LabelValue'");
}

#[test]
fn many_namespaces_take_no_longer_each() {
    let source: String = (0..20_000).map(|n| format!(".namespace n{n} {{ a: rts }}\n")).collect();
    assert!(!assemble_text(&source).has_errors());
}

#[test]
fn an_import_cycle_is_stopped() {
    let files: MemoryFiles =
        [("a.asm", "#import \"b.asm\"\n"), ("b.asm", "nop\n#import \"a.asm\"\n")].into_iter().collect();
    let output = assemble(&files, "a.asm", &Options::default());
    assert_eq!(output.diagnostics[0].message, "Imports are nested deeper than 200");
    assert_eq!(output.diagnostics.len(), 1);
}

#[test]
fn a_file_of_open_brackets_is_not_read_to_its_end() {
    for open in ["(", "[", "{", "([{"] {
        let output = assemble_text(&format!("nop\n.byte {}\nnop\n", open.repeat(300_000)));
        let found = messages(&output);
        assert_eq!(found, ["2:100007: E0203 More than 100000 levels of nesting"], "{open}");
    }
}

#[test]
fn a_string_that_grows_piece_by_piece_is_its_own() {
    // Made longer in place: earlier holders, the string itself and a function in between see what it was.
    let source = r#"
        .var s = "a"
        .var before = s
        .for (var i = 0; i < 100000; i++) .eval s = s + "b"
        .eval s += "c"
        .print before + s.size()
        .var twice = "x"
        .eval twice = twice + "y"
        .eval twice = twice + twice
        .eval twice += twice
        .print twice
        .var list = List()
        .for (var i = 0; i < 3; i++) {
            .eval twice = twice + i
            .eval twice = twice + "-"
            .eval list.add(twice)
        }
        .print list.get(0) + " " + list.get(2)
        .var t = "1"
        .eval t = t + "2"
        .function change() {
            .eval t = t + "3"
            .return "4"
        }
        .eval t = t + change()
        .print t
    "#;
    let output = assemble_text(source);
    assert_eq!(messages(&output), [""; 0]);
    let printed: Vec<&str> = output.console.iter().map(|line| line.trim()).collect();
    assert_eq!(printed, ["a100002", "xyxyxyxy", "xyxyxyxy0- xyxyxyxy0-1-2-", "124"]);
    assert_eq!(
        first_message(".const c = \"a\"\n.eval c = c + \"b\"\n"),
        "2:9: E0420 Cannot write to a constant"
    );
}

#[test]
fn nesting_of_brackets_and_blocks_is_bounded() {
    for (open, close) in [("(", ")"), ("[", "]")] {
        let source = format!(".byte {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        assert!(first_message(&source).contains("E0203"), "{open}");
    }
    let blocks = format!("{}nop{}\n", "{".repeat(100_000), "}".repeat(100_000));
    assert!(first_message(&blocks).contains("E0203"));
    let unary = format!(".byte {}1\n", "-~".repeat(50_000));
    assert!(first_message(&unary).contains("E0203"));
    let sum = format!(".byte {}1\n", "1+".repeat(200_000));
    assert!(first_message(&sum).contains("E0204"));
    let calls = format!(".eval List(){}\n", ".size()".repeat(200_000));
    assert!(first_message(&calls).contains("E0204"));
    let fine = format!(".byte {}1\n", "1+".repeat(9_000));
    assert_eq!(messages(&assemble_text(&fine)), [""; 0]);
}

#[test]
fn lists_in_lists_in_lists_are_let_go() {
    let source = ".var l = List()\n.for (var i=0; i<300000; i++) .eval l = List().add(l)\n.eval l.lock()\n.byte l.size()\n";
    let output = assemble_text(source);
    assert_eq!(messages(&output), [""; 0]);
    assert_eq!(output.image.unwrap().bytes, [1]);
}

#[test]
fn sizes_are_bounded() {
    assert!(first_message(".fill 1000000000000, 0\n").contains("E0904"));
    assert!(first_message(".align 1000000000000\n nop\n").contains("E0904"));
    assert!(first_message(".var l = List(1000000000000)\n").contains("E0902"));
    assert!(first_message(".var s = \"abc\"\n.for (var i=0; i<60; i++) .eval s = s + s\n").contains("E0902"));
    assert!(first_message(".print toHexString(1, 1000000000)\n").contains("E0902"));
    assert!(first_message("*=0\n nop\n*=$fffffff0\n nop\n").contains("E0516"));
}

#[test]
fn any_bytes_are_a_source() {
    let noise: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let files: MemoryFiles = [("main.asm", noise)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options::default());
    assert!(output.has_errors());
    assert!(output.diagnostics.len() < 1000);
    let nul = assemble_text("nop\0\n");
    assert_eq!(messages(&nul), ["1:4: E0101 Syntax error"]);
    let latin: MemoryFiles =
        [("main.asm", &b".encoding \"ascii\"\n.text \"\xe9\"\n"[..])].into_iter().collect();
    assert_eq!(assemble(&latin, "main.asm", &Options::default()).image.unwrap().bytes, [0xe9]);
}

#[test]
fn independent_errors_are_all_reported() {
    let source =
        "*=$1000\n lda #\"a\"\n.byte true\n.const c = 1/true\n.byte c\n.word c+1\n sta #1\n bne *+500\n";
    let output = assemble_text(source);
    let all = [
        "2:7: E0421 The value of a Command Argument Value must be an integer. This expression returns a value of \
         type 'String'",
        "3:1: E0410 Can't get a double representation from a value of type boolean",
        "4:13: E0410 Can't get a double representation from a value of type boolean",
        "7:2: E0425 invalid adressingmode. 'sta' doesn't support IMMEDIATE mode",
    ];
    assert_eq!(messages(&output), all);
    let options = Options { errors: Errors::First, ..Options::default() };
    assert_eq!(messages(&assemble_with(source, &options)), all[..1]);
}

#[test]
fn syntax_errors_do_not_hide_each_other() {
    let source = ".byte 1,\n lda #1 sta 2\n.frob\n.if true nop\n nop\n";
    assert_eq!(
        messages(&assemble_text(source)),
        [
            "1:9: E0201 Syntax error",
            "2:9: E0201 Syntax error",
            "3:1: E0207 Invalid directive",
            "4:5: E0202 Invalid token",
        ]
    );
}

#[test]
fn near_names_are_offered() {
    let help = |text: &str| assemble_text(text).diagnostics[0].help.clone().unwrap_or_default();
    assert_eq!(help("start: nop\n jmp strat\n"), "a symbol with a similar name is 'start'");
    assert_eq!(help(".byte sni(1)\n"), "a function with a similar name is 'sin'");
    assert_eq!(help(".macro Wait() { nop }\nWiat()\n"), "did you mean 'Wait'?");
    assert_eq!(help(" LDA #1\n"), "mnemonics are written in lower case: lda");
    assert_eq!(help(".byt 1\n"), "did you mean .byte?");
    assert_eq!(help(".segmentdef Code []\n.segment Cod\n"), "did you mean 'Code'?");
}

#[test]
fn a_failed_assertion_is_an_error_unless_told_otherwise() {
    let source = ".assert \"two\", 1+1, 3\n";
    let output = assemble_text(source);
    assert_eq!(messages(&output), ["1:1: E0601 Assertion failed: two=2 (3) -- ERROR IN ASSERTION!!!"]);
    let options = Options { asserts: tempo_assembler::Asserts::Report, ..Options::default() };
    let output = assemble_with(source, &options);
    assert!(!output.has_errors());
    assert_eq!((output.asserts.made, output.asserts.failed), (1, 1));
}

#[test]
fn files_stay_in_the_output_directory() {
    for name in ["../x.prg", "/tmp/x.prg", "a/../../x.prg", "..\\\\x.prg"] {
        let source = format!(".file [name=\"{name}\", segments=\"Default\"]\n nop\n");
        assert!(first_message(&source).contains("E0604"), "{name}");
    }
    assert!(first_message(".var f = createFile(\"../x\")\n").contains("E0604"));
    let options = Options { allow_outside_output: true, ..Options::default() };
    let output = assemble_with(".file [name=\"../x.prg\", segments=\"Default\"]\n nop\n", &options);
    assert_eq!(output.files[0].name, "../x.prg");
}

#[test]
fn a_plugin_is_refused_with_the_reason() {
    let output = assemble_text(".plugin \"cml.Exomizer\"\n");
    assert_eq!(messages(&output), ["1:1: E0605 Can't find class for plugin"]);
    let note = output.diagnostics[0].notes.join("\n");
    assert!(note.contains("se.triad.kickass.CruncherPlugins, "), "{note}");
    assert!(output.diagnostics[0].help.as_deref().unwrap_or_default().contains("Java"));
}

#[test]
fn a_forced_mode_needs_an_operand_of_its_kind() {
    let bytes = |line: &str| assemble_text(&format!("*=$1000\n{line}\n")).image.map(|image| image.bytes);
    // Plain operands take any mode, others their own.
    assert_eq!(bytes("bne.r *"), Some(vec![0xd0, 0xfe]));
    assert_eq!(bytes("lda.imm $12"), Some(vec![0xa9, 0x12]));
    assert_eq!(bytes("lda.imm #$12"), Some(vec![0xa9, 0x12]));
    assert_eq!(bytes("lda.izy ($12),y"), Some(vec![0xb1, 0x12]));
    for line in
        ["bne.r", "bne.rel", "lda.imm", "lda.im", "lda.zpx", "lda.izx", "lda.izy", "lda.absx", "jmp.ind"]
    {
        let found = first_message(&format!("{line}\n"));
        assert!(
            found.contains("E0424 Cannot force") && found.ends_with("mode without an argument"),
            "{line}: {found}"
        );
    }
    for line in [
        "lda.imm ($12),y",
        "lda.zpx #1",
        "bne.r #1",
        "lda.izx $12,x",
        "jmp.i ($12,x)",
        ".cpu _65c02\nbra.r 1,2",
    ] {
        let found = first_message(&format!("{line}\n"));
        assert!(found.contains("mode on an argument of type"), "{line}: {found}");
    }
    // A command argument brings its form with it.
    let source = ".pseudocommand p a { lda.imm a }\np ($12),y\n";
    assert!(first_message(source).contains("Cannot force IMMEDIATE mode on an argument of type IZEROPAGEY"));
}

#[test]
fn strings_are_appended_to_without_copies() {
    let mut options = Options::default();
    // Each string has 240,000 bytes in the end; copies would take gigabytes.
    options.limits.moved_bytes = 32 << 20;
    for statement in [
        "s = s + \"abc\" + \"def\"",
        "s = s + (\"abc\" + \"def\")",
        "s += \"abc\" + \"def\"",
        "s = s + \"a\" + 1 + \"b\" + s.size()",
        "p.s = p.s + \"abc\" + \"def\"",
        "p.s += \"abc\"",
        "p.q.s = p.q.s + \"abc\" + \"def\"",
    ] {
        let source = format!(
            ".struct S {{s, q}}\n.var s = \"\"\n.var p = S(\"\", S(\"\", 0))\n\
             .for (var i=0; i<40000; i++) .eval {statement}\n.print s.size() + p.s.size() + p.q.s.size()\n"
        );
        let output = assemble_with(&source, &options);
        assert!(!output.has_errors(), "{statement}: {:?}", messages(&output));
        assert!(
            output.console[0].trim().parse::<f64>().unwrap() >= 120_000.0,
            "{statement}: {:?}",
            output.console
        );
    }
    let source = ".var s = \"ab\"\n.var t = s\n.eval s = s + s + t\n.eval s += s\n.print s + t\n";
    assert_eq!(assemble_text(source).console, ["  ababababababab"]);
}

#[test]
fn bytes_moved_are_bounded() {
    let mut options = Options::default();
    options.limits.moved_bytes = 1 << 20;
    for (start, statement) in [
        ("\"\"", "v = \"x\" + v"),
        ("\"ä\"", "v = v.substring(0, v.size()) + \"x\""),
        ("List().add(\"\")", "v.set(0, v.get(0) + \"x\")"),
        ("List(10000)", "v.reverse()"),
        ("List(20000)", "v.remove(0)"),
    ] {
        let source = format!(".var v = {start}\n.for (var i=0; i<20000; i++) .eval {statement}\n");
        let found = messages(&assemble_with(&source, &options));
        assert!(found.len() == 1 && found[0].contains("E0906"), "{statement}: {found:?}");
    }
}

#[test]
fn addresses_have_32_bits() {
    for source in [
        ".segmentdef S [start=$7fffffffffffffff]\n.segment S\nnop\n.file [name=\"a.prg\", segments=\"S\"]\n",
        ".segmentdef S [min=0, max=$7fffffffffffffff, fill]\n",
        ".segmentdef S [align=$7fffffffffffffff, start=1]\n",
        "*=$7fffffffffffffff\nnop\n",
        ".pseudopc $7fffffffffffffff { nop\n l: }\n",
        ".file [name=\"a.prg\", modify=\"BasicUpstart\", _start=$7fffffffffffffff]\n",
        ".segmentdef S [start=-1]\n",
    ] {
        assert!(
            first_message(source).contains("E0502 Memory address may not be"),
            "{source}: {}",
            first_message(source)
        );
    }
}

#[test]
fn a_stack_that_cannot_be_had_is_replaced_by_a_smaller_one() {
    let mut options = Options::default();
    options.limits.call_depth = u32::MAX;
    // Forty terabytes are more than any system lends; what it does lend is enough for this.
    let source = ".function f(n) { .if (n == 0) .return 0; .return 1 + f(n - 1) }\n.print f(3000)\n";
    assert_eq!(assemble_with(source, &options).console, ["  3000"]);
}

/// Segments that start after each other, the last one first: a pass more for each would be too many from 100 on.
fn chain(count: usize) -> String {
    let mut text = String::new();
    for number in (1..count).rev() {
        text += &format!(".segmentdef S{number} [startAfter=\"S{}\", align=2]\n", number - 1);
    }
    text += ".segmentdef S0 [start=$1000]\n.file [name=\"a.prg\", segments=\"S0\"]\n";
    for number in 0..count {
        text += &format!(".segment S{number} \"block {number}\"\nl{number}: .byte {}\n", number & 255);
    }
    text
}

#[test]
fn a_chain_of_segments_settles_at_once_however_long() {
    for count in [3, 500] {
        let output = assemble_text(&chain(count));
        assert_eq!(messages(&output), [""; 0]);
        assert!(output.stats.passes <= 4, "{} passes for {count} segments", output.stats.passes);
        let last = output.program.segments.iter().find(|segment| segment.name == format!("S{}", count - 1));
        let last = last.expect("it is defined").blocks.last().expect("it has a block");
        assert_eq!(last.start, 0x1000 + 2 * (count as i64 - 1));
    }
    let circle = ".segmentdef A [startAfter=\"B\"]\n.segmentdef B [startAfter=\"A\"]\n.segmentdef C [startAfter=\"A\"]\nnop\n";
    let found = messages(&assemble_text(circle));
    assert_eq!(found.len(), 2, "{found:?}");
}

/// A GIF of one colour.
fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    for number in [width, height] {
        file.extend(number.to_le_bytes());
    }
    // A palette of two colours, a frame of the whole size, no bytes of pixels.
    file.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0]);
    for number in [width, height] {
        file.extend(number.to_le_bytes());
    }
    file.extend([0, 2, 0, 0x3b]);
    file
}

#[test]
fn a_picture_is_refused_by_its_size_and_counts_for_the_memory() {
    let assemble_pictures = |text: &str, memory: u64| {
        let files: MemoryFiles = [
            ("main.asm", text.as_bytes().to_vec()),
            ("huge.gif", gif(20_000, 20_000)),
            ("a.gif", gif(300, 300)),
        ]
        .into_iter()
        .collect();
        let mut options = Options::default();
        options.limits.memory = memory;
        messages(&assemble(&files, "main.asm", &options))
    };
    let huge = assemble_pictures(".var p = LoadPicture(\"huge.gif\")\n", 512 << 20);
    assert_eq!(huge.len(), 1, "{huge:?}");
    assert!(huge[0].contains("20000 by 20000 pixels are more than"), "{huge:?}");
    // 90,000 pixels fit, or not; the same file again takes nothing.
    let often = "        .for (var i = 0; i < 30; i++) { .var p = LoadPicture(\"a.gif\") }\n";
    let large = assemble_pictures(often, 1 << 19);
    assert!(
        large[0].contains("300 by 300 pixels are more than") && large[0].contains("--limit memory="),
        "{large:?}"
    );
}
