#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod align;
mod cycles;
mod facts;
mod format;
mod imports;
mod parameters;
mod place;
mod snapshot;
mod suite;
mod values;
mod words;

mod actions;
mod calls;
mod colours;
mod completion;
mod hints;
mod hover;
mod lens;
mod listing;
mod navigate;
mod outline;
pub mod page;
mod problems;
mod rename;
mod rename_files;
mod semantic;
mod signature;
mod structure;
mod unused;

pub use actions::{Action, ActionKind, actions};
pub use calls::{CallsOf, Routine, incoming_calls, outgoing_calls, routine_at};
pub use colours::{Colour, PALETTE, colours, nearest_colour};
pub use completion::{Completion, CompletionKind, Entry, completions, documentation};
pub use cycles::{Cycles, Sum};
pub use facts::{Facts, Occurrence};
pub use format::{Case, Style, Unformattable, format, format_edits};
pub use hints::{Hint, hints};
pub use hover::{Hover, hover};
pub use imports::imports;
pub use lens::{Lens, LensAction, lenses};
pub use listing::{MemoryBlock, cycles_of, expansion, listing, memory_map};
pub use navigate::{Highlight, built_in_definition, definition, highlights, references};
pub use outline::{FoundSymbol, OutlineItem, OutlineKind, find_symbols, may_declare, outline};
pub use place::{Edit, FileSpan, Place, apply};
pub use problems::{Problem, ProblemCode, Related, Tag};
pub use rename::{prepare_rename, rename};
pub use rename_files::rename_files;
pub use semantic::{KINDS, MODIFIERS, SemanticKind, SemanticToken, semantic_tokens};
pub use signature::{Signature, SignatureHelp, signature_help};
pub use snapshot::{Folder, Root, SharedFiles, Snapshot, innermost};
pub use structure::{Fold, FoldKind, Link, folds, links, selection};
pub use suite::{Suite, SuiteFacts, SuiteName, TestItem, TestItemKind, is_suite, tests};
pub use words::word_at;

/// Which inlay hints are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HintKinds {
    /// The address before a line.
    pub addresses: bool,
    /// The cycles of an instruction and of loops.
    pub cycles: bool,
    /// Bytes and cycles of macro calls, turns of loops.
    pub macro_size: bool,
    /// The values of constants where they are used.
    pub values: bool,
}

impl Default for HintKinds {
    fn default() -> HintKinds {
        HintKinds { addresses: false, cycles: false, macro_size: true, values: false }
    }
}
