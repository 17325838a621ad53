//! A C64 for a web page: plain WebAssembly exports, no framework and no imports.
//!
//! The page calls [`c64_new`], writes files into the buffer of [`c64_input`] and calls [`c64_frame`] fifty or sixty times a
//! second. Results that are more than a number are in memory until the next call: the picture, samples, a save state, a
//! text. It knows nothing of files, clocks, canvas or chess.
#![warn(missing_docs)]
// Names that the page can call must keep their spelling; the attribute that says so counts as unsafe code.
#![allow(unsafe_code)]

mod machine;
mod past;
mod pixel;
mod steps;
mod studio;

use std::cell::RefCell;

use machine::{Media, PageMachine};
use past::Input;
use steps::Step;
use studio::Question;

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

/// Starts the program in the input: 0 a `.prg`, 1 a `.d64` (its first program), 2 a `.crt`. Returns 1, or 0 with the reason
/// in the text.
#[unsafe(no_mangle)]
pub extern "C" fn c64_start(media: u32) -> u32 {
    with(|machine| u32::from(machine.start(Media::from_number(media))))
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

/// Saves the machine; returns the length of the state, which is where [`c64_output`] says.
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

/// The state of the CPU and the beam: 0 A, 1 X, 2 Y, 3 S, 4 P, 5 PC, 6 raster line, 7 cycle of the line.
#[unsafe(no_mangle)]
pub extern "C" fn c64_register(which: u32) -> u32 {
    with(|machine| machine.register(which))
}

/// Cycles since the start, low 32 bits.
#[unsafe(no_mangle)]
pub extern "C" fn c64_cycles() -> u32 {
    with(|machine| machine.cycles())
}

/// From now on the machine that was started has a past: the exports that begin with `studio` are about it.
#[unsafe(no_mangle)]
pub extern "C" fn studio_new() {
    with(PageMachine::record);
}

/// Runs to the end of the frame, with what was recorded for it; as [`c64_frame`], and 4 at a breakpoint.
#[unsafe(no_mangle)]
pub extern "C" fn studio_frame() -> u32 {
    with(PageMachine::studio_frame)
}

/// Presses or lets go a key.
#[unsafe(no_mangle)]
pub extern "C" fn studio_key(key: u32, down: u32) {
    with(|machine| machine.studio_input(Input::Key(key, down != 0)));
}

/// Moves a joystick.
#[unsafe(no_mangle)]
pub extern "C" fn studio_joystick(port: u32, bits: u32) {
    with(|machine| machine.studio_input(Input::Joystick(port, bits)));
}

/// The RESET button.
#[unsafe(no_mangle)]
pub extern "C" fn studio_reset() {
    with(|machine| machine.studio_input(Input::Reset));
}

/// The frame that runs next.
#[unsafe(no_mangle)]
pub extern "C" fn studio_now() -> u32 {
    with(|machine| machine.studio().map_or(0, |past| past.frame_number() as u32))
}

/// The last frame that was reached.
#[unsafe(no_mangle)]
pub extern "C" fn studio_latest() -> u32 {
    with(|machine| machine.studio().map_or(0, |past| past.latest() as u32))
}

/// Goes to the beginning of a frame.
#[unsafe(no_mangle)]
pub extern "C" fn studio_seek(frame: u32) {
    with(|machine| machine.studio_seek(u64::from(frame)));
}

/// Starts the program in the input and runs the recorded inputs on it, up to the frame of now. As [`c64_start`].
#[unsafe(no_mangle)]
pub extern "C" fn studio_replay(number: u32) -> u32 {
    with(|machine| u32::from(machine.studio_replay(Media::from_number(number))))
}

/// Who drew a pixel of the picture: JSON in the output. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn studio_pixel(x: u32, y: u32) -> usize {
    with(|machine| machine.studio_ask(Question::Pixel { x, y }))
}

/// Which instruction wrote to an address last, before a frame is over: JSON in the output. Returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn studio_writer(addr: u32, frame: u32) -> usize {
    with(|machine| machine.studio_ask(Question::Writer { addr: addr as u16, frame: u64::from(frame) }))
}

/// Where the time of the last frame went: JSON in the output, and a part for each cycle where [`studio_cells`] says.
/// Returns the length of the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn studio_raster() -> usize {
    with(|machine| machine.studio_ask(Question::Raster))
}

/// The part of each cycle of the frame that was measured last, a byte each.
#[unsafe(no_mangle)]
pub extern "C" fn studio_cells() -> *const u8 {
    with(|machine| machine.cells())
}

/// The RAM, the colours, the registers from $D000 on, and the address of the screen: 64 KB, 1 KB, 4 KB and 2 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn studio_memory() -> *const u8 {
    with(PageMachine::studio_memory)
}

/// The character set of the ROM, 4 KB.
#[unsafe(no_mangle)]
pub extern "C" fn studio_characters() -> *const u8 {
    with(PageMachine::characters)
}

/// Takes a step: 0 one instruction, 1 with what it calls, 2 out of the routine, 3 one instruction back. Returns as
/// [`studio_frame`].
#[unsafe(no_mangle)]
pub extern "C" fn studio_step(kind: u32) -> u32 {
    let step = match kind {
        0 => Step::In,
        1 => Step::Over,
        2 => Step::Out,
        _ => Step::Back,
    };
    with(|machine| machine.studio_step(step))
}

/// Sets the breakpoints: addresses in the input, two bytes each, the low one first.
#[unsafe(no_mangle)]
pub extern "C" fn studio_breakpoints() {
    with(PageMachine::set_breakpoints);
}

/// Starts (1) or ends (0) the note of what a program reads (2), writes (4) and executes (1). Returns where it is: a byte of
/// these bits for each address, which the page clears.
#[unsafe(no_mangle)]
pub extern "C" fn studio_heat(is_on: u32) -> *mut u8 {
    with(|machine| machine.heat(is_on != 0))
}

/// Goes to a cycle of the past, given in two halves.
#[unsafe(no_mangle)]
pub extern "C" fn studio_seek_cycle(low: u32, high: u32) {
    with(|machine| machine.studio_seek_cycle(u64::from(high) << 32 | u64::from(low)));
}

/// A recording of the last frames in the output. The input is a recording without a course: facts and sources. Returns its
/// length, or 0 with the reason in the text.
#[unsafe(no_mangle)]
pub extern "C" fn studio_recording(frames: u32) -> usize {
    with(|machine| machine.studio_recording(frames.into()))
}
