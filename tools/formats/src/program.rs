//! A finished program in the shape the output formats need: segments, symbols, labels, break points.
//! Knows no expressions, no passes and no files; the assembler fills it, the writers of this crate read it.

use crate::sym;

/// Everything the side files are written from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// Source files by index; index 0 is the built-in source of the assembler.
    pub sources: Vec<Source>,
    /// `Default` first, then the others in the order of their definition.
    pub segments: Vec<Segment>,
    /// The tree of named symbols, in declaration order.
    pub symbols: sym::Scope,
    /// Every label in the order of execution, also those of macros and loops; no multi labels.
    pub labels: Vec<Label>,
    pub breakpoints: Vec<Breakpoint>,
    pub watchpoints: Vec<Watchpoint>,
}

/// A source file: how it is called and what it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    pub path: String,
    pub text: String,
}

/// A named list of memory blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    pub name: String,
    /// The `dest` tag of the definition, copied to the debugger's file.
    pub dest: String,
    /// Left out of memory maps.
    pub hide: bool,
    /// In source order.
    pub blocks: Vec<Block>,
}

/// Consecutive bytes from one start address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    pub name: String,
    pub start: i64,
    /// Has addresses but is not saved.
    pub is_virtual: bool,
    pub bytes: Vec<u8>,
    /// The statements that made the bytes, in order; empty unless they were asked for.
    pub items: Vec<Item>,
}

impl Block {
    /// The address after the last byte.
    pub fn end(&self) -> i64 {
        self.start + self.bytes.len() as i64
    }
}

/// One statement that emitted bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    pub address: i64,
    pub len: u32,
    /// The mnemonic or directive word.
    pub at: Span,
}

/// A range of source text. Lines and columns count from 1, the end column is the last one inside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    pub file: u32,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

/// A label as it was executed; macros and loops make several of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Index into [`Program::segments`].
    pub segment: usize,
    pub name: String,
    pub value: i64,
    /// `name:`, or just the name for `.label`.
    pub at: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    pub segment: usize,
    pub address: i64,
    pub argument: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watchpoint {
    pub segment: usize,
    pub address: i64,
    pub end: Option<i64>,
    pub argument: String,
}
