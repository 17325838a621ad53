//! The way to the prompt of a person's own ROMs, with a ROM of ours that has the order of stores of a real one.

use tempo_assembler::{DiskFiles, Options};
use tempo_c64::{BootError, End, Session};
use tempo_emu::Rom;
use tempo_emu::c64::{C64, Model};

/// The image, and the place of its delay in it.
fn rom() -> (Vec<u8>, usize) {
    let path = tempo_testing::fixtures().join("boot/cint.asm");
    let path = path.to_str().expect("a path in ASCII");
    let output = tempo_assembler::assemble(&DiskFiles::default(), path, &Options::default());
    assert!(!output.has_errors());
    let mut image = output.prg().expect("bytes").split_off(2);
    image.resize(0x2000, 0);
    let delay = image[..0x100].iter().rposition(|&byte| byte == 0xe0).map(|high| high + 1);
    (image, delay.expect("the jump before it"))
}

fn session(image: &[u8], model: Model) -> Session {
    let mut machine = C64::new(model);
    machine.board.insert(Rom::Kernal, image).expect("the size");
    Session::new(machine)
}

#[test]
fn a_program_is_loaded_when_the_rom_waits_for_a_key_whatever_the_phase() {
    let (mut image, delay) = rom();
    for model in [Model::Pal, Model::Ntsc] {
        for phase in 0..=255 {
            image[delay] = phase;
            let mut session = session(&image, model);
            session.boot().expect("a prompt");
            // The first byte of this program is the exit code: 0 if the ROM emptied memory after it was loaded.
            session.load_and_run(&[1, 8, 42, 8, 10, 0, 0x9e, b'1', 0, 0, 0]).expect("a program");
            assert_eq!(session.run_frames(2), Some(End::Exit(42)), "{model:?}, delay {phase}");
        }
    }
}

#[test]
fn a_rom_without_a_prompt_is_refused() {
    let mut image = vec![0xea; 0x2000];
    image[0x1ffc..].copy_from_slice(&[0x00, 0xe0, 0x00, 0xe0]);
    image[0x1000..0x1003].copy_from_slice(&[0x4c, 0x00, 0xe0]);
    assert_eq!(session(&image, Model::Pal).boot(), Err(BootError::NoPrompt(400)));
    image[0x1000] = 0x02;
    image[0x1001] = 0xff;
    assert!(session(&image, Model::Pal).boot().is_err());
}
