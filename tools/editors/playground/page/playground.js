// The playground: an editor with the language server's answers, tests and the C64 of the studio, all in this page.
// The machine's page is studio.js, with the desk in place of the server.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippetCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { colours, languages } from "./language.js";
import { fromFragment, isPath, kept, pack, toFragment, unpack, zip } from "./store.js";

const $ = (id) => document.getElementById(id);
const say = (text) => { $("status").textContent = text; };
const element = (name, text, className) => Object.assign(document.createElement(name), text === undefined ? {} : { textContent: text }, className ? { className } : {});

// --- The desk: everything that is known about the sources ------------------------------
let wasm;
const view8 = (pointer, length) => new Uint8Array(wasm.memory.buffer, pointer, length);
function ask(question, bytes = new Uint8Array()) {
  const head = new TextEncoder().encode(`${JSON.stringify(question)}\n`), length = head.length + bytes.length;
  const input = view8(wasm.desk_input(length), length);
  input.set(head);
  input.set(bytes, head.length);
  const size = wasm.desk_ask(), answer = JSON.parse(new TextDecoder().decode(view8(wasm.desk_answer(), size)));
  if (answer?.fault) throw new Error(answer.fault);
  return answer;
}
const answered = () => view8(wasm.desk_bytes(), wasm.desk_bytes_length()).slice();

// --- The work: files, the main one, the machine ------------------------------------------
let work = { files: new Map(), main: "", system: 0 }, open = "", mine = false, examples = {};
const states = new Map();
const bytesOf = (contents) => (typeof contents === "string" ? new TextEncoder().encode(contents) : contents);
const isSuite = (path) => path.endsWith(".6502");

function use(next, isMine) {
  work = next;
  mine = isMine;
  states.clear();
  ask({ do: "clear" });
  for (const [path, contents] of work.files) ask({ do: "set", path }, bytesOf(contents));
  ask({ do: "main", path: work.main });
  $("below").hidden = true;
  show(work.main);
  build();
}
// From the first change on it is the user's own work, and is kept.
function changed() {
  if (!mine) { mine = true; $("example").value = "mine"; }
  clearTimeout(changed.timer);
  changed.timer = setTimeout(() => { if (!kept.save(work)) say("This browser keeps no work for the page: download the sources before you leave."); }, 400);
}

