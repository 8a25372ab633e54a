import { join } from "node:path";
import { openRoot, type Root } from "@cogency/toolbox";
import { fileStates, type HostCommandEnd, hostCommands, ShellError } from "@cogency/toolbox/shell";
import { type HookAnswer, type HookProgram, rulesOf } from "./hook-program.ts";
import { readAnswer } from "./read-answer.ts";

/** How a program ended: what it answered, or why nobody knows. */
export type Ending =
  | { readonly answer: HookAnswer; readonly end?: HostCommandEnd }
  | { readonly failure: string; readonly end?: HostCommandEnd };

/** Calls programs in one root. */
export interface Caller {
  /** Never rejects. @param input makes what is written to its stdin as JSON, of at most 1 MiB, with the path of the root */
  call(program: HookProgram, input: (root: string) => object, signal: AbortSignal): Promise<Ending>;
}

/** @param usual the folder of programs that name none, which all of them are told */
export function createCaller(usual: string | Root): Caller {
  const opened = new Map<string | Root, Promise<OpenRoot>>();

  function open(root: string | Root): Promise<OpenRoot> {
    const known = opened.get(root) ?? openedRoot(root);
    opened.set(root, known);
    return known;
  }

  async function run(program: HookProgram, input: (root: string) => object, signal: AbortSignal): Promise<Ending> {
    const { command, timeout = usualTimeout, sandbox = false, files } = program;
    const { root, runnerFor } = await open(program.root ?? usual);
    const stdin = `${JSON.stringify(input((await open(usual)).root.base))}\n`;
    if (Buffer.byteLength(stdin) > mostInput) return { failure: "what it is about is larger than 1 MiB" };
    const changed = files && (await changedFile(root, command, files));
    if (changed !== undefined)
      return { failure: `${changed} is not as it was when the hook was accepted, so it was not run` };
    const end = await runnerFor(sandbox)({ command, stdin, timeout: timeout * 1000, maxOutputBytes, signal });
    return { ...endingOf(program, end), end };
  }

  return {
    async call(program, input, signal) {
      try {
        return await run(program, input, signal);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { failure: error instanceof ShellError ? `it could not be run: ${message}` : message };
      }
    },
  };
}

interface OpenRoot {
  readonly root: Root;
  /** @throws ShellError where there is no sandbox */
  runnerFor(sandbox: boolean): ReturnType<typeof hostCommands>;
}

async function openedRoot(given: string | Root): Promise<OpenRoot> {
  const root = typeof given === "string" ? await openRoot(given, { access: "project" }) : given;
  const runners = new Map<boolean, ReturnType<typeof hostCommands>>();
  return {
    root,
    runnerFor(sandbox) {
      const runner = runners.get(sandbox) ?? hostCommands(root, { sandbox: sandbox ? "required" : "off" });
      runners.set(sandbox, runner);
      return runner;
    },
  };
}

/** Seconds. */
const usualTimeout = 10;
const mostInput = 1_048_576;
const maxOutputBytes = 65_536;

/** Characters of what one program says. */
const longestText = 10_000;

function endingOf({ at, timeout = usualTimeout }: HookProgram, end: HostCommandEnd): Ending {
  const { exitCode, signal, stdout } = end;
  const stderr = end.stderr.trim();
  switch (end.end) {
    case "timeout":
      return { failure: `it took longer than ${timeout} s` };
    case "flooded":
      return { failure: `it printed more than ${maxOutputBytes} bytes` };
    case "aborted":
      return { failure: "the run was cancelled" };
  }
  if (exitCode === 0) {
    const read = readAnswer(at, stdout);
    return "problem" in read ? { failure: read.problem } : { answer: cut(read.answer) };
  }
  const { refusal } = rulesOf(at);
  if (exitCode === 2 && refusal !== undefined) return { answer: cut(refusedBy(refusal, stderr)) };
  const last = stderr === "" ? "" : `: ${lastOf(stderr)}`;
  return { failure: `it ended with ${signal === null ? `exit code ${exitCode}` : signal}${last}` };
}

function refusedBy(refusal: "deny" | "context" | "end" | "continue", stderr: string): HookAnswer {
  const text = stderr === "" ? "It gave no reason." : stderr;
  return refusal === "deny" ? { decision: "deny", reason: text } : { [refusal]: text };
}

function cut(answer: HookAnswer): HookAnswer {
  const texts = Object.entries(answer).map(([field, text]: [string, string]) => {
    const rest = text.length - longestText;
    const shown = rest > 0 ? `${text.slice(0, longestText).toWellFormed()}\n[… ${rest} characters left out]` : text;
    return [field, shown.toWellFormed()];
  });
  return Object.fromEntries(texts);
}

/** The last line, which mostly says what went wrong. */
function lastOf(text: string): string {
  const line = text.split("\n").at(-1) ?? "";
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
}

async function changedFile(
  root: Root,
  command: string,
  known: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const now = await fileStates(root, command);
  // Files elsewhere are not the work of a model: they count where somebody has named them.
  const inside = [...now.keys()].filter((file) => file.startsWith(join(root.path, "/")));
  return [...new Set([...known.keys(), ...inside])].find((file) => known.get(file) !== now.get(file));
}
