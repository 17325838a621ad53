// The page in a real browser: plays by keyboard and by mouse, gets answers, saves and restores, takes a position and a
// game, works on a small screen, and reports no error. `make test-browser` runs it; TEMPO is the program, CHROMIUM the browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const tempo = process.env.TEMPO ?? "target/release/tempo";
const pictures = process.env.PICTURES ?? "build/browser";
mkdirSync(pictures, { recursive: true });
let passed = 0;
const check = (name, value, expected) => {
  assert.deepEqual(value, expected, name);
  passed++;
};

const server = spawn(tempo, ["play", "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found, fail) => {
  let text = "";
  server.stdout.on("data", (data) => {
    text += data;
    const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
    if (match) found(match[0]);
  });
  server.on("exit", (code) => fail(new Error(`tempo play ended with ${code}`)));
});

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
  const patience = { timeout: 120_000 };
  const moves = () => page.evaluate(() => globalThis.tempo.moves());
  const played = (count) => page.waitForFunction((wanted) => globalThis.tempo.moves().length >= wanted, count, patience);
  await page.waitForFunction(() => document.getElementById("fps").textContent !== "–", null, patience);
  check("the start position", await page.evaluate(() => globalThis.tempo.fen()), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");

  await page.focus("#screen");
  await page.keyboard.type("e2e4", { delay: 150 });
  await page.keyboard.press("Enter", { delay: 100 });
  await played(2);
  check("1. e4 by keyboard", (await moves())[0], "e4");

  const box = await page.locator("#screen").boundingBox();
  const at = (file, row) => ({ x: ((40 + file * 24 + 12) / 384) * box.width, y: ((35 + row * 24 + 12) / 272) * box.height });
  await page.click("#screen", { position: at(6, 7) });
  await page.waitForTimeout(700);
  await page.click("#screen", { position: at(5, 5) });
  await played(4);
  check("2. Nf3 by mouse", (await moves())[2], "Nf3");

  const before = await page.evaluate(() => globalThis.tempo.fen());
  await page.click("#save");
  check("saved", await page.textContent("#status"), "Saved in this browser.");
  await page.click("#reset");
  await page.waitForTimeout(1500);
  await page.click("#restore");
  check("restored", await page.textContent("#status"), "Restored.");
  check("the same position", await page.evaluate(() => globalThis.tempo.fen()), before);
  await page.screenshot({ path: `${pictures}/page.png` });

  await page.fill("#pgn", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 *");
  await page.click("#pgn-set");
  await played(6);
  check("a game from PGN", (await moves()).slice(0, 6), ["d4", "d5", "c4", "e6", "Nc3", "Nf6"]);
  await page.fill("#fen", "8/8/8/8/8/8/8/8 w - - 0 1");
  await page.click("#fen-set");
  check("a position without kings", await page.textContent("#status"), "Each side needs one king.");
  await page.fill("#fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
  await page.click("#fen-set");
  await page.waitForFunction(() => globalThis.tempo.fen().startsWith("6k1/5ppp/8/8/8/8/8/R3K3 w"), null, patience);
  await page.focus("#screen");
  await page.keyboard.type("a1a8", { delay: 150 });
  await page.keyboard.press("Enter", { delay: 100 });
  await played(1);
  check("mate from a set-up position", await moves(), ["Ra8#"]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(300);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check("nothing is wider than a phone", wide <= 390, true);
  await page.screenshot({ path: `${pictures}/phone.png` });
  console.log(`frames a second ${await page.textContent("#fps")}, share of one core ${await page.textContent("#share")}`);
  check("no error in the console", errors, []);
  for (const path of ["..%2fCargo.toml", "%2e%2e/Cargo.toml", "etc/passwd"]) check(path, (await fetch(address + path)).status, 404);
  console.log(`browser: ${passed} passed, 0 failed`);
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill();
}