// --- The editor ---------------------------------------------------------------------------
const theme = EditorView.theme({
  "&": { height: "100%", color: "#e9edf2", backgroundColor: "#10141a", fontSize: "13.5px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "#5eb0ff" }, "&.cm-focused": { outline: "none" },
  ".cm-gutters": { backgroundColor: "#10141a", color: "#75818e", border: "none" },
  ".cm-activeLine": { backgroundColor: "#171d25" }, ".cm-cursor": { borderLeftColor: "#5eb0ff" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "#28456a !important" },
  ".cm-tooltip": { backgroundColor: "#1d242d", border: "1px solid #38424e", color: "#e9edf2", maxWidth: "34rem" },
  ".cm-hover": { padding: ".4rem .7rem", font: "13px/1.5 ui-monospace, monospace", whiteSpace: "pre-wrap", maxHeight: "20rem", overflow: "auto" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "#28456a", color: "#fff" },
}, { dark: true });
const plainText = (markdown) => markdown.replace(/```\w*(?:-\w+)?\n?/g, "").replace(/\*\*|`/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\n{3,}/g, "\n\n").trim();

let problems = {}, editor;
function check() {
  const since = performance.now();
  problems = ask({ do: "problems" });
  playground.checked = performance.now() - since;
  showFiles();
}
const tell = linter((view) => {
  check();
  const end = view.state.doc.length;
  return (problems[open] ?? []).map(({ from, to, severity, code, message }) => ({ from: Math.min(from, end), to: Math.min(to, end), severity, message: code ? `${message} [${code}]` : message }));
}, { delay: 60 });
const known = hoverTooltip((view, position) => {
  const found = ask({ do: "hover", path: open, at: position });
  if (!found) return null;
  return { pos: found.from, end: found.to, create: () => ({ dom: element("div", plainText(found.text), "cm-hover") }) };
}, { hoverTime: 250 });
const KINDS = { mnemonic: "keyword", directive: "keyword", preprocessor: "keyword", macro: "function", pseudocommand: "function", function: "function", label: "variable", constant: "constant", variable: "variable", namespace: "namespace" };
function complete(context) {
  const word = context.matchBefore(/[.#!]?[\w.]*$/);
  if (!context.explicit && !(word && word.from < word.to)) return null;
  const all = ask({ do: "complete", path: open, at: context.pos });
  if (!all.length) return null;
  const from = Math.min(...all.map((one) => one.from));
  return {
    from,
    options: all.map(({ label, text, kind, detail }) => {
      const option = { label, apply: text, detail, type: KINDS[kind] ?? "text" };
      return kind === "snippet" ? snippetCompletion(text.replace(/\$\{(\d+):([^}]*)\}/g, "#{$2}").replace(/\$\d+/g, "#{}"), option) : option;
    }),
  };
}
const stateOf = (path) => EditorState.create({
  doc: work.files.get(path),
  extensions: [
    lineNumbers(), history(), drawSelection(), EditorState.tabSize.of(8), indentUnit.of("        "), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
    autocompletion({ override: [complete] }), lintGutter(), tell, known, isSuite(path) ? languages.suite : languages.asm, colours, theme,
    EditorView.contentAttributes.of({ "aria-label": `Source ${path}` }),
    keymap.of([{ key: "Mod-Enter", run: () => { build(true); return true; } }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const text = update.state.doc.toString();
      work.files.set(path, text);
      ask({ do: "set", path }, new TextEncoder().encode(text));
      changed();
      if ($("live").checked) { clearTimeout(build.timer); build.timer = setTimeout(build, 300); }
    }),
  ],
});
function show(path, line) {
  if (!work.files.has(path)) return;
  if (open && states.has(open) && editor) states.set(open, editor.state);
  open = path;
  const contents = work.files.get(path);
  if (typeof contents !== "string") {
    states.set(path, EditorState.create({ doc: `${contents.length} bytes`, extensions: [EditorState.readOnly.of(true), theme] }));
  } else if (!states.has(path)) states.set(path, stateOf(path));
  editor.setState(states.get(path));
  showFiles();
  if (line) {
    const at = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    editor.focus();
  }
}
function showFiles() {
  $("files").replaceChildren(...[...work.files.keys()].map((path) => {
    const button = element("button", `${path}${path === work.main ? " ●" : ""}`);
    button.setAttribute("role", "tab");
    button.setAttribute("aria-selected", String(path === open));
    if ((problems[path] ?? []).some((one) => one.severity === "error")) button.classList.add("bad");
    button.title = path === work.main ? "The main file" : "Double click: the main file; with Delete it goes away";
    button.onclick = () => show(path);
    button.ondblclick = () => { if (!isSuite(path)) { work.main = path; ask({ do: "main", path }); changed(); show(path); build(); } };
    button.onkeydown = (event) => { if (event.key === "Delete") remove(path); };
    return button;
  }), plus());
}
function plus() {
  const button = element("button", "+");
  button.title = "A new file";
  button.setAttribute("aria-label", "A new file");
  button.onclick = () => {
    const path = prompt("The name of the new file (.asm a source, .6502 a suite):", "src/new.asm");
    if (path === null) return;
    if (!isPath(path) || work.files.has(path)) return say(work.files.has(path) ? `${path} is there already.` : "A name has letters, digits, - _ . and / between folders.");
    add(path, isSuite(path) ? 'suites {\n  suite("new") {\n    assemble("main.asm")\n  }\n}\n' : "");
    show(path);
  };
  return button;
}
function add(path, contents) {
  work.files.set(path, contents);
  states.delete(path);
  ask({ do: "set", path }, bytesOf(contents));
  changed();
  showFiles();
}
function remove(path) {
  if (path === work.main || !confirm(`Delete ${path}?`)) return;
  work.files.delete(path);
  states.delete(path);
  ask({ do: "remove", path });
  changed();
  show(work.main);
}

// --- Building and running: what the server does for the studio ---------------------------
let version = 0, latest = null, program = new Uint8Array(), waiting = null;
function build(isAsked) {
  try {
    const about = ask({ do: "build" });
    if (!about.errors?.length) program = answered();
    latest = { ...about, version: ++version, system: work.system, systems: ["PAL", "NTSC"] };
    if (about.console?.length) report("Console", about.console.map((line) => element("pre", line)));
    if (isAsked && about.errors?.length) say("The source has errors.");
  } catch (error) {
    latest = { program: work.main, media: 0, errors: [{ message: error.message }], version: ++version, system: work.system };
  }
  waiting?.();
  waiting = null;
}
globalThis.tempoBuilder = {
  next: async (known) => {
    if (!latest || latest.version <= known) await new Promise((done) => { waiting = done; });
    return latest;
  },
  program: () => program.slice(),
};
globalThis.tempoSources = async () => { ask({ do: "sources" }); return answered(); };

// --- Tests and recordings -------------------------------------------------------------------
function report(title, nodes) {
  $("belowTitle").textContent = title;
  $("belowText").replaceChildren(...nodes);
  $("below").hidden = false;
  $("ask").hidden = true;
}
const link = (text, path, line) => { const made = element("a", text); made.tabIndex = 0; made.onclick = made.onkeydown = (event) => { if (!event.key || event.key === "Enter") show(path, line); }; return made; };
function test() {
  const since = performance.now();
  let results;
  try { results = ask({ do: "test" }); } catch (error) { return report("Tests", [element("p", error.message, "error")]); }
  const rows = results.faults.map(({ file, line, message }) => { const row = element("div", undefined, "error"); row.append(link(`${file}:${line}`, file, line), `: ${message}`); return row; });
  for (const one of results.tests) {
    const row = element("div", undefined, one.outcome);
    row.append(`${{ passed: "✓", failed: "✗" }[one.outcome] ?? "–"} `, link(`${one.suite}/${one.id}`, one.file, one.line), ` ${one.description}  ${one.cycles ? `${one.cycles} cycles` : ""}`);
    if (one.outcome === "failed") {
      const debug = element("button", "Debug"), keep = element("button", "Save recording");
      debug.onclick = () => openRecording(record(one));
      keep.onclick = () => download(new Blob([record(one)]), `${one.suite}.${one.id}.tempo`);
      row.append(debug, keep);
    }
    rows.push(row, ...one.failures.map(({ message, file, line }) => { const pre = element("pre", "    ", "failed"); pre.append(link(`${file}:${line}`, file, line), ` ${message}`); return pre; }));
  }
  const failed = results.tests.filter((one) => one.outcome === "failed").length, passed = results.tests.filter((one) => one.outcome === "passed").length;
  const title = results.tests.length || rows.length ? `${passed} passed, ${failed} failed, ${(performance.now() - since).toFixed(0)} ms` : "There is no test: a file that ends with .6502 is a suite.";
  report(title, rows);
}
const record = ({ path, suite, id }) => { ask({ do: "record", suite: path, test: `${suite}/${id}` }); return answered(); };
let recorded = [];
function openRecording(bytes) {
  let stand;
  try { stand = ask({ do: "open" }, bytes); } catch (error) { return report("Recording", [element("p", error.message, "error")]); }
  recorded = stand.files;
  showStand(stand);
}
const hex = (value, digits) => `$${value.toString(16).toUpperCase().padStart(digits, "0")}`;
function showStand(stand) {
  const nodes = stand.lines.map((line) => element("pre", line));
  nodes.push(element("pre", `PC ${hex(stand.pc, 4)}  A ${hex(stand.a, 2)}  X ${hex(stand.x, 2)}  Y ${hex(stand.y, 2)}  S ${hex(stand.s, 2)}  P ${hex(stand.p, 2)}  cycle ${stand.cycles.toLocaleString("en")}`));
  const { place } = stand, file = place && recorded.find((one) => one.path === place.file);
  if (place) nodes.push(work.files.has(place.file) ? link(`${place.file}:${place.line}`, place.file, place.line) : element("b", `${place.file}:${place.line}`));
  if (file) {
    const lines = file.text.split("\n"), first = Math.max(0, place.line - 11);
    nodes.push(...lines.slice(first, place.line + 10).map((text, at) => element("span", `${String(first + at + 1).padStart(5)}  ${text}`, first + at + 1 === place.line ? "line at" : "line")));
  }
  report("Recording", nodes);
  $("ask").hidden = false;
  $("belowText").querySelector(".at")?.scrollIntoView({ block: "center" });
}
function command(text) {
  if (!text) return;
  try { showStand(ask({ do: "command", text })); } catch (error) { $("belowText").prepend(element("p", error.message, "error")); }
}
$("ask").onsubmit = (event) => { event.preventDefault(); command($("words").value.trim()); $("words").select(); };
for (const button of document.querySelectorAll("[data-word]")) button.onclick = () => command(button.dataset.word);
$("belowClose").onclick = () => { $("below").hidden = true; };

// --- In and out -------------------------------------------------------------------------------
function download(blob, name) {
  const anchor = element("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
const stem = () => work.main.split("/").pop().replace(/\.\w+$/, "");
$("take").onchange = () => {
  const kind = $("take").value;
  $("take").value = "";
  try {
    if (kind === "zip") return download(zip(work.files), `${stem()}.zip`);
    ask(kind === "d64" ? { do: "d64", name: stem() } : { do: "build" });
    const bytes = answered();
    if (!bytes.length) return say("The source has errors, so there is nothing to download.");
    download(new Blob([bytes]), `${stem()}.${kind}`);
  } catch (error) { say(error.message); }
};
$("share").onclick = async () => {
  work.system = Number($("model").value) || 0;
  const fragment = await toFragment(work);
  if (!fragment) return say("The sources are larger than 32 KB, which is too much for a link: download the .zip.");
  history_(fragment);
  try { await navigator.clipboard.writeText(location.href); say(`The link is in the clipboard: ${location.href.length} characters.`); } catch { say("The address of this page is the link now."); }
};
const history_ = (fragment) => window.history.replaceState(null, "", fragment || location.pathname);
const LARGEST = 1 << 20;
async function take(list) {
  for (const file of list) {
    if (file.size > LARGEST) { say(`${file.name} has ${Math.ceil(file.size / 1024).toLocaleString("en")} KB; files up to 1 MB can be opened here.`); continue; }
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (file.name.endsWith(".tempo")) { openRecording(bytes); continue; }
    if (!isPath(file.name)) { say(`"${file.name}" is not a name for a file here.`); continue; }
    let contents = bytes;
    if (/\.(asm|a|s|lib|inc|kick|sym|txt|6502)$/i.test(file.name)) { try { contents = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { say(`${file.name} is not UTF-8 text; it is kept as bytes.`); } }
    add(file.name, contents);
    show(file.name);
  }
  build();
}
$("add").onclick = () => $("pick").click();
$("pick").onchange = () => { take($("pick").files); $("pick").value = ""; };
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files); });
$("runNow").onclick = () => build(true);
$("testNow").onclick = test;
$("live").onchange = () => { if ($("live").checked) build(); };
$("example").onchange = () => {
  const name = $("example").value;
  if (name === "mine") { const own = kept.load(); return own ? use(own, true) : say("Nothing is kept of your own work."); }
  history_("");
  use(unpack(examples[name]), false);
};

// --- The beginning ------------------------------------------------------------------------------
const playground = { ask, answered, work: () => work, open: () => open, show, editor: () => editor, test, openRecording, pack: () => pack(work), checked: 0, use: (data) => use(unpack(data), false) };
globalThis.playground = playground; // for tests
async function fetched(path) {
  const reply = await fetch(path);
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${reply.statusText}`);
  return reply;
}
async function begin() {
  try {
    const [bytes, list] = await Promise.all([fetched("playground.wasm").then((reply) => reply.arrayBuffer()), fetched("examples.json").then((reply) => reply.json())]);
    wasm = globalThis.tempoMachine = (await WebAssembly.instantiate(bytes, {})).instance.exports;
    examples = list;
  } catch (error) { return say(`The playground does not start: ${error.message}`); }
  const shadow = $("editor").attachShadow({ mode: "open" }), place = element("div");
  // Styles of the editor live in the shadow, so that the policy of the page needs no exception.
  place.style.height = "100%";
  shadow.append(place);
  editor = new EditorView({ root: shadow, parent: place });
  $("example").replaceChildren(...Object.keys(examples).map((name) => new Option(name, name)), new Option("My work", "mine"));
  await import("./studio.js");
  const own = kept.load(), asked = new URLSearchParams(location.search);
  let message = own || !kept.has() ? "" : "The work that this browser has kept is damaged. ";
  const first = asked.get("example") && examples[asked.get("example")] ? asked.get("example") : Object.keys(examples)[0];
  try {
    if (location.hash.startsWith("#s=")) { use(await fromFragment(location.hash), false); $("example").value = ""; }
    else if (own && !asked.has("example")) { use(own, true); $("example").value = "mine"; }
    else { use(unpack(examples[first]), false); $("example").value = first; }
  } catch (error) {
    message += `This link is damaged: ${error.message}. `;
    use(own ?? unpack(examples[first]), Boolean(own));
  }
  if (asked.get("recording")) {
    try { openRecording(new Uint8Array(await (await fetched(asked.get("recording"))).arrayBuffer())); } catch (error) { message += `The recording cannot be opened: ${error.message}. `; }
  }
  if (message) setTimeout(() => say(message.trim()), 500);
  addEventListener("hashchange", async () => {
    try { if (location.hash.startsWith("#s=")) use(await fromFragment(location.hash), false); } catch (error) { say(`This link is damaged: ${error.message}.`); }
  });
  navigator.serviceWorker?.register("offline.js").catch(() => {});
  playground.isReady = true;
}
begin();
