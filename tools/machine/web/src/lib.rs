//! A C64 for a web page: plain WebAssembly exports, no framework and no imports.
//!
//! The page calls [`c64_new`], writes files into the buffer of [`c64_input`] and calls [`c64_frame`] fifty or sixty times a
//! second. Results that are more than a number lie in memory until the next call: the picture, samples, a save state, a
//! text. It knows nothing of files, clocks, canvas or chess.
#![warn(missing_docs)]
// Names that the page can call must keep their spelling; the attribute that says so counts as unsafe code.
#![allow(unsafe_code)]

mod machine;

use std::cell::RefCell;

use machine::{Media, PageMachine};

thread_local! {
    static MACHINE: RefCell<PageMachine> = RefCell::new(PageMachine::new(0));
}

fn with<T>(work: impl FnOnce(&mut PageMachine) -> T) -> T {
    MACHINE.with(|machine| work(&mut machine.borrow_mut()))
}

/// A new machine, by its number among the whole computers of the registry: 0 is a C64 with PAL, 1 one with NTSC.
#[unsafe(no_mangle)]
pub extern "C" fn c64_new(number: u32) {
    with(|machine| *machine = PageMachine::new(number));
}

/// Room for `length` bytes from the page; returns its address. The bytes stay until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn c64_input(length: usize) -> *mut u8 {
    with(|machine| machine.input_space(length))
}

/// Starts the program in the input: 0 a `.prg`, 1 a `.d64` (its first program). Returns 1, or 0 with the reason in the text.
#[unsafe(no_mangle)]
pub extern "C" fn c64_start(media: u32) -> u32 {
    let media = if media == 0 { Media::Program } else { Media::Disk };
    with(|machine| u32::from(machine.start(media)))
}

/// Runs one frame. Returns 0 while the program goes on, else 1 returned, 2 jammed, 3 exit by $D7FF.
#[unsafe(no_mangle)]
pub extern "C" fn c64_frame() -> u32 {
    with(PageMachine::frame)
}

/// The last picture: four bytes a pixel, red, green, blue, 255.
#[unsafe(no_mangle)]
pub extern "C" fn c64_picture() -> *const u8 {
    with(|machine| machine.picture())
}

/// Width of the picture.
#[unsafe(no_mangle)]
pub extern "C" fn c64_width() -> u32 {
    with(|machine| machine.size().0)
}

/// Height of the picture.
#[unsafe(no_mangle)]
pub extern "C" fn c64_height() -> u32 {
    with(|machine| machine.size().1)
}

/// Frames in 1,000 seconds: 50,125 on PAL, 59,826 on NTSC.
#[unsafe(no_mangle)]
pub extern "C" fn c64_frames_in_1000_seconds() -> u32 {
    with(|machine| machine.frame_rate())
}

/// Sound at that rate from now on; 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn c64_sound(rate: u32) {
    with(|machine| machine.sound(rate));
}

/// Takes the samples since the last call, 16 bits each; returns their number.
#[unsafe(no_mangle)]
pub extern "C" fn c64_take_samples() -> usize {
    with(PageMachine::take_samples)
}

/// Where the samples lie.
#[unsafe(no_mangle)]
pub extern "C" fn c64_samples() -> *const i16 {
    with(|machine| machine.samples())
}

/// Presses or lets go a key of the matrix, column times 8 plus row; 64 is RESTORE.
#[unsafe(no_mangle)]
pub extern "C" fn c64_key(key: u32, down: u32) {
    with(|machine| machine.key(key, down != 0));
}

/// Switches of a joystick: bits up, down, left, right, fire.
#[unsafe(no_mangle)]
pub extern "C" fn c64_joystick(port: u32, bits: u32) {
    with(|machine| machine.joystick(port, bits));
}

/// The RESET button.
#[unsafe(no_mangle)]
pub extern "C" fn c64_reset() {
    with(PageMachine::reset);
}

/// Saves the machine; returns the length of the state, which lies where [`c64_output`] says.
#[unsafe(no_mangle)]
pub extern "C" fn c64_save() -> usize {
    with(PageMachine::save)
}

/// Goes on with the state in the input. Returns 1, or 0 with the reason in the text.
#[unsafe(no_mangle)]
pub extern "C" fn c64_load() -> u32 {
    with(|machine| u32::from(machine.load()))
}

/// Where the last state or text lies.
#[unsafe(no_mangle)]
pub extern "C" fn c64_output() -> *const u8 {
    with(|machine| machine.output())
}

/// Length of the last state or text, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn c64_output_length() -> usize {
    with(|machine| machine.output_length())
}

/// A byte of RAM.
#[unsafe(no_mangle)]
pub extern "C" fn c64_peek(addr: u32) -> u32 {
    with(|machine| machine.peek(addr))
}

/// Writes a byte of RAM.
#[unsafe(no_mangle)]
pub extern "C" fn c64_poke(addr: u32, value: u32) {
    with(|machine| machine.poke(addr, value));
}

/// What the CPU and the beam do: 0 A, 1 X, 2 Y, 3 S, 4 P, 5 PC, 6 raster line, 7 cycle of the line.
#[unsafe(no_mangle)]
pub extern "C" fn c64_register(which: u32) -> u32 {
    with(|machine| machine.register(which))
}

/// Cycles since the start, low 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn c64_cycles() -> u32 {
    with(|machine| machine.cycles())
}
