import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { bin, type Place } from "./command-line.ts";
import { notingPid, shellLine, type TerminalOptions, type TestTerminal, terminalEnv } from "./pseudo-terminal.ts";

/** Starts the app in tmux, in a window of this size: a terminal that others wrote, with rules of its own for wrapping anew. */
export function tmuxTerminal(
  place: Place,
  args: readonly string[],
  { columns = 80, rows = 24, env = {}, before = "true", command = [bin] }: TerminalOptions = {},
): TestTerminal {
  const { folder } = place;
  const socket = join(folder, `.tmux-${crypto.randomUUID().slice(0, 8)}`);
  const code = `${socket}.code`;
  const noted = `${socket}.pid`;
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      cwd: folder,
      env: terminalEnv(place, env),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const words = shellLine([...notingPid(noted), process.execPath, ...command, ...args]);
  const line = `${before}; ${words}; echo $? > '${code}'; exec sleep 1000`;
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux(
    ...["start-server", ";", "set-option", "-g", "history-limit", "50000", ";"],
    ...["set-option", "-g", "status", "off", ";", "set-option", "-sg", "escape-time", "0", ";"],
    ...["new-session", "-d", ...size, line],
  );
  onTestFinished(() => {
    tmux("kill-server");
  });
  const lines = () =>
    tmux("capture-pane", "-p", "-J", "-S", "-")
      .split("\n")
      .map((text) => text.trimEnd());
  const exitCode = () => (existsSync(code) ? Number(readFileSync(code, "utf8")) : undefined);
  return {
    type: (text) => void tmux("send-keys", "-l", text),
    async resize(cols, height) {
      tmux("resize-window", "-x", String(cols), "-y", String(height));
    },
    async shows(pattern) {
      for (;;) {
        const hasEnded = exitCode() !== undefined;
        const text = lines().join("\n");
        if (pattern.test(text)) return text;
        if (hasEnded) throw new Error(`It ended with ${exitCode()} without ${pattern}:\n${text}`);
        await setTimeout(30);
      }
    },
    lines,
    kill: (signal) => void process.kill(Number(readFileSync(noted, "utf8")), signal),
    get ended() {
      return (async () => {
        for (;;) {
          const ended = exitCode();
          if (ended !== undefined) return ended;
          await setTimeout(30);
        }
      })();
    },
  };
}

/** Whether tmux is installed. */
export const hasTmux = existsSync("/usr/bin/tmux");
