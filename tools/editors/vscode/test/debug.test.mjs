// F5 without launch.json: what the extension asks the server, and the configuration that it makes of the answers. The
// editor around it is a stand-in of a few lines.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let vscode;
let provider;
const asked = [];

const range = (start, end) => ({ start: { line: start, character: 0 }, end: { line: end, character: 1 } });
const answers = {
  "tempo/roots": ["file:///project/main.asm", "file:///project/other.asm"],
  "tempo/tests": [
    { id: "suite", label: "suite", range: range(0, 20), children: [
      { id: "first", label: "adds", range: range(3, 6) },
      { id: "second", label: "subtracts", range: range(8, 12) },
    ] },
  ],
};
const server = {
  document: (document) => ({ uri: document.uri.toString() }),
  ask: async (method, params) => {
    asked.push([method, params]);
    return answers[method];
  },
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-debug-"));
  const made = await bundle(folder, "debug", `
    const shown = [];
    module.exports = {
      shown,
      window: {
        activeTextEditor: undefined,
        showInformationMessage: async (text) => void shown.push(text),
        showErrorMessage: async (text) => void shown.push(text),
        showInputBox: async () => "[$d020]",
        showQuickPick: async (choices) => (shown.push(choices.map(({ label }) => label)), module.exports.pick(choices)),
      },
      workspace: { getConfiguration: () => ({ get: (name) => ({ libDirs: ["lib"] })[name] }), getWorkspaceFolder: () => undefined },
      debug: {
        registerDebugConfigurationProvider: (type, provider) => ((module.exports.provider = provider), { dispose() {} }),
        registerDebugAdapterDescriptorFactory: () => ({ dispose() {} }),
        startDebugging: async (folder, config) => void (module.exports.started = config),
      },
      commands: { registerCommand: (name, run) => (((module.exports.commands ??= {})[name] = run), { dispose() {} }) },
      Uri: { parse: (text) => ({ fsPath: decodeURIComponent(new URL(text).pathname), toString: () => text }) },
      DebugAdapterExecutable: class {},
    };`);
  vscode = made.vscode;
  made.module.addDebugger({ subscriptions: [], extensionPath: folder, asAbsolutePath: (path) => path }, server);
  provider = vscode.provider;
});

after(() => rm(folder, { recursive: true, force: true }));

const open = (path, languageId, line = 0) => {
  const uri = { fsPath: path, toString: () => `file://${path}` };
  vscode.window.activeTextEditor = path && { document: { uri, languageId }, selection: { active: { line } } };
};
const press = () => provider.resolveDebugConfiguration(undefined, {});

test("F5 in a library debugs the program that imports it", async () => {
  open("/project/lib.asm", "kickassembler");
  const config = await press();
  assert.deepEqual(config, { type: "tempo", request: "launch", name: "Debug this source", program: "/project/main.asm" });
  assert.deepEqual(asked.at(-1), ["tempo/roots", { textDocument: { uri: "file:///project/lib.asm" } }]);
  const whole = provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, config);
  assert.deepEqual(whole.libDirs, ["lib"]);
  await vscode.commands["tempo.debugFile"]();
  assert.equal(vscode.started.program, "/project/main.asm");
});

test("F5 without an answer debugs the file itself", async () => {
  const roots = answers["tempo/roots"];
  delete answers["tempo/roots"];
  open("/project/lib.asm", "kickassembler");
  assert.equal((await press()).program, "/project/lib.asm");
  answers["tempo/roots"] = roots;
});

test("F5 in a suite debugs the test at the cursor", async () => {
  open("/project/x.6502", "tempo-suite", 9);
  assert.deepEqual(await press(), {
    type: "tempo", request: "launch", name: "Debug second", suite: "/project/x.6502", test: "second",
  });
  open("/project/x.6502", "tempo-suite", 1);
  assert.equal(await press(), undefined);
  assert.match(vscode.shown.at(-1), /cursor in a test/);
});

test("F5 elsewhere says what to do, and a configuration of the user stays", async () => {
  open("/project/readme.md", "markdown");
  assert.equal(await press(), undefined);
  assert.match(vscode.shown.at(-1), /open a source/);
  const own = { type: "tempo", request: "launch", name: "mine", program: "a.asm" };
  assert.equal(await provider.resolveDebugConfiguration(undefined, own), own);
  assert.equal(provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, { request: "launch" }), undefined);
});

test("who wrote this goes from value to value and back in time", async () => {
  const writers = {
    "[counter]": { kind: "instruction", time: 90, cycles: 80, instruction: "sta counter", value: 3, place: "main.asm:7 (sub)", calls: ["main.asm:2 (main)"], uses: [{ expression: "A", value: 3 }] },
    A: { kind: "instruction", time: 85, cycles: 75, instruction: "lda #$03", value: 3, place: "main.asm:6 (sub)", calls: [], uses: [] },
    "[$d020]": { kind: "nobody" },
  };
  const requests = [];
  vscode.debug.activeDebugSession = {
    type: "tempo",
    customRequest: async (command, args) => (requests.push([command, args]), writers[args.expression]),
  };
  vscode.shown.length = 0;
  vscode.pick = (choices) => choices.find(({ next }) => next) ?? choices[0];
  await vscode.commands["tempo.why"]({ variable: { name: "counter", evaluateName: "[counter]" } });
  assert.deepEqual(requests, [
    ["tempo/why", { expression: "[counter]", time: undefined }],
    ["tempo/why", { expression: "A", time: 90 }],
    ["tempo/at", { time: 85 }],
  ]);
  assert.deepEqual(vscode.shown[0], [
    "$(debug-step-back) Go there",
    "$(question) Who made A?",
    "$(call-incoming) called from main.asm:2 (main)",
  ]);
  await vscode.commands["tempo.why"]();
  assert.equal(vscode.shown.at(-1), "Tempo: nobody has written [$d020] since the start");
  vscode.debug.activeDebugSession = undefined;
  await vscode.commands["tempo.why"]();
  assert.equal(vscode.shown.at(-1), "Tempo: nothing is being debugged");
});
