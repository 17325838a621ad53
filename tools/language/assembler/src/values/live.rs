//! How much memory the values of a script take at the moment, and how many bytes were moved to make them. Counts per
//! thread: an evaluation has one.

use std::cell::Cell;

/// About what a value takes beside its content.
pub(crate) const HEAD: usize = 64;
/// An element of a list.
pub(crate) const ELEMENT: usize = size_of::<super::Value>();
/// An entry of a hashtable beside its key, with the empty places of its index and what is copied while it grows.
pub(crate) const ENTRY: usize = 320;

thread_local! {
    static LIVE: Cell<u64> = const { Cell::new(0) };
    static MOVED: Cell<u64> = const { Cell::new(0) };
    static SERIAL: Cell<u64> = const { Cell::new(0) };
}

/// A number that no other value of this thread has; later ones are larger.
pub(crate) fn next_serial() -> u64 {
    SERIAL.replace(SERIAL.get() + 1)
}

/// Bytes copied, compared or walked over. Time goes into them, whatever becomes of the values.
pub(crate) fn moved(bytes: usize) {
    MOVED.set(MOVED.get().wrapping_add(bytes as u64));
}

/// All bytes moved by this thread.
pub(crate) fn all_moved() -> u64 {
    MOVED.get()
}

pub(crate) fn grow(bytes: usize) {
    moved(bytes);
    LIVE.set(LIVE.get().wrapping_add(bytes as u64));
}

pub(crate) fn shrink(bytes: usize) {
    LIVE.set(LIVE.get().wrapping_sub(bytes as u64));
}

/// Bytes since some earlier reading.
pub(crate) fn since(before: u64) -> u64 {
    LIVE.get().saturating_sub(before)
}

pub(crate) fn now() -> u64 {
    LIVE.get()
}
