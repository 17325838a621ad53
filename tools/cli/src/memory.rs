//! Memory for large sources. A program of some hundred kilobytes makes tables of some megabytes, and on first use the
//! system hands those out in pages of 4 KB, each of which costs more than filling it. Where the system has pages of
//! 2 MB, [`make_room`] takes a few of them, and the big blocks of the run come from there.
//!
//! Everything else is the system's allocator; it is all there is where large pages are not known.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The allocator of the program.
pub struct Memory;

/// Smaller blocks come and go, which the system's allocator is good at.
const SMALLEST: usize = 4 << 10;
const LARGE_PAGE: usize = 2 << 20;
/// Room for the largest programs anybody writes by hand; beyond it pages are no longer what costs time.
const MOST: usize = 256 << 20;

/// The room: blocks are cut off one after the other. What is given back is used again only if it was the last one,
/// so the room is for what a run keeps or lets grow, and when it is full it stays full.
static ROOM: Room = Room { start: AtomicUsize::new(0), next: AtomicUsize::new(0), end: AtomicUsize::new(0) };

struct Room {
    start: AtomicUsize,
    /// The first byte that is free: `start <= next <= end`.
    next: AtomicUsize,
    end: AtomicUsize,
}

/// Prepares for blocks of about `bytes` in all. Does nothing the second time, or where it would not help.
pub fn make_room(bytes: u64) {
    static OPENED: Once = Once::new();
    if cfg!(target_os = "linux") && bytes >= LARGE_PAGE as u64 / 4 {
        // There is one room for all threads: two that open it at once must not mix theirs.
        OPENED.call_once(|| open_room(bytes));
    }
}

fn open_room(bytes: u64) {
    let bytes = bytes.min(MOST as u64) as usize;
    let layout = Layout::from_size_align(bytes.next_multiple_of(LARGE_PAGE), LARGE_PAGE);
    let Ok(layout) = layout else { return };
    // SAFETY: the size is not zero.
    let start = unsafe { System.alloc(layout) };
    if start.is_null() {
        return;
    }
    #[cfg(target_os = "linux")]
    // SAFETY: the range is ours and nothing is in it yet; the call changes only which pages will back it. Where it
    // fails there are no large pages, and the memory is as good as any.
    unsafe {
        libc::madvise(start.cast(), layout.size(), libc::MADV_HUGEPAGE);
    }
    let start = start.expose_provenance();
    // The room opens with the last of these; nobody looks at the others before.
    ROOM.start.store(start, Relaxed);
    ROOM.next.store(start, Relaxed);
    ROOM.end.store(start + layout.size(), std::sync::atomic::Ordering::Release);
}

impl Room {
    /// Cuts off a block; `None` if there is not enough left.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        let end = self.end.load(std::sync::atomic::Ordering::Acquire);
        let mut next = self.next.load(Relaxed);
        loop {
            let start = next.checked_next_multiple_of(layout.align())?;
            let after = start.checked_add(layout.size()).filter(|&after| after <= end)?;
            match self.next.compare_exchange_weak(next, after, Relaxed, Relaxed) {
                Ok(_) => return Some(std::ptr::with_exposed_provenance_mut(start)),
                Err(now) => next = now,
            }
        }
    }

    /// Moves the end of a block, if nothing was cut off behind it.
    fn resize(&self, block: usize, old: usize, new: usize) -> bool {
        let fits = block.checked_add(new).is_some_and(|after| after <= self.end.load(Relaxed));
        fits && self.next.compare_exchange(block + old, block + new, Relaxed, Relaxed).is_ok()
    }

    fn has(&self, block: *mut u8) -> bool {
        let end = self.end.load(Relaxed);
        end != 0 && (self.start.load(Relaxed)..end).contains(&block.addr())
    }
}

