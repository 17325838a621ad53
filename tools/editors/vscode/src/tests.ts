//! The test explorer: tests come from the server while one types, results from `tempo test --format json`.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import * as vscode from "vscode";

import { binary, confined } from "./binary";
import { parseLcov, type FileHits } from "./lcov";
import type { Server } from "./server";

/// An item of the answer to `tempo/tests`.
export interface Item {
  id: string;
  label: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  children?: Item[];
}

/// An event of `tempo test --format json`, as far as it is used here.
interface TestEvent {
  event: string;
  id?: string;
  suite_name?: string;
  outcome?: "passed" | "failed" | "skipped" | "filtered" | "not_run";
  cycles?: number;
  seconds?: number;
  message?: string;
  line?: number;
  column?: number;
  file?: string;
  help?: string;
  failures?: Failure[];
}

interface Place {
  file?: string;
  line?: number;
  column?: number;
}

/// A statement that did not hold. Inside a procedure, its place is there, and `procedures` are the calls that led to it,
/// innermost first.
interface Failure extends Place {
  message: string;
  text?: string;
  statement?: string;
  procedures?: (Place & { statement: string })[];
  values?: { left?: unknown; operator?: string; right?: unknown };
  stopped?: { label?: string; source?: string };
}

const SUITES = "**/*.6502";

