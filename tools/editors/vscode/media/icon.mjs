// Writes icon.png, 128 by 128 pixels, from the picture below: node media/icon.mjs

import { writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

// A metronome; `.` is the background, the letters are colours of the C64.
const PICTURE = `
................
.......ww....y..
......wwww..yy..
......w..w.yy...
.....ww..wyy....
.....w...yy.....
.....w..yyw.....
....ww.yy.ww....
....w.yy...w....
....wcccc..w....
...wwcccc..ww...
...w.cccc...w...
...wwwwwwwwww...
..wwwwwwwwwwww..
..wwwwwwwwwwww..
................`.trim().split("\n");
const COLOURS = { ".": [0x35, 0x28, 0x79], w: [0xff, 0xff, 0xff], y: [0xb8, 0xc7, 0x6f], c: [0x70, 0xa4, 0xb2] };
const SCALE = 8;

const size = PICTURE.length * SCALE;
const rows = Buffer.alloc(size * (1 + size * 3));
for (let y = 0; y < size; y++) {
  for (let x = 0; x < size; x++) {
    rows.set(COLOURS[PICTURE[Math.floor(y / SCALE)][Math.floor(x / SCALE)]], y * (1 + size * 3) + 1 + x * 3);
  }
}

const table = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name), data]);
  const sum = body.reduce((crc, byte) => table[(crc ^ byte) & 255] ^ (crc >>> 8), 0xffffffff);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE((sum ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}
const head = Buffer.alloc(13);
head.writeUInt32BE(size, 0);
head.writeUInt32BE(size, 4);
head.set([8, 2], 8);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
writeFileSync(new URL("icon.png", import.meta.url), Buffer.concat([signature, ...parts]));
