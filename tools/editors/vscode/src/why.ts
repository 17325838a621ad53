//! "Who wrote this?": asks the debugger which instruction made a value, shows the answer as a list, and goes back to that
//! moment or on to the values that the instruction used.

import * as vscode from "vscode";

/// The answer to `tempo/why`.
interface Writer {
  kind: "nobody" | "outside" | "instruction";
  time?: number;
  cycles?: number;
  instruction?: string;
  value?: number;
  place?: string;
  calls?: string[];
  uses?: { expression: string; value: number }[];
}

interface Choice extends vscode.QuickPickItem {
  /// The moment to go to.
  time?: number;
  /// The value to ask about, as it was at that moment.
  next?: string;
}

/// What a menu of the variables view hands over.
interface Context {
  variable?: { name: string; evaluateName?: string };
}

const byte = (value: number | undefined) => `$${(value ?? 0).toString(16).padStart(2, "0")}`;

function choices(expression: string, { kind, time, cycles, instruction, value, place, calls, uses }: Writer): Choice[] {
  if (kind === "outside") {
    return [{ label: "$(debug-step-back) Go there", description: `${expression} = ${byte(value)} was stored by hand`, time }];
  }
  const there = `${expression} = ${byte(value)}: ${instruction} at ${place}, cycle ${cycles}`;
  return [
    { label: "$(debug-step-back) Go there", description: there, time },
    ...(uses ?? []).map((used) => ({
      label: `$(question) Who made ${used.expression}?`,
      description: `it used ${used.expression} = ${byte(used.value)}`,
      time,
      next: used.expression,
    })),
    ...[...(calls ?? [])].reverse().map((call) => ({ label: `$(call-incoming) called from ${call}` })),
  ];
}

async function ask(session: vscode.DebugSession, expression: string, time?: number): Promise<void> {
  const answer: Writer = await session.customRequest("tempo/why", { expression, time });
  if (answer.kind === "nobody") {
    void vscode.window.showInformationMessage(`Tempo: nobody has written ${expression} since the start`);
    return;
  }
  const title = `Who wrote ${expression}?`;
  const chosen = await vscode.window.showQuickPick(choices(expression, answer), { title, matchOnDescription: true });
  if (chosen?.next) {
    await ask(session, chosen.next, chosen.time);
  } else if (chosen?.time !== undefined) {
    await session.customRequest("tempo/at", { time: chosen.time });
  }
}

export async function why(context?: Context): Promise<void> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== "tempo") {
    void vscode.window.showInformationMessage("Tempo: nothing is being debugged");
    return;
  }
  const prompt = "A place such as [$d020] or a label, a register or a flag";
  const named = context?.variable?.evaluateName ?? context?.variable?.name;
  const expression = named ?? (await vscode.window.showInputBox({ title: "Who wrote this?", prompt }));
  if (!expression) {
    return;
  }
  try {
    await ask(session, expression);
  } catch (problem) {
    void vscode.window.showErrorMessage(`Tempo: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}
