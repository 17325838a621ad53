//! The form people read: message, place, source line with carets, the way there, notes and help.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer as Snippets, Snippet};

use super::{Colour, Renderer};
use crate::show::{escaped, escaped_lines, picture};
use crate::{Code, Diagnostic, Found, Frame, FrameKind, Position, Severity, Source, Span};

/// How many frames are shown before the middle is left out.
const FRAMES: usize = 6;

/// How many bytes of a line are shown at most: generated sources have lines of megabytes.
const WIDTH: usize = 400;

/// Labels further apart than this are shown as two pieces of the text instead of one with a gap.
const GAP: u32 = 5000;

impl Renderer<'_> {
    /// The full form with the source line, carets, frames, notes and help. Ends with a line feed.
    pub fn human<C: Code>(&self, diagnostic: &Diagnostic<C>) -> String {
        let level = match self.severity(diagnostic) {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut title = level.primary_title(escaped_lines(&diagnostic.message));
        if let Some(id) = diagnostic.code.id() {
            title = title.id(id);
        }
        let pieces = self.pieces(diagnostic);
        let mut group = Group::with_title(title);
        if pieces.is_empty() && !self.nowhere.is_empty() {
            group = group.element(Origin::path(escaped(&self.nowhere)));
        }
        for piece in &pieces {
            group = group.element(piece.snippet());
        }
        for frame in self.frames(diagnostic) {
            group = group.element(Level::NOTE.message(escaped(&frame).into_owned()));
        }
        for note in &diagnostic.notes {
            group = group.element(Level::NOTE.message(escaped_lines(note)));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(escaped_lines(help)));
        }
        let renderer = match self.colour {
            Colour::Plain => Snippets::plain(),
            Colour::Ansi => Snippets::styled(),
        };
        let mut text = renderer.render(&[group]);
        for piece in &pieces {
            piece.correct_column(&mut text);
        }
        text.push('\n');
        text
    }

    /// The pieces of source text to show, the one with the primary place first.
    fn pieces<'d, C: Code>(&self, diagnostic: &'d Diagnostic<C>) -> Vec<Piece<'d>> {
        let label = diagnostic.label.as_deref().unwrap_or(&diagnostic.pointer);
        let primary = diagnostic.span.map(|span| (AnnotationKind::Primary, span, label));
        // Without its own place, what it is about is shown by labels alone.
        let kind = |at: usize| match (diagnostic.span, at) {
            (None, 0) => AnnotationKind::Primary,
            _ => AnnotationKind::Context,
        };
        let labels = diagnostic.labels.iter().enumerate();
        let marks = primary.into_iter().chain(labels.map(|(at, label)| (kind(at), label.span, &*label.text)));
        let mut groups: Vec<Marked<'_, 'd>> = Vec::new();
        for (kind, span, label) in marks {
            let Some(found) = self.sources.find(span.start) else { continue };
            let span = found.local(span);
            let at = found.source.position(span.start, self.columns);
            let mark = Mark { kind, span, at, label: escaped_lines(label) };
            match groups.iter_mut().find(|group| group.takes(found, at.line)) {
                Some(group) => group.marks.push(mark),
                None => groups.push(Marked { found, marks: vec![mark] }),
            }
        }
        groups
            .into_iter()
            .map(|group| {
                let name = self.name(group.found);
                group.piece(&name)
            })
            .collect()
    }

    /// The way to the error as notes, innermost first; a long one loses its middle.
    fn frames<C: Code>(&self, diagnostic: &Diagnostic<C>) -> Vec<String> {
        let shown = || diagnostic.frames.iter().filter(|frame| frame.kind != FrameKind::BuiltIn);
        let count = shown().count();
        if count <= FRAMES + 1 {
            return shown().map(|frame| self.frame_text(frame)).collect();
        }
        let left_out = count - FRAMES;
        let first = shown().take(FRAMES / 2).map(|frame| self.frame_text(frame));
        let last = shown().skip(FRAMES / 2 + left_out).map(|frame| self.frame_text(frame));
        first.chain([format!("… {left_out} more levels …")]).chain(last).collect()
    }

    /// One level as a sentence.
    pub fn frame_text(&self, frame: &Frame) -> String {
        let place = self.place(frame.span);
        let name = &frame.name;
        match frame.kind {
            FrameKind::Macro => format!("expanded from macro {name} at {place}"),
            FrameKind::PseudoCommand => format!("expanded from pseudo command {name} at {place}"),
            FrameKind::Function | FrameKind::BuiltIn => format!("in function {name} called at {place}"),
            FrameKind::Loop => format!("in round {name} of the loop at {place}"),
            FrameKind::Import => {
                let name = self.names.map_or_else(|| name.clone(), |names| names(name));
                format!("in {name} imported at {place}")
            }
        }
    }
}

/// A span of one text that gets carets.
struct Mark<'d> {
    kind: AnnotationKind,
    span: Span,
    at: Position,
    label: Cow<'d, str>,
}

