// The page around the machine: frames, picture, sound, keys, files, and the game as FEN and PGN.
// The machine is tempo.wasm (see tools/machine/web); everything here is plain browser code.

const $ = (id) => document.getElementById(id);
const status = (text) => { $("status").textContent = text; };
const KEYS = [
  ["DEL", "RETURN", "RIGHT", "F7", "F1", "F3", "F5", "DOWN"], ["3", "w", "a", "4", "z", "s", "e", "LSHIFT"],
  ["5", "r", "d", "6", "c", "f", "t", "x"], ["7", "y", "g", "8", "b", "h", "u", "v"],
  ["9", "i", "j", "0", "m", "k", "o", "n"], ["+", "p", "l", "-", ".", ":", "@", ","],
  ["POUND", "*", ";", "HOME", "RSHIFT", "=", "UPARROW", "/"], ["1", "LEFTARROW", "CTRL", "2", " ", "C=", "q", "STOP"],
].flat();
const number = (name) => KEYS.indexOf(name);
const RESTORE = 64;
// What a key of the host means: names of the matrix, pressed together.
const NAMED = {
  Enter: ["RETURN"], Backspace: ["DEL"], Escape: ["STOP"], Home: ["HOME"], ArrowRight: ["RIGHT"], ArrowDown: ["DOWN"],
  ArrowLeft: ["LSHIFT", "RIGHT"], ArrowUp: ["LSHIFT", "DOWN"], F1: ["F1"], F2: ["LSHIFT", "F1"], F3: ["F3"],
  F4: ["LSHIFT", "F3"], F5: ["F5"], F6: ["LSHIFT", "F5"], F7: ["F7"], F8: ["LSHIFT", "F7"], Control: ["CTRL"], Alt: ["C="],
  "!": ["LSHIFT", "1"], '"': ["LSHIFT", "2"], "#": ["LSHIFT", "3"], $: ["LSHIFT", "4"], "%": ["LSHIFT", "5"],
  "&": ["LSHIFT", "6"], "'": ["LSHIFT", "7"], "(": ["LSHIFT", "8"], ")": ["LSHIFT", "9"], "?": ["LSHIFT", "/"],
  "<": ["LSHIFT", ","], ">": ["LSHIFT", "."], "[": ["LSHIFT", ":"], "]": ["LSHIFT", ";"], "£": ["POUND"], "^": ["UPARROW"],
};
const POSITIONS = { Backquote: "LEFTARROW", Minus: "+", Equal: "-", BracketLeft: "@", BracketRight: "*", Semicolon: ":", Quote: ";",
  Backslash: "=", Comma: ",", Period: ".", Slash: "/", Space: " ", ShiftLeft: "LSHIFT", ShiftRight: "RSHIFT", Tab: "CTRL", ControlLeft: "C=" };
const STICK = { ArrowUp: 1, ArrowDown: 2, ArrowLeft: 4, ArrowRight: 8, ControlRight: 16 };

let machine; // exports of the module
let symbols = {}; // addresses of the chess program, while it is the one that runs
let program = null; // what Restart starts again: { bytes, media, name }
let paused = false, warp = false, stick = 0, touched = 0;
const held = new Map(); // host key -> keys of the matrix

const memory = (pointer, length) => new Uint8Array(machine.memory.buffer, pointer, length);
const give = (bytes) => memory(machine.c64_input(bytes.length), bytes.length).set(bytes);
const text = () => new TextDecoder().decode(memory(machine.c64_output(), machine.c64_output_length()));
const peek = (name, offset = 0) => machine.c64_peek(symbols[name] + offset);
const poke = (name, value, offset = 0) => machine.c64_poke(symbols[name] + offset, value);
const isChess = () => "HostCommand" in symbols;

// --- Starting ---------------------------------------------------------------
async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function start(next) {
  const before = { program, symbols };
  program = next;
  machine.c64_new($("ntsc").checked ? 1 : 0);
  give(next.bytes);
  if (!machine.c64_start(next.media)) {
    status(`${next.name}: ${text()}`);
    if (before.program && before.program !== next) { symbols = before.symbols; start(before.program); }
    return;
  }
  symbols = next.symbols ?? {};
  if (audio) machine.c64_sound(audio.context.sampleRate);
  const size = [machine.c64_width(), machine.c64_height()];
  [$("screen").width, $("screen").height] = size;
  picture = null;
  if (isChess()) {
    for (let count = 0; count < BEGINNING; count++) machine.c64_frame(); // until the program looks at HostCommand
    status("");
    choose();
    if ($("status").textContent) return;
    if (!before.program && ![...asked.keys()].length && comeBack()) return status("Your last game goes on. New game starts another one.");
  }
  status(isChess() ? "Drag a piece, click on it and then on a square, or type a move (e2e4, Nf3) and press Enter." : next.name);
}

