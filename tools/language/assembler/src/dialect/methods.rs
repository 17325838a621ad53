//! Methods and fields of values, one item each.

use super::Whose;
use super::functions::{Function, Type};
use crate::library::Does;

/// The type of methods that every value has.
pub const ANY_VALUE: &str = "any value";

const fn method(
    group: &'static str,
    name: &'static str,
    forms: &'static [&'static str],
    about: &'static str,
) -> Function {
    Function::new(group, name, forms, about, Does::Method)
}

/// Every method, by the type of its value. A pure one leaves the value as it is.
pub static METHODS: &[Function] = &[
    method("any value", "lock", &[""], "Makes the value unchangeable and returns it."),
    method("any value", "number", &[""], "The number that the value is.").gives(Type::Number).pure(),
    method("any value", "string", &[""], "The value as `.print` shows it.").gives(Type::String).pure(),
    method("String", "asBoolean", &[""], "Whether the text is `true`.").gives(Type::Boolean).pure(),
    method("String", "asNumber", &["", "radix"], "The number that the text is.").gives(Type::Number).pure(),
    method("String", "charAt", &["index"], "A character.").gives(Type::Number),
    method("String", "size", &[""], "How many characters there are.").gives(Type::Number).pure(),
    method(
        "String",
        "substring",
        &["begin, end"],
        "The characters from `begin` up to, not including, `end`.",
    )
    .gives(Type::String)
    .pure(),
    method("String", "toLowerCase", &[""], "The text in lower case.").gives(Type::String).pure(),
    method("String", "toUpperCase", &[""], "The text in upper case.").gives(Type::String).pure(),
    method("List", "add", &["value, …"], "Adds values at the end."),
    method("List", "addAll", &["list"], "Adds all elements of another list."),
    method("List", "get", &["index"], "An element.").pure(),
    method("List", "remove", &["index"], "Removes an element."),
    method("List", "reverse", &[""], "Reverses the order."),
    method("List", "set", &["index, value"], "Replaces an element."),
    method("List", "shuffle", &[""], "Puts the elements into a random order."),
    method("List", "size", &[""], "How many elements there are.").gives(Type::Number).pure(),
    method("List", "sort", &[""], "Sorts the elements."),
    method("Hashtable", "containsKey", &["key"], "Whether there is a value for a key.")
        .gives(Type::Boolean)
        .pure(),
    method("Hashtable", "get", &["key"], "The value of a key.").pure(),
    method("Hashtable", "keys", &[""], "A list of the keys.").gives(Type::List).pure(),
    method("Hashtable", "put", &["key, value, …"], "Sets the values of keys."),
    method("Hashtable", "remove", &["key"], "Removes a key."),
    method("struct", "get", &["field"], "The value of a field, by name or number.").pure(),
    method("struct", "getFieldNames", &[""], "A list of the fields.").gives(Type::List).pure(),
    method("struct", "getNoOfFields", &[""], "How many fields there are.").pure(),
    method("struct", "getStructName", &[""], "The name of the struct.").gives(Type::String).pure(),
    method("struct", "set", &["field, value"], "Sets a field, by name or number."),
    method("Vector", "get", &["index"], "A coordinate, by number.").pure(),
    method("Vector", "getX", &[""], "The first coordinate.").gives(Type::Number).pure(),
    method("Vector", "getY", &[""], "The second coordinate.").gives(Type::Number).pure(),
    method("Vector", "getZ", &[""], "The third coordinate.").gives(Type::Number).pure(),
    method("Vector", "X", &["vector"], "The cross product.").pure(),
    method("Matrix", "get", &["row, column"], "An entry.").pure(),
    method("Matrix", "set", &["row, column, value"], "Sets an entry."),
    method("65xxArgumentValue", "getType", &[""], "How the argument is written: one of AT_….")
        .gives(Type::Number)
        .pure(),
    method("65xxArgumentValue", "getValue", &[""], "The value of the argument.").pure(),
    method("BinaryFile", "get", &["index"], "A byte, as a signed number.").pure(),
    method("BinaryFile", "getSize", &[""], "How many bytes there are.").pure(),
    method("BinaryFile", "uget", &["index"], "A byte, as an unsigned number.").pure(),
    method("SidFile", "getData", &["index"], "A byte of the tune.").pure(),
    method(
        "CharPadFile",
        "getColour",
        &["index"],
        "A shared colour: background, multicolour 1 and 2, then those that the version has.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("CharPadFile", "getCharset", &["index"], "An entry of the bytes of the characters, 8 each.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getCharsetSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getAttributes", &["index"], "An entry of the attributes, one for each character.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getAttributesSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getCharColours", &["index"], "An entry of the colours of characters.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getCharColoursSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTiles", &["index"], "An entry of the tiles: numbers of characters.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTilesSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTilesLow", &["index"], "An entry of the low bytes of the tiles.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTilesLowSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTilesHigh", &["index"], "An entry of the high bytes of the tiles.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTilesHighSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTileColours", &["index"], "An entry of the colours of tiles.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTileColoursSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTileTags", &["index"], "An entry of the tags, one for each tile.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getTileTagsSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMap", &["index"], "An entry of the map: numbers of tiles or characters.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMapSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMapLow", &["index"], "An entry of the low bytes of the map.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMapLowSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMapHigh", &["index"], "An entry of the high bytes of the map.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("CharPadFile", "getMapHighSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method(
        "SpritePadFile",
        "getColour",
        &["index"],
        "A shared colour: background, multicolour 1, multicolour 2.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("SpritePadFile", "getData", &["index"], "An entry of the bytes of the sprites, 64 each.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("SpritePadFile", "getDataSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("SpritePadFile", "getAnimationStart", &["index"], "An entry of the first sprites of animations.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method(
        "SpritePadFile",
        "getAnimationStartSize",
        &[""],
        "How many entries that part has; 0 if it is absent.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("SpritePadFile", "getAnimationEnd", &["index"], "An entry of the last sprites of animations.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method(
        "SpritePadFile",
        "getAnimationEndSize",
        &[""],
        "How many entries that part has; 0 if it is absent.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("SpritePadFile", "getAnimationTimer", &["index"], "An entry of the timers of animations.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method(
        "SpritePadFile",
        "getAnimationTimerSize",
        &[""],
        "How many entries that part has; 0 if it is absent.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("SpritePadFile", "getAnimationFlags", &["index"], "An entry of the flags of animations.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method(
        "SpritePadFile",
        "getAnimationFlagsSize",
        &[""],
        "How many entries that part has; 0 if it is absent.",
    )
    .gives(Type::Number)
    .pure()
    .ours(),
    method("SpritePadFile", "getTileMap", &["index"], "An entry of the tiles: numbers of sprites.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("SpritePadFile", "getTileMapSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("SpritePadFile", "getTileTags", &["index"], "An entry of the tags, one for each tile.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("SpritePadFile", "getTileTagsSize", &[""], "How many entries that part has; 0 if it is absent.")
        .gives(Type::Number)
        .pure()
        .ours(),
    method("Picture", "getMulticolorByte", &["x, y"], "Four pixels as bit pairs; x counts bytes.").pure(),
    method("Picture", "getPixel", &["x, y"], "The colour of a pixel, as $rrggbb.").pure(),
    method("Picture", "getSinglecolorByte", &["x, y"], "Eight pixels as bits; x counts bytes.").pure(),
    method("OutputFile", "writeln", &["text"], "Writes a line."),
];

/// A part of a value that is read without a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The type it belongs to.
    pub group: &'static str,
    /// As written.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Where it comes from.
    pub whose: Whose,
}

const fn field(group: &'static str, name: &'static str, about: &'static str) -> Field {
    Field { group, name, about, whose: Whose::Kick }
}

impl Field {
    const fn ours(self) -> Field {
        Field { whose: Whose::Ours, ..self }
    }
}

/// Every field.
pub const FIELDS: &[Field] = &[
    field("SidFile", "header", "The kind of the file: PSID or RSID."),
    field("SidFile", "version", "The version of the header."),
    field("SidFile", "location", "The address that the data is loaded at."),
    field("SidFile", "init", "The address of the routine that prepares a song."),
    field("SidFile", "play", "The address of the routine that plays it."),
    field("SidFile", "songs", "How many songs there are."),
    field("SidFile", "startSong", "The song to begin with, from 1."),
    field("SidFile", "name", "The name of the tune."),
    field("SidFile", "author", "Who wrote it."),
    field("SidFile", "copyright", "Who published it, and when."),
    field("SidFile", "speed", "A bit for each song: whether a timer plays it."),
    field("SidFile", "flags", "The flags of a header of version 2; null in an older one."),
    field("SidFile", "startpage", "The first page that is free for a player; null in an older header."),
    field("SidFile", "pagelength", "How many pages are free for a player; null in an older header."),
    field("SidFile", "size", "How many bytes of data there are."),
    field("CharPadFile", "version", "The version of the file: 5, 7, 8, 82 or 9.").ours(),
    field(
        "CharPadFile",
        "mode",
        "0 text, 1 multicolour text, 2 extended background, 3 bitmap, 4 multicolour bitmap.",
    )
    .ours(),
    field("CharPadFile", "colourMethod", "0 one colour for all, 1 per tile, 2 per character.").ours(),
    field("CharPadFile", "flags", "The flags of the header; bit 0: there are tiles.").ours(),
    field("CharPadFile", "chars", "How many characters there are.").ours(),
    field("CharPadFile", "tiles", "How many tiles there are.").ours(),
    field("CharPadFile", "tileWidth", "Characters in a row of a tile.").ours(),
    field("CharPadFile", "tileHeight", "Rows of a tile.").ours(),
    field("CharPadFile", "mapWidth", "Entries in a row of the map.").ours(),
    field("CharPadFile", "mapHeight", "Rows of the map.").ours(),
    field("SpritePadFile", "version", "The version of the file; 0 without a signature, and for .spm.").ours(),
    field("SpritePadFile", "sprites", "How many sprites there are.").ours(),
    field("SpritePadFile", "animations", "How many animations there are.").ours(),
    field("SpritePadFile", "tiles", "How many tiles there are.").ours(),
    field("Picture", "width", "The width in pixels."),
    field("Picture", "height", "The height in pixels."),
];