/// The marks that are shown in one piece of a text.
struct Marked<'s, 'd> {
    found: Found<'s>,
    marks: Vec<Mark<'d>>,
}

impl<'d> Marked<'_, 'd> {
    fn takes(&self, found: Found<'_>, line: u32) -> bool {
        self.found.file == found.file && self.marks.iter().any(|mark| mark.at.line.abs_diff(line) <= GAP)
    }

    fn piece(self, name: &str) -> Piece<'d> {
        let source = self.found.source;
        let first = self.marks.iter().map(|mark| mark.at.line).min().unwrap_or(1);
        let last = self.marks.iter().map(|mark| mark.at.line).max().unwrap_or(1);
        // The marks keep their order, so the first of a piece is the primary one if it has that.
        let at = self.marks.first().map_or(Position { line: 1, column: 1 }, |mark| mark.at);
        let mut text = String::new();
        let mut windows = Vec::new();
        for number in first..=last {
            if number > first {
                text.push('\n');
            }
            // Only lines close to a mark are shown; the others are folded whatever they hold.
            if self.marks.iter().any(|mark| mark.at.line.abs_diff(number) <= 2) {
                let focus = self.marks.iter().find(|mark| mark.at.line == number);
                let window = Window::new(source, number, focus.map(|mark| mark.span.start));
                let start = text.len();
                text.extend(window.shown());
                windows.push((number, start, window));
            }
        }
        let marks = self.marks.into_iter().filter_map(|mark| {
            let (_, start, window) = windows.iter().find(|(number, ..)| *number == mark.at.line)?;
            let range = window.place(mark.span)?;
            Some((mark.kind, start + range.start..start + range.end, mark.label))
        });
        Piece { name: escaped(name).into_owned(), first, at, text, annotations: marks.collect() }
    }
}

/// The part of a line worth showing.
struct Window<'s> {
    /// The part as it is in the source.
    part: &'s str,
    /// Offset of the part in the source.
    start: u32,
}

impl<'s> Window<'s> {
    fn new(source: &'s Source, number: u32, focus: Option<u32>) -> Window<'s> {
        let line = source.line(number);
        let line_start = source.line_start(number).unwrap_or(0);
        if line.len() <= WIDTH {
            return Window { part: line, start: line_start };
        }
        let focus = focus.map_or(0, |focus| focus.saturating_sub(line_start) as usize).min(line.len());
        let from = line.floor_char_boundary(focus.saturating_sub(WIDTH / 4));
        let to = line.ceil_char_boundary((from + WIDTH).min(line.len()));
        Window { part: &line[from..to], start: line_start + from as u32 }
    }

    /// The characters that are shown.
    fn shown(&self) -> impl Iterator<Item = char> {
        self.part.chars().map(picture)
    }

    /// A span of the source as a range of the shown text; `None` if it starts outside of the part. What is
    /// on later lines is left out: a caret under a statement of many lines would draw all of it.
    fn place(&self, span: Span) -> Option<Range<usize>> {
        let start = span.start.checked_sub(self.start)? as usize;
        if start > self.part.len() + LINE_END {
            return None;
        }
        let shown = |at: usize| {
            let at = self.part.floor_char_boundary(at.min(self.part.len()));
            self.part[..at].chars().map(|character| picture(character).len_utf8()).sum::<usize>()
        };
        let end = span.end.saturating_sub(self.start) as usize;
        Some(shown(start)..shown(end).max(shown(start)))
    }
}

/// CR LF: a span may start at the end of a line.
const LINE_END: usize = 2;

/// The input of `annotate-snippets`.
struct Piece<'d> {
    name: String,
    /// The number of the first line of the text.
    first: u32,
    /// The place that is reported for the piece.
    at: Position,
    text: String,
    annotations: Vec<(AnnotationKind, Range<usize>, Cow<'d, str>)>,
}

impl Piece<'_> {
    fn snippet(&self) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let mut snippet = Snippet::source(&*self.text).path(&*self.name).line_start(self.first as usize);
        for (kind, range, label) in &self.annotations {
            let mut annotation = kind.span(range.clone());
            if !label.is_empty() {
                annotation = annotation.label(&**label);
            }
            snippet = snippet.annotation(annotation);
        }
        snippet
    }
    /// The snippet counts the column in the text it was given, which may be a part of the line, and in
    /// characters; the user is told the column of the source.
    fn correct_column(&self, rendered: &mut String) {
        let Some((_, range, _)) = self.annotations.first() else { return };
        let before = &self.text[..range.start];
        let column = before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count() as u32 + 1;
        if column != self.at.column {
            let place = |column: u32| format!("{}:{}:{column}", self.name, self.at.line);
            let header = rendered.find("-->").unwrap_or(0);
            let corrected = rendered[header..].replacen(&place(column), &place(self.at.column), 1);
            rendered.replace_range(header.., &corrected);
        }
    }
}