// What the address asks for, as `tempo play --level --side --fen` writes it; the list and the address name levels from 1.
const BEGINNING = 40;
const asked = new URLSearchParams(location.search);
function levelNames() {
  return Array.from({ length: symbols.LEVELS }, (_, level) => {
    const codes = Array.from({ length: symbols.LEVEL_NAME }, (_, at) => peek("LevelNames", level * symbols.LEVEL_NAME + at));
    return codes.map((code) => (code <= 26 ? String.fromCharCode(96 + code) : " ")).join("").trim();
  });
}
// The C64 has them one after the other, as it shows them: minutes, "5+3" with seconds a move, "40/120" moves in minutes.
function clockNames() {
  const names = [""];
  for (let at = 0; names.length <= symbols.CLOCKS; at++) {
    const code = peek("ClockNames", at);
    if (code === 0xff) names.push("");
    else names[names.length - 1] += String.fromCharCode(code + 32);
  }
  return names.slice(0, symbols.CLOCKS).map((name) => {
    const [, first, sign, second] = /^(\d+)([+/]?)(\d*)$/.exec(name) ?? [];
    if (name === "off") return "as the level says";
    if (name === "free") return "no limit";
    if (sign === "+") return `${first} minutes, ${second} seconds a move`;
    if (sign === "/") return `${first} moves in ${second} minutes`;
    return `${first} minutes a game`;
  });
}
function choose() {
  const names = levelNames();
  $("clock").replaceChildren(...clockNames().map((name, at) => new Option(name, at)));
  $("clock").value = peek("ClockMode");
  $("level").replaceChildren(...names.map((name, at) => new Option(`${at + 1} ${name}`, at)));
  $("level").value = peek("ChosenLevel");
  const level = asked.get("level")?.toLowerCase(), side = asked.get("side")?.toLowerCase(), line = asked.get("fen");
  if (level != null) {
    const at = /^\d+$/.test(level) ? (names[level - 1] ? level - 1 : -1) : names.indexOf(level);
    if (at < 0) return status(`"${level}" is not a level: 1 to ${names.length}, or ${names.join(", ")}.`);
    $("level").value = at;
  }
  if (side != null) {
    if (![...$("side").options].some((option) => option.value === side)) return status(`"${side}" is not a side: white, black, both or none.`);
    $("side").value = side;
  }
  if (level == null && side == null && line == null) return;
  const error = line == null ? newGame() : newGame(line);
  if (error) status(`The position in the address cannot be played: ${error}.`);
}
// Brings the program to where it waits for a person: menus are left, a search is stopped, and nobody begins another one.
const run = (frames) => { for (let count = 0; count < frames; count++) machine.c64_frame(); };
function calm() {
  typing = [];
  poke("Players", 0, 0);
  poke("Players", 0, 1);
  // The search is left without a move.
  for (let count = 0; count < 200 && peek("Thinking"); count++) { poke("Abandoned", 1); poke("SearchStop", 1); run(1); }
  machine.c64_key(number("STOP"), 1);
  run(4);
  machine.c64_key(number("STOP"), 0);
  run(30);
}
// Level and side as chosen, then the start or this position.
function newGame(line) {
  const side = $("side").value, wanted = line == null ? null : readFen(line);
  if (wanted?.error) return wanted.error;
  calm();
  if (wanted) { setUp(wanted); poke("HostCommand", 1); }
  poke("ChosenLevel", Number($("level").value));
  poke("ClockMode", Number($("clock").value));
  poke("Players", side === "black" || side === "both" ? 0 : 1, 0); // Black, then White; 0 is a person
  poke("Players", side === "white" || side === "both" ? 0 : 1, 1);
  poke("Flipped", side === "black" ? 7 : 0);
  if (line == null) press("LSHIFT", "F7"); // F8: a new game
  return null;
}

async function begin() {
  if (typeof WebAssembly !== "object") return status("This browser has no WebAssembly, so there can be no C64 here.");
  try {
    const [module, prg, names] = await Promise.all([load("tempo.wasm"), load("chess.prg"), load("chess.sym")]);
    machine = (await WebAssembly.instantiate(module, {})).instance.exports;
    const table = {};
    for (const [, name, addr] of new TextDecoder().decode(names).matchAll(/^\.label (\w+)=\$([0-9a-f]+)/gm)) table[name] ??= parseInt(addr, 16);
    chess = { bytes: prg, media: 0, name: "chess.prg", symbols: table };
    start(chess);
    document.querySelector("main").inert = false; // no button works before there is a machine
    globalThis.tempo = { fen, moves, pgn, row: rowText, cycles: () => machine.c64_cycles() }; // for tests
    requestAnimationFrame(tick);
  } catch (error) {
    status(`The machine does not start: ${error.message}`);
  }
}
let chess = null;

// --- Frames ------------------------------------------------------------------
let due = 0, last = 0, picture = null, ran = 0, busy = 0, since = 0, lastCycles = 0;
function tick(now) {
  requestAnimationFrame(tick);
  const step = 1e6 / machine.c64_frames_in_1000_seconds();
  due = Math.min(due + now - last, 4 * step);
  last = now;
  if (paused || document.hidden) { due = 0; return; }
  readGamepad();
  const from = performance.now();
  let count = 0;
  while (warp ? performance.now() - from < 12 : due >= step) {
    due -= step;
    if (!frame()) break;
    count++;
  }
  if (warp) due = 0;
  if (count) draw();
  ran += count;
  busy += performance.now() - from;
  if (now - since >= 500) { report(now - since); since = now; ran = 0; busy = 0; }
}

let typing = []; // keys that a click or a button presses: [keys, frames left]
function frame() {
  if (typing.length && !typing[0].begun && typing[0].when && !typing[0].when() && typing[0].patience-- > 0) {
    // The program is still busy with the stroke before.
  } else if (typing.length) {
    const stroke = typing[0];
    if (!stroke.begun) {
      stroke.begun = true;
      stroke.first?.();
      stroke.keys.forEach((key) => machine.c64_key(key, 1));
    }
    if (--stroke.frames === 3) stroke.keys.forEach((key) => machine.c64_key(key, 0));
    if (stroke.frames <= 0) typing.shift();
  }
  const before = machine.c64_cycles();
  const end = machine.c64_frame();
  lastCycles = (machine.c64_cycles() - before) >>> 0;
  if (audio && !warp) play();
  if (end >= 2) { setPaused(true); status(end === 2 ? "The program has stopped the CPU. Restart begins again." : "The program has ended."); return false; }
  return true;
}
const press = (...names) => typing.push({ keys: names.map(number), frames: 6 });
// The same after something is written into the machine, as soon as a condition holds.
const pressAfter = (first, when, ...names) => typing.push({ keys: names.map(number), frames: 6, first, when, patience: 100 });

