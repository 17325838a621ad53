// The playground in a real browser, from a plain static server: examples run, problems appear while typing, hover and
// completion answer, tests run, a failing one is debugged backwards and opened again from its file, a link and a page
// without a network hold the work, broken links and large files are refused. `make test-browser` runs it after the page
// was built; PAGE is its folder.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

const folder = resolve(process.env.PAGE ?? "build/web/playground"), pictures = process.env.PICTURES ?? "build/browser";
mkdirSync(pictures, { recursive: true });
let passed = 0;
const check = (name, value, expected) => { assert.deepEqual(value, expected, name); passed++; };
const KINDS = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", json: "application/json" };
const extra = new Map();
let isOpen = true;
const server = createServer((request, reply) => {
  const path = decodeURIComponent(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html"), file = join(folder, normalize(path));
  if (!isOpen) return request.socket.destroy();
  const bytes = extra.get(path) ?? (file.startsWith(folder) && existsSync(file) ? readFileSync(file) : null);
  reply.writeHead(bytes ? 200 : 404, { "Content-Type": KINDS[path.split(".").pop()] ?? "application/octet-stream" });
  reply.end(bytes ?? "");
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"], timeout: 300_000,
});
try {
  const errors = [];
  const open = async (url, width = 1280, height = 800, context = null, more = {}) => {
    const page = await (context ?? await browser.newContext({ viewport: { width, height }, ...more })).newPage();
    page.setDefaultTimeout(300_000);
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => globalThis.playground?.isReady && globalThis.studio?.version > 0);
    return page;
  };
  const page = await open(address);
  const status = (part) => page.waitForFunction((text) => document.getElementById("status").textContent.includes(text), part);
  // Every example assembles, runs, and passes its tests; the tutorial's first test is one that fails.
  for (const name of await page.$$eval("#example option", (all) => all.map((one) => one.value).filter((one) => one !== "mine"))) {
    const before = await page.evaluate(() => globalThis.studio.version);
    await page.selectOption("#example", name);
    await page.waitForFunction((known) => globalThis.studio.version > known && globalThis.studio.now() > 20, before).catch((error) => { throw new Error(`${name}: ${error.message}`); });
    check(`${name} has no errors`, await page.isHidden("#errors"), true);
    await page.click("#testNow");
    const title = await page.textContent("#belowTitle");
    check(`${name}: ${title}`, name === "tutorial" ? /[12] failed/.test(title) : /^\d+ passed, 0 failed/.test(title), true);
  }
  await page.screenshot({ path: `${pictures}/playground-tests.png` });

  // A failing test, debugged backwards on the spot, and its file opened in another page.
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#belowText button", { hasText: "Save recording" }).first().click()]);
  const saved = join(pictures, "failing.tempo");
  await file.saveAs(saved);
  check("a recording", readFileSync(saved).subarray(0, 8).toString(), "TEMPOREC");
  await page.locator("#belowText button", { hasText: "Debug" }).first().click();
  const cycle = async () => Number(/cycle ([\d,]+)/.exec(await page.textContent("#belowText"))[1].replaceAll(",", ""));
  const at = await cycle();
  check("it stands in the suite", (await page.textContent("#belowText .at")).includes("assert"), true);
  await page.click('[data-word="back"]');
  await page.click('[data-word="back"]');
  check("it goes back", (await cycle()) < at, true);
  await page.fill("#words", "why [Score]");
  await page.press("#words", "Enter");
  check("why answers", /Score|score\.asm/.test(await page.textContent("#belowText")), true);
  await page.screenshot({ path: `${pictures}/playground-debug.png` });
  extra.set("/failing.tempo", readFileSync(saved));
  const other = await open(`${address}?recording=failing.tempo`);
  check("the recording opens from its file", (await other.textContent("#belowText .at")).includes("assert"), true);
  await other.close();
  extra.set("/broken.tempo", readFileSync(saved).subarray(0, 200));
  const broken = await open(`${address}?recording=broken.tempo`);
  check("a broken recording is refused", (await broken.textContent("#belowText")).includes("damaged"), true);
  await broken.close();

  // Typing: problems, hover, completion.
  await page.selectOption("#example", "game");
  await page.waitForFunction(() => globalThis.playground.open() === "src/main.asm");
  const text = await page.evaluate(() => globalThis.playground.editor().state.doc.toString());
  await page.evaluate(() => { const { editor } = globalThis.playground, view = editor(); view.dispatch({ changes: { from: view.state.doc.length, insert: "\n        ink $d020\n" } }); });
  await page.waitForFunction(() => document.querySelector("#editor").shadowRoot.querySelector(".cm-lint-marker-error"));
  await page.screenshot({ path: `${pictures}/playground-problem.png` });
  check("the tab says it", await page.$eval("#files .bad", (tab) => tab.textContent.includes("src/main.asm")), true);
  await page.click("#runNow");
  await page.waitForSelector("#errors:not([hidden])");
  await page.evaluate((old) => { const view = globalThis.playground.editor(); view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: old } }); }, text);
  check("hover has cycles", await page.evaluate(() => { const { ask, editor } = globalThis.playground, doc = editor().state.doc.toString(); return ask({ do: "hover", path: "src/main.asm", at: doc.search(/jsr/) }).text; }).then((found) => /cycle/.test(found)), true);
  check("completion knows names of other files", await page.evaluate(() => { const { ask, editor } = globalThis.playground, doc = editor().state.doc.toString(); return ask({ do: "complete", path: "src/main.asm", at: doc.search(/jsr/) + 4 }).some((one) => one.label === "MovePlayer"); }), true);
  const long = `BasicUpstart2(s)\ns:\n${Array.from({ length: 1000 }, (_, at) => `l${at}: lda #${at & 255}\n sta $${(0x400 + at).toString(16)}\n`).join("")} rts\n`;
  const took = await page.evaluate((source) => {
    globalThis.playground.use({ version: 1, main: "a.asm", system: 0, files: { "a.asm": source } });
    const times = [];
    for (let n = 0; n < 9; n++) {
      const since = performance.now();
      globalThis.playground.ask({ do: "set", path: "a.asm" }, new TextEncoder().encode(`${source}// ${n}\n`));
      globalThis.playground.ask({ do: "problems" });
      times.push(performance.now() - since);
    }
    return times.sort((a, b) => a - b)[4];
  }, long);
  console.log(`problems of 2,000 lines: ${took.toFixed(1)} ms`);

  // A link holds the work; what is kept stays.
  await page.evaluate(() => globalThis.playground.use({ version: 1, main: "x/m.asm", system: 1, files: { "x/m.asm": "BasicUpstart2(s)\ns: inc $d020\n jmp s // ä€\n.byte 1\n#import \"n.asm\"\n", "x/n.asm": "lda #1\n", "d.bin": { base64: "AAH/" } } }));
  await page.evaluate(() => { document.getElementById("model").value = "1"; });
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#s="));
  const link = page.url(), work = await page.evaluate(() => globalThis.playground.pack());
  const shared = await open(link);
  check("the link holds files, main and machine", await shared.evaluate(() => globalThis.playground.pack()), work);
  await shared.waitForFunction(() => globalThis.studio.now() > 20);
  check("and the program runs", await shared.isHidden("#errors"), true);
  await shared.close();
  for (const [name, url] of [["cut", link.slice(0, -30)], ["letters", `${address}#s=%%%`], ["foreign", `${address}#s=${Buffer.from("hello").toString("base64url")}`]]) {
    const cut = await open(url);
    await cut.waitForFunction(() => document.getElementById("status").textContent.includes("This link is damaged"));
    check(`a link that is ${name} leaves an example`, await cut.evaluate(() => globalThis.playground.work().files.size > 0), true);
    await cut.close();
  }
  await page.evaluate(() => globalThis.playground.use({ version: 1, main: "a.asm", system: 0, files: { "a.asm": `// ${"x".repeat(33000)}` } }));
  await page.click("#share");
  await status("download the .zip");
  passed++;

  // Files in and out; a large one is refused without being read.
  await page.selectOption("#example", "game");
  const kept = async (kind) => { const [one] = await Promise.all([page.waitForEvent("download"), page.selectOption("#take", kind)]); return [one.suggestedFilename(), readFileSync(await one.path())]; };
  const [[, prg], [, d64], [zipName, zip]] = [await kept("prg"), await kept("d64"), await kept("zip")];
  check("a program, a disk and a zip", [prg.readUInt16LE(0), d64.length, zip.readUInt32BE(0).toString(16), zipName], [0x0801, 174848, "504b0304", "main.zip"]);
  writeFileSync(join(pictures, "large.bin"), Buffer.alloc(2 << 20));
  await page.setInputFiles("#pick", join(pictures, "large.bin"));
  await status("up to 1 MB");
  passed++;

  // Work is kept, also without a network.
  await page.evaluate(() => { const view = globalThis.playground.editor(); view.dispatch({ changes: { from: 0, insert: "// my own\n" } }); });
  await page.waitForFunction(() => localStorage.getItem("tempo-playground")?.includes("my own"));
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === "activated");
  isOpen = false;
  const offline = await open(address, 0, 0, page.context());
  check("offline, with the work", await offline.evaluate(() => globalThis.playground.editor().state.doc.line(1).text), "// my own");
  await offline.close();
  isOpen = true;

  const large = await open(`${address}?example=demo`, 1920, 1080);
  await large.waitForFunction(() => globalThis.studio.now() > 60);
  await large.screenshot({ path: `${pictures}/playground-1080p.png` });
  const phone = await open(`${address}?example=game`, 390, 844, null, { hasTouch: true, isMobile: true });
  check("nothing is wider than a phone", (await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, true);
  await phone.screenshot({ path: `${pictures}/playground-phone.png` });
  check("no error in the console", errors.filter((text) => !/ERR_|Failed to load resource/.test(text)), []);
  console.log(`playground: ${passed} passed, 0 failed`);
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
