//! Checks before a run of statements that need a whole computer: keys, joysticks, disks,
//! and the pictures that screenshots are compared with.

use std::path::Path;

use tempo_c64::{File, Keys, Picture, Volume, parse_switches};
use tempo_emu::System;
use tempo_emu::c64::Cartridge;
use tempo_formats::images::Container;

use super::Checker;
use crate::ast::{Pointer, Text};
use crate::diag::{Code, Diagnostic};
use crate::eval::fold;
use crate::files::FileError;
use crate::plan::{Expr, Form, Kept, Reference};
use crate::snapshot;
use crate::source::Span;
use tempo_expressions::Kind;

impl Checker<'_> {
    /// Only a machine with its chips has this.
    pub(super) fn check_chips(&mut self, span: Span, what: &str) {
        if !self.machine.is_whole() {
            let help = match self.machine {
                System::C64Memory => System::WITHOUT_CHIPS,
                _ => "write `system(c64_pal)` or `system(c64_ntsc)` at the start of the suite",
            };
            self.report(
                Diagnostic::error(Code::Meaning, span, format!("{what} needs a machine with its chips"))
                    .help(help),
            );
        }
    }

    /// A script without variables is known before anything runs.
    pub(super) fn check_keys(&mut self, text: &Expr) {
        if let Some(script) = self.constant_text(text)
            && let Some(keyboard) = self.machine.keyboard()
            && let Err(err) = Keys::parse(script, keyboard)
        {
            self.report(Diagnostic::error(Code::Meaning, text.span, err.to_string()));
        }
    }

    pub(super) fn check_joystick(&mut self, port: &Expr, switches: &Expr) {
        if let Some(number) = fold(port)
            && self.machine.is_whole()
            && !self.machine.has_control_port(number)
        {
            let message = no_control_port(self.machine, number);
            self.report(Diagnostic::error(Code::Meaning, port.span, message));
        }
        if let Some(text) = self.constant_text(switches)
            && let Err(err) = parse_switches(text)
        {
            self.report(Diagnostic::error(Code::Meaning, switches.span, err.to_string()));
        }
    }

    /// Values that are known before a run.
    pub(super) fn check_pointer(&mut self, pointer: Pointer, arguments: &[Expr]) {
        if !self.machine.is_whole() {
            return;
        }
        for (at, argument) in arguments.iter().enumerate() {
            if let Some(number) = fold(argument)
                && let Err(message) = pointer.check(at, number)
            {
                self.report(Diagnostic::error(Code::Meaning, argument.span, message));
            }
        }
    }

    /// The cartridge of a `.crt` file.
    pub(super) fn read_cartridge(&mut self, file: &Text) -> Option<Cartridge> {
        let loaded = self.read_file(file)?;
        let image = tempo_formats::crt::read(&loaded.bytes);
        let image = image.map_err(|err| {
            let message = format!("`{}` is not a cartridge: {err}", file.value);
            self.report(Diagnostic::error(Code::Meaning, file.span, message));
        });
        Some(tempo_c64::cartridge(&image.ok()?))
    }

    fn constant_text<'e>(&self, text: &'e Expr) -> Option<&'e str> {
        match &text.kind {
            Kind::Form(Form::Text(text)) => text.constant(),
            _ => None,
        }
    }

    /// An image, or a disk with the files.
    pub(super) fn read_disk(&mut self, files: &[Text]) -> Option<Volume> {
        let mut volume = Volume::new("SUITE");
        for file in files {
            let loaded = self.read_file(file)?;
            let extension = file.value.rsplit_once('.').map_or("", |(_, extension)| extension);
            let fault = if Container::from_extension(extension).is_some() {
                match Volume::from_image(extension, &loaded.bytes) {
                    Ok(image) if files.len() == 1 => return Some(image),
                    Ok(_) => "is a whole disk, which cannot be combined with other files".to_string(),
                    Err(err) => format!("is not a disk image: {err}"),
                }
            } else {
                let name = file.value.rsplit('/').next().unwrap_or_default();
                match File::from_host(name, loaded.bytes.to_vec()) {
                    Some(file) if volume.find(&file.name).is_some() => "is on the disk already".to_string(),
                    Some(file) => {
                        volume.files.push(file);
                        continue;
                    }
                    None => {
                        "cannot be on a C64's disk: a name has up to 16 letters, digits and signs".to_string()
                    }
                }
            };
            let message = format!("`{}` {fault}", file.value);
            self.report(Diagnostic::error(Code::Meaning, file.span, message));
            return None;
        }
        Some(volume)
    }

    /// The pictures of a screenshot, for every row of the table around it.
    pub(super) fn read_references(&mut self, name: &Text) -> Vec<Reference> {
        if !self.machine.is_whole() {
            return Vec::new();
        }
        let help = "`screenshot(\"title\")` is compared with `title.png` beside the suite";
        let names = self.filled_names(name, "picture", help);
        names.into_iter().filter_map(|filled| self.read_reference(name, filled)).collect()
    }

    /// The bytes of a snapshot, for every row of the table around it.
    pub(super) fn read_kept(&mut self, name: &Text) -> Vec<Kept> {
        let help = "`snapshot(\"buffer\", …)` is compared with `buffer.snap` beside the suite";
        let names = self.filled_names(name, "snapshot", help);
        names.into_iter().filter_map(|filled| self.read_kept_one(name, filled)).collect()
    }

    fn read_kept_one(&mut self, name: &Text, filled: String) -> Option<Kept> {
        let suite = self.source.file_at(name.span.start).0.name();
        let file = format!("{filled}.snap");
        let beside = Path::new(suite).parent().unwrap_or(Path::new("")).join(&file);
        let found = match self.files.read(&file, Some(suite)) {
            Ok(loaded) => snapshot::read(&loaded.bytes).map(|bytes| (loaded.path.clone(), bytes)),
            Err(FileError::NotFound) => Err("it is not there".to_string()),
            Err(problem) => Err(problem.to_string()),
        };
        match found {
            Ok((path, bytes)) => Some(Kept { name: filled, path, bytes: Some(bytes) }),
            Err(_) if self.options.update => {
                Some(Kept { name: filled, path: beside.display().to_string(), bytes: None })
            }
            Err(why) => {
                let message = format!("there is no snapshot `{file}` to compare with: {why}");
                self.report(
                    Diagnostic::error(Code::Meaning, name.span, message)
                        .help("`tempo test --update` takes it; look at it before you keep it"),
                );
                None
            }
        }
    }

    /// The name of a file that a test may write, with the values of every row; nothing if one of them cannot be.
    fn filled_names(&mut self, name: &Text, what: &str, help: &str) -> Vec<String> {
        if self.is_declaring {
            return Vec::new();
        }
        let template = self.template(&name.value);
        let mut names: Vec<String> = self.rows.iter().map(|row| template.fill(row)).collect();
        match template.constant() {
            Some(constant) => names = vec![constant.to_string()],
            // Only the columns of a table have values now.
            None if names.is_empty() && !self.open_locals => names.push(name.value.clone()),
            None => {}
        }
        names.sort();
        names.dedup();
        for filled in &names {
            if let Err(fault) = check_name(filled) {
                let message = format!("`{filled}` cannot be the name of a {what}: {fault}");
                self.report(Diagnostic::error(Code::Meaning, name.span, message).help(help));
                return Vec::new();
            }
        }
        names
    }

    fn read_reference(&mut self, name: &Text, filled: String) -> Option<Reference> {
        let suite = self.source.file_at(name.span.start).0.name();
        let file = format!("{filled}.png");
        let beside = Path::new(suite).parent().unwrap_or(Path::new("")).join(&file);
        let at = |path: String, picture| Reference { name: filled.clone(), path, picture };
        let loaded = match self.files.read(&file, Some(suite)) {
            Ok(loaded) => loaded,
            Err(FileError::NotFound) if self.options.update => {
                return Some(at(beside.display().to_string(), None));
            }
            Err(problem) => {
                let message = match problem {
                    FileError::NotFound => format!("there is no picture `{file}` to compare with"),
                    why => format!("cannot read `{file}`: {why}"),
                };
                self.report(
                    Diagnostic::error(Code::Meaning, name.span, message)
                        .help("`tempo test --update` takes it; look at it before you keep it"),
                );
                return None;
            }
        };
        let palette = self.machine.palette().unwrap_or_default();
        match Picture::from_png(&loaded.bytes, palette) {
            Ok(picture) => Some(at(loaded.path, Some(picture))),
            Err(_) if self.options.update => Some(at(loaded.path, None)),
            Err(err) => {
                let message = format!("`{file}` is not a picture of a C64's screen: {err}");
                self.report(
                    Diagnostic::error(Code::Meaning, name.span, message)
                        .help("`tempo test --update` takes it anew"),
                );
                None
            }
        }
    }
}

/// A joystick is moved in a port that the machine does not have.
pub fn no_control_port(machine: System, number: i64) -> String {
    let name = machine.keyboard().map_or("CPU", |keyboard| keyboard.machine);
    match machine.joysticks() {
        0 => format!("a {name} has no control ports"),
        1 => format!("a {name} has one control port, 1, not {number}"),
        2 => format!("a {name} has control ports 1 and 2, not {number}"),
        most => format!("a {name} has control ports 1 to {most}, not {number}"),
    }
}

/// A picture may be written, so its path must not lead away from the suite.
fn check_name(name: &str) -> Result<(), &'static str> {
    let parts = || name.split('/');
    if name.is_empty() {
        return Err("it is empty");
    }
    if parts().any(|part| part.is_empty() || part == "." || part == "..") {
        return Err("it must lead to a file in the suite's folder or below it");
    }
    if name.chars().any(|c| c.is_control() || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')) {
        return Err("it has a character that file names cannot have everywhere");
    }
    if name.contains(['{', '}']) {
        return Err("only columns of the test's table can be used in braces");
    }
    Ok(())
}
