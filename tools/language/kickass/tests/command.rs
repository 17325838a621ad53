//! The command `kickass` on files in memory: options, places of files, console, bad input. What only a process can show
//! is in `tools/cli/tests`.

use pretty_assertions::assert_eq;
use tempo_kickass::{CommandLine, Ended, MemoryHost, run, split_words};

/// How a run ended, what it printed and what is on the disk.
struct Ran {
    ended: Ended,
    host: MemoryHost,
}

impl Ran {
    fn console(&self) -> &str {
        &self.host.console
    }

    fn read(&self, name: &str) -> &[u8] {
        let found = self.host.disk.get(format!("/project/{name}"));
        found.unwrap_or_else(|| panic!("there is no {name} but {:?}", self.files()))
    }

    fn text(&self, name: &str) -> &str {
        std::str::from_utf8(self.read(name)).expect("a text file")
    }

    /// All files, sorted.
    fn files(&self) -> Vec<String> {
        let paths = self.host.disk.files().map(|(path, _)| path.strip_prefix("/project").unwrap_or(path));
        paths.map(|path| path.to_string_lossy().into_owned()).collect()
    }
}

/// Runs the command in `/project` with words split at blanks.
fn kickass(files: &[(&str, &str)], line: &str) -> Ran {
    let mut host = MemoryHost::default();
    for (name, text) in files {
        host.disk.insert(format!("/project/{name}"), *text);
    }
    again(host, line)
}

fn again(mut host: MemoryHost, line: &str) -> Ran {
    host.console.clear();
    let command = CommandLine { folder: "/project".into(), words: split_words(line), config: None };
    let ended = run(&command, &mut host);
    Ran { ended, host }
}

const TWO_LINES: &str = "*=$1000\nstart: rts\n";
const PLACES: &str = ".file [name=\"extra.prg\", segments=\"Default\"]\n*=$1000\nstart: rts\n";

#[test]
fn side_files_lie_where_kick_assembler_puts_them() {
    let line = "src/a.asm -ODIR ../bin -symbolfile -vicesymbols -bytedump -debugdump -showmem -time";
    let ran = kickass(&[("src/a.asm", PLACES)], line);
    assert_eq!(ran.ended, Ended::Fine, "{}", ran.console());
    assert_eq!(
        ran.files(),
        [
            "bin/ByteDump.txt",
            "bin/a.dbg",
            "bin/a.prg",
            "bin/a.sym",
            "bin/a.vs",
            "bin/extra.dbg",
            "bin/extra.prg",
            "src/a.asm"
        ]
    );
    let map = "Memory Map\n----------\nDefault-segment:\n  $1000-$1000 Unnamed\n";
    assert!(ran.console().contains(map), "{}", ran.console());
    assert!(ran.console().contains("\nTime: 0.000 s\n"), "{}", ran.console());
}

#[test]
fn symbol_folder_and_block_files_and_binary() {
    let files = [("src/a.asm", "*=$1000 \"One\"\n.byte 1\n*=$2000 \"Two\"\nb: .byte 2\n")];
    let ran = kickass(&files, "src/a.asm -symbolfile -symbolfiledir ../sym -mbfiles -o out/x.prg");
    assert_eq!(ran.files(), ["out/x_One.prg", "out/x_Two.prg", "src/a.asm", "sym/a.sym"]);
    let ran = kickass(&files, "src/a.asm -binfile");
    assert_eq!(ran.read("src/a.bin").len(), 0x1001);
}

#[test]
fn errors_have_the_list_and_the_excerpt() {
    let ran = kickass(&[("a.asm", "*=$1000\n\tlda foo\n lda bar\n")], "a.asm :s=hello :x=27");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().starts_with("//---"), "{}", ran.console());
    let body: Vec<&str> = ran.console().lines().skip(5).collect();
    assert_eq!(
        body.join("\n"),
        "Output dir: /project\nUser Arguments: s=hello, x=27\nparsing\n\nGot 2 errors and 0 warnings while executing:\n  \
         (/project/a.asm 2:6) Error: Unknown symbol 'foo'\n  (/project/a.asm 3:6) Error: Unknown symbol 'bar'\n\n\
         *=$1000\n lda foo\n     ^\n\nError: Unknown symbol 'foo'\nat line 2, column 6 in a.asm"
    );
    assert_eq!(ran.files(), ["a.asm"]);
}

