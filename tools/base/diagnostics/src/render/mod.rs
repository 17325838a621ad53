//! Diagnostics as text and as data: for people, for editors and for programs. Prints nothing itself.

mod editor;
mod human;
mod json;

use std::borrow::Cow;

pub use editor::{EditorDiagnostic, EditorPlace, EditorPosition, EditorRange, Related};

use crate::show::escaped;
use crate::{Code, Columns, Diagnostic, Found, Severity, SourceMap, Span};

/// Whether rendered text may contain terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI escape sequences.
    Ansi,
}

impl Colour {
    /// Colours if the terminal takes them.
    pub const fn when(takes_colour: bool) -> Colour {
        if takes_colour { Colour::Ansi } else { Colour::Plain }
    }
}

/// The severity that warnings are shown with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Warnings {
    /// As warnings.
    #[default]
    Allowed,
    /// As errors, because the caller will fail on them.
    Denied,
}

/// Turns diagnostics about some texts into what people and programs read.
///
/// ```
/// use tempo_diagnostics::{Diagnostic, NoCode, Renderer, Source, Span};
///
/// let source = Source::new("a.asm", "start:\n        bne strat\n");
/// let diagnostic = Diagnostic::error(NoCode, Span::new(19, 24), "unknown symbol 'strat'")
///     .label_at(Span::new(0, 5), "a symbol of a similar name")
///     .help("did you mean 'start'?");
/// let text = Renderer::new(&source).human(&diagnostic);
/// assert!(text.contains("2 |         bne strat\n  |             ^^^^^\n"), "{text}");
/// ```
#[derive(Clone)]
pub struct Renderer<'a> {
    sources: &'a dyn SourceMap,
    colour: Colour,
    columns: Columns,
    warnings: Warnings,
    nowhere: Cow<'a, str>,
    names: Option<&'a dyn Fn(&str) -> String>,
}

impl<'a> Renderer<'a> {
    /// Plain text, columns in characters.
    pub fn new(sources: &'a dyn SourceMap) -> Renderer<'a> {
        Renderer {
            sources,
            colour: Colour::Plain,
            columns: Columns::Characters,
            warnings: Warnings::Allowed,
            nowhere: Cow::Borrowed(""),
            names: None,
        }
    }

    /// Whether the human form has colours.
    pub fn colour(mut self, colour: Colour) -> Renderer<'a> {
        self.colour = colour;
        self
    }

