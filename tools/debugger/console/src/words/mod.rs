//! The commands by group: items of the table, each followed by its function.

pub mod back;
pub mod change;
pub mod go;
pub mod look;
pub mod stop;
