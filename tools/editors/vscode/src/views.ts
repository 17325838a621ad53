//! Texts that the server makes: the built-in source, expansions of macros, listings, memory maps. And what goes with
//! them: the choice of the root, and the sample.

import * as vscode from "vscode";

import type { Server } from "./server";

const SCHEME = "tempo-view";

/// An entry of the answer to `tempo/memoryMap`; `end` is after the last byte.
interface Block {
  segment: string;
  name: string;
  start: number;
  end: number;
  isVirtual: boolean;
}

function blockLine({ segment, name, start, end, isVirtual }: Block): string {
  const hex = (address: number) => `$${address.toString(16).padStart(4, "0")}`;
  const size = `${end - start}`.padStart(6);
  return `${hex(start)}-${hex(Math.max(start, end - 1))} ${size}  ${segment}  ${name}${isVirtual ? " (virtual)" : ""}`;
}

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
  const name = (editor: vscode.TextEditor) => vscode.workspace.asRelativePath(editor.document.uri);

  const expand = async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const { line, character } = editor.selection.active;
      const params = { textDocument: server.document(editor.document), position: { line, character } };
      const answer = await server.ask<string>("tempo/expand", params);
      await show(`expansion at ${name(editor)}:${line + 1}`, answer, "kickassembler");
    }
  };
  const showListing = async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const answer = await server.ask<string>("tempo/listing", { textDocument: server.document(editor.document) });
      await show(`listing of ${name(editor)}`, answer, "kickassembler");
    }
  };
  const showMemoryMap = async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) {
      const blocks = await server.ask<Block[]>("tempo/memoryMap", { textDocument: server.document(editor.document) });
      const text = blocks && blocks.length > 0 ? blocks.map(blockLine).join("\n") + "\n" : undefined;
      await show(`memory map of ${name(editor)}`, text, "plaintext");
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
    vscode.commands.registerCommand("tempo.showListing", showListing),
    vscode.commands.registerCommand("tempo.showMemoryMap", showMemoryMap),
    vscode.commands.registerCommand("tempo.chooseRoot", chooseRoot),
    vscode.commands.registerCommand("tempo.openSample", openSample),
  );
}
