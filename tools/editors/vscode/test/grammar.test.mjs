// Grammars: every line of test/grammar/NAME has the scopes of NAME.scopes. UPDATE=1 rewrites them.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const wasm = readFileSync(join(dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
const onigLib = oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length)).then(() => ({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async (scope) => {
    const found = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scope);
    const path = join(root, found.path);
    return textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

const suffix = /\.(kickassembler|tempo-suite)$/;

/// The tokens of a text: each line, and below it every token that has a scope of its own.
async function scopes(name, text) {
  const scope = name.endsWith(".6502") ? "source.tempo-suite" : "source.assembly.kickassembler";
  const grammar = await registry.loadGrammar(scope);
  let state = textmate.INITIAL;
  let out = "";
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    out += `${line}\n`;
    for (const token of result.tokens) {
      const word = line.slice(token.startIndex, token.endIndex);
      const names = token.scopes.slice(1).map((scope) => scope.replace(suffix, ""));
      if (names.length > 0 && word.trim() !== "") {
        out += `    ${word.trim()} → ${names.join(" ")}\n`;
      }
    }
  }
  return out;
}

const folder = join(root, "test", "grammar");
for (const name of readdirSync(folder).filter((name) => !name.endsWith(".scopes"))) {
  test(name, async () => {
    const actual = await scopes(name, readFileSync(join(folder, name), "utf8"));
    const path = join(folder, `${name}.scopes`);
    if (process.env.UPDATE === "1" || !existsSync(path)) {
      assert.ok(process.env.UPDATE === "1", `${path} is missing; UPDATE=1 writes it`);
      writeFileSync(path, actual);
    }
    assert.equal(actual, readFileSync(path, "utf8"));
  });
}

test("every file that the manifest names is there", () => {
  const named = [
    ...manifest.contributes.languages.map((language) => language.configuration),
    ...manifest.contributes.grammars.map((grammar) => grammar.path),
    ...manifest.contributes.walkthroughs.flatMap((walk) => walk.steps.map((step) => step.media.markdown)),
  ];
  for (const path of named) {
    assert.ok(existsSync(join(root, path)), path);
  }
  const sources = readdirSync(join(root, "src")).map((name) => readFileSync(join(root, "src", name), "utf8")).join("");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(sources.includes(`"${command}"`), `${command} is not registered`);
  }
});

test("problem matchers read what the commands print", () => {
  const [tempo] = manifest.contributes.problemPatterns;
  const found = new RegExp(tempo.regexp).exec("lib/a b.asm:12:5: error: Unknown symbol 'x' [E0301]");
  assert.deepEqual(
    [tempo.file, tempo.line, tempo.column, tempo.severity, tempo.message, tempo.code].map((group) => found[group]),
    ["lib/a b.asm", "12", "5", "error", "Unknown symbol 'x'", "E0301"],
  );
  const [message, place] = manifest.contributes.problemMatchers.find(({ name }) => name === "kickass").pattern;
  assert.equal(new RegExp(message.regexp).exec("Error: Unknown symbol 'foo'")[message.message], "Unknown symbol 'foo'");
  assert.equal(new RegExp(place.regexp).exec("at line 1, column 6 in e.asm")[place.file], "e.asm");
});
