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
  }
  status(isChess() ? "Type a move (e2e4, Nf3) and press Enter, or click on a piece." : next.name);
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
function choose() {
  const names = levelNames();
  $("level").replaceChildren(...names.map((name, at) => new Option(`${at + 1} ${name}`, at)));
  $("level").value = peek("ChosenLevel");
  const level = asked.get("level")?.toLowerCase(), side = asked.get("side")?.toLowerCase(), line = asked.get("fen");
  if (level != null) {
    const at = /^\d+$/.test(level) ? (names[level - 1] ? level - 1 : -1) : names.indexOf(level);
    if (at < 0) return status(`"${level}" is not a level: 1 to ${names.length}, or ${names.join(", ")}.`);
    $("level").value = at;
  }
  if (side != null) {
    if (![...$("side").options].some((option) => option.value === side)) return status(`"${side}" is no side: white, black, both or none.`);
    $("side").value = side;
  }
  if (level == null && side == null && line == null) return;
  const error = line == null ? newGame() : newGame(line);
  if (error) status(`The position in the address cannot be played: ${error}.`);
}
// Brings the program to where it waits for a person: menus are left, a search is stopped, and nobody begins another one.
function calm() {
  const run = (frames) => { for (let count = 0; count < frames; count++) machine.c64_frame(); };
  poke("Players", 0, 0);
  poke("Players", 0, 1);
  for (let count = 0; count < 200 && peek("Thinking"); count++) { poke("SearchStop", 1); run(1); }
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
  if (wanted) setUp(wanted);
  poke("ChosenLevel", Number($("level").value));
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
    globalThis.tempo = { fen, moves, cycles: () => machine.c64_cycles() }; // for tests
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
  if (typing.length) {
    const stroke = typing[0];
    if (stroke.frames === stroke.length) stroke.keys.forEach((key) => machine.c64_key(key, 1));
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
const press = (...names) => typing.push({ keys: names.map(number), frames: 6, length: 6 });

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

// --- The mouse on the board ------------------------------------------------------------
$("screen").onclick = (event) => {
  $("screen").focus();
  if (!isChess()) return;
  const box = $("screen").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * $("screen").width - 32 - 8;
  const y = ((event.clientY - box.top) / box.height) * $("screen").height - ($("screen").height === 272 ? 35 : 23);
  const [file, row] = [Math.floor(x / 24), Math.floor(y / 24)];
  if (file < 0 || file > 7 || row < 0 || row > 7) return;
  const flip = peek("Flipped");
  poke("Cursor", ((row ^ flip) << 4) | (file ^ flip));
  press("RETURN");
};

// --- The game ------------------------------------------------------------------------------
const LETTER = { 0: "p", 1: "b", 2: "r", 3: "q", 4: "n", 7: "k" };
const square = (at) => "abcdefgh"[at & 7] + (8 - (at >> 4));
function fen() {
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
  const [rows = "", side = "w", rights = "-", passed = "-", clock = "0"] = line.trim().split(/\s+/);
  const cells = [], codes = { p: 0x78, b: 0x79, r: 0x7a, q: 0x7b, n: 0x7c, k: 0x7f };
  const ranks = rows.split("/");
  if (ranks.length !== 8) return fail(`the board has ${ranks.length} ranks instead of 8`);
  for (const rank of ranks) {
    const before = cells.length;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) cells.push(...Array(Number(letter)).fill(0));
      else if (codes[letter.toLowerCase()]) cells.push(codes[letter.toLowerCase()] | (letter < "a" ? 0x80 : 0));
      else return fail(`"${letter}" is no piece`);
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
  return { cells, isWhite, clock, rights: [..."KQkq"].reduce((bits, right, bit) => bits | (may(right) ? 1 << bit : 0), 0), passed: stands ? target : -1 };
}
function setUp({ cells, isWhite, clock, rights, passed }) {
  const place = (at) => ((at >> 3) << 4) | (at & 7);
  cells.forEach((one, at) => poke("Board88", one, place(at)));
  poke("whitekingsq", place(cells.indexOf(0xff)));
  poke("blackkingsq", place(cells.indexOf(0x7f)));
  poke("castlerights", rights);
  poke("enpassantsq", passed < 0 ? 0xff : place(passed));
  poke("HalfmoveClock", /^\d+$/.test(clock) ? Math.min(Number(clock), 150) : 0);
  poke("SearchSide", isWhite ? 0x80 : 0);
  poke("HostCommand", 1);
}
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
function pgn() {
  const list = moves(), black = peek("StartSide") ? 0 : 1;
  let line = "";
  list.forEach((name, ply) => {
    const at = ply + black;
    line += (at % 2 === 0 ? `${at / 2 + 1}. ` : ply === 0 ? "1... " : "") + name + " ";
  });
  const state = peek("GameState");
  const result = state === 2 ? (peek("SearchSide") ? "0-1" : "1-0") : state === 3 || state === 6 || peek("GameDrawn") ? "1/2-1/2" : "*";
  return line + result;
}
function setPgn(game) {
  const tag = /\[FEN\s+"([^"]+)"\]/i.exec(game);
  if (tag) return "games that begin with a set-up position cannot be loaded; play the position first";
  const bytes = new TextEncoder().encode(game);
  if (!bytes.length || bytes.length > 4600) return "a game has 1 to 4,600 characters";
  const players = [peek("Players", 0), peek("Players", 1)];
  calm();
  players.forEach((player, at) => poke("Players", player, at));
  bytes.forEach((byte, at) => machine.c64_poke(symbols.TextStart + at, byte));
  const end = symbols.TextStart + bytes.length;
  poke("TextEnd", end & 255);
  poke("TextEnd", end >> 8, 1);
  poke("HostCommand", 2);
  return null;
}
const tell = (error) => status(error ? `${error[0].toUpperCase()}${error.slice(1)}.` : "Done.");
$("new-game").onclick = () => { if (isChess()) { newGame(); $("screen").focus(); } };
$("fen-set").onclick = () => isChess() && tell(newGame($("fen").value));
$("pgn-set").onclick = () => isChess() && tell(setPgn($("pgn").value));
$("pgn-save").onclick = () => {
  if (!isChess()) return;
  const result = pgn().split(" ").pop();
  download(new Blob([`[Event "Tempo Chess"]\n[Site "Commodore 64"]\n[Result "${result}"]\n\n${pgn()}\n`], { type: "text/plain" }), "game.pgn");
};
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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
$("save").onclick = () => {
  const length = machine.c64_save();
  const bytes = memory(machine.c64_output(), length);
  let letters = "";
  for (let at = 0; at < length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  try {
    localStorage.setItem(SLOT(), btoa(letters));
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
