//! The documents about the assembler stay true: docs/dialect.md is made from the lists in `tempo_assembler::dialect` and
//! links every entry to a fixture that uses it; docs/errors.md has an entry for every code; and the grammar that editors
//! colour sources by knows every word.
//!
//! `UPDATE=1 cargo test -p tempo-assembler --test docs` writes docs/dialect.md anew.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use pretty_assertions::StrComparison;
use tempo_assembler::{Code, dialect};

fn main() {
    let arguments = Arguments::from_args();
    let trials = vec![
        Trial::test("dialect-page-is-current", dialect_page),
        Trial::test("every-error-code-is-explained", error_page),
        Trial::test("the-grammar-for-editors-knows-every-word", grammar),
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

/// Entries that do not do here what their name says, and why.
const NOTES: &[(&str, &str)] = &[
    (".plugin", "Java plugins cannot be run; the error says so"),
    (".modify", "needs a plugin; the error names the modifier"),
    (".filemodify", "needs a plugin; the error names the modifier"),
    ("-debug", "accepted; we have no stack traces"),
    ("-fillbyte", "accepted, without effect there too"),
    ("-maxaddr", "accepted, without effect there too"),
    ("-warningsoff", "accepted, without effect there too"),
];

/// What Kick Assembler does, what we do, and why. Under the name `kickass` only the rows hold that say so.
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
        "nobody can change the built-in source",
    ),
    (
        "a missing source ends with status 1",
        "`tempo asm` ends with 2: it could not run; `kickass` with 1",
        "scripts tell a broken program from a wrong call",
    ),
    (
        "Java plugins are loaded",
        "`.plugin`, `.modify` and unknown modifiers are errors that say so, under both names",
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
        "`KickAss.cfg` lies beside the jar",
        "it lies beside the program, under the name `kickass` only",
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

    fn row(&mut self, name: &str, group: &str, shown: &str, about: &str, uses: impl Fn(&Fixture) -> bool) {
        let note = NOTES.iter().find(|(noted, _)| *noted == name).map(|(_, note)| *note);
        let tick = if note.is_some() { "–" } else { "✓" };
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

fn arguments(function: &dialect::Function) -> String {
    let counts = function.arguments;
    match counts {
        [.., least, dialect::MANY] => format!("{}({least} or more)", function.name),
        _ => {
            let list: Vec<String> = counts.iter().map(u8::to_string).collect();
            format!("{}({})", function.name, list.join(" or "))
        }
    }
}

fn dialect_page() -> Result<(), Failed> {
    let fixtures = fixtures();
    let mut missing = Vec::new();
    let mut page = String::from(
        "# The dialect\n\n\
         What of Kick Assembler's language and command line we take: all of it, except Java plugins.\n\
         A tick means that the linked fixture uses it and gives the bytes Kick Assembler gives.\n\
         This page is written by `UPDATE=1 cargo test -p tempo-assembler --test docs`; a test keeps it true.\n",
    );
    page.push_str(
        "\n## What differs on purpose\n\n\
         Everything else that differs is a mistake of ours.\n\n\
         | Kick Assembler | here | why |\n|---|---|---|\n",
    );
    for (there, here, why) in DIFFERENCES {
        let _ = writeln!(page, "| {there} | {here} | {why} |");
    }
    let mut table = Table { page: &mut page, fixtures: &fixtures, missing: &mut missing };

    table.head("Directives", "With an example each.");
    for directive in dialect::DIRECTIVES {
        let about = format!("{} `{}`", directive.about, directive.example);
        table.row(directive.name, "", directive.name, &about, |fixture| {
            has_word(&fixture.text, directive.name)
        });
    }
    table.head("Preprocessor", "These run while the text is read.");
    for directive in dialect::PREPROCESSOR {
        let about = format!("{} `{}`", directive.about, directive.example);
        table.row(directive.name, "", directive.name, &about, |fixture| {
            has_word(&fixture.text, directive.name)
        });
    }
    table.head("Functions", "With the number of arguments.");
    for function in dialect::FUNCTIONS {
        let call = format!("{}(", function.name);
        table.row(function.name, function.group, &arguments(function), function.group, |fixture| {
            has_word(&fixture.text, &call)
        });
    }
    table.head("Methods", "By the type of the value.");
    for method in dialect::METHODS {
        let call = format!(".{}(", method.name);
        let area = area_of(method.group);
        table.row(method.name, method.group, &arguments(method), method.group, |fixture| {
            fixture.text.contains(&call) && (area.is_empty() || fixture.area == area || fixture.area == "ok")
        });
    }
    table.head("Fields", "Read without a call.");
    for field in dialect::FIELDS {
        let access = format!(".{}", field.name);
        table.row(field.name, field.group, field.name, field.group, |fixture| {
            fixture.area == "media" && has_word(&fixture.text, &access)
        });
    }
    table.head("Constants", "The opcode constants (`LDA_IMM`, `ASL`, …) follow from the instruction table.");
    for constant in dialect::CONSTANTS {
        table.row(constant.name, constant.group, constant.name, constant.group, |fixture| {
            has_word(&fixture.text, constant.name)
        });
    }
    table.head("Macros", "Every program has these.");
    for function in dialect::MACROS {
        let call = format!("{}(", function.name);
        table.row(function.name, "", &arguments(function), "", |fixture| has_word(&fixture.text, &call));
    }
    table.head("Parameters", "Of segments, files and disks.");
    for parameter in dialect::PARAMETERS {
        let directive = parameter.group.split(' ').next().unwrap_or_default();
        table.row(parameter.name, parameter.group, parameter.name, parameter.group, |fixture| {
            has_word(&fixture.text, parameter.name)
                && (fixture.text.contains(directive)
                    || (directive == "any" && fixture.text.contains(".segment"))
                    || (directive == "any" && fixture.text.contains(".file")))
        });
    }
    table.head("Encodings", "For `.encoding`.");
    for encoding in tempo_formats::encoding::Encoding::ALL {
        let quoted = format!("\"{}\"", encoding.name());
        table.row(encoding.name(), "", encoding.name(), "", |fixture| fixture.text.contains(&quoted));
    }
    table.head("Instruction sets", "For `.cpu`; the instructions of each are in `tools/base/isa`.");
    for cpu in tempo_isa::Cpu::assembled().map(tempo_isa::Cpu::kick_name) {
        table.row(cpu, "", cpu, "", |fixture| has_word(&fixture.text, &format!(".cpu {cpu}")));
    }
    table.head(
        "Options of Kick Assembler",
        "In any case, also after `tempo asm`; `:name=value` sets a variable.",
    );
    for option in dialect::OPTIONS {
        let name = format!("-{}", option.name);
        let shown: Vec<String> =
            [name.clone()].into_iter().chain(option.values.iter().map(|v| v.to_uppercase())).collect();
        table.row(&name, "options", &shown.join(" "), option.about, |fixture| {
            fixture.words.split_whitespace().any(|word| word.eq_ignore_ascii_case(&name))
                || (option.name == "o" && fixture.name == "print")
        });
    }
    if !missing.is_empty() {
        return Err(format!("no fixture uses:\n{}", missing.join("\n")).into());
    }
    let path = tempo_testing::root().join("docs/dialect.md");
    if tempo_testing::updating() {
        std::fs::write(&path, &page)?;
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    if written != page {
        return Err(
            format!("docs/dialect.md is out of date:\n{}", StrComparison::new(&written, &page)).into()
        );
    }
    Ok(())
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

/// The lists of the grammar are typed; what the language gains must be added there.
fn grammar() -> Result<(), Failed> {
    let path = tempo_testing::root().join("tools/editors/vscode/syntaxes/kickassembler.tmLanguage.json");
    let text = tempo_testing::text(&path);
    let known: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let mnemonics = tempo_isa::Mnemonic::ALL.iter().map(|mnemonic| mnemonic.name());
    let aliases = tempo_isa::Mnemonic::ALIASES.iter().map(|(alias, _)| *alias);
    let directives = dialect::DIRECTIVES.iter().chain(dialect::PREPROCESSOR).map(|directive| directive.name);
    let functions = dialect::FUNCTIONS.iter().chain(dialect::MACROS).map(|function| function.name);
    let constants = dialect::CONSTANTS.iter().map(|constant| constant.name);
    let words = mnemonics.chain(aliases).chain(directives).chain(functions).chain(constants);
    let missing: Vec<&str> = words
        .map(|word| word.trim_start_matches(['.', '#']))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !known.contains(word))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("{} lacks {missing:?}", path.display()).into()) }
}
