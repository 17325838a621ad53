// The page around the machine of a studio: picture, sound, keys, timeline, hot reload. The views are in views.js.
// The machine is tempo.wasm (see tools/machine/web); the server says what to run and when it has changed.
import { Gif, wav } from "./gif.js";
import { Views } from "./views.js";

const $ = (id) => document.getElementById(id);
const say = (text) => { $("status").textContent = text; };
const KEYS = [
  ["DEL", "RETURN", "RIGHT", "F7", "F1", "F3", "F5", "DOWN"], ["3", "w", "a", "4", "z", "s", "e", "LSHIFT"],
  ["5", "r", "d", "6", "c", "f", "t", "x"], ["7", "y", "g", "8", "b", "h", "u", "v"],
  ["9", "i", "j", "0", "m", "k", "o", "n"], ["+", "p", "l", "-", ".", ":", "@", ","],
  ["POUND", "*", ";", "HOME", "RSHIFT", "=", "UPARROW", "/"], ["1", "LEFTARROW", "CTRL", "2", " ", "C=", "q", "STOP"],
].flat();
const RESTORE = 64;
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

let machine, about = null, program = null, views;
let paused = false, warp = false, stick = 0, touched = 0, padBits = 0, sent = 0;
const held = new Map();

const memory = (pointer, length) => new Uint8Array(machine.memory.buffer, pointer, length);
const give = (bytes) => memory(machine.c64_input(bytes.length), bytes.length).set(bytes);
const text = () => new TextDecoder().decode(memory(machine.c64_output(), machine.c64_output_length()));
const answer = (length) => JSON.parse(length ? text() : "null");
const pressed = (id, on) => $(id).setAttribute("aria-pressed", String(on));

