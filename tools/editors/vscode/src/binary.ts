//! Which `tempo` program is used.

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/// The program of the setting, the one in this package, or the one on the path. A setting of a workspace that is not
/// trusted does not count: VS Code leaves it out because the manifest restricts it.
export function binary(context: vscode.ExtensionContext): string {
  const chosen = vscode.workspace.getConfiguration("tempo").get<string>("path", "").trim();
  if (chosen) {
    return chosen;
  }
  const bundled = join(context.extensionPath, "bin", process.platform === "win32" ? "tempo.exe" : "tempo");
  return existsSync(bundled) ? bundled : "tempo";
}

/// The words of a command. In a workspace that is not trusted it reads only files of the project.
export function confined(words: string[]): string[] {
  return vscode.workspace.isTrusted ? words : [...words, "--confine"];
}
