//! Tasks: assemble, test, run.

import * as vscode from "vscode";

import { binary } from "./binary";

interface Definition extends vscode.TaskDefinition {
  command: "asm" | "test" | "run";
  file?: string;
  args?: string[];
}

/// The words behind `tempo` for a task; problems come in the form that the matcher reads.
function taskWords({ command, file, args = [] }: Definition): string[] {
  const format = command === "asm" ? ["--message-format", "short"] : [];
  return [command, ...format, ...(file ? [file] : []), ...args];
}

export function addTasks(context: vscode.ExtensionContext): void {
  const make = (definition: Definition, scope: vscode.TaskScope | vscode.WorkspaceFolder): vscode.Task => {
    const execution = new vscode.ProcessExecution(binary(context), taskWords(definition));
    const name = [definition.command, definition.file].filter(Boolean).join(" ");
    const task = new vscode.Task(definition, scope, name, "tempo", execution, ["$tempo"]);
    if (definition.command === "asm") {
      task.group = vscode.TaskGroup.Build;
    } else if (definition.command === "test") {
      task.group = vscode.TaskGroup.Test;
    }
    return task;
  };
  const provider: vscode.TaskProvider = {
    provideTasks: () => {
      const folder = vscode.workspace.workspaceFolders?.[0] ?? vscode.TaskScope.Workspace;
      const roots = vscode.workspace.getConfiguration("tempo").get<string[]>("roots", []);
      const sources = roots.length > 0 ? roots : ["${file}"];
      return [
        ...sources.map((file) => make({ type: "tempo", command: "asm", file }, folder)),
        ...sources.map((file) => make({ type: "tempo", command: "run", file }, folder)),
        make({ type: "tempo", command: "test", file: "." }, folder),
      ];
    },
    resolveTask: (task) => {
      const definition = task.definition as Definition;
      return make(definition, task.scope ?? vscode.TaskScope.Workspace);
    },
  };
  context.subscriptions.push(vscode.tasks.registerTaskProvider("tempo", provider));
}