#[test]
fn a_missing_source_and_surplus_words_are_named() {
    let files = [("a.asm", TWO_LINES)];
    let ran = kickass(&files, "");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().ends_with("Error: No inputfile supplied.\n"), "{}", ran.console());
    let ran = kickass(&files, "absent.asm");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().ends_with("Error: Inputfile 'absent.asm' doesn't exist.\n"), "{}", ran.console());
    let ran = kickass(&files, "a.asm -bogus");
    assert_eq!(ran.ended, Ended::Fine);
    assert!(ran.console().contains("Warning. Already have an inputfile. Won't use '-bogus'"));
    let ran = kickass(&files, "a.asm :flag");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().contains("Can't parse user command line argument. Missing '='. :flag"));
}

#[test]
fn the_log_keeps_the_console_and_option_files_add_words() {
    let files = [
        ("a.asm", "#if DEEP\n.print \"deep\"\n#endif\n.print cmdLineVars.get(\"v\")\n"),
        ("opts.txt", "# options\n-define DEEP\n:v=\"two words\"\n\n-nooutput\n"),
    ];
    let ran = kickass(&files, "a.asm -cfgfile opts.txt -log log.txt");
    assert_eq!(ran.ended, Ended::Fine, "{}", ran.console());
    assert_eq!(ran.text("log.txt"), ran.console());
    assert!(ran.console().contains("  deep\n  two words\n"), "{}", ran.console());
    assert_eq!(ran.files(), ["a.asm", "log.txt", "opts.txt"]);
    let circle = [("a.asm", TWO_LINES), ("c.txt", "-cfgfile c.txt\n")];
    let ran = kickass(&circle, "a.asm -cfgfile c.txt");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().contains("in a circle"), "{}", ran.console());
    let ran = kickass(&circle, "a.asm -cfgfile absent.txt");
    assert_eq!(ran.ended, Ended::Fine);
    assert!(ran.console().contains("Warning. Can't find configfile : absent.txt\n"), "{}", ran.console());
}

#[test]
fn the_configuration_is_read_first_if_it_exists() {
    let files = [("a.asm", "#if SET\n.byte 1\n#endif\n rts\n"), ("KickAss.cfg", "-define SET\n")];
    for (config, bytes) in [("KickAss.cfg", &[0x00, 0x20, 1, 0x60][..]), ("gone", &[0x00, 0x20, 0x60])] {
        let mut host = kickass(&files, "").host;
        let words = vec!["a.asm".to_owned()];
        let config = Some(format!("/project/{config}").into());
        assert_eq!(run(&CommandLine { folder: "/project".into(), words, config }, &mut host), Ended::Fine);
        assert_eq!(host.disk.get("/project/a.prg").unwrap(), bytes);
    }
}

#[test]
fn noeval_stops_after_parsing() {
    let ran = kickass(&[("a.asm", ".error \"never executed\"\n")], "a.asm -noeval");
    assert_eq!(ran.ended, Ended::Fine, "{}", ran.console());
    assert!(ran.console().contains("Preparse done and no evaluation requested. Exiting."));
    assert_eq!(ran.files(), ["a.asm"]);
}

#[test]
fn replaced_files_and_library_folders_are_read() {
    let files = [
        ("src/a.asm", "#import \"x.inc\"\n#import \"deep.inc\"\n"),
        ("src/x.inc", ".byte 1\n"),
        ("other.inc", ".byte 2\n"),
        ("lib/deep.inc", ".byte 3\n"),
    ];
    let ran = kickass(&files, "src/a.asm -libdir lib -replacefile src/x.inc other.inc -o a.prg");
    assert_eq!(ran.read("a.prg"), [0x00, 0x20, 2, 3]);
    let ran = kickass(&files, "src/a.asm -libdir lib -o a.prg");
    assert_eq!(ran.read("a.prg"), [0x00, 0x20, 1, 3]);
}

#[test]
fn options_without_effect_are_accepted() {
    let line = "a.asm -debug -fillbyte 255 -maxaddr 8191 -warningsoff -dtv -excludeillegal -aom -pseudoc3x";
    let ran = kickass(&[("a.asm", TWO_LINES)], line);
    assert_eq!(ran.ended, Ended::Fine, "{}", ran.console());
}

#[test]
fn a_host_without_processes_says_so() {
    let ran = kickass(&[("a.asm", TWO_LINES)], "a.asm -execute \"x64 -silent\"");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().contains("Error: can't run 'x64': "), "{}", ran.console());
}

