//! The documents about the assembler stay true: docs/dialect.md and the words of the grammar that editors colour sources
//! by are made from the tables in `tempo_assembler::dialect`, every item of which has a fixture that uses it; and
//! docs/errors.md has an entry for every code.
//!
//! `UPDATE=1 cargo test -p tempo-assembler --test docs` writes the page and the grammar anew.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::dialect::{self, Declares, Function, Known, Takes, Whose};
use tempo_assembler::{Code, Cpu};
use tempo_isa::{Mnemonic, Standing};

fn main() {
    let arguments = Arguments::from_args();
    let trials = vec![
        Trial::test("dialect-page-is-current", dialect_page),
        Trial::test("every-error-code-is-explained", error_page),
        Trial::test("lists-of-cpus-are-those-of-the-registry", cpu_lists),
        Trial::test("words-of-the-grammar-are-current", grammar),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// A source that shows something at work.
struct Fixture {
    /// Relative to the project's root.
    path: String,
    area: String,
    name: String,
    text: String,
    words: String,
    is_rejected: bool,
}

fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    for folder in ["conformance", "asm"] {
        let folder = tempo_testing::fixtures().join(folder);
        let mut paths = tempo_testing::files_with_extension(&folder, "asm");
        // What cases import shows things, too.
        paths.extend(tempo_testing::files_with_extension(&folder, "inc"));
        for path in paths {
            let relative = path
                .strip_prefix(tempo_testing::root())
                .expect("fixtures lie in the project")
                .to_string_lossy();
            found.push(Fixture {
                path: relative.replace('\\', "/"),
                area: part(path.parent().unwrap_or(&path)),
                name: part(&path.with_extension("")),
                text: String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned(),
                words: std::fs::read_to_string(path.with_extension("args")).unwrap_or_default(),
                is_rejected: path.with_extension("err").exists()
                    || relative.contains("/err/")
                    || relative.contains("/mistakes/"),
            });
        }
    }
    found
}

fn part(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Kick Assembler's behaviour, ours, and the reason. Under the name `kickass` only the rows hold that say so.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "a failed `.assert` leaves the exit code at 0",
        "`tempo asm` fails; `--keep-going-on-assert` and `kickass` do as Kick Assembler",
        "a build must not pass with a broken assertion",
    ),
    (
        "evaluation stops at the first error",
        "`tempo asm` goes on with statements that do not depend on it; `kickass` stops",
        "one run shows more",
    ),
    (
        "after a syntax error, names of the broken statement are unknown in others",
        "`tempo asm` reports the syntax error alone; `kickass` reports both",
        "one cause, one message",
    ),
    (
        "an error inside a built-in macro is shown in the built-in source",
        "`tempo asm` shows the call of the macro; `kickass` does not",
        "the built-in source cannot be changed",
    ),
    (
        "a missing source ends with status 1",
        "`tempo asm` ends with 2: it could not run; `kickass` with 1",
        "scripts tell a broken program from a wrong call",
    ),
    (
        "Java plugins are loaded",
        "the packers of `CruncherPlugins` and `TS` are built in; other plugins are errors that list these, under both names",
        "there is no Java here",
    ),
    (
        "some sources end in an exception of Java: runaway recursion, `.asserterror` with an expression in a macro, a line \
         end before the last value of `.assert`",
        "a message, or the result that the text means, under both names",
        "no source may crash the assembler",
    ),
    (
        "endless loops and growing values run until memory is full",
        "a limit ends them with a message, under both names; options raise it",
        "editors run unfinished text",
    ),
    (
        "an output may overwrite a source",
        "refused, under both names",
        "nothing a run writes may destroy its input",
    ),
    (
        "files are written one by one as they are made",
        "all files of a run or none, under both names",
        "a failed run leaves no half of a build",
    ),
    (
        "`KickAss.cfg` is beside the jar",
        "it is beside the program, under the name `kickass` only",
        "there is no jar",
    ),
    (
        "`random()` differs from run to run",
        "the same numbers in every run, under both names; `setSeed` gives Kick Assembler's",
        "two runs give the same bytes",
    ),
    (
        "the last bit of `sin`, `cos`, `tan`, `exp`, `log`, `log10` and `pow` is that of Java's processor",
        "that of the system's library, under both names; all other functions give Java's results",
        "Java leaves that bit open, and no table of sines was seen to differ by a byte",
    ),
    (
        "source that is not UTF-8 shows replacement characters",
        "it is read as Latin-1, under both names",
        "old sources keep their bytes",
    ),
];

