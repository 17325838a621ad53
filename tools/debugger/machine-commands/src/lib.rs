//! The commands that run programs: `tempo run`, `debug`, `dap`, `monitor` and `x64sc`, `raster`, `send`, `disasm` and
//! `verify-cpu`. Each is a module with `Args` (clap) and `run(Args) -> Exit`.

pub mod dap;
pub mod debug;
pub mod disasm;
pub mod monitor;
pub mod raster;
pub mod run;
pub mod send;
pub mod suite_files;
pub mod verify_cpu;
