//! Help for mistakes that people make in suites: words of other test tools, instructions among statements, brackets and
//! quotes that are left out. Reads the text around a fault, after the fact, so that the parser knows nothing of other
//! languages.

use tempo_diagnostics::nearest;
use tempo_isa::Mnemonic;

use crate::diag::Diagnostic;

/// A fault in its line.
#[derive(Clone, Copy)]
struct Fault<'t> {
    message: &'t str,
    /// The text at fault.
    word: &'t str,
    /// The line up to the fault.
    before: &'t str,
    /// The line from the fault on.
    after: &'t str,
}

/// Adds help to the errors of a text whose first byte has the offset `base`. Help of the parser gives way to that for a
/// word that is known here.
pub(super) fn advise(text: &str, base: u32, diagnostics: &mut [Diagnostic]) {
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| diagnostic.is_error()) {
        let offset = |offset: u32| offset.checked_sub(base).map(|offset| offset as usize);
        let place = diagnostic.span.and_then(|span| Some(offset(span.start)?..offset(span.end)?));
        let Some((place, word)) = place.and_then(|place| Some((place.clone(), text.get(place)?))) else {
            continue;
        };
        let line = text[..place.start].rfind('\n').map_or(0, |newline| newline + 1);
        let fault = Fault {
            message: &diagnostic.message,
            word,
            before: &text[line..place.start],
            after: text[place.start..].lines().next().unwrap_or(""),
        };
        if diagnostic.help.as_ref().is_some_and(|help| help.starts_with("keywords are")) {
            continue;
        }
        let known = fault.word().or_else(|| diagnostic.help.is_none().then(|| fault.form()).flatten());
        if known.is_some() {
            diagnostic.help = known;
        }
    }
}

const ASSERTION: &str = "an assertion is `assert(a == 1, \"text\")`";

impl Fault<'_> {
    /// A word of another tool.
    fn word(self) -> Option<String> {
        let word = self.word.to_ascii_lowercase();
        let is = |start: &str| self.message.starts_with(start);
        if is("unknown statement") {
            if Mnemonic::parse(&word).is_some() {
                return Some(
                    "instructions belong in the program; a test sets registers (`a = 1`) and calls routines \
                     (`jsr([label])`)"
                        .to_owned(),
                );
            }
            return flag(&word).or_else(|| statement(&word).map(str::to_owned));
        }
        if is("unknown word") {
            return flag(&word).or_else(|| value(&word).map(str::to_owned));
        }
        if is("unknown line") {
            return line(&word).map(str::to_owned);
        }
        None
    }

    /// A bracket, quote or sign that is missing or does not belong.
    fn form(self) -> Option<String> {
        let is = |start: &str| self.message.starts_with(start);
        let owner = self.before.trim_end();
        let owner = &owner[owner.trim_end_matches(is_letter).len()..];
        let name = name_at(self.after.trim_start_matches(['[', '$']));
        if is("expected `(`") {
            return match owner {
                "test" | "bench" | "suite" => head(owner),
                "jsr" if !name.is_empty() => Some(format!("write `jsr([{name}])`")),
                "jsr" => Some("write `jsr([label])`".to_owned()),
                "assert" => Some(ASSERTION.to_owned()),
                _ => None,
            };
        }
        if is("expected `{`") {
            return match owner {
                "setup" => Some("a setup has no arguments: `setup { … }`".to_owned()),
                _ if owner.is_empty() && self.before.contains("forall") => {
                    Some("the statements of a `forall` are in braces: `forall(n in 0..255) { … }`".to_owned())
                }
                _ => None,
            };
        }
        if is("expected a value") {
            return match self.after.chars().next()? {
                '#' => Some("numbers have no # in a suite: `a = 1`".to_owned()),
                '$' if !name.is_empty() => {
                    Some(format!("the value of a label is written in brackets: `[{name}]`"))
                }
                '{' => Some("`bytes(place, 1, 2, 3)` stores a list of bytes".to_owned()),
                '\'' => Some(QUOTES.to_owned()),
                _ => None,
            };
        }
        if self.after.starts_with('\'') && is("expected") {
            return Some(QUOTES.to_owned());
        }
        if is("expected `=`") && !owner.is_empty() && self.after.starts_with([',', ')', '{']) {
            return Some(format!("an option has a value: `{owner} = true`"));
        }
        if is("expected `true` or `false`") {
            return match self.word.to_ascii_lowercase().as_str() {
                "yes" | "on" | "1" => Some("write `true`".to_owned()),
                "no" | "off" | "0" => Some("write `false`".to_owned()),
                _ => None,
            };
        }
        if is("missing `)`") && self.word.starts_with('"') {
            return Some("a comma is missing before the text".to_owned());
        }
        if is("missing `)`") && is_unit(self.word) && self.before.ends_with(|c: char| c.is_ascii_digit()) {
            return Some("cycles are numbers without a unit".to_owned());
        }
        if is("missing `]`") && self.word.starts_with(['+', '-', '*']) {
            let label = &self.before[self.before.rfind('[')? + 1..];
            return Some(format!(
                "the brackets hold the name alone: `[{}] {}`",
                label.trim(),
                self.after.split([']', ')']).next()?.trim()
            ));
        }
        if is("expected `suites`") {
            return Some("a file begins with `suites { suite(\"name\") {`".to_owned());
        }
        if is("expected the suite's name") || is("expected the test's id") {
            let name = name_at(self.after);
            return (!name.is_empty()).then(|| format!("it is a text in double quotes: \"{name}\""));
        }
        // What was expected is quoted in the message.
        let options = self.message.strip_prefix("expected ")?.split("found").next()?;
        let options = options.split('`').skip(1).step_by(2).map(name_at).filter(|name| !name.is_empty());
        nearest(self.word, options).map(|near| format!("did you mean `{near}`?"))
    }
}

