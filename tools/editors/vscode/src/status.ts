//! The status bar: cycles and bytes of the selection, and the root in use.

import * as vscode from "vscode";

import type { Server } from "./server";

/// The answer to `tempo/cycles`.
interface Cycles {
  min: number;
  max: number;
  bytes: number;
}

/// How long the selection must rest before the server is asked.
const REST_MS = 100;

export function cyclesText({ min, max, bytes }: Cycles): string {
  const cycles = min === max ? `${min}` : `${min}–${max}`;
  return `${cycles} ${max === 1 ? "cycle" : "cycles"}, ${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}

export function showStatus(context: vscode.ExtensionContext, server: Server): void {
  const cycles = vscode.window.createStatusBarItem("tempo.cycles", vscode.StatusBarAlignment.Right, 110);
  cycles.name = "Tempo: cycles of the selection";
  cycles.tooltip = "Cycles and bytes of the selected code";
  const root = vscode.window.createStatusBarItem("tempo.root", vscode.StatusBarAlignment.Right, 109);
  root.name = "Tempo: root source";
  root.command = "tempo.chooseRoot";
  root.tooltip = "The source that is assembled; click to choose another";

  let timer: NodeJS.Timeout | undefined;
  let running: vscode.CancellationTokenSource | undefined;
  const update = async () => {
    running?.cancel();
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "kickassembler" || editor.selection.isEmpty) {
      cycles.hide();
      return;
    }
    const source = (running = new vscode.CancellationTokenSource());
    const { start, end } = editor.selection;
    const position = ({ line, character }: vscode.Position) => ({ line, character });
    const range = { start: position(start), end: position(end) };
    const params = { textDocument: server.document(editor.document), range };
    const answer = await server.ask<Cycles>("tempo/cycles", params, source.token);
    if (source.token.isCancellationRequested) {
      return;
    }
    if (answer && answer.bytes > 0) {
      cycles.text = `$(watch) ${cyclesText(answer)}`;
      cycles.show();
    } else {
      cycles.hide();
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), REST_MS);
  };
  const showRoot = () => {
    const language = vscode.window.activeTextEditor?.document.languageId;
    const roots = vscode.workspace.getConfiguration("tempo").get<string[]>("roots", []);
    root.text = `$(file-code) ${roots.length === 0 ? "all roots" : roots.join(", ")}`;
    if (language === "kickassembler" || language === "tempo-suite") {
      root.show();
    } else {
      root.hide();
    }
  };
  showRoot();
  context.subscriptions.push(
    cycles,
    root,
    { dispose: () => clearTimeout(timer) },
    vscode.window.onDidChangeTextEditorSelection(later),
    vscode.window.onDidChangeActiveTextEditor(() => (showRoot(), later())),
    vscode.workspace.onDidChangeTextDocument(later),
    vscode.workspace.onDidChangeConfiguration(showRoot),
    server.onReady(later),
  );
}
