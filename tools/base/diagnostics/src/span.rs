//! Ranges of source text.

/// A range of bytes of source text.
///
/// Offsets count from the start of a [`Source`](crate::Source), or through all texts of a
/// [`Sources`](crate::Sources) one after the other, so that a place in any of many files is two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, serde::Serialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; equal to `start` for a place between two characters.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`. Offsets beyond 4 GiB are clamped.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The empty span at an offset.
    pub const fn at(offset: u32) -> Span {
        Span { start: offset, end: offset }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// How many bytes it covers.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers no byte.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether an offset is one of its bytes.
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The same span `base` bytes further on.
    pub const fn shifted(self, base: u32) -> Span {
        Span { start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}
