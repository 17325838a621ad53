//! The words of the language as one table: every word is an item with the place it may be in, its forms and a
//! sentence. The parser, suggestions, completion and hovers of editors, docs/testing.md, the grammar of the VS Code
//! extension and the dictionary of the fuzzer take their words from here.

/// A word in one of the places where it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub name: &'static str,
    /// Its place.
    pub place: Place,
    /// How it is written; the first form is the usual one.
    pub forms: &'static [&'static str],
    /// One sentence about it.
    pub about: &'static str,
    /// Whether sim6502 has it, too.
    pub whose: Whose,
    /// Whether it takes the name of a file in quotes.
    pub has_file: bool,
    /// Whether it is about a whole C64.
    pub is_of_computer: bool,
    /// Whether it holds or repeats others.
    pub is_control: bool,
    /// Whether variables cannot have its name.
    pub is_reserved: bool,
}

/// Where a word may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Around suites and their lines.
    File,
    /// At the beginning of a line of a suite.
    Entry,
    /// The same, for what the program must not do.
    Guard,
    /// At the top of a suite, before all other lines.
    Machine,
    /// At the beginning of a statement.
    Step,
    /// At the beginning of a statement for one of sim6502's back ends.
    BackendStep,
    /// In an expression.
    Value,
    /// In a condition for one of sim6502's back ends.
    BackendValue,
    /// After the texts of `test`, `bench` and `suite`: an option.
    Setting,
    /// In the brackets after a word: the name of an argument, or a value that it takes.
    Argument(&'static str),
    /// The name of a machine; which there are and what they mean is known to the registry of machines.
    MachineName,
}

/// Whose word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// sim6502 has it, too.
    Sim6502,
    /// Our addition.
    Ours,
}

