//! One module a command. Each has `Args` (clap) and `run(Args) -> Exit`.

pub mod completions;
pub mod config;
pub mod cycles;
pub mod explain;
mod explain_words;
pub mod fmt;
pub mod init;
pub mod lint;
pub mod lsp;
pub mod man;
pub mod mcp;
pub mod prove;
pub mod studio;
pub mod superoptimise;
pub mod test;
