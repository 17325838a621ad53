//! The way to files: the harness asks by name and is handed bytes, as the assembler does. **It opens nothing itself.**
//! The implementor also applies any mapping of leading paths the user asked for.

pub use tempo_assembler::{FileError, Files, Loaded, MemoryFiles};