const context = $("screen").getContext("2d");
function draw() {
  const [width, height] = [machine.c64_width(), machine.c64_height()];
  picture ??= context.createImageData(width, height);
  picture.data.set(memory(machine.c64_picture(), width * height * 4));
  context.putImageData(picture, 0, 0);
}

// --- Sound -----------------------------------------------------------------------
let audio = null;
function play() {
  const length = machine.c64_take_samples();
  if (!length) return;
  const samples = new Int16Array(machine.memory.buffer, machine.c64_samples(), length);
  const buffer = audio.context.createBuffer(1, length, audio.context.sampleRate);
  const channel = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) channel[i] = samples[i] / 32768;
  const source = audio.context.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.context.destination);
  audio.at = Math.max(audio.at, audio.context.currentTime + 0.03);
  if (audio.at > audio.context.currentTime + 0.25) return; // too far ahead: drop a frame of sound
  source.start(audio.at);
  audio.at += buffer.duration;
}
$("sound").onclick = () => {
  if (audio) {
    audio.context.close();
    audio = null;
    machine.c64_sound(0);
  } else if (typeof AudioContext === "function") {
    audio = { context: new AudioContext(), at: 0 };
    machine.c64_sound(audio.context.sampleRate);
  } else status("This browser has no sound for pages.");
  pressed("sound", Boolean(audio));
};

// --- Keys, joystick -----------------------------------------------------------------
function keysOf(event) {
  if ($("positional").checked) {
    const code = event.code.replace(/^(Key|Digit)/, "").toLowerCase();
    const name = POSITIONS[event.code] ?? (KEYS.includes(code) ? code : null);
    if (name) return [name];
  }
  if (NAMED[event.key]) return NAMED[event.key];
  const small = event.key.toLowerCase();
  if (event.key.length !== 1 || !KEYS.includes(small)) return null;
  return small !== event.key ? ["LSHIFT", small] : [small];
}
function key(event, down) {
  // The F keys are the C64's, also while a field has the focus: F5 must not reload the page in the middle of a game.
  if (machine && isChess() && /^F[1-8]$/.test(event.key) && !event.ctrlKey && !event.shiftKey && event.target.closest?.("aside, .bar, .pad")) {
    event.preventDefault();
    if (down && !event.repeat) press(...NAMED[event.key]);
    return;
  }
  if (!machine || event.metaKey || (event.target.closest("aside, .bar, .pad") && event.target !== $("screen"))) return;
  if ($("arrows").checked && STICK[event.code]) {
    stick = down ? stick | STICK[event.code] : stick & ~STICK[event.code];
    machine.c64_joystick(2, stick | touched);
    return event.preventDefault();
  }
  if (event.key === "PageUp") { machine.c64_key(RESTORE, down ? 1 : 0); return event.preventDefault(); }
  const id = event.code || event.key;
  if (!down) {
    (held.get(id) ?? []).forEach((one) => machine.c64_key(one, 0));
    held.delete(id);
    return;
  }
  const names = keysOf(event);
  if (!names || (event.ctrlKey && event.key !== "Control")) return;
  event.preventDefault();
  if (event.repeat) return;
  held.set(id, names.map(number));
  held.get(id).forEach((one) => machine.c64_key(one, 1));
}
addEventListener("keydown", (event) => key(event, true));
addEventListener("keyup", (event) => key(event, false));
addEventListener("blur", () => {
  held.forEach((keys) => keys.forEach((one) => machine.c64_key(one, 0)));
  held.clear();
});
let padBits = 0;
function readGamepad() {
  const pad = navigator.getGamepads?.().find(Boolean);
  const bits = !pad ? 0 : (pad.axes[1] < -0.5 || pad.buttons[12]?.pressed ? 1 : 0) | (pad.axes[1] > 0.5 || pad.buttons[13]?.pressed ? 2 : 0) |
    (pad.axes[0] < -0.5 || pad.buttons[14]?.pressed ? 4 : 0) | (pad.axes[0] > 0.5 || pad.buttons[15]?.pressed ? 8 : 0) | (pad.buttons[0]?.pressed ? 16 : 0);
  if (bits !== padBits) { padBits = bits; machine.c64_joystick(2, stick | touched | bits); }
}
for (const button of document.querySelectorAll("[data-stick]")) {
  const bit = Number(button.dataset.stick);
  const set = (down) => (event) => { event.preventDefault(); touched = down ? touched | bit : touched & ~bit; machine?.c64_joystick(2, stick | touched); };
  button.onpointerdown = set(true);
  button.onpointerup = button.onpointercancel = button.onpointerleave = set(false);
}
for (const button of document.querySelectorAll("[data-key]")) button.onclick = () => press(button.dataset.key);