/// Where methods and fields of a type are tested.
fn area_of(group: &str) -> &'static str {
    match group {
        "String" | "Text" => "strings",
        "List" => "lists",
        "Hashtable" => "hashtables",
        "struct" => "structs",
        "Vector" | "Matrix" => "vectors",
        "65xxArgumentValue" | "Arguments" => "pseudocommands",
        "BinaryFile" => "import_data",
        "CharPadFile" | "SpritePadFile" => "ok",
        "SidFile" | "Picture" => "media",
        "OutputFile" | ".file" | ".disk" | ".disk file" => "files",
        ".segmentdef" | "any segment" => "segments",
        "Math" => "math",
        "options" => "",
        _ => "",
    }
}

/// The clearest fixture for something: not rejected, named after it, of its area, short.
fn best<'a>(
    fixtures: &'a [Fixture],
    name: &str,
    group: &str,
    uses: impl Fn(&Fixture) -> bool,
) -> Option<&'a Fixture> {
    let area = area_of(group);
    let name = name.trim_start_matches(['.', '#', '-', '_']).to_ascii_lowercase();
    fixtures.iter().filter(|fixture| uses(fixture)).min_by_key(|fixture| {
        let plain = fixture.name.replace('_', "");
        (
            fixture.is_rejected,
            fixture.area != area && !area.is_empty(),
            !plain.contains(&name),
            fixture.text.len(),
        )
    })
}

/// Whether a text has this word, not as part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let starts_as_word = word.starts_with(is_word);
        let ends_as_word = word.ends_with(is_word);
        !(starts_as_word && before.is_some_and(is_word) || ends_as_word && after.is_some_and(is_word))
    })
}

/// A line of a table.
struct Row<'a> {
    name: &'a str,
    group: &'a str,
    shown: &'a str,
    about: &'a str,
    /// Why it does not do here what its name says.
    note: Option<&'static str>,
    whose: Whose,
}

impl<'a> Row<'a> {
    fn new(name: &'a str, group: &'a str, shown: &'a str, about: &'a str) -> Row<'a> {
        Row { name, group, shown, about, note: None, whose: Whose::Kick }
    }
}

/// One table of the page.
struct Table<'a> {
    page: &'a mut String,
    fixtures: &'a [Fixture],
    missing: &'a mut Vec<String>,
}

impl Table<'_> {
    fn head(&mut self, title: &str, text: &str) {
        // Writing to a String cannot fail, here and below.
        let _ = write!(self.page, "\n## {title}\n\n{text}\n\n| | | | fixture |\n|---|---|---|---|\n");
    }

    fn row(&mut self, row: Row<'_>, uses: impl Fn(&Fixture) -> bool) {
        let Row { name, group, shown, about, note, whose } = row;
        let tick = match (note, whose) {
            (Some(_), _) => "–",
            (None, Whose::Kick) => "✓",
            (None, Whose::Ours) => "ours",
        };
        let about = match note {
            Some(note) => format!("{about} *{note}.*"),
            None => about.to_owned(),
        };
        let link = match best(self.fixtures, name, group, uses) {
            Some(fixture) => format!("[{}/{}](../{})", fixture.area, fixture.name, fixture.path),
            None => match in_command_tests(name) {
                Some(link) => link,
                None => {
                    self.missing.push(format!("{group} {name}"));
                    "none".into()
                }
            },
        };
        let _ = writeln!(
            self.page,
            "| {tick} | `{}` | {} | {link} |",
            shown.replace('|', "\\|"),
            about.replace('|', "\\|")
        );
    }
}

const COMMAND_TESTS: [&str; 2] = ["tools/language/kickass/tests/command.rs", "tools/cli/tests/asm_cli.rs"];

/// Options are tested on the command, too.
fn in_command_tests(name: &str) -> Option<String> {
    let uses = |file: &str| {
        let text = std::fs::read_to_string(tempo_testing::root().join(file)).unwrap_or_default();
        has_word(&text.to_ascii_lowercase(), &name.to_ascii_lowercase())
    };
    let file = COMMAND_TESTS.into_iter().find(|file| name.starts_with('-') && uses(file))?;
    Some(format!("[{}](../{file})", part(Path::new(file))))
}

/// The forms of a call.
fn calls(function: &Function) -> String {
    let forms: Vec<String> = function.forms.iter().map(|form| format!("{}({form})", function.name)).collect();
    forms.join("` `")
}

