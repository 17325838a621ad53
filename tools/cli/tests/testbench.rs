//! `tempo x64sc` with the words of VICE's test runner: exit codes and pictures.

use pretty_assertions::assert_eq;
use tempo_c64::Picture;
use tempo_emu::c64::PALETTE;

use crate::common::Scratch;

/// The options that the runner has for all programs.
const OPTIONS: &str = "-default -VICIIfilter 0 -VICIIextpal -VICIIpalette pepto-pal.vpl -warp -debugcart";

/// Makes the border red, then ends with a value when the beam is in line 150.
fn program(code: u8) -> Vec<u8> {
    let mut program = vec![1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
    // sei; lda #2; sta $d020; lda #100; cmp $d012; bne; lda #150; cmp $d012; bne; lda #code; sta $d7ff; jmp *
    program.extend([0x78, 0xa9, 0x02, 0x8d, 0x20, 0xd0]);
    for line in [200, 100, 150] {
        program.extend([0xa9, line, 0xcd, 0x12, 0xd0, 0xd0, 0xfb]);
    }
    program.extend([0xa9, 0x05, 0x8d, 0x20, 0xd0]);
    program.extend([0xa9, 170, 0xcd, 0x12, 0xd0, 0xd0, 0xfb]);
    program.extend([0xa9, code, 0x8d, 0xff, 0xd7, 0x4c, 0x00, 0x09]);
    program
}

#[test]
fn a_test_program_ends_with_its_value_and_its_picture() {
    let scratch = Scratch::new(&[]);
    for code in [0, 255] {
        scratch.write("test.prg", &program(code));
        let ran =
            scratch.tempo(&format!("x64sc {OPTIONS} -limitcycles 2000000 -exitscreenshot out.png test.prg"));
        assert_eq!(ran.code, Some(code.into()), "{}{}", ran.out, ran.err);
        let picture = Picture::from_png(&scratch.read("out.png"), &PALETTE).expect("a picture");
        assert_eq!((picture.width, picture.pixels.len() / picture.width), (384, 272));
        // The first row is line 16. Up to line 150 the border is red, then green to the beam, then of the picture before.
        let border = |line: usize| picture.pixels[(line - 16) * 384 + 5];
        assert_eq!([100, 148, 155, 168, 200].map(border), [2, 2, 5, 5, 2]);
        // The display window.
        let window = |column: usize, row: usize| picture.pixels[row * 384 + column];
        assert_eq!((window(31, 60), window(32, 60), window(32, 34), window(32, 35)), (2, 6, 2, 6));
    }
}

#[test]
fn a_program_without_an_end_ends_with_1() {
    let scratch = Scratch::new(&[]);
    scratch.write("test.prg", &[1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0, 0x4c, 0x0d, 0x08]);
    let ran =
        scratch.tempo(&format!("x64sc {OPTIONS} -ntsc -limitcycles 500000 -exitscreenshot out.png test.prg"));
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(scratch.path("out.png").exists());
}
