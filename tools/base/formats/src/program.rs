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
    /// Break points in the order of execution.
    pub breakpoints: Vec<Breakpoint>,
    /// Watch points in the order of execution.
    pub watchpoints: Vec<Watchpoint>,
}

/// A source file: how it is called and what it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The path under which the source was opened.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// A named list of memory blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    /// The name of the segment.
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
    /// The name given in `* = $1000 "name"`, or the default one.
    pub name: String,
    /// The address of the first byte.
    pub start: i64,
    /// Has addresses but is not saved.
    pub is_virtual: bool,
    /// The bytes from `start` on.
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
    /// The address of the first byte.
    pub address: i64,
    /// The number of bytes.
    pub len: u32,
    /// The mnemonic or directive word.
    pub at: Span,
}

/// A range of source text. Lines and columns count from 1, the end column is the last one inside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// Index into [`Program::sources`].
    pub file: u32,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line of the last character.
    pub end_line: u32,
    /// The column of the last character.
    pub end_column: u32,
}

/// A label as it was executed; macros and loops make several of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The name without its scopes.
    pub name: String,
    /// The address, or the value of a `.label`.
    pub value: i64,
    /// `name:`, or just the name for `.label`.
    pub at: Span,
}

/// A place where the debugger stops: `.break`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The address of the next instruction.
    pub address: i64,
    /// The condition after `.break`; empty if there is none.
    pub argument: String,
}

/// An access on which the debugger stops: `.watch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watchpoint {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The first address that is watched.
    pub address: i64,
    /// The last address, if a range is watched.
    pub end: Option<i64>,
    /// The kind of access or the condition; empty if there is none.
    pub argument: String,
}
