//! Viewers for files of the C64: programs as source, disks as directories, tunes as tables, Koala pictures, sprites and
//! characters as pictures. The `tempo` program reads programs, disks and the files of graphics editors.

import { execFile } from "node:child_process";
import { dirname, extname } from "node:path";
import * as vscode from "vscode";

import { type Asset, assetPage } from "./assets";
import { binary, confined } from "./binary";
import { image } from "./pixels";

const WIDTH = 160;
const HEIGHT = 200;
/// Load address, bitmap, screen, colours, background.
const KOALA = 2 + 8000 + 1000 + 1000 + 1;
/// A longer listing is cut.
const MOST = 400_000;

/// The colours of a Koala picture, row by row, one byte for each of its wide pixels.
export function koalaPixels(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== KOALA) {
    throw new Error(`a Koala picture has ${KOALA} bytes, this file has ${bytes.length}`);
  }
  const [bitmap, screen, colours] = [bytes.subarray(2, 8002), bytes.subarray(8002, 9002), bytes.subarray(9002, 10002)];
  const background = bytes[10002] & 15;
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const cell = (y >> 3) * 40 + (x >> 2);
      const bits = (bitmap[cell * 8 + (y & 7)] >> (6 - 2 * (x & 3))) & 3;
      pixels[y * WIDTH + x] = [background, screen[cell] >> 4, screen[cell] & 15, colours[cell] & 15][bits];
    }
  }
  return pixels;
}

/// The header of a tune as rows of a table.
export function sidRows(bytes: Uint8Array): [string, string][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (bytes.length < 0x76 || !["PSID", "RSID"].includes(magic)) {
    throw new Error("this is not a SID file: it does not begin with a PSID or RSID header");
  }
  const text = (at: number) => {
    const field = bytes.subarray(at, at + 32);
    const end = field.indexOf(0);
    return String.fromCharCode(...field.subarray(0, end < 0 ? 32 : end));
  };
  const hex = (value: number) => `$${value.toString(16).toUpperCase().padStart(4, "0")}`;
  const data = view.getUint16(6);
  const stored = view.getUint16(8);
  // Without an address in the header, the data begins with it.
  const load = stored !== 0 || data + 2 > bytes.length ? stored : bytes[data] | (bytes[data + 1] << 8);
  return [
    ["Name", text(0x16)],
    ["Author", text(0x36)],
    ["Released", text(0x56)],
    ["Format", `${magic} version ${view.getUint16(4)}`],
    ["Load", hex(load)],
    ["Init", hex(view.getUint16(10))],
    ["Play", hex(view.getUint16(12))],
    ["Songs", `${view.getUint16(14)}, starts with ${view.getUint16(16)}`],
    ["Bytes", `${Math.max(0, bytes.length - data - (stored === 0 ? 2 : 0))}`],
  ];
}

export function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (letter) => names[letter]);
}

/// The words of the command that shows a file as text, for files that have one.
export function textWords(path: string): string[] | undefined {
  switch (extname(path).toLowerCase()) {
    case ".prg":
      return ["disasm", path];
    case ".d64":
      return ["d64", "list", path];
    default:
      return undefined;
  }
}

/// The words of the command that reads a file of a graphics editor.
export function assetWords(path: string): string[] | undefined {
  const isAsset = [".ctm", ".spd", ".spm"].includes(extname(path).toLowerCase());
  return isAsset ? ["import", path, "--format", "json"] : undefined;
}

/// The body of the page for a file that needs no command.
export function pictureOrTable(path: string, bytes: Uint8Array): string {
  if (extname(path).toLowerCase() === ".sid") {
    const rows = sidRows(bytes).map(([name, value]) => `<tr><th>${name}</th><td>${escaped(value)}</td></tr>`);
    return `<table>${rows.join("")}</table>`;
  }
  return image("a Koala picture", koalaPixels(bytes), WIDTH, [4, 2]);
}

/// A page without scripts that loads nothing.
function page(body: string): string {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  const style = "img { image-rendering: pixelated } th { text-align: left; padding-right: 2em } pre { tab-size: 8 } figure { display: inline-block; margin: 4px; text-align: center }";
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head><body>${body}</body></html>`;
}

export function addViewers(context: vscode.ExtensionContext): void {
  const ask = (words: string[], path: string) =>
    new Promise<string>((resolve, reject) => {
      const options = { maxBuffer: 64 << 20, cwd: dirname(path) };
      execFile(binary(context), confined(words), options, (error, out, err) =>
        error ? reject(new Error(err.trim() || error.message)) : resolve(out),
      );
    });
  const body = async (uri: vscode.Uri): Promise<string> => {
    try {
      const asset = assetWords(uri.fsPath);
      if (asset !== undefined) {
        return assetPage(JSON.parse(await ask(asset, uri.fsPath)) as Asset);
      }
      const words = textWords(uri.fsPath);
      if (words === undefined) {
        return pictureOrTable(uri.fsPath, await vscode.workspace.fs.readFile(uri));
      }
      const text = await ask(words, uri.fsPath);
      const rest = text.length > MOST ? `\n… and ${text.length - MOST} more characters: tempo ${words.join(" ")}` : "";
      return `<pre>${escaped(text.slice(0, MOST) + rest)}</pre>`;
    } catch (error) {
      return `<p>${escaped(error instanceof Error ? error.message : String(error))}</p>`;
    }
  };
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      const show = async () => {
        panel.webview.html = page(await body(uri));
      };
      // A build writes the file again.
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dirname(uri.fsPath)), "*"));
      const changed = watcher.onDidChange((other) => other.fsPath === uri.fsPath && void show());
      panel.onDidDispose(() => {
        changed.dispose();
        watcher.dispose();
      });
      await show();
    },
  };
  context.subscriptions.push(vscode.window.registerCustomEditorProvider("tempo.viewer", provider));
}
