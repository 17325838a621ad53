//! Cartridge files as devices of the expansion port.

use tempo_emu::c64::{Cartridge, CartridgeKind};
use tempo_formats::crt::{Hardware, Image};

/// The cartridge of an image, to be plugged in.
pub fn cartridge(image: &Image) -> Cartridge {
    let kind = match (image.hardware, image.exrom, image.game) {
        (Hardware::Ocean, ..) => CartridgeKind::Ocean,
        (Hardware::MagicDesk, ..) => CartridgeKind::MagicDesk,
        (Hardware::EasyFlash, ..) => CartridgeKind::EasyFlash,
        (Hardware::Gmod2, ..) => CartridgeKind::Gmod2,
        (_, 0, 1) => CartridgeKind::Rom8K,
        (_, 0, _) => CartridgeKind::Rom16K,
        _ => CartridgeKind::Ultimax,
    };
    let mut cartridge = Cartridge::new(kind);
    for chip in &image.chips {
        cartridge.fill(usize::from(chip.bank), chip.address, &chip.bytes);
        if kind == CartridgeKind::Ultimax {
            // The lines that a small chip does not have are not looked at: it is seen again below.
            let mut address = chip.address;
            while address > 0xe000 {
                address -= chip.bytes.len() as u16;
                cartridge.fill(0, address, &chip.bytes);
            }
        }
    }
    cartridge
}
