// What outlives the page: the work in local storage, links that hold it, and files to download.
const LARGEST_LINK = 32 * 1024, LARGEST = 4 << 20;

const through = async (bytes, stream, limit = LARGEST) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  for (let length = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > limit) { reader.cancel(); throw new Error("it unpacks to too much"); }
    parts.push(value);
  }
};
const base64 = (bytes) => { let text = ""; for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text); };
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A work as plain data: paths with texts, or bytes as { base64 }. */
export function pack({ files, main, system }) {
  const plain = [...files].map(([path, contents]) => [path, typeof contents === "string" ? contents : { base64: base64(contents) }]);
  return { version: 1, main, system, files: Object.fromEntries(plain) };
}
/** The work of plain data, or an error that says what is wrong with it. */
export function unpack(data) {
  if (typeof data !== "object" || data === null || data.version !== 1) throw new Error("it was made by another version of this page");
  if (typeof data.files !== "object" || data.files === null || !Object.keys(data.files).length) throw new Error("it has no files");
  const files = new Map();
  let length = 0;
  for (const [path, contents] of Object.entries(data.files)) {
    if (!isPath(path)) throw new Error(`"${path.slice(0, 60)}" is not a name for a file`);
    const value = typeof contents === "string" ? contents : typeof contents?.base64 === "string" ? bytesOf(contents.base64) : null;
    if (value === null) throw new Error(`${path} has no contents`);
    length += value.length;
    files.set(path, value);
  }
  if (length > LARGEST) throw new Error("it is larger than 4 MB");
  if (typeof data.main !== "string" || !files.has(data.main)) throw new Error("its main file is not one of its files");
  return { files, main: data.main, system: Number.isInteger(data.system) ? data.system : 0 };
}
export const isPath = (path) => path.length > 0 && path.length <= 100 && /^[\w\-. +()]+(\/[\w\-. +()]+)*$/.test(path) && !path.split("/").some((part) => part === "." || part === "..");

/** A fragment for a link, or null if the sources are too large for one. */
export async function toFragment(work) {
  const text = new TextEncoder().encode(JSON.stringify(pack(work)));
  if ([...work.files.values()].reduce((sum, contents) => sum + contents.length, 0) > LARGEST_LINK) return null;
  const packed = await through(text, new CompressionStream("deflate-raw"));
  return `#s=${base64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
export async function fromFragment(fragment) {
  const packed = fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/");
  let bytes;
  try { bytes = bytesOf(packed); } catch { throw new Error("it has letters that no link has"); }
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"))); } catch (error) { throw new Error(`it cannot be unpacked (${error.message})`); }
  let data;
  try { data = JSON.parse(text); } catch { throw new Error("it is cut off"); }
  return unpack(data);
}

const KEY = "tempo-playground";
export const kept = {
  save(work) { try { localStorage.setItem(KEY, JSON.stringify(pack(work))); return true; } catch { return false; } },
  load() { try { return unpack(JSON.parse(localStorage.getItem(KEY))); } catch { return null; } },
  has: () => localStorage.getItem(KEY) !== null,
};

/** A zip with stored files. */
export function zip(files) {
  const table = Array.from({ length: 256 }, (_, n) => { for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1; return n >>> 0; });
  const sum = (bytes) => { let crc = ~0; for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8); return ~crc >>> 0; };
  const words = (...pairs) => pairs.flatMap(([value, size]) => Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 255));
  const parts = [], directory = [];
  let offset = 0;
  for (const [path, contents] of files) {
    const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents, name = new TextEncoder().encode(path);
    // 1 January 1980: the same sources make the same file.
    const facts = words([20, 2], [0x800, 2], [0, 2], [0, 2], [0x21, 2], [sum(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]);
    const head = [0x50, 0x4b, 3, 4, ...facts];
    parts.push(new Uint8Array(head), name, bytes);
    directory.push(new Uint8Array([0x50, 0x4b, 1, 2, 20, 0, ...facts, ...words([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4])]), name);
    offset += head.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0), count = [...files].length;
  parts.push(...directory, new Uint8Array([0x50, 0x4b, 5, 6, ...words([0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2])]));
  return new Blob(parts, { type: "application/zip" });
}