#[test]
fn asminfo_is_written_even_for_broken_sources() {
    let files = [("a.asm", "start: lda foo\n.byte sin(1)\n")];
    let ran = kickass(&files, "a.asm -asminfo all -asminfofile info.txt");
    assert_eq!(ran.ended, Ended::Failed);
    let info = ran.text("info.txt");
    for part in [
        "[version]\n5.25\n",
        "[libraries]\nMath;constant;PI\n",
        "Math;function;atan2;2\n",
        "[directives]\n*;",
        ".byte;.byte $01, $02, $03;Emits bytes.\n",
        "[ppdirectives]\n#define;",
        "[errors]\nError;1,12,1,14,0;Unknown symbol 'foo'\n[syntax]\n",
        "label;1,1,1,6,0\nmnemonic;1,8,1,10,0\nsymbolReference;1,12,1,14,0\n",
        "functionCall;2,7,2,9,0\n",
        "/a.asm\n1;KickAss.jar:/include/autoinclude.asm\n",
    ] {
        assert!(info.contains(part), "{part} is not in\n{info}");
    }
    let ran = kickass(&files, "a.asm -asminfo errors|files -asmInfoToFile less.txt");
    assert!(ran.text("less.txt").starts_with("[errors]\n"));
    assert!(!ran.text("less.txt").contains("[version]"));
    let ran = kickass(&files, "a.asm -asminfo nonsense");
    assert!(ran.console().contains("Invalid asminfo type: nonsense"), "{}", ran.console());
}

#[test]
fn asminfo_has_the_syntax_of_sound_sources_too() {
    let ran = kickass(
        &[("a.asm", "\"é𝄞\" //\n /*\n*/ nop\n"), ("b.asm", " nop // é𝄞\n/*\n*/ rts\n")],
        "b.asm -asminfo syntax",
    );
    assert_eq!(ran.ended, Ended::Fine, "{}", ran.console());
    // Columns count UTF-16 units.
    assert_eq!(
        ran.text("asminfo.txt").lines().filter(|line| line.ends_with(",1")).collect::<Vec<_>>().join("\n"),
        "mnemonic;1,2,1,4,1\ncomment;1,6,1,12,1\ncomment;2,1,3,2,1\nmnemonic;3,4,3,6,1"
    );
}

#[test]
fn files_stay_in_the_output_directory() {
    for name in ["../outside.prg", "/tmp/outside.prg", "sub/../../outside.prg"] {
        for directive in [
            format!(".file [name=\"{name}\", segments=\"Default\"]\n nop\n"),
            format!(".disk [filename=\"{name}\"] {{ }}\n nop\n"),
            format!(".segment A [start=$1000, outPrg=\"{name}\"]\n nop\n"),
            format!(".var f = createFile(\"{name}\")\n.eval f.writeln(\"x\")\n nop\n"),
        ] {
            let ran = kickass(&[("src/a.asm", &directive)], "src/a.asm");
            assert_eq!(ran.ended, Ended::Failed, "{directive}");
            let says = |text: &str| ran.console().contains(text);
            assert!(says("natural output dir") || says("Unable to create the file"), "{}", ran.console());
            assert_eq!(ran.files(), ["src/a.asm"]);
        }
    }
    let source = ".file [name=\"../out.prg\", segments=\"Default\"]\n nop\n";
    let ran = kickass(&[("src/a.asm", source)], "src/a.asm -afo");
    assert_eq!(ran.files(), ["out.prg", "src/a.asm", "src/a.prg"]);
}

#[test]
fn a_failed_run_leaves_old_files_as_they_were() {
    let broken = ".file [name=\"b.prg\", segments=\"Default\"]\nrts\n lda foo\n";
    let ran = kickass(&[("a.asm", broken), ("a.prg", "old")], "a.asm -symbolfile");
    assert_eq!(ran.ended, Ended::Failed);
    assert_eq!(ran.files(), ["a.asm", "a.prg"]);
    assert_eq!(ran.text("a.prg"), "old");
    let ran = kickass(&[("a.asm", PLACES), ("extra.prg/keep", "")], "a.asm");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().contains("Can't write '/project/extra.prg'"), "{}", ran.console());
    assert_eq!(ran.files(), ["a.asm", "extra.prg/keep"]);
    let ran = kickass(&[("a.asm", TWO_LINES)], "a.asm -o a.asm");
    assert_eq!(ran.ended, Ended::Failed);
    assert!(ran.console().contains("is a source of this program"), "{}", ran.console());
    assert_eq!(ran.text("a.asm"), TWO_LINES);
}

/// The console after the progress lines.
fn shown(ran: &Ran) -> Vec<&str> {
    let is_progress = |line: &&str| {
        line.is_empty() || ["//", "Output", "parsing", "flex"].iter().any(|word| line.starts_with(word))
    };
    ran.console().lines().filter(|line| !is_progress(line)).collect()
}

