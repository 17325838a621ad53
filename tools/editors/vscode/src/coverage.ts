//! The coverage of a debug session: paints the lines that ran since its start, those that did not, and branches that went
//! one way only. Asking again, or the end of the session, takes the paint away.

import * as vscode from "vscode";

/// The answer to `tempo/coverage`.
interface Coverage {
  files: { source: { path?: string }; lines: CoveredLine[] }[];
}

interface CoveredLine {
  line: number;
  count: number;
  branches: { taken: number; notTaken: number }[];
}

type Kind = "ran" | "half" | "never";

function kindOf({ count, branches }: CoveredLine): Kind {
  if (count === 0) {
    return "never";
  }
  return branches.some(({ taken, notTaken }) => taken === 0 || notTaken === 0) ? "half" : "ran";
}

function told({ count, branches }: CoveredLine): string {
  const ways = branches.map(({ taken, notTaken }) => `branch taken ${taken} times, not taken ${notTaken} times`);
  return [count === 0 ? "never executed" : `executed ${count} times`, ...ways].join("; ");
}

const paint = (background: string): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(background),
    overviewRulerColor: new vscode.ThemeColor(background),
  });

export function addCoverage(context: vscode.ExtensionContext): void {
  const paints: Record<Kind, vscode.TextEditorDecorationType> = {
    ran: paint("testing.coveredBackground"),
    half: paint("testing.uncoveredBranchBackground"),
    never: paint("testing.uncoveredBackground"),
  };
  /// What is painted, by path; nothing between two sessions.
  let shown = new Map<string, CoveredLine[]>();
  const show = (editor: vscode.TextEditor) => {
    const lines = shown.get(editor.document.uri.fsPath) ?? [];
    for (const kind of Object.keys(paints) as Kind[]) {
      const painted = lines.filter((line) => kindOf(line) === kind && line.line <= editor.document.lineCount);
      editor.setDecorations(
        paints[kind],
        painted.map((line) => ({ range: editor.document.lineAt(line.line - 1).range, hoverMessage: told(line) })),
      );
    }
  };
  const showAll = (files: Map<string, CoveredLine[]>) => {
    shown = files;
    vscode.window.visibleTextEditors.forEach(show);
  };
  const toggle = async () => {
    const session = vscode.debug.activeDebugSession;
    if (shown.size > 0 || session?.type !== "tempo") {
      if (shown.size === 0) {
        void vscode.window.showInformationMessage("Tempo: nothing is being debugged");
      }
      showAll(new Map());
      return;
    }
    try {
      const { files }: Coverage = await session.customRequest("tempo/coverage");
      const known = files.filter(({ source }) => source.path);
      showAll(new Map(known.map(({ source, lines }) => [vscode.Uri.file(source.path ?? "").fsPath, lines])));
    } catch (problem) {
      void vscode.window.showErrorMessage(`Tempo: ${problem instanceof Error ? problem.message : String(problem)}`);
    }
  };
  context.subscriptions.push(
    ...Object.values(paints),
    vscode.commands.registerCommand("tempo.sessionCoverage", toggle),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(show)),
    vscode.debug.onDidTerminateDebugSession((session) => session.type === "tempo" && showAll(new Map())),
  );
}
