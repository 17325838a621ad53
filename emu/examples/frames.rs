//! Runs a program on a C64 for a number of frames and says how it ended: `frames PROGRAM.prg [FRAMES]`.

#![allow(clippy::disallowed_methods, reason = "an example reads its program")]

use tempo_emu::c64::{C64, Model};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of a program");
    let frames = arguments.next().map_or(50, |count| count.parse().expect("a number of frames"));
    let program = std::fs::read(&path).expect("a program that can be read");
    let mut machine = C64::new(Model::Pal);
    machine.start(&program).expect("a program that begins with SYS");
    let ended = machine.run_frames(frames);
    println!("{ended:?} after {} cycles, {} pictures", machine.cpu.cycles, machine.board.pictures());
}
