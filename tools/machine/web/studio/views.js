// The views beside the picture: who drew a pixel, raster time, source, memory, characters and sprites, registers.
const hex = (value, digits = 4) => `$${value.toString(16).toUpperCase().padStart(digits, "0")}`;
const PALETTE_NAMES = ["black", "white", "red", "cyan", "purple", "green", "blue", "yellow", "orange", "brown", "light red", "dark grey", "grey", "light green", "light blue", "light grey"];
const ROLES = { colour: "Colour", graphics: "Pixels", code: "Screen code", pointer: "Sprite pointer", written: "Byte", register: "Register" };
const BLOCKS = ["#5eb0ff", "#ffb454", "#7ee787", "#d2a8ff", "#ff9a92", "#6ed3cf", "#e3d36b", "#b3bfcc"];
// As the machine draws them.
const PALETTE = [[0, 0, 0], [255, 255, 255], [104, 55, 43], [112, 164, 178], [111, 61, 134], [88, 141, 67], [53, 40, 121], [184, 199, 111],
  [111, 79, 37], [67, 57, 0], [154, 103, 89], [68, 68, 68], [108, 108, 108], [154, 210, 132], [108, 94, 181], [149, 149, 149]];
const EACH = (what) => [7, 6, 5, 4, 3, 2, 1, 0].map((n) => `${what} ${n}`);
// Names of bits, the highest first.
const VIC = {
  0x10: ["sprites x, bit 8", EACH("sprite")], 0x11: ["control 1", ["raster bit 8", "extended colour", "bitmap", "screen on", "25 rows"]], 0x12: ["raster line"],
  0x15: ["sprites on", EACH("sprite")], 0x16: ["control 2", ["", "", "", "multicolour", "40 columns"]], 0x17: ["sprites twice as high", EACH("sprite")], 0x18: ["memory"],
  0x19: ["interrupt flags", ["any", "", "", "", "light pen", "sprites meet", "sprite meets text", "raster"]], 0x1a: ["interrupts on", ["", "", "", "", "light pen", "sprites meet", "sprite meets text", "raster"]],
  0x1b: ["sprites behind text", EACH("sprite")], 0x1c: ["multicolour sprites", EACH("sprite")], 0x1d: ["sprites twice as wide", EACH("sprite")], 0x20: ["border"], 0x21: ["background 0"],
  0x22: ["background 1"], 0x23: ["background 2"], 0x24: ["background 3"], 0x25: ["sprite colour 1"], 0x26: ["sprite colour 2"] };
const SID = [["frequency low"], ["frequency high"], ["pulse low"], ["pulse high"], ["control", ["noise", "pulse", "saw", "triangle", "test", "ring", "sync", "gate"]], ["attack, decay"], ["sustain, release"]];
const CIA = [["port A"], ["port B"], ["direction A"], ["direction B"], ["timer A low"], ["timer A high"], ["timer B low"], ["timer B high"], ["clock tenths"], ["clock seconds"], ["clock minutes"], ["clock hours"], ["serial"],
  ["interrupt flags", ["any", "", "", "flag pin", "serial", "alarm", "timer B", "timer A"]], ["control A", ["", "", "counts CNT", "", "once", "toggle", "to PB6", "runs"]], ["control B", ["alarm", "", "", "", "once", "toggle", "to PB7", "runs"]]];

