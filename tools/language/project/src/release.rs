//! The parts of a release: `pack`, `d64` and `crt` of `[build]`, and `[[target]]`, a further program of the project
//! with the same keys.

use std::path::{Path, PathBuf};

use tempo_diagnostics::{Span, escaped, nearest};
use tempo_formats::crt::Kind as Cartridge;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::keys::{Kind, Setting};
use crate::read::{Name, Reader, check, in_order, kind_of};
use crate::{Given, Item, Value};

/// The name of the tables of programs.
pub const TARGET: &str = "target";

/// The keys of `[build]` and `[[target]]` that say what a release consists of.
pub const OUTPUT_KEYS: &[(&str, &str)] = &[
    (
        "pack",
        "true packs the program, which unpacks itself when it is run; a format packs it as data for another program",
    ),
    ("d64", "A disk that begins with the program, packed if it is; true is a disk without further files"),
    ("crt", "A cartridge"),
];

/// The other keys of `[[target]]`.
pub const TARGET_KEYS: &[(&str, &str)] = &[
    ("name", "The name of the program's files, without extension; that of `main` if it is not given"),
    ("main", "The source that imports the rest of the program"),
    ("defines", "Preprocessor symbols beside those of [build]"),
    ("vars", "Entries of cmdLineVars beside those of [build]"),
];

/// The keys of `d64`.
pub const DISK_KEYS: &[(&str, &str)] = &[
    (
        "name",
        "The name of the disk and of the program on it, up to 16 characters; else that of the program's files",
    ),
    ("id", "The two characters after the name"),
    ("files", "Further files, as FILE or NAME=FILE; the extension gives the type: prg, seq, usr"),
];

/// The keys of `crt`.
pub const CARTRIDGE_KEYS: &[(&str, &str)] = &[
    ("type", "8k, 16k, ultimax, magicdesk, ocean, easyflash or gmod2"),
    ("name", "The name in the header, up to 32 characters"),
    ("banks", "The banks; without them the program is bank 0 of a generic cartridge, at its load address"),
];

/// The keys of an entry of `banks`.
pub const BANK_KEYS: &[(&str, &str)] = &[
    ("bank", "The number of the bank"),
    ("lo", "The file of the half at $8000"),
    ("hi", "The file of the half at $A000 or $E000"),
];

/// Formats of packed data, as `tempo pack --format` names them.
pub const PACK_FORMATS: &[&str] = &["b2", "byteboozer", "exomizer", "tscrunch", "zx0"];

/// How a release packs a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pack {
    /// Not at all.
    #[default]
    No,
    /// As a program that unpacks itself.
    Program,
    /// As data, in a format of [`PACK_FORMATS`].
    Data(&'static str),
}

/// A text of the file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    pub value: T,
    pub span: Span,
}

/// `d64`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    pub span: Span,
    pub name: Option<Placed<String>>,
    pub id: Option<Placed<String>>,
    /// `FILE` or `NAME=FILE`.
    pub files: Vec<Placed<String>>,
}

/// `crt`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crt {
    pub span: Span,
    pub kind: Cartridge,
    pub name: Option<Placed<String>>,
    pub banks: Vec<Placed<Bank>>,
}

/// A bank of a cartridge; paths are relative to the project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bank {
    pub bank: u16,
    pub lo: Option<Placed<PathBuf>>,
    pub hi: Option<Placed<PathBuf>>,
}

/// The parts of a release of one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outputs {
    pub pack: Option<Placed<Pack>>,
    pub d64: Option<Disk>,
    pub crt: Option<Crt>,
}

impl Outputs {
    /// These, and those of another program where there are none.
    pub(crate) fn or(self, other: &Outputs) -> Outputs {
        Outputs {
            pack: self.pack.or_else(|| other.pack.clone()),
            d64: self.d64.or_else(|| other.d64.clone()),
            crt: self.crt.or_else(|| other.crt.clone()),
        }
    }

    /// Whether a release has anything beside the program itself.
    pub fn is_empty(&self) -> bool {
        self.d64.is_none() && self.crt.is_none() && self.packing() == Pack::No
    }

