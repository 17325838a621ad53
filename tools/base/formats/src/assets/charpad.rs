//! CharPad `.ctm`, versions 5, 7, 8, 82 and 9.

use super::{Asset, AssetError, Format, Reader};

/// Bits of the flags.
const TILES: u8 = 1;
/// Version 5: tile `t` is the characters from `t` times the size of a tile on.
const EXPANDED: u8 = 2;
/// Version 5: characters are multicolour.
const MULTICOLOUR: u8 = 4;

/// Methods of colouring.
const PER_TILE: u8 = 1;
const PER_CHARACTER: u8 = 2;

const MULTICOLOUR_TEXT: u8 = 1;
const LAST_MODE: u8 = 4;

/// Where the first block of versions 8 and 82 begins if there are seven colours.
const BLOCKS_AFTER_SEVEN: usize = 14;

pub(super) fn read(file: &mut Reader<'_>) -> Result<Asset, AssetError> {
    if !file.starts_with(b"CTM") {
        return Err(AssetError::Signature("CharPad", "CTM"));
    }
    file.take(3)?;
    let version = file.byte()?;
    let mut asset = Asset::new(Format::CharPad);
    let numbers = [
        "version",
        "mode",
        "colourMethod",
        "flags",
        "chars",
        "tiles",
        "tileWidth",
        "tileHeight",
        "mapWidth",
        "mapHeight",
    ];
    numbers.into_iter().for_each(|name| asset.set(name, 0));
    for (name, width) in [
        ("Charset", 1),
        ("Attributes", 1),
        ("CharColours", 1),
        ("Tiles", 2),
        ("TileColours", 1),
        ("TileTags", 1),
        ("Map", 2),
    ] {
        asset.put(name, width, &[]);
    }
    asset.set("version", version.into());
    match version {
        5 => version_5(file, &mut asset)?,
        7 | 8 | 82 | 9 => blocks(version, file, &mut asset)?,
        _ => return Err(AssetError::Version { version, known: "5, 7, 8, 82 and 9" }),
    }
    asset.split("Tiles", "TilesLow", "TilesHigh");
    asset.split("Map", "MapLow", "MapHigh");
    asset.left_over = file.left();
    Ok(asset)
}

/// How many bytes a table of 16-bit entries has.
fn table(counts: [u32; 3]) -> u64 {
    counts.into_iter().map(u64::from).product::<u64>() * 2
}

fn method(file: &mut Reader<'_>, asset: &mut Asset) -> Result<u8, AssetError> {
    let at = file.at();
    let method = file.byte()?;
    if method > PER_CHARACTER {
        return Err(AssetError::Value { at, what: "colour method", value: method.into() });
    }
    asset.set("colourMethod", method.into());
    Ok(method)
}

fn version_5(file: &mut Reader<'_>, asset: &mut Asset) -> Result<(), AssetError> {
    asset.colours = file.take(4)?.to_vec();
    let method = method(file, asset)?;
    let flags = file.byte()?;
    asset.set("flags", flags.into());
    asset.set("mode", if flags & MULTICOLOUR != 0 { MULTICOLOUR_TEXT.into() } else { 0 });
    let chars = u32::from(file.word()?) + 1;
    let tiles = u32::from(file.word()?) + 1;
    let (tile_width, tile_height) = (file.byte()?, file.byte()?);
    let (map_width, map_height) = (u32::from(file.word()?), u32::from(file.word()?));
    asset.set("chars", chars);
    asset.put("Charset", 1, file.take(u64::from(chars) * 8)?);
    asset.put("Attributes", 1, file.take(chars.into())?);
    if flags & TILES != 0 {
        asset.set("tiles", tiles);
        asset.set("tileWidth", tile_width.into());
        asset.set("tileHeight", tile_height.into());
        if flags & EXPANDED == 0 {
            asset.put("Tiles", 2, file.take(table([tiles, tile_width.into(), tile_height.into()]))?);
        }
        if method == PER_TILE {
            asset.put("TileColours", 1, file.take(tiles.into())?);
        }
    }
    asset.set("mapWidth", map_width);
    asset.set("mapHeight", map_height);
    asset.put("Map", 2, file.take(table([1, map_width, map_height]))?);
    Ok(())
}

