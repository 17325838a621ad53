// The DAP test client of VS Code against `tempo dap`: breakpoints, steps, back, memory, disassembly.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.argv[2], "package.json"));
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const program = join(process.env.PROJECT, "main.asm");
const client = new DebugClient(process.env.TEMPO, "dap", "tempo");
client.defaultTimeout = 100_000;
let failures = 0;
const check = (name, ok, detail) => {
  console.log(`${ok ? "ok" : "FAILED"} ${name}${ok ? "" : `: ${JSON.stringify(detail)}`}`);
  failures += ok ? 0 : 1;
};
const stoppedAt = async (request, line, what) => {
  const [, event] = await Promise.all([request, client.waitForEvent("stopped")]);
  const { body } = await client.stackTraceRequest({ threadId: event.body.threadId, startFrame: 0, levels: 1 });
  const frame = body.stackFrames[0];
  check(what, frame.line === line && frame.source?.path?.endsWith("main.asm"), frame);
  return frame;
};

try {
  await client.start();
  const { body: can } = await client.initializeRequest();
  check("it can step back", can.supportsStepBack === true, can);
  check("it can disassemble and read memory", can.supportsDisassembleRequest && can.supportsReadMemoryRequest, can);
  const launched = Promise.all([
    client.waitForEvent("initialized").then(async () => {
      const { body } = await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: 5 }] });
      check("a breakpoint is verified", body.breakpoints[0].verified && body.breakpoints[0].line === 5, body);
      await client.configurationDoneRequest();
    }),
    client.launchRequest({ program }),
  ]);
  await stoppedAt(launched, 5, "the breakpoint stops the program");
  await stoppedAt(client.nextRequest({ threadId: 1 }), 6, "a step goes on");
  const frame = await stoppedAt(client.customRequest("stepBack", { threadId: 1 }), 5, "and a step back returns");

  const { body: scopes } = await client.scopesRequest({ frameId: frame.id });
  const registers = scopes.scopes.find((scope) => scope.name === "Registers");
  const { body: values } = await client.variablesRequest({ variablesReference: registers.variablesReference });
  const x = values.variables.find((variable) => variable.name === "X");
  check("X has its value", x && /5/.test(x.value), values);
  const { body: sum } = await client.evaluateRequest({ expression: "x + 1", frameId: frame.id, context: "watch" });
  check("expressions are evaluated", /6/.test(sum.result), sum);

  const { body: memory } = await client.customRequest("readMemory", { memoryReference: "0x1000", offset: 0, count: 2 });
  check("memory is read", Buffer.from(memory.data, "base64").equals(Buffer.from([0xa2, 0x05])), memory);
  const list = await client.customRequest("disassemble", {
    memoryReference: frame.instructionPointerReference,
    instructionOffset: -20,
    instructionCount: 40,
  });
  const rows = list.body.instructions;
  check("disassembly has as many rows as asked", rows.length === 40, rows.length);
  check("and the instruction where VS Code counts", rows[20]?.address === frame.instructionPointerReference, rows[20]);

  await client.setBreakpointsRequest({ source: { path: program }, breakpoints: [{ line: 8 }] });
  await stoppedAt(client.continueRequest({ threadId: 1 }), 8, "the program runs on");
  const bad = await client.customRequest("noSuchRequest", {}).then(() => undefined, (error) => error);
  check("an unknown request is refused", bad !== undefined);
  const answer = await client.disconnectRequest({ terminateDebuggee: true });
  check("the adapter lets go", answer.success, answer);
} catch (error) {
  check("no error", false, error?.message ?? String(error));
}
process.exit(failures === 0 ? 0 : 1);
