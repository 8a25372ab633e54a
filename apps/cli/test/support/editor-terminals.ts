import { spawn } from "node:child_process";
import type { CreateTerminalRequest } from "@agentclientprotocol/sdk";

/** Terminals of an editor: programs whose output it keeps. */
export function editorTerminals() {
  const all = new Map<string, EditorTerminal>();
  const of = (id: string) => {
    const terminal = all.get(id);
    if (!terminal) throw new Error(`There is no terminal ${id}.`);
    return terminal;
  };
  return {
    all,
    of,
    start(request: CreateTerminalRequest): { terminalId: string } {
      const terminalId = `terminal-${all.size + 1}`;
      all.set(terminalId, startTerminal(request));
      return { terminalId };
    },
  };
}

export interface EditorTerminal {
  readonly command: string;
  output: string;
  isReleased: boolean;
  readonly ended: Promise<{ exitCode: number | null; signal: string | null }>;
  kill(): void;
}

function startTerminal({ command, args = [], env = [], cwd }: CreateTerminalRequest): EditorTerminal {
  const named = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(command, args, { cwd: cwd ?? undefined, env: { ...process.env, ...named } });
  const terminal: EditorTerminal = {
    command: [command, ...args].join(" "),
    output: "",
    isReleased: false,
    ended: new Promise((resolve) => child.once("close", (exitCode, signal) => resolve({ exitCode, signal }))),
    kill: () => void child.kill("SIGKILL"),
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      terminal.output += text;
    });
  return terminal;
}