const fn base(place: Place, name: &'static str, forms: &'static [&'static str], about: &'static str) -> Word {
    let is_reserved = matches!(place, Place::Step | Place::BackendStep | Place::Value | Place::BackendValue);
    Word {
        name,
        place,
        forms,
        about,
        whose: Whose::Sim6502,
        has_file: false,
        is_of_computer: false,
        is_control: matches!(place, Place::File),
        is_reserved,
    }
}

const fn ours(place: Place, name: &'static str, forms: &'static [&'static str], about: &'static str) -> Word {
    Word { whose: Whose::Ours, ..base(place, name, forms, about) }
}

impl Word {
    const fn file(self) -> Word {
        Word { has_file: true, ..self }
    }

    const fn computer(self) -> Word {
        Word { is_of_computer: true, ..self }
    }

    const fn control(self) -> Word {
        Word { is_control: true, ..self }
    }

    /// Variables may have its name; then it means the variable.
    const fn hidden(self) -> Word {
        Word { is_reserved: false, ..self }
    }
}

use Place::{
    Argument, BackendStep, BackendValue, Entry, File, Guard, Machine, MachineName, Setting, Step, Value,
};

/// Every word.
pub const WORDS: &[Word] = &[
    base(File, "suites", &["suites { … }"], "Holds the suites of a file."),
    base(File, "suite", &["suite(\"name\") { … }"], "Tests of one program on one machine."),
    base(Machine, "system", &["system(c64)"], "Chooses the machine; without it the suite has a 6502 and plain memory."),
    base(Machine, "processor", &["processor(6510)"], "The older spelling of `system`."),
    base(Machine, "ultimate", &["ultimate(fs_root = \"folder\")"], "A folder for sim6502's Ultimate back end."),
    base(Entry, "symbols", &["symbols(\"a.sym\")"], "Loads names: Kick Assembler's symbol file, VICE labels, or a debugger's dump.").file(),
    base(Entry, "load", &["load(\"a.prg\", strip_header = true)", "load(\"a.bin\", address = $1000)"], "Loads a program at its own address, or a raw image.").file(),
    base(Entry, "rom", &["rom(\"kernal\", \"kernal.bin\")"], "Puts a file into a ROM of the machine.").file(),
    base(Entry, "setup", &["setup { … }"], "Statements before every test below.").control(),
    base(Entry, "test", &["test(\"id\", \"what must be true\") { … }"], "A test.").control(),
    ours(Entry, "bench", &["bench(\"id\", \"what is measured\") { … }"], "A test whose cycles are recorded.").control(),
    ours(Entry, "assemble", &["assemble(\"a.asm\", define = \"DEBUG\")"], "Assembles the source and loads program and symbols; failures, coverage and profiles then show source lines.").file(),
    ours(Entry, "define", &["define NAME = expr"], "Names a constant."),
    ours(Entry, "layout", &["layout board { … }"], "Says how `fen` stores a board."),
    ours(Entry, "procedure", &["procedure name(parameter, …) { … }"], "Names statements, to be called as `name(argument, …)`.").control(),
    ours(Entry, "stub", &["stub(place) { … }"], "Runs statements in place of a routine."),
    ours(Entry, "spy", &["spy(place)"], "Records the calls of a routine."),
    ours(Entry, "io", &["io(place, value = n)", "io(place, sequence = (…))"], "What the program reads at an address."),
    ours(Guard, "guard", &["guard write(from..to)", "guard read(from..to)"], "Fails a test whose program writes or reads there."),
    ours(Guard, "protect", &["protect(from..to)", "protect([label])"], "Fails a test whose program writes there; a lone label reaches to the next one."),
    ours(Guard, "uninit", &["uninit = fail"], "What happens when the program reads or executes a byte that neither the test nor a loaded file has written: fail, warn or off."),
    ours(Guard, "selfmod", &["selfmod = fail"], "What happens when the program writes to code that has run, or runs loaded code that it has changed: fail, warn or off; a failure names the instruction that wrote."),
    ours(Guard, "stack", &["stack = balanced"], "Fails a test whose program returns at a different stack level than it was called at, or wraps the stack."),
    ours(Guard, "zp", &["zp = ($02..$8F)"], "Fails a test whose program leaves any other zero-page byte changed."),
    ours(Guard, "preserve", &["preserve = \"x y\""], "Fails a test whose program returns with another value in one of these registers or flags."),
    ours(Entry, "include", &["include(\"shared.6502\")"], "Takes the lines of another file.").file().control(),
    base(Step, "assert", &["assert(condition, \"text\")"], "Checks; the text is optional here."),
    base(Step, "jsr", &["jsr(place, …)"], "Runs a routine until it returns."),
    base(Step, "memfill", &["memfill(from, count, value)"], "Fills a range."),
    base(Step, "memdump", &["memdump(from, count)"], "Prints a range; `memdump(from, count, screen)` *[ours]* shows screen codes as characters, `petscii` PETSCII."),
    ours(Step, "forall", &["forall(n in 0..255) { … }"], "Checks for many values.").control(),
    ours(Step, "equivalent", &["equivalent([Old], [New], in = (a, x in 0..39), out = (a, c))"], "Proves that two routines leave the same for all values of the places that `in` names; an address means the byte there."),
    ours(Step, "each", &["each (name, name) { (1, 2) … }", "each file(\"cases.csv\")"], "Runs the test for every row of a table.").file().control(),
    ours(Step, "stub", &["stub(place) { … }"], "Runs statements in place of a routine."),
    ours(Step, "spy", &["spy(place)"], "Records the calls of a routine."),
    ours(Step, "io", &["io(place, value = n)", "io(place, sequence = (…))"], "What the program reads at an address."),
    ours(Step, "capture", &["capture a"], "In a stub: keeps a value for `captured`."),
    ours(Step, "fen", &["fen(place, \"8/8/…\")"], "Sets up a board."),
    ours(Step, "bytes", &["bytes(to, 1, 2)"], "Stores bytes."),
    ours(Step, "words", &["words(to, $1234)"], "Stores words, low byte first."),
    ours(Step, "text", &["text(to, \"HI\", screen)"], "Stores a text."),
    ours(Step, "file", &["file(to, \"x.bin\")"], "Stores the bytes of a file.").file(),
    ours(Step, "copy", &["copy(to, from, count)"], "Copies a range."),
    ours(Step, "random", &["random(to, count, seed)"], "Fills a range with random bytes, the same ones every time."),
    ours(Step, "frames", &["frames(n)"], "Lets n frames pass.").computer(),
    ours(Step, "keys", &["keys(\"TEXT{RETURN}{F1}{WAIT 50}\")"], "Types, and lets the frames pass that it takes: five for a key; the names are those of `tempo run --keys`.").computer(),
    ours(Step, "irq", &["irq(at_cycle = n)"], "Requests an interrupt in the next call."),
    ours(Step, "nmi", &["nmi(at_cycle = n)"], "Requests a non-maskable interrupt in the next call."),
    ours(Step, "joystick", &["joystick(2, \"up+fire\")"], "Holds the joystick in port 1 or 2 there until the next such line; `\"none\"` is the middle.").computer(),
    ours(Step, "paddles", &["paddles(1, 100, 200)"], "Turns the paddles in port 1 or 2 to these positions, 0 to 255: what $D419 and $D41A read while CIA 1 selects the port (PA6 port 1, PA7 port 2). Their buttons are `left` and `right` of `joystick`.").computer(),
    ours(Step, "mouse", &["mouse(1, x, y)"], "Moves a 1351 mouse in port 1 or 2 to a position, counted to the right and upwards; programs read its lower six bits. Its buttons are `fire` and `up` of `joystick`.").computer(),
    ours(Step, "pen", &["pen(x, y)"], "Holds a light pen against this pixel of the picture: column 32 and row 35 (NTSC: 23) are the first of the text window.").computer(),
    ours(Step, "cartridge", &["cartridge(\"game.crt\")"], "Plugs a cartridge in and resets the machine: the frames that follow are those of the cartridge's program.").file().computer(),
    ours(Step, "disk", &["disk(\"game.d64\")", "disk(\"level.prg\", \"scores.seq\")"], "Puts a disk in drive 8: an image, or one with these files. Every such line puts in a fresh one; what a program saves is on it until then, and reaches no file of yours.").file().computer(),
    ours(Step, "screenshot", &["screenshot(\"name\")"], "Compares the last complete picture with `name.png`.").computer(),
    ours(Step, "snapshot", &["snapshot(\"name\", from, count)"], "Compares memory with a file."),
    base(BackendStep, "basic", &["basic(\"LIST\")"], "Types a line of BASIC."),
    base(BackendStep, "run", &["run()", "run(wait = \"TEXT\")"], "Starts the program whose BASIC line is in memory; waits until the text is on the screen.").computer(),
    base(BackendStep, "wait_ready", &["wait_ready()"], "Lets frames pass until the program has returned to the prompt.").computer(),
    base(BackendStep, "wait_text", &["wait_text(\"TEXT\")"], "Lets frames pass until the text is on the screen.").computer(),
    base(BackendStep, "send_key", &["send_key(\"F1\")"], "Types one key, by its character or name.").computer(),
    base(BackendStep, "pause", &["pause(cycles_count = n)", "pause(screen = \"TEXT\")", "pause(watch = place, value = n)"], "Stops the machine after n cycles, at a text or at a value."),
    base(BackendStep, "resume", &["resume()"], "Lets it go on."),
    base(BackendStep, "cold_start", &["cold_start()"], "Switches the machine off and on."),
    base(BackendStep, "uci", &["uci(target, command, …)"], "Sends a command to the Ultimate."),
    base(Value, "true", &["true"], "The condition holds; 1."),
    base(Value, "false", &["false"], "The condition does not hold; 0."),
    base(Value, "cycles", &["cycles"], "The cycles of the test so far."),
    base(Value, "peekbyte", &["peekbyte(place)"], "The byte there."),
    base(Value, "peekword", &["peekword(place)"], "The word there, low byte first."),
    base(Value, "memchk", &["memchk(place, count, value)"], "Whether every byte of a range has this value."),
    base(Value, "memcmp", &["memcmp(one, two, count)"], "Whether two ranges hold the same bytes: `assert(memcmp([Copy], [Original], 40) == true, \"copied\")`."),
    ours(Value, "calls", &["calls[1].cycles", "calls.count"], "What a call of the test took: `cycles` or `instructions`; or how many there were."),
    ours(Value, "captured", &["captured", "captured(place)"], "The bytes that stubs have captured, all or those of one stub."),
    ours(Value, "spy", &["spy(place).count", "spy(place)[1].a"], "How often a routine was called, and with which registers, flags and `caller`."),
    ours(Value, "bytes", &["bytes(1, 2, 3)"], "Bytes to compare a range with."),
    ours(Value, "text", &["text(\"HELLO\", petscii)"], "A text to compare a range with, in `ascii`, `petscii` or `screen` codes."),
    ours(Value, "fen", &["fen(place)"], "The board there."),
    ours(Value, "screen", &["screen()", "screen(row)"], "The text of the screen, or of a row from 0 to 24, without the spaces at the ends of rows; compared with `==`, `!=` and `contains`.").computer(),
    ours(Value, "raster", &["raster"], "The line that the beam is on.").computer().hidden(),
    ours(Value, "cycle", &["cycle"], "The cycle of that line, counted from 1.").computer().hidden(),
    ours(Value, "contains", &["screen() contains \"READY.\""], "Whether a text is on the screen.").computer().hidden(),
    ours(Value, "and", &["a == 1 and x == 2"], "Whether both conditions hold."),
    ours(Value, "or", &["a == 1 or x == 2"], "Whether one of two conditions holds."),
    ours(Value, "not", &["not a == 1", "x not in (2, 4)"], "Whether a condition does not hold."),
    ours(Value, "in", &["a in 1..8", "x in (2, 4)"], "Whether a value is in a range or a list.").control(),
    base(BackendValue, "screen_contains", &["screen_contains(\"TEXT\")"], "Whether the screen contains the text.").computer(),
    base(BackendValue, "screen_line", &["screen_line(row, \"TEXT\")"], "Whether a row of the screen contains the text.").computer(),
    base(BackendValue, "uci_status", &["uci_status(\"TEXT\")"], "Whether the Ultimate answered with the text."),
    base(BackendValue, "uci_data", &["uci_data(index)"], "A byte of the Ultimate's answer."),
    base(Setting, "skip", &["skip = true"], "Leaves the test out."),
    base(Setting, "trace", &["trace = true"], "Records every instruction, and prints it when the test fails; `--trace-all` always."),
    base(Setting, "timeout", &["timeout = n"], "The cycles after which the test fails; without it those of `--max-cycles`."),
    base(Setting, "tags", &["tags = \"a, b\""], "Words to choose tests by."),
    ours(Setting, "isolate", &["isolate = true"], "Runs the test on a fresh machine."),
    ours(Setting, "budget", &["budget = n"], "The cycles that the whole test may take."),
    ours(Setting, "protect", &["protect = (from..to)"], "As the line of a suite."),
    ours(Setting, "uninit", &["uninit = fail"], "As the line of a suite."),
    ours(Setting, "selfmod", &["selfmod = fail"], "As the line of a suite."),
    ours(Setting, "stack", &["stack = balanced"], "As the line of a suite."),
    ours(Setting, "zp", &["zp = ($02..$8F)"], "As the line of a suite."),
    ours(Setting, "preserve", &["preserve = \"x y\""], "As the line of a suite."),
    base(Argument("jsr"), "stop_on_rts", &["stop_on_rts = true"], "Stops at the closing RTS."),
    base(Argument("jsr"), "stop_on_address", &["stop_on_address = place"], "Stops there; the instruction there is the last one executed."),
    base(Argument("jsr"), "fail_on_brk", &["fail_on_brk = true"], "Fails at a BRK."),
    ours(Argument("jsr"), "max_cycles", &["max_cycles = n"], "Fails after n cycles."),
    base(Argument("load"), "address", &["address = $1000"], "Where the file is loaded."),
    base(Argument("load"), "strip_header", &["strip_header = true"], "Whether the first two bytes are a load address."),
    ours(Argument("assemble"), "define", &["define = \"DEBUG\""], "Sets preprocessor symbols."),
    ours(Argument("io"), "value", &["value = n"], "What is read there."),
    ours(Argument("io"), "sequence", &["sequence = (1, 2)"], "What is read there, one after the other."),
    ours(Argument("irq"), "at_cycle", &["at_cycle = n"], "The cycle of the call."),
    ours(Argument("nmi"), "at_cycle", &["at_cycle = n"], "The cycle of the call."),
    ours(Argument("forall"), "samples", &["samples = n"], "Tries n values at most."),
    ours(Argument("forall"), "seed", &["seed = n"], "The seed that values are drawn by."),
    ours(Argument("forall"), "prove", &["prove = true"], "Proves it for all values; fails if that is impossible."),
    ours(Argument("equivalent"), "in", &["in = (a, x in 0..39)"], "Registers, flags and places that have all values, or those of a range."),
    ours(Argument("equivalent"), "out", &["out = (a, [Result])"], "What both must leave."),
    ours(Argument("screenshot"), "tolerance", &["tolerance = n"], "The number of pixels that may differ."),
    base(Argument("run"), "wait", &["wait = \"TEXT\""], "Waits until the text is on the screen."),
    base(Argument("run"), "timeout", &["timeout = n"], "The frames after which waiting fails."),
    base(Argument("wait_text"), "timeout", &["timeout = n"], "The frames after which waiting fails."),
    base(Argument("wait_ready"), "timeout", &["timeout = n"], "The frames after which waiting fails."),
    base(Argument("ultimate"), "fs_root", &["fs_root = \"folder\""], "The folder."),
    base(MachineName, "c64", &[], "A machine."),
    base(MachineName, "generic_6502", &[], "A machine."),
    base(MachineName, "generic_6510", &[], "A machine."),
    base(MachineName, "generic_65c02", &[], "A machine."),
    base(MachineName, "C64", &[], "A machine."),
    base(MachineName, "generic_65C02", &[], "A machine."),
    base(Argument("pause"), "cycles_count", &["cycles_count = n"], "Stops after n cycles."),
    base(Argument("pause"), "screen", &["screen = \"TEXT\""], "Stops when the text is on the screen."),
    base(Argument("pause"), "watch", &["watch = place"], "The byte to look at."),
    base(Argument("pause"), "value", &["value = n"], "Stops when that byte has this value."),
];

/// A list that is made of the words of some places.
#[derive(Clone, Copy)]
enum List {
    Steps,
    Entries,
    Machines,
    BackendSteps,
    BackendValues,
    Settings,
    Values,
}

const fn is_in(place: Place, list: List) -> bool {
    match list {
        List::Steps => matches!(place, Step),
        List::Entries => matches!(place, Entry | Guard),
        List::Machines => matches!(place, Machine),
        List::BackendSteps => matches!(place, BackendStep),
        List::BackendValues => matches!(place, BackendValue),
        List::Settings => matches!(place, Setting),
        List::Values => matches!(place, Value),
    }
}

const fn count(list: List) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < WORDS.len() {
        count += is_in(WORDS[index].place, list) as usize;
        index += 1;
    }
    count
}

const fn names<const COUNT: usize>(list: List) -> [&'static str; COUNT] {
    let mut names = [""; COUNT];
    let (mut found, mut index) = (0, 0);
    while index < WORDS.len() {
        if is_in(WORDS[index].place, list) {
            names[found] = WORDS[index].name;
            found += 1;
        }
        index += 1;
    }
    names
}

/// Statements a test may start with, for hints and for finding the next statement after a fault.
pub const STEPS: &[&str] = &names::<{ count(List::Steps) }>(List::Steps);
/// Lines a suite may hold.
pub const ENTRIES: &[&str] = &names::<{ count(List::Entries) }>(List::Entries);
/// Lines at the top of a suite.
pub const MACHINES: &[&str] = &names::<{ count(List::Machines) }>(List::Machines);
/// Statements of other back ends.
pub const BACKEND_STEPS: &[&str] = &names::<{ count(List::BackendSteps) }>(List::BackendSteps);
/// Conditions and values of other back ends.
pub const BACKEND_VALUES: &[&str] = &names::<{ count(List::BackendValues) }>(List::BackendValues);
/// Options of `test`, `bench` and `suite`.
pub const OPTIONS: &[&str] = &names::<{ count(List::Settings) }>(List::Settings);
/// Words that mean something inside an expression.
pub const VALUES: &[&str] = &names::<{ count(List::Values) }>(List::Values);

/// The contents allowed in the brackets after a word.
pub fn arguments(of: &str) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| matches!(word.place, Argument(owner) if owner == of))
}