const QUOTES: &str = "texts are written in double quotes";

/// The beginning of a test or suite.
fn head(owner: &str) -> Option<String> {
    Some(match owner {
        "suite" => "write `suite(\"name\") { … }`".to_owned(),
        _ => format!("write `{owner}(\"id\", \"description\") {{ … }}`"),
    })
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name at the start of a text.
fn name_at(text: &str) -> &str {
    let end = text.find(|c| !is_letter(c) && c != '.').unwrap_or(text.len());
    text[..end].trim_end_matches('.')
}

fn is_unit(word: &str) -> bool {
    matches!(word, "us" | "ms" | "s" | "cycles" | "cyc" | "c")
}

/// The long names of registers and flags.
fn flag(word: &str) -> Option<String> {
    let (what, short) = match word.trim_end_matches("_flag").trim_end_matches("flag") {
        "carry" => ("carry flag", "c"),
        "zero" => ("zero flag", "z"),
        "negative" | "sign" => ("negative flag", "n"),
        "overflow" => ("overflow flag", "v"),
        "decimal" => ("decimal flag", "d"),
        "accumulator" | "acc" => ("accumulator", "a"),
        "status" | "flags" => ("status register", "p"),
        _ => return None,
    };
    Some(format!("the {what} is `{short}`"))
}

/// Statements of other test tools.
fn statement(word: &str) -> Option<&'static str> {
    if word.starts_with("assert") || word.starts_with("expect") || word.starts_with("should") {
        return Some(ASSERTION);
    }
    Some(match word {
        "check" | "verify" | "require" => ASSERTION,
        "if" | "else" | "for" | "while" | "repeat" | "loop" | "switch" => {
            "a test has neither conditions nor loops; `each (n) { (1) (2) }` at its top runs it with each row, and \
             `forall(n in 0..255) { … }` runs statements for all values"
        }
        "call" | "sys" | "execute" | "exec" | "invoke" => "a routine is called by `jsr([label])`",
        "poke" | "set" | "store" | "write" | "mem" | "memory" => {
            "a byte is stored by `[label] = 1` or `$d020 = 1`, a list by `bytes(place, 1, 2)`"
        }
        _ => return None,
    })
}

/// Functions of other test tools.
fn value(word: &str) -> Option<&'static str> {
    Some(match word {
        "byte" | "word" | "peek" | "peekw" | "deek" | "mem" | "memory" | "ram" | "read" => {
            "`peekbyte([label])` is the byte at a label, `peekword([label])` the word"
        }
        _ => return None,
    })
}

/// Lines of suites in other test tools.
fn line(word: &str) -> Option<&'static str> {
    Some(match word {
        "machine" | "cpu" | "target" | "platform" | "computer" => "the machine is set by `system(c64)`",
        "import" | "source" | "asm" | "build" | "compile" => {
            "a source is assembled by `assemble(\"file.asm\")`"
        }
        "prg" | "binary" | "program" | "file" => "a program is loaded by `load(\"file.prg\")`",
        "before" | "beforeeach" | "before_each" | "beforeall" | "before_all" | "init" => {
            "what precedes every test is `setup { … }`"
        }
        "it" | "describe" | "case" | "testcase" => "a test is `test(\"id\", \"description\") { … }`",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_they_end() {
        assert_eq!(name_at("loop.inner] == 2"), "loop.inner");
        assert_eq!(name_at("Sum. "), "Sum");
        assert_eq!(name_at("(x)"), "");
    }

    #[test]
    fn long_names_of_flags_have_their_letter() {
        assert_eq!(flag("carry_flag").as_deref(), Some("the carry flag is `c`"));
        assert_eq!(flag("sum"), None);
    }
}
