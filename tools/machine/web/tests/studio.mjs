// `tempo studio` in a real browser: a program with a sprite and a raster interrupt runs, goes back in time to the same
// picture, says who drew a pixel, shows its raster time, takes a change of its source and shows errors over the picture.
// `make test-browser` runs it; TEMPO is the program, CHROMIUM the browser.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const tempo = resolve(process.env.TEMPO ?? "target/release/tempo");
const pictures = process.env.PICTURES ?? "build/browser";
mkdirSync(pictures, { recursive: true });
let passed = 0;
const check = (name, value, expected) => { assert.deepEqual(value, expected, name); passed++; };

// A sprite that the joystick moves, colours from a raster interrupt, and a main program that waits.
const source = (ground) => `
        BasicUpstart2(Start)
Start:  sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #<Irq
        sta $0314
        lda #>Irq
        sta $0315
        lda #100
        sta $d012
        lda #$1b
        sta $d011
        lda #1
        sta $d01a
        ldx #62
        lda #$ff
fill:   sta $3000,x
        dex
        bpl fill
        lda #$c0
        sta $07f8
        lda #1
        sta $d015
        lda #160
        sta $d000
        lda #150
        sta $d001
        lda #${ground}
        sta $d021
        ldx #39
write:  txa
        sta $0400,x
        dex
        bpl write
        cli
loop:   jmp loop
Irq:    asl $d019
        jsr Move
        inc $d020
        jmp $ea81
Move:   lda $dc00
        lsr
        lsr
        lsr
        bcs noLeft
        dec $d000
noLeft: lsr
        bcs noRight
        inc $d000
noRight: rts
`;
const folder = mkdtempSync(join(tmpdir(), "tempo-studio-"));
const main = join(folder, "main.asm");
writeFileSync(main, source(6));