fn dialect_page() -> Result<(), Failed> {
    let fixtures = fixtures();
    let mut missing = Vec::new();
    let mut page = String::from(
        "# The dialect\n\n\
         What of Kick Assembler's language and command line we take: all of it, except Java plugins other than the packers.\n\
         A tick means that the linked fixture uses it and gives the bytes Kick Assembler gives.\n\
         This page is written by `UPDATE=1 cargo test -p tempo-assembler --test docs`; a test keeps it true.\n",
    );
    page.push_str(
        "\n## What differs on purpose\n\n\
         Everything else that differs is a mistake in Tempo.\n\n\
         | Kick Assembler | here | why |\n|---|---|---|\n",
    );
    for (there, here, why) in DIFFERENCES {
        let _ = writeln!(page, "| {there} | {here} | {why} |");
    }
    let mut table = Table { page: &mut page, fixtures: &fixtures, missing: &mut missing };

    table.head("Directives", "With an example each.");
    for item in dialect::DIRECTIVES {
        let about = format!("{} `{}`", item.about, item.example);
        let row = Row::new(item.name, "", item.name, &about);
        let row = Row { note: item.note, whose: item.whose, ..row };
        table.row(row, |fixture| has_word(&fixture.text, item.name));
    }
    table.head("Preprocessor", "These run while the text is read.");
    for item in dialect::PREPROCESSOR {
        let about = format!("{} `{}`", item.about, item.example);
        let row = Row { whose: item.whose, ..Row::new(item.name, "", item.name, &about) };
        table.row(row, |fixture| has_word(&fixture.text, item.name));
    }
    table.head("Functions", "With their arguments.");
    let mut functions: Vec<&Function> = dialect::FUNCTIONS.iter().collect();
    let subject = |group: &str| dialect::FUNCTIONS.iter().position(|function| function.group == group);
    functions.sort_by_cached_key(|function| (subject(function.group), function.name.to_ascii_lowercase()));
    for function in functions {
        let call = format!("{}(", function.name);
        let forms = calls(function);
        let row = Row::new(function.name, function.group, &forms, function.about);
        table.row(Row { whose: function.whose, ..row }, |fixture| has_word(&fixture.text, &call));
    }
    table.head("Methods", "By the type of the value.");
    for method in dialect::METHODS {
        let call = format!(".{}(", method.name);
        let area = area_of(method.group);
        let (forms, about) = (calls(method), format!("{}: {}", method.group, method.about));
        let row = Row::new(method.name, method.group, &forms, &about);
        table.row(Row { whose: method.whose, ..row }, |fixture| {
            fixture.text.contains(&call) && (area.is_empty() || fixture.area == area || fixture.area == "ok")
        });
    }
    table.head("Fields", "Read without a call.");
    for field in dialect::FIELDS {
        let access = format!(".{}", field.name);
        let about = format!("{}: {}", field.group, field.about);
        let row = Row::new(field.name, field.group, field.name, &about);
        table.row(Row { whose: field.whose, ..row }, |fixture| {
            let is_media = fixture.area == area_of(field.group) || field.whose == Whose::Ours;
            is_media && has_word(&fixture.text, &access)
        });
    }
    table.head("Constants", "The opcode constants (`LDA_IMM`, `ASL`, …) follow from the instruction table.");
    for constant in dialect::CONSTANTS {
        let value = match constant.value {
            Known::Number(number) => format!(" {number}"),
            _ => String::new(),
        };
        let about = format!("{}:{value} {}", constant.group, constant.about);
        let row = Row::new(constant.name, constant.group, constant.name, &about);
        table.row(Row { whose: constant.whose, ..row }, |fixture| has_word(&fixture.text, constant.name));
    }
    table.head("Macros", "Every program has these.");
    for function in dialect::MACROS {
        let call = format!("{}(", function.name);
        let forms = calls(function);
        let row = Row::new(function.name, "", &forms, function.about);
        table.row(row, |fixture| has_word(&fixture.text, &call));
    }
    table.head("Parameters", "Of segments, files and disks.");
    for parameter in dialect::PARAMETERS {
        let place = parameter.place.name();
        let directive = place.split(' ').next().unwrap_or_default();
        let about = format!("{place}: {}", parameter.about);
        let row = Row::new(parameter.name, place, parameter.name, &about);
        table.row(Row { whose: parameter.whose, ..row }, |fixture| {
            has_word(&fixture.text, parameter.name)
                && (fixture.text.contains(directive)
                    || (directive == "any" && fixture.text.contains(".segment"))
                    || (directive == "any" && fixture.text.contains(".file")))
        });
    }
    table
        .head("Plugins", "For `.plugin`: the Java classes that are built in, with the modifiers they bring.");
    for plugin in dialect::PLUGINS {
        let quoted = format!("\"{}\"", plugin.class);
        table.row(Row::new(plugin.class, "", plugin.class, &plugin.about()), |fixture| {
            fixture.text.contains(&quoted)
        });
    }
    table.head(
        "Modifiers",
        "For `.modify` and `.filemodify`, with their arguments; those with parameters are for `modify=` of segments, too, as \
         `BasicUpstart` is.",
    );
    for item in dialect::MODIFIERS {
        let call = format!("{}({})", item.name, item.arguments);
        table.row(Row::new(item.name, "", &call, item.about), |fixture| {
            [format!("modify {}(", item.name), format!("modify=\"{}\"", item.name)]
                .iter()
                .any(|form| fixture.text.contains(form))
        });
    }
    table.head("Parameters of modifiers", "Beside `modify=`.");
    for parameter in dialect::MODIFIER_PARAMETERS {
        let takers = dialect::segment_modifiers().filter(|item| item.parameters.contains(&parameter.name));
        let takers: Vec<String> = takers.map(|item| format!("`{}`", item.name)).collect();
        let about = format!("{} For {}.", parameter.about, takers.join(", "));
        table.row(Row::new(parameter.name, "any segment", parameter.name, &about), |fixture| {
            has_word(&fixture.text, parameter.name)
        });
    }
    table.head("Kinds of imports", "For `.import`.");
    for kind in dialect::IMPORTS {
        let import = format!(".import {}", kind.name);
        table.row(Row::new(kind.name, "", kind.name, kind.about), |fixture| has_word(&fixture.text, &import));
    }
    table.head("Encodings", "For `.encoding`.");
    for encoding in tempo_formats::encoding::Encoding::ALL {
        let quoted = format!("\"{}\"", encoding.name());
        let row = Row::new(encoding.name(), "", encoding.name(), "");
        table.row(row, |fixture| fixture.text.contains(&quoted));
    }
    table.head("Instruction sets", "For `.cpu`; the instructions of each are in `tools/base/isa`.");
    for cpu in Cpu::assembled().map(Cpu::kick_name) {
        let row = Row::new(cpu, "", cpu, "");
        table.row(row, |fixture| has_word(&fixture.text, &format!(".cpu {cpu}")));
    }
    table.head("Comments", "These speak to `tempo`; to Kick Assembler they are comments.");
    for remark in dialect::REMARKS {
        let comment = format!("// tempo: {}", remark.name);
        let row = Row { whose: Whose::Ours, ..Row::new(remark.name, "", &comment, remark.about) };
        table.row(row, |fixture| fixture.text.contains(&comment));
    }
    table.head(
        "Options of Kick Assembler",
        "In any case, also after `tempo asm`; `:name=value` sets a variable.",
    );
    for option in dialect::OPTIONS {
        let name = format!("-{}", option.name);
        let shown: Vec<String> =
            [name.clone()].into_iter().chain(option.values.iter().map(|v| v.to_uppercase())).collect();
        let shown = shown.join(" ");
        let row = Row::new(&name, "options", &shown, option.about);
        table.row(Row { note: option.note, whose: option.whose, ..row }, |fixture| {
            fixture
                .words
                .split_whitespace()
                .filter_map(|word| word.strip_prefix('-'))
                .any(|word| option.is(word))
                || (option.name == "o" && fixture.name == "print")
        });
    }
    if !missing.is_empty() {
        return Err(format!("no fixture uses:\n{}", missing.join("\n")).into());
    }
    current(&tempo_testing::root().join("docs/dialect.md"), &page)
}

