import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import xterm from "@xterm/headless";

/** Whether this machine has the program that makes a terminal: `script` of util-linux. */
export const hasTerminal = existsSync("/usr/bin/script");

const columns = 100;
const rows = 30;

/** A terminal in which a command runs. It answers the questions that programs ask terminals. */
export interface Terminal {
  /** The bytes that were written to it. */
  readonly bytes: number;
  /** The rows that it shows. */
  screen(): string;
  type(text: string): void;
  /**
   * Resolves when the screen matches.
   *
   * @throws Error with the screen if `milliseconds` pass or the command ends before
   */
  shows(pattern: RegExp, milliseconds: number): Promise<void>;
  /** Hangs up, as closing a window does. */
  hangUp(): Promise<void>;
}

/** Starts a command in a terminal of 100 by 30, by `script` of util-linux. */
export function openTerminal(words: readonly string[], cwd: string, env: Record<string, string>): Terminal {
  const line = `stty cols ${columns} rows ${rows}; exec ${shellLine(words)}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd, env });
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  let bytes = 0;
  let hasEnded = false;
  let look = () => {};
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void closed.then(() => {
    // What was written last has not been executed yet.
    terminal.write("", () => {
      hasEnded = true;
      look();
    });
  });
  child.stdin.on("error", () => {});
  terminal.onData((answer) => void child.stdin.write(answer));
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    terminal.write(chunk, () => look());
  });
  const screen = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: rows }, (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  };
  return {
    get bytes() {
      return bytes;
    },
    screen,
    type: (text) => void child.stdin.write(text),
    async shows(pattern, milliseconds) {
      const limit = new AbortController();
      const matched = new Promise<void>((resolve, reject) => {
        look = () => {
          if (pattern.test(screen())) resolve();
          else if (hasEnded) reject(new Error(`it ended and showed:\n${screen()}`));
        };
        look();
      });
      const late = setTimeout(milliseconds, undefined, { signal: limit.signal }).then(() => {
        throw new Error(`after ${milliseconds / 1000} s it did not show ${pattern}, but:\n${screen()}`);
      });
      try {
        await Promise.race([matched, late]);
      } finally {
        look = () => {};
        limit.abort();
        late.catch(() => {});
      }
    },
    async hangUp() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function shellLine(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
