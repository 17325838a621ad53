//! The table of words: it is consistent, every example works, and the page about debugging lists it.

use pretty_assertions::assert_eq;
use tempo_assembler::{MemoryFiles, Options, assemble};
use tempo_console::{Console, Desk, Files, Line, Problem, SLICE, Then, find, page, words};
use tempo_debug::{Debugger, Setup, Target};

/// A C64 program with the names that the examples use.
const PROGRAM: &str = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
main: ldx #4
loop: jsr sub
  dex
  bne loop
  rts
sub: inc counter
  rts
counter: .byte 0
";

struct OneFile;

impl Files for OneFile {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(vec![1, 2, 3])
    }

    fn write(&self, _: &str, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

fn debugger() -> Debugger {
    let files: MemoryFiles = [("main.asm", PROGRAM)].into_iter().collect();
    let options = Options { analysis: true, source_map: true, ..Options::default() };
    let output = assemble(&files, "main.asm", &options);
    let setup = Setup { kind: tempo_debug::System::C64Pal, history: 16, ..Setup::default() };
    Debugger::new(Target::from_output(&output, &setup).expect("a target"))
}

/// Runs a line to its end.
fn command(console: &mut Console, debugger: &mut Debugger, text: &str) -> Result<Vec<Line>, Problem> {
    let mut answer = console.command(Desk { debugger, remote: None, files: &OneFile }, text)?;
    while answer.then == Then::Runs {
        if let Some(stopped) = debugger.run(SLICE) {
            answer.lines.extend(console.stop_lines(debugger, &stopped));
            answer.then = Then::Stopped(stopped);
        }
    }
    Ok(answer.lines)
}

#[test]
fn words_and_aliases_are_unique() {
    let mut all: Vec<&str> =
        words().flat_map(|word| std::iter::once(word.name).chain(word.aliases.iter().copied())).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

/// The table is what a user reads: its examples are lines that work.
#[test]
fn every_example_works() {
    for word in words() {
        assert!(
            find(word.example.split(' ').next().unwrap_or("")).is_some_and(|found| found.name == word.name)
        );
        let (mut console, mut debugger) = (Console::default(), debugger());
        command(&mut console, &mut debugger, "break sub if x == 2").expect("a breakpoint");
        command(&mut console, &mut debugger, "continue").expect("a run");
        if let Err(problem) = command(&mut console, &mut debugger, word.example) {
            panic!("{}: {problem}", word.example);
        }
    }
}

/// A word that is used wrongly answers with the way it is used.
#[test]
fn misused_words_show_their_usage() {
    let (mut console, mut debugger) = (Console::default(), debugger());
    for word in words().filter(|word| word.arguments.starts_with(char::is_uppercase) && word.name != "hide") {
        let problem = match command(&mut console, &mut debugger, word.name) {
            Err(problem) => problem.text,
            Ok(lines) if word.name == "keys" => {
                assert_eq!(lines, []);
                continue;
            }
            Ok(lines) => panic!("{}: {lines:?}", word.name),
        };
        assert_eq!(
            problem,
            format!("`{}` is used as {}; for example {}", word.name, word.usage(), word.example)
        );
    }
}

/// Letters that are a command and a flag: the terminal takes them as commands, a console of expressions as values.
#[test]
fn a_letter_alone_may_be_a_value() {
    let (mut console, mut debugger) = (Console::of_expressions(), debugger());
    let text = |lines: Vec<Line>| lines.into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    for letter in ["b", "c", "n", "p"] {
        assert!(find(letter).is_some());
        let value = debugger.evaluate(letter).expect("a value").text;
        assert_eq!(text(command(&mut console, &mut debugger, letter).expect("a value")), value);
    }
    assert_eq!(text(command(&mut console, &mut debugger, "p x + 1").expect("a value")), "$01 1");
    console.prefers_values = false;
    assert!(text(command(&mut console, &mut debugger, "n").expect("a step")).starts_with("main.asm:4 "));
}

#[test]
fn lines_are_completed_by_what_the_word_takes() {
    let (console, debugger) = (Console::default(), debugger());
    let complete = |text: &str| {
        let found = console.complete(&debugger, text, 10);
        (found.start, found.items.into_iter().map(|item| item.text).collect::<Vec<_>>())
    };
    assert_eq!(complete("co"), (0, vec!["continue".into(), "coverage".into(), "counter".into()]));
    assert_eq!(complete("why [cou"), (5, vec!["counter".into()]));
    assert_eq!(complete("catch no ir"), (9, vec!["irq".into()]));
    assert_eq!(complete("help wa"), (5, vec!["watch".into()]));
    assert_eq!(complete("next s"), (5, vec![]));
    assert_eq!(complete("grün + su"), (8, vec!["sub".into()]));
}

/// With UPDATE=1 the page is brought up to date.
#[test]
fn the_page_about_debugging_lists_the_commands() {
    const START: &str = "<!-- commands -->\n";
    const END: &str = "<!-- end of commands -->";
    let path = tempo_testing::root().join("docs/debugging.md");
    let text = tempo_testing::text(&path);
    let (before, rest) = text.split_once(START).expect("the start of the list");
    let (_, after) = rest.split_once(END).expect("the end of the list");
    tempo_testing::compare(&path, &format!("{before}{START}{}\n{END}{after}", page()))
        .unwrap_or_else(|problem| panic!("{problem}"));
}