fn error_page() -> Result<(), Failed> {
    let used: BTreeSet<String> = Code::ALL.iter().map(Code::to_string).collect();
    let page = std::fs::read_to_string(tempo_testing::root().join("docs/errors.md")).unwrap_or_default();
    let mut explained = BTreeSet::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("## ")) {
        let code = line.split(':').next().unwrap_or_default().to_owned();
        if !explained.insert(code.clone()) {
            return Err(format!("docs/errors.md explains {code} twice").into());
        }
    }
    let missing: Vec<_> = used.difference(&explained).collect();
    let surplus: Vec<_> = explained.difference(&used).collect();
    if used.is_empty() || !missing.is_empty() || !surplus.is_empty() {
        return Err(format!("docs/errors.md lacks {missing:?} and has {surplus:?} too many").into());
    }
    Ok(())
}

/// Lists of the names for `.cpu` outside of Rust, each between two texts. `UPDATE=1` writes them.
fn cpu_lists() -> Result<(), Failed> {
    let names: Vec<&str> = Cpu::assembled().map(Cpu::kick_name).collect();
    let (last, others) = names.split_last().expect("CPUs");
    let sentence = format!("`{}` and `{last}`", others.join("`, `"));
    let entries: Vec<String> = names.iter().map(|name| format!("\n            \"{name}\"")).collect();
    let setting = format!("{}\n          ", entries.join(","));
    let places = [
        ("docs/errors.md", "## E0214: Invalid cpu name.\nThe names are ", ".\n", sentence),
        (
            "tools/editors/vscode/package.json",
            "\"tempo.cpu\": {\n          \"type\": \"string\",\n          \"enum\": [",
            "]",
            setting,
        ),
    ];
    for (path, before, after, expected) in places {
        let file = tempo_testing::root().join(path);
        let text = std::fs::read_to_string(&file)?;
        let start = text.find(before).ok_or(format!("{path}: no list of CPUs"))? + before.len();
        let end = start + text[start..].find(after).ok_or(format!("{path}: the list has no end"))?;
        if text[start..end] == expected {
            continue;
        }
        if !tempo_testing::updating() {
            return Err(format!("{path}: {}\nexpected {expected}", &text[start..end]).into());
        }
        std::fs::write(&file, format!("{}{expected}{}", &text[..start], &text[end..]))?;
    }
    Ok(())
}