#[test]
fn one_error_of_the_layout_is_reported() {
    let overlap = "*=$1000 \"a\"\n .word 0\n*=$1001 \"b\"\n nop\n";
    let source = format!("{overlap}.segmentdef A\n.segment A\n{overlap}");
    let ran = kickass(&[("a.asm", &source)], "a.asm");
    let message = "Error: In segment 'Default' the memoryblock 'a' ($1000-$1001) overlaps 'b' ($1001-$1001)";
    assert_eq!(shown(&ran), [message]);
    for (source, message) in [
        (".segmentdef A [startAfter=\"B\"]\n.segmentdef B [startAfter=\"A\"]\n", "circular reference."),
        (".segmentdef A [segments=\"Z\", outPrg=\"x.prg\"]\n", "Subsegment 'Z' not defined."),
    ] {
        let ran = kickass(&[("a.asm", source)], "a.asm");
        assert_eq!(ran.console().matches(message).count(), 1, "{}", ran.console());
    }
}

#[test]
fn a_failed_run_prints_what_was_to_be_printed_at_once() {
    let ran = kickass(&[("a.asm", ".print \"late\"\n.printnow \"now\"\n.error \"stop\"\n")], "a.asm");
    let lines = shown(&ran);
    assert_eq!(lines.first(), Some(&"   now"));
    assert!(!lines.contains(&"  late"), "{lines:?}");
}

#[test]
fn a_limit_names_the_option_that_raises_it() {
    let source = ".for (var i=0; i<2000; i++) { nop }\n";
    let ran = kickass(&[("a.asm", source)], "a.asm -limit loop=1K");
    let last = ran.console().trim_end().lines().next_back().unwrap_or_default();
    assert!(last.starts_with("Help: ") && last.contains("-limit loop=N raises the limit"), "{last}");
    assert!(!last.contains("--"), "{last}");
    assert_eq!(kickass(&[("a.asm", source)], "a.asm -limit loop=2K").ended, Ended::Fine);
    for (word, message) in [
        ("depth=many", "'many' is not a number such as 500 or 64M"),
        ("patience=1", "there is no limit 'patience'"),
        ("depth", "expected NAME=N"),
        ("depth=9G", "9G is too large for 'depth'"),
    ] {
        let ran = kickass(&[("a.asm", source)], &format!("a.asm -limit {word}"));
        assert_eq!(ran.ended, Ended::Failed);
        assert!(ran.console().contains(message), "{}", ran.console());
    }
}

#[test]
fn arguments_of_pseudo_commands_may_be_separated_by_semicolons_and_colons() {
    let source = "*=$1000\n.pseudocommand mov s;d { lda s\n sta d }\n mov #1;$10\n mov #2:$11\n";
    let ran = kickass(&[("a.asm", source)], "a.asm -pseudoc3x");
    assert_eq!(ran.read("a.prg"), [0x00, 0x10, 0xa9, 1, 0x85, 0x10, 0xa9, 2, 0x85, 0x11]);
}

#[test]
fn a_second_run_replaces_the_files_of_the_first() {
    let mut ran = kickass(&[("a.asm", TWO_LINES)], "a.asm");
    assert_eq!(ran.read("a.prg"), [0x00, 0x10, 0x60]);
    ran.host.disk.insert("/project/a.asm", "*=$2000\n nop\n");
    let ran = again(ran.host, "a.asm");
    assert_eq!(ran.read("a.prg"), [0x00, 0x20, 0xea]);
}

#[test]
fn strange_bytes_are_read_or_refused() {
    let mut host = MemoryHost::default();
    host.disk.insert("/project/latin1.asm", *b"// caf\xe9\n.encoding \"ascii\"\n.text \"\xe9\"\n");
    let ran = again(host, "latin1.asm");
    assert_eq!(ran.read("latin1.prg"), [0x00, 0x20, 0xe9]);
    for bytes in [
        &b"lda #1\0\n"[..],
        &[0x7f, b'E', b'L', b'F', 0, 1, 2, 3, 0xff, 0xfe],
        b"\xef\xbb\xbf nop\n",
        b".text \"abc",
        b"/* abc",
        b"a: {",
        b".byte (1",
        b".byte '",
        b".for (var i",
        b".macro",
    ] {
        let mut host = MemoryHost::default();
        host.disk.insert("/project/a.asm", bytes);
        let ran = again(host, "a.asm");
        assert_eq!(ran.ended, Ended::Failed, "{bytes:?}");
        assert!(ran.console().contains("\nError: "), "{}", ran.console());
        assert_eq!(ran.files(), ["a.asm"]);
    }
}
