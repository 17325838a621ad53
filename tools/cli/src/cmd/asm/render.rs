//! Diagnostics as text: for people, for editors and for programs. Kick Assembler's own form is in
//! `kickass`.

use std::path::{Path, PathBuf};

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use assembler::{Diagnostic, Frame, FrameKind, Location, Severity};
use formats::program::Source;
use serde_json::json;

use kickass::shown;

/// `--message-format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum MessageFormat {
    /// With the source line, a caret and notes.
    #[default]
    Human,
    /// One line each: `file:line:column: error: text [CODE]`.
    Short,
    /// One JSON object a line, also for printed text and the result.
    Json,
}

/// What rendering needs to know beside the diagnostic.
pub struct Context<'a> {
    pub sources: &'a [Source],
    /// Paths below it are shown relative to it.
    pub folder: &'a Path,
    /// The source of the job, for what has no place in it.
    pub root: PathBuf,
    pub colour: bool,
    pub warnings_are_errors: bool,
}

/// How many frames are shown before the middle is left out.
const FRAMES: usize = 6;

impl Context<'_> {
    pub fn path(&self, location: &Location) -> String {
        let path = self.sources.get(location.file as usize).map_or("?", |source| &source.path);
        shown(Path::new(path), self.folder).to_string_lossy().into_owned()
    }

    fn is_error(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.severity == Severity::Error || self.warnings_are_errors
    }

    /// `file:line:column`.
    pub fn place(&self, location: &Location) -> String {
        format!("{}:{}:{}", self.path(location), location.line, location.column)
    }

    /// The full form, ended by a blank line.
    pub fn human(&self, diagnostic: &Diagnostic) -> String {
        let level = if self.is_error(diagnostic) { Level::ERROR } else { Level::WARNING };
        let title = level.primary_title(&*diagnostic.message).id(diagnostic.code);
        let mut group = match &diagnostic.at {
            Some(location) => self.snippet(title, location, diagnostic.label.as_deref()),
            None => title.element(Origin::path(self.root.to_string_lossy().into_owned())),
        };
        for frame in self.frames(diagnostic) {
            group = group.element(Level::NOTE.message(frame));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(&**note));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        format!("{}\n\n", renderer.render(&[group]))
    }

    fn snippet<'a>(
        &self,
        title: annotate_snippets::Title<'a>,
        location: &Location,
        label: Option<&'a str>,
    ) -> Group<'a> {
        let source = self.sources.get(location.file as usize);
        let line = source.and_then(|source| line(&source.text, location.line)).unwrap_or_default();
        let (line, start) = window(line, location.column);
        let end = line[start..]
            .char_indices()
            .nth(location.len.max(1) as usize)
            .map_or(line.len(), |(at, _)| start + at);
        let annotation = AnnotationKind::Primary.span(start..end.max(start));
        let annotation = match label {
            Some(label) => annotation.label(label),
            None => annotation,
        };
        title.element(
            Snippet::source(line)
                .line_start(location.line as usize)
                .path(self.path(location))
                .annotation(annotation),
        )
    }

    /// `file:line:column: error: text [CODE]`.
    pub fn short(&self, diagnostic: &Diagnostic) -> String {
        let severity = if self.is_error(diagnostic) { "error" } else { "warning" };
        let place = match &diagnostic.at {
            Some(location) => self.place(location),
            None => self.root.to_string_lossy().into_owned(),
        };
        format!("{place}: {severity}: {} [{}]\n", diagnostic.message, diagnostic.code)
    }

    /// One JSON object.
    pub fn json(&self, diagnostic: &Diagnostic) -> serde_json::Value {
        let place = |location: &Location| {
            json!({
                "file": self.path(location),
                "line": location.line,
                "column": location.column,
                "length": location.len,
            })
        };
        let plain = Context { colour: false, folder: self.folder, root: self.root.clone(), ..*self };
        json!({
            "type": "diagnostic",
            "severity": if self.is_error(diagnostic) { "error" } else { "warning" },
            "code": diagnostic.code,
            "message": diagnostic.message,
            "at": diagnostic.at.as_ref().map(place),
            "label": diagnostic.label,
            "frames": diagnostic.frames.iter().map(|frame| json!({
                "kind": kind_word(frame.kind),
                "name": frame.name,
                "at": place(&frame.at),
            })).collect::<Vec<_>>(),
            "notes": diagnostic.notes,
            "help": diagnostic.help,
            "rendered": plain.human(diagnostic),
        })
    }

    /// The way to the error as notes, innermost first; a long one loses its middle.
    fn frames(&self, diagnostic: &Diagnostic) -> Vec<String> {
        let shown = diagnostic.frames.iter().filter(|frame| frame.kind != FrameKind::BuiltIn);
        let mut notes: Vec<String> = shown.map(|frame| self.frame(frame)).collect();
        if notes.len() > FRAMES + 1 {
            let left_out = notes.len() - FRAMES;
            notes.splice(FRAMES / 2..FRAMES / 2 + left_out, [format!("… {left_out} more levels …")]);
        }
        notes
    }

    fn frame(&self, frame: &Frame) -> String {
        let place = self.place(&frame.at);
        let name = &frame.name;
        match frame.kind {
            FrameKind::Macro => format!("expanded from macro {name} at {place}"),
            FrameKind::PseudoCommand => format!("expanded from pseudo command {name} at {place}"),
            FrameKind::Function | FrameKind::BuiltIn => format!("in function {name} called at {place}"),
            FrameKind::Import => {
                format!("in {} imported at {place}", shown(Path::new(name), self.folder).display())
            }
        }
    }
}