const server = spawn(tempo, ["studio", "main.asm"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((found, fail) => {
  let text = "";
  server.stdout.on("data", (data) => {
    text += data;
    const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
    if (match) found(match[0]);
  });
  server.on("exit", (code) => fail(new Error(`tempo studio ended with ${code}`)));
});

let browser;
try {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required"],
    timeout: 300_000,
  });
  const errors = [];
  const open = async (width, height, more = {}) => {
    const page = await browser.newPage({ viewport: { width, height }, ...more });
    page.setDefaultTimeout(300_000);
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(address);
    await page.waitForFunction(() => globalThis.studio?.now() > 30);
    return page;
  };
  const page = await open(1280, 800);
  const frames = async (count) => {
    const from = await page.evaluate(() => globalThis.studio.now());
    await page.waitForFunction((wanted) => globalThis.studio.now() >= wanted, from + count);
  };

  // Joystick, then back in time: the same picture again, pixel by pixel.
  await page.focus("#screen");
  await page.keyboard.down("ArrowRight");
  await frames(20);
  await page.keyboard.up("ArrowRight");
  await frames(60);
  await page.click("#pause");
  const now = await page.evaluate(() => globalThis.studio.now());
  const picture = () => page.evaluate(() => globalThis.studio.picture());
  const before = await picture();
  await page.evaluate(() => globalThis.studio.seek(20));
  check("another picture", JSON.stringify(await picture()) !== JSON.stringify(before), true);
  await page.evaluate((frame) => globalThis.studio.seek(frame), now);
  check("the same picture again", await picture(), before);
  await page.evaluate(() => globalThis.studio.seek(10));
  await page.click("#pause");
  await page.waitForFunction((frame) => globalThis.studio.now() >= frame, now);
  await page.evaluate((frame) => globalThis.studio.seek(frame), now);
  check("going on plays what was pressed", await picture(), before);

  // Click a pixel of the sprite.
  const x = (await page.evaluate(() => { document.querySelector('[data-view="registers"]').click(); return document.getElementById("chips").textContent; }));
  check("the registers have names", x.includes("sprite 0 x"), true);
  const sprite = await page.evaluate(() => { for (let at = 120; at < 384; at++) { const drawn = globalThis.studio.pixel(at, 160 - 16); if (drawn.kind === "sprite") return { at, drawn }; } return null; });
  const graphics = sprite.drawn.bytes.find((byte) => byte.role === "graphics");
  check("the byte of the sprite", [sprite.drawn.sprite, graphics.address >= 0x3000 && graphics.address < 0x3040, graphics.is_confirmed], [0, true, true]);
  const box = await page.locator("#screen").boundingBox();
  await page.mouse.click(box.x + ((sprite.at + 0.5) * box.width) / 384, box.y + ((144.5) * box.height) / 272);
  await page.waitForFunction(() => document.getElementById("pixel").textContent.includes("sprite 0"));
  check("its writer is the sta", (await page.textContent("#pixel")).includes("sta $3000,x"), true);
  await page.screenshot({ path: `${pictures}/studio-pixel.png` });
  const card = page.locator("#pixel .card", { hasText: "Pixels: $30" });
  await card.locator("button", { hasText: "Show the source" }).click();
  check("the line is shown", (await page.textContent("#text .found")).includes("sta $3000,x"), true);
  await page.screenshot({ path: `${pictures}/studio-source.png` });

  // Raster time.
  await page.click('[data-view="raster"]');
  check("raster sums", await page.getAttribute("#parts", "data-sum"), String(63 * 312));
  check("the handler by name", (await page.textContent("#handlers")).includes("irq Irq"), true);
  check("the routine by name", (await page.textContent("#parts")).includes("Move"), true);
  await page.screenshot({ path: `${pictures}/studio-raster.png` });
  await page.click('[data-view="graphics"]');
  await page.locator("#sprites button").first().click();
  const sources = await page.textContent("#pixel");
  check("who made a sprite", ["sta $3000,x", "sta $07f8", "$D027"].map((part) => sources.includes(part)), [true, true, true]);
  for (const view of ["memory", "graphics", "registers"]) {
    await page.click(`[data-view="${view}"]`);
    await page.screenshot({ path: `${pictures}/studio-${view}.png` });
  }

  // A breakpoint by a click on its line, steps in both directions, a watched name.
  await page.click('[data-view="source"]');
  const move = await page.locator("#text span", { hasText: "Move:   lda $dc00" });
  await move.click();
  check("the breakpoint is shown", await move.evaluate((row) => row.classList.contains("point")), true);
  await page.evaluate(() => globalThis.studio.run());
  await page.waitForFunction(() => globalThis.studio.isPaused());
  check("it stops at the line", (await page.textContent("#text .here")).includes("Move:"), true);
  const stood = await page.evaluate(() => [globalThis.studio.register(5), globalThis.studio.register(6), globalThis.studio.register(7)]);
  await page.click("#stepOver");
  await page.click("#stepOver");
  check("two lines on", (await page.textContent("#text .here")).trim(), "lsr");
  await page.click("#stepBack");
  await page.click("#stepBack");
  check("and back: the same moment", await page.evaluate(() => [globalThis.studio.register(5), globalThis.studio.register(6), globalThis.studio.register(7)]), stood);
  await page.click("#stepOut");
  check("out of the routine", (await page.textContent("#text .here")).includes("inc $d020"), true);
  await page.fill("#watchName", "$d000");
  await page.press("#watchName", "Enter");
  check("a watch", /\$D000/.test(await page.textContent("#watches")), true);
  await page.screenshot({ path: `${pictures}/studio-step.png` });
  await move.click();
  await page.click('[data-view="registers"]');
  await page.locator("#chips button", { hasText: "$D020 border" }).click();
  check("who wrote a register", (await page.textContent("#pixel")).includes("inc $d020"), true);
  await page.locator("#pixel button", { hasText: "Go there" }).click();
  check("go there is the instruction", (await page.textContent("#text .here")).includes("inc $d020"), true);

  // The last half minute as a recording that the debugger opens at that moment.
  const [recording] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const recorded = join(folder, "page.tempo");
  await recording.saveAs(recorded);
  const stands = execFileSync(tempo, ["debug", "page.tempo", "-x", "print [$d000]", "-x", "back i"], { cwd: folder, encoding: "utf8" });
  check("tempo debug opens it", [stands.includes("the recording was saved here"), /main\.asm:\d+/.test(stands)], [true, true]);

  // Sound by worklet, with its latency; recordings.
  await page.evaluate(() => globalThis.studio.run());
  await page.click("#sound");
  await page.waitForFunction(() => /sound \d+ ms/.test(document.getElementById("speed").textContent));
  await page.click("#sound");
  await page.click("#gif");
  await page.click("#wav");
  await frames(12);
  const kept = async (id) => { const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]); return file.suggestedFilename(); };
  check("recordings", [await kept("#gif"), await kept("#wav"), await kept("#shot")], ["recording.gif", "recording.wav", "screenshot.png"]);

  // A change of the source, an error, and the change that puts it right.
  const pixel = () => page.evaluate(() => globalThis.studio.picture().slice(4 * (200 * 384 + 60), 4 * (200 * 384 + 60) + 3));
  const saved = Date.now();
  writeFileSync(main, source(5));
  await page.waitForFunction(() => globalThis.studio.version === 2);
  await page.waitForFunction(() => globalThis.studio.picture()[4 * (200 * 384 + 60)] === 0x58);
  console.log(`from save to new picture: ${Date.now() - saved} ms`);
  check("the new ground", await pixel(), [0x58, 0x8d, 0x43]);
  writeFileSync(main, source(5).replace("inc $d020", "ink $d020"));
  await page.waitForSelector("#errors:not([hidden])");
  const shown = await page.textContent("#errors");
  check("the error with its place", shown.includes("main.asm:") && shown.includes("ink $d020") && shown.includes("^"), true);
  const at = await page.evaluate(() => globalThis.studio.now());
  await page.waitForFunction((frame) => globalThis.studio.now() > frame + 5, at);
  await page.screenshot({ path: `${pictures}/studio-error.png` });
  await page.check("#keep");
  const moment = await page.evaluate(() => { document.getElementById("pause").click(); return globalThis.studio.now(); });
  writeFileSync(main, source(2));
  await page.waitForFunction(() => globalThis.studio.version === 4);
  check("the state is kept", await page.evaluate(() => globalThis.studio.now()), moment);
  check("with the new bytes", await pixel(), [0x68, 0x37, 0x2b]);
  await page.uncheck("#keep");
  await page.evaluate(() => globalThis.studio.run());

  // Large and small windows.
  for (const [name, width, height, scale] of [["1080p", 1920, 1080, 3], ["1440p", 2560, 1440, 4]]) {
    const large = await open(width, height);
    const size = await large.locator("#screen").boundingBox();
    check(`whole pixels at ${name}`, [size.width, size.height], [384 * scale, 272 * scale]);
    await large.click('[data-view="raster"]');
    await large.screenshot({ path: `${pictures}/studio-${name}.png` });
    await large.close();
  }
  const phone = await open(390, 844, { hasTouch: true, isMobile: true });
  check("nothing is wider than a phone", (await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, true);
  await phone.screenshot({ path: `${pictures}/studio-phone.png` });
  await phone.close();

  const system = await browser.newBrowserCDPSession();
  const used = async () => (await system.send("SystemInfo.getProcessInfo")).processInfo.reduce((sum, one) => sum + one.cpuTime, 0);
  const from = [await used(), Date.now()];
  await page.waitForTimeout(4000);
  const share = (100 * (await used() - from[0])) / ((Date.now() - from[1]) / 1000);
  console.log(`with the timeline: ${await page.textContent("#speed")}; ${share.toFixed(0)} % of one core for the whole browser`);
  check("no error in the console", errors, []);
  check("another host", await new Promise((found) => get(address, { headers: { Host: "evil.example" } }, (reply) => found(reply.statusCode))), 403);
  for (const path of ["main.asm", "..%2fmain.asm", "%2e%2e/etc/passwd"]) check(path, (await fetch(address + path)).status, 404);
  check("no writes", (await fetch(`${address}program`, { method: "POST", body: "x" })).status, 405);
  console.log(`studio: ${passed} passed, 0 failed`);
} finally {
  await browser?.close();
  server.removeAllListeners("exit");
  server.kill();
}
