// The test explorer: what a failure of `tempo test --format json` becomes, and where it is shown. The editor around it is a
// stand-in of a few lines.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { bundle } from "./bundle.mjs";

let folder;
let messagesOf;

/// The messages of a failure: text, place, and the two sides of a difference.
const shown = (failure) =>
  messagesOf(failure, ({ file, line }) => `${file}:${line}`).map(({ text, location, sides }) => ({ text, location, sides }));

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tempo-tests-"));
  const made = await bundle(folder, "tests", `
    class TestMessage {
      constructor(text) { this.text = text; }
      static diff(text, expected, actual) { return Object.assign(new TestMessage(text), { sides: [expected, actual] }); }
    }
    module.exports = { TestMessage };`);
  messagesOf = made.module.messagesOf;
});

after(() => rm(folder, { recursive: true, force: true }));

test("a failure is one message at its statement", () => {
  const failure = {
    message: "a is 3, 4 expected",
    text: "the sum",
    statement: 'assert(a == 4, "the sum")',
    file: "sum.6502",
    line: 9,
    values: { left: 3, operator: "==", right: 4 },
    stopped: { label: "Sum+2", source: "sum.asm:5" },
  };
  assert.deepEqual(shown(failure), [
    {
      text: 'the sum\na is 3, 4 expected\nassert(a == 4, "the sum")\nstopped at Sum+2, sum.asm:5',
      location: "sum.6502:9",
      sides: ["4", "3"],
    },
  ]);
});

test("a failure in a procedure is shown at its line and at every call that led there", () => {
  const failure = {
    message: "a is 3, 4 expected",
    statement: "assert(a == sum)",
    file: "helpers.6502",
    line: 4,
    procedures: [
      { statement: "expect_a(4)", file: "helpers.6502", line: 8 },
      { statement: "expect_sum(1, 3)", file: "sum.6502", line: 20 },
    ],
  };
  const [first, ...calls] = shown(failure);
  assert.equal(first.location, "helpers.6502:4");
  assert.equal(
    first.text,
    "a is 3, 4 expected\nassert(a == sum)\n" +
      "called at helpers.6502:8: expect_a(4)\ncalled at sum.6502:20: expect_sum(1, 3)",
  );
  assert.deepEqual(
    calls.map(({ text, location }) => [text, location]),
    [
      ["a is 3, 4 expected\nin expect_a(4)", "helpers.6502:8"],
      ["a is 3, 4 expected\nin expect_sum(1, 3)", "sum.6502:20"],
    ],
  );
});
