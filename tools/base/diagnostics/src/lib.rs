#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod diagnostic;
mod hex;
mod lines;
mod nearest;
mod render;
mod show;
mod source;
mod span;

pub use diagnostic::{Code, Diagnostic, Display, Frame, FrameKind, Help, Label, NoCode, Severity};
pub use hex::{hex, hex_address, hex_bytes};
pub use lines::Columns;
pub use nearest::nearest;
pub use render::{
    Colour, EditorDiagnostic, EditorPlace, EditorPosition, EditorRange, Related, Renderer, Warnings,
};
pub use show::{escaped, escaped_lines, grouped, plural, screen_text, shortened};
pub use source::{FileId, Found, Location, Position, Source, SourceMap, Sources};
pub use span::Span;
