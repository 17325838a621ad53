// The panel of the studio: its document, the address, and which messages of the page count.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let panel;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-panel-"));
  panel = (await bundle(folder, "panel", "module.exports = {};")).module;
});

after(() => rm(folder, { recursive: true, force: true }));

test("the address is found in what the program prints", () => {
  assert.equal(panel.addressIn("Tempo Studio is at http://127.0.0.1:4711/\nCtrl-C"), "http://127.0.0.1:4711/");
  assert.equal(panel.addressIn("error: there is no file"), undefined);
});

test("the frame may show the page and nothing else", () => {
  const page = panel.panelPage("http://127.0.0.1:4711/", "abc");
  assert.match(page, /default-src 'none'; frame-src http:\/\/127\.0\.0\.1:4711;/);
  assert.match(page, /<iframe id="page" src="http:\/\/127\.0\.0\.1:4711\/"/);
  assert.equal(page.match(/nonce-abc/g).length, 2);
});

test("only places are followed", () => {
  assert.ok(panel.isPlace({ tempo: "place", file: "main.asm", line: 3 }));
  for (const other of [null, "place", {}, { tempo: "place", file: 3, line: 3 }, { tempo: "place", file: "a", line: 0 }]) {
    assert.ok(!panel.isPlace(other), JSON.stringify(other));
  }
});
