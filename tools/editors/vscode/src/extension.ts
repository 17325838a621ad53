//! The extension: starts the language server and hands each subject to its module. It knows nothing of the language;
//! that is in the `tempo` program, so that other editors get the same.

import * as vscode from "vscode";

import { addCoverage } from "./coverage";
import { addDebugger } from "./debug";
import { addPanel } from "./panel";
import { Server } from "./server";
import { showStatus } from "./status";
import { addTasks } from "./tasks";
import { addTests } from "./tests";
import { addViewers } from "./viewers";
import { addViews } from "./views";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Tempo");
  server = new Server(context, log);
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("tempo.restartServer", () => server?.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tempo.path")) {
        void server?.restart();
      }
    }),
  );
  addTasks(context, server);
  addDebugger(context, server);
  addCoverage(context);
  addPanel(context);
  addViewers(context);
  addViews(context, server);
  addTests(context, server);
  showStatus(context, server);
  await server.start();
}

export function deactivate(): Promise<void> | undefined {
  return server?.dispose();
}
