//! The playground's WebAssembly: the exports of `tempo-web` (the C64 with its past), and one question and answer for
//! everything around sources: assemble, problems, hover, completion, tests, disks, recordings, the debugger's console.
//!
//! The page writes a question to [`desk_input`]: JSON, a line end, bytes. [`desk_ask`] answers with JSON, and with bytes at
//! [`desk_bytes`]. It knows nothing of files, clocks or the page.
#![warn(missing_docs)]
// Names that the page can call must keep their spelling; the attribute that says so counts as unsafe code.
#![allow(unsafe_code)]

mod desk;
mod files;

use std::cell::RefCell;

pub use desk::Desk;
// Its exports are a part of this module, too.
pub use tempo_web as machine;

/// Longer questions are refused.
const LARGEST: usize = 64 << 20;

#[derive(Default)]
struct Buffers {
    desk: Desk,
    input: Vec<u8>,
    answer: Vec<u8>,
    bytes: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Buffers) -> T) -> T {
    BUFFERS.with(|buffers| work(&mut buffers.borrow_mut()))
}

/// Room for a question of `length` bytes; returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn desk_input(length: usize) -> *mut u8 {
    with(|buffers| {
        buffers.input = vec![0; length.min(LARGEST)];
        buffers.input.as_mut_ptr()
    })
}

/// Answers the question; returns the length of the answer's JSON.
#[unsafe(no_mangle)]
pub extern "C" fn desk_ask() -> usize {
    with(|buffers| {
        let input = core::mem::take(&mut buffers.input);
        let (answer, bytes) = buffers.desk.ask(&input);
        buffers.answer = answer.to_string().into_bytes();
        buffers.bytes = bytes;
        buffers.answer.len()
    })
}

/// Where the JSON is.
#[unsafe(no_mangle)]
pub extern "C" fn desk_answer() -> *const u8 {
    with(|buffers| buffers.answer.as_ptr())
}

/// Where the bytes of the answer are.
#[unsafe(no_mangle)]
pub extern "C" fn desk_bytes() -> *const u8 {
    with(|buffers| buffers.bytes.as_ptr())
}

/// How many bytes the answer has besides its JSON.
#[unsafe(no_mangle)]
pub extern "C" fn desk_bytes_length() -> usize {
    with(|buffers| buffers.bytes.len())
}
