//! Files of the C64 world: bytes in, bytes out.
//!
//! One module a format. Nothing here opens a file, prints, or knows the assembler's syntax tree; a finished
//! program comes in as [`program::Program`] and leaves as the text or bytes a file holds.
//!
//! ```
//! let symbols = formats::symbols::Symbols::parse(".namespace game {\n  .label Lives=$210\n}\n").unwrap();
//! assert_eq!(symbols.get("game.Lives"), Some(0x210));
//! ```

pub mod program;

pub mod prg;

pub mod debugdump;
pub mod hash_order;
pub mod sym;
pub mod symbols;
pub mod vice;
