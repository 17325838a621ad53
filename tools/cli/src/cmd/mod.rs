//! One module a command. Each has `Args` (clap) and `run(Args) -> Exit`.

pub mod agent;
pub mod asm;
pub mod bench_search;
pub mod contest;
pub mod cycles;
pub mod diff;
pub mod enochian;
pub mod fen;
pub mod fmt;
pub mod game;
pub mod judge;
pub mod lsp;
pub mod moves;
pub mod perft;
pub mod play;
pub mod play_moves;
pub mod run;
pub mod test;
pub mod uci;
pub mod verify_cpu;
