import type { Capability } from "@cogency/agent";
import type { AgentHook } from "@cogency/agent/hooks";
import {
  callback,
  checkOption,
  checkOptions,
  either,
  listOf,
  object,
  required,
  text,
  wrongOption,
} from "@cogency/protocol/options";
import type { Root } from "@cogency/toolbox";
import { createCaller } from "./call-program.ts";
import { contextQueue } from "./context-queue.ts";
import { type HookInput, inputAt } from "./hook-input.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import { hookProblem } from "./hook-problem.ts";
import { type HookPoint, type HookProgram, hookName, isFor } from "./hook-program.ts";
import { merged, type Said, saidBy } from "./said.ts";

export interface HookProgramsOptions {
  /** The folder that programs run in, or a `Root` that `openRoot` of `@cogency/toolbox` returned. Defaults to the working directory. */
  root?: string | Root | undefined;
  /** Hears how each call of a program ended. */
  onOutcome?: ((outcome: HookOutcome) => void) | undefined;
}

/**
 * Programs as hooks: `createAgent(…).use(hookPrograms([{ at: "beforeToolUse", tools: ["shell"], command: "node check.js" }]))`. At each
 * point its programs run side by side, and what they say counts in the order of the list. A program can deny, have a person asked, add
 * context, end a run or make it go on. It cannot approve or change a call.
 *
 * @throws TypeError for a hook that is none, with what to write instead
 */
export function hookPrograms(list: readonly HookProgram[], options: HookProgramsOptions = {}): Capability {
  checkOption("hookPrograms", "list", list, required(listOf(object, "an array of hooks")));
  checkOptions<HookProgramsOptions>("hookPrograms", options, { root: either(text, object), onOutcome: callback });
  for (const [index, { files: _, root: __, ...program }] of list.entries()) {
    const problem = hookProblem(program, `list[${index}]`);
    if (problem !== undefined) throw wrongOption(TypeError, `list[${index}]`, `hookPrograms: ${problem}`);
  }
  if (list.length === 0) return { name: "hook programs" };
  return { name: "hook programs", hooks: [hookOf([...list], options)] };
}

/** One hook for all, so that those of a point run side by side. It comes last, and sees a call as it will run. */
function hookOf(list: readonly HookProgram[], { root = ".", onOutcome }: HookProgramsOptions): AgentHook {
  const caller = createCaller(root);
  const queue = contextQueue();

  function tell(outcome: HookOutcome): void {
    try {
      onOutcome?.(outcome);
    } catch {
      // Whoever listens decides nothing.
    }
  }

  async function call(program: HookProgram, { tool, about }: HookInput, signal: AbortSignal): Promise<Said> {
    const { at } = program;
    const hook = hookName(program);
    const begun = performance.now();
    const ending = await caller.call(program, (root) => ({ at, hook, root, ...about }), signal);
    const said = saidBy(program, ending);
    const { outcome, message } = said;
    const milliseconds = Math.round(performance.now() - begun);
    const more = { ...(tool !== undefined && { tool }), ...(message !== undefined && { message }) };
    if (!signal.aborted) tell({ hook, at, outcome, milliseconds, ...more });
    return said;
  }

  /** Calls the programs of a point. Undefined if there are none. */
  async function ask(
    at: HookPoint,
    input: HookInput,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof merged> | undefined> {
    const { tool } = input;
    const called = list.filter((program) => program.at === at && (tool === undefined || isFor(program, tool)));
    if (called.length === 0) return undefined;
    return merged(await Promise.all(called.map((program) => call(program, input, signal))));
  }

  const has = (at: HookPoint) => list.some((program) => program.at === at);
  const tells = (["beforePrompt", "beforeRun", "beforeToolUse", "afterToolUse"] as const).some(has);
  return {
    name: "programs",
    priority: last,
    ...(has("beforePrompt") && {
      async beforePrompt(context) {
        const said = await ask("beforePrompt", inputAt.beforePrompt(context), context.signal);
        if (said?.denied !== undefined) return { refuse: said.denied };
        queue.add(context.conversation, said?.texts);
        return undefined;
      },
    }),
    ...(has("beforeRun") && {
      async beforeRun(context) {
        const said = await ask("beforeRun", inputAt.beforeRun(context), context.signal);
        queue.add(context.conversation, said?.texts);
        return said?.stop && { stop: said.stop };
      },
    }),
    ...(tells && { beforeStep: ({ conversation }) => queue.take(conversation) }),
    ...(has("beforeToolUse") && {
      async beforeToolUse(context) {
        const said = await ask("beforeToolUse", inputAt.beforeToolUse(context), context.signal);
        queue.add(hearerOf(context), said?.texts);
        if (said === undefined) return undefined;
        const { denied, asks, stop } = said;
        return {
          ...(denied !== undefined && { block: denied }),
          ...(asks !== undefined && { ask: asks }),
          ...(stop && { stop }),
        };
      },
    }),
    ...(has("afterToolUse") && {
      async afterToolUse(context) {
        const said = await ask("afterToolUse", inputAt.afterToolUse(context), context.signal);
        queue.add(hearerOf(context), said?.texts);
        return said?.stop && { stop: said.stop };
      },
    }),
    ...(has("onQuestion") && {
      async onQuestion(context) {
        await ask("onQuestion", inputAt.onQuestion(context), context.signal);
        return undefined;
      },
    }),
    ...(has("onStop") && {
      async onStop(context) {
        const said = await ask("onStop", inputAt.onStop(context), context.signal);
        if (said?.goOn === undefined) return undefined;
        return { continue: said.goOn.text, holds: said.goOn.holds };
      },
    }),
    ...((has("afterRun") || tells) && {
      async afterRun(context) {
        queue.end(context.conversation);
        // The signal of a run that was cancelled has aborted, and its end is worth a word, too.
        await ask("afterRun", inputAt.afterRun(context), new AbortController().signal);
        return undefined;
      },
    }),
  };
}

/** The conversation whose next step hears of a call. The steps of an agent that a call has started call no hooks. */
function hearerOf({ conversation, root = conversation }: { conversation: string; root?: string | undefined }): string {
  return root;
}

/** After all others, unless they say so, too. */
const last = -1_000_000;
