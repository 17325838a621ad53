//! Diagnostics as text: for people, for editors and for programs. Kick Assembler's own form is in
//! `kickass`.

use std::path::{Path, PathBuf};

use tempo_assembler::{Columns, Diagnostic, Sources};
use tempo_diagnostics::{Colour, Renderer};

use tempo_kickass::shown;

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

/// The options of rendering beside the diagnostic.
pub struct Context<'a> {
    pub sources: &'a Sources,
    /// Paths below it are shown relative to it.
    pub folder: &'a Path,
    /// The source of the job, for what has no place in it.
    pub root: PathBuf,
    pub colour: bool,
}

impl Context<'_> {
    /// The full form, ended by a blank line.
    pub fn human(&self, diagnostic: &Diagnostic) -> String {
        self.with(|renderer| renderer.human(diagnostic)) + "\n"
    }

    /// `file:line:column: error: text [CODE]`.
    pub fn short(&self, diagnostic: &Diagnostic) -> String {
        self.with(|renderer| renderer.short(diagnostic))
    }

    /// One JSON object.
    pub fn json(&self, diagnostic: &Diagnostic) -> serde_json::Value {
        self.with(|renderer| renderer.json(diagnostic))
    }

    fn with<T>(&self, render: impl FnOnce(Renderer<'_>) -> T) -> T {
        let names = |path: &str| shown(Path::new(path), self.folder).to_string_lossy().into_owned();
        let renderer = Renderer::new(self.sources)
            .columns(Columns::Utf16)
            .colour(if self.colour { Colour::Ansi } else { Colour::Plain })
            .nowhere(self.root.to_string_lossy().into_owned())
            .names(&names);
        render(renderer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use tempo_assembler::{Code, FrameKind, Source, Span};

    fn sources() -> Sources {
        let mut sources = Sources::new();
        sources.add(Source::new("<system>", ""));
        sources
            .add(Source::new("/project/asm/main.asm", "start:\n        bne nextMove\r\n.text \"äöü\"+x\n"));
        sources
    }

    /// The built-in source takes the offset 0.
    fn diagnostic() -> Diagnostic {
        Diagnostic::error(Code::BranchTooFar, Span::new(20, 28), "branch is out of reach")
            .label("nextMove is at $4A83")
            .frame(FrameKind::Macro, "Far", Span::new(1, 6))
            .help("invert the condition and use jmp")
    }

    fn context(sources: &Sources) -> Context<'_> {
        Context { sources, folder: Path::new("/project"), root: "asm/main.asm".into(), colour: false }
    }

    #[test]
    fn the_human_form_has_line_caret_notes_and_help() {
        assert_eq!(
            context(&sources()).human(&diagnostic()),
            "error[E0426]: branch is out of reach\n \
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
    fn the_short_form_is_one_line() {
        let sources = sources();
        assert_eq!(
            context(&sources).short(&diagnostic()),
            "asm/main.asm:2:13: error: branch is out of reach [E0426]\n"
        );
        let nowhere = Diagnostic::warning(Code::BranchTooFar, None, "branch is out of reach");
        assert_eq!(
            context(&sources).short(&nowhere),
            "asm/main.asm: warning: branch is out of reach [E0426]\n"
        );
    }

    #[test]
    fn json_has_every_part() {
        let value = context(&sources()).json(&diagnostic());
        assert_eq!(value["at"]["line"], 2);
        assert_eq!(value["frames"][0]["kind"], "macro");
        assert_eq!(value["help"], "invert the condition and use jmp");
    }
}
