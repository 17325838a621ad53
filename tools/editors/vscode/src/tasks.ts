//! Tasks and commands: build, run, test, run in VICE. A file of a project, which has a `tempo.toml`, is built as the
//! project; another source by itself.

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as vscode from "vscode";

import { binary, confined } from "./binary";
import type { Server } from "./server";

/// A task as `tasks.json` has it.
export interface Definition extends vscode.TaskDefinition {
  command: "asm" | "build" | "test" | "run" | "vice";
  /// The folder of the project, relative to the folder of the workspace.
  project?: string;
  file?: string;
  args?: string[];
}

/// VICE as the settings have it.
export interface Vice {
  path: string;
  args: string[];
}

const PROJECT = "tempo.toml";

/// The words after `tempo` for a task; problems come in the form that the matcher reads.
export function taskWords({ command, file, args = [] }: Definition, vice: Vice): string[] {
  const format = command === "asm" || command === "build" ? ["--message-format", "short"] : [];
  const ofVice =
    command === "vice"
      ? ["--vice", ...(vice.path ? ["--vice-path", vice.path] : []), ...vice.args.flatMap((word) => ["--vice-arg", word])]
      : [];
  return [command === "vice" ? "run" : command, ...format, ...ofVice, ...(file ? [file] : []), ...args];
}

/// What a task is called in the list of tasks.
export function taskName({ command, file, project }: Definition): string {
  const names = { asm: "assemble", build: "build", test: "test", run: "build and run", vice: "run in VICE" };
  return [names[command], file ?? project].filter(Boolean).join(" ");
}

/// The tasks of a folder: those of its projects, or of single sources if it has none.
export function offered(projects: string[], sources: string[]): Definition[] {
  if (projects.length > 0) {
    const commands = ["build", "run", "test", "vice"] as const;
    return projects.flatMap((project) =>
      commands.map((command) => ({ type: "tempo", command, ...(project === "" ? {} : { project }) })),
    );
  }
  return [
    ...sources.map((file): Definition => ({ type: "tempo", command: "asm", file })),
    ...sources.map((file): Definition => ({ type: "tempo", command: "run", file })),
    ...sources.map((file): Definition => ({ type: "tempo", command: "vice", file })),
    { type: "tempo", command: "test", file: "." },
  ];
}

/// The folder of the project that a file belongs to: the nearest one with a `tempo.toml`, not above `top`.
export function projectOf(file: string, top: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, PROJECT))) {
      return folder;
    }
    if (folder === top || folder === dirname(folder)) {
      return undefined;
    }
  }
}

export function addTasks(context: vscode.ExtensionContext, server: Server): void {
  const vice = (): Vice => {
    const settings = vscode.workspace.getConfiguration("tempo");
    return { path: settings.get<string>("vicePath", "").trim(), args: settings.get<string[]>("viceArgs", []) };
  };
  const make = (definition: Definition, scope: vscode.TaskScope | vscode.WorkspaceFolder): vscode.Task => {
    const folder = typeof scope === "object" ? scope.uri.fsPath : vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const cwd = folder === undefined ? undefined : join(folder, definition.project ?? "");
    const words = confined(taskWords(definition, vice()));
    const execution = new vscode.ProcessExecution(binary(context), words, cwd === undefined ? {} : { cwd });
    const task = new vscode.Task(definition, scope, taskName(definition), "tempo", execution, ["$tempo"]);
    if (definition.command === "asm" || definition.command === "build") {
      task.group = vscode.TaskGroup.Build;
    } else if (definition.command === "test") {
      task.group = vscode.TaskGroup.Test;
    }
    return task;
  };
  const provider: vscode.TaskProvider = {
    provideTasks: async () => {
      const roots = vscode.workspace.getConfiguration("tempo").get<string[]>("roots", []);
      const sources = roots.length > 0 ? roots : ["${file}"];
      const tasks = [];
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        const pattern = new vscode.RelativePattern(folder, `**/${PROJECT}`);
        const found = await vscode.workspace.findFiles(pattern, "**/node_modules/**", 50);
        const projects = found.map((uri) => relative(folder.uri.fsPath, dirname(uri.fsPath))).sort();
        tasks.push(...offered(projects, sources).map((definition) => make(definition, folder)));
      }
      return tasks;
    },
    resolveTask: (task) => make(task.definition as Definition, task.scope ?? vscode.TaskScope.Workspace),
  };

  /// What a command is about: the project around the file in the editor, the program that the file is part of, or the
  /// project of the first folder.
  const target = async (command: Definition["command"]): Promise<[Definition, vscode.WorkspaceFolder] | undefined> => {
    const document = vscode.window.activeTextEditor?.document;
    const isOurs = document && ["kickassembler", "tempo-suite"].includes(document.languageId);
    const file = isOurs || document?.uri.fsPath.endsWith(PROJECT) ? document : undefined;
    const folder = (file && vscode.workspace.getWorkspaceFolder(file.uri)) ?? vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined) {
      return undefined;
    }
    const top = folder.uri.fsPath;
    const project = projectOf(file?.uri.fsPath ?? join(top, PROJECT), top);
    if (project !== undefined) {
      const inner = relative(top, project);
      return [{ type: "tempo", command, ...(inner === "" ? {} : { project: inner }) }, folder];
    }
    if (file === undefined) {
      return undefined;
    }
    if (command === "test") {
      return [{ type: "tempo", command, file: file.languageId === "tempo-suite" ? file.uri.fsPath : "." }, folder];
    }
    const roots = await server.ask<string[]>("tempo/roots", { textDocument: server.document(file) });
    const source = roots?.[0] ? vscode.Uri.parse(roots[0]).fsPath : file.uri.fsPath;
    return [{ type: "tempo", command: command === "build" ? "asm" : command, file: source }, folder];
  };
  const start = (command: Definition["command"]) => async () => {
    const found = await target(command);
    if (found === undefined) {
      void vscode.window.showInformationMessage("Tempo: open a source or a folder with a tempo.toml first");
      return;
    }
    await vscode.workspace.saveAll(false);
    await vscode.tasks.executeTask(make(...found));
  };
  const button = vscode.window.createStatusBarItem("tempo.run", vscode.StatusBarAlignment.Left, 5);
  button.name = "Tempo: build and run";
  button.text = "$(play) Run";
  button.tooltip = "Build and run the program";
  button.command = "tempo.run";
  const showButton = () => {
    const language = vscode.window.activeTextEditor?.document.languageId;
    language === "kickassembler" || language === "tempo-suite" ? button.show() : button.hide();
  };
  showButton();
  context.subscriptions.push(
    button,
    vscode.window.onDidChangeActiveTextEditor(showButton),
    vscode.tasks.registerTaskProvider("tempo", provider),
    vscode.commands.registerCommand("tempo.build", start("build")),
    vscode.commands.registerCommand("tempo.run", start("run")),
    vscode.commands.registerCommand("tempo.test", start("test")),
    vscode.commands.registerCommand("tempo.runInVice", start("vice")),
  );
}
