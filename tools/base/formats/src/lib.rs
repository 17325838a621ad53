#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// What goes in.
pub mod program;

// What the machine loads.
pub mod crt;
pub mod d64;
pub mod images;
pub mod prg;
pub mod vsf;

// What people and their tools read.
pub mod bytedump;
pub mod debugdump;
pub mod debuginfo;
pub mod memmap;
pub mod sym;
pub mod symbols;
pub mod vice;

// What programs are made from.
pub mod assets;
pub mod encoding;
#[cfg(feature = "pictures")]
mod jpeg;
pub mod picture;
pub mod sid;

// Java's habits, which the files and the language share.
pub mod hash_order;
pub mod number;
