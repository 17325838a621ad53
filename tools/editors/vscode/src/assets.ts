//! Files of graphics editors as pictures: the sprites of SpritePad and Spritemate, the characters and the map of CharPad.
//! The parts come from `tempo import --format json`; this knows what their bits look like.

import { image } from "./pixels";

/// The answer of `tempo import --format json`.
export interface Asset {
  format: string;
  version?: number;
  colours?: number[];
  parts: Record<string, { bytes: number[] }>;
  /// CharPad: 0 to 2 are text (one colour, multicolour, extended background), 3 and 4 bitmaps (one colour, multicolour).
  mode?: number;
  /// CharPad: one colour for all characters, one per tile, one per character.
  colourMethod?: number;
  chars?: number;
  tiles?: number;
  tileWidth?: number;
  tileHeight?: number;
  mapWidth?: number;
  mapHeight?: number;
}

const SPRITE = { width: 24, height: 21, bytes: 64 };
/// Characters in a row of the overview.
const ROW = 32;
/// A larger map is not drawn.
const MOST_CELLS = 100_000;

/// A sprite: 63 bytes of picture, then its colour (bits 0 to 3) and whether it is multicolour (bit 7).
export function spritePixels(data: number[], [background, first, second]: number[]): Uint8Array {
  const pixels = new Uint8Array(SPRITE.width * SPRITE.height);
  const last = data[SPRITE.bytes - 1];
  const colour = last & 15;
  for (let at = 0; at < pixels.length; at++) {
    const byte = data[at >> 3];
    const two = (byte >> (6 - (at & 6))) & 3;
    const one = (byte >> (7 - (at & 7))) & 1;
    pixels[at] = last & 0x80 ? [background, first, colour, second][two] : [background, colour][one];
  }
  return pixels;
}

/// Draws the characters of a CharPad file.
class Characters {
  private readonly charset: number[];

  constructor(private readonly asset: Asset) {
    this.charset = asset.parts.Charset?.bytes ?? [];
  }

  private get mode(): number {
    return this.asset.mode ?? 0;
  }

  /// The colours of a character by its bits: two of them, or four for pairs of bits.
  private palette(char: number, tile: number): number[] {
    const { asset, mode } = this;
    const colours = asset.colours ?? [];
    const version = asset.version ?? 0;
    // Bytes for each colour of a character or a tile.
    const width = version < 8 || mode < 3 ? 1 : colours.length === 8 ? 4 : mode === 3 ? 2 : 3;
    const own = (bytes: number[] | undefined, index: number) => bytes?.slice(index * width, (index + 1) * width);
    let found: number[] | undefined;
    if (asset.colourMethod === 2) {
      const attributes = version < 8 ? asset.parts.Attributes : asset.parts.CharColours;
      found = own(attributes?.bytes, char);
    } else if (asset.colourMethod === 1) {
      found = own(asset.parts.TileColours?.bytes, tile);
    }
    // The colours for all follow those that the VIC has registers for.
    const shared = colours.slice(version < 7 ? 3 : 4);
    const [ink = 1, low = 0, high = 0] = found?.length ? found : shared;
    switch (mode) {
      case 1:
        return ink & 8 ? [colours[0], colours[1], colours[2], ink & 7] : [colours[0], ink & 7];
      case 2:
        return [colours[(char >> 6) & 3], ink];
      case 3:
        return [ink, low];
      case 4:
        return [colours[0], high, low, ink];
      default:
        return [colours[0], ink];
    }
  }

  /// Draws one character into a picture.
  draw(pixels: Uint8Array, width: number, [left, top]: [number, number], char: number, tile: number): void {
    const palette = this.palette(char, tile).map((colour) => (colour ?? 0) & 15);
    const shape = this.mode === 2 ? char & 63 : char;
    for (let y = 0; y < 8; y++) {
      const byte = this.charset[shape * 8 + y] ?? 0;
      for (let x = 0; x < 8; x++) {
        const bits = palette.length === 4 ? (byte >> (6 - (x & 6))) & 3 : (byte >> (7 - x)) & 1;
        pixels[(top + y) * width + left + x] = palette[bits];
      }
    }
  }

  /// All characters in rows, and the width of the picture.
  overview(): [Uint8Array, number] {
    const count = Math.floor(this.charset.length / 8);
    const width = Math.min(count, ROW) * 8;
    const pixels = new Uint8Array(width * Math.ceil(count / ROW) * 8);
    for (let char = 0; char < count; char++) {
      this.draw(pixels, width, [(char % ROW) * 8, Math.floor(char / ROW) * 8], char, 0);
    }
    return [pixels, width];
  }

  /// The map, made of tiles if there are any; undefined if the file has none, or one that is too large.
  map(): [Uint8Array, number] | undefined {
    const { mapWidth = 0, mapHeight = 0, tiles = 0, parts } = this.asset;
    const [across, down] = tiles > 0 ? [this.asset.tileWidth ?? 0, this.asset.tileHeight ?? 0] : [1, 1];
    const cells = mapWidth * mapHeight * across * down;
    if (cells === 0 || cells > MOST_CELLS) {
      return undefined;
    }
    const width = mapWidth * across * 8;
    const pixels = new Uint8Array(cells * 64);
    const word = (bytes: number[], index: number) => (bytes[index * 2] ?? 0) | ((bytes[index * 2 + 1] ?? 0) << 8);
    const map = parts.Map?.bytes ?? [];
    for (let cell = 0; cell < mapWidth * mapHeight; cell++) {
      const tile = word(map, cell);
      for (let part = 0; part < across * down; part++) {
        const number = tile * across * down + part;
        // Without a table, the characters of a tile follow each other.
        const char = tiles > 0 && parts.Tiles?.bytes.length ? word(parts.Tiles.bytes, number) : tiles > 0 ? number : tile;
        const x = (cell % mapWidth) * across + (part % across);
        const y = Math.floor(cell / mapWidth) * down + Math.floor(part / across);
        this.draw(pixels, width, [x * 8, y * 8], char, tile);
      }
    }
    return [pixels, width];
  }
}

/// The body of the page for a file of a graphics editor.
export function assetPage(asset: Asset): string {
  const data = asset.parts.Data?.bytes;
  if (data !== undefined) {
    const sprites = Array.from({ length: Math.floor(data.length / SPRITE.bytes) }, (_, index) => {
      const pixels = spritePixels(data.slice(index * SPRITE.bytes, (index + 1) * SPRITE.bytes), asset.colours ?? []);
      return `<figure>${image(`sprite ${index}`, pixels, SPRITE.width, [3, 3])}<figcaption>${index}</figcaption></figure>`;
    });
    return `<p>${sprites.length} sprites</p>${sprites.join("")}`;
  }
  const characters = new Characters(asset);
  const [pixels, width] = characters.overview();
  const map = characters.map();
  const { mapWidth = 0, mapHeight = 0, tiles = 0 } = asset;
  return [
    `<p>${pixels.length / 64 === 0 ? "no" : asset.chars} characters</p>${width > 0 ? image("characters", pixels, width, [3, 3]) : ""}`,
    `<p>map of ${mapWidth} by ${mapHeight} ${tiles > 0 ? `tiles, ${tiles} different ones` : "characters"}</p>`,
    map ? image("map", ...map, [2, 2]) : "",
  ].join("");
}
