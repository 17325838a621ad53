//! Files of the C64 world: bytes in, bytes out.
//!
//! One module a format. Nothing here opens a file, prints, or knows the assembler's syntax tree; a finished
//! program comes in as [`program::Program`] and leaves as the text or bytes a file holds.
//!
//! ```
//! let symbols = tempo_formats::symbols::Symbols::parse(".namespace game {\n  .label Lives=$210\n}\n").unwrap();
//! assert_eq!(symbols.get("game.Lives"), Some(0x210));
//! ```

// What goes in.
pub mod program;

// What the machine loads.
pub mod d64;
pub mod prg;

// What people and their tools read.
pub mod bytedump;
pub mod debugdump;
pub mod memmap;
pub mod sym;
pub mod symbols;
pub mod vice;

// What programs are made from.
pub mod encoding;
pub mod picture;
pub mod sid;

// Java's habits, which the files and the language share.
pub mod hash_order;
pub mod number;
