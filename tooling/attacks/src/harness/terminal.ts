import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { SkippedError } from "./attack.ts";
import { bin, type Place, type ProcessSettings } from "./place.ts";

/** The command at a terminal of its own. */
export interface Terminal {
  /** The output until now. */
  raw(): string;
  /** The output without control sequences. */
  shown(): string;
  type(text: string): void;
  /** Resolves when `pattern` is shown after the position `from`, or `limit` ms are over. @returns whether it is shown */
  until(pattern: RegExp, from?: number, limit?: number): Promise<boolean>;
  /** Resolves when nothing was written for `quiet` milliseconds, or it has ended. */
  idle(quiet: number): Promise<void>;
  /** Resolves when it has ended; it is killed after `limit` milliseconds. */
  ended(limit: number): Promise<void>;
  /** Kills the command at once. */
  kill(): void;
  readonly isOver: boolean;
}

/**
 * Starts the built command at a pseudo-terminal.
 *
 * @throws SkippedError without util-linux's `script`
 */
export function openTerminal(
  place: Place,
  args: readonly string[],
  { columns = 80, cwd = place.root, env = {} }: ProcessSettings & { columns?: number } = {},
): Terminal {
  if (!hasScript()) throw new SkippedError("there is no script of util-linux to make a terminal");
  const pidFile = place.put("terminal.pid");
  const words = [process.execPath, bin, ...args].map(quoted).join(" ");
  const command = `stty cols ${columns} rows 24; echo $$ > ${quoted(pidFile)}; exec ${words}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: place.home, TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
  });
  let text = "";
  let isOver = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    tell();
  });
  child.stderr.resume();
  child.stdin.on("error", () => {});
  child.once("close", () => {
    isOver = true;
    tell();
  });
  const kill = () => {
    const pid = Number(place.text("terminal.pid"));
    try {
      if (pid > 0 && !isOver) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
    if (!isOver) child.kill("SIGKILL");
  };
  place.onEnd(kill);

  const when = (isTime: () => boolean, limit: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => done(), limit);
      const done = () => {
        clearTimeout(timer);
        listeners.delete(look);
        resolve();
      };
      const look = () => {
        if (isOver || isTime()) done();
      };
      listeners.add(look);
      look();
    });
  const shown = () => stripVTControlCharacters(text);

  return {
    raw: () => text,
    shown,
    type: (typed) => child.stdin.write(typed),
    async until(pattern, from = 0, limit = 20_000) {
      await when(() => pattern.test(shown().slice(from)), limit);
      return pattern.test(shown().slice(from));
    },
    async idle(quiet) {
      for (let seen = -1; seen !== text.length && !isOver; ) {
        seen = text.length;
        await when(() => text.length !== seen, quiet);
      }
    },
    async ended(limit) {
      await when(() => false, limit);
      kill();
    },
    kill,
    get isOver() {
      return isOver;
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

let found: boolean | undefined;

function hasScript(): boolean {
  found ??= /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
  return found;
}
