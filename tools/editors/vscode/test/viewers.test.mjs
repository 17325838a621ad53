// Viewers: pictures and tables of files of the C64, and the commands for the others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let viewers, pixels, assets;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-viewers-"));
  const load = async (name) => (await bundle(folder, name, "module.exports = {};")).module;
  [viewers, pixels, assets] = [await load("viewers"), await load("pixels"), await load("assets")];
});

after(() => rm(folder, { recursive: true, force: true }));

test("a Koala picture has the colours of its cells", () => {
  const bytes = new Uint8Array(10003);
  bytes[2] = 0b00_01_10_11;
  bytes[2 + 8 * 999 + 7] = 0b11_00_00_01;
  bytes[8002] = 0x25;
  bytes[9002] = 0xf7;
  bytes[8002 + 999] = 0x80;
  bytes[9002 + 999] = 0x04;
  bytes[10002] = 0x16;
  const picture = viewers.koalaPixels(bytes);
  assert.deepEqual([...picture.subarray(0, 5)], [6, 2, 5, 7, 6]);
  assert.deepEqual([...picture.subarray(199 * 160 + 156)], [4, 6, 6, 8]);
  assert.throws(() => viewers.koalaPixels(bytes.subarray(1)), /10003 bytes, this file has 10002/);
});

test("the picture is a BMP file of the right size", () => {
  const file = pixels.bitmapFile(new Uint8Array(160 * 200).fill(1), 160);
  const view = new DataView(file.buffer);
  assert.equal(String.fromCharCode(...file.subarray(0, 2)), "BM");
  assert.equal(view.getUint32(2, true), file.length);
  assert.deepEqual([view.getInt32(18, true), view.getInt32(22, true)], [160, -200]);
  assert.equal(file.length - view.getUint32(10, true), 160 * 200);
  assert.equal(view.getUint32(54 + 4, true), 0xffffff);
});

test("rows of a picture are padded as the format wants", () => {
  const file = pixels.bitmapFile(Uint8Array.of(1, 2, 3, 4, 5, 6), 3);
  assert.deepEqual([...file.subarray(-8)], [1, 2, 3, 0, 4, 5, 6, 0]);
});

test("a sprite has one colour, or four in pairs of bits", () => {
  const data = new Array(64).fill(0);
  [data[0], data[63]] = [0b00_01_10_11, 0x05];
  assert.deepEqual([...assets.spritePixels(data, [6, 2, 3]).subarray(0, 9)], [6, 6, 6, 5, 5, 6, 5, 5, 6]);
  data[63] = 0x85;
  assert.deepEqual([...assets.spritePixels(data, [6, 2, 3]).subarray(0, 9)], [6, 6, 2, 2, 5, 5, 3, 3, 6]);
  const page = assets.assetPage({ format: "SpritePad", colours: [6, 2, 3], parts: { Data: { bytes: [...data, ...data] } } });
  assert.match(page, /2 sprites.*sprite 1/);
});

// The pixels of the nth picture of a page.
const drawn = (page, index) => {
  const file = Buffer.from([...page.matchAll(/base64,([^"]*)/g)][index][1], "base64");
  return [...file.subarray(54 + 1024)];
};

test("characters and maps have the colours of their mode", () => {
  const asset = {
    format: "CharPad", version: 9, mode: 1, colourMethod: 1, colours: [0, 1, 2, 3, 12, 0, 0], chars: 2, tiles: 2,
    tileWidth: 1, tileHeight: 1, mapWidth: 2, mapHeight: 1,
    parts: {
      Charset: { bytes: [0b00_01_10_11, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0] },
      TileColours: { bytes: [13, 5] }, Tiles: { bytes: [0, 0, 1, 0] }, Map: { bytes: [1, 0, 0, 0] },
    },
  };
  const page = assets.assetPage(asset);
  assert.match(page, /2 characters.*map of 2 by 1 tiles, 2 different ones/);
  // Tile 1 is character 1 in colour 5: one bit a pixel. Tile 0 is character 0 in colour 13, which is multicolour.
  assert.deepEqual(drawn(page, 1).slice(0, 16), [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 5, 5]);
  const extended = { ...asset, mode: 2, colourMethod: 0, tiles: 0, parts: { ...asset.parts, Map: { bytes: [0x41, 0, 0x81, 0] } } };
  assert.deepEqual(drawn(assets.assetPage(extended), 1).slice(0, 10), [12, 1, 1, 1, 1, 1, 1, 1, 12, 2]);
  const bitmap = { ...asset, mode: 4, colourMethod: 2, tiles: 0, parts: { ...asset.parts, CharColours: { bytes: [7, 8, 9, 4, 5, 6] }, Map: { bytes: [0, 0, 1, 0] } } };
  assert.deepEqual(drawn(assets.assetPage(bitmap), 1).slice(0, 10), [0, 0, 9, 9, 8, 8, 7, 7, 5, 5]);
});

test("a map that a file lies about is not drawn", () => {
  const page = assets.assetPage({ format: "CharPad", mapWidth: 60000, mapHeight: 60000, parts: {} });
  assert.doesNotMatch(page, /<img/);
  assert.match(page, /no characters/);
});

test("a tune is a table, and what is none is refused", () => {
  const bytes = new Uint8Array(0x7c + 5);
  bytes.set([0x50, 0x53, 0x49, 0x44, 0, 2, 0, 0x7c, 0, 0, 0x10, 0, 0x10, 3, 0, 3, 0, 1]);
  bytes.set([..."<Tune>"].map((letter) => letter.charCodeAt(0)), 0x16);
  bytes.set([0x00, 0x10, 0x60, 0x60, 0x60], 0x7c);
  const rows = Object.fromEntries(viewers.sidRows(bytes));
  assert.deepEqual(
    [rows.Name, rows.Load, rows.Init, rows.Play, rows.Songs, rows.Bytes],
    ["<Tune>", "$1000", "$1000", "$1003", "3, starts with 1", "3"],
  );
  assert.match(viewers.pictureOrTable("a.sid", bytes), /&lt;Tune&gt;/);
  for (const broken of [new Uint8Array(0), new Uint8Array(200), bytes.subarray(0, 60)]) {
    assert.throws(() => viewers.sidRows(broken), /not a SID file/);
  }
});

test("programs and disks are shown by the program", () => {
  assert.deepEqual(viewers.textWords("/x/a.PRG"), ["disasm", "/x/a.PRG"]);
  assert.deepEqual(viewers.textWords("/x/a.d64"), ["d64", "list", "/x/a.d64"]);
  assert.equal(viewers.textWords("/x/a.koa"), undefined);
  assert.deepEqual(viewers.assetWords("/x/a.ctm"), ["import", "/x/a.ctm", "--format", "json"]);
  assert.deepEqual([viewers.assetWords("/x/a.SPD")?.[0], viewers.assetWords("/x/a.prg")], ["import", undefined]);
});

test("the colours are those of the emulator", () => {
  const source = readFileSync(new URL("../../../../emu/src/c64/mod.rs", import.meta.url), "utf8");
  const [, table] = /pub const PALETTE: \[\[u8; 3\]; 16\] = \[(.*?)\n\];/s.exec(source);
  const rows = [...table.matchAll(/\[0x(..), 0x(..), 0x(..)\]/g)].map(([, ...parts]) => parseInt(parts.join(""), 16));
  assert.deepEqual(pixels.COLOURS, rows);
});
