//! Pictures, tunes and files of graphics editors: PNG, GIF, JPEG, SID, CharPad, SpritePad, Koala and their like.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_formats::{assets, picture, sid};

fuzz_target!(|input: &[u8]| {
    let _ = sid::parse(input).is_ok();
    for name in ["x.ctm", "x.spd", "x.koa", "x.ocp", "x.bin"] {
        let Ok(asset) = assets::read(name, input) else { continue };
        let _ = asset.warning();
        for part in &asset.parts {
            assert_eq!(part.entry(part.len()), None, "{name}: {}", part.name);
        }
    }
    if let Ok(picture) = picture::decode(input) {
        let colours = picture.colours();
        let _ = (picture.pixel(0, 0), picture.byte(0, 0, &colours, picture::Mode::Multi));
    }
});