// --- The program, and its changes ------------------------------------------------
async function load(path) {
  const reply = await fetch(path);
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${reply.statusText}`);
  return reply;
}
function start(keep) {
  if (!program) return;
  give(program.bytes);
  let ok;
  if (keep) ok = machine.studio_replay(program.media);
  else {
    machine.c64_new(Number($("model").value));
    give(program.bytes);
    ok = machine.c64_start(program.media);
    if (ok) machine.studio_new();
  }
  if (!ok) { showErrors([{ message: `${about.program}: ${text()}` }]); return; }
  machine.c64_sound(audio ? audio.context.sampleRate : 0);
  sent = 0;
  [$("screen").width, $("screen").height] = [machine.c64_width(), machine.c64_height()];
  picture = null;
  views.setBreakpoints();
  if (!keep) machine.studio_frame();
  fit();
  draw();
  showTime();
  views.program(about);
}
async function follow() {
  for (let version = 0; ; ) {
    try {
      const builder = globalThis.tempoBuilder;
      const next = builder ? await builder.next(version) : await (await load(`about.json?after=${version}`)).json();
      if (next.version === version) continue;
      const since = performance.now(), first = version === 0;
      version = next.version;
      about = next;
      $("program").textContent = next.program ?? "–";
      showErrors(next.errors ?? []);
      if (next.errors?.length || next.media === undefined) continue;
      const bytes = builder ? builder.program() : new Uint8Array(await (await load(`program?${version}`)).arrayBuffer());
      if (first) {
        const names = next.systems ?? ["c64", "c64-ntsc"];
        $("model").replaceChildren(...names.map((name, at) => new Option(name, at)));
        $("model").value = String(next.system ?? 0);
      }
      program = { bytes, media: next.media };
      start(!first && $("keep").checked);
      say(first ? "Click a pixel to see what drew it." : `Reloaded in ${(performance.now() - since).toFixed(0)} ms.`);
      globalThis.studio.version = version;
      if (first) editor?.postMessage({ tempo: "ready" }, "*");
    } catch (error) {
      say(`The server does not answer (${error.message}); the program goes on.`);
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}
function showErrors(errors) {
  $("errors").hidden = !errors.length;
  $("errors").replaceChildren(...errors.flatMap((error) => {
    const title = document.createElement("div"), code = document.createElement("b"), at = document.createElement("span");
    code.textContent = `error${error.code ? `[${error.code}]` : ""}: `;
    at.className = "at";
    at.textContent = error.file ? `  ${views.within(error.file)}:${error.line}:${error.column}` : "";
    title.append(code, error.message, at);
    if (!error.file) return [title];
    const source = document.createElement("pre"), caret = document.createElement("i");
    const before = error.text.slice(0, error.column - 1).replace(/[^\t]/g, " ");
    caret.textContent = "^".repeat(Math.max(1, Math.min(error.length, error.text.length - error.column + 1)));
    source.append(`${error.text}\n${before}`, caret);
    return [title, source];
  }));
  if (errors.length) say(program ? "The source has errors; the old program goes on." : "The source has errors.");
}

// --- Frames ---------------------------------------------------------------------
let due = 0, last = 0, picture = null, ran = 0, busy = 0, since = 0;
function tick(now) {
  requestAnimationFrame(tick);
  const step = 1e6 / machine.c64_frames_in_1000_seconds();
  // A clock that has jumped, as after a lid was closed, gives no frames to catch up with.
  due = Math.min(due + now - last, 4 * step);
  last = now;
  if (!program || paused || document.hidden) { due = 0; views.update(); return; }
  readGamepad();
  const from = performance.now();
  let count = 0;
  while (warp ? performance.now() - from < 12 : due >= step) {
    due -= step;
    if (!frame()) break;
    count++;
  }
  if (warp) due = 0;
  if (count) { draw(); showTime(); views.update(); }
  ran += count;
  busy += performance.now() - from;
  if (now - since >= 500) {
    const latency = audio ? `, sound ${Math.round(1000 * (audio.fill / audio.context.sampleRate + (audio.context.outputLatency || audio.context.baseLatency || 0)))} ms` : "";
    $("speed").textContent = `${((ran * 1000) / (now - since)).toFixed(1)} frames/s, ${((100 * busy) / (now - since)).toFixed(0)} % of a core${latency}`;
    since = now; ran = 0; busy = 0;
  }
}
function frame() {
  const end = machine.studio_frame();
  if (audio || wavs) takeSamples();
  if (gif && machine.studio_now() % 2 === 0) { gif.add(indexes()); if (gif.frames >= 1500) { say("A minute is recorded; the GIF ends here."); $("gif").click(); } }
  if (end === 4) { stopped(`Stopped at the breakpoint ${views.name(machine.c64_register(5))}.`); return false; }
  if (end) { setPaused(true); say(end === 2 ? "The program has stopped the CPU. Go back in time, or restart." : "The program has ended."); return false; }
  return true;
}
const context = $("screen").getContext("2d");
function draw() {
  const [width, height] = [machine.c64_width(), machine.c64_height()];
  picture ??= context.createImageData(width, height);
  picture.data.set(memory(machine.c64_picture(), width * height * 4));
  context.putImageData(picture, 0, 0);
}
// Whole multiples of a pixel, as large as the place allows; smaller places get the largest fraction.
function fit() {
  const box = $("glass").getBoundingClientRect(), ratio = devicePixelRatio || 1, [width, height] = [$("screen").width, $("screen").height];
  const narrow = matchMedia("(max-width: 860px)").matches;
  const room = Math.min((box.width * ratio) / width, narrow ? Infinity : (box.height * ratio) / height);
  const scale = (room >= 1 ? Math.floor(room) : room) / ratio;
  $("screen").style.width = `${(narrow ? room / ratio : scale) * width}px`;
  $("screen").style.height = `${(narrow ? room / ratio : scale) * height}px`;
  $("mark").hidden = true;
}
addEventListener("resize", fit);
document.addEventListener("fullscreenchange", fit);

// --- Time ------------------------------------------------------------------------
const clock = (frames) => { const seconds = (frames * 1000) / machine.c64_frames_in_1000_seconds(); return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(2).padStart(5, "0")}`; };
function showTime() {
  const [now, latest] = [machine.studio_now(), machine.studio_latest()];
  $("time").max = latest;
  $("time").value = now;
  $("moment").textContent = `frame ${now} · ${clock(now)} of ${clock(latest)}`;
}
function seek(frameNumber) {
  setPaused(true);
  machine.studio_seek(Math.max(1, Math.min(frameNumber, machine.studio_latest())));
  draw();
  showTime();
  views.update(true);
}
// The machine is stopped inside a frame.
function stopped(text) {
  setPaused(true);
  draw();
  showTime();
  views.stopped();
  if (text) say(text);
}
function seekCycle(cycle) {
  setPaused(true);
  machine.studio_seek_cycle(cycle % 2 ** 32, Math.floor(cycle / 2 ** 32));
  stopped(`Frame ${machine.studio_now()}, line ${machine.c64_register(6)}, cycle ${machine.c64_register(7)}.`);
}
// Steps by lines of the source where there are any, else by instructions.
function step(kind) {
  setPaused(true);
  const at = () => { const line = views.line(machine.c64_register(5)); return line ? `${line[2]}:${line[3]}` : null; };
  const from = at();
  let end = 0, left = 5000;
  do end = machine.studio_step(kind); while (!end && --left && from !== null && kind !== 2 && (at() === from || (at() === null && kind === 3)));
  stopped(end ? "The program has ended." : `At ${views.name(machine.c64_register(5))}, line ${machine.c64_register(6)}, cycle ${machine.c64_register(7)}.`);
}
[["stepOver", 1], ["stepIn", 0], ["stepOut", 2], ["stepBack", 3]].forEach(([id, kind]) => { $(id).onclick = () => step(kind); });
function setPaused(on) { paused = on; pressed("pause", on); $("pause").textContent = on ? "Run" : "Pause"; }
$("time").oninput = () => seek(Number($("time").value));
$("back").onclick = () => seek(machine.studio_now() - 1);
$("forward").onclick = () => { setPaused(true); frame(); draw(); showTime(); views.update(true); };
$("pause").onclick = () => { setPaused(!paused); if (paused) views.update(true); };

