//! SpritePad `.spd`: without a signature, and versions 1 to 5.

use super::{Asset, AssetError, Format, Reader};

/// 63 bytes of picture and one of attributes.
pub(super) const SPRITE: usize = 64;

/// Bits of the flags.
const TILES: u8 = 1;
const ANIMATIONS: u8 = 2;
const TILE_ANIMATIONS: u8 = 4;

/// An asset with every name, and nothing in it.
pub(super) fn empty(format: Format) -> Asset {
    let mut asset = Asset::new(format);
    let numbers =
        ["version", "sprites", "animations", "tiles", "flags", "tileWidth", "tileHeight", "tileAnimations"];
    numbers.into_iter().for_each(|name| asset.set(name, 0));
    for (name, width) in [
        ("Data", 1),
        ("AnimationStart", 2),
        ("AnimationEnd", 2),
        ("AnimationTimer", 1),
        ("AnimationFlags", 1),
        ("TileMap", 2),
        ("TileTags", 1),
    ] {
        asset.put(name, width, &[]);
    }
    asset
}

pub(super) fn read(file: &mut Reader<'_>) -> Result<Asset, AssetError> {
    let mut asset = empty(Format::SpritePad);
    if !file.starts_with(b"SPD") {
        asset.colours = file.take(3)?.to_vec();
        let sprites = (file.left() / SPRITE).max(1);
        asset.set("sprites", sprites as u32);
        asset.put("Data", 1, file.take((sprites * SPRITE) as u64)?);
        asset.left_over = file.left();
        return Ok(asset);
    }
    file.take(3)?;
    let version = file.byte()?;
    asset.set("version", version.into());
    match version {
        1 => version_1(file, &mut asset)?,
        2..=5 => later(version, file, &mut asset)?,
        _ => return Err(AssetError::Version { version, known: "1 to 5" }),
    }
    asset.left_over = file.left();
    Ok(asset)
}

fn version_1(file: &mut Reader<'_>, asset: &mut Asset) -> Result<(), AssetError> {
    let (sprites, animations) = (u64::from(file.byte()?) + 1, u64::from(file.byte()?) + 1);
    asset.colours = file.take(3)?.to_vec();
    asset.set("sprites", sprites as u32);
    asset.set("animations", animations as u32);
    asset.put("Data", 1, file.take(sprites * SPRITE as u64)?);
    // Sprites count in one byte here and in two in later versions.
    for name in ["AnimationStart", "AnimationEnd"] {
        let wide: Vec<u8> = file.take(animations)?.iter().flat_map(|&byte| [byte, 0]).collect();
        asset.put(name, 2, &wide);
    }
    for name in ["AnimationTimer", "AnimationFlags"] {
        asset.put(name, 1, file.take(animations)?);
    }
    Ok(())
}

fn later(version: u8, file: &mut Reader<'_>, asset: &mut Asset) -> Result<(), AssetError> {
    let flags = file.byte()?;
    let (sprites, tiles) = (file.word()?, file.word()?);
    // From version 3 on one less is stored.
    let count = |flag: u8, stored: u8| match (flags & flag != 0, version) {
        (false, _) => 0,
        (true, 2) => u64::from(stored),
        (true, _) => u64::from(stored) + 1,
    };
    let animations = count(ANIMATIONS, file.byte()?);
    let tile_animations = count(TILE_ANIMATIONS, file.byte()?);
    let (tile_width, tile_height) = (file.byte()?, file.byte()?);
    asset.colours = file.take(3)?.to_vec();
    if version >= 4 {
        asset.set("overlayDistance", file.word()?.into());
        asset.set("tileOverlayDistance", file.word()?.into());
    }
    asset.set("flags", flags.into());
    asset.set("sprites", sprites.into());
    asset.set("tiles", tiles.into());
    asset.set("animations", animations as u32);
    asset.set("tileAnimations", tile_animations as u32);
    asset.set("tileWidth", tile_width.into());
    asset.set("tileHeight", tile_height.into());
    asset.put("Data", 1, file.take(u64::from(sprites) * SPRITE as u64)?);
    if flags & TILES != 0 {
        let entries = u64::from(tiles) * u64::from(tile_width) * u64::from(tile_height);
        asset.put("TileMap", 2, file.take(2 * entries)?);
        asset.put("TileTags", 1, file.take(tiles.into())?);
    }
    let names = [
        ["AnimationStart", "AnimationEnd", "AnimationTimer", "AnimationFlags"],
        ["TileAnimationStart", "TileAnimationEnd", "TileAnimationTimer", "TileAnimationFlags"],
    ];
    for (count, [start, end, timer, flags]) in [animations, tile_animations].into_iter().zip(names) {
        if count > 0 {
            asset.put(start, 2, file.take(2 * count)?);
            asset.put(end, 2, file.take(2 * count)?);
            asset.put(timer, 1, file.take(count)?);
            asset.put(flags, 1, file.take(count)?);
        }
    }
    Ok(())
}
