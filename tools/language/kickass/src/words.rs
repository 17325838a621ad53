//! Kick Assembler's command line: single-dash words in any case, `:name=value` variables, option files.
//! Knows what the words mean; acting on them is the job's part.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use tempo_assembler::dialect::{CommandOption, OPTIONS, Whose};
use tempo_assembler::{Code, Limits, Lints};
use tempo_isa::Cpu;
use thiserror::Error;

use crate::files::{FileSystem, shown};
use crate::job::{AsmInfo, Job, MainFile};

/// Why a command line is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WordsError {
    /// `:name` without a value.
    #[error("Can't parse user command line argument. Missing '='. {0}")]
    NoValue(String),
    /// An option at the end of the line whose values are missing.
    #[error("The option '{word}' needs {count} value{}", if *count == 1 { "" } else { "s" })]
    TooFewValues {
        /// The option as written.
        word: String,
        /// How many values it takes.
        count: usize,
    },
    /// `-W` or `-A` with something else than the code of a warning.
    #[error(transparent)]
    UnknownWarning(UnknownWarning),
    /// `-limit` with something else than a limit and a number.
    #[error("{0}")]
    Limit(String),
    /// Option files that name each other.
    #[error("{}: option files name each other in a circle", .0.display())]
    Circle(PathBuf),
    /// An option file that cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The option file.
        path: PathBuf,
        /// The file system's answer.
        reason: String,
    },
}

/// A word that is not the code of a warning.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no warning '{word}'{}; docs/errors.md lists them, and 'all' is all of them", similar(word))]
pub struct UnknownWarning {
    word: String,
}

fn similar(word: &str) -> String {
    let codes = Code::ALL.iter().filter(|code| code.is_warning()).map(|code| code.as_str());
    tempo_diagnostics::nearest(word, codes).map(|code| format!(" (did you mean {code}?)")).unwrap_or_default()
}

/// Warnings by their codes, as `-W`, `-A` and `--deny` name them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warnings(pub Vec<Code>);

impl Warnings {
    /// All of them.
    pub fn all() -> Warnings {
        Warnings(Code::ALL.iter().copied().filter(|code| code.is_warning()).collect())
    }

    /// Those of style, which are given only if they are asked for.
    pub fn style() -> Warnings {
        Warnings(Code::ALL.iter().copied().filter(|code| code.is_style()).collect())
    }

    /// Turns them on.
    pub fn turn_on(&self, lints: &mut Lints) {
        lints.off.retain(|code| !self.0.contains(code));
        lints.on.extend(&self.0);
    }

    /// Turns them off.
    pub fn turn_off(&self, lints: &mut Lints) {
        lints.on.retain(|code| !self.0.contains(code));
        lints.off.extend(&self.0);
    }
}

/// The warnings that a word names: codes and groups (`all`, `style`) joined with commas.
pub fn warnings(word: &str) -> Result<Warnings, UnknownWarning> {
    let mut codes = Vec::new();
    for word in word.split(',') {
        let code = Code::from_id(&word.to_ascii_uppercase()).filter(|code| code.is_warning());
        match (code, &word.to_ascii_lowercase()[..]) {
            (Some(code), _) => codes.push(code),
            (None, "all") => codes.extend(Warnings::all().0),
            (None, "style") => codes.extend(Warnings::style().0),
            (None, _) => return Err(UnknownWarning { word: word.to_owned() }),
        }
    }
    Ok(Warnings(codes))
}

/// The option a word is.
fn find(word: &str) -> Option<&'static CommandOption> {
    let name = word.strip_prefix('-')?;
    OPTIONS.iter().find(|option| option.is(name))
}

/// A limit on what a source may ask for: `NAME=N`, where the number may end in K, M or G. The error is a sentence.
pub fn limit(text: &str) -> Result<(String, u64), String> {
    let Some((name, number)) = text.split_once('=') else { return Err("expected NAME=N".into()) };
    let (digits, shift) = match number.as_bytes().last() {
        Some(b'k' | b'K') => (&number[..number.len() - 1], 10),
        Some(b'm' | b'M') => (&number[..number.len() - 1], 20),
        Some(b'g' | b'G') => (&number[..number.len() - 1], 30),
        _ => (number, 0),
    };
    let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(1 << shift));
    let Some(value) = value else { return Err(format!("'{number}' is not a number such as 500 or 64M")) };
    if !Limits::NAMES.contains(&name) {
        return Err(format!("there is no limit '{name}'; they are {}", Limits::NAMES.join(", ")));
    }
    if !Limits::default().set(name, value) {
        return Err(format!("{number} is too large for '{name}'"));
    }
    Ok((name.to_owned(), value))
}

