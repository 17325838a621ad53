//! Pictures and tunes: PNG, GIF, JPEG, SID.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_formats::{picture, sid};

fuzz_target!(|input: &[u8]| {
    let _ = sid::parse(input).is_ok();
    if let Ok(picture) = picture::decode(input) {
        let colours = picture.colours();
        let _ = (picture.pixel(0, 0), picture.byte(0, 0, &colours, picture::Mode::Multi));
    }
});