// --- Sound and recordings ------------------------------------------------------------
let audio = null, gif = null, wavs = null;
function takeSamples() {
  const length = machine.c64_take_samples();
  if (!length) return;
  const samples = new Int16Array(machine.memory.buffer, machine.c64_samples(), length).slice();
  if (wavs) wavs.push(samples);
  if (audio && !warp) audio.node.port.postMessage(samples);
}
async function setSound(on) {
  if (!on) { audio?.context.close(); audio = null; machine.c64_sound(wavs ? 44100 : 0); return pressed("sound", false); }
  try {
    const audioContext = new AudioContext({ latencyHint: "interactive" });
    await audioContext.audioWorklet.addModule("sound.js");
    const node = new AudioWorkletNode(audioContext, "sid", { outputChannelCount: [1] });
    node.connect(audioContext.destination);
    audio = { context: audioContext, node, fill: 0 };
    node.port.onmessage = ({ data }) => { if (audio) audio.fill = data; };
    machine.c64_sound(audioContext.sampleRate);
    pressed("sound", true);
  } catch (error) { say(`This browser gives the page no sound: ${error.message}`); }
}
$("sound").onclick = () => setSound(!audio);
const palette = () => views.palette;
function indexes() {
  const [width, height] = [machine.c64_width(), machine.c64_height()], pixels = memory(machine.c64_picture(), width * height * 4);
  const known = new Map(palette().map(([r, g, b], at) => [(r << 16) | (g << 8) | b, at])), out = new Uint8Array(width * height);
  for (let at = 0; at < out.length; at++) out[at] = known.get((pixels[4 * at] << 16) | (pixels[4 * at + 1] << 8) | pixels[4 * at + 2]) ?? 0;
  return out;
}
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
$("save").onclick = async () => {
  try {
    give(new Uint8Array(globalThis.tempoSources ? await globalThis.tempoSources() : await (await load("sources.tempo")).arrayBuffer()));
    const length = machine.studio_recording(1500);
    if (!length) return say(`There is no recording: ${text()}`);
    download(new Blob([memory(machine.c64_output(), length).slice()]), "recording.tempo");
    say("Saved the last half minute: open it with tempo debug recording.tempo");
  } catch (error) { say(`There is no recording: ${error.message}`); }
};
$("shot").onclick = () => $("screen").toBlob((blob) => download(blob, "screenshot.png"));
$("gif").onclick = () => {
  if (gif) { if (gif.frames) download(gif.blob(), "recording.gif"); gif = null; }
  else gif = new Gif(machine.c64_width(), machine.c64_height(), palette(), 4);
  pressed("gif", Boolean(gif));
};
$("wav").onclick = () => {
  if (wavs) { const chunks = wavs; wavs = null; download(wav(chunks, audio?.context.sampleRate ?? 44100), "recording.wav"); if (!audio) machine.c64_sound(0); }
  else { wavs = []; if (!audio) machine.c64_sound(44100); }
  pressed("wav", Boolean(wavs));
};