/// Bytes that show a block, and count the blocks.
struct Markers(u8);

impl Markers {
    fn next(&mut self, file: &mut Reader<'_>) -> Result<(), AssetError> {
        let block = self.0;
        if !file.starts_with(&[0xda, 0xb0 | block]) {
            // What is cut off here has no marker because it has nothing.
            let is_cut = file.left() < 2;
            return Err(match is_cut {
                true => AssetError::Short { at: file.at() + file.left(), missing: 2 - file.left() as u64 },
                false => AssetError::Marker { block, at: file.at() },
            });
        }
        file.take(2)?;
        self.0 += 1;
        Ok(())
    }
}

fn mode(file: &mut Reader<'_>, asset: &mut Asset) -> Result<u8, AssetError> {
    let at = file.at();
    let mode = file.byte()?;
    if mode > LAST_MODE {
        return Err(AssetError::Value { at, what: "display mode", value: mode.into() });
    }
    asset.set("mode", mode.into());
    Ok(mode)
}

fn blocks(version: u8, file: &mut Reader<'_>, asset: &mut Asset) -> Result<(), AssetError> {
    let (mode, method, flags);
    if version == 7 {
        asset.colours = file.take(5)?.to_vec();
        method = self::method(file, asset)?;
        mode = self::mode(file, asset)?;
        flags = file.byte()?;
    } else {
        mode = self::mode(file, asset)?;
        method = self::method(file, asset)?;
        flags = file.byte()?;
        if version == 9 {
            // The size of the grid in the editor, and how it looks.
            file.take(5)?;
        }
        asset.colours = file.take(7)?.to_vec();
    }
    asset.set("flags", flags.into());
    let mut marker = Markers(0);
    // Early editors of version 8 wrote one colour more.
    let has_eight =
        version != 7 && version != 9 && file.at() == BLOCKS_AFTER_SEVEN && !file.starts_with(&[0xda, 0xb0]);
    if has_eight {
        asset.colours.push(file.byte()?);
    }
    let width: u64 = match mode {
        _ if version == 7 => 1,
        _ if has_eight => 4,
        3 => 2,
        4 => 3,
        _ => 1,
    };
    marker.next(file)?;
    let chars = u32::from(file.word()?) + 1;
    asset.set("chars", chars);
    asset.put("Charset", 1, file.take(u64::from(chars) * 8)?);
    marker.next(file)?;
    asset.put("Attributes", 1, file.take(chars.into())?);
    if version != 7 && method == PER_CHARACTER {
        marker.next(file)?;
        asset.put("CharColours", 1, file.take(u64::from(chars) * width)?);
    }
    if flags & TILES != 0 {
        marker.next(file)?;
        let tiles = u32::from(file.word()?) + 1;
        let (tile_width, tile_height) = (u32::from(file.byte()?), u32::from(file.byte()?));
        asset.set("tiles", tiles);
        asset.set("tileWidth", tile_width);
        asset.set("tileHeight", tile_height);
        asset.put("Tiles", 2, file.take(table([tiles, tile_width, tile_height]))?);
        if method == PER_TILE {
            marker.next(file)?;
            asset.put("TileColours", 1, file.take(u64::from(tiles) * width)?);
        }
        marker.next(file)?;
        asset.put("TileTags", 1, file.take(tiles.into())?);
        marker.next(file)?;
        for _ in 0..tiles {
            asset.names.push(file.text()?);
        }
    }
    marker.next(file)?;
    let (map_width, map_height) = (u32::from(file.word()?), u32::from(file.word()?));
    asset.set("mapWidth", map_width);
    asset.set("mapHeight", map_height);
    asset.put("Map", 2, file.take(table([1, map_width, map_height]))?);
    Ok(())
}
