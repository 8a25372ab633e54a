import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "@cogency/protocol";
import { listen } from "@tooling/loopback/listen";

/** The folders of one attack. They are removed after it, and everything that was started in them is ended. */
export interface Place {
  /** Holds all others. */
  readonly outer: string;
  /** Where tools work. */
  readonly root: string;
  /** The home folder of programs. */
  readonly home: string;
  /** Where the app keeps conversations. */
  readonly store: string;
  /** A word that is unique to this attack. */
  readonly canary: string;
  /** Path below `outer`; folders are made. @returns the absolute path */
  put(path: string, text?: string): string;
  /** The text of a file; undefined if it does not exist. */
  text(path: string): string | undefined;
  onEnd(task: () => unknown): void;
  /** Runs a program to its end, or kills it after 30 seconds. */
  program(file: string, args: readonly string[], settings?: ProcessSettings): Promise<Ended>;
  /** Runs the built command. */
  cogency(args: readonly string[], settings?: ProcessSettings): Promise<Ended>;
  /** `cogency run` with a model that gives these answers, an array standing for a batch of calls. */
  run(answers: readonly Answer[], args: readonly string[], settings?: ProcessSettings): Promise<Ended>;
  /** Options for such a model. */
  model(answers: readonly Answer[]): string[];
  /** The events of a conversation in the app's store. */
  log(conversation: string): Promise<LogEvent[]>;
  /** Serves on loopback. @returns the port */
  serve(listener: RequestListener): Promise<number>;
}

export type Answer = string | readonly { name: string; args: object; id?: string }[];

export interface ProcessSettings {
  input?: string | undefined;
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** It did not end by itself. */
  isHung: boolean;
}

export const bin = fileURLToPath(new URL("../../../../apps/cli/bin/cogency.cjs", import.meta.url));

const scriptedModel = fileURLToPath(new URL("../processes/scripted-model.ts", import.meta.url));

export function openPlace(): Place & { close(): Promise<void> } {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), "cogency-attack-")));
  const root = join(outer, "root");
  const home = join(outer, "home");
  for (const folder of [root, home]) mkdirSync(folder);
  const tasks: (() => unknown)[] = [];
  let models = 0;

  const place: Place = {
    outer,
    root,
    home,
    store: join(home, ".cogency", "cogency.db"),
    canary: `canary${randomBytes(9).toString("hex")}`,
    put(path, text = "") {
      const file = join(outer, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    text(path) {
      const file = join(outer, path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
    onEnd: (task) => tasks.push(task),
    async program(file, args, { input, env = {}, cwd = root, timeout = 30_000 } = {}) {
      const child = spawn(file, args, { cwd, env: { PATH: process.env.PATH, HOME: home, ...env } });
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      const ended = ending(child);
      const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
      try {
        return { ...(await ended), isHung: child.killed };
      } finally {
        clearTimeout(timer);
      }
    },
    cogency: (args, settings) => place.program(process.execPath, [bin, ...args], settings),
    model(answers) {
      const script = place.put(`models/${models++}.json`, JSON.stringify(answers));
      return ["--provider", scriptedModel, "--model", script];
    },
    run: (answers, args, settings) => place.cogency(["run", ...args, ...place.model(answers)], settings),
    async log(conversation) {
      const { stdout } = await place.cogency(["history", "export", "--raw", conversation]);
      return stdout.split("\n").flatMap((line) => {
        const event = line === "" ? undefined : JSON.parse(line);
        return event && event.type !== "conversation" ? [event as LogEvent] : [];
      });
    },
    async serve(listener) {
      return (await listen(createServer(listener), { onEnd: place.onEnd })).port;
    },
  };
  return {
    ...place,
    async close() {
      for (const task of tasks.toReversed()) await task();
      unmountBelow(outer);
      rmSync(outer, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A command that broke out may have mounted something. */
function unmountBelow(folder: string): void {
  if (process.platform !== "linux") return;
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const inside = mounts
    .flatMap((line) => line.split(" ").slice(1, 2))
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of inside.toReversed()) spawnSync("umount", ["-l", place]);
}

/** Resolves to the output of a process from now on, at most 64 MiB, and to how it ended. */
function ending(child: ChildProcess): Promise<Omit<Ended, "isHung">> {
  return new Promise((resolve, reject) => {
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        if (texts[name].length < 2 ** 26) texts[name] += text;
      });
    }
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
}
