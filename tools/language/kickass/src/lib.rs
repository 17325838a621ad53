#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod files;
mod memory;

mod job;
mod plan;
mod words;

mod asm_info;
mod syntax;

mod console;

pub use console::{CommandLine, Ended, Execution, ExecutionError, Host, run};
pub use files::{EntryKind, FileSystem, WriteError, shown};
pub use job::{AsmInfo, AsmInfoError, Done, Job, MainFile, NoSource};
pub use memory::{MemoryDisk, MemoryHost};
pub use plan::{BYTE_DUMP, Door, FileKind, Places, PlanError, PlannedFile};
pub use words::{
    UnknownWarning, Warnings, Words, WordsError, apply, hide_words, limit, split_words, warnings,
};