export class Views {
  constructor(page) {
    Object.assign(this, page);
    this.palette = PALETTE;
    this.shown = "pixel";
    this.hot = new Uint8Array(3 * 65536);
    this.before = null;
    this.count = 0;
    for (const tab of document.querySelectorAll("[data-view]")) tab.onclick = () => this.show(tab.dataset.view);
    this.points = new Set(); // "file path:line"
    this.watches = JSON.parse(localStorage.getItem("tempo-watches") ?? "[]");
    this.$("file").onchange = () => this.text();
    this.$("text").onclick = (event) => this.clickLine(event);
    this.$("text").onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { this.clickLine(event); event.preventDefault(); } };
    this.$("watchForm").onsubmit = (event) => { event.preventDefault(); this.addWatch(this.$("watchName").value.trim()); };
    this.$("heat").onclick = (event) => this.explainByte(this.byteAt(event), "written");
    this.$("codes").onclick = (event) => this.explainCell(this.cellAt(event));
    this.ever = new Uint8Array(65536); // bits of what the program ever did with a byte, as far as it was watched
    this.$("codes").onpointermove = (event) => { const at = this.cellAt(event); this.$("cell").textContent = `${hex(at)} ${this.name(at)} = ${hex(this.ram[at] ?? 0, 2)}`; };
    this.$("beams").onpointermove = (event) => this.pointAtCycle(event);
    this.$("heat").onpointermove = (event) => this.pointAtByte(event);
  }
  show(view) {
    this.shown = view;
    for (const tab of document.querySelectorAll("[data-view]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.view === view));
      this.$(tab.dataset.view).hidden = tab.dataset.view !== view;
    }
    this.machine.studio_heat(view === "memory" ? 1 : 0);
    this.update(true);
  }
  // A path without the folder of the project.
  within(path) { return this.folder && path.startsWith(this.folder) ? path.slice(this.folder.length) : path; }
  // The program has changed: its names by address, its lines.
  program(about) {
    this.labels = new Map();
    for (const [name, value] of about.symbols ?? []) if (value >= 0 && value < 65536 && !this.labels.has(value)) this.labels.set(value, name);
    this.places = [...this.labels.keys()].sort((a, b) => a - b);
    this.lines = about.lines ?? [];
    this.files = about.files ?? [];
    const own = this.files.find((file) => about.program && file.path.endsWith(about.program))?.path;
    this.folder = own?.slice(0, -about.program.length) ?? "";
    this.$("file").replaceChildren(...this.files.map((file, at) => new Option(this.within(file.path), at)));
    const main = this.files.findIndex((file) => about.program?.endsWith(file.path.split("/").pop()));
    if (main > 0) this.$("file").value = main;
    this.text();
    this.before = null;
    this.ever.fill(0);
    this.map(about.blocks ?? []);
    this.byName = new Map(about.symbols ?? []);
    this.$("names").replaceChildren(...[...this.byName.keys()].slice(0, 2000).map((name) => new Option(name)));
    this.update(true);
  }
  name(addr) {
    const exact = this.labels.get(addr);
    if (exact) return exact;
    let low = 0, high = this.places.length;
    while (low < high) { const mid = (low + high) >> 1; if (this.places[mid] <= addr) low = mid + 1; else high = mid; }
    const below = this.places[low - 1];
    return below !== undefined && addr - below < 1024 && below >= 0x0801 ? `${this.labels.get(below)}+${addr - below}` : hex(addr);
  }
  // Only a label at the very address: routines of the ROM have none.
  routine(addr) { return this.labels.get(addr) ?? hex(addr); }
  line(addr) { return this.lines.find(([start, length]) => addr >= start && addr < start + length); }
  update(isAsked) {
    this.count++;
    if (this.shown === "raster" && (isAsked || this.count % 250 === 0)) this.raster(); // a hundred frames are run again for it
    if (this.shown === "memory") this.memoryView();
    if (this.shown === "graphics" && (isAsked || this.count % 5 === 0)) this.graphics();
    if (this.shown === "registers" && (isAsked || this.count % 10 === 0)) this.registers();
    if (this.shown === "source" && (isAsked || this.count % 10 === 0)) { this.here(); this.watch(); }
  }
  element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  // --- Who drew this pixel? -------------------------------------------------------
  pixel(x, y) {
    this.show("pixel");
    const drawn = this.answer(this.machine.studio_pixel(x, y)), view = this.$("pixel");
    if (!drawn) return view.replaceChildren(this.element("p", "There is no picture yet.", "hint"));
    const what = drawn.kind === "sprite" && drawn.sprite !== undefined ? `sprite ${drawn.sprite}` : drawn.kind;
    const head = this.element("h2"), swatch = this.element("span", "", "swatch");
    swatch.style.background = `rgb(${PALETTE[drawn.colour]})`;
    head.append(swatch, `Pixel ${x}, ${y}: ${what}, ${PALETTE_NAMES[drawn.colour]}`);
    const list = this.element("dl", undefined, "figures");
    const row = (term, text) => list.append(this.element("dt", term), this.element("dd", text));
    row("beam", `line ${drawn.beam[0]}, cycle ${drawn.beam[1]}`);
    row("moment", `frame ${drawn.frame}, cycle ${drawn.cycle.toLocaleString("en")}`);
    if (drawn.cell) row("cell", `row ${drawn.cell[0]}, column ${drawn.cell[1]}`);
    view.replaceChildren(head, list, ...drawn.bytes.map((byte) => this.byteCard(byte, drawn.frame)));
  }
  byteCard(byte, frame) {
    const card = this.element("div", undefined, "card");
    const name = this.labels.get(byte.address), where = byte.is_rom ? "in the character ROM" : name ? `(${name})` : "";
    card.append(this.element("h3", `${ROLES[byte.role]}: ${hex(byte.address)} ${where} = ${hex(byte.value, 2)}`));
    card.append(this.element("code", byte.is_rom ? "ROM does not change." : byte.is_confirmed === undefined ? "" : byte.is_confirmed ? "Confirmed: with another value here the pixel is another one." : "Worked out from the registers."));
    if (byte.is_rom) return card;
    const write = this.answer(this.machine.studio_writer(byte.address, frame));
    if (!write) { card.append(this.element("p", "Not written since the start: it came with the program or the machine.", "hint")); return card; }
    const line = this.line(write.pc);
    card.append(this.element("p", `Written by ${this.name(write.pc)} at ${hex(write.pc)}, ${hex(write.value, 2)}, in frame ${write.frame}, line ${write.line}, cycle ${write.cycle.toLocaleString("en")}.`));
    if (line) {
      const file = this.files[line[2]];
      card.append(this.element("pre", `${this.within(file.path)}:${line[3]}\n${file.text.split("\n")[line[3] - 1] ?? ""}`));
      const source = this.element("button", "Show the source");
      source.onclick = () => this.found(line[2], line[3]);
      card.append(source, " ");
    }
    const go = this.element("button", "Go there");
    go.onclick = () => { this.seekCycle(write.begin); if (line) this.found(line[2], line[3]); };
    card.append(go);
    return card;
  }

  // Any bytes, each with its part in what was clicked, and who wrote them last.
  explain(title, bytes) {
    this.show("pixel");
    const { ram, io, colours } = this.snapshot(), at = Math.max(0, this.machine.studio_now() - 1);
    const value = (address, role) => (role === "colour" && address >= 0xd800 && address < 0xdc00 ? colours[address - 0xd800] & 15 : address >= 0xd000 && address < 0xe000 ? io[address - 0xd000] : ram[address]);
    this.$("pixel").replaceChildren(this.element("h2", title), ...bytes.map(([role, address]) => this.byteCard({ role, address, value: value(address, role), is_rom: false }, at)));
  }
  explainByte(address, role) {
    if (address >= 0 && address <= 0xffff) this.explain(`${hex(address)} ${this.labels.get(address) ?? ""}`, [[role, address]]);
  }
  explainCell(address) {
    const cell = address - this.base;
    this.explain(`Row ${Math.floor(cell / 40)}, column ${cell % 40} of the screen`, [["code", address], ["colour", 0xd800 + cell]]);
  }
  explainSprite(n) {
    const pointer = this.base + 0x3f8 + n, data = (this.base & 0xc000) | (this.ram[pointer] << 6);
    this.explain(`Sprite ${n}`, [["graphics", data], ["pointer", pointer], ["colour", 0xd027 + n], ["register", 0xd000 + 2 * n], ["register", 0xd001 + 2 * n]]);
  }

  // --- Raster -----------------------------------------------------------------------
  raster() {
    const report = this.answer(this.machine.studio_raster());
    if (!report) return;
    this.report = report;
    const { lines, cycles_per_line: columns } = report;
    this.cells = this.memory(this.machine.studio_cells(), lines * columns).slice();
    const canvas = this.$("beams");
    [canvas.width, canvas.height] = [columns * 8, lines * 2];
    const colours = report.parts.map((part) => [1, 3, 5].map((at) => parseInt(part.colour.slice(at, at + 2), 16)));
    const context = canvas.getContext("2d"), image = context.createImageData(columns * 8, lines * 2);
    for (let y = 0; y < lines * 2; y++) for (let x = 0; x < columns * 8; x++) {
      const colour = colours[this.cells[(y >> 1) * columns + (x >> 3)]] ?? [0, 0, 0], at = 4 * (y * columns * 8 + x);
      image.data.set([...colour, 255], at);
    }
    context.putImageData(image, 0, 0);
    context.strokeStyle = "rgb(255 255 255 / .5)";
    context.strokeRect(15 * 8 + 0.5, 51 * 2 + 0.5, 320, 400);
    const cell = (text) => this.element("td", text);
    const head = (...names) => { const row = this.element("tr"); row.append(...names.map((name) => this.element("th", name))); return row; };
    let sum = 0;
    const rows = report.parts.map((part) => {
      const row = this.element("tr"), first = this.element("td"), swatch = this.element("i");
      swatch.style.background = part.colour;
      first.append(swatch, this.label(part));
      first.title = first.textContent;
      sum += part.cycles;
      row.append(first, cell(part.cycles), cell(`${((100 * part.cycles) / report.cycles_per_frame).toFixed(1)} %`), cell(part.min), cell(part.mean.toFixed(1)), cell(part.max));
      return row;
    });
    const total = this.element("tr");
    total.append(cell(`sum of frame ${report.frame}`), cell(sum), cell(`${((100 * sum) / report.cycles_per_frame).toFixed(1)} %`));
    this.$("parts").replaceChildren(head("part", "cycles", "share", "min", "mean", "max"), ...rows, total);
    this.$("parts").dataset.sum = sum;
    this.$("handlers").replaceChildren(...(report.handlers.length ? [head("handler", "min", "mean", "max", "lines")] : []), ...report.handlers.map((handler) => {
      const row = this.element("tr"), run = handler.runs[0];
      row.append(cell(`${handler.trigger} ${this.routine(handler.address)}`), cell(handler.min), cell(handler.mean.toFixed(1)), cell(handler.max), cell(run ? `${run.begin_line}–${run.end_line}` : "–"));
      return row;
    }));
  }
  label(part) {
    const own = part.address === undefined ? part.name : this.name(part.address);
    if (!part.handler) return own;
    const [trigger, address] = part.handler.split(" "), outer = this.routine(parseInt(address.slice(1), 16));
    return own === outer ? `${trigger} ${outer}` : `${trigger} ${outer} > ${own}`;
  }
  pointAtCycle(event) {
    if (!this.report) return;
    const box = this.$("beams").getBoundingClientRect(), { lines, cycles_per_line: columns, parts } = this.report;
    const [line, cycle] = [Math.floor(((event.clientY - box.top) / box.height) * lines), Math.floor(((event.clientX - box.left) / box.width) * columns)];
    const part = parts[this.cells[line * columns + cycle]];
    if (part) this.$("beam").textContent = `line ${line}, cycle ${cycle + 1}: ${this.label(part)}`;
  }

  // --- Source ------------------------------------------------------------------------
  text() {
    const at = Number(this.$("file").value) || 0, file = this.files[at];
    this.$("text").replaceChildren(...(file ? file.text.split("\n").map((line) => this.element("span", line || " ")) : [this.element("p", "This program came without a source.", "hint")]));
    this.hasCode = new Set(this.lines.filter((line) => line[2] === at && line[4]).map((line) => line[3]));
    this.showPoints();
  }
  mark(file, line, className) {
    if (Number(this.$("file").value) !== file) { this.$("file").value = file; this.text(); }
    for (const old of this.$("text").querySelectorAll(`.${className}`)) old.classList.remove(className);
    const row = this.$("text").children[line - 1];
    row?.classList.add(className);
    return row;
  }
  found(file, line) {
    this.showOutside(this.files[file].path, line);
    this.show("source");
    this.mark(file, line, "found")?.scrollIntoView({ block: "center" });
  }
  here() {
    const line = this.line(this.machine.c64_register(5));
    for (const old of this.$("text").querySelectorAll(".here")) old.classList.remove("here");
    if (line && line[2] === Number(this.$("file").value)) this.$("text").children[line[3] - 1]?.classList.add("here");
  }
  // The routines that were not left yet, as far as the stack shows: addresses on it that follow a jsr of the program.
  calls() {
    const { ram } = this.snapshot(), pc = this.machine.c64_register(5), found = [[pc, this.name(pc)]];
    for (let at = this.machine.c64_register(3) + 1; at < 0xff && found.length < 12; at++) {
      const from = ((ram[0x100 + at] | (ram[0x101 + at] << 8)) - 2) & 0xffff;
      if (ram[from] !== 0x20 || !this.line(from)) continue;
      found.push([from, this.name(from)]);
      at++;
    }
    this.$("calls").replaceChildren(...found.map(([address, name], at) => {
      const button = this.element("button", `${at ? "from " : ""}${name}`, "plain"), line = this.line(address);
      button.title = `${hex(address)}${line ? `, line ${line[3]}` : ""}`;
      button.onclick = () => line && this.found(line[2], line[3]);
      return button;
    }));
  }
  // The machine is stopped: the line is shown, whichever file it is in.
  stopped() {
    this.update(true);
    this.calls();
    const line = this.line(this.machine.c64_register(5));
    if (line) this.showOutside(this.files[line[2]].path, line[3]);
    if (line && this.shown === "source") this.mark(line[2], line[3], "here")?.scrollIntoView({ block: "nearest" });
  }
  // A click sets a breakpoint, with Alt it runs to the line.
  clickLine(event) {
    const rows = [...this.$("text").children], row = event.target.closest?.("#text span"), at = Number(this.$("file").value) || 0;
    let line = rows.indexOf(row) + 1;
    if (!line || !this.files[at]) return;
    while (line <= rows.length && !this.hasCode.has(line)) line++;
    if (line > rows.length) return;
    if (event.altKey) { this.setBreakpoints(this.addresses(at, line)); return this.run(); }
    const key = `${this.files[at].path}:${line}`;
    if (!this.points.delete(key)) this.points.add(key);
    this.showPoints();
    this.setBreakpoints();
  }
  addresses(file, line) { return this.lines.filter((one) => one[2] === file && one[3] === line && one[4]).map((one) => one[0]); }
  showPoints() {
    const path = this.files[Number(this.$("file").value) || 0]?.path;
    [...this.$("text").children].forEach((row, at) => row.classList.toggle("point", this.points.has(`${path}:${at + 1}`)));
  }
  // The first address of each line with a breakpoint, and others for this run.
  setBreakpoints(others = []) {
    const all = [...others];
    for (const key of this.points) {
      const colon = key.lastIndexOf(":"), file = this.files.findIndex((one) => one.path === key.slice(0, colon));
      if (file >= 0) all.push(...this.addresses(file, Number(key.slice(colon + 1))));
    }
    this.give(new Uint8Array(all.flatMap((address) => [address & 255, address >> 8])));
    this.machine.studio_breakpoints();
  }
  // Breakpoints of the editor around this page, which knows files by longer paths.
  usePoints(points) {
    const plain = (path) => path.replaceAll("\\", "/");
    this.points.clear();
    for (const { file, line } of points) {
      const own = this.files?.find(({ path }) => plain(file) === plain(path) || plain(file).endsWith(`/${plain(path).replace(/^\.\//, "")}`));
      if (own) this.points.add(`${own.path}:${line}`);
    }
    this.showPoints();
    this.setBreakpoints();
  }
  addWatch(name) {
    if (!name || this.watches.includes(name)) return;
    this.watches.push(name);
    this.$("watchName").value = "";
    this.keepWatches();
  }
  keepWatches() { localStorage.setItem("tempo-watches", JSON.stringify(this.watches)); this.watch(); }
  watch() {
    const { ram, io } = this.watches.length ? this.snapshot() : {};
    this.$("watches").replaceChildren(...this.watches.map((name) => {
      const row = this.element("tr"), address = this.byName?.get(name) ?? (/^\$[0-9a-f]+$/i.test(name) ? parseInt(name.slice(1), 16) : undefined);
      const known = address !== undefined && address >= 0 && address < 65536;
      const byte = (at) => (at >= 0xd000 && at < 0xe000 ? io[at - 0xd000] : ram[at & 65535]);
      const value = known ? byte(address) : 0, word = known ? value | (byte(address + 1) << 8) : 0;
      const why = this.element("button", "Who?"), away = this.element("button", "×");
      [why.title, away.title] = [`Who wrote ${name} last`, `Forget ${name}`];
      away.setAttribute("aria-label", away.title);
      why.onclick = () => this.explainByte(address, "written");
      away.onclick = () => { this.watches = this.watches.filter((other) => other !== name); this.keepWatches(); };
      const buttons = this.element("td");
      buttons.append(...(known ? [why] : []), away);
      row.append(this.element("td", name), ...(known ? [hex(address), `${hex(value, 2)} ${value}`, `${hex(word)} ${word}`] : ["not a name here", "", ""]).map((text) => this.element("td", text)), buttons);
      return row;
    }));
  }

  // --- Memory ---------------------------------------------------------------------------
  snapshot() {
    const bytes = this.memory(this.machine.studio_memory(), 65536 + 1024 + 4096 + 2);
    return { ram: bytes.slice(0, 65536), colours: bytes.slice(65536, 66560), io: bytes.slice(66560, 70656), screen: bytes[70656] | (bytes[70657] << 8) };
  }
  memoryView() {
    const { ram } = this.snapshot(), context = this.$("heat").getContext("2d"), image = context.createImageData(256, 256);
    const touched = this.memory(this.machine.studio_heat(1), 65536), { hot } = this;
    for (let at = 0; at < 65536; at++) {
      const bits = touched[at] & 7, pixel = 4 * at, ground = 14 + (ram[at] >> 3);
      // Red for writes, green for reads, blue for code; each fades.
      for (let colour = 0; colour < 3; colour++) {
        const heat = bits & (4 >> colour) ? 255 : hot[3 * at + colour];
        image.data[pixel + colour] = ground + ((255 - ground) * heat) / 255;
        hot[3 * at + colour] = heat > 4 ? heat * 0.93 : 0;
      }
      image.data[pixel + 3] = 255;
    }
    for (let at = 0; at < 65536; at++) this.ever[at] |= touched[at];
    touched.fill(0);
    this.before = ram;
    if (this.count % 25 === 1) this.used();
    context.putImageData(image, 0, 0);
  }
  byteAt(event) {
    const box = this.$("heat").getBoundingClientRect();
    return (Math.floor(((event.clientY - box.top) / box.height) * 256) << 8) | Math.floor(((event.clientX - box.left) / box.width) * 256);
  }
  pointAtByte(event) {
    const addr = this.byteAt(event);
    if (addr >= 0 && addr < 65536) this.$("byte").textContent = `${hex(addr)} ${this.name(addr)} = ${hex(this.before?.[addr] ?? 0, 2)}`;
  }
  // Who has which addresses: the computer, the program, and what it did with them while this view was open.
  map(blocks) {
    this.blocks = blocks.toSorted((one, other) => one.start - other.start);
    const strip = this.strip(this.blocks.map(({ name, start, length }, at) => [name, start, length, BLOCKS[at % BLOCKS.length]])), list = this.element("dl", undefined, "figures");
    const row = (start, length, text, colour) => {
      const term = this.element("dt", ` ${hex(start)}–${hex(start + length - 1)}`), swatch = this.element("i");
      swatch.style.background = colour ?? "none";
      term.prepend(swatch);
      list.append(term, this.element("dd", text, colour ? "" : "free"));
    };
    let used = 0, next = 0x0801;
    const gap = (end) => { if (end - next >= 16) row(next, end - next, `free, ${(end - next).toLocaleString("en")} bytes`); };
    this.blocks.forEach(({ name, start, length }, at) => {
      gap(start);
      row(start, length, `${name}, ${length.toLocaleString("en")} bytes`, BLOCKS[at % BLOCKS.length]);
      used += length;
      next = Math.max(next, start + length);
    });
    gap(0x10000);
    this.$("blocks").replaceChildren(this.element("h2", `Memory map: ${used.toLocaleString("en")} bytes of the program`), strip, this.element("div", undefined, "computer"), this.element("div", undefined, "uses"), list);
    this.used();
  }
  strip(parts) {
    const strip = this.element("div", undefined, "strip");
    for (const [name, start, length, colour] of parts) {
      const part = this.element("i");
      Object.assign(part.style, { left: `${(100 * start) / 65536}%`, width: `${(100 * length) / 65536}%`, background: colour });
      part.title = `${name}, ${hex(start)}–${hex(start + length - 1)}`;
      strip.append(part);
    }
    return strip;
  }
  used() {
    const { io, screen, ram } = this.snapshot(), port = ram[1] & 7, bank = screen & 0xc000;
    const characters = bank | ((io[0x18] & 0x0e) << 10), isBitmap = (io[0x11] & 0x20) !== 0;
    const parts = [["zero page and stack", 0, 0x200, "#6b7683"], ["screen", screen, 1000, "#5eb0ff"],
      isBitmap ? ["bitmap", bank | ((io[0x18] & 8) << 10), 8000, "#7ee787"] : ["characters", characters, 2048, "#7ee787"],
      ...((port & 3) === 3 ? [["BASIC ROM", 0xa000, 0x2000, "#444d58"]] : []), ...(port & 2 ? [["KERNAL ROM", 0xe000, 0x2000, "#444d58"]] : []),
      ...(port & 3 ? [[port & 4 ? "chips" : "character ROM", 0xd000, 0x1000, "#ffb454"]] : [])];
    const computer = this.strip(parts), uses = this.strip([]);
    for (const [at, bit, colour] of [[0, 2, "#4dff4d"], [1, 4, "#ff4d4d"], [2, 1, "#6d8cff"]]) {
      for (let page = 0; page < 256; page++) {
        if (!this.ever.subarray(page << 8, (page + 1) << 8).some((bits) => bits & bit)) continue;
        const part = this.element("i");
        Object.assign(part.style, { left: `${page / 2.56}%`, width: `${1 / 2.56}%`, top: `${at * 33}%`, bottom: `${(2 - at) * 33}%`, background: colour });
        uses.append(part);
      }
    }
    this.$("blocks").querySelector(".computer")?.replaceChildren(this.element("p", `The computer: ${parts.map(([name]) => name).join(", ")}`, "key"), computer);
    this.$("blocks").querySelector(".uses")?.replaceChildren(this.element("p", "Pages read, written and executed since this view is open", "key"), uses);
  }

  // --- Characters, sprites, registers ----------------------------------------------------------
  bits(image, width, x, y, byte, colour) {
    for (let bit = 0; bit < 8; bit++) if (byte & (0x80 >> bit)) image.data.set([...colour, 255], 4 * (y * width + x + bit));
  }
  graphics() {
    const { ram, io, screen, colours } = this.snapshot();
    [this.ram, this.colours, this.base] = [ram, colours, screen];
    const bank = screen & 0xc000, charset = bank | ((io[0x18] & 0x0e) << 10);
    const isRom = (bank & 0x4000) === 0 && (charset & 0x3000) === 0x1000;
    this.$("charset").textContent = `${hex(charset)}${isRom ? " (ROM)" : ""}`;
    const rom = isRom ? this.memory(this.machine.studio_characters(), 4096).slice() : null;
    const shape = (code, row) => (rom ? rom[(charset & 0x800) + code * 8 + row] : ram[charset + code * 8 + row]);
    const context = this.$("characters").getContext("2d"), image = context.createImageData(256, 64);
    for (let code = 0; code < 256; code++) for (let row = 0; row < 8; row++) this.bits(image, 256, (code & 31) * 8, (code >> 5) * 8 + row, shape(code, row), [220, 228, 236]);
    context.putImageData(image, 0, 0);
    const codes = this.$("codes").getContext("2d"), picture = codes.createImageData(320, 200);
    this.$("screenAt").textContent = this.screenPixels(picture.data, { ram, io, screen, colours, shape });
    codes.putImageData(picture, 0, 0);
    this.$("sprites").replaceChildren(...Array.from({ length: 8 }, (_, n) => {
      const pointer = ram[screen + 0x3f8 + n], at = bank | (pointer << 6), figure = this.element("figure"), canvas = this.element("canvas"), button = this.element("button", undefined, "plain");
      [canvas.width, canvas.height] = [24, 21];
      const image = canvas.getContext("2d").createImageData(24, 21), own = io[0x27 + n] & 15, isWide = (io[0x1c] >> n) & 1;
      for (let y = 0; y < 21; y++) for (let x = 0; x < 24; x++) {
        const byte = ram[at + 3 * y + (x >> 3)];
        const colour = isWide ? [null, io[0x25] & 15, own, io[0x26] & 15][(byte >> (6 - (x & 6))) & 3] : (byte >> (7 - (x & 7))) & 1 ? own : null;
        // The ground is checked, so that no colour is lost in it.
        image.data.set([...(colour === null ? ((x >> 1) + (y >> 1)) & 1 ? [40, 46, 54] : [30, 35, 42] : PALETTE[colour]), 255], 4 * (24 * y + x));
      }
      canvas.getContext("2d").putImageData(image, 0, 0);
      const x = io[2 * n] | (((io[0x10] >> n) & 1) << 8), isOn = (io[0x15] >> n) & 1;
      button.title = `Who made sprite ${n}?`;
      button.onclick = () => this.explainSprite(n);
      button.append(canvas, this.element("span", `${n} ${isOn ? `at ${x},${io[2 * n + 1]}` : "off"} ${hex(at)}`));
      figure.append(button);
      return figure;
    }));
  }
  // The screen without border, sprites and changes within the frame, by the registers of this moment; and its mode in words.
  screenPixels(data, { ram, io, screen, colours, shape }) {
    const [control, columns] = [io[0x11], io[0x16]], bitmap = (screen & 0xc000) | ((io[0x18] & 8) << 10);
    const [isBitmap, isMulti, isExtended] = [(control & 0x20) !== 0, (columns & 0x10) !== 0, (control & 0x40) !== 0], ground = [0x21, 0x22, 0x23, 0x24].map((at) => io[at] & 15);
    for (let cell = 0; cell < 1000; cell++) {
      const code = ram[screen + cell], colour = colours[cell] & 15, isWide = isMulti && (isBitmap || colour > 7);
      for (let row = 0; row < 8; row++) {
        const byte = isBitmap ? ram[bitmap + 8 * cell + row] : shape(isExtended ? code & 63 : code, row);
        for (let x = 0; x < 8; x++) {
          const pair = (byte >> (6 - (x & 6))) & 3, bit = (byte >> (7 - x)) & 1;
          const drawn = isBitmap ? (isWide ? [ground[0], code >> 4, code & 15, colour][pair] : bit ? code >> 4 : code & 15)
            : isWide ? [ground[0], ground[1], ground[2], colour & 7][pair] : bit ? colour : isExtended ? ground[code >> 6] : ground[0];
          data.set([...PALETTE[drawn], 255], 4 * (320 * (Math.floor(cell / 40) * 8 + row) + (cell % 40) * 8 + x));
        }
      }
    }
    return `${hex(screen)}, ${isMulti ? "multicolour " : isExtended ? "extended colour " : ""}${isBitmap ? `bitmap at ${hex(bitmap)}` : "text"}`;
  }
  cellAt(event) {
    const box = this.$("codes").getBoundingClientRect();
    const [column, row] = [Math.floor(((event.clientX - box.left) / box.width) * 40), Math.floor(((event.clientY - box.top) / box.height) * 25)];
    return this.base + Math.min(24, Math.max(0, row)) * 40 + Math.min(39, Math.max(0, column));
  }
  registers() {
    const { io } = this.snapshot(), r = (which, digits = 2) => hex(this.machine.c64_register(which), digits);
    const flags = [..."NV-BDIZC"].map((letter, at) => ((this.machine.c64_register(4) >> (7 - at)) & 1 ? letter : "·")).join("");
    const rows = [["PC", `${r(5, 4)} ${this.name(this.machine.c64_register(5))}`], ["A X Y", `${r(0)} ${r(1)} ${r(2)}`], ["S P", `${r(3)} ${flags}`], ["beam", `line ${this.machine.c64_register(6)}, cycle ${this.machine.c64_register(7)}`]];
    this.$("cpu").replaceChildren(...rows.flatMap(([term, text]) => [this.element("dt", term), this.element("dd", text)]));
    const list = (title, entries) => {
      const dl = this.element("dl", undefined, "figures");
      for (const [addr, name, names] of entries) {
        const value = io[addr - 0xd000], bits = value.toString(2).padStart(8, "0");
        const set = names?.filter((text, at) => text && (value >> (7 - at)) & 1).join(", ");
        const term = this.element("dt"), ask = this.element("button", `${hex(addr)} ${name}`, "plain");
        ask.title = "Who wrote this register last?";
        ask.onclick = () => this.explainByte(addr, "register");
        term.append(ask);
        dl.append(term, this.element("dd", `${hex(value, 2)} %${bits}${set ? ` ${set}` : ""}`));
      }
      return [this.element("h2", title), dl];
    };
    const vic = Object.entries(VIC).map(([at, [name, names]]) => [0xd000 + Number(at), name, names]);
    const sprites = Array.from({ length: 8 }, (_, n) => [[0xd000 + 2 * n, `sprite ${n} x`], [0xd001 + 2 * n, `sprite ${n} y`]]).flat();
    const sid = Array.from({ length: 21 }, (_, at) => [0xd400 + at, `voice ${Math.floor(at / 7) + 1} ${SID[at % 7][0]}`, SID[at % 7][1]]).concat([[0xd415, "filter low"], [0xd416, "filter high"],
      [0xd417, "resonance, filtered", ["", "", "", "", "input", "voice 3", "voice 2", "voice 1"]], [0xd418, "volume, filter", ["voice 3 off", "high pass", "band pass", "low pass"]]]);
    const cia = [0xdc00, 0xdd00].flatMap((base, at) => CIA.map(([name, names], offset) => [base + offset, `CIA ${at + 1} ${name}`, names]));
    this.$("chips").replaceChildren(...list("VIC-II", vic), ...list("Sprites", sprites), ...list("SID, as written", sid), ...list("CIAs", cia));
  }
}