/// Hides Kick Assembler's words from a parser of long options: each becomes `--kick=WORD`. `-o` means the same to both
/// and stays.
pub fn hide_words(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut result = Vec::new();
    let mut words = words.into_iter();
    let hide = |word: &str| OsString::from(format!("--kick={word}"));
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        // Our own additions have long forms there.
        match find(&text).filter(|option| option.whose == Whose::Kick) {
            Some(option) if option.name != "o" => {
                result.push(hide(&text));
                let values = words.by_ref().take(option.values.len());
                result.extend(values.map(|value| hide(&value.to_string_lossy())));
            }
            Some(_) => result.push("-o".into()),
            None if text.starts_with(':') && text.len() > 1 => result.push(hide(&text)),
            None => result.push(word),
        }
    }
    result
}

/// The contents of a command line beside the job itself.
#[derive(Debug, Default)]
pub struct Words {
    /// The source, if one was named.
    pub source: Option<PathBuf>,
    /// Things to tell the user, in order.
    pub remarks: Vec<String>,
}

/// Applies words to a job. A word that is neither an option nor a variable names the source; a second one is remarked
/// on. Option files are read from `files`.
pub fn apply(words: &[String], job: &mut Job, files: &dyn FileSystem) -> Result<Words, WordsError> {
    let mut found = Words::default();
    apply_nested(words, job, files, &mut found, 0)?;
    Ok(found)
}

fn apply_nested(
    words: &[String],
    job: &mut Job,
    files: &dyn FileSystem,
    found: &mut Words,
    depth: usize,
) -> Result<(), WordsError> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(variable) = word.strip_prefix(':') {
            let Some((name, value)) = variable.split_once('=') else {
                return Err(WordsError::NoValue(word.clone()));
            };
            job.options.variables.push((name.to_owned(), value.to_owned()));
            continue;
        }
        let Some(option) = find(word) else {
            if found.source.is_none() && !word.starts_with('-') {
                found.source = Some(PathBuf::from(word));
            } else {
                found.remarks.push(format!("Warning. Already have an inputfile. Won't use '{word}'"));
            }
            continue;
        };
        let count = option.values.len();
        let values: Vec<&String> = words.by_ref().take(count).collect();
        if values.len() < count {
            return Err(WordsError::TooFewValues { word: word.clone(), count });
        }
        match option.name {
            "A" => {
                let codes = warnings(values[0]).map_err(WordsError::UnknownWarning)?;
                codes.turn_off(&mut job.options.lints);
            }
            "W" => {
                let codes = warnings(values[0]).map_err(WordsError::UnknownWarning)?;
                codes.turn_on(&mut job.options.lints);
            }
            "afo" => job.options.allow_outside_output = true,
            "aom" => job.options.allow_overlap = true,
            "asminfo" => job.asm_info.get_or_insert_with(AsmInfo::default).sections = values[0].clone(),
            "asminfofile" | "asminfotofile" => {
                job.asm_info.get_or_insert_with(AsmInfo::default).file = Some(values[0].into());
            }
            "binfile" => {
                let is_split = matches!(job.main_file, MainFile::OnePerBlock | MainFile::BinPerBlock);
                job.main_file = if is_split { MainFile::BinPerBlock } else { MainFile::Bin };
            }
            "bytedump" => job.byte_dump = Some(None),
            "bytedumpfile" => job.byte_dump = Some(Some(values[0].into())),
            "cfgfile" => read_options(&job.folder.join(values[0]), job, files, found, depth)?,
            "debugdump" => job.debug_dump = true,
            "define" => job.options.defines.push(values[0].clone()),
            "dtv" => job.options.cpu = Cpu::Dtv,
            "excludeillegal" => job.options.cpu = Cpu::Mos6502Documented,
            "execute" => job.execute = Some(values[0].clone()),
            "executelog" => job.execute_log = Some(values[0].into()),
            "libdir" => job.library_folders.push(values[0].into()),
            "limit" => {
                let (name, number) = limit(values[0]).map_err(WordsError::Limit)?;
                job.options.limits.set(&name, number);
            }
            "log" => job.log = Some(values[0].into()),
            "mbfiles" => {
                let is_bin = matches!(job.main_file, MainFile::Bin | MainFile::BinPerBlock);
                job.main_file = if is_bin { MainFile::BinPerBlock } else { MainFile::OnePerBlock };
            }
            "noeval" => job.options.parse_only = true,
            "nooutput" => job.write_files = false,
            "o" => job.output = Some(values[0].into()),
            "odir" => job.kick_output_folder = Some(values[0].into()),
            "pseudoc3x" => job.options.semicolon_arguments = true,
            "replacefile" => job.replacements.push((values[0].into(), values[1].into())),
            "showmem" => job.show_memory_map = true,
            "symbolfile" => job.kick_symbol_file = true,
            "symbolfiledir" => job.kick_symbol_folder = Some(values[0].into()),
            "time" => job.show_time = true,
            "vicesymbols" => job.kick_vice_symbols = true,
            // Accepted without effect, as there.
            "debug" | "fillbyte" | "maxaddr" | "warningsoff" => {}
            other => unreachable!("'{other}' is in the table of options but has no meaning"),
        }
    }
    Ok(())
}