fn kind_word(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Macro => "macro",
        FrameKind::PseudoCommand => "pseudocommand",
        FrameKind::Function => "function",
        FrameKind::BuiltIn => "builtin",
        FrameKind::Import => "import",
    }
}

/// A line by its number from 1. LF, CR and CR LF end lines.
fn line(text: &str, number: u32) -> Option<&str> {
    let mut rest = text;
    for _ in 1..number {
        let end = line_end(rest)?;
        rest = &rest[end + if rest[end..].starts_with("\r\n") { 2 } else { 1 }..];
    }
    Some(line_end(rest).map_or(rest, |end| &rest[..end]))
}

/// Where the first line ends; `None` if it is all there is. Every message asks, and a line may be the whole file.
fn line_end(text: &str) -> Option<usize> {
    let is_end = |&byte: &u8| u8::from(byte == b'\n') | u8::from(byte == b'\r');
    for (index, piece) in text.as_bytes().chunks(256).enumerate() {
        // Looking at all of a piece is quicker than stopping in it: the compiler makes vectors of this.
        if piece.iter().map(is_end).fold(0, |found, end| found | end) != 0 {
            return piece.iter().position(|byte| is_end(byte) != 0).map(|at| index * 256 + at);
        }
    }
    None
}

/// The byte offset of a column, which counts UTF-16 units from 1.
fn offset_of(line: &str, column: u32) -> usize {
    let mut units = 1;
    for (offset, character) in line.char_indices() {
        if units >= column {
            return offset;
        }
        units += character.len_utf16() as u32;
    }
    line.len()
}

/// The part of a line worth showing, and where the column lies in it: generated sources have lines of megabytes.
fn window(line: &str, column: u32) -> (String, usize) {
    const WIDTH: usize = 1000;
    let offset = offset_of(line, column);
    if line.len() <= WIDTH {
        return (printable(line), offset);
    }
    let from =
        (0..=offset.saturating_sub(WIDTH / 4)).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
    let to = (from + WIDTH..=line.len()).find(|&at| line.is_char_boundary(at)).unwrap_or(line.len());
    (printable(&line[from..to]), offset - from)
}

