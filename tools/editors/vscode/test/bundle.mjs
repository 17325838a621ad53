// A module of the extension, bundled with a stand-in for the editor.

import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const require = createRequire(import.meta.url);

/// The module `name` of the extension and the stand-in that it sees as `vscode`, both made in a folder.
export async function bundle(folder, name, standIn) {
  const editor = join(folder, "vscode.cjs");
  const bundled = join(folder, `${name}.cjs`);
  await writeFile(editor, standIn);
  await build({
    entryPoints: [fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))],
    bundle: true,
    platform: "node",
    format: "cjs",
    alias: { vscode: editor },
    external: [editor],
    outfile: bundled,
    logLevel: "silent",
  });
  return { vscode: require(editor), module: require(bundled) };
}
