import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentEvent, parseResults, type ToolResult } from "@cogency/protocol";
import { onTestFinished, type TestContext } from "vitest";
import { inProcess } from "./in-process.ts";

export const fixtures = fileURLToPath(new URL("../fixtures/", import.meta.url));
export const models = join(fixtures, "models.ts");
export const bin = fileURLToPath(new URL("../../bin/cogency.cjs", import.meta.url));

/** The command keeps its compiled code here, so that each test's process starts faster. */
export const caches = fileURLToPath(new URL("../../node_modules/.caches/", import.meta.url));

/**
 * `pnpm verify` gives each command a process of its own, from what is built, and programs their sandbox; `pnpm test` carries
 * commands out in the test's process, and needs no sandbox.
 */
const inProcesses = process.env.COGENCY_TESTS === "verify";

/** A temporary folder with a file in it, which is also the home folder. It is removed after the test. */
export interface Place {
  folder: string;
  store: string;
  /** Runs the command to its end. */
  cogency(args: readonly string[], settings?: Settings): Promise<Outcome>;
  /** Starts the command. */
  start(args: readonly string[], settings?: Settings): ChildProcessWithoutNullStreams;
}

interface Settings {
  /** The text on stdin, which then closes. Without it, stdin closes at once. */
  input?: string;
  env?: Record<string, string>;
  /** Defaults to the folder itself. */
  cwd?: string;
  /** Has a process of its own also in `pnpm test`, because the end of the process is what counts. */
  process?: true;
  /** Whether a started command may still get something on stdin. It closes at once if absent. */
  keepsInput?: true;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** @param onEnd `onTestFinished` of the context in a concurrent test, which the global one does not know */
export function place(onEnd: TestContext["onTestFinished"] = onTestFinished): Place {
  const folder = mkdtempSync(join(tmpdir(), "cogency-cli-"));
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  writeFileSync(join(folder, "notes.txt"), "hello from the notes\n");

  const environment = (args: readonly string[], env: Record<string, string> = {}) => {
    const { PATH, SYSTEMROOT, NODE_COMPILE_CACHE } = process.env;
    const home = { HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: caches };
    const model = namesModel(args, env) ? {} : { COGENCY_PROVIDER: "offline" };
    const sandbox = inProcesses ? {} : { COGENCY_SANDBOX: "off" };
    return { PATH, SYSTEMROOT, NODE_COMPILE_CACHE, ...sandbox, ...home, ...model, ...env };
  };
  const start = (args: readonly string[], { env, cwd = folder, keepsInput }: Settings = {}) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, env: environment(args, env) });
    child.stdin.on("error", () => {});
    if (!keepsInput) child.stdin.end();
    onEnd(() => {
      child.kill("SIGKILL");
    });
    return child;
  };
  return {
    folder,
    store: join(folder, ".cogency", "cogency.db"),
    start,
    async cogency(args, settings = {}) {
      const { env, cwd = folder, input = "" } = settings;
      if (!inProcesses && !settings.process) return inProcess(args, { env: environment(args, env), cwd, input });
      const child = start(args, { ...settings, keepsInput: true });
      child.stdin.end(input);
      return outcomeOf(child);
    },
  };
}

/** A place whose commands each have a process of their own: one process reads the keys of its installation once. */
export function ownProcesses(): Place {
  const at = place();
  return { ...at, cogency: (args, settings) => at.cogency(args, { ...settings, process: true }) };
}

/** Whether a test says itself which model is asked; the others get the offline model. */
function namesModel(args: readonly string[], env: Record<string, string>): boolean {
  const options = ["--provider", "--base-url", "--api", "--api-key-env", "--profile", "--config"];
  return (
    options.some((option) => args.includes(option)) || Object.keys(env).some((name) => /_API_KEY|COGENCY_/.test(name))
  );
}

/** Resolves to the output of a process from now on, and its exit code. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([collect(child.stdout), collect(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** Resolves to the output when it matches, or when the process has ended. */
export function written(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const look = (chunk: Buffer | string) => {
      text += chunk;
      if (pattern.test(text)) done();
    };
    const done = () => {
      stream.off("data", look);
      stream.off("end", done);
      resolve(text);
    };
    stream.on("data", look);
    stream.on("end", done);
  });
}

/** Options for a model that makes these batches of calls, one after another, and is done. */
export function calling(...batches: { name: string; args: object }[][]): string[] {
  return ["--provider", models, "--model", JSON.stringify(batches)];
}

/** The results in the result events of a run with `--json`, in order. */
export function resultsOf(stdout: string): ToolResult[] {
  return jsonLines(stdout).flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));
}

export function jsonLines<T = AgentEvent>(text: string): T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}
