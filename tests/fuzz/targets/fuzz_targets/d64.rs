//! Disk images: pairs of bytes are damage to an image with three files. What can be put into a drive is written by it,
//! and read and written again as the same image.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempo_formats::{d64, prg};

static IMAGE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = |name: &str, len: usize| d64::File {
        name: name.into(),
        kind: d64::Kind::Prg,
        locked: false,
        hide: false,
        interleave: None,
        bytes: vec![7; len],
    };
    let files = [file("ONE", 3), file("TWO", 3000), file("THREE", 20_000)];
    d64::build(&d64::Options::default(), &files).expect("an image")
});

fuzz_target!(|input: &[u8]| {
    let _ = (d64::read(input).is_ok(), prg::read(input).is_ok(), d64::validate(input).is_some());
    let mut image = IMAGE.clone();
    for change in input.chunks_exact(4) {
        let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
        let len = image.len();
        image[place % len] = change[3];
    }
    let _ = (d64::read(&image).is_ok(), d64::validate(&image));
    let Ok(volume) = tempo_c64::Volume::from_d64(&image) else { return };
    let Ok(written) = volume.to_d64() else { return };
    let again = tempo_c64::Volume::from_d64(&written).and_then(|volume| volume.to_d64());
    assert!(again.as_ref().ok() == Some(&written), "its own image is read as {:?}", again.err());
});
