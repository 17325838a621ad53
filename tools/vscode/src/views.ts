//! Texts that the server makes: the built-in source, expansions of macros, listings, memory maps. And what goes with
//! them: the choice of the root, and the sample.

import * as vscode from "vscode";

import type { Server } from "./server";

const SCHEME = "tempo-view";

export function addViews(context: vscode.ExtensionContext, server: Server): void {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const show = async (title: string, text: string | undefined, language: string) => {
    if (text === undefined) {
      void vscode.window.showInformationMessage(`Tempo: there is nothing to show for ${title}`);
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}` });
    texts.set(uri.path, text);
    changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, language);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  };
  const text = (answer: string | { text?: string } | undefined) =>
    typeof answer === "string" ? answer : answer?.text;
  const name = (editor: vscode.TextEditor) => vscode.workspace.asRelativePath(editor.document.uri);

  const expand = async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const { line, character } = editor.selection.active;
      const params = { textDocument: server.document(editor.document), position: { line, character } };
      const answer = await server.ask<string | { text?: string }>("tempo/expand", params);
      await show(`expansion at ${name(editor)}:${line + 1}`, text(answer), "kickassembler");
    }
  };
  const whole = (method: string, what: string, language: string) => async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const params = { textDocument: server.document(editor.document) };
      const answer = await server.ask<string | { text?: string }>(method, params);
      await show(`${what} of ${name(editor)}`, text(answer), language);
    }
  };
  const chooseRoot = async () => {
    const files = await vscode.workspace.findFiles("**/*.{asm,a,s,kick,ka}", "**/node_modules/**", 2000);
    const names = files.map((file) => vscode.workspace.asRelativePath(file)).sort();
    const all = { label: "All roots", description: "every source that no other one imports" };
    const items = [all, ...names.map((label) => ({ label, description: "" }))];
    const choice = await vscode.window.showQuickPick(items, { title: "Source to assemble" });
    if (choice) {
      const roots = choice === all ? undefined : [choice.label];
      const target = vscode.workspace.workspaceFolders
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration("tempo").update("roots", roots, target);
    }
  };
  const openSample = async () => {
    const sample = vscode.Uri.joinPath(context.extensionUri, "sample");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!folder) {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(sample, "raster.asm"), { preview: false });
      return;
    }
    for (const file of ["raster.asm", "raster.6502"]) {
      const target = vscode.Uri.joinPath(folder, file);
      try {
        await vscode.workspace.fs.copy(vscode.Uri.joinPath(sample, file), target, { overwrite: false });
      } catch {
        // It is there already.
      }
      await vscode.window.showTextDocument(target, { preview: false });
    }
  };

  context.subscriptions.push(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "",
    }),
    vscode.workspace.registerTextDocumentContentProvider("tempo-builtin", {
      provideTextDocumentContent: async (uri) =>
        (await server.ask<string>("tempo/source", { uri: uri.toString() })) ?? "// This text is not known.\n",
    }),
    vscode.commands.registerCommand("tempo.expandMacro", expand),
    vscode.commands.registerCommand("tempo.showListing", whole("tempo/listing", "listing", "kickassembler")),
    vscode.commands.registerCommand("tempo.showMemoryMap", whole("tempo/memoryMap", "memory map", "plaintext")),
    vscode.commands.registerCommand("tempo.chooseRoot", chooseRoot),
    vscode.commands.registerCommand("tempo.openSample", openSample),
  );
}