/// All that a word means, in the order of the table.
pub fn find(name: &str) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.name == name)
}

/// Whether a file of lines for others to include may start with this word.
pub fn is_shareable(word: &str) -> bool {
    ENTRIES.contains(&word) && !matches!(word, "test" | "bench")
}

/// Whether a word is a keyword of the base language: not usable as a symbol's name there.
pub fn is_base_keyword(word: &str) -> bool {
    find(word).any(|word| word.whose == Whose::Sim6502)
}

/// Whether a procedure of this name could not be called: the word means something else at the start of a statement.
pub fn is_reserved_procedure(word: &str) -> bool {
    let is_statement = |word: &Word| word.is_reserved || matches!(word.place, File | Entry | Guard | Machine);
    find(word).any(is_statement)
        || crate::ast::Register::parse(word).is_some()
        || crate::ast::Flag::parse(word).is_some()
}

/// Whether a variable of this name would hide a part of the language. Registers and flags may be hidden:
/// `forall(n in 0..255)` means its own `n`.
pub fn is_reserved_name(word: &str) -> bool {
    find(word).any(|word| word.is_reserved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_once_in_a_place_and_its_forms_show_it() {
        for (index, word) in WORDS.iter().enumerate() {
            let is_same = |other: &Word| (other.name, other.place) == (word.name, word.place);
            assert!(!WORDS[..index].iter().any(is_same), "{}", word.name);
            assert!(word.about.ends_with('.'), "{}", word.name);
            assert!(word.forms.iter().all(|form| form.contains(word.name)), "{}", word.name);
            assert_eq!(word.forms.is_empty(), word.place == MachineName, "{}", word.name);
            if let Argument(of) = word.place {
                assert!(find(of).next().is_some(), "{of}");
            }
        }
    }

    #[test]
    fn words_of_statements_are_reserved_and_those_of_the_beam_are_not() {
        assert!(is_reserved_name("memfill") && is_reserved_name("screen") && is_reserved_name("uci_data"));
        assert!(!is_reserved_name("raster") && !is_reserved_name("n") && !is_reserved_name("skip"));
        assert!(is_base_keyword("watch") && is_base_keyword("fs_root") && !is_base_keyword("max_cycles"));
        assert!(is_shareable("zp") && is_shareable("layout") && !is_shareable("bench"));
    }
}
