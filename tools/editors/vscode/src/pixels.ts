//! Pictures in the colours of the C64, as images of a page.

/// The colours of the VIC as RGB, those of the emulator.
export const COLOURS = [
  0x000000, 0xffffff, 0x68372b, 0x70a4b2, 0x6f3d86, 0x588d43, 0x352879, 0xb8c76f,
  0x6f4f25, 0x433900, 0x9a6759, 0x444444, 0x6c6c6c, 0x9ad284, 0x6c5eb5, 0x959595,
];

/// Rows of pixels, one byte each, as a BMP file with 16 colours in use.
export function bitmapFile(pixels: Uint8Array, width: number): Uint8Array {
  const height = pixels.length / width;
  // A row of the file is a multiple of four bytes.
  const row = (width + 3) & ~3;
  const start = 54 + 256 * 4;
  const file = new Uint8Array(start + row * height);
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4d]);
  view.setUint32(2, file.length, true);
  view.setUint32(10, start, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  // Rows from the top.
  view.setInt32(22, -height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 8, true);
  COLOURS.forEach((colour, index) => view.setUint32(54 + index * 4, colour, true));
  for (let y = 0; y < height; y++) {
    file.set(pixels.subarray(y * width, (y + 1) * width), start + y * row);
  }
  return file;
}

/// An image of a page; `scale` is the size of a pixel.
export function image(title: string, pixels: Uint8Array, width: number, [across, down]: [number, number]): string {
  const picture = Buffer.from(bitmapFile(pixels, width)).toString("base64");
  const size = `width="${width * across}" height="${(pixels.length / width) * down}"`;
  return `<img alt="${title}" ${size} src="data:image/bmp;base64,${picture}">`;
}
