import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { bin, type Place } from "./command-line.ts";
import { emulator } from "./emulator.ts";

/** A terminal in which a command runs. */
export interface TestTerminal {
  /** Types these characters. */
  type(text: string): void;
  /** Changes the size, as a window does. */
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves when what the screen and its scrollback show matches, or fails when the process has ended without that. */
  shows(pattern: RegExp): Promise<string>;
  /** The lines of the scrollback and the screen; rows that the terminal has wrapped are one line. */
  lines(): string[];
  /** Sends the command a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

export interface PseudoTerminal extends TestTerminal {
  /** The rows of the screen as they are. */
  screen(): string[];
  /** Everything that was written to the terminal. */
  readonly bytes: string;
  /** What `stty -a` says of the terminal: before the command began, and after it has ended. */
  settings(): { before: string; after: string };
}

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /** A command line of the shell that runs in the terminal before. */
  before?: string;
  /** A command line of that shell which runs when the command has ended, or was suspended. */
  after?: string;
  /** What runs instead of the app. */
  command?: readonly string[];
}

/** Milliseconds after which the error says what the terminal shows instead. */
const patience = 40_000;

/** What a command in a terminal finds in its environment. */
export function terminalEnv({ folder }: Place, env: Record<string, string>): Record<string, string> {
  const { PATH = "", SYSTEMROOT } = process.env;
  const inherited = SYSTEMROOT === undefined ? { PATH } : { PATH, SYSTEMROOT };
  return { ...inherited, HOME: folder, SHELL: "/bin/sh", TERM: "xterm-256color", LANG: "C.UTF-8", ...env };
}

/** A command line of a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

/** Words before a command line, which write the id of its process to a file. */
export function notingPid(file: string): string[] {
  return ["sh", "-c", 'echo $$ > "$0"; exec "$@"', file];
}

/**
 * Starts the app in a pseudo-terminal of this size, whose bytes an xterm without a window executes. It also answers the questions
 * that programs ask terminals.
 */
export function pseudoTerminal(
  place: Place,
  args: readonly string[],
  { columns = 80, rows = 24, env = {}, before = "true", after, command = [bin] }: TerminalOptions = {},
): PseudoTerminal {
  const { folder } = place;
  const tty = join(folder, `.tty-${crypto.randomUUID()}`);
  const words = shellLine([...notingPid(`${tty}.pid`), process.execPath, ...command, ...args]);
  const line = `stty cols ${columns} rows ${rows}; tty > '${tty}'; stty -a > '${tty}.before'; ${before}; ${words}${after === undefined ? "" : `; ${after}`}; code=$?; stty -a > '${tty}.after'; exit $code`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd: folder, env: terminalEnv(place, env) });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const terminal = emulator(columns, rows);
  let bytes = "";
  let written = Promise.resolve();
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    bytes += chunk;
    written = terminal.write(chunk).then(() => {
      for (const look of watchers) look();
    });
  });
  terminal.onAnswer((data) => child.stdin.write(data));
  child.stdin.on("error", () => {});
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => void written.then(() => resolve(code)));
  });

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
          const text = terminal.lines().join("\n");
          if (!pattern.test(text)) return false;
          watchers.delete(look);
          resolve(text);
          return true;
        };
        watchers.add(look);
        if (look()) return;
        const fail = (what: string) => {
          if (!look()) reject(new Error(`${what} without ${pattern}:\n${terminal.lines().join("\n")}`));
        };
        void ended.then((code) => fail(`It ended with ${code}`));
        setTimeout(() => fail(`${patience / 1000} s have passed`), patience).unref();
      }),
    lines: terminal.lines,
    screen: terminal.screen,
    get bytes() {
      return bytes;
    },
    settings: () => ({ before: readFileSync(`${tty}.before`, "utf8"), after: readFileSync(`${tty}.after`, "utf8") }),
    ended,
    kill: (signal) => void process.kill(Number(readFileSync(`${tty}.pid`, "utf8")), signal),
  };
}

/** Whether a pseudo-terminal can be had: `script` of util-linux. */
export const hasPseudoTerminal = existsSync("/usr/bin/script");
