// The page around the machine: frames, picture, sound, keys, files, and the game as FEN and PGN.
// The machine is tempo.wasm (see tools/web); everything here is plain browser code.

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
  status(isChess() ? "Type a move (e2e4, Nf3) and press Enter, or click on a piece." : next.name);
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
function setFen(line) {
  const [rows, side = "w", rights = "-"] = line.trim().split(/\s+/);
  const cells = [], codes = { p: 0x78, b: 0x79, r: 0x7a, q: 0x7b, n: 0x7c, k: 0x7f };
  for (const letter of rows.replaceAll("/", "")) {
    if (/[1-8]/.test(letter)) cells.push(...Array(Number(letter)).fill(0));
    else if (codes[letter.toLowerCase()]) cells.push(codes[letter.toLowerCase()] | (letter < "a" ? 0x80 : 0));
    else return `"${letter}" is no piece`;
  }
  if (cells.length !== 64) return `the board has ${cells.length} squares instead of 64`;
  if (cells.filter((one) => one === 0xff).length !== 1 || cells.filter((one) => one === 0x7f).length !== 1) return "each side needs one king";
  if (cells.some((one, at) => (one & 0x7f) === 0x78 && (at < 8 || at > 55))) return "a pawn stands on the first or last rank";
  if (!"wb".includes(side)) return `the side to move is w or b, not "${side}"`;
  cells.forEach((one, at) => poke("Board88", one, (at >> 3) * 16 + (at & 7)));
  poke("whitekingsq", ((cells.indexOf(0xff) >> 3) << 4) | (cells.indexOf(0xff) & 7));
  poke("blackkingsq", ((cells.indexOf(0x7f) >> 3) << 4) | (cells.indexOf(0x7f) & 7));
  poke("castlerights", [..."KQkq"].reduce((bits, right, bit) => bits | (rights.includes(right) ? 1 << bit : 0), 0));
  poke("SearchSide", side === "w" ? 0x80 : 0);
  poke("HostCommand", 1);
  return null;
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
  if (!bytes.length || bytes.length > 6000) return "a game has 1 to 6,000 characters";
  bytes.forEach((byte, at) => machine.c64_poke(symbols.TextStart + at, byte));
  const end = symbols.TextStart + bytes.length;
  poke("TextEnd", end & 255);
  poke("TextEnd", end >> 8, 1);
  poke("HostCommand", 2);
  return null;
}
const tell = (error) => status(error ?? "Done.");
$("fen-set").onclick = () => isChess() && tell(setFen($("fen").value));
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
  if (!file) return;
  if (file.size > 1 << 20) return status(`${file.name} is too large for a program or disk of a C64.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  setPaused(false);
  start({ bytes, media: /\.d64$/i.test(file.name) ? 1 : 0, name: file.name });
}
$("file").onchange = () => open($("file").files[0]);
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", (event) => { event.preventDefault(); document.body.classList.remove("dropping"); open(event.dataTransfer.files[0]); });

globalThis.tempo = { press, fen, moves }; // for tests
begin();
