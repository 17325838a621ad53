//! One module a command. Each has `Args` (clap) and `run(Args) -> Exit`.

pub mod asm;
pub mod build;
pub mod completions;
pub mod config;
pub mod cycles;
pub mod d64;
pub mod dap;
pub mod debug;
pub mod disasm;
pub mod explain;
mod explain_words;
pub mod fmt;
pub mod init;
pub mod lsp;
pub mod man;
pub mod pack;
pub mod run;
pub mod sym;
pub mod test;
pub mod verify_cpu;