export function addTests(context: vscode.ExtensionContext, server: Server): void {
  const controller = vscode.tests.createTestController("tempo", "6502 Tests");
  const details = new WeakMap<vscode.FileCoverage, FileHits>();

  const fileItem = (uri: vscode.Uri): vscode.TestItem => {
    const known = controller.items.get(uri.toString());
    if (known) {
      return known;
    }
    const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    controller.items.add(item);
    return item;
  };

  const range = ({ start, end }: Item["range"]) =>
    new vscode.Range(start.line, start.character, end.line, end.character);
  const add = (parent: vscode.TestItem, items: Item[]) => {
    parent.children.replace(
      items.map((item) => {
        const child = controller.createTestItem(`${parent.id}#${item.id}`, item.label, parent.uri);
        child.range = range(item.range);
        add(child, item.children ?? []);
        return child;
      }),
    );
  };
  const discover = async (uri: vscode.Uri) => {
    const items = await server.ask<Item[]>("tempo/tests", { uri: uri.toString() });
    if (items) {
      add(fileItem(uri), items);
    }
  };
  const discoverAll = async () => {
    const files = await vscode.workspace.findFiles(SUITES, "**/{node_modules,target,build}/**");
    await Promise.all(files.map(discover));
  };
  controller.resolveHandler = (item) => (item?.uri ? discover(item.uri) : discoverAll());
  controller.refreshHandler = discoverAll;

  const timers = new Map<string, NodeJS.Timeout>();
  const discoverLater = (uri: vscode.Uri) => {
    clearTimeout(timers.get(uri.toString()));
    timers.set(uri.toString(), setTimeout(() => void discover(uri), 200));
  };
  const watcher = vscode.workspace.createFileSystemWatcher(SUITES);
  context.subscriptions.push(
    controller,
    watcher,
    watcher.onDidCreate(discoverLater),
    watcher.onDidChange(discoverLater),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === "tempo-suite") {
        discoverLater(document.uri);
      }
    }),
    server.onReady(() => void discoverAll()),
  );

  /// The tests below an item, by the id they have on the command line.
  const testsOf = (item: vscode.TestItem, found = new Map<string, vscode.TestItem>()) => {
    if (item.children.size === 0 && item.parent) {
      found.set(testId(item), item);
    }
    item.children.forEach((child) => testsOf(child, found));
    return found;
  };

  const runFile = async (
    run: vscode.TestRun,
    file: vscode.TestItem,
    only: string | undefined,
    extra: string[],
    token: vscode.CancellationToken,
  ) => {
    const uri = file.uri;
    if (!uri) {
      return;
    }
    const all = testsOf(file);
    const wanted = only === undefined ? [...all.values()] : [...all].filter(([id]) => id === only).map(([, item]) => item);
    wanted.forEach((item) => run.started(item));
    const words = confined(["test", uri.fsPath, "--format", "json", ...(only === undefined ? [] : ["--test", only]), ...extra]);
    const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
    const child = spawn(binary(context), words, { cwd: folder });
    token.onCancellationRequested(() => child.kill());
    let errors = "";
    child.stderr.on("data", (data) => (errors += data));
    const done = new Promise<string | undefined>((resolve) => {
      child.on("error", (error) => resolve(`cannot run tempo: ${error.message}`));
      child.on("close", () => resolve(undefined));
    });
    const place = (at: Place) => {
      const path = at.file ?? uri.fsPath;
      const target = vscode.Uri.file(isAbsolute(path) ? path : join(folder, path));
      return new vscode.Location(target, new vscode.Position((at.line ?? 1) - 1, (at.column ?? 1) - 1));
    };
    const open = new Set(wanted);
    const failed = new Set<vscode.TestItem>();
    const problems: vscode.TestMessage[] = [];
    const measured: { id: string; cycles: number }[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      let event: TestEvent;
      try {
        event = JSON.parse(line);
      } catch {
        run.appendOutput(`${line}\r\n`);
        continue;
      }
      if (event.event === "diagnostic") {
        const message = new vscode.TestMessage([event.message, event.help].filter(Boolean).join("\n"));
        message.location = place(event);
        problems.push(message);
      }
      // Rows from a file are not items of their own.
      const { id = "" } = event;
      const item = event.event === "test" ? (all.get(id) ?? all.get(id.replace(/\[\d+\]$/, ""))) : undefined;
      if (!item || !event.outcome || event.outcome === "filtered") {
        continue;
      }
      open.delete(item);
      if (failed.has(item)) {
        continue;
      }
      if (event.cycles) {
        measured.push({ id, cycles: event.cycles });
      }
      item.description = event.cycles ? `${event.cycles} cycles` : undefined;
      const duration = (event.seconds ?? 0) * 1000;
      run.appendOutput(`${event.outcome} ${event.id}: ${event.cycles ?? 0} cycles\r\n`, undefined, item);
      if (event.outcome === "passed") {
        run.passed(item, duration);
      } else if (event.outcome === "failed") {
        failed.add(item);
        run.failed(item, (event.failures ?? []).flatMap((failure) => messagesOf(failure, place)), duration);
      } else {
        run.skipped(item);
      }
    }
    await server.tell("tempo/tested", { uri: uri.toString(), tests: measured });
    const problem = await done;
    if (problem) {
      problems.push(new vscode.TestMessage(problem));
    }
    if (problems.length === 0 && open.size > 0 && !token.isCancellationRequested) {
      problems.push(new vscode.TestMessage(errors.trim() || "tempo ended without a result"));
    }
    if (problems.length > 0) {
      open.forEach((item) => run.errored(item, problems));
    }
  };

  const handler = (extra: () => Promise<{ words: string[]; finish: (run: vscode.TestRun) => Promise<void> }>) =>
    async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      const once = async (chosen: readonly vscode.TestItem[], token: vscode.CancellationToken) => {
        const run = controller.createTestRun(request);
        const { words, finish } = await extra();
        try {
          for (const item of chosen) {
            const file = fileOf(item);
            if (item === file) {
              await runFile(run, file, undefined, words, token);
              continue;
            }
            for (const id of testsOf(item).keys()) {
              await runFile(run, file, id, words, token);
            }
          }
          await finish(run);
        } finally {
          run.end();
        }
      };
      const chosen = () => {
        const items: vscode.TestItem[] = [];
        controller.items.forEach((item) => items.push(item));
        const excluded = new Set(request.exclude ?? []);
        return (request.include ?? items).filter((item) => !excluded.has(item));
      };
      if (!request.continuous) {
        await vscode.workspace.saveAll(false);
        await once(chosen(), token);
        return;
      }
      // Runs again when a source or a suite is saved.
      const saved = vscode.workspace.onDidSaveTextDocument((document) => {
        if (["kickassembler", "tempo-suite"].includes(document.languageId)) {
          void once(chosen(), token);
        }
      });
      token.onCancellationRequested(() => saved.dispose());
    };

  const nothing = async () => ({ words: [] as string[], finish: async () => {} });
  const run = controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, handler(nothing), true);
  run.supportsContinuousRun = true;
  controller.createRunProfile("Debug", vscode.TestRunProfileKind.Debug, async (request) => {
    for (const item of request.include ?? []) {
      for (const [test, found] of testsOf(item)) {
        await debugTest(found.uri?.fsPath ?? "", test);
      }
    }
  }, true);
  const coverage = controller.createRunProfile("Coverage", vscode.TestRunProfileKind.Coverage, handler(async () => {
    const folder = await mkdtemp(join(tmpdir(), "tempo-coverage-"));
    const file = join(folder, "lcov.info");
    return {
      words: ["--coverage", "lcov", "--coverage-file", file],
      finish: async (run) => {
        const text = await readFile(file, "utf8").catch(() => "");
        const base = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
        for (const hits of parseLcov(text)) {
          const path = isAbsolute(hits.file) ? hits.file : join(base, hits.file);
          const covered = vscode.FileCoverage.fromDetails(vscode.Uri.file(path), statements(hits));
          details.set(covered, hits);
          run.addCoverage(covered);
        }
        await rm(folder, { recursive: true, force: true });
      },
    };
  }));
  coverage.loadDetailedCoverage = async (_run, file) => {
    const hits = details.get(file);
    return hits ? statements(hits) : [];
  };

  const debugTest = async (suite: string, test: string) => {
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(suite));
    await vscode.debug.startDebugging(folder, { type: "tempo", request: "launch", name: `Debug ${test}`, suite, test });
  };
  /// The file and the test of a lens, whichever way the server names them.
  const lens = (first: unknown, second: unknown): { file: vscode.Uri; test?: string | null } | undefined => {
    const given = (typeof first === "object" && first !== null ? first : { uri: first, test: second }) as {
      uri?: string;
      file?: string;
      test?: string;
      id?: string;
    };
    const text = given.uri ?? given.file;
    if (typeof text !== "string") {
      return undefined;
    }
    const file = /^[a-z][a-z0-9+.-]+:/i.test(text) ? vscode.Uri.parse(text) : vscode.Uri.file(text);
    return { file, test: given.test ?? given.id };
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("tempo.runTest", async (first: unknown, second: unknown) => {
      const what = lens(first, second);
      if (!what) {
        return;
      }
      await discover(what.file);
      const file = fileItem(what.file);
      const item = what.test == null ? file : (testsOf(file).get(what.test) ?? file);
      const source = new vscode.CancellationTokenSource();
      await vscode.commands.executeCommand("testing.showMostRecentOutput").then(undefined, () => {});
      await run.runHandler(new vscode.TestRunRequest([item], undefined, run), source.token);
    }),
    vscode.commands.registerCommand("tempo.debugTest", async (first: unknown, second: unknown) => {
      const what = lens(first, second);
      if (what?.test) {
        await debugTest(what.file.fsPath, what.test);
      }
    }),
    vscode.commands.registerCommand("tempo.debugFailure", async ({ test }: { test: vscode.TestItem }) => {
      await debugTest(test.uri?.fsPath ?? "", testId(test));
    }),
    vscode.commands.registerCommand("tempo.showReferences", async (uri: string, position: { line: number; character: number }, locations: { uri: string; range: Item["range"] }[]) => {
      await vscode.commands.executeCommand(
        "editor.action.showReferences",
        vscode.Uri.parse(uri),
        new vscode.Position(position.line, position.character),
        (locations ?? []).map((found) => new vscode.Location(vscode.Uri.parse(found.uri), range(found.range))),
      );
    }),
  );
}

