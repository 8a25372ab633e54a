import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { workspaceRoot } from "@tooling/checks/workspace";
import xterm, { type Terminal } from "@xterm/headless";
import { writeProject } from "./project.ts";

/** Whether this machine has the program that makes a terminal: `script` of util-linux. */
export const hasTerminal = existsSync("/usr/bin/script");

/** The path of the command. */
export const command = join(workspaceRoot, "apps/cli/bin/cogency.cjs");

const columns = 92;

/** A chat that has been had. */
export interface ChatRun {
  /** What the terminal shows when the model has answered the last prompt. */
  readonly terminal: Terminal;
  /** The folder of the project, whose path stands on the screen. */
  readonly project: string;
  /** The environment of the command, which names the place of the conversation. */
  readonly env: Record<string, string>;
}

/**
 * Has a chat with the offline model in a terminal: two prompts, and a question that is allowed. Gives it to `use` while its folder
 * exists.
 *
 * @throws Error with what the terminal shows if nothing more comes within 20 s
 */
export async function chatRun<Result>(use: (run: ChatRun) => Result | Promise<Result>): Promise<Result> {
  // The length of the path decides where rows are wrapped, so it must be the same on each machine.
  const folder = realpathSync(mkdtempSync("/tmp/pictures-"));
  const project = join(folder, "greeter");
  const env = { PATH: process.env.PATH ?? "", HOME: folder, SHELL: "/bin/sh", TERM: "xterm-256color", LANG: "C.UTF-8" };
  mkdirSync(project);
  writeProject(project);
  const chat = `stty cols ${columns} rows 60; exec '${process.execPath}' '${command}' chat --provider offline --sandbox off --conversation greeter`;
  const child = spawn("script", ["-qefc", chat, "/dev/null"], { cwd: project, env });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const terminal = new xterm.Terminal({ cols: columns, rows: 60, scrollback: 1000, allowProposedApi: true });
  terminal.onData((answer) => child.stdin.write(answer));
  try {
    const shows = watch(terminal, child.stdout.setEncoding("utf8"));
    await shows(/ready/);
    child.stdin.write("list src and read package.json\r");
    await shows(/"version"[\s\S]*ready/);
    child.stdin.write("write 'Greet in French and Dutch, too.' to notes/todo.md\r");
    await shows(/write wants to run/);
    // A key that comes within half a second belongs to what was typed before the question.
    await setTimeout(1000);
    child.stdin.write("y");
    await shows(/Wrote[\s\S]*ready/);
    return await use({ terminal, project, env });
  } finally {
    child.kill("SIGKILL");
    await closed;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns a function that resolves when the terminal shows what matches. */
function watch(terminal: Terminal, output: NodeJS.ReadableStream): (pattern: RegExp) => Promise<void> {
  let look = () => {};
  output.on("data", (chunk: string) => terminal.write(chunk, () => look()));
  return (pattern) =>
    new Promise((resolve, reject) => {
      const late = globalThis.setTimeout(() => reject(new Error(`No ${pattern}:\n${textOf(terminal)}`)), 20_000);
      look = () => {
        if (!pattern.test(textOf(terminal))) return;
        clearTimeout(late);
        resolve();
      };
      look();
    });
}

function textOf({ buffer: { active } }: Terminal): string {
  return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? "").join("\n");
}
