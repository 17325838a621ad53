//! Debugging through `tempo dap`. What the debugger can do, the adapter says itself.

import * as vscode from "vscode";

import { binary } from "./binary";

export function addDebugger(context: vscode.ExtensionContext): void {
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
        const [root] = vscode.workspace.getConfiguration("tempo").get<string[]>("roots", []);
        const program = root ? `\${workspaceFolder}/${root}` : document.uri.fsPath;
        return { type: "tempo", request: "launch", name: "Debug this source", program };
      }
      if (document?.languageId === "tempo-suite") {
        const test = testAt(document, vscode.window.activeTextEditor?.selection.active.line ?? 0);
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
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(binary(context), ["dap"]),
  };
  const debugFile = () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document) {
      const folder = vscode.workspace.getWorkspaceFolder(document.uri);
      const program = document.uri.fsPath;
      const config = { type: "tempo", request: "launch", name: "Debug this source", program };
      void vscode.debug.startDebugging(folder, config);
    }
  };
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("tempo", configurations),
    vscode.debug.registerDebugAdapterDescriptorFactory("tempo", adapters),
    vscode.commands.registerCommand("tempo.debugFile", debugFile),
  );
}

/// The id of the test above a line. The grammar of suites is the server's; this is a guess for F5 alone.
function testAt(document: vscode.TextDocument, line: number): string | undefined {
  for (let at = line; at >= 0; at--) {
    const found = /\btest\s*\(\s*"([^"]+)"/.exec(document.lineAt(at).text);
    if (found) {
      return found[1];
    }
  }
  return undefined;
}
