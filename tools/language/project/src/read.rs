//! The text of a `tempo.toml` as settings, and everything wrong with it. Opens no file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tempo_diagnostics::{Columns, Diagnostic, Source, Span, escaped, nearest};
use tempo_emu::System;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::assets::{ASSET, Asset};
use crate::keys::{Kind, SECTIONS, Setting};
use crate::release::{OUTPUT_KEYS, Outputs, TARGET, Target};
use crate::run_options;
use crate::{Given, Item, Origin, Value};

/// Values by key; where there is none, the file does not have it.
pub type Values = BTreeMap<Setting, Given>;

/// Everything that a file says.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    pub values: Values,
    pub assets: Vec<Asset>,
    /// The parts of a release that `[build]` names.
    pub outputs: Outputs,
    pub targets: Vec<Target>,
}

/// Reads a file. With faults, what could be read is of no use.
pub fn read(source: &Source) -> Result<Contents, Vec<Diagnostic>> {
    let (document, errors) = DeTable::parse_recoverable(source.text());
    if !errors.is_empty() {
        let fault = |err: &toml::de::Error| {
            let span = err.span().map(|span| shortened(source, span.into()));
            Diagnostic::error(tempo_diagnostics::NoCode, span, err.message().trim().replace('\n', "; "))
        };
        return Err(errors.iter().map(fault).collect());
    }
    let mut reader = Reader {
        source,
        values: Values::new(),
        assets: Vec::new(),
        outputs: Outputs::default(),
        targets: Vec::new(),
        faults: Vec::new(),
    };
    for (name, value) in in_order(document.get_ref()) {
        reader.section(name, value);
    }
    reader.check_targets();
    let Reader { values, assets, outputs, targets, faults, .. } = reader;
    if faults.is_empty() { Ok(Contents { values, assets, outputs, targets }) } else { Err(faults) }
}

pub(crate) type Name<'t> = Spanned<std::borrow::Cow<'t, str>>;

/// The entries of a table as they are in the file.
pub(crate) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<(&'a Name<'t>, &'a Spanned<DeValue<'t>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    entries
}

/// The part of a span in its first line: a fault in a table of many lines is shown where it begins.
fn shortened(source: &Source, span: Span) -> Span {
    let text = source.slice(span);
    let end = text.find(['\n', '\r']).unwrap_or(text.len());
    Span { start: span.start, end: span.start + end as u32 }
}

pub(crate) struct Reader<'a> {
    pub source: &'a Source,
    pub values: Values,
    pub assets: Vec<Asset>,
    outputs: Outputs,
    pub targets: Vec<Target>,
    faults: Vec<Diagnostic>,
}