    /// The unit of columns.
    pub fn columns(mut self, columns: Columns) -> Renderer<'a> {
        self.columns = columns;
        self
    }

    /// The severity that warnings are shown with.
    pub fn warnings(mut self, warnings: Warnings) -> Renderer<'a> {
        self.warnings = warnings;
        self
    }

    /// The text that replaces the place in diagnostics without one; usually the name of the main source.
    pub fn nowhere(mut self, name: impl Into<Cow<'a, str>>) -> Renderer<'a> {
        self.nowhere = name.into();
        self
    }

    /// How names of sources are shown, for instance relative to a folder.
    pub fn names(mut self, names: &'a dyn Fn(&str) -> String) -> Renderer<'a> {
        self.names = Some(names);
        self
    }

    /// One line, the form that editors understand: `file:line:column: error: text [CODE]`.
    pub fn short<C: Code>(&self, diagnostic: &Diagnostic<C>) -> String {
        let place = match diagnostic.span {
            Some(span) => self.place(span),
            None => self.nowhere.clone().into_owned(),
        };
        let place = escaped(&place);
        let separator = if place.is_empty() { "" } else { ": " };
        let severity = self.severity(diagnostic);
        let code = diagnostic.code.id().map(|id| format!(" [{id}]")).unwrap_or_default();
        format!("{place}{separator}{severity}: {}{code}\n", escaped(&diagnostic.message))
    }

    /// `file:line:column` of the start of a span.
    pub fn place(&self, span: Span) -> String {
        let Some(found) = self.sources.find(span.start) else { return self.nowhere.clone().into_owned() };
        let position = found.source.position(found.local(span).start, self.columns);
        format!("{}:{}:{}", self.name(found), position.line, position.column)
    }

    fn name(&self, found: Found<'_>) -> String {
        let name = found.source.name();
        self.names.map_or_else(|| name.to_owned(), |names| names(name))
    }

    fn severity<C: Code>(&self, diagnostic: &Diagnostic<C>) -> Severity {
        match (diagnostic.severity, self.warnings) {
            (Severity::Warning, Warnings::Denied) => Severity::Error,
            (severity, _) => severity,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrameKind, NoCode, Source, Sources};
    use pretty_assertions::assert_eq;

    crate::codes! {
        pub(super) enum TestCode {
            OutOfReach = "E0203",
        }
    }

    const TEXT: &str = "start:\n        bne nextMove\r\n.text \"äöü\"+x\n";

    fn sources() -> Sources {
        let mut sources = Sources::new();
        sources.add(Source::new("<system>", "")).unwrap();
        sources.add(Source::new("/project/asm/main.asm", TEXT)).unwrap();
        sources.add(Source::new("/project/asm/other.asm", "one\ntwo\n")).unwrap();
        sources
    }

    /// A span of the main file.
    fn span(start: usize, end: usize) -> Span {
        Span::new(start, end).shifted(1)
    }

    fn diagnostic() -> Diagnostic<TestCode> {
        Diagnostic::error(TestCode::OutOfReach, span(19, 27), "branch is out of reach")
            .label("nextMove is at $4A83")
            .frame(FrameKind::Macro, "Far", span(0, 5))
            .help("invert the condition and use jmp")
    }

    fn relative(name: &str) -> String {
        name.trim_start_matches("/project/").to_owned()
    }

    fn renderer(sources: &Sources) -> Renderer<'_> {
        Renderer::new(sources).names(&relative).nowhere("asm/main.asm")
    }

    #[test]
    fn the_human_form_has_line_caret_notes_and_help() {
        assert_eq!(
            renderer(&sources()).human(&diagnostic()),
            "error[E0203]: branch is out of reach
 --> asm/main.asm:2:13
  |
2 |         bne nextMove
  |             ^^^^^^^^ nextMove is at $4A83
  |
  = note: expanded from macro Far at asm/main.asm:1:1
  = help: invert the condition and use jmp
"
        );
    }

    #[test]
    fn labels_show_places_of_the_same_and_of_other_files() {
        let base = sources().base(crate::FileId(2));
        let diagnostic = diagnostic()
            .label_at(span(0, 5), "first defined here")
            .label_at(Span::new(4, 7).shifted(base), "and here");
        assert_eq!(
            renderer(&sources()).human(&diagnostic),
            "error[E0203]: branch is out of reach
 --> asm/main.asm:2:13
  |
1 | start:
  | ----- first defined here
2 |         bne nextMove
  |             ^^^^^^^^ nextMove is at $4A83
  |
 ::: asm/other.asm:2:1
  |
2 | two
  | --- and here
  |
  = note: expanded from macro Far at asm/main.asm:1:1
  = help: invert the condition and use jmp
"
        );
    }

    #[test]
    fn the_short_form_is_one_line() {
        let sources = sources();
        let renderer = renderer(&sources);
        let mut diagnostic = diagnostic();
        assert_eq!(renderer.short(&diagnostic), "asm/main.asm:2:13: error: branch is out of reach [E0203]\n");
        diagnostic.message = "two\nlines\u{1b}[2J".into();
        diagnostic.span = None;
        diagnostic.severity = Severity::Warning;
        let text = "asm/main.asm: warning: two\\nlines\\u{1b}[2J [E0203]\n";
        assert_eq!(renderer.short(&diagnostic), text);
        let strict = renderer.warnings(Warnings::Denied);
        assert_eq!(strict.short(&diagnostic), text.replace("warning", "error"));
    }

    #[test]
    fn a_diagnostic_displays_with_its_source() {
        let source = Source::new("a", "x\n");
        let diagnostic = Diagnostic::error(NoCode, Span::new(0, 1), "no x");
        assert_eq!(diagnostic.display(&source).to_string(), "a:1:1: error: no x");
        assert_eq!(
            format!("{:#}", diagnostic.display(&source)),
            "error: no x\n --> a:1:1\n  |\n1 | x\n  | ^"
        );
        assert_eq!(diagnostic.to_string(), "error: no x");
    }

    #[test]
    fn columns_behind_wide_characters_are_found() {
        let sources = sources();
        let diagnostic = Diagnostic::error(NoCode, span(44, 45), "no x");
        let text = renderer(&sources).human(&diagnostic);
        assert!(text.contains("main.asm:3:13\n"), "{text}");
        let astral = Source::new("a", "😀x");
        let diagnostic = Diagnostic::error(NoCode, Span::new(4, 5), "no x");
        let utf16 = Renderer::new(&astral).columns(Columns::Utf16).colour(Colour::Ansi);
        assert!(utf16.human(&diagnostic).contains("a:1:3"));
        assert!(text.contains("3 | .text \"äöü\"+x\n  |             ^\n"), "{text}");
    }

    #[test]
    fn control_characters_are_shown_and_counted_as_one() {
        let source = Source::new("a\u{1b}", "\u{1b}[2J\u{85}\u{202e}bad good\n");
        let diagnostic = Diagnostic::error(NoCode, Span::new(13, 17), "no \u{1b}[2J")
            .label("l\u{1b}")
            .note("n\u{9b}1m")
            .help("h\u{202e}")
            .frame(FrameKind::Macro, "m\u{1b}", Span::new(0, 1));
        let renderer = Renderer::new(&source);
        for text in [renderer.human(&diagnostic), renderer.short(&diagnostic)] {
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
            assert!(!text.contains('\u{202e}'), "{text:?}");
        }
        let text = renderer.human(&diagnostic);
        assert!(text.contains("1 | ␛[2J��bad good\n  |           ^^^^ l\\u{1b}"), "{text}");
    }

    #[test]
    fn a_place_outside_of_the_text_does_no_harm() {
        let sources = sources();
        let renderer = renderer(&sources);
        for (start, end) in
            [(6, 7), (28, 28), (46, 46), (0, 4000), (30, 20), (u32::MAX as usize, 0), (38, 39)]
        {
            let diagnostic = Diagnostic { span: Some(span(start, end)), ..diagnostic() };
            assert!(!renderer.human(&diagnostic).is_empty() && !renderer.short(&diagnostic).is_empty());
            renderer.json(&diagnostic);
            renderer.editor(&diagnostic, Columns::Utf16);
        }
        let none = Sources::new();
        assert!(Renderer::new(&none).human(&diagnostic()).starts_with("error[E0203]"));
    }

    #[test]
    fn long_lines_are_cut_and_keep_their_column() {
        let source = Source::new("l", "ä".repeat(1_000_000));
        let diagnostic = Diagnostic::error(NoCode, Span::new(1_000_000, 1_000_006), "here")
            .label_at(Span::new(0, 2), "far away");
        let text = Renderer::new(&source).human(&diagnostic);
        assert!(text.len() < 10_000);
        assert!(text.contains(" l:1:500001\n"), "{text}");
        assert!(text.contains("^^^"), "{text}");
    }

    #[test]
    fn labels_of_a_huge_text_are_shown_apart() {
        let source = Source::new("h", "line\n".repeat(1_000_000));
        let diagnostic = Diagnostic::error(NoCode, Span::new(4_000_000, 4_000_004), "again")
            .label_at(Span::new(0, 4), "first defined here");
        let text = Renderer::new(&source).human(&diagnostic);
        assert!(text.contains("h:800001:1") && text.contains("h:1:1"), "{text}");
        assert!(text.lines().count() < 15, "{text}");
    }

    #[test]
    fn deep_frames_lose_their_middle() {
        let sources = sources();
        let frame = diagnostic().frames[0].clone();
        let deep = Diagnostic { frames: vec![frame; 500], ..diagnostic() };
        let text = renderer(&sources).human(&deep);
        assert_eq!(text.matches("expanded from").count(), 6);
        assert!(text.contains("… 494 more levels …"));
    }

    #[test]
    fn json_has_every_part() {
        let sources = sources();
        assert_eq!(TestCode::from_id("E0203"), Some(TestCode::OutOfReach));
        let value = renderer(&sources).json(&diagnostic().label_at(span(0, 5), "there").pointer("/a/0"));
        assert_eq!(value["severity"], "error");
        assert_eq!(value["code"], "E0203");
        let at = serde_json::json!({"file": "asm/main.asm", "line": 2, "column": 13, "length": 8});
        assert_eq!(value["at"], at);
        assert_eq!(value["frames"][0]["kind"], "macro");
        assert_eq!(value["labels"][0]["text"], "there");
        assert_eq!(value["pointer"], "/a/0");
        assert_eq!(value["help"], "invert the condition and use jmp");
        assert!(value["rendered"].as_str().unwrap().starts_with("error[E0203]"));
    }

    #[test]
    fn editors_get_both_ends_in_their_own_columns() {
        let source = Source::new("e", "ä€😀name\nnext\n");
        let renderer = Renderer::new(&source);
        let range = |columns| {
            let place = renderer.editor_place(Span::new(9, 15), columns).unwrap();
            let EditorRange { start, end } = place.range;
            (start.line, start.character, end.line, end.character)
        };
        assert_eq!(range(Columns::Utf16), (0, 4, 1, 1));
        assert_eq!(range(Columns::Characters), (0, 3, 1, 1));
        assert_eq!(range(Columns::Bytes), (0, 9, 1, 1));
        let diagnostic = Diagnostic::warning(NoCode, Span::new(9, 13), "bad name")
            .label("this one")
            .note("why")
            .help("do")
            .label_at(Span::new(14, 18), "see")
            .frame(FrameKind::Import, "e", Span::new(0, 2));
        let editor = renderer.editor(&diagnostic, Columns::Utf16);
        assert_eq!(editor.message, "bad name\nthis one\nnote: why\nhelp: do");
        assert_eq!(editor.severity_number(), 2);
        let related: Vec<_> = editor.related.iter().map(|related| related.message.as_str()).collect();
        assert_eq!(related, ["see", "in e imported at e:1:1"]);
    }
}
