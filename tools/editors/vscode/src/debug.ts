//! Debugging through `tempo dap`. What the debugger can do, the adapter says itself.

import * as vscode from "vscode";

import { binary, confined } from "./binary";
import type { Server } from "./server";
import type { Item } from "./tests";
import { why } from "./why";

export function addDebugger(context: vscode.ExtensionContext, server: Server): void {
  /// The source that is assembled for a file: the first root that the server knows, or the file itself.
  const rootOf = async (document: vscode.TextDocument): Promise<string> => {
    const roots = await server.ask<string[]>("tempo/roots", { textDocument: server.document(document) });
    return roots?.[0] ? vscode.Uri.parse(roots[0]).fsPath : document.uri.fsPath;
  };
  /// The id of the test that a line is in.
  const testAt = async (document: vscode.TextDocument, line: number): Promise<string | undefined> => {
    const suites = (await server.ask<Item[]>("tempo/tests", server.document(document))) ?? [];
    const tests = suites.flatMap((suite) => suite.children ?? []);
    return tests.find(({ range }) => range.start.line <= line && line <= range.end.line)?.id;
  };
  const configurations: vscode.DebugConfigurationProvider = {
    provideDebugConfigurations: () => [
      { type: "tempo", request: "launch", name: "Debug this source", program: "${file}" },
    ],
    resolveDebugConfiguration: async (_folder, config) => {
      if (config.type || config.request || config.name) {
        return config;
      }
      // F5 without launch.json.
      const document = vscode.window.activeTextEditor?.document;
      if (document?.languageId === "kickassembler") {
        return { type: "tempo", request: "launch", name: "Debug this source", program: await rootOf(document) };
      }
      if (document?.languageId === "tempo-suite") {
        const test = await testAt(document, vscode.window.activeTextEditor?.selection.active.line ?? 0);
        if (test) {
          return { type: "tempo", request: "launch", name: `Debug ${test}`, suite: document.uri.fsPath, test };
        }
        void vscode.window.showInformationMessage("Tempo: place the cursor in a test to debug it");
        return undefined;
      }
      void vscode.window.showInformationMessage("Tempo: open a source or a suite to debug it");
      return undefined;
    },
    resolveDebugConfigurationWithSubstitutedVariables: (_folder, config) => {
      if (config.request === "launch" && !config.program && !config.suite) {
        void vscode.window.showErrorMessage("Tempo: the configuration names neither a program nor a suite");
        return undefined;
      }
      if (config.request === "launch") {
        const settings = vscode.workspace.getConfiguration("tempo");
        config.libDirs ??= settings.get("libDirs");
        config.defines ??= settings.get("defines");
        config.vars ??= settings.get("vars");
      }
      return config;
    },
  };
  const adapters: vscode.DebugAdapterDescriptorFactory = {
    // With --confine, the folder that the adapter starts in is the one that it may read.
    createDebugAdapterDescriptor: ({ workspaceFolder }) => {
      const cwd = workspaceFolder?.uri.fsPath;
      return new vscode.DebugAdapterExecutable(binary(context), confined(["dap"]), cwd === undefined ? {} : { cwd });
    },
  };
  const debugFile = async () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document) {
      const folder = vscode.workspace.getWorkspaceFolder(document.uri);
      const program = await rootOf(document);
      const config = { type: "tempo", request: "launch", name: "Debug this source", program };
      void vscode.debug.startDebugging(folder, config);
    }
  };
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("tempo", configurations),
    vscode.debug.registerDebugAdapterDescriptorFactory("tempo", adapters),
    vscode.commands.registerCommand("tempo.debugFile", debugFile),
    vscode.commands.registerCommand("tempo.why", why),
  );
}