/// The words of the grammar that editors colour sources by.
fn grammar() -> Result<(), Failed> {
    let path = tempo_testing::root().join("tools/editors/vscode/syntaxes/kickassembler.tmLanguage.json");
    let declaring = |fits: &dyn Fn(&dialect::DirectiveItem) -> bool| -> Vec<String> {
        let items = dialect::DIRECTIVES.iter().filter(|item| !item.word().is_empty() && fits(item));
        items.map(|item| item.word().to_owned()).collect()
    };
    let declares = |what: Declares| declaring(&|item| item.declares == Some(what));
    let functions =
        |list: &[Function]| -> Vec<String> { list.iter().map(|item| item.name.to_owned()).collect() };
    let plain =
        |list: &[dialect::Plain]| -> Vec<String> { list.iter().map(|word| word.name.to_owned()).collect() };
    let is_documented = |mnemonic: Mnemonic| {
        let rows =
            Cpu::ALL.iter().flat_map(|cpu| cpu.modes(mnemonic).filter_map(|mode| cpu.find(mnemonic, mode)));
        rows.into_iter().any(|row| row.standing == Standing::Documented)
    };
    let spelled = Mnemonic::ALL.iter().map(|&mnemonic| (mnemonic.name(), mnemonic));
    let (documented, undocumented): (Vec<_>, Vec<_>) = spelled
        .chain(Mnemonic::ALIASES.iter().copied())
        .partition(|&(name, mnemonic)| name == mnemonic.name() && is_documented(mnemonic));
    let names = |list: Vec<(&str, Mnemonic)>| list.into_iter().map(|(name, _)| name.to_owned()).collect();
    let lists = [
        ("remarks", plain(dialect::REMARKS)),
        ("preprocessor", dialect::PREPROCESSOR.iter().map(|item| item.word().to_owned()).collect()),
        ("directives", declaring(&|_| true)),
        (
            "directives that declare macros",
            declaring(&|item| matches!(item.declares, Some(Declares::Macro | Declares::PseudoCommand))),
        ),
        ("directives that declare functions", declares(Declares::Function)),
        ("directives that declare namespaces", declares(Declares::Namespace)),
        (
            "directives that name segments",
            declaring(&|item| item.declares == Some(Declares::Segment) || item.takes == Takes::Segment),
        ),
        ("directives that declare structs", declares(Declares::Struct)),
        ("directives that declare constants", declares(Declares::Constant)),
        ("directives that declare labels", declares(Declares::Label)),
        ("directives that declare variables", declares(Declares::Variable)),
        ("kinds of imports", plain(dialect::IMPORTS)),
        ("values", plain(dialect::VALUES)),
        ("functions", functions(dialect::FUNCTIONS)),
        ("macros", functions(dialect::MACROS)),
        ("constants", dialect::CONSTANTS.iter().map(|constant| constant.name.to_owned()).collect()),
        ("mnemonics", names(documented)),
        ("undocumented mnemonics", names(undocumented)),
    ];
    let written = tempo_testing::text(&path);
    let grammar = tempo_testing::grammar::with_words(&written, &lists)?;
    current(&path, &grammar)
}

fn current(path: &Path, made: &str) -> Result<(), Failed> {
    Ok(tempo_testing::compare(path, made)?)
}