/// Reads an option file: one option a line with its values after it; lines that begin with `#` are comments.
pub(crate) fn read_options(
    path: &Path,
    job: &mut Job,
    files: &dyn FileSystem,
    found: &mut Words,
    depth: usize,
) -> Result<(), WordsError> {
    if depth > 8 {
        return Err(WordsError::Circle(path.to_path_buf()));
    }
    let bytes = match files.read(path, 1 << 20) {
        Ok(bytes) => bytes,
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            let name = shown(path, &job.folder).display();
            found.remarks.push(format!("Warning. Can't find configfile : {name}"));
            return Ok(());
        }
        Err(err) => {
            return Err(WordsError::Unreadable { path: path.to_path_buf(), reason: err.to_string() });
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words: Vec<String> = lines.flat_map(split_words).collect();
    apply_nested(&words, job, files, found, depth + 1)
}

/// Splits a line at blanks outside of double quotes.
pub fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::MemoryDisk;
    use pretty_assertions::assert_eq;

    fn disk() -> MemoryDisk {
        MemoryDisk::default()
    }

    fn words(line: &str) -> Vec<String> {
        split_words(line)
    }

    #[test]
    fn words_are_split_at_blanks_outside_of_quotes() {
        assert_eq!(words("a  \"b c\" d\"e f\"\t\"\""), ["a", "b c", "de f", ""]);
    }

    #[test]
    fn options_take_any_case_and_their_values() {
        let mut job = Job::new(PathBuf::from("/project"));
        let line = "main.asm -O out.prg -SymbolFile -LibDir lib -libdir lib2 -replaceFile a b :x=27 :n=a=b -odir ../bin";
        let found = apply(&words(line), &mut job, &disk()).unwrap();
        assert_eq!(found.source, Some("main.asm".into()));
        assert_eq!(job.output, Some("out.prg".into()));
        assert!(job.kick_symbol_file);
        assert_eq!(job.library_folders, ["lib", "lib2"].map(PathBuf::from));
        assert_eq!(job.replacements, [("a".into(), "b".into())]);
        assert_eq!(job.options.variables, [("x".into(), "27".into()), ("n".into(), "a=b".into())]);
        assert!(found.remarks.is_empty());
    }

    #[test]
    fn surplus_words_are_remarked_on_and_missing_values_refused() {
        let mut job = Job::new(PathBuf::from("/project"));
        let found = apply(&words("main.asm -bogus second.asm"), &mut job, &disk()).unwrap();
        assert_eq!(
            found.remarks,
            [
                "Warning. Already have an inputfile. Won't use '-bogus'",
                "Warning. Already have an inputfile. Won't use 'second.asm'"
            ]
        );
        assert!(apply(&words("a.asm -define"), &mut job, &disk()).is_err());
        let error = apply(&words("a.asm :flag"), &mut job, &disk()).unwrap_err();
        assert_eq!(error.to_string(), "Can't parse user command line argument. Missing '='. :flag");
    }

    #[test]
    fn every_option_of_the_table_has_a_meaning() {
        for option in OPTIONS.iter().filter(|option| option.name != "cfgfile") {
            let mut line = vec![format!("-{}", option.name)];
            line.extend(option.values.iter().map(|value| match *value {
                "codes" => "all".to_owned(),
                "name=n" => format!("{}=7", Limits::NAMES[0]),
                value => value.to_owned(),
            }));
            apply(&line, &mut Job::new(PathBuf::from("/project")), &disk()).unwrap();
        }
    }

    #[test]
    fn hidden_words_leave_modern_options_alone() {
        let line = words("asm main.asm -vicesymbols --output x -o y -DEFINE A :v=1 -L lib");
        let hidden = hide_words(line.into_iter().map(OsString::from));
        let expected = words(
            "asm main.asm --kick=-vicesymbols --output x -o y --kick=-DEFINE --kick=A --kick=:v=1 -L lib",
        );
        assert_eq!(hidden, expected.into_iter().map(OsString::from).collect::<Vec<_>>());
    }
}
