// Builds the page: node bundle.mjs OUT WASM. Bundles the script, puts the studio into the page, and collects the examples
// from the templates of `tempo init` and from the tutorial.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

const [out, wasm] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url)), top = join(here, "../../../..");
const studio = join(top, "tools/machine/web/studio");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({ entryPoints: [join(here, "playground.js")], bundle: true, minify: true, format: "esm", target: "es2022", outfile: join(out, "playground.js"), external: ["./studio.js"], legalComments: "none", logLevel: "warning" });
for (const name of ["studio.css", "studio.js", "views.js", "gif.js", "sound.js"]) copyFileSync(join(studio, name), join(out, name));
copyFileSync(join(here, "playground.css"), join(out, "playground.css"));
copyFileSync(wasm, join(out, "playground.wasm"));
const machine = /<main[\s\S]*<\/main>/.exec(readFileSync(join(studio, "studio.html"), "utf8"))[0];
writeFileSync(join(out, "index.html"), readFileSync(join(here, "playground.html"), "utf8").replace("<!-- studio -->", () => machine));

const walk = (folder) => readdirSync(folder).sort().flatMap((name) => { const path = join(folder, name); return statSync(path).isDirectory() ? walk(path) : [path]; });
const example = (main, files) => ({ version: 1, main, system: 0, files: Object.fromEntries(files) });
const examples = {};
for (const name of ["game", "demo", "library"]) {
  const folder = join(top, "tools/cli/templates", name), files = walk(folder).filter((path) => /\.(asm|6502)$/.test(path));
  const main = /^main\s*=\s*"([^"]+)"/m.exec(readFileSync(join(folder, "tempo.toml"), "utf8"))?.[1] ?? "src/main.asm";
  examples[name] = example(main, files.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path, "utf8")]));
}
const tutorial = [...readFileSync(join(top, "docs/tutorial.md"), "utf8").matchAll(/^```(?:asm|6502) (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, text]) => [path, text]);
examples.tutorial = example("game.asm", tutorial);
writeFileSync(join(out, "examples.json"), JSON.stringify(examples));

const files = readdirSync(out).sort(), hash = createHash("sha256");
files.forEach((name) => hash.update(readFileSync(join(out, name))));
writeFileSync(join(out, "offline.js"), readFileSync(join(here, "offline.js"), "utf8").replace("VERSION", hash.digest("hex").slice(0, 12)).replace("/* FILES */", ["./", ...files].map((name) => JSON.stringify(name)).join(", ")));
// As a host sends it: most compress with Brotli, some with gzip alone. The quality is the library's best, 11.
const sum = (compress) => readdirSync(out).reduce((sum, name) => sum + compress(readFileSync(join(out, name))).length, 0);
const total = sum((bytes) => brotliCompressSync(bytes)), gzip = sum((bytes) => gzipSync(bytes, { level: 9 }));
console.log(`the playground: ${(total / 1e6).toFixed(2)} MB compressed by Brotli, ${(gzip / 1e6).toFixed(2)} MB by gzip`);
if (total > 1_500_000) throw new Error("the playground is larger than 1.5 MB");