/// Control characters would move the cursor of the reader's terminal; a byte each, so offsets stay.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_ascii_control() && c != '\t' { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn sources() -> Vec<Source> {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        vec![
            source("<system>", ""),
            source("/work/asm/main.asm", "start:\n        bne nextMove\r\n.text \"äöü\"+x\n"),
        ]
    }

    fn diagnostic() -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: "E0203",
            message: "branch is out of reach".into(),
            at: Some(Location { file: 1, line: 2, column: 13, len: 8 }),
            label: Some("nextMove is at $4A83".into()),
            frames: vec![Frame {
                kind: FrameKind::Macro,
                name: "Far".into(),
                at: Location { file: 1, line: 1, column: 1, len: 5 },
            }],
            help: Some("invert the condition and use jmp".into()),
            notes: vec![],
        }
    }

    fn context(sources: &[Source]) -> Context<'_> {
        Context {
            sources,
            folder: Path::new("/work"),
            root: "asm/main.asm".into(),
            colour: false,
            warnings_are_errors: false,
        }
    }

    #[test]
    fn the_human_form_has_line_caret_notes_and_help() {
        let sources = sources();
        assert_eq!(
            context(&sources).human(&diagnostic()),
            "error[E0203]: branch is out of reach\n \
             --> asm/main.asm:2:13\n  \
             |\n\
             2 |         bne nextMove\n  \
             |             ^^^^^^^^ nextMove is at $4A83\n  \
             |\n  \
             = note: expanded from macro Far at asm/main.asm:1:1\n  \
             = help: invert the condition and use jmp\n\n"
        );
    }

    #[test]
    fn lines_are_found_wherever_they_end() {
        for len in [0, 1, 255, 256, 257, 1000] {
            for end in ["\n", "\r", "\r\n"] {
                let first = "é".repeat(len);
                let text = format!("{first}{end}second{end}");
                let found: Vec<_> = (1..=4).map(|number| line(&text, number)).collect();
                assert_eq!(found, [Some(&first[..]), Some("second"), Some(""), None]);
            }
        }
    }

    #[test]
    fn the_short_form_is_one_line() {
        let sources = sources();
        assert_eq!(
            context(&sources).short(&diagnostic()),
            "asm/main.asm:2:13: error: branch is out of reach [E0203]\n"
        );
        let nowhere = Diagnostic { at: None, severity: Severity::Warning, ..diagnostic() };
        assert_eq!(
            context(&sources).short(&nowhere),
            "asm/main.asm: warning: branch is out of reach [E0203]\n"
        );
        let strict = Context { warnings_are_errors: true, ..context(&sources) };
        assert_eq!(strict.short(&nowhere), "asm/main.asm: error: branch is out of reach [E0203]\n");
    }

    #[test]
    fn columns_behind_wide_characters_are_found() {
        let sources = sources();
        let at = Some(Location { file: 1, line: 3, column: 13, len: 1 });
        let text = context(&sources).human(&Diagnostic { at, label: None, ..diagnostic() });
        assert!(text.contains("3 | .text \"äöü\"+x\n  |             ^\n"), "{text}");
    }

    #[test]
    fn a_place_outside_of_the_text_does_no_harm() {
        let sources = sources();
        for (line, column, len) in [(1, 7, 1), (99, 1, 5), (4, 1, 1), (2, 4000, 9)] {
            let at = Some(Location { file: 1, line, column, len });
            context(&sources).human(&Diagnostic { at, ..diagnostic() });
        }
        let long = vec![Source { path: "l".into(), text: "ä".repeat(1_000_000) }];
        let at = Some(Location { file: 0, line: 1, column: 500_000, len: 3 });
        assert!(context(&long).human(&Diagnostic { at, ..diagnostic() }).len() < 10_000);
    }

    #[test]
    fn deep_frames_lose_their_middle() {
        let sources = sources();
        let frame = diagnostic().frames[0].clone();
        let deep = Diagnostic { frames: vec![frame; 500], ..diagnostic() };
        let text = context(&sources).human(&deep);
        assert_eq!(text.matches("expanded from").count(), FRAMES);
        assert!(text.contains("… 494 more levels …"));
    }

    #[test]
    fn json_has_every_part() {
        let sources = sources();
        let value = context(&sources).json(&diagnostic());
        assert_eq!(value["at"]["line"], 2);
        assert_eq!(value["frames"][0]["kind"], "macro");
        assert_eq!(value["help"], "invert the condition and use jmp");
    }
}