    /// How the program is packed.
    pub fn packing(&self) -> Pack {
        self.pack.as_ref().map(|pack| pack.value).unwrap_or_default()
    }
}

/// `[[target]]`: a program of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The name of its files.
    pub name: Placed<String>,
    pub(crate) main: Item,
    pub main_span: Span,
    pub defines: Vec<String>,
    pub vars: Vec<(String, String)>,
    pub outputs: Outputs,
}

/// The last part of a path without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

type Found<'a, 't> = &'a Spanned<DeValue<'t>>;

impl Reader<'_> {
    /// A key of `[build]` or `[[target]]`, if it says what a release consists of.
    pub(crate) fn output(&mut self, outputs: &mut Outputs, word: &str, value: Found<'_, '_>) -> bool {
        match word {
            "pack" => outputs.pack = self.pack(value).map(|pack| placed(pack, value)),
            "d64" => outputs.d64 = self.disk(value),
            "crt" => outputs.crt = self.cartridge(value),
            _ => return false,
        }
        true
    }

    fn pack(&mut self, value: Found<'_, '_>) -> Option<Pack> {
        match value.get_ref() {
            DeValue::Boolean(true) => Some(Pack::Program),
            DeValue::Boolean(false) => Some(Pack::No),
            DeValue::String(text) => {
                let format = PACK_FORMATS.iter().find(|format| **format == &**text);
                if format.is_none() {
                    let message = format!("`pack` does not know '{}'", escaped(text));
                    let help = match nearest(text, PACK_FORMATS.iter().copied()) {
                        Some(near) => format!("did you mean \"{near}\"?"),
                        None => format!("write true, or a format for data: {}", PACK_FORMATS.join(", ")),
                    };
                    self.fault(value.span(), message, Some(help));
                }
                format.map(|format| Pack::Data(format))
            }
            _ => {
                self.wrong("pack", "true, false or a format in quotes", value);
                None
            }
        }
    }

    fn disk(&mut self, value: Found<'_, '_>) -> Option<Disk> {
        let mut disk = Disk { span: self.first_line(value.span()), name: None, id: None, files: Vec::new() };
        let table = match value.get_ref() {
            DeValue::Boolean(true) => return Some(disk),
            DeValue::Boolean(false) => return None,
            DeValue::Table(table) => table,
            _ => {
                self.wrong("d64", "true or a table, as in { name = \"GAME\", id = \"26\" }", value);
                return None;
            }
        };
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            match word {
                "name" => disk.name = self.text(word, value),
                "id" => {
                    disk.id = self.text(word, value);
                    let is_wrong = |id: &Placed<String>| id.value.len() != 2 || !id.value.is_ascii();
                    if disk.id.as_ref().is_some_and(is_wrong) {
                        self.fault(value.span(), "`id` must be two characters of ASCII".to_owned(), None);
                    }
                }
                "files" => {
                    disk.files =
                        self.texts_at(word, "a list of files, as in [\"LEVEL1=build/level1.prg\"]", value)
                }
                _ => self.unknown_inner("d64", DISK_KEYS, name),
            }
        }
        Some(disk)
    }

    fn cartridge(&mut self, value: Found<'_, '_>) -> Option<Crt> {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong("crt", "a table, as in { type = \"8k\" }", value);
            return None;
        };
        let mut kind = None;
        let mut is_typed = false;
        let (mut title, mut banks) = (None, Vec::new());
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            match word {
                "type" => {
                    is_typed = true;
                    kind = self.text(word, value).and_then(|text| self.cartridge_type(&text));
                }
                "name" => title = self.text(word, value),
                "banks" => banks = self.banks(value),
                _ => self.unknown_inner("crt", CARTRIDGE_KEYS, name),
            }
        }
        if !is_typed {
            let types: Vec<&str> = Cartridge::ALL.iter().map(|kind| kind.word()).collect();
            self.fault(
                value.span(),
                "`crt` has no `type`".to_owned(),
                Some(format!("there are {}", types.join(", "))),
            );
        }
        Some(Crt { span: self.first_line(value.span()), kind: kind?, name: title, banks })
    }

    fn cartridge_type(&mut self, text: &Placed<String>) -> Option<Cartridge> {
        let kind = Cartridge::from_word(&text.value);
        if kind.is_none() {
            let types = || Cartridge::ALL.iter().map(|kind| kind.word());
            let help = match nearest(&text.value, types()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("there are {}", types().collect::<Vec<_>>().join(", ")),
            };
            self.fault(
                range(text.span),
                format!("`type` does not know '{}'", escaped(&text.value)),
                Some(help),
            );
        }
        kind
    }

    fn banks(&mut self, value: Found<'_, '_>) -> Vec<Placed<Bank>> {
        let form = "a list of banks, as in [{ bank = 0, lo = \"build/lo0.bin\" }]";
        let Some(list) = value.get_ref().as_array() else {
            self.wrong("banks", form, value);
            return Vec::new();
        };
        list.iter().filter_map(|value| self.bank(form, value)).collect()
    }

    fn bank(&mut self, form: &str, value: Found<'_, '_>) -> Option<Placed<Bank>> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong("banks", form, value);
            return None;
        };
        let mut bank = Bank::default();
        let mut number = None;
        let mut has_half = false;
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            has_half |= matches!(word, "lo" | "hi");
            match word {
                "bank" => {
                    number = match value.get_ref() {
                        DeValue::Integer(number) => u16::from_str_radix(number.as_str(), number.radix()).ok(),
                        _ => None,
                    };
                    if number.is_none() {
                        self.fault(value.span(), "`bank` must be the number of a bank".to_owned(), None);
                        number = Some(0);
                    }
                }
                "lo" => bank.lo = self.path_at(word, value),
                "hi" => bank.hi = self.path_at(word, value),
                _ => self.unknown_inner("banks", BANK_KEYS, name),
            }
        }
        match number {
            None => {
                self.fault(value.span(), "a bank has no `bank`".to_owned(), Some("write bank = 0".to_owned()))
            }
            Some(_) if !has_half => {
                let help = "name the file of a half, as in lo = \"build/lo0.bin\"".to_owned();
                self.fault(value.span(), "a bank has neither `lo` nor `hi`".to_owned(), Some(help));
            }
            Some(number) => bank.bank = number,
        }
        Some(placed(bank, value))
    }

    /// The list of all targets.
    pub(crate) fn targets(&mut self, value: Found<'_, '_>) {
        let Some(list) = value.get_ref().as_array() else {
            let message = format!("`{TARGET}` is a list of tables, not {}", kind_of(value.get_ref()));
            return self.fault(value.span(), message, Some(format!("write [[{TARGET}]] and its keys below")));
        };
        for value in list.iter() {
            match value.get_ref().as_table() {
                Some(table) => self.target(table, value),
                None => {
                    let message = format!("`{TARGET}` holds tables, not {}", kind_of(value.get_ref()));
                    self.fault(value.span(), message, None);
                }
            }
        }
    }

    fn target(&mut self, table: &DeTable<'_>, whole: Found<'_, '_>) {
        let (mut title, mut main) = (None, None);
        let (mut defines, mut vars) = (Vec::new(), Vec::new());
        let mut outputs = Outputs::default();
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            match word {
                "name" => {
                    title = self.text(word, value);
                    let is_wrong = |name: &Placed<String>| !is_file_name(&name.value);
                    if title.as_ref().is_some_and(is_wrong) {
                        let help = "letters, digits, `-`, `_`, `.` and blanks make one".to_owned();
                        self.fault(value.span(), "`name` is not the name of a file".to_owned(), Some(help));
                    }
                }
                "main" => {
                    main = self.item(Setting::Main, None, value).map(|item| placed(item, value));
                    if main.is_none() {
                        return;
                    }
                }
                "defines" | "vars" => {
                    let setting = if word == "defines" { Setting::Defines } else { Setting::Vars };
                    let items = self.items(setting, value).unwrap_or_default();
                    for item in items {
                        match item.name {
                            Some(name) => vars.push((name, item.value.text())),
                            None => defines.push(item.value.text()),
                        }
                    }
                }
                _ if self.output(&mut outputs, word, value) => {}
                _ => {
                    let keys: Vec<_> = TARGET_KEYS.iter().chain(OUTPUT_KEYS).copied().collect();
                    self.unknown_inner("[[target]]", &keys, name);
                }
            }
        }
        let Some(main) = main else {
            let help = "name its source, as in main = \"src/intro.asm\"".to_owned();
            return self.fault(whole.span(), format!("[[{TARGET}]] has no `main`"), Some(help));
        };
        let own = stem(Path::new(&main.value.value.text()));
        let name = title.unwrap_or(Placed { value: own, span: main.span });
        self.targets.push(Target { name, main: main.value, main_span: main.span, defines, vars, outputs });
    }

    /// Two programs must not have the same files. If no source is the project's, it is that of the first target.
    pub(crate) fn check_targets(&mut self) {
        let main = self.values.get(&Setting::Main).and_then(|given| given.items.first()).cloned();
        let is_target = |item: &Item| self.targets.iter().any(|target| target.main.value == item.value);
        let own = main.as_ref().filter(|item| !is_target(item));
        let mut names: Vec<String> =
            own.map(|item| stem(Path::new(&item.value.text())).to_lowercase()).into_iter().collect();
        let mut taken = Vec::new();
        for target in &self.targets {
            let name = target.name.value.to_lowercase();
            if names.contains(&name) {
                taken.push(target.name.clone());
            }
            names.push(name);
        }
        for Placed { value, span } in taken {
            let message = format!("two programs would write the files '{}.*'", escaped(&value));
            self.fault(range(span), message, Some("give one of them another `name`".to_owned()));
        }
        if let (None, Some(first)) = (main, self.targets.first()) {
            let given = Given { items: vec![first.main.clone()], origin: first.main.origin };
            self.values.insert(Setting::Main, given);
        }
    }

    fn text(&mut self, key: &str, value: Found<'_, '_>) -> Option<Placed<String>> {
        match value.get_ref() {
            DeValue::String(text) => Some(placed(text.to_string(), value)),
            _ => {
                self.wrong(key, "a text in quotes", value);
                None
            }
        }
    }

    fn texts_at(&mut self, key: &str, form: &str, value: Found<'_, '_>) -> Vec<Placed<String>> {
        let Some(list) = value.get_ref().as_array() else {
            self.wrong(key, form, value);
            return Vec::new();
        };
        let texts = list.iter().filter_map(|value| self.text(key, value));
        let texts: Vec<Placed<String>> = texts.collect();
        for text in &texts {
            if let Err((message, help)) = check(Kind::Paths, key, &text.value) {
                self.fault(range(text.span), message, help);
            }
        }
        texts
    }

    fn path_at(&mut self, key: &str, value: Found<'_, '_>) -> Option<Placed<PathBuf>> {
        let text = self.text(key, value)?;
        match check(Kind::Path, key, &text.value) {
            Ok(Value::Path(path)) => Some(Placed { value: path, span: text.span }),
            Ok(_) => None,
            Err((message, help)) => {
                self.fault(value.span(), message, help);
                None
            }
        }
    }

    fn wrong(&mut self, key: &str, wanted: &str, value: Found<'_, '_>) {
        let message = format!("`{key}` must be {wanted}, not {}", kind_of(value.get_ref()));
        self.fault(value.span(), message, None);
    }

    fn unknown_inner(&mut self, table: &str, keys: &[(&str, &str)], name: &Name<'_>) {
        let word: &str = name.get_ref();
        let names: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
        let help = match nearest(word, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are {}", names.join(", ")),
        };
        self.fault(name.span(), format!("unknown key `{}` in {table}", escaped(word)), Some(help));
    }
}

/// A name that is one part of a path on every system.
fn is_file_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ' ' | '+');
    name.chars().all(is_plain)
        && !name.starts_with('.')
        && !name.ends_with(['.', ' '])
        && name.trim() == name
        && !name.is_empty()
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}

fn placed<T>(value: T, at: Found<'_, '_>) -> Placed<T> {
    Placed { value, span: at.span().into() }
}
