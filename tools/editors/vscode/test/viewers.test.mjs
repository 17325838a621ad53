// Viewers: pictures and tables of files of the C64, and the commands for the others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let viewers;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-viewers-"));
  viewers = (await bundle(folder, "viewers", "module.exports = {};")).module;
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
  const pixels = viewers.koalaPixels(bytes);
  assert.deepEqual([...pixels.subarray(0, 5)], [6, 2, 5, 7, 6]);
  assert.deepEqual([...pixels.subarray(199 * 160 + 156)], [4, 6, 6, 8]);
  assert.throws(() => viewers.koalaPixels(bytes.subarray(1)), /10003 bytes, this file has 10002/);
});

test("the picture is a BMP file of the right size", () => {
  const file = viewers.bitmapFile(new Uint8Array(160 * 200).fill(1));
  const view = new DataView(file.buffer);
  assert.equal(String.fromCharCode(...file.subarray(0, 2)), "BM");
  assert.equal(view.getUint32(2, true), file.length);
  assert.deepEqual([view.getInt32(18, true), view.getInt32(22, true)], [160, -200]);
  assert.equal(file.length - view.getUint32(10, true), 160 * 200);
  assert.equal(view.getUint32(54 + 4, true), 0xffffff);
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
});

test("the colours are those of the emulator", () => {
  const source = readFileSync(new URL("../../../../emu/src/c64/mod.rs", import.meta.url), "utf8");
  const [, table] = /pub const PALETTE: \[\[u8; 3\]; 16\] = \[(.*?)\n\];/s.exec(source);
  const rows = [...table.matchAll(/\[0x(..), 0x(..), 0x(..)\]/g)].map(([, ...parts]) => parseInt(parts.join(""), 16));
  assert.deepEqual(viewers.COLOURS, rows);
});
