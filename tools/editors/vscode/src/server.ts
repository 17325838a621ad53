//! The client of `tempo lsp`. Everything about the language comes from there.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  State,
  type LanguageClientOptions,
} from "vscode-languageclient/node";

import { binary, confined } from "./binary";

/// Commands that lenses and messages of the server may name.
export const COMMANDS = ["tempo.runTest", "tempo.debugTest", "tempo.showReferences"];

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly started = new vscode.EventEmitter<void>();
  /// Fires when the server is ready, also after a restart.
  readonly onReady = this.started.event;
  private hasComplained = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.OutputChannel,
  ) {}

  async start(): Promise<void> {
    const command = binary(this.context);
    const options: LanguageClientOptions = {
      documentSelector: [
        { scheme: "file", language: "kickassembler" },
        { scheme: "file", language: "tempo-suite" },
        { scheme: "untitled", language: "kickassembler" },
        { scheme: "untitled", language: "tempo-suite" },
      ],
      synchronize: { configurationSection: "tempo" },
      initializationOptions: {
        ...vscode.workspace.getConfiguration("tempo"),
        commands: COMMANDS,
        builtInSources: true,
      },
      outputChannel: this.log,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => {
          this.complain(`the language server ended; see the output "Tempo", or run "Tempo: Restart Language Server"`);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
    const client = new LanguageClient("tempo", "Tempo", { command, args: confined(["lsp"]) }, options);
    client.onDidChangeState((change) => {
      if (change.newState === State.Running) {
        this.started.fire();
      }
    });
    this.client = client;
    try {
      await client.start();
      this.hasComplained = false;
    } catch (error) {
      this.log.appendLine(`cannot start '${command} lsp': ${error}`);
      this.complain(`cannot start '${command} lsp'. Install tempo, or set its path.`);
    }
  }

  private complain(message: string): void {
    if (this.hasComplained) {
      return;
    }
    this.hasComplained = true;
    const settings = "Open Settings";
    void vscode.window.showErrorMessage(`Tempo: ${message}`, settings).then((choice) => {
      if (choice === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "tempo.path");
      }
    });
  }

  async restart(): Promise<void> {
    await this.stop();
    this.hasComplained = false;
    await this.start();
  }

  /// The answer to a request of our own; undefined if the server is not there or does not know it.
  async ask<T>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<T | undefined> {
    if (!this.client?.isRunning()) {
      return undefined;
    }
    try {
      // An undefined token would become a second parameter.
      const answer = await (token
        ? this.client.sendRequest<T | null>(method, params, token)
        : this.client.sendRequest<T | null>(method, params));
      return answer ?? undefined;
    } catch (error) {
      this.log.appendLine(`${method}: ${error}`);
      return undefined;
    }
  }

  /// Tells the server something of our own.
  async tell(method: string, params: unknown): Promise<void> {
    if (this.client?.isRunning()) {
      await this.client.sendNotification(method, params);
    }
  }

  /// A document as the protocol names it.
  document(document: vscode.TextDocument): { uri: string } {
    const convert = this.client?.code2ProtocolConverter;
    return { uri: convert ? convert.asUri(document.uri) : document.uri.toString() };
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch {
      // A server that never came up cannot be stopped.
    }
  }

  dispose(): Promise<void> {
    return this.stop();
  }
}
