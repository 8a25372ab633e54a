import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Terminal, TerminalCommand, Terminals } from "../../src/shell/terminal/terminals.ts";

/** Terminals of an editor that runs programs. */
export class FakeTerminals implements Terminals {
  readonly started: TerminalCommand[] = [];
  /** What was done to each terminal, in order. */
  readonly done: string[] = [];
  readonly processes: ChildProcess[] = [];
  /** Takes the place of parts of a terminal, to be a worse editor. */
  worse: ((honest: Terminal) => Partial<Terminal>) | undefined;

  async start(command: TerminalCommand): Promise<Terminal> {
    this.started.push(command);
    const id = `term_${this.started.length}`;
    const { args = [], env = {}, cwd, outputBytes = 1_000_000 } = command;
    const child = spawn(command.command, args, { cwd, env: { ...process.env, ...env }, detached: true });
    this.processes.push(child);
    const exited = once(child, "close");
    exited.catch(() => {});
    await once(child, "spawn");
    let output = Buffer.alloc(0);
    let isCut = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        const all = Buffer.concat([output, chunk]);
        isCut ||= all.length > outputBytes;
        output = all.subarray(Math.max(0, all.length - outputBytes));
      });
    }
    const end = () => {
      if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, "SIGKILL");
    };
    const honest: Terminal = {
      id,
      output: async () => ({ text: output.toString(), isCut }),
      ended: async () => {
        await exited;
        return child.signalCode === null ? { code: child.exitCode ?? 0 } : { signal: child.signalCode };
      },
      kill: async () => {
        this.done.push(`kill ${id}`);
        end();
      },
      release: async () => {
        this.done.push(`release ${id}`);
        end();
      },
    };
    return { ...honest, ...this.worse?.(honest) };
  }
}