// SAFETY: a block is either the system's, and then goes back to the system, or lies in the room, in a range that no
// other block has: `next` only passes over ranges that are handed out by the exchange that moved it, and only moves
// back over a block whose owner gives it up.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= SMALLEST
            && let Some(block) = ROOM.take(layout)
        {
            return block;
        }
        // SAFETY: the caller's promises are those the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= SMALLEST
            && let Some(block) = ROOM.take(layout)
        {
            // SAFETY: the block has that size and is nobody else's.
            unsafe { block.write_bytes(0, layout.size()) };
            return block;
        }
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ROOM.has(block) {
            ROOM.resize(block.addr(), layout.size(), 0);
        } else {
            // SAFETY: it is not in the room, so the system made it.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let is_ours = ROOM.has(block);
        if !is_ours && (layout.size() >= SMALLEST || size < SMALLEST) {
            // SAFETY: the system made it.
            return unsafe { System.realloc(block, layout, size) };
        }
        if is_ours && (ROOM.resize(block.addr(), layout.size(), size) || size <= layout.size()) {
            return block;
        }
        // SAFETY: the caller promises a size that is not zero and, rounded up to the alignment, no overflow. Both
        // blocks have the smaller of the two sizes, and a new block overlaps no other.
        unsafe {
            let other = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !other.is_null() {
                other.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A room of its own: the program's is only opened by large sources.
    fn room(size: usize) -> Room {
        let start = Vec::leak(vec![0u64; size / 8]).as_mut_ptr().expose_provenance();
        Room { start: start.into(), next: start.into(), end: (start + size).into() }
    }

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_are_aligned_and_do_not_overlap() {
        let room = room(1000);
        let mut last = 0;
        for (size, align) in [(1, 1), (8, 8), (3, 1), (64, 64), (100, 16)] {
            let block = room.take(layout(size, align)).unwrap().addr();
            assert!(
                block >= last
                    && block.is_multiple_of(align)
                    && room.has(std::ptr::without_provenance_mut(block))
            );
            last = block + size;
        }
        assert_eq!(room.take(layout(1000, 1)), None);
        assert!(room.take(layout(500, 1)).is_some());
    }

    #[test]
    fn only_the_last_block_moves_its_end() {
        let room = room(1000);
        let first = room.take(layout(100, 8)).unwrap().addr();
        assert!(room.resize(first, 100, 300));
        let second = room.take(layout(100, 1)).unwrap().addr();
        assert_eq!(second, first + 300);
        assert!(!room.resize(first, 300, 400));
        assert!(!room.resize(second, 100, 701));
        assert!(!room.resize(second, 100, usize::MAX));
        assert!(room.resize(second, 100, 0));
        assert_eq!(room.take(layout(700, 1)).unwrap().addr(), second);
    }

    #[test]
    fn threads_that_open_the_room_at_once_share_it() {
        let blocks: Vec<Vec<u8>> = std::thread::scope(|scope| {
            let work = |thread: u8| {
                make_room(8 << 20);
                let mut block = vec![thread; SMALLEST];
                block.extend(vec![thread; 3 * SMALLEST]);
                block
            };
            let threads: Vec<_> = (0..8).map(|thread| scope.spawn(move || work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(
            blocks.iter().enumerate().all(|(thread, block)| block.iter().all(|&byte| byte == thread as u8))
        );
    }

    #[test]
    fn what_was_written_stays_while_blocks_grow_and_go() {
        make_room(8 << 20);
        let mut kept: Vec<Vec<u32>> = Vec::new();
        for round in 0..200u32 {
            let mut numbers = vec![0; 1];
            numbers.extend((0..round * 100).map(|number| number ^ round));
            kept.push(numbers);
            if round % 3 == 0 {
                kept.swap_remove(round as usize % kept.len());
            }
            let zeros = vec![0u8; round as usize * 100];
            assert!(zeros.iter().all(|&byte| byte == 0));
        }
        for numbers in kept {
            let round = numbers.len() as u32 / 100;
            assert!(numbers[1..].iter().enumerate().all(|(at, &number)| number == at as u32 ^ round));
        }
    }
}
