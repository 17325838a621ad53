//! Spritemate `.spm`: JSON with the pixels as numbers.

use tempo_json::{Limits, Node};

use super::spritepad::{SPRITE, empty};
use super::{Asset, AssetError, Format};

const ROWS: usize = 21;
const COLUMNS: usize = 24;

/// More sprites than any project has; a row of pixels is 24 values.
const LIMITS: Limits = Limits { bytes: 32 << 20, depth: 16, values: 8 << 20 };

/// Bits of the attributes, as in SpritePad's files.
const OVERLAY: u8 = 0x10;
const DOUBLE_WIDTH: u8 = 0x20;
const DOUBLE_HEIGHT: u8 = 0x40;
const MULTICOLOUR: u8 = 0x80;

pub(super) fn read(file: &[u8]) -> Result<Asset, AssetError> {
    let document = tempo_json::parse(file, LIMITS)
        .map_err(|error| AssetError::Json { at: error.offset, problem: error.kind.to_string() })?;
    let mut asset = empty(Format::Spritemate);
    let colours = expect(&document.root, "colors")?;
    for key in ["0", "2", "3"] {
        asset.colours.push(colour(expect(colours, key)?)?);
    }
    let mut data = Vec::new();
    let list = expect(&document.root, "sprites")?;
    let sprites = list.items().ok_or_else(|| wrong(list, "a list of sprites"))?;
    for node in sprites {
        sprite(node, &mut data)?;
        let name = node.get("name").and_then(Node::text).unwrap_or_default();
        asset.names.push(name.to_owned());
    }
    asset.set("sprites", sprites.len() as u32);
    asset.put("Data", 1, &data);
    Ok(asset)
}

fn wrong(node: &Node<'_>, wanted: &str) -> AssetError {
    let problem = format!("{} where {wanted} is expected", node.describe());
    AssetError::Json { at: node.span.start as usize, problem }
}

fn expect<'n, 't>(node: &'n Node<'t>, key: &str) -> Result<&'n Node<'t>, AssetError> {
    node.get(key).ok_or_else(|| wrong(node, &format!("an object with '{key}'")))
}

fn colour(node: &Node<'_>) -> Result<u8, AssetError> {
    let colour = node.whole().filter(|colour| (0..16).contains(colour));
    colour.map(|colour| colour as u8).ok_or_else(|| wrong(node, "a colour from 0 to 15"))
}

/// The 64 bytes of a sprite.
fn sprite(node: &Node<'_>, data: &mut Vec<u8>) -> Result<(), AssetError> {
    // Newer files have numbers here, older ones conditions.
    let flag = |key: &str| match node.get(key) {
        None => false,
        Some(node) => node.bool().unwrap_or_else(|| node.whole().is_some_and(|value| value != 0)),
    };
    let is_multicolour = flag("multicolor");
    let pixels = expect(node, "pixels")?;
    let rows = pixels.items().filter(|rows| rows.len() == ROWS);
    for row in rows.ok_or_else(|| wrong(pixels, "a list of 21 rows"))? {
        let columns = row.items().filter(|columns| columns.len() == COLUMNS);
        let columns = columns.ok_or_else(|| wrong(row, "a list of 24 pixels"))?;
        let values: Result<Vec<i64>, AssetError> =
            columns.iter().map(|pixel| pixel.whole().ok_or_else(|| wrong(pixel, "a number"))).collect();
        let values = values?;
        for eight in values.chunks(8) {
            let byte = match is_multicolour {
                true => eight.chunks(2).try_fold(0u8, |byte, pair| Some(byte << 2 | pair_bits(pair[0])?)),
                false => Some(eight.iter().fold(0, |byte, &pixel| byte << 1 | u8::from(pixel != 0))),
            };
            data.push(byte.ok_or_else(|| wrong(row, "a row of pixels from 0 to 3"))?);
        }
    }
    let attribute = |key: &str, bit: u8| if flag(key) { bit } else { 0 };
    let attributes = colour(expect(node, "color")?)?
        | attribute("overlay", OVERLAY)
        | attribute("double_x", DOUBLE_WIDTH)
        | attribute("double_y", DOUBLE_HEIGHT)
        | attribute("multicolor", MULTICOLOUR);
    data.push(attributes);
    debug_assert!(data.len().is_multiple_of(SPRITE));
    Ok(())
}

/// The sprite's own colour and the first one of all sprites have each other's number.
fn pair_bits(pixel: i64) -> Option<u8> {
    match pixel {
        0 => Some(0b00),
        1 => Some(0b10),
        2 => Some(0b01),
        3 => Some(0b11),
        _ => None,
    }
}