function fileOf(item: vscode.TestItem): vscode.TestItem {
  return item.parent ? fileOf(item.parent) : item;
}

/// The id on the command line: what is after the last mark in the id of the item.
function testId(item: vscode.TestItem): string {
  return item.id.slice((item.parent?.id.length ?? -1) + 1);
}

/// A message where the statement is and, if it is in a procedure, one at each call that led there.
export function messagesOf(failure: Failure, place: (at: Place) => vscode.Location): vscode.TestMessage[] {
  const lines = [failure.text, failure.message, failure.statement];
  const calls = failure.procedures ?? [];
  calls.forEach((call) => lines.push(`called at ${call.file}:${call.line}: ${call.statement}`));
  if (failure.stopped?.label) {
    lines.push(`stopped at ${failure.stopped.label}${failure.stopped.source ? `, ${failure.stopped.source}` : ""}`);
  }
  const text = lines.filter(Boolean).join("\n");
  const { left, operator, right } = failure.values ?? {};
  const message =
    operator === "==" && left !== undefined && right !== undefined
      ? vscode.TestMessage.diff(text, String(right), String(left))
      : new vscode.TestMessage(text);
  message.location = place(failure);
  message.contextValue = "tempoFailure";
  return [message, ...calls.map((call) => {
    const called = new vscode.TestMessage(`${failure.text ?? failure.message}\nin ${call.statement}`);
    called.location = place(call);
    called.contextValue = message.contextValue;
    return called;
  })];
}

function statements(hits: FileHits): vscode.StatementCoverage[] {
  return hits.lines.map(([line, count]) => {
    const branches = hits.branches
      .filter((branch) => branch.line === line)
      .map((branch) => new vscode.BranchCoverage(branch.count, undefined, branch.name));
    return new vscode.StatementCoverage(count, new vscode.Position(line - 1, 0), branches);
  });
}