// --- The mouse on the screen: pieces, menu, promotion ----------------------------------
const COLUMNS = 40, PANEL = 25, MESSAGE_ROW = 23;
// A row of the panel, or the whole row; our characters are ASCII less 32.
function rowText(row, from = PANEL) {
  const codes = Array.from({ length: COLUMNS - from }, (_, at) => peek("ScreenText", row * COLUMNS + from + at));
  return codes.map((code) => (code < 96 ? String.fromCharCode(code + 32) : " ")).join("").trim();
}
const isMenu = () => rowText(symbols.ROW_MENU).endsWith("Back to game");
const isHelp = () => rowText(2, 0).startsWith("Joystick 2");
const isSetUp = () => rowText(0) === "Set up";
const isPromotion = () => rowText(MESSAGE_ROW).startsWith("Promote to");
const isFree = () => peek("Key") === 0;
// The cell of the C64's text screen below the pointer.
function cellAt(event) {
  const box = $("screen").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * $("screen").width - 32;
  const y = ((event.clientY - box.top) / box.height) * $("screen").height - ($("screen").height === 272 ? 35 : 23);
  return { column: Math.floor(x / 8), row: Math.floor(y / 8) };
}
function squareAt({ column, row }) {
  const [file, rank] = [Math.floor((column - 1) / 3), Math.floor(row / 3)];
  if (column < 1 || file > 7 || rank < 0 || rank > 7) return null;
  const flip = peek("Flipped");
  return ((rank ^ flip) << 4) | (file ^ flip);
}
function choosePanel({ column, row }) {
  if (isHelp()) return press("RETURN");
  if (isMenu()) {
    const line = row - symbols.ROW_MENU;
    if (column < PANEL || line < 0 || line >= symbols.MENU_ENTRIES) return press("STOP");
    return pressAfter(() => poke("MenuLine", line), isFree, "RETURN");
  }
  if (row === 24 && column >= PANEL) press("F1");
}
// The cursor goes to a square by a step from the one beside it, so that its frame is drawn.
function moveCursor(at) {
  const right = (at & 7) > 0, flip = peek("Flipped") !== 0;
  pressAfter(() => poke("Cursor", right ? at - 1 : at + 1), isFree, ...(right !== flip ? ["RIGHT"] : ["LSHIFT", "RIGHT"]));
}
const pick = (at, when) => pressAfter(() => poke("Cursor", at), () => isFree() && (!when || when()), "RETURN");
let grabbed = null;
$("screen").onpointerdown = (event) => {
  $("screen").focus();
  if (!isChess() || event.button > 0) return;
  grabbed = squareAt(cellAt(event));
  if (grabbed != null && peek("Board88", grabbed)) $("screen").classList.add("grabs");
  try { $("screen").setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
};
$("screen").onpointercancel = () => { grabbed = null; $("screen").classList.remove("grabs"); };
$("screen").onpointerup = (event) => {
  const from = grabbed, cell = isChess() ? cellAt(event) : null;
  grabbed = null;
  $("screen").classList.remove("grabs");
  if (!cell || event.button > 0) return;
  if (isMenu() || isHelp() || cell.column >= PANEL) return choosePanel(cell);
  const to = squareAt(cell);
  if (to == null || isPromotion()) return;
  if (isSetUp()) return moveCursor(to);
  if (from == null || from === to) return pick(to);
  if (!peek("Board88", from)) return;
  if (peek("Chosen") !== from) pick(from);
  // A piece that cannot be taken up is not put down anywhere.
  typing.push({ keys: [number("RETURN")], frames: 6, patience: 100,
    first() { if (peek("Chosen") === from) poke("Cursor", to); else this.keys = []; },
    when: () => isFree() && peek("Chosen") === from });
};
for (const button of document.querySelectorAll("[data-piece]")) button.onclick = () => { press(button.dataset.piece); $("screen").focus(); };
for (const button of document.querySelectorAll("[data-command]")) button.onclick = () => {
  if (isChess()) press(...button.dataset.command.split("+"));
  $("screen").focus();
};

// --- The game ------------------------------------------------------------------------------
const LETTER = { 0: "p", 1: "b", 2: "r", 3: "q", 4: "n", 7: "k" };
const square = (at) => "abcdefgh"[at & 7] + (8 - (at >> 4));
function fen() {
  // For some frames the board shows the position that the C64 thinks about on the person's time: it looks for a book on disk.
  for (let count = 0; count < 100 && peek("Expecting"); count++) run(1);
  const rows = [];
  for (let row = 0; row < 8; row++) {
    let line = "", empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = peek("Board88", row * 16 + file);
      if (!piece) { empty++; continue; }
      if (empty) line += empty;
      empty = 0;
      const letter = LETTER[piece & 7];
      line += piece & 0x80 ? letter.toUpperCase() : letter;
    }
    rows.push(line + (empty || ""));
  }
  const rights = [..."KQkq"].filter((_, bit) => (peek("castlerights") >> bit) & 1).join("") || "-";
  const passed = peek("enpassantsq");
  const move = peek("FullmoveNumber") + 256 * peek("FullmoveNumber", 1);
  return `${rows.join("/")} ${peek("SearchSide") ? "w" : "b"} ${rights} ${passed & 0x88 ? "-" : square(passed)} ${peek("HalfmoveClock")} ${move}`;
}
// Whether a side attacks a square of 64 cells, row 8 first.
const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]], DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const JUMPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];
function isAttacked(cells, at, byWhite) {
  const [file, row] = [at & 7, at >> 3];
  const enemy = (x, y, letters) => {
    if (x < 0 || x > 7 || y < 0 || y > 7) return false;
    const piece = cells[y * 8 + x];
    return piece !== 0 && Boolean(piece & 0x80) === byWhite && letters.includes(LETTER[piece & 7]);
  };
  const line = (steps, letters) => steps.some(([dx, dy]) => {
    for (let n = 1; n < 8; n++) {
      const [x, y] = [file + n * dx, row + n * dy];
      if (x < 0 || x > 7 || y < 0 || y > 7) return false;
      if (cells[y * 8 + x]) return enemy(x, y, letters);
    }
    return false;
  });
  const pawn = byWhite ? 1 : -1;
  return line(STRAIGHT, "rq") || line(DIAGONAL, "bq") || JUMPS.some(([dx, dy]) => enemy(file + dx, row + dy, "n")) ||
    [...STRAIGHT, ...DIAGONAL].some(([dx, dy]) => enemy(file + dx, row + dy, "k")) || enemy(file - 1, row + pawn, "p") || enemy(file + 1, row + pawn, "p");
}
// A position, or why it is none.
function readFen(line) {
  const fail = (error) => ({ error });
  const [rows = "", side = "w", rights = "-", passed = "-", clock = "0", move = "1"] = line.trim().split(/\s+/);
  const cells = [], codes = { p: 0x78, b: 0x79, r: 0x7a, q: 0x7b, n: 0x7c, k: 0x7f };
  const ranks = rows.split("/");
  if (ranks.length !== 8) return fail(`the board has ${ranks.length} ranks instead of 8`);
  for (const rank of ranks) {
    const before = cells.length;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) cells.push(...Array(Number(letter)).fill(0));
      else if (codes[letter.toLowerCase()]) cells.push(codes[letter.toLowerCase()] | (letter < "a" ? 0x80 : 0));
      else return fail(`"${letter}" is not a piece`);
    }
    if (cells.length - before !== 8) return fail(`the rank "${rank}" has ${cells.length - before} squares instead of 8`);
  }
  if (cells.filter((one) => one === 0xff).length !== 1 || cells.filter((one) => one === 0x7f).length !== 1) return fail("each side needs one king");
  if (cells.some((one, at) => (one & 0x7f) === 0x78 && (at < 8 || at > 55))) return fail("a pawn stands on the first or last rank");
  if (side !== "w" && side !== "b") return fail(`the side to move is w or b, not "${side}"`);
  const isWhite = side === "w";
  if (isAttacked(cells, cells.indexOf(isWhite ? 0x7f : 0xff), isWhite)) return fail("the side that is not to move is in check");
  // A right needs king and rook at home, an en passant square the pawn that has just passed it.
  const home = { K: [60, 0xff, 63, 0xfa], Q: [60, 0xff, 56, 0xfa], k: [4, 0x7f, 7, 0x7a], q: [4, 0x7f, 0, 0x7a] };
  const may = (right) => rights.includes(right) && cells[home[right][0]] === home[right][1] && cells[home[right][2]] === home[right][3];
  const target = /^[a-h][36]$/.test(passed) ? (8 - passed[1]) * 8 + "abcdefgh".indexOf(passed[0]) : -1;
  const pawn = target < 0 ? 0 : cells[target + (isWhite ? 8 : -8)];
  const stands = target >= 0 && !cells[target] && passed[1] === (isWhite ? "6" : "3") && pawn === (isWhite ? 0x78 : 0xf8);
  return { cells, isWhite, clock, number: /^[1-9]\d{0,3}$/.test(move) ? Number(move) : 1, rights: [..."KQkq"].reduce((bits, right, bit) => bits | (may(right) ? 1 << bit : 0), 0), passed: stands ? target : -1 };
}
function setUp({ cells, isWhite, clock, number, rights, passed }) {
  const place = (at) => ((at >> 3) << 4) | (at & 7);
  cells.forEach((one, at) => poke("Board88", one, place(at)));
  poke("whitekingsq", place(cells.indexOf(0xff)));
  poke("blackkingsq", place(cells.indexOf(0x7f)));
  poke("castlerights", rights);
  poke("enpassantsq", passed < 0 ? 0xff : place(passed));
  poke("HalfmoveClock", /^\d+$/.test(clock) ? Math.min(Number(clock), 150) : 0);
  poke("SearchSide", isWhite ? 0x80 : 0);
  firstMove = number;
}
let firstMove = 1; // number of the first move of a game that began with a position
function moves() {
  const list = [], count = peek("GamePly") + 256 * peek("GamePly", 1);
  for (let ply = 0; ply < count; ply++) {
    const [from, to, info] = [peek("GameFrom", ply), peek("GameTo", ply), peek("GameInfo", ply)];
    const type = info & 7, goal = square(to & 0x77), takes = info & 8 ? "x" : "";
    let name;
    if (type === 7 && Math.abs((to & 7) - (from & 7)) === 2) name = (to & 7) === 6 ? "O-O" : "O-O-O";
    else if (type === 0) {
      name = (takes ? square(from)[0] + "x" : "") + goal;
      if ([0, 0x70].includes(to & 0x70)) name += "=" + (to & 8 ? (to & 0x80 ? "B" : "R") : to & 0x80 ? "N" : "Q");
    } else name = LETTER[type].toUpperCase() + (info & 0x40 ? square(from)[0] : "") + (info & 0x80 ? square(from)[1] : "") + takes + goal;
    list.push(name + (info & 0x20 ? "#" : info & 0x10 ? "+" : ""));
  }
  return list;
}
// The result of the game on the board.
function result() {
  const state = peek("GameState");
  const ended = peek("GameDrawn");
  if (ended === symbols.ENDED_LOST || ended === symbols.ENDED_RESIGNED) return "1-0"; // Black's time is up, or Black has resigned
  if (ended === symbols.ENDED_LOST + 1 || ended === symbols.ENDED_RESIGNED + 1) return "0-1";
  if (state === 2) return peek("SearchSide") ? "0-1" : "1-0";
  return state === 3 || state >= 6 || ended || peek("HalfmoveClock") >= 150 ? "1/2-1/2" : "*";
}
// The position that the game began with, if it is not the usual one.
function startFen() {
  if (!peek("StartSetUp")) return null;
  const rows = Array.from({ length: 8 }, (_, row) => {
    const cells = Array.from({ length: 8 }, (_, file) => peek("StartBoard", row * 8 + file));
    return cells.map((piece) => (!piece ? "1" : piece & 0x80 ? LETTER[piece & 7].toUpperCase() : LETTER[piece & 7])).join("").replace(/1+/g, (ones) => ones.length);
  });
  const rights = [..."KQkq"].filter((_, bit) => (peek("StartRights") >> bit) & 1).join("") || "-";
  const passed = peek("StartEp");
  return `${rows.join("/")} ${peek("StartSide") ? "w" : "b"} ${rights} ${passed & 0x88 ? "-" : square(passed)} ${peek("StartHalfmoves")} ${firstMove}`;
}
function movetext() {
  const list = moves(), black = peek("StartSide") ? 0 : 1, first = peek("StartSetUp") ? firstMove : 1;
  const words = [];
  list.forEach((name, ply) => {
    const at = ply + black;
    if (at % 2 === 0) words.push(`${first + at / 2}.`);
    else if (ply === 0) words.push(`${first}...`);
    words.push(name);
  });
  words.push(result());
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > 79) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}
function pgn() {
  const day = new Date(), two = (value) => String(value).padStart(2, "0");
  const player = (side) => (peek("Players", side) ? `Tempo Chess, ${levelNames()[peek("ChosenLevel")]}` : "Player");
  const tags = [["Event", "Tempo Chess"], ["Site", "Commodore 64"], ["Date", `${day.getFullYear()}.${two(day.getMonth() + 1)}.${two(day.getDate())}`],
    ["Round", "-"], ["White", player(1)], ["Black", player(0)], ["Result", result()]];
  const position = startFen();
  if (position) tags.push(["SetUp", "1"], ["FEN", position]);
  return `${tags.map(([name, value]) => `[${name} "${value}"]\n`).join("")}\n${movetext()}\n`;
}
// The first game of a PGN text: { tags, words, variations, games }, or { error }. Words are moves and results.
function readPgn(game) {
  const tags = {}, words = [], at = { index: 0 };
  let depth = 0, variations = 0, comments = 0, more = false;
  const fail = (error) => ({ error });
  const until = (end, what) => {
    const found = game.indexOf(end, at.index);
    if (found < 0) throw new Error(`${what} is not closed`);
    const text = game.slice(at.index, found);
    at.index = found + end.length;
    return text;
  };
  try {
    while (at.index < game.length && !more) {
      const c = game[at.index++];
      if (/\s|\uFEFF/.test(c)) continue;
      if (c === "%" && (at.index === 1 || game[at.index - 2] === "\n")) { at.index = (game.indexOf("\n", at.index) + 1) || game.length; continue; }
      if (c === "[" && depth === 0) {
        if (words.length) { more = true; break; }
        const tag = /^\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]/.exec(game.slice(at.index));
        if (!tag) return fail(`the tag after "${game.slice(at.index - 1, at.index + 20)}" cannot be read`);
        tags[tag[1].toLowerCase()] = tag[2].replace(/\\(.)/g, "$1");
        at.index += tag[0].length;
      } else if (c === "{") { until("}", "a comment"); comments++; }
      else if (c === ";") { at.index = (game.indexOf("\n", at.index) + 1) || game.length; comments++; }
      else if (c === "(") { depth++; variations++; }
      else if (c === ")") { if (depth === 0) return fail(`a ) without its ( after ${words.length} moves`); depth--; }
      else if (c === "$") at.index += /^\d*/.exec(game.slice(at.index))[0].length;
      else {
        let word = c;
        while (at.index < game.length && !/[\s(){}[\];$]/.test(game[at.index])) word += game[at.index++];
        if (depth) continue;
        if (/^(1-0|0-1|1\/2(-1\/2)?|\*)$/.test(word)) { if (game.slice(at.index).trim()) more = true; break; }
        word = word.replace(/^\d+\.*|^\.+/, (number) => (/^0-0/.test(word) ? number : "")).replace(/[!?]+$/, "");
        if (word && !/^(e\.p\.|ep|--)$/i.test(word)) words.push(word);
      }
    }
  } catch (error) { return fail(error.message); }
  if (depth) return fail("a variation is not closed");
  return { tags, words, variations, comments, more };
}
// Plays a game on the C64. Returns what went wrong, with the place; the game before it stays then.
function setPgn(game) {
  const read = readPgn(game);
  if (read.error) return read.error;
  if (!read.words.length && !Object.keys(read.tags).length && !/[*]|1-0|0-1|1\/2/.test(game)) return "there is no game in this text";
  const wanted = read.tags.fen ? readFen(read.tags.fen) : null;
  if (wanted?.error) return `the position in the FEN tag cannot be played: ${wanted.error}`;
  const bytes = new TextEncoder().encode(read.words.join(" ") + " *");
  if (bytes.length > 4600) return "the C64 has room for 511 moves of both sides";
  const players = [peek("Players", 0), peek("Players", 1)], number = firstMove;
  calm();
  if (wanted) setUp(wanted);
  bytes.forEach((byte, at) => machine.c64_poke(symbols.TextStart + at, byte));
  const end = symbols.TextStart + bytes.length;
  poke("TextEnd", end & 255);
  poke("TextEnd", end >> 8, 1);
  poke("WrongMove", 0);
  poke("HostCommand", wanted ? 3 : 2);
  for (let count = 0; count < 9000 && peek("HostCommand"); count++) run(1);
  players.forEach((player, at) => poke("Players", player, at));
  const why = peek("WrongMove"), ply = peek("WrongPly") + 256 * peek("WrongPly", 1);
  if (why) {
    firstMove = number;
    const first = wanted ? wanted.number : 1, at = ply + (wanted && !wanted.isWhite ? 1 : 0);
    const place = `${first + Math.floor(at / 2)}${at % 2 ? "..." : "."} ${read.words[ply] ?? ""}`;
    const reason = { [symbols.WRONG_NONE]: "is not a legal move", [symbols.WRONG_MANY]: "can mean more than one move",
      [symbols.WRONG_PIECE]: "does not say what the pawn becomes", [symbols.WRONG_FULL]: "does not fit: the C64 keeps 511 plies" }[why] ?? "cannot be read";
    return `${place} ${reason}; the game on the board is as it was`;
  }
  const notes = [`${read.words.length} plies read`];
  if (read.variations) notes.push(`${read.variations} variation${read.variations > 1 ? "s" : ""} skipped`);
  if (read.more) notes.push("only the first game of the text");
  status(`${notes.join(", ")}.`);
  return undefined;
}
const tell = (error) => { if (error !== undefined) status(error ? `${error[0].toUpperCase()}${error.slice(1)}.` : "Done."); };
$("new-game").onclick = () => { if (isChess()) { newGame(); $("screen").focus(); } };
// The level counts from the C64's next move on.
$("level").onchange = () => {
  if (!isChess()) return;
  const level = Number($("level").value);
  poke("ChosenLevel", level);
  for (let at = 0; at < symbols.LEVEL_NAME; at++) {
    const code = peek("LevelNames", level * symbols.LEVEL_NAME + at);
    if (!isMenu() && !isHelp() && !isSetUp()) poke("LevelText", code === 32 ? 0 : code | 32, at);
  }
  status(`Level ${levelNames()[level]} from the C64's next move on.`);
};
$("clock").onchange = () => isChess() && status("This clock counts in the next game: press New game.");
$("side").onchange = () => isChess() && status("You play this side in the next game: press New game.");
$("fen-set").onclick = () => isChess() && tell(newGame($("fen").value));
$("pgn-set").onclick = () => isChess() && tell(setPgn($("pgn").value));
$("pgn-save").onclick = () => {
  if (!isChess()) return;
  download(new Blob([pgn()], { type: "application/x-chess-pgn" }), "game.pgn");
};
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Names of openings, by their first moves; the longest that fits is the game's.
const OPENINGS = new Map(Object.entries({
  "e4": "King's pawn", "e4 e5": "Open game", "e4 e5 Nf3 Nc6 Bb5": "Ruy Lopez", "e4 e5 Nf3 Nc6 Bb5 a6": "Ruy Lopez, Morphy defence",
  "e4 e5 Nf3 Nc6 Bb5 Nf6": "Ruy Lopez, Berlin defence", "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6": "Ruy Lopez, exchange variation",
  "e4 e5 Nf3 Nc6 Bc4": "Italian game", "e4 e5 Nf3 Nc6 Bc4 Bc5": "Giuoco Piano", "e4 e5 Nf3 Nc6 Bc4 Bc5 b4": "Evans gambit",
  "e4 e5 Nf3 Nc6 Bc4 Nf6": "Two knights defence", "e4 e5 Nf3 Nc6 d4": "Scotch game", "e4 e5 Nf3 Nc6 Nc3": "Three knights game",
  "e4 e5 Nf3 Nc6 Nc3 Nf6": "Four knights game", "e4 e5 Nf3 Nf6": "Petrov defence", "e4 e5 Nf3 d6": "Philidor defence",
  "e4 e5 f4": "King's gambit", "e4 e5 f4 exf4": "King's gambit accepted", "e4 e5 Nc3": "Vienna game", "e4 e5 Bc4": "Bishop's opening",
  "e4 e5 d4": "Centre game", "e4 c5": "Sicilian defence", "e4 c5 c3": "Sicilian, Alapin variation", "e4 c5 Nc3": "Closed Sicilian",
  "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6": "Sicilian, Najdorf variation", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6": "Sicilian, dragon variation",
  "e4 c5 Nf3 Nc6": "Sicilian, old variation", "e4 c5 Nf3 e6": "Sicilian, French variation", "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5": "Sicilian, Sveshnikov variation",
  "e4 e6": "French defence", "e4 e6 d4 d5 e5": "French, advance variation", "e4 e6 d4 d5 Nc3 Bb4": "French, Winawer variation",
  "e4 e6 d4 d5 Nd2": "French, Tarrasch variation", "e4 e6 d4 d5 exd5": "French, exchange variation", "e4 c6": "Caro-Kann defence",
  "e4 c6 d4 d5 e5": "Caro-Kann, advance variation", "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5": "Caro-Kann, classical variation",
  "e4 d5": "Scandinavian defence", "e4 Nf6": "Alekhine defence", "e4 d6": "Pirc defence", "e4 g6": "Modern defence",
  "d4": "Queen's pawn", "d4 d5": "Closed game", "d4 d5 c4": "Queen's gambit", "d4 d5 c4 dxc4": "Queen's gambit accepted",
  "d4 d5 c4 e6": "Queen's gambit declined", "d4 d5 c4 c6": "Slav defence", "d4 d5 c4 e6 Nc3 c5": "Tarrasch defence",
  "d4 d5 c4 e6 Nc3 c6": "Semi-Slav defence", "d4 d5 c4 e6 Nf3 Nf6 Nc3 c6": "Semi-Slav defence", "d4 d5 Bf4": "London system", "d4 d5 Nf3 Nf6 Bf4": "London system",
  "d4 Nf6": "Indian defence", "d4 Nf6 c4 e6 Nc3 Bb4": "Nimzo-Indian defence", "d4 Nf6 c4 e6 Nf3 b6": "Queen's Indian defence",
  "d4 Nf6 c4 e6 g3": "Catalan opening", "d4 Nf6 c4 g6": "King's Indian set-up", "d4 Nf6 c4 g6 Nc3 Bg7": "King's Indian defence",
  "d4 Nf6 c4 g6 Nc3 d5": "Gruenfeld defence", "d4 Nf6 c4 c5": "Benoni defence", "d4 Nf6 Bg5": "Trompowsky attack", "d4 f5": "Dutch defence",
  "c4": "English opening", "c4 e5": "English, reversed Sicilian", "c4 c5": "Symmetrical English", "Nf3": "Reti opening", "f4": "Bird opening",
  "b3": "Larsen opening", "g3": "King's fianchetto", "Nc3": "Van Geet opening", "b4": "Polish opening",
}));
function opening(list) {
  if (peek("StartSetUp")) return "";
  for (let length = Math.min(list.length, 12); length > 0; length--) {
    const name = OPENINGS.get(list.slice(0, length).map((one) => one.replace(/[+#]/, "")).join(" "));
    if (name) return name;
  }
  return "";
}

// --- What can be seen beside the screen ------------------------------------------------------
function report(passed) {
  const hex = (value, digits) => value.toString(16).toUpperCase().padStart(digits, "0");
  const r = (which, digits = 2) => hex(machine.c64_register(which), digits);
  $("registers").textContent = `PC ${r(5, 4)} A ${r(0)} X ${r(1)} Y ${r(2)} S ${r(3)} P ${r(4)}`;
  $("beam").textContent = `line ${machine.c64_register(6)}, cycle ${machine.c64_register(7)}`;
  $("cycles").textContent = lastCycles.toLocaleString("en");
  $("fps").textContent = ((ran * 1000) / passed).toFixed(1);
  $("share").textContent = `${((100 * busy) / passed).toFixed(0)} %`;
  if (!isChess()) return;
  const nodes = peek("NodeCount") + 256 * peek("NodeCount", 1) + 65536 * peek("NodeCount", 2);
  const raw = peek("SearchValue") + 256 * peek("SearchValue", 1);
  const value = raw > 32767 ? raw - 65536 : raw;
  $("depth").textContent = peek("SearchReached");
  $("value").textContent = Math.abs(value) > 14000 ? (value > 0 ? "mates" : "is mated") : (value / 100).toFixed(2);
  $("nodes").textContent = nodes.toLocaleString("en");
  const line = [];
  for (let i = 0; i < Math.min(peek("LineLength"), 8); i++) line.push(square(peek("LineFrom", i) & 0x77) + square(peek("LineTo", i) & 0x77));
  $("line").textContent = line.join(" ") || "–";
  if (document.activeElement !== $("level")) $("level").value = peek("ChosenLevel");
  $("promotion").hidden = !isPromotion();
  $("opening").textContent = opening(moves()) || "–";
  keep();
  if (document.activeElement !== $("fen")) $("fen").value = fen();
  if (document.activeElement !== $("pgn")) $("pgn").value = pgn();
}

// --- Buttons -----------------------------------------------------------------------------------
const pressed = (id, on) => $(id).setAttribute("aria-pressed", String(on));
function setPaused(on) { paused = on; pressed("pause", on); }
$("pause").onclick = () => setPaused(!paused);
$("warp").onclick = () => { warp = !warp; pressed("warp", warp); };
$("crt").onclick = () => pressed("crt", document.querySelector(".screen").classList.toggle("crt"));
$("reset").onclick = () => { setPaused(false); start(program); };
$("ntsc").onchange = () => { setPaused(false); start(program); };
$("shot").onclick = () => $("screen").toBlob((blob) => download(blob, "tempo.png"));
const SLOT = () => `tempo-state-${program.name}`;
function stateText() {
  const length = machine.c64_save();
  const bytes = memory(machine.c64_output(), length);
  let letters = "";
  for (let at = 0; at < length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}
function giveState(text) {
  try { give(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))); } catch { return false; }
  if (!machine.c64_load()) return false;
  picture = null;
  [$("screen").width, $("screen").height] = [machine.c64_width(), machine.c64_height()];
  return true;
}
$("save").onclick = () => {
  try {
    localStorage.setItem(SLOT(), stateText());
    status("Saved in this browser.");
  } catch {
    status("This browser does not let the page keep a state.");
  }
};
$("restore").onclick = () => {
  const kept = localStorage.getItem(SLOT());
  if (!kept) return status("Nothing is saved for this program yet.");
  let bytes;
  try { bytes = Uint8Array.from(atob(kept), (letter) => letter.charCodeAt(0)); } catch { return status("The saved state is broken; the game goes on."); }
  give(bytes);
  if (!machine.c64_load()) return status(`The saved state cannot be used: ${text()}`);
  picture = null;
  [$("screen").width, $("screen").height] = [machine.c64_width(), machine.c64_height()];
  status("Restored.");
};

// The game is kept in this browser after every move, for the same program only.
const AUTO = () => `tempo-game-${chess.bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7).toString(36)}`;
let keptPlies = 0, keeps = true;
function keep() {
  const plies = peek("GamePly") + 256 * peek("GamePly", 1);
  if (!keeps || plies === keptPlies || peek("Thinking") === 1 || program !== chess) return;
  keptPlies = plies;
  try {
    if (plies === 0) localStorage.removeItem(AUTO());
    else localStorage.setItem(AUTO(), JSON.stringify({ firstMove, state: stateText() }));
  } catch {
    keeps = false; // the browser keeps nothing: ask before the page is left
  }
}
function comeBack() {
  let kept;
  try { kept = JSON.parse(localStorage.getItem(AUTO())); } catch { return false; }
  if (!kept || !giveState(kept.state)) return false;
  ({ firstMove = 1 } = kept);
  keptPlies = peek("GamePly") + 256 * peek("GamePly", 1);
  $("clock").value = peek("ClockMode");
  $("side").value = ["both", "black", "white", "none"][peek("Players", 0) * 2 + peek("Players", 1)];
  return true;
}
addEventListener("beforeunload", (event) => { if (!keeps && isChess() && moves().length) event.preventDefault(); });

// --- Files ---------------------------------------------------------------------------------------
async function open(file) {
  if (!file || !machine) return;
  if (file.size > 1 << 20) return status(`${file.name} is too large for a program or disk of a C64.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  setPaused(false);
  start({ bytes, media: /\.d64$/i.test(file.name) ? 1 : 0, name: file.name });
}
$("file").onchange = () => open($("file").files[0]);
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => { event.preventDefault(); document.body.classList.remove("dropping"); open(event.dataTransfer.files[0]); });

begin();
