import type { Root } from "@cogency/toolbox";
import type { HostCommandEnd } from "@cogency/toolbox/shell";
import { createCaller } from "./call-program.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import { type HookPoint, type HookProgram, hookName } from "./hook-program.ts";
import { saidBy } from "./said.ts";

/** What a program did with an input. */
export interface TriedHook {
  /** What it read. */
  readonly input: object;
  /** How it ended, and what it printed; undefined if it could not be run. */
  readonly end: HostCommandEnd | undefined;
  readonly outcome: HookOutcome;
}

/** Runs a program once with a sample of what it is called about. Never rejects. @param about in place of the sample */
export async function tryHook(
  program: HookProgram,
  { root = ".", about = sampleOf(program) }: { root?: string | Root | undefined; about?: object | undefined } = {},
): Promise<TriedHook> {
  const { at } = program;
  const hook = hookName(program);
  const caller = createCaller(root);
  const begun = performance.now();
  let input: object = about;
  const make = (base: string) => {
    input = { at, hook, root: base, ...about };
    return input;
  };
  const ending = await caller.call(program, make, new AbortController().signal);
  const { outcome, message } = saidBy(program, ending);
  return {
    input,
    end: ending.end,
    outcome: {
      hook,
      at,
      outcome,
      ...(message !== undefined && { message }),
      milliseconds: Math.round(performance.now() - begun),
    },
  };
}

function sampleOf({ at, tools }: HookProgram): object {
  const [named = "shell"] = (tools ?? []).filter((name) => !name.includes("*"));
  const args = samples[named] ?? {};
  const call = { conversation: "sample", tool: named, args, call: "c1" };
  const about: Readonly<Record<HookPoint, object>> = {
    beforePrompt: { conversation: "sample", kind: "prompt", prompt: "Fix the test." },
    beforeRun: { conversation: "sample", mode: "run" },
    beforeToolUse: call,
    afterToolUse: { ...call, outcome: "success", result: "done" },
    onQuestion: { ...call, asks: "approval" },
    onStop: { conversation: "sample", status: "completed", text: "Done." },
    afterRun: { conversation: "sample", status: "completed", text: "Done." },
  };
  return about[at];
}

const samples: Readonly<Record<string, object>> = {
  shell: { command: "git push --force" },
  write: { file: "notes.md", content: "A note.\n" },
  edit: { file: "notes.md", edits: [{ old: "A", new: "The" }] },
  read: { file: "notes.md" },
};
