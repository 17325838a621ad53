//! The page of `tempo studio` beside the source. The page and the editor share breakpoints and places: a click in the
//! picture that leads to a line shows it in the editor, and breakpoints of the editor stop the machine of the page.

import { spawn, type ChildProcess } from "node:child_process";
import { dirname, isAbsolute, join } from "node:path";
import * as vscode from "vscode";

import { binary, confined } from "./binary";

/// A place that the page names.
interface Place {
  tempo: "place";
  file: string;
  line: number;
}

/// The address in what `tempo studio` prints.
export function addressIn(text: string): string | undefined {
  return /http:\/\/127\.0\.0\.1:\d+\//.exec(text)?.[0];
}

/// The panel's document: the page in a frame, and messages handed on between it and the extension.
export function panelPage(address: string, nonce: string): string {
  const origin = new URL(address).origin;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; frame-src ${origin}; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'">
<style nonce="${nonce}">html, body { height: 100%; margin: 0; padding: 0; } iframe { border: 0; width: 100%; height: 100%; display: block; }</style>
</head>
<body>
<iframe id="page" src="${address}" title="Tempo Studio" allow="autoplay; gamepad; fullscreen; clipboard-write"></iframe>
<script nonce="${nonce}">
const host = acquireVsCodeApi(), page = document.getElementById("page");
addEventListener("message", (event) => {
  if (event.source === page.contentWindow) host.postMessage(event.data);
  else page.contentWindow.postMessage(event.data, ${JSON.stringify(origin)});
});
</script>
</body>
</html>`;
}

/// Whether a message of the page is a place.
export function isPlace(message: unknown): message is Place {
  const place = message as Partial<Place> | null;
  return (
    typeof place === "object" &&
    place?.tempo === "place" &&
    typeof place.file === "string" &&
    Number.isInteger(place.line) &&
    (place.line ?? 0) > 0
  );
}

export function addPanel(context: vscode.ExtensionContext): void {
  let panel: vscode.WebviewPanel | undefined;
  let server: ChildProcess | undefined;
  let folder = "";

  const breakpoints = () => {
    const points = vscode.debug.breakpoints
      .filter((point) => point instanceof vscode.SourceBreakpoint && point.enabled)
      .map((point) => (point as vscode.SourceBreakpoint).location)
      .map(({ uri, range }) => ({ file: uri.fsPath, line: range.start.line + 1 }));
    void panel?.webview.postMessage({ tempo: "breakpoints", points });
  };
  const showPlace = async ({ file, line }: Place) => {
    const uri = vscode.Uri.file(isAbsolute(file) ? file : join(folder, file));
    // Only files of the workspace: the page does not choose what is opened.
    if (!vscode.workspace.getWorkspaceFolder(uri)) {
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const at = new vscode.Position(Math.min(line, document.lineCount) - 1, 0);
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection, preserveFocus: true });
  };
  const open = async (program?: string) => {
    const document = vscode.window.activeTextEditor?.document;
    const file = program ?? (document?.languageId === "kickassembler" ? document.uri.fsPath : undefined);
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    folder = root ?? (file ? dirname(file) : "");
    if (!folder) {
      void vscode.window.showInformationMessage("Tempo: open a source or a folder with a tempo.toml");
      return;
    }
    panel?.dispose();
    const hasProject = root !== undefined && (await vscode.workspace.findFiles("tempo.toml", null, 1)).length > 0;
    const words = hasProject && program === undefined ? ["studio"] : ["studio", ...(file ? [file] : [])];
    const child = spawn(binary(context), confined(words), { cwd: folder });
    server = child;
    const address = await new Promise<string | undefined>((found) => {
      let text = "";
      child.stdout.on("data", (data: Buffer) => {
        text += data.toString();
        const address = addressIn(text);
        if (address) {
          found(address);
        }
      });
      child.stderr.on("data", (data: Buffer) => (text += data.toString()));
      child.on("error", (error) => {
        void vscode.window.showErrorMessage(`Tempo: the page cannot be served: ${error.message}`);
        found(undefined);
      });
      child.on("exit", () => {
        if (!addressIn(text)) {
          void vscode.window.showErrorMessage(`Tempo: the page cannot be served: ${text.trim()}`);
        }
        found(undefined);
      });
    });
    if (!address) {
      return;
    }
    const outside = (await vscode.env.asExternalUri(vscode.Uri.parse(address))).toString(true);
    const nonce = Array.from({ length: 24 }, () => Math.floor(Math.random() * 36).toString(36)).join("");
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const shown = vscode.window.createWebviewPanel("tempo.studio", "Tempo Studio", column, {
      enableScripts: true,
      retainContextWhenHidden: true,
    });
    panel = shown;
    shown.webview.onDidReceiveMessage((message) => {
      if (isPlace(message)) {
        void showPlace(message);
      } else if ((message as { tempo?: string } | null)?.tempo === "ready") {
        breakpoints();
      }
    });
    shown.onDidDispose(() => {
      child.kill();
      if (panel === shown) {
        panel = undefined;
      }
    });
    shown.webview.html = panelPage(outside, nonce);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("tempo.studio", () => open()),
    vscode.debug.onDidChangeBreakpoints(breakpoints),
    vscode.debug.onDidStartDebugSession((session) => {
      const isWanted = vscode.workspace.getConfiguration("tempo").get<boolean>("studio.whileDebugging", false);
      const { program } = session.configuration as { program?: string };
      if (session.type === "tempo" && isWanted && !panel && program && /\.(asm|a|s|prg)$/i.test(program)) {
        void open(program);
      }
    }),
    { dispose: () => server?.kill() },
  );
}
