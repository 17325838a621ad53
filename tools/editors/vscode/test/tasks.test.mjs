// Tasks: what is offered for a folder, and the command line of each. Snippets: the assembler and the harness take them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { bundle } from "./bundle.mjs";

let folder;
let tasks;

const NO_VICE = { path: "", args: [] };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-tasks-"));
  tasks = (await bundle(folder, "tasks", "module.exports = {};")).module;
});

after(() => rm(folder, { recursive: true, force: true }));

const lines = (definitions, vice = NO_VICE) =>
  definitions.map((definition) => `${tasks.taskName(definition)}: tempo ${tasks.taskWords(definition, vice).join(" ")}`);

test("a project is built as a project", () => {
  assert.deepEqual(lines(tasks.offered([""], ["${file}"])), [
    "build: tempo build --message-format short",
    "build and run: tempo run",
    "test: tempo test",
    "run in VICE: tempo run --vice",
  ]);
});

test("each of several projects has its tasks", () => {
  const definitions = tasks.offered(["demo", "game"], []);
  assert.deepEqual(definitions.map(({ command, project }) => `${command} ${project}`), [
    "build demo", "run demo", "test demo", "vice demo", "build game", "run game", "test game", "vice game",
  ]);
});

test("without a project the source in the editor is the program", () => {
  assert.deepEqual(lines(tasks.offered([], ["${file}"])), [
    "assemble ${file}: tempo asm --message-format short ${file}",
    "build and run ${file}: tempo run ${file}",
    "run in VICE ${file}: tempo run --vice ${file}",
    "test .: tempo test .",
  ]);
});

test("VICE is the one of the settings", () => {
  const vice = { path: "/opt/vice", args: ["-warp", "+sound"] };
  assert.deepEqual(tasks.taskWords({ type: "tempo", command: "vice" }, vice), [
    "run", "--vice", "--vice-path", "/opt/vice", "--vice-arg", "-warp", "--vice-arg", "+sound",
  ]);
  assert.deepEqual(tasks.taskWords({ type: "tempo", command: "run" }, vice), ["run"]);
});

test("the project of a file is the nearest one in the folder of the workspace", async () => {
  const game = join(folder, "w", "game");
  await mkdir(join(game, "src", "deep"), { recursive: true });
  await writeFile(join(folder, "tempo.toml"), "");
  await writeFile(join(game, "tempo.toml"), "");
  const top = join(folder, "w");
  assert.equal(tasks.projectOf(join(game, "src", "deep", "a.asm"), top), game);
  assert.equal(tasks.projectOf(join(game, "tempo.toml"), top), game);
  assert.equal(tasks.projectOf(join(top, "b.asm"), top), undefined);
});

/// The text of a snippet with its first choices filled in.
const filled = (body) =>
  body
    .join("\n")
    .replace(/\$\{\d+:([^}]*)\}/g, "$1")
    .replace(/(?<!\\)\$(\d+)/g, (_, number) => (number === "0" ? "" : "$fb"))
    .replaceAll("\\$", "$");

test("every snippet is a good piece of its language", async (context) => {
  const built = new URL("../../../../target/debug/tempo", import.meta.url);
  const tempo = process.env.TEMPO ?? (existsSync(built) ? fileURLToPath(built) : undefined);
  if (tempo === undefined) {
    context.skip("there is no tempo to ask");
    return;
  }
  const snippets = (name) => JSON.parse(readFileSync(new URL(`../snippets/${name}.json`, import.meta.url), "utf8"));
  const needed = { "Copy loop": ".label source = $2000\n.label target = $3000\n", If: ".var condition = true\n" };
  const source = join(folder, "main.asm");
  for (const [name, { body }] of Object.entries(snippets("kickassembler"))) {
    const text = filled(body).replace(".return ", ".return value");
    await writeFile(source, `${needed[name] ?? ""}${text}\n`);
    assert.doesNotThrow(() => execFileSync(tempo, ["asm", source, "--check"], { stdio: "pipe" }), `${name}:\n${text}`);
  }
  await writeFile(source, "*=$1000\nRoutine: lda #0\n rts\n");
  const { Suite, Test, Assertion } = snippets("suite");
  const around = (text) => `suites { suite("s") { assemble("main.asm") ${text} } }`;
  for (const text of [filled(Suite.body), around(filled(Test.body)), around(`test("t", "t") { ${filled(Assertion.body)} }`)]) {
    await writeFile(join(folder, "s.6502"), text);
    assert.doesNotThrow(() => execFileSync(tempo, ["test", "s.6502", "--list"], { stdio: "pipe", cwd: folder }), text);
  }
});
