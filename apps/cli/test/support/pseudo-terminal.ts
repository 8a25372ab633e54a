import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import xterm from "@xterm/headless";
import { onTestFinished } from "vitest";
import { bin, type Place } from "./command-line.ts";

export interface PseudoTerminal {
  /** Types these characters. */
  type(text: string): void;
  /** Changes the size, as a window does. */
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves when what the screen and its scrollback show matches, or fails when the process has ended without that. */
  shows(pattern: RegExp): Promise<string>;
  /** The lines of the scrollback and the screen; rows that the terminal has wrapped are one line. */
  lines(): string[];
  /** The rows of the screen as they are. */
  screen(): string[];
  /** Everything that was written to the terminal. */
  readonly bytes: string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly pid: number;
}

/**
 * Starts the command in a pseudo-terminal of this size. `before` is a command line of the shell that runs in it before.
 * The terminal emulator answers the questions that programs ask terminals.
 */
export function pseudoTerminal(
  { folder }: Place,
  args: readonly string[],
  {
    columns = 80,
    rows = 24,
    env = {},
    before = "true",
  }: { columns?: number; rows?: number; env?: Record<string, string>; before?: string } = {},
): PseudoTerminal {
  const { PATH, SYSTEMROOT } = process.env;
  const tty = join(folder, `.tty-${crypto.randomUUID()}`);
  const words = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const line = `stty cols ${columns} rows ${rows}; tty > '${tty}'; ${before}; ${words}; code=$?; stty -a > '${tty}.after'; exit $code`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    cwd: folder,
    env: { PATH, SYSTEMROOT, HOME: folder, SHELL: "/bin/sh", TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  let bytes = "";
  let written = Promise.resolve();
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    bytes += chunk;
    written = new Promise((resolve) => {
      terminal.write(chunk, () => {
        resolve();
        for (const look of watchers) look();
      });
    });
  });
  terminal.onData((data) => child.stdin.write(data));
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => void written.then(() => resolve(code)));
  });

  const lines = () => {
    const { active } = terminal.buffer;
    const all: string[] = [];
    for (let y = 0; y < active.length; y++) {
      const row = active.getLine(y);
      const text = row?.translateToString(true) ?? "";
      if (row?.isWrapped && all.length > 0) all[all.length - 1] += text;
      else all.push(text);
    }
    return all;
  };
  return {
    type: (text) => void child.stdin.write(text),
    async resize(cols, height) {
      await written;
      terminal.resize(cols, height);
      execFileSync("stty", ["-F", readFileSync(tty, "utf8").trim(), "cols", String(cols), "rows", String(height)]);
    },
    shows: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const text = lines().join("\n");
          if (!pattern.test(text)) return false;
          watchers.delete(look);
          resolve(text);
          return true;
        };
        watchers.add(look);
        if (!look())
          void ended.then((code) => {
            if (!look()) reject(new Error(`It ended with ${code} without ${pattern}:\n${lines().join("\n")}`));
          });
      }),
    lines,
    screen: () => {
      const { active } = terminal.buffer;
      return Array.from(
        { length: terminal.rows },
        (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? "",
      );
    },
    get bytes() {
      return bytes;
    },
    ended,
    pid: child.pid ?? 0,
  };
}

/** Whether a pseudo-terminal can be had: `script` of util-linux. */
export const hasPseudoTerminal = existsSync("/usr/bin/script");
