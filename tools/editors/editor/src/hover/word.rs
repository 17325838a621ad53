//! Hover on words of the language: directives, functions and constants of the library, strings.

use tempo_assembler::dialect::{self, Directive, Known, Takes};
use tempo_diagnostics::{hex, plural};

use super::fenced;
use crate::Snapshot;
use crate::parameters;
use crate::structure::names_file;
use crate::words::Words;

pub(super) fn text(words: Words<'_>, index: usize) -> Option<String> {
    let word = words.spelled(index);
    let before = index.checked_sub(1).map_or("", |before| words.spelled(before));
    if before == "#" || word == "#" {
        let name = if word == "#" { words.spelled(index + 1) } else { word };
        let found = dialect::Preprocessor::find(name)?.item();
        return Some(format!("{}\n\n{}", fenced(found.example), found.about));
    }
    if let Some(found) = Directive::find(word).map(Directive::item) {
        return Some(format!("{}\n\n{}", fenced(found.example), found.about));
    }
    if let Some(text) = parameter(words, index) {
        return Some(text);
    }
    let is_modifier = Directive::find(before).is_some_and(|found| found.item().takes == Takes::Modifier);
    if let Some(found) = dialect::MODIFIERS.iter().find(|item| is_modifier && item.name == word) {
        return Some(format!("{}\n\n{}", fenced(&format!("{word}({})", found.arguments)), found.about));
    }
    let name = word.strip_prefix('.').unwrap_or(word);
    let is_call = words.spelled(index + 1) == "(";
    if word.starts_with('.') {
        let methods: Vec<String> = dialect::methods(name, None)
            .map(|about| {
                format!(
                    "{}\n\n{}",
                    fenced(&format!("{}.{}({})", about.group, about.name, about.forms.last().unwrap_or(&""))),
                    about.about
                )
            })
            .collect();
        if is_call && !methods.is_empty() {
            return Some(methods.join("\n\n"));
        }
        let field = dialect::FIELDS.iter().find(|field| field.name == name)?;
        return Some(format!("{}\n\n{}", fenced(&format!("{}.{}", field.group, field.name)), field.about));
    }
    if let Some(about) = dialect::function(name).filter(|_| is_call) {
        let forms: Vec<String> = about.forms.iter().map(|form| format!("{name}({form})")).collect();
        return Some(format!("{}\n\n{}", fenced(&forms.join("\n")), about.about));
    }
    if let Some(constant) = dialect::constant(name) {
        let value = match constant.value {
            Known::Number(number) => format!(" = {number}"),
            Known::Template(parts) => format!(" = \"{parts}\""),
            Known::CommandLine => String::new(),
        };
        return Some(format!(
            "{}\n\n{}\n\nconstant of the library ({})",
            fenced(&format!("{name}{value}")),
            constant.about,
            constant.group
        ));
    }
    None
}

/// A parameter in the square brackets of a directive.
fn parameter(words: Words<'_>, index: usize) -> Option<String> {
    let is_name = index > 0 && matches!(words.spelled(index - 1), "[" | ",");
    let brackets = parameters::around(words, index).filter(|_| is_name)?;
    let word = words.spelled(index);
    let found = brackets.parameters(words).into_iter().find(|parameter| parameter.name == word)?;
    Some(format!("{}\n\n{}\n\nparameter ({})", fenced(word), found.about, brackets.place.name()))
}

/// A modifier or a plugin in quotes.
fn quoted(words: Words<'_>, index: usize) -> Option<String> {
    let text = words.spelled(index);
    if parameters::is_modifier(words, index) {
        let found = parameters::modifier(text)?;
        let takes = format!("parameters: `{}`", found.parameters.join("`, `"));
        return Some(format!("{}\n\n{}\n\n{takes}", fenced(found.name), found.about));
    }
    let before = index.checked_sub(1).map_or("", |before| words.spelled(before));
    let is_plugin = Directive::find(before).is_some_and(|found| found.item().takes == Takes::Plugin);
    let found = dialect::plugin(text.trim_matches('"')).filter(|_| is_plugin)?;
    Some(format!("{}\n\n{}", fenced(found.class), found.about()))
}

pub(super) fn string(snapshot: &Snapshot, words: Words<'_>, index: usize, file: &str) -> Option<String> {
    if let Some(text) = quoted(words, index) {
        return Some(text);
    }
    let text = words.spelled(index).trim_start_matches('@');
    let text = text.strip_prefix('"')?.strip_suffix('"').unwrap_or(text);
    if names_file(words, index) {
        let loaded = snapshot.files_of(file).read(text, Some(file)).ok()?;
        let mut about = format!("`{}`\n\n{} bytes", loaded.path, loaded.bytes.len());
        let bytes = &loaded.bytes;
        if bytes.starts_with(b"PSID") || bytes.starts_with(b"RSID") {
            let field = |start: usize| {
                let field = bytes.get(start..start + 32).unwrap_or(&[]);
                field.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect::<String>()
            };
            about.push_str(&format!("\n\n*{}* by {}", field(0x16), field(0x36)));
        } else if text.to_lowercase().ends_with(".prg") && bytes.len() >= 2 {
            let address = i64::from(u16::from_le_bytes([bytes[0], bytes[1]]));
            about.push_str(&format!(", load address `{}`", hex(address)));
        }
        return Some(about);
    }
    Some(plural(text.chars().count(), "character"))
}

pub(super) fn character(word: &str) -> Option<String> {
    let letter = word.trim_matches('\'').chars().next()?;
    Some(format!("character `{letter}`, Unicode {}", hex(i64::from(u32::from(letter)))))
}
