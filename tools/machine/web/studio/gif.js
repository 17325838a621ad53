// Animated GIFs of pictures with at most 256 colours: a palette, then frames with LZW codes.
export class Gif {
  constructor(width, height, palette, delay) {
    Object.assign(this, { width, height, delay });
    this.bits = Math.max(2, Math.ceil(Math.log2(palette.length)));
    this.bytes = [...new TextEncoder().encode("GIF89a"), ...word(width), ...word(height), 0xf0 | (this.bits - 1), 0, 0];
    for (let at = 0; at < 1 << this.bits; at++) this.bytes.push(...(palette[at] ?? [0, 0, 0]));
    this.bytes.push(0x21, 0xff, 11, ...new TextEncoder().encode("NETSCAPE2.0"), 3, 1, 0, 0, 0);
    this.parts = [new Uint8Array(this.bytes)];
    this.frames = 0;
  }
  add(pixels) {
    const head = [0x21, 0xf9, 4, 4, ...word(this.delay), 0, 0, 0x2c, 0, 0, 0, 0, ...word(this.width), ...word(this.height), 0, this.bits];
    this.parts.push(new Uint8Array(head), lzw(pixels, this.bits));
    this.frames++;
  }
  blob() { return new Blob([...this.parts, new Uint8Array([0x3b])], { type: "image/gif" }); }
}
const word = (value) => [value & 255, value >> 8];
function lzw(pixels, bits) {
  const clear = 1 << bits, out = [];
  let size = bits + 1, next = clear + 2, table = new Map(), buffer = 0, filled = 0, block = [];
  const flush = () => { if (block.length) { out.push(block.length, ...block); block = []; } };
  const put = (code) => {
    buffer |= code << filled;
    filled += size;
    while (filled >= 8) { block.push(buffer & 255); buffer >>>= 8; filled -= 8; if (block.length === 255) flush(); }
  };
  put(clear);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at++) {
    const key = (prefix << 8) | pixels[at], known = table.get(key);
    if (known !== undefined) { prefix = known; continue; }
    put(prefix);
    if (next < 4096) {
      table.set(key, next++);
      if (next > 1 << size && size < 12) size++;
    } else { put(clear); table = new Map(); next = clear + 2; size = bits + 1; }
    prefix = pixels[at];
  }
  put(prefix);
  put(clear + 1);
  if (filled) block.push(buffer & 255);
  flush();
  out.push(0);
  return new Uint8Array(out);
}
// 16-bit mono WAV.
export function wav(chunks, rate) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0) * 2, head = new DataView(new ArrayBuffer(44));
  const text = (at, letters) => [...letters].forEach((letter, i) => head.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF"); head.setUint32(4, 36 + length, true); text(8, "WAVEfmt "); head.setUint32(16, 16, true);
  head.setUint16(20, 1, true); head.setUint16(22, 1, true); head.setUint32(24, rate, true); head.setUint32(28, rate * 2, true);
  head.setUint16(32, 2, true); head.setUint16(34, 16, true); text(36, "data"); head.setUint32(40, length, true);
  return new Blob([head, ...chunks], { type: "audio/wav" });
}