impl Reader<'_> {
    pub(crate) fn fault(&mut self, span: std::ops::Range<usize>, message: String, help: Option<String>) {
        let span = self.first_line(span);
        self.faults.push(Diagnostic::error(tempo_diagnostics::NoCode, span, message).help(help));
    }

    /// The part of a place in its first line.
    pub(crate) fn first_line(&self, span: std::ops::Range<usize>) -> Span {
        shortened(self.source, span.into())
    }

    fn section(&mut self, name: &Name<'_>, value: &Spanned<DeValue<'_>>) {
        let word: &str = name.get_ref();
        if word == ASSET {
            return self.assets(value);
        }
        if word == TARGET {
            return self.targets(value);
        }
        let sections = || SECTIONS.iter().map(|(section, _)| *section).chain([ASSET, TARGET]);
        let Some(section) = sections().find(|section| *section == word) else {
            let is_output = OUTPUT_KEYS.iter().any(|(key, _)| *key == word);
            let help = match owner(word) {
                _ if is_output => "write it below [build]".to_owned(),
                Some(setting) => format!("write it below [{}]", setting.key().section),
                None => match nearest(word, sections()) {
                    Some(near) => format!("did you mean [{near}]?"),
                    None => format!("the sections are {}", sections().collect::<Vec<_>>().join(", ")),
                },
            };
            let what = if value.get_ref().is_table() { "section" } else { "key" };
            return self.fault(name.span(), format!("unknown {what} `{}`", escaped(word)), Some(help));
        };
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("`{section}` is a section, not {}", kind_of(value.get_ref()));
            return self.fault(value.span(), message, Some(format!("write [{section}] and its keys below")));
        };
        for (name, value) in in_order(table) {
            let word: &str = name.get_ref();
            match Setting::of(section).find(|setting| setting.key().name == word) {
                Some(setting) => self.value(setting, value),
                None if section == "build" => {
                    let mut outputs = std::mem::take(&mut self.outputs);
                    if !self.output(&mut outputs, word, value) {
                        self.unknown_key(section, name);
                    }
                    self.outputs = outputs;
                }
                None => self.unknown_key(section, name),
            }
        }
    }

    fn unknown_key(&mut self, section: &str, name: &Name<'_>) {
        let word: &str = name.get_ref();
        let mut names: Vec<&str> = Setting::of(section).map(|setting| setting.key().name).collect();
        if section == "build" {
            names.extend(OUTPUT_KEYS.iter().map(|(key, _)| *key));
        }
        let elsewhere = || Setting::ALL.into_iter().find(|setting| setting.key().name == word);
        let help = match (nearest(word, names.iter().copied()), elsewhere()) {
            (_, Some(setting)) => format!("`{word}` is a key of [{}]", setting.key().section),
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, None) => format!("[{section}] has {}", names.join(", ")),
        };
        self.fault(name.span(), format!("unknown key `{}` in [{section}]", escaped(word)), Some(help));
    }

    fn value(&mut self, setting: Setting, value: &Spanned<DeValue<'_>>) {
        if let Some(items) = self.items(setting, value) {
            let origin = self.origin(value);
            self.values.insert(setting, Given { items, origin });
        }
    }

    /// The values of a key; `None` if they have the wrong form, which is reported.
    pub(crate) fn items(&mut self, setting: Setting, value: &Spanned<DeValue<'_>>) -> Option<Vec<Item>> {
        let key = setting.key();
        let mut items = Vec::new();
        let wrong = |reader: &mut Self| {
            let message =
                format!("`{}` must be {}, not {}", key.name, key.kind.wanted(), kind_of(value.get_ref()));
            reader.fault(value.span(), message, None);
            None
        };
        if key.kind.is_single() {
            if value.get_ref().is_array() || value.get_ref().is_table() {
                return wrong(self);
            }
            items.extend(self.item(setting, None, value));
        } else if key.kind.is_table() {
            let Some(table) = value.get_ref().as_table() else { return wrong(self) };
            for (name, value) in in_order(table) {
                if name.get_ref().is_empty() {
                    self.fault(name.span(), format!("a name in `{}` is empty", key.name), None);
                }
                items.extend(self.item(setting, Some(name.get_ref().to_string()), value));
            }
        } else {
            let Some(list) = value.get_ref().as_array() else { return wrong(self) };
            for value in list.iter() {
                items.extend(self.item(setting, None, value));
            }
        }
        Some(items)
    }

    fn origin(&self, value: &Spanned<DeValue<'_>>) -> Origin {
        let place = self.source.position(Span::from(value.span()).start, Columns::Characters);
        Origin::File { line: place.line, column: place.column }
    }

    /// One value; `None` if it is not what the key takes, which is reported.
    pub(crate) fn item(
        &mut self,
        setting: Setting,
        name: Option<String>,
        spanned: &Spanned<DeValue<'_>>,
    ) -> Option<Item> {
        let key = setting.key();
        let found = spanned.get_ref();
        let value = match (key.kind, found) {
            (Kind::Number(most), DeValue::Integer(number)) => {
                match u64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) if number <= most => Ok(Value::Number(number)),
                    _ => Err((format!("`{}` must be a number from 0 to {most}", key.name), None)),
                }
            }
            (Kind::Values, DeValue::Integer(number)) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Ok(Value::Text(number.to_string())),
                    Err(_) => Err(("this number is too large".to_owned(), None)),
                }
            }
            (Kind::Values, DeValue::Float(number)) => Ok(Value::Text(number.as_str().to_owned())),
            (Kind::Values, DeValue::Boolean(truth)) => Ok(Value::Text(truth.to_string())),
            (kind, DeValue::String(text)) if !matches!(kind, Kind::Number(_)) => {
                check(key.kind, key.name, text)
            }
            (kind, found) => {
                let wanted = match kind {
                    Kind::Values => "texts, numbers or truth values",
                    _ if kind.is_single() => {
                        let message =
                            format!("`{}` must be {}, not {}", key.name, kind.wanted(), kind_of(found));
                        self.fault(spanned.span(), message, None);
                        return None;
                    }
                    _ => "texts in quotes",
                };
                Err((format!("`{}` holds {wanted}, not {}", key.name, kind_of(found)), None))
            }
        };
        match value {
            Ok(value) => Some(Item { name, value, origin: self.origin(spanned) }),
            Err((message, help)) => {
                self.fault(spanned.span(), message, help);
                None
            }
        }
    }
}

