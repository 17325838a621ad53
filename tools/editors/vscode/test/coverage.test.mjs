// The coverage of a debug session: which lines are painted how, and when the paint goes. The editor around it is a
// stand-in of a few lines.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let vscode;

const session = {
  type: "tempo",
  customRequest: async () => ({
    files: [{
      source: { path: "/project/main.asm" },
      lines: [
        { line: 2, count: 1, branches: [] },
        { line: 3, count: 0, branches: [] },
        { line: 4, count: 7, branches: [{ taken: 7, notTaken: 0 }] },
        { line: 99, count: 1, branches: [] },
      ],
    }],
  }),
};

/// An editor with nine lines, and what is painted in it: lines by colour.
const painted = {};
const editor = {
  document: { uri: { fsPath: "/project/main.asm" }, lineCount: 9, lineAt: (line) => ({ range: line }) },
  setDecorations: (type, places) => void (painted[type.colour] = places.map(({ range }) => range + 1)),
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-coverage-"));
  const made = await bundle(folder, "coverage", `
    const shown = [];
    module.exports = {
      shown,
      window: {
        visibleTextEditors: [],
        createTextEditorDecorationType: ({ backgroundColor }) => ({ colour: backgroundColor.id, dispose() {} }),
        showInformationMessage: async (text) => void shown.push(text),
        showErrorMessage: async (text) => void shown.push(text),
        onDidChangeVisibleTextEditors: (run) => ((module.exports.opened = run), { dispose() {} }),
      },
      debug: { onDidTerminateDebugSession: (run) => ((module.exports.ended = run), { dispose() {} }) },
      commands: { registerCommand: (name, run) => ((module.exports.toggle = run), { dispose() {} }) },
      Uri: { file: (path) => ({ fsPath: path }) },
      ThemeColor: class { constructor(id) { this.id = id; } },
    };`);
  vscode = made.vscode;
  made.module.addCoverage({ subscriptions: [] });
});

after(() => rm(folder, { recursive: true, force: true }));

const all = {
  "testing.coveredBackground": [2],
  "testing.uncoveredBackground": [3],
  "testing.uncoveredBranchBackground": [4],
};
const none = Object.fromEntries(Object.keys(all).map((colour) => [colour, []]));

test("lines are painted by what they did, those beyond the text left out", async () => {
  vscode.debug.activeDebugSession = session;
  vscode.window.visibleTextEditors = [editor];
  await vscode.toggle();
  assert.deepEqual(painted, all);
});

test("asking again takes the paint away", async () => {
  await vscode.toggle();
  assert.deepEqual(painted, none);
});

test("an editor that opens later is painted, and the end of the session clears all", async () => {
  vscode.window.visibleTextEditors = [];
  await vscode.toggle();
  vscode.window.visibleTextEditors = [editor];
  vscode.opened([editor]);
  assert.deepEqual(painted, all);
  vscode.ended({ type: "other" });
  assert.deepEqual(painted, all);
  vscode.ended(session);
  assert.deepEqual(painted, none);
});

test("without a session it says so, and a refusal is shown", async () => {
  vscode.debug.activeDebugSession = undefined;
  await vscode.toggle();
  assert.equal(vscode.shown.at(-1), "Tempo: nothing is being debugged");
  vscode.debug.activeDebugSession = { type: "tempo", customRequest: async () => Promise.reject(new Error("the program is running")) };
  await vscode.toggle();
  assert.equal(vscode.shown.at(-1), "Tempo: the program is running");
});
