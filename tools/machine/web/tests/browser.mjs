// The page in a real browser: plays by keyboard and by mouse, gets answers, saves and restores, takes level, side, position
// and game, works opened twice and on small screens, and reports no error. `make test-browser` runs it; TEMPO is the program, CHROMIUM the browser.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { get } from "node:http";
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

// A hang is a failure; a slow computer is none.
const PATIENCE = { timeout: 300_000 };
const FRAME = 312 * 63; // cycles of a PAL frame
let browser;
try {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ...PATIENCE,
  });
  const errors = [];
  const open = async (options = { viewport: { width: 1280, height: 800 } }) => {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE.timeout);
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    return page;
  };
  const isBegun = (page) => page.waitForFunction(() => document.getElementById("fps").textContent !== "–");
  // Time passes on the C64, however slow this computer is.
  const frames = async (page, count) => {
    const from = await page.evaluate(() => globalThis.tempo.cycles());
    await page.waitForFunction(([from, cycles]) => (globalThis.tempo.cycles() - from) >>> 0 >= cycles, [from, count * FRAME]);
  };
  const type = async (page, text) => {
    await page.focus("#screen");
    for (const key of [...text, "Enter"]) {
      await page.keyboard.down(key);
      await frames(page, 6);
      await page.keyboard.up(key);
      await frames(page, 3);
    }
  };
  const page = await open();
  await page.goto(address);
  const moves = () => page.evaluate(() => globalThis.tempo.moves());
  const played = (count) => page.waitForFunction((wanted) => globalThis.tempo.moves().length >= wanted, count);
  await isBegun(page);
  check("the start position", await page.evaluate(() => globalThis.tempo.fen()), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");

  await type(page, "e2e4");
  await played(2);
  check("1. e4 by keyboard", (await moves())[0], "e4");

  const box = await page.locator("#screen").boundingBox();
  const at = (file, row) => ({ x: ((40 + file * 24 + 12) / 384) * box.width, y: ((35 + row * 24 + 12) / 272) * box.height });
  await page.click("#screen", { position: at(6, 7) });
  await frames(page, 35);
  await page.click("#screen", { position: at(5, 5) });
  await played(4);
  check("2. Nf3 by mouse", (await moves())[2], "Nf3");

  await frames(page, 50);
  const before = await page.evaluate(() => globalThis.tempo.fen());
  await page.click("#save");
  check("saved", await page.textContent("#status"), "Saved in this browser.");
  await page.click("#reset");
  await frames(page, 75);
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
  // The page writes the position at once; the program empties its list of moves when it takes it.
  await page.waitForFunction(() => globalThis.tempo.fen().startsWith("6k1/5ppp/8/8/8/8/8/R3K3 w") && globalThis.tempo.moves().length === 0);
  await type(page, "a1a8");
  await played(1);
  check("mate from a set-up position", await moves(), ["Ra8#"]);

  // The same page a second time, with what `tempo play --level --side --fen` writes into its address.
  const second = await open();
  await second.goto(`${address}?level=club&side=black`);
  await second.waitForFunction(() => globalThis.tempo?.moves().length >= 1);
  check("the level in the list", await second.inputValue("#level"), "5");
  await second.goto(`${address}?side=both&fen=4k3/8/8/3pP3/8/8/8/4K3+w+-+d6+7+20`);
  await isBegun(second);
  check("en passant and the clock come with the position", await second.evaluate(() => globalThis.tempo.fen()), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 7 1");
  await type(second, "exd6");
  await second.waitForFunction(() => globalThis.tempo.moves().length >= 1);
  check("en passant", (await second.evaluate(() => globalThis.tempo.fen())).split(" ")[0], "4k3/8/3P4/8/8/8/8/4K3");
  await second.goto(`${address}?fen=4k2R/8/8/8/8/8/8/4K3+w+-+-+0+1`);
  await isBegun(second);
  check("a position that cannot be played", await second.textContent("#status"), "The position in the address cannot be played: the side that is not to move is in check.");
  await second.goto(`${address}?level=99`);
  await isBegun(second);
  check("no such level", (await second.textContent("#status")).startsWith('"99" is not a level'), true);
  // A new position while the C64 thinks: its move does not get into it.
  await second.goto(`${address}?level=tournament&side=none&fen=r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R+w+KQkq+-+0+1`);
  await isBegun(second);
  await second.fill("#fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
  await second.selectOption("#side", "both");
  await second.click("#fen-set");
  await frames(second, 25);
  check("a position while the C64 thinks", (await second.evaluate(() => globalThis.tempo.fen())).startsWith("6k1/5ppp/8/8/8/8/8/R3K3 w"), true);
  await second.close();

  // Pieces are dragged, the menu and the choice of a piece are clicked, and nothing of a game is lost.
  const third = await open();
  const list = () => third.evaluate(() => globalThis.tempo.moves());
  const status = () => third.textContent("#status");
  const places = async (target) => {
    const frame = await target.locator("#screen").boundingBox();
    return (file, row) => ({ x: frame.x + ((40 + file * 24 + 12) / 384) * frame.width, y: frame.y + ((35 + row * 24 + 12) / 272) * frame.height });
  };
  const drag = async (from, to) => {
    const place = await places(third), [a, b] = [place(...from), place(...to)];
    const before = (await list()).length;
    await third.mouse.move(a.x, a.y);
    await third.mouse.down();
    await third.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    await third.mouse.move(b.x, b.y);
    await third.mouse.up();
    return before;
  };
  const longer = (count) => third.waitForFunction((wanted) => globalThis.tempo.moves().length > wanted, count);
  await third.goto(`${address}?side=both`);
  await isBegun(third);
  for (const [from, to] of [[[4, 6], [4, 4]], [[4, 1], [4, 3]], [[6, 7], [5, 5]], [[1, 0], [2, 2]], [[5, 7], [2, 4]], [[6, 0], [5, 2]], [[4, 7], [6, 7]]])
    await longer(await drag(from, to));
  check("a game by drag and drop", await list(), ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "O-O"]);
  await frames(third, 30);
  check("its opening", await third.waitForFunction(() => document.getElementById("opening").textContent === "Two knights defence").then(() => true), true);
  const narrow = (await third.locator("#screen").boundingBox()).width;
  await third.setViewportSize({ width: 1900, height: 1100 });
  check("the picture grows with the window", (await third.locator("#screen").boundingBox()).width > narrow, true);
  await third.setViewportSize({ width: 1280, height: 800 });
  // The menu, by mouse: flip the board; then the same squares are elsewhere.
  const cell = async (column, row) => {
    const frame = await third.locator("#screen").boundingBox();
    await third.mouse.click(frame.x + ((32 + column * 8 + 4) / 384) * frame.width, frame.y + ((35 + row * 8 + 4) / 272) * frame.height);
  };
  await third.click('[data-command="F1"]');
  await frames(third, 20);
  await cell(28, 2 + 16);
  await frames(third, 30);
  await longer(await drag([7 - 3, 7 - 1], [7 - 3, 7 - 2]));
  check("a move on the flipped board", (await list())[7], "d6");
  await third.click('[data-command="F7"]');
  await third.click('[data-command="F3"]');
  await third.waitForFunction(() => globalThis.tempo.moves().length === 7);
  await third.click('[data-command="LSHIFT+F3"]');
  await third.waitForFunction(() => globalThis.tempo.moves().length === 8);
  await third.selectOption("#level", "2");
  check("the level counts at once, and says so", await status(), "Level casual from the C64's next move on.");
  for (const [text, expected, plies] of [
    ["1. d4 d5 2. Ke3 Nf6", "2. Ke3 is not a legal move; the game on the board is as it was.", 8],
    ["hello", "1. hello is not a legal move; the game on the board is as it was.", 8],
    ["1. d4 (1. e4 e5 {a line}) 1... d5 ; the rest\n2. c4 $1 dxc4 *", "4 plies read, 1 variation skipped.", 4],
  ]) {
    await third.fill("#pgn", text);
    await third.click("#pgn-set");
    check(`the moves ${text}`, [await status(), (await list()).length], [expected, plies]);
  }
  await third.focus("#fen");
  await third.evaluate(() => (globalThis.isSamePage = true));
  await third.keyboard.press("F5");
  await frames(third, 10);
  check("F5 in a field does not leave the page", await third.evaluate(() => globalThis.isSamePage), true);
  await third.goto(`${address}?side=both&fen=8/P6k/8/8/8/8/8/K7+w+-+-+0+1`);
  await isBegun(third);
  await drag([0, 1], [0, 0]);
  await third.click('[data-piece="n"]');
  await longer(0);
  check("a knight, by button", await list(), ["a8=N"]);
  // This game is kept by now; the next one is a new one all the same.
  await frames(third, 60);
  await third.evaluate(() => localStorage.clear());
  await third.goto(address);
  await isBegun(third);
  await longer(await drag([7, 6], [7, 4]));
  await longer(1);
  await frames(third, 60);
  const kept = await list();
  await third.reload();
  await isBegun(third);
  check("the game goes on after a reload", [(await list()).slice(0, 2), await status()], [kept.slice(0, 2), "Your last game goes on. New game starts another one."]);
  await third.selectOption("#clock", "1");
  check("the clock of the next game", await status(), "This clock counts in the next game: press New game.");
  await third.click("#new-game");
  await third.waitForFunction(() => globalThis.tempo.moves().length === 0);
  await frames(third, 30);
  check("five minutes", await third.evaluate(() => globalThis.tempo.row(20)), "White  0:05:00");
  check("all clocks", await third.locator("#clock option").allTextContents(), ["as the level says", "5 minutes a game",
    "5 minutes, 3 seconds a move", "15 minutes a game", "15 minutes, 10 seconds a move", "30 minutes a game", "60 minutes a game",
    "40 moves in 120 minutes", "no limit"]);
  await third.screenshot({ path: `${pictures}/clock.png` });
  await third.close();

  // A machine that comes late: what is clicked, typed or dropped before it is there does nothing.
  const late = await open();
  let arrive;
  const arrival = new Promise((resolve) => (arrive = resolve));
  await late.route("**/tempo.wasm", async (route) => { await arrival; await route.continue(); });
  await late.goto(address);
  for (const id of ["sound", "reset", "save", "restore"]) {
    const button = await late.locator(`#${id}`).boundingBox();
    await late.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
  }
  await late.keyboard.press("Enter");
  await late.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array([1, 8, 0])], "small.prg"));
    dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
  });
  check("before the machine is there", await late.textContent("#status"), "Loading the machine…");
  arrive();
  await late.waitForFunction(() => globalThis.tempo?.moves().length === 0);
  check("the start position of a late machine", (await late.evaluate(() => globalThis.tempo.fen())).endsWith("w KQkq - 0 1"), true);
  await late.close();

  for (const [name, width, height] of [["phone", 390, 844], ["phone-wide", 844, 390]]) {
    const phone = await open({ viewport: { width, height }, hasTouch: true, isMobile: true });
    await phone.goto(address);
    await isBegun(phone);
    check(`nothing is wider than a ${name}`, (await phone.evaluate(() => document.documentElement.scrollWidth)) <= width, true);
    const board = await phone.locator("#screen").boundingBox();
    const tap = (file, row) => phone.touchscreen.tap(board.x + ((40 + file * 24 + 12) / 384) * board.width, board.y + ((35 + row * 24 + 12) / 272) * board.height);
    await tap(3, 6);
    await frames(phone, 35);
    await tap(3, 4);
    await phone.waitForFunction(() => globalThis.tempo.moves().length >= 1);
    check(`1. d4 by touch on a ${name}`, (await phone.evaluate(() => globalThis.tempo.moves()))[0], "d4");
    // A finger drags the next piece.
    await phone.waitForFunction(() => globalThis.tempo.moves().length >= 2);
    await frames(phone, 40);
    const touch = await phone.context().newCDPSession(phone), place = await places(phone);
    const [from, to] = [place(7, 6), place(7, 5)];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [to] });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await phone.waitForFunction(() => globalThis.tempo.moves().length >= 3);
    check(`2. h3 by a finger on a ${name}`, (await phone.evaluate(() => globalThis.tempo.moves()))[2], "h3");
    await phone.screenshot({ path: `${pictures}/${name}.png` });
    await phone.close();
  }

  // Frames and work, while a person thinks and while the C64 does: the time of the CPU by the browser's own count.
  const system = await browser.newBrowserCDPSession();
  const used = async () => (await system.send("SystemInfo.getProcessInfo")).processInfo.reduce((sum, one) => sum + one.cpuTime, 0);
  const measure = async (what) => {
    const before = [await used(), Date.now()];
    await page.waitForTimeout(5000);
    const share = (100 * (await used() - before[0])) / ((Date.now() - before[1]) / 1000);
    console.log(`${what}: ${await page.textContent("#fps")} frames a second, ${share.toFixed(0)} % of one core for the whole browser`);
  };
  await measure("a person thinks");
  await page.fill("#fen", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10");
  await page.selectOption("#level", "6");
  await page.click("#fen-set");
  await measure("the C64 thinks");
  check("no error in the console", errors, []);
  const host = await new Promise((found) => get(address, { headers: { Host: "evil.example" } }, (answer) => found(answer.statusCode)));
  check("another host", host, 403);
  for (const path of ["..%2fCargo.toml", "%2e%2e/Cargo.toml", "etc/passwd"]) check(path, (await fetch(address + path)).status, 404);
  console.log(`browser: ${passed} passed, 0 failed`);
} finally {
  await browser?.close();
  server.removeAllListeners("exit");
  server.kill();
}