/// The only key of this name, wherever it is.
fn owner(name: &str) -> Option<Setting> {
    let names = Setting::ALL.map(|setting| setting.key().name);
    let near = names.iter().find(|known| **known == name).copied().or_else(|| nearest(name, names))?;
    Setting::ALL.into_iter().find(|setting| setting.key().name == near)
}

pub(crate) fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Where to look for codes.
pub const LIST_OF_CODES: &str = "`tempo explain` lists the codes, `tempo explain CODE` explains one";

/// Checks a text, of the file or of a flag. The error is a message and perhaps help.
pub fn check(kind: Kind, name: &str, text: &str) -> Result<Value, (String, Option<String>)> {
    match kind {
        Kind::Path | Kind::Paths => {
            if text.is_empty() || text.contains('\0') {
                return Err((format!("`{name}` has a path that is empty or no path at all"), None));
            }
            // Both kinds of slash mean the same, wherever the file is read.
            Ok(Value::Path(PathBuf::from(text.replace('\\', "/"))))
        }
        Kind::Names => {
            let mut letters = text.chars();
            let is_first = |letter: char| letter.is_alphabetic() || letter == '_';
            let is_name = letters.next().is_some_and(is_first)
                && letters.all(|letter| is_first(letter) || letter.is_ascii_digit());
            if is_name {
                return Ok(Value::Text(text.to_owned()));
            }
            let help = text.contains('=').then(|| "values are for `vars`: vars = { level = 3 }".to_owned());
            Err((format!("'{}' is not a name for #define", escaped(text)), help))
        }
        Kind::System => match System::find(text) {
            Some(system) => Ok(Value::Text(system.name().to_owned())),
            None => {
                let names: Vec<&str> = System::ALL.into_iter().flat_map(System::words).collect();
                Err(unknown_word(name, text, &names))
            }
        },
        Kind::Choices(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
        Kind::Choices(words) => Err(unknown_word(name, text, words)),
        Kind::Codes => match tempo_kickass::warnings(text) {
            Ok(_) => Ok(Value::Text(text.to_owned())),
            Err(err) => Err((err.to_string(), Some(LIST_OF_CODES.to_owned()))),
        },
        Kind::Words => match refused(text) {
            Some((message, help)) => Err((format!("`{name}` {message}"), Some(help))),
            None => Ok(Value::Text(text.to_owned())),
        },
        Kind::Texts if text.is_empty() => Err((format!("`{name}` leads to an empty path"), None)),
        _ => Ok(Value::Text(text.to_owned())),
    }
}

/// A word that is none of those there are.
fn unknown_word(name: &str, text: &str, words: &[impl AsRef<str>]) -> (String, Option<String>) {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let help = match nearest(text, words.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are {}", words.join(", ")),
    };
    (format!("`{name}` does not know '{}'", escaped(text)), Some(help))
}

/// Why a word cannot be among the options of `tempo run` in a file.
fn refused(word: &str) -> Option<(String, String)> {
    let option = word.split_once('=').map_or(word, |(option, _)| option);
    let name = option.strip_prefix("--")?;
    // A word that is not an option at all is the command's to refuse.
    run_options::effect(name).and_then(|_| run_options::refused(name))
}