// --- Keys, joystick ------------------------------------------------------------------
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
function joystick() {
  const bits = stick | touched | padBits, port = Number($("port").value);
  if (port && bits !== sent) { sent = bits; machine.studio_joystick(port, bits); }
}
function key(event, down) {
  if (!machine || event.metaKey || event.target !== $("screen")) return;
  if ($("port").value !== "0" && STICK[event.code]) {
    stick = down ? stick | STICK[event.code] : stick & ~STICK[event.code];
    joystick();
    return event.preventDefault();
  }
  if (event.key === "PageUp") { if (!event.repeat) machine.studio_key(RESTORE, down ? 1 : 0); return event.preventDefault(); }
  const id = event.code || event.key;
  if (!down) { (held.get(id) ?? []).forEach((one) => machine.studio_key(one, 0)); held.delete(id); return; }
  const names = keysOf(event);
  if (!names || event.key === "Tab" || (event.ctrlKey && event.key !== "Control")) return;
  event.preventDefault();
  if (event.repeat) return;
  held.set(id, names.map((name) => KEYS.indexOf(name)));
  held.get(id).forEach((one) => machine.studio_key(one, 1));
}
addEventListener("keydown", (event) => key(event, true));
addEventListener("keyup", (event) => key(event, false));
addEventListener("blur", () => { held.forEach((keys) => keys.forEach((one) => machine?.studio_key(one, 0))); held.clear(); stick = 0; if (machine) joystick(); });
function readGamepad() {
  const pad = navigator.getGamepads?.().find(Boolean);
  padBits = !pad ? 0 : (pad.axes[1] < -0.5 || pad.buttons[12]?.pressed ? 1 : 0) | (pad.axes[1] > 0.5 || pad.buttons[13]?.pressed ? 2 : 0) |
    (pad.axes[0] < -0.5 || pad.buttons[14]?.pressed ? 4 : 0) | (pad.axes[0] > 0.5 || pad.buttons[15]?.pressed ? 8 : 0) | (pad.buttons[0]?.pressed ? 16 : 0);
  joystick();
}
for (const button of document.querySelectorAll("[data-stick]")) {
  const bit = Number(button.dataset.stick);
  const set = (down) => (event) => { event.preventDefault(); touched = down ? touched | bit : touched & ~bit; if (machine) joystick(); };
  button.onpointerdown = set(true);
  button.onpointerup = button.onpointercancel = button.onpointerleave = set(false);
}

// --- Buttons and the pixel -------------------------------------------------------------
$("restart").onclick = () => { setPaused(false); start(false); };
$("reset").onclick = () => { machine.studio_reset(); setPaused(false); };
$("model").onchange = () => { setPaused(false); start(false); };
$("warp").onclick = () => { warp = !warp; pressed("warp", warp); };
$("crt").onclick = () => pressed("crt", $("glass").classList.toggle("crt"));
$("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : $("glass").requestFullscreen?.());
$("screen").onclick = (event) => {
  $("screen").focus();
  const box = $("screen").getBoundingClientRect(), around = $("glass").getBoundingClientRect();
  const scale = box.width / $("screen").width;
  const [x, y] = [Math.floor((event.clientX - box.left) / scale), Math.floor((event.clientY - box.top) / scale)];
  setPaused(true);
  Object.assign($("mark").style, { left: `${box.left - around.left + x * scale - 2}px`, top: `${box.top - around.top + y * scale - 2}px`, width: `${scale + 4}px`, height: `${scale + 4}px` });
  $("mark").hidden = false;
  views.pixel(x, y);
};

// In a frame of an editor: places go out, breakpoints come in.
const editor = parent === window ? null : parent;
const showOutside = (file, line) => editor?.postMessage({ tempo: "place", file, line }, "*");
addEventListener("message", (event) => {
  if (!editor || event.source !== editor || event.data?.tempo !== "breakpoints" || !Array.isArray(event.data.points)) return;
  views?.usePoints(event.data.points.filter((point) => typeof point?.file === "string" && Number.isInteger(point.line)));
});

async function begin() {
  try {
    machine = globalThis.tempoMachine ?? (await WebAssembly.instantiate(await (await load("tempo.wasm")).arrayBuffer(), {})).instance.exports;
    views = new Views({ $, machine, memory, give, answer, seek, seekCycle, run: () => setPaused(false), showOutside, about: () => about });
    document.querySelector("main").inert = false;
    globalThis.studio = { // for tests
      version: 0, now: () => machine.studio_now(), latest: () => machine.studio_latest(), seek, run: () => setPaused(false),
      picture: () => [...memory(machine.c64_picture(), machine.c64_width() * machine.c64_height() * 4)],
      pixel: (x, y) => answer(machine.studio_pixel(x, y)), writer: (addr, at) => answer(machine.studio_writer(addr, at)), raster: () => answer(machine.studio_raster()),
      isPaused: () => paused, register: (which) => machine.c64_register(which), step, seekCycle,
    };
    fit();
    follow();
    requestAnimationFrame(tick);
  } catch (error) { say(`The machine does not start: ${error.message}`); }
}
begin();
